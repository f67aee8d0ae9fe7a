"""Price lists as rows of cells: CSV in any usual encoding and separator, and XLSX workbooks.

Both are read row by row; nothing here knows what the cells mean. A file that cannot be read is refused whole, with the
reason (`FileRefusedError`).
"""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from pathlib import PurePath
from typing import Protocol

from openpyxl import Workbook, load_workbook

MOST_ROWS = 1_000_000
MOST_COLUMNS = 100
#: Characters of one line; a price list has hundreds.
LONGEST_LINE = 64 * 1024
#: Bytes that a workbook may unpack to, and how many times its own size.
LARGEST_UNPACKED = 256 * 1024 * 1024
MOST_TIMES = 150
_SEPARATORS = (";", ",", "\t", "|")
_SAMPLE = 30
_CHUNK = 1 << 20


class FileRefusedError(Exception):
    """The file as a whole cannot be read; the message says why, for the person who sent it."""


class Number(str):
    """A cell that is a number by its type, written with a decimal point: no mark has to be guessed."""

    __slots__ = ()


class RowSource(Protocol):
    """A file that can be read more than once."""

    format: str
    notes: list[str]

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Number of the row, from 1, and its cells. Raises `FileRefusedError` where the file breaks off."""


def kind_of(data: bytes, filename: str) -> str:
    """csv, xlsx or bc3, by what the file is, then by its name. Raises `FileRefusedError` for what is none of them."""
    if not data.strip():
        raise FileRefusedError("The file is empty.")
    if data.startswith(b"PK\x03\x04"):
        return "xlsx"
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise FileRefusedError(
            "This is an old or encrypted Excel file: save it as .xlsx without a password, or as CSV."
        )
    if data.startswith(b"%PDF"):
        raise FileRefusedError("This is a PDF: send the price list as CSV, XLSX or BC3.")
    if data.lstrip(b"\xef\xbb\xbf \r\n\t")[:2] in (b"~V", b"~K", b"~C") or PurePath(filename).suffix.lower() == ".bc3":
        return "bc3"
    return "csv"


# --- CSV ------------------------------------------------------------------------------------------------------------


class CsvFile:
    """Separated values. Quoted cells may hold line ends; what stands before a first line ``sep=;`` is Excel's way of
    naming the separator."""

    format = "csv"

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._encoding = encoding_of(data)
        self._skip = 0
        self._separator = self._find_separator()
        named = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar"}.get(self._separator, self._separator)
        self.notes = [f"Read as {self._encoding}, separated by {named}."]

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """See `RowSource.rows`."""
        yield from self._read(self._separator)

    def _find_separator(self) -> str:
        first = next(self._lines(), "")
        if first.lower().startswith("sep=") and len(first.strip()) == 5:
            self._skip = 1
            return first[4]
        best, most = ",", (0, 0)
        for separator in _SEPARATORS:
            try:
                widths = [len(cells) for _, cells in islice(self._read(separator), _SAMPLE)]
            except FileRefusedError:
                continue
            widths = [width for width in widths if width > 1]
            usual = max(set(widths), key=widths.count, default=0)
            found = (widths.count(usual), usual)
            if found > most:
                best, most = separator, found
        if not most[0]:
            # It may be a list of one column, and it may be broken: then this tells how.
            next(self._read(","), None)
        return best

    def _lines(self) -> Iterator[str]:
        stream = io.TextIOWrapper(io.BytesIO(self._data), encoding=self._encoding, newline="")
        for _ in range(self._skip):
            stream.readline(LONGEST_LINE)
        while line := stream.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise FileRefusedError(f"A line is longer than {LONGEST_LINE} characters: this is no price list.")
            if "\0" in line:
                raise FileRefusedError("The file holds NUL characters: it is no text.")
            yield line

    def _read(self, separator: str) -> Iterator[tuple[int, list[str]]]:
        reader = csv.reader(self._lines(), delimiter=separator, skipinitialspace=True)
        number = self._skip
        while True:
            number += 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise FileRefusedError(
                    f"Row {number} cannot be read: {error}. A quotation mark may be missing."
                ) from None
            if number > MOST_ROWS:
                raise FileRefusedError(f"The file has more than {MOST_ROWS} rows.")
            if len(cells) > MOST_COLUMNS:
                raise FileRefusedError(f"Row {number} has more than {MOST_COLUMNS} columns.")
            if any(len(cell) > LONGEST_LINE for cell in cells):
                raise FileRefusedError(f"Row {number} has a cell that does not end: a quotation mark may be missing.")
            if any(cell.strip() for cell in cells):
                yield number, cells


def encoding_of(data: bytes) -> str:
    """The encoding of a text. Raises `FileRefusedError` where it is in none that is known."""
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")
    ):  # fmt: skip
        if data.startswith(mark):
            _check_decodes(data, name)
            return name
    sample = data[:4096]
    if sample.count(0) > len(sample) // 4:
        guess = "utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"
        _check_decodes(data, guess)
        return guess
    for name in ("utf-8", "cp1252"):
        try:
            _check_decodes(data, name)
        except FileRefusedError:
            continue
        return name
    raise FileRefusedError("The text is in no encoding that is read here (UTF-8, UTF-16, Windows-1252).")


def _check_decodes(data: bytes, encoding: str) -> None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeError:
        raise FileRefusedError(f"The text is not valid {encoding}.") from None


# --- XLSX -----------------------------------------------------------------------------------------------------------


class XlsxFile:
    """One sheet of a workbook: that of the name, else the first that holds anything. Of formulas the saved results are
    read."""

    format = "xlsx"

    def __init__(self, data: bytes, sheet: str = "") -> None:
        self._data = data
        self.notes: list[str] = []
        _check_archive(data)
        self._sheet = sheet or self._find_sheet()
        self.notes.append(f"Read from the sheet “{self._sheet}”; of formulas the saved results.")

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """See `RowSource.rows`."""
        for number, cells in self._read(self._sheet):
            if number > MOST_ROWS:
                raise FileRefusedError(f"The sheet has more than {MOST_ROWS} rows.")
            yield number, cells

    def _find_sheet(self) -> str:
        for name in visible_sheets(self._data):
            if next(self._read(name), None) is not None:
                return name
        raise FileRefusedError("The workbook has no sheet with anything in it.")

    def _read(self, name: str) -> Iterator[tuple[int, list[str]]]:
        workbook = _open_workbook(self._data)
        try:
            sheet = workbook[name]
            sheet.reset_dimensions()
            for number, row in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True), 1):
                if number <= MOST_ROWS and row.count(None) == len(row):
                    continue
                cells = [_text(value) for value in row]
                # A row may claim any number, and the library fills the gap: the caller stops at too high a one.
                if number > MOST_ROWS or any(cell.strip() for cell in cells):
                    yield number, cells
        except Exception as error:  # noqa: BLE001 - see above
            raise FileRefusedError(f"The sheet “{name}” cannot be read: {type(error).__name__}.") from None
        finally:
            workbook.close()


def visible_sheets(data: bytes) -> list[str]:
    """Names of the sheets that are not hidden, in their order. Raises `FileRefusedError`."""
    _check_archive(data)
    workbook = _open_workbook(data)
    try:
        return [str(sheet.title) for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
    finally:
        workbook.close()


def _open_workbook(data: bytes) -> Workbook:
    try:
        return load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # noqa: BLE001 - whatever the library makes of a hostile file
        raise FileRefusedError(f"The workbook cannot be opened: {type(error).__name__}.") from None


def _check_archive(data: bytes) -> None:
    """Refuse what unpacks to much more than it is, before anything is unpacked; zipfile reads no more than it says."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise FileRefusedError("The file is a broken archive.") from None
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > 2000 or unpacked > LARGEST_UNPACKED or unpacked > MOST_TIMES * max(len(data), 1 << 16):
        raise FileRefusedError("The archive unpacks to far more than a price list holds.")
    if any(entry.flag_bits & 1 for entry in entries):
        raise FileRefusedError("The archive is encrypted.")
    if "xl/workbook.xml" not in {entry.filename for entry in entries}:
        raise FileRefusedError("The archive is no Excel workbook.")


def _text(value: object) -> str:
    """A cell as text: numbers as Excel shows them (15 digits), days as ISO dates."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return Number(f"{Decimal(f'{value:.15g}'):f}") if abs(value) < 1e15 else repr(value)
    if isinstance(value, int):
        return Number(value)
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
