"""``python -m tests.doubles.crashing POINT NUMBER COMMAND…``: our process, which kills itself (SIGKILL) as soon as it
has passed a named point of a request's, an event's or a mail's way for the NUMBER-th time. With ``--stop`` before the point
it stops there (SIGSTOP) until somebody lets it go on. The code under test knows nothing of it."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import aiohttp

from cli import main
from gateway.backend import ChannelBackend
from server.delivery.sender import Sender
from server.mail.transport import SmtpServer
from server.rpc import quote, sending
from server.store import deliveries, mail, outbox
from server.store.database import Store

#: Name → what holds the function, its name there, and whether the end comes before it runs or after.
POINTS: dict[str, tuple[Any, str, str]] = {
    "batch committed, nobody told": (Store, "_count", "before"),
    "gateway asked, client not answered": (ChannelBackend, "call", "after"),
    "event written, not committed": (outbox, "append", "after"),
    "event committed, not answered": (quote, "write_once", "after"),
    "lease written, not committed": (deliveries, "claim", "after"),
    "lease committed, not sent": (Sender, "post", "before"),
    "sent, not answered": (aiohttp.ClientResponse, "start", "before"),
    "answered, not written": (Sender, "post", "after"),
    "outcome written, not committed": (deliveries, "finish", "after"),
    "mail written, not committed": (mail, "post", "after"),
    "mail committed, not answered": (sending, "write_once", "after"),
    "mail handed over, not written": (SmtpServer, "hand_over", "after"),
    "mail's outcome written, not committed": (mail, "finish", "after"),
}


def crash_at(point: str, number: int, how: signal.Signals) -> None:
    """Put a signal to this process behind a function."""
    holder, name, when = POINTS[point]
    function: Callable[..., Any] = getattr(holder, name)
    passed = 0

    def pass_by(now: str) -> None:
        nonlocal passed
        if now == when:
            passed += 1
            if passed == number:
                os.kill(os.getpid(), how)

    @functools.wraps(function)
    def plain(*arguments: Any, **more: Any) -> Any:
        pass_by("before")
        result = function(*arguments, **more)
        pass_by("after")
        return result

    @functools.wraps(function)
    async def awaited(*arguments: Any, **more: Any) -> Any:
        pass_by("before")
        if point == "sent, not answered":
            await asyncio.sleep(0.05)  # the request goes out in a task of its own
        result = await function(*arguments, **more)
        pass_by("after")
        return result

    setattr(holder, name, awaited if inspect.iscoroutinefunction(function) else plain)


if __name__ == "__main__":
    stops = sys.argv[1] == "--stop"
    point, number, *command = sys.argv[2 if stops else 1 :]
    crash_at(point, int(number), signal.SIGSTOP if stops else signal.SIGKILL)
    sys.exit(main.main(command))
