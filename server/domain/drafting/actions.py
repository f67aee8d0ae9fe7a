"""The trade's verbs: every way of asking for an action, folded onto one word each, and the nouns that follow them."""

from __future__ import annotations

from functools import cache

#: Canonical action → base verbs. Inflected forms and nominal forms ("installation") are derived below.
_VERBS: dict[str, str] = {
    "install": "install fit add build construct erect lay hang mount furnish supply provide fix-up put-in assemble pour"
    " make connect plumb-in wire-in set-up create board deliver fabricate form run place supply-and-fit plant",
    "replace": "replace change swap renew exchange switch-out refit substitute reinstall re-roof reroof"
    " upgrade update re-cover",
    "remove": "remove demolish demo strip dismantle wreck clear discard uninstall haul dispose detach"
    " extract gut scrap tear",
    "repair": "repair fix mend patch restore rectify correct rebuild reset rehang reattach unblock unclog resecure"
    " stabilize make-good sort",
    "paint": "paint repaint decorate redecorate emulsion gloss",
    "stain": "stain varnish oil",
    "prime": "prime undercoat",
    "clean": "clean wash pressure-wash power-wash jet-wash hose degrease sanitize sanitise shampoo vacuum dust sweep"
    " scrub pressurewash powerwash",
    "service": "service maintain inspect tune-up tune test diagnose survey assess bleed flush certify winterize"
    " winterise calibrate",
    "mow": "mow cut",
    "trim": "trim prune shape crown pollard lop",
    "fell": "fell",
    "grind": "grind",
    "tile": "tile retile",
    "plaster": "plaster skim replaster render rerender reskim",
    "point": "point repoint tuckpoint retuckpoint tuck-point re-point regrout grout",
    "insulate": "insulate lag reinsulate",
    "sand": "sand refinish resand",
    "seal": "seal reseal sealcoat waterproof caulk recaulk",
    "pave": "pave resurface tarmac asphalt repave",
    "wire": "wire rewire",
    "move": "move relocate transport",
    "dig": "dig excavate trench",
    "wallpaper": "wallpaper paper",
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
}  # fmt: skip
_NOMINAL = {
    "installation": "install", "installing": "install", "fitting": "install", "construction": "install",
    "erection": "install",
    "supply": "install", "replacement": "replace", "changeover": "replace", "renewal": "replace", "upgrade": "replace",
    "removal": "remove", "demolition": "remove", "disposal": "remove", "clearance": "remove", "teardown": "remove",
    "tearoff": "remove", "repairs": "repair", "restoration": "repair", "maintenance": "service", "servicing": "service",
    "inspection": "service", "decorating": "paint", "decoration": "paint", "tuckpointing": "point",
    "repointing": "point",
    "pointing": "point", "refinishing": "sand", "insulation": "insulate", "relocation": "move", "rental": "rent",
    "r/r": "replace", "rr": "replace", "repl": "replace", "inst": "install", "new": "install", "addition": "install",
    "unclogging": "repair", "leaking": "repair", "leak": "repair", "broken": "repair", "blocked": "repair",
    "clogged": "repair",
    "damaged": "repair", "dripping": "repair", "cracked": "repair", "faulty": "repair", "rotten": "repair",
    "rotting": "repair",
    "redo": "replace", "demo": "remove", "jetting": "clean", "excavation": "dig", "grading": "level",
    "resod": "install",
    "survey": "service", "tune-up": "service", "cutting": "mow",
}  # fmt: skip
#: Adjectives of a fault or of newness imply an action only where no verb says otherwise.
IMPLIED = frozenset(
    [
        "new", "leaking", "leak", "broken", "blocked", "clogged", "damaged", "dripping", "cracked", "faulty",
        "rotten", "rotting",
    ]
)  # fmt: skip
#: Verbs of two words, as the tokens that follow each other.
TWO_WORDS: dict[tuple[str, str], str] = {
    ("put", "in"): "install", ("put", "up"): "install", ("supply", "and"): "", ("take", "out"): "remove", ("take",
    "up"): "remove", ("lift", "up"): "remove",
    ("take", "down"): "remove", ("take", "away"): "remove", ("tear", "out"): "remove", ("tear", "off"): "remove",
    ("tear", "down"): "remove", ("rip", "out"): "remove", ("rip", "up"): "remove", ("pull", "out"): "remove",
    ("pull", "up"): "remove", ("haul", "away"): "remove", ("knock", "down"): "remove", ("knock", "through"): "remove",
    ("get", "rid"): "remove", ("cut", "down"): "fell", ("chop", "down"): "fell", ("swap", "out"): "replace",
    ("change", "out"): "replace", ("sort", "out"): "repair", ("touch", "up"): "paint", ("cut", "back"): "trim",
    ("cart", "away"): "remove", ("pressure", "wash"): "clean", ("pressure", "washing"): "clean", ("power",
    "wash"): "clean",
    ("power", "washing"): "clean", ("jet", "wash"): "clean", ("jet", "washing"): "clean", ("tuck", "pointing"): "point",
    ("tuck", "point"): "point", ("re", "roof"): "replace", ("re", "point"): "point", ("re", "paint"): "paint",
    ("re", "tile"): "tile", ("re", "wire"): "wire", ("re", "felt"): "replace", ("re", "plaster"): "plaster",
}  # fmt: skip
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
    doubled = (
        verb + verb[-1] if verb[-1] in "bgmnprt" and verb[-2] in "aeiou" and verb[-3:-2] not in tuple("aeiou") else stem
    )
    return (verb, third, doubled + "ing", doubled + "ed", stem + "ing", stem + "ed")


@cache
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
        "ground": "grind",
    }
    return {form: action for form, action in forms.items() if form not in _NOUNS_FIRST}


#: Forms that requests use as nouns or in other senses far more often than as verbs.
_NOUNS_FIRST = frozenset(
    [
        "ground", "grounds", "levels", "level", "grade", "seeds", "makes", "made", "make", "place", "places",
        "placing", "form", "forms", "points", "board", "boards", "boarding", "oil", "oils", "set", "check", "paper",
        "papers", "edge", "edges", "sort", "sorts", "crown", "shape", "run", "runs", "running", "connected", "gloss",
        "dust", "draw", "plant", "plants", "gut", "prime", "create", "cuts", "fits", "changes", "drain", "drains",
        "shingle", "shingles", "tile", "tiles", "carpet", "stain", "stains", "roof", "asphalt", "tarmac", "hose",
        "treated", "trench", "hire", "tears", "wires", "wire", "spray", "grout", "supplies", "rents", "rent", "empty",
        "trims", "print", "prints", "designs", "design", "orders", "pours", "tests", "papered", "insulation", "grade",
        "cleared", "draws", "fabricated",
    ]
)  # fmt: skip


def verb_forms() -> tuple[str, ...]:
    """Every form that `action_of` knows, for spelling repair."""
    return tuple(sorted(_forms()))


def action_of(word: str) -> str:
    """The canonical action a word asks for, empty where it asks for none."""
    return _forms().get(word, "")
