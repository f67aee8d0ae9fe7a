"""Promises of reading price lists: what is read is what the rows said; what cannot be read says why."""

import csv
import io
import zipfile
from datetime import date
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.price_book.files import FileRefusedError
from server.domain.price_book.price_list import Defaults, file_columns, open_price_list
from server.domain.units import UNITS

DEFAULTS = Defaults("USD", "2026-01-01")


def read(data, filename="list.csv", **more):
    if isinstance(data, str):
        data = data.encode()
    return list(open_price_list(data, filename, more.pop("defaults", DEFAULTS), **more).reads())


def reasons(reads):
    return [(problem.row, problem.field, problem.reason) for one in reads for problem in one.problems]


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs", "Co", "Cn")), max_size=20
)
ROWS = st.lists(
    st.tuples(
        NAMES,
        st.sampled_from(sorted(UNITS)),
        st.decimals(min_value=Decimal("0.01"), max_value=Decimal(999_999), places=2),
        st.sampled_from(["USD", "GBP", "EUR", "CAD", "AUD"]),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(
    ROWS,
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from([".", ","]),
    st.sampled_from([" ", "\n", ", ", '"', "; "]),
)
def test_what_is_read_is_exactly_what_the_rows_said(rows, separator, encoding, mark, joint):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(["SKU", "Name", "Unit", "Price", "Currency"])
    expected = []
    for number, (name, unit, price, currency) in enumerate(rows):
        name = f"Item{joint}{name}"
        writer.writerow([f"S{number}", name, unit, f"{price:.2f}".replace(".", mark), currency])
        expected.append((f"S{number}", " ".join(name.split()), unit, price, currency))
    found = read(text.getvalue().encode(encoding))
    assert [one.problems for one in found] == [()] * len(rows)
    entries = [one.entry for one in found]
    assert [(one.sku, one.name, one.unit, one.price, one.currency) for one in entries] == expected


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data):
    for filename in ("a.csv", "a.bc3"):
        try:
            found = read(data, filename)
        except FileRefusedError as error:
            assert str(error)
            continue
        assert all((one.entry is None) == bool(one.problems) for one in found)


def test_windows_1252_and_headings_in_other_words_are_understood():
    data = "Artikelnummer;Bezeichnung;Einheit;Preis\nA1;Türblatt weiß;Stk;1.249,00 €\n".encode("cp1252")
    entry = read(data)[0].entry
    assert (entry.name, entry.unit, entry.price, entry.currency) == ("Türblatt weiß", "each", Decimal("1249.00"), "EUR")


def test_columns_are_taken_as_the_sender_says_by_heading_or_letter():
    data = "x,Price,Net,what\nA1,9.00,7.50,Thing\n"
    found = read(
        data, columns={"sku": "A", "price": "net", "name": "what"}, defaults=Defaults("USD", "2026-01-01", "each")
    )
    assert (found[0].entry.sku, found[0].entry.name, found[0].entry.price) == ("A1", "Thing", Decimal("7.50"))
    bare = read(
        "A1,7.50,Thing\n",
        columns={"sku": "A", "price": "B", "name": "C"},
        defaults=Defaults("USD", "2026-01-01", "each"),
    )
    assert [one.entry.sku for one in bare] == ["A1"]
    with pytest.raises(FileRefusedError, match="Gross"):
        read(data, columns={"price": "Gross"})


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        (",Name,m,1.50", "sku", "sku_missing"),
        ("B1,,m,1.50", "name", "name_missing"),
        ("B1,Name,,1.50", "unit", "unit_missing"),
        ("B1,Name,furlong,1.50", "unit", "unit_unknown"),
        ("B1,Name,m,", "price", "price_missing"),
        ("B1,Name,m,-1.50", "price", "price_negative"),
        ("B1,Name,m,0.00", "price", "price_zero"),
        ("B1,Name,m,=1+1", "price", "formula"),
        ("B1,Name,m,1.1234567", "price", "price_too_fine"),
        ("B1,Name,m,99999999999.00", "price", "price_too_high"),
        ("B1,=HYPERLINK(1),m,1.50", "name", "formula"),
        ("@SUM(A1),Name,m,1.50", "sku", "formula"),
        ("+cmd|x!A1,Name,m,1.50", "sku", "formula"),
        ("a1,Name,m,1.50", "sku", "sku_duplicate"),
        (f"B1,{'n' * 201},m,1.50", "name", "name_too_long"),
        ("B1,Name,m,¥1.50", "price", "price_malformed"),
    ],
)
def test_a_row_that_cannot_be_says_why(row, field, reason):
    assert reasons(read(f"SKU,Name,Unit,Price\nA1,Good,m,2.50\n{row}\n")) == [(3, field, reason)]


def test_everything_wrong_with_a_row_is_told_at_once():
    found = reasons(
        read("SKU,Name,Unit,Price,Currency,Kind,Effective from\nA1,=x,furlong,-1.50,XYZ,magic,31/12/2026\n")
    )
    assert {field for _, field, _ in found} == {"name", "unit", "price", "currency", "kind", "effective_from"}


def test_a_sign_that_contradicts_the_currency_is_refused_and_a_dollar_is_the_list_s_own():
    found = read("SKU,Name,Unit,Price,Currency\nA1,a,m,£1.50,USD\nA2,b,m,$1.50,CAD\nA3,c,m,€1.50,\n")
    assert reasons(found) == [(2, "currency", "currency_conflict")]
    assert [one.entry.currency for one in found[1:]] == ["CAD", "EUR"]


@pytest.mark.parametrize(
    ("heading", "cell", "told"),
    [
        ("Price (EUR)", "112.50", "EUR"),
        ("Price [£]", "112.50", "GBP"),
        ("Price (net, gbp)", "112.50", "GBP"),
        ("Unit price, €", "112.50", "EUR"),
        ("Price ($)", "112.50", "CAD"),
        ("Price (US$)", "$112.50", "USD"),
        ("Price ($)", "CA$112.50", "CAD"),
        ("Price (per 1 m)", "112.50", "CAD"),
        ("Price (list, excl. VAT)", "112.50", "CAD"),
        ("Price (not incl. tax)", "112.50", "CAD"),
        ("Price (VAT not included)", "112.50", "CAD"),
        ("Price (ex VAT incl. delivery)", "112.50", "CAD"),
        ("Price (01/2026)", "112.50", "CAD"),
        ("Price (EUR)", "£112.50", "currency_conflict"),
        ("Price (USD)", "CA$112.50", "currency_conflict"),
        ("Price (US $)", "112.50", "USD"),
        ("Price (Euro)", "112.50", "EUR"),
        ("Price (per pound)", "112.50", "CAD"),
        ("Price (pound)", "112.50", "CAD"),
        ("Price (CHF)", "112.50", "currency_unknown"),
        ("Price (¥)", "112.50", "currency_unknown"),
        ("Price (NZ$)", "112.50", "currency_unknown"),
    ],
)
def test_a_currency_in_the_heading_is_that_of_its_prices(heading, cell, told):
    """As a sign in each cell would be; the organization's own counts only where neither says one."""
    (one,) = read(f'SKU;Name;Unit;"{heading}"\nA1;a;m;{cell}\n', defaults=Defaults("CAD", "2026-01-01"))
    if one.entry is None:
        assert [problem.reason for problem in one.problems] == [told]
    else:
        assert (one.entry.price, one.entry.currency) == (Decimal("112.50"), told)


@pytest.mark.parametrize(
    ("above", "told"),
    [
        ("Currency: EUR", "EUR"),
        ("Currency;EUR", "EUR"),
        ("Price list 2026\n\nCurrency:;gbp;Date:;2026-01-01", "GBP"),
        ("Currency: Euro", "EUR"),
        ("All prices are in US dollars.", "USD"),
        ("Prices in €, excl. VAT", "EUR"),
        ("Currency: US$ (USD)", "USD"),
        ("Prices in US $", "USD"),
        ("All prices in US Dollars unless stated", "USD"),
        ("Currency: USD ($)", "USD"),
        ("Australian Dollars ($)", "CAD"),
        ("Currency: Australian Dollars ($)", "AUD"),
        ("Labour rates in U.S. dollars", "USD"),
        ("Prices in euros, weights in pounds", "EUR"),
        ("Currency: $", "CAD"),
        ("Currency: NZD", "currency_unknown"),
        ("Currency: New Zealand dollars", "currency_unknown"),
        ("Prices in Egyptian pounds", "currency_unknown"),
        ("Prices in CHF", "currency_unknown"),
        ("Exchange rates in EUR", "CAD"),
        ("Shipping costs in EUR", "CAD"),
        ("Currency:", "CAD"),
        ("Item;Currency;Tax", "CAD"),
        ("Rates in force from March", "CAD"),
        ("Call us in Europe: +44 20 7946 0000", "CAD"),
    ],
)
def test_a_currency_in_a_line_above_the_prices_is_that_of_its_prices(above, told):
    """As one in their heading would be."""
    defaults = Defaults("CAD", "2026-01-01")
    (one,) = read(f"{above}\nSKU;Name;Unit;Price\nA1;a;m;112.50\n", defaults=defaults)
    assert (one.entry.currency if one.entry else one.problems[0].reason) == told
    nearer = read(f"{above}\nSKU;Name;Unit;Price (GBP)\nA1;a;m;112.50\n", defaults=defaults)
    nearer += read(f"{above}\nSKU;Name;Unit;Price;Currency\nA1;a;m;112.50;GBP\n", defaults=defaults)
    assert [one.entry.currency for one in nearer] == ["GBP", "GBP"]


def test_lines_above_the_prices_that_tell_several_currencies_are_asked_about():
    data = "Currency: USD / EUR\nSKU;Name;Unit;Price\nA1;a;m;1.50\n"
    with pytest.raises(FileRefusedError, match="USD and EUR"):
        read(data)
    assert read(data.replace("Price", "Price (EUR)"))[0].entry.currency == "EUR"


def test_a_list_without_a_heading_has_the_currency_that_stands_above_its_first_price():
    found = read("Currency: EUR\nA1;a 10;m;1.50\n", columns={"name": "B", "price": "D", "unit": "C"})
    assert [one.entry.currency for one in found if one.entry] == ["EUR"]


def test_a_currency_in_the_heading_that_contradicts_the_row_is_refused():
    found = read("SKU,Name,Unit,Price (EUR),Currency\nA1,a,m,1.50,USD\nA2,b,m,1.50,EUR\nA3,c,m,1.50,\n")
    assert reasons(found) == [(2, "currency", "currency_conflict")]
    assert [one.entry.currency for one in found[1:]] == ["EUR", "EUR"]


@pytest.mark.parametrize(
    ("headings", "price"),
    [
        ("Price (inc VAT),Price (ex VAT)", 100),
        ("Price (incl. 20% VAT),Net price", 100),
        ("Price (gross),Price (net)", 100),
        ("Price (per 1000),Price (ex VAT)", 100),
        ("Price (USD),Rate", 120),
        ("Price (inc delivery),Cost", 120),
    ],
)
def test_prices_before_tax_are_taken_and_those_with_tax_are_not(headings, price):
    (one,) = read(f"SKU,Name,Unit,{headings}\nA1,a,m,120,100\n")
    assert one.entry.price == price


@pytest.mark.parametrize(
    ("headings", "said"),
    [
        ("Price (inc VAT),x", "“Price .inc VAT.” has tax in it"),
        ("Price (GST included),x", "has tax"),
        ("Unit price [gross],x", "has tax"),
        ("Price (net incl. VAT 20%),x", "has tax"),
        ("Price (VAT 20% incl.),x", "has tax"),
        ("Price (inc VAT),Cost", "has tax"),
        ("Price (per 1000),x", "more than one"),
        ("Price (EUR / 100 pcs),x", "more than one"),
        ("Price (per hundred),x", "more than one"),
        ("Price (USD/EUR),x", "more than one currency"),
        ("Price (USD),Price (EUR)", "different currencies"),
    ],
)
def test_a_heading_that_is_no_price_before_tax_of_one_is_not_guessed_at(headings, said):
    """The file is refused as one without prices; the sender may say which column they are in."""
    data = f"SKU,Name,Unit,{headings}\nA1,a,m,120,100\n"
    with pytest.raises(FileRefusedError, match=f"{said}.*price="):
        read(data)
    heading = headings.split(",")[0]
    for asked in (heading, "D"):
        (one,) = read(data, columns={"price": asked}, defaults=Defaults("USD", "2026-01-01"))
        assert one.entry.price == 120


def test_of_columns_that_differ_in_brackets_the_one_that_is_asked_for_is_read():
    data = "SKU,Name,Unit,Price (inc VAT),Price (ex VAT)\nA1,a,m,120,100\n"
    for asked, price in (("Price (inc VAT)", 120), ("price (ex vat)", 100), ("Price", 100), ("D", 120)):
        assert [one.entry.price for one in read(data, columns={"price": asked})] == [price]


def test_prices_that_may_be_thousands_or_fractions_are_not_guessed():
    data = "SKU,Name,Unit,Price\nA1,a,m,1.234\nA2,b,m,2.345\n"
    assert [reason for _, _, reason in reasons(read(data))] == ["price_ambiguous"] * 2
    assert [one.entry.price for one in read(data, decimal_mark=",")] == [1234, 2345]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"x" * 10_000_000, "longer"),
        (b'SKU,Name,Unit,Price\n"' + b"abc\n" * 100_000, "quotation"),
        (b"a\0b,c\n", "NUL"),
        (b"\xff\xfe\x00\xd8", "utf-16"),
        (b"hello\nworld\n", "price"),
        (b"\xd0\xcf\x11\xe0old", "xlsx"),
        (b"%PDF-1.4", "PDF"),
    ],
)
def test_a_file_that_is_no_list_is_refused_whole(data, said):
    with pytest.raises(FileRefusedError, match=said):
        read(data)


# --- XLSX ------------------------------------------------------------------------------------------------------------


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_workbook_s_numbers_and_dates_are_read_as_they_are():
    data = workbook(
        ["Price list 2026"],
        ["Code", "Item", "UoM", "Rate", "Valid from"],
        [1001, "Gutter", "m", 12.1, date(2026, 3, 1)],
        [1002, "Board", "m2", "1.234,50", None],
        [1003, "Hidden sum", "m2", "=1+1", None],
    )
    found = read(data, "a.xlsx")
    assert reasons(found) == [(5, "price", "price_missing")]
    assert [(one.entry.sku, one.entry.price, one.entry.effective_from) for one in found[:2]] == [
        ("1001", Decimal("12.1"), "2026-03-01"),
        ("1002", Decimal("1234.50"), "2026-01-01"),
    ]


def test_an_archive_that_unpacks_to_far_more_is_refused_before_it_is_unpacked():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"<a/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 40_000_000)
    with pytest.raises(FileRefusedError, match="far more"):
        read(file.getvalue(), "a.xlsx")


@pytest.mark.parametrize("member", ["xl/workbook.xml", "word/document.xml"])
def test_an_archive_that_is_no_workbook_is_refused(member):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(member, b"<workbook/>")
    with pytest.raises(FileRefusedError):
        read(file.getvalue(), "a.xlsx")


# --- BC3 -------------------------------------------------------------------------------------------------------------

BASE = (
    "~V|Maker|FIEBDC-3/2016\\010124|Program|Head\\|{charset}|\r\n"
    "~K|\\2\\2\\3\\2\\2\\2\\2\\EUR\\|0|\r\n"
    "~C|OBRA##||Everything|0|010124|0|\r\n"
    "~C|01#||Walls|0|010124|0|\r\n"
    "~C|MO01|h|Oficial 1ª albañilería|20.5|01012024|1|\r\n"
    "~C|MT01|ud|Ladrillo|0.35|010124|3|\r\n"
    "~C|FAB1|m2|Fábrica de ladrillo||150324|0|\r\n"
    "~C|%CI|%|Costes indirectos|3|010124|0|\r\n"
    "~C|FAB2|m2|Con porcentaje||150324|0|\r\n"
    "~D|FAB1|MO01\\1\\0.5\\MT01\\1\\60\\|\r\n"
    "~D|FAB2|MO01\\1\\0.5\\%CI\\1\\0.03\\|\r\n"
    "~T|FAB1|Fábrica de ladrillo\r\nrecibida con mortero.|\r\n"
)


@pytest.mark.parametrize(("charset", "encoding"), [("ANSI", "cp1252"), ("850", "cp850"), ("", "cp850")])
def test_a_bc3_base_is_read_with_its_texts_dates_kinds_and_currency(charset, encoding):
    found = read(BASE.format(charset=charset).encode(encoding), "base.bc3")
    entries = {one.entry.sku: one.entry for one in found if one.entry}
    assert entries["MO01"].name == "Oficial 1ª albañilería"
    assert [(one.kind, one.unit, one.currency) for one in entries.values()] == [
        ("labour", "h", "EUR"), ("material", "each", "EUR"), ("service", "m2", "EUR"),
    ]  # fmt: skip
    assert entries["FAB1"].price == Decimal("31.25")
    assert entries["FAB1"].effective_from == "2024-03-15"
    assert entries["FAB1"].description == "Fábrica de ladrillo recibida con mortero."
    assert [reason for _, _, reason in reasons(found)] == ["price_missing"], (
        "a percentage cannot be priced by its parts"
    )


def test_a_base_whose_parts_go_round_in_circles_ends():
    circle = "~V|||||ANSI|~C|A|m|a||||~C|B|m|b||||~D|A|B\\1\\1\\|~D|B|A\\1\\1\\|"
    assert [reason for _, _, reason in reasons(read(circle, "c.bc3"))] == ["price_missing"] * 2


def test_a_character_set_that_is_not_known_is_said():
    with pytest.raises(FileRefusedError, match="KOI8"):
        read(BASE.format(charset="KOI8").encode("cp1252"), "base.bc3")


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("SKU,Price\nA,9\n", [("A", "SKU", ("A",)), ("B", "Price", ("9",))]),
        ("Art,Wieviel\nA,9\nB,8\nC,7\nD,6\n", [("A", "Art", ("A", "B", "C")), ("B", "Wieviel", ("9", "8", "7"))]),
        ("A1,9\nB2,8\n", [("A", "", ("A1", "B2")), ("B", "", ("9", "8"))]),
        ("Our prices of 2026\n\nSKU,Price\nA,9\n", [("A", "SKU", ("A",)), ("B", "Price", ("9",))]),
    ],
)
def test_the_columns_of_a_list_are_told_with_their_first_cells(text, columns):
    found = file_columns(text.encode(), "list.csv")
    assert [(one.letter, one.heading, one.samples) for one in found] == columns


def test_wide_lists_and_long_cells_are_told_in_part():
    found = file_columns((",".join(["x" * 100] * 100) + "\n" + ",".join(["1"] * 100) + "\n").encode(), "list.csv")
    assert (len(found), found[59].letter, len(found[0].heading)) == (60, "BH", 60)


def test_columns_named_by_letters_leave_out_the_heading_and_a_field_may_have_none():
    columns = {"sku": "A", "name": "B", "price": "C", "unit": "D", "category": ""}
    (one,) = read("Art,Was,Wieviel,Je,Category\nGUT-1,Gutter,41.50,m,Doors\n", columns=columns)
    assert (one.entry.sku, one.entry.price, one.entry.category) == ("GUT-1", Decimal("41.50"), "")
    (one,) = read("SKU,Item,Price,Unit,Category\nA,Door,9,each,B\n", columns=columns)
    assert (one.entry.sku, one.entry.name, one.entry.category) == ("A", "Door", "")
