"""Lists: what several things are to have done is what each of them alone would be charged, however the list is put."""

from __future__ import annotations

from itertools import permutations

import pytest

from server.domain.drafting.engine import Drafter
from tests.unit.server.domain.drafting.charging import tasks_charged

THINGS = [
    "water heater", "garbage disposal", "thermostat", "ceiling fan", "front door", "range hood", "kitchen faucet",
]  # fmt: skip
#: Every so many of the 210 threes.
STEP = 7


@pytest.fixture(scope="module")
def alone(drafter: Drafter) -> dict[str, str]:
    """The one task that each of the things is charged as by itself."""
    found = {}
    for thing in THINGS:
        (found[thing],) = tasks_charged(drafter, f"Replace the {thing}.")
    return found


@pytest.mark.parametrize(
    "said",
    [
        "Replace the {0}, {1} and {2}.",
        "Can you replace the {0}, the {1} and the {2}?",
        "I need the {0}, {1} and {2} replaced.",
        "We'd like the {0}, the {1}, and the {2} replaced",
        "The {0}, {1} and {2} need to be replaced.",
        "My {0}, {1} and {2} need replacing.",
        "The {0} and the {1} must be replaced.",
        "We want to have the {0} and the {1} replaced.",
        "Both the {0} and the {1} need to be replaced.",
        "The {0} needs to be replaced, and so does the {1}.",
        "I need the {0} replaced. I also need the {1} replaced.",
        "Need replaced:\n- {0}\n- {1}\n- {2}",
        "To be replaced:\n1. {0}\n2. {1}\n3. {2}",
        "Please replace the following:\n- {0}\n- {1}\n- {2}",
        "Looking for a quote to replace a {0}, a {1} and a {2}",
        "How much to replace a {0} and a {1}?",
        "Thinking of getting the {0}, {1} and {2} replaced, what would that cost?",
        "Replace {0} + {1} + {2}",
        "Replace {0}/{1}/{2}",
        "Please replace: {0}, {1}, {2}",
        "Replace the {0} as well as the {1}",
        "Replace our old {0}, plus the {1} and {2}",
        "My wife wants the {0} replaced and I want the {1} replaced",
    ],
)
def test_what_a_list_asks_for_is_what_each_of_its_things_would_be(
    drafter: Drafter, alone: dict[str, str], said: str
) -> None:
    for three in list(permutations(THINGS, 3))[::STEP]:
        text = said.format(*three)
        named = [thing for place, thing in enumerate(three) if f"{{{place}}}" in said]
        assert tasks_charged(drafter, text) == sorted(alone[thing] for thing in named), text
