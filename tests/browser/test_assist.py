"""Promises of text assist in forms, one for each rule that its clients keep: in a real browser, with a backend that is
slow, failing or out of order. What is slow or failing here is the browser's way to the service."""

import asyncio
import json
from urllib.parse import parse_qs

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.pages import check, opened

PROOFREAD = "**/assist/proofread"
SLIP = "The bathrom is dirty."


@pytest.fixture
def organization(combined):
    return combined.organization("Assisted")


@pytest_asyncio.fixture(loop_scope="session")
async def form(chromium, combined, organization):
    """A form with a field that takes suggestions."""
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/intake/lead")
    return page


def field(page):
    return page.get_by_label("The note")


def panel(page):
    return page.get_by_role("group", name="Suggestions")


def suggestion(text, before, after, **more):
    """An answer with one suggestion."""
    start = text.index(before)
    one = {"start": start, "end": start + len(before), "before": before, "after": after, "message": "Perhaps."}
    one |= {"alternatives": [], "confidence": 0.95, "category": "spelling"} | more
    return {"skipped": False, "may_add_words": True, "suggestions": [one]}


def sent(request):
    """The text that was asked about."""
    return parse_qs(request.post_data)["text"][0]


async def test_a_suggestion_of_the_service_is_shown_beside_accepted_and_undone(form, axe):
    await field(form).fill(SLIP)
    await expect(panel(form).get_by_text("bathroom", exact=True)).to_be_visible()
    assert await field(form).input_value() == SLIP
    await check(form, axe, "suggestions")
    await panel(form).get_by_role("button", name="Accept bathroom for bathrom").click()
    await expect(field(form)).to_have_value("The bathroom is dirty.")
    await panel(form).get_by_role("button", name="Undo").click()
    await expect(field(form)).to_have_value(SLIP)


async def test_all_are_accepted_at_once_and_the_original_comes_back_whole(form):
    text = "🏠 The bathrom and the kichen.\nA second line."
    await field(form).fill(text)
    await panel(form).get_by_role("button", name="Accept all").click()
    await expect(field(form)).to_have_value("🏠 The bathroom and the kitchen.\nA second line.")
    await panel(form).get_by_role("button", name="Undo").click()
    await expect(field(form)).to_have_value(text)


async def test_undo_keeps_what_was_typed_since(form):
    await field(form).fill(SLIP)
    await panel(form).get_by_role("button", name="Accept bathroom for bathrom").click()
    await field(form).press("End")
    await field(form).type(" And more.")
    await panel(form).get_by_role("button", name="Undo").click()
    await expect(field(form)).to_have_value(f"{SLIP} And more.")


async def test_typing_is_debounced_and_asked_about_once(form):
    asked = []

    async def answer(route):
        asked.append(sent(route.request))
        await route.continue_()

    await form.route(PROOFREAD, answer)
    await field(form).press_sequentially(SLIP, delay=20)
    await expect(panel(form).get_by_text("bathroom", exact=True)).to_be_visible()
    assert asked[-1] == SLIP
    assert len(asked) <= 3  # a machine under load may pause among the keys


async def test_an_overtaken_request_is_cancelled_and_its_answer_never_shown(form):
    """The first answer comes after the second one's, and would not fit."""
    released, cancelled, first = asyncio.Event(), [], []

    async def answer(route):
        if not first:
            first.append(route.request)
            await released.wait()
        text = sent(route.request)
        word = text.split()[1]
        content = suggestion(text, word, f"{word}-corrected")
        await route.fulfill(content_type="application/json", body=json.dumps(content))

    form.on("requestfailed", lambda request: cancelled.append(request))
    await form.route(PROOFREAD, answer)
    async with form.expect_request(PROOFREAD):
        await field(form).fill("The first text")
    await field(form).fill("The second text")
    await expect(panel(form).get_by_text("second-corrected")).to_be_visible()
    assert cancelled == first
    released.set()
    await field(form).press("End")
    await expect(panel(form).get_by_text("first-corrected")).to_have_count(0)
    await expect(panel(form).get_by_text("second-corrected")).to_be_visible()
    assert await field(form).input_value() == "The second text"


async def test_a_suggestion_that_does_not_fit_the_text_is_not_shown(form):
    async def answer(route):
        other = suggestion("The bathrom", "bathrom", "bathroom")
        await route.fulfill(content_type="application/json", body=json.dumps(other))

    await form.route(PROOFREAD, answer)
    async with form.expect_response(PROOFREAD):
        await field(form).fill("The kitchens here")
    await expect(panel(form).locator("li")).to_have_count(0)
    assert await field(form).input_value() == "The kitchens here"


FAILURES = (401, 403, 429, 500, 503, "aborted", "garbage")


async def test_the_form_is_fully_usable_whatever_fails_and_suggestions_come_back(chromium, combined, organization):
    for failure in FAILURES:
        page = await opened(chromium, combined, session=organization.session)
        await page.goto("/intake/lead")
        await _use_in_spite_of(page, failure)
        await page.context.close()


async def _use_in_spite_of(page, failure):
    asked, dialogs = [], []

    async def answer(route):
        asked.append(route.request)
        if failure == "aborted":
            await route.abort()
        elif failure == "garbage":
            await route.fulfill(content_type="application/json", body="<html>")
        else:
            headers = {"Retry-After": "1"}
            await route.fulfill(status=failure, headers=headers, content_type="application/json", body="{}")

    await page.clock.install()
    await page.route(PROOFREAD, answer)
    page.on("dialog", lambda dialog: dialogs.append(dialog))
    await field(page).fill(SLIP)
    await page.clock.run_for(1_000)
    await expect(panel(page), str(failure)).to_contain_text("No suggestions for the moment.")
    text = f"{SLIP} Call Jane Doe at (217) 555-0134."
    await field(page).fill(text)
    await page.clock.run_for(1_000)
    assert len(asked) == 1, failure  # it is left alone for a while
    await page.unroute(PROOFREAD)
    await page.clock.run_for(14_000)
    await expect(panel(page).get_by_text("bathroom", exact=True), str(failure)).to_be_visible(timeout=15_000)
    await page.route(PROOFREAD, answer)
    await field(page).press("End")
    await page.get_by_role("button", name="Read the note").click()
    await expect(page.get_by_role("button", name="+12175550134 as Phone number")).to_be_visible()
    assert await field(page).input_value() == text
    assert dialogs == []


async def test_a_backend_that_never_answers_is_given_up_and_holds_nothing_up(form):
    gone = []

    async def answer(route):
        pass

    await form.clock.install()
    await form.route(PROOFREAD, answer)
    form.on("requestfailed", lambda request: gone.append(request))
    await field(form).fill(SLIP)
    async with form.expect_request(PROOFREAD):
        await form.clock.run_for(1_000)
    await form.clock.run_for(9_000)
    await expect(panel(form)).to_contain_text("No suggestions for the moment.")
    assert len(gone) == 1
    await form.get_by_role("button", name="Read the note").click()
    await expect(form.get_by_label("The note")).to_have_value(SLIP)


async def test_nothing_is_saved_that_was_not_accepted(form):
    await field(form).fill(SLIP)
    await expect(panel(form).get_by_text("bathroom", exact=True)).to_be_visible()
    async with form.expect_request("**/intake/lead") as posted:
        await form.get_by_role("button", name="Read the note").click()
    body = (await posted.value).post_data
    assert "bathrom+is" in body
    assert "bathroom" not in body


async def test_a_word_is_added_to_the_dictionary_and_not_told_again(form):
    await field(form).fill(SLIP)
    await panel(form).get_by_role("button", name="Add word bathrom to the dictionary").click()
    await expect(panel(form)).to_contain_text("bathrom is in the dictionary now.")
    await expect(panel(form).locator("li")).to_have_count(0)
    await form.goto("/dictionary")
    await expect(form.get_by_text("bathrom", exact=True)).to_be_visible()


async def test_suggestions_are_reached_by_keyboard_and_told_to_screen_readers(form):
    await field(form).fill(SLIP)
    await expect(panel(form).locator("[aria-live=polite]")).to_have_text("1 suggestion")
    await field(form).focus()
    await form.keyboard.press("Tab")
    focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    assert await form.evaluate(focused) == "Accept bathroom for bathrom"
    await form.keyboard.press("Enter")
    await expect(field(form)).to_have_value("The bathroom is dirty.")
    assert await form.evaluate(focused) == "Undo: back to what I typed"
    await form.keyboard.press("Escape")
    assert await form.evaluate("document.activeElement.id") == "input"


async def test_a_text_that_is_too_long_is_told_and_not_asked_about(form):
    asked = []
    form.on("request", lambda request: asked.append(request) if "/assist/" in request.url else None)
    await field(form).evaluate("field => field.removeAttribute('maxlength')")
    await field(form).fill("word " * 2_401)
    await expect(panel(form)).to_contain_text("Too long for suggestions")
    assert asked == []
    await field(form).fill("word " * 2_396 + "bathrom")
    await expect(panel(form).get_by_text("bathroom", exact=True)).to_be_visible()


async def test_fields_without_the_attribute_are_left_alone(form):
    asked = []
    form.on("request", lambda request: asked.append(request) if "/assist/" in request.url else None)
    await form.get_by_label("Company").fill("The bathrom is dirty, the kichen too")
    async with form.expect_response(PROOFREAD):
        await field(form).fill("Fine.")
    assert [sent(one) for one in asked] == ["Fine."]
