"""Totals beside estimators': what is compared, and that the page says what comes out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from server.domain.drafting.engine import Drafter
from server.embedded import load_embedded
from tools.evaluation.estimates import HEADING, Compared, Estimate, compare, read_estimates, table
from tools.evaluation.record import PAGE


@pytest.fixture(scope="module")
def drafter() -> Drafter:
    embedded = load_embedded()
    return Drafter(embedded.catalogue, embedded.gazetteer)


def test_every_estimate_is_a_range_for_a_request() -> None:
    estimates = read_estimates()
    assert len(estimates) > 100
    assert all(one.text and 0 < one.low < one.high and one.country in {"US", "GB"} for one in estimates)
    assert len({one.text for one in estimates}) == len(estimates)


def test_a_total_is_inside_the_range_or_not(drafter: Drafter) -> None:
    def compared(low: int, high: int) -> Compared:
        estimate = Estimate("one", "US", "Install 2 toilets in Nashville, TN", Decimal(low), Decimal(high))
        return compare(drafter, [estimate])[0]

    total = compared(1, 2).draft.subtotal_minor // 100
    assert compared(total - 1, total + 2).inside
    assert not compared(total + 2, total + 3).inside
    assert compared(total + 2, total + 3).meets
    assert not compared(total * 10, total * 11).meets
    assert compared(1, 2).is_priced


def test_the_page_has_the_figures(drafter: Drafter) -> None:
    page = PAGE.read_text("utf-8").partition(HEADING)[2]
    for line in table(compare(drafter, read_estimates())):
        assert line in page
