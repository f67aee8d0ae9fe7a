"""Some of them: of what is counted, those of another kind are no more of it, and are charged as what they are."""

from __future__ import annotations

from decimal import Decimal

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings


def _charged(drafter: Drafter, text: str) -> dict[str, Decimal]:
    draft = drafter.draft(text, settings=PricingSettings())
    return {line.task_id: line.qty for line in draft.lines if not line.optional}


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        ("Install 20 outlets (5 of them GFCI)", {"electrical.outlet": 15, "electrical.gfci": 5}),
        ("Install 20 outlets, 5 of those GFCI", {"electrical.outlet": 15, "electrical.gfci": 5}),
        ("Replace 14 light fixtures, 3 of which are chandeliers", {"electrical.light": 11, "electrical.chandelier": 3}),
        ("Replace 10 lights, 2 of them outdoor", {"electrical.light": 8, "electrical.outdoor-light": 2}),
        ("Install 10 interior doors, 2 of them fire doors", {"doors.interior": 8, "doors.fire": 2}),
        ("Hang 6 doors, two of which are exterior", {"doors.interior": 4, "doors.exterior": 2}),
        ("We need 15 windows replaced. Four of them are egress windows.", {"windows.replace": 11, "windows.egress": 4}),
        ("New 8 faucets, 3 of them outdoor", {"plumbing.faucet": 5, "plumbing.outdoor-faucet": 3}),
        (
            "Replace 60 ft of sewer line, 20 ft of it trenchless",
            {"plumbing.sewer-line": 40, "plumbing.sewer-bursting": 20},
        ),
        ("Install 100 ft of fence, 30 ft of it vinyl", {"fencing.wood": 70, "fencing.vinyl": 30}),
    ],
)
def test_some_of_another_kind_are_split_off(drafter: Drafter, text: str, charged: dict[str, int]) -> None:
    assert _charged(drafter, text) == charged


@pytest.mark.parametrize(
    ("text", "task", "number"),
    [
        ("Replace 20 outlets, 5 of those GFCI", "electrical.outlet-replace", 20),
        ("Replace 20 outlets. 5 of them need to be GFCI.", "electrical.outlet-replace", 20),
        ("replace 9 windows, 2 of them bay windows", "windows.replace", 9),
        ("Replace 12 windows, 2 of which are picture windows", "windows.replace", 12),
        ("Replace 12 toilets, 2 of them ADA", "plumbing.toilet", 12),
    ],
)
def test_some_that_no_other_task_is_for_stay_and_are_pointed_out(
    drafter: Drafter, text: str, task: str, number: int
) -> None:
    draft = drafter.draft(text, settings=PricingSettings())
    assert [(line.task_id, line.qty) for line in draft.lines] == [(task, number)]
    assert any("counted among the others" in reason for reason in draft.lines[0].review_reasons)


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        ("Replace 8 windows, 3 of them upstairs", {"windows.replace": 8}),
        ("20 recessed lights, 4 of them on dimmers", {"electrical.recessed-light": 20}),
        ("Replace 6 outlets, 2 of them are cracked", {"electrical.outlet-replace": 6}),
        ("12 windows, 5 of them need replacing", {"windows.replace": 5}),
        ("Paint 8 doors, 2 of them need stripping first", {"painting.door": 8, "doors.remove": 2}),
        ("Replace 10 doors, 4 of them by Friday", {"doors.interior": 10}),
        ("Replace 12 lights, 3 of them not urgent", {"electrical.light": 12}),
        ("Paint 5 rooms, 2 of which are bathrooms", {"painting.room": 5}),
        ("Replace all fourteen windows. Two of the fourteen can stay", {"windows.replace": 12}),
    ],
)
def test_some_of_which_only_the_place_or_state_is_told_are_among_the_others(
    drafter: Drafter, text: str, charged: dict[str, int]
) -> None:
    assert _charged(drafter, text) == charged


def test_a_number_that_counts_is_no_part_of_a_name(drafter: Drafter) -> None:
    assert _charged(drafter, "Install 20 outlets") == {"electrical.outlet": 20}


def test_one_of_those_is_one_such(drafter: Drafter) -> None:
    text = "Install 11 grab bars in the wing. And one of those walk in showers in place of the tub."
    assert _charged(drafter, text) == {"bathrooms.grab-bar": 11, "bathrooms.tub-to-shower": 1}


def test_parts_of_a_part_are_taken_from_nothing_twice(drafter: Drafter) -> None:
    told = _charged(drafter, "Replace 100 ft of fence, 30 ft of it vinyl and 20 ft of it chain link.")
    assert told["fencing.vinyl"] == 30
    assert told["fencing.chain-link"] == 20


def test_a_factor_upon_a_factor_ends(drafter: Drafter) -> None:
    text = "Building 1: replace 5 windows. " + "".join(f"Building {one}: triple that. " for one in range(2, 50))
    assert _charged(drafter, text)
