"""Exact rate limits: in no window of 60 seconds are more requests admitted than allowed (D22).

The times of the admitted requests of the last minute are kept per subject; a request is admitted while there are
fewer of them than the allowance. Refused requests do not count.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

WINDOW = 60.0  # seconds; `header_lines` says so, too
#: Subjects that have been silent for a window are forgotten when this many calls have passed.
SWEEP_EVERY = 10_000

#: Whose allowance it is: a kind and what identifies one of it, such as ``("organization", 7, True)``.
Subject = tuple[object, ...]


class Verdict(NamedTuple):
    """``reset``: seconds until the oldest counted request leaves the window, for a refused request until there is a
    place again; 0 where none is counted."""

    admitted: bool
    limit: int
    remaining: int
    reset: float


class Quota(Protocol):
    """Allowances per minute. Its answers never fail: what cannot be asked elsewhere is decided here."""

    async def take(self, subject: Subject, limit: int) -> Verdict:
        """Admit a request of ``subject`` and count it, or refuse it, under ``limit`` requests a minute."""

    async def look(self, subject: Subject, limit: int) -> Verdict:
        """Whether a request of ``subject`` would be admitted, without counting one."""

    async def close(self) -> None:
        """Let go of what it holds."""


class MemoryQuota:
    """Limits kept in this process; never suspends. ``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._admitted: dict[Subject, deque[float]] = {}
        self._calls = 0

    async def take(self, subject: Subject, limit: int) -> Verdict:
        """See `Quota.take`."""
        now = self._clock()
        times = self._recent(subject, now)
        if len(times) >= limit:
            return _refused(times, limit, now)
        times.append(now)
        return Verdict(True, limit, limit - len(times), times[0] + WINDOW - now)

    async def look(self, subject: Subject, limit: int) -> Verdict:
        """See `Quota.look`."""
        now = self._clock()
        times = self._recent(subject, now)
        if len(times) >= limit:
            return _refused(times, limit, now)
        return Verdict(True, limit, limit - len(times), times[0] + WINDOW - now if times else 0.0)

    def note(self, subject: Subject, at: float) -> None:
        """Count a request that was admitted elsewhere, at ``at`` on the clock and no earlier than those before it."""
        self._recent(subject, at).append(at)

    async def close(self) -> None:
        """Nothing is held."""

    def _recent(self, subject: Subject, now: float) -> deque[float]:
        self._calls += 1
        if self._calls >= SWEEP_EVERY:
            self._calls = 0
            for key in [key for key, times in self._admitted.items() if not times or times[-1] <= now - WINDOW]:
                del self._admitted[key]
        times = self._admitted.get(subject)
        if times is None:
            times = self._admitted[subject] = deque()
        # A request counts for the whole of its window: 60.0 s after it, it no longer does.
        while times and times[0] <= now - WINDOW:
            times.popleft()
        return times


def _refused(times: deque[float], limit: int, now: float) -> Verdict:
    # Where an allowance was lowered, more than one request must leave before there is a place.
    reset = times[len(times) - limit] + WINDOW - now if limit > 0 else WINDOW
    return Verdict(False, limit, 0, reset)


def header_lines(verdict: Verdict, policy: str, now: float) -> str:
    """Headers of every counted answer, as they are sent. ``now`` is UTC in epoch seconds, ``policy`` the name of the
    allowance.

    X-RateLimit-*: specification section 8, with the reset in UTC epoch seconds (D22). RateLimit, RateLimit-Policy:
    draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4 (``q`` quota, ``w`` window, ``r`` remaining, ``t`` reset).
    """
    _, limit, remaining, reset = verdict
    return (
        f"X-RateLimit-Limit: {limit}\r\n"
        f"X-RateLimit-Remaining: {remaining}\r\n"
        f"X-RateLimit-Reset: {math.ceil(now + reset)}\r\n"
        f'RateLimit-Policy: "{policy}";q={limit};w=60\r\n'
        f'RateLimit: "{policy}";r={remaining};t={math.ceil(reset)}\r\n'
    )
