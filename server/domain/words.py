"""Words of requests and queries: folding, tokens, stems, and the spellings and synonyms that the trades use.

One place, so that a catalogue name, a work request and a price query are always cut the same way.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?")

#: British (and common misread) spellings → the one spelling that is indexed.
SPELLINGS: dict[str, str] = {
    "aluminium": "aluminum",
    "armour": "armor",
    "calibre": "caliber",
    "centre": "center",
    "colour": "color",
    "coloured": "colored",
    "draught": "draft",
    "drywalling": "drywall",
    "fibre": "fiber",
    "fibreglass": "fiberglass",
    "fulfil": "fulfill",
    "gray": "grey",
    "grille": "grill",
    "kerb": "curb",
    "labour": "labor",
    "litre": "liter",
    "metre": "meter",
    "mould": "mold",
    "moulding": "molding",
    "neighbour": "neighbor",
    "organise": "organize",
    "plough": "plow",
    "sceptic": "septic",
    "sheetrocking": "sheetrock",
    "storey": "story",
    "sulphur": "sulfur",
    "tonne": "ton",
    "tyre": "tire",
    "vapour": "vapor",
}

#: Words that mean the same thing to a customer; a query for one also finds the others, a little lower.
SYNONYM_GROUPS: tuple[tuple[str, ...], ...] = (
    ("faucet", "tap"),
    ("baseboard", "skirting"),
    ("gutter", "guttering", "eavestrough"),
    ("downspout", "downpipe"),
    ("drywall", "plasterboard", "sheetrock", "gypsum"),
    ("attic", "loft"),
    ("toilet", "loo", "wc", "commode"),
    ("countertop", "worktop"),
    ("outlet", "socket", "receptacle"),
    ("sidewalk", "pavement", "footpath"),
    ("asphalt", "tarmac", "blacktop"),
    ("stucco", "render"),
    ("sod", "turf"),
    ("yard", "garden"),
    ("trash", "rubbish", "garbage", "junk"),
    ("dumpster", "skip"),
    ("mover", "removal"),
    ("furnace", "boiler"),
    ("elevator", "lift"),
    ("closet", "wardrobe"),
    ("lumber", "timber"),
    ("siding", "cladding"),
    ("molding", "coving", "cornice"),
    ("wallpaper", "wallcovering"),
    ("cooktop", "hob"),
    ("apartment", "flat"),
    ("shade", "blind"),
    ("repointing", "tuckpointing"),
    ("spigot", "bib"),
    ("breaker", "mcb"),
    ("lawn", "grass"),
    ("heater", "cylinder"),
    ("paver", "slab"),
)

_stemmer = snowballstemmer.stemmer("english")


def fold(text: str) -> str:
    """Lower case without accents or typographic apostrophes; lengths may change, so folded text carries no spans."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


def tokens(text: str) -> list[str]:
    """The words and numbers of ``text`` in order, folded: ``"Re-paint 2 Doors"`` → ``re paint 2 doors``."""
    return _TOKEN.findall(fold(text))


@lru_cache(maxsize=65536)
def stem(token: str) -> str:
    """The stem (Porter 2) of one folded token, after British spellings are made one with American ones."""
    singular = token[:-1] if token.endswith("s") and token[:-1] in SPELLINGS else token
    return str(_stemmer.stemWord(SPELLINGS.get(singular, token)))


def stems(text: str) -> list[str]:
    """The stems of all tokens of ``text`` in order."""
    return [stem(token) for token in tokens(text)]
