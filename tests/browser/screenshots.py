"""Pictures of the main pages for the manual: ``python -m tests.browser.screenshots`` writes docs/screenshots/."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from playwright.async_api import Page, async_playwright

from tests import parts, stack
from tests.browser.pages import opened

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
REQUESTS = (
    "Hi, we'd like the kitchen and hall painted (about 60 m2 of walls, two coats), the old faucet replaced, and 12 m of "
    "guttering at the back. Don't touch the bathroom, my brother does that. We are in Nashville.",
    "Replace 1,800 sq ft of asphalt shingles on a two-storey house in Columbus, OH, tear-off included",
    "Install 6 recessed lights and a ceiling fan in the living room",
    "Supply and fit 40 m2 of laminate flooring, remove the old carpet",
)
#: File by path; ``{}`` is the first quote's id.
PAGES = {
    "home": "/",
    "quotes": "/quotes",
    "quote": "/quotes/{}",
    "new-quote": "/quotes/new",
    "price-book": "/price-book",
    "webhooks": "/webhooks",
    "usage": "/usage",
}


async def main() -> None:
    """Start a service with a few quotes, and take each page in both themes."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, stack.combined(Path(folder)) as running:
        organization = running.organization("Harper & Sons")
        async with stack.Client(running) as client:
            made = [(await client.generate(organization.live_key, text)).json() for text in REQUESTS]
        async with async_playwright() as playwright:
            sandbox = [] if os.geteuid() else ["--no-sandbox"]
            chromium = await playwright.chromium.launch(executable_path=parts.program("chromium"), args=sandbox)
            size = {"width": 1200, "height": 800}
            page = await opened(chromium, running, session=organization.session, viewport=size)
            for name, path in PAGES.items():
                await page.goto(path.format(made[0]["quote_id"]))
                await take(page, name)
            await chromium.close()


async def take(page: Page, name: str) -> None:
    """One page, light and dark."""
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its words
        await page.screenshot(path=FOLDER / f"{name}-{scheme}.png")


if __name__ == "__main__":
    asyncio.run(main())
