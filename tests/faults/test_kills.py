"""kill -9 at random under load: of the service, of a gateway, of a server. Nothing acknowledged is lost, nothing is done
twice, and it is ready again in seconds. A few kills in `make test`; 5 × TEST_EFFORT at random and 2 × TEST_EFFORT at each
named point of a request's way with `make faults`."""

import asyncio
import random
import sys
import time

import pytest

from tests import stack
from tests.faults.books import PATIENCE, Books, ready_again
from tests.stack import EFFORT, Client

#: With TEST_EFFORT=10 the fifty that are promised.
KILLS = 5 * EFFORT
ROUNDS = 2 * EFFORT
#: Where a request's change is, and who dies there (tests.doubles.crashing).
POINTS = [
    ("event written, not committed", "server"),
    ("event committed, not answered", "server"),
    ("batch committed, nobody told", "server"),
    ("gateway asked, client not answered", "gateway"),
]
#: Seconds of load before each.
LOAD = (0.2, 0.8)


async def test_the_service_killed_at_random_loses_nothing(tmp_path, database_url, measured):
    await kill_the_service(tmp_path, database_url, 2, measured)


@pytest.mark.long
@pytest.mark.timeout(120 + 20 * KILLS)
async def test_the_service_killed_at_random_many_times_loses_nothing(tmp_path, database_url, measured):
    await kill_the_service(tmp_path, database_url, KILLS, measured)


async def kill_the_service(tmp_path, database_url, kills, measured):
    random_load = random.Random(kills)
    with stack.combined(tmp_path, database_url) as running:
        books = Books(running.organization())
        async with Client(running) as client:
            for number in range(kills):
                async with books.written(client):
                    await asyncio.sleep(random_load.uniform(*LOAD))
                    running.processes[0].kill()
                    began = time.monotonic()
                    running.processes[0] = stack.begin(running, "serve", name=f"serve{number}", fresh=True)
                    await ready_again(client, books.organization.live_key)
                    measured("ready again", time.monotonic() - began)
            assert len(books.acknowledged) > 10 * kills, "the rounds wrote too little to prove anything"
            await books.check(client, running)


@pytest.mark.long
@pytest.mark.timeout(120 + 40 * KILLS)
@pytest.mark.parametrize("victim", ["server", "gateway"])
async def test_a_server_or_a_gateway_killed_at_random_loses_nothing(tmp_path, database_url, victim, measured):
    random_load = random.Random(KILLS)
    place = ["server", "gateway"].index(victim)
    with stack.split(tmp_path, database_url=database_url, QW_ANSWER_SECONDS=3) as running:
        books = Books(running.organization())
        async with Client(running) as client:
            for number in range(KILLS):
                async with books.written(client):
                    await asyncio.sleep(random_load.uniform(*LOAD))
                    running.processes[place].kill()
                    began = time.monotonic()
                    running.processes[place] = stack.begin(running, victim, name=f"{victim}{number}", fresh=True)
                    await ready_again(client, books.organization.live_key)
                    measured("ready again", time.monotonic() - began)
            await books.check(client, running)


@pytest.mark.long
@pytest.mark.timeout(120 + 120 * ROUNDS)
async def test_the_same_key_has_one_effect_wherever_on_its_way_the_request_is_lost(tmp_path, database_url, measured):
    with stack.split(tmp_path, database_url=database_url, QW_ANSWER_SECONDS=3) as running:
        books = Books(running.organization())
        async with Client(running) as client:
            async with books.written(client, writers=4):
                for number in range(ROUNDS):
                    for point, victim in POINTS:
                        place = ["server", "gateway"].index(victim)
                        running.processes[place].kill()
                        passed = random.Random(f"{point}{number}").randint(2, 6)
                        program = [sys.executable, "-m", "tests.doubles.crashing", point, str(passed)]
                        dying = running.processes[place] = stack.begin(
                            running, victim, name=f"{point} {number}", program=program, QW_ANSWER_SECONDS=3
                        )
                        assert await asyncio.to_thread(dying.wait, within=PATIENCE) == -9, dying.log.read_text()
                        running.processes[place] = stack.begin(
                            running, victim, name=f"{victim}{number}", QW_ANSWER_SECONDS=3
                        )
                measured("ready again", await ready_again(client, books.organization.live_key))
            await books.check(client, running)
    assert books.seen["503"] + books.seen["ServerDisconnectedError"] > 0, "nobody noticed: the rounds prove nothing"
