"""Summing: what several figures of one answer come to.

They are added up only where nothing but places stands between them; what is put right holds, a range is its higher end.
Whatever else joins two figures leaves open which of them is meant.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from decimal import Decimal

from server.domain.drafting.amounts import CORRECTS
from server.domain.drafting.combining import PARTS
from server.domain.drafting.matching import lemma
from server.domain.drafting.numbers import Kind, Token, tokenize
from server.domain.drafting.quantities import ELSEWHERE, NOT_COUNTED, Quantity, Role
from server.domain.units import UNITS, dimension, factor

#: Two figures as near as this are one, said in two units.
_SAME = Decimal("0.05")
#: "30 m2, not 40 m2": right before the one that does not hold.
_NOT = re.compile(r"\b(?:not|instead of|rather than|it was|was|used to be)(?: the| about)?\s*$", re.IGNORECASE)
#: "3, no 4", "it was 40 m2 but now 30 m2": between what is put right and what holds; what may stand with it.
_PUTS_RIGHT = frozenset({"no", "wait", "now", "sorry", "actually", "rather"})
_BESIDE = frozenset(
    ["but", "and", "so", "then", "or", "it's", "it’s", "its", "it", "is", "make", "that", "only", "about", "maybe", ",",
     ".", ";", ":", "(", ")", "-", "–", "—", "even", "up", "to", "perhaps", "possibly"]
)  # fmt: skip
#: "40 m2 or 50 m2", "3 or maybe 4"; of figures with units, a dash too.
_OPEN = frozenset({"or", "to", "maybe", "perhaps", "possibly"})
_DASHES = frozenset({"-", "–", "—"})
#: What says that one figure is what the others come to.
_IN_ALL = re.compile(r"\b(?:so|total|totals|altogether|together|in all|makes|making|overall)\b|=", re.IGNORECASE)
_IN_PARTS = re.compile(r"\b(?:total|altogether|in all|overall)\b|:|\(", re.IGNORECASE)
#: "3 doors, 2 of them glazed": behind a figure that is one of the part before.
_OF_THEM = re.compile(r"\W*(?:of (?:them|these|those|which|the)\b)", re.IGNORECASE)
#: What joins figures that add up, and what else may be said with it.
_JOINS = frozenset({"and", "plus", "+", ",", "&", "then", ";", "."})
_SAYS_NOTHING = frozenset(
    ["the", "a", "an", "my", "our", "this", "that", "one", "ones", "another", "further", "more", "also", "extra",
     "about", "is", "are", "there", "of", "other", "long", "short", "each", "i", "think", "(", ")", ":", "too",
     "around", "say", "approx", "roughly", "wall", "ceiling", "floor", "so", "have", "we", "got", "s", "it",
     "just", "only"]
)  # fmt: skip
#: Where something is, in so many words behind its preposition.
_WHERE = ELSEWHERE | {"across", "to", "from", "with", "round", "through"}
_LONGEST_PLACE = 4
#: What takes away or leaves open, wherever it stands between.
_UNCLEAR = frozenset(
    ["less", "fewer", "minus", "without", "except", "than", "not", "no", "never", "but", "or", "instead", "if", "which",
     "deduct", "subtract", "excluding", "apart", "x", "×", "/", "times", "per", "between", "of"]
)  # fmt: skip
#: What may be said in place of a thing that is counted.
_GENERIC = frozenset(
    ["one", "them", "unit", "piece", "pc", "pcs", "number", "item", "thing", "set", "pair", "no", "nr", "off", "of",
     "place", "side", "floor", "location", "position", "spot"]
)  # fmt: skip
_LONGEST_NAME = 4


class UnclearError(ValueError):
    """Nothing tells which figure of an answer is meant."""


def without_others(
    answer: str, counts: Sequence[Quantity], own: Set[str], knows: Callable[[str], bool]
) -> list[Quantity]:
    """The counts but those of other things: of "3 doors and 2 windows" the doors. ``own``: lemmas of what was asked
    for; ``knows`` says whether a lemma is one of the trades'."""
    named = [_named(answer, one) for one in counts]
    told = any(not own.isdisjoint(map(lemma, words)) for words in named)
    found: list[Quantity] = []
    for one, words in zip(counts, named, strict=True):
        lemmas = [lemma(word) for word in words]
        plural = bool(words) and words[-1].endswith("s") and lemmas[-1] != words[-1]
        place = not PARTS.isdisjoint(lemmas)
        behind = answer[: one.span.start].lower().split()[-1:]
        if place and own.isdisjoint(lemmas) and behind and behind[0] in _WHERE:
            continue  # "3 doors in 2 rooms"
        mine = not words or place or not (own | _GENERIC).isdisjoint(lemmas)
        if mine or not (knows(lemmas[-1]) or told) or not (plural or one.value == 1):
            found.append(one)
    return found


def _named(answer: str, count: Quantity) -> list[str]:
    """The words of what is counted: of "3 white doors in the hall" the white doors."""
    words: list[str] = []
    # A figure ends behind its noun in some, before it in others.
    said = answer[count.span.start : count.span.end].split()[1:]
    for token in tokenize(" ".join((*said, answer[count.span.end :]))):
        if token.kind is not Kind.WORD or token.text in NOT_COUNTED | ELSEWHERE or len(words) == _LONGEST_NAME:
            break
        words.append(token.text)
    return words


def held(answer: str, figures: Sequence[Quantity]) -> list[Quantity]:
    """The figures of one kind that hold, in order: those that were put right, or are said not to be it, left out; the
    ends of a range as one. Raises `UnclearError` where one of several is put right."""
    found: list[Quantity] = []
    end = 0
    for one in sorted(figures, key=lambda one: one.span.start):
        between, said = answer[end : one.span.start], answer[end : one.span.end]
        end = one.span.end
        gone = _NOT.search(between)
        if gone is not None and (found or "was" not in gone[0].lower()):
            continue
        if found and (CORRECTS.search(said) or _says(between, _PUTS_RIGHT, one)):
            if len(found) > 1:
                raise UnclearError
            found = [one]
        elif found and _says(between, _OPEN if one.role is Role.COUNT or one.assumed_unit else _OPEN | _DASHES, one):
            found[-1] = _range(found[-1], one)
        else:
            found.append(one)
    return found


def _says(between: str, what: Set[str], figure: Quantity) -> bool:
    """Whether nothing stands between two figures but ``what`` says so, behind the name of what is counted."""
    said = [token.text for token in tokenize(between)]
    if figure.role is Role.COUNT:
        said = [*itertools.dropwhile(lambda one: one.isalpha() and one not in what | _BESIDE, said)]
    return not what.isdisjoint(said) and what | _BESIDE | _PUTS_RIGHT >= set(said)


def _range(first: Quantity, second: Quantity) -> Quantity:
    """Two ends as one figure, which is the higher; of two surfaces that have sides, the larger."""
    if first.sides:
        return max(first, second, key=lambda one: one.value)
    scale = factor(first.unit, second.unit) if first.unit in UNITS and second.unit in UNITS else Decimal(1)
    lower, higher = first.value * scale, second.value
    low, high = min(lower, higher), max(lower, higher)
    whole = replace(second.span, start=first.span.start)
    return replace(second, value=high, low=low, high=high, span=whole)


def together(answer: str, figures: Sequence[Quantity]) -> Quantity:
    """What the figures of one kind come to ("3 m at the back and 2 m in front"), the last or the first alone where
    that is said to be their sum. Raises `UnclearError`."""
    figures = [
        one
        for number, one in enumerate(figures)
        if not number or not _OF_THEM.match(answer, one.span.end) or _OF_THEM.match(answer, figures[0].span.end)
    ]
    if not figures:
        raise UnclearError
    joints = [answer[one.span.end : other.span.start] for one, other in itertools.pairwise(figures)]
    if not joints:
        return figures[0]
    first, last = figures[0], figures[-1]
    before = sum(_scaled(one, last) for one in figures[:-1])
    behind = sum(_scaled(one, first) for one in figures[1:])
    tail = joints[-1] + answer[last.span.start :]
    if last.value == before and (len(figures) > 2 or _IN_ALL.search(tail)):
        return last
    parted = _IN_PARTS.search(joints[0]) or (first.role is Role.COUNT and _is_name(joints[0]))
    if first.value == behind and len(figures) > 2 and parted:
        return first  # "10 doors, 8 double and 2 single"
    total, low, high = first.value, first.low, first.high
    previous = first
    for joint, other in zip(joints, figures[1:], strict=True):
        value = _scaled(other, first)
        same = other.unit != first.unit and abs(value - _scaled(previous, first)) <= _SAME * first.value
        previous = other
        if same:
            continue
        if not _adds(joint, counts=first.role is Role.COUNT):
            raise UnclearError
        scale = value / other.value if other.value else Decimal(1)
        total, low, high = total + value, low + other.low * scale, high + other.high * scale
    return replace(first, value=total, low=low, high=high, span=replace(first.span, end=last.span.end))


def _scaled(figure: Quantity, to: Quantity) -> Decimal:
    known = figure.unit in UNITS and to.unit in UNITS and dimension(figure.unit) is dimension(to.unit)
    return figure.value * factor(figure.unit, to.unit) if known else figure.value


def _adds(joint: str, *, counts: bool) -> bool:
    """Whether nothing stands between two figures but what joins them, places, and what is counted."""
    tokens = tokenize(joint)
    name = True
    place = 0
    joined = False
    for token in tokens:
        if token.text in _JOINS:
            name, place, joined = False, 0, True
        elif token.text in _UNCLEAR - {"of"} or _IN_ALL.fullmatch(token.text):
            return False
        elif token.text in _WHERE:
            name, place, joined = False, _LONGEST_PLACE, True
        elif token.text in _SAYS_NOTHING or lemma(token.text) in PARTS:
            joined = joined or lemma(token.text) in PARTS
        elif place and _is_word(token):
            place -= 1
        elif not (counts and name and _is_word(token)):
            return False
    return joined


def _is_name(joint: str) -> bool:
    """Whether nothing but what is counted stands before a comma: no place."""
    *words, last = [token.text for token in tokenize(joint)] or [""]
    return last == "," and bool(words) and all(one.isalpha() and lemma(one) not in PARTS | _WHERE for one in words)


def _is_word(token: Token) -> bool:
    return token.kind is Kind.WORD
