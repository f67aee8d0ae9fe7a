"""Alike: a room that is told to be as large as the one before it ("bedroom 12x12, office same size, hall 4x10")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from server.domain.drafting.matching import ROOMS
from server.domain.drafting.quantities import Quantity
from server.domain.takeoff import Span

_ROOM = "|".join(sorted(ROOMS | {"family", "sitting", "den", "laundry", "nursery", "landing", "closet", "basement"}))
#: A room and that it is the same, and nothing else the same of it ("the same colour", "the same height").
_SAME = re.compile(
    rf"\b(?:{_ROOM})(?: room)?(?: #?\d{{1,2}}\b)?[,:]? (?:(?:is|are) )?(?:(?:about|exactly|roughly|also) )?"
    r"(?P<same>(?:the )?same(?: size| dimensions| measurements| again)?|ditto)(?=\s*(?:[.,;)\n]|$| and\b| &))",
    re.IGNORECASE,
)
#: Characters between the size of a room and that the next one has the same.
_WITHIN = 60


def with_rooms_alike(text: str, figures: Sequence[Quantity]) -> Sequence[Quantity]:
    """The figures, and for each room that is as large as the one before once more the size of that."""
    if not any(one.sides for one in figures):
        return figures
    found = list(figures)
    for said in _SAME.finditer(text):
        sized = [one for one in found if one.sides and one.span.end <= said.start()]
        last = max(sized, key=lambda one: one.span.start, default=None)
        if last is None or said.start() - last.span.end > _WITHIN or "\n" in text[last.span.end : said.start()]:
            continue
        if any(last.span.end <= one.span.start < said.end() for one in found):
            continue  # something else was told in between
        found.append(replace(last, span=Span(*said.span("same")), approximate=True))
    return sorted(found, key=lambda one: one.span.start) if len(found) > len(figures) else figures
