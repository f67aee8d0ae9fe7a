"""Splitting: some of what was just counted are of another kind ("20 outlets, 5 of those GFCI", "60 ft of sewer line, 20
ft of it trenchless"), which is no more of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import Item, Measured, inside, plain, shown
from server.domain.drafting.matching import Match, Word
from server.domain.drafting.naming import tasks_named
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.units import UNITS, dimension, factor

_MUCH = frozenset({Role.COUNT, Role.LENGTH, Role.AREA})
#: Before a part, and behind it: what it is of, and that it is of some kind, but not where it is or what is done to it.
_BEFORE = re.compile(
    r"\W*(?:(?:and|but|with|where|so) )*(?P<of>of (?:which|them|those|these)[ ,]+)?"
    r"(?:(?:about|just|only|maybe|say|approx\.?|around|some|the) )*",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"\s*(?P<of>of (?:them|those|these|which|it|that)\b(?! the\b))?", re.IGNORECASE)
_KIND = re.compile(
    r",?\s*(?:(?:is|are|being|will be|should be|must be|(?:needs?|wants?|ha(?:s|ve)) to be|to be)\b)?"
    r"(?:\s*(?:an?|the))?\s*(?!(?:in|on|at|by|for|to|from|with|near|over|under|behind|up|down|out|off|need|needs|want"
    r"|wants|get|gets|have|has|new|fine|ok|okay|good|there|here|not|already|only|still|supplied|ours|mine)\b)(?=[\w\d])",
    re.IGNORECASE,
)
#: "One of those walk-in showers" is one such, and none of what was told of before.
_SUCH_A = re.compile(
    r"\s*of (?:those|these) (?!(?:is|are|to|will|should|must|needs?|wants?|has|being)\b)[a-z]", re.IGNORECASE
)


def splits_last(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """Take a clause that tells of what kind some of what was asked for last are, and adds nothing to it: an item of its
    own, where another task is for that kind; whether it does."""
    part = _part_told(so_far, clause, own)
    whole = _whole(so_far) if part is not None else None
    if part is None or whole is None or whole.match is None:
        return False
    words = so_far.index.words(clause.tokens)
    kind = _kind_named(so_far, whole, words, part)
    if kind is None and (part.role is Role.SIZE or clause.kind is not ClauseKind.WORK):
        return False
    if kind is not None and kind.task is whole.match.task:
        _without_kind(so_far, whole, kind)
    if kind is None:
        whole.reasons.append(_alike(so_far.text[clause.start : clause.end]))
        so_far.add_detail(clause, words, [one for one in own if one is not part])
        return True
    figures = [replace(one, role=_role_in(whole, part)) if one is part else one for one in own]
    item = Item(replace(clause, kind=ClauseKind.WORK), words, kind.verb, kind, (), figures, end=clause.end)
    item.of, item.asked, item.stated = whole, (kind.verb,), True
    item.materials_by_customer, item.provided = whole.materials_by_customer, whole.provided
    so_far.add(item)
    return True


def of_other_kinds(items: Sequence[Item], text: str) -> list[Item]:
    """The items without those parts for whose kind no other task is than for the whole, which says so then."""
    kept: list[Item] = []
    for item in items:
        of = item.of
        supplied = of is not None and of.materials_by_customer is not item.materials_by_customer
        if of is None or of.match is None or item.match is None or of.match.task is not item.match.task or supplied:
            kept.append(item)
        else:
            of.reasons.append(_alike(text[item.clause.start : item.clause.end]))
    return kept


def without_parts(items: Sequence[Item], amounts: Sequence[Measured]) -> list[Measured]:
    """The amounts, of the wholes without what those of their parts are that are lines of their own."""
    found = list(amounts)
    for part, much in zip(items, amounts, strict=True):
        place = next((at for at, one in enumerate(items) if one is part.of), None) if part.of is not None else None
        whole = found[place] if place is not None else None
        if place is None or whole is None or whole.value is None or much.value is None or part.match is None:
            continue
        if much.unit != whole.unit and not (
            {much.unit, whole.unit} <= UNITS.keys() and dimension(much.unit) is dimension(whole.unit)
        ):
            continue
        some = much.value if much.unit == whole.unit else much.value * factor(much.unit, whole.unit)
        if some < whole.value:
            left = whole.value - some
            said = f"{plain(whole.value)} − {plain(some)} ({part.match.task.name}) = {plain(left)} {whole.unit}."
            found[place] = replace(whole, value=left, assumption=f"{whole.assumption} {said}".strip())
    return found


def _part_told(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> Quantity | None:
    """How many of what was asked for last the clause begins to tell the kind of."""
    part = next((one for one in own if one.role in _MUCH | {Role.SIZE}), None)
    whole = _whole(so_far) if part is not None else None
    if part is None or whole is None or whole.match is None or clause.actions or part.sides or part.noun == THERE:
        return None
    if (
        clause.kind not in {ClauseKind.WORK, ClauseKind.CONTEXT}
        or not 0 <= clause.sentence - whole.clause.sentence <= 1
    ):
        return None
    begins = _BEFORE.fullmatch(so_far.text, clause.start, part.span.start)
    of_them = _OF_THEM.match(so_far.text, part.span.end, clause.end)
    if begins is None or of_them is None or not (begins["of"] or of_them["of"]):
        return None
    if not _KIND.match(so_far.text, of_them.end(), clause.end):
        return None
    if part.value == 1 and _SUCH_A.match(so_far.text, part.span.end):
        return None
    told = (one for one in whole.figures if one.role in _MUCH and one.unit == part.unit and not one.sides)
    amount = next((one for one in told if inside(one, whole.clause)), None)
    if amount is None:
        return None
    others = (one for item in so_far.items if item.of is whole for one in item.figures if one.unit == part.unit)
    return part if part.value + sum(one.value for one in others) < amount.value else None


def _whole(so_far: Progress) -> Item | None:
    """What was asked for last, or what that is a part of: "100 ft of fence, 30 ft of it vinyl and 20 ft of it chain
    link"."""
    last = so_far.items[-1] if so_far.items else None
    return last.of if last is not None and last.of is not None else last


def _role_in(whole: Item, part: Quantity) -> Role:
    return next(one.role for one in whole.figures if one.role in _MUCH and one.unit == part.unit)


def _kind_named(so_far: Progress, whole: Item, words: tuple[Word, ...], part: Quantity) -> Match | None:
    """The task that the kind of a part names, by its own words or with those of the whole, of its trade and unit."""
    if whole.match is None:
        return None
    here = {word.lemma for word in words}
    task = whole.match.task
    of_whole = tuple(word for word in whole.words if word.lemma in (whole.match.words if whole.match else ()))
    for said in (words, of_whole + words):
        for named in tasks_named(so_far, said, (whole.verb,), [part], inherited=True):
            fits = named.verb_fits and named.task.trade == task.trade and not named.words.isdisjoint(here)
            if fits and dimension(named.task.unit) is dimension(task.unit):
                return named
    return None


def _without_kind(so_far: Progress, whole: Item, kind: Match) -> None:
    """Take the task for a whole that its own words name, where it was read as what only its part is: "100 ft of fence,
    30 ft of it vinyl"."""
    if kind.words <= whole.lemmas:
        return
    named = tasks_named(so_far, whole.words, (whole.verb,), whole.figures, inherited=False)
    other = next((match for match in named if match.verb_fits), None)
    if other is not None and whole.match is not None and other.task.trade == kind.task.trade:
        whole.match = other


def _alike(said: str) -> str:
    return f"“{shown(said)}”: counted among the others, and priced like them."
