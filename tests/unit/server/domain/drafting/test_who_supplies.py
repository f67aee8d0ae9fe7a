"""Promises of who supplies what: only what the customer has is left out of a price, and all of what he has."""

import pytest

from server.domain.draft import LineKind
from server.domain.settings import PricingSettings


def fitted_only(drafter, text):
    """The tasks of a draft, each with whether the customer supplies what it is of."""
    draft = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH"))
    return {line.task_id: line.kind is LineKind.LABOUR for line in draft.lines if not line.optional}


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("350 sq ft of luxury vinyl plank, supplied and installed.", "flooring.vinyl-plank"),
        ("45 sq ft of quartz countertop, supplied and fitted", "kitchens.countertop-quartz"),
        ("3 wall lights supplied and fitted in the kitchen", "electrical.light"),
        # What is painted is no material, however much it is theirs.
        ("We have 10 internal doors. Please paint 6 of them.", "painting.door"),
        ("I have 3 interior doors here that need to be painted. You provide the paint.", "painting.door"),
        # A material that this work does not take.
        ('Hang/finish 2,400 sf 1/2" board. Insulation by others, paint by others.', "drywall.install"),
        ("LVP 640 sf downstairs. Carpet tearout is on us.", "flooring.vinyl-plank"),
        ("Four new interior doors, prehung. Painting the doors is on me.", "doors.interior"),
        # What may come to be needed tells nothing of the work.
        ("Fix leak under kitchen sink. If the faucet needs replacing I have a new one.", "plumbing.trap"),
    ],
)
def test_what_the_company_supplies_is_charged(drafter, text, task):
    assert fitted_only(drafter, text) == {task: False}


@pytest.mark.parametrize(
    ("text", "theirs", "ours"),
    [
        (
            "Replace four interior doors and change 2 locks. Doors are ours, locks are on you.",
            "doors.interior", "locksmith.change",
        ),
        (
            "Two bathroom fans and one ceiling fan to be installed. Bath fans off your truck, the ceiling fan I bought.",
            "electrical.ceiling-fan", "electrical.bath-fan",
        ),
        (
            "Need a kitchen sink and a garbage disposal replaced. Sink is mine. The disposal you get.",
            "plumbing.kitchen-sink", "plumbing.garbage-disposal",
        ),
        ("Please install:\n1 toilet (ours)\n1 kitchen faucet (yours)", "plumbing.toilet", "plumbing.faucet"),
        (
            "Put in the kitchen sink we picked up at the Habitat store, and a new faucet which you bring.",
            "plumbing.kitchen-sink", "plumbing.faucet",
        ),
        (
            "Topsoil for the strip, 3 cubic yards, is piled by the garage. Lay sod on the strip, 280 sq ft.",
            "landscaping.topsoil", "landscaping.sod",
        ),
    ],
)  # fmt: skip
def test_each_of_two_things_is_supplied_by_whom_the_request_says(drafter, text, theirs, ours):
    assert fitted_only(drafter, text) == {theirs: True, ours: False}


@pytest.mark.parametrize(
    ("text", "supplied"),
    [
        ("Replace 2 toilets, we have both. Yours,\nDenise", True),
        ("We supply nothing, you bring all materials. Replace 2 toilets.", False),
        ("There are 4 toilets in the building. Replace 2 toilets.", False),
    ],
)
def test_a_note_is_read_as_it_is_meant(drafter, text, supplied):
    assert fitted_only(drafter, text) == {"plumbing.toilet": supplied}


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Install 22 recessed lights and 6 exit signs, all OFCI.",
         {"electrical.recessed-light", "electrical.emergency-light"}),
        ("Install 60 ft of chain link fence and one gate, all material furnished by us.",
         {"fencing.chain-link", "fencing.gate"}),
        ("Office restroom, all fixtures by owner. Replace 3 toilets and 2 bathroom sinks.",
         {"plumbing.toilet", "plumbing.bathroom-sink"}),
    ],
)  # fmt: skip
def test_a_note_of_everything_holds_for_every_line(drafter, text, tasks):
    assert fitted_only(drafter, text) == dict.fromkeys(tasks, True)


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        ("Picked up a Kohler toilet at Costco and it's sitting in my garage. Swap it for the one upstairs please.",
         "plumbing.toilet", 1),
        ("I bought the pool pump, it's on the patio. What would you charge to replace the old one with it?",
         "pools.pump", 1),
        ("My son got me 10 recessed lights. Need an electrician to install them in the kitchen.",
         "electrical.recessed-light", 10),
        # A note of one of them, or that was learned to be of the work.
        ("Need the faucet in the hall bath swapped out. Picked one up at Lowes.", "plumbing.faucet", 1),
        ("Two TVs to go on the wall. Got both mounts off amazon.", "electrical.tv-mount", 2),
        ("Lowe's is dropping off my 50 gal water heater Thursday, I need it installed Friday.",
         "plumbing.water-heater", 1),
    ],
)  # fmt: skip
def test_it_is_the_thing_that_was_told_of_before(drafter, text, task, qty):
    draft = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH"))
    assert [(line.task_id, line.qty, line.kind, line.optional) for line in draft.lines] == [
        (task, qty, LineKind.LABOUR, False)
    ]


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("500 sf sod + 6 yds mulch, lay and spread. Correction: no mulch.", "landscaping.sod"),
        ("Replace 3 interior doors and hang 1 storm door. Sorry, strike the storm door.", "doors.interior"),
        ("Does the chimney need rebuilding as well? No, it's sound. So just sweep it please.", "hvac.chimney-sweep"),
        ("Do I want the ceiling painted after? Nope. Scrape the popcorn only, 410 sf.", "drywall.texture"),
        ("replace 1 kitchen sink, i can haul the old one to the dump", "plumbing.kitchen-sink"),
        # Who else does it, what is done, what is off again.
        (
            "Hook up the new dishwasher. The disposal hums sometimes, was going to have you look but it freed itself up.",
            "plumbing.dishwasher",
        ),
        (
            "Install 5 smoke detectors\nroof - they waived\nloose handrail on the steps - fixed same day",
            "electrical.smoke-detector",
        ),
        (
            "Can you move Thursday's ceiling fan install to the following Monday? And rekey 4 locks please.",
            "locksmith.rekey",
        ),
        (
            "5 smoke detectors please\n* loose handrail on the steps - fixed same day\n* dripping tap - I did it",
            "electrical.smoke-detector",
        ),
        (
            "Install a mini split. A buddy of mine is a sparky and is running the circuit and the disconnect for it.",
            "hvac.mini-split",
        ),
        (
            "Pump out the septic tank. The percolation area was redone two years ago and is perfect. Soakaway ditto.",
            "earthworks.septic",
        ),
        ("Rekey 4 locks before we move in.", "locksmith.rekey"),
        ("Clean the gutters, 60 ft. He's replacing the fascia too.", "gutters.clean"),
        ("Garage flat roof wants doing in EPDM, 16 m2. Old felt's off.", "roofing.flat-epdm"),
        ("I did wonder about a new front door but no, just change the lock on it please.", "locksmith.change"),
    ],
)
def test_what_is_taken_back_is_not_charged(drafter, text, task):
    assert set(fitted_only(drafter, text)) == {task}


def test_a_label_is_no_note_of_supply(drafter):
    lines = fitted_only(
        drafter,
        "kit: demo cabs 22 lf, install shaker cabs 22 lf (GC furnished), granite 48 sf, undermount sink + faucet, "
        "DW hookup, hood. flooring excl, elec excl",
    )
    assert {task for task, theirs in lines.items() if theirs} == {"kitchens.cabinets"}


def test_what_is_listed_with_owner_furnished_things_is_furnished_too(drafter):
    assert fitted_only(drafter, "Install owner-furnished vanity, faucet and mirror in hall bath.") == {
        "bathrooms.vanity": True,
        "plumbing.faucet": True,
        "windows.mirror": True,
    }
    assert fitted_only(drafter, "Install owner-supplied toilet and a new exhaust fan.") == {
        "plumbing.toilet": True,
        "electrical.bath-fan": False,
    }


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("Replace the storm door out front. We have the new Larson leaning against the garage wall.", "doors.storm"),
        ("The fence wants painting, 40 sq m, ive got 4 tubs of cuprinol in the shed for it", "fencing.stain"),
        (
            "7 sprinkler heads busted. I've got the Rain Birds to replace them, need the labor.",
            "landscaping.sprinkler-repair",
        ),
        (
            "Redo the gravel drive, 30 m2. The gravel is in bulk bags on the verge so you'd just be spreading it.",
            "paving.gravel",
        ),
        (
            "Paint the living room walls, 2 coats, 400 sq ft; paint is in the maintenance closet",
            "painting.interior-walls",
        ),
        ("Mount ADA grab bars (2), customer stock", "bathrooms.grab-bar"),
        ("Put in a new pool pump 1.5HP. Owner has the pump on site (Pentair)", "pools.pump"),
        (
            "Board over the middle of the loft, 20 sq m; chipboard loft panels are up there already",
            "carpentry.loft-boarding",
        ),
        ("Spread 6 yards of hardwood mulch, which the farm already dumped on our driveway", "landscaping.mulch"),
        ("Hang a new interior door, still in its box", "doors.interior"),
        ("Spread topsoil, 3 cubic yards, it is piled by the garage", "landscaping.topsoil"),
        ("Butcher block counter, 26 sf, my son's shop builds it, you install.", "kitchens.countertop-wood"),
    ],
)
def test_what_the_customer_has_in_store_is_not_charged(drafter, text, task):
    assert fitted_only(drafter, text) == {task: True}


_WORK_AND_THING = (
    ("Replace the toilet", "toilet"),
    ("Install a ceiling fan", "fan"),
    ("Install laminate flooring, 300 sq ft", "laminate"),
    ("Tile the bathroom floor, 50 sq ft", "tile"),
    ("Install a dishwasher", "dishwasher"),
)


@pytest.mark.parametrize(
    "wording",
    [
        "{work}. I have the {thing}.", "{work}. I already bought the {thing}.", "{work}. Owner-supplied {thing}.",
        "{work}, {thing} by owner", "{work}. We will provide the {thing}.", "{work}. The {thing} is on site.",
        "{work}. The {thing} is provided.", "{work}. OFCI {thing}.", "{work}. Not including the {thing} itself.",
        "{work}; supply of {thing} by others", "Supply of {thing} by others. {work}", "{work}. Labor only.",
        "{work}. You just need to install it, I have the {thing}.", "{work} (customer has the {thing})",
        "I bought the {thing} already. {work}.", "I already own the {thing}. {work}.", "{work} ({thing} supplied).",
        "{work}, {thing} on hand.", "{work}. The {thing} is on order.", "{work}. No need to supply the {thing}.",
        "{work}. You don't need to bring the {thing}, I have it.", "{work}. The {thing} will be delivered on Tuesday.",
        "{work}. We will have the {thing} on site.", "{work}. The {thing} came with the house, still in the box.",
        "{work}. I have the {thing}, I only need someone to fit it.",
    ],
)  # fmt: skip
def test_what_the_customer_has_is_not_charged_in_any_wording(drafter, wording):
    settings = PricingSettings(home_location="Columbus, OH")
    for work, thing in _WORK_AND_THING:
        lines, full = (
            [line for line in drafter.draft(text, settings=settings).lines if not line.optional]
            for text in (wording.format(work=work, thing=thing), f"{work}.")
        )
        assert len(lines) == len(full) == 1, (thing, lines)
        assert 0 < lines[0].amount_minor < full[0].amount_minor, thing
        assert lines[0].qty == full[0].qty


@pytest.mark.parametrize(
    ("text", "theirs", "ours"),
    [
        # What lies about, and is not built in, of one of several works.
        ("Install a storm door and paint the hall, 200 sq ft. The door is leaning against the garage wall.",
         "doors.storm", "painting.interior-walls"),
        ("Swap the kitchen faucet and regrout the shower, 40 sq ft. The faucet is on the counter, still in its box.",
         "plumbing.faucet", "tiling.regrout"),
        ("Install a bath fan and 2 outlets. The bath fan came with the house, still in the original packaging.",
         "electrical.bath-fan", "electrical.outlet"),
        ("Install a range hood and 2 outlets. The hood is in the dining room, never opened.",
         "kitchens.range-hood", "electrical.outlet"),
    ],
)  # fmt: skip
def test_a_note_is_of_the_thing_that_its_sentence_names(drafter, text, theirs, ours):
    assert fitted_only(drafter, text) == {theirs: True, ours: False}


@pytest.mark.parametrize(
    ("text", "theirs", "ours"),
    [
        ("We have a storm door that needs hanging out front. Paint the hall, 200 sq ft of wall.",
         "doors.storm", "painting.interior-walls"),
        ("We've got a 10 yard pile of topsoil by the gate that needs spreading, then lay 1,800 sq ft of sod (sod from you).",
         "landscaping.topsoil", "landscaping.sod"),
        ("One storm door for the back, I've the door leaning against the shed, it just wants hanging. Rekey 3 locks.",
         "doors.storm", "locksmith.rekey"),
        # What the note surely means, whatever else its words name.
        ("Insulate the attic, 400 sq ft to R-38. Board over the middle, 200 sq ft; plywood attic boards are up there already.",
         "carpentry.loft-boarding", "insulation.blown-in"),
    ],
)  # fmt: skip
def test_what_lies_ready_is_of_its_own_work(drafter, text, theirs, ours):
    assert fitted_only(drafter, text) == {theirs: True, ours: False}


@pytest.mark.parametrize(
    ("text", "theirs", "ours"),
    [
        ("3 interior doors painted and 2 outlets fitted. Paint: we stock it.", {"painting.door"}, {"electrical.outlet"}),
        ("Install 4 recessed lights and a ceiling fan. Fan: I bought it already.",
         {"electrical.ceiling-fan"}, {"electrical.recessed-light"}),
        ("Tile the floor, 48 sq ft, tile and grout are on the landing, and hang 96 sq ft of drywall.",
         {"tiling.floor"}, {"drywall.install"}),
        ("Lay 300 sq ft of laminate, planks and underlay are under the stairs, and fit 2 outlets.",
         {"flooring.laminate-fit"}, {"electrical.outlet"}),
        ("6 recessed lights in the den (please supply the lights and trims)\nReplace the bath fan, I have the fan.",
         {"electrical.bath-fan"}, {"electrical.recessed-light"}),
    ],
)  # fmt: skip
def test_a_label_or_a_list_says_what_the_note_is_of(drafter, text, theirs, ours):
    assert fitted_only(drafter, text) == dict.fromkeys(theirs, True) | dict.fromkeys(ours, False)


@pytest.mark.parametrize(
    ("text", "task"),
    [
        # Where the old one stands, what the note is of that is left out, what is told of the water.
        ("Replace the water heater. The water heater is in the garage.", "plumbing.water-heater"),
        ("Replace the sump pump. Water is standing in the basement.", "plumbing.sump-pump"),
        ("Fix the running toilet. No blinds this time, the owner has them on order.", "plumbing.toilet-repair"),
        ("3 radiators supplied and fitted", "plumbing.radiator"),
        ("130 ft of aluminum gutter. My brother does roofs so he has the shingles covered.", "gutters.aluminum"),
    ],
)
def test_what_is_there_is_no_supply(drafter, text, task):
    assert fitted_only(drafter, text) == {task: False}


@pytest.mark.parametrize("note", ["Access provided.", "Drawings provided.", "Parking will be provided."])
def test_what_else_is_provided_is_no_material(drafter, note):
    assert fitted_only(drafter, f"Replace the toilet. {note}") == {"plumbing.toilet": False}


@pytest.mark.parametrize(
    ("text", "bought", "had"),
    [
        ("Replace 4 toilets. One toilet is supplied by us.", 3, 1),
        ("Install 10 interior doors, we already have 4", 6, 4),
        ("Hang 5 interior doors, I already have 3 of the doors", 2, 3),
        ("Replace 6 toilets, client to supply 2 of them", 4, 2),
        ("Install 8 light fixtures, owner furnishing 3 of the fixtures", 5, 3),
        ("Install 20 recessed lights, I have 6 of them", 14, 6),
        ("Fit 4 velux windows, customer supplying one", 3, 1),
        ("Install 6 ceiling fans, we have two of them already", 4, 2),
        ("Install 5 ceiling fans, one is supplied by us", 4, 1),
        ("Hang 6 doors, 4 of them are here already", 2, 4),
    ],
)
def test_of_things_of_which_the_customer_has_some_the_others_are_bought(drafter, text, bought, had):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert sum(line.qty for line in lines if line.kind is LineKind.SERVICE) == bought
    assert sum(line.qty for line in lines if line.kind is LineKind.LABOUR) == had
    assert len(lines) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Install 10 doors. We have 10 doors.",
        "Install 10 doors, we have all of them",
        "Install 3 ceiling fans, I have all 3",
        "Install 10 doors, we supply the doors",
        "Replace 38 outlets and 22 switches, we provide devices",
        "Paint 6 doors, we supply 2 gallons of paint",
    ],
)
def test_where_the_customer_has_all_of_them_only_labour_is_charged(drafter, text):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert {line.kind for line in lines} == {LineKind.LABOUR}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Replace 4 toilets. We have 2 bathrooms.", 4),
        ("Paint 4 rooms, we have 2 cans of paint", 4),
        ("Install 8 light fixtures. I have 2 dogs", 8),
    ],
)
def test_what_else_the_customer_has_is_none_of_them(drafter, text, number):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [line.qty for line in lines] == [number]
