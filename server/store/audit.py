"""The audit log: append-only, hash-chained per organization, so that a changed or missing row shows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import orjson

from server.store.database import execute, of_one_moment
from server.store.models import User


@dataclass(frozen=True, slots=True)
class Act:
    """Who did something in which call. ``actor`` is ``key:<public id>``, ``user:<id>``, ``customer:link-<id>``,
    ``clock``, ``worker`` or ``operator``; ``at`` in µs, UTC. ``if_match``: the entity tags of which the resource must
    have one; None: any."""

    organization_id: int
    livemode: bool
    actor: str
    request_id: str
    at: int
    if_match: frozenset[str] | None = None


GENESIS = bytes(32)


def _hash(previous: bytes, act: Act, action: str, subject: str, detail: str) -> bytes:
    row = [act.organization_id, act.livemode, act.at, act.actor, action, subject, act.request_id, detail]
    return hashlib.sha256(previous + orjson.dumps(row)).digest()


def last_row(organization_id: int) -> Any:
    """A cursor with the hash of the row that the next one follows."""
    return execute("select hash from audit_row where organization_id = ? order by id desc limit 1", (organization_id,))


def record(act: Act, action: str, subject: str, detail: str = "", *, after: Any = None) -> None:
    """Append a row; in the same transaction as what it tells of. ``after`` is the `last_row` where it was asked for
    earlier in it, together with something else, and no row has been appended since."""
    last = (after or last_row(act.organization_id)).fetchone()
    execute(
        "insert into audit_row (organization_id, livemode, at, actor, action, subject, request_id, detail, hash) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            act.organization_id,
            act.livemode,
            act.at,
            act.actor,
            action,
            subject,
            act.request_id,
            detail,
            _hash(bytes(last[0]) if last else GENESIS, act, action, subject, detail),
        ),
    )


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row as it is shown. ``actor_email`` is empty where the actor is no user, or none any more."""

    row_id: int
    at: int
    actor: str
    actor_email: str
    action: str
    subject: str
    detail: str
    request_id: str
    livemode: bool


@of_one_moment
def list_page(organization_id: int, *, action: str, limit: int, offset: int) -> tuple[int, tuple[StoredRow, ...]]:
    """How many rows there are of the action (empty: any), and a page of them, newest first."""
    where = "where organization_id = ?" + (" and action = ?" if action else "")
    parameters = (organization_id, action) if action else (organization_id,)
    total = execute(f"select count(*) from audit_row {where}", parameters).fetchone()[0]  # noqa: S608 - constants
    rows = execute(
        f"select id, at, actor, action, subject, detail, request_id, livemode from audit_row {where} "  # noqa: S608
        "order by id desc limit ? offset ?",
        (*parameters, limit, offset),
    ).fetchall()
    users = [int(row[2].removeprefix("user:")) for row in rows if row[2].startswith("user:")]
    emails = {f"user:{user.id}": user.email for user in User.select().where(User.id.in_(users))}
    return int(total), tuple(_shown(row, emails.get(row[2], "")) for row in rows)


def _shown(row: tuple[Any, ...], email: str) -> StoredRow:
    row_id, at, actor, action, subject, detail, request_id, livemode = row
    return StoredRow(row_id, at, actor, email, action, subject, detail, request_id, bool(livemode))


def verify(organization_id: int) -> int | None:
    """The id of the first row whose hash does not follow from the rows before it, or None where the chain holds."""
    previous = GENESIS
    for row in execute(
        "select id, livemode, at, actor, action, subject, request_id, detail, hash from audit_row "
        "where organization_id = ? order by id",
        (organization_id,),
    ):
        act = Act(organization_id, bool(row[1]), actor=row[3], request_id=row[6], at=row[2])
        if _hash(previous, act, row[4], row[5], row[7]) != bytes(row[8]):
            return int(row[0])
        previous = bytes(row[8])
    return None
