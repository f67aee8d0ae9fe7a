"""How long to wait after wrong passwords, and how long a password given stays good enough."""

from __future__ import annotations

SECOND = 1_000_000  # µs
#: Attempts that may fail before the first wait.
FREE_ATTEMPTS = 5
FIRST_WAIT = 30 * SECOND
LONGEST_WAIT = 15 * 60 * SECOND
#: After so long without an attempt the earlier ones no longer count.
FORGOTTEN_AFTER = 24 * 3600 * SECOND
#: For so long after the password was given, what asks for it may be done.
RECENT = 10 * 60 * SECOND
SHORTEST_PASSWORD = 12


def wait_after(failures: int) -> int:
    """µs to wait after so many wrong passwords in a row: none, then 30 s, doubled each time, 15 min at most."""
    if failures < FREE_ATTEMPTS:
        return 0
    return min(FIRST_WAIT << min(failures - FREE_ATTEMPTS, 10), LONGEST_WAIT)


def is_recent(authenticated_at: int | None, at: int) -> bool:
    """Whether a password given at ``authenticated_at`` (µs; None: never) is good enough at ``at``."""
    return authenticated_at is not None and at - authenticated_at <= RECENT
