"""Promises about clients that are slow or many: each costs the service little, for a bounded time, and nobody else."""

import asyncio
import contextlib
import socket
import time

import pytest

from tests import stack
from tests.stack import Client, let_go

GET = b"GET /api/v1/config HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    with stack.combined(
        tmp_path_factory.mktemp("impatient"),
        QW_HEADER_SECONDS=1.5,
        QW_IDLE_SECONDS=0.8,
        QW_WRITE_SECONDS=0.8,
        QW_CONNECTIONS=12,
        QW_CONNECTIONS_PER_ADDRESS=10,
        QW_TRUSTED_PROXIES="127.0.0.0/8",
        fresh=True,  # its memory is measured
    ) as running:
        yield running


async def connection(running, *, tls=True, receive=0, source="127.0.0.1"):
    """A reader and a writer; ``receive`` bounds what the kernel takes in before the client reads."""
    plain = socket.socket()
    if receive:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    plain.bind((source, 0))
    plain.setblocking(False)
    port = running.https_port if tls else running.http_port
    try:
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
    except OSError:
        plain.close()
        raise
    return await asyncio.open_connection(
        sock=plain,
        ssl=running.tls() if tls else None,
        server_hostname="localhost" if tls else None,
        limit=4096,  # asyncio would otherwise read on by itself
    )


def pipelined(count, tls):
    forwarded = b"" if tls else b"X-Forwarded-Proto: https\r\n"
    return LARGE.replace(b"\r\n\r\n", b"\r\n" + forwarded + b"\r\n") * count


@pytest.mark.parametrize("tls", [True, False], ids=["TLS", "behind a proxy"])
async def test_a_client_that_does_not_take_its_answers_is_cut_off_and_few_of_them_are_made(impatient, tls):
    whole = len(await one_answer(impatient)) * 200
    (process,) = impatient.processes
    before = await process.settled_memory()
    reader, writer = await connection(impatient, tls=tls, receive=8192)
    writer.write(pipelined(200, tls))
    await asyncio.sleep(2.5)
    assert process.memory() - before < 8 * 2**20
    received = 0
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(5):
            while chunk := await reader.read(65536):
                received += len(chunk)
    await let_go(writer)
    assert received < whole / 4


async def one_answer(running):
    reader, writer = await connection(running)
    writer.write(LARGE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    received = await reader.read(-1)
    await let_go(writer)
    return received


async def test_a_client_that_is_slow_and_steady_gets_all_of_its_answers(impatient):
    count, received = 8, 0
    whole = len(await one_answer(impatient)) - len(b"Connection: close\r\n")
    reader, writer = await connection(impatient, receive=8192)
    writer.write(pipelined(count, tls=True))
    began = time.monotonic()
    while received < whole * count:
        chunk = await reader.read(32768)
        assert chunk, f"cut after {received} of {whole * count} bytes"
        received += len(chunk)
        await asyncio.sleep(len(chunk) / 600_000)
    assert time.monotonic() - began > 2 * 0.8, "too quick to show anything"
    await let_go(writer)


async def test_an_idle_connection_is_closed_and_a_busy_one_is_not(impatient):
    idle, busy = await connection(impatient), await connection(impatient)
    began = time.monotonic()
    for reader, writer in (idle, busy):
        writer.write(GET)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    while time.monotonic() - began < 1.6:
        busy[1].write(GET)
        assert await asyncio.wait_for(busy[0].readuntil(b"HTTP/1.1 200 OK\r\n"), 5)
        await asyncio.sleep(0.2)
    async with asyncio.timeout(5):
        await idle[0].read()  # to its end
    await let_go(idle[1], busy[1])


async def refused(running, source):
    """Whether a further connection is closed and says nothing, be it before its TLS handshake ends or after it."""
    try:
        reader, writer = await asyncio.wait_for(connection(running, source=source), 5)
    except OSError:
        return True
    try:
        writer.write(GET)
        return await asyncio.wait_for(reader.read(1), 5) == b""
    except ConnectionError:
        return True
    finally:
        await let_go(writer)


async def test_connections_are_counted_by_address_and_in_all_and_given_back(impatient):
    held = [await connection(impatient, source="127.0.0.2") for _ in range(10)]
    assert await refused(impatient, "127.0.0.2")
    held += [await connection(impatient, source="127.0.0.3") for _ in range(2)]
    assert await refused(impatient, "127.0.0.4")
    await let_go(*(writer for _, writer in held))
    given_back_by = time.monotonic() + 5
    while await refused(impatient, "127.0.0.2"):
        assert time.monotonic() < given_back_by
        await asyncio.sleep(0.05)


async def test_others_are_answered_while_400_sockets_are_slow(tmp_path):
    with stack.combined(tmp_path, QW_CONNECTIONS_PER_ADDRESS=1000, QW_HEADER_SECONDS=20, QW_BODY_SECONDS=20) as running:
        organization = running.organization()
        half_head = b"POST /api/v1/sourcing/price HTTP/1.1\r\nHost: localhost\r\nX-API-Key: %s\r\n"
        half_head %= organization.test_key.encode()
        half_body = half_head + b"Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n{"
        slow = []
        try:
            for number in range(400):
                tls = number % 8 == 0
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1",
                    running.https_port,
                    ssl=running.tls() if tls else None,
                    server_hostname="localhost" if tls else None,
                )
                # Those without TLS never end their handshake.
                writer.write((half_head, half_body)[number % 16 == 0] if tls else b"\x16\x03\x01\x02")
                slow.append((reader, writer))
            latencies = []
            async with Client(running) as client:
                for number in range(100):
                    began = time.monotonic()
                    answer = await client.request("GET", "/api/v1/quotes", key=organization.live_key)
                    latencies.append(time.monotonic() - began)
                    assert answer.status == 200
                    slow[number * 4][1].write(b"\x00" if number % 2 else b"")
            assert max(latencies) < 3
        finally:
            await let_go(*(writer for _, writer in slow))
