"""A price list as entries of a book, or as rows that are refused, each with the reason.

Two passes: the first counts the rows and looks at every price, so that the decimal mark is decided for the column as a
whole; the second reads. Both go row by row, so that memory does not grow with the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from hashlib import sha256
from itertools import islice, takewhile

from server.domain.money import CURRENCIES
from server.domain.price_book import bc3
from server.domain.price_book.columns import currency_above, currency_of, find_columns, heading_of
from server.domain.price_book.figures import DecimalMark, FigureError, read_price
from server.domain.price_book.files import CsvFile, Number, RowSource, XlsxFile, kind_of
from server.domain.price_book.item import KINDS, LONGEST, Entry, faults_of, sku_key
from server.domain.price_book.unit_names import unit_code

_KIND_WORDS = {
    "material": "material", "materials": "material", "product": "material", "goods": "material", "part": "material",
    "labour": "labour", "labor": "labour", "hours": "labour", "service": "service", "work": "service",
    "task": "service", "assembly": "service", "fee": "fee", "charge": "fee", "permit": "fee",
}  # fmt: skip
_DOLLARS = frozenset({"USD", "CAD", "AUD"})
_PREVIEWED = 30
#: Of columns to choose from: how many, how many of their cells, and characters of each.
_MOST_COLUMNS, _SAMPLES, _SHOWN = 60, 3, 60


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds for rows that do not say: ``effective_from`` is an ISO date, ``unit`` may be empty."""

    currency: str
    effective_from: str
    unit: str = ""
    kind: str = "service"


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why a row is refused. ``field`` is empty where it is the row as a whole."""

    row: int
    field: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Read:
    """One row: an entry, or the problems that keep it out."""

    row: int
    entry: Entry | None
    problems: tuple[RowProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column to choose: ``heading`` is empty where the list has none."""

    letter: str
    heading: str
    samples: tuple[str, ...]


@dataclass(slots=True)
class PriceList:
    """An opened list. ``columns`` is field → heading or letter as found, ``notes`` what was decided, in sentences."""

    format: str
    rows_total: int
    columns: dict[str, str]
    notes: list[str]
    _reads: Iterator[Read] = field(repr=False)

    def reads(self) -> Iterator[Read]:
        """Every row once. Raises `FileRefusedError` where the file breaks off."""
        return self._reads


def open_price_list(
    data: bytes, filename: str, defaults: Defaults, *, columns: Mapping[str, str] | None = None, decimal_mark: str = ""
) -> PriceList:
    """Open a price list. ``columns`` is field → heading or letter; the others are guessed.

    Raises `FileRefusedError` where the file as a whole cannot be read.
    """
    kind = kind_of(data, filename)
    if kind == "bc3":
        return _open_bc3(data, defaults)
    source: RowSource = CsvFile(data) if kind == "csv" else XlsxFile(data)
    head = list(islice(source.rows(), _PREVIEWED))
    heading, places = find_columns(head, columns or {})
    seen, total = DecimalMark(), 0
    for number, cells in source.rows():
        if number > heading:
            total += 1
            price = _cell(cells, places["price"])
            if not isinstance(price, Number):
                seen.see(price)
    mark = decimal_mark or seen.mark
    notes = [*source.notes]
    if mark:
        notes.append(f"Decimals of prices are set off by “{mark}”.")
    elif seen.points:
        notes.append("Prices show both decimal marks; only those that are unmistakable by themselves are read.")
    if not heading:
        notes.append("The list has no heading.")
    names = dict(head).get(heading, [])
    sign = currency_of(_cell(names, places["price"]))
    if sign:
        notes.append(f"Prices are in {sign}, as their heading says.")
    elif "currency" not in places:
        sign = currency_above(_above(head, heading, places["price"]))
        if sign:
            notes.append(f"Prices are in {sign}, as a line above them says.")
    shown = {name: (_cell(names, place) if heading else _letter(place)) for name, place in sorted(places.items())}
    return PriceList(kind, total, shown, notes, _read_rows(source, heading, places, mark, sign, defaults))


def _above(head: Sequence[tuple[int, list[str]]], heading: int, price: int) -> list[list[str]]:
    """The rows above the heading, or, of a list that has none, above the first price."""
    if heading:
        return [cells for number, cells in head if number < heading]
    return [cells for _, cells in takewhile(lambda row: not re.search(r"\d", _cell(row[1], price)), head)]


def file_columns(data: bytes, filename: str) -> tuple[FileColumn, ...]:
    """The columns of a list, whether prices are found in it or not; none of a BC3. Raises `FileRefusedError`."""
    kind = kind_of(data, filename)
    if kind == "bc3":
        return ()
    source: RowSource = CsvFile(data) if kind == "csv" else XlsxFile(data)
    head = list(islice(source.rows(), _PREVIEWED))
    # The row of words before rows of figures: its headings, unless the first row is data already.
    at = heading_of(head)
    names = dict(head).get(at, [])
    rows = [cells for number, cells in head if number > at]
    width = min(max((len(cells) for _, cells in head), default=0), _MOST_COLUMNS)
    return tuple(
        FileColumn(
            _letter(place),
            _cell(names, place)[:_SHOWN],
            tuple(told[:_SHOWN] for cells in rows if (told := _cell(cells, place)))[:_SAMPLES],
        )
        for place in range(width)
    )


def _read_rows(
    source: RowSource, heading: int, places: Mapping[str, int], mark: str, sign: str, defaults: Defaults
) -> Iterator[Read]:
    twice = _Duplicates()
    for number, cells in source.rows():
        if number > heading:
            given = {name: _cell(cells, place) for name, place in places.items()}
            yield twice.checked(_Row(number, given, mark, defaults, sign).read())


def _open_bc3(data: bytes, defaults: Defaults) -> PriceList:
    base = bc3.parse(data)
    reads = _read_concepts(base, defaults)
    return PriceList("bc3", len(base.concepts), {}, base.notes, reads)


def _read_concepts(base: bc3.PriceBase, defaults: Defaults) -> Iterator[Read]:
    twice = _Duplicates()
    for concept in base.concepts:
        given = {
            "sku": concept.code,
            "name": concept.summary or concept.code,
            "description": concept.text[: LONGEST["description"]],
            "unit": concept.unit,
            "price": concept.price,
            "currency": base.currency,
            "kind": concept.kind,
            "effective_from": concept.priced_on,
        }
        yield twice.checked(_Row(concept.number, given, ".", defaults).read())


class _Duplicates:
    """The same SKU twice from the same day on is one row too many. Remembers a hash of each, no text."""

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}

    def checked(self, read: Read) -> Read:
        if read.entry is None:
            return read
        key = int.from_bytes(
            sha256(f"{sku_key(read.entry.sku)}\n{read.entry.effective_from}".encode()).digest()[:8], "big"
        )
        first = self._rows.setdefault(key, read.row)
        if first == read.row:
            return read
        message = f"The SKU “{read.entry.sku}” is on row {first} already."
        return Read(read.row, None, (RowProblem(read.row, "sku", "sku_duplicate", message),))


class _Row:
    """One row on its way to an entry; all that is wrong with it is told at once. ``sign``: the currency that the
    heading of the prices names, or a line above it, as a sign in each of its cells would."""

    def __init__(self, number: int, given: Mapping[str, str], mark: str, defaults: Defaults, sign: str = "") -> None:
        self._number = number
        self._sign = sign
        self._given = given
        self._mark = mark
        self._defaults = defaults
        self._problems: list[RowProblem] = []

    def read(self) -> Read:
        """The entry, or the problems."""
        price, sign = self._price()
        name, sku = self._text("name"), self._text("sku")
        if not sku and "sku" not in self._given:
            sku = _sku_of(name)
        if not name and "name" not in self._given:
            name = sku
        entry = Entry(
            sku=sku,
            name=name,
            description=self._text("description"),
            unit=self._unit(),
            price=price if price is not None else Decimal(1),
            currency=self._currency(self._agreed(sign)),
            kind=self._kind(),
            category=self._text("category"),
            supplier=self._text("supplier"),
            effective_from=self._day(),
        )
        told = {problem.field for problem in self._problems}
        for name_, reason, message in faults_of(entry):
            if name_ not in told:
                self._refuse(name_, reason, message)
        if self._problems:
            return Read(self._number, None, tuple(self._problems))
        return Read(self._number, entry)

    def _refuse(self, name: str, reason: str, message: str) -> None:
        self._problems.append(RowProblem(self._number, name, reason, message))

    def _text(self, name: str) -> str:
        return " ".join(self._given.get(name, "").split())

    def _price(self) -> tuple[Decimal | None, str]:
        text = self._given.get("price", "")
        if text.lstrip()[:1] in ("=", "@"):
            self._refuse("price", "formula", "The price is a formula: only a number is read.")
            return None, ""
        if isinstance(text, Number):
            return Decimal(text), ""
        try:
            return read_price(text, self._mark)
        except FigureError as error:
            self._refuse("price", error.reason, str(error))
            return None, ""

    def _unit(self) -> str:
        text = self._text("unit")
        if not text:
            if not self._defaults.unit:
                self._refuse("unit", "unit_missing", "The unit is missing, and no default is given.")
            return self._defaults.unit
        code = unit_code(text)
        if not code:
            self._refuse("unit", "unit_unknown", f"“{text[:40]}” is no unit that is known here.")
        return code

    def _agreed(self, sign: str) -> str:
        """The sign of the cell with that of the heading: a dollar of either is that of the other."""
        signs = {sign, self._sign} - {""}
        if len(signs) > 1 and signs <= {"$", *_DOLLARS}:
            signs.discard("$")
        if len(signs) > 1:
            self._refuse("currency", "currency_conflict", f"The price is in {sign}, the list says {self._sign}.")
            return sign
        return next(iter(signs), "")

    def _currency(self, sign: str) -> str:
        text = self._text("currency").upper()
        if sign == "$":
            if text and text not in _DOLLARS:
                self._refuse("currency", "currency_conflict", f"The price is in dollars, the row says {text[:12]}.")
            sign = text or (self._defaults.currency if self._defaults.currency in _DOLLARS else "USD")
        if text and sign and text != sign:
            self._refuse("currency", "currency_conflict", f"The price is in {sign}, the row says {text[:12]}.")
        currency = text or sign or self._defaults.currency
        if currency not in CURRENCIES:
            known = ", ".join(sorted(CURRENCIES))
            self._refuse("currency", "currency_unknown", f"“{currency[:12]}” is none of {known}.")
        return currency

    def _kind(self) -> str:
        text = self._text("kind")
        if not text:
            return self._defaults.kind
        kind = _KIND_WORDS.get(text.casefold(), "")
        if not kind:
            self._refuse("kind", "kind_unknown", f"“{text[:40]}” is none of {', '.join(KINDS)}.")
        return kind

    def _day(self) -> str:
        text = self._text("effective_from")
        if not text:
            return self._defaults.effective_from
        try:
            return iso_day(text)
        except ValueError:
            self._refuse("effective_from", "date_malformed", f"“{text[:40]}” is no date: write YYYY-MM-DD.")
            return ""


def iso_day(text: str) -> str:
    """``text`` where it is a date as YYYY-MM-DD. Raises ``ValueError`` where it is none."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        raise ValueError("write dates as YYYY-MM-DD")
    return date.fromisoformat(text).isoformat()


def _sku_of(name: str) -> str:
    """The SKU of an item of a list without SKUs: its name, cut with a hash where it is too long."""
    longest = LONGEST["sku"]
    return name if len(name) <= longest else f"{name[: longest - 9]}-{sha256(name.encode()).hexdigest()[:8]}"


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place] if place is not None and place < len(cells) else ""


def _letter(place: int) -> str:
    return (chr(ord("A") + place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)
