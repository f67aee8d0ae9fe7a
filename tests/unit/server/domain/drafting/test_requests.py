"""Requests as people write them, drafted from the embedded catalogue: each case is a rule of the reading."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from decimal import Decimal
from functools import cache

import pytest

from server.domain.draft import Draft
from server.domain.drafting.engine import Drafter
from server.domain.drafting.matching import TaskIndex
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from tests.unit.server.domain.drafting.charging import tasks_charged
from tools.drafting.marks import REQUESTS, SUPPLIED, marked
from tools.evaluation.drafting import SETS, draft_all, f1, read_requests
from tools.evaluation.drafting import figures as figures_of


@cache
def drafter() -> Drafter:
    embedded = load_embedded()
    return Drafter(embedded.catalogue, embedded.gazetteer)


def draft(text: str) -> Draft:
    return drafter().draft(text, settings=PricingSettings())


def lines(text: str) -> list[tuple[str, Decimal, str]]:
    return [(line.task_id, line.qty, line.unit) for line in draft(text).lines]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # figures told of each, lists, derived sizes
        ("Fit 4 downpipes, 2.5m each", [("gutters.downspout", "10", "m")]),
        ("Replace carpet in 2 bedrooms (12x12 and 10x11)", [("flooring.carpet", "254", "sqft")]),
        ("Our kitchen and both bathrooms each need a new faucet", [("plumbing.faucet", "3", "each")]),
        ("Dig a trench 50 ft long, 2 ft deep and 1 ft wide", [("earthworks.trench", "100", "cuft")]),
        ("Spread 6 yards of mulch", [("landscaping.mulch", "6", "cuyd")]),
        ("12 x 14 ft bedroom, walls and ceiling, two coats", [("painting.interior-walls", "584", "sqft")]),
        ("Two mini splits, and an electrical circuit for each",
         [("hvac.mini-split", "2", "each"), ("electrical.circuit", "2", "each")]),
        ("Tear down 80 ft of wood fence and put up new wood fence, same length",
         [("fencing.remove", "80", "ft"), ("fencing.wood", "80", "ft")]),
        ("Install GFCI outlets x4 by the countertops", [("electrical.gfci", "4", "each")]),
        ("Both the kitchen faucet and the garbage disposal need replacing",
         [("plumbing.faucet", "1", "each"), ("plumbing.garbage-disposal", "1", "each")]),
        # what a sentence without a verb describes, and of which the next has a part mended
        ("Double door 16x7 insulated steel. Replace both torsion springs.", [("garage-doors.spring", "2", "each")]),
        ("Deck 12x16. Replace the railing, 40 ft.", [("decking.railing", "40", "ft")]),
        ("Wood fence 120 ft. Replace 4 posts.", [("fencing.post", "4", "each")]),
        ("New 12x16 deck. Replace the back door.",
         [("decking.pressure-treated", "192", "sqft"), ("doors.exterior", "1", "each")]),
        # what somebody found wanting, broke out and had poured again
        ("The city cited us for the sidewalk. Replace 160 sq ft of sidewalk.", [("concrete.sidewalk", "160", "sqft")]),
        ("Two items: (1) repoint the brick wall, 120 sq ft; (2) tear out and repour the concrete steps",
         [("masonry.tuckpointing", "120", "sqft"), ("concrete.stairs", "1", "each")]),
        ("Front door closer leaking oil, replace it", [("doors.hardware", "1", "each")]),
        # things that are told apart by their kind, and by where they are
        ("Replace front door and storm door", [("doors.exterior", "1", "each"), ("doors.storm", "1", "each")]),
        ("Replace front and back storm doors", [("doors.storm", "2", "each")]),
        ("Replace front door and garage door", [("doors.exterior", "1", "each"), ("garage-doors.single", "1", "each")]),
        ("Replace the patio door and front door",
         [("doors.sliding-patio", "1", "each"), ("doors.exterior", "1", "each")]),
        # where it is, and how large that is
        ("We have a 24x24 garage and need a new roof", [("roofing.asphalt-shingle", "576", "sqft")]),
        ("Shed 10x12 needs new roof", [("roofing.asphalt-shingle", "120", "sqft")]),
        ("Pole barn 30x40, need concrete floor", [("concrete.slab", "1200", "sqft")]),
        ("Need slabs for 2 sheds 10x12", [("concrete.slab", "240", "sqft")]),
        ("Master bedroom 14x16, carpet", [("flooring.carpet", "224", "sqft")]),
        ("Master bedroom 14x16 and guest room 11x12, carpet both", [("flooring.carpet", "356", "sqft")]),
        ("House is 1600 sq ft ranch, need new roof", [("roofing.asphalt-shingle", "1600", "sqft")]),
        # what is treated, and not built
        ("Deck 12x20 and porch 8x10, stain both", [("decking.stain", "320", "sqft")]),
        ("Seal driveway 20x40 and walkway 4x30", [("paving.sealcoat", "920", "sqft")]),
        ("Stain our deck 12x20 and pergola", [("decking.stain", "240", "sqft")]),
        # who asks, and where he lives
        ("Customer at 220 Main wants a faucet replaced", [("plumbing.faucet", "1", "each")]),
        ("Mr Lee, 18 Oak, needs water heater replaced", [("plumbing.water-heater", "1", "each")]),
        ("Mrs Jones at 14 Elm wants 3 rooms painted", [("painting.room", "3", "each")]),
        ("Mrs Jones called, wants 2 toilets replaced", [("plumbing.toilet", "2", "each")]),
        ("Mr Brown phoned re boiler service", [("hvac.boiler-service", "1", "visit")]),
        ("Mr Brown rang, tap dripping", [("plumbing.faucet-repair", "1", "each")]),
        ("Tenant says heat not working", [("hvac.furnace-repair", "1", "each")]),
        ("Tenant stated toilet is clogged", [("plumbing.drain-snaking", "1", "visit")]),
        ("Painting 3 rooms", [("painting.room", "3", "each")]),
        # what is called off, and what is wanted in place of something
        ("1. Replace toilet\n2. Paint 3 rooms - cancelled", [("plumbing.toilet", "1", "each")]),
        ("1. Replace toilet\n2. Paint 3 rooms - on hold", [("plumbing.toilet", "1", "each")]),
        ("1. Replace toilet\n2. Paint 3 rooms - completed 4/2", [("plumbing.toilet", "1", "each")]),
        ("1. Replace toilet - approved\n2. Replace faucet - declined", [("plumbing.toilet", "1", "each")]),
        ("1. Replace toilet - yes\n2. Replace faucet - no", [("plumbing.toilet", "1", "each")]),
        ("Done: paint 3 rooms\nTo do: replace toilet", [("plumbing.toilet", "1", "each")]),
        ("Replace toilet and dishwasher. Dishwasher no longer needed", [("plumbing.toilet", "1", "each")]),
        ("Replace toilet and dishwasher. Please disregard the dishwasher", [("plumbing.toilet", "1", "each")]),
        ("We don't want carpet, we want laminate 200 sq ft", [("flooring.laminate", "200", "sqft")]),
        ("No carpet please, laminate 200 sq ft", [("flooring.laminate", "200", "sqft")]),
        ("No wallpaper, paint walls 300 sf", [("painting.interior-walls", "300", "sqft")]),
        ("Thought about carpet but going with laminate 200 sf", [("flooring.laminate", "200", "sqft")]),
        ("Not the whole fence, just 2 posts", [("fencing.post", "2", "each")]),
        # how forms count
        ("Replace outlet, Qty: 4", [("electrical.outlet-replace", "4", "each")]),
        ("Item: toilet\nAction: replace\nQty: 2", [("plumbing.toilet", "2", "each")]),
        ("Smoke detectors, replace. Quantity: 5", [("electrical.smoke-detector", "5", "each")]),
        ("Replace interior doors (4 no.)", [("doors.interior", "4", "each")]),
        ("Replace faucets (x3)", [("plumbing.faucet", "3", "each")]),
        ("Replace 14 outlets. Also 2 gfci",
         [("electrical.outlet-replace", "14", "each"), ("electrical.outlet-replace", "2", "each")]),
        ("Patio 12x14 in pavers", [("paving.paver-patio", "168", "sqft")]),
        # a number told as a whole and by its parts, and some of what is there
        ("Replace 10 windows, 8 double hung and 2 casement", [("windows.replace", "10", "each")]),
        ("Install 8 lights, 6 recessed and 2 pendants",
         [("electrical.recessed-light", "6", "each"), ("electrical.light", "2", "each")]),
        ("Replace 9 doors (6 bedroom doors, 3 closet doors)", [("doors.interior", "9", "each")]),
        ("Replace 5 doors: 3 interior, 2 exterior", [("doors.interior", "3", "each"), ("doors.exterior", "2", "each")]),
        ("Remove 5 trees, 3 oaks and 2 pines", [("tree-work.remove", "5", "each")]),
        ("Replace 6 toilets, 4 in the men's room and 2 in the women's", [("plumbing.toilet", "6", "each")]),
        ("3 toilets to replace, one of them is leaking", [("plumbing.toilet", "3", "each")]),
        ("Replace 6 outlets (2 cracked, 4 yellowed)", [("electrical.outlet-replace", "6", "each")]),
        ("Replace 3 faucets, 2 of them leak", [("plumbing.faucet", "3", "each")]),
        ("8 interior doors, 3 to be replaced", [("doors.interior", "3", "each")]),
        ("12 windows, 3 need new sealed units", [("windows.sealed-unit", "3", "each")]),
        ("Out of 20 outlets only 4 need replacing", [("electrical.outlet-replace", "4", "each")]),
        ("We have 12 radiators and 7 of the 12 need replacing", [("plumbing.radiator", "7", "each")]),
        ("I have 10 doors, 4 of which need painting", [("painting.door", "4", "each")]),
        ("Paint 12 windows, 4 of which are upstairs", [("painting.window", "12", "each")]),
        ("There are 10 interior doors, half need painting", [("painting.door", "5", "each")]),
        ("We have 9 sash windows and about a third of them need repairing", [("windows.adjust", "3", "each")]),
        ("House has 5 ceiling fans. Replace two.", [("electrical.ceiling-fan", "2", "each")]),
        ("3 new outlets in the office and 2 ceiling fans, also 1 dimmer switch in the hall",
         [("electrical.outlet", "3", "each"), ("electrical.ceiling-fan", "2", "each"),
          ("electrical.switch", "1", "each")]),
        # several kinds behind one verb
        ("Replace 5 interior doors and 2 exterior doors",
         [("doors.interior", "5", "each"), ("doors.exterior", "2", "each")]),
        ("Remove 3 oaks and 2 maples", [("tree-work.remove", "3", "each"), ("tree-work.remove", "2", "each")]),
        ("Replace kitchen sink and 2 bathroom sinks",
         [("plumbing.kitchen-sink", "1", "each"), ("plumbing.bathroom-sink", "2", "each")]),
        ("Install 6 recessed lights, 2 pendants and a ceiling fan",
         [("electrical.recessed-light", "6", "each"), ("electrical.light", "2", "each"),
          ("electrical.ceiling-fan", "1", "each")]),
        ("Install a fan and 2 lights", [("electrical.ceiling-fan", "1", "each"), ("electrical.light", "2", "each")]),
        # in each of several places
        ("3 bathrooms, new toilet and faucet in each",
         [("plumbing.toilet", "3", "each"), ("plumbing.faucet", "3", "each")]),
        ("New toilets and faucets for 3 bathrooms",
         [("plumbing.toilet", "3", "each"), ("plumbing.faucet", "3", "each")]),
        ("Four units need new water heaters and toilets",
         [("plumbing.water-heater", "4", "each"), ("plumbing.toilet", "4", "each")]),
        ("4 bedrooms, ceiling fans in all of them", [("electrical.ceiling-fan", "4", "each")]),
        ("Replace toilet at 3 properties", [("plumbing.toilet", "3", "each")]),
        ("Boiler service at 3 addresses", [("hvac.boiler-service", "3", "visit")]),
        ("3 bedrooms 12x12, carpet in all", [("flooring.carpet", "432", "sqft")]),
        ("3 bedrooms 12x12 each, carpet and paint",
         [("flooring.carpet", "432", "sqft"), ("painting.room", "3", "each")]),
        ("Two bathrooms, 5x8 each: tile floor, toilet",
         [("tiling.floor", "80", "sqft"), ("plumbing.toilet", "2", "each")]),
        ("Paint 3 bedrooms and 2 bathrooms", [("painting.room", "5", "each")]),
        ("Paint living room 14x16 and den 11x12", [("painting.room", "2", "each")]),
        # how many of a thing each room gets
        ("New outlets: 2 kitchen, 1 bath", [("electrical.outlet", "3", "each")]),
        ("New doors: 3 bedrooms, 2 baths, 1 closet", [("doors.interior", "6", "each")]),
        ("Replace blinds: kitchen 1, living room 3", [("windows.blind-each", "4", "each")]),
        ("Smoke detectors - 3 bedrooms, 1 hallway, 1 basement", [("electrical.smoke-detector", "5", "each")]),
        ("Master bath needs a new toilet and faucet",
         [("plumbing.toilet", "1", "each"), ("plumbing.faucet", "1", "each")]),
        # a thing with a part that is work of its own
        ("Replace garage door with opener, 16x7",
         [("garage-doors.single", "1", "each"), ("garage-doors.opener", "1", "each")]),
        ("New furnace with humidifier", [("hvac.furnace", "1", "each"), ("hvac.humidifier", "1", "each")]),
        ("New shower with glass door", [("bathrooms.shower", "1", "each"), ("bathrooms.shower-door", "1", "each")]),
        ("Install tub with shower door", [("plumbing.bathtub", "1", "each"), ("bathrooms.shower-door", "1", "each")]),
        ("Remove 2 trees with stumps",
         [("tree-work.remove", "2", "each"), ("tree-work.stump-grinding", "2", "each")]),
        ("Sod 2000 sq ft with sprinkler system",
         [("landscaping.sod", "2000", "sqft"), ("landscaping.sprinkler-system", "1", "each")]),
        ("Replace kitchen sink with disposal",
         [("plumbing.kitchen-sink", "1", "each"), ("plumbing.garbage-disposal", "1", "each")]),
        ("Replace toilet with new wax ring", [("plumbing.toilet", "1", "each")]),
        ("Replace toilet and wax ring", [("plumbing.toilet", "1", "each")]),
        # where a system stands, and how old it is
        ("Furnace in attic. Replace thermostat", [("hvac.thermostat", "1", "each")]),
        ("Replace thermostat, furnace in attic", [("hvac.thermostat", "1", "each")]),
        ("Gas boiler, 6 years old. Replace 2 radiators", [("plumbing.radiator", "2", "each")]),
        ("Please shut the gate. Replace kitchen tap", [("plumbing.faucet", "1", "each")]),
        # what is done in the hours of a handyman; keys and no broken ones
        ("1 hr handyman: hang mirror, swap bulb", [("handyman.hour", "1", "h")]),
        ("Change 2 locks and 4 keys", [("locksmith.change", "2", "each"), ("locksmith.key", "4", "each")]),
        # the same work in another place
        ("Replace the kitchen faucet. Replace the bathroom faucet.",
         [("plumbing.faucet", "1", "each"), ("plumbing.faucet", "1", "each")]),
        ("Install a ceiling fan in the den and a ceiling fan in the master bedroom.",
         [("electrical.ceiling-fan", "1", "each"), ("electrical.ceiling-fan", "1", "each")]),
        ("Replace the carpet in the living room, 15x18. Replace the carpet in the den, 10x12.",
         [("flooring.carpet", "270", "sqft"), ("flooring.carpet", "120", "sqft")]),
        ("Replace the kitchen faucet. The kitchen faucet leaks.", [("plumbing.faucet", "1", "each")]),
        ("Replace 2 windows in front, and 3 windows in back.", [("windows.replace", "5", "each")]),
        ("Replace both bath faucets and the kitchen faucet.", [("plumbing.faucet", "3", "each")]),
        # what a thing has several of, sizes of gardens, quarters of feet, shares
        ("200A service upgrade with 42 space panel", [("electrical.panel", "1", "each")]),
        ("Install 3 panel sliding door", [("doors.sliding-patio", "1", "each")]),
        ("Replace two 6 panel doors", [("doors.interior", "2", "each")]),
        ("Replace front door (6 panel).", [("doors.exterior", "1", "each")]),
        ("Sod 40x60 yard", [("landscaping.sod", "2400", "sqft")]),
        ("Deck 12.25 x 16", [("decking.pressure-treated", "196", "sqft")]),
        ("Replace 30% of the 200 ft fence", [("fencing.wood", "60", "ft")]),
        # how many there are, and one of them; how large a thing is, and so many parts of it
        ("Building has 24 units. Replace the furnace in unit 12.", [("hvac.furnace", "1", "each")]),
        ("We have 12 windows. Replace the one in the kitchen.", [("windows.replace", "1", "each")]),
        ("The house has 6 doors and the back door needs painting", [("painting.front-door", "1", "each")]),
        ("Our 20,000 sf building needs 1,200 sf of drywall", [("drywall.install", "1200", "sqft")]),
        ("Lot is 18,000 sq ft. Fill 5 potholes.", [("paving.pothole", "5", "each")]),
        ("Our house is 2,400 sq ft. Patch 3 drywall holes.", [("drywall.hole", "3", "each")]),
        ("Kitchen floor is 10x12 tile. Replace 4 cracked tiles.", [("tiling.floor-tile", "4", "each")]),
        # so much in each of several
        ("Two buildings, 30 squares each, re-roof", [("roofing.asphalt-shingle", "60", "square")]),
        ("4 townhomes, 80 lf each, new gutters", [("gutters.aluminum", "320", "ft")]),
        ("Carpet two 12x11 bedrooms", [("flooring.carpet", "264", "sqft")]),
        # what takes the place of a thing, how high a room is
        ("Replace our vinyl siding, 1,500 sq ft, with fiber cement.", [("siding.fiber-cement", "1500", "sqft")]),
        ("Replace the wood fence, 60 ft, with vinyl.", [("fencing.vinyl", "60", "ft")]),
        ("Paint the bedroom, 12x14 with 8 ft ceilings.", [("painting.room", "1", "each")]),
        ("Our kitchen is 12x14 with 8 ft ceilings. Paint it.", [("painting.room", "1", "each")]),
        # what somebody has, and what it needs; two sized things and one work; sums of several works
        ("We have a tankless water heater. It needs descaling.", [("plumbing.water-heater-service", "1", "each")]),
        ("We have an asphalt driveway, 20x50, with two potholes to be patched.", [("paving.pothole", "2", "each")]),
        ("Living room 15x20 and dining 12x12 need LVP", [("flooring.vinyl-plank", "444", "sqft")]),
        ("Driveway 20x40 and walk 4x30 need pressure washing", [("cleaning.pressure-wash", "920", "sqft")]),
        ("Deck 12x16 and porch 8x10 need staining", [("decking.stain", "272", "sqft")]),
        ("900 sf LVP and 550 sf carpet, 1450 total",
         [("flooring.vinyl-plank", "900", "sqft"), ("flooring.carpet", "550", "sqft")]),
        ("Paint 4 walls of 12x14 bedroom", [("painting.interior-walls", "416", "sqft")]),
        ("Baseboard 5\" x 120'", [("carpentry.baseboard", "120", "ft")]),
        ("Trim hedge 80 ft x 6 ft", [("landscaping.hedge-trimming", "80", "ft")]),
        ("8) loose toilet 9) loose toilet seat 10) front porch light replace",
         [("plumbing.toilet-reset", "1", "each"), ("plumbing.toilet-seat", "1", "each"),
          ("electrical.outdoor-light", "1", "each")]),
        # what it is made of, how it is done, and what is there
        ("Driveway 24x40, asphalt", [("paving.asphalt-driveway", "960", "sqft")]),
        ("We'd like the hardwood on the first floor, 800 sq ft, refinished.", [("flooring.refinish", "800", "sqft")]),
        ("Drywall a 2 car garage 22x24", [("drywall.install", "528", "sqft")]),
        ("We have 6 ceiling fans. Replace one.", [("electrical.ceiling-fan", "1", "each")]),
        ("We have 5 exterior doors. One is rotten and needs replacing.", [("doors.exterior", "1", "each")]),
        ("2 sinks 3 toilets 1 tub to be replaced",
         [("plumbing.bathroom-sink", "2", "each"), ("plumbing.toilet", "3", "each"), ("plumbing.bathtub", "1", "each")]),
        ("Replace 2 toilets 3 faucets", [("plumbing.toilet", "2", "each"), ("plumbing.faucet", "3", "each")]),
        # more things of a list, what was done to another thing, hours of a trade
        ("A ceiling fan in the bedroom, and four recessed lights in the kitchen.",
         [("electrical.ceiling-fan", "1", "each"), ("electrical.recessed-light", "4", "each")]),
        ("300 sq ft of laminate flooring, we already took up the carpet.", [("flooring.laminate", "300", "sqft")]),
        ("Tear down 80 ft of old fence and put up 80 ft of new wood fence.",
         [("fencing.remove", "80", "ft"), ("fencing.wood", "80", "ft")]),
        ("Window cleaner for two hours please.", [("cleaning.window-hour", "2", "h")]),
        # verbs with particles, nouns as verbs, pronouns
        ("Take the old wood fence down, 30 m", [("fencing.remove", "30", "m")]),
        ("Our water heater is leaking. Need it replaced", [("plumbing.water-heater", "1", "each")]),
        ("Solar: 7.2 kW roof system", [("solar.system", "7.2", "kW")]),
        ("Install 6 can lights", [("electrical.recessed-light", "6", "each")]),
        ("Chimney needs tuckpointing, maybe 120 sq ft", [("masonry.tuckpointing", "120", "sqft")]),
        ("Install a vinyl fence 150 ft with one gate", [("fencing.vinyl", "150", "ft"), ("fencing.gate", "1", "each")]),
        ("Replace the water heater with a tankless water heater", [("plumbing.tankless-water-heater", "1", "each")]),
        # what is only told asks for nothing
        ("Replace the deck, 200 sqft. Railing is metal, don't touch it.", [("decking.pressure-treated", "200", "sqft")]),
        ("Install 2 toilets. Vanity and tub stay.", [("plumbing.toilet", "2", "each")]),
        ("The faucet you installed works great.", []),
        ("REVISION TO PERMIT # 100927053 CHANGE OF PLUMBING & HVAC CONTRACTOR TO JC PLUMBING CO", []),
        ("NEW 200 AMP SERVICE. RECEPTACLE OUTLETS: 0. LOCATION: ALL WALLS", [("electrical.service-200", "1", "each")]),
        ("Our plumber says the faucet should be replaced", [("plumbing.faucet", "1", "each")]),
        ("Replace 14 ft of fence. My brother does the painting, ignore the gate.", [("fencing.wood", "14", "ft")]),
        # so many parts are told in the words before what they need: the whole is no measure of them
        ("We have 480 sf of oak floor to sand. 6 boards are rotten and need replacing.",
         [("flooring.refinish", "480", "sqft"), ("flooring.hardwood", "1", "sqft")]),
        ("Stain the deck, 300 sq ft. Four boards by the steps are soft and have to be replaced first.",
         [("decking.stain", "300", "sqft"), ("decking.repair", "1", "sqft")]),
        # behind what they do themselves people ask for the rest
        ("We own the fence on the left so leave that, would like you guys to move a 3 bedroom house",
         [("moving.home-3", "1", "each")]),
        ("Clean out the garage", [("waste-removal.clearance-garage", "1", "job")]),
        ("Estate cleanout of a house with three bedrooms", [("waste-removal.clearance-house", "1", "job")]),
        ("Haul away 10 cubic yards of junk", [("waste-removal.junk-volume", "10", "cuyd")]),
        ("Strip and wax 1,200 sq ft of VCT", [("cleaning.floor-wax", "1200", "sqft")]),
        ("Replace 6 broken slates on the roof", [("roofing.tile-few", "1", "job")]),
        ("Some roof tiles have slipped, repair 6 m2", [("roofing.tile-repair", "6", "m2")]),
        ("Fix broken sash cord on 3 windows", [("windows.sash-cord", "3", "each")]),
    ],
)  # fmt: skip
def test_a_request_gives_these_lines(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert lines(text) == [(task, Decimal(qty), unit) for task, qty, unit in expected]


def test_a_stop_at_the_end_changes_no_count() -> None:
    text = 'Install (3) 36" interior doors and (2) 30" interior doors'
    assert [line.qty for line in draft(text).lines] == [line.qty for line in draft(f"{text}.").lines] == [5]


def test_the_request_of_the_readme_gives_its_two_lines() -> None:
    result = draft(
        "Replace 12 m of guttering and repaint the front of a two-storey house in Nashville, about 60 m2, two coats, "
        "we supply the paint"
    )
    gutter, paint = result.lines
    assert (gutter.task_id, gutter.qty, gutter.unit, gutter.kind) == ("gutters.aluminum", 12, "m", "service")
    assert (paint.task_id, paint.qty, paint.unit, paint.kind) == ("painting.exterior", 60, "m2", "labour")
    assert result.total_minor == 143436


def test_the_alternative_after_or_is_an_option() -> None:
    first, second = draft("Repair the boiler or replace it with a new boiler").lines
    assert (first.optional, second.optional) == (False, True)


@pytest.mark.parametrize(
    "text",
    [
        "Hang 3 ceiling fans (we bought them already)",
        "We supply the light fixtures, you hang them: 4 light fixtures",
        "Replace the thermostat (I have one in the box)",
        "Hang 9 interior doors (slabs on site, owner supplied)",
        "Hang 3 interior doors, they're being delivered on Monday",
        "Fit the new kitchen faucet too if you can, John Lewis are delivering it Friday.",
    ],
)
def test_what_the_customer_has_is_labour_only(text: str) -> None:
    assert all(line.kind == "labour" for line in draft(text).lines)
    assert draft(text).lines


def test_the_development_set_stays_above_its_floor() -> None:
    judged = draft_all(drafter(), read_requests(SETS["development"]))
    matched = sum(len(one.matched) for one in judged)
    precision = matched / sum(len(one.counted) for one in judged)
    recall = matched / sum(len(one.request.labels) for one in judged)
    quantities = [label.quantity(line) for one in judged for label, line in one.matched]
    assert f1(precision, recall) >= 0.86
    assert quantities.count("right") / (quantities.count("right") + quantities.count("wrong")) >= 0.92
    assert not [line for one in judged for line in one.charged_exclusions]
    assert not any(line.priced and line.source is None for one in judged for line in one.draft.lines)


@pytest.mark.parametrize(
    "text",
    [
        "Lovely work on the porch and the 12 m of fencing last autumn, thank you from all of us.",
        "Please cancel the boiler service on Friday, we are selling up.",
        "We had the bathroom tiled in 2018 and a new roof in 2022.",
        "Are you hiring at the moment? I have 9 years experience as a tiler.",
        "UPDATE PERMIT #200311 PER REVIEWER COMMENTS",
        "What time will they be here for the fence?",
        "I am out of the office until Tuesday. For urgent repairs please call the front desk.",
    ],
)
def test_what_is_told_asked_or_taken_back_is_not_charged(text: str) -> None:
    assert [line.task_id for line in draft(text).lines if line.priced] == []


@pytest.mark.parametrize(
    ("text", "kept", "never"),
    [
        ("Granite countertops, 40 sq ft, we are reusing our old sink", "kitchens.countertop", "plumbing."),
        ("Paint the bedroom 12x12. We'll strip the wallpaper and tile the bathroom ourselves.", "painting.", "tiling."),
        ("Hang 3 internal doors, locks and hinges all on site", "doors.", "locksmith."),
        ("New 100 amp service with 20 circuits", "electrical.service-100", "electrical.circuit"),
        ("Sealcoat the driveway, 900 sq ft. The path is the neighbour's, skip it", "paving.", "waste-removal."),
        ("Retile the kitchen floor, 12 m2. Stairs keep their carpet", "tiling.", "flooring."),
        ("Install 200 sq ft of laminate on the 2nd floor, all on one floor", "flooring.laminate", "tiling."),
        ("Add an expansion tank, and fit a new toilet", "plumbing.toilet", "general-building."),
        # what stands in the way of the work, and how it is connected
        ("Tile the backsplash, 32 sq ft, 5 outlets to cut around", "tiling.backsplash", "electrical."),
        ("Replace 4 outlets, 2 radiators to work around", "electrical.outlet", "plumbing."),
        ("New water heater, 50 gal, connected to the existing gas line", "plumbing.water-heater", "plumbing.gas-line"),
        # "ill" without its apostrophe
        ("Need 2 holes in drywall patched. ill paint the walls, 300 sq ft", "drywall.", "painting."),
        ("Replace 4 interior doors, ill also do the trim", "doors.", "carpentry."),
    ],
)
def test_what_is_theirs_or_only_named_stays_out(text: str, kept: str, never: str) -> None:
    priced = [line.task_id for line in draft(text).lines if line.priced]
    assert any(task.startswith(kept) for task in priced)
    assert not any(task.startswith(never) for task in priced)


@pytest.mark.parametrize(
    ("text", "qty"),
    [("12x10 deck, needs a power wash", "120"), ("Power wash and restain the deck, 12x20", "240")],
)
def test_a_size_beside_the_thing_measures_what_is_done_to_it(text: str, qty: str) -> None:
    assert {line.qty for line in draft(text).lines} == {Decimal(qty)}


def test_verbs_with_a_slash_keep_their_thing() -> None:
    assert [line.task_id for line in draft("REPAIR/REPLACE ROOF SHINGLES 1,200 SF").lines] == [
        "roofing.asphalt-shingle"
    ]


def test_moving_a_thing_is_no_household_removal() -> None:
    assert not any(line.task_id.startswith("moving.") for line in draft("Relocate the 200 amp panel to the hall").lines)


def test_a_wanted_thing_without_a_task_is_said_and_not_priced() -> None:
    (line,) = draft("We want a vapor barrier in the crawl space").lines
    assert not line.priced


@pytest.mark.parametrize("piece", ["x, ", "2+ ", "12 ft + "])
def test_a_long_list_of_nothing_is_read_in_time(piece: str) -> None:
    started = time.process_time()
    draft((piece * 6_000)[:18_000])
    assert time.process_time() - started < 15


def test_the_burned_set_stays_above_its_floor() -> None:
    judgements = draft_all(drafter(), read_requests(SETS["first, burned"]))
    figures = figures_of(judgements)
    assert float(figures["F1"]) >= 0.72
    assert figures["Exclusions charged"] == "0"
    assert int(figures["Supplied material charged"]) <= 2
    assert figures["Texts without work charged"].startswith("0.000")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gloss 6 doors", ["painting.door"]),
        ("Strip wallpaper in the study, 30 m2", ["painting.wallpaper-remove"]),
        ("Hack off old render on the gable, 20 m2", ["masonry.render-remove"]),
        ("R&R 26 SQ arch shingle, 2 layer tear off", ["roofing.architectural-shingle"]),
        ("Upgrade the service from 100 amps to 200 amps", ["electrical.service-200-upgrade"]),
        ("End of tenancy clean for a 1 bed flat, please add the oven", ["cleaning.tenancy-1", "cleaning.oven"]),
        ("Exterior repaint, about 1,800 sq ft of wall", ["painting.exterior"]),
        ("The old fence has to go, 60 ft", ["fencing.remove"]),
        ("Replace the furnace. The thermostat is ours, just hook it up", ["hvac.furnace", "hvac.thermostat"]),
    ],
)
def test_verbs_are_told_from_things_by_where_they_stand(text: str, expected: list[str]) -> None:
    assert [line.task_id for line in draft(text).lines] == expected


@pytest.mark.parametrize(
    ("text", "kept", "never"),
    [
        ("Replace 40 ft of gutter. Downspouts NIC, painting by GC", "gutters.", "painting."),
        ("Tile the hall, 9 m2. I'll paint the walls and run the wire", "tiling.", "painting."),
        ("New boiler, keep existing radiators and the thermostat", "hvac.boiler", "hvac.thermostat"),
        ("Fit a kitchen tap. Not in contract: drainage, tree removal, lighting", "plumbing.faucet", "tree-work."),
        ("Repoint 10 m2 of brickwork. They painted 4 rooms last week", "masonry.", "painting."),
        ("Install a 100 amp circuit", "electrical.circuit", "electrical.service-200"),
    ],
)
def test_what_somebody_else_does_is_not_charged(text: str, kept: str, never: str) -> None:
    priced = [line.task_id for line in draft(text).lines]
    assert any(task.startswith(kept) for task in priced)
    assert not any(task.startswith(never) for task in priced)


def test_another_material_is_an_option_and_no_second_fence() -> None:
    first, second = draft("Build 100 ft of wood fence. Alternate: vinyl instead of wood").lines
    assert (first.task_id, first.optional) == ("fencing.wood", False)
    assert (second.task_id, second.optional) == ("fencing.vinyl", True)


def test_a_draft_does_not_hang_on_the_order_of_sets() -> None:
    # Words that stand nowhere (-1) tie; a set's order must not decide between them.
    code = (
        "from tests.unit.server.domain.drafting.test_requests import draft;"
        "print([(line.task_id, line.confidence) for line in draft('Gas safety certificate due by the 20th - boiler,"
        " hob and one gas fire. Please service the boiler on the same visit.').lines])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "6")
    }
    assert len(said) == 1


def test_what_is_mended_in_places_is_not_priced_by_the_whole() -> None:
    found = lines("Paint 800 sqft of walls. Also patch 5 holes in the drywall.")
    assert ("drywall.hole", Decimal(5), "each") in found
    assert ("drywall.patch", Decimal(800), "sqft") not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # how many and how much, told elsewhere
        ("There are 6 downlights that flicker, replace with LED please.", [("electrical.recessed-light", "6", "each")]),
        ("Take down two dead ash trees and grind the stumps.",
         [("tree-work.remove", "2", "each"), ("tree-work.stump-grinding", "2", "each")]),
        ("Termite treatment around the whole foundation, building is 60x36", [("pest-control.termite", "192", "ft")]),
        ("Remove drywall 2' flood cut, 52 LF", [("drywall.remove", "104", "sqft")]),
        ("Crown molding in two rooms - living 15x20, dining 12x13", [("carpentry.crown-molding", "120", "ft")]),
        ("I want a paver patio 14 x 18 with a low sitting wall", [("paving.paver-patio", "252", "sqft")]),
        ("(6) exit signs\n(3) occ sensors",
         [("electrical.emergency-light", "6", "each"), ("electrical.motion-sensor", "3", "each")]),
        ("(1) replace 3 interior doors\n(2) 40 ft of gutters replaced",
         [("doors.interior", "3", "each"), ("gutters.aluminum", "40", "ft")]),
        ("S&I: 6' cedar privacy 164 LF", [("fencing.wood", "164", "ft")]),
        ("It needs one of those gravel trenches with the pipe in it, from the patio to the ditch, about 70 feet.",
         [("landscaping.french-drain", "70", "ft")]),
        ("Openers already here in boxes (2), just mount them", [("garage-doors.opener", "2", "each")]),
        ("Replace 4no ceiling tiles 600x600 in corridor", [("drywall.ceiling", "1.44", "m2")]),
        ("Fit a new laminate worktop, 3 m and 1.5 m", [("kitchens.countertop-laminate", "2.79", "m2")]),
        ("Frame 60 LF of 2x4 walls @ 9'", [("carpentry.framing", "540", "sqft")]),
        ("The basement has 720 sf of floor. Frame 118 LF of wall @ 8' in it.", [("carpentry.framing", "944", "sqft")]),
        ("The north wall of the house needs painting outside, it's 34 ft long and 18 ft to the eave",
         [("painting.exterior", "612", "sqft")]),
        ("Replace the gutters, 2 runs of 45 ft", [("gutters.aluminum", "90", "ft")]),
        ("Tile the kitchen floor, 12x12 ft,\n144 sq ft", [("tiling.floor", "144", "sqft")]),
        ("Install baseboard, 46 ft, 51 ft and 39 ft", [("carpentry.baseboard", "136", "ft")]),
        ("Blow insulation into the attic, 28 x 44 minus the 12x12 vaulted part",
         [("insulation.blown-in", "1088", "sqft")]),
        ("Stain the fence, both sides. It runs 120 ft and 6 ft tall.", [("fencing.stain", "1440", "sqft")]),
        ("Install 4 cameras outside and 2 inside", [("electrical.camera", "6", "each")]),
        ("Replace 3no 1.83m fence panels", [("fencing.wood", "5.49", "m")]),
        ("Replace (4) 8' sections of gutter", [("gutters.aluminum", "32", "ft")]),
        ("Install 212 LF of 6' high white vinyl fence with (2) 4' gates",
         [("fencing.vinyl", "212", "ft"), ("fencing.gate", "2", "each")]),
        ("A smoke alarm on each floor please, its 3 floors", [("electrical.smoke-detector", "3", "each")]),
        ("Dig a trench for a cable to the shed, 18m, 450 deep 300 wide", [("earthworks.trench", "2.43", "m3")]),
        # what a command names is not what stands around it
        ("Install 2 radiators, paint 30 m2 of walls",
         [("plumbing.radiator", "2", "each"), ("painting.interior-walls", "30", "m2")]),
        # rooms in small units, and patches that are none
        ("Skim the bedroom walls, 3000 x 4000mm", [("plastering.skim", "33.6", "m2")]),
        ("Paint the bedroom walls, 4 yards by 5 yards", [("painting.interior-walls", "432", "sqft")]),
        ("Plaster under the bedroom window has gone soft, patch about 50cm by 50cm",
         [("plastering.repair", "0.25", "m2")]),
        # what has the form of context is work where it is heard as such
        ("The drain in the yard is slow. I think it wants a high pressure wash, and someone to look with a camera after.",
         [("plumbing.drain-jetting", "1", "visit"), ("plumbing.drain-camera", "1", "visit")]),
        ("Electrical safety inspection of a 3 bed rental", [("electrical.inspection", "1", "visit")]),
        # what was spoken of before is what is meant
        ("They left the stump, roughly 900mm across. Can you grind it?", [("tree-work.stump-grinding", "1", "each")]),
        ("Somebody hit our mailbox. We need a new one.", [("handyman.mailbox", "1", "each")]),
        ("Garage - both openers are dead.", [("garage-doors.opener", "2", "each")]),
        ("The cedar hedge along the drive, about 22 metres long, needs a trim.",
         [("landscaping.hedge-trimming", "22", "m")]),
        # a kind told behind the thing, qualities
        ("Replace rotted siding at the rear, 90 sq ft fiber cement", [("siding.fiber-cement", "90", "sqft")]),
        ("Carpet out, 300 sq ft", [("flooring.carpet-remove", "300", "sqft")]),
        ("REPLACING 100 WINDOWS SAME AS EXISTING ONLY.", [("windows.replace", "100", "each")]),
        ("I was wondering how much you charge for stucco repair, 20 m2", [("masonry.stucco-patch", "20", "m2")]),
    ],
)  # fmt: skip
def test_what_is_told_before_and_behind_is_read_with_it(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert lines(text) == [(task, Decimal(qty), unit) for task, qty, unit in expected]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        (
            "Ceiling fan wobbles, two window blinds broken. Replace the blinds. Tenant fixed the fan himself.",
            "ceiling-fan",
        ),
        ("Replace the deck, 200 sqft. Demolish existing carport (under separate permit).", "decking.remove"),
        ("ORIGINAL PERMIT FOR KITCHEN AND BATH REMODEL. NEW ROOF, 20 SQ SHINGLES.", "bathrooms."),
        ("Haul away 6 car tires. Tree limbs at the curb the city is picking up Thursday, not those.", "tree-work."),
        ("Fit a new driveway in asphalt, 600 sq ft, gravel now", "paving.gravel"),
        ("Replace the bath. The basin and loo are newish and can stay.", "bathroom-sink"),
    ],
)
def test_what_was_put_right_or_is_left_out_is_not_charged(text: str, never: str) -> None:
    assert not any(never in line.task_id for line in draft(text).lines if line.priced and not line.optional)


def test_an_option_may_be_said_behind_its_thing() -> None:
    first, second = draft("Replace 11 windows. Plus one sliding patio door, price that separately as an option.").lines
    assert (first.optional, second.optional) == (False, True)


def test_another_one_is_the_work_before_once_more() -> None:
    first, second = draft(
        "Install a mini split. Can you quote a second one for the bedroom as an optional extra?"
    ).lines
    assert first.task_id == second.task_id == "hvac.mini-split"
    assert (first.optional, second.optional) == (False, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Parts that are told one by one add up, behind the work and in other clauses.
        (
            "Refinish the floors in 3 bedrooms 11x12, 10x12 and 13x14 plus a hallway 4x15",
            [("flooring.refinish", "494", "sqft")],
        ),
        (
            "Need skirting through the downstairs: hall 9m, sitting room 17 m, kitchen 11m.",
            [("carpentry.baseboard", "37", "m")],
        ),
        ("Paint the fence: left side 20 m2, right side 30 m2", [("fencing.stain", "50", "m2")]),
        ("Paint the outside walls: front 52x9 ft, sides 30x9 ft each", [("painting.exterior", "1008", "sqft")]),
        ("Replace the aluminium gutters, front and back, 14 m each", [("gutters.aluminum", "28", "m")]),
        ("Install a wood fence. Sides are 62 ft each and the back is 48 ft.", [("fencing.wood", "172", "ft")]),
        # A height holds wherever it is told; a side of another room is none.
        (
            "Please quote painting: living room 15x18, dining room 12x12, hallway 4x20, walls and trim, 9ft ceilings.",
            [("painting.interior-walls", "1458", "sqft"), ("painting.trim", "162", "ft")],
        ),
        (
            "Paint the walls and ceiling of the bedroom, 12 x 14 ft. Ceilings are 9 ft.",
            [("painting.interior-walls", "636", "sqft")],
        ),
        (
            "Paint the walls and ceiling of the bedroom, 14 by 16 ft with ten foot ceilings",
            [("painting.interior-walls", "824", "sqft")],
        ),
        # Rooms, and things in them, are counted one by one too.
        ("Decorate two bedrooms and the lounge please", [("painting.room", "3", "each")]),
        ("Install smoke alarms in 2 bedrooms and the hallway", [("electrical.smoke-detector", "3", "each")]),
        ("Two grab bars by the tub and one beside the toilet, please", [("bathrooms.grab-bar", "3", "each")]),
        ("Smoke alarms: one per landing, three landings", [("electrical.smoke-detector", "3", "each")]),
        ("3 leylandii to come down", [("tree-work.remove", "3", "each")]),
        # What only sizes a building, or tells how long ago, counts nothing.
        ("Knock out the wall between the kitchen and the dining room", [("demolition.load-bearing", "1", "each")]),
        ("Knock down a wood frame detached 2 car garage", [("demolition.frame-garage", "1", "each")]),
        ("Install 2 EV car chargers", [("electrical.ev-charger", "2", "each")]),
        ("The chimney has not been swept in 2 winters, please sweep it", [("hvac.chimney-sweep", "1", "visit")]),
        ("Please blow out the sprinklers (7 zones)", [("landscaping.sprinkler-winterize", "1", "visit")]),
        ("Add 2 more zones to the sprinkler system", [("landscaping.sprinkler-zone", "2", "each")]),
        ("Install a 6 burner gas range", [("kitchens.oven", "1", "each")]),
        ("Paint the 8 walls of the two bedrooms, 10x12 m", [("painting.interior-walls", "211.2", "m2")]),
        ("2x 20yd dumpsters please", [("waste-removal.dumpster-20", "2", "each")]),
        ("Seed a half acre lot", [("landscaping.seed", "0.5", "acre")]),
        (
            "Sealcoat 16,000 sq ft, hot-pour crack fill, approx 600 lin ft",
            [("paving.sealcoat", "16000", "sqft"), ("paving.crack-fill", "600", "ft")],
        ),
        (
            "CRACK FILL & SEALCOAT PKG LOT 14,000 SF",
            [("paving.crack-fill", "1", "ft"), ("paving.sealcoat", "14000", "sqft")],
        ),
        (
            "About nine thousand square feet of asphalt cracks everywhere I would say four hundred feet of crack",
            [("paving.crack-fill", "400", "ft")],
        ),
        (
            "The water heater is a fifty gallon gas Rheem, replace it, the same again, fifty gas",
            [("plumbing.water-heater", "1", "each")],
        ),
        ("One spring broke on our 16x7 double garage door. I'm told do both.", [("garage-doors.spring", "2", "each")]),
        ("Replace baseboard: 12+14+12+14 ft", [("carpentry.baseboard", "52", "ft")]),
        ("Retile the shower walls, 36x60, 7 ft high", [("tiling.wall", "77", "sqft")]),
        ("Retile the shower 36x60x36 to 8'", [("tiling.wall", "88", "sqft")]),
        ("Replace chain link fence, 4', about 160 ft", [("fencing.chain-link", "160", "ft")]),
        ("Existing fence is 5', 80 ft. It has to go.", [("fencing.remove", "80", "ft")]),
        (
            "Please quote: (1) carpet clean 5,600 SF; (2) rekey 11 locks; (3) replace 2 faucets",
            [
                ("cleaning.carpet-area", "5600", "sqft"),
                ("locksmith.rekey", "11", "each"),
                ("plumbing.faucet", "2", "each"),
            ],
        ),
    ],
)
def test_how_much_is_read_where_it_is_told(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert lines(text) == [(task, Decimal(qty), unit) for task, qty, unit in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a thing and its size, and what is done to it
        ("deck 12x16, power wash and stain", [("cleaning.pressure-wash", "192", "sqft"), ("decking.stain", "192", "sqft")]),
        ("driveway 20x40, sealcoat", [("paving.sealcoat", "800", "sqft")]),
        ("lawn 5000 sq ft, aerate and overseed", [("landscaping.seed", "5000", "sqft")]),
        ("5 internal doors, paint both sides", [("painting.door", "5", "each")]),
        ("windows, 8, clean inside and out", [("cleaning.window", "8", "each")]),
        # what broke, and what is put in its place
        ("Fence blew down, 60 ft of 6 ft privacy fence needs replaced", [("fencing.wood", "60", "ft")]),
        # as many as are told of, or before
        ("remove 3 trees, grind stumps", [("tree-work.remove", "3", "each"), ("tree-work.stump-grinding", "3", "each")]),
        ("take away a fridge and a freezer", [("waste-removal.appliance", "2", "each")]),
        ("paint the living room 12x14, bedroom (10x12) and hall 4x16", [("painting.room", "3", "each")]),
        # the only area that nothing else is measured by
        (
            "Limbs over the roof, moss on the shingles, gutters growing ferns. Roof is about 1800 sq ft, 150 ft gutter."
            " Want the moss treated and the gutters cleaned.",
            [("roofing.moss", "1800", "sqft"), ("gutters.clean", "150", "ft")],
        ),
        # what is there, and a part of it that is mended
        ("Fence 120 lf - replace 3 posts", [("fencing.post", "3", "each")]),
        ("Roof 24 sq, replace 3 pipe boots", [("roofing.pipe-boot", "3", "each")]),
        ("Parking lot 18000 sf - patch 3 potholes", [("paving.pothole", "3", "each")]),
        # how many there are, and how many of them are to be done
        ("We have 12 toilets, 2 need replaced", [("plumbing.toilet", "2", "each")]),
        ("40 fence posts, 6 are rotten, replace", [("fencing.post", "6", "each")]),
        ("24 windows total, replace 5", [("windows.replace", "5", "each")]),
        ("Replace 200 lf fence, 80 lf is on the neighbor side", [("fencing.wood", "200", "ft")]),
        # who does, or has, the rest
        ("paver patio 14x18, grill by owner", [("paving.paver-patio", "252", "sqft")]),
        ("Metal roof 24 sq, gutters not included", [("roofing.metal", "24", "square")]),
        ("replace 24 sq shingles excl. garage and porch", [("roofing.asphalt-shingle", "24", "square")]),
        # another one elsewhere, as many as the things before, in each of several places
        ("Add outlet behind tv and one in the closet", [("electrical.outlet", "2", "each")]),
        ("install 4 interior doors and paint them", [("doors.interior", "4", "each"), ("painting.door", "4", "each")]),
        (
            "Each of the 3 bathrooms needs a new toilet and faucet",
            [("plumbing.toilet", "3", "each"), ("plumbing.faucet", "3", "each")],
        ),
        (
            "replace toilet and faucet in both bathrooms",
            [("plumbing.toilet", "2", "each"), ("plumbing.faucet", "2", "each")],
        ),
        ("12 units, replace 2 smoke detectors each", [("electrical.smoke-detector", "24", "each")]),
        # what is included takes nothing's place
        ("Replace the AC, furnace is from 2019", [("hvac.central-ac", "1", "each")]),
        ("3 ton AC and 80k furnace changeout", [("hvac.furnace-ac", "1", "each")]),
        # what a thing is told not to be
        ("Remove the wall between kitchen and dining, 12 ft x 8 ft, not load-bearing", [("demolition.partition", "96", "sqft")]),
        ("Open up the load bearing wall, not the porch", [("demolition.load-bearing", "1", "each")]),
        # a name with a figure counts nothing
        ("220 line for EV charger", [("electrical.circuit", "1", "each")]),
        # parts of what is done in full
        (
            "bathroom refit: fit new bath, toilet and basin, tile walls 18 sqm and floor 4 sqm",
            [
                ("plumbing.bathtub", "1", "each"), ("plumbing.toilet", "1", "each"),
                ("plumbing.bathroom-sink", "1", "each"), ("tiling.wall", "18", "m2"), ("tiling.floor", "4", "m2"),
            ],
        ),
    ],
)  # fmt: skip
def test_shorthand_charges_what_it_means(text: str, expected: list[tuple[str, str, str]]) -> None:
    charged = [(line.task_id, line.qty, line.unit) for line in draft(text).lines if not line.optional]
    assert charged == [(task, Decimal(qty), unit) for task, qty, unit in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what is there, and how much of it, behind work on it
        ("Exterior repaint. 1,800 sf of wood lap siding", [("painting.exterior", "1800", "sqft")]),
        ("Clean roof. 2,000 sf asphalt shingle.", [("roofing.moss", "2000", "sqft")]),
        ("Clean windows. 24 vinyl windows", [("cleaning.window", "24", "each")]),
        ("Window cleaning: 24 windows, 2 story", [("cleaning.window", "24", "each")]),
        ("Wash windows: 30 windows inside and out", [("cleaning.window", "30", "each")]),
        ("Seal patio. 600 sf pavers.", [("paving.sealcoat", "600", "sqft")]),
        ("Paint the fence. 120 ft cedar fence 6 ft high", [("fencing.stain", "720", "sqft")]),
        ("Stain fence: 200 lf cedar fence, 6 ft", [("fencing.stain", "1200", "sqft")]),
        ("Remove deck. 400 sf pressure treated deck", [("decking.remove", "400", "sqft")]),
        ("Concrete removal. 20x20 patio", [("concrete.slab-remove", "400", "sqft")]),
        ("Repair fence. 120 ft cedar fence", [("fencing.repair", "120", "ft")]),
        ("Inspect roof: 24 squares asphalt shingle", [("roofing.inspection", "1", "visit")]),
        ("Service HVAC. 2 furnaces, 2 AC units", [("hvac.ac-tune-up", "1", "visit")]),
        ("Service boiler. Worcester combi", [("hvac.boiler-service", "1", "visit")]),
        ("Jet wash patio. 25m2 sandstone slabs", [("cleaning.pressure-wash", "25", "m2")]),
        ("Pool cleaning: 15x30 inground, weekly", [("pools.cleaning", "1", "visit")]),
        # but what is new, or of another work, is asked for
        (
            "Seal driveway. 900 sf asphalt. Also need 200 sf new concrete pad",
            [("paving.sealcoat", "900", "sqft"), ("concrete.slab", "200", "sqft")],
        ),
        ("Mowing weekly. 6 yards mulch", [("landscaping.mowing", "1", "visit"), ("landscaping.mulch", "6", "cuyd")]),
        ("EICR, smoke alarms x2", [("electrical.inspection", "1", "visit"), ("electrical.smoke-detector", "2", "each")]),
        # its kind, told last
        ("Replace roof. 24 squares, 2 layers, architectural", [("roofing.architectural-shingle", "24", "square")]),
        ("Replace faucet. Toilet", [("plumbing.faucet", "1", "each"), ("plumbing.toilet", "1", "each")]),
        # sizes and rooms that are counted
        ("Paint a 12x10 bedroom including the ceiling", [("painting.room", "1", "each")]),
        ("Paint walls of 2 bedrooms, 12x12 each", [("painting.interior-walls", "768", "sqft")]),
        ("Clean carpets in 4 rooms and 1 hallway", [("cleaning.carpet-room", "5", "each")]),
        ("Paint the living room, dining room and 3 bedrooms", [("painting.room", "5", "each")]),
        ("Install ceiling fans in the living room and 3 bedrooms", [("electrical.ceiling-fan", "4", "each")]),
        ("Paint unit 3, 4 bedrooms", [("painting.room", "4", "each")]),
        ("Mulch. 6 yards black mulch, 400 sf beds", [("landscaping.mulch", "6", "cuyd")]),
        ("Wallpaper removal, 12x12 bedroom", [("painting.wallpaper-remove", "384", "sqft")]),
    ],
)  # fmt: skip
def test_a_description_behind_an_order_is_of_its_thing(text: str, expected: list[tuple[str, str, str]]) -> None:
    charged = [(line.task_id, line.qty, line.unit) for line in draft(text).lines if not line.optional]
    assert charged == [(task, Decimal(qty), unit) for task, qty, unit in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # words that are a verb, too
        ("remove drywall 300 sf, carpet 200 sf", [("drywall.remove", "300", "sqft"), ("flooring.carpet-remove", "200", "sqft")]),
        (
            "Paint siding 1800 sf, trim 200 lf, deck 300 sf",
            [("painting.exterior", "1800", "sqft"), ("painting.trim", "200", "ft"), ("decking.stain", "300", "sqft")],
        ),
        # behind a verb and a colon, and below one
        (
            "Remove: 300 sf drywall, 3 toilets, carpet 200 sf",
            [
                ("drywall.remove", "300", "sqft"), ("plumbing.toilet-remove", "3", "each"),
                ("flooring.carpet-remove", "200", "sqft"),
            ],
        ),
        (
            "Demo:\n- 300 sf drywall\n- 3 toilets\n- carpet 200 sf",
            [
                ("drywall.remove", "300", "sqft"), ("plumbing.toilet-remove", "3", "each"),
                ("flooring.carpet-remove", "200", "sqft"),
            ],
        ),
        (
            "Install\n- LVP 400 sf\n- 3 interior doors\nPaint\n- walls 900 sf\n- ceiling 400 sf",
            [
                ("flooring.vinyl-plank", "400", "sqft"), ("doors.interior", "3", "each"),
                ("painting.interior-walls", "900", "sqft"), ("painting.ceiling", "400", "sqft"),
            ],
        ),
        # without anything between them
        ("tile walls 85sf floor 45sf", [("tiling.wall", "85", "sqft"), ("tiling.floor", "45", "sqft")]),
        # a trade before a colon is no work beside what follows
        (
            "HVAC: replace 4 ton heat pump, new thermostat",
            [("hvac.heat-pump", "1", "each"), ("hvac.thermostat", "1", "each")],
        ),
        ("Roof repair, 10 shingles blown off", [("roofing.repair", "1", "each")]),
        # three things, and none a kind of another
        (
            "Replace toilet, sink and faucet in hall bath",
            [
                ("plumbing.toilet", "1", "each"), ("plumbing.bathroom-sink", "1", "each"),
                ("plumbing.faucet", "1", "each"),
            ],
        ),
        ("Fix hole in drywall 12x12 in and match texture", [("drywall.patch", "1", "sqft")]),
        # what is in a new roof's price
        (
            "Replace 22 sq shingles, ice and water shield 3 sq, drip edge 160 lf",
            [("roofing.asphalt-shingle", "22", "square"), ("roofing.flashing", "160", "ft")],
        ),
    ],
)  # fmt: skip
def test_a_list_goes_on_with_its_verb(text: str, expected: list[tuple[str, str, str]]) -> None:
    charged = [(line.task_id, line.qty, line.unit) for line in draft(text).lines]
    assert charged == [(task, Decimal(qty), unit) for task, qty, unit in expected]


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("No heat", "hvac.furnace-repair"),
        ("No heating or hot water", "hvac.boiler-repair"),
        ("We have no heating, boiler is 12 yrs old", "hvac.boiler-repair"),
        ("No power in bedroom", "electrical.service-call"),
        ("No water pressure in kitchen", "plumbing.service-call"),
        ("Pilot light on water heater keeps going out", "plumbing.water-heater-service"),
        ("No hot water, gas heater pilot won't stay lit", "plumbing.water-heater-service"),
    ],
)
def test_a_trouble_in_a_few_words_asks_for_its_repair(text: str, task: str) -> None:
    assert [line.task_id for line in draft(text).lines] == [task]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 doors, 3 of them need painting.", [("painting.door", "3", "each")]),
        ("Half of the 40m fence needs replacing.", [("fencing.wood", "20", "m")]),
        ("40m of fencing, half needs replacing.", [("fencing.wood", "20", "m")]),
        ("Are you able to fit 3 radiators?", [("plumbing.radiator", "3", "each")]),
        ("Do you do driveways? 50m2 block paving.", [("paving.block-driveway", "50", "m2")]),
        ("Had a quote of £3000 for a new combi. Can you beat it?", [("hvac.boiler", "1", "each")]),
        ("8m retaining wall 400 high using 200x100 sleepers.", [("concrete.retaining-wall", "3.2", "m2")]),
        ("Rip out old suite, fit new bath.", [("plumbing.bathtub", "1", "each")]),
    ],
)
def test_british_shorthand_charges_what_it_means(text: str, expected: list[tuple[str, str, str]]) -> None:
    drafted = drafter().draft(text, settings=PricingSettings(currency="GBP", home_location="Leeds"))
    charged = [(line.task_id, line.qty, line.unit) for line in drafted.lines if not line.optional]
    assert charged == [(task, Decimal(qty), unit) for task, qty, unit in expected]


@pytest.mark.parametrize(
    "text",
    [
        "Replace toilet, toilet by owner",
        "install faucet, faucet onsite",
        "LVP 800 sf, customer has material",
        "Front door replacement, customer has door",
    ],
)
def test_what_the_customer_has_is_told_in_few_words(text: str) -> None:
    (line,) = draft(text).lines
    assert line.kind == "labour"


def test_what_needs_to_be_replaced_is_no_new_one_of_the_customers():
    (line,) = draft("I have a toilet that needs to be replaced").lines
    assert line.kind != "labour"


def test_another_kind_too_may_be_an_option():
    tank, tankless = draft("New water heater 50 gal, tankless too as option").lines
    assert (tank.optional, tankless.optional) == (False, True)


def test_what_may_only_turn_out_is_an_option():
    vinyl, subfloor = draft("Install vinyl plank 120 sf. Replace the subfloor only if it's rotten").lines
    assert (vinyl.optional, subfloor.optional) == (False, True)


def test_labour_alone_never_costs_more_than_the_whole():
    settings = PricingSettings(currency="GBP", home_location="Leeds")
    (whole,) = drafter().draft("Fit 3 radiators", settings=settings).lines
    (alone,) = drafter().draft("Fit 3 radiators, we supply the radiators", settings=settings).lines
    assert alone.amount_minor <= whole.amount_minor
    assert alone.priced or any("more than" in reason for reason in alone.review_reasons)


def test_half_of_it_is_half_of_what_was_told():
    settings = PricingSettings(currency="GBP", home_location="Leeds")
    _, boards = drafter().draft("Loft insulation 40 m2, and board half of it please", settings=settings).lines
    assert (boards.task_id, boards.qty, boards.unit) == ("carpentry.loft-boarding", Decimal(20), "m2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "We are replacing our tarmac drive with block paving, 55 square metres",
            ("paving.block-driveway", "55", "m2"),
        ),
        ("Skim lounge and back bedroom walls, total about 75 m2", ("plastering.skim", "75", "m2")),
        ("Change 3 single sockets to doubles", ("electrical.outlet-replace", "3", "each")),
        ("Change 2 euro cylinders, 3 star", ("locksmith.change", "2", "each")),
    ],
)
def test_what_british_requests_want(text: str, expected: tuple[str, str, str]) -> None:
    (line,) = drafter().draft(text, settings=PricingSettings(currency="GBP", home_location="Leeds")).lines
    assert (line.task_id, str(line.qty), line.unit) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Carpets cleaned, 4 rooms + stairs & landing",
        "Clean carpets in 4 bedrooms, lounge and stairs",
        "Carpets in 4 of the bedrooms and stairs to be steam cleaned",
    ],
)
def test_pieces_of_several_kinds_are_counted_apart(text: str) -> None:
    lines = drafter().draft(text, settings=PricingSettings(currency="GBP", home_location="Leeds")).lines
    assert [(line.task_id, line.qty) for line in lines] == [("cleaning.carpet-room", 4), ("cleaning.carpet-stairs", 1)]


@pytest.mark.parametrize(
    ("text", "task_id"),
    [("clear the gutters", "gutters.clean-house"), ("paint hall, stairs and landing", "painting.hall-stairs")],
)
def test_what_nothing_measures_is_priced_as_a_whole_where_a_source_does(text: str, task_id: str) -> None:
    drafted = drafter().draft(text, settings=PricingSettings(currency="GBP", home_location="Leeds"))
    (line,) = drafted.lines
    assert (line.task_id, line.priced, line.optional) == (task_id, True, False)
    assert any("taken as a whole" in assumption for assumption in drafted.assumptions)


@pytest.mark.parametrize(
    ("text", "task_id", "metres"),
    [
        ("patio 4x5 in sandstone", "paving.patio-sandstone", 20),
        ("tile kitchen floor 4x3", "tiling.floor", 12),
        ("new decking 6x3", "decking.pressure-treated", 18),
        ("driveway 8x4 block paving", "paving.block-driveway", 32),
        ("board loft 6x4", "carpentry.loft-boarding", 24),
        ("shed base 3x2", "concrete.slab", 6),
    ],
)
def test_what_is_laid_where_metres_are_usual_is_told_in_metres(text: str, task_id: str, metres: int) -> None:
    settings = PricingSettings(currency="GBP", home_location="Leeds")
    (line,) = drafter().draft(text, settings=settings).lines
    assert (line.task_id, line.qty, line.unit) == (task_id, Decimal(metres), "m2")


@pytest.mark.parametrize("text", ["Move the boiler to the loft", "Need boiler moving", "Relocate water heater"])
def test_moving_a_thing_is_no_new_one(text: str) -> None:
    (line,) = draft(text).lines
    assert (line.task_id, line.priced) == ("", False)


@pytest.mark.parametrize(
    "text",
    [
        "Repair boiler. Also price for a new boiler instead please",
        "Repair fence 20 ft. Also quote for new fence instead",
    ],
)
def test_what_is_priced_instead_is_an_option(text: str) -> None:
    first, second = draft(text).lines
    assert (first.optional, second.optional) == (False, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # garage doors by their size; how a thing is to be, in one word
        ("Replace garage door. It is dented, 16x7.", [("garage-doors.double", "1", "each")]),
        ("Replace garage door, 16' x 7', dented.", [("garage-doors.double", "1", "each")]),
        ("I need a new garage door. 16x7, insulated.", [("garage-doors.double", "1", "each")]),
        ("Replace 9x7 garage door.", [("garage-doors.single", "1", "each")]),
        # a trouble in a few words, and somebody who is asked to come
        ("Kitchen sink blocked. Can you come today?", [("plumbing.drain-snaking", "1", "visit")]),
        ("Our dishwasher won't drain. Can you come on Tuesday?", [("appliances.repair", "1", "each")]),
        # how long what is replaced is, and how high the new one
        ("I want to replace my chain link fence (120 ft) with a 6 ft vinyl fence and two gates.",
         [("fencing.vinyl", "120", "ft"), ("fencing.gate", "2", "each")]),
        # what a sentence behind measures by its name
        ("Power wash driveway and patio. Driveway is 20 x 40, patio 12 x 15.",
         [("cleaning.pressure-wash", "800", "sqft"), ("cleaning.pressure-wash", "180", "sqft")]),
        ("Stain the deck and paint the fence. The deck is 300 sq ft. The fence is 80 ft long and 6 ft high.",
         [("decking.stain", "300", "sqft"), ("fencing.stain", "480", "sqft")]),
        ("New carpet in the bedroom and vinyl plank in the kitchen. The bedroom is 12x14 and the kitchen is 10x12.",
         [("flooring.carpet", "168", "sqft"), ("flooring.vinyl-plank", "120", "sqft")]),
        # "also" goes on with the verb of the order before, however many it is done to
        ("Paint the living room. Also two closet doors.", [("painting.room", "1", "each"), ("painting.door", "2", "each")]),
        ("Clean the carpets in 3 bedrooms. Also the sofa.",
         [("cleaning.carpet-room", "3", "each"), ("cleaning.upholstery", "1", "each")]),
        ("Replace the toilet. Also two interior doors.",
         [("plumbing.toilet", "1", "each"), ("doors.interior", "2", "each")]),
        # a room is painted, and not the cabinets in it
        ("Paint the kitchen. Also replace two doors.",
         [("painting.room", "1", "each"), ("kitchens.doors", "2", "each")]),
        # what only tells where a thing stands
        ("Replace the water heater in the basement next to the furnace.", [("plumbing.water-heater", "1", "each")]),
        # permits that are asked for by their names, and such as are none of the work
        ("An EV charger in the garage and the electrical permit for it.",
         [("electrical.ev-charger", "1", "each"), ("permits.electrical", "1", "each")]),
        ("One fence permit, please.", [("permits.fence", "1", "each")]),
        ("Could you take care of the lawn irrigation permit?", [("permits.irrigation", "1", "each")]),
        ("Replace 2 windows. Parking permit needed.", [("windows.replace", "2", "each")]),
        # how large the whole is
        ("Duct cleaning, whole house 2,100 SF", [("hvac.duct-cleaning", "1", "visit")]),
        # what is said of a broken thing before it is asked to be replaced
        ("Our garage door is broken. It's 16 by 7. Please replace it.", [("garage-doors.double", "1", "each")]),
        ("Our toilet is broken. It's about 20 years old. Please replace it.", [("plumbing.toilet", "1", "each")]),
        # "too" adds, and says no kind
        ("Remove 3 trees in the back yard, stumps too.",
         [("tree-work.remove", "3", "each"), ("tree-work.stump-grinding", "3", "each")]),
        # one more of another kind than those that are counted before it
        ("Replace 3 double hung windows and a bay window.", [("windows.replace", "4", "each")]),
        # how many each of the places told before has
        ("8 units with 2 toilets each. Replace all toilets.", [("plumbing.toilet", "16", "each")]),
        ("We have 8 units with 2 toilets each. Replace all of the toilets.", [("plumbing.toilet", "16", "each")]),
        ("There are 5 units with 4 windows each. Replace all windows.", [("windows.replace", "20", "each")]),
        ("Units 2, 5, 9 each need a new water heater.", [("plumbing.water-heater", "3", "each")]),
        ("Do you install ceiling fans? I have 3 to install.", [("electrical.ceiling-fan", "3", "each")]),
        # doors of rooms are others than those outside
        ("Replace front door and 3 bedroom doors.", [("doors.exterior", "1", "each"), ("doors.interior", "3", "each")]),
        ("Replace front door, 4 bedroom doors and a pantry door.",
         [("doors.exterior", "1", "each"), ("doors.interior", "5", "each")]),
        ("Replace the front door, the back door and 2 bedroom doors.",
         [("doors.exterior", "2", "each"), ("doors.interior", "2", "each")]),
        # the sides of a fence, without a unit; two heights of it
        ("Wood privacy fence: left side 40, right side 40, back 80.", [("fencing.wood", "160", "ft")]),
        ("Install 6 ft fence. Left 50, right 50, back 75.", [("fencing.wood", "175", "ft")]),
        ("Wood fence. Left side 82, back 64, and the right side is 40.", [("fencing.wood", "186", "ft")]),
        ("Install 100 ft of 6 ft fence and 40 ft of 4 ft fence.", [("fencing.wood", "140", "ft")]),
        ("Replace 100 ft of 4 ft fence with 100 ft of 6 ft fence.", [("fencing.wood", "100", "ft")]),
        # feet and inches as plans print them; longer sheets
        ("New carpet in bedroom 11-6 x 13-4 and hall 4-0 x 12-6.", [("flooring.carpet", "203.333", "sqft")]),
        ("Install 3-0 6-8 door.", [("doors.interior", "1", "each")]),
        ("Hang 40 sheets 4x12 drywall.", [("drywall.install", "1920", "sqft")]),
        # rooms by their names; no countertop is as deep as a kitchen
        ("Bedroom 10x12, bath 5x8. Tile the floor in the bath.", [("tiling.floor", "40", "sqft")]),
        ("Kitchen is 10x12, living room is 15x20. Install LVP in the kitchen.",
         [("flooring.vinyl-plank", "120", "sqft")]),
        ("Kitchen 12x14: new tile floor, new backsplash, quartz countertops.",
         [("tiling.floor", "168", "sqft"), ("tiling.backsplash", "1", "sqft"),
          ("kitchens.countertop-quartz", "1", "sqft")]),
        # what takes the place of another kind
        ("Replace asphalt roof with metal, 2000 sq ft.", [("roofing.metal", "2000", "sqft")]),
        ("2,000 sq ft house. Replace kitchen floor (10x12) with tile.", [("tiling.floor", "120", "sqft")]),
        # what a panel is full of
        ("Install 200 amp panel, 20 breakers.", [("electrical.panel", "1", "each")]),
        # walls and ceiling that are measured apart; "ca." ends no sentence, California does
        ("Paint the walls ca. 500 sq ft and the ceiling ca. 200 sq ft.",
         [("painting.interior-walls", "500", "sqft"), ("painting.ceiling", "200", "sqft")]),
        ("Paint the den, walls 380 sq ft and ceiling 150 sq ft.",
         [("painting.interior-walls", "380", "sqft"), ("painting.ceiling", "150", "sqft")]),
        ("We live in San Jose, CA. 3 toilets to replace.", [("plumbing.toilet", "3", "each")]),
        # lists with their verb at the end, above them, or only once before them
        ("I need the driveway, gutters and dryer vent cleaned.",
         [("cleaning.pressure-wash-driveway", "1", "visit"), ("gutters.clean-house", "1", "visit"),
          ("hvac.dryer-vent", "1", "visit")]),
        ("I need the toilet and vanity removed.",
         [("plumbing.toilet-remove", "1", "each"), ("plumbing.bathroom-sink-remove", "1", "each")]),
        ("Need 3 doors, 2 windows and a skylight replaced.",
         [("doors.interior", "3", "each"), ("windows.replace", "2", "each"), ("roofing.skylight", "1", "each")]),
        ("The toilet, storm door and light fixture need to be replaced.",
         [("plumbing.toilet", "1", "each"), ("doors.storm", "1", "each"), ("electrical.light", "1", "each")]),
        ("I have a garbage disposal and a thermostat that need to be replaced.",
         [("plumbing.garbage-disposal", "1", "each"), ("hvac.thermostat", "1", "each")]),
        ("The furnace needs to be repaired, and so does the dishwasher.",
         [("hvac.furnace-repair", "1", "each"), ("appliances.repair", "1", "each")]),
        ("To be replaced:\n1. thermostat\n2. kitchen sink\n3. smoke detectors",
         [("hvac.thermostat", "1", "each"), ("plumbing.kitchen-sink", "1", "each"),
          ("electrical.smoke-detector", "1", "each")]),
        ("Replace the light fixture as well as the toilet.",
         [("electrical.light", "1", "each"), ("plumbing.toilet", "1", "each")]),
        ("Can you repair the furnace, the drywall and the sprinkler system?",
         [("hvac.furnace-repair", "1", "each"), ("drywall.patch", "1", "sqft"),
          ("landscaping.sprinkler-repair", "1", "each")]),
        ("Replace the toilet. Also the kitchen faucet and the ceiling fan.",
         [("plumbing.toilet", "1", "each"), ("plumbing.faucet", "1", "each"), ("electrical.ceiling-fan", "1", "each")]),
    ],
)  # fmt: skip
def test_plain_forms_charge_what_they_say(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert lines(text) == [(task, Decimal(qty), unit) for task, qty, unit in expected]


@pytest.mark.parametrize(
    "text",
    [
        "Install ceiling fan, have the fan",
        "Replace dishwasher, tenant has new one",
        "Replace faucet, new one in garage",
        "Fit new faucet, supplied by client",
        "Hang 4 doors, doors here",
        "Replace 2 toilets. Owner purchases",
        "I'll buy the ceiling fan, you install it.",
        "Put my existing storm door back on",
        "Please hang the old gutters back up, 40 ft",
    ],
)
def test_who_has_the_thing_already_has_it_fitted_only(text: str) -> None:
    (line,) = draft(text).lines
    assert line.kind == "labour"


@pytest.mark.parametrize("word", ["snapped", "prices", "minus", "seller", "leasing", "charged", "satin", "paperwork"])
def test_everyday_words_are_no_slips_of_a_trade(word: str) -> None:
    index = TaskIndex.build(load_embedded().catalogue)
    assert index.repaired(word) == word
    assert index.repaired("insualtion") == "insulation"


def test_what_something_would_cost_is_an_option_only_beside_other_work() -> None:
    (line,) = draft("What would it cost to remodel our whole bathroom?").lines
    assert not line.optional
    _, second = draft("Please repair the 20 m fence. What would it cost to stain it, 40 m2?").lines
    assert second.optional


@pytest.mark.parametrize(
    "text",
    [
        "Lay 20 m2 of wall tiles, labour only",
        "Lay 20 m2 of wall tiles. Labour only.",
        "Lay 20 m2 of wall tiles - labour only please",
        "Lay 20 m2 of wall tiles, all materials supplied",
        "Lay 20 m2 of wall tiles, we supply the tiles",
    ],
)
def test_labour_only_is_labour_only_wherever_it_is_said(text: str) -> None:
    (line,) = drafter().draft(text, settings=PricingSettings(currency="GBP", home_location="Leeds")).lines
    assert line.kind == "labour"


def test_what_the_customer_supplies_is_priced_as_fitting_where_a_source_has_that_alone() -> None:
    settings = PricingSettings(currency="GBP", home_location="Leeds")
    (line,) = drafter().draft("Fit 18 m2 of laminate flooring, we supply the laminate.", settings=settings).lines
    assert (line.task_id, line.priced, line.kind) == ("flooring.laminate-fit", True, "labour")
    (line,) = drafter().draft("Fit 18 m2 of laminate flooring.", settings=settings).lines
    assert (line.task_id, line.kind) == ("flooring.laminate", "service")


def test_requests_that_are_learned_from_all_come_to_a_draft():
    """Every fortieth: they are written in ways that no rule was made for, and none of them may end in an error."""
    lines = [*REQUESTS.read_text("utf-8").splitlines(), *SUPPLIED.read_text("utf-8").splitlines()]
    for line in lines[::40]:
        text, _ = marked(line)
        draft = drafter().draft(text, settings=PricingSettings(home_location="Columbus, OH"))
        assert all(line.span is None or line.span.end <= len(text) for line in draft.lines), text


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("We are replacing our water heater. Can you quote?", ["plumbing.water-heater"]),
        ("Hi, we're replacing our furnace, thermostat and garbage disposal. Please quote.",
         ["hvac.furnace", "hvac.thermostat", "plumbing.garbage-disposal"]),
        ("We are replacing our water heater ourselves. Can you quote?", []),
        ("We're replacing our water heater. Can you quote a new thermostat?", ["hvac.thermostat"]),
    ],
)  # fmt: skip
def test_what_somebody_is_about_to_have_done_is_asked_for_beside_a_question_for_its_price(
    text: str, tasks: list[str]
) -> None:
    assert tasks_charged(drafter(), text) == tasks


@pytest.mark.parametrize(
    "text",
    ["Also get rid of the blinds.", "Get rid of the old curtain rod", "Take down the curtain rods in the bedroom"],
)
def test_what_is_to_be_taken_away_is_said_and_never_charged_as_a_new_one(text: str) -> None:
    (line,) = draft(text).lines
    assert (line.task_id, line.amount_minor) == ("", 0)


@pytest.mark.parametrize("text", ["Fit a toilet", "Replace the toilet and the bath", "Fit a new loo and a bath"])
def test_what_is_called_by_its_name_is_not_asked_about(text: str) -> None:
    assert not draft(text).questions
