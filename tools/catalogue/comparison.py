"""Where two kinds of source price the same work: how they compare, as `docs/price-comparison.md`.

Every kind is asked alone, through the price build-up itself, at the national level: an observed price is brought there
on its labour share, a norm is built from national charges and dated materials, not calibrated, claims stand as they are
stated.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations

from server.domain.catalogue import Catalogue, Task
from server.domain.draft import UnitPrice
from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.regions import CURRENCY_OF
from server.domain.settings import PricingSettings

#: Kinds in the order of the table; the ratio of a pair is the later by the earlier.
KINDS = ("norm", "observed", "claims", "single_claim")
LABELS = {"norm": "norm", "observed": "observed", "claims": "claims", "single_claim": "single claim"}
COUNTRIES = ("US", "GB")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One task in one country, priced by two kinds of source or more. ``labour`` where all of them leave materials
    out."""

    task: Task
    country: str
    labour: bool
    prices: Mapping[str, UnitPrice]


def compare(catalogue: Catalogue) -> list[Comparison]:
    """Every task and country that two kinds of source price, in order of the tasks. Norms are as they are, not
    calibrated."""
    catalogue = replace(catalogue, norm_calibration=None)
    found = []
    for task in catalogue.tasks.values():
        for country in COUNTRIES:
            for labour in (False, True):
                prices = prices_by_kind(catalogue, task, country, labour=labour)
                if len(prices) > 1:
                    found.append(Comparison(task, country, labour, prices))
    return found


def observed_prices(catalogue: Catalogue) -> dict[tuple[str, str, bool], list[Decimal]]:
    """What observations say about a unit of each task: what claims are held against."""
    found = {}
    for task in catalogue.tasks.values():
        for country in COUNTRIES:
            prices = prices_by_kind(catalogue, replace(task, claims=()), country, labour=False)
            found[task.task_id, country, False] = [one.price for kind, one in prices.items() if kind == "observed"]
    return found


def prices_by_kind(catalogue: Catalogue, task: Task, country: str, *, labour: bool) -> dict[str, UnitPrice]:
    """The national price of a unit by each kind of source alone."""
    claims = tuple(claim for claim in task.claims if claim.includes_materials is not labour)
    alone = (
        replace(task, observed=(), claims=()),
        replace(task, claims=(), labour=task.labour if task.observed else ()),
        replace(task, observed=(), labour=(), materials=(), claims=claims),
    )
    settings = PricingSettings(currency=CURRENCY_OF[country])
    found: dict[str, UnitPrice] = {}
    for one in alone:
        price = unit_price(catalogue, one, unit=task.unit, place=None, settings=settings, materials_by_customer=labour)
        if not isinstance(price, Unpriced) and price.price > 0:
            found.setdefault(price.source.kind, price)
    return {kind: found[kind] for kind in KINDS if kind in found}


def report(catalogue: Catalogue) -> str:
    """The comparison as a page, for a catalogue with a calibration."""
    compared, calibration = compare(catalogue), catalogue.norm_calibration
    assert calibration is not None
    lines = [
        "# How the sources compare",
        "",
        "Made by `make data`, not by hand. Wherever two kinds of source price the same work, both prices stand here,",
        "per unit, at the national level, each built by the price build-up from that kind alone.",
        "",
        "A norm is hours of building sites at what the trades charge for an hour, with dated materials; observed",
        "prices are what applicants declare for permits; claims are what publishers say that customers pay. Norms come",
        "out below the others, and price only what none of these do ([pricing.md](pricing.md)): then calibrated,",
        f"labour × {calibration.labour_times:f} and {calibration.setup_hours:f} h once for work by the piece, as",
        f"*claims / norm* below have it ([ADR 34](adr/0034-norms-calibrated.md)). Of these {calibration.works} works",
        f"half lie between {calibration.low:f} and {calibration.high:f} times what is so reckoned.",
        "",
        "## Ratios",
        "",
        "| Pair | Tasks | Median | Quartiles | Within a factor of 2 |",
        "|---|---|---|---|---|",
        *_ratio_lines(compared),
        "",
        "## Tasks",
        "",
        "Prices in the country's currency, with the number of publishers or observations.",
        "",
        "| Task | Unit | " + " | ".join(LABELS[kind] for kind in KINDS) + " | Highest by lowest |",
        "|---|---|" + "---|" * len(KINDS) + "---|",
        *(_task_line(one) for one in compared),
        "",
        "## Dropped rows",
        "",
        "Rows of published prices that are dropped as implausible. First rule: with three publishers or more, a middle",
        "more than three times, or less than a third of, the median of the middles. Second rule: a middle more than",
        "five times, or less than a fifth of, every other statement about the work (other publishers, the observed",
        "median), where there are two or more.",
        "",
        "| Task | Kept | Dropped row |",
        "|---|---|---|",
        *_dropped_lines(catalogue.tasks.values()),
    ]
    return "\n".join(lines) + "\n"


def _ratio_lines(compared: Iterable[Comparison]) -> list[str]:
    ratios: dict[tuple[str, str, str, bool], list[float]] = {}
    for one in compared:
        for base, other in combinations(one.prices, 2):
            ratio = float(one.prices[other].price / one.prices[base].price)
            ratios.setdefault((one.country, other, base, one.labour), []).append(ratio)
    lines = []
    for (country, other, base, labour), values in sorted(ratios.items()):
        low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
        near = sum(abs(math.log(value, 2)) <= 1 for value in values)
        name = f"{LABELS[other]} / {LABELS[base]}, {country}{', labour only' if labour else ''}"
        lines.append(f"| {name} | {len(values)} | {middle:.2f} | {low:.2f}–{high:.2f} | {near} of {len(values)} |")
    return lines


def _task_line(one: Comparison) -> str:
    name = f"{one.task.name}{' (labour only)' if one.labour else ''}, {one.country}"
    cells = [_price_cell(one.prices[kind], one.task) if kind in one.prices else "" for kind in KINDS]
    amounts = [price.price for price in one.prices.values()]
    return f"| {name} | {one.task.unit} | " + " | ".join(cells) + f" | {max(amounts) / min(amounts):.2f} |"


def _price_cell(price: UnitPrice, task: Task) -> str:
    if price.source.kind == "claims":
        return f"{price.price} ({len(price.source.supplier.split(', '))})"
    if price.source.kind == "observed":
        return f"{price.price} ({max(one.n for one in task.observed)})"
    return f"{price.price}"


def _dropped_lines(tasks: Iterable[Task]) -> list[str]:
    lines = [
        f"| {task.name} | {claim.low}–{claim.high} {claim.currency} per {claim.unit} of "
        f"{', '.join(claim.publishers)} | {row} |"
        for task in tasks
        for claim in task.claims
        for row in claim.dropped
    ]
    return lines or ["| none | | |"]
