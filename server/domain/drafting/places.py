"""Places: work that a sentence wants in each of several.

"8 apartments, each need a new toilet and faucet", "replace the toilet and faucet in both bathrooms", "12 units, replace
2 smoke detectors each".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import Item, Measured, inside, plain
from server.domain.drafting.listing import listed
from server.domain.drafting.matching import ROOMS, lemma, lemmas_of
from server.domain.drafting.numbers import Kind, tokenize
from server.domain.drafting.quantities import Quantity, Role
from server.domain.drafting.scope import Scope
from server.domain.units import Dimension, dimension, factor

#: What work is done in several of.
_PLACES = frozenset(
    ["units", "apartments", "apts", "flats", "bathrooms", "baths", "bedrooms", "rooms", "houses", "homes", "buildings",
     "bldgs", "blocks", "properties", "suites", "offices", "classrooms", "townhomes", "townhouses", "condos", "cabins",
     "addresses", "stores", "shops", "closets", "cottages"]
)  # fmt: skip
#: Before so many places: in each of them, in all of them.
_IN_EACH = re.compile(r"\b(?:in|for|at|to) (?:each|every one) of (?:the |our |my |these )?$", re.IGNORECASE)
_EACH_OF = re.compile(r"(?:^|[^\w]|\band )each of (?:the |our |my |these )?$", re.IGNORECASE)
_IN_ALL = re.compile(r"\b(?:in|for|at) (?:all(?: of)?(?: the| our| my)? )?$", re.IGNORECASE)
#: Before them: that there are so many.
_WE_HAVE = re.compile(
    r"\W*(?:(?:we|i)(?:['’]ve| have)(?: got)?|there are|it has|(?:the )?building has) ", re.IGNORECASE
)
#: Behind them: that each wants something.
_EACH_WANTS = re.compile(
    r"(?: ?\([^()]{1,40}\))?\W*(?:\w+ ){0,3}?(?:each|all) (?:of them )?(?:needs?|needing|gets?|wants?|wanting|requires?"
    r"|requiring|to have|to get)\b"
    r"|\W+each one\b",
    re.IGNORECASE,
)
#: How large each is, between how many there are and what they want.
_SIZE = r"\W{0,2}[\d.]+ ?(?:ft|'|m)? ?(?:x|by) ?[\d.]+ ?(?:ft|'|m)?"
_SIZED_EACH = re.compile(rf"{_SIZE}(?: each| ea)\b", re.IGNORECASE)
_WANTS = re.compile(rf"(?:{_SIZE}\)?)?\W*(?:needs?|gets?|wants?|has|requires?)\b", re.IGNORECASE)
#: At the end of a sentence that begins with them: in each of them.
_AT_THE_END = re.compile(
    r"\b(?:(?:in|for|at|to) (?:each|all|both|every one)(?: (?:of them|one|room|unit|flat|bathroom|bedroom|apartment))?"
    r"|each)\W*$",
    re.IGNORECASE,
)
#: Of the number of a thing: so many in each place.
_APIECE = re.compile(
    r"[^.;\n]{0,40}?\b(?:each|ea|apiece|(?:per|in each|for each|every) (?:unit|apartment|apt|flat"
    r"|bath(?:room)?|bed(?:room)?"
    r"|room|house|home|building|bldg|property|suite|office))\b",
    re.IGNORECASE,
)


#: A sentence that begins with where it is done; work that is somewhere else; one thing more before the places.
_BEGINS = re.compile(
    r"\W*(?:and |also |then )?(?:in|for|at) (?:each of|all(?: of)?|both)?(?: the| our| my)? ?", re.IGNORECASE
)
_ELSEWHERE = re.compile(r"\b(?:plus|also)\b|\b(?:in|for|at) the\b", re.IGNORECASE)
_JOINED = re.compile(
    r"\W*(?:and|&|,|plus) (?:(?:an?|new|the|one) )*(?:[\w-]+ ){1,3}(?:in|for|at) (?:each of "
    r"|all(?: of)? )?(?:the |our |my )?",
    re.IGNORECASE,
)


#: Rooms that have a size, and characters between how many there are and that.
_ROOMS = frozenset({"bathrooms", "baths", "bedrooms", "rooms", "offices", "classrooms", "suites"})
_NEAR = 6
_EACH = re.compile(r"\s*(?:each|apiece|ea)\b", re.IGNORECASE)
#: What is priced for a whole home is so whatever the number of its rooms.
_OF_HOMES = frozenset({"house", "home", "flat", "apartment"})
#: What a sentence begins with, before a sign: "Units 3, 6 and 8 - ".
_HEAD = re.compile(r"(?P<places>[^.;:!?\n]{4,80}?)(?:\s[-–—]+\s|:\s)")


@dataclass(frozen=True, slots=True)
class _Several:
    """So many places; whether what has a number of its own is wanted that often in each; whether they are told as where
    the work is, and not as what wants it."""

    places: Quantity
    each: bool
    where: bool = False


def in_several_places(item: Item, measured: Measured, scope: Scope) -> Measured | None:
    """How many of a counted thing there are in all the places that its sentence tells of; None where it tells of none,
    or the number is of all already."""
    if item.match is None or item.section >= 0 or item.clause.kind is not ClauseKind.WORK:
        return None
    clause = _told_in(item, scope)
    start, end = scope.sentence_of(clause)
    if dimension(item.match.task.unit) is not Dimension.COUNT and item.match.task.unit != "visit":
        return _of_rooms(item, measured, scope.figures_in(start, end), scope.text)
    told = [one for one in scope.figures_in(start, end) if one.role is Role.COUNT]
    several = _several(scope.text, told, start, end)
    if several is None:
        return None
    if clause is item.clause and not _is_done_there(item, several, scope.text, start):
        return None
    of_homes = item.match.task.unit == "visit" or not _OF_HOMES.isdisjoint(lemmas_of(item.match.task.name))
    if of_homes and several.places.noun in _ROOMS:
        return None  # "the main line backs up in both bathrooms"
    own = [one for one in told if inside(one, clause) and one is not several.places]
    told_already = measured.value or Decimal(1)
    of_places = told_already == several.places.value and bool(own)  # "5 closets and want 2 shelves in each"
    most = max((one.value for one in own), default=Decimal(1))
    if any(one.noun in _PLACES for one in own) or (told_already > most and not of_places):
        return None
    number = own[0].value if own else Decimal(1)
    apiece = bool(own) and _APIECE.match(scope.text, own[0].span.end, min(end, own[0].span.end + 80)) is not None
    if own and not (several.each or apiece):
        return None
    if not own and not several.each and several.places.span.start < item.clause.start and not apiece:
        return None
    total = number * several.places.value
    said = f"{plain(number)} × {plain(several.places.value)} {several.places.noun}"
    return replace(
        measured, value=total, unit=item.match.task.unit, confidence=Decimal("0.8"), reason="",
        assumption=f"{measured.assumption} {item.match.task.name}: {said} = {plain(total)}.".strip(),
    )  # fmt: skip


def _told_in(item: Item, scope: Scope) -> Clause:
    """The clause in which it is told how many: "8 units with 2 toilets each. Replace all toilets"."""
    counts = [one for one in item.figures if one.role is Role.COUNT]
    if not counts:
        counts = _told_before(item, scope)
    if len(counts) != 1 or counts[0].span.start >= item.clause.start:
        return item.clause
    return scope.clause_of(counts[0]) or item.clause


def _told_before(item: Item, scope: Scope) -> list[Quantity]:
    """So many of several things each, as the sentence before only tells, where the item asks for all and counts
    none."""
    match, clause = item.match, item.clause
    if match is None or any(token.kind is Kind.NUMBER for token in clause.tokens):
        return []
    if not any(word.plural and word.lemma in match.words and word.start >= clause.start for word in item.words):
        return []
    return [
        one
        for one in scope.figures
        if one.role is Role.COUNT
        and one.noun not in _PLACES
        and lemma(one.noun) in match.words - ROOMS
        and _APIECE.match(scope.text, one.span.end, clause.start)
        and (told := scope.clause_of(one)) is not None
        and told.sentence == clause.sentence - 1
    ]


def _is_done_there(item: Item, several: _Several, text: str, start: int) -> bool:
    """Whether the work of an item is wanted in those places, and not in another one."""
    at = several.places.span.start
    if item.clause.start <= at < item.clause.end:
        return True
    if item.clause.start > at:
        begins = not several.where or _BEGINS.fullmatch(text, start, at) is not None
        return begins and _ELSEWHERE.search(text, at, item.clause.end) is None
    asked = bool(item.clause.actions) or item.clause.tokens[0].text == "new" or item.clause.start == start
    return several.where and asked and _JOINED.fullmatch(text, item.clause.end, at) is not None


def _of_rooms(item: Item, measured: Measured, told: Sequence[Quantity], text: str) -> Measured | None:
    """ "3 bedrooms 12x12, carpet in all", "two buildings, 30 squares each, re-roof": so many times what the size of one
    comes to."""
    for places, size in pairwise(told):
        behind = 0 <= size.span.start - places.span.end - len(places.noun) <= _NEAR
        if places.role is not Role.COUNT or places.value <= 1 or size.axis or not behind:
            continue
        each = _EACH.match(text, size.span.end) is not None
        if places.noun not in (_PLACES if each else _ROOMS):
            continue
        area = next((one for one in told if one.sides and one.span.start == size.span.start), size if each else None)
        if area is None or inside(places, item.clause) or item.clause.start < places.span.start:
            return None
        if not any(one.span == area.span for one in item.figures) or measured.value is None:
            return None
        if not area.sides and dimension(area.unit) is not dimension(measured.unit):
            return None
        if dimension(measured.unit) is Dimension.AREA and measured.value > area.value * factor(
            area.unit, measured.unit
        ):
            return None  # of all of them already
        total = measured.value * places.value
        said = f"{plain(measured.value)} × {plain(places.value)} {places.noun} = {plain(total)} {measured.unit}."
        return replace(measured, value=total, assumption=f"{measured.assumption} {said}".strip())
    return None


def _several(text: str, told: Sequence[Quantity], start: int, end: int) -> _Several | None:
    """The places of a sentence that want what it asks for, each or together."""
    for one in told:
        if one.noun not in _PLACES or one.value < 2:
            continue
        before = text[start : one.span.start]
        behind = text.find(one.noun, one.span.end) + len(one.noun)
        if _IN_EACH.search(before) or (_EACH_OF.search(before) and _WANTS.match(text, behind)):
            return _Several(one, each=True, where=_IN_EACH.search(before) is not None)
        begins = (not before.strip(" \n-–—•*") or _WE_HAVE.fullmatch(before) is not None) and one is told[0]
        if _EACH_WANTS.match(text, behind, behind + 60) or (
            begins
            and (_WANTS.match(text, behind) or _SIZED_EACH.match(text, behind) or _AT_THE_END.search(text, behind, end))
        ):
            return _Several(one, each=True)
        both = text[one.span.start : one.span.end].lower() == "both"
        if _IN_ALL.search(before) and (both or "all" in before[-12:].lower() or len(told) == 1):
            return _Several(one, each=False, where=True)
        if begins and any(_APIECE.match(text, other.span.end, other.span.end + 80) for other in told[1:]):
            return _Several(one, each=False)
    return None


def in_listed_places(item: Item, measured: Measured, scope: Scope) -> Measured | None:
    """ "Fire doors at flats 2, 5 and 9 - closers missing, fit new": one in each of the numbered places that its
    sentence begins with, before a dash or a colon."""
    if item.match is None or measured.value not in {None, 1} or dimension(item.match.task.unit) is not Dimension.COUNT:
        return None
    start, _ = scope.sentence_of(item.clause)
    head = _HEAD.match(scope.text, start, item.clause.start)
    if head is None or (item.section >= 0 and scope.sections.all[item.section].times > 1):
        return None
    if any(one.role is Role.COUNT and inside(one, item.clause) for one in item.figures):
        return None
    tokens = tokenize(head["places"])
    lists = [one for one in listed(tokens) if one.apart and not one.things and one.end == len(tokens)]
    if not lists:
        return None
    number = Decimal(lists[-1].number)
    said = f"{item.match.task.name}: one for each of the {plain(number)} places that are named."
    return replace(
        measured, value=number, unit="each", confidence=Decimal("0.8"), reason="",
        assumption=f"{measured.assumption} {said}".strip(),
    )  # fmt: skip
