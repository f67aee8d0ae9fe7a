"""When a delivery that failed is tried again (D34). Pure; times are seconds unless said otherwise."""

from __future__ import annotations

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR

#: What passes before each of the ten tries of a delivery.
SCHEDULE = (0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
#: A wait is up to this fraction shorter or longer, so that what failed together is not tried together.
JITTER = 0.2
#: The longest wait that a receiver can ask for.
RETRY_AFTER_LONGEST = DAY
#: An endpoint with nothing but failures for this long is disabled.
FAILING_LONGEST = 5 * DAY


def wait_after(tries: int, jitter: float, retry_after: float | None = None) -> float | None:
    """The wait after ``tries`` failed tries (1 or more), or None where the delivery is given up.

    ``jitter`` is from -1 to 1. ``retry_after`` is what the receiver asked for: it makes a wait longer, never shorter.
    """
    if tries >= len(SCHEDULE):
        return None
    wait = SCHEDULE[tries] * (1 + JITTER * jitter)
    if retry_after is not None:
        wait = max(wait, min(retry_after, RETRY_AFTER_LONGEST))
    return wait
