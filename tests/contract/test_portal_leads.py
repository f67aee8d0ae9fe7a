"""Promises of the pages of leads, over both backends."""

import re
from html import unescape

import pytest

from tests.contract.test_accounts import token as sign_in
from tests.contract.test_leads import TYPED, create
from tests.visitor import Browser


@pytest.fixture
async def office(running, client):
    organization = running.organization("Office")
    return organization, Browser(client, await sign_in(client, organization))


async def test_the_inbox_finds_pages_and_says_what_to_do_when_it_is_empty(client, office):
    organization, browser = office
    assert "No leads yet" in (await browser.get("/leads"))[2]
    for number in range(21):
        await create(client, organization.session, name=f"Lead number {number}")
    _, _, page = await browser.get("/leads")
    assert "1 to 20 of 21" in page
    assert "Lead number 0<" in (await browser.get("/leads?offset=20"))[2]
    _, _, page = await browser.get("/leads?q=number+7&stage=new")
    assert re.findall(r"Lead number \d+", page) == ["Lead number 7", "Lead number 17"][::-1] or "number 7" in page
    assert "No lead is like that" in (await browser.get("/leads?q=zzz"))[2]


async def test_a_lead_is_moved_made_a_customer_and_drafted(client, office):
    organization, browser = office
    number = (await create(client, organization.session)).json()["lead_id"]
    path = f"/leads/{number}"
    _, _, page = await browser.get(path)
    assert TYPED["phone"] in page
    assert "What was answered" not in page
    assert (await browser.post(path, stage="contacted"))[1]["Location"] == path
    assert 'badge">Contacted' in (await browser.get(path))[2]
    made = await browser.post(f"{path}/customer", name="Ana Núñez", idempotency_key="once")
    assert made[1]["Location"] == path
    assert re.search(r'href="/customers/\d+"', (await browser.get(path))[2])
    drafted = await browser.post(f"{path}/quote", text="Replace 12 m of guttering", idempotency_key="draft")
    quote = int(re.fullmatch(r"/quotes/(\d+)", drafted[1]["Location"])[1])
    again = await browser.post(f"{path}/quote", text="Replace 12 m of guttering", idempotency_key="draft")
    assert again[1]["Location"] == drafted[1]["Location"]
    read = await client.request("GET", f"/api/v1/quotes/{quote}", session=browser.session)
    assert "guttering" in read.json()["text"]
    status, _, page = await browser.post(f"{path}/quote", text="")
    assert (status, "<h1>Ana" in page) == (422, True)
    assert (await browser.post(f"{path}/quote", text="\N{HOUSE BUILDING}" * 20_001))[0] == 422


async def test_hostile_text_of_a_lead_shows_as_text(client, office):
    organization, browser = office
    hostile = '<svg onload="x">=1+1\u202e'
    number = (await create(client, organization.session, name=hostile, notes=hostile)).json()["lead_id"]
    for path in ("/leads", f"/leads/{number}"):
        _, _, page = await browser.get(path)
        assert "<svg" not in page
        assert hostile in unescape(page)


async def test_another_tenants_leads_are_not_there_and_viewers_see_no_forms(running, client, office):
    organization, browser = office
    stranger = running.organization("Stranger")
    other = (await create(client, stranger.session)).json()["lead_id"]
    assert (await browser.get(f"/leads/{other}"))[0] == 404
    for path, fields in (
        (f"/leads/{other}", {"stage": "closed"}),
        (f"/leads/{other}/customer", {"name": "x"}),
        (f"/leads/{other}/quote", {"text": "Replace a door"}),
    ):
        assert (await browser.post(path, **fields))[0] == 404, path
    own = (await create(client, organization.session)).json()["lead_id"]
    viewer = Browser(client, running.member(organization.organization_id, "viewer"))
    _, _, page = await viewer.get(f"/leads/{own}")
    assert "Make a customer" not in page
    assert "Draft a quote" not in page
    for path, fields in (
        (f"/leads/{own}", {"stage": "closed"}),
        (f"/leads/{own}/customer", {"name": "x"}),
        (f"/leads/{own}/quote", {"text": "Replace a door"}),
    ):
        assert (await viewer.post(path, **fields))[0] == 403, path
