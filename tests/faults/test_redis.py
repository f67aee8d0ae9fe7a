"""Promises of a Redis that is killed, paused or flushed, over two real gateways: no 5xx, and the limit holds."""

import asyncio
import time

import pytest

from tests import stack
from tests.redis_server import redis_server
from tests.stack import Client

LIMIT = 20
PATH = "/api/v1/quotes?limit=1"


@pytest.fixture
def shared(tmp_path):
    """Two gateways that count together."""
    with (
        redis_server(tmp_path / "redis") as redis,
        stack.split(tmp_path / "data", gateways=2, QW_REDIS_URL=redis.url) as running,
    ):
        yield running, redis


async def statuses(running, key, asked):
    """What so many requests at each gateway were answered, and the longest time that one took."""
    longest = 0.0

    async def ask(client):
        nonlocal longest
        began = time.monotonic()
        status = (await client.request("GET", PATH, key=key)).status
        longest = max(longest, time.monotonic() - began)
        return status

    async with Client(running) as one, Client(running, port=running.more_https_ports[0]) as other:
        answered = await asyncio.gather(*(ask(client) for client in (one, other) for _ in range(asked)))
    assert set(answered) <= {200, 429}, answered
    return answered.count(200), longest


async def counted_together(running):
    """An organization whose one allowance both gateways have granted, and the longest time that an answer took. Redis
    that is slow for a moment leaves each to itself, so other organizations are asked for until it is so."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = running.organization(rate=LIMIT)
        admitted, longest = await statuses(running, found.live_key, LIMIT)
        if admitted == LIMIT:
            return found, longest
    raise AssertionError("they do not count together")


@pytest.mark.long
@pytest.mark.parametrize("fault", ["kill", "pause", "flush"])
async def test_without_redis_nothing_fails_and_the_limit_holds(shared, fault, measured):
    running, redis = shared
    _, longest = await counted_together(running)
    measured("longest answer with Redis", longest)

    if fault == "flush":
        redis.client().flushall()
    else:
        getattr(redis, fault)()
    alone = running.organization(rate=LIMIT)
    admitted, longest = await statuses(running, alone.live_key, 2 * LIMIT)
    measured(f"longest answer after {fault}", longest)
    # Redis forgot, or cannot be asked: each gateway goes by what it has admitted itself.
    assert LIMIT <= admitted <= 2 * LIMIT
    admitted, longest = await statuses(running, alone.live_key, LIMIT)
    assert admitted <= (LIMIT if fault == "flush" else 0), "nobody has more than each gateway's allowance"
    measured(f"longest answer afterwards, {fault}", longest)

    if fault == "kill":
        redis.start()
    elif fault == "pause":
        redis.resume()
    await counted_together(running)
