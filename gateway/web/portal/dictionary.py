"""The organization's words, which proofreading accepts."""

from __future__ import annotations

from quotewright.v1 import writing_assist_pb2

from gateway.envelope import Problem
from gateway.web.portal.view import Shown, Visit, new_key, of_this_page, view


async def _words(visit: Visit, problem: Problem | None = None) -> Shown:
    request = writing_assist_pb2.ListDictionaryWordsRequest(limit=50, offset=visit.offset)
    return visit.page(
        "dictionary.html", problem, words=await visit.ask("WritingAssistService/ListDictionaryWords", request)
    )


async def _add(visit: Visit) -> Shown:
    words = visit.first("words").replace(",", " ").split()
    request = writing_assist_pb2.AddDictionaryWordsRequest(words=words)
    try:
        await visit.ask("WritingAssistService/AddDictionaryWords", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _words(visit, of_this_page(problem))
    return Shown(303, location="/dictionary")


async def _remove(visit: Visit) -> Shown:
    request = writing_assist_pb2.RemoveDictionaryWordRequest(word=visit.first("word"))
    await visit.ask("WritingAssistService/RemoveDictionaryWord", request, new_key())
    return Shown(303, location="/dictionary")


VIEWS = (
    view("/dictionary", _words, _add, menu="Dictionary"),
    view("/dictionary/remove", take=_remove),
)
