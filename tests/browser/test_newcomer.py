"""Promises of the portal in a real browser, over HTTPS: with a script and without, on a phone, for everybody."""

import asyncio
import json
import secrets
import time

import pytest
from playwright.async_api import expect

from tests import parts
from tests.browser.pages import check, opened, sign_in
from tests.doubles.receivers import receiver, status
from tests.stack import Client
from tests.visitor import SAFE


@pytest.fixture
def organization(combined):
    return combined.organization("Browsed")


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
async def test_a_newcomer_signs_in_makes_a_key_sends_the_line_and_revokes_it(chromium, combined, organization, script):
    parts.program("curl")
    page = await opened(chromium, combined, java_script_enabled=script)
    problems = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    await sign_in(page, organization, "Browsed")
    await page.get_by_role("link", name="API keys").first.click()
    await page.get_by_role("link", name="New key").click()
    assert await page.locator("input[name=scopes]:checked").count() == 0
    await page.get_by_label("Name").fill("laptop")
    for scope in ("quotes:read", "quotes:write"):
        await page.get_by_label(scope).check()
    await page.get_by_role("button", name="Make the key").click()
    key = await page.locator("#secret").inner_text()
    line = await page.locator("#snippet-1").inner_text()
    assert await page.get_by_role("button", name="Copy").first.is_visible() is script
    quote = await _run_shell(line)
    assert quote["livemode"] is False
    assert quote["line_items"]
    await page.get_by_role("link", name="About this key").click()
    assert key not in await page.content()
    assert await page.locator("dd time").count() == 2  # made, and now used
    await page.get_by_role("button", name="Revoke at once").click()
    await expect(page.get_by_text("ended", exact=True)).to_be_visible()
    # In force everywhere within a second (D18).
    async with Client(combined) as client, asyncio.timeout(5):
        while (refused := await client.request("GET", "/api/v1/quotes", key=key)).status == 200:  # noqa: ASYNC110 - bounded
            await asyncio.sleep(0.05)
    assert (refused.status, refused.reason) == (401, "api_key_ended")
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert problems == []


async def test_from_the_first_sign_in_to_an_approval_that_arrives(chromium, combined, organization):
    """What somebody new does in two minutes, by what the pages say alone."""
    parts.program("curl")
    page = await opened(chromium, combined)
    began = time.monotonic()
    await sign_in(page, organization, "Browsed")
    async with receiver(status(200)) as one:
        await page.get_by_role("link", name="First request").first.click()
        await page.get_by_role("button", name="Make a test key").click()
        quote = await _run_shell(await page.locator("#snippet-1").inner_text())
        await page.get_by_role("button", name="See the draft").click()
        await page.get_by_role("link", name="Webhooks").first.click()
        await page.get_by_role("link", name="New endpoint").click()
        await page.get_by_label("URL").fill(one.url)
        await page.get_by_label("quote.approved").check()
        await page.get_by_role("button", name="Add the endpoint").click()
        one.secret = await page.locator("#secret").inner_text()  # what arrives is verified from now on
        await page.get_by_role("link", name="Quotes", exact=True).first.click()
        await page.get_by_role("link", name=quote["quote_number"]).first.click()
        await page.get_by_role("button", name="Submit for approval").click()
        await page.get_by_role("button", name="Approve").click()
        await expect(page.get_by_text("Approved by you")).to_be_visible()
        await one.wait_for(1)
        assert [arrived.event["type"] for arrived in one.received] == ["quote.approved"]
        await page.get_by_role("link", name="Webhooks").first.click()
        await expect(page.get_by_role("link", name=one.url)).to_be_visible()
    assert time.monotonic() - began < 120


async def _run_shell(line):
    process = await asyncio.create_subprocess_exec("bash", "-c", line, stdout=-1, stderr=-1)
    out, problem = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 0, problem
    return json.loads(out)


async def test_every_page_fits_a_phone_and_is_for_everybody(chromium, combined, organization, axe):
    page = await opened(chromium, combined, viewport={"width": 360, "height": 740})
    await page.goto("/sign-in")
    await check(page, axe, "/sign-in")
    await sign_in(page, organization, "Browsed")
    invite = f"{secrets.token_hex(4)}.{'long' * 12}@quotewright.example"
    await page.goto("/members")
    await page.locator("#email").fill(invite)
    await page.get_by_role("button", name="Invite").click()
    await check(page, axe, "/members with a link")
    link = await page.locator("#link").inner_text()
    await page.goto("/first-request")
    await page.get_by_role("button", name="Make a test key").click()
    await check(page, axe, "a key with its lines")
    keys = [f"/keys/{organization.live_key_id}"]
    for path in (
        [template for template in SAFE if "{" not in template]
        + keys
        + ["/" + link.partition("//")[2].partition("/")[2]]
    ):
        await page.goto(path)
        await check(page, axe, path)


async def test_times_are_in_the_viewers_zone_and_the_keyboard_reaches_the_content(chromium, combined, organization):
    page = await opened(chromium, combined, timezone_id="Asia/Tokyo", locale="en-GB")
    await sign_in(page, organization, "Browsed")
    await page.goto("/account")
    time = page.locator("time").first
    told = await time.get_attribute("datetime")
    shown = await page.evaluate(
        "at => new Intl.DateTimeFormat('en-GB', {dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo'})"
        ".format(new Date(at))",
        told,
    )
    assert await time.inner_text() == shown
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
