"""Answers to what a request leaves open, read with the same grammar as the request.

An answer is read as if its words stood behind the text: its figures and clauses get places there, so that every rule of
the reading holds for them too. Who answered, the customer or the office, is not known: what is noted among the
assumptions is what was taken from an answer, and says "you" to nobody.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import Item, places_of, plain, shifted, shown
from server.domain.drafting.matching import Match
from server.domain.drafting.measures import unit_at
from server.domain.drafting.measuring import lengths_alone, measure
from server.domain.drafting.numbers import Kind, number_at, text_at, tokenize, touching
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role, find_quantities
from server.domain.drafting.scope import Scope
from server.domain.drafting.summing import UnclearError, held, together, without_others
from server.domain.drafting.wording import quantity_question, quoted_words
from server.domain.takeoff import Answer, Span, UnreadableAnswerError
from server.domain.units import UNITS, Dimension, dimension, factor

#: Leaves the choice between kinds to the company: what was taken stays.
_NO_MATTER = re.compile(
    r"^\W*(?:any(?:thing)?\b(?! of)|either\b|(?:i |we )?do ?n['’]?t (?:mind|care)|no preference|whatever"
    r"|you (?:choose|decide)|up to you|(?:the )?(?:usual|standard|normal)\b|as (?:you|it)\b)",
    re.IGNORECASE,
)
_ROLE_OF = {
    Dimension.AREA: Role.AREA, Dimension.LENGTH: Role.LENGTH, Dimension.VOLUME: Role.VOLUME,
    Dimension.MASS: Role.MASS, Dimension.TIME: Role.TIME, Dimension.POWER: Role.RATING,
}  # fmt: skip
#: After any other word "one" is a pronoun: "the vinyl one".
_BEFORE_ONE = frozenset({"", "just", "only", "about", ",", ".", "and", "plus"})
#: Units of a bare number where metres are usual, and where feet are.
_METRIC_UNIT = {Dimension.AREA: "m2", Dimension.LENGTH: "m", Dimension.VOLUME: "m3", Dimension.MASS: "t"}
_FOOT_UNIT = {Dimension.AREA: "sqft", Dimension.LENGTH: "ft", Dimension.VOLUME: "cuyd", Dimension.MASS: "ton"}
#: Metres that a bare number can mean across a length: above, it is the area.
_MOST_ACROSS = 6
#: Nobody has more of anything; figures above are telephone numbers.
_MOST = Decimal(1_000_000_000)
#: Signs for what two letters say. Others that NFKC folds (superscripts, fractions) are read as they stand.
_SIGNS = str.maketrans({sign: unicodedata.normalize("NFKC", sign) for sign in "㎡㎥"})
#: "5 m less than 40 m", behind the first figure.
_COMPARED = re.compile(r" ?\b(?:less|more|fewer|shorter|longer|smaller|larger|bigger) than\b", re.IGNORECASE)
#: What may touch a bare number.
_STOPS = frozenset(".,;:!?()[]+-–—&/~'\"’”…")


def question_id(kind: str, about: str) -> str:
    """The id of the question of this ``kind`` about ``about``, which names a passage and a task."""
    return f"{kind}-{hashlib.sha256(about.encode()).hexdigest()[:12]}"


class Answering:
    """Puts the answers to one request's questions into its scope; each must decide something."""

    def __init__(self, scope: Scope, answers: Sequence[Answer]) -> None:
        self.scope = scope
        self._words = {answer.question_id: " ".join(answer.text.translate(_SIGNS).split()) for answer in answers}
        self._taken: set[str] = set()

    def apply(self) -> None:
        """Put in what the customer answered: work where none was read, a task where none was known, another kind, a
        quantity. Raises `UnreadableAnswerError`."""
        scope = self.scope
        for item in scope.items:
            item.about = f"{item.clause.start}-{item.clause.end} {item.match.task.task_id if item.match else ''}"
        if not scope.items:
            self._ask_for_work()
        scope.items = [known for item in scope.items for known in self._made_known(item)]
        for item in scope.items:
            self._choose_kind(item)
            self._take_quantity(item)
        for name in self._words:
            if name not in self._taken:
                raise UnreadableAnswerError(name, "This request has no such question.")

    def _take(self, name: str) -> str | None:
        """The words of the answer to this question, None where it has none. Raises `UnreadableAnswerError` for an
        empty one."""
        words = self._words.get(name)
        if words is None:
            return None
        if not words:
            raise UnreadableAnswerError(name, "The answer is empty.")
        self._taken.add(name)
        return words

    def _note(self, assumed: str) -> None:
        self.scope.assumptions.append(assumed)

    def _ask_for_work(self) -> None:
        name = question_id("text", "")
        answer = self._take(name)
        if answer is None:
            return
        nothing = Item(Clause(ClauseKind.WORK, (), 0, 0, 0), (), "", None)
        self.scope.items = self._heard(answer, name, nothing)
        for item in self.scope.items:
            item.asked_at = None
        self._note(f"Asked for: “{shown(answer)}”.")

    def _heard(self, answer: str, name: str, before: Item) -> list[Item]:
        """The items that an answer asks for, in place of the item ``before`` that nobody could tell."""
        found = self.scope.hear(answer, before)
        if not any(item.match for item in found):
            raise UnreadableAnswerError(name, f"“{shown(answer)}” names no work that the catalogue knows.")
        for number, item in enumerate(found):
            item.about = f"{before.about} {number} {item.match.task.task_id if item.match else ''}"
            item.asked_at = Span(before.clause.start, max(before.end, before.clause.end))
            item.figures = item.figures or list(before.figures)
            item.materials_by_customer = before.materials_by_customer
            item.answers.append(answer)
        return found

    def _made_known(self, item: Item) -> list[Item]:
        """The item itself, or what the answer to "what exactly is wanted?" asks for."""
        if item.match is not None:
            return [item]
        name = question_id("task", item.about)
        answer = self._take(name)
        if answer is None:
            return [item]
        self._note(f"{quoted_words(item, self.scope.text)}: taken as “{shown(answer)}”.")
        return self._heard(answer, name, item)

    def _choose_kind(self, item: Item) -> None:
        if item.match is None:
            return
        name = question_id("kind", item.about)
        answer = self._take(name)
        if answer is None:
            return
        if leaves_it_open(answer):
            self._note(f"{item.match.task.name}: taken, as any kind will do.")
        else:
            item.match = self._kind_named(item, item.match, answer, name)
            self._note(f"{item.match.task.name}: the kind that is wanted.")
        item.others = ()
        item.answers.append(answer)

    def _kind_named(self, item: Item, taken: Match, answer: str, name: str) -> Match:
        """The kind that an answer names: by its full name, else the best one that has a word of the answer."""
        known = (taken, *item.others)
        for match in known:
            if answer.casefold() in {match.task.name.casefold(), match.task.task_id}:
                return match
        said = self.scope.index.words(tokenize(answer))
        new = {word.lemma for word in said} - taken.words
        found = self.scope.index.match((*item.words, *said), (item.verb,), industry=self.scope.industry)
        for match in found:
            if match.verb_fits and (match.words & new or self.scope.index.described(match.task) & new):
                return match
        kinds = " or ".join(match.task.name for match in known)
        raise UnreadableAnswerError(name, f"“{shown(answer)}” is none of the kinds known here, such as {kinds}.")

    def _take_quantity(self, item: Item) -> None:
        name = question_id("qty", item.about)
        answer = self._take(name)
        if answer is None:
            return
        asked, lengths = quantity_question(item), lengths_alone(item)
        across = _across(answer, lengths, metric=self.scope.metric) if lengths else []
        try:
            figures = across or self._figures_of(answer, item)
        except UnclearError:
            message = f"“{shown(answer)}” does not tell which quantity is meant. {asked}"
            raise UnreadableAnswerError(name, message) from None
        offset = self.scope.append(answer)
        kept = [one for one in item.figures if one.role not in WORK_ROLES or (across and one in lengths)]
        item.figures = kept + shifted(figures, offset)
        measured = measure(item, self.scope.text)
        if measured.value is None or not any(one.span.start >= offset for one in item.figures if one.value > 0):
            raise UnreadableAnswerError(name, f"“{shown(answer)}” gives no quantity. {asked}")
        item.answers.append(answer)
        amount = f" {plain(measured.value)}" + (f" {measured.unit}" if measured.unit != "each" else "")
        if item.match is not None and amount not in measured.assumption:
            self._note(f"{item.match.task.name}:{amount}.")

    def _figures_of(self, answer: str, item: Item) -> list[Quantity]:
        """The figures of an answer to "how much of this item?".

        A bare number is in metres (square, cubic) where the request is metric, else in feet (square, cubic yards) or in
        the task's own unit where that is no metric one; it counts things where the task does. Several figures of what
        was asked for are added up ("3 m at the back and 2 m in front"), unless one is their sum, or puts another right.
        Raises `UnclearError`.
        """
        metric, task = self.scope.metric, item.match.task if item.match else None
        figures = list(find_quantities(answer, metric=metric))
        wanted = dimension(task.unit) if task is not None else Dimension.COUNT
        role = _ROLE_OF.get(wanted, Role.COUNT)
        asked = [one for one in figures if one.role is role and not one.sides]
        others = [one for one in figures if one not in asked]
        if role is Role.COUNT:
            counts = sorted((*asked, *_bare(answer, figures, "each", role)), key=lambda one: one.span.start)
            own = item.lemmas | (self.scope.index.described(task) if task is not None else frozenset())
            asked = without_others(answer, counts, own, self.scope.index.knows)
            asked = [replace(one, noun="them") for one in asked]
        elif not any(one.role in WORK_ROLES | {Role.SIZE} for one in figures) and task is not None:
            usual = _METRIC_UNIT if metric else _FOOT_UNIT
            own_unit = task.unit if not metric and task.unit not in _METRIC_UNIT.values() else None
            asked = _bare(answer, figures, own_unit or usual.get(wanted, task.unit), role)
        compared = {found.start() for found in _COMPARED.finditer(answer)}
        if any(one.value > _MOST or one.span.end in compared for one in (*asked, *others)):
            raise UnclearError
        kept = held(answer, asked)
        sided = [one for one in others if one.sides]
        gone = places_of(sided) - places_of(held(answer, sided))
        others = [one for one in others if one.span.start not in gone]
        return others + ([together(answer, kept)] if kept else [])


def leaves_it_open(answer: str) -> bool:
    """Whether the customer has no preference."""
    return _NO_MATTER.match(answer) is not None


def _across(answer: str, lengths: Sequence[Quantity], *, metric: bool) -> list[Quantity]:
    """How high or wide something is of which the lengths are told: "6 ft", "1.8 m high", and of a bare number what is
    no area yet. Empty where the answer tells something else."""
    figures = find_quantities(answer, metric=metric)
    found = [one for one in figures if one.role in {Role.LENGTH, Role.SIZE} and one.unit in UNITS and not one.sides]
    if not figures:
        unit = lengths[0].unit
        found = [
            one for one in _bare(answer, figures, unit, Role.SIZE) if one.value * factor(unit, "m") <= _MOST_ACROSS
        ]
    if len(found) != 1 or len(found) < sum(one.role in WORK_ROLES | {Role.SIZE} for one in figures):
        return []
    return [replace(found[0], role=Role.SIZE, axis="height")]


def _bare(answer: str, figures: Sequence[Quantity], unit: str, role: Role) -> list[Quantity]:
    """The numbers of an answer that stand without a unit or noun. Raises `UnclearError` for one that has an unknown
    sign behind it, or a unit in which nobody has so much."""
    tokens = tokenize(answer)
    taken = places_of(figures)
    found: list[Quantity] = []
    position = 0
    while position < len(tokens):
        number = None if tokens[position].start in taken else number_at(tokens, position)
        if number is None or (tokens[position].text == "one" and text_at(tokens, position - 1) not in _BEFORE_ONE):
            position += 1
            continue
        touched = text_at(tokens, number.end) if touching(tokens, number.end) else ""
        strange = touched and touched not in _STOPS and tokens[number.end].kind is Kind.SYMBOL
        if strange or unit_at(tokens, number.end) is not None:
            raise UnclearError
        span = Span(tokens[position].start, tokens[number.end - 1].end)
        assumed = role is not Role.COUNT
        found.append(Quantity(number.value, unit, role, span, number.low, number.high, assumed_unit=assumed))
        position = number.end
    return found
