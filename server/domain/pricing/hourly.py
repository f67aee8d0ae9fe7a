"""What an hour of a norm comes to at a place: what the trade is charged out at, else the wage that it is paid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from server.domain.catalogue import Catalogue, LabourNorm, PublishedClaim, Wage
from server.domain.draft import Coverage
from server.domain.pricing.build import IMPORTED, ONE, Request, conversion, stored_fact
from server.domain.pricing.derivation import Term
from server.domain.settings import RegionalFactor
from server.domain.wages import FACTORS, NATIONAL, LocalWage, imported_factor, local_wage


@dataclass(frozen=True, slots=True)
class Hour:
    """One person-hour of an occupation: its rate and the range of that, with where they come from."""

    rate: Term
    low: Decimal
    high: Decimal
    #: Whose rate it is, in words.
    text: str
    dataset_id: str
    row: str
    as_of: str
    coverage: Coverage


def charged_hours(request: Request) -> list[Hour] | None:
    """An hour for each occupation of the task's norms, at what publishers say that customers are charged for it.

    Brought from the national level to the place's by the wages of the occupation, or by the organization's own factor.
    None where two publishers or more state no such rate for every one of them.
    """
    return _all([_charged(request, norm) for norm in request.task.labour])


def paid_hours(request: Request) -> list[Hour] | None:
    """An hour for each occupation at the wage of the place, without burden; None where a wage is not known."""
    return _all([_paid(request, norm) for norm in request.task.labour])


def national_charge(catalogue: Catalogue, occupation: str, country: str) -> tuple[Term, PublishedClaim] | None:
    """What an hour of an occupation is charged at in a country, with the claim that says it; None without one."""
    claim = catalogue.charge_out_rates.get((occupation, country))
    if claim is None:
        return None
    rate = stored_fact(
        catalogue, claim.dataset_id, "; ".join(claim.rows), f"middle of {claim.item}", claim.mid,
        f"{claim.currency}/{claim.unit}", claim.as_of or "undated",
    )  # fmt: skip
    return (rate if claim.unit == "h" else rate * conversion(catalogue, "h", claim.unit)), claim


def _all(hours: list[Hour | None]) -> list[Hour] | None:
    found = [one for one in hours if one is not None]
    return found if found and len(found) == len(hours) else None


def _charged(request: Request, norm: LabourNorm) -> Hour | None:
    stated = national_charge(request.catalogue, norm.occupation, request.country)
    if stated is None or stated[1].currency != request.currency:
        return None
    rate, claim = stated
    level, where, coverage = _level(request, norm)
    hours = rate.value / claim.mid * (level.value if level is not None else ONE)
    return Hour(
        rate if level is None else rate * level,
        claim.low * hours,
        claim.high * hours,
        f"{claim.item} as {len(claim.publishers)} publishers state it{where}",
        claim.dataset_id,
        "; ".join(claim.rows),
        claim.as_of or "undated",
        coverage,
    )


def _level(request: Request, norm: LabourNorm) -> tuple[Term | None, str, Coverage]:
    """Local by national wages of an occupation, None where they are the same or not known; in words; how well known."""
    imported = imported_factor(request.place, request.settings.regional_factors)
    if imported is not None:
        return _imported_term(request, imported), f", × {_imported_text(imported)}", Coverage.INTERPOLATED
    local = local_wage(request.catalogue, request.place, norm.occupation, request.settings.regional_factors)
    if local is None:
        return None, "", Coverage.ABSENT if request.place is not None else Coverage.INTERPOLATED
    factor = _factor(request, local)
    if factor is not None:
        return factor, f", × {_factor_text(local)}", local.coverage
    national = request.catalogue.wages.get((NATIONAL, norm.occupation))
    if national is None or local.wage.area_code == NATIONAL:
        return None, "", local.coverage
    wages = [_stored_wage(request, norm.occupation_name, wage) for wage in (local.wage, national)]
    return wages[0] / wages[1], f", × {_wage_text(request, local)} by the national one", local.coverage


def _paid(request: Request, norm: LabourNorm) -> Hour | None:
    local = local_wage(request.catalogue, request.place, norm.occupation, request.settings.regional_factors)
    if local is None or local.wage.currency != request.currency:
        return None
    scaled = local.scaled
    return Hour(
        _wage(request, norm.occupation_name, local),
        scaled.p25,
        scaled.p75,
        _wage_text(request, local),
        scaled.dataset_id,
        scaled.row,
        scaled.as_of,
        local.coverage,
    )


def _wage_text(request: Request, local: LocalWage) -> str:
    """Whose wage it is, in words."""
    factor = _factor_text(local)
    if factor:
        return f"national wage × {factor}"
    area = request.catalogue.areas.get(local.wage.area_code)
    return "national wage" if area is None or area.kind == "N" else f"wage in {area.name}"


def _factor_text(local: LocalWage) -> str:
    if local.imported is not None:
        return _imported_text(local.imported)
    return f"labour factor {local.area.labour_factor} of {local.area.name}" if local.area is not None else ""


def _imported_text(one: RegionalFactor) -> str:
    return f"regional factor {one.factor} of {one.name} by {one.source}, {one.as_of}"


def _wage(request: Request, occupation: str, local: LocalWage) -> Term:
    wage, factor = _stored_wage(request, occupation, local.wage), _factor(request, local)
    return wage if factor is None else wage * factor


def _stored_wage(request: Request, occupation: str, wage: Wage) -> Term:
    name = f"median hourly wage of {occupation}"
    return request.fact(wage.dataset_id, wage.row, name, wage.p50, f"{wage.currency}/h", wage.as_of)


def _factor(request: Request, local: LocalWage) -> Term | None:
    """What brings the stored wage to the place; None where it holds as it is."""
    if local.imported is not None:
        return _imported_term(request, local.imported)
    if local.area is None or local.area.labour_factor is None:
        return None
    area = local.area
    name = f"labour factor of {area.name}"
    return request.fact(FACTORS, area.area_code, name, local.area.labour_factor, "", local.wage.as_of)


def _imported_term(request: Request, one: RegionalFactor) -> Term:
    return request.fact(IMPORTED, f"{one.name}: {one.source}", "regional factor", one.factor, "", one.as_of)
