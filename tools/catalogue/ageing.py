"""How much published prices have gone up since they were stated: `fitted`, by which `claims.merge` brings every row to
the prices of the newest year.

Rows about the same work, of one country, kind and unit, stated in different years, tell it themselves: on the logarithm
of their middles, a year makes so much, and having no date so much, beside what the work costs (`slopes`).
docs/adr/0037-stated-prices-grow-old.md has the figures.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from tools.catalogue import slopes
from tools.catalogue.claims import Claim

#: Rows of one work that tell anything.
_FEWEST = 2
_DIGITS = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Ageing:
    """What a stated price is multiplied by to be one of ``year``: ``yearly`` for each year, ``undated`` where the page
    tells none. Fitted on so many ``rows``."""

    year: int
    yearly: Decimal
    undated: Decimal
    rows: int

    def times(self, date: str) -> Decimal:
        """What a price of a date (ISO, from the year on; empty where there is none) is multiplied by."""
        if not date:
            return self.undated
        return self.yearly ** max(0, self.year - int(date[:4]))

    def brought(self, claims: Iterable[Claim]) -> list[Claim]:
        """The claims, each with what brings it to the prices of the year."""
        return [replace(claim, times=self.times(claim.date)) for claim in claims]


def fitted(claims: Sequence[Claim]) -> Ageing:
    """What the rows themselves tell. Raises ``ValueError`` where none has a date."""
    year = max(int(claim.date[:4]) for claim in claims if claim.date)
    works: defaultdict[tuple[str, str, str, str], list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.mid > 0:
            works[claim.item, claim.country, claim.kind, claim.unit].append(claim)
    told = []
    for rows in works.values():
        if len(rows) >= _FEWEST:
            ages = np.array([[year - int(one.date[:4]), 0] if one.date else [0, 1] for one in rows], float)
            told.append((ages, np.array([math.log(one.mid) for one in rows])))
    yearly, undated = (Decimal(math.exp(-one)).quantize(_DIGITS) for one in slopes.fitted(told))
    return Ageing(year, yearly, undated, sum(len(middles) for _, middles in told))
