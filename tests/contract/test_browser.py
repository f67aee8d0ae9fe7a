"""Promises of the portal in a real browser, over HTTPS: with a script and without, on a phone, for everybody."""

import asyncio
import json
import os
import secrets
import subprocess
from pathlib import Path

import pytest
from playwright.async_api import async_playwright, expect

from tests import parts
from tests.contract.test_accounts import PASSWORD, email_of
from tests.contract.test_portal import SAFE
from tests.stack import Client

FOLDER = Path(__file__).parents[1] / "browser"
#: Impacts that axe-core calls serious, and worse.
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def axe():
    """The source of axe-core, of the version in `package-lock.json`."""
    parts.program("npm")
    source = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        subprocess.run(["npm", "ci", "--loglevel=error"], cwd=FOLDER, check=True, timeout=100)
    return source.read_text("utf-8")


@pytest.fixture
async def chromium():
    """The browser of the system."""
    path = parts.program("chromium")
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=sandbox)
        yield browser
        await browser.close()


@pytest.fixture
def organization(combined):
    return combined.organization("Browsed")


async def opened(chromium, combined, **more):
    """A page of a new profile; the certificate is the local authority's, which no browser knows."""
    context = await chromium.new_context(base_url=combined.base, ignore_https_errors=True, **more)
    context.set_default_timeout(15_000)
    return await context.new_page()


async def sign_in(page, organization):
    await page.goto("/")
    await page.get_by_label("E-mail address").fill(email_of(organization))
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name="Browsed", exact=True)).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
async def test_a_newcomer_signs_in_makes_a_key_sends_the_line_and_revokes_it(chromium, combined, organization, script):
    parts.program("curl")
    page = await opened(chromium, combined, java_script_enabled=script)
    problems = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    await sign_in(page, organization)
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


async def _run_shell(line):
    process = await asyncio.create_subprocess_exec("bash", "-c", line, stdout=-1, stderr=-1)
    out, problem = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 0, problem
    return json.loads(out)


async def test_every_page_fits_a_phone_and_is_for_everybody(chromium, combined, organization, axe):
    page = await opened(chromium, combined, viewport={"width": 360, "height": 740})
    await page.goto("/sign-in")
    await _check(page, axe, "/sign-in")
    await sign_in(page, organization)
    invite = f"{secrets.token_hex(4)}.{'long' * 12}@quotewright.example"
    await page.goto("/members")
    await page.locator("#email").fill(invite)
    await page.get_by_role("button", name="Invite").click()
    await _check(page, axe, "/members with a link")
    link = await page.locator("#link").inner_text()
    await page.goto("/first-request")
    await page.get_by_role("button", name="Make a test key").click()
    await _check(page, axe, "a key with its lines")
    keys = [f"/keys/{organization.live_key_id}"]
    for path in (
        [template for template in SAFE if "{" not in template]
        + keys
        + ["/" + link.partition("//")[2].partition("/")[2]]
    ):
        await page.goto(path)
        await _check(page, axe, path)


async def _check(page, axe, where):
    """Nothing is wider than the window, and axe-core finds nothing serious, in either theme."""
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360, where
    await page.evaluate(axe)
    for scheme, rules in (("dark", {"runOnly": ["color-contrast"]}), ("light", {})):
        await page.emulate_media(color_scheme=scheme)
        options = json.dumps({"resultTypes": ["violations"], **rules})
        found = (await page.evaluate(f"axe.run(document, {options})"))["violations"]
        serious = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS]
        assert serious == [], f"{where} {scheme}"


async def test_times_are_in_the_viewers_zone_and_the_keyboard_reaches_the_content(chromium, combined, organization):
    page = await opened(chromium, combined, timezone_id="Asia/Tokyo", locale="en-GB")
    await sign_in(page, organization)
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
