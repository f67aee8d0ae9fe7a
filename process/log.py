"""The one log: a JSON object a line, written in batches so that a request never waits for the disk or a terminal."""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime
from typing import TextIO

import orjson

FLUSH_AFTER = 0.2  # seconds; a crash loses at most this much log, never data
MOST_LINES = 500


def printed(**fields: object) -> str:
    """Fields that many lines have in common, as these lines print them."""
    return orjson.dumps(fields, default=str).decode()[1:-1]


def _object(fields: dict[str, object]) -> str:
    """Fields as a JSON object, whatever is in them: one event must not keep the others from being written."""
    try:
        return orjson.dumps(fields, default=str).decode()
    except TypeError:
        return orjson.dumps({name: _printable(value) for name, value in fields.items()}, default=str).decode()


def _printable(value: object) -> object:
    """The value, or a text for what orjson does not print: ``a\\udcff`` of a byte that is no UTF-8, 2**64."""
    try:
        orjson.dumps(value, default=str)
    except TypeError:
        try:
            return str(value).encode(errors="backslashreplace").decode()
        except Exception:  # noqa: BLE001 - whatever a __str__ raises
            return f"<{type(value).__name__}>"
    return value


class Log:
    """Collects events and writes them together. `component` is in every line (server, gateway)."""

    def __init__(self, component: str, stream: TextIO | None = None) -> None:
        self._component = printed(component=component)
        self._stream = sys.stderr if stream is None else stream
        #: Seconds since 1970, event, printed fields, further fields; put together when they are written, which costs a
        #: third of printing each alone.
        self._events: list[tuple[float, str, str, dict[str, object]]] = []
        self._flush_planned = False
        #: Lines that could not be written: a full disk, a closed pipe.
        self._lost = 0
        #: The second of the last line, and how it is printed.
        self._second, self._moment = -1, ""

    def __call__(self, event: str, known: str = "", at: float | None = None, /, **fields: object) -> None:
        """Add one line, of fields that are `printed` already and of others, with the time ``at`` (seconds since 1970)
        or now. Values are what orjson prints, and never change; anything else appears as its `str`, and characters
        that no UTF-8 can carry by their number."""
        self._events.append((time.time() if at is None else at, event, known, fields))
        if len(self._events) >= MOST_LINES:
            self.flush()
        elif not self._flush_planned:
            self._plan_flush()

    def _plan_flush(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.flush()
            return
        self._flush_planned = True
        loop.call_later(FLUSH_AFTER, self.flush)

    def flush(self) -> None:
        """Write what has been collected. What cannot be written is counted, and said when it can be again: a full disk
        must not fail the requests that are logged."""
        self._flush_planned = False
        events, self._events = self._events, []  # before anything can go wrong with one of them
        if not events:
            return
        if self._lost:
            events.append((time.time(), "log_lost", "", {"lines": self._lost}))
        lines = "".join(map(self._line, events))
        try:
            self._stream.write(lines)
            self._stream.flush()
        except OSError:
            self._lost += len(events) - bool(self._lost)
        else:
            self._lost = 0

    def _line(self, event: tuple[float, str, str, dict[str, object]]) -> str:
        at, name, known, fields = event
        milliseconds = int(at * 1000)
        second = milliseconds // 1000
        if second != self._second:
            # Lines come many a second, and in order.
            self._second, self._moment = second, datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        more = f",{_object(fields)[1:]}" if fields else "}"
        common = f",{known}" if known else ""
        moment = f"{self._moment}.{milliseconds % 1000:03d}Z"
        return f'{{"time":"{moment}",{self._component},"event":"{name}"{common}{more}\n'
