"""BC3 files (FIEBDC-3, the exchange format of construction cost bases in Spain and Latin America).

Records begin with ``~`` and a letter, fields end with ``|``, subfields with ``\\``. Read are ``~V`` (character set),
``~K`` (currency), ``~C`` (concepts: code, unit, summary, price, date, type), ``~D`` (what a concept is made of) and
``~T`` (long text). Chapters and percentages are no items. A concept without a price of its own gets the sum of its
parts where each of them has one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation

from server.domain.price_book.files import FileRefusedError

_ENCODINGS = {"850": "cp850", "437": "cp437", "ANSI": "cp1252", "UTF-8": "utf-8", "UTF8": "utf-8"}
#: Where a file names no character set the format says 850.
_DEFAULT = "850"
#: Types of ~C: 1 labour, 2 machinery, 3 materials, 4 and 5 waste.
_KINDS = {"1": "labour", "2": "service", "3": "material", "4": "fee", "5": "fee"}
_MOST_RECORDS = 1_000_000
_DEEPEST = 20


@dataclass(slots=True)
class Concept:
    """A priced concept. ``price`` is decimal text, empty where none can be told; ``priced_on`` an ISO date or empty;
    ``kind`` empty where the type says nothing; ``number`` counts the file's records."""

    number: int
    code: str
    unit: str
    summary: str
    price: str
    priced_on: str
    kind: str
    text: str = ""


@dataclass(slots=True)
class PriceBase:
    """What a file says. ``notes`` are sentences."""

    currency: str
    concepts: list[Concept]
    notes: list[str]


@dataclass(slots=True)
class _File:
    concepts: dict[str, Concept] = field(default_factory=dict)
    doubled: list[Concept] = field(default_factory=list)
    parts: dict[str, list[tuple[str, Decimal]]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    currency: str = "EUR"
    left_out: int = 0


def parse(data: bytes) -> PriceBase:
    """The priced concepts of a file. Raises `FileRefusedError` where it is no BC3 file, or its text cannot be read."""
    named = _named_encoding(data)
    encoding = _ENCODINGS.get(named.upper())
    if encoding is None:
        raise FileRefusedError(f"The character set “{named[:20]}” is none of {', '.join(_ENCODINGS)}.")
    try:
        text = data.decode("utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else encoding)
    except UnicodeError:
        raise FileRefusedError(f"The text is not valid {encoding}, which the file says it is.") from None
    records = text.split("~")[1:]
    if not any(record.startswith("C|") for record in records):
        raise FileRefusedError("The file has no concepts (~C): it is no BC3 price base.")
    if len(records) > _MOST_RECORDS:
        raise FileRefusedError(f"The file has more than {_MOST_RECORDS} records.")
    file = _File()
    for number, record in enumerate(records, 1):
        _take(file, number, record.split("|"))
    for code, said in file.texts.items():
        if code in file.concepts:
            file.concepts[code].text = said
    built = _price_by_parts(file)
    notes = [f"Read as FIEBDC-3 in {encoding}, prices in {file.currency}."]
    if file.left_out:
        notes.append(f"{file.left_out} chapters and percentages are no items and were left out.")
    if built:
        notes.append(f"{built} prices are the sum of their parts (~D).")
    concepts = sorted((*file.concepts.values(), *file.doubled), key=lambda one: one.number)
    return PriceBase(file.currency, concepts, notes)


def _named_encoding(data: bytes) -> str:
    header = re.search(rb"~V\|([^~]*)", data[:65536])
    fields = header[1].decode("ascii", "replace").split("|") if header else []
    return (fields[4].split("\\")[0].strip() if len(fields) > 4 else "") or _DEFAULT


def _take(file: _File, number: int, fields: list[str]) -> None:
    letter, fields = fields[0].strip(), [one.strip(" \r\n\t") for one in fields[1:]]
    fields += [""] * (6 - len(fields))
    if letter == "K":
        found = re.findall(r"\\(EUR|USD|GBP|CAD|AUD|[A-Z]{3})\\", "\\" + fields[0].upper() + "\\")
        if found:
            file.currency = found[-1]
    elif letter == "C":
        _take_concept(file, number, fields)
    elif letter == "D":
        file.parts[_code(fields[0])] = _parts(fields[1])
    elif letter == "T":
        file.texts[_code(fields[0])] = " ".join(fields[1].split())


def _take_concept(file: _File, number: int, fields: list[str]) -> None:
    code = fields[0].split("\\")[0].strip()
    if code.endswith("#") or "%" in code or "&" in code:
        file.left_out += 1
        return
    concept = Concept(
        number=number,
        code=code,
        unit=fields[1],
        summary=" ".join(fields[2].split()),
        price=fields[3].split("\\")[0].strip(),
        priced_on=_day(fields[4].split("\\")[0].strip()),
        kind=_KINDS.get(fields[5][:1], ""),
    )
    if code in file.concepts:
        file.doubled.append(concept)
    else:
        file.concepts[code] = concept


def _code(field_: str) -> str:
    return field_.split("\\")[0].strip().rstrip("#")


def _parts(field_: str) -> list[tuple[str, Decimal]]:
    """Child, factor, yield, in threes; an empty factor or yield is 1."""
    texts = field_.split("\\")
    found = []
    for at in range(0, len(texts) - 1, 3):
        code, *numbers = [*texts[at : at + 3], "", ""][:3]
        if code.strip():
            try:
                factor, times = (Decimal(one.strip() or "1") for one in numbers)
            except InvalidOperation:
                factor, times = Decimal("NaN"), Decimal(1)
            found.append((code.strip(), factor * times))
    return found


def _price_by_parts(file: _File) -> int:
    """Price what has no price of its own; the number of those that were."""
    built = 0
    for concept in file.concepts.values():
        if not concept.price and concept.code in file.parts:
            price = _sum(file, concept.code, _DEEPEST)
            if price is not None and price.is_finite():
                concept.price = f"{price.quantize(Decimal('0.01')):f}"
                built += 1
    return built


def _sum(file: _File, code: str, deepest: int) -> Decimal | None:
    """The price of a concept, by its parts where it states none; None where one is missing, a percentage, or goes round
    in circles."""
    concept = file.concepts.get(code)
    if concept is None or not deepest:
        return None
    if concept.price:
        try:
            return Decimal(concept.price)
        except InvalidOperation:
            return None
    if not file.parts.get(code):
        return None
    total = Decimal(0)
    for child, times in file.parts[code]:
        price = _sum(file, child, deepest - 1)
        if price is None:
            return None
        total += price * times
    return total


def _day(text: str) -> str:
    """DDMMYYYY or DDMMYY (years from 80 on are 19..), one digit short where the day leads with 0; else empty."""
    digits = text.zfill(8 if len(text) > 6 else 6) if text.isascii() and text.isdigit() else ""
    if len(digits) not in (6, 8):
        return ""
    year = int(digits[4:])
    year += 0 if len(digits) == 8 else 1900 if year >= 80 else 2000
    try:
        return date(year, int(digits[2:4]), int(digits[:2])).isoformat()
    except ValueError:
        return ""
