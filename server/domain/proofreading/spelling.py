"""Misspelled words: candidates within a few slips, ranked by how likely the slip and how frequent the word is."""

from __future__ import annotations

import math
import string
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from server.domain.proofreading.edit import Edit
from server.domain.proofreading.words import SHORTEST, Lexicon, Word

#: Slips that cost less than a letter for another: they are how people mistype and mishear.
_TRANSPOSED = 0.6
_DOUBLED = 0.4
_VOWEL = 0.6
_SOUNDS_ALIKE = 0.65
_SILENT = 0.7
_NEIGHBOUR = 0.85
#: On top, where the first letter is another: that one people mostly get right.
_FIRST_LETTER = 0.8
#: What a doubling of a word's rank costs, in letters.
_RARITY = 0.09
_VOWELS = frozenset("aeiou")
_ALIKE = frozenset(
    frozenset(pair)
    for pair in (
        "cs",
        "ck",
        "sz",
        "gj",
        "iy",
        "ey",
        "mn",
        "dt",
        "bp",
        "fv",
        "xs",
        "kq",
        "uw",
        "ea",
        "ei",
        "ai",
        "oa",
        "ou",
    )
)
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_KEYS = frozenset(
    frozenset(pair)
    for row, below in zip(_ROWS, (*_ROWS[1:], ""), strict=True)
    for pair in (*pairwise(row), *zip(row, below, strict=False), *zip(row[1:], below, strict=False))
)
#: Longer words are searched three letters away, and shorter ones but one.
_LONG, _SHORT = 8, 4
_MOST_CANDIDATES = 60
#: Ranks from which on a word is too rare to be meant, and up to which it is anybody's.
_RARE, _FREQUENT = 25_000, 5_000
#: A word without any of these is an abbreviation.
_VOICED = frozenset("aeiouy")
#: Distinct unknown words of a text for which candidates are searched; a text with more is no text.
MOST_UNKNOWN = 80
_LONGEST = 30
#: Contractions without their apostrophe that are no other word.
_CONTRACTIONS = {
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "wasnt": "wasn't", "couldnt": "couldn't",
    "wouldnt": "wouldn't", "shouldnt": "shouldn't", "hasnt": "hasn't", "havent": "haven't", "hadnt": "hadn't",
    "arent": "aren't", "werent": "weren't", "thats": "that's", "whats": "what's", "youre": "you're",
    "theyre": "they're", "theyve": "they've", "weve": "we've", "youve": "you've", "youll": "you'll",
    "theyll": "they'll", "theres": "there's", "wont": "won't", "cant": "can't", "im": "I'm", "ive": "I've",
}  # fmt: skip
#: Short words that are mistyped so often that they are no abbreviations.
_SHORT_WORDS = {
    "teh": "the", "hte": "the", "adn": "and", "taht": "that", "thta": "that", "wiht": "with",
    "witht": "with", "waht": "what", "ahve": "have", "jsut": "just", "yuo": "you",
    "thier": "their", "alot": "a lot", "aswell": "as well", "infront": "in front", "incase": "in case",
    "atleast": "at least", "eachother": "each other", "wich": "which", "noone": "no one", "calender": "calendar",
}  # fmt: skip
_FIXED = _CONTRACTIONS | _SHORT_WORDS
#: Names of days and months that are no other word.
_CAPITAL = frozenset(
    (
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "april",
        "june", "july", "september", "october", "november", "december",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that may have been meant; ``cost`` in letters, rarity included."""

    word: str
    cost: float


class Speller:
    """Finds misspelled words of one region (US, GB, CA, AU)."""

    def __init__(self, lexicon: Lexicon, region: str) -> None:
        self._lexicon = lexicon
        self._region = region
        self.candidates = lru_cache(maxsize=20_000)(self._candidates)

    def knows(self, word: Word, terms: frozenset[str]) -> bool:
        """Whether nothing is to be said about a word. ``terms`` are the organization's, folded."""
        folded = word.folded
        if folded in _FIXED:
            return word.is_name or word.stem in terms
        return (
            len(folded) < SHORTEST
            or len(folded) > _LONGEST
            or word.is_name
            or not folded.replace("'", "").isascii()
            or word.stem in terms
            or self._lexicon.knows(folded)
            or (word.text[0].isupper() and self._lexicon.knows_name(folded))
        )

    def check(self, words: list[Word], terms: frozenset[str], text: str) -> Iterator[Edit]:
        """An edit for each misspelled word whose right form is clear enough, and for spellings of other regions."""
        looked_up: set[str] = set()
        for word in words:
            if self.knows(word, terms):
                edit = self._spelled(word, terms)
                if edit is not None:
                    yield edit
            elif not (word.end < len(text) and unicodedata.combining(text[word.end])):
                looked_up.add(word.folded)
                if len(looked_up) > MOST_UNKNOWN:
                    return
                edit = self._correct(word)
                if edit is not None:
                    yield edit

    def _spelled(self, word: Word, terms: frozenset[str]) -> Edit | None:
        if word.text in _CAPITAL:
            return Edit(
                word.start, word.end, word.text.capitalize(), "capitalization", "capitalization.calendar",
                "Names of days and months have a capital.", 0.92,
            )  # fmt: skip
        if word.is_name or word.stem in terms:
            return None
        after = self._lexicon.in_region(word.folded, self._region)
        if after == word.folded:
            return None
        return Edit(
            word.start, word.end, _cased(after, word.text), "spelling", "spelling.region",
            f"“{word.text}” is spelled so elsewhere.", 0.92,
        )  # fmt: skip

    def _correct(self, word: Word) -> Edit | None:
        fixed = _FIXED.get(word.folded)
        if fixed is not None:
            rule = "spelling.apostrophe" if "'" in fixed else "spelling.typo"
            return Edit(
                word.start, word.end, _cased(fixed, word.text), "spelling", rule,
                f"“{word.text}” is not a word.", 0.97,
            )  # fmt: skip
        bare = word.stem
        possessive = word.folded.removeprefix(bare)
        if "'" in bare or not _VOICED & set(bare):
            return None  # a name (O'Hare), an abbreviation (wrkng)
        found = self.candidates(bare)
        if not found or (slips(bare, found[0].word) > 1 and self._is_compound(bare)):
            return None
        confidence = sureness(bare, found)
        if word.text[0].isupper() or possessive:
            confidence -= 0.1  # It may be a name.
        if self._lexicon.ranks.get(found[0].word, 0) > _RARE:
            confidence -= 0.25
        first, *others = (_cased(one.word + possessive, word.text) for one in found[:4])
        return Edit(
            word.start, word.end, first, "spelling", "spelling.unknown_word", f"“{word.text}” may be misspelled.",
            round(confidence, 2), tuple(others),
        )  # fmt: skip

    def _is_compound(self, word: str) -> bool:
        """Whether two frequent words are written as one, as trades do (carwash)."""
        ranks = self._lexicon.ranks
        return any(
            max(ranks.get(word[:index], _RARE), ranks.get(word[index:], _RARE)) < _FREQUENT
            for index in range(3, len(word) - 2)
        )

    def _candidates(self, word: str) -> tuple[Candidate, ...]:
        """The words that may have been meant, likeliest first."""
        lexicon = self._lexicon
        found = {other for other in _one_slip(word) if other in lexicon.ranks}
        reach = 3 if len(word) >= _LONG else 1 if len(word) <= _SHORT else 2
        for length in range(max(2, len(word) - reach), len(word) + reach + 1):
            bucket = lexicon.buckets.get((word[0], length), [])
            near = process.extract(word, bucket, scorer=OSA.distance, score_cutoff=reach, limit=_MOST_CANDIDATES)
            found.update(other for other, _, _ in near)
        ranked = sorted(
            (
                Candidate(lexicon.in_region(other, self._region), round(cost(word, other, lexicon.ranks[other]), 4))
                for other in found
            ),
            key=lambda one: (one.cost, one.word),
        )
        distinct = {one.word: one for one in reversed(ranked)}
        return tuple(sorted(distinct.values(), key=lambda one: (one.cost, one.word))[:5])


def sureness(word: str, found: tuple[Candidate, ...]) -> float:
    """Confidence in the first candidate, 0 to 1: the cheaper the slip and the farther the second, the surer."""
    first = found[0].cost
    margin = (found[1].cost if len(found) > 1 else first + 1.5) - first
    short = max(0, 7 - len(word))
    odds = 3.1 - 1.6 * max(0.0, first - 1.0) + 2.6 * min(margin, 1.2) - 0.65 * short
    return max(0.0, min(0.99, 1 / (1 + math.exp(-odds))))


def cost(word: str, other: str, rank: int) -> float:
    """What it takes to mistype ``other`` as ``word``, in letters, and how rare ``other`` is."""
    first = _FIRST_LETTER if word[0] != other[0] and word[:2] != other[1::-1] else 0.0
    return slips(word, other) + first + _RARITY * math.log2(rank + 64)


def slips(word: str, other: str) -> float:
    """Optimal string alignment with cheaper costs for likely slips."""
    before: list[float] = []
    row = [0.0]
    for index in range(len(other)):
        row.append(row[-1] + _insertion(other, index))
    for i, letter in enumerate(word, 1):
        current = [row[0] + _insertion(word, i - 1)]
        for j, wanted in enumerate(other, 1):
            best = min(
                row[j - 1] + (0.0 if letter == wanted else _substitution(letter, wanted)),
                row[j] + _insertion(word, i - 1),
                current[j - 1] + _insertion(other, j - 1),
            )
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted and letter != wanted:
                best = min(best, before[j - 2] + _TRANSPOSED)
            current.append(best)
        before, row = row, current
    return row[-1]


def _insertion(word: str, index: int) -> float:
    letter = word[index]
    if index and word[index - 1] == letter:
        return _DOUBLED
    return _SILENT if letter in "aeiouh" else 1.0


def _substitution(one: str, other: str) -> float:
    if one in _VOWELS and other in _VOWELS:
        return _VOWEL
    pair = frozenset((one, other))
    if pair in _ALIKE:
        return _SOUNDS_ALIKE
    return _NEIGHBOUR if pair in _KEYS else 1.0


def _one_slip(word: str) -> Iterator[str]:
    for index in range(len(word) + 1):
        before, after = word[:index], word[index:]
        for letter in string.ascii_lowercase:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]


def _cased(word: str, like: str) -> str:
    """The word with the capital and the apostrophe of what it replaces."""
    if "’" in like:
        word = word.replace("'", "’")
    return word[0].upper() + word[1:] if like[0].isupper() else word
