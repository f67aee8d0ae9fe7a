"""Adding: a clause whose task is known becomes items, or says more of those before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from server.domain.drafting.actions import IMPLIED, action_of
from server.domain.drafting.clauses import Clause
from server.domain.drafting.items import HIGHEST_FENCE, Item, described, inside, leave_to_customer, verbs_of
from server.domain.drafting.matching import GENERAL_ACTIONS, ROOMS, STAND_INS, Match, Word, lemmas_of
from server.domain.drafting.naming import BY_CHANCE, asked_of, tasks_named, what_is_under
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role
from server.domain.drafting.segments import stands_behind
from server.domain.drafting.telling import FAULT, MEASURES, PRONOUNS, WANTED, not_done, refers_back
from server.domain.drafting.verbs import plainly_asks, plainly_wants
from server.domain.takeoff import Span
from server.domain.units import UNITS, Dimension, dimension, factor

#: What is measured, and not counted.
_MEASURED = frozenset({Dimension.AREA, Dimension.LENGTH, Dimension.VOLUME})
#: The chance below which a clause may only tell what the next one asks for, and what says that more is asked for.
_TELLS = 0.6
#: The chance from which the clause before meant what is counted now.
_MEANT_BEFORE = 0.3
_MORE = re.compile(r"\b(?:more|another|also|too|as well|plus|other)\b", re.IGNORECASE)
#: Speaks of those that were told of before, and of no other place: "the two ceilings", "we bought the 2 vanities".
_THOSE = re.compile(
    r"\b(?:the (?=(?:two|three|four|five|six|\d{1,2})\b)|these\b|those\b|all\b|both\b)"
    r"(?!.{0,60}\b(?:in|at|for) (?:the|our|my|each)\b)",
    re.IGNORECASE,
)
#: Of these another one is new.
_OLD = frozenset({"old", "existing", "current"})
#: Items back that may have taken what was told ahead.
_NEAR = 3
#: Items back that tell what a thing of another place is.
_BACK = 20
#: Another thing follows, and no kind of the one before.
_ADDED = re.compile(r"\b(?:and|plus|also)\b|[&+]", re.IGNORECASE)
_INCLUDED = re.compile(r"\binc(?:l(?:ud(?:es|ing))?)?\b", re.IGNORECASE)
#: Verbs that keep up what is there, and the words of a thing that is named and no more.
_KEEPING_UP = frozenset({"clean", "service", "inspect"})
_JUST_AND = re.compile(r"\s*(?:and|&|,|/)\s*(?:the )?", re.IGNORECASE)
_NAME_ALONE = 2
#: What stands for the very thing that was named.
_IT = frozenset({"it", "that", "this", "them", "those", "these"})
#: The item before the last.
_BEHIND_IT = 2
#: What is no thing of its own: "paint both sides", "power wash".
_NO_THINGS = frozenset({"both", "side", "power", "pressure", "soft"})
#: What is done to what is there.
_UPKEEP = frozenset({"clean", "stain", "seal", "service", "point", "sand", "trim", "fertilize", "regrout", "resurface"})
_NEW = re.compile(r"\bnew\b", re.IGNORECASE)
#: What is done to a part of what is there.
_MENDING = frozenset({"repair", "replace"})
_BETWEEN_SIDES = frozenset({"x", "by", "lf", "sf", "sq", "sqft", "the", "our", "my"})
#: What one thing more of a list begins with.
_ONE_THING = frozenset({"a", "an", "another", "one"})
_SOME = frozenset({"few", "couple", "bit", "lot", "little"})
#: A field of a form: what, and how many.
_FIELD = re.compile(r"([A-Za-z][A-Za-z /-]{2,40}):\s*\d{1,4}\s*")


def add_work(
    so_far: Progress, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], named: list[Match],
    own: list[Quantity], inherited: bool,
) -> None:  # fmt: skip
    """Make the best task that was named an item, unless it says more of an item before."""
    named = _as_in_other_places(so_far, clause, named, own)
    best = named[0]
    if so_far.items and not so_far.is_there(so_far.items[-1], clause):
        # Another place begins: nothing of it goes on about the one before.
        figures = None if _repeated(so_far, best, actions if not inherited else (), own, clause) else own
    else:
        figures = _with_what_was_told(so_far, clause, words, actions, best, own, inherited)
    if figures is not None:
        _add_new(so_far, clause, words, actions, named, figures, inherited)


def _as_in_other_places(so_far: Progress, clause: Clause, named: list[Match], own: Sequence[Quantity]) -> list[Match]:
    """ "Classroom 4: 8 LED panels. Classroom 5: 8 panels": the last thing that is called so, too, before others."""
    if so_far.section_of(clause) < 0 or clause.actions:
        return named
    called, near = named[0].words, [item.match for item in so_far.items[-_BACK:] if item.match is not None]
    if any(match.task is named[0].task for match in near):
        return named
    before = next((match for match in reversed(near) if called <= match.words), None)
    if before is None:
        return named
    of = dimension(before.task.unit)
    counted = of is Dimension.COUNT and any(one.role is Role.COUNT for one in own)
    return [before, *named] if counted or of is dimension(named[0].task.unit) else named


def _with_what_was_told(
    so_far: Progress, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], best: Match,
    own: list[Quantity], inherited: bool,
) -> list[Quantity] | None:  # fmt: skip
    """The figures of new work with those of what was only told of it before; None where it says more of an item."""
    if _says_more_by_chance(so_far, best, clause, own):
        so_far.add_detail(clause, words, own)
        return None
    if not own and _says_its_verb(so_far, best, clause, words):
        so_far.add_detail(clause, words, own)
        return None
    if _mends_what_stands_before(so_far, best, clause):
        so_far.drop_last()
    elif _commands_what_was_told(so_far, best, clause, own):
        own = [*so_far.drop_last().figures, *own]
    elif _asks_for_what_was_told(so_far, best, clause, own):
        so_far.drop_last()
    if _tells_its_fault(so_far, best, clause):
        so_far.drop_last()
    elif (
        _is_done_anew(so_far, best, clause)
        or _supersedes(so_far, best, clause, words)
        or _does_to_what_was_named(so_far, best, clause, words)
        or _does_to_what_stands_before(so_far, best, clause, words)
        or (inherited and _counts_it_otherwise(so_far, best, clause, own))
    ):
        own = [*so_far.drop_last().figures, *own]
    if _details_head(so_far, best, clause, own):
        so_far.drop_last()
    elif _parts_of_room(so_far, best, clause):
        own = so_far.drop_last().figures + own
    if _repeated(so_far, best, actions if not inherited else (), own, clause):
        return None
    if inherited and so_far.items and _walls_outside(so_far, best, clause):
        so_far.add_detail(clause, words, own)
        return None
    if _is_kept_up_too(so_far, best, clause):
        so_far.add_detail(clause, words, own)
        return None
    if inherited and _absorbs(so_far, best, clause, own):
        item = so_far.items[-1]
        if item.match is None:
            item.reasons = []
        item.match, item.figures, item.end = best, item.figures + own, clause.end
        if item.verb not in best.task.verbs:
            item.verb = best.verb
        item.detail += words
        return None
    return own or _told_ahead(so_far, best, clause)


def _add_new(
    so_far: Progress, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], named: list[Match],
    own: list[Quantity], inherited: bool,
) -> None:  # fmt: skip
    best = named[0]
    asked = asked_of(actions, clause)
    parts = _remove_and_install(named) if asked[:1] == ("replace",) and best.verb != "replace" else [best]
    implied = {action_of(token.text) for token in clause.tokens if token.text in IMPLIED}
    for part in parts:
        others = tuple(match for match in named if match.task is not part.task and match.verb_fits)
        item = Item(clause, words, part.verb, part, others[:3], list(own), end=clause.end)
        item.inherited = inherited
        # "We supply the fixtures, you hang them: 4 pendants": the note came first.
        sentence, supplied = so_far.supplied
        near = sentence >= clause.sentence - 1
        brought = (near and bool(supplied & described(item))) or so_far.all_supplied == clause.sentence
        if brought or so_far.everything_supplied:
            leave_to_customer([item], supplied if near else ())
        item.asked = asked if actions else ()
        item.stated = not (set(clause.actions) - implied)
        if part.remark and len(parts) == 1:
            item.reasons.append(f"Check the scope: {part.remark}.")
        so_far.add(item)
    _add_second_actions(so_far, clause, words, asked, parts, own)


#: Why a line of work that is surely asked for has no price.
NO_TASK = "No task of the catalogue answers these words; nothing was priced."


def add_unpriced(
    so_far: Progress,
    clause: Clause,
    words: tuple[Word, ...],
    actions: Sequence[str],
    named: list[Match],
    own: list[Quantity],
) -> None:
    """Make an item that says that no task answers its words."""
    item = Item(clause, words, actions[0] if actions else "", None, tuple(named[:3]), list(own), end=clause.end)
    item.stated = all(token.text in IMPLIED for token in clause.tokens if action_of(token.text))
    if named:
        item.reasons.append(f"The catalogue has {named[0].task.name}, but not to {item.verb} it; nothing was priced.")
    else:
        item.reasons.append(NO_TASK)
    so_far.add(item)


def add_another(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> None:
    """ "Quote a second one for the main bedroom": the work before, once more."""
    before = so_far.items[-1]
    words = tuple(replace(word, plural=False) for word in before.words)
    item = Item(clause, words, before.verb, before.match, before.others, list(own), end=clause.end)
    item.asked, item.refers = before.asked, True
    so_far.add(item)


def add_forward(so_far: Progress, clause: Clause, words: tuple[Word, ...], own: Sequence[Quantity]) -> None:
    """ "22 squares tear off and re-roof": the first verb is done to what the second one names, to as much of
    it."""
    _, actions, figures = so_far.forward
    so_far.forward = (-1, (), [])
    item = so_far.items[-1]
    if not any(figure.role in WORK_ROLES for figure in own):
        item.figures += figures
    found = [match for match in tasks_named(so_far, words, actions, own, inherited=False) if match.verb in actions]
    before = so_far.items[-_BEHIND_IT].match if len(so_far.items) >= _BEHIND_IT else None
    if found and before is not None and before.task is found[0].task:
        # "Break out and replace 160 sq ft of sidewalk": what the first verb is done to was told by it alone.
        so_far.items[-_BEHIND_IT].figures += item.figures
    elif found and item.match is not None and found[0].task is not item.match.task:
        first = Item(clause, words, found[0].verb, found[0], (), list(item.figures), end=clause.end)
        first.section = item.section
        so_far.items.insert(len(so_far.items) - 1, first)


def _add_second_actions(
    so_far: Progress,
    clause: Clause,
    words: tuple[Word, ...],
    asked: Sequence[str],
    parts: Sequence[Match],
    own: list[Quantity],
) -> None:
    """ "Clean and seal the drive": each particular action is a line of its own, or is said to be missing."""
    first = parts[-1]
    # "Power wash and seal the deck": where the first task names only its verb, the thing is in the clause.
    things = set() if any(not action_of(word) for word in first.words - {"power", "pressure"}) else {
        word.lemma for word in words if word.weight == 1.0 and not action_of(word.lemma)
    }  # fmt: skip
    for action in asked:
        if (
            action in GENERAL_ACTIONS
            or action == first.verb
            or action in verbs_of(first.task)
            or action in first.words
            or any(other == first.verb for other, _ in STAND_INS.get(action, ()))
        ):
            continue
        under = what_is_under(words, (action,))
        second = next(
            (
                match
                for match in so_far.index.match(words + under, (action,), industry=so_far.industry)
                if match.verb_fits
                and match.verb == action
                and match.task is not first.task
                and match.words & (first.words | things | {one.lemma for one in under}) - set(asked)
            ),
            None,
        )
        if second is None:
            so_far.items[-1].reasons.append(not_done(action))
        else:
            so_far.add(Item(clause, words, action, second, (), list(own), end=clause.end))


def _is_kept_up_too(so_far: Progress, best: Match, clause: Clause) -> bool:
    """ "Clean out gutters and downspouts": what is listed behind work that only keeps things up is no new thing."""
    before = so_far.items[-1] if so_far.items else None
    return (
        before is not None
        and before.match is not None
        and before.verb in _KEEPING_UP
        and best.verb == "install"
        and best.task.trade == before.match.task.trade
        and _JUST_AND.fullmatch(so_far.text, before.clause.end, clause.start) is not None
        and not clause.actions
        and len(clause.tokens) <= _NAME_ALONE
    )


def _absorbs(so_far: Progress, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Re-roof, 24 squares architectural shingles": a measured, narrower kind says what the item before it was."""
    before = so_far.items[-1].match if so_far.items else None
    if not so_far.items or clause.kind is not so_far.items[-1].clause.kind:
        return False
    if before is None:
        # "Replace the roof covering, class 4 laminated shingles": what no task answers, until its kind is told.
        before_it = so_far.items[-1]
        head = {one.lemma for one in before_it.words if not action_of(one.lemma)} & so_far.index.described(best.task)
        return so_far.in_sentence(clause) and bool(head) and before_it.verb == "replace" and not clause.actions
    if before.task.trade != best.task.trade:
        return False
    if _is_kind_of_replaced(so_far, best, clause):
        return True
    if "exterior" in so_far.items[-1].lemmas and "exterior" not in best.words:
        return False
    if so_far.kind_of == clause.sentence and dimension(before.task.unit) is dimension(best.task.unit):
        return True
    if any(figure.role in WORK_ROLES for figure in own) and not so_far.lacks_figures(clause):
        return False
    broad = so_far.items[-1]
    near = broad.clause.sentence == clause.sentence or (broad.stated and broad.clause.sentence == clause.sentence - 1)
    if not any(figure.role in WORK_ROLES for figure in own) and not (
        before.task.default and near and before.words <= so_far.index.described(best.task)
    ):
        return False
    named = {word for name in before.task.names for word in lemmas_of(name)}
    things = frozenset(word for word in before.words if not action_of(word))
    joint = so_far.text[broad.end : clause.start]
    fresh = clause.tokens[0].text in {"a", "an", "the", "and", "plus", "also"} or _ADDED.search(joint)
    fresh = fresh or _INCLUDED.search(joint)  # "replace 5 doors including hardware"
    kind = before.task.default and bool(things & so_far.index.described(best.task))
    same_unit = dimension(before.task.unit) is dimension(best.task.unit)
    return not fresh and (kind or bool(named & best.words)) and same_unit


def _is_kind_of_replaced(so_far: Progress, best: Match, clause: Clause) -> bool:
    """ "Replace rotted siding at the rear, 90 sq ft fiber cement": what is replaced is no mending beside it."""
    before = so_far.items[-1]
    if before.match is None or clause.actions or not so_far.in_sentence(clause):
        return False
    mends = before.match.task.verbs[:1] == ("repair",) and "replace" in before.clause.actions
    alike = dimension(before.match.task.unit) is dimension(best.task.unit)
    return mends and alike and best.verb == "replace" and not any(one.role in WORK_ROLES for one in before.figures)


def _repeated(so_far: Progress, match: Match, actions: Sequence[str], own: list[Quantity], clause: Clause) -> bool:
    """A second mention of a task adds its figures to the first; one that brings a verb and figures is another
    line."""
    item = so_far.last_of(match, clause)
    if item is None and so_far.section_of(clause) < 0 and not any(one.role in MEASURES for one in own):
        # "Front: … ceiling 14 m2. Back: … ceiling 11 m2. The two ceilings want plastering." "Same size everywhere."
        told = any(one.match is not None and one.match.task is match.task and one.section >= 0 for one in so_far.items)
        those = _THOSE.search(so_far.text, clause.start, clause.end) is not None
        if told and (those or not (clause.actions or own)):
            return True
    if item is None or item.match is None or item.match.task is not match.task:
        return False
    if match.task.trade == "fencing":
        # "Fence 80 ft …, 6 ft cedar": how high it is.
        own = [one for one in own if one.role is not Role.LENGTH or _is_long(one)]
    if (more := _one_more(so_far, item, match, clause, own)) is not None:
        item.figures = [*(one for one in item.figures if one.role is not Role.COUNT), more]
        own = []
    measured = any(figure.role in WORK_ROLES for figure in own)
    headed = _told_by_head(so_far, item, clause) if measured and not clause.actions else None
    if headed is not None:
        if headed > sum(one.value for one in own if one.role is Role.COUNT):
            return True  # "3 split systems: lounge 7 kW, two bedrooms 2.5 kW each"
        item.figures = []
    if item is so_far.items[-1] and _counts_in_what_stands_before(item, clause, own):
        so_far.drop_last()
        return False
    listed = item.clause.sentence == clause.sentence and not so_far.in_brackets(clause) and item.clause is not clause
    roles = {figure.role for figure in own} & {figure.role for figure in item.figures} & WORK_ROLES
    if (
        measured
        and (roles if listed and not actions else actions)
        and any(figure.role in WORK_ROLES for figure in item.figures)
    ):
        return False
    here, there = (_FIELD.fullmatch(so_far.text, one.start, one.end) for one in (clause, item.clause))
    if here is not None and there is not None and here[1].lower() != there[1].lower():
        return False  # "Receptacle outlets: 12. Lighting outlets: 6."
    for other in so_far.items[-3:] if listed else ():
        if other.clause is item.clause and not any(figure.role in WORK_ROLES for figure in other.figures):
            other.figures += own if other is not item else []
    item.figures += own
    item.detail += so_far.index.words(clause.tokens)
    item.end = max(item.end, clause.end) if item.clause.sentence == clause.sentence else item.end
    return True


def _counts_in_what_stands_before(item: Item, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Parking lot 18000 sf - patch 3 potholes": how large the thing is, and how many of what is in it."""
    there = {one.role for one in item.figures} & WORK_ROLES
    asked = {one.role for one in own} & WORK_ROLES
    return (
        clause.commands
        and item.clause.sentence == clause.sentence
        and not item.clause.stated - {""}
        and asked == {Role.COUNT}
        and bool(there)
        and Role.COUNT not in there
    )


def _one_more(so_far: Progress, item: Item, match: Match, clause: Clause, own: Sequence[Quantity]) -> Quantity | None:
    """ "Take away a fridge and a freezer": how many there are with another thing that the same task is for."""
    if item.match is None or own or clause.actions or so_far.in_brackets(clause) or not item.clause.actions:
        return None
    if "minimum" in lemmas_of(match.task.name):
        return None  # one charge for all
    if item.clause.sentence != clause.sentence or dimension(match.task.unit) is not Dimension.COUNT:
        return None
    begins = [token.text for token in clause.tokens[:2]]
    begun = begins[0] in _ONE_THING and begins[-1] not in _SOME
    another = begun or stands_behind(so_far.text, clause.start, ("+",))
    alike = not (match.exact and item.match.exact) or not match.words.isdisjoint(item.match.words)
    if not another or alike or any(one.role in WORK_ROLES and one.role is not Role.COUNT for one in item.figures):
        return None
    number = sum((one.value for one in item.figures if one.role is Role.COUNT), Decimal(0)) or Decimal(1)
    first = clause.tokens[0]
    span = Span(first.start, first.end)
    return Quantity(number + 1, "each", Role.COUNT, span, number + 1, number + 1, noun="them")


def _told_by_head(so_far: Progress, item: Item, clause: Clause) -> Decimal | None:
    """How many the item tells, where the clause is the first behind its colon that tells how many of each: "all locks
    rekeyed to one key: 4 deadbolts and 3 knobs"."""
    if not so_far.labels(item.clause) or item.clause.sentence != clause.sentence or not item.clause.actions:
        return None
    amounts = [one for one in item.figures if one.role in WORK_ROLES]
    if not all(one.role is Role.COUNT and inside(one, item.clause) for one in amounts):
        return None
    return max((one.value for one in amounts), default=None)


def _start_of_sentence(so_far: Progress, clause: Clause) -> int:
    """Where the first clause of the sentence starts; of an answer's, where the clause does."""
    number = so_far.places.get(clause.start)
    if number is None:
        return clause.start
    while number and so_far.clauses[number - 1].sentence == clause.sentence:
        number -= 1
    return so_far.clauses[number].start


def _says_more_by_chance(so_far: Progress, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Tune up the furnace. I'd like snow cleared, contract of 18 visits": what no name takes to work of an earlier
    sentence is of the work of its own."""
    item = so_far.last_of(best, clause)
    by_chance = best.remark == BY_CHANCE and not clause.actions and bool(own)
    return by_chance and item is not None and item.clause.sentence < clause.sentence and so_far.in_sentence(clause)


def _commands_what_was_told(so_far: Progress, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Fire damage in a colonial. Gut the second floor": the work that was only told of is what is asked for now."""
    before = so_far.items[-1] if so_far.items else None
    return (
        before is not None
        and before.match is not None
        and before.match.task is best.task
        and before.clause.kind is clause.kind
        and before.clause is not clause
        and clause.commands
        and not before.clause.actions
        and not before.asked
        and not (
            any(inside(one, before.clause) for one in before.figures if one.role in WORK_ROLES)
            and (before.clause.sentence == clause.sentence or any(one.role in WORK_ROLES for one in own))
        )
    )


def _does_to_what_was_named(so_far: Progress, best: Match, clause: Clause, words: Sequence[Word]) -> bool:
    """ "Red oak floors, 480 sf. I'd like them sanded": the item before only names, in a sentence before, what is there
    and is asked for here, and no new one is wanted."""
    before = so_far.items[-1] if so_far.items else None
    if before is None or before.match is None or before.clause.actions or before.asked:
        return False
    if before.clause.sentence != clause.sentence - 1 or before.match.task.trade != best.task.trade:
        return False
    if before.match.task is best.task or best.verb in {"install", "replace"}:
        return False
    here = tuple(word for word in words if word.start >= clause.start)
    # "3 new posts. Old ones to be taken away" speaks of others.
    it = any(token.text in _IT for token in clause.tokens) and refers_back(clause, here, so_far.index)
    return it and not WANTED.search(so_far.text[before.clause.start : before.clause.end])


def _says_its_verb(so_far: Progress, best: Match, clause: Clause, words: Sequence[Word]) -> bool:
    """ "Windows, 8, clean inside and out": the verb of the thing just named, which was read with it already."""
    before = so_far.items[-1] if so_far.items else None
    if before is None or before.match is None or before.clause.actions or before.clause.sentence != clause.sentence:
        return False
    if before.match.task is best.task or before.match.task.trade != best.task.trade:
        return False
    here = tuple(word for word in words if word.start >= clause.start and word.lemma not in _NO_THINGS)
    return before.match.verb in clause.actions and clause.commands and refers_back(clause, here, so_far.index)


def _does_to_what_stands_before(so_far: Progress, best: Match, clause: Clause, words: Sequence[Word]) -> bool:
    """ "5 internal doors, paint both sides", "deck 12x16, power wash and stain": the thing before has no verb, and what
    is commanded here for no other thing is meant by it, or keeps up what is there."""
    before = so_far.items[-1] if so_far.items else None
    if before is None or before.match is None or before.clause.stated - {""} or before.match.task is best.task:
        return False
    if before.match.verb not in {"install", "replace"} or set(before.clause.actions) - {"install", "roof", "pave"}:
        return False
    first, last = so_far.places.get(before.clause.start), so_far.places.get(clause.start)
    if so_far.meant is None or first is None or last is None or before.clause.sentence != clause.sentence:
        return False
    begins = so_far.places.get(_start_of_sentence(so_far, before.clause), first)
    if any(one.actions for one in so_far.clauses[begins:first]):
        return False  # "Replace 3 windows, 5 internal doors, paint both sides"
    if any(token.text in _OLD for token in clause.tokens):
        return False
    if best.verb == "replace":
        return False
    alone = len(clause.tokens) == 1 and clause.tokens[0].text in _UPKEEP and _is_only_there(before)
    kept_up = alone or bool(_UPKEEP.intersection(clause.actions))
    kept_up = kept_up and first == begins and _is_no_new_thing(so_far, before.clause)
    meant = max((so_far.meant.chance(number, best.task.work) for number in range(first, last)), default=0.0)
    meant_before = meant >= _MEANT_BEFORE and clause.commands and best.verb != "install"
    here = tuple(word for word in words if word.start >= clause.start and word.lemma not in _NO_THINGS)
    return (kept_up or meant_before) and refers_back(clause, here, so_far.index)


def _mends_what_stands_before(so_far: Progress, best: Match, clause: Clause) -> bool:
    """ "Deck 12x16 - replace 4 boards", "Roof 24 sq, replace 3 pipe boots": a part of what is there."""
    before = so_far.items[-1] if so_far.items else None
    if before is None or before.match is None or before.match.task is best.task:
        return False
    if before.clause.sentence != clause.sentence or before.match.task.trade != best.task.trade:
        return False
    if before.clause.stated - {""} or before.clause.start != _start_of_sentence(so_far, before.clause):
        return False
    mends = clause.commands and bool(_MENDING.intersection(clause.actions))
    mends = mends and _OLD.isdisjoint(token.text for token in clause.tokens)
    return (mends or best.verb == "service") and _is_only_there(before)


def _is_only_there(item: Item) -> bool:
    """ "Roof 24 sq", "Deck 12x16": one word and its size, before what is wanted."""
    told = [one.span for one in item.figures]
    words = [
        token.text
        for token in item.clause.tokens
        if token.text.isalpha()
        and token.text not in _BETWEEN_SIDES
        and not any(span.start <= token.start < span.end for span in told)
    ]
    return len(words) == 1 and any(one.role in WORK_ROLES for one in item.figures)


def _is_no_new_thing(so_far: Progress, clause: Clause) -> bool:
    """Whether nothing says that what a clause names is wanted."""
    said = so_far.text[clause.start : clause.end]
    asked = plainly_asks(clause.tokens) or plainly_wants(clause.tokens) or WANTED.search(said) is not None
    return not asked and _ONE_THING.isdisjoint(token.text for token in clause.tokens) and _NEW.search(said) is None


def _asks_for_what_was_told(so_far: Progress, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Movers broke 2 windows. Need the 2 windows replaced": as many of the same as were only told of."""
    before = so_far.items[-1] if so_far.items else None
    if before is None or before.match is None or before.match.task is not best.task or before.clause is clause:
        return False
    told, asked = ([one.value for one in of if one.role is Role.COUNT] for of in (before.figures, own))
    if clause.commands and before.clause.sentence == clause.sentence and not before.clause.actions:
        # "3 urinals, replace 2": some of those that there are.
        some = len(told) == len(asked) == 1 and asked[0] < told[0] and not before.asked
        if some and _MORE.search(so_far.text, clause.start, clause.end) is None:
            return True
    said = so_far.text[clause.start : clause.end]
    return (
        told == asked != []
        and before.clause.sentence >= clause.sentence - 1
        and not (before.clause.commands or plainly_asks(before.clause.tokens) or plainly_wants(before.clause.tokens))
        and so_far.chances.get(before.clause.start, 1.0) < _TELLS <= so_far.chances.get(clause.start, 1.0)
        and _MORE.search(said) is None
    )


def _told_ahead(so_far: Progress, best: Match, clause: Clause) -> list[Quantity]:
    """The measures that the sentence told before it came to the work, which until then were taken for more of the work
    before: "… sand both. The hallway is 4x15 of plywood, put new hardwood there"."""
    last = so_far.items[-1].clause if so_far.items else None
    if last is None or last.sentence >= clause.sentence or dimension(best.task.unit) not in _MEASURED:
        return []
    start = _start_of_sentence(so_far, clause)
    found: list[Quantity] = []
    for item in so_far.items[-_NEAR:]:
        found = [one for one in item.figures if start <= one.span.start < clause.start]
        if any(one.role in MEASURES for one in found):
            item.figures = [one for one in item.figures if one not in found]
            return found
    return []


def _is_long(length: Quantity) -> bool:
    return length.unit not in UNITS or length.value * factor(length.unit, "m") > HIGHEST_FENCE


def _supersedes(so_far: Progress, best: Match, clause: Clause, words: Sequence[Word]) -> bool:
    """ "The heater is leaking. Replace it": the fault was only told, the replacement is asked for."""
    before = so_far.items[-1] if so_far.items else None
    if before is not None and before.match is None:
        same = before.lemmas & {word.lemma for word in words if so_far.index.knows(word.lemma)}
        return before.stated and bool(same) and before.clause.sentence == clause.sentence and best.verb == "replace"
    pronoun = any(token.text in PRONOUNS for token in clause.tokens)
    if not pronoun and before is not None and before.match is not None and before.match.task.trade != best.task.trade:
        # "2 doors won't latch, caulk at the storefront": other work.
        return False
    if best.verb == "remove" and any(token.text in _OLD for token in clause.tokens):
        return False  # "Vinyl fence, 120 ft, take down old"
    if before is not None and _only_named(so_far, before, best, clause, words):
        return True
    if before is not None and _replaces_what_is_broken(before, best, clause):
        return True
    return (
        before is not None
        and before.match is not None
        and before.stated
        and before.verb in {"repair", "service"}
        and before.clause.sentence >= clause.sentence - 1
        and (
            best.verb in {"replace", "install"}
            or FAULT.search(so_far.text[before.clause.start : before.clause.end].lower()) is not None
        )
        and bool(clause.actions)
        and refers_back(clause, tuple(word for word in words if word.start >= clause.start), so_far.index)
    )


def _replaces_what_is_broken(before: Item, best: Match, clause: Clause) -> bool:
    """ "Fence blew down, 60 ft of privacy fence needs replaced": the same thing, which nobody asked to mend."""
    if before.match is None or before.clause.sentence != clause.sentence or "replace" not in clause.actions:
        return False
    asked = before.clause.commands or plainly_asks(before.clause.tokens) or plainly_wants(before.clause.tokens)
    mends = before.match.task.verbs[:1] == ("repair",) and best.task.verbs[:1] != ("repair",)
    told = any(one.role in WORK_ROLES for one in before.figures)
    same = {word for word in before.match.words & best.words if not action_of(word)} - ROOMS
    alike = before.match.task.trade == best.task.trade
    return bool(same) and mends and alike and not (asked or told) and before.clause.kind is clause.kind


def _counts_it_otherwise(so_far: Progress, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Kitchen cabinet painting, 22 doors": the thing before, which tells no measure and may mean the same task, in
    what its other task is priced by."""
    before = so_far.items[-1] if so_far.items else None
    number = so_far.places.get(before.clause.start) if before is not None else None
    if before is None or before.match is None or so_far.meant is None or number is None:
        return False
    return (
        before.match.task is not best.task
        and before.match.task.trade == best.task.trade
        and before.clause.sentence == clause.sentence
        and before.clause.kind is clause.kind
        and any(one.role in WORK_ROLES and _prices(one, best) for one in own)
        and not any(one.role in WORK_ROLES for one in before.figures)
        and {word for word in before.match.words if not action_of(word)} <= so_far.index.described(best.task)
        and so_far.meant.chance(number, best.task.task_id) >= _MEANT_BEFORE
    )


def _tells_its_fault(so_far: Progress, best: Match, clause: Clause) -> bool:
    """ "Title: tap in bathroom. Hot tap on the basin won't turn off": what was only named is what is to be mended."""
    before = so_far.items[-1] if so_far.items else None
    return (
        before is not None
        and before.match is not None
        and best.verb == "repair" != before.match.verb
        and before.match.task.trade == best.task.trade
        and before.clause.sentence == clause.sentence - 1
        and not (before.clause.actions or before.asked)
        and not any(one.role in WORK_ROLES and one.value > 1 for one in before.figures)
        and bool(before.match.words & best.words)
        and so_far.chances.get(before.clause.start, 1.0) < _TELLS
        and FAULT.search(so_far.text[clause.start : clause.end].lower()) is not None
    )


def _is_done_anew(so_far: Progress, best: Match, clause: Clause) -> bool:
    """ "A leaking flat roof over the kitchen. Would like it redone in rubber": the fault was only told."""
    before = so_far.items[-1] if so_far.items else None
    return (
        before is not None
        and before.match is not None
        and before.stated
        and before.match.verb == "repair"
        and best.verb in {"replace", "install"}
        and before.match.task.trade == best.task.trade
        and before.clause.sentence >= clause.sentence - 1
        and bool(before.match.words & best.words)
        and any(token.text in PRONOUNS for token in clause.tokens)
    )


def _prices(figure: Quantity, match: Match) -> bool:
    return figure.unit in UNITS and dimension(figure.unit) is dimension(match.task.unit)


def _only_named(so_far: Progress, before: Item, best: Match, clause: Clause, words: Sequence[Word]) -> bool:
    """ "The cedar hedge along the driveway, about 22 m long, needs a trim": named first, what is to be done after."""
    return (
        before.match is not None
        and not before.clause.actions
        and not before.asked
        and before.clause.sentence == clause.sentence
        and before.match.task.trade == best.task.trade
        and before.clause.kind is clause.kind
        and bool(clause.actions)
        and (bool(before.match.words & best.words) or best.words.isdisjoint(so_far.index.described(best.task)))
        and not any(figure.role is Role.COUNT for figure in before.figures)
        and refers_back(clause, tuple(word for word in words if word.start >= clause.start), so_far.index)
    )


def _details_head(so_far: Progress, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Paint the hallway (walls 45 m2, ceiling 12 m2)": the brackets say all of what stands before them."""
    before = so_far.items[-1] if so_far.items else None
    return (
        before is not None
        and before.match is not None
        and so_far.in_brackets(clause)
        and any(figure.role in MEASURES for figure in own)
        and not so_far.in_brackets(before.clause)
        and before.match.task.trade == best.task.trade
        and not any(figure.role in MEASURES for figure in before.figures)
    )


def _parts_of_room(so_far: Progress, best: Match, clause: Clause) -> bool:
    """ "A 12x14 bedroom, walls and ceiling": the room is what its walls and ceiling are."""
    before = so_far.items[-1] if so_far.items else None
    return (
        before is not None
        and before.match is not None
        and so_far.in_sentence(clause)
        and before.match.words <= ROOMS
        and before.match.task.trade == best.task.trade
        and not best.words.isdisjoint({"wall", "ceiling"})
        and not any(figure.role is Role.COUNT and figure.value > 1 for figure in before.figures)
    )


def _walls_outside(so_far: Progress, best: Match, clause: Clause) -> bool:
    """ "Exterior repaint, 2,400 sq ft of wall": the walls are those outside."""
    before = so_far.items[-1].match
    outside = before is not None and "exterior" in before.words and so_far.in_sentence(clause)
    return before is not None and outside and best.words == {"wall"} and before.task.trade == best.task.trade


def _remove_and_install(named: Sequence[Match]) -> list[Match]:
    """Where the catalogue has no replacement of a thing, its removal and its installation are two lines."""
    best = named[0]
    removal = next(
        (match for match in named if match.task is not best.task and "remove" in verbs_of(match.task)
         and match.words & best.words and dimension(match.task.unit) is dimension(best.task.unit)), None,
    )  # fmt: skip
    return [best] if removal is None or "install" not in verbs_of(best.task) else [removal, best]
