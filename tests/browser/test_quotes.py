"""Promises of quotes and customers in a real browser: made, found and merged, with a script and without, on a phone."""

import re

import pytest
from playwright.async_api import expect

from tests import papers
from tests.browser.pages import check, opened

TEXT = "Replace 12 m of guttering and two downpipes in Nashville, TN"
scripts = pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])


@pytest.fixture
def organization(combined):
    return combined.organization("Quoting")


@scripts
async def test_a_text_is_previewed_and_made_and_found(chromium, combined, organization, script):
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script)
    problems = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    await page.goto("/")
    await page.get_by_role("link", name="New quote").click()
    await page.get_by_label("What is to be done").fill(TEXT)
    await page.get_by_label("Place of the work").fill("Chicago, IL")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text("Prices of Chicago")).to_be_visible()
    await expect(page.get_by_label("What is to be done")).to_have_value(TEXT)
    assert problems == []
    await page.get_by_role("button", name="Make the draft").click()
    await page.wait_for_url(re.compile(r"/quotes/\d+$"))
    await page.goto("/quotes")
    await page.get_by_label("Words").fill("downpipes chicago")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("cell", name="guttering")).to_be_visible()
    await page.get_by_label("Status").select_option("sent")
    await page.get_by_role("button", name="Search").click()
    await expect(page.get_by_text("No quote fits")).to_be_visible()


@scripts
async def test_a_document_is_followed_until_it_is_read(chromium, combined, organization, script):
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script)
    await page.goto("/quotes/new/document")
    scan = {"name": "scan.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 no more"}
    await page.get_by_label("Document").set_input_files(scan)
    await page.get_by_role("button", name="Upload").click()
    await expect(page.locator(".notice.bad")).to_be_visible(timeout=30_000)
    await page.get_by_role("link", name="Upload another document").click()
    bill = {"name": "bill.pdf", "mimeType": "application/pdf", "buffer": papers.pdf()}
    await page.get_by_label("Document").set_input_files(bill)
    await page.get_by_role("button", name="Upload").click()
    await expect(page.get_by_text("1 table with 6 rows")).to_be_visible(timeout=30_000)
    await page.get_by_role("button", name="Make the draft").click()
    await page.wait_for_url(re.compile(r"/quotes/\d+$"))


async def test_a_preview_that_fails_leaves_what_was_typed(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/quotes/new")
    await page.get_by_label("What is to be done").fill(TEXT)
    await page.route("**/quotes/new", lambda route: route.abort())
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text("There is no preview just now")).to_be_visible()
    await page.unroute("**/quotes/new")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_role("cell", name="gutter").first).to_be_visible()
    await page.get_by_label("What is to be done").fill("x" * 2001)
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#preview .notice.bad")).to_contain_text("2000")


@scripts
async def test_lines_are_entered_and_duplicates_merged(chromium, combined, organization, script):
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script)
    for name, phone in (("Ann Lee", ""), ("Ann L.", "615 555 0100")):
        await page.goto("/customers/new")
        await page.get_by_label("Name").fill(name)
        await page.get_by_label("Phone").fill(phone)
        await page.get_by_role("button", name="Make the customer").click()
        await expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    await page.get_by_role("link", name="New quote").click()
    await page.get_by_role("link", name="By hand").click()
    await page.get_by_label("Description").first.fill("Lay turf")
    await page.get_by_role("button", name="More lines").click()
    await expect(page.get_by_label("Description").first).to_have_value("Lay turf")
    await page.get_by_label("Unit price").first.fill("8.40")
    await page.get_by_role("button", name="Make the quote").click()
    await page.wait_for_url(re.compile(r"/quotes/\d+$"))
    await page.goto("/customers")
    await page.get_by_role("link", name="Ann Lee").click()
    await page.get_by_role("link", name="Merge a duplicate").click()
    await page.get_by_role("link", name="This one: Ann L.").click()
    await expect(page.get_by_text("1 quote goes over to Ann Lee")).to_be_visible()
    await page.get_by_role("button", name="Merge").click()
    await expect(page.get_by_text("615 555 0100")).to_be_visible()
    await expect(page.get_by_role("cell", name="8.40 USD")).to_be_visible()


async def test_every_page_with_data_fits_a_phone_and_is_for_everybody(chromium, combined, organization, axe):
    page = await opened(chromium, combined, session=organization.session, viewport={"width": 360, "height": 740})
    ids = []
    for name in ("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau", "Duplicate"):
        await page.goto("/customers/new")
        await page.get_by_label("Name").fill(name)
        await page.get_by_label("E-mail address").fill(f"{'long' * 12}@quotewright.example")
        await page.get_by_role("button", name="Make the customer").click()
        ids.append(page.url.rpartition("/")[2])
    await page.goto(f"/quotes/new?customer_id={ids[0]}")
    await page.get_by_label("What is to be done").fill(f"{TEXT}. {'unbroken' * 30}")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    await check(page, axe, "/quotes/new with a preview")
    await page.get_by_role("button", name="Make the draft").click()
    await page.goto("/quotes/new/document")
    bill = {"name": f"{'bill' * 30}.csv", "mimeType": "text/csv", "buffer": papers.separated()}
    await page.get_by_label("Document").set_input_files(bill)
    await page.get_by_role("button", name="Upload").click()
    await expect(page.get_by_role("button", name="Make the draft")).to_be_visible(timeout=30_000)
    await page.get_by_text("What was read").click()
    await check(page, axe, "a document")
    for path in (
        "/", "/quotes", "/quotes?q=nothing", "/quotes?from=soon", "/quotes/new/document", "/quotes/new/by-hand",
        "/customers", f"/customers/{ids[0]}", f"/customers/{ids[0]}/edit", f"/customers/{ids[0]}/merge?q=",
        f"/customers/{ids[0]}/merge?duplicate_id={ids[1]}",
    ):  # fmt: skip
        await page.goto(path)
        await check(page, axe, path)


async def test_a_page_prints_in_the_whole_width_of_the_paper_either_way(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session, viewport={"width": 1100, "height": 750})
    await page.goto("/quotes")
    await page.emulate_media(media="print")
    for width in (1100, 720):
        await page.set_viewport_size({"width": width, "height": 750})
        assert await page.locator("main").evaluate("one => one.offsetWidth") > width - 100
