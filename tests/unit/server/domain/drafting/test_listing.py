"""Listing: places told one after another are one list, of as many places as they are; what else stands in a row is
none."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.domain.drafting.listing import listed
from server.domain.drafting.numbers import tokenize


@pytest.mark.parametrize(
    ("said", "places", "number"),
    [
        ("fans for the lounge and two bedrooms please", "the lounge and two bedrooms", 3),
        ("in the hall, landing and both bedrooms", "the hall, landing and both bedrooms", 4),
        ("kids' room, my son's room and the en-suite", "kids' room, my son's room and the en-suite", 3),
        ("in the master, the den and the two kids rooms, one each", "the master, the den and the two kids rooms", 4),
        ("both bays of the shop and the one bay out back", "both bays of the shop and the one bay out back", 3),
        ("paint flats 2, 5 and 9", "flats 2, 5 and 9", 3),
        ("for flat A, flat B and flat C please", "flat A, flat B and flat C", 3),
        ("tubs in 112, 204 and 318 need", "112, 204 and 318", 3),
        ("for no. 14, no. 16 and no. 22 Albert Rd", "no. 14, no. 16 and no. 22", 3),
        ("the bedroom in unit 3 and the bedroom in unit 5", "the bedroom in unit 3 and the bedroom in unit 5", 2),
        # Things that are told apart by where they are.
        ("the front door, the back door and the door from the garage", None, 3),
        ("front, back and side doors", None, 3),
        ("kitchen faucet, bathroom faucet and laundry faucet", None, 3),
        ("repaint the front door, garage door", "the front door, garage door", 2),
        ("the toilet upstairs and the one downstairs, both rock", "the toilet upstairs and the one downstairs", 2),
        ("at the front door and another one at the side entrance", None, 2),
        ("the office, the workshop and the lunch room, one unit in each", "the office, the workshop and the lunch room", 3),
    ],
)  # fmt: skip
def test_places_that_are_told_one_after_another_are_counted(said: str, places: str | None, number: int) -> None:
    tokens = tokenize(said)
    (found,) = listed(tokens)
    assert found.number == number
    if places is not None:
        assert said[tokens[found.start].start : tokens[found.end - 1].end] == places


@pytest.mark.parametrize(
    "said",
    [
        "new sink in the kitchen and toilet in the bathroom",
        "replace the kitchen faucet and the bath fan",
        "boys room, girls room n/a",
        "living room 12x14 and hall 4x10",
        "the front door and the bathroom window",
        "paint the kitchen and the front door",
        "no heating, no hot water",
        "four bedrooms, two bathrooms",
        "200 across the back, house is the front",
        "flats 2, 5 and 9 doors",
        "2 windows in bedroom 1, 2 in bedroom 2",
        "remove 3 old toilets, one on each floor",
        "the large window and the small window",
        "bedrooms and the hall",
    ],
)
def test_what_else_stands_in_a_row_is_no_list_of_places(said: str) -> None:
    assert listed(tokenize(said)) == []


WORDS = ["the", "a", "2", "flat", "flats", "room", "hall", "door", "front", ",", "and", "&", "in", "each", "one", "b"]
#: Of words that lists are told with, every seventh text has one; of any text hardly one has.
ROWS = st.lists(st.sampled_from(WORDS), min_size=6, max_size=30).map(" ".join)


@given(ROWS | st.text(max_size=200))
@example("in the hall, landing and both bedrooms")
def test_lists_stand_in_the_text_one_behind_the_other(said: str) -> None:
    tokens = tokenize(said)
    found = listed(tokens)
    edges = [edge for one in found for edge in (one.start, one.end)]
    assert edges == sorted(edges)
    assert all(0 <= one.start < one.end <= len(tokens) and one.number > 1 for one in found)
