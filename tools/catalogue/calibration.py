"""What norms have to be multiplied by to come to what publishers state: `fitted`, stored as ``calibration.json``.

Of all works that a norm reckons and two publishers or more price, in both countries, at the national level: labour ×
so much, and for work by the piece so many hours once. Of a grid of both those are taken that are off least: by the
square of ln (published / reckoned) up to twice or half, beyond that in proportion, so that an odd work does not decide
(Huber 1964). Two figures for both countries err less on a work that is left out than two of each country's own
(docs/adr/0034-norms-calibrated.md).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from server.domain.catalogue import Catalogue, NormCalibration, Task
from server.domain.draft import UnitPrice
from server.domain.pricing.norms import is_set_up
from tools.catalogue import sources
from tools.catalogue.comparison import compare

#: Twice or half, as a logarithm: a work that is further off counts no longer by the square of it.
_TWICE = math.log(2)
#: What is tried.
_TIMES = [Decimal(quarter) / 4 for quarter in range(4, 33)]
_SETUPS = [Decimal(quarter) / 4 for quarter in range(17)]

Pair = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class Work:
    """A work in a country per unit: labour, all else and an hour of a norm, and what publishers state."""

    task: Task
    country: str
    labour: Decimal
    rest: Decimal
    hour: Decimal
    published: Decimal

    def reckoned(self, times: Decimal, setup: Decimal) -> Decimal:
        """What the norm comes to so calibrated, for one piece where it is priced by the piece."""
        return self.labour * times + self.rest + (setup * self.hour if is_set_up(self.task) else 0)

    def off(self, times: Decimal, setup: Decimal) -> float:
        """|ln (published / reckoned)|."""
        return abs(math.log(self.published / self.reckoned(times, setup)))


def works(catalogue: Catalogue) -> list[Work]:
    """All that can be compared."""
    return [
        _work(one.task, one.country, one.prices["norm"], one.prices["claims"].price)
        for one in compare(catalogue)
        if not one.labour and {"norm", "claims"} <= set(one.prices)
    ]


def _work(task: Task, country: str, norm: UnitPrice, published: Decimal) -> Work:
    labour = [one for one in norm.source.components if one.kind == "labour"]
    amount = sum((one.amount for one in labour), Decimal(0))
    whole = sum((one.amount for one in norm.source.components), Decimal(0))
    return Work(task, country, amount, whole - amount, labour[0].rate, published)


def off_when_left_out(compared: Sequence[Work]) -> list[float]:
    """How far each is off by what the others give."""
    errors = _errors(compared)
    losses = {pair: [_loss(off) for off in offs] for pair, offs in errors.items()}
    sums = {pair: sum(values) for pair, values in losses.items()}
    return [errors[min(sums, key=lambda pair: sums[pair] - losses[pair][at])][at] for at in range(len(compared))]


def _best(compared: Sequence[Work]) -> Pair:
    """Times and hours that are least off."""
    errors = _errors(compared)
    return min(errors, key=lambda pair: sum(map(_loss, errors[pair])))


def _errors(compared: Sequence[Work]) -> dict[Pair, list[float]]:
    """How far each is off by everything that is tried."""
    return {pair: [work.off(*pair) for work in compared] for pair in product(_TIMES, _SETUPS)}


def _loss(off: float) -> float:
    return off * off / 2 if off < _TWICE else _TWICE * (off - _TWICE / 2)


def fitted(catalogue: Catalogue) -> NormCalibration:
    """The calibration of the works of a catalogue."""
    compared = works(catalogue)
    times, setup = _best(compared)
    low, _, high = statistics.quantiles([work.published / work.reckoned(times, setup) for work in compared], n=4)
    return NormCalibration(
        times,
        setup,
        low.quantize(Decimal("0.01")),
        high.quantize(Decimal("0.01")),
        len(compared),
        sources.NORM_CALIBRATION.as_of,
        sources.NORM_CALIBRATION.dataset_id,
        f"{len(compared)} works of the US and Great Britain with a norm and two publishers or more, each with both "
        "prices in docs/price-comparison.md",
    )
