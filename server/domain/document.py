"""What was read out of an uploaded document: one text, and where in the document and in that text its tables are.

Offsets are code points of the text. A row of a table stands in the text as one line, so that a quote can show the words
that asked for a line, whatever the file was.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

#: What a row's cells are joined with in the text.
SEPARATOR = " | "


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where in a document: page, sheet of a workbook, table of a PDF or text document, row of the table or sheet, name
    of the attachment of an e-mail. Numbers count from 1; 0 and empty where there is no such thing."""

    page: int = 0
    sheet: str = ""
    table: int = 0
    row: int = 0
    attachment: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table. ``number`` is what a reader would call it; ``[start, end)`` is its line in the text;
    ``numbers`` are the places of cells that are numbers by their type, written with a decimal point."""

    number: int
    start: int
    end: int
    cells: tuple[str, ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that belong together, with where they are; the place's row is 0."""

    place: DocumentPlace
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """From ``start`` of the text on, up to the next section, what is said is from ``place``."""

    start: int
    place: DocumentPlace


@dataclass(frozen=True, slots=True)
class Content:
    """A document as it was read. ``format`` is text, email, pdf, docx, csv or xlsx; ``pages`` counts pages or sheets,
    those of attachments included; ``notes`` say what was passed over, one sentence each."""

    format: str
    text: str
    pages: int
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()

    def place_of(self, offset: int) -> DocumentPlace | None:
        """Where the text at ``offset`` was read; None where the document is one text without pages or tables."""
        for table in self.tables:
            if table.rows[0].start <= offset < table.rows[-1].end:
                row = next(row for row in table.rows if offset <= row.end)
                return replace(table.place, row=row.number)
        found = bisect_right(self.sections, offset, key=lambda one: one.start)
        place = self.sections[found - 1].place if found else DocumentPlace()
        return place if place != DocumentPlace() else None

    def to_json(self) -> dict[str, Any]:
        """As plain values, `from_json` reads them."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Content:
        """The content that `to_json` wrote. Raises `KeyError`, `TypeError` for anything else."""
        return cls(
            format=value["format"],
            text=value["text"],
            pages=value["pages"],
            sections=tuple(Section(one["start"], DocumentPlace(**one["place"])) for one in value["sections"]),
            tables=tuple(
                Table(DocumentPlace(**one["place"]), tuple(_row(row) for row in one["rows"])) for one in value["tables"]
            ),
            notes=tuple(value["notes"]),
        )


def row_text(cells: Sequence[str]) -> str:
    """The cells of a row as a line of the text."""
    return SEPARATOR.join(" ".join(cell.split()) for cell in cells if cell.strip())


def _row(value: Mapping[str, Any]) -> Row:
    # Documents of before have no "numbers".
    numbers = tuple(value.get("numbers", ()))
    return Row(value["number"], value["start"], value["end"], tuple(value["cells"]), numbers)
