"""How much of a work an ordinary job has, as publishers say it beside their prices (``amounts.csv``): "the average
backsplash is roughly 30 square feet", "average total cost (100 square feet)".

A work's is the median of its publishers'. Works of which nobody says it have none: what is ordinary lies between 3 m²
of backsplash and an acre of land, so that no middle stands for others (docs/adr/0039-price-by-amount.md).
"""

from __future__ import annotations

import csv
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from server.domain.catalogue import OrdinaryAmount, Task
from server.domain.units import Dimension, dimension, factor
from tools.catalogue.claims import voice_of
from tools.catalogue.sources import AMOUNTS
from tools.catalogue.tiers import UNIT

_DIGITS = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class _Statement:
    tasks: tuple[str, ...]
    amount: Decimal
    country: str
    date: str
    publisher: str
    reference: str


def read_amounts(path: Path, tasks: Iterable[Task]) -> list[OrdinaryAmount]:
    """All ordinary amounts in `UNIT`. Raises ``ValueError`` for a task that is not, or not priced by the area."""
    with path.open(encoding="utf-8", newline="") as file:
        statements = [_statement(row) for row in csv.DictReader(file)]
    by_area = {task.task_id for task in tasks if dimension(task.unit) is Dimension.AREA}
    by_work: defaultdict[tuple[str, str], list[_Statement]] = defaultdict(list)
    for one in statements:
        for task_id in one.tasks:
            if task_id not in by_area:
                raise ValueError(f"{path.name}: {task_id} is no work by the area")
            by_work[task_id, one.country].append(one)
    return [
        OrdinaryAmount(
            task_id,
            country,
            statistics.median([one.amount for one in found]).quantize(_DIGITS),
            UNIT,
            tuple(sorted({one.publisher for one in found})),
            tuple(one.reference for one in found),
            max(one.date for one in found),
            AMOUNTS.dataset_id,
        )
        for (task_id, country), found in sorted(by_work.items())
    ]


def _statement(row: Mapping[str, str]) -> _Statement:
    low, high = Decimal(row["low"]), Decimal(row["high"])
    stated = f"{low}" if low == high else f"{low} to {high}"
    return _Statement(
        tuple(row["tasks"].split()),
        # "25 to 60" is taken at its middle by ratio, as amounts spread by ratios.
        (low * high).sqrt() * factor(row["unit"], UNIT),
        row["country"],
        row["date"],
        voice_of(row["publisher"]),
        f"{stated} {row['unit']}, {row['date'] or 'undated'}, {row['publisher']} {row['url']}",
    )
