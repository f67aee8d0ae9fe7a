"""``quotewright admin …``: what an operator does on the machine that holds the data, while the service runs or not."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gateway.config import GatewayConfig
from server import administration, api_keys
from server.administration import RefusedError
from server.config import ServerConfig
from server.domain.plans import REQUESTS_PER_MINUTE, ROLES, SCOPES
from server.domain.regional_factors import read_factors
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from server.store.database import Store

Answer = dict[str, object]
#: More than the rows of an import can need, in bytes.
LARGEST_FILE = 4_000_000
SHOWN_PROBLEMS = 20


def add_commands(commands: Any) -> None:
    """Add the commands of this file."""
    admin = commands.add_parser("admin", help="manage organizations, users, keys and sessions")
    actions = admin.add_subparsers(dest="action", metavar="ACTION", required=True)

    one = _action(actions, "create-organization", _create_organization, "make an organization")
    one.add_argument("--name", required=True)
    one.add_argument("--plan", choices=sorted(REQUESTS_PER_MINUTE), default="Starter")
    one.add_argument("--requests-per-minute", type=int, help="for Enterprise")
    one.add_argument("--address", default="", help="as printed on quotes; lines end with \\n")
    one.add_argument("--currency", default="USD")
    one.add_argument("--home-location", default="", help="where requests that name no place are priced")

    one = _action(actions, "create-user", _create_user, "make a user; the password is read from standard input")
    one.add_argument("--organization", type=int, required=True)
    one.add_argument("--email", required=True)
    one.add_argument("--name", default="")
    one.add_argument("--role", choices=ROLES, required=True)

    text = "give a user another password, read from standard input, and end their sessions"
    one = _action(actions, "set-password", _set_password, text)
    one.add_argument("--email", required=True)

    one = _action(actions, "create-key", _create_key, "make an API key; it is shown once")
    one.add_argument("--organization", type=int, required=True)
    one.add_argument("--name", required=True)
    one.add_argument("--mode", choices=("live", "test"), required=True)
    one.add_argument("--scope", action="append", choices=SCOPES, default=[], help="repeat for several; none by default")
    one.add_argument("--expires-in-days", type=int)

    one = _action(actions, "revoke-key", _revoke_key, "end an API key; in force everywhere within a second")
    one.add_argument("key_id", help="the public id: the part after qw_live_ or qw_test_")

    one = _action(actions, "rotate-key", _rotate_key, "replace an API key; the new one is shown once")
    one.add_argument("key_id")
    one.add_argument("--overlap-hours", type=int, choices=api_keys.OVERLAPS, default=24)

    one = _action(actions, "create-session", _create_session, "sign a user in; the token is shown once")
    one.add_argument("--email", required=True)
    one.add_argument("--organization", type=int, help="active workspace")

    one = _action(actions, "import-regional-factors", _import_regional_factors, "read wage levels of places from CSV")
    one.add_argument("--organization", type=int, required=True)
    one.add_argument("--file", type=Path, required=True, help="country, place, factor, source, as_of; UTF-8")
    one.add_argument("--apply", action="store_true", help="store them; else only check the file")
    one.add_argument("--replace", action="store_true", help="all older factors go")


def _action(actions: Any, name: str, act: Callable[..., Answer], text: str) -> argparse.ArgumentParser:
    one: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text)
    one.add_argument("--json", action="store_true", help="print JSON")
    one.set_defaults(run=_run, act=act)
    return one


def _run(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    store = Store(server.database)
    try:
        answer: Answer = options.act(options, store)
    finally:
        store.close()
    if options.json:
        print(json.dumps(answer))
    else:
        for name, value in answer.items():
            print(f"{name}: {value}")


def _create_organization(options: argparse.Namespace, store: Store) -> Answer:
    organization_id = administration.create_organization(
        store,
        options.name,
        options.plan,
        requests_per_minute=options.requests_per_minute,
        address=options.address.replace("\\n", "\n"),
        pricing=PricingSettings(currency=options.currency, home_location=options.home_location),
    )
    return {"organization_id": organization_id}


def _create_user(options: argparse.Namespace, store: Store) -> Answer:
    user_id = administration.create_user(
        store, options.organization, options.email, _password(), name=options.name, role=options.role
    )
    return {"user_id": user_id}


def _set_password(options: argparse.Namespace, store: Store) -> Answer:
    return {"sessions_ended": administration.set_password(store, options.email, _password())}


def _password() -> str:
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def _create_key(options: argparse.Namespace, store: Store) -> Answer:
    key = administration.create_key(
        store,
        options.organization,
        livemode=options.mode == "live",
        name=options.name,
        scopes=tuple(sorted(set(options.scope))),
        expires_in_days=options.expires_in_days,
    )
    return {"key_id": key.public_id, "key": key.secret}


def _revoke_key(options: argparse.Namespace, store: Store) -> Answer:
    administration.revoke_key(store, options.key_id)
    return {"revoked": options.key_id}


def _rotate_key(options: argparse.Namespace, store: Store) -> Answer:
    key = administration.rotate_key(store, options.key_id, options.overlap_hours)
    return {"key_id": key.public_id, "key": key.secret}


def _import_regional_factors(options: argparse.Namespace, store: Store) -> Answer:
    embedded = load_embedded()
    if options.file.stat().st_size > LARGEST_FILE:
        raise RefusedError(f"{options.file} is larger than {LARGEST_FILE} bytes")
    try:
        text = options.file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefusedError(f"{options.file} is not UTF-8 at byte {error.start}") from None
    file = read_factors(text, embedded.gazetteer, embedded.catalogue.areas.keys())
    if file.problems:
        told = "\n".join(f"  line {one.line}: {one.column} {one.message}" for one in file.problems[:SHOWN_PROBLEMS])
        raise RefusedError(f"{len(file.problems)} rows cannot be taken, so none is:\n{told}")
    if options.apply:
        administration.import_regional_factors(store, options.organization, file.factors, replace=options.replace)
    return {"accepted": len(file.factors), "applied": options.apply}


def _create_session(options: argparse.Namespace, store: Store) -> Answer:
    session = administration.create_session(store, options.email, options.organization)
    return {"session": session.secret}
