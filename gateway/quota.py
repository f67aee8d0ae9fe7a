"""Exact rate limits: in no window of 60 seconds are more requests admitted than allowed (D22).

The times of the admitted requests of the last minute are kept per subject; a request is admitted while there are
fewer of them than the allowance. Refused requests do not count.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

WINDOW = 60.0  # seconds
#: Subjects that have been silent for a window are forgotten when this many calls have passed.
SWEEP_EVERY = 10_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reset``: seconds until the oldest counted request leaves the window; 0 where none is counted."""

    admitted: bool
    limit: int
    remaining: int
    reset: float


class MemoryQuota:
    """Limits kept in this process. ``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._admitted: dict[Hashable, deque[float]] = {}
        self._calls = 0

    def take(self, subject: Hashable, limit: int) -> Verdict:
        """Admit a request of ``subject``, or refuse it, under ``limit`` requests a minute."""
        now = self._clock()
        times = self._recent(subject, now)
        admitted = len(times) < limit
        if admitted:
            times.append(now)
        return Verdict(admitted, limit, max(0, limit - len(times)), times[0] + WINDOW - now if times else WINDOW)

    def look(self, subject: Hashable, limit: int) -> Verdict:
        """Whether a request of ``subject`` would be admitted, without counting one."""
        now = self._clock()
        times = self._recent(subject, now)
        return Verdict(len(times) < limit, limit, max(0, limit - len(times)), times[0] + WINDOW - now if times else 0.0)

    def _recent(self, subject: Hashable, now: float) -> deque[float]:
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


def headers(verdict: Verdict, policy: str, now: float) -> dict[str, str]:
    """Headers of every counted answer. ``now`` is UTC in epoch seconds, ``policy`` the name of the allowance.

    X-RateLimit-*: specification section 8, with the reset in UTC epoch seconds (D22). RateLimit, RateLimit-Policy:
    draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4 (``q`` quota, ``w`` window, ``r`` remaining, ``t`` reset).
    """
    seconds = math.ceil(verdict.reset)
    values = {
        "X-RateLimit-Limit": str(verdict.limit),
        "X-RateLimit-Remaining": str(verdict.remaining),
        "X-RateLimit-Reset": str(math.ceil(now + verdict.reset)),
        "RateLimit-Policy": f'"{policy}";q={verdict.limit};w={int(WINDOW)}',
        "RateLimit": f'"{policy}";r={verdict.remaining};t={seconds}',
    }
    if not verdict.admitted:
        values["Retry-After"] = str(max(1, seconds))
    return values
