"""Bills of quantities: which tables of a document are one, and what each of their rows asks for.

Quantities and units are taken as they stand. What a row charges by its own rate is kept as a remark only: whose figure
it is, an old estimate, a budget, a competitor's, the document does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from server.domain.document import Content, DocumentPlace, Row, Table
from server.domain.price_book.columns import by_heading
from server.domain.price_book.figures import DecimalMark, FigureError, read_price
from server.domain.price_book.unit_names import unit_code
from server.domain.takeoff import Span
from server.domain.units import Dimension, dimension

#: Lines that a quote takes: some seconds of drafting.
MOST_LINES = 1_000
#: More of anything than a job has; sums of such lines stay within exact numbers.
MOST_QUANTITY = Decimal(10_000_000)
LONGEST_DESCRIPTION = 1_000
_LONGEST_UNIT = 12
_LONGEST_SHOWN = 60
#: Rows of a table among which its headings are looked for.
_LOOKED_AT = 15
#: Field → headings that mean it, folded to letters and digits, the surest first.
_HEADINGS: dict[str, tuple[str, ...]] = {
    "description": ("description", "descriptionofwork", "descriptionofworks", "itemdescription", "workdescription",
                    "scopeofwork", "scope", "particulars", "details", "work", "works", "task", "service", "resumen",
                    "descripcion", "bezeichnung", "name", "product", "title", "item"),
    "quantity": ("quantity", "qty", "quant", "qnty", "estquantity", "estqty", "estimatedquantity", "quantities",
                 "cantidad", "menge", "count"),
    "unit": ("unit", "units", "uom", "unitofmeasure", "um", "measure", "unidad", "ud", "einheit"),
    "rate": ("rate", "unitrate", "unitprice", "price", "priceperunit", "unitcost", "cost", "precio", "preis"),
    "total": ("total", "totalprice", "totalcost", "extension", "sum", "lineamount", "importe"),
    "number": ("no", "ref", "reference", "itemno", "itemnumber", "item#", "number", "code", "#", "item"),
    # Money or a quantity: the cells below tell.
    "amount": ("amount",),
}  # fmt: skip
#: What figures of quantities measure and no price does: "450 each" and "1,200 LS" may be money.
_SIZES = frozenset({Dimension.LENGTH, Dimension.AREA, Dimension.VOLUME, Dimension.MASS})
_PER = re.compile(r"/|per\b", re.IGNORECASE)
#: Rows that only add up or lead on.
_SUMS = re.compile(
    r"(?:(?:grand|page|section|bill|net|gross|total|sub)[\s-]*)*(?:sub-?totals?|totals?|summary|collection|sum)\b"
    r"|(?:carried|brought)\b|(?:amount |total )?(?:c/f|b/f)\b|(?:vat|tax|gst|sales tax|contingency)\b", re.IGNORECASE,
)  # fmt: skip
#: A figure and the unit behind it, which is no rest of the figure: of "1,200" not ",200", but of "12'" the "'".
_WITH_UNIT = re.compile(
    r"([\d.,'\N{RIGHT SINGLE QUOTATION MARK} \N{NO-BREAK SPACE}]*\d)\s*"
    r"(?![.,'\N{RIGHT SINGLE QUOTATION MARK}\s]*\d)([^\s.,].{0,20})"
)


@dataclass(frozen=True, slots=True)
class BillRow:
    """One row that asks for work. ``unit`` is a code of `server.domain.units`, empty where the document gives none or
    one that is not known; ``unit_said`` and ``rate`` are as written. ``qty`` is None where it cannot be read, with
    ``quantity_said`` as written. ``heading`` is the row of words above."""

    description: str
    qty: Decimal | None
    quantity_said: str
    unit: str
    unit_said: str
    rate: str
    heading: str
    place: DocumentPlace
    span: Span


@dataclass(frozen=True, slots=True)
class Bill:
    """The rows of all bills of a document, in their order. ``prose`` is the document's text with white space in the
    place of the bills, so that its offsets stay those of the text; ``left_out`` says why of rows that can be no
    line."""

    rows: tuple[BillRow, ...]
    prose: str
    left_out: tuple[str, ...] = ()


def find_bill(content: Content) -> Bill:
    """The bill of a document; without rows where none of its tables is one.

    A table without headings that has the columns of the bill before it goes on with it; one whose headings tell prices
    and no quantity ends it.
    """
    rows: list[BillRow] = []
    left_out: list[str] = []
    columns: Mapping[str, int] = {}
    width = 0
    prose, done = [], 0
    for table in content.tables:
        heading, found = _columns(table)
        if found:
            columns, width = found, _width(table)
        elif _tells_prices(table):
            columns = {}
            continue
        elif not columns or not max(columns["description"], columns["quantity"]) < _width(table) <= width:
            continue
        start, end = table.rows[max(heading - 1, 0)].start, table.rows[-1].end
        prose += [content.text[done:start], " " * (end - start)]
        done = end
        mark = _mark(table, heading, columns)
        for one in _read(table, heading, columns, mark):
            if isinstance(one, BillRow):
                rows.append(one)
            else:
                left_out.append(one)
    prose.append(content.text[done:])
    return Bill(tuple(rows), "".join(prose), tuple(left_out))


def _columns(table: Table) -> tuple[int, dict[str, int]]:
    """How many rows the headings take, and the columns; nothing where the table is no bill."""
    for number, row in enumerate(table.rows[:_LOOKED_AT], 1):
        found = by_heading(row.cells, _HEADINGS)
        if "quantity" not in found and "amount" in found and _tells_sizes(table.rows[number:], found):
            found["quantity"] = found["amount"]
        if "description" in found and "quantity" in found:
            return number, found
    return 0, {}


def _tells_sizes(rows: Iterable[Row], columns: Mapping[str, int]) -> bool:
    """Whether a column "Amount" is of quantities: each of its figures has a unit, and one is a size ("40 m2"). Without
    units it is money, or may be: "Replace toilet, 1200" is no 1,200 toilets."""
    said = (_cell(row, columns, "amount") for row in rows)
    parted = [_parted(cell) for cell in said if re.search(r"\d", cell)]
    units = ["" if _PER.match(unit) else unit_code(unit) for _, unit in parted]
    return all(units) and any(dimension(unit) in _SIZES for unit in units)


def _tells_prices(table: Table) -> bool:
    """Whether a table that is no bill has headings of its own that tell prices ("Description, Price")."""
    heads = (by_heading(row.cells, _HEADINGS).keys() for row in table.rows[:_LOOKED_AT])
    return any("description" in head and head & {"rate", "amount"} for head in heads)


def _width(table: Table) -> int:
    return max(len(row.cells) for row in table.rows)


def _mark(table: Table, heading: int, columns: Mapping[str, int]) -> str:
    """The decimal mark of the bill's figures, from all texts that show it."""
    seen = DecimalMark()
    for row in table.rows[heading:]:
        for name in ("quantity", "rate", "total", "amount"):
            if columns.get(name) not in row.numbers:
                seen.see(_cell(row, columns, name))
    return seen.mark


def _read(table: Table, heading: int, columns: Mapping[str, int], mark: str) -> Iterator[BillRow | str]:
    above = ""
    for row in table.rows[heading:]:
        said, unit = _cell(row, columns, "quantity"), _cell(row, columns, "unit")
        description = _cell(row, columns, "description")
        if not (description or said or unit):
            description = _only_words(row)
        if description and (said or unit):
            if not _adds_up(description, said, unit) and not _repeats_headings(row):
                yield _bill_row(row, table, columns, description, above, mark)
        elif description:
            above = "" if _SUMS.match(description) else description
        elif said:
            yield f"Row {row.number} has a quantity and no description: it is left out."


def _adds_up(description: str, said: str, unit: str) -> bool:
    return not (said and unit) and _SUMS.match(description) is not None


def _repeats_headings(row: Row) -> bool:
    head = by_heading(row.cells, _HEADINGS).keys()
    return "description" in head and bool(head & {"quantity", "amount"})


def _bill_row(
    row: Row, table: Table, columns: Mapping[str, int], description: str, above: str, mark: str
) -> BillRow | str:
    said, unit_said = _cell(row, columns, "quantity"), _cell(row, columns, "unit")
    figure = said
    if not unit_said:
        figure, unit_said = _parted(said)
    qty = _quantity(figure, "." if columns["quantity"] in row.numbers else mark)
    if qty is not None and qty <= 0:
        return f"Row {row.number} (“{_short(description)}”) has the quantity {said}: no line can have it."
    return BillRow(
        description=description[:LONGEST_DESCRIPTION],
        qty=qty if qty is not None and qty <= MOST_QUANTITY else None,
        quantity_said=_short(said),
        unit=unit_code(unit_said) if unit_said else "",
        unit_said=unit_said[:_LONGEST_UNIT],
        rate=_short(_cell(row, columns, "rate")),
        heading=above[:LONGEST_DESCRIPTION],
        place=replace(table.place, row=row.number),
        span=Span(row.start, row.end),
    )


def _parted(said: str) -> tuple[str, str]:
    """ "12 m3" as its figure and its unit; anything else as it is, without one."""
    together = _WITH_UNIT.fullmatch(said)
    return (together[1], together[2]) if together else (said, "")


def _quantity(text: str, mark: str) -> Decimal | None:
    """The figure to three decimals, None where it is none or may be another ("1.234" where no mark is known)."""
    try:
        value, currency = read_price(text, mark)
    except FigureError:
        return None
    return None if currency else value.quantize(Decimal("0.001")).normalize() + 0


def _only_words(row: Row) -> str:
    """A heading may stand in another column than the descriptions: in the first, or over all of them."""
    filled = [cell for cell in row.cells if cell]
    return filled[0] if len(filled) == 1 and not filled[0][0].isdigit() else ""


def _cell(row: Row, columns: Mapping[str, int], name: str) -> str:
    place = columns.get(name)
    return row.cells[place] if place is not None and place < len(row.cells) else ""


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
