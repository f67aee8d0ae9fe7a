"""Prices that publishers state, merged into one range an item, country and currency.

Rules
- A row without a middle figure has the middle that publishers give ranges of their own (`between`); a row with one
  figure only has that one three times.
- A row counts at the prices of the newest year (`ageing`); what names it has its own figures.
- Rows of one publisher, and of publishers that the notes call one network, count as one statement: lowest low,
  median middle, highest high.
- Plausibility, first rule: with three publishers or more, one whose middle is more than three times, or less than a
  third of, the median of the middles is dropped. With two, both stay and the range is as wide as they disagree.
- Second rule: a publisher is dropped whose middle is more than five times, or less than a fifth of, every other
  statement about the same work, where there are two or more of them: other publishers, the observed median. So one
  other source alone never overrules a publisher.
- Dropped rows stay named with the range that they are missing from.
- The range is the lowest low to the highest high, the middle the median of the publishers' middles.
"""

from __future__ import annotations

import csv
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from server.domain.catalogue import PublishedClaim
from server.domain.units import UNITS, Dimension, factor
from tools.catalogue.sources import CLAIMS

#: Units as pages write them → unit codes. A room, load, set, sheet or roll is counted.
UNIT_CODES = {
    "CY": "cuyd",
    "EA": "each",
    "LF": "ft",
    "SF": "sqft",
    "hour": "h",
    "load": "each",
    "roll": "each",
    "roofing square": "square",
    "room": "each",
    "set": "each",
    "sheet": "each",
    "watt": "W",
}
#: Publishers that the notes record as one network or company.
_NETWORKS = {
    "angi.com": "homeadvisor.com",
    "eatsip365.com": "visualfoodie.com",
    "winenfood.com": "visualfoodie.com",
}
LABOUR, MATERIAL, SERVICE = "labour_charge", "material_price", "service_price"
#: Where publishers who state low, middle and high see the middle, on a scale of ratios: 0 at the low, 1 at the high
#: (docs/adr/0036-the-middle-of-a-range.md).
MIDDLE_AT = Decimal("0.53")
#: Factors of the two rules of plausibility.
FAR, VERY_FAR = 3, 5
WHOLE = {Dimension.COUNT, Dimension.LUMP}


@dataclass(frozen=True, slots=True)
class Claim:
    """One row of the claim files, in a unit code of ours."""

    item: str
    kind: str
    unit: str
    stated_unit: str
    currency: str
    low: Decimal
    mid: Decimal
    high: Decimal
    country: str
    date: str
    publisher: str
    url: str
    #: What brings its figures to the prices of the newest year (`ageing`).
    times: Decimal = Decimal(1)

    @property
    def reference(self) -> str:
        """What the row says and where: the row reference of a price."""
        figures = f"{self.low}" if self.low == self.high else f"{self.low}-{self.high}"
        where = f"{self.publisher} {self.url}"
        return f"{self.item}: {self.currency} {figures} per {self.stated_unit}, {self.date or 'undated'}, {where}"


def read_claims(paths: Iterable[Path]) -> list[Claim]:
    """All rows of the claim files in file order."""
    claims = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            claims += [_claim(row) for row in csv.DictReader(file)]
    return claims


def _claim(row: Mapping[str, str]) -> Claim:
    low, mid, high = (Decimal(row[name]) if row[name] else None for name in ("low", "mid", "high"))
    # A "from" price states its low alone; a stated average its middle alone.
    low_known = next(figure for figure in (low, mid, high) if figure is not None)
    high_known = next(figure for figure in (high, mid, low) if figure is not None)
    return Claim(
        row["item"],
        row["kind"],
        UNIT_CODES.get(row["unit"], row["unit"]),
        row["unit"],
        row["currency"],
        low_known,
        mid if mid is not None else between(low_known, high_known),
        high_known,
        row["region"][:2],
        "" if row["date"] == "undated" else row["date"],
        row["publisher"],
        row["url"],
    )


def voice_of(publisher: str) -> str:
    """Whose word a publisher's is: that of its network or company, which counts once."""
    return _NETWORKS.get(publisher, publisher)


def between(low: Decimal, high: Decimal) -> Decimal:
    """The middle of a range that is stated without one: `MIDDLE_AT` of the way up by ratio, so that 100 to 1,000 has
    339 and not 550."""
    if low == high or low <= 0:
        return (low + high) / 2
    return low * (high / low) ** MIDDLE_AT


def comparable(stated: str, unit: str) -> bool:
    """Whether a claim in ``stated`` can price a ``unit``: within a dimension, or both whole things."""
    one, other = UNITS[stated].dimension, UNITS[unit].dimension
    return one is other or {one, other} <= WHOLE


def in_unit(claim: Claim, unit: str) -> Decimal:
    """How many ``unit`` one unit of the claim is; whole things (each, visit, job) are taken as the task's own unit.

    Raises ``ValueError`` across other dimensions.
    """
    if UNITS[claim.unit].dimension in WHOLE and UNITS[unit].dimension in WHOLE:
        return Decimal(1)
    return factor(claim.unit, unit)


def merge(
    claims: Sequence[Claim], item: str, unit: str, *, labour: bool, others: Sequence[Decimal] = ()
) -> PublishedClaim:
    """One range out of rows of one country and currency, in ``unit``.

    ``others`` are prices of a unit that other kinds of source give for the same work. ``ValueError`` for rows of
    another dimension.
    """
    by_publisher: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        by_publisher[voice_of(claim.publisher)].append(claim)
    middles = {
        name: statistics.median([claim.mid * claim.times / in_unit(claim, unit) for claim in rows])
        for name, rows in by_publisher.items()
    }
    middles = {name: mid for name, mid in middles.items() if name not in outliers(middles, others)}
    kept = [claim for claim in claims if voice_of(claim.publisher) in middles]
    return PublishedClaim(
        item,
        unit,
        kept[0].currency,
        _rounded(min(claim.low * claim.times / in_unit(claim, unit) for claim in kept)),
        _rounded(statistics.median(middles.values())),
        _rounded(max(claim.high * claim.times / in_unit(claim, unit) for claim in kept)),
        kept[0].country,
        max((claim.date for claim in kept), default=""),
        tuple(sorted(middles)),
        tuple(claim.reference for claim in kept),
        CLAIMS.dataset_id,
        not labour,
        all(claim.kind == SERVICE for claim in kept),
        tuple(claim.reference for claim in claims if claim not in kept),
    )


def outliers(middles: Mapping[str, Decimal], others: Sequence[Decimal]) -> set[str]:
    """Publishers that the two rules of plausibility drop; never all of them."""
    found: set[str] = set()
    if len(middles) > 2:
        center = statistics.median(middles.values())
        found = {name for name, mid in middles.items() if not center / FAR <= mid <= center * FAR}
    for name, mid in middles.items():
        rest = [*(one for other, one in middles.items() if other != name), *others]
        if len(rest) > 1 and (mid > max(rest) * VERY_FAR or mid < min(rest) / VERY_FAR):
            found.add(name)
    return found if len(found) < len(middles) else set()


def _rounded(figure: Decimal) -> Decimal:
    """Six decimals are far below a cent for every unit here, and keep the data file short."""
    return figure.quantize(Decimal("0.000001")).normalize() + 0


def groups(claims: Iterable[Claim]) -> dict[tuple[str, str, bool], list[Claim]]:
    """Rows by country, currency and whether they charge labour only."""
    found: dict[tuple[str, str, bool], list[Claim]] = defaultdict(list)
    for claim in claims:
        found[(claim.country, claim.currency, claim.kind == LABOUR)].append(claim)
    return found
