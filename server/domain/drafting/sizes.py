"""Sizes: tasks that the catalogue has by size ("Small tree under 30 ft", "Medium tree 30 to 60 ft") are chosen by the
size that the request tells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache

from server.domain.catalogue import Task
from server.domain.drafting.items import Item
from server.domain.drafting.matching import Match, TaskIndex, lemmas_of
from server.domain.drafting.quantities import Quantity, Role
from server.domain.drafting.scope import Scope
from server.domain.units import UNITS, Dimension, dimension, factor

_SIZED = re.compile(r"\b(?:under|(?P<over>over)|(?P<low>\d+) to) (?P<high>\d+) (?P<unit>ft|m)\b")
#: "Both under 30 ft".
_AT_MOST = re.compile(
    r"\b(?:under|below|less than|up to|max\.?|maximum|not over|no more than) (?:about )?$", re.IGNORECASE
)
#: Characters before a figure in which that stands.
_NEAR = 24
#: "16x7 garage door": a size in the names of a task.
_FACE = re.compile(r"\b(\d+)x(\d+)\b")
_HOW_LARGE = frozenset({"small", "medium", "large", "extra"})
#: "20 ft from the house" is no size, and "24 inches across" not how high.
_AWAY = re.compile(
    r"\W*(?:away|from|off|of|across|thick|round|wide|(?:in )?(?:diameter|dia|girth)|dbh|trunks?)\b", re.IGNORECASE
)


def by_size(items: Sequence[Item], scope: Scope) -> None:
    """Put in place of a task that is for any size, or for another one, that for the size that is told."""
    figures = sorted((one for one in scope.figures if _is_size(one, scope.text)), key=lambda one: one.span.start)
    starts = [one.span.start for one in figures]
    sizes: dict[str, Sequence[tuple[Task, re.Match[str] | None]]] = {}
    for place, item in enumerate(items):
        if not figures or item.match is None or dimension(item.match.task.unit) is not Dimension.COUNT:
            continue
        following = items[place + 1].clause.start if place + 1 < len(items) else len(scope.text)
        # "One is 20 ft and one is 70 ft": what its sentence goes on with tells of it too.
        end = min(following, scope.sentence_of(item.clause)[1])
        own = [one for one in item.figures if _is_size(one, scope.text)]
        told = [*own, *figures[bisect_left(starts, item.clause.end) : bisect_left(starts, end)]]
        if told and item.match.task.task_id not in sizes:
            sizes[item.match.task.task_id] = _sizes(item.match.task, scope.index)
        task = _of_size(sizes[item.match.task.task_id], told, scope.text) if told else None
        if task is not None and task is not item.match.task:
            _take(item, item.match, task, told, scope.text)


def by_face(items: Sequence[Item], scope: Scope) -> None:
    """Put in place of a task that has sizes among its names, and is taken where none is told, the one that has the
    told size among its own: "replace the garage door. It is dented, 16x7"."""
    faces = sorted((one for one in scope.figures if one.sides), key=lambda one: one.span.start)
    starts = [one.span.start for one in faces]
    for item, behind in zip(items, (*items[1:], None), strict=False):
        if not faces or item.match is None or not item.match.task.default or not _named_sizes(item.match.task.names):
            continue
        end = behind.clause.start if behind is not None else len(scope.text)
        own = [one for one in item.figures if one.sides]
        told = own or faces[bisect_left(starts, item.clause.start) : bisect_left(starts, end)]
        fitting = _for_faces(item.match.task, told, scope.index)
        if len(fitting) == 1 and fitting[0] is not item.match.task:
            _take(item, item.match, fitting[0], told, scope.text)


def _take(item: Item, match: Match, task: Task, told: Sequence[Quantity], text: str) -> None:
    """Make an item one of a task, because of the sizes that are told."""
    item.match, item.others = replace(match, task=task), ()
    said = ", ".join(text[one.span.start : one.span.end] for one in told)
    item.assumptions.append(f"{task.name}: “{said}”, as the request says.")


def _for_faces(task: Task, told: Sequence[Quantity], index: TaskIndex) -> list[Task]:
    """The tasks that do the same in the trade of a task, and have one of the told sizes among their names."""
    alike = (one for one in index.of_trade(task.trade) if one.verbs == task.verbs)
    sides = {tuple(one.sides[:2]) for one in told}
    return [one for one in alike if not sides.isdisjoint(_named_sizes(one.names))]


@cache
def _named_sizes(names: tuple[str, ...]) -> frozenset[tuple[Decimal, ...]]:
    """The sizes that the names of a task tell."""
    found = (match for name in names for match in _FACE.findall(name))
    return frozenset(tuple(map(Decimal, sides)) for sides in found)


def _sizes(task: Task, index: TaskIndex) -> Sequence[tuple[Task, re.Match[str] | None]]:
    """The tasks that do the same to the same thing, with the size that each is for; None: for any."""
    thing = _thing(task)
    alike = [one for one in index.of_trade(task.trade) if one.verbs == task.verbs and _thing(one) == thing]
    return [(one, _SIZED.search(one.name)) for one in alike]


def _of_size(sizes: Sequence[tuple[Task, re.Match[str] | None]], told: Sequence[Quantity], text: str) -> Task | None:
    """The one for the size that is told, or that for any where several are."""
    fitting = [task for task, size in sizes if size is not None and any(_fits(size, one, text) for one in told)]
    if len(fitting) == 1:
        return fitting[0]
    return next((task for task, size in sizes if size is None), None) if fitting else None


def _thing(task: Task) -> frozenset[str]:
    """The words of a task's name without those that say how large."""
    return frozenset(lemmas_of(_SIZED.sub("", task.name))) - _HOW_LARGE


def _is_size(figure: Quantity, text: str) -> bool:
    long = figure.unit in UNITS and dimension(figure.unit) is Dimension.LENGTH
    return long and figure.role in {Role.LENGTH, Role.SIZE} and _AWAY.match(text, figure.span.end) is None


def _fits(size: re.Match[str], figure: Quantity, text: str) -> bool:
    """Whether a size is from the lower end of a name's to below the higher."""
    value = figure.value * factor(figure.unit, size["unit"])
    low, high = Decimal(size["low"] or 0), Decimal(size["high"])
    if size["over"]:
        return value >= high
    at_most = _AT_MOST.search(text[max(0, figure.span.start - _NEAR) : figure.span.start]) is not None
    return low < value <= high if at_most else low <= value < high
