"""How threads of this process take turns."""

from __future__ import annotations

import sys

#: Seconds for which a thread may keep the others waiting that want the interpreter (Python's own: 5 ms).
SWITCH_INTERVAL = 0.0005


def take_short_turns() -> None:
    """Let the event loop in every half millisecond while threads draft, print or read documents.

    With Python's own interval each turn of the loop waits 5 ms for each thread at work; the shorter one costs the
    threads nothing that shows (`python -m benchmarks.turns`). Call once, at start.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
