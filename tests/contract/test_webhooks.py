"""Promises of webhooks and customers over HTTPS: events of real changes arrive, verified by the public package."""

import asyncio
import base64
import re

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook

from tests.doubles import receivers
from tests.doubles.receivers import receiver, status

ENDPOINTS = "/api/v1/webhooks/endpoints"
DELIVERIES = "/api/v1/webhooks/deliveries"
TEXT = "Replace 12 m of guttering in Nashville"


class Owner:
    """A signed-in user of an organization of its own."""

    def __init__(self, client, organization):
        self.client = client
        self.organization = organization

    async def call(self, method, path, body=None, session=None, **more):
        more |= {} if method in ("GET", "DELETE") else {"json": body or {}}
        return await self.client.request(method, path, session=session or self.organization.session, **more)

    async def endpoint(self, url, **more):
        answer = await self.call("POST", ENDPOINTS, {"url": url, "livemode": False, **more})
        assert answer.status == 200, answer.body
        made = answer.json()
        if more.get("livemode"):
            assert (await self.call("POST", f"{ENDPOINTS}/{made['endpoint']['endpoint_id']}/verify")).json()["verified"]
        return made["endpoint"]["endpoint_id"], made["secret"]

    async def log(self, query=""):
        return (await self.call("GET", f"{DELIVERIES}{query}")).json()["data"]

    async def wait_for(self, wanted, within=15.0):
        """The log, once it is as wanted."""
        for _ in range(int(within / 0.1)):
            found = await self.log()
            if found and all(one["status"] == wanted for one in found):
                return found
            await asyncio.sleep(0.1)
        raise AssertionError(found)


@pytest.fixture
async def owner(running, client):
    return Owner(client, running.organization())


async def test_real_changes_are_told_to_their_mode(owner):
    async with receiver(receivers.challenged) as live, receiver() as test:
        _, live_secret = await owner.endpoint(live.url, livemode=True)
        _, test_secret = await owner.endpoint(test.url)
        keys = owner.organization
        quote = (await owner.client.generate(keys.live_key, TEXT)).json()
        await owner.client.generate(keys.test_key, TEXT)
        lead = {"city": "Nashville", "trade": "roofing", "email": "ann@example.com"}
        for _ in range(2):
            await owner.client.request("POST", "/api/v1/leads/request", key=keys.live_key, json=lead)
        customer = (await owner.call("POST", "/api/v1/customers", {"name": "Ann"})).json()
        await live.wait_for(1 + 3)
        await test.wait_for(1)
        await asyncio.sleep(0.5)
    told = {one.event["type"]: one for one in live.received[1:]}
    assert sorted(told) == ["customer.created", "lead.created", "quote.created"] and len(live.received) == 4
    for one in live.received:
        assert Webhook(live_secret).verify(one.body, one.headers)["livemode"] is True
    assert told["quote.created"].event["data"]["object"] == quote
    assert told["customer.created"].event["data"]["object"] == customer
    assert told["lead.created"].event["data"]["object"]["email"] == "ann@example.com"
    (only,) = test.received
    assert Webhook(test_secret).verify(only.body, only.headers)["livemode"] is False


async def test_every_move_of_a_quote_is_told(owner):
    """What has no event of its own is an update; the object is the quote after the move."""
    async with receiver(receivers.challenged) as one:
        await owner.endpoint(one.url, livemode=True)
        quote = (await owner.client.generate(owner.organization.live_key, TEXT)).json()
        other = (await owner.client.generate(owner.organization.live_key, TEXT)).json()
        submission = {"quote_id": quote["quote_id"]}
        workflow = (await owner.call("POST", "/api/v1/workflows/submit", submission)).json()["workflow_id"]
        assert (await owner.call("POST", "/api/v1/workflows/submit", submission)).reason == "invalid_state"
        await owner.call("POST", f"/api/v1/workflows/{workflow}/reject")
        workflow = (await owner.call("POST", "/api/v1/workflows/submit", submission)).json()["workflow_id"]
        await owner.call("POST", f"/api/v1/workflows/{workflow}/approve")
        await owner.call("POST", f"/api/v1/quotes/{other['quote_id']}/void")
        await one.wait_for(1 + 2 + 5)
        await asyncio.sleep(0.3)
    told = sorted((one.event["data"]["object"]["quote_id"], one.event["timestamp"], one.event["type"],
                   one.event["data"]["object"]["status"]) for one in one.received[1:])  # fmt: skip
    assert [row[2:] for row in told] == [
        ("quote.created", "draft"),
        ("quote.updated", "in_review"),
        ("quote.updated", "draft"),
        ("quote.updated", "in_review"),
        ("quote.approved", "approved"),
        ("quote.created", "draft"),
        ("quote.updated", "void"),
    ]


async def test_a_repeated_call_is_one_change_and_one_event(owner):
    async with receiver() as one:
        await owner.endpoint(one.url)
        for _ in range(3):
            await owner.client.generate(owner.organization.test_key, TEXT, headers={"Idempotency-Key": "same"})
        await owner.client.request("GET", "/api/v1/quotes/generate?text=Paint", key=owner.organization.test_key)
        await owner.wait_for("delivered")
        await asyncio.sleep(0.3)
    assert len(one.received) == 1


async def test_an_endpoint_lives_from_creation_to_deletion(owner):
    async with receiver(receivers.challenged) as one:
        answer = await owner.call("POST", ENDPOINTS, {"url": one.url, "livemode": True, "description": "Books"})
        made = answer.json()
        path = f"{ENDPOINTS}/{made['endpoint']['endpoint_id']}"
        assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", made["secret"])
        assert made["endpoint"]["status"] == "unverified"
        assert (await owner.call("GET", path)).json() == made["endpoint"]
        assert (await owner.call("POST", f"{path}/resume")).reason == "invalid_state"
        verified = (await owner.call("POST", f"{path}/verify")).json()
        assert verified["verified"] and verified["endpoint"]["status"] == "enabled"
        assert verified["attempt"]["http_status"] == 200
        change = {"description": "Invoices", "event_types": ["quote.approved", "quote.sent"]}
        changed = (await owner.call("PUT", path, change)).json()
        assert {name: changed[name] for name in change} == change
        assert (await owner.call("POST", f"{path}/pause")).json()["status"] == "paused"
        assert (await owner.call("POST", f"{path}/ping")).reason == "invalid_state"
        assert (await owner.call("POST", f"{path}/resume")).json()["status"] == "enabled"
        rotated = (await owner.call("POST", f"{path}/rotate-secret", {"overlap_hours": 24})).json()
        assert rotated["secret"] != made["secret"]
        assert rotated["endpoint"]["previous_secret_ends_at"]
        ping = (await owner.call("POST", f"{path}/ping")).json()
        await owner.wait_for("delivered")
        assert one.received[-1].id == ping["event_id"]
        for secret in (made["secret"], rotated["secret"]):
            Webhook(secret).verify(one.received[-1].body, one.received[-1].headers)
        listed = (await owner.call("GET", ENDPOINTS)).json()["data"]
        assert [one["endpoint_id"] for one in listed] == [made["endpoint"]["endpoint_id"]]
        assert (await owner.call("DELETE", path)).json() == {"given_up": 0}
        for method, gone in (("GET", path), ("DELETE", path), ("POST", f"{path}/ping"), ("POST", f"{path}/verify")):
            assert (await owner.call(method, gone)).status == 404
        assert (await owner.call("GET", ENDPOINTS)).json()["data"] == []
        assert len(await owner.log()) == 1, "the log stays"


async def test_a_secret_is_shown_once_and_kept_sealed(owner, running):
    key = {"headers": {"Idempotency-Key": "one"}}
    body = {"url": "http://127.0.0.1:9/once", "livemode": False}
    first = await owner.call("POST", ENDPOINTS, body, **key)
    again = await owner.call("POST", ENDPOINTS, body, **key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json() == {**first.json(), "secret": ""}
    secret = first.json()["secret"]
    assert secret not in (await owner.call("GET", ENDPOINTS)).body.decode()
    stored = [
        bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
        for table in ("webhook_endpoint", "idempotency_record", "audit_row", "event")
        for row in running.rows(f"select * from {table}")
        for value in row
    ]
    raw = base64.b64decode(secret.removeprefix("whsec_"))
    assert stored
    assert not any(secret.encode() in value or raw in value for value in stored)


async def test_a_delivery_is_logged_and_replayed_under_its_id(owner):
    async with receiver(status(410, b"no longer"), status(200)) as one:
        endpoint_id, _ = await owner.endpoint(one.url)
        await owner.client.generate(owner.organization.test_key, TEXT)
        (dead,) = await owner.wait_for("dead")
        log = (await owner.call("GET", f"{DELIVERIES}/{dead['delivery_id']}")).json()
        assert log["payload"].encode() == one.received[0].body
        (attempt,) = log["attempts"]
        assert (attempt["number"], attempt["http_status"], attempt["error"], attempt["answer"]) == (
            1,
            410,
            "gone",
            "no longer",
        )
        endpoint = (await owner.call("GET", f"{ENDPOINTS}/{endpoint_id}")).json()
        assert (endpoint["status"], endpoint["disabled_reason"]) == ("disabled", "gone")
        for path in (f"{DELIVERIES}/{dead['delivery_id']}/replay", f"{ENDPOINTS}/{endpoint_id}/replay-failed"):
            assert (await owner.call("POST", path)).reason == "invalid_state"
        await owner.call("POST", f"{ENDPOINTS}/{endpoint_id}/resume")
        assert (await owner.call("POST", f"{DELIVERIES}/{dead['delivery_id']}/replay")).json()["status"] == "pending"
        await owner.wait_for("delivered")
        since = {"since": "2020-01-01T00:00:00Z"}
        failed = await owner.call("POST", f"{ENDPOINTS}/{endpoint_id}/replay-failed", since)
        assert failed.json() == {"replayed": 0}
        assert [delivery.id for delivery in one.received] == [dead["event_id"]] * 2
        assert await owner.log("?status=dead") == []
        assert len(await owner.log(f"?status=delivered&endpoint_id={endpoint_id}&limit=1")) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": "https://example.com/" + "a" * 2000}, "url"),
        ({"url": "http://example.com:80/#x"}, "url"),
        ({"url": "https://169.254.169.254/latest"}, "url"),
        ({"url": "https://0x7f000001/"}, "url"),
        ({"url": "https://[::ffff:127.0.0.1]/"}, "url"),
        ({"url": "https://me:secret@example.com/"}, "url"),
        ({"url": "https://example.com/", "event_types": ["quote.created", "quote.erased"]}, "event_types[1]"),
        ({"url": "https://example.com/", "event_types": ["ping"]}, "event_types[0]"),
    ],
)
async def test_what_is_no_endpoint_is_refused(owner, body, field):
    answer = await owner.call("POST", ENDPOINTS, body)
    assert (answer.status, [one for one, _ in answer.fields()]) == (422, [field])


async def test_twenty_endpoints_and_none_twice(owner):
    for number in range(20):
        await owner.endpoint(f"https://example.com/{number}")
    full = await owner.call("POST", ENDPOINTS, {"url": "https://example.com/20", "livemode": True})
    assert (full.status, full.reason) == (409, "limit_reached")
    twice = await owner.call("POST", ENDPOINTS, {"url": "https://example.com/1", "livemode": False})
    assert (twice.status, twice.reason) == (409, "endpoint_exists")


async def test_another_organization_sees_and_changes_nothing(owner, running, client):
    stranger = Owner(client, running.organization())
    async with receiver() as one:
        endpoint_id, _ = await owner.endpoint(one.url)
        await owner.client.generate(owner.organization.test_key, TEXT)
        (delivery,) = await owner.wait_for("delivered")
    customer = (await owner.call("POST", "/api/v1/customers", {"name": "Ann"})).json()["customer_id"]
    quote = (await owner.client.generate(owner.organization.live_key, TEXT)).json()["quote_id"]
    path, log = f"{ENDPOINTS}/{endpoint_id}", f"{DELIVERIES}/{delivery['delivery_id']}"
    mine = (await stranger.call("POST", "/api/v1/customers", {"name": "Bob"})).json()["customer_id"]
    for method, target, body in (
        ("GET", path, None),
        ("PUT", path, {"description": "mine"}),
        ("DELETE", path, None),
        ("POST", f"{path}/pause", {}),
        ("POST", f"{path}/resume", {}),
        ("POST", f"{path}/rotate-secret", {}),
        ("POST", f"{path}/verify", {}),
        ("POST", f"{path}/ping", {}),
        ("POST", f"{path}/replay-failed", {}),
        ("GET", log, None),
        ("POST", f"{log}/replay", {}),
        ("GET", f"/api/v1/customers/{customer}", None),
        ("POST", f"/api/v1/customers/{customer}/merge", {"duplicate_id": mine}),
        ("POST", f"/api/v1/customers/{mine}/merge", {"duplicate_id": customer}),
        ("POST", "/api/v1/customers", {"name": "Eve", "quote_id": quote}),
    ):
        assert (await stranger.call(method, target, body)).status == 404, (method, target)
    assert (await stranger.call("GET", ENDPOINTS)).json()["data"] == []
    assert await stranger.log() == []
    assert (await owner.call("GET", path)).json()["status"] == "enabled"


async def test_a_viewer_looks_and_changes_nothing_and_a_key_is_no_session(owner, running):
    viewer = running.member(owner.organization.organization_id, "viewer")
    editor = running.member(owner.organization.organization_id, "editor")
    endpoint_id, _ = await owner.endpoint("https://example.com/")
    path = f"{ENDPOINTS}/{endpoint_id}"
    for target in (ENDPOINTS, path, DELIVERIES, "/api/v1/customers"):
        assert (await owner.call("GET", target, session=viewer)).status == 200
        assert (await owner.client.request("GET", target, key=owner.organization.live_key)).status == 401
    for method, target, body in (
        ("POST", ENDPOINTS, {"url": "https://example.com/2"}),
        ("PUT", path, {}),
        ("DELETE", path, None),
        ("POST", f"{path}/pause", {}),
        ("POST", f"{path}/rotate-secret", {}),
        ("POST", f"{path}/verify", {}),
        ("POST", f"{path}/ping", {}),
        ("POST", f"{path}/replay-failed", {}),
        ("POST", f"{DELIVERIES}/1/replay", {}),
        ("POST", "/api/v1/customers", {"name": "x"}),
        ("POST", "/api/v1/customers/1/merge", {"duplicate_id": 2}),
    ):
        answer = await owner.call(method, target, body, session=viewer)
        assert (answer.status, answer.reason) == (403, "role_required"), (method, target)
    assert (await owner.call("DELETE", path, session=editor)).reason == "role_required"
    assert (await owner.call("POST", "/api/v1/customers", {"name": "x"}, session=editor)).status == 200


async def test_the_public_key_is_there_for_everybody_and_verifies(owner):
    answer = await owner.client.request("GET", "/.well-known/webhook-keys")
    (key,) = answer.json()["keys"]
    assert key["algorithm"] == "ed25519"
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key["public_key"].removeprefix("whpk_")))
    async with receiver() as one:
        endpoint_id, _ = await owner.endpoint(one.url)
        await owner.call("POST", f"{ENDPOINTS}/{endpoint_id}/ping")
        await one.wait_for(1)
    (delivery,) = one.received
    signatures = dict(part.split(",", 1) for part in delivery.headers["webhook-signature"].split())
    signed = f"{delivery.id}.{delivery.headers['webhook-timestamp']}.".encode() + delivery.body
    public.verify(base64.b64decode(signatures["v1a"]), signed)


async def test_config_names_the_events(client):
    named = (await client.request("GET", "/api/v1/config")).json()["webhook_events"]
    assert {"quote.created", "quote.approved", "customer.created", "lead.created", "ping"} <= set(named)


async def test_customers_are_made_by_hand_from_a_lead_and_from_a_quote(owner):
    keys = owner.organization
    lead = {"city": "Nashville", "trade": "roofing", "company": "Ann & Co", "email": "ann@example.com", "phone": "1"}
    lead_id = (await owner.client.request("POST", "/api/v1/leads/request", key=keys.live_key, json=lead)).json()[
        "lead_id"
    ]
    quote_id = (await owner.client.generate(keys.live_key, TEXT)).json()["quote_id"]
    hand = (await owner.call("POST", "/api/v1/customers", {"name": " Ann ", "notes": "calls at night"})).json()
    assert (hand["name"], hand["notes"], hand["lead_id"], hand["quote_id"]) == ("Ann", "calls at night", 0, 0)
    led = (await owner.call("POST", "/api/v1/customers", {"lead_id": lead_id, "phone": "2"})).json()
    assert (led["name"], led["email"], led["phone"]) == ("Ann & Co", "ann@example.com", "2")
    assert led["address"].startswith("Nashville")
    quoted = (await owner.call("POST", "/api/v1/customers", {"name": "Bob", "quote_id": quote_id})).json()
    assert (quoted["quote_id"], quoted["address"]) == (quote_id, "Nashville, TN, US")
    nameless = await owner.call("POST", "/api/v1/customers", {"quote_id": quote_id})
    assert nameless.fields() == {("name", "required")}
    for missing in ({"lead_id": 10**6}, {"name": "x", "quote_id": 10**6}):
        assert (await owner.call("POST", "/api/v1/customers", missing)).status == 404
    page = (await owner.call("GET", "/api/v1/customers?limit=2")).json()
    assert [one["customer_id"] for one in page["data"]] == [quoted["customer_id"], led["customer_id"]]
    assert (page["total"], page["has_more"]) == (3, True)


async def test_a_merged_customer_keeps_what_both_knew_and_answers_to_both_ids(owner):
    async def make(**known):
        return (await owner.call("POST", "/api/v1/customers", known)).json()["customer_id"]

    kept, twin, third = (
        await make(name="Ann"),
        await make(name="Anne", email="a@example.com"),
        await make(name="A", phone="1"),
    )
    assert (await owner.call("POST", f"/api/v1/customers/{twin}/merge", {"duplicate_id": third})).status == 200
    merged = (await owner.call("POST", f"/api/v1/customers/{kept}/merge", {"duplicate_id": twin})).json()
    assert (merged["name"], merged["email"], merged["phone"]) == ("Ann", "a@example.com", "1")
    assert merged["merged_ids"] == [twin, third]
    for number in (kept, twin, third):
        assert (await owner.call("GET", f"/api/v1/customers/{number}")).json() == merged
    assert (await owner.call("POST", f"/api/v1/customers/{kept}/merge", {"duplicate_id": third})).json() == merged
    assert (await owner.call("GET", "/api/v1/customers")).json()["total"] == 1
    same = await owner.call("POST", f"/api/v1/customers/{kept}/merge", {"duplicate_id": kept})
    assert same.fields() == {("duplicate_id", "customer.same")}


async def test_what_was_done_is_in_the_audit_log(owner, running):
    endpoint_id, _ = await owner.endpoint("https://example.com/")
    await owner.call("POST", f"{ENDPOINTS}/{endpoint_id}/rotate-secret", {"overlap_hours": 1})
    await owner.call("DELETE", f"{ENDPOINTS}/{endpoint_id}")
    rows = running.rows(
        "select action, livemode, actor from audit_row where organization_id = ? and action like 'webhook:%' order by id",
        owner.organization.organization_id,
    )
    assert [row[:2] for row in rows] == [("webhook:create", 0), ("webhook:rotate", 0), ("webhook:delete", 0)]
    assert all(row[2].startswith("user:") for row in rows)


async def test_nothing_secret_is_in_the_logs(owner, client):
    _, secret = await owner.endpoint("https://example.com/path?token=hunter2")
    logs = await client.logs()
    assert secret not in logs and "hunter2" not in logs
