"""The quantity grammar: values, units, roles and places of figures in real trade text."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.drafting.numbers import tokenize
from server.domain.drafting.quantities import Role, find_quantities
from tests.unit.server.domain.drafting.quantity_cases import CASES, NAMES


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_values_and_units_are_read(text: str, expected: tuple[tuple[str, str], ...]) -> None:
    found = [(quantity.value, quantity.unit) for quantity in find_quantities(text)]
    assert found == [(Decimal(value), unit) for value, unit in expected]


@pytest.mark.parametrize("text", NAMES, ids=[text[:40] for text in NAMES])
def test_numbers_that_are_names_are_no_figures(text: str) -> None:
    assert find_quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("200 amp panel", Role.RATING),
        ("fence 6 ft high", Role.SIZE),
        ("12.5mm board", Role.SIZE),
        ("40 m of fence", Role.LENGTH),
        ("40 sq m", Role.AREA),
        ("4 doors", Role.COUNT),
        ("two coats", Role.COATS),
        ("2 storey", Role.STOREYS),
        ("weekly", Role.FREQUENCY),
        ("3 hours", Role.TIME),
        ("$500", Role.BUDGET),
        ("5 cubic yards", Role.VOLUME),
        ("24 lf cabinets", Role.LENGTH),
    ],
)
def test_roles_tell_work_from_ratings_and_sizes(text: str, role: Role) -> None:
    assert [quantity.role for quantity in find_quantities(text)] == [role]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12,5 m2 of laminate", "12.5", "m2"),
        ("24,50 m² carpet", "24.5", "m2"),
        ("fence 18,5m long", "18.5", "m"),
        ("6,25 metres of gutter", "6.25", "m"),
        ("1 200 m2 of laminate", "1200", "m2"),
        ("1\u202f200 sq ft of laminate", "1200", "sqft"),
        ("2,500 sq ft of lawn", "2500", "sqft"),
        ("12,500 m2 of wall", "12500", "m2"),
    ],
)
def test_an_amount_is_the_same_however_its_decimals_and_thousands_are_set_apart(text, value, unit) -> None:
    (found,) = find_quantities(text)
    assert (found.value, found.unit) == (Decimal(value), unit)


def test_sides_with_decimals_behind_a_comma_are_multiplied() -> None:
    assert [one.value for one in find_quantities("floor 3,5 x 4,2 m") if one.unit == "m2"] == [Decimal("14.7")]


def test_a_comma_or_a_space_between_two_figures_stays_what_it_was() -> None:
    counted = [one.value for one in find_quantities("supply and fit 3 600 mm vanities") if one.role is Role.COUNT]
    assert counted == [3]
    assert [one.value for one in find_quantities("paint 2,3 or 4 doors") if one.role is Role.COUNT][-1:] == [4]


def test_what_stands_on_the_next_line_is_not_what_a_measure_is_of() -> None:
    (quantity,) = find_quantities("Gutters, 5K: 126 LF\nWindows: no damage")
    assert (quantity.role, quantity.noun) == (Role.LENGTH, "")


@pytest.mark.parametrize("text", ["each year 2 services", "every year 2 visits", "once a year 2 coats"])
def test_how_often_in_a_year_names_nothing(text) -> None:
    assert 2 in [one.value for one in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Toilet seat fitting (2)", [(2, "them")]),
        ("Radiator bleeding (7)", [(7, "them")]),
        ("Plastic consumer unit. 2 cracked sockets in the kitchen", [(2, "cracked")]),
        ("Replace boiler in unit. 2 radiators to replace", [(2, "radiators")]),
        ("Railing (2 m)", []),
        ("Toilet in apt. 2 leaks", []),
    ],
)
def test_a_count_behind_what_is_done_or_behind_a_sentence_counts(text, counts) -> None:
    assert [(one.value, one.noun) for one in find_quantities(text) if one.role is Role.COUNT] == counts


def test_part_of_what_was_told_measures_no_work() -> None:
    around, patio = find_quantities("190 ft around, 22 ft of that is back patio")
    assert (around.role, patio.role) == (Role.LENGTH, Role.SIZE)


def test_a_range_keeps_both_ends_and_prices_the_higher() -> None:
    (quantity,) = find_quantities("10-12 m")
    assert (quantity.low, quantity.high, quantity.value) == (10, 12, 12)


@pytest.mark.parametrize("text", ["about 20 m", "approx. 20 m", "~20 m", "roughly 20 m", "circa 20 m"])
def test_approximations_are_marked(text: str) -> None:
    (quantity,) = find_quantities(text)
    assert quantity.approximate


def test_spans_are_code_points_of_the_original() -> None:
    text = "🏠 paint 60 m² of “wall”"
    (quantity,) = find_quantities(text)
    assert text[quantity.span.start : quantity.span.end] == "60 m²"


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("kitchen floor in porcelain 60x60, its 4.8 by 3.9", [("18.72", "m2")]),
        ("Porcelain slabs 60x90, patio 5 x 4", [("20", "m2")]),
        ("LVT 30x60 stone effect, 4.8 x 3.9", [("18.72", "m2")]),
        ("Carpet tiles 50x50, office 8 x 6", [("48", "m2")]),
        ("Porcelain patio 30x20", [("600", "sqft")]),
        ("beds are 12x10, 10x9 and 8x7 ft", [("120", "sqft"), ("90", "sqft"), ("56", "sqft")]),
        ("14 x 11 lounge and 9 x 7 hall", [("154", "sqft"), ("63", "sqft")]),
        ("lounge 14x11, hall 12x3", [("154", "sqft"), ("36", "sqft")]),
        ("lounge 5x4, hall 4x2", [("20", "m2"), ("8", "m2")]),
        ("lounge 9 x 8 and hall 4 x 2", [("72", "m2"), ("8", "m2")]),
        ("hall 4 x 2 and bedrooms 12x10", [("8", "m2"), ("120", "sqft")]),
        ("lounge 8 x 7.2, garden 12 x 10", [("57.6", "m2"), ("120", "sqft")]),
        ("lounge 8 x 6, lawn 12 x 10", [("48", "m2"), ("120", "sqft")]),
    ],
)
def test_one_list_of_sizes_is_in_one_unit_and_what_is_laid_in_pieces_tells_theirs(text, areas) -> None:
    found = [(one.value, one.unit) for one in find_quantities(text, metric=True) if one.role is Role.AREA]
    assert found == [(Decimal(value), unit) for value, unit in areas]


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("floor in porcelain 12x24, kitchen 10 by 12", ["120"]),
        ("porcelain floor, 12x24", ["288"]),
        ("porcelain 12x24", ["288"]),
    ],
)
def test_a_usual_size_of_what_is_laid_in_pieces_is_theirs_where_the_floor_has_its_own(text, areas) -> None:
    assert [one.value for one in find_quantities(text) if one.role is Role.AREA] == list(map(Decimal, areas))


def test_sides_without_a_unit_follow_the_text() -> None:
    metric, imperial = find_quantities("room 4x5, 20 m2")[2], find_quantities("room 12x14, 20 sq ft")[2]
    assert (metric.unit, imperial.unit) == ("m2", "sqft")
    assert metric.assumed_unit
    assert imperial.assumed_unit


@pytest.mark.parametrize(
    ("text", "metric", "imperial"),
    [
        ("the floor is 8.5 by 6", "m2", "sqft"),
        ("patio 10 x 4", "m2", "sqft"),
        # no room has ten metres both ways, and sheds are sold by the foot
        ("bedroom 12 x 14", "sqft", "sqft"),
        ("an 8x6 shed", "sqft", "sqft"),
    ],
)
def test_sides_without_a_unit_follow_the_country(text: str, metric: str, imperial: str) -> None:
    areas = [find_quantities(text, metric=usual)[2].unit for usual in (True, False)]
    assert areas == [metric, imperial]


@given(st.text(alphabet=st.sampled_from("0123456789.,/-x+'\" \n()#$½ftminsqcoatday\u202e\u0661²"), max_size=120))
def test_any_text_gives_figures_inside_it(text: str) -> None:
    for quantity in find_quantities(text):
        assert 0 <= quantity.span.start < quantity.span.end <= len(text)
        assert quantity.value.is_finite()
        assert quantity.value >= 0
        assert quantity.low <= quantity.high


@given(st.text(alphabet="ab1.½ ,'-\n", max_size=30))
def test_a_text_is_cut_into_all_that_it_says_with_its_places(text: str) -> None:
    tokens = tokenize(text)
    assert all(text[token.start : token.end].lower() == token.text for token in tokens)
    assert "".join(token.text for token in tokens) == "".join(text.split())
