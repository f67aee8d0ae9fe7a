"""Totals: the sum of its parts that a request tells itself ("so 53 sf altogether", "75 total", "I make it 36 m2")."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from decimal import Decimal

from server.domain.drafting.amounts import sums_up
from server.domain.drafting.counting import is_told_beside
from server.domain.drafting.items import Item, Measured, plain, shown
from server.domain.drafting.matching import ROOMS, lemma, lemmas_of
from server.domain.drafting.patterns import cues, folded
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.drafting.scope import Scope
from server.domain.drafting.some import share_told
from server.domain.units import UNITS, Dimension, dimension, factor

#: What is added up, and what says that a figure is a sum.
_SUMMED = frozenset({Dimension.COUNT, Dimension.LENGTH, Dimension.AREA, Dimension.VOLUME})
_BEFORE = cues(
    r"(?:\bso|\btotal(?:s|ing|ling)?(?: is| of)?:?|\bi make (?:it|that)|\b(?:comes|adds up) to|=|\bcall it) "
    r"?(?:about |roughly |approx\.? |around )?$",
)
_BEHIND = re.compile(
    r"(?: [a-z]+)?\W{0,2}(?:in (?:all|total)|altogether|total|overall|all up|all told|combined)\b", re.IGNORECASE
)
_WITHIN = 24
#: What is told of the whole place is no sum: "paint 400 sq ft of walls, the house is 2,000 sq ft total".
_OF_ALL = re.compile(
    r"\b(?:house|home|lot|property|building|yard|condo|apartment|flat)(?: is| has|,)*(?: about)? $", re.IGNORECASE
)
#: What a count names where it sums up without saying of what.
_UNNAMED = frozenset({"", "them", THERE, "unit", "total", "all"})
#: As many items as may be summed up.
_SEVERAL = 2


def told_total(item: Item, later: Iterable[Item], scope: Scope) -> Measured | None:
    """How much of an item its sentence says there is in all, where it says so once, before the next of the ``later``
    items that is measured alike. Not less than any part that is told."""
    if item.match is None or len(scope.sections.all) > 1:
        return None
    name, of = item.match.task.name, dimension(item.match.task.unit)
    if of not in _SUMMED:
        return None
    end = scope.sentence_of(item.clause)[1]
    alike = (one.clause.start for one in later if one.match is not None and dimension(one.match.task.unit) is of)
    end = min(end, next((start for start in alike if start != item.clause.start), end))
    first = bisect_right(scope.figures, item.clause.start, key=_start)
    near = scope.figures[first : bisect_left(scope.figures, end, lo=first, key=_start)]
    sums = [figure for figure in near if _is_total(figure, item, scope.text)]
    if len(sums) != 1:
        return None  # "area 1 = 60 SF, area 2 = 35 SF"
    (total,) = sums
    if sums_up(scope, item.clause, total):
        return None
    parts = [one for one in item.figures if one is not total and one.unit in UNITS and dimension(one.unit) is of]
    # "45 ft … and then another 30, 75 total"
    unit = parts[0].unit if parts and total.noun == "them" and of is not Dimension.COUNT else total.unit
    if unit not in UNITS or dimension(unit) is not of:
        return None
    if any(total.value < one.value * factor(one.unit, unit) for one in parts):
        return None
    said = shown(scope.text[total.span.start : total.span.end])
    return Measured(total.value, unit, Decimal("0.9"), f"{name}: {plain(total.value)} {unit}, as “{said}” sums up.")


def _start(figure: Quantity) -> int:
    return figure.span.start


def only_sums_up(item: Item, before: Iterable[tuple[Item, Measured]], text: str) -> bool:
    """Whether an item is no more than the sum of those ``before`` it in its sentence: "4 outlets and 2 switches, so 6
    devices"."""
    counts = [figure for figure in item.figures if figure.role is Role.COUNT]
    if len(counts) != 1 or not _sums_up(counts[0], text):
        return False
    parts = [measured for one, measured in before if one.clause.sentence == item.clause.sentence]
    if len(parts) < _SEVERAL:
        return False
    return all(one.unit == "each" for one in parts) and counts[0].value == sum(one.value or 0 for one in parts)


def _is_total(figure: Quantity, item: Item, text: str) -> bool:
    """Whether the words around a figure say that it is all of an item."""
    if share_told(text, figure) is not None:
        return False  # "a third of the fence, 90 ft in all"
    if not _sums_up(figure, text) or _OF_ALL.search(text[max(0, figure.span.start - _WITHIN) : figure.span.start]):
        return False
    if figure.role is not Role.COUNT or item.match is None:
        return True
    if is_told_beside(figure, item.match.task):
        return False  # "a power flush of the whole system, 11 rads altogether"
    # Of rooms "2 in each, so 4 rooms" may tell how many; "2 per room, 4 rooms all up" does not.
    things = item.lemmas | ROOMS
    if not _says_before(figure, text):
        things -= ROOMS - {*lemmas_of(item.match.task.name)}
    return figure.noun in _UNNAMED or lemma(figure.noun) in things | _UNNAMED


def _sums_up(figure: Quantity, text: str) -> bool:
    return _says_before(figure, text) or _BEHIND.match(text, figure.span.end) is not None


def _says_before(figure: Quantity, text: str) -> bool:
    return _BEFORE.search(folded(text[max(0, figure.span.start - _WITHIN) : figure.span.start])) is not None
