"""Promises of bills of quantities: which rows are lines, and what each says."""

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.bill import MOST_QUANTITY, find_bill
from server.domain.document import Content, DocumentPlace, Row, Table
from server.domain.price_book.files import Number
from server.domain.settings import PricingSettings
from server.extraction.builder import Builder


def content(*tables, before="", after=""):
    """A document whose tables are lists of rows."""
    builder = Builder()
    builder.page(1)
    builder.text(before)
    for rows in tables:
        builder.table(enumerate(rows, 1))
    builder.text(after)
    return builder.content("pdf")


def bill(*rows, heading=("Description", "Qty", "Unit", "Rate")):
    return find_bill(content([heading, *rows]))


def only(*cells):
    (row,) = bill(cells).rows
    return row


def drafted(drafter, *rows, **more):
    return drafter.draft_bill(bill(*rows), settings=PricingSettings(**more))


@pytest.mark.parametrize(
    "heading",
    [
        ("Description", "Quantity", "Unit"),
        ("Item Description", "QTY.", "UoM"),
        ("Scope of work", "Est. Qty", "Unit of measure"),
        ("Item", "Qty", "Units"),
    ],
)
def test_a_table_with_descriptions_and_quantities_is_a_bill(heading):
    (row,) = bill(("Paint walls", "12.5", "m2"), heading=heading).rows
    assert (row.description, row.qty, row.unit) == ("Paint walls", Decimal("12.5"), "m2")


@pytest.mark.parametrize("heading", [("Name", "Phone"), ("Room", "Colour"), ("Description", "Price")])
def test_other_tables_are_none(heading):
    found = content([heading, ("Ann", "555 1234")])
    assert find_bill(found).rows == ()
    assert find_bill(found).prose == found.text


@pytest.mark.parametrize(
    "table",
    [
        [("Description", "Amount"), ("Replace toilet", "1200")],
        [("Description", "Amount"), ("Replace toilet", "450.00"), ("Fit a tap", "$90")],
        [("Description", "Amount"), ("Replace toilet", "450 each"), ("Clear the site", "1,200 LS")],
        [("Description", "Amount"), ("Paint walls", "12.50 per m2"), ("Lay carpet", "30/m2")],
        [("Description", "Amount"), ("Paint walls", "40 m2"), ("Replace toilet", "450")],
        [("Description", "Unit", "Amount"), ("Paint walls", "m2", "1200")],
        [("Description", "Unit", "Rate", "Amount"), ("Paint walls", "m2", "12.50", "1200.00")],
    ],
)
def test_what_a_row_charges_is_no_quantity(table):
    found = content(table)
    assert find_bill(found).rows == ()
    assert find_bill(found).prose == found.text


def test_an_amount_is_a_quantity_where_its_figures_have_units():
    rows = bill(
        ("Walls", "1,240.5 m2"), ("Description", "Amount"), ("Toilets", "2 nr"), heading=("Description", "Amount")
    ).rows
    assert [(row.qty, row.unit) for row in rows] == [(Decimal("1240.5"), "m2"), (Decimal(2), "each")]


def test_an_amount_beside_a_quantity_is_money():
    (row,) = bill(("Walls", "1200.00", "40", "m2"), heading=("Description", "Amount", "Qty", "Unit")).rows
    assert (row.qty, row.unit) == (Decimal(40), "m2")


@pytest.mark.parametrize("heading", [("Description", "Amount"), ("Description", "Price")])
def test_a_table_of_prices_does_not_go_on_with_the_bill_before_it(heading):
    found = content([("Description", "Qty"), ("Walls", "10")], [heading, ("Toilet", "1200")], [("Tap", "90")])
    assert [row.description for row in find_bill(found).rows] == ["Walls"]


def test_titles_before_the_headings_stay_prose_and_offsets_stay():
    found = content([("Job: 12 High St, Nashville",), ("Description", "Qty"), ("Paint", "3")], before="Dear all")
    prose = find_bill(found).prose
    assert prose.split() == ["Dear", "all", "Job:", "12", "High", "St,", "Nashville"]
    assert len(prose) == len(found.text)


@pytest.mark.parametrize(
    ("quantity", "unit", "read"),
    [
        ("1,250.50", "m2", (Decimal("1250.5"), "m2")),
        ("40", "Sq. Ft.", (Decimal(40), "sqft")),
        ("12 m3", "", (Decimal(12), "m3")),
        ("1,200.5 m2", "", (Decimal("1200.5"), "m2")),
        ("12'", "", (Decimal(12), "ft")),
        ("7.5", "", (Decimal("7.5"), "")),
        ("850.5", "", (Decimal("850.5"), "")),
        ("1,200.50", "", (Decimal("1200.5"), "")),
        ("1’200’000", "", (Decimal(1_200_000), "")),
        ("1,200", "", (None, "")),
        ("0.12345", "t", (Decimal("0.123"), "t")),
        ("3", "furlong", (Decimal(3), "")),
        ("TBC", "m", (None, "m")),
        ("", "m", (None, "m")),
        ("1,234", "m", (None, "m")),
        ("£5", "m", (None, "m")),
        (str(MOST_QUANTITY + 1), "m", (None, "m")),
    ],
)
def test_quantity_and_unit_are_taken_as_they_stand_or_not_at_all(quantity, unit, read):
    row = only("Paint walls", quantity, unit)
    assert (row.qty, row.unit) == read


def test_the_decimal_mark_is_that_of_the_whole_bill():
    rows = bill(("A", "1.250", "m", ""), ("B", "2,5", "m", "3,75")).rows
    assert [row.qty for row in rows] == [Decimal(1250), Decimal("2.5")]


@pytest.mark.parametrize("said", ["1,200", "7.5", "850.5", "1 200", "1’200", "12."])
def test_no_part_of_a_figure_is_a_unit(said):
    rows = bill(("A", said, "", ""), ("B", "1.5", "m", "")).rows
    assert rows[0].unit_said == ""


def test_a_figure_without_a_unit_is_taken_whole():
    rows = bill(("A", "1,200", "", ""), ("B", "2.5", "", "")).rows
    assert [row.qty for row in rows] == [Decimal(1200), Decimal("2.5")]


@pytest.mark.parametrize("rate", ["12,50", "12.50", ""])
def test_a_number_by_its_type_needs_no_mark(rate):
    rows = bill(("A", Number("1.125"), "m3", rate), ("B", "2", "m", rate)).rows
    assert [row.qty for row in rows] == [Decimal("1.125"), Decimal(2)]


def test_a_number_by_its_type_says_nothing_of_texts():
    rows = bill(("A", Number("7.5"), "m3", ""), ("B", "1.250", "m", "2,5")).rows
    assert [row.qty for row in rows] == [Decimal("7.5"), Decimal(1250)]


def test_headings_sums_and_rows_without_work_are_no_lines():
    found = bill(
        ("PAINTING", "", "", ""),
        ("Walls", "10", "m2", ""),
        ("Sub-total", "", "", "100"),
        ("Description", "Qty", "Unit", "Rate"),
        ("Doors", "2", "nr", ""),
        ("Doors of another colour", "0", "nr", ""),
        ("Deduct", "-1", "nr", ""),
        ("", "7", "m", ""),
        ("Grand total", "", "", "200"),
        ("VAT", "20", "", "40"),
    )
    assert [(row.description, row.heading) for row in found.rows] == [("Walls", "PAINTING"), ("Doors", "")]
    assert [text[:6] for text in found.left_out] == ["Row 7 ", "Row 8 ", "Row 9 "]


def test_a_bill_goes_on_over_pages_without_its_headings():
    found = content(
        [("No", "Description", "Qty", "Unit", "Rate"), ("1", "Walls", "10", "m2", "2")],
        [("2", "Ceilings", "5", "m2")],
        [("Signed", "Ann")],
    )
    rows = find_bill(found).rows
    assert [(row.description, row.place) for row in rows] == [
        ("Walls", DocumentPlace(page=1, table=1, row=2)),
        ("Ceilings", DocumentPlace(page=1, table=2, row=1)),
    ]
    assert [found.text[row.span.start : row.span.end] for row in rows] == [
        "1 | Walls | 10 | m2 | 2",
        "2 | Ceilings | 5 | m2",
    ]
    assert "Signed | Ann" in find_bill(found).prose


cells = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["Description", "Qty", "Unit", "Rate", "Total", "m2", "nr", "12", "-1", "1.5", "1e9", "Paint walls", "TBC"]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.lists(cells, min_size=1, max_size=6), min_size=1, max_size=8), min_size=1, max_size=3))
def test_whatever_a_table_holds_its_rows_are_lines_that_add_up(drafter, tables):
    found = content([("Description", "Qty", "Unit")], *tables)
    read = find_bill(found)
    assert len(read.prose) == len(found.text)
    draft = drafter.draft_bill(read, settings=PricingSettings(tax_rate=Decimal("0.1")))
    assert len(draft.lines) == len(read.rows)
    for line, row in zip(draft.lines, read.rows, strict=True):
        assert line.description.startswith(row.description)
        assert 0 < line.qty <= MOST_QUANTITY
        assert line.priced or line.review_reasons
    charged = sum(line.amount_minor for line in draft.lines if line.priced and not line.optional)
    assert draft.total_minor == charged + draft.tax_minor


# --- drafts ---------------------------------------------------------------------------------------------------------


def test_every_row_is_a_line_with_its_figures_its_place_and_its_words(drafter):
    draft = drafted(drafter, ("Replace guttering", "12", "m", ""), ("Fit ceiling fans", "3", "nr", ""))
    assert [(line.qty, line.unit, line.priced, line.place.row) for line in draft.lines] == [
        (12, "m", True, 2),
        (3, "each", True, 3),
    ]
    assert draft.total_minor == sum(line.amount_minor for line in draft.lines) + draft.tax_minor > 0
    assert draft.questions == ()


def test_a_bill_prices_like_a_request_in_words(drafter):
    (line,) = drafted(drafter, ("Replace aluminum guttering", "12", "m", "")).lines
    (said,) = drafter.draft("Replace 12 m of aluminum guttering", settings=PricingSettings()).lines
    assert (line.task_id, line.price, line.amount_minor) == (said.task_id, said.price, said.amount_minor)


def test_a_rate_of_the_document_is_shown_and_never_charged(drafter):
    with_rate, without = (drafted(drafter, ("Replace guttering", "12", "m", rate)) for rate in ("999.00", ""))
    assert with_rate.total_minor == without.total_minor
    assert any("999.00" in reason for reason in with_rate.lines[0].review_reasons)
    (unknown,) = drafted(drafter, ("Flux capacitor", "1", "nr", "50")).lines
    assert (unknown.priced, unknown.amount_minor) == (False, 0)
    assert any("states the rate 50" in reason for reason in unknown.review_reasons)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("Lay laminate flooring", "40", "m", ""), "a quantity in m measures length, not area"),
        (("Lay laminate flooring", "40", "furlong", ""), "“furlong” is no unit"),
        (("Lay laminate flooring", "as required", "m2", ""), "the quantity “as required”"),
        (("Lay laminate flooring", "", "m2", ""), "gives no quantity"),
    ],
)
def test_what_does_not_fit_is_unpriced_and_says_why(drafter, row, said):
    (line,) = drafted(drafter, row).lines
    assert (line.priced, line.amount_minor) == (False, 0)
    assert any(said in reason for reason in line.review_reasons)


def test_a_heading_says_what_is_done_where_the_row_does_not(drafter):
    demolition = drafted(drafter, ("DEMOLITION", "", "", ""), ("Skirting", "40", "m", ""))
    assert [line.task_id for line in demolition.lines] == ["carpentry.baseboard-remove"]
    painting = drafted(drafter, ("PAINTING", "", "", ""), ("Interior walls", "40", "m2", ""))
    assert [line.task_id for line in painting.lines] == ["painting.interior-walls"]


def test_the_place_is_that_of_the_text_around_and_the_rest_of_it_is_shown(drafter):
    found = content(
        [("Description", "Qty", "Unit"), ("Replace guttering", "12", "m")],
        before="Works in Chicago, IL.", after="Scaffolding is excluded.",
    )  # fmt: skip
    draft = drafter.draft_bill(find_bill(found), settings=PricingSettings())
    assert draft.location == "Chicago, IL, US"
    assert any("Scaffolding is excluded" in reason for reason in draft.review_reasons)


def test_a_content_is_stored_as_it_is():
    one = Content("pdf", "a", 1, (), (Table(DocumentPlace(page=1), (Row(1, 0, 1, ("a",)),)),), ("note",))
    assert Content.from_json(one.to_json()) == one


def test_numbers_are_stored_as_such_and_documents_of_before_are_read():
    stored = json.loads(json.dumps(content([("Concrete", Number("1.125"))]).to_json()))
    (row,) = Content.from_json(stored).tables[0].rows
    assert (row.cells, row.numbers) == (("Concrete", "1.125"), (1,))
    del stored["tables"][0]["rows"][0]["numbers"]
    assert Content.from_json(stored).tables[0].rows[0] == Row(row.number, row.start, row.end, row.cells)
