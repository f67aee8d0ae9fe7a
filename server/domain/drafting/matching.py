"""Task match: which catalogue task the words of one clause ask for.

A task's names are held as sets of lemmas; a name matches where all its words stand in the clause, in any order, and the
rarest and longest name wins. Fuzzy comparison repairs the spelling of unknown words and never ranks tasks.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from server.domain.catalogue import Catalogue, Task
from server.domain.drafting.actions import PUTS_IN, action_of, verb_forms
from server.domain.drafting.choosing import Chooser, Meaning, chooser
from server.domain.drafting.encoding import Encoder, encoder
from server.domain.drafting.numbers import Kind, Token, text_at, tokenize
from server.domain.drafting.patterns import cues, folded
from server.domain.drafting.quantities import Quantity, Role
from server.domain.drafting.verbs import moves_in
from server.domain.records import record
from server.domain.units import Dimension, dimension
from server.domain.words import SPELLINGS, SYNONYM_GROUPS

#: What speaks of permits in any way: where nothing does, a fence is a fence and not its permit.
_PAPERS = cues(
    r"permit|permission|planning (?!to\b|on\b)|consent|\bfil(?:e|ed|ing)|paper|approv|building (?:control|dep)|\bregs"
    r"|notif|inspect|certificat|licen[cs]e|zoning|variance|\bpull|council|\bcity|county|\bforms?\b|applica|\bcode"
    r"|stamp|\btown|\bappl(?:y|ies)\b|regist|submi|authorit|sign(?:ed)?[ -]?off|lawful|plan check|\bslip\b|ticket",
)
#: Actions too general to tell tasks apart: they are checked against `Task.verbs`, never matched as words.
GENERAL_ACTIONS = frozenset({"install", "replace", "remove", "repair", "service", "deliver"})
#: What may stand in for an action that a task does not have, with the remark that goes on the line.
STAND_INS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "install": (("replace", "priced as a replacement: the catalogue has no bare installation of it"),),
    "replace": (("install", "priced as a new installation; taking out and disposing of the old one is not included"),),
    "wire": (("install", ""), ("replace", "")),
    "seal": (("install", ""), ("repair", "")),
    "insulate": (("install", ""),),
    "tile": (("install", ""),),
    "plaster": (("install", ""), ("repair", "")),
    "pave": (("install", ""), ("replace", "")),
    "stain": (("paint", ""), ("seal", "")),
    "prime": (("paint", ""),),
    "point": (("repair", ""), ("replace", "")),
    "sand": (("repair", ""),),
    "mow": (("service", ""), ("trim", "")),
    "cut": (("mow", ""), ("trim", ""), ("service", ""), ("fell", "")),
    "render": (("install", ""), ("repair", ""), ("plaster", "")),
    "print": (("install", ""),),
    "treat": (("clean", ""), ("service", ""), ("remove", "")),
    "renovate": (("replace", ""), ("install", ""), ("sand", ""), ("repair", "")),
    "clear": (("clean", ""), ("remove", "")),
    "regrout": (("repair", ""), ("clean", "")),
    "resurface": (("sand", ""), ("repair", ""), ("pave", ""), ("install", ""), ("replace", "")),
    "skim": (("install", ""), ("plaster", ""), ("repair", "")),
    "gut": (("remove", ""),),
    "snake": (("clean", ""), ("service", "")),
    "rekey": (("service", ""), ("repair", "")),
    "reset": (("repair", ""), ("service", ""), ("install", "")),
    "flush": (("service", ""), ("clean", ""), ("repair", "")),
    "unblock": (("clean", ""), ("repair", ""), ("service", "")),
    "shovel": (("remove", ""), ("clean", "")),
    "trim": (("service", ""), ("mow", "")),
    "fell": (("remove", ""),),
    "grind": (("remove", ""),),
    "dig": (("install", ""), ("remove", "")),
    "level": (("install", ""), ("repair", "")),
    "roof": (("install", ""), ("replace", "")),
    "carpet": (("install", ""), ("replace", "")),
    "weed": (("service", ""), ("clean", ""), ("remove", "")),
    "edge": (("service", ""), ("install", "")),
    "fertilize": (("service", ""), ("install", "")),
    "wallpaper": (("install", ""),),
    "drain": (("service", ""),),
}
#: Rooms say where: they are no head of a noun phrase ("tile bathroom floor").
ROOMS = frozenset(
    [
        "room", "bedroom", "bathroom", "kitchen", "lounge", "hallway", "hall", "living", "dining", "office", "study",
        "bed", "bath", "ensuite",
    ]
)  # fmt: skip
_IRREGULAR = {
    "shelves": "shelf", "leaves": "leaf", "feet": "foot", "eaves": "eaves", "stairs": "stair", "skirtings": "skirting",
    "guttering": "gutter", "gutters": "gutter", "railings": "railing", "colour": "color", "grey": "gray",
    "aluminum": "aluminium",
    "aluminium": "aluminium", "plasterboards": "plasterboard", "sidings": "siding", "moulding": "molding",
    "mouldings": "molding",
    "roofs": "roof", "roofing": "roof", "flooring": "floor", "fencing": "fence", "decking": "deck", "tiling": "tile",
    "ceilings": "ceiling", "carpeting": "carpet", "lighting": "light", "windows": "window", "bathrooms": "bathroom",
    "shrubs": "shrub", "bushes": "bush", "lath": "lath", "fibre": "fiber", "storey": "story", "sheetrock": "drywall",
    "gyp": "drywall", "plaster": "plaster", "kerb": "curb", "tyre": "tire", "metre": "meter", "centre": "center",
    "wcs": "toilet", "wc": "toilet", "loo": "toilet", "lavatory": "toilet", "watercloset": "toilet", "taps": "tap",
    "waterheater": "water", "trunks": "trunk", "outside": "exterior", "externally": "exterior", "external": "exterior",
    "facade": "exterior", "façade": "exterior", "frontage": "exterior", "internal": "interior",
    "internally": "interior",
    "inside": "interior", "indoor": "interior", "outdoor": "exterior", "lawns": "lawn", "grass": "lawn",
    "hot": "hot", "glass": "glass", "gas": "gas", "gfi": "gfci", "receptacles": "outlet", "receptacle": "outlet",
    "lounge": "room", "hallway": "room", "bed": "bedroom", "beds": "bedroom", "cert": "certificate",
    "drive": "driveway",
    "certs": "certificate", "insulate": "insulation", "insulated": "insulation", "insulating": "insulation",
    "two": "2", "three": "3", "four": "4",
    "bedroom": "bedroom", "bulb": "bulb", "timber": "wood", "wooden": "wood",
}  # fmt: skip
#: Shorthand of the trades → the word that the catalogue uses.
_SHORTHAND = {
    "alum": "aluminium", "appl": "appliance", "asph": "asphalt", "ba": "bathroom", "br": "bedroom", "brkr": "breaker",
    "bsmt": "basement", "cab": "cabinet", "cabs": "cabinet", "ckt": "circuit", "ckts": "circuit", "clg": "ceiling",
    "conc": "concrete", "cpt": "carpet", "ctop": "countertop", "disp": "disposal", "dw": "dishwasher",
    "drwl": "drywall", "dnspt": "downspout", "elec": "electrical", "exh": "exhaust", "extr": "exterior",
    "fl": "floor", "flr": "floor", "fnc": "fence", "fxtr": "fixture", "galv": "galvanized", "gar": "garage",
    "gfci's": "gfci", "gwb": "drywall", "hdwd": "hardwood", "hse": "house", "htr": "heater", "htrs": "heater",
    "insul": "insulation", "intr": "interior", "kit": "kitchen", "lam": "laminate", "lino": "linoleum", "lts": "light",
    "lvt": "lvp", "mstr": "master", "mtl": "metal", "occ": "occupancy", "plbg": "plumbing", "ply": "plywood",
    "pnl": "panel", "rad": "radiator", "rads": "radiator", "recep": "outlet", "receps": "outlet", "rm": "room",
    "sht": "sheet", "shngl": "shingle", "subfl": "subfloor", "subflr": "subfloor", "tstat": "thermostat",
    "t-stat": "thermostat", "wdw": "window", "wdws": "window", "wndw": "window", "wndws": "window",
    "wtr": "water", "eavestroughs": "gutter", "eavestrough": "gutter", "troughs": "gutter", "em": "emergency",
    "arch": "architectural", "lav": "sink", "weatherboard": "siding",
}  # fmt: skip
_FAULTS = {
    "leak": "leak", "leaks": "leak", "leaking": "leak", "leaky": "leak", "drip": "drip", "drips": "drip",
    "dripping": "drip",
    "blocked": "block", "clogged": "block", "clog": "block", "blockage": "block", "running": "running",
    "runs": "running",
}  # fmt: skip
#: The same, each in one form.
FAULT_LEMMAS = frozenset(_FAULTS.values())
_STOP_WORDS = frozenset(
    [
        "a", "an", "the", "of", "and", "or", "for", "to", "in", "on", "at", "with", "by", "from", "our", "my", "your",
        "their", "its", "all", "any", "some", "old", "existing", "new", "please", "also", "per", "that", "which",
        "is", "are", "be", "it", "this", "these", "those", "up", "out", "off", "x", "not", "we", "i", "you",
        "need", "needs", "quote", "price", "estimate", "want", "looking", "would", "like", "could", "can", "give",
        "us", "me", "just", "so", "then", "have", "has", "get",
    ]
)  # fmt: skip
#: After these the words say where, not what.
_LOCATIVES = frozenset(
    [
        "in", "at", "on", "to", "near", "behind", "under", "above", "along", "around", "throughout", "within",
        "inside", "through", "off", "into", "over", "from", "for", "by",
    ]
)  # fmt: skip
_LOCATIVE_WEIGHT = 0.35
_NUMBER_WEIGHT = 0.5
#: "A 36-floor elevator": what a number before the hyphen describes.
#: "The hall bath" is a room, "the bath" a tub.
_BATH_ROOM = frozenset({"hall", "master", "guest", "half", "full", "main", "both", "kids", "primary", "upstairs"})
#: "The 3rd floor", "all on one floor": which storey, and not what is walked on.
_ORDINALS = frozenset(
    ["st", "nd", "rd", "th", "ground", "first", "second", "third", "fourth", "fifth", "top", "upper", "lower", "one"]
)
#: "Replace the roof this spring": when, and no spring of a door.
_SEASONS = frozenset({"spring", "fall"})
_OF_A_TIME = frozenset({"this", "next", "last", "late", "early", "every", "each", "by", "before", "until", "till"})
#: What "EM" is short for "emergency" before; else it is "them".
_EMERGENCY = frozenset(
    {"light", "lights", "lighting", "fixture", "fixtures", "ballast", "ballasts", "exit", "unit", "units", "pack"}
)
#: "Floor area 1,150 sq ft", "ceiling height": what a figure measures, and not what is worked on.
_MEASURED_OF = frozenset({"floor", "wall", "ceiling", "room", "house", "roof"})
_STOREYS = frozenset({"floor", "stop", "story", "storey", "unit", "car", "flat", "family"})
#: What stands by itself: "the shed needs a new roof" is about a roof.
STRUCTURES = frozenset(["garage", "shed", "barn", "gazebo", "pergola", "pool", "carport", "greenhouse", "porch"])
#: What says that something is needed.
_NEED = frozenset({"needs", "need"})
_WE, _WISHES = frozenset({"i", "we", "would"}), frozenset({"want", "need", "like", "would"})
#: What is put on the walls or floors of such a thing.
_LINES = frozenset({"drywall", "sheetrock", "plasterboard", "insulate", "epoxy", "carpet", "tile"})
#: A clause that begins with one of these says where first.
_WHERE = frozenset(
    ["in", "at", "on", "near", "behind", "under", "above", "along", "next", "beside", "from", "within",
     "inside", "across", "below", "between", "through", "throughout"]
)  # fmt: skip
#: Words after or before which the next ones weigh another share, or which name nothing here; all others are only taken.
_TURNS = _STOREYS | _LOCATIVES | _MEASURED_OF | _STOP_WORDS | {
    "instead", "lieu", "using", "next", "range", "lot", "floors", "flr", "fl", "between",
}  # fmt: skip
AROUND = 0.8
#: What is asked for something: the words behind "for" then say what, and not where.
_PRICES = frozenset(
    ["price", "prices", "pricing", "charge", "cost", "costs", "figure", "quote", "quotes", "estimate", "bid"]
)
_UNITS = frozenset({"metres", "meters", "feet", "foot", "inches", "millimetres", "millimeters", "yards", "mm", "cm"})
_HOMES = frozenset(
    ["unit", "flat", "apartment", "house", "home", "property", "room", "building", "place", "job", "work"]
)
#: A name whose last word only qualifies another thing ("air conditioner circuit") keeps this share of its score.
_QUALIFIER_SHARE = 0.4
#: Words of the smallest catalogue that what was learned holds for.
_FEWEST_WORDS = 500
_MIN_REPAIR_LENGTH, _MAX_REPAIR_LENGTH = 5, 20
#: Everyday words one or two letters away from a trade word; they are never repaired.
_COMMON_WORDS = frozenset(
    [
        "about", "above", "after", "again", "along", "among", "around", "asked", "before", "being", "below", "board",
        "bought", "built", "bring", "close", "could", "doing", "early", "email", "every", "extra", "first", "found",
        "front", "given", "going", "great", "green", "guest", "happy", "having", "hello", "house", "heavy", "i'd",
        "issue", "known", "large", "later", "least", "leave", "leaving", "level", "light", "lives", "local", "lower",
        "makes", "maybe", "might", "money", "month", "moved", "names", "never", "night", "other", "paper", "parts",
        "phone", "place", "plans", "point", "posts", "price", "prior", "quite", "quote", "ready", "rather", "right",
        "river", "road", "rooms", "same", "seems", "sends", "share", "short", "since", "looked", "liked", "coming",
        "group", "groups",
        "isolation", "reach", "shape", "readers", "seating", "conduit", "alteration", "alterations", "yesterday",
        "tomorrow", "elevation", "elevations", "leasing", "locate", "shell", "discussed", "rattles", "asked",
        "talked", "parked", "backed", "sizes", "small", "sorry",
        "south", "space", "start", "still", "stone", "story", "style", "suite", "taken", "thank", "thanks", "their",
        "there", "these", "thing", "think", "third", "those", "three", "times", "today", "total", "tower", "under",
        "until", "upper", "using", "value", "visit", "water", "weeks", "where", "which", "while", "white", "whole",
        "width", "within", "would", "write", "years", "young", "yours", "stage", "store", "stories", "north", "sunny",
        "state", "class", "court", "clear", "stains", "stars", "trains", "finish", "filling", "lining", "living",
        "moving", "please", "ladder", "latter", "letter", "matter", "better", "butter", "winter", "master", "weather",
        "whether", "father", "floors", "closet", "school", "planning", "planned", "running", "strong", "street",
        "steps", "staff", "string", "spring", "sport", "shops", "shower", "hopper", "copper", "center", "centre",
        "corner", "garden", "garage", "gather", "happen", "number", "public", "second", "shared", "single", "stairs",
        "toward", "vacant", "violation", "approved", "balance", "between", "because", "brother", "careful", "chicago",
        "contact", "current", "customer", "different", "district", "during", "either", "enough", "entire", "existing",
        "exterior", "interior", "general", "instead", "kindly", "located", "location", "natural", "nothing", "office",
        "options", "order", "original", "outlets", "owner", "person", "possible", "present", "previous", "problem",
        "property", "provided", "purpose", "quickly", "quotes", "really", "reason", "recent", "regards", "report",
        "request", "required", "result", "sample", "section", "service", "several", "should", "similar", "simple",
        "something", "support", "system", "thought", "through", "together", "towards", "trading", "twelve", "various",
        "version", "weekend", "without", "working", "metre", "metres", "meter", "meters", "square", "squares",
        "linear", "lineal", "cubic", "yards", "gallon", "gallons", "litre", "litres", "liter", "liters", "inches",
        "expansion", "storey", "storeys", "hours", "months", "pounds", "euros", "dollars", "couple", "dozen",
        "twice", "weekly",
        "monthly", "fortnightly", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
        "hundred", "thousand", "seven", "eight", "eleven", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
        "eighteen", "nineteen", "roughly", "approx", "coats",
    ]
)  # fmt: skip


@record(frozen=True, slots=True)
class Word:
    """A lemma of the clause; ``weight`` is less for words that only say where the work is."""

    lemma: str
    start: int
    end: int
    weight: float = 1.0
    plural: bool = False


@record(frozen=True, slots=True)
class Match:
    """A task with how well the words ask for it. ``words`` are the lemmas that did; ``verb`` is the task's action
    used."""

    task: Task
    score: float
    words: frozenset[str]
    verb: str
    #: The action asked for is one the task has, or one that may stand in for it.
    verb_fits: bool
    remark: str = ""
    #: Whether the words name this very task, or it is the default for an unqualified noun.
    exact: bool = True
    #: The words qualify another thing that follows them ("dryer" in "dryer vent").
    qualifies: bool = False

    @property
    def things(self) -> frozenset[str]:
        """The words of the name that are no verbs."""
        return frozenset(word for word in self.words if not action_of(word))


@dataclass(frozen=True, slots=True)
class _Name:
    task_id: str
    lemmas: frozenset[str]
    actions: frozenset[str]
    #: The name was cut short to its last word(s): it asks for the task only where nothing longer does.
    shortened: bool
    #: The figures among its words, which only count where the words weigh enough.
    numbers: tuple[str, ...] = ()
    #: Two words or more that name no other task and hold no general verb: naming it asks for it ("asphalt overlay").
    asks: bool = False


@record(frozen=True, slots=True)
class _Asked:
    """What one clause asks for, beside the words that a name matched. ``weighed`` has every lemma of the clause with
    its weight times its rarity."""

    weighed: Mapping[str, float]
    actions: tuple[str, ...]
    trade: frozenset[str]
    measured: Dimension | None
    around: frozenset[str]


# Bounded: requests bring words without end.
@lru_cache(maxsize=16384)
def lemma(word: str) -> str:
    """Singular, in one of the spellings that US and UK writers share; an action's forms become the action."""
    word = SPELLINGS.get(word, word)
    if word.endswith(("'s", "’s")) and len(word) > 3:
        word = word[:-2]
    if word in _FAULTS:
        return _FAULTS[word]
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _SHORTHAND:
        return _SHORTHAND[word]
    action = action_of(word)
    if action and action not in GENERAL_ACTIONS:
        return action
    single = word
    if len(word) > 4 and word.endswith("ies"):
        single = word[:-3] + "y"
    elif len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        single = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        single = word[:-1]
    single = SPELLINGS.get(single, single)
    return _IRREGULAR.get(single, single)


def _is_help(tokens: Sequence[Token], position: int) -> bool:
    """ "Need a hand with 3 cameras", not "a hand dryer"."""
    following = text_at(tokens, position + 1)
    return text_at(tokens, position - 1) == "a" and (
        following in {"", "with", "w", "to", "here", "on", "/", ",", "."} or following.endswith("ing")
    )


def _is_home(tokens: Sequence[Token], position: int) -> bool:
    """ "A price on two units in Coburg": where the work is."""
    return any(lemma(text_at(tokens, at)) in _HOMES for at in range(position + 1, position + 4))


def _needs_a_thing(tokens: Sequence[Token], position: int, vocabulary: frozenset[str]) -> bool:
    """ "Needs a new roof", "needs insulation", not "needs staining", "needs repair"."""
    behind = [token for token in tokens[position + 1 : position + 5] if token.kind is Kind.WORD]
    to_do = bool(behind) and behind[0].text == "to"
    behind = list(itertools.dropwhile(lambda token: token.text in _STOP_WORDS, behind))
    return bool(behind) and not to_do and not action_of(behind[0].text) and lemma(behind[0].text) in vocabulary


def _is_where(words: Sequence[Word], vocabulary: frozenset[str]) -> bool:
    """Whether words name a structure, or a room and nothing else that the trades know."""
    known = {word.lemma for word in words if word.lemma in vocabulary} - {"master"}
    return not STRUCTURES.isdisjoint(known) or (bool(known) and known <= ROOMS)


def _is_can(tokens: Sequence[Token], position: int) -> bool:
    """A can light is a thing."""
    return tokens[position].text == "can" and text_at(tokens, position + 1) in {"light", "lights", "lighting"}


@lru_cache(maxsize=8192)
def lemmas_of(text: str) -> tuple[str, ...]:
    """The lemmas of a catalogue name, without stop words and general actions."""
    tokens = [token for token in tokenize(text) if token.kind in {Kind.WORD, Kind.NUMBER}]
    return tuple(
        lemma(token.text)
        for position, token in enumerate(tokens)
        if (token.text not in _STOP_WORDS or _is_can(tokens, position)) and _tells(token.text)
    )


def _tells(word: str) -> bool:
    """Whether a word tells tasks apart: a fault ("leaking tap") does, a general verb does not."""
    return word in _FAULTS or word == "construction" or action_of(word) not in GENERAL_ACTIONS


@dataclass(frozen=True, slots=True)
class _Known:
    """A task with what a match asks of it: its actions, every lemma of its names, its trade's lemmas, its unit's
    dimension."""

    task: Task
    actions: frozenset[str]
    described: frozenset[str]
    trade: frozenset[str]
    dimension: Dimension

    @classmethod
    def of(cls, task: Task) -> _Known:
        described = frozenset(word for name in (*task.names, task.name) for word in lemmas_of(name))
        trade = frozenset(lemmas_of(task.trade))
        return cls(task, _task_actions(task), described, trade, dimension(task.unit))


def _opposites(catalogue: Catalogue) -> Mapping[str, Sequence[tuple[re.Pattern[str], Task]]]:
    """For each task that another is the opposite of, as its names tell: how a text denies what it is, and the other.

    "Non load bearing wall" is the opposite of "load bearing wall".
    """
    works = [task for task in catalogue.tasks.values() if not task.of]
    named = {(task.trade, name.replace("-", " ")): task for task in works for name in task.names}
    found: defaultdict[str, list[tuple[re.Pattern[str], Task]]] = defaultdict(list)
    for (trade, name), other in named.items():
        task = named.get((trade, name.removeprefix("non ")))
        if task is None or task is other:
            continue
        quality = name.removeprefix("non ").rpartition(" ")[0].replace(" ", "[ -]?")
        denies = rf"\b(?:not|non|no|isn['’]?t|aren['’]?t)[ -](?:an? )?{quality}\b"
        found[task.task_id].append((re.compile(denies, re.IGNORECASE), other))
    return found


class TaskIndex:
    """The catalogue's names, inverted. Built once per catalogue, read-only afterwards."""

    def __init__(
        self, catalogue: Catalogue, names: Mapping[str, Sequence[_Name]], frequency: Mapping[str, int]
    ) -> None:
        self.catalogue = catalogue
        self._names = names
        self._total = 1 + len(catalogue.tasks)
        self._rarities = {word: 1.0 + math.log(self._total / (1 + count)) for word, count in frequency.items()}
        self._rarest = 1.0 + math.log(self._total)
        self.vocabulary = frozenset(frequency)
        self._tasks = {task.task_id: _Known.of(task) for task in catalogue.tasks.values()}
        self._forms: defaultdict[str, list[Task]] = defaultdict(list)
        self._of_trade: defaultdict[str, list[Task]] = defaultdict(list)
        for task in catalogue.tasks.values():
            self._of_trade[task.trade].append(task)
            if task.of:
                self._forms[task.of].append(task)
        self._opposites = _opposites(catalogue)
        by_initial: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(self.vocabulary.union(_IRREGULAR, verb_forms())):
            if len(word) >= _MIN_REPAIR_LENGTH:
                by_initial[word[0]].append(word)
        self._by_initial = dict(by_initial)
        enough = len(self.vocabulary) >= _FEWEST_WORDS
        self._readers: tuple[Chooser, Encoder] | None = (chooser(), encoder()) if enough else None
        self._synonyms = _synonyms(self.vocabulary)
        # Most words are everyday ones that come again.
        self._repaired = lru_cache(maxsize=8192)(self._repaired_anew)

    @classmethod
    def build(cls, catalogue: Catalogue) -> TaskIndex:
        """Index every name of every work under its rarest word."""
        entries = [entry for task in catalogue.tasks.values() if not task.of for entry in _entries(task)]
        frequency = Counter(word for entry in entries if not entry.shortened for word in entry.lemmas)
        shared = Counter(entry.lemmas for entry in entries)
        entries = [
            replace(entry, asks=len(entry.lemmas) > 1 and shared[entry.lemmas] == 1 and not entry.actions)
            for entry in entries
        ]
        names: defaultdict[str, list[_Name]] = defaultdict(list)
        for entry in entries:
            names[min(entry.lemmas, key=lambda word: (frequency[word], word))].append(entry)
        return cls(catalogue, names, frequency)

    def knows(self, word: str) -> bool:
        """Whether a lemma stands in any task's name."""
        return word in self.vocabulary

    def described(self, task: Task) -> frozenset[str]:
        """Every lemma of the task's names."""
        return self._tasks[task.task_id].described

    def forms(self, task: Task) -> Sequence[Task]:
        """The forms of a task's work that are priced for themselves: in other units, of some kind."""
        return self._forms.get(task.task_id, ())

    def of_trade(self, trade: str) -> Sequence[Task]:
        """The tasks of a trade, in the catalogue's order."""
        return self._of_trade.get(trade, ())

    def opposite(self, task: Task, said: str) -> Task | None:
        """The task for what a text says that it is not ("not load bearing"), if a name of that begins with "non"."""
        opposites = self._opposites.get(task.task_id, ())
        return next((other for denies, other in opposites if denies.search(said)), None)

    def words(self, tokens: Iterable[Token], *, measured: frozenset[int] = frozenset()) -> tuple[Word, ...]:
        """The clause's lemmas with repaired spelling; words after a preposition of place weigh less.

        ``measured`` holds the start positions of tokens inside figures, which are no words.
        """
        things = False
        found: list[Word] = []
        weight = 1.0
        between = False
        tokens = tuple(tokens)
        lines = bool(tokens) and tokens[0].text in _LINES
        if tokens and next((token.text for token in tokens if token.kind is Kind.WORD), "") in _WHERE:
            weight = _LOCATIVE_WEIGHT
        led = weight < 1
        gone = False
        instead = any(token.text in {"instead", "same"} for token in tokens)
        for position, token in enumerate(tokens):
            if token.start in measured or (token.text == "em" and text_at(tokens, position + 1) not in _EMERGENCY):
                continue
            if position == 1 and token.kind is Kind.NUMBER and tokens[0].text == "(" and text_at(tokens, 2) == ")":
                continue  # the mark of a list
            if token.kind is Kind.SYMBOL:
                weight = 1.0 if token.text in ",;()" else weight
                continue
            if moves_in(tokens, position) or (token.text in _UNITS and text_at(tokens, position - 1) == "in"):
                continue  # "before we move in", "all in metres"
            if token.text in _SEASONS and text_at(tokens, position - 1) in _OF_A_TIME:
                continue
            if token.text == "hand" and _is_help(tokens, position):
                continue
            if token.text in _TURNS:
                if (
                    token.text in _STOREYS
                    and text_at(tokens, position - 1) == "-"
                    and position > 1
                    and (tokens[position - 2].kind is Kind.NUMBER)
                ):
                    continue
                if token.text in {"instead", "lieu"}:
                    # "Vinyl instead of wood": what it is taken in place of.
                    weight = _LOCATIVE_WEIGHT
                    continue
                if instead and token.text in {"in", "with", "using", "for"}:
                    continue
                if token.text in {"to", "for"} and action_of(text_at(tokens, position + 1)):
                    # "A price to build a deck", "for laying a floor": a verb, and no place.
                    weight = 1.0
                    continue
                if token.text == "for" and text_at(tokens, position - 1) in _PRICES:
                    continue
                if token.text == "on" and text_at(tokens, position - 1) in _PRICES and not _is_home(tokens, position):
                    continue
                if token.text in {"from", "next"} or (
                    token.text in _LOCATIVES and any(word.lemma in self.vocabulary for word in found[-3:])
                ):
                    weight = _LOCATIVE_WEIGHT
                    continue
                if token.text in {"and", "with", "using"} and (things or token.text != "with"):
                    weight = 1.0 if token.text == "and" and not between else _LOCATIVE_WEIGHT
                    between = False
                if token.text == "range" and text_at(tokens, position - 1) in {"mid", "high", "low", "price", "-"}:
                    continue
                if token.text in _MEASURED_OF and text_at(tokens, position + 1) in {
                    "area",
                    "space",
                    "plan",
                    "size",
                    "height",
                }:
                    continue
                if token.text == "lot" and text_at(tokens, position - 1) in {"the", "whole"}:
                    continue
                if token.text in {"floor", "floors", "flr", "fl"} and text_at(tokens, position - 1) in _ORDINALS:
                    continue
                if token.text == "between":
                    weight, between = _LOCATIVE_WEIGHT, True
                    continue
                if token.text in {"a", "an", "new"} and found and led:
                    weight, led = 1.0, False
                if led and text_at(tokens, position - 1) in _WE and token.text in _WISHES:
                    weight, led = 1.0, False  # "Along the back I want three raised beds"
                if (
                    token.text in _NEED
                    and found
                    and found[0].weight == 1.0  # said once of all before
                    and _is_where(found, self.vocabulary)
                    and _needs_a_thing(tokens, position, self.vocabulary)
                ):
                    found = [replace(word, weight=min(word.weight, _LOCATIVE_WEIGHT)) for word in found]
                if token.text in _STOP_WORDS and not _is_can(tokens, position):
                    continue
            if token.text in {"replace", "replacing"} and text_at(tokens, position - 1) != "and" and things:
                # "A new panel to replace the old one": the words after it are what goes.
                gone = any(word.lemma in self.vocabulary for word in found)
                weight = _LOCATIVE_WEIGHT if gone else 1.0
            elif action_of(token.text) not in {"", "install"}:
                weight = 1.0
            word = self._known(lemma(token.text))
            if word == "bath" and (token.text == "baths" or text_at(tokens, position - 1) in _BATH_ROOM):
                word = "bathroom"
            plural = token.text.endswith("s") and not word.endswith("s")
            # "Upgrade to 200 amps": a rating after "to" says what, not where.
            told = 1.0 if token.kind is Kind.NUMBER and not gone else weight
            if lines and (word in STRUCTURES or word == "car"):
                told = _LOCATIVE_WEIGHT  # "drywall a 2 car garage"
            found.append(Word(word, token.start, token.end, told, plural))
            things |= not action_of(word)
        return tuple(found)

    def numbers(self, tokens: Iterable[Token], figures: Iterable[Quantity]) -> tuple[Word, ...]:
        """The words of counts and measures, for names that hold them: "2 bed flat", "10 yard skip"."""
        spans = [figure.span for figure in figures if figure.role in {Role.COUNT, Role.LENGTH}]
        counted = {position for span in spans for position in range(span.start, span.end)}
        return tuple(
            [
                Word(lemma(token.text), -1, -1, _NUMBER_WEIGHT)
                for token in (tokens if counted else ())
                if token.start in counted and lemma(token.text) in self.vocabulary
            ]
        )

    def _known(self, word: str) -> str:
        """The catalogue's own word for a synonym that it does not use itself."""
        return word if word in self.vocabulary else self._synonyms.get(word, word)

    def repaired(self, word: str) -> str:
        """The trade word nearest to an unknown one of five letters or more, within one edit (two from nine letters)."""
        # Nor is a longer one kept: words without end would fill the memory.
        return self._repaired(word) if _MIN_REPAIR_LENGTH <= len(word) <= _MAX_REPAIR_LENGTH else word

    def _repaired_anew(self, word: str) -> str:
        if (
            not word.isascii()
            or word in _COMMON_WORDS
            or action_of(word)
            or word in _IRREGULAR
            or word in _SHORTHAND
            or word in self.catalogue.everyday_words
            or lemma(word) in self.vocabulary
            or lemma(word) in self._synonyms
        ):
            return word
        allowed = 2 if len(word) >= 9 else 1
        near = process.extractOne(
            word, self._by_initial.get(word[0], ()), scorer=DamerauLevenshtein.distance, score_cutoff=allowed
        )
        return word if near is None else str(near[0])

    def match(
        self, words: Sequence[Word], actions: Sequence[str], *, industry: str = "", measured: Dimension | None = None,
        around: frozenset[str] = frozenset(), resting_on: frozenset[str] | None = None,
    ) -> tuple[Match, ...]:  # fmt: skip
        """Tasks that the clause may ask for, best first.

        ``actions`` are the clause's canonical actions (empty: none was written); ``measured`` is the dimension of the
        clause's figures, which ranks a task of that dimension before one of another; ``around`` are the trades of the
        work asked for just before. ``resting_on``: only tasks whose best name has one of these words, None for all.
        """
        weights: dict[str, float] = {}
        for word in words:
            weights[word.lemma] = max(word.weight, weights.get(word.lemma, 0.0))
        told = frozenset(weights)
        weighed = {word: weight * self._rarity(word) for word, weight in weights.items()}
        qualified = self._qualified(words)
        places = {word.lemma: word.start for word in words} if qualified else {}
        best: dict[str, tuple[float, _Name]] = {}
        qualifying: set[str] = set()
        for key in weights:
            for name in self._names.get(key, ()):
                if not name.lemmas <= told:
                    continue
                if name.numbers and any(weights[word] < _NUMBER_WEIGHT for word in name.numbers):
                    continue
                score = math.fsum([weighed[word] for word in name.lemmas])
                score *= 0.8 if name.shortened else 1.0
                qualifies = False
                if qualified and not qualified.keys().isdisjoint(name.lemmas):
                    last = max(name.lemmas, key=lambda word: (places[word], word))
                    qualifies = last in qualified and qualified[last] not in name.lemmas
                score *= _QUALIFIER_SHARE if qualifies else 1.0
                if score > best.get(name.task_id, (0.0, name))[0]:
                    best[name.task_id] = (score, name)
                    (qualifying.add if qualifies else qualifying.discard)(name.task_id)
        if not best:
            return ()
        asked = _Asked(weighed, tuple(actions), frozenset(lemmas_of(industry)), measured, around)
        matches = [
            self._match(score, name, asked, name.task_id in qualifying)
            for score, name in best.values()
            if resting_on is None or not resting_on.isdisjoint(name.lemmas)
        ]
        matches.sort(key=lambda match: (not match.verb_fits, -match.score, match.task.task_id))
        return tuple(matches)

    def meant(self, text: str, clauses: Sequence[tuple[int, int]]) -> Meaning | None:
        """What the clauses of a request, given by where they start and end, mean by what was learned; None where the
        catalogue has too few words for it."""
        if self._readers is None:
            return None
        of_clauses, of_the_whole = self._readers
        meaning = of_clauses.meant([text[start:end] for start, end in clauses])
        meaning = meaning.with_reading(of_the_whole.read(text, clauses))
        return meaning if _PAPERS.search(folded(text)) else meaning.without("permits")

    def does(self, task_id: str, actions: frozenset[str]) -> bool:
        """Whether one of the actions, or what may stand in for it, is done by a task; `NONE` does nothing."""
        known = self._tasks.get(task_id)
        done = {verb for action in actions for verb in (action, *(verb for verb, _ in STAND_INS.get(action, ())))}
        return known is not None and not known.actions.isdisjoint(done)

    def chosen(
        self, task_id: str, words: frozenset[str], actions: Sequence[str], *, stated: bool, sure: bool,
        measured: Dimension | None,
    ) -> Match | None:  # fmt: skip
        """The match of a task that was learned to be meant, for these lemmas. None where its dimension is not
        ``measured`` or its verbs are none of ``actions``, unless that is ``sure``, or these only came from before (not
        ``stated``) or tell more than a general verb does ("grind the terrazzo")."""
        known = self._tasks[task_id]
        if measured is not None and known.dimension is not measured and not sure:
            return None
        name = _Name(task_id, frozenset(), frozenset(), shortened=True, asks=True)
        verb, fits, remark = _fit(known.actions, actions, name)
        if not fits and (sure or not stated or GENERAL_ACTIONS.isdisjoint(actions)):
            verb, fits, remark = _fit(known.actions, (), name)
        return Match(known.task, _CHOSEN_SCORE, words, verb, True, remark) if fits or sure else None

    def _match(self, score: float, name: _Name, asked: _Asked, qualifies: bool) -> Match:
        known, actions = self._tasks[name.task_id], asked.actions
        verb, fits, remark = _fit(known.actions, actions, name)
        told = known.described.intersection(asked.weighed)
        if more := told - name.lemmas:
            score += 0.4 * math.fsum([asked.weighed[word] for word in more])
        if known.task.default:
            score += 0.6
        if not asked.trade.isdisjoint(known.trade):
            score += 0.8
        if verb in actions:
            score += 0.7
        elif not name.lemmas.isdisjoint(actions):
            # "Chimney needs tuckpointing": a task named after the action comes before one whose verb only stands in.
            score += 2.0
        if known.task.trade in asked.around:
            score += AROUND
        if not actions:
            if verb in PUTS_IN:
                score += 0.7
            elif verb == "paint" and verb not in name.lemmas:
                score -= 0.7
        if asked.measured is not None:
            score += 1.5 if known.dimension is asked.measured else -1.0
        # Capped, so that a task is not passed over because it is known by many names.
        score -= min(0.4, 0.02 * (len(known.described) - len(told)))
        return Match(known.task, score, name.lemmas, verb, fits, remark, not name.shortened, qualifies)

    def _qualified(self, words: Sequence[Word]) -> dict[str, str]:
        """Known things by the thing that stands right before them and only qualifies them."""
        return {
            first.lemma: second.lemma
            for first, second in itertools.pairwise(words)
            if second.start - first.end == 1
            and first.weight == second.weight == 1.0
            and not action_of(second.lemma)
            and second.lemma in self.vocabulary
            and second.lemma not in ROOMS
        }

    def _rarity(self, word: str) -> float:
        return self._rarities.get(word, self._rarest)


#: The score of a task that no name gave.
_CHOSEN_SCORE = 3.0


#: Words too broad to name a task by themselves: "room addition" and "electrical service" keep all of theirs.
_BROAD = ROOMS | {"electrical", "plumbing", "house", "home", "building", "line"}


def _entries(task: Task) -> Iterable[_Name]:
    seen: set[frozenset[str]] = set()
    for text in (*task.names, task.name):
        words = lemmas_of(text)
        actions = frozenset(filter(None, (action_of(token.text) for token in tokenize(text))))
        if not words or all(word.isdigit() or word in _BROAD for word in words):
            kinds = {Kind.WORD, Kind.NUMBER}
            words = tuple(lemma(token.text) for token in tokenize(text) if token.kind in kinds)
            if all(action_of(word) in {"remove", "replace", "install"} for word in words):
                continue
        if words and frozenset(words) not in seen:
            seen.add(frozenset(words))
            numbers = tuple(word for word in words if word.isdigit())
            shortened = text == task.name and text not in task.names
            yield _Name(task.task_id, frozenset(words), actions, shortened, numbers)


#: Taking out, moving and mending are never taken for granted: without a verb a task of only these is not priced.
_UNASKED = frozenset({"remove", "repair", "move", "resurface"})


def _synonyms(vocabulary: frozenset[str]) -> dict[str, str]:
    """Unused synonym → the word of its group that the catalogue uses."""
    found: dict[str, str] = {}
    for group in SYNONYM_GROUPS:
        used = next((lemma(word) for word in group if lemma(word) in vocabulary), "")
        found |= {lemma(word): used for word in group if used and lemma(word) not in vocabulary}
    return found


def _task_actions(task: Task) -> frozenset[str]:
    return frozenset(action_of(verb.split()[0]) or lemma(verb.split()[0]) for verb in task.verbs if verb)


@cache
def _usual(have: frozenset[str]) -> str:
    """The action under which a task with these is meant where no words say one."""
    preferred = ("install", "replace", "paint", "clean", "repair", "service", "remove")
    return next((verb for verb in (*preferred, *sorted(have)) if verb in have), "")


def _fit(have: frozenset[str], asked: Sequence[str], name: _Name) -> tuple[str, bool, str]:
    """The task's action that answers what was asked, whether it may be priced as such, and a remark for the line."""
    if not asked:
        named = name.actions & have
        return (
            min(named) if named else _usual(have),
            not have <= _UNASKED or (name.asks and "move" not in have),
            "",
        )
    for action in asked:
        if action in have:
            return action, True, ""
    for action in asked:
        for other, remark in STAND_INS.get(action, ()):
            # Sealing a splashback is no new splashback: only a task that is named after it seals.
            if other in have and not (action == "seal" and other == "install" and action not in name.lemmas):
                return other, True, remark
    if not have:
        return asked[0], True, ""
    return asked[0], False, ""
