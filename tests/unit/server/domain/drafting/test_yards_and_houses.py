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


@pytest.mark.parametrize(
    ("text", "task", "qty"),
    [
        ("New roof for our house, 4 bedrooms 2 baths, 24 squares", "roofing.house", 1),
        ("New roof on a house, 3 bedrooms, 20 squares", "roofing.house", 1),
        ("Roof replacement for house with 4 bedrooms", "roofing.house", 1),
        ("Roof on house with 2 stories and 4 bedrooms", "roofing.house", 1),
        ("repipe - 2 bath 1 kitchen house", "plumbing.repipe", 1),
        ("Repipe whole house, 3 bedrooms and 2 bathrooms", "plumbing.repipe", 1),
        # So many homes have one each, and so many rooms of what each room has one of.
        ("New roofs on 3 houses", "roofing.house", 3),
        ("Roof replacement on both houses", "roofing.house", 2),
        ("Repipe our 3 flats", "plumbing.repipe", 3),
        ("New thermostat in 3 bedrooms", "hvac.thermostat", 3),
        ("Ceiling fan in 4 bedrooms", "electrical.ceiling-fan", 4),
    ],
)
def test_what_a_whole_home_has_one_of_is_one_whatever_rooms_it_has(
    drafter: Drafter, text: str, task: str, qty: int
) -> None:
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines] == [(task, qty)]
