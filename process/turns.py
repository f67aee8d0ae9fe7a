"""How threads of this process take turns."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

#: Seconds for which a thread may keep the others waiting that want the interpreter (Python's own: 5 ms), and while one
#: of them holds what other processes wait for.
SWITCH_INTERVAL, SHORTER_INTERVAL = 0.0005, 0.0001


def take_short_turns() -> None:
    """Let the event loop in every half millisecond while threads draft, print or read documents.

    With Python's own interval each turn of the loop waits 5 ms for each thread at work; the shorter one costs the
    threads nothing that shows (`python -m benchmarks.turns`). Call once, at start.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)


@contextlib.contextmanager
def shorter() -> Iterator[None]:
    """Have this thread wait less for the interpreter while it holds what other processes wait for. One thread at a
    time: the interval is the process's."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SHORTER_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
