"""A server that speaks the chat protocol of language models on loopback, and breaks it on demand."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import orjson
from aiohttp import web

Behaviour = Callable[[web.Request], Awaitable[web.StreamResponse]]


class LanguageModelServer:
    """Answers as ``behaviour`` says; keeps what it was asked."""

    def __init__(self) -> None:
        self.behaviour: Behaviour = proposing()
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(orjson.loads(await request.read()))
        self.keys.append(request.headers.get("Authorization", ""))
        return await self.behaviour(request)


@contextlib.asynccontextmanager
async def language_model() -> AsyncIterator[LanguageModelServer]:
    """One that listens."""
    one = LanguageModelServer()
    application = web.Application()
    application.router.add_post("/v1/chat/completions", one.answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    one.port = runner.addresses[0][1]
    try:
        yield one
    finally:
        await runner.cleanup()


def item(words: str, work: str, optional: bool = False, materials_by_customer: bool = False) -> dict[str, Any]:
    """One proposal."""
    return {"words": words, "work": work, "optional": optional, "materials_by_customer": materials_by_customer}


def proposing(*items: object) -> Behaviour:
    """Proposes these."""
    return saying(orjson.dumps({"items": items}).decode())


def saying(content: str) -> Behaviour:
    """Says that, whatever the schema asks for."""

    async def answer(_: web.Request) -> web.StreamResponse:
        message = {"role": "assistant", "content": content}
        return web.json_response({"object": "chat.completion", "choices": [{"index": 0, "message": message}]})

    return answer


def plainly(status: int, body: bytes = b"", **headers: str) -> Behaviour:
    """Any answer."""

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=body, headers=headers)

    return answer


async def hanging(_: web.Request) -> web.StreamResponse:
    """Never answers."""
    await asyncio.sleep(30)
    return web.Response()


async def dripping(request: web.Request) -> web.StreamResponse:
    """A byte at a time, for ever."""
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(300):
        await response.write(b" ")
        await asyncio.sleep(0.1)
    return response


async def flooding(request: web.Request) -> web.StreamResponse:
    """More than anybody should read."""
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(1000):
        await response.write(b" " * 65_536)
    return response


async def hanging_up(request: web.Request) -> web.StreamResponse:
    """Half an answer."""
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    request.transport.close()
    return response
