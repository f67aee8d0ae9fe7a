"""Wording: a line says what is done."""

import pytest

from server.domain.catalogue import Task
from server.domain.drafting.wording import describe


def named(name):
    return Task("trade.key", "trade", name, ("service",), (), "each")


@pytest.mark.parametrize(
    ("name", "verb", "words"),
    [
        ("Aluminum gutter, install", "replace", "Remove and replace aluminum gutter"),
        ("Aluminum gutter, install", "install", "Supply and fit aluminum gutter"),
        ("Lawn, mow", "service", "Mow lawn"),
        ("Lock cylinder, rekey", "repair", "Rekey lock cylinder"),
        ("Hardwood floor, sand and refinish", "repair", "Sand and refinish hardwood floor"),
        # What is said of how it is done does not stand before the thing.
        ("Trench, dig by hand", "install", "Trench, dig by hand"),
        ("Bathtub or shower, reseal all round", "install", "Bathtub or shower, reseal all round"),
        ("Wall, skim with plaster", "replace", "Wall, skim with plaster"),
        ("House extension, build", "install", "Supply and fit house extension"),
        # A particular verb that is asked for stays.
        ("Lawn, mow", "remove", "Remove lawn"),
        ("Tub to shower conversion", "replace", "Tub to shower conversion"),
    ],
)
def test_a_line_is_called_by_what_is_done(name, verb, words):
    assert describe(named(name), verb) == words
