"""Reads a price question: what is asked for, which action, in which unit, of which size.

The figures are found by the quantity grammar of drafting, so that "40 sheets of 12.5mm plasterboard" is cut here as it
is in a work request: a count of sheets, a size, and one word that names the thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rapidfuzz import fuzz, process

from server.domain.drafting.quantities import Quantity, Role, find_quantities
from server.domain.units import UNITS, Dimension
from server.domain.words import SYNONYM_GROUPS, fold, stem, tokens

#: Words of a price question, and of a permit's text, that say nothing about what is asked for.
_STOP_WORDS = """
a about along all also an and any approx approximately are around as at average be best both buy by can charge charges
cheap company companies contractor cost costs could do does each estimate everything existing following for from get
give going have how i if in including into is it its job just labor labour like local located location locations look
looking max me material materials much my near necessary need needed new no non not of off on one only onto or our out
per please pls price prices pricing purpose qty quantity quote quotes rate rates same scope should side sides
size sized so some specific structural supplied supply supplying that the their them there these this throughout to
total typical unit units until up us used using want we what whats when where which while with within work would you
your two three four five six seven eight nine ten twelve
"""
STOP = frozenset(_STOP_WORDS.split())
#: Words of an action → the catalogue's verbs for it: the one that is meant, then those that may stand in for it.
ACTIONS: dict[str, tuple[str, ...]] = {
    stem(word): tuple(verbs.split())
    for words, verbs in (
        (
            "install installed installing installation instal fit fitted fitting fix mount hang hung lay laid laying "
            "add added adding put erect run",
            "install build",
        ),
        ("build building construct pour", "build install"),
        ("replace replacing replaced replacement change swap renew upgrade redo refit", "replace install"),
        (
            "remove removing removed removal demolish strip tear rip haul dispose disposal demo demolition wreck",
            "remove",
        ),
        ("repair repairing repaired mend patch unblock leak leaking broken broke broken", "repair"),
        ("unclog clear clearing", "clean repair remove"),
        ("clean cleaning wash washing cleanup", "clean"),
        ("paint painting painted repaint repainting decorate stain staining", "paint"),
        ("refinish refinishing sand sanding resurface restore polish", "refinish"),
        ("service servicing maintain maintenance tuneup", "service"),
        ("inspect inspection survey certificate", "inspect"),
        ("move moving relocate relocating", "move"),
        ("rent rental hire hiring", "rent"),
        ("treat treatment", "treat"),
    )
    for word in words.split()
}
_UNIT_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), unit)
    for pattern, unit in (
        (r"\b(?:sq\.? ?ft|sqft|square f(?:oo|ee)t|sf)\b", "sqft"),
        (r"\b(?:sq\.? ?yds?|sqyd|square yards?)\b", "sqyd"),
        (r"\b(?:sq\.? ?m|sqm|m2|m²|square met(?:er|re)s?)\b", "m2"),
        (r"\b(?:linear f(?:oo|ee)t|lin\.? ft|lf|per f(?:oo|ee)t|per ft|a foot)\b", "ft"),
        (r"\b(?:per met(?:er|re)|linear met(?:er|re)s?|per m)\b", "m"),
        (r"\b(?:per hour|hourly|an hour|/ ?hr|/ ?h)\b", "h"),
        (r"\b(?:per day|day rate|daily)\b", "day"),
        (r"\b(?:cubic yards?|cu\.? ?yds?|yd3)\b", "cuyd"),
        (r"\b(?:cubic met(?:er|re)s?|cu\.? ?m|m3|m³)\b", "m3"),
        (r"\b(?:gallons?|per gal)\b", "gal"),
        (r"\b(?:litres?|liters?)\b", "l"),
        (r"\b(?:roofing squares?|per square)\b(?! (?:foot|feet|ft|met|yard))", "square"),
    )
)
_HALVES = (
    (re.compile(r"\bhalf(?: an| of an)?[ -]inch\b", re.IGNORECASE), "1/2 inch"),
    (re.compile(r"\bthree[ -]quarters?(?: of an)?[ -]inch\b", re.IGNORECASE), "3/4 inch"),
    (re.compile(r"\bquarter(?: of an)?[ -]inch\b", re.IGNORECASE), "1/4 inch"),
)
#: Nouns in which goods are packed: a price per area or length is not one per pack.
_PACK_WORDS = """
bag bags board boards box boxes bucket buckets bundle bundles can cans length lengths pack packs pallet pallets roll
rolls sheet sheets tin tins tub tubs
"""
PACKS = frozenset(_PACK_WORDS.split())
#: Counted things that are a size of the job: a two-bed flat, a crew of three, a two-story house.
_SIZING_NOUNS = {
    "bed": "bed",
    "bedroom": "bed",
    "mover": "crew",
    "man": "crew",
    "men": "crew",
    "person": "crew",
    "zone": "zone",
}
#: Weight of a word that says what is done with the thing or how it is packed.
_LIGHT = 0.25
_SIZE_TOLERANCE = Decimal("0.06")
_SPELLING_CUTOFF = 84
#: Words beyond this many are not read, and unknown ones beyond this many not repaired: an answer takes bounded time.
MOST_WORDS, MOST_REPAIRS = 80, 12
#: Longer words are none of a trade, and neither taken apart nor repaired.
LONGEST_WORD = 24


@dataclass(frozen=True, slots=True)
class Size:
    """One figure that says which thing is meant: ``measure`` is ``mm``, a rating's unit, or what is counted.

    ``figure`` is a size whose unit is left out. ``sure`` is False where the figure may as well be how much is wanted
    (12 m of guttering).
    """

    measure: str
    value: Decimal
    sure: bool = True

    def equals(self, other: Size) -> bool:
        """Whether two figures name the same size; nominal sizes differ a little (12.5, 12.7 and 13 mm boards)."""
        return abs(self.value - other.value) <= _SIZE_TOLERANCE * max(self.value, other.value)


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the question: its stem, what else it may stand for, and how much it counts."""

    root: str
    weight: float
    others: tuple[str, ...] = ()
    action: bool = False


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """A question as read. ``unit`` is the unit asked for or empty, ``pack`` the noun of a pack or empty."""

    terms: tuple[Term, ...]
    #: The actions asked for, and those that may stand in for them.
    verbs: frozenset[str]
    second_verbs: frozenset[str]
    unit: str
    #: The unit of a length that may as well be a size; it only chooses among units of length.
    length_unit: str
    sizes: tuple[Size, ...]
    pack: str
    #: Words read as others: ``(written, read)``.
    repaired: tuple[tuple[str, str], ...]


class Vocabulary:
    """The words of what can be found, and how a question's words are brought to them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.words = frozenset(word for text in texts for word in tokens(text))
        self.stems = frozenset(stem(word) for word in self.words)
        self._repairable = sorted(word for word in self.words if len(word) > 3)
        self._synonyms = _synonyms()

    def read(self, text: str) -> PriceQuery:
        """The question that ``text`` asks. Any text is one, if only an empty one."""
        text = with_fractions(text)
        quantities = find_quantities(text)
        rest = without_figures(text, quantities)
        unit, rest = _unit_asked(rest, quantities)
        pack = _pack(quantities)
        terms: list[Term] = []
        verbs: set[str] = set()
        second: set[str] = set()
        repaired: list[tuple[str, str]] = []
        where, unknown = False, 0
        for word in self._joined(tokens(rest)[:MOST_WORDS]):
            if word in STOP:
                where = word in {"in", "near"} or (where and word == "the")
                continue
            root = stem(word)
            if is_action(word):
                verbs.add(ACTIONS[root][0])
                second |= set(ACTIONS[root][1:])
                # The word of an action is also a word ("tree removal"), but a light one.
                terms.append(Term(root, _LIGHT, action=True))
                continue
            if unknown < MOST_REPAIRS and not self._knows(root):
                unknown += 1
                known = self._nearest(word)
                if known != word:
                    repaired.append((word, known))
                    root = stem(known)
            if self._knows(root):
                weight = _LIGHT if word == pack else 1.0
                terms.append(Term(root, weight, self._synonyms.get(root, ())))
                where = False
            elif not where:
                # A name that nothing here has after "in" is the place, else it is a thing that is not sold here.
                terms.append(Term(root, 1.0))
        unique = list({term.root: term for term in terms}.values())
        if unique and all(term.action for term in unique):
            unique = [Term(term.root, 1.0, term.others, action=True) for term in unique]
        return PriceQuery(
            tuple(unique),
            frozenset(verbs),
            frozenset(second - verbs),
            unit,
            next((one.unit for one in quantities if one.role is Role.LENGTH and not one.assumed_unit), ""),
            sizes_of(quantities),
            pack,
            tuple(repaired),
        )

    def _joined(self, words: Sequence[str]) -> list[str]:
        """Words with what is usually one word written as one (counter tops, dry wall), without bare numbers."""
        found: list[str] = []
        index = 0
        while index < len(words):
            word = words[index]
            pair = word + words[index + 1] if index + 1 < len(words) else ""
            if len(pair) > 5 and pair not in STOP and stem(pair) in self.stems and not word[0].isdigit():
                found.append(pair)
                index += 2
                continue
            if not word[0].isdigit() and len(word) > 1:
                found += self._split(word)
            index += 1
        return found

    def _split(self, word: str) -> list[str]:
        """A word that nothing here has, as the two words that it is made of where both are known."""
        if len(word) > LONGEST_WORD or self._knows(stem(word)) or word in STOP or is_action(word):
            return [word]
        for at in range(4, len(word) - 3):
            if stem(word[:at]) in self.stems and stem(word[at:]) in self.stems:
                return [word[:at], word[at:]]
        return [word]

    def _knows(self, root: str) -> bool:
        return root in self.stems or root in self._synonyms

    def _nearest(self, word: str) -> str:
        """``word``, or the known word that it misspells."""
        if not 4 <= len(word) <= LONGEST_WORD:
            return word
        near = process.extractOne(word, self._repairable, scorer=fuzz.ratio, score_cutoff=_SPELLING_CUTOFF)
        return str(near[0]) if near is not None else word


def is_action(word: str) -> bool:
    """Whether a word says what is to be done; one for who or what does it (a disposer) does not."""
    return stem(word) in ACTIONS and not word.endswith(("er", "ers"))


def with_fractions(text: str) -> str:
    """``text`` with spoken fractions of an inch as figures."""
    for pattern, figure in _HALVES:
        text = pattern.sub(figure, text)
    return text


def without_figures(text: str, quantities: Iterable[Quantity]) -> str:
    """``text`` with its figures and their units blanked; counts leave the thing that is counted."""
    letters = list(text)
    for quantity in quantities:
        letters[quantity.span.start : quantity.span.end] = " " * (quantity.span.end - quantity.span.start)
    return "".join(letters)


def sizes_of(quantities: Iterable[Quantity]) -> tuple[Size, ...]:
    """What the figures say about which thing is meant."""
    found = []
    for quantity in quantities:
        known = UNITS.get(quantity.unit)
        if quantity.role is Role.SIZE:
            # The bare figure too: "60x60" and "2x4" leave their unit to the trade.
            found.append(Size("figure", quantity.value))
        if quantity.assumed_unit:
            continue
        if quantity.role is Role.COUNT:
            noun = _SIZING_NOUNS.get(stem(quantity.noun)) or _SIZING_NOUNS.get(quantity.noun)
            if noun:
                found.append(Size(noun, quantity.value))
        elif quantity.role is Role.STOREYS:
            found.append(Size("storey", quantity.value))
        elif known is not None and known.dimension is Dimension.LENGTH:
            size = Size("mm", quantity.value * known.size * 1000, sure=quantity.role is Role.SIZE)
            found.append(size)
        elif quantity.role is Role.RATING:
            found.append(Size(quantity.unit, quantity.value))
    return tuple(dict.fromkeys(found))


def _pack(quantities: Iterable[Quantity]) -> str:
    return next((one.noun for one in quantities if one.role is Role.COUNT and one.noun in PACKS), "")


_ASKING_ROLES = (Role.AREA, Role.VOLUME, Role.MASS, Role.TIME)


def _unit_asked(text: str, quantities: Collection[Quantity]) -> tuple[str, str]:
    """The unit that the question asks for, and ``text`` without the words that say it."""
    folded = fold(text)
    for pattern, unit in _UNIT_WORDS:
        if pattern.search(folded):
            return unit, pattern.sub(" ", folded)
    for quantity in quantities:
        if quantity.role in _ASKING_ROLES and not quantity.assumed_unit and quantity.unit in UNITS:
            return quantity.unit, folded
    return "", folded


def _synonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for group in SYNONYM_GROUPS:
        roots = {stem(word) for word in group}
        for root in roots:
            found.setdefault(root, set()).update(roots - {root})
    return {root: tuple(sorted(others)) for root, others in found.items()}
