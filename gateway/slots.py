"""How many requests may be under way at once, of one organization and in all: what is over is refused, never queued.

A queue would only make everybody wait for work whose clients have given up; a refusal costs microseconds and says
when to come back. Requests of nobody known have no slots: they do no work to speak of, and strangers must not be able
to fill what customers need.
"""

from __future__ import annotations

from gateway.envelope import Problem

RETRY_AFTER = 1.0  # seconds


class Slots:
    """Counts the requests under way in this process."""

    def __init__(self, most: int, most_per_organization: int) -> None:
        self._most = most
        self._most_per_organization = most_per_organization
        self._taken = 0
        self._by_organization: dict[int, int] = {}

    def enter(self, organization_id: int) -> None:
        """Count a request of the organization until `leave`.

        Raises 429 ``concurrency_exceeded`` where the organization has too many under way, 503 ``overloaded`` where
        all together have; then nothing is counted.
        """
        taken = self._by_organization.get(organization_id, 0)
        if taken >= self._most_per_organization:
            raise Problem(
                429,
                "concurrency_exceeded",
                f"More than {self._most_per_organization} requests at once.",
                retry_after=RETRY_AFTER,
                extra={"limit": self._most_per_organization},
            )
        if self._taken >= self._most:
            raise Problem(503, "overloaded", "The service is busy; try again in a moment.", retry_after=RETRY_AFTER)
        self._taken += 1
        self._by_organization[organization_id] = taken + 1

    def leave(self, organization_id: int) -> None:
        """The request has been answered, or given up."""
        self._taken -= 1
        taken = self._by_organization[organization_id] - 1
        if taken:
            self._by_organization[organization_id] = taken
        else:
            del self._by_organization[organization_id]
