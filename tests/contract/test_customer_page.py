"""Promises of the page behind a customer's link: it shows, takes an answer by plain forms, and tells others nothing."""

from datetime import date, timedelta
from html.parser import HTMLParser

import pytest
from quotewright.options.v1 import options_pb2

from server.links import Link, Signer
from server.store.database import Store, execute
from tests.contract.test_sending import changed, quote, sent

FORM = "application/x-www-form-urlencoded"
#: Elements without an end (HTML, section 13.1.2).
VOID = {"meta", "link", "input", "br"}


class Outline(HTMLParser):
    """What a page is made of. Every element must end where it should."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found, self.text = [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


def read(answer):
    return Outline(answer.body.decode())


async def show(client, token, status=200):
    answer = await client.page("GET", f"/q/{token}")
    assert answer.status == status
    return read(answer)


async def test_the_page_says_what_is_offered_and_asks_for_an_answer(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    whole = await quote(client, organization, quote_id)
    page = await show(client, token)
    for line in whole["line_items"]:
        assert line["description"] in page.text
    assert f"{whole['total']:,.2f}" in page.text
    assert whole["quote_number"] in page.text
    for one in whole["assumptions"]:
        assert one in page.text
    decisions = [one["value"] for one in page.all("input") if one.get("type") == "hidden"]
    assert decisions == ["accept", "decline"]
    assert all(form == {"method": "post"} for form in page.all("form"))
    labelled = {one["for"] for one in page.all("label")}
    assert labelled == {one["id"] for tag in ("input", "textarea") for one in page.all(tag) if "id" in one}


@pytest.mark.parametrize(
    ("layout", "told", "hidden"),
    [
        ({}, {"price", "amount"}, set()),
        ({"prices": "amounts"}, {"amount"}, {"price"}),
        ({"prices": "totals"}, set(), {"price", "amount"}),
        ({"show_assumptions": False}, {"price", "amount"}, set()),
    ],
)
async def test_what_the_layout_hides_is_neither_on_the_page_nor_in_the_answer(running, client, layout, told, hidden):
    company = running.organization("Layout")
    settings = await client.request("PATCH", "/api/v1/settings", session=company.session, json={"layout": layout})
    assert settings.status == 200
    quote_id, token = await sent(running, client, company)
    whole = await quote(client, company, quote_id)
    shared = (await client.request("GET", f"/api/v1/shared-quotes/{token}")).json()
    for line, stored in zip(shared["line_items"], whole["line_items"], strict=True):
        assert {name: line[name] for name in told} == {name: stored[name] for name in told}
        assert not hidden & set(line)
    texts, shown = whole["assumptions"] + whole["exclusions"], layout.get("show_assumptions", True)
    assert texts
    assert shared["assumptions"] + shared["exclusions"] == (texts if shown else [])
    assert shared["total"] == whole["total"]
    page = await show(client, token)
    labels = {one["data-label"].lower() for one in page.all("td") if "data-label" in one}
    assert labels == {"quantity", *told}
    assert all((one in page.text) == shown for one in texts)


async def test_the_page_keeps_to_itself(running, client, organization):
    _, token = await sent(running, client, organization)
    for path in (f"/q/{token}", f"/q/{changed(token, 3)}"):
        answer = await client.page("GET", path)
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        outline = read(answer)
        assert not outline.all("script")
        assert not outline.all("style")
        assert not [one for _, one in outline.found if any(name == "style" or name.startswith("on") for name in one)]
    style = await client.request("GET", "/q/customer.css")
    assert (style.status, style.headers["Content-Type"]) == (200, "text/css; charset=utf-8")
    assert b"url(" not in style.body
    assert b"@import" not in style.body


async def test_accepting_by_the_form_shows_who_did_and_no_form_any_more(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    form = {"decision": "accept", "name": "Ann <b>Customer</b>"}
    answer = await client.page("POST", f"/q/{token}", data=form)
    assert (answer.status, answer.headers["Location"]) == (303, token)
    page = await show(client, token)
    assert "Accepted by Ann <b>Customer</b> on" in page.text, "escaped: it is text"
    assert not page.all("form")
    assert not page.all("b")
    assert (await quote(client, organization, quote_id))["status"] == "accepted"
    assert (await client.page("POST", f"/q/{token}", data=form)).status == 303, "sent twice, done once"
    other = await client.page("POST", f"/q/{token}", data={"decision": "decline"})
    assert other.status == 409
    assert "accepted" in read(other).text


async def test_declining_by_the_form_shows_why(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    form = {"decision": "decline", "reason": "Zu teuer — 20 % über dem anderen"}
    assert (await client.page("POST", f"/q/{token}", data=form)).status == 303
    assert form["reason"] in (await show(client, token)).text
    assert (await quote(client, organization, quote_id))["decline_reason"] == form["reason"]


async def test_a_form_of_another_site_is_refused(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    form = {"decision": "accept", "name": "Eve"}
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": f"https://localhost.evil.example:{running.https_port}"},
        {"Origin": "https://localhost:1"},
        {"Origin": "https://[x"},
        {"Origin": running.base, "Sec-Fetch-Site": "cross-site"},
    ):
        answer = await client.page("POST", f"/q/{token}", data=form, headers=headers)
        assert answer.status == 403
    assert (await quote(client, organization, quote_id))["status"] == "sent"
    for headers in ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, {"Origin": running.base}, {"Origin": "null"}):
        assert (await client.page("POST", f"/q/{token}", data=form, headers=headers)).status == 303


BAD_FORMS = [
    (b"decision=accept", FORM, 422),
    (b"decision=accept&name=%20", FORM, 422),
    (b"decision=accept&name=" + b"x" * 201, FORM, 422),
    (b"decision=keep&name=Ann", FORM, 422),
    (b"", FORM, 422),
    (b"decision=accept&name=%FF", FORM, 422),
    ("decision=accept&name=ü".encode(), FORM, 422),
    (b"&".join(b"a=%d" % number for number in range(20)), FORM, 422),
    (b'{"decision": "accept", "name": "Ann"}', "application/json", 415),
    (b"decision=decline&reason=" + b"x" * 2001, FORM, 422),
    (b"decision=decline&reason=" + b"x" * 40_000, FORM, 413),
]


async def test_a_form_that_will_not_do_is_told_so_on_a_page(running, client, organization):
    _, token = await sent(running, client, organization)
    for body, content_type, status in BAD_FORMS:
        answer = await client.page("POST", f"/q/{token}", data=body, headers={"Content-Type": content_type})
        assert answer.status == status, body[:40]
        assert "Back to the quote" in read(answer).text
    assert len((await show(client, token)).all("form")) == 2


async def test_a_token_of_nobody_is_a_page_that_tells_nothing(running, client, organization):
    _, token = await sent(running, client, organization)
    said = set()
    for wrong in (changed(token, 0), changed(token, 50), "x", "", token[:-1], "a/b", "%00", "%FF", "x" * 600):
        answer = await client.page("GET", f"/q/{wrong}")
        assert answer.status == 404
        said.add(answer.body)
        posted = await client.page("POST", f"/q/{wrong}", data={"decision": "accept", "name": "Eve"})
        assert posted.status == 404
    assert len(said) == 1
    assert b"Back to the quote" not in said.pop()
    plain = await client.request("GET", f"/q/{changed(token, 0)}")
    assert (plain.status, plain.reason) == (404, "link_unknown")


async def test_an_expired_link_says_so(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    signer = Signer((running.data_dir / "gateway.secret").read_bytes())
    link = signer.read(token, 0)
    old = signer.token(Link(link.kind, link.organization_id, link.livemode, quote_id, link.link_id, 1_700_000_000))
    assert "expired" in (await show(client, old, status=410)).text
    answer = await client.request("GET", f"/api/v1/shared-quotes/{old}")
    assert (answer.status, answer.reason) == (401, "link_expired")
    kind = options_pb2.CREDENTIAL_KIND_PDF_LINK
    pdf = signer.token(Link(kind, link.organization_id, link.livemode, quote_id, 0, 1_700_000_000))
    answer = await client.request("GET", f"/api/v1/quotes/{quote_id}/pdf?token={pdf}")
    assert (answer.status, answer.reason) == (401, "link_expired")


async def test_the_states_that_the_company_or_the_clock_brings_have_their_words(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    store = Store(running.database)

    def put(**values):
        names = ", ".join(f"{name} = ?" for name in values)
        store.write_now(lambda: execute(f"update quote set {names} where id = ?", (*values.values(), quote_id)))

    try:
        for status, word in (("expired", "Expired."), ("void", "Withdrawn.")):
            put(status=status)
            page = await show(client, token)
            assert word in page.text
            assert not page.all("form")
            answer = await client.page("POST", f"/q/{token}", data={"decision": "accept", "name": "Ann"})
            assert answer.status == 409
        # The validity is over, and the clock has not come by yet.
        put(status="sent", valid_until=(date.today() - timedelta(days=2)).isoformat())  # noqa: DTZ011
        late = await client.request("POST", f"/api/v1/shared-quotes/{token}/accept", json={"name": "Ann"})
        assert (late.status, late.reason) == (409, "invalid_state")
        # A link of another sending of the same quote opens nothing.
        put(sent_at=1)
        assert (await client.page("GET", f"/q/{token}")).status == 404
    finally:
        store.close()


async def test_what_the_company_writes_is_shown_as_text(running, client):
    name = "<script>alert(1)</script> & Söhne"
    organization = running.organization(name)
    _, token = await sent(running, client, organization)
    page = await show(client, token)
    assert name in page.text
    assert not page.all("script")


async def test_other_methods_are_told_what_there_is(running, client, organization):
    _, token = await sent(running, client, organization)
    for method in ("PUT", "DELETE", "PATCH"):
        answer = await client.request(method, f"/q/{token}")
        assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS, POST")
    head = await client.page("HEAD", f"/q/{token}")
    assert (head.status, head.body) == (200, b"")
