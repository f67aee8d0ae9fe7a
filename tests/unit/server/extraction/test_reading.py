"""Promises of reading documents: every kind gives its text and tables with their places, or says why not."""

import base64
import io
import zipfile
from email.message import EmailMessage

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.document import Content, DocumentPlace
from server.extraction import limits
from server.extraction.limits import RefusedError, UnsupportedError
from server.extraction.reading import read_document
from tests import papers

OCTETS = "application/octet-stream"


def read(data, content_type=OCTETS, filename=""):
    content = read_document(data, content_type, filename)
    assert Content.from_json(content.to_json()) == content
    for table in content.tables:
        for row in table.rows:
            assert content.text[row.start : row.end] == " | ".join(cell for cell in row.cells if cell)
    return content


def refused(data, content_type=OCTETS, filename="x.txt"):
    with pytest.raises(RefusedError) as error:
        read_document(data, content_type, filename)
    return error.value.reason


def cells(content):
    return [[list(row.cells) for row in table.rows] for table in content.tables]


TRIMMED = [list(row) for row in papers.BILL]
for row in TRIMMED:
    while not row[-1]:
        row.pop()


@pytest.mark.parametrize("content_type", ["text/plain", "text/plain; charset=utf-8", OCTETS])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_a_text_is_read_in_any_usual_encoding(content_type, encoding):
    content = read("Paint 30 m² of walls.\r\nNo rush.".encode(encoding), content_type, "job.txt")
    assert (content.format, content.text, content.pages) == ("text", "Paint 30 m² of walls.\nNo rush.", 1)
    assert content.place_of(3) is None


@pytest.mark.parametrize("by", [",", ";", "\t"])
def test_a_csv_is_one_table_with_the_rows_numbers(by):
    content = read(papers.separated(by=by), "text/csv")
    assert cells(content) == [TRIMMED]
    assert content.place_of(content.text.index("Ceilings")) == DocumentPlace(row=4)


def test_a_workbook_is_a_table_for_each_sheet_that_can_be_seen():
    content = read(papers.workbook(Walls=papers.BILL, Notes=[["Keep the door shut"]], Empty=[]), papers.XLSX)
    assert cells(content) == [TRIMMED, [["Keep the door shut"]]]
    assert content.place_of(content.text.index("Ceilings")) == DocumentPlace(sheet="Walls", row=4)
    assert content.pages == 3


def test_a_workbook_tells_which_cells_are_numbers():
    content = read(papers.workbook(Bill=[["Description", "Qty"], ["Concrete", 1.125], ["Sand", "1.125"]]), papers.XLSX)
    assert [row.numbers for row in content.tables[0].rows] == [(), (1,), ()]


def test_a_word_document_keeps_the_order_of_paragraphs_and_tables():
    content = read(papers.word())
    assert content.format == "docx"
    assert cells(content) == [TRIMMED]
    assert content.text.startswith(papers.BEFORE + "\nItem | Description")
    assert content.text.endswith("Total\n" + papers.AFTER)
    assert content.place_of(content.text.index("Ceilings")) == DocumentPlace(table=1, row=4)


def word_with_merged(rows, *merged):
    """A Word document of a table, some of whose cells are merged: (row, column) to (row, column)."""
    document = docx.Document(io.BytesIO(papers.word(rows)))
    (table,) = document.tables
    for first, last in merged:
        table.cell(*first).merge(table.cell(*last)).text = rows[first[0]][first[1]]
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def test_what_stands_behind_a_merged_cell_of_a_word_document_stays_in_its_column():
    rows = [("No", "Description", "Qty"), ("1", "", "4"), ("PAINTING", "", "")]
    content = read(word_with_merged(rows, ((1, 0), (1, 1)), ((2, 0), (2, 2))))
    assert cells(content) == [[["No", "Description", "Qty"], ["1", "", "4"], ["PAINTING"]]]


def test_a_cell_of_a_word_document_that_is_merged_over_rows_counts_once():
    rows = [("Description", "Qty", "Unit"), ("Doors", "4", "nr"), ("Frames", "", "nr"), ("Locks", "", "nr")]
    content = read(word_with_merged(rows, ((1, 1), (3, 1))))
    assert cells(content) == [[list(row) for row in rows]]
    both = read(word_with_merged([("a", "b", "c"), ("1", "", "2"), ("", "", "3")], ((1, 0), (2, 1))))
    assert cells(both) == [[["a", "b", "c"], ["1", "", "2"], ["", "", "3"]]]


@pytest.mark.parametrize("by", [1, 1_000_000_000])
def test_a_row_of_a_word_document_may_begin_behind_the_first_column(by):
    document = docx.Document(io.BytesIO(papers.word([("No", "Work", "Qty"), ("Doors", "4", "")])))
    row = document.tables[0].rows[1]._tr
    row.remove(row.tc_lst[-1])
    row.get_or_add_trPr().append(parse_xml(f'<w:gridBefore {nsdecls("w")} w:val="{by}"/>'))
    stream = io.BytesIO()
    document.save(stream)
    if by == 1:
        assert cells(read(stream.getvalue())) == [[["No", "Work", "Qty"], ["", "Doors", "4"]]]
    else:
        assert refused(stream.getvalue()) == "too_many_columns"


def test_a_word_table_of_one_column_is_text():
    rows = [("Paint the hall",), ("and the stairs",), ("Nothing else",)]
    content = read(word_with_merged(rows, ((0, 0), (1, 0))))
    assert content.tables == ()
    assert content.text == f"{papers.BEFORE}\nPaint the hall\nNothing else\n{papers.AFTER}"


def test_a_pdf_has_its_ruled_tables_and_what_stands_around_them():
    content = read(papers.pdf([papers.BILL, papers.BILL]), "application/pdf")
    assert cells(content) == [TRIMMED, TRIMMED]
    assert content.text.startswith(papers.BEFORE + "\nItem | Description")
    assert content.text.endswith("Total\n" + papers.AFTER)
    assert content.pages == 2
    assert content.place_of(0) == DocumentPlace(page=1)
    assert content.place_of(content.text.rindex("Ceilings")) == DocumentPlace(page=2, table=2, row=4)


def test_a_box_around_a_text_is_no_table():
    content = read(papers.pdf([[["Only a remark in a box"]]]))
    assert content.tables == ()
    assert "Only a remark in a box" in content.text


def test_a_message_is_its_subject_its_body_and_the_attachments_that_can_be_read():
    data = papers.mail(
        "Please price the attached.",
        ("bill.csv", "text/csv", papers.separated()),
        ("bill.pdf", "application/pdf", papers.pdf()),
        ("photo.jpg", "image/jpeg", b"\xff\xd8\xff\xe0"),
        ("broken.docx", papers.DOCX, b"PK\x03\x04 broken"),
    )
    content = read(data, "message/rfc822")
    assert content.text.startswith("Quote please\nPlease price the attached.\nItem | Description")
    assert [table.place for table in content.tables] == [
        DocumentPlace(attachment="bill.csv"),
        DocumentPlace(page=1, table=1, attachment="bill.pdf"),
    ]
    assert [note[:30] for note in content.notes] == [
        "The attachment “photo.jpg” is ", "The attachment “broken.docx” i",
    ]  # fmt: skip


def test_a_message_in_a_message_is_read():
    data = papers.forwarded(papers.mail("Replace the gutter.", subject="Older"), "See below.")
    assert read(data, "message/rfc822").text == "Fwd\nSee below.\nOlder\nReplace the gutter."


def test_html_is_read_without_its_scripts():
    html = "<style>p{}</style><p>Paint&nbsp;the <b>door</b></p><script>x()</script><p>Twice"
    assert read(papers.mail("", html=html), "message/rfc822").text == "Quote please\nPaint the door\n\nTwice"


def test_html_is_read_where_the_plain_text_is_blank():
    message = EmailMessage()
    message.set_content(" \n\N{NO-BREAK SPACE}\n")
    message.add_alternative("<p>Paint the door</p>", subtype="html")
    assert read(message.as_bytes(), "message/rfc822").text == "Paint the door"
    message.get_body(("plain",)).set_content("Paint the gate")
    assert read(message.as_bytes(), "message/rfc822").text == "Paint the gate"


@pytest.mark.parametrize(
    ("head", "data"),
    [
        ('text/csv\nContent-Disposition: attachment; filename="bill.csv"', papers.separated()),
        ('application/pdf; name="bill.pdf"', papers.pdf(before="", after="")),
    ],
)
def test_a_message_that_is_nothing_but_a_file_is_read_as_its_attachment(head, data):
    coded = base64.encodebytes(data)
    message = f"Subject: Bill\nContent-Type: {head}\nContent-Transfer-Encoding: base64\n\n".encode() + coded
    content = read(message, "message/rfc822")
    assert cells(content) == [TRIMMED]
    assert content.tables[0].place.attachment[:5] == "bill."
    assert content.notes == ()


def test_a_message_that_is_nothing_but_a_picture_says_that_it_is_not_read():
    message = b"Subject: See the photo\nContent-Type: image/png; name=a.png\n\n\x89PNG"
    content = read(message, "message/rfc822")
    assert (content.text, len(content.notes)) == ("See the photo", 1)


@pytest.mark.parametrize(
    ("data", "content_type", "filename"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", OCTETS, "x.png"),
        (b"Paint walls", "image/png", "x.png"),
        (b"Paint walls", "application/json", "x.json"),
        (b"Paint walls", "application/pdf", "x.pdf"),
        (b"Paint walls", OCTETS, "x.doc"),
        (b"Paint walls", "", ""),
        (papers.pages_pdf(1), "text/plain", "x.txt"),
        (papers.workbook(), papers.DOCX, "x.docx"),
        (papers.word(), "text/csv", "x.csv"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), OCTETS, "x.doc"),
        (papers.repacked(papers.word(), {}).replace(b"word/document.xml", b"word/documint.xml"), OCTETS, "x.docx"),
    ],
)
def test_what_is_no_document_or_not_what_it_is_said_to_be_is_unsupported(data, content_type, filename):
    with pytest.raises(UnsupportedError):
        read_document(data, content_type, filename)


def bomb(name):
    """A part of many zeroes in a small archive."""
    return papers.repacked(papers.word(), {name: bytes(60 * 1024 * 1024)})


def entities(data, part):
    """The part with a declaration of entities that unfold to gigabytes."""
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    declared = f'<!DOCTYPE x [<!ENTITY a0 "lol">{levels}]>'.encode()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read(part)
    head, mark, rest = text.partition(b"?>")
    if not mark:
        head, rest = b'<?xml version="1.0"', text
    return papers.repacked(data, {part: head + b"?>" + declared + rest.replace(b"Ceilings", b"&a11;")})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (papers.pages_pdf(2, ""), "no_text"),
        (papers.workbook(Empty=[]), "no_text"),
        (papers.pages_pdf(limits.MOST_PAGES + 1), "too_many_pages"),
        (papers.encrypted_pdf(), "encrypted"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"%PDF-1.7\n%nothing follows", "broken"),
        (papers.pdf()[:900], "broken"),
        (papers.word()[:-60], "broken"),
        (b"\xff\xfea", "broken"),
        (bomb("word/media/image1.png"), "unpacks_to_too_much"),
        (b"x" * (limits.LONGEST_TEXT + 1), "too_much_text"),
    ],
)  # fmt: skip
def test_a_document_that_cannot_be_read_says_why(data, reason):
    assert refused(data) == reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x" * (10 * 1024 * 1024), "broken"),
        (b"a,b\n" * (limits.MOST_ROWS + 1), "too_many_rows"),
        (b",".join([b"a"] * (limits.MOST_CELLS + 1)), "too_many_columns"),
        (b"a," + b"b" * (limits.LONGEST_CELL + 1), "cell_too_long"),
    ],
)
def test_a_csv_that_is_too_much_says_of_what(data, reason):
    assert refused(data, "text/csv") == reason


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (papers.word(), "word/document.xml"),
        (papers.workbook(), "xl/workbook.xml"),
        (papers.workbook(), "xl/worksheets/sheet1.xml"),
    ],
)
def test_entities_that_unfold_do_not(data, part):
    try:
        content = read_document(entities(data, part), OCTETS, "")
    except RefusedError as error:
        assert error.reason in {"broken", "too_much_text"}
    else:
        assert "lollol" not in content.text


def test_a_pdf_whose_pages_lead_round_in_a_circle_ends():
    data = papers.pages_pdf(1)
    kids = data.index(b"/Kids [") + len(b"/Kids [")
    tree = data[data.rindex(b"/Pages ", 0, data.index(b"/Type /Catalog")) :].split()[1]
    loop = data[:kids] + data[kids:].replace(data[kids:].split()[0], tree, 1)
    assert loop != data
    assert read(loop).text == "Page 1"


def test_messages_in_messages_are_read_to_a_depth():
    data = papers.mail("The innermost.")
    for _ in range(limits.DEEPEST):
        data = papers.forwarded(data, "")
    assert refused(data, "message/rfc822") == "nested_too_deep"


def test_so_many_attachments_are_read():
    many = [(f"{number}.txt", "text/plain", b"wall") for number in range(limits.MOST_ATTACHMENTS + 1)]
    assert refused(papers.mail("Hello", *many), "message/rfc822") == "too_many_attachments"


def test_no_control_and_no_half_character_reaches_the_text():
    content = read(b"a\x01b\x7fc\x0cd\n" + "e\N{SOFT HYPHEN}f".encode(), "text/plain")
    assert content.text == "abc\nd\nef"


WHOLE = {
    "x.pdf": papers.pdf(), "x.docx": papers.word(), "x.xlsx": papers.workbook(), "x.csv": papers.separated(),
    "x.eml": papers.mail("Hello", ("a.pdf", "application/pdf", papers.pages_pdf(1)), ("b.docx", papers.DOCX, papers.word())),
}  # fmt: skip


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("filename", sorted(WHOLE))
@settings(max_examples=25, deadline=None)
@given(change=st.data())
def test_a_damaged_document_is_read_or_refused_and_nothing_else(filename, change):
    data = bytearray(WHOLE[filename])
    for _ in range(change.draw(st.integers(1, 8))):
        at = change.draw(st.integers(0, len(data) - 1))
        data[at] = change.draw(st.integers(0, 255))
    if change.draw(st.booleans()):
        cut = change.draw(st.integers(1, len(data)))
        data = data[:cut]
    try:
        read(bytes(data), OCTETS, filename)
    except RefusedError as error:
        assert error.reason and error.message
