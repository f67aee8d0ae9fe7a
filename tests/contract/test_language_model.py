"""A language model may propose lines; it sets no price, invents no quantity, and its failures cost nothing but time."""

from __future__ import annotations

import time

import pytest
import pytest_asyncio

from tests import stack
from tests.doubles import language_model as doubles
from tests.doubles.language_model import item

FENCE = "Hello, we were thinking of a barrier made of vinyl round the yard, 120 ft in all. Do not touch the old gate."
GOOD = doubles.proposing(item("a barrier made of vinyl round the yard, 120 ft", "Install vinyl fence, 120 ft"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model():
    async with doubles.language_model() as one:
        yield one


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(model, tmp_path_factory):
    settings = {
        "QW_LLM_BASE_URL": model.url, "QW_LLM_MODEL": "estimator-8b", "QW_LLM_API_KEY": "model-key", "QW_LLM_SECONDS": 1,
    }  # fmt: skip
    with stack.combined(tmp_path_factory.mktemp("model"), **settings) as one:
        yield one, one.organization()


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def drafted(running, text: str, *, test: bool = False) -> dict:
    one, organization = running
    async with stack.Client(one) as client:
        answer = await client.generate(organization.test_key if test else organization.live_key, text)
    assert answer.status == 200
    return answer.json()


def said(quote: dict) -> list[str]:
    return [reason for reason in quote["review_reasons"] if "language model" in reason]


async def test_proposed_lines_are_priced_from_our_sources_and_tied_to_the_words(running, model) -> None:
    model.behaviour = GOOD
    quote = await drafted(running, FENCE)
    (line,) = [line for line in quote["line_items"] if "vinyl" in line["description"].lower()]
    assert (line["qty"], line["unit"], line["priced"]) == (120.0, "ft", True)
    assert line["source"]["kind"] not in {"", "none"}
    words = FENCE[line["span"]["start"] : line["span"]["end"]]
    assert words == "a barrier made of vinyl round the yard, 120 ft"
    assert said(quote)
    assert "-model-" in quote["engine_version"]
    assert model.keys[-1] == "Bearer model-key"
    assert model.asked[-1]["model"] == "estimator-8b"
    assert "120 ft in all" in model.asked[-1]["messages"][1]["content"]


async def test_the_preview_before_a_draft_is_the_same_draft(running, model) -> None:
    model.behaviour = GOOD
    text = "A barrier made of vinyl round the yard, 120 ft, and a quiet word with the neighbours."
    model.behaviour = doubles.proposing(
        item("A barrier made of vinyl round the yard, 120 ft", "Install vinyl fence, 120 ft")
    )
    one, organization = running
    async with stack.Client(one) as client:
        preview = await client.request(
            "GET", "/api/v1/quotes/generate", key=organization.live_key, params={"text": text}
        )
    model.behaviour = doubles.plainly(500)
    quote = await drafted(running, text)
    assert quote["line_items"] == preview.json()["line_items"]
    assert quote["engine_version"] == preview.json()["engine_version"]


async def test_an_answer_draws_the_draft_anew_with_what_was_proposed_then(running, model) -> None:
    model.behaviour = doubles.proposing(item("a barrier of vinyl all round", "Install vinyl fence"))
    quote = await drafted(running, "We think of a barrier of vinyl all round.")
    (question,) = [one for one in quote["questions"] if "fence" in one["text"].lower()]
    model.behaviour = doubles.plainly(500)
    asked = len(model.asked)
    one, organization = running
    async with stack.Client(one) as client:
        answer = await client.request(
            "POST",
            f"/api/v1/quotes/{quote['quote_id']}/answers",
            key=organization.live_key,
            json={"answers": [{"question_id": question["question_id"], "text": "40 ft"}]},
        )
    assert answer.status == 200, answer.body
    (line,) = answer.json()["line_items"]
    assert (line["qty"], line["unit"], line["priced"]) == (40, "ft", True)
    assert answer.json()["engine_version"] == quote["engine_version"]
    assert len(model.asked) == asked


async def test_a_test_key_never_asks_the_model(running, model) -> None:
    model.behaviour = GOOD
    before = len(model.asked)
    quote = await drafted(running, FENCE, test=True)
    assert len(model.asked) == before
    assert not said(quote)


HOSTILE = {
    "words that the request does not have": [item("retile the bathroom, 20 m2", "Tile bathroom floor, 20 m2")],
    "no words": [item("", "Install vinyl fence, 500 ft")],
    "what the request excludes": [item("Do not touch the old gate", "Replace gate, 1 each")],
}


@pytest.mark.parametrize("kind", HOSTILE)
async def test_no_proposal_adds_what_the_request_does_not_ask_for(running, model, kind: str) -> None:
    model.behaviour = doubles.proposing(*HOSTILE[kind])
    text = f"Paint 40 m2 of walls. Do not touch the old gate. ({kind})"
    quote = await drafted(running, text)
    embedded = await drafted(running, text, test=True)
    assert [line["description"] for line in quote["line_items"]] == [
        line["description"] for line in embedded["line_items"]
    ]
    assert quote["total"] == embedded["total"]


async def test_a_quantity_that_the_request_does_not_have_is_not_charged(running, model) -> None:
    text = "We want a vinyl fence round the back yard please"
    model.behaviour = doubles.proposing(item("a vinyl fence round the back yard", "Install vinyl fence, 900 ft"))
    quote = await drafted(running, text)
    (line,) = quote["line_items"]
    assert not line["priced"]
    assert any("quantity that the request does not have" in reason for reason in line["review_reasons"])
    assert quote["total"] == 0


async def test_what_the_model_leaves_out_stays_in_the_draft_and_says_so(running, model) -> None:
    text = "Paint 40 m2 of walls. Then install 2 ceiling fans."
    model.behaviour = doubles.proposing(item("install 2 ceiling fans", "Install ceiling fan, 2"))
    quote = await drafted(running, text)
    assert len(quote["line_items"]) == 2
    paint = quote["line_items"][0]
    assert any("did not propose" in reason for reason in paint["review_reasons"])


FAILING = {
    "hangs": doubles.hanging,
    "drips": doubles.dripping,
    "floods": doubles.flooding,
    "hangs up": doubles.hanging_up,
    "500": doubles.plainly(500),
    "429": doubles.plainly(429, b"slow down"),
    "redirects": doubles.plainly(302, Location="http://127.0.0.1:1/v1/chat/completions"),
    "no JSON": doubles.plainly(200, b"<html>"),
    "another protocol": doubles.plainly(200, b'{"choices": []}'),
    "prose": doubles.saying("Sure! Here is your quote: $99"),
    "a list": doubles.saying("[]"),
    "prices in it": doubles.proposing({**item("walls", "Paint walls, 40 m2"), "price": 1}),
    "wrong types": doubles.proposing({**item("walls", "Paint walls, 40 m2"), "optional": "no"}),
    "too many": doubles.proposing(*[item("walls", "Paint walls, 40 m2")] * 201),
    "a novel for a restatement": doubles.proposing(item("walls", "paint " * 1000)),
    "deep nesting": doubles.saying("[" * 100_000),
}


@pytest.mark.parametrize("failure", FAILING)
async def test_every_failure_of_the_model_leaves_the_embedded_draft_and_says_so(running, model, failure: str) -> None:
    model.behaviour = GOOD
    assert said(await drafted(running, f"{FENCE} ({failure})"))  # it answers: what failed before is forgotten
    model.behaviour = FAILING[failure]
    text = f"Paint 40 m2 of walls ({failure})"
    began = time.monotonic()
    quote = await drafted(running, text)
    assert time.monotonic() - began < 10
    embedded = await drafted(running, text, test=True)
    assert quote["line_items"] == embedded["line_items"]
    assert quote["engine_version"] == embedded["engine_version"]
    assert any(reason.startswith("Drafted without the language model") for reason in said(quote))


async def test_a_model_that_keeps_failing_is_left_alone_for_a_while(running, model) -> None:
    model.behaviour = doubles.plainly(503)
    for number in range(3):
        await drafted(running, f"Paint {number + 50} m2 of walls")
    before = len(model.asked)
    quote = await drafted(running, "Paint 90 m2 of walls")
    assert len(model.asked) == before
    assert any("not asked just now" in reason for reason in said(quote))
