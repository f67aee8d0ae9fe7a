"""What is told of requests that have ended: numbers, use, and the log line; many requests at a time.

Little is done for each, but all over the code: right behind every answer it costs the next request what the processor
had at hand for it. Done for a hundred in a row it costs half (docs/performance.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from gateway import admission
from gateway.admission import Caller, Gate
from gateway.connection import Connections
from gateway.metrics import GatewayMetrics
from process.log import Log
from process.tracing import trace_id_of
from process.usage import UsageCounter

#: Seconds until what has ended is told; a crash loses at most this much of it, beside what the log keeps back itself.
TOLD_AFTER = 0.1
#: Requests that are told of in a row: half a millisecond of work.
MOST_AT_ONCE = 100


class Ended(NamedTuple):
    """A request that was answered. ``at`` is in seconds since 1970, ``seconds`` is how long it took."""

    at: float
    seconds: float
    method: str
    status: int
    #: The template of its path, or empty: never the path, nor the query, as both may hold what people typed.
    route: str
    #: The operation (``Service/Method``) behind the route, or empty; and both as log lines print them.
    operation: str
    where: str
    caller: Caller | None
    #: Why it was refused, or empty, and the name of the allowance that it was counted against.
    reason: str
    policy: str
    #: Requests of the organization's last minute that count into its allowance; 0 where this one does not.
    in_minute: int
    request_id: str
    traceparent: str
    client: str


class Telling(Collector):
    """Collects what has ended, and tells of it. Counts itself among the metrics, before those that it writes, so that
    whoever reads them reads all."""

    def __init__(
        self, registry: CollectorRegistry, gate: Gate, connections: Connections, usage: UsageCounter, log: Log
    ) -> None:
        registry.register(self)
        self.metrics = GatewayMetrics(registry, gate, connections)
        self._usage = usage
        self._log = log
        self._ended: list[Ended] = []
        self._planned = False

    def note(self, ended: Ended) -> None:
        """Tell of a request soon."""
        self._ended.append(ended)
        if len(self._ended) >= MOST_AT_ONCE:
            self.flush()
        elif not self._planned:
            self._planned = True
            asyncio.get_running_loop().call_later(TOLD_AFTER, self._in_time)

    def collect(self) -> Iterable[Metric]:
        """No metric of its own; see `Collector.collect`."""
        self.flush()
        return ()

    def _in_time(self) -> None:
        self._planned = False
        self.flush()

    def flush(self) -> None:
        """Tell of what has been collected; whoever takes the use away asks for it first."""
        ended, self._ended = self._ended, []
        for one in ended:
            self._tell(one)

    def _tell(self, one: Ended) -> None:
        caller, status = one.caller, one.status
        self.metrics.ended(one.method, one.route, status, one.seconds)
        if one.reason:
            self.metrics.refused(one.reason, one.policy)
        if one.operation and caller is not None and caller.organization_id and not caller.by_link:
            self._usage.note(
                caller.organization_id,
                one.operation,
                livemode=caller.livemode,
                refused=status == 429,
                failed=status >= 400 and status != 429,
                in_minute=one.in_minute,
                at=one.at,
            )
        who = caller.printed if caller is not None else admission.NOBODY
        self._log(
            "request",
            f"{one.where},{who}",
            one.at,
            method=one.method,
            status=status,
            reason=one.reason,
            request_id=one.request_id,
            trace_id=trace_id_of(one.traceparent),
            client=one.client,
            ms=round(one.seconds * 1000, 3),
        )
