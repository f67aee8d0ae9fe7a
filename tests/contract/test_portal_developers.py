"""Promises of the portal's pages for developers: webhooks, usage, and the warnings of keys."""

import asyncio
import re
import time
from html import unescape

import pytest
from aiohttp import web

from server.store.database import Store, execute_many
from tests.contract.test_keys import DAY, age
from tests.doubles import receivers
from tests.doubles.receivers import receiver, status
from tests.stack import PASSWORD
from tests.visitor import Browser

HOSTILE = '<script>alert(1)</script><svg onload="x">=1+1\u202e'


@pytest.fixture
async def owner(running, client):
    organization = running.organization("Developers")
    return organization, Browser(client, organization.session)


async def added(browser, url, **more):
    """An endpoint's number and secret."""
    code, _, page = await browser.post("/webhooks", url=url, idempotency_key=f"k{time.time_ns()}", **more)
    assert code == 200, page
    return int(re.search(r'href="/webhooks/(\d+)"', page)[1]), re.search(r"whsec_[\w+/=]+", page)[0]


async def until(browser, path, words):
    """A page, once it holds the words."""
    for _ in range(150):
        code, _, page = await browser.get(path)
        assert code == 200
        if words in page:
            return page
        await asyncio.sleep(0.1)
    raise AssertionError(page)


async def test_an_endpoint_is_added_verified_tested_and_its_delivery_shown(owner):
    _, browser = owner
    async with receiver(receivers.challenged) as one:
        number, secret = await added(browser, one.url, description="Books", event_types="quote.created")
        one.secret = secret
        shown = (await browser.get(f"/webhooks/{number}"))[2]
        assert "not verified" in shown
        assert 'value="ping"' not in shown  # it goes to whoever is tested
        assert secret not in shown
        code, _, shown = await browser.post(f"/webhooks/{number}/verify")
        assert (code, "Verified: the endpoint answered" in shown) == (200, True)
        code, headers, _ = await browser.post(f"/webhooks/{number}/ping", idempotency_key="ping")
        assert code == 303
        page = await until(browser, headers["Location"], ">delivered<")
        event = one.received[-1]
        assert f"webhook-id: {event.id}" in page
        assert f"webhook-timestamp: {event.headers['webhook-timestamp']}" in page
        assert f"User-Agent: {event.headers['user-agent']}" in page
        assert event.headers["webhook-signature"] not in page
        code, headers, body = await browser.get(f"{headers['Location']}/body")
        assert (code, headers["Content-Type"], body.encode()) == (200, "application/json", event.body)
        assert f"{event.id}.json" in headers["Content-Disposition"]
    listed = (await browser.get("/webhooks"))[2]
    assert "Books" in listed and "quote.created" in listed


async def test_an_endpoint_that_does_not_answer_the_challenge_may_be_tried_again(owner):
    _, browser = owner
    async with receiver(status(200), receivers.challenged) as one:
        number, _ = await added(browser, one.url)
        _, _, page = await browser.post(f"/webhooks/{number}/verify")
        assert "without the challenge" in page
        assert "Try again" in page
        assert "Verified:" in (await browser.post(f"/webhooks/{number}/verify"))[2]


async def test_an_endpoint_is_paused_resumed_edited_rotated_and_deleted(owner):
    _, browser = owner
    async with receiver(receivers.challenged) as one:
        number, secret = await added(browser, one.url)
        path = f"/webhooks/{number}"
        await browser.post(f"{path}/verify")
        assert (await browser.post(f"{path}/pause"))[0] == 303
        paused = (await browser.get(path))[2]
        assert f"{path}/resume" in paused and f"{path}/ping" not in paused
        code, _, page = await browser.post(f"{path}/ping", idempotency_key="p")
        assert (code, 'role="alert"' in page) == (409, True)
        assert (await browser.post(f"{path}/resume"))[0] == 303
        assert (await browser.post(path, description="Invoices", event_types="quote.sent"))[0] == 303
        assert "Invoices" in (await browser.get(path))[2]
        code, _, page = await browser.post(f"{path}/rotate", overlap_hours="24", idempotency_key="r")
        assert re.search(r"whsec_[\w+/=]+", page)[0] != secret
        assert "signs beside it until" in page
        again = (await browser.post(f"{path}/rotate", overlap_hours="24", idempotency_key="r"))[2]
        assert "whsec_" not in again
        refused = (await browser.post(f"{path}/rotate", overlap_hours="0", idempotency_key="r"))[2]
        assert re.findall(r'<option value="(\d+)" selected', refused[refused.index('id="overlap_hours"') :]) == ["0"]
        code, _, page = await browser.post(f"{path}/rotate", overlap_hours="200", idempotency_key="s")
        assert (code, 'id="overlap_hours-error"' in page) == (422, True)
        assert (await browser.post(f"{path}/delete"))[1]["Location"] == "/webhooks"
        assert (await browser.get(path))[0] == 404


async def test_wrong_fields_of_an_endpoint_are_told_beside_them(owner):
    code, _, page = await owner[1].post(
        "/webhooks", url="http://127.0.0.1:9/", description="kept", event_types="no.such"
    )
    assert code == 422
    assert 'id="event_types-error"' in page
    assert 'value="kept"' in page
    code, _, page = await owner[1].post("/webhooks", url="gopher://x", description="kept")
    assert (code, 'id="url-error"' in page) == (422, True)


async def test_what_was_given_up_is_shown_and_sent_again(running, owner):
    organization, browser = owner
    await browser.post("/workspaces", organization_id=str(organization.organization_id), mode="test")
    async with receiver(status(410), status(200)) as one:
        number, _ = await added(browser, one.url)
        _, headers, _ = await browser.post(f"/webhooks/{number}/ping", idempotency_key="ping")
        page = await until(browser, headers["Location"], ">given up<")
        assert "gone for good" in page
        assert "Send again" not in page  # the endpoint is disabled
        assert "It was disabled" in (await browser.get(f"/webhooks/{number}"))[2]
        listed = (await browser.get("/webhooks"))[2]
        assert "1 delivery of the last 30 days" in listed
        await browser.post(f"/webhooks/{number}/resume")
        assert "Send again" in (await browser.get(headers["Location"]))[2]
        code, _, page = await browser.post(f"/webhooks/{number}/replay-failed", hours="168", idempotency_key="again")
        assert (code, "1 delivery is tried again." in page, 'value="168" selected' in page) == (200, True, True)
        page = await until(browser, headers["Location"], ">delivered<")
        assert page.count("<li value=") == 2
        assert (await browser.post(f"{headers['Location']}/replay", idempotency_key="once more"))[0] == 303
        await one.wait_for(3)
    await browser.post("/workspaces", organization_id=str(organization.organization_id), mode="live")
    assert "1 delivery" not in (await browser.get("/webhooks"))[2]  # another mode, another page
    assert f"/webhooks/{number}" not in (await browser.get("/webhooks"))[2]


async def test_the_log_is_filtered_and_paged(running, owner):
    _, browser = owner
    async with receiver(receivers.challenged) as one:
        number, _ = await added(browser, one.url)
        await browser.post(f"/webhooks/{number}/verify")
        for count in range(22):
            await browser.post(f"/webhooks/{number}/ping", idempotency_key=f"ping {count}")
        await one.wait_for(23)
    page = await until(browser, "/webhooks/deliveries?status=delivered", "1 to 20 of 22")
    following = unescape(re.search(r'rel="next" href="([^"]+)"', page)[1])
    assert following == "/webhooks/deliveries?status=delivered&offset=20"
    assert "21 to 22 of 22" in (await browser.get(following))[2]
    for query in ("status=dead", "event=quote.created", f"endpoint={number + 1000}"):
        assert "No delivery of the last 30 days fits" in (await browser.get(f"/webhooks/deliveries?{query}"))[2]
    assert "of 22" in (await browser.get(f"/webhooks/deliveries?event=ping&endpoint={number}"))[2]


async def test_another_tenants_endpoints_and_deliveries_are_not_there(running, client, owner):
    stranger = running.organization("Stranger")
    theirs = Browser(client, stranger.session)
    async with receiver(receivers.challenged) as one:
        number, _ = await added(theirs, one.url)
        _, headers, _ = await theirs.post(f"/webhooks/{number}/ping", idempotency_key="ping")
    delivery = headers["Location"]
    _, browser = owner
    for path in (f"/webhooks/{number}", delivery, f"{delivery}/body", "/webhooks/0", "/webhooks/99999999999"):
        assert (await browser.get(path))[0] == 404, path
    endpoint = f"/webhooks/{number}"
    for path, fields in (
        (endpoint, {"description": "x"}),
        *((f"{endpoint}/{act}", {}) for act in ("verify", "pause", "resume", "ping", "delete")),
        (f"{endpoint}/rotate", {"overlap_hours": "0"}),
        (f"{endpoint}/replay-failed", {"hours": "1"}),
        (f"{delivery}/replay", {}),
    ):
        code, _, page = await browser.post(path, **fields)
        assert (code, "There is no such page" in page) == (404, True), path
    assert f"of {number}" not in (await browser.get(f"/webhooks/deliveries?endpoint={number}"))[2]
    assert "No delivery" in (await browser.get(f"/webhooks/deliveries?endpoint={number}"))[2]


async def test_viewers_read_and_are_shown_no_forms(running, client, owner):
    organization, browser = owner
    async with receiver(receivers.challenged) as one:
        number, _ = await added(browser, one.url)
        _, headers, _ = await browser.post(f"/webhooks/{number}/ping", idempotency_key="ping")
        await until(browser, headers["Location"], ">delivered<")
    viewer = Browser(client, running.member(organization.organization_id, "viewer"))
    for path in ("/webhooks", "/webhooks/new", f"/webhooks/{number}", headers["Location"], "/usage"):
        code, _, page = await viewer.get(path)
        assert code == 200
        assert f'action="/webhooks/{number}' not in page and 'action="/webhooks"' not in page
        assert "/replay" not in page
    for path in ("/webhooks", f"/webhooks/{number}/pause", f"/webhooks/{number}/delete", f"/webhooks/{number}/ping"):
        assert (await viewer.post(path, url=one.url, idempotency_key="v"))[0] == 403, path


async def test_stored_text_shows_as_text(owner):
    _, browser = owner

    async def hostile(_request):
        return web.Response(text=HOSTILE, status=500)

    async with receiver(hostile) as one:
        number, _ = await added(browser, one.url, description=HOSTILE)
        _, headers, _ = await browser.post(f"/webhooks/{number}/ping", idempotency_key="ping")
        page = await until(browser, headers["Location"], "First bytes of the answer")
    for shown in (page, (await browser.get("/webhooks"))[2], (await browser.get(f"/webhooks/{number}"))[2]):
        assert "<script>alert" not in shown
        assert "<svg onload" not in shown
        assert HOSTILE in unescape(shown)


async def test_usage_is_drawn_and_told_in_a_table(running, client, owner):
    organization, browser = owner
    assert "Nothing was used" in (await browser.get("/usage"))[2]
    await client.generate(organization.live_key, "Replace 12 m of guttering")
    await client.generate(organization.test_key, "Replace 12 m of guttering")
    page = await until(browser, "/usage", "QuoteService/GenerateQuote")
    assert page.count("<svg") == 3
    assert "1 live, 1 test" in page
    assert "style=" not in page
    for days, ticked in (("7", "7"), ("90", "90"), ("8", "30"), ("x", "30")):
        page = (await browser.get(f"/usage?days={days}"))[2]
        assert f'<strong aria-current="true">{ticked} days</strong>' in page


async def test_a_year_of_use_makes_no_heavy_page(running, owner):
    organization, browser = owner
    today = int(time.time()) // 86_400
    store = Store(running.database)
    rows = [
        (organization.organization_id, today - day, livemode, f"QuoteService/Operation{number}", 10**6, 10, 10, 90)
        for day in range(90)
        for livemode in (True, False)
        for number in range(40)
    ]
    sql = (
        "insert into usage_count (organization_id, day, livemode, operation, requests, refused, failed, busiest_minute) "
        "values (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    try:
        store.write_now(lambda: execute_many(sql, rows))
    finally:
        store.close()
    code, _, page = await browser.get("/usage?days=90")
    assert code == 200
    assert len(page.encode()) < 150_000
    assert "40,000,000 live, 40,000,000 test" in page


@pytest.mark.parametrize(("days", "words"), [(75, "is older than 75 days"), (90, "is older than 90 days")])
async def test_the_first_page_warns_of_old_keys(running, client, owner, days, words):
    organization, browser = owner
    assert "your attention" not in (await browser.get("/"))[2]
    age(
        running,
        "update api_key set created_at = created_at - ? where public_id = ?",
        days * DAY,
        organization.live_key_id,
    )
    page = (await browser.get("/"))[2]
    assert "1 key wants your attention" in page
    assert words in page
    code, _, _ = await browser.post(f"/keys/{organization.live_key_id}/rotate", overlap_hours="1", password=PASSWORD)
    assert code == 200
    assert "your attention" not in (await browser.get("/"))[2]


async def test_the_first_page_warns_of_keys_that_were_seen_in_the_open_until_they_end(client, owner):
    organization, browser = owner
    await client.request("GET", f"/api/v1/quotes?key={organization.bare_key}")
    page = (await browser.get("/"))[2]
    assert "was seen in the open" in page
    key_id = re.search(r'href="/keys/(\w+)">test</a>', page)[1]
    await browser.post(f"/keys/{key_id}/revoke")
    assert "your attention" not in (await browser.get("/"))[2]


async def test_a_rotated_key_ends_when_it_is_said_to(owner):
    organization, browser = owner
    path = f"/keys/{organization.live_key_id}/rotate"
    code, _, page = await browser.post(path, overlap_hours="0", expires_in_days="soon")
    assert (code, 'id="expires_in_days-error"' in page) == (422, True)
    _, _, page = await browser.post(path, overlap_hours="0", expires_in_days="30", password=PASSWORD)
    made = re.search(r'href="/keys/(\w+)">About', page)[1]
    assert re.search(r"<dt>Ends</dt><dd><time", (await browser.get(f"/keys/{made}"))[2])
