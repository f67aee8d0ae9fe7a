"""Edits: half-open spans of code points with what to put in their place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """One proposed change of ``text[start:end]`` into ``after``.

    ``confidence`` is 0 to 1, ``alternatives`` are further replacements, best first; ``rule`` names what proposed it.
    """

    start: int
    end: int
    after: str
    category: str
    rule: str
    message: str
    confidence: float
    alternatives: tuple[str, ...] = ()


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. They are in order and do not overlap."""
    parts, position = [], 0
    for edit in edits:
        parts += [text[position : edit.start], edit.after]
        position = edit.end
    return "".join([*parts, text[position:]])


class Utf16:
    """Positions of a text in UTF-16 code units, as browsers count them."""

    def __init__(self, text: str) -> None:
        self._wide: Sequence[int] = (
            [] if text.isascii() else [index for index, letter in enumerate(text) if ord(letter) > 0xFFFF]
        )

    def at(self, position: int) -> int:
        """The code units before a code point's position: those outside the basic plane count twice."""
        return position + bisect_left(self._wide, position)
