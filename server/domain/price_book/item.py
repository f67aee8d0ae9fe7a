"""An item of a price book, and the forms under which it is found again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from server.domain.units import UNITS
from server.domain.words import fold, stem

#: What an item may charge for; the words of `server.domain.draft.LineKind`.
KINDS = ("material", "labour", "service", "fee")
#: Longest texts, in code points; the contract says the same of its fields.
LONGEST = {"sku": 64, "name": 200, "description": 2000, "category": 100, "supplier": 200}
HIGHEST_PRICE = Decimal(1_000_000_000)
MOST_DECIMALS = 6

#: What spreadsheets would run: a price list has no use for it, and who opens an export of it would.
_FORMULA = re.compile(r"\s*(?:[=@]|[+-].*[(|!])", re.DOTALL)
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a price list, or somebody who edits, says of one item from ``effective_from`` (ISO date) on.

    ``price`` is per ``unit``, in major units of ``currency``, before tax.
    """

    sku: str
    name: str
    unit: str
    price: Decimal
    currency: str
    kind: str
    effective_from: str
    description: str = ""
    category: str = ""
    supplier: str = ""


@dataclass(frozen=True, slots=True)
class BookItem:
    """An item with the revision that is in force on a day."""

    item_id: int
    revision_id: int
    entry: Entry
    retired: bool = False


def sku_key(sku: str) -> str:
    """The SKU without capitals and spaces: what makes it unique in a book."""
    return fold("".join(sku.split()))


def words(text: str) -> tuple[str, ...]:
    """Words and numbers of a name as they are indexed: folded, words as stems, in order."""
    return tuple(found if found[0].isdigit() else stem(found) for found in _WORD.findall(fold(text)))


def faults_of(entry: Entry) -> list[tuple[str, str, str]]:
    """What keeps an entry out of a book: field, reason, message. Empty where nothing does.

    Unit, kind and currency are checked by those who read them.
    """
    found = []
    if not sku_key(entry.sku):
        found.append(("sku", "sku_missing", "The SKU is missing."))
    if not words(entry.name):
        found.append(("name", "name_missing", "The name is missing."))
    for field, longest in LONGEST.items():
        text = getattr(entry, field)
        if len(text) > longest:
            found.append((field, f"{field}_too_long", f"The {field} has {len(text)} characters, at most {longest}."))
        if _FORMULA.match(text):
            found.append((field, "formula", f"“{text[:40]}” begins like a formula: write it as plain text."))
        if _CONTROL.search(text):
            found.append((field, "control_character", f"The {field} has a control character."))
    if entry.unit not in UNITS:
        found.append(("unit", "unit_unknown", f"There is no unit “{entry.unit}”."))
    found.extend(price_faults(entry.price))
    return found


def price_faults(price: Decimal) -> list[tuple[str, str, str]]:
    """What keeps a price out of a book. A price of 0 is none: it would give work away without saying so."""
    if price < 0:
        return [("price", "price_negative", f"The price {price} is negative.")]
    if price == 0:
        return [("price", "price_zero", "The price is 0. Leave the row out, or retire the item.")]
    if price > HIGHEST_PRICE:
        return [("price", "price_too_high", f"The price is above {HIGHEST_PRICE}.")]
    if -int(price.normalize().as_tuple().exponent) > MOST_DECIMALS:
        return [("price", "price_too_fine", f"The price {price} has more than {MOST_DECIMALS} decimals.")]
    return []
