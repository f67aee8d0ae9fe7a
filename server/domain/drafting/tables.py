"""Tables: sheets that are pasted into a request.

Where the rows are things ("Item | Qty", "Item | Unit A | Unit B"), each asks for as much as its numbers add up to.
Where they are places ("ROOM | WINDOWS | DOORS"), a column whose cells are numbers asks for what its head names, as much
as its rows add up to, and a head that names a unit and no thing measures what was asked for before the table. Totals
are not added again, prices are no quantities.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import plain
from server.domain.drafting.numbers import Token
from server.domain.drafting.quantities import Quantity, Role
from server.domain.drafting.sections import names_place
from server.domain.takeoff import Span

#: A tab between each two cells, also blank ones: of "Interior doors → 4 → each →" the last is a rate to be filled in.
_EACH_TAB = r" *\t *"
#: What stands between the cells of a row, the surest first.
_BETWEEN = (
    r"\s*\|\s*",
    r"\s*\t\s*",
    _EACH_TAB,
    r"\s*;\s*",
    r"\s*\.{3,}\s*",
    r"\s+-{2,}\s+",
    r"\s+/\s+",
    r"\s*,\s*",
    r" {3,}",
)
#: What only sets a head apart: "|---|:--:|".
_RULE = re.compile(r"(?=.*(?:\||---|===))[\s|:+=-]*[-=][\s|:+=-]*")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_TOTAL = re.compile(r"\W*(?:grand |sub)?total", re.IGNORECASE)
_NOTHING = frozenset({"", "-", "–", "n/a", "none", "nil", "x"})
#: Units as heads of columns and titles tell them.
_UNITS = (
    (re.compile(r"\b(?:sf|sq\.? ?ft|sqft|square f(?:oo|ee)t)\b", re.IGNORECASE), "sqft", Role.AREA),
    (re.compile(r"\b(?:m2|sqm|sq\.? ?m|square met(?:re|er)s)\b|m²", re.IGNORECASE), "m2", Role.AREA),
    (re.compile(r"\b(?:lf|lin\.? ?ft|linear f(?:oo|ee)t|ft|feet)\b", re.IGNORECASE), "ft", Role.LENGTH),
    (re.compile(r"\b(?:lm|lin\.? ?m|m|met(?:re|er)s)\b", re.IGNORECASE), "m", Role.LENGTH),
)
#: "Trim takeoff (lin. ft)", the unit of all numbers of the table below.
_BRACKET = re.compile(r"\(([^()\d]{1,20})\)\W*$")
#: Heads of what tells how much, of units, and of what tells none.
_QUANTITY = re.compile(r"(?:qty|quantity|quant|count|no|nos|number|#|how many|each|ea|pcs|pieces)\W*$", re.IGNORECASE)
_UNIT_HEAD = re.compile(r"\W*(?:units?|uom|measure)\W*", re.IGNORECASE)
#: Heads of what is to be done, beside those of where: "ROOM | ITEM | QTY".
_THING_HEAD = re.compile(r"\W*(?:items?|works?|tasks?|descriptions?|things?|scope|what|job)\W*", re.IGNORECASE)
_NO_QUANTITY = re.compile(r"price|rate|cost|total|amount|sum|[$£€]|^(?:line|item|ref|id|pos)\W*$", re.IGNORECASE)
_LONGEST_UNIT = 4
#: A table has a head and so many rows at least; and no more than these.
_LEAST_ROWS, _MOST_ROWS = 2, 200
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A row or a column of numbers: where its name stands, its numbers but for their total, and what they add up to."""

    name: Span
    parts: tuple[Decimal, ...]
    amount: Quantity

    @property
    def told(self) -> str:
        """The sum, for the assumptions of a draft."""
        return f"{' + '.join(map(plain, self.parts))} = {plain(self.amount.value)} {self.amount.unit}"


@dataclass(frozen=True, slots=True)
class Table:
    """Where a table stands, ``[start, end)``, with its rows or columns of numbers."""

    start: int
    end: int
    entries: tuple[Entry, ...]
    lines: int


@dataclass(frozen=True, slots=True)
class _Cell:
    start: int
    said: str

    @property
    def number(self) -> Decimal | None:
        found = _NUMBER.fullmatch(self.said)
        if found is None:
            return Decimal(0) if self.said.lower() in _NOTHING else None
        return Decimal(found[0].replace(",", ""))


def tables_of(text: str) -> list[Table]:
    """The tables of a request."""
    lines: list[tuple[int, str]] = []
    at = 0
    for line in text.splitlines(keepends=True):
        lines.append((at, line.rstrip("\r\n")))
        at += len(line)
    found, number = [], 0
    while number + _LEAST_ROWS < len(lines):
        table, rows = _table(text, lines[number : number + _MOST_ROWS])
        if table is not None:
            found.append(table)
        number += max(1, rows)
    return found


def _table(text: str, lines: Sequence[tuple[int, str]]) -> tuple[Table | None, int]:
    """The table that begins with the first line, and how many lines it has."""
    head = lines[0][1]
    if not any(map(str.isalpha, head)) or any(map(str.isdigit, head.replace("m2", ""))):
        return None, 0
    for between in _BETWEEN:
        heads = _cells(*lines[0], between)
        if len(heads) < _PAIR:
            continue
        rows: list[list[_Cell]] = []
        ruled = len(lines) > 1 and _RULE.fullmatch(lines[1][1]) is not None
        for line in lines[1 + ruled :]:
            cells = _cells(*line, between)
            if len(cells) != len(heads) or not any(cell.number for cell in cells):
                break
            rows.append(cells)
        if len(rows) >= _LEAST_ROWS:
            length = 1 + ruled + len(rows)
            last, said = lines[length - 1]
            above = text[: lines[0][0]].rstrip().rpartition("\n")[2]
            bracket = _BRACKET.search(above)
            entries = _entries(heads, rows, bracket[1] if bracket is not None else "", text)
            return (Table(lines[0][0], last + len(said), entries, length) if entries else None), length
    return None, 0


def _cells(start: int, line: str, between: str) -> list[_Cell]:
    cells, at = [], 0
    line = line.rstrip(" ") if between == _EACH_TAB else line.rstrip()
    for mark in [*re.finditer(between, line), None]:
        end = mark.start() if mark is not None else len(line)
        lead = len(line[at:end]) - len(line[at:end].lstrip())
        cells.append(_Cell(start + at + lead, line[at:end].strip()))
        at = mark.end() if mark is not None else end
    if between != r"\s*,\s*" and cells and not cells[0].said:
        cells = cells[1:]  # "| North | 4 |"
    return cells[:-1] if between == r"\s*\|\s*" and cells and not cells[-1].said else cells


def _entries(heads: Sequence[_Cell], rows: Sequence[Sequence[_Cell]], above: str, text: str) -> tuple[Entry, ...]:
    told = [row for row in rows if not _TOTAL.match(row[0].said)]
    numbers = [
        place
        for place, head in enumerate(heads)
        if (place or _QUANTITY.match(head.said)) and head.said and not _NO_QUANTITY.search(head.said)
        if all(row[place].number is not None for row in told)
    ]
    if not told:
        return ()
    of_places = sum(names_place(row[0].said) for row in told) * 2 > len(told)
    much = [place for place in numbers if _QUANTITY.match(heads[place].said)]
    if not much and not of_places:
        much = [place for place in numbers if names_place(heads[place].said) or _unit(heads[place].said)]
    if much:
        things = [_row(heads, row, much, above) for row in told]
        return _once(things, text) if of_places else tuple(things)
    return tuple(_column(heads[place], [row[place] for row in told], above) for place in numbers)


def _once(rows: Sequence[Entry], text: str) -> tuple[Entry, ...]:
    """A thing that several places have, a row for each, as one entry: "Master bath | toilet | 1", "Hall bath | toilet
    | 1"."""
    found: dict[tuple[str, str], Entry] = {}
    for row in rows:
        key = (text[row.name.start : row.name.end].lower(), row.amount.unit)
        if key in found:
            first = found[key]
            value = first.amount.value + row.amount.value
            amount = replace(first.amount, value=value, low=value, high=value)
            row = replace(first, parts=(*first.parts, *row.parts), amount=amount)
        found[key] = row
    return tuple(found.values())


def _row(heads: Sequence[_Cell], row: Sequence[_Cell], much: Sequence[int], above: str) -> Entry:
    """A thing with how much of it each of the columns has."""
    words = [cell for place, cell in enumerate(row) if place not in much and cell.number is None]
    things = [cell for head, cell in zip(heads, row, strict=True) if cell in words and _THING_HEAD.fullmatch(head.said)]
    name = max(things or words or row[:1], key=lambda cell: (len(cell.said) > _LONGEST_UNIT, -cell.start))
    units = [cell.said for head, cell in zip(heads, row, strict=True) if _UNIT_HEAD.fullmatch(head.said)]
    found = [_unit(said) for said in (*units, *(heads[place].said for place in much), above)]
    return _entry(name, [row[place] for place in much], next(filter(None, found), None))


def _column(head: _Cell, cells: Sequence[_Cell], above: str) -> Entry:
    """A thing, or a measure, with how much of it each of the rows has."""
    return _entry(head, cells, _unit(head.said) or _unit(above))


def _entry(name: _Cell, cells: Sequence[_Cell], told: tuple[str, Role] | None) -> Entry:
    unit, role = told or ("each", Role.COUNT)
    parts = tuple(cell.number or Decimal(0) for cell in cells)
    span, total = Span(cells[0].start, cells[-1].start + len(cells[-1].said)), sum(parts, Decimal(0))
    noun = (re.findall(r"[a-z]+", name.said.lower()) or [""])[-1] if role is Role.COUNT else ""
    amount = Quantity(total, unit, role, span, total, total, noun=noun)
    return Entry(Span(name.start, name.start + len(name.said)), parts, amount)


def _unit(said: str) -> tuple[str, Role] | None:
    return next(((unit, role) for pattern, unit, role in _UNITS if pattern.search(said)), None)


def with_tables(
    clauses: Sequence[Clause], figures: Sequence[Quantity], tables: Sequence[Table], tokens: Sequence[Token]
) -> tuple[list[Clause], list[Quantity], dict[int, Entry]]:
    """The clauses and figures of a request with a clause for each entry of a table instead of its lines; and the
    entries, by where these clauses start."""
    kept = [one for one in clauses if not any(table.start <= one.start < table.end for table in tables)]
    entries: dict[int, Entry] = {}
    for table in tables:
        sentence = next((one.sentence for one in clauses if one.start >= table.start), 0)
        for number, entry in enumerate(table.entries):
            said = tuple(one for one in tokens if entry.name.start <= one.start < entry.name.end)
            if said and entry.amount.value:
                start, end = said[0].start, said[-1].end
                kept.append(Clause(ClauseKind.WORK, said, start, end, sentence + min(number, table.lines - 1)))
                entries[start] = entry
    left = [one for one in figures if not any(table.start <= one.span.start < table.end for table in tables)]
    kept.sort(key=lambda one: one.start)
    return kept, [*left, *(one.amount for one in entries.values())], entries
