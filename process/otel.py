"""Spans for an OpenTelemetry collector, over OTLP/HTTP. Needs the extra ``otel``; imported only where it is asked for.

The SDK reads its own variables (``OTEL_EXPORTER_OTLP_…``, ``OTEL_TRACES_SAMPLER``, ``OTEL_BSP_…``,
``OTEL_RESOURCE_ATTRIBUTES``). Spans go through a queue to a thread of its own: a collector that is slow or gone costs
spans, and never a request.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Mapping
from importlib.metadata import version

from opentelemetry import trace as api
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

from process import tracing
from process.log import Log
from process.tracing import Attribute, Trace, Tracer

#: How long a stopping process waits for the collector to take the last spans.
CLOSE_WITHIN = 3.0


class ExportingTracer(Tracer):
    """Gives each hop its ids by the SDK, whose sampler decides which are recorded."""

    exports = True

    def __init__(self, service: str) -> None:
        resource = Resource.create({SERVICE_VERSION: version("quotewright")})
        if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
            resource = resource.merge(Resource({SERVICE_NAME: service}))
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("quotewright")
        self._complaints: _Complaints | None = None

    def begin(self, traceparent: str = "", tracestate: str = "", *, internal: bool = False) -> Trace:
        """See `Tracer.begin`."""
        caller = tracing.parse(traceparent, tracestate) if traceparent else None
        span = self._tracer.start_span(
            "request",  # it gets its name when it ends and its route is known
            api.set_span_in_context(api.NonRecordingSpan(_context(caller))) if caller else Context(),
            SpanKind.INTERNAL if internal else SpanKind.SERVER,
        )
        context = span.get_span_context()
        return Trace(
            tracing.traceparent_of(
                api.format_trace_id(context.trace_id),
                api.format_span_id(context.span_id),
                sampled=context.trace_flags.sampled,
            ),
            caller.state if caller else "",
            caller.parent_id if caller else "",
            _SdkSpan(span) if span.is_recording() else None,
        )

    def start(self, log: Log) -> None:
        """See `Tracer.start`."""
        self._complaints = _Complaints(log, asyncio.get_running_loop())
        logger = logging.getLogger("opentelemetry")
        logger.addHandler(self._complaints)
        logger.propagate = False

    async def close(self) -> None:
        """See `Tracer.close`."""
        loop = asyncio.get_running_loop()
        closed = asyncio.Event()

        def shut_down() -> None:
            self._provider.shutdown()
            with contextlib.suppress(RuntimeError):  # nobody waits any more and the loop is gone
                loop.call_soon_threadsafe(closed.set)

        # A thread that the end of the process does not wait for: the SDK itself would wait for half a minute.
        threading.Thread(target=shut_down, daemon=True).start()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN):
                await closed.wait()
        if self._complaints is not None:
            self._complaints.over = True


def _context(caller: Trace) -> api.SpanContext:
    return api.SpanContext(
        int(caller.trace_id, 16),
        int(caller.parent_id, 16),
        is_remote=True,
        trace_flags=api.TraceFlags(caller.sampled),
        trace_state=api.TraceState.from_header([caller.state]),
    )


class _SdkSpan:
    """A recorded span of the SDK as `tracing.Span`."""

    __slots__ = ("_span",)

    def __init__(self, span: api.Span) -> None:
        self._span = span

    def end(self, name: str, attributes: Mapping[str, Attribute], failure: str = "") -> None:
        """See `tracing.Span.end`."""
        self._span.update_name(name)
        self._span.set_attributes(attributes)
        if failure:
            self._span.set_attribute("error.type", failure)
            self._span.set_status(Status(StatusCode.ERROR))
        self._span.end()


class _Complaints(logging.Handler):
    """What the SDK's threads complain of, as lines of our log."""

    def __init__(self, log: Log, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(logging.WARNING)
        self._log = log
        self._loop = loop
        self.over = False

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        if self.over:
            return
        with contextlib.suppress(RuntimeError):  # the loop is gone
            self._loop.call_soon_threadsafe(self._write, record.getMessage())

    def _write(self, message: str) -> None:
        self._log("otel", message=message)
