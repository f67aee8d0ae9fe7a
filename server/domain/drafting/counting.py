"""How many of an item are asked for: counts, things at several places, rooms that have one each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from server.domain.catalogue import Task
from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.combining import PLACES, as_told
from server.domain.drafting.items import Item, Measured, lemmas_of_names, plain, shown
from server.domain.drafting.listing import LISTED_ROOMS, Places, listed
from server.domain.drafting.matching import ROOMS, lemma, lemmas_of
from server.domain.drafting.numbers import NUMBER_WORDS, Kind, tokenize
from server.domain.drafting.patterns import cues, folded
from server.domain.drafting.quantities import THERE, Quantity, Role
from server.domain.takeoff import Span
from server.domain.units import UNITS

#: "3 bed semi", "two bedroom flat", "2 car garage": the size of a building, not a count in it.
_HOME_SIZE = re.compile(
    r"\W*car\W+(?:\w+\W+)?(?:garage|carport|port)\b"
    r"|\W*bed(?:room)?s?\W+(?:(?!(?:of|in|at)\b)\w+\W+){0,2}(?:house|home|flat|apartment|apt|semi|terrace|terraced|bungalow|condo"
    r"|property|place|detached|townhouse|maisonette|unit|ranch|duplex|cottage|rental|let)\b"
    r"|\W*(?:bed(?:room)?|bd|br)\W{1,3}(?:\d|one|two|three)(?:\.5)?\W{0,2}ba(?:th(?:room)?)?s?\b"
    r"|\W*ba(?:th(?:room)?s?)?\W+(?:house|home|flat|apartment|apt|condo|townhouse|unit|ranch|duplex)\b", re.IGNORECASE,
)  # fmt: skip
#: A word that begins with a number ("a 4-BR system").
HYPHENATED = re.compile(r"-[A-Za-z]{2,}")
#: What a count beside a thing may be of.
NO_COUNT = frozenset(
    ["coat", "story", "floor", "stop", "person", "people", "man", "men", "guy", "car", "side", "gang", "way", "panel"]
)
#: What is told beside work and is its count only where it is its name: what has passed ("not swept in 2 winters"), who
#: lives there; and what a number makes a quality of ("6 burner stove").
_TOLD_BESIDE = frozenset(
    ["years", "winters", "summers", "seasons", "cycles", "kids", "children", "dogs", "cats", "adults", "tenants",
     "zones"]
)  # fmt: skip
_QUALITIES = frozenset(
    ["lever", "star", "burner", "seater", "phase", "pack", "poster", "blade", "tier", "speed", "year", "person",
     "section"]
)  # fmt: skip
#: What makes one flight of steps, what one repair of a roof is of, what one house has for its ducts, and what an
#: electrical panel is full of.
_OF_STAIRS = frozenset({"riser", "tread", "step", "stair"})
_OF_ROOFS = frozenset({"shingle", "tile", "slate"})
_OF_DUCTS = frozenset({"vent", "register", "return", "supply", "grille", "outlet", "duct"})
OF_PANELS = frozenset({"breaker", "circuit", "space", "slot"})
#: What is carried over: "has to come up 6 outside steps".
_STEPS_BEHIND = re.compile(r" (?:[a-z-]+ )?(?P<steps>steps|stairs|flights)\b", re.IGNORECASE)
#: What comes with a thing: "an opener w/ wifi and 2 remotes", before the number.
_COMES_WITH = re.compile(r"\b(?:with|w/) ?(?:[\w-]+ (?:and|&|\+) )?(?:an? |the )?$", re.IGNORECASE)
#: What a kitchen that is fitted as a whole is made of.
_UNITS_OF_KITCHEN = frozenset({"unit", "box", "cabinet", "cupboard", "carcass", "base"})
#: "Of the 15 screens".
_OF_THE = re.compile(r"\b(?:out )?of (?:the|our|my|these|those|all)\s*$", re.IGNORECASE)
#: What is carried off is no number of visits ("gutters cleaned, 8 bags").
_PACKED = frozenset({"bag", "sack", "box", "barrel"})
#: What rubbish is carried off by: "8 bags of leaves" are no 8 quarters of a truck.
_LOADS = frozenset({"load", "truck", "trip", "van", "truckload", "vanload"})
#: What is laid out in one treatment against pests: "bait stations for mice, 6 of them".
_LAID_OUT = re.compile(r"\b(?:bait(?:ing)?s?|trap|tamper[- ]proof)(?: station| box)?(?:e?s)?\b", re.IGNORECASE)
_RADIATORS = frozenset({"radiator", "rad"})
#: "2 bed", "3 bd / 2 ba": so large a home.
_BEDS = frozenset({"bed", "bd", "bdrm", "br", "ba"})
#: What a visit is called.
_VISITS = frozenset({"visit", "time", "cut", "mow", "session", "treatment", "goe", "go"})
#: What has a front beside doors; characters between two counts of one kind.
_FRONTS = frozenset({"door", "drawer"})
_LISTED_WITHIN = 40
_AND_MORE = re.compile(r"(?:\band|\bplus|&|\+|,) *$", re.IGNORECASE)
#: What tells a kind of most things, and of places to park.
_KINDS = frozenset(
    ["large", "small", "big", "medium", "single", "double", "tall", "wide", "narrow", "spare", "extra", "handicap",
     "handicapped", "disabled", "accessible", "ada", "van"]
)  # fmt: skip
#: A count that only its kind stands behind: "2 handicap", "x1 (kitchen)" behind "heat".
_ONLY_KIND = re.compile(
    r"\)?(?: [a-z]+)?(?: accessible)?(?=\s*(?:[.,;:()\n]|$)| (?:and|plus|please|too|also|in all)\b| &)", re.I
)
#: The kind and the thing behind a count: "closet doors", ") 30 in fire doors".
_KIND = re.compile(r"\)?(?: [\w.\"'/-]{1,20}){1,4}")
#: What an entry of a list may begin with.
_LIST_SIGNS = " \t-–•*·("
#: The kind before a count behind an x: "heat x1".
_BEHIND_KIND = re.compile(r"(?<=[ ,])[a-z]+ (?:x|×) ?$", re.IGNORECASE)
#: What may stand between a verb and the number of its things.
_DETERMINERS = frozenset({"the", "our", "my", "all", "of", "please", "also", "and", "to", "these", "those", "just"})
#: More of one thing than a usual job has.
_MANY = 200
#: Characters after a count within which its noun stands ("6 new white internal doors"); between a noun and the count in
#: brackets after it ("doors (23)"); of a home's size; of an item that are asked for its rooms.
_NOUN_PHRASE = 30
_BRACKET = 2
_NEAR = 40
_FAR = 600

#: Days of a period, by which recurring work is counted.
_DAYS = {"day": Decimal(1), "week": Decimal(7), "month": Decimal("30.4"), "year": Decimal(365),
         "fortnight": Decimal(14)}  # fmt: skip

_BEHIND_X = re.compile(r"[x×]\s?$", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_FROM_TO = re.compile(
    rf"\b(?P<first>{_MONTH})\.?(?: ?[-–] ?| (?:to|thru|through|till|until)(?: the)?(?: end of)? )(?P<last>{_MONTH})\b",
    re.IGNORECASE,
)
_FOR_ONE = re.compile(r"\bfor (?:an?|one|the|a whole|the whole) (year|month)\b", re.IGNORECASE)

#: "So four altogether".
_IN_ALL = re.compile(r"\W{0,2}(?:in (?:all|total)|altogether|total|overall)\b", re.IGNORECASE)
#: "Two in each of the two bedrooms"; "both baths 2 each".
_IN_EACH = re.compile(
    r"(?: more)? (?:in|on|at|for|by|to) (?:each|every one) of (?:the |our |my |these |those )?$", re.IGNORECASE
)
_PER_PLACE = re.compile(
    r" (?:per|(?:for|in) (?:each|every)) ([a-z]+)(?:,| -| \(|:)?(?: (?:and|with|we have|there are|for))?(?: the)? ?",
    re.IGNORECASE,
)
_ONE_IN_EACH = re.compile(r" (?:in|on|at|for|by) (?:each|every)\b", re.IGNORECASE)
_IN_EACH_ONE = re.compile(r" (?:in|on|for|at) (?:each|every)\b(?! of)", re.IGNORECASE)
_ROOMS_BEFORE = re.compile(r"(?: [a-z]+){1,3} $", re.IGNORECASE)
_EACH_AFTER = re.compile(r" (?:each|apiece)\b", re.IGNORECASE)
#: What tells where the first of a list are, and behind which signs the parts of a whole stand.
_PLACED = re.compile(
    r"\b(?:in|at|on|by|for|near|over|under|up|down|out|inside|outside|upstairs|downstairs|front|back)\b", re.IGNORECASE
)
_PARTS_OF = re.compile(r"[:(]|\b(?:including|incl|of which)\b", re.IGNORECASE)
_AND = re.compile(r"(?:\band|\bplus|&|\+) *$", re.IGNORECASE)
#: Where things are counted beside rooms.
_ABOUT = PLACES | {"basement", "attic", "loft", "shed", "porch", "deck", "patio", "outside", "cellar", "conservatory"}

#: Rooms that are named one by one; of several only where a number or "both" says how many.
_ONE_ROOM = (
    r"(?:(?:living|dining|family|sitting|utility|box|laundry|powder|spare|play|master|main|guest|hall|linen|airing"
    r"|upstairs|downstairs|second|kids['’]?|half|home|double|single|large|small|big|front|back|other)[ -])*"
    r"(?:(?:bed|bath|cloak|play|wet|shower|rest)?rooms?|kitchens?|hall(?:way)?s?|lounges?|landings?|offices?|dens?"
    r"|stud(?:y|ies)|nurser(?:y|ies)|en[ -]?suites?|laundr(?:y|ies)|toilets?|cupboards?|closets?|pantr(?:y|ies)|utility"
    r"|baths?|conservatory|porch|garage|basement|attic|loft|foyer|entry|cellar|hot press)\b"
    r"(?! (?:door|light|tap|faucet|sink|fan|floor|ceiling|wall|window|tile))"
)
_IN_A_ROOM = re.compile(rf"\b(?:in|at|on|for|by) (?:the |our |my )?{_ONE_ROOM}", re.IGNORECASE)
#: What any joint has, so that most words need not be searched for rooms.
_JOINS = re.compile(r"[,&+]|and|plus", re.IGNORECASE)
#: Trades that do the same to things of many kinds; between two of them, and behind one; words of a kind, and kinds.
_BY_KINDS = frozenset({"tree work", "waste removal", "landscaping"})
_BETWEEN_THINGS = re.compile(r",(?: and)? |,? (?:and|&|\+|plus) ", re.IGNORECASE)
_BEHIND_THING = frozenset(
    ["in", "on", "at", "by", "out", "to", "that", "which", "need", "needs", "near", "behind", "along", "from", "are",
     "is", "please", "removed", "down", "gone", "taken"]
)  # fmt: skip
_OF_ONE = frozenset({"a", "an", "the", "our", "my", "one", "old", "dead", "that"})
_LONGEST_KIND, _MOST_NAMED = 3, 12
#: What parts two rooms is one: "the wall between the kitchen and the dining room".
_BETWEEN_ROOMS = re.compile(r"\b(?:between|separating|dividing)\b")
_EACH = re.compile(r"\beach\b", re.IGNORECASE)
#: "Rekey front, back, garage and laundry": of what is there.
_BY_SIDES = re.compile(r"\W*(?:[a-z-]+ ){1,2}(?:the )?(?:front|back|rear|side)(?:,| and | & )", re.IGNORECASE)
#: Homes and storeys that have one each where all are meant: "the oven in both units".
_HOMES = frozenset(
    {"unit", "flat", "apartment", "floor", "level", "house", "building", "bldg", "suite", "half", "side"}
)
#: What has so many rooms, in the name of a task.
_WHOLE_HOMES = frozenset({"house", "home", "system"})
#: "3 terraced houses".
_HOMES_BEHIND = re.compile(
    r" (?:[a-z-]+ ){0,2}(?:houses|homes|flats|units|apartments|cottages|bungalows|semis)\b", re.I
)
#: "Boiler service for our 3 flats", before the number.
_FOR_HOMES = re.compile(
    r"\b(?:(?:for|in) (?:all (?:of )?)?(?:the |our |my |each of (?:the |our |my ))?|all (?:of )?(?:the |our |my )?)$",
    re.IGNORECASE,
)
#: Behind these another thing is counted.
_ADDS = frozenset({"and", "plus", "with", "including"})
_COLON = re.compile(r"\s?:")
#: What stands behind a heading.
_HEADS_LIST = re.compile(r"\s*:\s*\n")
_AND_MORE_THERE = re.compile(
    r"[^.;:!?,\n]{0,60}\b(?:in|at|on|behind|by|over|under|near|upstairs|downstairs|outside)\b[^.;:!?,\n]{0,30}"
    r"(?:,? and|,? plus| &)(?: also| then)? (?:another |the )?",
    re.IGNORECASE,
)
#: "Grab rail by the toilet, grab rail x2", up to the number: one with its place, and so many of the same.
_ONE_AND_SAME = re.compile(
    r"\W*(?:(?:supply|fit|install|replace|new|an?|one|please|and) )*(?P<thing>[a-z]+(?: [a-z]+){0,2}?)"
    r" (?:in|at|on|behind|by|over|under|near|beside|outside)\b(?: [a-z]+){1,3}(?:,| and| &| \+| plus)+"
    r" (?:new )?(?P<again>(?P=thing)s? ?(?:x ?|\()?)?",
    re.IGNORECASE,
)
#: "One either side of the chimney breast", "a network socket each end"; not "with a panel on each side".
_EACH_SIDE = re.compile(
    r"(?:\b(?P<number>one|two|three|[1-4])(?: of (?:them|these|those))?\s)?(?:(?:on|at|by|to|for) )?"
    r"(?P<both>(?:each|either) (?:side|end)|both (?:sides|ends))\b(?! (?:and|is|are|has) )",
    re.IGNORECASE,
)
_SO_MANY = {"one": Decimal(1), "two": Decimal(2), "three": Decimal(3)}
_THINGS_ON = re.compile(r" (?:[\w-]+ ){1,3}")
_WITH = re.compile(r"\b(?:with|w/|has|have|having|on both)\b", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[.;!?\n]")
_ALL_OF_THEM = re.compile(r"\ball (?:of )?(?:the )?$", re.IGNORECASE)
_ALL_THE = re.compile(r"\b(?:both|all (?:of )?(?:the )?\w+)$", re.IGNORECASE)

#: One in front and one at the back: of several things, and of one ("the front and the back door").
_BOTH_ENDS = re.compile(r"\bfront (?:and|&) (?:back|rear)\b|\bback (?:and|&) front\b", re.IGNORECASE)
#: "Two are upstairs and two are downstairs", behind each number.
_IS_THERE = re.compile(
    r" (?:of them )?(?:are|is) (?:upstairs|downstairs|outside|inside|in|on|at|over|above|by|near) ?", re.IGNORECASE
)
#: "2 each", "two per room".
_EACH_ENDS = re.compile(
    r"\w{1,9},? (?:each|apiece|per (?:room|bedroom|bathroom|flat|unit|apartment|floor))\s*(?:[.;,)\n]|$)", re.IGNORECASE
)
#: "Access control on 2 doors".
_ON = re.compile(r"\bon (?:the |our )?$", re.IGNORECASE)
#: "New openers on both".
_ON_BOTH = re.compile(r"\b(?:in|on|for|at) both(?: of (?:them|these|those))?\s*(?:[,.;:)\n]|$)", re.IGNORECASE)
#: "One spring broke on our door. I'm told do both", "spring on the left snapped, right one is the same age so do both".
_DO_BOTH = cues(
    r"(?:\bone (?:of (?:the|our|my) )?(?:\w+ ){1,2}(?:is |has |just )?(?:broke|broken|snapped|cracked|failed"
    r"|went|gone|dead|bad)\b"
    r"|\b(?:left|right|other) one\b)[^\n]{0,100}\b(?:do|doing|replace|change|swap) both\b(?: of (?:them|these|those))?"
    r"(?=\s*(?:[,.;:!?)\n]|$))"
    r"|\b(?:replace|change|swap|do|renew|fit) (?:(?:the|a new) |(?:them |both )?as a )pair\b",
)
#: Characters behind a thing in which that stands.
_BOTH_WITHIN = 160
#: Between a number and the places that it is told of: "two bars in each of the four stalls".
_PAIR = 2
_EACH_OF = re.compile(
    r"[\w' -]{0,40}\b(?:(?:in|on|at|for|to) each of|(?:a head|apiece|per person|each),? for)"
    r" (?:the |our |my |these |those )?",
    re.IGNORECASE,
)


def _has_walls(task: Task) -> bool:
    """Whether what is counted has walls and is none: a shower whose three walls are tiled is one."""
    return "wall" not in lemmas_of(task.name) or task.trade == "tiling"


def counted(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """How many things ``figures``, or the rooms and places that the item names, ask for; None where they are several
    and nothing tells how many."""
    if item.single:
        return Measured(Decimal(1), "each", Decimal("0.85"))
    named = item.match.words if item.match else frozenset()
    # "Move: 3 bedrooms, living room and kitchen", "roof for our house, 4 bedrooms": rooms are what a home has.
    of_home = _is_of_a_home(task)
    # A number of the name counts nothing ("2 bed flat"), but "20 outlets" are no 20-amp one.
    counts = [
        figure
        for figure in figures
        if figure.role is Role.COUNT
        and not (figure.noun == "walls" and _has_walls(task))  # "a shower base with tile on three walls"
        and figure.noun != "together"  # "furnace and AC … replace the two together"
        and (plain(figure.value) not in named or (figure.noun.endswith("s") and lemma(figure.noun) in named))
        and (figure.value >= 1 or "half" not in named)
        and not is_told_beside(figure, task)
        and not _goes_with(figure, task, text[item.clause.start : figure.span.start])
        and not _is_carried_over(figure, task, text)
        and not _is_laid_out(figure, item, task, text)
        and not HYPHENATED.match(text, figure.span.end)
        and not _sizes_a_home(figure, text)
        and not (of_home and lemma(figure.noun) in ROOMS)
        and (lemma(figure.noun) in _LOADS or _LOADS.isdisjoint(lemmas_of(task.name)))
    ]
    start, end = item.clause.start, item.clause.end
    both = _DO_BOTH.search(folded(text[start : end + _BOTH_WITHIN]))
    if both is not None and start + both.start() <= end + _BRACKET:
        return Measured(Decimal(2), "each", Decimal("0.85"), f"{task.name}: both are done, as the request says.")
    whole = next((figure for figure in counts if _IN_ALL.match(text, figure.span.end)), None)
    if whole is not None and whole.value >= max(figure.value for figure in counts):
        return as_told(whole, "each", task.name)
    if len(counts) > 1 and counts[1].noun in {"them", THERE} and _is_of_the(counts[0], text):
        counts = counts[1:]  # "of the 15 screens 9 are torn"
    each = _in_each_of(counts, task, text)
    if each is not None:
        return each
    kinds = all(one.noun.endswith("s") and lemma(one.noun) not in PLACES and one.noun != THERE for one in counts)
    if kinds and len(counts) > 1 and counts[0].span.start >= item.clause.end and _COLON.match(text, item.clause.end):
        return _added_up(counts, task, text)  # "all locks rekeyed: 4 deadbolts and 3 knobs"
    on_each = _on_each_side(text, item, task, counts)
    if on_each is not None:
        return on_each
    elsewhere, counts = _elsewhere(counts, text)
    places = _by_place(text, item, task, counts) if not of_home else None
    if len(elsewhere) == 1 and places is not None and _IN_EACH_ONE.match(text, elsewhere[0].span.end):
        return _times(places, elsewhere[0].value)
    of_each = next((one for one in counts if _is_told_of_each(one, item, text)), None)
    if of_each is not None and places is not None and not elsewhere:
        return _times(places, of_each.value)
    told = _told(text, item, task, counts, elsewhere) or places
    if told is not None and places is not None and (places.value or 0) > (told.value or 0):
        # "Three bedrooms and the upstairs hallway".
        listed_things = _longest_list(text[item.clause.start : item.end])
        of_things = listed_things is not None and listed_things.things and listed_things.number == places.value
        told = places if of_things or named <= PLACES | {item.verb} else told
    if told is not None:
        return told
    rooms = [one for one in figures if one.role is Role.AREA and one.sides]
    heads = _HEADS_LIST.match(text, item.clause.end) is not None
    if len(rooms) > 1 and named - {item.verb} <= ROOMS and (heads or _are_rooms(text, item, rooms)):
        said = f"{task.name}: one for each of the {len(rooms)} rooms whose size is told."
        return Measured(Decimal(len(rooms)), "each", Decimal("0.85"), said)
    by_name = 0 if counts else _named_one_by_one(text, item, task)
    if by_name > 1:
        return Measured(Decimal(by_name), "each", Decimal("0.85"), f"{task.name}: {by_name} are named.")
    only = list({one.span: one for one in counts if lemma(one.noun) not in NO_COUNT | ROOMS}.values())
    begins = len(only) == 1 and _is_object(only[0], item, text[item.clause.start : only[0].span.start])
    if not _is_plural(item) and not begins:
        return Measured(Decimal(1), "each", Decimal("0.95"))
    if len(only) == 1 and only[0].value < _MANY:
        # "Openers here in boxes (2)": the one count that stands with them.
        return replace(as_told(only[0], "each", task.name), confidence=Decimal("0.75"))
    return None


def _named_one_by_one(text: str, item: Item, task: Task) -> int:
    """How many things of kinds that the task has names of the sentence of the work tells one after another: "an ash and
    a hemlock", "a fridge + chest freezer"; 0 where it does not."""
    start = item.clause.start
    if task.trade not in _BY_KINDS:
        return 0
    begin = max(text.rfind(stop, max(0, start - _FAR), start) for stop in ".;!?\n") + 1
    said = _SENTENCE_ENDS.split(text[begin : start + _FAR].lstrip(), maxsplit=1)[0]
    number, names = 0, {*task.names}
    for part in _BETWEEN_THINGS.split(said)[:_MOST_NAMED] if _JOINS.search(said) else ():
        words = re.findall(r"[a-z]+", part.lower())
        ends = next((at for at, word in enumerate(words) if at and word in _BEHIND_THING), len(words))
        kinds = (" ".join(words[at:ends]) for at in range(max(0, ends - _LONGEST_KIND), ends))
        named = any(not names.isdisjoint((kind, f"{kind} tree")) for kind in kinds)
        begins = number == 0 or ends == 1 or not _OF_ONE.isdisjoint(words[:1])
        if not named or not begins or words[ends - 1].endswith("s"):
            break
        number += 1
    return number


def tells_sides(said: str) -> bool:
    """ "One each side of the garage door": nothing but how many there are of something on either side."""
    found = _EACH_SIDE.match(said)
    behind = said[found.end() :] if found is not None else ""
    return found is not None and bool(found["number"]) and (not behind.strip() or behind.startswith(" of "))


def _on_each_side(text: str, item: Item, task: Task, counts: Sequence[Quantity]) -> Measured | None:
    """ "Alcove cupboards, one either side of the chimney breast", "a gate on each side of the house": a thing has two
    sides, and two ends."""
    said = _EACH_SIDE.search(text, item.clause.start, item.end)
    if said is None or item.verb not in PUTS_IN:
        return None
    number = (said["number"] or "").lower()
    each = _SO_MANY.get(number) or Decimal(number or 1)
    before = text[item.clause.start : said.start()]
    if not number and (said.start() >= item.clause.end or _WITH.search(before) or said["both"][0].lower() == "b"):
        return None  # "a door with a window on each side", "Sheetrock both sides"
    told = [one for one in counts if one.value > 1 and not said.start() <= one.span.start < said.end()]
    if told and not number and _THINGS_ON.fullmatch(text, told[-1].span.end, said.start()):
        each = told[-1].value  # "two lights on each side"
    elif told:
        return None  # "4 lights, two on each side"
    total = each * _PAIR
    text = f"{task.name}: {plain(each)} × 2 ({shown(said['both'])}) = {plain(total)}."
    return Measured(total, "each", Decimal("0.85"), text)


def _is_told_of_each(figure: Quantity, item: Item, text: str) -> bool:
    """ "Sockets in 4 bedrooms, 2 each": a number behind its places, of no thing of its own."""
    if figure.noun not in {"", "them"} or figure.span.start < item.clause.end:
        return False
    return _EACH_ENDS.match(text, figure.span.start) is not None


def _are_rooms(text: str, item: Item, sizes: Sequence[Quantity]) -> bool:
    """ "Paint the living room 12x14, bedroom (10x12) and hall 4x16": each size stands behind a room of its own."""
    starts = [item.clause.start, *(one.span.end for one in sizes)]
    names = [text[start : one.span.start] for start, one in zip(starts, sizes, strict=False)]
    words = [re.findall(r"[a-z]+", name.lower()) for name in names]
    return all(
        one and lemma(one[-1]) in ROOMS and _SENTENCE_ENDS.search(name) is None
        for one, name in zip(words, names, strict=True)
    )


def _is_object(figure: Quantity, item: Item, before: str) -> bool:
    """What work begins with is counted, whatever it is called ("two leylandii, down"), and what its verb stands before
    ("crown lift the two limes")."""
    if not before.strip(_LIST_SIGNS):
        return True
    known = {*(item.match.words if item.match else ()), *_DETERMINERS}
    words = re.findall(r"[a-z']+", before.lower())
    if words and words[-1] in _ADDS:
        return False  # "a new opener and 2 remotes"
    return figure.noun.endswith("s") and all(action_of(word) or lemma(word) in known for word in words)


def _is_of_the(figure: Quantity, text: str) -> bool:
    """Whether a count is of what there is: "of the 15 screens"."""
    return _OF_THE.search(text[max(0, figure.span.start - _NOUN_PHRASE) : figure.span.start]) is not None


def _in_each_of(counts: Sequence[Quantity], task: Task, text: str) -> Measured | None:
    """ "Two grab bars in each of the four stalls"."""
    if len(counts) != _PAIR or counts[0].noun in {"", "them", THERE} or counts[1].noun == THERE:
        return None
    number, places = counts
    if not _EACH_OF.fullmatch(text[number.span.end : places.span.start]):
        return None
    said = f"{task.name}: {plain(number.value)} × {plain(places.value)} {places.noun}."
    return Measured(number.value * places.value, "each", Decimal("0.85"), said)


def visited(text: str, item: Item, task: Task, figures: Sequence[Quantity]) -> Measured | None:
    """How often, for what is priced by the visit or as a whole: the visits, the things that are visited, or one."""
    # "Quarterly visits for a year, so 4".
    again = task.unit == "visit" and any(one.role is Role.FREQUENCY for one in figures)
    times = _VISITS | {"them"} if again else _VISITS
    visits = next((one for one in figures if one.role is Role.COUNT and lemma(one.noun) in times), None)
    # "Boiler service x4".
    visits = visits or next((one for one in figures if one.noun == "them" and _is_so_often(one, item, text)), None)
    recurring = _recurring(task, figures, text[item.clause.start : item.end]) if visits is None else None
    if recurring is not None:
        return recurring
    things = [
        one
        for one in figures
        if one.role is Role.COUNT
        and (item.clause.start <= one.span.start < item.end or _counts_all(one, item, text))
        and (
            _counts_homes(one, text)
            if "house" in lemmas_of(task.name)
            else _counts_this(one, item)
            or _counts_all(one, item, text)
            or (_is_for(one, text) and _counts_homes(one, text))
        )
        and not is_told_beside(one, task)
        and not _sizes_a_home(one, text)
    ]
    if (
        visits is None
        and things
        and task.unit == "visit"
        and plain(things[0].value) not in (item.match.words if item.match else ())
    ):
        said = f"{task.name}: one for each of {plain(things[0].value)} {things[0].noun}."
        return Measured(things[0].value, task.unit, Decimal("0.85"), said)
    return Measured(visits.value if visits else Decimal(1), task.unit)


def _is_so_often(figure: Quantity, item: Item, text: str) -> bool:
    """Whether a number behind an x is how often the work of a clause is done."""
    within = item.clause.start <= figure.span.start < item.clause.end
    return within and _BEHIND_X.search(text, max(0, figure.span.start - _BRACKET), figure.span.start) is not None


def _counts_all(figure: Quantity, item: Item, text: str) -> bool:
    """ "Dryer vents cleaned, all 36": of several things."""
    before = text[max(0, figure.span.start - _NEAR) : figure.span.start]
    several = item.match is not None and any(word.plural and word.lemma in item.match.words for word in item.words)
    return several and figure.noun in {"", "them"} and _ALL_OF_THEM.search(before) is not None


def _is_for(figure: Quantity, text: str) -> bool:
    return _FOR_HOMES.search(text, max(0, figure.span.start - _NEAR), figure.span.start) is not None


def _counts_homes(figure: Quantity, text: str) -> bool:
    return lemma(figure.noun) in _HOMES or _HOMES_BEHIND.match(text, figure.span.end) is not None


def _recurring(task: Task, figures: Sequence[Quantity], said: str) -> Measured | None:
    """ "Weekly for 8 weeks", "quarterly for a year": so many visits."""
    often = next((one for one in figures if one.role is Role.FREQUENCY and one.unit in _DAYS), None)
    long = next((one for one in figures if one.role is Role.TIME and one.unit in _DAYS), None)
    whole = _FOR_ONE.search(said) if long is None else None
    months = _months_told(said) if long is None else 0
    if task.unit != "visit" or often is None or (long is None and whole is None and not months):
        return None
    lasts, period = (long.value, long.unit) if long is not None else (Decimal(1), whole[1].lower() if whole else "year")
    if months:
        lasts, period = Decimal(months), "month"
    number = often.value / _DAYS[often.unit] * lasts * _DAYS[period]
    number = number.to_integral_value(ROUND_FLOOR if months else ROUND_HALF_EVEN)
    if number <= 1:
        return None
    rhythm = f"{plain(often.value)} a {often.unit} for {plain(lasts)} {period}{'s' * (lasts != 1)}"
    return Measured(number, task.unit, Decimal("0.85"), f"{task.name}: {rhythm}, {plain(number)} visits.")


def _months_told(said: str) -> int:
    """How many months a contract runs: "April through September", "Dec - Feb"; 0 where nothing tells."""
    found = _FROM_TO.search(said)
    if found is None:
        return 0
    first, last = (_MONTHS.index(found[name][:3].lower()) for name in ("first", "last"))
    return (last - first) % len(_MONTHS) + 1


def _told(
    text: str, item: Item, task: Task, counts: Sequence[Quantity], elsewhere: Sequence[Quantity]
) -> Measured | None:
    """What counts say: of the thing itself, of more of it elsewhere, of "them"."""
    these = [figure for figure in counts if _counts_this(figure, item)]
    loose = [figure for figure in counts if figure.noun in {"", "them"}]
    if not these and elsewhere:
        named = item.match.words if item.match else frozenset()
        if len(elsewhere) == 1 and not loose and _is_one_and_more(text, item, elsewhere[0]):
            value, said = elsewhere[0].value, text[elsewhere[0].span.start : elsewhere[0].span.end]
            return Measured(value + 1, "each", Decimal("0.8"), f"{task.name}: one, and “{said}” more elsewhere.")
        return None if any(word.isdigit() for word in named) else _added_up(elsewhere, task, text)
    if not these and not loose:
        return None
    if len(loose) == len(counts) > 1 and all(_IS_THERE.match(text, one.span.end) for one in loose):
        return _added_up(loose, task, text)  # "two are upstairs and two are downstairs"
    figure = (these or loose)[0]
    value = figure.value * (UNITS[figure.unit].size if figure.unit in UNITS else 1)
    parts = [one for one in counts if one is not figure and _counts_fronts(figure, one, item, text)]
    parts = parts or _more_of_it(figure, these, text) or more_kinds(figure, counts, task, text)
    if these and not parts and not _makes_up(figure, elsewhere, text):
        # "Three TVs, one in each of the rooms" are three.
        parts = [one for one in elsewhere if one.span.start > figure.span.start]
        parts = [one for one in parts if one.value > 1 or not _ONE_IN_EACH.match(text, one.span.end)]
    if len(these or loose) == 1 and not parts and _is_beside_one(text, item, figure):
        said = text[figure.span.start : figure.span.end]
        return Measured(value + 1, "each", Decimal("0.8"), f"{task.name}: one, and “{said}” more elsewhere.")
    if these and parts:
        return _added_up([replace(figure, value=value), *parts], task, text)
    found = as_told(replace(figure, value=value), "each", task.name)
    if value >= _MANY:
        return replace(found, confidence=Decimal("0.5"), reason=f"{plain(value)} is an unusual count: check it.")
    return found


def _is_one_and_more(text: str, item: Item, more: Quantity) -> bool:
    """ "Fit a socket in the lounge and one in the hall": one is told with its place, and so many in another."""
    if _is_plural(item) or more.span.start < item.clause.start:
        return False
    return _AND_MORE_THERE.fullmatch(text, item.clause.start, more.span.start) is not None


def _is_beside_one(text: str, item: Item, more: Quantity) -> bool:
    """ "Grab rail by the toilet, grab rail x2 in the shower", "smoke alarm in the hall and 2 smoke alarms upstairs"."""
    told = _ONE_AND_SAME.fullmatch(text, item.clause.start, more.span.start)
    if told is None or told["thing"].endswith("s"):
        return False
    return told["again"] is not None or not {*lemmas_of(told["thing"])}.isdisjoint(
        map(lemma, more.noun.lower().split())
    )


#: How large the rooms of a list are: "living room 14x16 and den 11x12".
_SIZES = re.compile(r"\s\d[\d.]*\s?(?:ft|'|m)?\s?(?:x|by)\s?\d[\d.]*(?:\s?(?:ft|m)\b|')?", re.IGNORECASE)


def _by_place(text: str, item: Item, task: Task, counts: Sequence[Quantity]) -> Measured | None:
    """One for each of the rooms, homes or places that are named."""
    named = item.match.words if item.match else frozenset()
    # "Two bathrooms and a small kitchen" are no two kitchens; a kitchen's tap in two bathrooms are two taps.
    is_room = all(word in ROOMS or action_of(word) for word in named)
    of_rooms = "room" in lemmas_of(task.name)
    own = ((named & ROOMS) - {"room"} if is_room and not of_rooms else None) or ROOMS
    rooms = [
        one
        for one in counts
        if (lemma(one.noun) in own and item.clause.start <= one.span.start < item.end)
        or (lemma(one.noun) in _HOMES and _ALL_THE.search(text, item.clause.start, one.span.end))
    ]
    said = _SIZES.sub("", text[item.clause.start : min(item.end, item.clause.start + _FAR)])
    longest = _longest_list(said) if _BETWEEN_ROOMS.search(said) is None else None
    several = bool(rooms) or bool(named & ROOMS) or _is_plural(item) or _EACH.search(said) is not None
    several = several or (_BY_SIDES.match(said) is not None and "side" not in lemmas_of(task.name))
    if longest is not None and (several or longest.apart) and longest.number > (rooms[0].value if rooms else 1):
        text = f"{task.name}: {longest.number} places are named."
        return Measured(Decimal(longest.number), "each", Decimal("0.85"), text)
    if len(rooms) > 1 and of_rooms:
        return _added_up(rooms, task, text)  # "clean the carpets in 4 rooms and 1 hallway"
    if rooms:
        text = f"{task.name}: one for each of {plain(rooms[0].value)} {rooms[0].noun}."
        return Measured(rooms[0].value, "each", Decimal("0.8"), text)
    only = counts[0] if len(counts) == 1 and counts[0].value > 1 and not _is_plural(item) else None
    if only is not None and _ON.search(text, item.clause.start, only.span.start):
        text = f"{task.name}: one for each of {plain(only.value)} {only.noun}."
        return Measured(only.value, "each", Decimal("0.8"), text)
    parted = _parted(said, plural=_is_plural(item))
    if parted > 1:
        return Measured(Decimal(parted), "each", Decimal("0.85"), f"{task.name}: {parted} are named by where they are.")
    return None


def _longest_list(said: str) -> Places | None:
    """The list that names most places."""
    found = listed(tokenize(said)) if _JOINS.search(said) is not None else []
    return max(found, key=lambda one: one.number, default=None)


def is_told_beside(figure: Quantity, task: Task) -> bool:
    """Whether a count is of what the work of a task has many of, or of what is only told with it."""
    thing = lemmas_of(task.name)
    noun = lemma(figure.noun)
    if noun in _OF_STAIRS and not _OF_STAIRS.isdisjoint(thing) and "build" in task.verbs:
        return True  # "front steps - 5 risers": one flight
    if noun in _OF_ROOFS and task.trade == "roofing" and task.unit == "each":
        return True  # "3 missing shingles": one repair
    if "house" in thing and "whole" not in thing and noun in {*thing} - {"house"} - ROOMS:
        return True  # "re-bed 8 ridge tiles": those of one house
    if noun in _PACKED and task.unit == "visit":
        return True
    if noun in _RADIATORS and "system" in thing:
        return True  # "8 rads: power flush the system"
    if noun in _OF_DUCTS and "duct" in thing and task.unit == "visit":
        return True
    named = noun in thing
    if noun in OF_PANELS and "panel" in thing and not named:
        return True
    if noun in _UNITS_OF_KITCHEN and "kitchen" in thing and not named:
        return True
    return figure.noun in _QUALITIES or (figure.noun in _TOLD_BESIDE and not named)


def _goes_with(figure: Quantity, task: Task, before: str) -> bool:
    """A number of what comes with the thing, or is on it, and is none of its names."""
    return _COMES_WITH.search(before) is not None and lemma(figure.noun) not in lemmas_of_names(task)


def _is_laid_out(figure: Quantity, item: Item, task: Task, text: str) -> bool:
    """ "Exterior bait stations for mice, 6 of them", "lay 4 bait boxes": of one treatment."""
    end = figure.span.end + _NOUN_PHRASE
    return task.trade == "pest control" and _LAID_OUT.search(text, item.clause.start, end) is not None


def _is_carried_over(figure: Quantity, task: Task, text: str) -> bool:
    behind = _STEPS_BEHIND.match(text, figure.span.end)
    return behind is not None and lemma(behind["steps"].lower()) not in lemmas_of_names(task)


def _sizes_a_home(figure: Quantity, text: str) -> bool:
    """ "3 bed semi", "2 bed EOT clean", "move-out clean (2 bd / 1 ba)": rooms that are counted would be several."""
    several = figure.value > 1 and figure.noun in _BEDS
    return several or _HOME_SIZE.match(text, figure.span.end, figure.span.end + _NEAR) is not None


def _is_of_a_home(task: Task) -> bool:
    """Whether a task is for a whole home, whatever rooms that has: its roof, its pipes, a three-bedroom house."""
    named = lemmas_of(task.name)
    return not _WHOLE_HOMES.isdisjoint(named) or {"bedroom", "flat"} <= {*named}


def _counts_this(figure: Quantity, item: Item) -> bool:
    """The count's own noun phrase names the item: "40 circuits" after "200 amp service" counts no services."""
    words = item.match.words if item.match else frozenset()
    of_rooms = item.match is not None and "room" in lemmas_of(item.match.task.name)
    if lemma(figure.noun) in ROOMS and (figure.noun.endswith("s") or of_rooms):
        return lemma(figure.noun) in words <= ROOMS
    beside = (
        word.lemma
        for word in (*item.words, *item.detail)
        if 0 <= word.start - figure.span.end <= _NOUN_PHRASE or 0 <= figure.span.start - word.end <= _BRACKET
    )
    if item.match is not None and lemma(figure.noun) in lemmas_of(item.match.task.name):
        return True
    return lemma(figure.noun) in words or any(word in words for word in beside)


def _counts_fronts(first: Quantity, other: Quantity, item: Item, text: str) -> bool:
    """ "14 doors and 5 drawer fronts" of cabinets."""
    apart = other.span.start - first.span.end
    if not 0 < apart <= _LISTED_WITHIN or not _AND_MORE.search(text[first.span.end : other.span.start]):
        return False
    return item.match is not None and "cabinet" in lemmas_of(item.match.task.name) and lemma(other.noun) in _FRONTS


def _more_of_it(first: Quantity, others: Sequence[Quantity], text: str) -> list[Quantity]:
    """ "5 internal doors and 1 fire door", "(3) 36 in doors and (2) 30 in doors": other kinds of the thing, each
    counted, that follow one another."""
    found: list[Quantity] = []
    for other in others:
        last = found[-1] if found else first
        if not 0 < other.span.start - last.span.end <= _LISTED_WITHIN:
            continue
        between = text[last.span.end : other.span.start]
        joint = _AND_MORE.search(between.rstrip("( "))
        if joint is None:
            continue
        if last.noun.endswith("s") and last.noun == other.noun:
            found.append(other)  # "2 windows in front, and 3 windows in back"
            continue
        behind = _KIND.match(text, other.span.end)
        thing = re.findall(r"[a-z]+", between[: joint.start()].lower())
        if thing and behind is not None and lemma(thing[-1]) in map(lemma, re.findall(r"[a-z]+", behind[0].lower())):
            found.append(other)
    return found


def more_kinds(first: Quantity, others: Sequence[Quantity], task: Task, text: str) -> list[Quantity]:
    """ "22 stalls and 1 handicap", "smoke x5, heat x1": more of the things, of which only the kind is told."""
    found: list[Quantity] = []
    for other in others:
        last = found[-1] if found else first
        if other.span.start <= last.span.start:
            continue
        between = text[last.span.end : other.span.start].rstrip()
        behind = _BEHIND_KIND.search(between)
        between = between[: behind.start()].rstrip() if behind is not None else between
        # "14 windows, 2 large", "40 stalls, 3 ADA": some of them, perhaps.
        joined = _AND_MORE.search(between) is not None and (behind is not None or not between.endswith(","))
        counted = any(one.kind is Kind.NUMBER or one.text in NUMBER_WORDS for one in tokenize(between))
        near = other.span.start - last.span.end <= _LISTED_WITHIN and not counted
        if not (near and joined and is_kind(other, task) and _ONLY_KIND.match(text, other.span.end)):
            break
        found.append(other)
    return found if sum(one.value for one in found) != first.value or len(found) == 1 else []


def is_kind(figure: Quantity, task: Task) -> bool:
    """Whether a count has no noun, but a word that tells a kind of what a task is for."""
    kinds = _KINDS | {name.split()[0] for name in task.names if " " in name}
    return not figure.noun.endswith("s") and figure.noun in kinds and figure.noun not in ROOMS


def _times(places: Measured, number: Decimal) -> Measured:
    """ "In the laundry, the kitchen and the bathroom, two in each"."""
    value = (places.value or Decimal(1)) * number
    return replace(places, value=value, assumption=f"{places.assumption} {plain(number)} in each.")


def _added_up(parts: Sequence[Quantity], task: Task, text: str) -> Measured:
    total = sum((one.value for one in parts), Decimal(0))
    if len(parts) == 1:
        return as_told(parts[0], "each", task.name)
    said = " + ".join(text[one.span.start : one.span.end] for one in parts)
    return Measured(total, "each", Decimal("0.85"), f"{task.name}: {said} = {plain(total)}.")


def _elsewhere(counts: Sequence[Quantity], text: str) -> tuple[list[Quantity], list[Quantity]]:
    """The counts that are told by where the things are, times the places that each is told of; then the other counts,
    without those places."""
    told: list[Quantity] = []
    listed = any(one.noun == THERE for one in counts)
    for place, figure in enumerate(counts):
        # "2 in the hallway, 1 foyer": a place beside others.
        before = counts[place - 1] if place else None
        after = counts[place + 1] if place + 1 < len(counts) else None
        in_each = after is not None and _is_in_each(figure, after, text)
        # "Sockets: two in each of the three bedrooms, four in the kitchen"
        there = figure.noun == THERE or (listed and in_each)
        if not there and not (listed and figure.value == 1 and lemma(figure.noun) in _ABOUT):
            continue
        of = None
        if in_each:
            of = after
        elif before is not None and _EACH_AFTER.match(text, figure.span.end):
            of = before if _ROOMS_BEFORE.fullmatch(text[before.span.end : figure.span.start]) else None
        times = of.value if of is not None else Decimal(1)
        start = min(one.span.start for one in (figure, of) if one is not None)
        end = max(one.span.end for one in (figure, of) if one is not None)
        told.append(replace(figure, value=figure.value * times, span=Span(start, end)))
    inside = {at for one in told for at in range(one.span.start, one.span.end)}
    return told, [one for one in counts if one.span.start not in inside]


def _is_in_each(figure: Quantity, places: Quantity, text: str) -> bool:
    """ "Two in each of the three bedrooms", "one per bedroom, three bedrooms"."""
    between = text[figure.span.end : places.span.start]
    if _IN_EACH.fullmatch(between):
        return True
    per = _PER_PLACE.fullmatch(between)
    return per is not None and lemma(per[1].lower()) == lemma(places.noun)


def _makes_up(whole: Quantity, parts: Sequence[Quantity], text: str) -> bool:
    """ "15 lights, 9 in the kitchen and 6 in the den" are 15, "two by the toilet and two in the shower" are four."""
    behind = [one for one in parts if one.span.start > whole.span.start]
    if not behind:
        return True
    between = text[whole.span.end : behind[0].span.start]
    in_room = _IN_A_ROOM.search(between) is not None  # "6 in the kitchen, 4 in the hall, 2 in the den" are twelve
    if not in_room and len(behind) > 1 and sum(one.value for one in behind) == whole.value:
        return True
    before = text[max(0, whole.span.start - _NOUN_PHRASE) : whole.span.start].split()
    if before and lemma(before[-1].lower()) in _ABOUT:
        return False  # "kitchen 8 recessed lights, hall 3"
    added = _AND.search(between) is not None or _PLACED.search(between) is not None
    return _PARTS_OF.search(between) is not None or ("," in between and not added)


def _parted(said: str, *, plural: bool) -> int:
    """How many are told apart by where they are: "the front and the back door", "the laundry and the side door"."""
    if _ON_BOTH.search(said):
        return 2
    return 2 if plural and _BOTH_ENDS.search(said) else 0


def _is_plural(item: Item) -> bool:
    words = item.match.words if item.match else frozenset()
    named = [word for word in item.words if word.lemma in words and word.weight == 1.0]
    # What was learned may rest on a verb: "the RCD keeps tripping" is one.
    names = lemmas_of_names(item.match.task) if item.match else ()
    named = [word for word in named if word.lemma in names] or named
    # "Doors for the study and the linen cupboard".
    named = [word for word in named if word.lemma not in LISTED_ROOMS] or named
    return bool(named) and named[-1].plural
