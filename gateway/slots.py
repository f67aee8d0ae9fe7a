"""How many requests may be under way at once, of one user, of one organization and in all: what is over is refused,
never queued.

A queue would only make everybody wait for work whose clients have given up; a refusal costs microseconds and says
when to come back. Requests of nobody known have no slots: they do no work to speak of, and strangers must not be able
to fill what customers need. Each gateway counts its own: slots guard what a process can bear.
"""

from __future__ import annotations

from typing import NamedTuple

from gateway.envelope import Problem

RETRY_AFTER = 1.0  # seconds


class Slot(NamedTuple):
    """Whose request is under way. ``user_id`` is 0 where it does not count against the user's."""

    organization_id: int
    user_id: int = 0


class Slots:
    """Counts the requests under way in this process."""

    def __init__(self, most: int, most_per_organization: int, most_per_user: int) -> None:
        self._most = most
        self._most_per_organization = most_per_organization
        self._most_per_user = most_per_user
        self._taken = 0
        self._by_organization: dict[int, int] = {}
        self._by_user: dict[int, int] = {}

    def enter(self, slot: Slot) -> None:
        """Count a request until `leave`.

        Raises 429 ``concurrency_exceeded`` where the user or the organization has too many under way, 503
        ``overloaded`` where all together have; then nothing is counted.
        """
        organization_id, user_id = slot
        of_user = self._by_user.get(user_id, 0) if user_id else 0
        if user_id and of_user >= self._most_per_user:
            raise _crowded(self._most_per_user)
        of_organization = self._by_organization.get(organization_id, 0)
        if of_organization >= self._most_per_organization:
            raise _crowded(self._most_per_organization)
        if self._taken >= self._most:
            raise Problem(503, "overloaded", "The service is busy; try again in a moment.", retry_after=RETRY_AFTER)
        self._taken += 1
        self._by_organization[organization_id] = of_organization + 1
        if user_id:
            self._by_user[user_id] = of_user + 1

    def leave(self, slot: Slot) -> None:
        """The request has been answered, or given up."""
        organization_id, user_id = slot
        self._taken -= 1
        _give_back(self._by_organization, organization_id)
        if user_id:
            _give_back(self._by_user, user_id)


def _crowded(limit: int) -> Problem:
    return Problem(
        429,
        "concurrency_exceeded",
        f"More than {limit} requests at once.",
        retry_after=RETRY_AFTER,
        extra={"limit": limit},
    )


def _give_back(taken: dict[int, int], who: int) -> None:
    left = taken[who] - 1
    if left:
        taken[who] = left
    else:
        del taken[who]
