"""What a call does, as the audit log has it, and writes that may be repeated without an Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from process.clock import now_us
from server.interceptors import Call
from server.store.audit import Act
from server.store.database import Store

Result = TypeVar("Result")


def act_of(call: Call, at: int, if_match: frozenset[str] | None = None) -> Act:
    """The act of a call in its caller's organization and mode."""
    caller = call.caller
    return Act(caller.organization_id, caller.livemode, call.actor, call.request_id, at, if_match)


async def write(store: Store, call: Call, effect: Callable[[Act], Result]) -> Result:
    """Run ``effect`` in a transaction."""
    act = act_of(call, now_us())
    return await store.write(lambda: effect(act))
