"""How much: an amount comes out the same in whichever of the usual ways somebody writes it."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from server.domain.units import factor

#: Where the work is, a command, what is done to things, what is done, the things and one of them.
COUNTED = [
    ("USD", "replace", "replaced", "toilets", "toilet"),
    ("USD", "install", "installed", "ceiling fans", "ceiling fan"),
    ("USD", "replace", "replaced", "smoke detectors", "smoke detector"),
    ("GBP", "fit", "fitted", "internal doors", "internal door"),
]
AREAS = [
    ("USD", "seal coat", "sealcoated", "driveway", "600 sq ft"),
    ("USD", "install", "installed", "laminate flooring", "600 sq ft"),
    ("GBP", "lay", "laid", "turf", "600 sq ft"),
]
LENGTHS = [
    ("USD", "install", "installed", "gutters", "120 ft"),
    ("USD", "trim", "trimmed", "hedge", "120 ft"),
    ("GBP", "build", "built", "fence", "120 ft"),
]
VOLUMES = [
    ("USD", "spread", "spread", "mulch", "8 cubic yards"),
    ("GBP", "spread", "spread", "topsoil", "8 cubic yards"),
]


@cache
def amounts(drafter: Drafter, text: str, currency: str) -> list[tuple[str, Decimal, str, bool]]:
    """The tasks that a request comes to, with how much of each in the unit that prices it."""
    drafted = drafter.draft(text, settings=PricingSettings(currency=currency))
    return sorted((line.task_id, line.qty, line.unit, line.optional) for line in drafted.lines)


def about_as_much(found: list[tuple[str, Decimal, str, bool]], told: list[tuple[str, Decimal, str, bool]]) -> bool:
    """Whether two drafts have the same tasks and as much of each, but for what rounds between units."""
    if [(task, optional) for task, _, _, optional in found] != [(task, optional) for task, _, _, optional in told]:
        return False
    pairs = zip(found, told, strict=True)
    return all(abs(one[1] * factor(one[2], two[2]) - two[1]) <= two[1] / 100 for one, two in pairs)


def check(drafter: Drafter, currency: str, canonical: str, text: str) -> None:
    told = amounts(drafter, canonical, currency)
    assert told
    assert all(qty > 1 for _, qty, _, _ in told)
    assert about_as_much(amounts(drafter, text, currency), told), text


#: "{N}" begins a sentence with the things, "{n1}" is one of them.
@pytest.mark.parametrize(
    "said",
    [
        "{V} four {n}", "{V} four (4) {n}", "{V} ({q}) {n}", "{V} {n} ({q})", "{V} {n} x{q}", "{V} {n} x {q}",
        "{V} {q}x {n}", "{V} {q} x {n}", "{V} {n}, qty {q}", "{V} {n}. Qty: {q}", "{V} {n} QTY - {q}", "{V} {q} EA {n}",
        "Qty {q} {n}, {v}", "QTY: {q} {n}. {V}.", "{V} {n}, {q} EA", "{V} {q} no. {n}", "{V} {q} nr {n}",
        "{V} {n}. Number of {n}: {q}", "Number of {n} to be {ed}: {q}", "{V} {n}. No. of {n}: {q}",
        "{V} {n} - {q}", "{V} {n}: {q}", "{V} {n}, {q}", "{V} {n}, {q} of them", "{V} {n} - four of them",
        "{V} {n}, {q} in total", "{V} {n}. {q} total.", "{V} {n}. Total: {q}", "{V} {n}, a total of {q}",
        "{V} {n}. There are {q} of them.", "{V} {n}. There are four.", "{V} {n}. It's {q} {n}.",
        "{V} {n}. It's {q} {n} in total.", "{V} {n}, I think {q}", "{V} a total of {q} {n}", "{V} all {q} {n}",
        "{V} all four of the {n}", "{V} the {q} {n}", "{V} another {q} {n}", "{V} {q} more {n}", "{V} {q} new {n}",
        "{V} {q} old {n}", "{V} approximately {q} {n}", "{V} ~{q} {n}", "{V} approx. {q} {n}", "{V} {q} or so {n}",
        "{V} {n}, {q} or so", "{V} {n}, about {q}", "{V} {n}, approx. {q}", "{V} {n}, around {q} of them",
        "{V} at least {q} {n}", "{V} {n}, at least {q}", "{V}:\n- {q} {n}", "{V}:\n- {n}: {q}", "- {v} {q} {n}",
        "* {V} {n} ({q})", "{q} {n} to be {ed}", "{q} {n} - {v}", "{q} {n}: {v}", "({q}) {n}, {v}", "{N} ({q}) - {v}",
        "{N} x{q} - {v}", "{N} - {v} {q}", "{N}, {q}, {v}", "{N}: {q}. {V}.", "There are {q} {n}. Please {v} them all.",
        "We have {q} {n} to {v}.", "I need {q} {n} {ed}", "Need {n} {ed}, {q} of them", "How much to {v} four {n}?",
        "{V} 1 {n1} in the hall and 3 upstairs", "{V} two {n} upstairs and two down", "{V} one {n1} in each of the 4 bedrooms",
        "{V} one {n1} per bedroom, 4 bedrooms",
    ],
)  # fmt: skip
def test_how_many(drafter: Drafter, said: str) -> None:
    for currency, verb, done, things, thing in COUNTED:
        canonical = f"{verb.capitalize()} 4 {things}."
        words = {
            "V": verb.capitalize(),
            "v": verb,
            "ed": done,
            "n": things,
            "N": things.capitalize(),
            "n1": thing,
            "q": 4,
        }
        check(drafter, currency, canonical, said.format(**words))
        check(drafter, currency, canonical.upper(), said.format(**words).upper())


@pytest.mark.parametrize(
    "said",
    [
        "{V} 4 {n} and {w} 3 {m}.", "{V} {n} (4) and {w} {m} (3)", "{V} {n} x4, {w} {m} x3",
        "{V} {n}, about 4, and {w} {m}, about 3.", "{V} {n}, I think 4. {W} {m}, maybe 3.", "{V} {n}: 4\n{W} {m}: 3",
        "{V} {n}. There are 4. {W} {m}. There are 3.", "{V} 4 or so {n} and {w} 3 or so {m}", "4 {n} - {v}\n3 {m} - {w}",
        "- {n}: {v} 4\n- {m}: {w} 3", "{V} qty 4 {n}; {w} qty 3 {m}", "{V} 4 {n} (2 upstairs, 2 down) and {w} 3 {m}",
    ],
)  # fmt: skip
def test_how_many_of_each_of_two_things(drafter: Drafter, said: str) -> None:
    pairs = [
        (("replace", "smoke detectors"), ("replace", "windows")),
        (("install", "ceiling fans"), ("replace", "toilets")),
        (("install", "outlets"), ("install", "ceiling fans")),
    ]
    for (verb, thing), (other, more) in pairs:
        told = amounts(drafter, f"{verb} 4 {thing}", "USD") + amounts(drafter, f"{other} 3 {more}", "USD")
        words = {"v": verb, "V": verb.capitalize(), "n": thing, "w": other, "W": other.capitalize(), "m": more}
        text = said.format(**words)
        assert about_as_much(amounts(drafter, text, "USD"), sorted(told)), text


@pytest.mark.parametrize("canonical", ["Replace {q} toilets.", "Install {q} outlets."])
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (2, "a couple of"), (2, "a couple"), (2, "a pair of"), (2, "both of our"), (2, "both"), (2, "the two"),
        (6, "half a dozen"), (6, "half-a-dozen"), (6, "a half-dozen"), (6, "half dozen"), (12, "a dozen"),
        (12, "the dozen"), (12, "a dozen or so"), (12, "twelve (12)"), (24, "two dozen"), (24, "a couple dozen"),
        (24, "twenty four"), (24, "twenty-four (24)"), (5, "4 or 5"), (5, "4-5"), (5, "four to five"),
    ],
)  # fmt: skip
def test_how_many_in_words(drafter: Drafter, canonical: str, number: int, said: str) -> None:
    check(drafter, "USD", canonical.format(q=number), canonical.format(q=said))


@pytest.mark.parametrize(
    ("canonical", "said"),
    [
        ("Replace 4 interior doors.", "Replace interior doors, 30x80, qty 4"),
        ("Replace 4 interior doors.", "Replace 4 2'6\" x 6'8\" interior doors"),
        ("Replace 4 interior doors.", 'Replace 4 - 30" interior doors'),
        ("Handyman for 6 hours.", "2 handymen for 3 hours"),
        ("Replace 4 water heaters.", "Replace four 50-gallon water heaters"),
        ("Replace 4 water heaters.", "Replace water heaters (50 gal), qty 4"),
        ("Install 4 ceiling fans.", "Install 4 52\" ceiling fans"),
        ("Install 4 ceiling fans.", "Install 4 ceiling fans with 5 blades"),
        ("Install 4 ceiling fans.", "Install 4 ceiling fans with 2 remotes"),
        ("Install 4 ceiling fans.", "Install 4 ceiling fans including 2 upstairs"),
        ("Replace 4 toilets.", "Replace 4 toilets. Two are upstairs and two are downstairs."),
        ("Replace 4 toilets.", "Replace toilets. Two are upstairs and two are downstairs."),
        ("Replace 8 smoke detectors.", "Replace smoke detectors in 4 bedrooms, 2 each"),
        ("Replace 4 smoke detectors.", "Replace smoke detectors in 4 bedrooms, one each"),
        ("Replace 2 toilets.", "Replace one toilet upstairs and another downstairs"),
        ("Replace 2 toilets.", "Replace a toilet in the hall and another in the kitchen"),
        ("Remove 4 trees.", "I need 4 trees removed."),
        ("Mow the lawn, 4 visits.", "Mow the lawn weekly for a month"),
        ("Pest control, 4 visits.", "Quarterly pest control for a year"),
        ("Install 120 ft of gutters.", "Install gutters (2 x 60 ft)"),
        ("Install 120 ft of gutters.", "Install the gutters. They are 2 runs of 60 ft."),
        ("Install 38 ft of baseboard.", "Hallway is 3 x 16 ft, fit baseboard"),
        ("Pressure wash 600 sq ft of driveway.", "Pressure wash driveway, 600 sf"),
        ("Pressure wash 600 sq ft of driveway.", "The driveway is 20 x 30 ft. Please pressure wash it."),
    ],
)  # fmt: skip
def test_how_many_beside_sizes_and_places(drafter: Drafter, canonical: str, said: str) -> None:
    check(drafter, "USD", canonical, said)


@pytest.mark.parametrize(
    ("canonical", "said"),
    [
        ("Fit 4 internal doors.", "Fit 4no 762 internal doors"),
        ("Replace 4 radiators.", "Replace 4 no. 600mm x 1200mm radiators"),
        ("Service 4 boilers.", "Boiler service x4"),
        ("Replace 24 ft of fence.", "Replace four 6 x 6 fence panels"),
        ("Replace 24 ft of fence.", "Replace 4 fence panels, 6ft x 6ft"),
        ("Lay 55 m2 of turf.", "Lay turf, 5m x 11m"),
        ("Lay 55 m2 of block paving.", "Lay block paving, 5x11"),
    ],
)  # fmt: skip
def test_how_many_as_the_british_say(drafter: Drafter, canonical: str, said: str) -> None:
    check(drafter, "GBP", canonical, said)


#: Where "600 sq ft", "120 ft" may stand.
PLACES = [
    "{V} {a} of {n}", "{V} {n}, {a}", "{V} {n} ({a})", "{V} the {n}. It is {a}.", "{V} {n}. Total: {a}", "{V}:\n- {n}: {a}",
]  # fmt: skip


def check_in_all_places(drafter: Drafter, works: list[tuple[str, str, str, str, str]], said: str) -> None:
    for currency, verb, done, thing, told in works:
        for place in PLACES:
            words = {"V": verb.capitalize(), "ed": done, "n": thing}
            check(drafter, currency, place.format(a=told, **words), place.format(a=said, **words))


@pytest.mark.parametrize(
    "said",
    [
        "600sf", "600 SF", "600 S.F.", "600 square feet", "600 sq. ft.", "600 ft2", "600ft²", "600 ft^2", "600 +/- sf",
        "~600 sf", "about 600 square feet", "six hundred square feet", "20 x 30 ft", "20' x 30'", "20ft by 30ft",
        "55.74 m2", "55.74 sqm", "55.74 m^2", "55.74 square metres", "55.74 metres squared",
    ],
)  # fmt: skip
def test_how_large(drafter: Drafter, said: str) -> None:
    check_in_all_places(drafter, AREAS, said)


@pytest.mark.parametrize(
    "said",
    [
        "120'", "120 LF", "120 lf.", "120 linear feet", "120 lineal ft", "120 foot", "40 yards", "120 +/- LF",
        "120 or so feet", "a hundred and twenty feet", "36.58 m", "36.58 linear metres",
    ],
)  # fmt: skip
def test_how_long(drafter: Drafter, said: str) -> None:
    check_in_all_places(drafter, LENGTHS, said)


@pytest.mark.parametrize(
    "said", ["8 cu yd", "8 cu. yds", "8 CY", "8 yd³", "eight cubic yards", "6.12 m3", "6.12 metres cubed"]
)
def test_how_much_of_what_is_spread(drafter: Drafter, said: str) -> None:
    check_in_all_places(drafter, VOLUMES, said)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Replace the toilet. There are 4 toilets in the house.", ("plumbing.toilet", 1)),
        ("Spring snapped, replace the pair. Rollers are loud too, 10 of them", ("garage-doors.spring", 2)),
    ],
)
def test_a_number_of_other_things_counts_none(drafter: Drafter, text: str, told: tuple[str, int]) -> None:
    assert told in [(task, qty) for task, qty, _, _ in amounts(drafter, text, "USD")]


@pytest.mark.parametrize(
    ("text", "currency", "told"),
    [
        ("Move: 3 bedrooms, living room, garage and kitchen to load", "USD", ("moving.home-3", 1)),
        ("Rewire a three bedroom house: 3 bedrooms, lounge, kitchen, hall", "GBP", ("electrical.rewire-house", 1)),
        ("Clean the carpets in 3 bedrooms, living room and hallway.", "USD", ("cleaning.carpet-house", 1)),
        ("End of tenancy clean in 4 two-bedroom flats", "GBP", ("cleaning.tenancy-2", 4)),
    ],
)
def test_rooms_are_no_homes_of_so_many_bedrooms(
    drafter: Drafter, text: str, currency: str, told: tuple[str, int]
) -> None:
    assert [(task, qty) for task, qty, _, _ in amounts(drafter, text, currency)] == [told]


@pytest.mark.parametrize(
    ("text", "currency", "told"),
    [
        ("The old fence fell over. It's 80 feet long. Want cedar 6ft with a gate.", "USD", ("fencing.wood", 80)),
        ("The back fence has rotted, about 18 metres. We want feather edge 6ft instead.", "GBP", ("fencing.wood", 18)),
        # A part of it is as long as it is told.
        ("Our fence is 90 ft. Replace 6 ft that blew down.", "USD", ("fencing.wood", 6)),
        ("The fence is 90 ft. Replace a cedar section 6 ft long.", "USD", ("fencing.wood", 6)),
    ],
)
def test_how_high_a_kind_of_fence_is_told_to_be_is_not_how_long(
    drafter: Drafter, text: str, currency: str, told: tuple[str, int]
) -> None:
    assert told in [(task, qty) for task, qty, _, _ in amounts(drafter, text, currency)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "We have two dead ash trees, about 50 ft, which we want taken down, and a maple that needs pruning.",
            [("tree-work.prune", 1), ("tree-work.remove-medium", 2)],
        ),
        ("There are six tired internal panelled doors upstairs. Replace them.", [("doors.interior", 6)]),
        ("There are 3 outdated brass ceiling fans. Please replace.", [("electrical.ceiling-fan", 3)]),
    ],
)
def test_what_a_count_is_of_may_stand_behind_what_it_is_like(
    drafter: Drafter, text: str, told: list[tuple[str, int]]
) -> None:
    assert [(task, qty) for task, qty, _, _ in amounts(drafter, text, "USD")] == told


@pytest.mark.parametrize(
    ("currency", "text", "told"),
    [
        ("GBP", "replace 1/3 of the gutters (24m total)", (8, "m")),
        ("USD", "Repaint half of the walls (800 sqft total)", (400, "sqft")),
        ("USD", "replace a third of the siding, 24 squares in all", (8, "square")),
        ("USD", "Two thirds of the fence needs replacing, 90 ft in total", (60, "ft")),
        ("USD", "Refinish 25% of the floor (600 sqft)", (150, "sqft")),
        ("USD", "Replace about a quarter of the deck boards, deck is 400 sqft", (100, "sqft")),
        ("USD", "Replace half of the fence. The fence is 60 ft long", (30, "ft")),
        ("GBP", "Board half the loft, loft 7m x 5m", (Decimal("17.5"), "m2")),
        ("GBP", "Boarding about half the loft (loft approx 7m x 5m)", (Decimal("17.5"), "m2")),
        ("USD", "Replace half the fence, fence: 60 ft", (30, "ft")),
        ("USD", "Replace 1/4 of 20 squares of shingles", (5, "square")),
        ("USD", "Replace half of the 60 ft fence", (30, "ft")),
        ("USD", "Replace half the fence (60 ft)", (30, "ft")),
        ("USD", "Replace three quarters of the gutters, 120 ft total", (90, "ft")),
        ("USD", "Replace half of the windows (12 total)", (6, "each")),
        ("USD", "Replace a third of the 10 windows", (4, "each")),
        # Nothing says that it is the whole, or it is told so.
        ("USD", "Replace half of the fence: 30 ft", (30, "ft")),
        ("USD", "Replace half of the fence, about 30 ft of it", (30, "ft")),
        ("GBP", "Board half the loft, 7m x 5m", (35, "m2")),
        ("USD", "Refinish half of the floor, that's 300 sqft", (300, "sqft")),
        ("USD", "Replace half of the fence, the 30 ft along the road", (30, "ft")),
        ("USD", "We did half of the fence last year. Replace the other half, 60 ft total", (60, "ft")),
        ("USD", "50% deposit is fine. Paint 800 sqft of walls", (800, "sqft")),
        ("USD", "Carpet the unfinished half only (640 sf)", (640, "sqft")),
        # How thick it is, and what it is called.
        ("USD", "Install 3/4 inch hardwood floor, 300 sf total", (300, "sqft")),
        ("USD", "Replace 3/4 copper pipe, 60 ft total", (60, "ft")),
        ("USD", "Install quarter round, 120 ft total", (120, "ft")),
        ("USD", "Replace half round gutter (120 ft)", (120, "ft")),
        ("USD", "Tile the half bath (40 sf)", (40, "sqft")),
        ("USD", "Install 1/2 inch drywall, 400 sqft", (400, "sqft")),
    ],
)
def test_a_share_of_what_is_told_in_all_is_so_much_of_it(
    drafter: Drafter, currency: str, text: str, told: tuple[int, str]
) -> None:
    assert [(qty, unit) for _, qty, unit, _ in amounts(drafter, text, currency)] == [told]


@pytest.mark.parametrize(
    ("currency", "text", "qty"),
    [
        ("GBP", "Grab rail by toilet, grab rail x2 in shower", 3),
        ("GBP", "Smoke alarm in hall, smoke alarm x2 upstairs", 3),
        ("USD", "Install smoke detector in the hall, 2 smoke detectors in bedrooms", 3),
        ("USD", "Install a ceiling fan in the den, ceiling fan x3 in bedrooms", 4),
        # All of them are told, or it is one of them.
        ("USD", "Replace smoke detectors in hall, 2 smoke detectors", 2),
        ("USD", "Ceiling fans in bedrooms, 3 ceiling fans", 3),
        ("GBP", "Grab rail x2 in shower", 2),
        ("GBP", "Grab rails x2: toilet and shower", 2),
    ],
)
def test_one_with_its_place_and_so_many_of_the_same_are_one_more(
    drafter: Drafter, currency: str, text: str, qty: int
) -> None:
    assert [found for _, found, _, _ in amounts(drafter, text, currency)] == [qty]
