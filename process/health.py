"""Whether a process should be sent work: named checks, and whether it is starting or draining."""

from __future__ import annotations

from collections.abc import Callable

STARTING = "starting"
DRAINING = "draining"


class Readiness:
    """What /readyz says.

    A process begins as not ready, is ready after `started` while all its checks hold, and is not ready for good after
    `drain`. Checks are asked often and on the event loop: they look at what is known, and wait for nothing.
    """

    def __init__(self) -> None:
        self._checks: dict[str, Callable[[], bool]] = {}
        self._started = False
        self.draining = False

    def add(self, name: str, check: Callable[[], bool]) -> None:
        """A check by the name under which it fails."""
        self._checks[name] = check

    def started(self) -> None:
        """The process serves."""
        self._started = True

    def drain(self) -> None:
        """The process is about to stop: what is under way ends, new work should go elsewhere."""
        self.draining = True

    @property
    def failing(self) -> list[str]:
        """Names of what keeps the process from being ready; empty when it is."""
        names = [name for name, check in self._checks.items() if not check()]
        if not self._started:
            names.append(STARTING)
        if self.draining:
            names.append(DRAINING)
        return names
