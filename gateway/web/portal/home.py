"""Where one begins."""

from __future__ import annotations

from quotewright.v1 import key_pb2

from gateway.web.portal.view import Shown, Visit, view


async def _home(visit: Visit) -> Shown:
    keys = await visit.ask("KeyService/ListKeys", key_pb2.ListKeysRequest(limit=1))
    return visit.page("home.html", keys=keys)


VIEWS = (view("/", _home),)
