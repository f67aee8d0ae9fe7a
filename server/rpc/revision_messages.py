"""Versions, and what is different between two, as messages of the contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from quotewright.v1 import revision_pb2

from server.domain.comparison import Changes, FieldChange
from server.domain.draft import Draft, Source, TaxLine
from server.domain.money import from_minor
from server.domain.takeoff import Span
from server.rpc.quote_messages import line_message
from server.store.quotes import VersionRow

#: Fields of lines by their names in the contract. What the contract does not show is not told of.
_OF_LINES = {
    "description": "description",
    "qty": "qty",
    "unit": "unit",
    "price": "price",
    "amount_minor": "amount",
    "low_minor": "amount_low",
    "high_minor": "amount_high",
    "kind": "kind",
    "priced": "priced",
    "optional": "optional",
    "confidence": "confidence",
    "labour_hours": "labour_hours",
    "review_reasons": "review_reasons",
    "span": "span",
    "source": "source",
    "entered": "entered",
}
_OF_QUOTE = {
    "currency": "currency",
    "subtotal_minor": "subtotal",
    "tax_minor": "tax",
    "total_minor": "total",
    "low_minor": "total_low",
    "high_minor": "total_high",
    "confidence": "confidence",
    "location": "location",
    "engine_version": "engine_version",
    "valid_until": "valid_until",
    "customer_id": "customer_id",
}
#: Lists of the quote, and what is told of an element.
_LISTS: dict[str, Callable[[Any], str]] = {
    "assumptions": str,
    "exclusions": str,
    "questions": lambda one: str(one.text),
    "answers": lambda one: f"{one.question} {one.text}",
    "review_reasons": str,
    "taxes": lambda one: _tax(one),
}


def version_message(row: VersionRow) -> revision_pb2.QuoteVersion:
    """A version without what it says."""
    message = revision_pb2.QuoteVersion(
        version=row.version,
        change=row.change,
        actor=row.actor,
        note=row.note,
        total=float(from_minor(row.total_minor)),
    )
    message.created_at.FromMicroseconds(row.at)
    return message


def changes_message(changes: Changes, after: Draft, since: int, version: int) -> revision_pb2.QuoteChanges:
    """What became of ``since`` in ``version``, whose draft is ``after``."""
    now = {line.line_id: line.description for line in after.lines}
    return revision_pb2.QuoteChanges(
        since=since,
        version=version,
        added=[line_message(line) for _, line in changes.added],
        removed=[line_message(line) for _, line in changes.removed],
        changed=[
            revision_pb2.LineChange(
                line_id=one.line_id, description=now[one.line_id], fields=_fields(one.fields, _OF_LINES)
            )
            for one in changes.changed
        ],
        reordered=changes.order,
        fields=_fields(changes.fields, _OF_QUOTE),
        lists=[one for one in map(_list, changes.fields) if one.removed or one.added],
    )


def _fields(changes: Iterable[FieldChange], names: dict[str, str]) -> list[revision_pb2.FieldChange]:
    return [
        revision_pb2.FieldChange(
            field=names[one.field], before=_text(one.field, one.before), after=_text(one.field, one.after)
        )
        for one in changes
        if one.field in names
    ]


def _list(change: FieldChange) -> revision_pb2.ListChange:
    """What came into a list and what was taken out; nothing of either where the field is no list."""
    text = _LISTS.get(change.field)
    if text is None:
        return revision_pb2.ListChange()
    old, new = Counter(map(text, change.before or ())), Counter(map(text, change.after))
    return revision_pb2.ListChange(field=change.field, removed=(old - new).elements(), added=(new - old).elements())


def _text(field: str, value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int() if field.endswith("_minor"):
            return f"{from_minor(value):f}"
        case Decimal():
            return f"{value:f}"
        case Span(start, end):
            return f"{start}-{end}"
        case Source():
            return f"{value.kind}: {value.name} ({value.row}, {value.as_of})"
        case tuple():
            return "; ".join(map(str, value))
        case _:
            return str(value)


def _tax(tax: TaxLine) -> str:
    kinds = ", ".join(tax.kinds)
    return f"{tax.tax_class}: {tax.rate:f} of {from_minor(tax.base_minor):f} is {from_minor(tax.tax_minor):f} ({kinds})"
