"""Search over everything that has a price: work and materials, best first.

A hand-made BM25 over stems, small enough to be read: about seven hundred documents need no database. Relevance comes
from words, then unit fit, the rank of the source and its nearness to the place decide between equals.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from server.domain.catalogue import Catalogue, Place, Product, Task
from server.domain.draft import Coverage
from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.pricing.options import PriceOption, country_of, customary_unit, product_option
from server.domain.settings import PricingSettings
from server.domain.units import dimension
from server.domain.words import SYNONYM_GROUPS, fold, stem, tokens

#: Words of a price question that say nothing about what is asked for.
_STOP_WORDS = """
a an and any are as at average be best buy by can charge charges cheap cost costs could do does each estimate for
from get give going have hire how i if in is it job labor labour local look looking me material materials much my
near need new of on one or our per please pls price prices pricing quote quotes rate rates should some sq square
supply that the their them there this to typical us want we what whats when where which with work would you your
"""
_STOP = frozenset(_STOP_WORDS.split())
#: Words that name an action → the catalogue's verbs for it.
_ACTIONS: dict[str, frozenset[str]] = {
    stem(word): frozenset(verbs.split())
    for words, verbs in (
        (
            "install installed installing installation fit fitted fitting fix mount hang lay laying add put",
            "install build",
        ),
        ("build building construct erect pour", "build install"),
        ("replace replacing replacement change swap renew upgrade redo", "replace install"),
        ("remove removing removal demolish strip tear rip haul dispose demo demolition", "remove"),
        ("repair repairing mend patch unblock leak leaking broken", "repair"),
        ("clean cleaning wash washing cleanup", "clean"),
        ("paint painting repaint decorate stain staining", "paint"),
        ("refinish refinishing sand sanding resurface restore polish", "refinish"),
        ("service servicing maintain maintenance tuneup", "service"),
        ("inspect inspection survey certificate", "inspect"),
        ("move moving relocate", "move"),
        ("rent rental", "rent"),
        ("treat treatment", "treat"),
    )
    for word in words.split()
}
_UNIT_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), unit)
    for pattern, unit in (
        (r"\b(?:sq\.? ?ft|sqft|square f(?:oo|ee)t|sf)\b", "sqft"),
        (r"\b(?:sq\.? ?m|sqm|m2|m²|square met(?:er|re)s?)\b", "m2"),
        (r"\b(?:linear f(?:oo|ee)t|lin\.? ft|lf|per f(?:oo|ee)t|per ft|a foot)\b", "ft"),
        (r"\b(?:per met(?:er|re)|linear met(?:er|re)s?|per m)\b", "m"),
        (r"\b(?:per hour|hourly|an hour|/ ?hr|/ ?h)\b", "h"),
        (r"\b(?:per day|day rate|daily)\b", "day"),
        (r"\b(?:cubic yards?|cu\.? ?yd|yd3)\b", "cuyd"),
        (r"\b(?:roofing square|per square)\b", "square"),
    )
)
_SOURCE_RANK = {
    "price_book": 1.10,
    "observed": 1.05,
    "norm": 1.0,
    "claims": 1.0,
    "list_price": 0.92,
    "single_claim": 0.92,
}
_COVERAGE_RANK = {Coverage.MEASURED: 1.03, Coverage.INTERPOLATED: 1.0, Coverage.ABSENT: 0.9}
_K1, _B = 1.2, 0.35
_SYNONYM_WEIGHT = 0.8
#: Share of the query's weight that a document must hold to be an answer at all.
_LEAST_COVER = 0.6
#: A word of the query that no document has weighs like the rarest word.
_SPELLING_CUTOFF = 84
#: Answers below this share of the best one are noise.
_TAIL = 0.35


@dataclass(frozen=True, slots=True)
class _Document:
    """A task or a product as indexed: stem counts, and every phrase that names it as a set of stems."""

    task: Task | None
    product: Product | None
    counts: Counter[str]
    phrases: tuple[frozenset[str], ...]
    length: int

    @property
    def unit(self) -> str:
        return self.task.unit if self.task is not None else self.product.unit if self.product is not None else ""

    @property
    def category(self) -> str:
        return self.task.trade if self.task is not None else self.product.category if self.product is not None else ""


@dataclass(frozen=True, slots=True)
class _Query:
    """Weighted stems of the content words, actions asked for, and the unit asked for."""

    words: tuple[tuple[tuple[str, float], ...], ...]
    stems: frozenset[str]
    verbs: frozenset[str]
    unit: str


class PriceSearch:
    """Search over a catalogue's tasks and products. Build once: the index does not change."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._documents = [
            *(_task_document(task) for task in catalogue.tasks.values()),
            *(_product_document(product) for product in catalogue.products.values()),
        ]
        self._postings: dict[str, list[int]] = {}
        for index, document in enumerate(self._documents):
            for one in document.counts:
                self._postings.setdefault(one, []).append(index)
        self._mean_length = sum(document.length for document in self._documents) / max(len(self._documents), 1)
        self._vocabulary = sorted(
            {
                word
                for document in self._documents
                for text in _texts(document)
                for word in tokens(text)
                if len(word) > 3
            }
        )
        self._known = frozenset(self._vocabulary)
        self._synonyms = _synonyms()

    def find(
        self, query: str, *, industry: str = "", place: Place | None = None, settings: PricingSettings, limit: int = 10
    ) -> tuple[PriceOption, ...]:
        """Priced options for a query, best first; empty where nothing relevant has a price in this currency and place.

        ``industry`` prefers its trade. Raises ``ValueError`` for a ``limit`` below one.
        """
        if limit < 1:
            raise ValueError("limit starts at one")
        asked = self._query(query)
        if not asked.words:
            return ()
        scored = self._scored(asked, industry)
        options: list[tuple[float, PriceOption]] = []
        best = 0.0
        for score, index in scored:
            if score < best * _TAIL or len(options) >= limit * 3:
                break
            option = self._option(self._documents[index], asked, place, settings)
            if option is not None:
                best = max(best, score)
                rank = _SOURCE_RANK[option.source.kind] * _COVERAGE_RANK[option.source.coverage]
                options.append((score * rank, option))
        options.sort(key=lambda one: -one[0])
        return tuple(option for _, option in options[:limit])

    def _query(self, text: str) -> _Query:
        unit = next((code for pattern, code in _UNIT_WORDS if pattern.search(fold(text))), "")
        words: list[tuple[tuple[str, float], ...]] = []
        verbs: set[str] = set()
        found: set[str] = set()
        for token in dict.fromkeys(tokens(text)):
            if token in _STOP or token[0].isdigit():
                continue
            root = stem(token)
            if root not in self._postings and root not in _ACTIONS:
                root = stem(self._repaired(token))
            if root in _ACTIONS:
                verbs |= _ACTIONS[root]
                # The word of an action is also a word ("tree removal"), but a light one.
                words.append(((root, 0.25),))
            elif root not in {"sqft", "ft", "feet", "foot", "m2", "hour", "hr", "meter", "yard", "day"} or not unit:
                words.append(((root, 1.0), *((one, _SYNONYM_WEIGHT) for one in self._synonyms.get(root, ()))))
            found.add(root)
        if words and all(one[0][1] < 1 for one in words):
            words = [((one[0][0], 1.0),) for one in words]
        return _Query(tuple(words), frozenset(found), frozenset(verbs), unit)

    def _repaired(self, token: str) -> str:
        """``token``, or the word of the vocabulary that it misspells."""
        if len(token) < 4 or token in self._known:
            return token
        near = process.extractOne(token, self._vocabulary, scorer=fuzz.ratio, score_cutoff=_SPELLING_CUTOFF)
        return str(near[0]) if near is not None else token

    def _idf(self, word: str) -> float:
        holding = len(self._postings.get(word, ()))
        return math.log(1 + (len(self._documents) - holding + 0.5) / (holding + 0.5))

    def _scored(self, asked: _Query, industry: str) -> list[tuple[float, int]]:
        idf = {root: self._idf(root) for word in asked.words for root, _ in word}
        total = sum(word[0][1] * idf[word[0][0]] for word in asked.words)
        wanted = {index for word in asked.words for root, _ in word for index in self._postings.get(root, ())}
        trade = {stem(token) for token in tokens(industry)} - {stem(token) for token in _STOP}
        scored = []
        for index in wanted:
            document = self._documents[index]
            score = covered = 0.0
            matched: set[str] = set()
            for word in asked.words:
                weight, root = max(((w, r) for r, w in word if r in document.counts), default=(0.0, ""))
                if not weight:
                    continue
                count = document.counts[root]
                norm = _K1 * (1 - _B + _B * document.length / self._mean_length)
                score += weight * idf[root] * count * (_K1 + 1) / (count + norm)
                covered += min(weight, word[0][1]) * idf[word[0][0]]
                matched.add(root)
            if covered < _LEAST_COVER * total:
                continue
            score *= (covered / total) * _phrase_bonus(document, matched, asked)
            score *= _verb_fit(document, asked) * _unit_fit(document, asked) * _trade_fit(document, trade)
            scored.append((score, index))
        return sorted(scored, key=lambda one: (-one[0], one[1]))

    def _option(
        self, document: _Document, asked: _Query, place: Place | None, settings: PricingSettings
    ) -> PriceOption | None:
        unit = customary_unit(document.unit, country_of(place, settings))
        if asked.unit and dimension(asked.unit) is dimension(unit):
            unit = asked.unit
        if document.product is not None:
            return product_option(self._catalogue, document.product, unit=unit, place=place, settings=settings)
        assert document.task is not None
        price = unit_price(self._catalogue, document.task, unit=unit, place=place, settings=settings)
        if isinstance(price, Unpriced) or price.price <= 0:
            return None
        return PriceOption(
            document.task.name,
            price.price,
            price.currency,
            price.unit,
            price.source.supplier,
            price.source.place,
            document.task.trade,
            price.confidence,
            price.source.as_of,
            price.source,
            price.low,
            price.high,
            document.task.task_id,
        )


def _texts(document: _Document) -> tuple[str, ...]:
    if document.task is not None:
        return (document.task.name, *document.task.names, document.task.trade)
    assert document.product is not None
    return (document.product.name, *document.product.names)


def _document(texts: Sequence[str], extra: Iterable[str], task: Task | None, product: Product | None) -> _Document:
    phrases = tuple(frozenset(stem(token) for token in tokens(text) if token not in _STOP) for text in texts)
    counts: Counter[str] = Counter()
    for phrase in phrases:
        counts.update(phrase)
    # A word that many synonyms share says no more than one that two share.
    counts = Counter({word: min(count, 3) for word, count in counts.items()})
    counts.update({stem(token) for text in extra for token in tokens(text)} - set(counts))
    return _Document(task, product, counts, tuple(phrase for phrase in phrases if phrase), sum(counts.values()))


def _task_document(task: Task) -> _Document:
    return _document((task.name, *task.names), (task.trade,), task, None)


def _product_document(product: Product) -> _Document:
    return _document((product.name, *product.names), (), None, product)


def _phrase_bonus(document: _Document, matched: set[str], asked: _Query) -> float:
    """Up to 2.5 for a name that the query spells out: share of name and query that match."""
    best = 0.0
    content = {word[0][0] for word in asked.words if word[0][1] >= 1} or matched
    for phrase in document.phrases:
        hit = phrase & matched
        if hit:
            share = len(hit) / len(phrase | content)
            best = max(best, share)
    bonus = 1 + 1.5 * best
    return bonus * (1.1 if document.task is not None and document.task.default else 1.0)


def _verb_fit(document: _Document, asked: _Query) -> float:
    """Whether the document is about the action asked for; without one, putting in is meant before taking out."""
    if document.task is None:
        return 0.8 if asked.verbs else 1.0
    verbs = set(document.task.verbs)
    if asked.verbs:
        return 1.35 if verbs & asked.verbs else 0.55
    if verbs & {"install", "replace", "build", "paint"}:
        return 1.0
    return 0.75 if verbs <= {"remove", "repair", "move", "inspect"} else 0.95


def _unit_fit(document: _Document, asked: _Query) -> float:
    if not asked.unit:
        return 1.0
    return 1.3 if dimension(asked.unit) is dimension(document.unit) else 0.6


def _trade_fit(document: _Document, trade: set[str]) -> float:
    if not trade:
        return 1.0
    return 1.4 if trade & {stem(token) for token in tokens(document.category)} else 0.85


def _synonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for group in SYNONYM_GROUPS:
        roots = {stem(word) for word in group}
        for root in roots:
            found.setdefault(root, set()).update(roots - {root})
    return {root: tuple(sorted(others)) for root, others in found.items()}
