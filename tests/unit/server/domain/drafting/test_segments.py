"""Segmentation: what is one piece of work, and what is not work at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.drafting.clauses import ClauseKind
from server.domain.drafting.quantities import find_quantities
from server.domain.drafting.segments import split_request


def _pieces(text: str, kind: ClauseKind) -> list[str]:
    clauses = split_request(text, find_quantities(text))
    return [text[clause.start : clause.end] for clause in clauses if clause.kind is kind]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("supply and fit a new boiler", ["supply and fit a new boiler"]),
        ("skim the walls and ceiling", ["skim the walls and ceiling"]),
        ("price for labour and materials", ["price for labour and materials"]),
        ("clean and seal the drive", ["clean and seal the drive"]),
        ("remove and replace the gutter", ["remove and replace the gutter"]),
        ("replace the tap and paint the hall", ["replace the tap", "paint the hall"]),
        ("replace gutters, downspouts plus fascia", ["replace gutters", "downspouts", "fascia"]),
        ("REMOVE TUB INSTALL SHOWER", ["REMOVE TUB", "INSTALL SHOWER"]),
        ("REPLACE DRYWALL.INSTALL TRIM", ["REPLACE DRYWALL", "INSTALL TRIM"]),
        ("1,200 sq. ft. of roof; 3 doors", ["1,200 sq. ft. of roof", "3 doors"]),
        ("two and a half dozen spindles", ["two and a half dozen spindles"]),
        ("- paint hall\n- tile floor\n2) mow lawn", ["paint hall", "tile floor", "mow lawn"]),
        ("Hi Dave,\nReplace the tap.\nMany thanks,\nSarah\nSent from my iPhone", ["Replace the tap"]),
        ("Subject: quote\nFrom: a@b.c\n\nPaint the hall", ["Paint the hall"]),
    ],
)
def test_work_is_split_where_both_sides_stand_alone(text: str, pieces: list[str]) -> None:
    assert _pieces(text, ClauseKind.WORK) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "not including the garage",
        "excluding VAT",
        "no electric",
        "NO PLUMBING WORK",
        "we don't need the hedge cut",
        "leave the fence",
        "the garage is not included",
        "except the porch",
        "without the shed",
        "other than the back wall",
    ],
)
def test_exclusions_are_no_work(text: str) -> None:
    assert _pieces(text, ClauseKind.EXCLUSION) == [text]


def test_an_exclusion_holds_until_the_next_verb() -> None:
    text = "paint the house, not including the garage or the shed, the fence and replace the tap"
    assert _pieces(text, ClauseKind.WORK) == ["paint the house", "replace the tap"]


@pytest.mark.parametrize(
    "text",
    [
        "we supply the paint",
        "we will provide all materials",
        "I already have the tiles",
        "customer to supply",
        "labour only",
        "labor only",
        "materials supplied by us",
        "I've bought the laminate",
        "owner supplied",
    ],
)
def test_what_the_customer_supplies_is_a_note(text: str) -> None:
    assert _pieces(text, ClauseKind.SUPPLY) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "optionally replace the tap",
        "as an option a new door",
        "alternatively a wood floor",
        "price separately for a new tap",
        "maybe a new door too",
        "if budget allows paint the doors",
    ],
)
def test_options_are_told_apart(text: str) -> None:
    assert _pieces(text, ClauseKind.OPTION) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "we moved in last year",
        "the house was built in 1920",
        "The roof was replaced in 2015",
        "we live in a terraced house",
        "it is a Victorian semi",
        "the windows were already replaced",
    ],
)
def test_what_is_told_about_the_house_is_no_work(text: str) -> None:
    assert _pieces(text, ClauseKind.CONTEXT) == [text]


@given(st.text(max_size=200))
def test_clauses_lie_inside_any_text_in_order(text: str) -> None:
    clauses = split_request(text, find_quantities(text))
    assert all(0 <= clause.start < clause.end <= len(text) for clause in clauses)
    assert [clause.start for clause in clauses] == sorted(clause.start for clause in clauses)
