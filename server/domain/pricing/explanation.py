"""The explanation of a line: its amount calculated again, step by step, from the facts that were kept with it.

Nothing of the catalogue in force is looked at: a quote of years ago explains itself by the facts of its day, which are
kept by the hash of their content.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from server.domain import money
from server.domain.draft import Component, DraftLine, Source
from server.domain.pricing import derivation
from server.domain.pricing.derivation import ARITHMETIC, DerivationError, Evaluation, Fact, Formula, Step, Term

#: Formulas of the quantity and the rate of each component, in order.
Derivation = list[tuple[Formula, Formula]]


@dataclass(frozen=True, slots=True)
class Explanation:
    """``steps`` lead from ``facts`` to ``amount_minor``, which is recalculated; ``problems`` say where that differs
    from what is stored, and are empty where it does not. A line without a price has neither facts nor steps."""

    line: DraftLine
    facts: tuple[Fact, ...]
    steps: tuple[Step, ...]
    price: Decimal
    amount_minor: int
    problems: tuple[str, ...]


def derive(line: DraftLine) -> tuple[Derivation, dict[str, Fact]]:
    """What is kept with a line: the formulas of its components, and their facts by key."""
    formulas: Derivation = []
    facts: dict[str, Fact] = {}
    for part in line.source.components if line.source is not None else ():
        assert line.source is not None
        quantity, rate = terms_of(part, line.source)
        facts |= {fact.key: fact for term in (quantity, rate) for fact in term.facts()}
        formulas.append((derivation.to_formula(quantity), derivation.to_formula(rate)))
    return formulas, facts


def terms_of(part: Component, source: Source) -> tuple[Term, Term]:
    """Quantity and rate of a component as terms. One that does not tell how it came about (a price book's, say) is its
    own fact: the row states both figures."""

    def stated(name: str, value: Decimal, unit: str) -> Term:
        return derivation.of(
            Fact(
                part.dataset_id,
                part.row,
                f"{name}: {part.description}",
                value,
                unit,
                part.as_of,
                source.name,
                source.supplier,
                source.licence,
            )
        )

    quantity = part.quantity_from or stated("quantity", part.quantity, part.unit)
    rate = part.rate_from or stated("rate", part.rate, f"per {part.unit}")
    return quantity, rate


def explain(line: DraftLine, kept: Derivation | None, facts: Mapping[str, Fact], other_lines_minor: int) -> Explanation:
    """Calculate a stored line again. ``kept`` and ``facts`` are what `derive` gave when it was stored, None for a line
    that was stored without; ``other_lines_minor`` is the sum of the quote's other charged lines."""
    if line.source is None:
        return Explanation(line, (), (), Decimal(0), 0, ())
    if kept is None:
        kept, facts = derive(line)
    run = Evaluation(facts, money.from_minor(other_lines_minor))
    try:
        problems = _components(run, line.source.components, kept)
        price, amount = _amount(run, line)
    except DerivationError as error:
        return Explanation(line, tuple(run.used), tuple(run.steps), Decimal(0), 0, (f"{error}.".capitalize(),))
    if price != line.price:
        problems.append(f"The unit price comes to {price}, stored is {line.price}.")
    if amount != line.amount_minor:
        problems.append(
            f"The amount comes to {money.from_minor(amount)}, stored is {money.from_minor(line.amount_minor)}."
        )
    return Explanation(line, tuple(run.used), tuple(run.steps), price, amount, tuple(problems))


def _components(run: Evaluation, parts: tuple[Component, ...], kept: Derivation) -> list[str]:
    if len(kept) != len(parts):
        raise DerivationError(f"{len(parts)} components are stored with formulas of {len(kept)}")
    problems = []
    for number, (part, (quantity_formula, rate_formula)) in enumerate(zip(parts, kept, strict=True), start=1):
        quantity_name, quantity = run.evaluate(quantity_formula)
        rate_name, rate = run.evaluate(rate_formula)
        amount = ARITHMETIC.multiply(quantity, rate)
        text = f"component {number}: {part.description}"
        run.components.append((run.step("*", [quantity_name, rate_name], amount, text), amount))
        if (quantity, rate, amount) != (part.quantity, part.rate, part.amount):
            problems.append(f"Component {number} comes to {amount}, stored is {part.amount}.")
    return problems


def _amount(run: Evaluation, line: DraftLine) -> tuple[Decimal, int]:
    total = sum((amount for _, amount in run.components), Decimal(0))
    summed = run.step("+", [name for name, _ in run.components], total, "per unit of the line, unrounded")
    price = money.unit_price(total)
    places = -int(price.as_tuple().exponent)
    rounded = run.step("round", [summed], price, f"unit price: half-even to {places} decimals")
    exact = line.qty * price
    whole = run.step("*", [rounded, str(line.qty)], exact, f"times {line.qty} {line.unit}")
    minor = money.line_amount_minor(line.qty, price)
    run.step("round", [whole], money.from_minor(minor), "amount of the line: half-even to 2 decimals")
    return price, minor
