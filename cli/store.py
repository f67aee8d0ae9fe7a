"""``quotewright migrate``, ``copy`` and ``backup``: what an operator does with the store as a whole."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

from gateway.config import GatewayConfig
from process.settings import SettingsError
from server.administration import RefusedError
from server.config import ServerConfig
from server.store.backup import back_up
from server.store.copying import Copied, CopyRefusedError, copy
from server.store.database import Store


def add_commands(commands: Any) -> None:
    """Add the commands of this file."""
    text = "bring the schema of the store up to date; processes that start do it as well"
    commands.add_parser("migrate", help=text, description=text).set_defaults(run=_migrate)
    text = "copy the whole store into an empty one and compare both; stop the service first"
    one = commands.add_parser("copy", help=text, description=text)
    one.add_argument(
        "--from", dest="source", required=True, help="sqlite (the data folder's), a path, or postgresql://…"
    )
    one.add_argument("--to", dest="target", required=True, help="the same; postgresql alone: QW_DATABASE_URL")
    one.set_defaults(run=_copy)
    text = "copy the SQLite store into one file while the service goes on, and check the copy"
    one = commands.add_parser("backup", help=text, description=text)
    one.add_argument(
        "--to", dest="target", required=True, type=Path, metavar="FILE", help="a file that is not there yet"
    )
    one.add_argument("--json", action="store_true", help="print JSON")
    one.set_defaults(run=_backup)


def _migrate(_options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    Store(server.database).close()
    print("The schema is up to date.")


def _copy(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    def told(one: Copied) -> None:
        print(f"{one.table}: {one.rows} rows, {one.digest[:16]} on both sides")

    try:
        copy(_where(options.source, server), _where(options.target, server), told)
    except CopyRefusedError as error:
        raise OSError(str(error)) from None


def _backup(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    if not isinstance(server.database, Path):
        raise RefusedError("PostgreSQL has its own ways (pg_basebackup with WAL archiving): see docs/operations.md")
    made = back_up(server.database, options.target)
    if options.json:
        print(json.dumps({"file": str(options.target), **dataclasses.asdict(made)}))
        return
    print(f"{options.target}: {made.size} bytes, sha256 {made.sha256}")
    print(f"integrity, foreign keys and the audit chains of {made.organizations} organizations hold")


def _where(said: str, server: ServerConfig) -> Path | str:
    if said == "sqlite":
        return server.sqlite_file
    if said == "postgresql":
        if not server.database_url:
            raise SettingsError("postgresql is the database of QW_DATABASE_URL, which is not set")
        return server.database_url
    return said if said.startswith("postgresql://") else Path(said)
