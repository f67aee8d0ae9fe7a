"""Deliveries: claimed under a lease, tried, finished, replayed, listed; inside `Store.write` or `Store.read`.

A lease is a word in the row and a `due_at` in the future. Who holds it may try the delivery until then; a delivery
whose holder has died is due again by itself, with nothing to clean up. SQLite runs one write at a time, so two workers
never claim the same row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from server.domain import retries
from server.store import audit, endpoints
from server.store.audit import Act
from server.store.database import execute, of_one_moment
from server.store.signals import Topic, tell

SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery to try now, with what is needed to send and sign it. Secrets are sealed."""

    delivery_id: int
    event_row: int
    event_id: str
    event_type: str
    lease: str
    #: Tries before this one, since the last replay.
    tries: int
    due_at: int
    endpoint_id: int
    organization_id: int
    livemode: bool
    url: str
    secret: bytes
    previous_secret: bytes | None
    previous_secret_ends_at: int | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one try came to. ``error`` is empty where it succeeded; ``at`` and ``next_try_at`` in µs."""

    number: int
    at: int
    duration_ms: int
    http_status: int
    error: str
    answer: bytes
    next_try_at: int | None = None


@dataclass(frozen=True, slots=True)
class StoredDelivery:
    """A delivery as the log shows it."""

    delivery_id: int
    endpoint_id: int
    event_id: str
    event_type: str
    livemode: bool
    status: str
    attempts: int
    created_at: int
    next_try_at: int | None
    finished_at: int | None


# An endpoint that is failing gets one try at a time: it must not hold many of the worker's.
_WAITING = """
select id, organization_id, livemode, url, secret, previous_secret, previous_secret_ends_at, room from (
    select e.*,
        (select min(d.due_at) from webhook_delivery d
            where d.endpoint_id = e.id and d.status = 'pending' and d.due_at <= ?) as oldest,
        case when e.failing_since is null then ? else 1 end - (select count(*) from webhook_delivery b
            where b.endpoint_id = e.id and b.lease <> '' and b.due_at > ?) as room
    from webhook_endpoint e where e.status in ('enabled', 'unverified')
) waiting where oldest is not null and room > 0 order by oldest limit ?
"""
_DUE = """
select d.id, d.event_id, ev.public_id, ev.type, d.tries, d.due_at
from webhook_delivery d join event ev on ev.id = d.event_id
where d.endpoint_id = ? and d.status = 'pending' and d.due_at <= ? order by d.due_at, d.id limit ?
"""


def is_due(now: int, most_of_endpoint: int) -> bool:
    """Whether `claim` would take anything: who asks takes the writers' turn for it only then.

    What waits for an endpoint that is paused, or has as much under way as it may, is not due, whatever its time: a
    paused one's may wait for weeks.
    """
    # Most often nothing waits at all; that is one look into an index, however many endpoints there are.
    waits = execute("select 1 from webhook_delivery where status = 'pending' and due_at <= ? limit 1", (now,))
    if waits.fetchone() is None:
        return False
    return execute(_WAITING, (now, most_of_endpoint, now, 1)).fetchone() is not None


def claim(lease: str, *, now: int, until: int, most: int, most_of_endpoint: int) -> list[Claimed]:
    """Take deliveries that are due: one of every endpoint in turn, the longest waiting first.

    Of one endpoint no more than ``most_of_endpoint`` are under way at once, over all workers together.
    """
    queues = []
    for row in execute(_WAITING, (now, most_of_endpoint, now, most)).fetchall():
        due = execute(_DUE, (row[0], now, row[7])).fetchall()
        queues.append([_claimed(lease, one, row) for one in due])
    claimed = list(_in_turns(queues))[:most]
    for one in claimed:
        execute("update webhook_delivery set lease = ?, due_at = ? where id = ?", (lease, until, one.delivery_id))
    return claimed


def _in_turns(queues: list[list[Claimed]]) -> Iterable[Claimed]:
    for turn in range(max(map(len, queues), default=0)):
        yield from (queue[turn] for queue in queues if turn < len(queue))


def _claimed(lease: str, delivery: tuple[int, int, str, str, int, int], endpoint: tuple[object, ...]) -> Claimed:
    number, event_row, event_id, event_type, tries, due_at = delivery
    return Claimed(
        delivery_id=number,
        event_row=event_row,
        event_id=event_id,
        event_type=event_type,
        lease=lease,
        tries=tries,
        due_at=due_at,
        endpoint_id=endpoint[0],  # type: ignore[arg-type]  # columns have no types
        organization_id=endpoint[1],  # type: ignore[arg-type]
        livemode=bool(endpoint[2]),
        url=str(endpoint[3]),
        secret=endpoint[4],  # type: ignore[arg-type]
        previous_secret=endpoint[5],  # type: ignore[arg-type]
        previous_secret_ends_at=endpoint[6],  # type: ignore[arg-type]
    )


def payload(event_row: int) -> bytes:
    """The serialized message of an event."""
    return bytes(execute("select payload from event where id = ?", (event_row,)).fetchone()[0])


def finish(claimed: Claimed, attempt: Attempt, *, now: int, wait: float | None) -> str:
    """Write down what a try came to, and return why the endpoint was disabled by it, if it was.

    ``wait`` is in seconds to the next try of one that failed; None gives it up. A success counts whoever reports it;
    a failure only moves a delivery whose lease is still held.
    """
    disabled = _disabled_by(claimed, attempt, now) if attempt.error else ""
    again = wait is not None and attempt.error and not disabled
    next_try_at = now + int((wait or 0) * SECOND) if again else None
    number = execute(
        "update webhook_delivery set attempts = attempts + 1 where id = ? returning attempts", (claimed.delivery_id,)
    ).fetchone()
    if number is None:  # swept while it was tried
        return ""
    execute(
        "insert into webhook_attempt (delivery_id, number, at, duration_ms, http_status, error, answer, next_try_at) "
        "values (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            claimed.delivery_id,
            number[0],
            attempt.at,
            attempt.duration_ms,
            attempt.http_status,
            attempt.error,
            attempt.answer,
            next_try_at,
        ),
    )
    if attempt.error:
        _fail(claimed, now, next_try_at)
    else:
        _succeed(claimed, now)
    return disabled


def _succeed(claimed: Claimed, now: int) -> None:
    execute(
        "update webhook_delivery set status = 'delivered', tries = tries + 1, lease = '', finished_at = ? where id = ?",
        (now, claimed.delivery_id),
    )
    execute(
        "update webhook_endpoint set failing_since = null where id = ? and failing_since is not null",
        (claimed.endpoint_id,),
    )


def _fail(claimed: Claimed, now: int, next_try_at: int | None) -> None:
    held = (claimed.delivery_id, claimed.lease)
    if next_try_at is None:
        execute(
            "update webhook_delivery set status = 'dead', tries = tries + 1, lease = '', finished_at = ? "
            "where id = ? and lease = ?",
            (now, *held),
        )
    else:
        execute(
            "update webhook_delivery set tries = tries + 1, lease = '', due_at = ? where id = ? and lease = ?",
            (next_try_at, *held),
        )


def _disabled_by(claimed: Claimed, attempt: Attempt, now: int) -> str:
    row = execute(
        "update webhook_endpoint set failing_since = coalesce(failing_since, ?) where id = ? and status = 'enabled' "
        "returning failing_since",
        (attempt.at, claimed.endpoint_id),
    ).fetchone()
    if row is None:
        return ""
    if attempt.error == "gone":
        reason = "gone"
    elif now - row[0] >= retries.FAILING_LONGEST * SECOND:
        reason = "failing"
    else:
        return ""
    given_up = endpoints.disable(claimed.endpoint_id, reason, now)
    act = Act(claimed.organization_id, claimed.livemode, "worker", "", now)
    audit.record(act, "webhook:disable", f"webhook:{claimed.endpoint_id}", f"{reason}, {given_up} given up")
    return reason


_COLUMNS = """
select d.id, d.endpoint_id, ev.public_id, ev.type, ev.livemode, d.status, d.attempts, ev.created_at,
    case d.status when 'pending' then d.due_at end, d.finished_at
from webhook_delivery d join event ev on ev.id = d.event_id
"""


def find(organization_id: int, delivery_id: int) -> StoredDelivery | None:
    """The delivery, or None where this organization has none of that id."""
    row = execute(
        f"{_COLUMNS} where d.organization_id = ? and d.id = ?",
        (organization_id, delivery_id),
    ).fetchone()
    return None if row is None else _stored(row)


def find_payload(delivery_id: int) -> bytes:
    """The serialized message that a delivery carries."""
    row = execute(
        "select payload from event where id = (select event_id from webhook_delivery where id = ?)", (delivery_id,)
    ).fetchone()
    return bytes(row[0])


def attempts(delivery_id: int) -> tuple[Attempt, ...]:
    """The tries of a delivery, oldest first."""
    rows = execute(
        "select number, at, duration_ms, http_status, error, answer, next_try_at from webhook_attempt "
        "where delivery_id = ? order by number",
        (delivery_id,),
    ).fetchall()
    return tuple(
        Attempt(row[0], row[1], row[2], row[3], row[4], answer=bytes(row[5]), next_try_at=row[6]) for row in rows
    )


@of_one_moment
def list_page(
    organization_id: int,
    *,
    limit: int,
    offset: int,
    endpoint_id: int = 0,
    status: str = "",
    livemode: bool | None = None,
    event_type: str = "",
) -> tuple[int, tuple[StoredDelivery, ...]]:
    """How many deliveries fit in all, and one page of them, newest first."""
    where: str = "d.organization_id = ?"
    parameters: list[object] = [organization_id]
    for column, wanted, given in (
        ("d.endpoint_id", endpoint_id, endpoint_id != 0),
        ("d.status", status, status != ""),
        ("ev.livemode", livemode, livemode is not None),
        ("ev.type", event_type, event_type != ""),
    ):
        if given:
            where += f" and {column} = ?"
            parameters.append(wanted)
    joined = "join event ev on ev.id = d.event_id " if "ev." in where else ""
    count = f"select count(*) from webhook_delivery d {joined}where {where}"  # noqa: S608 - constants
    total = execute(count, parameters).fetchone()[0]
    rows = execute(f"{_COLUMNS} where {where} order by d.id desc limit ? offset ?", (*parameters, limit, offset))
    return total, tuple(_stored(row) for row in rows.fetchall())


_REPLAY = "update webhook_delivery set status = 'pending', tries = 0, lease = '', due_at = ?, finished_at = null where "


def replay(delivery_id: int, now: int) -> bool:
    """Begin a delivery's tries anew, and tell whether they are.

    One that is under way stays as it is, and so does one that is due. One that waits for its next try, perhaps for
    hours, waits no longer.
    """
    cursor = execute(
        f"{_REPLAY} id = ? and (status <> 'pending' or (lease = '' and due_at > ?))",
        (now, delivery_id, now),
    )
    tell(Topic.DELIVERY)
    return int(cursor.rowcount) > 0


def replay_failed(endpoint_id: int, since: int, now: int) -> int:
    """Begin anew what was given up of events since a time; how many."""
    cursor = execute(
        f"{_REPLAY} status = 'dead' and endpoint_id = ? "  # noqa: S608 - a constant
        "and exists (select 1 from event where event.id = event_id and created_at >= ?)",
        (now, endpoint_id, since),
    )
    tell(Topic.DELIVERY)
    return int(cursor.rowcount)


def _stored(row: tuple[object, ...]) -> StoredDelivery:
    values = list(row)
    values[4] = bool(values[4])
    return StoredDelivery(*values)  # type: ignore[arg-type]  # columns have no types
