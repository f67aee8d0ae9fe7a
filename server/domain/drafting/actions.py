"""The trade's verbs: every way of asking for an action, folded onto one word each, and the nouns that follow them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

#: Canonical action → base verbs. Inflected forms and nominal forms ("installation") are derived below.
_VERBS: dict[str, str] = {
    "install": "install fit add build construct erect lay hang mount furnish supply provide fix-up put-in assemble pour"
    " make connect plumb-in wire-in set-up create board deliver fabricate form run place supply-and-fit plant",
    "replace": "replace become repour re-pour change swap renew exchange switch-out refit substitute reinstall"
    " re-roof reroof upgrade update re-cover",
    "remove": "remove demolish demo uplift strip dismantle wreck discard uninstall haul dispose detach"
    " extract gut scrap tear remv rmv",
    "repair": "repair fix mend patch restore rectify correct rebuild rehang reattach resecure"
    " stabilize make-good sort",
    "paint": "paint repaint decorate redecorate emulsion gloss",
    "stain": "stain varnish oil restain re-stain",
    "prime": "prime undercoat",
    "clean": "clean wash pressure-wash power-wash jet-wash hose degrease sanitize sanitise shampoo vacuum dust sweep"
    " scrub pressurewash powerwash",


    "service": "service maintain inspect ease adjust tune-up tune test diagnose survey assess bleed"
    " certify winterize"
    " winterise calibrate",
    "mow": "mow",
    "cut": "cut",
    "trim": "trim prune shape crown pollard lop",
    "fell": "fell",
    "grind": "grind",
    "tile": "tile retile",
    "plaster": "plaster replaster",
    "clear": "clear",
    "regrout": "regrout grout re-grout",
    "render": "render rerender re-render",
    "point": "point repoint tuckpoint retuckpoint tuck-point re-point",
    "insulate": "insulate lag reinsulate",
    "sand": "sand refinish resand",
    "seal": "seal reseal sealcoat waterproof caulk recaulk",
    "pave": "pave tarmac asphalt repave",
    "resurface": "resurface re-surface",
    "wire": "wire rewire",
    "move": "move relocate transport",
    "dig": "dig excavate trench",
    "wallpaper": "wallpaper paper repaper",
    "carpet": "recarpet",
    "roof": "shingle",
    "level": "level grade regrade",
    "design": "design draw",
    "print": "print",
    "edge": "edge",
    "weed": "weed",
    "fertilize": "fertilize fertilise aerate overseed reseed seed",
    "rent": "rent hire",
    "treat": "treat spray exterminate fumigate",
    "drain": "drain empty",
    "deliver": "deliver",
    "skim": "skim reskim re-skim",
    "gut": "gut",
    "snake": "snake",
    "rekey": "rekey re-key",
    "reset": "reset reseat",
    "flush": "flush",
    "unblock": "unblock unclog",
    "shovel": "shovel plow plough",
}  # fmt: skip
_NOMINAL = {
    "installation": "install", "installing": "install", "fitting": "install", "construction": "install",
    "erection": "install",
    "supply": "install", "replacement": "replace", "changeover": "replace", "renewal": "replace", "upgrade": "replace",
    "removal": "remove", "demolition": "remove", "gone": "remove", "clearance": "remove", "teardown": "remove",
    "tearoff": "remove", "repairs": "repair", "restoration": "repair", "maintenance": "service", "servicing": "service",
    "inspection": "service", "decorating": "paint", "decoration": "paint", "tuckpointing": "point",
    "repointing": "point",
    "pointing": "point", "refinishing": "sand", "insulation": "insulate", "relocation": "move", "rental": "rent",
    "alteration": "renovate", "alterations": "renovate",
    "renovation": "renovate", "renovations": "renovate", "rehab": "renovate", "rehabilitation": "renovate",
    "remodel": "renovate", "remodeling": "renovate", "remodelling": "renovate", "buildout": "renovate",
    "r/r": "replace", "rr": "replace", "repl": "replace", "inst": "install", "new": "install", "addition": "install",
    "unclogging": "unblock", "leaking": "repair", "leak": "repair", "broken": "repair", "blocked": "repair",
    "clogged": "repair",
    "damaged": "repair", "dripping": "repair", "leaks": "repair", "drips": "repair", "jammed": "repair",
    "stuck": "repair",
    "sticking": "repair", "loose": "repair", "wobbly": "repair", "rotted": "repair", "burst": "repair",
    "missing": "repair", "cracked": "repair", "faulty": "repair", "rotten": "repair",
    "rotting": "repair",
    "redo": "replace", "demo": "remove", "jetting": "clean", "excavation": "dig", "grading": "level",
    "resod": "install",
    "survey": "service", "tune-up": "service", "cutting": "cut", "reroofing": "replace",
    "sealcoating": "seal", "refix": "repair", "slipped": "repair", "rocks": "repair", "lifted": "remove",
}  # fmt: skip
#: What brings a thing to its place, as a new one or in place of another.
PUTS_IN = frozenset({"install", "replace"})
#: Orders of two words to take a thing away: "get rid of the blinds".
TAKES_AWAY = frozenset(
    [
        ("get", "rid"),
        ("getting", "rid"),
        ("dispose", "of"),
        *itertools.product(("take", "taking", "rip", "pull", "haul"), ("out", "down", "away")),
    ]
)
#: What is done to a thing that is there, and never to one that is brought.
TO_WHAT_IS_THERE = frozenset({"repair", "service", "clean", "remove", "move"})
#: Adjectives of a fault or of newness imply an action only where no verb says otherwise.
IMPLIED = frozenset(
    [
        "new", "leaking", "leak", "broken", "blocked", "clogged", "damaged", "dripping", "cracked", "faulty",
        "rotten", "rotting", "leaks", "drips", "jammed", "stuck", "sticking", "loose", "wobbly", "rotted", "burst",
        "missing", "slipped", "rocks",
    ]
)  # fmt: skip
#: What a verb asks for together with its particle.
_PHRASAL: dict[str, dict[str, str]] = {
    "put": {"in": "install", "up": "install", "down": "install"},
    "lay": {"down": "install"},
    "take": {"out": "remove", "up": "remove", "down": "remove", "away": "remove", "off": "remove"},
    "lift": {"up": "remove", "out": "remove"},
    "tear": {"out": "remove", "off": "remove", "down": "remove", "up": "remove"},
    "rip": {"out": "remove", "up": "remove", "off": "remove"},
    "pull": {"out": "remove", "up": "remove", "down": "remove", "off": "remove"},
    "haul": {"away": "remove", "off": "remove", "out": "remove"},
    "break": {"out": "remove", "up": "remove"},
    "hack": {"off": "remove", "out": "remove"},
    "strip": {"off": "remove", "out": "remove", "back": "remove"},
    "knock": {"down": "remove", "through": "remove", "out": "remove"},
    "get": {"rid": "remove"},
    "got": {"rid": "remove"},
    "dig": {"up": "remove", "out": "remove"},
    "cart": {"away": "remove", "off": "remove"},
    "come": {"off": "remove", "out": "remove", "down": "remove", "up": "remove"},
    "clear": {"out": "remove", "away": "remove"},
    "cut": {"down": "fell", "back": "trim", "out": "remove"},
    "pick": {"up": "remove"},
    "chop": {"down": "fell"},
    "trim": {"back": "trim"},
    "swap": {"out": "replace", "over": "replace"},
    "change": {"out": "replace", "over": "replace"},
    "sort": {"out": "repair"},
    "touch": {"up": "paint"},
    "hook": {"up": "install"},
}  # fmt: skip
_IRREGULAR_FORMS = {
    "put": ("putting", "puts"), "take": ("takes", "taking", "taken", "took"), "tear": ("tearing", "torn", "tears"),
    "rip": ("rips", "ripping", "ripped"), "break": ("breaking", "broken", "breaks", "broke"),
    "get": ("getting", "gotten"),
    "dig": ("digging", "dug"), "come": ("comes", "coming"), "cut": ("cutting", "cuts"), "strip": ("stripping",
    "stripped"),
    "chop": ("chopping", "chopped"), "trim": ("trimming", "trimmed"), "swap": ("swapping", "swapped"),
}  # fmt: skip
#: Verbs of two words, as the tokens that follow each other.
TWO_WORDS: dict[tuple[str, str], str] = {
    ("supply", "and"): "", ("done", "in"): "install", ("pressure", "wash"): "clean", ("pressure",
    "washing"): "clean", ("power", "wash"): "clean",
    ("power", "washing"): "clean", ("jet", "wash"): "clean", ("jet", "washing"): "clean", ("tuck", "pointing"): "point",
    ("tuck", "point"): "point",
    ("start", "up"): "service", ("re", "roof"): "replace", ("re", "roofing"): "replace", ("re", "point"): "point",
    ("re", "paint"): "paint", ("re", "tile"): "tile", ("re", "wire"): "wire", ("re", "felt"): "replace", ("re",
    "felted"): "replace",
    ("re", "plaster"): "plaster", ("re", "render"): "render", ("re", "stain"): "stain", ("re", "seal"): "seal",
    ("re", "key"): "rekey", ("re", "grout"): "regrout", ("re", "carpet"): "carpet", ("re", "paper"): "wallpaper",
} | {
    (form, particle): action
    for verb, particles in _PHRASAL.items()
    for form in (verb, verb + "ed", verb + "ing", verb + "s", *_IRREGULAR_FORMS.get(verb, ()))
    for particle, action in particles.items()
}  # fmt: skip
#: Particles that may stand behind the thing: "take the old fence down".
PARTICLES = frozenset({"down", "out", "up", "off", "away", "through", "back"})
#: Words between a verb and such a particle.
_REACH = 7


def phrasal_action(words: Sequence[str], position: int) -> tuple[str, int]:
    """The action of a verb and its particle, next to each other or around the thing, and where the particle stands.

    ``words`` are the clause's, in order; ("", -1) where no particle goes with the verb.
    """
    verb = words[position]
    if verb not in _SEPARABLE:
        return "", -1
    if is_adjective(words, position):
        return "", -1
    if verb == "come" and (words[position - 1 : position] or [""])[0] in _COMERS:
        return "", -1
    for after in range(position + 1, min(position + 1 + _REACH, len(words))):
        word = words[after]
        action = TWO_WORDS.get((verb, word))
        if action and verb == "come" and words[after + 1 : after + 2] and words[after + 1] in _COSTS:
            return "", -1
        if action:
            return action, after
        if word in _ENDS_REACH or (after > position + 1 and action_of(word) not in {"", "install"}):
            break
    return "", -1


#: Who comes out to look, and what comes out at a price: nothing is taken out.
_COMERS = frozenset({"someone", "somebody", "anyone", "anybody", "you", "u", "guy", "guys", "they", "tech", "person"})
_COSTS = frozenset({"too", "at", "cheaper", "more", "over", "under", "around", "about", "with"})


def is_adjective(words: Sequence[str], position: int) -> bool:
    """A verb hyphenated with its particle before a noun says what the thing is: "a pull-down faucet"; and how it hangs:
    "double hung"."""
    if words[position] == "hung" and position and words[position - 1 - (words[position - 1] == "-")] in _HANGS:
        return True
    following = words[position + 1 : position + 4]
    return (
        len(following) == _HYPHENATED
        and following[0] == "-"
        and following[1] in PARTICLES | {"in", "over"}
        and following[2].isalpha()
        and following[2] not in _ENDS_REACH
    )


_HANGS = frozenset({"single", "double", "triple", "side", "top", "bottom", "wall"})
#: A hyphen, the particle and the noun.
_HYPHENATED = 3
_SEPARABLE = frozenset(
    verb for verb, particle in TWO_WORDS if particle in PARTICLES or particle in {"in", "rid", "over"}
)
_ENDS_REACH = frozenset({"and", ",", "to", "of", "for", "with", "from", "on", "at", "then", ";", ".", "(", ")"})
#: Imperatives that open a new item even where no separator stands before them.
OPENERS = frozenset(
    ["install", "replace", "remove", "repair", "rebuild", "demolish", "repaint", "supply", "fit", "add", "paint"]
)


def _inflections(verb: str) -> tuple[str, ...]:
    stem = verb[:-1] if verb.endswith("e") else verb
    third = (
        verb[:-1] + "ies"
        if verb.endswith("y") and verb[-2] not in "aeo"
        else verb + ("es" if verb[-1] in "sxhz" else "s")
    )
    doubles = verb[-1] in "bgmnprt" and verb[-2] in "aeiou" and verb[-3:-2] not in tuple("aeiou")
    doubled = verb + verb[-1] if doubles else stem
    # "Striping" is not "strip": a verb of one syllable doubles its last letter always, a longer one may not.
    plain = (stem + "ing", stem + "ed") if not doubles or len(verb) > _ONE_SYLLABLE else ()
    return (verb, third, doubled + "ing", doubled + "ed", *plain)


#: Letters of the longest verbs of one syllable that double.
_ONE_SYLLABLE = 5


def _forms() -> dict[str, str]:
    forms = dict(_NOMINAL)
    for action, verbs in _VERBS.items():
        for verb in verbs.split():
            for form in _inflections(verb) if "-" not in verb else (verb,):
                forms.setdefault(form, action)
    forms |= {
        "hung": "install",
        "laid": "install",
        "built": "install",
        "torn": "remove",
        "rebuilt": "repair",
        "levelled": "level",
        "levelling": "level",
        "ground": "grind",
    }
    return {form: action for form, action in forms.items() if form not in _NOUNS_FIRST}


#: Forms that requests use as nouns or in other senses far more often than as verbs.
_NOUNS_FIRST = frozenset(
    [
        "ground", "grounds", "levels", "level", "grade", "seeds", "makes", "made", "make", "place", "places",
        "placing", "form", "forms", "points", "board", "boards", "boarding", "oil", "oils", "set", "check", "paper",
        "papers", "edge", "edges", "sort", "sorts", "crown", "shape", "run", "runs", "running", "connected", "gloss",
        "dust", "draw", "plant", "plants", "prime", "drawing", "drawings", "create", "cuts", "fits", "changes",
        "drain", "drains",
        "shingle", "shingles", "tile", "tiles", "carpet", "stain", "stains", "roof", "asphalt", "tarmac", "hose",
        "treated", "trench", "hire", "tears", "wires", "wire", "spray", "grout", "supplies", "rents", "rent", "empty",
        "trims", "detached", "building", "buildings", "print", "prints", "designs", "design", "orders", "pours",
        "tests", "papered", "insulation", "grade",
        "cleared", "draws", "fabricated", "strips", "rented", "empties",
    ]
)  # fmt: skip


#: What these ask for where they stand as verbs, before what they are done to ("gloss 9 doors", "board it").
BY_PLACE: dict[str, str] = {
    "gloss": "paint", "stain": "stain", "oil": "stain", "prime": "prime", "dust": "clean", "hose": "clean",
    "grout": "regrout", "drain": "drain", "spray": "treat", "level": "level", "grade": "level", "wire": "wire",
    "plant": "install", "shape": "trim", "paper": "wallpaper", "shingle": "roof", "roof": "roof",
    "asphalt": "pave", "tarmac": "pave", "trench": "dig", "fix": "repair", "check": "service", "test": "service",
    "empty": "drain", "weatherstrip": "install", "set": "install",
    "box": "install", "sheetrock": "install", "stripe": "install", "restripe": "install", "edge": "edge",
    "overhaul": "service", "wrap": "install", "sister": "repair", "swap": "replace",
}  # fmt: skip


#: The action of every form of a verb.
_ACTION_OF = _forms()


def verb_forms() -> tuple[str, ...]:
    """Every form that `action_of` knows, for spelling repair."""
    return tuple(sorted(_ACTION_OF))


def action_of(word: str) -> str:
    """The canonical action a word asks for, empty where it asks for none."""
    return _ACTION_OF.get(word, "")
