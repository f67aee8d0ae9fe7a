"""Prices that somebody states: observed ones, and the ranges of publishers. They are what customers pay: no burden, no
markup and no margin is added to them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from server.domain.catalogue import LabourOfTrade, ObservedPrice, PublishedClaim
from server.domain.draft import Coverage, LineKind, UnitPrice
from server.domain.pricing import amounts, confidence, derivation
from server.domain.pricing.build import ONE, Build, Request, finished, percent, publishers_who
from server.domain.pricing.derivation import Term
from server.domain.pricing.local import area_level, labour_share, localise
from server.domain.wages import imported_factor


def observed_price(request: Request, observed: ObservedPrice) -> UnitPrice:
    """The median of what was declared, brought from its area to the request's place."""
    area = request.catalogue.areas[observed.area_code]
    times = request.times
    build = Build(low=observed.p25 * times.value, high=observed.p75 * times.value)
    median = _median(request, observed)
    build.add(
        "observed", f"{observed.item}: median of {observed.n} in {area.name}", times, observed.unit, median,
        observed.dataset_id, observed.row, observed.as_of,
    )  # fmt: skip
    own = imported_factor(request.place, request.settings.regional_factors)
    labour, region = labour_share(request.catalogue, request.task, request.country), ONE
    if not is_of_place(request, observed) or own is not None:
        region = localise(request, build, area_level(request, observed.area_code), area.name, labour)
    amounts.apply(request, build)
    build.assumptions.append(
        "Observed prices are what applicants declared for building permits, median with quartiles."
    )
    return finished(
        request, build, "observed", confidence.observed_confidence(observed.n), LineKind.SERVICE, region,
        observed.dataset_id, observed.row, observed.item, request.catalogue.datasets[observed.dataset_id].publisher,
        observed.as_of, labour[0].value if labour[0] is not None else None,
    )  # fmt: skip


def is_of_place(request: Request, observed: ObservedPrice) -> bool:
    """Whether a price was observed in the wage area of the request's place."""
    return request.place is not None and request.place.wage_area == observed.area_code


def local_claims(request: Request, *, materials: bool) -> list[PublishedClaim]:
    """Claims of the request's country and currency, most publishers first."""
    found = [
        claim
        for claim in request.task.claims
        if claim.country == request.country
        and claim.currency == request.currency
        and claim.includes_materials is materials
    ]
    return sorted(found, key=lambda claim: -len(claim.publishers))


def claimed_price(
    request: Request,
    claims: Sequence[PublishedClaim],
    *,
    labour_of: LabourOfTrade | None = None,
    beside: ObservedPrice | None = None,
) -> UnitPrice | None:
    """The middle of the claim with most publishers, or what of it is labour by ``labour_of``; None without a claim.
    ``beside`` is what was observed elsewhere, one statement more."""
    if not claims:
        return None
    claim = claims[0]
    publishers = claim.publishers
    times = request.times
    dated, rows = claim.as_of or "undated", "; ".join(claim.rows)
    build = Build(low=claim.low * times.value, high=claim.high * times.value, coverage=Coverage.INTERPOLATED)
    prices_of = f"at {request.catalogue.datasets[claim.dataset_id].as_of} prices"
    middle = request.fact(
        claim.dataset_id, rows, f"middle of {claim.item}, {prices_of}", claim.mid, f"{claim.currency}/{claim.unit}",
        dated,
    )  # fmt: skip
    who = publishers_who(len(claim.publishers), "state")
    amount = build.add(
        "claim", f"{claim.item}: middle of what {who}, {prices_of}", times, claim.unit, middle, claim.dataset_id, rows,
        dated,
    )  # fmt: skip
    if labour_of is not None:
        amount += _leave_labour(request, build, labour_of)
    is_labour = labour_of is not None or not claim.includes_materials
    if is_labour:
        build.labour = amount
        build.assumptions.append("The price is for labour; materials are not in it.")
    labour = labour_share(request.catalogue, request.task, request.country)
    if beside is not None:
        _count_in(request, build, beside, middle, len(publishers), labour[0])
        publishers += (request.catalogue.datasets[beside.dataset_id].publisher,)
    region = localise(request, build, None, "the national level", labour)
    amounts.apply(request, build)
    if claim.single:
        build.reasons.append(f"A single publisher ({claim.publishers[0]}) states this price.")
    if not claim.as_of:
        build.deductions.add("undated")
        build.reasons.append("The publishers give no date: the price may be old.")
    kind = "single_claim" if claim.single else "claims"
    return finished(
        request, build, kind, confidence.claims_confidence(len(publishers)),
        LineKind.LABOUR if is_labour else LineKind.SERVICE, region, claim.dataset_id, rows, claim.item,
        ", ".join(publishers), dated, labour[0].value if labour[0] is not None else None,
    )  # fmt: skip


def _median(request: Request, observed: ObservedPrice) -> Term:
    return request.fact(
        observed.dataset_id, observed.row, f"median of {observed.item}", observed.median,
        f"{observed.currency}/{observed.unit}", observed.as_of,
    )  # fmt: skip


def _count_in(
    request: Request, build: Build, observed: ObservedPrice, middle: Term, publishers: int, labour: Term | None
) -> None:
    """Move the middle of publishers towards an observed price at national wages, as far as one statement more does:
    their geometric mean, each counting once. The range takes in the observed quartiles."""
    area, one = request.catalogue.areas[observed.area_code], derivation.number(1)
    median = _median(request, observed)
    level = area_level(request, observed.area_code)
    wages = one if level is None or labour is None else one + labour * (one / level.term - one)
    times = (median * wages / middle) ** (one / derivation.number(publishers + 1))
    whole = build.sum_of()
    assert whole is not None
    build.low = min(build.low, observed.p25 * wages.value * request.times.value)
    build.high = max(build.high, observed.p75 * wages.value * request.times.value)
    build.add(
        "observed",
        f"{observed.item}: median of {observed.n} in {area.name}, {observed.median} {observed.currency}, "
        f"× {wages.value:.3f} to national wages, one statement beside {publishers} of publishers: × {times.value:.3f}",
        whole, request.currency, times - one, observed.dataset_id, observed.row, observed.as_of,
    )  # fmt: skip


def _leave_labour(request: Request, build: Build, labour_of: LabourOfTrade) -> Decimal:
    """Take off what is not labour, as a component of its own; the range takes in the quartiles of the share. Returns
    what was added, which is less than nothing."""
    works = f"{labour_of.works} {labour_of.trade.replace('-', ' ')} works".replace("  ", " ")
    share = request.fact(
        labour_of.dataset_id, labour_of.row, f"labour of the installed price, median of {works}", labour_of.share, "",
        labour_of.as_of,
    )  # fmt: skip
    whole = build.sum_of()
    assert whole is not None
    build.low *= labour_of.low
    build.high *= labour_of.high
    build.deductions.add("labour_share_of_trade")
    build.reasons.append(
        f"No source splits the price of {request.task.name}: labour is taken as {percent(labour_of.share)} of it "
        f"({percent(labour_of.low)} to {percent(labour_of.high)}), as of {works} for which publishers state both."
    )
    return build.add(
        "labour_share", f"of it {percent(labour_of.share)} is labour, as of {works} for which publishers state both",
        whole, request.currency, share - derivation.number(1), labour_of.dataset_id, labour_of.row, labour_of.as_of,
    )  # fmt: skip
