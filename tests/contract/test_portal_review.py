"""Promises of the page of a quote, over both backends: it shows what a draft is made of, changes it, and takes it to its
customer; nothing of another tenant, nothing that the state or role does not allow."""

import re
from html import unescape

import pytest

from tests.contract.test_sending import mails
from tests.visitor import Browser, cookie, raw

TEXT = "Install 2 radiators, paint 30 m2 of walls and repair the flux capacitor in Nashville"


class Desk(Browser):
    """Somebody at the page of one quote, whose forms hold what the page was made for."""

    def __init__(self, client, session, quote):
        super().__init__(client, session)
        self.quote_id = quote["quote_id"]
        self.held = {}

    async def look(self, path=""):
        status, _, page = await self.get(f"/quotes/{self.quote_id}{path}")
        assert status == 200, page
        assert len(page.encode()) < 150_000
        self.hold(page)
        return unescape(page)

    def hold(self, page):
        for name in ("tag", "version"):
            found = re.search(rf'name="{name}" value="(.*?)"', page)
            self.held[name] = unescape(found[1]) if found else ""

    async def do(self, path="", **fields):
        return await self.post(f"/quotes/{self.quote_id}{path}", **self.held, **fields)

    async def done(self, path="", **fields):
        """The page that a form leads to."""
        status, headers, page = await self.do(path, **fields)
        assert status == 303, unescape(page)
        return await self.look(headers["Location"].removeprefix(f"/quotes/{self.quote_id}"))


@pytest.fixture
async def desk(running, client):
    organization = running.organization("Desk")
    quote = (await client.generate(organization.live_key, TEXT)).json()
    return Desk(client, organization.session, quote)


async def read(desk, *more):
    path = "/".join(["/api/v1/quotes", str(desk.quote_id), *map(str, more)])
    return (await desk.client.request("GET", path, session=desk.session)).json()


async def test_a_draft_is_shown_with_its_words_its_sources_and_its_arithmetic(desk):
    page = await desk.look()
    quote = await read(desk)
    for place, line in enumerate(quote["line_items"], start=1):
        assert f'<span class="what">{line["description"]}</span>' in page
        for reason in line["review_reasons"]:
            assert reason in page
        if "span" in line:
            span = TEXT[line["span"].get("start", 0) : line["span"]["end"]]
            assert f'<mark id="words-{line["line_id"]}" data-line="{line["line_id"]}">{span}</mark>' in page
            assert f'href="#line-{line["line_id"]}"' in page
        own = await desk.look(f"/lines/{line['line_id']}")
        assert f"Line {place}:" in own
        explained = await read(desk, "lines", place, "explanation")
        for fact in explained["facts"]:
            assert fact["title"] in own
            assert not fact["url"] or f'href="{fact["url"]}"' in own
        assert all(step["text"] in own for step in explained["steps"])
    assert f"{quote['total']:,.2f} {quote['currency']}" in page
    assert all(one["text"] in page for one in quote["questions"])


async def test_answers_draft_anew_at_once_and_what_changed_is_told(desk):
    page = await desk.look()
    asked = (await read(desk))["questions"][0]
    status, _, page = await desk.do("/answers", question_id=asked["question_id"], answer="recharge 3 of its crystals")
    assert status == 422
    assert f'id="answer-{asked["question_id"]}-error"' in page and 'value="recharge 3 of its crystals"' in page
    page = await desk.done("/answers", question_id=asked["question_id"], answer="paint an interior door")
    quote = await read(desk)
    assert quote["version"] == 2
    assert [one["text"] for one in quote["answers"]] == ["paint an interior door"]
    assert "What has changed" in page
    assert "Answered: “paint an interior door”" in page
    status, _, page = await desk.do("/answers", question_id="qty-of-nobody", answer="3")
    assert status == 422


async def test_lines_are_changed_added_moved_and_taken_out(desk):
    await desk.look()
    first, second, third = (one["line_id"] for one in (await read(desk))["line_items"])
    page = await desk.done(
        f"/lines/{first}", **{f"qty-{first}": "1,003.5", f"price-{first}": "12.50", "note": "agreed"}
    )
    line = (await read(desk))["line_items"][0]
    assert (line["qty"], line["price"], line["amount"], line["entered"]) == (1003.5, 12.5, 12543.75, ["qty", "price"])
    assert "What has changed" in page and "12,543.75" in page
    assert (await read(desk, "versions"))["data"][0]["note"] == "agreed"
    await desk.done("/lines", do=f"down {first}")
    assert [one["line_id"] for one in (await read(desk))["line_items"]] == [second, first, third]
    await desk.done("/lines", do=f"up {first}")
    await desk.done("/lines", do=f"option {second}")
    await desk.done("/lines", do=f"reviewed {third}")
    await desk.done("/lines", do=f"remove {second}")
    await desk.done("/lines", do="add", **{"add-description": "Skip", "add-qty": "2", "add-unit": "day", "add-price": "80", "add-kind": "fee"})  # fmt: skip
    lines = (await read(desk))["line_items"]
    assert [one["description"] for one in lines][2:] == ["Skip"]
    assert (lines[2]["amount"], lines[2]["kind"], lines[2]["optional"]) == (160, "fee", False)
    assert lines[1]["line_id"] == third
    await desk.done(f"/lines/{third}", **{f"price-{third}": "99", f"optional-{third}": "yes"})
    lines = (await read(desk))["line_items"]
    assert (lines[1]["price"], lines[1]["optional"]) == (99, True)


async def test_a_form_that_changes_nothing_makes_no_version(desk):
    await desk.look()
    line = (await read(desk))["line_items"][0]
    shown = await desk.look(f"/lines/{line['line_id']}")
    typed = {name: re.search(rf'name="{name}-{line["line_id"]}".*?value="(.*?)"', shown)[1] for name in ("qty", "unit", "price")}  # fmt: skip
    await desk.done(
        f"/lines/{line['line_id']}", **{f"{name}-{line['line_id']}": value for name, value in typed.items()}
    )
    await desk.done("", assumptions="\r\n".join((await read(desk))["assumptions"]))
    assert (await read(desk))["version"] == 1


async def test_notes_and_the_last_day_are_changed(desk):
    await desk.look()
    page = await desk.done("", assumptions="Parking is free.\r\n\r\n Access by noon. ", exclusions="", valid_until="2099-12-31", note="told us")  # fmt: skip
    quote = await read(desk)
    assert quote["assumptions"] == ["Parking is free.", "Access by noon."]
    assert quote["valid_until"] == "2099-12-31"
    assert "31 December 2099" in page
    await desk.done("", assumptions="")
    assert (await read(desk))["assumptions"] == []
    status, _, page = await desk.do("", assumptions="kept as typed", valid_until="2001-01-01")
    assert status == 422
    assert 'id="valid_until-error">must be today or later' in page
    assert "kept as typed" in page


@pytest.mark.parametrize(
    ("path", "fields", "error"),
    [
        ("/lines/{0}", {"qty-{0}": "some", "price-{0}": "1,5"}, 'id="price-{0}-error">must be a number'),
        ("/lines/{0}", {"qty-{0}": "0"}, 'id="qty-{0}-error"'),
        ("/lines/{0}", {"unit-{0}": "bag"}, 'id="price-{0}-error">a price per bag is needed'),
        ("/lines/{0}", {"description-{0}": " "}, 'id="description-{0}-error"'),
        (
            "/lines",
            {"do": "add", "add-description": "Van", "add-qty": "1.23456", "add-unit": "day"},
            'id="add-qty-error"',
        ),
        (
            "/lines",
            {"do": "add", "add-description": "", "add-qty": "1", "add-unit": "day"},
            'id="add-description-error"',
        ),
    ],
)
async def test_what_is_wrong_is_told_beside_its_field_and_what_was_typed_stays(desk, path, fields, error):
    await desk.look()
    line = (await read(desk))["line_items"][0]["line_id"]
    fields = {name.format(line): value for name, value in fields.items()}
    status, _, page = await desk.do(path.format(line), **fields)
    assert status == 422
    assert error.format(line) in page
    for value in fields.values():
        assert value.strip() in unescape(page)
    assert (await read(desk))["version"] == 1


async def test_a_quote_that_somebody_else_has_changed_is_not_overwritten_and_nothing_typed_is_lost(desk):
    await desk.look()
    line = (await read(desk))["line_items"][0]["line_id"]
    other = Desk(desk.client, desk.session, {"quote_id": desk.quote_id})
    await other.look()
    await other.done(f"/lines/{line}", **{f"qty-{line}": "7"})
    status, _, page = await desk.do(f"/lines/{line}", **{f"price-{line}": "55"})
    assert status == 412
    assert "Somebody has changed this quote since you opened it" in page
    assert 'value="55"' in page
    assert "<ins>7</ins>" in page
    assert (await read(desk))["version"] == 2
    for path, fields in (
        ("/moves", {"do": "submit"}),
        ("", {"assumptions": "mine"}),
        ("/lines", {"do": f"remove {line}"}),
    ):
        assert (await desk.do(path, **fields))[0] == 412
    desk.hold(page)
    await desk.done(f"/lines/{line}", **{f"price-{line}": "55"})
    assert (await read(desk))["line_items"][0]["amount"] == 385


async def test_a_quote_goes_to_its_customer_and_back(running, client, desk):
    page = await desk.look()
    assert "Approve</button>" not in page and 'action="/quotes/' + f'{desk.quote_id}/send"' not in page
    page = await desk.done("/customer", do="make", name="Ann Smith", email="ann@customer.example.com")
    assert "Ann Smith" in page
    page = await desk.done("/moves", do="submit", **{"submit-note": "please look"})
    assert "waiting for approval" in page and "Add a line" not in page
    assert f'href="/quotes/{desk.quote_id}"' in (await desk.get("/approvals"))[2]
    page = await desk.done("/moves", do="reject", **{"reject-note": "too cheap"})
    assert "Sent back by you" in page and "“too cheap”" in page
    await desk.done("/moves", do="submit")
    await desk.done("/moves", do="withdraw")
    await desk.done("/moves", do="submit")
    page = await desk.done("/moves", do="approve")
    assert "Approved by you" in page and "To Ann Smith, ann@customer.example.com" in page
    status, _, page = await desk.do("/send", customer_id="0", to="nobody", message="kept")
    assert (status, "kept" in page) == (422, True)
    assert 'id="to-error"' in page
    several = "nobody, ann@customer.example.com, b@@c.example"
    page = unescape((await desk.do("/send", customer_id="0", to=several, message="kept"))[2])
    told = re.search(r'id="to-error">([^<]+)<', page)[1]
    assert re.fullmatch(r"“nobody”: .+; “b@@c\.example”: .+", told), told
    page = await desk.done(
        "/send", customer_id="0", to="boss@customer.example.com, boss@customer.example.com", message="Thank you"
    )
    assert "has not answered yet" in page
    assert len(await mails(running, f"quote:{desk.quote_id}", 2)) == 2
    page = await desk.look()
    assert page.count("mail sent") == 2
    link = re.search(r'href="https://[^"]*(/q/[\w-]+)"', page)[1]
    answered = await client.request("POST", f"/api/v1/shared-quotes/{link[3:]}/accept", json={"name": "Ann S."})
    assert answered.status == 200
    assert "<strong>Accepted</strong> by Ann S." in await desk.look()
    assert (await desk.do("/moves", do="void"))[0] == 412


async def test_test_data_takes_the_same_way_and_nothing_is_sent(running, client):
    organization = running.organization("Tried out")
    quote = (await client.generate(organization.test_key, TEXT)).json()
    desk = Desk(client, organization.session, quote)
    assert (await desk.get(f"/quotes/{desk.quote_id}"))[0] == 404
    await desk.post("/workspaces", organization_id=str(organization.organization_id), mode="test")
    assert "nothing of it is sent to anybody" in await desk.look()
    await desk.done("/moves", do="submit")
    assert "no mail goes out" in await desk.done("/moves", do="approve")
    page = await desk.done("/send", to="ann@customer.example.com")
    assert "test: no mail sent" in page
    assert re.search(r'href="https://[^"]*/q/[\w-]+"', page)
    assert running.rows("select status from mail where about = ?", f"quote:{desk.quote_id}")[0][0] == "withheld"


async def test_who_submits_waits_for_somebody_else_where_there_is_one(running, client):
    organization = running.organization("Two")
    colleague = running.member(organization.organization_id, "editor")
    quote = (await client.generate(organization.live_key, TEXT)).json()
    mine, theirs = (Desk(client, session, quote) for session in (organization.session, colleague))
    await mine.look()
    page = await mine.done("/moves", do="submit")
    assert "Somebody else approves it" in page and 'value="approve"' not in page
    status, _, page = await mine.do("/moves", do="approve")
    assert (status, "Somebody else must approve" in page) == (403, True)
    await theirs.look()
    assert "Approved by you" in await theirs.done("/moves", do="approve")


async def test_an_approved_quote_goes_to_any_customer_however_old(client, desk):
    made = []
    for place in range(101):
        body = {"name": "Oldest" if not place else f"Customer {place}", "email": f"c{place}@customer.example.com"}
        answer = await client.request("POST", "/api/v1/customers", session=desk.session, json=body)
        made.append(answer.json()["customer_id"])
    await desk.look()
    await desk.done("/moves", do="submit")
    page = await desk.done("/moves", do="approve")
    assert "Only the newest are here." in page
    assert f'<option value="{made[0]}"' not in page
    found = await desk.look("/customer?q=Oldest")
    choices = re.findall(rf'href="/quotes/{desk.quote_id}(\?customer_id=\d+)#next"', found)
    assert choices == [f"?customer_id={made[0]}"]
    assert 'method="post" action="/quotes' not in found
    page = await desk.look(choices[0])
    assert f'<option value="{made[0]}" selected>Oldest' in page
    status, _, page = await desk.do("/send", customer_id=str(made[0]), to="nobody")
    assert (status, f'<option value="{made[0]}" selected>' in page) == (422, True)
    await desk.look()
    page = await desk.done("/send", customer_id=str(made[0]))
    assert "c0@customer.example.com" in page


async def test_who_has_no_customer_yet_is_led_to_where_one_is_made(client, desk):
    await desk.look()
    await desk.done("/moves", do="submit")
    await desk.done("/moves", do="approve")
    page = await desk.look("/customer")
    assert "There are no customers yet" in page
    path = f"/customers/new?quote_id={desk.quote_id}"
    assert f'href="{path}"' in page
    status, _, form = await desk.get(path)
    assert (status, f'href="/quotes/{desk.quote_id}"' in form) == (200, True)


async def test_a_quote_is_given_up(desk):
    await desk.look()
    page = await desk.done("/moves", do="void", **{"void-note": "asked twice"})
    assert "Given up. Its number stays taken." in page
    assert "<form" not in page.partition('id="review"')[2].partition("</main>")[0]


async def test_versions_are_read_and_compared(desk):
    await desk.look()
    line = (await read(desk))["line_items"][0]["line_id"]
    await desk.done(f"/lines/{line}", **{f"qty-{line}": "5"})
    await desk.done("", exclusions="Waste licences.", note="as they said")
    page = await desk.look("/versions")
    assert "as they said" in page and ">you<" in page and "the API key" in page
    first = await desk.look("/versions/1")
    assert ">2 each<" in first and "nothing can be changed here" in first
    assert f"/lines/{line}?version=1" in first
    own = await desk.look(f"/lines/{line}?version=1")
    assert "times 2 each" in own and "<textarea" not in own
    changes = await desk.look("/versions/3/changes?since=1")
    assert "<del>2</del> <ins>5</ins>" in changes and "<ins>Waste licences.</ins>" in changes
    status, headers, _ = await desk.get(f"/quotes/{desk.quote_id}/changes?version=3&since=2")
    assert (status, headers["Location"]) == (303, f"/quotes/{desk.quote_id}/versions/3/changes?since=2")
    assert (await desk.get(f"/quotes/{desk.quote_id}/versions/9"))[0] == 404


async def test_the_pdf_is_framed_by_our_own_page_alone(client, desk):
    for query, how in (("", "inline"), ("?download=1", "attachment")):
        url = f"{client._base}/quotes/{desk.quote_id}/pdf{query}"
        async with client._session.get(url, headers=cookie(desk.session)) as answer:
            assert (answer.status, answer.headers["Content-Type"]) == (200, "application/pdf")
            assert (await answer.read()).startswith(b"%PDF-")
            assert answer.headers["Content-Disposition"] == f'{how}; filename="Q-2026-000001.pdf"'
            assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
            assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
            assert answer.headers["Cache-Control"].startswith("private")
    assert (await raw(client, "GET", f"/quotes/{desk.quote_id}/pdf", headers={"Accept": "text/html"}))[0] == 303


async def test_another_tenants_quotes_and_customers_are_not_there(running, client, desk):
    stranger = running.organization("Stranger")
    theirs = (await client.generate(stranger.live_key, TEXT)).json()
    made = await client.request("POST", "/api/v1/customers", json={"name": "Theirs"}, session=stranger.session)
    them = f"/quotes/{theirs['quote_id']}"
    line = theirs["line_items"][0]["line_id"]
    for path in ("", f"/lines/{line}", f"/lines/{line}?version=1", "/customer", "/text", "/pdf", "/versions", "/versions/1", "/versions/1/changes"):  # fmt: skip
        assert (await desk.get(them + path))[0] == 404, path
    forms = [
        ("", {"assumptions": "x"}),
        ("/answers", {}),
        ("/answers", {"question_id": "x", "answer": "x"}),
        ("/lines", {"do": f"remove {line}"}),
        ("/lines", {"do": "add", "add-description": "x", "add-qty": "1", "add-unit": "day"}),
        (f"/lines/{line}", {f"qty-{line}": "3"}),
        ("/customer", {"do": "make", "name": "x"}),
        ("/customer", {"customer_id": "0"}),
        *(("/moves", {"do": do}) for do in ("submit", "approve", "reject", "withdraw", "void")),
        ("/send", {"to": "ann@customer.example.com"}),
    ]
    for path, fields in forms:
        status, _, page = await desk.post(them + path, **fields)
        assert (status, "There is no such page" in page) == (404, True), (path, fields)
    await desk.look()
    assert (await desk.do("/customer", customer_id=str(made.json()["customer_id"])))[0] == 404
    assert (await desk.do("/lines", do="remove 999"))[0] == 404
    assert (await desk.do("/lines/999"))[0] == 404
    await desk.done("/moves", do="submit")
    await desk.done("/moves", do="approve")
    assert (await desk.do("/send", customer_id=str(made.json()["customer_id"])))[0] == 404
    for path in ("/quotes/0", "/quotes/x", "/quotes/99999999999", f"/quotes/{desk.quote_id}/lines/0"):
        assert (await desk.get(path))[0] == 404


async def test_a_viewer_reads_and_is_shown_no_form(running, client):
    organization = running.organization("Watched")
    quote = (await client.generate(organization.live_key, TEXT)).json()
    desk = Desk(client, running.member(organization.organization_id, "viewer"), quote)
    line = quote["line_items"][0]["line_id"]
    for path in ("", f"/lines/{line}", "/customer", "/versions", "/versions/1"):
        page = (await desk.look(path)).partition("<main")[2].partition("</main>")[0]
        assert "<form" not in page and "<button" not in page, path
    for path, fields in (
        ("", {"assumptions": "mine"}),
        ("/answers", {"question_id": quote["questions"][0]["question_id"], "answer": "x"}),
        ("/lines", {"do": f"remove {line}"}),
        (f"/lines/{line}", {f"qty-{line}": "3"}),
        ("/customer", {"do": "make", "name": "x"}),
        ("/moves", {"do": "submit"}),
        ("/moves", {"do": "void"}),
        ("/send", {"to": "ann@customer.example.com"}),
    ):
        assert (await desk.do(path, **fields))[0] == 403, path
    assert (await read(desk))["version"] == 1


async def test_stored_text_shows_as_text(running, client):
    hostile = "<script>alert(1)</script><svg onload=x> =1+1 \u202e javascript:alert(1) \"'"
    organization = running.organization("Hostile")
    quote = (await client.generate(organization.live_key, f"Paint 30 m2 of walls in Nashville {hostile}")).json()
    desk = Desk(client, organization.session, quote)
    await desk.look()
    line = quote["line_items"][0]["line_id"]
    await desk.done("/customer", do="make", name=hostile, address=hostile, company=hostile)
    await desk.done(f"/lines/{line}", **{f"description-{line}": hostile, "note": hostile})
    await desk.done("", assumptions=hostile, exclusions=hostile, note=hostile)
    await desk.done("/lines", do="add", **{"add-description": hostile, "add-qty": "1", "add-unit": "=1+1"})
    await desk.done("/moves", do="submit", **{"submit-note": hostile})
    paths = ("", f"/lines/{line}", "/text", "/versions", "/versions/4", "/versions/4/changes?since=1", "/customer")
    for path in paths:
        _, _, page = await desk.get(f"/quotes/{desk.quote_id}{path}")
        assert "<script>alert" not in page and "<svg" not in page, path
        assert 'href="javascript' not in page, path
    for path in ("", "/text", "/versions", "/versions/4/changes?since=1"):
        assert hostile in await desk.look(path), path


async def test_a_quote_of_many_lines_is_shown_in_pages(running, client):
    organization = running.organization("Long")
    note = "as the drawings say " * 20
    rows = [f"{number},Paint walls of room {number} {note},12,m2" for number in range(1, 62)]
    sheet = "\n".join(["Item,Description,Quantity,Unit", *rows]).encode()
    uploaded = await client.request(
        "POST", "/api/v1/documents?filename=bill.csv", data=sheet, headers={"Content-Type": "text/csv"},
        key=organization.live_key,
    )  # fmt: skip
    assert uploaded.status == 200, uploaded.body
    body = {"document_id": uploaded.json()["document_id"]}
    quote = (await client.request("POST", "/api/v1/quotes", json=body, key=organization.live_key)).json()
    desk = Desk(client, organization.session, quote)
    page = await desk.look()
    assert f"Lines 1 to 30 of {len(quote['line_items'])}" in page
    assert page.count('<li class="line"') == 30
    assert "row 2" in page
    last = quote["line_items"][-1]["line_id"]
    page = await desk.done(f"/lines/{last}", **{f"qty-{last}": "3"})
    assert f'id="line-{last}"' in page
    text = await desk.look("/text?offset=20000")
    assert "Characters 20001 to" in text
    assert "The whole text" in page
