"""Some: of what is there only a part is asked for ("12 toilets, 2 need replacing"), or a part of what is asked for is
told of ("200 ft of fence, 80 ft is on a slope")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from itertools import pairwise

from server.domain.drafting.actions import action_of
from server.domain.drafting.quantities import Quantity, Role

#: What stands between how many there are and how many of them.
_BETWEEN = re.compile(
    r"[^.;!?\n]{0,60}?(?:,|;|\s[-–—]|:|\(|\bbut\b|\band\b|\bof which\b|\bwith\b)\s*"
    r"(?:(?:but|and|of which|with|so|now|we|i|just|only|about|approx\.?|maybe|around|some)\s+)*",
    re.IGNORECASE,
)
#: Behind a part: what it is of, "of them", "of the 12".
_OF_THEM = (
    r"\s*(?:of (?:them|it|those|these|that|which"
    r"|(?:the |our |my |those |these )?(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve))\b)?"
)
#: Behind a part: that it is to be worked on.
_NEEDS = re.compile(
    r"(?:,? (?:altogether|in all|in total|total|all told)\b,?)?" + _OF_THEM + r"\s*(?:(?:\w+ly )?"
    r"(?:badly |all |both |do )?(?:needs?|wants?|requires?|must|ha(?:s|ve) to)\b|to be \w+"
    r"|(?:(?:is|are|look|looks|seem|seems)(?: \w+ly)? )?(?:rotten|rotted|broken|dead|damaged|cracked"
    r"|loose|leaking|missing|gone"
    r"|bad|worn|failed|dripping|ripped|torn|knackered|shot|stuck|blown|not working)\b)",
    re.IGNORECASE,
)
#: The same without states: "replace 6 outlets, 2 are cracked" says of two what is wrong with them.
_WANTS = re.compile(
    _OF_THEM + r"\s*(?:needs?|wants?|requires?|must|ha(?:s|ve) to"
    r"|(?:is|are) to be)\b",
    re.IGNORECASE,
)
#: Behind a part: only where or how it is.
_IS = re.compile(
    r"\s*(?:(?:of (?:them|it|those|these|that|which|this)\b)?,?\s*(?:is|are)\b(?! (?:to be|for|needed)\b)"
    r"|of (?:them|those|these) (?:leak|drip|stick|rattle|hum|flicker)s?\b)",
    re.IGNORECASE,
)
#: What stands between a total and how many of it are to be done: "24 windows total, replace 5".
_OF_ALL = re.compile(
    r"[^.;!?\n]{0,40}\b(?:total|in all|altogether|in total|overall|all told)\W+(?:please |just |only )*[a-z]+ ", re.I
)
#: Before a whole: that less of it is meant; behind it: what is to be done to all of it.
_OUT_OF = re.compile(r"\bout of (?:the |our |my |all )?$", re.IGNORECASE)
_TO_BE_DONE = re.compile(
    r"\s+(?:[\w-]+\s+){1,3}?(?:to (?:be )?|needs? (?:to be )?|needing |for )(?P<verb>\w+)", re.IGNORECASE
)
#: One of so many things, in the same sentence or the next.
_ONE_OF = (
    r"[^.;\n]{0,40}(?:[.;,]|\band\b|\bbut\b)(?:(?!THINGs)[^.;\n]){0,40}?"
    r"\b(?:(?:the|a) (?:\w+ ){0,2}one\b|one (?:of them|is|leaks|needs|has|in)\b"
    r"|(?:replace|fix|repair|change|swap|paint) one\b|the (?:\w+ ){1,2}THING\b"
    r"|(?:in|at|of|paint|clean|replace|fix) THING \w{1,4}\b(?! of)|(?:two|three|2|3) (?:of them |are |need))"
)
#: What has a size and needs so much of something.
_HOST_NEEDS = re.compile(
    r"\s*(?:[\w-]+ ){0,2}(?:house|home|building|lot|property|store|warehouse|office|school|church|condo|apartment|deck"
    r"|yard)\b[^.;\d\n]{0,12}\b(?:needs?|wants?|requires?|gets?)\b[^.;\n\d]{0,20}[\d,.]+ ?"
    r"(?:sf|sq|square|m2|sqm|squares)\b",
    re.IGNORECASE,
)
#: How many a whole building has, and behind it one of its homes, or that some of them are fine.
_OF_BUILDING = re.compile(
    r"\s*(?:[\w-]+ ){1,3}?(?:(?:in )?total,? |altogether,? )?(?:in|on) (?:the |our |this )?"
    r"(?:block|building|bldg|site|complex|estate|property)\b(?!:)"
    r"[^\n:]{1,160}?\b(?:(?:flat|unit|apt\.?|apartment|room|plot|suite) #?\d{1,4}[a-z]?\b"
    r"|(?:\d{1,3}|most|many|the rest)(?: of them)? (?:are )?(?:fine|ok|okay|good|sound)\b)",
    re.IGNORECASE,
)
_FAR = 260
#: "15 are fine": none of them is worked on.
_ARE_FINE = re.compile(r"\s*(?:of (?:them|those|these) )?(?:are|is) (?:all )?(?:fine|ok|okay|sound)\b", re.IGNORECASE)
#: Characters behind a number that are looked at, what it counts, and the walls that a room has.
_WITHIN = 140
_SEVERAL = re.compile(r"\s*(?:[\w-]+ ){0,2}?([a-z]{3,}s)\b", re.IGNORECASE)
#: Of boards, which are told by the sheet.
_SHEET = {Decimal(4), Decimal(8)}
_SIZES = re.compile(r"s\b")
_WALLS_OF = re.compile(r"\s*walls of (?:an? |the |our |my )?\d", re.IGNORECASE)
#: How much of what is told behind it: right before its figure, or before the thing, of which that tells all there is
#: ("half of the walls (800 sqft total)", "a quarter of the deck boards, deck is 400 sqft").
_SHARES = {
    "half": Decimal("0.5"), "½": Decimal("0.5"), "third": Decimal(1) / 3, "1/3": Decimal(1) / 3, "⅓": Decimal(1) / 3,
    "quarter": Decimal("0.25"), "1/4": Decimal("0.25"), "¼": Decimal("0.25"), "two thirds": Decimal(2) / 3,
    "2/3": Decimal(2) / 3, "⅔": Decimal(2) / 3, "three quarters": Decimal("0.75"), "3/4": Decimal("0.75"),
    "¾": Decimal("0.75"),
}  # fmt: skip
_PARTS = r"two[ -]thirds|three[ -]quarters|third|quarter|[123]/[34]|[⅓⅔¼¾]"
_HOW_MUCH = r"(?<![\w/.])(?:(?P<percent>\d{1,2}) ?(?:%|percent|per cent)|(?P<part>PARTS))"
_SHARE = re.compile(_HOW_MUCH.replace("PARTS", _PARTS) + r" of (?:the |our |my |this |a |an |about )*$", re.IGNORECASE)
_SHARE_OF_ALL = re.compile(
    _HOW_MUCH.replace("PARTS", f"{_PARTS}|half|½")
    + r"(?: of(?: (?:the|our|my|this|these))?| (?:the|our|my|this|these)) "
    r"(?=(?:[a-z'-]+ ){0,3}?(?P<thing>(?!(?:the|our|this|these)\b)[a-z]{3,}?)s?\b)"
    r"(?!(?:and|plus|then|has|have|is|are|only|alone|itself)\b)[a-z'-]+"
    r"(?: (?!(?:and|plus|then|has|have|is|are)\b)[a-z'-]+){0,6} ?"
    r"(?:(?P<bracket>\()|[,–—-] ?|(?P<named>[,.;(–—-] ?(?:the |our |my )?(?P=thing)s?:? (?:(?:is|are) )?))"
    r"(?:about |approx\.? |around |roughly |~ ?)?$",
    re.IGNORECASE,
)
#: What tells behind a figure that it is all there is; characters before it in which its share is told.
_ALL_THERE_IS = re.compile(r"[ ,]*(?:in (?:all|total)|altogether|total|overall|all told|combined)\b", re.IGNORECASE)
_CLOSED = re.compile(r"(?: (?:in )?total)?\)", re.IGNORECASE)
_SHARE_WITHIN = 90
#: "We have 12 windows and half of them need replacing".
_SHARE_NEEDS = re.compile(
    _BETWEEN.pattern + r"(?:a |one )?(?P<part>half|third|quarter)\b" + _NEEDS.pattern, re.IGNORECASE
)
#: "The house has 5 ceiling fans. Replace two.": how many there are, and of how many of them something is asked.
_THERE_ARE = re.compile(r"\b(?:has|have|got|there are)\s+(?:about )?$", re.IGNORECASE)
_DO_SOME = re.compile(
    r"[^.;!?\n]{0,40}[.;]\s*(?:please |just |only )*(?P<verb>[a-z]+) (?:out )?(?:just |only )?", re.IGNORECASE
)
#: Words before a figure among which its verb stands, and within how many characters.
_LEADS = re.compile(r"(?:[A-Za-z'-]+\s+){0,4}$")
_LEAD = 80
#: Characters before a number that are looked at.
_BEFORE = 20
_PLACES = frozenset({"places", "spots", "areas", "patches", "corners"})
_MEASURES = frozenset({Role.COUNT, Role.AREA, Role.LENGTH, Role.VOLUME})


def without_what_is_only_told(text: str, figures: Sequence[Quantity]) -> Sequence[Quantity]:
    """The figures, of which those are sizes that only tell how many there are, or of how many of them something is
    said."""
    many = [one.span for one in figures if _sizes_many(text, one)]
    kept = (
        one
        for one in figures
        if not (_is_of_host(text, one) or _counts_walls_of_room(text, one))
        and not any(of.start <= one.span.start < of.end for of in many)
    )
    found = [_share(text, figure) for figure in kept]
    figures = list(found)
    for place, figure in enumerate(figures):
        fine = figure.role is Role.COUNT and _ARE_FINE.match(text, figure.span.end) is not None
        if fine or _is_stock(text, figure) or _is_of_building(text, figure):
            found[place] = replace(figure, role=Role.SIZE)
    # "Drive 62 m2, sunk in 2 places, about 6 m2 altogether, needs relaying": where is no whole and no part.
    told = [(place, one) for place, one in enumerate(figures) if not (one.role is Role.COUNT and one.noun in _PLACES)]
    for (place, whole), (other, part) in pairwise(told):
        if whole.role is not part.role or whole.role not in _MEASURES or part.value >= whole.value:
            continue
        if _NEEDS.match(text, whole.span.end) and not _is_asked(text, whole):
            continue  # "(3 broken, 2 missing)"
        if whole.sides or part.sides or whole.unit != part.unit:
            continue
        if whole.role is Role.COUNT and (
            _OF_ALL.fullmatch(text, whole.span.end, part.span.start)
            or _OUT_OF.search(text[max(0, whole.span.start - _BEFORE) : whole.span.start])
            or _does_some(text, whole, part)
        ):
            found[place] = replace(whole, role=Role.SIZE)
        if not _BETWEEN.fullmatch(text, whole.span.end, part.span.start):
            continue
        if whole.role is Role.COUNT and not _is_of_them(text, whole, part):
            continue
        asked = _is_asked(text, whole)
        if not asked and _NEEDS.match(text, part.span.end):
            found[place] = replace(whole, role=Role.SIZE)
        elif asked and _IS.match(text, part.span.end) and not _WANTS.match(text, part.span.end):
            found[other] = replace(part, role=Role.SIZE)
    return found


def _is_stock(text: str, figure: Quantity) -> bool:
    """ "We have 12 windows. Replace the one in the kitchen", "there are 24 units. Replace the furnace in unit 12": how
    many there are, one of which is spoken of right behind."""
    several = _SEVERAL.match(text, figure.span.end)
    if figure.role is not Role.COUNT or figure.value <= 1 or several is None:
        return False
    if not _THERE_ARE.search(text[max(0, figure.span.start - _BEFORE) : figure.span.start]):
        return False
    thing = re.escape(several[1].removesuffix("s"))
    one = re.compile(_ONE_OF.replace("THING", thing), re.IGNORECASE)
    return one.match(text, figure.span.end, figure.span.end + _WITHIN) is not None


def _is_of_building(text: str, figure: Quantity) -> bool:
    """ "22 doors total in the block, 15 are fine. … Flat 7 door is beyond it, new doorset": how many a building has, of
    which those of some homes are spoken of."""
    if figure.role is not Role.COUNT or figure.value <= 1 or _is_asked(text, figure):
        return False
    return _OF_BUILDING.match(text, figure.span.end, figure.span.end + _FAR) is not None


def _counts_walls_of_room(text: str, figure: Quantity) -> bool:
    """ "Paint 4 walls of 12x14 bedroom": the walls that a room has."""
    return figure.role is Role.COUNT and _WALLS_OF.match(text, figure.span.end) is not None


def _sizes_many(text: str, figure: Quantity) -> bool:
    """ "Welsh slate, 20x10s": how large each of the pieces is."""
    return bool(figure.sides) and set(figure.sides) != _SHEET and _SIZES.match(text, figure.span.end) is not None


def _is_of_host(text: str, figure: Quantity) -> bool:
    """ "Our 20,000 sf building needs 1,200 sf of drywall": how large it is, and how much of something it needs."""
    return figure.role is Role.AREA and _HOST_NEEDS.match(text, figure.span.end, figure.span.end + _WITHIN) is not None


def _share(text: str, figure: Quantity) -> Quantity:
    """ "30% of the 200 ft fence", "a third of the 2,000 sf roof", "12 windows, half need work": so much of it."""
    if figure.role is Role.COUNT:
        behind = _SHARE_NEEDS.match(text, figure.span.end)
        if behind is not None and not _is_asked(text, figure):
            value = (figure.value * _SHARES[behind["part"].lower()]).to_integral_value(ROUND_CEILING)
            return replace(figure, value=value, low=value, high=value, approximate=True)
    share = share_told(text, figure) if figure.role in _MEASURES else None
    if share is None:
        return figure
    to = Decimal(1) if figure.role is Role.COUNT else Decimal("0.1")
    value, low, high = (
        (one * share).quantize(to, ROUND_CEILING if figure.role is Role.COUNT else ROUND_HALF_EVEN)
        for one in (figure.value, figure.low, figure.high)
    )
    return replace(figure, value=value, low=low, high=high, sides=(), approximate=True)


def share_told(text: str, figure: Quantity) -> Decimal | None:
    """How much is meant of what a figure tells the whole of; None where all of it is, or nothing says that it is the
    whole ("half of the fence, 30 ft")."""
    start, end = figure.span.start, figure.span.end
    before = text[max(0, start - _SHARE_WITHIN) : start]
    told = _SHARE.search(before)
    if told is None:
        told = _SHARE_OF_ALL.search(before)
        if told is None:
            return None
        counts = figure.role is Role.COUNT and not figure.noun.lower().startswith(told["thing"].lower())
        closed = told["bracket"] and _CLOSED.match(text, end) and not counts
        if not (closed or told["named"] or _ALL_THERE_IS.match(text, end)):
            return None
    part = (told["part"] or "").lower().replace("-", " ")
    return Decimal(told["percent"]) / 100 if told["percent"] else _SHARES.get(part)


def _is_of_them(text: str, whole: Quantity, part: Quantity) -> bool:
    """Whether a number counts no other thing: it has no noun of its own, or the same."""
    behind = re.match(
        r"\s*(?:of (?:them|those|these|which)|need|want|are|is|have|must|to\b|require)?", text[part.span.end :]
    )
    state = _NEEDS.match(text, part.span.end) is not None
    return part.noun in {"", "them", whole.noun} or bool(behind and behind[0].strip()) or state


def _does_some(text: str, whole: Quantity, part: Quantity) -> bool:
    """ "The house has 5 ceiling fans. Replace two."."""
    does = _DO_SOME.fullmatch(text, whole.span.end, part.span.start)
    are = _THERE_ARE.search(text[max(0, whole.span.start - _BEFORE) : whole.span.start])
    return does is not None and are is not None and bool(action_of(does["verb"].lower())) and part.noun in {"", "them"}


def _is_asked(text: str, figure: Quantity) -> bool:
    """Whether a verb stands before a figure in its sentence, or right behind it: "replace 12 windows", "12 windows to
    replace"."""
    behind = _TO_BE_DONE.match(text, figure.span.end)
    if behind is not None and action_of(behind["verb"].lower()):
        return True
    start = max(text.rfind(sign, 0, figure.span.start) for sign in ".;!?\n") + 1
    said = _LEADS.search(text, max(start, figure.span.start - _LEAD), figure.span.start)
    words = said[0].lower().split() if said is not None else []
    return any(action_of(word) and not word.endswith(("ed", "ing")) for word in words)
