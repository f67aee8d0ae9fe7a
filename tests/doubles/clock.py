"""``python -m tests.doubles.clock FILE COMMAND…``: our process, whose clock is wrong by the seconds that the file holds
now. What counts time goes on as it was, as it does where an operator or NTP sets a clock (CLOCK_REALTIME jumps,
CLOCK_MONOTONIC does not)."""

from __future__ import annotations

import datetime
import sys
import time
from pathlib import Path

NANOSECONDS = 1_000_000_000


def jump(file: Path) -> None:
    """Replace what tells the time in Python; before our modules are loaded."""
    true_ns = time.time_ns

    def time_ns() -> int:
        return true_ns() + int(file.read_text() or "0") * NANOSECONDS

    class Moment(datetime.datetime):
        """A moment whose now is the wrong one."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
            return datetime.datetime.fromtimestamp(time_ns() / NANOSECONDS, tz)

    time.time_ns = time_ns
    time.time = lambda: time_ns() / NANOSECONDS
    # Only there: drivers and libraries go on making what `isinstance` knows.
    from server import app

    app.datetime = Moment


if __name__ == "__main__":
    jump(Path(sys.argv[1]))
    from cli import main

    sys.exit(main.main(sys.argv[2:]))
