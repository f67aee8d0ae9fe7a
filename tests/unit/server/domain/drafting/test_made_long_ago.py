"""Made long ago: what a sentence only names and dates is there, and is not built for what is asked of it."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from tests.unit.server.domain.drafting.charging import tasks_charged


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Deck, 12x20, pressure treated, built 2008. Please sand and stain it.", ["decking.stain"]),
        ("Chain link fence, 120 ft, 4 ft high, 1998. Please replace the gate.", ["fencing.gate"]),
        ("Wood fence, 80 ft, 2005. Just replace 3 rotten posts.", ["fencing.post"]),
        ("Furnace, Trane, 1998. Just clean it and change the filter.", ["hvac.furnace-tune-up"]),
        (
            "Driveway 20x50, asphalt, laid 2011, two potholes. Please patch the potholes and sealcoat it.",
            ["paving.pothole", "paving.sealcoat"],
        ),
        ("Flat roof over the garage, 5 x 3 m, felt, 1990s. Please re-felt.", ["roofing.flat-felt"]),
        ("Six windows, vinyl, double hung, 2001. Just re-caulk them outside.", ["handyman.caulk"]),
    ],
)
def test_what_was_made_long_ago_is_not_built(drafter: Drafter, text: str, tasks: list[str]) -> None:
    assert tasks_charged(drafter, text) == tasks


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Water heater, 50 gal gas, 2009. Please replace it.", ["plumbing.water-heater"]),
        ("Replace the following:\n- water heater, 2009\n- furnace, 1998", ["hvac.furnace", "plumbing.water-heater"]),
        ("Water heater, 2009", ["plumbing.water-heater"]),
        ("New furnace, 2025 model. Also clean the ducts.", ["hvac.duct-cleaning", "hvac.furnace"]),
    ],
)
def test_what_is_asked_for_is_whatever_year_stands_by_it(drafter: Drafter, text: str, tasks: list[str]) -> None:
    assert tasks_charged(drafter, text) == tasks
