"""Naming: the catalogue tasks that the words of a clause mean, given what was spoken of before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache

from server.domain.catalogue import Task
from server.domain.drafting.actions import PARTICLES, PUTS_IN, action_of
from server.domain.drafting.clauses import Clause
from server.domain.drafting.items import Item, inside
from server.domain.drafting.listing import whereabouts
from server.domain.drafting.matching import GENERAL_ACTIONS, ROOMS, Match, TaskIndex, Word, lemma
from server.domain.drafting.numbers import NUMBER_WORDS, Kind, text_at, tokenize
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.drafting.telling import MEASURES, PREMISES, PRONOUNS, TOPIC_WEIGHT
from server.domain.drafting.verbs import DETERMINERS, begins_with_verb
from server.domain.units import UNITS, Dimension, dimension

#: Below this a match rests on one common word or only on words of place.
_WEAKEST_SCORE = 1.2
#: Words that name no thing.
_SUBSTANCES = frozenset({"oak", "pine", "cedar", "steel", "wood", "concrete", "granite", "stone", "vinyl", "aluminium"})
#: What a thing may be replaced with, that is a kind of it.
_IN_PLACE = _SUBSTANCES | {"metal", "slate", "rubber", "quartz", "composite", "brick", "tile"}
#: With these a thing is one that was spoken of.
_SAID_BEFORE = frozenset({"the", "those", "these", "them", "that", "it"})
#: The chance of the work before from which a clause only says more of it.
_SAYS_MORE = 0.5
#: The chance from which what is counted next is another kind of the same.
_SAME_WORK = 0.8
#: What a line says whose task is so.
BY_CHANCE = "no name of a work has these words; this is the likeliest by how people ask for it"
#: What another thing of a list begins with.
ONE_THING = frozenset({"a", "an", "another", "one"})
#: What is uncovered where these are taken off.
_UNDER = {"wallpaper": "wall", "paneling": "wall", "popcorn": "ceiling"}
#: What a lift has so many of: "two elevators, 6 floor, hydraulic".
_STOPS = frozenset({"stop", "floor", "landing", "story", "level", "capacity"})
#: What may stand before the verb of an order, and before the name of its thing.
_BEFORE_ORDER = re.compile(
    r"^(?:(?:and|also|plus|then|please) ){0,3}(?:(?:i|we) (?:am|was|were) (?:just )?(?:wondering|hoping) if )?"
    r"(?:(?:can|could|would|will) you )?(?:please |also ){0,2}"
)
_WHICH = frozenset({"new", "old", "existing", "all", "both", "of", "too"})
#: Verbs of what is done about a trouble; what joins one more to what was told.
_MENDS = frozenset({"repair", "service"})
_ALSO = re.compile(r"\b(?:also|plus|additionally)\W{0,3}\Z", re.IGNORECASE)
_ALSO_BEFORE = 16
_TOO = frozenset({"too", "also", "well"})
_ALSO_BEHIND = frozenset({"too", "also", "as"})
#: What is done to another thing as well: "also the stairs", "the stairwell walls too".
_THE_THING = re.compile(
    r"\b(?:the|our|my|both)((?: (?!(?:too|also|as|and|in|on|at|of|with|for|to|please)\b)[a-z-]+){1,2})", re.IGNORECASE
)
#: What a clause says that only tells how the same is, or how it is done: "the stain is flaking too", "a second coat".
_TELLS = frozenset({"is", "are", "was", "were", "has", "have", "looks", "look"})
_HOW = frozenset({"coat", "coats", "primer", "colour", "color"})
#: What joins a thing to the one before.
_AND_ALONE = re.compile(r"\W*(?:and|&|plus|\+)\W*", re.IGNORECASE)
_FEW = 3
#: Items back whose trades make a task of theirs likelier.
_AROUND = 3


#: Trades whose tasks are buildings or stand beside them.
_BUILDINGS = frozenset({"general building", "decking", "demolition"})


def is_of_its_roof(own: Sequence[Quantity], task: Task) -> bool:
    """ "Reroof house 24 sq and detached garage 6 sq": squares measure what covers a building and never the building."""
    return task.trade in _BUILDINGS and any(one.unit == "square" for one in own)


def tasks_named(
    so_far: Progress, words: tuple[Word, ...], asked: tuple[str, ...], own: Sequence[Quantity], inherited: bool
) -> list[Match]:
    """The tasks that the words name, best first."""
    trade = so_far.items[-1].match.task.trade if inherited and so_far.items and so_far.items[-1].match else ""
    industry = so_far.industry or trade
    around = frozenset(item.match.task.trade for item in so_far.items[-_AROUND:] if item.match is not None)
    walls_and_ceiling = names_walls_and_ceiling(words)
    # A match must rest on a word that says what, not only on words that say where or were said before.
    things = frozenset([word.lemma for word in words if word.weight >= 1.0])
    matches = so_far.index.match(
        words, asked, industry=industry, measured=dimension_of(own), around=around,
        resting_on=None if walls_and_ceiling else things,
    )  # fmt: skip
    if not matches:
        return []
    timed = is_timed(own)
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
        and not is_of_its_roof(own, match.task)
        # An hour of a trade is priced where hours are asked for, not where the trade is only named.
        and (timed or "hour" in match.words or not is_hour(match.task))
        # Walls are painted and floors cleaned where somebody asks for that, not where they are only named.
        and (asked or match.verb not in {"paint", "clean", "clear"} or match.verb in match.words)
        and (amps is None or _rated(match.task) in {None, amps})
        and (match.words != {"move"} or not moves_a_thing(so_far, match, words))
        and (match.words.isdisjoint(_SUBSTANCES) or len(match.words) > 1 or asked or own)
    ]


def counts_anew(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
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


def is_another_trouble(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "The front door drags. Two bedroom doors won't latch", "… Also the ice maker has not worked": something is wrong
    with another thing than the single one before, which is told in words of its own."""
    before = so_far.items[-1] if so_far.items else None
    if before is None or before.match is None or before.verb not in _MENDS or before.match.task.unit != "each":
        return False
    if (
        set(clause.stated) - {"", "repair"}
        or before.clause.kind is not clause.kind
        or not so_far.is_there(before, clause)
    ):
        return False
    described = so_far.index.described(before.match.task)
    thing = next((word for word in before.words if word.lemma in described), None)
    if thing is None or thing.plural or any(one.role is Role.COUNT for one in before.figures):
        return False
    counted = bool(own) and own[0].role is Role.COUNT and not so_far.text[clause.start : own[0].span.start].strip(" (")
    if counted and own[0].value > 1:
        return lemma(own[0].noun) not in ROOMS | {"", "them", THERE} or len(clause.tokens) > _FEW
    things = {lemma(token.text) for token in clause.tokens} & described
    return bool(things) and things.isdisjoint(before.lemmas) and _ALSO.search(so_far.text, 0, clause.start) is not None


def is_elsewhere(before: Item, clause: Clause) -> bool:
    """ "Replace the kitchen faucet. Replace the bathroom faucet", "… a fan in the den and a fan in the hall": the
    same work, ordered once more, of which both tell where, and not the same place."""
    again = clause.commands or clause.tokens[0].text in ONE_THING
    if not again or not before.clause.commands or before.clause is clause:
        return False
    first, second = whereabouts(before.clause.tokens), whereabouts(clause.tokens)
    return bool(first - second) and bool(second - first)


def is_done_there_too(so_far: Progress, before: Item, clause: Clause) -> bool:
    """ "Carpet 300 sf in the den. Carpet the basement too", "… Also refinish the stairs": the same work, which is done
    to another thing or place as well, and is as much there as that is large."""
    said = {token.text for token in clause.tokens}
    also = not _TOO.isdisjoint(said) or _ALSO.search(so_far.text, max(0, clause.start - _ALSO_BEFORE), clause.start)
    if before.clause is clause or not also or not said.isdisjoint(PRONOUNS | _TELLS | _HOW):
        return False
    end = clause.start if before is so_far.items[-1] else before.end
    told = {lemma(token.text) for token in tokenize(so_far.text[before.clause.start : end])} | before.lemmas
    things = {name[1].split()[-1].lower() for name in _THE_THING.finditer(so_far.text, clause.start, clause.end)}
    if text_at(clause.tokens, 1) in _ALSO_BEHIND:
        things.add(clause.tokens[0].text)  # "stairs too 14 steps"
    named = {lemma(one) for one in things if so_far.index.knows(lemma(one))} | whereabouts(clause.tokens)
    # "What would it cost to also stain the deck": nothing is named before.
    return any(map(so_far.index.knows, told)) and not named - _IN_PLACE <= told


def says_more_of_last(
    so_far: Progress, clause: Clause, words: Sequence[Word], own: Sequence[Quantity], named: Sequence[Match]
) -> bool:
    """ "… trenches, from the patio to the ditch, about 70 feet": means the work just read by what was learned, and has
    no verb of its own, whatever else its words name."""
    number = so_far.places.get(clause.start)
    before = so_far.items[-1] if so_far.in_sentence(clause) else None
    if so_far.meant is None or number is None or clause.actions or before is None or before.match is None:
        return False
    if counts_anew(so_far, clause, own) or is_elsewhere(before, clause) or is_another_trouble(so_far, clause, own):
        return False
    if _counts_other_things(so_far, own, before.match, named) or _measures_other_thing(so_far, own, before, named):
        return False
    if _is_counted_beside(so_far, clause, own, named):
        return False
    if _is_measured_otherwise(own, before.match, named) or _is_named_alone(so_far, clause, words, named):
        return False
    if (
        before.verb == "remove"
        or names_walls_and_ceiling(words)
        or (named and is_for(named[0], before.match.task.task_id))
    ):
        return False
    return so_far.meant.chance(number, before.match.task.task_id) >= _SAYS_MORE


def _counts_other_things(so_far: Progress, own: Sequence[Quantity], before: Match, named: Sequence[Match]) -> bool:
    """ "12 yards of mulch, 30 shrubs": so many of something else than what was measured, which work is counted by; "4
    smoke detectors and 3 windows": of what another trade counts."""
    if not named:
        return False
    best, described = named[0], so_far.index.described(before.task)
    other = best.task.trade != before.task.trade and best.exact and best.verb_fits
    if dimension(before.task.unit) is Dimension.COUNT and not other:
        return False
    nouns = {lemma(one.noun) for one in own if one.role is Role.COUNT and one.noun.endswith("s")}
    return dimension(best.task.unit) is Dimension.COUNT and not nouns.isdisjoint(best.words - described - ROOMS)


def _is_counted_beside(so_far: Progress, clause: Clause, own: Sequence[Quantity], named: Sequence[Match]) -> bool:
    """ "Install a fan and 2 lights": so many of a thing by but its name, joined to another that was ordered with the
    same verb and by its name alone."""
    before, best = so_far.items[-1], named[0] if named else None
    if before.match is None or best is None or before.match.task.unit != "each" or best.task.unit != "each":
        return False
    first = own[0] if len(own) == 1 and own[0].role is Role.COUNT else None
    if first is None or lemma(first.noun) not in best.words - before.match.words - ROOMS:
        return False
    joined = _AND_ALONE.fullmatch(so_far.text, before.clause.end, clause.start) is not None
    alone = first.span.start == clause.start and all(
        lemma(token.text) in best.words for token in clause.tokens if token.start >= first.span.end
    )
    ordered = before.clause.commands and {before.verb} <= {best.verb} & set(before.clause.actions)
    return joined and alone and ordered and best.exact and orders_by_name(before.clause, before.match, so_far.index)


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
    told = dimension_of(own)
    of, other = (dimension(match.task.unit) for match in (before, named[0])) if named else (None, None)
    return bool(named) and told is not None and told is other and other is not of and named[0].exact


#: What a room has of its own.
_SURFACES = frozenset({"wall", "ceiling", "floor", "trim", "door", "window", "closet"})


def _is_named_alone(so_far: Progress, clause: Clause, words: Sequence[Word], named: Sequence[Match]) -> bool:
    """ "Replace the front door and garage door": nothing but a name, of more words than the work before has. "Clean the
    windows, the oven and the patio": the name of another thing, by itself."""
    before = so_far.items[-1].match
    best, told = (named[0] if named else None), frozenset(word.lemma for word in words if word.start >= 0)
    if before is None or best is None or not best.exact or not best.verb_fits or best.words != told:
        return False
    if clause.tokens[0].text in DETERMINERS and best.task is not before.task and best.verb == before.verb:
        surface = not told.isdisjoint(_SURFACES) and not so_far.items[-1].lemmas.isdisjoint(ROOMS)
        return told.isdisjoint(so_far.index.described(before.task) | ROOMS) and not surface
    if len(told) == 1:
        return False
    if {before.task.unit, best.task.unit} != {"each"} or not {before.verb, best.verb} <= PUTS_IN:
        return False
    return best.task is not before.task and bool(told - before.words - ROOMS)


def orders_by_name(clause: Clause, match: Match, index: TaskIndex) -> bool:
    """ "Replace the toilet", "could you install 3 ceiling fans": an order with the verb of a task and but its name."""
    said = " ".join(one.text for one in clause.tokens if one.kind is not Kind.SYMBOL)
    words = _BEFORE_ORDER.sub("", said, count=1).split()
    if "away" in words:
        return False  # "take away the brush" is of the work before
    fits = match.exact and match.verb_fits and not match.remark and len(clause.actions) == 1
    initials = words[:2] == ["r", "r"]  # "R&R toilet"
    if not fits or not (initials or begins_with_verb(words)):
        return False
    if not initials and not any(one in DETERMINERS or one in NUMBER_WORDS or one.isdigit() for one in words[1:3]):
        return False
    known = {lemma(one) for one in words}
    named = {one for one in match.words if not action_of(one)}
    more = {
        lemma(one)
        for one in words[1 + initials :]
        if one.isalpha() and one not in DETERMINERS | PARTICLES | _WHICH | NUMBER_WORDS and not action_of(one)
    }
    return bool(named - ROOMS) and named <= known and more <= match.words | index.described(match.task) | ROOMS


def names_walls_and_ceiling(words: Sequence[Word]) -> bool:
    """Whether both are spoken of, which are one work."""
    return {"wall", "ceiling"} <= {word.lemma for word in words}


def is_for(match: Match | None, task_id: str) -> bool:
    """Whether a match is of a task."""
    return match is not None and match.task.task_id == task_id


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
        and word.lemma not in described and word.lemma not in PREMISES
        for word in words
    )  # fmt: skip


def asked_of(actions: Sequence[str], clause: Clause) -> tuple[str, ...]:
    """The actions as asked of the task: remove and install together are a replacement; a fault or "new" yields
    to a verb."""
    wanted = list(dict.fromkeys([action for action in actions if action in clause.stated] or actions))
    if "remove" in wanted and ("install" in wanted or "replace" in wanted):
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
        both = tasks_named(so_far, words, ("replace",), own, inherited=False) if fresh & _IN_PLACE else []
        kind = next((one for one in both if one.words & fresh and one.words & names and one.exact), None)
        return words if kind is None else tuple(word for word in words if word.lemma in kind.words)
    before = tuple(replace(word, weight=TOPIC_WEIGHT) for word in words if word.start < place)
    # "Replace our asphalt shingle roof with a metal roof": the thing is told again, and of which kind.
    of_kind = {word.lemma for word in before if so_far.index.knows(word.lemma) and not action_of(word.lemma)}
    kinds = of_kind - found[0].words
    return new if kinds and len(found[0].words) > 1 and found[0].words & of_kind else new + before


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


def is_hour(task: Task) -> bool:
    """An hour of a trade ("Plumber, per hour"), and not work that is priced by the hour."""
    return task.labour_only and task.unit == "h" and task.name.count(",") == 1


def is_timed(figures: Sequence[Quantity]) -> bool:
    """Whether hours or days are told."""
    return any(figure.role is Role.TIME and figure.unit in {"h", "day"} for figure in figures)


def dimension_of(figures: Sequence[Quantity]) -> Dimension | None:
    """What the first measure among the figures measures."""
    for figure in figures:
        if (
            figure.role in {Role.AREA, Role.LENGTH, Role.VOLUME, Role.MASS}
            and not figure.sides
            and figure.unit in UNITS
        ):
            return dimension(figure.unit)
    return None
