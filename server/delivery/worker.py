"""The worker: claims deliveries that are due, sends them side by side, and writes down what became of each.

Delivery is at least once: a worker that dies between an answer and its outcome's commit leaves a lease that runs out,
and the event is sent again under the same id. Nothing that is committed is lost, as the row is there before the
change is acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from cachetools import LRUCache

from process.log import Log
from server import events
from server.delivery import signatures
from server.delivery.sender import ANSWER_KEPT, Answer, Sender
from server.delivery.vault import SealError, Vault
from server.domain import retries
from server.store import deliveries
from server.store.database import Store, StoreBusyError
from server.store.deliveries import SECOND, Attempt, Claimed

#: How often the table is looked at while nothing is under way.
POLL_EVERY = 0.2  # seconds
#: Deliveries that end within this time of each other make room together.
GATHERED = 0.01  # seconds
MOST = 512
MOST_OF_ENDPOINT = 4
#: A claim is one write; more in it would hold up the quotes behind it.
MOST_IN_CLAIM = 64
#: What a lease has over the longest try, for writing the outcome down.
LEASE_BEYOND = 5.0  # seconds
WRITES_TRIED = 5


@dataclass(frozen=True, slots=True)
class Times:
    """``now`` gives µs since 1970; ``jitter`` a number from -1 to 1."""

    now: Callable[[], int] = lambda: time.time_ns() // 1000
    jitter: Callable[[], float] = lambda: random.uniform(-1, 1)  # noqa: S311 - spreads retries, hides nothing


class Worker:
    """Delivers until it is stopped. ``within`` is the longest try in seconds; ``count`` is told the error (empty: none)
    and the seconds of each."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        sender: Sender,
        log: Log,
        *,
        within: float,
        count: Callable[[str, float], None] | None = None,
        times: Times | None = None,
    ) -> None:
        self._store = store
        self._vault = vault
        self._sender = sender
        self._log = log
        self._count = count
        self._lease_for = int((within + LEASE_BEYOND) * SECOND)
        self._times = times or Times()
        self._bodies: LRUCache[str, bytes] = LRUCache(256)
        self._under_way: set[asyncio.Task[None]] = set()
        self._ended = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to deliver."""
        self._loop = asyncio.create_task(self._run())

    async def stop(self, grace: float = 5.0) -> None:
        """Claim nothing more, and let what is under way end for ``grace`` seconds.

        What is cut off then is sent again when its lease ends.
        """
        if self._loop is not None:
            self._loop.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loop
        if self._under_way:
            _, cut = await asyncio.wait(self._under_way, timeout=grace)
            for task in cut:
                task.cancel()
            await asyncio.gather(*cut, return_exceptions=True)

    async def deliver_due(self) -> int:
        """Claim what is due once and see it to its end; how many deliveries were tried."""
        claimed = await self._claim()
        await asyncio.gather(*(self._deliver(one) for one in claimed))
        return len(claimed)

    async def _run(self) -> None:
        while True:
            self._ended.clear()
            claimed: list[Claimed] = []
            try:
                claimed = await self._claim()
            except StoreBusyError as error:
                self._log("webhooks_put_off", error=str(error))
            except Exception as error:  # noqa: BLE001 - a defect must not end deliveries for good
                self._log("defect", rpc="webhooks", trace="".join(traceback.format_exception(error)))
            for one in claimed:
                task = asyncio.create_task(self._deliver(one))
                self._under_way.add(task)
                task.add_done_callback(self._end)
            if len(claimed) < MOST_IN_CLAIM:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), POLL_EVERY)
                await asyncio.sleep(GATHERED)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._ended.set()

    async def _claim(self) -> list[Claimed]:
        room = min(MOST - len(self._under_way), MOST_IN_CLAIM)
        now = self._times.now()
        if room <= 0 or not await self._store.read(lambda: deliveries.is_due(now)):
            return []
        lease = secrets.token_hex(8)
        return await self._store.write(
            lambda: deliveries.claim(
                lease, now=now, until=now + self._lease_for, most=room, most_of_endpoint=MOST_OF_ENDPOINT
            )
        )

    async def _deliver(self, claimed: Claimed) -> None:
        try:
            began, at = time.monotonic(), self._times.now()
            answer = await self._send(claimed, at)
            attempt = Attempt(
                number=0,
                at=at,
                duration_ms=int((time.monotonic() - began) * 1000),
                http_status=answer.http_status,
                error=answer.error,
                answer=answer.content[:ANSWER_KEPT],
            )
            await self._finish(claimed, attempt, answer.retry_after)
        except Exception as error:  # noqa: BLE001 - the lease ends and it is tried again
            trace = "".join(traceback.format_exception(error))
            self._log("defect", rpc="webhooks", delivery_id=claimed.delivery_id, trace=trace)

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
        for number in range(WRITES_TRIED):
            try:
                disabled = await self._store.write(lambda: deliveries.finish(claimed, attempt, now=now, wait=wait))
                break
            except StoreBusyError:
                if number == WRITES_TRIED - 1:
                    raise
                await asyncio.sleep(0.1)
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
