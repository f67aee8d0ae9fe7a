"""A TCP proxy on loopback whose network can fail in the ways that networks do."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

from tests.stack import free_port

#: A lost segment shows as a pause: TCP sends it again, after at least this many seconds (RFC 6298; Linux).
RETRANSMITTED_AFTER = (0.2, 0.4)


class TcpProxy:
    """Passes bytes on to ``target``, a port of this machine, until it is told otherwise. ``port`` is its own."""

    def __init__(self, target: int) -> None:
        self._target = target
        self.port = free_port()
        #: Share of the chunks that are lost at first.
        self.loss = 0.0
        #: Bytes to the client after which its connection breaks; None: never.
        self.cut_after: int | None = None
        self._silent = False
        self._refusing = False
        self._random = random.Random(1)
        self._links: set[_Link] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    async def close(self) -> None:
        """End everything."""
        assert self._server is not None
        self._server.close()
        self.sever()
        await asyncio.gather(*(link.ended.wait() for link in self._links))
        await self._server.wait_closed()

    @property
    def connections(self) -> int:
        """How many there are."""
        return len(self._links)

    def blackhole(self) -> None:
        """From now on nothing that anybody sends arrives, and nobody is told."""
        self._silent = True
        for link in self._links:
            link.silent = True

    def heal(self) -> None:
        """New connections get through. Those of before are forgotten, as routers forget: they stay silent for ever."""
        self._silent = self._refusing = False
        self.loss, self.cut_after = 0.0, None

    def half_open(self) -> None:
        """The target's ends of all connections break; the clients are not told, and never get an answer."""
        for link in self._links:
            link.silent = True
            link.far.transport.abort()

    def refuse(self) -> None:
        """Break all connections, and each new one at once."""
        self._refusing = True
        self.sever()

    def sever(self) -> None:
        """Break all connections; new ones get through."""
        for link in self._links:
            link.abort()

    async def _accept(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        if self._refusing:
            near.transport.abort()
            return
        try:
            far_reader, far = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            near.transport.abort()
            return
        link = _Link(near, far, silent=self._silent)
        self._links.add(link)
        try:
            await asyncio.gather(self._pump(link, reader, far), self._pump(link, far_reader, near))
        finally:
            link.abort()
            link.ended.set()
            self._links.discard(link)

    async def _pump(self, link: _Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if self.loss and self._random.random() < self.loss:
                    await asyncio.sleep(self._random.uniform(*RETRANSMITTED_AFTER))
                if link.silent:
                    continue
                if self.cut_after is not None and writer is link.near:
                    if link.passed + len(data) > self.cut_after:
                        writer.write(data[: self.cut_after - link.passed])
                        await writer.drain()
                        break
                    link.passed += len(data)
                writer.write(data)
                await writer.drain()
        if not link.silent:
            link.abort()


class _Link:
    """One connection through the proxy."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter, *, silent: bool) -> None:
        self.near, self.far = near, far
        self.silent = silent
        self.passed = 0
        self.ended = asyncio.Event()

    def abort(self) -> None:
        """Break both ends, the client's once it has what was written."""
        self.silent = True
        self.near.close()
        self.far.transport.abort()


@contextlib.asynccontextmanager
async def tcp_proxy(target: int) -> AsyncIterator[TcpProxy]:
    """A started proxy that is ended in the end."""
    proxy = TcpProxy(target)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.close()
