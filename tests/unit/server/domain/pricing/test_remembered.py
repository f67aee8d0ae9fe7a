"""Promises of remembered prices: they are what would be worked out, whatever was asked before."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.pricing.remembered import Prices
from server.domain.settings import PricingSettings, RegionalFactor
from server.embedded import load_embedded

EMBEDDED = load_embedded()
CATALOGUE = EMBEDDED.catalogue
PRICES = Prices(CATALOGUE)
PLACES = [None, *(EMBEDDED.gazetteer.find(name, "US").place for name in ("Nashville, TN", "Chicago, IL"))]
FRACTIONS = st.sampled_from([Decimal("0"), Decimal("0.1"), Decimal("0.10"), Decimal("0.25")])
RULES = st.builds(
    PricingSettings,
    labour_markup=FRACTIONS,
    margin=FRACTIONS,
    material_waste=FRACTIONS,
    small_job_factor=st.sampled_from([Decimal(1), Decimal("1.5")]),
    tax_classes=st.sampled_from([{}, {"labour": "reduced"}]),
)


@settings(max_examples=200, deadline=None)
@given(
    task_id=st.sampled_from(sorted(CATALOGUE.tasks)[::40]),
    place=st.sampled_from(PLACES),
    rules=RULES,
    materials_by_customer=st.booleans(),
    coats=st.sampled_from([1, 2]),
    quantity=st.sampled_from([None, Decimal(1), Decimal("1.0"), Decimal("37.5")]),
    job_quantity=st.sampled_from([None, Decimal(40), Decimal("40.0"), Decimal("400")]),
)
def test_a_remembered_price_is_the_one_that_would_be_worked_out(
    task_id, place, rules, materials_by_customer, coats, quantity, job_quantity
):
    task = CATALOGUE.tasks[task_id]
    asked = {
        "unit": task.unit,
        "place": place,
        "settings": rules,
        "materials_by_customer": materials_by_customer,
        "coats": coats,
        "quantity": quantity,
        "job_quantity": job_quantity,
        "small_job": rules.small_job_factor != 1,
    }
    expected = unit_price(CATALOGUE, task, **asked)
    assert repr(PRICES.price(task, **asked)) == repr(expected)
    assert repr(PRICES.price(task, **asked)) == repr(expected)


def test_imported_wage_levels_count_from_the_next_question_on():
    task = CATALOGUE.tasks["painting.room"]
    place = PLACES[1]
    asked = {"unit": task.unit, "place": place}
    rules = PricingSettings()
    before = PRICES.price(task, settings=rules, **asked)
    factor = RegionalFactor("US", "nashville", "Nashville", Decimal(2), "ours", "2026-01-01")
    after = PRICES.price(task, settings=replace(rules, regional_factors={("US", "nashville"): factor}), **asked)
    assert not isinstance(before, Unpriced)
    assert repr(PRICES.price(task, settings=rules, **asked)) == repr(before)
    assert repr(after) == repr(
        unit_price(CATALOGUE, task, settings=replace(rules, regional_factors={("US", "nashville"): factor}), **asked)
    )


def test_a_unit_that_nobody_knows_is_refused_each_time():
    task = CATALOGUE.tasks["painting.room"]
    for _ in range(2):
        with pytest.raises(KeyError):
            PRICES.price(task, unit="furlong", place=None, settings=PricingSettings())
