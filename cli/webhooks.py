"""``quotewright webhooks …``: endpoints and their log on the machine that holds the data, and `listen` to develop a
receiver against."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import getpass
import json
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from aiohttp import web
from google.protobuf import json_format
from google.protobuf.message import Message

from gateway.config import GatewayConfig
from process.clock import now_us
from process.log import Log
from server import events, webhooks
from server.administration import RefusedError
from server.config import ServerConfig
from server.delivery import signatures
from server.delivery.signatures import SignatureError
from server.faults import Fault
from server.outgoing import Delivery
from server.rpc.webhook import attempt_message, delivery_message, endpoint_message
from server.store import accounts, deliveries, endpoints
from server.store.audit import Act
from server.store.database import Store

Answer = Mapping[str, object]


def add_commands(commands: Any) -> None:
    """Add the commands of this file."""
    parser = commands.add_parser("webhooks", help="manage webhook endpoints, read their log, listen for deliveries")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    one = _action(actions, "create", _create, "add an endpoint; its secret is shown once")
    one.add_argument("--url", required=True)
    one.add_argument("--mode", choices=("live", "test"), required=True)
    one.add_argument("--event", action="append", choices=events.TYPES, default=[], help="repeat for several; else all")
    one.add_argument("--description", default="")
    _action(actions, "list", _list, "show the endpoints")
    _endpoint(_action(actions, "verify", _verify, "ask an endpoint for its challenge; live ones need it"))
    _endpoint(_action(actions, "pause", _pause, "let an endpoint's events wait"))
    _endpoint(_action(actions, "resume", _resume, "deliver again"))
    _endpoint(_action(actions, "delete", _delete, "delete an endpoint"))
    _endpoint(_action(actions, "ping", _ping, "queue a ping"))
    one = _endpoint(_action(actions, "rotate-secret", _rotate, "replace the secret; the new one is shown once"))
    one.add_argument("--overlap-hours", type=int, default=24, help="how long both sign (0 to 168)")

    one = _action(actions, "deliveries", _deliveries, "show the log, newest first")
    one.add_argument("--endpoint", type=int, default=0)
    one.add_argument("--status", choices=("pending", "delivered", "dead"), default="")
    one.add_argument("--limit", type=int, default=20)
    one = _action(actions, "delivery", _delivery, "show one delivery with its attempts and what it carries")
    one.add_argument("delivery_id", type=int)
    one = _action(actions, "replay", _replay, "deliver an event anew, under the same id")
    one.add_argument("delivery_id", type=int)
    one = _endpoint(_action(actions, "replay-failed", _replay_failed, "deliver anew what was given up"))
    one.add_argument("--since", type=datetime.datetime.fromisoformat, help="of events since this time (ISO 8601)")

    text = "print and verify deliveries to this machine; the endpoint's secret is read from standard input"
    listen = actions.add_parser("listen", help=text, description=text)
    listen.add_argument("--port", type=int, default=8700)
    listen.set_defaults(run=_listen)


def _action(actions: Any, name: str, act: Callable[..., Answer], text: str) -> argparse.ArgumentParser:
    one: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text)
    one.add_argument("--organization", type=int, required=True)
    one.add_argument("--json", action="store_true", help="print JSON")
    one.set_defaults(run=_run, act=act)
    return one


def _endpoint(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("endpoint_id", type=int)
    return parser


class _Desk:
    """What the commands work with: the store, and the parts that seal, check and send."""

    def __init__(self, store: Store, delivery: Delivery, organization_id: int) -> None:
        self.store = store
        self.delivery = delivery
        self.organization_id = organization_id

    def act(self) -> Act:
        """The operator's, now."""
        return Act(self.organization_id, True, "operator", "", now_us())


def _run(options: argparse.Namespace, server: ServerConfig, _gateway: GatewayConfig) -> None:
    store = Store(server.database)
    try:
        if store.read_now(lambda: accounts.find_organization(options.organization)) is None:
            raise RefusedError(f"there is no organization {options.organization}")
        desk = _Desk(store, Delivery(server, store, Log("webhooks")), options.organization)
        answer: Answer = options.act(options, desk)
    except Fault as fault:
        reasons = [f"{one.field} {one.message}" for one in fault.violations] or [fault.message]
        raise RefusedError("; ".join(reasons)) from None
    finally:
        store.close()
    print(json.dumps(answer) if options.json else json.dumps(answer, indent=2, ensure_ascii=False))


def _create(options: argparse.Namespace, desk: _Desk) -> Answer:
    webhooks.check_new(desk.delivery.egress, options.url, options.event)
    secret = webhooks.new_secret()
    act = desk.act()
    endpoint = desk.store.write_now(
        lambda: webhooks.create(
            act,
            desk.delivery.vault,
            url=options.url,
            description=options.description,
            event_types=options.event,
            livemode=options.mode == "live",
            secret=secret,
        )
    )
    return {**_as_json(endpoint_message(endpoint)), "secret": signatures.secret_text(secret)}


def _list(_options: argparse.Namespace, desk: _Desk) -> Answer:
    rows = desk.store.read_now(lambda: endpoints.list_all(desk.organization_id))
    return {"data": [_as_json(endpoint_message(row)) for row in rows]}


def _verify(options: argparse.Namespace, desk: _Desk) -> Answer:
    async def verify() -> Answer:
        delivery = desk.delivery
        verified, attempt, endpoint = await webhooks.verify(
            desk.store, delivery.vault, delivery.sender, desk.act(), options.endpoint_id, now_us
        )
        await delivery.stop()
        return {
            "verified": verified,
            "attempt": _as_json(attempt_message(attempt)),
            "endpoint": _as_json(endpoint_message(endpoint)),
        }

    return asyncio.run(verify())


def _pause(options: argparse.Namespace, desk: _Desk) -> Answer:
    act = desk.act()
    return _as_json(endpoint_message(desk.store.write_now(lambda: webhooks.pause(act, options.endpoint_id))))


def _resume(options: argparse.Namespace, desk: _Desk) -> Answer:
    act = desk.act()
    return _as_json(endpoint_message(desk.store.write_now(lambda: webhooks.resume(act, options.endpoint_id))))


def _delete(options: argparse.Namespace, desk: _Desk) -> Answer:
    act = desk.act()
    return {"given_up": desk.store.write_now(lambda: webhooks.delete(act, options.endpoint_id))}


def _ping(options: argparse.Namespace, desk: _Desk) -> Answer:
    act = desk.act()
    event_id, delivery_id = desk.store.write_now(lambda: webhooks.ping(act, options.endpoint_id))
    return {"event_id": event_id, "delivery_id": delivery_id}


def _rotate(options: argparse.Namespace, desk: _Desk) -> Answer:
    if not 0 <= options.overlap_hours <= webhooks.OVERLAP_LONGEST:
        raise RefusedError(f"the overlap is 0 to {webhooks.OVERLAP_LONGEST} hours")
    secret = webhooks.new_secret()
    act = desk.act()
    endpoint = desk.store.write_now(
        lambda: webhooks.rotate(act, desk.delivery.vault, options.endpoint_id, secret, options.overlap_hours)
    )
    return {**_as_json(endpoint_message(endpoint)), "secret": signatures.secret_text(secret)}


def _deliveries(options: argparse.Namespace, desk: _Desk) -> Answer:
    total, rows = desk.store.read_now(
        lambda: deliveries.list_page(
            desk.organization_id, limit=options.limit, offset=0, endpoint_id=options.endpoint, status=options.status
        )
    )
    return {"total": total, "data": [_as_json(delivery_message(row)) for row in rows]}


def _delivery(options: argparse.Namespace, desk: _Desk) -> Answer:
    def work() -> Answer:
        delivery = webhooks.find_delivery(desk.organization_id, options.delivery_id)
        body = events.body(delivery.event_type, deliveries.find_payload(delivery.delivery_id))
        return {
            **_as_json(delivery_message(delivery)),
            "payload": body.decode(),
            "attempts": [
                _as_json(attempt_message(one, delivery.event_id)) for one in deliveries.attempts(delivery.delivery_id)
            ],
        }

    return desk.store.read_now(work)


def _replay(options: argparse.Namespace, desk: _Desk) -> Answer:
    act = desk.act()
    return _as_json(delivery_message(desk.store.write_now(lambda: webhooks.replay(act, options.delivery_id))))


def _replay_failed(options: argparse.Namespace, desk: _Desk) -> Answer:
    since = int(options.since.astimezone(datetime.UTC).timestamp() * 1_000_000) if options.since else 0
    act = desk.act()
    return {"replayed": desk.store.write_now(lambda: webhooks.replay_failed(act, options.endpoint_id, since))}


def _as_json(message: Message) -> dict[str, object]:
    return json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def _listen(options: argparse.Namespace, _server: ServerConfig, _gateway: GatewayConfig) -> None:
    text = getpass.getpass("whsec_…: ") if sys.stdin.isatty() else sys.stdin.readline()
    try:
        secret = signatures.secret_bytes(text)
    except SignatureError as error:
        raise RefusedError(str(error)) from None
    asyncio.run(_serve(secret, options.port))


async def _serve(secret: bytes, port: int) -> None:
    async def receive(request: web.BaseRequest) -> web.Response:
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            signatures.verify(headers, body, now=time.time(), secret=secret)
            event = orjson.loads(body)
        except (SignatureError, orjson.JSONDecodeError) as error:
            print(f"refused: {error}", flush=True)
            return web.Response(status=401)
        print(f"{headers['webhook-id']} {event['type']}\n{json.dumps(event, indent=2, ensure_ascii=False)}", flush=True)
        challenge = event["data"]["object"].get("challenge") if event["type"] == events.PING else None
        return web.json_response({"challenge": challenge} if challenge else {})

    runner = web.ServerRunner(web.Server(receive, access_log=None))
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        print(f"ready: http://127.0.0.1:{port}", flush=True)
        await stop.wait()
    finally:
        await runner.cleanup()
