"""Naming: the catalogue tasks that the words of a clause mean, given what was spoken of before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache

from server.domain.catalogue import Task
from server.domain.drafting.actions import action_of
from server.domain.drafting.choosing import NONE
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import Item, inside, lemmas_of_names
from server.domain.drafting.matching import GENERAL_ACTIONS, ROOMS, Match, Word, lemma, lemmas_of
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.drafting.telling import MEASURES, PREMISES, TOPIC_WEIGHT, VAGUE
from server.domain.units import UNITS, Dimension, dimension

#: Below this a match rests on one common word or only on words of place.
_WEAKEST_SCORE = 1.2
#: Words that name no thing.
_SUBSTANCES = frozenset({"oak", "pine", "cedar", "steel", "wood", "concrete", "granite", "stone", "vinyl", "aluminium"})
#: Words of premises, and such as say nothing.
_NO_THINGS = ROOMS | VAGUE | PREMISES
#: With these a thing is one that was spoken of.
_SAID_BEFORE = frozenset({"the", "those", "these", "them", "that", "it"})
#: Chances from which a learned choice is taken: where names gave nothing, where its verb is not the task's, where names
#: gave another task; how many times likelier than that it must be; and where neither its verb nor its unit need fit.
_LIKELY, _OTHER_VERB, _OTHER_TASK, _TIMES, _SURE = 0.25, 0.3, 0.2, 4.0, 0.6
#: The same for hours of somebody who comes regularly, and words that say so.
_REGULAR = 0.4
_REGULARLY = re.compile(r"\bregular(?:ly)?\b", re.IGNORECASE)
#: The chance from which another thing is meant than a command names, and a kind of it that no word says.
_SURER = 0.8
#: The same where the name stands for the usual kind.
_SURELY_NO_DEFAULT = 0.82
#: How large a room is.
_AS_LARGE = re.compile(r"room of (?:about |around |approx\.? |some )?\d", re.IGNORECASE)
#: The chance of the work before from which a clause only says more of it.
_SAYS_MORE = 0.5
#: The chance from which what is counted next is another kind of the same.
_SAME_WORK = 0.9
#: "About 60 m2", and the chance from which another task is taken when those that are counted are none.
_BARE_AREA = re.compile(
    r"\W*(?:about |approx\.? |approximately |roughly |around )?[\d,.]+ ?(?:m2|m²|sqm|sq\.? ?m|sq\.? ?ft\.?|sqft|sf"
    r"|square (?:feet|metres|meters|yards)|sq|squares?)\W*",
    re.IGNORECASE,
)
_MAY_BE = 0.15
#: What the line says of it.
BY_CHANCE = "no name of a work has these words; this is the likeliest by how people ask for it"
#: Never chosen: they must be named.
_SURFACES = frozenset({"floor", "wall", "ceiling"})
#: What is uncovered where these are taken off.
_UNDER = {"wallpaper": "wall", "paneling": "wall", "popcorn": "ceiling"}
_ANCILLARY = ("permits.", "access.")
#: How much of premises is meant.
_WHOLE = frozenset({"whole", "entire", "house", "home"})
#: Who does what is left out, among its words.
_SAYS_WHO = frozenset({"hvac", "roofer", "plumber", "electrician", "painter", "landscaper", "company", "guy"})
#: What a lift has so many of: "two elevators, 6 floor, hydraulic".
_STOPS = frozenset({"stop", "floor", "landing", "story", "level", "capacity"})
#: The chance from which a part of a whole that is taken out is meant.
_OF_A_WHOLE = 0.0
#: What is taken out is put in again.
_REDONE = re.compile(
    r"\b(?:refit|refurb|renovat|remodel|redo|re-do|new (?:bathroom|kitchen|suite)|replace)", re.IGNORECASE
)
#: What is said of a whole room.
_DONE_AS_A_WHOLE = frozenset(
    ["bathroom", "kitchen", "ensuite", "en-suite", "suite", "basement", "remodel", "refit", "renovation", "room",
     "everything", "all", "whole", "shower"]
)  # fmt: skip
#: Clauses behind that may leave out what was learned of one; the one before may, too.
_BEHIND = 2
#: Items back whose trades make a task of theirs likelier.
_AROUND = 3


def tasks_named(
    so_far: Progress, words: tuple[Word, ...], asked: tuple[str, ...], own: Sequence[Quantity], inherited: bool
) -> list[Match]:
    """The tasks that the words name, best first."""
    trade = so_far.items[-1].match.task.trade if inherited and so_far.items and so_far.items[-1].match else ""
    industry = so_far.industry or trade
    around = frozenset(item.match.task.trade for item in so_far.items[-_AROUND:] if item.match is not None)
    walls_and_ceiling = _walls_and_ceiling(words)
    # A match must rest on a word that says what, not only on words that say where or were said before.
    things = frozenset([word.lemma for word in words if word.weight >= 1.0])
    matches = so_far.index.match(
        words, asked, industry=industry, measured=_dimension_of(own), around=around,
        resting_on=None if walls_and_ceiling else things,
    )  # fmt: skip
    if not matches:
        return []
    timed = _is_timed(own)
    amps = max((figure.value for figure in own if figure.role is Role.RATING and figure.unit == "A"), default=None)
    if walls_and_ceiling and any("wall" in match.words and match.verb_fits for match in matches):
        # Walls and ceiling together are priced as walls, whose derivation from the room's size counts the ceiling.
        matches = tuple(sorted(matches, key=lambda match: "ceiling" in match.words and "wall" not in match.words))
    return [
        match
        for match in matches
        if _names_a_thing(match, things, inherited)
        and (asked or not match.words <= PREMISES)
        and not (match.words <= {"move"} and so_far.items)
        and ("permit" not in match.words or so_far.permit_asked)
        # An hour of a trade is priced where hours are asked for, not where the trade is only named.
        and (timed or "hour" in match.words or not _is_hour(match.task))
        # Walls are painted and floors cleaned where somebody asks for that, not where they are only named.
        and (asked or match.verb not in {"paint", "clean", "clear"} or match.verb in match.words)
        and (amps is None or _rated(match.task) in {None, amps})
        and (match.words != {"move"} or not moves_a_thing(so_far, match, words))
        and (match.words.isdisjoint(_SUBSTANCES) or len(match.words) > 1 or asked or own)
    ]


def _names_no_room(so_far: Progress, clause: Clause) -> bool:
    """Whether a clause says nothing of a room that could be done as a whole; where metres are usual, a bath is none."""
    said = {lemma(token.text) for token in clause.tokens}
    return said.isdisjoint(_DONE_AS_A_WHOLE) and (so_far.usual_metric or "bath" not in said)


def _names_all_of(so_far: Progress, clause: Clause, task: Task) -> bool:
    """Whether a sentence asks for each of the things that a task is for together."""
    number = so_far.places.get(clause.start, 0)
    near = so_far.clauses[max(0, number - _AROUND) : number + _AROUND + 1]
    asking = [one for one in near if one.sentence == clause.sentence and one.kind is ClauseKind.WORK]
    said = {lemma(token.text) for one in asking for token in one.tokens}
    things = task.name.partition(",")[0].lower().split(" and ")
    return all(lemma(thing.split()[-1]) in said or thing.endswith("conditioner") for thing in things)


def _asks_for_it(so_far: Progress, whole: Task) -> bool:
    return any(item.match is not None and item.match.task is whole for item in so_far.items)


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
    last = so_far.items[-1].match if so_far.items else None
    if len(named) > 1 and last is not None and named[0].task is last.task and named[1].words == named[0].words:
        # "With new house wrap": the same words name another task than the one before.
        named = [named[1], named[0], *named[2:]]
    if _is_measured_behind(so_far, clause, number) or any(one.role is Role.AREA and not one.sides for one in own):
        # "Replaster the lounge, 38 m2": by its area, not by the room.
        named = sorted(named, key=lambda one: dimension(one.task.unit) is Dimension.COUNT and _is_only_a_room(one))
    best = named[0] if named and named[0].verb_fits else None
    if best is not None and "wall" in best.words and _walls_and_ceiling(words):
        return named
    if best is not None and _is_only_a_room(best) and _AS_LARGE.search(so_far.text, clause.start, clause.end):
        return named  # "a bedroom of 20 m2": the floor, and not the walls
    if best is not None and _named_before(so_far, clause, number, best, words):
        return named
    of_best = so_far.meant.chance(number, best.task.task_id) if best is not None else 0.0
    least = _LIKELY if best is None else max(_OTHER_TASK, _TIMES * of_best)
    measured, things, timed = _dimension_of(own), _commanded_things(clause, best), _is_timed(own)
    # "Paint 30 m2 of walls" is no radiator, however likely by those around.
    measures = bool(things - PREMISES - _WHOLE) and best is not None and measured is dimension(best.task.unit)
    here = frozenset(word.lemma for word in words if word.start >= clause.start and word.weight == 1.0)
    likeliest = so_far.index.catalogue.tasks.get(so_far.meant.likeliest(number)[0])
    regular = likeliest is not None and _is_hour(likeliest) and _comes_regularly(so_far, clause)
    least = min(least, _REGULAR) if regular else least
    verbs = {lemma(token.text) for token in clause.tokens if action_of(token.text)}
    has_area = best is None and _is_measured_behind(so_far, clause, number)
    particular = frozenset(clause.actions) - GENERAL_ACTIONS
    likely = [one for one, chance in so_far.meant.of(number) if chance >= _MAY_BE] if particular else ()
    done = [one for one in likely if so_far.index.does(one, particular)]
    by_verb = best is not None and best.exact and so_far.index.does(best.task.task_id, particular)
    for task_id, chance in so_far.meant.of(number):
        if chance < least or (best is not None and best.task.task_id == task_id):
            return named
        if task_id == NONE:
            return named
        if done and task_id not in done:
            continue  # "Prune the apple and fell the three conifers": by the verb of another that is likely
        if by_verb and chance < _SURER and not so_far.index.does(task_id, particular):
            continue  # "Row of 6 leylandii to fell": named with what is done to it, no hedge to plant
        task = so_far.index.catalogue.tasks[task_id]
        if (
            task.parts
            and set(clause.actions) == {"remove"}
            and not _REDONE.search(so_far.text, *so_far.sentence_of(clause))
        ):
            least = _OF_A_WHOLE
            continue  # "Rip out the old bathroom suite": its parts are taken out, and nothing is put in
        if best is not None and "together" in task.name and not _names_all_of(so_far, clause, task):
            return named  # "Replace the AC, furnace is from 2019"
        if best is not None and task is so_far.index.catalogue.fitted_only(best.task):
            # Who supplies the material is said (`supplies`), not likely.
            return named
        if has_area and dimension(task.unit) is Dimension.COUNT:
            least = _MAY_BE
            continue
        if _is_left_out_near(so_far, number, task_id, here - verbs):
            continue
        if best is not None and _is_with_another(best, task, so_far):
            continue
        if own and (_is_of_other_surface(words, task) or _is_counted_as(best, task, own)):
            continue
        if task_id.startswith(_ANCILLARY) or (_is_hour(task) and not (regular or (timed and chance >= _SURER))):
            continue
        if things and chance < _SURER and (things <= ROOMS or things.isdisjoint(so_far.index.described(task))):
            return named
        if best is not None and _is_ordered_by_name(best, clause, own, here - so_far.index.described(task), here):
            return named
        part = best is not None and best.exact and best.task.trade in task.parts and bool(clause.actions)
        if part and (_asks_for_it(so_far, task) or _names_no_room(so_far, clause)):
            return named  # "Bathroom refit: …, fit new bath, toilet and basin"
        before = so_far.items[-1] if so_far.items else None
        again = before is not None and _is_for(before.match, task_id)
        more = so_far.in_sentence(clause) and not clause.actions and not _counts_anew(so_far, clause, own)
        if again and (clause.kind is ClauseKind.OPTION or more):
            # "Price that separately as an option", "2' flood cut": says more of what was just asked for.
            return named
        if best is not None and _is_replaced(best, task, words):
            return named
        unsure = best is not None and not regular and chance < _sure_of_kind(best)
        if unsure and best is not None and _is_kind_unsaid(so_far, best, task, words):
            return named
        starts = so_far.meant.speaking(number, task_id)
        speak = frozenset(word.lemma for word in words if word.start - clause.start in starts)
        speak |= {"hour"} if hires else set()
        if has_area:
            speak |= {word.lemma for word in words if word.weight == 1.0}
        speak |= next((match.words for match in named if _is_for(match, task_id)), frozenset())
        choice = so_far.index.chosen(
            task_id, speak, asked, stated=bool(clause.actions), sure=chance >= _SURE and not measures, measured=measured
        )
        if choice is None or not speak:
            continue
        if asked and choice.verb not in asked and not choice.remark and chance < _OTHER_VERB:
            continue
        if choice.verb == "clean" not in asked and "paint" in asked and not clause.actions:
            continue  # "Paint the front door and 5 windows"
        if best is not None and best.exact and choice.verb == "remove" != best.verb in clause.actions:
            # "Put up 80 ft of new wood fence" takes none down, however much is taken down before.
            continue
        if best is not None and clause.commands and _mends_what_is_replaced(best, choice.task, clause.actions):
            continue
        unmet = so_far.meant.unmet(number)
        if any(word.start - clause.start in unmet and _may_be_the_thing(so_far, word) for word in words):
            return named
        choice = replace(choice, remark=choice.remark or BY_CHANCE)
        return [choice, *(match for match in named if match.task is not choice.task)]
    return named


def _is_left_out_near(so_far: Progress, number: int, task_id: str, here: frozenset[str]) -> bool:
    """ "… prep and paint. Ceiling doesn't need it", "roots at 40 ft. No hydro jetting", "the other company has quoted
    the ducts, so just insulate the attic": what was learned stands in what is left out right behind or before, and the
    words (``here``) do not name it."""
    near = so_far.clauses[max(0, number - 1) : number + 1 + _BEHIND]
    left_out = [one for one in near if one.kind is ClauseKind.EXCLUSION]
    if not left_out:
        return False
    task = so_far.index.catalogue.tasks[task_id]
    name, described = {*lemmas_of(task.name)} - here, so_far.index.described(task)
    if here & described:
        return False
    for one in left_out:
        said = {word for word in so_far.known_in(one) - VAGUE if word != "no" and not action_of(word)}
        if said & name and said <= described | _SAYS_WHO:
            return True
    return False


def _is_with_another(best: Match, task: Task, so_far: Progress) -> bool:
    """ "3 ton AC and 80k furnace changeout": a task that has, beside what is named, only what was asked for before."""
    before = so_far.items[-1].match if so_far.items else None
    if before is None or before.task is task or not task.task_id.startswith(f"{best.task.task_id}-"):
        return False
    more = set(lemmas_of(task.name)) - set(lemmas_of(best.task.name)) - {"and", "together"}
    return bool(more) and more <= set(lemmas_of(before.task.name))


def _is_counted_as(best: Match | None, task: Task, own: Sequence[Quantity]) -> bool:
    """ "6 windows replaced. We'll do the casing": counted by the name of work that is counted, so no work that is
    measured, however likely by what stands around."""
    if best is None or dimension(best.task.unit) is not Dimension.COUNT or dimension(task.unit) is not Dimension.LENGTH:
        return False
    return all(one.role is Role.COUNT for one in own) and lemma(own[0].noun) in best.words - ROOMS


def _is_ordered_by_name(
    best: Match, clause: Clause, own: Sequence[Quantity], others: frozenset[str], here: frozenset[str]
) -> bool:
    """ "Install 2 split systems": commanded by a name of several words, with how many, where no word (``here``, of
    which ``others`` are not its) is of the task that was learned, whatever stands around it."""
    named = best.exact and len(best.words) > 1 and best.words <= here | {best.verb}
    return named and clause.commands and bool(own) and others == here


def _is_replaced(best: Match, task: Task, words: Sequence[Word]) -> bool:
    """ "Replace the chain link with a wood fence": the task is of what is replaced by the best one."""
    fresh = {word.lemma for word in words if word.weight == 1.0}
    old = {word.lemma for word in words if word.weight == TOPIC_WEIGHT and word.start >= 0}
    own = {*lemmas_of(task.name)} - {*lemmas_of(best.task.name)}
    return (
        best.task.trade == task.trade
        and bool(old & own)
        and best.exact
        and bool(best.words & fresh)
        and fresh.isdisjoint(own)
    )


def _mends_what_is_replaced(best: Match, task: Task, actions: Sequence[str]) -> bool:
    """ "Replace the deck" mends none: the task is of mending what the best one is asked for anew."""
    anew = best.task.default and best.verb in actions and "repair" not in actions
    return anew and task.trade == best.task.trade and task.verbs[:1] == ("repair",)


def _is_only_a_room(match: Match) -> bool:
    return "house" in match.words or all(word in ROOMS or action_of(word) for word in match.words)


def _is_measured_behind(so_far: Progress, clause: Clause, number: int) -> bool:
    """Whether a bare area stands right behind a clause: "Repaint the front, 60 m2" is no door."""
    behind = so_far.clauses[number + 1] if number + 1 < len(so_far.clauses) else clause
    said = so_far.text[behind.start : behind.end]
    return behind is not clause and behind.sentence == clause.sentence and _BARE_AREA.fullmatch(said) is not None


def _sure_of_kind(best: Match) -> float:
    return _SURELY_NO_DEFAULT if best.task.default else _SURER


def _is_kind_unsaid(so_far: Progress, best: Match, task: Task, words: Sequence[Word]) -> bool:
    """Whether a task is another kind of what was named, which no word says: PVC of "12 m of guttering"."""
    if not best.exact or task.trade != best.task.trade:
        return False
    own = set(lemmas_of(task.name)) - so_far.index.described(best.task)
    own = own - ROOMS or own
    return bool(own) and own.isdisjoint(word.lemma for word in words)


def _commanded_things(clause: Clause, best: Match | None) -> frozenset[str]:
    """What the clause commands by its name and its own particular verb: the walls in "paint the walls"."""
    if best is None or best.verb not in clause.actions or best.verb in GENERAL_ACTIONS:
        return frozenset()
    things = frozenset(word for word in best.words if not action_of(word))
    return things if best.exact or things <= ROOMS else frozenset()


def _counts_anew(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Hang 3 interior doors and 2 closet doors": begins with a count of another kind of what was just counted."""
    first, before = (own[0] if own else None), (so_far.items[-1] if so_far.items else None)
    number = so_far.places.get(clause.start)
    if first is None or before is None or before.match is None or number is None or so_far.meant is None:
        return False
    if first.role is not Role.COUNT or lemma(first.noun) in ROOMS | _STOPS | {"", "them", THERE}:
        return False
    task = before.match.task
    counted = {
        lemma(one.noun)
        for one in before.figures
        if one.role is Role.COUNT and one.value >= 1 and inside(one, before.clause)
    }
    return (
        task.unit == "each"
        and not so_far.text[clause.start : first.span.start].strip(" (")
        and bool(counted - {"", "them", THERE})
        and lemma(first.noun) not in counted
        and so_far.meant.chance(number, task.task_id) >= _SAME_WORK
    )


def says_more_of_last(
    so_far: Progress, clause: Clause, words: Sequence[Word], own: Sequence[Quantity], named: Sequence[Match]
) -> bool:
    """ "… trenches, from the patio to the ditch, about 70 feet": means the work just read by what was learned, and has
    no verb of its own, whatever else its words name."""
    number = so_far.places.get(clause.start)
    before = so_far.items[-1] if so_far.in_sentence(clause) else None
    if so_far.meant is None or number is None or clause.actions or before is None or before.match is None:
        return False
    if _counts_anew(so_far, clause, own):
        return False
    if _counts_other_things(so_far, own, before.match, named) or _measures_other_thing(so_far, own, before, named):
        return False
    if _is_measured_otherwise(own, before.match, named):
        return False
    if before.verb == "remove" or _walls_and_ceiling(words) or (named and _is_for(named[0], before.match.task.task_id)):
        return False
    return so_far.meant.chance(number, before.match.task.task_id) >= _SAYS_MORE


def _counts_other_things(so_far: Progress, own: Sequence[Quantity], before: Match, named: Sequence[Match]) -> bool:
    """ "12 yards of mulch, 30 shrubs": so many of something else than what was measured, which work is counted by."""
    if dimension(before.task.unit) is Dimension.COUNT or not named:
        return False
    best, described = named[0], so_far.index.described(before.task)
    nouns = {lemma(one.noun) for one in own if one.role is Role.COUNT and one.noun.endswith("s")}
    return dimension(best.task.unit) is Dimension.COUNT and not nouns.isdisjoint(best.words - described - ROOMS)


def _measures_other_thing(so_far: Progress, own: Sequence[Quantity], before: Item, named: Sequence[Match]) -> bool:
    """ "160 LF of gutter, 160 LF gutter guard": as much of what is called by more words than the work before."""
    best = named[0] if named else None
    if best is None or before.match is None or not best.exact or best.task.trade != before.match.task.trade:
        return False
    more = best.words - so_far.index.described(before.match.task) - ROOMS
    own_roles, roles = ({one.role for one in some if one.role in MEASURES} for some in (own, before.figures))
    return len(best.words) > 1 and bool(more) and bool(own_roles & roles)


def _is_measured_otherwise(own: Sequence[Quantity], before: Match, named: Sequence[Match]) -> bool:
    """ "Clean the gutters, 180 ft, and the roof, 2,400 sq ft": by what the work before has none of, and what is named
    is measured by."""
    told = _dimension_of(own)
    of, other = (dimension(match.task.unit) for match in (before, named[0])) if named else (None, None)
    return bool(named) and told is not None and told is other and other is not of and named[0].exact


def _named_before(so_far: Progress, clause: Clause, number: int, best: Match, words: Sequence[Word]) -> bool:
    """ "There are 6 downlights that flicker, replace with LED": half of the name stands right before."""
    before = so_far.clauses[number - 1] if number else clause
    return (
        before.sentence == clause.sentence
        and before.kind is ClauseKind.CONTEXT
        and any(word.lemma in best.words and word.start >= before.start for word in so_far.topic)
        and any(word.lemma in best.words and word.start >= clause.start for word in words)
    )


def _is_of_other_surface(words: Sequence[Word], task: Task) -> bool:
    """ "Ensuite: floor 4.2 m2" is no wall tiling, however likely by the words around."""
    said = {word.lemma for word in words if word.weight == 1.0} & _SURFACES
    known = lemmas_of_names(task) & _SURFACES
    return len(said) == 1 and bool(known) and said.isdisjoint(known)


def _walls_and_ceiling(words: Sequence[Word]) -> bool:
    return {"wall", "ceiling"} <= {word.lemma for word in words}


def _says_a_thing(words: Sequence[Word]) -> bool:
    """Whether there are words but of premises and figures: "living 15x20" is where, and how large."""
    return any(word.weight == 1.0 and word.lemma not in _NO_THINGS and word.lemma.isalpha() for word in words)


def _is_for(match: Match | None, task_id: str) -> bool:
    return match is not None and match.task.task_id == task_id


def _may_be_the_thing(so_far: Progress, word: Word) -> bool:
    """Whether a word that nothing learned from has may be what the work is done to: "the flux capacitor"."""
    return word.weight == 1.0 and word.lemma.isalpha() and len(word.lemma) > 2 and not so_far.index.knows(word.lemma)


def _names_a_thing(match: Match, things: frozenset[str], inherited: bool) -> bool:
    """A match must rest on a word that says what, not only on words that say where or on the action alone."""
    if match.score < _WEAKEST_SCORE or things.isdisjoint(match.words):
        return False
    return not (inherited and all(action_of(word) == word != "trim" or word == "paint" for word in match.words))


def moves_a_thing(so_far: Progress, match: Match, words: Sequence[Word]) -> bool:
    """ "Relocate the panel" is no removal of a household."""
    described = so_far.index.described(match.task)
    return any(
        word.weight == 1.0 and so_far.index.knows(word.lemma) and not action_of(word.lemma)
        and word.lemma not in described | PREMISES
        for word in words
    )  # fmt: skip


def asked_of(actions: Sequence[str], clause: Clause) -> tuple[str, ...]:
    """The actions as asked of the task: remove and install together are a replacement; a fault or "new" yields
    to a verb."""
    wanted = list(dict.fromkeys([action for action in actions if action in clause.stated] or actions))
    if {"remove", "install"} <= set(wanted) or {"remove", "replace"} <= set(wanted):
        wanted = ["replace", *wanted]
    if "remove" in wanted and wanted[0] == "replace":
        wanted.remove("remove")
    return tuple(wanted)


def of_replacement(
    so_far: Progress, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], own: Sequence[Quantity]
) -> tuple[Word, ...]:
    """ "Replace the tank heater with a tankless one": where the words after "with" name a task, that is the
    work."""
    place = next((token.end for token in clause.tokens if token.text in {"with", "for"}), 0)
    if not place or "replace" not in actions:
        return words
    new = tuple(replace(word, weight=1.0) for word in words if word.start >= place)
    found = tasks_named(so_far, new, ("replace",), own, inherited=False) if new else []
    if not found or not found[0].verb_fits or not found[0].exact or found[0].words <= _SUBSTANCES:
        # "Replace the laminate counters with granite": the thing before, of what stands behind.
        names, fresh = {word.lemma for word in words if word.start < place}, {word.lemma for word in new}
        both = tasks_named(so_far, words, ("replace",), own, inherited=False) if fresh & _SUBSTANCES else []
        kind = next((one for one in both if one.words & fresh and one.words & names and one.exact), None)
        return words if kind is None else tuple(word for word in words if word.lemma in kind.words)
    return new + tuple(replace(word, weight=TOPIC_WEIGHT) for word in words if word.start < place)


def in_topic(
    so_far: Progress, clause: Clause, known: tuple[Word, ...], actions: Sequence[str], own: Sequence[Quantity],
    inherited: bool, named: list[Match],
) -> list[Match]:  # fmt: skip
    """ "The fence is down, 6 new panels": what is spoken of says which panels are meant."""
    best, before = named[0].words, so_far.items[-1].match if so_far.items else None
    if so_far.items:
        if before is None or named[0].task.trade == before.task.trade or best <= PREMISES:
            return named
        if named[0].verb in actions and named[0].verb not in GENERAL_ACTIONS:
            return named
        anew = not so_far.in_sentence(clause) and not any(token.text in _SAID_BEFORE for token in clause.tokens)
        if named[0].task.default and anew and set(clause.actions) - {"install"}:
            # "Repair the garage roof. Replace 12 windows": a command that names its own thing.
            return named
    wider = tasks_named(so_far, known + in_background(so_far.topic), asked_of(actions, clause), own, inherited)
    if before is None:
        told = {word.lemma for word in so_far.topic}
        about = [match for match in wider if best < match.words and match.words - best <= told and match.verb_fits]
        return [*about[:1], *named]
    about = [
        match
        for match in wider
        if best < match.words
        and len(match.words) == len(best) + 1
        and match.task.trade == before.task.trade
        and match.words.isdisjoint(_SUBSTANCES)
    ]
    fitting = next((match for match in about if match.verb_fits), None)
    if fitting is not None:
        return [fitting, *named]
    return [about[0], *named] if about and not inherited else named


def label_words(so_far: Progress, clause: Clause) -> tuple[Word, ...]:
    """The words of the label that the clause stands under."""
    sentence, words = so_far.label
    if sentence != clause.sentence:
        return ()
    return in_background(words)


def in_background(words: Sequence[Word]) -> tuple[Word, ...]:
    """Words said before, as they count for what comes after: less than its own, and standing nowhere in it."""
    return tuple([Word(word.lemma, -1, -1, TOPIC_WEIGHT, word.plural) for word in words])


def what_is_under(words: Sequence[Word], actions: Sequence[str]) -> tuple[Word, ...]:
    """ "Strip the wallpaper and repaint": the wall under it is what is painted, where the words do not say so."""
    under = next((_UNDER[word.lemma] for word in words if word.lemma in _UNDER), "")
    if "paint" not in actions or not under or any(word.lemma == under for word in words):
        return ()
    return (Word(under, -1, -1),)


def referred(
    so_far: Progress, clause: Clause, words: tuple[Word, ...], actions: tuple[str, ...]
) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """ "Rip out the old deck and build a new one": "one" is what the item before names, and both actions are
    meant."""
    before = so_far.items[-1] if so_far.items else None
    if before is not None and before.match is None and before.verb == "remove":
        so_far.items.pop()
        return before.words + words, ("remove", *actions)
    sentence, told = so_far.told_of
    return (told if sentence == clause.sentence or not so_far.topic else so_far.topic) + words, actions


def place_tokens(so_far: Progress, clause: Clause) -> frozenset[int]:
    """Where the words of the clause stand that name the request's place."""
    span = so_far.place_span
    if span is None or span.end <= clause.start or span.start >= clause.end:
        return frozenset()
    return frozenset(token.start for token in clause.tokens if span.start <= token.start < span.end)


@cache
def _rating_in(name: str) -> Decimal | None:
    found = re.search(r"\b(\d+) A\b", name)
    return Decimal(found.group(1)) if found else None


def _rated(task: Task) -> Decimal | None:
    """The amperes that the task's name states: work of another rating is other work."""
    return _rating_in(task.name)


def _is_hour(task: Task) -> bool:
    """An hour of a trade ("Plumber, per hour"), and not work that is priced by the hour."""
    return task.labour_only and task.unit == "h" and task.name.count(",") == 1


def _hires(so_far: Progress, number: int, own: Sequence[Quantity]) -> bool:
    """ "Somebody for half a day, 4 hours": hours are asked for, and surely whose."""
    if so_far.meant is None or not _is_timed(own):
        return False
    task_id, chance = so_far.meant.likeliest(number)
    task = so_far.index.catalogue.tasks.get(task_id)
    return task is not None and _is_hour(task) and chance >= _SURER


def _comes_regularly(so_far: Progress, clause: Clause) -> bool:
    """ "Weekly cleaner wanted, about 3 hours": the sentence tells how often somebody is to come."""
    start, end = so_far.sentence_of(clause)
    often = (one for one in so_far.figures_in(start, end) if one.role is Role.FREQUENCY)
    return any(often) or _REGULARLY.search(so_far.text, clause.start, clause.end) is not None


def _is_timed(figures: Sequence[Quantity]) -> bool:
    return any(figure.role is Role.TIME and figure.unit in {"h", "day"} for figure in figures)


def _dimension_of(figures: Sequence[Quantity]) -> Dimension | None:
    for figure in figures:
        if (
            figure.role in {Role.AREA, Role.LENGTH, Role.VOLUME, Role.MASS}
            and not figure.sides
            and figure.unit in UNITS
        ):
            return dimension(figure.unit)
    return None
