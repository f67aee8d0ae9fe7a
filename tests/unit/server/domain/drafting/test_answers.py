"""Answers: what the customer says to a question decides what the question was about, and nothing else."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.drafting.engine import Drafter
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.reading import read_request
from server.domain.settings import PricingSettings
from server.domain.takeoff import Answer, Question, Span, Takeoff, UnreadableAnswerError
from server.embedded import load_embedded
from tests.unit.server.domain.drafting.sample import sample_catalogue

INDEX = TaskIndex.build(sample_catalogue())


def read(text: str, *answers: Answer) -> Takeoff:
    return read_request(text, industry="", index=INDEX, gazetteer=None, answers=answers)


def asked(takeoff: Takeoff, ending: str) -> Question:
    return next(question for question in takeoff.questions if question.field.endswith(ending))


@pytest.mark.parametrize(
    ("text", "said", "qty", "unit"),
    [
        ("Replace the gutters", "about 40 ft", "40", "ft"),
        ("Replace the gutters", "120", "120", "ft"),
        ("Replace the gutters", "12 m at the back and 8 m at the front", "20", "m"),
        ("Replace the gutters", "12 m (about 39.4 ft)", "12", "m"),
        ("Tile the bathroom floor", "6 m2", "6", "m2"),
        ("Tile the bathroom floor", "2.5 by 3 m", "7.5", "m2"),
        ("Paint the walls of the bedroom", "12x14 ft, 9 ft high ceilings", "468", "sqft"),
        ("Hang internal doors", "five", "5", "each"),
        ("Hang internal doors", "3 upstairs and 2 down", "5", "each"),
        ("Hang internal doors", "both bathrooms, so 2", "2", "each"),
        ("Hang internal doors", "3 upstairs and 3 down", "6", "each"),
    ],
)
def test_a_quantity_answered_is_the_lines_quantity(text: str, said: str, qty: str, unit: str) -> None:
    question = asked(read(text), ".qty")
    answered = read(text, Answer(question.question_id, said))
    assert (answered.items[0].qty, answered.items[0].unit) == (Decimal(qty), unit)
    assert not any(one.question_id == question.question_id for one in answered.questions)
    assert any(f" {qty}{'' if unit == 'each' else f' {unit}'}." in line for line in answered.assumptions)


@pytest.mark.parametrize(
    ("said", "qty"),
    [
        ("8 ft", "320"),
        ("8", "320"),
        ("8' high", "320"),
        ("96 inches", "320"),
        ("320 sq ft", "320"),
        ("320", "320"),
        ("40 by 8 ft", "320"),
    ],
)
def test_beside_a_length_the_height_answers_or_the_area(said: str, qty: str) -> None:
    """ "Paint 40 ft of wall": eight feet high, or 320 square feet of it."""
    question = asked(read("Paint 40 ft of wall"), ".qty")
    assert question.text.startswith("How high or wide is it, or how many square metres or square feet in all")
    answered = read("Paint 40 ft of wall", Answer(question.question_id, said))
    assert (answered.items[0].qty, answered.items[0].unit) == (Decimal(qty), "sqft")


def test_beside_a_length_two_heights_are_refused() -> None:
    question = asked(read("Paint 40 ft of wall"), ".qty")
    with pytest.raises(UnreadableAnswerError, match="gives no quantity"):
        read("Paint 40 ft of wall", Answer(question.question_id, "8 ft at the back and 6 ft at the front"))


def test_a_sign_for_square_metres_is_read_as_such() -> None:
    question = asked(read("Tile the bathroom floor"), ".qty")
    answered = read("Tile the bathroom floor", Answer(question.question_id, "40㎡"))
    assert (answered.items[0].qty, answered.items[0].unit) == (40, "m2")


def test_a_bare_number_says_which_unit_it_was_read_in() -> None:
    question = asked(read("Replace the gutters"), ".qty")
    answered = read("Replace the gutters", Answer(question.question_id, "120"))
    assert "Remove and replace gutter, aluminium: 120 ft." in answered.assumptions


@pytest.mark.parametrize(
    ("text", "said", "told"),
    [
        ("Replace the gutters", "about 40 ft", ["Aluminum gutter, install: 40 ft.", "Aluminum gutter, install: quantity is an estimate, to be measured on site."]),
        ("Paint 40 ft of wall", "8", ["Interior walls, paint: 320 sqft.", "Interior walls, paint: area taken as 40 ft by 8 ft."]),
        ("Hang internal doors", "3 upstairs and 2 down", ["Interior door, replace: 5."]),
        ("Please quote.", "wallpaper", ["Asked for: “wallpaper”."]),
    ],
)  # fmt: skip
def test_what_was_answered_is_told_as_what_is_assumed(text: str, said: str, told: list[str]) -> None:
    """Customers read it, and the office may have answered: nobody is told "you answered", or that it is their estimate."""
    index = embedded_index()
    question = read_request(text, industry="", index=index, gazetteer=None).questions[0]
    answers = [Answer(question.question_id, said)]
    answered = read_request(text, industry="", index=index, gazetteer=None, answers=answers)
    assert list(answered.assumptions[: len(told)]) == told
    assert not any("you answered" in one.lower() or "customer" in one for one in answered.assumptions)


ROOF = "Install a new roof, 20 squares, and replace the gutters"


@cache
def embedded_index() -> TaskIndex:
    return TaskIndex.build(load_embedded().catalogue)


def read_embedded(*answers: Answer) -> Takeoff:
    return read_request(ROOF, industry="", index=embedded_index(), gazetteer=None, answers=answers)


def test_a_kind_answered_is_the_lines_task_and_its_quantity_stays() -> None:
    first = read_embedded()
    kind, qty = asked(first, "[0].task_id"), asked(first, "[1].qty")
    again = read_embedded(Answer(kind.question_id, "standing seam metal please"), Answer(qty.question_id, "120 ft"))
    assert [item.task_id for item in first.items] == ["roofing.asphalt-shingle", "gutters.aluminum"]
    assert again.items[0].task_id == "roofing.standing-seam"
    name = embedded_index().catalogue.tasks["roofing.standing-seam"].name
    assert f"{name}: the kind that is wanted." in again.assumptions
    assert [item.qty for item in again.items] == [20, 120]
    assert again.questions == ()


def test_no_preference_keeps_the_kind_that_was_taken() -> None:
    first = read_embedded()
    kind = asked(first, ".task_id")
    again = read_embedded(Answer(kind.question_id, "I don't mind"))
    assert again.items[0].task_id == first.items[0].task_id
    name = embedded_index().catalogue.tasks[first.items[0].task_id].name
    assert f"{name}: taken, as any kind will do." in again.assumptions
    assert kind.question_id not in {question.question_id for question in again.questions}


def test_an_answer_names_what_no_task_answered_and_the_span_stays_in_the_request() -> None:
    text = "Rebuild the thingummy by the pond"
    question = asked(read(text), ".task")
    again = read(text, Answer(question.question_id, "the tap in the kitchen, it drips"))
    assert again.items[0].task_id == "tap-repair"
    assert again.items[0].span == Span(0, len(text))
    assert f"“{text}”: taken as “the tap in the kitchen, it drips”." in again.assumptions
    assert "tap" in again.items[0].said


def test_what_an_answer_leaves_open_is_asked_under_an_id_that_stays() -> None:
    text = "Please quote."
    about_work = read(text).questions[0]
    work = Answer(about_work.question_id, "replace the gutters")
    first = read(text, work)
    assert first.items[0].span is None
    again = read(text, work, Answer(asked(first, ".qty").question_id, "12 m"))
    assert (again.items[0].qty, again.items[0].unit) == (12, "m")


@pytest.mark.parametrize(
    "said", ["no idea", "", "  ", "a lot", "0", "0 m", "the vinyl one", "12 kg", "4 m2", "9" * 5000]
)
def test_an_answer_without_a_quantity_is_refused_by_the_questions_id(said: str) -> None:
    question = asked(read("Replace the gutters"), ".qty")
    with pytest.raises(UnreadableAnswerError) as caught:
        read("Replace the gutters", Answer(question.question_id, said))
    assert caught.value.question_id == question.question_id
    assert caught.value.message


def test_an_unknown_kind_and_an_unknown_question_are_refused() -> None:
    with pytest.raises(UnreadableAnswerError, match="none of the kinds"):
        read_embedded(Answer(asked(read_embedded(), ".task_id").question_id, "purple"))
    with pytest.raises(UnreadableAnswerError, match="no such question"):
        read("Put up 20 m of fencing", Answer("qty-0", "12"))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("abx 0123456789.,/'\"m²½-()\nft"), max_size=60))
def test_any_answer_is_read_or_refused(said: str) -> None:
    for text in ("Replace the gutters", "Please quote.", "Put up 20 m of fencing", "Rebuild the thingummy"):
        for question in read(text).questions:
            try:
                answered = read(text, Answer(question.question_id, said))
            except UnreadableAnswerError as error:
                assert error.question_id == question.question_id
            else:
                assert all(item.qty is None or item.qty > 0 for item in answered.items)


SAYING_NOTHING = [
    "hello", "👍", ".", "?", "Morning", "dear sir/madam", "See attached.", "Please quote.",
    "Good morning, my name is Jane Smith, please call me on 615-555-0199.",
]  # fmt: skip
ASKING = [
    "Replace 3 interior doors", "wallpaper", "no hot water", "remove it", "paint the fence, both sides",
    "Take out the sink and the toilet. Both have to come down.", "3 doors - replace", "painting: hall 4x5 m, walls",
    "I have a ceiling fan here, can you put it up?", "as an option a new boiler", "new furnace with humidifier",
    "if the slabs are too dear then gravel", "the kitchen tap drips and the one in the bathroom won't shut off",
]  # fmt: skip


@cache
def drafter() -> Drafter:
    return Drafter(load_embedded().catalogue, None)


@pytest.mark.parametrize("text", SAYING_NOTHING)
def test_what_work_is_wanted_is_answered_whatever_the_request_says(text: str) -> None:
    """Of a greeting nothing was learned, and the answer stands behind it: "hello", "wallpaper"."""
    question = drafter().draft(text, settings=PricingSettings()).questions[0]
    assert question.field == "text"
    for said in ASKING:
        try:
            drafted = drafter().draft(text, answers=[Answer(question.question_id, said)], settings=PricingSettings())
        except UnreadableAnswerError as error:
            assert said not in ASKING[:3], error.message
        else:
            assert drafted.lines


@pytest.mark.parametrize("text", ["See attached.", "hello"])
def test_what_an_answer_asks_for_is_as_sure_as_its_quantity(text: str) -> None:
    """What is learned of the request's clauses tells nothing of an answer's: these lines once had 0.05 and 0.04."""
    question = drafter().draft(text, settings=PricingSettings()).questions[0]
    work = Answer(question.question_id, "Replace 3 interior doors and paint 40 m2 of walls")
    takeoff = read_request(text, industry="", index=embedded_index(), gazetteer=None, answers=[work])
    assert [(item.task_id, item.confidence) for item in takeoff.items] == [
        ("doors.interior", 1), ("painting.interior-walls", 1)
    ]  # fmt: skip
    open_still = Answer(question.question_id, "Replace the gutters")
    (gutters,) = read_request(text, industry="", index=embedded_index(), gazetteer=None, answers=[open_still]).items
    assert (gutters.qty, gutters.confidence) == (None, Decimal("0.5"))


@pytest.mark.parametrize(
    ("said", "qty"),
    [
        ("40 m, no wait 30 m", "30"),
        ("40 m, sorry, 30 m", "30"),
        ("30 m not 40 m", "30"),
        ("it was 40 m but now 30 m", "30"),
        ("40 m instead of 30 m", "40"),
        ("40 m or 50 m", "50"),
        ("40 m, maybe 45 m", "45"),
        ("10 m and 20 m or 25 m", "35"),
        ("40 m plus 10 m", "50"),
        ("20 m at Emma's side and 15 m at Jack's", "35"),
        ("40 m in total, 30 m in front and 10 m at the back", "40"),
        ("30 m in front, 10 m at the back, so 40 m", "40"),
    ],
)
def test_of_several_measures_what_is_put_right_holds_and_only_parts_add_up(said: str, qty: str) -> None:
    question = asked(read("Replace the gutters"), ".qty")
    answered = read("Replace the gutters", Answer(question.question_id, said))
    assert (answered.items[0].qty, answered.items[0].unit) == (Decimal(qty), "m")


@pytest.mark.parametrize(
    ("said", "qty"),
    [
        ("3, no 4", 4),
        ("3 (not 4)", 3),
        ("not 4 but 3", 3),
        ("3 or maybe 4", 4),
        ("3 doors, no 4 doors", 4),
        ("3 doors and 2 windows", 3),
        ("3 doors in 2 rooms", 3),
        ("3 doors, 2 of them glazed", 3),
        ("four, one of which is glazed", 4),
        ("3 internal and 2 external", 5),
        ("3 white doors and 2 oak ones", 5),
        ("10 doors, 8 double and 2 single", 10),
        ("5 in total: 3 upstairs and 2 downstairs", 5),
    ],
)
def test_of_several_counts_those_of_other_things_and_of_parts_are_left_out(said: str, qty: int) -> None:
    """Asked how many doors, "3 doors and 2 windows" are three."""
    text = "Hang internal doors"
    first = read_request(text, industry="", index=embedded_index(), gazetteer=None)
    answer = Answer(asked(first, ".qty").question_id, said)
    again = read_request(text, industry="", index=embedded_index(), gazetteer=None, answers=[answer])
    assert [item.qty for item in again.items] == [qty]


@pytest.mark.parametrize(
    "said",
    [
        "5 m less than 40 m", "40 m minus 5 m", "615-555-0199", "(615) 555-0199", "12/5/2024", "99999999999",
        "99999999999 m", "40℃", "12 m at the back and 8 m in front, no wait 9 m", "we have 40 m, replace 10 m",
        "not 40 m",
    ],
)  # fmt: skip
def test_figures_of_which_nothing_tells_which_is_meant_are_refused(said: str) -> None:
    question = asked(read("Replace the gutters"), ".qty")
    with pytest.raises(UnreadableAnswerError) as caught:
        read("Replace the gutters", Answer(question.question_id, said))
    assert caught.value.question_id == question.question_id
