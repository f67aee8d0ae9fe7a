"""Promises of POST /api/writing-assist/proofread: suggestions that fit the text, and nothing protected is changed."""

import pytest

from server.store.database import Store, execute

PROOFREAD = "/api/writing-assist/proofread"
NOTE = "We will recieve the \U0001f6e0 tiles at 12 Oak Street, 615-555-0134.\r\nTurn of the water before teh work. HVAC stays."
FIXED = "We will receive the \U0001f6e0 tiles at 12 Oak Street, 615-555-0134.\r\nTurn off the water before the work. HVAC stays."


async def proofread(client, organization, **body):
    answer = await client.request(
        "POST", PROOFREAD, session=organization.session, json={"field_kind": "notes", "locale": "en-US", **body}
    )
    assert answer.status == 200, answer.body
    return answer.json()


async def test_a_note_comes_back_with_suggestions_that_make_the_suggested_text(client, organization):
    answer = await proofread(client, organization, text=NOTE)
    assert answer["original_text"] == NOTE
    assert answer["suggested_text"] == FIXED
    assert (answer["skipped"], answer["skip_reason"]) == (False, "")
    text, units = NOTE, NOTE.encode("utf-16-le")
    for one in reversed(answer["suggestions"]):
        assert text[one["start"] : one["end"]] == one["before"]
        assert units[2 * one["start_utf16"] : 2 * one["end_utf16"]].decode("utf-16-le") == one["before"]
        assert 0 < one["confidence"] <= 1
        assert one["rule_id"]
        assert one["message"]
        text = text[: one["start"]] + one["after"] + text[one["end"] :]
    assert text == FIXED
    assert [one["category"] for one in answer["suggestions"]] == ["spelling", "confused_word", "spelling"]
    assert await proofread(client, organization, text=NOTE) == answer
    assert "harper" in answer["version"]


@pytest.mark.parametrize(
    "kind", ["password", "email", "phone", "money", "date", "choice", "id", "search", "url", "address"]
)
async def test_a_protected_kind_comes_back_as_it_was(client, organization, kind):
    answer = await proofread(client, organization, text="teh recieve\r\n\t e\u0301", field_kind=kind)
    assert answer["suggested_text"] == answer["original_text"] == "teh recieve\r\n\t e\u0301"
    assert (answer["skipped"], answer["skip_reason"], answer["suggestions"]) == (True, "protected_field_kind", [])


async def test_a_locale_that_is_not_checked_is_skipped_with_its_reason(client, organization):
    answer = await proofread(client, organization, text="Ein teh Text", locale="de-DE")
    assert (answer["skipped"], answer["skip_reason"]) == (True, "unsupported_locale")
    assert answer["suggested_text"] == "Ein teh Text"


async def test_config_names_the_locales_and_each_is_checked(client, organization):
    config = (await client.request("GET", "/api/v1/config")).json()
    assert config["locales"] == ["en-AU", "en-CA", "en-GB", "en-US"]
    for locale in config["locales"]:
        answer = await proofread(client, organization, text="Paint the bathrom.", locale=locale)
        assert answer["suggested_text"] == "Paint the bathroom."


async def test_without_a_locale_the_workspaces_counts(client, organization):
    answer = await client.request(
        "POST", PROOFREAD, session=organization.session, json={"text": "The colour is fine.", "field_kind": "notes"}
    )
    assert answer.json()["suggested_text"] == "The color is fine."


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "a" * 12_001, "field_kind": "notes"}, "text"),
        ({"text": "a", "field_kind": "prose"}, "field_kind"),
        ({"text": "a"}, "field_kind"),
        ({"text": "a", "field_kind": "notes", "locale": "english"}, "locale"),
        ({"text": "a", "field_kind": "notes", "locale": "en_US"}, "locale"),
    ],
)
async def test_what_is_wrong_with_a_request_is_told_by_field(client, organization, body, field):
    answer = await client.request("POST", PROOFREAD, session=organization.session, json=body)
    assert answer.status == 422
    assert {name for name, _ in answer.fields()} == {field}


async def test_only_a_session_with_a_workspace_may(client, organization):
    body = {"text": "a", "field_kind": "notes"}
    assert (await client.request("POST", PROOFREAD, key=organization.live_key, json=body)).status == 401
    assert (await client.request("POST", PROOFREAD, json=body)).status == 401
    answer = await client.request("POST", PROOFREAD, session=organization.homeless_session, json=body)
    assert (answer.status, answer.reason) == (403, "workspace_required")


async def test_an_expired_session_is_refused(client, organization, running):
    session = running.member(organization.organization_id, "editor")
    store = Store(running.database)
    try:
        public_id = max(store.read_now(lambda: execute("select created_at, public_id from session").fetchall()))[1]
        store.write_now(
            lambda: execute("update session set last_seen_at = 1, created_at = 1 where public_id = ?", (public_id,))
        )
    finally:
        store.close()
    body = {"text": "a", "field_kind": "notes"}
    answer = await client.request("POST", PROOFREAD, session=session, json=body)
    assert answer.status == 401


async def test_the_longest_text_and_hostile_ones_are_answered(client, organization):
    for text in ("x" * 12_000, "'" * 12_000, "its their form " * 800, "\u202e" * 12_000, "", " ", "qzx1 " * 2400):
        answer = await proofread(client, organization, text=text)
        assert answer["original_text"] == text
