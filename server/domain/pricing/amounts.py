"""What the amount of work makes of the price of a unit: who comes for 4 m² has as far to come as for 40, and sets up as
much. Publishers' unit prices are for ordinary amounts; how prices go with the amount, publishers tell by their tiers
(docs/adr/0039-price-by-amount.md). For work by the area only: of lengths too few tell it, and of pieces and hours it
makes drafts no better."""

from __future__ import annotations

from decimal import Decimal

from server.domain.catalogue import OrdinaryAmount, Task
from server.domain.pricing import derivation
from server.domain.pricing.build import REQUEST, Build, Request, conversion, publishers_who
from server.domain.units import UNITS, Dimension, dimension


def apply(request: Request, build: Build) -> None:
    """Bring a price for the ordinary amount to that of the job: × (amount / ordinary amount) ^ exponent, on everything
    so far. Nothing where no amount is asked about, and nothing on top of the organization's own rule for small jobs."""
    scale, amount = request.catalogue.amount_scale, request.job_quantity or request.quantity
    if scale is None or not amount or request.is_small_job:
        return
    ordinary = _ordinary(request)
    if ordinary is None:
        return
    asked = request.fact(REQUEST, "quantity of the work", "quantity of the work in the job", amount, request.unit, "")
    stated = request.fact(
        ordinary.dataset_id, "; ".join(ordinary.rows), f"ordinary amount of {request.task.name}",
        ordinary.amount, ordinary.unit, ordinary.as_of or "undated",
    )  # fmt: skip
    exponent = request.fact(
        scale.dataset_id, scale.row, "power of the amount in the price of a unit", scale.exponent, "", scale.as_of
    )
    usual = stated * conversion(request.catalogue, ordinary.unit, request.unit)
    times = (asked / usual) ** exponent
    whole = build.sum_of()
    assert whole is not None
    who = publishers_who(len(ordinary.publishers), "say")
    build.add(
        "amount",
        f"{_shown(amount)} {request.unit} where {_shown(Decimal(f'{usual.value:.3g}'))} {request.unit} is ordinary "
        f"({who}): × {times.value:.3f}, as the tiers of {scale.publishers} publishers have it",
        whole, request.currency, times - derivation.number(1), scale.dataset_id,
        "; ".join((scale.row, *ordinary.rows)), scale.as_of,
    )  # fmt: skip
    build.low *= times.value
    build.high *= times.value
    if build.labour is not None:
        build.labour *= times.value


def by_amount(task: Task, unit: str) -> bool:
    """Whether what is told of a task's work in ``unit`` (which may be no unit at all) is priced by how much it is."""
    measured = UNITS.get(unit)
    return measured is not None and measured.dimension is dimension(task.unit) is Dimension.AREA


def _ordinary(request: Request) -> OrdinaryAmount | None:
    """What is said of the work in the country, else elsewhere; None where nobody says how much is ordinary."""
    stated = request.catalogue.ordinary_amounts
    elsewhere = (one for one in stated.values() if one.task_id == request.task.task_id)
    return stated.get((request.task.task_id, request.country)) or next(elsewhere, None)


def _shown(amount: Decimal) -> str:
    """To two decimals, without idle zeros."""
    return f"{round(amount, 2).normalize():f}"
