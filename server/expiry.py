"""Sent quotes run out on the day after their last, each in a write of its own: one that cannot be read back, or moved,
keeps no other from it."""

from __future__ import annotations

import asyncio
import traceback
from datetime import date

from process.log import Log
from server.domain.lifecycle import Trigger
from server.faults import Fault
from server.rpc.workflow import move_quote
from server.store import workflows
from server.store.audit import Act
from server.store.database import Store, StoreBusyError, StoreClosedError

#: How long a quote is let alone that could not run out, µs: each try is told as a defect, and somebody has to mend it.
TRIED_AGAIN_AFTER = 3600 * 1_000_000


class Expiry:
    """What lets sent quotes run out. ``failures`` counts the tries that were defects."""

    def __init__(self, store: Store, public_url: str, log: Log) -> None:
        self.failures = 0
        self._store = store
        self._public_url = public_url
        self._log = log
        #: Quotes that could not run out, and when they are tried again (µs, UTC).
        self._set_aside: dict[int, int] = {}

    async def turn(self, today: date, at: int, most: int) -> int:
        """Let at most ``most`` quotes run out whose last day was before ``today``, each with its event; how many were
        tried. Raises `StoreBusyError` and `StoreClosedError`, with some of them done."""
        self._set_aside = {quote_id: again_at for quote_id, again_at in self._set_aside.items() if again_at > at}
        rows = await self._store.read(lambda: workflows.run_out(today.isoformat(), most + len(self._set_aside)))
        due = [row for row in rows if row[0] not in self._set_aside][:most]
        # Handed over at once, they are committed together.
        done = await asyncio.gather(*(self._expire(*row, at) for row in due), return_exceptions=True)
        for failure in done:
            if failure is not None:
                raise failure
        return len(due)

    async def _expire(self, quote_id: int, organization_id: int, livemode: bool, at: int) -> None:
        act = Act(organization_id, livemode, "clock", "", at)
        try:
            await self._store.write(lambda: move_quote(act, quote_id, Trigger.EXPIRE, "", self._public_url))
        except (StoreBusyError, StoreClosedError):
            raise
        except Fault:
            # Meanwhile the customer has answered, or another process was first.
            pass
        except Exception:  # noqa: BLE001 - whatever it is, it is this quote's, and the others run out
            self.failures += 1
            self._set_aside[quote_id] = at + TRIED_AGAIN_AFTER
            self._log("defect", task="expiry", quote_id=quote_id, trace=traceback.format_exc())
