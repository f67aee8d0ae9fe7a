"""Right-to-left text: Arabic letters joined, and the characters of a line in the order in which they are seen.

The order follows the Unicode Bidirectional Algorithm (UAX #9) for text without explicit formatting characters, which
are taken out before (they could make an amount read other than it is): paragraph level (P2, P3), weak types (W1 to W7),
brackets (N0), neutral types (N1, N2), implicit levels (I1, I2), reordering (L1 to L3) and mirroring (L4).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import arabic_reshaper

#: Characters of scripts that are written from right to left; most texts have none.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
_ARABIC = re.compile("[\u0600-\u08ff]")
_MIRRORED = str.maketrans("()[]{}<>«»‹›≤≥", ")(][}{><»«›‹≥≤")
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_BRACKETS = frozenset("()[]{}")
#: Brackets that may be open at once (BD16).
_MOST_OPEN = 63
_NEUTRAL = frozenset({"B", "S", "WS", "ON"})
_RESHAPER = arabic_reshaper.ArabicReshaper({"delete_harakat": True, "ARABIC LIGATURE ALLAH": False})


def has_right_to_left(text: str) -> bool:
    """Whether any character of ``text`` is written from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


def join_letters(text: str) -> str:
    """``text`` with Arabic letters in the forms that they take beside each other; vowel signs are left out."""
    return str(_RESHAPER.reshape(text)) if _ARABIC.search(text) else text


def base_level(text: str) -> int:
    """1 where the first letter of ``text`` is written from right to left, else 0 (rules P2 and P3)."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in {"L", "R", "AL"}:
            return int(kind != "L")
    return 0


def levels_of(text: str) -> list[int]:
    """The embedding level of each character of a paragraph: odd ones read from right to left."""
    base = base_level(text)
    outside = "R" if base else "L"
    kinds = [unicodedata.bidirectional(character) or "L" for character in text]
    _resolve_weak(kinds, outside)
    _resolve_brackets(text, kinds, outside)
    _resolve_neutral(kinds, outside)
    if base:
        return [1 if kind == "R" else 2 for kind in kinds]
    return [{"L": 0, "R": 1}.get(kind, 2) for kind in kinds]


def visual_order(text: str, levels: Sequence[int], base: int) -> str:
    """One line of a paragraph as it is seen from left to right. ``levels`` are those of its characters."""
    units = _units(text, levels)
    while units and units[-1][0].isspace():  # L1: white space at the end of a line is the paragraph's
        units.pop()
    highest = max((level for _, level in units), default=0)
    for level in range(highest, 0, -1):
        start = 0
        while start < len(units):
            end = start
            while end < len(units) and units[end][1] >= level:
                end += 1
            units[start:end] = units[start:end][::-1]
            start = end + 1
    seen = "".join(unit.translate(_MIRRORED) if level % 2 else unit for unit, level in units)
    return seen if base or units else text


def _units(text: str, levels: Sequence[int]) -> list[tuple[str, int]]:
    """Characters with the marks that stand on them, which stay behind them when the order is turned (L3)."""
    units: list[tuple[str, int]] = []
    for character, level in zip(text, levels, strict=True):
        if units and unicodedata.combining(character):
            units[-1] = (units[-1][0] + character, units[-1][1])
        else:
            units.append((character, level))
    return units


def _resolve_weak(kinds: list[str], outside: str) -> None:
    before, strong = outside, outside
    for place, kind in enumerate(kinds):  # W1, W2
        if kind == "NSM":
            kind = before
        if kind in {"L", "R", "AL"}:
            strong = kind
        elif kind == "EN" and strong == "AL":
            kind = "AN"
        kinds[place] = before = kind
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for place in range(1, len(kinds) - 1):  # W4
        left, kind, right = kinds[place - 1 : place + 2]
        if left == right and ((kind in {"ES", "CS"} and left == "EN") or (kind == "CS" and left == "AN")):
            kinds[place] = left
    start = 0
    while start < len(kinds):  # W5, W6
        end = start
        while end < len(kinds) and kinds[end] == "ET":
            end += 1
        if end > start:
            beside = (start and kinds[start - 1] == "EN") or (end < len(kinds) and kinds[end] == "EN")
            kinds[start:end] = ["EN" if beside else "ON"] * (end - start)
        start = end + 1
    strong = outside
    for place, kind in enumerate(kinds):  # W6, W7
        if kind in {"ES", "CS"}:
            kinds[place] = "ON"
        elif kind in {"L", "R"}:
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[place] = "L"


def _resolve_brackets(text: str, kinds: list[str], outside: str) -> None:
    """N0: both brackets of a pair go the way of what they hold, where that or what comes before them says so."""
    for opening, closing in _pairs(text, kinds):
        inside = {_side(kind) for kind in kinds[opening + 1 : closing] if kind in {"L", "R", "EN", "AN"}}
        if outside in inside:
            kinds[opening] = kinds[closing] = outside
        elif inside:
            strong = (_side(kind) for kind in reversed(kinds[:opening]) if kind in {"L", "R", "EN", "AN"})
            kinds[opening] = kinds[closing] = next(strong, outside)


def _pairs(text: str, kinds: Sequence[str]) -> list[tuple[int, int]]:
    """Places of brackets that belong together (BD16), by the opening one."""
    open_ones: list[int] = []
    pairs = []
    for place, character in enumerate(text):
        if kinds[place] != "ON" or character not in _BRACKETS:
            continue
        if character in _CLOSED_BY:
            if len(open_ones) == _MOST_OPEN:
                break
            open_ones.append(place)
            continue
        for depth in range(len(open_ones) - 1, -1, -1):
            if _CLOSED_BY[text[open_ones[depth]]] == character:
                pairs.append((open_ones[depth], place))
                del open_ones[depth:]
                break
    return sorted(pairs)


def _resolve_neutral(kinds: list[str], outside: str) -> None:
    """N1 and N2; numbers count as written from right to left here."""
    start = 0
    while start < len(kinds):
        if kinds[start] not in _NEUTRAL and kinds[start] != "BN":
            start += 1
            continue
        end = start
        while end < len(kinds) and (kinds[end] in _NEUTRAL or kinds[end] == "BN"):
            end += 1
        left = _side(kinds[start - 1]) if start else outside
        right = _side(kinds[end]) if end < len(kinds) else outside
        kinds[start:end] = [left if left == right else outside] * (end - start)
        start = end


def _side(kind: str) -> str:
    return "L" if kind == "L" else "R"
