"""Totals: the sum that a request tells itself is how much is asked for, once."""

import pytest

from server.domain.settings import PricingSettings


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # The parts are added up by whoever asks, also where we cannot read each of them.
        (
            "Quartz on the counters (32 sf) plus the island top which is 3x7, so 53 sf altogether.",
            [("kitchens.countertop-quartz", 53, "sqft")],
        ),
        (
            "Put up a 6 ft privacy fence, 45 ft along the back and then another 30 down the side, 75 total.",
            [("fencing.wood", 75, "ft")],
        ),
        (
            "Please paint the lounge walls 20 m2 and the hall 16 m2, I make it 36 square metres.",
            [("painting.interior-walls", 36, "m2")],
        ),
        (
            "Install 3 ceiling fans upstairs and 2 downstairs, 5 total.",
            [("electrical.ceiling-fan", 5, "each")],
        ),
        # A sum of several things is none of its own.
        (
            "Install 4 outlets and 2 light switches, so 6 devices.",
            [("electrical.outlet", 4, "each"), ("electrical.switch", 2, "each")],
        ),
        (
            "Replace 3 toilets and 2 faucets, 5 fixtures total.",
            [("plumbing.toilet", 3, "each"), ("plumbing.faucet", 2, "each")],
        ),
        # All of something else is no sum of this.
        ("Lay 200 sq ft of sod, total lot is 5000 sq ft.", [("landscaping.sod", 200, "sqft")]),
        ("Paint walls 400 sq ft, house is 2000 sq ft total", [("painting.interior-walls", 400, "sqft")]),
        ("2 power points per room, 4 rooms all up.", [("electrical.outlet", 8, "each")]),
        ("Replace 8 windows downstairs. 12 windows total in the house.", [("windows.replace", 8, "each")]),
    ],
)
def test_the_sum_that_is_told_goes_before_ours(drafter, text, lines):
    drafted = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH")).lines
    assert [(line.task_id, line.qty, line.unit) for line in drafted if not line.optional] == lines
