"""Leads: requests for coverage, and what the office typed in. Each function runs inside `Store.write` or
`Store.read`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from server.domain.words import fold
from server.store.database import execute, of_one_moment
from server.store.models import Lead

#: The same request within this time is the same lead (D7), in µs.
SAME_WITHIN = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class NewLead:
    """A lead to keep. ``city_key`` and ``trade_key`` are folded forms by which a request is recognized; both empty
    for one that is never the same as another. ``at`` in µs UTC."""

    status: str
    city: str
    trade: str
    region: str
    country: str
    city_key: str
    trade_key: str
    city_known: bool
    city_suggestion: str
    company: str
    email: str
    phone: str
    notes: str
    at: int
    name: str = ""
    address: str = ""
    created_by: str = ""


@dataclass(frozen=True, slots=True)
class StoredLead:
    """A lead as stored. ``customer_id`` is the customer made from it, 0 for none; instants in µs UTC."""

    lead_id: int
    livemode: bool
    status: str
    stage: str
    name: str
    company: str
    email: str
    phone: str
    address: str
    city: str
    region: str
    country: str
    trade: str
    notes: str
    city_known: bool
    city_suggestion: str
    created_by: str
    created_at: int
    updated_at: int
    customer_id: int


_COLUMNS = (
    "id, livemode, status, stage, name, company, email, phone, address, city, region, country, trade, notes, "
    "city_known, city_suggestion, created_by, created_at, updated_at, "
    "coalesce((select min(c.id) from customer c where c.lead_id = lead.id), 0)"
)
_SCOPE = "organization_id = ? and livemode = ?"


def find(organization_id: int, livemode: bool, lead_id: int) -> StoredLead | None:
    """The lead, or None where this organization has none of that id in this mode."""
    row = execute(
        f"select {_COLUMNS} from lead where {_SCOPE} and id = ?",  # noqa: S608 - constants
        (organization_id, livemode, lead_id),
    ).fetchone()
    return None if row is None else _stored(row)


@of_one_moment
def list_page(
    organization_id: int, livemode: bool, *, query: str, stage: str, limit: int, offset: int
) -> tuple[int, tuple[StoredLead, ...]]:
    """How many leads there are of a stage (empty: any) with all words of a query, and one page, newest first."""
    where, parameters = _SCOPE, [organization_id, livemode]
    if stage:
        where, parameters = f"{where} and stage = ?", [*parameters, stage]  # type: ignore[list-item]
    for word in fold(query).split():
        escaped = word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
        where, parameters = f"{where} and search like ? escape '!'", [*parameters, f"%{escaped}%"]  # type: ignore[list-item]
    total = execute(f"select count(*) from lead where {where}", parameters).fetchone()[0]  # noqa: S608
    rows = execute(
        f"select {_COLUMNS} from lead where {where} order by id desc limit ? offset ?",  # noqa: S608
        (*parameters, limit, offset),
    ).fetchall()
    return total, tuple(_stored(row) for row in rows)


def change_stage(lead: StoredLead, stage: str, at: int) -> StoredLead:
    """The lead afterwards."""
    execute("update lead set stage = ?, updated_at = ? where id = ?", (stage, at, lead.lead_id))
    return replace(lead, stage=stage, updated_at=at)


def create_or_find(organization_id: int, livemode: bool, new: NewLead) -> tuple[StoredLead, bool]:
    """The lead, and whether it is new."""
    row = execute(
        f"select {_COLUMNS} from lead where {_SCOPE} and city_key = ? "  # noqa: S608
        "and trade_key = ? and created_at > ? order by id desc limit 1",
        (organization_id, livemode, new.city_key, new.trade_key, new.at - SAME_WITHIN),
    ).fetchone()
    return (create(organization_id, livemode, new), True) if row is None else (_stored(row), False)


def create(organization_id: int, livemode: bool, new: NewLead) -> StoredLead:
    """A new lead."""
    told = (new.name, new.company, new.email, new.phone, new.address, new.city, new.region, new.trade, new.notes)
    lead = Lead.create(
        organization=organization_id,
        livemode=livemode,
        created_at=new.at,
        updated_at=new.at,
        search=fold("\n".join(told)),
        **{one.name: getattr(new, one.name) for one in fields(new) if one.name != "at"},
    )
    stored = find(organization_id, livemode, lead.id)
    assert stored is not None
    return stored


def _stored(row: tuple[object, ...]) -> StoredLead:
    values = dict(zip((one.name for one in fields(StoredLead)), row, strict=True))
    for name in ("livemode", "city_known"):
        values[name] = bool(values[name])
    return StoredLead(**values)  # type: ignore[arg-type]  # columns have no types
