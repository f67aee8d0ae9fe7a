"""Prices that somebody states: observed ones, and the ranges of publishers. They are what customers pay: no burden, no
markup and no margin is added to them."""

from __future__ import annotations

from collections.abc import Sequence

from server.domain.catalogue import ObservedPrice, PublishedClaim
from server.domain.draft import Coverage, LineKind, UnitPrice
from server.domain.pricing import amounts, confidence
from server.domain.pricing.build import ONE, Build, Request, finished, publishers_who
from server.domain.pricing.local import area_level, labour_share, localise
from server.domain.wages import imported_factor


def observed_price(request: Request, observed: ObservedPrice) -> UnitPrice:
    """The median of what was declared, brought from its area to the request's place."""
    area = request.catalogue.areas[observed.area_code]
    times = request.times
    build = Build(low=observed.p25 * times.value, high=observed.p75 * times.value)
    median = request.fact(
        observed.dataset_id, observed.row, f"median of {observed.item}", observed.median,
        f"{observed.currency}/{observed.unit}", observed.as_of,
    )  # fmt: skip
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


def claimed_price(request: Request, claims: Sequence[PublishedClaim]) -> UnitPrice | None:
    """The middle of the claim with most publishers; None without a claim."""
    if not claims:
        return None
    claim = claims[0]
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
    if not claim.includes_materials:
        build.labour = amount
        build.assumptions.append("The price is for labour; materials are not in it.")
    labour = labour_share(request.catalogue, request.task, request.country)
    region = localise(request, build, None, "the national level", labour)
    amounts.apply(request, build)
    if claim.single:
        build.reasons.append(f"A single publisher ({claim.publishers[0]}) states this price.")
    if not claim.as_of:
        build.deductions.add("undated")
        build.reasons.append("The publishers give no date: the price may be old.")
    kind = "single_claim" if claim.single else "claims"
    return finished(
        request, build, kind, confidence.claims_confidence(len(claim.publishers)),
        LineKind.SERVICE if claim.includes_materials else LineKind.LABOUR, region, claim.dataset_id, rows, claim.item,
        ", ".join(claim.publishers), dated, labour[0].value if labour[0] is not None else None,
    )  # fmt: skip
