"""A text with the words marked that its lines were asked for by: what a template walks to write it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Code points of a text that is shown as a whole; of longer ones the beginning and what is around the marks.
MOST_SHOWN = 6000
_BEGINNING = 600
_AROUND = 80
_LONGEST_MARK = 400


@dataclass(frozen=True, slots=True)
class Mark:
    """The words of a line: ``start`` to ``end``, in code points. ``number`` is what the line is called on the page."""

    line_id: int
    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of what is written: ``text``, or where the mark of a line ``opens`` or ``closes``, or, with neither, a
    place where text was left out. Marks are properly nested; one that is cut for it opens again, and only its ``first``
    and ``last`` parts stand for the whole."""

    text: str = ""
    opens: Mark | None = None
    closes: Mark | None = None
    first: bool = False
    last: bool = False


def pieces(text: str, marks: Iterable[Mark]) -> list[Piece]:
    """The text in its order. Marks that the text has no words for are left out."""
    known = [one for one in marks if 0 <= one.start < one.end <= len(text)]
    if len(text) <= MOST_SHOWN:
        return _marked(text, 0, len(text), known)
    shown: list[Piece] = []
    at = 0
    for start, end in _windows(len(text), known):
        if start > at:
            shown.append(Piece())
        shown += _marked(text, start, end, known)
        at = end
    return [*shown, Piece()] if at < len(text) else shown


def _windows(length: int, marks: Iterable[Mark]) -> list[tuple[int, int]]:
    """What is shown of a long text: ranges in their order, apart from each other."""
    around = sorted((max(0, one.start - _AROUND), min(one.end, one.start + _LONGEST_MARK) + _AROUND) for one in marks)
    joined = [(0, _BEGINNING)]
    for start, end in around:
        last = joined[-1]
        if start <= last[1]:
            joined[-1] = (last[0], max(last[1], min(end, length)))
        else:
            joined.append((start, min(end, length)))
    return joined


def _marked(text: str, start: int, end: int, marks: Sequence[Mark]) -> list[Piece]:
    """A range of the text; a mark that goes on behind it ends with it."""
    here = [one for one in marks if start <= one.start < end]
    stops = {one.line_id: min(one.end, end) for one in here}
    bounds = sorted({start, end, *(one.start for one in here), *stops.values()})
    found: list[Piece] = []
    stack: list[Mark] = []
    for at, following in zip(bounds, [*bounds[1:], end], strict=True):
        ending = [one for one in stack if stops[one.line_id] == at]
        cut: list[Mark] = []
        while ending:
            top = stack.pop()
            if top in ending:
                ending.remove(top)
                found.append(Piece(closes=top, last=True))
            else:
                cut.append(top)
                found.append(Piece(closes=top))
        for one in reversed(cut):
            stack.append(one)
            found.append(Piece(opens=one))
        beginning = sorted((one for one in here if one.start == at), key=lambda one: (-stops[one.line_id], one.number))
        for one in beginning:
            stack.append(one)
            found.append(Piece(opens=one, first=True))
        if following > at:
            found.append(Piece(text=text[at:following]))
    return found
