"""Which column of a price list holds what: as the sender says, else by its heading."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from server.domain.price_book.files import FileRefusedError
from server.domain.words import fold

#: Field → headings that mean it, folded to letters and digits, the surest first.
_HEADINGS: dict[str, tuple[str, ...]] = {
    "sku": ("sku", "itemcode", "productcode", "articlecode", "articlenumber", "articleno", "partnumber", "partno",
            "itemnumber", "itemno", "item#", "code", "ref", "reference", "catalognumber", "catno", "stockcode",
            "codigo", "artikelnummer", "artnr", "id"),
    "name": ("name", "itemname", "productname", "item", "product", "title", "description", "shortdescription",
             "service", "task", "work", "article", "resumen", "nombre", "bezeichnung"),
    "description": ("longdescription", "details", "description", "notes", "fulldescription", "texto", "beschreibung"),
    "unit": ("unit", "uom", "unitofmeasure", "units", "measure", "per", "um", "unidad", "ud", "einheit"),
    "price": ("price", "unitprice", "netprice", "sellprice", "sellingprice", "saleprice", "priceperunit", "rate",
              "unitrate", "listprice", "netunitprice", "priceexvat", "priceextax", "tradeprice", "cost", "unitcost",
              "precio", "preis", "amount"),
    "currency": ("currency", "currencycode", "cur", "ccy", "moneda", "wahrung"),
    "kind": ("kind", "type", "itemtype", "costtype", "tipo"),
    "category": ("category", "group", "productgroup", "trade", "section", "department", "family", "categoria",
                 "capitulo", "gruppe"),
    "supplier": ("supplier", "vendor", "manufacturer", "brand", "proveedor", "lieferant"),
    "effective_from": ("effectivefrom", "effectivedate", "validfrom", "startdate", "effective", "pricedate", "fecha",
                       "date", "gultigab"),
}  # fmt: skip
FIELDS = tuple(_HEADINGS)
_LETTERS = re.compile("[A-Z]{1,2}")
_LOOKED_AT = 10

Columns = Mapping[str, int]


def split_mapping(columns: Sequence[str]) -> dict[str, str]:
    """``["price=Net price"]`` → ``{"price": "Net price"}``; an empty column: the list has none of the field. Raises
    ``ValueError`` for what is no such pair."""
    found: dict[str, str] = {}
    for one in columns:
        field, equals, heading = one.partition("=")
        if not equals or field not in FIELDS or len(one) > 200:
            raise ValueError(f"“{one[:80]}” is not FIELD=COLUMN with a field of {', '.join(FIELDS)}")
        if field in found:
            raise ValueError(f"{field} is given twice")
        found[field] = heading.strip()
    return found


def find_columns(rows: Sequence[tuple[int, list[str]]], asked: Mapping[str, str]) -> tuple[int, dict[str, int]]:
    """The number of the heading's row (0: the list has none) and the column of each field, from the first rows.

    ``asked`` names columns by heading or letter ("C"). Raises `FileRefusedError` where one is not there, or where
    prices and either names or SKUs are not found.
    """
    # A letter may be what a row says as well ("A" as a code): which row is the heading, headings alone tell.
    named = {field: heading for field, heading in asked.items() if not _LETTERS.fullmatch(heading)}
    best: tuple[int, dict[str, int]] = (0, {})
    for number, cells in rows[:_LOOKED_AT]:
        found = by_heading(cells, _HEADINGS, named)
        if len(found) > len(best[1]) and ("price" in found or "price" in asked):
            best = (number, found)
    number, columns = best
    number = number or heading_of(rows)
    told = by_heading(dict(rows).get(number, []), {}, asked)
    width = max((len(cells) for _, cells in rows), default=0)
    letters = {field: _by_letter(one, width) for field, one in asked.items() if one and field not in told}
    columns |= told | letters
    if "price" not in columns or not {"sku", "name"} & columns.keys():
        missing = "price" if "price" not in columns else "name or SKU"
        raise FileRefusedError(
            f"No column for {missing} was found. Say which it is, for example price=Rate or price=C."
        )
    return number, columns


def heading_of(rows: Sequence[tuple[int, list[str]]]) -> int:
    """The number of the row that looks like a heading, 0 for none: with the most known headings, else the first of
    several texts without a figure."""
    best, most = 0, 0
    for number, cells in rows[:_LOOKED_AT]:
        known = len(by_heading(cells, _HEADINGS))
        if known > most:
            best, most = number, known
    if most > 1:
        return best
    texts = ((number, [cell for cell in cells if cell.strip()]) for number, cells in rows[:_LOOKED_AT])
    return next(
        (number for number, cells in texts if len(cells) > 1 and not any(re.search(r"\d", cell) for cell in cells)),
        0,
    )


def by_heading(
    cells: Sequence[str], headings: Mapping[str, Sequence[str]], asked: Mapping[str, str] | None = None
) -> dict[str, int]:
    """The columns of a row of headings: field → place. ``headings`` are field → what means it, the surest first,
    letters and digits only; ``asked`` is field → heading as the sender names it."""
    asked = asked or {}
    plain = [_plain(cell) for cell in cells]
    found: dict[str, int] = {}
    for field, heading in asked.items():
        if heading and _plain(heading) in plain:
            found[field] = plain.index(_plain(heading))
    for field, names in headings.items():
        if field in asked:
            continue
        for heading in names:
            places = [place for place, cell in enumerate(plain) if cell == heading and place not in found.values()]
            if places:
                found[field] = places[0]
                break
    return found


def _by_letter(heading: str, width: int) -> int:
    letters = heading.strip().upper()
    if _LETTERS.fullmatch(letters):
        place = 0
        for letter in letters:
            place = place * 26 + ord(letter) - ord("A") + 1
        if place <= width:
            return place - 1
    raise FileRefusedError(f"There is no column “{heading}”.")


def _plain(cell: str) -> str:
    """A heading as letters and digits, without what stands in brackets ("Price (net, GBP)")."""
    return re.sub(r"[^\w#]|_", "", re.sub(r"\(.*?\)|\[.*?\]", "", fold(cell)))
