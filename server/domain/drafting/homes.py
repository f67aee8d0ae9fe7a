"""Homes: how many places of a kind a request tells of, over all that they are in ("two buildings with 10 units each",
"building 1 has 4 units, building 2 has 6 units")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from server.domain.drafting.items import plain
from server.domain.drafting.matching import lemma
from server.domain.drafting.quantities import Quantity

#: What has several places in it.
_HOLDERS = frozenset(
    ["building", "bldg", "block", "house", "tower", "floor", "storey", "story", "level", "property", "unit", "flat",
     "apartment", "home", "site", "wing", "villa", "duplex", "fourplex", "townhouse", "townhome"]
)  # fmt: skip
_HOLDER = r"(?P<holder>building|bldg|block|house|tower|floor|property|unit|flat|apartment|home|site|wing|townhouse)"
#: Between how many hold them and how many each of those has; that say so by themselves, and that need "each" behind.
_OF_EACH = re.compile(
    r"\s*(?:[,;:.–-]\s*)?(?:of|(?:and )?each (?:one |of them |building |block |house |floor |unit )?"
    r"(?:with|has|having|of|contains?|containing))(?: about)?\s*",
    re.IGNORECASE,
)
_WITH = re.compile(r"\s*(?:,|:|with|has|have|having|containing|of|x|×|@)\s*(?:with )?", re.IGNORECASE)
_EACH_BEHIND = re.compile(
    rf"\s*(?:,? ?(?:each|apiece)\b|(?:in|to|per) (?:each|every)?\b|per {_HOLDER}\b)", re.IGNORECASE
)
#: "Each unit has 2 bathrooms", before the number.
_EACH_HAS = re.compile(rf"\b(?:each|every) {_HOLDER} (?:has|have|with|contains?|is)\s*(?:got )?$", re.IGNORECASE)
#: "Building 1 has 4 units", "Building A: 12 units", before the number.
_NAMED = re.compile(rf"\b{_HOLDER} #?(?P<name>\d{{1,3}}|[a-h])\b\s*(?:has|have|with|:|-|–|=|,|\()?\s*$", re.IGNORECASE)
_IN_ALL = re.compile(r"\s*(?:in (?:all|total)|total|altogether|overall|all told)\b", re.IGNORECASE)
_BEFORE = 40


@dataclass(frozen=True, slots=True)
class Homes:
    """How many places of a kind there are, and how that is reckoned."""

    number: Decimal
    told: str


def homes(places: Sequence[Quantity], counts: Sequence[Quantity], text: str) -> Homes:
    """How many ``places`` come to, which count one kind, by the other ``counts`` of the request."""
    first = places[0]
    noun = first.noun
    in_all = next((one for one in places if _IN_ALL.match(text, _behind(one, text))), None)
    if in_all is not None:
        return Homes(in_all.value, f"{plain(in_all.value)} {noun}")
    named = {said["name"].lower(): one for one in places if (said := _NAMED.search(_before(one, text))) is not None}
    if len(named) > 1:
        total = sum((one.value for one in named.values()), Decimal(0))
        return Homes(total, f"{' + '.join(plain(one.value) for one in named.values())} = {plain(total)} {noun}")
    holders = next((one for one in counts if _holds(one, first, text)), None)
    if holders is None:
        return Homes(first.value, f"{plain(first.value)} {noun}")
    total = holders.value * first.value
    return Homes(total, f"{plain(holders.value)} {holders.noun} × {plain(first.value)} = {plain(total)} {noun}")


def _holds(holders: Quantity, place: Quantity, text: str) -> bool:
    """Whether so many each have as many places: "4 blocks of 6 flats", "two buildings with 10 units each"."""
    holder = lemma(holders.noun)
    if holders.span.start >= place.span.start or holders.value <= 1 or holder not in _HOLDERS - {lemma(place.noun)}:
        return False
    each = _EACH_HAS.search(_before(place, text))
    if each is not None and lemma(each["holder"].lower()) == holder:
        return True
    behind = _behind(holders, text)
    if _OF_EACH.fullmatch(text, behind, place.span.start):
        return True
    joined = _WITH.fullmatch(text, behind, place.span.start) is not None
    return joined and _EACH_BEHIND.match(text, _behind(place, text)) is not None


def _before(figure: Quantity, text: str) -> str:
    return text[max(0, figure.span.start - _BEFORE) : figure.span.start]


def _behind(figure: Quantity, text: str) -> int:
    """Where the name of what a figure counts ends."""
    at = text.lower().find(figure.noun.lower(), figure.span.end, figure.span.end + _BEFORE)
    return at + len(figure.noun) if at >= 0 else figure.span.end
