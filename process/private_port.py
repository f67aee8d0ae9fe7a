"""The private port: /metrics, /livez and /readyz over plain HTTP, for those who run the process."""

from __future__ import annotations

import asyncio
import contextlib
import copy
from collections.abc import Iterable
from dataclasses import dataclass

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import Metric

from process import metrics
from process.telemetry import Telemetry

#: Samples that are written before the event loop goes on with its requests; 3 ms or so.
SAMPLES_AT_ONCE = 250


class PrivatePort:
    """Serves what `Telemetry` knows. It runs on the event loop of the service: a loop that hangs does not answer."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._registry = telemetry.registry
        self._readiness = telemetry.readiness
        application = web.Application()
        application.router.add_get("/metrics", self._metrics)
        application.router.add_get("/livez", self._live)
        application.router.add_get("/readyz", self._ready)
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        self._lag: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int) -> None:
        """Open the port and begin to measure the event loop. Raises `OSError` where it is taken."""
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        self._lag = asyncio.create_task(metrics.measure_lag(self._registry))

    async def stop(self) -> None:
        """Close the port."""
        if self._lag is not None:
            self._lag.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._lag
        await self._runner.cleanup()

    async def _metrics(self, _request: web.Request) -> web.Response:
        return web.Response(body=await exposition(self._registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _live(self, _request: web.Request) -> web.Response:
        return _said(200, {"status": "alive"})

    async def _ready(self, _request: web.Request) -> web.Response:
        failing = self._readiness.failing
        if failing:
            return _said(503, {"status": "not_ready", "failing": failing})
        return _said(200, {"status": "ready"})


@dataclass(frozen=True, slots=True)
class _Part:
    """What `generate_latest` is given in place of a registry."""

    metric: Metric

    def collect(self) -> Iterable[Metric]:
        """The one family."""
        return (self.metric,)


async def exposition(registry: CollectorRegistry) -> bytes:
    """The registry in Prometheus' text format, written a part at a time: all at once takes tens of milliseconds where
    many routes were asked for, and every request would have to wait for it."""
    parts = []
    for metric in registry.collect():
        samples = metric.samples
        for first in range(0, len(samples) or 1, SAMPLES_AT_ONCE):
            part = copy.copy(metric)
            part.samples = samples[first : first + SAMPLES_AT_ONCE]
            text = generate_latest(_Part(part))
            # HELP and TYPE stand once, before the first part.
            parts.append(text.split(b"\n", 2)[2] if first else text)
            await asyncio.sleep(0)
    return b"".join(parts)


def _said(status: int, body: dict[str, object]) -> web.Response:
    return web.json_response(body, status=status, headers={"Cache-Control": "no-store"})
