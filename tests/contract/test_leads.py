"""Promises of the inbox of leads: what came in by a key or was typed in is found, read and moved on, by its own
organization only."""

import pytest

LEADS = "/api/v1/leads"
TYPED = {"name": "Ana Núñez", "phone": "+1 615 555 0134", "address": "12 Oak St, Nashville", "notes": "Leaking eaves."}


@pytest.fixture
def fresh(running):
    return running.organization("Leads")


async def create(client, session, **changes):
    return await client.request("POST", LEADS, session=session, json=TYPED | changes)


async def listed(client, session, **query):
    answer = await client.request("GET", LEADS, session=session, params=query)
    assert answer.status == 200, answer.body
    return answer.json()


async def test_what_came_by_a_key_and_what_was_typed_in_are_listed_newest_first_and_found_by_their_words(client, fresh):
    sent = {"city": "Nashville", "trade": "roofing", "company": "Acme", "email": "boss@acme.example"}
    by_key = (await client.request("POST", f"{LEADS}/request", key=fresh.live_key, json=sent)).json()["lead_id"]
    typed = (await create(client, fresh.session)).json()
    assert (typed["stage"], typed["status"], typed["city_known"]) == ("new", "received", False)
    assert typed["created_by"].startswith("user:")
    found = await listed(client, fresh.session)
    assert [one["lead_id"] for one in found["data"]] == [typed["lead_id"], by_key]
    assert found["total"] == 2
    for query, expected in (
        ("nunez", [typed["lead_id"]]),
        ("LEAKING oak", [typed["lead_id"]]),
        ("acme roofing", [by_key]),
        ("oak acme", []),
        ("100%", []),
        ("_", []),
    ):
        assert [one["lead_id"] for one in (await listed(client, fresh.session, query=query))["data"]] == expected, query
    page = await listed(client, fresh.session, limit=1)
    assert (len(page["data"]), page["has_more"]) == (1, True)


async def test_a_city_and_a_trade_that_are_typed_in_are_answered_like_a_request(client, fresh):
    lead = (await create(client, fresh.session, city="Nashville", trade="gutters")).json()
    asked = {"city": "Nashville", "trade": "gutters"}
    answered = (await client.request("POST", f"{LEADS}/request", key=fresh.live_key, json=asked)).json()
    assert answered["lead_id"] != lead["lead_id"]
    assert {name: lead[name] for name in ("status", "city", "region")} == {
        name: answered[name] for name in ("status", "city", "region")
    }
    assert (await create(client, fresh.session, city="Nashville")).json()["status"] == "received"


async def test_a_lead_moves_from_stage_to_stage_and_the_audit_log_tells(client, fresh):
    number = (await create(client, fresh.session)).json()["lead_id"]
    path = f"{LEADS}/{number}"
    for _ in range(2):
        moved = await client.request("PATCH", path, session=fresh.session, json={"stage": "contacted"})
        assert (moved.status, moved.json()["stage"]) == (200, "contacted")
    assert (await client.request("GET", path, session=fresh.session)).json() == moved.json()
    assert [one["lead_id"] for one in (await listed(client, fresh.session, stage="contacted"))["data"]] == [number]
    assert (await listed(client, fresh.session, stage="new"))["data"] == []
    audit = await client.request("GET", "/api/v1/workspace/audit?action=lead:update", session=fresh.session)
    assert [row["detail"] for row in audit.json()["data"]] == ["new to contacted"]
    refused = await client.request("PATCH", path, session=fresh.session, json={"stage": "won"})
    assert (refused.status, refused.fields()) == (422, {("stage", "string.in")})


async def test_a_customer_made_of_a_lead_is_told_with_it(client, fresh):
    number = (await create(client, fresh.session)).json()["lead_id"]
    made = await client.request("POST", "/api/v1/customers", session=fresh.session, json={"lead_id": number})
    customer = made.json()
    assert (customer["name"], customer["address"]) == (TYPED["name"], TYPED["address"])
    lead = (await client.request("GET", f"{LEADS}/{number}", session=fresh.session)).json()
    assert lead["customer_id"] == customer["customer_id"]


async def test_leads_are_their_organizations_and_their_modes_alone(running, client, fresh):
    number = (await create(client, fresh.session)).json()["lead_id"]
    asked = {"city": "Nashville", "trade": "roofing"}
    test = (await client.request("POST", f"{LEADS}/request", key=fresh.test_key, json=asked)).json()["lead_id"]
    stranger = running.organization("Stranger").session
    for session, lead in ((stranger, number), (fresh.session, test)):
        path = f"{LEADS}/{lead}"
        assert (await client.request("GET", path, session=session)).status == 404
        assert (await client.request("PATCH", path, session=session, json={"stage": "closed"})).status == 404
    assert (await listed(client, stranger))["total"] == 0


async def test_who_may_not_write_reads_and_keys_have_no_inbox(running, client, fresh):
    viewer = running.member(fresh.organization_id, "viewer")
    number = (await create(client, fresh.session)).json()["lead_id"]
    assert (await create(client, viewer)).reason == "role_required"
    moved = await client.request("PATCH", f"{LEADS}/{number}", session=viewer, json={"stage": "closed"})
    assert moved.reason == "role_required"
    assert (await client.request("GET", f"{LEADS}/{number}", session=viewer)).status == 200
    assert (await client.request("GET", LEADS, key=fresh.live_key)).status == 401


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"name": ""}, "nobody"), ({"phone": ""}, "unreachable"), ({"email": "nobody"}, "string.email")],
)
async def test_a_lead_needs_somebody_who_can_be_reached(client, fresh, changes, reason):
    answer = await create(client, fresh.session, **changes)
    assert answer.status == 422
    assert reason in {why for _, why in answer.fields()}


async def test_an_internationalized_address_is_taken_in_every_field_that_mail_is_sent_to(client, fresh):
    address, sent = "josé@bücher.example", {"email": "josé@BÜCHER.example"}
    assert (await create(client, fresh.session, **sent)).json()["email"] == address
    asked = await client.request(
        "POST", f"{LEADS}/request", key=fresh.live_key, json={"city": "Nashville", "trade": "roofing"} | sent
    )
    lead = await client.request("GET", f"{LEADS}/{asked.json()['lead_id']}", session=fresh.session)
    assert lead.json()["email"] == address
    made = await client.request("POST", "/api/v1/customers", session=fresh.session, json={"name": "José"} | sent)
    path = f"/api/v1/customers/{made.json()['customer_id']}"
    changed = await client.request("PATCH", path, session=fresh.session, json=sent)
    assert (made.json()["email"], changed.json()["email"]) == (address, address)
    invited = await client.request(
        "POST", "/api/v1/workspace/invitations", session=fresh.session, json={"role": "viewer"} | sent
    )
    assert invited.json()["invitation"]["email"] == address


@pytest.mark.parametrize(
    "address", ["nobody", " ", "josé@bücher", "a@b.example, c@d.example", "a" * 250 + "@b.example"]
)
async def test_what_a_change_refuses_as_an_address_is_refused_of_what_is_made(client, fresh, address):
    session, customers = fresh.session, "/api/v1/customers"
    made = await client.request("POST", customers, session=session, json={"name": "José"})
    path = f"{customers}/{made.json()['customer_id']}"
    answers = [
        await create(client, session, email=address),
        await client.request("POST", customers, session=session, json={"name": "José", "email": address}),
        await client.request("PATCH", path, session=session, json={"email": address}),
    ]
    why = "string.max_len" if len(address) > 254 else "string.email"
    assert [(one.status, one.fields()) for one in answers] == [(422, {("email", why)})] * 3


async def test_a_lead_that_is_sent_again_is_kept_once(client, fresh):
    headers = {"Idempotency-Key": "a-lead"}
    first, again = [
        await client.request("POST", LEADS, session=fresh.session, json=TYPED, headers=headers) for _ in range(2)
    ]
    assert first.body == again.body
    assert (await listed(client, fresh.session))["total"] == 1
