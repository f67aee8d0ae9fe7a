"""What "it" is: a thing that was only told of is done what is asked for it, however both are said."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from tests.unit.server.domain.drafting.charging import tasks_charged

THINGS = ["range hood", "kitchen faucet", "sump pump", "bathroom exhaust fan", "garage door opener", "electrical panel"]


@pytest.mark.parametrize(
    "told",
    [
        "My {0} is broken.",
        "Our {0} died last night.",
        "My {0} is 20 years old.",
        "There is an old {0} in the house.",
        "The {0} stopped working yesterday.",
        "Our {0} gave up.",
        "Had a look at the {0}, it's had it.",
        "We have a {0} that is past its best.",
        "The {0} here is really ugly.",
    ],
)
def test_what_was_told_of_is_replaced_when_that_is_asked(drafter: Drafter, told: str) -> None:
    asked = [
        "Please replace it.", "Can you replace it?", "I want it replaced.", "I need a new one.",
        "Please put in a new one.", "Can you put a new one in?", "It needs replacing.", "Need a replacement.",
        "We'd like a new one.", "Please swap it out.", "Time for a new one.", "Looking to get it replaced.",
        "What would a new one cost?", "Can I get a quote to replace it?",
    ]  # fmt: skip
    for thing in THINGS:
        wanted = tasks_charged(drafter, f"Please replace our {thing}.")
        assert wanted
        for ask in asked:
            text = f"{told.format(thing)} {ask}"
            assert (text, tasks_charged(drafter, text)) == (text, wanted)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # done what its fault is not mended by
        ("My faucet drips. Please replace it.", [("plumbing.faucet", "1", False)]),
        ("My garden is badly overgrown, please clear it.", [("landscaping.garden-clearance", "1", False)]),
        ("My furnace is old: replace it and install a smart thermostat too.",
         [("hvac.furnace", "1", False), ("hvac.thermostat", "1", False)]),
        # counted where it is told of
        ("There are 4 windows with rotten frames. Please replace them.", [("windows.replace", "4", False)]),
        # all that were counted, whatever stands between, and what most of it means
        ("Two conifers, 30 ft or so, ten foot off the garage and a phone line running through one. Both have to go.",
         [("tree-work.remove-medium", "2", False)]),
        ("Two leylandii, 40 ft or so, ten foot off the conservatory and overhead phone line running through one. Both have "
         "to go and the stumps ground out.",
         [("tree-work.remove-medium", "2", False), ("tree-work.stump-grinding", "2", False)]),
        # what the words mean, where what was named last is something else
        ("We have the original concrete drive, 18 x 45, cracked by the roots of a maple which the town removed last fall. "
         "Break it out and cart.",
         [("concrete.slab-remove", "810", False)]),
        ("Furnace is 24 yrs old and the AC went out this august. Want both replaced at the same time.",
         [("hvac.furnace-ac", "1", False)]),
        # what goes in where it stands
        ("Fencing, 140 ft of closeboard. Existing is panels on rotten timber posts, take down & dispose.",
         [("fencing.wood", "140", False), ("fencing.remove", "140", False)]),
        # what the sentence began with, and not the part that is told last
        ("Garage door, bottom panel bent, wants a new one please.", [("garage-doors.single", "1", False)]),
        # by its name, where nothing surer is known of it; and the customer's own
        ("Picked up a Kohler toilet at Costco and it's sitting in my garage. Swap it for the one in the hall bath please.",
         [("plumbing.toilet", "1", True)]),
        # the price of the one that was read already
        ("The toilet is shot. What would a new one cost?", [("plumbing.toilet", "1", False)]),
        # what is left out is no antecedent
        ("Convert guest tub to walk-in shower. Client to pick tile for niche only and supply it.",
         [("bathrooms.tub-to-shower", "1", False)]),
        ("Replace the toilet. Don't touch the sink. Please do it soon.", [("plumbing.toilet", "1", False)]),
    ],
)  # fmt: skip
def test_it_is_what_was_told_right_before(drafter: Drafter, text: str, expected: list[tuple[str, str, bool]]) -> None:
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(one.task_id, str(one.qty), one.kind.value == "labour") for one in lines] == expected
