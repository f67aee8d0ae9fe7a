"""Figures that belong together: so many of each, and lists that add up ("12x12 and 10x11", "4 downpipes, 2.5 m each").

Nothing is added up across clauses of different work; what was put together is said as an assumption.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from server.domain.drafting.items import Item, Measured, inside, plain
from server.domain.drafting.matching import ROOMS, lemma
from server.domain.drafting.quantities import Quantity, Role
from server.domain.units import UNITS, Dimension, dimension, factor

_EACH_AFTER = re.compile(r"\W{0,3}(?:each|apiece|ea\b|per (?:one|room|window|door|piece|wall|side))", re.IGNORECASE)
_EACH_BEFORE = re.compile(
    r"\beach(?: (?:one|wall|room|bedroom|ceiling|window))?(?: is| are| about| approx\.?| approximately| around| roughly"
    r"|:){0,3}\W{0,2}$|@\s?$", re.IGNORECASE,
)  # fmt: skip
#: What is left out of a surface: "28 x 44, minus the 12x12 part".
_LESS = re.compile(
    r"\b(?:minus|less|leav(?:e|ing) out|without|not counting|except(?: for)?|excluding|deduct)\b[^.;]*$", re.IGNORECASE
)
#: "2 runs of 45 ft".
_RUNS = re.compile(
    r"\s*(?:runs?|lengths?|sections?|pieces?|strips?|stretches|rows?|sides?) (?:of|at|@) (?:about |approx\.? )?$",
    re.IGNORECASE,
)
_BOTH_SIDES = re.compile(
    r"\b(?:sides|ends|front and (?:back|rear)|back and front)(?: are| is|:|,)?(?: about| approx\.?)?\s*$", re.IGNORECASE
)
_AND = re.compile(r"(?:\band\b|\bplus\b|&|\+)", re.IGNORECASE)
_ENDS_LIST = re.compile(r"[.;:\n]|\bor\b|\bby\b|\bto\b|\bfrom\b|\bof\b", re.IGNORECASE)
#: Parts of what is measured, by which it may be told one by one.
PLACES = ROOMS | {
    "sitting", "landing", "utility", "den", "nursery", "spare", "box", "main", "master", "small", "large", "big",
    "other", "upstairs", "downstairs", "front", "back", "rear", "left", "right", "side", "end",
}  # fmt: skip
#: Characters and words between two figures of one list.
_LONGEST_GAP = 40
_MOST_WORDS = 5
#: Two figures as near as this are one, said in two units.
_SAME = Decimal("0.05")
#: Characters around a figure in which "each" stands.
_NEAR = 30
#: What a count beside a measure describes and does not multiply.
_NO_MULTIPLE = frozenset({"coat", "story", "side", "day", "week", "hour", "person", "men", "man", "layer", "gang"})


def combined(figures: Sequence[Quantity], item: Item, text: str, one: Callable[[Quantity], Measured]) -> Measured:
    """What the figures of one dimension come to: the first of the item's own clause, times the count where it is said
    of each, plus those that are listed with it. ``one`` measures a single figure."""
    own = [figure for figure in figures if inside(figure, item.clause)] or list(figures)
    # A list may go on behind its clause: "front 52x9, back 52x9", "28 x 44, minus the 12x12 part".
    listed = _listed([*own, *(one for one in figures if one.span.start >= own[-1].span.end)], text)
    parts = [_times(one(figure), figure, item, text) for figure in listed]
    total, sum_ = parts[0], text[listed[0].span.start : listed[0].span.end]
    for figure, part in zip(listed[1:], parts[1:], strict=True):
        if total.value is None or part.value is None or dimension(total.unit) is not dimension(part.unit):
            return total
        less = figure.sides and _LESS.search(text[max(0, figure.span.start - _LONGEST_GAP) : figure.span.start])
        value = total.value + part.value * factor(part.unit, total.unit) * (-1 if less else 1)
        if value <= 0:
            return total
        sum_ += f" {'−' if less else '+'} {text[figure.span.start : figure.span.end]}"
        said = " ".join(dict.fromkeys(filter(None, (total.assumption, part.assumption))))
        total = replace(total, value=value, assumption=said, reason=total.reason or part.reason)
    if len(parts) > 1 and total.value is not None:
        said = f"{total.assumption} Added up: {sum_} = {plain(total.value)} {total.unit}.".strip()
        return replace(total, assumption=said, confidence=min(total.confidence, Decimal("0.85")))
    left = [figure for figure in own[1:] if not _says_again(own[0], figure)]
    if left:
        others = ", ".join(text[figure.span.start : figure.span.end] for figure in left[:3])
        reason = f"The request also gives {others} here; check which applies."
        return replace(total, confidence=Decimal("0.7"), reason=reason)
    return total


def _listed(own: Sequence[Quantity], text: str) -> list[Quantity]:
    """The first figure and those that are listed with it; of commas alone only where "and" comes at the end."""
    listed, open_ = [own[0]], 0
    for figure in own[1:]:
        between = text[listed[-1].span.end : figure.span.start]
        alike = figure.unit == listed[-1].unit and not figure.axis and not listed[-1].axis
        by_comma = not _is_listed(listed[-1], figure, text)
        if by_comma and not (alike and between.strip() == ","):
            break
        if not by_comma and alike and _AND.search(between):
            open_ = 0
        if not _says_again(listed[0], figure):
            listed.append(figure)
            open_ += by_comma
    return listed[: len(listed) - open_]


def _times(measured: Measured, figure: Quantity, item: Item, text: str) -> Measured:
    count = multiple(figure, item, text)
    number = count.value if count is not None else _sides_told(figure, text)
    if number == 1 or measured.value is None:
        return measured
    said = f"{plain(number)} × {text[figure.span.start : figure.span.end]}"
    value = measured.value * number
    return replace(
        measured, value=value, confidence=min(measured.confidence, Decimal("0.9")),
        assumption=f"{measured.assumption} {said} = {plain(value)} {measured.unit}.".strip(),
    )  # fmt: skip


def _sides_told(figure: Quantity, text: str) -> Decimal:
    """ "Sides 30x9 each": a house, a yard has two."""
    before = text[max(0, figure.span.start - _NEAR) : figure.span.start]
    each = _EACH_AFTER.match(text, figure.span.end, figure.span.end + _NEAR)
    return Decimal(2) if each is not None and _BOTH_SIDES.search(before) else Decimal(1)


def multiple(figure: Quantity, item: Item, text: str) -> Quantity | None:
    """The count that the figure is said of each of, None where it is said of all."""
    counts = [
        one
        for one in item.figures
        if one.role is Role.COUNT and one.value > 1 and lemma(one.noun) not in _NO_MULTIPLE and one.unit == "each"
    ]
    if not counts:
        return None
    before = text[max(0, figure.span.start - _NEAR) : figure.span.start]
    after = text[figure.span.end : figure.span.end + _NEAR]
    nearest = max(counts, key=lambda one: (one.span.end <= figure.span.start, one.span.start))
    if _EACH_AFTER.match(after) or _EACH_BEFORE.search(before):
        return nearest
    runs = next((one for one in counts if _RUNS.fullmatch(text[one.span.end : figure.span.start])), None)
    if runs is not None:
        return runs
    # "3 sealed units, 1 m x 1.2 m": the size of one of the things counted.
    things = item.match.words if item.match else frozenset()
    close = 0 <= figure.span.start - nearest.span.end <= _LONGEST_GAP
    return nearest if figure.sides and close and lemma(nearest.noun) in things | _SURFACES else None


_SURFACES = frozenset({"wall", "ceiling", "panel", "pane", "unit", "window", "blind", "slab", "cracked", "bay"})


def _is_listed(first: Quantity, second: Quantity, text: str) -> bool:
    between = text[first.span.end : second.span.start]
    if (
        len(between) > _LONGEST_GAP
        or _ENDS_LIST.search(between)
        or len(re.findall(r"[A-Za-z]+", between)) > _MOST_WORDS
    ):
        return False
    if second.sides and _LESS.search(between):
        return True
    place = re.findall(r"[a-z]+", between.lower())
    if "," in between and place and lemma(place[-1]) in PLACES and first.unit == second.unit:
        return True  # "hall 9 m, sitting room 17 m"
    return _AND.search(between) is not None or _says_again(first, second) or (bool(first.sides) and "," in between)


def _says_again(first: Quantity, second: Quantity) -> bool:
    """The same figure in another unit: "60 m2 (645 sq ft)"."""
    if first.unit == second.unit and bool(first.sides) != bool(second.sides):
        return abs(second.value - first.value) <= _SAME * first.value
    if first.unit == second.unit or first.unit not in UNITS or second.unit not in UNITS:
        return False
    if dimension(first.unit) is not dimension(second.unit) or dimension(first.unit) is Dimension.COUNT:
        return False
    return abs(second.value * factor(second.unit, first.unit) - first.value) <= _SAME * first.value
