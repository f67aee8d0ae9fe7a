"""Roomwise: of the sizes of several rooms that a request tells, those of the rooms that a work names ("refinish the LR
16x20 and the DR 12x14. The carpet in the LR comes off first")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.clauses import Clause
from server.domain.drafting.listing import LISTED_ROOMS, SHORT_ROOMS
from server.domain.drafting.matching import ROOMS, lemma
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import Quantity, Role

#: What rooms are called by; "room" alone is any, and homes are none.
_NAMES = (
    (LISTED_ROOMS | ROOMS | {"family", "sitting", "master", "guest", "spare"})
    - {"room", "unit", "flat", "apartment", "apt", "house", "block", "building", "suite", "shop", "store", "bay"}
)  # fmt: skip
_WORD = re.compile(r"[a-z]/r\b|[a-z]+", re.IGNORECASE)
#: Right behind a size, the room that it is of: "12 x 14 living room", "5 m x 4 m in the lounge".
_BEHIND = re.compile(r"(?: in)?(?: the| our| my)? ((?:[a-z/]+ ?){1,2})", re.IGNORECASE)
_ENDS = re.compile(r"[.;\n]")
#: Characters before a size in which its room stands, and before a work in which sizes are told.
_NEAR, _BEFORE = 30, 400


def sizes_of_its_rooms(clause: Clause, so_far: Progress) -> list[Quantity]:
    """The sizes that were told before of the rooms that a clause names, where those of others were told as well."""
    named = _rooms_in(so_far.text[clause.start : clause.end])
    told = so_far.figures_in(max(0, clause.start - _BEFORE), clause.start) if named else ()
    sizes = [one for one in told if one.role is Role.AREA and one.sides]
    rooms = [_room_of(one, before, so_far.text) for one, before in zip(sizes, [None, *sizes], strict=False)]
    same = [one for one, of in zip(sizes, rooms, strict=True) if of == named]
    # "The dining room and the hall" are two of them.
    parts = [one for one, of in zip(sizes, rooms, strict=True) if of and of <= named]
    fitting = same or parts
    return fitting if fitting and any(of and not of <= named for of in rooms) else []


def _room_of(size: Quantity, before: Quantity | None, text: str) -> set[str]:
    """The room that a size is told of, by the words between the size before and it, or those right behind."""
    start = max(size.span.start - _NEAR, before.span.end if before is not None else 0)
    told = _rooms_in(_ENDS.split(text[start : size.span.start])[-1])
    behind = _BEHIND.match(text, size.span.end, size.span.end + _NEAR) if not told else None
    return told if behind is None else _rooms_in(behind[1])


def _rooms_in(said: str) -> set[str]:
    """What rooms are called by, however they are written: "L/R" is the living room, "bath" and "bathrooms" are one."""
    words: Sequence[str] = [word.lower() for word in _WORD.findall(said)]
    full = " ".join(SHORT_ROOMS.get(word.replace("/", ""), word) for word in words).split()
    names = {lemma(word) for word in full} & _NAMES
    return {name.removesuffix("room").removesuffix("way") for name in names}
