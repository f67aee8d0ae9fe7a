"""Which words are names of people, which of places, and which are everyday words."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

#: What stands before a name and is no part of it.
TITLES = frozenset(
    [
        "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "pastor", "rev", "sir", "father", "coach", "cllr", "councillor",
        "sister", "canon", "capt", "sgt", "cdr", "lt", "col", "maj", "lord", "deacon",
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lexicon:
    """``given``, ``common`` and ``frequent`` are lower case; ``places`` answers for a name in any case."""

    given: frozenset[str]
    common: frozenset[str]
    frequent: frozenset[str]
    places: Container[str]

    def is_given(self, word: str) -> bool:
        """A first name; of a double one each part counts."""
        bare = _bare(word)
        return bare in self.given or ("-" in bare and bare.partition("-")[0] in self.given)

    def is_common(self, word: str) -> bool:
        """An everyday word, its plural or its past tense."""
        bare = _bare(word)
        return bare in self.common or bare.removesuffix("s") in self.common or bare.removesuffix("ed") in self.common

    def is_frequent(self, word: str) -> bool:
        """One of the words that every page has."""
        return _bare(word) in self.frequent


def _bare(word: str) -> str:
    return word.lower().strip(".,'’").removesuffix("'s").removesuffix("’s")
