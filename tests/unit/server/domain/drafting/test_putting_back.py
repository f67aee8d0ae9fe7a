"""Putting back: of what is taken off and set again only the work is charged, and what is new is charged in full."""

import pytest

from server.domain.draft import LineKind
from tests.unit.server.domain.drafting.charging import drafted


def kinds(drafter, text):
    return {line.task_id: line.kind for line in drafted(drafter, text).lines}


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("Two radiators off and back on while you're in", "plumbing.radiator"),
        ("Detach & reset 2 light fixtures", "electrical.light"),
        ("D&R 2 light fixtures", "electrical.light"),
        ("Remove and refit 3 interior doors", "doors.interior"),
        ("Take down the gutters and refit the same gutters, 40 ft", "gutters.aluminum"),
        ("Remove 12 m of skirting and refix the same skirting", "carpentry.baseboard"),
    ],
)
def test_what_goes_back_is_labour_only(drafter, text, task):
    draft = drafted(drafter, text)
    line = next(one for one in draft.lines if one.task_id == task)
    assert line.kind is LineKind.LABOUR
    assert not line.description.startswith(("Supply", "Remove and replace"))
    assert any("taken off and put back" in said for said in draft.assumptions)


def test_the_task_for_it_is_taken_where_the_catalogue_has_one(drafter):
    assert set(kinds(drafter, "Remove and reinstall the toilet, 2 of them")) == {"plumbing.toilet-reset"}
    panels = drafted(drafter, "Take down 20 solar panels and put them back up later.").lines
    assert [(line.task_id, line.qty) for line in panels] == [("solar.remove", 20)]


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("Remove and replace 2 toilets", "plumbing.toilet"),
        ("Remove carpet and reinstall with new carpet, 300 sq ft", "flooring.carpet"),
        ("Remove the old fence and put up a new one, 60 ft", "fencing.wood"),
        ("Take off the baseboards and put new ones on, 80 ft", "carpentry.baseboard"),
        ("Remove existing shingles and reinstall new 30 yr shingles, 20 squares", "roofing.asphalt-shingle"),
        # Said of the toilet, not of the floor.
        ("Replace 40 sq ft of subfloor, pull and reset the toilet", "flooring.subfloor"),
    ],
)
def test_what_is_new_is_charged_with_its_material(drafter, text, task):
    assert kinds(drafter, text)[task] is LineKind.SERVICE


@pytest.mark.parametrize(
    "text",
    [
        "Install only: 3 doors and 2 basins",
        "Fit only, 3 doors and 2 basins",
        "Install only, furnished by GC: 3 doors, 2 basins",
        "Hang 3 doors, fit 2 basins, fitting only",
    ],
)
def test_work_that_is_only_fitted_is_labour_only(drafter, text):
    found = kinds(drafter, text)
    assert len(found) == 2 and set(found.values()) == {LineKind.LABOUR}


def test_only_before_a_thing_says_nothing_of_who_supplies_it(drafter):
    assert kinds(drafter, "Install only the 3 ceiling fans")["electrical.ceiling-fan"] is LineKind.SERVICE


def test_what_cleaning_and_printing_are_done_to_is_no_material(drafter):
    draft = drafted(drafter, "I've got 24 solar panels on the roof, they need cleaning")
    assert [(line.task_id, line.kind) for line in draft.lines] == [("solar.clean", LineKind.SERVICE)]
