"""Rooms whose walls are measured are painted by that measure, not by the room as well."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.items import Item, shown
from server.domain.drafting.matching import ROOMS, Match, TaskIndex, Word, lemmas_of
from server.domain.drafting.quantities import Quantity, Role
from server.domain.units import Dimension, dimension

#: What stands right behind the figure: "60 m2 of walls". A bare area may be the floor's.
_OF_WALLS = re.compile(r"\s*(?:of )?(?:the |our |all )?(?:interior |internal )?walls?\b", re.IGNORECASE)
#: And right before it: "walls 380 sq ft".
_WALLS_OF = re.compile(r"\bwalls?:?(?: (?:are|is|about|approx\.?|around|roughly))* $", re.IGNORECASE)

#: Characters before a figure within which they stand.
_NEAR = 30
#: What is added is other work: "2 bedrooms and 800 sq ft of walls in the garage".
_ADDED = re.compile(r"\b(?:and|plus|also)\b|[&+]", re.IGNORECASE)


def by_measured_walls(items: Sequence[Item], text: str, index: TaskIndex) -> list[Item]:
    """The items, with rooms that are painted priced by the walls that are measured: in the same words ("the kitchen, 60
    m2 of walls"), or as an item of their own in the same sentence, which then is the only one."""
    kept: list[Item] = []
    for place, item in enumerate(items):
        following = items[place + 1] if place + 1 < len(items) else None
        if _is_painted_room(item):
            match = _walls(index) if any(_is_of_walls(one, text) for one in item.figures) else None
            if match is not None:
                item.match, item.others = match, ()
            elif following is not None and _measures_its_walls(following, item, text):
                words = shown(text[item.clause.start : item.clause.end])
                following.assumptions.append(f"“{words}” is priced by the walls that are measured.")
                continue
        kept.append(item)
    return kept


def _is_painted_room(item: Item) -> bool:
    match = item.match
    return (
        match is not None
        and match.verb == "paint"
        and dimension(match.task.unit) is Dimension.COUNT
        and not match.words.union(lemmas_of(match.task.name)).isdisjoint(ROOMS)
    )


def _is_of_walls(figure: Quantity, text: str) -> bool:
    behind = _OF_WALLS.match(text, figure.span.end) is not None
    start = figure.span.start
    return figure.role is Role.AREA and (behind or _WALLS_OF.search(text, max(0, start - _NEAR), start) is not None)


def _measures_its_walls(item: Item, room: Item, text: str) -> bool:
    match = item.match
    return (
        match is not None
        and match.verb == "paint"
        and item.clause.sentence == room.clause.sentence
        and _ADDED.search(text[room.clause.end : item.clause.start]) is None
        and dimension(match.task.unit) is Dimension.AREA
        and item.lemmas.isdisjoint(ROOMS)
        and any(_is_of_walls(one, text) for one in item.figures)
    )


def _walls(index: TaskIndex) -> Match | None:
    found = index.match((Word("wall", 0, 0),), ("paint",), measured=Dimension.AREA)
    return next((one for one in found if one.verb_fits and dimension(one.task.unit) is Dimension.AREA), None)
