"""Rows of a bill of quantities as items of a takeoff: what a row asks for is read from its words, how much is what the
row says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from server.domain.bill import Bill, BillRow
from server.domain.draft import DraftLine
from server.domain.drafting.actions import action_of
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.measuring import NO_QUANTITY
from server.domain.drafting.reading import read_request
from server.domain.pricing.price_book import OwnPrice
from server.domain.takeoff import Takeoff, TakeoffItem
from server.domain.units import UNITS, dimension
from server.domain.words import fold

#: Characters of the text around a bill, in which place and exclusions are looked for, and of it in a reason.
READ_AROUND = 20_000
_SHOWN_AROUND = 200
#: Rows named in a reason; more would bury the rest.
_NAMED = 3
_COUNTED = "each"


def bill_takeoff(bill: Bill, around: Takeoff, index: TaskIndex) -> Takeoff:
    """One item a row, in their order; place and exclusions are those of the text around the bill."""
    return Takeoff(
        items=tuple(_item(row, index) for row in bill.rows), location=around.location, exclusions=around.exclusions
    )


def barred(row: BillRow) -> OwnPrice | None:
    """Why nothing may price the row; None where something may."""
    if row.qty is None:
        said = f"the quantity “{row.quantity_said}”" if row.quantity_said else "no quantity"
        return OwnPrice(reasons=(f"The document gives {said}: no amount can be calculated.",), final=True)
    if row.unit_said and not row.unit:
        return OwnPrice(reasons=(f"“{row.unit_said}” is no unit that is known here: nothing was priced.",), final=True)
    return None


def with_row(line: DraftLine, row: BillRow) -> DraftLine:
    """The line with its place, and with what the document itself charges beside what a source supports."""
    reasons = line.review_reasons
    if row.rate:
        beside = "the price here is from another source" if line.priced else "no source supports it"
        reasons = (*reasons, f"The document states the rate {row.rate}; {beside}.")
    return replace(line, place=row.place, review_reasons=reasons)


def reasons_of(bill: Bill) -> tuple[str, ...]:
    """Why to look at the quote as a whole: rows that are no line, words that no row says."""
    reasons = list(bill.left_out[:_NAMED])
    if len(bill.left_out) > _NAMED:
        reasons.append(f"{len(bill.left_out) - _NAMED} more rows of the document are left out.")
    around = " ".join(bill.prose.split())
    if around:
        shown = around if len(around) <= _SHOWN_AROUND else around[: _SHOWN_AROUND - 1] + "…"
        reasons.append(f"Only the rows of the bill are lines; the document also says: “{shown}”.")
    return tuple(reasons)


def _item(row: BillRow, index: TaskIndex) -> TakeoffItem:
    """What the row's words ask for, or what they ask for under a heading that says what is done; as much as the row
    says."""
    found = _best(_read(row.description, row, index), row)
    reasons: tuple[str, ...] = ()
    done_above = _acts(row.heading) and not _acts(row.description)
    if row.heading and (done_above or found is None or not found.task_id):
        under = _best(_read(f"{row.heading}: {row.description}", row, index), row)
        if under is not None and under.task_id:
            found, reasons = under, (f"Read under the heading “{row.heading[:80]}”.",)
    if found is None:
        found = TakeoffItem("", row.description, "", None, "", row.span, Decimal("0.3"))
        reasons = ("No task of the catalogue answers these words; nothing was priced.",)
    if not row.unit_said:
        reasons = (*reasons, "The document gives no unit: taken as a count.")
    return replace(
        found,
        description=row.description,
        qty=row.qty,
        unit=row.unit or row.unit_said or _COUNTED,
        span=row.span,
        # What is said of the quantity is of the words; the row has its own.
        review_reasons=(*(reason for reason in found.review_reasons if reason != NO_QUANTITY), *reasons),
        said=row.description,
    )


def _acts(words: str) -> bool:
    return any(action_of(word) for word in re.findall("[a-z]+", fold(words)))


def _read(words: str, row: BillRow, index: TaskIndex) -> Sequence[TakeoffItem]:
    """The items of the words, with the row's figure beside them, as a request would have it; the heading decides
    between readings of ambiguous words, as a trade does."""
    said = f"{words}, {row.qty} {row.unit or _COUNTED}" if row.qty is not None else words
    return read_request(said, industry=row.heading, index=index, gazetteer=None, sure=True).items


def _best(items: Sequence[TakeoffItem], row: BillRow) -> TakeoffItem | None:
    """The item that the row means: one that the catalogue has, measured as the row is, before others."""

    def rank(item: TakeoffItem) -> tuple[bool, bool]:
        fits = item.unit in UNITS and dimension(item.unit) is dimension(row.unit or _COUNTED)
        return not item.task_id, not fits

    return min(items, key=rank, default=None)
