"""Tells the server what organizations have used, every few seconds and at the end."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque

from google.rpc import status_pb2
from quotewright.v1 import gate_pb2

from gateway.backend import Backend
from process.contract import Rpc
from process.log import Log
from process.usage import WRITTEN_EVERY, UsageCounter

#: Seconds that a report may take.
REPORTED_WITHIN = 4.0
#: Counts in a report; the contract takes no more.
MOST_AT_ONCE = 2_000
#: Reports that wait while the server is away; then the oldest is lost.
MOST_WAITING = 100


class UsageReporter:
    """Reports what `counter` has counted. A report without an answer is sent again as it was, and counts once."""

    def __init__(self, backend: Backend, rpc: Rpc, secret: str, log: Log) -> None:
        self.counter = UsageCounter()
        self._backend = backend
        self._rpc = rpc
        self._metadata = {"authorization": f"Bearer {secret}"}
        self._log = log
        self._waiting: deque[gate_pb2.ReportUsageRequest] = deque(maxlen=MOST_WAITING)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to report."""
        self._task = asyncio.create_task(self._report_on())

    async def stop(self) -> None:
        """Report what is left. What the server does not take now is lost."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._try()

    async def report(self) -> None:
        """Send what was counted since the last report, after what has waited."""
        counts = [
            gate_pb2.UsageCount(
                organization_id=use.organization_id,
                livemode=use.livemode,
                day=use.day,
                operation=use.operation,
                requests=figures.requests,
                refused=figures.refused,
                failed=figures.failed,
                busiest_minute=figures.busiest_minute,
            )
            for use, figures in self.counter.take().items()
        ]
        for start in range(0, len(counts), MOST_AT_ONCE):
            report_id = secrets.token_hex(12)
            some = counts[start : start + MOST_AT_ONCE]
            self._waiting.append(gate_pb2.ReportUsageRequest(report_id=report_id, counts=some))
        while self._waiting:
            answer, _ = await self._backend.call(self._rpc, self._waiting[0], self._metadata, REPORTED_WITHIN)
            if isinstance(answer, status_pb2.Status):
                self._log("usage_put_off", message=answer.message, reports=len(self._waiting))
                return
            self._waiting.popleft()

    async def _report_on(self) -> None:
        while True:
            await asyncio.sleep(WRITTEN_EVERY)
            await self._try()

    async def _try(self) -> None:
        try:
            await self.report()
        except Exception as error:  # noqa: BLE001 - the next round tries again
            self._log("usage_put_off", message=repr(error), reports=len(self._waiting))
