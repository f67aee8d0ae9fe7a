"""Settling: what the items of a read request come to, and what is left to ask."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from server.domain.catalogue import Task
from server.domain.drafting.answers import question_id
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.combining import PLACES
from server.domain.drafting.cues import WHAT_IT_COSTS
from server.domain.drafting.gathering import Gathered
from server.domain.drafting.items import Item, Measured, alike, by_clause, inside, plain, shown
from server.domain.drafting.judging import Judge, Judgement
from server.domain.drafting.matching import ROOMS, lemma, lemmas_of
from server.domain.drafting.measuring import measure
from server.domain.drafting.quantities import THERE, WORK_ROLES, Quantity, Role
from server.domain.drafting.rooms import by_measured_walls
from server.domain.drafting.scope import Scope
from server.domain.drafting.sections import Section
from server.domain.drafting.wording import ASKED_FOR_NOTHING, describe, quantity_question, sentence_case, task_question
from server.domain.takeoff import Question, Span, Takeoff, TakeoffItem
from server.domain.units import Dimension, dimension, factor

MAX_QUESTIONS = 3
DOUBTFUL = "Doubtful whether this is asked for: shown as an option, and not in the total, until somebody says so."
#: Passages named as read for no work; more would bury the first.
MAX_UNREAD = 5
MAX_REPAIRS = 5
#: Dimensions of which the only figure of a request is taken for any of its work.
_ONCE_TOLD = {Dimension.AREA: Role.AREA, Dimension.LENGTH: Role.LENGTH, Dimension.VOLUME: Role.VOLUME}
#: What is mended is seldom the whole.
_IN_PART = frozenset({"repair"})
#: What a room's size measures.
_OF_A_ROOM = frozenset(
    ["floor", "wall", "ceiling", "paint", "carpet", "laminate", "baseboard", "skirting", "trim", "crown", "tile",
    "vinyl",
     "plank", "lvp", "hardwood", "subfloor"]
)  # fmt: skip
_SAME = re.compile(
    r"\b(?:same|all of (?:it|them)|(?:whole|full|entire) (?:lot|length|run)|throughout|behind it|over it)\b", re.I
)
_FOR_EACH = re.compile(
    r"\b(?:(?:for|in|to|on|at) (?:each|every)|(?P<out>back|front|side|outside) of each|per)\b"
    r"(?! (?:side|end|m\b|met|f(?:oot|t)|sq|hour|h\b|day|week|month|year|visit|person))"
    r"(?: (?:floor|storey) of)?(?: one)?(?: of (?:the|our|my|these) \w+)? ?(?P<noun>\w*)", re.IGNORECASE,
)  # fmt: skip
#: A sentence that is of all the places that were told of.
_IN_ALL = re.compile(
    r"\W*(?:and |also |in |for |on )*(?:all(?: of (?:the|them|these))?|each|every|both|per)\b"
    r"[^,.;:\n–-]{0,30}(?::|\s[-–—])",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|apiece|per|every)\b", re.IGNORECASE)
#: "… for the new lots", and what names one thing: "replace the faucet in the garage" is no head of places.
_WHERE = re.compile(r"\b(?:for|in|at|on|of) .*", re.IGNORECASE | re.DOTALL)
_ONE = re.compile(r"\b(?:a|an|the|one|another|our|my|this|that)\b", re.IGNORECASE)
#: Characters between what heads places and the first of them.
_RIGHT_BEHIND = 20
#: Characters in front of a line's words.
_LINE_BEGINS = 5
#: Things of one place that are asked for beyond doubt, from which on another of its list is none.
_LISTED = 2
#: Characters between how many are for each, and what they are for.
_EACH_WITHIN = 40
#: "The stumps", "their stumps": those of what was counted before.
_THE_PLURAL = re.compile(r"\b(?:the|their|those|these|all) (?:\w+ )?\w{3,}s\b", re.IGNORECASE)
#: Characters between two verbs that "and" joins.
_JOINED = 6
#: Items back that a quantity may be taken from.
_REACH = 3
#: Items before and after that are asked for a room's size or a counterpart.
_NEAR = 12
_RUSH = re.compile(
    r"\b(?:asap|urgent(?:ly)?|emergency|as soon as possible|rush|immediately|tomorrow|today|this week(?:end)?)\b", re.I
)
_ACCESS = re.compile(
    r"\b(?:no (?:parking|lift|elevator|vehicle access)|(?:tight|limited|difficult|restricted|narrow|poor) access"
    r"|steep (?:roof|slope)"
    r"|scaffold(?:ing)?|upstairs|(?:3rd|4th|5th|third|fourth|fifth|top)[ -]floor|occupied|out of hours"
    r"|weekend(?:s)? only)\b", re.I,
)  # fmt: skip


def settle(scope: Scope, *, sure: bool = False) -> Takeoff:
    """The takeoff of a request that was read in full: quantities, storeys, coats, assumptions and questions. ``sure``:
    its words are known to ask, so that nothing is left out as doubtful."""
    settlement = _Settlement(scope, sure)
    items, questions = settlement.settled()
    if not items:
        questions = [Question("text", ASKED_FOR_NOTHING, question_id=question_id("text", ""))]
    repairs = [f"“{wrong}” is read as “{right}”." for wrong, right in scope.repairs.items() if wrong != right]
    said = [*scope.assumptions, *_conditions(scope), *repairs[:MAX_REPAIRS]]
    said += [line for item in settlement.items for line in item.assumptions]
    unread = [passage for passage in dict.fromkeys(scope.unread) if len(passage.split()) > 2]
    return Takeoff(
        tuple(items),
        scope.location,
        tuple(dict.fromkeys(said)),
        tuple(dict.fromkeys(scope.exclusions)),
        tuple(questions),
        tuple(unread[:MAX_UNREAD]),
    )


class _Settlement:
    """What the items of one request come to."""

    def __init__(self, scope: Scope, sure: bool) -> None:
        self.scope = scope
        self.sure = sure
        self.text = scope.text
        self.items = by_measured_walls(scope.items, scope.text, scope.index)
        self.named_tasks = frozenset(item.match.task.name for item in self.items if item.match is not None)
        self.removes = any(item.verb == "remove" for item in self.items)

    def settled(self) -> tuple[list[TakeoffItem], list[Question]]:
        """Every item with its quantity, and the questions that are left."""
        storeys = max((int(figure.value) for figure in self.scope.figures if figure.role is Role.STOREYS), default=1)
        settled: list[TakeoffItem] = []
        questions: list[Question] = []
        gathered = Gathered(self.scope.sections)
        judge = Judge(self.scope, self.items)
        if all(self._asks_what_it_costs(item) for item in self.items):
            # "What would rewiring the house cost?" is an option only beside other work.
            for item in self.items:
                item.clause = replace(item.clause, kind=ClauseKind.WORK)
        amounts = [self._measured(item, place) for place, item in enumerate(self.items)]
        judged = [judge.judged(place, measured) for place, measured in enumerate(amounts)]
        listed = self._listed_with(judge, judged)
        for place, (item, measured, judgement) in enumerate(zip(self.items, amounts, judged, strict=True)):
            sure = self.sure or id(item) in listed
            if not sure and judge.is_none(place, judgement):
                self.scope.unread.append(shown(self.text[item.clause.start : item.clause.end]))
                continue
            if self._heads_sections(item):
                continue
            position = len(settled)
            if not sure and judge.is_doubtful(place, judgement):
                item.reasons.append(DOUBTFUL)
                item.clause = replace(item.clause, kind=ClauseKind.OPTION)
            line = self._item(item, measured, max(1, min(storeys, 100)), judgement.confidence)
            if gathered.adds(settled, line, item):
                continue
            settled.append(line)
            questions += self._questions(item, measured, position)
        self.scope.assumptions += gathered.told(settled)
        return settled, questions

    def _listed_with(self, judge: Judge, judged: Sequence[Judgement]) -> frozenset[int]:
        """The items by their `id` that are no doubtful ones beside those that are sure: the same in another place, what
        two places name or one gets like another, the third of one place's list, an entry of a table, another line
        of a list of counts."""
        sure, likely = set[int](), set[int]()
        for place, (item, judgement) in enumerate(zip(self.items, judged, strict=True)):
            if not judge.is_none(place, judgement):
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
        ).union(id(item) for item in (*tabled, *lines) if item.match is not None and item.match.exact)

    def _is_counted_line(self, item: Item) -> bool:
        """ "3 outlets", a line of its own."""
        start, end = self.scope.sentence_of(item.clause)
        alone = item.clause.start == start and item.clause.end == end and not item.clause.actions
        begins = "\n" in self.text[max(0, start - _LINE_BEGINS) : start]
        return alone and begins and any(one.role is Role.COUNT and inside(one, item.clause) for one in item.figures)

    def _measured(self, item: Item, place: int) -> Measured:
        """How much of an item is asked for, by its own figures and by those around it."""
        measured = measure(item, self.text)
        placed = item.section >= 0 and self.scope.sections.all[item.section].times > 1
        if not placed and _FOR_EACH.search(self.text, item.clause.start, item.end):
            measured = self._for_each(item, place) or measured
        if measured.value is None:
            measured = self._from_others(item, place) or measured
        measured = self._told_count(item) or self._as_counted(item, place) or measured
        return self._in_all_sections(item, measured) or measured

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
        told = [one for one in item.figures if one.role is Role.COUNT and inside(one, item.clause)]
        counted = dimension(item.match.task.unit) in {Dimension.COUNT, Dimension.LUMP}
        one_each = counted and not told and measured.value == 1
        each = bool(told) and _EACH.search(self.text, item.clause.start, section.end) is not None
        if not (section.each or one_each or each):
            return None
        if told and told[0].value != measured.value and not section.each:
            return None  # reckoned with the places already
        return _times(measured, section.times, item.match.task.name, f"({section.name})")

    def _heads_sections(self, item: Item) -> bool:
        """ "Concrete for the new lots. Lot 11: driveway 16 x 30": said of all places before each is told."""
        if item.match is None or item.section >= 0 or any(one.role in WORK_ROLES for one in item.figures):
            return False
        if item.refers and item.match.task.task_id in self._placed:
            return True  # "… Furnish and install."
        after = self.scope.sections.after(item.end)
        if after is not None and after.each and item.match.words <= ROOMS and after.start - item.end <= _RIGHT_BEHIND:
            return True  # "Main bathroom and en suite. Both need …"
        said = _WHERE.sub("", self.text[item.clause.start : item.clause.end])
        heads = after is not None and self.scope.sections.before(item.clause.start) < 0 and not _ONE.search(said)
        return heads and item.match.task.task_id in self._placed

    @cached_property
    def _placed(self) -> frozenset[str]:
        """The tasks that sections ask for."""
        return frozenset(one.match.task.task_id for one in self.items if one.match is not None and one.section >= 0)

    def _asks_what_it_costs(self, item: Item) -> bool:
        said = self.text[item.clause.start : item.clause.end]
        return item.clause.kind is ClauseKind.OPTION and WHAT_IT_COSTS.match(said) is not None

    def _from_others(self, item: Item, place: int) -> Measured | None:
        """What the items around one that tells no quantity say of it. Only near ones are asked, so that a list of a
        thousand takes no time."""
        near = self.items[max(0, place - _NEAR) : place]
        others = [*near, *self.items[place + 1 : place + 1 + _NEAR]]
        after = self.items[place + 1] if place + 1 < len(self.items) else None
        if item.section >= 0 and any(other.section == item.section for other in others):
            near, others = ([other for other in some if other.section == item.section] for some in (near, others))
        return (
            self._by_room(item, near)
            or self._as_its_counterpart(item, others)
            or self._as_before(item, near)
            or (self._as_joined(item, after) if after is not None else None)
            or self._the_only_one(item)
        )

    def _told_count(self, item: Item) -> Measured | None:
        """ "There are 6 downlights that flicker, replace with LED": the count that is only told of the thing, in the
        sentence or the one before."""
        if not self._lacks_count(item) or item.match is None:
            return None
        named = item.match.words | self.scope.index.described(item.match.task)
        for sentence in (item.clause.sentence, item.clause.sentence - 1):
            for clause, figure in self._told_counts.get(sentence, ()):
                # "Openers already here in boxes (2)".
                bracketed = self.text[figure.span.start - 1 : figure.span.start] == "("
                about = {lemma(token.text) for token in clause.tokens} if bracketed else {lemma(figure.noun)}
                if not about.isdisjoint(named - ROOMS):
                    said = shown(self.text[clause.start : clause.end])
                    text = f"{item.match.task.name}: {plain(figure.value)}, as “{said}” tells."
                    return Measured(figure.value, "each", Decimal("0.8"), text, "Quantity taken from elsewhere.")
        return None

    @cached_property
    def _told_counts(self) -> dict[int, list[tuple[Clause, Quantity]]]:
        """The counts that clauses only tell, by sentence."""
        counts = [figure for figure in self.scope.figures if figure.role is Role.COUNT and figure.value > 1]
        told: defaultdict[int, list[tuple[Clause, Quantity]]] = defaultdict(list)
        for clause, own in zip(self.scope.clauses, by_clause(counts, self.scope.clauses), strict=True):
            if clause.kind in {ClauseKind.CONTEXT, ClauseKind.SUPPLY}:
                told[clause.sentence] += [(clause, figure) for figure in own]
        return dict(told)

    def _as_counted(self, item: Item, place: int) -> Measured | None:
        """ "Need both trees down and the stumps ground": as many as the things of the same trade just before."""
        said = self.text[item.clause.start : item.clause.end]
        if not self._lacks_count(item) or item.match is None or not place or not _THE_PLURAL.search(said):
            return None
        before = self.items[place - 1]
        if before.match is None or before.match.task.trade != item.match.task.trade:
            return None
        found = measure(before, self.text)
        if found.value is None or found.value <= 1 or found.unit != "each":
            return None
        text = f"{item.match.task.name}: as many as {before.match.task.name}, {plain(found.value)}."
        return Measured(found.value, "each", Decimal("0.75"), text, "Quantity taken from another line.")

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
        if item.match is None or dimension(item.match.task.unit) not in _ONCE_TOLD or item.verb in _IN_PART:
            return None
        if any(figure.role is Role.COUNT for figure in item.figures):
            return None
        left_out = [
            clause for clause in self.scope.clauses if clause.kind is ClauseKind.EXCLUSION and not clause.carried
        ]
        told = {
            (figure.value, figure.unit): figure
            for figure in self.scope.figures
            if figure.role in _ONCE_TOLD.values() and not any(inside(figure, clause) for clause in left_out)
        }
        if len(told) != 1:
            return None
        (figure,) = told.values()
        found = measure(replace(item, figures=[figure]), self.text)
        if found.value is None:
            return None
        said = shown(self.text[figure.span.start : figure.span.end])
        return replace(
            found, confidence=Decimal("0.7"), reason="Quantity taken from elsewhere in the request.",
            assumption=f"{found.assumption} {item.match.task.name}: “{said}” is the only figure told.".strip(),
        )  # fmt: skip

    def _as_its_counterpart(self, item: Item, others: Sequence[Item]) -> Measured | None:
        """What is taken out is as much as what the same request puts in its place, and the other way round."""
        if item.match is None or item.verb not in {"remove", "install", "replace"}:
            return None
        for other in others:
            new = other.match
            if (
                new is None
                or (other.verb == "remove") == (item.verb == "remove")
                or new.task.trade != item.match.task.trade
            ):
                continue
            found = measure(other, self.text)
            if found.value is not None and dimension(found.unit) is dimension(item.match.task.unit):
                amount = f"{plain(found.value)} {found.unit}"
                text = f"{item.match.task.name}: taken to be as much as {new.task.name}, {amount}."
                return Measured(found.value, found.unit, Decimal("0.8"), text, "Quantity taken from another line.")
        return None

    def _by_room(self, item: Item, before: Sequence[Item]) -> Measured | None:
        """Floors, ceilings, walls and edges of a room whose size stands with an item before, in the same sentence."""
        if item.match is None or not item.lemmas & _OF_A_ROOM:
            return None
        for other in reversed(before):
            if other.clause.sentence != item.clause.sentence:
                break
            size = [figure for figure in other.figures if figure.role is Role.AREA and figure.sides]
            if size:
                found = measure(replace(item, figures=[*item.figures, *size]), self.text)
                return replace(found, reason="Quantity taken from the room's size.") if found.value else None
        return None

    def _for_each(self, item: Item, place: int) -> Measured | None:
        """ "A smoke alarm on each floor, its 3 floors": as many as are counted of what each has one; "two mini splits …
        a circuit for each": as many as the things before."""
        if item.match is None or dimension(item.match.task.unit) is not Dimension.COUNT:
            return None
        if sum(one.noun == THERE for one in item.figures) > 1:
            return None  # "one in the hall and one in each of the 3 bedrooms" is reckoned with the others
        said = _FOR_EACH.search(self.text, item.clause.start, item.end)
        noun = lemma(said["noun"].lower()) if said is not None and said["noun"] else ""
        only = item.figures[0] if len(item.figures) == 1 and item.figures[0].role is Role.COUNT else None
        if said is not None and only is not None and said.start() < only.span.start < said.end():
            text = f"{item.match.task.name}: one for each of {plain(only.value)}."
            return Measured(only.value, "each", Decimal("0.85"), text)
        storeys = next((one for one in self.scope.figures if one.role is Role.STOREYS), None)
        if storeys is not None and noun in {"floor", "story", "level"} and not item.figures:
            text = f"{item.match.task.name}: one for each of {plain(storeys.value)} storeys."
            return Measured(storeys.value, "each", Decimal("0.8"), text)
        counts = [one for one in self.scope.figures if one.role is Role.COUNT]
        many = [one for one in counts if said is not None and 0 <= said.start() - one.span.end <= _EACH_WITHIN]
        each = many[-1] if many and many[-1].span.start >= item.clause.start else None
        places = next((one for one in counts if one is not each and one.value > 1 and _is_of(one, noun)), None)
        if places is not None and (noun not in item.match.words or lemma(places.noun) in PLACES):
            times = f"{plain(each.value)} × " if each is not None and each.value > 1 else "one for each of "
            total = places.value * (each.value if each is not None else 1)
            text = f"{item.match.task.name}: {times}{plain(places.value)} {places.noun}."
            return Measured(total, "each", Decimal("0.8"), text)
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
        found = measure(before, self.text)
        if before.match is None or found.value is None or found.value <= 1 or found.unit != "each":
            return None
        text = f"{item.match.task.name}: one for each of {plain(found.value)} ({before.match.task.name})."
        return Measured(found.value, "each", Decimal("0.85"), text)

    def _as_before(self, item: Item, before_it: Sequence[Item]) -> Measured | None:
        """ "Resurfaced and then sealed", "fit new ones, same length": as much as the work before on the same thing."""
        counted = any(one.role is Role.COUNT and one.value > 1 and one.noun not in {"", "them"} for one in item.figures)
        if item.match is None or (counted and not item.refers):
            return None
        same = _SAME.search(self.text, item.clause.start, item.end) is not None
        before = [other for other in before_it if other.match is not None]
        for other in reversed(before[-_REACH:]):
            near = other.clause.sentence >= item.clause.sentence - 1
            related = other.match is not None and (
                other.match.task.trade == item.match.task.trade or other.match.words & item.match.words
            )
            if not same and not (near and (item.refers or related)):
                continue
            found = self._everywhere(other) if item.section < 0 else measure(other, self.text)
            if (
                found.value is not None
                and dimension(found.unit) is dimension(item.match.task.unit) is not Dimension.COUNT
            ):
                name = other.match.task.name if other.match else ""
                text = f"{item.match.task.name}: taken to be as much as {name}, {plain(found.value)} {found.unit}."
                return Measured(found.value, found.unit, Decimal("0.75"), text, "Quantity taken from another line.")
        return None

    def _everywhere(self, item: Item) -> Measured:
        """How much of it all sections ask for; of work that is in none, how much it is."""
        found = measure(item, self.text)
        if item.section < 0 or item.match is None or found.value is None:
            return found
        for other in self.items:
            if (
                other is not item
                and other.section >= 0
                and other.match is not None
                and other.match.task is item.match.task
            ):
                more = measure(other, self.text)
                if more.value is not None:
                    found = replace(found, value=(found.value or 0) + more.value * factor(more.unit, found.unit))
        return found

    def _as_joined(self, item: Item, after: Item) -> Measured | None:
        """ "Power wash and restain the deck, 16x20": the size comes after both verbs."""
        if after.match is None or item.match is None or after.clause.start - item.clause.end > _JOINED:
            return None
        found = measure(after, self.text)
        if found.value is None or dimension(found.unit) is not dimension(item.match.task.unit):
            return None
        if dimension(found.unit) is Dimension.COUNT or not self.text[item.clause.end : after.clause.start].strip():
            return None
        amount = f"{plain(found.value)} {found.unit}"
        text = f"{item.match.task.name}: taken to be as much as {after.match.task.name}, {amount}."
        return Measured(found.value, found.unit, Decimal("0.75"), text, "Quantity taken from another line.")

    def _item(self, item: Item, measured: Measured, storeys: int, confidence: Decimal) -> TakeoffItem:
        task = item.match.task if item.match else None
        high_work = storeys if task is not None and task.outdoor_height else 1
        reasons = list(item.reasons)
        if measured.reason:
            reasons.append(measured.reason)
        if measured.assumption:
            item.assumptions.append(measured.assumption)
        if task is not None:
            item.assumptions += self._task_assumptions(item, task)
        span = self._span(item)
        return TakeoffItem(
            task_id=task.task_id if task else "",
            description=describe(task, item.verb)
            if task
            else sentence_case(self.text[item.clause.start : item.clause.end]),
            verb=item.verb,
            qty=measured.value,
            unit=measured.unit,
            span=span,
            confidence=confidence,
            materials_by_customer=item.materials_by_customer,
            optional=item.clause.kind is ClauseKind.OPTION,
            storeys=high_work,
            repeats=_coats(item),
            review_reasons=tuple(dict.fromkeys(reasons)),
            candidates=tuple(match.task.task_id for match in item.others),
            said=" ".join((self.text[span.start : span.end] if span else "", *item.answers)).strip(),
        )

    def _span(self, item: Item) -> Span | None:
        """Where the request itself asks for the item."""
        if item.clause.start >= self.scope.length:
            return item.asked_at
        return Span(item.clause.start, min(max(item.end, item.clause.end), self.scope.length))

    def _task_assumptions(self, item: Item, task: Task) -> Iterable[str]:
        match = item.match
        unnamed = lemmas_of(task.name) and set(lemmas_of(task.name)) - item.lemmas - {item.verb}
        if match is not None and item.others and unnamed and task.default:
            yield f"{task.name}: taken because the request names no other kind."
        removal = self._separate_removal(item, task)
        if removal is not None:
            yield f"{describe(task, item.verb)}: taking out the old one is no line of its own (see “{removal.name}”)."
        tasks = self.scope.index.catalogue.tasks
        companions = [tasks[name].name for name in task.companions if name in tasks]
        left = [name for name in companions if name not in self.named_tasks]
        if left:
            yield f"{task.name}: not included unless listed: {', '.join(left)}."
        frequency = next((figure for figure in item.figures if figure.role is Role.FREQUENCY), None)
        if frequency is not None:
            asked = self.text[frequency.span.start : frequency.span.end].lower()
            yield f"{task.name}: priced per occasion; asked for {asked}."

    def _separate_removal(self, item: Item, task: Task) -> Task | None:
        """For a replacement: the catalogue's task for taking the same thing out, where it has one."""
        if item.verb != "replace" or item.match is None or self.removes:
            return None
        removals = self.scope.index.match(item.words, ("remove",), industry=self.scope.industry)
        found = next((match for match in removals if match.verb == "remove" and match.task.trade == task.trade), None)
        return found.task if found is not None and found.task is not task and found.words & item.match.words else None

    def _questions(self, item: Item, measured: Measured, position: int) -> Iterable[Question]:
        span = Span(item.clause.start, item.clause.end) if item.clause.end <= self.scope.length else item.asked_at
        if measured.value is None and item.match is not None:
            yield Question(
                f"line_items[{position}].qty", quantity_question(item), span,
                question_id=question_id("qty", item.about),
            )  # fmt: skip
        elif item.match is None:
            yield Question(
                f"line_items[{position}].task", task_question(item, self.text), span,
                question_id=question_id("task", item.about),
            )  # fmt: skip
        elif item.others and item.match.task.default and alike(item.match, item.others[0]):
            names = " or ".join([item.match.task.name, *(match.task.name for match in item.others[:2])])
            yield Question(
                f"line_items[{position}].task_id", f"Which is wanted: {names}?", span,
                question_id=question_id("kind", item.about),
            )  # fmt: skip


def _times(measured: Measured, number: int, name: str, places: str) -> Measured:
    """So many times as much, with the assumption that says so."""
    each = measured.value or Decimal(0)
    text = f"{name}: {plain(each)} × {number} {places} = {plain(each * number)}."
    return replace(measured, value=each * number, assumption=f"{measured.assumption} {text}".strip())


def _is_of(count: Quantity, noun: str) -> bool:
    """Whether the count is of the places that each have one: of ``noun``, or of rooms where "each" stands alone."""
    return lemma(count.noun) == noun if noun else lemma(count.noun) in ROOMS


def _conditions(scope: Scope) -> list[str]:
    """Conditions that the request names and no price changes for."""
    if not scope.items:
        return []
    said = []
    rush, access = _RUSH.search(scope.text), _ACCESS.search(scope.text)
    if rush:
        said.append(f"Asked for “{rush.group()}”: no rush surcharge is included.")
    if access:
        said.append(f"Access noted (“{access.group()}”): no extra is included for it.")
    budget = next((figure for figure in scope.figures if figure.role is Role.BUDGET), None)
    if budget:
        words = scope.text[budget.span.start : budget.span.end]
        said.append(f"The customer names {words}; it did not change any price.")
    return said


def _coats(item: Item) -> int:
    coats = next((figure for figure in item.figures if figure.role is Role.COATS), None)
    return int(coats.value) if coats is not None and 1 <= coats.value <= 10 else 1
