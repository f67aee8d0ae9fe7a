"""Promises of coverage: a city is known, or it is flagged; one that is not known is never taken for another."""

from __future__ import annotations

import pytest

from server.domain.coverage import CoverageRequest, assess
from server.embedded import Embedded


def asked(embedded: Embedded, city: str, region: str = "", country: str = "", home: str = "US") -> CoverageRequest:
    return assess(
        embedded.catalogue, embedded.gazetteer, city=city, trade="roofing", region=region, country=country, home=home
    )


@pytest.mark.parametrize(
    ("city", "region", "country", "home", "suggestion"),
    [
        ("Nashvile", "TN", "", "US", "Nashville"),
        ("Nashvile", "Tennessee", "US", "US", "Nashville"),
        ("Knoxvile, TN", "", "", "US", "Knoxville"),
        ("Torontoo", "ON", "", "US", "Toronto"),
        ("Leds", "West Yorkshire", "", "GB", "Leeds"),
        ("Leds", "Yorkshire Dales", "", "GB", "Leeds"),
        ("Qqqqqqq", "TN", "", "US", ""),
        ("Tennessee", "", "", "US", ""),
    ],
)
def test_a_city_that_only_its_state_makes_known_is_flagged(
    embedded: Embedded, city: str, region: str, country: str, home: str, suggestion: str
) -> None:
    found = asked(embedded, city, region, country, home)
    assert (found.status, found.city, found.city_known) == ("received", city, False)
    assert found.city_suggestion == suggestion


def test_two_unknown_cities_of_a_state_are_two(embedded: Embedded) -> None:
    first, other = asked(embedded, "Nashvile", "TN"), asked(embedded, "Knoxvile", "TN")
    assert first.city_key != other.city_key


@pytest.mark.parametrize(
    ("city", "region", "name"),
    [
        ("Nashville", "TN", "Nashville"),
        ("New York", "New York", "New York City"),
        ("NYC", "NY", "New York City"),
        ("Downtown Nashville", "TN", "Nashville"),
        ("37201", "", "Nashville"),
        ("37201", "TN", "Nashville"),
    ],
)
def test_a_city_with_its_state_is_known(embedded: Embedded, city: str, region: str, name: str) -> None:
    found = asked(embedded, city, region)
    assert (found.city, found.city_known) == (name, True)
