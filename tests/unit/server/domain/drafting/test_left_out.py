"""Left out: what a request excepts is not charged, and everything else still is."""

from decimal import Decimal

import pytest

from server.domain.draft import LineKind
from tests.unit.server.domain.drafting.charging import drafted


def charged(drafter, text):
    return [(line.task_id, line.qty) for line in drafted(drafter, text).lines if not line.optional]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Only what is excepted is left out, not the work that it is excepted from.
        ("Paint all the bedrooms except the master, so 3 rooms.", [("painting.room", 3)]),
        ("Replace all the outlets except for the kitchen ones, 14 in total.", [("electrical.outlet-replace", 14)]),
        ("Price to replace 3 doors excluding the frames.", [("doors.interior", 3)]),
        ("Refinish floors in all rooms except the kitchen and bath, 900 sf", [("flooring.refinish", 900)]),
        ("Price for a new roof excluding tax, 20 squares asphalt", [("roofing.asphalt-shingle", 20)]),
        # Of all that are counted the excepted are taken off.
        ("Replace all 9 windows except the bath one.", [("windows.replace", 8)]),
        ("Replace all 12 outlets except for 3 in the garage", [("electrical.outlet-replace", 9)]),
        # Room 4 is no four rooms, and a door is one of some that were not counted together.
        ("Paint all 5 bedrooms except room 4", [("painting.room", 5)]),
        ("Install a ceiling fan in the den without a light kit.", [("electrical.ceiling-fan", 1)]),
        ("Replace the furnace without touching the ductwork.", [("hvac.furnace", 1)]),
        # What is said again of what is left out takes back nothing else.
        ("60 feet of cedar privacy fence, skip the gate, we're fine without one.", [("fencing.wood", 60)]),
        # Who does what is left out takes back nothing else.
        ("Patch 4 holes in the drywall (no painting, I'll do it)", [("drywall.hole", 4)]),
        # Second thoughts about what one asked oneself, and who else does it.
        (
            "Paint the front door. 8 shutters - paint those too? no wait, we're getting rid of them, skip.",
            [("painting.front-door", 1)],
        ),
        ("Add an outlet for the stove. The store delivers and hooks up the range.", [("electrical.outlet", 1)]),
        (
            "Stucco patch on the west wall, 15 sq ft. I'll paint it myself with leftover paint.",
            [("masonry.stucco-patch", 15)],
        ),
        # What is there, and something else done to it.
        ("Red oak strip floors, 480 sf total. I'd like them sanded.", [("flooring.refinish", 480)]),
        ("Concrete drive, 16 x 40, cracked. Break it out and cart it away.", [("concrete.slab-remove", 640)]),
        (
            "The porch roof is felt, 10 x 12, split. We'd like that stripped and EPDM put on.",
            [("roofing.shingle-remove", 120), ("roofing.flat-epdm", 120)],
        ),
        (
            "Red oak strip, original 1948, living room 14 x 20, dining room 12 x 13. Sand everything, three coats of poly.",
            [("flooring.refinish", 436)],
        ),
        ("Concrete steps, 5 of them, crumbling at the edges, need patching.", [("concrete.repair", 1)]),
        (
            "Asphalt drive, 900 sq ft, potholed in two spots, about 40 sq ft in total, needs patching.",
            [("paving.asphalt-repair", 40)],
        ),
        (
            "Our lawn, 9,000 square feet of grass, was ruined by grubs. We would like the whole of it overseeded.",
            [("landscaping.seed", 9000)],
        ),
        (
            "Mudroom, 64 sq ft, now sheet vinyl glued on plywood. Please lay porcelain tile there.",
            [("tiling.floor", 64)],
        ),
        # What somebody else did once, how a home is, and how many layers a new roof takes the place of.
        (
            "House is 1955 ranch, 60 amp fuse box plus a subpanel somebody added. Please replace the doorbell.",
            [("electrical.doorbell", 1)],
        ),
        (
            "Beacon scoped the sewer and they hydro jetted it clear on the day. Please replace the kitchen faucet.",
            [("plumbing.faucet", 1)],
        ),
        (
            "I would like architectural shingles, 26 squares, with two layers to come off.",
            [("roofing.architectural-shingle", 26)],
        ),
        # What was done then is there, and how much of it there is, is told.
        ("Deck 12x16, built 2010, needs staining.", [("decking.stain", 192)]),
        (
            "Vinyl siding front and back, installed 1998. Please power wash it, 1,800 sq ft.",
            [("cleaning.pressure-wash", 1800)],
        ),
        # Only what is wanted of it.
        ("Chimney stack - 4 pots, brick, leaning. I only want repointing all 4 sides.", [("masonry.tuckpointing", 1)]),
        # A room alone is where, and what is taken out for something new is in its price.
        ("Kitchen, 1952, galley 8 x 12. Please replace the faucet.", [("plumbing.faucet", 1)]),
        ("A new front door please. Old wooden door and frame out.", [("doors.exterior", 1)]),
        (
            "The duct under the hall has come apart and 25 ft of it should be new flex. Thermostat is an Ecobee, keep it.",
            [("hvac.ductwork", 25)],
        ),
        ("Quote a new 3 ton heat pump. Thermostat is an Ecobee, keep it.", [("hvac.heat-pump", 1)]),
        (
            "The disposal hums but i dont use it so it can sit there and hum. Replace the faucet.",
            [("plumbing.faucet", 1)],
        ),
        ("Driveway, gravel now, 60 ft x 10 ft, want asphalt", [("paving.asphalt-driveway", 600)]),
        ("Clean the gutters, 120 ft. Downspouts are dented, idc about those.", [("gutters.clean", 120)]),
        ("We'd like a liner up the chimney, 9 m. Sweep has been.", [("hvac.chimney-liner", 1)]),
        # What is left alone in another room.
        ("paint the kitchen ceiling 12x15 ft. not the dining room ceiling, not the hall", [("painting.ceiling", 180)]),
        # What stands against it in the same breath.
        ("Painting just the walls not the ceiling, lounge 40 m2", [("painting.interior-walls", 40)]),
        ("Paint the ceiling not the walls, 12 m2", [("painting.ceiling", 12)]),
        ("Replace the kitchen faucet not the bathroom one", [("plumbing.faucet", 1)]),
        ("The problem is not the outlet, replace the breaker", [("electrical.breaker", 1)]),
        # What is said behind one thing of a list is of that alone, and what holds for a list holds behind it.
        (
            "Remove & replace: insulation none, baseboard 42 lf, engineered hardwood 224 sf",
            [("carpentry.baseboard", 42), ("flooring.engineered", 224)],
        ),
        (
            "Install 4 outlets, replace panel if needed, and paint 2 doors",
            [("electrical.outlet", 4), ("painting.door", 2)],
        ),
        ("Paint 2 rooms. Optional: replace the door if needed, new carpet 200 sf", [("painting.room", 2)]),
        ("Paint 2 rooms. Not included: carpet none, painting 2 doors", [("painting.room", 2)]),
        # A trade's word for keeping mice out; what there is, counted.
        ("Mouse exclusion in garage", [("pest-control.mice", 1)]),
        ("Install 18 recessed lights in the kitchen, currently 2 pendants.", [("electrical.recessed-light", 18)]),
    ],
)
def test_only_what_is_excepted_is_left_out(drafter, text, expected):
    assert charged(drafter, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Supply and fit please: three double radiators upstairs.", [("plumbing.radiator", 3)]),
        ("Supply and install: 4 ceiling fans", [("electrical.ceiling-fan", 4)]),
    ],
)
def test_an_order_to_supply_and_fit_is_of_what_follows(drafter, text, expected):
    assert charged(drafter, text) == expected


def test_so_many_things_with_who_buys_them_are_asked_for(drafter):
    text = "Elec install, who buys:\n9 cans - owner\n6 new outlets - you\n2 outdoor lights - owner"
    assert charged(drafter, text) == [
        ("electrical.recessed-light", 9),
        ("electrical.outlet", 6),
        ("electrical.outdoor-light", 2),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Words that leave things out elsewhere, and ask here.
        ("We were going to sell but decided to stay, so remodel the kitchen please.", [("kitchens.full", 1)]),
        ("No dishwasher currently, need one installed.", [("plumbing.dishwasher", 1)]),
        ("We have no outside tap, fit one please.", [("plumbing.outdoor-faucet", 1)]),
        ("We just bought the house and need 5 windows replaced.", [("windows.replace", 5)]),
        ("Do you install garbage disposals? If so I need one put in.", [("plumbing.garbage-disposal", 1)]),
        ("The HOA says our mailbox has to be replaced by the 15th.", [("handyman.mailbox", 1)]),
        (
            "Build a 12x20 deck with railing on 3 sides and one set of stairs.",
            [("decking.pressure-treated", 240), ("decking.railing", 1), ("decking.stairs", 1)],
        ),
        # Who asks for somebody to come has work, and "both" are what was told of.
        ("Hi, our boiler has packed in. Can you send someone today?", [("hvac.boiler-repair", 1)]),
        (
            "Our toilet runs all night. Also the kitchen tap drips. Fix both please.",
            [("plumbing.toilet-repair", 1), ("plumbing.faucet-repair", 1)],
        ),
        # What somebody left behind is asked to be put right.
        ("The plumber cut a hole in the ceiling that needs patching, about 4 sq ft.", [("drywall.patch", 4)]),
        # What is listed behind work that keeps things up is no new thing, and what is broken out to be replaced is broken
        # out once.
        ("Clean out gutters and downspouts, 180 ft.", [("gutters.clean", 180)]),
        (
            "Break out and replace 160 sq ft of sidewalk.",
            [("concrete.slab-remove", 160), ("concrete.sidewalk", 160)],
        ),
        # How people ask for a price.
        ("Curious what you'd charge for tiling a 60 sq ft bathroom floor.", [("tiling.floor", 60)]),
        ("Wondering how much you would charge for a loft ladder.", [("carpentry.attic-ladder", 1)]),
        ("Looking for a number on LVP, your material.\nBR1 12x14\nBR2 10x11", [("flooring.vinyl-plank", 278)]),
    ],
)
def test_what_is_asked_for_is_charged_whatever_else_is_told(drafter, text, expected):
    assert charged(drafter, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What others did, in the words in which people tell it.
        (
            "Neighbour's bloke ripped the old palings and posts out and carted the lot off. "
            "Need 22 metres of timber fence.",
            [("fencing.wood", 22)],
        ),
        (
            "A mate who's a sparky has run a dedicated circuit. Install 2 split systems please.",
            [("hvac.mini-split", 2)],
        ),
        ("Fridge isn't cooling, Whirlpool is coming out under warranty. Replace the toilet.", [("plumbing.toilet", 1)]),
        # How things are, and what there is to work with.
        ("Sheet vinyl please, 70 m2. The screed's dead level.", [("flooring.sheet-vinyl", 70)]),
        ("Replace the toilet. Water available at the hose bib.", [("plumbing.toilet", 1)]),
        # A choice that is left to the company is no supply.
        ("Two toilets replaced please (plain white, you pick the brand).", [("plumbing.toilet", 2)]),
    ],
)
def test_what_others_did_is_not_charged(drafter, text, expected):
    assert charged(drafter, text) == expected
    assert all(line.kind is LineKind.SERVICE for line in drafted(drafter, text).lines)


def test_work_of_no_trade_is_a_line_without_a_price_where_it_is_asked_for(drafter):
    first, *_ = drafted(drafter, "Please repair our vending machine and clean the carpets, 300 sq ft.").lines
    assert (first.task_id, first.priced, first.optional) == ("", False, False)
    assert any("nothing was priced" in reason for reason in first.review_reasons)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What was learned of a clause is not charged where its name is left out right behind.
        ("Snake the main line. Roots at 40 ft. No hydro jetting please", [("plumbing.drain-snaking", 1)]),
        # What has been done, is there, or is another company's.
        (
            "Retaining wall 12m x 0.8m in treated pine sleepers. Excavation has been done by my mate's bobcat.",
            [("concrete.retaining-wall", Decimal("9.6"))],
        ),
        ("Basement finish 780 sq ft. One egress window existing.", [("general-building.basement-finish", 780)]),
        (
            "Reroof 24 sq, asphalt. Solar company will remove and reinstall the panels.",
            [("roofing.asphalt-shingle", 24)],
        ),
        (
            "03 - sawcut & patch slab for the drain: BY PLUMBER\n06 - none\n21 - relocate (7) sprinkler heads",
            [("general-building.fire-sprinkler", 7)],
        ),
        ("A 50 gal water heater please, the old one is a 40 gal gas unit", [("plumbing.water-heater", 1)]),
        (
            "1,500 SF bermuda sod (grading by others, done). Front beds: 10 CY brown mulch.",
            [("landscaping.sod", 1500), ("landscaping.mulch", 10)],
        ),
        (
            "The hvac guy already quoted the ducts, so just insulate the attic, 1,000 sf to R-49.",
            [("insulation.blown-in", 1000)],
        ),
        ("Rent a dumpster? No thanks, we have one. Demo the bathroom 5x8.", [("demolition.interior", 40)]),
        (
            "Please fit our new washing machine and take the old one? Actually we're giving the old one to a neighbour.",
            [("appliances.freestanding", 1)],
        ),
        (
            "Skim the walls of the lounge, 40 m2, wallpaper is already off. Side access 1.2 m.",
            [("plastering.skim", 40)],
        ),
        ("Skim the walls, 36 sq m. Ive stripped the paper off", [("plastering.skim", 36)]),
        (
            "Move out clean, Columbus, 2 bd 1 ba condo 950 sqft, will be empty on the 29th.",
            [("cleaning.move-out", 1)],
        ),
        # Said behind what it is of.
        ("48 square metres of artificial grass on the courtyard, as an option for the committee", []),
    ],
)
def test_what_is_left_out_behind_is_not_charged(drafter, text, expected):
    assert charged(drafter, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Install backsplash tile, about 30 sq ft. Tile and grout purchased.",
        "Replace kitchen faucet (have it)",
        "Replace toilet in powder room w/ the Kohler we got on sale.",
        "Velux to fit, windows and flashings are on site.",
        "5 yards topsoil spread and raked. Soil is on the driveway.",
        "Plant 4 trees 15 gal (2 red maple, 2 crab), stock by owner.",
        "Mulch delivered Friday by the nursery, 8 yards, we just need it spread.",
        "Replace the kitchen faucet (we stock the faucets)",
        "Stain the fence, 400 sq ft. We've got 10 gallons of stain in the shed.",
    ],
)
def test_what_is_on_hand_is_fitted_only(drafter, text):
    (line,) = drafted(drafter, text).lines
    assert line.kind is LineKind.LABOUR


@pytest.mark.parametrize(
    "text",
    ["Need 8 yards of mulch delivered by the 5th and spread", "Your crew will need to remove the old deck, 200 sq ft"],
)
def test_what_a_day_or_the_company_is_said_of_is_charged(drafter, text):
    assert [line.kind for line in drafted(drafter, text).lines] == [LineKind.SERVICE]


_WORKS = ("Replace the toilet", "Paint the hall walls, 400 sq ft", "Install 4 outlets", "Clean the gutters, 150 ft")
#: Things and works, among them such as sound like orders.
_LEFT_OUT = ("permits", "drywall repair", "haul away", "trim painting", "garbage disposal", "tree trimming")


@pytest.mark.parametrize(
    "wording",
    [
        "{work}. Exclusions: {thing}.", "{work}. Exclusions: {thing}, permits.", "{work} - exclusions: {thing}",
        "{work}.\nExclusions:\n- {thing}", "{work}.\nExclusions:\n\n- {thing}", "{work}.\n\nExclusions\n- {thing}",
        "Exclusions\n- {thing}\n\nScope of work\n- {work}", "{work}, excluding {thing}.", "{work}, excludes {thing}",
        "{work}, exclusive of {thing}", "{work}. Excludes {thing} and permits.", "{work}. Out of scope: {thing}",
        "{work} - not included: {thing}", "{work}.\n\nNot included\n- {thing}", "{work} (excl. {thing})",
        "{work}. N.I.C.: {thing}", "{work}, no {thing}", "{work}; {thing} by owner",
    ],
)  # fmt: skip
def test_what_is_excluded_in_any_wording_is_not_charged_and_the_work_is(drafter, wording):
    for work in _WORKS:
        for thing in _LEFT_OUT:
            assert charged(drafter, wording.format(work=work, thing=thing)) == charged(drafter, f"{work}."), thing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Excludes tax, replace the toilet", [("plumbing.toilet", 1)]),
        ("Quote the roof replacement, 24 squares asphalt, and list your exclusions.", [("roofing.asphalt-shingle", 24)]),
        ("Exclusions\n- painting\nScope\n- replace the toilet", [("plumbing.toilet", 1)]),
        ("Replace the toilet. Paint the hall walls, 300 sf - excluded", [("plumbing.toilet", 1)]),
        ("Paint the hall walls, 300 sf - excluded from this contract. Replace the toilet", [("plumbing.toilet", 1)]),
        (
            "(a) test backflow preventers x3 (b) replace 40 HVAC filters - in-house, exclude (c) replace the toilet",
            [("plumbing.backflow", 3), ("plumbing.toilet", 1)],
        ),
    ],
)  # fmt: skip
def test_an_exclusion_ends_where_work_begins(drafter, text, expected):
    assert charged(drafter, text) == expected


@pytest.mark.parametrize(
    "wording",
    [
        "{work}. {thing}? Not this time.", "{work}. The {thing}? Long dead, we leave it be.",
        "{work}. My wife wants the {thing} replaced but that's for another day.",
        "{work}. Replacing the {thing} - another contractor.", "{work}. Replacement of the {thing} not until 2027.",
        "{work}. Would love the {thing} replaced too but can't afford it right now.",
        "{work}. Someone is coming to replace the {thing} on Monday.", "{work}. The {thing} isn't for you.",
        "{work}. Someone else is replacing the {thing}.", "{work}. The {thing} gets replaced by our super.",
        "{work}. {thing} replacement - phase 2.", "{work}. The {thing} can rot for all I care.",
        "{work}. The {thing} is the power company's headache.", "{work}. The {thing} is the marina's.",
    ],
)  # fmt: skip
def test_what_is_for_another_day_or_another_company_is_not_charged(drafter, wording):
    for work in _WORKS[1:]:
        for thing in ("water heater", "thermostat", "dishwasher"):
            assert charged(drafter, wording.format(work=work, thing=thing)) == charged(drafter, f"{work}."), thing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cut up the fallen limb. The gutter man is here on Monday, while he's here he cleans the downspouts too.", []),
        ("The fence got shredded by the storm, replace 40 ft of wood fence.", [("fencing.wood", 40)]),
        ("Our gate was hit by the city's plow. Replace 2 fence posts.", [("fencing.post", 2)]),
        ("What would a new toilet cost? The sink is new so leave that.", [("plumbing.toilet", 1)]),
    ],
)
def test_what_another_did_to_it_is_asked_to_be_put_right(drafter, text, expected):
    found = [one for one in charged(drafter, text) if one[0].split(".")[0] != "tree-work"]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "work", "option"),
    [
        ("Deck 12x16 composite. If the joists turn out to be rotten, replace 60 ft of joist.",
         "decking.composite", "decking.repair"),
        ("Clean the gutters of a house. Should the fascia be split, replace 46 ft of fascia.",
         "gutters.clean-house", "roofing.fascia-soffit"),
        ("Paint 3 bedrooms. If you find any damaged drywall, patch it, 2 holes.", "painting.room", "drywall.hole"),
        ("Replace the toilet. If there's rot, figure 40 sq ft of subfloor as an add.",
         "plumbing.toilet", "flooring.subfloor"),
    ],
)  # fmt: skip
def test_what_is_ordered_in_case_something_is_found_is_an_option(drafter, text, work, option):
    assert {line.task_id: line.optional for line in drafted(drafter, text).lines} == {work: False, option: True}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Stucco patch on the west wall, 15 sq ft, where the swamp cooler came out. I'll paint it myself with "
            "leftover paint. Cooler is already off and gone. Scaffold not needed, single story",
            [("masonry.stucco-patch", 15)],
        ),
        (
            "Drywall patch in the hall, 3 sq ft, where the thermostat was. I'll paint it myself. No cleanup needed.",
            [("drywall.patch", 3)],
        ),
        ("Pump out our 1000 gal septic tank. Lids are dug up and open.", [("earthworks.septic", 1)]),
    ],
)
def test_who_leaves_things_out_asks_for_the_rest(drafter, text, expected):
    assert charged(drafter, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Replace the toilet. Haul the old fridge away? Yes please.",
         [("plumbing.toilet", 1), ("waste-removal.appliance", 1)]),
        ("Replace the water heater, 50 gal. Permit - yes, include.",
         [("plumbing.water-heater", 1), ("permits.water-heater", 1)]),
        ("Paint the living room walls, 300 sq ft. Ceiling - yes please. Trim - no.",
         [("painting.interior-walls", 300), ("painting.ceiling", 300)]),
        ("House exterior painted, 1,900 sq ft. Shutters - paint those too? No, skip. But yes to the front door.",
         [("painting.exterior", 1900), ("painting.front-door", 1)]),
        # A trouble, and behind it what is to be done.
        ("Main shutoff won't close, replace. 3 frost-free hose bibs.",
         [("plumbing.stopcock", 1), ("plumbing.outdoor-faucet", 3)]),
    ],
)  # fmt: skip
def test_what_somebody_says_yes_to_is_charged(drafter, text, expected):
    assert charged(drafter, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The deck (12x16) needs staining.", [("decking.stain", 192)]),
        ("Our septic tank (1000 gal) wants pumping out.", [("earthworks.septic", 1)]),
        ("Our outdoor pool (24 x 12 ft) wants opening for the summer.", [("pools.opening", 1)]),
        ("The fence along the back (60 ft) has to be replaced, cedar.", [("fencing.wood", 60)]),
        (
            "Kitchen walls (about 400 sq ft) need painting and the ceiling (120 sq ft) too.",
            [("painting.interior-walls", 400), ("painting.ceiling", 120)],
        ),
    ],
)
def test_what_stands_before_its_size_in_brackets_is_what_needs_the_work(drafter, text, expected):
    assert charged(drafter, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fit the new basin. Trap for the basin to be supplied by you.",
         [("plumbing.bathroom-sink", LineKind.SERVICE), ("plumbing.trap", LineKind.SERVICE)]),
        ("Install my new dishwasher, it is in the garage. Shutoff valve to be provided by you.",
         [("plumbing.dishwasher", LineKind.LABOUR), ("plumbing.stopcock", LineKind.SERVICE)]),
        ("Lay laminate in the lounge, 200 sq ft, I have the laminate. Underlay to be supplied by you.",
         [("flooring.laminate-fit", LineKind.LABOUR)]),
    ],
)  # fmt: skip
def test_what_the_company_is_to_supply_is_asked_for(drafter, text, expected):
    assert [(line.task_id, line.kind) for line in drafted(drafter, text).lines] == expected


def test_a_permit_for_a_replacement_takes_nothing_out(drafter):
    lines = drafted(drafter, "Replacement of the water heater, 50 gal, including permit.").lines
    permit = next(line for line in lines if line.task_id == "permits.water-heater")
    assert not any("Check the scope" in str(reason) for reason in permit.review_reasons)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Replace roof 20 squares and install a ceiling fan. {said}", ["roofing.asphalt-shingle"])
        for said in (
            "We'll do the fan ourselves.", "Leave the fan for next year.", "The fan can wait until spring.",
            "The ceiling fan is not needed any more.", "The fan will be a separate quote by others.", "Fan not this year.",
            "Just the roof for now, fan next spring.", "The fan will be done by our own electrician.", "The fan is phase 2.",
            "Fan to be quoted later.", "Don't do the fan yet.", "Skip the fan for now.", "No fan please.",
            "Our electrician is doing the fan.", "The fan will be a future project.", "We decided not to do the fan.",
            "Only the roof this year please.", "For now just the roof.",
        )
    ]
    + [
        ("Replace 6 outlets and paint 2 bedrooms. We'll handle the painting ourselves.", ["electrical.outlet-replace"]),
        ("Replace 4 toilets and 3 faucets. The 3 faucets will be done by others.", ["plumbing.toilet"]),
        ("Replace 6 interior doors and 2 exterior doors. The exterior doors can wait.", ["doors.interior"]),
        ("Replace the roof and paint the garage. The roof can wait.", ["painting.garage-door"]),
    ],
)  # fmt: skip
def test_work_that_a_later_sentence_leaves_to_others_or_puts_off_is_taken_back(drafter, text, expected):
    """What is printed as left out is not charged as well."""
    assert [task for task, _ in charged(drafter, text)] == expected


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        # A part of it, another thing of it, other work on it.
        ("Replace 12 windows and 2 doors. Leave the two windows in the garage.", ["windows.replace", "doors.interior"]),
        ("Replace 12 windows and 2 doors. We'll do the window trim ourselves.", ["windows.replace", "doors.interior"]),
        ("Replace 6 doors and paint 3 bedrooms. Don't paint the doors.", ["doors.interior", "painting.room"]),
        ("Replace 6 doors and paint 3 bedrooms. The doors don't need painting.", ["doors.interior", "painting.room"]),
        ("Repair the fence 40 ft and stain deck 200 sqft. We don't want a new fence.", ["fencing.repair", "decking.stain"]),
        ("Paint 3 bedrooms and replace carpet 400 sqft. No carpet in the closets.", ["painting.room", "flooring.carpet"]),
        # What is there, how to go about it, and when.
        ("Replace 6 windows and 2 doors. Don't forget the doors.", ["windows.replace", "doors.interior"]),
        ("Replace 6 windows and 2 doors. Please don't leave the doors open.", ["windows.replace", "doors.interior"]),
        (
            "Clean the carpet 400 sqft and stain the deck 200 sqft. The carpet does not need to be done today.",
            ["cleaning.carpet-area", "decking.stain"],
        ),
        ("Install 100 ft of fence and a gate. We need the fence next spring.", ["fencing.wood", "fencing.gate"]),
        # The only work that is asked for is put off, and asked for all the same.
        ("Replace the water heater. The water heater can wait till spring.", ["plumbing.water-heater"]),
        ("Just the deck for now, 12x16.", ["decking.pressure-treated"]),
        # What is there now, what is not to be left out, who did it once, and what is only told of.
        ("Install a dishwasher and a garbage disposal. No disposal at the moment.", ["plumbing.dishwasher", "plumbing.garbage-disposal"]),
        ("Replace the kitchen faucet and the toilet. Don't skip the toilet.", ["plumbing.faucet", "plumbing.toilet"]),
        ("Replace the kitchen faucet and the toilet. We can't leave the toilet for next year.", ["plumbing.faucet", "plumbing.toilet"]),
        (
            "Paint walls 400 sf and ceiling 200 sf. The ceiling was painted by our painter last year and is peeling.",
            ["painting.interior-walls", "painting.ceiling"],
        ),
        ("Replace the kitchen faucet and the toilet. Only the toilet works right now.", ["plumbing.faucet", "plumbing.toilet"]),
        ("Replace the kitchen faucet and the toilet. I only use the toilet for now.", ["plumbing.faucet", "plumbing.toilet"]),
        ("Build deck 12x16 and a pergola. Just make the deck simple for now.", ["decking.pressure-treated", "decking.pergola"]),
    ],
)  # fmt: skip
def test_what_is_said_of_a_part_or_of_the_way_takes_nothing_back(drafter, text, tasks):
    assert [task for task, _ in charged(drafter, text)] == tasks


def test_what_may_be_left_out_says_so(drafter):
    lines = drafted(drafter, "Replace 6 interior doors and 2 exterior doors. The doors can wait.").lines
    assert all(any("The doors can wait" in reason for reason in line.review_reasons) for line in lines)
