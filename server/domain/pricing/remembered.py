"""Prices that were just worked out: the same work is asked about over and over, by one organization and by many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import lru_cache

from server.domain.catalogue import Catalogue, Place, Task
from server.domain.draft import UnitPrice
from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.settings import PricingSettings

#: Prices that are kept, each a few kB with its derivation.
MOST = 2048
_FIELDS = tuple(one.name for one in fields(PricingSettings) if one.name != "regional_factors")


@dataclass(frozen=True, slots=True)
class _Question:
    """What decides a price, and, as text, whether it is the same question: 0.10 is written otherwise than 0.1."""

    said: tuple[object, ...]
    task: Task = field(compare=False)
    place: Place | None = field(compare=False)
    settings: PricingSettings = field(compare=False)
    unit: str = field(compare=False)
    materials_by_customer: bool = field(compare=False)
    storeys: int = field(compare=False)
    coats: int = field(compare=False)
    quantity: Decimal | None = field(compare=False)
    job_quantity: Decimal | None = field(compare=False)
    small_job: bool = field(compare=False)


class Prices:
    """`unit_price` over one catalogue, which does not change, with the last answers kept. For any thread."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._remembered = lru_cache(MOST)(self._worked_out)
        #: The settings of the last question, and what they say: the lines of a draft have the same.
        self._last: tuple[PricingSettings, tuple[object, ...]] = (PricingSettings(), _said(PricingSettings()))

    def price(
        self,
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
        """See `unit_price`, which raises what this does."""
        last = self._last
        if last[0] is not settings:
            last = self._last = (settings, _said(settings))
        amounts = (str(quantity), str(job_quantity))
        job = (task.task_id, unit, place, materials_by_customer, storeys, coats, *amounts, small_job)
        question = _Question(
            (*job, *last[1]), task, place, settings, unit, materials_by_customer, storeys, coats, quantity,
            job_quantity, small_job,
        )  # fmt: skip
        return self._remembered(question) if last[1] else self._worked_out(question)

    def _worked_out(self, asked: _Question) -> UnitPrice | Unpriced:
        return unit_price(
            self._catalogue, asked.task, unit=asked.unit, place=asked.place, settings=asked.settings,
            materials_by_customer=asked.materials_by_customer, storeys=asked.storeys, coats=asked.coats,
            quantity=asked.quantity, job_quantity=asked.job_quantity, small_job=asked.small_job,
        )  # fmt: skip


def _said(settings: PricingSettings) -> tuple[object, ...]:
    """What the settings say, to compare. Nothing where wage levels were imported: they may be a table of thousands, and
    to compare it costs more than the price."""
    if settings.regional_factors:
        return ()
    values = (getattr(settings, name) for name in _FIELDS)
    return tuple(
        frozenset((name, str(one)) for name, one in value.items()) if isinstance(value, Mapping) else str(value)
        for value in values
    )
