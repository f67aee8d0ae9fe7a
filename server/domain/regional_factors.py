"""Reads imported wage levels: CSV with the columns country, place, factor, source, as_of.

A file is taken as a whole or not at all, so every row is read before anything is said. Nothing is guessed: a place that
is not known, or that several places share, is a problem of its row.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal

from server.domain.regions import COUNTRIES, CURRENCY_OF, Gazetteer, label, place_keys, region_key
from server.domain.settings import MOST_FACTORS, RegionalFactor

COLUMNS = ("country", "place", "factor", "source", "as_of")
#: Wages of the dearest areas are about twice the national ones; ten times is a slip of the decimal mark.
LEAST, MOST = Decimal("0.1"), Decimal(10)
LONGEST_CELL = 200
_DATE = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_NUMBER = re.compile(r"\d{1,3}(?:[.,]\d{1,6})?")
#: A cell that begins so is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a row. ``line`` counts from 1, 0 is the file; ``column`` is empty for the row as a whole."""

    line: int
    column: str
    message: str


@dataclass(frozen=True, slots=True)
class FactorFile:
    """What a file says. ``factors`` are to be kept only where there are no ``problems``."""

    factors: tuple[RegionalFactor, ...]
    problems: tuple[Problem, ...]


class _RefusedError(Exception):
    """A cell cannot be taken; the message says why."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.problem = (column, message)


def read_factors(text: str, gazetteer: Gazetteer, areas: Collection[str]) -> FactorFile:
    """The factors of a CSV file, and what is wrong with it. ``areas`` are the codes of wage areas. Raises nothing."""
    text = text.removeprefix("\ufeff")
    head, _, _ = text.partition("\n")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=True)
    try:
        columns = [name.strip().lower() for name in next(reader, [])]
    except csv.Error as error:
        return FactorFile((), (Problem(1, "", f"No CSV: {error}."),))
    if sorted(columns) != sorted(COLUMNS):
        return FactorFile((), (Problem(1, "", f"The columns must be {', '.join(COLUMNS)}."),))
    factors: dict[tuple[str, str], RegionalFactor] = {}
    problems: list[Problem] = []
    try:
        for cells in reader:
            line = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if len(factors) + len(problems) >= MOST_FACTORS:
                problems.append(Problem(line, "", f"At most {MOST_FACTORS} rows are taken."))
                break
            if len(cells) != len(columns):
                problems.append(Problem(line, "", f"The row has {len(cells)} cells, the head {len(columns)}."))
                continue
            try:
                factor = _factor(dict(zip(columns, map(str.strip, cells), strict=True)), gazetteer, areas)
            except _RefusedError as refused:
                problems.append(Problem(line, *refused.problem))
                continue
            if factors.setdefault((factor.country, factor.place), factor) is not factor:
                problems.append(Problem(line, "place", f"An earlier row is for {factor.name}, too."))
    except csv.Error as error:
        problems.append(Problem(reader.line_num, "", f"No CSV: {error}."))
    if not factors and not problems:
        problems.append(Problem(0, "", "The file has no rows."))
    return FactorFile(tuple(factors.values()), tuple(problems))


def _factor(row: Mapping[str, str], gazetteer: Gazetteer, areas: Collection[str]) -> RegionalFactor:
    for column in COLUMNS:
        _check_text(column, row[column])
    country = row["country"].upper()
    if country not in CURRENCY_OF:
        raise _RefusedError("country", f"The country must be one of {', '.join(sorted(CURRENCY_OF))}.")
    if not _NUMBER.fullmatch(row["factor"]):
        raise _RefusedError("factor", "The factor must be a number such as 0.94.")
    value = Decimal(row["factor"].replace(",", "."))
    if not LEAST <= value <= MOST:
        raise _RefusedError("factor", f"The factor must be between {LEAST} and {MOST}: local wages by the country's.")
    if not row["source"]:
        raise _RefusedError("source", "The source must be named.")
    if not _DATE.fullmatch(row["as_of"]):
        raise _RefusedError("as_of", "The date must be a year, month or day such as 2026-03.")
    key, name = _place(row["place"], country, gazetteer, areas)
    return RegionalFactor(country, key, name, value, row["source"], row["as_of"])


def _check_text(column: str, text: str) -> None:
    if len(text) > LONGEST_CELL:
        raise _RefusedError(column, f"A cell has at most {LONGEST_CELL} characters.")
    if text.startswith(_FORMULA):
        raise _RefusedError(column, "A cell must not begin like a formula of a spreadsheet.")
    if not text.isprintable():
        raise _RefusedError(column, "A cell must not contain control characters.")


def _place(text: str, country: str, gazetteer: Gazetteer, areas: Collection[str]) -> tuple[str, str]:
    """The key under which a factor is kept, and the name of the place as it was understood."""
    if not text or text.upper() == country:
        return "country", country
    region = region_key(text, country)
    if region:
        return region, f"{region.partition(':')[2]}, {country}"
    if text in areas and country == "US":
        return f"area:{text}", f"wage area {text}, {country}"
    postcode = gazetteer.postcode(text, country)
    if postcode:
        return f"postcode:{postcode}", f"{postcode}, {country}"
    # By its name: the codes CA and DE would be California and Delaware.
    match = gazetteer.find(f"{text}, {COUNTRIES[country]}", country)
    if match is None or match.is_region or match.place.country != country:
        raise _RefusedError("place", f"The place {text!r} is not known in {country}.")
    if match.ambiguous:
        raise _RefusedError("place", f"The place {text!r} is not clear. {match.note}")
    return place_keys(match.place)[0], label(match.place)
