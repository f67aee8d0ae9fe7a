"""Requests for coverage. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass

from server.store.database import execute
from server.store.models import Lead

#: The same request within this time is the same lead (D7), in µs.
SAME_WITHIN = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class NewLead:
    """A request for coverage. ``city_key`` and ``trade_key`` are folded forms by which it is recognized."""

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


@dataclass(frozen=True, slots=True)
class StoredLead:
    """A lead as the answer shows it."""

    lead_id: int
    status: str
    city: str
    trade: str
    region: str
    country: str
    city_known: bool
    city_suggestion: str
    created_at: int
    livemode: bool


_COLUMNS = "id, status, city, trade, region, country, city_known, city_suggestion, created_at, livemode"


@dataclass(frozen=True, slots=True)
class LeadContact:
    """Whom a lead is from, and where."""

    company: str
    email: str
    phone: str
    notes: str
    city: str
    region: str


def find_contact(organization_id: int, livemode: bool, lead_id: int) -> LeadContact | None:
    """Whom a lead is from, or None where this organization has no such lead in this mode."""
    row = execute(
        "select company, email, phone, notes, city, region from lead where organization_id = ? and livemode = ? "
        "and id = ?",
        (organization_id, livemode, lead_id),
    ).fetchone()
    return None if row is None else LeadContact(*row)


def create_or_find(organization_id: int, livemode: bool, new: NewLead) -> tuple[StoredLead, bool]:
    """The lead, and whether it is new."""
    row = execute(
        f"select {_COLUMNS} from lead where organization_id = ? and livemode = ? and city_key = ? "  # noqa: S608
        "and trade_key = ? and created_at > ? order by id desc limit 1",
        (organization_id, livemode, new.city_key, new.trade_key, new.at - SAME_WITHIN),
    ).fetchone()
    if row is not None:
        found = StoredLead(
            lead_id=row[0],
            status=row[1],
            city=row[2],
            trade=row[3],
            region=row[4],
            country=row[5],
            city_known=bool(row[6]),
            city_suggestion=row[7],
            created_at=row[8],
            livemode=bool(row[9]),
        )
        return found, False
    lead = Lead.create(
        organization=organization_id,
        livemode=livemode,
        created_at=new.at,
        **{name: getattr(new, name) for name in NewLead.__dataclass_fields__ if name != "at"},
    )
    return StoredLead(
        lead.id,
        new.status,
        new.city,
        new.trade,
        new.region,
        new.country,
        new.city_known,
        new.city_suggestion,
        new.at,
        livemode,
    ), True
