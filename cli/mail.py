"""``quotewright mail …``: the outbox of e-mails on the machine that holds the data."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from cli.tables import table
from gateway.config import GatewayConfig
from process.clock import now_us
from server.administration import RefusedError
from server.config import ServerConfig
from server.store import audit, mail
from server.store.audit import Act
from server.store.database import Store
from server.store.mail import StoredMail


def add_commands(commands: Any) -> None:
    """Add the commands of this file."""
    parser = commands.add_parser("mail", help="look into the outbox of e-mails")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    one = _action(actions, "list", _list, "show the newest e-mails and what became of them")
    one.add_argument("--status", choices=("pending", "sent", "failed", "withheld"), default="")
    one.add_argument("--limit", type=int, default=20)
    one = _action(actions, "show", _show, "print an e-mail as it was sent (RFC 5322)")
    one.add_argument("mail_id", type=int)
    one = _action(actions, "retry", _retry, "begin the tries of an e-mail that failed anew")
    one.add_argument("mail_id", type=int)


def _action(actions: Any, name: str, run: Any, text: str) -> Any:
    parser = actions.add_parser(name, help=text)
    parser.add_argument("--organization", type=int, required=True)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def _list(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    with _open(server) as store:
        found = store.read_now(lambda: mail.list_page(options.organization, limit=options.limit, status=options.status))
    if options.json:
        print(json.dumps({"data": [_plain(one) for one in found]}))
        return
    heads = ("id", "made", "status", "tries", "about", "to", "next try", "error")
    rows = [
        (
            str(one.mail_id),
            _when(one.created_at),
            one.status,
            str(one.tries),
            one.about,
            one.recipient,
            _when(one.next_try_at),
            one.error,
        )
        for one in found
    ]
    print(table(heads, rows, right=frozenset({0, 3})))


def _show(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    with _open(server) as store:
        content = store.read_now(lambda: mail.content(options.organization, options.mail_id))
    if content is None:
        raise RefusedError(f"there is no e-mail {options.mail_id}")
    sys.stdout.write(content.decode())


def _retry(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    def work() -> bool:
        act = Act(options.organization, True, "operator", "", now_us())
        begun = mail.retry(options.organization, options.mail_id, act.at)
        if begun:
            audit.record(act, "mail:retry", f"mail:{options.mail_id}")
        return begun

    with _open(server) as store:
        if not store.write_now(work):
            raise RefusedError(f"there is no e-mail {options.mail_id} that failed")
    print(json.dumps({"mail_id": options.mail_id, "status": "pending"}) if options.json else "It is tried again.")


def _open(server: ServerConfig) -> contextlib.closing[Store]:
    return contextlib.closing(Store(server.database))


def _plain(one: StoredMail) -> dict[str, object]:
    times = ("created_at", "next_try_at", "finished_at")
    return {name: _when(value) or None if name in times else value for name, value in asdict(one).items()}


def _when(at: int | None) -> str:
    """µs as RFC 3339 to the second; empty for none."""
    return "" if at is None else datetime.fromtimestamp(at // 1_000_000, UTC).isoformat().replace("+00:00", "Z")
