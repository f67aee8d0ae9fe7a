"""Reading: requests as customers write them, against the lines an estimator would write."""

from __future__ import annotations

from decimal import Decimal

import pytest

from server.domain.drafting.matching import TaskIndex, lemma
from server.domain.drafting.reading import read_request
from server.domain.takeoff import Takeoff, TakeoffItem
from tests.unit.server.domain.drafting.requests import AFTER, BEFORE, FRESH, Labelled
from tests.unit.server.domain.drafting.sample import sample_catalogue

INDEX = TaskIndex.build(sample_catalogue())


def read(text: str, industry: str = "") -> Takeoff:
    return read_request(text, industry=industry, index=INDEX, gazetteer=None)


def _line(item: TakeoffItem) -> tuple[str, Decimal | None, str, str]:
    marks = "o" * item.optional + "l" * item.materials_by_customer
    if not item.task_id or item.qty is None:
        return item.task_id, None, "", marks
    return item.task_id, item.qty, item.unit, marks


def _expected(case: Labelled) -> list[tuple[str, Decimal | None, str, str]]:
    return [(task, None if qty is None else Decimal(qty), unit, marks) for task, qty, unit, marks in case.lines]


@pytest.mark.parametrize("case", BEFORE, ids=[case.text[:50] for case in BEFORE])
def test_requests_written_before_tuning_are_read_in_full(case: Labelled) -> None:
    assert [_line(item) for item in read(case.text, case.industry).items] == _expected(case)


@pytest.mark.parametrize(
    ("cases", "recall", "precision"), [(AFTER, 0.95, 0.95), (FRESH, 0.75, 0.8)], ids=["after", "fresh"]
)
def test_later_requests_stay_above_their_measured_floor(
    cases: tuple[Labelled, ...], recall: float, precision: float
) -> None:
    right = wanted = given = 0
    for case in cases:
        found = [_line(item) for item in read(case.text, case.industry).items]
        expected = _expected(case)
        wanted, given = wanted + len(expected), given + len(found)
        for line in expected:
            if line in found:
                found.remove(line)
                right += 1
    assert right / wanted >= recall
    assert right / given >= precision


def test_an_area_never_prices_a_length() -> None:
    (item,) = read("Replace 12 m2 of gutter").items
    assert item.qty is None
    assert item.review_reasons


def test_a_verb_the_task_has_not_is_not_priced_as_installation() -> None:
    (item,) = read("Remove the radiator").items
    assert item.task_id == ""
    assert "radiator" in item.candidates


def test_industry_steers_an_ambiguous_word() -> None:
    index_words = read("clean the drain", "plumbing").items
    assert index_words[0].task_id == "drain-clear"


def test_walls_of_a_room_are_derived_and_said() -> None:
    takeoff = read("Paint the walls of a 12x14 ft bedroom, 9 ft high ceilings")
    assert takeoff.items[0].qty == 468
    assert any("468 sqft" in line and "stated" in line for line in takeoff.assumptions)


def test_an_assumed_height_is_said() -> None:
    takeoff = read("Paint the walls of a 3m x 4m bedroom")
    assert takeoff.items[0].qty == Decimal("33.6")
    assert any("assumed ceiling height 2.4 m" in line for line in takeoff.assumptions)


def test_a_missing_quantity_is_asked_for_not_invented() -> None:
    takeoff = read("Replace the gutters")
    assert takeoff.items[0].qty is None
    assert [question.field for question in takeoff.questions] == ["line_items[0].qty"]


def test_a_request_for_nothing_gives_one_question() -> None:
    takeoff = read("Hello, how are you? Lovely weather.")
    assert takeoff.items == ()
    assert len(takeoff.questions) == 1


def test_spelling_is_repaired_openly() -> None:
    takeoff = read("Replase 30 m of guttring")
    assert takeoff.items[0].task_id == "gutter-aluminium-replace"
    assert any("guttring" in line for line in takeoff.assumptions)


@pytest.mark.parametrize(
    ("word", "same"),
    [("faucets", "faucet"), ("aluminium", "aluminum"), ("shelves", "shelf"), ("guttering", "gutter"), ("painted", "paint"),
     ("repainting", "paint"), ("flooring", "floor"), ("bushes", "bush"), ("storeys", "stories")],
)  # fmt: skip
def test_forms_of_one_word_meet(word: str, same: str) -> None:
    assert lemma(word) == lemma(same)


def test_us_and_uk_words_find_one_task() -> None:
    us, uk = read("Install 20 ft of baseboard").items[0], read("Fit 20 ft of skirting").items[0]
    assert us.task_id == uk.task_id == "baseboard"


def test_exclusions_are_kept_in_the_customers_words() -> None:
    assert read("Paint 60 m2 of exterior, not including the garage").exclusions == ("not including the garage",)


def test_frequency_and_rush_are_said_and_not_charged() -> None:
    takeoff = read("Mow the lawn weekly, urgent")
    assert takeoff.items[0].qty == 1
    assert any("weekly" in line for line in takeoff.assumptions)
    assert any("urgent" in line for line in takeoff.assumptions)


@pytest.mark.parametrize(
    "left_out",
    [
        "30 m of gutter loose at the corner - seller will handle",
        "Replace 30 m of gutter (complete)",
        "30 m of gutter, but we can do that on our own",
        "Replace 30 m of gutter - no wait, skip that",
        "Replace 30 m of gutter. No - forget the gutter, decided to keep it",
        "Already finished: replace 30 m of gutter",
        "Not included:\n- 30 m of gutter\n- a radiator",
        "30 m of gutter n/a",
        "Existing radiator OK",
        "You quoted me 900 for a radiator",
        "We had a radiator put in last June",
    ],
)
def test_what_is_done_taken_back_or_done_by_others_is_no_line(left_out: str) -> None:
    takeoff = read(f"{left_out}.\n\nPlease paint 60 m2 of exterior.")
    assert [item.qty for item in takeoff.items] == [60]


@pytest.mark.parametrize(
    "note",
    ["(fixtures by designer)", "(already bought)", "- they are paid for", "(client furnishes both)"],
)
def test_what_others_bring_is_labour_only(note: str) -> None:
    (item,) = read(f"Install 4 radiators {note}").items
    assert (item.qty, item.materials_by_customer) == (4, True)


def test_both_are_the_two_before() -> None:
    items = read("Replace the boiler, the radiator and the gutter (client furnishes both)").items
    assert [item.materials_by_customer for item in items] == [False, True, True]


@pytest.mark.parametrize(
    ("text", "qty", "unit"),
    [
        ("Replace two of the radiators", "2", "each"),
        ("The radiators (5, cast iron) need replacing", "5", "each"),
        ("12 radiators to remove and the gutters replaced, 3 runs @ 4 m", "12", "m"),
        ("Install a 6' fence along the line, 341 ft", "341", "ft"),
        ("Paint the exterior - no trim - 60 m2", "60", "m2"),
        ("The gutter is falling down. It is 22 m. Please replace the gutter.", "22", "m"),
    ],
)
def test_a_figure_goes_where_it_is_said(text: str, qty: str, unit: str) -> None:
    item = read(text).items[-1]
    assert (item.qty, item.unit) == (Decimal(qty), unit)


def test_a_label_and_a_bare_note_say_of_all_that_is_listed_that_it_is_brought() -> None:
    for text in (
        "Install only, furnished by GC: 4 radiators, 30 m of gutter",
        "Install 4 radiators, 30 m of gutter, all here already",
    ):
        items = [item for item in read(text).items if item.qty is not None]
        assert [item.qty for item in items] == [4, 30]
        assert all(item.materials_by_customer for item in items)
