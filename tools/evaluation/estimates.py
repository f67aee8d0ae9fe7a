"""Totals beside estimators': ``python -m tools.evaluation.estimates`` prints how many lie in the range that somebody
who knew nothing of our prices or rules would quote for the same request.

`estimates.jsonl` has requests of the US and Great Britain with a total before tax, from low to high, and the lines that
it was added up from, by five estimators of our own in November 2026, from what they know of the trades: no
price was looked up. Three sets were read since, and their lines mapped to tasks of the catalogue; of the others only
figures are looked at.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from server.domain import money
from server.domain.draft import Draft
from server.domain.drafting.engine import Drafter
from server.domain.regions import CURRENCY_OF
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from tools.evaluation.drafting import Label, Request

FILE = Path(__file__).with_name("estimates.jsonl")
HEADING = "Totals beside estimators'"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What somebody would quote for a request, in major units before tax."""

    name: str
    country: str
    text: str
    low: Decimal
    high: Decimal


@dataclass(frozen=True, slots=True)
class Compared:
    """A draft beside it."""

    estimate: Estimate
    draft: Draft

    @property
    def inside(self) -> bool:
        """Whether the draft's total before tax is in the estimator's range."""
        return self.estimate.low <= money.from_minor(self.draft.subtotal_minor) <= self.estimate.high

    @property
    def meets(self) -> bool:
        """Whether the draft's own range and the estimator's have anything in common."""
        low, high = money.from_minor(self.draft.low_minor), money.from_minor(self.draft.high_minor)
        return low <= self.estimate.high and high >= self.estimate.low

    @property
    def is_priced(self) -> bool:
        """Whether every line has a price."""
        return bool(self.draft.lines) and all(line.priced for line in self.draft.lines)

    @property
    def ratio(self) -> float:
        """The total by the middle of the range (geometric)."""
        middle = (self.estimate.low * self.estimate.high).sqrt()
        return float(money.from_minor(self.draft.subtotal_minor) / middle)


def read_estimates() -> list[Estimate]:
    """All of them in file order."""
    return [
        Estimate(one["set"], one["country"], one["text"], Decimal(one["low"]), Decimal(one["high"])) for one in _rows()
    ]


def as_requests() -> list[Request]:
    """Those of the sets that are read, labelled with the works of the catalogue that the estimators' lines come to. The
    words of a label are the estimator's and need not stand in the text."""
    return [
        Request(
            one["id"], "customer", one["country"], "", "", one["text"],
            tuple(Label.of({"words": line["what"], **work}) for line in one["lines"] for work in line["works"]),
            frozenset(), (), True, None,
        )
        for one in _rows()
        if all("works" in line for line in one["lines"])
    ]  # fmt: skip


def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def compare(drafter: Drafter, estimates: Iterable[Estimate]) -> list[Compared]:
    """Each with its draft, at the place that its text names."""
    return [
        Compared(one, drafter.draft(one.text, settings=PricingSettings(currency=CURRENCY_OF[one.country])))
        for one in estimates
    ]


def table(compared: Sequence[Compared]) -> list[str]:
    """The figures of each set."""
    lines = [
        "| Set | Requests | Total in the estimator's range | Ranges meet | Every line priced | Median ratio of those |",
        "|---|---|---|---|---|---|",
    ]
    for name in dict.fromkeys(one.estimate.name for one in compared):
        rows = [one for one in compared if one.estimate.name == name]
        priced = [one for one in rows if one.is_priced]
        inside, meets = sum(one.inside for one in rows), sum(one.meets for one in rows)
        middle = statistics.median(one.ratio for one in priced)
        lines.append(
            f"| {name} | {len(rows)} | {inside / len(rows):.3f} | {meets / len(rows):.3f} | "
            f"{len(priced) / len(rows):.3f} | {middle:.2f} |"
        )
    return lines


def main() -> None:
    """Print the table."""
    embedded = load_embedded()
    print("\n".join(table(compare(Drafter(embedded.catalogue, embedded.gazetteer), read_estimates()))))


if __name__ == "__main__":
    main()
