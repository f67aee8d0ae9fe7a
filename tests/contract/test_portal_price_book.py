"""Promises of the pages of the price book, over both backends."""

import asyncio
import json
import re
from html import unescape

import pytest

from tests.contract.test_accounts import token as sign_in
from tests.visitor import Browser

LIST = b"Art;Was;Wieviel;Je\nGUT-1;Seamless gutter;41,50;m\nFAN-1;Ceiling fan;1.210,00;each\nBAD;Broken;-3,00;each\n"
ITEM = {"sku": "ELB-1", "name": "Copper elbow", "unit": "each", "price": "1,250.5", "kind": "material"}


@pytest.fixture
async def office(running, client):
    organization = running.organization("Prices")
    return organization, Browser(client, await sign_in(client, organization))


async def ended(browser, path):
    """The page of an import that has ended."""
    async with asyncio.timeout(30):
        while True:
            progress = json.loads((await browser.get(path.partition("?")[0] + "/progress"))[2])
            if progress["status"] != "running":
                return progress["status"], (await browser.get(path))[2]
            await asyncio.sleep(0.05)


async def until(browser, path, text):
    """That a book exists is noticed within a second."""
    async with asyncio.timeout(10):
        while text not in (page := (await browser.get(path))[2]):  # noqa: ASYNC110 - bounded
            await asyncio.sleep(0.05)
    return page


async def test_an_item_is_added_found_changed_and_retired_with_its_history(office):
    _, browser = office
    assert "No prices of your own yet" in (await browser.get("/price-book"))[2]
    status, headers, _ = await browser.post("/price-book/new", **ITEM)
    assert status == 303
    path = headers["Location"]
    assert "1,250.50 USD" in await until(browser, "/price-book?q=copper", path)
    taken = await browser.post("/price-book/new", **ITEM)
    assert (taken[0], 'id="sku-error"' in taken[2], 'value="Copper elbow"' in taken[2]) == (409, True, True)
    revision = re.search(r'name="based_on" value="(\d+)"', (await browser.get(path))[2])[1]
    change = {name: value for name, value in ITEM.items() if name != "sku"} | {"currency": "USD", "based_on": revision}
    assert (await browser.post(path, **change, effective_from="2026-01-02"))[0] in (303, 404)
    assert (await browser.post(path, **{**change, "price": "0.0325"}))[0] == 303
    _, _, page = await browser.get(path)
    assert "0.0325 USD per each" in page
    assert page.count("a member") >= 2
    # Somebody else has changed it: told, with what was typed still there.
    status, _, page = await browser.post(path, **{**change, "price": "9"})
    assert (status, "Somebody has changed this item" in page, 'value="9"' in page) == (409, True, True)
    assert (await browser.post(f"{path}/retire"))[0] == 303
    assert "retired" in (await browser.get(path))[2]
    assert "Nothing like that" in (await browser.get("/price-book?q=elbow"))[2]


async def test_what_is_wrong_with_an_item_is_told_beside_its_field(office):
    _, browser = office
    wrong = {**ITEM, "price": "cheap"}
    status, _, page = await browser.post("/price-book/new", **wrong)
    assert (status, 'id="price-error"' in page, 'value="cheap"' in page) == (422, True, True)
    wrong_ones = [("unit", "furlongs"), ("effective_from", "soon"), ("currency", "usd")]
    # Not 1,250 and 1.2505; and no figure at all.
    wrong_ones += [("price", one) for one in ("-1", "12,50", "1.250,50", "1,2,3", "sNaN", "1e3", "")]
    for name, value in wrong_ones:
        status, _, page = await browser.post("/price-book/new", **{**ITEM, name: value})
        assert (status, f'id="{name}-error"' in page) == (422, True), name
    assert 'id="on-error"' in (await browser.get("/price-book?on=soon"))[2]


async def test_a_list_is_read_mapped_and_applied_without_sending_it_again(office):
    _, browser = office
    upload = ("prices.csv", LIST, "text/csv")
    status, headers, _ = await browser.post("/price-book/import", file=upload, currency="EUR")
    assert status == 303
    path = headers["Location"]
    outcome, page = await ended(browser, path)
    assert outcome == "failed"
    assert "No column for price was found" in page
    assert "<code>C</code> Wieviel" in page
    assert "41,50 · 1.210,00" in page
    columns = {"column.A": "sku", "column.B": "name", "column.C": "price", "column.D": "unit"}
    path = path.partition("?")[0]
    status, headers, _ = await browser.post(path, **columns, currency="EUR", do="check")
    outcome, page = await ended(browser, headers["Location"])
    assert outcome == "refused"
    assert re.search(r'data-label="Row">4</td><td data-label="Field">Price</td>', page)
    assert re.search(r'name="column\.C".*?value="price" selected', page, re.DOTALL)
    path = headers["Location"].partition("?")[0]
    more = {**columns, "currency": "EUR", "skip_refused": "yes"}
    checked = (await browser.post(path, **more, do="check"))[1]["Location"]
    outcome, page = await ended(browser, checked)
    assert (outcome, "2 new, 0 changed" in page) == ("checked", True)
    applied = (await browser.post(checked.partition("?")[0], **more, do="apply"))[1]["Location"]
    outcome, page = await ended(browser, applied)
    assert (outcome, "2 new, 0 changed" in page) == ("applied", True)
    assert "1,210.00 EUR" in await until(browser, "/price-book", "FAN-1")
    status, _, page = await browser.post(applied.partition("?")[0], **more, do="apply")
    assert (status, "not kept any more" in page) == (409, True)


async def test_a_column_of_no_use_is_not_guessed_and_two_of_one_field_are_refused(office):
    _, browser = office
    upload = ("prices.csv", b"SKU,Item,Unit,Price,Category\nA,Door,each,9,Doors\n", "text/csv")
    path = (await browser.post("/price-book/import", file=upload))[1]["Location"]
    outcome, page = await ended(browser, path)
    assert (outcome, re.search(r'name="column\.E".*?value="category" selected', page, re.DOTALL) is not None) == (
        "checked", True,
    )  # fmt: skip
    columns = {"column.A": "sku", "column.B": "name", "column.C": "unit", "column.D": "price", "column.E": ""}
    twice = await browser.post(path, **{**columns, "column.E": "price"}, skip_refused="yes", do="check")
    assert (twice[0], 'id="columns-error">price is given twice' in twice[2]) == (422, True)
    assert 'name="skip_refused" value="yes" checked' in twice[2]
    applied = (await browser.post(path, **columns, do="apply"))[1]["Location"]
    assert (await ended(browser, applied))[0] == "applied"
    assert "Doors" not in await until(browser, "/price-book", "Door<")


async def test_another_tenants_items_and_imports_are_not_there_and_viewers_see_no_forms(running, client, office):
    _, browser = office
    stranger = running.organization("Stranger")
    other = Browser(client, stranger.session)
    item = (await other.post("/price-book/new", **ITEM))[1]["Location"]
    imported = (await other.post("/price-book/import", file=("a.csv", LIST, "text/csv")))[1]["Location"]
    await ended(other, imported)
    for path in (item, imported, f"{imported}/progress"):
        assert (await browser.get(path))[0] == 404, path
    change = {name: value for name, value in ITEM.items() if name != "sku"}
    for path, fields in ((item, change), (f"{item}/retire", {}), (imported, {"do": "apply"})):
        assert (await browser.post(path, **fields))[0] == 404, path
    viewer = Browser(client, running.member(stranger.organization_id, "viewer"))
    assert "Retire" not in (await viewer.get(item))[2]
    page = (await viewer.get("/price-book/new"))[2]
    assert ("An editor or owner can add items." in page, 'action="/price-book/new"' in page) == (True, False)
    assert "Apply the prices" not in (await viewer.get(imported))[2]
    for path, fields in (
        (item, change),
        (f"{item}/retire", {}),
        (imported, {"do": "apply"}),
        ("/price-book/new", ITEM),
    ):
        assert (await viewer.post(path, **fields))[0] == 403, path


async def test_hostile_text_of_an_item_and_of_a_file_shows_as_text(office):
    _, browser = office
    hostile = '<svg onload="x">\u202e'
    path = (await browser.post("/price-book/new", **{**ITEM, "name": hostile}))[1]["Location"]
    upload = (hostile, f"Was;{hostile}\n{hostile};1\n".encode(), "text/csv")
    imported = (await browser.post("/price-book/import", file=upload))[1]["Location"]
    await ended(browser, imported)
    for where in (path, imported):
        _, _, page = await browser.get(where)
        assert "<svg" not in page
        assert hostile in unescape(page)
