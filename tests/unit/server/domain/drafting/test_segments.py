"""Segmentation: what is one piece of work, and what is not work at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.drafting.clauses import ClauseKind
from server.domain.drafting.layout import lines_of
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
        ("hello how much would it be to paint the hall", ["how much would it be to paint the hall"]),
        ("Hi there, paint the hall", ["paint the hall"]),
        (
            "Re: 12 Linwood (rental). Please quote to replace the kitchen tap and to paint the bathroom ceiling, and to lay"
            " new carpet in the hall",
            [
                "12 Linwood (rental)",
                "Please quote to replace the kitchen tap",
                "to paint the bathroom ceiling",
                "and to lay new carpet in the hall",
            ],
        ),
        ("Name: Bo Lee\nHow can we help?: paint the hall\nBest time to call: evenings", ["paint the hall"]),
        (
            "Paint the hall, the landing and both bedrooms by the spring. Thanks, Paula & Jim Greer",
            ["Paint the hall, the landing and both bedrooms by the spring"],
        ),
        ("R&R the gutter, 40 ft", ["R&R the gutter", "40 ft"]),
        ("D&R 24 panels, R&R. Soft wash the roof", ["D&R 24 panels", "R&R", "Soft wash the roof"]),
        ("It runs 10 min. can you fix it", ["can you fix it"]),
        ("with one double door incl. opener", ["with one double door", ". opener"]),
        ("1) fix the tap 2) mend the toilet 3) fit a fan", ["fix the tap", "mend the toilet", "fit a fan"]),
        ("drywall 24 ft + 22 ft of wall", ["drywall 24 ft + 22 ft of wall"]),
        ("price it as an add on", []),
        # How many there are, between a thing and its work.
        ("The outlets, 14 of them, replaced with GFCI", ["The outlets, 14 of them, replaced with GFCI"]),
        ("the doors, all six of them, to be painted", ["the doors, all six of them, to be painted"]),
        ("2 windows, 3 of them, sinks", ["2 windows", "3 of them", "sinks"]),
        # "No." is a number before one.
        ("clean a sofa, leather chairs no. Bath fan replaced", ["clean a sofa", "Bath fan replaced"]),
        ("two guys and a truck for 5 hours", ["two guys and a truck for 5 hours"]),
        # Work that a noun names, and an order behind it.
        ("some drywall patching and install 2 ceiling fans", ["some drywall patching", "install 2 ceiling fans"]),
        ("tile repair and replace the faucet", ["tile repair", "replace the faucet"]),
        ("need some gutter cleaning and also fix the back door", ["need some gutter cleaning", "fix the back door"]),
        ("some caulking and hang three doors", ["some caulking", "hang three doors"]),
        # How the same is done, two verbs of one thing, and help that is no work of its own.
        ("deck repair and replace the rotten boards", ["deck repair and replace the rotten boards"]),
        ("furnace cleaning and replace the filter", ["furnace cleaning and replace the filter"]),
        ("gutter cleaning and repair", ["gutter cleaning and repair"]),
        ("some drywall repair and paint it", ["some drywall repair and paint it"]),
        ("need to repair and replace the fence", ["need to repair and replace the fence"]),
        ("help with cleaning and paint the walls", ["help with cleaning and paint the walls"]),
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
        "not those",
        "the city is collecting the branches",
        "retain existing radiators",
    ],
)
def test_exclusions_are_no_work(text: str) -> None:
    assert _pieces(text, ClauseKind.EXCLUSION) == [text]


def test_an_exclusion_said_behind_its_thing_holds_for_nothing_after_it() -> None:
    assert _pieces("booth seats NIC, quartz bar top 36 sf, sink", ClauseKind.WORK) == ["quartz bar top 36 sf", "sink"]
    assert _pieces("I'll do the doors and trim", ClauseKind.WORK) == []


def test_what_is_there_now_is_no_work() -> None:
    assert _pieces("Driveway, gravel now, want asphalt", ClauseKind.CONTEXT) == ["gravel now"]


def test_what_is_refused_behind_a_verb_has_no_say() -> None:
    (clause,) = split_request("mend the gutter rather than renew it", ())
    assert clause.actions == ("repair",)


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
        "John Lewis are delivering it Friday",
        "they're being delivered on Monday",
        "I ordered a new Moen one off Amazon",
        "bought a washer dryer from Currys",
        "my wife picked up 4 pendants at IKEA",
        "We just bought a new vanity",
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
        "We just bought a 1930s semi with a shower",
    ],
)
def test_what_is_told_about_the_house_is_no_work(text: str) -> None:
    assert _pieces(text, ClauseKind.CONTEXT) == [text]


@given(st.text(max_size=200))
def test_clauses_lie_inside_any_text_in_order(text: str) -> None:
    clauses = split_request(text, find_quantities(text))
    assert all(0 <= clause.start < clause.end <= len(text) for clause in clauses)
    assert [clause.start for clause in clauses] == sorted(clause.start for clause in clauses)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # Things a line each, however long the first is.
        (
            "men's room: stall door off its hinge, replace the partition panel\nurinal runs constantly\nexit sign out",
            3,
        ),
        # What was wrapped, at a width, and what surely goes on.
        ("we would like to have the old kitchen faucet replaced\nbefore the end of next month if you can do it", 1),
        ("please replace the toilet in the hall bath, and the\nkitchen faucet\nor whatever you would advise there", 1),
        ("replace the faucet, we have the new one in the garage now\ntoilet in the hall runs\ninstall 2 fans", 3),
    ],
)
def test_lines_that_were_wrapped_are_one(text, lines):
    assert len(lines_of(text)) == lines


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "1. grind 5 stumps 2. sweep the chimney 3. mow the lawn",
            ["grind 5 stumps", "sweep the chimney", "mow the lawn"],
        ),
        # Two may be a number and a stop.
        ("1. grind 5 stumps 2. sweep the chimney", ["grind 5 stumps 2", "sweep the chimney"]),
    ],
)
def test_numbers_with_a_stop_part_a_line(text, pieces):
    assert _pieces(text, ClauseKind.WORK) == pieces
