"""Promises of documents: uploaded, read in a process of their own, quoted from, and nobody else's."""

import asyncio
import io

import pytest

from tests import papers
from tests.stack import exchange

DOCUMENTS, QUOTES, GENERATE = "/api/v1/documents", "/api/v1/quotes", "/api/v1/quotes/generate"

#: What does not hang on the way between gateway and server is asked of one process only.
in_one_process = pytest.mark.parametrize("running", ["combined"], indirect=True)


async def send(client, key, data, content_type="application/octet-stream", filename="", background=False, **more):
    headers = {"Content-Type": content_type, **more.pop("headers", {})}
    params = {"filename": filename, **({"background": "true"} if background else {})}
    return await client.request(
        "POST", DOCUMENTS, key=key, data=io.BytesIO(data), headers=headers, params=params, **more
    )


async def upload(client, key, data, filename="bill.csv", **more):
    answer = await send(client, key, data, filename=filename, **more)
    assert answer.status == 200, answer.body
    return answer.json()


async def quote(client, key, document_id, path=QUOTES, **more):
    answer = await client.request("POST", path, key=key, json={"document_id": document_id, **more})
    assert answer.status == 200, answer.body
    return answer.json()


@pytest.mark.parametrize(
    ("filename", "data", "content_type", "pages"),
    [
        ("bill.pdf", papers.pdf(), "application/pdf", 1),
        ("bill.docx", papers.word(), papers.DOCX, 1),
        ("bill.xlsx", papers.workbook(), papers.XLSX, 1),
        ("bill.csv", papers.separated(), "text/csv", 1),
        ("bill.eml", papers.mail("See attached.", ("b.csv", "text/csv", papers.separated())), "message/rfc822", 2),
    ],
)
async def test_a_bill_of_quantities_of_any_kind_becomes_a_quote(
    client, organization, filename, data, content_type, pages
):
    key = organization.live_key
    document = await upload(client, key, data, filename)
    assert (document["filename"], document["content_type"], document["pages"]) == (filename, content_type, pages)
    assert (document["size"], document["tables"], document["rows"], document["livemode"]) == (len(data), 1, 6, True)
    assert len(document["sha256"]) == 64
    drafted = await quote(client, key, document["document_id"])
    assert drafted["document_id"] == document["document_id"]
    lines = drafted["line_items"]
    assert [(line["qty"], line["unit"], line["priced"]) for line in lines] == [
        (120, "m2", True), (40, "m2", True), (3, "each", True),
    ]  # fmt: skip
    assert [line["place"]["row"] for line in lines] == [3, 4, 5]
    said = [drafted["text"][line["span"]["start"] : line["span"]["end"]] for line in lines]
    assert said == [" | ".join(cell for cell in row if cell) for row in papers.BILL[2:5]]
    assert round(sum(line["amount"] for line in lines) + drafted["tax"], 2) == drafted["total"] > 0
    again = await client.request("GET", f"{QUOTES}/{drafted['quote_id']}", key=key)
    assert again.json() == drafted
    for number in range(1, 4):
        explained = await client.request("GET", f"{QUOTES}/{drafted['quote_id']}/lines/{number}/explanation", key=key)
        assert explained.json()["holds"], explained.body
    printed = await client.request("GET", f"{QUOTES}/{drafted['quote_id']}/pdf", key=key)
    assert printed.body.startswith(b"%PDF-")


async def test_a_document_in_words_is_drafted_like_a_request(client, organization):
    key, text = organization.test_key, "Please replace 12 m of guttering in Nashville, TN and fit 2 ceiling fans."
    document = await upload(client, key, papers.pages_pdf(1, text), "letter.pdf")
    drafted = await quote(client, key, document["document_id"], GENERATE)
    said = (await client.generate(key, drafted["text"])).json()
    names = ("description", "qty", "unit", "price", "amount", "span")
    assert [[line[name] for name in names] for line in drafted["line_items"]] == [
        [line[name] for name in names] for line in said["line_items"]
    ]
    assert drafted["line_items"][0]["place"]["page"] == 1
    assert "place" not in said["line_items"][0]
    assert (drafted["livemode"], said["document_id"]) == (False, "")


@in_one_process
async def test_a_margin_is_in_the_prices_that_are_built_from_cost_and_is_told(client, organization):
    key = organization.live_key
    rows = [("Description", "Qty", "Unit"), ("Lay topsoil", "100", "m3")]
    document = await upload(client, key, papers.separated(rows))
    plain, raised = [
        await quote(client, key, document["document_id"], **more) for more in ({"margin": 0}, {"margin": 0.5})
    ]
    assert raised["line_items"][0]["price"] == pytest.approx(2 * plain["line_items"][0]["price"], rel=0.01)
    assert (plain["margin"], raised["margin"]) == (0, 0.5)
    assert any("margin of 50 %" in said for said in raised["assumptions"])


async def test_documents_are_listed_read_and_deleted_by_their_organization_only(client, running):
    mine, other = running.organization("Mine"), running.organization("Other")
    key = mine.live_key
    first = await upload(client, key, papers.separated(), "first.csv")
    second = await upload(client, key, b"Paint the walls", "../evil\u202e/second.txt")
    listed = (await client.request("GET", f"{DOCUMENTS}?limit=1", key=key)).json()
    assert [one["filename"] for one in listed["data"]] == ["second.txt"]
    assert (listed["total"], listed["has_more"], listed["limit"]) == (2, True, 1)
    assert (await client.request("GET", DOCUMENTS, session=mine.session)).json()["total"] == 2
    address = f"{DOCUMENTS}/{second['document_id']}"
    assert (await client.request("GET", address, key=key)).json()["text"] == "Paint the walls"
    drafted = await quote(client, key, first["document_id"])
    for stranger in (other.live_key, mine.test_key):
        assert (await client.request("GET", DOCUMENTS, key=stranger)).json()["total"] == 0
        for method, path, body in (
            ("GET", address, None), ("DELETE", address, None), ("POST", QUOTES, {"document_id": second["document_id"]}),
            ("POST", GENERATE, {"document_id": second["document_id"]}),
        ):  # fmt: skip
            answer = await client.request(method, path, key=stranger, json=body)
            unknown = path.replace(second["document_id"], "doc_unknown")
            missing = await client.request(method, unknown, key=stranger, json=body and {"document_id": "doc_unknown"})
            assert (answer.status, answer.reason) == (missing.status, missing.reason) == (404, "not_found")
    assert (await client.request("DELETE", f"{DOCUMENTS}/{first['document_id']}", key=key)).status == 200
    assert (await client.request("GET", f"{DOCUMENTS}/{first['document_id']}", key=key)).status == 404
    kept = (await client.request("GET", f"{QUOTES}/{drafted['quote_id']}", key=key)).json()
    assert kept == drafted


async def test_an_upload_repeated_with_its_key_is_one_document(client, running):
    key = running.organization("Repeats").live_key
    once = {"Idempotency-Key": "upload-1"}
    first, second = [await send(client, key, b"Paint", "text/plain", "a.txt", headers=once) for _ in range(2)]
    assert first.body == second.body
    assert second.headers["Idempotent-Replayed"] == "true"
    assert (await client.request("GET", DOCUMENTS, key=key)).json()["total"] == 1
    other = await send(client, key, b"Paint twice", "text/plain", "a.txt", headers=once)
    assert (other.status, other.reason) == (409, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("data", "content_type", "status", "reason"),
    [
        (b"Paint", "image/png", 415, "unsupported_media_type"),
        (b"Paint", "application/pdf", 415, "unsupported_media_type"),
        (b"Paint", "application/octet-stream", 415, "unsupported_media_type"),
        (papers.pages_pdf(1), "text/plain", 415, "unsupported_media_type"),
        (b" ", "text/plain", 422, "empty"),
        (papers.pages_pdf(1, ""), "application/pdf", 422, "no_text"),
        (papers.pdf()[:600], "application/pdf", 422, "broken"),
        (papers.encrypted_pdf(), "application/pdf", 422, "encrypted"),
        (papers.pages_pdf(101), "application/pdf", 422, "too_many_pages"),
    ],
)  # fmt: skip
async def test_what_is_not_taken_says_why(client, organization, data, content_type, status, reason):
    answer = await send(client, organization.live_key, data, content_type)
    assert answer.status == status
    assert answer.reason == reason if status == 415 else answer.fields() == {("file", reason)}


async def test_a_media_type_that_is_no_text_is_not_taken(running, organization):
    head = f"POST {DOCUMENTS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: {organization.live_key}\r\n"
    rest = b"Content-Length: 5\r\nContent-Type: text/plain; x=\xff\r\n\r\nPaint"
    (answer,) = (await exchange(running, head.encode() + rest)).answers
    assert (answer.status, answer.reason) == (415, "unsupported_media_type")


async def followed(client, key, document):
    """The document once it is not being read any more."""
    async with asyncio.timeout(60):
        while document["status"] == "reading":
            await asyncio.sleep(0.05)
            path = f"{DOCUMENTS}/{document['document_id']}"
            document = (await client.request("GET", path, key=key)).json()
    return document


async def test_a_document_is_read_behind_the_answer_on_wish(client, running):
    key = running.organization("Behind").live_key
    once = {"Idempotency-Key": "behind"}
    data = papers.separated()
    first, again = [
        await send(client, key, data, "text/csv", "bill.csv", background=True, headers=once) for _ in range(2)
    ]
    assert (first.status, first.body) == (200, again.body)
    assert (first.json()["status"], first.json()["size"], first.json()["rows"]) == ("reading", len(data), 0)
    read = await followed(client, key, first.json())
    at_once = await upload(client, key, data)
    assert {**read, "document_id": "", "created_at": "", "text": ""} == {
        **at_once, "document_id": "", "created_at": "", "text": "",
    }  # fmt: skip
    assert (read["status"], read["rows"], "Interior walls" in read["text"]) == ("read", 6, True)
    assert len((await quote(client, key, read["document_id"]))["line_items"]) == 3
    listed = (await client.request("GET", DOCUMENTS, key=key)).json()
    assert [one["status"] for one in listed["data"]] == ["read", "read"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n", "unsupported_media_type"),
        (papers.pages_pdf(1, ""), "no_text"),
        (papers.encrypted_pdf(), "encrypted"),
    ],
)
async def test_a_document_that_is_refused_behind_the_answer_says_why(client, organization, data, reason):
    key = organization.live_key
    answer = await send(client, key, data, filename="x", background=True)
    assert answer.status == 200
    document = await followed(client, key, answer.json())
    assert (document["status"], document["reason"], bool(document["problem"])) == ("refused", reason, True)
    body = {"document_id": document["document_id"]}
    for path in (QUOTES, GENERATE):
        refused = await client.request("POST", path, key=key, json=body)
        assert (refused.status, refused.reason) == (409, "document_not_read")


async def test_a_file_above_ten_mebibytes_is_too_large(client, organization):
    answer = await send(client, organization.live_key, b"x" * (10 * 1024 * 1024 + 1), "text/plain")
    assert answer.status == 413


@in_one_process
async def test_a_file_of_ten_mebibytes_holds_nobody_up(client, organization):
    async def ask():
        return await send(client, organization.live_key, b"x" * (10 * 1024 * 1024), "text/csv")

    answer, config = await asyncio.gather(ask(), client.request("GET", "/api/v1/config"))
    assert (answer.fields(), config.status) == ({("file", "broken")}, 200)


@in_one_process
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"word " * 5_000, "text_too_long"),
        (papers.separated([("Description", "Qty"), *[("Paint walls", "1")] * 1_001]), "too_many_rows"),
    ],
)
async def test_a_document_that_is_more_than_a_quote_takes_says_so(client, organization, data, reason):
    key = organization.live_key
    document = await upload(client, key, data, "long.csv" if b"," in data else "long.txt")
    answer = await client.request("POST", QUOTES, key=key, json={"document_id": document["document_id"]})
    assert (answer.status, answer.fields()) == (422, {("document_id", reason)})


@in_one_process
async def test_a_template_that_does_not_exist_is_not_found(client, organization):
    document = await upload(client, organization.live_key, papers.separated())
    body = {"document_id": document["document_id"], "template_id": "tpl_1"}
    for path in (QUOTES, GENERATE):
        answer = await client.request("POST", path, key=organization.live_key, json=body)
        assert (answer.status, answer.reason) == (404, "not_found")
        assert "template" in answer.json()["error"]["message"]


@in_one_process
async def test_who_may(client, running, organization):
    viewer = running.member(organization.organization_id, "viewer")
    body = {"data": b"Paint", "headers": {"Content-Type": "text/plain"}}
    asked = [
        ({"key": organization.bare_key}, 403, "scope_required"),
        ({"session": viewer}, 403, "role_required"),
        ({}, 401, "credential_missing"),
    ]
    for credential, status, reason in asked:
        answer = await client.request("POST", DOCUMENTS, **credential, **body)
        assert (answer.status, answer.reason) == (status, reason)
    listed = await client.request("GET", DOCUMENTS, session=viewer)
    assert listed.status == 200
