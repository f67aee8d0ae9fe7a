"""The PDF of a quote: what a customer is sent, or what an estimator reviews while the quote is a draft.

Nothing is computed here but sums of printed amounts: every amount is printed as given (minor units, D4), and an
unpriced line says so (D3). The bytes depend on nothing but the ``QuotePdf`` given: no clock, no random document id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from io import BytesIO
from typing import Any

from reportlab.lib.colors import HexColor, white
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, SimpleDocTemplate, Spacer
from reportlab.platypus.flowables import CallerMacro

from process.figures import unit_price
from server.documents.line_table import SIDE, Cell, Column, LineTable, Row, heading_row
from server.documents.text import BOLD, REGULAR, Line, Style, Text, broken, clip, draw_lines, fit, width_of
from server.domain.money import from_minor
from server.domain.offer import Layout, Paper

#: How each currency the service quotes in is written (``server.domain.money.CURRENCIES``).
SYMBOLS = {"USD": "$", "GBP": "£", "EUR": "€", "CAD": "CA$", "AUD": "A$"}
#: What the tax on sales is called where a currency is used; elsewhere "Tax".
TAX_NAMES = {"GBP": "VAT", "EUR": "VAT", "AUD": "GST"}
TO_BE_PRICED = "to be priced"
#: Kinds of line in the order of their groups, with the name of the group.
GROUPS = {"service": "Work", "labour": "Labour", "material": "Materials", "fee": "Charges"}

_MUTED, _RULE, _SHADE = HexColor("#5f6c7b"), HexColor("#d5dbe1"), HexColor("#f3f6f9")
_WATERMARK, _WARNING = HexColor("#f1f3f5"), HexColor("#9a5b00")

_MARGIN = 18 * mm
_FOOTER = 11 * mm
#: What reportlab's frame keeps free on each side of the text, in points.
_FRAME_PADDING = 6
_LOGO_WIDTH, _LOGO_HEIGHT = 60 * mm, 22 * mm
#: Widths of the columns around the description, which takes what is left.
_NUMBER_WIDTH, _QTY_WIDTH, _UNIT_WIDTH, _PRICE_WIDTH, _AMOUNT_WIDTH = 9 * mm, 17 * mm, 15 * mm, 24 * mm, 27 * mm
#: The header cannot flow over pages, so what stands in it is bounded.
_HEADER_CHARACTERS, _LETTERHEAD_LINES, _CUSTOMER_LINES = 160, 14, 9
_UNIT_CHARACTERS = 10
_PAGE_COUNT = "page-count"
_UNIT_NAMES = {"m2": "m²", "m3": "m³", "sqft": "sq ft", "sqyd": "sq yd", "cuft": "cu ft", "cuyd": "cu yd"}

_BODY = Style()
_CELL = _BODY.but(leading=12)
_CELL_NOTE = _BODY.but(size=7.5, leading=10, colour=_WARNING)
_LIST = _BODY.but(indent=12, space_after=2)
_SMALL = _BODY.but(size=7.5, leading=10.5, colour=_MUTED)
_SMALL_LIST = _SMALL.but(indent=18)
_TERMS = _BODY.but(size=8, leading=11.2)
_HEADING = _BODY.but(bold=True, size=10.5, leading=14, space_before=12, space_after=4)
_HEAD = _BODY.but(left=True)
_HEAD_SMALL = _SMALL.but(left=True)
_ORGANIZATION = _HEAD.but(bold=True, size=13, leading=17)
_TITLE = _BODY.but(bold=True, size=22, leading=27, right=True)
_TITLE_NOTE = _BODY.but(right=True)
_MARK = _TITLE_NOTE.but(bold=True, colour=_WARNING)
_FACT = _BODY.but(bold=True)


@dataclass(frozen=True, slots=True)
class QuotePdfLine:
    """One printed line. ``price`` is per ``unit`` in major units; ``source`` says in one line where it comes from, and
    is empty where that is not for the reader."""

    description: str
    qty: Decimal
    unit: str
    price: Decimal
    amount_minor: int
    kind: str = "service"
    priced: bool = True
    #: Printed apart from the lines that count into the total.
    optional: bool = False
    review_reasons: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class QuotePdfTax:
    """The tax of one class (standard, reduced, zero or exempt); ``rate`` is a fraction of ``base_minor``."""

    tax_class: str
    rate: Decimal
    base_minor: int
    tax_minor: int


@dataclass(frozen=True, slots=True)
class Letterhead:
    """Who makes the quote. ``numbers`` are registrations with what they are, ``logo`` the bytes of a PNG or JPEG."""

    name: str
    legal_name: str = ""
    address: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    logo: bytes = b""


@dataclass(frozen=True, slots=True)
class QuotePdf:
    """What is printed, and nothing else: whoever should not see a reason or a question leaves it out.

    ``status`` is one of D15's; ``livemode`` false prints "TEST". Amounts are in minor units of ``currency``.
    ``low_minor`` to ``high_minor`` is the range that the sources support; None: it is not for the reader.
    ``customer`` is the customer's name and address, line by line; ``locale`` is ``ll-RR`` and decides how dates are
    written.
    """

    letterhead: Letterhead
    quote_number: str
    status: str
    created_on: date
    valid_until: date
    livemode: bool
    currency: str
    lines: tuple[QuotePdfLine, ...]
    subtotal_minor: int
    taxes: tuple[QuotePdfTax, ...]
    tax_minor: int
    total_minor: int
    engine_version: str
    low_minor: int | None = None
    high_minor: int | None = None
    version: int = 1
    customer: tuple[str, ...] = ()
    intro: str = ""
    assumptions: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    terms: str = ""
    payment_details: str = ""
    request: str = ""
    layout: Layout = Layout()
    locale: str = "en-US"


def render_quote(document: QuotePdf) -> bytes:
    """Print ``document``. Raises ``ValueError`` where the currency is none of ``SYMBOLS``."""
    if document.currency not in SYMBOLS:
        raise ValueError(f"no quotes are made in {document.currency!r}")
    return _Printing(document).build()


def format_minor(minor: int, currency: str) -> str:
    """``123450`` and ``USD`` to ``$1,234.50``."""
    return _with_symbol(from_minor(minor), currency, lambda amount: f"{amount:,.2f}")


def format_price(price: Decimal, currency: str) -> str:
    """A unit price with the decimals it needs, at least two: ``$12.50``, ``$0.0425`` (D3)."""
    return _with_symbol(price, currency, unit_price)


def format_qty(qty: Decimal) -> str:
    """A quantity without trailing zeros: ``1,200``, ``2.5``."""
    whole, _, fraction = f"{qty:,f}".partition(".")
    return f"{whole}.{fraction}".rstrip("0").rstrip(".") if fraction else whole


def format_day(day: date, locale: str) -> str:
    """``5 November 2026``, and where the month comes first ``November 5, 2026``."""
    if locale in {"en-US", "en-CA"}:
        return f"{day:%B} {day.day}, {day.year}"
    return f"{day.day} {day:%B} {day.year}"


def format_rate(rate: Decimal) -> str:
    """A fraction as a percentage: ``8.25 %``."""
    return f"{format_qty(rate * 100)} %"


def _with_symbol(amount: Decimal, currency: str, written: Callable[[Decimal], str]) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}{SYMBOLS[currency]}{written(abs(amount))}"


def _clip(text: str) -> str:
    return clip(text, _HEADER_CHARACTERS)


class _Printing:
    """One document on its way to paper."""

    def __init__(self, document: QuotePdf) -> None:
        self.document = document
        self.layout = document.layout
        self.accent = HexColor(document.layout.accent_colour)
        self.numbered = list(enumerate(document.lines, start=1))

    def build(self) -> bytes:
        document = self.document
        buffer = BytesIO()
        number, name = _clip(document.quote_number), _clip(document.letterhead.name)
        pages = SimpleDocTemplate(
            buffer,
            pagesize=self.pagesize(),
            leftMargin=_MARGIN - _FRAME_PADDING,
            rightMargin=_MARGIN - _FRAME_PADDING,
            topMargin=_MARGIN,
            bottomMargin=_MARGIN + 2 * mm,
            title=f"Quote {number} – {name}",
            author=name,
            subject=f"Quote {number}",
            keywords=["quote", number],
            creator="Quotewright",
            # The words around the data are English, whatever the locale.
            lang=document.locale if document.locale.startswith("en") else "en",
            displayDocTitle=True,
            invariant=1,
            pageCompression=1,
        )
        self.width = pages.width - 2 * _FRAME_PADDING
        pages.build(list(self.story()), onFirstPage=self.draw_page, onLaterPages=self.draw_page)
        return buffer.getvalue()

    def pagesize(self) -> tuple[float, float]:
        paper = self.layout.paper or (Paper.LETTER if self.document.currency in {"USD", "CAD"} else Paper.A4)
        width, height = LETTER if paper is Paper.LETTER else A4
        return width, height

    def amount(self, minor: int) -> str:
        return format_minor(minor, self.document.currency)

    # --- the story, in the order of the page -------------------------------------------------------------------------

    def story(self) -> Iterable[Flowable]:
        document, layout = self.document, self.layout
        included = [(number, line) for number, line in self.numbered if not line.optional]
        options = [(number, line) for number, line in self.numbered if line.optional]
        yield _Head(self)
        yield Spacer(1, 6 * mm)
        if document.intro:
            yield Text(document.intro, _BODY)
            yield Spacer(1, 4 * mm)
        yield self.table(included) if included else Text("This quote has no lines.", _BODY)
        yield Spacer(1, 3 * mm)
        yield KeepTogether([_Totals(self), *self.total_notes(included)])
        if options:
            yield from self.heading("Options, not included in the total")
            yield self.table(options)
            yield from self.options_sum(options)
        if layout.show_assumptions:
            yield from self.listed("Assumptions", document.assumptions)
            yield from self.listed("Not included", document.exclusions)
        yield from self.listed("Questions for you", document.questions)
        yield from self.prose("Terms", document.terms, _TERMS)
        yield from self.prose("Payment", document.payment_details, _BODY)
        if layout.show_signature:
            yield _Signature(self)
        if layout.show_request:
            yield from self.prose("Your request", document.request, _BODY)
        yield from self.sources()
        yield CallerMacro(drawCallable=_define_page_count)

    def heading(self, text: str) -> Iterable[Flowable]:
        """A heading that is not left alone at the foot of a page."""
        yield CondPageBreak(25 * mm)
        yield Text(text, _HEADING.but(colour=self.accent))

    def listed(self, heading: str, entries: Sequence[str]) -> Iterable[Flowable]:
        if entries:
            yield from self.heading(heading)
        for entry in entries:
            yield Text(entry, _LIST, bullet="•")

    def prose(self, heading: str, text: str, style: Style) -> Iterable[Flowable]:
        if text.strip():
            yield from self.heading(heading)
            yield Text(text, style)

    def sources(self) -> Iterable[Flowable]:
        """Where each price comes from, by the number of its line."""
        told = [(number, line.source) for number, line in self.numbered if line.source]
        if told:
            yield from self.heading("Sources of the prices")
        for number, source in told:
            yield Text(source, _SMALL_LIST, bullet=f"{number}.")
        if told:
            yield Spacer(1, 2 * mm)
            yield Text(f"Prepared with {_clip(self.document.engine_version)}.", _SMALL)

    # --- lines -------------------------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> list[Column]:
        """What the layout shows of a line. A figure is never cut; the description takes the room that is left."""
        prices, right = self.layout.prices, _CELL.but(right=True)
        figures = [self.figures(number, line) for number, line in self.numbered]

        def column(title: str, place: int, least: float, style: Style) -> Column:
            widest = max((width_of(one[place], style.size) for one in figures), default=0.0)
            return Column(title, max(least, widest + 2 * SIDE), style)

        columns = [
            column("#", 0, _NUMBER_WIDTH, _CELL.but(colour=_MUTED)),
            Column("Description", 0, _CELL),
            column("Qty", 2, _QTY_WIDTH, right),
            column("Unit", 3, _UNIT_WIDTH, _CELL),
        ]
        if prices.with_unit_prices:
            columns.append(column("Unit price", 4, _PRICE_WIDTH, right))
        if prices.with_amounts:
            columns.append(column("Amount", -1, _AMOUNT_WIDTH, right))
        columns[1] = Column("Description", self.width - sum(one.width for one in columns), _CELL)
        return columns

    def table(self, numbered: Sequence[tuple[int, QuotePdfLine]]) -> LineTable:
        columns = self.columns
        rows: list[Row] = []
        if not self.layout.group_by_kind:
            rows = [self.row(number, line) for number, line in numbered]
        for kind, name in GROUPS.items() if self.layout.group_by_kind else ():
            group = [(number, line) for number, line in numbered if line.kind == kind]
            if not group:
                continue
            told = self.layout.prices.with_amounts or len(group) < len(numbered)
            together = self.amount(sum(line.amount_minor for _, line in group if line.priced)) if told else ""
            rows.append(heading_row(name, together))
            rows += [self.row(number, line) for number, line in group]
        return LineTable(columns, rows, accent=self.accent, rule=_RULE, shade=_SHADE)

    def row(self, number: int, line: QuotePdfLine) -> Row:
        """One line: its figures stand beside the first line of its text."""
        width = self.columns[1].text_width
        cells = [Cell(broken(line.description, width, _CELL), _CELL)]
        notes = [f"To check: {reason}" for reason in line.review_reasons]
        if not line.priced and not self.layout.prices.with_amounts:
            notes.insert(0, TO_BE_PRICED.capitalize())
        cells += [Cell(broken(note, width, _CELL_NOTE), _CELL_NOTE) for note in notes]
        return Row(self.figures(number, line), tuple(cells), warned=not line.priced)

    def figures(self, number: int, line: QuotePdfLine) -> tuple[str, ...]:
        """What stands beside the text of a line, a text a column; the second is empty, its place is the text's."""
        unit = fit(clip(_UNIT_NAMES.get(line.unit, line.unit), _UNIT_CHARACTERS), _UNIT_WIDTH - 2 * SIDE, _CELL.size)
        figures = [str(number), "", format_qty(line.qty), unit]
        if self.layout.prices.with_unit_prices:
            figures.append(format_price(line.price, self.document.currency) if line.priced else "–")
        if self.layout.prices.with_amounts:
            figures.append(self.amount(line.amount_minor) if line.priced else TO_BE_PRICED)
        return tuple(figures)

    def total_notes(self, included: Sequence[tuple[int, QuotePdfLine]]) -> Iterable[Flowable]:
        low, high = self.document.low_minor, self.document.high_minor
        style = _SMALL.but(right=True)
        if low is not None and high is not None and low != high:
            yield Text(f"The sources support a total from {self.amount(low)} to {self.amount(high)}.", style)
        unpriced = sum(not line.priced for _, line in included)
        if unpriced:
            lines, verb = ("line", "is") if unpriced == 1 else ("lines", "are")
            yield Text(f"{unpriced} {lines} still to be priced {verb} not included in the total.", style)

    def options_sum(self, options: Sequence[tuple[int, QuotePdfLine]]) -> Iterable[Flowable]:
        priced = [line.amount_minor for _, line in options if line.priced]
        if priced:
            yield Spacer(1, 2 * mm)
            text = f"All options together, before tax: {self.amount(sum(priced))}"
            yield Text(text, _BODY.but(right=True, bold=True))

    # --- every page --------------------------------------------------------------------------------------------------

    def marks(self) -> list[str]:
        """What must not be overlooked about the whole document."""
        document = self.document
        state = {"draft": "DRAFT", "in_review": "DRAFT", "void": "VOID"}.get(document.status)
        return ["TEST"] * (not document.livemode) + ([state] if state else [])

    def draw_page(self, canvas: Any, template: Any) -> None:
        """What every page carries under its text: the watermark and the footer."""
        width, height = template.pagesize
        if marks := self.marks():
            canvas.saveState()
            canvas.setFont(BOLD, 92)
            canvas.setFillColor(_WATERMARK)
            canvas.translate(width / 2, height / 2)
            canvas.rotate(52)
            canvas.drawCentredString(0, -30, " ".join(marks))
            canvas.restoreState()
        canvas.setStrokeColor(_RULE)
        canvas.setLineWidth(0.5)
        canvas.line(_MARGIN, _FOOTER + 11, width - _MARGIN, _FOOTER + 11)
        third = (width - 2 * _MARGIN) / 3
        top = _FOOTER + 8
        for text, right in ((self.document.letterhead.name, False), (self.document.quote_number, True)):
            style = _SMALL.but(right=right, left=not right)
            line = broken(fit(_clip(text), third - 6, style.size), third, style)[:1]
            draw_lines(canvas, line, width - _MARGIN - third if right else _MARGIN, top, third, style)
        canvas.setFont(REGULAR, _SMALL.size)
        canvas.setFillColor(_MUTED)
        base = top - _SMALL.size - (_SMALL.leading - _SMALL.size) * 0.3
        canvas.drawRightString(width / 2, base, f"Page {canvas.getPageNumber()}")
        canvas.saveState()
        canvas.translate(width / 2, base)
        canvas.doForm(_PAGE_COUNT)
        canvas.restoreState()


def _define_page_count(macro: Any) -> None:
    """Give the form that every page's footer draws its text: the last page knows how many there are."""
    canvas = macro.canv
    count = canvas.getPageNumber()
    canvas.beginForm(_PAGE_COUNT)
    canvas.setFont(REGULAR, _SMALL.size)
    canvas.setFillColor(_MUTED)
    canvas.drawString(0, 0, f" of {count}")
    canvas.endForm()


class _Head(Flowable):  # type: ignore[misc]  # reportlab has no types
    """Letterhead at the left, title at the right; below, whom the quote is for and the facts about it."""

    def __init__(self, printing: _Printing) -> None:
        super().__init__()
        self._printing = printing
        document, head = printing.document, printing.document.letterhead
        left: list[tuple[str, Style]] = [(head.name, _ORGANIZATION)]
        if head.legal_name and head.legal_name != head.name:
            left.append((head.legal_name, _HEAD))
        left += [(line, _HEAD) for line in head.address]
        left += [(line, _HEAD_SMALL) for line in (*head.contacts, *head.numbers)]
        self._left = left
        version = f" · version {document.version}" if document.version > 1 else ""
        self._right = [("Quote", _TITLE.but(colour=printing.accent)), (document.quote_number + version, _TITLE_NOTE)]
        if marks := printing.marks():
            self._right.append((" · ".join(marks), _MARK))
        self._logo = ImageReader(BytesIO(head.logo)) if head.logo else None
        self._facts = {
            "Date": format_day(document.created_on, document.locale),
            "Valid until": format_day(document.valid_until, document.locale),
        }
        if document.status not in {"approved", "sent"}:
            self._facts["Status"] = _clip(document.status).replace("_", " ").capitalize()
        self._facts[f"Total, {document.currency}"] = printing.amount(document.total_minor)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """As high as the higher side, the customer and the facts."""
        self.width = width
        self._sides = [
            self._laid(entries, width * share, _LETTERHEAD_LINES)
            for entries, share in ((self._left, 0.6), (self._right, 0.4))
        ]
        customer = [(line, _HEAD) for line in self._printing.document.customer]
        self._for = self._laid(customer, width * 0.6, _CUSTOMER_LINES)
        logo = self._logo_size()[1] + 4 * mm if self._logo else 0
        self._above = max(logo + _height_of(self._sides[0]), _height_of(self._sides[1]))
        self._customer = _height_of(self._for) + _SMALL.leading + 5 * mm if self._for else 0.0
        self.height = self._above + self._customer + 6 * mm + 30
        return self.width, self.height

    @staticmethod
    def _laid(entries: Sequence[tuple[str, Style]], width: float, most: int) -> list[Cell]:
        """The first ``most`` lines of the entries."""
        cells = []
        for text, style in entries:
            if most and (clipped := _clip(text)):
                lines = broken(clipped, width, style)[:most]
                cells.append(Cell(lines, style))
                most -= len(lines)
        return cells

    def _logo_size(self) -> tuple[float, float]:
        assert self._logo is not None
        width, height = self._logo.getSize()
        scale = min(_LOGO_WIDTH / width, _LOGO_HEIGHT / height, 72 / 96)
        return width * scale, height * scale

    def draw(self) -> None:
        """Draw it from the top."""
        canvas, top = self.canv, self.height
        if self._logo is not None:
            width, height = self._logo_size()
            canvas.drawImage(self._logo, 0, top - height, width, height, mask="auto")
            _draw_cells(canvas, self._sides[0], 0, top - height - 4 * mm, self.width * 0.6)
        else:
            _draw_cells(canvas, self._sides[0], 0, top, self.width * 0.6)
        _draw_cells(canvas, self._sides[1], self.width * 0.6, top, self.width * 0.4)
        top -= self._above
        if self._for:
            top -= 5 * mm
            draw_lines(canvas, broken("Prepared for", self.width, _SMALL), 0, top, self.width, _SMALL)
            _draw_cells(canvas, self._for, 0, top - _SMALL.leading, self.width * 0.6)
        self._draw_facts(30)

    def _draw_facts(self, top: float) -> None:
        canvas = self.canv
        canvas.setFillColor(_SHADE)
        canvas.rect(0, top - 32, self.width, 36, stroke=0, fill=1)
        canvas.setFillColor(self._printing.accent)
        canvas.rect(0, top - 32, 2, 36, stroke=0, fill=1)
        each = self.width / len(self._facts)
        for place, (label, fact) in enumerate(self._facts.items()):
            x, room = place * each + 8, each - 12
            draw_lines(canvas, broken(label, room, _SMALL), x, top - 2, room, _SMALL)
            draw_lines(canvas, broken(fit(fact, room, _FACT.size, bold=True), room, _FACT), x, top - 13, room, _FACT)


def _height_of(cells: Sequence[Cell]) -> float:
    return sum(cell.height for cell in cells)


def _draw_cells(canvas: Any, cells: Sequence[Cell], x: float, top: float, width: float) -> None:
    for cell in cells:
        draw_lines(canvas, cell.lines, x, top, width, cell.style)
        top -= cell.height


class _Totals(Flowable):  # type: ignore[misc]  # reportlab has no types
    """Subtotal, the tax of each class, and the total."""

    _ROW, _LABEL_WIDTH, _SUM_WIDTH = 15.0, 70 * mm, 34 * mm

    def __init__(self, printing: _Printing) -> None:
        super().__init__()
        self._accent = printing.accent
        document = printing.document
        self._rows = [("Subtotal", printing.amount(document.subtotal_minor))]
        named = TAX_NAMES.get(document.currency, "Tax")
        for tax in document.taxes:
            self._rows.append((_tax_label(tax, named, printing), printing.amount(tax.tax_minor)))
        if not document.taxes:
            self._rows.append((named, printing.amount(document.tax_minor)))
        self._total = (f"Total {document.currency}", printing.amount(document.total_minor))

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """Its size."""
        self.width, self.height = width, len(self._rows) * self._ROW + 24
        return self.width, self.height

    def draw(self) -> None:
        """Draw it at the right edge."""
        canvas, top = self.canv, self.height
        start = self.width - self._LABEL_WIDTH - self._SUM_WIDTH
        for label, amount in self._rows:
            self._draw_row(label, amount, start, top, _BODY)
            top -= self._ROW
        canvas.setFillColor(self._accent)
        canvas.rect(start, top - 21, self._LABEL_WIDTH + self._SUM_WIDTH, 21, stroke=0, fill=1)
        self._draw_row(*self._total, start, top - 3, Style(size=10.5, leading=14, bold=True, colour=white))

    def _draw_row(self, label: str, amount: str, start: float, top: float, style: Style) -> None:
        for text, x, width, side in (
            (label, start + 6, self._LABEL_WIDTH, style),
            (amount, start + self._LABEL_WIDTH, self._SUM_WIDTH - SIDE, style.but(right=True)),
        ):
            draw_lines(self.canv, [Line(text, width_of(text, style.size, bold=style.bold))], x, top, width, side)


def _tax_label(tax: QuotePdfTax, named: str, printing: _Printing) -> str:
    only = len(printing.document.taxes) == 1
    if tax.tax_class in {"zero", "exempt"}:
        word = {"zero": f"{named}, zero-rated", "exempt": f"{named}, exempt"}[tax.tax_class]
    else:
        word = named if tax.tax_class == "standard" else f"{named}, {tax.tax_class} rate"
        word += f" {format_rate(tax.rate)}" if tax.rate else ""
    return word if only else f"{word} on {printing.amount(tax.base_minor)}"


class _Signature(Flowable):  # type: ignore[misc]  # reportlab has no types
    """Where the customer signs: signature, name, date."""

    def __init__(self, printing: _Printing) -> None:
        super().__init__()
        document = printing.document
        self._accent = printing.accent
        self._text = f"We accept quote {_clip(document.quote_number)}, {printing.amount(document.total_minor)} in all."

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """Its size."""
        self.width, self.height = width, 30 * mm
        return self.width, self.height

    def getSpaceBefore(self) -> float:  # noqa: N802 - reportlab's name
        """Points above."""
        return 14.0

    def draw(self) -> None:
        """Draw heading, sentence and three lines to write on."""
        canvas = self.canv
        heading = _HEADING.but(colour=self._accent)
        draw_lines(canvas, broken("Acceptance", self.width, heading), 0, self.height, self.width, heading)
        draw_lines(canvas, broken(self._text, self.width, _BODY)[:1], 0, self.height - 18, self.width, _BODY)
        canvas.setStrokeColor(_MUTED)
        canvas.setLineWidth(0.6)
        start = 0.0
        for label, share in (("Signature", 0.42), ("Name", 0.34), ("Date", 0.24)):
            width = self.width * share
            canvas.line(start, 14, start + width - 12, 14)
            draw_lines(canvas, broken(label, width, _SMALL), start, 12, width, _SMALL)
            start += width
