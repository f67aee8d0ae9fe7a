"""Preferring: the task that a clause means by what was learned, where that goes before what its words name.

What is learned is asked last and trusted least: what the words name holds unless something else is much likelier, and
the rules of two lists look at each likely task. One list passes it over for the next likely one, the other says that
the names hold.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from server.domain.catalogue import Task
from server.domain.drafting.actions import PUTS_IN, TAKES_AWAY, action_of
from server.domain.drafting.choosing import NONE, Meaning, trade_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.ending import begins_its_thing
from server.domain.drafting.items import lemmas_of_names, places_of
from server.domain.drafting.matching import GENERAL_ACTIONS, ROOMS, STRUCTURES, Match, Word, lemma, lemmas_of
from server.domain.drafting.naming import (
    BY_CHANCE,
    counts_anew,
    dimension_of,
    is_for,
    is_hour,
    is_of_its_roof,
    is_timed,
    names_walls_and_ceiling,
    orders_by_name,
)
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import Quantity, Role
from server.domain.drafting.telling import HIGH_CEILINGS, PREMISES, SIZES, TOPIC_WEIGHT, VAGUE, only_names
from server.domain.units import Dimension, dimension

#: Chances from which a learned task is taken: where names gave nothing, where its verb is not the task's, where names
#: gave another task; how many times likelier than that it must be; and where neither its verb nor its unit need fit.
_LIKELY, _OTHER_VERB, _OTHER_TASK, _TIMES, _SURE = 0.25, 0.3, 0.2, 4.0, 0.6
#: The same for hours of somebody who comes regularly, and words that say so.
_REGULAR = 0.4
_REGULARLY = re.compile(r"\bregular(?:ly)?\b", re.IGNORECASE)
#: The chance from which another thing is meant than a command names, and a kind of it that no word says.
_SURER = 0.8
#: The same where the name stands for the usual kind.
_SURELY_NO_DEFAULT = 0.82
_SURELY_FITTED = 0.9
#: The chance from which another task is taken when one that is likelier cannot be meant for its unit.
_MAY_BE = 0.15
#: Words of premises, and such as say nothing.
_NO_THINGS = ROOMS | VAGUE | PREMISES
#: How large a room is.
_AS_LARGE = re.compile(r"room of (?:about |around |approx\.? |some )?\d", re.IGNORECASE)
#: "About 60 m2".
_BARE_AREA = re.compile(
    r"\W*(?:(?:in )?total |altogether )?(?:about |approx\.? |approximately |roughly |around )?[\d,.]+ ?(?:m2|m²|sqm"
    r"|sq\.? ?m|sq\.? ?ft\.?|sqft|sf|square (?:feet|metres|meters|yards)|sq|squares?)\W*",
    re.IGNORECASE,
)
#: Never chosen: they must be named.
_ANCILLARY = ("permits.", "access.")
_SURFACES = frozenset({"floor", "wall", "ceiling"})
#: How much of premises is meant.
_WHOLE = frozenset({"whole", "entire", "house", "home"})
#: Who does what is left out, among its words.
_SAYS_WHO = frozenset({"hvac", "roofer", "plumber", "electrician", "painter", "landscaper", "company", "guy"})
#: What is taken out is put in again.
_REDONE = re.compile(
    r"\b(?:refit|refurb|renovat|remodel|redo|re-do|new (?:bathroom|kitchen|suite)|replace)", re.IGNORECASE
)
#: Somewhere in the request painting is spoken of.
_PAINTS = re.compile(
    r"paint|coat|decorat|stain|varnish|gloss|emulsion|primer?\b|prep\b|wallpaper|colou?r|finish|touch|refresh|whitewash"
    r"|enamel|lacquer|spray|white|magnolia|trim\b|redo\b",
    re.IGNORECASE,
)
#: A new one is spoken of, something is to be moved, ceilings; what takes out and what cleans.
_NEW = re.compile(r"\b(?:new|replace\w*|bought|ordered|upgrad\w+)\b", re.IGNORECASE)
_MOVED = re.compile(r"\b(?:moving|moved|relocat\w+)\b", re.IGNORECASE)
_CEILINGS = re.compile(r"\bceilings?\b", re.IGNORECASE)
_REMOVES = frozenset({"remove"})
_TAKES_OUT = frozenset({"remove", "demo", "demolish"})
_CLEANS = frozenset({"clean"})
#: What is said of a whole room.
_DONE_AS_A_WHOLE = frozenset(
    ["bathroom", "kitchen", "ensuite", "en-suite", "suite", "basement", "remodel", "refit", "renovation", "room",
     "everything", "all", "whole", "shower"]
)  # fmt: skip
#: A new roof on what is there.
_REROOFS = re.compile(r"\bre-?roof", re.IGNORECASE)
#: Behind these words stands what is only near.
_NEAR = re.compile(
    r"\b(?:next to|beside|near|behind|below|beneath|under|above|opposite|across from|close to) (?:the|our|my|an?) ",
    re.IGNORECASE,
)
#: Clauses behind that may leave out what was learned of one; the one before may, too.
_BEHIND = 2
#: Words of a name that says more than one of them.
_SEVERAL = 2
#: Clauses before and behind that may name the other works of a whole.
_AROUND = 3


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause that may mean another task than its words name."""

    so_far: Progress
    clause: Clause
    #: What the clauses of the request mean by what was learned, and which of them this one is.
    meant: Meaning
    number: int
    words: Sequence[Word]
    #: What is asked to be done, and the clause's figures.
    asked: tuple[str, ...]
    own: Sequence[Quantity]
    #: The tasks named, and the best of them where it does what is asked.
    named: Sequence[Match]
    best: Match | None
    #: The lemmas of its own words, without those that were spoken of before.
    here: frozenset[str]
    #: A bare area stands right behind it.
    has_area_behind: bool
    #: Hours are asked for, and surely whose; of somebody who comes regularly.
    hires: bool
    hires_regularly: bool

    @property
    def has_only_an_area(self) -> bool:
        """Nothing is named, and an area stands behind."""
        return self.best is None and self.has_area_behind

    def is_named(self, task: Task) -> bool:
        """Whether the words name a task."""
        return any(is_for(match, task.task_id) for match in self.named)

    def chance(self, task: Task) -> float:
        """How likely the clause means a task."""
        return self.meant.chance(self.number, task.task_id)


def with_choice(
    so_far: Progress, clause: Clause, words: Sequence[Word], asked: tuple[str, ...], own: Sequence[Quantity],
    named: list[Match],
) -> list[Match]:  # fmt: skip
    """The tasks named, behind the one that the clause means by what was learned where names gave none or, much less
    likely, another."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None:
        return named
    hires = not clause.actions and _hires(so_far, number, own)
    if not clause.actions and not _says_a_thing(words) and not hires:
        return named
    has_area_behind = _has_area_behind(so_far, clause, number)
    if not (so_far.lacks_figures(clause, back=1) and any(one.role is Role.COUNT for one in own)):
        named = _by_other_words(so_far, named)  # not in "Window cleaning: 24 windows"
    named = _by_area(named, own, has_area_behind)
    best = named[0] if named and named[0].verb_fits else None
    likeliest = so_far.index.catalogue.tasks.get(so_far.meant.likeliest(number)[0])
    regularly = likeliest is not None and is_hour(likeliest) and _comes_regularly(so_far, clause)
    here = frozenset(word.lemma for word in words if word.start >= clause.start and word.weight == 1.0)
    said = _Said(
        so_far, clause, so_far.meant, number, words, asked, own, named, best, here, has_area_behind, hires, regularly,
    )  # fmt: skip
    if best is not None and _is_settled(said, best):
        return named
    chosen = _chosen(said, named)
    last = so_far.items[-1].match if so_far.in_sentence(clause) else None
    if chosen is not None and best is None and last is not None and _is_size_of(chosen.task, last.task):
        chosen = replace(chosen, task=last.task)  # "Two ash trees, about 50 ft, which we want taken down"
    return named if chosen is None else [chosen, *(match for match in named if match.task is not chosen.task)]


def _chosen(said: _Said, named: Sequence[Match]) -> Match | None:
    """The learned task that goes before those named, if one does."""
    best = said.best
    least = _LIKELY if best is None else max(_OTHER_TASK, _TIMES * said.chance(best.task))
    least = min(least, _REGULAR) if said.hires_regularly else least
    particular = frozenset(said.clause.actions) - GENERAL_ACTIONS
    does = said.so_far.index.does
    likely = [one for one, chance in said.meant.of(said.number) if chance >= _MAY_BE] if particular else ()
    done = [one for one in likely if does(one, particular)]
    if not done and (done := _done_instead_of_taken_out(said, particular)):
        least = 0.0
    goes_on = _only_goes_on(said)
    done_by_best = best is not None and best.exact and does(best.task.task_id, particular)
    for task_id, chance in said.meant.of(said.number):
        if chance < least or task_id == NONE or (best is not None and best.task.task_id == task_id):
            return None
        if done and task_id not in done:
            continue  # "Prune the apple and fell the three conifers": by the verb of another that is likely
        if done_by_best and chance < _SURER and not does(task_id, particular):
            continue  # "Row of 6 leylandii to fell": named with what is done to it, no hedge to plant
        task = said.so_far.index.catalogue.tasks[task_id]
        if goes_on and not _is_so_called(said, task):
            continue  # "Repair the fence and the toilet": no new toilet, nor another fence
        if _is_taken_out_whole(said, task):
            least = 0.0  # whichever of its parts is the likeliest is meant
        elif _is_how_high(said, task):
            least = 0.0
            continue
        elif said.has_only_an_area and dimension(task.unit) is Dimension.COUNT:
            least = _MAY_BE
        elif any(rule(said, task) for rule in _PASSED_OVER):
            continue
        elif _says_more_of_the_one_before(said, task) or _do_names_hold(said, task):
            return None
        elif (choice := _as_a_match(said, named, task)) is not None:
            return None if _says_what_none_knows(said) else choice
    return None


def _done_instead_of_taken_out(said: _Said, particular: frozenset[str]) -> list[str]:
    """ "Prune a 75 ft oak" takes none down, however likely: what is commanded is done by other tasks of its trade."""
    if not particular:
        return []
    likeliest, _ = said.meant.likeliest(said.number)
    does = said.so_far.index.does
    ordered = said.clause.commands or action_of(said.clause.tokens[0].text) in particular
    if likeliest == NONE or not ordered or "remove" in said.clause.actions or not does(likeliest, _REMOVES):
        return []
    alike = (one for one, _ in said.meant.of(said.number) if trade_of(one) == trade_of(likeliest))
    return [one for one in alike if does(one, particular)]


def _is_so_called(said: _Said, task: Task) -> bool:
    """Whether a learned task is of the same trade as the one named, done with the same verb and called by the words."""
    described = said.so_far.index.described(task)
    same = said.best is not None and task.trade == said.best.task.trade
    return same and said.so_far.index.does(task.task_id, frozenset(said.asked)) and not said.here.isdisjoint(described)


def _only_goes_on(said: _Said) -> bool:
    """ "Repair the fence and the toilet": nothing but the name of a thing that the verb before is done to."""
    best, ending = said.best, said.clause.ending
    measured = places_of(said.own)
    begins = begins_its_thing(said.clause, said.so_far.text) if ending else said.clause.start
    tokens = [
        one
        for one in said.clause.tokens
        if one.start >= begins and one.start not in measured and not (ending and action_of(one.text) == ending)
    ]
    return (
        best is not None
        and best.exact
        and said.asked == (best.verb,)
        and (bool(ending) or all(one.role is Role.COUNT for one in said.own))
        # Lists of what is put in or taken out tell of parts and kinds as well.
        and (bool(ending) or not (said.clause.actions or {"install", "remove"} & set(said.asked)))
        and only_names(tokens, best.words)
    )


def _as_a_match(said: _Said, named: Sequence[Match], task: Task) -> Match | None:
    """A learned task as the match of the words that speak for it; None where it does not do what is asked."""
    best, so_far, clause = said.best, said.so_far, said.clause
    chance, measured = said.chance(task), dimension_of(said.own)
    takes_out = _only_takes_out(clause) or _is_listed_to_go(said)
    if takes_out and not so_far.index.does(task.task_id, _REMOVES):
        return None  # "remove the fireplace insert" puts none in
    last = so_far.items[-1].match if so_far.in_sentence(clause) else None
    goes_on = said.asked == ("replace",) and not clause.actions and last is not None and last.task.trade == task.trade
    goes_on = goes_on and not any(one.role is Role.COUNT for one in said.own)
    if goes_on and not so_far.index.does(task.task_id, PUTS_IN):
        return None  # "Replace 200 lf fence, 80 lf is on the neighbor side": goes on with what is put in again
    if said.asked == ("move",) and not _moves(said, task):
        return None
    # "Paint 30 m2 of walls" is no radiator, however likely by those around.
    things = _commanded_things(clause, best) - PREMISES - _WHOLE if best is not None else frozenset()
    measures = bool(things) and best is not None and measured is dimension(best.task.unit)
    speak = _speaking(said, named, task)
    choice = so_far.index.chosen(
        task.task_id, speak, said.asked, stated=bool(clause.actions), sure=chance >= _SURE and not measures,
        measured=measured,
    )  # fmt: skip
    if choice is None or not speak:
        return None
    if said.asked and choice.verb not in said.asked and not choice.remark and chance < _OTHER_VERB:
        return None
    if choice.verb == "clean" not in said.asked and "paint" in said.asked and not clause.actions:
        return None  # "Paint the front door and 5 windows"
    if best is not None and best.exact and choice.verb == "remove" != best.verb in clause.actions:
        return None  # "Put up 80 ft of new wood fence" takes none down, however much is taken down before
    if best is not None and clause.commands and _mends_what_is_replaced(best, task, clause.actions):
        return None
    return replace(choice, remark=choice.remark or BY_CHANCE)


def _only_takes_out(clause: Clause) -> bool:
    """ "Remove the skylight", "take out the water softener", "demo the old deck": in so many words, and nothing beside
    it."""
    if clause.actions != ("remove",):
        return False
    words = [token.text for token in clause.tokens]
    return words[0] in _TAKES_OUT or not TAKES_AWAY.isdisjoint(itertools.pairwise(words))


def _is_listed_to_go(said: _Said) -> bool:
    """ "Demo: / - 3 toilets": below a heading that takes out, called by the name of what does."""
    best, headed = said.best, said.so_far.heading == said.asked == ("remove",)
    return headed and best is not None and best.exact and best.verb == "remove" and not said.clause.actions


def _moves(said: _Said, task: Task) -> bool:
    """Whether what is to be moved is work of a task: "move the boiler to the loft" is no new boiler, unless the request
    speaks of one."""
    fits = said.so_far.index.does(task.task_id, frozenset({"move"})) or task.trade == "moving"
    asked = said.clause.commands or _MOVED.search(said.so_far.text, said.clause.start, said.clause.end)
    return fits or not asked or _NEW.search(said.so_far.text) is not None


def _commanded_things(clause: Clause, best: Match) -> frozenset[str]:
    """What the clause commands by its name and its own particular verb: the walls in "paint the walls"."""
    if best.verb not in clause.actions or best.verb in GENERAL_ACTIONS:
        return frozenset()
    return best.things if best.exact or best.things <= ROOMS else frozenset()


def _speaking(said: _Said, named: Sequence[Match], task: Task) -> frozenset[str]:
    """The lemmas of the clause that speak for a task."""
    starts = said.meant.speaking(said.number, task.task_id)
    speak = {word.lemma for word in said.words if word.start - said.clause.start in starts}
    if said.hires:
        speak.add("hour")
    if said.has_only_an_area:
        speak |= {word.lemma for word in said.words if word.weight == 1.0}
    return frozenset(speak | next((match.words for match in named if is_for(match, task.task_id)), frozenset()))


def _says_what_none_knows(said: _Said) -> bool:
    """Whether a word that nothing learned from has may be what the work is done to: "the flux capacitor"."""
    unmet = said.meant.unmet(said.number)
    return any(
        word.weight == 1.0 and word.lemma.isalpha() and len(word.lemma) > 2 and not said.so_far.index.knows(word.lemma)
        for word in said.words
        if word.start - said.clause.start in unmet
    )


# What is named, before what was learned is looked at.


def _by_other_words(so_far: Progress, named: list[Match]) -> list[Match]:
    """ "With new house wrap": the same words name another task than the one before, too, which is meant."""
    last = so_far.items[-1].match if so_far.items else None
    if len(named) > 1 and last is not None and named[0].task is last.task and named[1].words == named[0].words:
        return [named[1], named[0], *named[2:]]
    return named


def _by_area(named: list[Match], own: Sequence[Quantity], has_area_behind: bool) -> list[Match]:
    """ "Replaster the lounge, 38 m2": what is told by its area is not the work of a room."""
    if not has_area_behind and not any(one.role is Role.AREA and not one.sides for one in own):
        return named
    return sorted(named, key=lambda one: dimension(one.task.unit) is Dimension.COUNT and _is_only_a_room(one))


def _is_settled(said: _Said, best: Match) -> bool:
    """Whether the names hold, whatever was learned."""
    if "wall" in best.words and names_walls_and_ceiling(said.words):
        return True
    if _is_only_a_room(best) and _AS_LARGE.search(said.so_far.text, said.clause.start, said.clause.end):
        return True  # "a bedroom of 20 m2": the floor, and not the walls
    if best.exact and (_is_put_in_place(said, best) or _is_ordered_of_a_room(said, best)):
        return True
    # "There are 6 downlights that flicker, replace with LED": half of the name stands right before.
    before = said.so_far.clauses[said.number - 1] if said.number else said.clause
    return (
        before.sentence == said.clause.sentence
        and before.kind is ClauseKind.CONTEXT
        and any(word.lemma in best.words and word.start >= before.start for word in said.so_far.topic)
        and any(word.lemma in best.words and word.start >= said.clause.start for word in said.words)
    )


def _is_put_in_place(said: _Said, best: Match) -> bool:
    """ "Replacing our tarmac drive with block paving": called by all that stands behind "with"."""
    place = next((token.end for token in said.clause.tokens if token.text == "with"), 0)
    put_in = {word.lemma for word in said.words if word.start >= place}
    return bool(place and put_in) and "replace" in said.clause.actions and put_in <= best.words


def _is_ordered_of_a_room(said: _Said, best: Match) -> bool:
    """ "Paint the kitchen. Also replace two doors": a verb and a room alone, and no cabinets in it."""
    clause = said.clause
    if not clause.commands or clause.actions != (best.verb,) or not _is_only_a_room(best):
        return False
    return only_names(clause.tokens, best.words | {best.verb})


def _has_area_behind(so_far: Progress, clause: Clause, number: int) -> bool:
    """Whether a bare area stands right behind a clause: "Repaint the front, 60 m2" is no door."""
    behind = so_far.clauses[number + 1] if number + 1 < len(so_far.clauses) else clause
    said = so_far.text[behind.start : behind.end]
    return behind is not clause and behind.sentence == clause.sentence and _BARE_AREA.fullmatch(said) is not None


def _is_only_a_room(match: Match) -> bool:
    return "house" in match.words or all(word in ROOMS or action_of(word) for word in match.words)


def _says_a_thing(words: Sequence[Word]) -> bool:
    """Whether there are words but of premises and figures: "living 15x20" is where, and how large."""
    return any(word.weight == 1.0 and word.lemma not in _NO_THINGS and word.lemma.isalpha() for word in words)


def _hires(so_far: Progress, number: int, own: Sequence[Quantity]) -> bool:
    """ "Somebody for half a day, 4 hours": hours are asked for, and surely whose."""
    if so_far.meant is None or not is_timed(own):
        return False
    task_id, chance = so_far.meant.likeliest(number)
    task = so_far.index.catalogue.tasks.get(task_id)
    return task is not None and is_hour(task) and chance >= _SURER


def _comes_regularly(so_far: Progress, clause: Clause) -> bool:
    """ "Weekly cleaner wanted, about 3 hours": the sentence tells how often somebody is to come."""
    start, end = so_far.sentence_of(clause)
    often = (one for one in so_far.figures_in(start, end) if one.role is Role.FREQUENCY)
    return any(often) or _REGULARLY.search(so_far.text, clause.start, clause.end) is not None


def _is_taken_out_whole(said: _Said, task: Task) -> bool:
    """ "Rip out the old bathroom suite": its parts are taken out, and nothing is put in."""
    if not task.parts or set(said.clause.actions) != {"remove"}:
        return False
    return _REDONE.search(said.so_far.text, *said.so_far.sentence_of(said.clause)) is None


# Why a likely task is passed over for the next one.


def _is_left_out_near(said: _Said, task: Task) -> bool:
    """ "… prep and paint. Ceiling doesn't need it", "roots at 40 ft. No hydro jetting", "the other company has quoted
    the ducts, so just insulate the attic": what was learned stands in what is left out right behind or before, and the
    clause's own words do not name it."""
    so_far, clause = said.so_far, said.clause
    near = so_far.clauses[max(0, said.number - 1) : said.number + 1 + _BEHIND]
    left_out = [one for one in near if one.kind is ClauseKind.EXCLUSION]
    if not left_out:
        return False
    here = said.here - {lemma(token.text) for token in clause.tokens if action_of(token.text)}
    name, described = {*lemmas_of(task.name)} - here, so_far.index.described(task)
    if here & described:
        return False
    for one in left_out:
        known = {word for word in so_far.known_in(one) - VAGUE if word != "no" and not action_of(word)}
        if known & name and known <= described | _SAYS_WHO:
            return True
    return False


def _is_of_other_surface(said: _Said, task: Task) -> bool:
    """ "Ensuite: floor 4.2 m2" is no wall tiling, however likely by the words around."""
    surfaces = {word.lemma for word in said.words if word.weight == 1.0} & _SURFACES
    known = lemmas_of_names(task) & _SURFACES
    return bool(said.own) and len(surfaces) == 1 and bool(known) and surfaces.isdisjoint(known)


def _is_how_high(said: _Said, task: Task) -> bool:
    """ "The kitchen is 12x14 with 8 ft ceilings. Paint it": ceilings that are only so high, and nowhere asked for."""
    if "ceiling" not in lemmas_of(task.name) or task.trade != "painting":
        return False
    told = len(HIGH_CEILINGS.findall(said.so_far.text))
    return told > 0 and told == len(_CEILINGS.findall(said.so_far.text))


def _is_counted_as(said: _Said, task: Task) -> bool:
    """ "6 windows replaced. We'll do the casing": counted by the name of work that is counted, so no work that is
    measured, however likely by what stands around."""
    if said.best is None or dimension(said.best.task.unit) is not Dimension.COUNT:
        return False
    counted = bool(said.own) and all(one.role is Role.COUNT for one in said.own)
    if not counted:
        return False
    noun = lemma(said.own[0].noun)
    if dimension(task.unit) is Dimension.AREA:
        # "4 trees removed" clears no land; blinds and holes have prices by the piece.
        pieces = any(dimension(form.unit) is Dimension.COUNT for form in said.so_far.index.forms(task))
        elsewhere = task.trade != said.best.task.trade and noun in said.best.words - ROOMS and not pieces
        # "Painting 3 rooms".
        return (noun == "room" in said.best.words or elsewhere) and said.best.verb in said.asked
    last = said.so_far.items[-1] if said.so_far.in_sentence(said.clause) else None
    if (
        last is not None
        and last.match is not None
        and last.match.task is task
        and dimension(task.unit) is Dimension.COUNT
    ):
        # "Replace 4 smoke detectors and replace 3 windows": no more of the same that is not called so.
        called = noun in said.best.things - ROOMS and noun not in said.so_far.index.described(task)
        return called and said.best.exact and said.best.verb in said.asked and task.trade != said.best.task.trade
    return dimension(task.unit) is Dimension.LENGTH and noun in said.best.words - ROOMS


def _is_only_cleaned(said: _Said, task: Task) -> bool:
    """ "Complete bathroom clean" refits none."""
    return bool(task.parts) and "clean" in said.clause.actions and not said.so_far.index.does(task.task_id, _CLEANS)


def _is_not_painted(said: _Said, task: Task) -> bool:
    """ "Replace 5 interior doors and 2 exterior doors" paints none: nobody speaks of paint."""
    if (
        task.trade != "painting"
        or task.verbs[:1] != ("paint",)
        or said.so_far.industry
        or said.best is None
        or not said.best.exact
    ):
        return False
    return said.best.task.verbs[:1] != ("paint",) and _PAINTS.search(said.so_far.text) is None


def _must_be_named(said: _Said, task: Task) -> bool:
    """Permits, access, and hours where none are told; of which permit it is, "the permit" says enough."""
    hours = said.hires_regularly or (is_timed(said.own) and said.chance(task) >= _SURER)
    ancillary = task.task_id.startswith(_ANCILLARY) and (said.best is None or said.best.task.trade != task.trade)
    return ancillary or (is_hour(task) and not hours)


def _is_what_it_is_of(said: _Said, task: Task) -> bool:
    """ "We have a 24x24 garage and need a new roof": what the garage stands around for was learned of the roof."""
    best, so_far, number = said.best, said.so_far, said.number
    if task.is_built and _REROOFS.search(so_far.text, said.clause.start, said.clause.end):
        return True
    if not task.is_built or best is None or not best.exact or best.task.is_built or said.is_named(task):
        return False
    near = so_far.clauses[number - 1 : number + 1] if number else [said.clause]
    around = {lemma(token.text) for one in near for token in one.tokens} - said.here
    return not (around & STRUCTURES).isdisjoint(so_far.index.described(task))


def _only_stands_near(said: _Said, task: Task) -> bool:
    """ "Replace the water heater next to the furnace": what is named in full is done; the other's name only tells where
    that stands."""
    near = _NEAR.search(said.so_far.text, said.clause.start, said.clause.end)
    if near is None or said.best is None or not said.best.exact or said.best.words - said.here - {said.best.verb}:
        return False
    there = {word.lemma for word in said.words if word.start >= near.end()}
    name = {*lemmas_of(task.name)} - said.best.words
    return bool(there & name) and (said.here - said.best.words - there).isdisjoint(name)


#: "2 bath", "1.5 baths", beside the bedrooms of a home.
_BATHS = re.compile(r"\W*[\d.]+ ?(?:full )?(?:baths?|bathrooms?|ba)\W*", re.IGNORECASE)


def _is_how_many_baths(said: _Said, task: Task) -> bool:
    """ "5 bed student house, 2 bath": tells how large a home is, and asks for no work but on a bathroom."""
    told = _BATHS.fullmatch(said.so_far.text, said.clause.start, said.clause.end)
    return told is not None and {"bath", "bathroom"}.isdisjoint(said.so_far.index.described(task))


_PASSED_OVER: tuple[Callable[[_Said, Task], bool], ...] = (
    lambda said, task: is_of_its_roof(said.own, task),
    _is_left_out_near,
    _is_of_other_surface,
    _is_counted_as,
    _is_what_it_is_of,
    _is_only_cleaned,
    _is_not_painted,
    _must_be_named,
    _only_stands_near,
    _is_how_many_baths,
)


# Why the names hold against a likely task.


def _includes_more(said: _Said, best: Match, task: Task) -> bool:
    """ "Replace the AC, furnace is from 2019": a whole of which other works are not asked for around here."""
    if best.task.task_id not in task.includes:
        return False
    near = said.so_far.clauses[max(0, said.number - _AROUND) : said.number + _AROUND + 1]
    asking = [one for one in near if one.sentence == said.clause.sentence and one.kind is ClauseKind.WORK]
    words = {lemma(token.text) for one in asking for token in one.tokens}
    tasks = said.so_far.index.catalogue.tasks
    return any(words.isdisjoint(said.so_far.index.described(tasks[one])) for one in task.includes)


def _fits_only(said: _Said, best: Match, task: Task) -> bool:
    """Who supplies the material is said (`supplies`), and not likely; unless that is beyond doubt."""
    return task is said.so_far.index.catalogue.fitted_only(best.task) and said.chance(task) < _SURELY_FITTED


def _is_of_another_thing(said: _Said, best: Match, task: Task) -> bool:
    """ "Paint the walls" means no other thing, unless that is surer."""
    things = _commanded_things(said.clause, best)
    other = things <= ROOMS or things.isdisjoint(said.so_far.index.described(task))
    return bool(things) and said.chance(task) < _SURER and other


def _is_ordered_by_name(said: _Said, best: Match, task: Task) -> bool:
    """ "Install 2 split systems": commanded by a name of several words, with how many, where no word is of the task
    that was learned, whatever stands around it."""
    named = best.exact and len(best.words) > 1 and best.words <= said.here | {best.verb}
    ordered = named and said.clause.commands and bool(said.own)
    return ordered and said.here.isdisjoint(said.so_far.index.described(task))


def _is_named_in_full(said: _Said, best: Match, task: Task) -> bool:
    """ "Replace the toilet" beside a bathroom fan, "fell 2 trees" beside 6 m2 of a floor: ordered by its own verb and
    its name alone, where the task that was learned is of the trade of a clause beside it, or is for one size only."""
    if not orders_by_name(said.clause, best, said.so_far.index):
        return False
    start, end = said.so_far.sentence_of(said.clause)
    sized = any(one.role in {Role.LENGTH, Role.SIZE} for one in said.so_far.figures_in(start, end))
    plain, _, size = task.work.rpartition("-")
    of_size = plain == best.task.work and size in SIZES and not sized
    beside = {said.number - 1, said.number + 1, said.number - 2, said.number + 2} & {*range(len(said.so_far.clauses))}
    trades = {trade_of(said.meant.likeliest(one)[0]) for one in beside}
    # "Rip out 9 junipers, put in 12 boxwoods": what is taken out stands among what takes its place.
    usual = best.task.default and best.verb != "remove"
    return of_size or (usual and best.task.trade != task.trade in trades)


def _is_size_of(task: Task, plain: Task) -> bool:
    """Whether a task is for one size of what another is for, whatever its size."""
    name, _, size = task.work.rpartition("-")
    return name == plain.work and size in SIZES


def _is_sized_behind(said: _Said, best: Match, task: Task) -> bool:
    """ "Two dead ash trees, about 50 ft": the name is for any size, and which it is, is told behind (`sizes`)."""
    if not best.exact or not _is_size_of(task, best.task):
        return False
    _, end = said.so_far.sentence_of(said.clause)
    return any(one.role in {Role.LENGTH, Role.SIZE} for one in said.so_far.figures_in(said.clause.start, end))


def _is_of_the_next(said: _Said, best: Match, task: Task) -> bool:
    """ "New furnace with humidifier": a thing by its name alone, and the task that was learned is of what the next
    clause of the sentence names, which no word of it does."""
    behind = said.so_far.behind(said.clause)
    if behind is None or not best.exact or best.words != said.here - {best.verb, "new"} or best.words <= ROOMS:
        return False
    named, called = said.so_far.known_in(behind), {*lemmas_of(task.name)}
    next_one = said.so_far.places.get(behind.start, said.number)
    of_it = not behind.actions and said.meant.likeliest(next_one)[0] == task.task_id
    return of_it and bool(named & called) and best.words.isdisjoint(called)


def _is_called_by_more(said: _Said, best: Match, task: Task) -> bool:
    """ "Need slabs for 2 sheds 10x12": without a verb a name of several words stands there, of which the task that was
    learned has but a part."""
    things = best.things - ROOMS
    here = {word.lemma for word in said.words if word.start >= said.clause.start}
    if said.asked or not best.exact or len(things) < _SEVERAL or not things <= here or said.chance(task) >= _SURER:
        return False
    called = [match.things for match in said.named if is_for(match, task.task_id)]
    return not things <= said.so_far.index.described(task) and all(one < things for one in called)


def _is_in_list_of(said: _Said, best: Match, task: Task) -> bool:
    """ "Remove: 300 sf drywall, 3 toilets": the verb before the colon is done by what is named, and not by this."""
    begin, _ = said.so_far.sentence_of(said.clause)
    label = said.so_far.clauses[said.so_far.places.get(begin, said.number)]
    if label is said.clause or not said.so_far.labels(label) or not all(action_of(one.text) for one in label.tokens):
        return False
    asked = frozenset(said.asked)
    fits = best.exact and best.verb in asked and not said.clause.actions
    return fits and not said.so_far.index.does(task.task_id, asked)


def _is_a_part(said: _Said, best: Match, task: Task) -> bool:
    """ "Bathroom refit: …, fit new bath, toilet and basin": the whole is asked for already, or no word says it."""
    if not best.exact or best.task.trade not in task.parts:
        return False
    if any(token.text in {"need", "needs"} for token in said.clause.tokens) and best.words.isdisjoint(ROOMS):
        return True  # "the hall bath needs a toilet"
    if not said.clause.actions:
        return False
    if any(item.match is not None and item.match.task is task for item in said.so_far.items):
        return True
    words = {lemma(token.text) for token in said.clause.tokens}
    # Where metres are usual a bath is no room.
    return words.isdisjoint(_DONE_AS_A_WHOLE) and (said.so_far.usual_metric or "bath" not in words)


def _says_more_of_the_one_before(said: _Said, task: Task) -> bool:
    """ "Price that separately as an option", "2' flood cut": says more of what was just asked for."""
    before = said.so_far.items[-1] if said.so_far.items else None
    if before is None or not is_for(before.match, task.task_id):
        return False
    goes_on = said.so_far.in_sentence(said.clause) and not said.clause.actions
    more = goes_on and not counts_anew(said.so_far, said.clause, said.own)
    return said.clause.kind is ClauseKind.OPTION or more


def _is_replaced(said: _Said, best: Match, task: Task) -> bool:
    """ "Replace the chain link with a wood fence": the task is of what is replaced by the best one."""
    fresh = {word.lemma for word in said.words if word.weight == 1.0}
    old = {word.lemma for word in said.words if word.weight == TOPIC_WEIGHT and word.start >= 0}
    more = {*lemmas_of(task.name)} - {*lemmas_of(best.task.name)}
    return (
        best.task.trade == task.trade
        and bool(old & more)
        and best.exact
        and bool(best.words & fresh)
        and fresh.isdisjoint(more)
    )


def _is_kind_unsaid(said: _Said, best: Match, task: Task) -> bool:
    """Another kind of what was named, which no word says: PVC of "12 m of guttering"."""
    if said.hires_regularly or not best.exact or task.trade != best.task.trade:
        return False
    if said.chance(task) >= (_SURELY_NO_DEFAULT if best.task.default else _SURER):
        return False
    kind = set(lemmas_of(task.name)) - said.so_far.index.described(best.task)
    kind = kind - ROOMS or kind
    return bool(kind) and kind.isdisjoint(word.lemma for word in said.words)


_NAMES_HOLD: tuple[Callable[[_Said, Match, Task], bool], ...] = (
    _includes_more,
    _fits_only,
    _is_of_another_thing,
    _is_ordered_by_name,
    _is_named_in_full,
    _is_sized_behind,
    _is_of_the_next,
    _is_called_by_more,
    _is_in_list_of,
    _is_a_part,
    _is_replaced,
    _is_kind_unsaid,
)


def _do_names_hold(said: _Said, task: Task) -> bool:
    return said.best is not None and any(rule(said, said.best, task) for rule in _NAMES_HOLD)


def _mends_what_is_replaced(best: Match, task: Task, actions: Sequence[str]) -> bool:
    """ "Replace the deck" mends none: the task is of mending what the best one is asked for anew."""
    anew = best.task.default and best.verb in actions and "repair" not in actions
    return anew and task.trade == best.task.trade and task.verbs[:1] == ("repair",)
