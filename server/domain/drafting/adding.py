"""Adding: a clause whose task is known becomes items, or says more of those before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from server.domain.catalogue import Task
from server.domain.drafting.actions import IMPLIED, action_of
from server.domain.drafting.clauses import Clause
from server.domain.drafting.closing import stands_behind
from server.domain.drafting.following import (
    MEASURED,
    New,
    is_treated_too,
    only_says_more,
    says_its_verb,
    says_more_by_chance,
    take_back_title,
    take_back_what_told,
    tells_its_kind,
    told_ahead,
)
from server.domain.drafting.items import HIGHEST_FENCE, Item, described, inside, leave_to_customer, shown, verbs_of
from server.domain.drafting.matching import GENERAL_ACTIONS, STAND_INS, STRUCTURES, Match, Word, lemma, lemmas_of
from server.domain.drafting.naming import (
    ONE_THING,
    asked_of,
    counts_anew,
    is_another_trouble,
    is_done_there_too,
    is_elsewhere,
    tasks_named,
    what_is_under,
)
from server.domain.drafting.numbers import Kind
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role
from server.domain.drafting.telling import MEASURES, PREMISES, not_done, not_measured
from server.domain.takeoff import Span
from server.domain.units import UNITS, Dimension, dimension, factor

#: Speaks of those that were told of before, and of no other place: "the two ceilings", "we bought the 2 vanities".
_THOSE = re.compile(
    r"\b(?:the (?=(?:two|three|four|five|six|\d{1,2})\b)|these\b|those\b|all\b|both\b)"
    r"(?!.{0,60}\b(?:in|at|for) (?:the|our|my|each)\b)",
    re.IGNORECASE,
)
#: What a summary begins with, and characters within which it stands.
_RECAP = re.compile(
    r"\b(?:to (?:recap|sum (?:it )?(?:all )?up|summari[sz]e)|in summary|(?:quick )?(?:recap|summary)|(?:so )?in total"
    r"|so all in all)[ ]?[:,–—-]",
    re.IGNORECASE,
)
_LONGEST_SUMMARY = 400
#: "Replace 14 outlets. Also 2 gfci": as many more, of another kind.
_ALSO = re.compile(r"\b(?:also|plus|additionally)\W{0,3}\Z", re.IGNORECASE)
#: Items back that tell what a thing of another place is.
_BACK = 20
#: Where else something is done, among words that the trades know.
_WHERE = frozenset({"back", "front", "rear", "side", "landing", "stair", "floor", "upstairs", "downstairs", "exterior"})
_BEHIND_PLACE = frozenset({"too", "please", "as", "well", "also"})
#: The item before the last.
_BEHIND_IT = 2
#: "Ridge 8m hips 2 lots of 5.5 want it all doing": the verb is of what the sentence told before, too.
_WANTS_IT_ALL = re.compile(
    r"\b(?:wants?|needs?|like) (?:(?:it|them|this|that|those) all|all of (?:it|them|this|that|those)) \w", re.IGNORECASE
)
_SOME = frozenset({"few", "couple", "bit", "lot", "little"})
#: A field of a form: what, and how many.
_FIELD = re.compile(r"([A-Za-z][A-Za-z /-]{2,40}):\s*\d{1,4}\s*")
#: What may stand beside a number in a clause that only says how many there are of what was asked for.
_COUNTING = frozenset(
    ["about", "approximately", "approx", "roughly", "around", "circa", "maybe", "perhaps", "probably", "say", "only",
     "just", "exactly", "at", "least", "up", "to", "i", "we", "you", "think", "guess", "believe", "have", "got", "of",
     "them", "these", "those", "in", "all", "total", "totals", "altogether", "overall", "together", "there", "there's",
     "theres", "are", "is", "it's", "its", "it", "that's", "they", "they're", "a", "an", "the", "number", "no", "nos",
     "nr", "off", "ea", "pcs", "pieces", "units", "quantity", "qty", "count", "so", "or", "and"]
)  # fmt: skip


def add_work(
    so_far: Progress, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], named: list[Match],
    own: list[Quantity], inherited: bool,
) -> None:  # fmt: skip
    """Make the best task that was named an item, unless it says more of an item before."""
    named = _as_in_other_places(so_far, clause, named, own)
    new = New(so_far, clause, words, named[0], own, inherited)
    if so_far.items and not so_far.is_there(so_far.items[-1], clause):
        # Another place begins: nothing of it goes on about the one before.
        is_new = not _repeated(so_far, new.best, actions if not inherited else (), own, clause)
    else:
        is_new = _is_new(new, actions)
    if is_new:
        _add_new(so_far, clause, words, actions, named, new.own, inherited)


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


def _is_new(new: New, actions: Sequence[str]) -> bool:
    """Whether a clause is new work, and not more of an item before; the items that only told of it are taken back, and
    its figures are those that price it then."""
    so_far, clause = new.so_far, new.clause
    if says_more_by_chance(new) or says_its_verb(new):
        so_far.add_detail(clause, new.words, new.own)
        return False
    if is_treated_too(new):
        if not new.own:
            so_far.items[-1].reasons.append(not_measured(shown(so_far.text[clause.start : clause.end])))
        so_far.add_detail(clause, new.words, new.own)
        return False
    take_back_title(new)
    take_back_what_told(new)
    if _repeated(so_far, new.best, actions if not new.inherited else (), new.own, clause):
        return False
    if only_says_more(new):
        so_far.add_detail(clause, new.words, new.own)
        return False
    if tells_its_kind(new):
        _make_it_that_kind(so_far.items[-1], new)
        return False
    new.own = new.own or told_ahead(new)
    return True


def _make_it_that_kind(item: Item, new: New) -> None:
    if item.match is None:
        item.reasons = []
    item.match, item.figures, item.end = new.best, item.figures + new.own, new.clause.end
    if item.verb not in new.best.task.verbs:
        item.verb = new.best.verb
    item.detail += new.words


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
        # A permit for what is replaced is the permit: nothing is taken out for it.
        if part.remark and len(parts) == 1 and part.task.trade != "permits":
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


def add_same(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "… And the same at the back, 40 ft": what the sentence of the last work asked for once more, in another place;
    False where nothing was asked for, or another thing is named ("the same on the fence"), or the request tells its
    work place by place (`repeating`)."""
    last = so_far.items[-1] if so_far.items else None
    if last is None or last.match is None or so_far.sections.all:
        return False
    words = [one.text for one in clause.tokens if one.text.isalpha() and one.text not in _BEHIND_PLACE]
    place = lemma(words[-1])
    if so_far.index.knows(place) and place not in last.lemmas | PREMISES | STRUCTURES | _WHERE:
        return False
    for before in [one for one in so_far.items if one.clause.sentence == last.clause.sentence]:
        again = Item(clause, before.words, before.verb, before.match, before.others, list(own), end=clause.end)
        again.asked, again.refers, again.again = before.asked, True, True
        again.materials_by_customer, again.provided = before.materials_by_customer, before.provided
        so_far.add(again)
    return True


def counts_last(so_far: Progress, clause: Clause, count: Quantity) -> None:
    """ "Item: toilet. Action: replace. Qty: 2": how many of what was asked for last, which tells no number."""
    last = so_far.items[-1] if so_far.items else None
    counted = last is not None and last.match is not None and dimension(last.match.task.unit) is Dimension.COUNT
    # "Doors, 30x80, qty 4": what is counted is not measured by its size.
    roles = {Role.COUNT} if counted else WORK_ROLES
    if last is not None and so_far.is_there(last, clause) and not any(one.role in roles for one in last.figures):
        last.figures.append(replace(count, noun="them"))


def tells_how_many(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Replace doors, around 4 of them", "radiators. Number of radiators: 4", "toilets. It's 4 toilets in total": a
    clause that only counts what was asked for last, which tells no number."""
    last = so_far.items[-1] if so_far.follows_item(clause) else None
    if last is None or last.match is None or len(own) != 1 or own[0].role is not Role.COUNT or _has_count(last):
        return False
    before = so_far.before_in_sentence(clause)
    if last.clause.sentence != clause.sentence and before is not None and not _only_says_number(before):
        return False  # "Replace the pair. Rollers are loud too, 10 of them"
    beside = [
        token.text
        for token in clause.tokens
        if token.kind is Kind.WORD and not own[0].span.start <= token.start < own[0].span.end
    ]
    named = [word for word in beside if word not in _COUNTING]
    if not named:
        return own[0].noun == "them" and not last.clause.listed
    said = [token.text for token in last.clause.tokens]
    return named[-1].endswith("s") and set(named) <= {*said} and len(named) < len(beside)


def _only_says_number(clause: Clause) -> bool:
    """ "Total: 4": the words before the number."""
    return all(token.kind is not Kind.WORD or token.text in _COUNTING for token in clause.tokens)


def _has_count(item: Item) -> bool:
    return any(one.role is Role.COUNT for one in item.figures)


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


def _repeated(so_far: Progress, match: Match, actions: Sequence[str], own: list[Quantity], clause: Clause) -> bool:
    """A second mention of a task adds its figures to the first; one that brings a verb and figures is another
    line."""
    if _sums_up_again(so_far, match, clause):
        return True
    if counts_anew(so_far, clause, own) and _ALSO.search(so_far.text, 0, clause.start):
        return False
    item = so_far.last_of(match, clause)
    if item is None and so_far.section_of(clause) < 0 and not any(one.role in MEASURES for one in own):
        # "Front: … ceiling 14 m2. Back: … ceiling 11 m2. The two ceilings want plastering." "Same size everywhere."
        told = any(one.match is not None and one.match.task is match.task and one.section >= 0 for one in so_far.items)
        those = _THOSE.search(so_far.text, clause.start, clause.end) is not None
        if told and (those or not (clause.actions or own)):
            return True
    if item is None or item.match is None or item.match.task is not match.task:
        return False
    if is_elsewhere(item, clause) or (item is so_far.items[-1] and is_another_trouble(so_far, clause, own)):
        return False
    amount = any(one.role in WORK_ROLES and one.role is not Role.COUNT for one in own)
    if dimension(match.task.unit) in MEASURED and not amount and is_done_there_too(so_far, item, clause):
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
    of_all = listed and _WANTS_IT_ALL.search(so_far.text, clause.start, clause.end) is not None
    if (
        measured
        and not of_all
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


def _sums_up_again(so_far: Progress, match: Match, clause: Clause) -> bool:
    """ "To recap: replace the toilet, install 3 ceiling fans": behind such words what was asked for is told again."""
    if so_far.last_of(match, clause) is None:
        return False
    begin = max(0, clause.start - _LONGEST_SUMMARY)
    begin = max(begin, so_far.text.rfind("\n\n", begin, so_far.sentence_of(clause)[0]) + 1)
    recap = _RECAP.search(so_far.text, begin, clause.start)
    if recap is None:
        return False
    before = (one for one in so_far.items if one.clause.start < recap.start())
    return any(one.match is not None and one.match.task is match.task for one in before)


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
    begun = begins[0] in ONE_THING and begins[-1] not in _SOME
    another = begun or stands_behind(so_far.text, clause.start, ("+",))
    alike = not (match.exact and item.match.exact) or not match.words.isdisjoint(item.match.words)
    alike = alike and not _is_of_another_kind(so_far, item, clause)
    if not another or alike or any(one.role in WORK_ROLES and one.role is not Role.COUNT for one in item.figures):
        return None
    number = sum((one.value for one in item.figures if one.role is Role.COUNT), Decimal(0)) or Decimal(1)
    first = clause.tokens[0]
    span = Span(first.start, first.end)
    return Quantity(number + 1, "each", Role.COUNT, span, number + 1, number + 1, noun="them")


def _is_of_another_kind(so_far: Progress, item: Item, clause: Clause) -> bool:
    """ "3 double hung windows and a bay window": one more, of another kind than those that are counted before it."""
    counted = any(one.role is Role.COUNT and one.value > 1 and inside(one, item.clause) for one in item.figures)
    here = {word.lemma for word in so_far.index.words(clause.tokens) if word.weight == 1.0}
    joined = stands_behind(so_far.text, clause.start, ("and", "&", "plus", "+"))
    return counted and joined and bool(here - item.lemmas)


def _told_by_head(so_far: Progress, item: Item, clause: Clause) -> Decimal | None:
    """How many the item tells, where the clause is the first behind its colon that tells how many of each: "all locks
    rekeyed to one key: 4 deadbolts and 3 knobs"."""
    if not so_far.labels(item.clause) or item.clause.sentence != clause.sentence or not item.clause.actions:
        return None
    amounts = [one for one in item.figures if one.role in WORK_ROLES]
    if not all(one.role is Role.COUNT and inside(one, item.clause) for one in amounts):
        return None
    return max((one.value for one in amounts), default=None)


def _is_long(length: Quantity) -> bool:
    return length.unit not in UNITS or length.value * factor(length.unit, "m") > HIGHEST_FENCE


def _only_removes(task: Task) -> bool:
    """Whether a task takes a thing away, and does not mend it ("a broken key in the lock")."""
    verbs = verbs_of(task)
    return "remove" in verbs and "repair" not in verbs


def _remove_and_install(named: Sequence[Match]) -> list[Match]:
    """Where the catalogue has no replacement of a thing, its removal and its installation are two lines."""
    best = named[0]
    removal = next(
        (match for match in named if match.task is not best.task and _only_removes(match.task)
         and match.words & best.words and dimension(match.task.unit) is dimension(best.task.unit)), None,
    )  # fmt: skip
    return [best] if removal is None or "install" not in verbs_of(best.task) else [removal, best]
