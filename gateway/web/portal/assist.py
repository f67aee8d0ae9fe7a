"""Text assist in forms: what the module `assist.js` asks for while somebody types. JSON, for scripts."""

from __future__ import annotations

import orjson
from quotewright.v1 import writing_assist_pb2

from gateway.web.portal.view import JSON, Shown, Visit, view


async def _proofread(visit: Visit) -> Shown:
    """``{skipped, may_add_words, suggestions: [{start, end, before, after, alternatives, message, confidence,
    category}]}``;
    ``start`` and ``end`` as browsers count."""
    request = writing_assist_pb2.ProofreadRequest(text=visit.first("text"), field_kind=visit.first("field_kind"))
    answer = await visit.ask("WritingAssistService/Proofread", request)
    suggestions = [
        {
            "start": one.start_utf16,
            "end": one.end_utf16,
            "before": one.before,
            "after": one.after,
            "alternatives": list(one.alternatives),
            "message": one.message,
            "confidence": one.confidence,
            "category": one.category,
        }
        for one in answer.suggestions
    ]
    return _json({"skipped": answer.skipped, "may_add_words": visit.may_edit, "suggestions": suggestions})


async def _add_word(visit: Visit) -> Shown:
    """``{word}`` of the organization's dictionary."""
    request = writing_assist_pb2.AddDictionaryWordsRequest(words=[visit.first("word")])
    answer = await visit.ask("WritingAssistService/AddDictionaryWords", request)
    return _json({"word": answer.data[0].word})


def _json(content: object) -> Shown:
    return Shown(content=orjson.dumps(content), content_type=JSON)


VIEWS = (
    view("/assist/proofread", take=_proofread, feeds="WritingAssistService/Proofread"),
    view("/assist/words", take=_add_word),
)
