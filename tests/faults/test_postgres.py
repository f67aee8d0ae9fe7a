"""Promises of a PostgreSQL that restarts, fails over, hangs or is locked: refusals with 503 meanwhile, nothing lost."""

import asyncio
import contextlib
import sys
import time

import psycopg
import pytest

from tests import stack
from tests.faults.books import Books, ready_again
from tests.postgres_server import postgres_server
from tests.stack import Client

SHORT = {"QW_ANSWER_SECONDS": 4}


@pytest.fixture
def own_server():
    """A server that the test may break, whose commits wait for its disk."""
    with postgres_server(durable=True) as server:
        yield server


@pytest.mark.long
@pytest.mark.parametrize("how", ["stop", "kill"])
async def test_after_a_restart_everything_goes_on_by_itself(tmp_path, own_server, how, measured):
    with stack.combined(tmp_path, own_server.create(), **SHORT) as running:
        books = Books(running.organization())
        async with Client(running) as client:
            async with books.written(client, 4):
                await books.wait_for(10)
                await asyncio.to_thread(getattr(own_server, how))
                refused = await client.generate(books.organization.live_key, "Fit a ceiling fan")
                assert (refused.status, refused.reason) == (503, "unavailable")
                await asyncio.to_thread(own_server.start)
                measured("ready again", await ready_again(client, books.organization.live_key))
            await books.check(client, running)


@pytest.mark.long
async def test_a_failover_to_a_synchronous_standby_loses_nothing(tmp_path, own_server, measured):
    url = own_server.create()
    with own_server.standby() as standby:
        both = f"127.0.0.1:{own_server.port},127.0.0.1:{standby.port}"
        hosts = url.replace(f"127.0.0.1:{own_server.port}", both) + "?target_session_attrs=read-write"
        with stack.combined(tmp_path, hosts, **SHORT) as running:
            books = Books(running.organization())
            async with Client(running) as client:
                async with books.written(client, 4):
                    await books.wait_for(10)
                    await asyncio.to_thread(own_server.kill)
                    began = time.monotonic()
                    await asyncio.to_thread(standby.promote)
                    promoted = time.monotonic() - began
                    await ready_again(client, books.organization.live_key)
                    await books.persist(client, books.organization.live_key, "after the failover")
                    measured("promotion", promoted)
                    measured("refusals", books.last_trouble - books.first_trouble)
                    # The promotion is not ours: what comes on top of it is.
                    assert books.last_trouble - books.first_trouble < promoted + 10
                await books.check(client, running)


@pytest.mark.long
async def test_a_commit_waits_for_the_standby_and_is_not_acknowledged_before(tmp_path, own_server):
    """A slow disk of the database, as the service sees it: no commit ends."""
    with own_server.standby() as standby, stack.combined(tmp_path, own_server.create(), **SHORT) as running:
        books = Books(running.organization())
        key = books.organization.live_key
        async with Client(running) as client:
            await books.persist(client, key, "before")
            standby.pause()
            try:
                assert await books.ask(client, key, "once") is None
                assert books.seen["504"] + books.seen["503"] == 1
                # Longer than a statement may take: the wait for the standby is none.
                await asyncio.sleep(16)
                assert await books.ask(client, key, "once") is None
                assert (await client.request("GET", "/api/v1/quotes", key=key)).status == 200, "reading goes on"
            finally:
                standby.resume()
            books.acknowledged["once"] = (await books.persist(client, key, "once")).json()
            await books.check(client, running)


@pytest.mark.long
async def test_a_process_that_hangs_in_its_turn_loses_it(tmp_path, postgres, measured):
    url = postgres.create()
    with stack.combined(tmp_path / "good", url, **SHORT) as running:
        books = Books(running.organization())
        key = books.organization.live_key
        other = stack.Stack(tmp_path / "hanging", stack.free_port(), stack.free_port(), stack.free_port(), url)
        program = [sys.executable, "-m", "tests.doubles.crashing", "--stop", "event written, not committed", "1"]
        hanging = stack.begin(other, "serve", program=program, **SHORT)
        try:
            await asyncio.to_thread(hanging.wait_ready, 60)
            async with Client(running) as client, Client(other) as asking:
                lost = asyncio.ensure_future(books.ask(asking, key, "in the turn of the hanging"))
                # Until it has the turn and stops.
                await stopped(hanging)
                began = time.monotonic()
                answer = await books.persist(client, key, "beside it")
                measured("turn lost after", time.monotonic() - began)
                books.acknowledged["beside it"] = answer.json()
                assert time.monotonic() - began < 30, "it held the turn for ever"
                hanging.resume()
                first = await lost
                assert first is None, "its transaction was ended: it cannot have been acknowledged"
                # What came to nothing can be asked again: of any process, once.
                books.acknowledged["again"] = (await books.persist(client, key, "in the turn of the hanging")).json()
                repeated = await books.persist(asking, key, "in the turn of the hanging")
                assert repeated.json() == books.acknowledged["again"]
                await books.check(client, running)
        finally:
            hanging.resume()
            assert await asyncio.to_thread(hanging.stop) == 0


async def stopped(process):
    deadline = time.monotonic() + 30
    while process.state != "T":
        assert time.monotonic() < deadline, "it has not stopped"
        await asyncio.sleep(0.02)


@pytest.mark.long
async def test_a_locked_table_is_503_to_those_who_read_and_write_it(tmp_path, postgres):
    with stack.combined(tmp_path, postgres.create(), QW_ANSWER_SECONDS=10) as running:
        books = Books(running.organization())
        key = books.organization.live_key
        async with Client(running) as client:
            books.acknowledged["before"] = (await books.persist(client, key, "before")).json()
            with contextlib.closing(psycopg.connect(running.database_url)) as locking:
                locking.execute("lock table quote in access exclusive mode")
                writing = books.ask(client, key, "locked out")
                reading = client.request("GET", "/api/v1/quotes", key=key)
                written, read = await asyncio.gather(writing, reading)
                assert (written, read.status, read.reason) == (None, 503, "unavailable")
            books.acknowledged["after"] = (await books.persist(client, key, "locked out")).json()
            await books.check(client, running)
