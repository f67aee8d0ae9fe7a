"""Quotes with their lines. Fixed SQL: this is the hot path. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import orjson

from server.domain.by_hand import ByHand, GivenAnswer, RemovedLine
from server.domain.document import DocumentPlace
from server.domain.draft import Component, Coverage, Draft, DraftLine, LineKind, Source, TaxLine
from server.domain.drafting.proposals import Proposal, Proposals
from server.domain.offer import FROM_TEMPLATE, Offer
from server.domain.pricing.derivation import Fact
from server.domain.pricing.explanation import Derivation, Explanation, derive, explain
from server.domain.pricing.totals import OWN_RULE, charged
from server.domain.takeoff import Question, Span
from server.store import audit, offers
from server.store.audit import Act
from server.store.database import execute, execute_many, of_one_moment
from server.store.search import containing, searched

Row = dict[str, Any]

#: Characters of a request, and of the descriptions of its lines, that a quote is found by.
_SEARCHED, _SEARCHED_LINES = 2000, 1000
#: Characters of a request that lists show.
_OPENING = 200


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is written of a draft, made before the write, so that other writes need not wait for it: the draft with its
    lines numbered, the last of their numbers, the rows of the lines, their facts, and what the quote is found by."""

    draft: Draft
    last_line_id: int
    rows: list[Row]
    facts: dict[str, Fact]
    search: str


@dataclass(frozen=True, slots=True)
class NewQuote:
    """A draft to store, with what the caller said. ``valid_until`` is an ISO date, ``at`` in µs UTC; ``prepared`` is by
    `prepare` from the same draft, text and industry."""

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
    offer: Offer = Offer()
    #: The place that was given beside the text.
    given_location: str = ""
    #: 0: none.
    customer_id: int = 0
    prepared: Prepared | None = None


@dataclass(frozen=True, slots=True)
class StoredQuote:
    """A quote as one of its versions says it. Number and status are the quote's own, whatever the version."""

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
    version: int = 1
    answers: tuple[GivenAnswer, ...] = ()
    by_hand: ByHand = ByHand()
    #: 0: none.
    customer_id: int = 0
    sent_at: int | None = None
    #: Who accepted or declined, in the customer's own words.
    decided_by: str = ""
    decided_at: int | None = None
    decline_reason: str = ""
    document_id: str = ""
    margin: Decimal | None = None
    offer: Offer = Offer()
    #: The place that was given beside the text.
    given_location: str = ""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """Who made a version, when (µs, UTC), how (drafted, edited, answered) and why."""

    version: int
    change: str
    actor: str
    note: str
    at: int
    total_minor: int
    is_current: bool


#: The customer of a quote that has none.
NOBODY = (0, "")


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A quote as lists show it. ``opening`` is how its text begins; ``customer`` has id and name of whom it is for by
    now: of the one that stays where two were merged."""

    quote_id: int
    number: str
    status: str
    livemode: bool
    currency: str
    total_minor: int
    created_at: int
    updated_at: int
    sent_at: int | None
    valid_until: str
    needs_review: bool
    location: str
    opening: str
    customer: tuple[int, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a list is narrowed to; empty, 0 and None: not by this. ``words`` are looked for in number, request, place,
    trade and customer; made in [``since``, ``before``), µs UTC."""

    status: str = ""
    words: str = ""
    customer_id: int = 0
    needs_review: bool | None = None
    since: int | None = None
    before: int | None = None


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


#: Columns of a quote that never change after it was made, those that its life moves, and those that a version says:
#: the last are kept with every version. A column that is added later is missing in versions that were kept before.
_FIXED = (
    *("id", "number", "livemode", "text", "industry", "created_at", "document_id", "margin", "offer"),
    "given_location",
)
_MOVING = (
    *("status", "updated_at", "version"),
    *("sent_at", "decided_by", "decided_at", "decline_reason"),
)
#: Kept with every version. Versions of before 2026-11 lack `customer_id`: they have the quote's.
_CONTENT = (
    "customer_id",
    *("currency", "subtotal_minor", "tax_minor", "total_minor", "low_minor", "high_minor"),
    *("location", "confidence", "notes", "valid_until", "engine_version", "needs_review"),
)
#: Columns of a line; all of them are kept with every version.
_ITEM = (
    *("position", "line_id", "description", "qty", "unit", "price", "amount_minor", "low_minor", "high_minor", "kind"),
    *("priced", "optional", "confidence", "labour_hours", "review_reasons", "span_start", "span_end", "task_id"),
    *("source", "entered", "derivation", "place", "rule"),
)


def prepare(draft: Draft, text: str, industry: str) -> Prepared:
    """What `create` would otherwise do of its own; needs no store."""
    draft, last_line_id = _numbered(draft, 0)
    rows, facts = _line_rows(draft.lines, {})
    return Prepared(draft, last_line_id, rows, facts, _search(industry, text, draft))


def create(organization_id: int, livemode: bool, new: NewQuote) -> StoredQuote:
    """Store a draft as version 1 and number it."""
    number = next_number(organization_id, livemode, new.year)
    ready = new.prepared or prepare(new.draft, new.text, new.industry)
    draft = ready.draft
    quote_id = _insert_quote(
        {
            "organization_id": organization_id,
            "livemode": livemode,
            "number": number,
            "status": "draft",
            "text": new.text,
            "industry": new.industry,
            "created_by": new.created_by,
            "created_at": new.at,
            "updated_at": new.at,
            "last_line_id": ready.last_line_id,
            "document_id": new.document_id,
            "margin": "" if new.margin is None else str(new.margin),
            "offer": offers.to_json(new.offer),
            "given_location": new.given_location,
            "search": _found_by(number, ready.search),
            **_content(draft, new.valid_until, (), ByHand(), new.customer_id),
        },
    )
    _insert_lines(quote_id, ready.rows, ready.facts)
    _insert_version(quote_id, 1, "drafted", new.created_by, "", new.at, draft.total_minor)
    return StoredQuote(
        quote_id, number, "draft", livemode, new.text, new.industry, draft, new.valid_until, new.at, new.at,
        document_id=new.document_id, margin=new.margin, offer=new.offer, given_location=new.given_location,
        customer_id=new.customer_id,
    )  # fmt: skip


def replace_draft(act: Act, changed: StoredQuote, change: str, note: str = "") -> StoredQuote:
    """Make ``changed`` the next version of its quote; as it is stored then.

    ``changed`` is the current version, read in the same transaction, with another content. Lines whose `line_id` is 0
    get one; the others keep theirs, and where its source is the same their derivation. What was said before stays
    readable under its number. ``change`` says what made the version: edited or answered.
    """
    quote_id = changed.quote_id
    row, items = _rows(act.organization_id, act.livemode, quote_id)
    assert row is not None and row["version"] == changed.version, "it was read in the same transaction"
    draft, last_line_id = _numbered(changed.draft, row["last_line_id"])
    version = changed.version + 1
    execute(
        "update quote_version set content = ? where quote_id = ? and version = ?",
        (_kept(row, items), quote_id, changed.version),
    )
    values = {
        **_content(draft, changed.valid_until, changed.answers, changed.by_hand, changed.customer_id),
        "version": version,
        "last_line_id": last_line_id,
        "updated_at": act.at,
        "search": _found_by(row["number"], _search(row["industry"], row["text"], draft)),
    }
    assignments = ", ".join(f"{name} = ?" for name in values)
    execute(f"update quote set {assignments} where id = ?", (*values.values(), quote_id))  # noqa: S608 - constants
    execute("delete from quote_item where quote_id = ?", (quote_id,))
    _insert_lines(quote_id, *_line_rows(draft.lines, {item["line_id"]: item for item in items}))
    _insert_version(quote_id, version, change, act.actor, note, act.at, draft.total_minor)
    audit.record(act, "quote:update", f"quote:{quote_id}", f"version {version}, {change}" + (note and f": {note}"))
    return replace(changed, draft=draft, version=version, updated_at=act.at)


@of_one_moment
def find(organization_id: int, livemode: bool, quote_id: int) -> StoredQuote | None:
    """The quote, or None where this organization has none of that id in this mode."""
    row, items = _rows(organization_id, livemode, quote_id)
    return None if row is None else _stored(row, items)


@of_one_moment
def find_version(
    organization_id: int, livemode: bool, quote_id: int, version: int
) -> tuple[VersionRow, StoredQuote] | None:
    """The quote as that version says it; None where there is no such quote, or version."""
    row, items = _rows(organization_id, livemode, quote_id, version)
    if row is None:
        return None
    found = execute(
        f"select {_VERSION} from quote_version where quote_id = ? and version = ?",  # noqa: S608 - a constant
        (quote_id, version),
    ).fetchone()
    kept, stored = _version(found), _stored(row, items)
    return kept, stored if kept.is_current else replace(stored, updated_at=kept.at)


@of_one_moment
def list_versions(
    organization_id: int, livemode: bool, quote_id: int, *, limit: int, offset: int
) -> tuple[int, tuple[VersionRow, ...]] | None:
    """How many versions the quote has, and one page of them, newest first; None where there is no such quote."""
    row = execute(
        "select version from quote where organization_id = ? and livemode = ? and id = ?",
        (organization_id, livemode, quote_id),
    ).fetchone()
    if row is None:
        return None
    rows = execute(
        f"select {_VERSION} from quote_version where quote_id = ? order by version desc limit ? offset ?",  # noqa: S608 - a constant
        (quote_id, limit, offset),
    )
    return row[0], tuple(_version(one) for one in rows.fetchall())


def _version(row: Sequence[Any]) -> VersionRow:
    number, change, actor, note, at, total_minor, is_current = row
    return VersionRow(number, change, actor, note, at, total_minor, bool(is_current))


_VERSION = "version, change, actor, note, at, total_minor, content is null"
_QUOTE = (*_FIXED, *_MOVING, "last_line_id", *_CONTENT)


def _rows(
    organization_id: int, livemode: bool, quote_id: int, version: int | None = None
) -> tuple[Row | None, list[Row]]:
    """The rows of a quote and its lines, as the current or another version says them; None and none where there is no
    such quote or version."""
    found = execute(
        f"select {', '.join(_QUOTE)} from quote where organization_id = ? and livemode = ? and id = ?",  # noqa: S608 - constants
        (organization_id, livemode, quote_id),
    ).fetchone()
    if found is None:
        return None, []
    row: Row = dict(zip(_QUOTE, found, strict=True))
    if version is not None and version != row["version"]:
        kept = execute(
            "select content from quote_version where quote_id = ? and version = ?", (quote_id, version)
        ).fetchone()
        if kept is None:
            return None, []
        content = orjson.loads(zlib.decompress(kept[0]))
        return row | content["quote"] | {"version": version}, content["items"]
    items = execute(
        f"select {', '.join(_ITEM)} from quote_item where quote_id = ? order by position",  # noqa: S608 - constants
        (quote_id,),
    ).fetchall()
    return row, [dict(zip(_ITEM, item, strict=True)) for item in items]


def _kept(row: Row, items: Sequence[Row]) -> bytes:
    """What a version says, as `QuoteVersion.content` keeps it."""
    return zlib.compress(orjson.dumps({"quote": {name: row[name] for name in _CONTENT}, "items": items}))


def _stored(row: Row, items: Sequence[Row]) -> StoredQuote:
    notes: Row = orjson.loads(row["notes"])
    draft = Draft(
        currency=row["currency"],
        lines=tuple(_line(item) for item in items),
        subtotal_minor=row["subtotal_minor"],
        tax_minor=row["tax_minor"],
        total_minor=row["total_minor"],
        low_minor=row["low_minor"],
        high_minor=row["high_minor"],
        confidence=Decimal(row["confidence"]),
        location=row["location"],
        assumptions=tuple(notes["assumptions"]),
        exclusions=tuple(notes["exclusions"]),
        questions=tuple(_question(one) for one in notes["questions"]),
        review_reasons=tuple(notes["review_reasons"]),
        engine_version=row["engine_version"],
        taxes=tuple(_tax(one) for one in notes.get("taxes", ())),
        proposals=_proposals(notes.get("proposals")),
    )
    return StoredQuote(
        quote_id=row["id"],
        number=row["number"],
        status=row["status"],
        livemode=bool(row["livemode"]),
        text=row["text"],
        industry=row["industry"],
        draft=draft,
        valid_until=row["valid_until"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        version=row["version"],
        answers=tuple(GivenAnswer(**one) for one in notes.get("answers", ())),
        by_hand=_by_hand(notes.get("by_hand", {})),
        customer_id=row["customer_id"] or 0,
        sent_at=row["sent_at"],
        decided_by=row["decided_by"] or "",
        decided_at=row["decided_at"],
        decline_reason=row["decline_reason"] or "",
        document_id=row["document_id"],
        margin=Decimal(row["margin"]) if row["margin"] else None,
        offer=offers.offer_from_json(row["offer"]),
        given_location=row["given_location"],
    )


def note_sent(quote_id: int, customer_id: int, at: int) -> None:
    """Note when a quote was sent, and to which customer (0: none that is known)."""
    execute("update quote set customer_id = ?, sent_at = ? where id = ?", (customer_id or None, at, quote_id))


def note_decision(quote_id: int, name: str, reason: str, at: int) -> None:
    """Note who accepted or declined a quote, why, and when."""
    execute(
        "update quote set decided_by = ?, decline_reason = ?, decided_at = ? where id = ?",
        (name, reason, at, quote_id),
    )


def _content(
    draft: Draft, valid_until: str, answers: tuple[GivenAnswer, ...], by_hand: ByHand, customer_id: int = 0
) -> Row:
    """The columns of `_CONTENT`."""
    notes = {
        "assumptions": draft.assumptions,
        "exclusions": draft.exclusions,
        "questions": draft.questions,
        "review_reasons": draft.review_reasons,
        "taxes": draft.taxes,
        "proposals": draft.proposals,
        "answers": answers,
        "by_hand": by_hand,
    }
    return {
        "customer_id": customer_id or None,
        "currency": draft.currency,
        "subtotal_minor": draft.subtotal_minor,
        "tax_minor": draft.tax_minor,
        "total_minor": draft.total_minor,
        "low_minor": draft.low_minor,
        "high_minor": draft.high_minor,
        "location": draft.location,
        "confidence": str(draft.confidence),
        "notes": _json(notes),
        "valid_until": valid_until,
        "engine_version": draft.engine_version,
        "needs_review": draft.needs_review,
    }


def _search(industry: str, text: str, draft: Draft) -> str:
    """What a quote is found by beside its number."""
    lines = " ".join(line.description for line in draft.lines)
    return searched(draft.location, industry, text[:_SEARCHED], lines[:_SEARCHED_LINES])


def _found_by(number: str, search: str) -> str:
    return f"{searched(number)} {search}"


def _insert_quote(values: Row) -> int:
    """Insert a quote's row; its id."""
    places = ", ".join("?" * len(values))
    row = execute(
        f"insert into quote ({', '.join(values)}) values ({places}) returning id",  # noqa: S608 - constants
        (*values.values(),),
    ).fetchone()
    return int(row[0])


def _insert_version(quote_id: int, version: int, change: str, actor: str, note: str, at: int, total_minor: int) -> None:
    execute(
        "insert into quote_version (quote_id, version, change, actor, note, at, total_minor) "
        "values (?, ?, ?, ?, ?, ?, ?)",
        (quote_id, version, change, actor, note, at, total_minor),
    )


def _numbered(draft: Draft, last: int) -> tuple[Draft, int]:
    """The draft with a number for each line that has none, counted on from the last one given; and the last one now."""
    lines = []
    for line in draft.lines:
        if not line.line_id:
            last += 1
            line = replace(line, line_id=last)
        lines.append(line)
    return replace(draft, lines=tuple(lines)), last


def _line_rows(lines: Sequence[DraftLine], before: Mapping[int, Row]) -> tuple[list[Row], dict[str, Fact]]:
    """The rows of the lines with their derivations, and the facts of these. ``before`` has the rows of lines that were
    stored already, by their id: a line that is read back does not know how its source came about, its row does."""
    facts: dict[str, Fact] = {}
    rows = []
    for position, line in enumerate(lines):
        row = _line_row(position, line)
        known = before.get(line.line_id)
        if known is not None and known["source"] == row["source"]:
            row["derivation"] = known["derivation"]
        elif line.source is not None:
            derivation, found = derive(line)
            row["derivation"] = _json(derivation)
            facts |= found
        rows.append(row)
    return rows, facts


def _insert_lines(quote_id: int, rows: Sequence[Row], facts: Mapping[str, Fact]) -> None:
    _keep(facts)
    execute_many(
        f"insert into quote_item (quote_id, {', '.join(_ITEM)}) "  # noqa: S608 - constants
        f"values (?, {', '.join('?' * len(_ITEM))})",
        [(quote_id, *(row[name] for name in _ITEM)) for row in rows],
    )


#: Rows of one statement, well below the number of parameters that SQLite takes.
_FACTS_AT_ONCE = 400


@of_one_moment
def explanation(
    organization_id: int, livemode: bool, quote_id: int, number: int, version: int | None = None
) -> tuple[str, Explanation] | None:
    """The quote's currency, and line ``number`` (from 1) of its current or another version, calculated again from the
    facts kept with it; None where there is none."""
    row, items = _rows(organization_id, livemode, quote_id, version)
    if row is None or not 1 <= number <= len(items):
        return None
    lines = [_line(item) for item in items]
    line, text = lines[number - 1], items[number - 1]["derivation"]
    others = sum(one.amount_minor for one in charged(lines) if one is not line)
    if text is None:
        return row["currency"], explain(line, None, {}, others)
    kept: Derivation = orjson.loads(text)
    return row["currency"], explain(line, kept, _facts(_keys(kept)), others)


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


@of_one_moment
def list_page(
    organization_id: int, livemode: bool, *, limit: int, offset: int, wanted: Wanted = Wanted()
) -> tuple[int, tuple[QuoteRow, ...]]:
    """How many quotes fit in all, and one page of them, newest first."""
    if wanted == Wanted():
        # What most lists are: counted by an index, and read from its end.
        scope = (organization_id, livemode)
        total = execute("select count(*) from quote where organization_id = ? and livemode = ?", scope).fetchone()[0]
        page = execute(
            "select id from quote where organization_id = ? and livemode = ? order by id desc limit ? offset ?",
            (*scope, limit, offset),
        ).fetchall()
        return total, _listed([row[0] for row in page])
    where, parameters = _conditions(organization_id, livemode, wanted)
    # One look at all that fit, by an index or, for words, at the rows: counted and paged here, not looked for twice.
    found = sorted((row[0] for row in execute(f"select id from quote where {where}", parameters)), reverse=True)  # noqa: S608 - constants
    return len(found), _listed(found[offset : offset + limit])


def count_by_status(organization_id: int, livemode: bool) -> dict[str, tuple[int, int]]:
    """How many quotes there are of each status that any has, and how many of these need review."""
    rows = execute(
        "select status, count(*), sum(case when needs_review then 1 else 0 end) from quote "
        "where organization_id = ? and livemode = ? group by status",
        (organization_id, livemode),
    )
    return {status: (count, flagged) for status, count, flagged in rows}


def _conditions(organization_id: int, livemode: bool, wanted: Wanted) -> tuple[str, list[object]]:
    """The condition of a list, and its parameters."""
    scope = (organization_id, livemode)
    conditions: list[str] = ["organization_id = ?", "livemode = ?"]
    parameters: list[object] = [*scope]
    for value, condition in (
        (wanted.status or None, "status = ?"),
        (wanted.needs_review, "needs_review = ?"),
        (wanted.since, "created_at >= ?"),
        (wanted.before, "created_at < ?"),
    ):
        if value is not None:
            conditions.append(condition)
            parameters.append(value)
    if wanted.customer_id:
        conditions.append(_of_customers("id = ?"))
        parameters += [*scope, *scope, wanted.customer_id]
    if wanted.words:
        holds, words = containing(wanted.words)
        conditions.append(f"({holds} or {_of_customers(f'merged_into is null and {holds}')})")
        parameters += [*words, *scope, *scope, *words]
    return " and ".join(conditions), parameters


def _of_customers(condition: str) -> str:
    """Whether a quote is of a customer for which the condition holds. Quotes keep the customer that they were for: what
    was merged is found under the one that stays.

    Each of the two looks is one at the organization's own customers. SQLite makes of a join of them a look at the
    customers of all organizations for each of the first: 3,000 customers of one word were 9 million rows.
    """
    own = "customer where organization_id = ? and livemode = ?"
    return (
        f"customer_id in (select id from {own} and coalesce(merged_into, id) in "  # noqa: S608 - constants
        f"(select coalesce(merged_into, id) from {own} and {condition}))"
    )


def _listed(quote_ids: Sequence[int]) -> tuple[QuoteRow, ...]:
    """The quotes of these ids, in this order."""
    if not quote_ids:
        return ()
    rows = execute(
        "select id, number, status, livemode, currency, total_minor, created_at, updated_at, sent_at, valid_until, "  # noqa: S608 - constants
        f"needs_review, location, substr(text, 1, {_OPENING}), customer_id from quote "
        f"where id in ({', '.join('?' * len(quote_ids))})",
        quote_ids,
    ).fetchall()
    customers = _customers({row[13] for row in rows} - {None})
    known = {}
    for *values, customer_id in rows:
        values[3], values[10] = bool(values[3]), bool(values[10])
        values.append(customers.get(customer_id, NOBODY))
        known[values[0]] = QuoteRow(*values)
    return tuple(known[quote_id] for quote_id in quote_ids)


def _customers(customer_ids: set[int]) -> dict[int, tuple[int, str]]:
    """Id and name of the customers that these are by now."""
    if not customer_ids:
        return {}
    rows = execute(
        "select gone.id, kept.id, kept.name from customer gone "  # noqa: S608 - constants
        "join customer kept on kept.id = coalesce(gone.merged_into, gone.id) "
        f"where gone.id in ({', '.join('?' * len(customer_ids))})",
        sorted(customer_ids),
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def _json(value: object) -> str:
    return orjson.dumps(value, default=str).decode()


def _line_row(position: int, line: DraftLine) -> Row:
    """The columns of `_ITEM`, the derivation left open."""
    return {
        "position": position,
        "line_id": line.line_id,
        "description": line.description,
        "qty": str(line.qty),
        "unit": line.unit,
        "price": str(line.price),
        "amount_minor": line.amount_minor,
        "low_minor": line.low_minor,
        "high_minor": line.high_minor,
        "kind": line.kind.value,
        "priced": line.priced,
        "optional": line.optional,
        "confidence": str(line.confidence),
        "labour_hours": str(line.labour_hours),
        "review_reasons": _json(line.review_reasons),
        "span_start": None if line.span is None else line.span.start,
        "span_end": None if line.span is None else line.span.end,
        "task_id": line.task_id,
        "source": None if line.source is None else _json(_plain(line.source)),
        "entered": _json(line.entered),
        "place": None if line.place is None else _json(line.place),
        "rule": line.rule,
        "derivation": None,
    }


def _line(row: Row) -> DraftLine:
    source = None if row["source"] is None else _source(orjson.loads(row["source"]))
    return DraftLine(
        description=row["description"],
        qty=Decimal(row["qty"]),
        unit=row["unit"],
        price=Decimal(row["price"]),
        amount_minor=row["amount_minor"],
        low_minor=row["low_minor"],
        high_minor=row["high_minor"],
        kind=LineKind(row["kind"]),
        priced=bool(row["priced"]),
        optional=bool(row["optional"]),
        confidence=Decimal(row["confidence"]),
        labour_hours=Decimal(row["labour_hours"]),
        review_reasons=tuple(orjson.loads(row["review_reasons"])),
        span=_span(row["span_start"], row["span_end"]),
        task_id=row["task_id"],
        source=source,
        rule=row.get("rule") or _rule_before(source),
        line_id=row["line_id"],
        entered=tuple(orjson.loads(row["entered"])),
        place=None if row["place"] is None else DocumentPlace(**orjson.loads(row["place"])),
    )


def _rule_before(source: Source | None) -> str:
    """The rule of a line that was stored before lines kept its name: as long as nobody priced it, its source has it."""
    return source.name if source is not None and source.kind in {OWN_RULE, FROM_TEMPLATE} else ""


def _span(start: int | None, end: int | None) -> Span | None:
    return None if start is None or end is None else Span(start, end)


def _by_hand(value: Row) -> ByHand:
    removed = tuple(
        RemovedLine(**{**one, "span": None if one["span"] is None else Span(**one["span"])})
        for one in value.get("removed", ())
    )
    return ByHand(**{name: tuple(texts) for name, texts in value.items()} | {"removed": removed})


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


def _proposals(value: dict[str, Any] | None) -> Proposals | None:
    if value is None:
        return None
    return Proposals(**{**value, "items": tuple(Proposal(**one) for one in value["items"])})


def _question(value: dict[str, Any]) -> Question:
    span = value["span"]
    return Question(**{**value, "span": None if span is None else Span(**span)})
