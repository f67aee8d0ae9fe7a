"""Promises of prices that can be opened, and of an organization's settings: the same in process and over a channel."""

import grpc
import pytest
from quotewright.v1 import pricing_pb2, pricing_pb2_grpc, quote_pb2, quote_pb2_grpc

SETTINGS = "/api/v1/pricing/settings"
FACTORS = "/api/v1/pricing/regional-factors"
TEXT = "Install 2 radiators, paint 30 m2 of walls and repair the flux capacitor in {}"
HEAD = "country,place,factor,source,as_of\n"


@pytest.fixture
def company(running):
    """An organization of the test's own: its settings change."""
    return running.organization("Pricing")


async def quoted(client, company, place="Nashville"):
    answer = await client.generate(company.live_key, TEXT.format(place))
    assert answer.status == 200
    return answer.json()


async def explain(client, quote, line, **who):
    return await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}/lines/{line}/explanation", **who)


async def put(client, company, **settings):
    body = {"settings": {"currency": "USD", **settings}}
    return await client.request("PUT", SETTINGS, session=company.session, json=body)


async def test_every_line_of_a_quote_is_explained_to_the_cent(client, company):
    assert (await put(client, company, minimum_charge=9000, labour_markup=0.15, tax_rate=0.0825)).status == 200
    quote = await quoted(client, company)
    assert quote["line_items"][-1]["source"]["kind"] == "settings"
    for number, line in enumerate(quote["line_items"], start=1):
        answer = await explain(client, quote, number, key=company.live_key)
        assert answer.status == 200
        explanation = answer.json()
        assert explanation["holds"] is True and explanation["problems"] == []
        assert (explanation["price"], explanation["amount"]) == (line["price"], line["amount"])
        assert explanation["priced"] is line["priced"]
        if not line["priced"]:
            assert explanation["facts"] == explanation["steps"] == []
            continue
        named = {one["name"] for one in explanation["facts"]}
        assert all(one["dataset"] and one["row"] and one["licence"] for one in explanation["facts"])
        published = {one["dataset"]: one["url"] for one in explanation["facts"]}
        assert published.get("bls-oews-2025-05", "https://www.bls.gov/oes/") == "https://www.bls.gov/oes/"
        for step in explanation["steps"]:
            assert {one for one in step["operands"] if one[0] in "FS" and one[1:].isdigit()} <= named
            named.add(step["name"])
        assert float(explanation["steps"][-1]["value"]) == line["amount"]
    assert quote["subtotal"] == 9000
    assert quote["tax"] == sum(one["tax"] for one in quote["taxes"]) > 0


async def test_a_line_that_is_not_there_or_not_theirs_is_not_found(running, client, company):
    quote = await quoted(client, company)
    count = len(quote["line_items"])
    stranger = running.organization("Stranger")
    assert (await explain(client, quote, count, session=company.session)).status == 200
    for line, who in (
        (count + 1, {"key": company.live_key}),
        (1, {"key": company.test_key}),
        (1, {"key": stranger.live_key}),
        (4294967295, {"key": company.live_key}),
    ):
        answer = await explain(client, quote, line, **who)
        assert (answer.status, answer.reason) == (404, "not_found")
    assert (await explain(client, quote, 0, key=company.live_key)).fields() == {("line", "uint32.gte")}
    assert (await explain(client, quote, "x", key=company.live_key)).status == 422
    assert (await explain(client, quote, 1, key=company.bare_key)).status == 403


async def test_settings_that_were_changed_meanwhile_are_not_replaced(client, company):
    read = (await client.request("GET", SETTINGS, session=company.session)).json()
    answers = []
    for margin in (0.1, 0.2):
        body = {"settings": {**read["settings"], "margin": margin}, "version": read["version"]}
        answers.append(await client.request("PUT", SETTINGS, session=company.session, json=body))
    assert answers[0].status == 200
    assert (answers[1].status, answers[1].reason) == (409, "changed_meanwhile")
    assert (await client.request("GET", SETTINGS, session=company.session)).json() == answers[0].json()


async def test_settings_hold_for_the_next_draft_and_stored_quotes_stay(client, company):
    before = await quoted(client, company)
    full = {
        "currency": "USD", "home_location": "Chicago, IL", "labour_burden": 0.5, "labour_markup": 0.2, "material_markup": 0.1,
        "equipment_markup": 0.0, "other_markup": 0.3, "margin": 0.05, "material_waste": 0.08, "minimum_charge": 150.5,
        "small_job_factor": 1.25, "small_job_hours": 4.0, "disposal_charge": 80.0, "access_charge": 0.0,
        "equipment_charge": 25.0, "tax_rate": 0.0825, "reduced_tax_rate": 0.05,
        "tax_classes": [{"kind": "labour", "tax_class": "zero"}], "packs": [{"material": "Drywall 13 mm", "size": 2.97}],
        "validity_days": 14,
    }  # fmt: skip
    answer = await put(client, company, **full)
    stored = {"settings": full, "version": answer.json()["version"]}
    assert (answer.status, answer.json()) == (200, stored)
    assert (await client.request("GET", SETTINGS, session=company.session)).json() == stored
    after = await quoted(client, company)
    told = [part["dataset"] for part in after["line_items"][0]["source"]["components"]]
    assert told.count("settings") > 2 and told != [
        part["dataset"] for part in before["line_items"][0]["source"]["components"]
    ]
    assert [one["description"] for one in after["line_items"] if one["kind"] == "fee"] == ["Equipment"]
    read = await client.request("GET", f"/api/v1/quotes/{before['quote_id']}", key=company.live_key)
    assert read.json() == before
    assert (await explain(client, before, 1, key=company.live_key)).json()["holds"] is True
    default = (await put(client, company)).json()["settings"]
    assert (default["validity_days"], default["small_job_factor"], default["small_job_hours"]) == (30, 1, 8)
    assert "labour_burden" not in default and "tax_rate" not in default
    again = await quoted(client, company)
    assert again["line_items"] == before["line_items"]


@pytest.mark.parametrize(
    ("settings", "fields"),
    [
        ({"curency": "USD"}, {("settings.curency", "unknown_field")}),
        ({"currency": "XYZ"}, {("settings.currency", "string.in")}),
        ({"currency": ""}, {("settings.currency", "string.in")}),
        ({"tax_rate": 1.1, "margin": 1}, {("settings.tax_rate", "double.gte_lte"), ("settings.margin", "double.gte_lte")}),
        ({"labour_burden": -0.1}, {("settings.labour_burden", "double.gte_lte")}),
        ({"minimum_charge": 99.999}, {("settings.minimum_charge", "double.decimals")}),
        ({"tax_rate": 0.12345678}, {("settings.tax_rate", "double.decimals")}),
        ({"home_location": "Nowhereville"}, {("settings.home_location", "place.unknown")}),
        ({"validity_days": 0}, {("settings.validity_days", "uint32.gte_lte")}),
        ({"packs": [{"material": "x", "size": 0}]}, {("settings.packs[0].size", "double.gt_lte")}),
        ({"tax_classes": [{"kind": "labour", "tax_class": "zero"}] * 2}, {("settings.tax_classes", "repeated.unique")}),
        ({"tax_classes": [{"kind": "work", "tax_class": "no"}]},
         {("settings.tax_classes[0].kind", "string.in"), ("settings.tax_classes[0].tax_class", "string.in")}),
    ],
)  # fmt: skip
async def test_settings_that_cannot_be_are_refused_with_every_reason_and_change_nothing(
    client, organization, settings, fields
):
    before = (await client.request("GET", SETTINGS, session=organization.session)).json()
    answer = await client.request(
        "PUT", SETTINGS, session=organization.session, json={"settings": {"currency": "USD", **settings}}
    )
    assert (answer.status, answer.fields()) == (422, fields)
    assert (await client.request("GET", SETTINGS, session=organization.session)).json() == before


async def test_settings_are_for_owners_with_a_session(running, client, company):
    editor = running.member(company.organization_id, "editor")
    assert (await client.request("GET", SETTINGS, session=editor)).status == 200
    for method, path, body in (
        ("PUT", SETTINGS, {"settings": {"currency": "USD"}}),
        ("POST", FACTORS, {"csv": HEAD, "apply": True}),
    ):
        answer = await client.request(method, path, session=editor, json=body)
        assert (answer.status, answer.reason) == (403, "role_required")
        answer = await client.request(method, path, key=company.live_key, json=body)
        assert (answer.status, answer.reason) == (401, "credential_kind_refused")


async def test_regional_factors_are_checked_first_then_stored_whole_and_used(client, company):
    good = HEAD + "US,TN,0.5,Own survey,2026-03\nGB,LS,0.9,Own survey,2026\n"
    before = await quoted(client, company)

    async def post(**body):
        answer = await client.request("POST", FACTORS, session=company.session, json=body)
        assert answer.status == 200
        return answer.json()

    async def total():
        return (await client.request("GET", FACTORS, session=company.session)).json()["total"]

    assert await post(csv=good) == {"accepted": 2, "applied": False, "problems": []}
    assert await total() == 0
    bad = await post(csv=good + "US,Nowhereville,0.9,s,2026\n", apply=True)
    assert (bad["applied"], [(one["line"], one["column"]) for one in bad["problems"]]) == (False, [(4, "place")])
    assert await total() == 0
    assert (await post(csv=good, apply=True))["applied"] is True
    page = (await client.request("GET", f"{FACTORS}?limit=1", session=company.session)).json()
    assert (page["total"], page["has_more"], page["data"][0]["place"]) == (2, True, "LS, GB")
    after = await quoted(client, company)
    radiator = after["line_items"][0]
    assert radiator["price"] < before["line_items"][0]["price"]
    assert "regional factor 0.5 of TN, US by Own survey, 2026-03" in radiator["source"]["components"][0]["description"]
    explanation = (await explain(client, after, 1, key=company.live_key)).json()
    assert explanation["holds"] and "regional-factors" in {one["dataset"] for one in explanation["facts"]}
    assert (await post(csv=HEAD + "US,GA,0.9,s,2026\n", apply=True, replace=True))["applied"] is True
    assert await total() == 1
    assert (await quoted(client, company))["line_items"] == before["line_items"]


async def test_an_import_that_is_sent_again_gives_the_first_answer(client, company):
    async def post(csv, **more):
        headers = {"Idempotency-Key": "factors"}
        return await client.request(
            "POST", FACTORS, session=company.session, json={"csv": csv, **more}, headers=headers
        )

    file = HEAD + "US,TN,0.5,s,2026\n"
    looked = await post(file)
    assert (looked.status, looked.json()["applied"]) == (200, False)
    first = await post(file, apply=True)
    assert first.json() == {"accepted": 1, "applied": True, "problems": []}
    instead = {"csv": HEAD + "US,GA,0.9,s,2026\n", "apply": True, "replace": True}
    assert (await client.request("POST", FACTORS, session=company.session, json=instead)).json()["applied"] is True
    again = await post(file, apply=True)
    assert (again.body, again.headers["Idempotent-Replayed"]) == (first.body, "true")
    for other in (HEAD + "US,AL,0.9,s,2026\n", HEAD + "US,Nowhereville,0.9,s,2026\n"):
        refused = await post(other, apply=True)
        assert (refused.status, refused.reason) == (409, "idempotency_key_reused")
    kept = (await client.request("GET", FACTORS, session=company.session)).json()
    assert [one["place"] for one in kept["data"]] == ["GA, US"]


async def test_a_price_abroad_is_in_the_money_of_the_place(client, company):
    for location, currency in (("Nashville", "USD"), ("Leeds, UK", "GBP"), ("LS6 2AB", "GBP")):
        body = {"query": "laminate flooring", "location": location}
        answer = await client.request("POST", "/api/v1/sourcing/price", key=company.live_key, json=body)
        options = answer.json()["options"]
        assert options and {one["currency"] for one in options} == {currency}
    assert max(one["confidence"] for one in options) < 0.5
    assert "absent" in {one["source"]["coverage"] for one in options}


async def test_internal_services_explain_and_read_settings_with_generated_stubs(running, company):
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        quotes, pricing = quote_pb2_grpc.QuoteServiceStub(channel), pricing_pb2_grpc.PricingServiceStub(channel)
        key = (("x-api-key", company.live_key),)
        made = await quotes.GenerateQuote(quote_pb2.GenerateQuoteRequest(text=TEXT.format("Chicago")), metadata=key)
        request = quote_pb2.ExplainLineRequest(quote_id=made.quote.quote_id, line=1)
        explanation = (await quotes.ExplainLine(request, metadata=key)).explanation
        assert explanation.holds and explanation.amount == made.quote.line_items[0].amount
        session = (("authorization", f"Bearer {company.session}"),)
        read = await pricing.GetPricingSettings(pricing_pb2.GetPricingSettingsRequest(), metadata=session)
        assert read.settings.currency == "USD"


def test_an_operator_imports_regional_factors_and_is_told_what_is_wrong(running, company, tmp_path):
    file = tmp_path / "factors.csv"
    arguments = (
        "admin",
        "import-regional-factors",
        "--organization",
        str(company.organization_id),
        "--file",
        str(file),
    )
    file.write_text(HEAD + "GB,Leeds,0.93,Own survey,2026\n", encoding="utf-8-sig")
    assert running.run(*arguments) == {"accepted": 1, "applied": False}
    assert running.run(*arguments, "--apply") == {"accepted": 1, "applied": True}
    file.write_bytes(HEAD.encode() + b"GB,Leeds,0.93,\xff,2026\n")
    for content, said in ((file.read_bytes(), "not UTF-8"), (HEAD.encode() + b"GB,Xx,1,s,2026", "line 2: place")):
        file.write_bytes(content)
        with pytest.raises(AssertionError, match=said):
            running.run(*arguments, "--apply")
