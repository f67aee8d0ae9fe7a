"""Promises of processes that hang (SIGSTOP) and go on: callers are told in time, and nobody does what another has done."""

import asyncio
import sys
import time

import pytest
from quotewright.v1 import event_pb2

from tests import stack
from tests.doubles.receivers import receiver
from tests.faults.books import Books, ready_again
from tests.faults.test_webhook_crashes import SETTINGS, check, column, delivered_in_the_end, endpoint, happen
from tests.stack import Client


@pytest.mark.long
async def test_a_hanging_server_is_told_in_time_and_goes_on_where_it_was(tmp_path, database_url, measured):
    with stack.split(tmp_path, database_url=database_url, QW_ANSWER_SECONDS=3) as running:
        books = Books(running.organization())
        key = books.organization.live_key
        async with Client(running) as client:
            async with books.written(client, 4):
                await books.wait_for(10)
                running.processes[0].pause()
                try:
                    began = time.monotonic()
                    answer = await client.request("GET", "/api/v1/quotes", key=key)
                    assert answer.status in (503, 504)
                    measured("told after", time.monotonic() - began)
                    await asyncio.sleep(3)
                finally:
                    running.processes[0].resume()
                measured("ready again", await ready_again(client, key))
                await books.wait_for(10)
            await books.check(client, running)


@pytest.mark.long
async def test_a_hanging_gateway_or_service_goes_on_where_it_was(tmp_path, database_url):
    with stack.combined(tmp_path, database_url) as running:
        books = Books(running.organization())
        async with Client(running) as client:
            async with books.written(client, 4):
                await books.wait_for(10)
                running.processes[0].pause()
                await asyncio.sleep(6)
                running.processes[0].resume()
                await books.wait_for(10)
            await books.check(client, running)


@pytest.mark.long
async def test_what_a_hanging_worker_has_claimed_is_delivered_by_another(tmp_path, database_url):
    running = stack.Stack(tmp_path, 0, 0, 0, database_url)
    organization = running.organization()
    async with receiver() as one:
        one.secret = endpoint(running, organization, one.url)
        happen(running, organization, 6)
        program = [sys.executable, "-m", "tests.doubles.crashing", "--stop", "lease committed, not sent", "1"]
        hanging = stack.begin(running, "worker", name="hanging", program=program, **SETTINGS)
        try:
            deadline = time.monotonic() + 60
            while hanging.state != "T":
                assert time.monotonic() < deadline, hanging.log.read_text()
                await asyncio.sleep(0.02)
            from_others = await delivered_in_the_end(running, one, "worker", event_pb2.CustomerCreatedEvent)
            hanging.resume()
            await asyncio.sleep(2)
        finally:
            hanging.resume()
            assert await asyncio.to_thread(hanging.stop) == 0
        check(one, from_others)
    assert set(column(running, "select status from webhook_delivery")) == {"delivered"}
