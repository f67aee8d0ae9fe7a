"""Promises of changing drafts: nothing is lost, nothing is changed unseen, everything adds up and stays explained."""

import asyncio
from io import BytesIO

import grpc
import pytest
from pypdf import PdfReader
from quotewright.v1 import quote_pb2, quote_pb2_grpc, revision_pb2, revision_pb2_grpc, workflow_pb2, workflow_pb2_grpc

from tests.contract.test_grpc import details

TEXT = "Install 2 radiators, paint 30 m2 of walls and repair the flux capacitor in Nashville"
QUOTES = "/api/v1/quotes"
SUBMIT = "/api/v1/workflows/submit"


@pytest.fixture
async def drafted(client, organization):
    """A draft, with its entity tag."""
    answer = await client.generate(organization.live_key, TEXT)
    assert answer.status == 200
    return answer.json(), answer.headers["ETag"]


def path(quote, *more):
    return "/".join([QUOTES, str(quote["quote_id"]), *map(str, more)])


async def patch(client, who, quote, body, tag=None, **more):
    headers = {} if tag is None else {"If-Match": tag}
    return await client.request("PATCH", path(quote), key=who.live_key, json=body, headers=headers, **more)


async def read(client, who, quote, *more, **params):
    return await client.request("GET", path(quote, *more), key=who.live_key, params=params)


def adds_up(quote):
    cents = [round(line["amount"] * 100) for line in quote["line_items"] if line["priced"] and not line["optional"]]
    assert sum(cents) == round(quote["subtotal"] * 100)
    assert round(quote["subtotal"] * 100) + round(quote["tax"] * 100) == round(quote["total"] * 100)
    assert quote["total_low"] <= quote["total"] <= quote["total_high"]


async def explained(client, who, quote, **version):
    for number, line in enumerate(quote["line_items"], start=1):
        answer = await read(client, who, quote, "lines", number, "explanation", **version)
        explanation = answer.json()
        assert explanation["holds"] is True, explanation["problems"]
        assert (explanation["amount"], explanation["priced"]) == (line["amount"], line["priced"])


async def test_a_draft_is_changed_by_hand_and_every_version_stays(client, organization, drafted):
    quote, _ = drafted
    assert quote["version"] == 1
    radiators, walls, unknown = quote["line_items"][:3]
    assert not unknown["priced"] and quote["needs_review"]
    answer = await patch(
        client,
        organization,
        quote,
        {
            "line_items": [
                {"line_id": radiators["line_id"], "qty": 3},
                {"line_id": unknown["line_id"], "price": 149.5, "description": "Repair  the flux capacitor, on site"},
                {"description": "Skip hire", "qty": 1.5, "unit": "days", "price": 80, "kind": "fee", "position": 1},
            ],
            "removed_line_ids": [walls["line_id"]],
            "exclusions": {"texts": ["Waste licences."]},
            "valid_until": "2099-12-31",
            "note": "as agreed on the phone",
        },
    )
    assert answer.status == 200
    changed = answer.json()
    adds_up(changed)
    skip, more_radiators, repaired = changed["line_items"]
    assert (skip["line_id"], skip["amount"], skip["unit"]) == (len(quote["line_items"]) + 1, 120, "day")
    assert (more_radiators["qty"], more_radiators["price"]) == (3, radiators["price"])
    assert more_radiators["span"] == radiators["span"] and more_radiators["source"] == radiators["source"]
    assert more_radiators["entered"] == ["qty"]
    assert repaired["priced"] and repaired["amount"] == 149.5 and repaired["review_reasons"] == []
    assert repaired["description"] == "Repair the flux capacitor, on site"
    assert repaired["source"]["kind"] == "entered"
    assert repaired["source"]["row"].startswith("key:") and repaired["source"]["row"].endswith("Z")
    assert (changed["version"], changed["valid_until"], changed["exclusions"]) == (2, "2099-12-31", ["Waste licences."])
    assert not any("no price" in one for one in changed["review_reasons"])
    assert (await read(client, organization, quote)).json() == changed
    await explained(client, organization, changed)

    listed = (await read(client, organization, quote, "versions")).json()
    assert [(one["version"], one["change"], one["note"], one["total"]) for one in listed["data"]] == [
        (2, "edited", "as agreed on the phone", changed["total"]),
        (1, "drafted", "", quote["total"]),
    ]
    assert all(one["actor"].startswith("key:") and one["created_at"].endswith("Z") for one in listed["data"])
    first = (await read(client, organization, quote, "versions", 1)).json()
    assert first["quote"] == {**quote, "pdf_url": ""}
    assert first["version"] == listed["data"][1]
    assert (await read(client, organization, quote, "versions", 2)).json()["quote"] == changed
    await explained(client, organization, quote, version=1)


async def test_whom_a_draft_is_for_is_part_of_what_its_versions_say(running, client, organization, drafted):
    quote, tag = drafted
    customers, session = "/api/v1/customers", organization.session
    made = (await client.request("POST", customers, json={"name": "Ann Smith"}, session=session)).json()["customer_id"]
    answer = await patch(client, organization, quote, {"customer_id": made}, tag)
    assert answer.status == 200
    changed = answer.json()
    assert (changed["customer_id"], changed["version"], changed["line_items"]) == (made, 2, quote["line_items"])
    assert answer.headers["ETag"] != tag
    again = (await patch(client, organization, quote, {"customer_id": made})).json()
    assert again["version"] == 2
    first = (await read(client, organization, quote, "versions", 1)).json()["quote"]
    assert first["customer_id"] == 0
    changes = (await read(client, organization, quote, "versions", 2, "changes")).json()
    assert changes["fields"] == [{"field": "customer_id", "before": "0", "after": str(made)}]
    assert (await patch(client, organization, quote, {"valid_until": "2099-01-01"})).json()["customer_id"] == made
    assert (await patch(client, organization, quote, {"customer_id": 0})).json()["customer_id"] == 0
    stranger = running.organization("Stranger").session
    theirs = (await client.request("POST", customers, json={"name": "Ann"}, session=stranger)).json()["customer_id"]
    assert (await patch(client, organization, quote, {"customer_id": theirs})).status == 404


async def test_what_is_different_is_told_field_by_field(client, organization, drafted):
    quote, _ = drafted
    first, second = quote["line_items"][:2]
    body = {
        "line_items": [{"line_id": first["line_id"], "qty": 5, "position": 2}, {"description": "Van", "qty": 1, "unit": "each"}],
        "assumptions": {"texts": [*quote["assumptions"], "Parking is free."]},
    }  # fmt: skip
    changed = (await patch(client, organization, quote, body)).json()
    changes = (await read(client, organization, quote, "versions", 2, "changes")).json()
    assert (changes["since"], changes["version"]) == (1, 2)
    assert changes["added"] == [changed["line_items"][-1]] and changes["removed"] == []
    assert changes["reordered"][:2] == [second["line_id"], first["line_id"]]
    (line,) = changes["changed"]
    fields = {one["field"]: (one["before"], one["after"]) for one in line["fields"]}
    assert fields["qty"] == ("2", "5")
    assert fields["amount"] == (f"{first['amount']:.2f}", f"{first['amount'] / 2 * 5:.2f}")
    assert fields["entered"] == ("", "qty")
    totals = {one["field"]: one["after"] for one in changes["fields"]}
    assert totals["total"] == f"{changed['total']:.2f}"
    lists = {one["field"]: (one["removed"], one["added"]) for one in changes["lists"]}
    assert lists["assumptions"] == ([], ["Parking is free."])
    back = (await read(client, organization, quote, "versions", 1, "changes", since=2)).json()
    assert back["removed"] == changes["added"]
    whole = (await read(client, organization, quote, "versions", 1, "changes")).json()
    assert (whole["since"], whole["added"]) == (0, quote["line_items"])
    assert (await read(client, organization, quote, "versions", 2, "changes", since=3)).status == 404


async def test_a_stale_change_is_refused_and_changes_nothing(client, organization, drafted):
    quote, tag = drafted
    line = quote["line_items"][0]["line_id"]
    first = await patch(client, organization, quote, {"line_items": [{"line_id": line, "qty": 4}]}, tag)
    assert first.status == 200 and first.headers["ETag"] != tag
    stale = await patch(client, organization, quote, {"line_items": [{"line_id": line, "qty": 9}]}, tag)
    assert (stale.status, stale.reason) == (412, "version_mismatch")
    error = stale.json()["error"]
    assert error["code"] == "precondition_failed"
    assert (error["details"]["version"], error["details"]["status"]) == (2, "draft")
    for method, route, body in (
        ("POST", path(quote, "void"), {}),
        ("POST", SUBMIT, {"quote_id": quote["quote_id"]}),
    ):
        answer = await client.request(method, route, key=organization.live_key, json=body, headers={"If-Match": tag})
        assert (answer.status, answer.reason) == (412, "version_mismatch")
    assert (await read(client, organization, quote)).json() == first.json()
    for good in (
        f'"else", {first.headers["ETag"]}',
        f"{first.headers['ETag']},",
        "*",
        first.headers["ETag"].replace("-gzip", ""),
    ):
        same = await patch(client, organization, quote, {"line_items": [{"line_id": line, "qty": 4}]}, good)
        assert (same.status, same.json()["version"]) == (200, 2)
    weak = await patch(client, organization, quote, {}, f"W/{first.headers['ETag']}")
    assert weak.status == 412
    for bad in ("", "1.2.draft", '"open', '"a" "b"', "x" * 2000, '"ü"'):
        answer = await patch(client, organization, quote, {}, bad)
        assert (answer.status, answer.fields()) == (422, {("If-Match", "malformed")})


async def test_a_decision_on_what_was_seen_is_refused_once_it_has_moved(client, organization, drafted):
    quote, tag = drafted
    submitted = await client.request(
        "POST", SUBMIT, key=organization.live_key, json={"quote_id": quote["quote_id"]}, headers={"If-Match": tag}
    )
    assert submitted.status == 200
    approve = f"/api/v1/workflows/{submitted.json()['workflow_id']}/approve"
    stale = await client.request("POST", approve, session=organization.session, json={}, headers={"If-Match": tag})
    assert (stale.status, stale.reason) == (412, "version_mismatch")
    assert stale.json()["error"]["details"]["status"] == "in_review"
    now = (await read(client, organization, quote)).headers["ETag"]
    good = await client.request("POST", approve, session=organization.session, json={}, headers={"If-Match": now})
    assert good.status == 200
    assert (await read(client, organization, quote)).json()["version"] == 1


async def test_of_two_writers_with_one_tag_one_wins(client, organization, drafted):
    quote, tag = drafted
    line = quote["line_items"][0]["line_id"]
    bodies = [{"line_items": [{"line_id": line, "qty": qty}]} for qty in range(11, 19)]
    answers = await asyncio.gather(*(patch(client, organization, quote, body, tag) for body in bodies))
    assert sorted(one.status for one in answers) == [200] + [412] * 7
    won = next(one for one in answers if one.status == 200).json()
    assert (await read(client, organization, quote)).json() == won


async def test_without_a_tag_the_last_writer_wins(client, organization, drafted):
    quote, _ = drafted
    line = quote["line_items"][0]["line_id"]
    bodies = [{"line_items": [{"line_id": line, "qty": qty}]} for qty in range(11, 19)]
    answers = await asyncio.gather(*(patch(client, organization, quote, body) for body in bodies))
    assert {one.status for one in answers} == {200}
    assert sorted(one.json()["version"] for one in answers) == list(range(2, 10))


async def test_a_quote_that_the_client_has_is_not_sent_again(client, organization, drafted):
    quote, tag = drafted
    for method in ("GET", "HEAD"):
        answer = await client.request(method, path(quote), key=organization.live_key, headers={"If-None-Match": tag})
        assert (answer.status, answer.body, answer.headers["ETag"]) == (304, b"", tag)
        whole = await client.request(method, path(quote), key=organization.live_key, headers={"If-None-Match": '"no"'})
        assert (whole.status, whole.headers["ETag"], whole.headers["Cache-Control"]) == (200, tag, "private, no-cache")
    await patch(client, organization, quote, {"exclusions": {"texts": ["All else."]}})
    answer = await client.request("GET", path(quote), key=organization.live_key, headers={"If-None-Match": tag})
    assert answer.status == 200 and answer.headers["ETag"] != tag


async def test_a_coded_answer_has_a_tag_of_its_own_that_is_as_good(client, organization):
    text = "; ".join(f"paint {n} m2 of walls" for n in range(10, 40)) + " in Nashville"
    generated = await client.generate(organization.live_key, text)
    quote, tag = generated.json(), generated.headers["ETag"]
    assert generated.headers["Content-Encoding"] == "gzip" and tag.endswith('-gzip"')
    plain = await client.request("GET", path(quote), key=organization.live_key, headers={"Accept-Encoding": "identity"})
    assert plain.headers["ETag"] == tag.replace("-gzip", "")
    known = await client.request("GET", path(quote), key=organization.live_key, headers={"If-None-Match": tag})
    assert (known.status, known.headers["ETag"]) == (304, tag)
    assert (await patch(client, organization, quote, {"exclusions": {"texts": ["Else."]}}, tag)).status == 200


async def test_only_drafts_are_changed(client, organization, drafted):
    quote, _ = drafted
    await client.request("POST", SUBMIT, key=organization.live_key, json={"quote_id": quote["quote_id"]})
    answer = await patch(client, organization, quote, {"exclusions": {"texts": []}})
    assert (answer.status, answer.reason) == (409, "invalid_state")
    assert (await read(client, organization, quote, "versions")).json()["total"] == 1


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"line_items": [{"line_id": 999, "qty": 1}]}, {("line_items[0].line_id", "line.unknown")}),
        ({"removed_line_ids": [1, 1, 77]}, {("removed_line_ids[1]", "line.unknown"), ("removed_line_ids[2]", "line.unknown")}),
        ({"removed_line_ids": [1], "line_items": [{"line_id": 1}]}, {("line_items[0].line_id", "line.unknown")}),
        ({"line_items": [{}]}, {("line_items[0]", "new_line.incomplete")}),
        ({"line_items": [{"line_id": 1, "qty": 0}]}, {("line_items[0].qty", "double.gt_lte")}),
        ({"line_items": [{"line_id": 1, "qty": 1.2345}]}, {("line_items[0].qty", "double.decimals")}),
        ({"line_items": [{"line_id": 1, "price": 1.234}]}, {("line_items[0].price", "double.decimals")}),
        ({"line_items": [{"line_id": 1, "price": -1}]}, {("line_items[0].price", "double.gte_lte")}),
        ({"line_items": [{"line_id": 1, "qty": 1e9, "price": 1e9}]}, {("line_items[0].qty", "amount.too_large")}),
        ({"line_items": [{"line_id": 1, "unit": "ton"}]}, {("line_items[0].price", "required")}),
        ({"line_items": [{"line_id": 1, "kind": "gift"}]}, {("line_items[0].kind", "string.in")}),
        ({"line_items": [{"line_id": 1, "description": " \n"}]}, {("line_items[0].description", "string.blank")}),
        ({"assumptions": {"texts": ["x" * 1001]}}, {("assumptions.texts", "texts.each")}),
        ({"valid_until": "2026-02-30"}, {("valid_until", "date")}),
        ({"valid_until": "2020-02-20"}, {("valid_until", "date.past")}),
        ({"valid_until": "2100-01-01"}, {("valid_until", "date.too_far")}),
        ({"valid_until": "9999-12-31"}, {("valid_until", "date.too_far")}),
        ({"text": "Paint a wall"}, {("text", "unknown_field")}),
    ],
)  # fmt: skip
async def test_what_does_not_fit_is_told_and_changes_nothing(client, organization, drafted, body, fields):
    quote, _ = drafted
    answer = await patch(client, organization, quote, body)
    assert (answer.status, answer.fields()) == (422, fields)
    assert (await read(client, organization, quote)).json() == quote


async def test_a_change_of_nothing_makes_no_version(client, organization, drafted):
    quote, tag = drafted
    lines = [{name: one[name] for name in ("line_id", "description", "qty", "unit", "optional", "kind")}
             | ({"price": one["price"]} if one["priced"] else {}) for one in quote["line_items"]]  # fmt: skip
    body = {"line_items": lines, "assumptions": {"texts": quote["assumptions"]}, "valid_until": quote["valid_until"]}
    answer = await patch(client, organization, quote, body)
    assert (answer.json(), answer.headers["ETag"]) == (quote, tag)


async def test_a_repeated_change_is_made_once_whatever_has_become_of_the_tag(client, organization, drafted):
    quote, tag = drafted
    body = {"line_items": [{"description": "Van", "qty": 1, "unit": "each", "price": 25}]}
    headers = {"Idempotency-Key": f"edit-{quote['quote_id']}", "If-Match": tag}
    answers = [
        await client.request("PATCH", path(quote), key=organization.live_key, json=body, headers=headers)
        for _ in range(2)
    ]
    assert answers[0].body == answers[1].body and answers[0].headers["ETag"] == answers[1].headers["ETag"]
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert answers[0].json()["version"] == 2


async def test_what_is_not_there_or_not_ours_is_not_found(running, client, organization, drafted):
    quote, tag = drafted
    other = running.organization("Else")
    for who in ({"key": other.live_key}, {"key": organization.test_key}):
        for method, more, body in (
            ("PATCH", [], {"exclusions": {"texts": []}}),
            ("GET", ["versions"], None),
            ("GET", ["versions", 1], None),
            ("GET", ["versions", 1, "changes"], None),
        ):
            answer = await client.request(method, path(quote, *more), json=body, headers={"If-Match": tag}, **who)
            assert (answer.status, answer.reason) == (404, "not_found")
    assert (await read(client, organization, quote, "versions", 2)).status == 404
    answer = await client.request("PATCH", path(quote), key=organization.bare_key, json={})
    assert (answer.status, answer.reason) == (403, "scope_required")
    viewer = running.member(organization.organization_id, "viewer")
    assert (await client.request("PATCH", path(quote), session=viewer, json={})).reason == "role_required"
    assert (await client.request("GET", path(quote, "versions"), session=viewer)).status == 200


async def test_the_pdf_of_a_changed_quote_has_its_totals(client, organization, drafted):
    quote, _ = drafted
    unknown = quote["line_items"][2]["line_id"]
    body = {"line_items": [{"line_id": unknown, "price": 1234.56, "qty": 2}, {"line_id": 1, "optional": True}]}
    changed = (await patch(client, organization, quote, body)).json()
    adds_up(changed)
    pdf = await read(client, organization, quote, "pdf")
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(pdf.body)).pages)
    for amount in (changed["total"], changed["subtotal"], *(line["amount"] for line in changed["line_items"])):
        assert f"${amount:,.2f}" in text
    assert "Entered by hand" in text and organization.live_key_id not in text


async def test_the_same_over_grpc(running, organization):
    metadata = (("x-api-key", organization.live_key),)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        quotes, revisions = quote_pb2_grpc.QuoteServiceStub(channel), revision_pb2_grpc.RevisionServiceStub(channel)
        call = quotes.GenerateQuote(quote_pb2.GenerateQuoteRequest(text=TEXT), metadata=metadata)
        quote = (await call).quote
        tag = dict(await call.trailing_metadata())["etag"]
        request = revision_pb2.UpdateQuoteRequest(
            quote_id=quote.quote_id, line_items=[revision_pb2.LineEdit(line_id=1, qty=7)]
        )
        call = revisions.UpdateQuote(request, metadata=(*metadata, ("if-match", tag)))
        changed = (await call).quote
        assert (changed.version, changed.line_items[0].qty) == (2, 7)
        assert dict(await call.trailing_metadata())["etag"] != tag
        for stale in (
            revisions.UpdateQuote(request, metadata=(*metadata, ("if-match", tag))),
            workflow_pb2_grpc.WorkflowServiceStub(channel).SubmitWorkflow(
                workflow_pb2.SubmitWorkflowRequest(quote_id=quote.quote_id), metadata=(*metadata, ("if-match", tag))
            ),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stale
            assert caught.value.code() is grpc.StatusCode.ABORTED
            assert details(caught.value)[0] == "VERSION_MISMATCH"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await revisions.UpdateQuote(request, metadata=(*metadata, ("if-match", "")))
        assert details(caught.value) == ("INVALID_FIELDS", {("If-Match", "malformed")})
        compared = await revisions.CompareQuoteVersions(
            revision_pb2.CompareQuoteVersionsRequest(quote_id=quote.quote_id, version=2), metadata=metadata
        )
        assert [one.line_id for one in compared.changes.changed] == [1]
        one = await revisions.GetQuoteVersion(
            revision_pb2.GetQuoteVersionRequest(quote_id=quote.quote_id, version=1), metadata=metadata
        )
        assert one.quote.line_items == quote.line_items


ASKED = "Paint the walls of the living room, install 2 radiators and lay laminate in Nashville"


async def answer_questions(client, who, quote, *answers, **headers):
    return await client.request(
        "POST",
        path(quote, "answers"),
        key=who.live_key,
        json={"answers": [{"question_id": name, "text": text} for name, text in answers]},
        headers=headers,
    )


async def test_answers_draft_anew_and_what_was_done_by_hand_stays(client, organization):
    quote = (await client.generate(organization.live_key, ASKED)).json()
    _, radiators, floor = quote["line_items"]
    about_walls, about_floor = (one["question_id"] for one in quote["questions"])
    edited = await patch(
        client,
        organization,
        quote,
        {
            "line_items": [
                {"line_id": radiators["line_id"], "price": 500, "description": "Radiators as chosen", "position": 1},
                {"line_id": floor["line_id"], "description": "Oak laminate"},
                {"description": "Skip hire", "qty": 1, "unit": "each", "price": 180},
            ],
            "exclusions": {"texts": ["Waste licences."]},
        },
    )
    assert edited.status == 200
    assert [one["field"] for one in edited.json()["questions"]] == ["line_items[1].qty", "line_items[2].qty"]
    first = await answer_questions(client, organization, quote, (about_walls, "40 m2"))
    assert first.status == 200
    answered = first.json()
    adds_up(answered)
    assert (answered["version"], answered["exclusions"]) == (3, ["Waste licences."])
    assert [one["line_id"] for one in answered["line_items"]] == [2, 1, 3, 4]
    chosen, painted, oak, skip = answered["line_items"]
    assert (chosen["description"], chosen["price"], chosen["source"]["kind"]) == ("Radiators as chosen", 500, "entered")
    assert painted["priced"] and (painted["qty"], painted["unit"]) == (40, "m2")
    assert (oak["description"], oak["priced"]) == ("Oak laminate", False)
    assert skip == edited.json()["line_items"][3]
    assert [one["question_id"] for one in answered["questions"]] == [about_floor]
    assert [(one["question_id"], one["text"]) for one in answered["answers"]] == [(about_walls, "40 m2")]
    assert "Interior walls, paint: 40 m2." in answered["assumptions"]
    await explained(client, organization, answered)

    await patch(client, organization, quote, {"removed_line_ids": [radiators["line_id"]]})
    second = await answer_questions(client, organization, quote, (about_floor, "20 m2"), (about_walls, "50 m2"))
    done = second.json()
    adds_up(done)
    assert [one["line_id"] for one in done["line_items"]] == [1, 3, 4]
    assert [one["qty"] for one in done["line_items"]] == [50, 20, 1]
    assert done["line_items"][1]["description"] == "Oak laminate" and done["line_items"][1]["priced"]
    assert done["questions"] == []
    assert {one["text"] for one in done["answers"]} == {"20 m2", "50 m2"}
    await explained(client, organization, done)
    listed = (await read(client, organization, quote, "versions")).json()["data"]
    assert [one["change"] for one in listed] == ["answered", "edited", "answered", "edited", "drafted"]
    assert (await read(client, organization, quote, "versions", 3)).json()["quote"] == {**answered, "pdf_url": ""}
    changes = (await read(client, organization, quote, "versions", 5, "changes")).json()
    lists = {one["field"]: (one["removed"], one["added"]) for one in changes["lists"]}
    assert lists["questions"] == ([f"{quote['questions'][1]['text']}"], [])
    assert len(lists["answers"][1]) == 2


async def test_answers_that_do_not_fit_change_nothing(client, organization):
    quote = (await client.generate(organization.live_key, ASKED)).json()
    (about, other) = (one["question_id"] for one in quote["questions"])
    for answers, fields in (
        ([("qty-0", "40 m2")], {("answers[0].question_id", "question.unknown")}),
        ([(about, "40 m2"), (about, "50 m2")], {("answers[1].question_id", "repeated.unique")}),
        ([(other, "30 m2"), (about, "as much as a piece of string")], {("answers[1].text", "answer.unreadable")}),
        ([(about, " ")], {("answers[0].text", "string.blank")}),
        ([], {("answers", "repeated.min_items")}),
    ):
        answer = await answer_questions(client, organization, quote, *answers)
        assert (answer.status, answer.fields()) == (422, fields)
    assert (await read(client, organization, quote)).json() == quote


async def test_an_answer_is_taken_once_for_the_quote_that_was_read(running, client, organization):
    generated = await client.generate(organization.live_key, ASKED)
    quote, tag = generated.json(), generated.headers["ETag"]
    about = quote["questions"][0]["question_id"]
    await patch(client, organization, quote, {"exclusions": {"texts": ["Else."]}})
    stale = await answer_questions(client, organization, quote, (about, "40 m2"), **{"If-Match": tag})
    assert (stale.status, stale.reason) == (412, "version_mismatch")
    headers = {"Idempotency-Key": f"answer-{quote['quote_id']}"}
    answers = [await answer_questions(client, organization, quote, (about, "40 m2"), **headers)]
    await client.request("POST", SUBMIT, key=organization.live_key, json={"quote_id": quote["quote_id"]})
    answers.append(await answer_questions(client, organization, quote, (about, "40 m2"), **headers))
    assert [one.status for one in answers] == [200, 200] and answers[0].body == answers[1].body
    late = await answer_questions(client, organization, quote, (about, "41 m2"))
    assert (late.status, late.reason) == (409, "invalid_state")
    unknown = await answer_questions(client, organization, quote, ("qty-0", "41 m2"))
    assert unknown.status == 409
    other = running.organization("Else")
    assert (await answer_questions(client, other, quote, (about, "40 m2"))).status == 404


async def test_answers_and_changes_at_once_are_all_kept(client, organization):
    quote = (await client.generate(organization.live_key, ASKED)).json()
    names = [one["question_id"] for one in quote["questions"]]
    answers = await asyncio.gather(
        answer_questions(client, organization, quote, (names[0], "40 m2")),
        answer_questions(client, organization, quote, (names[1], "20 m2")),
        *(patch(client, organization, quote, {"line_items": [{"line_id": 2, "qty": n}]}) for n in (3, 4)),
    )
    assert {one.status for one in answers} == {200}
    final = (await read(client, organization, quote)).json()
    assert final["version"] == 5
    walls, radiators, floor = final["line_items"]
    assert (walls["qty"], floor["qty"]) == (40, 20) and radiators["qty"] in (3, 4)
    assert final["questions"] == []
    adds_up(final)
