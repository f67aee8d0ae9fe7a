"""How much of the catalogue has a price, by trade and country, and what stands behind it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.regions import CURRENCY_OF
from server.domain.settings import PricingSettings
from server.embedded import Embedded
from tools.evaluation.relevance import PLACES

#: Kinds of source that are more than one publisher's word.
FIRM = frozenset({"observed", "norm", "claims"})


@dataclass(frozen=True, slots=True)
class TradeCoverage:
    """One trade: its tasks, and by country how many have a price, and one of more than a single publisher."""

    trade: str
    tasks: int
    priced: Counter[str]
    firm: Counter[str]


def cover(embedded: Embedded) -> list[TradeCoverage]:
    """Coverage of every trade in order of its name, asked at the places of the labelled queries."""
    places = {country: embedded.gazetteer.find(text) for country, text in PLACES.items()}
    found: dict[str, TradeCoverage] = {}
    tasks = Counter(task.trade for task in embedded.catalogue.tasks.values())
    for task in embedded.catalogue.tasks.values():
        row = found.setdefault(task.trade, TradeCoverage(task.trade, tasks[task.trade], Counter(), Counter()))
        for country, match in places.items():
            assert match is not None
            settings = PricingSettings(currency=CURRENCY_OF[country])
            price = unit_price(embedded.catalogue, task, unit=task.unit, place=match.place, settings=settings)
            if not isinstance(price, Unpriced):
                row.priced[country] += 1
                row.firm[country] += price.source.kind in FIRM
    return [found[trade] for trade in sorted(found)]
