"""Promises of the organization's dictionary: what is added is accepted from the next request on, in every process."""

import unicodedata
from urllib.parse import quote

import pytest

from server.store import dictionary
from server.store.database import Store
from tests.stack import Client

WORDS = "/api/writing-assist/dictionary/words"
NOTE = "Seal it with schimelt and qwikrete."


@pytest.fixture
def organization(running):
    return running.organization()


async def proofread(client, session, text=NOTE):
    body = {"text": text, "field_kind": "notes", "locale": "en-US"}
    answer = await client.request("POST", "/api/writing-assist/proofread", session=session, json=body)
    assert answer.status == 200
    return answer.json()


async def add(client, session, *words, **more):
    return await client.request("POST", WORDS, session=session, json={"words": words}, **more)


async def test_an_added_word_is_accepted_from_the_next_request_on_until_it_is_removed(client, organization, running):
    text = "The bathrom and the Bathrom's fan."
    before = await proofread(client, organization.session, text)
    assert before["suggestions"]
    answer = await add(client, organization.session, "Bathrom")
    assert answer.status == 200
    assert (answer.json()["added"], answer.json()["total"]) == (1, 1)
    assert answer.json()["data"][0]["word"] == "Bathrom"
    clients = [Client(running, port=port) for port in running.more_https_ports]
    after = await proofread(client, organization.session, text)
    assert after["suggestions"] == []
    assert after["version"] != before["version"]
    for other in clients:
        async with other:
            assert await proofread(other, organization.session, text) == after
    answer = await client.request("DELETE", f"{WORDS}/bathrom", session=organization.session)
    assert (answer.status, answer.json()["word"]) == (200, "Bathrom")
    assert await proofread(client, organization.session, text) == before
    answer = await client.request("DELETE", f"{WORDS}/bathrom", session=organization.session)
    assert answer.status == 404


@pytest.mark.parametrize("word", ["kohlr's", "kohlr’s"])
async def test_what_a_suggestion_names_is_accepted_once_it_is_added(client, organization, word):
    text = f"Please fit the {word} valve."
    (suggestion,) = (await proofread(client, organization.session, text))["suggestions"]
    assert suggestion["before"] == word
    assert (await add(client, organization.session, suggestion["before"])).json()["added"] == 1
    for written in (text, text.replace("’", "'"), text.replace("'", "’")):
        assert (await proofread(client, organization.session, written))["suggestions"] == []
    assert (await proofread(client, organization.session, "Please fit the kohlr valve."))["suggestions"]


async def test_a_word_that_another_process_added_is_accepted_too(client, organization, running):
    assert (await proofread(client, organization.session, "A bathrom."))["suggestions"]
    store = Store(running.database)
    try:
        store.write_now(
            lambda: dictionary.add(organization.organization_id, {"bathrom": "bathrom"}, added_by="operator", at=1)
        )
        assert (await proofread(client, organization.session, "A bathrom."))["suggestions"] == []
    finally:
        store.close()


async def test_names_in_the_price_book_are_known(client, organization):
    text = "Two sheets of Drywal, drywal and a bathrom fan."
    assert (await proofread(client, organization.session, text))["suggestions"]
    item = {"sku": "D1", "name": "Panel DRYWAL, 12 mm", "unit": "each", "price": 12}
    made = await client.request("POST", "/api/v1/price-book/items", session=organization.session, json=item)
    assert made.status == 200, made.body
    after = await proofread(client, organization.session, text)
    assert [one["before"] for one in after["suggestions"]] == ["bathrom"]


async def test_the_list_is_newest_first_and_paged(client, organization):
    for word in ("Hilti", "O’Hare's", "Schlüter"):
        assert (await add(client, organization.session, word)).status == 200
    first = await client.request("GET", f"{WORDS}?limit=2", session=organization.session)
    assert [one["word"] for one in first.json()["data"]] == ["Schlüter", "O’Hare's"]
    assert all(one["added_by"].startswith("user:") and one["created_at"].endswith("Z") for one in first.json()["data"])
    assert {name: first.json()[name] for name in ("limit", "offset", "total", "has_more")} == {
        "limit": 2, "offset": 0, "total": 3, "has_more": True,
    }  # fmt: skip
    rest = await client.request("GET", f"{WORDS}?limit=2&offset=2", session=organization.session)
    assert ([one["word"] for one in rest.json()["data"]], rest.json()["has_more"]) == (["Hilti"], False)
    for query in ("limit=0", "limit=101", "offset=10001"):
        assert (await client.request("GET", f"{WORDS}?{query}", session=organization.session)).status == 422
    gone = await client.request("DELETE", f"{WORDS}/o%27hare%27s", session=organization.session)
    assert (gone.status, gone.json()["word"]) == (200, "O’Hare's")


async def test_words_count_once_whatever_their_capitals(client, organization):
    answer = await add(client, organization.session, "Hilti", "HILTI", "hilti")
    assert (answer.json()["added"], answer.json()["total"], len(answer.json()["data"])) == (1, 1, 1)
    answer = await add(client, organization.session, "hilti", "Sika")
    assert [one["word"] for one in answer.json()["data"]] == ["Hilti", "Sika"]
    assert (answer.json()["added"], answer.json()["total"]) == (1, 2)


@pytest.mark.parametrize("word", ["हिन्दी", "தமிழ்", "ที่นี่", "שָׁלוֹם", "Schlu\u0308ter"])
async def test_a_word_is_of_any_script(client, organization, word):
    answer = await add(client, organization.session, word)
    assert (answer.status, answer.json()["added"]) == (200, 1)
    kept = answer.json()["data"][0]["word"]
    assert kept == unicodedata.normalize("NFC", word)
    gone = await client.request("DELETE", f"{WORDS}/{quote(word)}", session=organization.session)
    assert (gone.status, gone.json()["word"]) == (200, kept)


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ([], {"words"}), (["x"] * 101, {"words"}), (["a", "two words", ""], {"words[1]", "words[2]"}),
        (["y" * 41], {"words[0]"}), (["12mm"], {"words[0]"}),
    ],
)  # fmt: skip
async def test_what_is_no_word_is_told_by_its_place(client, organization, words, fields):
    answer = await add(client, organization.session, *words)
    assert answer.status == 422
    assert {name for name, _ in answer.fields()} == fields
    listed = await client.request("GET", WORDS, session=organization.session)
    assert listed.json()["total"] == 0


async def test_editors_write_and_viewers_read(client, organization, running):
    viewer, editor = (running.member(organization.organization_id, role) for role in ("viewer", "editor"))
    assert (await add(client, viewer, "Hilti")).reason == "role_required"
    assert (await add(client, editor, "Hilti")).status == 200
    assert (await client.request("DELETE", f"{WORDS}/hilti", session=viewer)).reason == "role_required"
    assert (await client.request("GET", WORDS, session=viewer)).json()["total"] == 1
    assert (await add(client, organization.homeless_session, "Hilti")).reason == "workspace_required"
    refused = await client.request("POST", WORDS, key=organization.live_key, json={"words": ["Hilti"]})
    assert refused.status == 401


async def test_a_repeated_addition_gives_the_first_answer(client, organization):
    key = {"Idempotency-Key": "dictionary"}
    first = await add(client, organization.session, "Hilti", headers=key)
    again = await add(client, organization.session, "Hilti", headers=key)
    assert (again.body, again.headers["Idempotent-Replayed"]) == (first.body, "true")
    assert (await add(client, organization.session, "Sika", headers=key)).status == 409


async def test_a_repeated_removal_gives_the_first_answer(client, organization):
    await add(client, organization.session, "Hilti", "Sika")

    async def remove(word, key):
        path, headers = f"/api/writing-assist/dictionary/words/{word}", {"Idempotency-Key": key}
        return await client.request("DELETE", path, session=organization.session, headers=headers)

    first, again = [await remove("Hilti", "removal") for _ in range(2)]
    assert (again.status, again.body, again.headers["Idempotent-Replayed"]) == (200, first.body, "true")
    assert (await remove("Sika", "removal")).status == 409
    assert (await remove("Hilti", "another")).status == 404
