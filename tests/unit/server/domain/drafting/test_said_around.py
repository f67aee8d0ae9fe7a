"""Said around: what a request says around its work leaves its lines as they are, and is noticed where it matters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.drafting.conditions import without_conditions
from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from tests.unit.server.domain.drafting.charging import tasks_charged


@pytest.mark.parametrize(
    "said",
    [
        "The address is 412 Maple St. {0}",
        "412 Maple St. {0}",
        "I live at 22 N Elm Dr. {0}",
        "We move in on June 1st. {0}",
        "Zip code: 60614. {0}",
        "Address: 1208 W Oak Ave, Denver. {0}",
        "Name: John Carter Phone: 512-555-0182 Message: {0}",
    ],
)
def test_work_right_behind_an_address_a_day_or_a_header_is_read(drafter: Drafter, said: str) -> None:
    for work in ("Replace the toilet and install 2 ceiling fans.", "Can you replace 8 windows?"):
        assert tasks_charged(drafter, said.format(work)) == tasks_charged(drafter, work)


@pytest.mark.parametrize(
    "header", ["Contact: Mr. John Smith Junior", "Name: J. Carter", "Address: 4 St. Johns Road", "Phone: 512.555.0182"]
)
def test_what_was_entered_for_a_header_is_no_work(drafter: Drafter, header: str) -> None:
    assert tasks_charged(drafter, f"{header}\nReplace the toilet.") == ["plumbing.toilet"]


WORKS = [
    "Replace the water heater, 50 gal", "Install 2 ceiling fans", "Paint the hall walls, 400 sq ft", "Replace 8 windows",
    "Replace the roof, 24 squares of asphalt shingles", "Build a 12x16 deck", "Remove a large tree in the backyard",
    "Replace the kitchen faucet and the garbage disposal", "Clean the gutters, 150 ft",
]  # fmt: skip


def lines(drafter: Drafter, text: str, currency: str = "USD") -> list[tuple[object, ...]]:
    drafted = drafter.draft(text, settings=PricingSettings(currency=currency))
    return [(one.task_id, one.qty, one.unit, one.optional, one.kind) for one in drafted.lines]


def assumptions(drafter: Drafter, text: str) -> str:
    return " ".join(drafter.draft(text, settings=PricingSettings()).assumptions)


@pytest.mark.parametrize(
    "said",
    [
        "third floor walk-up", "no elevator", "narrow alley", "gate code 4417", "parking permit needed",
        "40 steps up from the street", "no parking outside", "tenants in place", "2 dogs", "kids and a dog",
        "before winter", "next Tuesday at 10", "by the 15th", "in March", "within 2 weeks", "should take 2 days",
        "flexible on dates", "around 2k", "house built in 1962", "the old one is 15 years old", "after the storm",
        "due to flooding", "insurance claim", "4-unit building", "PO 4471", "reply by text", "cheapest option",
        "nothing fancy", "must match existing", "licensed and insured only", "by a licensed contractor",
        "itemized quote please", "5 year guarantee", "references required", "please include cleanup",
        "do you take cards?", "do you charge for estimates?",
    ],
)  # fmt: skip
def test_what_is_said_beside_the_work_leaves_its_lines_as_they_are(drafter: Drafter, said: str) -> None:
    for work in WORKS:
        alone = lines(drafter, f"{work}.")
        assert alone
        for wording in ("{work}, {said}.", "{work} - {said}.", "{work} ({said}).", "{work}.\n{said}"):
            text = wording.format(work=work, said=said).replace("?.", "?")
            assert lines(drafter, text) == alone, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Replace the roof, PO 4471, 24 squares of asphalt shingles.", 24),
        ("Replace the roof, Denver, CO 80204, 24 squares of asphalt shingles.", 24),
        ("Replace the roof, 24 squares of asphalt shingles, below 1500.", 24),
        ("Paint the hall walls, house built in 1962, 400 sq ft.", 400),
        ("Hang drywall, next Tuesday at 10, 500 sq ft.", 500),
        ("Replace the water heater, 50 gal (78704).", 1),
        ("Refinish the hardwood floors, roof was replaced in 2019, 800 sq ft.", 800),
    ],
)
def test_a_number_that_is_no_amount_adds_nothing(drafter: Drafter, text: str, expected: int) -> None:
    (line,) = drafter.draft(text, settings=PricingSettings()).lines
    assert line.qty == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Zip is 78704. Replace the toilet.", "Austin"),
        ("Our zip code is 60614. Replace the toilet.", "Chicago"),
        ("Replace the toilet, 78704.", "Austin"),
        ("Replace the toilet (78704)", "Austin"),
        ("Replace the toilet.\n78704", "Austin"),
        # No postcodes: so many of something, a number of an order.
        ("Lay 12000 bricks", ""),
        ("Order 60614. Replace the toilet.", ""),
        ("Seed the field, 60614 sq ft.", ""),
    ],
)
def test_a_postcode_tells_the_place_however_it_is_told(drafter: Drafter, text: str, place: str) -> None:
    assert drafter.draft(text, settings=PricingSettings()).location.split(",")[0] == place


@pytest.mark.parametrize(
    ("text", "noticed"),
    [
        ("There are tenants in place. Replace the toilet.", "tenants in place"),
        ("Replace the toilet, third floor walk-up.", "third floor"),
        ("Access is tight. Replace the toilet.", "Access is tight"),
        ("Replace the toilet, parking permit needed.", "parking permit"),
        ("We can spend around 2k. Replace the toilet.", "names 2k"),
        ("Replace the toilet, no more than $800.", "names $800"),
        ("Mow the lawn, every other Friday.", "every other friday"),
        ("Every two weeks. Mow the lawn.", "“every two weeks”: each line is priced per occasion"),
        ("Mow the lawn on a regular basis.", "“on a regular basis”: each line is priced per occasion"),
    ],
)
def test_what_bears_on_the_price_is_noticed(drafter: Drafter, text: str, noticed: str) -> None:
    assert noticed in assumptions(drafter, text)


@pytest.mark.parametrize(
    "said",
    [
        "Rent a dumpster for 2 weeks.",
        "Clean the gutters, two story house.",
        "Unit 12: replace the toilet.",
        "Paint the office, 300 sq ft.",
        "13 steps to be carpeted.",
        "1 side gate, 3 ft.",
        "Rough-in, done by a licensed plumber.",
    ],
)
def test_what_tells_of_the_work_is_no_condition(said: str) -> None:
    assert without_conditions(said) == said


def test_a_request_of_conditions_alone_is_left_as_it_is() -> None:
    assert without_conditions("Before winter, no rush.") == "Before winter, no rush."


@given(
    st.lists(
        st.sampled_from(
            ["before winter", ", ", "(", ") ", " - ", "no ", "the ", "next ", "12 ", "by a licensed ", "parking ", ".\n",
             "access ", "is ", "in ", "a ", "old "]
        ),
        max_size=400,
    )
)  # fmt: skip
def test_any_text_keeps_its_length_and_lines(parts: list[str]) -> None:
    text = "".join(parts)
    told = without_conditions(text)
    assert (len(told), told.count("\n")) == (len(text), text.count("\n"))
