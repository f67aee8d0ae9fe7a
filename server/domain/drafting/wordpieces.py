"""Pieces of words: what the learned readers know a text by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

#: Pieces of a clause that are read.
MOST_PIECES = 24
#: Signs among the pieces: the begin of what is read, its end or that of a line, and a word without pieces.
FIRST, LAST, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_LONGEST_WORD = 40
_WORD = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> list[tuple[str, int]]:
    """The words and signs of a text, folded, with where each starts."""
    if text.isascii():
        return [(match[0], match.start()) for match in _WORD.finditer(text.lower())]
    return [(_without_marks(match[0].lower()), match.start()) for match in _WORD.finditer(text)]


def _without_marks(word: str) -> str:
    if word.isascii():
        return word
    return "".join(one for one in unicodedata.normalize("NFD", word) if unicodedata.category(one) != "Mn")


class Pieces:
    """The pieces that words are made of: the longest first, those within a word after ``##`` (WordPiece, Schuster and
    Nakajima 2012)."""

    def __init__(self, names: Sequence[str]) -> None:
        self._places = {name: at for at, name in enumerate(names)}
        self._kept = lru_cache(maxsize=16384)(self._of_word)

    def of_word(self, word: str) -> tuple[int, ...]:
        """The places of a word's pieces; none where it cannot be made of them, or is too long to be one."""
        # Nor is such a one kept: words without end would fill the memory.
        return self._kept(word) if len(word) <= _LONGEST_WORD else ()

    def _of_word(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                place = self._places.get(word[start:end] if not start else f"##{word[start:end]}")
                if place is not None:
                    found.append(place)
                    start = end
                    break
            else:
                return ()
        return tuple(found)

    def of(self, text: str) -> list[tuple[int, int]]:
        """The first pieces of a clause, each with where its word starts."""
        found: list[tuple[int, int]] = []
        for word, start in words_of(text):
            found += [(place, start) for place in self.of_word(word)]
            if len(found) >= MOST_PIECES:
                break
        return found[:MOST_PIECES]


class Vocabulary(Pieces):
    """Pieces with the signs of `FIRST`, `LAST` and `UNKNOWN` among them."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.first, self.last, self.unknown = (names.index(name) for name in (FIRST, LAST, UNKNOWN))

    def whole(self, text: str) -> tuple[list[int], list[int]]:
        """The pieces of all of a text, with a sign for the end of each line, and where the word of each starts."""
        places: list[int] = []
        starts: list[int] = []
        end = 0
        for word, start in words_of(text):
            if text.find("\n", end, start) >= 0:
                places.append(self.last)
                starts.append(start - 1)
            end = start
            found = self.of_word(word) or (self.unknown,)
            places += found
            starts += [start] * len(found)
        return places, starts
