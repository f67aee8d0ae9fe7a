"""Placing: what it says of an item that others of the request are like it, in its own place or in another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from server.domain.drafting.clauses import ClauseKind
from server.domain.drafting.items import Item, inside
from server.domain.drafting.judging import Judge, Judgement
from server.domain.drafting.matching import ROOMS
from server.domain.drafting.quantities import WORK_ROLES, Role
from server.domain.drafting.scope import Scope
from server.domain.drafting.telling import only_names
from server.domain.drafting.verbs import REQUEST_CUE, is_verb_alone
from server.domain.units import Dimension, dimension

#: "… for the new lots", and what names one thing: "replace the faucet in the garage" is no head of places.
_ROOMS = ROOMS | {"en", "suite"}
_WHERE = re.compile(r"\b(?:for|in|at|on|of) .*", re.IGNORECASE | re.DOTALL)
_ONE = re.compile(r"\b(?:a|an|the|one|another|our|my|this|that)\b", re.IGNORECASE)
#: Characters between what heads places and the first of them.
_RIGHT_BEHIND = 20
#: Parts of a whole from which on it is told by them.
_SEVERAL_PARTS = 3
#: Items behind a whole that are looked at.
_PARTS_WITHIN = 20
#: Characters in front of a line's words.
_LINE_BEGINS = 5
#: What stands between two things of a list.
_JOINT = re.compile(
    r"\s*(?:,|;|&|\+|,? ?and(?: also)?|,? ?plus|,? ?as well as|,? ?along with|,? ?in addition to)\s*", re.IGNORECASE
)
_ALSO = re.compile(r"\s*[.;!]?\s*also,?\s*", re.IGNORECASE)
#: Things of one place that are asked for beyond doubt, from which on another of its list is none.
_LISTED = 2


class Placing:
    """The items of one request among its places and lists."""

    def __init__(self, scope: Scope, items: Sequence[Item]) -> None:
        self.scope = scope
        self.items = items
        self.text = scope.text

    def listed_with(self, judge: Judge, judged: Sequence[Judgement], nones: Sequence[bool]) -> frozenset[int]:
        """The items by their `id` that are no doubtful ones beside those that are sure: the same in another place, what
        two places name or one gets like another, the third of one place's list, an entry of a table, another line
        of a list of counts, the next thing of a sentence that tells how much of each, a thing of a list with one verb
        at its end. ``nones``: which are too doubtful for a line."""
        sure, likely = set[int](), set[int]()
        for place, (item, judgement) in enumerate(zip(self.items, judged, strict=True)):
            if not nones[place]:
                likely.add(id(item))
                sure |= {id(item)} if not judge.is_doubtful(place, judgement) else set()
        placed = [(item, item.match) for item in self.items if item.section >= 0 and item.match is not None]
        sections = self.scope.sections.all
        again = {id(item) for item, _ in placed if item.clause.start < sections[item.section].start}
        tasks = {match.task.task_id for item, match in placed if id(item) in sure | again}
        of_place = Counter(item.section for item, _ in placed if id(item) in sure)
        told = {(match.task.task_id, item.section) for item, match in placed if id(item) in likely}
        places = Counter(task for task, _ in told)
        tabled = [one for one in self.items if one.clause.start in self.scope.entries]
        counted = [one for one in self.items if self._is_counted_line(one)]
        lines = counted if any(id(one) in sure for one in counted) else []
        return frozenset(
            id(item)
            for item, match in placed
            if match.task.task_id in tasks
            or (match.exact and max(of_place[item.section], places[match.task.task_id]) >= _LISTED)
        ).union(
            (id(item) for item in (*tabled, *lines) if item.match is not None and item.match.exact),
            self._going_on(sure),
            self._ended_alike(sure),
        )

    def _going_on(self, sure: set[int]) -> set[int]:
        """ "Clean the driveway, 1,200 sq ft, and the roof, 2,400 sq ft", "repair the furnace, the tub and the fence":
        with the verb of the one before, as surely."""
        found, ordered = set[int](), set[int]()
        for before, item in pairwise(self.items):
            # "Please replace: doorbell, front door": the first is told behind the clause of its verb.
            end = before.end if is_verb_alone(before.clause.tokens) else before.clause.end
            between = self.text[end : item.clause.start]
            if (
                not item.inherited
                or not 0 <= item.clause.sentence - before.clause.sentence <= int(_ALSO.fullmatch(between) is not None)
                or not item.clause.kind is before.clause.kind is ClauseKind.WORK
                or not (_JOINT.fullmatch(between) or _ALSO.fullmatch(between))
            ):
                continue
            if item.verb == before.verb and (id(before) in ordered or self._has_its_verb(before)):
                ordered.add(id(item))
            if (
                id(before) in sure | found
                and item.match is not None
                and item.match.exact
                and item.match.verb_fits
                and not item.match.remark
                and (
                    (self._tells_a_measure(before) and self._tells_a_measure(item))
                    or (id(item) in ordered and self._only_names(item))
                )
            ):
                found.add(id(item))
        return found

    def _has_its_verb(self, item: Item) -> bool:
        """Whether its verb is written: in its words, above its list, or alone before them ("Please clean: patio")."""
        number = self.scope.places.get(item.clause.start)
        before = self.scope.clauses[number - 1] if number else item.clause
        alone = before.sentence == item.clause.sentence and is_verb_alone(before.tokens)
        return item.headed or item.verb in item.clause.stated or (alone and item.verb in before.actions)

    def _only_names(self, item: Item) -> bool:
        """Whether a counted thing is named, and nothing said of it; nor is anything measured that might be of it."""
        named = item.match.words if item.match is not None else frozenset()
        counted = item.match is not None and dimension(item.match.task.unit) in {Dimension.COUNT, Dimension.LUMP}
        return (
            (counted or not self._measures)
            and not item.figures
            and not item.detail
            and only_names(item.clause.tokens, named | ROOMS)
        )

    @cached_property
    def _measures(self) -> bool:
        """Whether the request measures anything."""
        return any(one.role in WORK_ROLES - {Role.COUNT} for one in self.scope.figures)

    def _ended_alike(self, sure: set[int]) -> set[int]:
        """ "I need the driveway, gutters and windows cleaned": as surely as another that the same verb is of. "To be
        cleaned: …": what is named below the verb alone."""
        verbs = {(one.clause.sentence, one.verb) for one in self.items if id(one) in sure}
        return {
            id(item)
            for item in self.items
            if item.match is not None
            and item.match.verb_fits
            and not item.match.remark
            and (
                (item.clause.ending and (item.clause.sentence, item.verb) in verbs)
                or (item.inherited and item.match.exact and self._has_its_verb(item) and self._only_names(item))
            )
        }

    def _tells_a_measure(self, item: Item) -> bool:
        """Counts may be parts of the one before: "six locks changed, four flat doors and two communal"."""
        roles = WORK_ROLES - {Role.COUNT}
        return any(one.role in roles and inside(one, item.clause) for one in item.figures)

    def _is_counted_line(self, item: Item) -> bool:
        """ "3 outlets", "light switches 6", a line of its own."""
        start, end = self.scope.sentence_of(item.clause)
        alone = item.clause.start == start and item.clause.end == end
        begins = "\n" in self.text[max(0, start - _LINE_BEGINS) : start]
        counts = [one for one in item.figures if one.role is Role.COUNT and inside(one, item.clause)]
        ends = any(one.span.end >= end and one.span.start > start for one in counts)
        return alone and begins and bool(counts) and (ends or not item.clause.actions)

    def heads_sections(self, item: Item) -> bool:
        """ "Concrete for the new lots. Lot 11: driveway 16 x 30": said of all places before each is told."""
        if item.match is None or item.section >= 0 or any(one.role in WORK_ROLES for one in item.figures):
            return False
        if item.refers and item.match.task.task_id in self._placed:
            return True  # "… Furnish and install."
        after = self.scope.sections.after(item.end)
        if after is not None and after.each and item.match.words <= _ROOMS and after.start - item.end <= _RIGHT_BEHIND:
            return True  # "Main bathroom and en suite. Both need …"
        said = _WHERE.sub("", self.text[item.clause.start : item.clause.end])
        heads = after is not None and self.scope.sections.before(item.clause.start) < 0 and not _ONE.search(said)
        return heads and item.match.task.task_id in self._placed

    def told_in_parts(self, place: int, nones: Sequence[bool]) -> bool:
        """ "Kitchen remodel: replace cabinets 24 LF, quartz counters 52 SF, backsplash 34 SF": a whole of which several
        parts are asked for one by one behind it, with how much. Where none is measured they say what the whole has."""
        whole = self.items[place]
        if whole.match is None or not whole.match.task.parts:
            return False
        behind = range(place + 1, min(len(self.items), place + 1 + _PARTS_WITHIN))
        asked = (at for at in behind if self._has_own_verb(self.items[at]))
        if self._only_names_room(whole) and any(not nones[at] for at in asked):
            return True
        rooms = ROOMS & (whole.lemmas | self.scope.index.described(whole.match.task))
        parts = [
            part
            for at, part in enumerate(self.items[place + 1 : place + 1 + _PARTS_WITHIN], start=place + 1)
            if part.match is not None
            and part.match.task.trade in whole.match.task.parts
            and part.match.task is not whole.match.task
            and part.section == whole.section
            and part.clause.kind is ClauseKind.WORK
            and (ROOMS & part.lemmas) <= rooms
            and not nones[at]
        ]
        measured = any(one.role in WORK_ROLES and inside(one, part.clause) for part in parts for one in part.figures)
        return measured and len({part.match.task.task_id for part in parts if part.match}) >= _SEVERAL_PARTS

    @staticmethod
    def _has_own_verb(item: Item) -> bool:
        return item.refers or (bool(item.clause.actions) and not item.inherited)

    def _only_names_room(self, whole: Item) -> bool:
        """ "Kitchen, Cape Cod, 1952, galley 8 x 12. The cabinets … I want them painted": a sentence that begins with a
        room and asks for nothing."""
        begin, end = self.scope.sentence_of(whole.clause)
        if whole.clause.sentence in self.scope.acting or REQUEST_CUE.search(self.text[begin:end].lower()):
            return False
        first = self.scope.clauses[self.scope.places[begin]] if begin in self.scope.places else whole.clause
        named = self.scope.known_in(first)
        return bool(named) and named <= ROOMS and not whole.asked and not self.scope.labels(first)

    @cached_property
    def _placed(self) -> frozenset[str]:
        """The tasks that sections ask for."""
        return frozenset(one.match.task.task_id for one in self.items if one.match is not None and one.section >= 0)
