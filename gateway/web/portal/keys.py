"""API keys, and a first request with one."""

from __future__ import annotations

import json
import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

from google.protobuf.message import Message
from quotewright.v1 import account_pb2, key_pb2

from gateway.envelope import Problem
from gateway.web.portal.view import Shown, Visit, number, of_this_page, view

_FIRST_TEXT = "Replace 12 m of guttering and repaint the front of a two-storey house in Nashville, about 60 m2"


async def _first_request(visit: Visit, problem: Problem | None = None) -> Shown:
    return visit.page("first_request.html", problem)


async def _make_first_key(visit: Visit) -> Shown:
    request = key_pb2.CreateKeyRequest(name="First request", scopes=["quotes:read", "quotes:write"])
    return await _make(visit, "CreateKey", request, _first_request)


async def _keys(visit: Visit) -> Shown:
    ended = visit.query.get("ended") == "1"
    request = key_pb2.ListKeysRequest(offset=visit.offset, ended=ended)
    return visit.page("keys.html", keys=await visit.ask("KeyService/ListKeys", request), ended=ended)


async def _new_key(visit: Visit, problem: Problem | None = None) -> Shown:
    chosen = visit.form.get("scopes", [])
    return visit.page("key_new.html", problem, scopes=visit.site.scopes, chosen=chosen)


async def _make_key(visit: Visit) -> Shown:
    request = key_pb2.CreateKeyRequest(
        name=visit.first("name"), livemode=visit.first("mode") == "live", scopes=visit.form.get("scopes", [])
    )
    try:
        request.expires_in_days = number(visit.first("expires_in_days") or "0", "expires_in_days")
    except Problem as problem:
        return await _new_key(visit, problem)
    return await _make(visit, "CreateKey", request, _new_key)


async def _key(visit: Visit, problem: Problem | None = None) -> Shown:
    request = key_pb2.GetKeyRequest(key_id=visit.variables["key_id"])
    found = await visit.ask("KeyService/GetKey", request)
    return visit.page("key.html", problem, key=found.key)


async def _rotate(visit: Visit) -> Shown:
    try:
        request = key_pb2.RotateKeyRequest(
            key_id=visit.variables["key_id"],
            overlap_hours=number(visit.first("overlap_hours"), "overlap_hours"),
            expires_in_days=number(visit.first("expires_in_days") or "0", "expires_in_days"),
        )
    except Problem as problem:
        return await _key(visit, problem)
    return await _make(visit, "RotateKey", request, _key)


async def _revoke(visit: Visit) -> Shown:
    await visit.ask("KeyService/RevokeKey", key_pb2.RevokeKeyRequest(key_id=visit.variables["key_id"]))
    return Shown(303, location=f"/keys/{quote(visit.variables['key_id'])}")


async def _make(visit: Visit, rpc: str, request: Message, again: Callable[[Visit, Problem], Awaitable[Shown]]) -> Shown:
    """A key with its secret, shown in the answer itself: it is kept nowhere. ``again`` shows the form."""
    try:
        await _give_password(visit)
        made = await visit.ask(f"KeyService/{rpc}", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await again(visit, of_this_page(problem))
    snippets = _snippets(visit.base, made.secret, visit.site.authority)
    return visit.page("key_made.html", key=made.key, secret=made.secret, snippets=snippets)


async def _give_password(visit: Visit) -> None:
    """What was typed into the form's field for it, if there was one."""
    if visit.first("password"):
        request = account_pb2.ReauthenticateRequest(password=visit.first("password"))
        answer = await visit.ask("AccountService/Reauthenticate", request)
        visit.session = answer.session


def _snippets(base: str, key: str, authority: Path | None) -> list[tuple[str, str]]:
    """A first request with the key in it, in three languages."""
    url, body = f"{base}/api/v1/quotes/generate", json.dumps({"text": _FIRST_TEXT})
    known = f" --cacert {shlex.quote(str(authority))}" if authority else ""
    curl = f"curl{known} {url} -H 'X-API-Key: {key}' -H 'Content-Type: application/json' -d {shlex.quote(body)}"
    trusted = f'cafile="{authority}"' if authority else ""
    python = f"""import json
import ssl
import urllib.request

context = ssl.create_default_context({trusted})
request = urllib.request.Request(
    "{url}",
    data=json.dumps({{"text": "{_FIRST_TEXT}"}}).encode(),
    headers={{"X-API-Key": "{key}", "Content-Type": "application/json"}},
)
with urllib.request.urlopen(request, context=context) as answer:
    print(json.dumps(json.load(answer), indent=2))"""
    note = f"// Node: NODE_EXTRA_CA_CERTS={authority}\n" if authority else ""
    typescript = f"""{note}const answer = await fetch("{url}", {{
  method: "POST",
  headers: {{ "X-API-Key": "{key}", "Content-Type": "application/json" }},
  body: JSON.stringify({{ text: "{_FIRST_TEXT}" }}),
}});
console.log(await answer.json());"""
    return [("curl", curl), ("Python", python), ("TypeScript", typescript)]


VIEWS = (
    view("/keys", _keys, _make_key, menu="API keys"),
    view("/keys/new", _new_key),
    view("/keys/{key_id}", _key),
    view("/keys/{key_id}/rotate", take=_rotate),
    view("/keys/{key_id}/revoke", take=_revoke),
    view("/first-request", _first_request, _make_first_key, menu="First request"),
)
