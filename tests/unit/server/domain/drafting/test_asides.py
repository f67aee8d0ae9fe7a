"""Asides: what says nothing of the work changes no draft, and nothing that may speak of it is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.drafting.asides import without_asides
from server.domain.drafting.engine import Drafter
from tests.unit.server.domain.drafting.charging import tasks_charged

ASIDES = [
    "We have two dogs, so please call before you come.",
    "We are hoping to get this done in the next two weeks.",
    "I can send photos if that helps. What is the earliest you could come out?",
    "I am the landlord, the tenant's number is 555-0199.",
    "We already have two other quotes.",
    "The house was built in 1965 and we moved in last spring.",
    "We just bought this house from an older couple.",
    "Our budget is around $2,500.",
    "Weekday mornings are best.",
    "My neighbor Bob recommended you.",
    "Gate code is 4471.",
    "No rush at all.",
    "Please text me when you are on your way.",
    "Are you licensed and insured?",
    "Hope you're well!",
]
REQUESTS = [
    "Replace the toilet in the hall bath.",
    "My kitchen drain is clogged.",
    "Paint two bedrooms, walls only.",
    "Install a ceiling fan and 4 recessed lights.",
    "Trim 40 ft of hedge and clean the gutters, 150 ft.",
    "Lay 300 sq ft of laminate. We have the laminate.",
    "Wood fence, 75 ft. No gate needed.",
]


@pytest.mark.parametrize("aside", ASIDES)
@pytest.mark.parametrize("request_", REQUESTS)
def test_an_aside_changes_no_draft(drafter: Drafter, request_: str, aside: str) -> None:
    alone = tasks_charged(drafter, request_)
    assert alone
    assert tasks_charged(drafter, f"{request_} {aside}") == alone
    assert tasks_charged(drafter, f"{aside} {request_}") == alone


@pytest.mark.parametrize(
    "said",
    [
        "I'd like it done myself.",
        "I want it done by Friday.",
        "That's been sorted.",
        "We have a cat flap to fit.",
        "There are two children's bedrooms to paint.",
        "We have dogs and they ruined the carpet, replace it.",
        "Call me about the roof.",
        "Please cancel the quote.",
        "We just bought a toilet.",
        "The house was built without gutters.",
        "No rush on the fence, but the gate is urgent.",
        "Thanks for painting the fence.",
    ],
)
def test_what_may_speak_of_the_work_is_no_aside(said: str) -> None:
    assert without_asides(f"{said} Replace the toilet.") == f"{said} Replace the toilet."


def test_what_is_left_stands_where_it_stood() -> None:
    text = "Job #4471 - Replace the toilet asap. We have a dog. And the sink?"
    told = without_asides(text)
    assert len(told) == len(text)
    assert told.split() == ["Replace", "the", "toilet", ".", "And", "the", "sink?"]


def test_a_request_of_asides_alone_is_left_as_it_is() -> None:
    assert without_asides("We have two dogs. There is no rush.") == "We have two dogs. There is no rush."


@given(
    st.lists(
        st.sampled_from(
            ["please ", "call me ", "next week ", "any day ", "we have two dogs", " and ", ", so ", ".", "\n", "555-", "thanks ",
             "we are hoping to get this done in ", "i can send photos ", "if that "]
        ),
        max_size=300,
    )
)  # fmt: skip
def test_any_text_of_such_words_keeps_its_length_in_time(parts: list[str]) -> None:
    text = "".join(parts)
    assert len(without_asides(text)) == len(text)
