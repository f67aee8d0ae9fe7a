"""``quotewright draft`` and ``quotewright price``: the engines on this machine, without a server, nothing stored."""

from __future__ import annotations

import argparse
import json
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from cli.tables import options_table, quote_table
from gateway.config import GatewayConfig
from server import engines
from server.config import ServerConfig
from server.domain.offer import Offer
from server.domain.regions import currency_at
from server.domain.settings import PricingSettings
from server.rpc.quote_messages import draft_message
from server.rpc.sourcing import options_message


def add_commands(commands: Any) -> None:
    """Add the commands of this file."""
    draft = commands.add_parser("draft", help="draft a quote from a text, here and now")
    draft.add_argument("text")
    draft.add_argument("--industry", default="")
    draft.set_defaults(run=_draft)
    price = commands.add_parser("price", help="look a price up, here and now")
    price.add_argument("query")
    price.add_argument("--industry", default="")
    price.set_defaults(run=_price)
    for one in (draft, price):
        one.add_argument("--location", default="", help="where the text names no place")
        one.add_argument("--json", action="store_true", help="print the API's JSON")


def _draft(options: argparse.Namespace, _server: ServerConfig, _gateway: GatewayConfig) -> None:
    draft = engines.drafter().draft(
        options.text, industry=options.industry, settings=PricingSettings(home_location=options.location)
    )
    answer = _as_json(draft_message(draft, options.text, options.industry, Offer()))
    print(json.dumps(answer, indent=2, ensure_ascii=False) if options.json else quote_table(answer))


def _price(options: argparse.Namespace, _server: ServerConfig, _gateway: GatewayConfig) -> None:
    match = engines.embedded().gazetteer.find(options.location) if options.location else None
    place, settings = match.place if match else None, PricingSettings()
    found = engines.price_search().find(
        options.query,
        industry=options.industry,
        place=place,
        settings=settings.in_currency(currency_at(place, settings.currency)),
    )
    answer = _as_json(options_message(found))
    print(json.dumps(answer, indent=2, ensure_ascii=False) if options.json else options_table(answer))


def _as_json(message: Message) -> dict[str, Any]:
    answer: dict[str, Any] = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return answer
