"""Documents: uploaded, read out, kept, deleted."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import unicodedata
from concurrent.futures import Executor
from dataclasses import replace

from quotewright.v1 import document_pb2

from server import faults
from server.extraction.extractor import BusyError, Extracted, Extractor
from server.extraction.limits import RefusedError, UnsupportedError
from server.extraction.media_types import media_type
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.once import write_once
from server.rpc.paging import page_size
from server.store import audit, documents
from server.store.audit import Act
from server.store.database import Store
from server.store.documents import DocumentRow

_LONGEST_FILENAME = 255


class DocumentService:
    """Takes documents. ``threads`` run what is too long for the event loop."""

    def __init__(self, store: Store, extractor: Extractor, threads: Executor) -> None:
        self._store = store
        self._extractor = extractor
        self._threads = threads

    async def UploadDocument(
        self, request: document_pb2.UploadDocumentRequest, call: Call
    ) -> document_pb2.UploadDocumentResponse:
        """Read the file, then store what was read: document, audit row and idempotency record in one transaction."""
        file = request.file
        extracted = await self._extract(file.data, file.content_type, request.filename)
        digest = await asyncio.get_running_loop().run_in_executor(self._threads, hashlib.sha256, file.data)
        content = extracted.content
        new = DocumentRow(
            document_id=f"doc_{secrets.token_hex(12)}",
            filename=safe_filename(request.filename),
            content_type=media_type(content.format),
            size=len(file.data),
            sha256=digest.hexdigest(),
            pages=content.pages,
            tables=len(content.tables),
            rows=sum(len(table.rows) for table in content.tables),
            characters=len(content.text),
            notes=content.notes,
            created_by=call.actor,
            at=0,
            livemode=call.caller.livemode,
        )

        def effect(act: Act) -> document_pb2.UploadDocumentResponse:
            row = replace(new, at=act.at)
            documents.create(act.organization_id, row, extracted.stored)
            audit.record(act, "document:create", f"document:{row.document_id}", f"sha256 {row.sha256}")
            return document_pb2.UploadDocumentResponse(document=document_message(row))

        return await write_once(self._store, call, request, effect, document_pb2.UploadDocumentResponse)

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
            data=[document_message(row) for row in rows],
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
        content = await asyncio.get_running_loop().run_in_executor(self._threads, documents.content_of, stored)
        message = document_message(row)
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


def document_message(row: DocumentRow) -> document_pb2.Document:
    """A document as the contract shows it, without its text."""
    names = (
        "document_id", "filename", "content_type", "size", "pages", "sha256", "tables", "rows", "characters", "notes",
        "livemode",
    )  # fmt: skip
    message = document_pb2.Document(**{name: getattr(row, name) for name in names})
    message.created_at.FromMicroseconds(row.at)
    return message


def safe_filename(name: str) -> str:
    """The last part of a path, without what no file name shows: controls, marks of direction, line ends."""
    last = re.split(r"[/\\]", name)[-1]
    seen = (sign for sign in last if unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Zl", "Zp"})
    return "".join(seen).strip()[:_LONGEST_FILENAME]
