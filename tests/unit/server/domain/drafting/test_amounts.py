"""Promises of amounts: parts add up, what is said of each is multiplied, and the whole is not counted twice."""

from decimal import Decimal

import pytest

from server.domain.settings import PricingSettings
from tests.unit.server.domain.drafting.charging import amounts


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "Frame a wall 20 ft long and 8 ft high. Hang drywall on both sides.",
            [("carpentry.framing", 160, "sqft"), ("drywall.install", 320, "sqft")],
        ),
        (
            "Stud wall 4m long and 2.4 m high. Skim both faces.",
            [("drywall.partition", 9.6, "m2"), ("plastering.skim", 19.2, "m2")],
        ),
        (
            "Laminate for 3 rooms, all 11x12. Baseboard around all of it.",
            [("flooring.laminate", 396, "sqft"), ("carpentry.baseboard", 138, "ft")],
        ),
        (
            "Lay turf on the lawn, 10m x 6m. 50mm of topsoil under it first.",
            [("landscaping.sod", 60, "m2"), ("landscaping.topsoil", 3, "m3")],
        ),
        # How large the place is that the sentence before tells of.
        (
            "Two bedrooms, one is 3m x 4m and the other 3.5m x 4m, both carpeted. Take the carpet up and fit laminate.",
            [("flooring.carpet-remove", 26, "m2"), ("flooring.laminate", 26, "m2")],
        ),
        (
            "Two patios out back, one 10x12 and the other 8x10, both cracked concrete. Break them out and lay pavers.",
            [("concrete.slab-remove", 200, "sqft"), ("paving.paver-patio", 200, "sqft")],
        ),
        (
            "Garage, 24x24. Epoxy the floor, 4 outlets, and hang drywall on the walls, 800 sq ft.",
            [("concrete.seal", 576, "sqft"), ("electrical.outlet", 4, "each"), ("drywall.install", 800, "sqft")],
        ),
        (
            "Drive: 11 x 5m, existing tarmac knackered, dig out 200, grab away. Block pave 50mm herringbone. Aco to the "
            "garage door 5m.",
            [("paving.asphalt-remove", 55, "m2"), ("paving.block-driveway", 55, "m2")],
        ),
        (
            "Roof sheets 120 m2 of old asbestos super six off and corrugated Colorbond on. New steel gutters, 24 "
            "metres.",
            [
                ("demolition.asbestos-roof", 120, "m2"),
                ("roofing.metal", 120, "m2"),
                ("gutters.steel", 24, "m"),
            ],
        ),
        # As much as of the same surface, by the whole of a number, of the rooms that are named.
        (
            "Skim walls 42m2, skim ceiling 18m2. Emulsion the walls after, same areas.",
            [("plastering.skim", 42, "m2"), ("plastering.ceiling", 18, "m2"), ("painting.interior-walls", 42, "m2")],
        ),
        (
            "Our shop is 1,100 sq ft. Paint 2,000 sq ft of walls, 16 recessed lights, LVP over the whole 1,100.",
            [
                ("painting.interior-walls", 2000, "sqft"),
                ("electrical.recessed-light", 16, "each"),
                ("flooring.vinyl-plank", 1100, "sqft"),
            ],
        ),
        (
            "Sand & refinish oak: LR 16x20, DR 12x14. Carpet in LR comes off first.",
            [("flooring.refinish", 488, "sqft"), ("flooring.carpet-remove", 320, "sqft")],
        ),
        (
            "LVP in L/R 14x18 and D/R 10x12. Remove the old tile in the D/R.",
            [("flooring.vinyl-plank", 372, "sqft"), ("tiling.floor-remove", 120, "sqft")],
        ),
        (
            "Floor screed for the extension, 6 m by 4 m, and for the utility, 3 m by 2 m. Then tile only the utility floor.",
            [("concrete.leveling", 30, "m2"), ("tiling.floor", 6, "m2")],
        ),
        # Another surface is other work, and a hole is none of the room's.
        (
            "Tile: 80 sq ft of shower wall, 30 sq ft on the bathroom floor.",
            [("tiling.wall", 80, "sqft"), ("tiling.floor", 30, "sqft")],
        ),
        (
            "Paint the ceilings of two bedrooms, 12x13 and 11x10. There's a doorknob hole in the small one to patch.",
            [("painting.ceiling", 266, "sqft"), ("drywall.hole", 1, "each")],
        ),
        # What a request begins with by its name is as much as a later sentence tells.
        (
            "Suite 210 demising wall\n1. 32 LF x 9' H metal stud partition, L4 finish, batts in cavity\n"
            "2. Paint new wall, both faces, 576 SF",
            [
                ("drywall.partition", 288, "sqft"),
                ("insulation.batt", 288, "sqft"),
                ("painting.interior-walls", 576, "sqft"),
            ],
        ),
        (
            "Bed bugs. Need treatment in both bedrooms and the living room asap",
            [("pest-control.bed-bugs", 3, "each")],
        ),
        (
            "Skim 40 m2 on the walls, 15 m2 on the ceiling.",
            [("plastering.skim", 40, "m2"), ("plastering.ceiling", 15, "m2")],
        ),
        (
            "Tile the bathroom floor, 60 sq ft, and the walls, 210 sq ft.",
            [("tiling.floor", 60, "sqft"), ("tiling.wall", 210, "sqft")],
        ),
        (
            "Retaining wall, block, 40 feet long, 3 ft high. Drain pipe behind it the full length.",
            [("concrete.retaining-wall", 120, "sqft"), ("landscaping.french-drain", 40, "ft")],
        ),
    ],
)
def test_what_was_measured_for_one_work_measures_the_next(drafter, text, lines):
    assert amounts(drafter, text) == lines


@pytest.mark.parametrize(
    "text",
    [
        "Remove the oak, trim the maple.",
        "Take down the dead elm and the stump.",
        "There is an oak and an elm. Remove the dead pine.",
    ],
)
def test_things_of_other_work_are_not_counted(drafter, text):
    assert ("tree-work.remove", 1, "each") in amounts(drafter, text)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        # Parts of one work, with and without their units.
        ("skim two ceilings, 12x12 and 10x11", ("plastering.ceiling", 254, "sqft")),
        ("fence 80 ft on the left, 60 on the right and 40 across the back", ("fencing.wood", 180, "ft")),
        ("wood fence, 22 ft down the left side, 18 ft down the right", ("fencing.wood", 40, "ft")),
        ("Refinish hardwood floors:\nliving room 13x18\nhallway 4x14", ("flooring.refinish", 290, "sqft")),
        ("paint the ceilings in my living room (14 x 18) and dining room (12 x 12)", ("painting.ceiling", 396, "sqft")),
        ("install 22 sq yds of carpet in the basement and 9 sq yds in the den", ("flooring.carpet", 31, "sqyd")),
        ("laminate: lounge 15 x 12 ft, dining room 10 x 10 ft and hall 60 sq ft", ("flooring.laminate", 340, "sqft")),
        ("New LVP. Dining room 12x14, sun room 10x12, mud room 6x8.", ("flooring.vinyl-plank", 336, "sqft")),
        ("Seal the concrete: garage 24x24, workshop area 12x20, breezeway 6x14", ("concrete.seal", 900, "sqft")),
        ("Refinish hardwood: den is 240 square feet, dining room 160, hallway 60.", ("flooring.refinish", 460, "sqft")),
        (
            "Attic insulation, blown in. Unit 1 is 700 sq ft, unit 2 is 700, unit 3 is 820.",
            ("insulation.blown-in", 2220, "sqft"),
        ),
        ("Refinish the floors in living 14x18 hall 3x16 and dining 11x13", ("flooring.refinish", 443, "sqft")),
        ("Repoint in lime: front elevation 20 m2, gable 40 m2, rear 15 m2.", ("masonry.repoint-lime", 75, "m2")),
        ("Drywall the garage: one wall 24 ft, the other two 18 ft each, all 9 ft high.", ("drywall.install", 540, "sqft")),
        (
            "Tile the tub surround. Back wall 5 ft, the two ends 2.5 ft each, all up to 8 ft.",
            ("tiling.wall", 80, "sqft"),
        ),
        ("Drywall, two walls, 16 ft and 12 ft, height 9 ft.", ("drywall.install", 252, "sqft")),
        ("Trim the hedge. Back is 60 ft, the two sides are 40 each.", ("landscaping.hedge-trimming", 140, "ft")),
        (
            "Block wall, 60 ft along the alley and 25 ft returning to the garage, 6 ft high.",
            ("masonry.block-wall", 510, "sqft"),
        ),
        ("Replace fascia and soffit, 2 x 9 m plus 2 x 5 m.", ("roofing.fascia-soffit", 28, "m")),
        ("Sealcoat the church lot. It measures 80 ft wide and 110 ft deep.", ("paving.sealcoat", 8800, "sqft")),
        (
            "Vinyl siding on the three gables. Each gable is a triangle 20 ft wide at the bottom and 8 ft tall.",
            ("siding.vinyl", 240, "sqft"),
        ),
        (
            "Replace fogged glass in six windows. Four are 36 by 48, two are 24 by 36.",
            ("windows.glass-double", 60, "sqft"),
        ),
        ("Regrout the shower: two walls at 1 m x 2 m and one at 1.5 m x 2 m.", ("tiling.regrout", 7, "m2")),
        (
            "Stud partition. One length 4m, then a return of 2.5, floor to ceiling is 2.4m.",
            ("drywall.partition", 15.6, "m2"),
        ),
        ("Hang drywall:\n- wall A 20 x 9\n- wall B 14 x 9\n- wall C 8 x 9", ("drywall.install", 378, "sqft")),
        ("Mulch the front bed, 20x6, and the back bed, 30x4, 3 inches deep.", ("landscaping.mulch", 60, "cuft")),
        ("4 bedrooms 12x12. New carpet in all of them.", ("flooring.carpet", 576, "sqft")),
        # Parts told behind the first, and beside it.
        ("Concrete driveway 12 ft wide by 60 long w/ a turnaround at the top 20x20", ("concrete.driveway", 1120, "sqft")),
        (
            "Pave our drive in asphalt, 14 ft wide x 110 long w a parking pad at the end 30x24",
            ("paving.asphalt-driveway", 2260, "sqft"),
        ),
        ("Replace guttering: front 8m, sides 2 lots of 6.", ("gutters.aluminum", 20, "m")),
        ("Repoint the ridge, 9m, and hips, 4 lots of 4 m", ("roofing.ridge-tiles", 25, "m")),
        (
            "Ridge tiles slipping. Ridge 8m hips 2 lots of 5.5 want it all doing dry fix not mortar",
            ("roofing.ridge-tiles", 19, "m"),
        ),
        (
            "Bath is 5 ft along one wall and 30 inches across the end, recaulk it",
            ("plumbing.bathtub-reseal", 7.5, "ft"),
        ),
        (
            "The worktop runs 3 m along the back and 1.2 m down the side. Reseal the silicone behind it.",
            ("plumbing.bathtub-reseal", 4.2, "m"),
        ),
        ("Tile the splashback, 3 m at 0.6 high, plus another 1.2 sqm behind the cooker", ("tiling.backsplash", 3, "m2")),
        (
            "Tile backsplash 12 ft at 18 inches high plus another 6 sq ft behind the range",
            ("tiling.backsplash", 24, "sqft"),
        ),
        (
            "Kitchen splashback tiling, metro tiles, 4.3 linear metres at 0.5 high plus behind the hob up to the extractor "
            "another 0.6 sqm.",
            ("tiling.backsplash", 2.75, "m2"),
        ),
        # How high rooms are, told elsewhere: sides are a plan.
        ("Three rooms 10x10, 10x12 and 12x12, 8 ft ceilings. Paint the walls.", ("painting.interior-walls", 1056, "sqft")),
        ("Paint the accent wall 12 x 9, ceilings are 9 ft.", ("painting.interior-walls", 108, "sqft")),
        # What is taken off.
        ("Drop ceiling, 20'x30', but leave out the 6x10 corner.", ("drywall.ceiling", 540, "sqft")),
        ("Hang drywall on one wall, 20 ft x 9 ft, minus a 4 x 5 window.", ("drywall.install", 160, "sqft")),
        ("Paint one wall, 20 ft x 9 ft, minus a 6 x 7 patio door.", ("painting.interior-walls", 138, "sqft")),
        (
            "Paint the side of the barn, 40 ft x 12 ft. It has a 16 x 8 garage door in it, subtract that.",
            ("painting.exterior", 352, "sqft"),
        ),
        ("Baseboard all round a 14 x 20 office, less one 3 ft door opening.", ("carpentry.baseboard", 65, "ft")),
        ("Tile the bath floor, 9x11 less the tub (5 x 3) and the vanity 2x6.", ("tiling.floor", 72, "sqft")),
        (
            "Chain link fence, 100 ft on the left, 80 ft on the right, less 12 ft for a driveway.",
            ("fencing.chain-link", 168, "ft"),
        ),
        ("Repoint the rear wall, 7 m wide and 5 m high, knock off 6 m2 for windows.", ("masonry.tuckpointing", 29, "m2")),
        # What is told of all that was counted, of the whole, by sheets.
        (
            "Two silver maples, maybe 50 footers, one leans over the garage. Both gotta come down",
            ("tree-work.remove-medium", 2, "each"),
        ),
        (
            "Fence down the side, 180 ft, green with algae and the back run, 40 ft, has come loose. Stain the lot please.",
            ("fencing.stain", 1080, "sqft"),
        ),
        # So many, each so large.
        ("laminate in 3 rooms, all 11x12", ("flooring.laminate", 396, "sqft")),
        ("mulch 4 beds, each 10 x 4, 3 inches deep", ("landscaping.mulch", 40, "cuft")),
        ("Wood fence: 50 ft on each side and 70 ft across the rear", ("fencing.wood", 170, "ft")),
        ("Front and back of the house need new fascia and soffit, 44 ft each", ("roofing.fascia-soffit", 88, "ft")),
        # Sides without a unit, each with its name.
        ("new concrete driveway 24 wide 60 long", ("concrete.driveway", 1440, "sqft")),
        ("wood fence 6 high 80 long", ("fencing.wood", 80, "ft")),
        # What a thing comes with, is made of or is carried over counts nothing.
        ("a new garage door opener w/ wifi and 2 remotes", ("garage-doors.opener", 1, "each")),
        ("a bigger loft hatch with a 3 section folding attic ladder", ("carpentry.attic-ladder", 1, "each")),
        ("move an upright piano that has to come up 6 outside steps", ("moving.piano", 1, "each")),
        ("System has 8 rads: power flush it", ("plumbing.power-flush", 1, "each")),
        # Both sides that were measured are not twice as much.
        ("Enamel paint the steel railings, 40 m2, both sides measured", ("painting.metal-enamel", 40, "m2")),
        # Here and there.
        ("two grab bars by the toilet and two in the shower", ("bathrooms.grab-bar", 4, "each")),
        ("recessed lights please. kitchen 8, hall 3, both baths 2 each", ("electrical.recessed-light", 15, "each")),
        ("Ceiling fans: one in each of the 3 bedrooms and one on the porch", ("electrical.ceiling-fan", 4, "each")),
        ("replace the toilets, 2 in each unit, there are 4 units", ("plumbing.toilet", 8, "each")),
        (
            "Outlets: two in each of the three bedrooms, four in the kitchen, one on the landing.",
            ("electrical.outlet", 11, "each"),
        ),
        (
            "Smoke detectors, hardwired: one per bedroom, three bedrooms, and one in the hallway.",
            ("electrical.smoke-detector", 4, "each"),
        ),
        ("We have 5 closets and want 2 shelves in each.", ("carpentry.closet-shelf", 10, "each")),
        ("Replace the toilet upstairs and the one downstairs.", ("plumbing.toilet", 2, "each")),
        ("250 business cards for each of the four of us.", ("printing.business-card", 1000, "each")),
        # Told one by one.
        ("A fridge and a chest freezer to haul away.", ("waste-removal.appliance", 2, "each")),
        ("An ash and a hemlock in the back, take them down.", ("tree-work.remove", 2, "each")),
        ("Remove the oak, the elm and the dead pine.", ("tree-work.remove", 3, "each")),
        # So often from one month to another.
        ("Weekly mowing April through September.", ("landscaping.mowing", 26, "visit")),
        ("Pool cleaning every two weeks, May to August.", ("pools.cleaning", 8, "visit")),
        # How many there are, told beside.
        ("The light switches are old. There are five of them. I'd like them replaced.", ("electrical.switch", 5, "each")),
        ("There are nine windows. I want the window screens replaced on every one of them.", ("windows.screen", 9, "each")),
        # All but some.
        ("We have 12 windows. Replace all but two.", ("windows.replace", 10, "each")),
        ("9 windows in the house. Replace all but the bath one.", ("windows.replace", 8, "each")),
        ("There are 16 sprinkler heads. 5 are fine, replace the rest.", ("landscaping.sprinkler-repair", 11, "each")),
        (
            "Replace all fourteen windows. Two of the fourteen are in the garage and those can stay.",
            ("windows.replace", 12, "each"),
        ),
        ("Grind out the five stumps, except the one nearest the house.", ("tree-work.stump-grinding", 4, "each")),
        # Put right.
        ("Ceiling fans, install 2. No wait, three.", ("electrical.ceiling-fan", 3, "each")),
        ("Concrete patio 12 x 14. Actually go 14 x 18.", ("concrete.patio", 252, "sqft")),
        (
            "Insulate the water pipes, 30 ft in the attic and 12 in the garage. No wait, 14 in the garage.",
            ("insulation.pipe", 44, "ft"),
        ),
        ("Baseboard: hall 9 ft, lounge 16 ft, kitchen 11 ft. Sorry, the kitchen is 8 ft.", ("carpentry.baseboard", 33, "ft")),
        ("Laminate in the den, 12x14. Correction, 12x16.", ("flooring.laminate", 192, "sqft")),
        # In the unit of the volume before.
        ("Mulch, 4 cubic yards for the front beds and 2 for the back.", ("landscaping.mulch", 6, "cuyd")),
        ("new faucets in both bathrooms and the kitchen", ("plumbing.faucet", 3, "each")),
        ("Replace the front and the back storm door", ("doors.storm", 2, "each")),
        ("Paint 3 bedrooms and the upstairs hallway", ("painting.room", 4, "each")),
        ("Mow the lawn weekly for 8 weeks", ("landscaping.mowing", 8, "visit")),
        ("need a hand hanging 3 interior doors", ("doors.interior", 3, "each")),
        ("We need a wood hand rail installed on the back steps, 8 ft", ("carpentry.handrail", 8, "ft")),
        # Parts that are told by where they are, of what is measured.
        ("Hedge cutting: 20 m privet at the front, 15 m laurel at the back.", ("landscaping.hedge-trimming", 35, "m")),
        ("Lay turf, side lawn 9 m x 4 m and the front strip 12 m x 2.5 m.", ("landscaping.sod", 66, "m2")),
        ("Run cat6 cable, 18 m to the study, 12 m to the lounge and 25 m to the flat.", ("electrical.data-cable", 55, "m")),
        ("Wood fence around three sides of the lot, two sides of 50 ft and 40 ft across the back.",
         ("fencing.wood", 140, "ft")),
        ("Fit 4 aluminium venetian blinds, each 1.2 m wide with a 1.5 m drop.", ("windows.blind", 7.2, "m2")),
        ("Fence 120 ft, 60 ft on the side is already done", ("fencing.wood", 120, "ft")),
        ("30 m of wood fencing, 1.8 m at the back and 1.2 m at the front", ("fencing.wood", 30, "m")),
        ("Replace 40 ft of waste pipe, 10 ft in the garage only if needed", ("plumbing.waste-pipe", 40, "ft")),
        ("Of the 12 internal doors on the 2nd floor 7 want replacing, the other 5 are fine.", ("doors.interior", 7, "each")),
        ("There are 24 solar panels but only the 16 on the north side need cleaning.", ("solar.clean", 16, "each")),
        # The whole and its parts, some of all, put right.
        ("15 recessed lights, 9 in the kitchen and 6 in the den", ("electrical.recessed-light", 15, "each")),
        ("Install 5 ceiling fans, four in bedrooms, one in the den", ("electrical.ceiling-fan", 5, "each")),
        ("hang 6 doors: 4 bedrooms and 2 closets", ("doors.interior", 6, "each")),
        ("7 of the 12 outlets need to be replaced", ("electrical.outlet-replace", 7, "each")),
        ("14 ft of wood fence please. No, sorry, I measured again, it's 17 ft", ("fencing.wood", 17, "ft")),
        ("install baseboard all around a room, 14 x 16, minus 3 ft for the door", ("carpentry.baseboard", 57, "ft")),
        ("The back yard is 80 by 100 ft but only half of it needs sod", ("landscaping.sod", 4000, "sqft")),
    ],
)  # fmt: skip
def test_an_amount_is_worked_out(drafter, text, amount):
    assert amounts(drafter, text) == [amount]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "120 ft of seamless aluminum gutters, plus 4 downspouts, 10 ft each",
            [("gutters.aluminum", 120, "ft"), ("gutters.downspout", 40, "ft")],
        ),
        (
            "The roof is 26 squares. I would like architectural shingles. Sixteen sheets of the decking will have to be "
            "replaced.",
            [("roofing.architectural-shingle", 26, "square"), ("roofing.sheathing", 512, "sqft")],
        ),
        (
            "replace 6 doors, 4 windows and 2 toilets",
            [("doors.interior", 6, "each"), ("windows.replace", 4, "each"), ("plumbing.toilet", 2, "each")],
        ),
        (
            "Two mini splits: one in the garage and one in the sunroom. Electrical circuit for each.",
            [("hvac.mini-split", 2, "each"), ("electrical.circuit", 2, "each")],
        ),
        (
            "Please quote:\nCeiling fans - 2\nSmoke detectors: 4\nInterior doors - 6",
            [
                ("electrical.ceiling-fan", 2, "each"),
                ("electrical.smoke-detector", 4, "each"),
                ("doors.interior", 6, "each"),
            ],
        ),
        (
            "Please quote:\n2 - ceiling fans\n3 - outlets",
            [("electrical.ceiling-fan", 2, "each"), ("electrical.outlet", 3, "each")],
        ),
        # Lines that end in a bare number are counted by it.
        (
            "Please quote:\npanel replacement 1\nnew outlets 14\nlight switches 6",
            [("electrical.panel", 1, "each"), ("electrical.outlet", 14, "each"), ("electrical.switch", 6, "each")],
        ),
        # Places told one after another are one list.
        (
            "Change the locks on the front door, the back door and the door from the garage.",
            [("locksmith.change", 3, "each")],
        ),
        (
            "Both bathrooms and the cloakroom need a new basin, and the tap in the kitchen drips.",
            [("plumbing.bathroom-sink", 3, "each"), ("plumbing.faucet-repair", 1, "each")],
        ),
        (
            "1,200 sq ft of vinyl siding and 1,200 sq ft of house wrap under it.",
            [("siding.vinyl", 1200, "sqft"), ("siding.house-wrap", 1200, "sqft")],
        ),
        (
            "1 - replace the toilet\n2 - fix the faucet\n3 - paint the door",
            [("plumbing.toilet", 1, "each"), ("plumbing.faucet-repair", 1, "each"), ("painting.door", 1, "each")],
        ),
    ],
)
def test_amounts_of_different_work_stay_apart(drafter, text, expected):
    assert amounts(drafter, text) == expected


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Replace the toilet. 2 in the afternoon is good", ("plumbing.toilet", 1, "each")),
        ("Install 3 ceiling fans please, 2 on Monday if possible", ("electrical.ceiling-fan", 3, "each")),
        ("We need 3 quotes. Replace one toilet upstairs.", ("plumbing.toilet", 1, "each")),
        ("Bath 2 needs a new faucet", ("plumbing.faucet", 1, "each")),
        ("clean 20 windows, 6 on the third floor are hard to reach", ("cleaning.window", 20, "each")),
        # What a thing is rated at, and what one thing has several of.
        ("replace the central AC with a 14.3 SEER2 unit", ("hvac.central-ac", 1, "each")),
        ("repour the front concrete steps, 5 risers, 4 ft wide", ("concrete.stairs", 1, "each")),
        ("duct cleaning, 14 supply vents and 2 returns", ("hvac.duct-cleaning", 1, "visit")),
        ("fit a 5 lever mortice lock on the side door", ("locksmith.change", 1, "each")),
    ],
)
def test_what_only_looks_like_an_amount_is_none(drafter, text, amount):
    assert amounts(drafter, text) == [amount]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What is put right afterwards.
        (
            "Need new can lights in the den, we were thinking 8, no wait make that 9.",
            [("electrical.recessed-light", 9)],
        ),
        ("Can you install 4 outlets in the garage, actually make it 5.", [("electrical.outlet", 5)]),
        (
            "Price for 6 interior doors please... no sorry, just counted again, it's 7 of them.",
            [("doors.interior", 7)],
        ),
        # How many there are, between a thing and its work.
        (
            "I'd like a 200A main with new meter base. The outlets, 23 of them, made three prong the proper way.",
            [("electrical.service-200", 1), ("electrical.outlet-replace", 23)],
        ),
        # What there is has a size of its own, and walls count no base.
        (
            "Sand the oak floors, living room 14 x 20. There's a patch by the radiator, some 12 sq ft, to be woven in.",
            [("flooring.refinish", 280)],
        ),
        (
            "Please set a new 60x32 shower tray with tile on three walls above it.",
            [("plumbing.shower-tray", 1)],
        ),
        ("Install a bathtub with a surround on three walls.", [("tiling.shower", 1)]),
        ("Tile the shower walls, 85 sq ft, white 3x12s.", [("tiling.wall", 85)]),
        # So many rooms of one size, what no line holds, what a whole is measured and counted by.
        (
            "Shampoo the bedroom carpets, one room 12x14 and two 11x11.",
            [("cleaning.carpet-area", 410)],
        ),
        (
            "Attic of a 1938 Tudor, about 1,150 sq ft, knob and tube already replaced, 3 inches of old rock wool between "
            "the joists. R-49 blown cellulose on top of what's there, please.",
            [("insulation.blown-in", 1150)],
        ),
        ("re-roof, 3 bed terrace, concrete tiles, 900 sq ft.", [("roofing.tile", 900)]),
        ("Clean all the windows, 22 of them, inside and out.", [("cleaning.window", 22)]),
        # Another thing puts nothing right.
        (
            "Replace 3 toilets, sorry 3 flappers",
            [("plumbing.toilet-repair", 3), ("plumbing.toilet", 3)],
        ),
        # How many there are of each place, told apart from how many places there are.
        ("Bathtub reglazing for a 3 unit building. Each unit has 2 tubs.", [("bathrooms.tub-reglaze", 6)]),
        ("We have 4 flats. Each flat has 3 smoke alarms that need replacing.", [("electrical.smoke-detector", 12)]),
        ("Boiler service please on each of our three flats.", [("hvac.boiler-service", 3)]),
        # Told in few words.
        ("I need grab rails put in. Two of em.", [("bathrooms.grab-bar", 2)]),
        ("Grab bars, one next to the toilet and a pair in the shower", [("bathrooms.grab-bar", 3)]),
        ("Two dozen of the old 2x2 fluorescents swapped for LED flat panels.", [("electrical.led-panel", 24)]),
        ("Locks: rekey front, back, garage entry and laundry", [("locksmith.rekey", 4)]),
        ("Clean the pool once a week while we're gone, 8 goes.", [("pools.cleaning", 8)]),
        (
            "Swap out every outlet in the condo, I walked it and got 22. Same for the light switches, eleven.",
            [("electrical.outlet-replace", 22), ("electrical.switch", 11)],
        ),
        # One figure of each: faces, squares, rooms by their letters.
        (
            "4 front panes need window graphics, each pane 3 ft x 5 ft, fully covered.",
            [("signage.window-graphics", 60)],
        ),
        ("The roof is 24 square, going with architectural shingles.", [("roofing.architectural-shingle", 24)]),
        ("Refinish oak floors / LR 14 x 20 / DR 12 x 14 / hall 4 x 15", [("flooring.refinish", 508)]),
        # Parts that are told in a sentence each, in words that go on, or of stretches of one length.
        ("Paint the ceilings. Living room 12 x 15. Dining room 12 x 12.", [("painting.ceiling", 324)]),
        (
            "Hedge to be planted, 14 metres across the front then 9 down each side.",
            [("landscaping.hedge-planting", 32)],
        ),
        ("Railing goes on the two 16 ft sides and along the 20 ft front of the deck.", [("decking.railing", 52)]),
        (
            "Lay architectural shingles: 24 squares on the house and another 6 on the garage.",
            [("roofing.architectural-shingle", 30)],
        ),
        (
            "Replace the window screens. Downstairs there's 5 on the front and 4 round back.",
            [("windows.screen", 9)],
        ),
        ("Footings for a carport. 6 off 600 x 600 x 500 deep.", [("concrete.footing", Decimal("1.08"))]),
        ("Clean the pool once a fortnight for 12 weeks.", [("pools.cleaning", 6)]),
        (
            "Three closets. In each one: two shelves and one rod.",
            [("carpentry.closet-shelf", 6), ("carpentry.closet-rod", 3)],
        ),
        # No range goes over a line, and an area before "drive" is no address.
        (
            "Scope:\n- new PT deck 12x20\n- 45 LF railing",
            [("decking.pressure-treated", 240), ("decking.railing", 45)],
        ),
        (
            "Concrete: remove existing 300 sf drive, new drive 20x40.",
            [("concrete.slab-remove", 300), ("concrete.driveway", 800)],
        ),
        # Lists by letters, and things beside what is measured.
        (
            "Need pricing: (a) 100 lf 6' chain link (b) one 12' double gate (c) remove 100 lf old fence",
            [("fencing.chain-link", 100), ("fencing.gate", 1), ("fencing.remove", 100)],
        ),
        (
            "Landscape: 12 yds mulch, 30 shrubs, 2000 sf sod.",
            [("landscaping.mulch", 12), ("landscaping.shrub", 30), ("landscaping.sod", 2000)],
        ),
        # A size behind work that tells its own is of something else.
        ("Stain the deck 12x16. Kitchen 10x12.", [("decking.stain", 192)]),
        # What is there already is not asked for.
        ("There are 2 outlets in the garage already, add 3 more.", [("electrical.outlet", 3)]),
        # What a slash parts is a list where it stands twice.
        (
            "Install new AC unit / new furnace / water heater",
            [("hvac.central-ac", 1), ("hvac.furnace", 1), ("plumbing.water-heater", 1)],
        ),
    ],
)
def test_amounts_are_gathered_from_where_they_are_told(drafter, text, expected):
    lines = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH")).lines
    assert sorted((line.task_id, line.qty) for line in lines if not line.optional) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The point behind a measure ends the sentence where the measure stands behind its thing.
        ("REBUILD STEPS 4 EACH. REPLACE GUTTERS, 160 LIN FT. GARAGE ROOF NOT INCLUDED.", ("gutters.aluminum", 160, "ft")),
        ("INTERIOR DEMOLITION, 1,850 SQ FT. ASBESTOS ABATEMENT BY OTHERS.", ("demolition.interior", 1850, "sqft")),
        ("Install new 6 ft. metal sliding gate", ("fencing.gate", 1, "each")),
        # What a verb is for is counted, whatever it is called; a third one is one.
        ("crown lift the two limes by the entrance", ("tree-work.prune", 2, "each")),
        ("Joists are sagging, the inspector counted 5 that need sistering.", ("carpentry.joist", 5, "each")),
        ("Hang 2 ceiling fans, plus a third one in the den with no wiring yet", ("electrical.ceiling-fan", 1, "each")),
        # How they are is no more of them, and bags are no loads.
        ("need 6 windows replaced, all standard double hung approx 36x60", ("windows.replace", 6, "each")),
        ("Haul away 8 bags of leaves", ("landscaping.leaf-removal", 1, "visit")),
        # A home's baths, and homes that each get a visit.
        ("clean a 2 bedroom 2 bath apartment, move-out clean", ("cleaning.tenancy-2", 1, "each")),
        ("Clean the gutters of 3 terraced houses", ("gutters.clean-house", 3, "visit")),
        # What covers a surface has a size of its own; boards are 4 x 8 ft, and a partition is no room.
        ("Take down a suspended ceiling 14x9 ft. New 600x600 grid to same area", ("drywall.ceiling", 126, "sqft")),
        ("Hang 40 sheets of drywall", ("drywall.install", 1280, "sqft")),
        ("A drywall partition to split one room, 12 ft long x 8 ft", ("drywall.partition", 96, "sqft")),
        ("Reside the garage, 24x24 with 8 ft walls, vinyl", ("siding.vinyl", 768, "sqft")),
        # Surfaces told of each room.
        (
            "Painting: Living room 15 x 20, walls only. Also dining room 11 x 13, walls plus ceiling.",
            ("painting.interior-walls", 1087, "sqft"),
        ),
        # Of two measures of one work, the one told with it.
        (
            "Brick ranch, 1,600 square feet. Carpet to come up, 1,150 square feet, vinyl plank in its place, same area.",
            ("flooring.vinyl-plank", 1150, "sqft"),
        ),
        # Asked for by area, and not by the room or the house that it is in.
        ("Replaster the lounge, 38 m2", ("plastering.full", 38, "m2")),
        ("new roof on the house, 24 squares", ("roofing.asphalt-shingle", 24, "square")),
        # A bare measure is of the work that is told so.
        ("Need mulch and edging in the beds, 5 yds, 80 ft edging.", ("landscaping.mulch", 5, "cuyd")),
        ("Handyman for a day, 8 hours, odds and ends", ("handyman.hour", 8, "h")),
        # Rooms under a heading, each with its size.
        ("LVP in these rooms:\n- Bed 1 12x12\n- Bed 2 10x11\n- Hall 4x18", ("flooring.vinyl-plank", 326, "sqft")),
        ("Paint these rooms:\n- Bed 1 12x12\n- Bed 2 10x11\n- Hall 4x18", ("painting.room", 3, "each")),
        # As high as it is told, of the room whose size is told.
        ("Tile the bathroom walls up to 4 ft, room is 5x8.", ("tiling.wall", 104, "sqft")),
        # So many homes are so many visits, and a kind is counted in its own unit.
        ("Boiler service for our 3 flats in Hove, all combis", ("hvac.boiler-service", 3, "visit")),
        ("Quote for kitchen cabinet painting, 22 doors.", ("painting.cabinet-door", 22, "each")),
        # Sizes of tiles and gutters, and heights of fences, are no amounts.
        ("Hall bath: floor tile 12x24 porcelain 62 SF", ("tiling.floor", 62, "sqft")),
        ('160 LF 5" aluminum gutter and 160 LF gutter guard', ("gutters.aluminum", 160, "ft")),
        ("Replace 120 LF of 4 ft chain link with 6 ft cedar privacy fence", ("fencing.wood", 120, "ft")),
        ("Bath gut: demo, new tub, tile surround 75 sf", ("tiling.wall", 75, "sqft")),
        ("Locks: rekey 4, replace front deadbolt.", ("locksmith.rekey", 4, "each")),
        ("All locks rekeyed to one key: 4 deadbolts and 3 knobs.", ("locksmith.rekey", 7, "each")),
        ("Garage door 16x7 replaced, new opener and 2 remotes.", ("garage-doors.opener", 1, "each")),
        ("Concrete patio 16x18 w broom finish", ("concrete.patio", 288, "sqft")),
        ("replace 24 stained ceiling tiles 2x4", ("drywall.ceiling", 192, "sqft")),
        ("New carpet for the living room, 18x20, 2 windows to be cleaned", ("flooring.carpet", 360, "sqft")),
        # The whole that the request begins with.
        ("Ground floor, 720 sq ft. Need vinyl plank throughout.", ("flooring.vinyl-plank", 720, "sqft")),
    ],
)  # fmt: skip
def test_an_amount_is_of_what_it_is_told_of(drafter, text, expected):
    assert expected in amounts(drafter, text)


def test_a_measure_of_another_kind_is_not_borrowed(drafter):
    """100 ft of cracks are no 1,080 sq ft of them, and are priced by the foot."""
    draft = drafter.draft(
        "Driveway sealcoat, roughly 60x18, plus fill the cracks - maybe 100 ft of them",
        settings=PricingSettings(home_location="Columbus, OH"),
    )
    filled = next(line for line in draft.lines if line.task_id == "paving.crack-fill")
    assert (filled.qty, filled.unit) == (100, "ft")


def test_homes_listed_ahead_each_get_what_the_list_asks_for(drafter):
    text = (
        "Please quote for Units 3B and 5A, same work in each unit:\n- replace exhaust fan\n- swap 4 receptacles to GFCI"
    )
    assert amounts(drafter, text) == [("electrical.bath-fan", 2, "each"), ("electrical.outlet-replace", 8, "each")]


def test_fence_panels_come_to_a_length_where_metres_are_usual(drafter):
    """6 × 1.83 m in Leeds, a question in Columbus, where panels are sold in several lengths."""
    bays = drafter.draft("New wood fence, 8 bays, 6ft high", settings=PricingSettings(currency="GBP"))
    assert [(float(line.qty), line.unit) for line in bays.lines] == [(14.64, "m")]
    there = drafter.draft("Replace 6 fence panels", settings=PricingSettings(currency="GBP", home_location="Leeds"))
    assert [(line.task_id, float(line.qty), line.unit) for line in there.lines] == [("fencing.wood", 10.98, "m")]
    assert amounts(drafter, "Replace 6 fence panels") == [("fencing.wood", 1, "ft")]


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("New PT deck 12x16. Demo exist 10x10 deck. Alt: composite decking ILO PT.", ("decking.composite", 192)),
        ("Asphalt shingle roof, 24 squares, tear off old. Alternate: metal roof.", ("roofing.metal", 24)),
        ("Quote a 16x20 paver patio. As an option price stamped concrete instead.", ("concrete.stamped", 320)),
        ("Gutters 160 ft with guards as an option", ("gutters.guard", 160)),
        (
            "Replacing our old laminate counters with granite, 55 sq ft. Tile backsplash about 35 sq ft. Can you also"
            " show me what quartz would be for the same tops?",
            ("kitchens.countertop-quartz", 55),
        ),
    ],
)
def test_an_alternative_is_as_much_as_what_it_is_instead_of(drafter, text, option):
    draft = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH"))
    options = [(line.task_id, float(line.qty)) for line in draft.lines if line.optional]
    # What the price of the roof has in it is no alternative.
    assert [one for one in options if one[0] != "roofing.shingle-remove"] == [option]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The old one is another than the one asked for.
        ("Vinyl fence, 120 ft, take down old.", [("fencing.vinyl", 120, "ft"), ("fencing.remove", 120, "ft")]),
        # What is under what comes off is painted; both of two commanded verbs count.
        (
            "Strip wallpaper and paint, 400 sf",
            [("painting.wallpaper-remove", 400, "sqft"), ("painting.interior-walls", 400, "sqft")],
        ),
        (
            "Remove wallpaper, 400 sf, repaint",
            [("painting.wallpaper-remove", 400, "sqft"), ("painting.interior-walls", 400, "sqft")],
        ),
        # The kind that brackets tell, and what something is replaced with.
        ("New countertops (45 sf, quartz).", [("kitchens.countertop-quartz", 45, "sqft")]),
        ("Replace our laminate counters with granite, 48 sq ft", [("kitchens.countertop-granite", 48, "sqft")]),
        # Who comes regularly is paid by the hour.
        ("Weekly cleaner wanted, 2 bed flat, about 3 hours.", [("cleaning.hour", 3, "h")]),
        # A whole that is told part by part, with how much, is no line beside its parts; what is elsewhere is no part.
        (
            "Kitchen refresh. New quartz countertop 42 sq ft, ceramic backsplash 30 sq ft, new kitchen faucet.",
            [
                ("kitchens.countertop-quartz", 42, "sqft"),
                ("tiling.backsplash", 30, "sqft"),
                ("plumbing.faucet", 1, "each"),
            ],
        ),
        (
            "Remodel the hall bathroom. Also replace the kitchen faucet, add 2 outlets in the garage, and install a "
            "utility sink in the laundry",
            [
                ("bathrooms.full", 1, "each"),
                ("plumbing.faucet", 1, "each"),
                ("electrical.outlet", 2, "each"),
                ("plumbing.kitchen-sink", 1, "each"),
            ],
        ),
        # A measure behind the kind that brackets tell.
        (
            "New quartz countertop (mid grade) 42 sq ft with undermount sink cutout",
            [("kitchens.countertop-quartz", 42, "sqft")],
        ),
        # Where a thing goes, and how often somebody comes.
        (
            "Rekey 3 existing locks and a new grade 1 deadbolt supplied and installed on the basement steel door",
            [("locksmith.rekey", 3, "each"), ("locksmith.deadbolt", 1, "each")],
        ),
        ("Mow, edge, blow 1.5 acres of turf, 28 visits", [("landscaping.mowing", 28, "visit")]),
        # A thing that was only named before its fault was told.
        (
            "Job title: Tap in bathroom\nDescription: hot tap wont turn off, drips",
            [("plumbing.faucet-repair", 1, "each")],
        ),
    ],
)
def test_all_that_is_asked_for_is_there_once(drafter, text, expected):
    assert amounts(drafter, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Gutter: clean and flush all, 180 ft, resecure a loose section.",
        "Masonry: rebuild mailbox in brick, repoint steps 12 sf.",
        "Re-tile shower walls 12 m2, waterproof, new screen.",
    ],
)
def test_work_of_another_measure_waits_for_its_own(drafter, text):
    """What would be guessed from the line beside it is a question instead."""
    draft = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH"))
    assert {float(line.qty) for line in draft.lines} - {180, 12} == {1}


def test_coats_of_what_is_not_priced_by_coats_are_in_its_price(drafter):
    settings = PricingSettings(home_location="Columbus, OH")
    once, thrice = (
        drafter.draft(f"sand and refinish 700 sq ft of oak floor{coats}", settings=settings)
        for coats in ("", ", 3 coats of poly")
    )
    assert thrice.lines[0].price == once.lines[0].price
    assert any("3 coats are asked for" in said for said in thrice.assumptions)
    painted = drafter.draft("paint 2 interior doors, two coats", settings=settings).lines[0]
    assert "2 coats" in painted.description


def test_a_service_is_priced_whoever_has_what_it_is_done_with(drafter):
    draft = drafter.draft("mount two TVs, I have the brackets", settings=PricingSettings(home_location="Columbus, OH"))
    assert [(line.task_id, line.qty, line.priced) for line in draft.lines] == [("electrical.tv-mount", 2, True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Please clean the driveway 1,200 sq ft and the roof 2,400 sq ft",
            [("cleaning.pressure-wash", 1200, "sqft"), ("roofing.moss", 2400, "sqft")],
        ),
        (
            "Please clean the gutters, 180 ft, and the roof, 2,400 sq ft",
            [("gutters.clean", 180, "ft"), ("roofing.moss", 2400, "sqft")],
        ),
        # The parts of six are no further doors.
        ("Six locks changed please, four flat doors and two communal.", [("locksmith.change", 6, "each")]),
    ],
)
def test_what_a_sentence_goes_on_to_measure_is_asked_for_too(drafter, text, expected):
    assert amounts(drafter, text) == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Bought a 4 cam kit from Costco, want all 4 up and wired back to the loft.", ("electrical.camera", 4, "each")),
        ("Hang 7 oak doors. Handles and latches for those 7 please.", ("doors.hardware", 7, "each")),
        ("Hang 5 interior doors. New handles for all five.", ("doors.hardware", 5, "each")),
        ("Six radiators sit in the hall. I would like all six hung.", ("plumbing.radiator", 6, "each")),
    ],
)
def test_all_of_them_are_as_many_as_were_spoken_of(drafter, text, line):
    assert line in amounts(drafter, text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "1. 6 recessed lights in the family room\n2. Ceiling fans, bedrooms - 3\n3. Replace the exhaust fan in the hall bath",
            [
                ("electrical.recessed-light", 6, "each"),
                ("electrical.ceiling-fan", 3, "each"),
                ("electrical.bath-fan", 1, "each"),
            ],
        ),
        (
            "Double sockets, lounge - 4\nDownlights, master bedroom - 8\nExtractor fan, bathroom - 1",
            [("electrical.outlet", 4, "each"), ("electrical.recessed-light", 8, "each"), ("electrical.bath-fan", 1, "each")],
        ),
        ("Smoke alarms, hall: 2\nCeiling fans, living room: 1", [
            ("electrical.smoke-detector", 2, "each"), ("electrical.ceiling-fan", 1, "each"),
        ]),
    ],
)  # fmt: skip
def test_a_number_behind_things_and_their_place_counts_the_things(drafter, text, lines):
    assert amounts(drafter, text) == lines


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Sealcoat the lot, 9,000 sq ft. Restripe, 22 stalls and 1 handicap.", ("paving.stall", 23, "each")),
        ("Restripe the lot - 42 stalls + 3 ADA", ("paving.stall", 45, "each")),
        ("Car park lines: 20 bays and 2 disabled.", ("paving.stall", 22, "each")),
        ("Interlinked alarms: smoke x5, heat x1 (kitchen)", ("electrical.smoke-detector", 6, "each")),
        ("5 no. mains smoke alarms interlinked + 1 heat, please", ("electrical.smoke-detector", 6, "each")),
        ("Fit 6 double sockets and 2 single.", ("electrical.outlet", 8, "each")),
        ("Clean 12 large windows and 3 small.", ("cleaning.window", 15, "each")),
    ],
)
def test_a_kind_that_is_counted_without_its_thing_is_more_of_it(drafter, text, line):
    assert line in amounts(drafter, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # Some of them, other things, and what has a price of its own.
        ("Wash 14 windows, 2 large.", ("cleaning.window", 14, "each")),
        ("Restripe the lot, 40 stalls, 3 ADA.", ("paving.stall", 40, "each")),
        ("10 windows, 2 large and 8 small, all to be replaced.", ("windows.replace", 10, "each")),
        ("Install 3 toilets and 1 sink.", ("plumbing.toilet", 3, "each")),
        ("Install 4 outlets, 1 GFCI.", ("electrical.outlet", 4, "each")),
        ("Hang 4 pendants, 1 chandelier, 2 vanity lights.", ("electrical.chandelier", 1, "each")),
    ],
)
def test_a_kind_of_those_before_or_of_something_else_is_no_more_of_it(drafter, text, line):
    assert line in amounts(drafter, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Make alcove cupboards with shelves above, one either side of the chimney breast.",
            ("carpentry.built-in", 2, "each"),
        ),
        ("New outdoor lights, one each side of the garage door.", ("electrical.outdoor-light", 2, "each")),
        ("New radiators, one at each end of the hall.", ("plumbing.radiator", 2, "each")),
        ("Put in a gate on either side of the house.", ("fencing.gate", 2, "each")),
        ("Two outdoor lights on each side of the garage.", ("electrical.outdoor-light", 4, "each")),
        # The number is told, or something else is on either side.
        ("Install 4 sconces, two on each side of the bed.", ("electrical.light", 4, "each")),
        ("Install 3 sconces, one on each side of the mirror and one over the bed.", ("electrical.light", 3, "each")),
        ("New front door with sidelights on each side.", ("doors.exterior", 1, "each")),
        ("Replace the front door, the frame is rotten on each side.", ("doors.exterior", 1, "each")),
        # Walls are listed as doors are.
        ("Chemical DPC by injection to kitchen rear wall and to party wall.", ("masonry.damp-injection", 2, "each")),
        ("Silicone DPC to rear wall, side wall and party wall.", ("masonry.damp-injection", 3, "each")),
    ],
)
def test_places_that_are_told_count(drafter, text, line):
    assert line in amounts(drafter, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A power flush of the whole system, 11 rads altogether.", ("plumbing.power-flush", 1, "each")),
        ("Power flush the heating (12 radiators in total).", ("plumbing.power-flush", 1, "each")),
        ("Rats behind the shed, lay 4 bait boxes.", ("pest-control.rats", 1, "each")),
        ("Put in a dehumidifier, have it. Vents 8 ea to close off with foam board.", ("hvac.humidifier", 1, "each")),
    ],
)
def test_what_one_work_has_many_of_counts_none(drafter, text, line):
    assert line in amounts(drafter, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Flat entrance doors at 4, 9 & 11 - strips missing, fit new with brushes.",
            ("insulation.weatherstrip", 3, "each"),
        ),
        ("Fire doors at flats 2, 5, 7 and 12 - closers missing, fit new.", ("doors.hardware", 4, "each")),
        ("Doors at 12, 14 and 19 - locks broken, replace.", ("locksmith.change", 3, "each")),
        ("Radiators in flats 3, 4 and 9: valves leaking, replace.", ("plumbing.radiator-valve", 3, "each")),
    ],
)
def test_what_is_wrong_in_several_places_is_mended_in_each(drafter, text, line):
    assert line in amounts(drafter, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "48 doors in the building, most ok. Apt 6 door was kicked in, needs a new one.",
            ("doors.interior", 1, "each"),
        ),
        (
            "There are 60 windows in the building. Unit 4 kitchen window is broken, new window please.",
            ("windows.replace", 1, "each"),
        ),
        ("Service the 22 internal doors in the block. Flat 7 door sticks.", ("doors.adjust", 22, "each")),
    ],
)
def test_how_many_a_building_has_is_not_how_many_are_worked_on(drafter, text, line):
    assert line in amounts(drafter, text)


@pytest.mark.parametrize("sign", [" --- ", " -- ", " | "])
def test_rows_of_a_sheet_ask_for_their_items(drafter, sign):
    rows = ["ROOM|ITEM|QTY", "Master bath|toilet|1", "Hall bath|toilet|1", "Hall bath|reglaze tub|1"]
    found = amounts(drafter, "\n".join(rows).replace("|", sign))
    assert sum(much for task, much, _ in found if task == "plumbing.toilet") == 2
    assert ("bathrooms.tub-reglaze", 1, "each") in found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "The gas meter is on the same side, 30 ft away. Need gas line and hookup.",
            ("plumbing.gas-line-length", 30, "ft"),
        ),
        ("New range, the meter is 20 feet away. Run a gas line to it.", ("plumbing.gas-line-length", 20, "ft")),
        (
            "Gutters on the back, 52 feet, have pulled away. Just replace that run, with two downspouts. Guards on the "
            "new run too.",
            ("gutters.guard", 52, "ft"),
        ),
        (
            "Block paving drive 62 m2, sunk in 2 places, about 6 m2 altogether, needs lifting and relaying. Then whole "
            "drive jet washed.",
            ("cleaning.pressure-wash", 62, "m2"),
        ),
        (
            "5 garden-style bldgs, gutter cleaning twice a yr. Each bldg two story, 220 LF of gutter.",
            ("gutters.clean", 1100, "ft"),
        ),
        ("Repoint gable end in lime, 3 bed terrace. Approx 38m2, soft red brick.", ("masonry.repoint-lime", 38, "m2")),
    ],
)
def test_how_much_may_be_told_beside_the_work(drafter, text, line):
    assert line in amounts(drafter, text)


def test_an_alternative_is_as_much_as_what_it_stands_for(drafter):
    text = (
        "1. Take up our rotten decking, approx 20 sq m.\n2. New composite decking, same footprint.\n"
        "As an alternative to 2 could we see the price in treated softwood?"
    )
    draft = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH"))
    (option,) = [line for line in draft.lines if line.task_id == "decking.pressure-treated"]
    assert (option.optional, float(option.qty), option.unit) == (True, 20, "m2")
