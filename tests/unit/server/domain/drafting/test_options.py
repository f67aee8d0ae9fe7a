"""Promises of options: what is asked for as one is priced, and in no sum."""

import pytest

from server.domain.settings import PricingSettings

_WORKS = ("Replace the toilet", "Paint the hall walls, 400 sq ft", "Install a wood fence, 80 ft")
_OPTIONS = ("replace the kitchen faucet", "stain the deck, 300 sq ft", "install a ceiling fan", "replace 2 windows")


def drafted(drafter, text):
    """The tasks that a request charges, and those that it offers."""
    lines = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH")).lines
    charged, offered = ([line.task_id for line in lines if line.optional is kind] for kind in (False, True))
    return charged, offered


@pytest.mark.parametrize(
    "wording",
    [
        "{work}. Optional: {option}.", "{work}. Alternate 1: {option}.", "{work}.\nOptions:\n- {option}",
        "{work}.\n\nOptional:\n- {option}", "{work}. As an option, {option}.", "{work}. If budget allows, {option}.",
        "{work}. Maybe {option} too.", "{work}. We might also want to {option}.", "{work}. Nice to have: {option}.",
        "{work}. How much extra to {option}?", "{work}. What would it cost to also {option}?", "{work}. Add-on: {option}",
        "{work}. {option} (optional).", "{work}. {option} - optional", "{work}. {option} as a separate price.",
        "{work}. {option} (alternate)", "{work}. {option} as extra.", "{work}. {option} as an extra.", "{work}. {option} if it's not too expensive.", "{work}, with an option to {option}",
        # What is wanted in another case.
        "{work}. If that's too much, {option}.", "{work}. If it's not worth it, {option}.", "{work}. If that is too dear then {option}.",
        "{work}. If it can't be done, {option}.", "{work}. Plan B: {option}.", "{work}. {option}, but only if it's cheap.",
    ],
)  # fmt: skip
def test_an_option_is_offered_in_any_wording_and_the_work_is_charged(drafter, wording):
    for work in _WORKS:
        for option in _OPTIONS:
            text = wording.format(work=work, option=option)
            expected = drafted(drafter, f"{work}.")[0], drafted(drafter, f"{option.capitalize()}.")[0]
            assert drafted(drafter, text) == expected, text


@pytest.mark.parametrize(
    ("text", "charged", "offered"),
    [
        # What may turn out to be needed, and what is called an option behind it.
        ("New boiler please. The gas pipe may need upgrading, about 30 ft.", ["hvac.boiler"], ["plumbing.gas-line-length"]),
        ("New boiler please. Gas pipe looks to be 15mm - might need upping, about 30 ft.", ["hvac.boiler"], ["plumbing.gas-line-length"]),
        ("Replace the water heater. Flue liner may need replacing too.", ["plumbing.water-heater"], ["hvac.chimney-liner"]),
        ("Replace the furnace. In the garage an EV charger, I'd call that optional.", ["hvac.furnace"], ["electrical.ev-charger"]),
        (
            "Build a concrete patio, 300 sq ft. I'd also like a price if we went pavers instead.",
            ["concrete.patio"], ["paving.paver-patio"],
        ),
        ("Replace the faucet. A new disposal too, but consider that optional.", ["plumbing.faucet"], ["plumbing.garbage-disposal"]),
        ("Replace the toilet. A ceiling fan in the den, that one's optional.", ["plumbing.toilet"], ["electrical.ceiling-fan"]),
        # What is to be priced for itself, and not of one sum.
        ("Replace the water heater. Also price a tankless separately.", ["plumbing.water-heater"], ["plumbing.tankless-water-heater"]),
        ("Replace gutters 120 ft. Please price gutter guards separately", ["gutters.aluminum"], ["gutters.guard"]),
    ],
)  # fmt: skip
def test_what_may_be_needed_is_offered(drafter, text, charged, offered):
    assert drafted(drafter, text) == (charged, offered)


def test_what_a_request_begins_with_is_offered_at_least(drafter):
    """Its name alone may head what is told, and is no work that is lost."""
    text = (
        "End of tenancy clean, Leeds LS6, 5 bed student house, 2 bath. Checkout is Monday 1st July noon. "
        "Carpets in 4 of the bedrooms to be steam cleaned."
    )
    charged, offered = drafted(drafter, text)
    assert charged[-1] == "cleaning.carpet-room"
    assert [*charged[:-1], *offered] == ["cleaning.move-out"]


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        # The only thing that is asked for is no option beside anything.
        ("How much extra to replace 2 windows?", ["windows.replace"]),
        # Prices that were had elsewhere, of others, and of each of several works.
        (
            "We've had two quotes and both were too high. 1. Replace toilet 2. Install ceiling fan",
            ["plumbing.toilet", "electrical.ceiling-fan"],
        ),
        (
            "We are getting three quotes, we will choose the cheapest. 1) Paint fence, 60 ft 2) Replace toilet",
            ["fencing.stain", "plumbing.toilet"],
        ),
        (
            "Please give separate quotes for 1. carpet 300 sf in the den 2. vinyl plank 400 sf in the hall",
            ["flooring.carpet", "flooring.vinyl-plank"],
        ),
        # Each of several, and its parts.
        ("Please price the two bathrooms separately", ["bathrooms.full"]),
        ("Price labour and materials separately: replace 3 toilets", ["plumbing.toilet"]),
        # What follows a list of options, and what they are options of.
        (
            "Replace the toilet.\n\nOptional:\n- replace 2 windows\n\nInstall a ceiling fan.",
            ["plumbing.toilet", "electrical.ceiling-fan"],
        ),
        ("Install 4 outlets, option: 3 ceiling fans", ["electrical.outlet"]),
        ("We might need 3 interior doors replaced.", ["doors.interior"]),
    ],
)
def test_what_is_no_option_is_charged(drafter, text, charged):
    assert drafted(drafter, text)[0] == charged


@pytest.mark.parametrize(
    ("text", "charged", "offered"),
    [
        (
            "Replace 10 windows. Give me a number for a patio door too but don't do it yet.",
            ["windows.replace"], ["doors.sliding-patio"],
        ),
        (
            "Replace the toilet. Give us a price for a ceiling fan too but don't do it yet.",
            ["plumbing.toilet"], ["electrical.ceiling-fan"],
        ),
        ("Fit a kitchen sink. Quote with and without a new tap.", ["plumbing.kitchen-sink"], ["plumbing.faucet"]),
        (
            "Please replace our asphalt shingle roof, 24 squares. What would metal come to instead?",
            ["roofing.asphalt-shingle"], ["roofing.metal"],
        ),
        (
            "I'd like a new asphalt driveway, 800 sq ft. I'd also like a price if we went concrete instead.",
            ["paving.asphalt-driveway"], ["concrete.driveway"],
        ),
        # A trouble that they would rather not give is none of the work's; what is asked about is no condition.
        ("If it's too much trouble don't bother. Replace 2 windows.", ["windows.replace"], []),
        ("Replace the faucet. Tell me if the pressure is too high.", ["plumbing.faucet"], []),
    ],
)  # fmt: skip
def test_another_way_of_the_work_is_offered(drafter, text, charged, offered):
    assert drafted(drafter, text) == (charged, offered)


@pytest.mark.parametrize(
    ("text", "task", "amounts"),
    [
        ("Clean the gutters at the front, 60 ft. And the same at the back, 40 ft.", "gutters.clean", [60, 40]),
        ("Tile the kitchen floor, 12x14. Do the same in the hall, 4x10.", "tiling.floor", [168, 40]),
        ("Replace the kitchen faucet. I'd like the same in the bathroom please.", "plumbing.faucet", [1, 1]),
        # Another thing is not done "the same", and "the same" that says how is no work.
        ("Stain the deck, 300 sq ft. Then the same on the fence, 120 ft.", "decking.stain", [300]),
        ("Paint 2 bedrooms. The same on the 5th would suit.", "painting.room", [2]),
    ],
)
def test_the_same_elsewhere_is_asked_for_once_more(drafter, text, task, amounts):
    lines = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH")).lines
    assert [line.qty for line in lines if line.task_id == task and not line.optional] == amounts


@pytest.mark.parametrize(
    "wording",
    [
        "Option A) {one}. Option B) {other}.", "Option A: {one}. Option B: {other}.", "Opt 1 - {one}\nOpt 2 - {other}",
        "Price 1: {one}. Price 2: {other}. We will pick one.", "Two prices please: A. {one}. B. {other}. We'll choose one.",
        "Please price both ways: a) {one} b) {other}", "Please quote 2 options: 1) {one} 2) {other}",
        "We'd like two quotes: {one}, {other}. We'll choose one.", "Two prices: one for {one} and one for {other}.",
        "Quote 1: {one}\nQuote 2: {other}", "Option 1. {one}\nOption 2. {other}", "Option A:\n- {one}\nOption B:\n- {other}",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("one", "other", "tasks"),
    [
        (
            "asphalt driveway 1000 sqft", "paver driveway 1000 sqft",
            ["paving.asphalt-driveway", "paving.block-driveway"],
        ),
        (
            "laminate countertop 40 sqft", "quartz countertop 40 sqft",
            ["kitchens.countertop-laminate", "kitchens.countertop-quartz"],
        ),
        ("LVP 500 sf", "hardwood 500 sf", ["flooring.vinyl-plank", "flooring.hardwood"]),
    ],
)  # fmt: skip
def test_of_alternatives_none_is_charged_beside_another(drafter, wording, one, other, tasks):
    assert drafted(drafter, wording.format(one=one, other=other)) == ([], tasks)


@pytest.mark.parametrize(
    ("text", "charged", "offered"),
    [
        (
            "Replace 3 doors. Price 1: LVP 500 sf. Price 2: hardwood 500 sf. We will pick one. Also replace the toilet.",
            ["doors.interior", "plumbing.toilet"], ["flooring.vinyl-plank", "flooring.hardwood"],
        ),
        # An option of which no other is read is one all the same.
        (
            "Option 1: keep the block paving and put it back level. Option 2: new block paving, whole drive, 60 m2. Option 3, that resin stuff.",
            [], ["paving.block-driveway"],
        ),
        # Prices of several works that are wanted one by one, and numbers of a list.
        ("We need two quotes: gutters 100 ft, LVP 500 sf.", ["gutters.aluminum", "flooring.vinyl-plank"], []),
        ("Two estimates please, 1) new gutters 100 ft 2) LVP 500 sf", ["gutters.aluminum", "flooring.vinyl-plank"], []),
        ("Quote 1: replace toilet. Quote 2: replace the kitchen faucet.", ["plumbing.toilet", "plumbing.faucet"], []),
        ("1) Paint 2 bedrooms\n2) Replace the toilet\nPlease give me a price.", ["painting.room", "plumbing.toilet"], []),
        ("Quote: replace 4 toilets. Price: 3 faucets.", ["plumbing.toilet", "plumbing.faucet"], []),
        ("Replace 4 toilets, option: 3 faucets.", ["plumbing.toilet"], ["plumbing.faucet"]),
    ],
)  # fmt: skip
def test_what_is_no_alternative_is_charged(drafter, text, charged, offered):
    assert drafted(drafter, text) == (charged, offered)


def test_another_price_of_the_same_is_not_added(drafter):
    text = "Can we have 2 prices, one for emulsion of all 4 bedrooms and one for just the front 2"
    (line,) = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH")).lines
    assert line.qty == 4
    assert any("the front 2" in reason for reason in line.review_reasons)
