"""What is done every half minute beside the calls: deleting what has outlived its use, a little at a time."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from process.log import Log
from server.store.database import StoreBusyError, StoreClosedError

#: Turns of one step in a round, at most: 20,000 idempotency records, forty times those of one busy organization.
MOST_TURNS = 40


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: ``turn`` does at most some of it, in a write of its own, and says how much it did. From ``most``
    on there may be more, and another turn follows; 0: it does all at once."""

    name: str
    turn: Callable[[], Awaitable[int | None]]
    most: int = 0


async def tidy(steps: Iterable[Step], log: Log) -> None:
    """One round. A step that fails is a defect and keeps no other from being done; where the store is busy the rest
    waits for the next round, as it does where a step has had `MOST_TURNS`."""
    for step in steps:
        try:
            for _ in range(MOST_TURNS):
                done = await step.turn()
                if not step.most or (done or 0) < step.most:
                    break
        except StoreBusyError as error:
            log("housekeeping_put_off", step=step.name, error=str(error))
            return
        except StoreClosedError:
            return
        except Exception:  # noqa: BLE001 - the last line of defence: nobody awaits it, and it must go on
            log("defect", task="housekeeping", step=step.name, trace=traceback.format_exc())
