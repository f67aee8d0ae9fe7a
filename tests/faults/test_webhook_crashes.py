"""Promises of delivery through kill -9: no committed event is lost, and what arrives twice carries the same id.

Eight points of an event's way; a round at each in `make test`, more and on both databases with `make faults`.
"""

import asyncio
import random
import sys
import time

import aiohttp
import pytest
from quotewright.v1 import customer_pb2, event_pb2

from server import events
from server.store import customers
from server.store.audit import Act
from server.store.customers import Details
from server.store.database import Store
from tests import stack
from tests.doubles.crashing import POINTS
from tests.doubles.receivers import receiver
from tests.stack import EFFORT, Client

TEXT = "Fit three ceiling fans in Nashville"
#: Short tries, so that the leases of the dead end soon: a try's time and five seconds.
SETTINGS = {"QW_WEBHOOK_ALLOWED_NETWORKS": "127.0.0.0/8", "QW_WEBHOOK_ATTEMPT_SECONDS": 0.5}
OF_THE_CHANGE = [point for point in POINTS if point.startswith(("event", "batch"))]
OF_THE_DELIVERY = [point for point in POINTS if not point.startswith(("event", "batch", "mail", "gateway"))]
#: With TEST_EFFORT=10 the twenty that are promised.
ROUNDS = 2 * EFFORT


async def test_no_committed_event_is_lost_where_the_service_dies_around_its_change(tmp_path):
    await die_around_the_change(tmp_path, rounds=1)


async def test_no_committed_event_is_lost_where_the_worker_dies_around_its_delivery(tmp_path):
    await die_around_the_delivery(tmp_path, rounds=1)


@pytest.mark.long
@pytest.mark.timeout(120 + 120 * ROUNDS)
async def test_many_rounds_around_the_change(tmp_path, database_url):
    await die_around_the_change(tmp_path, ROUNDS, database_url)


@pytest.mark.long
@pytest.mark.timeout(120 + 120 * ROUNDS)
async def test_many_rounds_around_the_delivery(tmp_path, database_url):
    await die_around_the_delivery(tmp_path, ROUNDS, database_url)


async def die_around_the_change(tmp_path, rounds, database_url=""):
    running = stack.Stack(tmp_path, stack.free_port(), stack.free_port(), stack.free_port(), database_url)
    organization = running.organization()
    acknowledged = set()
    async with receiver() as one:
        one.secret = endpoint(running, organization, one.url)
        for number in range(rounds):
            for point in OF_THE_CHANGE:
                process = crashing(running, "serve", point, number)
                if await asyncio.to_thread(process.is_ready):
                    async with Client(running) as client:
                        await asyncio.gather(*(write(client, organization.test_key, acknowledged) for _ in range(2)))
                assert await asyncio.to_thread(process.wait, within=60) == -9, (
                    f"did not crash: {process.log.read_text()}"
                )
        committed = await delivered_in_the_end(running, one, "serve", event_pb2.QuoteCreatedEvent)
    check(one, committed)
    quotes = dict.fromkeys(column(running, "select id from quote order by id"))
    assert acknowledged <= set(quotes), "what was acknowledged was committed"
    assert sorted(event.data.object.quote_id for event in committed.values()) == list(quotes), "one event a quote"


async def die_around_the_delivery(tmp_path, rounds, database_url=""):
    running = stack.Stack(tmp_path, 0, 0, 0, database_url)
    organization = running.organization()
    async with receiver() as one:
        one.secret = endpoint(running, organization, one.url)
        for number in range(rounds):
            for point in OF_THE_DELIVERY:
                happen(running, organization, 6)
                process = crashing(running, "worker", point, number)
                # It may wait for the leases of the one before it.
                code = await asyncio.to_thread(process.wait, within=60)
                assert code == -9, f"did not crash: {process.log.read_text()}"
        committed = await delivered_in_the_end(running, one, "worker", event_pb2.CustomerCreatedEvent)
    check(one, committed)
    made = column(running, "select id from customer order by id")
    assert sorted(event.data.object.customer_id for event in committed.values()) == made
    if rounds > 1:
        assert len(one.received) > len(committed), "some arrived twice: the rounds hit what they are about"


def endpoint(running, organization, url):
    return running.run(
        "webhooks", "create", "--organization", str(organization.organization_id), "--mode", "test", "--url", url, **SETTINGS,
    )["secret"]  # fmt: skip


def crashing(running, command, point, number):
    """The process, which will kill itself."""
    passed = random.Random(f"{point}{number}").randint(1, 3)
    program = [sys.executable, "-m", "tests.doubles.crashing", point, str(passed)]
    return stack.begin(running, command, name=f"{point} {number}", program=program, **SETTINGS)


def happen(running, organization, number):
    """Customers with their events."""
    store = Store(running.database)
    act = Act(organization.organization_id, False, "operator", "", time.time_ns() // 1000)

    def work():
        for _ in range(number):
            made = customers.create(
                act.organization_id, False, Details("Ann"), lead_id=0, quote_id=0, created_by="operator", at=act.at
            )
            events.record(act, "customer.created", customer_pb2.Customer(customer_id=made.customer_id))

    store.write_now(work)
    store.close()


async def write(client, key, acknowledged):
    """Quotes until the connection breaks."""
    for _ in range(200):
        try:
            answer = await client.generate(key, TEXT)
        except aiohttp.ClientError:
            return
        if answer.status == 200:
            acknowledged.add(answer.json()["quote_id"])


async def delivered_in_the_end(running, one, command, message):
    """What a process that lives delivers the rest of; every committed event by id."""
    last = await asyncio.to_thread(stack.start, running, command, name="last", **SETTINGS)
    rows = column(running, "select payload from event order by id")
    committed = {event.id: event for event in map(message.FromString, rows)}
    deadline = time.monotonic() + 30
    while {delivery.id for delivery in one.received} < set(committed):
        assert time.monotonic() < deadline, "not all that was committed has arrived"
        await asyncio.sleep(0.1)
    assert await asyncio.to_thread(last.stop) == 0
    return committed


def check(one, committed):
    bodies = {}
    for delivery in one.received:
        assert delivery.event["id"] == delivery.id
        assert bodies.setdefault(delivery.id, delivery.body) == delivery.body
    assert set(bodies) == set(committed), "what arrives was committed, and the other way round"


def column(running, query):
    return [row[0] for row in running.rows(query)]
