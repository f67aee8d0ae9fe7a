"""Promises of the portal's pages for the company: settings, prices, regional factors, templates."""

import re
from html import unescape
from io import BytesIO

import pytest
from PIL import Image

from tests.visitor import Browser

HOSTILE = '<script>alert(1)</script><svg onload="x">=1+1\u202e'
KINDS = ("fee", "labour", "material", "service")
PRICES = {"settings.currency": "USD", **{f"tax.{kind}": "standard" for kind in KINDS}}
LINE = "template.line_items"
SAVED = "?saved=1"


@pytest.fixture
async def owner(running, client):
    organization = running.organization("Company")
    return organization, Browser(client, organization.session)


@pytest.fixture
async def viewer(running, client, owner):
    return Browser(client, running.member(owner[0].organization_id, "viewer"))


def version_of(page):
    return re.search(r'name="version" value="(\w+)"', page)[1]


def field(page, name):
    """What a text field of the page holds."""
    return unescape(re.search(rf'name="{re.escape(name)}"[^>]* value="([^"]*)"', page)[1])


def line(number, description="Protect the floor", **more):
    values = {"description": description, "qty": "1", "unit": "each", "price": "20", "kind": "service", **more}
    return {f"{LINE}[{number}].{name}": value for name, value in values.items()}


async def settings_of(client, organization, path="settings"):
    return (await client.request("GET", f"/api/v1/{path}", session=organization.session)).json()


async def test_company_settings_are_shown_and_saved(client, owner):
    organization, browser = owner
    page = (await browser.get("/settings"))[2]
    assert field(page, "name") == "Company"
    fields = {
        "name": "Harper & Sons", "address": "14 Harbour Road\r\nNashville", "email": "office@harper.example",
        "locale": "en-US", "terms": "Half with the order.", "layout.prices": "amounts", "layout.paper": "a4",
        "layout.accent_colour": "#123456", "layout.show_request": "yes", "version": version_of(page),
    }  # fmt: skip
    code, headers, _ = await browser.post("/settings", **fields)
    assert (code, headers["Location"]) == (303, f"/settings{SAVED}")
    stored = await settings_of(client, organization)
    assert (stored["name"], stored["address"]) == ("Harper & Sons", "14 Harbour Road\nNashville")
    layout = stored["layout"]
    assert (layout["prices"], layout["paper"], layout["accent_colour"]) == ("amounts", "a4", "#123456")
    assert (layout["show_request"], layout["show_signature"]) == (True, False)
    page = (await browser.get(f"/settings{SAVED}"))[2]
    assert "Saved." in page
    assert field(page, "name") == "Harper & Sons"


async def test_settings_that_somebody_else_has_saved_are_told_and_nothing_typed_is_lost(client, owner):
    organization, browser = owner
    read = version_of((await browser.get("/settings"))[2])
    await client.request("PATCH", "/api/v1/settings", session=organization.session, json={"phone": "1 23"})
    code, _, page = await browser.post("/settings", name="Mine", phone="4 56", version=read)
    assert code == 409
    assert "Somebody else has saved these settings meanwhile" in page
    assert (field(page, "name"), field(page, "phone")) == ("Mine", "4 56")
    assert "Stored meanwhile: 1 23" in page
    assert (await settings_of(client, organization))["phone"] == "1 23"
    code, _, _ = await browser.post("/settings", name="Mine", phone="4 56", version=version_of(page))
    assert code == 303
    assert (await settings_of(client, organization))["phone"] == "4 56"


async def test_wrong_settings_are_told_beside_their_fields(owner):
    wrong = {"name": "", "email": "nobody", "time_zone": "Mars/Olympus", "layout.accent_colour": "#ffff00"}
    code, _, page = await owner[1].post("/settings", **wrong)
    assert code == 422
    assert 'id="name-error"' in page  # the contract's rules come first
    code, _, page = await owner[1].post("/settings", **{**wrong, "name": "Kept"})
    assert code == 422
    for name in ("email", "time_zone", "layout.accent_colour"):
        assert f'id="{name}-error"' in page
    assert field(page, "time_zone") == "Mars/Olympus"


async def test_the_longest_terms_fit_whatever_they_are_written_in(client, owner):
    organization, browser = owner
    terms = "\N{HOUSE BUILDING}" * 20_000
    version = version_of((await browser.get("/settings"))[2])
    assert (await browser.post("/settings", name="Company", terms=terms, version=version))[0] == 303
    assert (await settings_of(client, organization))["terms"] == terms
    packs = "\n".join(f"{'語' * 40} {number} = 1" for number in range(200))
    code, headers, _ = await browser.post("/settings/prices", **{**PRICES, "settings.packs": packs})
    assert (code, headers["Location"]) == (303, f"/settings/prices{SAVED}")
    typed = {"template.name": "Long", "template.terms": terms}
    code, headers, page = await browser.post("/templates", **typed)
    assert code == 303, page
    path = headers["Location"].partition("?")[0]
    changed = {**typed, "template.terms": terms[:-1], "version": version_of((await browser.get(path))[2])}
    assert (await browser.post(path, **changed))[0] == 303


async def test_a_logo_is_uploaded_shown_and_removed(owner):
    _, browser = owner
    assert (await browser.get("/settings/logo"))[0] == 404
    picture = BytesIO()
    Image.new("RGB", (20, 10), "navy").save(picture, "PNG")
    code, _, _ = await browser.post("/settings/logo", picture=("logo.png", picture.getvalue(), "image/png"))
    assert code == 303
    page = (await browser.get("/settings"))[2]
    source = unescape(re.search(r'<img class="logo" src="([^"]+)"', page)[1])
    url = f"{browser.client._base}{source}"
    headers = {"Cookie": f"__Host-qw_session={browser.session}"}
    async with browser.client._session.get(url, headers=headers) as answer:
        assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png")
        assert Image.open(BytesIO(await answer.read())).size == (20, 10)
    for upload in (("x.svg", b"<svg/>", "image/png"), ("x.png", b"", "image/png")):
        code, _, page = await browser.post("/settings/logo", picture=upload)
        assert (code, 'id="picture-error"' in page) == (422, True)
    assert (await browser.post("/settings/logo/remove"))[0] == 303
    assert "Quotes have no logo" in (await browser.get("/settings"))[2]


async def test_prices_and_tax_are_typed_as_people_write_them(client, owner):
    organization, browser = owner
    page = (await browser.get("/settings/prices"))[2]
    fields = {
        "settings.home_location": "Chicago, IL", "settings.labour_burden": "50 %", "settings.margin": "12.5",
        "settings.minimum_charge": "1,150.50", "settings.tax_rate": "8.25", "settings.validity_days": "14",
        "tax.labour": "zero", "settings.packs": "Drywall 13 mm = 2.97\r\n\r\nA = b = 3",
    }  # fmt: skip
    code, headers, _ = await browser.post("/settings/prices", **PRICES | fields, version=version_of(page))
    assert (code, headers["Location"]) == (303, f"/settings/prices{SAVED}")
    stored = (await settings_of(client, organization, "pricing/settings"))["settings"]
    assert (stored["labour_burden"], stored["margin"], stored["minimum_charge"]) == (0.5, 0.125, 1150.5)
    assert (stored["tax_rate"], stored["validity_days"]) == (0.0825, 14)
    assert stored["tax_classes"] == [{"kind": "labour", "tax_class": "zero"}]
    assert {one["material"]: one["size"] for one in stored["packs"]} == {"Drywall 13 mm": 2.97, "A = b": 3.0}
    assert "reduced_tax_rate" not in stored
    page = (await browser.get("/settings/prices"))[2]
    shown = ("labour_burden", "margin", "minimum_charge", "tax_rate", "reduced_tax_rate")
    assert [field(page, f"settings.{name}") for name in shown] == ["50", "12.5", "1150.5", "8.25", ""]
    assert "Drywall 13 mm = 2.97" in page


async def test_wrong_prices_are_told_beside_their_fields_and_kept(client, owner):
    organization, browser = owner
    before = await settings_of(client, organization, "pricing/settings")
    wrong = {
        "settings.margin": "99", "settings.tax_rate": "much", "settings.minimum_charge": "-1",
        "settings.validity_days": "2.5", "settings.packs": "nothing",
    }  # fmt: skip
    code, _, page = await browser.post("/settings/prices", **PRICES | wrong)
    assert code == 422
    assert 'id="settings.margin-error">must be 0 to 95 %' in page
    for name, typed in wrong.items():
        assert f'id="{name}-error"' in page
        assert name == "settings.packs" or field(page, name) == typed
    for name, typed in (("settings.home_location", "Nowhereville"), ("settings.minimum_charge", "1.234")):
        code, _, page = await browser.post("/settings/prices", **PRICES | {name: typed})
        assert (code, f'id="{name}-error"' in page) == (422, True)
    twice = PRICES | {"settings.packs": "A = 1\nA = 2"}
    code, _, page = await browser.post("/settings/prices", **twice)
    assert (code, 'id="settings.packs-error"' in page) == (422, True)
    assert await settings_of(client, organization, "pricing/settings") == before


async def test_prices_that_somebody_else_has_saved_are_told(client, owner):
    organization, browser = owner
    read = version_of((await browser.get("/settings/prices"))[2])
    body = {"settings": {"currency": "USD", "margin": 0.1}}
    await client.request("PUT", "/api/v1/pricing/settings", session=organization.session, json=body)
    typed = PRICES | {"settings.margin": "20"}
    code, _, page = await browser.post("/settings/prices", **typed, version=read)
    assert (code, "Stored meanwhile: 10" in page, field(page, "settings.margin")) == (409, True, "20")
    # A mistake of one's own in between does not make one miss it.
    _, _, page = await browser.post("/settings/prices", **typed | {"settings.margin": "x"}, version=read)
    assert version_of(page) == read
    assert (await settings_of(client, organization, "pricing/settings"))["settings"]["margin"] == 0.1


def text_in(page):
    """What stands in the page's first box for text."""
    return re.search(r"<textarea.*?</textarea>", page, re.DOTALL)[0]


async def test_regional_factors_are_checked_row_by_row_and_imported(client, owner):
    _, browser = owner
    path, head = "/settings/regional-factors", "country,place,factor,source,as_of\n"
    wrong = f'{head}US,"Chicago, IL",1.1,us,2026\nUS,Nowhereville,x,us,2026\n'
    for do in ("check", "import"):
        code, _, page = await browser.post(path, csv=wrong, do=do)
        assert (code, "Nothing was stored" in page, " data-refused>" in page) == (200, True, True)
        assert '<td data-label="Row">3</td>' in page
        assert "Nowhereville" in text_in(page)
    right = f'{head}US,"Chicago, IL",1.1,us,2026\n'
    page = (await browser.post(path, csv=right, do="check"))[2]
    assert ("Nothing is stored yet" in page, " data-refused>" in page) == (True, True)
    assert "There are none" in (await browser.get(path))[2]
    upload = ("f.csv", b"\xef\xbb\xbf" + right.encode(), "text/csv")
    code, _, page = await browser.post(path, file=upload, csv="", do="import")
    assert ("1 factor was stored" in page, " data-refused>" in page) == (True, False)
    assert "Chicago" in (await browser.get(path))[2]
    code, _, page = await browser.post(path, file=("f.csv", b"\xff\xfe", "text/csv"), csv=right, do="import")
    assert (code, "must be a text file in UTF-8" in page, "Chicago" in text_in(page)) == (422, True, True)
    code, _, page = await browser.post(path, csv="", do="import")
    assert (code, 'id="csv-error"' in page) == (422, True)


async def test_a_template_is_made_changed_and_deleted(client, owner):
    organization, browser = owner
    fields = {"template.name": "Bath", "template.margin": "10", "tax.labour": "reduced", "idempotency_key": "a-form"}
    typed = fields | line(0) | line(2, "Skip", qty="2.5", price="99.50", kind="fee", optional="yes")
    code, headers, _ = await browser.post("/templates", **typed)
    assert code == 303
    path = headers["Location"].removesuffix(SAVED)
    _, headers, _ = await browser.post("/templates", **typed)
    assert headers["Location"] == f"{path}{SAVED}"  # sent again: the same
    stored = await settings_of(client, organization, path.removeprefix("/"))
    assert [one["description"] for one in stored["line_items"]] == ["Protect the floor", "Skip"]
    assert stored["line_items"][1] == {
        "description": "Skip", "qty": 2.5, "unit": "each", "price": 99.5, "kind": "fee", "optional": True,
    }  # fmt: skip
    assert (stored["margin"], stored["tax_classes"]) == (0.1, [{"kind": "labour", "tax_class": "reduced"}])
    assert "layout" not in stored and "validity_days" not in stored
    page = (await browser.get(path))[2]
    shown = [field(page, f"{LINE}[{number}].description") for number in range(4)]
    assert shown == ["Protect the floor", "Skip", "", ""]
    own = {"own_layout": "yes", "template.layout.prices": "totals", "template.layout.accent_colour": "#123456"}
    change = {"template.name": "Bathroom", **own, **line(0, "", price=""), **line(1, "Skip"), "version": "1"}
    assert (await browser.post(path, **change))[0] == 303
    stored = await settings_of(client, organization, path.removeprefix("/"))
    assert (stored["name"], stored["version"], stored["layout"]["prices"]) == ("Bathroom", 2, "totals")
    assert [one["description"] for one in stored["line_items"]] == ["Skip"]
    assert "Bathroom" in (await browser.get("/templates"))[2]
    assert (await browser.post(f"{path}/delete"))[1]["Location"] == "/templates"
    assert (await browser.get(path))[0] == 404
    assert "There is no template yet" in (await browser.get("/templates"))[2]


async def test_a_template_that_somebody_else_has_saved_is_told_and_more_lines_store_nothing(owner):
    _, browser = owner
    _, headers, _ = await browser.post("/templates", **{"template.name": "Bath", **line(0)})
    path = headers["Location"].removesuffix(SAVED)
    code, _, page = await browser.post(
        path, **{"template.name": "Typed", "do": "lines", "version": "1"}, **line(0, "Mine")
    )
    assert (code, field(page, "template.name"), field(page, f"{LINE}[0].description")) == (200, "Typed", "Mine")
    assert f'name="{LINE}[5].description"' in page
    assert field((await browser.get(path))[2], "template.name") == "Bath"
    await browser.post(path, **{"template.name": "Theirs", "version": "1"}, **line(0, "Their line"))
    code, _, page = await browser.post(path, **{"template.name": "Mine", "version": "1"}, **line(0, "My line"))
    assert (code, version_of(page)) == (409, "2")
    assert "Stored meanwhile: Theirs" in page and "Their line" in page
    assert (field(page, "template.name"), field(page, f"{LINE}[0].description")) == ("Mine", "My line")


async def test_wrong_fields_of_a_template_are_told_beside_them(owner):
    typed = {"template.name": " ", "template.margin": "x"}
    code, _, page = await owner[1].post("/templates", **typed, **line(0), **line(7, qty="many", price=""))
    assert code == 422
    for name in ("template.margin", f"{LINE}[1].qty", f"{LINE}[1].price"):
        assert f'id="{name}-error"' in page
    code, _, page = await owner[1].post("/templates", **{"template.name": "Kept"}, **line(3, unit="furlongs"))
    assert (code, f'id="{LINE}[0].unit-error"' in page, field(page, "template.name")) == (422, True, "Kept")
    code, _, page = await owner[1].post("/templates", **line(0))
    assert (code, 'id="template.name-error"' in page) == (422, True)


async def test_another_tenants_templates_are_not_there(running, client, owner):
    theirs = Browser(client, running.organization("Stranger").session)
    _, headers, _ = await theirs.post("/templates", **{"template.name": "Theirs"})
    path = headers["Location"].removesuffix(SAVED)
    _, browser = owner
    assert (await browser.get(path))[0] == 404
    for one, fields in ((path, {"template.name": "Mine"}), (path, {"do": "lines"}), (f"{path}/delete", {})):
        code, _, page = await browser.post(one, **fields)
        assert (code, "There is no such page" in page) == (404, True), one
    assert "There is no template yet" in (await browser.get("/templates"))[2]
    assert (await theirs.get(path))[0] == 200


async def test_viewers_see_values_and_no_forms(owner, viewer):
    _, browser = owner
    await browser.post("/templates", **{"template.name": "Bath"}, **line(0))
    path = re.search(r'href="(/templates/tpl_\w+)"', (await browser.get("/templates"))[2])[1]
    for page in ("/settings", "/settings/prices", "/settings/regional-factors", "/templates", "/templates/new", path):
        code, _, shown = await viewer.get(page)
        assert code == 200
        main = shown[shown.index("<main") : shown.index("</main>")]
        assert "<form" not in main and "<input" not in main
    assert "Protect the floor" in (await viewer.get(path))[2]
    for page, fields in (
        ("/settings", {"name": "x"}),
        ("/settings/logo", {"picture": ("x.png", b"x", "image/png")}),
        ("/settings/logo/remove", {}),
        ("/settings/prices", PRICES),
        ("/settings/regional-factors", {"csv": "x"}),
        ("/templates", {"template.name": "x"}),
        (path, {"template.name": "x"}),
        (f"{path}/delete", {}),
    ):
        assert (await viewer.post(page, **fields))[0] == 403, page


async def test_stored_text_shows_as_text(owner, viewer):
    _, browser = owner
    await browser.post("/settings", name=HOSTILE, address=HOSTILE, terms=f"</textarea>{HOSTILE}")
    _, headers, _ = await browser.post("/templates", **{"template.name": HOSTILE}, **line(0, HOSTILE))
    for one in (browser, viewer):
        for path in ("/settings", "/templates", headers["Location"]):
            page = (await one.get(path))[2]
            assert "<script>alert" not in page
            assert "<svg onload" not in page
            assert HOSTILE in unescape(page)


async def test_the_longest_template_makes_no_heavy_page(owner):
    _, browser = owner
    typed = {"template.name": "Long", "template.terms": "x" * 20_000}
    for number in range(50):
        typed |= line(number, "A line with a description of usual length, some words more")
    code, headers, page = await browser.post("/templates", **typed)
    assert code == 303, page
    assert len((await browser.get(headers["Location"]))[2].encode()) < 150_000
