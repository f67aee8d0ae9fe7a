"""What there is: what a sentence only describes or dates is there, and is not built for what is asked of it."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
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


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Double garage door 16x7, insulated steel. Please replace both torsion springs.", ["garage-doors.spring"]),
        (
            "Double garage door, 16x7, insulated, belt drive opener. Bottom panel dented. Please replace the bottom seal.",
            ["garage-doors.seal"],
        ),
        ("Asphalt shingle roof, 24 squares. Some shingles blew off the back. Please repair.", ["roofing.repair"]),
        ("Composite deck, 14x20. Railing is loose on one side. Just fix the railing.", ["decking.railing"]),
        ("Tile floor in the hall, 90 sq ft, grout cracked. Just regrout it.", ["tiling.regrout"]),
        ("Cedar fence along the alley, 80 ft, leans badly. Please replace it.", ["fencing.wood"]),
        ("Gutters on the back, 52 feet, and one seam drips. Just replace that run.", ["gutters.aluminum"]),
        # What is asked for before, or besides, stays.
        (
            "Metal tile splashback behind the hob, 3.2 m x 0.6 m. Regrout the main shower, 4 sq m.",
            ["tiling.backsplash", "tiling.regrout"],
        ),
        (
            "Clean the gutters, 90 ft. Wood fence, 60 ft, 6 ft tall. Replace the gate.",
            ["fencing.gate", "fencing.wood", "gutters.clean"],
        ),
    ],
)
def test_a_part_of_what_is_described_is_mended_and_the_whole_not_built(
    drafter: Drafter, text: str, tasks: list[str]
) -> None:
    assert tasks_charged(drafter, text) == tasks


def test_what_is_replaced_is_as_much_as_was_described(drafter: Drafter) -> None:
    lines = drafter.draft("Cedar fence, 80 ft, leans badly. Please replace it.", settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines] == [("fencing.wood", 80)]


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        ("Driveway is asphalt, 20x50, with two potholes. Please patch the potholes.", [("paving.pothole", 2)]),
        ("Ceiling is 12x14 with two holes. Patch the holes.", [("drywall.hole", 2)]),
        ("The wall is 12x8 and has three holes. Please patch the holes.", [("drywall.hole", 3)]),
    ],
)
def test_so_many_parts_are_not_as_much_as_the_whole(
    drafter: Drafter, text: str, charged: list[tuple[str, int]]
) -> None:
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines if not line.optional] == charged
