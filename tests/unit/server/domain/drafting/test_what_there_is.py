"""What there is: things that a request describes before it says what is to be done with them are no new things."""

import time

import pytest

from server.domain.settings import PricingSettings
from tests.unit.server.domain.drafting.charging import tasks_charged


def lines(drafter, text):
    return drafter.draft(text, settings=PricingSettings()).lines


@pytest.mark.parametrize(
    ("text", "described"),
    [
        # How old it is, how it is.
        ("Vinyl siding, 1,900 sq ft, faded, from 1998. Neighbors have hardie. Please pressure wash it.", "siding.vinyl"),
        ("Kitchen faucet, Moen, 10 yrs old, drips. Replace the cartridge.", "plumbing.faucet"),
        ("Combi boiler, Worcester, 12 years old, in the loft. It loses pressure. Service it and fix the leak.",
         "hvac.boiler"),
        ("Tile floor in the hall, 60 sq ft, cracked in two places. Replace it with vinyl plank.", "tiling.floor"),
        # What is said behind goes on about it, or has a part of it mended.
        ("Chain link fence, 200 ft, 4 ft high. Gate won't latch, fix it please.", "fencing.chain-link"),
        ("Aluminum gutters, 5 inch, white. 180 ft. They are full of leaves. Clean the gutters please.", "gutters.aluminum"),
        # What is looked after, and what "it" is.
        ("Furnace tune-up. Lennox, gas, 11 years, crawlspace.", "hvac.furnace"),
        ("Deck repair. Pressure treated, 12x16, 1998. Three boards are rotten.", "decking.pressure-treated"),
        ("Septic tank, 1000 gal. need it pumped and the lid replaced.", "earthworks.septic-install"),
        # How much of what is stained there is, and what of it.
        ("wash and stain deck. 12x20 cedar with benches, railing about 50 ft with spindles.", "decking.railing"),
        ("Roof inspection w/ photos, all 3 bldgs, asphalt shingle. Siding washed, 4,000 sf.", "roofing.asphalt-shingle"),
        # What movers carry.
        ("Moving out of a 2 bed apartment in Arlington, to a townhouse in Gaithersburg, about 24 miles. Furniture for both"
         " bedrooms, sectional, a 55 inch TV, treadmill, and I'm guessing 45 boxes.", "electrical.tv-mount"),
        # What was done, with what is called by a verb.
        ("I pulled the carpet and pad myself last weekend, staples and tack strip too. 410 square feet. Sand and stain the"
         " floor.", "flooring.carpet-remove"),
        # Its parts.
        ("Cedar fence along the north line: 6 ft dog-ear, 310 feet, 4x4 posts in concrete, 2008. Storm flattened 48 feet"
         " of it. The whole length should be stained afterwards.", "fencing.post"),
        # When it was made.
        ("Concrete floor in the garage, 22 x 24, poured 2011. Epoxy it please.", "concrete.slab"),
    ],
)  # fmt: skip
def test_what_is_described_is_not_new(drafter, text, described):
    assert described not in tasks_charged(drafter, text)


def test_how_much_there_is_is_how_much_is_worked_on(drafter):
    text = "Vinyl siding, 1,900 sq ft, faded, from 1998. Neighbors have hardie. Please pressure wash it."
    assert [(line.task_id, line.qty) for line in lines(drafter, text)] == [("cleaning.pressure-wash", 1900)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # A new one, and more work besides.
        ("Wood fence, 6 ft, 120 ft, new posts. Stain it too.", "fencing.wood"),
        ("Deck 12x16, pressure treated. Also stain the fence, 100 ft.", "decking.pressure-treated"),
        # Told of first, and wanted later; a warranty is no age.
        ("Delta shower valve, 20 yrs old, drips all night. There's an access panel behind it. Want a new valve and trim."
         " The toilet rocks, reset it.", "plumbing.shower-valve"),
        ("Roof is 24 square, going with architectural shingles, 30 yr. Clean the gutters.", "roofing.architectural-shingle"),
        # What stands there goes, and the new one is told without a verb.
        ("Baseboard in three rooms, 136 ft. Tear off the old first.", "carpentry.baseboard"),
    ],
)  # fmt: skip
def test_what_is_wanted_stays(drafter, text, wanted):
    assert wanted in [line.task_id for line in lines(drafter, text)]


@pytest.mark.parametrize(
    "text",
    ["Plaster is original (1996). Replace the faucet.", "Service panel is newer. Replace the faucet."],
)
def test_a_thing_called_by_a_verb_is_no_order(drafter, text):
    assert tasks_charged(drafter, text) == ["plumbing.faucet"]


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        # How much is told by what asks for nothing itself: in its sentence, or of the same trade.
        ("I have a brick three flat. The parapet wall in the alley has about 60 square feet where the mortar's gone so that"
         " needs tuckpointing. Also the handrail is loose, fix it.", "masonry.tuckpointing", 60),
        ("The tub overflowed and my dining room ceiling came down, well about an 8 by 10 piece of it, the rest is still"
         " hanging on okay. The plumber's already been. Insurance dried it out. What I need from you folks is new sheetrock"
         " up there, taped and finished to match, it's a knockdown texture, and then the entire ceiling painted, the room"
         " is 14 by 12.", "drywall.install", 80),
    ],
)  # fmt: skip
def test_what_nobody_asks_for_tells_how_much(drafter, text, task, qty):
    assert (task, qty) in [(line.task_id, line.qty) for line in lines(drafter, text)]


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        ("The sidewalk by the gate, 4 x 20, is cracked, R&R with 3500 psi.", "concrete.sidewalk", 80),
        ("The board said no. New pump went in last August. Clean the gutters, 120 ft.", "gutters.clean", 120),
        ("The lifts just got PM'd. Clean the gutters at my neighbor's. Replace 3 faucets.", "plumbing.faucet", 3),
        ("Replace the sod, est. 600 sf. Clean 3 windows.", "landscaping.sod", 600),
    ],
)
def test_points_and_initials(drafter, text, task, qty):
    assert (task, qty) in [(line.task_id, line.qty) for line in lines(drafter, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deck 12x16. I want it stained and the railing replaced, 30 ft.", ["decking.railing", "decking.stain"]),
        ("My boiler is 12 years old. I need it serviced and two radiators drained.", ["hvac.boiler-service"]),
        ("Lawn is 4,000 sq ft. I'd like it mowed and the hedges trimmed, 60 ft.",
         ["landscaping.hedge-trimming", "landscaping.mowing"]),
    ],
)  # fmt: skip
def test_it_and_another_thing_are_two_works(drafter, text, expected):
    assert tasks_charged(drafter, text) == expected


def test_a_title_asks(drafter):
    text = (
        "Furnace tune-up. Lennox, gas, 11 years, crawlspace. It has been short cycling in the mornings and last winter"
        " somebody cleaned the flame sensor but it's back."
    )
    assert "hvac.furnace-tune-up" in tasks_charged(drafter, text)


def test_what_is_counted_is_of_the_work_before(drafter):
    text = "Parking lot is 90 by 60. Get it sealcoated and the cracks filled first, 300 ft of cracks. Lines too, 22 stalls."
    expected = [("paving.sealcoat", 5400), ("paving.crack-fill", 300), ("paving.stall", 22)]
    assert [(line.task_id, line.qty) for line in lines(drafter, text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What is listed behind such a label is there, unless it goes on with an order.
        ("Existing: open shell, 1,100 sf, sealed concrete floor. Tenant requests: one toilet and eight duplex receptacles.",
         [("plumbing.toilet", 1), ("electrical.outlet", 8)]),
        ("Existing: 100 amp panel in basement, 12 can lights. Add 4 outlets.", [("electrical.outlet", 4)]),
        ("Existing: remove 3 toilets. New: install 3 toilets.", [("plumbing.toilet", 3)]),
        # Done.
        ("Caulk at windows: done in '23. Dryer vents cleaned, all 36.", [("hvac.dryer-vent", 36)]),
        ("Paint the deck: finished last summer. Replace 2 faucets.", [("plumbing.faucet", 2)]),
        ("I want the deck stained, to be done in 2 weeks, 200 sq ft.", [("decking.stain", 200)]),
    ],
)  # fmt: skip
def test_what_is_listed_as_there_or_done(drafter, text, expected):
    assert [(line.task_id, line.qty) for line in lines(drafter, text)] == expected


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        ("Dryer vents cleaned from outside, all 36 (our boom lift is on site).", "hvac.dryer-vent", 36),
        ("Inspect the roof of all 3 bldgs", "roofing.inspection", 3),
        ("We need a concrete ramp, 24 feet, and steel handrails on both sides.", "carpentry.handrail-metal", 48),
        ("AC tune-up, all done by June", "hvac.ac-tune-up", 1),
    ],
)
def test_all_of_them_and_both_sides(drafter, text, task, qty):
    assert (task, qty) in [(line.task_id, line.qty) for line in lines(drafter, text)]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Clean the gutters, 180 ft. I was thinking of gutter guards for all of it, give me a number and I'll decide.",
         ["gutters.guard"]),
        ("Replace the kitchen faucet. Garbage disposal too, price that separate.", ["plumbing.garbage-disposal"]),
        ("Replace the toilet, we'll decide which model later.", []),
    ],
)  # fmt: skip
def test_what_is_still_to_be_decided_is_an_option(drafter, text, options):
    assert [line.task_id for line in lines(drafter, text) if line.optional] == options


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There's a dead ash back by the creek, thirty some feet, and a hemlock with a split trunk that leans on the"
         " neighbor's fence, call it 50. I need them gone before it ices. Stumps ground too please.",
         [("tree-work.remove-medium", 2), ("tree-work.stump-grinding", 2)]),
        ("There is an oak over the garage, a birch by the gate and another birch out back. They all need to come down.",
         [("tree-work.remove", 3)]),
        ("There's a dead elm in the yard, about 40 ft. It needs to come down.", [("tree-work.remove-medium", 1)]),
        ("my sidewalk, three squares 5x5 that the elm pushed up, need broke out and new ones poured.",
         [("concrete.sidewalk", 75)]),
        ("Reroof, 24 squares of shingles.", [("roofing.asphalt-shingle", 24)]),
    ],
)  # fmt: skip
def test_things_told_one_by_one_and_squares(drafter, text, expected):
    assert [(line.task_id, line.qty) for line in lines(drafter, text)] == expected


def test_the_new_one_in_the_box_is_fitted(drafter):
    text = (
        "the fan in the primary is humming and wobbling, brown hunter 52 in, take it down and hang the new one thats still"
        " in the box under the bed"
    )
    assert [(line.task_id, line.kind.value) for line in lines(drafter, text)] == [("electrical.ceiling-fan", "labour")]


def test_what_stays_ends_no_other_thing(drafter):
    text = "Vanity and toilet stay. The spindles switch to black iron, 12 ft, handrail stays. New tub please."
    assert "plumbing.bathtub" in tasks_charged(drafter, text)
    assert not {"plumbing.toilet", "bathrooms.vanity", "carpentry.handrail"} & {*tasks_charged(drafter, text)}


def test_many_descriptions_take_no_time(drafter):
    text = "Wood fence 6 ft cracked, " * 800 + ". Fix it."
    begun = time.perf_counter()
    lines(drafter, text)
    assert time.perf_counter() - begun < 10
