"""API keys as their owners see them. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.store.database import execute, execute_many, of_one_moment
from server.store.models import ApiKey

#: Most keys of an organization that work at a time, both modes together.
MOST = 100


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key without its hash. Instants in µs; ``ends_at`` is None where it does not end, ``replaced_by`` empty where
    it was not rotated."""

    public_id: str
    organization_id: int
    livemode: bool
    name: str
    scopes: tuple[str, ...]
    created_at: int
    ends_at: int | None
    exposed_at: int | None
    last_used_at: int | None
    replaced_by: str

    def works(self, at: int) -> bool:
        """Whether it is accepted."""
        return self.ends_at is None or self.ends_at > at


_SELECT = (
    "select public_id, organization_id, livemode, name, scopes, created_at, ends_at, exposed_at, last_used_at, "
    "replaced_by from api_key"
)


def find(organization_id: int, public_id: str) -> StoredKey | None:
    """The key, or None where this organization has none of that id."""
    where = "where organization_id = ? and public_id = ?"
    row = execute(f"{_SELECT} {where}", (organization_id, public_id)).fetchone()
    return None if row is None else _stored(row)


@of_one_moment
def list_page(
    organization_id: int, *, at: int, ended: bool, limit: int, offset: int, warned_before: int | None = None
) -> tuple[int, tuple[StoredKey, ...]]:
    """How many keys there are, and a page of them, newest first; those that have ended by ``at`` if asked for.

    ``warned_before``: only those that were seen in the open, or made before then and not rotated.
    """
    where, parameters = "where organization_id = ?", [organization_id]
    if not ended:
        where += " and (ends_at is null or ends_at > ?)"
        parameters.append(at)
    if warned_before is not None:
        where += " and (exposed_at is not null or (created_at <= ? and replaced_by = ''))"
        parameters.append(warned_before)
    total = execute(f"select count(*) from api_key {where}", parameters).fetchone()[0]  # noqa: S608 - constants
    rows = execute(
        f"{_SELECT} {where} order by created_at desc, public_id limit ? offset ?", (*parameters, limit, offset)
    ).fetchall()
    return int(total), tuple(map(_stored, rows))


def count_working(organization_id: int, at: int) -> int:
    """How many keys work."""
    sql = "select count(*) from api_key where organization_id = ? and (ends_at is null or ends_at > ?)"
    return int(execute(sql, (organization_id, at)).fetchone()[0])


def set_replaced(public_id: str, by: str) -> None:
    """Note which key a key was rotated to."""
    ApiKey.update(replaced_by=by).where(ApiKey.public_id == public_id).execute()


def note_used(used: Mapping[str, int]) -> None:
    """Note when keys were last used, by public id."""
    execute_many(
        "update api_key set last_used_at = ? where public_id = ? and (last_used_at is null or last_used_at < ?)",
        [(at, public_id, at) for public_id, at in sorted(used.items())],
    )


def _stored(row: tuple[Any, ...]) -> StoredKey:
    public_id, organization_id, livemode, name, scopes, *rest = row
    return StoredKey(public_id, organization_id, bool(livemode), name, tuple(scopes.split()), *rest)
