"""Quotes with their lines. Fixed SQL: this is the hot path. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson

from server.domain.document import DocumentPlace
from server.domain.draft import Component, Coverage, Draft, DraftLine, LineKind, Source, TaxLine
from server.domain.pricing.derivation import Fact
from server.domain.pricing.explanation import Derivation, Explanation, derive, explain
from server.domain.pricing.totals import charged
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
    #: The document it was drafted from, and the margin that was asked for with it.
    document_id: str = ""
    margin: Decimal | None = None


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
    #: 0: none.
    customer_id: int = 0
    sent_at: int | None = None
    #: Who accepted or declined, in the customer's own words.
    decided_by: str = ""
    decided_at: int | None = None
    decline_reason: str = ""
    document_id: str = ""
    margin: Decimal | None = None


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
    created_at, updated_at, document_id, margin)
values (?, ?, ?, 'draft', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id
"""

_ITEM_COLUMNS = (
    "description, qty, unit, price, amount_minor, low_minor, high_minor, kind, priced, optional, confidence, "
    "labour_hours, review_reasons, span_start, span_end, task_id, source, place"
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
        "taxes": draft.taxes,
    }
    derivations = [derive(line) for line in draft.lines]
    _keep({key: fact for _, facts in derivations for key, fact in facts.items()})
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
            new.document_id,
            "" if new.margin is None else str(new.margin),
        ),
    ).fetchone()
    for position, line in enumerate(draft.lines):
        execute(
            f"insert into quote_item (quote_id, position, {_ITEM_COLUMNS}, derivation) "  # noqa: S608 - a constant
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
                None if line.source is None else _json(_plain(line.source)),
                None if line.place is None else _json(line.place),
                None if line.source is None else _json(derivations[position][0]),
            ),
        )
    return StoredQuote(
        row[0], number, "draft", livemode, new.text, new.industry, draft, new.valid_until, new.at, new.at,
        document_id=new.document_id, margin=new.margin,
    )  # fmt: skip


_FIND_QUOTE = """
select id, number, status, livemode, text, industry, valid_until, created_at, updated_at, currency, subtotal_minor,
    tax_minor, total_minor, low_minor, high_minor, confidence, location, notes, engine_version,
    coalesce(customer_id, 0), sent_at, coalesce(decided_by, ''), decided_at, coalesce(decline_reason, ''),
    document_id, margin
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
        taxes=tuple(_tax(one) for one in notes.get("taxes", ())),
    )
    margin = Decimal(row[25]) if row[25] else None
    return StoredQuote(
        row[0], row[1], row[2], bool(row[3]), row[4], row[5], draft, row[6], row[7], row[8],
        customer_id=row[19], sent_at=row[20], decided_by=row[21], decided_at=row[22], decline_reason=row[23],
        document_id=row[24], margin=margin,
    )  # fmt: skip


def note_sent(quote_id: int, customer_id: int, at: int) -> None:
    """Note when a quote was sent, and to which customer (0: none that is known)."""
    execute("update quote set customer_id = ?, sent_at = ? where id = ?", (customer_id or None, at, quote_id))


def note_decision(quote_id: int, name: str, reason: str, at: int) -> None:
    """Note who accepted or declined a quote, why, and when."""
    execute(
        "update quote set decided_by = ?, decline_reason = ?, decided_at = ? where id = ?",
        (name, reason, at, quote_id),
    )


#: Rows of one statement, well below the number of parameters that SQLite takes.
_FACTS_AT_ONCE = 400


def explanation(organization_id: int, livemode: bool, quote_id: int, number: int) -> tuple[str, Explanation] | None:
    """The quote's currency, and its line ``number`` (from 1) calculated again from the facts kept with it; None where
    there is none."""
    quote = find(organization_id, livemode, quote_id)
    if quote is None or not 1 <= number <= len(quote.draft.lines):
        return None
    line = quote.draft.lines[number - 1]
    text = execute(
        "select derivation from quote_item where quote_id = ? and position = ?", (quote_id, number - 1)
    ).fetchone()[0]
    others = sum(one.amount_minor for one in charged(quote.draft.lines) if one is not line)
    if text is None:
        return quote.draft.currency, explain(line, None, {}, others)
    kept: Derivation = orjson.loads(text)
    return quote.draft.currency, explain(line, kept, _facts(_keys(kept)), others)


def _keep(facts: Mapping[str, Fact]) -> None:
    rows = [(key, fact.text()) for key, fact in sorted(facts.items())]
    for start in range(0, len(rows), _FACTS_AT_ONCE):
        some = rows[start : start + _FACTS_AT_ONCE]
        places = ", ".join(["(?, ?)"] * len(some))
        execute(
            f"insert into fact (key, text) values {places} on conflict (key) do nothing",  # noqa: S608 - constants
            [value for row in some for value in row],
        )


def _facts(keys: Iterable[str]) -> dict[str, Fact]:
    """The facts of those keys; one whose text is no fact any more is missing."""
    wanted, found = sorted(keys), {}
    for start in range(0, len(wanted), _FACTS_AT_ONCE):
        some = wanted[start : start + _FACTS_AT_ONCE]
        places = ", ".join("?" * len(some))
        for key, text in execute(f"select key, text from fact where key in ({places})", some):  # noqa: S608 - constants
            with contextlib.suppress(ValueError):
                found[key] = Fact.from_text(text)
    return found


def _keys(formula: object) -> set[str]:
    """The keys of the facts in formulas."""
    if not isinstance(formula, list):
        return set()
    if len(formula) == 2 and formula[0] == "fact":
        return {str(formula[1])}
    return set().union(*(_keys(one) for one in formula))


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
        place=None if row[17] is None else DocumentPlace(**orjson.loads(row[17])),
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


def _plain(source: Source) -> dict[str, Any]:
    """A source as it is stored: how its components came about is kept apart from it."""
    parts = [{name: getattr(part, name) for name in _PART_FIELDS} for part in source.components]
    return {name: getattr(source, name) for name in Source.__slots__} | {"components": parts}


_PART_FIELDS = tuple(name for name in Component.__slots__ if name not in {"quantity_from", "rate_from"})


def _tax(value: dict[str, Any]) -> TaxLine:
    return TaxLine(**{**value, "kinds": tuple(value["kinds"]), "rate": Decimal(value["rate"])})


def _question(value: dict[str, Any]) -> Question:
    span = value["span"]
    return Question(**{**value, "span": None if span is None else Span(**span)})
