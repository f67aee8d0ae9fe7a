"""Pages in a real browser: opened, signed in, and checked for a phone and for everybody."""

from __future__ import annotations

import json

from playwright.async_api import expect

from gateway.web.portal.protection import SESSION_COOKIE
from tests.contract.test_accounts import email_of
from tests.stack import PASSWORD

#: Impacts that axe-core calls serious, and worse.
SERIOUS = ("serious", "critical")


async def opened(chromium, running, *, session="", **more):
    """A page of a new profile, with a session's cookie if there is one; the certificate is the local authority's, which
    no browser knows."""
    context = await chromium.new_context(base_url=running.base, ignore_https_errors=True, **more)
    context.set_default_timeout(15_000)
    if session:
        cookie = {"name": SESSION_COOKIE, "value": session, "url": running.base, "secure": True, "httpOnly": True}
        await context.add_cookies([cookie])
    return await context.new_page()


async def sign_in(page, organization, name):
    """Fill in the form; ``name`` is the workspace's, which the first page has as its heading."""
    await page.goto("/")
    await page.get_by_label("E-mail address").fill(email_of(organization))
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


async def check(page, axe, where):
    """Nothing is wider than the window, and axe-core finds nothing serious, in either theme."""
    width = page.viewport_size["width"]
    assert await page.evaluate("document.documentElement.scrollWidth") <= width, where
    await page.evaluate(axe)
    for scheme, rules in (("dark", {"runOnly": ["color-contrast"]}), ("light", {})):
        await page.emulate_media(color_scheme=scheme)
        options = json.dumps({"resultTypes": ["violations"], **rules})
        found = (await page.evaluate(f"axe.run(document, {options})"))["violations"]
        serious = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS]
        assert serious == [], f"{where} {scheme}"
