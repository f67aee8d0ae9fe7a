"""Calls take turns on the event loop, so that a crowd is seen while it waits and not when it has been served.

In one process a servicer works on the loop that also reads requests. Where a hundred arrive together, each would be
read, worked on and answered before the next is even known: no slot would ever be found taken, whoever is to be refused
would hear of it after the work of all those before, and so would a probe. Here the work of one turn of the loop ends
after a few milliseconds; what else wants to begin waits, in order, while the loop looks at its sockets.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

#: Seconds of a turn of the loop in which calls begin without waiting.
SLICE = 0.005


class Pacing:
    """Of one event loop."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        #: When the first call of this turn of the loop began; 0: none has.
        self._began = 0.0
        #: Found once: asking for it is a system call each time (getpid, in CPython 3.11).
        self._loop: asyncio.AbstractEventLoop | None = None

    def begins(self) -> bool:
        """Whether a call begins at once, as most do; else its `turn` is to be awaited."""
        now = time.perf_counter()
        if not self._began:
            self._open(now)
            return True
        return not self._waiting and now - self._began <= SLICE

    async def turn(self) -> None:
        """Return when a call that did not begin at once may."""
        assert self._loop is not None, "another call has begun"
        place = self._loop.create_future()
        self._waiting.append(place)
        await place

    def _open(self, now: float) -> None:
        self._began = now
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        # Runs when the loop has looked at its sockets once.
        self._loop.call_soon(self._turned)

    def _turned(self) -> None:
        self._began = 0.0
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():  # else its request was given up
                self._open(time.perf_counter())
                place.set_result(None)
                return
