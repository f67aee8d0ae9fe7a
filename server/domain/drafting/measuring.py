"""How much of an item is asked for: its figures, or what disclosed rules derive from them.

An area never prices a length; where no rule applies the item has no quantity, and a question asks for it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from server.domain.catalogue import Task
from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.combining import (
    FURTHER,
    PLACES,
    SURFACES_TOLD,
    as_told,
    combined,
    is_taken_off,
    listed_before,
    times_each,
)
from server.domain.drafting.counting import HYPHENATED, counted, visited
from server.domain.drafting.items import HIGHEST_FENCE, WALL_WORK, Item, Measured, inside, plain
from server.domain.drafting.matching import ROOMS, lemma, lemmas_of
from server.domain.drafting.quantities import SMALLEST_BASE, WORK_ROLES, Quantity, Role
from server.domain.takeoff import Span
from server.domain.units import UNITS, Dimension, dimension, factor

#: What a quantity is rounded to; less is none.
_SMALLEST = Decimal("0.001")
NO_QUANTITY = "Quantity missing: the request gives none in a unit that prices this."
_CEILING_HEIGHT = {"ft": Decimal(8), "m": Decimal("2.4")}
_AREA_UNIT = {"ft": "sqft", "m": "m2", "yd": "sqyd"}
_DEPTH_VOLUME = {"sqft": ("ft", "cuft"), "m2": ("m", "m3"), "sqyd": ("yd", "cuyd"), "square": ("ft", "cuft")}
#: Units of the sides of a thing's face, what stands between two sides, figures of one item that are looked at.
_FACE_UNITS = frozenset({"in", "ft", "mm", "cm", "m"})
_BY = re.compile(r"[\s\"']*(?:x|×|by)\s*", re.IGNORECASE)
#: "900 wide 2 m high": the axes of an upright face, and what may stand between its sides.
_UPRIGHT = ({"width", "height"}, {"length", "height"})
_BESIDE = re.compile(
    r"[\s,]*(?:(?:at|along|across) the (?:bottom|base|top|widest|point|peak|eaves)[\s,]*)?"
    r"(?:(?:and|x|by|×)\s+(?:about |up |tiled )?)?",
    re.IGNORECASE,
)
#: "Another 0.6 sqm", before the figure.
_FURTHER = re.compile(rf"\b{FURTHER}$", re.IGNORECASE)
#: "A triangle 8 m wide and 3 m high": half of its rectangle.
_TRIANGLE = re.compile(r"\btriang(?:le|ular)", re.IGNORECASE)
_MOST_SIZES = 12
#: Square inches of the smallest face, inches of the shortest side of a pane.
_LEAST_FACE = Decimal(144)
_LEAST_INCHES = Decimal(12)
_PANES = frozenset(
    {"sign", "poster", "mirror", "window", "glass", "pane", "blind", "screen", "shade", "shutter", "glazing", "door"}
)
#: Trades that lay pieces, how long the side of one may be (metres), and the words that stand beside its size.
_LAYERS = frozenset({"tiling", "drywall", "paving", "flooring", "masonry"})
_LARGEST_MODULE = Decimal("1.25")
#: Parts of a surface, in front of the size of what has them.
_PARTS_ON = re.compile(
    r"\b(?:boards?|planks?|slats?|pickets?|balusters?|spindles?)\s(?:on|of|in|from)\s(?:(?:an?|the|our|my)\s)?$",
    re.IGNORECASE,
)
_PARTS_WITHIN = 40
#: What is wrong with so much of what was told before.
_OF_IT_AT_FAULT = re.compile(
    r"\s?of (?:it|them|that)\b(?: [a-z]{2,9}){0,2}? (?:rott(?:en|ed)|mangled|damaged|broken|cracked|bent|gone|down"
    r"|missing|leaning|loose|split|fell|blew|collapsed|needs? (?:to be )?(?:replac|repair|fix|redo)\w*|needs? work)\b",
    re.IGNORECASE,
)
_MODULE = r"(?:tiles?|grid|slabs?|pavers?|panels?|setts?|blocks?|planks?|bricks?|mosaics?|porcelain|ceramic|subway)"
_MODULES_BEHIND = re.compile(rf"\s?(?:mm|cm|in|inch|\")?\s(?:[a-z]+ )?{_MODULE}\b", re.IGNORECASE)
_MODULES_BEFORE = re.compile(rf"\b{_MODULE}[\s,:(-]*(?:(?:of )?sizes? |sized )?$", re.IGNORECASE)
#: Trades that work with lumber, whose sizes these are, in inches.
_FRAMERS = frozenset({"carpentry", "decking", "demolition", "drywall", "insulation", "roofing"})
_THICK, _WIDE = frozenset({1, 2, 4}), frozenset({2, 3, 4, 6, 8, 10, 12})
#: Trades that put up boards, and how many feet long those are sold that are longer than usual (4 × 8 ft).
_BOARDED = frozenset({"drywall", "carpentry", "roofing", "siding"})
_LONGER_SHEETS = (9, 10, 12)
#: Sizes of tiles of a suspended ceiling, in feet that are written without a unit.
_CEILING_TILES = frozenset({(Decimal(2), Decimal(2)), (Decimal(2), Decimal(4)), (Decimal(4), Decimal(2))})
#: How deep what is told by its length usually is: a countertop over base cabinets of 24 inches (620 mm in metric
#: kitchens), a backsplash from it to the wall cabinets (18 inches, 450 mm).
_USUAL_DEPTHS = {
    "countertop": {"ft": Decimal("2.125"), "m": Decimal("0.62")},
    "backsplash": {"ft": Decimal("1.5"), "m": Decimal("0.45")},
}
#: How high what is told by its length usually stands: a fence of 6 ft panels.
_USUAL_HEIGHTS = {"fence": {"ft": Decimal(6), "m": Decimal("1.83")}}
#: How deep, in metres, a countertop is at most: an island's.
_DEEPEST_COUNTER = Decimal("1.6")
#: Before the second of two amounts of one work: not "…, with 60 ft of".
_AND = re.compile(r"(?:\band|\bplus|&|\+|,)\s*\Z", re.IGNORECASE)
_EDGE_WORK = frozenset(["skirting", "baseboard", "cornice", "coving", "crown", "molding", "architrave", "trim"])
_CEILING_AS_HEIGHT = re.compile(
    r"(?:(?:\d[\d.]{0,5}|\b(?:eight|nine|ten|eleven|twelve))[\s-]?(?:ft|foot|feet|m|'|\")|\b(?:[7-9]|1\d|2\.\d+))"
    r"[\s-]?(?:high|tall)?\s?ceilings?"
    r"|\bceilings?(?: height)?(?: is| are| at| of|:)?(?: about)? ?\d[\d.]{0,4}\s?(?:ft|foot|feet|m|')"
    r"(?!\s?(?:[x×\w]|by\b))",
    re.IGNORECASE,
)
#: How high rooms are, wherever a request tells it: "9 ft ceilings throughout", "ceilings 2.7 m high". A side that an x
#: joins to another is none.
_HIGH = r"(?:high|tall|in height)"
_TOLD_HEIGHT = re.compile(
    r"(?<![x×.\d])(?<![x×] )(?P<before>\d{1,2}(?:\.\d{1,2})?|eight|nine|ten|eleven|twelve)"
    r"[\s-]?(?P<of>ft|foot|feet|'|m|metres?|meters?)"
    rf"[\s-]?{_HIGH}?[\s-]?(?:ceilings?|walls)\b"
    r"|\b(?:ceilings?|walls)(?: height)?(?: is| are| at| of|:)?(?: about| approx\.?| roughly)?"
    r" (?P<behind>\d{1,2}(?:\.\d{1,2})?)\s?(?P<in>ft|foot|feet|'|m|metres?|meters?)"
    rf"(?: {_HIGH}\b|(?!\s?(?:[x×\w]|by\b)))",
    re.IGNORECASE,
)
_HEIGHT_WORDS = {
    word: Decimal(height) for height, word in enumerate(("eight", "nine", "ten", "eleven", "twelve"), start=8)
}
#: "Tile the walls to 2.1 m", before the figure.
_UP_TO = re.compile(r"\bwalls?\b[a-z ]{0,20} (?:to|up to|to a height of)(?: about| approx\.?)? ?$", re.IGNORECASE)
_LOWEST_ROOM, _HIGHEST_ROOM = Decimal(2), Decimal(6)  # metres
#: Characters after a count within which its noun stands ("6 new white internal doors").
_NOUN_PHRASE = 30
#: "The room is 2.2 x 1.8 m".
_MEASURES_OF = frozenset({"is", "are", "measures", "approx", "about", "size", "roughly"})
#: Who works by the hour, and what stands between how many come and how long.
_WORKERS = frozenset(
    ["electrician", "plumber", "handyman", "handymen", "carpenter", "joiner", "painter", "decorator", "cleaner",
     "gardener", "landscaper", "labourer", "laborer", "worker", "plasterer", "roofer", "mason", "bricklayer", "tiler",
     "technician", "tech", "guy", "man", "men", "person", "people", "lad"]
)  # fmt: skip
_FOR_HOURS = re.compile(r"(?: [\w-]+){1,3}(?:,| -| x| for|, for)(?: about| approx\.?| roughly)? ", re.IGNORECASE)
#: "4 fence panels", "4 panels".
_OF_FENCES = re.compile(r"\bpanels\b", re.IGNORECASE)
#: Characters between a count and the size of what it counts ("(2) 4' gates", "3no 1.83m panels").
_GAP = 4
_NEAR = 40
#: Work that covers a surface, of which both sides may be meant; characters behind the work that may say so.
_COVERS = frozenset(
    {"paint", "stain", "seal", "render", "plaster", "skim", "clean", "wash", "stucco", "repair", "treat"}
)
_RAILS = frozenset({"handrail", "railing", "balustrade", "banister"})
_BOTH_SIDES = re.compile(
    r"\bboth (?:sides|faces)\b(?! of the (?:house|street|drive|driveway|road|garage|door|window))"
    r"(?! (?:already )?(?:measured|counted|included))",
    re.IGNORECASE,
)
_BEHIND = 12
#: The thickness of a plank, in quarters of an inch, before its other sides; characters that it may have.
_PLANK = re.compile(r"\d/\d ?[x×] ?$")
_SHORT = 8
#: "Only half of it", "just the bottom half".
_HALF = re.compile(
    r"\bhalf of (?:it|that|them) (?:is to be|are to be|needs?|wants?|to be)\b"
    r"|\b(?:only|just) (?:the )?(?:(?:top|bottom|upper|lower|back|front|left|right) )?half\b(?! (?:a|an|the) )",
    re.IGNORECASE,
)
#: "The plaster on the bedroom wall is hollow, about 3 m x 2.4".
_ONE_WALL = re.compile(r"\bwall\b(?! (?:and|&) ceiling)[^.;\n]*$", re.IGNORECASE)
#: The same where it is told which wall of the room.
_WHICH_WALL = re.compile(
    r"\b(?:back|end|side|far|gable|party|chimney|feature|accent|one|single) wall (?:of|in) [^.;\n]*$", re.IGNORECASE
)
#: The tallest wall of a room that a side may be, in metres.
_TALLEST = Decimal("3.3")
#: The shortest side, in metres, of what is told by how wide and deep it is.
_SHORTEST_PLAN = Decimal(2)
#: The shortest side of a room, in metres: a closet's. A patch of wall is smaller.
_NARROWEST = Decimal("0.6")
#: What the sides of a room are reckoned in where they are written in another unit.
_PLAN_UNITS = {"cm": "m", "mm": "m", "in": "ft", "yd": "ft"}
#: Between how many there are and their size: "6 off 600 x 600", "4 holes, 12 x 12".
_BEFORE_SIZE = re.compile(r"[^\d.;\n]{1,25}")
#: Measures of which one may stand ahead.
_SEVERAL = 2
#: What parts sentences.
#: What stands between the areas of two things.
_AND_THE = re.compile(r"[\w ]{0,30}?,? (?:and|plus|&) (?:also )?(?:the|our|my|a) [\w ]{0,30}", re.IGNORECASE)
_STOPS = (". ", "? ", "! ", "; ", "\n")
#: Sides of a face.
_SIDES = 2
#: "2 x 60 ft" of what has only a length: so many runs, each so many times as long as their number.
_SO_MANY_RUNS, _LEAST_RUN = re.compile(r"[2-9] ?[x×] ?\d{1,4}(?:\.\d{1,2})? ?[a-z'′]{1,8}", re.IGNORECASE), 5
_LEAST_RUN_OF_SEVERAL = 2
#: Sides of a box.
_BOX = 3
#: Metres below which a side is the width of something long.
_NARROW = Decimal("0.35")
#: A length goes round what has two sides.
_ALL_ROUND = re.compile(
    r"\b(?:all (?:the way )?(?:a?round)|(?:a?round )?all (?:four|4) sides"
    r"|(?:right |whole |entire )?(?:a?round) (?:the |our )?(?:\w+ ){0,2}"
    r"(?:house|foundation|perimeter|building|home|property|bungalow|garage)|perimeter)\b",
    re.IGNORECASE,
)
#: Trades that work on the walls of rooms: a patio with a sitting wall has none.
_OF_ROOMS = frozenset(
    ["painting", "drywall", "plastering", "tiling", "insulation", "carpentry", "demolition", "cleaning"]
)


def measure(item: Item, text: str) -> Measured:
    """What an item comes to; ``text`` is the request that its figures and clause are places of."""
    if item.match is None:
        figure = next(
            (
                figure
                for figure in item.figures
                if figure.role in WORK_ROLES and figure.unit in UNITS and not HYPHENATED.match(text, figure.span.end)
            ),
            None,
        )
        if figure is not None and figure.value > 0:
            return Measured(figure.value, figure.unit)
        things = [word for word in item.words if word.weight == 1.0 and not action_of(word.lemma)]
        return Measured(None, "each" if things and not things[-1].plural else "job")
    task = item.match.task
    of_the_whole = [figure.span.end for figure in item.figures if has_the_parts(figure, text)]
    told = [figure for figure in item.figures if figure.value > 0 and figure.span.end not in of_the_whole]
    figures = _nearest(told, item, text)
    rule = _RULES.get(dimension(task.unit))
    at_fault = _what_is_at_fault(figures, text)
    found = rule(text, item, task, at_fault) if rule else None
    if rule and found is None and at_fault is not figures:
        found = rule(text, item, task, figures)
    found = _in_part(on_both_sides(found, item, text), item, text) if found is not None else None
    value = found.value.quantize(_SMALLEST) if found is not None and found.value is not None else Decimal(0)
    if found is not None and value > 0:
        return replace(found, value=value.normalize() + 0)
    return Measured(
        None,
        task.unit,
        Decimal("0.5"),
        reason=NO_QUANTITY,
    )


def has_the_parts(figure: Quantity, text: str) -> bool:
    """ "Replace 6 rotten deck boards on 12x16 deck": the size of what has the parts, of which so many are worked on."""
    before = figure.span.start
    measures = figure.role in {Role.AREA, Role.LENGTH, Role.SIZE}
    return measures and _PARTS_ON.search(text, max(0, before - _PARTS_WITHIN), before) is not None


def _what_is_at_fault(figures: list[Quantity], text: str) -> list[Quantity]:
    """ "Chain link 300', 120' of it is mangled, needs replaced": without the figures of the whole, of which a part has
    the fault."""
    part = next((one for one in figures if _OF_IT_AT_FAULT.match(text, one.span.end)), None)
    if part is None:
        return figures
    return [one for one in figures if one is part or one.unit != part.unit or one.value <= part.value]


def lengths_alone(item: Item) -> list[Quantity]:
    """The lengths that are told of work that is priced by the area, where no area is: "paint 120 ft of fence"."""
    if item.match is None or dimension(item.match.task.unit) is not Dimension.AREA:
        return []
    if any(one.role is Role.AREA for one in item.figures):
        return []
    return [one for one in item.figures if one.role is Role.LENGTH and one.value > 0]


def _nearest(figures: list[Quantity], item: Item, text: str) -> list[Quantity]:
    """Without the areas and lengths that stood ahead of the work, where others stand with it or behind it ("a colonial
    of 2,100 sq ft. Gut the second floor, 950 sq ft") or at least in its sentence."""
    if sum(one.role is Role.AREA or one.role is Role.LENGTH for one in figures) < _SEVERAL:
        return figures
    start = item.clause.start
    first = max(text.rfind(stop, 0, start) for stop in _STOPS) + 1
    last = min((found for stop in _STOPS if (found := text.find(stop, item.clause.end)) >= 0), default=len(text))
    for since in (start, first):
        for role in (Role.AREA, Role.LENGTH):
            if role is Role.LENGTH and all(one.assumed_unit for one in figures if one.role is role):
                continue  # "Wood fence. Left side 82, back 64"
            told = (one for one in figures if one.role is role and not _is_how_high(one, item))
            here = [one for one in told if since <= one.span.start < last]
            if here:
                begun = listed_before(here[0], figures, text, item.lemmas)
                figures = [
                    one
                    for one in figures
                    if one.role is not role or one.span.start >= since or any(one is other for other in begun)
                ]
    return figures


def _is_how_high(figure: Quantity, item: Item) -> bool:
    """ "Replace the fence (120 ft) with a 6 ft vinyl fence": no length of it."""
    fenced = item.match is not None and item.match.task.trade == "fencing" and figure.role is Role.LENGTH
    return fenced and bool(figure.noun) and figure.value * factor(figure.unit, "m") <= HIGHEST_FENCE


def _in_part(found: Measured, item: Item, text: str) -> Measured:
    """ "The yard is 80 by 100 ft but only half of it needs sod"."""
    counted = dimension(found.unit) in {Dimension.COUNT, Dimension.LUMP}
    if found.value is None or counted or not _HALF.search(text, item.clause.start, item.end):
        return found
    said = f"{found.assumption} Half of {plain(found.value)} {found.unit}, as the request says.".strip()
    return replace(found, value=found.value / 2, confidence=min(found.confidence, Decimal("0.8")), assumption=said)


def on_both_sides(found: Measured, item: Item, text: str) -> Measured:
    """ "Fence stain, both sides": twice as much of what is told of one."""
    task = item.match.task if item.match else None
    if task is None or found.value is None or not _BOTH_SIDES.search(text, item.clause.start, item.end + _BEHIND):
        return found
    named = lemmas_of(task.name)
    rails = dimension(task.unit) is Dimension.LENGTH and not _RAILS.isdisjoint(named)
    covers = dimension(task.unit) is Dimension.AREA and (
        item.verb in _COVERS or task.trade == "drywall" or not _COVERS.isdisjoint(named)
    )
    if "side" in named or not (rails or covers):
        return found
    said = _BOTH_SIDES.search(text, item.clause.start, item.end + _BEHIND)
    area = next((one for one in item.figures if one.role is Role.AREA and one.value == found.value), None)
    if said is not None and area is not None and not area.sides and said.end() <= area.span.start:
        return found  # "new wall, both faces, 576 sq ft": in all
    text = f"{found.assumption} {task.name}: both sides, so twice {plain(found.value)} {found.unit}.".strip()
    return replace(found, value=found.value * 2, confidence=min(found.confidence, Decimal("0.85")), assumption=text)


def _yards_of_carpet(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """ "40 yards of carpet", which are square ones."""
    yards = [one for one in figures if one.role is Role.LENGTH and one.unit == "yd"]
    if not yards or "carpet" not in lemmas_of(task.name):
        return None
    said = f"{task.name}: {plain(yards[0].value)} yards are taken as square yards."
    found = combined(yards, item, text, lambda one: as_told(one, "sqyd", ""))
    return replace(found, assumption=f"{found.assumption} {said}".strip())


def _area(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    less = [one for one in figures if one.role is Role.AREA and not one.sides and is_taken_off(one, text)]
    if less and len(less) < len(figures):
        # "7 m wide and 5 m high, knock off 6 m2 for the windows"
        found = _area(text, item, task, _all_but(figures, less))
        return _without(found, less, text) if found is not None else None
    more = [one for one in figures if _is_further(one, figures, text)]
    if more:
        found = _area(text, item, task, _all_but(figures, more))
        return _with(found, more, text) if found is not None else None
    areas = [figure for figure in figures if figure.role is Role.AREA and not _is_too_deep(figure, task)]
    stated = [figure for figure in areas if not figure.sides]
    wall = _length_by_height(task, [one for one in _lengths(figures) if inside(one, item.clause)], figures)
    if wall is not None and not any(inside(one, item.clause) for one in areas):
        # "720 sf basement: frame 118 LF of wall @ 8'": the area is the whole's.
        return wall
    carpet = _yards_of_carpet(text, item, task, figures)
    if carpet is not None:
        return carpet
    own = [one for one in areas if inside(one, item.clause)]
    sheets = None if own else _sheets(task, [one for one in figures if inside(one, item.clause)])
    if sheets is not None:
        return sheets  # "26 squares … Sixteen sheets of the decking": the squares are the roof's
    if not own and any(inside(one, item.clause) for one in _lengths(figures)):
        # "Edging with 12 m of setts. The path, 9 m2 of slabs, stays": what is told of another thing.
        areas, stated = [], []
    if stated and not (own or areas)[0].sides and not _goes_on_with_sides(areas, text):
        return _stated(stated, item, text)
    if areas:
        # "The living room (5.5 x 4.1), the dining room (3.2 x 3) and the hall, which is roughly 6 m2".
        def derived(area: Quantity) -> Measured:
            return _from_sides(text, item, area, figures) if area.sides else as_told(area, area.unit, task.name)

        if len(stated) == 1 and len(areas) == _SIDES and areas[1] is stated[0]:
            # "15x18 with 8 ft ceilings, which I get 528 sq ft of wall": what was derived, told once more.
            again = lemma(stated[0].noun) == "wall" or _is_about(derived(areas[0]), derived(stated[0]))
            if again:
                return derived(stated[0])
        return combined([_in_inches(one, item) if one.sides else one for one in areas], item, text, derived)
    around = _around_base(text, task, figures)
    if around is not None:
        return around
    framed = task.trade in _FRAMERS
    faces = _faces(text, figures, task)
    faces = [one for one in faces if not ((framed and _is_lumber(one)) or _is_too_deep(one, task))]
    if faces and _TRIANGLE.search(text, max(0, item.clause.start - _NEAR), faces[-1].span.end):
        name = task.name
        return combined(faces, item, text, lambda area: _triangle(area, name))
    if faces:
        return combined(faces, item, text, lambda area: _from_sides(text, item, area, figures))
    lengths = _lengths(figures)
    wall = _length_by_height(task, [one for one in lengths if not is_taken_off(one, text)], figures)
    if wall is not None:
        return wall
    sheets = _ceiling_tiles(task, figures) or _sheets(task, figures)
    if sheets is not None:
        return sheets
    height = next(
        (figure for figure in figures if figure.role is Role.SIZE and figure.axis in {"height", "width"}), None
    )
    less = [one for one in lengths if is_taken_off(one, text)]
    lengths = _all_but(lengths, less)
    length = _without(_stated(lengths, item, text), less, text) if lengths else None
    if length is None or length.value is None:
        return None
    named = lemmas_of(task.name)
    depth, usual_height = (
        next((of[length.unit] for word, of in usual.items() if word in named and length.unit in of), None)
        for usual in (_USUAL_DEPTHS, _USUAL_HEIGHTS)
    )
    if height is not None and height.unit in UNITS:
        across, said = height.value * factor(height.unit, length.unit), ""
    elif depth is not None:
        across, said = depth, ", the usual depth"
    elif usual_height is not None:
        across, said = usual_height, ", the usual height"
    else:
        return None
    sides = f"{plain(length.value)} {length.unit} by {plain(round(across, 2))} {length.unit}"
    told = f"{task.name}: area taken as {sides}{said}."
    of_one = Measured(length.value * across, _AREA_UNIT[length.unit], Decimal("0.8" if said else "0.9"), told)
    if height is not None and height.span.start < lengths[0].span.start:
        return times_each(of_one, height, item, text)  # "4 blinds, each 1.2 m wide with a 1.5 m drop"
    return of_one


def _is_further(area: Quantity, figures: Sequence[Quantity], text: str) -> bool:
    """ "3 m at 0.6 high, plus another 1.2 sqm behind the cooker": more than the strip that was told before."""
    if area.role is not Role.AREA or area.sides:
        return False
    before = [one for one in figures if one.span.end <= area.span.start]
    strip = any(one.role is Role.LENGTH for one in before) and any(one.axis == "height" for one in before)
    told = _FURTHER.search(text, max(0, area.span.start - _NEAR), area.span.start) is not None
    return told and strip and not any(one.role is Role.AREA for one in before)


def _goes_on_with_sides(areas: Sequence[Quantity], text: str) -> bool:
    """ "Wash the 600 sq ft drive and the patio 12x20": one area is stated, and another thing has sides."""
    stated, other = areas[0], areas[1:]
    return (
        len(other) == 1
        and bool(other[0].sides)
        and _AND_THE.fullmatch(text, stated.span.end, other[0].span.start) is not None
    )


def _is_about(one: Measured, other: Measured) -> bool:
    if one.value is None or other.value is None:
        return False
    value = other.value * factor(other.unit, one.unit)
    return abs(one.value - value) <= one.value / 50


def _added(lengths: Sequence[Quantity], task: Task, text: str) -> Measured:
    """ "100 ft of 6 ft fence and 40 ft of 4 ft fence"."""
    unit = lengths[0].unit
    total = sum((one.value * factor(one.unit, unit) for one in lengths), Decimal(0))
    said = " + ".join(text[one.span.start : one.span.end] for one in lengths)
    return Measured(total, unit, Decimal("0.8"), f"{task.name}: {said} = {plain(total)} {unit}.")


def is_shallow(task: Task) -> bool:
    """Whether a task is for what covers no room: a countertop, a backsplash."""
    return not _USUAL_DEPTHS.keys().isdisjoint(lemmas_of(task.name))


def _is_too_deep(area: Quantity, task: Task) -> bool:
    """ "Kitchen 12x14: new floor, quartz countertops": the room's size, as no countertop is that deep."""
    if not is_shallow(task) or area.side_unit not in UNITS:
        return False
    return bool(area.sides) and min(area.sides) * factor(area.side_unit, "m") > _DEEPEST_COUNTER


def _sheets(task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """ "Hang 40 sheets of drywall": boards of 4 × 8 ft, where no size is told; "40 sheets of 4x12"."""
    told = next((one for one in figures if one.role is Role.COUNT and lemma(one.noun) == "sheet"), None)
    if told is None or task.trade not in _BOARDED:
        return None
    sizes = [one.value for one in figures if one.role is Role.SIZE and one.unit == "ft" and not one.axis]
    long = next((one for one in _LONGER_SHEETS if sizes == [4, one]), 8)
    sheet = Decimal(4 * long)
    said = f"{task.name}: {plain(told.value)} sheets, each taken as 4 × {long} ft = {plain(told.value * sheet)} sqft."
    return Measured(told.value * sheet, "sqft", Decimal("0.75"), said, "Area derived from the number of sheets.")


def _ceiling_tiles(task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """ "Replace 24 ceiling tiles 2x4": so many of a size each, in feet."""
    counts = [one for one in figures if one.role is Role.COUNT]
    sizes = tuple(one.value for one in figures if one.role is Role.SIZE and one.unit == "in")
    if task.task_id != "drywall.ceiling" or len(counts) != 1 or sizes not in _CEILING_TILES:
        return None
    each = sizes[0] * sizes[1]
    by = " × ".join(map(plain, sizes))
    said = f"{task.name}: {plain(counts[0].value)} × {by} ft = {plain(counts[0].value * each)} sqft."
    return Measured(counts[0].value * each, "sqft", Decimal("0.85"), said)


def _lengths(figures: Sequence[Quantity]) -> list[Quantity]:
    """Lengths of work in units that have a square."""
    return [figure for figure in figures if figure.role is Role.LENGTH and figure.unit in _AREA_UNIT]


def _length_by_height(task: Task, lengths: Sequence[Quantity], figures: Sequence[Quantity]) -> Measured | None:
    """A strip of wall told by two lengths ("2' flood cut, 52 LF", "up to 4 ft … 190 ft of wall"): the short one is
    its height, where the ``figures`` tell none."""
    if any(one.axis == "height" for one in figures):
        return None
    if len(lengths) != _SIDES or task.trade not in _OF_ROOMS | {"siding", "masonry", "fencing"}:
        return None
    low, long = sorted(lengths, key=lambda figure: figure.value * factor(figure.unit, "m"))
    unit = long.unit
    height = low.value * factor(low.unit, unit)
    if height * factor(unit, "m") > _TALLEST or height * 2 > long.value:
        return None
    text = f"{task.name}: area taken as {plain(long.value)} {unit} by {plain(height)} {unit}."
    return Measured(long.value * height, _AREA_UNIT[unit], Decimal("0.8"), text)


def _in_inches(area: Quantity, item: Item) -> Quantity:
    """A "24x36" mirror, whose sides are inches where no unit says otherwise and feet would make a wall of it."""
    named = item.match.words.union(lemmas_of(item.match.task.name)) if item.match else frozenset()
    panes = not named.isdisjoint(_PANES) and _trade_of(item) not in _OF_ROOMS
    if not area.assumed_unit or area.side_unit != "ft" or not panes or min(area.sides) < _LEAST_INCHES:
        return area
    return replace(area, value=area.value / 144, side_unit="in")


def _is_module(text: str, sides: tuple[Quantity, Quantity]) -> bool:
    """Whether two sides are those of one of many that cover a surface: "600x600 grid and tile", "subway tile, 3x6"."""
    first, second = sides
    largest = max(side.value * factor(side.unit, "m") for side in sides)
    before = text[max(0, first.span.start - _NEAR) : first.span.start]
    laid = _MODULES_BEHIND.match(text, second.span.end) or _MODULES_BEFORE.search(before)
    return largest <= _LARGEST_MODULE and laid is not None


def _counts_beside(first: Quantity, second: Quantity, figures: Sequence[Quantity]) -> bool:
    """ "4no ceiling tiles 600x600", "ceiling tiles 600x600 - 11 no": so many of this size."""
    counts = [one for one in figures if one.role is Role.COUNT]
    return any(
        0 <= first.span.start - one.span.end <= _NEAR
        or (one.noun == "them" and 0 <= one.span.start - second.span.end <= _BEHIND)
        for one in counts
    )


def _is_lumber(face: Quantity) -> bool:
    """ "2x4 walls": the thickness and width of its timber, in inches."""
    return face.assumed_unit and min(face.sides) in _THICK and max(face.sides) in _WIDE


#: Millimetres below which the sides of what is told by its length are its section.
_LARGEST_SECTION = 300


def _faces(text: str, figures: Sequence[Quantity], task: Task) -> list[Quantity]:
    """The faces of things whose two sides are given as sizes ("window 36 x 60 in", "2 banners 3x8"): inches, or feet
    where a face of so few inches is none; not of what a surface is laid with."""
    if len(figures) > _MOST_SIZES:
        return []
    sizes = [one for one in figures if one.role is Role.SIZE and one.unit in _FACE_UNITS]
    runs = any(one.role is Role.LENGTH for one in figures)
    found: list[Quantity] = []
    for first, second in itertools.pairwise(sizes):
        between = text[first.span.end : second.span.start]
        upright = {first.axis, second.axis} in _UPRIGHT and _BESIDE.fullmatch(between)
        upright = upright or (_is_plan(first, second) and _BESIDE.fullmatch(between))
        if not (upright or _BY.fullmatch(between)) or (found and found[-1].span.end > first.span.start):
            continue
        laid = task.trade in _LAYERS and _is_module(text, (first, second))
        if laid and not _counts_beside(first, second, figures):
            continue
        if _PLANK.search(text, max(0, first.span.start - _SHORT), first.span.start):
            continue  # boards of "5/4x6x12"
        if runs and first.unit == second.unit == "mm" and max(first.value, second.value) < _LARGEST_SECTION:
            continue  # "8 m long, 200x100 sleepers"
        unit = second.unit
        sides = (first.value * factor(first.unit, unit), second.value)
        if second.assumed_unit and unit == "in" and sides[0] * sides[1] < _LEAST_FACE:
            unit = "ft"
        area = "sqft" if unit in {"in", "ft"} else "m2"
        scale = factor(unit, "ft" if area == "sqft" else "m")
        found.append(
            replace(
                first, value=sides[0] * sides[1] * scale * scale, unit=area, role=Role.AREA, sides=sides,
                side_unit=unit,
                span=Span(first.span.start, second.span.end), assumed_unit=second.assumed_unit, axis="",
            )
        )  # fmt: skip
    return found


def _is_plan(first: Quantity, second: Quantity) -> bool:
    """ "90 ft deep and 120 ft wide": no thickness."""
    metres = [one.value * factor(one.unit, "m") for one in (first, second) if one.unit in _AREA_UNIT]
    return {first.axis, second.axis} == {"width", "depth"} and len(metres) == _SIDES and min(metres) >= _SHORTEST_PLAN


def _around_base(text: str, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """The walls around a tub or a shower's base whose sides are told, one of them open: "retile the shower, 36x60"; all
    that are told where they are three: "shower walls 32x60x32"."""
    if task.trade != "tiling" or "wall" not in lemmas_of(task.name):
        return None
    sizes = [one for one in figures if one.role is Role.SIZE and one.unit == "in" and one.assumed_unit]
    sides = [one for one in sizes if one.value >= SMALLEST_BASE]  # tiles are smaller
    if not _SIDES <= len(sides) <= _BOX or _is_module(text, (sides[0], sides[1])):
        return None
    if any(not _BY.fullmatch(text[one.span.end : two.span.start]) for one, two in itertools.pairwise(sides)):
        return None
    plan = replace(sides[0], sides=(sides[0].value, sides[1].value))
    height, stated = _height(text, plan, figures, "ft")
    values = [side.value for side in sides]
    length = sum(values if len(values) == _BOX else [*values, min(values)], Decimal(0)) * factor("in", "ft")
    told = " × ".join(map(plain, values))
    said = (
        f"{task.name}: three walls around {told} in, {'stated' if stated else 'assumed'} height {plain(height)} ft"
        f" = {plain(length * height)} sqft. Sizes without a unit are read as inches."
    )
    sure = Decimal("0.85" if stated else "0.75")
    return Measured(length * height, "sqft", sure, said, "Area derived from the size of the bath or shower.")


def _from_sides(text: str, item: Item, area: Quantity, figures: Sequence[Quantity]) -> Measured:
    """A floor plan: its own area for floors and ceilings; walls are the perimeter times a stated or assumed
    height."""
    outside = _outside_walls(text, item, area)
    if outside is not None:
        return outside
    written, unit = area.side_unit, _PLAN_UNITS.get(area.side_unit, area.side_unit)
    note = f" Sizes without a unit are read as {written}." if area.assumed_unit else ""
    lemmas, named = item.lemmas, lemmas_of(item.match.task.name) if item.match else ()
    if (
        _trade_of(item) not in _OF_ROOMS
        or ("ceiling" in named and "wall" not in named)
        or not _is_room(text, item, area)
        or not (lemmas & WALL_WORK or (_trade_of(item) == "painting" and "wall" in named))
        or (lemmas & {"floor", "deck", "exterior", "fence"})
    ):
        sides = " × ".join(plain(side) for side in area.sides[:2])
        text = f"Area of {sides} {written} = {plain(area.value)} {area.unit}.{note}"
        return Measured(area.value, area.unit, Decimal("0.85") if note else Decimal("0.95"), text)
    if unit != written:
        area = replace(
            area, sides=tuple(side * factor(written, unit) for side in area.sides), side_unit=unit,
            value=area.value * factor(area.unit, _AREA_UNIT[unit]), unit=_AREA_UNIT[unit],
        )  # fmt: skip
    told = SURFACES_TOLD.match(text, area.span.end)
    ceiling = bool(told["both"] or told["ceiling"]) if told else "ceiling" in lemmas and _means_ceiling(text, item)
    walls = told["walls"] is not None if told else "wall" in lemmas or not ceiling
    height, stated = _height(text, area, figures, unit)
    perimeter = 2 * (area.sides[0] + area.sides[1])
    total = walls * perimeter * height + ceiling * area.value
    surfaces = " and ".join(name for name, wanted in (("walls", walls), ("ceiling", ceiling)) if wanted)
    said = "stated" if stated else "assumed"
    text = (
        f"{item.match.task.name if item.match else 'Area'}: {surfaces} of a {plain(area.sides[0])} ×"
        f" {plain(area.sides[1])} {unit}"
        f" room, {said} ceiling height {plain(height)} {unit}, openings not deducted = {plain(total)}"
        f" {area.unit}.{note}"
    )
    return Measured(
        total, area.unit, Decimal("0.85") if stated else Decimal("0.75"), text, "Area derived from the room's size."
    )


def _outside_walls(text: str, item: Item, area: Quantity) -> Measured | None:
    """ "Reside the garage, 24x24 with 8 ft walls": the perimeter of a building times the height that is told."""
    if item.match is None or _trade_of(item) != "siding" or len(area.sides) != _SIDES or area.side_unit not in UNITS:
        return None
    unit = _PLAN_UNITS.get(area.side_unit, area.side_unit)
    sides = [side * factor(area.side_unit, unit) for side in area.sides]
    found = [_told_height(one, unit) for one in _TOLD_HEIGHT.finditer(text, area.span.end, area.span.end + _NEAR)]
    if not found or found[0] is None or min(sides) * factor(unit, "m") < _TALLEST:
        return None
    total = 2 * sum(sides) * found[0]
    by = " × ".join(map(plain, sides))
    said = f"{item.match.task.name}: walls round {by} {unit}, {plain(found[0])} {unit} high, openings not deducted"
    return Measured(
        total, _AREA_UNIT[unit], Decimal("0.8"), f"{said} = {plain(total)} {_AREA_UNIT[unit]}.",
        "Area derived from the building's size.",
    )  # fmt: skip


def _triangle(area: Quantity, name: str) -> Measured:
    by = " × ".join(plain(side) for side in area.sides)
    said = f"{name}: half of {by} {area.side_unit}, a triangle."
    return Measured(area.value / 2, area.unit, Decimal("0.85"), said)


def _trade_of(item: Item) -> str:
    """The trade of the item's task."""
    return item.match.task.trade if item.match else ""


def _means_ceiling(text: str, item: Item) -> bool:
    """The ceiling is work, not only the height of the room ("9 ft high ceilings")."""
    behind = text[item.end : item.end + _NEAR]
    behind = behind[: min((at for stop in _STOPS if (at := behind.find(stop)) >= 0), default=_NEAR)]
    said = _CEILING_AS_HEIGHT.sub(" ", text[item.clause.start : item.end] + behind)
    return "ceiling" in said.lower()


def _is_room(text: str, item: Item, area: Quantity) -> bool:
    """The sides are a room's: a room is named, or walls or ceilings are, and none of the sides is a height."""
    named = lemmas_of(item.match.task.name) if item.match is not None else ()
    if "partition" in named or (_trade_of(item) == "demolition" and "wall" in named):
        return False  # "a partition to split one room, 12 ft long x 8 ft", "take down the wall of the kitchen, 12 x 8"
    following = text[area.span.end : area.span.end + 12].lower()
    if re.match(r" of (?!the\b|our\b|my\b)", following):
        return False  # "10x12 of wet drywall"
    if area.side_unit in UNITS and min(area.sides[:2]) * factor(area.side_unit, "m") < _NARROWEST:
        return False
    if len(area.sides) == _BOX and area.sides[2] < min(area.sides[:2]) and item.lemmas & {"wall", "ceiling"}:
        return True  # "8.5m x 7m x 2.7m, walls and ceiling": with its height
    before = re.findall(r"[a-z]+", text[max(0, area.span.start - _NOUN_PHRASE) : area.span.start].lower())
    of_place = bool(before) and lemma(before[-1]) in PLACES
    if re.match(r"[\s-]*(?:wall\b|ceiling)" if of_place else r"[\s-]*(?:wall|ceiling)", following):
        return False
    if any(figure.axis == "height" and area.span.start <= figure.span.start < area.span.end for figure in item.figures):
        return len(area.sides) == 3
    nearest = before[-2:] if before[-1:] and before[-1] in _MEASURES_OF else before[-1:]
    which = _WHICH_WALL.search(text[max(0, area.span.start - _NEAR) : area.span.start])
    if which is not None and area.side_unit in UNITS and min(area.sides) * factor(area.side_unit, "m") <= _TALLEST:
        return False  # "the back wall of the lounge, 4m x 2.4"
    if any(lemma(word) in ROOMS for word in nearest):
        return True
    walls = [word for word in (*item.words, *item.detail) if word.lemma == "wall"]
    one_wall = _ONE_WALL.search(text[max(0, area.span.start - _NEAR) : area.span.start]) is not None
    if (walls or one_wall) and (one_wall or not item.lemmas & ROOMS) and area.side_unit in UNITS:
        # A wall of 5 m × 2.4 m is a face, not the plan of a room; none is 11 x 10 ft where rooms are 8 ft high.
        heights = () if one_wall else _heights_told(text, area.side_unit)
        other_height = len(heights) == 1 and heights.isdisjoint(area.sides)
        return other_height or min(area.sides) * factor(area.side_unit, "m") > _TALLEST
    return bool(item.lemmas & (ROOMS | {"wall", "ceiling"})) or bool(re.search(r"\b(?:bed)?rooms?\b", text, re.I))


def _length(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    lengths = [figure for figure in figures if figure.role is Role.LENGTH and figure.unit in UNITS]
    # "6' cedar privacy 164 LF" is a fence that does not say so.
    fenced = task.trade == "fencing"
    high = [one for one in lengths if one.value * factor(one.unit, "m") <= HIGHEST_FENCE]
    # "6' fence along 341 ft", "chain link fence, 4', about 160 ft": the first is how high it is.
    first = len(lengths) > 1 and (lengths[0] in high or inside(lengths[0], item.clause))
    first = first or (len(high) == 1 < len(lengths) and _is_how_high(high[0], item))
    if first and (fenced or item.lemmas & {"fence", "hedge", "railing"}):
        replaced = len(high) == _SIDES < len(lengths) and item.verb in PUTS_IN
        lengths = [one for one in lengths if one not in high] if len(high) == 1 or replaced else lengths
        if replaced and len(lengths) == _SIDES and _AND.search(text[lengths[0].span.end : lengths[1].span.start]):
            return _added(lengths, task, text)
    less = [one for one in lengths if is_taken_off(one, text)]
    told = _all_but(figures, less)
    pieces = _pieces(task, told) or (_panels(task, told, text) if fenced else None)
    if pieces is not None:
        return pieces
    if fenced and len(lengths) > 1 and all(one.assumed_unit for one in lengths):
        return _added(lengths, task, text)  # "left side 82, back 64, and the right side is only 40"
    in_bays = fenced and any(one.role is Role.COUNT and lemma(one.noun) == "bay" for one in figures)
    if in_bays and all(one.value * factor(one.unit, "m") <= HIGHEST_FENCE for one in lengths):
        return None  # "8 bays, 6ft": how high it is (`reckoning` has how wide bays are)
    panel_height = {"ft": Decimal(8), "m": Decimal("2.4")}
    if (fenced or item.lemmas & {"fence", "hedge", "wall", "railing"}) and len(lengths) == 1:
        only = lengths[0]
        if only.noun and only.value <= panel_height.get(only.unit, Decimal(0)) and only.noun != "of":
            return None
    less = [one for one in less if any(one is other for other in lengths)]
    if lengths and len(less) < len(lengths):
        return _without(_stated([one for one in lengths if one not in less], item, text), less, text)
    along = [
        figure for figure in figures if figure.role is Role.SIZE and figure.axis == "length" and figure.unit in UNITS
    ]
    if along:
        return Measured(along[0].value, along[0].unit)
    surface = next((figure for figure in figures if figure.role is Role.AREA and figure.sides), None)
    if surface is None:
        return None
    narrow = surface.side_unit in UNITS and min(surface.sides) * factor(surface.side_unit, "m") < _NARROW
    if len(surface.sides) == _SIDES and (narrow or "hedge" in item.lemmas):
        # "Baseboard 5 in x 120 ft", "a hedge 80 ft x 6 ft": how wide or high it is along its length.
        longer = max(surface.sides)
        text = f"{task.name}: the longer side, {plain(longer)} {surface.side_unit}."
        return Measured(longer, surface.side_unit, Decimal("0.85"), text)
    upright = item.lemmas & {"fence", "hedge", "wall", "railing"}
    several = [one for one in figures if one.role is Role.AREA and one.sides]
    if not upright and all(_are_runs(one, item, text, several=len(several) > 1) for one in several):
        length = sum((one.sides[0] * one.sides[1] for one in several), Decimal(0))
        by = " + ".join(" × ".join(map(plain, one.sides)) for one in several)
        said = f"{task.name}: {by} {surface.side_unit}, as so many runs."
        return Measured(length, surface.side_unit, Decimal("0.8"), said)
    if (item.lemmas | {*lemmas_of(task.name)}) & _EDGE_WORK:
        surfaces = [figure for figure in figures if figure.role is Role.AREA and figure.sides]
        found = combined(surfaces, item, text, lambda one: _perimeter(one, task, ", doors not deducted"))
        return _without(found, less, text)
    if _ALL_ROUND.search(text[item.clause.start : item.end + _NEAR]):
        return _perimeter(surface, task, "")
    if upright:
        longest = max(surface.sides)
        return Measured(
            longest,
            surface.side_unit,
            Decimal("0.8"),
            f"{task.name}: the longer side, {plain(longest)} {surface.side_unit}.",
        )
    return None


def _all_but(figures: Sequence[Quantity], some: Sequence[Quantity]) -> list[Quantity]:
    return [one for one in figures if all(one is not other for other in some)]


def _without(found: Measured, less: Sequence[Quantity], text: str) -> Measured:
    """ "All round a room 14 x 16, minus 3 ft for the door"."""
    off = sum((one.value * factor(one.unit, found.unit) for one in less), Decimal(0))
    if found.value is None or not less or off >= found.value:
        return found
    said = " − ".join(["", *(text[one.span.start : one.span.end] for one in less)])
    return replace(found, value=found.value - off, assumption=f"{found.assumption}{said}")


def _with(found: Measured, more: Sequence[Quantity], text: str) -> Measured:
    """ "… plus another 0.6 sqm"."""
    if found.value is None or any(dimension(one.unit) is not dimension(found.unit) for one in more):
        return found
    total = found.value + sum((one.value * factor(one.unit, found.unit) for one in more), Decimal(0))
    said = " + ".join(["", *(text[one.span.start : one.span.end] for one in more)])
    return replace(found, value=total, assumption=f"{found.assumption}{said} = {plain(total)} {found.unit}.")


def _are_runs(surface: Quantity, item: Item, text: str, *, several: bool) -> bool:
    """ "Install gutters, 2 x 60 ft", and no room of that size; "2 x 9 m plus 2 x 5 m"."""
    start = surface.span.start
    if start < item.clause.start or _SO_MANY_RUNS.fullmatch(text, start, surface.span.end) is None:
        return False
    before = {lemma(word) for word in re.findall("[a-z]+", text[item.clause.start : start].lower())}
    least = _LEAST_RUN_OF_SEVERAL if several else _LEAST_RUN
    return surface.sides[1] >= least * surface.sides[0] and (item.lemmas | before).isdisjoint(ROOMS)


def _pieces(task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """ "3no 1.83m panels": so many of a length each, where no other length is told."""
    lengths = [one for one in figures if one.role is Role.LENGTH]
    if len(lengths) > 1:
        return None
    for count, size in itertools.pairwise(figures):
        if count.role is not Role.COUNT or size.role not in {Role.SIZE, Role.LENGTH} or size.unit not in _AREA_UNIT:
            continue
        others = bool(lengths) and lengths[0] is not size
        if not others and size.noun == count.noun != "" and 0 <= size.span.start - count.span.end <= _GAP:
            text = f"{task.name}: {plain(count.value)} × {plain(size.value)} {size.unit}."
            return Measured(count.value * size.value, size.unit, Decimal("0.85"), text)
    return None


def _panels(task: Task, figures: Sequence[Quantity], text: str) -> Measured | None:
    """ "4 fence panels, 6ft x 6ft": so many times the longer side, where no other length is told."""
    counts = [one for one in figures if one.role is Role.COUNT]
    sides = [one for one in figures if one.role is Role.SIZE and one.unit in _AREA_UNIT]
    told = len(counts) == 1 and len(sides) == _SIDES and sides[0].unit == sides[1].unit
    if not told or any(one.role is Role.LENGTH for one in figures):
        return None
    around = text[counts[0].span.start : max(counts[0].span.end, sides[1].span.end) + _NOUN_PHRASE]
    longer = max(side.value for side in sides)
    if _OF_FENCES.search(around) is None or longer * factor(sides[0].unit, "m") > HIGHEST_FENCE:
        return None
    said = f"{task.name}: {plain(counts[0].value)} panels × {plain(longer)} {sides[0].unit}, the longer side."
    return Measured(counts[0].value * longer, sides[0].unit, Decimal("0.85"), said)


def _perimeter(surface: Quantity, task: Task, note: str) -> Measured:
    total = 2 * (surface.sides[0] + surface.sides[1])
    sides = " × ".join(plain(side) for side in surface.sides[:2])
    text = f"{task.name}: perimeter of {sides} {surface.side_unit}{note}."
    return Measured(total, surface.side_unit, Decimal("0.8"), text, "Length derived from the sides.")


def _volume(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    stated = [figure for figure in figures if figure.role is Role.VOLUME]
    if stated:
        return _stated(stated, item, text)
    areas = [figure for figure in figures if figure.role is Role.AREA and figure.unit in _DEPTH_VOLUME]
    area = next(iter(areas), None)
    depth = next(
        (
            figure
            for figure in figures
            if figure.role is Role.SIZE
            and figure.unit in UNITS
            and not any(one.span.start <= figure.span.start < one.span.end for one in areas)
        ),
        None,
    )
    if area is not None and len(area.sides) == _BOX and area.side_unit in UNITS:
        sides = [side * factor(area.side_unit, "ft") for side in area.sides]
        by = " × ".join(plain(side.quantize(_SMALLEST)) for side in sides)
        one = Measured(sides[0] * sides[1] * sides[2], "cuft", Decimal("0.9"), f"{task.name}: {by} ft.")
        return combined([area], item, text, lambda _: one)
    if area is None:
        return _boxes(text, task, figures) or _dug(text, item, task, figures)
    if depth is None:
        return _dug(text, item, task, figures)  # "6 yards of mulch, 400 sf of beds"
    unit, cubic = _DEPTH_VOLUME[area.unit]
    # "The front bed, 20x6, and the back bed, 30x4, 3 inches deep"
    surface = _stated([one for one in areas if one.unit == area.unit and len(one.sides) != _BOX], item, text)
    value = surface.value or area.value
    size = value * factor(area.unit, _AREA_UNIT[unit]) * depth.value * factor(depth.unit, unit)
    said = f"{surface.assumption} {task.name}: {plain(value)} {area.unit} at {plain(depth.value)} {depth.unit} deep."
    return Measured(size, cubic, Decimal("0.85"), said.strip())  # fmt: skip


def _boxes(text: str, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """ "6 off 600 x 600 x 500 deep": so many boxes, each told by its sides."""
    sides = [one for one in figures if one.role is Role.SIZE and one.unit in UNITS][:_BOX]
    joined = all(_BY.fullmatch(text[a.span.end : b.span.start]) for a, b in itertools.pairwise(sides))
    if len(sides) < _BOX or not joined:
        return None
    metres = [one.value * factor(one.unit, "m") for one in sides]
    counts = [one for one in figures if one.role is Role.COUNT and one.span.end <= sides[0].span.start]
    near = [one for one in counts if _BEFORE_SIZE.fullmatch(text[one.span.end : sides[0].span.start])]
    number = near[-1].value if near else Decimal(1)
    value = (metres[0] * metres[1] * metres[2] * number).quantize(_SMALLEST)
    said = text[sides[0].span.start : sides[-1].span.end]
    assumption = f"{task.name}: {plain(number)} × {said} = {plain(value)} m3."
    return Measured(value, "m3", Decimal("0.9"), assumption)


def _dug(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """Length × width × depth of a trench, and "6 yards of mulch", which are cubic ones."""
    lengths = [figure for figure in figures if figure.role is Role.LENGTH and figure.unit in UNITS]
    if not lengths:
        return None
    across = [
        figure
        for figure in figures
        if figure.role is Role.SIZE and figure.axis in {"depth", "width", "height"} and figure.unit in UNITS
    ]
    if lengths[0].unit == "yd" and not across:
        said = f"{task.name}: {plain(lengths[0].value)} yards are taken as cubic yards."
        found = combined([one for one in lengths if one.unit == "yd"], item, text, lambda one: as_told(one, "cuyd", ""))
        return replace(found, assumption=f"{found.assumption} {said}".strip())
    if len(across) < 2:
        return None
    length, unit = _stated(lengths, item, text), "m" if lengths[0].unit in {"m", "mm", "cm"} else "ft"
    sides = [side.value * factor(side.unit, unit) for side in across[:2]]
    volume = (length.value or Decimal(0)) * factor(length.unit, unit) * sides[0] * sides[1]
    by = f"{plain(sides[0])} × {plain(sides[1])} {unit}"
    said = f"{task.name}: {plain(length.value or Decimal(0))} {length.unit} × {by}."
    return Measured(volume, {"m": "m3", "ft": "cuft"}[unit], Decimal("0.9"), said)


def _other(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    wanted = dimension(task.unit)
    found = [
        figure
        for figure in figures
        # Weeks and months say how long a contract runs, not how many hours are worked.
        if figure.unit in UNITS
        and dimension(figure.unit) is wanted
        and (figure.unit not in {"week", "month"} or figure.unit == task.unit)
    ]
    workers = _workers(found[0], task, figures, text) if found and wanted is Dimension.TIME else None
    return workers or (_stated(found[:1], item, text) if found else None)


def _workers(time: Quantity, task: Task, figures: Sequence[Quantity], text: str) -> Measured | None:
    """ "2 electricians for 3 hours": so many hours of one, where the task is no crew's."""
    people = next((one for one in figures if one.role is Role.COUNT and one.value > 1), None)
    if people is None or lemma(people.noun) not in _WORKERS or task.trade == "moving":
        return None
    if _FOR_HOURS.fullmatch(text, people.span.end, time.span.start) is None:
        return None
    value = people.value * time.value
    said = f"{task.name}: {plain(people.value)} × {plain(time.value)} {time.unit} = {plain(value)} {time.unit}."
    return Measured(value, time.unit, Decimal("0.85"), said)


_RULES = {
    Dimension.AREA: _area,
    Dimension.LENGTH: _length,
    Dimension.VOLUME: _volume,
    Dimension.COUNT: counted,
    Dimension.LUMP: visited,
    Dimension.MASS: _other,
    Dimension.TIME: _other,
    Dimension.POWER: _other,
}


def _stated(figures: Sequence[Quantity], item: Item, text: str) -> Measured:
    name = item.match.task.name if item.match else ""
    return combined(figures, item, text, lambda figure: as_told(figure, figure.unit, name))


def _height(text: str, area: Quantity, figures: Sequence[Quantity], unit: str) -> tuple[Decimal, bool]:
    if len(area.sides) == 3:
        return area.sides[2], True
    plans = [one.span for one in figures if one.role is Role.AREA]
    for figure in figures:
        # A side of another room is no height.
        side = any(plan.start <= figure.span.start < plan.end for plan in plans)
        if side or figure.unit not in UNITS:
            continue
        near = max(0, figure.span.start - _NEAR)
        reaches = figure.role in {Role.LENGTH, Role.SIZE} and _UP_TO.search(text, near, figure.span.start) is not None
        high = figure.role is Role.SIZE and figure.unit in {"ft", "m"} and figure.axis in {"", "height"}
        if reaches or high:
            return figure.value * factor(figure.unit, unit), True
    told = _heights_told(text, unit)
    if len(told) == 1:
        return next(iter(told)), True
    return _CEILING_HEIGHT.get(unit, Decimal(8)), False


@lru_cache(maxsize=8)
def _heights_told(text: str, unit: str) -> frozenset[Decimal]:
    """How high rooms are, as a request tells it anywhere, in ``unit``; each of its rooms asks."""
    told = (_told_height(found, unit) for found in _TOLD_HEIGHT.finditer(text))
    return frozenset(one for one in told if one is not None)


def _told_height(found: re.Match[str], unit: str) -> Decimal | None:
    """The height that a phrase tells, in ``unit``; None where no room is so high."""
    written = (found["of"] or found["in"])[0].lower()
    told = (found["before"] or found["behind"]).lower()
    height = _HEIGHT_WORDS.get(told) or Decimal(told)
    of = "m" if written == "m" else "ft"
    fits = _LOWEST_ROOM <= height * factor(of, "m") <= _HIGHEST_ROOM
    return (height * factor(of, unit)).normalize() if fits else None
