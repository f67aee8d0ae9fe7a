"""Promises of a restart: gateways take turns on one listening socket, and no client notices but by a closing connection."""

import asyncio
import socket

import pytest

from tests import stack
from tests.stack import Stack, free_port, let_go, read_answers, start, stopping

DRAIN = 0.7
CLIENTS = 12


@pytest.fixture
def listening():
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        yield listener


class KeepAliveClient:
    """Sends one request after the other over a connection; takes a new one only when it was told to, or was not asking.

    Nothing is sent twice: a request that is not answered is a failure.
    """

    def __init__(self, running, key):
        self._running = running
        self._request = f"GET /api/v1/quotes?limit=1 HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n".encode()
        self.answered = 0
        self.connections = 0

    async def run(self, done):
        reader = writer = None
        while not done.is_set():
            if writer is None or reader.at_eof():
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self._running.https_port, ssl=self._running.tls(), server_hostname="localhost"
                )
                self.connections += 1
            async with asyncio.timeout(10):
                writer.write(self._request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                (answer,) = read_answers(head + await reader.readexactly(length))
            assert answer.status == 200, answer.body
            self.answered += 1
            if answer.headers.get("Connection") == "close":
                await let_go(writer)
                writer = None
            await asyncio.sleep(0.02)
        if writer is not None:
            await let_go(writer)


async def test_a_rolling_restart_under_load_fails_no_request(tmp_path, listening):
    running = Stack(tmp_path, listening.getsockname()[1], 0, free_port())
    running.processes.append(start(running, "server"))
    with stopping(running):
        gateways = []

        def another():
            gateway = start(
                running, "gateway", name=f"gateway{len(gateways)}", listeners=[listening], QW_DRAIN_SECONDS=DRAIN
            )
            gateways.append(gateway)
            running.processes.append(gateway)

        another()
        organization = running.organization()
        clients = [KeepAliveClient(running, organization.live_key) for _ in range(CLIENTS)]
        done = asyncio.Event()
        asking = [asyncio.create_task(client.run(done)) for client in clients]
        try:
            for _ in range(2):
                await asyncio.to_thread(another)
                gateways[-2].ask_to_stop()
                assert await asyncio.to_thread(gateways[-2].stop) == 0
        finally:
            done.set()
            await asyncio.gather(*asking)
        answered = sum(client.answered for client in clients)
        assert answered > 300
        assert all(client.connections > 1 for client in clients)
        assert await asyncio.to_thread(gateways[-1].stop) == 0
        served = [len(gateway.events("request")) for gateway in gateways]
        assert all(served) and sum(served) == answered


async def test_a_gateway_told_to_stop_says_so_on_each_answer_and_still_takes_connections(tmp_path):
    with stack.combined(tmp_path, QW_DRAIN_SECONDS=DRAIN) as running:
        (process,) = running.processes
        request = b"GET /api/v1/config HTTP/1.1\r\nHost: localhost\r\n\r\n"
        before = await stack.exchange(running, request, wait=0.5)
        assert (before.statuses, before.closed) == ([200], False)
        process.ask_to_stop()
        await asyncio.sleep(0.2)
        answered = await stack.exchange(running, request + request)
        assert (answered.statuses, answered.closed) == ([200], True)
        assert answered.answers[0].headers["Connection"] == "close"
        assert await asyncio.to_thread(process.stop) == 0
        with pytest.raises(ConnectionRefusedError):
            await stack.exchange(running, request)


async def test_a_stop_waits_for_nobody_who_does_not_ask(tmp_path):
    with stack.combined(tmp_path, QW_HEADER_SECONDS=1) as running:
        silent = [await asyncio.open_connection("127.0.0.1", running.https_port) for _ in range(3)]
        half = [
            await asyncio.open_connection(
                "127.0.0.1", running.https_port, ssl=running.tls(), server_hostname="localhost"
            )
            for _ in range(3)
        ]
        for _, writer in half:
            writer.write(b"GET /api/v1/config HTTP/1.1\r\nHost: loc")
        async with asyncio.timeout(10):
            assert await asyncio.to_thread(running.processes[0].stop) == 0
        await let_go(*(writer for _, writer in silent + half))


def test_a_socket_handed_over_for_another_port_is_refused(tmp_path, listening):
    running = Stack(tmp_path, free_port(), 0, free_port())
    with pytest.raises(AssertionError, match="sockets were handed over for ports that no setting names"):
        start(running, "gateway", listeners=[listening])


async def test_all_sockets_of_a_port_that_were_handed_over_are_served(tmp_path, listening):
    port = listening.getsockname()[1]
    # Of no route: that takes no server.
    request = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with socket.create_server(("::1", port), family=socket.AF_INET6) as other:
        running = Stack(tmp_path, port, 0, free_port())
        running.processes.append(await asyncio.to_thread(start, running, "gateway", listeners=[listening, other]))
        with stopping(running):
            for address in ("127.0.0.1", "::1"):
                async with asyncio.timeout(20):
                    reader, writer = await asyncio.open_connection(
                        address, port, ssl=running.tls(), server_hostname="localhost"
                    )
                    writer.write(request)
                    assert (await reader.readline()).startswith(b"HTTP/1.1 404 "), address
                    await let_go(writer)


async def test_who_comes_by_ipv4_over_a_socket_of_both_families_has_the_ipv4_address(tmp_path):
    """As systemd makes it of ``ListenStream=8443``: the peer is told as ::ffff:127.0.0.1."""
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as both:
        running = Stack(tmp_path, both.getsockname()[1], 0, free_port())
        process = start(running, "gateway", listeners=[both], QW_TRUSTED_PROXIES="127.0.0.0/8")
        running.processes.append(process)
        with stopping(running):
            for line in (b"", b"X-Forwarded-For: 198.51.100.7\r\n", b"X-Forwarded-For: ::ffff:c633:6408\r\n"):
                request = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n" + line + b"\r\n"
                assert (await stack.exchange(running, request, wait=0.5)).statuses == [404]
            assert await asyncio.to_thread(process.stop) == 0
    clients = [one["client"] for one in process.events("request")]
    assert clients == ["127.0.0.1", "198.51.100.7", "198.51.100.8"]
