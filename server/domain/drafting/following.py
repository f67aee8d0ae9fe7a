"""Following: what new work has to do with the item right before it.

People name a thing, say what is wrong with it and ask for what is to be done in a clause each ("The fence is down. 60
ft of it. Replace it"). What the first came to is then no work of its own: it is taken back, with or without what it
told of how much, or the clause only says more of it. Each rule says which, and is one function with its example.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from server.domain.catalogue import Task
from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.counting import OF_PANELS
from server.domain.drafting.items import Item, inside
from server.domain.drafting.listing import is_room
from server.domain.drafting.matching import ROOMS, STRUCTURES, Match, Word, lemma, lemmas_of
from server.domain.drafting.naming import BY_CHANCE, ONE_THING, is_hour, is_timed
from server.domain.drafting.pieces import NEEDS
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role
from server.domain.drafting.requesting import plainly_wants
from server.domain.drafting.swapping import say_taken_out, was_taken_out_for
from server.domain.drafting.telling import FAULT, MEASURES, PRONOUNS, TROUBLE, WANTED, refers_back
from server.domain.units import UNITS, Dimension, dimension

#: The chance from which a clause surely asks for what a title only names.
_SURELY = 0.7
#: The chance below which a clause may only tell what the next one asks for, and what says that more is asked for.
_TELLS = 0.6
_MORE = re.compile(r"\b(?:more|another|also|too|as well|plus|other)\b", re.IGNORECASE)
#: The chance from which the clause before meant what is counted now.
_MEANT_BEFORE = 0.3
#: What is measured, and not counted.
MEASURED = frozenset({Dimension.AREA, Dimension.LENGTH, Dimension.VOLUME})
#: Items back that may have taken what was told ahead.
_NEAR = 3
#: Of these another one is new.
_OLD = frozenset({"old", "existing", "current"})
_NEW = re.compile(r"\bnew\b", re.IGNORECASE)
#: Another thing follows, and no kind of the one before.
_ADDED = re.compile(r"\b(?:and|plus|also|then)\b|[&+]", re.IGNORECASE)
_INCLUDED = re.compile(r"\binc(?:l(?:ud(?:es|ing))?)?\b", re.IGNORECASE)
#: What is put in along with the thing before, and what a toilet is set on.
_WITH = re.compile(r"\bwith\b|\bw/", re.IGNORECASE)
_SET_ON = frozenset({"wax", "ring", "flange", "bolt", "supply", "line"})
#: Trades of what lies on a floor, of which one may take the place of the other.
_FLOORS = {"flooring", "tiling"}
#: What somebody has; what it is said to need.
_HAVE_ONE = re.compile(
    r"\W*(?:(?:we|i)(?:['’]ve| have)(?: got)?|there(?:['’]s| is)) an? (?!leak|problem|issue|crack|hole)", re.IGNORECASE
)
_NEEDED = re.compile(r"\b(?:needs?|wants?|requires?|to be)\b", re.IGNORECASE)
#: What a thing may be made of.
_MATERIALS = frozenset(
    ["asphalt", "concrete", "gravel", "granite", "quartz", "marble", "vinyl", "cedar", "composite", "hardwood",
     "laminate", "metal", "slate", "tarmac", "porcelain", "sandstone", "pavers", "aluminum", "aluminium"]
)  # fmt: skip
#: What is done with a room that is done as a whole.
_PARTS_OF_ROOMS = frozenset({"wall", "ceiling", "trim", "baseboard", "skirting", "woodwork"})
#: Verbs that keep up what is there, and the words of a thing that is named and no more.
_KEEPING_UP = frozenset({"clean", "service", "inspect"})
_JUST_AND = re.compile(r"\s*(?:and|&|,|/)\s*(?:the )?", re.IGNORECASE)
_NAME_ALONE = 2
#: Words that say how a thing is, with its size: "16x7 insulated steel".
_FEW = 7
#: Sentences within which a kind may be told, what is another thing, and the share of a task's names that call it by
#: what it is a kind of.
_NEAR_ENOUGH = 2
_NO_KIND = ONE_THING | {"too", "also", "and", "plus"}
_CALLED = 0.2
#: What stands for the very thing that was named.
_IT = frozenset({"it", "that", "this", "them", "those", "these"})
#: No more than what is asked for.
_NO_MORE = re.compile(r"\b(?:only|just) (?:want|need|after|looking for)\b", re.IGNORECASE)
#: "It's 15 years old": what a sentence begins with that goes on about it.
_GOES_ON = re.compile(rf"(?:they|{'|'.join(sorted(_IT))})\b", re.IGNORECASE)
#: What is no thing of its own: "paint both sides", "power wash".
_NO_THINGS = frozenset({"both", "side", "power", "pressure", "soft"})
#: What is done to what is there, and to a part of it.
_UPKEEP = frozenset({"clean", "stain", "seal", "service", "point", "sand", "trim", "fertilize", "regrout", "resurface"})
#: Between a surface that is treated and the next, and how they are treated.
_AND_ALONE = frozenset({"and", "and the", "and our", "&"})
_TREATING = frozenset({"clean", "stain", "seal"})
#: What makes room or mends, behind which other things may be new; what is done by visits; and the chance from which a
#: thing of another trade may be what the work before is done to.
_OF_ITS_OWN = frozenset({"remove", "repair"})
_VISITS = frozenset({"service", "inspect"})
_MAY_MEAN = 0.03
#: Sentences back that may describe what there is, and what is wrong with it.
_DESCRIBED_BACK = 3
_MENDING = frozenset({"repair", "replace"})
_LOOKED_AFTER = _MENDING | {"clean", "service"}
#: Verbs that only say of what kind a thing is: "insulated steel".
_QUALITIES = frozenset({"", "insulate"})
_BETWEEN_SIDES = frozenset({"x", "by", "each", "lf", "sf", "sq", "sqft", "the", "our", "my"})

#: What joins what comes with a thing to it.
_COMES_BEHIND = re.compile(r"[\s,(]*(?:each )?(?:with|w/|including|incl\.?)\s*", re.IGNORECASE)


@dataclass(slots=True)
class New:
    """Work that a clause asks for."""

    so_far: Progress
    clause: Clause
    words: tuple[Word, ...]
    best: Match
    #: Its figures, in time with those of the items before that only told of it.
    own: list[Quantity]
    #: The clause has no verb of its own, and is read with one from before.
    inherited: bool

    @property
    def before(self) -> Item | None:
        """The item right before it."""
        return self.so_far.items[-1] if self.so_far.items else None

    @property
    def tells_amount(self) -> bool:
        """Whether its figures tell how much work it is."""
        return any(one.role in WORK_ROLES for one in self.own)

    def own_words(self, *, but: frozenset[str] = frozenset()) -> tuple[Word, ...]:
        """The words of the clause itself."""
        return tuple(word for word in self.words if word.start >= self.clause.start and word.lemma not in but)

    def own_lemmas(self) -> set[str]:
        """The lemmas of the words of the clause itself, without signs and figures."""
        return {word.lemma for word in self.own_words() if word.lemma.isalpha()}

    def refers_back(self, *, but: frozenset[str] = frozenset()) -> bool:
        """Whether the clause names no thing of its own (``but`` such words)."""
        return refers_back(self.clause, self.own_words(but=but), self.so_far.index)

    def says_any(self, words: frozenset[str]) -> bool:
        """Whether one of the words stands in the clause."""
        return any(token.text in words for token in self.clause.tokens)

    def is_in_sentence_of(self, item: Item) -> bool:
        """Whether the clause stands in the sentence of an item."""
        return item.clause.sentence == self.clause.sentence

    def is_right_behind(self, item: Item) -> bool:
        """Whether the clause stands in the sentence of an item or in the next."""
        return item.clause.sentence >= self.clause.sentence - 1

    def is_other_work_of(self, told: Match) -> bool:
        """Whether it is another task of the trade of one before."""
        return told.task is not self.best.task and told.task.trade == self.best.task.trade


def take_back_title(new: New) -> None:
    """Take back what a request begins with by its name alone, where a later sentence asks for that work: "Suite 210
    demising wall: 1. 32 LF x 9' H stud partition, batts in it", "LVP and carpet, split level. Bedrooms 12 x 11 and
    10 x 11, new carpet"."""
    title, clause = new.so_far.last_of(new.best, new.clause), new.clause
    if title is None or not title.clause.sentence < clause.sentence or title.clause.sentence:
        return
    told = any(one.role in WORK_ROLES for one in title.figures) or title.clause.actions or title.asked
    chances = new.so_far.chances
    sure = chances.get(clause.start, 1.0) >= _SURELY > chances.get(title.clause.start, 1.0)
    if not told and sure and (new.tells_amount or _is_measured_ahead(new)):
        new.so_far.drop(title)


def _is_measured_ahead(new: New) -> bool:
    """Whether the sentence told a measure of new work before it came to that."""
    start = _start_of_sentence(new.so_far, new.clause)
    told = new.so_far.figures_in(start, new.clause.start)
    return dimension(new.best.task.unit) in MEASURED and any(one.role in MEASURES for one in told)


def take_back_what_told(new: New) -> None:
    """Take back the items that only told of new work, which takes over how much they tell where that is of it."""
    for item in _described(new):
        new.so_far.drop(item)
        whole = _UPKEEP.intersection(new.clause.actions) or (item.match is not None and _is_it(new, item.match))
        if whole and not new.tells_amount:
            new.own = [*item.figures, *new.own]
    if mended := [item.clause for item in new.so_far.items[-_NEAR:] if _needs_mending(new, item)]:
        new.so_far.drop_all_of(mended)
    if new.before is not None and was_taken_out_for(new.so_far, new.before, new.best, new.clause, new.own):
        old = new.so_far.drop_last()
        new.own = new.own if new.tells_amount else [*old.figures, *new.own]
        say_taken_out(new.so_far, new.best.task, old.clause)
    told: list[Quantity] = []
    while new.before is not None and _does_to_what_was_named(new, new.before):
        # "The roof is felt, split": all that was made of such a sentence.
        told = [*new.so_far.drop_last().figures, *told]
    new.own = [*dict.fromkeys(told), *new.own]
    for rules in _TAKEN_BACK:
        before = new.before
        if before is None:
            return
        for rule, keeps_figures in rules:
            if rule(new, before):
                figures = new.so_far.drop_last().figures
                new.own = [*figures, *new.own] if keeps_figures else new.own
                break


def only_says_more(new: New) -> bool:
    """Whether what looks like new work only says more of the item before."""
    before = new.before
    return before is not None and any(rule(new, before) for rule in _SAYS_MORE)


def says_more_by_chance(new: New) -> bool:
    """ "Tune up the furnace. I'd like snow cleared, contract of 18 visits": what no name takes to work of an earlier
    sentence is of the work of its own."""
    item = new.so_far.last_of(new.best, new.clause)
    by_chance = new.best.remark == BY_CHANCE and not new.clause.actions and bool(new.own)
    return (
        by_chance
        and item is not None
        and item.clause.sentence < new.clause.sentence
        and new.so_far.in_sentence(new.clause)
    )


def is_treated_too(new: New) -> bool:
    """ "Seal the driveway 20x40 and walkway 4x30", "stain our deck and pergola": what is listed behind a surface that
    is treated is treated as well, and not built."""
    before = new.before
    return (
        before is not None
        and before.match is not None
        and not _TREATING.isdisjoint(before.clause.actions)
        and (new.best.verb in PUTS_IN or new.best.verb == "repair")
        and not new.clause.stated - {""}
        and new.is_in_sentence_of(before)
        and new.so_far.text[before.clause.end : new.clause.start].strip() in _AND_ALONE
        and len(_alone(new.clause, new.own)) <= _NAME_ALONE
    )


def says_its_verb(new: New) -> bool:
    """ "Windows, 8, clean inside and out": the verb of the thing just named, which was read with it already."""
    before, clause = new.before, new.clause
    if before is None or before.match is None or before.clause.actions or not new.is_in_sentence_of(before) or new.own:
        return False
    said = before.match.verb in clause.actions and clause.commands
    return said and new.is_other_work_of(before.match) and new.refers_back(but=_NO_THINGS)


# Items that are taken back.


def _described(new: New) -> list[Item]:
    """ "Double door 16x7, insulated steel. (A panel is dented.) Please replace both springs", "One brick chimney, two
    stories. Sweep it": the items of the sentences right before, where all that was read stands there, which have no
    verb and want nothing but tell what there is and what is wrong with it, and a part of that is mended or looked
    after."""
    so_far, clause = new.so_far, new.clause
    mends = _LOOKED_AFTER | (_UPKEEP if new.refers_back() else set())
    wants = plainly_wants(clause.tokens) or _NO_MORE.search(so_far.text, clause.start, clause.end)
    asks = (clause.bids and mends.intersection(clause.actions)) or (new.best.verb in _LOOKED_AFTER and wants)
    if not asks or new.says_any(_OLD):
        return []
    first = so_far.places.get(so_far.sentence_of(clause)[0], 0)
    sentence = clause.sentence
    while first and so_far.clauses[first - 1].sentence >= clause.sentence - _DESCRIBED_BACK:
        behind, sentence = first, so_far.clauses[first - 1].sentence
        start, end = so_far.sentence_of(so_far.clauses[first - 1])
        first = so_far.places.get(start, 0)
        wanted = so_far.text.startswith(":", end) or WANTED.search(so_far.text[start:end])
        if wanted or any(_wants_something(one) for one in so_far.clauses[first:behind]):
            sentence += 1
            break
    told = [item for item in so_far.items if sentence <= item.clause.sentence < clause.sentence]
    there = [item for item in told if item.verb == "install" and not (item.inherited and item.asked)]
    counted = any(
        one.role is Role.COUNT and one.value > 1 and _counts(item, one) for item in there for one in item.figures
    )
    wholes = [item.match for item in there if item.match is not None]
    parted = any(_is_part(new, one) or _is_it(new, one) or _only_wants(new, one) for one in wholes)
    if not parted or counted or len(told) != len(so_far.items):
        return []
    replaced = new.best.verb in PUTS_IN and any(item.match is not None and _is_it(new, item.match) for item in there)
    return [item for item in told if item in there or (replaced and item.verb == "repair")]


def _wants_something(clause: Clause) -> bool:
    """Whether a clause has a verb, but such as say of what kind a thing is, tells of something new, or asks in so many
    words."""
    verb = clause.stated - _QUALITIES or "install" in clause.implied or clause.orders
    return bool(verb) or clause.plainly_asks or plainly_wants(clause.tokens)


def _only_wants(new: New, whole: Match) -> bool:
    """ "Chimney stack, 4 pots, leaning. I only want repointing": no more than that of its trade."""
    said = new.so_far.text[new.clause.start : new.clause.end]
    return new.is_other_work_of(whole) and _NO_MORE.search(said) is not None


def _counts(item: Item, count: Quantity) -> bool:
    """Whether a count may be of an item's things: a stack of 4 pots is one."""
    return item.match is None or count.noun in {"", "them"} or lemma(count.noun) in item.match.words


def _is_part(new: New, whole: Match) -> bool:
    """Whether the task of the new work is another one, told by what the whole is."""
    return whole.task is not new.best.task and bool(whole.words & new.so_far.index.described(new.best.task))


def _is_it(new: New, whole: Match) -> bool:
    """ "Gutters on the back, 52 ft, one seam drips. Just replace that run": the thing itself, as much as was told."""
    return whole.task is new.best.task and new.refers_back()


def _mends_what_stands_before(new: New, before: Item) -> bool:
    """ "Deck 12x16 - replace 4 boards", "Roof 24 sq, replace 3 pipe boots": a part of what is there."""
    if before.match is None or not new.is_other_work_of(before.match) or not new.is_in_sentence_of(before):
        return False
    if before.clause.stated - {""} or before.clause.start != _start_of_sentence(new.so_far, before.clause):
        return False
    mends = new.clause.bids and bool(_MENDING.intersection(new.clause.actions)) and not new.says_any(_OLD)
    return (mends or new.best.verb == "service") and _is_only_there(before)


def _needs_mending(new: New, before: Item) -> bool:
    """ "Asphalt drive, 900 sq ft, potholed in two spots, needs patching": what stands at the beginning of a sentence
    without a verb, and what it needs."""
    if before.match is None or not new.is_other_work_of(before.match) or not new.is_in_sentence_of(before):
        return False
    if before.verb not in PUTS_IN:
        return False  # "The crown is cracked and the brick above needs repointing"
    starts = before.clause.start == _start_of_sentence(new.so_far, before.clause)
    needs = new.best.verb == "repair" and new.says_any(NEEDS) and bool(new.clause.stated - {""})
    return starts and needs and not (before.clause.stated - {""}) and _is_no_new_thing(new.so_far, before.clause)


def _commands_what_was_told(new: New, before: Item) -> bool:
    """ "Fire damage in a colonial. Gut the second floor": the work that was only told of is what is asked for now."""
    clause = new.clause
    if before.match is None or before.match.task is not new.best.task or before.clause is clause:
        return False
    asks = clause.bids or plainly_wants(clause.tokens)
    if not asks or before.clause.kind is not clause.kind or before.clause.actions or before.asked:
        return False
    told = any(inside(one, before.clause) for one in before.figures if one.role in WORK_ROLES)
    return not told or not (new.is_in_sentence_of(before) or new.tells_amount)


def _asks_for_what_was_told(new: New, before: Item) -> bool:
    """ "Movers broke 2 windows. Need the 2 windows replaced": as many of the same as were only told of."""
    so_far, clause = new.so_far, new.clause
    if before.match is None or before.match.task is not new.best.task or before.clause is clause:
        return False
    told, asked = ([one.value for one in of if one.role is Role.COUNT] for of in (before.figures, new.own))
    more = _MORE.search(so_far.text, clause.start, clause.end) is not None
    if clause.bids and new.is_in_sentence_of(before) and not before.clause.actions:
        # "3 urinals, replace 2": some of those that there are.
        some = len(told) == len(asked) == 1 and asked[0] < told[0] and not before.asked
        if some and not more:
            return True
    return (
        told == asked != []
        and new.is_right_behind(before)
        and not _is_asked_for(before)
        and so_far.chances.get(before.clause.start, 1.0) < _TELLS <= so_far.chances.get(clause.start, 1.0)
        and not more
    )


def _tells_its_fault(new: New, before: Item) -> bool:
    """ "Title: tap in bathroom. Hot tap on the basin won't turn off": what was only named is what is to be mended."""
    return (
        before.match is not None
        and new.best.verb == "repair" != before.match.verb
        and before.match.task.trade == new.best.task.trade
        and before.clause.sentence == new.clause.sentence - 1
        and not (before.clause.actions or before.asked)
        and not any(one.role in WORK_ROLES and one.value > 1 for one in before.figures)
        and bool(before.match.words & new.best.words)
        and new.so_far.chances.get(before.clause.start, 1.0) < _TELLS
        and _tells_fault(new.so_far, new.clause)
    )


def _is_its_cause(new: New, before: Item) -> bool:
    """ "No hot water, the heater's pilot won't stay lit": what is wrong was told by what it leads to."""
    return (
        before.match is not None
        and before.match.verb == "repair" == new.best.verb
        and before.clause.tokens[0].text == "no"
        and new.is_right_behind(before)
        and before.match.task is not new.best.task
    )


def _is_done_anew(new: New, before: Item) -> bool:
    """ "A leaking flat roof over the kitchen. Would like it redone in rubber": the fault was only told."""
    return (
        before.match is not None
        and before.stated
        and before.match.verb == "repair"
        and new.best.verb in PUTS_IN
        and before.match.task.trade == new.best.task.trade
        and new.is_right_behind(before)
        and bool(before.match.words & new.best.words)
        and new.says_any(PRONOUNS)
    )


def _replaces_what_is_faulty(new: New, before: Item) -> bool:
    """ "Rad valve weeping, TRV, replace it": what is to become of the thing whose fault was told right before."""
    return (
        before.match is not None
        and before.stated
        and before.verb in {"repair", "service"}
        and new.best.verb == "replace"
        and new.is_in_sentence_of(before)
        and new.is_other_work_of(before.match)
        and new.says_any(_IT)
        and not (before.lemmas - ROOMS).isdisjoint(new.best.things)
    )


def _replaces_what_no_task_is_for(new: New, before: Item) -> bool:
    """What the item before names without a task is part of what is replaced in its sentence."""
    if before.match is not None or not before.stated or new.best.verb != "replace":
        return False
    known = {word.lemma for word in new.words if new.so_far.index.knows(word.lemma)}
    return new.is_in_sentence_of(before) and bool(before.lemmas & known)


def _is_done_about_fault(new: New, before: Item) -> bool:
    """ "The heater is leaking. (It's 15 years old.) Replace it": the fault was only told, the replacement is asked
    for."""
    return (
        _may_be_of(new, before)
        and before.stated
        and before.verb in {"repair", "service"}
        and (new.is_right_behind(before) or _goes_on_about(new, before))
        and (new.best.verb in PUTS_IN or _tells_fault(new.so_far, before.clause) or _takes_it_out(new, before))
        and bool(new.clause.actions)
        and new.refers_back()
        and not _is_about_another(new, before)
    )


def _takes_it_out(new: New, before: Item) -> bool:
    """ "The fence is rotten, and we want it out"."""
    said = new.so_far.text[before.clause.start : before.clause.end].lower()
    return new.best.verb == "remove" and TROUBLE.search(said) is not None


def _is_about_another(new: New, before: Item) -> bool:
    """ "Pump seized, install a new one. One underwater light is out, replace": what has been named since."""
    if before.match is None or not new.best.exact:
        return False
    return new.best.words.isdisjoint(before.match.words | before.lemmas)


def _says_what_to_do(new: New, before: Item) -> bool:
    """ "The cedar hedge along the driveway, about 22 m long, needs a trim": named first, what is to be done after."""
    return (
        _may_be_of(new, before)
        and before.match is not None
        and not before.clause.actions
        and not before.asked
        and not plainly_wants(before.clause.tokens)  # "I would like shingles, with the tear-off"
        and new.is_in_sentence_of(before)
        and before.match.task.trade == new.best.task.trade
        and before.clause.kind is new.clause.kind
        and bool(new.clause.actions)
        and (
            bool(before.match.words & new.best.words)
            or new.best.words.isdisjoint(new.so_far.index.described(new.best.task))
        )
        and not any(figure.role is Role.COUNT for figure in before.figures)
        and new.refers_back()
    )


def _replaces_what_is_broken(new: New, before: Item) -> bool:
    """ "Fence blew down, 60 ft of privacy fence needs replaced": the same thing, which nobody asked to mend."""
    if before.match is None or not new.is_in_sentence_of(before) or "replace" not in new.clause.actions:
        return False
    mends = before.match.task.verbs[:1] == ("repair",) and new.best.task.verbs[:1] != ("repair",)
    told = any(one.role in WORK_ROLES for one in before.figures)
    same = (before.match.things & new.best.words) - ROOMS
    alike = before.match.task.trade == new.best.task.trade and before.clause.kind is new.clause.kind
    return _may_be_of(new, before) and bool(same) and mends and alike and not (_is_asked_for(before) or told)


def _does_to_what_was_named(new: New, before: Item) -> bool:
    """ "Red oak floors, 480 sf. I'd like them sanded", "concrete drive, cracked. Break it out": the item before only
    names, in a sentence before, what is there and is asked for here, and no new one is wanted."""
    faulty = before.stated and set(before.clause.actions) == {"repair"}
    if before.match is None or (before.clause.actions and not faulty) or (before.asked and not faulty):
        return False
    if before.clause.sentence != new.clause.sentence - 1 or not new.is_other_work_of(before.match):
        return False
    if new.best.verb in PUTS_IN:
        return False
    # "3 new posts. Old ones to be taken away" speaks of others.
    it = new.says_any(_IT | {"everything"}) and new.refers_back()
    return it and not WANTED.search(new.so_far.text[before.clause.start : before.clause.end])


def _does_to_what_stands_before(new: New, before: Item) -> bool:
    """ "5 internal doors, paint both sides", "deck 12x16, power wash and stain": the thing before has no verb, and what
    is commanded here for no other thing is meant by it, or keeps up what is there."""
    so_far, clause, best = new.so_far, new.clause, new.best
    if before.match is None or before.clause.stated - {""} or before.match.task is best.task:
        return False
    if before.match.verb not in PUTS_IN or set(before.clause.actions) - {"install", "roof", "pave"}:
        return False
    first, last = so_far.places.get(before.clause.start), so_far.places.get(clause.start)
    if so_far.meant is None or first is None or last is None or not new.is_in_sentence_of(before):
        return False
    begins = so_far.places.get(_start_of_sentence(so_far, before.clause), first)
    if any(one.actions for one in so_far.clauses[begins:first]):
        return False  # "Replace 3 windows, 5 internal doors, paint both sides"
    if new.says_any(_OLD) or best.verb == "replace":
        return False
    alone = len(clause.tokens) == 1 and clause.tokens[0].text in _UPKEEP and _is_only_there(before)
    kept_up = alone or bool(_UPKEEP.intersection(clause.actions))
    kept_up = kept_up and first == begins and _is_no_new_thing(so_far, before.clause)
    meant = max((so_far.meant.chance(number, best.task.work) for number in range(first, last)), default=0.0)
    meant_before = meant >= _MEANT_BEFORE and clause.commands and best.verb != "install"
    return (kept_up or meant_before) and new.refers_back(but=_NO_THINGS)


def _is_only_where(new: New, before: Item) -> bool:
    """ "Master bedroom 14x16, carpet", "pole barn 30x40, need a concrete floor": where it is, and how large that is."""
    clause = before.clause
    if before.match is None or clause.stated - {""} or before.match.task.trade == new.best.task.trade:
        return False
    if not new.is_in_sentence_of(before) or clause.start != _start_of_sentence(new.so_far, clause):
        return False
    sized = any(one.role in MEASURES and inside(one, clause) for one in before.figures)
    if not sized or not _is_no_new_thing(new.so_far, clause) or new.best.task.is_built:
        return False
    first = new.clause.tokens[0].text
    wanted = first in {"need", "needs", "want", "wants", "new"} or new.clause.plainly_asks
    return is_room(_words_alone(before)) or (wanted and not STRUCTURES.isdisjoint(before.lemmas))


def _is_put_in_its_place(new: New, before: Item) -> bool:
    """ "Replace the vinyl siding, 1,500 sq ft, with fiber cement", "replace the kitchen floor (10x12) with tile": what
    takes the place of the thing before."""
    behind = new.so_far.text[before.clause.start : new.clause.start + 5].rstrip()
    with_it = new.clause.tokens[0].text == "with" or behind.endswith(" with")
    return (
        with_it
        and before.match is not None
        and not new.clause.actions
        and "replace" in before.clause.actions
        and _is_asked_for(before)
        and new.is_in_sentence_of(before)
        and (new.is_other_work_of(before.match) or {before.match.task.trade, new.best.task.trade} == _FLOORS)
        and dimension(before.match.task.unit) is dimension(new.best.task.unit)
    )


def _is_had(new: New, before: Item) -> bool:
    """ "We have an asphalt driveway, 20x50, with two potholes to be patched": what there is, and what it needs."""
    if before.match is None or before.clause.stated - {""} or not new.is_right_behind(before):
        return False
    text = new.so_far.text
    had = _HAVE_ONE.match(text, before.clause.start, before.clause.end)
    needed = new.clause.actions or _NEEDED.search(text, new.clause.start, new.clause.end)
    return had is not None and bool(needed) and new.is_other_work_of(before.match) and new.best.verb != "install"


def _counts_it_otherwise(new: New, before: Item) -> bool:
    """ "Kitchen cabinet painting, 22 doors": the thing before, which tells no measure and may mean the same task, in
    what its other task is priced by."""
    number = new.so_far.places.get(before.clause.start)
    if not new.inherited or before.match is None or new.so_far.meant is None or number is None:
        return False
    if _is_in_its_panel(new, before):
        return False
    return (
        new.is_other_work_of(before.match)
        and new.is_in_sentence_of(before)
        and before.clause.kind is new.clause.kind
        and any(one.role in WORK_ROLES and _prices(one, new.best.task) for one in new.own)
        and not any(one.role in WORK_ROLES for one in before.figures)
        and before.match.things <= new.so_far.index.described(new.best.task)
        and new.so_far.meant.chance(number, new.best.task.task_id) >= _MEANT_BEFORE
    )


def _measures_whole(new: New, before: Item) -> bool:
    """ "Re-roof, 3 bed mid terrace, concrete tiles, 68 m2": of what kind and how much of it there is, behind the same
    work as a whole."""
    if before.match is None or not new.inherited or before.match.verb != new.best.verb or new.best.verb == "install":
        return False
    if dimension(before.match.task.unit) is not Dimension.COUNT or before.match.task.parts:
        return False
    figures = new.so_far.figures_in(new.clause.start, new.so_far.sentence_of(new.clause)[1])
    measured = any(one.role in MEASURES and _prices(one, new.best.task) for one in figures)
    told = any(one.role in WORK_ROLES for one in before.figures)
    same = bool(before.match.things) and before.match.things <= new.so_far.index.described(new.best.task)
    return measured and same and not told and new.is_other_work_of(before.match) and new.is_in_sentence_of(before)


def _details_head(new: New, before: Item) -> bool:
    """ "Paint the hallway (walls 45 m2, ceiling 12 m2)": the brackets say all of what stands before them."""
    return (
        before.match is not None
        and new.so_far.in_brackets(new.clause)
        and any(figure.role in MEASURES for figure in new.own)
        and not new.so_far.in_brackets(before.clause)
        and before.match.task.trade == new.best.task.trade
        and not any(figure.role in MEASURES for figure in before.figures)
    )


def _parts_of_room(new: New, before: Item) -> bool:
    """ "A 12x14 bedroom, walls and ceiling": the room is what its walls and ceiling are."""
    return (
        before.match is not None
        and new.is_in_sentence_of(before)
        and before.match.words <= ROOMS
        and before.match.task.trade == new.best.task.trade
        and not new.best.words.isdisjoint({"wall", "ceiling"})
        and not any(figure.role is Role.COUNT and figure.value > 1 for figure in before.figures)
        and not _is_included(new, before)
    )


def _is_included(new: New, before: Item) -> bool:
    """ "Paint the bedroom, 4 x 3.5 m, including the ceiling": a part of a room that is done as a whole."""
    said = new.so_far.text[before.clause.end : new.clause.start]
    room = before.match is not None and before.match.words <= ROOMS and new.is_in_sentence_of(before)
    return room and {word.lemma for word in new.own_words()} <= _PARTS_OF_ROOMS and _INCLUDED.search(said) is not None


_Rule = Callable[[New, Item], bool]
#: Why the item before is taken back, and whether its figures are the new work's then; of each group the first that
#: holds, one group after another.
_TAKEN_BACK: tuple[tuple[tuple[_Rule, bool], ...], ...] = (
    (
        (_mends_what_stands_before, False),
        (_commands_what_was_told, True),
        (_asks_for_what_was_told, False),
    ),
    (
        (_tells_its_fault, False),
        (_is_its_cause, False),
        (_is_done_anew, True),
        (_replaces_what_no_task_is_for, True),
        (_replaces_what_is_faulty, True),
        (_is_done_about_fault, True),
        (_says_what_to_do, True),
        (_replaces_what_is_broken, True),
        (_does_to_what_stands_before, True),
        (_is_only_where, True),
        (_is_put_in_its_place, True),
        (_is_had, False),
        (_counts_it_otherwise, True),
        (_measures_whole, True),
    ),
    (
        (_details_head, False),
        (_parts_of_room, True),
    ),
)


# Items of which only more is said.


def _is_walls_outside(new: New, before: Item) -> bool:
    """ "Exterior repaint, 2,400 sq ft of wall": the walls are those outside."""
    outside = before.match is not None and "exterior" in before.match.words and new.is_in_sentence_of(before)
    alike = before.match is not None and before.match.task.trade == new.best.task.trade
    return new.inherited and outside and alike and new.best.words == {"wall"}


def _is_kept_up_too(new: New, before: Item) -> bool:
    """ "Clean out gutters and downspouts": what is listed behind work that only keeps things up is no new thing."""
    return (
        before.match is not None
        and before.verb in _KEEPING_UP
        and new.best.verb == "install"
        and new.best.task.trade == before.match.task.trade
        and _JUST_AND.fullmatch(new.so_far.text, before.clause.end, new.clause.start) is not None
        and not new.clause.actions
        and len(new.clause.tokens) <= _NAME_ALONE
    )


def _is_set_on(new: New, before: Item) -> bool:
    """ "A new toilet with wax ring": what it is set on, and no re-set beside it."""
    told = before.match
    if told is None or before.verb not in PUTS_IN or new.clause.stated - {""} or not new.is_in_sentence_of(before):
        return False
    own = new.own_lemmas()
    return "toilet" in told.words and bool(own) and own <= _SET_ON


def _comes_with(new: New, before: Item) -> bool:
    """ "4 ceiling fans with 2 remotes": what comes with things is no more of them where it is not called so."""
    told = before.match
    if told is None or told.task is not new.best.task or new.clause.actions or not new.is_in_sentence_of(before):
        return False
    joined = _COMES_BEHIND.fullmatch(new.so_far.text, before.clause.end, new.clause.start) is not None
    return joined and new.own_lemmas().isdisjoint(told.words)


def _is_in_its_panel(new: New, before: Item) -> bool:
    """ "Install a 200 amp panel, 20 breakers": what a new panel is full of."""
    told = before.match
    if told is None or not PUTS_IN.intersection(before.clause.actions) or not new.is_in_sentence_of(before):
        return False
    if new.clause.actions:
        return False
    own = new.own_lemmas()
    return "panel" in told.words and bool(own) and own <= OF_PANELS


def _is_done_in_hours(new: New, before: Item) -> bool:
    """ "1 hr handyman: hang mirror, swap bulb": what is done in the hours that are asked for."""
    first = next((one for one in new.so_far.items if new.is_in_sentence_of(one)), before)
    if first.match is None or first.match.task.trade != "handyman" or not is_hour(first.match.task):
        return False
    colon = new.so_far.text.find(":", first.clause.end, new.clause.start)
    return is_timed(first.figures) and colon >= 0


def _is_what_it_is_done_to(new: New, before: Item) -> bool:
    """ "Exterior repaint. 1,800 sf of wood lap siding", "clean the windows. 24 vinyl windows": what is there, and how
    much of it, behind work on it that waits to be told."""
    number, told = new.so_far.places.get(new.clause.start), before.match
    if told is None or new.so_far.meant is None or number is None or not _may_describe(new, before):
        return False
    described, done = new.so_far.index.described, _done(before)
    things = new.best.things - ROOMS
    same = bool(things & told.words) or (bool(things) and things <= described(told.task))
    if new.best.verb not in PUTS_IN:
        adjacent = number - 1 == new.so_far.places.get(before.clause.start)
        return same and adjacent and new.best.remark == BY_CHANCE and new.tells_amount
    apart = not new.is_in_sentence_of(before) or new.so_far.labels(before.clause)
    if same:
        return new.tells_amount or (apart and bool(done & _VISITS))
    joint = new.so_far.text[before.end : new.clause.start]
    alike = told.task.trade == new.best.task.trade and _ADDED.search(joint) is None
    if done & _VISITS or (told.task.unit == "visit" and _is_only_sized(new)):
        return alike and apart and new.tells_amount
    work = new.so_far.index.catalogue.tasks.get(told.task.work, told.task)
    measured = any(one.role in MEASURES and _prices(one, told.task, work) for one in new.own)
    if done & _OF_ITS_OWN or not measured:
        return False
    ordered = {word.lemma for word in before.words if word.weight == 1.0 and not action_of(word.lemma)} - ROOMS
    alike = alike or (apart and not ordered.isdisjoint(described(new.best.task)))
    return alike or new.so_far.meant.chance(number, told.task.work) >= _MAY_MEAN


def _may_describe(new: New, before: Item) -> bool:
    """Whether a clause asks for nothing of its own behind work on what is there, which has no amount yet."""
    if _done(before) & PUTS_IN or not new.is_right_behind(before) or not _only_qualifies(new.clause):
        return False
    if new.own_lemmas() <= ROOMS:
        return False  # a room has walls, a floor and a ceiling
    has_amount = any(one.role in WORK_ROLES and inside(one, before.clause) for one in before.figures)
    return not has_amount and _is_no_new_thing(new.so_far, new.clause)


def _done(item: Item) -> set[str]:
    """What is done to the thing of an item: by its words, but "moss removal" removes no roof."""
    said = set(item.clause.actions) or {item.verb}
    return {item.verb} if said == {"remove"} else said


def _only_qualifies(clause: Clause) -> bool:
    """Whether a clause has no verb but such as say of what kind a thing is: "concrete tiled roof"."""
    if not clause.actions:
        return True
    verbs = [token for token in clause.tokens if action_of(token.text)]
    return bool(verbs) and verbs[-1] is not clause.tokens[-1] and all(one.text.endswith("ed") for one in verbs)


def _is_fitting_alone(new: New, before: Item) -> bool:
    """ "Install carpet, 200 sq ft. You just need to install it, I have the carpet": what only fits "it" is no more."""
    told = before.match
    return told is not None and new.refers_back() and told.task.fitted == new.best.task.task_id


_SAYS_MORE: tuple[_Rule, ...] = (
    _is_fitting_alone,
    _is_walls_outside,
    _is_kept_up_too,
    _is_included,
    _is_set_on,
    _comes_with,
    _is_in_its_panel,
    _is_done_in_hours,
    _is_what_it_is_done_to,
)


# Items whose kind is told.


def tells_its_kind(new: New) -> bool:
    """ "Re-roof, 24 squares architectural shingles": a measured, narrower kind says what the item before it was."""
    broad, clause, best = new.before, new.clause, new.best
    if broad is None or clause.kind is not broad.clause.kind:
        return False
    if broad.match is not None and _is_its_material(new, broad, broad.match):
        return True
    if broad.match is not None and _is_its_quality(new, broad, broad.match):
        return True
    if not new.inherited:
        return broad.match is not None and _is_only_its_kind(new, broad, broad.match)
    if broad.match is None:
        # "Replace the roof covering, class 4 laminated shingles": what no task answers, until its kind is told.
        head = {one.lemma for one in broad.words if not action_of(one.lemma)} & new.so_far.index.described(best.task)
        return new.is_in_sentence_of(broad) and bool(head) and broad.verb == "replace" and not clause.actions
    told = broad.match
    if told.task.trade != best.task.trade:
        return False
    if _is_kind_of_replaced(new, broad, told) or _is_only_its_kind(new, broad, told):
        return True
    if "exterior" in broad.lemmas and "exterior" not in best.words:
        return False
    same_unit = dimension(told.task.unit) is dimension(best.task.unit)
    if new.so_far.kind_of == clause.sentence and same_unit:
        return True
    if new.tells_amount and not new.so_far.lacks_figures(clause):
        return False
    near = new.is_in_sentence_of(broad) or (broad.stated and new.is_right_behind(broad))
    default = told.task.default and near and told.words <= new.so_far.index.described(best.task)
    if not new.tells_amount and not (default and _is_a(best.task, told.things)):
        return False
    named = {word for name in told.task.names for word in lemmas_of(name)}
    joint = new.so_far.text[broad.end : clause.start]
    fresh = clause.tokens[0].text in {"a", "an", "the", "and", "plus", "also"} or _ADDED.search(joint)
    fresh = fresh or _INCLUDED.search(joint) or _WITH.search(joint)  # "replace 5 doors including hardware"
    fresh = fresh or _MORE.search(new.so_far.text, clause.start, clause.end)  # "remove 3 trees, stumps too"
    several = any(one.role is Role.COUNT and one.value > 1 for one in new.own)
    if several and _is_one_of_kind(broad, told):
        return False
    kind = told.task.default and bool(told.things & new.so_far.index.described(best.task))
    return not fresh and (kind or bool(named & best.words)) and same_unit


def _is_its_material(new: New, broad: Item, told: Match) -> bool:
    """ "Driveway 24x40, asphalt", "countertop: 10 ft x 2 ft. Granite.": what it is to be made of, and nothing else."""
    alone = _alone(new.clause, new.own)
    if (
        len(alone) != 1
        or alone[0] not in _MATERIALS
        or new.own
        or new.clause.actions
        or not new.is_right_behind(broad)
        or not told.task.default
    ):
        return False
    same = dimension(told.task.unit) is dimension(new.best.task.unit)
    described = new.so_far.index.described(new.best.task)
    return same and bool(told.things) and told.things <= described and lemma(alone[0]) in lemmas_of(new.best.task.name)


def _is_one_of_kind(item: Item, told: Match) -> bool:
    """ "Replace the front door, 4 bedroom doors": one thing that is told by its kind is none of several."""
    counted = any(one.role is Role.COUNT for one in item.figures)
    plural = any(word.plural for word in item.words if word.lemma in told.words)
    return bool(item.clause.actions) and len(told.words) > 1 and not counted and not plural


def _is_its_quality(new: New, broad: Item, told: Match) -> bool:
    """ "I need a new garage door. 16x7, insulated", "a garage door, 16x7 insulated steel": how the thing is to be,
    which is one word, or a few behind its size, and names nothing."""
    clause, best = new.clause, new.best
    sized = any(one.sides and one.span.start == clause.start for one in new.own) and len(clause.tokens) <= _FEW
    quality = not any(action_of(token.text) and not token.text.endswith("ed") for token in clause.tokens)
    one_word = len(clause.tokens) == 1 and clause.tokens[0].text.endswith("ed")
    if not (one_word or (sized and quality)) or not new.is_right_behind(broad):
        return False
    alike = told.task.trade == best.task.trade and dimension(told.task.unit) is dimension(best.task.unit)
    kind = bool(told.things) and told.things <= new.so_far.index.described(best.task)
    return alike and kind and best.remark == BY_CHANCE and told.task.default and broad.verb in best.task.verbs


def _is_a(task: Task, things: frozenset[str]) -> bool:
    """Whether what a task is for is called by the words of a thing: a tankless heater, and no basin by "lavatory"."""
    if not things.isdisjoint(lemmas_of(task.name)):
        return True
    called = sum(not things.isdisjoint(lemmas_of(name)) for name in task.names)
    return called >= _CALLED * len(task.names)


def _is_only_its_kind(new: New, broad: Item, told: Match) -> bool:
    """ "Replace roof. 24 squares. Architectural", "replace the water heater. 50 gal, gas. Tankless": a sentence behind
    what was ordered ends with no more than the name of another kind of it."""
    clause, best, text = new.clause, new.best, new.so_far.text
    if clause.actions or new.own or len(clause.tokens) > _NAME_ALONE or new.says_any(_NO_KIND):
        return False
    behind = clause.sentence - broad.clause.sentence
    if not broad.clause.actions or not 0 < behind <= _NEAR_ENOUGH or "\n" in text[broad.end : clause.start]:
        return False
    if text[clause.end : clause.end + 1] not in {"", ".", "!", "\n"} or not told.task.default:
        return False
    described = new.so_far.index.described(best.task)
    alike = told.task.trade == best.task.trade and dimension(told.task.unit) is dimension(best.task.unit)
    kind = bool(told.things) and told.things <= described and _is_a(best.task, told.things)
    return kind and alike and broad.verb in best.task.verbs


def _is_kind_of_replaced(new: New, before: Item, told: Match) -> bool:
    """ "Replace rotted siding at the rear, 90 sq ft fiber cement": what is replaced is no mending beside it."""
    if new.clause.actions or not new.is_in_sentence_of(before):
        return False
    mends = told.task.verbs[:1] == ("repair",) and "replace" in before.clause.actions
    alike = dimension(told.task.unit) is dimension(new.best.task.unit)
    return mends and alike and new.best.verb == "replace" and not any(one.role in WORK_ROLES for one in before.figures)


# Figures that belong to new work.


def told_ahead(new: New) -> list[Quantity]:
    """The measures that the sentence told before it came to the work, which until then were taken for more of the work
    before: "… sand both. The hallway is 4x15 of plywood, put new hardwood there"."""
    before, of = new.before, dimension(new.best.task.unit)
    if before is None or before.clause.sentence >= new.clause.sentence or of not in MEASURED:
        return []
    start = _start_of_sentence(new.so_far, new.clause)
    for item in new.so_far.items[-_NEAR:]:
        found = [one for one in item.figures if start <= one.span.start < new.clause.start]
        measures = [one for one in found if one.role in MEASURES]
        # "Repaint. 1,800 sf of siding, scrape and caulk": an area without sides is no length.
        if any(of is not Dimension.LENGTH or one.role is Role.LENGTH or one.sides for one in measures):
            item.figures = [one for one in item.figures if one not in found]
            return found
    return []


# What the rules ask of both.


def _start_of_sentence(so_far: Progress, clause: Clause) -> int:
    """Where the first clause of the sentence starts; of an answer's, where the clause does."""
    number = so_far.places.get(clause.start)
    if number is None:
        return clause.start
    while number and so_far.clauses[number - 1].sentence == clause.sentence:
        number -= 1
    return so_far.clauses[number].start


def _may_be_of(new: New, before: Item) -> bool:
    """Whether new work may be of the thing before: of the same trade, if no pronoun says so, and not of the old one."""
    if before.match is None or (before.match.task.trade != new.best.task.trade and not new.says_any(PRONOUNS)):
        return False  # "2 doors won't latch, caulk at the storefront": other work
    return not (new.best.verb == "remove" and new.says_any(_OLD))  # "Vinyl fence, 120 ft, take down old"


def _goes_on_about(new: New, before: Item) -> bool:
    """Whether what stands between an item and the clause is one sentence that only tells more of it: "It's 16 x 7"."""
    first, last = (new.so_far.places.get(one.start) for one in (before.clause, new.clause))
    if first is None or last is None or new.clause.sentence - before.clause.sentence != _NEAR_ENOUGH:
        return False
    between = new.so_far.clauses[first + 1 : last]
    told = [one for one in between if one.sentence > before.clause.sentence]
    goes_on = bool(told) and _GOES_ON.match(new.so_far.text, told[0].start) is not None
    return goes_on and all(one.kind is ClauseKind.CONTEXT for one in between)


def _tells_fault(so_far: Progress, clause: Clause) -> bool:
    return FAULT.search(so_far.text[clause.start : clause.end].lower()) is not None


def _is_asked_for(item: Item) -> bool:
    """Whether the clause of an item commands it, or says in so many words that it is wanted."""
    return item.clause.commands or item.clause.plainly_asks or plainly_wants(item.clause.tokens)


def _is_only_there(item: Item) -> bool:
    """ "Roof 24 sq", "Deck 12x16": one word and its size, before what is wanted."""
    return len(_words_alone(item)) == 1 and any(one.role in WORK_ROLES for one in item.figures)


def _words_alone(item: Item) -> list[str]:
    """The words of an item's clause, without its figures."""
    return _alone(item.clause, item.figures)


def _alone(clause: Clause, figures: Sequence[Quantity]) -> list[str]:
    told = [one.span for one in figures]
    return [
        token.text
        for token in clause.tokens
        if token.text.isalpha()
        and token.text not in _BETWEEN_SIDES
        and not any(span.start <= token.start < span.end for span in told)
    ]


def _is_no_new_thing(so_far: Progress, clause: Clause) -> bool:
    """Whether nothing says that what a clause names is wanted."""
    said = so_far.text[clause.start : clause.end]
    asked = clause.plainly_asks or plainly_wants(clause.tokens) or WANTED.search(said) is not None
    return not asked and ONE_THING.isdisjoint(token.text for token in clause.tokens) and _NEW.search(said) is None


def _is_only_sized(new: New) -> bool:
    """ "15x30 inground": how large a thing is that is counted."""
    counted = dimension(new.best.task.unit) in {Dimension.COUNT, Dimension.LUMP}
    return counted and not any(one.role is Role.COUNT for one in new.own)


def _prices(figure: Quantity, *tasks: Task) -> bool:
    """Whether a figure measures what one of the tasks is priced by."""
    return figure.unit in UNITS and dimension(figure.unit) in {dimension(task.unit) for task in tasks}
