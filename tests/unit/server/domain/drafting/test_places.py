"""Promises of requests that tell their work place by place: the same work of several places is added up, one line says
what each has, and what is said of one place stays there."""

import pytest

from server.domain.drafting.sections import Sections
from tests.unit.server.domain.drafting.charging import amounts, drafted


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hall bath: swap toilet. Powder room: swap toilet.", ["Hall bath", "Powder room"]),
        ("BLDG 1 - gutter 180 LF\nBLDG 2 - gutter 140 LF", ["BLDG 1", "BLDG 2"]),
        ("Rekey. 3B - 2 cylinders. 3D - 1.", ["3B", "3D"]),
        ("#101 - toilet runs\n#104 - new disposal", ["#101", "#104"]),
        ("Hall bath 5x8: sheet vinyl. Laundry 6x6: ditto.", ["Hall bath", "Laundry"]),
        ("Front unit needs a new faucet. Rear unit ditto.", ["Front unit", "Rear unit"]),
        # One place alone, and labels of work, make none.
        ("Kitchen: new faucet and disposal", []),
        ("Plumbing: new faucet\nElectrical: two outlets", []),
    ],
)
def test_places_are_known_by_their_labels(text, names):
    assert [one.name for one in Sections(text).all] == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "UNIT A: LVP 640 SF, INT DOORS 5 EA\nUNIT B: LVP 710 SF, INT DOORS 4 EA",
            [("flooring.vinyl-plank", 1350, "sqft"), ("doors.interior", 9, "each")],
        ),
        (
            "Hall bath: swap toilet, new exhaust fan. Powder room: swap toilet.",
            [("plumbing.toilet", 2, "each"), ("electrical.bath-fan", 1, "each")],
        ),
        (
            "PLOT 4: 9 NO. INT DOORS, 62 FT BASEBOARD\nPLOT 5: AS PLOT 4\nPLOT 6: 11 NO. INT DOORS, 74 FT BASEBOARD",
            [("doors.interior", 29, "each"), ("carpentry.baseboard", 198, "ft")],
        ),
        (
            "Hall bath 5x8: replace the subfloor, pull and reset the toilet. Laundry 6x6: ditto on the subfloor.",
            [("flooring.subfloor", 76, "sqft"), ("plumbing.toilet-reset", 1, "each")],
        ),
        ("Rekey list. 3B - 2 cylinders. 3D - 2. 4A - 1.", [("locksmith.rekey", 5, "each")]),
        (
            "Post construction cleaning\nSuite 100 - 2,400 sf\nSuite 120 - 1,150 sf",
            [("cleaning.post-construction", 3550, "sqft")],
        ),
        # Of all places, or of as much as all of them have.
        (
            "TH1: new range hood. TH2: new range hood. Both: replace the kitchen faucet.",
            [("kitchens.range-hood", 2, "each"), ("plumbing.faucet", 2, "each")],
        ),
        (
            'BLDG 1 - 5" ALUM GUTTER 180 LF\nBLDG 2 - 5" ALUM GUTTER 140 LF\nGUTTER GUARD ON ALL OF THE ABOVE',
            [("gutters.aluminum", 320, "ft"), ("gutters.guard", 320, "ft")],
        ),
        # So much for each of several places.
        (
            "24 units at Cypress Landing. Per unit:\n(1) kitchen faucet, replace\n(1) ceiling fan\n(2) hardwired smoke detectors",
            [
                ("plumbing.faucet", 24, "each"),
                ("electrical.ceiling-fan", 24, "each"),
                ("electrical.smoke-detector", 48, "each"),
            ],
        ),
        (
            "TYPE A (6 UNITS), EACH: CABINETS 22 LF, QUARTZ TOP 38 SF\nTYPE B (3 UNITS), EACH: CABINETS 18 LF",
            [("kitchens.cabinets", 186, "ft"), ("kitchens.countertop-quartz", 228, "sqft")],
        ),
        (
            "Rooms 101, 103 & 105: six new LED panels per room. Corridor gets 8 of the same panel.",
            [("electrical.led-panel", 26, "each")],
        ),
        (
            "Main bathroom and en suite. Both need the electric shower replaced.",
            [("plumbing.electric-shower", 2, "each")],
        ),
        # Labels without a sign, in the middle of a sentence, of several words.
        # Lengths and areas too, where they are said of each.
        (
            "Units 1 to 3: 20 ft of seamless gutter each. Units 4 and 5: 30 ft of seamless gutter each. "
            "And gutter guards on all of it please.",
            [("gutters.aluminum", 120, "ft"), ("gutters.guard", 120, "ft")],
        ),
        (
            "Per unit: 20 ft of seamless gutter. There are 4 units. Gutter guards on all of it.",
            [("gutters.aluminum", 80, "ft"), ("gutters.guard", 80, "ft")],
        ),
        (
            "Rooms 1-3: replace the carpet, 300 sq ft in all, and one smoke detector each.",
            [("flooring.carpet", 300, "sqft"), ("electrical.smoke-detector", 3, "each")],
        ),
        ("Room 1 new lock on door. Room 2 same. Room 3 new lock.", [("locksmith.change", 3, "each")]),
        ("Upper unit: 5 windows to replace, lower unit: 7 windows", [("windows.replace", 12, "each")]),
        (
            "Units 2, 5 and 9: replace the toilet. Unit 12: new disposal.",
            [("plumbing.toilet", 3, "each"), ("plumbing.garbage-disposal", 1, "each")],
        ),
        # Like another place, by its number or its name, or as much as is told of it.
        (
            "Main hall: carpet 96 sq ft. Study: carpet 40 sq ft. Office like main hall.",
            [("flooring.carpet", 232, "sqft")],
        ),
        (
            "Unit 101: pressure treated deck, 120 sq ft\nUnit 103: likewise, 160 sq ft",
            [("decking.pressure-treated", 280, "sqft")],
        ),
        ("Classroom 4: 8 LED panels. Classroom 5: 6 panels.", [("electrical.led-panel", 14, "each")]),
        ("Main bath - new toilet. Powder room - toilet only, the pedestal stays.", [("plumbing.toilet", 2, "each")]),
        (
            "Carpet: tear out the old stuff and put in new:\nLiving room - 240 sq ft\nBedroom - 180 sq ft",
            [("flooring.carpet-remove", 420, "sqft"), ("flooring.carpet", 420, "sqft")],
        ),
        # The same again, but for what is not there.
        (
            "Upper: kitchen faucet replaced, two bedrooms painted, dishwasher hooked up. Same again for the lower. "
            "There is no dishwasher downstairs.",
            [("plumbing.faucet", 2, "each"), ("painting.room", 4, "each"), ("plumbing.dishwasher", 1, "each")],
        ),
        # What is asked for elsewhere is more of it.
        (
            "Kitchen: new faucet. Bathroom: new faucet. Also replace the faucet in the garage.",
            [("plumbing.faucet", 2, "each"), ("plumbing.faucet", 1, "each")],
        ),
        (
            "Replace the faucet in the garage. Unit 1: new faucet. Unit 2: new faucet.",
            [("plumbing.faucet", 1, "each"), ("plumbing.faucet", 2, "each")],
        ),
        (
            "Unit 1: toilet runs. Unit 2: new toilet.",
            [("plumbing.toilet-repair", 1, "each"), ("plumbing.toilet", 1, "each")],
        ),
        # Two lines of one kind in one place stay two.
        (
            "Kitchen: R&R base cabs 14 LF, R&R upper cabs 11 LF\nHall: new toilet",
            [("kitchens.cabinets", 14, "ft"), ("kitchens.cabinets", 11, "ft"), ("plumbing.toilet", 1, "each")],
        ),
    ],
)
def test_work_of_several_places_is_added_up(drafter, text, expected):
    assert amounts(drafter, text) == expected


@pytest.mark.parametrize("between", [" | ", "; ", ", ", " / ", " ..... ", "\t"])
def test_a_pasted_table_asks_for_what_its_columns_add_up_to(drafter, between):
    rows = [("ROOM", "NEW SWITCHES", "CEILING FANS"), ("Living", "6", "2"), ("Den", "4", "0"), ("TOTAL", "10", "2")]
    text = "From my sheet:\n" + "\n".join(between.join(row) for row in rows) + "\nPlus a new kitchen faucet."
    assert amounts(drafter, text) == [
        ("electrical.switch", 10, "each"),
        ("electrical.ceiling-fan", 2, "each"),
        ("plumbing.faucet", 1, "each"),
    ]
    assert "NEW SWITCHES: 6 + 4 = 10 each, as the table has it." in drafted(drafter, text).assumptions


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            ["Item | Qty", "Ceiling fan | 2", "Toilet | 3"],
            [("electrical.ceiling-fan", 2, "each"), ("plumbing.toilet", 3, "each")],
        ),
        (
            ["Item,Qty,Unit,Price", "Interior doors,4,EA,220.00", "Baseboard,120,LF,6.50", "Drywall,640,SF,3.10"],
            [("doors.interior", 4, "each"), ("carpentry.baseboard", 120, "ft"), ("drywall.install", 640, "sqft")],
        ),
        (
            ["Qty | Item", "2 | Ceiling fan", "3 | Toilet"],
            [("electrical.ceiling-fan", 2, "each"), ("plumbing.toilet", 3, "each")],
        ),
        (
            ["unit | toilets | bath faucets", "301 | 1 | 2", "305 | 2 | 2", "TOTAL | 3 | 4"],
            [("plumbing.toilet", 3, "each"), ("plumbing.faucet", 4, "each")],
        ),
        (
            ["Item; Unit A; Unit B; Total", "Interior doors; 5; 4; 9", "Smoke detectors; 3; 3; 6"],
            [("doors.interior", 9, "each"), ("electrical.smoke-detector", 6, "each")],
        ),
        (["Item\tPrice", "Interior doors\t220", "Toilets\t350"], []),
    ],
)
def test_the_things_of_a_pasted_table_are_asked_for(drafter, rows, expected):
    text = "Please quote:\n" + "\n".join(rows)
    assert amounts(drafter, text) == expected


def test_only_a_bracket_above_a_table_tells_its_unit(drafter):
    table = "\nItem | Qty\nOutlets | 4\nCeiling fans | 2"
    counts = [("electrical.outlet", 4, "each"), ("electrical.ceiling-fan", 2, "each")]
    assert amounts(drafter, f"The list for our 1,200 sq ft house:{table}") == counts
    trim = "Trim takeoff (lin. ft)\nRoom; Crown; Baseboard\nLiving; 58; 52\nDining; 46; 40"
    assert amounts(drafter, trim) == [("carpentry.crown-molding", 104, "ft"), ("carpentry.baseboard", 92, "ft")]


def test_a_table_of_totals_alone_is_none(drafter):
    assert drafted(drafter, "a | b\ntotal | 3\ntotal | 4").lines == ()


def test_prices_of_a_pasted_table_are_no_quantities(drafter):
    text = "Please quote:\nItem\tPrice\nInterior doors\t220\nToilets\t350"
    lines = drafted(drafter, text).lines
    assert [(line.task_id, line.qty, line.optional) for line in lines] == [("doors.interior", 1, True)]


def test_a_column_of_areas_measures_what_was_asked_for_before(drafter):
    text = "New carpet, my measurements:\nRoom, Size, SF\nMaster, 14x16, 224\nBed 2, 11x12, 132\nTOTAL,,356"
    assert amounts(drafter, text) == [("flooring.carpet", 356, "sqft")]


def test_the_draft_says_what_each_place_has(drafter):
    draft = drafted(drafter, "Hall bath: two new faucets. Powder room: new faucet.")
    assert any("2 (Hall bath) + 1 (Powder room) = 3 each." in one for one in draft.assumptions)


def test_a_note_of_supply_holds_for_the_thing_in_every_place(drafter):
    draft = drafted(
        drafter,
        "Hall bath: swap toilet. Powder room: swap toilet. Master: exhaust fan. Toilets are sitting in the garage, "
        "I bought them at the sale in May.",
    )
    assert [(line.task_id, line.qty, line.kind.value) for line in draft.lines] == [
        ("plumbing.toilet", 2, "labour"),
        ("electrical.bath-fan", 1, "service"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Description\tQty\tUnit\tRate\nPaint walls\t120\tm2\t\nLay laminate\t35\tm2\t",
        "| Item | Qty | Unit |\n|---|---|---|\n| Paint walls | 120 | m2 |\n| Lay laminate | 35 | m2 |",
        "| Item | Qty | Unit |\n| :-- | --: | :-: |\n| Paint walls | 120 | m2 |\n| Lay laminate | 35 | m2 |",
    ],
)
def test_a_sheet_with_a_rate_to_fill_in_or_a_rule_below_its_head_is_read_row_by_row(drafter, text):
    lines = drafted(drafter, text).lines
    assert [(one.task_id, one.qty, one.unit) for one in lines] == [
        ("painting.interior-walls", 120, "m2"), ("flooring.laminate", 35, "m2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Two buildings with 10 units each. New toilet in each unit.", 20),
        ("Three buildings, each with 12 units. Replace the toilet in each unit.", 36),
        ("4 blocks of 6 flats. New toilet in each flat.", 24),
        ("We have two buildings, 10 units in each. Replace the toilet in every unit", 20),
        ("2 buildings of 10 units each, replace the toilet in every unit", 20),
        ("Building 1 has 4 units, building 2 has 6 units. Replace the toilet in every unit.", 10),
        ("Building A: 12 units. Building B: 8 units. Replace the toilet in each unit.", 20),
        ("4 units. Each unit has 2 bathrooms. New toilet in each bathroom.", 8),
        ("In each unit, units 4, 7 and 9, replace the toilet", 3),
        ("Replace 2 toilets in each unit, units 4, 7 and 9", 6),
        ("Six flats, in each: 2 toilets", 12),
        ("We have 4 units, in each: replace the toilet", 4),
        # One number tells all of them, or nothing tells that each has as many.
        ("20 units in total, two buildings with 10 units each. New toilet in each unit.", 20),
        ("There are 20 units in two buildings. New toilet in each unit.", 20),
        ("Building with 10 units. New toilet in each unit.", 10),
        ("Two buildings with 10 units. New toilet in each unit.", 10),
        ("2 floors, 6 units. New toilet in each unit.", 6),
        ("Building 1 has 4 units. Replace the toilet in every unit.", 4),
        ("12 units, 8 units are occupied. Replace the toilet in each unit.", 12),
        ("4 flats. New toilet in each flat.", 4),
    ],
)
def test_homes_are_counted_over_all_that_they_are_in(drafter, text, number):
    toilets = [qty for task, qty, _ in amounts(drafter, text) if task == "plumbing.toilet"]
    assert toilets == [number]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Building 1: 24 wall lights. Building 2: same. Building 3: half as many.", 60),
        ("House 1: 10 smoke detectors. House 2: double that.", 30),
        ("Unit 1: 4 outlets. Unit 2: ditto. Unit 3: twice that.", 16),
        ("Unit 1: 4 outlets. Unit 2: the same. Unit 3: half that", 10),
        ("Room 1: 3 windows. Room 2: twice as many", 9),
        ("Unit 1: 400 sqft LVP. Unit 2: double that", 1200),
        # Half of three are two; a double one is no number.
        ("Unit 1: 3 toilets. Unit 2: half that", 5),
        ("Unit 1: 3 doors\nUnit 2: double", 3),
    ],
)
def test_half_as_many_and_double_that_are_of_the_place_before(drafter, text, number):
    assert [qty for _, qty, _ in amounts(drafter, text)] == [number]


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("Living room 15x18, dining is same, hall 4x20: refinish hardwood", 620),
        ("Bedroom 12x12 carpet, office same size, hall 4x10", 328),
        ("Kitchen 10x12 and dining the same, LVP", 240),
        ("Carpet: bedroom 1 is 12x12, bedroom 2 is the same size", 288),
        ("Carpet the bedroom 12x12 and the office, same size", 288),
        ("LVP in the kitchen 10x12, dining room ditto", 240),
        ("Carpet two bedrooms, first 12x12, second bedroom is the same", 288),
        # The same of something else.
        ("Replace carpet in the basement 20x20 with the same", 400),
        ("Carpet the bedroom 12x12, same pad as the office", 144),
        ("New carpet in bedroom 12x12, the hall is the same height", 144),
    ],
)
def test_a_room_that_is_as_large_as_the_one_before_has_its_size(drafter, text, area):
    assert sum(qty for task, qty, _ in amounts(drafter, text) if task.startswith("flooring.")) == area
