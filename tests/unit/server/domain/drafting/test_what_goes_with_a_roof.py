"""What goes with a roof: what comes off for a new one and lies under it is in its price, and its kind is no second one."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Reroof, 24 sq, walkable. Tear off, synthetic felt, drip edge, 3 pipe boots, haul off.",
            [("roofing.asphalt-shingle", 24), ("roofing.pipe-boot", 3)],
        ),
        ("New metal roof, 20 squares. Tear off existing, haul off.", [("roofing.metal", 20)]),
        (
            "Replace the roof, 30 sq, two layers to come off, ridge vent, haul away.",
            [("roofing.asphalt-shingle", 30), ("roofing.ridge-vent", 1)],
        ),
        (
            "Remove and replace the roof covering, 28 squares, class 4 laminated shingles on the house.",
            [("roofing.architectural-shingle", 28)],
        ),
        # What is told by itself or by how much of it is work of its own.
        ("Tear off the old shingles, 1500 sq ft.", [("roofing.shingle-remove", 1500)]),
        (
            "Tear off the old shingles, 1600 sq ft, and put on a metal roof, also 1600 sq ft.",
            [("roofing.shingle-remove", 1600), ("roofing.metal", 1600)],
        ),
    ],
)
def test_what_goes_with_a_new_roof_is_in_its_price(
    drafter: Drafter, text: str, expected: list[tuple[str, int]]
) -> None:
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines] == expected


def test_that_the_old_roof_is_torn_off_is_said(drafter: Drafter) -> None:
    drafted = drafter.draft("Reroof, 24 squares. Tear off, drip edge.", settings=PricingSettings())
    assert any("Tear off" in assumption and "in the price" in assumption for assumption in drafted.assumptions)
