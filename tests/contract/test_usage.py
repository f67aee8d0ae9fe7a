"""Promises of usage: each request of an organization counts once, over all processes, and outlives them."""

import asyncio
import contextlib
import time

import grpc
import pytest
from quotewright.v1 import quote_pb2, quote_pb2_grpc

from tests import stack
from tests.stack import Client

GENERATE = "QuoteService/GenerateQuote"


async def usage(client, organization, days=1):
    answer = await client.request("GET", f"/api/v1/usage?days={days}", session=organization.session)
    assert answer.status == 200, answer.body
    return answer.json()


def requests_of(found, operation):
    """Live and test requests to an operation."""
    for one in found["operations"]:
        if one["operation"] == operation:
            return int(one["live_requests"]), int(one["test_requests"])
    return 0, 0


async def told(client, organization, operation, wanted):
    """Usage, once so many requests are counted, live and test."""
    for _ in range(200):
        found = await usage(client, organization)
        if requests_of(found, operation) == wanted:
            return found
        await asyncio.sleep(0.1)
    raise AssertionError(found)


@pytest.fixture
async def clients(running):
    """A client of each gateway."""
    async with contextlib.AsyncExitStack() as opened:
        ports = (running.https_port, *running.more_https_ports)
        yield [await opened.enter_async_context(Client(running, port=port)) for port in ports]


async def test_requests_and_quotes_are_counted_by_mode_over_all_processes(running, clients):
    organization = running.organization("Used", rate=1000)
    for number in range(6):
        client = clients[number % len(clients)]
        assert (await client.generate(organization.live_key, "Replace 12 m of guttering")).status == 200
    for _ in range(2):
        await clients[0].generate(organization.test_key, "Replace 12 m of guttering")
    assert (await clients[0].generate(organization.live_key, "")).status == 422
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        request = quote_pb2.GenerateQuoteRequest(text="Replace 12 m of guttering")
        metadata = (("x-api-key", organization.live_key),)
        await quote_pb2_grpc.QuoteServiceStub(channel).GenerateQuote(request, metadata=metadata, timeout=20)
    found = await told(clients[0], organization, GENERATE, (8, 2))
    assert (found["plan"], found["requests_per_minute"]) == ("Enterprise", 1000)
    (today,) = found["days"]
    assert today["date"] == time.strftime("%Y-%m-%d", time.gmtime())
    assert (today["live"]["quotes"], today["test"]["quotes"]) == ("7", "2")
    assert (today["live"]["failed"], today["live"]["refused"]) == ("1", "0")
    most = 7 if len(clients) == 1 else 4
    assert today["live"]["busiest_minute"] >= most  # the polls of usage count, too
    assert today["test"]["busiest_minute"] == 2


async def test_what_an_allowance_refuses_is_told(running, client):
    organization = running.organization("Refused", rate=3)
    statuses = [(await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status for _ in range(5)]
    assert statuses == [200] * 3 + [429] * 2
    ((live, refused, busiest),) = await _stored(
        running, organization, "select requests, refused, busiest_minute from usage_count where organization_id = ?"
    )
    assert (live, refused, busiest) == (5, 2, 3)


async def _stored(running, organization, sql):
    for _ in range(200):
        rows = running.rows(sql, organization.organization_id)
        if rows:
            return rows
        await asyncio.sleep(0.1)
    raise AssertionError("nothing was stored")


async def test_pages_and_links_are_no_use_of_the_plan(running, client):
    organization = running.organization("Pages")
    cookie = {"Cookie": f"__Host-qw_session={organization.session}"}
    assert (await client.page("GET", "/usage", headers=cookie)).status == 200
    await client.request("GET", "/api/v1/quotes", key=organization.live_key)
    await _stored(running, organization, "select requests from usage_count where organization_id = ?")
    found = await usage(client, organization)
    assert [one["operation"] for one in found["operations"]] == ["QuoteService/ListQuotes"]


async def test_days_come_without_gaps_and_nobody_elses(running, client, organization):
    stranger = running.organization("Stranger")
    await client.generate(organization.live_key, "Replace 12 m of guttering")
    found = await usage(client, stranger, days=366)
    assert len(found["days"]) == 366
    assert found["operations"] == []
    assert (await client.request("GET", "/api/v1/usage?days=367", session=stranger.session)).fields() == {
        ("days", "uint32.gte_lte")
    }
    assert (await client.request("GET", "/api/v1/usage", key=stranger.live_key)).status == 401


async def test_what_was_counted_last_outlives_a_stop(tmp_path):
    with stack.combined(tmp_path) as running:
        organization = running.organization()
        async with Client(running) as client:
            for _ in range(3):
                await client.request("GET", "/api/v1/quotes", key=organization.live_key)
    rows = running.rows("select operation, requests from usage_count where livemode = ?", True)
    assert rows == [("QuoteService/ListQuotes", 3)]
