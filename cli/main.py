"""``quotewright``: one command for every process and for operators. ``quotewright --help`` is its manual."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from cli import admin, estimate, mail, price_book, processes, store, webhooks
from gateway.config import GatewayConfig
from process import settings
from process.settings import SettingsError
from server.administration import RefusedError
from server.config import ServerConfig


def parser() -> argparse.ArgumentParser:
    """The arguments of every command."""
    root = argparse.ArgumentParser(prog="quotewright", description=__doc__)
    root.add_argument("--print-config", action="store_true", help="print the settings in force, secrets redacted")
    commands = root.add_subparsers(dest="command", metavar="COMMAND")
    processes.add_commands(commands)
    admin.add_commands(commands)
    webhooks.add_commands(commands)
    mail.add_commands(commands)
    estimate.add_commands(commands)
    price_book.add_commands(commands)
    store.add_commands(commands)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. 0: done, 1: refused (standard error says why), 2: the arguments or settings are wrong."""
    root = parser()
    options = root.parse_args(arguments)
    try:
        settings.refuse_unknown(os.environ, ServerConfig, GatewayConfig)
        server = settings.load(ServerConfig, os.environ)
        gateway = settings.load(GatewayConfig, os.environ)
    except SettingsError as error:
        print(f"quotewright: {error}", file=sys.stderr)
        return 2
    if options.print_config:
        print(settings.printable(server, gateway))
        return 0
    if options.command is None:
        root.print_help()
        return 2
    try:
        return int(options.run(options, server, gateway) or 0)
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter must not try to write the rest at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except SettingsError as error:
        print(f"quotewright: {error}", file=sys.stderr)
        return 2
    except (RefusedError, OSError) as error:
        print(f"quotewright: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
