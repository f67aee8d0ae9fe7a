"""Reckoning: how much of each item is asked for, by its own figures, by what is told around it, and by the places that
it is for."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from server.domain.catalogue import Task
from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.choosing import trade_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.combining import PLACES
from server.domain.drafting.counting import is_told_beside
from server.domain.drafting.homes import homes
from server.domain.drafting.items import HIGHEST_FENCE, Item, Measured, by_clause, inside, plain, shown
from server.domain.drafting.listing import listed
from server.domain.drafting.lists import says_also
from server.domain.drafting.matching import FAULT_LEMMAS, ROOMS, STRUCTURES, TaskIndex, lemma, lemmas_of
from server.domain.drafting.measuring import is_shallow, measure, on_both_sides
from server.domain.drafting.naming import orders_by_name
from server.domain.drafting.numbers import number_at, tokenize
from server.domain.drafting.parting import is_of_parts_told, mends_one_part
from server.domain.drafting.places import in_listed_places, in_several_places
from server.domain.drafting.quantities import THERE, WORK_ROLES, Quantity, Role
from server.domain.drafting.roomwise import sizes_of_its_rooms
from server.domain.drafting.scope import Scope
from server.domain.drafting.sections import Section
from server.domain.drafting.splitting import without_parts
from server.domain.drafting.telling import MEASURES, PREMISES
from server.domain.drafting.totals import only_sums_up, told_total
from server.domain.units import UNITS, Dimension, dimension, factor

#: Dimensions of which the only figure of a request is taken for any of its work.
_ONCE_TOLD = {Dimension.AREA: Role.AREA, Dimension.LENGTH: Role.LENGTH, Dimension.VOLUME: Role.VOLUME}
#: How much something holds is told in these.
_HELD = frozenset({"l", "gal"})
_ROLE_OF_UNIT = {code: _ONCE_TOLD[unit.dimension] for code, unit in UNITS.items() if unit.dimension in _ONCE_TOLD}
#: What is worked on by more than one trade.
_SURFACES = frozenset({"wall", "ceiling", "floor", "roof", "deck", "fence", "driveway"})
#: Trades whose work is all outdoors, and all indoors.
_OUTDOORS = frozenset({"paving", "landscaping", "roofing", "siding", "fencing", "decking", "masonry"})
_INDOORS = frozenset({"drywall", "flooring", "plastering", "tiling", "kitchens", "bathrooms"})
#: What is mended is seldom the whole; but walls are pointed all over.
_IN_PART = frozenset({"repair"})
_ALL_OVER = frozenset({"point"})
_AS_NEEDED = re.compile(r"\b(?:as|where|if|when) (?:necessary|needed|required)\b|\bspot\b", re.IGNORECASE)
#: What is made in pieces, as large as each is, and covers nothing else that is measured.
_PIECES = frozenset({"screen", "mirror", "blind", "pane", "shutter", "glass"})
_A_PART = re.compile(
    r"\b(?:an?|one|the|some|few) (?:\w+ )?(?:sections?|pieces?|parts?|spots?|areas?|corners?|bits?)\b", re.IGNORECASE
)
#: "An 8 by 10 piece of it", and characters before work within which that tells how much it is.
_PIECE_OF = re.compile(r"\W*(?:ft |foot |feet |m )?(?:piece|section|chunk|patch) of (?:it|the|that)\b", re.IGNORECASE)
_PIECE_WITHIN = 300
#: What a room's size measures.
_OF_A_ROOM = frozenset(
    ["floor", "wall", "ceiling", "paint", "carpet", "laminate", "baseboard", "skirting", "trim", "crown", "tile",
    "vinyl",
     "plank", "lvp", "hardwood", "subfloor"]
)  # fmt: skip
_EDGES = frozenset({"baseboard", "skirting", "trim", "crown", "coving", "cornice"})
_SAME = re.compile(
    r"\b(?:same|all of (?:it|them)|(?:whole|full|entire) (?:lot|length|run)|throughout|behind it|over it"
    r"|in(?:to)? (?:the )?(?:wall )?(?:cavit(?:y|ies)|stud bays)"
    r"|(?:on|over|for|along) (?:the|that|this) new (?:run|length|stretch|section|gutters?|fence|wall))\b|\bover\W*$",
    re.IGNORECASE,
)
#: "Quarter round around all of it": of the rooms before.
_ALL_ROUND = re.compile(
    r"\b(?:all )?(?:a?round|in) (?:all of (?:it|them)|(?:it|them) all|each|(?:all )?(?:three|four|two|both|the)"
    r" rooms)\b",
    re.IGNORECASE,
)
#: Sentences back in which they are told.
_ROUND_BACK = 2
#: As large as something else, in so many words.
_SAME_AREA = re.compile(r"\bsame (?:area|size|length|footage|footprint|measurements?|dimensions|run)\b", re.I)
_ON_TOP = re.compile(r"\b(?:on top|along (?:the top|it)|over (?:it|the top)|to (?:the )?top)\b", re.IGNORECASE)
_FOR_EACH = re.compile(
    r"\b(?:(?:for|in|to|on|at) (?:each|every)|(?P<out>back|front|side|outside) of each|per)\b"
    r"(?! (?:side|end|m\b|met|f(?:oot|t)|sq|hour|h\b|day|week|month|year|visit|person))"
    r"(?: (?:floor|storey) of)?(?: one)?(?: of (?:the|our|my|these) \w+)? ?(?P<noun>\w*)", re.IGNORECASE,
)  # fmt: skip
#: "Each unit has 2 tubs".
_EACH_HAS = re.compile(
    r"\W*(?:and )?(?:each|every)(?: of (?:the|our|my))? (?P<place>[a-z]+) (?:has|have|got|with|is)\b",
    re.IGNORECASE,
)
#: "Each bldg is two story, …", of work that is measured.
_EACH_PLACE = re.compile(
    r"\W*(?:and )?(?:each|every) (?P<place>building|bldg|unit|house|home|flat|apartment|block|cottage|cabin)\b", re.I
)
#: "In each one: …", of what was counted before.
_IN_EACH_OF_THEM = re.compile(
    r"\W*(?:in|on|at|for) (?P<each>each|every)(?: (?:one|of (?:them|these|those)|(?P<noun>[a-z]+)))?\s?[:,]",
    re.IGNORECASE,
)
#: "Six flats, in each: …", of what the sentence itself counts; "in each unit, units 4, 7 and 9, …", of what it lists.
_AND_IN_EACH = re.compile(
    r"[^.;:\n]{1,60}?,? (?:and )?(?:in|on|at|for) (?P<each>each|every)"
    r"(?: (?:one|of (?:them|these|those)|(?P<noun>[a-z]+)))?\s?(?::|[-–—]\s)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\W*(?P<places>[a-z]+s [^.;:\n]{3,60})", re.IGNORECASE)
#: A sentence that is of all the places that were told of.
_IN_ALL = re.compile(
    r"\W*(?:and |also |in |for |on )*(?:all(?: of (?:the|them|these))?|each|every|both|per)\b"
    r"[^,.;:\n–-]{0,30}(?::|\s[-–—])",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|apiece|per|every)\b", re.IGNORECASE)
#: "20 ft of gutter each", said of this amount: "300 sq ft in all, and a detector each" is of another.
_SO_MUCH_EACH = re.compile(
    r"(?!\W*(?:in (?:all|total)|total|altogether|combined|overall))[^,.;\d\n]{0,30},? ?\b(?:each|apiece|per|every)\b",
    re.IGNORECASE,
)
#: "All 9 windows", and what of them is left out: "except the two in the loft", "but not the bath one".
_ALL_OF = re.compile(r"\ball (?:of )?(?:the |our |my )?$", re.IGNORECASE)
_EXCEPT = frozenset(
    ["except", "excepting", "excluding", "other", "than", "apart", "from", "but", "not", "including", "for", "the",
     "our", "my", "of"]
)  # fmt: skip
_ON_EACH = re.compile(r" (?:in|on|at|for) (?:each|every)\b", re.IGNORECASE)
#: Some of what is counted that are left out, and what is done to all the others.
_SOME_OF = "(?:one|two|three|four|five|six|seven|eight|nine|ten)"
_SOME = rf"(?P<some>\d{{1,2}}|{_SOME_OF})"
_BUT_SOME = re.compile(
    r"\b(?:(?:all|every one|the lot)(?: of them)?(?: \w+){0,2} but|except(?:ing)?(?: for)?|bar(?= the\b)|apart from"
    rf"|save for|other than) (?:for )?(?:(?:the |our |my )?{_SOME}\b(?! (?:coat|side|of the))"
    r"|(?:the |our |my )(?:\w+ ){1,2}one\b)",
    re.IGNORECASE,
)
_REST = re.compile(
    rf"\b{_SOME} (?:of them )?(?:are|were|is|was|have|has|had|got)\b[^.;\n]{{3,60}}\b(?:the|all) "
    rf"(?:(?:the )?others\b|(?:the )?other (?P<left>\d{{1,2}}|{_SOME_OF})\b|rest\b|remaining\b)",
    re.IGNORECASE,
)
_SOME_STAY = re.compile(
    rf"[.;]? {_SOME} of (?:them|those|these|the \w+)\b[^.;\n]{{0,60}}\b(?:can stay|to stay|stays?"
    r"|leave (?:those|these|them)|(?:is|are) (?:fine|ok|okay|good|new)(?! now))\b",
    re.IGNORECASE,
)
#: Characters around work within which all of them, and those, are told.
_TOLD_BEFORE = 160
#: Characters between how many are for each, and what they are for.
_EACH_WITHIN = 40
#: "The stumps", "their stumps", "stumps ground too": those of what was counted before.
_THE_PLURAL = re.compile(r"\b(?:the|their|those|these|all) (?:\w+ )?\w{3,}s\b|\b(?:too|as well|also)\b", re.IGNORECASE)
#: The chance from which an area is that of work which is asked for.
_ASKED = 0.4
_OF_A_WALL = re.compile(r"\b(?:both|one|each|either) (?:sides?|faces?)\b(?! of)", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead|alt(?:ernat\w+)?)\b", re.IGNORECASE)
#: Speaks of the things that were counted before.
_THEM = re.compile(r"\b(?:them|each one|both sides|'em)\b", re.IGNORECASE)
_HALF = re.compile(r"\bhalf (?:of )?(?:it|that|them)\b", re.IGNORECASE)
_HALF_BEFORE = re.compile(r"\bhalf (?:of )?(?:the |our |my |this |a )?$", re.IGNORECASE)
_HALF_BEHIND = re.compile(
    r"[^.;\n]{0,40}?[,–-] (?:but |and |only |about |just |we only want to \w+ |replace "
    r"|re\w+ )*half (?:of (?:it|that|them) ?)?"
    r"(?:needs?|wants?|is |to be |has|it\b|$|[.,;])",
    re.IGNORECASE,
)
_THROUGHOUT = re.compile(r"\bthroughout\b", re.IGNORECASE)
#: "6 fence panels", behind the number, and the metres of a usual one (6 ft, as British makers offer them).
_PANELS = re.compile(r" (?:[\w-]+ ){0,2}(?:panels|bays)\b", re.IGNORECASE)
_PANEL = Decimal("1.83")
#: Characters between two verbs that "and" joins.
_JOINED = 6
#: Trades whose things are made for one opening, also where they are priced by the area.
_OF_OPENINGS = frozenset({"bathrooms", "windows", "doors", "garage doors"})
#: Why the quantity of an item is looked at: what is said of others gave it.
OF_ANOTHER_LINE = "Quantity taken from another line."
OF_ELSEWHERE = "Quantity taken from elsewhere in the request."
#: A part of a fence that is told by its length, behind that: "6 ft of it", "a cedar section 6 ft long".
_OF_A_FENCE = re.compile(r"\W{0,2}(?:of|long|in length|sections?|runs?|stretch(?:es)?|pieces?|wide)\b", re.IGNORECASE)
#: What is meant whole, of which parts may be told as well.
_WHOLE = re.compile(
    r"\b(?:the|that) (?:whole|entire|full) (?:lot|length|thing|run|drive(?:way)?|deck|fence|roof|lawn|floor|area"
    r"|place)\b"
    r"|\b(?:whole|all) of (?:it|them)\b|\bthe lot\b(?! line)|\bwhole (?:thing|length|lot|drive(?:way)?)\b",
    re.IGNORECASE,
)
#: "The whole 780", where 780 sq ft were told before.
_WHOLE_NUMBER = re.compile(
    r"\b(?:(?:the |that |all )?(?:whole|full|entire)|all(?: of)? the)"
    r" (?P<number>\d{1,3}(?:,\d{3})+|\d{2,6}(?:\.\d)?)\b",
    re.IGNORECASE,
)
#: What begins the telling of one thing; words of what is counted, with what is said of its kind.
_ONE_OF_IT = frozenset({"a", "an", "one", "another"})
_NOUN_WORDS = 4
#: Items back that a quantity may be taken from.
_REACH = 3
#: Items before and after that are asked for a room's size or a counterpart.
_NEAR = 12


class Reckoning:
    """How much of the items of one request is asked for."""

    def __init__(self, scope: Scope, items: Sequence[Item]) -> None:
        self.scope = scope
        self.items = items
        self.text = scope.text
        self._own = {id(item): measure(item, scope.text) for item in items}
        #: What the items come to that were reckoned so far.
        self._reckoned_before: dict[int, Measured] = {}

    def amounts(self) -> list[Measured]:
        """How much of each item is asked for, in their order."""
        for place, item in enumerate(self.items):
            self._reckoned_before[id(item)] = self._reckoned(item, place)
        return without_parts(self.items, [self._reckoned_before[id(item)] for item in self.items])

    def only_sums_up(self, place: int) -> bool:
        """Whether an item adds nothing to those before it."""
        before = ((one, self._own[id(one)]) for one in self.items[max(0, place - _NEAR) : place])
        return only_sums_up(self.items[place], before, self.text)

    def _reckoned(self, item: Item, place: int) -> Measured:
        """How much of an item is asked for, by its own figures and by those around it."""
        measured = self._own[id(item)]
        if item.single:
            return measured
        placed = item.section >= 0 and self.scope.sections.all[item.section].times > 1
        if not placed and _FOR_EACH.search(self.text, item.clause.start, item.end):
            measured = self._and_more(item, self._for_each(item, place)) or measured
        if (measured.value is None and not self._tells_otherwise(item)) or self._tells_same(item):
            measured = self._of_panels(item) or self._half(item, self._from_others(item, place)) or measured
        measured = self._of_the_whole(item) or self._as_the_old_fence(item, place) or measured
        measured = self._as_the_piece(item) or measured
        measured = self._told_of_each(item) or self._told_count(item) or self._as_counted(item, place) or measured
        measured = self._as_they_are(item, place) or measured
        measured = self._in_each_of_them(item, measured) or measured
        measured = self._so_much_of_each(item, measured) or measured
        measured = self._half_of_it(item, measured) or measured
        measured = in_several_places(item, measured, self.scope) or measured
        measured = in_listed_places(item, measured, self.scope) or measured
        total = told_total(item, self.items[place + 1 : place + 1 + _NEAR], self.scope)
        left = self._without_exception(item, measured) or self._but_some(item, measured)
        return total or left or self._in_all_sections(item, measured) or measured

    def _in_each_of_them(self, item: Item, measured: Measured) -> Measured | None:
        """ "Three closets. In each one: two shelves and one rod", "six flats, in each: 2 smoke alarms", "in each unit,
        units 4, 7 and 9, replace the disposal"."""
        if item.match is None or not measured.value or dimension(item.match.task.unit) is not Dimension.COUNT:
            return None
        begin, _ = self.scope.sentence_of(item.clause)
        each = _IN_EACH_OF_THEM.match(self.text, begin, item.clause.end)
        each = each or _AND_IN_EACH.match(self.text, begin, item.clause.end)
        if each is None or item.section >= 0 or len(self.scope.sections.all) > 1:
            return None
        noun = lemma((each["noun"] or "").lower())
        listed_places = _listed_behind(self.text, each.end(), noun) if noun else 0
        if listed_places:
            return _times(measured, listed_places, item.match.task.name, f"{noun}s that are named")
        behind = bisect_left(self.scope.figures, each.start("each"), key=lambda one: one.span.start)
        near = self.scope.figures[max(0, behind - _NEAR) : behind]
        counts = [one for one in near if one.role is Role.COUNT]
        places = [one for one in counts if one.value > 1 and (not noun or lemma(one.noun) == noun)]
        if not places or self.text.count("\n", places[-1].span.end, begin) > 1:
            return None
        if any(one.role is Role.COUNT and one is places[-1] for one in item.figures):
            return None
        return _times(measured, int(places[-1].value), item.match.task.name, places[-1].noun)

    def _without_exception(self, item: Item, measured: Measured) -> Measured | None:
        """ "Replace all 9 windows except the bath one": how many of all that are counted are left."""
        number = self.scope.places.get(item.clause.start)
        behind = self.scope.clauses[number + 1 : number + 2] if number is not None else ()
        if item.match is None or measured.value is None or not behind or behind[0].kind is not ClauseKind.EXCLUSION:
            return None
        of_all = [one for one in item.figures if one.value == measured.value and self._counts_all(one)]
        left_out = _left_out(behind[0]) if of_all and behind[0].sentence == item.clause.sentence else Decimal(0)
        if not 0 < left_out < measured.value:
            return None
        left, said = measured.value - left_out, shown(self.text[behind[0].start : behind[0].end])
        text = f"{item.match.task.name}: {plain(measured.value)} − {plain(left_out)} (“{said}”) = {plain(left)}."
        return replace(measured, value=left, assumption=f"{measured.assumption} {text}".strip())

    def _but_some(self, item: Item, measured: Measured) -> Measured | None:
        """ "Ten radiators, the lot replaced bar the two in the extension", "20 doors. 4 are on the island and stay,
        paint all the others", "all fourteen. Two of the fourteen can stay": how many of those that are counted are
        left."""
        if item.match is None or not measured.value or dimension(item.match.task.unit) is not Dimension.COUNT:
            return None
        end = min(self.scope.sentence_of(item.clause)[1], item.clause.end + _TOLD_BEFORE)
        near = self.scope.figures_in(max(0, item.clause.start - _TOLD_BEFORE), end)
        of_all = (one for one in near if one.role in {Role.COUNT, Role.SIZE} and one.unit == "each")
        whole = next((one for one in of_all if one.value == measured.value), None)
        if whole is None or measured.value <= 1 or self.text.count("\n", whole.span.end, end):
            return None
        said = _BUT_SOME.search(self.text, whole.span.end, end) or _REST.search(self.text, whole.span.end, end)
        said = said or _SOME_STAY.match(self.text, end, end + _TOLD_BEFORE)
        number = number_at(tokenize(said["some"]), 0) if said is not None and said["some"] else None
        left_out = number.value if number is not None else Decimal(1)
        if said is None or not 0 < left_out < measured.value:
            return None
        left = measured.value - left_out
        told = number_at(tokenize(said["left"]), 0) if said.re is _REST and said["left"] else None
        if told is not None and told.value != left:
            return None  # "2 stumps, one is 30 inches across, the other 18"
        text = (
            f"{item.match.task.name}: {plain(measured.value)} − {plain(left_out)} (“{shown(said[0])}”) = {plain(left)}."
        )
        return replace(measured, value=left, assumption=f"{measured.assumption} {text}".strip())

    def _counts_all(self, figure: Quantity) -> bool:
        before = self.text[max(0, figure.span.start - _EACH_WITHIN) : figure.span.start]
        return figure.role is Role.COUNT and _ALL_OF.search(before) is not None

    def _in_all_sections(self, item: Item, measured: Measured) -> Measured | None:
        """ "All three: replace the old RCD": in each of the places that the request told of before. "Rooms 101, 103 and
        105: …", "Per unit: …": in each of those that the label is of."""
        if item.section >= 0:
            return self._in_each(item, measured, self.scope.sections.all[item.section])
        number = len(self.scope.sections.all)
        if number < 2 or item.match is None or not measured.value:
            return None
        if dimension(item.match.task.unit) is not Dimension.COUNT:
            return None
        sentence = self.scope.sentence_of(item.clause)[0]
        if item.clause.start < self.scope.sections.all[-1].start or not _IN_ALL.match(
            self.text, sentence, item.clause.end
        ):
            return None
        return _times(measured, number, item.match.task.name, "places")

    def _in_each(self, item: Item, measured: Measured, section: Section) -> Measured | None:
        """So many times what a section asks for as it has places, where it says that of each or names one thing."""
        if section.times == 1 or item.match is None or not measured.value:
            return None
        start, end = item.clause.start, max(item.end, item.clause.end)
        told = [one for one in item.figures if one.role in WORK_ROLES and start <= one.span.start < end]
        counted = dimension(item.match.task.unit) in {Dimension.COUNT, Dimension.LUMP}
        one_each = counted and not told and measured.value == 1
        if not (section.each or one_each or (told and self._is_of_each(told[0], start, section.end))):
            return None
        if told and told[0].value != measured.value and not section.each:
            return None  # reckoned with the places already
        if not told and measured.value == section.times and start < section.label_end:
            return None  # "Units 2, 5, 9 each need a new toilet": the places that its clause lists
        return _times(measured, section.times, item.match.task.name, f"({section.name})")

    def _is_of_each(self, amount: Quantity, start: int, end: int) -> bool:
        """Whether the words between two places say that each place has the amount."""
        if amount.role is Role.COUNT:
            return _EACH.search(self.text, start, end) is not None
        return _SO_MUCH_EACH.match(self.text, amount.span.end) is not None

    def _from_others(self, item: Item, place: int) -> Measured | None:
        """What the items around one that tells no quantity say of it. Only near ones are asked, so that a list of a
        thousand takes no time."""
        if is_of_parts_told(item, self.scope) or mends_one_part(item, self.text) or _is_made_to_measure(item):
            return None
        if self._is_done_elsewhere(item, place):
            return self._in_its_rooms(item)
        near = self.items[max(0, place - _NEAR) : place]
        others = [*near, *self.items[place + 1 : place + 1 + _NEAR]]
        after = self.items[place + 1] if place + 1 < len(self.items) else None
        if item.section >= 0 and any(other.section == item.section for other in others):
            near, others = ([other for other in some if other.section == item.section] for some in (near, others))
        instead = item.clause.kind is ClauseKind.OPTION and item.verb != "remove"
        of_the_room = self._throughout(item) or self._by_room(
            item, near if after is None or item.verb in _IN_PART else [after, *near]
        )
        if of_the_room is None and item.verb != "remove" and self._goes_on(item):
            return None  # "Wash the driveway, 600 sq ft. Also the patio": as large as it is itself
        return (
            self._in_its_rooms(item)
            or self._at_its_depth(item, near)
            or of_the_room
            or (None if instead else self._as_its_counterpart(item, others, near))
            or self._as_before(item, near)
            or (self._as_joined(item, after) if after is not None else None)
            or self._as_large(item, others)
            or self._as_long(item, near)
            or self._the_only_one(item)
            or self._the_only_one_left(item)
        )

    def _is_done_elsewhere(self, item: Item, place: int) -> bool:
        """ "Paint the lounge walls, 40 m2. Paint the hall walls too": work whose amount was told before, once more in
        another place, which is as large as it is itself."""
        if item.match is None or item.refers or item.again or item.clause.kind is ClauseKind.OPTION:
            return False
        if self._tells_as_much(item):
            return False
        return any(
            other.match is not None
            and other.match.task is item.match.task
            and other.section == item.section
            and other.clause.kind is item.clause.kind
            and other.clause is not item.clause
            and self._own[id(other)].value is not None
            for other in self.items[max(0, place - _NEAR) : place]
        )

    def _tells_as_much(self, item: Item) -> bool:
        """Whether an item's words say that it is as much as another."""
        said = (pattern.search(self.text, item.clause.start, item.end) for pattern in (_SAME, _SAME_AREA, _OF_A_WALL))
        return any(said)

    def _as_the_piece(self, item: Item) -> Measured | None:
        """ "The ceiling came down, about an 8 by 10 piece of it. … New sheetrock up there": as much as the piece that a
        clause of the same trade told of, which asks for nothing."""
        if item.match is None or item.verb not in PUTS_IN or dimension(item.match.task.unit) is not Dimension.AREA:
            return None
        if any(one.role in MEASURES and inside(one, item.clause) for one in item.figures):
            return None
        before = self.scope.figures_in(max(0, item.clause.start - _PIECE_WITHIN), item.clause.start)
        told = [one for one in before if one.sides and _PIECE_OF.match(self.text, one.span.end)]
        clause = self.scope.clause_of(told[0]) if len(told) == 1 else None
        if clause is None or self.scope.meant is None or self.scope.chances.get(clause.start, 1.0) >= _ASKED:
            return None
        task_id, _ = self.scope.meant.likeliest(self.scope.places[clause.start])
        if trade_of(task_id) != trade_of(item.match.task.task_id):
            return None
        return self._as_told(item, replace(told[0], sides=()), why="the piece that was told of")

    def _in_its_rooms(self, item: Item) -> Measured | None:
        """ "Refinish oak: LR 16x20, DR 12x14. Carpet in LR comes off first": as large as the rooms that it names."""
        if item.match is None or item.section >= 0 or dimension(item.match.task.unit) not in _ONCE_TOLD:
            return None
        if any(one.role is Role.COUNT for one in item.figures):
            return None
        sizes = sizes_of_its_rooms(item.clause, self.scope)
        found = [measure(replace(item, figures=[*item.figures, size]), self.text) for size in sizes]
        values = [one.value for one in found if one.value is not None and one.unit == found[0].unit]
        if not found or len(values) < len(found):
            return None
        said = " ".join(dict.fromkeys(one.assumption for one in found))
        return replace(found[0], value=sum(values, Decimal(0)), assumption=said, reason=OF_ELSEWHERE)

    def _at_its_depth(self, item: Item, near: Sequence[Item]) -> Measured | None:
        """ "The drive is 9 m x 5 m … dig down 200mm", "three raised beds, each 8 x 4 ft, and fill them, 1 ft deep": so
        deep over what was measured right before."""
        if item.match is None or dimension(item.match.task.unit) is not Dimension.VOLUME:
            return None
        depths = [one for one in item.figures if one.role is Role.SIZE and inside(one, item.clause)]
        if len(depths) != 1 or any(one.role in _ONCE_TOLD.values() for one in item.figures):
            return None
        for other in reversed(near[-_REACH:]):
            areas = [one for one in other.figures if one.role is Role.AREA]
            if areas and other.clause.sentence >= item.clause.sentence - 1:
                counts = [one for one in other.figures if one.role is Role.COUNT]
                found = measure(replace(item, figures=[*areas[:1], *counts, *depths]), self.text)
                return replace(found, reason=OF_ANOTHER_LINE) if found.value else None
        return None

    def _as_large(self, item: Item, others: Sequence[Item]) -> Measured | None:
        """ "Existing asphalt 20 x 45 goes, new concrete same footprint", "run of 9 m … new skirting to same run"."""
        same = item.match and _SAME_AREA.search(self.text, item.clause.start, item.end)
        if not same or item.match is None:
            return None
        role = _ONCE_TOLD.get(dimension(item.match.task.unit))
        if role is Role.LENGTH and not same[0].lower().endswith(("run", "length")):
            return None
        told = [one for other in others for one in other.figures if one.role is role and one.span.start < same.start()]
        return self._as_told(item, max(told, key=lambda one: one.span.start), why="as large") if told else None

    def _as_long(self, item: Item, near: Sequence[Item]) -> Measured | None:
        """ "Rebuild a wall 4 m long x 1 m high, new copings on top": as long as what it is put on."""
        if item.match is None or dimension(item.match.task.unit) is not Dimension.LENGTH:
            return None
        before = next(reversed(near), None)
        if before is None or before.clause.sentence != item.clause.sentence or before.match is None:
            return None
        if before.match.task.trade != item.match.task.trade:
            return None
        if not _ON_TOP.search(self.text, item.clause.start, item.end):
            return None
        told = next((one for one in before.figures if one.role is Role.SIZE and one.axis == "length"), None)
        return None if told is None else self._from_elsewhere(item.match.task, told, "as long as what it is on,")

    def _half(self, item: Item, of: Measured | None) -> Measured | None:
        """ "Insulate the loft, 40 m2, and board half of it"."""
        if of is None or of.value is None or not _HALF.search(self.text, item.clause.start, item.end):
            return of
        text = f"{of.assumption} Half of it: {plain(of.value / 2)}.".strip()
        return replace(of, value=of.value / 2, assumption=text)

    def _half_of_it(self, item: Item, measured: Measured) -> Measured | None:
        """ "Half of the 40 m fence needs replacing", "40 m of fencing, half needs replacing"."""
        if item.match is None or measured.value is None or dimension(item.match.task.unit) not in _ONCE_TOLD:
            return None
        whole = next((one for one in item.figures if one.value == measured.value), None)
        if whole is None:
            return None
        before = self.text[max(0, whole.span.start - _EACH_WITHIN) : whole.span.start]
        if not (_HALF_BEFORE.search(before) or _HALF_BEHIND.match(self.text, whole.span.end)):
            return None
        half = measured.value / 2
        text = f"{item.match.task.name}: half of {plain(measured.value)} {measured.unit} = {plain(half)}."
        return replace(measured, value=half, assumption=f"{measured.assumption} {text}".strip())

    def _throughout(self, item: Item) -> Measured | None:
        """ "Basement, 650 sq ft … vinyl plank throughout": the area that the request begins with, where no work is
        measured by it."""
        if item.match is None or dimension(item.match.task.unit) is not Dimension.AREA:
            return None
        if not _THROUGHOUT.search(self.text, item.clause.start, item.end):
            return None
        first = next((one for one in self.scope.figures if one.role is Role.AREA), None)
        asking_items = (one for one in self.items if self.scope.chances.get(one.clause.start, 1.0) >= _ASKED)
        if first is None or first.sides or any(first in other.figures for other in asking_items if other is not item):
            return None
        return self._from_elsewhere(item.match.task, first, "throughout, so")

    def _of_the_whole(self, item: Item) -> Measured | None:
        """ "Gutters, 180 ft … the back run, 40 ft, has come off. Clean the lot": the largest measure told before of
        what is meant whole; "780 sq ft … LVP over the whole 780": the one of that number."""
        if item.match is None or self.scope.sections.all:
            return None
        role = _ONCE_TOLD.get(dimension(item.match.task.unit))
        largest = self._of_that_number(item, role) or whole_told(item, role, self.scope)
        if largest is None:
            return None
        return self._from_elsewhere(item.match.task, largest, "the whole of it,")

    def _of_that_number(self, item: Item, role: Role | None) -> Quantity | None:
        """ "LVP over the whole 780": the measure told before of the number that an item calls the whole."""
        number = _WHOLE_NUMBER.search(self.text, item.clause.start, item.clause.end)
        if number is None:
            return None
        again = Decimal(number["number"].replace(",", ""))
        told = (one for one in self.scope.figures if one.role is role and one.span.start < item.clause.end)
        return next((one for one in told if one.value == again), None)

    def _as_the_old_fence(self, item: Item, place: int) -> Measured | None:
        """ "The old fence is 80 ft long. We want cedar 6ft": how high a kind is that nothing else measures, and as long
        as the fence that was told of before."""
        fence = item.match is not None and item.match.task.trade == "fencing"
        lengths = [one for one in item.figures if one.role is Role.LENGTH]
        if not fence or item.verb not in PUTS_IN or len(lengths) != 1 or not _is_fence_high(lengths[0]):
            return None
        high = lengths[0]
        named = any(item.clause.start <= word.start < high.span.start for word in item.words if word.weight == 1.0)
        if not named or _OF_A_FENCE.match(self.text, high.span.end) or any(_is_panel(one) for one in item.figures):
            return None
        near = reversed(self.items[max(0, place - _NEAR) : place])
        before = (one for one in near if one.match is not None and one.match.task.trade == "fencing")
        told = (figure for one in before for figure in one.figures if figure.role is Role.LENGTH)
        long = next((one for one in told if not _is_fence_high(one)), None)
        return self._as_told(item, long, why="how long the fence is") if long is not None else None

    def _from_elsewhere(self, task: Task, told: Quantity, why: str) -> Measured:
        """What another part of the request tells, with why it is taken for the task."""
        said = shown(self.text[told.span.start : told.span.end])
        return Measured(told.value, told.unit, Decimal("0.75"), f"{task.name}: {why} “{said}”.", OF_ELSEWHERE)

    def _of_panels(self, item: Item) -> Measured | None:
        """ "Replace 6 fence panels": where metres are usual, so many times the length of a usual one."""
        match = item.match
        if match is None or match.task.trade != "fencing" or not self.scope.usual_metric:
            return None
        if dimension(match.task.unit) is not Dimension.LENGTH:
            return None
        counts = [one for one in item.figures if one.role is Role.COUNT]
        if len(counts) != 1 or not _PANELS.match(self.text, counts[0].span.end):
            return None
        number, length = counts[0].value, counts[0].value * _PANEL
        said = f"{match.task.name}: {plain(number)} panels, each taken as {plain(_PANEL)} m = {plain(length)} m."
        return Measured(length, "m", Decimal("0.75"), said, "Length derived from the number of panels.")

    def _tells_otherwise(self, item: Item) -> bool:
        """ "Fill the cracks - maybe 100 ft of them", "fill 200 lf cracks": in a measure that its task is not priced
        by."""
        end = max(item.end, item.clause.end)
        named = item.match.words if item.match is not None else frozenset()
        area = item.match is not None and dimension(item.match.task.unit) is Dimension.AREA
        return any(
            one.role is Role.LENGTH
            and item.clause.start <= one.span.start < end
            and (
                one.noun in {"of", "them"}
                or (area and inside(one, item.clause) and (item.clause.actions or lemma(one.noun) in named))
            )
            for one in item.figures
        )

    def _tells_same(self, item: Item) -> bool:
        """ "Vinyl plank put down in its place, same area", where its only figures stand outside of it."""
        own = [one for one in item.figures if one.role in _ONCE_TOLD.values()]
        outside = all(not item.clause.start <= one.span.start < item.end for one in own)
        return bool(own) and outside and _SAME_AREA.search(self.text, item.clause.start, item.end) is not None

    def _told_count(self, item: Item) -> Measured | None:
        """ "There are 6 downlights that flicker, replace with LED": the count that is only told of the thing, in the
        sentence or the one before."""
        if not self._lacks_count(item) or item.match is None:
            return None
        if not _ONE_OF_IT.isdisjoint(token.text for token in item.clause.tokens[:2]):
            return None  # "… and a maple that needs pruning"
        named = item.match.words | self.scope.index.described(item.match.task)
        for sentence in (item.clause.sentence, item.clause.sentence - 1):
            for clause, figure in self._told_counts.get(sentence, ()):
                if figure.value == 1 or is_told_beside(figure, item.match.task):
                    continue
                # "Openers already here in boxes (2)".
                bracketed = self.text[figure.span.start - 1 : figure.span.start] == "("
                about = {lemma(token.text) for token in clause.tokens} if bracketed else _things_counted(figure, clause)
                if not about.isdisjoint(named - ROOMS):
                    said = shown(self.text[clause.start : clause.end])
                    text = f"{item.match.task.name}: {plain(figure.value)}, as “{said}” tells."
                    return Measured(figure.value, "each", Decimal("0.8"), text, "Quantity taken from elsewhere.")
        return None

    def _told_of_each(self, item: Item) -> Measured | None:
        """ "Tub reglazing for a 3 unit building. Each unit has 2 tubs": what is told of each of the places."""
        if item.match is None or dimension(item.match.task.unit) is not Dimension.COUNT:
            return None
        named = item.match.words | self.scope.index.described(item.match.task)
        own = [(item.clause, one) for one in item.figures if one.role is Role.COUNT]
        around = (self._told_counts.get(item.clause.sentence + step, ()) for step in (-1, 0, 1))
        for clause, figure in itertools.chain(own, *around):
            each = _EACH_HAS.match(self.text, clause.start, figure.span.start)
            if each is None or (lemma(figure.noun) not in named - ROOMS and figure.noun != "them"):
                continue
            counts = (one for one in self.scope.figures if one.role is Role.COUNT and one.value > 1)
            places = next((one for one in counts if lemma(one.noun) == lemma(each["place"].lower())), None)
            if places is not None and places is not figure:
                of_each = Measured(figure.value, "each", Decimal("0.85"))
                return _times(of_each, int(places.value), item.match.task.name, f"{each['place']}s")
        return None

    def _so_much_of_each(self, item: Item, measured: Measured) -> Measured | None:
        """ "5 garden-style bldgs … Each bldg two story, 220 LF of gutter": so many times what one of the places has."""
        role = _ONCE_TOLD.get(dimension(item.match.task.unit)) if item.match is not None else None
        told = [one for one in item.figures if one.role is role]
        if item.match is None or measured.value is None or role is None or len(told) != 1 or item.section >= 0:
            return None
        clause = self.scope.clause_of(told[0])
        each = _EACH_PLACE.match(self.text, self.scope.sentence_of(clause)[0]) if clause is not None else None
        if each is None or each.end() > told[0].span.start:
            return None
        if measured.value != told[0].value * factor(told[0].unit, measured.unit):
            return None  # of all of them already
        behind = re.compile(rf"(?: [\w-]+){{0,2}} {re.escape(each['place'])}e?s\b", re.IGNORECASE)
        counts = (one for one in self.scope.figures if one.role is Role.COUNT and one.value > 1)
        counts = (one for one in counts if one.span.start < each.start() and behind.match(self.text, one.span.end))
        places = next(counts, None)
        if places is None:
            return None
        return _times(measured, int(places.value), item.match.task.name, f"{each['place']}s")

    @cached_property
    def _told_counts(self) -> dict[int, list[tuple[Clause, Quantity]]]:
        """The counts that clauses only tell, by sentence."""
        counts = [figure for figure in self.scope.figures if figure.role is Role.COUNT and figure.value >= 1]
        told: defaultdict[int, list[tuple[Clause, Quantity]]] = defaultdict(list)
        for clause, own in zip(self.scope.clauses, by_clause(counts, self.scope.clauses), strict=True):
            if clause.kind in {ClauseKind.CONTEXT, ClauseKind.SUPPLY}:
                told[clause.sentence] += [(clause, figure) for figure in own]
        return dict(told)

    def _as_they_are(self, item: Item, place: int) -> Measured | None:
        """ "Hang 4 doors and paint them": as many as the things of the work right before."""
        before = self.items[place - 1] if place else None
        if before is None or before.match is None or item.match is None or not self._lacks_count(item):
            return None
        if before.clause.sentence != item.clause.sentence or not _THEM.search(
            self.text, item.clause.start, item.clause.end
        ):
            return None
        found = self._own[id(before)]
        if found.value is None or found.value <= 1 or found.unit != "each":
            return None
        text = f"{item.match.task.name}: as many as {before.match.task.name}, {plain(found.value)}."
        return Measured(found.value, "each", Decimal("0.75"), text, OF_ANOTHER_LINE)

    def _as_counted(self, item: Item, place: int) -> Measured | None:
        """ "Need both trees down and the stumps ground": as many as the things of the same trade just before."""
        said = self.text[item.clause.start : item.clause.end]
        if not self._lacks_count(item) or item.match is None or not place:
            return None
        before = self.items[place - 1]
        again = self.items[place - 2] if place > 1 else before
        if before.match is not None and again.match is not None and before.match.task is again.match.task:
            before = again  # "3 ash, each 40 ft, to be taken down. Grind the stumps"
        near = before.clause.sentence == item.clause.sentence and "stump" in item.match.words
        if not near and not _THE_PLURAL.search(said):
            return None  # "take down 3 trees, grind stumps"
        if before.match is None or before.match.task.trade != item.match.task.trade:
            return None
        named = {*lemmas_of(item.match.task.name)} - FAULT_LEMMAS
        if not any(word.plural and word.lemma in named for word in item.words):
            return None  # "and the tap in the kitchen drips"
        found = self._own[id(before)]
        if found.value is None or found.value <= 1 or found.unit != "each":
            return None
        text = f"{item.match.task.name}: as many as {before.match.task.name}, {plain(found.value)}."
        return Measured(found.value, "each", Decimal("0.75"), text, OF_ANOTHER_LINE)

    @staticmethod
    def _lacks_count(item: Item) -> bool:
        """Whether things are asked for, and no figure of theirs says how many."""
        return (
            item.match is not None
            and dimension(item.match.task.unit) is Dimension.COUNT
            and not any(figure.role is Role.COUNT for figure in item.figures)
        )

    def _the_only_one(self, item: Item) -> Measured | None:
        """The one area, length or volume that the whole request tells, where it tells no other: "ceiling is down … lath
        too. It's 40 m2"."""
        if item.match is None or dimension(item.match.task.unit) not in _ONCE_TOLD or self._is_in_part(item):
            return None
        if any(figure.role is Role.COUNT for figure in item.figures):
            return None
        if not _PIECES.isdisjoint(lemmas_of(item.match.task.name)):
            return None  # "walls 12 m2, new screen"
        told = list({(figure.value, figure.unit): figure for figure in self._once_told}.values())
        if len(told) != 1:
            return None
        if {_is_outdoors(item.match.task), *self._measures.get(told[0].span.start, ())} >= {True, False}:
            return None  # "Drywall, 1000 sqft. Replace the sidewalk"
        others = () if told[0].sides else [one for one in self.items if told[0] in one.figures]
        if any(_is_ordered_besides(item, one, self.scope.index) for one in others):
            return None
        return self._as_told(item, told[0], why="the only figure told")

    def _is_in_part(self, item: Item) -> bool:
        """Whether what an item is done to is worked on in part only; a wall that is repointed is, too, where sides are
        told."""
        return _mends_some(item, self.text) or (item.verb in _IN_PART and any(one.sides for one in self._once_told))

    def _the_only_one_left(self, item: Item) -> Measured | None:
        """The one area that measures nothing else, told once and of no single thing: "gutters growing ferns, moss on
        the roof. It is 1,800 sq ft, 150 ft of gutter. Want both dealt with"."""
        if item.match is None or self._is_in_part(item) or dimension(item.match.task.unit) is not Dimension.AREA:
            return None
        if any(one.role is Role.COUNT for one in item.figures):
            return None
        if not _PIECES.isdisjoint(lemmas_of(item.match.task.name)):
            return None
        if _A_PART.search(self.text, item.clause.start, item.clause.end):
            return None
        if any(one.role in MEASURES for one in item.figures):
            return None  # "rim joist foam, 130 lineal feet"
        left = [one for one in self._areas if one.span.start not in self._measures]
        return self._as_told(item, left[0], why="the only area left") if len(left) == 1 else None

    @cached_property
    def _areas(self) -> list[Quantity]:
        """The areas that are told as such and not of each of several things."""
        return [
            one
            for one in self._once_told
            if one.role is Role.AREA
            and not one.sides
            and not _EACH.search(self.text, max(0, one.span.start - _EACH_WITHIN), one.span.end + _EACH_WITHIN)
        ]

    @cached_property
    def _once_told(self) -> list[Quantity]:
        """The areas, lengths and volumes that are told of what is not left out."""
        left_out = [
            clause for clause in self.scope.clauses if clause.kind is ClauseKind.EXCLUSION and not clause.carried
        ]
        return [
            figure
            for figure in self.scope.figures
            if figure.role in _ONCE_TOLD.values()
            and figure.unit not in _HELD  # "septic tank, 2800 L"
            and not any(inside(figure, clause) for clause in left_out)
        ]

    @cached_property
    def _measures(self) -> Mapping[int, Set[bool | None]]:
        """The figures that measure work, by where they stand, with whether that is outdoors."""
        found: defaultdict[int, set[bool | None]] = defaultdict(set)
        for item in self.items:
            if item.match is None or self._own[id(item)].value is None:
                continue
            role = _ONCE_TOLD.get(dimension(item.match.task.unit))
            for figure in item.figures:
                if figure.role is role:
                    found[figure.span.start].add(_is_outdoors(item.match.task))
        return found

    def _as_told(self, item: Item, figure: Quantity, why: str) -> Measured | None:
        """What a figure of the request that stands elsewhere makes of an item."""
        found = measure(replace(item, figures=[figure]), self.text)
        if found.value is None or item.match is None:
            return None
        said = shown(self.text[figure.span.start : figure.span.end])
        return replace(
            found, confidence=Decimal("0.7"), reason=OF_ELSEWHERE,
            assumption=f"{found.assumption} {item.match.task.name}: “{said}” is {why}.".strip(),
        )  # fmt: skip

    def _by_room(self, item: Item, around: Sequence[Item]) -> Measured | None:
        """Floors, ceilings, walls and edges of a room whose size stands with an item around, in the same sentence or
        the one that goes on with it ("… Also the walls."); the last goes first."""
        if item.match is None:
            return None
        edges = _EDGES.intersection(lemmas_of(item.match.task.name))  # "quarter round"
        if not (edges or item.lemmas & _OF_A_ROOM):
            return None
        all_round = _ALL_ROUND.search(self.text, item.clause.start, item.end) is not None
        if any(one.role is Role.COUNT and one.value > 1 for one in item.figures):
            return None  # "… 40x60, replace 24 stained ceiling tiles"
        for other in reversed(around):
            apart = item.clause.sentence - other.clause.sentence
            round_it = all_round and 0 < apart <= _ROUND_BACK
            goes_on = apart == 1 and (self._goes_on(item) or self._is_its_place(other, item))
            if apart and not (round_it or goes_on):
                continue
            size = [figure for figure in other.figures if figure.role is Role.AREA and figure.sides]
            if size:
                # "3 rooms, all 11x12. Baseboard around all of it"
                size += [figure for figure in other.figures if all_round and figure.role is Role.COUNT]
                found = measure(replace(item, figures=[*item.figures, *size]), self.text)
                return replace(found, reason="Quantity taken from the room's size.") if found.value else None
        return None

    def _is_its_place(self, told: Item, item: Item) -> bool:
        """ "Detached 24x24 garage. Epoxy the floor", "two bedrooms, one is 12x13 and the other 11x12. Put in LVP": the
        sentence before only tells how large the rooms are that the work, which names none, is done in."""
        places = ROOMS | STRUCTURES
        if told.clause.actions or told.match is None or item.verb in _IN_PART or not places & told.lemmas:
            return False
        if self.scope.chances.get(told.clause.start, 1.0) >= _ASKED or told.clause.kind is not ClauseKind.WORK:
            return False
        if not item.clause.actions and self.scope.chances.get(item.clause.start, 1.0) < _ASKED:
            return False  # "vinyl floor with a burn"
        here = {word.lemma for word in item.words if item.clause.start <= word.start < item.clause.end}
        start, end = self.scope.sentence_of(told.clause)
        sized = any(one.sides and start <= one.span.start < end for one in told.figures)
        return sized and (places | PREMISES) & here <= told.lemmas

    def _goes_on(self, item: Item) -> bool:
        """ "Also the patio": another thing that the verb of the sentence before is done to."""
        return item.inherited and says_also(self.scope, item.clause)

    def _as_its_counterpart(self, item: Item, others: Sequence[Item], near: Sequence[Item]) -> Measured | None:
        """What is taken out is as much as what the same request puts in its place, and the other way round."""
        if item.match is None or item.verb not in {"remove", "install", "replace"}:
            return None
        for other in others:
            new = other.match
            if new is None or (other.verb == "remove") == (item.verb == "remove"):
                continue
            if new.task.trade != item.match.task.trade and not _takes_its_place(other, item):
                continue
            found = self._own[id(other)]
            found = found if found.value is not None else self._of_panels(other) or found
            if found.value is None and other.verb == "remove" and near and other is near[-1]:
                # "Patio: 6 x 4 m, slabs broken, get rid. Lay porcelain": as much as the patio that is taken up.
                found = self._reckoned_before.get(id(other), found)
            if found.value is not None and dimension(found.unit) is dimension(item.match.task.unit):
                amount = f"{plain(found.value)} {found.unit}"
                text = f"{item.match.task.name}: taken to be as much as {new.task.name}, {amount}."
                return Measured(found.value, found.unit, Decimal("0.8"), text, OF_ANOTHER_LINE)
        return None

    def _as_before(self, item: Item, before_it: Sequence[Item]) -> Measured | None:
        """ "Resurfaced and then sealed", "fit new ones, same length": as much as the work before on the same thing."""
        counted = any(one.role is Role.COUNT and one.value > 1 and one.noun not in {"", "them"} for one in item.figures)
        of_all = any(self.text[one.span.start : one.span.end].lower() == "both" for one in item.figures)
        if item.match is None or (counted and not item.refers and not of_all):
            return None
        if item.verb in _IN_PART and _A_PART.search(self.text, item.clause.start, item.clause.end):
            return None  # "clean all 180 ft, resecure a loose section"
        same = _SAME.search(self.text, item.clause.start, item.end) is not None
        # "A stud wall 4 m long and 2.4 m high. Skim both faces"
        same = same or _OF_A_WALL.search(self.text, item.clause.start, item.end) is not None
        before = [other for other in before_it if other.match is not None]
        if item.clause.kind is ClauseKind.OPTION and item.verb != "remove":
            # "Alt: composite decking": instead of what is built, not of what is taken out before.
            before = [other for other in before if other.verb != "remove"]
            instead = _INSTEAD.search(self.text, item.clause.start, item.clause.end) is not None
            alike = [
                other
                for other in before
                if other.match is not None
                and dimension(other.match.task.unit) is dimension(item.match.task.unit)
                and (other.match.task.trade == item.match.task.trade or (instead and other is before[-1]))
            ]
            # "Re-felt the flat roof … 2 m2 of new decking … price GRP as an alternative": of the same kind of thing.
            kind = {*lemmas_of(item.match.task.name)} if instead else set[str]()
            shared = [len(kind.intersection(lemmas_of(one.match.task.name))) for one in alike if one.match]
            alike = [one for one, most in zip(alike, shared, strict=True) if most == max(shared)]
            before, same = alike or before, same or bool(alike)
        nearest = before[-_REACH:][::-1]
        if same:
            # "Skim walls 42 m2, skim ceiling 18 m2. … Paint the walls after, same areas": as much as of the walls.
            nearest.sort(key=lambda other: not _is_of_one_surface(item, other))
        for other in nearest:
            near = other.clause.sentence >= item.clause.sentence - 1
            related = other.match is not None and (
                other.match.task.trade == item.match.task.trade
                or (other.match.words & item.match.words).difference(item.asked)
                or self._is_on_its_surface(item, other)
            )
            if not same and not (near and (item.refers or related)):
                continue
            if other.match is not None and is_shallow(item.match.task) is not is_shallow(other.match.task):
                continue  # "new tile floor, new backsplash"
            if not same and not item.refers and item.match.task.verbs[:1] == ("repair",) and other.verb not in _IN_PART:
                continue  # "Sealcoat the 18000 sf lot, patch 3 potholes": what is mended in it is not the whole
            found = self._everywhere(other) if item.section < 0 else self._own[id(other)]
            if found.value is None and item.clause.kind is ClauseKind.OPTION:
                # "Take up the deck, 20 sq m. New composite, same footprint. Or the price in softwood?"
                found = self._as_large(other, before_it) or self._as_its_counterpart(other, before_it, ()) or found
            if (
                found.value is not None
                and dimension(found.unit) is dimension(item.match.task.unit) is not Dimension.COUNT
            ):
                name = other.match.task.name if other.match else ""
                text = f"{item.match.task.name}: taken to be as much as {name}, {plain(found.value)} {found.unit}."
                taken = Measured(found.value, found.unit, Decimal("0.75"), text, OF_ANOTHER_LINE)
                return on_both_sides(taken, item, self.text)
        return None

    def _is_on_its_surface(self, item: Item, other: Item) -> bool:
        """ "Remove the popcorn, retexture, paint the ceiling": the surface is what the other work is on."""
        if item.match is None or other.match is None:
            return False
        on = item.match.words & _SURFACES - {"wall"}
        return bool(on) and on <= self.scope.index.described(other.match.task)

    def _everywhere(self, item: Item) -> Measured:
        """How much of it all sections ask for, each as often as it has places; of work in none, how much it is."""
        found = self._in_its_places(item)
        if item.section < 0 or item.match is None or found.value is None:
            return found
        of_it = [one for one in self.items if one.section >= 0 and one.match is not None]
        more = [
            self._in_its_places(one)
            for one in of_it
            if one is not item and one.match is not None and one.match.task is item.match.task
        ]
        return replace(
            found, value=sum((one.value * factor(one.unit, found.unit) for one in more if one.value), found.value)
        )

    def _in_its_places(self, item: Item) -> Measured:
        own = self._own[id(item)]
        return self._in_all_sections(item, own) or own

    def _things(self, item: Item) -> set[str]:
        """What the work is done to, by the words of its clause."""
        own = (word for word in item.words if word.start >= item.clause.start and word.weight == 1.0)
        return {one.lemma for one in own if self.scope.index.knows(one.lemma) and not action_of(one.lemma)}

    def _as_joined(self, item: Item, after: Item) -> Measured | None:
        """ "Power wash and restain the deck, 16x20": the size comes after both verbs."""
        if after.match is None or item.match is None or after.clause.start - item.clause.end > _JOINED:
            return None
        taken_off = after.verb == "remove" and after.refers  # "loose wall tiles, take off and refix 2 m2"
        # "Tape joints showing, hall ceiling, 2 sf" orders nothing more, "reset slipped tiles, replace broken" no other.
        ordered = bool(after.clause.actions) and after.verb not in _IN_PART
        ordered = ordered and not (after.verb == "replace" and self._things(after) <= item.lemmas)
        if ordered and _mends_some(item, self.text) and not taken_off:
            return None  # "patch drywall and paint walls, 1200 sqft": what is mended is not all that is painted
        counted = any(one.role is Role.COUNT and one.value > 1 and one.noun not in {"", "them"} for one in item.figures)
        if counted and dimension(item.match.task.unit) is Dimension.AREA:
            return None  # "replace 12 boards, stain 400 sf"
        listed = self.text[item.clause.end : after.clause.start].strip() == ","
        if listed and item.clause.commands and after.clause.commands and self._things(item) - after.lemmas:
            return None  # "rebuild the mailbox, repoint steps 12 sf"
        found = self._own[id(after)]
        if found.value is None or dimension(found.unit) is not dimension(item.match.task.unit):
            return None
        if dimension(found.unit) is Dimension.COUNT or not self.text[item.clause.end : after.clause.start].strip():
            return None
        amount = f"{plain(found.value)} {found.unit}"
        text = f"{item.match.task.name}: taken to be as much as {after.match.task.name}, {amount}."
        return Measured(found.value, found.unit, Decimal("0.75"), text, OF_ANOTHER_LINE)

    def _and_more(self, item: Item, of_each: Measured | None) -> Measured | None:
        """ "A fan in each of the four bedrooms and two in the great room": those elsewhere besides."""
        said = _FOR_EACH.search(self.text, item.clause.start, item.end)
        if of_each is None or of_each.value is None or said is None:
            return of_each
        more = [one for one in item.figures if one.noun == THERE and one.span.start >= said.end()]
        more = [one for one in more if _ON_EACH.match(self.text, one.span.end) is None]
        if not more or item.match is None:
            return of_each
        total = of_each.value + sum(one.value for one in more)
        text = f"{item.match.task.name}: {plain(of_each.value)} + {plain(more[0].value)} elsewhere = {plain(total)}."
        return replace(of_each, value=total, assumption=f"{of_each.assumption} {text}".strip())

    def _for_each(self, item: Item, place: int) -> Measured | None:
        """ "A smoke alarm on each floor, its 3 floors": as many as are counted of what each has one; "two mini splits …
        a circuit for each": as many as the things before."""
        if item.match is None or (
            dimension(item.match.task.unit) is not Dimension.COUNT and item.match.task.unit != "visit"
        ):
            return None
        if sum(one.noun == THERE for one in item.figures) > 1:
            return None  # "one in the hall and one in each of the 3 bedrooms" is reckoned with the others
        said = _FOR_EACH.search(self.text, item.clause.start, item.end)
        noun = lemma(said["noun"].lower()) if said is not None and said["noun"] else ""
        only = item.figures[0] if len(item.figures) == 1 and item.figures[0].role is Role.COUNT else None
        if said is not None and only is not None and said.start() < only.span.start < said.end():
            text = f"{item.match.task.name}: one for each of {plain(only.value)}."
            return Measured(only.value, item.match.task.unit, Decimal("0.85"), text)
        if item.match.task.unit == "visit":
            return None
        storeys = next((one for one in self.scope.figures if one.role is Role.STOREYS), None)
        if storeys is not None and noun in {"floor", "story", "level"} and not item.figures:
            text = f"{item.match.task.name}: one for each of {plain(storeys.value)} storeys."
            return Measured(storeys.value, "each", Decimal("0.8"), text)
        counts = [one for one in self.scope.figures if one.role is Role.COUNT]
        many = [one for one in counts if said is not None and 0 <= said.start() - one.span.end <= _EACH_WITHIN]
        each = many[-1] if many and many[-1].span.start >= item.clause.start else None
        places = [one for one in counts if one is not each and one.value > 1 and _is_of(one, noun)]
        if places and (noun not in item.match.words or lemma(places[0].noun) in PLACES):
            times = f"{plain(each.value)} × " if each is not None and each.value > 1 else "one for each of "
            there = homes(places, counts, self.text)
            total = there.number * (each.value if each is not None else 1)
            text = f"{item.match.task.name}: {times}{there.told}."
            return Measured(total, "each", Decimal("0.8"), text)
        named = _listed_behind(self.text, said.end("noun"), noun) if said is not None and noun and not places else 0
        if named:
            of_each = Measured(each.value if each is not None else Decimal(1), "each", Decimal("0.8"))
            return _times(of_each, named, item.match.task.name, f"{noun}s that are named")
        several = self.scope.sections
        sections = len(several.all) if said is not None and said["out"] else several.of_kind(noun) if noun else 0
        if item.section < 0 and sections > 1:
            each_one = next((one.value for one in item.figures if one.role is Role.COUNT), Decimal(1))
            text = f"{item.match.task.name}: {plain(each_one)} × {sections} ({noun})."
            return Measured(each_one * sections, "each", Decimal("0.8"), text)
        if not place or any(one.role is Role.COUNT and one.value > 1 for one in item.figures):
            return None
        before_it = self.text[max(0, said.start() - 4) : said.start()].lower() if said is not None else ""
        if said is not None and said[0][:3].lower() == "per" and before_it != "one ":
            return None  # "a panel per code"
        before = self.items[place - 1]
        found = self._own[id(before)]
        if before.match is None or found.value is None or found.value <= 1 or found.unit != "each":
            return None
        text = f"{item.match.task.name}: one for each of {plain(found.value)} ({before.match.task.name})."
        return Measured(found.value, "each", Decimal("0.85"), text)


def whole_told(item: Item, role: Role | None, scope: Scope) -> Quantity | None:
    """The largest measure of a kind told before an item that is meant whole; None where it tells one itself."""
    if role is None or not _WHOLE.search(scope.text, item.clause.start, item.clause.end):
        return None
    told = [one for one in scope.figures if one.span.start < item.clause.end and _may_be_whole(one, role)]
    if not told or any(inside(one, item.clause) for one in told):
        return None
    return max(told, key=lambda one: one.value * factor(one.unit, told[0].unit))


def _may_be_whole(figure: Quantity, role: Role | None) -> bool:
    """Whether a figure may tell how large all of something is, also where less of that was worked on before: "drive 62
    m2, … 6 m2 altogether need relaying. Then the whole drive washed"."""
    of_whole = role is Role.AREA and figure.role is Role.SIZE and _ROLE_OF_UNIT.get(figure.unit) is Role.AREA
    return figure.role is role or of_whole


def _is_ordered_besides(item: Item, measured: Item, index: TaskIndex) -> bool:
    """ "Clean the carpets, 700 sq ft, and seal the driveway": an order of its own, of another trade than what is
    measured, for a thing that has nothing to do with that."""
    if item.match is None or measured.match is None or item.match.task.trade == measured.match.task.trade:
        return False
    if not (orders_by_name(item.clause, item.match, index) and measured.clause.orders):
        return False
    things, others = item.match.things - ROOMS, measured.match.things - ROOMS
    apart = things.isdisjoint(index.described(measured.match.task))
    return apart and others.isdisjoint(index.described(item.match.task))


def _takes_its_place(first: Item, second: Item) -> bool:
    """ "Asbestos garage roof … sheets off, new steel in its place", "break them out and lay pavers": what is taken out
    by another trade is the same thing as what is put in, or stands right before it in its sentence."""
    old, new = (first, second) if first.verb == "remove" else (second, first)
    if old.match is None or new.match is None or new.verb not in PUTS_IN or is_shallow(new.match.task):
        return False
    if old.match.task.trade == "demolition":
        return _is_of_one_surface(old, new)
    behind = 0 <= new.clause.start - old.end <= _JOINED
    return behind and old.clause.sentence == new.clause.sentence and old.refers


def _is_of_one_surface(item: Item, other: Item) -> bool:
    """Whether both are work on walls, on ceilings, on floors."""
    first, second = (
        {*lemmas_of(one.match.task.name)} & _SURFACES if one.match is not None else set[str]() for one in (item, other)
    )
    return not first.isdisjoint(second)


def _mends_some(item: Item, text: str) -> bool:
    """Whether what an item is done to is mended, which is seldom the whole of it; but walls are pointed all over,
    unless "as necessary"."""
    if item.verb not in _IN_PART:
        return False
    named = lemmas_of(item.match.task.name) if item.match is not None else ()
    return _ALL_OVER.isdisjoint(named) or _AS_NEEDED.search(text, item.clause.start, item.end) is not None


def _is_outdoors(task: Task) -> bool | None:
    """Whether work is done outdoors; None of what is done in either place."""
    words = set(lemmas_of(task.name))
    if task.trade == "painting":
        return "exterior" in words
    if task.trade == "concrete":
        return None if words.isdisjoint({"sidewalk", "driveway", "patio"}) else True
    return True if task.trade in _OUTDOORS else False if task.trade in _INDOORS else None


def _listed_behind(text: str, at: int, noun: str) -> int:
    """How many places of a kind are listed there by number: "units 4, 7 and 9"; 0 where none are."""
    said = _LISTED.match(text, at)
    if said is None or lemma(said["places"].split()[0].lower()) != noun:
        return 0
    return next((one.number for one in listed(tokenize(said["places"])) if one.start == 0 and one.apart), 0)


def _times(measured: Measured, number: int, name: str, places: str) -> Measured:
    """So many times as much, with the assumption that says so."""
    each = measured.value or Decimal(0)
    text = f"{name}: {plain(each)} × {number} {places} = {plain(each * number)}."
    return replace(measured, value=each * number, assumption=f"{measured.assumption} {text}".strip())


def _left_out(clause: Clause) -> Decimal:
    """How many a clause leaves out: "except the two in the loft", "but not the bath one"; 0 where it does not say."""
    first = next((at for at, token in enumerate(clause.tokens) if token.text not in _EXCEPT), 0)
    number = number_at(clause.tokens, first) if first else None
    if number is not None:
        return number.value
    return Decimal(int(first > 0 and clause.tokens[-1].text == "one"))


def _things_counted(figure: Quantity, clause: Clause) -> set[str]:
    """What a count is of: its noun, or the plural a few words behind that: "two dead ash trees"."""
    behind = [token.text for token in clause.tokens if token.start >= figure.span.end][:_NOUN_WORDS]
    plural = next((word for word in behind if word.endswith("s") and word.isalpha()), "")
    return {lemma(figure.noun)} if figure.noun.endswith("s") or not plural else {lemma(figure.noun), lemma(plural)}


def _is_fence_high(length: Quantity) -> bool:
    return length.value * factor(length.unit, "m") <= HIGHEST_FENCE


def _is_panel(figure: Quantity) -> bool:
    return figure.role is Role.COUNT and lemma(figure.noun) in {"panel", "bay"}


def _is_of(count: Quantity, noun: str) -> bool:
    """Whether the count is of the places that each have one: of ``noun``, or of rooms where "each" stands alone."""
    return lemma(count.noun) == noun if noun else lemma(count.noun) in ROOMS


def _is_made_to_measure(item: Item) -> bool:
    """ "New shower screen, tile the walls 9 m2": a screen is as large as it is itself, and not as the tiles."""
    task = item.match.task if item.match is not None else None
    by_area = task is not None and dimension(task.unit) is Dimension.AREA and task.trade in _OF_OPENINGS
    return by_area and item.verb in PUTS_IN
