"""One reader for each kind of document. For the worker's process only: the libraries are given hostile files.

A reader adds to a `Builder` and raises `RefusedError` for what it can name; whatever else a library raises means that
the file is broken, which the worker says.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from server.domain.price_book.files import CsvFile, FileRefusedError, RowSource, XlsxFile, encoding_of, visible_sheets
from server.extraction import limits
from server.extraction.builder import Builder
from server.extraction.limits import RefusedError

Reader = Callable[[bytes, Builder], None]


def read_text(data: bytes, builder: Builder) -> None:
    """A text in any usual encoding."""
    text = data.decode(_encoding(data))
    if "\0" in text:
        raise RefusedError("broken", "The text holds NUL characters.")
    builder.whole()
    builder.text(text)


def read_csv(data: bytes, builder: Builder) -> None:
    """Separated values: one table."""
    builder.whole()
    _add_rows(lambda: CsvFile(data), builder)


def read_xlsx(data: bytes, builder: Builder) -> None:
    """A workbook: a table for each sheet that can be seen; of formulas the saved results."""
    try:
        sheets = visible_sheets(data)
    except FileRefusedError as error:
        raise RefusedError("broken", str(error)) from None
    for name in sheets:
        builder.sheet(name)
        _add_rows(lambda name=name: XlsxFile(data, name), builder)  # type: ignore[misc]


def read_pdf(data: bytes, builder: Builder) -> None:
    """Pages with their ruled tables."""
    import pdfplumber  # a fifth of a second, for those who need it
    from pdfminer.pdfdocument import PDFPasswordIncorrect, PDFTextExtractionNotAllowed
    from pdfminer.pdfpage import PDFPage
    from pdfplumber.utils.exceptions import PdfminerException

    try:
        pdf = pdfplumber.open(io.BytesIO(data))
        _check_pages(sum(1 for _ in islice(PDFPage.create_pages(pdf.doc), limits.MOST_PAGES + 1)))
        pages = pdf.pages
    except PdfminerException as error:
        cause = error.args[0] if error.args else None
        if isinstance(cause, PDFPasswordIncorrect | PDFTextExtractionNotAllowed):
            raise RefusedError("encrypted", "The PDF is encrypted: save it without a password.") from None
        raise
    for page in pages:
        builder.page(page.page_number)
        _add_page(page, builder)
        page.close()


def read_docx(data: bytes, builder: Builder) -> None:
    """Paragraphs and tables of the body, in their order; not headers, footers, comments and pictures."""
    import docx
    from docx.table import Table

    builder.whole()
    for block in docx.Document(io.BytesIO(data)).iter_inner_content():
        if not isinstance(block, Table):
            builder.text(block.text)
        elif len(block.columns) > 1:
            builder.table(enumerate(_docx_rows(block), 1))
        else:
            for cells in _docx_rows(block):
                builder.text("\n".join(filter(None, cells)))


READERS: dict[str, Reader] = {
    "text": read_text,
    "csv": read_csv,
    "xlsx": read_xlsx,
    "pdf": read_pdf,
    "docx": read_docx,
}


def _encoding(data: bytes) -> str:
    try:
        return encoding_of(data)
    except FileRefusedError as error:
        raise RefusedError("broken", str(error)) from None


def _add_rows(opened: Callable[[], RowSource], builder: Builder) -> None:
    try:
        builder.table(opened().rows(), numbered=False)
    except FileRefusedError as error:
        raise RefusedError("broken", str(error)) from None


def _docx_rows(table: Any) -> Iterator[list[str]]:
    """The texts of each row, one for each column. A merged cell has its text where it begins and is blank in what it
    goes on over, as in a workbook: "4" merged over two rows is four and not eight."""
    above: list[Any] = []
    for row in table.rows:
        # A row may begin behind the first column, says a number that the file is free to choose.
        cells: list[Any] = [None] * min(row.grid_cols_before, limits.MOST_CELLS)
        texts = [""] * len(cells)
        for cell in row.cells:
            goes_on = cell._tc in (cells[-1:] + above[len(cells) : len(cells) + 1])
            texts.append("" if goes_on else cell.text)
            cells.append(cell._tc)
        yield texts
        above = cells


def _check_pages(pages: int) -> None:
    if pages > limits.MOST_PAGES:
        raise RefusedError("too_many_pages", f"The document has more than {limits.MOST_PAGES} pages.")


# --- pages of a PDF -------------------------------------------------------------------------------------------------


def _add_page(page: Any, builder: Builder) -> None:
    """Text and tables from top to bottom. A box around a text is no table."""
    tables = [(table, rows) for table in page.find_tables() if _is_table(rows := table.extract())]
    tables.sort(key=lambda one: (one[0].bbox[1], one[0].bbox[0]))
    boxes = [table.bbox for table, _ in tables]
    rest = page.filter(lambda one: not any(_inside(one, box) for box in boxes)) if boxes else page
    above = float("-inf")
    for table, rows in tables:
        top = table.bbox[1]
        builder.text(_between(rest, above, top))
        builder.table((number, [cell or "" for cell in cells]) for number, cells in enumerate(rows, 1))
        above = max(above, top)
    builder.text(_between(rest, above, float("inf")) if tables else rest.extract_text())


def _is_table(rows: Sequence[Sequence[str | None]]) -> bool:
    return len(rows) > 1 and sum(len([cell for cell in row if cell and cell.strip()]) > 1 for row in rows) > 1


def _inside(one: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
    across, down = (one["x0"] + one["x1"]) / 2, (one["top"] + one["bottom"]) / 2
    return bool(box[0] <= across <= box[2] and box[1] <= down <= box[3])


def _between(page: Any, top: float, bottom: float) -> str:
    return str(page.filter(lambda one: top <= (one["top"] + one["bottom"]) / 2 < bottom).extract_text())
