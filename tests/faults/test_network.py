"""Promises of a network that fails between gateway and server: refusals in the envelope meanwhile, and the way found again
by itself."""

import asyncio
import time

import pytest

from tests import stack
from tests.doubles.tcp_proxy import tcp_proxy
from tests.faults.books import Books, ready_again
from tests.stack import Client, Stack, free_port, start, stopping

SHORT = {"QW_ANSWER_SECONDS": 3}
FAULTS = ["refuse", "blackhole", "half_open"]


@pytest.fixture
async def apart(tmp_path):
    """A server, and a gateway that reaches it through a proxy."""
    running = Stack(tmp_path, free_port(), free_port(), free_port())
    running.processes.append(await asyncio.to_thread(start, running, "server"))
    with stopping(running):
        async with tcp_proxy(running.grpc_port) as proxy:
            target = f"127.0.0.1:{proxy.port}"
            running.processes.append(
                await asyncio.to_thread(stack.start, running, "gateway", QW_SERVER_TARGET=target, **SHORT)
            )
            yield running, proxy
            await asyncio.to_thread(running.processes[1].stop)


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_network_that_is_cut_is_told_and_found_again(apart, fault, measured):
    running, proxy = apart
    books = Books(running.organization())
    key = books.organization.live_key
    async with Client(running) as client:
        async with books.written(client, 4):
            await books.wait_for(10)
            getattr(proxy, fault)()
            began = time.monotonic()
            answer = await client.request("GET", "/api/v1/quotes", key=key)
            if fault != "half_open":
                assert answer.status in (503, 504), answer.body
                assert time.monotonic() - began < 20
                await asyncio.sleep(2)
            # As a router does that has been started again: it knows none of the connections.
            proxy.heal()
            measured(f"ready again after {fault}", await ready_again(client, key))
            await books.wait_for(10)
        await books.check(client, running)


@pytest.mark.long
async def test_frames_that_are_cut_lose_nothing(apart):
    running, proxy = apart
    books = Books(running.organization())
    async with Client(running) as client:
        async with books.written(client, 4):
            for bytes_ in (1, 9, 100, 2_000, 20_000):
                await books.wait_for(5)
                proxy.cut_after = bytes_
                proxy.sever()
                await asyncio.sleep(0.5)
                proxy.heal()
                proxy.sever()
            await ready_again(client, books.organization.live_key)
        await books.check(client, running)
    assert books.seen["503"] > 0, "nobody noticed"


@pytest.mark.long
async def test_a_network_that_loses_much_is_slow_and_loses_nothing(apart):
    running, proxy = apart
    books = Books(running.organization())
    async with Client(running) as client:
        await ready_again(client, books.organization.live_key)
        proxy.loss = 0.2
        async with books.written(client, 4):
            await books.wait_for(20)
        proxy.heal()
        await books.check(client, running)
    assert books.seen["200"] > books.seen["503"] + books.seen["504"]


@pytest.mark.long
async def test_a_revocation_holds_while_the_server_is_silent(apart):
    """What a gateway remembers is not trusted when it hears nothing: no cut lets a revoked key in."""
    running, proxy = apart
    organization = running.organization()
    async with Client(running) as client:
        for _ in range(2):
            assert (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status == 200
        proxy.blackhole()
        await asyncio.to_thread(running.run, "admin", "revoke-key", organization.live_key_id)
        await asyncio.sleep(1)
        answer = await client.request("GET", "/api/v1/quotes", key=organization.live_key)
        assert answer.status in (503, 504)
        proxy.heal()
        await ready_again(client, organization.test_key)
        assert (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status == 401
