"""The worker: claims deliveries that are due, sends them side by side, and writes down what became of each.

Delivery is at least once: a worker that dies between an answer and its outcome's commit leaves a lease that runs out,
and the event is sent again under the same id. Nothing that is committed is lost, as the row is there before the
change is acknowledged.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from cachetools import LRUCache

from process.log import Log
from server import events
from server.delivery import signatures
from server.delivery.leases import SECOND, LeaseWorker, Times
from server.delivery.sender import ANSWER_KEPT, Answer, Sender
from server.delivery.vault import SealError, Vault
from server.domain import retries
from server.store import deliveries
from server.store.database import Store
from server.store.deliveries import Attempt, Claimed
from server.store.signals import Topic

MOST = 512
MOST_OF_ENDPOINT = 4
#: A claim is one write; more in it would hold up the quotes behind it.
MOST_IN_CLAIM = 64


class Worker(LeaseWorker[Claimed]):
    """Delivers until it is stopped. ``within`` is the longest try in seconds; ``count`` is told the error (empty: none)
    and the seconds of each. ``tell`` is called with a delivery, why its endpoint was disabled and when (µs), inside the
    transaction that disables it."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        sender: Sender,
        log: Log,
        *,
        within: float,
        count: Callable[[str, float], None] | None = None,
        tell: Callable[[Claimed, str, int], None] | None = None,
        times: Times | None = None,
    ) -> None:
        super().__init__(
            "webhooks", Topic.DELIVERY, store, log, within=within, most=MOST, most_in_claim=MOST_IN_CLAIM, times=times
        )
        self._vault = vault
        self._sender = sender
        self._count = count
        self._tell = tell
        self._bodies: LRUCache[str, bytes] = LRUCache(256)

    def is_due(self, now: int) -> bool:
        """See `LeaseWorker.is_due`."""
        return deliveries.is_due(now, MOST_OF_ENDPOINT)

    def claim_due(self, lease: str, *, now: int, until: int, most: int) -> list[Claimed]:
        """See `LeaseWorker.claim_due`."""
        return deliveries.claim(lease, now=now, until=until, most=most, most_of_endpoint=MOST_OF_ENDPOINT)

    async def see_to(self, row: Claimed) -> None:
        """See `LeaseWorker.see_to`."""
        began, at = time.monotonic(), self._times.now()
        answer = await self._send(row, at)
        attempt = Attempt(
            number=0,
            at=at,
            duration_ms=int((time.monotonic() - began) * 1000),
            http_status=answer.http_status,
            error=answer.error,
            answer=answer.content[:ANSWER_KEPT],
        )
        await self._finish(row, attempt, answer.retry_after)

    async def _send(self, claimed: Claimed, at: int) -> Answer:
        body = await self._body(claimed)
        try:
            headers = signatures.sign(
                claimed.event_id,
                at // SECOND,
                body,
                secrets=self._vault.signing_secrets(claimed, at),
                key=self._vault.signing_key,
            )
        except SealError as error:
            return Answer("secret", content=str(error).encode())
        return await self._sender.post(claimed.url, body, headers)

    async def _body(self, claimed: Claimed) -> bytes:
        body = self._bodies.get(claimed.event_id)
        if body is None:
            payload = await self._store.read(lambda: deliveries.payload(claimed.event_row))
            body = self._bodies[claimed.event_id] = events.body(claimed.event_type, payload)
        return body

    async def _finish(self, claimed: Claimed, attempt: Attempt, retry_after: float | None) -> None:
        now = self._times.now()
        wait: float | None = None
        if attempt.error not in ("", "gone"):
            wait = retries.wait_after(claimed.tries + 1, self._times.jitter(), retry_after)

        def outcome() -> str:
            disabled = deliveries.finish(claimed, attempt, now=now, wait=wait)
            if disabled and self._tell is not None:
                self._tell(claimed, disabled, now)
            return disabled

        disabled = await self.write_down(outcome)
        if self._count is not None:
            self._count(attempt.error, attempt.duration_ms / 1000)
        self._log(
            "webhook",
            endpoint_id=claimed.endpoint_id,
            organization_id=claimed.organization_id,
            livemode=claimed.livemode,
            event_id=claimed.event_id,
            type=claimed.event_type,
            status=attempt.http_status,
            error=attempt.error,
            tries=claimed.tries + 1,
            given_up=bool(attempt.error) and wait is None,
            ms=attempt.duration_ms,
        )
        if disabled:
            self._log(
                "webhook_disabled",
                endpoint_id=claimed.endpoint_id,
                organization_id=claimed.organization_id,
                reason=disabled,
            )
