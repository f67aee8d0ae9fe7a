"""A draft changed by hand. Amounts, taxes and totals are made by the same code as in drafting; prices are not looked up
again, and no line is added that nobody asked for but the minimum charge.

A price that somebody enters is a fact of its own, with who and when; the quote's version before keeps the former one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from server.domain import money
from server.domain.by_hand import ByHand, RemovedLine
from server.domain.draft import ENTERED, Component, Coverage, Draft, DraftLine, LineKind, Source
from server.domain.price_book.unit_names import unit_code
from server.domain.pricing import confidence, derivation, remarks, totals
from server.domain.pricing.derivation import Fact
from server.domain.settings import PricingSettings
from server.domain.takeoff import Question

#: Kind of the source of a price that somebody entered, and the name of its data set.
BY_HAND = "entered"
#: Lines of a quote that lines can still be added to.
MOST_LINES = 2000
#: The largest amount of a line in minor units: sums of so many lines are exact as JSON numbers (2^53).
MOST_AMOUNT_MINOR = 10**11
_NO_PRICE = "No price."
_FIELD = re.compile(r"((?:line_)?items)\[(\d+)\]\.(\w+)")
_HOURS = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class LineEdit:
    """A change of the line ``line_id``, or, where that is 0, a new line. None: as it is. ``position`` counts from 1."""

    line_id: int = 0
    description: str | None = None
    qty: Decimal | None = None
    unit: str | None = None
    price: Decimal | None = None
    optional: bool | None = None
    kind: LineKind | None = None
    position: int | None = None
    reviewed: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """Changes of a draft: lines taken out, then lines changed in the order given; lists of texts as a whole."""

    lines: tuple[LineEdit, ...] = ()
    removed: tuple[int, ...] = ()
    assumptions: tuple[str, ...] | None = None
    exclusions: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Editor:
    """Who changes, and when: an audit row's actor, and the time in ISO 8601, UTC."""

    actor: str
    at: str


@dataclass(frozen=True, slots=True)
class EditProblem:
    """What cannot be done of an edit: the path of the value in it, a stable word, and words for people."""

    field: str
    reason: str
    message: str


class EditError(ValueError):
    """The edit does not fit the draft; nothing of it was done."""

    def __init__(self, problems: Sequence[EditProblem]) -> None:
        super().__init__("; ".join(one.message for one in problems))
        self.problems = tuple(problems)


def edited(
    draft: Draft, by_hand: ByHand, edit: Edit, settings: PricingSettings, editor: Editor
) -> tuple[Draft, ByHand]:
    """The draft after the edit, and what is to be remembered of it. ``settings`` are in the draft's currency.

    Raises `EditError` with everything that is wrong.
    """
    bench = _Bench(draft, editor)
    bench.take_out(edit.removed)
    for number, one in enumerate(edit.lines):
        bench.change(number, one)
    if bench.problems:
        raise EditError(bench.problems)
    by_hand = replace(by_hand, removed=(*by_hand.removed, *bench.removed))
    lines = _with_minimum(draft.lines, bench.lines, settings, by_hand)
    by_hand = _written(by_hand, "assumptions", draft.assumptions, edit.assumptions)
    by_hand = _written(by_hand, "exclusions", draft.exclusions, edit.exclusions)
    changed = replace(
        draft,
        assumptions=draft.assumptions if edit.assumptions is None else edit.assumptions,
        exclusions=draft.exclusions if edit.exclusions is None else edit.exclusions,
        questions=bench.questions(lines),
    )
    return (changed if lines == draft.lines else summed(changed, lines, settings, by_hand)), by_hand


def summed(draft: Draft, lines: Sequence[DraftLine], settings: PricingSettings, by_hand: ByHand) -> Draft:
    """The draft with these lines in place of its own: sums, taxes, confidence, and what is said of them, anew."""
    has_minimum = any(totals.is_minimum(line) for line in lines)
    subtotal = money.from_minor(sum(line.amount_minor for line in totals.charged(lines)))
    reached = settings.minimum_charge is None or subtotal >= settings.minimum_charge
    sums = totals.totals(lines, settings if has_minimum or reached else replace(settings, minimum_charge=None))
    said = remarks.charges_said(lines, sums.taxes, settings)
    new = [one for one in said if one not in draft.assumptions and one not in by_hand.struck]
    sure = remarks.confidence_of(lines)
    of_lines = remarks.review_reasons(draft.lines, draft.confidence)
    reasons = remarks.review_reasons(lines, sure)
    if lines and not reached:
        reasons.append(remarks.below_minimum(settings))
    reasons += [one for one in draft.review_reasons if one not in of_lines and not remarks.is_below_minimum(one)]
    return replace(
        draft,
        lines=tuple(lines),
        subtotal_minor=sums.subtotal_minor,
        tax_minor=sums.tax_minor,
        total_minor=sums.total_minor,
        low_minor=sums.low_minor,
        high_minor=sums.high_minor,
        taxes=sums.taxes,
        confidence=sure,
        assumptions=(*(one for one in draft.assumptions if one in said or not remarks.is_charge_said(one)), *new),
        review_reasons=tuple(reasons),
    )


def line_of(question: Question) -> int | None:
    """The place, from 0, of the line that a question is about; None where it is about none."""
    found = _FIELD.fullmatch(question.field)
    return None if found is None else int(found[2])


def at_line(question: Question, place: int) -> Question:
    """A question about a line, when that line is at another place."""
    return replace(question, field=_FIELD.sub(rf"\g<1>[{place}].\g<3>", question.field))


def asks_for_quantity(question: Question) -> bool:
    """Whether the answer decides the quantity of a line, and not what it is."""
    return question.field.endswith("].qty")


def is_about_quantity(reason: str) -> bool:
    """Whether a reason for review is settled by a quantity, and not by a price."""
    return "quantity" in reason.lower()


def name_of(line: DraftLine) -> str:
    """What drafting calls a line; a charge or a template's line goes by its rule's name, whatever it is called now, and
    no other line of the draft has that."""
    return line.rule or line.description


def is_added(line: DraftLine) -> bool:
    """Whether somebody added the line by hand: no words asked for it, and no rule ("Skip hire")."""
    return line.span is None and not line.task_id and not line.rule and "description" in line.entered


def has_own_minimum(lines: Sequence[DraftLine], by_hand: ByHand) -> bool:
    """Whether somebody took the minimum charge out, in this version or one before, or made it a line of their own: it
    does not come back by itself."""
    taken_out = any(one.name == totals.MINIMUM_TEXT for one in by_hand.removed)
    return taken_out or any(name_of(line) == totals.MINIMUM_TEXT and not totals.is_minimum(line) for line in lines)


def scaled(line: DraftLine, qty: Decimal) -> DraftLine:
    """The line with another quantity at the same unit price; its range and hours in proportion."""
    amount = money.line_amount_minor(qty, line.price)
    measured = line.source is not None and line.source.kind != BY_HAND
    low, high = (
        money.to_minor(money.from_minor(end) * qty / line.qty) if measured else amount
        for end in (line.low_minor, line.high_minor)
    )
    return replace(
        line,
        qty=qty,
        amount_minor=amount,
        low_minor=min(low, amount),
        high_minor=max(high, amount),
        labour_hours=(line.labour_hours * qty / line.qty).quantize(_HOURS),
    )


class _Bench:
    """The lines of a draft while they are changed."""

    def __init__(self, draft: Draft, editor: Editor) -> None:
        self._draft = draft
        self._editor = editor
        self.lines = [*draft.lines]
        self.removed: list[RemovedLine] = []
        self.problems: list[EditProblem] = []
        #: Lines whose quantity, or price, was entered: nobody is asked for it any more.
        self._counted: set[int] = set()
        self._priced: set[int] = set()

    def take_out(self, line_ids: Sequence[int]) -> None:
        """Remove lines."""
        for number, line_id in enumerate(line_ids):
            at = self._find(line_id, f"removed_line_ids[{number}]")
            if at is None:
                continue
            line = self.lines.pop(at)
            if not is_added(line):
                self.removed.append(RemovedLine(line.span, line.task_id, name_of(line)))

    def change(self, number: int, edit: LineEdit) -> None:
        """Change one line, or add it, and put it where it is asked to be."""
        path = f"line_items[{number}]"
        if edit.line_id:
            found = self._find(edit.line_id, f"{path}.line_id")
            if found is None:
                return
            line, at = self.lines.pop(found), found
        else:
            line, at = _blank(edit), self._end()
            if len(self.lines) >= MOST_LINES:
                self._refuse(path, "too_many", f"a quote has at most {MOST_LINES} lines")
        line = self._changed(line, edit, path)
        self.lines.insert(at if edit.position is None else edit.position - 1, line)

    def questions(self, lines: Sequence[DraftLine]) -> tuple[Question, ...]:
        """The questions that are still open, each with the place that its line has now."""
        places = {line.line_id: index for index, line in enumerate(lines)}
        open_ones = []
        for question in self._draft.questions:
            place = line_of(question)
            if place is None or place >= len(self._draft.lines):
                open_ones.append(question)
                continue
            line_id = self._draft.lines[place].line_id
            settled = self._counted if asks_for_quantity(question) else self._priced
            if line_id in places and line_id not in settled:
                open_ones.append(at_line(question, places[line_id]))
        return tuple(open_ones)

    def _changed(self, line: DraftLine, edit: LineEdit, path: str) -> DraftLine:
        before, is_new = line, not edit.line_id
        entered = {*line.entered, *(_given(edit) if is_new else ())}
        qty, unit = edit.qty or line.qty, _unit(edit.unit) if edit.unit is not None else line.unit
        values = {
            "description": " ".join(edit.description.split()) if edit.description is not None else line.description,
            "kind": edit.kind or line.kind,
            "optional": line.optional if edit.optional is None else edit.optional,
        }
        entered |= {name for name, value in values.items() if value != getattr(line, name)}
        entered |= {name for name, value in (("qty", qty), ("unit", unit)) if value != getattr(line, name)}
        price = edit.price
        if totals.is_minimum(line) and {"qty", "unit", "kind", "optional"} & entered - {*line.entered}:
            price = line.price if price is None else price  # it is no minimum charge any more, but a line of theirs
        elif price is not None and line.priced and price == line.price and unit == line.unit:
            price = None  # as it is
        if unit != line.unit and line.priced and edit.price is None:
            self._refuse(
                f"{path}.price", "required", f"a price per {unit} is needed: the present one is per {line.unit}"
            )
        if price is not None:
            entered.add("price")
            self._priced.add(line.line_id)
            line = self._at_price(line, qty, unit, price)
        elif qty != line.qty:
            line = scaled(line, qty)
        if qty != before.qty:
            self._counted.add(line.line_id)
        if line.amount_minor > max(MOST_AMOUNT_MINOR, before.amount_minor):
            most = money.from_minor(MOST_AMOUNT_MINOR)
            self._refuse(f"{path}.qty", "amount.too_large", f"qty x price must be at most {most:f}")
        reasons = [
            one
            for one in line.review_reasons
            if not edit.reviewed
            and not (qty != before.qty and is_about_quantity(one))
            and not (price is not None and not is_about_quantity(one))
        ]
        if not line.priced and not reasons:
            reasons = [_NO_PRICE]
        return replace(
            line,
            qty=qty,
            unit=unit,
            description=str(values["description"]),
            kind=LineKind(str(values["kind"])),
            optional=bool(values["optional"]),
            review_reasons=tuple(reasons),
            entered=tuple(name for name in ENTERED if name in entered),
        )

    def _at_price(self, line: DraftLine, qty: Decimal, unit: str, price: Decimal) -> DraftLine:
        price = money.unit_price(price)
        amount = money.line_amount_minor(qty, price)
        return replace(
            line,
            price=price,
            amount_minor=amount,
            low_minor=amount,
            high_minor=amount,
            priced=True,
            confidence=confidence.ENTERED,
            labour_hours=Decimal(0),
            source=_source(price, unit, self._draft, self._editor),
        )

    def _find(self, line_id: int, path: str) -> int | None:
        found = next((at for at, line in enumerate(self.lines) if line_id and line.line_id == line_id), None)
        if found is None:
            self._refuse(path, "line.unknown", f"the quote has no line {line_id}")
        return found

    def _end(self) -> int:
        """Behind the last line; the minimum charge stays the last."""
        return len(self.lines) - bool(self.lines and totals.is_minimum(self.lines[-1]))

    def _refuse(self, field: str, reason: str, message: str) -> None:
        self.problems.append(EditProblem(field, reason, message))


def _blank(edit: LineEdit) -> DraftLine:
    """A new line before its values are put in. Its number comes when it is stored."""
    return DraftLine(
        description="",
        qty=edit.qty or Decimal(1),
        unit="",
        price=Decimal(0),
        amount_minor=0,
        low_minor=0,
        high_minor=0,
        kind=LineKind.SERVICE,
        priced=False,
        optional=False,
        confidence=confidence.UNPRICED,
        labour_hours=Decimal(0),
        review_reasons=(),
        span=None,
    )


def _given(edit: LineEdit) -> set[str]:
    return {name for name in ENTERED if getattr(edit, name) is not None}


def _unit(text: str) -> str:
    return unit_code(text) or " ".join(text.split())


def _source(price: Decimal, unit: str, draft: Draft, editor: Editor) -> Source:
    row, day, licence = f"{editor.actor}, {editor.at}", editor.at[:10], "The organization's own"
    fact = Fact(
        BY_HAND, row, "unit price as entered", price, f"{draft.currency}/{unit}", day, "Entered by hand",
        "The organization", licence,
    )  # fmt: skip
    part = Component(
        BY_HAND, "Price as entered", Decimal(1), unit, price, price, BY_HAND, row, day, derivation.number(1),
        derivation.of(fact),
    )  # fmt: skip
    return Source(
        BY_HAND, row, fact.title, fact.publisher, draft.location, Coverage.MEASURED, Decimal(1), day, licence, (part,)
    )


def _with_minimum(
    before: Sequence[DraftLine], lines: Sequence[DraftLine], settings: PricingSettings, by_hand: ByHand
) -> tuple[DraftLine, ...]:
    """The lines with the minimum charge as it is now. One that was taken out, or was changed into a line of their own,
    stays away; one that was not needed before comes where it is now."""
    kept = next((line for line in lines if totals.is_minimum(line)), None)
    others = [line for line in lines if not totals.is_minimum(line)]
    if kept is None:
        reached = totals.minimum_line(before, settings) is None
        if has_own_minimum(lines, by_hand) or not reached or not totals.charged(before):
            return tuple(others)
    elif lines == [*before]:
        return tuple(lines)
    minimum = totals.minimum_line(others, settings) if totals.charged(others) else None
    if minimum is None:
        return tuple(others)
    if kept is None:
        return (*others, minimum)
    # Where it stands and what it is called are theirs; what it comes to is not.
    minimum = replace(minimum, line_id=kept.line_id, description=kept.description, entered=kept.entered)
    return tuple(minimum if line is kept else line for line in lines)


def _written(by_hand: ByHand, name: str, before: tuple[str, ...], after: tuple[str, ...] | None) -> ByHand:
    """Remember which texts of a list were written, and which were struck out."""
    if after is None:
        return by_hand
    kept = [one for one in getattr(by_hand, name) if one in after]
    written = [one for one in after if one not in before]
    struck = [one for one in (*by_hand.struck, *before) if one not in after]
    changes = {name: tuple(dict.fromkeys((*kept, *written))), "struck": tuple(dict.fromkeys(struck))}
    return replace(by_hand, **changes)
