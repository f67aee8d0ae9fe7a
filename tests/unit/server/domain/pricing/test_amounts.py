"""Promises of prices by the amount: less work costs more a unit and never more in all, and every price says so."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.bill import find_bill
from server.domain.draft import Component, UnitPrice
from server.domain.drafting.engine import Drafter
from server.domain.pricing.build_up import unit_price
from server.domain.settings import PricingSettings
from server.domain.units import factor
from server.embedded import load_embedded
from server.extraction.builder import Builder

CATALOGUE = load_embedded().catalogue
SCALE = CATALOGUE.amount_scale
#: One price of a unit in any amount.
FLAT = replace(CATALOGUE, amount_scale=None)
RULES = {"US": PricingSettings(), "GB": PricingSettings(currency="GBP")}
BY_AMOUNT = sorted({task_id for task_id, _ in CATALOGUE.ordinary_amounts})
amounts = st.decimals(Decimal("0.5"), 5000, places=1)


def priced(task_id: str, country: str = "US", catalogue=CATALOGUE, **options) -> UnitPrice | None:
    task = catalogue.tasks[task_id]
    arguments = {"unit": task.unit, "place": None, "settings": RULES[country]} | options
    price = unit_price(catalogue, task, **arguments)
    return price if isinstance(price, UnitPrice) else None


def exact(price: UnitPrice) -> Decimal:
    return sum((one.amount for one in price.source.components), Decimal(0))


def of_amount(price: UnitPrice) -> list[Component]:
    return [one for one in price.source.components if one.kind == "amount"]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(BY_AMOUNT), st.sampled_from(["US", "GB"]), st.booleans(), amounts, amounts)
def test_more_work_costs_no_more_a_unit_and_no_less_in_all(task_id, country, labour, one, other):
    less, more = sorted((one, other))
    options = {"country": country, "materials_by_customer": labour}
    small, large = (priced(task_id, quantity=quantity, **options) for quantity in (less, more))
    if small is None or large is None:
        assert small is large is None
        return
    if any("whole packs" in part.description for part in small.source.components):
        return
    assert exact(small) >= exact(large)
    assert exact(small) * less <= exact(large) * more
    assert small.low <= small.price <= small.high


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(BY_AMOUNT), st.sampled_from(["US", "GB"]))
def test_an_ordinary_amount_costs_what_is_stated(task_id, country):
    stated = priced(task_id, country)
    own = CATALOGUE.ordinary_amounts.get((task_id, country))
    if stated is None or own is None:
        return
    usual = own.amount / factor(CATALOGUE.tasks[task_id].unit, own.unit)
    price = priced(task_id, country, quantity=usual)
    assert price is not None
    assert (price.price, price.low, price.high) == (stated.price, stated.low, stated.high)


def test_a_price_says_what_the_amount_makes_of_it_and_who_says_so():
    small = priced("tiling.floor", quantity=Decimal(45))
    assert small is not None and SCALE is not None
    [part] = of_amount(small)
    own = CATALOGUE.ordinary_amounts["tiling.floor", "US"]
    assert part.description.startswith(
        f"45 sqft where 150 sqft is ordinary ({len(own.publishers)} publishers say): × 1.2"
    )
    assert f"tiers of {SCALE.publishers} publishers" in part.description
    assert part.dataset_id in CATALOGUE.datasets and part.as_of
    assert all(row in part.row for row in (SCALE.row, *own.rows))
    facts = {fact.name: fact for fact in part.rate_from.facts()}
    assert facts["power of the amount in the price of a unit"].value == SCALE.exponent
    assert "http" in facts[f"ordinary amount of {CATALOGUE.tasks['tiling.floor'].name}"].row
    flat = priced("tiling.floor", catalogue=FLAT, quantity=Decimal(45))
    assert flat is not None
    times = (Decimal(45) * factor("sqft", "m2") / own.amount) ** SCALE.exponent
    assert exact(small) == pytest.approx(exact(flat) * times)
    assert small.low == pytest.approx(flat.low * times, abs=Decimal("0.01"))
    assert small.high == pytest.approx(flat.high * times, abs=Decimal("0.01"))


def test_a_country_has_its_own_amount_and_else_the_others():
    for country, usual in (("US", Decimal("148.6")), ("GB", Decimal("20.0"))):
        assert abs(CATALOGUE.ordinary_amounts["roofing.flat-epdm", country].amount - usual) < 1
    [part] = of_amount(priced("insulation.spray-foam", "GB", quantity=Decimal(20)) or pytest.fail("unpriced"))
    assert "(one publisher says)" in part.description


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(CATALOGUE.tasks)), st.sampled_from(["US", "GB"]), amounts)
def test_only_work_of_which_somebody_says_what_is_ordinary_is_priced_by_its_amount(task_id, country, quantity):
    price, asked_about = priced(task_id, country, quantity=quantity), priced(task_id, country)
    if price is None or asked_about is None:
        return
    # Who only asks what a unit costs is told what is stated.
    assert repr(asked_about) == repr(priced(task_id, country, FLAT))
    if task_id in BY_AMOUNT:
        assert len(of_amount(price)) == 1
    else:
        assert repr(price) == repr(priced(task_id, country, FLAT, quantity=quantity))


#: Work that only a norm prices in one country, with an amount that somebody says is ordinary.
NORM, COUNTRY = next(
    (task_id, country)
    for task_id in BY_AMOUNT
    for country in RULES
    if (price := priced(task_id, country)) is not None and price.source.kind == "norm"
)


def test_the_rule_for_small_jobs_is_not_charged_on_top():
    rules = replace(RULES[COUNTRY], small_job_factor=Decimal("1.5"), small_job_hours=Decimal(8))
    by_rule = priced(NORM, COUNTRY, quantity=Decimal(1), settings=rules, small_job=True)
    plain = priced(NORM, COUNTRY, quantity=Decimal(1), settings=rules)
    assert by_rule is not None and plain is not None
    assert not of_amount(by_rule) and any("Small job" in one.description for one in by_rule.source.components)
    assert of_amount(plain)


def test_an_organization_whose_labour_is_priced_at_its_cost_has_hours_as_they_are():
    price = priced(NORM, COUNTRY, quantity=Decimal(1), settings=replace(RULES[COUNTRY], labour_burden=Decimal("0.3")))
    assert price is None or not of_amount(price)


def test_all_lines_of_a_work_are_one_amount_in_whatever_unit(drafter: Drafter):
    text = "Paint 400 sq ft of interior walls, two coats. Paint 20 m2 of interior walls in the hall, three coats."
    draft = drafter.draft(text, location="Nashville, TN", settings=RULES["US"])
    one, other = (of_amount(line)[0] for line in draft.lines)  # type: ignore[arg-type]
    assert one.description.startswith("615.28 sqft where")
    assert other.description.startswith("57.16 m2 where")
    assert one.rate == pytest.approx(other.rate)


def test_what_is_told_by_another_measure_is_no_part_of_the_amount(drafter: Drafter):
    rows = ["Tile floor | 45 | sqft", "Tile floor | 30 | m", "Tile floor | 3 | furlong", "Tile floor | 5 | sqft"]
    builder = Builder()
    builder.table(enumerate([("Description", "Qty", "Unit"), *(tuple(row.split(" | ")) for row in rows)], 1))
    draft = drafter.draft_bill(find_bill(builder.content("pdf")), settings=RULES["US"])
    said = [[one.description for one in of_amount(line)] if line.source else [] for line in draft.lines]
    assert [len(one) for one in said] == [1, 0, 0, 1]
    assert said[0][0].startswith("50 sqft where") and said[3] == said[0]


def test_a_minimum_charge_is_reached_and_not_added_to(drafter: Drafter):
    rules = replace(RULES["US"], minimum_charge=Decimal(500))
    draft = drafter.draft("Tile a 10 sq ft floor in Nashville, TN", settings=rules)
    [line, minimum] = draft.lines
    assert of_amount(line)  # type: ignore[arg-type]
    assert draft.total_minor == line.amount_minor + minimum.amount_minor == 50_000
