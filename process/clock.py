"""The one clock of instants: µs since 1970, UTC, as the store keeps them and the wire carries them."""

from __future__ import annotations

import time


def now_us() -> int:
    """Now."""
    return time.time_ns() // 1000
