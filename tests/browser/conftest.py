"""What tests in a real browser share: the system's Chromium, axe-core, and a page that is signed in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests import parts

FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core, of the version in `package-lock.json`."""
    parts.program("npm")
    source = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        subprocess.run(["npm", "ci", "--loglevel=error"], cwd=FOLDER, check=True, timeout=100)
    return source.read_text("utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """They share an event loop, as they share the browser."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser():
    """The browser of the system."""
    path = parts.program("chromium")
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=sandbox)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def chromium(browser):
    """The same, which in the end lets go of what the test has opened in it."""
    yield browser
    for context in browser.contexts:
        await context.close()
