"""Spread: how many of a thing each room gets ("outlets: 2 kitchen, 1 bath", "new radiators: lounge 2, hall 1")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.listing import is_place
from server.domain.drafting.numbers import Kind, Token, number_at
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.takeoff import Span

#: What stands between the thing and the first of its rooms.
_OPENS = frozenset({":", "-", "–", "—"})
#: Rooms that are told at least, and more than any has of a thing.
_ROOMS, _MANY = 2, 40


def in_rooms(text: str, clauses: Sequence[Clause]) -> Mapping[int, Quantity]:
    """How many each clause tells of for a room and nothing else, by where it starts, where a sentence is such a list
    behind a thing and a colon or a dash."""
    found: dict[int, Quantity] = {}
    for _, grouped in groupby(clauses, key=lambda clause: clause.sentence):
        sentence = list(grouped)
        counts = [_count(clause) for clause in sentence]
        first = next((at for at, count in enumerate(counts) if count is not None), 0)
        last = next((at for at in range(first, len(counts)) if counts[at] is None), len(counts))
        opened = first and text[sentence[first - 1].end : sentence[first].start].strip() in _OPENS
        if opened and last - first >= _ROOMS:
            listed = zip(sentence[first:last], counts[first:last], strict=True)
            found |= {clause.start: count for clause, count in listed if count is not None}
    return found


def _count(clause: Clause) -> Quantity | None:
    """ "2 kitchen", "lounge 2": a number and a room."""
    tokens = clause.tokens
    if clause.kind is not ClauseKind.WORK or len(tokens) < _ROOMS:
        return None
    for at, place in ((0, tokens[1:]), (len(tokens) - 1, tokens[:-1])):
        number = number_at(tokens, at)
        if number is None or number.end != at + 1 or not _is_room(place):
            continue
        if number.value == number.value.to_integral_value() and 0 < number.value < _MANY:
            span = Span(tokens[at].start, tokens[at].end)
            return Quantity(number.value, "each", Role.COUNT, span, number.value, number.value, noun=THERE)
    return None


def _is_room(tokens: Sequence[Token]) -> bool:
    words = [token.text for token in tokens if token.text not in {"in", "the"}]
    return all(token.kind is Kind.WORD for token in tokens) and is_place(words)
