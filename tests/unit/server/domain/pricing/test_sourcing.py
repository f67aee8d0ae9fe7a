from __future__ import annotations

import time

import pytest

from server.domain.catalogue import Catalogue, Place
from server.domain.pricing.sourcing import PriceSearch
from server.domain.settings import PricingSettings

DOLLARS = PricingSettings()
POUNDS = PricingSettings(currency="GBP")


@pytest.fixture(scope="module")
def search(catalogue: Catalogue) -> PriceSearch:
    return PriceSearch(catalogue)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("kitchen tap", "Faucet, replace"),
        ("asphalt shingle roof", "Asphalt shingle roof, replace"),
        ("hardwod floor refinishing", "Hardwood floor, sand and refinish"),
        ("how much does it cost to replace a window", "Window, replace in the existing opening"),
        ("plumber hourly rate", "Plumber, per hour"),
        ("copper pipe", "Copper pipe 1/2 in"),
        ("drywall per sq ft", "Drywall, hang and finish"),
        ("tree removal", "Tree, remove"),
        ("gutter cleaning", "Gutter, clean"),
        ("quartz worktop", "Quartz countertop, install"),
    ],
)
def test_a_query_finds_what_is_meant(search: PriceSearch, places: dict[str, Place], query: str, name: str) -> None:
    options = search.find(query, place=places["Nashville"], settings=DOLLARS)
    assert options[0].product_name == name


@pytest.mark.parametrize("query", ["flux capacitor", "pizza delivery", "banana", "", "???", "12345", "the of and"])
def test_an_irrelevant_query_finds_nothing(search: PriceSearch, places: dict[str, Place], query: str) -> None:
    assert search.find(query, place=places["Nashville"], settings=DOLLARS) == ()


def test_every_option_has_a_price_a_range_and_a_source(search: PriceSearch, places: dict[str, Place]) -> None:
    for query in ("paint", "roof", "pipe", "door", "tile", "cleaning", "fence", "concrete", "insulation", "light"):
        options = search.find(query, place=places["Nashville"], settings=DOLLARS, limit=50)
        assert options
        for option in options:
            assert option.currency == "USD"
            assert 0 < option.price_low <= option.price <= option.price_high
            assert option.source.row
            assert option.source.components
            assert option.supplier
            assert option.as_of


def test_options_for_leeds_are_pounds_of_gb(search: PriceSearch, places: dict[str, Place]) -> None:
    options = search.find("boiler service", place=places["Leeds"], settings=POUNDS)
    assert options[0].currency == "GBP"
    assert options[0].location == "Leeds, GB"
    assert search.find("boiler service", place=places["Leeds"], settings=DOLLARS) == ()


def test_the_unit_asked_for_is_the_unit_answered(search: PriceSearch, places: dict[str, Place]) -> None:
    metric = search.find("laminate flooring per square metre", place=places["Nashville"], settings=DOLLARS)
    assert metric[0].unit == "m2"


def test_an_industry_moves_its_trade_up(search: PriceSearch, places: dict[str, Place]) -> None:
    painting = search.find("fence", industry="painting", place=places["Nashville"], settings=DOLLARS)
    fencing = search.find("fence", industry="fencing", place=places["Nashville"], settings=DOLLARS)
    assert fencing[0].category == "fencing"
    assert {option.product_name for option in painting}


def test_the_limit_holds_and_starts_at_one(search: PriceSearch, places: dict[str, Place]) -> None:
    assert len(search.find("paint", place=places["Nashville"], settings=DOLLARS, limit=2)) == 2
    with pytest.raises(ValueError, match="limit"):
        search.find("paint", place=places["Nashville"], settings=DOLLARS, limit=0)


def test_a_long_query_is_answered_quickly(search: PriceSearch, places: dict[str, Place]) -> None:
    query = " ".join(["replace kitchen faucet and paint the bedroom walls zzgargle"] * 8)[:500]
    started = time.perf_counter()
    search.find(query, place=places["Nashville"], settings=DOLLARS)
    assert time.perf_counter() - started < 0.25
