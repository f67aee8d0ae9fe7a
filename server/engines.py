"""The engines over the embedded data. It does not change while a process lives, so each is made once a process."""

from __future__ import annotations

from functools import cache

from server.domain.drafting.engine import Drafter
from server.domain.intake.reading import IntakeReader
from server.domain.pricing.sourcing import PriceSearch
from server.embedded import Embedded, load_embedded
from server.intake import intake_reader


@cache
def embedded() -> Embedded:
    """The catalogue and the gazetteer. Raises what `load_embedded` does."""
    return load_embedded()


@cache
def drafter() -> Drafter:
    """What drafts quotes."""
    return Drafter(embedded().catalogue, embedded().gazetteer)


@cache
def price_search() -> PriceSearch:
    """What finds prices."""
    return PriceSearch(embedded().catalogue)


@cache
def reader() -> IntakeReader:
    """What reads notes."""
    return intake_reader(embedded())
