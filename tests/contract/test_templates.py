"""Promises of templates: kept, listed, changed by editors, never over somebody else's change."""

import asyncio
import io

import grpc
import pytest
from pypdf import PdfReader
from quotewright.v1 import template_pb2, template_pb2_grpc

from tests import papers

TEMPLATES = "/api/v1/templates"
BATHROOM = {
    "name": "Bathroom", "intro": "Thank you for asking us.", "terms": "Half with the order.", "validity_days": 14,
    "tax_rate": 0.2, "reduced_tax_rate": 0.05, "tax_classes": [{"kind": "labour", "tax_class": "reduced"}], "margin": 0.15,
    "line_items": [
        {"description": "Site set-up", "qty": 1.0, "unit": "job", "price": 120.0, "kind": "fee", "optional": False},
        {"description": "Waste bags", "qty": 2.5, "unit": "each", "price": 0.0425, "kind": "material", "optional": True},
    ],
    "layout": {
        "paper": "", "accent_colour": "#1d4e89", "prices": "amounts", "group_by_kind": True, "show_assumptions": True,
        "show_sources": False, "show_request": False, "show_signature": True,
    },
}  # fmt: skip


@pytest.fixture
def company(running):
    """An organization of the test's own: it has no templates."""
    return running.organization("Templates")


async def create(client, who, **template):
    return await client.request("POST", TEMPLATES, session=who, json={"template": {**BATHROOM, **template}})


def content(answer):
    """What was said, without what the service adds."""
    added = {"template_id", "version", "created_at", "updated_at"}
    return {name: value for name, value in answer.json().items() if name not in added}


async def test_a_template_is_kept_read_changed_and_deleted(client, company):
    made = await create(client, company.session)
    assert (made.status, content(made)) == (200, BATHROOM)
    template_id = made.json()["template_id"]
    assert made.json()["version"] == 1
    path = f"{TEMPLATES}/{template_id}"
    for who in ({"session": company.session}, {"key": company.live_key}, {"key": company.test_key}):
        read = await client.request("GET", path, **who)
        assert (read.status, read.json()) == (200, made.json())
    least = {"name": "Least", "version": 1}
    changed = await client.request("PUT", path, session=company.session, json={"template": least})
    assert changed.status == 200
    assert changed.json()["version"] == 2 and changed.json()["name"] == "Least"
    assert changed.json()["line_items"] == [] and "margin" not in changed.json() and "layout" not in changed.json()
    back = {**changed.json(), "terms": "Net 30."}
    assert (await client.request("PUT", path, session=company.session, json={"template": back})).json()[
        "terms"
    ] == "Net 30."
    assert (await client.request("DELETE", path, session=company.session)).status == 200
    for method in ("GET", "DELETE"):
        assert (await client.request(method, path, session=company.session)).status == 404
    assert (await client.request("PUT", path, session=company.session, json={"template": least})).status == 404


async def test_of_two_who_change_what_both_have_read_the_second_is_told(client, company):
    made = (await create(client, company.session)).json()
    path = f"{TEMPLATES}/{made['template_id']}"
    answers = await asyncio.gather(
        *(
            client.request("PUT", path, session=company.session, json={"template": {**made, "name": name}})
            for name in "ABCD"
        )
    )
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    assert {answer.reason for answer in answers if answer.status == 409} == {"changed_meanwhile"}
    winner = next(answer for answer in answers if answer.status == 200).json()
    assert (await client.request("GET", path, session=company.session)).json() == winner


async def test_lists_are_paged_newest_first_and_apart_from_other_organizations(running, client, company):
    stranger = running.organization("Stranger")
    made = [(await create(client, company.session, name=f"Template {number}")).json() for number in range(3)]
    await create(client, stranger.session)
    page = (await client.request("GET", TEMPLATES, key=company.live_key, params={"limit": 2})).json()
    assert page == {"data": [made[2], made[1]], "limit": 2, "offset": 0, "total": 3, "has_more": True}
    rest = (await client.request("GET", TEMPLATES, session=company.session, params={"offset": 2})).json()
    assert (rest["data"], rest["has_more"]) == ([made[0]], False)
    path = f"{TEMPLATES}/{made[0]['template_id']}"
    for method in ("GET", "DELETE"):
        assert (await client.request(method, path, session=stranger.session)).status == 404


async def test_a_repeated_creation_makes_one(client, company):
    headers = {"Idempotency-Key": "one"}
    answers = [
        await client.request("POST", TEMPLATES, session=company.session, json={"template": BATHROOM}, headers=headers)
        for _ in range(2)
    ]
    assert answers[0].body == answers[1].body and answers[1].headers["Idempotent-Replayed"] == "true"
    assert (await client.request("GET", TEMPLATES, session=company.session)).json()["total"] == 1


async def test_editors_change_templates_and_viewers_and_keys_only_read(running, client, company):
    editor, viewer = (running.member(company.organization_id, role) for role in ("editor", "viewer"))
    made = await create(client, editor)
    assert made.status == 200
    path = f"{TEMPLATES}/{made.json()['template_id']}"
    assert (await client.request("GET", path, session=viewer)).status == 200
    assert (await create(client, viewer)).reason == "role_required"
    assert (await client.request("DELETE", path, session=viewer)).reason == "role_required"
    assert (await client.request("DELETE", path, key=company.live_key)).status == 401
    assert (await client.request("GET", path, key=company.bare_key)).status == 403


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"name": ""}, {("template.name", "required")}),
        ({"name": "  "}, {("template.name", "string.blank")}),
        ({"margin": 0.96}, {("template.margin", "double.gte_lte")}),
        ({"tax_rate": 0.12345678}, {("template.tax_rate", "double.decimals")}),
        ({"validity_days": 0}, {("template.validity_days", "uint32.gte_lte")}),
        ({"tax_classes": [{"kind": "fee", "tax_class": "zero"}] * 2}, {("template.tax_classes", "repeated.unique")}),
        ({"layout": {"accent_colour": "#eeeeee"}}, {("template.layout.accent_colour", "colour.contrast")}),
        ({"line_items": [{"description": "x", "qty": 0, "unit": "job", "price": 1}]},
         {("template.line_items[0].qty", "double.gt_lte")}),
        ({"line_items": [{"description": " ", "qty": 1.2345, "unit": "parsec", "price": 1.005}]},
         {("template.line_items[0].description", "string.blank"), ("template.line_items[0].qty", "double.decimals"),
          ("template.line_items[0].unit", "unit_unknown"), ("template.line_items[0].price", "double.decimals")}),
        ({"line_items": [BATHROOM["line_items"][0]] * 51}, {("template.line_items", "repeated.max_items")}),
        ({"colour": "blue"}, {("template.colour", "unknown_field")}),
    ],
)  # fmt: skip
async def test_a_template_that_cannot_be_is_refused_with_every_reason(client, organization, change, fields):
    answer = await create(client, organization.session, **change)
    assert (answer.status, answer.fields()) == (422, fields)


async def test_templates_over_grpc(running, company):
    metadata = (("authorization", f"Bearer {company.session}"),)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        stub = template_pb2_grpc.TemplateServiceStub(channel)
        made = await stub.CreateTemplate(
            template_pb2.CreateTemplateRequest(template=template_pb2.Template(name="Roof", margin=0)), metadata=metadata
        )
        assert made.template.HasField("margin") and not made.template.HasField("tax_rate")
        read = await stub.GetTemplate(
            template_pb2.GetTemplateRequest(template_id=made.template.template_id), metadata=metadata
        )
        assert read.template == made.template
        stale = template_pb2.Template(name="Roof", version=7)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.UpdateTemplate(
                template_pb2.UpdateTemplateRequest(template_id=made.template.template_id, template=stale),
                metadata=metadata,
            )
        assert refused.value.code() is grpc.StatusCode.ABORTED


WORK = [("Description", "Qty", "Unit"), ("Lay topsoil", "100", "m3"), ("Paint interior walls", "40", "m2")]


async def from_document(client, company, path="/api/v1/quotes", **more):
    """A quote from a bill of two rows."""
    sent = await client.request(
        "POST", "/api/v1/documents", key=company.live_key, data=papers.separated(WORK),
        params={"filename": "bill.csv"}, headers={"Content-Type": "text/csv"},
    )  # fmt: skip
    assert sent.status == 200, sent.body
    body = {"document_id": sent.json()["document_id"], **more}
    return await client.request("POST", path, key=company.live_key, json=body)


async def paper(client, company, quote):
    answer = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}/pdf", key=company.live_key)
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.body)).pages).split())
    return answer, text


@pytest.mark.parametrize("path", ["/api/v1/quotes", "/api/v1/quotes/generate"])
async def test_a_quote_from_a_document_is_made_with_its_template(client, company, path):
    await client.request("PATCH", "/api/v1/settings", session=company.session, json={"payment_details": "Account 1"})
    template = (await create(client, company.session)).json()
    answer = await from_document(client, company, path, template_id=template["template_id"])
    assert answer.status == 200, answer.body
    quote = answer.json()
    kept = {name: quote[name] for name in ("template_id", "terms", "intro", "payment_details")}
    assert kept == {
        "template_id": template["template_id"], "terms": "Half with the order.", "intro": "Thank you for asking us.",
        "payment_details": "Account 1",
    }  # fmt: skip
    lines = quote["line_items"]
    assert [line["description"] for line in lines[-2:]] == ["Site set-up", "Waste bags"]
    assert [line["source"]["kind"] for line in lines[-2:]] == ["template", "template"]
    assert (lines[-1]["optional"], lines[-1]["price"], lines[-1]["amount"]) == (True, 0.0425, 0.11)
    assert (
        round(sum(line["amount"] for line in lines if line["priced"] and not line["optional"]), 2) == quote["subtotal"]
    )
    assert round(quote["subtotal"] + quote["tax"], 2) == quote["total"]
    assert {one["tax_class"]: one["rate"] for one in quote["taxes"]}["standard"] == 0.2
    for number in range(1, len(lines) + 1):
        explained = await client.request(
            "GET", f"/api/v1/quotes/{quote['quote_id']}/lines/{number}/explanation", key=company.live_key
        )
        assert explained.json()["holds"], explained.body
    _, text = await paper(client, company, quote)
    assert "Thank you for asking us." in text and "Half with the order." in text and "Site set-up" in text
    assert "Unit price" not in text
    read = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}", key=company.live_key)
    assert read.json() == quote


async def test_the_request_s_margin_goes_before_the_template_s_and_that_before_the_company_s(client, company):
    await client.request(
        "PUT", "/api/v1/pricing/settings", session=company.session,
        json={"settings": {"currency": "USD", "margin": 0.1, "validity_days": 90}},
    )  # fmt: skip
    template = (await create(client, company.session, margin=0.5, line_items=[])).json()
    named = {"template_id": template["template_id"]}
    company_s, template_s, request_s = [
        (await from_document(client, company, **more)).json() for more in ({}, named, {**named, "margin": 0})
    ]
    cost = request_s["line_items"][0]["price"]
    assert company_s["line_items"][0]["price"] == pytest.approx(cost / 0.9, rel=0.01)
    assert template_s["line_items"][0]["price"] == pytest.approx(cost / 0.5, rel=0.01)
    assert template_s["valid_until"] == request_s["valid_until"] < company_s["valid_until"]


async def test_entered_lines_that_a_template_lifts_to_the_minimum_charge_want_no_look_for_it(client, company):
    settings = {"settings": {"currency": "USD", "minimum_charge": 1000}}
    changed = await client.request("PUT", "/api/v1/pricing/settings", session=company.session, json=settings)
    assert changed.status == 200
    plain = [{**BATHROOM["line_items"][0], "optional": False}]
    template = (await create(client, company.session, line_items=plain, margin=0)).json()
    line = {"description": "Fit a tap", "qty": 1, "unit": "each", "price": 80}
    body = {"line_items": [line], "template_id": template["template_id"]}
    answer = await client.request("POST", "/api/v1/quotes", key=company.live_key, json=body)
    assert answer.status == 200
    quote = answer.json()
    assert [one["description"] for one in quote["line_items"]] == ["Fit a tap", "Site set-up", "Minimum charge"]
    assert (quote["subtotal"], quote["review_reasons"], quote["needs_review"]) == (1000, [], False)


async def test_a_template_s_line_that_was_renamed_and_priced_is_charged_once_after_an_answer(client, company):
    template = (await create(client, company.session)).json()
    body = {"text": "Paint the walls of the living room in Nashville", "template_id": template["template_id"]}
    quote = (await client.request("POST", "/api/v1/quotes", key=company.live_key, json=body)).json()
    path, wanted = f"/api/v1/quotes/{quote['quote_id']}", quote["questions"][0]["question_id"]
    one, other = [line["line_id"] for line in quote["line_items"] if line["source"]["kind"] == "template"]
    edits = (
        {"line_items": [{"line_id": one, "description": "Scaffold", "price": 90}, {"line_id": other, "description": "Sacks"}]},
        {"removed_line_ids": [other]},
    )  # fmt: skip
    for edit in edits:
        assert (await client.request("PATCH", path, key=company.live_key, json=edit)).status == 200
    answer = await client.request(
        "POST", f"{path}/answers", key=company.live_key, json={"answers": [{"question_id": wanted, "text": "40 m2"}]}
    )
    assert answer.status == 200
    lines = answer.json()["line_items"]
    assert [(line["line_id"], line["description"], line["amount"]) for line in lines[1:]] == [(one, "Scaffold", 90)]


async def test_neither_a_change_nor_the_end_of_a_template_changes_a_quote_or_its_pdf(client, company):
    template = (await create(client, company.session)).json()
    quote = (await from_document(client, company, template_id=template["template_id"])).json()
    before, _ = await paper(client, company, quote)
    path = f"{TEMPLATES}/{template['template_id']}"
    other = {**BATHROOM, "terms": "Cash.", "intro": "Bye.", "line_items": [], "layout": {"show_signature": False}}
    assert (await client.request("PUT", path, session=company.session, json={"template": other})).status == 200
    assert (await client.request("DELETE", path, session=company.session)).status == 200
    after, _ = await paper(client, company, quote)
    assert after.body == before.body
    read = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}", key=company.live_key)
    assert read.json() == quote
    gone = await from_document(client, company, template_id=template["template_id"])
    assert (gone.status, gone.reason) == (404, "not_found")


async def test_a_template_of_another_organization_is_not_found(running, client, company):
    stranger = (await create(client, running.organization("Stranger").session)).json()
    answer = await from_document(client, company, template_id=stranger["template_id"])
    assert (answer.status, answer.reason) == (404, "not_found")
    text = {"text": "Fit a fan", "template_id": stranger["template_id"]}
    refused = await client.request("POST", "/api/v1/quotes/generate", key=company.live_key, json=text)
    assert refused.status == 422


async def test_a_change_by_hand_goes_by_the_template_s_taxes(client, company):
    template = (await create(client, company.session)).json()
    quote = (await from_document(client, company, template_id=template["template_id"])).json()
    line = quote["line_items"][-2]
    change = {"line_items": [{"line_id": line["line_id"], "qty": 2}]}
    answer = await client.request("PATCH", f"/api/v1/quotes/{quote['quote_id']}", key=company.live_key, json=change)
    assert answer.status == 200, answer.body
    changed = answer.json()
    assert (changed["line_items"][-2]["qty"], changed["line_items"][-2]["amount"]) == (2, 240)
    assert {one["tax_class"]: one["rate"] for one in changed["taxes"]} == {
        one["tax_class"]: one["rate"] for one in quote["taxes"]
    }
    assert round(changed["subtotal"] - quote["subtotal"], 2) == 120
    assert (changed["terms"], changed["template_id"]) == (quote["terms"], quote["template_id"])
    _, text = await paper(client, company, changed)
    assert "version 2" in text
