"""Carpet by the yard, and what a whole house has many of."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings


@pytest.mark.parametrize(
    ("text", "qty"),
    [
        ("Install 40 yards of carpet in the bedrooms.", 40),
        ("Carpet for the stairs and landing, 12 yards.", 12),
        ("Need 25 yds of commercial carpet laid in the office.", 25),
    ],
)
def test_yards_of_carpet_are_square_ones(drafter: Drafter, text: str, qty: int) -> None:
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty, line.unit) for line in lines] == [("flooring.carpet", qty, "sqyd")]


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        ("Re-bed 8 ridge tiles.", "roofing.ridge-house", 1),
        ("Re-bed the ridge tiles, 2 houses.", "roofing.ridge-house", 2),
        ("Install 2 whole house fans.", "hvac.whole-house-fan", 2),
    ],
)
def test_what_a_house_has_many_of_is_no_number_of_houses(drafter: Drafter, text: str, task: str, qty: int) -> None:
    lines = drafter.draft(text, settings=PricingSettings(currency="GBP")).lines
    assert [(line.task_id, line.qty) for line in lines] == [(task, qty)]
