"""Receivers of webhooks for tests: real HTTP servers on loopback, good and bad."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import orjson
from aiohttp import web
from standardwebhooks import Webhook

Behaviour = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


@dataclass
class Delivery:
    """What arrived, as it was."""

    headers: dict[str, str]
    body: bytes
    path: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict:
        return orjson.loads(self.body)


@dataclass
class Receiver:
    """Keeps what it receives. ``answers`` are given one after the other, the last one for ever."""

    answers: list[Behaviour]
    received: list[Delivery] = field(default_factory=list)
    port: int = 0
    #: Where it is set, what arrives is verified as it does: a timestamp is good for five minutes.
    secret: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    async def wait_for(self, number: int, within: float = 20.0) -> None:
        """Return once that many deliveries are here, or the time is up."""
        deadline = time.monotonic() + within
        while len(self.received) < number and time.monotonic() < deadline:  # noqa: ASYNC110 - bounded
            await asyncio.sleep(0.02)

    async def receive(self, request: web.BaseRequest) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        delivery = Delivery(headers, await request.read(), request.path)
        if self.secret:
            Webhook(self.secret).verify(delivery.body, delivery.headers)
        self.received.append(delivery)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return await answer(request)


@contextlib.asynccontextmanager
async def receiver(*answers: Behaviour, tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """A receiver that listens; it answers 200 where nothing else is said."""
    one = Receiver(list(answers) or [status(200)])
    server = web.Server(one.receive, access_log=None)
    runner = web.ServerRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024, ssl_context=tls)
    await site.start()
    one.port = runner.addresses[0][1]
    try:
        yield one
    finally:
        await runner.cleanup()
        # A connection that was accepted just then is known only now.
        await asyncio.sleep(0.02)
        await server.shutdown(0.1)


def status(number: int, body: bytes = b"", **headers: str) -> Behaviour:
    """An answer with that status; ``Retry_After`` is the header Retry-After."""

    async def answer(_request: web.BaseRequest) -> web.StreamResponse:
        return web.Response(
            status=number, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )

    return answer


async def challenged(request: web.BaseRequest) -> web.StreamResponse:
    """The answer that proves that a receiver is its organization's."""
    event = orjson.loads(await request.read())
    return web.json_response({"challenge": event["data"]["object"].get("challenge", "")})


async def hang(_request: web.BaseRequest) -> web.StreamResponse:
    """Never an answer."""
    await asyncio.sleep(3600)
    raise AssertionError


async def drip(request: web.BaseRequest) -> web.StreamResponse:
    """A byte of the head a second: the answer does not come to its end."""
    transport = request.transport
    assert transport is not None
    for byte in b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 3600:
        if transport.is_closing():
            break
        transport.write(bytes([byte]))
        await asyncio.sleep(1)
    return web.Response()


async def drip_body(request: web.BaseRequest) -> web.StreamResponse:
    """500, and a byte of the body a second."""
    response = web.StreamResponse(status=500)
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        for _ in range(3600):
            await response.write(b".")
            await asyncio.sleep(1)
    return response


async def gigabyte(request: web.BaseRequest) -> web.StreamResponse:
    """500, and a thousand million bytes."""
    response = web.StreamResponse(status=500)
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        for _ in range(16 * 1024):
            await response.write(bytes(65536))
    return response


async def redirect(request: web.BaseRequest) -> web.StreamResponse:
    """To itself, for ever."""
    return web.Response(status=302, headers={"Location": str(request.rel_url)})
