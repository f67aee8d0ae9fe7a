"""The quantity grammar: every figure in a request with its unit, its role and its place in the text.

A figure is one of two kinds. A quantity of work (how much is to be done: areas, lengths, counts, coats, visits) may
price a line. A rating or a size (200 amp, 6 ft high, 60x60cm tiles, 2x4) says what the thing is and never does.
Numbers that are names (permit and phone numbers, dates, years, addresses, ordinals) are not figures at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from functools import cached_property

from server.domain.drafting.actions import PARTICLES, action_of
from server.domain.drafting.measures import LAID, PLANT, RATINGS, axis_at, unit_at
from server.domain.drafting.numbers import (
    NUMBER_WORDS,
    ROOM_NUMBER,
    Kind,
    Number,
    Token,
    decimal,
    number_at,
    text_at,
    tokenize,
    touching,
)
from server.domain.drafting.verbs import begins_with_verb
from server.domain.records import record
from server.domain.regions import US_STATES
from server.domain.takeoff import Span
from server.domain.units import UNITS, Dimension


class Role(StrEnum):
    """What a figure is for."""

    COUNT = "count"
    LENGTH = "length"
    AREA = "area"
    VOLUME = "volume"
    MASS = "mass"
    #: What a thing is rated at or made for (200 amp, 3-ton, 2,500 lb capacity).
    RATING = "rating"
    #: How large one thing is (6 ft high, 60x60 cm, 1/2 in).
    SIZE = "size"
    BUDGET = "budget"
    TIME = "time"
    FREQUENCY = "frequency"
    COATS = "coats"
    STOREYS = "storeys"


_ALONE = frozenset({"them", "em", "these", "those", "which"})
_OF_THEM = _ALONE | {"the", "our", "my", "your"}
#: Roles whose unit a bare number may go on in; roles that say how much is to be done.
_MEASURED = frozenset({Role.LENGTH, Role.AREA, Role.VOLUME})
WORK_ROLES = frozenset({Role.COUNT, Role.LENGTH, Role.AREA, Role.VOLUME, Role.MASS, Role.TIME})


@record(frozen=True, slots=True)
class Quantity:
    """One figure. ``unit`` is a code of `server.domain.units` where the table has one, else the trade's own
    (``A``, ``V``, ``coat``, ``storey``), an ISO currency for budgets, or the period of a frequency.

    ``low`` and ``high`` are the ends of a range (``value`` is then the higher), else equal to ``value``.
    """

    value: Decimal
    unit: str
    role: Role
    span: Span
    low: Decimal
    high: Decimal
    approximate: bool = False
    #: height, width, length, depth, spacing, or empty.
    axis: str = ""
    #: The two or three sides an area was multiplied from, in the side's unit.
    sides: tuple[Decimal, ...] = ()
    side_unit: str = ""
    #: The unit is not in the text; it is the one the rest of the text is written in.
    assumed_unit: bool = False
    #: First word of what is counted or measured, empty where none follows.
    noun: str = ""


@record(frozen=True, slots=True)
class _Measure:
    """A number with the unit and axis that follow it; ``unit`` is empty for a bare number."""

    number: Number
    unit: str
    axis: str
    start: int
    end: int
    hyphenated: bool = False


_APPROXIMATIONS = frozenset(
    [
        "about", "approx", "approximately", "approximate", "appx", "aprox", "apprx", "around", "roughly", "~",
        "circa", "ca", "c", "say", "est", "estimated", "nearly", "almost",
    ]
)  # fmt: skip
#: The last word of what says so behind it.
_NOT_EXACT = frozenset({"so", "ish", "minus", "take", "±", "odd", "some"})
#: What may stand before a number that only hedges it: "about 4", "I think maybe 4", "at least 4".
_HEDGES = _APPROXIMATIONS | {"maybe", "perhaps", "probably", "possibly", "exactly", "just", "only"}
_GUESSES = frozenset(
    {("i", "think"), ("i", "believe"), ("i", "guess"), ("i", "reckon"), ("we", "think"), ("at", "least"), ("up", "to")}
)
_MOST_HEDGES = 3
#: Words within which "and" follows the first of two things that are named.
_LONGEST_NAME = 5
_BOTH = {"both": Decimal(2), "pair": Decimal(2), "couple": Decimal(2)}
#: Tokens within which a couple of things is named, and what stands before a couple of people.
_NOUN_WITHIN = 3
_PEOPLE = frozenset({"are", "we're", "we’re", "as", "is", "they're", "they’re", "just"})
_STOREY_WORDS = {"single": Decimal(1), "double": Decimal(2), "triple": Decimal(3)}
_CURRENCY_SIGNS = {"$": "USD", "£": "GBP", "€": "EUR"}
_CURRENCY_WORDS = {
    "dollars": "USD", "dollar": "USD", "bucks": "USD", "usd": "USD", "pounds": "GBP", "quid": "GBP", "gbp": "GBP",
    "euros": "EUR", "euro": "EUR", "eur": "EUR",
}  # fmt: skip
#: What stands behind such a word that is no money: "40 pounds of grout", "2 euro cylinders".
_NO_MONEY = {
    "pounds": frozenset({"of", "cap"}),
    "euro": frozenset({"cylinder", "cylinders", "cyl", "cyls", "lock", "locks", "profile", "barrel", "barrels"}),
}
_MONEY_SCALES = {"k": Decimal(1000), "grand": Decimal(1000), "thousand": Decimal(1000), "m": Decimal(1_000_000)}
#: Of thousands that may be money without a currency: what stands before them, and behind.
_THOUSANDS = frozenset({"k", "grand"})
_AT_MOST = frozenset({"under", "below", "to", "than", "within", "spend", "budget", "max", "of", "is", ":"})
_BEHIND_MONEY = frozenset({"for", "max", "tops", "or", "if", "please", "-", "(", "all"})
#: Times per named period.
_FREQUENCY_WORDS = {
    "daily": ("1", "day"), "nightly": ("1", "day"), "weekly": ("1", "week"), "monthly": ("1", "month"),
    "quarterly": ("4", "year"), "yearly": ("1", "year"), "annually": ("1", "year"), "annual": ("1", "year"),
    "fortnightly": ("0.5", "week"), "biweekly": ("0.5", "week"), "bimonthly": ("0.5", "month"),
}  # fmt: skip
_PERIODS = {"day": "day", "night": "day", "week": "week", "month": "month", "year": "year", "fortnight": "fortnight"}
#: "Every other Friday".
_WEEKDAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
#: What stands before a number that is no part of a sum: "below 1500, 24 squares", "in 2019, 800 sq ft".
_ADDS_NOTHING = frozenset(
    ["between", "from", "-", "/", "below", "under", "over", "in", "at", "by", "since", "until", "after", "before"]
)
#: Behind these five digits are a postcode.
_STATES = frozenset(code.lower() for code in US_STATES)
_ZIP_DIGITS = 5
_OCCASIONS = frozenset({"times", "x", "visits", "time", "nights", "days", "mornings", "evenings", "afternoons"})
_TIMES = {"once": Decimal(1), "twice": Decimal(2), "thrice": Decimal(3)}
_SEPARATORS = frozenset({"x", "×", "*", "by", "xc"})
#: Behind these a bare number may be inches: "11 ft 6 by 12".
_FEET = frozenset({"ft", "foot", "feet", "'"})
#: What one more of a list begins with; inches of the thickest board.
_FURTHER = frozenset({"and", "&", "plus", "+"})
_THICKEST_BOARD = 2
#: What stands between sides that name their axes: "4 wide and 31 long".
_JOINTS = frozenset({"and", ",", "&"})
_PLAN = {"width", "length"}
#: Sides that stand beside a length.
_BESIDE_LENGTH = frozenset({"width", "height"})
#: Before or behind a pair these say that it is a surface, and no lumber: "hall 3x16", "a 4x6 piece".
_SURFACES = frozenset(
    [
        "bath", "bathroom", "hall", "hallway", "rm", "room", "closet", "closets", "kitchen", "bed", "bedroom", "den",
        "office", "study", "nook", "pantry", "laundry", "foyer", "entry", "entryway", "landing", "living", "dining",
        "nursery", "utility", "mudroom", "lobby", "powder", "piece", "corner", "area", "section", "part", "bit",
        "strip", "patch", "turnaround", "banner", "banners", "rug", "island", "rooms", "bedrooms", "beds", "ceilings",
        "bathrooms", "halls",
    ]
)  # fmt: skip
#: A pair whose smaller side is at least this is in feet where metres are usual: no room has 10 metres both ways.
_FEWEST_FEET = 10
#: What is patched, the longest side of one (inches), and surfaces that have them.
_HOLES = frozenset({"hole", "holes", "patch", "patches"})
_LARGEST_HOLE = 24
_HAVE_HOLES = frozenset({"ceiling", "wall", "area", "section", "room", "floor", "lawn", "roof", "ft", "feet", "foot"})
#: A pair whose larger side is less is no room's in feet: in a list of them it stays metres.
_LEAST_LONG_FEET = 7
#: Feet from which a side is that of a concrete slab, and not of one for paving: "the existing 10x10 slab".
_LEAST_SLAB = 4
_SHEDS = frozenset({"shed", "sheds", "greenhouse", "summerhouse"})
#: A bare figure along an axis is in the unit of the one before it ("24 ft of wall 8 high"), up to so much.
_TALLEST_BARE = {"ft": 40, "m": 12}
_DEEPEST_BARE = 3
#: "11-6": the feet of a side are fewer, and its inches.
_MOST_FEET, _INCHES = 100, 12
#: Between "height" and how high it is; tokens that may stand there; what goes up so high.
_BEFORE_HEIGHT, _NEAR_HEIGHT = frozenset({"is", "of", "about", "are", ":", "approx", "say"}), 4
_GOES_UP = frozenset({"all", "going", "goes", "go", "tiled", "tile", "walls", "ends", "sides"})
#: What is poured to a thickness, the most inches of it, and tokens before its sides within which it is named.
_POURED = frozenset({"slab", "pad", "pads", "concrete", "driveway", "patio", "sidewalk", "walkway", "apron", "footing"})
_THICKEST_SLAB = 12
_NEAR_POURED = 8
#: Beside these a bare number of a list of lengths is one more of them: "left side 80, right 60, back 40 ft".
_SIDES_OF = _SURFACES | frozenset(
    [
        "left", "right", "front", "back", "rear", "side", "sides", "end", "top", "bottom", "other", "others", "second",
        "house", "garage", "street", "north", "south", "east", "west", "is", "are", "only", "about", "lounge", "one",
        "ends", "walls",
    ]
)  # fmt: skip
#: Sides that a fence stands on, what it is called, and tokens before a length within which that and its side stand.
_SIDES_OF_LOTS = frozenset({"left", "right", "front", "back", "rear", "side", "north", "south", "east", "west"})
_FENCES = frozenset({"fence", "fencing"})
#: Panels of one, and from which number on their sides are feet.
_PANELS, _LEAST_PANEL = frozenset({"panel", "panels"}), 3
_NEAR_FENCE, _NEAR_SIDE = 16, 3
_WHERE = frozenset({"on", "across", "along", "at", "down", "for", "in", "up", "under", "thru", "through", "round"})
#: "Across the end", "down one side": where one side of something runs, in so many tokens.
_ALONG_WHAT, _ONE_OF_SIDES, _ALONG = frozenset({"along", "across", "down"}), frozenset({"the", "one", "each"}), 3
#: What begins a reason behind an amount: "the right side is only 40 cause the neighbor has one".
_BECAUSE = frozenset({"because", "cause", "since"})
#: The noun of a count of things elsewhere, and what stands behind it: "6 in the kitchen and 1 over the stairs".
THERE = "there"
ELSEWHERE = frozenset(
    [
        "in", "on", "at", "by", "for", "near", "under", "over", "above", "along", "behind", "beside", "outside",
        "inside", "upstairs", "downstairs", "out", "up", "down", "next", "below", "beneath", "around", "indoors",
        "outdoors", "round", "facing",
    ]
)  # fmt: skip
#: Places that may stand before a thing, and what stands behind them where they do not.
_QUALIFIES = frozenset({"outside", "inside", "upstairs", "downstairs"})
_BEHIND_PLACE = ELSEWHERE | {
    "and", "or", "but", "the", "our", "my", "this", "please", "too", "also", "only", "as", "that", "which", "are", "is",
    "need", "needs", "with", "so", "then", "plus", "all", "both", "where", "each", "if", "when", "to", "not", "have",
}  # fmt: skip
#: Behind a preposition these are no places: "3 in total", "4 for now", "2 in the afternoon".
_NO_PLACES = frozenset({"of", "total", "all", "now", "sure", "free", "need", "order", "stock", "sale", "least", "most"})
_HOURS = frozenset(
    [
        "morning", "afternoon", "evening", "night", "noon", "week", "month", "year", "end", "weekend", "monday",
        "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "latest", "price", "time", "moment",
    ]
)  # fmt: skip
#: What is said of a room that is called by its number, of so many digits; letters of homes at one number.
_SAYS_OF_ROOM = frozenset(
    ["found", "has", "is", "was", "says", "said", "needs", "wants", "reports", "reported", "complained", "called",
     "smells", "and", "or", "but", "which", "this", "again"]
)  # fmt: skip
_ROOM_DIGITS = 3
#: What stands before a list of rooms or homes by their numbers.
_BEFORE_PLACES = frozenset({"in", "at", ":", "unit", "units", "apt", "apts", "room", "rooms", "flats", "suites"})
#: What is said of a room by its number at the beginning of a clause: "102 ditto"; "480 has" tells of a house.
_OF_A_ROOM = frozenset({"needs", "ditto", "wants", "gets", "likewise"})
_LETTERED = frozenset("abcdefgh")
#: What a number told before as a size stands with when it is told once more.
_FUELS = frozenset({"gas", "electric", "propane"})
#: From here on a number with a place behind it counts nothing there: "106 below".
_MOST_THERE = 100
#: Units that only lengths of work have.
_RUNNING = frozenset({"lf", "lft", "lm", "linear", "lineal", "lin", "running"})
_SQUARE_OR_RUNNING = _RUNNING | {"sq", "cu", "square", "cubic"}
_PARTS = frozenset({"a", "half", "quarter"})
#: What is told by how long each is.
_RUNS = frozenset(
    {"runs", "lengths", "stretches", "run", "length", "stretch", "pieces", "sections", "return", "returns", "lots"}
)
#: Places that are not told apart by numbers; rooms of which there are several.
_ONE_PLACE = frozenset(
    [
        "kitchen", "hall", "hallway", "lounge", "living", "dining", "family", "sitting", "den", "office", "study",
        "landing", "garage", "basement", "attic", "loft", "upstairs", "downstairs", "outside", "porch", "foyer",
        "pantry", "laundry", "utility", "entry", "nursery", "patio", "conservatory", "shed", "cellar", "front", "back",
        "box",
    ]
)  # fmt: skip
_PER_PLACE = frozenset({"room", "bedroom", "bathroom", "bath", "unit", "flat", "floor", "level", "apartment", "suite"})
_NUMBERED_ROOMS = frozenset({"bath", "bathroom", "bed", "bedroom", "kitchen", "garage", "office"})
_WHOSE = frozenset({"kids", "kid", "boys", "girls", "guest", "spare", "children"})
_MANY_ROOMS = frozenset(
    ["bedrooms", "bathrooms", "baths", "rooms", "beds", "units", "flats", "kitchens", "halls", "floors"]
)
#: What is called by a number behind it, most of them places: "plots 4 and 5", "zones 1, 2", "phases 2".
_CALLED_BY_NUMBER = (
    _MANY_ROOMS
    | _NUMBERED_ROOMS
    | _ONE_PLACE
    | frozenset(
        ["apartment", "apt", "bldg", "block", "building", "classroom", "day", "floor", "home", "house", "item", "level",
         "line", "lot", "number", "option", "page", "part", "phase", "plot", "room", "section", "series", "stage",
         "storey", "stories", "suite", "type", "unit", "week", "year", "pitches", "chapter", "cottage", "cabin", "site",
         "store", "shop", "properties", "wing", "tower", "bay", "zone", "month", "visit", "exit", "route", "side",
         "nos", "size", "age", "kid", "adult", "drawing", "minus", "monday", "tuesday", "wednesday", "thursday",
         "friday", "saturday", "sunday"]
    )
)  # fmt: skip
#: The most things that a number behind them counts, and letters in their name at least; signs and words behind which a
#: list of numbers goes on.
_MOST_BEHIND, _SHORTEST_THINGS = 99, 3
_LISTS_ON = frozenset({",", "and", "&", "+", "plus", "/", "-", "–", "to", "or"})
#: Tokens within which one length of a list follows another; the shortest side told without a unit.
_NEXT_LENGTH = 8
_LEAST_BARE = 2
#: Of two areas that are told one behind the other, as many times as large the larger is at most.
_MOST_TIMES = 25
#: From here on a bare figure along an axis of a metric text is millimetres: "450 deep 300 wide".
_LEAST_MILLIMETRES = 50
#: Behind these a bare number that ends its words counts what was spoken of: "I counted fourteen", "there's five".
_TELLS_COUNT = frozenset(
    ["counted", "count", "have", "got", "there's", "theres", "other", "has", "it's", "we've", "i've", "that's", "so",
     "total", "totals", "totalling", "totaling", "thinking"]
)  # fmt: skip
#: The same behind what was named: "ceiling fans, need 3".
_WANTS_COUNT = frozenset({"need", "needs", "want", "wants", "require", "qty", "quantity"})
#: "Make that 9", "call it 8".
_MAKES = frozenset({("make", "that"), ("make", "it"), ("call", "it")})
#: What a bag or box is enough for is no quantity of work.
_ENOUGH_FOR = frozenset({"cover", "covers", "covering", "coverage"})
#: A number after one of these is a name.
_NAMING = frozenset(
    [
        "#", "no", "nos", "permit", "permits", "unit", "units", "suite", "ste", "apt", "apartment", "room", "rm",
        "job", "type", "class", "section", "sec", "article", "item", "page", "lot", "code", "dated", "license",
        "licence", "case", "id", "ref", "invoice", "order", "phone", "tel", "fax", "zip", "group", "model", "part",
        "district", "ward", "route", "highway", "hwy", "area", "ap", "dob", "ev", "bl", "bldg", "building", "cbc",
        "cbrc", "since", "during", "exhibit", "pier", "gate", "ahj", "violation", "elevator", "car", "cars", "level",
        "gallery", "booth", "flat", "number", "terminal", "awning", "sign", "canopy", "sheet", "box", "plot",
        "studio", "bay", "schedule", "drawing", "rev", "revision", "zone", "nhl",
    ]
)  # fmt: skip
#: Letters of the longest abbreviation among them.
_ABBREVIATION = 3
_NAMING_BEFORE_SIGN = _NAMING - {"units", "level", "area", "building", "elevator", "nos", "flat"}
_MONTHS = frozenset(
    [
        "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
        "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
    ]
)  # fmt: skip
#: A word that ends the noun phrase before it starts: after a number it is not the thing counted.
NOT_COUNTED = frozenset(
    [
        "and", "or", "of", "to", "the", "a", "an", "in", "on", "at", "for", "from", "by", "with", "per", "as", "is",
        "are", "was", "will", "be", "this", "that", "these", "those", "which", "who", "if", "but", "not", "no", "only",
        "also", "then", "than", "plus", "same", "all", "any", "each", "every", "existing", "dated", "issued", "thru",
        "through", "between", "above", "below", "over", "under", "replace", "replacing", "install", "remove", "repair",
        "new-ish", "north", "south", "east", "west", "n", "s", "e", "w", "am", "pm", "st", "nd", "rd", "th", "ad", "bc",
        "code", "cbc", "cbrc", "years", "old", "more", "other", "percent", "times", "etc", "x", "w/", "per", "via",
        "per-plan", "during", "it", "we", "i", "they", "he", "she", "you", "your", "my", "our", "its", "their", "his",
        "her", "when", "where", "while", "so", "because", "work", "plans", "until", "til", "till", "need", "needs",
        "want", "wants", "has", "have", "had", "gets", "please", "pls", "added", "too", "could", "would",
        "installed", "fitted", "replaced", "quotes", "quote", "estimates", "estimate", "bids", "prices",
    ]
) - {"existing", "same"}  # fmt: skip
#: What stands behind a number that ends its words.
_ENDS = frozenset({"", ".", ",", ";", "!", "?", ")", "and", "but", "so", "total"})
_ENDS_ALL = _ENDS | {"please", "pls", "at", "while", "when", "asap", "(", "-", "–"}
#: What may stand before a number of things that were spoken of, and before that: "handles for those 7".
_THESE, _FOR_THESE = frozenset({"these", "those"}), frozenset({"for", "on", "of", "to", "would"})
_PRICED = frozenset({"price", "prices", "pricing", "quote", "quotes", "quotation", "estimate", "cost", "costs"})
#: What is done to them, that ends in no "-ed".
_DONE = frozenset({"done", "hung", "gone", "rehung", "redone", "swept", "ground", "cut", "rebuilt", "as", "too"})
#: Tokens before a count in brackets among which a size stands, and letters of its unit.
_SIZED = 4
#: What stands before a number that begins its words.
_LEADS_ON = frozenset({"another", "then", "also", "have", "with", "namely"})
_THERES = frozenset({"there's", "theres"})
_LEADS_TO_PLACE = frozenset({":", "(", "&", "plus", "+", "–", "—", "including", "incl"})
_SAYS_WHAT = frozenset({"are", "need", "want", "have"})
_OF_ALL = frozenset({("of", "the"), ("of", "our"), ("of", "my"), ("of", "these"), ("of", "all")})
_STARTS = frozenset({"", ",", ".", ";", "-", "and", "!", "?"})
#: Words of what a place is called: "master bath".
_PLACE_WORDS = 3
#: More rooms than one list of them has.
_MOST_ROOMS = 40
#: What parts sentences.
_ENDS_SENTENCE = frozenset({".", ";", "!", "?", ":"})
#: Words before a noun that no count is of.
_BESIDE_NOUN = frozenset({"old", "more", "other"})
_STREETS = frozenset(
    [
        "st", "street", "ave", "avenue", "rd", "road", "blvd", "boulevard", "drive", "dr", "lane", "ln", "court",
        "ct", "pkwy", "parkway", "crescent", "terrace", "close", "square", "hwy", "highway", "plaza",
    ]
)  # fmt: skip
_DIRECTIONS = frozenset(["n", "s", "e", "w", "north", "south", "east", "west", "ne", "nw", "se", "sw"])
_ENDS_ADDRESS = NOT_COUNTED - _DIRECTIONS
#: What somebody does who is told of by where he lives, and how people are called.
_WHAT_SOMEBODY_DOES = frozenset(
    ["wants", "needs", "would", "has", "is", "called", "rang", "phoned", "says", "said", "reports", "wanted", "asked"]
)  # fmt: skip
_TITLES = (["mr"], ["mrs"], ["ms"], ["miss"], ["dr"])
#: "4 no.", "3 nr"; what stands before a number of things in a form.
_NUMBER_OF = frozenset({"no", "nos", "nr"})
#: What stands before a command that only counts: "Locks: rekey 4".
_LEADS_TO_COMMAND = frozenset({":", "-", "–", "—", "please", "and", "then"})
#: Tokens of the longest label that asks for a number.
_LONGEST_ASKED = 12
LABELS = frozenset({"qty", "quantity", "qnty", "count"})
#: Things sold by their face size: a pair of sides before one of them is a size.
PRODUCTS = frozenset(
    [
        "tile", "tiles", "slab", "slabs", "paver", "pavers", "stud", "studs", "joist", "joists", "rafter", "rafters",
        "lumber", "timber", "timbers", "post", "posts", "sheet", "sheets", "board", "boards", "panel", "panels",
        "window", "windows", "door", "doors", "beam", "beams", "header", "headers", "troffer", "troffers", "plank",
        "planks", "brick", "bricks", "block", "blocks", "cabinet", "cabinets", "flag", "flags", "flagstones", "light",
        "lights", "lights", "fixtures", "filter", "duct", "ducts", "vent", "sign", "signs", "plywood", "drywall",
        "sheetrock", "skylight", "opening", "openings",
    ]
)  # fmt: skip
_PRODUCT_ADJECTIVES = frozenset(
    [
        "porcelain", "ceramic", "marble", "stone", "concrete", "treated", "pressure", "wood", "wooden", "steel",
        "pine", "cedar", "paving", "led", "flat", "new", "white", "oak", "vinyl", "subway", "large", "mosaic",
        "floor", "wall", "ceiling", "acoustic", "double", "single", "hung", "sliding", "bay", "picture", "patio",
        "interior", "exterior",
    ]
)  # fmt: skip
#: "2x 20yd dumpsters": what is told by how much it holds has no sides.
_BINS = frozenset({"dumpster", "dumpsters", "skip", "skips", "container", "containers", "roll-off"})
#: Behind these a size is taken off; tokens between; what says so behind it.
_LESS, _NEAR_LESS = frozenset({"minus", "less"}), 3
_SUBTRACT = frozenset({"subtract", "deduct"})
#: Openings, whose sides are no timber's; how many feet they are at most.
_OPENINGS = frozenset({"window", "windows", "door", "doors", "opening", "openings", "skylight", "skylights"})
_LARGEST_OPENING = 20
#: A length after one of these bounds the size of one thing ("lintels under 6 ft").
_LIMITS = frozenset({"under", "over", "than", "max", "maximum", "exceeding"})
#: From here a count without a plural after it is a model or job number ("Autocall 4100 system").
_LARGEST_SINGULAR = 300
#: What may be a year where nothing says what it counts.
_FIRST_YEAR, _LAST_YEAR, _YEAR_DIGITS = 1900, 2100, 4
#: A list counts no more than this by a bare number.
_MANY = 200
#: Things that are named by a bare number, and the numbers: volts, inches of a screen and of a width, gallons.
_KINDS: tuple[tuple[frozenset[str], frozenset[int]], ...] = (
    (
        frozenset({"outlet", "line", "circuit", "plug", "receptacle", "hookup", "socket", "wiring", "feed"}),
        frozenset({110, 115, 120, 208, 220, 230, 240, 250, 277, 480}),
    ),
    (frozenset({"tv", "television", "telly", "monitor"}), frozenset(range(19, 101))),
    (frozenset({"heater", "tank"}), frozenset({30, 40, 50, 55, 65, 66, 75, 80, 100, 120})),
    (
        frozenset(
            ["vanity", "range", "hood", "stove", "cooktop", "oven", "door", "sink", "dishwasher", "fridge",
             "refrigerator", "cabinet"]
        ),
        frozenset({18, 21, 24, 27, 28, 30, 32, 33, 36, 42, 48, 60, 72}),
    ),
)  # fmt: skip
#: The same in the plural, and the numbers as they are written.
_KINDS_SAID = tuple(({f"{thing}s" for thing in things}, {str(size) for size in sizes}) for things, sizes in _KINDS)
#: Words behind the number that are looked at.
_KIND_WITHIN = 3
#: What one thing has several of, before its name, and what several lights are on.
_PARTS_OF_A_THING = frozenset(
    ["piece", "pc", "light", "handle", "bulb", "drawer", "lever", "blade", "burner", "space", "bowl", "hole", "pin",
     "port", "ring", "arm", "seat", "channel", "zone", "panel", "bar"]
)  # fmt: skip
_LIT_BY_SEVERAL = frozenset({"chandelier", "pendant", "vanity", "bar", "bath"})
#: What is said of things that are counted behind it.
_FAULTY = frozenset(
    ["broken", "cracked", "leaking", "dripping", "missing", "rotten", "loose", "damaged", "snapped", "dead", "stuck"]
)
#: How what is done is named: "tree stump removal x3".
_NAMES_AN_ACTION = ("ment", "moval", "ation", "vice")
#: What is numbered, in the plural, and what stands between the first number and the last.
_NUMBERED = frozenset({"units", "apts", "apartments", "flats", "suites", "rooms", "townhomes", "cabins", "lots"})
_THROUGH = frozenset({"-", "–", "to", "thru", "through"})
#: Words before a comma among which several things are named that a number behind it counts.
_NAMED_WITHIN = 5
#: Commands behind which a bare number counts what was named before.
_BASE_VERBS = frozenset(
    {"replace", "install", "fit", "repair", "remove", "paint", "supply", "add", "fix", "change", "swap"}
)
#: Lights and ceiling tiles are sold by the foot: a 2x4 of them is no lumber.
_LAMPS = frozenset(["light", "lights", "fixture", "fixtures", "troffer", "troffers", "lay-in", "led"])
_LENGTH_UNITS = frozenset({"m", "ft", "in", "yd", "mm", "cm"})
#: Sides of a box.
_BOX = 3
#: Inches of a thing that is counted before a dash, and how many times as many they are: "4 - 30" doors".
_LEAST_SIZE, _TIMES_AS_LARGE = 12, 3
_SMALL_LENGTHS = frozenset({"in", "mm", "cm"})
#: Units whose amounts are added up where they stand with "+" between them, and how many are at most.
_MOST_ADDED = 12
_ADDED = frozenset({"", "m", "ft", "yd", "m2", "sqft", "sqyd", "square"})
#: Between numbers that are added up, and what those are in where no sign says it.
_ADDING = frozenset({"+", "and", "&", ","})
_ADDED_UP = frozenset({"m2", "sqft", "sqyd", "square"})
#: From here on: "bedrooms 1 and 2, 20 sqm" are called so.
_LEAST_ADDED = 4
_AREA_OF = {"m": "m2", "ft": "sqft", "yd": "sqyd"}
_ROLE_OF_DIMENSION = {
    Dimension.LENGTH: Role.LENGTH, Dimension.AREA: Role.AREA, Dimension.VOLUME: Role.VOLUME, Dimension.MASS: Role.MASS,
    Dimension.TIME: Role.TIME, Dimension.POWER: Role.RATING, Dimension.COUNT: Role.COUNT, Dimension.LUMP: Role.COUNT,
}  # fmt: skip
#: Bare pairs from here on are millimetres (300x600 tiles, 1200x1050 windows).
_MILLIMETRES = 100
#: Timber of a section, and of one that is neither one nor two inches thick.
_TIMBERS = frozenset(["post", "posts", "joist", "joists", "timber", "timbers", "stud", "studs", "beam", "beams"])
_POSTS = ([4, 4], [4, 6], [6, 6], [3, 6])
#: Inches of usual tiles, and what stands with them.
_TILES = [
    [Decimal(one) for one in pair]
    for pair in ((3, 6), (6, 24), (6, 36), (8, 48), (12, 12), (12, 24), (18, 18), (24, 24), (24, 48))
]
_IS = frozenset({"is", "are", "was", "has", "needs", "will"})
#: Centimetres of tiles that are told without a unit.
_SMALLEST_TILE, _LARGEST_TILE = 10, 120
#: What has sides of so many inches at least that are told without a unit: "bedroom window 36x48".
_SMALLEST_PANE = 16
_PANES = frozenset({"window", "windows", "pane", "panes", "glass", "sash", "egress", "slider"})
#: Inches that the sides of a tub or of a shower's base have, and what says that they are of one: "shower, 36 x 60".
SMALLEST_BASE, _LARGEST_BASE = 24, 84
_BATHS = frozenset(
    ["shower", "showers", "tub", "tubs", "bathtub", "bathtubs", "alcove", "surround", "pan", "enclosure", "stall"]
)
#: What is laid in pieces whose sides are told behind or before it, in centimetres, the longer of so many at least;
#: tokens and words that may stand between.
_LAID_IN_PIECES = frozenset(
    ["porcelain", "porc", "ceramic", "marble", "granite", "travertine", "limestone", "sandstone", "lvt", "tile",
     "tiles", "slab", "slabs", "flags", "flagstones", "pavers"]
)  # fmt: skip
_LONG_PIECE, _NEAR_PIECES, _OF_PIECES = 30, 2, frozenset({"(", "in", "about", "approx", "effect", "size", "x"})
_OF_TILES = frozenset({"porc", "porcelain", "ceramic", "subway", "floor", "wall", "marble", "tile", "tiles"})
#: Both sides of a bare pair at or below this are lumber (2x4, 4x4 post), in inches.
_LUMBER_LIMIT = 14
#: Above this many "SQ" a roof would be larger than any house's: the writer means square feet.
_SQUARES_LIMIT = 120
_ELECTRICAL = frozenset(
    [
        "amp", "amps", "panel", "panels", "gang", "socket", "sockets", "breaker", "breakers", "electric",
        "electrical", "circuits", "service", "conductors", "riser",
    ]
)  # fmt: skip
#: Words that a figure can begin with; any other word does so only before a colon ("OUTLETS: 40").
_BEGINS_FIGURE = NUMBER_WORDS.union(
    _FREQUENCY_WORDS, {"every", "dozen", "another"}, _TIMES, LABELS, _STOREY_WORDS, _BOTH
)
_METRIC = frozenset(["m2", "sqm", "mm", "cm", "metre", "metres", "meter", "meters", "m²", "sq.m", "£"])


def find_quantities(text: str, *, metric: bool = False, tokens: Sequence[Token] | None = None) -> tuple[Quantity, ...]:
    """Every figure of ``text`` in order of appearance. Spans are code points of ``text`` as given. ``metric``: sides
    without a unit are metres where the work is, unless they are rather feet. ``tokens`` are those of the text where
    they are at hand."""
    return tuple(_Reader(text, metric, tokenize(text) if tokens is None else tokens).read())


class _Reader:
    """Walks the tokens once, left to right; every rule either consumes tokens or declines in bounded time."""

    def __init__(self, text: str, metric: bool, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        #: Whether metres are usual where the work is.
        self.usual_metric = metric
        #: Tokens that begin a line: what a measure at the end of one is of stands on it.
        self.begins = frozenset(
            index for index in range(1, len(tokens)) if "\n" in text[tokens[index - 1].end : tokens[index].start]
        )
        words = {token.text for token in tokens}
        self.metric = not words.isdisjoint(_METRIC) or (
            "m" in words and any(token.text == "m" and _is_metres(tokens, index) for index, token in enumerate(tokens))
        )
        #: Whether the text names a currency or thousands, and what is done so many times.
        self.has_money = not words.isdisjoint(_CURRENCY_WORDS.keys() | _THOUSANDS)
        self.has_occasions = not words.isdisjoint(_OCCASIONS)
        #: In electricians' texts a meter is an instrument, not a length.
        self.electrical = not words.isdisjoint(_ELECTRICAL)
        self.open_quote = False
        #: The unit of the last length that told one, and where it ended.
        self.length_unit = ""
        self.length_end = -1
        #: What the last side without a unit was taken in.
        self.side_unit = ""
        #: The last length, area or volume that told its unit, and where it ended.
        self.measured: tuple[Quantity | None, int] = (None, -1)
        #: Whether it stands behind the name of a place.
        self.measured_place = False
        #: Where the last surface told by its sides ended.
        self.surface_end = -1
        #: Values that rated or held something.
        self.rated: set[Decimal] = set()
        #: Up to where numbers with "+" between them were looked at together.
        self.summed = -1
        self.marks = _marks(tokens)
        #: Whether the numbers that were looked at name something, by where they stand.
        self._names: dict[int, bool] = {}

    def read(self) -> Iterator[Quantity]:
        index = 0
        while index < len(self.tokens):
            found, end = self._next(index)
            if found and self._is_part_of_it(end):
                found = tuple(replace(one, role=Role.SIZE) if one.role in _MEASURED else one for one in found)
            for one in found:
                if one.unit in _AREA_OF and not one.assumed_unit:
                    self.length_unit = one.unit
                    self.length_end = end if one.role is Role.LENGTH else self.length_end
                if one.role in _MEASURED and not one.sides:
                    self.measured_place = self._is_behind_place(index)
                    self.measured = (one, end)
                if one.role in {Role.RATING, Role.VOLUME}:
                    self.rated.add(one.value)
                yield one
            if end == index + 1 and self.tokens[index].text in {'"', "“", "”"}:
                self.open_quote = not self.open_quote
            index = end

    def _is_part_of_it(self, end: int) -> bool:
        """ "190 ft around, 22 ft of that is patio": part of what was just told."""
        said = [text_at(self.tokens, at) for at in (end, end + 1, end + 2)]
        return said[:2] == ["of", "that"] and said[2] in _IS

    def _next(self, index: int) -> tuple[tuple[Quantity, ...], int]:
        """The figures that start at token ``index`` and the index to go on from (always beyond ``index``)."""
        token = self.tokens[index]
        if (token.kind is Kind.SYMBOL and token.text not in _CURRENCY_SIGNS) or index in self.marks:
            return (), index + 1
        if token.kind is Kind.WORD and token.text not in _BEGINS_FIGURE and text_at(self.tokens, index + 1) != ":":
            return (), index + 1
        rules = (
            self._money,
            self._numbered,
            self._frequency,
            self._labelled,
            self._name,
            self._both,
            self._another,
            self._paired_rating,
            self._sum,
            self._feet_and_inches,
            self._measured,
        )
        for rule in rules:
            result = rule(index)
            if result is not None:
                return result
        return (), index + 1

    def _numbered(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """ "Units 101-108", "apartments 1 through 6": so many of them."""
        if self.tokens[index].kind is not Kind.NUMBER or text_at(self.tokens, index - 1) not in _NUMBERED:
            return None
        if text_at(self.tokens, index + 1) not in _THROUGH or index + 2 >= len(self.tokens):
            return None
        first, last = (decimal(self.tokens[at]) for at in (index, index + 2))
        if first is None or last is None or not 0 < last - first < _MANY or unit_at(self.tokens, index + 3):
            return None
        found = self._plain(last - first + 1, "each", Role.COUNT, index, index + 3)
        return (replace(found, noun=text_at(self.tokens, index - 1)),), index + 3

    # --- rules: each returns (figures, next index), or None to decline -------------------------------------------

    def _money(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        currency = _CURRENCY_SIGNS.get(self.tokens[index].text, "")
        if not currency and not self.has_money:
            return None
        number = number_at(self.tokens, index + bool(currency))
        if number is None:
            return None
        end, scale = number.end, Decimal(1)
        if text_at(self.tokens, end) in _MONEY_SCALES and (
            currency or text_at(self.tokens, end + 1) in _CURRENCY_WORDS
        ):
            scale, end = _MONEY_SCALES[text_at(self.tokens, end)], end + 1
        elif text_at(self.tokens, end) in _THOUSANDS and self._is_spent(index, end + 1):
            # "Around 2k": of which currency is not told.
            scaled = replace(number, value=number.value * 1000, low=number.low * 1000, high=number.high * 1000)
            return (self._quantity(scaled, "", Role.BUDGET, index, end + 1),), end + 1
        if not currency:
            currency = _CURRENCY_WORDS.get(text_at(self.tokens, end), "")
            if not currency or text_at(self.tokens, end + 1) in _NO_MONEY.get(text_at(self.tokens, end), ()):
                return None
            end += 1
        scaled = replace(number, value=number.value * scale, low=number.low * scale, high=number.high * scale)
        return (self._quantity(scaled, currency, Role.BUDGET, index, end),), end

    def _is_spent(self, index: int, end: int) -> bool:
        """ "Around 2k", "keep it under 5k": so much money, and no "2k bricks"."""
        told = text_at(self.tokens, index - 1) in _APPROXIMATIONS | _AT_MOST
        return told and (text_at(self.tokens, end) in _ENDS | _BEHIND_MONEY or end in self.begins)

    def _frequency(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        word = self.tokens[index].text
        if word in _FREQUENCY_WORDS:
            value, period = _FREQUENCY_WORDS[word]
            return (self._plain(Decimal(value), period, Role.FREQUENCY, index, index + 1),), index + 1
        if word == "every":
            return self._every(index)
        times = _TIMES.get(word)
        end = index + 1
        if times is None:
            number = number_at(self.tokens, index) if self.has_occasions else None
            if number is None or text_at(self.tokens, number.end) not in _OCCASIONS:
                return None
            times, end = number.value, number.end + 1
        if text_at(self.tokens, end) not in {"a", "an", "per", "every", "each"}:
            return None
        period = _PERIODS.get(text_at(self.tokens, end + 1), "")
        return ((self._plain(times, period, Role.FREQUENCY, index, end + 2),), end + 2) if period else None

    def _every(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        number = number_at(self.tokens, index + 1)
        end = number.end if number else index + 1
        gap = number.value if number else Decimal(1)
        if not number and text_at(self.tokens, end) in {"other", "second"}:
            gap, end = Decimal(2), end + 1
        word = text_at(self.tokens, end).rstrip("s")
        period = "week" if word in _WEEKDAYS and gap > 1 else _PERIODS.get(word, "")
        if not period or not gap:
            return None
        times = (1 / gap).quantize(Decimal("0.001")).normalize()
        return (self._plain(times, period, Role.FREQUENCY, index, end + 1),), end + 1

    def _labelled(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """``QTY. 5``, ``QUANTITY: 2``, and ``RECEPTACLE OUTLETS: 40``."""
        word = self.tokens[index].text
        position = index + 1
        if word not in LABELS and not (text_at(self.tokens, position) == ":" and word.endswith("s") and len(word) > 4):
            return None
        while text_at(self.tokens, position) in {".", ":", "of", "=", "-", "("} and position < index + 4:
            position += 1
        number = number_at(self.tokens, position)
        if number is None or self._is_name(position) or unit_at(self.tokens, number.end):
            return None
        if text_at(self.tokens, number.end) in _SEPARATORS and number_at(self.tokens, number.end + 1):
            # "Bedrooms: 12x12 and 10x12".
            return None
        if word not in LABELS and self._counted(number.end) and text_at(self.tokens, number.end) != "location":
            return None
        if index and self.tokens[index - 1].kind is Kind.NUMBER:
            return None
        noun = (self._noun_before(index) or self._counted(number.end)) if word in LABELS else word
        found = self._quantity(number, "each", Role.COUNT, position, number.end)
        return (replace(found, noun=noun or "them"),), number.end

    def _noun_before(self, index: int) -> str:
        """The thing a label counts: ``WINDOWS (REPLACEMENT ONLY): QTY 11`` counts windows."""
        start = max(0, index - 6)
        start = max((place for place in range(start, index) if place in self.begins), default=start)
        words = [one.text for one in self.tokens[start:index] if one.kind is Kind.WORD and one.text not in _BASE_VERBS]
        plurals = [word for word in words if word.endswith("s")]
        return (plurals or words or [""])[-1]

    def _name(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """Skip numbers that are names: whole identifiers, dates, phone numbers, addresses."""
        if self.tokens[index].kind is not Kind.NUMBER or not self._is_name(index):
            return None
        end = index + 1
        while end < len(self.tokens) and touching(self.tokens, end) and _is_identifier_part(self.tokens[end]):
            end += 1
        return (), end

    def _both(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """``both bathrooms``, ``a pair of windows``, ``a couple of doors``."""
        word = self.tokens[index].text
        if word in _STOREY_WORDS:
            return self._storeys(index)
        if word not in _BOTH or text_at(self.tokens, index + 1) == "sides" or number_at(self.tokens, index) is not None:
            return None
        if word == "both" and begins_with_verb(
            [token.text for token in self.tokens[index + 1 : index + _LONGEST_NAME]]
        ):
            return None  # "please both rekey the locks and …"
        end = index + 1
        if word == "both" and self._stands_behind_several(index, end):
            return (replace(self._plain(_BOTH[word], "each", Role.COUNT, index, end), noun="them"),), end
        if word == "both":
            end += text_at(self.tokens, end) in {"the", "our", "my", "of"}
            end += text_at(self.tokens, end) in {"the", "our", "my", "these", "those"}
        elif text_at(self.tokens, end) == "of":
            end += 1
        elif self._is_elsewhere(index - (text_at(self.tokens, index - 1) == "a"), end):
            found = self._plain(_BOTH[word], "each", Role.COUNT, index, end)
            return (replace(found, noun=THERE),), end  # "and a pair in the shower"
        elif word != "couple" or not self._names_several(index, end):
            return None
        again = number_at(self.tokens, end) if word != "both" else None
        if again is not None and again.value == _BOTH[word] and unit_at(self.tokens, again.end) is None:
            found = self._plain(again.value, "each", Role.COUNT, index, again.end)  # "pair of 2 on the bar"
            return (replace(found, noun=self._counted(again.end) or "them"),), again.end
        noun = self._counted(end)
        if not noun or (word == "both" and self._names_two(end)):
            return None
        found = self._plain(_BOTH[word], "each", Role.COUNT, index, index + 1)
        return (replace(found, noun=noun),), end

    def _names_two(self, index: int) -> bool:
        """ "Both the kitchen faucet and the garbage disposal": one of each."""
        words = [token.text for token in self.tokens[index : index + _LONGEST_NAME]]
        first = words[: words.index("and")] if "and" in words else []
        return bool(first) and not any(word.endswith("s") for word in first)

    def _another(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """ "A toilet upstairs and another downstairs"."""
        if self.tokens[index].text != "another" or not self._is_elsewhere(index, index + 1):
            return None
        found = self._plain(Decimal(1), "each", Role.COUNT, index, index + 1)
        return (replace(found, noun=THERE),), index + 1

    def _names_several(self, index: int, end: int) -> bool:
        """ "A couple outlets", "a couple more smoke detectors"; no couple who live somewhere, and no days."""
        if text_at(self.tokens, index - 1) != "a" or unit_at(self.tokens, end) is not None:
            return False
        words = [token.text for token in self.tokens[end : end + _NOUN_WITHIN] if token.kind is Kind.WORD]
        before = [text_at(self.tokens, at) for at in (index - 3, index - 2)]
        person = not _PEOPLE.isdisjoint(before) or words[:1] == ["who"]
        return not person and any(word.endswith("s") and not word.endswith("ss") for word in words)

    def _storeys(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """``single-storey``, ``double story``."""
        found = unit_at(self.tokens, index + 1 + (text_at(self.tokens, index + 1) == "-"))
        if found is None or found[0] != "storey":
            return None
        value = _STOREY_WORDS[self.tokens[index].text]
        return (self._plain(value, "storey", Role.STOREYS, index, found[1]),), found[1]

    def _paired_rating(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """``120/240 V``, ``100/100A`` and ``12/2`` cable name a rating; so do both ends of ``100 to 200 amp``."""
        if self.tokens[index].kind is not Kind.NUMBER or text_at(self.tokens, index + 1) not in {"/", "to", "-"}:
            return None
        if index + 2 >= len(self.tokens):
            return None
        first, second, end = decimal(self.tokens[index]), decimal(self.tokens[index + 2]), index + 3
        if first is None or second is None:
            return None
        unit = unit_at(self.tokens, end + (text_at(self.tokens, end) == "-"))
        if unit is not None and unit[0] == "way" and text_at(self.tokens, index + 1) == "-":
            return (self._plain(first, "each", Role.COUNT, index, index + 1),), unit[1]
        if unit is not None and unit[0] in RATINGS:
            low = self._plain(first, unit[0], Role.RATING, index, index + 1)
            return (low, self._plain(second, unit[0], Role.RATING, index + 2, unit[1])), unit[1]
        if (
            text_at(self.tokens, index + 1) == "/"
            and unit is None
            and number_at(self.tokens, index) == _whole(first, index)
        ):
            return (), end
        return None

    def _feet_and_inches(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """ "11-6 x 13-4", "a 3-0 6-8 door": sides in feet and inches, as plans print them."""
        first = self._dashed(index)
        if first is None:
            return None
        joined = text_at(self.tokens, first.end) in _SEPARATORS
        second = self._dashed(first.end + joined)
        if second is None:
            return None
        if joined:
            return self._sides([first, second]), second.end
        sizes = (self._quantity(one.number, "ft", Role.SIZE, one.start, one.end) for one in (first, second))
        return tuple(sizes), second.end

    def _dashed(self, index: int) -> _Measure | None:
        """ "11-6": so many feet and less than twelve inches."""
        end = index + 3
        if end > len(self.tokens) or text_at(self.tokens, index + 1) != "-":
            return None
        if not all(touching(self.tokens, at) for at in (index + 1, index + 2)):
            return None
        feet, inches = decimal(self.tokens[index]), decimal(self.tokens[index + 2])
        if feet is None or inches is None or not (1 <= feet < _MOST_FEET and 0 <= inches < _INCHES):
            return None
        value = feet + (inches / _INCHES).quantize(Decimal("0.0001")).normalize()
        return _Measure(Number(value, value, value, end), "ft", "", index, end, hyphenated=False)

    def _measured(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        first = self._measure(index)
        if first is None:
            return None
        members = [first]
        while len(members) < 3:
            joint = text_at(self.tokens, members[-1].end)
            following = self._measure(members[-1].end + 1) if joint in _SEPARATORS | _JOINTS else None
            if following is None or (joint in _JOINTS and {members[-1].axis, following.axis} != _PLAN):
                break
            members.append(following)
        if len(members) > 1 and members[-1].unit == "each":
            # "A 4x6 piece".
            members[-1] = replace(members[-1], unit="", end=members[-1].number.end)
        sides = all(not member.unit or member.unit in _LENGTH_UNITS for member in members)
        bins = text_at(self.tokens, members[-1].end) in _BINS
        if len(members) > 1 and sides and not bins and not _is_count_of_sizes(members):
            return self._sides(members), members[-1].end
        return self._alone(first)

    def _sum(self, index: int) -> tuple[tuple[Quantity, ...], int] | None:
        """ "12+14+12 ft", "14 and 11 sqm": what has no unit of its own is in that of the last; all are one amount."""
        joint = text_at(self.tokens, index + 1)
        if joint not in _ADDING or index < self.summed:
            return None
        if joint != "+" and text_at(self.tokens, index - 1) in _ADDS_NOTHING:
            return None
        members: list[_Measure] = []
        end = index
        while len(members) < _MOST_ADDED and (member := self._measure(end)) is not None:
            members.append(member)
            end = member.end + 1
            if text_at(self.tokens, member.end) not in _ADDING:
                break
        self.summed = end
        if len(members) < 2:
            return None
        last = members[-1]
        if not last.unit and not all(touching(self.tokens, at) for at in range(index + 1, last.number.end)):
            return None  # "paint bedroom 1 + 2 doors"
        alike = all(member.unit in {"", last.unit} for member in members)
        bare = all(not member.unit and member.number.value >= _LEAST_ADDED for member in members[:-1])
        if joint != "+" and (last.unit not in _ADDED_UP or not bare):
            return None  # "14 and 11 sqm" are one amount, "2 doors and 3 windows" are none
        if last.unit not in _ADDED or not alike or text_at(self.tokens, last.end) in _SEPARATORS:
            return None
        low, value, high = (
            sum((getattr(member.number, bound) for member in members), Decimal(0)) for bound in ("low", "value", "high")
        )
        return self._alone(replace(last, number=Number(value, low, high, last.number.end), start=index))

    # --- one measure, or the sides of a rectangle --------------------------------------------------------------------

    def _measure(self, index: int) -> _Measure | None:
        number = self._of_line(index, number_at(self.tokens, index)) or self._one(index)
        if number is None or (self.tokens[index].kind is Kind.NUMBER and self._is_name(index)):
            return None
        end = self._past_repetition(number)
        hyphenated = text_at(self.tokens, end) == "-"
        found = None if self._closes_quote(end) else unit_at(self.tokens, end + hyphenated)
        unit = ""
        if found and not (self.electrical and text_at(self.tokens, found[1] - 1) in {"meter", "meters"}):
            unit, end = found
            behind = self._past_repetition(number)
            placed = number.value >= _MILLIMETRES or text_at(self.tokens, behind - 1) == ")" or self._repeats(index)
            if unit == "in" and text_at(self.tokens, end - 1) == "in" and placed:
                # "600x600 in the corridor", "pole lights (8) in parking lot", "toilet x2 in Chicago".
                unit, end = "", behind
            if unit == "ft":
                number, end = self._inches(number, end)
        worded = not unit and len(text_at(self.tokens, end)) > 1
        axis, end = axis_at(self.tokens, end) if unit in _LENGTH_UNITS or worded else ("", end)
        return _Measure(number, unit, axis, index, end, hyphenated)

    def _of_line(self, index: int, number: Number | None) -> Number | None:
        """A number as far as its line goes: "deck 12x20\n- 45 LF of railing" has no range."""
        if number is None or self.begins.isdisjoint(range(index + 1, number.end)):
            return number
        value = decimal(self.tokens[index])
        return Number(value, value, value, index + 1) if value is not None else None

    def _one(self, index: int) -> Number | None:
        """ "A foot wide", "a metre deep"."""
        unit = unit_at(self.tokens, index + 1) if text_at(self.tokens, index) == "a" else None
        if unit is None or unit[0] not in _LENGTH_UNITS or not axis_at(self.tokens, unit[1])[0]:
            return None
        return Number(Decimal(1), Decimal(1), Decimal(1), index + 1)

    def _repeats(self, index: int) -> bool:
        """ "Toilet x2", "fan qty 3": how many there are of what stands before, and not how wide it is ("2 x 4 in")."""
        before = index - 1 - (text_at(self.tokens, index - 1) in {":", "."})
        sign, thing = text_at(self.tokens, before), before - 1
        return sign in LABELS or (
            sign in {"x", "×"}
            and thing >= 0
            and self.tokens[thing].kind is Kind.WORD
            and not unit_at(self.tokens, thing)
        )

    def _past_repetition(self, number: Number) -> int:
        """``ONE (1)`` and ``two (2)`` say one number twice."""
        end = number.end
        if text_at(self.tokens, end) == "(":
            again = number_at(self.tokens, end + 1)
            if again and again.value == number.value and text_at(self.tokens, again.end) == ")":
                return again.end + 1
        if text_at(self.tokens, end) == ")":
            return end + 1
        return self._past_plus(end)

    def _past_plus(self, end: int) -> int:
        """``30+``: so many at least."""
        least = text_at(self.tokens, end) == "+" and touching(self.tokens, end)
        return end + 1 if least and number_at(self.tokens, end + 1) is None else end

    def _closes_quote(self, index: int) -> bool:
        return self.open_quote and text_at(self.tokens, index) in {'"', "”"}

    def _inches(self, number: Number, end: int) -> tuple[Number, int]:
        """Join the inches to the feet: 6'-0", 6' 6", 6 ft 6 in, and 6'-0' ' as permit forms print it."""
        position = end + (text_at(self.tokens, end) == "-")
        position += position > end and text_at(self.tokens, position) == "-"
        inches = number_at(self.tokens, position)
        if text_at(self.tokens, end - 1) in {"lf", "lft"}:
            return number, end  # '160 LF 5" gutter'
        if inches is None or inches.value >= 12 or inches.low != inches.high:
            return number, end
        unit = unit_at(self.tokens, inches.end)
        if text_at(self.tokens, inches.end) == "'" and text_at(self.tokens, inches.end + 1) == "'":
            unit = ("in", inches.end + 2)
        feet = text_at(self.tokens, end - 1) in _FEET and position == end
        if unit is None and (touching(self.tokens, position) or (feet and self._is_side(inches.end))):
            unit = ("in", inches.end)
        if unit is None or unit[0] != "in":
            return number, end
        value = number.value + (inches.value / 12).quantize(Decimal("0.0001")).normalize()
        return Number(value, value, value, unit[1]), unit[1]

    def _is_side(self, index: int) -> bool:
        """What goes before is the whole of a side: "11 ft 6 by 12", "6 ft 6 high"."""
        joins = text_at(self.tokens, index) in _SEPARATORS and number_at(self.tokens, index + 1) is not None
        return joins or bool(axis_at(self.tokens, index)[0])

    def _sides(self, members: list[_Measure]) -> tuple[Quantity, ...]:
        """Each side as a size and, for a surface, the area they make."""
        start, end = members[0].start, members[-1].end
        written = next((member.unit for member in reversed(members) if member.unit), "")
        unit = written if written in _LENGTH_UNITS else self._assumed_unit(members, end)
        area_unit = written if written and UNITS.get(written) and UNITS[written].dimension is Dimension.AREA else ""
        side_unit = {"sqft": "ft", "m2": "m"}.get(area_unit, unit)
        units = [member.unit if member.unit in _LENGTH_UNITS else side_unit for member in members]
        if self._ends_with_thickness(members):
            units[:2] = ["ft" if unit == "in" else "m"] * 2
        elif written == "m":
            first = next((at for at, member in enumerate(members) if _is_millimetres(member)), len(members))
            units[first:] = [member.unit or "mm" for member in members[first:]]  # "worktop 2.4m x 600 x 40"
        sides = tuple(
            replace(
                self._quantity(member.number, own, Role.SIZE, member.start, member.end),
                axis=member.axis,
                assumed_unit=not written,
            )
            for member, own in zip(members, units, strict=True)
        )
        plan = sides[:2] if self._ends_with_thickness(members) else sides
        poured = text_at(self.tokens, end) == "slab" and min(_in_unit(side, "ft") for side in plan) >= _LEAST_SLAB
        left_out = self._is_left_out(start) or self._is_subtracted(end)
        area = None if self._is_product(end) and not (poured or left_out) else _area_of(sides)
        if area is None:
            return sides
        value, code = area
        self.surface_end = end
        surface = self._quantity(Number(value, value, value, end), code, Role.AREA, start, end)
        same = tuple(_in_unit(side, sides[-1].unit) for side in sides)
        surface = replace(surface, sides=same, side_unit=sides[-1].unit, assumed_unit=not written)
        return (*sides, surface)

    def _ends_with_thickness(self, members: Sequence[_Measure]) -> bool:
        """ "Pour a 10 x 12 x 4 in pad", "patio 4 x 3 x 100mm": the plan is told without its unit, feet or metres."""
        if len(members) < 3 or members[0].unit or members[1].unit:
            return False
        first, second, thick = (member.number.value for member in members)
        if members[2].unit == "mm":
            return max(first, second) < _LEAST_MILLIMETRES
        around = range(max(0, members[0].start - _NEAR_POURED), members[2].end + 3)
        poured = any(text_at(self.tokens, at) in _POURED for at in around)
        return members[2].unit == "in" and thick <= _THICKEST_SLAB and min(first, second) > 1 and poured

    def _assumed_unit(self, members: list[_Measure], end: int) -> str:
        """A pair without a unit: lumber in inches, sheets in feet, anything else in the text's own system."""
        values = [member.number.value for member in members]
        if min(values) >= _MILLIMETRES:
            return "mm"
        pane = min(values) >= _SMALLEST_PANE and self._is_of_pane(members, end)
        # "Porcelain 12x24" may be the floor's own sides, but not where others are told.
        piece = len(self._pairs) > 1 and self._stands_by_pieces(members, end)
        usual = sorted(values) in _TILES and not self._is_surface(members, end)
        tile = usual and (piece or self._is_of_tile(members, end))
        base = SMALLEST_BASE <= min(values) <= max(values) <= _LARGEST_BASE and self._is_of_bath(members, end)
        if (pane or tile or base) and not self.metric:
            return "in"
        metric = self.metric or self.usual_metric
        of_tile = self._is_of_tile(members, end) or self._is_of_piece(members, end)
        if metric and self._are_centimetres(values) and of_tile:
            return "cm"
        if any(text_at(self.tokens, position) in _LAMPS for position in range(end, end + 3)) and max(values) <= 8:
            return "ft"
        if self._is_of_fence_panels(members, end):
            return "ft" if min(values) >= _LEAST_PANEL else "m"
        start = members[0].start
        of = text_at(self.tokens, start - 1 - (text_at(self.tokens, start - 1) in {",", "(", ":", "-"}))
        if self.usual_metric and of in LAID and not self._is_of_timber(end):
            return "m" if min(values) < _FEWEST_FEET and max(values) < 40 else "ft"
        if text_at(self.tokens, start - 1) in {"x", "×"} and text_at(self.tokens, start - 3) == "/":
            return "in"  # boards of "5/4x6x12"
        left_out = self._is_left_out(start) or self._is_subtracted(end)
        opens = any(text_at(self.tokens, at) in _OPENINGS for at in range(end, end + 3))
        if left_out and opens and max(values) <= _LARGEST_OPENING and not (self.metric or self.usual_metric):
            return "ft"
        small = max(values) <= _LUMBER_LIMIT and min(values) <= 6
        surface = self._is_surface(members, end) or self._goes_on(members)
        if small and not surface and (self._is_product(end) or self._is_lumber(members)):
            return "ft" if values == [4, 8] or values == [4, 10] or values == [4, 12] else "in"
        if self._is_of_patch(values, members[0].start, end) and not self.usual_metric:
            return "in"
        if metric and max(values) >= _LEAST_LONG_FEET and self._is_in_feet(members[0].start):
            return "ft"
        # Feet are seldom told in tenths, but for where they are usual and rooms are measured by laser: "den 13.6x12".
        tenths = any(map(_is_tenths, values)) and (self.usual_metric or max(values) < _LEAST_LONG_FEET)
        # Where metres are usual, "12x14" is still told by people who think in feet, and sheds are sold by them.
        usual = self.usual_metric and min(values) < _FEWEST_FEET and not self._is_shed(members, end)
        return "m" if (self.metric or tenths or usual) and max(values) < 40 else "ft"

    def _is_of_patch(self, values: Sequence[Decimal], start: int, end: int) -> bool:
        """ "Patch 12x12 in hallway", "8x10 hole": a hole is told in inches; not "patch 10x12 ceiling"."""
        before, behind = text_at(self.tokens, start - 1), text_at(self.tokens, end)
        hole = behind in _HOLES or (before in _HOLES and behind not in _HAVE_HOLES)
        return hole and max(values) <= _LARGEST_HOLE

    def _is_of_pane(self, members: Sequence[_Measure], end: int) -> bool:
        """ "Bedroom window (36x48)", "36x48 double pane"; not "living room 18x20, 2 windows"."""
        start = members[0].start - (text_at(self.tokens, members[0].start - 1) in {"(", "is", ":"})
        kinds = text_at(self.tokens, end) in {"double", "single"}
        return text_at(self.tokens, start - 1) in _PANES or text_at(self.tokens, end + kinds) in _PANES - {"glass"}

    def _is_of_bath(self, members: Sequence[_Measure], end: int) -> bool:
        """ "Tub 60x30", "shower walls 3 sides 32x60x32", "36x60 alcove"."""
        around = (*range(max(0, members[0].start - 4), members[0].start), *range(end, end + 2))
        return any(text_at(self.tokens, position) in _BATHS for position in around)

    def _is_of_tile(self, members: Sequence[_Measure], end: int) -> bool:
        """ "Floor tile 12x24 porc"."""
        start = members[0].start
        behind = text_at(self.tokens, start - 1) in {"tile", "tiles"} and text_at(self.tokens, start - 2) in _OF_TILES
        return behind or text_at(self.tokens, end) in _OF_TILES - {"floor", "wall"}

    @staticmethod
    def _are_centimetres(values: Sequence[Decimal]) -> bool:
        """ "60x30 ceramic" where metres are usual: no room, and no tile in inches."""
        return min(values) >= _SMALLEST_TILE and max(values) <= _LARGEST_TILE

    def _is_of_piece(self, members: Sequence[_Measure], end: int) -> bool:
        """ "Porcelain 60x60", "slabs 60x90", "LVT 30x60 stone effect", and no "porcelain patio 30x20"."""
        values = [member.number.value for member in members]
        usual = max(values) >= _LONG_PIECE and not any(value % 5 for value in values)
        return usual and not self._is_surface(members, end) and self._stands_by_pieces(members, end)

    def _stands_by_pieces(self, members: Sequence[_Measure], end: int) -> bool:
        at = members[0].start - 1
        while at >= members[0].start - _NEAR_PIECES and text_at(self.tokens, at) in _OF_PIECES:
            at -= 1
        return text_at(self.tokens, at) in _LAID_IN_PIECES or text_at(self.tokens, end) in _LAID_IN_PIECES

    @cached_property
    def _pairs(self) -> dict[int, tuple[tuple[Decimal, Decimal], int]]:
        """Two sides each, by where they start, in figures that tell a unit behind both or none, and the token behind
        them; most texts have none that is asked about."""
        found = {}
        for at in range(1, len(self.tokens) - 1):
            before, after = self.tokens[at - 1], self.tokens[at + 1]
            if self.tokens[at].text in _SEPARATORS and before.kind is Kind.NUMBER and after.kind is Kind.NUMBER:
                first, second = decimal(before), decimal(after)
                if first is not None and second is not None and text_at(self.tokens, at + 2) not in _SEPARATORS:
                    found[at - 1] = ((first, second), at + 2)
        return found

    @cached_property
    def _pair_lists(self) -> tuple[tuple[int, ...], ...]:
        """Where the pairs of each list start: one follows the other within a few words."""
        lists: list[list[int]] = []
        for start in self._pairs:
            if lists and start - self._pairs[lists[-1][-1]][1] <= _NEXT_LENGTH:
                lists[-1].append(start)
            else:
                lists.append([start])
        return tuple(map(tuple, lists))

    def _is_in_feet(self, start: int) -> bool:
        """A pair of a list that is in feet: "14 x 11 lounge and 9 x 7 hall" is by its first, "12x10, 10x9 and 8x7 ft"
        by what the last tells; none where one is told in metres or tenths."""
        here = next((one for one in self._pair_lists if start in one), ())
        units = {self._unit_of_pair(at) for at in here}
        return "m" not in units and ("ft" in units or (not self.metric and any(map(self._is_surely_feet, here))))

    def _unit_of_pair(self, start: int) -> str:
        """The unit that the pair tells, or metres where it is told in tenths."""
        values, end = self._pairs[start]
        found = unit_at(self.tokens, end)
        if found is not None and found[0] in {"ft", "m"}:
            return found[0]
        return "m" if any(map(_is_tenths, values)) else ""

    def _is_surely_feet(self, start: int) -> bool:
        """No room has 10 metres both ways; a garden may."""
        values = self._pairs[start][0]
        return min(values) >= _FEWEST_FEET and max(values) < _LONG_PIECE and text_at(self.tokens, start - 1) not in LAID

    def _is_surface(self, members: Sequence[_Measure], end: int) -> bool:
        """Words around a pair say that it is a room's or a part's: "hall 3x16", "a 4x6 piece", "island is 3x6"."""
        before = text_at(self.tokens, members[0].start - 1)
        before = text_at(self.tokens, members[0].start - 2) if before in {"is", ":", ",", "("} else before
        return before in _SURFACES or text_at(self.tokens, end) in _SURFACES

    def _goes_on(self, members: Sequence[_Measure]) -> bool:
        """One more surface behind others, and no timber: "one 4x10 and the other 3x6"."""
        start = members[0].start
        joint = next((at for at in range(start - 1, start - 5, -1) if text_at(self.tokens, at) in _FURTHER), 0)
        thinnest = min(member.number.value for member in members)
        # "Less the tub (5 x 3) and the vanity 2x6", but no "2x6 studs".
        thick = thinnest > _THICKEST_BOARD or (thinnest == _THICKEST_BOARD and not self._is_product(members[-1].end))
        return thick and self.surface_end == joint > 0

    def _is_of_timber(self, end: int) -> bool:
        """ "Decking 4x2 joists"."""
        return any(text_at(self.tokens, position) in _TIMBERS for position in range(end, end + 3))

    def _is_of_fence_panels(self, members: Sequence[_Measure], end: int) -> bool:
        """ "6x6 fence panels", "fence panels (6 x 6)"."""
        around = [
            text_at(self.tokens, at) for at in (*range(members[0].start - 4, members[0].start), *range(end, end + 3))
        ]
        return not _FENCES.isdisjoint(around) and not _PANELS.isdisjoint(around)

    def _is_shed(self, members: Sequence[_Measure], end: int) -> bool:
        """ "An 8x6 shed", "the shed is 8x6"."""
        around = (*range(max(0, members[0].start - 3), members[0].start), *range(end, end + 3))
        return any(text_at(self.tokens, position) in _SHEDS for position in around)

    def _is_lumber(self, members: Sequence[_Measure]) -> bool:
        """A small pair that no product follows: boards of one or two inches, and what a product stands before; "5x8" is
        the size of a room."""
        values = sorted(member.number.value for member in members)
        before = range(max(0, members[0].start - 3), members[0].start)
        if text_at(self.tokens, members[0].start - 1) in {"about", "approx", "roughly", "around"}:
            return False  # "cut out and replace about 4x6"
        return not self.metric and (
            (not self.usual_metric and values[0] <= 2)
            or values in _POSTS
            or any(text_at(self.tokens, position) in PRODUCTS for position in before)
        )

    def _is_left_out(self, start: int) -> bool:
        """ "Minus a 4 x 4 window", "less one 3 ft door opening"."""
        return any(text_at(self.tokens, at) in _LESS for at in range(max(0, start - _NEAR_LESS), start))

    def _is_subtracted(self, end: int) -> bool:
        """ "It has a 16 x 7 door in it, subtract that"."""
        return any(text_at(self.tokens, at) in _SUBTRACT for at in range(end, end + _NEXT_LENGTH))

    def _is_product(self, end: int) -> bool:
        words = [text_at(self.tokens, position) for position in range(end, end + 3)]
        for word in words:
            if word in PRODUCTS or word == "@":
                return True
            if word not in _PRODUCT_ADJECTIVES:
                return False
        return False

    def _alone(self, measure: _Measure) -> tuple[tuple[Quantity, ...], int]:
        unit, end = measure.unit, measure.end
        if not unit:
            return self._bare(measure)
        if unit == "in" and self._counts_sized(measure):
            start = measure.start
            count = self._plain(measure.number.low, "each", Role.COUNT, start, start + 1)
            return (replace(count, noun=self._counted(end)),), start + 2
        piece = unit == "each" and text_at(self.tokens, end - 1) in _PARTS_OF_A_THING
        if piece and (of := text_at(self.tokens, end)).isalpha() and not of.endswith("s") and of not in NOT_COUNTED:
            return (), end  # "a 3 piece tub surround"
        unit = self._square_or_feet(measure)
        noun = "" if end in self.begins else self._counted(end + (text_at(self.tokens, end) in {"-", "of", ")"}))
        role = self._role(measure, unit, noun)
        axis = measure.axis
        if role is Role.COUNT and not noun:
            noun = self._thing_it_follows(measure.start)
        if role is Role.LENGTH and not axis and self._tells_height(measure.start, end):
            role, axis = Role.SIZE, "height"
        found = self._quantity(measure.number, unit, role, measure.start, end)
        return (replace(found, axis=axis, noun=noun),), end

    def _thing_it_follows(self, index: int) -> str:
        """ "Vents 8 ea to close off": the things right before a number that begin its words; empty elsewhere."""
        thing = text_at(self.tokens, index - 1)
        begins = index - 1 in self.begins or text_at(self.tokens, index - 2) in _STARTS
        return thing if begins and thing.endswith("s") and thing.isalpha() and thing not in _NAMING else ""

    def _tells_height(self, start: int, end: int) -> bool:
        """ "Height 2.4m", "floor to ceiling is 2.4m", "all going up to 2 m", "5m up to the eaves"."""
        if text_at(self.tokens, end) == "up" and text_at(self.tokens, end + 1) in {"to", "", ".", ",", ";"}:
            return True
        at = start - 1
        while text_at(self.tokens, at) in _BEFORE_HEIGHT and at > start - _NEAR_HEIGHT:
            at -= 1
        word, before = text_at(self.tokens, at), text_at(self.tokens, at - 1)
        if word in {"height", "heights"} or (word == "ceiling" and before == "to"):
            return text_at(self.tokens, end) in _ENDS or end in self.begins
        up = word == "to" and before == "up" and text_at(self.tokens, at - 2) in _GOES_UP
        return up and text_at(self.tokens, end) in _ENDS

    def _counts_sized(self, measure: _Measure) -> bool:
        """ "4 - 30" interior doors": a number of things and their size, with a dash that stands apart, and no range."""
        start, number = measure.start, measure.number
        apart = text_at(self.tokens, start + 1) in {"-", "–"} and not any(
            touching(self.tokens, at) for at in (start + 1, start + 2)
        )
        sized = number.low < _LEAST_SIZE <= number.high and number.high >= _TIMES_AS_LARGE * number.low
        told = self.tokens[start].kind is Kind.NUMBER and number.low % 1 == 0
        return apart and sized and told and self._is_product(measure.end)

    def _square_or_feet(self, measure: _Measure) -> str:
        short = text_at(self.tokens, measure.end - 1) in {"sq", "."}
        return "sqft" if measure.unit == "square" and short and measure.number.value > _SQUARES_LIMIT else measure.unit

    def _role(self, measure: _Measure, unit: str, noun: str) -> Role:
        if unit == "coat":
            return Role.COATS
        if unit == "storey":
            return Role.STOREYS
        if unit in RATINGS:
            return Role.RATING
        if unit not in UNITS:
            return Role.TIME
        role = _ROLE_OF_DIMENSION[UNITS[unit].dimension]
        if role is Role.AREA and text_at(self.tokens, measure.start - 1) in _ENOUGH_FOR:
            return Role.RATING
        if role is Role.LENGTH:
            return self._length_role(measure, unit)
        attributive = noun in PLANT and text_at(self.tokens, measure.end) != "of"
        if role in {Role.MASS, Role.VOLUME} and (
            attributive or text_at(self.tokens, measure.end + 1) in {"cap", "capacity"}
        ):
            return Role.RATING
        return role

    def _length_role(self, measure: _Measure, unit: str) -> Role:
        """A length of work, or the size of one thing: an axis other than the length, small units and doors are
        sizes."""
        if measure.axis and measure.axis != "length":
            return Role.SIZE
        if unit in _SMALL_LENGTHS:
            return Role.LENGTH if self._goes_on_along(measure) else Role.SIZE
        if text_at(self.tokens, measure.start - 1) in _LIMITS:
            return Role.SIZE
        following = "" if measure.end in self.begins else text_at(self.tokens, measure.end)
        if following in {"from", "away"} or (following in {"off", "above"} and self._says_ground(measure.end + 1)):
            return Role.SIZE
        if not _RUNNING.isdisjoint(token.text for token in self.tokens[measure.start : measure.end]):
            # "24 lf cabinets"
            return Role.LENGTH
        if following in PRODUCTS or following in {"ceiling", "ceilings", "high", "fluorescent", "led"}:
            return Role.LENGTH if self._is_left_out(measure.start) else Role.SIZE
        return Role.LENGTH

    def _goes_on_along(self, measure: _Measure) -> bool:
        """ "1.7 m along one wall and 70 cm across the end": one more side of what is told by its lengths."""
        joined = text_at(self.tokens, measure.start - 1) in _FURTHER and self.length_end > 0
        along = [text_at(self.tokens, at) for at in range(measure.end, measure.end + _ALONG)]
        told = along[0] in _ALONG_WHAT and along[1] in _ONE_OF_SIDES and along[2] in _SIDES_OF
        if not (joined and told) or measure.start - self.length_end > _NEXT_LENGTH:
            return False
        between = {text_at(self.tokens, place) for place in range(self.length_end, measure.start)}
        return not between & _ENDS_SENTENCE

    def _says_ground(self, index: int) -> bool:
        """ "3 ft off the ground"."""
        return text_at(self.tokens, index + (text_at(self.tokens, index) == "the")) in {"ground", "grade"}

    def _bare(self, measure: _Measure) -> tuple[tuple[Quantity, ...], int]:
        """A number without a unit is a count where a noun follows, or where it stands in brackets after one."""
        number, end = measure.number, self._past_plus(measure.number.end)
        if _is_part(self.tokens, measure):
            return (self._quantity(number, "in", Role.SIZE, measure.start, end),), end
        if measure.axis:
            role = Role.SIZE
            unit = self.length_unit if number.value <= _TALLEST_BARE.get(self.length_unit, 0) else ""
            if measure.axis == "depth" and not (unit == "m" and number.value <= _DEEPEST_BARE):
                unit = ""
            if self.metric and number.value >= _LEAST_MILLIMETRES:
                unit = "mm"
            elif not unit:
                # "24 wide 60 long", "6 high 80 long".
                unit = self._unit_beside_length(measure)
                role = Role.LENGTH if unit and measure.axis == "length" else role
            self.side_unit = unit
            side = self._quantity(number, unit, role, measure.start, measure.end)
            return (replace(side, axis=measure.axis, assumed_unit=bool(unit)),), measure.end
        again = self._once_more(measure.start, end)
        if again is not None:
            found = self._quantity(number, again.unit, again.role, measure.start, end)
            return (replace(found, assumed_unit=True),), end
        unit = self._listed_unit(measure.start, end)
        if unit and (number.value >= _LEAST_BARE or number.value % 1):
            self.length_unit, self.length_end = unit, end
            found = self._quantity(number, unit, Role.LENGTH, measure.start, end)
            return (replace(found, assumed_unit=True),), end
        unit = self._listed_area(number.value, measure.start, end)
        if unit:
            found = self._quantity(number, unit, Role.AREA, measure.start, end)
            return (replace(found, assumed_unit=True),), end
        if self._is_size_of_counted(measure.start):
            return (), end
        start = self._before_hedges(measure.start)
        end = self._past_repetition(number)
        if text_at(self.tokens, end) == "a" and end + 1 < len(self.tokens) and touching(self.tokens, end + 1):
            # "500 A5 leaflets": the size of paper.
            end += 2
        position = end + (text_at(self.tokens, end) in {"-", "no", "x", "new", "nos", "nr", "×", "#"})
        position += text_at(self.tokens, end) in {"no", "nos"} and text_at(self.tokens, position) == "."
        # What begins the next line is not counted by this one: "Ceiling fans - 2\nOutlets - 3".
        noun = "" if position in self.begins else self._counted(position)
        if not noun and text_at(self.tokens, end) in _NUMBER_OF and self._ends_words(position):
            noun = "them"  # "internal doors (4 no.)", "radiators 4no"
        of_all = number_at(self.tokens, end + 1 + (text_at(self.tokens, end + 1) in _OF_THEM))
        if text_at(self.tokens, end) == "of" and of_all is not None and of_all.value > number.value:
            # "7 of the 12 outlets", "3 of 8 ceiling fans".
            noun = self._counted(of_all.end) or "them"
            return (replace(self._quantity(number, "each", Role.COUNT, measure.start, end), noun=noun),), of_all.end
        if text_at(self.tokens, end) == "of" and text_at(self.tokens, end + 1) in _OF_THEM:
            # "Two of the rads", "three of them".
            noun = self._counted(end + 2) or ("them" if text_at(self.tokens, end + 1) in _ALONE else "")
        if text_at(self.tokens, end) == "of" and text_at(self.tokens, end + 1) == "us":
            noun = "people"  # "for each of the four of us"
        if noun in {"total", "altogether", "overall"} or (
            text_at(self.tokens, end) == "in" and text_at(self.tokens, end + 1) in {"all", "total"}
        ):
            noun = "them"
        if text_at(self.tokens, end) == "times" and text_at(self.tokens, end + 1) in _ENDS:
            noun = "times"
        if not noun and self._says_how_many(start) and number.value <= _MANY:
            told = text_at(self.tokens, start - 1) in _WANTS_COUNT and text_at(self.tokens, end) in ELSEWHERE
            noun = "them" if told or text_at(self.tokens, end) in _ENDS or end in self.begins else ""
        if number.value < _MOST_THERE and self._is_elsewhere(start, end):
            noun = THERE
        if not noun and text_at(self.tokens, measure.start - 1) == "the" and text_at(self.tokens, end) in ELSEWHERE:
            # "… replacing the 4 on the south side".
            lead = text_at(self.tokens, measure.start - 2)
            noun = "them" if action_of(lead) or lead in {"only", "just"} else ""
        if self._is_all_of_them(measure.start, end):
            noun = "them"
        if not noun and action_of(text_at(self.tokens, end)) and text_at(self.tokens, end).endswith("ed"):
            # "3 outlets moved and 2 added".
            noun = "them" if text_at(self.tokens, measure.start - 1) in {"and", ",", "plus"} else ""
        if not noun and text_at(self.tokens, end) in {"each", "apiece"} and self._ends_words(end + 1):
            noun = "them" if start > 1 and text_at(self.tokens, start - 1) in {",", "-", "–", ":"} else ""
        if not noun and text_at(self.tokens, end) == "per" and text_at(self.tokens, end + 1) in _PER_PLACE:
            noun = "them"  # "two per bathroom"
        before = text_at(self.tokens, measure.start - 1)
        some = (
            before in _STARTS | {"only", "just", "but"} or before.endswith("s") or self._tells_of_several(measure.start)
        )
        if not noun and text_at(self.tokens, end) in _SAYS_WHAT and some:
            noun = "them"  # "replace the screens, 7 are ripped", "of the 15 doors on the 2nd floor 9 are torn"
        to_be = [text_at(self.tokens, end), text_at(self.tokens, end + 1)] == ["to", "be"]
        if not noun and text_at(self.tokens, end) == "to" and before in {"have", "got", "has"}:
            noun = "them" if action_of(text_at(self.tokens, end + 1)) else ""  # "I have 3 to install"
        if not noun and to_be and some and action_of(text_at(self.tokens, end + 2)):
            noun = "them"  # "8 interior doors, 3 to be replaced"
        if not noun and text_at(self.tokens, end) in {"that", "which"} and text_at(self.tokens, end + 1) in _SAYS_WHAT:
            noun = "them"  # "the inspector counted 5 that need sistering"
        if not noun and text_at(self.tokens, measure.start - 1) in {"are", "is"}:
            noun = "them" if text_at(self.tokens, measure.start - 2) == "there" else ""
        if not noun and text_at(self.tokens, start - 1) == ":" and self._asks_number(start - 1):
            noun = "them"
        if not noun and 1 < number.value < _MANY and self._stands_behind_several(start, end):
            noun = "them"
        if not noun and number.low == number.high:
            noun = self._bracketed(start, number.end) or self._listed(number.value, start, end)
        if not noun or self._is_year(measure, noun) or (noun != THERE and _is_determiner(self.tokens, measure)):
            return (), end
        if self._tells_kind(measure, position, noun):
            return (), end
        if number.value in self.rated and noun in _FUELS:
            return (), end  # "a fifty gallon gas heater … the same thing again, fifty gas"
        return (replace(self._quantity(number, "each", Role.COUNT, measure.start, end), noun=noun),), end

    def _is_all_of_them(self, start: int, end: int) -> bool:
        """ "Could you fit all six please", "want all 4 up", "I'd like all eight changed", "handles for those 7": as
        many as were spoken of, where what stands behind is no thing."""
        before, after = text_at(self.tokens, start - 1), text_at(self.tokens, end)
        if before in _THESE and text_at(self.tokens, start - 2) in _FOR_THESE:
            of_works = text_at(self.tokens, start - 3) in _PRICED  # "could you price for those two"
            return not of_works and (after in _ENDS_ALL or end in self.begins)
        if before != "all":
            return False
        done = after in PARTICLES or (after in _DONE or (after.endswith("ed") and bool(action_of(after))))
        return after in _ENDS_ALL | _SAYS_WHAT or done or end in self.begins

    def _tells_kind(self, measure: _Measure, index: int, noun: str) -> bool:
        """ "A 220 outlet", "mount 65 tv", "replace 50 water heater", "2 36 doors", "a 3 piece tub surround", "5 light
        chandelier": what the thing is, and not how many."""
        value, words = measure.number.value, []
        for token in self.tokens[index : index + _KIND_WITHIN]:
            if token.kind is not Kind.WORD or token.text in NOT_COUNTED:
                break
            words.append(token.text)
        before = text_at(self.tokens, measure.start - 1)
        behind_count = measure.start and (
            self.tokens[measure.start - 1].kind is Kind.NUMBER or before in NUMBER_WORDS - {"a", "an"}
        )
        if len(words) > 1 and words[0] in _PARTS_OF_A_THING and (behind_count or not words[1].endswith("s")):
            return not action_of(words[1]) and (words[0] != "light" or words[1] in _LIT_BY_SEVERAL)
        bracketed = text_at(self.tokens, measure.start - 1) == "(" and text_at(self.tokens, index + 1) == ")"
        if bracketed and words[:1] and words[0] in _PARTS_OF_A_THING:
            return True  # "a front door (6 panel)"
        words = words or [noun]
        if not behind_count and any(word.endswith("s") and not word.endswith("ss") for word in words):
            return False
        return any(
            value in sizes and any(word.removesuffix("s") in things for word in words) for things, sizes in _KINDS
        )

    def _stands_behind_several(self, start: int, end: int) -> bool:
        """ "Ceiling fans, two, installed", "garage door springs snapped, both": how many of the things named just
        before a comma, and of no others."""
        sign = text_at(self.tokens, start - 1)
        if sign not in {",", "-", "–", ":"} or start - 1 in self.begins or start in self.begins:
            return False
        if sign == ":":
            return text_at(self.tokens, start - 2) in {"qty", "quantity"} and text_at(self.tokens, end) in _ENDS
        if sign != "," and (touching(self.tokens, start) or touching(self.tokens, start - 1)):
            return False
        if text_at(self.tokens, end) not in _ENDS - {"and", "total"}:
            return False
        listed = end + 1 < len(self.tokens) and self.tokens[end + 1].kind is Kind.NUMBER
        if listed or text_at(self.tokens, start - 2) in _ENDS:
            return False
        before: list[str] = []
        for place in range(start - 2, max(-1, start - 2 - _NAMED_WITHIN), -1):
            token = self.tokens[place]
            if token.kind is Kind.NUMBER or token.text in _FURTHER | {"both", "or"}:
                return False
            if token.kind is Kind.SYMBOL:
                break
            before.append(token.text)
        if sign != "," and before[:1] and before[0].endswith(_NAMES_AN_ACTION):
            return True  # "Window replacement - 11"
        return any(word.endswith("s") and not word.endswith("ss") and not action_of(word) for word in before)

    def _unit_beside_length(self, measure: _Measure) -> str:
        """The unit of a bare side where the length of a thing and another side of it are told right behind one another,
        of which this is one: width and height alone may be a window's, in inches. Empty elsewhere."""
        others = _BESIDE_LENGTH if measure.axis == "length" else {"length"}
        metric = self.metric or (self.usual_metric and measure.number.value < _FEWEST_FEET)
        usual = "m" if metric else "ft"
        at = measure.end + (text_at(self.tokens, measure.end) in _SEPARATORS | _JOINTS)
        ahead = number_at(self.tokens, at)
        if ahead is not None and axis_at(self.tokens, ahead.end)[0] in others:
            return usual
        joined = text_at(self.tokens, measure.start - 1) in _SEPARATORS | _JOINTS
        behind = axis_at(self.tokens, measure.start - 1 - joined)[0] in others
        return (self.side_unit or usual) if behind else ""

    def _before_hedges(self, start: int) -> int:
        """Where the words begin that only hedge a number: "doors, about 4", "I think 4", "at least 4"."""
        for _ in range(_MOST_HEDGES):
            before = text_at(self.tokens, start - 1)
            if start in self.begins:
                break
            if before == "." and start - 1 not in self.begins and text_at(self.tokens, start - 2) in _APPROXIMATIONS:
                start -= 2
            elif before in _HEDGES:
                start -= 1
            elif (text_at(self.tokens, start - 2), before) in _GUESSES and start - 1 not in self.begins:
                start -= 2
            else:
                break
        return start

    def _asks_number(self, index: int) -> bool:
        """ "Number of doors to be replaced:", "no. of toilets in the building:", in one line."""
        for place in range(index - 1, max(0, index - _LONGEST_ASKED), -1):
            if place in self.begins:
                return False
            before = text_at(self.tokens, place - 1 - (text_at(self.tokens, place - 1) == "."))
            if self.tokens[place].text == "of" and before in _NUMBER_OF | {"number", "#"}:
                return True
        return False

    def _is_size_of_counted(self, index: int) -> bool:
        """ "4no 762 internal doors": the size of what a number before "no" counts."""
        before = index - 1 - (text_at(self.tokens, index - 1) == ".")
        if text_at(self.tokens, before) not in _NUMBER_OF or not self.begins.isdisjoint({index, before}):
            return False
        return before > 0 and self.tokens[before - 1].kind is Kind.NUMBER

    def _past_sizes(self, index: int) -> int:
        """The index behind the sides that begin there: "600mm x 1200mm"."""
        for _ in range(_BOX):
            number = number_at(self.tokens, index)
            if number is None:
                break
            unit = unit_at(self.tokens, number.end)
            index = unit[1] if unit is not None and unit[0] in _LENGTH_UNITS else number.end
            index += text_at(self.tokens, index) in _SEPARATORS
        return index

    def _says_how_many(self, index: int) -> bool:
        """Whether words before a bare number say that it counts: "I counted", "make that", "total:"."""
        index -= text_at(self.tokens, index - 1) in {":", "of"} and text_at(self.tokens, index - 2) == "total"
        before, start = text_at(self.tokens, index - 1), text_at(self.tokens, index - 2)
        if before in {"wait", "sorry"} or (before == "," and start in {"wait", "sorry"}):
            return True  # "no wait, five"
        commanded = bool(action_of(before)) and not before.endswith(("ed", "ing", "s"))
        if commanded and (start in _LEADS_TO_COMMAND or (start in {"", ","} and index - 1 in self.begins)):
            return True  # "Locks: rekey 4"
        return before in _TELLS_COUNT | _WANTS_COUNT or (text_at(self.tokens, index - 2), before) in _MAKES

    def _tells_of_several(self, index: int) -> bool:
        """Whether "of the 12 doors" stands before the token in its sentence."""
        for place in range(index - 1, max(0, index - 2 * _NEXT_LENGTH), -1):
            if self.tokens[place].text in _ENDS_SENTENCE:
                return False
            of_the = (text_at(self.tokens, place - 1), text_at(self.tokens, place)) in _OF_ALL
            if of_the and self.tokens[place + 1].kind is Kind.NUMBER:
                return True
        return False

    def _once_more(self, start: int, end: int) -> Quantity | None:
        """The measure whose unit a bare number goes on in: "24 squares on the house and another 6 on the garage"."""
        last, last_end = self.measured
        before, after = text_at(self.tokens, start - 1), text_at(self.tokens, end)
        goes_on = before in _FURTHER | {","} and after in _WHERE and last is not None
        # "12 cu yd of mulch in April, 4 round lawn program" goes on with nothing.
        of = {Role.AREA, Role.VOLUME} if before in _FURTHER else {Role.AREA}
        goes_on = goes_on and last is not None and last.role in of
        if last is None or not (before in {"another", "further"} or goes_on):
            return None
        between = {text_at(self.tokens, place) for place in range(last_end, start)}
        near = start - last_end <= _NEXT_LENGTH and not between & _ENDS_SENTENCE
        return last if near and text_at(self.tokens, end) in _ENDS | _WHERE else None

    def _listed_unit(self, start: int, end: int) -> str:
        """The unit of a bare number in a list of lengths of which another tells it: "9 ft on one side and 7 on the
        other", "left 80, right 60, back 40 feet", "8, 12 and 15 m"; empty where it is in none."""
        before, after = text_at(self.tokens, start - 1), text_at(self.tokens, end)
        if _is_like_year(self.tokens[start]):
            return ""  # "cedar fence, 80 ft, 2005"
        joined = before in _FURTHER | {",", "then"}
        after = text_at(self.tokens, end + 1) if after == "more" else after
        after = "" if after in _BECAUSE else after
        placed = before in _SIDES_OF or (after in _WHERE and self._counted(end + 1) not in UNITS)
        # "2 runs of 40 ft and 2 runs of 25", "ridge 8 m hips 2 lots of 5.5 want it all done"
        of_runs = before in {"of", "at"} and text_at(self.tokens, start - 2) in _RUNS
        placed |= of_runs
        if after == "and" and text_at(self.tokens, end + 1) in _PARTS:
            return ""  # "3 and a half feet tall"
        goes_on = after in _ENDS | _WHERE | _FURTHER | {"each"} or (of_runs and after in NOT_COUNTED)
        if not goes_on or not (placed or joined) or start in self.begins:
            return ""
        if self.length_end > 0 and start - self.length_end <= _NEXT_LENGTH:
            between = {text_at(self.tokens, place) for place in range(self.length_end, start)}
            if not between & _ENDS_SENTENCE:
                if of_runs:
                    return self.length_unit
                listed = bool(between & (_FURTHER | {",", "(", "then"}))
                return self.length_unit if listed and (placed or after in _ENDS | _FURTHER) else ""
        ahead = self._unit_ahead(end) if after in _FURTHER | {","} else ""
        beside = {text_at(self.tokens, at) for at in range(max(0, start - _NEAR_SIDE), start)}
        return ahead or (self._unit_of_fence(start) if beside & _SIDES_OF_LOTS else "")

    def _listed_area(self, value: Decimal, start: int, end: int) -> str:
        """The unit of a bare number behind a place, where the place before has an area told in the same way: "living
        room is 240 sq ft, dining room 160, hallway 60", "unit 1 is 700 sf, unit 2 is 700"; empty elsewhere."""
        last, last_end = self.measured
        if last is None or last.role is not Role.AREA or not self._is_behind_place(start) or start in self.begins:
            return ""
        if text_at(self.tokens, end) not in _ENDS | _FURTHER and end not in self.begins:
            return ""
        between = {text_at(self.tokens, place) for place in range(last_end, start)}
        near = start - last_end <= _NEXT_LENGTH and not between & _ENDS_SENTENCE
        alike = value >= _LEAST_BARE and last.value / _MOST_TIMES <= value <= last.value * _MOST_TIMES
        return last.unit if near and alike and self.measured_place else ""

    def _is_behind_place(self, start: int) -> bool:
        """ "Dining room 160", "unit 2 is 700", "box room: 20"."""
        before = text_at(self.tokens, start - 1)
        of = text_at(self.tokens, start - 2)
        if before in {":", "(", "-", "–", "has", "about"}:
            return of in _SIDES_OF
        return before in _SIDES_OF

    def _unit_of_fence(self, start: int) -> str:
        """What the sides of a lot are told in behind a fence, where no unit is: "fence: left side 40, back 80"."""
        fenced = any(text_at(self.tokens, at) in _FENCES for at in range(max(0, start - _NEAR_FENCE), start))
        return ("m" if self.metric or self.usual_metric else "ft") if fenced else ""

    def _unit_ahead(self, index: int) -> str:
        """The unit of the length with which the list that goes on at ``index`` ends."""
        last = index
        for place in range(index, min(index + 2 * _NEXT_LENGTH, len(self.tokens))):
            token = self.tokens[place]
            if token.text in _ENDS_SENTENCE or place in self.begins or place - last > _NEXT_LENGTH:
                return ""
            if token.kind is Kind.NUMBER:
                found = unit_at(self.tokens, place + 1)
                if text_at(self.tokens, place - 1) not in _SIDES_OF | _FURTHER | {","}:
                    return ""
                if found is not None:
                    return found[0] if found[0] in _AREA_OF and not axis_at(self.tokens, found[1])[0] else ""
                last = place
            elif token.kind is Kind.WORD and token.text not in _SIDES_OF | _FURTHER | _WHERE | {"the", "a"}:
                return ""
        return ""

    def _is_elsewhere(self, start: int, end: int) -> bool:
        """The number begins its words and says only where: "3 upstairs", "4 more in the den", "1 over the stairs"."""
        before = text_at(self.tokens, start - 1)
        if before == "the" and self.tokens[start].text == "one":
            # "the toilet upstairs and the one downstairs"
            joint, back = text_at(self.tokens, start - 2), range(max(0, start - _NEXT_LENGTH), start)
            again = any(text_at(self.tokens, at) == "one" for at in back)
            before = joint if joint in _FURTHER and not again else before
        before = text_at(self.tokens, start - 2) if before in _LEADS_ON else before
        begins = before in _STARTS | _BASE_VERBS | _THERES | _LEADS_TO_PLACE or start in self.begins
        end += text_at(self.tokens, end) in {"more", "others", "extra", "one"}
        end += 2 * ([text_at(self.tokens, end), text_at(self.tokens, end + 1)] == ["of", "them"])
        first, second = text_at(self.tokens, end + 1), text_at(self.tokens, end + 2)
        here = text_at(self.tokens, end) in ELSEWHERE and first not in _NO_PLACES and _HOURS.isdisjoint({first, second})
        # "1 outside tap" is one tap.
        qualifies = text_at(self.tokens, end) in _QUALIFIES and first.isalpha() and first not in _BEHIND_PLACE
        return (begins and here and not qualifies) or self._stands_behind_place(start, end)

    def _stands_behind_place(self, start: int, end: int) -> bool:
        """ "Kitchen 8, hall 3, both baths 2 each"; "bed 2, bath 1" are names."""
        before, after = text_at(self.tokens, start - 1), text_at(self.tokens, end)
        if after in {"each", "apiece"}:
            return before in _MANY_ROOMS
        named = before in _ONE_PLACE or (before == "room" and text_at(self.tokens, start - 2) in _ONE_PLACE)
        return named and start not in self.begins and (after in _ENDS | {"&", "plus", "+"} or end in self.begins)

    def _ends_words(self, position: int) -> bool:
        return text_at(self.tokens, position) in _ENDS | {")"} or position in self.begins

    def _bracketed(self, start: int, end: int) -> str:
        """The word that a count in brackets or behind an x follows: ``outlets x4``,
        ``WINDOWS (19)``, ``same location (8)``, ``sockets,(2) for
        the flats``."""
        counted = text_at(self.tokens, start - 2)
        if counted == "(" and text_at(self.tokens, start - 1) == "x":
            counted = text_at(self.tokens, start - 3)  # "radiators (x4)"
        ends = text_at(self.tokens, end) in _ENDS_ALL | _BEFORE_PLACES | {"on", "for"} or end in self.begins
        if text_at(self.tokens, start - 1) == "x" and (touching(self.tokens, start) or counted.endswith("s") or ends):
            if counted in _BASE_VERBS | _FAULTY or counted.endswith(_NAMES_AN_ACTION) or action_of(counted):
                return "them"  # "ceiling fan install x3", "sprinkler head broken x4", "window replacement x2"
            return counted if counted.isalpha() and len(counted) > 2 and counted not in NOT_COUNTED else ""
        closing = text_at(self.tokens, end)
        if text_at(self.tokens, start - 1) != "(" or closing not in {")", ","}:
            return ""
        if closing == "," and not text_at(self.tokens, start - 2).endswith("s"):
            return ""
        before = text_at(self.tokens, start - 2 - (text_at(self.tokens, start - 2) in {",", "."}))
        sized = any(token.kind is Kind.NUMBER for token in self.tokens[max(0, start - _SIZED) : start - 1])
        if sized and len(before) <= _SIZED and (text_at(self.tokens, end + 1) in _ENDS or end + 1 in self.begins):
            return "them"  # "boxwood 3 gal (15); red maple 2" cal (3)"
        if text_at(self.tokens, end + 1) == "for":
            return before or "for"
        if before in _BASE_VERBS or (before.endswith((*_NAMES_AN_ACTION, "ing")) and action_of(before)):
            return "them"  # "action: replace (2)", "toilet seat fitting (2)"
        return before if before.isalpha() and len(before) > 3 and before not in _NAMING else ""

    def _listed(self, value: Decimal, start: int, end: int) -> str:
        """The thing that a bare number counts by its place: "Internal doors: replace 2", "Install outlets, 2",
        "blinds 6 @ 35x60"."""
        before, after = text_at(self.tokens, start - 1), text_at(self.tokens, end)
        if action_of(before) and before in _BASE_VERBS and after in {"to", "with"}:
            return "them"
        if value % 1 or value >= _MANY or (value == 1 and self.tokens[start].kind is Kind.WORD):
            return ""
        if after == "@":
            return before if before.isalpha() and len(before) > 2 else ""
        if before in {"-", "–", "—", ":"} and (after in _ENDS or end in self.begins):
            # "GFCI outlets, kitchen - 3", "Toilets, hall bath - 2".
            thing = self._thing_before_place(start - 2)
            if thing:
                return thing
        ends = after in {"", ".", ";"} or end in self.begins
        if before in {"-", "–", ":"} and ends and not touching(self.tokens, start):
            # "Toilets: 2", "toilets: 2. Replace them", a line of a list; how many rooms there are asks for nothing.
            thing = text_at(self.tokens, start - 2)
            rooms = thing in _MANY_ROOMS | _NAMING
            return thing if thing.endswith("s") and len(thing) > 3 and not rooms else ""
        if self._counts_its_line(start, end) or self._counts_things_before(value, start, end):
            return before
        if after not in {"", ",", ".", ";", "(", ")"}:
            return ""
        if action_of(before) and before in _BASE_VERBS:
            return "them"
        thing = text_at(self.tokens, start - 2)
        if before != "," or not thing.endswith("s") or len(thing) < 4 or thing in _NAMING or thing in _MONTHS:
            return ""
        lead = [text_at(self.tokens, place) for place in range(max(0, start - 7), start - 2)]
        # "Install new outlets, 2", "same for the switches, 11".
        return thing if "same" in lead or any(map(action_of, lead)) else ""

    def _counts_things_before(self, value: Decimal, start: int, end: int) -> bool:
        """ "Replace doors 6", "sockets 12, downlights 10": how many of the things that are named right before it, where
        they are no places with numbers ("bedrooms 2 and 3"), no measure and nothing of that size ("cabinets 36")."""
        thing, after = text_at(self.tokens, start - 1), text_at(self.tokens, end)
        if start in self.begins or value > _MOST_BEHIND or not _names_things(thing):
            return False
        if any(value in sizes and thing.removesuffix("s") in things for things, sizes in _KINDS):
            return False
        if unit_at(self.tokens, start - 1) is not None:
            return False
        for token in reversed(self.tokens[max(0, start - 1 - _NAMED_WITHIN) : start - 1]):
            if token.kind is Kind.NUMBER or token.text in NUMBER_WORDS:
                return False  # "doors 6 windows 9", "3 windows 4"
            if token.text in _ENDS | _LISTS_ON:
                break
        if after in _LISTS_ON and end + 1 < len(self.tokens) and self.tokens[end + 1].kind is Kind.NUMBER:
            return False  # "windows 3, 4 and 7 are rotten"
        return after in _ENDS | _LISTS_ON | {"(", "please", "in", "at"} or end in self.begins

    def _thing_before_place(self, index: int) -> str:
        """The things that are told with their place, whose last word is a token's: "ceiling fans, master bedroom";
        empty elsewhere."""
        if text_at(self.tokens, index) not in _ONE_PLACE | _MANY_ROOMS | _NUMBERED_ROOMS:
            return ""
        sign = next((at for at in range(index - 1, max(0, index - 1 - _PLACE_WORDS), -1) if self._is_sign(at)), 0)
        thing = text_at(self.tokens, sign - 1) if text_at(self.tokens, sign) in {",", "("} else ""
        placed = sign > 0 and not any(at in self.begins for at in range(sign, index + 1))
        return thing if placed and thing.endswith("s") and len(thing) > 3 and thing not in _NAMING else ""

    def _is_sign(self, index: int) -> bool:
        return self.tokens[index].kind is not Kind.WORD

    def _counts_its_line(self, start: int, end: int) -> bool:
        """ "New outlets 14", a line of several that end so."""
        thing = text_at(self.tokens, start - 1)
        if not thing.isalpha() or len(thing) <= 3 or thing in _MANY_ROOMS | _NAMING | set(_MONTHS):
            return False
        return end in self._line_ends and len(self._line_ends) > 1

    @cached_property
    def _line_ends(self) -> frozenset[int]:
        """The tokens behind lines that end in a bare number of things."""
        ends = (*self.begins, len(self.tokens))
        return frozenset(
            end
            for end in ends
            if end > 1
            and self.tokens[end - 1].kind is Kind.NUMBER
            and end - 1 not in self.begins
            and text_at(self.tokens, end - 2).endswith("s")
        )

    # --- what a number is not ----------------------------------------------------------------------------------------

    def _is_year(self, measure: _Measure, noun: str) -> bool:
        value, end = measure.number.value, measure.number.end
        if _is_like_year(self.tokens[measure.start]) and not noun.endswith("s"):
            return True
        counted = any(text_at(self.tokens, position).endswith("s") for position in range(end, end + 4))
        return value >= _LARGEST_SINGULAR and not counted and noun != "them"

    def _is_name(self, index: int) -> bool:
        """Whether the number at ``index`` names something: by the word before it, by its shape, by a street after
        it."""
        if index not in self._names:
            self._names[index] = self._names_something(index)
        return self._names[index]

    def _names_something(self, index: int) -> bool:
        tokens, token = self.tokens, self.tokens[index]
        # "… meeting room\n2nr closers": the line before names nothing on this one.
        before = "" if index in self.begins else text_at(tokens, index - 1)
        if len(token.text.replace(",", "").split(".")[0]) > 5 and "," not in token.text:
            return True
        if token.text[0] == "0" and token.text.isdigit() and len(token.text) > 1:
            return True  # "555-0142"
        if before in _STATES and len(token.text) == _ZIP_DIGITS and token.text.isdigit():
            return unit_at(tokens, index + 1) is None  # "Denver, CO 80204"
        if touching(tokens, index) and (tokens[index - 1].kind is Kind.WORD and before not in _SEPARATORS):
            return not _opens_measure(tokens, index)
        signed = before in {".", "-", ":"} and index - 1 not in self.begins
        # "… consumer unit. 2 cracked sockets": only an abbreviation has its stop before its number ("apt. 2").
        spelled = before == "." and len(text_at(tokens, index - 2)) > _ABBREVIATION
        signed = signed and (not spelled or touching(tokens, index))
        if signed and _named_before(tokens, index - 1) and not self._long_unit_at(index + 1):
            # "Upper unit: 5 windows", "dining room - 4 outlets", "… room\n- 3 new lamps" count, "Unit - 5" names.
            following = text_at(tokens, index + 1)
            return before == "." or not (following.isalpha() and following.endswith("s") and len(following) > 2)
        if before == "-" and touching(tokens, index) and touching(tokens, index - 1):
            word = text_at(tokens, index - 2)
            short = tokens[index - 2].kind is Kind.WORD and len(word) <= 3 and word not in LABELS
            if short and not _closes_feet(tokens, index - 2):
                return unit_at(tokens, index + 1) is None
        if (
            text_at(tokens, index + 1) in _SEPARATORS
            and index + 2 < len(tokens)
            and tokens[index + 2].kind is Kind.NUMBER
        ):
            return False
        side = unit_at(tokens, index + 1)
        if side is not None and text_at(tokens, side[1]) in _SEPARATORS and number_at(tokens, side[1] + 1):
            return False  # "main part 8m x 5m"
        if before in _NUMBERED_ROOMS and text_at(tokens, index + 1) in {"needs", "has", "is", "wants", "gets"}:
            return True  # "bath 2 needs a new faucet"
        counts = before in {"no", "nos"} and index > 1 and tokens[index - 2].kind is Kind.NUMBER  # "3no 1.83m panels"
        if self._lists_places(index) or self._is_room(index) or self._is_lettered(index):
            return True
        if before == "room" and text_at(tokens, index - 2) in _ONE_PLACE:
            return False  # "dining room 160"
        if before in _MONTHS or (before in _NAMING and not counts and not self._long_unit_at(index + 1)):
            return True
        if before == "year" and (index - 1 in self.begins or text_at(tokens, index - 2) in _STARTS | {"the", ":"}):
            return True  # "Year 2 classroom", but "each year 2 visits"
        if _is_date(tokens, index) or _is_ordinal(tokens, index):
            return True
        return self._is_address(index)

    def _lists_places(self, index: int) -> bool:
        """Whether the number is one of several rooms: "the tubs in 112, 204 and 318"."""
        listed = text_at(self.tokens, index - 1) in {",", "and", "&"}
        if not listed or not ROOM_NUMBER.fullmatch(self.tokens[index].text) or unit_at(self.tokens, index + 1):
            return False
        first, joined = index, 0
        while joined < _MOST_ROOMS and _joins_numbers(self.tokens, first - 1):
            first -= 2 + (text_at(self.tokens, first - 2) == ",")
            if first < 0 or not ROOM_NUMBER.fullmatch(self.tokens[first].text):
                return False
            joined += 1
        return 0 < joined < _MOST_ROOMS and text_at(self.tokens, first - 1) in _BEFORE_PLACES

    def _is_room(self, index: int) -> bool:
        """ "The guest in 204 found bed bugs", "the tub in 112", "101 needs a new bathtub, 102 ditto"."""
        text, following = self.tokens[index].text, text_at(self.tokens, index + 1)
        if following in _OF_A_ROOM and ROOM_NUMBER.fullmatch(text) and text_at(self.tokens, index - 1) in _ENDS:
            return True
        if text_at(self.tokens, index - 1) not in {"in", "from"} or len(text) != _ROOM_DIGITS or not text.isdigit():
            return False
        counts = following.isalpha() and (following not in _SAYS_OF_ROOM or unit_at(self.tokens, index + 1))
        return not counts

    def _is_lettered(self, index: int) -> bool:
        """ "14a, 14b and 14d Chapel Road": one number with several letters."""
        lettered = self._letters_of.get(self.tokens[index].text, ())
        return len(lettered) > 1 and touching(self.tokens, index + 1) and text_at(self.tokens, index + 1) in lettered

    @cached_property
    def _letters_of(self) -> dict[str, set[str]]:
        """The letters that are written against each number."""
        found: dict[str, set[str]] = {}
        for index in range(1, len(self.tokens)):
            letter = self.tokens[index].text
            if len(letter) == 1 and letter in _LETTERED and touching(self.tokens, index):
                found.setdefault(self.tokens[index - 1].text, set()).add(letter)
        return found

    def _long_unit_at(self, index: int) -> bool:
        """A unit of more than one letter, or metres apart: "area 200 sqft", "sitting room 17 m" are figures, "unit 10W"
        and "type 1A" are names."""
        word = text_at(self.tokens, index)
        apart = word == "m" and not touching(self.tokens, index)
        return unit_at(self.tokens, index) is not None and (len(word) > 1 or not word.isalpha() or apart)

    def _is_address(self, index: int) -> bool:
        if self._long_unit_at(index + 1):
            return False  # "300 sf drive"
        if text_at(self.tokens, index - 1) in _SEPARATORS and self.tokens[index - 2].kind is Kind.NUMBER:
            return False  # "patio 16x18 w broom finish"
        words = [text_at(self.tokens, position) for position in range(index + 1, index + 5)]
        if self._is_where_somebody_lives(index):
            return True
        if words[0] in _DIRECTIONS and len(self.tokens[index].text) >= 2 and words[1].isalpha():
            return True
        for position, word in enumerate(words):
            if word in _STREETS and position:
                return True
            if not word.isalpha() or word in _ENDS_ADDRESS:
                return False
        return False

    def _is_where_somebody_lives(self, index: int) -> bool:
        """ "Mrs Jones at 14 Elm wants 3 rooms painted", "Mr Lee, 18 Oak, needs a water heater": a house in a street
        that is called by its name alone."""
        said = [token.text for token in self.tokens[index + 1 : index + 4] if token.text != ","]
        before = [token.text for token in self.tokens[max(0, index - 4) : index] if token.text != ","]
        wants = len(said) > 1 and said[0].isalpha() and said[1] in _WHAT_SOMEBODY_DOES
        return wants and bool(before) and (before[-1] in {"at", "from"} or before[-2:-1][:1] in _TITLES)

    def _counted(self, index: int) -> str:
        """The first word of the noun phrase at ``index``, empty where there is none."""
        if index >= len(self.tokens) or self.tokens[index].kind is Kind.SYMBOL:
            return ""
        token = self.tokens[index]
        if token.kind is Kind.NUMBER:
            following = text_at(self.tokens, index + 1)
            if following in _SEPARATORS and index + 3 < len(self.tokens) and self.tokens[index + 2].kind is Kind.NUMBER:
                # "(14) 2x4 LED troffers".
                return text_at(self.tokens, index + 3) if text_at(self.tokens, index + 3).isalpha() else ""
            unit = unit_at(self.tokens, index + 1)
            if following in _PARTS_OF_A_THING and text_at(self.tokens, index + 2).isalpha():
                return text_at(self.tokens, index + 2)  # "two 6 panel doors"
            if unit is None and any(token.text in sizes for things, sizes in _KINDS_SAID if following in things):
                return following  # "2 36 doors"
            if unit is not None and text_at(self.tokens, unit[1]) in _SEPARATORS:
                behind = self._past_sizes(index)  # "4 no. 600mm x 1200mm radiators"
                return self._counted(behind) if text_at(self.tokens, behind).isalpha() else ""
            if unit is None and self._is_size_of_counted(index):
                return self._counted(index + 1)  # "4no 762 internal doors"
            if unit is not None:
                # "(2) 4' gates", "3no 1.83m panels".
                return self._counted(unit[1]) if text_at(self.tokens, unit[1]).isalpha() else following
            return following if following == "-" else ""
        if token.text in _WHOSE and text_at(self.tokens, index + 1) in _MANY_ROOMS:
            return text_at(self.tokens, index + 1)  # "2 kids rooms"
        if token.text in _DIRECTIONS and text_at(self.tokens, index + 1) == "facing":
            return self._counted(index + 2)  # "3 west facing windows"
        following = self.tokens[index + 1].kind if index + 1 < len(self.tokens) else Kind.SYMBOL
        if token.text == "more" and following is Kind.SYMBOL:
            return "them"  # "add 3 more."
        if token.text in _BESIDE_NOUN and following in {Kind.WORD, Kind.NUMBER}:
            # "4 old tires", "2 more zones", "two more in each".
            return self._counted(index + 1) or ("them" if token.text == "more" else "")
        return "" if token.text in NOT_COUNTED or len(token.text) < 2 else token.text

    # --- building ----------------------------------------------------------------------------------------------------

    def _plain(self, value: Decimal, unit: str, role: Role, start: int, end: int) -> Quantity:
        return self._quantity(Number(value, value, value, end), unit, role, start, end)

    def _quantity(self, number: Number, unit: str, role: Role, start: int, end: int) -> Quantity:
        before = text_at(self.tokens, start - 1)
        approximate = before in _APPROXIMATIONS or (
            before == "." and text_at(self.tokens, start - 2) in _APPROXIMATIONS
        )
        approximate |= number.end > start + 1 and text_at(self.tokens, number.end - 1) in _NOT_EXACT
        if text_at(self.tokens, end - 1) == ")" and not any(token.text == "(" for token in self.tokens[start:end]):
            end -= 1
        last = self.tokens[min(end, len(self.tokens)) - 1]
        return Quantity(
            number.value, unit, role, Span(self.tokens[start].start, last.end), number.low, number.high, approximate
        )


def _is_tenths(value: Decimal) -> bool:
    return bool(value % Decimal("0.25"))


def _is_metres(tokens: Sequence[Token], index: int) -> bool:
    """ "4 m", "12 lin. m"; not "M&T Rentals", "3 p.m."."""
    before = index - 1 - (text_at(tokens, index - 1) == ".")
    return before >= 0 and (
        tokens[before].text in _SQUARE_OR_RUNNING or (before == index - 1 and tokens[before].kind is Kind.NUMBER)
    )


def _marks(tokens: Sequence[Token]) -> frozenset[int]:
    """Where the numbers of a list stand ("1) a faucet 2) a toilet"), none where they do not count up from one."""
    found = [
        index
        for index in range(len(tokens) - 2)
        if tokens[index].kind is Kind.NUMBER
        and tokens[index + 1].text == ")"
        and tokens[index + 2].kind is Kind.WORD
        and text_at(tokens, index - 1) != "or"
    ]
    bare = [index for index in found if text_at(tokens, index - 1) != "("]
    # Two in brackets may be counts ("(1) door (2) windows"), three that go on are not.
    return _counting_up(tokens, bare, 2) or _counting_up(tokens, found, 3)


def _counting_up(tokens: Sequence[Token], found: Sequence[int], least: int) -> frozenset[int]:
    told = [tokens[index].text for index in found]
    return frozenset(found) if len(found) >= least and told == [str(n + 1) for n in range(len(found))] else frozenset()


def _whole(value: Decimal, index: int) -> Number:
    """The number of one token: what stands before a slash is then no fraction, as in 120/240 and 12/2."""
    return Number(value, value, value, index + 1)


def _is_count_of_sizes(members: list[_Measure]) -> bool:
    """``4 x 600mm units``: a count of things of one size, not a rectangle."""
    first, second = members[0], members[1]
    return (
        len(members) == 2
        and not first.unit
        and second.unit in {"mm", "cm"}
        and first.number.value <= 20 < second.number.value
    )


def _in_unit(side: Quantity, unit: str) -> Decimal:
    if side.unit == unit:
        return side.value
    return (side.value * UNITS[side.unit].size / UNITS[unit].size).quantize(Decimal("0.0001"))


def _is_millimetres(member: _Measure) -> bool:
    """ "A sign 3.2m x 600"."""
    return not member.unit and member.number.value >= _MILLIMETRES


def _area_of(sides: Sequence[Quantity]) -> tuple[Decimal, str] | None:
    """Width by length in the larger side's square unit; small units make an area only at the size of a room."""
    first, second = sides[0], sides[1]
    unit = first.unit if first.unit in _AREA_OF else second.unit
    if unit == "mm" and min(first.value, second.value) >= 1500:
        return (first.value * second.value / 1_000_000).quantize(Decimal("0.001")), "m2"
    if unit not in _AREA_OF:
        return None
    area = _in_unit(first, unit) * _in_unit(second, unit)
    return area.quantize(Decimal("0.001")).normalize() + 0, _AREA_OF[unit]


def _is_part(tokens: Sequence[Token], measure: _Measure) -> bool:
    """A bare carpenter's fraction (3/4 ply, 5/8 drywall) is inches."""
    fraction = text_at(tokens, measure.start + 1) == "/" and measure.number.end == measure.start + 3
    return fraction and measure.number.value < 1


def _names_things(word: str) -> bool:
    """ "Doors", and nothing that is called by a number behind it."""
    several = word.isalpha() and len(word) > _SHORTEST_THINGS and word.endswith("s") and not word.endswith("ss")
    called = not _CALLED_BY_NUMBER.isdisjoint({word, word.removesuffix("s")})
    return several and not called and not action_of(word) and word not in NOT_COUNTED | _TELLS_COUNT | _WANTS_COUNT


def _is_determiner(tokens: Sequence[Token], measure: _Measure) -> bool:
    """``one`` and ``zero`` in words are often no count: "this one", "no one", "one of the"."""
    token = tokens[measure.start]
    return token.text == "one" and text_at(tokens, measure.start - 1) in {
        "this",
        "that",
        "no",
        "the",
        "old",
        "new",
        "which",
        "every",
        "each",
    }


def _is_date(tokens: Sequence[Token], index: int) -> bool:
    """``4/11/2019``, ``32-220-2408``, ``12-07-24``, ``4/19``-like days are left to the fraction rule."""
    for sign in ("/", "-", "."):
        if text_at(tokens, index + 1) == sign and text_at(tokens, index + 3) == sign and index + 4 < len(tokens):
            return all(tokens[position].kind is Kind.NUMBER for position in (index, index + 2, index + 4))
    following = text_at(tokens, index + 1)
    return following in _MONTHS and tokens[index].text.isdigit() and int(tokens[index].text[:3]) <= 31


def _joins_numbers(tokens: Sequence[Token], index: int) -> bool:
    """A comma or an "and" right behind a number, or both."""
    if text_at(tokens, index) not in {",", "and", "&"}:
        return False
    before = index - 1 - (text_at(tokens, index - 1) == ",")
    return before >= 0 and tokens[before].kind is Kind.NUMBER


def _is_like_year(token: Token) -> bool:
    return len(token.text) == _YEAR_DIGITS and token.text.isdigit() and _FIRST_YEAR <= int(token.text) <= _LAST_YEAR


def _is_ordinal(tokens: Sequence[Token], index: int) -> bool:
    return text_at(tokens, index + 1) in {"st", "nd", "rd", "th"} and touching(tokens, index + 1)


def _named_before(tokens: Sequence[Token], index: int) -> bool:
    """``NO. 5``, ``JOB: 5``, ``TYPE-5``: a naming word before the sign at ``index``."""
    return text_at(tokens, index - 1) in _NAMING_BEFORE_SIGN


def _closes_feet(tokens: Sequence[Token], index: int) -> bool:
    return text_at(tokens, index) in {"ft", "x"}


def _opens_measure(tokens: Sequence[Token], index: int) -> bool:
    """A number written against a word and followed by a length or area ("APPROX500SQFT") is still a figure."""
    found = unit_at(tokens, index + 1)
    return found is not None and len(tokens[index - 1].text) > 3 and found[0] not in {"each", "A"}


def _is_identifier_part(token: Token) -> bool:
    return token.kind in {Kind.NUMBER, Kind.WORD} or token.text in {"-", "/", "#", "."}
