"""Idempotency records (D32): the record commits with the effect it stands for, and the first answer is kept for a
day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from server.store.database import execute

KEPT_FOR = 24 * 3600 * 1_000_000  # µs


class KeyReusedError(Exception):
    """The key belongs to another request."""


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A key as the client chose it, with a hash of the request and of the RPC that it came with."""

    key: str
    request_hash: bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """The serialized response, and whether it is a replay."""

    response: bytes
    replayed: bool


def once(
    organization_id: int, livemode: bool, key: IdempotencyKey | None, at: int, effect: Callable[[], bytes]
) -> Outcome:
    """Run ``effect``, or return its first answer; inside `Store.write`. Raises `KeyReusedError` for another request."""
    if key is None:
        return Outcome(effect(), replayed=False)
    where = "where organization_id = ? and livemode = ? and key = ?"
    row = execute(
        f"select request_hash, response, created_at from idempotency_record {where}",  # noqa: S608 - a constant
        (organization_id, livemode, key.key),
    ).fetchone()
    if row is not None and row[2] > at - KEPT_FOR:
        if bytes(row[0]) != key.request_hash:
            raise KeyReusedError
        return Outcome(bytes(row[1]), replayed=True)
    response = effect()
    execute(
        "insert into idempotency_record (organization_id, livemode, key, request_hash, response, created_at) "
        "values (?, ?, ?, ?, ?, ?) on conflict (organization_id, livemode, key) do update set "
        "request_hash = excluded.request_hash, response = excluded.response, created_at = excluded.created_at",
        (organization_id, livemode, key.key, key.request_hash, response, at),
    )
    return Outcome(response, replayed=False)


def sweep(at: int, most: int = 500) -> int:
    """Delete records past their day, at most ``most`` at a time; the number deleted."""
    return int(
        execute(
            "delete from idempotency_record where (organization_id, livemode, key) in "
            "(select organization_id, livemode, key from idempotency_record where created_at <= ? limit ?)",
            (at - KEPT_FOR, most),
        ).rowcount
    )
