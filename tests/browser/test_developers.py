"""Promises of the developers' and the company's pages in a real browser: with a script and without, on a phone."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.pages import check, opened
from tests.doubles import receivers
from tests.doubles.receivers import receiver, status
from tests.stack import Client


@pytest.fixture
def organization(combined):
    return combined.organization("Developers")


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
async def test_an_endpoint_is_added_verified_and_a_test_event_arrives(chromium, combined, organization, script):
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script)
    problems = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    async with receiver(receivers.challenged) as one:
        await page.goto("/")
        await page.get_by_role("link", name="Webhooks").first.click()
        await page.get_by_role("link", name="New endpoint").click()
        await page.get_by_label("URL").fill(one.url)
        await page.get_by_label("quote.created").check()
        await page.get_by_role("button", name="Add the endpoint").click()
        one.secret = await page.locator("#secret").inner_text()  # what arrives is verified from now on
        await page.get_by_role("link", name="Open the endpoint").click()
        await expect(page.get_by_text("not verified")).to_be_visible()
        await page.get_by_role("button", name="Verify").click()
        await expect(page.get_by_text("Verified: the endpoint answered the challenge.")).to_be_visible()
        await page.get_by_role("button", name="Send a test event").click()
        await one.wait_for(2)
        for _ in range(30):
            if script or await page.get_by_role("link", name="Look again").count() == 0:
                break
            await page.get_by_role("link", name="Look again").click()
        await expect(page.get_by_text("delivered", exact=True)).to_be_visible()
        await page.get_by_role("button", name="Send again").click()
        await one.wait_for(3)
        assert len({delivery.id for delivery in one.received[1:]}) == 1
    assert problems == []


async def test_what_failed_is_found_and_sent_again(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/")
    await page.get_by_role("button", name="View test data").click()
    async with receiver(status(410), status(200)) as one:
        await page.goto("/webhooks/new")
        await page.get_by_label("URL").fill(one.url)
        await page.get_by_role("button", name="Add the endpoint").click()
        await page.get_by_role("link", name="Open the endpoint").click()
        await page.get_by_role("button", name="Send a test event").click()
        # The page shows by itself what became of it.
        await expect(page.get_by_text("given up", exact=True)).to_be_visible()
        await expect(page.get_by_text("gone for good")).to_be_visible()
        await page.goto("/webhooks")
        await expect(page.get_by_role("heading", name="Given up")).to_be_visible()
        await page.get_by_role("link", name=one.url).click()
        await page.get_by_role("button", name="Resume").click()
        await page.get_by_role("button", name="Send again").click()
        await expect(page.get_by_text("1 delivery is tried again.")).to_be_visible()
        await one.wait_for(2)
        await page.get_by_role("link", name="ping").first.click()
        await expect(page.get_by_text("delivered", exact=True)).to_be_visible()
        await page.get_by_text("Headers that were sent").first.click()
        await expect(page.get_by_text(re.compile("webhook-id: evt_")).first).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
async def test_settings_and_a_template_are_saved(chromium, combined, organization, script):
    page = await opened(chromium, combined, session=organization.session, java_script_enabled=script)
    await page.goto("/settings")
    await page.get_by_label("Phone").fill("1 23")
    await page.get_by_label("Name", exact=True).fill("Harper & Sons")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved.")).to_be_visible()
    await expect(page.get_by_label("Name", exact=True)).to_have_value("Harper & Sons")
    await page.get_by_role("link", name="Prices and tax").click()
    await page.get_by_label("Margin, of the selling price").fill("120")
    await page.get_by_label("Standard rate").fill("8.25")
    await page.get_by_role("button", name="Save").click()
    margin = page.get_by_label("Margin, of the selling price")
    await expect(margin).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("must be 0 to 95 %")).to_be_visible()
    await margin.fill("12.5")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved.")).to_be_visible()
    await expect(page.get_by_label("Standard rate")).to_have_value("8.25")
    await page.get_by_role("link", name="Templates").click()
    await page.get_by_role("link", name="New template").click()
    await page.get_by_label("Name", exact=True).fill("Bathroom")
    await page.get_by_role("button", name="More lines").click()
    await expect(page.get_by_label("Name", exact=True)).to_have_value("Bathroom")
    await page.get_by_label("Description of line 1", exact=True).fill("Protect the floor")
    await page.get_by_label("Unit of line 1", exact=True).fill("each")
    await page.get_by_label("Unit price of line 1", exact=True).fill("20")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", name="Bathroom")).to_be_visible()
    await expect(page.get_by_label("Description of line 1", exact=True)).to_have_value("Protect the floor")
    await page.get_by_role("button", name="Delete the template").click()
    await expect(page.get_by_text("There is no template yet")).to_be_visible()


async def test_pages_with_data_fit_a_phone_and_are_for_everybody(chromium, combined, organization, axe):
    page = await opened(chromium, combined, session=organization.session, viewport={"width": 360, "height": 740})
    long = "https://" + "a" * 60 + ".example/" + "long" * 30
    async with receiver(receivers.challenged, status(500)) as one:
        for url in (one.url, long):
            await page.goto("/webhooks/new")
            await page.get_by_label("URL").fill(url)
            await page.get_by_role("button", name="Add the endpoint").click()
        await check(page, axe, "the secret of an endpoint")
        await page.goto("/webhooks")
        await page.get_by_role("link", name=one.url).click()
        endpoint = page.url
        await page.get_by_role("button", name="Verify").click()
        await check(page, axe, "a verified endpoint")
        await page.get_by_role("button", name="Send a test event").click()
        await expect(page.get_by_text("The answer was no 2xx.").first).to_be_visible()
        await page.get_by_text("Headers that were sent").first.click()
        await check(page, axe, "a delivery that failed")
    await page.goto("/settings/prices")
    await page.get_by_label("Margin, of the selling price").fill("120")
    await page.get_by_role("button", name="Save").click()
    await check(page, axe, "prices with an error")
    await page.goto("/templates/new")
    await page.get_by_label("Name", exact=True).fill("Bathroom")
    await page.get_by_label("Description of line 1", exact=True).fill("Protect the floor " * 5)
    await page.get_by_label("Unit of line 1", exact=True).fill("no such unit")
    await page.get_by_label("Unit price of line 1", exact=True).fill("20")
    await page.get_by_role("button", name="Save").click()
    await check(page, axe, "a template with an error")
    await page.goto("/settings/regional-factors")
    await page.locator("#csv").fill("country,place,factor,source,as_of\nUS,Nowhereville,x,us,2026")
    await page.get_by_role("button", name="Check only").click()
    await check(page, axe, "factors with errors")
    async with Client(combined) as client:
        assert (await client.generate(organization.live_key, "Replace 12 m of guttering")).status == 200
    for path in (endpoint, "/webhooks", "/webhooks/deliveries", "/usage", "/settings"):
        await page.goto(path)
        await check(page, axe, path)
