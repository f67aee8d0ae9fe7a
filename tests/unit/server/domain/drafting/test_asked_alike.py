"""Asked alike: one thing is charged as the same work in whichever of the usual ways somebody asks for it."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from tests.unit.server.domain.drafting.charging import tasks_charged

THINGS = [
    "water heater", "garbage disposal", "thermostat", "ceiling fan", "toilet", "range hood", "kitchen faucet", "bathtub",
    "sump pump", "smoke detector", "furnace", "vanity",
]  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        "I would like to replace my {0}.",
        "My {0} needs to be replaced",
        "Could you come replace the {0}?",
        "Would you be able to replace our {0}?",
        "Is it possible to get the {0} replaced this week?",
        "Can I get an estimate on replacing the {0}?",
        "How much to replace a {0}?",
        "Just need the {0} replaced thanks",
        "We are looking to have the {0} replaced next month",
        "We are replacing our {0}. Can you quote?",
        "My {0} is 20 years old and I'd like it replaced",
        "{0} replacement",
        "replace {0} asap",
        "We need our {0} swapped out",
        "Swap out the old {0} for a new one",
        "R&R {0}",
        "Customer wants {0} replaced",
        "Hoping to get a quote for a replacement {0}",
        "(1) {0} - replace",
        "I bought a house and the {0} needs replacing",
        "I'd be grateful if you could replace our {0}.",
        "I was hoping you could replace our {0}.",
        "Would you mind replacing our {0}?",
        "Is there someone who can replace our {0}?",
        "Any idea what replacing a {0} would run me?",
        "What is your rate for {0} replacement?",
        "Please provide pricing for {0} replacement.",
        "Requesting estimate: {0} replacement",
        "Considering {0} replacement. Price?",
        "Hi, do you do {0} replacement? How much?",
        "Do you guys do {0} replacement? Need one done next week.",
        "We are planning on replacing our {0}, can you quote?",
        "We are planning to replace our {0}. Can you give us a price?",
        "Our {0} is being replaced. Can you give us a price?",
        "Mrs Jones would like her {0} replaced.",
        "The landlord wants the {0} replaced.",
        "It's time to have our {0} replaced.",
        "We'd love to get the {0} replaced this spring.",
        "My {0} should be replaced.",
    ],
)
def test_a_thing_is_charged_alike_however_it_is_asked_for(drafter: Drafter, said: str) -> None:
    asked = {thing: tasks_charged(drafter, said.format(thing)) for thing in THINGS}
    assert asked == {thing: tasks_charged(drafter, f"Replace the {thing}.") for thing in THINGS}


@pytest.mark.parametrize(
    "said",
    [
        "We replaced our {0} last week, thanks again!",
        "Is it possible to get the invoice for the {0} you replaced?",
        "Can I get a copy of the quote for the {0}?",
        "Please send me another copy of your invoice for the {0}.",
        "I need the invoice for the {0} you replaced",
        "Would you be able to tell me who replaced our {0}?",
        "I'd be grateful if you could send me the invoice for the {0}.",
        "Would you mind telling me who replaced our {0}?",
        "Mrs Jones would like to thank you for the {0} you replaced.",
        "Our {0} has been replaced, so please cancel the quote.",
        "Do you do finance on a {0}?",
    ],
)
def test_who_tells_of_a_thing_or_asks_about_it_is_charged_for_none(drafter: Drafter, said: str) -> None:
    assert {thing: tasks_charged(drafter, said.format(thing)) for thing in THINGS} == {thing: [] for thing in THINGS}


@pytest.mark.parametrize(
    "said",
    [
        "Take out the old {0} and put in a new one",
        "Remove the old {0} and install a new one",
        "Remove and dispose of existing {0}, install new {0}",
        "Old {0} out, new {0} in",
        "The old {0} has to come out and a new one go in",
        "Install a new {0} and haul away the old one",
        "Replace the {0} and take the old one away",
    ],
)
def test_what_is_taken_out_for_a_new_one_is_charged_with_it(drafter: Drafter, said: str) -> None:
    asked = {thing: tasks_charged(drafter, said.format(thing)) for thing in THINGS}
    assert asked == {thing: tasks_charged(drafter, f"Replace the {thing}.") for thing in THINGS}


def test_that_it_is_taken_out_is_said(drafter: Drafter) -> None:
    drafted = drafter.draft("Remove the old toilet and install a new one", settings=PricingSettings())
    assert any("Remove the old toilet" in assumption for assumption in drafted.assumptions)


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Remove 3 toilets and install 2 new ones", ["plumbing.toilet", "plumbing.toilet-remove"]),
        ("Remove the bathtub and install a toilet", ["plumbing.bathtub-remove", "plumbing.toilet"]),
        ("Take down the old fence, 60 ft, and put up a new one", ["fencing.remove", "fencing.wood"]),
        ("Remove the old toilet", ["plumbing.toilet-remove"]),
    ],
)
def test_other_things_are_taken_out_for_themselves(drafter: Drafter, text: str, tasks: list[str]) -> None:
    assert tasks_charged(drafter, text) == tasks
