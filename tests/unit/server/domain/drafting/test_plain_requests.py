"""Promises of plain requests: whatever is learned anew, what anybody would read rightly is."""

import pytest

from server.domain.drafting.numbers import tokenize
from server.domain.drafting.requesting import plainly_asks, plainly_troubled, plainly_wants
from server.domain.settings import PricingSettings
from tools.evaluation.plain import read_plain, read_wrongly


def test_no_plain_request_is_read_wrongly_that_was_read_rightly(drafter):
    wrong = [
        (one.text, [(line.task_id, str(line.qty), line.unit, line.optional) for line in lines])
        for one, lines in read_wrongly(drafter, [one for one in read_plain() if not one.known_wrong])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "Can you paint two bedrooms",
        "Please bleed 8 radiators",
        "hi, could you please wrap our vans",
        "I'd like a drain survey done",
        "We need you to replace the gate",
        "they need dealing with",
        "The gutters need to be cleaned",
        "how much to fell a tree",
        "Mow the lawn",
        "looking for someone to lay it",
        "Need an electrician to install them in the kitchen",
        "I need it installed Friday",
        "What would you charge to replace the pump",
        "Can you quote 3 toilets",
        "New boiler needed",
        "Backflow test due by June 1",
        "Two CO detectors to be installed",
        "3 bedrooms to be painted in white",
        "We are getting bids on new siding",
        "time for a new roof",
        "pls replace the tap",
        "Electrician needed to fit 3 sockets",
    ],
)
def test_what_is_asked_in_so_many_words(text):
    assert plainly_asks(tokenize(text))


@pytest.mark.parametrize(
    "text",
    [
        "Can you send me the invoice for the roof",
        "Please call me about the boiler",
        "could you confirm the fence job",
        "Please don't paint the door",
        "I'd like to know if the deck was stained",
        "we had the roof replaced",
        "the lawn is long",
        "I will paint it myself",
        "The walls are going to be painted next week",
        "COI required",
        "A reply is needed by Friday",
        "Touch up where needed",
        "The tiles are to be delivered on Friday",
    ],
)
def test_talk_is_no_request_for_work(text):
    assert not plainly_asks(tokenize(text))


def test_what_is_denied_of_another_thing_far_behind_leaves_the_wish_as_it_is():
    wish = "two maples that need to come down"
    assert not plainly_asks(tokenize(f"{wish}, which I'll do myself"))
    behind = "by the shed behind the garage where the old swing was hung when the children were small"
    assert plainly_asks(tokenize(f"{wish} {behind} and had not grown up"))


def test_a_thing_that_is_wanted():
    assert plainly_wants(tokenize("We want 8 windows"))
    assert plainly_wants(tokenize("I'm after a new hot water tank"))
    assert not plainly_wants(tokenize("We never wanted the fence"))


@pytest.mark.parametrize(
    "text",
    [
        "My kitchen drain is clogged.",
        "hi, our garage door is stuck",
        "The gutters are leaking",
        "Kitchen sink blocked.",
        "AC not cooling",
        "Garage door won't open",
    ],
)
def test_a_trouble_of_ones_own_is_plain(text):
    assert plainly_troubled(tokenize(text))


@pytest.mark.parametrize(
    "text",
    [
        "The drain was clogged",
        "My drain is clogged but my brother is coming to clear it",
        "The boiler is working again",
        "Their fence is broken",
        "Sink was blocked",
    ],
)
def test_news_are_no_trouble(text):
    assert not plainly_troubled(tokenize(text))


def test_what_is_counted_behind_what_asks_is_charged(drafter):
    draft = drafter.draft("Two toilets to replace and one faucet, but not the bathtub.", settings=PricingSettings())
    assert [(line.task_id, line.optional) for line in draft.lines] == [
        ("plumbing.toilet", False),
        ("plumbing.faucet", False),
    ]


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("Mow the lawn weekly. Pool is green.", "pools.cleaning"),
        ("Please quote to fell two ash trees. The fence panels at the back are hanging off.", "fencing.repair"),
        (
            "We need 2 ceiling fans installed in the bedrooms. Also the kitchen faucet has not worked since spring.",
            "plumbing.faucet-repair",
        ),
        ("Replace 3 radiators. The extractor fan in the bathroom screeches.", "electrical.bath-fan"),
        ("Lay carpet in two bedrooms, 12 m2 each. The gas cert is due on the 4th.", "hvac.gas-certificate"),
        ("New vanity in the hall bath please. There are mice in the attic.", "pest-control.mice"),
    ],
)
def test_a_trouble_of_a_trade_of_which_nothing_else_is_asked_is_heard(drafter, text, task):
    assert task in [line.task_id for line in drafter.draft(text, settings=PricingSettings()).lines]


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Fit a new tap in the kitchen. The gutters are full. My son will clean them.", ["plumbing.faucet"]),
        ("Replace the toilet. The ceiling fan wobbles, my husband will fix that.", ["plumbing.toilet"]),
        ("Replace the fence, 80 ft. The house was built in 1960 and the roof is 5 years old.", ["fencing.wood"]),
        ("Fit a new thermostat. The furnace is dead level with the return, so it should be easy.", ["hvac.thermostat"]),
    ],
)
def test_what_is_seen_to_or_no_trouble_is_not(drafter, text, tasks):
    assert [line.task_id for line in drafter.draft(text, settings=PricingSettings()).lines] == tasks


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("The kitchen faucet drips and the one in the bathroom won't shut off. Please come fix.", [1, 1]),
        ("Garage door opener is dead and the other one in the shop won't close. How much to fix?", [1, 1]),
        ("Front door drags on the floor. Also two bedroom doors won't latch. What do you charge?", [1, 2]),
        ("The dishwasher won't drain, also the dishes come out dirty.", [1]),
        ("The boiler won't fire. Also the heating is off upstairs. Please send someone.", [1]),
    ],
)
def test_troubles_with_two_things_are_two_lines(drafter, text, amounts):
    assert [line.qty for line in drafter.draft(text, settings=PricingSettings()).lines] == amounts


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("The deck is rotten, 12 m2, we want it away.", ["decking.remove"]),
        ("The gutters are falling off at the back, 40 ft, and I want them off.", ["gutters.remove"]),
        ("The fence along the drive is rotten, 60 ft, and we want it out.", ["fencing.remove"]),
        # Who is to come out is no thing.
        ("Need someone out to look at the boiler, it won't fire.", ["hvac.boiler-repair"]),
    ],
)
def test_what_is_wanted_out_is_taken_away(drafter, text, tasks):
    assert [line.task_id for line in drafter.draft(text, settings=PricingSettings()).lines] == tasks


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        (
            "Budget number for owner: kitchen cabs + LVP thru main level + paint. Plans to follow.",
            ["kitchens.cabinets", "flooring.vinyl-plank", "painting.room"],
        ),
        ("Replace the front door. Whats the range", ["doors.exterior"]),
        ("Clean out the gutters, 2 story, all the way round", ["gutters.clean-two-story"]),
    ],
)
def test_what_a_price_is_asked_of_before_there_are_plans(drafter, text, tasks):
    assert [line.task_id for line in drafter.draft(text, settings=PricingSettings()).lines] == tasks
