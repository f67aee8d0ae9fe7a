"""Promises of spans: hops of one process are parent and child, and what the caller does not want is not recorded."""

import pytest

from process.otel import ExportingTracer
from tests.unit.process.test_tracing import ID, PARENT


@pytest.fixture
def tracer(monkeypatch):
    # Nobody listens there, and nothing is sent: no span ends.
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    made = ExportingTracer("test")
    yield made
    made._provider.shutdown()


def test_a_hop_in_the_same_process_is_a_child_of_the_first(tracer):
    outer = tracer.begin(f"00-{ID}-{PARENT}-01", "a=1")
    inner = tracer.begin(outer.traceparent, outer.state, internal=True)
    assert outer.trace_id == inner.trace_id == ID
    assert outer.parent_id == PARENT
    assert inner.parent_id == outer.traceparent[36:52]
    assert inner.state == "a=1"
    assert inner.span is not None


def test_a_trace_that_the_caller_does_not_record_goes_on_unrecorded(tracer):
    trace = tracer.begin(f"00-{ID}-{PARENT}-00")
    assert trace.trace_id == ID
    assert trace.span is None
    assert not trace.sampled


def test_a_trace_that_begins_here_is_recorded(tracer):
    trace = tracer.begin("nonsense")
    assert trace.sampled
    assert trace.span is not None
    assert trace.trace_id != ID
