"""Promises of the office's pages in a real browser: leads, notes, prices and words, on a phone and for everybody."""

import pytest
from playwright.async_api import expect

from tests.browser.pages import check, opened

LIST = b"Art;Was;Wieviel;Je\nGUT-1;Seamless gutter;41,50;m\nFAN-1;Ceiling fan;1.210,00;each\nBAD;Broken;-3,00;each\n"
NOTE = "Jane Doe, (217) 555-0134, wants a leaking tap fixed at 742 Evergreen Terrace, Springfield, IL 62704"


@pytest.fixture
def organization(combined):
    return combined.organization("Office")


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
async def test_a_note_becomes_a_lead_a_customer_and_a_draft(chromium, combined, organization, axe, script):
    size = {"width": 360, "height": 740}
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script, viewport=size)
    await page.goto("/leads")
    await page.get_by_role("link", name="New lead").click()
    await page.get_by_label("The note").fill(NOTE)
    await page.get_by_role("button", name="Read the note").click()
    name = page.get_by_role("textbox", name="Name", exact=False).first
    await expect(name).to_have_value("")
    await page.get_by_role("button", name="Save the lead").click()
    await expect(page.get_by_role("alert")).to_contain_text("Nothing is kept yet")
    await page.get_by_role("button", name="as Phone number").first.click()
    await expect(page.locator("#phone")).to_have_value("+12175550134")
    await page.locator("#name").fill("Janet Doe")
    if script:
        await check(page, axe, "/intake/lead with candidates")
    await page.get_by_role("button", name="Take over all that is sure").click()
    await expect(page.locator("#address")).to_have_value("742 Evergreen Terrace, Springfield, IL 62704")
    await expect(page.locator("#name")).to_have_value("Janet Doe")
    await page.locator("#description").fill("Replace 12 m of guttering in Nashville")
    await page.get_by_label("Make a customer of it, too").check()
    await page.get_by_role("button", name="Save the lead").click()
    await expect(page.get_by_role("heading", name="Janet Doe")).to_be_visible()
    await expect(page.get_by_role("link", name="The customer that was made of it")).to_be_visible()
    if script:
        await check(page, axe, "/leads/{lead_id}")
    await page.get_by_role("button", name="Contacted").click()
    await expect(page.get_by_role("heading").get_by_text("Contacted")).to_be_visible()
    await page.get_by_role("button", name="Draft a quote").click()
    await page.wait_for_url("**/quotes/*")
    await page.goto("/leads?q=janet")
    await expect(page.get_by_role("link", name="Janet Doe")).to_be_visible()
    if script:
        await check(page, axe, "/leads")


async def test_an_offer_that_replaces_what_was_typed_can_be_undone(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/intake/lead")
    await page.get_by_label("The note").fill(NOTE)
    await page.locator("#phone").fill("555")
    await page.get_by_role("button", name="Read the note").click()
    await expect(page.locator("#phone")).to_have_value("555")
    await page.get_by_role("button", name="+12175550134 as Phone number").click()
    await expect(page.locator("#phone")).to_have_value("+12175550134")
    await page.get_by_role("button", name="Undo: 555").click()
    await expect(page.locator("#phone")).to_have_value("555")


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
async def test_a_price_list_is_mapped_checked_and_applied(chromium, combined, organization, axe, script):
    size = {"width": 360, "height": 740}
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script, viewport=size)
    await page.goto("/price-book")
    await page.get_by_role("link", name="Import a list").click()
    chosen = {"name": "prices.csv", "mimeType": "text/csv", "buffer": LIST}
    await page.get_by_label("Price list").set_input_files(chosen)
    await page.get_by_role("button", name="Read the file").click()
    await expect(page.get_by_role("alert")).to_contain_text("No column for price was found")
    for letter, field in (("A", "sku"), ("B", "name"), ("C", "price"), ("D", "unit")):
        await page.locator(f"select[name='column.{letter}']").select_option(field)
    await page.get_by_role("button", name="Check again").click()
    await expect(page.get_by_role("alert")).to_contain_text("1 rows were refused")
    await expect(page.locator("td[data-label=Row]")).to_have_text("4")
    if script:
        await check(page, axe, "an import with refused rows")
    await page.get_by_label("Leave out rows that are refused").check()
    await page.get_by_role("button", name="Check again").click()
    await expect(page.get_by_role("status")).to_contain_text("2 new, 0 changed")
    await page.get_by_role("button", name="Apply the prices").click()
    await expect(page.get_by_role("status")).to_contain_text("The prices are in force: 2 new")
    await expect(page.get_by_role("link", name="To the price book")).to_be_visible()
    for _ in range(50):
        await page.goto("/price-book")
        if await page.get_by_role("link", name="GUT-1").count():
            break
    if script:
        await check(page, axe, "/price-book")
    await page.get_by_role("link", name="GUT-1").click()
    await page.get_by_label("Price per unit").fill("43.00")
    await page.get_by_role("button", name="Change").click()
    await expect(page.locator("dl")).to_contain_text("43.00 USD per m")
    if script:
        await check(page, axe, "/price-book/items/{item_id}")
    await page.get_by_role("button", name="Retire the item").click()
    await expect(page.get_by_role("heading", name="Bring it back")).to_be_visible()


async def test_a_record_is_copied_and_downloaded(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/intake/payment")
    await page.get_by_label("The note").fill("got 120.00 USD from Jane Doe on 2026-11-03 for invoice 1042, check")
    await page.get_by_role("button", name="Read the note").click()
    await page.get_by_role("button", name="Take over all that is sure").click()
    await page.get_by_role("button", name="Check the record").click()
    await expect(page.locator("#record")).to_contain_text("Amount: 120.00")
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Download as JSON").click()
    assert (await download.value).suggested_filename == "payment.json"
    await page.get_by_role("textbox", name="Amount").fill("a lot")
    await page.get_by_role("button", name="Check the record").click()
    await expect(page.locator("#amount-question")).to_be_visible()


async def test_words_are_added_and_removed(chromium, combined, organization, axe):
    page = await opened(chromium, combined, session=organization.session, viewport={"width": 360, "height": 740})
    await page.goto("/dictionary")
    await page.get_by_label("Words to add").fill("Schimelt, qwikrete")
    await page.get_by_role("button", name="Add").click()
    await expect(page.get_by_text("qwikrete", exact=True)).to_be_visible()
    await check(page, axe, "/dictionary")
    await page.get_by_role("button", name="Remove qwikrete").click()
    await expect(page.get_by_text("qwikrete", exact=True)).to_have_count(0)
