"""Connections of a listening socket that several processes wait at.

Whoever wakes first would take all that wait, and clients keep their connections: of 32 opened at once one process of
two would serve all 32 for as long as they stay. So each takes a few at a time, and waits before it the longer the more
it has already: the one with the fewest is the quickest.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable

from gateway.connection import ConnectionServer

#: Connections that are taken at a time.
AT_ONCE = 4
#: Seconds that a process leaves to others for each connection that it has, and at most. 400 a second are still more
#: than it has TLS handshakes in it.
FOR_EACH, AT_MOST = 0.0005, 0.01
#: Seconds before the next try where none can be taken, as without free descriptors.
AGAIN_AFTER = 0.1
#: Seconds between looks at whether connections are gone.
LOOK_EVERY = 0.02


class SharedListener:
    """Takes connections from ``waiting``, which is already listening; what of `asyncio.Server` the gateway uses.

    ``tls`` and the seconds for its handshake and its end as `asyncio.loop.create_server` has them.
    """

    def __init__(
        self, waiting: socket.socket, server: ConnectionServer, tls: ssl.SSLContext | None, begin: float, end: float
    ) -> None:
        self._waiting = waiting
        waiting.setblocking(False)
        self._server = server
        self._secured = {"ssl": tls, "ssl_handshake_timeout": begin, "ssl_shutdown_timeout": end} if tls else {}
        self._loop = asyncio.get_running_loop()
        self._taking: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._watch()

    @property
    def sockets(self) -> tuple[socket.socket]:
        """The one."""
        return (self._waiting,)

    def close(self) -> None:
        """Take no more; those that wait are for the other processes."""
        self._loop.remove_reader(self._waiting.fileno())
        if self._timer is not None:
            self._timer.cancel()
        self._waiting.close()

    async def wait_closed(self) -> None:
        """Return when the handshakes that have begun and all connections have ended."""
        while self._taking or self._server.connections:  # noqa: ASYNC110 - neither tells
            await asyncio.sleep(LOOK_EVERY)

    def _watch(self) -> None:
        self._loop.add_reader(self._waiting.fileno(), self._hesitate)

    def _hesitate(self) -> None:
        self._loop.remove_reader(self._waiting.fileno())
        held = len(self._taking) + len(self._server.connections)
        self._in(min(FOR_EACH * held, AT_MOST), self._take)

    def _in(self, seconds: float, then: Callable[[], None]) -> None:
        self._timer = self._loop.call_later(seconds, then)

    def _take(self) -> None:
        try:
            for _ in range(AT_ONCE):
                connection = self._waiting.accept()[0]
                task = self._loop.create_task(self._welcome(connection))
                self._taking.add(task)
                task.add_done_callback(self._taking.discard)
        except BlockingIOError:  # no more, or others have them
            self._watch()
        except OSError:
            self._in(AGAIN_AFTER, self._watch)
        else:
            self._watch()

    async def _welcome(self, connection: socket.socket) -> None:
        # What fails here fails the client, who knows.
        with contextlib.suppress(OSError, ssl.SSLError, TimeoutError):
            await self._loop.connect_accepted_socket(self._server, connection, **self._secured)  # type: ignore[arg-type]
