"""How the price of a unit goes with the amount of work: `fitted` on ``tiers.csv``, what one publisher states for two
amounts or more of the same work by the area.

Beside what each work costs, the logarithm of the price of the whole goes with that of the amount: by how much,
`slopes` fits. Tiers that only multiply one price of a unit count like all others. docs/adr/0039-price-by-amount.md has
the figures.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np

from server.domain.catalogue import AmountScale
from server.domain.units import factor
from tools.catalogue import slopes
from tools.catalogue.claims import between, voice_of
from tools.catalogue.sources import AMOUNTS

#: Unit of area in which amounts are compared.
UNIT = "m2"
_DIGITS = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Tiers:
    """What a publisher states for one work: the amounts in `UNIT`, growing, with the price of the whole of each."""

    work: str
    publisher: str
    date: str
    prices: tuple[tuple[Decimal, Decimal], ...]


def read_tiers(path: Path) -> list[Tiers]:
    """All rows of the table. Raises ``ValueError`` for a row of one tier, or whose amounts do not grow."""
    with path.open(encoding="utf-8", newline="") as file:
        return [_tiers(row) for row in csv.DictReader(file)]


def _tiers(row: Mapping[str, str]) -> Tiers:
    prices = []
    for tier in row["tiers"].split():
        stated, price = (_ends(text) for text in tier.split("="))
        # "500-1000 sq ft" is taken at its middle by ratio, as amounts spread by ratios, too.
        amount = (stated[0] * stated[1]).sqrt()
        whole = between(*price) * (amount if row["price_of"] == "unit" else 1)
        prices.append((amount * factor(row["unit"], UNIT), whole))
    amounts = [amount for amount, _ in prices]
    if len(amounts) < 2 or amounts != sorted(set(amounts)):
        raise ValueError(f"no tiers that grow: {row}")
    return Tiers(row["work"], voice_of(row["publisher"]), row["date"], tuple(prices))


def _ends(text: str) -> tuple[Decimal, Decimal]:
    low, _, high = text.partition("-")
    return Decimal(low), Decimal(high or low)


def fitted(rows: Sequence[Tiers]) -> AmountScale:
    """What the tiers tell."""
    publishers = len({row.publisher for row in rows})
    return AmountScale(
        exponent(rows),
        publishers,
        AMOUNTS.as_of,
        AMOUNTS.dataset_id,
        f"{len(rows)} works for which {publishers} publishers state prices of several amounts, each in "
        "tools/catalogue/tiers.csv",
    )


def exponent(rows: Sequence[Tiers]) -> Decimal:
    """Of the amount, in the price of a unit: 0 where any amount costs the same a unit, -1 where it costs the same in
    all."""
    told = (np.array([[math.log(amount), math.log(whole)] for amount, whole in row.prices]) for row in rows)
    [grows] = slopes.fitted((one[:, :1], one[:, 1]) for one in told)
    return Decimal(grows - 1).quantize(_DIGITS)


def left_out(rows: Sequence[Tiers]) -> list[Decimal]:
    """The exponent without each of the publishers."""
    publishers = sorted({row.publisher for row in rows})
    return [exponent([row for row in rows if row.publisher != publisher]) for publisher in publishers]
