"""Quotes with their lines. Fixed SQL: this is the hot path. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson

from server.domain.draft import Component, Coverage, Draft, DraftLine, LineKind, Source
from server.domain.takeoff import Question, Span
from server.store.database import execute


@dataclass(frozen=True, slots=True)
class NewQuote:
    """A draft to store, with what the caller said. ``valid_until`` is an ISO date, ``at`` in µs UTC."""

    text: str
    industry: str
    draft: Draft
    valid_until: str
    created_by: str
    at: int
    year: int


@dataclass(frozen=True, slots=True)
class StoredQuote:
    """A quote as stored."""

    quote_id: int
    number: str
    status: str
    livemode: bool
    text: str
    industry: str
    draft: Draft
    valid_until: str
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A quote as lists show it."""

    quote_id: int
    number: str
    status: str
    livemode: bool
    currency: str
    total_minor: int
    created_at: int


def next_number(organization_id: int, livemode: bool, year: int) -> str:
    """The next quote number: counted in the quote's own transaction, hence unique and without gaps.

    The count goes on over the years; the year says when the quote was made.
    """
    row = execute(
        "insert into quote_counter (organization_id, livemode, last) values (?, ?, 1) "
        "on conflict (organization_id, livemode) do update set last = quote_counter.last + 1 returning last",
        (organization_id, livemode),
    ).fetchone()
    return f"Q-{year}-{row[0]:06d}"


_INSERT_QUOTE = """
insert into quote (organization_id, livemode, number, status, currency, subtotal_minor, tax_minor, total_minor,
    low_minor, high_minor, text, industry, location, confidence, notes, valid_until, engine_version, created_by,
    created_at, updated_at)
values (?, ?, ?, 'draft', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id
"""

_ITEM_COLUMNS = (
    "description, qty, unit, price, amount_minor, low_minor, high_minor, kind, priced, optional, confidence, "
    "labour_hours, review_reasons, span_start, span_end, task_id, source"
)


def create(organization_id: int, livemode: bool, new: NewQuote) -> StoredQuote:
    """Store a draft and number it."""
    draft = new.draft
    number = next_number(organization_id, livemode, new.year)
    notes = {
        "assumptions": draft.assumptions,
        "exclusions": draft.exclusions,
        "questions": draft.questions,
        "review_reasons": draft.review_reasons,
    }
    row = execute(
        _INSERT_QUOTE,
        (
            organization_id,
            livemode,
            number,
            draft.currency,
            draft.subtotal_minor,
            draft.tax_minor,
            draft.total_minor,
            draft.low_minor,
            draft.high_minor,
            new.text,
            new.industry,
            draft.location,
            str(draft.confidence),
            _json(notes),
            new.valid_until,
            draft.engine_version,
            new.created_by,
            new.at,
            new.at,
        ),
    ).fetchone()
    for position, line in enumerate(draft.lines):
        execute(
            f"insert into quote_item (quote_id, position, {_ITEM_COLUMNS}) "  # noqa: S608 - a constant
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row[0],
                position,
                line.description,
                str(line.qty),
                line.unit,
                str(line.price),
                line.amount_minor,
                line.low_minor,
                line.high_minor,
                line.kind,
                line.priced,
                line.optional,
                str(line.confidence),
                str(line.labour_hours),
                _json(line.review_reasons),
                None if line.span is None else line.span.start,
                None if line.span is None else line.span.end,
                line.task_id,
                None if line.source is None else _json(line.source),
            ),
        )
    return StoredQuote(
        row[0], number, "draft", livemode, new.text, new.industry, draft, new.valid_until, new.at, new.at
    )


_FIND_QUOTE = """
select id, number, status, livemode, text, industry, valid_until, created_at, updated_at, currency, subtotal_minor,
    tax_minor, total_minor, low_minor, high_minor, confidence, location, notes, engine_version
from quote where organization_id = ? and livemode = ? and id = ?
"""


def find(organization_id: int, livemode: bool, quote_id: int) -> StoredQuote | None:
    """The quote, or None where this organization has none of that id in this mode."""
    row = execute(_FIND_QUOTE, (organization_id, livemode, quote_id)).fetchone()
    if row is None:
        return None
    items = execute(
        f"select {_ITEM_COLUMNS} from quote_item where quote_id = ? order by position",  # noqa: S608 - a constant
        (quote_id,),
    ).fetchall()
    notes: dict[str, Any] = orjson.loads(row[17])
    draft = Draft(
        currency=row[9],
        lines=tuple(_line(item) for item in items),
        subtotal_minor=row[10],
        tax_minor=row[11],
        total_minor=row[12],
        low_minor=row[13],
        high_minor=row[14],
        confidence=Decimal(row[15]),
        location=row[16],
        assumptions=tuple(notes["assumptions"]),
        exclusions=tuple(notes["exclusions"]),
        questions=tuple(_question(one) for one in notes["questions"]),
        review_reasons=tuple(notes["review_reasons"]),
        engine_version=row[18],
    )
    return StoredQuote(row[0], row[1], row[2], bool(row[3]), row[4], row[5], draft, *row[6:9])


def list_page(
    organization_id: int, livemode: bool, *, limit: int, offset: int, status: str = ""
) -> tuple[int, tuple[QuoteRow, ...]]:
    """How many quotes fit in all, and one page of them, newest first."""
    where = "organization_id = ? and livemode = ?" + (" and status = ?" if status else "")
    parameters: tuple[object, ...] = (organization_id, livemode, *([status] if status else []))
    total = execute(f"select count(*) from quote where {where}", parameters).fetchone()[0]  # noqa: S608 - constants
    rows = execute(
        "select id, number, status, livemode, currency, total_minor, created_at from quote "  # noqa: S608 - constants
        f"where {where} order by id desc limit ? offset ?",
        (*parameters, limit, offset),
    ).fetchall()
    return total, tuple(QuoteRow(row[0], row[1], row[2], bool(row[3]), *row[4:]) for row in rows)


def _json(value: object) -> str:
    return orjson.dumps(value, default=str).decode()


def _line(row: tuple[Any, ...]) -> DraftLine:
    return DraftLine(
        description=row[0],
        qty=Decimal(row[1]),
        unit=row[2],
        price=Decimal(row[3]),
        amount_minor=row[4],
        low_minor=row[5],
        high_minor=row[6],
        kind=LineKind(row[7]),
        priced=bool(row[8]),
        optional=bool(row[9]),
        confidence=Decimal(row[10]),
        labour_hours=Decimal(row[11]),
        review_reasons=tuple(orjson.loads(row[12])),
        span=None if row[13] is None else Span(row[13], row[14]),
        task_id=row[15],
        source=None if row[16] is None else _source(orjson.loads(row[16])),
    )


def _source(value: dict[str, Any]) -> Source:
    components = tuple(
        Component(
            **{
                **one,
                "quantity": Decimal(one["quantity"]),
                "rate": Decimal(one["rate"]),
                "amount": Decimal(one["amount"]),
            }
        )
        for one in value["components"]
    )
    return Source(
        **{
            **value,
            "coverage": Coverage(value["coverage"]),
            "region_factor": Decimal(value["region_factor"]),
            "components": components,
        }
    )


def _question(value: dict[str, Any]) -> Question:
    span = value["span"]
    return Question(**{**value, "span": None if span is None else Span(**span)})
