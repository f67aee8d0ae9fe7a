"""Promises of the page of a quote in a real browser: with a script and without, on a phone, for everybody."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.pages import check, opened
from tests.stack import Client

TEXT = "Install 2 radiators, paint 30 m2 of walls and repair the flux capacitor in Nashville"


@pytest_asyncio.fixture(loop_scope="session")
async def drafted(combined):
    """An organization, with the draft that its test key made."""
    organization = combined.organization("Reviewed")
    async with Client(combined) as client:
        return organization, (await client.generate(organization.test_key, TEXT)).json()


async def shown(page, quote):
    """Over to test data, where the quote is, and on to its page."""
    await page.goto("/account")
    await page.get_by_role("button", name="View test data").click()
    await expect(page.get_by_role("button", name="View live data")).to_be_visible()
    await page.goto(f"/quotes/{quote['quote_id']}")
    await expect(page.get_by_role("heading", name=re.compile(quote["quote_number"]))).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
async def test_a_draft_is_changed_approved_and_sent_in_test_data(chromium, combined, drafted, script):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script)
    problems = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    await shown(page, quote)
    await page.get_by_label("What exactly is wanted").fill("paint an interior door")
    await page.get_by_role("button", name="Answer and draft anew").click()
    await expect(page.get_by_role("heading", name="What has changed")).to_be_visible()
    line = page.locator(".line").first
    await line.locator("summary").first.click()
    if not script:
        await line.get_by_role("link", name="Change it").click()
    form = page.locator(".line-form").filter(has=page.get_by_role("button", name="Save the line"))
    await form.get_by_label("Quantity").fill("4")
    await form.get_by_label("Unit price").fill("1,250.50")
    await form.get_by_role("button", name="Save the line").click()
    await expect(line.locator("summary").first).to_contain_text("4 each × 1,250.50 = 5,002.00")
    await expect(page.locator("#changed")).to_contain_text("5002.00")
    await line.locator("summary").first.click()
    await line.get_by_role("button", name="Down").click()
    await expect(page.locator(".line").nth(1).locator("summary").first).to_contain_text("5,002.00")
    await page.get_by_text("Add a line").click()
    added = page.locator("#add")
    await added.get_by_label("Description").fill("Skip hire")
    await added.get_by_label("Unit price").fill("80")
    await added.get_by_role("button", name="Add the line").click()
    await expect(page.locator(".line").last.locator("summary").first).to_contain_text("Skip hire")
    await page.get_by_role("button", name="Submit for approval").click()
    await page.get_by_role("button", name="Approve").click()
    await expect(page.get_by_text("Approved by you")).to_be_visible()
    await page.get_by_label("E-mail addresses").fill("ann@customer.example.com")
    await page.get_by_role("button", name="Count it as sent").click()
    await expect(page.get_by_text("test: no mail sent")).to_be_visible()
    await page.get_by_role("link", name="the customer's page").click()
    await page.get_by_label("Your name").first.fill("Ann Smith")
    await page.get_by_role("button", name="Accept").click()
    await page.goto(f"/quotes/{quote['quote_id']}")
    await expect(page.get_by_text("Accepted by Ann Smith")).to_be_visible()
    assert problems == []


async def test_words_and_lines_light_up_together(chromium, combined, drafted):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session, viewport={"width": 1280, "height": 800})
    await shown(page, quote)
    words, line = page.locator("mark").nth(1), page.locator(".line").nth(1)
    await line.locator("summary").first.hover()
    await expect(words).to_have_class("lit")
    await words.hover()
    await expect(line).to_have_class(re.compile(r"\blit\b"))
    await expect(page.locator(".lit")).to_have_count(2)
    await page.locator("h1").hover()
    await expect(page.locator(".lit")).to_have_count(0)
    await words.click()
    await expect(line.locator("summary").first).to_be_focused()
    await expect(words).to_have_class("lit")
    await page.keyboard.press("Enter")
    await expect(line.get_by_role("button", name="Save the line")).to_be_visible()
    await line.get_by_text("Arithmetic").click()
    await expect(line.get_by_text("amount of the line: half-even to 2 decimals")).to_be_visible()


async def test_without_a_script_words_and_lines_lead_to_each_other(chromium, combined, drafted):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=False)
    await shown(page, quote)
    plain = await page.locator("mark").first.evaluate("one => getComputedStyle(one).backgroundColor")
    await page.get_by_role("link", name="Line 1: its words in the request").click()
    lit = await page.locator("mark").first.evaluate("one => getComputedStyle(one).backgroundColor")
    assert lit != plain
    await page.get_by_role("link", name="to line 2").click()
    assert page.url.endswith(f"#line-{quote['line_items'][1]['line_id']}")


async def test_the_focus_stays_where_one_works_and_nothing_typed_is_lost(chromium, combined, drafted):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session)
    await shown(page, quote)
    other = await page.context.new_page()
    await other.goto(f"/quotes/{quote['quote_id']}")
    line = page.locator(".line").first
    await line.locator("summary").first.click()
    await line.get_by_label("Quantity").fill("many")
    await line.get_by_role("button", name="Save the line").click()
    await expect(line.get_by_text("must be a number")).to_be_visible()
    await expect(line.get_by_label("Quantity")).to_be_focused()
    await other.get_by_role("button", name="Submit for approval").click()
    await expect(other.get_by_role("button", name="Approve")).to_be_visible()
    await other.get_by_text("Send it back, or take it back").click()
    await other.get_by_role("button", name="Take back as a draft").click()
    await other.get_by_text("Change these, or how long").click()
    await other.get_by_label("Not included").fill("Waste licences.")
    await other.get_by_role("button", name="Save").click()
    await expect(other.locator("#changed")).to_be_focused()
    await line.get_by_label("Quantity").fill("3")
    await line.get_by_role("button", name="Save the line").click()
    await expect(line.get_by_text("Somebody has changed this quote")).to_be_visible()
    await expect(line.get_by_label("Quantity")).to_have_value("3")
    await page.context.set_offline(True)
    await line.get_by_role("button", name="Save the line").click()
    await expect(line.get_by_text("could not be reached")).to_be_visible()
    await page.context.set_offline(False)
    await page.get_by_text("With a note for whoever approves it").click()
    await page.get_by_label("Note").fill("please look")
    await line.get_by_role("button", name="Save the line").click()
    await expect(line.locator("summary").first).to_contain_text("3 each")
    await expect(line.locator("summary").first).to_be_focused()
    await expect(page.get_by_label("Note")).to_have_value("please look")


async def test_a_refused_form_stays_with_what_was_typed_and_the_address_stays_a_page(chromium, combined, drafted):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session)
    await shown(page, quote)
    base = page.url
    added = page.locator("#add")
    await added.locator("summary").click()
    await added.get_by_label("Description").fill("Skip hire")
    await added.get_by_label("Unit price").fill("abc")
    await added.get_by_role("button", name="Add the line").click()
    await expect(added.get_by_text("must be a number")).to_be_visible()
    assert page.url == base
    await added.get_by_label("Unit price").fill("80")
    await page.locator("input[name=csrf]").evaluate_all("all => all.forEach((one) => (one.value = 'of before'))")
    await added.get_by_role("button", name="Add the line").click()
    await expect(added.get_by_text("The form is out of date")).to_be_visible()
    await expect(added.get_by_label("Unit price")).to_have_value("80")
    await page.locator(".line summary").first.click()
    await page.get_by_role("button", name="Down").first.click()
    await expect(page.locator(".line").first.get_by_text("The form is out of date")).to_be_visible()
    assert page.url == base
    await page.reload()
    await expect(page.get_by_role("heading", name=re.compile(quote["quote_number"]))).to_be_visible()


async def test_what_is_chosen_and_ticked_in_a_line_outlasts_a_change_elsewhere(chromium, combined, drafted):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session)
    await shown(page, quote)
    line, added = page.locator(".line").first, page.locator("#add")
    await line.locator("summary").first.click()
    await line.get_by_label("Quantity").fill("77")
    await line.get_by_label("Kind").select_option("fee")
    await line.get_by_role("checkbox", name="An option").check()
    await added.locator("summary").click()
    await added.get_by_label("Description").fill("Skip hire")
    await added.get_by_role("button", name="Add the line").click()
    await expect(page.locator(".line").last.locator("summary").first).to_contain_text("Skip hire")
    await expect(line.get_by_label("Quantity")).to_have_value("77")
    await expect(line.get_by_label("Kind")).to_have_value("fee")
    await expect(line.get_by_role("checkbox", name="An option")).to_be_checked()


async def test_the_pdf_shows_in_the_page(chromium, combined, drafted):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session)
    await shown(page, quote)
    assert not any("/pdf" in frame.url for frame in page.frames), "it is loaded where somebody wants to see it"
    refused = []
    page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    async with page.expect_response(re.compile(r"/pdf\?v=")) as framed:
        await page.get_by_text("Show it here").click()
        await page.locator("iframe").scroll_into_view_if_needed()
    assert (await framed.value).status == 200
    assert refused == []
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download").click()
    assert (await download.value).suggested_filename == f"{quote['quote_number']}.pdf"


async def test_the_pages_fit_a_phone_and_are_for_everybody(chromium, combined, drafted, axe):
    organization, quote = drafted
    page = await opened(chromium, combined, session=organization.session, viewport={"width": 360, "height": 740})
    await shown(page, quote)
    base = f"/quotes/{quote['quote_id']}"
    await page.get_by_text("Change these, or how long").click()
    await page.get_by_label("Not included").fill("Waste" * 60)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.locator("#changed")).to_be_visible()
    for path in ("", "/lines/1", "/customer", "/versions", "/versions/1", "/versions/2/changes", "/text"):
        await page.goto(base + path)
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        await expect(page.locator("[data-more]")).to_have_count(0)
        await check(page, axe, path)
    await page.goto(base)
    await page.get_by_role("button", name="Submit for approval").click()
    await expect(page.get_by_role("button", name="Approve")).to_be_visible()
    await check(page, axe, "in review")
    await page.goto("/approvals")
    await check(page, axe, "/approvals")
    await page.goto(base)
    await page.get_by_role("button", name="Approve").click()
    await expect(page.get_by_label("Subject")).to_be_visible()
    await check(page, axe, "approved")
    await page.get_by_label("E-mail addresses").fill(f"{'ann' * 15}@customer.example.com")
    await page.get_by_role("button", name="Count it as sent").click()
    await expect(page.get_by_text("test: no mail sent")).to_be_visible()
    await check(page, axe, "sent")
