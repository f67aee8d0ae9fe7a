"""Amounts: clauses that only tell more of how much of the work before them ("… and 40 ft across the back")."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from server.domain.drafting.actions import PARTICLES, action_of
from server.domain.drafting.choosing import NONE
from server.domain.drafting.clauses import Clause
from server.domain.drafting.combining import FURTHER, PARTS, PLACES
from server.domain.drafting.counting import more_kinds, tells_sides
from server.domain.drafting.items import Item, inside, places_of, shown
from server.domain.drafting.matching import Word, lemma, lemmas_of
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.drafting.telling import MEASURES
from server.domain.units import UNITS, Dimension, dimension

#: Behind a measure, where it is: "12 metres beside the drive".
_WHERE = re.compile(
    r"\s*(?:more |extra )?(?:(?:in|on|at|along|across|down|up|beside|behind|by|round|around|under|over|near|next to|to)"
    r" (?:the|my|our|each|one|either|his|her)|outside|inside|upstairs|downstairs|out|in front|in back|round the"
    r"|return(?:ing|s)?)\b",
    re.IGNORECASE,
)  # fmt: skip
#: Where there is more, before the measure of that: "(plus) behind the hob up to the extractor another".
_WHERE_ANOTHER = re.compile(
    r"(?:(?:and|plus|then|also) )*"
    r"(?:behind|beside|in|on|at|over|above|under|below|around|round|along|across|by|between)"
    rf" [\w' -]{{3,50}} {FURTHER}",
    re.IGNORECASE,
)
#: The size of one of the things before: "… each 2.5 m wide by 2.4 m high".
_EACH_SIZED = re.compile(r"\W*(?:and |with )?(?:each|all|both|every one)\b", re.IGNORECASE)
_EACH_PLACE = re.compile(r"\b(?:per|each|every) ([a-z]+)", re.IGNORECASE)
#: "Mow and edge, 28 visits".
_SO_MANY_VISITS = re.compile(
    r"(?:for |about |approx\.? )?\d{1,3} (?:visits|cuts|mows|occasions|sessions)", re.IGNORECASE
)
#: "No, sorry, it's 17 m".
CORRECTS = re.compile(
    r"\b(?:no,? (?:sorry|wait)|sorry,? (?:make|i meant|it|that|the|\d{1,3}|two|three|four|five|six)"
    r"|make (?:that|it)|i meant?|correction|scratch that"
    r"|actually,? (?:it['’]?s|go|make|do|more like|that['’]?s|\d{1,3}))\b",
    re.IGNORECASE,
)
#: "No wait, make that 9": right before the figure.
_TELLS_RIGHT = re.compile(
    r"\b(?:make (?:that|it)|i meant?|it['’]s|that['’]s|sorry,?|no,? wait,?)(?: just| only)? $", re.IGNORECASE
)
_WITHIN = 24
_PARTED = re.compile(r"[.;,\n]| and ")
#: What may stand between a place and its measure; a line below the last.
_FIGURE_BEHIND = re.compile(r"\s*[(,:]\s*(?=\d)")
_PARTS_BEHIND = re.compile(r"\s*[:(]")
_NEXT_LINE = re.compile(r"[ \t,;.:]*(?:\n| / )[ \t\-–•*]*|[.;] ")
#: What stands between a part and its measure; what may stand behind that.
_SAYING_IS = frozenset(
    {"is", "are", "measures", "has", "the", "our", "my", "a", "and", "plus", "about", "another", "say"}
)
_BEFORE_PLACE = frozenset({"in", "at", "on", "for", "to", "of", "with", "from", "over", "under"})
_ENDS_PART = re.compile(r"[\s)]*(?:each|apiece)?\W*")
#: The surfaces of a room.
_OF_ROOMS = frozenset({"wall", "floor", "ceiling"})
#: Rooms that are things where no size is told of them.
_SMALL_ROOMS = frozenset({"toilet", "wc", "cloakroom", "pantry", "closet", "shower", "stair"})
#: The chance from which a clause is of the item's work.
_MEANT = 0.7
#: Tokens of a clause that only tells sizes; words before a figure that only say where or that there is more; clauses
#: that a count is told in.
_LONGEST_SIZE = 16
_SHORT_LEAD = 4
_MOST_PARTS = 8
#: Characters from where an item begins within which it is said what each place has.
_TELLS_WITHIN = 400
_PAIR = 2
#: The figures of an item that may be the last: a surface has those of its sides.
_LAST = 4


def tells_more(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """Whether the clause only tells how much of the item before, or where it is; its figures are that item's then."""
    if not so_far.items:
        return False
    item = so_far.items[-1]
    if so_far.in_sentence(clause) and _counts_fronts(clause, item, own):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and _is_counted(item) and tells_sides(so_far.text[clause.start : clause.end]):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and _counts_kind(so_far, clause, item, own):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.follows_item(clause) and _counts_elsewhere(so_far, clause, item, own):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and _counts_visits(so_far, clause, item):
        item.figures += own
        return True
    if clause.actions:
        return False
    if corrects(so_far, clause, own):
        return True
    if so_far.in_sentence(clause) and _counts_places(so_far, clause, item, own):
        so_far.add_detail(clause, (), [])
        return True
    here = so_far.in_sentence(clause) and (
        _counts_each_place(so_far, item, own)
        or _sizes_each(so_far, clause, own)
        or _measures(so_far, clause, item, own)
        or _measures_another(so_far, clause, item, own)
    )
    if here:
        so_far.add_detail(clause, (), own)
        return True
    goes_on = _is_on_next_line(so_far, clause, item) or _goes_on_with_list(so_far, clause, item)
    if goes_on and _measures(so_far, clause, item, own):
        item.figures += own
        return True
    return False


def _counts_fronts(clause: Clause, item: Item, own: Sequence[Quantity]) -> bool:
    """ "14 doors and 5 drawer fronts" of cabinets."""
    if item.match is None or clause.actions or len(own) != 1 or own[0].role is not Role.COUNT:
        return False
    fronts = own[0].noun in {"doors", "drawer", "drawers", "fronts"} and own[0].span.start <= clause.start + _SHORT_LEAD
    return fronts and "cabinet" in lemmas_of(item.match.task.name) and _is_counted(item)


def _counts_kind(so_far: Progress, clause: Clause, item: Item, own: Sequence[Quantity]) -> bool:
    """ "6 double sockets and 2 single", "smoke x5, heat x1": nothing but a kind of the things before, and how many."""
    if item.match is None or clause.actions or len(own) != 1 or own[0].role is not Role.COUNT:
        return False
    counts = [one for one in item.figures if one.role is Role.COUNT]
    if not counts or not _is_counted(item) or not more_kinds(counts[-1], own, item.match.task, so_far.text):
        return False
    words = so_far.index.words(clause.tokens, measured=places_of(own))
    others = (one for one in so_far.index.of_trade(item.match.task.trade) if one is not item.match.task)
    # "4 outlets, 1 GFCI": a kind that has a price of its own.
    priced = any(own[0].noun in lemmas_of(one.name) and one.unit == "each" for one in others)
    return not priced and not _means_other(so_far, clause, item, words)


def _counts_visits(so_far: Progress, clause: Clause, item: Item) -> bool:
    by_visit = item.match is not None and item.match.task.unit == "visit"
    return by_visit and _SO_MANY_VISITS.fullmatch(so_far.text, clause.start, clause.end) is not None


def corrects(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """Put the last figure of a kind right where the clause does: "14 m of fence. No, sorry, it's 17 m"."""
    number = so_far.places.get(clause.start)
    if number is None or not own or not so_far.follows_item(clause):
        return False
    item = so_far.items[-1]
    near = so_far.clauses[max(0, number - _MOST_PARTS) : number + 1]
    sentence = next(one.start for one in near if one.sentence == clause.sentence)
    if not CORRECTS.search(so_far.text, sentence, clause.end):
        return False
    # Of "14 x 18" the surface.
    right = next((one for one in own if one.sides), own[-1])
    before = so_far.items[-2:-1] if item.clause.sentence == so_far.items[-_PAIR:][0].clause.sentence else []
    measured = right.noun == THERE and not _is_counted(item)
    told = [one for of in (item, *before) for one in reversed(of.figures)]
    told = [one for one in told if (one.role in MEASURES if measured else one.role is right.role)]
    wrong = next((one for one in told if _is_told_there(so_far, one, clause)), None) or next(iter(told), None)
    if wrong is None or not _is_of_item(right, item):
        return False
    if measured or (not right.sides and sum(one.role is right.role for one in told) > 1):
        # "30 ft in the crawl space and 12 in the garage. No wait, 14 in the garage": in its place of the list
        own = [replace(wrong, value=right.value, low=right.low, high=right.high)]
        item.assumptions.append(f"“{shown(so_far.text[clause.start : clause.end])}” puts right what was told before.")
    for other in so_far.items[-_MOST_PARTS:]:
        # "Slabs lifted, 6 x 4, and sandstone laid. Sorry, 5 x 4": so much of either.
        if other is item or any(one is wrong for one in other.figures):
            at = next((n for n, one in enumerate(other.figures) if one is wrong), len(other.figures))
            before_it, behind = (
                [one for one in some if not wrong.span.start <= one.span.start < wrong.span.end]
                for some in (other.figures[:at], other.figures[at:])
            )
            other.figures = [*before_it, *own, *behind]
    return True


def _is_told_there(so_far: Progress, figure: Quantity, clause: Clause) -> bool:
    """Whether a place that the clause names stands right before or behind a figure."""
    places = {token.text for token in clause.tokens if lemma(token.text) in PLACES}
    start, end = figure.span.start, figure.span.end
    before = _PARTED.split(so_far.text[max(0, start - _WITHIN) : start].lower())[-1]
    behind = _PARTED.split(so_far.text[end : end + _WITHIN].lower())[0]
    return not places.isdisjoint(re.findall("[a-z]+", f"{before} {behind}"))


def _is_of_item(figure: Quantity, item: Item) -> bool:
    """Not "3 toilets, sorry, 3 flappers"."""
    if figure.role is not Role.COUNT or item.match is None or figure.noun in {"", "them", THERE}:
        return True
    return lemma(figure.noun) in {*item.lemmas, *lemmas_of(item.match.task.name)}


def tells_right(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """`corrects` by a clause that seems to take something back: "no wait make that 9"."""
    if len(own) != 1:
        return False
    start = so_far.sentence_of(clause)[0]
    before = so_far.text[max(start, own[0].span.start - _WITHIN) : own[0].span.start]
    return _TELLS_RIGHT.search(before) is not None and corrects(so_far, clause, own)


def tells_where(text: str, end: int) -> bool:
    """Whether it is told behind a measure where that is: "… down the side"."""
    return _WHERE.match(text, end) is not None


def _sizes_each(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    sized = bool(_roles(own)) and _EACH_SIZED.match(so_far.text, clause.start, clause.end) is not None
    return sized and len(clause.tokens) <= _LONGEST_SIZE


def _measures(so_far: Progress, clause: Clause, item: Item, own: Sequence[Quantity]) -> bool:
    """Behind work that tells a measure, the same of further places: "floors in 3 bedrooms 11x12, 10x12 and 13x14 plus a
    hallway 4x15", "skirting: hall 9 m, kitchen 11 m", "… and a further 12 m beside the drive"."""
    first = next((one for one in own if one.role in MEASURES), None)
    if first is None:
        # "Dining room (12 x 12)", "the side wall, 9 m x 5 m": its measure stands behind.
        behind = _FIGURE_BEHIND.match(so_far.text, clause.end)
        first = so_far.figure_at(behind.end()) if behind is not None and not own else None
    if first is None or first.role not in MEASURES or not _could_measure(item, first):
        return False
    lead = so_far.text[clause.start : first.span.start].split()
    words = so_far.index.words(clause.tokens, measured=places_of(own))
    parts = PARTS | (_SMALL_ROOMS if first.sides else set()) | item.lemmas | _walls_of(item)
    others = [one for one in words if one.lemma not in parts and not one.lemma.isdigit()]
    if own and others and _names_part(so_far, clause, item, first, lead):
        return not _means_other(so_far, clause, item, words)
    if len(lead) <= _SHORT_LEAD and own and _WHERE.match(so_far.text, first.span.end):
        if _means_other(so_far, clause, item, words) or _is_on_other_surface(item, words):
            return False  # "18 m2 of wall tile and 5 m2 on the floor"
        # "… and a sidewalk 30 ft long to the porch" is other work.
        return not any(one.start < first.span.start and so_far.index.knows(one.lemma) for one in others)
    return not others or (bool(own) and _is_meant(so_far, clause, item, first, others))


def _measures_another(so_far: Progress, clause: Clause, item: Item, own: Sequence[Quantity]) -> bool:
    """ "… 4.3 linear metres at 0.5 high, plus behind the hob up to the extractor another 0.6 sqm": ends with how much
    more it is, and says before only where."""
    last = own[-1] if own else None
    if last is None or last.role not in MEASURES or item.match is None or len(own) > 1:
        return False
    alike = last.unit in UNITS and dimension(last.unit) is dimension(item.match.task.unit)
    ends = _ENDS_PART.fullmatch(so_far.text, last.span.end, clause.end) is not None
    return alike and ends and _WHERE_ANOTHER.fullmatch(so_far.text, clause.start, last.span.start) is not None


def _walls_of(item: Item) -> Set[str]:
    """ "Hang drywall: wall A 20 x 9": walls are parts of work on walls, and none of "tile the floor, 6 m2, and the
    walls, 21 m2"."""
    task = item.match.task if item.match else None
    of_walls = task is not None and (task.trade in {"drywall", "plastering"} or "wall" in lemmas_of(task.name))
    return {"wall"} if of_walls else set()


def _names_part(so_far: Progress, clause: Clause, item: Item, first: Quantity, lead: Sequence[str]) -> bool:
    """ "Bar area 8x10", "front elevation 20 m2", "unit 2 is 700": nothing but what calls a part, and its measure."""
    said = [word.strip(",:(").lower() for word in lead]
    named = [lemma(word) for word in said if word.isalpha() and len(word) > 1 and word not in _SAYING_IS]
    counted = any(one.role is Role.COUNT for one in so_far.figures_in(clause.start, first.span.start))
    if counted or not 0 < len(named) < _SHORT_LEAD or any(word in _BEFORE_PLACE or action_of(word) for word in named):
        return False  # "and LVP in kitchen & hall 260 sf", "two vinyl banners 3x8"
    ends = _ENDS_PART.fullmatch(so_far.text, first.span.end, clause.end) is not None
    return ends and named[-1] in PARTS | _walls_of(item)


def _means_other(so_far: Progress, clause: Clause, item: Item, words: Sequence[Word]) -> bool:
    """Whether the clause was learned to be of other work, and has a word of that which is none of the item's."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None or item.match is None:
        return False
    task_id, chance = so_far.meant.likeliest(number)
    if task_id in {NONE, item.match.task.task_id} or chance < _MEANT:
        return False
    other = {*lemmas_of(so_far.index.catalogue.tasks[task_id].name)} - PARTICLES
    other -= so_far.index.described(item.match.task)
    return any(word.lemma in other for word in words)


def _is_on_other_surface(item: Item, words: Sequence[Word]) -> bool:
    """ "Tile: 80 sq ft of wall, 30 sq ft on the floor": of work that is for one surface of a room."""
    here = {word.lemma for word in words} & _OF_ROOMS
    there = {*lemmas_of(item.match.task.name)} & _OF_ROOMS if item.match is not None else set[str]()
    return bool(here and there) and here.isdisjoint(there)


def _is_meant(so_far: Progress, clause: Clause, item: Item, first: Quantity, words: Sequence[Word]) -> bool:
    """ "20 m privet at the front, 15 m laurel at the back": begins with its amount, and was learned to be of the item's
    work."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None or item.match is None or first.span.start > clause.start:
        return False
    same = any(one.unit == first.unit and one.role is first.role for one in item.figures)
    known = {word.lemma for word in words if so_far.index.knows(word.lemma)}
    if not known <= so_far.index.described(item.match.task):
        return False  # "and 1,200 sq ft of house wrap under it"
    return same and so_far.meant.chance(number, item.match.task.task_id) >= _MEANT


def _could_measure(item: Item, figure: Quantity) -> bool:
    """Whether the item is told by such a measure, or waits for one."""
    roles = _roles(item.figures)
    fits = item.match is None or UNITS[item.match.task.unit].dimension is UNITS[figure.unit].dimension
    return figure.role in roles if roles else fits


def _goes_on_with_list(so_far: Progress, clause: Clause, item: Item) -> bool:
    """ "Skim the walls. Front bedroom is 30 m2, back bedroom 28": behind a clause of its sentence whose measure is the
    item's."""
    before = so_far.before_in_sentence(clause)
    if before is None or before.actions:
        return False
    return any(one.role in MEASURES and inside(one, before) for one in item.figures[-_LAST:])


def _is_on_next_line(so_far: Progress, clause: Clause, item: Item) -> bool:
    last = max((one.span.end for one in item.figures[-_LAST:]), default=item.end)
    found = _NEXT_LINE.fullmatch(so_far.text, last, clause.start) if last >= 0 else None
    if found is None or found[0][0] not in ".;" or "\n" in found[0]:
        return found is not None
    # "Paint the ceilings. Living 12 x 15. Dining 12 x 12": of work that tells no measure itself.
    return not any(one.role in MEASURES and inside(one, item.clause) for one in item.figures)


def _counts_each_place(so_far: Progress, item: Item, own: Sequence[Quantity]) -> bool:
    """Behind "one per landing", how many landings there are."""
    if len(own) != 1 or own[0].role is not Role.COUNT or not _is_place(own[0]):
        return False
    said = _EACH_PLACE.findall(so_far.text, item.clause.start, min(item.end, item.clause.start + _TELLS_WITHIN))
    return lemma(own[0].noun) in [lemma(noun.lower()) for noun in said]


def _counts_elsewhere(so_far: Progress, clause: Clause, item: Item, own: Sequence[Quantity]) -> bool:
    """Behind work on things, how many of them where: "… 3 upstairs and 2 outside", "kitchen 8, hall 3", "1 foyer"."""
    there = any(one.noun == THERE for one in item.figures[:_MOST_PARTS])
    if not any(one.noun == THERE or (there and _is_place(one)) for one in own) or _roles(own) or not _is_counted(item):
        return False
    listed = so_far.in_sentence(clause) or there
    lead = so_far.text[clause.start : own[0].span.start].split()
    short = not lead if clause.actions else len(lead) <= _SHORT_LEAD
    return (listed or so_far.lacks_figures(clause, back=1)) and short


def _counts_places(so_far: Progress, clause: Clause, item: Item, own: Sequence[Quantity]) -> bool:
    """Behind a count, places or kinds whose counts make it up: "hang 6 doors, 4 bedrooms and 2 closets", "4 radiators:
    two doubles and two singles"."""
    counts = [one for one in own if one.role is Role.COUNT]
    kinds = _PARTS_BEHIND.match(so_far.text, item.clause.end) is not None
    if not counts or not (kinds or all(map(_is_place, counts))):
        return False
    own_figures = item.figures[:_MOST_PARTS]
    whole = next((one for one in own_figures if one.role is Role.COUNT and inside(one, item.clause)), None)
    number = so_far.places.get(item.clause.start, len(so_far.clauses))
    following = [one for one in so_far.clauses[number + 1 : number + _MOST_PARTS] if one.sentence == clause.sentence]
    if whole is None or not following:
        return False
    listed = so_far.figures_in(following[0].start, following[-1].end)
    parts = [one for one in listed if one.role is Role.COUNT]
    told = kinds or all(map(_is_place, parts))
    return len(parts) > 1 and told and sum(one.value for one in parts) == whole.value


def _is_place(count: Quantity) -> bool:
    return lemma(count.noun) in PLACES or count.noun in {"them", THERE}


def _is_counted(item: Item) -> bool:
    return item.match is not None and dimension(item.match.task.unit) is Dimension.COUNT


def _roles(figures: Sequence[Quantity]) -> set[Role]:
    return {figure.role for figure in figures if figure.role in MEASURES}


def sums_up(so_far: Progress, clause: Clause, total: Quantity) -> bool:
    """ "900 sf LVP and 550 sf carpet, 1450 total": what the measures of several works of the sentence come to."""
    start, _ = so_far.sentence_of(clause)
    told = [one for one in so_far.figures_in(start, total.span.start) if one.role in MEASURES and not one.sides]
    works = [item for item in so_far.items if any(one in told for one in item.figures)]
    return len(works) > 1 and sum(one.value for one in told) == total.value
