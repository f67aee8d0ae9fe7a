"""Several works in one text: each is charged as it is alone, whatever joins them."""

import itertools

import pytest

from server.domain.settings import PricingSettings

#: Works that have nothing to do with one another.
_ORDERS = (
    "replace the toilet", "install 3 ceiling fans", "clean the gutters, 150 ft", "build a wood fence, 80 ft",
    "rekey 5 locks", "tile the bathroom floor, 60 sq ft", "mow the lawn", "service the furnace",
)  # fmt: skip
_THINGS = ("a new toilet", "3 ceiling fans", "a new kitchen faucet", "2 new windows", "500 sq ft of sod")


def charged(drafter, text):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    return sorted((line.task_id, line.qty, line.unit, line.optional, line.kind) for line in lines)


def pairs(works):
    """Every work behind another and before another."""
    return list(zip(works, [*works[1:], works[0]], strict=True))


def written(wording, works):
    first, second = works
    return wording.format(
        x=first, y=second, X=first[0].upper() + first[1:], Y=second[0].upper() + second[1:],
        XS=first.upper(), YS=second.upper(),
    )  # fmt: skip


@pytest.mark.parametrize(
    "wording",
    [
        "{X} and {y}.", "{X}, {y}.", "{X} together with {y}.", "{X} as well as {y}.", "{X} plus {y}.", "{X}; {y}",
        "{X}, then {y}.", "{X}. Finally, {y}.", "{X}. Lastly {y}.", "{X}. Another thing: {y}.",
        "{X}. In addition, {y}.", "{X}. P.S. {y}.", "{X} and at the same time {y}.", "{X}. Once that's done, {y}.",
        "First {x}, second {y}.", "Step 1: {x}. Step 2: {y}.", "Priority 1: {x}. Priority 2: {y}.",
        "We want you to not only {x} but also {y}.", "Please both {x} and {y}.", "{X} / {y}", "{XS} / {YS}",
        "(a) {x} (b) {y}", "(i) {x}; (ii) {y}", "(1) {x} (2) {y}", "#1 {X}\n#2 {Y}", "o {X}\no {Y}",
        "# | Work\n1 | {X}\n2 | {Y}", "1\t{X}\n2\t{Y}",
    ],
)  # fmt: skip
def test_orders_are_charged_as_each_is_alone_however_they_are_joined(drafter, wording):
    alone = {order: charged(drafter, f"{order[0].upper()}{order[1:]}.") for order in _ORDERS}
    for works in pairs(_ORDERS):
        expected = sorted(itertools.chain.from_iterable(alone[one] for one in works))
        assert charged(drafter, written(wording, works)) == expected, works


@pytest.mark.parametrize(
    "wording",
    [
        "We need {x} and {y}.", "We need {x} together with {y}.", "Besides {x} we need {y}.",
        "Besides {x}, we also need {y}.", "In addition to {x}, we need {y}.", "On top of {x} we also need {y}.",
        "Apart from {x}, we also want {y}.", "We need not only {x} but also {y}.",
    ],
)  # fmt: skip
def test_things_are_charged_as_each_is_alone_however_they_are_joined(drafter, wording):
    alone = {thing: charged(drafter, f"We need {thing}.") for thing in _THINGS}
    for works in pairs(_THINGS):
        expected = sorted(itertools.chain.from_iterable(alone[one] for one in works))
        assert charged(drafter, written(wording, works)) == expected, works


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What stands beside an order by name is no other meaning of it.
        ("Replace the toilet and replace the bathroom extractor fan.", ["electrical.bath-fan", "plumbing.toilet"]),
        (
            "Blow insulation into the attic, 900 sq ft, replace the front door.",
            ["doors.exterior", "insulation.blown-in"],
        ),
        ("Remove 2 trees, tile the bathroom floor, 6 m2", ["tiling.floor", "tree-work.remove"]),
        (
            "Scope of work\n- Install vinyl plank flooring, 350 sq ft\n- Repair the fence",
            ["fencing.repair", "flooring.vinyl-plank"],
        ),
        # What is only named, in a list behind what asks for it.
        (
            "We'd like prices for:\n- gutter cleaning, 150 ft\n- a new dishwasher",
            ["gutters.clean", "plumbing.dishwasher"],
        ),
        ("We need 4 new outlets & a deck, 200 sq ft.", ["decking.pressure-treated", "electrical.outlet"]),
    ],
)
def test_what_is_asked_for_by_its_name_is_charged_beside_anything(drafter, text, expected):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert sorted(line.task_id for line in lines if not line.optional) == expected


@pytest.mark.parametrize(
    ("text", "measured", "other"),
    [
        ("Clean the carpets, 700 sq ft. Seal the driveway.", "cleaning.carpet-area", "paving.sealcoat"),
        ("Install vinyl plank flooring, 350 sq ft, and seal the driveway.", "flooring.vinyl-plank", "paving.sealcoat"),
    ],
)
def test_an_area_of_one_order_measures_no_other(drafter, text, measured, other):
    lines = {line.task_id: line for line in drafter.draft(text, settings=PricingSettings()).lines}
    assert lines[measured].priced
    assert not lines[other].priced


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What sums up asks for nothing more.
        (
            "Replace the toilet and install 3 ceiling fans. To recap: replace the toilet, install 3 ceiling fans.",
            [("electrical.ceiling-fan", 3), ("plumbing.toilet", 1)],
        ),
        (
            "Replace 2 windows and rekey 5 locks. In summary: replace 2 windows, rekey 5 locks.",
            [("locksmith.rekey", 5), ("windows.replace", 2)],
        ),
        # Second thoughts, and what is wanted only instead.
        (
            "Replace the toilet and clean the gutters, 150 ft. On second thought leave the gutters.",
            [("plumbing.toilet", 1)],
        ),
        ("Replace the kitchen faucet or, if cheaper, repair it.", [("plumbing.faucet", 1)]),
        ("Replace the toilet without drywall repair.", [("plumbing.toilet", 1)]),
    ],
)
def test_what_is_told_again_or_taken_back_is_not_charged(drafter, text, expected):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert sorted((line.task_id, line.qty) for line in lines if not line.optional) == expected


#: Verbs with things that each is done to.
_SHARED = (
    ("clean", "cleaned", "oven", "dryer vent"), ("paint", "painted", "front door", "shutters"),
    ("replace", "replaced", "toilet", "kitchen faucet"), ("remove", "removed", "hot tub", "deck"),
    ("install", "installed", "dishwasher", "storm door"), ("repair", "repaired", "dryer", "gutter"),
)  # fmt: skip


@pytest.mark.parametrize(
    "wording",
    [
        "{V} the {a} and the {b}.", "Can you {v} the {a} and the {b} please?", "{V} both the {a} and the {b}.",
        "{V} the {a}. Also the {b}.", "{V} the {a}, plus the {b}.", "{V} the {a}. The {b} too please.",
        "I'd like the {a} and the {b} {done}.", "Please {v}: {a}, {b}", "{V}:\n- {a}\n- {b}",
    ],
)  # fmt: skip
def test_a_verb_that_two_things_share_is_done_to_each(drafter, wording):
    def tasks(text):
        return sorted(task for task, _, _, optional, _ in charged(drafter, text) if not optional)

    missed = []
    for verb, done, *things in _SHARED:
        expected = sorted(
            tasks(f"{verb.capitalize()} the {things[0]}.") + tasks(f"{verb.capitalize()} the {things[1]}.")
        )
        for first, second in (things, things[::-1]):
            text = wording.format(V=verb.capitalize(), v=verb, done=done, a=first, b=second)
            missed += [text] if tasks(text) != expected else []
    assert not missed


def test_two_doors_of_different_kinds_are_painted_each_by_itself(drafter):
    lines = charged(drafter, "Paint the front door and the garage door.")
    assert [task for task, *_ in lines] == ["painting.front-door", "painting.garage-door"]


def test_what_is_named_besides_is_as_large_as_it_is_itself(drafter):
    washed = charged(drafter, "Wash the driveway, 600 sq ft. Also the patio.")
    assert sorted(qty for _, qty, *_ in washed) == [1, 600]
    assert [qty for task, qty, *_ in charged(drafter, "Stain the deck, 300 sq ft. Also the fence, 80 ft.")] == [
        300,
        480,
    ]
    painted = charged(drafter, "Paint the bedroom ceiling, 12x14. Also the walls.")
    assert [qty for _, qty, *_ in painted] == [168, 416]


@pytest.mark.parametrize(
    ("text", "repair", "whole"),
    [
        ("Patch drywall and paint walls, 1200 sqft", "drywall.patch", "painting.interior-walls"),
        ("Repair drywall cracks and paint ceiling 300 sqft", "drywall.patch", "painting.ceiling"),
        ("Fix the concrete cracks and seal the driveway 1000 sqft", "concrete.repair", "paving.sealcoat"),
        ("Fix rotten siding on the back and paint the exterior 2200 sqft", "siding.repair", "painting.exterior"),
        ("Repair the deck and stain it, 350 sqft", "decking.repair", "decking.stain"),
        ("Repair the subfloor and install 600 sqft of hardwood", "flooring.subfloor", "flooring.hardwood"),
        ("Repair concrete crack and pour a slab 20x20", "concrete.repair", "concrete.slab"),
        ("Repair drywall and insulate 400 sq ft of wall", "drywall.patch", "insulation.batt"),
        ("Repair gutters and clean gutters, 100 ft", "gutters.repair", "gutters.clean"),
    ],
)
def test_what_is_mended_is_not_all_that_is_worked_on_behind_it(drafter, text, repair, whole):
    lines = {line.task_id: line for line in drafter.draft(text, settings=PricingSettings()).lines}
    assert not lines[repair].priced
    assert lines[whole].priced


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Repair drywall 100 sf and paint walls 900 sf", [("drywall.install", 100), ("painting.interior-walls", 900)]),
        ("Repoint the brick wall and seal it, 300 sqft", [("masonry.tuckpointing", 300), ("paving.sealcoat", 300)]),
        (
            "Resurface the driveway and seal it, 800 sqft",
            [("paving.asphalt-overlay", 800), ("paving.sealcoat", 800)],
        ),
        ("Repair stucco and repair siding 200 sq ft", [("masonry.stucco-patch", 200), ("siding.repair", 200)]),
    ],
)
def test_what_is_done_all_over_is_as_much_as_what_is_joined_to_it(drafter, text, expected):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines] == expected


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        ("Carpet 300 sf in the den. Carpet the basement too.", "flooring.carpet", 300),
        ("Refinish 400 sf hardwood in the living room. Also refinish the stairs.", "flooring.refinish", 400),
        (
            "Refinish 400 sf hardwood in the living room. Also refinish the stairs (13 treads).",
            "flooring.refinish",
            400,
        ),
        ("Paint the walls, 800 sqft. Paint the stairwell walls too.", "painting.interior-walls", 800),
        ("Tile floor 60 sqft in the bathroom. Tile the laundry floor as well.", "tiling.floor", 60),
        ("Stain the deck 300 sqft. Stain the steps too.", "decking.stain", 300),
        ("LVP 500 sqft downstairs. Do the laundry room in LVP as well.", "flooring.vinyl-plank", 500),
        ("Seal the driveway 800 sqft. Please also seal the walkway.", "paving.sealcoat", 800),
        ("Install 400 sf of sod in the front yard. Sod the back yard too.", "landscaping.sod", 400),
        ("Replace the gutters on the house, 120 ft. Replace the gutters on the garage too.", "gutters.aluminum", 120),
        ("Lay laminate in the lounge, 200 sqft. Also lay laminate in the hall.", "flooring.laminate", 200),
    ],
)
def test_the_same_in_another_place_is_a_line_that_is_as_large_as_it_is_itself(drafter, text, task, qty):
    drafted = drafter.draft(text, settings=PricingSettings())
    assert [(line.task_id, line.qty, line.priced) for line in drafted.lines] == [(task, qty, True), (task, 1, False)]
    assert len(drafted.questions) == 1


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        ("Paint the walls, 800 sqft. Paint them white please.", "painting.interior-walls", 800),
        ("Carpet 300 sf in the den. Carpet the den in grey too.", "flooring.carpet", 300),
        ("Stain the deck 300 sqft. Also stain it dark.", "decking.stain", 300),
        ("Refinish 400 sf hardwood. Also refinish with satin.", "flooring.refinish", 400),
        ("Replace the carpet. 12x14 bedroom. Carpet the bedroom with plush too.", "flooring.carpet", 168),
        ("Replace the fence. Fence is 80 ft long. Replace the fence with cedar too.", "fencing.wood", 80),
        ("Seal the driveway 800 sqft. Seal it after washing it as well.", "paving.sealcoat", 800),
        ("Clean the gutters, 120 ft. Gutters on the back are full too.", "gutters.clean", 120),
        ("Paint the walls, 800 sqft. Also paint a second coat.", "painting.interior-walls", 800),
    ],
)
def test_what_is_said_besides_of_the_same_is_no_other_line(drafter, text, task, qty):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines] == [(task, qty)]
