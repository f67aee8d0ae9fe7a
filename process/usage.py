"""What organizations use, counted in memory until somebody takes it away."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

#: Seconds between two times that counts are made durable: what a process that is killed loses at most.
WRITTEN_EVERY = 5.0
_DAY = 24 * 3600  # seconds


class Use(NamedTuple):
    """Requests of an organization, of one mode, to one operation (``Service/Method``) on one day (since 1970, UTC)."""

    organization_id: int
    livemode: bool
    day: int
    operation: str


@dataclass(slots=True)
class Figures:
    """``requests`` in all, of them ``refused`` because an allowance was used up and otherwise ``failed``;
    ``busiest_minute``: the most that counted into the organization's allowance within a minute."""

    requests: int = 0
    refused: int = 0
    failed: int = 0
    busiest_minute: int = 0

    def add(self, requests: int, refused: int, failed: int, busiest_minute: int) -> None:
        """Count these, too."""
        self.requests += requests
        self.refused += refused
        self.failed += failed
        self.busiest_minute = max(self.busiest_minute, busiest_minute)


class UsageCounter:
    """Counts; of one thread."""

    def __init__(self) -> None:
        self._figures: dict[Use, Figures] = {}

    def note(
        self,
        organization_id: int,
        operation: str,
        *,
        livemode: bool,
        refused: bool = False,
        failed: bool = False,
        in_minute: int = 0,
        at: float | None = None,
    ) -> None:
        """Count a request, that of the time ``at`` (seconds since 1970) or of now. ``in_minute``: how many have counted
        into the allowance within a minute, this one too."""
        use = (organization_id, livemode, int(time.time() if at is None else at) // _DAY, operation)
        # A tuple finds what a `Use` was put under, and costs a request less to make.
        figures = self._figures.get(use)  # type: ignore[call-overload]
        if figures is None:
            figures = self._figures[Use(*use)] = Figures()
        figures.requests += 1
        figures.refused += refused
        figures.failed += failed
        if in_minute > figures.busiest_minute:
            figures.busiest_minute = in_minute

    def take(self) -> Mapping[Use, Figures]:
        """What was counted since it was last taken."""
        taken, self._figures = self._figures, {}
        return taken

    def give_back(self, taken: Mapping[Use, Figures]) -> None:
        """Count again what was taken and could not be kept."""
        for use, one in taken.items():
            self._figures.setdefault(use, Figures()).add(one.requests, one.refused, one.failed, one.busiest_minute)
