"""Prices built up: hours × what an hour comes to, brought to the level of published prices, materials with waste, packs
and dated prices, then the organization's markups by type of cost and its margin."""

from __future__ import annotations

from decimal import Decimal

from server.domain.catalogue import LabourNorm, MaterialNorm, NormCalibration, Pack, Task
from server.domain.draft import Coverage, LineKind, UnitPrice
from server.domain.pricing import amounts, confidence, derivation
from server.domain.pricing.build import (
    ONE,
    SETTINGS,
    ZERO,
    Build,
    Request,
    conversion,
    finished,
    percent,
)
from server.domain.pricing.derivation import Term
from server.domain.pricing.hourly import Hour, charged_hours, paid_hours
from server.domain.pricing.local import add_absent_level, exchange_term, wage_level
from server.domain.units import Dimension, dimension

#: Types of cost with the kinds of component that they are made of. A factor of a norm price is one on labour.
COST_TYPES = {
    "labour": ("labour", "factor"),
    "material": ("material",),
    "equipment": ("equipment",),
    "other": ("disposal", "other"),
}
#: What the components of labour and of everything else are; markups come on top of these.
_COSTS = tuple(kind for kinds in COST_TYPES.values() for kind in kinds if kind not in COST_TYPES["labour"])


def norm_price(request: Request) -> UnitPrice | None:
    """Hours × what the trade is charged out at, calibrated on published prices, plus dated materials; None without a
    norm, a rate or an exchange rate.

    An organization that states what labour costs it has hours × local wage × burden instead, as they are, and so has
    work of an occupation that no two publishers state a rate for.
    """
    task = request.task
    if not task.labour:
        return None
    charged = None if request.settings.labour_from_cost else charged_hours(request)
    hours = charged or paid_hours(request)
    if hours is None:
        return None
    build = Build(labour=ZERO)
    for norm, hour in zip(task.labour, hours, strict=True):
        _add_labour(request, build, norm, hour)
    calibration = None if charged is None else request.catalogue.norm_calibration
    if charged is None:
        _add_burden(request, build)
    if calibration is not None:
        _add_calibration(request, build, calibration, hours[0])
    _add_small_job(request, build)
    if not request.labour_only:
        for material in task.materials:
            if not _add_material(request, build, material):
                return None
    _add_markups(request, build)
    if calibration is not None:
        build.low, build.high = build.amount * calibration.low, build.amount * calibration.high
        # Calibrated, a norm reckons what publishers state: for an ordinary amount.
        amounts.apply(request, build)
    build.reasons.append(_reckoned(calibration))
    if charged is not None:
        build.assumptions.append("Labour of norms is charged at hourly rates that publishers state for the trades.")
    elif not any(one.kind == "markup" for one in build.components):
        build.assumptions.append("Prices built from norms are at cost: no overhead or profit is set.")
    level = wage_level(request)
    dataset = request.catalogue.datasets[task.labour[0].dataset_id]
    rows = "; ".join(dict.fromkeys(norm.row for norm in task.labour))
    return finished(
        request, build, "norm", confidence.NORM,
        LineKind.LABOUR if request.labour_only or not task.materials else LineKind.SERVICE,
        level.term.value if level is not None else ONE,
        dataset.dataset_id, rows, task.name, dataset.publisher, dataset.as_of, None,
    )  # fmt: skip


def _add_labour(request: Request, build: Build, norm: LabourNorm, hour: Hour) -> None:
    stated_on = request.catalogue.datasets[norm.dataset_id].as_of
    hours = request.times * request.fact(
        norm.dataset_id, norm.row, f"hours of {norm.occupation_name} per {request.task.unit}", norm.hours_per_unit, "h",
        stated_on,
    )  # fmt: skip
    text = f"{norm.occupation_name}, hours by {norm.row}, {hour.text}"
    amount = build.add("labour", text, hours, "h", hour.rate, hour.dataset_id, hour.row, hour.as_of)
    build.low += hours.value * hour.low
    build.high += hours.value * hour.high
    build.hours += hours.value
    build.labour = (build.labour or ZERO) + amount
    if hour.coverage is Coverage.ABSENT:
        add_absent_level(request, build)
    elif hour.coverage is not Coverage.MEASURED and build.coverage is not Coverage.ABSENT:
        build.coverage = Coverage.INTERPOLATED


def _add_burden(request: Request, build: Build) -> None:
    """Employer's cost on top of the wage: the organization's figure, else the sourced default, else none, said so."""
    own, stored = request.settings.labour_burden, request.catalogue.labour_burden
    if own is not None:
        rate, dataset_id, row, as_of = request.setting("labour burden", own), SETTINGS, "labour burden", ""
    elif stored is not None:
        dataset_id, row, as_of = stored.dataset_id, stored.row, stored.as_of
        rate = request.fact(dataset_id, row, "employer's burden by wage", stored.rate, "", as_of)
    else:
        build.assumptions.append("Wages are without the employer's burden: none is set.")
        return
    _add_on_labour(request, build, f"Employer's burden of {percent(rate.value)} on wages", rate, dataset_id, row, as_of)


def _add_calibration(request: Request, build: Build, calibration: NormCalibration, hour: Hour) -> None:
    """What published prices have beyond the hours of building sites (docs/adr/0034-norms-calibrated.md): a share of
    these, and for work by the piece coming and setting up, once for all pieces of a line."""
    stated = (calibration.dataset_id, calibration.row)
    times, setup = calibration.labour_times.normalize(), calibration.setup_hours.normalize()
    text = f"Labour × {times:f}, as the published prices of {calibration.works} works have it"
    rate = request.fact(*stated, "labour in published prices by that of norms", times, "", calibration.as_of)
    _add_on_labour(request, build, text, rate - derivation.number(1), *stated, calibration.as_of)
    if not is_set_up(request.task) or not setup:
        return
    hours = request.fact(*stated, "hours of coming and setting up", setup, "h", calibration.as_of)
    if request.quantity:
        hours = hours / request.quantity_term
    text = f"Coming and setting up, {setup:f} h once, {hour.text}"
    amount = build.add("labour", text, hours, "h", hour.rate, hour.dataset_id, hour.row, hour.as_of)
    build.labour = (build.labour or ZERO) + amount


def is_set_up(task: Task) -> bool:
    """Whether the calibration charges coming and setting up: for work that is priced by the piece."""
    return dimension(task.unit) is Dimension.COUNT


def _reckoned(calibration: NormCalibration | None) -> str:
    """Why a line from a norm is to be looked at."""
    if calibration is None:
        return (
            "Reckoned from hours of building sites at cost, stated by nobody for this work: customers are charged more."
        )
    return (
        f"Reckoned from hours of building sites and the published prices of {calibration.works} other works, stated by "
        "nobody for this work."
    )


def _add_small_job(request: Request, build: Build) -> None:
    settings = request.settings
    if not request.is_small_job:
        return
    rate = request.setting("small-job factor", settings.small_job_factor) - derivation.number(1)
    times, hours = settings.small_job_factor, settings.small_job_hours
    _add_on_labour(request, build, f"Small job: labour × {times.normalize():f}", rate, SETTINGS, "small-job factor", "")
    build.assumptions.append(
        f"The job has fewer than {hours.normalize():f} person-hours by the norms: their labour counts "
        f"{times.normalize():f} times, by the organization's rule for small jobs."
    )


def _add_on_labour(
    request: Request, build: Build, text: str, rate: Term, dataset_id: str, row: str, as_of: str
) -> None:
    labour = build.sum_of(*COST_TYPES["labour"])
    if labour is None or labour.value == 0 or rate.value == 0:
        return
    build.labour = labour.value + build.add(
        "factor", text, labour, request.currency, rate, dataset_id, row or text, as_of
    )
    build.low *= ONE + rate.value
    build.high *= ONE + rate.value


def _add_material(request: Request, build: Build, material: MaterialNorm) -> bool:
    """Add one material, converted where its currency is another. False where no rate is stored for it."""
    stated = (material.dataset_id, material.row)
    quantity = request.times * request.fact(
        *stated, f"{material.name} per {request.task.unit}", material.qty_per_unit, material.unit, material.as_of
    )
    rate = request.fact(
        *stated, f"price of {material.name}", material.unit_cost, f"{material.currency}/{material.unit}", material.as_of
    )
    text, row = material.name, material.row
    if material.currency != request.currency:
        exchange = exchange_term(request.catalogue, material.currency, request.currency)
        if exchange is None or exchange.fact is None:
            return False
        dated = exchange.fact
        rate = rate * exchange
        text = f"{text}: {material.currency} {material.unit_cost} × {dated.value} ({dated.name}, {dated.as_of})"
        row = f"{row}; {dated.dataset_id}: {dated.row}"
        build.deductions.add("converted")
        build.reasons.append(
            f"Material prices are {material.currency} list prices of another country, converted at the rate of "
            f"{dated.as_of}; put local prices in."
        )
    if material.cost == "material":
        quantity, text = _with_waste(request, build, material, quantity, text)
        quantity, text = _in_packs(request, material, quantity, text)
    amount = build.add(material.cost, text, quantity, material.unit, rate, material.dataset_id, row, material.as_of)
    build.low += amount
    build.high += amount
    return True


def _with_waste(request: Request, build: Build, material: MaterialNorm, quantity: Term, text: str) -> tuple[Term, str]:
    """``quantity`` with the waste that the source states, else the organization's."""
    if material.waste:
        waste = request.fact(
            material.dataset_id, material.row, f"waste of {material.name}", material.waste, "", material.as_of
        )
    elif request.settings.material_waste:
        waste = request.setting("material waste", request.settings.material_waste)
        build.assumptions.append(
            f"Materials of norms include {percent(waste.value)} waste, by the organization's rule."
        )
    else:
        return quantity, text
    return quantity * (derivation.number(1) + waste), f"{text}, with {percent(waste.value)} waste"


def _in_packs(request: Request, material: MaterialNorm, quantity: Term, text: str) -> tuple[Term, str]:
    """``quantity`` per unit of the line so that the line takes whole packs, where a pack and a quantity are known."""
    if request.quantity is None or not request.quantity:
        return quantity, text
    own = request.settings.packs.get(material.name)
    stored = request.catalogue.packs.get((material.name, request.country))
    if own is not None:
        size, name = (
            request.setting(f"pack of {material.name}", own, material.unit),
            f"{own.normalize():f} {material.unit}",
        )
    elif stored is not None:
        size, name = _pack_size(request, stored, material.unit), stored.name
    else:
        return quantity, text
    lines = request.quantity_term
    packs = (quantity * lines / size).rounded_up()
    return packs * size / lines, f"{text}, {packs.value:f} whole packs ({name})"


def _pack_size(request: Request, pack: Pack, unit: str) -> Term:
    size = request.fact(pack.dataset_id, pack.row, f"{pack.name} of {pack.material}", pack.size, pack.unit, pack.as_of)
    return size if pack.unit == unit else size * conversion(request.catalogue, pack.unit, unit)


def _add_markups(request: Request, build: Build) -> None:
    """Markups by type of cost, then the margin on what they come to; low and high follow in step."""
    settings = request.settings
    rates = {
        "labour": settings.labour_markup,
        "material": settings.material_markup,
        "equipment": settings.equipment_markup,
        "other": settings.other_markup,
    }
    costs = {name: build.sum_of(*kinds) for name, kinds in COST_TYPES.items()}
    fixed = sum((one.amount for one in build.components if one.kind in _COSTS), ZERO)
    low_labour, high_labour = build.low - fixed, build.high - fixed
    names = {"labour": "labour", "material": "materials", "equipment": "equipment", "other": "other costs"}
    added = ZERO
    for name, rate in rates.items():
        cost = costs[name]
        if cost is None or not rate or not cost.value:
            continue
        amount = _add_share(request, build, f"Markup of {percent(rate)} on {names[name]}", f"{name} markup", cost,
                            request.setting(f"{name} markup", rate))  # fmt: skip
        added += amount if name != "labour" else ZERO
    build.low += added + low_labour * settings.labour_markup
    build.high += added + high_labour * settings.labour_markup
    build.labour = (build.labour or ZERO) * (ONE + settings.labour_markup)
    if settings.margin:
        margin = request.setting("margin", settings.margin)
        rate_term = margin / (derivation.number(1) - margin)
        whole = build.sum_of()
        assert whole is not None
        text = f"Margin of {percent(settings.margin)} of the selling price"
        _add_share(request, build, text, "margin", whole, rate_term)
        build.low *= ONE + rate_term.value
        build.high *= ONE + rate_term.value
        build.labour *= ONE + rate_term.value


def _add_share(request: Request, build: Build, text: str, name: str, cost: Term, rate: Term) -> Decimal:
    return build.add("markup", text, cost, request.currency, rate, SETTINGS, f"{name} of the organization", "")
