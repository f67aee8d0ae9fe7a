"""How the peers of one process listen: their options, and the loop they run on."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import uvloop
from aiohttp import web


def port_options(*names: str, **choices: Sequence[str]) -> argparse.Namespace:
    """Parse ``--NAME PORT`` for each of ``names``, and one of the words of each of ``choices``."""
    parser = argparse.ArgumentParser()
    for name in names:
        parser.add_argument(f"--{name}", type=int, required=True)
    for name, words in choices.items():
        parser.add_argument(f"--{name}", choices=words, required=True)
    return parser.parse_args()


def serve(app: web.Application, port: int) -> None:
    """Serve ``app`` on loopback without an access log until the process is told to stop."""
    web.run_app(app, host="127.0.0.1", port=port, access_log=None, print=None, loop=uvloop.new_event_loop())
