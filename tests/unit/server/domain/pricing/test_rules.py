"""Promises of the organization's own rules: each does what it says, on the part that it names, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from server.domain import money
from server.domain.catalogue import Catalogue, Place
from server.domain.draft import Component, Coverage, Draft, LineKind, UnitPrice
from server.domain.drafting.engine import Drafter
from server.domain.pricing.build_up import unit_price
from server.domain.settings import PricingSettings, RegionalFactor

DOLLARS = PricingSettings()
RADIATOR, DRYWALL = "plumbing.radiator", "drywall.partition"
RENOVATION = "Replace 2 toilets and paint 30 m2 of walls"


@pytest.fixture(scope="session")
def at_cost(catalogue: Catalogue) -> Catalogue:
    """Where no two publishers state what an hour is charged at: norms are built from wages."""
    return replace(catalogue, charge_out_rates={})


@pytest.fixture
def nashville(places: dict[str, Place]) -> Place:
    return places["Nashville"]


def norm(catalogue: Catalogue, place: Place, task_id: str = RADIATOR, **options: object) -> UnitPrice:
    rules = {name: options.pop(name) for name in [*options] if name in PricingSettings.__dataclass_fields__}
    task = catalogue.tasks[task_id]
    price = unit_price(catalogue, task, unit=task.unit, place=place, settings=replace(DOLLARS, **rules), **options)  # type: ignore[arg-type]
    assert isinstance(price, UnitPrice) and price.source.kind == "norm", price
    return price


def parts(price: UnitPrice, *kinds: str) -> list[Component]:
    return [one for one in price.source.components if one.kind in kinds]


def sum_of(price: UnitPrice, *kinds: str) -> Decimal:
    return sum((one.amount for one in parts(price, *kinds)), Decimal(0))


def test_the_burden_is_one_figure_on_wages_and_the_organizations_replaces_it(
    at_cost: Catalogue, nashville: Place
) -> None:
    sourced, own = norm(at_cost, nashville), norm(at_cost, nashville, labour_burden=Decimal("0.25"))
    assert at_cost.labour_burden is not None
    assert sum_of(sourced, "factor") == pytest.approx(sum_of(sourced, "labour") * at_cost.labour_burden.rate)
    assert sum_of(own, "factor") == sum_of(own, "labour") / 4
    assert sum_of(own, "material") == sum_of(sourced, "material")
    assert [one.dataset_id for one in parts(own, "factor")] == ["settings"]


@pytest.mark.parametrize(
    ("markup", "kinds"),
    [
        ("labour_markup", ("labour", "factor")),
        ("material_markup", ("material",)),
        ("other_markup", ("disposal", "other")),
    ],
)
def test_a_markup_is_on_its_own_type_of_cost(
    at_cost: Catalogue, nashville: Place, markup: str, kinds: tuple[str, ...]
) -> None:
    task = "plumbing.toilet" if markup == "other_markup" else RADIATOR
    plain = norm(at_cost, nashville, task) if task == RADIATOR else norm_of(at_cost, nashville, task)
    marked = norm_of(at_cost, nashville, task, **{markup: Decimal("0.2")})
    assert sum_of(plain, *kinds) > 0
    assert sum_of(marked, "markup") == pytest.approx(sum_of(plain, *kinds) / 5)
    assert (marked.low >= plain.low, marked.high > plain.high) == (True, True)


def norm_of(catalogue: Catalogue, place: Place, task_id: str, **rules: object) -> UnitPrice:
    """The norm's price of a task whatever is claimed or observed for the same work."""
    bare = replace(catalogue.tasks[task_id], claims=(), observed=())
    return norm(replace(catalogue, tasks={**catalogue.tasks, task_id: bare}), place, task_id, **rules)


def test_the_margin_is_of_the_selling_price(at_cost: Catalogue, nashville: Place) -> None:
    plain, sold = norm(at_cost, nashville), norm(at_cost, nashville, margin=Decimal("0.2"))
    assert sold.price == money.unit_price(sum_of(plain, "labour", "factor", "material") / Decimal("0.8"))


def test_waste_is_on_the_quantity_of_materials_alone(catalogue: Catalogue, nashville: Place) -> None:
    plain, wasted = norm(catalogue, nashville), norm(catalogue, nashville, material_waste=Decimal("0.1"))
    assert sum_of(wasted, "material") == pytest.approx(sum_of(plain, "material") * Decimal("1.1"))
    assert sum_of(wasted, "labour", "factor") == sum_of(plain, "labour", "factor")
    assert any("10 % waste" in said for said in wasted.assumptions)


def test_materials_are_bought_in_whole_packs_where_the_quantity_is_known(
    catalogue: Catalogue, nashville: Place
) -> None:
    def board(price: UnitPrice) -> Component:
        return next(one for one in price.source.components if one.description.startswith("Drywall 13 mm"))

    loose = board(norm_of(catalogue, nashville, DRYWALL))
    packed = board(norm_of(catalogue, nashville, DRYWALL, quantity=Decimal(50)))
    sheet = Decimal(32) * Decimal("0.3048") ** 2  # 4 × 8 ft in m2
    needed = loose.quantity * 50 / sheet
    whole = packed.quantity * 50 / sheet
    assert whole == pytest.approx(needed.to_integral_value("ROUND_CEILING"))
    assert needed < whole < needed + 1
    assert "whole packs (sheet of 4 × 8 ft)" in packed.description
    own = board(norm_of(catalogue, nashville, DRYWALL, quantity=Decimal(50), packs={"Drywall 13 mm": Decimal(1000)}))
    assert own.quantity == 20  # one pack of 1,000 m2 over 50 m2


def test_a_norm_at_cost_has_the_wage_of_the_place_and_nothing_else_changes(
    at_cost: Catalogue, places: dict[str, Place]
) -> None:
    named = {name: norm(at_cost, places[name]) for name in ("Nashville", "Chicago", "San Jose", "Mountain View")}
    assert len({price.price for price in named.values()}) == 4
    assert len({sum_of(price, "material", "other", "disposal") for price in named.values()}) == 1
    for name, price in named.items():
        place = places[name]
        for one, hours in zip(parts(price, "labour"), at_cost.tasks[RADIATOR].labour, strict=True):
            wage = at_cost.wages[place.wage_area, hours.occupation]
            assert (one.quantity, one.rate) == (hours.hours_per_unit, wage.p50)
            assert f"wage in {at_cost.areas[place.wage_area].name}" in one.description
        assert price.source.place.startswith(name)
    assert [price.source.coverage for price in named.values()] == [*[Coverage.MEASURED] * 3, Coverage.INTERPOLATED]
    assert (places["Mountain View"].wage_basis, at_cost.areas[places["Mountain View"].wage_area].kind) == (
        "state",
        "S",
    )


def test_a_stated_price_moves_by_the_labour_share_alone(catalogue: Catalogue, places: dict[str, Place]) -> None:
    moved = 0
    for task in catalogue.tasks.values():
        here = {
            name: unit_price(catalogue, task, unit=task.unit, place=places[name], settings=DOLLARS)
            for name in ("Nashville", "San Jose", "Mountain View")
        }
        for name, price in here.items():
            if not isinstance(price, UnitPrice) or price.source.kind == "norm" or price.source.region_factor == 1:
                continue
            *before, change = price.source.components
            stated = sum(one.amount for one in before)
            share = change.quantity / stated
            assert (change.kind, 0 < share <= 1) == ("factor", True)
            assert change.amount == pytest.approx(stated * share * (price.source.region_factor - 1))
            assert places[name].name in change.description and "on the labour share of" in change.description
            moved += 1
    assert moved > 20


def test_leeds_gets_pounds_of_british_publishers_with_low_confidence_or_no_price(
    catalogue: Catalogue, places: dict[str, Place]
) -> None:
    priced = 0
    for task in catalogue.tasks.values():
        price = unit_price(
            catalogue, task, unit=task.unit, place=places["Leeds"], settings=replace(DOLLARS, currency="GBP")
        )
        in_dollars = unit_price(catalogue, task, unit=task.unit, place=places["Leeds"], settings=DOLLARS)
        assert not isinstance(in_dollars, UnitPrice)
        if isinstance(price, UnitPrice):
            priced += 1
            assert (price.currency, price.source.coverage, price.source.region_factor) == ("GBP", Coverage.ABSENT, 1)
            assert price.confidence < Decimal("0.5")
            assert any("No regional factor is known for Leeds" in said for said in price.assumptions)
            rows = "".join(one.row for one in price.source.components)
            assert "GBP" in rows and "USD" not in rows
    assert priced > 100


def test_an_imported_factor_counts_on_the_labour_share_and_says_whose_it_is(
    at_cost: Catalogue, places: dict[str, Place]
) -> None:
    own = RegionalFactor("US", "admin:TN", "TN, US", Decimal("0.5"), "Own survey", "2026-03")
    price = norm(at_cost, places["Nashville"], regional_factors={("US", "admin:TN"): own})
    elsewhere = norm(at_cost, places["Chicago"], regional_factors={("US", "admin:TN"): own})
    for one, hours in zip(parts(price, "labour"), at_cost.tasks[RADIATOR].labour, strict=True):
        assert one.rate == at_cost.wages["0000000", hours.occupation].p50 / 2
        assert "Own survey, 2026-03" in one.description
    assert sum_of(price, "material") == sum_of(elsewhere, "material")
    assert elsewhere == norm(at_cost, places["Chicago"])
    leeds = RegionalFactor("GB", "postcode:LS", "LS, GB", Decimal("0.9"), "Own survey", "2026")
    task = next(
        one for one in at_cost.tasks.values() if one.labour_only and any(claim.country == "GB" for claim in one.claims)
    )
    pounds = PricingSettings(currency="GBP", regional_factors={("GB", "postcode:LS"): leeds})
    place = replace(places["Leeds"], postcode="LS6")
    plain = unit_price(at_cost, task, unit=task.unit, place=place, settings=replace(pounds, regional_factors={}))
    moved = unit_price(at_cost, task, unit=task.unit, place=place, settings=pounds)
    assert isinstance(plain, UnitPrice) and isinstance(moved, UnitPrice)
    assert moved.source.coverage is Coverage.INTERPOLATED
    assert moved.price == pytest.approx(plain.price * Decimal("0.9"), abs=Decimal("0.01"))


def drafted(drafter: Drafter, text: str = RENOVATION, **rules: object) -> Draft:
    return drafter.draft(text, location="Nashville, TN", settings=replace(DOLLARS, **rules))  # type: ignore[arg-type]


def fees(draft: Draft) -> dict[str, int]:
    return {line.description: line.amount_minor for line in draft.lines if line.kind is LineKind.FEE}


def test_a_minimum_charge_lifts_the_total_before_tax_by_a_line_of_its_own(drafter: Drafter) -> None:
    plain = drafted(drafter)
    lifted = drafted(drafter, minimum_charge=Decimal(9000), tax_rate=Decimal("0.1"))
    assert lifted.subtotal_minor == 900_000
    assert lifted.total_minor == 990_000
    assert fees(lifted) == {"Minimum charge": 900_000 - plain.subtotal_minor}
    assert lifted.lines[-1].needs_review is False
    assert fees(drafted(drafter, minimum_charge=Decimal(1))) == {}
    unpriced = drafted(drafter, "Repair the flux capacitor", minimum_charge=Decimal(9000))
    assert (unpriced.total_minor, fees(unpriced)) == (0, {})


def test_charges_come_once_a_job_that_calls_for_them(drafter: Drafter) -> None:
    rules = {"disposal_charge": Decimal(80), "access_charge": Decimal(120), "equipment_charge": Decimal("35.50")}
    assert fees(drafted(drafter, **rules)) == {"Disposal of what is taken out": 8_000, "Equipment": 3_550}
    high = drafted(drafter, "Paint 60 m2 of the outside of a two-storey house", **rules)
    assert fees(high) == {"Access above the ground floor": 12_000, "Equipment": 3_550}
    assert not any("access" in reason for line in high.lines for reason in line.review_reasons)
    abroad = drafter.draft("Lay 20 m2 of laminate", location="Leeds, UK", settings=replace(DOLLARS, **rules))  # type: ignore[arg-type]
    assert fees(abroad) == {}
    assert any("charges are in USD; in GBP none is applied" in said for said in abroad.assumptions)


def test_a_small_job_counts_its_labour_more_and_says_so(drafter: Drafter) -> None:
    text = "Install a radiator"
    plain = drafted(drafter, text)
    rules = {"small_job_factor": Decimal("1.5"), "small_job_hours": Decimal(8)}
    small, large = drafted(drafter, text, **rules), drafted(drafter, text.replace("a ", "40 ") + "s", **rules)
    added = next(one for one in small.lines[0].source.components if "Small job" in one.description)  # type: ignore[union-attr]
    labour = sum(one.amount for one in plain.lines[0].source.components if one.kind in {"labour", "factor"})  # type: ignore[union-attr]
    assert added.amount == pytest.approx(labour / 2)
    assert any("rule for small jobs" in said for said in small.assumptions)
    assert not any("Small job" in one.description for line in large.lines for one in line.source.components)  # type: ignore[union-attr]


def test_each_tax_class_is_rounded_once_and_unset_tax_is_said(drafter: Drafter) -> None:
    classes = {"labour": "zero", "fee": "reduced"}
    draft = drafted(
        drafter,
        equipment_charge=Decimal("33.33"),
        tax_rate=Decimal("0.0825"),
        reduced_tax_rate=Decimal("0.05"),
        tax_classes=classes,
    )
    by_class = {one.tax_class: one for one in draft.taxes}
    assert by_class["reduced"].base_minor == 3_333 and by_class["reduced"].tax_minor == 167
    for one in draft.taxes:
        base = sum(line.amount_minor for line in draft.lines if line.kind in one.kinds)
        assert (one.base_minor, one.tax_minor) == (base, money.to_minor(money.from_minor(base) * one.rate))
    assert draft.total_minor == draft.subtotal_minor + sum(one.tax_minor for one in draft.taxes)
    unset = drafted(drafter)
    assert unset.tax_minor == 0 and "Tax is not set: none is charged." in unset.assumptions
