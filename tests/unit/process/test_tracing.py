"""Promises of trace context: what the Recommendation allows goes on, everything else begins a new trace."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from process import telemetry, tracing
from process.settings import SettingsError
from process.tracing import Tracer, parse, parse_state

ID, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
OWN = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]")


@pytest.mark.parametrize(
    ("given_header", "flags"),
    [
        (f"00-{ID}-{PARENT}-01", "01"),
        (f"00-{ID}-{PARENT}-00", "00"),
        (f"00-{ID}-{PARENT}-ff", "01"),  # flags that nobody knows yet are not passed on
        (f"cc-{ID}-{PARENT}-01", "01"),
        (f"cc-{ID}-{PARENT}-01-what-the-future-brings", "01"),
        (f" \t00-{ID}-{PARENT}-01 ", "01"),
    ],
)
def test_a_trace_by_the_book_goes_on_with_a_hop_of_its_own(given_header, flags):
    trace = Tracer().begin(given_header)
    assert OWN.fullmatch(trace.traceparent)
    assert (trace.trace_id, trace.parent_id) == (ID, PARENT)
    assert trace.traceparent.startswith(f"00-{ID}-")
    assert PARENT not in trace.traceparent
    assert trace.traceparent.endswith(f"-{flags}")
    assert trace.sampled is (flags == "01")


@pytest.mark.parametrize(
    "given_header",
    [
        "",
        "x",
        f"ff-{ID}-{PARENT}-01",
        f"00-{ID.upper()}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{ID}-{'0' * 16}-01",
        f"00-{ID[1:]}-{PARENT}-01",
        f"00-{ID}-{PARENT}-1",
        f"00-{ID}-{PARENT}-01-more",
        f"cc-{ID}-{PARENT}-01.more",
        f"00-{ID}-{PARENT}",
        f"00-{ID}-{PARENT}-01,00-{ID}-{PARENT}-01",  # two header lines
        f"0０-{ID}-{PARENT}-01",
    ],
)
def test_anything_else_begins_a_new_trace_without_the_callers_state(given_header):
    trace = Tracer().begin(given_header, "a=1")
    assert OWN.fullmatch(trace.traceparent)
    assert trace.trace_id != ID
    assert (trace.state, trace.parent_id, trace.sampled) == ("", "", False)


SIGNS = st.sampled_from(
    [f"00-{ID}-{PARENT}-01", f"cc-{ID}-{PARENT}-01", "0", "f", "-", ",", "=", "a", "@", " ", "\t", "é"]
)
TEXTS = st.lists(SIGNS, max_size=20).map("".join)


@given(TEXTS, TEXTS)
def test_whatever_comes_what_goes_out_is_by_the_book(traceparent, tracestate):
    trace = Tracer().begin(traceparent, tracestate)
    assert OWN.fullmatch(trace.traceparent)
    assert trace.state == parse_state(trace.state)
    assert trace.state.isascii()


def test_no_two_hops_have_the_same_ids():
    traces = [Tracer().begin() for _ in range(1000)]
    assert len({trace.trace_id for trace in traces}) == 1000
    hops = {Tracer().begin(f"00-{ID}-{PARENT}-01").traceparent for _ in range(1000)}
    assert len(hops) == 1000


@pytest.mark.parametrize(
    ("tracestate", "passed_on"),
    [
        ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
        (" a=1 ,\t,b=2", "a=1,b=2"),
        ("fw529a3039@dt=x", "fw529a3039@dt=x"),
        ("0key@tenant=x", "0key@tenant=x"),
        ("0key=x", ""),
        ("A=1", ""),
        ("a=", ""),
        ("a=b=c", ""),
        ("a=1,a=2", ""),
        ("a=\x7f", ""),
        (",".join(f"k{number}=1" for number in range(32)), ",".join(f"k{number}=1" for number in range(32))),
        (",".join(f"k{number}=1" for number in range(33)), ""),
    ],
)
def test_a_tracestate_is_passed_on_whole_or_not_at_all(tracestate, passed_on):
    assert parse_state(tracestate) == passed_on


def test_a_tracestate_that_is_too_long_loses_its_long_entries_first():
    short = [f"k{number}={'v' * 40}" for number in range(8)]
    state = parse_state(",".join([f"long={'v' * 200}", *short]))
    assert state == ",".join(short)
    assert len(parse_state(",".join(f"k{number}={'v' * 60}" for number in range(20)))) <= tracing.LONGEST_STATE


def test_a_traces_headers_are_read_back_as_they_were_written():
    trace = Tracer().begin(f"00-{ID}-{PARENT}-01", "a=1,b=2")
    again = parse(trace.traceparent, trace.state)
    assert again is not None
    assert (again.trace_id, again.state, again.sampled) == (ID, "a=1,b=2", True)
    assert again.parent_id == trace.traceparent[36:52]


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_TRACES_EXPORTER": "none"},
    ],
)
def test_nothing_is_exported_unless_somebody_says_whereto(environment):
    assert telemetry.tracer("x", environment).exports is False


def test_a_protocol_that_is_not_spoken_is_refused_at_start():
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
    with pytest.raises(SettingsError, match="http/protobuf"):
        telemetry.tracer("x", environment)
