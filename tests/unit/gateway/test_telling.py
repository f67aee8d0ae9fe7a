"""Promises of what is told of requests that have ended: whoever reads the numbers reads all of them, and a line has the
time of its request."""

import io
import time

import orjson
import pytest
from prometheus_client import CollectorRegistry

from gateway.admission import NOBODY, Caller
from gateway.connection import Connections
from gateway.telling import MOST_AT_ONCE, Ended, Telling
from process.log import Log, printed
from process.usage import UsageCounter, Use


class Gate:
    """Has been asked for nobody."""

    hits = misses = 0
    trusts_memory = True


class Told:
    """A telling, and what it has written."""

    def __init__(self):
        self.registry = CollectorRegistry()
        self.usage = UsageCounter()
        self.stream = io.StringIO()
        self.log = Log("gateway", self.stream)
        self.telling = Telling(self.registry, Gate(), Connections(10, 10), self.usage, self.log)

    def requests(self, status):
        labels = {"method": "POST", "route": "/api/v1/prices", "status": str(status)}
        return self.registry.get_sample_value("quotewright_http_requests_total", labels)

    def lines(self):
        self.log.flush()
        return [orjson.loads(line) for line in self.stream.getvalue().splitlines()]


@pytest.fixture
def told():
    return Told()


def ended(status=200, *, at=None, caller=None, reason="", policy=""):
    where = printed(route="/api/v1/prices", rpc="/quotewright.v1.SourcingService/FindPrices")
    return Ended(
        time.time() if at is None else at, 0.0015, "POST", status, "/api/v1/prices", "SourcingService/FindPrices", where,
        caller, reason, policy, 4, "req_1", f"00-{'a' * 32}-{'b' * 16}-00", "192.0.2.1",
    )  # fmt: skip


def caller(organization_id, *, by_link=False):
    return Caller(
        1, organization_id, True, 0, "key", frozenset(), "", 60, 0.0, b"", 0.0, by_link,
        printed(organization_id=organization_id, credential_id="key", livemode=True),
    )  # fmt: skip


async def test_numbers_that_are_read_hold_what_has_just_ended(told):
    told.telling.note(ended())
    told.telling.note(ended(429, reason="quota_exceeded", policy="organization"))
    assert told.requests(200) == 1
    assert told.requests(429) == 1
    problems = told.registry.get_sample_value("quotewright_http_problems_total", {"reason": "quota_exceeded"})
    refused = told.registry.get_sample_value("quotewright_quota_refusals_total", {"policy": "organization"})
    assert (problems, refused) == (1, 1)


async def test_a_crowd_is_told_of_before_it_grows(told):
    for _ in range(MOST_AT_ONCE):
        told.telling.note(ended())
    assert len(told.lines()) == MOST_AT_ONCE


async def test_a_line_has_the_time_at_which_its_request_ended(told):
    told.telling.note(ended(at=1_700_000_000.25))
    assert told.lines() == []
    told.telling.flush()
    (line,) = told.lines()
    assert (line["time"], line["event"], line["ms"]) == ("2023-11-14T22:13:20.250Z", "request", 1.5)
    assert (line["route"], line["trace_id"], line["client"]) == ("/api/v1/prices", "a" * 32, "192.0.2.1")
    assert f",{NOBODY}," in told.stream.getvalue()


async def test_use_counts_on_the_day_of_the_request_and_not_for_customers_with_links(told):
    at = 1_700_000_000.0
    for one in (
        ended(at=at, caller=caller(7)),
        ended(429, at=at, caller=caller(7)),
        ended(500, at=at, caller=caller(7)),
    ):
        told.telling.note(one)
    told.telling.note(ended(caller=caller(8, by_link=True)))
    told.telling.note(ended())
    told.telling.flush()
    ((use, figures),) = told.usage.take().items()
    assert use == Use(7, True, 19_675, "SourcingService/FindPrices")
    assert (figures.requests, figures.refused, figures.failed, figures.busiest_minute) == (3, 1, 1, 4)
