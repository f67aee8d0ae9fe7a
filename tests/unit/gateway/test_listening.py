"""Promises of a listening socket that processes share: each gets its part, none is lost, and what fails fails alone."""

import asyncio
import contextlib
import socket

import pytest
import uvloop

from gateway.connection import Connections, ConnectionServer, Deadlines
from gateway.listening import SharedListener
from process.log import Log


@pytest.fixture
def waiting():
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
        yield listening


def server():
    async def answer(request):
        raise AssertionError("nothing is asked")

    return ConnectionServer(answer, Deadlines(5, 5, 5, 5), Connections(1000, 1000), Log("test"))


async def until(true, within=5.0):
    async with asyncio.timeout(within):
        while not true():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.005)


async def ended(*listeners):
    for listener, one in listeners:
        listener.close()
        for connection in list(one.connections):
            connection.end()
    for listener, one in listeners:
        await one.shutdown(1)
        await asyncio.wait_for(listener.wait_closed(), 5)


def connected(waiting, count, stack):
    return [stack.enter_context(socket.create_connection(waiting.getsockname(), timeout=5)) for _ in range(count)]


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_connections_that_wait_together_are_shared_out(waiting, run):
    async def share():
        with contextlib.ExitStack() as stack:
            connected(waiting, 40, stack)
            servers = [server(), server()]
            both = [(SharedListener(waiting.dup(), one, None, 5, 5), one) for one in servers]
            await until(lambda: sum(len(one.connections) for one in servers) == 40)
            assert min(len(one.connections) for one in servers) >= 12
            await ended(*both)

    run(share())


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_who_has_fewer_takes_what_comes_next(waiting, run):
    async def share():
        with contextlib.ExitStack() as stack:
            old, new = server(), server()
            connected(waiting, 24, stack)
            first = SharedListener(waiting.dup(), old, None, 5, 5)
            await until(lambda: len(old.connections) == 24)
            second = SharedListener(waiting.dup(), new, None, 5, 5)
            for count in range(1, 11):
                connected(waiting, 1, stack)
                await until(lambda count=count: len(old.connections) + len(new.connections) == 24 + count)
            assert len(new.connections) >= 8
            await ended((first, old), (second, new))

    run(share())


async def test_after_the_end_of_one_the_other_takes_all(waiting):
    with contextlib.ExitStack() as stack:
        one, other = server(), server()
        first = SharedListener(waiting.dup(), one, None, 5, 5)
        second = SharedListener(waiting.dup(), other, None, 5, 5)
        await ended((first, one))
        connected(waiting, 10, stack)
        await until(lambda: len(other.connections) == 10)
        await ended((second, other))
