"""Promises of keys in the portal: made, shown once, rotated, revoked, by who has just given the password."""

import asyncio
import time

import pytest

from tests import stack
from tests.contract.test_accounts import email_of, post, status_within, token
from tests.stack import PASSWORD, Client

DAY = 24 * 3600 * 1_000_000


@pytest.fixture
async def owner(running, client):
    """An organization, and a session of its owner with the password just given."""
    organization = running.organization("Keys")
    return organization, await token(client, organization)


async def created(client, session, **body):
    answer = await post(client, "keys", session, **{"name": "ci", "scopes": ["quotes:read"], **body})
    assert answer.status == 200, answer.body
    return answer.json()


async def listed(client, session, query=""):
    return (await client.request("GET", f"/api/v1/keys{query}", session=session)).json()["data"]


async def works(client, key):
    return (await client.request("GET", "/api/v1/quotes", key=key)).status == 200


async def refused_soon(client, key):
    deadline = time.monotonic() + 1.5
    while await works(client, key):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def test_a_key_works_and_is_shown_once(client, owner):
    _, session = owner
    made = await created(client, session, livemode=False, expires_in_days=30)
    assert made["secret"].startswith(f"qw_test_{made['key']['key_id']}_")
    assert await works(client, made["secret"])
    shown = next(one for one in await listed(client, session) if one["key_id"] == made["key"]["key_id"])
    assert "secret" not in shown
    assert (shown["status"], shown["scopes"], shown["livemode"]) == ("active", ["quotes:read"], False)
    assert (shown["warning"], shown["replaced_by"]) == ("", "")
    assert "exposed_at" not in shown


async def test_a_key_has_no_scope_that_was_not_asked_for(client, owner):
    made = await created(client, owner[1], scopes=[])
    refused = await client.request("GET", "/api/v1/quotes", key=made["secret"])
    assert (refused.status, refused.reason) == (403, "scope_required")


async def test_scopes_that_do_not_exist_are_refused_by_place(client, owner):
    answer = await post(client, "keys", owner[1], name="ci", scopes=["quotes:read", "everything"])
    assert answer.fields() == {("scopes[1]", "scope.unknown")}
    assert (await post(client, "keys", owner[1], name="  ", scopes=[])).fields() == {("name", "required")}


async def test_a_repeated_creation_makes_one_key_and_does_not_show_it_again(client, owner):
    request = {"session": owner[1], "json": {"name": "once"}, "headers": {"Idempotency-Key": "k"}}
    first = await client.request("POST", "/api/v1/keys", **request)
    again = await client.request("POST", "/api/v1/keys", **request)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.json()["key"], again.json()["secret"]) == (first.json()["key"], "")
    assert sum(one["name"] == "once" for one in await listed(client, owner[1])) == 1


async def test_making_and_rotating_takes_a_password_given_lately(client, owner):
    organization, _ = owner
    stale = organization.session  # made by the command line, without a password
    rotate = f"keys/{organization.live_key_id}/rotate"
    for path, body in (("keys", {"name": "ci"}), (rotate, {"overlap_hours": 0})):
        answer = await post(client, path, stale, **body)
        assert (answer.status, answer.reason) == (403, "reauthentication_required")
    wrong = await post(client, "account/reauthenticate", stale, password="not the password")
    assert (wrong.status, wrong.reason) == (403, "password_refused")
    right = await post(client, "account/reauthenticate", stale, password=PASSWORD)
    assert right.json()["authenticated_until"] > right.json()["created_at"]
    await created(client, stale)


async def test_a_password_given_ten_minutes_ago_is_too_old(client, running, owner):
    organization, session = owner
    age(running, "update session set authenticated_at = authenticated_at - ?", 11 * 60 * 1_000_000)
    assert (await post(client, "keys", session, name="ci")).reason == "reauthentication_required"
    assert email_of(organization)


def age(running, sql, *parameters):
    """Move something into the past, behind the service's back."""
    from server.store.database import Store, execute

    store = Store(running.database)
    try:
        store.write_now(lambda: execute(sql, parameters) and None)
    finally:
        store.close()


@pytest.mark.parametrize("overlap", [0, 24])
async def test_a_rotated_key_ends_after_the_overlap(client, owner, overlap):
    _, session = owner
    old = await created(client, session, livemode=True)
    answer = await post(client, f"keys/{old['key']['key_id']}/rotate", session, overlap_hours=overlap)
    new = answer.json()
    assert (new["key"]["name"], new["key"]["scopes"], new["key"]["livemode"]) == ("ci", ["quotes:read"], True)
    assert await works(client, new["secret"])
    shown = {one["key_id"]: one for one in await listed(client, session, "?ended=true")}[old["key"]["key_id"]]
    assert (shown["status"], shown["replaced_by"]) == ("ending" if overlap else "ended", new["key"]["key_id"])
    if overlap:
        assert await works(client, old["secret"])
    else:
        await refused_soon(client, old["secret"])
    again = await post(client, f"keys/{old['key']['key_id']}/rotate", session, overlap_hours=overlap)
    assert (again.status, again.reason) == (409, "invalid_state")


async def test_a_revoked_key_is_refused_and_listed_only_with_those_that_ended(client, owner):
    _, session = owner
    made = await created(client, session)
    path = f"keys/{made['key']['key_id']}/revoke"
    first, again = await post(client, path, session), await post(client, path, session)
    assert first.json() == again.json()
    assert first.json()["status"] == "ended"
    await refused_soon(client, made["secret"])
    ids = [one["key_id"] for one in await listed(client, session)]
    assert made["key"]["key_id"] not in ids
    assert made["key"]["key_id"] in [one["key_id"] for one in await listed(client, session, "?ended=true")]


async def test_keys_of_another_organization_and_unknown_ones_are_not_there(client, running, owner):
    stranger = running.organization("Stranger")
    for key_id in (stranger.live_key_id, "nosuchkey000"):
        for verb, body in (("revoke", {}), ("rotate", {"overlap_hours": 0})):
            answer = await post(client, f"keys/{key_id}/{verb}", owner[1], **body)
            assert (answer.status, answer.reason) == (404, "not_found")
    assert await works(client, stranger.live_key)


@pytest.mark.parametrize("role", ["viewer", "editor"])
async def test_only_owners_change_keys(client, running, owner, role):
    organization, _ = owner
    session = running.member(organization.organization_id, role)
    assert (await client.request("GET", "/api/v1/keys", session=session)).status == 200
    for path in ("keys", f"keys/{organization.live_key_id}/revoke", f"keys/{organization.live_key_id}/rotate"):
        answer = await post(client, path, session, name="ci")
        assert (answer.status, answer.reason) == (403, "role_required")


async def test_use_and_exposure_of_a_key_are_told(client, running, owner):
    _, session = owner
    made = await created(client, session)
    key_id = made["key"]["key_id"]
    by_id = {one["key_id"]: one for one in await listed(client, session)}
    assert "last_used_at" not in by_id[key_id]
    await works(client, made["secret"])
    by_id = {one["key_id"]: one for one in await listed(client, session)}
    assert by_id[key_id]["last_used_at"] >= by_id[key_id]["created_at"]
    await client.request("GET", f"/api/v1/quotes?key={made['secret']}")
    by_id = {one["key_id"]: one for one in await listed(client, session)}
    assert by_id[key_id]["exposed_at"].endswith("Z")


@pytest.mark.parametrize(("days", "warning"), [(74, ""), (75, "rotate_soon"), (90, "rotate_now")])
async def test_old_keys_are_warned_of(client, running, owner, days, warning):
    _, session = owner
    made = await created(client, session)
    key_id = made["key"]["key_id"]
    age(running, "update api_key set created_at = created_at - ? where public_id = ?", days * DAY, key_id)
    shown = {one["key_id"]: one for one in await listed(client, session)}
    assert shown[key_id]["warning"] == warning


async def test_when_a_key_was_used_outlives_the_server(tmp_path):
    with stack.combined(tmp_path) as running:
        organization = running.organization()
        async with Client(running) as client:
            assert await works(client, organization.live_key)
    ((used_at,),) = running.rows("select last_used_at from api_key where public_id = ?", organization.live_key_id)
    assert abs(time.time() - used_at / 1_000_000) < 60


async def test_a_signed_out_session_reads_no_keys(client, owner):
    _, session = owner
    assert (await post(client, "account/sign-out", session)).status == 200
    await status_within(client, "/api/v1/keys", session, 401)
