"""Repeating: what a place gets that gets the same as another ("Unit 2: ditto, but no toilet", "3B - 2. 3D - 1.")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

from server.domain.drafting.actions import action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.combining import PLACES
from server.domain.drafting.items import Item
from server.domain.drafting.listing import SHORT_ROOMS
from server.domain.drafting.matching import Match, lemma
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role
from server.domain.drafting.telling import MEASURES, PREMISES, VAGUE
from server.domain.takeoff import Span
from server.domain.units import Dimension, dimension

#: Begins with the same as before, or as what is named behind it.
_SAME = re.compile(
    r"\W*(?:(?:and|also|just|gets|needs|wants|exactly|pretty much|all) )*(?:the )?(?:ditto\b|likewise\b|idem\b"
    r"|same(?: again| here| thing| deal| story| job| list| work| scope| as)?\b(?! (?:size|colou?r|height|length|width"
    r"|style|type|kind|spec|model|make|brand|way|place|spot|day|time|guys?|area|problem|issue|finish|material)s?\b)"
    r"|as (?:above|before)\b|as (?=for\b|per\b|in\b|at\b|(?:[a-z]+ )?#?\w{0,2}\d)|(?P<like>like|mirror of|identical to"
    r"|copy of|matches|as per|as)(?= ))(?: as)?(?: (?:above|before|for|per|in|at|the last(?: one)?))*",
    re.IGNORECASE,
)
#: Begins with so many times as much as that.
_TIMES = re.compile(
    r"\W*(?:(?:and|also|just|gets|needs|wants|has|exactly|about) )*(?P<times>half|double|twice|triple|three times)"
    r"(?: (?:of )?(?:that|this|it|as many|as much|the (?:number|amount|quantity)))(?: again)?\W*",
    re.IGNORECASE,
)
#: More than this nobody asks for by a factor.
_MOST = Decimal(100_000)
_TIMES_AS_MUCH = {"half": Decimal("0.5"), "double": Decimal(2), "twice": Decimal(2), "triple": Decimal(3),
                  "three times": Decimal(3)}  # fmt: skip
_OF_THE_SAME = re.compile(r"\bof the same\b(?: ([a-z]+))?", re.IGNORECASE)
#: What a place that is named behind it may be called by.
_LIKE = re.compile(r"\W*(?:[a-z]+\.? )?#?(?P<id>[a-z]{0,2}-?\d{1,4}[a-z]?|[a-h])\b", re.IGNORECASE)
_NUMBER = re.compile(r"\W*(\d{1,3})\W*")
_DIMENSION = {
    Role.COUNT: Dimension.COUNT, Role.AREA: Dimension.AREA, Role.LENGTH: Dimension.LENGTH,
    Role.VOLUME: Dimension.VOLUME,
}  # fmt: skip


def repeats(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """Take what another section asks for once more, where the clause asks for the same or only tells how much of it;
    whether it does."""
    section = so_far.sections.at(clause.start)
    if section < 0:
        return False
    start = max(clause.start, so_far.sections.all[section].label_end)
    times = _TIMES.fullmatch(so_far.text, start, clause.end) if section else None
    if times is not None:
        return _is_times_as_much(so_far, section, _TIMES_AS_MUCH[times["times"].lower()])
    same = _SAME.match(so_far.text, start, clause.end) if section else None
    alike = _OF_THE_SAME.search(so_far.text, start, clause.end) if same is None else None
    own = [one for one in own if one.span.start >= start]
    if alike is not None:
        return _is_more_of_it(so_far, own, lemma((alike[1] or "").lower()), section)
    if same is None:
        return _is_as_much(so_far, clause, own, section)
    like = _LIKE.match(so_far.text, same.end(), clause.end)
    source = so_far.sections.called(like["id"]) if like is not None else -1
    end = like.end() if like is not None and source >= 0 else same.end()
    if source < 0:
        source = so_far.sections.begun_by(so_far.text[same.end() : clause.end])
        end = clause.end if source >= 0 else end
    if source >= section:
        source = -1
    if source < 0 and same["like"]:
        return False  # "as soon as you can"
    told = _asked_in(so_far, section - 1 if source < 0 else source)
    named = _things(so_far, clause, end) - set(so_far.sections.all[section].name.lower().split())
    if named:
        told = [item for item in told if named & item.lemmas]
    for item in told:
        so_far.items.append(_again(item, section, so_far.sized.get(section, [])))
    return bool(told)


def leave_out(so_far: Progress, clause: Clause) -> None:
    """Take back what was repeated for the section and is not wanted there: "ditto, no toilet of course"."""
    section = so_far.sections.before(clause.start)
    named = _things(so_far, clause, clause.start) if section > 0 else frozenset()
    if named:
        begins = so_far.sections.all[section].start
        so_far.items = [
            item
            for item in so_far.items
            if item.section != section
            or item.clause.start >= begins
            or named.isdisjoint(item.match.words if item.match else ())
        ]


def _is_more_of_it(so_far: Progress, own: Sequence[Quantity], thing: str, section: int) -> bool:
    """ "Corridor gets 8 of the same panel": the last thing of that name."""
    much = next((one for one in own if one.role in WORK_ROLES), None)
    last = next(
        (
            item
            for item in reversed(so_far.items)
            if much is not None and item.match is not None
            if thing in item.match.words or (not thing and _is_measured_so(item.match, much))
        ),
        None,
    )
    if last is None:
        return False
    so_far.items.append(_again(last, section, own))
    return True


def _is_times_as_much(so_far: Progress, section: int, times: Decimal) -> bool:
    """ "Building 2: half as many", "house 2: double that": what the place before asks for, so many times as much."""
    told = _asked_in(so_far, section - 1)
    much = [next((one for one in item.figures if one.role in WORK_ROLES), None) for item in told]
    if any(one is None for one in much) and times < 1:
        return False
    for item, amount in zip(told, much, strict=True):
        span = Span(item.clause.start, item.clause.start)
        amount = amount or Quantity(Decimal(1), "each", Role.COUNT, span, Decimal(1), Decimal(1), noun="them")
        value = amount.value * times
        if value > _MOST:
            return False  # "triple that", for each of fifty buildings
        value = value.to_integral_value(ROUND_CEILING) if amount.role is Role.COUNT else value
        so_far.items.append(_again(item, section, [replace(amount, value=value, low=value, high=value, sides=())]))
    return bool(told)


def _is_as_much(so_far: Progress, clause: Clause, own: Sequence[Quantity], section: int) -> bool:
    """ "Cleaning as discussed. Suite 100 - 2,400 sf. Suite 120 - 1,150 sf": the work of the place before, or what the
    sections are listed for, in this one."""
    own = own or _only_number(so_far, clause, section)
    much = next((one for one in own if one.role in WORK_ROLES), None)
    if much is None or clause.actions or _things(so_far, clause, clause.start):
        return False
    here = [item for item in so_far.items if item.section == section]
    if here and all(item.clause.start < so_far.sections.all[section].start for item in here):
        # "Likewise, 120 sq ft": the same, and how much of it here.
        for item in here:
            if _is_measured_so(item.match, much):
                item.figures = [*(one for one in item.figures if one.role is not much.role), *own]
                return True
    if here:
        return False
    number = section - 1
    while number >= 0 and not _asked_in(so_far, number):
        number -= 1
    told = [item for item in _asked_in(so_far, number) if _is_measured_so(item.match, much)]
    if not told:
        return False
    # "Tear out the old carpet and put in new: …": what one figure measures, the next does.
    first = told[0] if number >= 0 else told[-1]
    for item in [one for one in told if one.clause.sentence == first.clause.sentence and _much(one) == _much(first)]:
        if item.section < 0 and not _much(item):
            item.section, item.figures = section, [*item.figures, *own]
        else:
            again = _again(item, section, own)
            again.clause, again.end = replace(clause, kind=ClauseKind.WORK), clause.end
            so_far.items.append(again)
    return True


def _much(item: Item) -> list[Span]:
    """Where the figures of how much it is stand."""
    return [one.span for one in item.figures if one.role in WORK_ROLES]


def _only_number(so_far: Progress, clause: Clause, section: int) -> list[Quantity]:
    """ "4A - 1": a number that stands alone behind the label counts."""
    start = max(clause.start, so_far.sections.all[section].label_end)
    alone = _NUMBER.fullmatch(so_far.text, start, clause.end)
    if alone is None:
        return []
    value, span = Decimal(alone[1]), Span(alone.start(1), alone.end(1))
    return [Quantity(value, "each", Role.COUNT, span, value, value)]


def _asked_in(so_far: Progress, section: int) -> list[Item]:
    """The work that a section asks for; of -1 what is asked for before the first."""
    return [
        item
        for item in so_far.items
        if item.section == section and item.match is not None and item.clause.kind is ClauseKind.WORK
    ]


def _is_measured_so(match: Match | None, figure: Quantity) -> bool:
    if match is None:
        return False
    of = dimension(match.task.unit)
    return _DIMENSION.get(figure.role) is of or (of is Dimension.AREA and bool(figure.sides))


def _again(item: Item, section: int, sized: Sequence[Quantity]) -> Item:
    """The item once more, in another place, as large as that is told to be."""
    figures = list(item.figures)
    if any(one.role in WORK_ROLES for one in sized):
        figures = [one for one in figures if one.role not in WORK_ROLES | MEASURES] + list(sized)
    return replace(
        item, figures=figures, detail=list(item.detail), reasons=list(item.reasons), assumptions=[], answers=[],
        section=section,
    )  # fmt: skip


def _things(so_far: Progress, clause: Clause, start: int) -> frozenset[str]:
    """What the clause names from there on, by what the trades know."""
    start = max(start, so_far.sections.all[so_far.sections.before(clause.start)].label_end)
    return frozenset(
        word.lemma
        for word in so_far.index.words(clause.tokens)
        if word.start >= start
        and so_far.index.knows(word.lemma)
        and word.lemma.isalpha()
        and not action_of(word.lemma)
        and word.lemma not in PREMISES | VAGUE | PLACES | SHORT_ROOMS.keys()
    )
