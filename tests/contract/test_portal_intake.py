"""Promises of intake forms: candidates are offered, nothing is kept while the record is not ready, and what is typed
stays. Over both backends."""

import json
import re
from html import unescape

import pytest

from tests.contract.test_accounts import token as sign_in
from tests.contract.test_leads import listed
from tests.visitor import Browser

NOTE = "Jane Doe, (217) 555-0134, wants a leaking tap fixed at 742 Evergreen Terrace, Springfield, IL 62704"


@pytest.fixture
async def office(running, client):
    organization = running.organization("Intake")
    return organization, Browser(client, await sign_in(client, organization))


def filled(page):
    """What stands in the inputs of a form's fields, as a person would send it."""
    inputs = dict(re.findall(r'<input id="(\w+)" name="\1"[^>]* value="([^"]*)"', page))
    areas = dict(re.findall(r'<textarea id="(\w+)" name="\1"[^>]*>([^<]*)</textarea>', page))
    return {name: unescape(value) for name, value in (inputs | areas).items()}


async def test_candidates_are_offered_and_none_is_taken_before_somebody_says_so(client, office):
    organization, browser = office
    status, _, page = await browser.post("/intake/lead", input=NOTE, do="read")
    assert status == 200
    assert 'value="use:phone:+12175550134"' in page
    assert re.search(r"\d+% sure", page)
    assert {name for name, value in filled(page).items() if value} == {"input"}
    _, _, page = await browser.post("/intake/lead", **filled(page), do="use:phone:+12175550134")
    assert filled(page)["phone"] == "+12175550134"
    _, _, page = await browser.post("/intake/lead", **{**filled(page), "name": "Janet"}, do="use_all")
    taken = filled(page)
    assert (taken["name"], taken["address"]) == ("Janet", "742 Evergreen Terrace, Springfield, IL 62704")
    assert (await listed(client, organization.session))["total"] == 0


async def test_nothing_is_kept_while_the_record_is_not_ready_and_what_was_typed_stays(client, office):
    organization, browser = office
    fields = {"input": "a note", "name": "Jane", "description": "Fix the tap", "preferred_date": "soon"}
    status, _, page = await browser.post("/intake/lead", **fields, do="save")
    assert status == 422
    assert "Nothing is kept yet" in page
    assert 'id="phone-question"' in page
    assert 'id="preferred_date-question"' in page
    assert filled(page).items() >= fields.items()
    assert (await listed(client, organization.session))["total"] == 0
    fields |= {"phone": "+12175550134", "preferred_date": "2026-12-01", "customer": "yes", "idempotency_key": "a-lead"}
    status, headers, _ = await browser.post("/intake/lead", **fields, do="save")
    assert status == 303
    lead = (await listed(client, organization.session))["data"][0]
    assert headers["Location"] == f"/leads/{lead['lead_id']}"
    assert (lead["name"], lead["notes"]) == ("Jane", "Fix the tap\nPreferred day: 2026-12-01")
    assert lead["customer_id"]
    assert (await browser.post("/intake/lead", **fields, do="save"))[1]["Location"] == headers["Location"]
    assert (await listed(client, organization.session))["total"] == 1


async def test_a_lead_whose_customer_was_refused_is_found_by_the_next_press(client, office):
    organization, browser = office
    other = {"Idempotency-Key": "a-note-customer"}
    await client.request(
        "POST", "/api/v1/customers", session=browser.session, json={"name": "Somebody else"}, headers=other
    )
    fields = {"name": "Jane", "phone": "+12175550134", "description": "Fix the tap", "customer": "yes"}
    status, _, page = await browser.post("/intake/lead", **fields, idempotency_key="a-note", do="save")
    lead = (await listed(client, organization.session))["data"][0]
    assert (status, f'<a href="/leads/{lead["lead_id"]}">' in page) == (409, True)
    hidden = dict(re.findall(r'<input type="hidden" name="(idempotency_key|lead_id)" value="([^"]+)"', page))
    for _ in range(2):
        status, headers, _ = await browser.post("/intake/lead", **fields | hidden, do="save")
        assert (status, headers["Location"]) == (303, f"/leads/{lead['lead_id']}")
    leads = await listed(client, organization.session)
    assert (leads["total"], bool(leads["data"][0]["customer_id"])) == (1, True)
    customers = await client.request("GET", "/api/v1/customers", session=browser.session)
    assert customers.json()["total"] == 2


async def test_a_lead_that_is_changed_after_it_was_kept_is_not_made_anew_without_saying_so(client, office):
    organization, browser = office
    fields = {"name": "Jane", "phone": "+12175550134", "description": "Fix the tap", "idempotency_key": "went-back"}
    assert (await browser.post("/intake/lead", **fields, do="save"))[0] == 303
    status, _, page = await browser.post("/intake/lead", **fields | {"name": "Janet"}, do="save")
    assert (status, "is kept already" in page) == (409, True)
    assert (await listed(client, organization.session))["total"] == 1


async def test_what_the_lead_refuses_is_told_beside_its_field(client, office):
    organization, browser = office
    fields = {"name": "Jane", "phone": "+12175550134", "description": "Fix the tap", "trade": "plumbing" * 20}
    status, _, page = await browser.post("/intake/lead", **fields, do="save")
    assert (status, 'id="trade-question"' in page, filled(page)["trade"]) == (422, True, fields["trade"])
    assert (await listed(client, organization.session))["total"] == 0


async def test_a_quote_is_drafted_from_a_record_that_is_ready(client, office):
    _, browser = office
    fields = {"customer_name": "Jane Doe", "description": "Replace 12 m of guttering", "address": "Nashville, TN"}
    status, headers, _ = await browser.post("/intake/quote", **fields, do="save", idempotency_key="a-quote")
    assert status == 303
    quote = await client.request("GET", f"/api/v1{headers['Location']}", session=browser.session)
    assert quote.json()["line_items"]
    assert "Address: Nashville, TN" in quote.json()["text"]


async def test_a_trade_that_is_too_long_is_told_beside_it_before_anything_is_stored(client, office):
    _, browser = office
    fields = {"customer_name": "Jane Doe", "description": "Replace 12 m of guttering", "customer": "yes"}
    fields |= {"idempotency_key": "a-long-trade", "trade": "roofer" * 20}
    status, _, page = await browser.post("/intake/quote", **fields, do="save")
    assert (status, 'id="trade-question"' in page) == (422, True)
    customers = await client.request("GET", "/api/v1/customers", session=browser.session)
    assert customers.json()["total"] == 0
    status, headers, _ = await browser.post("/intake/quote", **fields | {"trade": "roofer"}, do="save")
    assert (status, headers["Location"].startswith("/quotes/")) == (303, True)


async def test_a_form_whose_key_is_spent_is_shown_with_another_and_makes_its_customer_once(client, office):
    _, browser = office
    fields = {"customer_name": "Jane Doe", "description": "Replace 12 m of guttering", "idempotency_key": "spent"}
    assert (await browser.post("/intake/quote", **fields, do="save"))[0] == 303
    fields |= {"description": "Replace 20 m of guttering", "customer": "yes"}
    status, _, page = await browser.post("/intake/quote", **fields, do="save")
    assert status == 409
    hidden = dict(re.findall(r'<input type="hidden" name="(idempotency_key|customer_id)" value="([^"]+)"', page))
    assert hidden["idempotency_key"] != "spent"
    status, headers, _ = await browser.post("/intake/quote", **fields | hidden, do="save")
    assert status == 303
    quote = await client.request("GET", f"/api/v1{headers['Location']}", session=browser.session)
    assert quote.json()["customer_id"] == int(hidden["customer_id"])
    customers = await client.request("GET", "/api/v1/customers", session=browser.session)
    assert customers.json()["total"] == 1


@pytest.mark.parametrize(
    ("profile", "fields"),
    [
        ("job", {"description": "Fix the tap", "date": "2026-12-01", "address": "742 Evergreen Terrace"}),
        ("payment", {"amount": "120.00", "currency": "USD", "date": "2026-11-03", "reference": "1042"}),
    ],
)
async def test_jobs_and_payments_end_with_a_record_to_take_along_and_the_page_says_so(office, profile, fields):
    _, browser = office
    status, _, page = await browser.get(f"/intake/{profile}")
    assert "are not kept here" in page
    status, _, page = await browser.post(f"/intake/{profile}", **{**fields, "date": "soon"}, do="download")
    assert (status, 'id="date-question"' in page) == (422, True)
    assert 'id="record"' in (await browser.post(f"/intake/{profile}", **fields, do="check"))[2]
    status, headers, body = await browser.post(f"/intake/{profile}", **fields, do="download")
    assert status == 200
    assert headers["Content-Disposition"] == f'attachment; filename="{profile}.json"'
    assert json.loads(body) == {"profile": profile, "record": fields}


async def test_the_longest_note_is_read_and_a_longer_one_told_beside_its_field(office):
    _, browser = office
    note = (NOTE + " \N{PILE OF POO}") * 200
    assert (await browser.post("/intake/lead", input=note[:12_000], do="read"))[0] == 200
    status, _, page = await browser.post("/intake/lead", input=note[:12_001], do="read")
    assert (status, 'id="input-error"' in page) == (422, True)
    record = {"name": "Jane", "phone": "+12175550134", "description": "Fix the tap"}
    status, _, page = await browser.post("/intake/lead", input=note[:12_001], **record, do="save")
    assert (status, 'id="input-error"' in page) == (422, True)


async def test_what_is_typed_by_hand_is_kept_where_correction_is_refused(running, client):
    organization = running.organization("Refused")
    browser = Browser(client, organization.session)
    for _ in range(60):
        await browser.post("/assist/proofread", text="", field_kind="notes")
    record = {"name": "Jane", "phone": "+12175550134"}
    status, _, page = await browser.post("/intake/lead", **record, do="save")
    assert (status, filled(page)["name"]) == (429, "Jane")
    status, headers, _ = await browser.post("/intake/lead", **record, description="Fix the tap", do="save")
    assert (status, headers["Location"].startswith("/leads/")) == (303, True)


async def test_a_profile_that_does_not_exist_is_not_there_and_viewers_keep_nothing(running, client, office):
    organization, browser = office
    assert (await browser.get("/intake/order"))[0] == 404
    assert (await browser.post("/intake/order", input="x"))[0] == 404
    viewer = Browser(client, running.member(organization.organization_id, "viewer"))
    fields = {"name": "Jane", "description": "Fix the tap", "phone": "+12175550134"}
    assert (await viewer.post("/intake/lead", **fields, do="save"))[0] == 403
    for profile in ("lead", "quote"):
        page = (await viewer.get(f"/intake/{profile}"))[2]
        assert (page.count("As a viewer you keep nothing here"), 'value="download"' in page) == (1, True), profile
        assert 'value="save"' not in page and 'name="customer"' not in page, profile
    status, _, body = await viewer.post("/intake/lead", **fields, do="download")
    assert (status, json.loads(body)["record"]["name"]) == (200, "Jane")
    assert (await listed(client, organization.session))["total"] == 0


async def test_hostile_notes_show_as_text(office):
    _, browser = office
    hostile = '</textarea><svg onload="x">"\'=1+1\u202e'
    _, _, page = await browser.post("/intake/lead", input=hostile, name=hostile, do="read")
    assert "<svg" not in page
    assert unescape(page).count(hostile) >= 2
