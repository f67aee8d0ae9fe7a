"""Promises of the pages of quotes and customers, over both backends."""

import asyncio
import re
from html import unescape

import pytest

from tests import papers
from tests.visitor import Browser, cookie, raw

REQUEST = "Replace 12 m of guttering and two downpipes in Nashville"
HOSTILE = '<script>alert(1)</script><svg onload="x">=1+1\u202e'


@pytest.fixture
def browser(client, organization):
    return Browser(client, organization.session)


@pytest.fixture
def fresh(running):
    """An organization in which nothing was made yet."""
    return running.organization("Fresh")


async def made(browser, path="/quotes/new", **fields):
    """The id of a quote that a form made."""
    status, headers, page = await browser.post(path, **{"do": "create", **fields})
    assert status == 303, page
    return int(re.fullmatch(r"/quotes/(\d+)", headers["Location"])[1])


async def customer(browser, **fields):
    """The id of a customer that the form made."""
    status, headers, page = await browser.post("/customers", **fields)
    assert status == 303, page
    return int(re.fullmatch(r"/customers/(\d+)", headers["Location"])[1])


async def read(client, browser, quote_id):
    answer = await client.request("GET", f"/api/v1/quotes/{quote_id}", session=browser.session)
    assert answer.status == 200
    return answer.json()


async def seen(browser, path):
    status, _, page = await browser.get(path)
    assert status == 200, page
    assert len(page) < 150_000
    return page


def listed(page):
    """The numbers of the quotes in a table."""
    return re.findall(r">(Q-\d{4}-\d{6})</a>", page)


async def test_a_text_becomes_a_preview_that_stores_nothing_and_then_a_quote(client, fresh):
    browser = Browser(client, fresh.session)
    assert "There is no quote yet" in await seen(browser, "/quotes")
    assert "There is no quote yet" in await seen(browser, "/")
    who = await customer(browser, name="Ann Lee")
    fields = {"text": REQUEST, "location": "Chicago, IL", "industry": "roofing", "customer_id": str(who)}
    status, _, page = await browser.post("/quotes/new", do="preview", **fields)
    assert status == 200
    assert re.search(r"Prices of Chicago.*downpipe|downpipe.*Prices of Chicago", page, re.DOTALL | re.IGNORECASE)
    assert REQUEST in page  # what was typed stays
    assert re.search(rf'value="{who}" selected', page)
    assert listed(await seen(browser, "/quotes")) == []
    quote = await read(client, browser, await made(browser, **fields))
    assert (quote["text"], quote["customer_id"], quote["industry"]) == (REQUEST, who, "roofing")
    assert quote["location"].startswith("Chicago")
    page = await seen(browser, "/quotes")
    assert listed(page) == [quote["quote_number"]]
    assert "Ann Lee" in page
    assert f"{quote['total']:,.2f} USD" in page
    assert f'href="/quotes/{quote["quote_id"]}"' in await seen(browser, "/")


async def test_the_place_that_was_given_holds_when_questions_are_answered(client, browser):
    quote = await read(client, browser, await made(browser, text="Paint the walls", location="Chicago, IL"))
    assert quote["location"].startswith("Chicago")
    (question, *_) = quote["questions"]
    answer = await client.request(
        "POST",
        f"/api/v1/quotes/{quote['quote_id']}/answers",
        session=browser.session,
        json={"answers": [{"question_id": question["question_id"], "text": "40 m2"}]},
    )
    assert answer.status == 200, answer.body
    assert answer.json()["location"] == quote["location"]


async def test_a_templates_lines_stay_when_questions_are_answered(client, browser):
    template = {"name": "Visit", "terms": "Net 7", "line_items": [
        {"description": "Travel", "qty": 1, "unit": "each", "price": 30, "kind": "fee"}]}  # fmt: skip
    added = await client.request("POST", "/api/v1/templates", session=browser.session, json={"template": template})
    assert added.status == 200, added.body
    template_id = added.json()["template_id"]
    _, _, page = await browser.post("/quotes/new", do="preview", text="Paint the walls", template_id=template_id)
    assert "Travel" in page
    quote = await read(client, browser, await made(browser, text="Paint the walls", template_id=template_id))
    assert (quote["terms"], quote["line_items"][-1]["description"]) == ("Net 7", "Travel")
    path = f"/api/v1/quotes/{quote['quote_id']}"
    renamed = {"line_items": [{"line_id": quote["line_items"][-1]["line_id"], "description": "Travel, two ways"}]}
    assert (await client.request("PATCH", path, session=browser.session, json=renamed)).status == 200
    answers = {"answers": [{"question_id": quote["questions"][0]["question_id"], "text": "40 m2"}]}
    answer = await client.request("POST", f"{path}/answers", session=browser.session, json=answers)
    lines = [line["description"] for line in answer.json()["line_items"]]
    assert [one for one in lines if "Travel" in one] == ["Travel, two ways"]


async def test_lines_entered_by_hand_are_the_quote(client, browser):
    rows = {
        "description": ["Lay turf", "", "Skip hire"], "qty": ["12.5", "", ""], "unit": ["m2", "", ""],
        "price": ["8.40", "", "1,180"], "kind": ["service", "service", "fee"],
    }  # fmt: skip
    answered = await post_rows(browser, rows, text="The Lees' lawn")
    quote_id = int(re.fullmatch(r"/quotes/(\d+)", answered[1]["Location"])[1])
    quote = await read(client, browser, quote_id)
    lines = [(line["description"], line["qty"], line["unit"], line["amount"]) for line in quote["line_items"]]
    assert lines == [("Lay turf", 12.5, "m2", 105.0), ("Skip hire", 1, "each", 1180.0)]
    assert (quote["subtotal"], quote["text"], quote["needs_review"]) == (1285.0, "The Lees' lawn", False)
    assert {line["source"]["kind"] for line in quote["line_items"]} == {"entered"}
    assert listed(await seen(browser, "/quotes?q=turf"))


async def post_rows(browser, rows, **fields):
    """The form for lines: fields of one name, several times."""
    pairs = [("csrf", await browser.token("/quotes/new/by-hand")), ("do", "create"), *fields.items()]
    pairs += [(name, value) for name, values in rows.items() for value in values]
    return await raw(browser.client, "POST", "/quotes/new/by-hand", headers=cookie(browser.session), data=pairs)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"description": ["A"], "qty": ["many"], "unit": ["m"], "price": [""], "kind": ["fee"]}, "qty-error"),
        ({"description": ["A"], "qty": ["-1"], "unit": ["m"], "price": [""], "kind": ["fee"]}, "qty-error"),
        ({"description": ["A"], "qty": ["1"], "unit": ["m"], "price": ["1.999"], "kind": ["fee"]}, "price-error"),
        ({"description": ["A"], "qty": ["1"], "unit": ["m"], "price": ["nan"], "kind": ["fee"]}, "price-error"),
        ({"description": ["A"], "qty": ["1"], "unit": ["m"], "price": ["1e9999999"], "kind": ["fee"]}, "price-error"),
        ({"description": ["A"], "qty": ["12,50"], "unit": ["m"], "price": ["1"], "kind": ["fee"]}, "qty-error"),
        ({"description": ["A"], "qty": ["1"], "unit": ["m"], "price": ["1"], "kind": ["gift"]}, "kind-error"),
        ({"description": [""], "qty": ["1"], "unit": ["m"], "price": ["1"], "kind": ["fee"]}, "description-error"),
        ({"description": [""], "qty": [""], "unit": [""], "price": [""], "kind": ["fee"]}, "description-error"),
    ],
)
async def test_what_is_wrong_with_a_line_is_told_beside_it_and_what_was_typed_stays(browser, rows, message):
    status, _, page = await post_rows(browser, rows, text="kept")
    assert status == 422
    assert f'id="line_items[0].{message}"' in page
    assert "kept</textarea>" in page
    assert f'value="{rows["qty"][0]}"' in page or not rows["qty"][0]


async def test_a_form_that_is_sent_again_leads_to_the_same_quote(browser):
    fields = {"text": REQUEST, "idempotency_key": "a-form"}
    assert await made(browser, **fields) == await made(browser, **fields)


async def test_what_is_wrong_with_a_text_is_told_beside_it(browser):
    for fields, field in (
        ({"text": " "}, "text"),
        ({"text": "x" * 20_001}, "text"),
        ({"text": "Paint", "industry": "x" * 81}, "industry"),
        ({"text": "Paint", "customer_id": "some"}, "customer_id"),
        ({"text": "x" * 2_001, "do": "preview"}, "text"),
    ):
        status, _, page = await browser.post("/quotes/new", **{"do": "create", **fields})
        assert (status, f'id="{field}-error"' in page) == (422, True), fields


@pytest.mark.parametrize("letter", ["ж", "語", "\N{HOUSE BUILDING}"])
async def test_the_longest_text_fits_whatever_it_is_written_in(client, browser, letter):
    line = {"description": "Visit", "qty": "1", "unit": "each", "price": "30", "kind": "fee"}
    quote = await made(browser, "/quotes/new/by-hand", text=letter * 20_000, **line)
    assert (await read(client, browser, quote))["text"] == letter * 20_000
    for path in ("/quotes/new", "/quotes/new/by-hand"):
        status, _, page = await browser.post(path, text=letter * 20_001, do="create", **line)
        assert (status, 'id="text-error"' in page, letter * 20_001 in page) == (422, True, True), path


async def followed(browser, path):
    """The page of a document once it is not being read any more."""
    async with asyncio.timeout(40):
        while True:
            page = await seen(browser, path)
            if 'class="progress"' not in page:
                _, headers, status = await browser.get(f"{path}/status")
                assert headers["Content-Type"] == "application/json"
                assert '"reading"' not in status
                return page
            assert 'http-equiv="refresh"' in page
            await asyncio.sleep(0.1)


async def test_a_document_is_read_behind_the_answer_and_becomes_a_quote(client, browser):
    file = ("bill.csv", papers.separated(), "text/csv")
    status, headers, _ = await browser.post("/quotes/new/document", file=file, idempotency_key="once")
    assert status == 303
    path = headers["Location"]
    again = await browser.post("/quotes/new/document", file=file, idempotency_key="once")
    assert again[1]["Location"] == path
    page = await followed(browser, path)
    assert "with 6 rows" in page
    assert path in await seen(browser, "/quotes/new/document")
    for margin in ("lots", "1e9999999", "-1e9999999", "nan", "inf", "9" * 400, "200"):
        status, _, page = await browser.post(path, margin=margin)
        assert (status, 'id="margin-error"' in page) == (422, True), margin
    quote = await read(client, browser, await made(browser, path, margin="20 %"))
    assert (len(quote["line_items"]), quote["margin"]) == (3, 0.2)
    assert quote["document_id"] == path.rpartition("/")[2]
    assert (await browser.post(f"{path}/delete"))[0] == 303
    assert (await browser.get(path))[0] == 404


async def test_a_document_that_is_refused_says_why_and_drafts_nothing(browser):
    file = ("scan.pdf", b"%PDF-1.4 nothing of the kind", "application/pdf")
    _, headers, _ = await browser.post("/quotes/new/document", file=file)
    page = await followed(browser, headers["Location"])
    assert 'class="notice bad"' in page
    assert "Make the draft" not in page
    assert (await browser.post(headers["Location"]))[0] == 409
    status, _, page = await browser.post("/quotes/new/document", file=("", b"", "text/plain"))
    assert (status, 'id="file-error"' in page) == (422, True)


async def test_quotes_are_found_filtered_and_paged(client, fresh):
    browser = Browser(client, fresh.session)
    who = await customer(browser, name="Zoë Quill")
    ids = [await made(browser, text=f"Paint {count} doors in Boston") for count in range(2, 30)]
    other = await made(browser, text="Trim a hedge", customer_id=str(who))
    page = await seen(browser, "/quotes")
    assert "29 quotes" in page
    assert len(listed(page)) == 25
    older = unescape(re.search(r'rel="next" href="([^"]+)"', page)[1])
    assert len(listed(await seen(browser, older))) == 4
    number = (await read(client, browser, other))["quote_number"]
    for query in ("q=hedge", "q=quill", f"q={number}", "q=ZOE"):
        assert listed(await seen(browser, f"/quotes?{query}")) == [number], query
    page = await seen(browser, "/quotes?q=doors+boston&status=draft")
    next_page = unescape(re.search(r'rel="next" href="([^"]+)"', page)[1])
    assert "q=doors+boston&status=draft&" in next_page
    assert len(listed(await seen(browser, next_page))) == 3
    voided = await client.request("POST", f"/api/v1/quotes/{ids[0]}/void", session=browser.session, json={})
    assert voided.status == 200
    assert len(listed(await seen(browser, "/quotes?status=void"))) == 1
    assert "No quote fits" in await seen(browser, "/quotes?from=2030-01-01")
    assert len(listed(await seen(browser, "/quotes?from=2020-01-01&to=2090-01-01"))) == 25
    needing, fine = [listed(await seen(browser, f"/quotes?review={one}&q=boston")) for one in "10"]
    assert not set(needing) & set(fine)
    for query, field in (("from=2026-02-31", "created_from"), ("to=soon", "created_to"), ("status=lost", "status")):
        status, _, page = await browser.get(f"/quotes?{query}")
        assert (status, f'id="{field}-error"' in page) == (422, True), query
    page = await seen(browser, "/")
    counts = {
        unescape(path): int(count) for path, count in re.findall(r'<a href="(/quotes[^"]+)"><strong>(\d+)<', page)
    }
    assert counts["/quotes?status=draft&review=1"] + counts["/quotes?status=draft&review=0"] == 28
    summary = (await client.request("GET", "/api/v1/quotes/summary", key=fresh.live_key)).json()["statuses"]
    assert {one["status"]: one["quotes"] for one in summary if one["quotes"]} == {"draft": 28, "void": 1}


async def test_a_customer_is_made_found_changed_and_has_its_quotes(client, fresh):
    browser = Browser(client, fresh.session)
    assert "There is no customer yet" in await seen(browser, "/customers")
    who = await customer(browser, name="Ann Lee", email="ann@lee.example", address="1 Main St\nNashville")
    quote = await made(browser, text=REQUEST, customer_id=str(who))
    page = await seen(browser, f"/customers/{who}")
    assert f'href="/quotes/{quote}"' in page
    assert "Ann Lee" in await seen(browser, "/customers?q=nashville")
    assert "No customer is known" in await seen(browser, "/customers?q=bob")
    was = {"was_name": "Ann Lee", "was_email": "ann@lee.example", "was_phone": ""}
    changed = {"name": "Ann Kim", "email": "ann@lee.example", "phone": "615 555 0100", **was}
    # Somebody else has changed the address meanwhile, which this form did not touch.
    other = {"name": "Ann Lee", "was_name": "Ann Lee", "address": "2 Main St", "was_address": "1 Main St\nNashville"}
    assert (await browser.post(f"/customers/{who}/edit", **other))[0] == 303
    assert (await browser.post(f"/customers/{who}/edit", **changed))[0] == 303
    page = await seen(browser, f"/customers/{who}")
    assert all(one in page for one in ("Ann Kim", "615 555 0100", "2 Main St", "ann@lee.example"))
    status, _, page = await browser.post(f"/customers/{who}/edit", **(changed | {"email": "nobody", "name": "Eve"}))
    assert (status, 'id="email-error"' in page, 'value="Eve"' in page) == (422, True, True)
    status, _, page = await browser.post("/customers", name="", email="nobody", phone="1")
    assert (status, 'id="email-error"' in page, 'value="nobody"' in page) == (422, True, True)


async def test_a_customer_is_made_from_a_quote_and_from_a_lead(client, browser, organization):
    quote = await made(browser, text=REQUEST)
    assert "Made from" in await seen(browser, f"/customers/new?quote_id={quote}")
    who = await customer(browser, name="Ann", quote_id=str(quote))
    assert "Nashville" in await seen(browser, f"/customers/{who}")
    lead = await client.request(
        "POST", "/api/v1/leads/request", key=organization.live_key,
        json={"city": "Nashville", "trade": "roofing", "company": "Cedar & Slate", "phone": "615 555 0199"},
    )  # fmt: skip
    lead_id = str(lead.json()["lead_id"])
    assert f"lead {lead_id}" in await seen(browser, f"/customers/new?lead_id={lead_id}")
    page = await seen(browser, f"/customers/{await customer(browser, lead_id=lead_id)}")
    assert "Cedar &amp; Slate" in page
    assert "615 555 0199" in page


async def test_merging_shows_what_will_happen_and_then_does_that(browser):
    stays = await customer(browser, name="Ann Lee", email="ann@lee.example")
    goes = await customer(browser, name="Ann L.", phone="615 555 0100")
    quote = await made(browser, text=REQUEST, customer_id=str(goes))
    path = f"/customers/{stays}/merge"
    page = await seen(browser, path)
    assert f"{path}?duplicate_id={goes}" in page
    page = await seen(browser, f"{path}?duplicate_id={goes}")
    assert "1 quote goes over to Ann Lee" in page
    assert re.search(r"<strong>615 555 0100</strong>", page)
    assert "Ann L." in await seen(browser, "/customers")  # nothing has happened yet
    assert (await browser.post(path, duplicate_id=str(stays)))[0] == 422
    status, headers, _ = await browser.post(path, duplicate_id=str(goes), idempotency_key="merge")
    assert (status, headers["Location"]) == (303, f"/customers/{stays}")
    page = await seen(browser, f"/customers/{stays}")
    assert "615 555 0100" in page
    assert f'href="/quotes/{quote}"' in page
    assert (await browser.get(f"/customers/{goes}"))[1]["Location"] == f"/customers/{stays}"
    assert "Ann L.<" not in await seen(browser, "/customers")


async def test_another_tenants_ids_are_not_there(running, client, browser):
    stranger = Browser(client, running.organization("Stranger").session)
    who = await customer(stranger, name="Theirs")
    mine = await customer(browser, name="Mine")
    quote = await made(stranger, text=REQUEST)
    _, headers, _ = await stranger.post("/quotes/new/document", file=("b.csv", papers.separated(), "text/csv"))
    document = headers["Location"]
    await followed(stranger, document)
    for path in (
        f"/customers/{who}", f"/customers/{who}/edit", f"/customers/{who}/merge",
        f"/customers/{mine}/merge?duplicate_id={who}", document, f"{document}/status",
        f"/quotes/new?customer_id={who}",
    ):  # fmt: skip
        assert (await browser.get(path))[0] == 404, path
    for path, fields in (
        (f"/customers/{who}/edit", {"name": "x", "was_name": "y"}),
        (f"/customers/{who}/merge", {"duplicate_id": str(mine)}),
        (f"/customers/{mine}/merge", {"duplicate_id": str(who)}),
        ("/customers", {"name": "x", "quote_id": str(quote)}),
        ("/quotes/new", {"do": "create", "text": "Paint", "customer_id": str(who)}),
        ("/quotes/new", {"do": "create", "text": "Paint", "template_id": "tpl_nobodys"}),
        (document, {}),
        (f"{document}/delete", {}),
    ):
        status, _, page = await browser.post(path, **fields)
        assert (status, "There is no such page" in page) == (404, True), path
    assert "Theirs" not in await seen(browser, "/customers?q=theirs")
    assert listed(await seen(browser, "/quotes?q=theirs")) == []


async def test_a_viewer_reads_and_makes_nothing(running, client, organization, browser):
    who = await customer(browser, name="Ann")
    quote = await made(browser, text=REQUEST, customer_id=str(who))
    viewer = Browser(client, running.member(organization.organization_id, "viewer"))
    assert listed(await seen(viewer, "/quotes"))
    assert f"/quotes/{quote}" in await seen(viewer, f"/customers/{who}")
    for path in (
        "/", "/quotes", "/quotes/new", "/quotes/new/by-hand", "/customers", "/customers/new", f"/customers/{who}",
        f"/customers/{who}/edit",
    ):  # fmt: skip
        page = await seen(viewer, path)
        assert not re.search(r'<form method="post" action="/(quotes|customers)', page), path
    for path, fields in (
        ("/quotes/new", {"do": "create", "text": "Paint"}),
        ("/quotes/new/document", {"file": ("b.csv", papers.separated(), "text/csv")}),
        ("/customers", {"name": "x"}),
        (f"/customers/{who}/edit", {"name": "x", "was_name": "Ann"}),
    ):
        assert (await viewer.post(path, **fields))[0] == 403, path


async def test_stored_text_shows_as_text(client, browser):
    who = await customer(browser, name=HOSTILE, company=HOSTILE, address=HOSTILE, notes=HOSTILE)
    await made(browser, text=f"Paint 3 doors. {HOSTILE}", customer_id=str(who))
    _, headers, _ = await browser.post("/quotes/new/document", file=(f"{HOSTILE}.txt", HOSTILE.encode(), "text/plain"))
    await followed(browser, headers["Location"])
    for path in (
        "/", "/quotes", "/quotes?q=%3Cscript%3E", "/quotes/new", "/quotes/new/document", headers["Location"],
        "/customers", f"/customers/{who}", f"/customers/{who}/edit", f"/customers/{who}/merge?q=",
    ):  # fmt: skip
        page = await seen(browser, path)
        assert "<script>alert" not in page, path
        assert "<svg" not in page, path
    assert HOSTILE in unescape(await seen(browser, f"/customers/{who}"))
