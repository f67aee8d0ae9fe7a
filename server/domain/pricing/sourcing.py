"""Search over everything that has a price: work and materials, best first.

A hand-made BM25 over stems, small enough to be read: about seven hundred documents need no database. An answer's rank
is its relevance (words, names spelled out, action, size) × unit fit × trade × locality × freshness × source rank.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from server.domain.catalogue import Catalogue, Place, Product, Task
from server.domain.draft import Coverage
from server.domain.drafting.quantities import find_quantities
from server.domain.pricing.build_up import Unpriced
from server.domain.pricing.options import PriceOption, country_of, customary_unit, product_option
from server.domain.pricing.query import (
    STOP,
    PriceQuery,
    Size,
    Term,
    Vocabulary,
    sizes_of,
    with_fractions,
    without_figures,
)
from server.domain.pricing.remembered import Prices
from server.domain.settings import PricingSettings
from server.domain.units import UNITS, Dimension, dimension
from server.domain.words import fold, stem, tokens

_SOURCE_RANK = {
    "price_book": 1.10,
    "observed": 1.05,
    "claims": 1.0,
    "list_price": 0.92,
    "single_claim": 0.92,
    "norm": 0.9,
}
_COVERAGE_RANK = {Coverage.MEASURED: 1.03, Coverage.INTERPOLATED: 1.0, Coverage.ABSENT: 0.9}
#: Years behind the newest data set → rank; figures that nobody dated rank with old ones.
_FRESHNESS = ((2, 1.0), (5, 0.97))
_OLD = 0.94
_K1, _B = 1.2, 0.35
_SYNONYM_WEIGHT = 0.6
#: Share of the question's weight that a document must hold to be an answer at all.
_LEAST_COVER = 0.6
#: The same for one whose name of two words or more the question spells out: long questions say much else.
_LEAST_COVER_NAMED = 0.2
#: The same for one that is named in one word and does what is asked.
_LEAST_COVER_DONE = 0.4
#: In questions of more words than this an unknown one says little about whether there is an answer.
_SHORT = 3
_UNKNOWN_WEIGHT = 0.5
_SAME_SIZE, _OTHER_SIZE = 1.6, 0.7
#: What an hour of a trade is worth to a question that asks for work.
_UNASKED_HOUR = 0.85
#: What a name that says a size is worth to a question that does not.
_UNASKED_SIZE = 0.8
_DEFAULT_TASK = 1.17
_IN_TRADE = 1.4
#: Queries whose relevant documents are kept.
MOST_QUERIES = 512
#: Answers below this share of the best one are noise.
_TAIL = 0.35
#: An industry narrows to its trades where they answer at least this well beside the best answer of all.
_NARROWS = 0.5
#: Trades that every other trade's work may be asked under.
_GENERAL_TRADES = frozenset({"general building", "handyman"})
#: Product groups that no trade is named after, under the trade that uses them.
_GROUP_OF = {"heating": "hvac"}
#: Trades whose work stands under other trades too: painting a fence, cleaning gutters.
_TRADE_OF_VERB = {"paint": "painting", "clean": "cleaning"}
#: The space between a sheet and its size.
_SIZED_SHEET = re.compile(r"(?<=\bsheet) (?=\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """One name as a set of stems, by the bits that its document gives them; ``sized`` where it also says a size."""

    roots: int
    sized: bool


@dataclass(frozen=True, slots=True)
class _Document:
    """A task or a product as indexed: stem counts, a bit for each stem, every phrase that names it, and its sizes."""

    task: Task | None
    product: Product | None
    counts: Counter[str]
    bits: Mapping[str, int]
    phrases: tuple[_Phrase, ...]
    sizes: tuple[Size, ...]
    length: int

    @property
    def unit(self) -> str:
        return self.task.unit if self.task is not None else self.product.unit if self.product is not None else ""

    @property
    def category(self) -> str:
        return self.task.trade if self.task is not None else self.product.category if self.product is not None else ""


@dataclass(frozen=True, slots=True)
class _WeighedTerm:
    """A word of a question with its other forms, its weight, and how much of the question it is."""

    roots: tuple[str, ...]
    weight: float
    counts: float
    action: bool


class PriceSearch:
    """Search over a catalogue's tasks and products. Build once: the index does not change."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._prices = Prices(catalogue)
        #: The same things are asked for again and again, by many; where they are is asked anew.
        self._relevant = lru_cache(MOST_QUERIES)(self._read)
        self._documents = [
            *(_task_document(task) for task in catalogue.tasks.values() if not _is_size(task)),
            *(_product_document(product) for product in catalogue.products.values()),
        ]
        self._postings: dict[str, list[int]] = {}
        for index, document in enumerate(self._documents):
            for one in document.counts:
                self._postings.setdefault(one, []).append(index)
        count = len(self._documents)
        self._rarities = {root: _rarity(len(found), count) for root, found in self._postings.items()}
        self._rarest = _rarity(0, count)
        self._mean_length = sum(document.length for document in self._documents) / max(count, 1)
        self._vocabulary = Vocabulary(text for document in self._documents for text in _texts(document))
        self._trades = _trade_words(catalogue)
        self._newest = max((one.as_of for one in catalogue.datasets.values()), default="")

    def find(
        self, query: str, *, industry: str = "", place: Place | None = None, settings: PricingSettings, limit: int = 10
    ) -> tuple[PriceOption, ...]:
        """Priced options for a query, best first; empty where nothing relevant has a price in this currency and place.

        ``industry`` narrows to its trades where they answer, and else is only named in the notes. Raises
        ``ValueError`` for a ``limit`` below one.
        """
        if limit < 1:
            raise ValueError("limit starts at one")
        trades = self._trades_of(industry)
        asked, scored = self._relevant(query, trades)
        options: list[tuple[float, _Document, PriceOption]] = []
        best = 0.0
        for score, index in scored:
            if score < best * _TAIL or len(options) >= limit * 3:
                break
            document = self._documents[index]
            option = self._option(document, asked, place, settings)
            if option is not None:
                best = max(best, score)
                options.append((score * self._rank(option, document), document, option))
        options.sort(key=lambda one: -one[0])
        kept, note = _narrowed(options, trades, industry)
        return tuple(_with_notes(option, _notes(asked, document, option, note)) for _, document, option in kept[:limit])

    def _read(self, query: str, trades: frozenset[str]) -> tuple[PriceQuery, Sequence[tuple[float, int]]]:
        """What a query asks for, and the documents that answer it with their relevance, best first."""
        asked = self._vocabulary.read(query)
        return asked, self._scored(asked, trades) if asked.terms else ()

    def _rank(self, option: PriceOption, document: _Document) -> float:
        """What source, coverage and age of a price are worth beside another of the same relevance. What was observed
        somewhere speaks for what publishers state, too."""
        seen = document.task is not None and any(one.currency == option.currency for one in document.task.observed)
        kind = "observed" if seen and option.source.kind == "claims" else option.source.kind
        rank = _SOURCE_RANK[kind] * _COVERAGE_RANK[option.source.coverage]
        return rank * _freshness(option.as_of, self._newest)

    def _trades_of(self, industry: str) -> frozenset[str]:
        """The trades that an industry's words name; none for one that takes in all of them, or that is unknown."""
        words = {stem(token) for token in tokens(industry) if token not in STOP}
        found = frozenset().union(*(self._trades.get(word, frozenset()) for word in words)) if words else frozenset()
        return frozenset() if found & _GENERAL_TRADES else found

    def _idf(self, root: str) -> float:
        return self._rarities.get(root, self._rarest)

    def _scored(self, asked: PriceQuery, trades: frozenset[str]) -> list[tuple[float, int]]:
        """Documents that answer with their relevance, best first."""
        terms = [self._weighed(term, len(asked.terms)) for term in asked.terms]
        total = sum(term.counts for term in terms)
        wanted = {index for term in terms for root in term.roots for index in self._postings.get(root, ())}
        content = {term.roots[0] for term in terms if not term.action} or {term.roots[0] for term in terms}
        scored = []
        for index in wanted:
            document = self._documents[index]
            norm = _K1 * (1 - _B + _B * document.length / self._mean_length)
            score = covered = 0.0
            said = alike_said = 0
            named: set[str] = set()
            for term in terms:
                for root in term.roots:
                    count = document.counts.get(root)
                    if count is None:
                        continue
                    bit = document.bits[root]
                    alike = 1.0
                    if root == term.roots[0]:
                        said, alike_said = said | bit, alike_said & ~bit
                    else:
                        alike = _SYNONYM_WEIGHT
                        said, alike_said = said & ~bit, alike_said | bit
                    score += term.weight * alike * self._idf(root) * count * (_K1 + 1) / (count + norm)
                    covered += term.counts
                    named.add(term.roots[0])
                    break
            cover = covered / total
            if cover < _LEAST_COVER_NAMED:
                continue
            share, spelled = _named(document, said, alike_said, len(content - named), asked)
            verb_fit = _verb_fit(document, asked)
            if (verb_fit < 1 and asked.verbs and document.task is not None and not spelled) or (
                cover < _least_cover(spelled, verb_fit)
            ):
                continue
            score *= (0.3 + 0.7 * cover) * (1 + 1.5 * share + 0.15 * spelled)
            score *= _DEFAULT_TASK if document.task is not None and document.task.default else 1.0
            score *= verb_fit * _unit_fit(document, asked) * _size_fit(document, asked)
            score *= _IN_TRADE if trades and _in_trades(document, trades) else 1.0
            scored.append((score, index))
        return sorted(scored, key=lambda one: (-one[0], one[1]))

    def _weighed(self, term: Term, terms: int) -> _WeighedTerm:
        """A word of a question of ``terms`` words; an unknown one counts as the rarest, less in a long question."""
        roots = (term.root, *term.others)
        known = [self._idf(root) for root in roots if root in self._postings]
        weight = term.weight * (_UNKNOWN_WEIGHT if not known and terms > _SHORT else 1.0)
        return _WeighedTerm(roots, weight, weight * max(known, default=self._idf(term.root)), term.action)

    def _option(
        self, document: _Document, asked: PriceQuery, place: Place | None, settings: PricingSettings
    ) -> PriceOption | None:
        unit = customary_unit(document.unit, country_of(place, settings))
        if asked.unit and dimension(asked.unit) is dimension(unit):
            unit = asked.unit
        elif asked.length_unit and dimension(unit) is Dimension.LENGTH:
            unit = asked.length_unit
        if document.product is not None:
            return product_option(self._catalogue, document.product, unit=unit, place=place, settings=settings)
        assert document.task is not None
        price = self._prices.price(document.task, unit=unit, place=place, settings=settings)
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
            (*price.review_reasons, *price.assumptions),
        )


# --- documents ------------------------------------------------------------------------------------------------------


def _texts(document: _Document) -> tuple[str, ...]:
    if document.task is not None:
        return (*_names(document.task), document.task.trade)
    assert document.product is not None
    return (document.product.name, *document.product.names)


def _document(texts: Sequence[str], extra: Iterable[str], task: Task | None, product: Product | None) -> _Document:
    phrases: list[tuple[frozenset[str], bool]] = []
    sizes: list[Size] = []
    for text in texts:
        figures = find_quantities(with_fractions(text) if product is None else _unnumbered(with_fractions(text)))
        words = tokens(fold(without_figures(with_fractions(text), figures)))
        roots = frozenset(stem(word) for word in words if word not in STOP and not word[0].isdigit())
        phrases.append((roots, bool(sizes_of(figures))))
        sizes += sizes_of(figures)
    counts: Counter[str] = Counter()
    for roots, _ in phrases:
        counts.update(roots)
    # A word that many synonyms share says no more than one that two share.
    counts = Counter({word: min(count, 3) for word, count in counts.items()})
    counts.update({stem(token) for text in extra for token in tokens(text)} - set(counts))
    bits = {root: 1 << place for place, root in enumerate(counts)}
    kept = tuple(_Phrase(sum(bits[root] for root in roots), sized) for roots, sized in phrases if roots)
    return _Document(task, product, counts, bits, kept, tuple(sizes), sum(counts.values()))


def _unnumbered(name: str) -> str:
    """The name of a product, as long as it was: "sheet 1/2 in" is a sheet of that size, and no sheet number 1/2."""
    return _SIZED_SHEET.sub(",", name)


def _task_document(task: Task) -> _Document:
    return _document(_names(task), (task.trade,), task, None)


def _is_size(task: Task) -> bool:
    """Whether a task is a size of another's work ("Extra large tree over 80 ft"), which answers for it."""
    return bool(task.of) and not task.pieces and dimension(task.unit) is Dimension.COUNT


def _names(task: Task) -> tuple[str, ...]:
    """What a task is asked for by; a form of a work by its own name alone, as the work has the others."""
    return (task.name,) if task.of else (task.name, *task.names)


def _product_document(product: Product) -> _Document:
    return _document((product.name, *product.names), (), None, product)


def _trade_words(catalogue: Catalogue) -> dict[str, frozenset[str]]:
    """Stems that name a trade → the trades: its own words, and those for the people who are hired by the hour."""
    found: dict[str, set[str]] = {}
    for task in catalogue.tasks.values():
        hired = task.names if task.unit == "h" and task.labour_only else ()
        for text in (task.trade, *(name for name in hired if len(tokens(name)) == 1)):
            for token in tokens(text):
                if token not in STOP:
                    found.setdefault(stem(token), set()).add(task.trade)
    return {word: frozenset(trades) for word, trades in found.items()}


def _rarity(holding: int, documents: int) -> float:
    """The inverse document frequency of BM25."""
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))


# --- fit ------------------------------------------------------------------------------------------------------------


def _named(document: _Document, said: int, alike: int, unmatched: int, asked: PriceQuery) -> tuple[float, int]:
    """The share of a name and the question that agree, at its best; and the words of the longest name spelled out.

    ``said``: the document's words that the question has, ``alike``: those of which it has another form, both as bits.
    """
    best, spelled = 0.0, 0
    matched = said | alike
    for phrase in document.phrases:
        roots = phrase.roots
        hit = roots & matched
        if hit:
            agree = (roots & said).bit_count() + _SYNONYM_WEIGHT * (roots & alike).bit_count()
            share = agree / ((roots | matched).bit_count() + unmatched)
            best = max(best, share * (_UNASKED_SIZE if phrase.sized and not asked.sizes else 1.0))
            if hit == roots:
                spelled = max(spelled, hit.bit_count())
    return best, spelled


def _least_cover(spelled: int, verb_fit: float) -> float:
    """How much of the question a document has to hold, by the words of its longest name spelled out in it."""
    if spelled > 1:
        return _LEAST_COVER_NAMED
    return _LEAST_COVER_DONE if spelled and verb_fit > 1 else _LEAST_COVER


def _verb_fit(document: _Document, asked: PriceQuery) -> float:
    """Whether the document is about the action asked for; without one, putting in is meant before taking out."""
    if document.task is None:
        return 0.8 if asked.verbs else 1.0
    verbs = set(document.task.verbs)
    if asked.verbs:
        if verbs & asked.verbs:
            # "Remove and replace" asks for the new thing.
            return 1.05 if verbs == {"remove"} and "replace" in asked.verbs else 1.35
        return 1.15 if verbs & asked.second_verbs else 0.45
    if verbs & {"install", "replace", "build"}:
        return 1.0
    return 0.75 if verbs <= {"remove", "repair", "move", "inspect"} else 0.88


def _unit_fit(document: _Document, asked: PriceQuery) -> float:
    if not asked.unit:
        return _UNASKED_HOUR if dimension(document.unit) is Dimension.TIME else 1.0
    return 1.3 if dimension(asked.unit) is dimension(document.unit) else 0.6


def _size_fit(document: _Document, asked: PriceQuery) -> float:
    """Whether the sizes agree, measure by measure; one that the document does not state says nothing."""
    fit = 1.0
    for size in asked.sizes:
        stated = [one for one in document.sizes if one.measure == size.measure]
        if stated:
            if any(size.equals(one) for one in stated):
                fit *= _SAME_SIZE
            elif size.sure:
                fit *= _OTHER_SIZE
    return fit


def _in_trades(document: _Document, trades: frozenset[str]) -> bool:
    category = _GROUP_OF.get(document.category, document.category)
    if document.task is not None and any(_TRADE_OF_VERB.get(verb) in trades for verb in document.task.verbs):
        return True
    return category in trades


def _freshness(as_of: str, newest: str) -> float:
    """Rank by age in years behind the newest data set; dates are ISO, whole or cut."""
    if not as_of[:4].isdigit() or not newest[:4].isdigit():
        return _OLD
    age = int(newest[:4]) - int(as_of[:4])
    return next((rank for years, rank in _FRESHNESS if age <= years), _OLD)


_Found = tuple[float, _Document, PriceOption]


def _narrowed(found: Sequence[_Found], trades: frozenset[str], industry: str) -> tuple[Sequence[_Found], str]:
    """What the industry leaves, and a note where it leaves nothing that answers."""
    if not trades or not found:
        return found, ""
    inside = [one for one in found if _in_trades(one[1], trades)]
    if inside and inside[0][0] >= _NARROWS * found[0][0]:
        return inside, ""
    return found, f"Nothing of {industry.strip()} answers this; prices of other trades are shown."


# --- notes ----------------------------------------------------------------------------------------------------------


def _notes(asked: PriceQuery, document: _Document, option: PriceOption, narrowing: str) -> tuple[str, ...]:
    """What somebody who asked this has to know about this answer."""
    notes = [f"“{written}” was read as “{read}”." for written, read in asked.repaired if stem(read) in document.counts]
    if asked.unit and dimension(asked.unit) is not dimension(option.unit):
        notes.append(
            f"Asked per {asked.unit} ({dimension(asked.unit)}); the sources price this per {option.unit} "
            f"({dimension(option.unit)}), which does not convert."
        )
    if asked.pack and UNITS[option.unit].dimension not in {Dimension.COUNT, Dimension.LUMP}:
        notes.append(f"Asked in {asked.pack}; the price is per {option.unit}, so the size of one has to be known.")
    for size in asked.sizes:
        stated = [one for one in document.sizes if one.measure == size.measure]
        if size.sure and stated and not any(size.equals(one) for one in stated):
            notes.append("The size asked for is not the size that this price is for.")
            break
    if narrowing:
        notes.append(narrowing)
    return tuple(notes)


def _with_notes(option: PriceOption, notes: tuple[str, ...]) -> PriceOption:
    return replace(option, notes=(*notes, *option.notes)) if notes else option
