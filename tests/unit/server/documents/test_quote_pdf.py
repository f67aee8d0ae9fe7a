"""The PDF is read back with pypdf, which shares no code with what wrote it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from server.documents.quote_pdf import (
    SYMBOLS,
    Letterhead,
    QuotePdf,
    QuotePdfLine,
    QuotePdfTax,
    format_minor,
    format_price,
    format_qty,
    render_quote,
)
from server.documents.text import Style, broken
from server.domain.money import CURRENCIES

WALLS = QuotePdfLine(
    description="Paint interior walls, two coats",
    qty=Decimal("1200"),
    unit="sqft",
    price=Decimal("1.42"),
    amount_minor=170400,
    review_reasons=("The area was read as wall area.",),
    source="Cost norm PAINT-7, wage of Nashville 2025-05",
)
SUBFLOOR = QuotePdfLine("Level the subfloor", Decimal(1), "job", Decimal(0), 0, priced=False)
MOULDING = QuotePdfLine(
    "Crown moulding", Decimal("58"), "ft", Decimal("7.90"), 45820, optional=True, source="Price book row 118"
)
QUOTE = QuotePdf(
    letterhead=Letterhead(
        name="Harbour Painting Ltd.",
        legal_name="Harbour Painting and Decorating Limited",
        address=("14 Harbour Road", "Nashville, TN 37201"),
        contacts=("+1 615 555 0142 · office@harbour.example",),
        numbers=("Licence 48213 · Tax no. 62-1234567",),
    ),
    quote_number="Q-2026-000042",
    status="approved",
    created_on=date(2026, 11, 5),
    valid_until=date(2026, 12, 5),
    livemode=True,
    currency="USD",
    request="Please repaint the living room.\n\nWe supply the paint.",
    lines=(WALLS, SUBFLOOR, MOULDING),
    subtotal_minor=170400,
    taxes=(QuotePdfTax("standard", Decimal("0.0925"), 170400, 15762),),
    tax_minor=15762,
    total_minor=186162,
    low_minor=150001,
    high_minor=210099,
    assumptions=("The walls are sound.",),
    exclusions=("Paint is supplied by you.",),
    questions=("Is 1,200 sq ft the wall area?",),
    customer=("Ms Ada Ålund", "210 Union Street", "Nashville, TN 37219"),
    intro="Thank you for asking us.",
    terms="Half is due with the order.\n\nThe rest within 14 days.",
    payment_details="Account 000123456789",
    engine_version="engine 1.4.0",
)


def pages_of(document: QuotePdf) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(render_quote(document))).pages]


def text_of(document: QuotePdf) -> str:
    """All text with line breaks as spaces: where a line breaks is layout, not content."""
    return " ".join(" ".join(pages_of(document)).split())


def letters(text: str) -> str:
    """Text without white space: a long word may be broken over lines anywhere."""
    return "".join(text.split())


def test_prints_every_part_of_the_quote() -> None:
    text = text_of(QUOTE)
    for part in (
        "Harbour Painting Ltd.",
        "14 Harbour Road",
        "Nashville, TN 37201",
        "Q-2026-000042",
        "Harbour Painting and Decorating Limited",
        "+1 615 555 0142 · office@harbour.example",
        "Licence 48213 · Tax no. 62-1234567",
        "Prepared for",
        "Ms Ada Ålund",
        "Nashville, TN 37219",
        "November 5, 2026",
        "December 5, 2026",
        "Thank you for asking us.",
        "Paint interior walls, two coats",
        "1,200 sq ft $1.42 $1,704.00",
        "The area was read as wall area.",
        "Cost norm PAINT-7, wage of Nashville 2025-05",
        "Subtotal $1,704.00",
        "Tax 9.25 % $157.62",
        "Total USD $1,861.62",
        "from $1,500.01 to $2,100.99",
        "The walls are sound.",
        "Paint is supplied by you.",
        "Is 1,200 sq ft the wall area?",
        "Please repaint the living room. We supply the paint.",
        "Half is due with the order. The rest within 14 days.",
        "Account 000123456789",
        "We accept quote Q-2026-000042, $1,861.62 in all.",
        "Signature Name Date",
        "engine 1.4.0",
    ):
        assert part in text


def test_an_unpriced_line_says_so_and_shows_no_zero() -> None:
    text = text_of(replace(QUOTE, lines=(SUBFLOOR,)))
    assert "Level the subfloor 1 job – to be priced" in text
    assert "0.00" not in text
    assert "1 line still to be priced is not included in the total." in text


def test_options_stand_apart_after_the_total_under_their_own_number() -> None:
    text = text_of(QUOTE)
    assert text.index("Total USD") < text.index("Options, not included in the total") < text.index("Crown moulding")
    assert "3 Crown moulding 58 ft $7.90 $458.20" in text
    assert "3. Price book row 118" in text


def test_without_options_or_notes_their_headings_are_absent() -> None:
    text = text_of(replace(QUOTE, lines=(WALLS,), assumptions=(), exclusions=(), questions=()))
    for heading in ("Options", "Assumptions", "Not included", "Questions"):
        assert heading not in text


def test_a_quote_from_a_document_has_no_heading_for_its_request() -> None:
    assert "Your request" in text_of(QUOTE)
    assert "Your request" not in text_of(replace(QUOTE, request=""))


def test_a_quote_without_lines_says_so() -> None:
    text = text_of(replace(QUOTE, lines=()))
    assert "This quote has no lines." in text
    assert "Sources of the prices" not in text


@pytest.mark.parametrize(
    ("status", "livemode", "marks"),
    [("draft", True, {"DRAFT"}), ("draft", False, {"TEST", "DRAFT"}), ("sent", False, {"TEST"}), ("sent", True, set())],
)
def test_marks_drafts_and_test_quotes_on_every_page(status: str, livemode: bool, marks: set[str]) -> None:
    pages = pages_of(replace(QUOTE, status=status, livemode=livemode, lines=(WALLS,) * 60))
    assert len(pages) > 1
    for page in pages:
        assert {mark for mark in ("TEST", "DRAFT") if mark in page} == marks


def test_numbers_the_pages_and_repeats_the_table_header() -> None:
    lines = tuple(replace(WALLS, description=f"Room {number}") for number in range(1, 201))
    pages = pages_of(replace(QUOTE, lines=lines))
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in " ".join(page.split())
    with_lines = [page for page in pages if "Room " in page]
    assert len(with_lines) > 3
    assert all("Unit price" in page for page in with_lines)
    words = " ".join(pages).split()
    assert all(str(number) in words for number in range(1, 201))


def test_a_description_taller_than_a_page_flows_on() -> None:
    description = " ".join(f"word{number}" for number in range(3000))
    pages = pages_of(replace(QUOTE, lines=(replace(WALLS, description=description), MOULDING)))
    text = letters("".join(pages))
    assert len(pages) > 3
    assert all(f"word{number}" in text for number in range(3000))
    assert text.count("$1,704.00") == 2  # the line's amount and the subtotal, not once more a page


def test_the_longest_request_is_printed_in_full() -> None:
    request = "\n".join(f"Item {number}: paint it." for number in range(800))
    text = text_of(replace(QUOTE, request=request))
    assert all(f"Item {number}: paint it." in text for number in range(800))


@pytest.mark.parametrize(
    "text",
    [
        "Müller & Söhne, façade, Łódź",
        "12 m² × 3 = 36 m², ½″ … €50 £20",
        "Ωμέγα Καλημέρα",
        "Жуковский щит",
        "<b>bold</b> &amp; <br/> <para>",
    ],
)
def test_prints_text_as_it_stands(text: str) -> None:
    document = replace(
        QUOTE,
        letterhead=Letterhead(text),
        request=text,
        lines=(replace(WALLS, description=text, source=text, review_reasons=(text,)),),
        questions=(text,),
    )
    # Header, footer of each of the pages, line, reason, question, request, source.
    assert text_of(document).count(text) == 6 + len(pages_of(document))


def test_a_character_that_no_font_has_becomes_a_replacement_character() -> None:
    assert "Haus \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER} gut" in text_of(
        replace(QUOTE, request="Haus ก🏠 gut")
    )


@pytest.mark.parametrize("text", ["王小明 建設有限公司", "外壁塗装（二回塗り）", "김철수 건설", "漆墙 120 m², façade"])
def test_chinese_japanese_and_korean_are_printed_in_full(text: str) -> None:
    printed = letters(text_of(replace(QUOTE, customer=(text,), intro=f"⟦{text * 30}⟧")))
    assert letters(f"⟦{text * 30}⟧") in printed
    assert printed.count(letters(text)) == 31
    assert "\N{REPLACEMENT CHARACTER}" not in printed


def test_hebrew_and_arabic_are_printed_in_the_order_that_they_are_read_in() -> None:
    assert broken("מחיר (כולל): 1,250.00 USD", 500, Style())[0].text == "USD 1,250.00 :(ללוכ) ריחמ"
    assert broken("السعر 42 USD", 500, Style())[0].text == "USD 42 \ufeae\ufecc\ufeb4\ufedf\ufe8d"
    narrow = broken("מחיר כולל 1,250.00 USD", 60, Style())
    assert [line.text for line in narrow] == ["ללוכ ריחמ", "USD 1,250.00"]
    text = text_of(replace(QUOTE, intro="מחיר (כולל): 1,250.00 USD"))
    assert "1,250.00" in text and "\N{REPLACEMENT CHARACTER}" not in text


def test_control_and_bidirectional_characters_are_left_out() -> None:
    assert "total 100 only" in text_of(replace(QUOTE, request="to\x00tal \u202e100\u202c\u200f on\x1bly"))


def test_a_lone_surrogate_does_not_break_it() -> None:
    assert "a\N{REPLACEMENT CHARACTER}b" in text_of(replace(QUOTE, letterhead=Letterhead("a\ud800b")))


@pytest.mark.parametrize("text", ["W" * 20_000, "<&>" * 2_000, "a\n" * 400, "漢" * 4_000, "\n" * 20_000, ""])
def test_extreme_text_in_every_place_renders(text: str) -> None:
    line = replace(WALLS, description=text, unit=text, source=text, review_reasons=(text,))
    document = replace(
        QUOTE,
        letterhead=Letterhead(text, text, (text,) * 20, (text,), (text,)),
        customer=(text,) * 20,
        intro=text,
        terms=text,
        payment_details=text,
        quote_number=text,
        status=text,
        request=text,
        lines=(line, replace(line, optional=True)),
        assumptions=(text,),
        engine_version=text,
    )
    assert "Total USD $1,861.62" in text_of(document)


HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("<>&;/\"'\\()[]%\r\n\t\0 \u202e\u2066\ufeff\u2028\u00ad\U0001f3e0"),
    ),
    max_size=400,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=HOSTILE, total=st.integers(-(10**11), 10**11), currency=st.sampled_from(sorted(CURRENCIES)))
def test_any_text_renders_with_its_total(text: str, total: int, currency: str) -> None:
    line = replace(WALLS, description=text, unit=text, source=text, review_reasons=(text,))
    document = replace(
        QUOTE,
        letterhead=Letterhead(text, text, (text,), (text,)),
        terms=text,
        quote_number=text,
        request=text,
        lines=(line,),
        questions=(text,),
        currency=currency,
        total_minor=total,
    )
    assert letters(f"Total {currency} {format_minor(total, currency)}") in letters("".join(pages_of(document)))


@settings(max_examples=20, deadline=None)
@given(
    text=st.text(
        st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_categories=("Cc", "Cf", "Zs")), min_size=1
    )
)
def test_no_printable_letter_is_lost(text: str) -> None:
    printed = letters("".join(pages_of(replace(QUOTE, request=f"⟦{text}⟧"))))
    assert f"⟦{text}⟧" in printed


def test_the_same_quote_gives_the_same_bytes_in_any_thread() -> None:
    other = replace(QUOTE, request="Другой запрос", lines=(WALLS,) * 30)
    expected = [render_quote(QUOTE), render_quote(other)] * 4
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(render_quote, [QUOTE, other] * 4)) == expected


def test_the_title_names_quote_and_organization() -> None:
    metadata = PdfReader(BytesIO(render_quote(QUOTE))).metadata
    assert metadata is not None
    assert metadata.title == "Quote Q-2026-000042 – Harbour Painting Ltd."
    assert metadata.author == "Harbour Painting Ltd."


@pytest.mark.parametrize(("currency", "width"), [("USD", 612), ("CAD", 612), ("GBP", 595), ("EUR", 595), ("AUD", 595)])
def test_paper_is_what_the_currency_s_country_prints_on(currency: str, width: int) -> None:
    page = PdfReader(BytesIO(render_quote(replace(QUOTE, currency=currency)))).pages[0]
    assert int(page.mediabox.width) == width


def test_refuses_a_currency_that_the_service_does_not_quote_in() -> None:
    with pytest.raises(ValueError, match="JPY"):
        render_quote(replace(QUOTE, currency="JPY"))


def test_every_currency_of_the_service_has_a_symbol() -> None:
    assert set(SYMBOLS) == CURRENCIES


@pytest.mark.parametrize(
    ("minor", "currency", "printed"),
    [
        (123450, "USD", "$1,234.50"),
        (5, "GBP", "£0.05"),
        (100, "EUR", "€1.00"),
        (100000000, "CAD", "CA$1,000,000.00"),
        (-199, "AUD", "-A$1.99"),
    ],
)
def test_amounts_by_currency(minor: int, currency: str, printed: str) -> None:
    assert format_minor(minor, currency) == printed


@pytest.mark.parametrize(
    ("price", "printed"),
    [
        ("12.5", "$12.50"),
        ("0.0425", "$0.0425"),
        ("0.0000", "$0.00"),
        ("0.0500", "$0.05"),
        ("3", "$3.00"),
        ("1E+3", "$1,000.00"),
        ("-0.0425", "-$0.0425"),
    ],
)
def test_unit_prices_have_the_decimals_they_need(price: str, printed: str) -> None:
    assert format_price(Decimal(price), "USD") == printed


@pytest.mark.parametrize(
    ("qty", "printed"), [("1200", "1,200"), ("2.500", "2.5"), ("0.125", "0.125"), ("10.000", "10"), ("1E+2", "100")]
)
def test_quantities_drop_trailing_zeros(qty: str, printed: str) -> None:
    assert format_qty(Decimal(qty)) == printed
