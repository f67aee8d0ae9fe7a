"""Where one begins: what waits, what is new, and the first steps of a new workspace."""

from __future__ import annotations

from quotewright.v1 import key_pb2, quote_pb2

from gateway.web.portal.view import Shown, Visit, view


async def _home(visit: Visit) -> Shown:
    summary = await visit.ask("QuoteService/SummarizeQuotes", quote_pb2.SummarizeQuotesRequest())
    quotes = await visit.ask("QuoteService/ListQuotes", quote_pb2.ListQuotesRequest(limit=5))
    keys = await visit.ask("KeyService/ListKeys", key_pb2.ListKeysRequest(limit=1))
    warned = await visit.ask("KeyService/ListKeys", key_pb2.ListKeysRequest(limit=5, warned=True))
    counts = {one.status: one for one in summary.statuses}
    return visit.page("home.html", counts=counts, quotes=quotes, keys=keys, warned=warned)


VIEWS = (view("/", _home),)
