"""The PDF of a quote: what a customer is sent, or what an estimator reviews while the quote is a draft.

Nothing is computed here: every amount is printed as given (minor units, D4), and an unpriced line says so (D3).
The bytes depend on nothing but the ``QuotePdf`` given: no clock, no random document id.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import CondPageBreak, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table
from reportlab.platypus.flowables import CallerMacro

from server.domain.money import from_minor

#: How each currency the service quotes in is written (``server.domain.money.CURRENCIES``).
SYMBOLS = {"USD": "$", "GBP": "£", "EUR": "€", "CAD": "CA$", "AUD": "A$"}
TO_BE_PRICED = "to be priced"

#: ``reportlab`` has no types, so its objects are Any to the checker; the name says what they are.
Flowable = Any

_FONTS = Path(__file__).parent / "fonts"
_REGULAR, _BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"
_INK, _MUTED, _ACCENT = HexColor("#1f2933"), HexColor("#5f6c7b"), HexColor("#1d4e89")
_RULE, _SHADE, _WATERMARK, _WARNING = HexColor("#d5dbe1"), HexColor("#eef2f6"), HexColor("#f1f3f5"), HexColor("#9a5b00")

_MARGIN = 18 * mm
_FOOTER = 11 * mm
#: What reportlab's frame keeps free on each side of the text, in points.
_FRAME_PADDING = 6
#: Widths of the line table around the description, which takes what is left: number, qty, unit, unit price, amount.
_NUMBER_WIDTH, _QTY_WIDTH, _UNIT_WIDTH, _PRICE_WIDTH, _AMOUNT_WIDTH = 9 * mm, 18 * mm, 17 * mm, 25 * mm, 28 * mm
#: A taller cell is cut into several rows: a row cannot be split, and two of these always fit on a page.
_CELL_HEIGHT = 240
#: The header cannot flow over pages, so what stands in it is bounded.
_HEADER_CHARACTERS, _HEADER_ADDRESS_LINES = 160, 8
_UNIT_CHARACTERS = 10
#: Reportlab's time grows with the square of a paragraph's length where it has no spaces.
_PARAGRAPH_CHARACTERS = 1000
_PAGE_COUNT = "page-count"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_UNIT_NAMES = {"m2": "m²", "m3": "m³", "sqft": "sq ft", "sqyd": "sq yd", "cuft": "cu ft", "cuyd": "cu yd"}

_BODY = ParagraphStyle("body", fontName=_REGULAR, fontSize=9, leading=12.5, textColor=_INK)
_CELL = ParagraphStyle("cell", _BODY, leading=12)
_CELL_NOTE = ParagraphStyle("cell-note", _BODY, fontSize=7.5, leading=10, textColor=_WARNING)
_LIST = ParagraphStyle("list", _BODY, leftIndent=14, bulletIndent=3, spaceAfter=2)
_SMALL = ParagraphStyle("small", _BODY, fontSize=7.5, leading=10.5, textColor=_MUTED)
_SMALL_LIST = ParagraphStyle("small-list", _SMALL, leftIndent=20, bulletFontName=_REGULAR, bulletFontSize=7.5)
_HEADING = ParagraphStyle(
    "heading", _BODY, fontName=_BOLD, fontSize=10.5, leading=14, textColor=_ACCENT, spaceBefore=12, spaceAfter=4
)
_ORGANIZATION = ParagraphStyle("organization", _BODY, fontName=_BOLD, fontSize=15, leading=19)
_TITLE = ParagraphStyle("title", _BODY, fontName=_BOLD, fontSize=22, leading=26, alignment=TA_RIGHT, textColor=_ACCENT)
_TITLE_NOTE = ParagraphStyle("title-note", _BODY, alignment=TA_RIGHT)
_MARK = ParagraphStyle("mark", _TITLE_NOTE, fontName=_BOLD, textColor=_WARNING)
_LABEL = ParagraphStyle("label", _SMALL, leading=10)
_FACT = ParagraphStyle("fact", _BODY, fontName=_BOLD)


@dataclass(frozen=True, slots=True)
class QuotePdfLine:
    """One printed line. ``price`` is per ``unit`` in major units; ``source`` says in one line where it comes from."""

    description: str
    qty: Decimal
    unit: str
    price: Decimal
    amount_minor: int
    priced: bool = True
    #: Printed apart from the lines that count into the total.
    optional: bool = False
    review_reasons: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class QuotePdf:
    """What is printed, and nothing else: whoever should not see a reason or a question leaves it out.

    ``status`` is one of D15's; ``livemode`` false prints "TEST". Amounts are in minor units of ``currency``.
    """

    organization_name: str
    organization_address: tuple[str, ...]
    quote_number: str
    status: str
    created_on: date
    valid_until: date
    livemode: bool
    currency: str
    #: Empty for what was drafted from a document.
    request: str
    lines: tuple[QuotePdfLine, ...]
    subtotal_minor: int
    tax_minor: int
    total_minor: int
    low_minor: int
    high_minor: int
    assumptions: tuple[str, ...]
    exclusions: tuple[str, ...]
    questions: tuple[str, ...]
    engine_version: str


def render_quote(document: QuotePdf) -> bytes:
    """Print ``document``. Raises ``ValueError`` where the currency is none of ``SYMBOLS``."""
    if document.currency not in SYMBOLS:
        raise ValueError(f"no quotes are made in {document.currency!r}")
    return _build(document)


def format_minor(minor: int, currency: str) -> str:
    """``123450`` and ``USD`` to ``$1,234.50``."""
    return _with_symbol(from_minor(minor), currency, decimals=2)


def format_price(price: Decimal, currency: str) -> str:
    """A unit price with the decimals it carries, at least two: ``$12.50``, ``$0.0425`` (D3)."""
    exponent = price.as_tuple().exponent
    return _with_symbol(price, currency, decimals=max(2, -exponent) if isinstance(exponent, int) else 2)


def format_qty(qty: Decimal) -> str:
    """A quantity without trailing zeros: ``1,200``, ``2.5``."""
    whole, _, fraction = f"{qty:,f}".partition(".")
    return f"{whole}.{fraction}".rstrip("0").rstrip(".") if fraction else whole


def _with_symbol(amount: Decimal, currency: str, *, decimals: int) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}{SYMBOLS[currency]}{abs(amount):,.{decimals}f}"


def _register_fonts() -> frozenset[int]:
    """Make the fonts known to reportlab and return the code points that all of them can print."""
    fonts = [TTFont(name, _FONTS / f"{name}.ttf") for name in (_REGULAR, _BOLD)]
    for font in fonts:
        registerFont(font)
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


_CODE_POINTS = _register_fonts()


def _printable(text: str) -> str:
    """``text`` with every character printable: lines end in LF, controls are gone, characters no font has are U+FFFD.

    Format characters go too: bidirectional overrides could make an amount read other than it is.
    """
    lines = unicodedata.normalize("NFC", text).splitlines()
    return "\n".join("".join(map(_printable_character, line)) for line in lines)


def _printable_character(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) in {"Cc", "Cf"}:
        return ""
    return character if ord(character) in _CODE_POINTS else _REPLACEMENT


def _one_line(text: str) -> str:
    """``text`` printable, with every run of white space as one space."""
    return " ".join(_printable(text).split())


def _clip(text: str, limit: int = _HEADER_CHARACTERS) -> str:
    """``text`` on one line, cut to ``limit`` characters with an ellipsis."""
    line = _one_line(text)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _fit(text: str, width: float, size: float) -> str:
    """``text``, cut so that the regular font prints it within ``width`` points."""
    if stringWidth(text, _REGULAR, size) <= width:
        return text
    while text and stringWidth(text + "…", _REGULAR, size) > width:
        text = text[:-1]
    return text + "…"


def _paragraph(text: str, style: Any, bullet: str | None = None) -> Flowable:
    """A paragraph that prints ``text`` literally: reportlab reads markup, so its parser gets a placeholder instead."""
    paragraph = Paragraph("x", style, bulletText=bullet)
    paragraph.frags[0].text = text
    return paragraph


def _paragraphs(text: str, style: Any, bullet: str = "") -> list[Flowable]:
    """``text`` of any length, white space collapsed, as paragraphs short enough to be laid out in linear time."""
    parts = textwrap.wrap(_one_line(text), _PARAGRAPH_CHARACTERS, break_on_hyphens=False) or [""]
    return [_paragraph(part, style, bullet if part is parts[0] else "") for part in parts]


def _build(document: QuotePdf) -> bytes:
    buffer = BytesIO()
    pages = SimpleDocTemplate(
        buffer,
        pagesize=LETTER if document.currency in {"USD", "CAD"} else A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN + 2 * mm,
        title=f"Quote {_clip(document.quote_number)} – {_clip(document.organization_name)}",
        author=_clip(document.organization_name),
        subject="Quote",
        creator="Quotewright",
        lang="en",
        invariant=1,
        pageCompression=1,
    )
    width = pages.width - 2 * _FRAME_PADDING

    def decorate(canvas: Any, template: Any) -> None:
        _draw_page(canvas, template.pagesize, document)

    pages.build(list(_story(document, width)), onFirstPage=decorate, onLaterPages=decorate)
    return buffer.getvalue()


def _story(document: QuotePdf, width: float) -> Iterable[Flowable]:
    """Everything in the order of the page."""
    numbered = list(enumerate(document.lines, start=1))
    options = [(number, line) for number, line in numbered if line.optional]
    included = [(number, line) for number, line in numbered if not line.optional]

    yield from _header(document, width)
    yield _line_table(included, document.currency, width) if included else _paragraph("This quote has no lines.", _BODY)
    yield Spacer(1, 4 * mm)
    yield KeepTogether(_totals(document, unpriced=sum(not line.priced for _, line in included)))
    if options:
        yield from _heading("Options, not included in the total")
        yield _line_table(options, document.currency, width)
    yield from _list("Assumptions", document.assumptions)
    yield from _list("Not included", document.exclusions)
    yield from _list("Questions for you", document.questions)
    yield from _request(document.request)
    yield from _sources(document, numbered)
    yield CallerMacro(drawCallable=_define_page_count)


def _header(document: QuotePdf, width: float) -> Iterable[Flowable]:
    address = [line for line in map(_clip, document.organization_address) if line][:_HEADER_ADDRESS_LINES]
    organization = [
        _paragraph(_clip(document.organization_name), _ORGANIZATION),
        *(_paragraph(line, _BODY) for line in address),
    ]
    title = [_paragraph("Quote", _TITLE), _paragraph(_clip(document.quote_number), _TITLE_NOTE)]
    if marks := _marks(document):
        title.append(_paragraph(" · ".join(marks), _MARK))
    yield Table([[organization, title]], colWidths=[width * 0.6, width * 0.4], style=_FLUSH)
    yield Spacer(1, 6 * mm)

    facts = {
        "Date": _day(document.created_on),
        "Valid until": _day(document.valid_until),
        "Status": _clip(document.status).replace("_", " ").capitalize(),
        f"Total, {document.currency}": format_minor(document.total_minor, document.currency),
    }
    cells = [[_paragraph(label, _LABEL), _paragraph(fact, _FACT)] for label, fact in facts.items()]
    yield Table([cells], colWidths=[width / len(cells)] * len(cells), style=_FACTS)
    yield Spacer(1, 6 * mm)


def _marks(document: QuotePdf) -> list[str]:
    """What must not be overlooked about the whole document."""
    return ["TEST"] * (not document.livemode) + ["DRAFT"] * (document.status == "draft")


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _heading(text: str) -> Iterable[Flowable]:
    """A heading that is not left alone at the foot of a page."""
    yield CondPageBreak(25 * mm)
    yield _paragraph(text, _HEADING)


def _list(heading: str, entries: Sequence[str]) -> Iterable[Flowable]:
    if entries:
        yield from _heading(heading)
    for entry in entries:
        yield from _paragraphs(entry, _LIST, bullet="•")


def _request(request: str) -> Iterable[Flowable]:
    """The customer's words, line by line as sent; blank lines become one gap. Nothing where there are none."""
    if not request:
        return
    yield from _heading("Your request")
    gap = False
    for line in _printable(request).split("\n"):
        if line.strip():
            yield from _paragraphs(line, _BODY)
        elif not gap:
            yield Spacer(1, 5)
        gap = not line.strip()


def _sources(document: QuotePdf, numbered: Sequence[tuple[int, QuotePdfLine]]) -> Iterable[Flowable]:
    """Where each price comes from, by the number of its line."""
    priced = [(number, line) for number, line in numbered if line.priced]
    if priced:
        yield from _heading("Sources of the prices")
    for number, line in priced:
        yield from _paragraphs(line.source or "No source given.", _SMALL_LIST, bullet=f"{number}.")
    yield Spacer(1, 3 * mm)
    yield _paragraph(f"Prepared with {_clip(document.engine_version)}.", _SMALL)


def _line_table(numbered: Sequence[tuple[int, QuotePdfLine]], currency: str, width: float) -> Flowable:
    """The table of lines; its header row comes again on every page."""
    fixed = _NUMBER_WIDTH + _QTY_WIDTH + _UNIT_WIDTH + _PRICE_WIDTH + _AMOUNT_WIDTH
    description_width = width - fixed
    rows: list[list[Any]] = [["#", "Description", "Qty", "Unit", "Unit price", "Amount"]]
    style = list(_LINES)
    for number, line in numbered:
        first = len(rows)
        rows.extend(_line_rows(number, line, currency, description_width))
        last = len(rows) - 1
        style += [
            ("TOPPADDING", (0, first), (-1, first), 5),
            ("BOTTOMPADDING", (0, last), (-1, last), 5),
            ("LINEBELOW", (0, last), (-1, last), 0.5, _RULE),
            # A note does not stand alone on the next page.
            ("NOSPLIT", (0, first), (-1, min(first + 1, last))),
        ]
        if not line.priced:
            style.append(("TEXTCOLOR", (-1, first), (-1, first), _WARNING))
    widths = [_NUMBER_WIDTH, description_width, _QTY_WIDTH, _UNIT_WIDTH, _PRICE_WIDTH, _AMOUNT_WIDTH]
    return Table(rows, colWidths=widths, style=style, repeatRows=1)


def _line_rows(number: int, line: QuotePdfLine, currency: str, width: float) -> list[list[Any]]:
    """The rows of one line: its figures stand in the first, a long text flows on in the others."""
    paragraphs = _paragraphs(line.description, _CELL)
    for reason in line.review_reasons:
        paragraphs += _paragraphs(f"To check: {reason}", _CELL_NOTE)
    # Padding takes 4 points on each side of a cell.
    pieces = [piece for paragraph in paragraphs for piece in _pieces(paragraph, width - 8)]
    price = format_price(line.price, currency) if line.priced else "–"
    amount = format_minor(line.amount_minor, currency) if line.priced else TO_BE_PRICED
    unit = _clip(_UNIT_NAMES.get(line.unit, line.unit), _UNIT_CHARACTERS)
    figures = [str(number), pieces[0], format_qty(line.qty), unit, price, amount]
    return [figures, *(["", piece, "", "", "", ""] for piece in pieces[1:])]


def _pieces(paragraph: Flowable, width: float) -> list[Flowable]:
    """``paragraph`` cut so that each piece is at most ``_CELL_HEIGHT`` points high."""
    pieces = []
    while paragraph.wrap(width, _CELL_HEIGHT)[1] > _CELL_HEIGHT:
        piece, paragraph = paragraph.split(width, _CELL_HEIGHT)
        pieces.append(piece)
    return [*pieces, paragraph]


def _totals(document: QuotePdf, *, unpriced: int) -> list[Flowable]:
    def amount(minor: int) -> str:
        return format_minor(minor, document.currency)

    rows = [
        ["Subtotal", amount(document.subtotal_minor)],
        ["Tax", amount(document.tax_minor)],
        [f"Total {document.currency}", amount(document.total_minor)],
    ]
    block = [Table(rows, colWidths=[40 * mm, 38 * mm], style=_TOTALS, hAlign="RIGHT")]
    notes = []
    if document.low_minor != document.high_minor:
        notes.append(f"The sources support a total from {amount(document.low_minor)} to {amount(document.high_minor)}.")
    if unpriced:
        lines, verb = ("line", "is") if unpriced == 1 else ("lines", "are")
        notes.append(f"{unpriced} {lines} still to be priced {verb} not included in the total.")
    return block + [_paragraph(note, _TOTALS_NOTE) for note in notes]


def _draw_page(canvas: Any, pagesize: tuple[float, float], document: QuotePdf) -> None:
    """What every page carries under its text: the watermark and the footer."""
    width, height = pagesize
    if marks := _marks(document):
        canvas.saveState()
        canvas.setFont(_BOLD, 92)
        canvas.setFillColor(_WATERMARK)
        canvas.translate(width / 2, height / 2)
        canvas.rotate(52)
        canvas.drawCentredString(0, -30, " ".join(marks))
        canvas.restoreState()

    size, edge = 7.5, _MARGIN + _FRAME_PADDING
    third = (width - 2 * edge) / 3
    canvas.setFont(_REGULAR, size)
    canvas.setFillColor(_MUTED)
    canvas.drawString(edge, _FOOTER, _fit(_clip(document.organization_name), third, size))
    canvas.drawRightString(width - edge, _FOOTER, _fit(_clip(document.quote_number), third, size))
    canvas.drawRightString(width / 2, _FOOTER, f"Page {canvas.getPageNumber()}")
    canvas.saveState()
    canvas.translate(width / 2, _FOOTER)
    canvas.doForm(_PAGE_COUNT)
    canvas.restoreState()


def _define_page_count(macro: Any) -> None:
    """Give the form that every page's footer draws its text: the last page knows how many there are."""
    canvas = macro.canv
    count = canvas.getPageNumber()
    canvas.beginForm(_PAGE_COUNT)
    canvas.setFont(_REGULAR, 7.5)
    canvas.setFillColor(_MUTED)
    canvas.drawString(0, 0, f" of {count}")
    canvas.endForm()


_FLUSH = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LEFTPADDING", (0, 0), (0, -1), 0),
    ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 0),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
]
_FACTS = [
    ("BACKGROUND", (0, 0), (-1, -1), _SHADE),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LEFTPADDING", (0, 0), (-1, -1), 8),
    ("TOPPADDING", (0, 0), (-1, -1), 6),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 7),
]
_LINES = [
    ("FONT", (0, 0), (-1, -1), _REGULAR, 9, 12),
    ("TEXTCOLOR", (0, 1), (-1, -1), _INK),
    ("TEXTCOLOR", (0, 1), (0, -1), _MUTED),
    ("FONT", (0, 0), (-1, 0), _BOLD, 8, 11),
    ("TEXTCOLOR", (0, 0), (-1, 0), HexColor("#ffffff")),
    ("BACKGROUND", (0, 0), (-1, 0), _ACCENT),
    ("ALIGN", (2, 0), (2, -1), "RIGHT"),
    ("ALIGN", (4, 0), (-1, -1), "RIGHT"),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LEFTPADDING", (0, 0), (-1, -1), 4),
    ("RIGHTPADDING", (0, 0), (-1, -1), 4),
    ("TOPPADDING", (0, 1), (-1, -1), 0),
    ("BOTTOMPADDING", (0, 1), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, 0), 4),
    ("BOTTOMPADDING", (0, 0), (-1, 0), 5),
]
_TOTALS = [
    ("FONT", (0, 0), (-1, -1), _REGULAR, 9, 12),
    ("TEXTCOLOR", (0, 0), (-1, -1), _INK),
    ("ALIGN", (1, 0), (1, -1), "RIGHT"),
    ("RIGHTPADDING", (-1, 0), (-1, -1), 4),
    ("TOPPADDING", (0, 0), (-1, -1), 2),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ("FONT", (0, -1), (-1, -1), _BOLD, 12, 15),
    ("TEXTCOLOR", (0, -1), (-1, -1), _ACCENT),
    ("LINEABOVE", (0, -1), (-1, -1), 1, _ACCENT),
    ("TOPPADDING", (0, -1), (-1, -1), 5),
]
_TOTALS_NOTE = ParagraphStyle("totals-note", _SMALL, alignment=TA_RIGHT, rightIndent=4, spaceBefore=3)
