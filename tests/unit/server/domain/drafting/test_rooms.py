"""Promises of rooms whose walls are measured: they are painted once, by the measure."""

from functools import cache

import pytest

from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.reading import read_request
from server.embedded import load_embedded


@cache
def index():
    return TaskIndex.build(load_embedded().catalogue)


def read(text):
    takeoff = read_request(text, industry="", index=index(), gazetteer=None)
    return [(item.task_id, str(item.qty), item.unit) for item in takeoff.items], takeoff.assumptions


@pytest.mark.parametrize(
    "text",
    [
        "Paint the kitchen (about 60 m2 of walls, two coats).",
        "We'd like the kitchen and hall painted (60 m2 of walls).",
        "Paint the kitchen, about 60 m2 of walls.",
        "Paint 2 bedrooms, 60 m2 of walls",
    ],
)
def test_walls_that_are_measured_are_what_is_painted(text):
    assert read(text)[0] == [("painting.interior-walls", "60", "m2")]


def test_a_room_that_is_priced_by_its_walls_is_told():
    assert "“Paint 2 bedrooms” is priced by the walls that are measured." in read("Paint 2 bedrooms, 60 m2 of walls")[1]


@pytest.mark.parametrize(
    "text", ["Paint 2 bedrooms and 60 m2 of walls in the garage", "Paint 2 bedrooms. Paint 60 m2 of walls."]
)
def test_walls_elsewhere_are_other_work(text):
    assert [task for task, _, _ in read(text)[0]] == ["painting.room", "painting.interior-walls"]


def test_an_area_that_may_be_the_floors_measures_no_walls():
    assert read("Paint a bedroom of 20 m2")[0] == [("painting.room", "1", "each")]


@pytest.mark.parametrize(
    ("text", "qty"),
    [
        ("Paint front room (5.2 m x 4.1 m x 2.7 m) walls only", "50.22"),
        ("Paint the lounge 5.2m x 4.1m x 2.7m, walls only", "50.22"),
        ("Paint walls and ceiling of classroom: 8.5m x 7m x 2.7m", "143.2"),
        ("Year 2 classroom: 8.5m x 7m x 2.7m, redecorate walls and ceiling", "143.2"),
    ],
)
def test_the_walls_of_a_room_with_its_height_are_what_is_painted(text, qty):
    assert read(text)[0] == [("painting.interior-walls", qty, "m2")]


def test_walls_of_a_room_in_feet_are_painted_by_measure():
    assert read("Paint bedroom 12 x 14 x 9 ft, walls only")[0] == [("painting.interior-walls", "468", "sqft")]


@pytest.mark.parametrize(
    "text",
    [
        "Paint bedroom 4m x 3m x 2.4m",
        "Paint bedroom 4m x 3m, walls only",
        "Paint the bedroom 12 x 14 x 9 ft, walls, trim and doors",
        "Year 2 classroom, redecorate walls and ceiling",
    ],
)
def test_a_room_without_its_height_or_with_its_woodwork_is_a_room(text):
    assert ("painting.room", "1", "each") in read(text)[0]


def test_how_high_the_walls_are_paints_them_no_second_time():
    assert read("Paint 3 rooms 4m x 3m, walls 2.4m high")[0] == [("painting.room", "3", "each")]
    assert [task for task, _, _ in read("Paint 3 rooms and 20 m2 of walls 2.4m high")[0]] == [
        "painting.room",
        "painting.interior-walls",
    ]


@pytest.mark.parametrize(
    ("text", "qty", "unit"),
    [
        ("Paint the back wall of the lounge, 4 m x 2.4 m", "9.6", "m2"),
        ("Paint the accent wall in the bedroom 12 x 8 ft", "96", "sqft"),
        ("Paint the walls of the lounge, 4 m x 3 m", "33.6", "m2"),
    ],
)
def test_the_sides_of_one_wall_of_a_room_are_no_rooms(text, qty, unit):
    assert read(text)[0] == [("painting.interior-walls", qty, unit)]
