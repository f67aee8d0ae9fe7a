"""Promises of reports of use: nothing counts twice, and nothing is lost while the server is away for a while."""

import pytest
from google.rpc import code_pb2, status_pb2
from quotewright.contract import FILES
from quotewright.v1 import gate_pb2

from gateway.usage import MOST_AT_ONCE, MOST_WAITING, UsageReporter
from process import contract


class Server:
    """Takes reports, or is away."""

    def __init__(self):
        self.away = False
        self.reports = []

    async def call(self, rpc, request, metadata, timeout):
        assert (rpc.operation, metadata) == ("GateService/ReportUsage", {"authorization": "Bearer secret"})
        self.reports.append(gate_pb2.ReportUsageRequest.FromString(request.SerializeToString()))
        if self.away:
            return status_pb2.Status(code=code_pb2.UNAVAILABLE, message="away"), {}
        return gate_pb2.ReportUsageResponse(), {}


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def reporter(server):
    (rpc,) = (one for one in contract.rpcs(FILES) if one.operation == "GateService/ReportUsage")
    return UsageReporter(server, rpc, "secret", lambda *_, **__: None)


async def test_what_was_not_answered_is_sent_again_under_its_id(server, reporter):
    reporter.counter.note(7, "A/B", livemode=True, refused=True, in_minute=5)
    server.away = True
    await reporter.report()
    reporter.counter.note(7, "A/B", livemode=True)
    await reporter.report()
    server.away = False
    await reporter.stop()
    first, again, last, later = server.reports
    assert first == again == last
    assert first.report_id != later.report_id
    (count,) = first.counts
    assert (count.organization_id, count.livemode, count.operation) == (7, True, "A/B")
    assert (count.requests, count.refused, count.failed, count.busiest_minute) == (1, 1, 0, 5)
    assert later.counts[0].requests == 1
    await reporter.report()
    assert len(server.reports) == 4  # nothing was used since


async def test_what_waits_is_bounded(server, reporter):
    server.away = True
    for _ in range(MOST_WAITING + 5):
        reporter.counter.note(7, "A/B", livemode=True)
        await reporter.report()
    server.away, server.reports = False, []
    await reporter.report()
    assert len(server.reports) == MOST_WAITING


async def test_a_report_holds_no_more_than_the_contract_takes(server, reporter):
    for number in range(MOST_AT_ONCE + 1):
        reporter.counter.note(number + 1, "A/B", livemode=True)
    await reporter.report()
    assert [len(one.counts) for one in server.reports] == [MOST_AT_ONCE, 1]
