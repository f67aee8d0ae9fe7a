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

#: That walls are painted, right behind the sides too, and what of a room is painted besides walls and ceiling.
_WALLS = re.compile(r"\bwalls\b", re.IGNORECASE)
_ONLY_WALLS = re.compile(
    r"\)?,? ?(?:-|–|—|:)? ?(?:just |only )?(?:the )?walls(?: (?:and|&) ceiling| only)?\b", re.IGNORECASE
)
_MORE_OF_ROOM = re.compile(
    r"[^;!?\n]*?\b(?:woodwork|trim|skirtings?|doors?|baseboards?|windows?|radiators?)\b", re.IGNORECASE
)
#: What only tells how high the walls of the rooms are: "…, walls 2.4m high".
_HOW_HIGH = re.compile(
    r"\W*(?:with |and )?(?:the )?(?:all )?(?:walls?|ceilings?) (?:are |is )?[\d.]+ ?(?:m|ft|feet|foot|'|metres)? "
    r"?(?:high|tall)\W*",
    re.IGNORECASE,
)
#: Length, width and height.
_BOX = 3

#: Characters before a figure within which they stand.
_NEAR = 30
#: What is added is other work: "2 bedrooms and 800 sq ft of walls in the garage".
_ADDED = re.compile(r"\b(?:and|plus|also)\b|[&+]", re.IGNORECASE)


def by_measured_walls(items: Sequence[Item], text: str, index: TaskIndex) -> list[Item]:
    """The items, with rooms that are painted priced by the walls that are measured: in the same words ("the kitchen, 60
    m2 of walls"), or as an item of their own in the same sentence, which then is the only one."""
    kept: list[Item] = []
    for place, item in enumerate(items):
        if place and _is_painted_room(items[place - 1]) and _tells_height(item, items[place - 1], text):
            continue
        following = items[place + 1] if place + 1 < len(items) else None
        if _is_painted_room(item):
            measured = any(_is_of_walls(one, text) or _makes_walls(one, item, text) for one in item.figures)
            match = _walls(index) if measured else None
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


def _tells_height(item: Item, room: Item, text: str) -> bool:
    """ "Paint 3 rooms 4x3, walls 2.4m high": the walls are those of the rooms that are painted anyway."""
    same = item.clause.sentence == room.clause.sentence
    return same and _HOW_HIGH.fullmatch(text, item.clause.start, item.clause.end) is not None


def _is_of_walls(figure: Quantity, text: str) -> bool:
    behind = _OF_WALLS.match(text, figure.span.end) is not None
    start = figure.span.start
    return figure.role is Role.AREA and (behind or _WALLS_OF.search(text, max(0, start - _NEAR), start) is not None)


def _makes_walls(figure: Quantity, item: Item, text: str) -> bool:
    """ "The front room (5.2 x 4.1 x 2.7), walls only": the sides of a room with its height, and its walls are asked
    for. Where the woodwork or the doors are painted too, it is the room."""
    if len(figure.sides) != _BOX:
        return False
    said = text[item.clause.start : max(item.clause.end, figure.span.end)]
    only = _ONLY_WALLS.match(text, figure.span.end) is not None
    more = _MORE_OF_ROOM.match(text, item.clause.start) is not None
    return (only or _WALLS.search(said) is not None) and not more


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
