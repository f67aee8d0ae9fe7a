"""Words: how a text is cut into them, and which are known."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from server.domain.proofreading.context import Pairs


def _marks() -> str:
    """The marks that stand on letters or beside them (the vowels of हिन्दी, accents of their own) as a set of a pattern:
    `re` has no class of them. They end with those of Adlam, but for the selectors of variants; to look at every code
    point would take a tenth of a second."""
    runs: list[list[int]] = []
    for code in (*range(0x300, 0x1E94B), *range(0xE0100, 0xE01F0)):
        if unicodedata.category(chr(code)).startswith("M"):
            if runs and runs[-1][1] == code - 1:
                runs[-1][1] = code
            else:
                runs.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in runs)


_LETTER = r"[^\W\d_]"
#: Letters, with apostrophes and marks inside and marks at the end. That a mark is none of the first code points is said
#: for speed: what stands behind most words is one of those.
_WORD = re.compile(rf"{_LETTER}+(?:(?:['’]{_LETTER}|(?![\0-\u02ff])[{_marks()}]){_LETTER}*)*")
#: What may stand between the end of one sentence and the next word.
_SENTENCE_END = re.compile(r"(?:^|[.!?:;•*\n\r]|\s[-–—])[\s\"'“”‘’()\[\]*•–—-]*$")
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Mt|Ft)\.[ \t]+$")
_PREFIXES = ("re", "un", "non", "pre", "over", "under", "sub")
#: Endings of words of the trades, and after which letters each stands.
_ENDINGS = re.compile(
    r"(.{3,}(?:(?:[^sxzh]|[^cs]h)(?=s$)|(?:[sxz]|[cs]h)(?=es$)|.e(?=d$)|.[^e](?=(?:ed|ing|ers?)$)))(?:s|es|d|ed|ing|ers?)"
)
#: Shorter words that no list has are abbreviations.
SHORTEST = 4
#: Letters of a word after a prefix, and up to which rank it is one; what is done again may be shorter (rebook).
_STEM, _STEM_RANK = 5, 6_000
_AGAIN = re.compile(r"re([a-z]{4})")
_AGAIN_RANK = 1_500
#: Code points of a word in a dictionary of one's own.
LONGEST_ENTRY = 40


class Word(NamedTuple):
    """A word of a text, with all that is asked of it many times. ``folded`` is lower case with straight apostrophes,
    ``stem`` that without the ending of a possessive; ``end`` is one past the last code point. ``is_name``: it has a
    capital within a sentence."""

    text: str
    start: int
    end: int
    folded: str
    stem: str
    is_name: bool

    def is_among(self, terms: Collection[str]) -> bool:
        """Whether folded words have this one: "hilti's" is known where they have "hilti", and where they have it just
        so, as a dictionary does to which the possessive was added."""
        return self.stem in terms or self.folded in terms


def fold(word: str) -> str:
    """What words are compared by: lower case, straight apostrophes."""
    return word.replace("’", "'").lower()


def folded_words(text: str) -> list[str]:
    """The words of a text in order, folded."""
    return _WORD.findall(fold(text))


def entry(text: str) -> str:
    """A word as a dictionary of one's own keeps it, composed (NFC); empty where the text is no single word as texts are
    cut into, letters with their marks and apostrophes inside, or has more than `LONGEST_ENTRY` code points."""
    composed = unicodedata.normalize("NFC", text)
    return composed if len(composed) <= LONGEST_ENTRY and _WORD.fullmatch(composed) else ""


def words(text: str, begin: int = 0, end: int = sys.maxsize) -> Iterator[Word]:
    """The words of a text in order, or those of ``[begin, end)``. Positions are code points."""
    for found in _WORD.finditer(text, begin, end):
        word, start = found[0], found.start()
        folded = fold(word)
        is_name = word[0].isupper() and not _is_first(text, start)
        yield Word(word, start, found.end(), folded, folded.removesuffix("'s"), is_name)


def _is_first(text: str, start: int) -> bool:
    """Whether the word that starts there begins a sentence."""
    window = max(0, start - 12), start
    return _SENTENCE_END.search(text, *window) is not None and _TITLE.search(text, *window) is None


@dataclass(frozen=True, slots=True)
class Variant:
    """A spelling that only some regions use, and what the others write."""

    regions: frozenset[str]
    instead: str


class Lexicon:
    """The words that are known. ``ranks`` holds English words from the most frequent (0) on, those of the trades
    included, ``trade`` the latter; ``known`` are accepted and never proposed; ``rare`` may be words;
    ``names`` are words of places, known where they have a capital; ``other`` tells whether a further dictionary has a
    word (lower case); ``pairs`` are those that stand beside each other."""

    def __init__(
        self,
        ranks: Mapping[str, int],
        trade: frozenset[str],
        known: frozenset[str],
        rare: frozenset[str],
        variants: Mapping[str, Variant],
        names: frozenset[str],
        other: Callable[[str], bool],
        pairs: Pairs,
    ) -> None:
        self.ranks = ranks
        self.trade = trade
        self.pairs = pairs
        self._known = known
        self._rare = rare
        self._variants = variants
        self._names = names
        self._other = other
        self._listed = lru_cache(maxsize=20_000)(self._look_up)
        #: Words by first letter and length, for the search of candidates.
        self.buckets: dict[tuple[str, int], list[str]] = {}
        for word in ranks:
            self.buckets.setdefault((word[0], len(word)), []).append(word)

    @classmethod
    def of(
        cls, frequent: Iterable[str], trade: Iterable[str], text: Iterable[str], known: Iterable[str],
        rare: Iterable[str], variants: Iterable[str], names: Iterable[str],
        other: Callable[[str], bool], pairs: Pairs,
    ) -> Lexicon:  # fmt: skip
        """From the lines of the word lists. Words of the trades count as fairly frequent, those of their texts as
        somewhat more so than elsewhere: the texts are about them."""
        ranks = {word: rank for rank, word in enumerate(frequent)}
        trade = frozenset(trade)
        ranks.update((word, ranks[word] // _SOMEWHAT_MORE if word in ranks else TRADE_RANK) for word in text)
        ranks.update((word, ranks[word] // _MORE_FREQUENT if word in ranks else TRADE_RANK) for word in trade)
        rows = (line.split("\t") for line in variants)
        spelled = {word: Variant(frozenset(regions.split(",")), instead) for word, regions, instead in rows}
        return cls(ranks, trade, frozenset(known), frozenset(rare), spelled, frozenset(names), other, pairs)

    def knows(self, word: str) -> bool:
        """Whether a folded word is one, also as a possessive, an inflection or with a common prefix."""
        return self._listed(word)

    def is_rare(self, word: str) -> bool:
        """Whether only the further dictionary has a folded word, which nobody of the trades may ever write."""
        bare = word.removesuffix("'s").removesuffix("'")
        return bare not in self.ranks and bare not in self._known and self._other(bare)

    def may_be(self, word: str) -> bool:
        """Whether a folded word that is not known is listed as one that hardly anybody knows."""
        return word in self._rare

    def knows_name(self, word: str) -> bool:
        """Whether a folded word is part of the name of a place."""
        return word.removesuffix("'s").removesuffix("'") in self._names

    def in_region(self, word: str, region: str) -> str:
        """The word as the region spells it."""
        variant = self._variants.get(word)
        return word if variant is None or region in variant.regions else variant.instead

    def foreign_to(self, region: str) -> frozenset[str]:
        """The folded words that the region spells otherwise."""
        return frozenset(word for word in self._variants if self.in_region(word, region) != word)

    def _look_up(self, word: str) -> bool:
        bare = word.removesuffix("'s").removesuffix("'")
        if bare in self.ranks or bare in self._known or self._other(bare) or (bare != word and self._other(word)):
            return True
        ending = _ENDINGS.fullmatch(bare)
        if ending is not None and ending[1] in self.trade:
            return True
        again = _AGAIN.fullmatch(bare)
        if again is not None and self.ranks.get(again[1], _RARE) <= _AGAIN_RANK:
            return True
        stems = (bare.removeprefix(prefix) for prefix in _PREFIXES if bare.startswith(prefix))
        return any(len(stem) >= _STEM and self.ranks.get(stem, _RARE) <= _STEM_RANK for stem in stems)


#: The rank of words of the trades that the frequency list lacks, and how much higher those stand that it has.
TRADE_RANK = 6_000
_RARE = 100_000
_MORE_FREQUENT, _SOMEWHAT_MORE = 8, 2
