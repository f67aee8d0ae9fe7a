"""Promises of what an organization says of itself: settings, logo, and what its quotes show of them."""

import io
import struct
import zlib

import grpc
import pytest
from PIL import Image
from pypdf import PdfReader
from quotewright.v1 import settings_pb2, settings_pb2_grpc

SETTINGS, LOGO = "/api/v1/settings", "/api/v1/settings/logo"
TEXT = "Install 2 radiators and paint 30 m2 of walls in Nashville"
FULL = {
    "name": "Harbour Painting Ltd.", "legal_name": "Harbour Painting and Decorating Limited",
    "address": "14 Harbour Road\nNashville, TN 37201", "phone": "+1 615 555 0142", "email": "office@harbour.example",
    "website": "https://harbour.example", "registration_number": "Licence 48213", "tax_number": "62-1234567",
    "locale": "en-GB", "time_zone": "America/Chicago", "terms": "Half with the order.\nThe rest after 14 days.",
    "payment_details": "Account 000123456789",
    "layout": {
        "paper": "a4", "accent_colour": "#8a1c1c", "prices": "amounts", "group_by_kind": True,
        "show_assumptions": False, "show_sources": False, "show_request": False, "show_signature": True,
    },
}  # fmt: skip


@pytest.fixture
def company(running):
    """An organization of the test's own: its settings change."""
    return running.organization("Settings")


async def patch(client, who, **settings):
    return await client.request("PATCH", SETTINGS, session=who, json=settings)


async def put_logo(client, company, data, content_type="image/png"):
    return await client.request("PUT", LOGO, session=company.session, data=data, headers={"Content-Type": content_type})


def picture(kind="PNG", size=(900, 300), mode="RGB", colour="#1d4e89", **more):
    buffer = io.BytesIO()
    Image.new(mode, size, colour).save(buffer, kind, **more)
    return buffer.getvalue()


async def pdf_of(client, company, quote):
    answer = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}/pdf", key=company.live_key)
    assert answer.status == 200
    return PdfReader(io.BytesIO(answer.body))


def text_of(pdf):
    return " ".join(" ".join(page.extract_text() for page in pdf.pages).split())


async def test_settings_are_kept_and_only_what_is_given_changes(client, company):
    before = (await client.request("GET", SETTINGS, session=company.session)).json()
    assert before["name"] == "Settings" and before["terms"] == "" and "logo" not in before
    assert before["layout"]["prices"] == "unit_prices" and before["layout"]["show_signature"] is True
    full = await patch(client, company.session, **FULL)
    assert full.status == 200
    kept = {name: before[name] for name in ("plan", "requests_per_minute")}
    assert full.json() == {**FULL, **kept, "version": full.json()["version"]}
    changed = (await patch(client, company.session, phone="", locale="en-US")).json()
    assert changed["version"] != full.json()["version"]
    assert changed == {**full.json(), "phone": "", "locale": "en-US", "version": changed["version"]}
    assert (await client.request("GET", SETTINGS, session=company.session)).json() == changed
    assert (await patch(client, company.session)).json() == changed


async def test_settings_that_were_changed_meanwhile_are_not_written_over(client, company):
    read = (await client.request("GET", SETTINGS, session=company.session)).json()["version"]
    assert (await patch(client, company.session, phone="1", version=read)).status == 200
    late = await patch(client, company.session, phone="2", version=read)
    assert (late.status, late.reason) == (409, "changed_meanwhile")
    assert (await client.request("GET", SETTINGS, session=company.session)).json()["phone"] == "1"


async def test_a_change_that_is_sent_again_gives_the_first_answer(client, company):
    async def keyed(**settings):
        return await client.request(
            "PATCH", SETTINGS, session=company.session, json=settings, headers={"Idempotency-Key": "phone"}
        )

    read = (await client.request("GET", SETTINGS, session=company.session)).json()["version"]
    first = await keyed(phone="1", version=read)
    assert first.status == 200 and "Idempotent-Replayed" not in first.headers
    await patch(client, company.session, terms="Cash.")
    again = await keyed(phone="1", version=read)
    assert (again.status, again.body, again.headers["Idempotent-Replayed"]) == (200, first.body, "true")
    other = await keyed(phone="2")
    assert (other.status, other.reason) == (409, "idempotency_key_reused")
    now = (await client.request("GET", SETTINGS, session=company.session)).json()
    assert (now["phone"], now["terms"]) == ("1", "Cash.")
    audit = await client.request("GET", "/api/v1/workspace/audit?action=settings:update", session=company.session)
    assert [row["detail"] for row in audit.json()["data"]] == ["terms", "phone"]


async def test_a_quote_shows_the_settings_and_keeps_its_terms(client, company):
    await patch(client, company.session, **FULL)
    quote = (await client.generate(company.live_key, TEXT)).json()
    assert (quote["terms"], quote["payment_details"]) == (FULL["terms"], FULL["payment_details"])
    assert (quote["template_id"], quote["intro"]) == ("", "")
    text = text_of(await pdf_of(client, company, quote))
    shown = ("name", "legal_name", "phone", "email", "website", "registration_number", "payment_details")
    for part in (*(FULL[name] for name in shown), "14 Harbour Road", "Tax no. 62-1234567"):
        assert part in text
    assert "Half with the order. The rest after 14 days." in text
    assert "Unit price" not in text and "Your request" not in text and "Assumptions" not in text
    preview = await client.request("GET", "/api/v1/quotes/generate", key=company.live_key, params={"text": TEXT})
    assert preview.json()["terms"] == FULL["terms"]

    await patch(client, company.session, terms="Cash.", layout={"show_request": True})
    read = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}", key=company.live_key)
    assert read.json() == quote
    again = text_of(await pdf_of(client, company, quote))
    assert "Half with the order." in again and "Cash." not in again and "Your request" not in again
    assert (await client.generate(company.live_key, TEXT)).json()["terms"] == "Cash."


@pytest.mark.parametrize(
    ("settings", "fields"),
    [
        ({"nmae": "x"}, {("nmae", "unknown_field")}),
        ({"name": ""}, {("name", "string.min_len")}),
        ({"name": " \u2003"}, {("name", "string.blank")}),
        ({"terms": "x" * 20_001}, {("terms", "string.max_len")}),
        ({"email": "nobody"}, {("email", "string.email")}),
        ({"website": "javascript:alert(1)"}, {("website", "string.uri")}),
        ({"locale": "english"}, {("locale", "string.pattern")}),
        ({"time_zone": "Mars/Olympus"}, {("time_zone", "time_zone.unknown")}),
        ({"time_zone": "../../etc/passwd"}, {("time_zone", "time_zone.unknown")}),
        ({"layout": {"accent_colour": "red"}}, {("layout.accent_colour", "string.pattern")}),
        ({"layout": {"accent_colour": "#ffff00"}}, {("layout.accent_colour", "colour.contrast")}),
        ({"layout": {"paper": "a3", "prices": "all"}}, {("layout.paper", "string.in"), ("layout.prices", "string.in")}),
    ],
)  # fmt: skip
async def test_settings_that_cannot_be_are_refused(client, organization, settings, fields):
    answer = await patch(client, organization.session, **settings)
    assert (answer.status, answer.fields()) == (422, fields)


async def test_owners_change_and_everybody_in_the_workspace_reads(running, client, company):
    for role in ("viewer", "editor"):
        session = running.member(company.organization_id, role)
        assert (await client.request("GET", SETTINGS, session=session)).status == 200
        assert (await patch(client, session, name="Mine")).reason == "role_required"
        assert (await client.request("DELETE", LOGO, session=session)).reason == "role_required"
    assert (await client.request("GET", SETTINGS, key=company.live_key)).status == 401


async def test_a_logo_is_written_anew_and_stands_on_the_pdf(client, company):
    assert (await client.request("GET", LOGO, session=company.session)).status == 404
    quote = (await client.generate(company.live_key, TEXT)).json()
    assert not (await pdf_of(client, company, quote)).pages[0].images
    sent = picture(mode="RGBA", colour="#1d4e8980")
    answer = await put_logo(client, company, sent)
    assert answer.status == 200
    logo = answer.json()
    assert (logo["content_type"], logo["width"], logo["height"]) == ("image/png", 720, 240)
    kept = await client.request("GET", LOGO, session=company.session)
    assert kept.headers["Content-Type"] == "image/png" and len(kept.body) == logo["size"]
    assert Image.open(io.BytesIO(kept.body)).size == (720, 240)
    assert (await client.request("GET", SETTINGS, session=company.session)).json()["logo"] == logo
    assert (await pdf_of(client, company, quote)).pages[0].images
    assert (await put_logo(client, company, picture("JPEG"), "image/jpeg")).json()["content_type"] == "image/jpeg"
    for _ in range(2):
        assert (await client.request("DELETE", LOGO, session=company.session)).status == 200
    assert (await client.request("GET", LOGO, session=company.session)).status == 404
    assert not (await pdf_of(client, company, quote)).pages[0].images


def bomb(width, height):
    """A PNG of a few hundred bytes that says it is of that size, and is where it is not too large for a test."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(10_000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "required"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "image.type"),
        (b"GIF89a" + bytes(100), "image.type"),
        (b"%PDF-1.7", "image.type"),
        (b"\x89PNG\r\n\x1a\n", "image.type"),
        (picture()[:-60], "image.broken"),
        (picture("JPEG")[:300], "image.broken"),
        (bomb(30_000, 30_000), "image.pixels"),
        (bomb(4_294_967_295, 1), "image.pixels"),
        (bomb(3000, 2000), "image.broken"),
        (picture(size=(4, 4)), "image.pixels"),
        (picture("BMP", size=(40, 40)), "image.type"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(len(value)),
)  # fmt: skip
async def test_bytes_that_are_no_logo_are_refused(client, organization, data, reason):
    answer = await put_logo(client, organization, data)
    assert (answer.status, answer.fields()) == (422, {("picture", reason)})
    assert (await client.request("GET", LOGO, session=organization.session)).status == 404


async def test_a_logo_that_is_too_large_is_refused_unread(client, organization):
    assert (await put_logo(client, organization, bytes(524_289))).status == 413


async def test_settings_over_grpc(running, company):
    metadata = (("authorization", f"Bearer {company.session}"),)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        stub = settings_pb2_grpc.SettingsServiceStub(channel)
        request = settings_pb2.UpdateSettingsRequest(terms="Net 30.")
        answer = await stub.UpdateSettings(request, metadata=metadata)
        assert (answer.settings.terms, answer.settings.name) == ("Net 30.", "Settings")
        read = await stub.GetSettings(settings_pb2.GetSettingsRequest(), metadata=metadata)
        assert read.settings == answer.settings
