"""What it takes to write one word for another: letters and sounds that people mistake, each kind with what it costs.

Costs are in letters, an unlikely letter for another being one. They are fitted to labelled words by
`tools.proofreading.calibrate`, which writes them to `slips.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

#: The kinds of slip: two letters in turned order; a letter for another, by what the two have in common; a letter left
#: out and one too many: the second of a double one, a silent one (e at the end; a vowel or h), any other; a sound
#: spelled as it is elsewhere.
KINDS = (
    "transposed", "vowel", "sounds_alike", "neighbour_key", "letter",
    "double_left_out", "last_e_left_out", "silent_left_out", "left_out",
    "doubled", "last_e_too_many", "silent_too_many", "too_many", "sound",
)  # fmt: skip
_VOWELS = frozenset("aeiouy")
_SILENT = frozenset("aeiouh")
_ALIKE = frozenset(map(frozenset, ("cs", "ck", "sz", "gj", "mn", "dt", "bp", "fv", "xs", "kq", "uw")))
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_KEYS = frozenset(
    frozenset(pair)
    for row, below in zip(_ROWS, (*_ROWS[1:], ""), strict=True)
    for pair in (*pairwise(row), *zip(row, below, strict=False), *zip(row[1:], below, strict=False))
)
#: Spellings of a sound that stand for one another, either way.
_EITHER_WAY = (
    "f/ph ite/ight ck/k ck/c c/ss s/c cks/x ks/x sh/sc sh/ch ch/tch j/dge ge/dge j/g ue/ew oo/ue oo/ew oo/u "
    "oo/ou ee/ea ee/ie ie/ei y/ie y/ey ay/ai a/ai ei/ai are/air ale/ail ane/ain ou/ow o/au o/aw aw/au o/ow "
    "o/oa ow/oa le/al le/el cle/cal ical/acle or/er ar/er ar/or er/re ur/er ir/er ir/ur ace/is ice/is "
    "ence/ance ent/ant able/ible us/ous ise/ize t/tte z/s sk/sc tion/sion i/y"
)  # fmt: skip
#: Spellings that are written for others, seldom the other way: as it is heard.
_AS_HEARD = (
    "shun/tion shun/cian shon/tion shon/cion cion/tion sh/ti q/ck kw/qu ix/icks iss/ice er/ure ee/is w/wh n/kn "
    "n/gn r/wr m/mb et/ette s/se v/f f/gh u/ough ow/ough off/ough uff/ough"
)  # fmt: skip
#: Letters at either end of what two words share that their sounds may begin or end with.
_SHARED = 2


def _spellings() -> Iterator[tuple[str, str]]:
    for text in _EITHER_WAY.split():
        one, other = text.split("/")
        yield one, other
        yield other, one
    for text in _AS_HEARD.split():
        one, other = text.split("/")
        yield one, other


#: What is written and what was meant.
SPELLINGS = tuple(dict.fromkeys(_spellings()))


class Slips:
    """Costs of slips by kind (`KINDS`)."""

    def __init__(self, costs: Mapping[str, float]) -> None:
        self._transposed, self._sound = costs["transposed"], costs["sound"]
        letters = "abcdefghijklmnopqrstuvwxyz"
        self._letter = costs["letter"]
        self._letters = {a + b: 0.0 if a == b else costs[_kind(a, b)] for a in letters for b in letters}
        self._left_out = tuple(costs[kind] for kind in KINDS[5:9])
        self._too_many = tuple(costs[kind] for kind in KINDS[9:13])
        self._spellings: dict[str, list[tuple[str, str]]] = {}
        for written, meant in SPELLINGS:
            self._spellings.setdefault(written[-1] + meant[-1], []).append((written, meant))

    def __call__(self, word: str, other: str) -> float:
        """What it costs to write ``other`` as ``word``: the cheapest alignment of what they do not share."""
        length = min(len(word), len(other))
        begin = next((i for i in range(length) if word[i] != other[i]), length)
        shared = next((i for i in range(length - begin) if word[-1 - i] != other[-1 - i]), length - begin)
        begin, shared = max(0, begin - _SHARED), max(0, shared - _SHARED)
        left_out = [self._one_more(other, index, self._left_out) for index in range(begin, len(other) - shared)]
        row = [0.0]
        for each in left_out:
            row.append(row[-1] + each)
        rows = [row]
        for i in range(begin, len(word) - shared):
            letter, too_many = word[i], self._one_more(word, i, self._too_many)
            row, above = [rows[-1][0] + too_many], rows[-1]
            for k, without in enumerate(left_out):
                j = begin + k
                both = letter + other[j]
                best = min(above[k] + self._letters.get(both, self._letter), above[k + 1] + too_many, row[k] + without)
                if k and i > begin and letter == other[j - 1] and word[i - 1] == other[j] and letter != other[j]:
                    best = min(best, rows[-2][k - 1] + self._transposed)
                for written, meant in self._spellings.get(both, ()):
                    up, left = i + 1 - begin - len(written), k + 1 - len(meant)
                    if (
                        up >= 0
                        and left >= 0
                        and word.startswith(written, begin + up)
                        and other.startswith(meant, begin + left)
                    ):
                        best = min(best, rows[up][left] + self._sound)
                row.append(best)
            rows.append(row)
        return rows[-1][-1]

    def _one_more(self, word: str, index: int, costs: tuple[float, ...]) -> float:
        double, last_e, silent, other = costs
        letter = word[index]
        if index and word[index - 1] == letter:
            return double
        if letter == "e" and index == len(word) - 1:
            return last_e
        return silent if letter in _SILENT else other


def respelled(word: str) -> Iterator[str]:
    """The word with one sound spelled as it is elsewhere."""
    for written, meant in SPELLINGS:
        index = word.find(written)
        while index >= 0:
            yield word[:index] + meant + word[index + len(written) :]
            index = word.find(written, index + 1)


def _kind(one: str, other: str) -> str:
    if one in _VOWELS and other in _VOWELS:
        return "vowel"
    pair = frozenset((one, other))
    if pair in _ALIKE:
        return "sounds_alike"
    return "neighbour_key" if pair in _KEYS else "letter"
