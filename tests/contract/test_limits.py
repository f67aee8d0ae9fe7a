"""Promises of the limits as clients meet them: over two gateways that share Redis, when Redis fails, and under load."""

import asyncio
import contextlib
import socket
import time

import pytest

from tests import stack
from tests.redis_server import redis_server
from tests.stack import Client

QUOTES = "/api/v1/quotes"
CLIENTS = 64


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    with redis_server(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture(scope="module")
def gateways(tmp_path_factory, redis):
    """A server and two gateways that share Redis, which a busy machine may keep from answering for a while."""
    folder = tmp_path_factory.mktemp("shared")
    with stack.split(folder, gateways=2, QW_REDIS_URL=redis.url, QW_REDIS_SECONDS=2) as running:
        yield running


@pytest.fixture
async def clients(gateways):
    """A client of each gateway."""
    async with Client(gateways) as one, Client(gateways, port=gateways.more_https_ports[0]) as other:
        yield [one, other]


async def ask_from_all_sides(clients, key, rounds):
    """The answers to 64 clients, spread over the gateways, that ask so many times each, and how long each took."""

    async def ask(number):
        answers = []
        for _ in range(rounds):
            began = time.monotonic()
            answer = await clients[number % len(clients)].request("GET", QUOTES, key=key)
            answers.append((answer, time.monotonic() - began))
        return answers

    per_client = await asyncio.gather(*(ask(number) for number in range(CLIENTS)))
    return [answer for answers in per_client for answer in answers]


def admitted(answers):
    """How many were; all others must have been refused for their number."""
    assert {(answer.status, answer.status == 429 and answer.reason) for answer, _ in answers} <= {
        (200, False),
        (429, "quota_exceeded"),
    }
    return sum(answer.status == 200 for answer, _ in answers)


async def wait_until_shared(gateways, clients, redis):
    """Until both gateways count in Redis again."""
    organization = gateways.organization("Probe")
    deadline = time.monotonic() + 10
    key = f"quotewright:organization:{organization.organization_id}:True"
    for client in clients:
        while (before := redis.client().llen(key)) == await asked(client, organization, redis, key):
            assert time.monotonic() < deadline, before
            await asyncio.sleep(0.05)


async def asked(client, organization, redis, key):
    assert (await client.request("GET", QUOTES, key=organization.live_key)).status == 200
    return redis.client().llen(key)


async def changes(gateways, last):
    """The changes of state in the gateways' logs, as soon as the last ones there are this."""
    deadline = time.monotonic() + 10
    found = changes_logged(gateways)
    while {each[-1] for each in found} != {last}:
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.05)
        found = changes_logged(gateways)
    return found


def changes_logged(gateways):
    events = [[line["event"] for line in process.events()] for process in gateways.processes[1:]]
    return [[event for event in each if event in ("quota_shared", "quota_local")] for each in events]


async def test_clients_of_two_gateways_get_exactly_the_allowance_together(gateways, clients):
    organization = gateways.organization("Shared", rate=100)
    answers = await ask_from_all_sides(clients, organization.live_key, rounds=4)
    assert admitted(answers) == 100
    remaining = [int(answer.headers["X-RateLimit-Remaining"]) for answer, _ in answers if answer.status == 200]
    assert sorted(remaining) == list(range(100))
    # The other mode has its own, and a session of the organization counts like its live key.
    assert (await clients[0].request("GET", QUOTES, key=organization.test_key)).status == 200
    assert (await clients[1].request("GET", QUOTES, session=organization.session)).status == 429


@pytest.mark.parametrize("fault", ["kill", "pause"])
async def test_redis_fails_under_load_and_every_request_is_decided(gateways, clients, redis, fault):
    organization = gateways.organization(fault, rate=120)
    load = asyncio.ensure_future(ask_from_all_sides(clients, organization.live_key, rounds=8))
    await asyncio.sleep(0.1)
    getattr(redis, fault)()
    answers = await load
    # Each gateway falls back to what it has admitted itself: never open, and never under the allowance.
    assert 120 <= admitted(answers) <= 2 * 120
    assert max(seconds for _, seconds in answers) < 5
    await changes(gateways, "quota_local")
    if fault == "kill":
        redis.start()
    else:
        redis.resume()
    await wait_until_shared(gateways, clients, redis)
    assert await shared_allowance(gateways, clients) == 100
    told = await changes(gateways, "quota_shared")
    assert all(each[position] != each[position + 1] for each in told for position in range(len(each) - 1))


async def shared_allowance(gateways, clients):
    organization = gateways.organization("Again", rate=100)
    return admitted(await ask_from_all_sides(clients, organization.live_key, rounds=3))


def half_asked(running, credential, path="/api/v1/sourcing/price"):
    """A connection whose request is under way: its body has not all arrived."""
    plain = socket.create_connection(("127.0.0.1", running.https_port), timeout=10)
    connection = running.tls().wrap_socket(plain, server_hostname="localhost")
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {credential}\r\n"
        "Content-Type: application/json\r\nContent-Length: 30\r\n\r\n{".encode()
    )
    # What asks meanwhile would hold a slot itself, and might have this one refused.
    connection.settimeout(0.3)
    with pytest.raises(TimeoutError):
        connection.recv(1)
    connection.settimeout(10)
    return connection


async def refused_as(client, key, status, reason):
    """Ask until the slots are seen to be taken; the refusal."""
    deadline = time.monotonic() + 5
    while (answer := await client.request("GET", QUOTES, key=key)).status == 200:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    assert (answer.status, answer.reason) == (status, reason)
    assert int(answer.headers["Retry-After"]) >= 1
    return answer


async def test_too_much_at_once_is_refused_at_once_and_uses_nothing_up(tmp_path):
    settings = {"QW_MOST_CONCURRENT": 3, "QW_MOST_CONCURRENT_PER_ORGANIZATION": 2}
    with stack.combined(tmp_path, **settings) as running:
        one, two = running.organization("One", rate=10_000), running.organization("Two", rate=10_000)
        async with Client(running) as client, contextlib.AsyncExitStack() as under_way:
            mine = [under_way.enter_context(half_asked(running, one.live_key)) for _ in range(2)]
            refused = await refused_as(client, one.test_key, 429, "concurrency_exceeded")
            assert refused.json()["error"]["details"]["limit"] == 2
            # Told where the allowance stands, which the refusal has not touched.
            again = await client.request("GET", QUOTES, key=one.test_key)
            assert again.headers["X-RateLimit-Remaining"] == refused.headers["X-RateLimit-Remaining"]
            # A missing key or scope is said first.
            assert (await client.request("GET", QUOTES)).status == 401
            assert (await client.request("GET", QUOTES, key=one.bare_key)).status == 403

            others = under_way.enter_context(half_asked(running, two.live_key))
            refused = await refused_as(client, two.test_key, 503, "overloaded")
            assert "X-RateLimit-Remaining" in refused.headers
            # What needs no key is still answered: it takes no slot.
            assert (await client.request("GET", "/api/v1/config")).status == 200

            # One is answered, one is cut off, one gives up: every slot comes back.
            mine[0].sendall(b'"query": "wood fence"       }')
            assert mine[0].recv(1000).startswith(b"HTTP/1.1 200")
            mine[1].close()
            others.shutdown(socket.SHUT_RDWR)
            await answered(client, [one.live_key, two.live_key])
            # Errors let go of theirs, too.
            for _ in range(5):
                assert (await client.generate(one.live_key, "")).status == 422
            for _ in range(2):
                under_way.enter_context(half_asked(running, one.live_key))
            await refused_as(client, one.test_key, 429, "concurrency_exceeded")


async def test_a_user_has_four_texts_read_at_a_time(running, client):
    organization = running.organization("Four")
    colleague = running.member(organization.organization_id, "editor")
    with contextlib.ExitStack() as under_way:
        path = "/api/writing-assist/proofread"
        texts = [under_way.enter_context(half_asked(running, organization.session, path)) for _ in range(4)]
        refused = await proofread(client, organization.session)
        assert (refused.status, refused.reason) == (429, "concurrency_exceeded")
        assert refused.json()["error"]["details"]["limit"] == 4
        # Others of the workspace, and what is no text assist, are not concerned.
        assert (await proofread(client, colleague)).status == 200
        assert (await client.request("GET", QUOTES, session=organization.session)).status == 200
        texts[0].sendall(b'"text":"a","field_kind":"id"}')
        assert texts[0].recv(1000).startswith(b"HTTP/1.1 200")
        assert (await proofread(client, organization.session)).status == 200


async def proofread(client, session):
    body = {"text": "a", "field_kind": "id"}
    return await client.request("POST", "/api/writing-assist/proofread", session=session, json=body)


async def answered(client, keys):
    """Wait until both are served, at the same time."""
    deadline = time.monotonic() + 5
    while True:
        answers = await asyncio.gather(*(client.request("GET", QUOTES, key=key) for key in keys))
        if {answer.status for answer in answers} == {200}:
            return
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
