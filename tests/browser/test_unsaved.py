"""Promises of what is typed into the forms of a page and not sent yet, in a real browser: whatever else is done, it is
there again, for whoever typed it."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.pages import opened, sign_in
from tests.contract.test_accounts import email_of
from tests.contract.test_settings import picture
from tests.stack import PASSWORD, Client

TEXT = "Install 2 radiators, paint 30 m2 of walls and repair the flux capacitor in Nashville"
BACK = "What you had typed here is back"


@pytest.fixture
def organization(combined):
    return combined.organization("Typing")


@pytest_asyncio.fixture(loop_scope="session")
async def client(combined):
    async with Client(combined) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def quote(client, organization):
    return (await client.generate(organization.live_key, TEXT)).json()


async def test_a_logo_leaves_what_is_typed_about_the_company(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/settings")
    terms, prices = page.get_by_label("Terms", exact=True), page.get_by_label("Prices on the quote")
    signature = page.get_by_role("checkbox", name="There is a place to sign")
    await terms.fill("Payment within 14 days.")
    await prices.select_option("totals")
    ticked = not await signature.is_checked()
    await signature.set_checked(ticked)
    for name, content, said in (("logo.svg", b"<svg/>", ".error"), ("logo.png", picture(), ".notice")):
        chosen = {"name": name, "mimeType": "image/png", "buffer": content}
        await page.locator("[name=picture]").set_input_files(chosen)
        await page.get_by_role("button", name="Upload").click()
        await expect(page.locator(said)).to_be_visible()
        await expect(page.get_by_text(BACK)).to_be_visible()
        await expect(terms).to_have_value("Payment within 14 days.")
        await expect(prices).to_have_value("totals")
        await expect(signature).to_be_checked(checked=ticked)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    await expect(page.get_by_text(BACK)).to_have_count(0)
    await expect(terms).to_have_value("Payment within 14 days.")
    await terms.fill("Payment at once.")
    await page.reload()
    await page.get_by_role("button", name="Discard it").click()
    await expect(terms).to_have_value("Payment within 14 days.")


async def test_the_stage_of_a_lead_leaves_what_is_typed_below(chromium, combined, organization, client):
    lead = {"name": "Jane Doe", "phone": "+12175550134", "notes": "a tap that drips"}
    made = await client.request("POST", "/api/v1/leads", session=organization.session, json=lead)
    page = await opened(chromium, combined, session=organization.session)
    await page.goto(f"/leads/{made.json()['lead_id']}")
    await page.get_by_label("What is to be quoted").fill("Replace the kitchen tap")
    await page.get_by_label("Name").fill("Jane M. Doe")
    await page.get_by_role("button", name="Contacted").click()
    await expect(page.get_by_role("heading").get_by_text("Contacted")).to_be_visible()
    await expect(page.get_by_label("What is to be quoted")).to_have_value("Replace the kitchen tap")
    await expect(page.get_by_label("Name")).to_have_value("Jane M. Doe")


async def test_finding_a_customer_leaves_the_message_and_the_choice(chromium, combined, organization, client, quote):
    for name in ("Ann Smith", "Bob Jones"):
        body = {"name": name, "email": f"{name[:3].lower()}@customer.example.com"}
        await client.request("POST", "/api/v1/customers", session=organization.session, json=body)
    page = await opened(chromium, combined, session=organization.session)
    await page.goto(f"/quotes/{quote['quote_id']}")
    await page.get_by_role("button", name="Submit for approval").click()
    await page.get_by_role("button", name="Approve").click()
    await page.get_by_label("Subject").fill("Your radiators")
    await page.get_by_label("Message").fill("As we spoke about.")
    await page.get_by_role("combobox", name="Customer").select_option(label="Bob Jones, bob@customer.example.com")
    await page.get_by_role("link", name="Find a customer").click()
    await page.get_by_role("link", name="Choose Ann Smith").click()
    await expect(page.get_by_label("Subject")).to_have_value("Your radiators")
    await expect(page.get_by_label("Message")).to_have_value("As we spoke about.")
    await expect(page.locator("#customer_id option:checked")).to_have_text("Ann Smith, ann@customer.example.com")


async def test_a_line_is_open_again_with_what_was_typed_in_it(chromium, combined, organization, quote):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto(f"/quotes/{quote['quote_id']}")
    line = page.locator(".line").first
    await line.locator("summary").first.click()
    await line.get_by_label("Unit price").fill("99")
    await page.get_by_role("link", name="Choose or add the customer").click()
    await page.get_by_role("link", name=quote["quote_number"]).click()
    await expect(line.get_by_label("Unit price")).to_have_value("99")
    await expect(line.get_by_text(BACK)).to_be_visible()


async def test_a_refused_line_outlasts_the_next_change_elsewhere(chromium, combined, organization, quote, client):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto(f"/quotes/{quote['quote_id']}")
    first, second = page.locator(".line").first, page.locator(".line").nth(1)
    kept = page.locator(f"#{await first.get_attribute('id')}")
    await first.locator("summary").first.click()
    await first.get_by_label("Description").fill("Radiators in the hall")
    await first.get_by_label("Unit price").fill("145,55")
    await first.get_by_role("button", name="Save the line").click()
    await expect(first.get_by_text("must be a number")).to_be_visible()
    assumptions = page.get_by_label("Assumed")
    await page.get_by_text("Change these, or how long").click()
    await assumptions.fill("The walls are sound.")
    body = {"line_items": [{"line_id": quote["line_items"][1]["line_id"], "qty": 5}]}
    path = f"/api/v1/quotes/{quote['quote_id']}"
    assert (await client.request("PATCH", path, session=organization.session, json=body)).status == 200
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("What you typed is still here")).to_be_visible()
    await second.locator("summary").first.click()
    for button in ("Up", "Down"):
        await page.get_by_role("button", name=re.compile(f"line 2 {button.lower()}")).click()
        await expect(page.locator("#changed")).to_be_visible()
        await expect(assumptions).to_have_value("The walls are sound.")
        await expect(kept.get_by_label("Description")).to_have_value("Radiators in the hall")
        await expect(kept.get_by_label("Unit price")).to_have_value("145,55")


async def test_a_form_that_was_refused_outlasts_another_of_its_page(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/settings")
    await page.get_by_label("Phone").fill("0161 496 0000")
    await page.get_by_label("Colour of headings").fill("blue")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.locator(".error")).to_be_visible()
    await page.locator("[name=picture]").set_input_files(
        {"name": "logo.png", "mimeType": "image/png", "buffer": picture()}
    )
    await page.get_by_role("button", name="Upload").click()
    await expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    await expect(page.get_by_label("Phone")).to_have_value("0161 496 0000")
    await expect(page.get_by_label("Colour of headings")).to_have_value("blue")


async def test_a_quote_is_not_submitted_without_what_is_typed_in_a_line(chromium, combined, organization, quote):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto(f"/quotes/{quote['quote_id']}")
    line, submit = page.locator(".line").first, page.get_by_role("button", name="Submit for approval")
    told = page.get_by_text("press the button again to leave it out")
    await line.locator("summary").first.click()
    await line.get_by_label("Unit price").fill("99")
    await submit.click()
    await expect(told).to_contain_text(quote["line_items"][0]["description"])
    await expect(line.get_by_label("Unit price")).to_be_focused()
    await line.get_by_label("Unit price").fill("98")
    await submit.click()
    await expect(told).to_be_visible()
    await line.get_by_role("button", name="Save the line").click()
    await expect(line.locator("summary").first).to_contain_text("98.00")
    await page.get_by_text("Change these, or how long").click()
    await page.get_by_label("Not included").fill("Waste licences.")
    await submit.click()
    await expect(told).to_contain_text("Not included")
    await submit.click()
    await expect(page.get_by_role("button", name="Approve")).to_be_visible()


async def test_what_is_typed_outlasts_the_end_of_the_session(chromium, combined, organization, quote):
    page = await opened(chromium, combined)
    await sign_in(page, organization, "Typing")

    async def again():
        await page.get_by_label("E-mail address").fill(email_of(organization))
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Sign in").click()

    await page.goto("/settings")
    await page.get_by_label("Terms", exact=True).fill("Payment within 14 days.")
    await page.context.clear_cookies()
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Payment within 14 days.")).to_be_visible()
    await page.get_by_role("link", name="Sign in").click()
    await again()
    await expect(page.get_by_label("Terms", exact=True)).to_have_value("Payment within 14 days.")
    await page.goto(f"/quotes/{quote['quote_id']}")
    line = page.locator(".line").first
    await line.locator("summary").first.click()
    await line.get_by_label("Unit price").fill("99")
    await page.context.clear_cookies()
    await line.get_by_role("button", name="Save the line").click()
    await again()
    await expect(line.get_by_label("Unit price")).to_have_value("99")
    await page.goto("/quotes/new")
    await page.get_by_label("What is to be done").fill(TEXT)
    await page.context.clear_cookies()
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text("You are signed out")).to_be_visible()
    await page.reload()
    await again()
    await expect(page.get_by_label("What is to be done")).to_have_value(TEXT)


async def test_nobody_else_is_shown_what_was_typed(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    kept = "Object.keys(sessionStorage).filter((one) => one.startsWith('unsaved')).length"
    for name in ("View test data", "Sign out"):
        await page.goto("/quotes/new")
        await page.get_by_label("What is to be done").fill("Replace two toilets")
        await page.get_by_role("button", name=name).click()
        await page.wait_for_url(re.compile(r"/(sign-in)?$"))
        if name == "View test data":
            await page.goto("/quotes/new")
            await expect(page.get_by_label("What is to be done")).to_have_value("")
        else:
            assert await page.evaluate(kept) == 0
    await sign_in(page, organization, "Typing")
    await page.goto("/quotes/new")
    await page.get_by_label("What is to be done").fill("Replace two toilets")
    await page.goto("/")
    assert await page.evaluate(kept) == 1
    await page.context.clear_cookies()
    await sign_in(page, combined.organization("Stranger"), "Stranger")
    assert await page.evaluate(kept) == 0


async def test_what_was_typed_is_never_put_into_another_line(chromium, combined, organization, client):
    """Nor saved over what somebody else has stored meanwhile: it is told beside the form."""
    session = organization.session
    rows = (("Alpha", 10), ("Beta", 20), ("Gamma", 30))
    lines = [{"description": name, "qty": 1, "unit": "job", "price": price} for name, price in rows]
    body = {"template": {"name": "Visit", "line_items": lines}}
    made = await client.request("POST", "/api/v1/templates", session=session, json=body)
    known = made.json()
    path = f"/templates/{known['template_id']}"
    page = await opened(chromium, combined, session=session)
    await page.goto(path)
    await page.get_by_label("Unit price of line 2").fill("999")
    await page.goto("/quotes")
    body = {"template": {"name": "Visit", "version": known["version"], "line_items": [lines[0], lines[2]]}}
    answer = await client.request("PUT", f"/api/v1{path}", session=session, json=body)
    assert answer.status == 200, answer.json()
    for _ in range(2):
        await page.goto(path)
        await expect(page.get_by_text("changed since you typed")).to_contain_text("“999”")
        assert float(await page.get_by_label("Unit price of line 2").input_value()) == 30
        await page.goto("/quotes")
    await page.goto(path)
    await page.get_by_role("button", name="Discard it").click()
    await page.reload()
    await expect(page.get_by_text("changed since you typed")).to_have_count(0)


async def test_a_price_is_not_saved_over_one_that_was_not_seen(chromium, combined, organization, client, quote):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto(f"/quotes/{quote['quote_id']}")
    line = page.locator(".line").first
    await line.locator("summary").first.click()
    await line.get_by_label("Unit price").fill("77")
    await page.goto("/quotes")
    body = {"line_items": [{"line_id": quote["line_items"][0]["line_id"], "price": 555}]}
    path = f"/api/v1/quotes/{quote['quote_id']}"
    assert (await client.request("PATCH", path, session=organization.session, json=body)).status == 200
    await page.goto(f"/quotes/{quote['quote_id']}")
    await expect(line.get_by_text("changed since you typed")).to_contain_text("“77”")
    assert float(await line.get_by_label("Unit price").input_value()) == 555


async def test_what_is_typed_outlasts_pages_that_store_nothing(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/quotes/new/by-hand")
    description = page.get_by_label(re.compile("Description")).first
    await description.fill("Paint the hall")
    await page.get_by_role("button", name="More lines").click()
    await expect(description).to_have_value("Paint the hall")
    await page.goto("/quotes")
    await page.goto("/quotes/new/by-hand")
    await expect(description).to_have_value("Paint the hall")
    await page.goto("/intake/lead")
    name, address = (page.locator(f"main [name={one}]") for one in ("name", "address"))
    await name.fill("Jane Doe")
    await page.locator("main [name=phone]").fill("+1 217 555 0134")
    await page.locator("main [name=description]").fill("a tap that drips in the kitchen")
    async with page.expect_download():
        await page.get_by_role("button", name="Download as JSON").click()
    await address.fill("1 High Street")
    await page.goto("/quotes")
    await page.goto("/intake/lead")
    await expect(name).to_have_value("Jane Doe")
    await expect(address).to_have_value("1 High Street")
    rows = "country,place,factor,source,as_of\nUS,Nowhereville,x,us,2026"
    await page.goto("/settings/regional-factors")
    await page.get_by_label("Or its rows").fill(rows)
    await page.get_by_role("button", name="Check only").click()
    await expect(page.get_by_role("alert")).to_contain_text("Nothing was stored")
    await page.goto("/quotes")
    await page.goto("/settings/regional-factors")
    await expect(page.get_by_label("Or its rows")).to_have_value(rows)


async def test_what_was_stored_is_not_offered_again(chromium, combined, organization):
    page = await opened(chromium, combined, session=organization.session)
    await page.goto("/customers/new")
    await page.get_by_label("Name", exact=True).fill("Jane Twice")
    await page.locator("main form[method=post] button:not([type=button])").last.click()
    await page.wait_for_url(re.compile(r"/customers/\d+$"))
    await page.go_back()
    await page.goto("/quotes")
    await page.goto("/customers/new")
    await expect(page.get_by_label("Name", exact=True)).to_have_value("")
    await expect(page.get_by_text(BACK)).to_have_count(0)
