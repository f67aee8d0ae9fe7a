"""Promises of lists and of quotes that sessions make: found by words and filters, counted, made from a text or by hand."""

import pytest

from tests.contract.test_documents import in_one_process

QUOTES, CUSTOMERS = "/api/v1/quotes", "/api/v1/customers"


@pytest.fixture
def workspace(running, client):
    """Calls the API as the owner of a new organization; ``call.organization`` has its keys."""
    organization = running.organization("Finding")

    async def call(method, path, status=200, **more):
        answer = await client.request(method, path, session=organization.session, **more)
        assert answer.status == status, answer.body
        return answer.json() if status == 200 else answer

    call.organization = organization
    return call


async def test_quotes_are_listed_by_words_customer_review_and_day(client, workspace):
    ann = (await workspace("POST", CUSTOMERS, json={"name": "Ann Lée"}))["customer_id"]
    first = await workspace("POST", QUOTES, json={"text": "Fit 3 ceiling fans in Boston", "customer_id": ann})
    line = {"description": "Trim the hedge", "qty": 2, "unit": "h", "price": 40}
    second = await workspace("POST", QUOTES, json={"line_items": [line]})
    today = first["created_at"][:10]
    for query, expected in (
        ("query=boston", [first]),
        ("query=ann%20lee", [first]),
        ("query=hedge%20trim", [second]),
        (f"query={second['quote_number']}", [second]),
        (f"customer_id={ann}", [first]),
        ("needs_review=false", [second]),
        (f"created_from={today}&created_to={today}&status=draft", [second, first]),
        (f"created_to={today}&needs_review=true&query=fans", [first]),
        ("created_to=2020-01-01", []),
        ("query=", [second, first]),
    ):
        found = await workspace("GET", f"{QUOTES}?{query}")
        assert [one["quote_id"] for one in found["data"]] == [one["quote_id"] for one in expected], query
        assert (found["total"], found["has_more"]) == (len(expected), False)
    row = (await workspace("GET", f"{QUOTES}?query=boston"))["data"][0]
    assert (row["customer_id"], row["customer_name"], row["opening"]) == (ann, "Ann Lée", first["text"])
    assert (row["location"], row["valid_until"]) == (first["location"], first["valid_until"])
    test_mode = await client.request("GET", f"{QUOTES}?query=boston", key=workspace.organization.test_key)
    assert test_mode.json()["total"] == 0
    for query in ("created_from=2026-02-30", "created_to=today", "query=" + "x" * 201, "needs_review=perhaps"):
        await workspace("GET", f"{QUOTES}?{query}", status=422)


async def test_quotes_are_counted_by_status(workspace):
    made = [await workspace("POST", QUOTES, json={"text": "Fit 3 ceiling fans"}) for _ in range(2)]
    line = {"description": "Trim the hedge", "qty": 2, "unit": "h", "price": 40}
    await workspace("POST", QUOTES, json={"line_items": [line]})
    await workspace("POST", "/api/v1/workflows/submit", json={"quote_id": made[0]["quote_id"]})
    counts = (await workspace("GET", f"{QUOTES}/summary"))["statuses"]
    assert [one["status"] for one in counts] == [
        *("draft", "in_review", "approved", "sent", "accepted", "declined", "expired", "void")
    ]
    assert [one["quotes"] for one in counts] == [2, 1, 0, 0, 0, 0, 0, 0]
    assert counts[0]["needs_review"] == int(made[1]["needs_review"])


async def test_lines_by_hand_are_priced_by_who_enters_them(workspace):
    lines = [
        {"description": "  Lay   turf ", "qty": 12.5, "unit": "sqm", "price": 8.4, "kind": "labour"},
        {"description": "Edging", "qty": 3, "unit": "m"},
        {"description": "Shed", "qty": 1, "unit": "each", "price": 900, "optional": True},
    ]
    quote = await workspace("POST", QUOTES, json={"line_items": lines, "text": "A lawn", "location": "Leeds, UK"})
    seen = [(one["description"], one["unit"], one["amount"], one["priced"]) for one in quote["line_items"]]
    assert seen == [("Lay turf", "m2", 105.0, True), ("Edging", "m", 0.0, False), ("Shed", "each", 900.0, True)]
    assert (quote["subtotal"], quote["currency"], quote["text"], quote["questions"]) == (105.0, "GBP", "A lawn", [])
    assert quote["line_items"][0]["kind"] == "labour"
    assert quote["line_items"][0]["source"]["kind"] == "entered"
    explained = await workspace("GET", f"{QUOTES}/{quote['quote_id']}/lines/1/explanation")
    assert (explained["holds"], explained["amount"]) == (True, 105.0)
    versions = await workspace("GET", f"{QUOTES}/{quote['quote_id']}/versions")
    assert [one["change"] for one in versions["data"]] == ["drafted"]


async def test_a_price_of_minus_nothing_is_nothing(workspace):
    body = {"line_items": [LINE | {"price": -0.0}]}
    made = await workspace("POST", QUOTES, json=body)
    edit = {"line_items": [{"line_id": made["line_items"][0]["line_id"], "price": -0.0, "qty": 2}]}
    changed = await workspace("PATCH", f"{QUOTES}/{made['quote_id']}", json=edit)
    explained = await workspace("GET", f"{QUOTES}/{made['quote_id']}/lines/1/explanation")
    for figure in (made["line_items"][0]["price"], changed["line_items"][0]["price"]):
        assert str(figure) == "0.0"
    assert [one["value"] for one in explained["facts"]] == ["0"]


LINE = {"description": "Turf", "qty": 1, "unit": "m2"}


@in_one_process
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "document_id"),
        ({"text": "Paint", "document_id": "doc_1"}, "document_id"),
        ({"document_id": "doc_1", "line_items": [LINE]}, "document_id"),
        ({"document_id": "doc_1", "location": "Leeds"}, "location"),
        ({"text": " "}, "text"),
        ({"line_items": [LINE | {"qty": 0}]}, "line_items[0].qty"),
        ({"line_items": [LINE, LINE | {"qty": 1.0001}]}, "line_items[1].qty"),
        ({"line_items": [LINE | {"price": 1.005}]}, "line_items[0].price"),
        ({"line_items": [LINE | {"price": 1e9, "qty": 1e9}]}, "line_items[0].qty"),
        ({"line_items": [LINE | {"unit": ""}]}, "line_items[0].unit"),
        ({"line_items": [LINE | {"kind": "gift"}]}, "line_items[0].kind"),
        ({"line_items": [LINE] * 101}, "line_items"),
    ],
)
async def test_what_a_quote_cannot_be_made_of_is_told_by_field(workspace, body, field):
    answer = await workspace("POST", QUOTES, status=422, json=body)
    assert field in {name for name, _ in answer.fields()}


async def test_a_preview_takes_place_and_template_as_the_quote_does(workspace):
    lines = [{"description": "Travel", "qty": 1, "unit": "each", "price": 30, "kind": "fee"}]
    template = await workspace("POST", "/api/v1/templates", json={"template": {"name": "Visit", "line_items": lines}})
    asked = {"text": "Fit 3 ceiling fans", "location": "Chicago, IL", "template_id": template["template_id"]}
    preview = await workspace("GET", f"{QUOTES}/generate", params=asked)
    made = await workspace("POST", QUOTES, json=asked)
    for name in ("total", "location", "line_items", "assumptions", "questions", "template_id"):
        assert preview[name] == made[name], name
    assert made["location"].startswith("Chicago")
    assert made["line_items"][-1]["description"] == "Travel"
    unknown = asked | {"text": "Fit 3 ceiling fans in Nashville, TN", "location": "Chcago"}
    for quote in (
        await workspace("GET", f"{QUOTES}/generate", params=unknown),
        await workspace("POST", QUOTES, json=unknown),
    ):
        assert "“Chcago” is no known place: prices are for Nashville, TN, US." in quote["review_reasons"]
        assert quote["needs_review"]
    missing = asked | {"template_id": "tpl_1"}
    await workspace("GET", f"{QUOTES}/generate", status=404, params=missing)
    await workspace("POST", QUOTES, status=404, json=missing)
    await workspace("POST", QUOTES, status=404, json={"text": "Paint", "customer_id": 999_999_999})


async def test_what_a_text_was_drafted_with_holds_when_its_questions_are_answered(workspace):
    asked = {"text": "Paint the walls", "location": "Chicago, IL", "margin": 0.2}
    quote = await workspace("POST", QUOTES, json=asked)
    answers = {"answers": [{"question_id": quote["questions"][0]["question_id"], "text": "40 m2"}]}
    answered = await workspace("POST", f"{QUOTES}/{quote['quote_id']}/answers", json=answers)
    made = await workspace("POST", QUOTES, json=asked | {"text": "Paint 40 m2 of walls"})
    assert [one["price"] for one in answered["line_items"]] == [one["price"] for one in made["line_items"]]
    for one in (quote, answered):
        assert one["location"].startswith("Chicago")
        assert any("margin of 20 %" in said for said in one["assumptions"])


async def test_a_dry_run_of_a_merge_tells_what_it_would_be_and_changes_nothing(workspace):
    stays = await workspace("POST", CUSTOMERS, json={"name": "Ann", "email": "ann@lee.example"})
    goes = await workspace("POST", CUSTOMERS, json={"name": "A. Lee", "phone": "615"})
    path, body = f"{CUSTOMERS}/{stays['customer_id']}/merge", {"duplicate_id": goes["customer_id"]}
    told = await workspace("POST", path, json=body | {"dry_run": True})
    assert (told["name"], told["phone"], told["merged_ids"]) == ("Ann", "615", [goes["customer_id"]])
    assert (await workspace("GET", CUSTOMERS))["total"] == 2
    merged = await workspace("POST", path, json=body)
    assert {**merged, "updated_at": ""} == {**told, "updated_at": ""}
    found = await workspace("GET", f"{CUSTOMERS}?query=ann%20615")
    assert [one["customer_id"] for one in found["data"]] == [stays["customer_id"]]
    same = await workspace("POST", path, status=422, json={"duplicate_id": stays["customer_id"], "dry_run": True})
    assert same.fields() == {("duplicate_id", "customer.same")}
