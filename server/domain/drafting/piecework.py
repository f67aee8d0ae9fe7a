"""Piecework: work that has prices in more than one unit, or for a kind of its own, is priced as the request tells it
("patch four holes", "clean the carpets in three bedrooms", "run 30 ft of gas line", "a GFCI outlet")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from server.domain.catalogue import Task
from server.domain.drafting.actions import action_of
from server.domain.drafting.items import Item, Measured, inside, plain
from server.domain.drafting.matching import ROOMS, Match, lemma, lemmas_of
from server.domain.drafting.measuring import measure
from server.domain.drafting.quantities import Quantity, Role
from server.domain.drafting.reckoning import OF_ANOTHER_LINE, OF_ELSEWHERE, whole_told
from server.domain.drafting.scope import Scope
from server.domain.regions import IN_FEET
from server.domain.units import ONE_IS_MEANT, UNITS, Dimension, dimension, factor

#: What is mended by its length in a surface that is told by its area.
_MENDED = frozenset({"crack", "joint"})
#: What an item tells of itself, and no other line for it: "sealcoat 16,000 sq ft, crack fill, 600 lin ft".
_OWN = frozenset({Role.COUNT, Role.LENGTH})
#: What tells how large a whole is.
_MEASURED = frozenset({Role.AREA, Role.LENGTH})
_WHOLE = ONE_IS_MEANT
_EXTENTS = frozenset({Dimension.AREA, Dimension.LENGTH})
#: Characters behind an item within which it is said what it is not.
_SAID_WITHIN = 40
#: How far away something is, and characters before work within which that tells how long it is.
_AWAY = re.compile(r"\s*(?:away|off|from (?:the (?:house|meter|panel|main|wall)|it|there|where))\b", re.IGNORECASE)
_AWAY_WITHIN = 120
#: The chance from which another task may as well be meant.
_AS_WELL = 0.05
#: With what it is done, and no thing: "stairs to be steam cleaned".
_MEANS = frozenset({"steam", "shampoo", "water"})
#: Holes of these are filled, not patched.
_LITTLE = frozenset({"nail", "screw", "anchor", "pin", "tack"})


def of_kinds(items: Sequence[Item], scope: Scope) -> None:
    """Put in place of a task that for what the items say they are not the opposite of, that of the kind which they
    name, and of what is counted that by the measure which they tell."""
    starts = [*(item.clause.start for item in items[1:]), len(scope.text)]
    for item, behind in zip(items, starts, strict=False):
        if item.match is None:
            continue
        end = min(behind, max(item.end, item.clause.end) + _SAID_WITHIN)
        _take(item, scope.index.opposite(item.match.task, scope.text[item.clause.start : end]))
        task = item.match.task
        kinds = [form for form in scope.index.forms(task) if _is_kind(form, task) and item.verb in form.verbs]
        # "Barn door" before "door": the kind that is named by most words.
        kind = max(kinds, key=lambda form: _words_named(item, form), default=None)
        if kind is not None and _words_named(item, kind):
            _take(item, kind)
        elif dimension(task.unit) in _WHOLE:
            item.figures += _how_far(item, scope)
            measured = (form for form in _others(task, scope) if _is_measured(item, form, scope.text))
            _take(item, next(measured, None))


def _how_far(item: Item, scope: Scope) -> list[Quantity]:
    """ "The gas meter is 30 ft away. Need a gas line": as long as what it goes to is away, of what is told by its
    length in another form."""
    if item.match is None or any(one.role is Role.LENGTH for one in item.figures):
        return []
    if all(dimension(form.unit) is not Dimension.LENGTH for form in _others(item.match.task, scope)):
        return []
    start = max(0, item.clause.start - _AWAY_WITHIN)
    near = scope.figures_in(start, scope.sentence_of(item.clause)[1])
    away = [one for one in near if one.unit in UNITS and dimension(one.unit) is Dimension.LENGTH]
    away = [one for one in away if _AWAY.match(scope.text, one.span.end)]
    return [replace(away[0], role=Role.LENGTH)] if len(away) == 1 else []


def of_several_pieces(items: Sequence[Item], scope: Scope) -> list[Item]:
    """The items, and of work that is priced by several kinds of pieces one more for each kind that an item names beside
    the one that it counts: "carpets in 4 rooms and the stairs"."""
    whole: list[Item] = []
    for item in items:
        if whole and _is_piece_of(item, whole[-1], scope):
            whole[-1].detail += item.words
            whole[-1].end = item.end
        else:
            whole.append(item)
    return [one for item in whole for one in (item, *_named_besides(item, scope))]


def _is_piece_of(item: Item, before: Item, scope: Scope) -> bool:
    """Whether all that an item names is a piece of the work before: "clean carpets in 3 bedrooms, lounge, stairs"."""
    if item.match is None or before.match is None or item.figures or item.match.task.trade != before.match.task.trade:
        return False
    named = {word.lemma for word in item.words if not action_of(word.lemma) and word.lemma not in _MEANS}
    counted = _counted_forms(before.match.task, scope)
    return len(counted) > 1 and bool(named) and any(named <= _pieces(form) for form in counted)


def _named_besides(item: Item, scope: Scope) -> list[Item]:
    """An item for each kind of piece that is named and not counted; the item is left with what it counts."""
    counts = [figure for figure in item.figures if figure.role is Role.COUNT]
    forms = _counted_forms(item.match.task, scope) if item.match is not None and len(counts) == 1 else []
    counted = next((form for form in forms if counts and lemma(counts[0].noun) in _pieces(form)), None)
    besides = [form for form in forms if form is not counted and not item.lemmas.isdisjoint(_pieces(form))]
    if counted is None or not besides or len(item.figures) > 1:
        return []
    found = []
    for form in besides:
        own = tuple(word for word in (*item.words, *item.detail) if word.lemma in _pieces(form))
        more = replace(item, words=own, detail=[], figures=[], single=True, reasons=[], assumptions=[], answers=[])
        _take(more, form)
        found.append(more)
    _take(item, counted)
    return found


def _counted_forms(task: Task, scope: Scope) -> list[Task]:
    """The forms of measured work that are priced by the piece."""
    if dimension(task.unit) in _WHOLE:
        return []
    return [form for form in _others(task, scope) if dimension(form.unit) in _WHOLE]


def _pieces(form: Task) -> Set[str]:
    return {lemma(piece) for piece in form.pieces}


def by_the_piece(items: Sequence[Item], amounts: Sequence[Measured], scope: Scope) -> bool:
    """Put in place of a task of which the item itself does not tell how much that for each of the pieces, or the
    measure, which it names. Whether any was."""
    found = False
    for item, measured in zip(items, amounts, strict=True):
        if item.match is None or dimension(item.match.task.unit) in _WHOLE or not _LITTLE.isdisjoint(item.lemmas):
            continue
        own = any(figure.role in _OWN for figure in item.figures)
        borrowed = measured.reason in {OF_ANOTHER_LINE, OF_ELSEWHERE}
        told = measured.value is None or (own and borrowed) or _has_a_measured_piece(item)
        # "Crack fill and sealcoat the lot, 14,000 sf": the area is no length of cracks.
        lent = borrowed or _fills_cracks(item)
        forms = _others(item.match.task, scope) if told or lent else []
        form = next((form for form in forms if told and _is_told(item, form, scope.text)), None)
        if form is None and told:
            form = next((form for form in forms if _is_told_before(item, form, scope)), None)
        if form is None and measured.value is None and dimension(item.match.task.unit) in _EXTENTS:
            # "2 downpipes": nobody prices one there, and two they are all the same.
            nouns = {lemma(one.noun) for one in item.figures if one.role is Role.COUNT}
            counted = (one for one in scope.index.forms(item.match.task) if dimension(one.unit) in _WHOLE)
            form = next((one for one in counted if nouns & _pieces(one)), None)
        if form is None and lent:
            measures = (form for form in forms if dimension(form.unit) not in _WHOLE)
            form = next((form for form in measures if _words_told(item, form)), None)
        _take(item, form)
        found |= form is not None
    return found


def as_a_whole(items: Sequence[Item], amounts: Sequence[Measured], scope: Scope) -> bool:
    """Put in place of a task of which nothing tells how much one that is priced as a whole and may as well be meant:
    "clear the gutters", "paint the hall, stairs and landing". Whether any was."""
    found = False
    for item, measured in zip(items, amounts, strict=True):
        if item.match is None or measured.value is not None or dimension(item.match.task.unit) in _WHOLE:
            continue
        form = next(_wholes(item, item.match.task, scope), None)
        if form is not None:
            item.assumptions.append(f"{form.name}: taken as a whole, as nothing tells how much of it.")
        _take(item, form)
        found |= form is not None
    return found


def by_the_measure(items: Sequence[Item], scope: Scope) -> bool:
    """Put in place of a task that is priced as a whole, where the item tells how large that is, the work that is
    measured and called by the same words: "pressure wash the driveway, 600 sq ft". Whether any was."""
    found = False
    for item in items:
        if item.match is None:
            continue
        told = _measures_of(item, scope)
        of_all = replace(item, figures=[*item.figures, *(one for one in told if one not in item.figures)])
        form = _measured_as(of_all, item.match, told, scope) or _by_volume(item, item.match.task, scope)
        if form is None and (counted := _counted_as(item, item.match, scope)) is not None:
            _take(item, counted)
            found = True
        if form is None:
            continue
        # "The house and the driveway, 2,400 sf altogether" measures both.
        near = [one for one in items if one is not item and one.clause.sentence == item.clause.sentence]
        if not any(one.match is not None and one.match.task is form and not _tells_measure(one) for one in near):
            item.figures = of_all.figures
            _take(item, form)
            found = True
    return found


def as_more_of_it(items: Sequence[Item], amounts: Sequence[Measured], scope: Scope) -> None:
    """Put in place of a task of which there is more than there ever is in one place the task that so much is: "repair
    drywall, 300 sq ft" hangs sheets, and is no patch."""
    for item, measured in zip(items, amounts, strict=True):
        task = item.match.task if item.match is not None else None
        if task is None or not task.most or measured.value is None or measured.unit not in UNITS:
            continue
        comparable = dimension(measured.unit) is dimension(task.unit)
        if comparable and measured.value * factor(measured.unit, task.unit) > task.most:
            more = scope.index.catalogue.tasks[task.beyond]
            said = f"it is more than the {plain(task.most)} {task.unit} up to which it would be “{task.name}”"
            item.assumptions.append(f"{more.name}: {said}.")
            item.verb = more.verbs[0]
            _take(item, more)


def _tells_measure(item: Item) -> bool:
    return any(one.role in _MEASURED for one in item.figures)


def _measures_of(item: Item, scope: Scope) -> list[Quantity]:
    """The measures that an item tells; else of the whole that it is done to: "Block drive 62 m2 … Then the whole drive
    jet washed"."""
    told = [one for one in item.figures if one.role in _MEASURED]
    whole = whole_told(item, Role.AREA, scope) if not told else None
    return told if whole is None else [replace(whole, role=Role.AREA)]


def _measured_as(item: Item, match: Match, told: Sequence[Quantity], scope: Scope) -> Task | None:
    """The work that is measured as an item tells, and called so, where its task is priced as a whole."""
    task = match.task
    counted = any(one.role in {Role.COUNT, Role.FREQUENCY, Role.TIME} for one in item.figures)
    # A thing that is counted has a size of its own, unless the task tells that: "turf of a 50 m² garden".
    of_whole = dimension(task.unit) in _WHOLE and (task.unit == "visit" or any(one.isdigit() for one in task.name))
    if not told or counted or task.default or not of_whole or match.things & ROOMS:
        return None
    if any(plain(one.value) in task.name for one in told):
        return None  # "turf of a 50 m2 garden"
    named = scope.index.match(item.words, (item.verb,), industry=scope.industry)
    called = (one.task for one in named if one.verb_fits and match.things <= scope.index.described(one.task))
    alike = (one for one in called if one.trade == task.trade and dimension(one.unit) not in _WHOLE)
    priced = (one for one in alike if _is_priced(one, metric=scope.usual_metric))
    return next((one for one in priced if _is_measured(item, one, scope.text)), None)


def _counted_as(item: Item, match: Match, scope: Scope) -> Task | None:
    """ "Windows inside and out (17 windows)": the work by the piece, of what a visit to the whole house is for."""
    counts = [one for one in item.figures if one.role is Role.COUNT and one.value > 1]
    if match.task.unit != "visit" or len(counts) != 1:
        return None
    if counts[0].noun != "them" and lemma(counts[0].noun) not in match.things - ROOMS:
        return None
    named = scope.index.match(item.words, (item.verb,), industry=scope.industry)
    called = (one.task for one in named if one.verb_fits and match.things <= scope.index.described(one.task))
    pieces = (one for one in called if one.trade == match.task.trade and one.unit == "each")
    return next((one for one in pieces if _is_priced(one, metric=scope.usual_metric)), None)


def _wholes(item: Item, task: Task, scope: Scope) -> Iterator[Task]:
    """The tasks of the same trade that are priced as a whole where the work is, and which the words of an item mean:
    by pieces of several words, or by what was learned."""
    alike = [
        one
        for one in scope.index.of_trade(task.trade)
        if dimension(one.unit) in _WHOLE and item.verb in one.verbs and _is_priced(one, metric=scope.usual_metric)
    ]
    yield from (one for one in alike if _words_told(item, one) > 1)
    number = scope.places.get(item.clause.start)
    if number is None or scope.meant is None:
        return
    visits = {one.task_id: one for one in alike if one.unit == "visit"}
    for task_id, chance in scope.meant.of(number):
        if chance < _AS_WELL:
            return
        if task_id in visits:
            yield visits[task_id]


def _has_a_measured_piece(item: Item) -> bool:
    """ "9,000 square feet of asphalt, some 400 feet of crack": a length of what is mended."""
    return any(figure.role is Role.LENGTH and lemma(figure.noun) in _MENDED for figure in item.figures)


def _fills_cracks(item: Item) -> bool:
    """Whether cracks are filled or sealed, and no area is patched."""
    said = {lemma(token.text) for token in item.clause.tokens}
    return "crack" in item.lemmas and not said.isdisjoint({"fill", "seal"})


def _take(item: Item, form: Task | None) -> None:
    if form is not None and item.match is not None:
        item.match = replace(item.match, task=form)


def _is_kind(form: Task, task: Task) -> bool:
    """Whether a form is counted or measured as the whole work is, and so a kind of it."""
    one, other = dimension(form.unit), dimension(task.unit)
    return one is other or {one, other} <= _WHOLE


def _others(task: Task, scope: Scope) -> list[Task]:
    """The forms of a task that are told in another way than it, and that a source prices where the work is."""
    forms = (form for form in scope.index.forms(task) if not _is_kind(form, task))
    return [form for form in forms if _is_priced(form, metric=scope.usual_metric)]


def _by_volume(item: Item, task: Task, scope: Scope) -> Task | None:
    """The form by its volume of what a task is a size of: "25 cubic yards of junk" are no half truck, whatever part of
    one was taken to be meant."""
    if task.default or not any(figure.role is Role.VOLUME for figure in item.figures):
        return None
    thing = lemmas_of(task.name)[:1]
    alike = (one for one in scope.index.of_trade(task.trade) if one.default and item.verb in one.verbs)
    forms = (form for one in alike if lemmas_of(one.name)[:1] == thing for form in _others(one, scope))
    return next((form for form in forms if _is_measured(item, form, scope.text)), None)


def _is_priced(form: Task, *, metric: bool) -> bool:
    """Whether any source prices the form where metres, or feet, are usual."""
    stated = any((claim.country not in IN_FEET) is metric for claim in form.claims)
    return stated or bool(form.labour or form.observed)


def _is_told(item: Item, form: Task, text: str) -> bool:
    """Whether an item names the pieces of a form, or tells its measure."""
    if dimension(form.unit) in _WHOLE:
        return _words_told(item, form) > 0
    return _is_measured(item, form, text)


def _is_told_before(item: Item, form: Task, scope: Scope) -> bool:
    """ "The lead round the chimney has had it, renew it": what is done to the thing that was told of right before, in
    what names the pieces of a form."""
    number = scope.places.get(item.clause.start, 0)
    if not number or scope.meant is None or item.match is None or dimension(form.unit) not in _WHOLE:
        return False
    things = {word.lemma for word in item.words if word.start >= item.clause.start and not action_of(word.lemma)}
    before, meant = scope.clauses[number - 1], scope.meant.likeliest(number - 1)
    if meant is None or meant[0] != item.match.task.task_id or item.clause.sentence - before.sentence > 1:
        return False
    counted = any(inside(figure, before) for figure in scope.figures)
    if counted or not things.isdisjoint(scope.index.described(item.match.task)):
        return False
    return _longest(form, {word.lemma for word in scope.index.words(before.tokens)}) > 0


def _is_measured(item: Item, form: Task, text: str) -> bool:
    """Whether an item tells the measure that a form of counted work is priced by, and names it if that has names."""
    if item.match is None or (form.pieces and not _words_told(item, form)):
        return False
    return measure(replace(item, match=replace(item.match, task=form)), text).value is not None


def _words_named(item: Item, form: Task) -> int:
    """How many words the longest of a kind's names has that the item is called by, not what stands around it."""
    said = {word.lemma for word in item.words if word.weight == 1.0}
    return _longest(form, said | {token.text for token in item.clause.tokens if action_of(token.text)})


def _words_told(item: Item, form: Task) -> int:
    """How many words the longest of a form's pieces has that the item tells, wherever."""
    return _longest(form, {*item.lemmas, *(lemma(figure.noun) for figure in item.figures)})


def _longest(form: Task, said: Set[str]) -> int:
    pieces = ({lemma(word) for word in piece.split()} for piece in form.pieces)
    return max((len(piece) for piece in pieces if piece <= said), default=0)
