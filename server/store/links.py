"""Links to sent quotes. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass

from server.store.audit import Act
from server.store.database import execute


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link as it was given out; ``created_at`` in µs."""

    link_id: int
    email: str
    created_at: int


def create(act: Act, link_id: int, quote_id: int, email: str) -> None:
    """A link for one address, under a number of chance (63 bits)."""
    execute(
        "insert into quote_link (id, organization_id, livemode, quote_id, email, created_at) values (?, ?, ?, ?, ?, ?)",
        (link_id, act.organization_id, act.livemode, quote_id, email, act.at),
    )


def of_quote(quote_id: int) -> tuple[StoredLink, ...]:
    """The links to a quote, in the order of their addresses."""
    rows = execute("select id, email, created_at from quote_link where quote_id = ? order by email, id", (quote_id,))
    return tuple(StoredLink(*row) for row in rows.fetchall())


def leads_to(link_id: int, quote_id: int, sent_at: int | None) -> bool:
    """Whether a link is of this quote, as it was sent at that time."""
    row = execute(
        "select 1 from quote_link where id = ? and quote_id = ? and created_at = ?", (link_id, quote_id, sent_at)
    ).fetchone()
    return row is not None
