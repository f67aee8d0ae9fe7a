"""How a text is cut into sentences, which are checked one by one and remembered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_SENTENCE = re.compile(r"[^\s](?:[^\r\n.!?]|[.!?](?!\s))*[.!?]*")
#: Engines may take more than linear time; a longer sentence is cut at spaces.
_LONGEST_SENTENCE = 400
#: A sentence with more quotes than this, or without a space, is no prose.
_MOST_QUOTES = 24


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[tuple[int, str], ...]:
    """The sentences of a text with their places, each on one line and of bounded length. Those of the last texts are
    remembered: whoever checks a text asks for them."""
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    for found in _SENTENCE.finditer(text):
        start, stop = found.span()
        while start < stop:
            end = stop
            if stop - start > _LONGEST_SENTENCE:
                cut = text.rfind(" ", start + 1, start + _LONGEST_SENTENCE)
                end = cut if cut > start else start + _LONGEST_SENTENCE
            sentence = text[start:end]
            if " " in sentence.strip() and sum(map(sentence.count, "'\"’`")) <= _MOST_QUOTES:
                lead = len(sentence) - len(sentence.lstrip())
                yield start + lead, sentence[lead:]
            start = end
