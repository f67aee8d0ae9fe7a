"""What the workers share: they claim rows that are due under a lease, see to them side by side, and write down what
became of each.

A worker that dies leaves leases that run out, and its rows are due again by themselves: what it did is done at least
once. Nothing that is committed is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from process.clock import now_us
from process.log import Log
from server.store.database import Store, StoreBusyError
from server.store.signals import Topic

#: How often the table is looked at while nothing is under way and nobody tells that something is due.
POLL_EVERY = 0.2  # seconds
#: Rows that end, or come, within this time of each other are one reason to claim.
GATHERED = 0.01  # seconds
#: What a lease has over the longest try, for writing the outcome down.
LEASE_BEYOND = 5.0  # seconds
WRITES_TRIED = 5
SECOND = 1_000_000

Row = TypeVar("Row")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Times:
    """``now`` gives µs since 1970; ``jitter`` a number from -1 to 1."""

    now: Callable[[], int] = now_us
    jitter: Callable[[], float] = lambda: random.uniform(-1, 1)  # noqa: S311 - spreads retries, hides nothing


class LeaseWorker(ABC, Generic[Row]):
    """Works until it is stopped. ``name`` is that of its log lines, ``topic`` of signals that rows are due, ``within``
    the longest try in seconds; ``most`` rows are under way at once, ``most_in_claim`` are claimed in one write."""

    def __init__(
        self,
        name: str,
        topic: Topic,
        store: Store,
        log: Log,
        *,
        within: float,
        most: int,
        most_in_claim: int,
        times: Times | None,
    ) -> None:
        self._name = name
        self._store = store
        self._log = log
        self._most = most
        self._most_in_claim = most_in_claim
        self._lease_for = int((within + LEASE_BEYOND) * SECOND)
        self._times = times or Times()
        self._under_way: set[asyncio.Task[None]] = set()
        self._awake = asyncio.Event()
        store.on(topic, lambda _: self._awake.set())
        self._loop: asyncio.Task[None] | None = None

    @abstractmethod
    def is_due(self, now: int) -> bool:
        """Whether `claim_due` would take anything; inside `Store.read`."""

    @abstractmethod
    def claim_due(self, lease: str, *, now: int, until: int, most: int) -> list[Row]:
        """Take what is due; inside `Store.write`."""

    @abstractmethod
    async def see_to(self, row: Row) -> None:
        """Try one row and write down what became of it."""

    def start(self) -> None:
        """Begin to work."""
        self._loop = asyncio.create_task(self._run())

    async def stop(self, grace: float = 5.0) -> None:
        """Claim nothing more, and let what is under way end for ``grace`` seconds.

        What is cut off then is done again when its lease ends.
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
        """Claim what is due once and see it to its end; how many rows were tried."""
        claimed = await self._claim()
        await asyncio.gather(*(self._contained(one) for one in claimed))
        return len(claimed)

    async def _run(self) -> None:
        while True:
            self._awake.clear()
            claimed: list[Row] = []
            try:
                claimed = await self._claim()
            except StoreBusyError as error:
                self._log(f"{self._name}_put_off", error=str(error))
            except Exception as error:  # noqa: BLE001 - a defect must not end deliveries for good
                self._log("defect", rpc=self._name, trace="".join(traceback.format_exception(error)))
            for one in claimed:
                task = asyncio.create_task(self._contained(one))
                self._under_way.add(task)
                task.add_done_callback(self._end)
            if len(claimed) < self._most_in_claim:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_EVERY):
                        await self._awake.wait()
                await asyncio.sleep(GATHERED)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._awake.set()

    async def _claim(self) -> list[Row]:
        room = min(self._most - len(self._under_way), self._most_in_claim)
        now = self._times.now()
        if room <= 0 or not await self._store.read(lambda: self.is_due(now)):
            return []
        lease = secrets.token_hex(8)
        return await self._store.write(lambda: self.claim_due(lease, now=now, until=now + self._lease_for, most=room))

    async def _contained(self, row: Row) -> None:
        try:
            await self.see_to(row)
        except Exception as error:  # noqa: BLE001 - the lease ends and it is tried again
            self._log("defect", rpc=self._name, trace="".join(traceback.format_exception(error)))

    async def write_down(self, outcome: Callable[[], Result]) -> Result:
        """Commit an outcome, also where the store is busy for a moment. Raises `StoreBusyError`."""
        for _ in range(WRITES_TRIED - 1):
            with contextlib.suppress(StoreBusyError):
                return await self._store.write(outcome)
            await asyncio.sleep(0.1)
        return await self._store.write(outcome)
