"""Which clauses of a note are its description: a log-linear model over every run of clauses.

A run scores what its clauses score inside it, its first clause as a beginning and its last as an end, its length in
words and sentences. The weights are a table that `tools.intake.describing` fits on the labelled notes. Trade words,
numbers, names and places are folded (`clauses.py`), so that what is learned is how people speak of work and of all else.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from server.domain.intake.clauses import Clause
from server.domain.intake.describing_weights import WEIGHTS

#: Two descriptions whose words agree so far (Dice) say the same: two careful readers cut them differently.
ALIKE = 0.8
#: Longer runs are no description.
_LONGEST_RUN = 40
#: Readings that are held against one another.
_READINGS = 10
_STEP = 1.5
_LENGTHS = (2, 3, 5, 9, 15, 21, 29, 41)
_MOST_SENTENCES = 4
_ENDS_SENTENCE = frozenset({"stop", "line", "end"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A description that the note may have, as code points, with how likely it says what a careful reader would write."""

    start: int
    end: int
    chance: float


@dataclass(frozen=True, slots=True)
class Features:
    """What is weighed of each clause: within a description, as its beginning, as its end."""

    inside: tuple[tuple[str, ...], ...]
    begins: tuple[tuple[str, ...], ...]
    ends: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, clauses: Sequence[Clause]) -> Features:
        """The features of a note's clauses, which are in order."""
        sentences = [list(group) for _, group in groupby(clauses, key=lambda one: one.sentence)]
        inside, begins, ends = [], [], []
        for number, clause in enumerate(clauses):
            before = clauses[number - 1] if number else None
            after = clauses[number + 1] if number + 1 < len(clauses) else None
            last = clauses[-1].sentence
            inside.append(
                (
                    *_own(clause),
                    *_around(before, after),
                    *_of_sentence(sentences[clause.sentence], last),
                    f"p {min(number, 3)}",
                    f"q {min(len(clauses) - 1 - number, 3)}",
                )
            )
            begins.append(tuple(_beginning(clause, before, number)))
            following = sentences[after.sentence] if after and after.sentence != clause.sentence else []
            ends.append(tuple(_ending(clause, after, following)))
        return cls(tuple(inside), tuple(begins), tuple(ends))


def readings(clauses: Sequence[Clause], text: str, weights: Mapping[str, float] = WEIGHTS) -> list[Reading]:
    """The likeliest descriptions, the likeliest first: of those that score highest each with the chance that it says
    the same as the right one. Nothing where no clause has a word of its own."""
    if not any(clause.words for clause in clauses):
        return []
    runs = _runs(clauses, text, weights)
    if not runs:
        return []
    highest = max(score for score, _, _ in runs)
    total = math.fsum(math.exp(score - highest) for score, _, _ in runs)
    best = sorted(runs, key=lambda run: (-run[0], run[1], run[2]))[:_READINGS]
    chances = [math.exp(score - highest) / total for score, _, _ in best]
    spans = [trimmed(text, clauses[first].start, clauses[last].end) for _, first, last in best]
    words = [_counted(text[start:end]) for start, end in spans]
    made = [
        Reading(*span, min(1.0, math.fsum(chance for chance, other in zip(chances, words, strict=True) if _same(own, other))))
        for span, own in zip(spans, words, strict=True)
    ]  # fmt: skip
    return sorted(made, key=lambda one: -one.chance)


def _runs(clauses: Sequence[Clause], text: str, weights: Mapping[str, float]) -> list[tuple[float, int, int]]:
    """Score, first and last clause of every run that may be a description."""
    features = Features.of(clauses)
    inside, begins, ends = (
        [math.fsum(weights[name] for name in names if name in weights) for names in part]
        for part in (features.inside, features.begins, features.ends)
    )
    within = list(accumulate(inside, initial=0.0))
    words = list(accumulate((word_count(text[one.start : one.end]) for one in clauses), initial=0))
    stops = list(accumulate((one.closes in _ENDS_SENTENCE for one in clauses), initial=0))
    lengths = [weights.get(f"length {step}", 0.0) for step in range(len(_LENGTHS) + 1)]
    sentences = [weights.get(f"sentences {count}", 0.0) for count in range(_MOST_SENTENCES + 1)]
    ends_here = may_end(clauses)
    return [
        (
            within[last + 1] - within[first] + begins[first] + ends[last]
            + lengths[length_step(words[last + 1] - words[first])]
            + sentences[min(stops[last] - stops[first], _MOST_SENTENCES)],
            first,
            last,
        )
        for first in range(len(clauses))
        for last in range(first, min(first + _LONGEST_RUN, len(clauses)))
        if ends_here[last]
    ]  # fmt: skip


def may_end(clauses: Sequence[Clause]) -> list[bool]:
    """Whether a description may end with each clause: none ends with a sentence that says nothing of its own."""
    telling = {clause.sentence for clause in clauses if not clause.idle}
    return [clause.sentence in telling for clause in clauses]


def run_features(clauses: Sequence[Clause], text: str, first: int, last: int) -> tuple[str, str]:
    """What is weighed of a run as a whole: its length in words, and in sentences."""
    words = sum(word_count(text[one.start : one.end]) for one in clauses[first : last + 1])
    stops = sum(one.closes in _ENDS_SENTENCE for one in clauses[first:last])
    return f"length {length_step(words)}", f"sentences {min(stops, _MOST_SENTENCES)}"


def length_step(words: int) -> int:
    """Which of the lengths that are told apart."""
    return bisect_right(_LENGTHS, words)


def word_count(text: str) -> int:
    """How many words a text has."""
    return len(re.findall(r"\w+", text))


def alike(one: str, other: str, *, without: Collection[str] = ()) -> bool:
    """Whether two descriptions say the same: their words agree by four fifths, but for those ``without`` which they
    are compared."""
    first, second = (
        Counter({word: count for word, count in _counted(text).items() if word not in without}) for text in (one, other)
    )
    return _same(first, second)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A run without the marks around it; a full stop right behind belongs to it."""
    while start < end and text[start] in ' \t\r\n-*•>,–—:|=)"“”.!?/':
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in '"“”|-–—,(/:'):
        end -= 1
    open_bracket = text.count("(", start, end) > text.count(")", start, end)
    end += open_bracket and text[end : end + 1] == ")"
    return (start, end + 1) if text[end : end + 1] in {".", "!", "?"} and end > start else (start, end)


def _counted(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def _same(one: Counter[str], other: Counter[str]) -> bool:
    return 2 * (one & other).total() >= ALIKE * (one.total() + other.total())


def _step(weight: float, most: int) -> int:
    return min(int(weight / _STEP), most)


def _own(clause: Clause) -> Iterator[str]:
    signs, words, weight = clause.signs, clause.words, clause.weight
    yield "bias"
    yield from (f"w {sign}" for sign in dict.fromkeys(signs))
    yield from (f"b {one} {two}" for one, two in zip(["^", *signs], [*signs, "$"], strict=True))
    yield f"c {min(words, 6)}"
    yield f"t {_step(weight, 4)}"
    yield f"ct {min(words, 3)} {_step(weight, 2)}"
    yield f"m {clause.measured:d}"
    yield f"l {clause.label}"
    yield f"o {clause.opens}"
    yield f"x {clause.closes}"
    if all(sign[0] in "<#" for sign in signs):
        yield "no words"


def _around(before: Clause | None, after: Clause | None) -> Iterator[str]:
    if before and before.signs:
        yield f"pf {before.signs[0]}"
        yield f"pl {before.signs[-1]}"
    if after and after.signs:
        yield f"nf {after.signs[0]}"


def _of_sentence(sentence: Sequence[Clause], last: int) -> Iterator[str]:
    signs = [sign for clause in sentence for sign in clause.signs]
    yield from (f"s{length} {' '.join(signs[:length])}" for length in (1, 2, 3))
    yield f"st {_step(sum(clause.weight for clause in sentence), 4)}"
    yield f"sk {min(len(sentence), 4)}"
    yield from (f"sx {sign}" for sign in dict.fromkeys(signs) if sign[0] == "<")
    yield f"sp {min(sentence[0].sentence, 3)}"
    yield f"se {min(last - sentence[0].sentence, 2)}"


def _beginning(clause: Clause, before: Clause | None, number: int) -> Iterator[str]:
    signs = clause.signs or ("",)
    led = (before.signs if before else ("^^",)) or ("",)
    yield f"S o {clause.opens}"
    yield f"S w {signs[0]}"
    yield f"S 2 {' '.join(signs[:2])}"
    yield f"S ow {clause.opens} {signs[0]}"
    yield f"S pl {led[-1]}"
    yield f"S pp {' '.join(led[-2:])}"
    yield f"S op {clause.opens} {led[-1]}"
    yield f"S t {_step(clause.weight, 2)}"
    yield f"S c {min(clause.words, 3)}"
    yield f"S k {min(number, 2)}"
    yield f"S l {clause.label} {before.label if before else ''}"
    yield f"S new {before is None or before.sentence != clause.sentence:d}"
    if before:
        yield f"S pt {_step(before.weight, 3)}"
        yield f"S pc {min(before.words, 3)}"


def _ending(clause: Clause, after: Clause | None, following: Sequence[Clause]) -> Iterator[str]:
    signs = clause.signs or ("",)
    led = (after.signs if after else ("$$",)) or ("",)
    yield f"E x {clause.closes}"
    yield f"E w {signs[-1]}"
    yield f"E 2 {' '.join(signs[-2:])}"
    yield f"E nf {led[0]}"
    yield f"E n2 {' '.join(led[:2])}"
    yield f"E xn {clause.closes} {led[0]}"
    yield f"E c {min(clause.words, 3)}"
    yield f"E t {_step(clause.weight, 2)}"
    yield f"E l {clause.label} {after.label if after else ''}"
    if after:
        yield f"E same {clause.sentence == after.sentence:d}"
        yield f"E nt {_step(after.weight, 3)}"
        yield f"E nc {min(after.words, 3)}"
        yield f"E ntc {_step(after.weight, 1)} {min(after.words, 2)} {clause.closes}"
    if following:
        yield f"E ns {_step(sum(one.weight for one in following), 3)}"
        yield from (
            f"E nx {sign}" for sign in dict.fromkeys(sign for one in following for sign in one.signs) if sign[0] == "<"
        )
