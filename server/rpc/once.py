"""Writes that a client may repeat: the idempotency record and the effect commit together (D32)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import TypeVar

from google.protobuf.message import Message

from process import wire
from server import faults
from server.interceptors import Call
from server.store import idempotency
from server.store.audit import Act
from server.store.database import Store

Response = TypeVar("Response", bound=Message)


async def write_once(
    store: Store, call: Call, request: Message, effect: Callable[[Act], Response], response_class: type[Response]
) -> Response:
    """Run ``effect`` in a transaction, or return the first answer to the same Idempotency-Key.

    Raises `Fault`: 422 for a key that is too long, 409 for one that belongs to another request.
    """
    caller = call.caller
    at = time.time_ns() // 1000
    act = Act(caller.organization_id, caller.livemode, call.actor, call.request_id, at)
    key = _key(call, request)

    def work() -> idempotency.Outcome:
        return idempotency.once(
            act.organization_id, act.livemode, key, at, lambda: effect(act).SerializeToString(deterministic=True)
        )

    try:
        outcome = await store.write(work)
    except idempotency.KeyReusedError:
        raise faults.idempotency_conflict() from None
    if outcome.replayed:
        call.reply_metadata[wire.REPLAYED] = "true"
    return response_class.FromString(outcome.response)


def _key(call: Call, request: Message) -> idempotency.IdempotencyKey | None:
    key = call.text("idempotency-key")
    if not key:
        return None
    if len(key) > wire.LONGEST_IDEMPOTENCY_KEY or not key.isprintable():
        raise faults.invalid(
            faults.FieldViolation("Idempotency-Key", "string.max_len", "must be at most 255 printable characters")
        )
    digest = hashlib.sha256(call.rpc.path.encode() + b"\0" + request.SerializeToString(deterministic=True)).digest()
    return idempotency.IdempotencyKey(key, digest)
