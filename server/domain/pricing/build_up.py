"""The price of one unit of a task at a place, built from stored facts or not given at all.

Order: observed > norm > claims of two or more publishers > a single claim > none. A figure counts only in its own
currency and country; only materials are converted, openly, at a dated reference rate. The price is the sum of the
components that its source lists, rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from server.domain import money
from server.domain.catalogue import (
    Catalogue,
    LabourBurden,
    LabourNorm,
    MaterialNorm,
    ObservedPrice,
    Place,
    PublishedClaim,
    Task,
    Wage,
)
from server.domain.draft import Component, Coverage, LineKind, Source, UnitPrice
from server.domain.pricing import confidence
from server.domain.regions import COUNTRY_OF, CURRENCY_OF, NATIONAL, area_factor, label, wage_for
from server.domain.settings import PricingSettings
from server.domain.units import UNITS, factor

ONE, ZERO = Decimal(1), Decimal(0)


@dataclass(frozen=True, slots=True)
class Unpriced:
    """No stored fact supports a price; ``reason`` is one sentence for the person who has to find it."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Request:
    """Everything a price is asked for, resolved once."""

    catalogue: Catalogue
    task: Task
    unit: str
    #: Task units in one asked unit.
    times: Decimal
    place: Place | None
    country: str
    currency: str
    settings: PricingSettings
    labour_only: bool


@dataclass(slots=True)
class _Build:
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
        return sum((component.amount for component in self.components), ZERO)


def unit_price(
    catalogue: Catalogue,
    task: Task,
    *,
    unit: str,
    place: Place | None,
    settings: PricingSettings,
    materials_by_customer: bool = False,
    storeys: int = 1,
    repeats: int = 1,
) -> UnitPrice | Unpriced:
    """The price of one ``unit`` of ``task`` at ``place``; `Unpriced` with a reason where no fact supports one.

    ``place`` is the place of the work, or the caller's reading of ``settings.home_location``; None: national figures
    of the settings' currency. ``materials_by_customer`` leaves labour only. ``repeats`` multiply visits;
    coats beyond the covered ones are flagged, not invented. Raises ``KeyError`` for an unknown unit code and
    ``ValueError`` for ``storeys`` or ``repeats`` below one.
    """
    if storeys < 1 or repeats < 1:
        raise ValueError("storeys and repeats start at one")
    if UNITS[unit].dimension is not UNITS[task.unit].dimension:
        return Unpriced(
            f"{task.name} is priced per {task.unit}; a quantity in {unit} measures {UNITS[unit].dimension.value}, "
            f"not {UNITS[task.unit].dimension.value}."
        )
    country = place.country if place is not None else COUNTRY_OF.get(settings.currency, "")
    if not country:
        return Unpriced(f"No place is known, and {settings.currency} alone does not name a country.")
    if CURRENCY_OF.get(country) != settings.currency:
        stated = CURRENCY_OF.get(country, "a currency not supported")
        return Unpriced(f"Figures for {country} are in {stated}; this quote is in {settings.currency}.")
    request = _Request(
        catalogue,
        task,
        unit,
        factor(unit, task.unit),
        place,
        country,
        settings.currency,
        settings,
        materials_by_customer,
    )
    price = _first_price(request)
    if isinstance(price, Unpriced):
        return price
    return _with_access(_with_repeats(price, task, repeats), task, storeys)


def _first_price(request: _Request) -> UnitPrice | Unpriced:
    task = request.task
    whole_claims = _local_claims(request, materials=True)
    labour_claims = _local_claims(request, materials=False)
    if request.labour_only and not task.labour_only:
        return _norm_price(request) or _best_claim(request, labour_claims) or _no_labour_split(request)
    observed = [price for price in task.observed if price.currency == request.currency and request.country == "US"]
    if observed:
        return _observed_price(request, max(observed, key=lambda price: price.n))
    norm = _norm_price(request)
    claim = _best_claim(request, labour_claims if task.labour_only and not whole_claims else whole_claims)
    if norm is not None:
        return _weighed(norm, claim, request)
    if claim is not None:
        return claim
    if labour_claims:
        return Unpriced(f"Only a labour charge is known for {task.name} in {request.country}; its materials are not.")
    return Unpriced(f"No source gives a price for {task.name} in {request.country} in {request.currency}.")


def _no_labour_split(request: _Request) -> Unpriced:
    return Unpriced(
        f"The customer supplies the materials, and no source splits the price of {request.task.name} into labour and "
        "materials."
    )


# --- observed -------------------------------------------------------------------------------------------------------


def _observed_price(request: _Request, observed: ObservedPrice) -> UnitPrice:
    area = request.catalogue.areas[observed.area_code]
    build = _Build(low=observed.p25 * request.times, high=observed.p75 * request.times)
    build.components.append(
        Component(
            "observed",
            f"{observed.item}: median of {observed.n} in {area.name}",
            request.times,
            observed.unit,
            observed.median,
            observed.median * request.times,
            observed.dataset_id,
            observed.row,
            observed.as_of,
        )
    )
    base = area_factor(request.catalogue, observed.area_code) or ONE
    same_area = request.place is not None and request.place.wage_area == observed.area_code
    region = ONE if same_area else _localise(request, build, base, area.name)
    build.assumptions.append(
        "Observed prices are what applicants declared for building permits, median with quartiles."
    )
    start = confidence.observed_confidence(observed.n)
    kind = LineKind.SERVICE
    return _finished(
        request,
        build,
        "observed",
        start,
        kind,
        region,
        observed.dataset_id,
        observed.row,
        observed.item,
        _publisher(request, observed.dataset_id),
        observed.as_of,
    )


# --- norm -----------------------------------------------------------------------------------------------------------


def _norm_price(request: _Request) -> UnitPrice | None:
    """Hours × local wage × burden plus dated materials; None without a norm, a wage or an exchange rate."""
    task = request.task
    if not task.labour:
        return None
    wages = [wage_for(request.catalogue, request.place, norm.occupation) for norm in task.labour]
    if any(wage is None or wage.currency != request.currency for wage, _ in wages):
        return None
    build = _Build(labour=ZERO)
    for norm, (wage, coverage) in zip(task.labour, wages, strict=True):
        assert wage is not None
        _add_labour(request, build, norm, wage, coverage)
    _add_burden(request, build)
    if not request.labour_only:
        for material in task.materials:
            if not _add_material(request, build, material):
                return None
    _add_markup(request, build)
    build.assumptions.append("Hours are norms of a building site of ordinary size; a small job takes longer per unit.")
    if request.settings.labour_markup == 0 and request.settings.material_markup == 0:
        build.assumptions.append("Prices built from norms are at cost: no overhead or profit is set.")
    rows = list(dict.fromkeys(norm.row for norm in task.labour))
    region = _place_factor(request)
    dataset = request.catalogue.datasets[task.labour[0].dataset_id]
    kind = LineKind.LABOUR if request.labour_only or not task.materials else LineKind.SERVICE
    return _finished(
        request,
        build,
        "norm",
        confidence.NORM,
        kind,
        region,
        dataset.dataset_id,
        "; ".join(rows),
        task.name,
        dataset.publisher,
        dataset.as_of,
    )


def _add_labour(request: _Request, build: _Build, norm: LabourNorm, wage: Wage, coverage: Coverage) -> None:
    hours = norm.hours_per_unit * request.times
    amount = hours * wage.p50
    name = f"{norm.occupation_name}, hours by {norm.row}"
    build.components.append(
        Component("labour", name, hours, "h", wage.p50, amount, wage.dataset_id, wage.row, wage.as_of)
    )
    build.low += hours * wage.p25
    build.high += hours * wage.p75
    build.hours += hours
    build.labour = (build.labour or ZERO) + amount
    if coverage is not Coverage.MEASURED:
        build.coverage = Coverage.INTERPOLATED


def _add_burden(request: _Request, build: _Build) -> None:
    """Employer's cost on top of the wage: the organization's figure, else the sourced default, else none, said so."""
    own, stored = request.settings.labour_burden, request.catalogue.labour_burden
    if own is not None:
        burden = LabourBurden(own, "", "settings", "labour burden of the organization")
    elif stored is not None:
        burden = stored
    else:
        build.assumptions.append("Wages are without the employer's burden: none is set.")
        return
    wages = build.labour or ZERO
    if burden.rate == 0 or wages == 0:
        return
    share = f"employer's burden of {_percent(burden.rate)} on wages"
    build.components.append(
        Component(
            "factor",
            share.capitalize(),
            wages,
            request.currency,
            burden.rate,
            wages * burden.rate,
            burden.dataset_id,
            burden.row,
            burden.as_of,
        )
    )
    build.labour = wages + wages * burden.rate
    build.low *= ONE + burden.rate
    build.high *= ONE + burden.rate


def _add_material(request: _Request, build: _Build, material: MaterialNorm) -> bool:
    """Add one material, converted where its currency is another. False where no rate is stored for it."""
    quantity = material.qty_per_unit * (ONE + material.waste) * request.times
    rate, description, row = material.unit_cost, material.name, material.row
    if material.currency != request.currency:
        exchange = request.catalogue.exchange_rates.get((material.currency, request.currency))
        if exchange is None:
            return False
        rate = material.unit_cost * exchange.rate
        description = (
            f"{material.name}: {material.currency} {material.unit_cost} × {exchange.rate} "
            f"({exchange.target} per {exchange.source}, {exchange.as_of})"
        )
        row = f"{row}; {exchange.dataset_id}: {exchange.row}"
        build.deductions.add("converted")
        _add_once(
            build.reasons,
            f"Material prices are {material.currency} list prices of another country, converted at the rate of "
            f"{exchange.as_of}; put local prices in.",
        )
    amount = quantity * rate
    build.components.append(
        Component(
            "material", description, quantity, material.unit, rate, amount, material.dataset_id, row, material.as_of
        )
    )
    build.low += amount
    build.high += amount
    return True


def _add_markup(request: _Request, build: _Build) -> None:
    labour = build.labour or ZERO
    material = sum((one.amount for one in build.components if one.kind == "material"), ZERO)
    low_labour, high_labour = build.low - material, build.high - material
    marks = (
        ("labour", labour, request.settings.labour_markup),
        ("materials", material, request.settings.material_markup),
    )
    for name, amount, rate in marks:
        if rate and amount:
            build.components.append(
                Component(
                    "markup",
                    f"Markup of {_percent(rate)} on {name}",
                    amount,
                    request.currency,
                    rate,
                    amount * rate,
                    "settings",
                    f"{name} markup of the organization",
                    "",
                )
            )
    build.low += low_labour * request.settings.labour_markup + material * request.settings.material_markup
    build.high += high_labour * request.settings.labour_markup + material * request.settings.material_markup
    build.labour = labour * (ONE + request.settings.labour_markup)


def _weighed(norm: UnitPrice, claim: UnitPrice | None, request: _Request) -> UnitPrice:
    """The norm's price, unless what two or more publishers state for the work excludes it: then theirs, and it is said.

    Norms are hours of building sites at cost. Where a range from several publishers lies elsewhere, the norm does
    not describe the job that customers are charged for, and a price from it would look exact and be wrong.
    """
    if claim is None or claim.source.kind == "single_claim" or claim.low <= norm.price <= claim.high:
        return norm
    reason = (
        f"The norm {norm.source.row} gives {norm.price} {request.currency} per {request.unit} at cost, outside of what "
        "publishers state."
    )
    return replace(
        claim,
        confidence=confidence.reduced(claim.confidence, {"contradicted"}),
        review_reasons=(*claim.review_reasons, reason),
    )


# --- claims ---------------------------------------------------------------------------------------------------------


def _local_claims(request: _Request, *, materials: bool) -> list[PublishedClaim]:
    """Claims of the request's country and currency, most publishers first."""
    found = [
        claim
        for claim in request.task.claims
        if claim.country == request.country
        and claim.currency == request.currency
        and claim.includes_materials is materials
    ]
    return sorted(found, key=lambda claim: -len(claim.publishers))


def _best_claim(request: _Request, claims: Sequence[PublishedClaim]) -> UnitPrice | None:
    if not claims:
        return None
    claim = claims[0]
    single = len(claim.publishers) == 1
    build = _Build(low=claim.low * request.times, high=claim.high * request.times, coverage=Coverage.INTERPOLATED)
    build.components.append(
        Component(
            "claim",
            f"{claim.item}: middle of what {_count(len(claim.publishers))} state",
            request.times,
            claim.unit,
            claim.mid,
            claim.mid * request.times,
            claim.dataset_id,
            "; ".join(claim.rows),
            claim.as_of or "undated",
        )
    )
    if not claim.includes_materials:
        build.labour = claim.mid * request.times
        build.assumptions.append("The price is for labour; materials are not in it.")
    region = _localise(request, build, ONE, "the national level") if request.country == "US" else ONE
    if single:
        build.reasons.append(f"A single publisher ({claim.publishers[0]}) states this price.")
    if not claim.as_of:
        build.deductions.add("undated")
        build.reasons.append("The publishers give no date: the price may be old.")
    kind = LineKind.SERVICE if claim.includes_materials else LineKind.LABOUR
    return _finished(
        request,
        build,
        "single_claim" if single else "claims",
        confidence.claims_confidence(len(claim.publishers)),
        kind,
        region,
        claim.dataset_id,
        "; ".join(claim.rows),
        claim.item,
        ", ".join(claim.publishers),
        claim.as_of or "undated",
    )


# --- place ----------------------------------------------------------------------------------------------------------


def _place_factor(request: _Request) -> Decimal:
    if request.place is None:
        return ONE
    return area_factor(request.catalogue, request.place.wage_area) or ONE


def _localise(request: _Request, build: _Build, base: Decimal, base_name: str) -> Decimal:
    """Bring a price from the wage level of its origin to the place's, on the labour share only; return the factor.

    Where no source tells the labour share, the price stays, and its range takes in both extremes (all labour, none).
    """
    build.coverage = Coverage.INTERPOLATED
    place_factor = _place_factor(request)
    change = place_factor / base - ONE
    if change == 0:
        return ONE
    share, origin = (
        (ONE, "the price is for labour") if build.labour is not None else labour_share(request.catalogue, request.task)
    )
    where = label(request.place) if request.place is not None else "the national level"
    if share is None:
        build.deductions.add("no_labour_share")
        build.low *= min(ONE, ONE + change)
        build.high *= max(ONE, ONE + change)
        build.reasons.append(
            f"Wages in {where} are {_percent(place_factor / base)} of those of {base_name}; no source tells the labour "
            "share, so the price is not adjusted and its range is wider."
        )
        return ONE
    amount = build.amount * share
    build.components.append(
        Component(
            "factor",
            f"Wage level of {where} against {base_name} on the labour share of {_percent(share)} ({origin})",
            amount,
            request.currency,
            change,
            amount * change,
            "labour-factors-2025",
            f"{place_factor} / {base}",
            "2025-05",
        )
    )
    build.low *= ONE + share * change
    build.high *= ONE + share * change
    if build.labour is not None:
        build.labour *= ONE + change
    return ONE + change


def labour_share(catalogue: Catalogue, task: Task) -> tuple[Decimal | None, str]:
    """The share of a task's price that is labour, with its origin; ``(None, "")`` where no source tells.

    From the task's own norm at national wages with burden, else from labour charges against installed prices that
    publishers state for the same work in the same country.
    """
    wages = [catalogue.wages.get((NATIONAL, norm.occupation)) for norm in task.labour]
    if task.labour and all(wage is not None for wage in wages):
        burden = catalogue.labour_burden.rate if catalogue.labour_burden is not None else ZERO
        labour = sum(
            (norm.hours_per_unit * wage.p50 for norm, wage in zip(task.labour, wages, strict=True) if wage), ZERO
        ) * (ONE + burden)
        material = ZERO
        for one in task.materials:
            rate = catalogue.exchange_rates.get((one.currency, "USD"))
            if one.currency != "USD" and rate is None:
                return None, ""
            material += one.qty_per_unit * one.unit_cost * (rate.rate if rate is not None else ONE)
        return labour / (labour + material), f"norm {task.labour[0].row} at national wages"
    whole = [claim for claim in task.claims if claim.country == "US" and claim.includes_materials]
    part = [claim for claim in task.claims if claim.country == "US" and not claim.includes_materials]
    if whole and part and part[0].mid < whole[0].mid:
        return part[0].mid / whole[0].mid, "labour charges against installed prices that publishers state"
    return None, ""


# --- finish ---------------------------------------------------------------------------------------------------------


def _finished(
    request: _Request,
    build: _Build,
    kind: str,
    start: Decimal,
    line_kind: LineKind,
    region: Decimal,
    dataset_id: str,
    row: str,
    name: str,
    supplier: str,
    as_of: str,
) -> UnitPrice:
    amount = build.amount
    price = money.unit_price(amount)
    low, high = money.unit_price(min(build.low, amount)), money.unit_price(max(build.high, amount))
    if request.place is None:
        build.coverage = Coverage.INTERPOLATED
        build.deductions.add("no_place")
        build.reasons.append(f"No place is known: national figures for {request.country} are used.")
    elif build.coverage is Coverage.INTERPOLATED:
        build.deductions.add("interpolated")
    if low > 0 and high / low > confidence.WIDE:
        build.deductions.add("wide")
        build.reasons.append(f"The sources differ widely: {low} to {high} {request.currency} per {request.unit}.")
    share = ZERO
    if build.labour is not None and amount > 0:
        share = min(ONE, build.labour / amount)
    elif build.labour is None:
        share = labour_share(request.catalogue, request.task)[0] or ZERO
    source = Source(
        kind,
        row,
        name,
        supplier,
        label(request.place) if request.place is not None else request.country,
        build.coverage,
        region,
        as_of,
        request.catalogue.datasets[dataset_id].licence,
        tuple(build.components),
    )
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


def _with_repeats(price: UnitPrice, task: Task, repeats: int) -> UnitPrice:
    """``price`` for work done ``repeats`` times: visits multiply, coats up to the covered ones are in the price."""
    if repeats == 1 or (task.repeats_covered > 1 and repeats <= task.repeats_covered):
        return price
    if task.repeats_covered > 1:
        reason = f"The price covers {task.repeats_covered} coats of {repeats}; no source prices a further one."
        lower = confidence.reduced(price.confidence, {"repeats"})
        return replace(price, confidence=lower, review_reasons=(*price.review_reasons, reason))
    times = Decimal(repeats)
    components = tuple(
        replace(one, quantity=one.quantity * times, amount=one.amount * times) for one in price.source.components
    )
    amount = sum((one.amount for one in components), ZERO)
    return replace(
        price,
        price=money.unit_price(amount),
        low=money.unit_price(price.low * times),
        high=money.unit_price(price.high * times),
        labour_hours=price.labour_hours * times,
        source=replace(price.source, components=components),
        assumptions=(*price.assumptions, f"The work is done {repeats} times."),
    )


def _with_access(price: UnitPrice, task: Task, storeys: int) -> UnitPrice:
    """``price`` with the open question of access above the ground floor: no sourced factor exists, none is applied."""
    if storeys == 1 or not task.outdoor_height:
        return price
    reason = f"Work on {storeys} storeys needs access (ladder, scaffold, lift) that is not in this price."
    return replace(price, review_reasons=(*price.review_reasons, reason))


def _publisher(request: _Request, dataset_id: str) -> str:
    return request.catalogue.datasets[dataset_id].publisher


def _percent(share: Decimal) -> str:
    return f"{(share * 100).quantize(ONE)} %"


def _count(publishers: int) -> str:
    return "one publisher" if publishers == 1 else f"{publishers} publishers"


def _add_once(reasons: list[str], reason: str) -> None:
    if reason not in reasons:
        reasons.append(reason)
