"""The demo organization, and one real request of it, sent over HTTPS as any client would."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
import ssl
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from cli.tables import quote_table
from server import administration
from server.administration import RefusedError
from server.domain import credentials
from server.domain.plans import SCOPES
from server.domain.settings import PricingSettings
from server.store import accounts
from server.store.database import Store

ORGANIZATION = "Harpeth Valley Home Services"
ADDRESS = "418 Demonbreun Street\nNashville, TN 37203"
EMAIL = "demo@quotewright.example"
REQUEST = (
    "Replace 12 m of guttering and repaint the front of a two-storey house in Nashville, about 60 m2, two coats, "
    "we supply the paint. Also swap the kitchen faucet and fit a new ceiling fan in the bedroom. "
    "Not including the garage."
)


@dataclass(frozen=True, slots=True)
class DemoCredentials:
    """What var/demo.env holds."""

    live_key: str
    test_key: str
    email: str
    password: str
    session: str


def ensure(store: Store, data_dir: Path) -> DemoCredentials:
    """Make the demo organization, its user, keys and session where the file does not have them (mode 0600)."""
    path = data_dir / "demo.env"
    known = _read(path)
    if known is not None and _works(store, known.live_key):
        organization = store.read_now(lambda: accounts.find_organization_by_name(ORGANIZATION))
        assert organization is not None
        session = administration.create_session(store, EMAIL, organization.organization_id).secret
        found = DemoCredentials(known.live_key, known.test_key, known.email, known.password, session)
    else:
        found = _create(store)
    _write(path, found)
    return found


def _works(store: Store, key: str) -> bool:
    credential = credentials.parse(key)
    row = credential and store.read_now(lambda: accounts.find_key(credential.public_id))
    return bool(row and row.ends_at is None)


def _create(store: Store) -> DemoCredentials:
    # What an earlier file has left stays: its key may have been rotated in the portal, or the file lost.
    organization = store.read_now(lambda: accounts.find_organization_by_name(ORGANIZATION))
    organization_id = organization.organization_id if organization else _create_organization(store)
    password = secrets.token_urlsafe(18)
    with contextlib.suppress(RefusedError):  # a member already
        administration.create_user(store, organization_id, EMAIL, password, name="Demo", role="owner")
    administration.set_password(store, EMAIL, password, end_sessions=False)
    keys = [
        administration.create_key(
            store, organization_id, livemode=livemode, name=f"demo {'live' if livemode else 'test'}", scopes=SCOPES
        ).secret
        for livemode in (True, False)
    ]
    session = administration.create_session(store, EMAIL, organization_id)
    return DemoCredentials(keys[0], keys[1], EMAIL, password, session.secret)


def _create_organization(store: Store) -> int:
    return administration.create_organization(
        store, ORGANIZATION, "Pro", address=ADDRESS, pricing=PricingSettings(home_location="Nashville, TN")
    )


def _read(path: Path) -> DemoCredentials | None:
    if not path.exists():
        return None
    values = dict(line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
    try:
        return DemoCredentials(
            values["QW_DEMO_LIVE_KEY"],
            values["QW_DEMO_TEST_KEY"],
            values["QW_DEMO_EMAIL"],
            values["QW_DEMO_PASSWORD"],
            values["QW_DEMO_SESSION"],
        )
    except KeyError:
        return None


def _write(path: Path, found: DemoCredentials) -> None:
    text = (
        f"QW_DEMO_LIVE_KEY={found.live_key}\nQW_DEMO_TEST_KEY={found.test_key}\nQW_DEMO_EMAIL={found.email}\n"
        f"QW_DEMO_PASSWORD={found.password}\nQW_DEMO_SESSION={found.session}\n"
    )
    partial = path.with_suffix(".partial")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    partial.replace(path)


async def show(found: DemoCredentials, data_dir: Path, https_port: int) -> None:
    """Send the request, print the draft, fetch its PDF, print a curl line for a second shell."""
    base = f"https://localhost:{https_port}"
    authority = data_dir / "tls" / "ca.pem"
    headers = {"X-API-Key": found.live_key}
    connector = aiohttp.TCPConnector(ssl=ssl.create_default_context(cafile=authority))
    async with aiohttp.ClientSession(connector=connector, headers=headers, raise_for_status=True) as client:
        async with client.post(f"{base}/api/v1/quotes/generate", json={"text": REQUEST}) as response:
            quote = await response.json()
        async with client.get(quote["pdf_url"]) as response:
            pdf = await response.read()
    folder = data_dir / "demo"
    folder.mkdir(exist_ok=True)
    path = folder / f"{quote['quote_number']}.pdf"
    path.write_bytes(pdf)
    print(f"\nRequest: {REQUEST}\n\n{quote_table(quote)}\n\nPDF: {path.resolve()}\n")
    print("Try it from a second shell:\n" + curl_line(base, data_dir) + "\n")
    where = (data_dir / "demo.env").resolve()
    print(f"Sign in at {base}/ as {found.email}; the password is QW_DEMO_PASSWORD in {where}\n", flush=True)


def curl_line(base: str, data_dir: Path) -> str:
    """A command that works as pasted; it reads the key from the file, so that it stays out of the shell's history."""
    environment = shlex.quote(str((data_dir / "demo.env").resolve()))
    authority = shlex.quote(str((data_dir / "tls" / "ca.pem").resolve()))
    body = json.dumps({"text": "Fit three double sockets and repaint a 12x14 ft bedroom, walls and ceiling"})
    return (
        f"curl --cacert {authority} {base}/api/v1/quotes/generate "
        f'-H "X-API-Key: $(sed -n s/^QW_DEMO_TEST_KEY=//p {environment})" '
        f"-H 'Content-Type: application/json' -d {shlex.quote(body)}"
    )
