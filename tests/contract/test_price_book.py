"""Promises of the price book: imported whole or not at all, edited with a history, and first among all prices."""

import asyncio
import io
import json

import grpc
import pytest
from quotewright.v1 import price_book_pb2, price_book_pb2_grpc

ITEMS = "/api/v1/price-book/items"
IMPORTS = "/api/v1/price-book/imports"
PRICE = "/api/v1/sourcing/price"
CSV = {"Content-Type": "text/csv"}
LIST = (
    "SKU;Item;Unit;Price;Currency\n"
    "GUT-100;Seamless gutter;m;41,50;USD\n"
    "FAN-1;Ceiling fan;each;1.210,00;USD\n"
    "ELB-12;Copper elbow 1/2 in;each;3,75;USD\n"
)


#: What does not hang on the way between gateway and server is asked of one process only.
in_one_process = pytest.mark.parametrize("running", ["combined"], indirect=True)


@pytest.fixture
def fresh(running):
    """An organization whose book is empty."""
    return running.organization("Price book")


async def imported(client, key, data, **query):
    """Send a price list and wait for its end; the import as GET shows it."""
    given = {"filename": "prices.csv", "dry_run": "false", **query}
    answer = await client.request("POST", IMPORTS, key=key, data=io.BytesIO(data), headers=CSV, params=given)
    assert answer.status == 200, answer.body
    started = answer.json()
    assert started["status"] == "running"
    return await ended(client, key, started["import_id"])


async def ended(client, key, import_id):
    for _ in range(400):
        answer = await client.request("GET", f"{IMPORTS}/{import_id}?limit=100", key=key)
        if answer.json()["price_import"]["status"] != "running":
            return answer.json()
        await asyncio.sleep(0.05)
    raise AssertionError("the import does not end")


async def search(client, key, query, **more):
    answer = await client.request("GET", ITEMS, key=key, params={"query": query, **more})
    assert answer.status == 200, answer.body
    return answer.json()["data"]


async def until(found):
    """Poll: that a book exists is noticed within a second."""
    for _ in range(60):
        result = await found()
        if result:
            return result
        await asyncio.sleep(0.05)
    raise AssertionError("not found")


@in_one_process
async def test_a_dry_run_is_the_default_and_stores_no_price(client, fresh):
    answer = await client.request("POST", IMPORTS, key=fresh.live_key, data=LIST.encode(), headers=CSV)
    done = (await ended(client, fresh.live_key, answer.json()["import_id"]))["price_import"]
    assert (done["status"], done["dry_run"], done["created"], done["refused"]) == ("checked", True, 3, 0)
    assert done["columns"] == {"sku": "SKU", "name": "Item", "unit": "Unit", "price": "Price", "currency": "Currency"}
    assert await search(client, fresh.live_key, "GUT-100") == []


async def test_what_is_applied_is_found_by_code_name_and_words_and_in_its_mode_only(client, fresh):
    done = (await imported(client, fresh.live_key, LIST.encode("utf-16")))["price_import"]
    assert (done["status"], done["rows_read"], done["created"]) == ("applied", 3, 3)
    items = await until(lambda: search(client, fresh.live_key, "gut-100"))
    assert [(one["sku"], one["price"], one["unit"]) for one in items] == [("GUT-100", 41.5, "m")]
    assert [one["sku"] for one in await search(client, fresh.live_key, "ceiling fans")] == ["FAN-1"]
    assert [one["sku"] for one in await search(client, fresh.live_key, "1/2 in coper elbows")] == ["ELB-12"]
    assert [one["sku"] for one in await search(client, fresh.live_key, "")] == ["ELB-12", "FAN-1", "GUT-100"]
    assert await search(client, fresh.test_key, "GUT-100") == []
    again = (await imported(client, fresh.live_key, LIST.encode()))["price_import"]
    assert (again["status"], again["unchanged"], again["changed"]) == ("applied", 3, 0)


@in_one_process
async def test_one_bad_row_stops_all_and_every_bad_row_says_why(client, fresh):
    data = (LIST + "X1;=cmd|calc;m;1,00;USD\nGUT-100;Again;m;2,00;USD\nX2;Y;furlong;-3;GBP\n").encode("cp1252")
    done = await imported(client, fresh.live_key, data)
    assert done["price_import"]["status"] == "refused"
    found = [(one["row"], one["field"], one["reason"]) for one in done["problems"]]
    assert found == [
        (5, "name", "formula"),
        (6, "sku", "sku_duplicate"),
        (7, "unit", "unit_unknown"),
        (7, "price", "price_negative"),
    ]
    assert await search(client, fresh.live_key, "") == []
    partly = await imported(client, fresh.live_key, data, skip_refused="true")
    assert (partly["price_import"]["status"], partly["price_import"]["created"]) == ("applied", 3)


@in_one_process
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"x" * (10 * 1024 * 1024), "line"),
        (b"\xff\xfe\x00", "utf-16"),
        (b"a;b\n1;2\n", "price"),
        (b"PK\x03\x04broken", "archive"),
        (b"%PDF-1.7", "PDF"),
    ],
)
async def test_a_file_that_is_no_price_list_is_refused_with_the_reason(client, organization, data, said):
    done = (await imported(client, organization.live_key, data))["price_import"]
    assert done["status"] == "failed"
    assert said in done["problem"]


@in_one_process
async def test_a_file_above_ten_mebibytes_is_too_large(client, organization):
    answer = await client.request(
        "POST", IMPORTS, key=organization.live_key, data=io.BytesIO(b"x" * (10 * 1024 * 1024 + 1)), headers=CSV
    )
    assert answer.status == 413


@in_one_process
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("columns=prize=A", "columns"),
        ("currency=XXX", "currency"),
        ("unit=furlong", "unit"),
        ("effective_from=2026-02-30", "effective_from"),
    ],
)
async def test_an_import_that_is_asked_for_wrongly_is_refused(client, organization, query, field):
    answer = await client.request("POST", f"{IMPORTS}?{query}", key=organization.live_key, data=b"x", headers=CSV)
    assert (answer.status, {name for name, _ in answer.fields()}) == (422, {field})


@in_one_process
async def test_a_repeated_start_is_the_same_import(client, fresh):
    headers = {**CSV, "Idempotency-Key": "list-1"}
    first, second = [
        await client.request("POST", IMPORTS, key=fresh.live_key, data=LIST.encode(), headers=headers) for _ in "ab"
    ]
    assert first.json() == second.json()
    assert second.headers["Idempotent-Replayed"] == "true"


async def test_progress_is_streamed_as_one_document_a_line_to_the_end(client, fresh):
    data = "SKU,Item,Unit,Price\n" + "".join(f"K{n},Thing {n},each,{n + 1}.25\n" for n in range(3000))
    answer = await client.request(
        "POST", f"{IMPORTS}?dry_run=false", key=fresh.live_key, data=data.encode(), headers=CSV
    )
    import_id = answer.json()["import_id"]
    answer = await client.request("GET", f"{IMPORTS}/{import_id}/progress", key=fresh.live_key)
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.body.splitlines()]
    assert len(lines) >= 2
    assert [line["rows_read"] for line in lines] == sorted(line["rows_read"] for line in lines)
    assert (lines[-1]["status"], lines[-1]["rows_read"], lines[-1]["rows_total"]) == ("applied", 3000, 3000)
    unknown = await client.request("GET", f"{IMPORTS}/4000000000/progress", key=fresh.live_key)
    assert unknown.status == 404


@in_one_process
async def test_an_item_keeps_its_history_and_the_price_at_any_date(client, fresh):
    new = {"sku": "P-1", "name": "Paint wall", "unit": "sq m", "price": 9.5, "effective_from": "2025-01-01"}
    made = await client.request("POST", ITEMS, key=fresh.live_key, json=new)
    assert made.status == 200, made.body
    item = made.json()
    assert (item["unit"], item["currency"], item["kind"]) == ("m2", "USD", "service")
    path = f"{ITEMS}/{item['item_id']}"
    taken = await client.request("POST", ITEMS, key=fresh.live_key, json={**new, "sku": "p-1"})
    assert (taken.status, taken.reason) == (409, "sku_taken")
    change = {"price": 10.25, "effective_from": "2026-01-01"}
    assert (await client.request("PATCH", path, key=fresh.live_key, json=change)).json()["price"] == 10.25
    past = await client.request("PATCH", path, key=fresh.live_key, json={"price": 9.75, "effective_from": "2025-06-01"})
    assert past.json()["name"] == "Paint wall"

    async def on(day):
        answer = await client.request("GET", f"{path}?on={day}", key=fresh.live_key)
        return answer.json().get("item", {}).get("price")

    assert [await on(day) for day in ("2024-12-31", "2025-05-31", "2025-06-01", "2026-01-01")] == [
        None, 9.5, 9.75, 10.25,
    ]  # fmt: skip
    retired = await client.request("POST", f"{path}/retire", key=fresh.live_key, json={})
    assert retired.json()["retired"] is True
    assert await search(client, fresh.live_key, "P-1") == []
    history = (await client.request("GET", path, key=fresh.live_key)).json()["history"]
    assert [(one["item"]["price"], one["item"]["retired"]) for one in history] == [
        (10.25, True), (10.25, False), (9.75, False), (9.5, False),
    ]  # fmt: skip
    assert history[0]["recorded_by"] == f"key:{fresh.live_key_id}"


@in_one_process
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"unit": "furlong"}, "unit"),
        ({"price": 0.1234567}, "price"),
        ({"price": 0}, "price"),
        ({"name": "=1+1"}, "name"),
        ({"currency": "XXX"}, "currency"),
        ({"effective_from": "2026-13-01"}, "effective_from"),
    ],
)
async def test_an_item_that_cannot_be_is_refused(client, organization, change, field):
    new = {"sku": "P-1", "name": "Paint wall", "unit": "m2", "price": 9.5, **change}
    answer = await client.request("POST", ITEMS, key=organization.live_key, json=new)
    assert (answer.status, {name for name, _ in answer.fields()}) == (422, {field})


async def test_another_organization_s_items_and_imports_do_not_exist(client, fresh, running):
    done = await imported(client, fresh.live_key, LIST.encode())
    item = (await until(lambda: search(client, fresh.live_key, "GUT-100")))[0]
    other = running.organization("Other")
    for key in (other.live_key, fresh.test_key):
        for method, path in (
            ("GET", f"{ITEMS}/{item['item_id']}"),
            ("PATCH", f"{ITEMS}/{item['item_id']}"),
            ("POST", f"{ITEMS}/{item['item_id']}/retire"),
            ("GET", f"{IMPORTS}/{done['price_import']['import_id']}"),
        ):
            body = {} if method == "GET" else {"json": {}}
            assert (await client.request(method, path, key=key, **body)).status == 404


@in_one_process
async def test_a_viewer_reads_and_does_not_write(client, running, organization):
    viewer = running.member(organization.organization_id, "viewer")
    assert (await client.request("GET", ITEMS, session=viewer)).status == 200
    answer = await client.request(
        "POST", ITEMS, session=viewer, json={"sku": "a", "name": "b", "unit": "m", "price": 1}
    )
    assert (answer.status, answer.reason) == (403, "role_required")


@in_one_process
async def test_a_key_without_the_scope_reads_and_writes_nothing(client, organization):
    for method, path in (("GET", ITEMS), ("POST", ITEMS)):
        body = {} if method == "GET" else {"json": {"sku": "a", "name": "b", "unit": "m", "price": 1}}
        answer = await client.request(method, path, key=organization.bare_key, **body)
        assert (answer.status, answer.reason) == (403, "scope_required")


@in_one_process
async def test_own_prices_come_before_public_ones_and_name_their_revision(client, fresh):
    before = (await client.request("POST", PRICE, key=fresh.live_key, json={"query": "ceiling fan"})).json()["options"]
    assert before and all(one["source"]["kind"] != "price_book" for one in before)
    await imported(client, fresh.live_key, LIST.encode())

    async def own():
        answer = await client.request("POST", PRICE, key=fresh.live_key, json={"query": "ceiling fan"})
        options = answer.json()["options"]
        return options if options[0]["source"]["kind"] == "price_book" else None

    options = await until(own)
    assert (options[0]["product_name"], options[0]["price"], options[0]["unit"]) == ("Ceiling fan", 1210.0, "each")
    assert options[0]["source"]["row"].startswith("FAN-1, revision ")
    assert [one["source"]["kind"] for one in options[1:]] == [one["source"]["kind"] for one in before][:9]


@in_one_process
async def test_a_code_that_looks_like_a_zip_code_is_found(client, fresh):
    await imported(client, fresh.live_key, b"SKU,Item,Unit,Price\n37201,Oak shelf,each,41.50\n")

    async def own():
        return (await client.request("POST", PRICE, key=fresh.live_key, json={"query": "37201"})).json()["options"]

    assert [(one["product_name"], one["price"]) for one in await until(own)] == [("Oak shelf", 41.5)]


@in_one_process
async def test_every_hit_of_a_search_is_on_one_page(client, fresh):
    """More than a price query looks at, and none of those that are retired: by words as in the whole list."""
    rows = "".join(f"W{n:02},Gizmo model {n},each,9\n" for n in range(60))
    await imported(client, fresh.live_key, f"SKU,Item,Unit,Price\n{rows}".encode())
    first = (await until(lambda: search(client, fresh.live_key, "W00")))[0]
    await client.request("POST", f"{ITEMS}/{first['item_id']}/retire", key=fresh.live_key, json={})
    for query in ("gizmo", ""):
        seen, more = [], True
        while more:
            page = await client.request(
                "GET", ITEMS, key=fresh.live_key, params={"query": query, "limit": 20, "offset": len(seen)}
            )
            found, more = [one["sku"] for one in page.json()["data"]], page.json()["has_more"]
            assert len(found) == (20 if more else 19)
            seen += found
        assert sorted(seen) == [f"W{n:02}" for n in range(1, 60)]


@in_one_process
async def test_a_quote_takes_the_company_s_own_price_and_refuses_a_unit_that_does_not_fit(client, fresh):
    text = "Fit three ceiling fans in Nashville and replace 12 m of seamless gutter"
    wrong = LIST.replace("Ceiling fan;each", "Ceiling fan;m2")
    await imported(client, fresh.live_key, wrong.encode())

    async def lines():
        quote = (await client.generate(fresh.live_key, text)).json()
        return (
            quote["line_items"] if any(one["source"]["kind"] == "price_book" for one in quote["line_items"]) else None
        )

    found = await until(lines)
    fan = next(line for line in found if "fan" in line["description"].lower())
    assert (fan["priced"], fan["amount"]) == (False, 0)
    assert any("per m2" in reason for reason in fan["review_reasons"])
    gutter = next(line for line in found if "gutter" in line["description"].lower())
    assert (gutter["price"], gutter["amount"], gutter["source"]["kind"]) == (41.5, 498.0, "price_book")
    assert gutter["description"] == "Seamless gutter"
    component = gutter["source"]["components"][0]
    assert (component["kind"], component["rate"], component["dataset"]) == ("price_book", 41.5, "price-book")


async def test_the_port_answers_like_the_gateway(running, fresh):
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        books = price_book_pb2_grpc.PriceBookServiceStub(channel)
        metadata = (("authorization", f"Bearer {fresh.session}"),)
        request = price_book_pb2.StartImportRequest(filename="a.csv", dry_run=False)
        request.file.data = LIST.encode()
        started = await books.StartImport(request, metadata=metadata)
        seen = [
            message.price_import.status
            async for message in books.WatchImport(
                price_book_pb2.WatchImportRequest(import_id=started.price_import.import_id), metadata=metadata
            )
        ]
        assert (seen[0], seen[-1]) == ("running", "applied") or seen == ["applied"]
        page = await books.SearchItems(price_book_pb2.SearchItemsRequest(query="FAN-1"), metadata=metadata)
        assert [one.name for one in page.data] == ["Ceiling fan"]
