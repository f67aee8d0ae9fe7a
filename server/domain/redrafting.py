"""A text drafted anew, and what people did to the draft before put back into it, field by field.

A line is known again by the words that asked for it, a charge or a template's line by what its rule calls it. What
somebody entered in it stays, the rest of it is as it was drafted now. Lines added by hand stay, lines and texts taken
out stay out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from server.domain.by_hand import ByHand
from server.domain.draft import Draft, DraftLine
from server.domain.editing import (
    asks_for_quantity,
    at_line,
    has_own_minimum,
    is_about_quantity,
    is_added,
    line_of,
    name_of,
    scaled,
    summed,
)
from server.domain.pricing import confidence, totals
from server.domain.settings import PricingSettings
from server.domain.takeoff import Question

#: What tells a template's lines of one description apart, at the end of their rule's name.
_NUMBER = re.compile(r" #\d+$")
#: What a line is known by again, the surest first; nothing where it is not known so. The last is for quotes that were
#: stored when a template's lines of one description had one name.
_KNOWN_BY: tuple[Callable[[DraftLine], object], ...] = (
    lambda line: line.span and (line.span, line.task_id),
    lambda line: line.span,
    lambda line: None if line.span else (line.task_id, name_of(line)),
    lambda line: None if line.span else (line.task_id, _NUMBER.sub("", name_of(line))),
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line, and its place among those that were drafted now; None: it is not among them."""

    place: int | None
    line: DraftLine


def redrafted(before: Draft, by_hand: ByHand, fresh: Draft, settings: PricingSettings) -> Draft:
    """``fresh``, the text of ``before`` drafted anew, with what was done to ``before`` by hand. Lines that were there
    before keep their ids and their order. ``settings`` are in the currency of ``fresh``."""
    #: The currency of the prices that were entered, where they hold no more.
    lost = before.currency if before.currency != fresh.currency else ""
    out = _taken_out(fresh.lines, by_hand)
    known = _known_again(before.lines, fresh.lines, out)
    entries = {old.line_id: _Entry(place, _merged(old, fresh.lines[place], lost)) for place, old in known.items()}
    for line in before.lines:
        if line.entered and line.line_id not in entries and not totals.is_minimum(line):
            entries[line.line_id] = _Entry(None, _without_price(line, lost) if lost else line)
    ordered = [entries[line.line_id] for line in before.lines if line.line_id in entries]
    for place, line in enumerate(fresh.lines):
        if place not in known and place not in out and not totals.is_minimum(line):
            ordered.insert(_behind(ordered, place), _Entry(place, line))
    lines = [entry.line for entry in ordered]
    lines += _minimum(before, by_hand, lines, settings)
    draft = replace(
        fresh,
        assumptions=_texts(fresh.assumptions, by_hand.assumptions, by_hand),
        exclusions=_texts(fresh.exclusions, by_hand.exclusions, by_hand),
        questions=_questions(fresh.questions, len(fresh.lines), ordered),
    )
    return summed(draft, lines, settings, by_hand)


def _taken_out(lines: Sequence[DraftLine], by_hand: ByHand) -> set[int]:
    """The places of the lines that somebody took out when they were drafted before."""
    found: set[int] = set()
    for one in by_hand.removed:
        if one.span is None:
            same = [place for place, line in enumerate(lines) if _KNOWN_BY[2](line) == (one.task_id, one.name)]
        else:
            there = [place for place, line in enumerate(lines) if line.span == one.span]
            # What is done may be understood otherwise by now; only of several lines of the same words it decides.
            same = [place for place in there if lines[place].task_id == one.task_id] or there[: len(there) == 1]
        found.update(same)
    return found


def _known_again(before: Sequence[DraftLine], fresh: Sequence[DraftLine], out: set[int]) -> dict[int, DraftLine]:
    """The places of lines that were there before, with the lines that they were."""
    old = [line for line in before if not totals.is_minimum(line) and not is_added(line)]
    found: dict[int, DraftLine] = {}
    for known_by in _KNOWN_BY:
        for place, line in enumerate(fresh):
            key = known_by(line)
            if key is None or place in out or place in found or totals.is_minimum(line):
                continue
            same = next((one for one in old if known_by(one) == key), None)
            if same is not None:
                old.remove(same)
                found[place] = same
    return found


def _merged(old: DraftLine, new: DraftLine, lost: str) -> DraftLine:
    """The new line with what was entered in the old one."""
    entered = {*old.entered} - ({"price"} if lost else set())
    line = new
    if "price" in entered:
        line = scaled(old, old.qty if "qty" in entered or new.unit != old.unit else new.qty)
        line = replace(line, description=new.description, kind=new.kind, optional=new.optional)
    elif {"qty", "unit"} & entered and new.unit != old.unit:
        # What was entered is in the old unit, and so is its price.
        line = _without_price(old, lost) if lost else old
    elif "qty" in entered:
        line = scaled(new, old.qty)
        line = replace(line, review_reasons=tuple(one for one in line.review_reasons if not is_about_quantity(one)))
    if line.source == old.source and line.qty == old.qty:
        # Somebody may have looked at the line as it is.
        line = replace(line, review_reasons=old.review_reasons)
    if not line.priced and not line.review_reasons:
        line = replace(line, review_reasons=("No price.",))
    kept = {name: getattr(old, name) for name in ("description", "kind", "optional") if name in entered}
    return replace(
        line,
        line_id=old.line_id,
        span=new.span,
        task_id=new.task_id,
        rule=new.rule,
        entered=tuple(name for name in old.entered if name in entered),
        **kept,
    )


def _without_price(line: DraftLine, currency: str) -> DraftLine:
    """The line when its price is in a currency that the quote is in no more."""
    if not line.priced:
        return line
    return replace(
        line,
        price=Decimal(0),
        amount_minor=0,
        low_minor=0,
        high_minor=0,
        priced=False,
        source=None,
        confidence=confidence.UNPRICED,
        labour_hours=Decimal(0),
        review_reasons=(f"No price: the one before was in {currency}.",),
        entered=tuple(name for name in line.entered if name != "price"),
    )


def _behind(entries: Sequence[_Entry], place: int) -> int:
    """Where a new line goes: behind the one that was drafted before it."""
    places = {entry.place: index for index, entry in enumerate(entries)}
    return next((places[one] + 1 for one in range(place - 1, -1, -1) if one in places), 0)


def _minimum(before: Draft, by_hand: ByHand, lines: Sequence[DraftLine], settings: PricingSettings) -> list[DraftLine]:
    """The minimum charge, where nobody took it out or made it a line of their own."""
    wanted = totals.charged(lines) and not has_own_minimum(lines, by_hand)
    minimum = totals.minimum_line(lines, settings) if wanted else None
    old = next((line for line in before.lines if totals.is_minimum(line)), None)
    if minimum is None:
        return []
    if old is None:
        return [minimum]
    return [replace(minimum, line_id=old.line_id, description=old.description, entered=old.entered)]


def _texts(fresh: Sequence[str], written: Sequence[str], by_hand: ByHand) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(one for one in fresh if one not in by_hand.struck), *written)))


def _questions(questions: Sequence[Question], count: int, entries: Sequence[_Entry]) -> tuple[Question, ...]:
    """The questions that are open, each at the place that its line has now."""
    now = {entry.place: (index, entry.line) for index, entry in enumerate(entries)}
    open_ones = []
    for question in questions:
        place = line_of(question)
        if place is None or place >= count:
            open_ones.append(question)
        elif place in now:
            index, line = now[place]
            if ("qty" if asks_for_quantity(question) else "price") not in line.entered:
                open_ones.append(at_line(question, index))
    return tuple(open_ones)
