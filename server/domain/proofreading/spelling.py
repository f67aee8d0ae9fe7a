"""Misspelled words: candidates within a few slips, ranked by how likely the slip and how frequent the word is."""

from __future__ import annotations

import math
import string
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from server.domain.proofreading.edit import Edit
from server.domain.proofreading.words import SHORTEST, Lexicon, Word

#: Slips that cost less than a letter for another: they are how people mistype and mishear.
_TRANSPOSED = 0.4
_VOWEL = 0.65
_SOUNDS_ALIKE = 0.52
_NEIGHBOUR = 0.78
#: Letters that were left out, and letters too many: the second of a double one, one that is hardly heard, any other.
_LEFT_OUT = (0.15, 0.34, 0.52)
_TOO_MANY = (0.47, 0.75, 0.94)
#: On top, where the first or last letter is another: those people mostly get right.
_FIRST_LETTER, _LAST_LETTER = 0.53, 0.3
#: What a doubling of a word's rank costs, in letters.
_RARITY = 0.11
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
_LONG, _SHORT = 7, 4
_MOST_CANDIDATES = 60
#: Candidates that are kept of a word; the words beside it may turn their order.
_KEPT = 8
#: What a level of the pair with the word before or after is worth, in letters.
_BESIDE = 0.12
#: Words up to this rank (the, of, is) stand beside any other.
_EVERYWHERE = 150
#: A second candidate farther behind than this tells nothing more.
_FAR = 1.5
_SUREST = 0.99
#: The rank of a word that no list has, and up to which a word is anybody's.
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
    "wierd": "weird", "peice": "piece", "peices": "pieces", "rythm": "rhythm", "sieze": "seize", "siezed": "seized",
    "collegue": "colleague", "collegues": "colleagues", "fourty": "forty", "nineth": "ninth", "probly": "probably",
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


#: What `Speller.signs` gives: costs in letters, lengths in letters beside the usual, the rank's logarithm.
SIGNS = ("cost", "margin", "slips", "short", "long", "first_letter", "compound", "rarity")


@dataclass(frozen=True, slots=True)
class Sureness:
    """How likely a correction is right, by its signs: a logistic regression, fitted to labelled words
    (`tools.proofreading.calibrate`). ``weights`` are those of `SIGNS`."""

    bias: float
    weights: tuple[float, ...]

    def __call__(self, signs: tuple[float, ...]) -> float:
        """0 to `_SUREST`."""
        odds = self.bias + sum(weight * sign for weight, sign in zip(self.weights, signs, strict=True))
        return min(_SUREST, 1 / (1 + math.exp(-max(-30.0, odds))))


class Speller:
    """Finds misspelled words of one region (US, GB, CA, AU)."""

    def __init__(self, lexicon: Lexicon, region: str, sureness: Sureness) -> None:
        self._lexicon = lexicon
        self._region = region
        self._sureness = sureness
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
        for index, word in enumerate(words):
            if self.knows(word, terms):
                edit = self._spelled(word, terms)
                if edit is not None:
                    yield edit
            elif not (word.end < len(text) and unicodedata.combining(text[word.end])):
                looked_up.add(word.folded)
                if len(looked_up) > MOST_UNKNOWN:
                    return
                before = words[index - 1] if index else None
                after = words[index + 1] if index + 1 < len(words) else None
                edit = self._correct(
                    word,
                    before.folded if before is not None and text[before.end : word.start] == " " else "",
                    after.folded if after is not None and text[word.end : after.start] == " " else "",
                )
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

    def _correct(self, word: Word, before: str, after: str) -> Edit | None:
        fixed = _FIXED.get(word.folded)
        if fixed is not None:
            rule = "spelling.apostrophe" if "'" in fixed else "spelling.typo"
            return Edit(
                word.start, word.end, _cased(fixed, word.text), "spelling", rule,
                f"“{word.text}” is not a word.", 0.97,
            )  # fmt: skip
        bare = word.stem
        possessive = word.folded.removeprefix(bare)
        if not self.corrects(bare):
            return None
        found = self.meant(bare, before, after if not possessive else "")
        if not found:
            return None
        confidence = self._sureness(self.signs(bare, found))
        if word.text[0].isupper() or possessive:
            confidence -= 0.1  # It may be a name.
        first, *others = (_cased(one.word + possessive, word.text) for one in found[:4])
        return Edit(
            word.start, word.end, first, "spelling", "spelling.unknown_word", f"“{word.text}” may be misspelled.",
            round(max(0.0, confidence), 2), tuple(others),
        )  # fmt: skip

    def corrects(self, word: str) -> bool:
        """Whether a folded word may be a misspelled one: not known, no name (O'Hare), no abbreviation (wrkng)."""
        return "'" not in word and bool(_VOICED & set(word)) and not self._lexicon.knows(word)

    def meant(self, word: str, before: str, after: str) -> tuple[Candidate, ...]:
        """The words that may have been meant between two others, likeliest first; empty where there is no word beside
        it."""
        level, tells = self._lexicon.pairs.level, self._tells
        beside = []
        for one in self.candidates(word):
            levels = (level(before, one.word) if tells(before) else 0) + (level(one.word, after) if tells(after) else 0)
            beside.append(Candidate(one.word, round(one.cost - _BESIDE * levels, 4)))
        return tuple(sorted(beside, key=lambda one: (one.cost, one.word)))

    def _tells(self, neighbour: str) -> bool:
        """Whether a neighbour tells what stands beside it; what stands beside everything does not."""
        return self._lexicon.ranks.get(neighbour, 0) >= _EVERYWHERE

    def signs(self, word: str, found: tuple[Candidate, ...]) -> tuple[float, ...]:
        """What tells how likely the first candidate is right, as `SIGNS` names it."""
        first = found[0]
        second = found[1].cost if len(found) > 1 else math.inf
        return (
            first.cost,
            min(second - first.cost, _FAR),
            slips(word, first.word),
            float(max(0, 7 - len(word))),
            float(max(0, len(word) - 10)),
            float(word[0] != first.word[0]),
            float(self._is_compound(word)),
            math.log2(self._lexicon.ranks.get(first.word, _RARE) + 64),
        )

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
        return tuple(sorted(distinct.values(), key=lambda one: (one.cost, one.word))[:_KEPT])


def cost(word: str, other: str, rank: int) -> float:
    """What it takes to mistype ``other`` as ``word``, in letters, and how rare ``other`` is."""
    first = _FIRST_LETTER if word[0] != other[0] and word[:2] != other[1::-1] else 0.0
    last = _LAST_LETTER if word[-1] != other[-1] and word[-2:] != other[:-3:-1] else 0.0
    return slips(word, other) + first + last + _RARITY * math.log2(rank + 64)


def slips(word: str, other: str) -> float:
    """Optimal string alignment with cheaper costs for likely slips."""
    before: list[float] = []
    left_out = [_one_more(other, index, _LEFT_OUT) for index in range(len(other))]
    row = [0.0, *accumulate(left_out)]
    for i, letter in enumerate(word, 1):
        too_many = _one_more(word, i - 1, _TOO_MANY)
        current = [row[0] + too_many]
        for j, wanted in enumerate(other, 1):
            best = min(
                row[j - 1] + (0.0 if letter == wanted else _substitution(letter, wanted)),
                row[j] + too_many,
                current[j - 1] + left_out[j - 1],
            )
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted and letter != wanted:
                best = min(best, before[j - 2] + _TRANSPOSED)
            current.append(best)
        before, row = row, current
    return row[-1]


def _one_more(word: str, index: int, costs: tuple[float, float, float]) -> float:
    double, silent, other = costs
    letter = word[index]
    if index and word[index - 1] == letter:
        return double
    return silent if letter in "aeiouh" else other


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
