from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain import money
from server.domain.catalogue import Catalogue, Place, PublishedClaim
from server.domain.draft import Coverage, LineKind, UnitPrice
from server.domain.pricing import confidence
from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.settings import PricingSettings
from server.domain.units import UNITS
from server.domain.wages import NATIONAL
from server.embedded import load_embedded

DOLLARS = PricingSettings()
POUNDS = PricingSettings(currency="GBP")
TASKS = sorted(load_embedded().catalogue.tasks)
#: Work that only a norm prices.
NORM = "carpentry.closet-shelf"
#: The same with material to speak of.
FITTED = "plumbing.bidet"


def priced(catalogue: Catalogue, task_id: str, place: Place | None, **options: object) -> UnitPrice:
    price = ask(catalogue, task_id, place, **options)
    assert isinstance(price, UnitPrice), price
    return price


def ask(catalogue: Catalogue, task_id: str, place: Place | None, **options: object) -> UnitPrice | Unpriced:
    task = catalogue.tasks[task_id]
    arguments = {"unit": task.unit, "settings": DOLLARS} | options
    return unit_price(catalogue, task, place=place, **arguments)  # type: ignore[arg-type]


def test_every_price_is_the_sum_of_components_that_point_to_a_stored_fact(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    seen = 0
    for task_id in TASKS:
        for place, organization in ((places["Nashville"], DOLLARS), (places["Leeds"], POUNDS), (None, DOLLARS)):
            price = ask(catalogue, task_id, place, settings=organization)
            if isinstance(price, Unpriced):
                assert price.reason
                continue
            seen += 1
            total = sum(one.amount for one in price.source.components)
            assert money.unit_price(total) == price.price > 0
            assert price.low <= price.price <= price.high
            assert 0 < price.confidence <= 1
            assert 0 <= price.labour_share <= 1
            assert price.source.licence
            for one in price.source.components:
                assert one.dataset_id in catalogue.datasets
                assert one.row
                assert one.quantity * one.rate == pytest.approx(one.amount)
    assert seen > 600


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(TASKS), st.sampled_from(sorted(UNITS)))
def test_a_unit_of_another_dimension_is_never_priced(task_id: str, unit: str) -> None:
    catalogue = load_once()
    task = catalogue.tasks[task_id]
    price = unit_price(catalogue, task, unit=unit, place=None, settings=DOLLARS)
    if UNITS[unit].dimension is not UNITS[task.unit].dimension:
        assert isinstance(price, Unpriced)


_cache: list[Catalogue] = []


def load_once() -> Catalogue:
    if not _cache:
        _cache.append(load_embedded().catalogue)
    return _cache[0]


def test_a_price_per_square_is_a_hundred_times_that_per_square_foot(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    per_foot = priced(catalogue, "roofing.standing-seam", places["Nashville"], unit="sqft")
    per_square = priced(catalogue, "roofing.standing-seam", places["Nashville"], unit="square")
    assert per_square.price == pytest.approx(per_foot.price * 100, rel=Decimal("0.001"))


def test_a_norm_differs_between_places_by_labour_only(catalogue: Catalogue, places: dict[str, Place]) -> None:
    prices = {name: priced(catalogue, FITTED, places[name]) for name in ("Nashville", "Chicago", "San Jose")}
    prices["rural"] = priced(catalogue, FITTED, places["Mountain View"])
    materials = {
        name: [one.amount for one in price.source.components if one.kind == "material"]
        for name, price in prices.items()
    }
    assert len({tuple(amounts) for amounts in materials.values()}) == 1
    assert prices["rural"].price < prices["Nashville"].price < prices["Chicago"].price
    assert prices["Nashville"].source.coverage is Coverage.MEASURED
    assert prices["rural"].source.coverage is Coverage.INTERPOLATED


def test_an_observed_price_keeps_chicago_as_it_is_and_moves_the_labour_share_elsewhere(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    heater = "plumbing.water-heater"
    task = replace(catalogue.tasks[heater], claims=())
    catalogue = replace(catalogue, tasks={**catalogue.tasks, heater: task})
    chicago, nashville = (priced(catalogue, heater, places[name]) for name in ("Chicago", "Nashville"))
    assert chicago.price == task.observed[0].median
    assert [one.kind for one in chicago.source.components] == ["observed"]
    factor = catalogue.areas["0034980"].labour_factor / catalogue.areas["0016980"].labour_factor  # type: ignore[operator]
    moved = next(one for one in nashville.source.components if one.kind == "factor")
    assert moved.rate == factor - 1
    assert moved.quantity < chicago.price
    assert nashville.source.region_factor == factor


def test_an_unknown_labour_share_widens_the_range_and_leaves_the_price(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    chicago = priced(catalogue, "roofing.roll", places["Chicago"])
    rural = priced(catalogue, "roofing.roll", places["Mountain View"])
    assert rural.price == chicago.price
    assert rural.low < chicago.low
    assert any("labour share" in reason for reason in rural.review_reasons)


def test_leeds_never_gets_dollars_called_pounds(catalogue: Catalogue, places: dict[str, Place]) -> None:
    for task_id in TASKS:
        assert isinstance(ask(catalogue, task_id, places["Leeds"]), Unpriced)
        assert isinstance(ask(catalogue, task_id, places["Nashville"], settings=POUNDS), Unpriced)
        price = ask(catalogue, task_id, places["Leeds"], settings=POUNDS)
        if isinstance(price, UnitPrice):
            assert price.currency == "GBP"
            assert not any("USD" in one.row or "USD" in one.description for one in price.source.components)


def test_materials_of_the_customer_leave_labour_only(catalogue: Catalogue, places: dict[str, Place]) -> None:
    whole = priced(catalogue, FITTED, places["Nashville"])
    labour = priced(catalogue, FITTED, places["Nashville"], materials_by_customer=True)
    assert labour.kind is LineKind.LABOUR
    assert labour.labour_share == 1
    assert not [one for one in labour.source.components if one.kind == "material"]
    assert labour.price < whole.price


def test_without_a_norm_a_stated_labour_charge_prices_what_the_customer_supplies(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    labour = priced(catalogue, "carpentry.baseboard", places["Nashville"], materials_by_customer=True)
    assert labour.kind is LineKind.LABOUR
    assert labour.source.kind == "claims"


@pytest.mark.parametrize(
    ("task", "trade"), [("electrical.recessed-light", "electrical"), ("kitchens.countertop-quartz", "")]
)
def test_without_any_labour_split_so_much_is_labour_as_of_like_works_and_that_is_said(
    catalogue: Catalogue, task: str, trade: str
) -> None:
    share = catalogue.labour_shares[trade]
    whole, labour = priced(catalogue, task, None), priced(catalogue, task, None, materials_by_customer=True)
    assert labour.price == money.unit_price(whole.source.components[0].amount * share.share)
    assert (labour.kind, labour.labour_share) == (LineKind.LABOUR, 1)
    assert labour.low < whole.low * share.share < labour.price < labour.high < whole.high
    assert labour.confidence < whole.confidence
    assert labour.source.components[-1].row == share.row
    assert any("No source splits the price" in reason for reason in labour.review_reasons)


def test_hours_that_come_to_more_than_the_published_whole_are_no_price_of_its_labour(catalogue: Catalogue) -> None:
    task = "hvac.thermostat"
    whole, labour = priced(catalogue, task, None), priced(catalogue, task, None, materials_by_customer=True)
    assert catalogue.tasks[task].labour and labour.source.kind == whole.source.kind == "claims"
    assert labour.price < whole.price


def test_where_no_like_work_tells_or_nobody_states_the_whole_what_the_customer_supplies_stays_unpriced(
    catalogue: Catalogue,
) -> None:
    untold = replace(catalogue, labour_shares={})
    for known, task in ((untold, "kitchens.countertop-quartz"), (catalogue, "carpentry.shelving")):
        answer = ask(known, task, None, materials_by_customer=True)
        assert isinstance(answer, Unpriced) and "labour" in answer.reason


def test_work_with_a_task_for_fitting_alone_is_left_to_that(catalogue: Catalogue) -> None:
    bare = replace(catalogue.tasks["flooring.carpet"], labour=(), claims=tuple(
        claim for claim in catalogue.tasks["flooring.carpet"].claims if claim.includes_materials and not claim.service
    ))  # fmt: skip
    known = replace(catalogue, tasks=catalogue.tasks | {bare.task_id: bare})
    assert isinstance(ask(known, bare.task_id, None, materials_by_customer=True), Unpriced)


def test_converted_materials_say_the_rate_and_want_a_review(catalogue: Catalogue, places: dict[str, Place]) -> None:
    price = priced(catalogue, FITTED, places["Nashville"])
    material = next(one for one in price.source.components if one.kind == "material")
    assert "1.0837" in material.description
    assert "2024-01-31" in material.row
    assert any("converted" in reason for reason in price.review_reasons)


def test_observed_prices_go_first_where_they_were_observed_and_behind_several_publishers_elsewhere(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    both = [
        task
        for task in catalogue.tasks.values()
        if task.observed and any(claim.country == "US" and claim.includes_materials for claim in task.claims)
    ]
    assert len(both) > 5
    for task in both:
        kinds = [priced(catalogue, task.task_id, places[name]).source.kind for name in ("Chicago", "Nashville")]
        several = (
            max(len(claim.publishers) for claim in task.claims if claim.country == "US" and claim.includes_materials)
            > 1
        )
        assert kinds == ["observed", "claims" if several else "observed"], task.task_id
    alone = next(task for task in catalogue.tasks.values() if task.observed and not task.claims)
    assert priced(catalogue, alone.task_id, places["Nashville"]).source.kind == "observed"


def test_what_was_observed_elsewhere_counts_once_among_several_publishers(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    task = catalogue.tasks["fencing.wood"]
    observed = task.observed[0]
    seen = priced(catalogue, task.task_id, None)
    alone = replace(catalogue, tasks=catalogue.tasks | {task.task_id: replace(task, observed=())})
    stated = priced(alone, task.task_id, None)
    count = len(stated.source.supplier.split(", "))
    # No source tells the labour share of this work, so that Chicago's figure stands as it is.
    mean = (stated.price**count * observed.median) ** (1 / Decimal(count + 1))
    assert seen.price == pytest.approx(mean, abs=Decimal("0.02"))
    assert (seen.low, seen.high) == (stated.low, max(stated.high, observed.p75))
    assert [one.kind for one in seen.source.components] == ["claim", "observed"]
    assert seen.source.supplier == f"{stated.source.supplier}, {catalogue.datasets[observed.dataset_id].publisher}"
    heater = priced(catalogue, "plumbing.water-heater", None).source.components[1]
    assert heater.kind == "observed" and "× 0.9" in heater.description  # wages there are above the national ones


@pytest.mark.parametrize("publishers", [1, 3])
def test_what_publishers_state_goes_before_a_norm(
    catalogue: Catalogue, places: dict[str, Place], publishers: int
) -> None:
    task = catalogue.tasks[NORM]
    stated = PublishedClaim(
        "Radiator", "each", "USD", Decimal(400), Decimal(500), Decimal(600), "US", "2026",
        tuple(f"p{number}.example" for number in range(publishers)), ("row",), "published-claims-2026",
    )  # fmt: skip
    both = replace(catalogue, tasks={**catalogue.tasks, NORM: replace(task, claims=(stated,), observed=())})
    assert priced(both, NORM, None).price == 500
    assert priced(catalogue, NORM, None).source.kind == "norm"


def test_a_norm_charges_what_publishers_state_for_an_hour_of_the_trade(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    task, place = catalogue.tasks[NORM], places["Chicago"]
    price = priced(catalogue, NORM, place)
    for norm, part in zip(task.labour, price.source.components, strict=False):
        charge = catalogue.charge_out_rates[norm.occupation, "US"]
        here, national = catalogue.wages[place.wage_area, norm.occupation], catalogue.wages[NATIONAL, norm.occupation]
        assert part.rate == pytest.approx(charge.mid * here.p50 / national.p50)
        assert (part.quantity, part.dataset_id) == (norm.hours_per_unit, charge.dataset_id)
    assert not [one for one in price.source.components if "burden" in one.description], "it is in the charge"
    assert any("publishers state for the trades" in said for said in price.assumptions)
    assert any("hours of building sites" in said for said in price.review_reasons)


def test_a_norm_is_calibrated_on_published_prices_and_says_whose_figures_they_are(catalogue: Catalogue) -> None:
    calibration = catalogue.norm_calibration
    assert calibration is not None
    plain = priced(replace(catalogue, norm_calibration=None), NORM, None)
    price = priced(catalogue, NORM, None)
    hours, factor, setup, *rest = price.source.components
    assert (hours, *rest) == plain.source.components
    assert factor.amount == hours.amount * (calibration.labour_times - 1)
    assert (factor.kind, factor.dataset_id, factor.as_of) == ("factor", calibration.dataset_id, calibration.as_of)
    assert (setup.quantity, setup.rate) == (calibration.setup_hours, hours.rate)
    amount = sum(one.amount for one in price.source.components)
    assert price.low == money.unit_price(amount * calibration.low)
    assert price.high == money.unit_price(amount * calibration.high)
    assert any(f"{calibration.works} other works" in reason for reason in price.review_reasons)


def test_coming_and_setting_up_is_charged_once_for_all_pieces_and_not_for_work_by_a_measure(
    catalogue: Catalogue,
) -> None:
    calibration = catalogue.norm_calibration
    assert calibration is not None
    one, four = (priced(catalogue, NORM, None, quantity=Decimal(count)) for count in (1, 4))
    setup = calibration.setup_hours * one.source.components[0].rate
    assert four.price * 4 - one.price * 4 == pytest.approx(-3 * setup, abs=Decimal("0.05"))
    by_length = priced(catalogue, "carpentry.baseboard-remove", None, quantity=Decimal(1))
    assert by_length.source.kind == "norm"
    assert not [part for part in by_length.source.components if "setting up" in part.description]


@pytest.mark.parametrize(
    "cost",
    [
        {"labour_burden": Decimal(0)},
        {"labour_markup": Decimal("0.2")},
        {"margin": Decimal("0.2")},
        {"margin": Decimal(0)},
    ],
)
def test_an_organization_that_states_what_labour_costs_it_has_norms_from_wages(
    catalogue: Catalogue, places: dict[str, Place], cost: dict[str, Decimal]
) -> None:
    place = places["Chicago"]
    price = priced(catalogue, NORM, place, settings=replace(DOLLARS, **cost))  # type: ignore[arg-type]
    for norm, part in zip(catalogue.tasks[NORM].labour, price.source.components, strict=False):
        assert part.rate == catalogue.wages[place.wage_area, norm.occupation].p50


def test_without_a_charge_of_two_publishers_an_hour_is_the_wage_with_burden(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    price = priced(replace(catalogue, charge_out_rates={}), NORM, places["Nashville"])
    assert any("burden" in one.description for one in price.source.components)
    assert any("at cost" in said for said in price.assumptions)
    assert price.price < priced(catalogue, NORM, places["Nashville"]).price


def test_norms_are_hours_at_british_charges_in_leeds(catalogue: Catalogue, places: dict[str, Place]) -> None:
    price = priced(catalogue, NORM, places["Leeds"], settings=POUNDS)
    assert (price.source.kind, price.currency, price.source.coverage) == ("norm", "GBP", Coverage.ABSENT)
    for norm, part in zip(catalogue.tasks[NORM].labour, price.source.components, strict=False):
        assert part.rate == catalogue.charge_out_rates[norm.occupation, "GB"].mid
    assert any("No regional factor is known for Leeds" in said for said in price.assumptions)


def test_one_publisher_alone_is_low_confidence(catalogue: Catalogue, places: dict[str, Place]) -> None:
    alone = [
        price
        for task_id in TASKS
        if isinstance(price := ask(catalogue, task_id, places["Nashville"]), UnitPrice)
        and price.source.kind == "single_claim"
    ]
    assert len(alone) > 50
    for price in alone:
        assert price.confidence <= confidence.SINGLE_CLAIM
        assert any("A single publisher" in reason for reason in price.review_reasons)


def test_the_organizations_burden_and_markup_are_components(catalogue: Catalogue, places: dict[str, Place]) -> None:
    own = replace(
        DOLLARS, labour_burden=Decimal("0.30"), labour_markup=Decimal("0.20"), material_markup=Decimal("0.10")
    )
    price = priced(catalogue, FITTED, places["Nashville"], settings=own)
    assert len([one for one in price.source.components if one.kind == "markup"]) == 2
    assert any(one.rate == Decimal("0.30") for one in price.source.components)
    without = replace(own, labour_burden=Decimal(0))
    assert priced(catalogue, FITTED, places["Nashville"], settings=without).price < price.price


def test_without_a_place_national_figures_are_used_and_said(catalogue: Catalogue) -> None:
    price = priced(catalogue, FITTED, None)
    assert price.source.coverage is Coverage.INTERPOLATED
    assert any("No place" in reason for reason in price.review_reasons)
    assert isinstance(ask(catalogue, FITTED, None, settings=PricingSettings(currency="EUR")), Unpriced)


def test_coats_never_multiply_and_are_told_where_the_price_does_not_cover_them(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    sanded = priced(catalogue, "flooring.refinish", places["Nashville"])
    thrice = priced(catalogue, "flooring.refinish", places["Nashville"], coats=3)
    assert thrice.price == sanded.price
    assert any("3 coats are asked for" in said for said in thrice.assumptions)
    one_coat = priced(catalogue, "painting.interior-walls", places["Nashville"])
    two = priced(catalogue, "painting.interior-walls", places["Nashville"], coats=2)
    three = priced(catalogue, "painting.interior-walls", places["Nashville"], coats=3)
    assert one_coat.price == two.price == three.price
    assert three.review_reasons != two.review_reasons


def test_height_is_flagged_and_not_priced(catalogue: Catalogue, places: dict[str, Place]) -> None:
    ground = priced(catalogue, "gutters.clean", places["Nashville"])
    upper = priced(catalogue, "gutters.clean", places["Nashville"], storeys=2)
    assert upper.price == ground.price
    assert any("2 storeys" in reason for reason in upper.review_reasons)
