"""Settling: what the items of a read request come to, and what is left to ask."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import takewhile

from server.domain.catalogue import Task
from server.domain.drafting.adding import NO_TASK
from server.domain.drafting.answers import question_id
from server.domain.drafting.clauses import ClauseKind
from server.domain.drafting.cues import WHAT_IT_COSTS
from server.domain.drafting.gathering import Gathered
from server.domain.drafting.items import Item, Measured, alike, shown
from server.domain.drafting.judging import Judge
from server.domain.drafting.matching import Match, TaskIndex, lemma, lemmas_of
from server.domain.drafting.measures import unit_at
from server.domain.drafting.measuring import measure
from server.domain.drafting.numbers import DECIMAL_COMMA, Kind, tokenize
from server.domain.drafting.patterns import cues, folded
from server.domain.drafting.piecework import (
    as_a_whole,
    as_more_of_it,
    by_the_measure,
    by_the_piece,
    of_kinds,
    of_several_pieces,
)
from server.domain.drafting.placing import Placing
from server.domain.drafting.putting_back import put_back
from server.domain.drafting.quantities import Role
from server.domain.drafting.reckoning import OF_ELSEWHERE, Reckoning
from server.domain.drafting.rooms import by_measured_walls
from server.domain.drafting.scope import Scope
from server.domain.drafting.sizes import by_face, by_size
from server.domain.drafting.splitting import of_other_kinds
from server.domain.drafting.telling import MEASURES
from server.domain.drafting.verbs import is_imperative
from server.domain.drafting.wording import ASKED_FOR_NOTHING, describe, quantity_question, sentence_case, task_question
from server.domain.takeoff import Question, Span, Takeoff, TakeoffItem
from server.domain.units import Dimension, dimension

MAX_QUESTIONS = 3
DOUBTFUL = "Doubtful whether this is asked for: shown as an option, and not in the total, until somebody says so."
#: Passages named as read for no work; more would bury the first.
MAX_UNREAD = 5
MAX_REPAIRS = 5
#: Items before one of which that is work which nobody asks for may tell how much of it there is.
_NEAR = 4
#: Words of an order or a count that says nothing else: "fit doors", "3 toilets".
_PAIR = 2
_ALSO = re.compile(r"\b(?:also|another|too|as well|plus)\b", re.IGNORECASE)
_TOLD_SO = frozenset({Dimension.AREA, Dimension.LENGTH})
_RUSH = cues(
    r"\b(?:asap|urgent(?:ly)?|emergency|as soon as possible|rush|immediately|tomorrow|today|this week(?:end)?)\b"
)
_ACCESS = cues(
    r"\b(?:no (?:parking|lift|elevator|vehicle access)|(?:tight|limited|difficult|restricted|narrow|poor) access"
    r"|steep (?:roof|slope)"
    r"|scaffold(?:ing)?|upstairs|(?:3rd|4th|5th|third|fourth|fifth|top)[ -]floor|occupied|out of hours|walk[ -]?up"
    r"|access is (?:very |quite |a bit )?(?:tight|limited|difficult|restricted|narrow|poor)|parking permit|tenanted"
    r"|tenants? (?:(?:is|are) )?(?:still )?(?:in place|in residence|living there)|weekend(?:s)? only)\b"
)
#: How often, where no number says it.
_REGULARLY = cues(r"\b(?:on a regular basis|regularly|on an ongoing basis)\b")


def settle(scope: Scope, *, sure: bool = False) -> Takeoff:
    """The takeoff of a request that was read in full: quantities, storeys, coats, assumptions and questions. ``sure``:
    its words are known to ask, so that nothing is left out as doubtful."""
    settlement = _Settlement(scope, sure)
    items, questions = settlement.settled()
    if not items:
        questions = [Question("text", ASKED_FOR_NOTHING, question_id=question_id("text", ""))]
    repairs = [f"“{wrong}” is read as “{right}”." for wrong, right in scope.repairs.items() if wrong != right]
    commas = [f"“{one}” is read as {one.replace(',', '.')}." for one in DECIMAL_COMMA.findall(scope.text)]
    said = [*scope.assumptions, *_conditions(scope), *repairs[:MAX_REPAIRS], *commas[:MAX_REPAIRS]]
    said += [line for item in settlement.items for line in item.assumptions]
    unread = [passage for passage in dict.fromkeys(scope.unread) if _says_something(passage, scope.index)]
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
        by_size(self.items, scope)
        by_face(self.items, scope)
        put_back(self.items, scope)
        of_kinds(self.items, scope)
        self.items = of_other_kinds(of_several_pieces(self.items, scope), scope.text)
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
        reckoning = Reckoning(self.scope, self.items)
        amounts = reckoning.amounts()
        if by_the_piece(self.items, amounts, self.scope):
            reckoning = Reckoning(self.scope, self.items)
            amounts = reckoning.amounts()
        judged = judge.judged(amounts)
        if by_the_measure(self.items, self.scope) | as_a_whole(self.items, amounts, self.scope):
            reckoning = Reckoning(self.scope, self.items)
            amounts = reckoning.amounts()
        nones = [judge.is_none(place, judgement) for place, judgement in enumerate(judged)]
        placing = Placing(self.scope, self.items)
        listed = placing.listed_with(judge, judged, nones)
        # Of another kind than the rest of what is asked for, and not left out of that in vain.
        likely = {id(item) for item, none in zip(self.items, nones, strict=True) if not none}
        listed |= {id(item) for item in self.items if item.of is not None and id(item.of) in likely}
        kept = judge.only_line(judged) if all(nones) else -1
        asked = {
            id(item)
            for place, (item, none) in enumerate(zip(self.items, nones, strict=True))
            if self.sure or id(item) in listed or place == kept or not none
        }
        amounts = self._told_by_others(asked, amounts)
        as_more_of_it(self.items, amounts, self.scope)
        for place, (item, measured, judgement) in enumerate(zip(self.items, amounts, judged, strict=True)):
            if id(item) not in asked:
                if not judge.asks_for_another(item):
                    self.scope.unread.append(shown(self.text[item.clause.start : item.clause.end]))
                    continue
                item.match, item.others, item.reasons = None, (), [NO_TASK]
                measured = measure(item, self.text)
            if placing.heads_sections(item) or reckoning.only_sums_up(place):
                continue
            if item.match is not None and placing.told_in_parts(place, nones):
                self.scope.assumptions.append(
                    f"{item.match.task.name}: told part by part, so it is no line of its own."
                )
                continue
            position = len(settled)
            if not (self.sure or id(item) in listed) and judge.is_doubtful(place, judgement):
                item.reasons.append(DOUBTFUL)
                item.offer()
            line = self._item(item, measured, max(1, min(storeys, 100)), judgement.confidence)
            if gathered.adds(settled, line, item):
                continue
            settled.append(line)
            questions += self._questions(item, measured, position)
        self.scope.assumptions += gathered.told(settled)
        return settled, questions

    def _told_by_others(self, asked: Collection[int], amounts: Sequence[Measured]) -> list[Measured]:
        """The amounts, those that none tells as what was read as other work that nobody asks for tells. ``asked``: the
        items that are lines."""
        found = list(amounts)
        told_by: dict[int, int] = {}
        for place, (item, measured) in enumerate(zip(self.items, amounts, strict=True)):
            if measured.value is not None or item.match is None or id(item) not in asked:
                continue
            # "Drive, 11 x 5 m, tarmac. Dig it out. Block pave": what one work took, the next of its trade does.
            last = told_by.get(place - 1) if self._is_of_trade(item, self.items[place - 1]) else None
            for at in (*self._around(place, asked), *(() if last is None else (last,))):
                of_it = self._as_told_of(item, self.items[at], amounts[at], goes_on=at == last)
                if of_it is not None:
                    found[place], told_by[place] = of_it, at
                    break
        return found

    def _around(self, place: int, asked: Collection[int]) -> Iterator[int]:
        """Where around an item that was read which nobody asks for."""
        item = self.items[place]
        before = range(place - 1, max(0, place - _NEAR) - 1, -1)
        yield from takewhile(lambda at: id(self.items[at]) not in asked, before)
        behind = range(place + 1, min(len(self.items), place + 1 + _NEAR))
        yield from takewhile(lambda at: self._is_detail_of(item, self.items[at], asked), behind)

    def _is_detail_of(self, item: Item, behind: Item, asked: Collection[int]) -> bool:
        """ "Shopfront needs rub down, prime bare bits, undercoat & gloss, 4 m wide x 3 high": what was read of the rest
        of its sentence as other work of the trade, and is no line."""
        if id(behind) in asked:
            return False
        same = behind.clause.sentence == item.clause.sentence and self._is_of_trade(item, behind)
        return same and behind.verb == item.verb

    @staticmethod
    def _is_of_trade(item: Item, other: Item) -> bool:
        first, second = item.match, other.match
        return first is not None and second is not None and first.task.trade == second.task.trade

    def _as_told_of(self, item: Item, told: Item, amount: Measured, *, goes_on: bool) -> Measured | None:
        """ "An 8 by 10 piece of the ceiling came down … New drywall up there", "60 sq ft where the mortar is gone, so
        that needs pointing": how much it is of what was told of in the same sentence, or as work of the same trade, or
        as that of work that it ``goes_on`` with."""
        near = told.clause.sentence == item.clause.sentence
        also = _ALSO.search(self.text, self.scope.sentence_of(item.clause)[0], item.clause.end) is not None
        alike = not also and (goes_on or self._is_of_trade(item, told))
        if not (near or alike) or not self.scope.is_there(told, item.clause):
            return None
        figures = [
            one for one in told.figures if one.role in MEASURES and told.clause.start <= one.span.start < told.end
        ]
        taken = {one.span for other in self.items if other is not told for one in other.figures}
        if item.match is None or dimension(item.match.task.unit) not in _TOLD_SO or not figures:
            return None
        if any(one.span in taken for one in figures):
            return None
        same = amount.value is not None and dimension(amount.unit) is dimension(item.match.task.unit)
        found = amount if same else measure(replace(item, figures=[*item.figures, *figures]), self.text)
        if found.value is None:
            return None
        said = shown(self.text[told.clause.start : told.clause.end])
        text = f"{found.assumption} {item.match.task.name}: as much as “{said}” tells.".strip()
        return replace(found, confidence=Decimal("0.7"), reason=OF_ELSEWHERE, assumption=text)

    def _asks_what_it_costs(self, item: Item) -> bool:
        said = self.text[item.clause.start : item.clause.end]
        return item.clause.kind is ClauseKind.OPTION and WHAT_IT_COSTS.match(said) is not None

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
        fits = item.verb == "install" and item.materials_by_customer
        return TakeoffItem(
            task_id=task.task_id if task else "",
            description=describe(task, "fit" if fits else item.verb)
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
            coats=_coats(item),
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
        elif item.match.task.default and (others := _other_kinds(item.match, item.others)):
            names = " or ".join([item.match.task.name, *(match.task.name for match in others[:2])])
            yield Question(
                f"line_items[{position}].task_id", f"Which is wanted: {names}?", span,
                question_id=question_id("kind", item.about),
            )  # fmt: skip


def _other_kinds(match: Match, others: Sequence[Match]) -> Sequence[Match]:
    """What else may be meant by the words that named a task: none where the likeliest of them does not. Where the words
    are what the task itself is called, other tasks that only go by them as well are not asked about: "fit a toilet" is
    no bathroom sink, which some call a lavatory."""
    if not others or not alike(match, others[0]):
        return ()
    called = not match.words.isdisjoint(lemmas_of(match.task.name))
    return [one for one in others if not called or not one.words.isdisjoint(lemmas_of(one.task.name))]


def _says_something(passage: str, index: TaskIndex) -> bool:
    """Whether what was taken for no work is told: more than two words, and of fewer an order ("Fit doors") and so many
    of a thing ("3 toilets", not "24 units")."""
    if len(passage.split()) > _PAIR:
        return True
    tokens = tokenize(passage)
    if len(tokens) != _PAIR or not index.knows(lemma(tokens[-1].text)) or unit_at(tokens, 1) is not None:
        return False
    return tokens[0].kind is Kind.NUMBER or is_imperative(tokens)


def _conditions(scope: Scope) -> list[str]:
    """Conditions that the request names and no price changes for."""
    if not scope.items:
        return []
    said = []
    low = folded(scope.text)
    rush, access = _RUSH.search(low), _ACCESS.search(low)
    if rush:
        said.append(f"Asked for “{scope.text[slice(*rush.span())]}”: no rush surcharge is included.")
    if access:
        said.append(f"Access noted (“{scope.text[slice(*access.span())]}”): no extra is included for it.")
    budget = next((figure for figure in scope.figures if figure.role is Role.BUDGET), None)
    if budget:
        words = scope.text[budget.span.start : budget.span.end]
        said.append(f"The customer names {words}; it did not change any price.")
    how_often = _how_often(scope)
    if how_often:
        said.append(f"“{how_often}”: each line is priced per occasion.")
    return said


def _how_often(scope: Scope) -> str:
    """How often the work is wanted, where none of its lines says so; empty where nothing tells."""
    if any(figure.role is Role.FREQUENCY for item in scope.items for figure in item.figures):
        return ""
    told = next((figure for figure in scope.figures if figure.role is Role.FREQUENCY), None)
    if told is not None:
        return scope.text[told.span.start : told.span.end].lower()
    regularly = _REGULARLY.search(folded(scope.text))
    return regularly[0].lower() if regularly else ""


def _coats(item: Item) -> int:
    coats = next((figure for figure in item.figures if figure.role is Role.COATS), None)
    return int(coats.value) if coats is not None and 1 <= coats.value <= 10 else 1
