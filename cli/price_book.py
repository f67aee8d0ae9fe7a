"""``quotewright pricebook …``: import price lists and look items up on the machine that holds the data."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from cli.tables import table
from gateway.config import GatewayConfig
from process.clock import now_us
from server.administration import RefusedError
from server.config import ServerConfig
from server.domain.money import CURRENCIES
from server.domain.price_book.columns import split_mapping
from server.domain.price_book.item import KINDS, BookItem
from server.domain.price_book.price_list import Defaults, iso_day
from server.domain.price_book.unit_names import unit_code
from server.domain.pricing.price_book import searched_items
from server.importing import PriceFile, run_import
from server.rpc.books import StoredBook
from server.rpc.price_book import import_message, item_message
from server.store import accounts, price_book
from server.store.audit import Act
from server.store.database import Store

#: Bytes of a list that is read from a path; what comes over the network is bounded by its route.
LARGEST = 200 * 1024 * 1024
_SHOWN_ITEMS = 100
_SHOWN_PROBLEMS = 20


def add_commands(commands: Any) -> None:
    """Add the commands of this file."""
    book = commands.add_parser("pricebook", help="import and search an organization's own prices")
    actions = book.add_subparsers(dest="action", metavar="ACTION", required=True)

    one = actions.add_parser("import", help="read a price list (CSV, XLSX, BC3); a dry run unless --apply is given")
    one.add_argument("file", type=Path)
    one.add_argument("--apply", action="store_true", help="store the prices")
    one.add_argument(
        "--map", action="append", default=[], metavar="FIELD=COLUMN", help="for example price=Net or sku=A"
    )
    one.add_argument("--currency", default="", help="of prices that name none; the organization's by default")
    one.add_argument("--unit", default="", help="of rows that name none; they are refused without it")
    one.add_argument("--kind", choices=KINDS, default="service", help="of rows that name none")
    one.add_argument("--effective-from", default="", metavar="YYYY-MM-DD", help="today by default")
    one.add_argument("--decimal-mark", choices=(".", ","), default="", help="decided from the prices by default")
    one.add_argument("--skip-refused", action="store_true", help="apply the good rows although others are refused")
    one.set_defaults(run=_import)

    two = actions.add_parser("search", help="find items by SKU or words")
    two.add_argument("query")
    two.add_argument("--on", default="", metavar="YYYY-MM-DD", help="today by default")
    two.set_defaults(run=_search)

    for action in (one, two):
        action.add_argument("--organization", type=int, required=True)
        action.add_argument("--mode", choices=("live", "test"), default="live")
        action.add_argument("--json", action="store_true", help="print JSON")


def _import(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> int:
    if options.file.stat().st_size > LARGEST:
        raise RefusedError(f"{options.file} is larger than {LARGEST} bytes")
    store = Store(server.database)
    try:
        organization = store.read_now(lambda: accounts.find_organization(options.organization))
        if organization is None:
            raise RefusedError(f"there is no organization {options.organization}")
        defaults = _defaults(options, organization.pricing.currency)
        try:
            columns = split_mapping(options.map)
        except ValueError as error:
            raise RefusedError(str(error)) from None
        at = now_us()
        act = Act(options.organization, options.mode == "live", "operator", "", at)
        new = price_book.NewImport(
            filename=options.file.name[:255],
            dry_run=not options.apply,
            skip_refused=options.skip_refused,
            effective_from=defaults.effective_from,
            started_by=act.actor,
            at=at,
        )
        file = PriceFile(options.file.read_bytes(), new.filename, defaults, columns, options.decimal_mark)
        try:
            import_id = store.write_now(lambda: price_book.start_import(act.organization_id, act.livemode, new))
        except price_book.ImportRunningError:
            raise RefusedError("another import of this price book is running") from None
        row = run_import(store, import_id, file, act, progress=_show_progress if sys.stderr.isatty() else None)
        _, problems = store.read_now(lambda: price_book.problems_of(import_id, limit=_SHOWN_PROBLEMS, offset=0))
    finally:
        store.close()
    if options.json:
        told = [{"row": one.row, "field": one.field, "reason": one.reason, "message": one.message} for one in problems]
        print(json.dumps({**_as_json(import_message(row)), "problems": told}))
    else:
        print(
            f"{row.status}: {row.rows_read} rows, {row.created} new, {row.changed} changed, {row.unchanged} unchanged, "
            f"{row.refused} refused"
        )
        for line in (*row.notes, *(f"{field} is read from “{name}”." for field, name in row.columns.items())):
            print(f"  {line}")
        for one in problems:
            print(f"  row {one.row}: {one.message}")
        if row.problem:
            print(row.problem)
        if row.status == "checked":
            print("Nothing was stored: this was a dry run. Add --apply to store the prices.")
    return 0 if row.status in ("applied", "checked") else 1


def _defaults(options: argparse.Namespace, home_currency: str) -> Defaults:
    currency = (options.currency or home_currency).upper()
    if currency not in CURRENCIES:
        raise RefusedError(f"there is no currency {currency}; there are {', '.join(sorted(CURRENCIES))}")
    unit = unit_code(options.unit)
    if options.unit and not unit:
        raise RefusedError(f"there is no unit {options.unit}")
    return Defaults(currency, _day(options.effective_from), unit, options.kind)


def _day(text: str) -> str:
    try:
        return iso_day(text) if text else datetime.now(UTC).date().isoformat()
    except ValueError:
        raise RefusedError(f"{text} is no date: write YYYY-MM-DD") from None


def _show_progress(done: int, total: int) -> None:
    print(f"\r{done} of {total} rows", end="\n" if done >= total else "", file=sys.stderr, flush=True)


def _search(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> int:
    on = datetime.fromisoformat(_day(options.on)).date()
    store = Store(server.database)
    try:
        found = store.read_now(lambda: price_book.book_of(options.organization, options.mode == "live"))
        owned = () if found is None else searched_items(StoredBook(store, *found, on), options.query, _SHOWN_ITEMS)
        items = [one.item for one in owned[:_SHOWN_ITEMS]]
    finally:
        store.close()
    if options.json:
        print(json.dumps({"data": [_as_json(item_message(item)) for item in items]}))
    elif items:
        print(_items_table(items))
    else:
        print("The price book has nothing like it.")
    return 0


def _items_table(items: list[BookItem]) -> str:
    rows = [
        (item.entry.sku, item.entry.name[:60], f"{item.entry.price:,f}", item.entry.currency, item.entry.unit,
         item.entry.kind, item.entry.effective_from)
        for item in items
    ]  # fmt: skip
    return table(("SKU", "Name", "Price", "", "Unit", "Kind", "From"), rows, right=frozenset({2}))


def _as_json(message: Message) -> dict[str, Any]:
    answer: dict[str, Any] = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return answer
