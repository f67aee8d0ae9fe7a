"""The table of a quote's lines: a header that comes again on every page, and rows that flow over pages.

A table of reportlab lays every row out anew at each page; here rows are laid out once, and a page is a slice of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.platypus import Flowable

from server.documents.text import Line, Style, broken, draw_lines, width_of

_WARNING = HexColor("#9a5b00")
#: Points between the edge of a cell and its text, and above and below a row.
SIDE, _ABOVE = 4.0, 4.5
_HEADER = Style(size=8, leading=11, bold=True)
_GROUP = Style(size=9, leading=12, bold=True)
#: Rows that are higher than this part of a page are cut between any two lines; others move to the next page whole.
_CUT = 0.4


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``width`` in points."""

    title: str
    width: float
    style: Style

    @property
    def text_width(self) -> float:
        """What is left for text between the sides."""
        return self.width - 2 * SIDE


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines of text of one style."""

    lines: Sequence[Line]
    style: Style

    @property
    def height(self) -> float:
        """In points."""
        return len(self.lines) * self.style.leading


@dataclass(frozen=True)
class Row:
    """A line of the quote: a figure a column, none for the second, whose text is ``cells``, one below the other.

    ``warned``: the last figure is no amount. A row of a group's name has ``group`` and no figures.
    """

    figures: tuple[str, ...]
    cells: tuple[Cell, ...]
    warned: bool = False
    group: bool = False
    #: Whether the row goes on below: it is the upper part of one that was cut.
    goes_on: bool = False

    @cached_property
    def height(self) -> float:
        """In points, with what is above and below."""
        return sum(cell.height for cell in self.cells) + 2 * _ABOVE

    def cut(self, room: float) -> tuple[Row, Row] | None:
        """The part that fits ``room``, and the rest; None where the part would be less than two lines."""
        room -= 2 * _ABOVE
        above: list[Cell] = []
        below = list(self.cells)
        while below and below[0].height <= room:
            room -= below[0].height
            above.append(below.pop(0))
        if below:
            count = int(room / below[0].style.leading)
            if count > 0:
                first = below[0]
                above.append(Cell(first.lines[:count], first.style))
                below[0] = Cell(first.lines[count:], first.style)
        if not below or sum(len(cell.lines) for cell in above) < 2:
            return None
        empty = ("",) * len(self.figures)
        return replace(self, cells=tuple(above), goes_on=True), replace(self, figures=empty, cells=tuple(below))


def heading_row(name: str, amount: str) -> Row:
    """The row above a group of lines."""
    return Row((amount,), (Cell(broken(name, 400, _GROUP), _GROUP),), group=True)


class LineTable(Flowable):  # type: ignore[misc]  # reportlab has no types
    """The table. ``accent``, ``rule`` and ``shade`` are colours of the header, of rules, of groups."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Row], *, accent: Any, rule: Any, shade: Any) -> None:
        super().__init__()
        self._columns, self._rows = columns, rows
        self._accent, self._rule, self._shade = accent, rule, shade
        self._header_height = _HEADER.leading + 7

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """The size of all rows."""
        self.width = width
        self.height = self._header_height + sum(row.height for row in self._rows)
        return self.width, self.height

    def split(self, _width: float, height: float) -> list[LineTable]:
        """What fits, and the rest; nothing where not even a row does."""
        room, count = height - self._header_height, 0
        while count < len(self._rows) and self._rows[count].height <= room:
            room -= self._rows[count].height
            count += 1
        rows = list(self._rows)
        if count == len(rows):
            return [self]
        page = self._page_height() or height
        if rows[count].height > _CUT * page and (parts := rows[count].cut(room)):
            rows[count : count + 1] = parts
            count += 1
        elif count and rows[count - 1].group:
            count -= 1  # a group's name is not left alone
        if not count:
            return []
        return [self._with(rows[:count]), self._with(rows[count:])]

    def draw(self) -> None:
        """Draw header and rows downwards."""
        canvas, top = self.canv, self.height
        x = 0.0
        for column in self._columns:
            style = _HEADER.but(right=column.style.right, colour=self._accent)
            title = [Line(column.title, width_of(column.title, style.size, bold=True))]
            draw_lines(canvas, title, x + SIDE, top - 2, column.text_width, style)
            x += column.width
        top -= self._header_height
        canvas.setStrokeColor(self._accent)
        canvas.setLineWidth(1)
        canvas.line(0, top, self.width, top)
        canvas.setLineWidth(0.5)
        for row in self._rows:
            if row.group:
                self._draw_group(row, top)
            else:
                self._draw_row(row, top)
            top -= row.height
            if not row.goes_on:
                canvas.setStrokeColor(self._rule)
                canvas.line(0, top, self.width, top)

    def _draw_row(self, row: Row, top: float) -> None:
        canvas, top = self.canv, top - _ABOVE
        first, *others = row.cells
        x = description = 0.0
        for place, (column, figure) in enumerate(zip(self._columns, row.figures, strict=True)):
            if place == 1:
                description = x + SIDE
                draw_lines(canvas, first.lines[:1], description, top, column.text_width, first.style)
            elif figure:
                last = place == len(self._columns) - 1
                style = column.style.but(colour=_WARNING) if row.warned and last else column.style
                line = [Line(figure, width_of(figure, style.size))]
                draw_lines(canvas, line, x + SIDE, top, column.text_width, style)
            x += column.width
        width = self._columns[1].text_width
        draw_lines(canvas, first.lines[1:], description, top - first.style.leading, width, first.style)
        top -= first.height
        for cell in others:
            draw_lines(canvas, cell.lines, description, top, width, cell.style)
            top -= cell.height

    def _draw_group(self, row: Row, top: float) -> None:
        canvas = self.canv
        canvas.setFillColor(self._shade)
        canvas.rect(0, top - row.height, self.width, row.height, stroke=0, fill=1)
        draw_lines(canvas, row.cells[0].lines, SIDE, top - _ABOVE, self.width, _GROUP)
        if row.figures[0]:
            style = _GROUP.but(right=True)
            line = [Line(row.figures[0], width_of(row.figures[0], style.size, bold=True))]
            draw_lines(canvas, line, 0, top - _ABOVE, self.width - SIDE, style)

    def _page_height(self) -> float:
        frame = getattr(self, "_frame", None)
        return float(frame._height) if frame is not None else 0.0

    def _with(self, rows: Sequence[Row]) -> LineTable:
        return LineTable(self._columns, rows, accent=self._accent, rule=self._rule, shade=self._shade)
