"""Customers. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from server.store.database import execute, of_one_moment
from server.store.models import Customer
from server.store.search import containing, searched


@dataclass(frozen=True, slots=True)
class Details:
    """What is known of a customer; empty where it is not."""

    name: str = ""
    company: str = ""
    email: str = ""
    phone: str = ""
    address: str = ""
    notes: str = ""

    def or_else(self, other: Details) -> Details:
        """These, and the other's where these are empty."""
        missing = {one.name: getattr(other, one.name) for one in fields(self) if not getattr(self, one.name)}
        return replace(self, **missing)


@dataclass(frozen=True, slots=True)
class StoredCustomer:
    """A customer as stored. ``lead_id`` and ``quote_id`` are 0 where it was made by hand."""

    customer_id: int
    livemode: bool
    details: Details
    lead_id: int
    quote_id: int
    created_by: str
    created_at: int
    updated_at: int
    merged_ids: tuple[int, ...] = ()


_COLUMNS = (
    "id, livemode, name, company, email, phone, address, notes, lead_id, quote_id, created_by, created_at, updated_at"
)


def create(
    organization_id: int, livemode: bool, details: Details, *, lead_id: int, quote_id: int, created_by: str, at: int
) -> StoredCustomer:
    """A new customer."""
    row = Customer.create(
        organization=organization_id,
        livemode=livemode,
        **{one.name: getattr(details, one.name) for one in fields(details)},
        lead_id=lead_id or None,
        quote_id=quote_id or None,
        created_by=created_by,
        created_at=at,
        updated_at=at,
        search=_search(details),
    )
    return StoredCustomer(row.id, livemode, details, lead_id, quote_id, created_by, at, at)


def update(customer_id: int, details: Details, at: int) -> None:
    """Replace what is known of a customer."""
    names = [one.name for one in fields(details)]
    execute(
        f"update customer set {', '.join(f'{name} = ?' for name in names)}, search = ?, updated_at = ? where id = ?",  # noqa: S608
        (*(getattr(details, name) for name in names), _search(details), at, customer_id),
    )


def find(organization_id: int, livemode: bool, customer_id: int) -> StoredCustomer | None:
    """The customer, or the one that it was merged into; None where this organization has none in this mode."""
    row = execute(
        f"select {_COLUMNS} from customer where organization_id = ? and livemode = ? and id = "  # noqa: S608
        "(select coalesce(merged_into, id) from customer where id = ?)",
        (organization_id, livemode, customer_id),
    ).fetchone()
    return None if row is None else _stored(row)


@of_one_moment
def list_page(
    organization_id: int, livemode: bool, *, limit: int, offset: int, words: str = ""
) -> tuple[int, tuple[StoredCustomer, ...]]:
    """How many customers there are with these words, and one page of them, newest first; without those that were
    merged."""
    condition, wanted = containing(words)
    where = f"organization_id = ? and livemode = ? and merged_into is null and {condition}"
    total = execute(
        f"select count(*) from customer where {where}",  # noqa: S608 - constants
        (organization_id, livemode, *wanted),
    ).fetchone()[0]
    rows = execute(
        f"select {_COLUMNS} from customer where {where} order by id desc limit ? offset ?",  # noqa: S608
        (organization_id, livemode, *wanted, limit, offset),
    ).fetchall()
    return total, tuple(_stored(row) for row in rows)


def merged(kept: StoredCustomer, duplicate: StoredCustomer, at: int) -> StoredCustomer:
    """What `merge` would make of ``kept``."""
    return replace(
        kept,
        details=kept.details.or_else(duplicate.details),
        lead_id=kept.lead_id or duplicate.lead_id,
        quote_id=kept.quote_id or duplicate.quote_id,
        updated_at=at,
        merged_ids=tuple(sorted((*kept.merged_ids, duplicate.customer_id, *duplicate.merged_ids))),
    )


def merge(kept: StoredCustomer, duplicate: StoredCustomer, at: int) -> StoredCustomer:
    """``kept`` with what it lacks taken from ``duplicate``, to whose id, and all merged into it before, it answers."""
    one = merged(kept, duplicate, at)
    details = one.details
    names = [one.name for one in fields(details)]
    execute(
        f"update customer set {', '.join(f'{name} = ?' for name in names)}, "  # noqa: S608 - names of fields
        "search = ?, lead_id = ?, quote_id = ?, updated_at = ? where id = ?",
        (
            *(getattr(details, name) for name in names),
            _search(details),
            one.lead_id or None,
            one.quote_id or None,
            at,
            kept.customer_id,
        ),
    )
    execute(
        "update customer set merged_into = ?, updated_at = ? where id = ? or merged_into = ?",
        (kept.customer_id, at, duplicate.customer_id, duplicate.customer_id),
    )
    return one


def _search(details: Details) -> str:
    """What a customer is found by."""
    return searched(details.name, details.company, details.email, details.phone, details.address)


def _stored(row: tuple[object, ...]) -> StoredCustomer:
    merged = execute("select id from customer where merged_into = ? order by id", (row[0],)).fetchall()
    return StoredCustomer(
        customer_id=row[0],  # type: ignore[arg-type]  # columns have no types
        livemode=bool(row[1]),
        details=Details(*map(str, row[2:8])),
        lead_id=row[8] or 0,  # type: ignore[arg-type]
        quote_id=row[9] or 0,  # type: ignore[arg-type]
        created_by=str(row[10]),
        created_at=row[11],  # type: ignore[arg-type]
        updated_at=row[12],  # type: ignore[arg-type]
        merged_ids=tuple(one[0] for one in merged),
    )
