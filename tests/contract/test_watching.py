"""Promises to those who run the service: what is counted, when it is ready, and where a request went."""

import asyncio
import contextlib
import http.server
import json
import re
import sqlite3
import threading
import time
from collections import Counter

import aiohttp
import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from prometheus_client.parser import text_string_to_metric_families

from tests import stack
from tests.stack import Client, let_go

GENERATE = "/api/v1/quotes/generate"
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TEXT = "Paint 40 m2 of interior walls in Chicago"


async def ask(process, path):
    """Status and body of the private port."""
    async with aiohttp.ClientSession() as session, session.get(process.private + path) as answer:
        return answer.status, await answer.text()


async def scrape(*processes):
    """Every sample of the processes, by name and labels."""
    found = Counter()
    for process in processes:
        status, text = await ask(process, "/metrics")
        assert status == 200
        for family in text_string_to_metric_families(text):
            keys = [(sample.name, *sorted(sample.labels.items())) for sample in family.samples]
            assert len(set(keys)) == len(keys)
            for sample in family.samples:
                found[sample.name, tuple(sorted(sample.labels.items()))] += sample.value
    return found


def grown(before, after, name):
    """By how much the samples of one name have grown, by the values of their labels."""
    return {
        tuple(value for _, value in labels): number - before[one, labels]
        for (one, labels), number in after.items()
        if one == f"quotewright_{name}" and number != before[one, labels]
    }


async def health(running):
    """What the gRPC health service says of the whole."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
    return answer.status


async def until(wanted, ask_again, within=10.0):
    """The first answer that is wanted."""
    deadline = time.monotonic() + within
    while not wanted(answer := await ask_again()):
        assert time.monotonic() < deadline, answer
        await asyncio.sleep(0.05)
    return answer


async def lines(process, event, request_id):
    """The lines of a request in a process' log, which is written a little later."""

    async def found():
        return [line for line in process.events(event) if line["request_id"] == request_id]

    return await until(bool, found)


async def test_counters_grow_by_exactly_what_was_asked(running, client):
    organization = running.organization("Counted")
    processes = running.processes[:2]  # of two gateways the first is asked
    await client.generate(organization.live_key, TEXT)  # known from now on
    before = await scrape(*processes)
    for _ in range(3):
        assert (await client.generate(organization.live_key, TEXT)).status == 200
    for number in range(2):
        assert (await client.generate(organization.live_key, "")).status == 422
        assert (await client.request("GET", f"/api/v1/nothing/{number}?q={number}")).status == 404
    assert (await client.request("PROPFIND", "/api/v1/coffee")).status == 404
    assert (await client.request("GET", "/api/v1/config")).status == 200
    assert (await client.request("GET", "/docs")).status == 200
    assert (await client.generate("qw_live_wrong", TEXT)).status == 401
    after = await scrape(*processes)
    assert grown(before, after, "http_requests_total") == {
        ("POST", GENERATE, "200"): 3,
        ("POST", GENERATE, "422"): 2,
        ("POST", GENERATE, "401"): 1,
        ("GET", "none", "404"): 2,
        ("_OTHER", "none", "404"): 1,
        ("GET", "/api/v1/config", "200"): 1,
        ("GET", "/docs", "200"): 1,
    }
    assert grown(before, after, "http_requests_total") == grown(before, after, "http_requests_seconds_count")
    assert grown(before, after, "http_problems_total") == {
        ("invalid_fields",): 2,
        ("route_not_found",): 3,
        ("api_key_malformed",): 1,
    }
    calls = grown(before, after, "rpc_calls_total")
    assert calls["OK", "/quotewright.v1.QuoteService/GenerateQuote"] == 3
    assert calls["INVALID_ARGUMENT", "/quotewright.v1.QuoteService/GenerateQuote"] == 2
    assert calls["OK", "/quotewright.v1.CompanyService/GetConfig"] == 1
    assert grown(before, after, "credentials_total") == {("hit",): 5, ("miss",): 1}
    assert grown(before, after, "drafting_seconds_count") == {(): 3}
    assert sum(grown(before, after, "drafted_lines_total").values()) == 3
    # Besides, the service writes of its own accord: what is used, whether the disk still takes a write, what is swept.
    assert grown(before, after, "store_batch_writes_sum")[()] >= 3
    assert grown(before, after, "store_commit_seconds_count") == grown(before, after, "store_lag_seconds_count")
    assert after["quotewright_http_requests_in_flight", ()] == 0
    assert after["quotewright_connections", ()] >= 1
    assert after["quotewright_revocation_stream_up", ()] == 1
    assert after["process_resident_memory_bytes", ()] > 0
    assert (
        after["quotewright_event_loop_lag_seconds_count", ()] >= before["quotewright_event_loop_lag_seconds_count", ()]
    )
    assert any(name == "quotewright_build_info" for name, _ in after)


async def test_refusals_are_counted_by_the_allowance_that_was_used_up(running, client):
    organization = running.organization("Used up", rate=2)
    gateway = running.processes[-1] if len(running.processes) == 1 else running.processes[1]
    before = await scrape(gateway)
    statuses = [(await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status for _ in range(5)]
    assert statuses == [200, 200, 429, 429, 429]
    assert grown(before, await scrape(gateway), "quota_refusals_total") == {("organization",): 3}


async def test_what_the_parser_refuses_is_counted(combined):
    before = await scrape(*combined.processes)
    reader, writer = await asyncio.open_connection("localhost", combined.https_port, ssl=combined.tls())
    writer.write(b"this is no HTTP\r\n\r\n")
    assert b" 422 " in await reader.readline()
    await let_go(writer)
    after = await scrape(*combined.processes)
    assert grown(before, after, "edge_refusals_total") == {("malformed_request",): 1}
    assert grown(before, after, "http_requests_total") == {}


async def test_the_private_port_says_nothing_else_and_the_public_one_says_nothing_of_it(running, client):
    for process in running.processes:
        assert await ask(process, "/livez") == (200, '{"status": "alive"}')
        assert await ask(process, "/readyz") == (200, '{"status": "ready"}')
        assert (await ask(process, "/api/v1/config"))[0] == 404
    for path in ("/metrics", "/livez", "/readyz"):
        assert (await client.request("GET", path)).status == 404


async def test_a_draining_process_says_so_and_answers_what_it_was_asked_also_without_its_collector(tmp_path):
    with stack.combined(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{stack.free_port()}") as running:
        process = running.processes[0]
        key = running.organization().test_key
        async with Client(running) as client:
            with contextlib.closing(sqlite3.connect(tmp_path / "quotewright.db", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")  # so that the answers have to wait
                answers = [asyncio.create_task(client.generate(key, TEXT)) for _ in range(8)]
                await until(
                    lambda found: found["quotewright_http_requests_in_flight", ()] == 8, lambda: scrape(process)
                )
                stopping = asyncio.create_task(asyncio.to_thread(process.stop))
                _, said = await until(lambda found: found[0] == 503, lambda: ask(process, "/readyz"))
                assert json.loads(said) == {"status": "not_ready", "failing": ["draining"]}
                assert (await ask(process, "/livez"))[0] == 200
                other.execute("ROLLBACK")
            assert [(await one).status for one in answers] == [200] * 8
        assert await stopping == 0


async def test_a_store_that_cannot_be_written_and_a_server_that_is_gone_are_named(tmp_path):
    with stack.split(tmp_path) as running:
        server, gateway = running.processes
        with contextlib.closing(sqlite3.connect(tmp_path / "quotewright.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            _, said = await until(lambda answer: answer[0] == 503, lambda: ask(server, "/readyz"))
            assert json.loads(said)["failing"] == ["store"]
            not_serving = health_pb2.HealthCheckResponse.NOT_SERVING
            await until(lambda status: status == not_serving, lambda: health(running))
            other.execute("ROLLBACK")
        await until(lambda answer: answer[0] == 200, lambda: ask(server, "/readyz"))
        await until(lambda status: status != not_serving, lambda: health(running))
        assert (await ask(gateway, "/readyz"))[0] == 200
        server.kill()
        _, said = await until(lambda answer: answer[0] == 503, lambda: ask(gateway, "/readyz"))
        assert json.loads(said)["failing"] == ["server_connection"]
        assert (await ask(gateway, "/livez"))[0] == 200
        running.processes.remove(server)


@pytest.mark.parametrize(
    ("traceparent", "goes_on"), [(f"00-{TRACE}-{PARENT}-01", True), (f"00-{TRACE}-{'0' * 16}-01", False), ("", False)]
)
async def test_a_trace_goes_through_the_logs_of_gateway_and_server(split, traceparent, goes_on):
    key = split.organization().live_key
    server, gateway = split.processes[:2]
    async with Client(split) as client:
        headers = {"traceparent": traceparent} if traceparent else {}
        answer = await client.request("GET", "/api/v1/quotes", key=key, headers=headers)
    request_id = answer.headers["X-Request-Id"]
    [line] = await lines(gateway, "request", request_id)
    assert re.fullmatch("[0-9a-f]{32}", line["trace_id"])
    assert (line["trace_id"] == TRACE) is goes_on
    calls = await lines(server, "call", request_id)
    # Both the question who is calling and the call itself.
    assert {call["trace_id"] for call in calls} == {line["trace_id"]}
    assert {call["rpc"].rpartition("/")[2] for call in calls} == {"Authenticate", "ListQuotes"}


class Collector:
    """Takes spans over OTLP/HTTP, as an OpenTelemetry collector does."""

    def __init__(self):
        self.spans = []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                assert self.path == "/v1/traces"
                assert self.headers["Content-Type"] == "application/x-protobuf"
                request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["Content-Length"])))
                for resource in request.resource_spans:
                    [service] = [one for one in resource.resource.attributes if one.key == "service.name"]
                    spans = [span for scope in resource.scope_spans for span in scope.spans]
                    collector.spans += [(service.value.string_value, span) for span in spans]
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.end_headers()
                self.wfile.write(ExportTraceServiceResponse().SerializeToString())

            def log_message(self, *_):
                pass

        self._handler = Handler

    def __enter__(self):
        self._server = http.server.HTTPServer(("127.0.0.1", 0), self._handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def attributes(span):
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


async def test_spans_reach_a_collector_as_one_trace(tmp_path):
    with Collector() as collector, stack.split(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=collector.address) as running:
        key = running.organization().live_key
        async with Client(running) as client:
            headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "a=1"}
            answer = await client.request("GET", "/api/v1/quotes", key=key, headers=headers)
            assert answer.status == 200
            assert (await client.request("GET", "/api/v1/quotes/4000", key=key)).status == 404
        # A process that stops sends what it has.
        running.stop()
        spans = collector.spans
    ours = [(service, span) for service, span in spans if span.trace_id.hex() == TRACE]
    [(service, root)] = [one for one in ours if one[1].parent_span_id.hex() == PARENT]
    assert (service, root.name, root.trace_state) == ("quotewright-gateway", "GET /api/v1/quotes", "a=1")
    told = attributes(root)
    assert (told["http.route"], told["http.response.status_code"]) == ("/api/v1/quotes", 200)
    assert told["quotewright.request_id"] == answer.headers["X-Request-Id"]
    inner = {(service, span.name) for service, span in ours if span.parent_span_id == root.span_id}
    assert inner == {
        ("quotewright-server", f"quotewright.v1.{rpc}")
        for rpc in ("GateService/Authenticate", "QuoteService/ListQuotes")
    }
    [other] = [span for _, span in spans if attributes(span).get("http.response.status_code") == 404]
    assert other.trace_id.hex() != TRACE
    assert not any(key in str(span) for _, span in spans)
