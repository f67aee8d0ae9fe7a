"""Promises of sending: an approved quote reaches its customer once, with a link that opens it and nothing else; the
customer's answer moves it. The same in process and over a channel."""

import asyncio
import email
import email.policy
import io
import re

import pytest
from pypdf import PdfReader

from server.domain.lifecycle import MOVES, State, Trigger
from tests.contract.test_answers import TEXT

LINK = re.compile(r"https://localhost:\d+/q/([A-Za-z0-9_-]{72})")
SHARED = "/api/v1/shared-quotes"


def text_of(pdf):
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


async def approved(client, organization, text=TEXT):
    """The id of a quote that may be sent."""
    quote = (await client.generate(organization.live_key, text)).json()
    return await approve(client, organization, quote)


async def approve(client, organization, quote):
    """The quote's id, once it may be sent."""
    body = {"quote_id": quote["quote_id"]}
    workflow = await client.request("POST", "/api/v1/workflows/submit", json=body, session=organization.session)
    path = f"/api/v1/workflows/{workflow.json()['workflow_id']}/approve"
    assert (await client.request("POST", path, json={}, session=organization.session)).status == 200
    return quote["quote_id"]


async def send(client, organization, quote_id, **body):
    body = {"to": ["ann@customer.example.com"], **body}
    return await client.request(
        "POST",
        f"/api/v1/quotes/{quote_id}/send",
        json=body,
        session=organization.session,
        headers=body.pop("headers", {}),
    )


async def mails(running, about, number=1):
    """The mails in the outbox folder about a quote, read as the recipient's program does, once there are so many."""
    for _ in range(200):
        rows = running.rows("select message_id from mail where about = ? and status = 'sent' order by id", about)
        if len(rows) >= number:
            files = [running.data_dir / "outbox" / f"{row[0].strip('<>')}.eml" for row in rows]
            return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]
        await asyncio.sleep(0.05)
    raise AssertionError(f"no {number} mails about {about}")


def token_in(mail):
    return LINK.search(mail.get_body(("plain",)).get_content())[1]


async def sent(running, client, organization, **body):
    """A sent quote's id and the token of its customer's link."""
    quote_id = await approved(client, organization)
    answer = await send(client, organization, quote_id, **body)
    assert answer.status == 200, answer.body
    (mail,) = await mails(running, f"quote:{quote_id}")
    return quote_id, token_in(mail)


async def quote(client, organization, quote_id):
    return (await client.request("GET", f"/api/v1/quotes/{quote_id}", key=organization.live_key)).json()


async def test_an_approved_quote_is_sent_with_its_pdf_and_a_link(running, client, organization):
    customer = await client.request(
        "POST", "/api/v1/customers", json={"name": "Ann Müller", "email": "ann@customer.example.com"}, session=organization.session
    )  # fmt: skip
    quote_id = await approved(client, organization)
    answer = await send(
        client, organization, quote_id, to=["Boss@customer.example.com"], customer_id=customer.json()["customer_id"], message="Thank you for asking."
    )  # fmt: skip
    assert answer.status == 200
    said = answer.json()
    assert (said["status"], said["customer_id"]) == ("sent", customer.json()["customer_id"])
    assert said["sent_at"].endswith("Z")
    assert (await quote(client, organization, quote_id))["sent_at"] == said["sent_at"]
    found = await mails(running, f"quote:{quote_id}", 2)
    assert [mail["To"] for mail in found] == ["ann@customer.example.com", "Boss@customer.example.com"]
    for mail in found:
        assert mail["From"] == "Test <quotes@localhost>"
        assert mail["Reply-To"].startswith("Test <user")
        assert said["quote_number"] in mail["Subject"]
        for kind in ("plain", "html"):
            text = mail.get_body((kind,)).get_content()
            assert "Thank you for asking." in text
            assert "Dear Ann Müller" in text
            assert LINK.search(text)
        (attachment,) = mail.iter_attachments()
        assert attachment.get_content().startswith(b"%PDF")
        assert attachment.get_filename() == f"{said['quote_number']}.pdf"
    assert len({mail["Message-ID"] for mail in found}) == len({token_in(mail) for mail in found}) == 2
    for file in (running.data_dir / "outbox").iterdir():
        assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("made_for", ["", "Alice Anderson"])
async def test_the_pdf_in_the_mail_names_the_customer_that_the_quote_is_sent_to(
    running, client, organization, made_for
):
    async def customer(name):
        body = {"name": name, "email": "someone@customer.example.com", "address": f"1 Street of {name}"}
        return (await client.request("POST", "/api/v1/customers", json=body, session=organization.session)).json()

    line = {"description": "Door", "qty": 2, "unit": "each", "price": 120}
    body = {"text": "Replace 2 interior doors", "location": "Denver, CO", "line_items": [line]}
    if made_for:
        body["customer_id"] = (await customer(made_for))["customer_id"]
    made = await client.request("POST", "/api/v1/quotes", json=body, session=organization.session)
    assert made.status == 200, made.body
    quote_id = await approve(client, organization, made.json())
    bob = (await customer("Bob Brown"))["customer_id"]
    answer = await send(client, organization, quote_id, to=[], customer_id=bob)
    assert (answer.status, answer.json()["customer_id"]) == (200, bob)
    (mail,) = await mails(running, f"quote:{quote_id}")
    (attachment,) = mail.iter_attachments()
    later = await client.request("GET", f"/api/v1/quotes/{quote_id}/pdf", session=organization.session)
    for content in (attachment.get_content(), later.body):
        printed = text_of(content)
        assert "Bob Brown" in printed
        assert "1 Street of Bob Brown" in printed
        assert "Alice" not in printed


async def test_only_an_approved_quote_is_sent_and_only_once(client, organization):
    draft = (await client.generate(organization.live_key, TEXT)).json()["quote_id"]
    refused = await send(client, organization, draft)
    assert (refused.status, refused.reason) == (409, "invalid_state")
    quote_id = await approved(client, organization)
    answers = await asyncio.gather(*(send(client, organization, quote_id) for _ in range(4)))
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]


async def test_a_repeated_sending_answers_as_the_first_and_mails_once(running, client, organization):
    quote_id = await approved(client, organization)
    answers = [
        await send(client, organization, quote_id, headers={"Idempotency-Key": f"send-{quote_id}"}) for _ in range(2)
    ]
    assert answers[0].status == 200
    assert answers[0].body == answers[1].body
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    await asyncio.sleep(0.3)
    assert len(await mails(running, f"quote:{quote_id}")) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"to": []}, ("to", "required")),
        ({"to": ["nobody"]}, ("to[0]", "string.email")),
        ({"to": ["a@customer.example.com", "b@customer.example.com\r\nBcc: c@example.com"]}, ("to[1]", "string.email")),
        ({"to": [f"{number}@customer.example.com" for number in range(11)]}, ("to", "repeated.max_items")),
        ({"subject": "Hello\r\nBcc: eve@example.com"}, ("subject", "string.one_line")),
        ({"message": "x" * 5001}, ("message", "string.max_len")),
    ],
)
async def test_what_cannot_be_sent_is_refused_by_field(client, organization, body, field):
    answer = await send(client, organization, await approved(client, organization), **body)
    assert answer.status == 422
    assert field in answer.fields()


async def test_who_may_not_send_does_not(running, client, organization):
    quote_id = await approved(client, organization)
    path, body = f"/api/v1/quotes/{quote_id}/send", {"to": ["ann@customer.example.com"]}
    assert (await client.request("POST", path, json=body, key=organization.live_key)).status == 401
    viewer = running.member(organization.organization_id, "viewer")
    assert (await client.request("POST", path, json=body, session=viewer)).reason == "role_required"
    stranger = running.organization("Else").session
    assert (await client.request("POST", path, json=body, session=stranger)).status == 404
    unknown = await send(client, organization, quote_id, customer_id=999_999)
    assert unknown.status == 404


async def test_whom_a_quote_was_sent_to_is_told_with_the_link_of_each(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    path = f"/api/v1/quotes/{quote_id}/recipients"
    (told,) = (await client.request("GET", path, session=organization.session)).json()["data"]
    assert (told["email"], told["mail_status"]) == ("ann@customer.example.com", "sent")
    assert told["url"].endswith(f"/q/{token}")
    assert told["sent_at"] == (await quote(client, organization, quote_id))["sent_at"]
    viewer, stranger = running.member(organization.organization_id, "viewer"), running.organization("Stranger").session
    assert (await client.request("GET", path, session=viewer)).reason == "role_required"
    assert (await client.request("GET", path, session=stranger)).status == 404
    assert (await client.request("GET", path, key=organization.live_key)).status == 401
    unsent = await approved(client, organization)
    answer = await client.request("GET", f"/api/v1/quotes/{unsent}/recipients", session=organization.session)
    assert answer.json()["data"] == []


async def test_the_link_shows_the_quote_as_the_customer_may_see_it(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    whole = await quote(client, organization, quote_id)
    shared = await client.request("GET", f"{SHARED}/{token}")
    assert shared.status == 200
    said = shared.json()
    for name in ("quote_number", "total", "tax", "subtotal", "valid_until", "assumptions", "status", "currency"):
        assert said[name] == whole[name]
    assert said["company_name"] == "Test"
    assert [line["amount"] for line in said["line_items"]] == [line["amount"] for line in whole["line_items"]]
    inside = {"source", "confidence", "review_reasons", "labour_hours", "amount_low"}
    assert not inside & set(said["line_items"][0])
    assert not {"text", "questions", "review_reasons", "total_low", "quote_id"} & set(said)
    assert shared.headers["Cache-Control"] == "no-store"


async def test_a_customer_accepts_once_and_the_name_that_came_first_stays(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    accepted = await client.request("POST", f"{SHARED}/{token}/accept", json={"name": " Ann Customer "})
    assert accepted.status == 200
    assert (accepted.json()["status"], accepted.json()["decided_by"]) == ("accepted", "Ann Customer")
    again = await client.request("POST", f"{SHARED}/{token}/accept", json={"name": "Somebody else"})
    assert (again.status, again.body) == (200, accepted.body)
    other = await client.request("POST", f"{SHARED}/{token}/decline", json={"reason": "changed my mind"})
    assert (other.status, other.reason) == (409, "invalid_state")
    whole = await quote(client, organization, quote_id)
    assert (whole["status"], whole["decided_by"]) == ("accepted", "Ann Customer")
    assert whole["decided_at"] >= whole["sent_at"]
    rows = running.rows(
        "select actor, action from audit_row where subject = ? order by id desc limit 1", f"quote:{quote_id}"
    )
    events = running.rows("select type from event order by id desc limit 1")
    assert rows[0][0].startswith("customer:link-")
    assert rows[0][1] == "quote:accept"
    assert events == [("quote.accepted",)]


async def test_of_many_answers_at_once_one_holds(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    answers = await asyncio.gather(
        *(
            client.request("POST", f"{SHARED}/{token}/{verb}", json={"name": "Ann"})
            for verb in ("accept", "decline") * 6
        )
    )
    held = {answer.json()["status"] for answer in answers if answer.status == 200}
    assert len(held) == 1
    assert sorted(answer.status for answer in answers) == [200] * 6 + [409] * 6
    assert (await quote(client, organization, quote_id))["status"] in held


async def test_a_customer_declines_with_a_reason(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    declined = await client.request("POST", f"{SHARED}/{token}/decline", json={"reason": "Too dear"})
    assert (declined.json()["status"], declined.json()["decline_reason"]) == ("declined", "Too dear")
    whole = await quote(client, organization, quote_id)
    assert (whole["status"], whole["decline_reason"]) == ("declined", "Too dear")


@pytest.mark.parametrize("name", ["", "   ", "\u00a0", "x" * 201])
async def test_an_acceptance_needs_a_name(running, client, organization, name):
    _, token = await sent(running, client, organization)
    answer = await client.request("POST", f"{SHARED}/{token}/accept", json={"name": name})
    assert answer.status == 422
    assert (await client.request("GET", f"{SHARED}/{token}")).json()["status"] == "sent"


def changed(token, place):
    return token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]


async def test_another_token_opens_nothing(running, client, organization):
    quote_id, token = await sent(running, client, organization)
    for wrong in (*(changed(token, place) for place in (0, 9, 30, 40, 71)), token[:-1], token + "A", "x", "%C3%BC"):
        for method, path in (("GET", ""), ("POST", "/accept"), ("POST", "/decline")):
            more = {"json": {"name": "Eve"}} if method == "POST" else {}
            answer = await client.request(method, f"{SHARED}/{wrong}{path}", **more)
            assert (answer.status, answer.reason) == (401, "link_unknown")
    assert (await quote(client, organization, quote_id))["status"] == "sent"


async def test_the_signed_form_of_the_pdf_url_opens_without_a_credential(running, client, organization):
    quote_id = await approved(client, organization)
    url = (await send(client, organization, quote_id)).json()["pdf_url"]
    opened = await client.request("GET", url)
    assert (opened.status, opened.headers["Content-Type"]) == (200, "application/pdf")
    plain, _, token = url.partition("?token=")
    assert (await client.request("GET", plain)).reason == "credential_missing"
    assert (await client.request("GET", plain, key=organization.live_key)).status == 200
    both = await client.request("GET", url, key=organization.live_key)
    assert (both.status, both.reason) == (401, "credentials_differ")
    for place in (0, 20, 71):
        answer = await client.request("GET", f"{plain}?token={changed(token, place)}")
        assert (answer.status, answer.reason) == (401, "link_unknown")
    another = await approved(client, organization)
    elsewhere = await client.request("GET", f"/api/v1/quotes/{another}/pdf?token={token}")
    assert (elsewhere.status, elsewhere.reason) == (404, "not_found")
    # What is for one thing is for no other.
    assert (await client.request("GET", f"{SHARED}/{token}")).reason == "credential_kind_refused"
    (mail,) = await mails(running, f"quote:{quote_id}")
    page = await client.request("GET", f"{plain}?token={token_in(mail)}")
    assert (page.status, page.reason) == (401, "credential_kind_refused")
    for header in ("X-API-Key", "Authorization"):
        prefix = "" if header == "X-API-Key" else "Bearer "
        assert (await client.request("GET", plain, headers={header: f"{prefix}{token}"})).status == 401
    shared = (await client.request("GET", f"{SHARED}/{token_in(mail)}")).json()
    assert (await client.request("GET", shared["pdf_url"])).body == opened.body


async def test_a_customer_uses_up_nothing_of_the_organizations_allowance(running, client):
    organization = running.organization("Small", plan="Starter", rate=10)
    quote_id, token = await sent(running, client, organization)
    before = await client.request("GET", f"/api/v1/quotes/{quote_id}", key=organization.live_key)
    shared = await client.request("GET", f"{SHARED}/{token}")
    await client.request("GET", shared.json()["pdf_url"])
    after = await client.request("GET", f"/api/v1/quotes/{quote_id}", key=organization.live_key)
    left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in (before, after)]
    assert left[0] - left[1] == 1


async def test_no_token_is_ever_in_a_log(running, client, organization):
    _, token = await sent(running, client, organization)
    pdf = (await client.request("GET", f"{SHARED}/{token}")).json()["pdf_url"]
    await client.request("GET", pdf)
    await client.request("GET", f"/q/{token}")
    await client.request("POST", f"{SHARED}/{token}/accept", json={"name": "Ann"})
    await client.request("GET", f"{SHARED}/{changed(token, 5)}")
    logs = await client.logs()
    assert f"{SHARED}/{{token}}" in logs
    for secret in (token, pdf.rpartition("=")[2], changed(token, 5)):
        assert secret not in logs


async def test_a_customer_is_changed_field_by_field(client, organization):
    customer = (
        await client.request(
            "POST", "/api/v1/customers", json={"name": "Ann", "phone": "1"}, session=organization.session
        )
    ).json()
    path = f"/api/v1/customers/{customer['customer_id']}"
    changed = await client.request(
        "PATCH", path, json={"email": "ann@bücher.example.com"}, session=organization.session
    )
    assert changed.status == 200
    assert (changed.json()["name"], changed.json()["phone"]) == ("Ann", "1")
    assert changed.json()["email"] == "ann@bücher.example.com"
    assert changed.json()["updated_at"] > customer["updated_at"]
    cleared = await client.request("PATCH", path, json={"phone": ""}, session=organization.session)
    assert (cleared.json()["phone"], cleared.json()["email"]) == ("", "ann@bücher.example.com")
    for body, field in (
        ({"email": "nobody"}, ("email", "string.email")),
        ({"name": " "}, ("name", "string.blank")),
        ({"name": "x" * 201}, ("name", "string.max_len")),
    ):
        refused = await client.request("PATCH", path, json=body, session=organization.session)
        assert refused.status == 422
        assert field in refused.fields()
    assert (await client.request("PATCH", path, json={}, session=organization.session)).body == cleared.body
    assert (
        await client.request("PATCH", "/api/v1/customers/999999", json={}, session=organization.session)
    ).status == 404


#: The routes that move a quote; each is given the client, the organization and what is known of the quote.
ROUTES = {
    Trigger.SUBMIT: lambda c, o, q: c.request(
        "POST", "/api/v1/workflows/submit", json={"quote_id": q["id"]}, session=o.session
    ),
    Trigger.APPROVE: lambda c, o, q: decide(c, o, q, "approve"),
    Trigger.REJECT: lambda c, o, q: decide(c, o, q, "reject"),
    Trigger.WITHDRAW: lambda c, o, q: decide(c, o, q, "withdraw"),
    Trigger.SEND: lambda c, o, q: send(c, o, q["id"]),
    Trigger.ACCEPT: lambda c, o, q: c.request("POST", f"{SHARED}/{q['token']}/accept", json={"name": "Ann"}),
    Trigger.DECLINE: lambda c, o, q: c.request("POST", f"{SHARED}/{q['token']}/decline", json={}),
    Trigger.VOID: lambda c, o, q: c.request("POST", f"/api/v1/quotes/{q['id']}/void", json={}, session=o.session),
}
WAYS = {
    State.DRAFT: [],
    State.IN_REVIEW: [Trigger.SUBMIT],
    State.APPROVED: [Trigger.SUBMIT, Trigger.APPROVE],
    State.SENT: [Trigger.SUBMIT, Trigger.APPROVE, Trigger.SEND],
    State.ACCEPTED: [Trigger.SUBMIT, Trigger.APPROVE, Trigger.SEND, Trigger.ACCEPT],
    State.DECLINED: [Trigger.SUBMIT, Trigger.APPROVE, Trigger.SEND, Trigger.DECLINE],
    State.VOID: [Trigger.VOID],
}


async def decide(client, organization, known, verb):
    path = f"/api/v1/workflows/{known['workflow']}/{verb}"
    return await client.request("POST", path, json={}, session=organization.session)


async def go(running, client, organization, way):
    """A quote that has gone a way through the routes."""
    known = {"id": (await client.generate(organization.live_key, TEXT)).json()["quote_id"]}
    for trigger in way:
        answer = await ROUTES[trigger](client, organization, known)
        assert answer.status == 200
        if trigger is Trigger.SUBMIT:
            known["workflow"] = answer.json()["workflow_id"]
        if trigger is Trigger.SEND:
            (mail,) = await mails(running, f"quote:{known['id']}")
            known["token"] = token_in(mail)
    return known


@pytest.mark.parametrize("state", WAYS)
async def test_the_routes_make_the_moves_of_the_table_and_no_others(running, client, organization, state):
    kept = await go(running, client, organization, WAYS[state])
    for trigger, route in ROUTES.items():
        needs = "token" if trigger in (Trigger.ACCEPT, Trigger.DECLINE) else "workflow"
        if needs not in kept and trigger not in (Trigger.SUBMIT, Trigger.SEND, Trigger.VOID):
            continue  # there is nothing yet that the route could be called with
        move = MOVES[trigger]
        if state in move.sources:
            known = await go(running, client, organization, WAYS[state])
            assert (await route(client, organization, known)).status == 200
            assert (await quote(client, organization, known["id"]))["status"] == move.target
        elif state is move.target and trigger in (Trigger.ACCEPT, Trigger.DECLINE):
            assert (await route(client, organization, kept)).status == 200, "said again, done once"
        else:
            answer = await route(client, organization, kept)
            assert (answer.status, answer.reason) == (409, "invalid_state")
    assert (await quote(client, organization, kept["id"]))["status"] == state
