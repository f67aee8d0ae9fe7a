"""Promises of mail through kill -9: what was committed arrives, what arrives twice is the same mail, nothing arrives that
was not committed."""

import asyncio
import email
import random
import sys
import time

import aiohttp
import pytest

from server.mail.message import Letter, compose
from server.store import mail
from server.store.audit import Act
from server.store.database import Store
from server.store.mail import NewMail
from tests import stack
from tests.contract.test_sending import approved, send
from tests.doubles.smtp_servers import Handler, smtp_server
from tests.stack import EFFORT, Client

SENDER, RECIPIENT = "quotes@acme.example.com", "ann@customer.example.com"
#: With TEST_EFFORT=10 the twenty that are promised.
ROUNDS = 2 * EFFORT
OF_THE_SENDING = ("mail written, not committed", "mail committed, not answered")
OF_THE_WORKER = ("mail handed over, not written", "mail's outcome written, not committed")


def settings(port):
    """A short time for handing over, so that the leases of the dead end soon: that and five seconds."""
    return {"QW_SMTP_URL": f"smtp://localhost:{port}?starttls=never", "QW_SMTP_SECONDS": 0.5}


def crashing(running, command, point, **more):
    passed = random.Random(point).randint(1, 2)
    program = [sys.executable, "-m", "tests.doubles.crashing", point, str(passed)]
    return stack.begin(running, command, name=point.replace("'", ""), program=program, **more)


def rows(running, query):
    return [row[0] for row in running.rows(query)]


def post(running, organization, number):
    store = Store(running.database)
    act = Act(organization.organization_id, True, "operator", "", time.time_ns() // 1000)
    for _ in range(number):
        message_id = f"<{random.SystemRandom().randrange(2**60)}@acme.example.com>"
        content = compose(Letter(message_id, "Acme", SENDER, RECIPIENT, "A quote", "Hello", act.at))
        new = NewMail(message_id, "quote", "quote:1", SENDER, RECIPIENT, content)
        store.write_now(lambda new=new: mail.post(act, new))
    store.close()


async def all_handed_over(running, handler, command, port):
    """What a process that lives hands over of the rest; the Message-IDs that were committed."""
    last = await asyncio.to_thread(stack.start, running, command, name="last", **settings(port))
    committed = set(rows(running, "select message_id from mail"))
    deadline = time.monotonic() + 30
    while set(rows(running, "select status from mail")) != {"sent"}:
        assert time.monotonic() < deadline, last.log.read_text()
        await asyncio.sleep(0.1)
    assert await asyncio.to_thread(last.stop) == 0
    return committed


def check(handler, committed):
    arrived = {}
    for one in handler.received:
        message_id = email.message_from_bytes(one.content)["Message-ID"]
        assert arrived.setdefault(message_id, one.content) == one.content
    assert set(arrived) == committed, "what arrives was committed, and the other way round"


async def test_no_committed_mail_is_lost_where_the_worker_dies_around_handing_it_over(tmp_path):
    await die_around_handing_over(tmp_path, rounds=1)


async def test_a_quote_is_sent_with_its_mail_or_not_at_all_where_the_service_dies(tmp_path):
    await die_around_sending(tmp_path, rounds=1)


@pytest.mark.long
@pytest.mark.timeout(120 + 90 * ROUNDS)
async def test_many_rounds_around_handing_over(tmp_path, database_url):
    await die_around_handing_over(tmp_path, ROUNDS, database_url)


@pytest.mark.long
@pytest.mark.timeout(120 + 90 * ROUNDS)
async def test_many_rounds_around_sending(tmp_path, database_url):
    await die_around_sending(tmp_path, ROUNDS, database_url)


async def die_around_handing_over(tmp_path, rounds, database_url=""):
    running = stack.Stack(tmp_path, 0, 0, 0, database_url)
    organization = running.organization()
    handler = Handler()
    async with smtp_server(handler) as port:
        for point in OF_THE_WORKER * rounds:
            post(running, organization, 4)
            process = crashing(running, "worker", point, **settings(port))
            code = await asyncio.to_thread(process.wait, within=60)
            assert code == -9, f"did not crash: {process.log.read_text()}"
        committed = await all_handed_over(running, handler, "worker", port)
    check(handler, committed)
    assert len(committed) == 4 * len(OF_THE_WORKER) * rounds
    assert len(handler.received) > len(committed), "some arrived twice: it died where it is about"


async def die_around_sending(tmp_path, rounds, database_url=""):
    running = stack.Stack(tmp_path, stack.free_port(), stack.free_port(), stack.free_port(), database_url)
    organization = running.organization()
    handler = Handler()
    async with smtp_server(handler) as port:
        for point in OF_THE_SENDING * rounds:
            process = crashing(running, "serve", point, **settings(port))
            await asyncio.to_thread(process.wait_ready)
            async with Client(running) as client:
                quotes = [await approved(client, organization) for _ in range(3)]
                for quote_id in quotes:
                    try:
                        assert (await send(client, organization, quote_id)).status == 200
                    except aiohttp.ClientError:
                        break
            code = await asyncio.to_thread(process.wait, within=60)
            assert code == -9, f"did not crash: {process.log.read_text()}"
        committed = await all_handed_over(running, handler, "serve", port)
    check(handler, committed)
    sent = rows(running, "select 'quote:' || id from quote where status = 'sent' order by id")
    assert sorted(rows(running, "select about from mail")) == sorted(sent)
    assert rows(running, "select count(*) from quote_link") == [len(sent)]
    assert rows(running, "select count(*) from event where type = 'quote.sent'") == [len(sent)]
