"""Writes that a client may repeat: the idempotency record and the effect commit together (D32)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar

from google.protobuf.message import Message

from process import wire
from process.clock import now_us
from server import faults
from server.domain.entity_tags import required_tags
from server.interceptors import Call
from server.rpc.acts import act_of
from server.store import idempotency
from server.store.audit import Act
from server.store.database import Store

Response = TypeVar("Response", bound=Message)


async def write_once(
    store: Store, call: Call, request: Message, effect: Callable[[Act], Response], response_class: type[Response]
) -> Response:
    """Run ``effect`` in a transaction, or return the first answer to the same Idempotency-Key.

    A repeated call is answered whatever has become of the resource: If-Match is for the first. Raises `Fault`: 422 for
    a key that is empty or too long or an If-Match that is none, 409 for a key that belongs to another request.
    """
    at = now_us()
    act = act_of(call, at, _if_match(call))
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


def _if_match(call: Call) -> frozenset[str] | None:
    if not call.rpc.policy.if_match or wire.IF_MATCH not in call.metadata:
        return None
    try:
        return required_tags(call.text(wire.IF_MATCH))
    except ValueError as error:
        raise faults.invalid(faults.FieldViolation("If-Match", "malformed", str(error))) from None


def _key(call: Call, request: Message) -> idempotency.IdempotencyKey | None:
    if wire.IDEMPOTENCY_KEY not in call.metadata:
        return None
    key = call.text(wire.IDEMPOTENCY_KEY)
    if not key or len(key) > wire.LONGEST_IDEMPOTENCY_KEY or not key.isprintable():
        raise faults.invalid(
            faults.FieldViolation("Idempotency-Key", "malformed", "must be 1 to 255 printable characters")
        )
    digest = hashlib.sha256(call.rpc.path.encode() + b"\0" + request.SerializeToString(deterministic=True)).digest()
    return idempotency.IdempotencyKey(key, digest)
