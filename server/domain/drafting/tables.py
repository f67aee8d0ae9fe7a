"""Tables: sheets that are pasted into a request ("ROOM | WINDOWS | DOORS", a row for each room, a total).

A column whose cells are numbers asks for what its head names, as much as its rows add up to; the total is not added
again. A head that names a unit and no thing measures what was asked for before the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import plain
from server.domain.drafting.numbers import Token
from server.domain.drafting.quantities import Quantity, Role
from server.domain.takeoff import Span

#: What stands between the cells of a row, the surest first.
_BETWEEN = (r"\s*\|\s*", r"\s*\t\s*", r"\s*;\s*", r"\s*\.{3,}\s*", r"\s+/\s+", r"\s*,\s*", r" {3,}")
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
#: A table has a head and so many rows at least; and no more than these.
_LEAST_ROWS, _MOST_ROWS = 2, 200
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers: where its head stands, its numbers but for their total, and what they add up to."""

    head: Span
    parts: tuple[Decimal, ...]
    amount: Quantity

    @property
    def told(self) -> str:
        """The sum, for the assumptions of a draft."""
        return f"{' + '.join(map(plain, self.parts))} = {plain(self.amount.value)} {self.amount.unit}"


@dataclass(frozen=True, slots=True)
class Table:
    """Where a table stands, ``[start, end)``, with its columns of numbers."""

    start: int
    end: int
    columns: tuple[Column, ...]


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
    if not head.strip() or any(character.isdigit() for character in head.replace("m2", "")):
        return None, 0
    for between in _BETWEEN:
        heads = _cells(*lines[0], between)
        if len(heads) < _PAIR:
            continue
        rows: list[list[_Cell]] = []
        for line in lines[1:]:
            cells = _cells(*line, between)
            if len(cells) != len(heads) or not any(cell.number for cell in cells[1:]):
                break
            rows.append(cells)
        if len(rows) >= _LEAST_ROWS:
            last, said = lines[len(rows)]
            above = text[: lines[0][0]].rstrip().rpartition("\n")[2]
            columns = _columns(heads, rows, above)
            return (Table(lines[0][0], last + len(said), columns) if columns else None), len(rows) + 1
    return None, 0


def _cells(start: int, line: str, between: str) -> list[_Cell]:
    cells, at = [], 0
    for mark in [*re.finditer(between, line.rstrip()), None]:
        end = mark.start() if mark is not None else len(line.rstrip())
        lead = len(line[at:end]) - len(line[at:end].lstrip())
        cells.append(_Cell(start + at + lead, line[at:end].strip()))
        at = mark.end() if mark is not None else end
    if between != r"\s*,\s*" and cells and not cells[0].said:
        cells = cells[1:]  # "| North | 4 |"
    return cells[:-1] if between == r"\s*\|\s*" and cells and not cells[-1].said else cells


def _columns(heads: Sequence[_Cell], rows: Sequence[Sequence[_Cell]], above: str) -> tuple[Column, ...]:
    told = [row for row in rows if not _TOTAL.match(row[0].said)]
    found = []
    for number, head in enumerate(heads[1:], 1):
        numbers = [row[number].number for row in told]
        known = [one for one in numbers if one is not None]
        if len(known) < len(numbers) or not known or not head.said:
            continue
        unit, role = _unit(head.said) or _unit(above) or ("each", Role.COUNT)
        first, last = told[0][number], told[-1][number]
        span, total = Span(first.start, last.start + len(last.said)), sum(known, Decimal(0))
        noun = (re.findall(r"[a-z]+", head.said.lower()) or [""])[-1] if role is Role.COUNT else ""
        if total:
            amount = Quantity(total, unit, role, span, total, total, noun=noun)
            found.append(Column(Span(head.start, head.start + len(head.said)), tuple(known), amount))
    return tuple(found)


def _unit(said: str) -> tuple[str, Role] | None:
    return next(((unit, role) for pattern, unit, role in _UNITS if pattern.search(said)), None)


def with_tables(
    clauses: Sequence[Clause], figures: Sequence[Quantity], tables: Sequence[Table], tokens: Sequence[Token]
) -> tuple[list[Clause], list[Quantity], dict[int, Column]]:
    """The clauses and figures of a request with a clause for each column instead of its rows; and the columns, by where
    these clauses start."""
    kept = [one for one in clauses if not any(table.start <= one.start < table.end for table in tables)]
    columns: dict[int, Column] = {}
    for table in tables:
        sentence = next((one.sentence for one in clauses if one.start >= table.start), 0)
        for column in table.columns:
            said = tuple(one for one in tokens if column.head.start <= one.start < column.head.end)
            if said:
                start, end = said[0].start, said[-1].end
                kept.append(Clause(ClauseKind.WORK, said, start, end, sentence))
                columns[start] = column
    left = [one for one in figures if not any(table.start <= one.span.start < table.end for table in tables)]
    kept.sort(key=lambda one: one.start)
    return kept, [*left, *(one.amount for one in columns.values())], columns
