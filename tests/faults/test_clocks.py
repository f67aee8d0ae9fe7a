"""Promises of a clock that jumps while the service runs: nobody is refused, nothing is done twice, limits hold."""

import asyncio
import sys

import pytest

from tests.faults.books import Books
from tests.stack import Client, Stack, begin, free_port, stopping

HOUR = 3600


@pytest.fixture
def jumping(tmp_path):
    """The service, and the file that says by how many seconds its clock is wrong."""
    offset = tmp_path / "offset"
    offset.write_text("0")
    running = Stack(tmp_path / "data", free_port(), free_port(), free_port())
    program = [sys.executable, "-m", "tests.doubles.clock", str(offset)]
    process = begin(running, "serve", program=program, fresh=True)
    running.processes.append(process)
    with stopping(running):
        process.wait_ready(60)
        yield running, offset


async def test_whatever_the_clock_does_every_request_is_answered_once(jumping):
    running, offset = jumping
    books = Books(running.organization())
    limited = running.organization(rate=10)
    async with Client(running) as client:

        async def admitted():
            asked = [client.request("GET", "/api/v1/quotes", key=limited.live_key) for _ in range(15)]
            return [answer.status for answer in await asyncio.gather(*asked)].count(200)

        assert await admitted() == 10
        async with books.written(client, 4):
            for hours in (3, 0, -3, 0, 20, -20, 0):
                await books.wait_for(8)
                offset.write_text(str(hours * HOUR))
                repeated = next(reversed(books.acknowledged))
                again = await books.repeat(client, repeated)
                assert again == books.acknowledged[repeated], f"a second effect at {hours} h"
        await books.check(client, running)
        assert await admitted() == 0, "the minute of the limit is a true one"
    assert set(books.seen) == {"200"}, books.seen
