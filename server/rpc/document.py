"""Documents: uploaded, read out, kept, deleted."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import secrets
import traceback
import unicodedata
from concurrent.futures import Executor
from dataclasses import replace

from quotewright.v1 import document_pb2

from process.clock import now_us
from process.log import Log
from server import faults
from server.domain.document import Content
from server.extraction.extractor import BusyError, Extracted, Extractor
from server.extraction.limits import RefusedError, UnsupportedError
from server.extraction.media_types import media_type
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.once import write_once
from server.rpc.paging import page_size
from server.store import audit, documents
from server.store.audit import Act
from server.store.database import Store, StoreBusyError, StoreClosedError
from server.store.documents import DocumentRow

_LONGEST_FILENAME = 255
#: Documents that are held in memory to be read behind their answers.
MOST_READINGS = 16
#: Seconds that one of them waits for a place.
LONGEST_WAIT = 60.0
#: Seconds that may pass besides, until it is clear that nobody reads it.
_SLACK = 30.0


class DocumentService:
    """Takes documents. ``threads`` run what is too long for the event loop, ``log`` is told of defects."""

    def __init__(self, store: Store, extractor: Extractor, threads: Executor, log: Log) -> None:
        self._store = store
        self._extractor = extractor
        self._threads = threads
        self._log = log
        #: What is read behind its answer.
        self._readings: set[asyncio.Task[None]] = set()

    async def UploadDocument(
        self, request: document_pb2.UploadDocumentRequest, call: Call
    ) -> document_pb2.UploadDocumentResponse:
        """Read the file, then store what was read: document, audit row and idempotency record in one transaction. On
        wish it is stored at once, and read behind the answer."""
        file = request.file
        if request.background and len(self._readings) >= MOST_READINGS:
            raise faults.unavailable("Too many documents are being read just now.")
        extracted = None if request.background else await self._extract(file.data, file.content_type, request.filename)
        digest = await asyncio.get_running_loop().run_in_executor(self._threads, hashlib.sha256, file.data)
        new = DocumentRow(
            document_id=f"doc_{secrets.token_hex(12)}",
            filename=safe_filename(request.filename),
            content_type=file.content_type.partition(";")[0].strip()[:100],
            size=len(file.data),
            sha256=digest.hexdigest(),
            pages=0,
            tables=0,
            rows=0,
            characters=0,
            notes=(),
            created_by=call.actor,
            at=0,
            livemode=call.caller.livemode,
            status="reading",
        )
        if extracted is not None:
            new = _as_read(new, extracted.content)
        stored = documents.NOTHING if extracted is None else extracted.stored

        def effect(act: Act) -> document_pb2.UploadDocumentResponse:
            row = replace(new, at=act.at)
            documents.create(act.organization_id, row, stored)
            audit.record(act, "document:create", f"document:{row.document_id}", f"sha256 {row.sha256}")
            return document_pb2.UploadDocumentResponse(document=document_message(row))

        response = await write_once(self._store, call, request, effect, document_pb2.UploadDocumentResponse)
        if extracted is None and response.document.document_id == new.document_id:
            reading = asyncio.create_task(self._read(new, file.data, file.content_type, request.filename))
            self._readings.add(reading)
            reading.add_done_callback(self._readings.discard)
        return response

    async def _read(self, row: DocumentRow, data: bytes, content_type: str, filename: str) -> None:
        """Read a document whose upload was answered; its row tells what became of it."""
        content = documents.NOTHING
        try:
            extracted = await self._extractor.extract(data, content_type, filename, LONGEST_WAIT)
            row, content = _as_read(row, extracted.content), extracted.stored
        except RefusedError as error:
            row = replace(row, status="refused", reason=error.reason, problem=error.message)
        except BusyError:
            row = replace(row, status="refused", reason="busy", problem="Too many documents are being read just now.")
        except asyncio.CancelledError:  # by `stop`, which waits for what is still written here
            row = _interrupted(row)
        except Exception:  # noqa: BLE001 - the last line of defence: nobody awaits this task
            self._log("defect", document=row.document_id, trace=traceback.format_exc())
            row = replace(row, status="refused", reason="broken", problem="Reading the document fails.")
        with contextlib.suppress(StoreBusyError, StoreClosedError):  # it will be told as interrupted
            await self._store.write(lambda: documents.finish(row, content))

    async def stop(self) -> None:
        """Give up what is being read."""
        for reading in self._readings:
            reading.cancel()
        await asyncio.gather(*self._readings, return_exceptions=True)

    def _as_of_now(self, row: DocumentRow) -> DocumentRow:
        """The document; one that would have been read long ago was interrupted by the end of its process."""
        longest = (self._extractor.seconds + LONGEST_WAIT + _SLACK) * 1_000_000
        if row.status != "reading" or now_us() < row.at + longest:
            return row
        return _interrupted(row)

    async def ListDocuments(
        self, request: document_pb2.ListDocumentsRequest, call: Call
    ) -> document_pb2.ListDocumentsResponse:
        """A page, newest first."""
        caller = call.caller
        limit = page_size(request)
        total, rows = await self._store.browse(
            lambda: documents.list_page(caller.organization_id, caller.livemode, limit=limit, offset=request.offset)
        )
        return document_pb2.ListDocumentsResponse(
            data=[document_message(self._as_of_now(row)) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetDocument(
        self, request: document_pb2.GetDocumentRequest, call: Call
    ) -> document_pb2.GetDocumentResponse:
        """One document of the caller's organization and mode, with its text."""
        caller = call.caller
        found = await self._store.read(
            lambda: documents.find(caller.organization_id, caller.livemode, request.document_id)
        )
        if found is None:
            raise faults.not_found("document")
        row, stored = found
        message = document_message(self._as_of_now(row))
        if row.status == "read":
            content = await asyncio.get_running_loop().run_in_executor(self._threads, documents.content_of, stored)
            message.text = content.text
        return document_pb2.GetDocumentResponse(document=message)

    async def DeleteDocument(
        self, request: document_pb2.DeleteDocumentRequest, call: Call
    ) -> document_pb2.DeleteDocumentResponse:
        """The document is gone; quotes keep what they quote of it."""

        def effect(act: Act) -> document_pb2.DeleteDocumentResponse:
            row = documents.delete(act.organization_id, act.livemode, request.document_id)
            if row is None:
                raise faults.not_found("document")
            audit.record(act, "document:delete", f"document:{row.document_id}")
            return document_pb2.DeleteDocumentResponse(document=document_message(row))

        return await write_once(self._store, call, request, effect, document_pb2.DeleteDocumentResponse)

    async def _extract(self, data: bytes, content_type: str, filename: str) -> Extracted:
        try:
            return await self._extractor.extract(data, content_type, filename)
        except UnsupportedError as error:
            raise faults.unsupported_media_type(error.message) from None
        except RefusedError as error:
            raise faults.invalid(FieldViolation("file", error.reason, error.message)) from None
        except BusyError:
            raise faults.unavailable("Too many documents are being read just now.") from None


def _interrupted(row: DocumentRow) -> DocumentRow:
    problem = "The service was stopped while it read the document. Upload it again."
    return replace(row, status="refused", reason="interrupted", problem=problem)


def _as_read(row: DocumentRow, content: Content) -> DocumentRow:
    """The document with what was found in it."""
    return replace(
        row,
        content_type=media_type(content.format),
        pages=content.pages,
        tables=len(content.tables),
        rows=sum(len(table.rows) for table in content.tables),
        characters=len(content.text),
        notes=content.notes,
        status="read",
    )


def document_message(row: DocumentRow) -> document_pb2.Document:
    """A document as the contract shows it, without its text."""
    names = (
        "document_id", "filename", "content_type", "size", "pages", "sha256", "tables", "rows", "characters", "notes",
        "livemode", "status", "reason", "problem",
    )  # fmt: skip
    message = document_pb2.Document(**{name: getattr(row, name) for name in names})
    message.created_at.FromMicroseconds(row.at)
    return message


def safe_filename(name: str) -> str:
    """The last part of a path, without what no file name shows: controls, marks of direction, line ends."""
    last = re.split(r"[/\\]", name)[-1]
    seen = (sign for sign in last if unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Zl", "Zp"})
    return "".join(seen).strip()[:_LONGEST_FILENAME]
