"""Which column of a price list holds what: as the sender says, else by its heading. Of a price what stands in brackets
counts too: "Price (EUR)" names a currency, as a line above does ("Currency: EUR"); "Price (inc VAT)" and "Price (per
1000)" are not what a book holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from server.domain.currency_names import currencies_named
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
#: Headings of prices that say themselves that no tax is in them.
_UNTAXED_HEADINGS = frozenset({"netprice", "netunitprice", "priceexvat", "priceextax"})
_TAX = r"(?:(?:all|the|sales|\d+ ?%)\s+)*(?:vat|tax(?:es)?|gst|hst|iva|tva|mwst|ust)\b(?:\s*\d+ ?%)?"
_WITHIN = "(?:inc|incl|including|included|inclusive|inkl|incluido)"
#: "inc VAT", "including 20% VAT", "tax included", "gross"; what `_UNTAXED` takes is none.
_TAXED = re.compile(
    rf"\b(?:{_WITHIN}(?: of)?|with|after|con)\b[\s.:-]*{_TAX}|\b{_TAX}[\s.-]*{_WITHIN}\b|\b(?:gross|brutto|ttc)\b"
)
#: "net", "ex VAT", "not incl. VAT", "VAT not included".
_UNTAXED = re.compile(
    r"\b(?:net|netto)\b"
    rf"|\b(?:ex|exc|excl|excluding|exclusive of|before|without|ohne|sin|plus|not {_WITHIN}(?: of)?)\b[\s.:-]*{_TAX}"
    rf"|\b{_TAX}[\s.-]*(?:exc|excl|excluded|extra|not {_WITHIN})\b"
)
#: "per 1000", "per 1,000 pcs", "/100", "per hundred"; "per 1 m" is of one, "01/2026" a date.
_OF_MANY = re.compile(r"(?:\b(?:per|pro|por)\b|(?<!\d)(?<!\d )/)\s*(?:(?!1(?![\d.,]))\d|(?:hundred|thousand)\b)")
_BRACKETS = re.compile(r"\(.*?\)|\[.*?\]")
#: "Currency: NZD", "All prices are in EUR".
_LABEL = re.compile(r"(?:the )?(?:currency|moneda|wahrung)(?: code| is)?\s*(:?)\s*(.*)")
#: Of what else there are rates and costs than of the list.
_ELSE = "".join(f"(?<!{word} )" for word in ("exchange", "conversion", "currency", "freight", "shipping", "delivery"))
_PRICES_IN = re.compile(
    rf"\b{_ELSE}(?:prices?|rates?|costs?|amounts?|figures)(?: are| stated| given| shown| quoted){{0,2}} in (.+?)"
    r"(?=(?:[,;]| and) ?\w+ in\b|$)"
)
#: In a heading of prices a weight rather than money, unless it is of sterling.
_POUND = re.compile(r"\bpounds?\b(?! sterling)", re.IGNORECASE)
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
    prices and either names or SKUs are not found. A column of prices with tax, or of more than one piece, is found
    where it is asked for only: "Price (inc VAT), Price (ex VAT)" is the second.
    """
    # A letter may be what a row says as well ("A" as a code): which row is the heading, headings alone tell.
    named = {field: heading for field, heading in asked.items() if not _LETTERS.fullmatch(heading)}
    best: tuple[int, dict[str, int]] = (0, {})
    for number, cells in rows[:_LOOKED_AT]:
        found = _of_list(cells, _HEADINGS, named)
        if len(found) > len(best[1]) and ("price" in found or "price" in asked):
            best = (number, found)
    number, columns = best
    number = number or heading_of(rows)
    head = dict(rows).get(number, [])
    told = _of_list(head, {}, asked)
    width = max((len(cells) for _, cells in rows), default=0)
    letters = {field: _by_letter(one, width) for field, one in asked.items() if one and field not in told}
    columns |= told | letters
    if "price" not in columns or not {"sku", "name"} & columns.keys():
        missing = "price" if "price" not in columns else "name or SKU"
        why = _doubts(head) if missing == "price" else ""
        raise FileRefusedError(
            f"No column for {missing} was found.{why} Say which it is, for example price=Rate or price=C."
        )
    return number, columns


def currency_of(heading: str) -> str:
    """The currency of prices under a heading ("Price (EUR)" → ``EUR``), ``$`` for a bare dollar; empty where it names
    none, or several, which the rows have to tell."""
    named = _in_heading(heading)
    return named[0] if len(named) == 1 else ""


def currency_above(rows: Iterable[Sequence[str]]) -> str:
    """The currency that a line above the prices tells ("Currency: NZD", "All prices in EUR"), as `currency_of`; one
    that is not known is as it is written. Raises `FileRefusedError` where lines tell several."""
    told: dict[str, None] = {}
    for cells in rows:
        filled = [cell.strip() for cell in cells if cell.strip()]
        for place, cell in enumerate(filled):
            label, prices = _LABEL.fullmatch(_written(cell)), _PRICES_IN.search(_written(cell))
            if label:
                # A label has its value behind it, or in the next cell; "Currency" among other headings is none.
                is_label = bool(label[1]) or bool(label[2]) or len(filled) == 2
                value = label[2] or (filled[place + 1] if is_label and place + 1 < len(filled) else "")
                told |= dict.fromkeys(currencies_named(value.upper()) or ([value.upper()[:12]] if value else []))
            elif prices:
                told |= dict.fromkeys(currencies_named(prices[1].upper()))
    if len(told) > 1:
        raise FileRefusedError(
            f"The lines above the prices name {' and '.join(list(told)[:3])}: say which currency the prices "
            "are in, in a column or in their heading."
        )
    return next(iter(told), "")


def _of_list(cells: Sequence[str], headings: Mapping[str, Sequence[str]], asked: Mapping[str, str]) -> dict[str, int]:
    """`by_heading`, but the column of prices is one whose brackets allow it."""
    found = by_heading(cells, headings, asked)
    if "price" in found:
        del found["price"]
        wanted = asked.get("price")
        place = _guessed_price(cells, headings["price"]) if wanted is None else _asked_price(cells, wanted)
        if place is not None:
            found["price"] = place
    return found


def _asked_price(cells: Sequence[str], asked: str) -> int | None:
    """The column that the sender names: as it is written with its brackets, else the only one without them."""
    written = [place for place, cell in enumerate(cells) if _written(cell) == _written(asked)]
    places = written or [place for place, cell in enumerate(cells) if _plain(cell) == _plain(asked)]
    return places[0] if written or len(places) == 1 else _guessed_price(cells, (_plain(asked),))


def _guessed_price(cells: Sequence[str], names: Sequence[str]) -> int | None:
    """The first column of the surest heading. Beside one that is no price before tax of one piece only a column that
    says that it is before tax counts: what a bare "Cost" beside "Price (inc VAT)" means is not told."""
    passed_over = False
    for name in names:
        places = [place for place, cell in enumerate(cells) if _plain(cell) == name]
        clear = [place for place in places if not _doubt(cells[place])]
        passed_over |= len(clear) < len(places) or len({_in_heading(cells[place]) for place in clear}) > 1
        if not passed_over and clear:
            return clear[0]
        untaxed = [place for place in clear if name in _UNTAXED_HEADINGS or _UNTAXED.search(_in_brackets(cells[place]))]
        if untaxed and len({_in_heading(cells[place]) for place in untaxed}) == 1:
            return untaxed[0]
    return None


def _doubt(heading: str) -> str:
    """Why a column is not taken for prices by its heading alone; empty where nothing speaks against it."""
    said = _in_brackets(heading)
    if _TAXED.search(_UNTAXED.sub(" ", said)):
        return "has tax in it, and prices are before tax"
    if _OF_MANY.search(said):
        return "is the price of more than one"
    return "names more than one currency" if len(_in_heading(heading)) > 1 else ""


def _doubts(cells: Sequence[str]) -> str:
    """A sentence for each column of a heading that might have been the prices."""
    known = [cell for cell in cells if _plain(cell) in _HEADINGS["price"]]
    said = [f" “{cell.strip()[:60]}” {why}." for cell in known if (why := _doubt(cell))]
    if not said and len({_in_heading(cell) for cell in known}) > 1:
        said = [f" {' and '.join(f'“{cell.strip()[:60]}”' for cell in known[:3])} are of different currencies."]
    return "".join(said[:3])


def _in_heading(heading: str) -> tuple[str, ...]:
    return currencies_named(_POUND.sub("", heading))


def _in_brackets(heading: str) -> str:
    return " ".join(" ".join(part[1:-1].split()) for part in _BRACKETS.findall(fold(heading)))


def _written(heading: str) -> str:
    return " ".join(fold(heading).split())


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
    return re.sub(r"[^\w#]|_", "", _BRACKETS.sub("", fold(cell)))
