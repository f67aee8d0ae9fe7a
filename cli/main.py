"""``quotewright``: one command for every process and for operators. ``quotewright --help`` is its manual."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

from gateway.config import GatewayConfig
from process import settings
from process.settings import SettingsError
from server.administration import RefusedError
from server.config import ServerConfig

#: Where the commands are. A command loads its own module and none of the others, which takes seconds.
MODULES = {
    "serve": "processes",
    "server": "processes",
    "gateway": "processes",
    "worker": "processes",
    "demo": "processes",
    "admin": "admin",
    "webhooks": "webhooks",
    "mail": "mail",
    "draft": "estimate",
    "price": "estimate",
    "pricebook": "price_book",
    "migrate": "store",
    "copy": "store",
    "backup": "store",
}


def parser(commands: Iterable[str] = MODULES) -> argparse.ArgumentParser:
    """The arguments of these commands, and of those that share their modules."""
    root = argparse.ArgumentParser(prog="quotewright", description=__doc__)
    root.add_argument("--print-config", action="store_true", help="print the settings in force, secrets redacted")
    listed = root.add_subparsers(dest="command", metavar="COMMAND")
    for module in dict.fromkeys(MODULES[command] for command in commands):
        import_module(f"cli.{module}").add_commands(listed)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. 0: done, 1: refused (standard error says why), 2: the arguments or settings are wrong."""
    given = sys.argv[1:] if arguments is None else arguments
    first = next(iter(given), "")
    root = parser([first] if first in MODULES else [] if given == ["--print-config"] else MODULES)
    options = root.parse_args(given)
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
