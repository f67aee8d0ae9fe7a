"""``python -m tests.doubles.crashing POINT NUMBER COMMAND…``: our process, which kills itself (SIGKILL) as soon as it
has passed a named point of an event's or a mail's way for the NUMBER-th time. The code under test knows nothing of it."""

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
from server.delivery.sender import Sender
from server.mail.transport import SmtpServer
from server.rpc import quote, sending
from server.store import deliveries, mail, outbox

#: Name → what holds the function, its name there, and whether the end comes before it runs or after.
POINTS: dict[str, tuple[Any, str, str]] = {
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


def crash_at(point: str, number: int) -> None:
    """Put the end of this process behind a function."""
    holder, name, when = POINTS[point]
    function: Callable[..., Any] = getattr(holder, name)
    passed = 0

    def pass_by(now: str) -> None:
        nonlocal passed
        if now == when:
            passed += 1
            if passed >= number:
                os.kill(os.getpid(), signal.SIGKILL)

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
    crash_at(sys.argv[1], int(sys.argv[2]))
    sys.exit(main.main(sys.argv[3:]))
