"""Events and their deliveries, committed with the change that they tell of; inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from server.store.database import execute
from server.store.signals import Topic, tell

#: How long events, deliveries and attempts are kept, in µs.
KEPT_FOR = 30 * 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event. ``payload`` is the serialized message; ``at`` in µs."""

    public_id: str
    organization_id: int
    livemode: bool
    type: str
    payload: bytes
    at: int


# Endpoints that are paused get their events when they are resumed; unverified and disabled ones get none.
_LISTENING = """
select id, event_types from webhook_endpoint
where organization_id = ? and livemode = ? and status in ('enabled', 'paused') order by id
"""


def listening(organization_id: int, livemode: bool) -> Any:
    """A cursor with the endpoints that get events, and of which types."""
    return execute(_LISTENING, (organization_id, livemode))


def append(event: NewEvent, endpoints: Any = None) -> None:
    """Store an event and one delivery for each endpoint that gets it. ``endpoints``: who is `listening`, where that was
    asked for earlier in the transaction, together with something else."""
    # Most often nobody listens, and `insert … select` costs as much as storing a quote even then.
    found = endpoints or listening(event.organization_id, event.livemode)
    wanted = [endpoint_id for endpoint_id, types in found.fetchall() if not types or event.type in types.split()]
    inserted = _insert(event)
    if wanted:
        (row_id,) = inserted.fetchone()
        for endpoint_id in wanted:
            _deliver(event, row_id, endpoint_id)


def append_for(event: NewEvent, endpoint_id: int) -> int:
    """Store an event that goes to one endpoint alone; the delivery's id."""
    (row_id,) = _insert(event).fetchone()
    return _deliver(event, row_id, endpoint_id)


def sweep(at: int, most: int = 2000) -> int:
    """Delete what is past its time, at most ``most`` rows of a kind; the number deleted.

    What waits for an endpoint that is not enabled waits no longer than that.
    """
    before = at - KEPT_FOR
    # Rows are in the order of their time, so that the oldest are found without an index of it.
    deliveries = execute(
        "delete from webhook_delivery where id in (select d.id from "
        "(select * from webhook_delivery order by id limit ?) d join webhook_endpoint e on e.id = d.endpoint_id "
        "where d.created_at < ? and (d.status <> 'pending' or e.status <> 'enabled'))",
        (most, before),
    ).rowcount
    events = execute(
        "delete from event where id in (select id from (select * from event order by id limit ?) oldest "
        "where created_at < ? and not exists (select 1 from webhook_delivery d where d.event_id = oldest.id))",
        (most, before),
    ).rowcount
    return int(deliveries) + int(events)


def _insert(event: NewEvent) -> Any:
    """A cursor with its id."""
    return execute(
        "insert into event (public_id, organization_id, livemode, type, payload, created_at) "
        "values (?, ?, ?, ?, ?, ?) returning id",
        (event.public_id, event.organization_id, event.livemode, event.type, event.payload, event.at),
    )


def _deliver(event: NewEvent, row_id: int, endpoint_id: int) -> int:
    row = execute(
        "insert into webhook_delivery "
        "(organization_id, endpoint_id, event_id, status, attempts, tries, due_at, lease, created_at) "
        "values (?, ?, ?, 'pending', 0, 0, ?, '', ?) returning id",
        (event.organization_id, endpoint_id, row_id, event.at, event.at),
    ).fetchone()
    tell(Topic.DELIVERY)
    return int(row[0])
