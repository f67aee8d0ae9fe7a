"""What every way to a price shares: the request, the price in the making, and how a finished one looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from server.domain import money
from server.domain.catalogue import Catalogue, Dataset, Place, Task
from server.domain.draft import Component, Coverage, LineKind, Source, UnitPrice
from server.domain.pricing import confidence, derivation
from server.domain.pricing.derivation import ARITHMETIC, Fact, Term
from server.domain.regions import label
from server.domain.settings import PricingSettings
from server.domain.units import factor

ONE, ZERO = Decimal(1), Decimal(0)
#: Origins of facts that no catalogue lists.
SETTINGS, UNIT_TABLE, REQUEST, IMPORTED = "settings", "units", "request", "regional-factors"
_OWN = {
    SETTINGS: Dataset(SETTINGS, "Pricing settings", "The organization", "The organization's own", ""),
    UNIT_TABLE: Dataset(UNIT_TABLE, "Sizes of units", "International yard and pound agreement", "Fact", "1959"),
    REQUEST: Dataset(REQUEST, "The work request", "The customer", "The organization's own", ""),
    IMPORTED: Dataset(IMPORTED, "Imported regional factors", "The organization", "The organization's own", ""),
}


@dataclass(frozen=True, slots=True)
class Unpriced:
    """No stored fact supports a price; ``reason`` is one sentence for the person who has to find it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a price is asked for, resolved once."""

    catalogue: Catalogue
    task: Task
    unit: str
    #: Task units in one asked unit.
    times: Term
    place: Place | None
    country: str
    currency: str
    settings: PricingSettings
    labour_only: bool
    #: Quantity of the line in ``unit``; None where a price is asked for without one: then no pack is rounded.
    quantity: Decimal | None = None
    #: How much of the work the whole job has, in ``unit``; None where that is the line's quantity.
    job_quantity: Decimal | None = None
    small_job: bool = False

    def fact(self, dataset_id: str, row: str, name: str, value: Decimal, unit: str, as_of: str) -> Term:
        """A figure of a data set as a term."""
        return stored_fact(self.catalogue, dataset_id, row, name, value, unit, as_of)

    @property
    def is_small_job(self) -> bool:
        """Whether the organization's rule for small jobs changes this price."""
        return self.small_job and self.settings.small_job_factor != ONE

    @property
    def quantity_term(self) -> Term:
        """How much the line is for. Only where that is known."""
        assert self.quantity is not None
        return self.fact(REQUEST, "quantity of the line", "quantity of the line", self.quantity, self.unit, "")

    def setting(self, name: str, value: Decimal, unit: str = "") -> Term:
        """A figure that the organization decided."""
        return self.fact(SETTINGS, f"{name} of the organization", name, value, unit, "")


def stored_fact(
    catalogue: Catalogue | None, dataset_id: str, row: str, name: str, value: Decimal, unit: str, as_of: str
) -> Term:
    """A figure with its data set's title, publisher and licence as they are now."""
    listed = catalogue.datasets.get(dataset_id) if catalogue is not None else None
    source = listed or _OWN.get(dataset_id) or Dataset(dataset_id, dataset_id, "", "", "")
    return derivation.of(
        Fact(dataset_id, row, name, value, unit, as_of, source.title, source.publisher, source.licence)
    )


def conversion(catalogue: Catalogue, source: str, target: str) -> Term:
    """How many ``target`` are in one ``source``, as a term. Raises ``ValueError`` for units of two dimensions."""
    name = f"{target} in one {source}"
    return stored_fact(catalogue, UNIT_TABLE, f"{source} in {target}", name, factor(source, target), target, "1959")


@dataclass(slots=True)
class Build:
    """A price in the making: components per asked unit, and the same sums at the low and the high end."""

    components: list[Component] = field(default_factory=list)
    low: Decimal = ZERO
    high: Decimal = ZERO
    labour: Decimal | None = None
    hours: Decimal = ZERO
    coverage: Coverage = Coverage.MEASURED
    deductions: set[str] = field(default_factory=set)
    reasons: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)

    @property
    def amount(self) -> Decimal:
        """The sum so far."""
        return sum((component.amount for component in self.components), ZERO)

    def add(
        self, kind: str, text: str, quantity: Term, unit: str, rate: Term, dataset_id: str, row: str, as_of: str
    ) -> Decimal:
        """Add a component; its amount."""
        amount = ARITHMETIC.multiply(quantity.value, rate.value)
        self.components.append(
            Component(kind, text, quantity.value, unit, rate.value, amount, dataset_id, row, as_of, quantity, rate)
        )
        return amount

    def sum_of(self, *kinds: str) -> Term | None:
        """The amounts of the components of those kinds (of all, where none is named); None where there are none."""
        terms = [
            derivation.component(index, one.amount)
            for index, one in enumerate(self.components)
            if not kinds or one.kind in kinds
        ]
        return derivation.total(terms) if terms else None


def finished(
    request: Request,
    build: Build,
    kind: str,
    start: Decimal,
    line_kind: LineKind,
    region: Decimal,
    dataset_id: str,
    row: str,
    name: str,
    supplier: str,
    as_of: str,
    known_share: Decimal | None,
) -> UnitPrice:
    """The price of a build. ``known_share`` is the task's labour share, for builds that do not split labour."""
    amount = build.amount
    price = money.unit_price(amount)
    low, high = money.unit_price(min(build.low, amount)), money.unit_price(max(build.high, amount))
    if request.place is None:
        build.coverage = Coverage.INTERPOLATED
        build.deductions.add("no_place")
        build.reasons.append(f"No place is known: national figures for {request.country} are used.")
    elif build.coverage is not Coverage.MEASURED:
        build.deductions.add(build.coverage.value)
    if low > 0 and high / low > confidence.WIDE:
        build.deductions.add("wide")
        build.reasons.append(f"The sources differ widely: {low} to {high} {request.currency} per {request.unit}.")
    share = known_share or ZERO
    if build.labour is not None:
        share = min(ONE, build.labour / amount) if amount > 0 else ZERO
    listed = request.catalogue.datasets[dataset_id]
    where = label(request.place) if request.place is not None else request.country
    components = tuple(build.components)
    source = Source(kind, row, name, supplier, where, build.coverage, region, as_of, listed.licence, components)
    return UnitPrice(
        price,
        low,
        high,
        request.currency,
        request.unit,
        line_kind,
        confidence.reduced(start, build.deductions),
        share.quantize(Decimal("0.001")),
        build.hours,
        source,
        tuple(dict.fromkeys(build.reasons)),
        tuple(dict.fromkeys(build.assumptions)),
    )


def publishers_who(count: int, verb: str) -> str:
    """ "One publisher states", "3 publishers state", in lower case."""
    return f"one publisher {verb}s" if count == 1 else f"{count} publishers {verb}"


def percent(share: Decimal) -> str:
    """``0.4334`` as ``43 %``; a tenth is shown where there is one: ``8.3 %``."""
    shown = (share * 100).quantize(Decimal("0.1")).normalize()
    return f"{shown:f} %"
