"""Promises of signing in: sessions, workspaces, passwords, invitations, members and the log, over both backends."""

import asyncio
import email.policy
import secrets
import time

import pytest

from tests.stack import PASSWORD
from tests.visitor import Browser

SIGN_IN = "/api/v1/account/sign-in"


def email_of(organization):
    return f"user{organization.organization_id}@quotewright.example"


async def sign_in(client, address, password=PASSWORD):
    return await client.request("POST", SIGN_IN, json={"email": address, "password": password})


async def token(client, organization):
    answer = await sign_in(client, email_of(organization))
    assert answer.status == 200
    return answer.json()["session_token"]


async def post(client, path, session="", **body):
    return await client.request("POST", f"/api/v1/{path}", session=session, json=body)


async def status_within(client, path, session, wanted, seconds=1.5):
    """Return once a session is answered so: what a gateway remembers of it ends within a second."""
    deadline = time.monotonic() + seconds
    while (answer := await client.request("GET", path, session=session)).status != wanted:
        assert time.monotonic() < deadline, answer.body
        await asyncio.sleep(0.02)
    return answer


async def invited(client, session, address, role="editor"):
    answer = await post(client, "workspace/invitations", session, email=address, role=role)
    assert answer.status == 200, answer.body
    return answer.json()["url"].rpartition("/")[2]


async def test_a_user_signs_in_and_out(running, client):
    organization = running.organization("Signed in")
    answer = await sign_in(client, email_of(organization).upper())
    assert answer.status == 200
    session = answer.json()["session"]
    assert (session["organization_id"], session["role"]) == (organization.organization_id, "owner")
    assert [one["name"] for one in session["workspaces"]] == ["Signed in"]
    given = answer.json()["session_token"]
    assert (await client.request("GET", "/api/v1/quotes", session=given)).status == 200
    read = await client.request("GET", "/api/v1/account/session", session=given)
    assert read.json()["email"] == email_of(organization)
    assert (await post(client, "account/sign-out", given)).status == 200
    assert (await client.request("GET", "/api/v1/quotes", session=given)).reason == "session_ended"


async def test_a_wrong_password_and_an_unknown_address_are_refused_alike(running, client):
    known = await sign_in(client, email_of(running.organization()), "not the password")
    unknown = await sign_in(client, f"{secrets.token_hex(6)}@quotewright.example", "not the password")
    assert (known.status, known.reason) == (unknown.status, unknown.reason) == (401, "sign_in_refused")
    assert known.json()["error"]["message"] == unknown.json()["error"]["message"]


@pytest.mark.parametrize("exists", [True, False])
async def test_after_five_wrong_passwords_an_address_waits_whether_it_is_known_or_not(running, client, exists):
    address = email_of(running.organization()) if exists else f"{secrets.token_hex(6)}@quotewright.example"
    answers = await asyncio.gather(*(sign_in(client, address, "not the password") for _ in range(8)))
    assert sorted(answer.status for answer in answers) == [401] * 5 + [429] * 3
    locked = await sign_in(client, address)
    assert (locked.status, locked.reason) == (429, "sign_in_locked")
    assert 1 <= int(locked.headers["Retry-After"]) <= 30


async def test_a_right_password_lets_earlier_ones_be_forgotten(running, client):
    organization = running.organization("Mistyped")
    for _ in range(2):
        for _ in range(4):
            assert (await sign_in(client, email_of(organization), "not the password")).status == 401
        session = await token(client, organization)
    log = (await client.request("GET", "/api/v1/workspace/audit?action=session:sign_in", session=session)).json()
    assert [row["detail"] for row in log["data"]] == ["4 refused before"] * 2


async def test_a_session_without_a_workspace_chooses_one(running, client):
    mine, other = running.organization("Mine"), running.organization("Other")
    homeless = mine.homeless_session
    assert (await client.request("GET", "/api/v1/quotes", session=homeless)).reason == "workspace_required"
    read = await client.request("GET", "/api/v1/account/session", session=homeless)
    assert (read.status, read.json()["organization_id"]) == (200, 0)
    for number in (other.organization_id, 4_000_000):
        refused = await post(client, "account/workspace", homeless, organization_id=number)
        assert (refused.status, refused.reason) == (404, "not_found")
    chosen = await post(client, "account/workspace", homeless, organization_id=mine.organization_id)
    assert (chosen.status, chosen.json()["role"]) == (200, "owner")
    assert (await client.request("GET", "/api/v1/quotes", session=homeless)).status == 200


async def test_the_request_after_a_choice_of_the_mode_is_made_in_it(running, client):
    organization = running.organization("Both modes")
    session, number = await token(client, organization), organization.organization_id
    for turn in range(12):
        livemode = turn % 2 == 1
        chosen = await post(client, "account/workspace", session, organization_id=number, livemode=livemode)
        assert (chosen.status, chosen.json()["livemode"]) == (200, livemode)
        made = await post(client, "customers", session, name="Ann")
        assert made.json()["livemode"] is livemode, "remembered from before"
        # Now it is remembered, until the next turn.
        await client.request("GET", "/api/v1/quotes", session=session)


async def test_the_portals_sign_out_ends_the_session_for_the_api_at_once(running, client):
    organization = running.organization("Out by a page")
    session = await token(client, organization)
    assert (await client.request("GET", "/api/v1/quotes", session=session)).status == 200
    status, _, _ = await Browser(client, session).post("/sign-out")
    assert status == 303
    assert (await client.request("GET", "/api/v1/quotes", session=session)).reason == "session_ended"


async def test_signing_out_everywhere_ends_every_session(running, client):
    organization = running.organization("Everywhere")
    first, second = await token(client, organization), await token(client, organization)
    answer = await post(client, "account/sign-out-everywhere", first)
    # The two, and those that the stack made.
    assert answer.json()["ended"] == 4
    assert (await client.request("GET", "/api/v1/quotes", session=first)).reason == "session_ended"
    for session in (first, second, organization.session):
        await status_within(client, "/api/v1/account/session", session, 401)


async def test_another_password_ends_the_other_sessions(running, client):
    organization = running.organization("Password")
    mine, other = await token(client, organization), await token(client, organization)
    new = "an entirely different password"
    refused = await post(client, "account/password", mine, password="not the password", new_password=new)
    assert (refused.status, refused.reason) == (403, "password_refused")
    short = await post(client, "account/password", mine, password=PASSWORD, new_password="short")
    assert short.fields() == {("new_password", "string.min_len")}
    assert (await post(client, "account/password", mine, password=PASSWORD, new_password=new)).status == 200
    await status_within(client, "/api/v1/account/session", other, 401)
    assert (await client.request("GET", "/api/v1/account/session", session=mine)).status == 200
    assert (await sign_in(client, email_of(organization))).status == 401
    assert (await sign_in(client, email_of(organization), new)).status == 200


async def test_an_invitation_makes_a_member_once(running, client):
    organization = running.organization("Inviting")
    address = f"New.{secrets.token_hex(4)}@quotewright.example"
    link = await invited(client, organization.session, address)
    seen = await post(client, "account/invitation", token=link)
    assert seen.json() == {
        "organization": "Inviting", "email": address.lower(), "role": "editor", "has_account": False,
        "expires_at": seen.json()["expires_at"],
    }  # fmt: skip
    short = await post(client, "account/invitation/accept", token=link, password="short")
    assert short.fields() == {("password", "string.min_len")}
    accepted = await post(client, "account/invitation/accept", token=link, name="New", password="quite a new password")
    assert accepted.status == 200
    assert accepted.json()["session"]["role"] == "editor"
    again = await post(client, "account/invitation/accept", token=link, password="quite a new password")
    assert (again.status, again.reason) == (401, "invitation_ended")
    assert (await sign_in(client, address, "quite a new password")).status == 200
    member = await post(client, "workspace/invitations", organization.session, email=address, role="viewer")
    assert (member.status, member.reason) == (409, "already_a_member")


async def test_a_user_of_one_workspace_joins_another_with_the_same_password(running, client):
    host, guest = running.organization("Host"), running.organization("Guest")
    link = await invited(client, host.session, email_of(guest), "viewer")
    assert (await post(client, "account/invitation", token=link)).json()["has_account"] is True
    refused = await post(client, "account/invitation/accept", token=link, password="not the password")
    assert (refused.status, refused.reason) == (401, "sign_in_refused")
    accepted = (await post(client, "account/invitation/accept", token=link, password=PASSWORD)).json()
    assert accepted["session"]["organization_id"] == host.organization_id
    both = (await sign_in(client, email_of(guest))).json()["session"]
    assert both["organization_id"] == 0
    assert {one["name"]: one["role"] for one in both["workspaces"]} == {"Host": "viewer", "Guest": "owner"}


async def test_an_invitation_that_is_revoked_replaced_or_made_up_opens_nothing(running, client):
    organization = running.organization("Revoking")
    address = f"{secrets.token_hex(4)}@quotewright.example"
    replaced = await invited(client, organization.session, address)
    revoked = await invited(client, organization.session, address)
    listed = await client.request("GET", "/api/v1/workspace/invitations", session=organization.session)
    assert [one["status"] for one in listed.json()["data"]] == ["open", "revoked"]
    path = f"/api/v1/workspace/invitations/{listed.json()['data'][0]['invitation_id']}"
    stranger = await client.request("DELETE", path, session=running.organization().session)
    assert (stranger.status, stranger.reason) == (404, "not_found")
    assert (await client.request("DELETE", path, session=organization.session)).json()["status"] == "revoked"
    for link in (replaced, revoked, revoked[:-1] + "x", "nonsense", organization.live_key):
        answer = await post(client, "account/invitation", token=link)
        assert (answer.status, answer.reason) == (401, "invitation_ended")


async def test_an_invitation_is_shown_once_to_who_repeats_it(running, client):
    organization = running.organization("Repeating")
    request = {
        "session": organization.session,
        "json": {"email": "once@quotewright.example", "role": "viewer"},
        "headers": {"Idempotency-Key": "1"},
    }
    first = await client.request("POST", "/api/v1/workspace/invitations", **request)
    again = await client.request("POST", "/api/v1/workspace/invitations", **request)
    assert again.json()["invitation"] == first.json()["invitation"]
    assert (first.json()["url"] != "", again.json()["url"]) == (True, "")


async def test_an_invitation_goes_out_by_mail_with_its_link(running, client):
    organization = running.organization("Mailing")
    link = await invited(client, organization.session, "mailed@quotewright.example", "viewer")
    listed = await client.request("GET", "/api/v1/workspace/invitations", session=organization.session)
    about = f"invitation:{listed.json()['data'][0]['invitation_id']}"
    ((recipient, content),) = running.rows("select recipient, content from mail where about = ?", about)
    letter = email.message_from_bytes(bytes(content), policy=email.policy.default)
    assert recipient == letter["To"] == "mailed@quotewright.example"
    assert letter["Reply-To"] == f"Mailing <{email_of(organization)}>"
    assert f"  {running.base}/invitations/{link}" in letter.get_body().get_content().splitlines()


async def test_an_invitation_made_while_looking_at_test_data_goes_out_as_well(running, client):
    organization = running.organization("Mailing from tests")
    session, number = await token(client, organization), organization.organization_id
    assert (await post(client, "account/workspace", session, organization_id=number, livemode=False)).status == 200
    await invited(client, session, "colleague@quotewright.example")
    ((status, livemode),) = running.rows(
        "select status, livemode from mail where organization_id = ? and kind = 'invitation'", number
    )
    assert (status in ("pending", "sent"), bool(livemode)) == (True, True)
    log = await client.request("GET", "/api/v1/workspace/audit?action=invitation:create", session=session)
    assert [row["livemode"] for row in log.json()["data"]] == [True]


async def test_the_last_owner_stays_and_roles_hold_at_once(running, client):
    organization = running.organization("Owned")
    editor = running.member(organization.organization_id, "editor")
    listed = (await client.request("GET", "/api/v1/workspace/members", session=editor)).json()
    assert [one["role"] for one in listed["data"]] == ["editor", "owner"]
    theirs, mine = (f"/api/v1/workspace/members/{one['user_id']}" for one in listed["data"])
    for verb, body in (("PUT", {"json": {"role": "viewer"}}), ("DELETE", {})):
        last = await client.request(verb, mine, session=organization.session, **body)
        assert (last.status, last.reason) == (409, "last_owner")
        refused = await client.request(verb, mine, session=editor, **body)
        assert (refused.status, refused.reason) == (403, "role_required")
    promoted = await client.request("PUT", theirs, session=organization.session, json={"role": "owner"})
    assert promoted.json()["role"] == "owner"
    await status_within(client, "/api/v1/workspace/audit", editor, 200)
    assert (await client.request("DELETE", mine, session=editor)).status == 200
    gone = await status_within(client, "/api/v1/quotes", organization.session, 403)
    assert gone.reason == "workspace_required"


async def test_members_of_another_workspace_cannot_be_touched(running, client):
    mine, other = running.organization("Mine"), running.organization("Other")
    listed = await client.request("GET", "/api/v1/workspace/members", session=other.session)
    path = f"/api/v1/workspace/members/{listed.json()['data'][0]['user_id']}"
    for verb, body in (("PUT", {"json": {"role": "viewer"}}), ("DELETE", {})):
        answer = await client.request(verb, path, session=mine.session, **body)
        assert (answer.status, answer.reason) == (404, "not_found")


async def test_the_log_says_who_did_what_and_is_the_owners(running, client):
    organization = running.organization("Logged")
    await invited(client, organization.session, "log@quotewright.example")
    log = (await client.request("GET", "/api/v1/workspace/audit?limit=1", session=organization.session)).json()
    (row,) = log["data"]
    assert (row["action"], row["detail"]) == ("invitation:create", "log@quotewright.example as editor")
    assert row["actor_email"] == email_of(organization)
    assert (log["limit"], log["has_more"]) == (1, True)
    made = await client.request("GET", "/api/v1/workspace/audit?action=key:create", session=organization.session)
    assert {one["action"] for one in made.json()["data"]} == {"key:create"}
    assert made.json()["total"] == 3
    for role in ("viewer", "editor"):
        session = running.member(organization.organization_id, role)
        assert (await client.request("GET", "/api/v1/workspace/audit", session=session)).reason == "role_required"
