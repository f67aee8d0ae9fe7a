"""The worker that hands mail over, with the leases and retries of webhook deliveries.

At least once: a worker that dies between the server's answer and its outcome's commit hands the mail over again, under
the same Message-ID.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from process.log import Log
from server.delivery.leases import LeaseWorker, Times
from server.domain import retries
from server.mail.transport import MailError, Transport
from server.store import mail
from server.store.database import Store
from server.store.mail import ClaimedMail
from server.store.signals import Topic

MOST = 16
MOST_IN_CLAIM = 8


class MailWorker(LeaseWorker[ClaimedMail]):
    """Hands over until it is stopped. ``within`` is the longest try in seconds; ``count`` is told ``sent``, ``retry``
    or ``failed`` and the seconds of each."""

    def __init__(
        self,
        store: Store,
        transport: Transport,
        log: Log,
        *,
        within: float,
        count: Callable[[str, float], None] | None = None,
        times: Times | None = None,
    ) -> None:
        super().__init__(
            "mail", Topic.MAIL, store, log, within=within, most=MOST, most_in_claim=MOST_IN_CLAIM, times=times
        )
        self._transport = transport
        self._count = count

    def is_due(self, now: int) -> bool:
        """See `LeaseWorker.is_due`."""
        return mail.is_due(now)

    def claim_due(self, lease: str, *, now: int, until: int, most: int) -> list[ClaimedMail]:
        """See `LeaseWorker.claim_due`."""
        return mail.claim(lease, now=now, until=until, most=most)

    async def see_to(self, row: ClaimedMail) -> None:
        """See `LeaseWorker.see_to`."""
        began = time.monotonic()
        error, wait = "", None
        try:
            await self._transport.hand_over(row)
        except (MailError, OSError) as problem:
            error = str(problem) or type(problem).__name__
            if not (isinstance(problem, MailError) and problem.permanent):
                wait = retries.wait_after(row.tries + 1, self._times.jitter())
        took = time.monotonic() - began
        now = self._times.now()
        await self.write_down(lambda: mail.finish(row, error, now=now, wait=wait))
        outcome = "sent" if not error else "failed" if wait is None else "retry"
        if self._count is not None:
            self._count(outcome, took)
        # Not the error's text: servers repeat the address in it, which is in the table alone.
        self._log(
            "mail",
            mail_id=row.mail_id,
            organization_id=row.organization_id,
            kind=row.kind,
            outcome=outcome,
            tries=row.tries + 1,
            ms=int(took * 1000),
        )
