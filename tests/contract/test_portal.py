"""Promises of the portal's pages, over both backends: they ask for a session and a token, and show text as text."""

import asyncio
import re
from html import unescape
from urllib.parse import urlencode

import pytest

from gateway.web.portal import protection
from gateway.web.portal.portal import VIEWS
from tests.contract.test_accounts import email_of, invited
from tests.contract.test_accounts import token as sign_in
from tests.stack import PASSWORD, exchange
from tests.visitor import HTML, SAFE, Browser, cookie, path_of, raw


@pytest.fixture
async def owner(running, client):
    organization = running.organization("Portal")
    return organization, Browser(client, await sign_in(client, organization))


async def test_the_pages_send_who_is_not_signed_in_to_sign_in_and_back(running, client):
    for template in SAFE:
        status, headers, _ = await raw(client, "GET", path_of(template), headers=HTML)
        assert status == 303
        assert headers["Location"].startswith("/sign-in")
    _, headers, _ = await raw(client, "GET", "/keys/new", headers=HTML)
    assert headers["Location"] == "/sign-in?next=%2Fkeys%2Fnew"
    _, headers, _ = await raw(client, "GET", "/quotes?q=two+taps&status=draft", headers=HTML)
    assert headers["Location"] == "/sign-in?next=%2Fquotes%3Fq%3Dtwo%2Btaps%26status%3Ddraft"


async def test_who_sends_a_form_signed_out_goes_on_to_a_page_after_signing_in(running, client):
    form = {"csrf": "of a session that has ended"}
    shown = {f"/sign-in?{urlencode({'next': path_of(path)})}" for path in SAFE if path != "/"} | {"/sign-in"}
    for view in VIEWS:
        if view.take is not None and not view.public:
            status, headers, _ = await raw(client, "POST", path_of(view.template), headers=HTML, data=form)
            assert (status, headers["Location"] in shown) == (303, True), view.template
    _, headers, _ = await raw(client, "POST", "/sign-out", headers=HTML, data=form)
    assert headers["Location"] == "/sign-in"
    _, headers, _ = await raw(client, "POST", "/customers", headers=HTML, data=form)
    assert headers["Location"] == "/sign-in?next=%2Fcustomers"
    from_page = {**HTML, "Referer": f"{running.base}/quotes/7?offset=30"}
    _, headers, _ = await raw(client, "POST", "/quotes/7/lines", headers=from_page, data=form)
    assert headers["Location"] == "/sign-in?next=%2Fquotes%2F7%3Foffset%3D30"
    typed = {**form, "text": "Replace <b>two</b> toilets"}
    status, _, page = await raw(client, "POST", "/leads/7/quote", headers=HTML, data=typed)
    assert (status, "Replace &lt;b&gt;two&lt;/b&gt; toilets" in page, "/sign-in" in page) == (401, True, True)


async def test_signing_in_sets_a_cookie_that_scripts_and_other_hosts_cannot_touch(running, client):
    organization = running.organization("Cookie")
    _, headers, page = await raw(client, "GET", "/sign-in?next=/keys", headers=HTML)
    visitor = headers["Set-Cookie"].partition(";")[0]
    csrf = re.search(r'name="csrf" value="(\w+)"', page)[1]
    data = {"csrf": csrf, "next": "/keys", "email": email_of(organization), "password": PASSWORD}
    status, headers, _ = await raw(client, "POST", "/sign-in", headers={**HTML, "Cookie": visitor}, data=data)
    assert (status, headers["Location"]) == (303, "/keys")
    name, _, rest = headers["Set-Cookie"].partition("=")
    assert name == "__Host-qw_session"
    assert set(rest.split("; ")[1:]) == {"Max-Age=604800", "Path=/", "Secure", "HttpOnly", "SameSite=Lax"}
    data["password"] = "not the password"
    status, headers, page = await raw(client, "POST", "/sign-in", headers={**HTML, "Cookie": visitor}, data=data)
    assert status == 401
    assert "The e-mail address or the password is wrong." in page
    assert "not the password" not in page
    assert "Set-Cookie" not in headers


@pytest.mark.parametrize("visitor", [b"\xff", b"v", b"v" * 7000, b""], ids=["no text", "short", "long", "empty"])
async def test_a_cookie_that_names_no_visitor_of_ours_is_none(running, visitor):
    lines = b"Host: x\r\nConnection: close\r\nCookie: __Host-qw_visitor=" + visitor
    (shown,) = (await exchange(running, b"GET /sign-in HTTP/1.1\r\n" + lines + b"\r\n\r\n")).answers
    made = shown.headers["Set-Cookie"].partition(";")[0].partition("=")[2]
    assert (shown.status, protection.known_visitor(made)) == (200, made)
    assert f'name="csrf" value="{protection.csrf_token(made)}"' in shown.body.decode()
    form = b"csrf=" + b"0" * 64
    lines += b"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(form)
    assert (await exchange(running, b"POST /sign-in HTTP/1.1\r\n" + lines + form)).statuses == [403]


@pytest.mark.parametrize("next_", ["//evil.example", "https://evil.example", "/\\evil.example", "/keys\r\nX: y"])
async def test_nobody_is_sent_elsewhere_after_signing_in(running, client, next_):
    assert protection.local_path(next_) == "/"


@pytest.mark.parametrize("case", ["missing", "another's", "foreign origin", "foreign site"])
async def test_every_form_is_refused_without_its_token_or_from_elsewhere(running, client, organization, case):
    session = organization.session
    visitor = protection.new_visitor()
    cookies = f"{protection.SESSION_COOKIE}={session}; {protection.VISITOR_COOKIE}={visitor}"
    headers = {**cookie(session), "Cookie": cookies}
    more = {"foreign origin": {"Origin": "https://evil.example"}, "foreign site": {"Sec-Fetch-Site": "cross-site"}}
    for view in VIEWS:
        if view.take is None:
            continue
        data = {"csrf": protection.csrf_token(visitor if view.public else session)}
        if case == "missing":
            data = {}
        elif case == "another's":
            data = {"csrf": protection.csrf_token(organization.homeless_session)}
        sent = headers | more.get(case, {})
        status, _, page = await raw(client, "POST", path_of(view.template), headers=sent, data=data)
        assert status == 403, view.template
        assert ("out of date" if case in ("missing", "another's") else "from its own page") in page
    assert (await raw(client, "GET", "/account", headers=cookie(session)))[0] == 200


async def test_every_page_forbids_what_it_does_not_need(owner):
    for path in ("/", "/keys", "/keys/new", "/members", "/audit", "/account", "/workspaces", "/first-request"):
        status, headers, page = await owner[1].get(path)
        assert status == 200
        assert headers["Cache-Control"] == "no-store"
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Frame-Options"] == "DENY"
        assert not re.search(r"<[^>]+\s(?:style|on\w+)=|<style|<script(?! type=\"module\" src=)", page)
        assert len(page) < 150_000


async def test_another_tenants_ids_are_not_there(running, client, owner):
    stranger = running.organization("Stranger")
    await invited(client, stranger.session, "stranger@quotewright.example")
    found = await client.request("GET", "/api/v1/workspace/invitations", session=stranger.session)
    number = found.json()["data"][0]["invitation_id"]
    members = (await client.request("GET", "/api/v1/workspace/members", session=stranger.session)).json()["data"]
    user = members[0]["user_id"]
    _, browser = owner
    assert (await browser.get(f"/keys/{stranger.live_key_id}"))[0] == 404
    for path, fields in (
        (f"/keys/{stranger.live_key_id}/revoke", {}),
        (f"/keys/{stranger.live_key_id}/rotate", {"overlap_hours": "0"}),
        (f"/members/{user}", {"do": "remove"}),
        (f"/members/{user}", {"do": "change", "role": "viewer"}),
        (f"/members/invitations/{number}/revoke", {}),
        ("/workspaces", {"organization_id": str(stranger.organization_id)}),
    ):
        status, _, page = await browser.post(path, **fields)
        assert (status, "There is no such page" in page) == (404, True), path


async def test_stored_text_shows_as_text(running, client):
    hostile = '<script>alert(1)</script><svg onload="x">=1+1\u202e'
    organization = running.organization(hostile)
    browser = Browser(client, await sign_in(client, organization))
    await browser.post("/keys", name=hostile, mode="test")
    for path in ("/", "/keys", "/workspaces"):
        _, _, page = await browser.get(path)
        assert "<script>alert" not in page
        assert "<svg" not in page
        assert hostile in unescape(page)


async def test_a_wrong_field_is_told_beside_it_and_what_was_typed_stays(owner):
    status, _, page = await owner[1].post("/keys", name="kept", mode="live", expires_in_days="soon")
    assert status == 422
    assert 'id="expires_in_days-error">must be a number' in page
    assert 'value="kept"' in page
    assert re.search(r'value="live" checked', page)
    status, _, page = await owner[1].post("/members", email="nobody", role="editor")
    assert status == 422
    assert 'id="email-error"' in page
    assert re.findall(r'<option value="(\w+)" selected', page) == ["editor"]
    # What was chosen for a member is not what a stranger is invited as.
    assert not re.search(r'<option value="\w+" selected', (await owner[1].post("/members/7", role="owner"))[2])


async def test_a_key_that_is_to_end_at_once_is_given_no_other_day_by_a_wrong_password(client, organization):
    browser = Browser(client, organization.session)
    path = f"/keys/{organization.live_key_id}"
    assert 'value="24" selected' in (await browser.get(path))[2]
    for fields in ({"password": "not the password"}, {"expires_in_days": "soon"}):
        status, _, page = await browser.post(f"{path}/rotate", overlap_hours="0", **fields)
        assert status in (403, 422)
        assert re.findall(r'<option value="(\d+)" selected', page) == ["0"]


@pytest.mark.parametrize("role", ["viewer", "editor"])
async def test_who_may_make_no_key_is_shown_no_form_for_one(running, client, organization, role):
    page = (await Browser(client, running.member(organization.organization_id, role)).get("/keys/new"))[2]
    assert ("An owner of the workspace makes keys." in page, 'action="/keys"' in page) == (True, False)


async def test_a_form_that_is_sent_again_makes_one_key_and_says_what_happened(owner):
    fields = {"name": "once", "mode": "test", "idempotency_key": "a-form"}
    first, again = await owner[1].post("/keys", **fields), await owner[1].post("/keys", **fields)
    assert "qw_test_" in first[2]
    assert "The key was made, and shown, when this form was first sent." in again[2]
    assert (await owner[1].get("/keys"))[2].count(">once</a>") == 1


async def test_making_a_key_asks_for_the_password_where_it_was_given_long_ago(client, organization):
    browser = Browser(client, organization.session)
    assert 'name="password"' in (await browser.get("/keys/new"))[2]
    wrong = await browser.post("/keys", name="ci", mode="test", password="not the password")
    assert (wrong[0], 'id="password-error">The password is wrong.' in wrong[2]) == (403, True)
    assert (await browser.post("/keys", name="ci", mode="test", password=PASSWORD))[0] == 200
    assert 'name="password"' not in (await browser.get("/keys/new"))[2]


async def test_an_invitation_is_accepted_on_its_page(running, client, owner):
    status, _, page = await owner[1].post("/members", email="guest-of-page@quotewright.example", role="viewer")
    assert status == 200
    link = re.search(r"/invitations/\w+", page)[0]
    seen = await raw(client, "GET", link, headers=HTML)
    assert "Join Portal" in seen[2]
    visitor = seen[1]["Set-Cookie"].partition(";")[0]
    csrf = re.search(r'name="csrf" value="(\w+)"', seen[2])[1]
    headers = {**HTML, "Cookie": visitor}
    short = await raw(client, "POST", link, headers=headers, data={"csrf": csrf, "password": "short"})
    assert (short[0], 'id="password-error"' in short[2]) == (422, True)
    data = {"csrf": csrf, "name": "Guest", "password": "quite a new password"}
    joined = await raw(client, "POST", link, headers=headers, data=data)
    assert (joined[0], joined[1]["Location"]) == (303, "/")
    guest = Browser(client, joined[1]["Set-Cookie"].partition("=")[2].partition(";")[0])
    assert "New key" not in (await guest.get("/keys"))[2]
    assert (await guest.get("/audit"))[0] == 403
    assert (await raw(client, "GET", link, headers=HTML))[0] == 401


async def test_signing_out_ends_the_session_and_forgets_the_cookie(client, owner):
    status, headers, _ = await owner[1].post("/sign-out")
    assert (status, headers["Location"]) == (303, "/sign-in")
    assert "Max-Age=0" in headers["Set-Cookie"]
    assert (await owner[1].get("/"))[1]["Location"] == "/sign-in"


async def test_a_user_of_several_workspaces_chooses(running, client):
    host, guest = running.organization("Host"), running.organization("Guest")
    link = await invited(client, host.session, email_of(guest), "viewer")
    await client.request("POST", "/api/v1/account/invitation/accept", json={"token": link, "password": PASSWORD})
    browser = Browser(client, await sign_in(client, guest))
    assert (await browser.get("/"))[1]["Location"] == "/workspaces"
    assert (await browser.post("/workspaces", organization_id=str(host.organization_id)))[1]["Location"] == "/"
    assert "<h1>Host</h1>" in (await browser.get("/"))[2]


async def test_a_form_of_another_workspace_or_mode_stores_nothing_and_keeps_what_was_typed(running, client):
    first, second = running.organization("First"), running.organization("Second")
    link = await invited(client, second.session, email_of(first), "owner")
    await client.request("POST", "/api/v1/account/invitation/accept", json={"token": link, "password": PASSWORD})
    browser = Browser(client, await sign_in(client, first))
    of_first, of_second = ({"organization_id": str(one.organization_id)} for one in (first, second))
    typed = {"name": "Somebody Else", "email": "else@quotewright.example", "role": "owner"}
    await browser.post("/workspaces", **of_first)
    page = (await browser.get("/members"))[2]
    (csrf,) = set(re.findall(r'action="/members[^>]*>\s*<input type="hidden" name="csrf" value="(\w+)"', page))
    for chosen, now in (
        ({**of_second, "mode": "live"}, "Second, live data"),
        ({**of_first, "mode": "test"}, "First, test data"),
    ):
        await browser.post("/workspaces", **chosen)
        for path in ("/members", "/customers", "/keys"):
            status, _, page = await browser.post(path, csrf=csrf, **typed)
            assert (status, "You have changed workspace in another tab" in page) == (409, True), path
            assert f"this form is for First, live data; {now} is chosen now" in page
            assert "Somebody Else" in page
            assert f'name="next" value="{path}"' in page
        headers = {**cookie(browser.session), "Accept": "application/json"}
        status, _, body = await raw(client, "POST", "/assist/proofread", headers=headers, data={"csrf": csrf})
        assert (status, '"workspace_changed"' in body) == (409, True)
        for found in ((await browser.get("/members"))[2], (await browser.get("/customers"))[2]):
            assert typed["email"] not in found
    back = {**of_first, "mode": "live", "next": "/members"}
    assert (await browser.post("/workspaces", **back))[1]["Location"] == "/members"
    assert (await browser.post("/members", csrf=csrf, **typed))[0] == 200


@pytest.mark.parametrize("query", ["", "?offset=30", "?q=two+taps&status=draft"])
async def test_a_form_that_is_out_of_date_leads_back_to_the_page_as_it_was_narrowed(running, client, owner, query):
    headers = {**cookie(owner[1].session), "Referer": f"{running.base}/quotes{query}"}
    typed = {"csrf": "of the session before", "text": "Replace two toilets"}
    status, _, page = await raw(client, "POST", "/quotes/new", headers=headers, data=typed)
    shown = f"/quotes{query}".replace("&", "&amp;")
    assert (status, f'<a href="{shown}">Load the page again</a>' in page) == (403, True)


async def test_a_client_that_reads_no_html_gets_the_envelope(client):
    answer = await client.request("GET", "/keys")
    assert (answer.status, answer.reason) == (401, "session_missing")
    answer = await client.request("DELETE", "/keys")
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS, POST")


async def test_a_form_that_is_too_large_or_of_another_kind_is_a_page_and_no_defect(client, organization):
    headers = cookie(organization.session)
    status, answered, _ = await raw(client, "POST", "/keys", headers=headers, data={"name": "x" * 70_000})
    assert (status, answered["Connection"]) == (413, "close")
    assert (await raw(client, "POST", "/keys", headers=headers, json={"name": "x"}))[0] == 415
    many = "&".join(f"f{number}=1" for number in range(protection.MOST_FIELDS + 1))
    typed = {**headers, "Content-Type": "application/x-www-form-urlencoded"}
    assert (await raw(client, "POST", "/keys", headers=typed, data=many))[0] == 422


async def test_a_session_sees_live_data_or_test_data_as_its_user_chooses(client, owner):
    organization, browser = owner
    made = await client.generate(organization.test_key, "Replace 12 m of guttering")
    read = f"/api/v1/quotes/{made.json()['quote_id']}"
    chosen = {"organization_id": str(organization.organization_id)}
    for mode, status in (("live", 404), ("test", 200), ("live", 404)):
        assert (await browser.post("/workspaces", **chosen, mode=mode))[0] == 303
        assert ("View live data" in (await browser.get("/"))[2]) == (mode == "test")
        # Pages ask the server each time; gateways forget a session that has changed within a second.
        async with asyncio.timeout(10):
            while (await client.request("GET", read, session=browser.session)).status != status:  # noqa: ASYNC110 - bounded
                await asyncio.sleep(0.05)
