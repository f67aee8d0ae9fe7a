"""Promises of documents that are read behind the answer: an end of the service is told, and nothing waits forever."""

import asyncio
import time

import pytest
from google.api import httpbody_pb2
from quotewright.contract import FILES
from quotewright.v1 import document_pb2, gate_pb2

from process import contract
from server import administration
from server.extraction.extractor import BusyError, Extractor
from server.faults import Fault
from server.interceptors import Call
from server.rpc import document as module
from server.rpc.document import DocumentService
from server.store.database import Store, execute
from tests import papers

UPLOAD = next(rpc for rpc in contract.rpcs(FILES) if rpc.name == "UploadDocument")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("store") / "quotewright.db")
    yield store
    store.close()


@pytest.fixture
async def desk(store):
    """The service, calls as its organization's, and what the log was told."""
    organization = administration.create_organization(store, "Test", "Starter")
    log = []
    extractor = Extractor(20.0, 512, 1)
    service = DocumentService(store, extractor, None, lambda event, **more: log.append((event, more)))
    service.organization, service.log = organization, log
    yield service
    await service.stop()
    extractor.stop()


def call(desk):
    principal = gate_pb2.Principal(organization_id=desk.organization, livemode=True, credential_id="k")
    return Call(UPLOAD, {}, time.monotonic() + 30, principal=principal)


async def uploaded(desk, data):
    file = httpbody_pb2.HttpBody(content_type="text/csv", data=data)
    request = document_pb2.UploadDocumentRequest(file=file, filename="b.csv", background=True)
    return (await desk.UploadDocument(request, call(desk))).document


async def read(desk, document):
    request = document_pb2.GetDocumentRequest(document_id=document.document_id)
    return (await desk.GetDocument(request, call(desk))).document


async def test_what_was_being_read_when_the_service_stopped_is_interrupted(desk, monkeypatch):
    async def forever(*_):
        await asyncio.sleep(60)

    monkeypatch.setattr(desk._extractor, "extract", forever)
    document = await uploaded(desk, papers.separated())
    assert (await read(desk, document)).status == "reading"
    await asyncio.sleep(0)
    await desk.stop()
    found = await read(desk, document)
    assert (found.status, found.reason, "again" in found.problem) == ("refused", "interrupted", True)


async def test_one_that_nobody_reads_any_more_is_told_so(desk, store, monkeypatch):
    async def killed(*_):
        await asyncio.sleep(60)

    monkeypatch.setattr(desk._extractor, "extract", killed)
    document = await uploaded(desk, papers.separated())
    long_ago = time.time_ns() // 1000 - 200_000_000
    await store.write(
        lambda: execute("update document set created_at = ? where public_id = ?", (long_ago, document.document_id))
    )
    listed = await desk.ListDocuments(document_pb2.ListDocumentsRequest(), call(desk))
    for found in (await read(desk, document), listed.data[0]):
        assert (found.status, found.reason) == ("refused", "interrupted")


async def test_no_more_than_so_many_are_held_in_memory(desk, monkeypatch):
    async def busy(*_):
        await asyncio.sleep(0.2)
        raise BusyError

    monkeypatch.setattr(desk._extractor, "extract", busy)
    monkeypatch.setattr(module, "MOST_READINGS", 1)
    first = await uploaded(desk, papers.separated())
    with pytest.raises(Fault, match="Too many"):
        await uploaded(desk, papers.separated())
    async with asyncio.timeout(10):
        while (found := await read(desk, first)).status == "reading":  # noqa: ASYNC110 - bounded
            await asyncio.sleep(0.02)
    assert (found.status, found.reason) == ("refused", "busy")
