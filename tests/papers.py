"""Small real documents, made as people's programs make them."""

from __future__ import annotations

import email
import io
import zipfile
from collections.abc import Sequence
from email import policy
from email.message import EmailMessage

import docx
import openpyxl
from pypdf import PdfReader, PdfWriter
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle

BILL = (
    ("Item", "Description", "Qty", "Unit", "Rate"),
    ("", "PAINTING", "", "", ""),
    ("1.1", "Interior walls, two coats", "120", "m2", ""),
    ("1.2", "Ceilings", "40", "m2", "9.50"),
    ("2.1", "Fit ceiling fans", "3", "nr", ""),
    ("", "Total", "", "", ""),
)
BEFORE, AFTER = "Works at a house in Nashville, TN.", "Work on weekdays only."
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def pdf(pages: Sequence[Sequence[Sequence[str]]] = (BILL,), before: str = BEFORE, after: str = AFTER) -> bytes:
    """A page for each table, ruled, between two paragraphs."""
    style = getSampleStyleSheet()["Normal"]
    ruled = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    flow: list[object] = [Paragraph(before, style)]
    for number, rows in enumerate(pages):
        flow += [PageBreak()] * (number > 0) + [Table([list(row) for row in rows], style=ruled)]
    stream = io.BytesIO()
    SimpleDocTemplate(stream, invariant=1).build([*flow, Paragraph(after, style)])
    return stream.getvalue()


def pages_pdf(pages: int, text: str = "Page") -> bytes:
    """Pages with one line each; without text they are blank, like scans."""
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    for number in range(pages):
        if text:
            canvas.drawString(72, 720, f"{text} {number + 1}")
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def encrypted_pdf() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pages_pdf(1))))
    writer.encrypt("a password", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def word(rows: Sequence[Sequence[str]] = BILL, before: str = BEFORE, after: str = AFTER) -> bytes:
    document = docx.Document()
    document.add_paragraph(before)
    table = document.add_table(len(rows), len(rows[0]))
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.add_paragraph(after)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in (sheets or {"Bill": BILL}).items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def separated(rows: Sequence[Sequence[str]] = BILL, by: str = ",") -> bytes:
    return "\n".join(by.join(f'"{cell}"' if by in cell else cell for cell in row) for row in rows).encode()


def mail(text: str, *attachments: tuple[str, str, bytes], subject: str = "Quote please", html: str = "") -> bytes:
    """A message; attachments are name, media type and bytes."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.com", "office@example.com", subject
    if html:
        message.set_content(html, subtype="html")
    else:
        message.set_content(text)
    for name, media_type, data in attachments:
        maintype, _, subtype = media_type.partition("/")
        message.add_attachment(data, maintype=maintype, subtype=subtype, filename=name)
    return message.as_bytes()


def forwarded(data: bytes, text: str) -> bytes:
    """A message that holds another."""
    message = EmailMessage()
    message["Subject"] = "Fwd"
    message.set_content(text)
    message.add_attachment(email.message_from_bytes(data, policy=policy.default))
    return message.as_bytes()


def repacked(data: bytes, changes: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A packed document with other parts in the place of its own, or beside them."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", method) as new:
        for entry in old.infolist():
            if entry.filename not in changes:
                new.writestr(entry, old.read(entry))
        for name, part in changes.items():
            new.writestr(name, part)
    return stream.getvalue()
