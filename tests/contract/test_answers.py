"""Promises of the routes: what each request is answered, the same in process and over a channel."""

import json

import pytest

from tests.stack import Client

GENERATE = "/api/v1/quotes/generate"
PRICE = "/api/v1/sourcing/price"
LEAD = "/api/v1/leads/request"
PROOFREAD = "/api/writing-assist/proofread"
JSON = {"Content-Type": "application/json"}
TEXT = "Replace 12 m of guttering in Nashville"


def body(value):
    return {"data": json.dumps(value) if not isinstance(value, bytes) else value, "headers": JSON}


# name, method, path, credential (attribute of the organization), request, status, reason, fields
REFUSED = [
    ("no key", "POST", GENERATE, "", body({"text": TEXT}), 401, "credential_missing", set()),
    ("mistyped key", "POST", GENERATE, "qw_live_x", body({"text": TEXT}), 401, "api_key_malformed", set()),
    ("session on a key route", "POST", GENERATE, "session", body({"text": TEXT}), 401, "credential_kind_refused", set()),
    ("key on text assist", "POST", PROOFREAD, "live_key", body({}), 401, "credential_kind_refused", set()),
    ("no workspace", "POST", PROOFREAD, "homeless_session", body({}), 403, "workspace_required", set()),
    ("no scope", "POST", GENERATE, "bare_key", body({"text": TEXT}), 403, "scope_required", set()),
    ("unknown path", "GET", "/api/v1/nothing", "live_key", {}, 404, "route_not_found", set()),
    ("unknown path without key", "GET", "/nothing", "", {}, 404, "route_not_found", set()),
    ("unknown method", "DELETE", GENERATE, "live_key", {}, 405, "method_not_allowed", set()),
    ("no body", "POST", GENERATE, "live_key", {"headers": JSON}, 422, None, None),
    ("no JSON", "POST", GENERATE, "live_key", body(b"{text"), 422, None, None),
    ("no object", "POST", GENERATE, "live_key", body([1]), 422, None, None),
    ("unknown field", "POST", GENERATE, "live_key", body({"text": TEXT, "txet": 1}), 422, None, {("txet", "unknown_field")}),
    ("camel case", "POST", GENERATE, "live_key", body({"documentId": "x"}), 422, None, {("documentId", "unknown_field")}),
    ("duplicate key", "POST", GENERATE, "live_key", body(b'{"text":"a","text":"b"}'), 422, None, {("text", "duplicate_key")}),
    ("NUL", "POST", GENERATE, "live_key", body({"text": "a\0b"}), 422, None, {("text", "nul_character")}),
    ("invalid UTF-8", "POST", GENERATE, "live_key", body(b'{"text":"\xff"}'), 422, None, None),
    ("too deep", "POST", GENERATE, "live_key", body(b'{"text":' + b"[" * 40 + b"]" * 40 + b"}"), 422, None, None),
    ("wrong type", "POST", GENERATE, "live_key", body({"text": 5}), 422, None, {("text", "wrong_type")}),
    ("empty text", "POST", GENERATE, "live_key", body({"text": ""}), 422, "invalid_fields", {("text", "exactly_one_of")}),
    ("blank text", "POST", GENERATE, "live_key", body({"text": " \n\u00a0"}), 422, "invalid_fields", {("text", "string.blank")}),
    ("oversize text", "POST", GENERATE, "live_key", body({"text": "a" * 20001}), 422, "invalid_fields", {("text", "string.max_len")}),
    ("every violation at once", "POST", GENERATE, "live_key",
     body({"text": "a" * 20001, "industry": "b" * 81, "margin": 2}), 422, "invalid_fields",
     {("text", "string.max_len"), ("industry", "string.max_len"), ("margin", "double.gte_lte"), ("margin", "needs_document_id")}),
    ("text and document", "POST", GENERATE, "live_key", body({"text": TEXT, "document_id": "d"}), 422, "invalid_fields", {("text", "exactly_one_of")}),
    ("too large", "POST", GENERATE, "live_key", body({"text": "a" * 300_000}), 413, "payload_too_large", set()),
    ("wrong content type", "POST", GENERATE, "live_key", {"data": "text=a", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 415, "unsupported_media_type", set()),
    ("coded body", "POST", GENERATE, "live_key", {"data": b"x", "headers": {**JSON, "Content-Encoding": "gzip"}}, 415, "content_encoding_refused", set()),
    ("limit out of range", "GET", "/api/v1/quotes?limit=101&offset=10001&status=new", "live_key", {}, 422, "invalid_fields",
     {("limit", "uint32.gte_lte"), ("offset", "uint32.lte"), ("status", "string.in")}),
    ("unknown parameter", "GET", "/api/v1/quotes?page=2", "live_key", {}, 422, None, {("page", "unknown_field")}),
    ("config validates its parameters", "GET", "/api/v1/config?limit=0", "", {}, 422, "invalid_fields", {("limit", "uint32.gte_lte")}),
    ("id that is no number", "GET", "/api/v1/quotes/abc", "live_key", {}, 422, None, None),
    ("id too large", "GET", "/api/v1/quotes/4294967296", "live_key", {}, 422, None, None),
    ("unknown id", "GET", "/api/v1/quotes/4000000000", "live_key", {}, 404, "not_found", set()),
    ("unknown id's PDF", "GET", "/api/v1/quotes/4000000000/pdf", "live_key", {}, 404, "not_found", set()),
    ("empty query", "POST", PRICE, "live_key", body({"query": ""}), 422, "invalid_fields", {("query", "required")}),
    ("lead without fields", "POST", LEAD, "live_key", body({}), 422, "invalid_fields", {("city", "required"), ("trade", "required")}),
    ("lead with a bad country", "POST", LEAD, "live_key", body({"city": "a", "trade": "b", "country": "usa"}), 422, "invalid_fields", {("country", "string.pattern")}),
    ("unknown field kind", "POST", PROOFREAD, "session", body({"text": "a", "field_kind": "x"}), 422, "invalid_fields", {("field_kind", "string.in")}),
    ("idempotency key too long", "POST", GENERATE, "live_key", {"data": json.dumps({"text": TEXT}), "headers": {**JSON, "Idempotency-Key": "k" * 256}}, 422, "invalid_request", None),
    ("unknown document", "POST", GENERATE, "live_key", body({"document_id": "d"}), 404, "not_found", set()),
]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED, ids=[case[0] for case in REFUSED])
async def test_what_is_refused_says_why_and_stores_nothing(client, organization, case):
    _, method, path, credential, request, status, reason, fields = case
    credential = getattr(organization, credential, credential)
    request = {**request, "headers": dict(request.get("headers", {}))}
    if credential:
        name, value = (
            ("Authorization", f"Bearer {credential}")
            if credential.startswith("qw_session_")
            else ("X-API-Key", credential)
        )
        request["headers"][name] = value
    before = (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).json()["total"]
    answer = await client.request(method, path, **request)
    assert (answer.status, answer.reason if reason else None) == (status, reason)
    if fields is not None:
        assert answer.fields() == fields
    elif status == 422:
        assert answer.fields()
    after = (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).json()["total"]
    assert after == before


async def test_config_needs_no_credential(client):
    answer = await client.request("GET", "/api/v1/config")
    assert answer.status == 200
    config = answer.json()
    assert config["api_version"] == "v1"
    assert config["plans"][0] == {"name": "Starter", "requests_per_minute": 100}
    assert config["limits"]["quote_text"] == 20000
    assert config["limits"]["list_limit"] == 100
    assert len(config["trades"]) >= 15


async def test_a_generated_quote_is_stored_numbered_and_read_back(client, organization):
    answer = await client.generate(organization.live_key, TEXT)
    assert answer.status == 200, answer.body
    quote = answer.json()
    assert quote["status"] == "draft"
    assert quote["livemode"] is True
    assert quote["quote_number"].startswith("Q-")
    assert quote["line_items"]
    again = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}", key=organization.live_key)
    assert again.json() == quote
    listed = await client.request("GET", "/api/v1/quotes?limit=1", key=organization.live_key)
    first = listed.json()["data"][0]
    assert first["id"] == str(quote["quote_id"])
    assert first["amount"] == quote["total"]
    assert first["status"] == "draft"


async def test_the_total_is_the_sum_of_priced_lines_and_tax_exactly(client, organization):
    text = "Paint 60 m2 of walls, lay 20 m2 of laminate and, as an option, fit 3 ceiling fans in Chicago. Also fix my flux capacitor."
    quote = (await client.generate(organization.live_key, text)).json()
    cents = sum(round(item["amount"] * 100) for item in quote["line_items"] if item["priced"] and not item["optional"])
    assert cents + round(quote["tax"] * 100) == round(quote["total"] * 100)
    for item in quote["line_items"]:
        if item["priced"]:
            assert item["source"]["kind"] != "none"
            assert item["source"]["row"]
        else:
            assert item["price"] == 0
            assert item["review_reasons"]


async def test_a_preview_stores_nothing(client, organization):
    before = (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).json()["total"]
    preview = await client.request("GET", GENERATE, key=organization.live_key, params={"text": TEXT})
    stored = await client.generate(organization.test_key, TEXT)
    assert preview.status == 200
    assert (preview.json()["quote_id"], preview.json()["quote_number"], preview.json()["pdf_url"]) == (0, "", "")
    assert preview.json()["line_items"] == stored.json()["line_items"]
    after = (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).json()["total"]
    assert after == before


async def test_the_pdf_is_one(client, organization):
    quote = (await client.generate(organization.live_key, TEXT)).json()
    answer = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}/pdf", key=organization.live_key)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.body.startswith(b"%PDF-")
    assert answer.headers["Content-Disposition"] == f'inline; filename="{quote["quote_number"]}.pdf"'
    head = await client.request("HEAD", f"/api/v1/quotes/{quote['quote_id']}/pdf", key=organization.live_key)
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Length"] == answer.headers["Content-Length"]


async def test_a_pdf_that_the_client_has_is_not_sent_again(client, organization):
    quote = (await client.generate(organization.live_key, TEXT)).json()
    path = f"/api/v1/quotes/{quote['quote_id']}/pdf"
    first = await client.request("GET", path, key=organization.live_key)
    known = {"headers": {"If-None-Match": first.headers["ETag"]}}
    again = await client.request("GET", path, key=organization.live_key, **known)
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert "private" in first.headers["Cache-Control"]
    assert (await client.request("GET", path, key="", **known)).status == 401


async def test_a_large_answer_is_compressed_for_those_who_take_it(client, organization):
    lines = "\n".join(f"- Paint {number} m2 of walls" for number in range(20, 60))
    quote = (await client.generate(organization.live_key, lines)).json()
    path = f"/api/v1/quotes/{quote['quote_id']}"
    sizes = {}
    for coding in ("gzip", "identity"):
        answer = await client.request("GET", path, key=organization.live_key, headers={"Accept-Encoding": coding})
        assert answer.json() == quote
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert answer.headers.get("Content-Encoding", "identity") == coding
        sizes[coding] = int(answer.headers["Content-Length"])
    assert sizes["gzip"] < sizes["identity"] / 3


async def test_modes_and_tenants_do_not_see_each_other(running, client, organization):
    other = running.organization("Other")
    quote = (await client.generate(organization.live_key, TEXT)).json()
    test_quote = (await client.generate(organization.test_key, TEXT)).json()
    assert test_quote["livemode"] is False
    assert test_quote["line_items"] == quote["line_items"]
    for path in (f"/api/v1/quotes/{quote['quote_id']}", f"/api/v1/quotes/{quote['quote_id']}/pdf"):
        missing = await client.request(
            "GET", "/api/v1/quotes/4000000000" + path[len(f"/api/v1/quotes/{quote['quote_id']}") :], key=other.live_key
        )
        for key in (other.live_key, organization.test_key):
            answer = await client.request("GET", path, key=key)
            assert answer.status == 404
            assert answer.json()["error"]["message"] == missing.json()["error"]["message"]
    assert (await client.request("GET", "/api/v1/quotes", key=other.live_key)).json()["total"] == 0


async def test_a_session_reads_quotes_and_the_bearer_form_of_a_key_works(client, organization):
    for headers in ({"session": organization.session}, {"session": organization.live_key}):
        assert (await client.request("GET", "/api/v1/quotes", **headers)).status == 200
    both = {"X-API-Key": organization.live_key, "Authorization": f"Bearer {organization.test_key}"}
    assert (await client.request("GET", "/api/v1/quotes", headers=both)).reason == "credentials_differ"


async def test_prices_are_mirrored_at_the_top_and_nothing_found_is_an_answer(client, organization):
    found = await client.request(
        "POST", PRICE, key=organization.live_key, json={"query": "asphalt shingle roof", "location": "Chicago"}
    )
    answer = found.json()
    assert answer["options"]
    assert answer["product_name"] == answer["options"][0]["product_name"]
    assert answer["price"] == answer["options"][0]["price"]
    assert all(option["source"]["row"] and option["currency"] == "USD" for option in answer["options"])
    nothing = await client.request("POST", PRICE, key=organization.live_key, json={"query": "zzzqx vorpal"})
    assert nothing.status == 200
    assert nothing.json() == {"options": []}


async def price(client, organization, **request):
    answer = await client.request("POST", PRICE, key=organization.live_key, json=request)
    assert answer.status == 200, answer.body
    return answer.json()["options"]


async def test_a_place_in_the_query_localizes_and_the_location_field_comes_first(client, organization):
    named = await price(client, organization, query="plumber per hour in Chicago")
    asked = await price(client, organization, query="plumber per hour", location="Chicago")
    assert named[0]["price"] == asked[0]["price"]
    assert named[0]["location"] == "Chicago, IL"
    both = await price(client, organization, query="plumber per hour in Chicago", location="Nashville, TN")
    assert both[0]["location"] == "Nashville, TN"


async def test_an_unknown_place_and_a_unit_that_does_not_convert_are_said(client, organization):
    lost = await price(client, organization, query="wood fence", location="Xyzzyville Qqq")
    assert "Xyzzyville" in lost[0]["notes"][0]
    unit = await price(client, organization, query="wood fence per square foot", location="Chicago")
    assert all(option["unit"] == "ft" or "sq" in option["unit"] for option in unit)
    lengths = [option for option in unit if option["unit"] == "ft"]
    assert lengths
    assert all("does not convert" in " ".join(option["notes"]) for option in lengths)


async def test_every_option_has_the_documented_fields(client, organization):
    for query in ("paint a bedroom", "drywal sheets", "12 m of guttering", "1/2 in copper pipe"):
        options = await price(client, organization, query=query, location="Nashville, TN")
        assert 0 < len(options) <= 10
        for option in options:
            assert option.keys() >= {
                "product_name", "price", "currency", "unit", "supplier", "location", "category", "confidence", "as_of",
                "source", "price_low", "price_high", "notes",
            }  # fmt: skip
            assert option["supplier"]
            assert option["as_of"]
            assert option["price_low"] <= option["price"] <= option["price_high"]
            assert 0 < option["confidence"] <= 1


async def test_the_same_lead_within_a_day_is_the_same_lead(client, organization):
    request = {"city": "Nashville", "region": "TN", "country": "US", "trade": "roofing"}
    first = await client.request("POST", LEAD, key=organization.live_key, json=request)
    again = await client.request("POST", LEAD, key=organization.live_key, json={**request, "trade": " Roofing "})
    assert first.json()["status"] == "covered"
    assert first.json()["city_known"] is True
    assert again.json()["lead_id"] == first.json()["lead_id"]
    unknown = await client.request(
        "POST", LEAD, key=organization.live_key, json={"city": "Nashvile", "trade": "roofing"}
    )
    assert (unknown.json()["status"], unknown.json()["city_known"]) == ("received", False)
    assert "Nashville" in unknown.json()["city_suggestion"]


async def test_an_idempotency_key_gives_one_quote_and_the_same_bytes(client, organization):
    headers = {"Idempotency-Key": f"order-{id(client)}"}
    first = await client.generate(organization.live_key, TEXT, headers=headers)
    again = await client.generate(organization.live_key, TEXT, headers=headers)
    assert again.body == first.body
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    other = await client.generate(organization.live_key, TEXT + " and paint 10 m2", headers=headers)
    assert (other.status, other.reason) == (409, "idempotency_key_reused")
    test_mode = await client.generate(organization.test_key, TEXT, headers=headers)
    assert test_mode.json()["livemode"] is False


async def test_every_authenticated_answer_has_rate_headers(client, organization):
    asked = [
        (path, organization.live_key)
        for path in ("/api/v1/quotes", "/api/v1/quotes/4000000000", "/api/v1/quotes?limit=0")
    ]
    for path, key in [*asked, ("/api/v1/quotes", organization.bare_key)]:
        answer = await client.request("GET", path, key=key)
        assert {
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit",
            "RateLimit-Policy",
        } <= set(answer.headers)


async def test_request_ids_are_taken_when_they_are_ids(client, organization):
    good = await client.request("GET", "/api/v1/config", headers={"X-Request-Id": "order-1234.abc"})
    bad = await client.request("GET", "/api/v1/config", headers={"X-Request-Id": "a b<script>"})
    assert good.headers["X-Request-Id"] == "order-1234.abc"
    assert bad.headers["X-Request-Id"].startswith("req_")


async def test_options_names_the_methods_of_a_path(client):
    answer = await client.request("OPTIONS", GENERATE)
    assert (answer.status, answer.headers["Allow"]) == (204, "GET, HEAD, OPTIONS, POST")
    refused = await client.request("PATCH", "/api/v1/config")
    assert refused.headers["Allow"] == "GET, HEAD, OPTIONS"


async def test_both_backends_answer_every_refusal_alike(combined, split):
    """Over both ways of running, with the same credentials' kinds, the answers are equal but for ids and texts."""
    answers = []
    for running in (combined, split):
        organization = running.organization("Compared")
        seen = []
        async with Client(running) as client:
            for _, method, path, credential, request, *_ in REFUSED:
                credential = getattr(organization, credential, credential)
                header = "Authorization" if credential.startswith("qw_session_") else "X-API-Key"
                value = f"Bearer {credential}" if header == "Authorization" else credential
                headers = {**request.get("headers", {}), **({header: value} if credential else {})}
                answer = await client.request(method, path, **{**request, "headers": headers})
                error = answer.json()["error"]
                del error["details"]["request_id"]
                names = sorted(name for name in answer.headers if name not in {"Date", "Content-Length"})
                seen.append((answer.status, error, names))
        answers.append(seen)
    assert answers[0] == answers[1]
