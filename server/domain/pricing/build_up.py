"""The price of one unit of a task at a place, built from stored facts or not given at all.

Order: observed there > claims of several, with what was observed elsewhere among them > observed elsewhere > single
claim > norm > none (docs/adr/0031-what-customers-are-charged.md, 0035 and 0041). A figure counts only in its own
currency and country; only materials are converted, openly, at a dated reference rate. The price is the sum of the
components that its source lists, rounded once; every component remembers how it came about (`derivation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from server.domain.catalogue import Catalogue, Place, PublishedClaim, Task
from server.domain.draft import UnitPrice
from server.domain.pricing import confidence
from server.domain.pricing.build import Request, Unpriced, conversion
from server.domain.pricing.norms import norm_price
from server.domain.pricing.stated import claimed_price, is_of_place, local_claims, observed_price
from server.domain.regions import COUNTRY_OF, CURRENCY_OF
from server.domain.settings import PricingSettings
from server.domain.units import UNITS

__all__ = ["Unpriced", "unit_price"]


def unit_price(
    catalogue: Catalogue,
    task: Task,
    *,
    unit: str,
    place: Place | None,
    settings: PricingSettings,
    materials_by_customer: bool = False,
    storeys: int = 1,
    coats: int = 1,
    quantity: Decimal | None = None,
    job_quantity: Decimal | None = None,
    small_job: bool = False,
) -> UnitPrice | Unpriced:
    """The price of one ``unit`` of ``task`` at ``place``; `Unpriced` with a reason where no fact supports one.

    ``place`` is the place of the work, or the caller's reading of ``settings.home_location``; None: national figures
    of the settings' currency. ``materials_by_customer`` leaves labour only. ``coats`` beyond the covered ones are
    flagged, not invented. With a ``quantity`` in ``unit`` materials are bought in whole packs where their size is
    known, and work by the area is priced by its amount (`amounts`): ``job_quantity``, where the job has more of it than
    the line. ``small_job`` applies the organization's rule for small jobs.
    Raises ``KeyError`` for an unknown unit code and ``ValueError`` for ``storeys`` or ``coats`` below one.
    """
    if storeys < 1 or coats < 1:
        raise ValueError("storeys and coats start at one")
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
    request = Request(
        catalogue,
        task,
        unit,
        conversion(catalogue, unit, task.unit),
        place,
        country,
        settings.currency,
        settings,
        materials_by_customer,
        quantity,
        job_quantity,
        small_job,
    )
    price = _first_price(request)
    if isinstance(price, Unpriced):
        return price
    return _with_access(_with_coats(price, task, coats), task, storeys, settings)


def _first_price(request: Request) -> UnitPrice | Unpriced:
    task = request.task
    whole_claims = local_claims(request, materials=True)
    labour_claims = local_claims(request, materials=False)
    if request.labour_only and not task.labour_only:
        services = [claim for claim in whole_claims if claim.service]
        stated = claimed_price(request, labour_claims)
        if stated is not None:
            return stated
        reckoned, whole = norm_price(request), claimed_price(replace(request, labour_only=False), whole_claims)
        if reckoned is not None and whole is not None and reckoned.price > whole.price:
            # Hours of another way of working: what publishers state for the whole goes before them.
            reckoned = None
        return reckoned or claimed_price(request, services) or _labour_of(request, whole_claims)
    observed = [price for price in task.observed if price.currency == request.currency and request.country == "US"]
    claims = labour_claims if task.labour_only and not whole_claims else whole_claims
    most = max(observed, key=lambda price: price.n, default=None)
    if most is not None and (is_of_place(request, most) or not claims or claims[0].single):
        return observed_price(request, most)
    price = claimed_price(request, claims, beside=most) or norm_price(request)
    if price is not None:
        return price
    if labour_claims:
        return Unpriced(f"Only a labour charge is known for {task.name} in {request.country}; its materials are not.")
    return Unpriced(f"No source gives a price for {task.name} in {request.country} in {request.currency}.")


def _labour_of(request: Request, whole: Sequence[PublishedClaim]) -> UnitPrice | Unpriced:
    """What of the installed price is labour by the works of the trade of which that is stated
    (docs/adr/0040-labour-of-what-the-customer-has.md); nothing where publishers price the fitting alone as a task of
    its own, or nobody the whole."""
    shares, fitting = request.catalogue.labour_shares, request.catalogue.fitted_only(request.task)
    stated = fitting is not None and any(claim.country == request.country for claim in fitting.claims)
    labour_of = None if stated else shares.get(request.task.trade) or shares.get("")
    price = claimed_price(request, whole, labour_of=labour_of) if labour_of is not None else None
    return price or Unpriced(
        f"Only the labour is to be charged, and no source splits the price of {request.task.name} into labour and "
        "materials."
    )


def _with_coats(price: UnitPrice, task: Task, coats: int) -> UnitPrice:
    """``price`` with what is to be said of coats: who sands, seals or renders has them in it, paint those covered."""
    if coats <= task.coats_covered:
        return price
    if task.coats_covered == 1:
        said = f"{task.name}: {coats} coats are asked for; the price is for the work as such."
        return replace(price, assumptions=(*price.assumptions, said))
    reason = f"The price covers {task.coats_covered} coats of {coats}; no source prices a further one."
    lower = confidence.reduced(price.confidence, {"coats"})
    return replace(price, confidence=lower, review_reasons=(*price.review_reasons, reason))


def _with_access(price: UnitPrice, task: Task, storeys: int, settings: PricingSettings) -> UnitPrice:
    """``price`` with the open question of access above the ground floor: no sourced factor exists, none is applied;
    an organization that charges for access has a line of its own for it."""
    if storeys == 1 or not task.outdoor_height or settings.access_charge is not None:
        return price
    reason = f"Work on {storeys} storeys needs access (ladder, scaffold, lift) that is not in this price."
    return replace(price, review_reasons=(*price.review_reasons, reason))
