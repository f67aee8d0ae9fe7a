"""Whether prices built from norms and claims lie where prices were observed.

For every work with observed prices, the price that the engine would give without them is asked at the place of the
observations, and held against their quartiles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from server.domain.catalogue import ObservedPrice, Task
from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.settings import PricingSettings
from server.embedded import Embedded

PLACE = "Chicago, IL"


@dataclass(frozen=True, slots=True)
class Check:
    """One work: the observed quartiles, and the price without them with its kind and range."""

    task: Task
    observed: ObservedPrice
    kind: str
    price: Decimal
    low: Decimal
    high: Decimal

    @property
    def inside(self) -> bool:
        """Whether the price lies between the quartiles."""
        return self.observed.p25 <= self.price <= self.observed.p75

    @property
    def overlaps(self) -> bool:
        """Whether the price's own range meets that of the quartiles."""
        return self.low <= self.observed.p75 and self.high >= self.observed.p25

    @property
    def ratio(self) -> Decimal:
        """Price by observed median."""
        return self.price / self.observed.median


def check(embedded: Embedded) -> tuple[list[Check], int]:
    """Every work with observations that another source prices, and how many have observations alone."""
    match = embedded.gazetteer.find(PLACE)
    assert match is not None
    found, alone = [], 0
    for task in embedded.catalogue.tasks.values():
        if not task.observed:
            continue
        observed = max(task.observed, key=lambda one: one.n)
        price = unit_price(
            embedded.catalogue,
            replace(task, observed=()),
            unit=task.unit,
            place=match.place,
            settings=PricingSettings(),
        )
        if isinstance(price, Unpriced):
            alone += 1
        else:
            found.append(Check(task, observed, price.source.kind, price.price, price.low, price.high))
    return found, alone
