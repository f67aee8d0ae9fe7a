"""Parting: a number that is told as a whole and then by its parts ("10 windows, 8 double hung and 2 casement").

The parts are no more work than the whole: those of another task take its place for as many as they are, those of the
same task, or of what is wrong with them, only say which they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby, pairwise

from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import Item, by_clause, inside, verbs_of
from server.domain.drafting.matching import FAULT_LEMMAS, Match, Word, lemma
from server.domain.drafting.measuring import has_the_parts
from server.domain.drafting.naming import BY_CHANCE, tasks_named
from server.domain.drafting.pieces import NEEDS
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.drafting.telling import MEASURES, TOPIC_WEIGHT

#: Parts of a number that are told at least.
_PARTS = 2
#: Behind these the whole is told in one place, and the parts are in others.
_PLACED = frozenset({"in", "on", "at", "by", "near"})
#: What is mended or put in anew one by one, in a thing that is measured.
_PARTS_OF_THINGS = frozenset(
    ["board", "panel", "picket", "shingle", "hole", "pothole", "spot", "piece", "plank", "slat", "baluster", "paver",
     "brick", "crack", "nail", "pop", "stain", "patch", "rotten", "broken", "missing", "loose",
     "cracked", "drywall"]
)  # fmt: skip
#: Words before what a thing needs.
_JOINING = frozenset({"and", "also", "which", "that", "all", "they", "these"})
#: With these they are some that were told of before.
_SAID_BEFORE = frozenset({"the", "those", "these", "both", "all"})
#: What mends, beside what is put in anew.
_MENDS = frozenset({"repair", "service"})
#: "A doorknob hole".
_ONE_FAULT = re.compile(
    r"\b(?:an?|one|the|this|that) (?:[a-z-]+ ){0,2}(?:hole|dent|gouge|crack|chip|scratch|ding)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause with how many of something it tells, one figure for each kind."""

    clause: Clause
    counts: Sequence[Quantity]

    @property
    def number(self) -> Decimal:
        """All of them."""
        return sum((one.value for one in self.counts), Decimal(0))


def part_numbers(so_far: Progress) -> None:
    """Let each number that its sentence tells by its parts, too, be asked for once."""
    for head, parts in _parted(so_far):
        item = next((one for one in so_far.items if one.clause is head.clause), None)
        if item is not None and item.match is not None and all(_is_of(so_far, item, one) for one in parts):
            _part(so_far, item, head, parts)
    only_told = list(_only_told(so_far))
    so_far.items = [one for one in so_far.items if all(one is not other for other in only_told)]
    for item in so_far.items:
        if (told := _told_parts(so_far, item)) is not None:
            item.figures.append(told)


def _told_parts(so_far: Progress, item: Item) -> Quantity | None:
    """ "The ceiling is 12x14 with two holes. Patch the holes": how many parts there are of what is mended, as the
    sentence before has it."""
    clause = item.clause
    if item.match is None or item.verb not in _MENDS or not clause.actions or item.figures:
        return None
    the = {one.text for one, before in pairwise(reversed(clause.tokens)) if before.text in _SAID_BEFORE}
    parts = {lemma(one) for one in the if one != lemma(one)} & _PARTS_OF_THINGS
    near = so_far.figures_in(0, clause.start) if parts else ()
    told = [one for one in near if one.role is Role.COUNT and lemma(one.noun) in parts and _counts(one)]
    of = so_far.clause_of(told[0]) if len(told) == 1 else None
    return told[0] if of is not None and of.sentence == clause.sentence - 1 else None


def _parted(so_far: Progress) -> Iterator[tuple[_Told, Sequence[_Told]]]:
    """Each number of a sentence that the numbers behind it add up to, and those."""
    told = [
        _Told(clause, [one for one in own if _counts(one)])
        for clause, own in zip(so_far.clauses, by_clause(so_far.figures, so_far.clauses), strict=True)
        if clause.kind is ClauseKind.WORK
    ]
    for _, sentence in groupby(told, key=lambda one: one.clause.sentence):
        clauses = list(sentence)
        for at, head in enumerate(clauses):
            parts = _adding_up(head, clauses[at + 1 :])
            if parts:
                yield head, parts
                break


def _adding_up(head: _Told, behind: Sequence[_Told]) -> Sequence[_Told]:
    """The clauses right behind a number that begin with a count each and add up to it."""
    if len(head.counts) != 1 or head.number < _PARTS:
        return ()
    parts: list[_Told] = []
    for one in behind:
        if not one.counts or one.counts[0].span.start > one.clause.start + 1 or one.clause.commands:
            return ()
        parts.append(one)
        if sum(part.number for part in parts) >= head.number:
            break
    kinds = sum(len(part.counts) for part in parts)
    return parts if kinds >= _PARTS and sum(part.number for part in parts) == head.number else ()


def _part(so_far: Progress, head: Item, told: _Told, parts: Sequence[_Told]) -> None:
    """Leave of the head what its parts are not other work of."""
    others = Decimal(0)
    for part in parts:
        found = [one for one in so_far.items if one.clause is part.clause]
        kinds = [one for one in found if _is_other_kind(head, one)]
        if not found and len(part.counts) == 1 and (named := _named(so_far, head, part)) is not None:
            words = so_far.index.words(part.clause.tokens)
            kinds = [Item(part.clause, words, named.verb, named, end=part.clause.end, inherited=True, asked=head.asked)]
            so_far.items.insert(so_far.items.index(head) + 1, kinds[0])
        so_far.items = [one for one in so_far.items if one not in found or one in kinds]
        if kinds:
            others += part.number
            kinds[0].figures = list(part.counts)
        head.figures = [one for one in head.figures if one not in part.counts]
    left = told.number - others
    if left:
        count = told.counts[0]
        head.figures = [replace(one, value=left, low=left, high=left) if one == count else one for one in head.figures]
    else:
        so_far.items = [one for one in so_far.items if one is not head]


def _is_of(so_far: Progress, head: Item, part: _Told) -> bool:
    """Whether a part may be some of what the head counts: not "3 outlets, 2 fans and 1 dimmer"."""
    found = [one for one in so_far.items if one.clause is part.clause and one.match is not None]
    thing = _thing(head)
    if any(_is_other_kind(head, one) for one in found):
        return all(one.match is None or thing in so_far.index.described(one.match.task) for one in found)
    if found and head.match is not None:
        return all(one.match is None or _may_be_said_of(head.match, head.verb, one.match) for one in found)
    nouns = {lemma(one.noun) for one in part.counts} - {"", "them"}
    if THERE in nouns:
        return _PLACED.isdisjoint(token.text for token in head.clause.tokens)
    known = {noun for noun in nouns if so_far.index.knows(noun)}
    if head.match is None or known <= so_far.index.described(head.match.task) | {thing}:
        return True
    named = _named(so_far, head, part)
    return named is not None and thing in so_far.index.described(named.task)


def _may_be_said_of(head: Match, verb: str, part: Match) -> bool:
    """Whether work that a part was taken for may be that of the whole: of its trade, or likely only, and none that the
    verb of the whole does ("need 5 trees removed, 3 pines and 2 oaks" plants none)."""
    unlikely = part.remark == BY_CHANCE and verb not in verbs_of(part.task)
    return part.task.trade == head.task.trade or unlikely


def _thing(item: Item) -> str:
    """The noun that a clause counts."""
    return lemma(next((one.noun for one in item.figures if inside(one, item.clause) and _counts(one)), ""))


def _is_other_kind(head: Item, part: Item) -> bool:
    """Whether a part is named as another work that the verb of the whole is done in."""
    if part.match is None or head.match is None or part.match.task is head.match.task:
        return False
    mends = part.verb in _MENDS and head.verb not in _MENDS
    return part.match.remark != BY_CHANCE and not mends and head.verb in verbs_of(part.match.task)


def _named(so_far: Progress, head: Item, part: _Told) -> Match | None:
    """The other task that a part means with the thing of the whole: "5 doors: 3 interior, 2 exterior"."""
    own = tuple(word for word in so_far.index.words(part.clause.tokens) if not word.lemma.isdigit())
    thing = _thing(head)
    if not own or not thing or head.match is None:
        return None
    if {word.lemma for word in own} <= so_far.index.described(head.match.task):
        return None  # "5 trees, 3 pines and 2 oaks"
    words = (*own, Word(thing, -1, -1, TOPIC_WEIGHT))
    named = tasks_named(so_far, words, (head.verb,), part.counts, inherited=True)
    best = named[0] if named else None
    if best is None or not best.verb_fits or best.task is head.match.task or best.task.unit != head.match.task.unit:
        return None
    return best if best.words & {word.lemma for word in own} else None


def _only_told(so_far: Progress) -> Iterator[Item]:
    """Each item that only tells how many there are, or what is wrong with some: "12 windows, 3 need new sealed units",
    "3 toilets to replace, one of them is leaking"."""
    for whole, part in pairwise(so_far.items):
        if whole.clause.sentence != part.clause.sentence or whole.clause is part.clause:
            continue
        if whole.match is None or part.match is None or whole.match.task is part.match.task:
            continue
        some, there = _first_count(part), _first_count(whole)
        if some is None or some.span.start > part.clause.start + 1:
            continue
        if lemma(some.noun) not in {"", "them", *FAULT_LEMMAS}:
            continue
        if some.role is Role.SIZE and part.verb in _MENDS and whole.verb not in _MENDS:
            yield part
        elif there is not None and there.role is Role.SIZE and not whole.clause.commands:
            yield whole


def mends_so_many(item: Item) -> bool:
    """ "Our deck is 12x16. Replace 6 rotten boards", "the lot is 18,000 sq ft, two potholes. Fill the potholes": so
    many parts of what has a size, which is then no amount of the work."""
    counts = [one for one in item.figures if one.role is Role.COUNT and one.unit == "each"]
    measured = any(one.role in MEASURES and inside(one, item.clause) for one in item.figures)
    return bool(counts) and not measured and lemma(counts[0].noun) in _PARTS_OF_THINGS


def mends_one_part(item: Item, text: str) -> bool:
    """ "Two bedrooms, 12x13 and 11x10. … There's a doorknob hole in the small one to patch": one fault of what has a
    size, which is then no amount of the work."""
    if item.match is None or item.verb not in _MENDS:
        return False
    measured = any(one.role in MEASURES and inside(one, item.clause) for one in item.figures)
    return not measured and _ONE_FAULT.search(text, item.clause.start, item.clause.end) is not None


def is_of_parts_told(item: Item, so_far: Progress) -> bool:
    """ "Sand the floor, 480 sq ft. 6 boards are rotten and need replacing": so many parts, told in the words of the
    item or in those right before that are the subject of its own, and no figure that prices them."""
    number = so_far.places.get(item.clause.start, 0)
    about = [item.clause]
    begins = next((one.text for one in item.clause.tokens if one.text not in _JOINING), "")
    if number and begins in NEEDS and so_far.clauses[number - 1].sentence == item.clause.sentence:
        about.append(so_far.clauses[number - 1])
    figures = so_far.figures_in(about[-1].start, item.clause.end)
    if any(one.role in MEASURES and not has_the_parts(one, so_far.text) for one in figures):
        return False
    return any(one.role is Role.COUNT and lemma(one.noun) in _PARTS_OF_THINGS for one in figures)


def _first_count(item: Item) -> Quantity | None:
    return next((one for one in item.figures if one.unit == "each" and inside(one, item.clause)), None)


def _counts(figure: Quantity) -> bool:
    return figure.role is Role.COUNT and figure.value == figure.value.to_integral_value()
