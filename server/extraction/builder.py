"""Puts the content of a document together, piece by piece in its order, and stops where it becomes too much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from server.domain.document import Content, DocumentPlace, Row, Section, Table, row_text
from server.domain.price_book.files import Number
from server.extraction import limits
from server.extraction.limits import RefusedError

#: Controls that no line of a quote can show; a form feed ends a line.
_UNSEEN = dict.fromkeys((*range(9), 11, *range(14, 32), *range(127, 160), 173, 65279)) | {0x0C: "\n"}
#: Halves of characters of UTF-16, which no UTF-8 can hold.
_SURROGATES = dict.fromkeys(range(55296, 57344), "�")
_CLEAN = _UNSEEN | _SURROGATES


class Builder:
    """A growing `Content`. Whatever adds to it raises `RefusedError` where a limit is passed."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.attachment = ""
        self._parts: list[str] = []
        self._length = 0
        self._rows = 0
        self._pages = 0
        self._sections: list[Section] = []
        self._tables: list[Table] = []
        self._place = DocumentPlace()

    def page(self, number: int) -> None:
        """What follows is from that page."""
        self._count_page("pages")
        self._move(DocumentPlace(page=number, attachment=self.attachment))

    def sheet(self, name: str) -> None:
        """What follows is from that sheet."""
        self._count_page("sheets")
        self._move(DocumentPlace(sheet=clean(name)[: limits.LONGEST_NAME], attachment=self.attachment))

    def whole(self) -> None:
        """What follows is a text without pages: it counts as one."""
        self._count_page("pages")
        self._move(DocumentPlace(attachment=self.attachment))

    def text(self, text: str) -> None:
        """Add a block of text; blank ones are passed over."""
        block = clean(text).strip("\n")
        if block.strip():
            self._add(block)

    def table(self, rows: Iterable[tuple[int, Sequence[str]]], *, numbered: bool = True) -> None:
        """Add rows: the number that a reader would call each by, and its cells. ``numbered``: the table is one of
        several on its page."""
        kept = []
        for number, given in rows:
            cells = tuple(_cell(cell, number) for cell in given)
            while cells and not cells[-1]:
                cells = cells[:-1]
            if not cells:
                continue
            if len(cells) > limits.MOST_CELLS:
                raise RefusedError("too_many_columns", f"Row {number} has more than {limits.MOST_CELLS} columns.")
            self._rows += 1
            if self._rows > limits.MOST_ROWS:
                raise RefusedError("too_many_rows", f"The tables have more than {limits.MOST_ROWS} rows.")
            start = self._add(row_text(cells))
            numbers = tuple(place for place, cell in enumerate(given) if isinstance(cell, Number))
            kept.append(Row(number, start, self._length, cells, numbers))
        if kept:
            nth = 1 + sum(one.place.attachment == self.attachment for one in self._tables) if numbered else 0
            self._tables.append(Table(replace(self._place, table=nth), tuple(kept)))

    def content(self, kind: str) -> Content:
        """All of it. Raises `RefusedError` where there is no text at all."""
        text = "".join(self._parts)
        if not text.strip():
            raise RefusedError("no_text", "The document holds no text: scanned pages and pictures are not read.")
        return Content(kind, text, self._pages, tuple(self._sections), tuple(self._tables), tuple(self.notes))

    def _count_page(self, kind: str) -> None:
        self._pages += 1
        if self._pages > limits.MOST_PAGES:
            raise RefusedError("too_many_pages", f"The document has more than {limits.MOST_PAGES} {kind}.")

    def _move(self, place: DocumentPlace) -> None:
        self._place = place
        if self._sections and self._sections[-1].start == self._length:
            self._sections.pop()
        self._sections.append(Section(self._length, place))

    def _add(self, block: str) -> int:
        """Add a block on a line of its own; where it begins."""
        if self._length:
            self._parts.append("\n")
            self._length += 1
        start = self._length
        self._length += len(block)
        if self._length > limits.LONGEST_TEXT:
            raise RefusedError("too_much_text", f"The document holds more than {limits.LONGEST_TEXT} characters.")
        self._parts.append(block)
        return start


def clean(text: str) -> str:
    """Text without what cannot be stored or shown, its lines ended by a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_CLEAN)


def _cell(text: str, number: int) -> str:
    if len(text) > limits.LONGEST_CELL:
        raise RefusedError("cell_too_long", f"Row {number} has a cell of more than {limits.LONGEST_CELL} characters.")
    return " ".join(clean(text).split())
