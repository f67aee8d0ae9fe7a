"""Describing: what a request tells there is before it comes to what is to be done with that.

"Six interior doors, hollow core, 1970s. Jambs are fine. I want the slabs swapped", "chain link, 6 ft, round the
courts. Gate sags, fix it": a sentence that has no verb and wants nothing asks for no new things where what it names is
worked on in a later one. How much of it there is, is how much of that work there is where that tells no amount itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import dropwhile

from server.domain.drafting.actions import PUTS_IN
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.closing import stands_behind
from server.domain.drafting.combining import listed_before
from server.domain.drafting.items import Item, lemmas_of_names
from server.domain.drafting.matching import ROOMS, Match
from server.domain.drafting.numbers import Kind
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import Role
from server.domain.drafting.requesting import plainly_wants
from server.domain.drafting.telling import FAULT, LONGEST_LABEL, MEASURES, WANTED
from server.domain.units import Dimension, dimension

#: The chance of asking from which a thing is no longer only told of, from which work surely is asked for, and from
#: which something is to be mended.
_NAMES_WORK, _ASKS, _MAY_ASK = 0.9, 0.7, 0.3
#: Verbs that only say of what kind a thing is: "insulated steel", "hollow core flush".
_QUALITIES = frozenset({"", "insulate", "flush", "treat"})
#: What speaks of things that are to come.
_WISHES = frozenset(
    ["new", "replacement", "additional", "extra", "another", "need", "needs", "needed", "want", "wants", "wanted",
     "like", "please", "quote", "price", "estimate", "required", "just", "only"]
)  # fmt: skip
#: What may stand before the colon of a sentence that describes.
_LABELS = frozenset(["issue", "problem", "existing", "property", "background", "situation", "site", "location"])
#: How old something is, and how it is; what a sentence says right behind that goes on about it.
_IS_THERE = re.compile(
    r"\b(?:19\d\d|20[0-4]\d)s?\b|\b[5-9]0['’]?s\b|\b\d{1,3}\+? ?(?:yrs?|years?) old\b|\boriginal\b|\bexisting\b"
    r"|\bcurrent(?:ly)?\b|\bright now\b|\bnow(?=\W*(?:$|[,.;)]))|\brn\b"
    r"|\b(?:rust(?:ed|y)|rott(?:ed|en|ing)|crack(?:ed|ing|s)|chalky|dented|leaning|torn|worn|faded|peeling|sagging|loose"
    r"|chipped|heaved|leak(?:s|y|ing)|stained|spalled|spalling|flaking|failing|crumbling|broken|ruined)\b",
    re.IGNORECASE,
)
#: The same of what is looked after: elsewhere it may be a warranty ("architectural shingles, 30 yr").
_AGED = re.compile(r"\b\d{1,2}\+? ?(?:yrs?|years?)(?=\W*(?:$|[,.;)]))", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|are|was|has|have|had)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\W*(?:(?:they|it|one|some|most|half|the \w+)\b|leak|there)", re.IGNORECASE)
#: Of other things than those before.
_MORE = re.compile(r"\b(?:also|too|as well|plus|another|additional|more|after|once)\b", re.IGNORECASE)
_MENDING = frozenset({"repair", "service", "replace"})
_IT = frozenset({"it", "them", "these", "those", "this"})
#: Items behind, and before, that are asked what they are done to.
_AHEAD, _BACK = 8, 3
#: What is done to what is there, and tokens of the name of a kind.
_KEEPS_UP, _NAME_ALONE = frozenset({"service", "clean", "inspect"}), 2
_MOVERS = "moving"
#: Characters around a clause within which it is told how its thing is.
_WITHIN = 300


def without_what_is_described(so_far: Progress) -> None:
    """Take back the items that only tell what there is, and give how much of it to what is done with it."""
    items, described = so_far.items, list[Item]()
    for place, told in enumerate(items):
        behind = items[place + 1 : place + 1 + _AHEAD]
        if place and _is_kind_of_looked_after(so_far, told, items[place - 1]):
            described.append(told)
            continue
        if len(items) == 1 or not _may_describe(so_far, told):
            continue
        work = [one for one in behind if _is_done_to(so_far, told, one)]
        if not _is_as_it_is(so_far, told.clause):
            work = [one for one in work if _is_done_to_it(told, one)]
        work += [one for one in items[max(0, place - _BACK) : place] if _is_looked_after(so_far, told, one)]
        if work or _is_moved(items[0], told) or any(_stands_with(one, told) for one in described[-_AHEAD:]):
            described.append(told)
            _hand_on(so_far, told, work)
    if described:
        left_out = {id(one) for one in described}
        so_far.items = [one for one in items if id(one) not in left_out]


def _is_moved(first: Item, told: Item) -> bool:
    """ "Moving out of a 2 bed apartment. … Furniture, a 55 inch TV, treadmill": what movers carry."""
    moves = first.match is not None and first.match.task.trade == _MOVERS and first.verb == "move"
    return moves and told.inherited and told.match is not None and told.match.task.trade != _MOVERS


def _is_done_to_it(told: Item, work: Item) -> bool:
    """ "Septic tank, 1000 gal. Need it pumped": what is done to "it" in the next sentence puts no new one in."""
    it = not _IT.isdisjoint(token.text for token in work.clause.tokens)
    new = work.match is None or work.match.verb in PUTS_IN
    return it and not new and work.clause.sentence == told.clause.sentence + 1


def _is_looked_after(so_far: Progress, told: Item, work: Item) -> bool:
    """ "Furnace tune-up. Lennox, gas, 11 years": what is looked after, told of in the next sentence."""
    if told.match is None or work.match is None or work.match.verb in PUTS_IN | {"remove"}:
        return False
    behind = told.clause.sentence - work.clause.sentence
    alike = work.match.task.trade == told.match.task.trade and work.match.exact and bool(work.clause.actions)
    if not alike or behind != 1:
        return False
    start, end = so_far.sentence_of(told.clause)
    # "Stain the deck. 12x20 cedar, railing about 50 ft": the sentence tells how much of that there is.
    of_it = start < told.clause.start and any(start <= one.span.start < told.clause.start for one in work.figures)
    aged = of_it or _AGED.search(so_far.text, start, end) is not None
    same = not _things(told.match).isdisjoint(lemmas_of_names(work.match.task))
    return same and (aged or _is_as_it_is(so_far, told.clause))


def _is_kind_of_looked_after(so_far: Progress, told: Item, work: Item) -> bool:
    """ "Roof inspection, 3 buildings, asphalt shingle": of what kind it is that is only looked after."""
    if told.match is None or work.match is None or work.match.verb not in _KEEPS_UP or told.verb not in PUTS_IN:
        return False
    listed = stands_behind(so_far.text, told.clause.start, (",",))
    alone = listed and len(told.clause.tokens) <= _NAME_ALONE and told.inherited and not told.clause.actions
    alike = told.clause.sentence == work.clause.sentence and told.match.task.trade == work.match.task.trade
    return alone and alike and not _things(told.match).isdisjoint(lemmas_of_names(work.match.task))


def _stands_with(one: Item, other: Item) -> bool:
    """ "6 ft cedar, 310 feet, 4x4 posts": a part of what a sentence describes."""
    alike = one.match is not None and other.match is not None and one.match.task.trade == other.match.task.trade
    return alike and one.clause.sentence == other.clause.sentence


def _may_describe(so_far: Progress, item: Item) -> bool:
    """Whether an item is a thing without a verb, in a sentence that has none and wants nothing."""
    if item.match is None or item.verb not in PUTS_IN or set(item.asked) - _QUALITIES or item.section >= 0:
        return False
    clause = item.clause
    if clause.kind is not ClauseKind.WORK or clause.start >= so_far.length:
        return False
    if so_far.chances.get(clause.start, 1.0) >= _NAMES_WORK:
        return False
    start, end = so_far.sentence_of(clause)
    first, place = so_far.places[start], so_far.places[clause.start]
    label = so_far.clauses[first]
    labelled = so_far.labels(label) and len(label.tokens) <= LONGEST_LABEL
    if labelled and _LABELS.isdisjoint(token.text for token in label.tokens):
        return False
    around = so_far.clauses[max(first, place - _AHEAD) : place + _AHEAD]
    if any(_wants_something(so_far, one) for one in around if one.start < end):
        return False
    return not any(_is_wanted(one) for one in _told_on_in(so_far, item, end))


def _told_on_in(so_far: Progress, item: Item, end: int) -> Iterable[Clause]:
    """The clauses behind a place that an item goes on in: "shower valve, 20 yrs old. … Want a new valve"."""
    places = {word.start for word in item.detail[-_AHEAD:] if word.start >= end}
    at = {bisect_right(so_far.clauses, place, key=lambda one: one.start) - 1 for place in places}
    return (so_far.clauses[number] for number in at)


def _is_as_it_is(so_far: Progress, clause: Clause) -> bool:
    """Whether it is told how old or how worn something is, by what stands around or behind."""
    start, end = so_far.sentence_of(clause)
    start, end = max(start, clause.start - _WITHIN), min(end, clause.end + _WITHIN)
    return _IS_THERE.search(so_far.text, start, end) is not None or _is_told_on(so_far, clause)


def _is_told_on(so_far: Progress, clause: Clause) -> bool:
    """ "Gutters, 5 inch. 180 ft. They are full of seeds", "chain link, 6 ft. Gate won't latch, fix": the next sentence
    that says more than how much goes on about how it is, or has something mended that is not as it should be."""
    first = so_far.places[clause.start]
    behind = [one for one in so_far.clauses[first : first + 2 * _AHEAD] if one.sentence > clause.sentence]
    behind = [*dropwhile(lambda one: one.tokens[0].kind is Kind.NUMBER and not one.actions, behind)]
    nearest = [one for one in behind if one.sentence == behind[0].sentence]
    if not nearest:
        return False
    start, end = so_far.sentence_of(nearest[0])
    mends = all(_MENDING.issuperset(one.actions) for one in nearest)
    if mends and FAULT.search(so_far.text[start:end].lower()):
        return True
    if any(one.orders or one.plainly_asks for one in nearest):
        return False
    goes_on = _GOES_ON.match(so_far.text, start, end) is not None
    return goes_on and (_IS.search(so_far.text, start, end) or _IS_THERE.search(so_far.text, start, end)) is not None


def _wants_something(so_far: Progress, clause: Clause) -> bool:
    """Whether a clause has a verb of its own, or says that something is wanted."""
    if _is_wanted(clause):
        return True
    if clause.kind is not ClauseKind.WORK:
        return False
    said = so_far.text[clause.start : clause.end]
    return bool(clause.stated - _QUALITIES) or clause.orders or WANTED.search(said) is not None


def _is_wanted(clause: Clause) -> bool:
    """Whether a clause says in so many words that something is to come or to be done."""
    wished = not _WISHES.isdisjoint(token.text for token in clause.tokens)
    return wished or clause.plainly_asks or plainly_wants(clause.tokens)


def _is_done_to(so_far: Progress, told: Item, work: Item) -> bool:
    """Whether later work that is asked for is done to what an item names."""
    clause = work.clause
    if told.match is None or work.match is None or work.match.verb == "remove" or clause.kind is not ClauseKind.WORK:
        return False
    named = told.match.things & lemmas_of_names(work.match.task) - ROOMS
    if work.match.task.trade != told.match.task.trade and not named:
        return False
    # "Chain link, 6 ft. Gate sags, won't latch" is to be mended, without a verb.
    said = so_far.text[clause.start : clause.end]
    next_to_it = clause.sentence == told.clause.sentence + 1 and clause.tokens[0].text != "and"
    mends = work.verb == "repair" and next_to_it and FAULT.search(said.lower()) is not None
    if clause.sentence <= told.clause.sentence or clause.start >= so_far.length or not (clause.actions or mends):
        return False
    least = _ASKS if _MENDING.isdisjoint(clause.actions) else _MAY_ASK
    if _MORE.search(said) or not (clause.commands or so_far.chances.get(clause.start, 1.0) >= least):
        return False
    if work.match.task is told.match.task:
        return True
    of_it = any(token.text in _IT for token in clause.tokens)
    if work.match.verb in PUTS_IN and not of_it:
        return False
    return of_it or not _things(told.match).isdisjoint(lemmas_of_names(work.match.task))


def _things(match: Match) -> frozenset[str]:
    """What a task is of, by the words that named it and by its own name."""
    return (match.things | frozenset(lemmas_of_names(match.task))) - ROOMS


def _hand_on(so_far: Progress, told: Item, work: Sequence[Item]) -> None:
    """Give how much of a thing there is to the work on it that tells no amount: what is mended is seldom the whole. To
    work that tells one it gives those of which that is the next: "ridge 8 m hips 2 lots of 5.5 want it all done"."""
    for item in work:
        if item.match is None or told.match is None:
            continue
        same = item.match.task is told.match.task
        role = Role.COUNT if dimension(item.match.task.unit) is Dimension.COUNT else None
        alike = not _things(told.match).isdisjoint(lemmas_of_names(item.match.task))
        lacks = not any(one.role in (MEASURES if role is None else {role}) for one in item.figures)
        if lacks and alike and (same or item.match.verb != "repair"):
            roles = MEASURES | {Role.SIZE} | ({Role.COUNT} if same else set())
            item.figures += [one for one in told.figures if one.role in roles]
        elif alike and same and (own := [one for one in item.figures if one.role in MEASURES]):
            item.figures += listed_before(own[0], told.figures, so_far.text, item.lemmas)
