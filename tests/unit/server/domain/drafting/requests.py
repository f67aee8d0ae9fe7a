"""Realistic requests with the lines an estimator would write, labelled by hand before the engine was run on them.

``BEFORE`` and ``AFTER`` were written before the engine saw them and then tuned against, one after the other; ``FRESH`` was
written last; one defect that it showed was mended and one wrong label of its own put right. The first-run figures of all three are in `docs/drafting.md`.
An expected line is (task, quantity or None, unit, marks): ``o`` optional, ``l`` labour only. An empty task is a line that
must be there and must have no price.
"""

from __future__ import annotations

from typing import NamedTuple


class Labelled(NamedTuple):
    """A request, the industry field sent with it, and its lines."""

    text: str
    lines: tuple[tuple[str, str | None, str, str], ...]
    industry: str = ""


BEFORE: tuple[Labelled, ...] = (
    Labelled(
        "Replace 12 m of guttering and repaint the front of a two-storey house in Nashville, about 60 m2, two coats, we supply the paint",
        (("gutter-aluminium-replace", "12", "m", ""), ("paint-exterior", "60", "m2", "l")),
    ),
    Labelled(
        "Hi there,\n\nWe've just moved into a 3 bed semi in Leeds and need a bit of work doing. Could you give us a price to take up the old"
        " carpet in the lounge (about 20 sq m) and lay laminate instead? I already have the laminate. Also the kitchen tap is dripping"
        " and needs fixing.\n\nThanks,\nEmma\n0113 496 0000",
        (("carpet-remove", "20", "m2", ""), ("laminate", "20", "m2", "l"), ("tap-repair", "1", "each", "")),
    ),
    Labelled(
        "Need a quote for 120 linear feet of wood fence, 6 ft high, with removal of the old chain link fence. No gates.",
        (("fence-wood", "120", "ft", ""), ("fence-remove", "120", "ft", "")),
    ),
    Labelled(
        "REMOVE & REPLACE 2000 SQ FT ASPHALT SHINGLE ROOF, 24 LF FASCIA, NO ELECTRIC",
        (("roof-shingle-replace", "2000", "sqft", ""), ("fascia-replace", "24", "ft", "")),
    ),
    Labelled(
        "REPLACE DRYWALL 600 SQ FT, WINDOWS (19) SAME SIZE LOCATION, DOORS (23), 200 AMP SERVICE",
        (
            ("drywall", "600", "sqft", ""),
            ("window-vinyl", "19", "each", ""),
            ("door-interior", "23", "each", ""),
            ("panel-200", "1", "each", ""),
        ),
    ),
    Labelled(
        "Paint the walls and ceiling of a 12x14 ft bedroom, two coats, excluding the closet.",
        (("paint-interior", "584", "sqft", ""),),
    ),
    Labelled(
        "- supply and fit 3 double sockets\n- replace light fitting in the hall\n- fit 6 downlights in kitchen\nWe supply the downlights.",
        (("outlet", "3", "each", ""), ("light", "1", "each", ""), ("light-recessed", "6", "each", "l")),
        "electrical",
    ),
    Labelled(
        "Mow our lawn weekly and trim the 20 m hedge please", (("mow", "1", "visit", ""), ("hedge", "20", "m", ""))
    ),
    Labelled(
        "Our boiler needs its annual service. Optionally fit two new radiators.",
        (("boiler-service", "1", "visit", ""), ("radiator", "2", "each", "o")),
    ),
    Labelled(
        "Please price replacing a pair of windows and the back door. Price separately for a new front door.",
        (("window-vinyl", "2", "each", ""), ("door-exterior", "1", "each", ""), ("door-exterior", "1", "each", "o")),
    ),
    Labelled(
        "Pressure wash 1,200 sq ft driveway and clean the gutters, roughly 140 feet",
        (("driveway-clean", "1200", "sqft", ""), ("gutter-clean", "140", "ft", "")),
    ),
    Labelled(
        "Tile bathroom floor 6 m2 with 60x60cm porcelain tiles, labour only, tiles supplied by us",
        (("tile-floor", "6", "m2", "l"),),
    ),
    Labelled("Replace toilets in both bathrooms", (("toilet-replace", "2", "each", ""),)),
    Labelled("Remove the boiler", (("", None, "", ""),)),
    Labelled(
        "Tuckpoint 400 sq. ft., install 2x4 led lights (12), replace 3-ton AC condenser",
        (("tuckpoint", "400", "sqft", ""), ("light", "12", "each", ""), ("ac-install", "1", "each", "")),
    ),
    Labelled("The house was built in 1920 and we moved in last year. The roof was replaced in 2015.", ()),
    Labelled(
        "Spread mulch 3 inches deep over 200 sqft of beds and lay 1/2 acre of sod",
        (("mulch", "50", "cuft", ""), ("sod", "0.5", "acre", "")),
    ),
    Labelled(
        "1. Strip and sand 35 sqm of oak floor\n2. New skirting to a 4m x 5m room\n3. Hang five internal doors (doors on site)",
        (("floor-sand", "35", "m2", ""), ("baseboard", "18", "m", ""), ("door-interior", "5", "each", "l")),
    ),
    Labelled(
        "Install an EV charger and upgrade the panel to 200A. Budget of $5k.",
        (("ev-charger", "1", "each", ""), ("panel-200", "1", "each", "")),
    ),
    Labelled(
        "Kitchen sink drain is blocked, need someone asap. Also need a new faucet, customer to supply.",
        (("drain-clear", "1", "visit", ""), ("tap-replace", "1", "each", "l")),
    ),
    Labelled(
        "Repaint exterior of 2-story house, 2,400 sq ft, not including the garage or fence",
        (("paint-exterior", "2400", "sqft", ""),),
    ),
    Labelled("Cut down two large trees and grind the stumps", (("tree-remove", "2", "each", ""), ("", None, "", ""))),
    Labelled(
        "Replase 30m of guttring with aluminum, and 2 downpipes 5 m each",
        (("gutter-aluminium-replace", "30", "m", ""), ("downspout-replace", "10", "m", "")),
    ),
    Labelled(
        "Lay a 3m by 4m patio and put up 10-12 m of fencing, leave the existing shed",
        (("patio", "12", "m2", ""), ("fence-wood", "12", "m", "")),
    ),
    Labelled(
        "Dear Sirs,\nPlease quote for redecorating our office:\n* 250 m2 of walls, two coats emulsion\n* 12 doors to be painted\n"
        "* carpet cleaning, 180 m2\nWork must be out of hours.\nKind regards\nJ. Patel\nFacilities Manager",
        (("paint-interior", "250", "m2", ""), ("paint-door", "12", "each", ""), ("carpet-clean", "180", "m2", "")),
    ),
    Labelled("Insulate the loft, 45 sqm, 270mm. No plumbing.", (("insulation", "45", "m2", ""),)),
    Labelled(
        "Can you replace the deck 12' x 16' and stain it? Alternatively a concrete patio the same size.",
        (("deck", "192", "sqft", ""), ("patio", "192", "sqft", "o")),
    ),
)

AFTER: tuple[Labelled, ...] = (
    Labelled(
        "Good morning, please could you quote for supplying and laying a new concrete driveway, approx 65 square metres, and a 15m run of"
        " close board fencing down the side. We don't need the hedge touched. Regards, Tom",
        (("driveway-concrete", "65", "m2", ""), ("fence-wood", "15", "m", "")),
    ),
    Labelled(
        "Looking to get two bathrooms' toilets swapped out, plus a new basin tap in each. I've already bought the taps.",
        (("toilet-replace", "2", "each", ""), ("tap-replace", "2", "each", "l")),
    ),
    Labelled(
        "INSTALL 14 RECESSED LIGHTS, 7 RECEPTACLES IN BASEMENT; UPGRADE SERVICE TO 200 AMP. NO PLUMBING WORK.",
        (("light-recessed", "14", "each", ""), ("outlet", "7", "each", ""), ("panel-200", "1", "each", "")),
    ),
    Labelled(
        "Hi, how much to have the inside of my windows cleaned? There are eleven of them. Cheers, Bob",
        (("window-clean", "11", "each", ""),),
    ),
    Labelled(
        "Tear off and re-roof, 24 SQ architectural shingles. Customer will provide dumpster. Also 3 downspouts, 10 ft each.",
        (("roof-shingle-replace", "24", "square", ""), ("downspout-replace", "30", "ft", "")),
    ),
    Labelled(
        "Rip out the old deck and build a new one, 10 x 20 feet, pressure treated.", (("deck", "200", "sqft", ""),)
    ),
    Labelled(
        "Interior painting for a 3 bedroom flat, around 1,100 sq ft of walls. Ceilings are not included. If budget allows, also paint 7 doors.",
        (("paint-interior", "1100", "sqft", ""), ("paint-door", "7", "each", "o")),
    ),
    Labelled("Our AC isn't cooling, can someone come and service it before Friday?", (("ac-tune", "1", "visit", ""),)),
    Labelled(
        "We need the loft insulating (about 50m2) and one radiator moving from the hall to the lounge.",
        (("insulation", "50", "m2", ""), ("", None, "", "")),
    ),
    Labelled(
        "quote for 3 trees removed, stump left in place, and 200 sqft of turf laid out back",
        (("tree-remove", "3", "each", ""), ("sod", "200", "sqft", "")),
    ),
    Labelled(
        "Scope: demo existing kitchen cabinets; furnish & install 22 LF of new cabinets; 180 SF ceramic tile floor. Exclude countertops.",
        (("", None, "", ""), ("kitchen-cabinet", "22", "ft", ""), ("tile-floor", "180", "sqft", "")),
    ),
    Labelled("Just checking whether you got my last email about the invoice?", ()),
)

FRESH: tuple[Labelled, ...] = (
    Labelled(
        "Hello, I'd like a price for repointing the chimney and about 15 sq m of brickwork on the gable. It's a three storey terrace."
        " Scaffolding will be needed. Thanks, Priya",
        (("tuckpoint", "15", "m2", ""),),
    ),
    Labelled(
        "Please replace our old combi boiler and add 4 radiators. We don't want the thermostat changed.",
        (("boiler", "1", "each", ""), ("radiator", "4", "each", "")),
    ),
    Labelled(
        "PAINT INTERIOR WALLS 2,500 SF; REPLACE 12 INTERIOR DOORS; REFINISH 800 SF HARDWOOD FLOOR; NO MEP WORK",
        (("paint-interior", "2500", "sqft", ""), ("door-interior", "12", "each", ""), ("floor-sand", "800", "sqft", "")),
    ),
    Labelled(
        "Could someone come and unblock our drain? We've had water backing up since Tuesday.",
        (("drain-clear", "1", "visit", ""),),
    ),
    Labelled(
        "Need 250 ft of vinyl fence installed, old wood fence hauled away. I have the vinyl fence panels.",
        (("fence-vinyl", "250", "ft", "l"), ("fence-remove", "250", "ft", "")),
    ),
    Labelled(
        "Tile the kitchen floor (3.5m x 4m) and the bathroom walls, 18 m2. Tiles on site.",
        (("tile-floor", "14", "m2", "l"), ("tile-wall", "18", "m2", "l")),
    ),
    Labelled(
        "Remove 3 toilets and install 3 new toilets, plus 2 water heaters, 50 gal each",
        (("toilet-replace", "3", "each", ""), ("water-heater", "2", "each", "")),
    ),
    Labelled("Fit 60 linear metres of skirting board and hang two doors, then paint both doors.",
             (("baseboard", "60", "m", ""), ("door-interior", "2", "each", ""), ("paint-door", "2", "each", ""))),
    Labelled("Pour a concrete slab 20 x 24 ft, 4 inches thick.", (("concrete", "160", "cuft", ""),)),
    Labelled("We're after a regular clean of our office, twice a week, and the windows (24) cleaned once a quarter.",
             (("house-clean", "1", "visit", ""), ("window-clean", "24", "each", ""))),
)  # fmt: skip
