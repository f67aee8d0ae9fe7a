"""Bringing a stated price from the wage level of its origin to a place's, on its labour share only."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from server.domain.catalogue import Catalogue, LabourNorm, Task
from server.domain.draft import Coverage
from server.domain.pricing import derivation
from server.domain.pricing.build import IMPORTED, ONE, ZERO, Build, Request, percent, stored_fact
from server.domain.pricing.derivation import Term
from server.domain.pricing.hourly import national_charge
from server.domain.regions import label
from server.domain.wages import FACTORS, NATIONAL, factor_area, imported_factor

#: The country whose wages are stored, in which a norm's labour share can be told.
MEASURED_COUNTRY = "US"


@dataclass(frozen=True, slots=True)
class WageLevel:
    """Local by national wages, with where that comes from."""

    term: Term
    #: What a component says of the source; empty for the factors of the catalogue.
    note: str
    dataset_id: str
    as_of: str


def wage_level(request: Request) -> WageLevel | None:
    """The wage level of the request's place: the organization's factor, else the area's; None where none is known."""
    imported = imported_factor(request.place, request.settings.regional_factors)
    if imported is not None:
        row = f"{imported.name}: {imported.source}"
        term = request.fact(IMPORTED, row, "regional factor", imported.factor, "", imported.as_of)
        return WageLevel(term, f" by {imported.source}, {imported.as_of}", IMPORTED, imported.as_of)
    if request.place is None:
        return None
    return area_level(request, request.place.wage_area)


def area_level(request: Request, area_code: str) -> WageLevel | None:
    """The wage level of a wage area, its state's where it has none of its own."""
    area = factor_area(request.catalogue, area_code)
    if area is None or area.labour_factor is None:
        return None
    listed = request.catalogue.datasets.get(FACTORS)
    as_of = listed.as_of if listed is not None else ""
    term = request.fact(FACTORS, area.area_code, f"labour factor of {area.name}", area.labour_factor, "", as_of)
    return WageLevel(term, "", FACTORS, as_of)


def localise(
    request: Request, build: Build, base: WageLevel | None, base_name: str, labour: tuple[Term | None, str]
) -> Decimal:
    """Bring a price from the wage level of its origin to the place's, on the labour share only; return the factor.

    ``base`` is the level of the origin, None for the national one; ``labour`` is the `labour_share`. Where no source
    tells it, the price stays, and its range takes in both extremes (all labour, none).
    """
    build.coverage = Coverage.INTERPOLATED
    level = wage_level(request)
    if level is None and request.place is not None and request.country != MEASURED_COUNTRY:
        add_absent_level(request, build)
        return ONE
    here = level.term if level is not None else derivation.number(1)
    ratio = here / base.term if base is not None else here
    change = ratio - derivation.number(1)
    if change.value == 0:
        return ONE
    share, origin = (derivation.number(1), "the price is for labour") if build.labour is not None else labour
    where = label(request.place) if request.place is not None else "the national level"
    if share is None:
        build.deductions.add("no_labour_share")
        build.low *= min(ONE, ratio.value)
        build.high *= max(ONE, ratio.value)
        build.reasons.append(
            f"Wages in {where} are {percent(ratio.value)} of those of {base_name}; no source tells the labour "
            "share, so the price is not adjusted and its range is wider."
        )
        return ONE
    whole = build.sum_of()
    assert whole is not None
    told = level or base
    assert told is not None
    build.add(
        "factor",
        f"Wage level of {where}{told.note} against {base_name} "
        f"on the labour share of {percent(share.value)} ({origin})",
        whole * share,
        request.currency,
        change,
        told.dataset_id,
        f"{here.value} / {base.term.value if base is not None else 1}",
        told.as_of,
    )
    build.low *= ONE + share.value * change.value
    build.high *= ONE + share.value * change.value
    if build.labour is not None:
        build.labour *= ratio.value
    return ratio.value


def add_absent_level(request: Request, build: Build) -> None:
    """Say that the wage level of the place is not known, so that the country's figures stand."""
    assert request.place is not None
    build.coverage = Coverage.ABSENT
    build.assumptions.append(
        f"No regional factor is known for {label(request.place)}: figures for all of {request.country} are used."
    )


def labour_share(catalogue: Catalogue, task: Task, country: str) -> tuple[Term | None, str]:
    """The share of a task's price that is labour, with its origin; ``(None, "")`` where no source tells.

    From the task's own norm at what its hours are charged at nationally (US only), else from labour charges against
    installed prices that publishers state for the same work in the same country.
    """
    if country == MEASURED_COUNTRY and task.labour:
        share = _norm_share(catalogue, task)
        if share is not None:
            return share, f"norm {task.labour[0].row} at national rates"
    whole = [claim for claim in task.claims if claim.country == country and claim.includes_materials]
    part = [claim for claim in task.claims if claim.country == country and not claim.includes_materials]
    if whole and part and part[0].mid < whole[0].mid:
        labour, installed = (
            stored_fact(catalogue, one.dataset_id, "; ".join(one.rows), name, one.mid, one.currency, one.as_of)
            for one, name in ((part[0], "middle of labour charges"), (whole[0], "middle of installed prices"))
        )
        return labour / installed, "labour charges against installed prices that publishers state"
    return None, ""


def _norm_share(catalogue: Catalogue, task: Task) -> Term | None:
    labour: list[Term] = []
    for norm in task.labour:
        rate = _national_rate(catalogue, norm)
        if rate is None:
            return None
        hours = stored_fact(
            catalogue, norm.dataset_id, norm.row, f"hours of {norm.occupation_name} per {task.unit}",
            norm.hours_per_unit, "h", catalogue.datasets[norm.dataset_id].as_of,
        )  # fmt: skip
        labour.append(hours * rate)
    cost = derivation.total(labour)
    parts = [cost]
    for one in task.materials:
        qty = stored_fact(
            catalogue, one.dataset_id, one.row, f"{one.name} per {task.unit}", one.qty_per_unit, one.unit, one.as_of
        )
        price = stored_fact(
            catalogue, one.dataset_id, one.row, f"price of {one.name}", one.unit_cost, one.currency, one.as_of
        )
        part = qty * price
        if one.currency != "USD":
            exchange = exchange_term(catalogue, one.currency, "USD")
            if exchange is None:
                return None
            part = part * exchange
        parts.append(part)
    whole = derivation.total(parts)
    return cost / whole if whole.value > ZERO else None


def _national_rate(catalogue: Catalogue, norm: LabourNorm) -> Term | None:
    """What an hour is charged at in the US, else the national wage with burden; None without either."""
    charged = national_charge(catalogue, norm.occupation, MEASURED_COUNTRY)
    if charged is not None:
        return charged[0]
    wage, burden = catalogue.wages.get((NATIONAL, norm.occupation)), catalogue.labour_burden
    if wage is None:
        return None
    name = f"median hourly wage of {norm.occupation_name}"
    rate = stored_fact(catalogue, wage.dataset_id, wage.row, name, wage.p50, "USD/h", wage.as_of)
    if burden is None:
        return rate
    stated = (burden.dataset_id, burden.row, "employer's burden by wage", burden.rate, "", burden.as_of)
    return rate * (derivation.number(1) + stored_fact(catalogue, *stated))


def exchange_term(catalogue: Catalogue, source: str, target: str) -> Term | None:
    """The dated exchange rate, or None where none is stored."""
    one = catalogue.exchange_rates.get((source, target))
    if one is None:
        return None
    name = f"{target} per {source}"
    return stored_fact(catalogue, one.dataset_id, one.row, name, one.rate, name, one.as_of)
