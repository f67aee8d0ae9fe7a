"""Promises of the bounded worker: whatever a document does, it ends in time, takes so much memory, and knows nothing."""

import asyncio
import os
import queue
import signal
import subprocess
import time
import zlib

import pytest

from server.extraction import extractor as module
from server.extraction import limits
from server.extraction.extractor import BusyError, Extractor, WorkerError
from server.extraction.limits import RefusedError, UnsupportedError
from tests import papers

SECONDS = 20.0


@pytest.fixture
def extract():
    """Extract with one worker; ``seconds`` and ``memory_mib`` as given."""

    async def run(data, content_type="application/octet-stream", filename="", seconds=SECONDS, memory_mib=512):
        extractor = Extractor(seconds, memory_mib, 1)
        try:
            return await extractor.extract(data, content_type, filename)
        finally:
            extractor.stop()

    return run


async def reason(extracting):
    with pytest.raises(RefusedError) as error:
        await extracting
    return error.value.reason


def heavy_pdf(megabytes):
    """A page whose packed content is that much of drawing."""
    content = zlib.compress(b"0 0 m 1 1 l S\n" * (megabytes * 1024 * 1024 // 14), 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(content), content),
    ]
    data = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, one) for n, one in enumerate(objects, 1))
    return data + b"trailer<</Root 1 0 R/Size 5>>\n%%EOF"


def wide_workbook():
    """A sheet with one more cell, far below."""
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    sheet += b'<row r="1"><c r="A1"><v>1</v></c></row><row r="900000"><c r="A900000"><v>1</v></c></row>'
    return papers.repacked(papers.workbook(), {"xl/worksheets/sheet1.xml": sheet + b"</sheetData></worksheet>"})


async def test_what_is_read_is_what_is_stored(extract):
    extracted = await extract(papers.separated(), "text/csv")
    assert extracted.content.tables[0].rows[2].cells[1] == "Interior walls, two coats"
    assert b"Interior walls" in extracted.stored


async def test_what_is_refused_inside_is_refused_outside(extract):
    assert await reason(extract(papers.encrypted_pdf())) == "encrypted"
    with pytest.raises(UnsupportedError):
        await extract(b"Paint", "image/png")


async def test_a_reading_that_takes_too_long_is_ended(extract):
    began = time.monotonic()
    assert await reason(extract(heavy_pdf(40), seconds=2.0)) == "takes_too_long"
    assert time.monotonic() - began < 10


async def test_a_reading_that_takes_too_much_memory_is_ended(extract):
    assert await reason(extract(heavy_pdf(80), memory_mib=128)) in {"too_much_memory", "broken"}


async def test_five_thousand_pages_are_refused(extract):
    assert await reason(extract(papers.pages_pdf(5_000))) == "too_many_pages"


async def test_a_million_empty_rows_end(extract):
    content = (await extract(wide_workbook())).content
    assert [row.number for table in content.tables for row in table.rows] == [1, 900_000]


async def test_a_picture_of_megabytes_in_a_text_is_passed_over(extract):
    data = papers.repacked(papers.word(), {"word/media/image1.png": os.urandom(9 * 1024 * 1024)})
    assert (await extract(data)).content.text.startswith(papers.BEFORE)


async def test_so_many_are_read_at_a_time_and_one_that_waits_too_long_is_told_so(monkeypatch):
    extractor = Extractor(SECONDS, 512, 1)
    first = asyncio.create_task(extractor.extract(heavy_pdf(40), "application/pdf", ""))
    await asyncio.sleep(0.2)
    monkeypatch.setattr(module, "WAIT", 0.2)
    with pytest.raises(BusyError):
        await extractor.extract(b"Paint", "text/plain", "")
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert (await extractor.extract(b"Paint", "text/plain", "")).content.text == "Paint"


async def test_a_reading_that_nobody_waits_for_leaves_no_process(monkeypatch):
    begun = queue.Queue()

    class Remembered(subprocess.Popen):
        def __init__(self, *arguments, **more):
            super().__init__(*arguments, **more)
            begun.put((self, more["env"]))

    monkeypatch.setattr(module.subprocess, "Popen", Remembered)
    monkeypatch.setenv("QW_LLM_API_KEY", "a secret")
    task = asyncio.create_task(Extractor(SECONDS, 512, 1).extract(heavy_pdf(40), "application/pdf", ""))
    process, environment = await asyncio.to_thread(begun.get, timeout=20)
    assert not [name for name in environment if name.startswith("QW_")]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(process.wait, 10) == -signal.SIGKILL


async def test_a_worker_that_cannot_start_is_a_defect_and_no_fault_of_the_document(extract, monkeypatch):
    monkeypatch.setattr(module, "_environment", lambda: {"PYTHONHOME": "/nowhere"})
    with pytest.raises(WorkerError):
        await extract(b"Paint", "text/plain")


def test_the_longest_content_fits_into_an_answer():
    assert limits.LONGEST_TEXT * 4 * 2 < module._LONGEST_ANSWER
