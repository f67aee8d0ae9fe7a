"""Figures that belong together: so many of each, and lists that add up ("12x12 and 10x11", "4 downpipes, 2.5 m each").

Nothing is added up across clauses of different work; what was put together is said as an assumption.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from server.domain.drafting.items import HIGHEST_FENCE, Item, Measured, inside, plain
from server.domain.drafting.listing import LISTED_ROOMS, SHORT_ROOMS
from server.domain.drafting.matching import ROOMS, lemma
from server.domain.drafting.quantities import Quantity, Role
from server.domain.units import UNITS, Dimension, dimension, factor

_EACH_AFTER = re.compile(
    r"\W{0,3}(?:(?:of )?[a-z]+ )?(?:each|apiece|a piece|ea\b|(?:on|for|in|at) (?:each|every)\b(?! (?:side|end)\b)"
    r"|per (?:one|room|window|door|piece|wall|side))", re.IGNORECASE,
)  # fmt: skip
_EACH_BEFORE = re.compile(
    r"\b(?:(?:each|every)(?: [a-z]+)?"
    r"|(?:both|all)(?: (?:wall|room|bedroom|ceiling|window|of (?:them|em)|[a-z]+(?= (?:is|are|being|measur))))?)"
    r"(?: is| are| being| measur(?:es|ing)| an? triangle| about| approx\.?| approximately| around| roughly|:){0,3}"
    r"[ (~:]{0,2}$|@\s?$",
    re.IGNORECASE,
)
#: "50 ft on each side": of two.
_EACH_SIDE = re.compile(r"\W{0,3}(?:(?:on|down|along) )?(?:each|either) (?:side|end)\b", re.IGNORECASE)
_BOTH_ENDS = re.compile(r"\bfront (?:and|&) (?:the )?(?:back|rear)\b|\bback (?:and|&) (?:the )?front\b", re.IGNORECASE)
#: Between a count and the size of one of the things: "3 raised beds that are 4x8", "3 rooms, all the same size, 11x12".
_OF_SIZE = re.compile(
    r"[\s)]*(?:[a-z'/-]{2,20} ){0,3}(?P<things>[a-z'-]{3,20}s)\b[\s,:(-]*"
    r"(?:(?:that|which|they|are|each|all|the same|size|is|at|of|sized?|measuring|about|approx\.?|around|roughly|say)\b"
    r"[\s,:(-]*)*",
    re.IGNORECASE,
)
_ARE_SIZED = re.compile(
    r"(?: of (?:them|these|those))? (?:are|at|@|each)(?: each| all)?(?: about| approx\.?| roughly)? ", re.IGNORECASE
)
_OF_ONE = re.compile(r"\b(?:one|another|the other)(?: is| at| of)?(?: about)? $", re.IGNORECASE)
_NO_THINGS = frozenset({"this", "plus", "does", "was", "has", "years", "months", "minus", "less", "across"})
#: What is left out of a surface: "28 x 44, minus the 12x12 part".
_SUBTRACTS = r"minus|less|leav(?:e|ing) out|knock(?:ing)? off|subtract(?:ing)?|deduct(?:ing)?"
_LESS = re.compile(
    rf"\b(?:{_SUBTRACTS}|without|not counting|except(?: for)?|excluding|with an? (?:gap|opening|gateway) of)\b[^.;]*$",
    re.IGNORECASE,
)
_SUBTRACTED = re.compile(rf"\b(?:{_SUBTRACTS})\b[^.;]*$", re.IGNORECASE)
#: "Roots at 22 ft": where something is, before the figure.
_AT = re.compile(r"\bat (?:about |approx\.? )?\Z", re.IGNORECASE)
#: The same behind it: "it has a 16 x 7 door in it, subtract that".
_LESS_BEHIND = re.compile(
    r"[^.;\n]{0,40}\b(?:subtract|deduct|leave out|knock off) (?:that|it|those|them)\b", re.IGNORECASE
)
#: "2 runs of 45 ft".
_RUNS = re.compile(
    r"\s*(?:runs?|lengths?|sections?|pieces?|strips?|stretches|rows?|sides?|lots) (?:of|at|@) (?:about |approx\.? )?$",
    re.IGNORECASE,
)
#: Between one length and that of each of several: "ridge 8 m hips 2 lots of 5.5", "the front, 9 m, and 2 runs of 4 m".
_AND_RUNS = re.compile(
    r"[\s,]*(?:(?:and|plus|&|\+) )?(?:the )?(?:[a-z]+[\s,]+){0,2}(?:[2-9]|two|three|four|five|six) ?[x×]? ?"
    r"(?:runs|lengths|sections|pieces|strips|stretches|lots) (?:of|at|@) (?:about |approx\.? )?",
    re.IGNORECASE,
)
_STRETCHES = frozenset({"side", "end", "wall", "run", "length", "section", "stretch", "piece"})
_BOTH_SIDES = re.compile(
    r"\b(?:east and west|north and south|left and right"
    r"|sides|ends|front and (?:back|rear)|back and front)(?: are| is|:|,)?(?: about| approx\.?)?\s*$",
    re.IGNORECASE,
)
#: "One wall 24 ft, the other two 18 ft each".
_OTHERS = re.compile(r"\bother (?P<some>two|three|four|[234])(?: are| is| at|:)?(?: about)? $", re.IGNORECASE)
_AND = re.compile(r"(?:\band\b|\bplus\b|&|\+)", re.IGNORECASE)
#: What a part is of, between two parts: "5 yards of mulch out front and 3 in back", "on one side of the house".
_OF_IT = re.compile(
    r"^ of [a-z]+(?= )|\bto the [a-z]+(?: [a-z]+)?(?=,| and|$)"
    r"|\b(?:bed|room|bedroom|bathroom|unit|flat|floor) \d{1,2}\b"
    r"|\b(?:bay|strip|piece|section|patch|run|part|area) of(?= )"
    r"|\b(?:sides?|front|back|rear|end|top|part|half) of (?:the|my|our) \w+",
    re.IGNORECASE,
)
_NEXT_LINE = re.compile(r"(?:\s*\n| /|(?P<stop>[.;]) )\W*(?P<place>[A-Za-z ]{2,30})\d?\W*")
_PLACE_BEFORE = re.compile(r"([A-Za-z]+)\d?\W*$")
_IS_SIZED = re.compile(r"[\s,]*(?:and )?(?:the |our )?(?:[a-z]+ )?(?P<place>[a-z]+) is (?:about )?", re.IGNORECASE)
_WITH_A = re.compile(r"\W*(?:[a-z]+ )?with an? ", re.IGNORECASE)
_ENDS_LIST = re.compile(r"[.;:\n]|\bor\b|\bby\b|\bto\b|\bfrom\b|\bof\b", re.IGNORECASE)
#: Parts of what is measured, by which it may be told one by one.
PLACES = ROOMS | {
    "sitting", "landing", "utility", "den", "nursery", "spare", "box", "main", "master", "small", "large", "big",
    "other", "upstairs", "downstairs", "front", "back", "rear", "left", "right", "side", "end", "closet", "garage",
    "laundry", "pantry", "little", "foyer", "entry", "nook", "area", "kids", "kid", "guest", "family",
} | (SHORT_ROOMS.keys() - {"ba"})  # fmt: skip
#: The next of several parts that are called by where they are: "sanctuary 1,800 sq ft, fellowship hall 2,400 sq ft".
_NEXT_PART = re.compile(
    r"(?: each)?\s*[,;]\s*(?:and )?(?!(?:the |our |my )?(?:house|home|lot|property|building|whole)\b)"
    r"(?!(?:about|approx|roughly|maybe|say|or|max|min|total|so)\b)"
    r"(?:[a-z][a-z'’-]* ){1,3}(?:\d{1,2} )?(?:(?:at|is|about) )?",
    re.IGNORECASE,
)
#: What parts two figures of a list, and what makes the next one of something else.
_JOINT = re.compile(r",|\n|\b(?:and|plus|then)\b|&|\+|;")
_OTHER = re.compile(
    r"[\d.:(){}=@/]|\bor\b|\b(?:in all|in total|so)\b|\b(?:house|home|lot|property|building|yard|whole) is\b",
    re.IGNORECASE,
)
_NOT_ASKED = re.compile(
    r"[^.;\n]*?\b(?:already|done|if needed|if necessary|only if|(?:is|are|looks?) (?:fine|ok|okay|good|sound)|stays?"
    r"|of that|of which|not)\b",
    re.IGNORECASE,
)
#: Which surfaces of a room are meant, right behind its size: "15 x 20 with 9 ft ceilings, walls only".
SURFACES_TOLD = re.compile(
    r"(?:[\s,(–-]*(?:with )?\d{1,2}(?:\.\d)?[\s-]?(?:ft|foot|feet|'|m) (?:high )?ceilings?)?"
    r"[\s,:(–-]*(?:just |only |the |all )*"
    r"(?:(?P<walls>walls?)(?:\s*(?:and|&|plus|\+|/|,)\s*(?:the )?(?P<both>ceilings?))?|(?P<ceiling>ceilings?))"
    r"(?: only)?\)?(?=[\s,.;]|$)(?! (?:heights? |is |are |at |of )?\d)",
    re.IGNORECASE,
)
#: What says before a measure that it is more of what was measured.
FURTHER = r"(?:another|a further|an? (?:extra|additional))(?: about| approx\.?| roughly)? "
#: What is measured in parts.
PARTS = PLACES | {
    "yard", "lawn", "strip", "section", "piece", "part", "bit", "gable", "elevation", "turnaround", "apron", "unit",
    "flat", "plot", "bay", "rm", "end",
}  # fmt: skip
#: A part that a surface has besides, before its size: "14 ft wide x 110 long with a parking pad at the end 30x24".
_WITH_PART = re.compile(
    r"[\s,]*(?:(?:and|plus|&|\+) )?(?:(?:with|w/|w|plus|and|&|\+) ?)(?:an?|the|another) (?:[a-z]+ ){0,2}?"
    r"(?P<part>[a-z]+)"
    r"(?: (?:at|on|in|to|off|along|by|beside) (?:the|one|each) [a-z]+)?(?:,| of| is|:)?(?: about)? $",
    re.IGNORECASE,
)
_ADDED_PARTS = PARTS | {"pad", "recess", "alcove", "extension", "hammerhead", "wing"}
_ALSO = frozenset({"also", "and", "then", "the", "plus"})
#: What has a height beside its length.
_UPRIGHT = frozenset({"fence", "hedge", "railing", "wall", "gate"})
#: Words that tell where a part is, and what a part is called.
_SAYING_WHERE = frozenset(
    ["to", "for", "in", "at", "on", "of", "the", "our", "my", "a", "an", "and", "plus", "down", "along", "across",
     "beside", "behind", "up", "around", "round", "over", "under", "one", "other", "another", "more", "further", "then",
     "next", "near", "with", "it", "is", "are", "two", "three", "return", "returns", "returning", "turns", "goes",
     "going", "them", "strip", "section", "piece", "part", "bit", "run", "stretch", "lawn", "yard", "granny",
     "border", "drive", "path", "street", "road", "alley", "corner", "gate", "top",
     "island", "gable", "elevation", "bay", "length", "narrow", "small", "long",
     "b", "c", "d", "e"]
)  # fmt: skip
#: Characters and words between two figures of one list.
_LONGEST_GAP = 60
_MOST_WORDS = 8
#: The same of words that all only say where it is.
_MOST_SAYING = 12
_PAIR = 2
#: Two figures as near as this are one, said in two units.
_SAME = Decimal("0.05")
#: "One 12x14 and two 11x11": how many rooms are so large, right before their size.
_SO_MANY = re.compile(r"\b(?P<number>two|three|four|five|six) $", re.IGNORECASE)
_NUMBERS = {word: Decimal(number) for number, word in enumerate(("two", "three", "four", "five", "six"), start=2)}
#: Characters around a figure in which "each" stands.
_NEAR = 30
#: What a count beside a measure describes and does not multiply.
_NO_MULTIPLE = frozenset(
    {"coat", "story", "side", "day", "week", "hour", "person", "men", "man", "layer", "gang", "pour"}
)


def combined(figures: Sequence[Quantity], item: Item, text: str, one: Callable[[Quantity], Measured]) -> Measured:
    """What the figures of one dimension come to: the first of the item's own clause, times the count where it is said
    of each, plus those that are listed with it. ``one`` measures a single figure."""
    own = [figure for figure in figures if inside(figure, item.clause)] or list(figures)
    own = [*listed_before(own[0], figures, text, item.lemmas), *own]
    # A list may go on behind its clause: "front 52x9, back 52x9", "28 x 44, minus the 12x12 part".
    listed = _listed([*own, *(one for one in figures if one.span.start >= own[-1].span.end)], text, item.lemmas)
    told = _counts(item)
    runs = _runs(item)
    counts = [_each_of(figure, told, runs, text) for figure in listed]
    sized = [_size_of(figure, told, item, text) for figure in listed]
    told_alone = [one for figure, one in zip(listed, sized, strict=True) if one or not _is_of_one(figure, text)]
    if not any(counts) and all(told_alone) and any(sized) and len(set(map(id, told_alone))) == len(told_alone):
        counts = sized  # of "two ceilings, 4x4 and 3x3" each is told; "two walls at 0.9 x 2 m and one at 1.2 x 2 m"
    parts = [_times(one(figure), figure, item, count, text) for figure, count in zip(listed, counts, strict=True)]
    total, sum_ = parts[0], text[listed[0].span.start : listed[0].span.end]
    for figure, part in zip(listed[1:], parts[1:], strict=True):
        if total.value is None or part.value is None or dimension(total.unit) is not dimension(part.unit):
            return total
        less = figure.sides and is_taken_off(figure, text)
        value = total.value + part.value * factor(part.unit, total.unit) * (-1 if less else 1)
        if value <= 0:
            return total
        sum_ += f" {'−' if less else '+'} {text[figure.span.start : figure.span.end]}"
        said = " ".join(dict.fromkeys(filter(None, (total.assumption, part.assumption))))
        total = replace(total, value=value, assumption=said, reason=total.reason or part.reason)
    if len(parts) > _PAIR and parts[0].value and total.value == parts[0].value * 2 and not listed[0].sides:
        return parts[0]  # "26 m altogether (hall 10, lounge 16)": what is listed makes up the first
    if len(parts) > 1 and total.value is not None:
        said = f"{total.assumption} Added up: {sum_} = {plain(total.value)} {total.unit}.".strip()
        return replace(total, assumption=said, confidence=min(total.confidence, Decimal("0.85")))
    left = [figure for figure in own[1:] if not _says_again(own[0], figure)]
    if left:
        others = ", ".join(text[figure.span.start : figure.span.end] for figure in left[:3])
        reason = f"The request also gives {others} here; check which applies."
        return replace(total, confidence=Decimal("0.7"), reason=reason)
    return total


def times_each(of_one: Measured, figure: Quantity, item: Item, text: str) -> Measured:
    """So many times what one comes to as things of the item are counted, where the figure is said of each."""
    return _times(of_one, figure, item, _each_of(figure, _counts(item), _runs(item), text), text)


def is_taken_off(figure: Quantity, text: str) -> bool:
    """ "Minus the 12x12 part", "less 3 ft for the door"."""
    before = text[max(0, figure.span.start - _LONGEST_GAP) : figure.span.start]
    return _LESS.search(before) is not None or _LESS_BEHIND.match(text, figure.span.end) is not None


def is_subtracted(figure: Quantity, text: str) -> bool:
    """The same in words that reckon: "except the bedroom, 12x14" may be none of what was told."""
    return _SUBTRACTED.search(text[max(0, figure.span.start - _LONGEST_GAP) : figure.span.start]) is not None


def _listed(own: Sequence[Quantity], text: str, things: Collection[str]) -> list[Quantity]:
    """The first figure and those that are listed with it; of commas alone only where "and" comes at the end."""
    listed, open_ = [own[0]], 0
    for figure in own[1:]:
        between = text[listed[-1].span.end : figure.span.start]
        alike = figure.unit == listed[-1].unit and not figure.axis and not listed[-1].axis
        by_comma = not _is_listed(listed[-1], figure, text, things)
        if by_comma and not (alike and between.strip() == ","):
            break
        if not by_comma and alike and _AND.search(between):
            open_ = 0
        if not _says_again(listed[0], figure):
            listed.append(figure)
            open_ += by_comma
    return listed[: len(listed) - open_]


def listed_before(first: Quantity, figures: Sequence[Quantity], text: str, things: Collection[str]) -> list[Quantity]:
    """The figures of its line with which the list began that a figure goes on with: "ridge 8 m, hips 2 runs of 5 m
    want redoing", where the work is read of the last. "Roots at 22 ft and 31 ft" tells where they are."""
    found: list[Quantity] = []
    before = [one for one in figures if one.role is first.role and one.span.end <= first.span.start]
    for one in reversed(before):
        behind = found[0] if found else first
        is_where = _AT.search(text[max(0, one.span.start - _NEAR) : one.span.start]) is not None
        if is_where:
            return []
        if "\n" in text[one.span.end : behind.span.start] or not _is_listed(one, behind, text, things):
            break
        found.insert(0, one)
    return found


def _times(measured: Measured, figure: Quantity, item: Item, count: Quantity | None, text: str) -> Measured:
    number = count.value if count is not None else _so_many(figure, text) or _sides_told(figure, item, text)
    if number == 1 or measured.value is None:
        return measured
    said = f"{plain(number)} × {text[figure.span.start : figure.span.end]}"
    value = measured.value * number
    return replace(
        measured, value=value, confidence=min(measured.confidence, Decimal("0.9")),
        assumption=f"{measured.assumption} {said} = {plain(value)} {measured.unit}.".strip(),
    )  # fmt: skip


def _so_many(figure: Quantity, text: str) -> Decimal | None:
    """ "Two 11x11": as many as the word right before a size tells."""
    before = _SO_MANY.search(text, max(0, figure.span.start - _NEAR), figure.span.start) if figure.sides else None
    return None if before is None else _NUMBERS[before["number"].lower()]


def _sides_told(figure: Quantity, item: Item, text: str) -> Decimal:
    """ "Sides 30x9 each", "front and back need fascia, 44 ft each", "50 ft on each side": a house, a yard has two."""
    if _EACH_SIDE.match(text, figure.span.end, figure.span.end + _NEAR):
        return Decimal(2)
    before = text[max(0, figure.span.start - _NEAR) : figure.span.start]
    each = _EACH_AFTER.match(text, figure.span.end, figure.span.end + _NEAR) or _EACH_BEFORE.search(before)
    if each is None:
        return Decimal(1)
    others = _OTHERS.search(before)
    if others is not None:
        some = others["some"].lower()
        return Decimal(_NUMBERS.get(some) or some)
    ends = _BOTH_SIDES.search(before) or _BOTH_ENDS.search(text, item.clause.start, figure.span.start)
    return Decimal(2 if ends else 1)


def _each_of(figure: Quantity, counts: Sequence[Quantity], runs: Sequence[Quantity], text: str) -> Quantity | None:
    """The count that the figure is said of each of, None where it is said of all. ``runs``: counts that may be of
    stretches."""
    before = text[max(0, figure.span.start - _NEAR) : figure.span.start]
    if counts and (_EACH_AFTER.match(text, figure.span.end, figure.span.end + _NEAR) or _EACH_BEFORE.search(before)):
        return _nearest(counts, figure)
    start, of_stretches = figure.span.start, lemma(figure.noun) in _STRETCHES
    of_it = (
        one
        for one in runs
        if _RUNS.fullmatch(text, one.span.end, start)
        or (of_stretches and one.span.end + 1 == start)  # "the two 16 ft sides"
    )
    return next(of_it, None)


def _size_of(figure: Quantity, counts: Sequence[Quantity], item: Item, text: str) -> Quantity | None:
    """The count of the things of which the figure is the size of one: "3 sealed units, 1 m x 1.2 m"."""
    if not counts or not figure.sides or _is_of_one(figure, text):
        return None
    nearest = _nearest(counts, figure)
    if nearest.noun == "them" and 0 < nearest.span.start - figure.span.end <= len(" (of "):
        return nearest  # "ceiling tiles 600x600 - 11 no"
    of_them = next((one for one in counts if _ARE_SIZED.fullmatch(text, one.span.end, figure.span.start)), None)
    if of_them is not None:
        return of_them  # "four are 36 by 48, two are 24 by 36"
    if not 0 <= figure.span.start - nearest.span.end <= _LONGEST_GAP:
        return None
    if figure.span.start - nearest.span.end == 1 and text.startswith(nearest.noun, figure.span.end + 1):
        return nearest  # "carpet two 12x11 bedrooms"
    sized = _OF_SIZE.fullmatch(text[nearest.span.end : figure.span.start])
    of_these = sized is not None and sized["things"].lower() not in _NO_THINGS
    things = item.match.words if item.match else frozenset()
    return nearest if of_these or lemma(nearest.noun) in things | _SURFACES else None


def _is_of_one(figure: Quantity, text: str) -> bool:
    """ "… and one at 1.2 m x 2 m", "the other 6x7"."""
    return _OF_ONE.search(text[max(0, figure.span.start - _NEAR) : figure.span.start]) is not None


def _counts(item: Item) -> list[Quantity]:
    return [
        one
        for one in item.figures
        if one.role is Role.COUNT and one.value > 1 and lemma(one.noun) not in _NO_MULTIPLE and one.unit == "each"
    ]


def _runs(item: Item) -> list[Quantity]:
    return [one for one in item.figures if one.role is Role.COUNT and one.value > 1]


def _nearest(counts: Sequence[Quantity], figure: Quantity) -> Quantity:
    return max(counts, key=lambda one: (one.span.end <= figure.span.start, one.span.start))


_SURFACES = frozenset(
    {"wall", "ceiling", "panel", "pane", "unit", "window", "blind", "slab", "cracked", "bay", "sheet"}
)


def _is_listed(first: Quantity, second: Quantity, text: str, things: Collection[str]) -> bool:
    said = text[first.span.end : second.span.start]
    if second.sides and len(said) <= _LONGEST_GAP and _LESS_BEHIND.match(text, second.span.end):
        return True
    if first.sides and (surfaces := SURFACES_TOLD.match(said)) is not None and "\n" not in surfaces[0]:
        said = said[surfaces.end() :]
    alike = first.unit == second.unit and bool(first.sides) == bool(second.sides)
    if (
        alike
        and _says_where(_OF_IT.sub("", said), things)
        and not _is_height(second, things)
        and _asks_for(second, text)
    ):
        return True
    if len(said) > 2 * _LONGEST_GAP:
        return False
    if alike and first.role is Role.LENGTH and _AND_RUNS.fullmatch(said):
        return True
    between = _OF_IT.sub("", said)
    lines = _NEXT_LINE.fullmatch(said) or _NEXT_LINE.fullmatch(between)
    if lines is not None and first.unit == second.unit:
        # A room on each line, or in each sentence.
        of = _PLACE_BEFORE.search(text[max(0, first.span.start - _NEAR) : first.span.start])
        goes_on = not lines["stop"] or (of is not None and lemma(of[1].lower()) in PLACES)
        named = [word for word in lines["place"].lower().split() if word not in _ALSO and len(word) > 1]
        return goes_on and all(lemma(word) in PLACES or word == "wall" for word in named)
    if (
        len(between) > _LONGEST_GAP
        or _ENDS_LIST.search(between)
        or len(re.findall(r"[A-Za-z]+", between)) > _MOST_WORDS
    ):
        return False
    if second.sides and _LESS.search(between):
        return True
    if alike and first.sides and _has_part(between):
        return True
    if first.unit == second.unit and not (first.sides or second.sides) and _NEXT_PART.fullmatch(said):
        return True
    place = re.findall(r"[a-z]+", between.lower())
    sized = _IS_SIZED.fullmatch(between) if first.sides and second.sides else None
    if sized is not None and lemma(sized["place"].lower()) in PLACES:
        return True  # "living room is 15x20 hall is 4x12"
    if "," in between and place and lemma(place[-1]) in PLACES and first.unit == second.unit:
        return True  # "hall 9 m, sitting room 17 m"
    if alike and first.sides and place and all(lemma(word) in PLACES for word in place):
        return True  # "living 14x18 hall 3x16"
    if any(one.isdigit() for one in between):
        return _says_again(first, second)
    with_one = second.sides and _WITH_A.fullmatch(between) is not None and _place_behind(second, text)
    listed = _AND.search(between) is not None or (bool(first.sides) and "," in between)
    return with_one or listed or _says_again(first, second)


def _is_height(figure: Quantity, things: Collection[str]) -> bool:
    """ "30 m of fencing, 1.8 m at the back": how high it is there."""
    upright = not _UPRIGHT.isdisjoint(things) and figure.role is Role.LENGTH and figure.unit in UNITS
    return upright and figure.value * factor(figure.unit, "m") <= HIGHEST_FENCE


def _asks_for(figure: Quantity, text: str) -> bool:
    """Not "60 ft on the side is already done", "10 ft in the garage only if needed"."""
    return _NOT_ASKED.match(text, figure.span.end, figure.span.end + _LONGEST_GAP) is None


def _says_where(said: str, things: Collection[str]) -> bool:
    """Whether words between two figures only tell where each is, or name the things again: "to the study, ", " at the
    front, ", " plus a strip of "."""
    words = re.findall(r"[a-z]+", said.lower())
    if len(said) > _LONGEST_GAP or len(words) > _MOST_SAYING or _JOINT.search(said) is None or _OTHER.search(said):
        return False
    known = PLACES | LISTED_ROOMS | set(things)
    return all(word in _SAYING_WHERE or {word, lemma(word)} & known for word in words)


def tells_part(figures: Sequence[Quantity], text: str) -> bool:
    """ "14 ft wide x 110 long w a parking pad at the end 30x24": the size of a surface, and of one more part of it."""
    surfaces = [one for one in figures if one.sides]
    return any(_has_part(text[one.span.end : other.span.start]) for one, other in pairwise(surfaces))


def _has_part(between: str) -> bool:
    """ "… w/ a turnaround at the top": one more part of the surface that was told before."""
    part = _WITH_PART.fullmatch(between)
    return part is not None and lemma(part["part"].lower()) in _ADDED_PARTS


def _place_behind(figure: Quantity, text: str) -> bool:
    """ "A 4 by 6 pantry"."""
    word = re.match(r"\s*([A-Za-z]+)", text[figure.span.end : figure.span.end + _NEAR])
    return word is not None and lemma(word[1].lower()) in PLACES


def _says_again(first: Quantity, second: Quantity) -> bool:
    """The same figure in another unit: "60 m2 (645 sq ft)"."""
    if first.unit == second.unit and bool(first.sides) != bool(second.sides):
        return abs(second.value - first.value) <= _SAME * first.value
    if first.unit == second.unit or first.unit not in UNITS or second.unit not in UNITS:
        return False
    if dimension(first.unit) is not dimension(second.unit) or dimension(first.unit) is Dimension.COUNT:
        return False
    return abs(second.value * factor(second.unit, first.unit) - first.value) <= _SAME * first.value


def as_told(figure: Quantity, unit: str, name: str) -> Measured:
    """One figure as the text tells it, in ``unit``: of a range the higher end, of an estimate its value."""
    if figure.low < figure.high:
        text = f"{name}: {plain(figure.low)}–{plain(figure.high)} {unit} given; the higher is priced."
        return Measured(figure.value, unit, Decimal("0.8"), text, "The request gives a range.")
    if figure.approximate:
        # Whose estimate it is, is not known: answers are the office's as often as the customer's.
        return Measured(figure.value, unit, Decimal("0.9"), f"{name}: quantity is an estimate, to be measured on site.")
    return Measured(figure.value, unit)
