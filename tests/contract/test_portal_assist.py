"""Promises of the dictionary's page and of what forms ask while somebody types, over both backends."""

import json

import pytest

from tests.contract.test_accounts import token as sign_in
from tests.visitor import Browser, cookie, raw


@pytest.fixture
async def office(running, client):
    organization = running.organization("Words")
    return organization, Browser(client, await sign_in(client, organization))


async def proofread(browser, text, kind="notes"):
    status, headers, body = await browser.post("/assist/proofread", text=text, field_kind=kind)
    assert (status, headers["Content-Type"]) == (200, "application/json"), body
    return json.loads(body)


async def test_suggestions_come_with_places_as_browsers_count(office):
    text = "\N{HOUSE BUILDING} The bathrom is done."
    answer = await proofread(office[1], text)
    assert (answer["skipped"], answer["may_add_words"]) == (False, True)
    (one,) = answer["suggestions"]
    assert (one["before"], one["after"], one["category"]) == ("bathrom", "bathroom", "spelling")
    units = text.encode("utf-16-le")
    assert units[2 * one["start"] : 2 * one["end"]].decode("utf-16-le") == "bathrom"


async def test_the_longest_text_fits_whatever_it_is_written_in(office):
    for letter in ("a", "é", "語", "\N{HOUSE BUILDING}"):
        await proofread(office[1], letter * 12_000)
    status, _, body = await raw(
        office[1].client,
        "POST",
        "/assist/proofread",
        headers={**cookie(office[1].session), "Accept": "application/json"},
        data={"csrf": await office[1].token("/assist/proofread"), "text": "a" * 12_001, "field_kind": "notes"},
    )
    assert (status, json.loads(body)["error"]["details"]["fields"][0]["field"]) == (422, "text")


async def test_protected_kinds_are_skipped(office):
    answer = await proofread(office[1], "The bathrom", "search")
    assert (answer["skipped"], answer["suggestions"]) == (True, [])


async def test_text_assist_counts_against_the_users_allowance(running, client):
    organization = running.organization("Allowance")
    browser = Browser(client, organization.session)
    statuses = [(await browser.post("/assist/proofread", text="", field_kind="notes"))[0] for _ in range(61)]
    assert statuses.count(200) == 60
    status, headers, _ = await browser.post("/assist/proofread", text="", field_kind="notes")
    assert (status, headers["X-RateLimit-Limit"]) == (429, "60")
    assert int(headers["Retry-After"]) > 0
    assert (await browser.get("/dictionary"))[0] == 200


async def test_words_are_added_listed_removed_and_accepted(office):
    _, browser = office
    assert "No words yet" in (await browser.get("/dictionary"))[2]
    assert (await browser.post("/dictionary", words="Bathrom, schimelt Hilti"))[0] == 303
    _, _, page = await browser.get("/dictionary")
    assert [word for word in ("Bathrom", "schimelt", "Hilti") if f"<strong>{word}</strong>" in page] == [
        "Bathrom", "schimelt", "Hilti",
    ]  # fmt: skip
    assert (await proofread(browser, "The bathrom."))["suggestions"] == []
    assert (await browser.post("/dictionary/remove", word="bathrom"))[0] == 303
    assert (await proofread(browser, "The bathrom."))["suggestions"] != []
    assert (await browser.post("/dictionary/remove", word="bathrom"))[0] == 404
    status, _, page = await browser.post("/dictionary", words="R2D2 fine")
    assert (status, 'id="words-error"' in page, 'value="R2D2 fine"' in page) == (422, True, True)
    status, _, body = await browser.post("/assist/words", word="bathrom")
    assert (status, json.loads(body)) == (200, {"word": "bathrom"})
    assert (await proofread(browser, "The bathrom."))["suggestions"] == []


async def test_the_dictionary_is_the_organizations_and_viewers_change_nothing(running, client, office):
    organization, browser = office
    stranger = Browser(client, running.organization("Stranger").session)
    assert (await stranger.post("/dictionary", words="Strangely"))[0] == 303
    assert (await browser.post("/dictionary/remove", word="Strangely"))[0] == 404
    assert "Strangely" not in (await browser.get("/dictionary"))[2]
    viewer = Browser(client, running.member(organization.organization_id, "viewer"))
    assert 'name="words"' not in (await viewer.get("/dictionary"))[2]
    assert (await proofread(viewer, "fine"))["may_add_words"] is False
    for path, fields in (
        ("/dictionary", {"words": "x"}),
        ("/assist/words", {"word": "x"}),
        ("/dictionary/remove", {"word": "x"}),
    ):
        assert (await viewer.post(path, **fields))[0] == 403, path
