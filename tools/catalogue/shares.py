"""How much of an installed price is labour, where no source splits it: `fitted`, stored as ``labour_shares.json``.

Of all works for which publishers of a country state the installed price and the labour alone, what the labour is of the
whole: the median with its quartiles, of a trade where it has five such works or more, of all trades elsewhere. A work
whose labour is stated above its whole is none: the two are not about the same
(docs/adr/0040-labour-of-what-the-customer-has.md).
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from server.domain.catalogue import LabourOfTrade, PublishedClaim, Task
from server.domain.units import dimension, factor
from tools.catalogue import sources

#: Works that a trade needs to stand for itself.
ENOUGH = 5


@dataclass(frozen=True, slots=True)
class Split:
    """A work in a country whose labour and whole are both stated."""

    task: Task
    country: str
    share: Decimal


def splits(tasks: Iterable[Task]) -> list[Split]:
    """All of them, the statements of most publishers against one another."""
    return [split for task in tasks for split in _of_task(task)]


def fitted(found: Sequence[Split]) -> list[LabourOfTrade]:
    """The shares of all trades together, under no name, and of those that have works enough."""
    trades: dict[str, list[Split]] = defaultdict(list)
    for split in found:
        trades[split.task.trade].append(split)
    enough = {trade: some for trade, some in sorted(trades.items()) if len(some) >= ENOUGH}
    return [_of_works("", found), *(_of_works(trade, some) for trade, some in enough.items())]


def off_when_left_out(found: Sequence[Split]) -> tuple[list[float], list[float]]:
    """|ln (stated / reckoned share)| of each work by the others: by their trade where it has enough, by all."""
    by_trade, by_all = [], []
    for at, split in enumerate(found):
        shares = {one.trade: one.share for one in fitted([*found[:at], *found[at + 1 :]])}
        reckoned = shares.get(split.task.trade, shares[""])
        by_trade.append(abs(math.log(split.share / reckoned)))
        by_all.append(abs(math.log(split.share / shares[""])))
    return by_trade, by_all


def _of_task(task: Task) -> Iterator[Split]:
    for country in sorted({claim.country for claim in task.claims}):
        here = [claim for claim in task.claims if claim.country == country]
        whole = _most([claim for claim in here if claim.includes_materials and not claim.service])
        labour = _most([claim for claim in here if not claim.includes_materials])
        if whole is None or labour is None or dimension(whole.unit) is not dimension(labour.unit):
            continue
        share = labour.mid / (whole.mid * factor(labour.unit, whole.unit))
        if share < 1:
            yield Split(task, country, share)


def _most(claims: Sequence[PublishedClaim]) -> PublishedClaim | None:
    return max(claims, key=lambda claim: len(claim.publishers), default=None)


def _of_works(trade: str, works: Sequence[Split]) -> LabourOfTrade:
    low, middle, high = (
        Decimal(cut).quantize(Decimal("0.01")) for cut in statistics.quantiles([one.share for one in works], n=4)
    )
    return LabourOfTrade(
        trade, middle, low, high, len(works), sources.LABOUR_SHARES.as_of, sources.LABOUR_SHARES.dataset_id,
        ", ".join(f"{one.task.task_id} {one.country} {one.share:.2f}" for one in works),
    )  # fmt: skip
