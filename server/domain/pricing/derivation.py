"""How a figure came about: decimals that remember the facts and operations behind them.

A `Term` is a value with its formula. Build-up calculates with terms, so the formula of every amount is the arithmetic
that was really done; `evaluate` does it again from the facts alone and comes to the same digits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal, DecimalException, localcontext
from enum import StrEnum
from functools import lru_cache

from server.domain.records import record

#: What every figure is calculated in: 28 digits, half-even. Never the thread's own context, so that a later
#: evaluation comes to the same digits.
ARITHMETIC = Context(prec=28, rounding=ROUND_HALF_EVEN)
#: A formula of a stored quote is a few levels deep; a deeper one was not made here.
DEEPEST = 60


class Operation(StrEnum):
    """What a term is made with. The values are the stored form."""

    FACT = "fact"
    NUMBER = "number"
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    #: The first to the power of the second.
    POWER = "^"
    #: The next whole number: packs are bought whole.
    ROUND_UP = "up"
    #: The amount of an earlier component of the same line, by its index.
    COMPONENT = "component"
    #: The sum of the amounts of the quote's other charged lines, in major units.
    OTHER_LINES = "lines"


@record(frozen=True, slots=True)
class Fact:
    """One figure of a source as it was when the price was made. ``key`` is the hash of all of it."""

    dataset_id: str
    row: str
    #: What the figure is, e.g. ``median hourly wage``.
    name: str
    value: Decimal
    unit: str
    as_of: str
    title: str
    publisher: str
    licence: str

    @property
    def key(self) -> str:
        """The first 32 hex digits of the SHA-256 of the fact: the same fact has the same key, a changed one another."""
        return _stored(self)[1]

    def text(self) -> str:
        """The stored form: a JSON array of the fields, the figure as text without idle zeros."""
        return _stored(self)[0]

    @classmethod
    def from_text(cls, text: str) -> Fact:
        """The fact of a stored form. Raises ``ValueError`` for another text."""
        fields = json.loads(text)
        if not isinstance(fields, list) or len(fields) != len(cls.__slots__):
            raise ValueError("no fact")
        values = dict(zip(cls.__slots__, fields, strict=True))
        return cls(**{**values, "value": _decimal(values["value"])})


# Quotes go by the same few thousand facts over and over.
@lru_cache(maxsize=16384)
def _stored(fact: Fact) -> tuple[str, str]:
    """Text and key of a fact. Equal facts have one text, however many zeros their figures were written with."""
    fields = [getattr(fact, name) for name in Fact.__slots__]
    fields[_VALUE] = f"{ARITHMETIC.normalize(fact.value):f}"
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return text, hashlib.sha256(text.encode()).hexdigest()[:32]


_VALUE = Fact.__slots__.index("value")


@record(frozen=True, slots=True)
class Term:
    """A value and the operation that made it. Terms calculate like decimals, in `ARITHMETIC`."""

    operation: Operation
    value: Decimal
    terms: tuple[Term, ...] = ()
    fact: Fact | None = None
    #: Index of the component that `Operation.COMPONENT` names.
    index: int = -1

    def __add__(self, other: Term) -> Term:
        """The sum."""
        return Term(Operation.ADD, ARITHMETIC.add(self.value, other.value), (self, other))

    def __sub__(self, other: Term) -> Term:
        """The difference."""
        return Term(Operation.SUBTRACT, ARITHMETIC.subtract(self.value, other.value), (self, other))

    def __mul__(self, other: Term) -> Term:
        """The product."""
        return Term(Operation.MULTIPLY, ARITHMETIC.multiply(self.value, other.value), (self, other))

    def __truediv__(self, other: Term) -> Term:
        """The quotient. Raises ``decimal.DivisionByZero``."""
        return Term(Operation.DIVIDE, ARITHMETIC.divide(self.value, other.value), (self, other))

    def __pow__(self, other: Term) -> Term:
        """The power. Raises ``decimal.InvalidOperation`` for a root of what is below zero."""
        return Term(Operation.POWER, ARITHMETIC.power(self.value, other.value), (self, other))

    def rounded_up(self) -> Term:
        """The next whole number."""
        return Term(Operation.ROUND_UP, self.value.to_integral_value(ROUND_CEILING, ARITHMETIC), (self,))

    def facts(self) -> Iterator[Fact]:
        """The facts in the formula, in its order."""
        if self.fact is not None:
            yield self.fact
        for term in self.terms:
            yield from term.facts()


def of(fact: Fact) -> Term:
    """A fact as a term."""
    return Term(Operation.FACT, fact.value, fact=fact)


def number(value: int) -> Term:
    """A whole number of arithmetic itself, such as the 1 of ``1 + waste``; figures that somebody stated are facts."""
    return Term(Operation.NUMBER, Decimal(value))


def component(index: int, amount: Decimal) -> Term:
    """The amount of an earlier component of the line."""
    return Term(Operation.COMPONENT, amount, index=index)


def other_lines(amount: Decimal) -> Term:
    """The sum of the quote's other charged lines."""
    return Term(Operation.OTHER_LINES, amount)


def total(terms: Iterable[Term]) -> Term:
    """The sum of one term or more, from the left."""
    first, *others = terms
    for term in others:
        first = first + term
    return first


Formula = list[object]


def to_formula(term: Term) -> Formula:
    """The stored form: nested lists ``[operation, operands…]``; a fact is its key."""
    match term.operation:
        case Operation.FACT:
            assert term.fact is not None
            return [term.operation.value, term.fact.key]
        case Operation.NUMBER:
            return [term.operation.value, int(term.value)]
        case Operation.COMPONENT:
            return [term.operation.value, term.index]
        case _:
            return [term.operation.value, *(to_formula(one) for one in term.terms)]


class DerivationError(ValueError):
    """A stored formula or fact cannot be what was stored; the message says which."""


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of an explanation. ``operands`` name facts (``F1``) and earlier steps (``S1``) or are numbers."""

    name: str
    operation: str
    operands: tuple[str, ...]
    value: Decimal
    #: What the step arrives at, where it has a name of its own ("quantity of component 1"); else empty.
    text: str = ""


class Evaluation:
    """Does stored formulas again, from facts and in order, and keeps every step.

    ``facts`` by key; ``other_lines`` is the sum that `Operation.OTHER_LINES` stands for. Equal sub-formulas are one
    step.
    """

    def __init__(self, facts: Mapping[str, Fact], other_lines: Decimal = Decimal(0)) -> None:
        self._facts = facts
        self._other_lines = other_lines
        self._names: dict[str, tuple[str, Decimal]] = {}
        self.used: list[Fact] = []
        self.steps: list[Step] = []
        #: Name and amount of each component so far.
        self.components: list[tuple[str, Decimal]] = []

    def evaluate(self, formula: object, depth: int = 0) -> tuple[str, Decimal]:
        """Name and value of a formula. Raises `DerivationError`."""
        if not isinstance(formula, list) or not formula or depth > DEEPEST:
            raise DerivationError("a stored formula is damaged")
        seen = json.dumps(formula)
        if seen not in self._names:
            self._names[seen] = self._evaluated(formula, depth)
        return self._names[seen]

    def step(self, operation: str, operands: Sequence[str], value: Decimal, text: str = "") -> str:
        """Add a step and return its name."""
        self.steps.append(Step(f"S{len(self.steps) + 1}", operation, tuple(operands), value, text))
        return self.steps[-1].name

    def _evaluated(self, formula: Formula, depth: int) -> tuple[str, Decimal]:
        try:
            operation = Operation(str(formula[0]))
        except ValueError:
            raise DerivationError(f"a stored formula has an unknown operation {formula[0]!r}") from None
        match operation:
            case Operation.FACT:
                return self._fact(formula[-1])
            case Operation.NUMBER:
                return str(formula[-1]), _decimal(formula[-1])
            case Operation.OTHER_LINES:
                return "sum of the other lines", self._other_lines
            case Operation.COMPONENT:
                index = formula[-1]
                if not isinstance(index, int) or not 0 <= index < len(self.components):
                    raise DerivationError("a stored formula names a component that does not come before it")
                return self.components[index]
        operands = [self.evaluate(one, depth + 1) for one in formula[1:]]
        value = _apply(operation, [value for _, value in operands])
        return self.step(operation.value, [name for name, _ in operands], value), value

    def _fact(self, key: object) -> tuple[str, Decimal]:
        fact = self._facts.get(str(key))
        if fact is None:
            raise DerivationError(f"the fact {key} is missing")
        if fact.key != key:
            raise DerivationError(f"the fact {key} ({fact.name}, {fact.dataset_id}) is not what was stored")
        self.used.append(fact)
        return f"F{len(self.used)}", fact.value


def _apply(operation: Operation, values: Sequence[Decimal]) -> Decimal:
    try:
        with localcontext(ARITHMETIC):
            match operation, list(values):
                case Operation.ADD, [one, other]:
                    return one + other
                case Operation.SUBTRACT, [one, other]:
                    return one - other
                case Operation.MULTIPLY, [one, other]:
                    return one * other
                case Operation.DIVIDE, [one, other]:
                    return one / other
                case Operation.POWER, [one, other]:
                    return one**other
                case Operation.ROUND_UP, [one]:
                    return one.to_integral_value(ROUND_CEILING)
    except DecimalException:
        raise DerivationError(f"a stored formula cannot be calculated ({operation})") from None
    raise DerivationError(f"a stored formula gives {len(values)} operands to {operation}")


def _decimal(value: object) -> Decimal:
    try:
        found = Decimal(str(value))
    except DecimalException:
        raise DerivationError(f"no figure: {value!r}") from None
    if not found.is_finite():
        raise DerivationError(f"no figure: {value!r}")
    return found
