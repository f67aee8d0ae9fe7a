"""Sizes: what the catalogue has by size is chosen by the size that the request tells, wherever that stands."""

import pytest

from server.domain.settings import PricingSettings


@pytest.mark.parametrize(
    ("text", "task", "number"),
    [
        ("2 dead trees, maybe 18 ft each, need to come down.", "tree-work.remove-small", 2),
        ("Two dead trees, about 18 ft tall, have to come down.", "tree-work.remove-small", 2),
        ("2 dead trees need to come down, 18 ft each.", "tree-work.remove-small", 2),
        ("The dead tree out back, 30 ft tall, needs to come down", "tree-work.remove-medium", 1),
        ("Remove a dead pine, it's 70 ft tall", "tree-work.remove-large", 1),
        # How thick the trunk is, is no height.
        (
            "I have two maples, 50 feet tall and 24 inches across at the base, that need to come down",
            "tree-work.remove-medium",
            2,
        ),
        ("Two maples, 50 ft tall, that need to come down at my home in Quincy", "tree-work.remove-medium", 2),
        ("A row of 6 conifers 7 m tall to fell", "tree-work.remove-small", 6),
        # A limit belongs to what is below it.
        ("Cut down two small trees, both under 30 ft.", "tree-work.remove-small", 2),
        # What is no size, or not all of one, chooses nothing.
        ("Remove the dead pine 20 ft from the house", "tree-work.remove", 1),
        ("Remove 2 dead pines, one is 20 ft and one is 70 ft", "tree-work.remove", 2),
    ],
)
def test_the_size_that_is_told_chooses_the_task(drafter, text, task, number):
    lines = drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH")).lines
    assert [(line.task_id, line.qty) for line in lines if not line.optional] == [(task, number)]


@pytest.mark.parametrize(
    "text",
    [
        "Need a new garage door, 16x7 insulated steel, white.",
        "We want a new garage door, 16x7 steel.",
        "New garage door. 16x7, insulated.",
    ],
)
def test_a_size_with_qualities_behind_a_thing_is_that_thing_once(drafter, text):
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines] == [("garage-doors.double", 1)]
