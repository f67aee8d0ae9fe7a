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
