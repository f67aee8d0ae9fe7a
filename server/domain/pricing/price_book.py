"""The organization's own prices: found by SKU, by name, by words, in that order, and given as prices with their source.

They win over every public fact. An item prices a quantity only in its own dimension and currency: where the code or the
whole name says that it is meant and the unit does not fit, the line stays unpriced and says why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from functools import cache
from itertools import combinations
from typing import Protocol

from rapidfuzz import fuzz

from server.domain import money
from server.domain.catalogue import Task
from server.domain.draft import Component, Coverage, LineKind, Source, UnitPrice
from server.domain.drafting.actions import action_of
from server.domain.drafting.matching import GENERAL_ACTIONS
from server.domain.price_book.item import BookItem, sku_key, words
from server.domain.price_book.unit_names import unit_code
from server.domain.pricing import confidence
from server.domain.pricing.options import PriceOption
from server.domain.settings import PricingSettings
from server.domain.takeoff import TakeoffItem
from server.domain.units import ONE_IS_MEANT, dimension, factor
from server.domain.words import SYNONYM_GROUPS, fold, stem

#: Items that one way of looking gives at most.
MOST_CANDIDATES = 32
#: Items that a search through the book puts in order together, and after how many it looks no further.
RANKED_TOGETHER = 500
MOST_SEARCHED = 16_000
#: The dataset that components of own prices name.
DATASET = "price-book"
_MOST_WORDS = 10
_LONGEST_NAME = 6
_MOST_KEYS = 160
#: Share of the asked words that an item must have, and the least likeness of item and query, both 0 to 1.
_LEAST_COVER = 0.6
_LEAST_SCORE = 0.5
_ALIKE = 84
_STOP_WORDS = """
a an and any are as at be by can cost do each estimate for from get give how i in is it like me much my need of on one
or our out per please price prices quote rate some supply that the them there this to up us want we what will with
would you your
"""
_STOP = frozenset(stem(word) for word in _STOP_WORDS.split())
#: Work that nobody means by the bare name of a thing.
_UNASKED = frozenset({"remove", "repair", "move", "service", "deliver"})
_PER = re.compile(r"(?:\bper|\ba|/)\s*((?:sq|square|cu|cubic|linear|lin)?\.?\s*[a-z]+[23²³]?)\b")
_LETTERS = re.compile(r"[^\W\d_]+")

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for in a book. ``stages`` are tried until one finds something: each is a set of searches, each
    search a list of groups of which a name must have one word. ``pairs`` are groups of which a name must have two. Each
    search for words gives at most ``most``."""

    sku_keys: Words = ()
    name_keys: Words = ()
    stages: tuple[tuple[tuple[Words, ...], ...], ...] = ()
    pairs: tuple[Words, ...] = ()
    most: int = MOST_CANDIDATES


class PriceBook(Protocol):
    """One organization's book on one day."""

    #: Changes with every change of the book, and from day to day.
    version: str

    def look_up(self, wanted: Wanted) -> Sequence[BookItem]:
        """Items in use that may be meant, in an order that stays the same where ``most`` is more."""


class Match(IntEnum):
    """How an item was found; the lower, the surer."""

    SKU = 1
    NAME = 2
    WORDS = 3


@dataclass(frozen=True, slots=True)
class OwnItem:
    """An item that answers, how it was found, and how alike name and query are (0 to 1)."""

    item: BookItem
    match: Match
    score: float


@dataclass(frozen=True, slots=True)
class OwnPrice:
    """What the book says of a line. Without a price: ``reasons`` say why; ``final`` then means that nothing else may
    price the line."""

    price: UnitPrice | None = None
    reasons: tuple[str, ...] = ()
    final: bool = False


# --- answers to queries ---------------------------------------------------------------------------------------------


def own_items(book: PriceBook, query: str) -> tuple[OwnItem, ...]:
    """Items that a query asks for: exact SKU, exact name, then names with similar words, the likest first."""
    asked = _asked(query, MOST_CANDIDATES)
    return _ranked(asked, book.look_up(asked.wanted))


def searched_items(book: PriceBook, query: str, count: int) -> tuple[OwnItem, ...]:
    """Items for who looks through the book: those of `own_items`, and every name that has all words of the query,
    whatever else it says. At least ``count`` where there are so many.

    The first hits are put in order by themselves, then the next: a page says the same however many come behind it.
    """
    most, before = RANKED_TOGETHER, -1
    while True:
        asked = _asked(query, most)
        found = book.look_up(asked.wanted)
        ranked: list[OwnItem] = []
        for at in range(0, len(found), RANKED_TOGETHER):
            some = _ranked(asked, found[at : at + RANKED_TOGETHER], searched=True)
            ranked += some
            if not some:
                # The names get longer, and so ever less like the query.
                return tuple(ranked)
        if len(ranked) >= count or len(found) in (before, 0) or most >= MOST_SEARCHED:
            return tuple(ranked)
        most, before = most * 2, len(found)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query: all its words, those that say what, the codes in it, and what to look for."""

    words: Words
    content: Words
    sku_keys: Words
    wanted: Wanted


def _asked(query: str, most: int) -> _Asked:
    asked = words(query)
    content = _content(asked)
    sku_keys = (sku_key(query), *_sku_keys(query))
    name_keys = (" ".join(asked),) if asked else ()
    return _Asked(asked, content, sku_keys, Wanted(sku_keys, name_keys, _stages(content), most=most))


def _ranked(asked: _Asked, items: Sequence[BookItem], *, searched: bool = False) -> tuple[OwnItem, ...]:
    found = [_rated(item, asked, searched=searched) for item in items]
    kept = [one for one in found if one is not None]
    return tuple(sorted(kept, key=_order))


def _order(own: OwnItem) -> tuple[int, float, int, int]:
    """The best come first."""
    return own.match, -own.score, len(own.item.entry.name), own.item.item_id


def own_options(
    book: PriceBook, query: str, settings: PricingSettings, limit: int, *, without_place: str = ""
) -> tuple[PriceOption, ...]:
    """The book's answers to a price query, best first, in the unit asked for where it is of the item's dimension.

    ``without_place`` is the query without what was read as a place. Both are asked, the better answer counts: of
    "ceiling fan 37201" the number is a ZIP code, unless the book has that SKU.
    """
    asked_unit = next((code for found in _PER.findall(fold(query)) if (code := unit_code(found))), "")
    best: dict[int, OwnItem] = {}
    for wording in dict.fromkeys((query, without_place)):
        for own in own_items(book, wording):
            known = best.get(own.item.item_id)
            if known is None or _order(own) < _order(known):
                best[own.item.item_id] = own
    return tuple(_option(one, asked_unit, settings) for one in sorted(best.values(), key=_order)[:limit])


def _option(own: OwnItem, asked_unit: str, settings: PricingSettings) -> PriceOption:
    entry = own.item.entry
    unit = asked_unit if asked_unit and dimension(asked_unit) is dimension(entry.unit) else entry.unit
    source = _source(own.item, unit, settings)
    price = money.unit_price(source.components[0].amount)
    return PriceOption(
        entry.name, price, entry.currency, unit, source.supplier, source.place, entry.category, _confidence(own.match),
        source.as_of, source, price, price, entry.sku,
    )  # fmt: skip


def _stages(content: Words) -> tuple[tuple[tuple[Words, ...], ...], ...]:
    """All words; all words or what begins like them; all but one."""
    if not content:
        return ()
    groups = tuple(_group(word) for word in content[:_MOST_WORDS])
    begun = tuple(
        (*group, f"{group[0][:4]}*") if len(group[0]) > 4 and group[0].isascii() else group for group in groups
    )
    stages: list[tuple[tuple[Words, ...], ...]] = [(groups,), (begun,)]
    if len(groups) > 1:
        stages.append(tuple(groups[:at] + groups[at + 1 :] for at in range(len(groups))))
    return tuple(stages)


def _rated(item: BookItem, asked: _Asked, *, searched: bool) -> OwnItem | None:
    """How the item answers; None where it does not. ``searched``: a name with all words of the query always does."""
    if sku_key(item.entry.sku) in asked.sku_keys:
        return OwnItem(item, Match.SKU, 1.0)
    named, content = words(item.entry.name), asked.content
    if named == asked.words or (len(named) > 1 and sorted(named) == sorted(asked.words)):
        return OwnItem(item, Match.NAME, 1.0)
    if not content:
        return None
    have = [word for word in named if not _is_number(word) and word not in _STOP]
    hits = [max((_likeness(word, other) for other in have), default=0.0) for word in content]
    cover = sum(hits) / len(content)
    if cover < _LEAST_COVER or not have:
        return None
    precision = min(sum(hit > 0 for hit in hits) / len(have), 1.0)
    sizes, given = {word for word in named if _is_number(word)}, {word for word in asked.words if _is_number(word)}
    fit = 1.0 if not sizes else len(sizes & given) / len(sizes) if given else 0.9
    score = 2 * cover * precision / (cover + precision) * (0.6 + 0.4 * fit)
    return OwnItem(item, Match.WORDS, score) if score >= _LEAST_SCORE or (searched and all(hits)) else None


def _likeness(word: str, other: str) -> float:
    if word == other:
        return 1.0
    if other in _group(word):
        return 0.9
    return 0.8 if len(word) > 4 and fuzz.ratio(word, other) >= _ALIKE else 0.0


# --- lines of a draft -----------------------------------------------------------------------------------------------


def own_price(
    book: PriceBook, item: TakeoffItem, text: str, *, task: Task | None, settings: PricingSettings
) -> OwnPrice:
    """The book's price for a line that the words ``text`` ask for, per unit of the line.

    ``task`` is the catalogue's reading of the work, where it has one. No item: neither price nor reasons.
    """
    said = words(text)
    keys = _sku_keys(text)
    wanted = Wanted(
        sku_keys=keys,
        name_keys=tuple(dict.fromkeys((*_runs(said), *_task_keys(task))))[:_MOST_KEYS],
        pairs=tuple(_group(word) for word in dict.fromkeys((*_task_words(task), *_content(said))))[:_MOST_WORDS],
    )
    found = [own for one in book.look_up(wanted) if (own := _meant(one, item, text, keys, task)) is not None]
    found.sort(key=_order)
    reasons: list[str] = []
    for own in found:
        refusal = _refusal(own, item, settings)
        if not refusal:
            rivals = [other for other in found if other is not own and _equals(own, other)]
            return OwnPrice(_unit_price(own, item, settings, rivals), tuple(reasons))
        reasons.append(refusal)
        if own.match is not Match.WORDS and _misfit(own, item):
            return OwnPrice(reasons=tuple(reasons), final=True)
    return OwnPrice(reasons=tuple(reasons))


def _meant(one: BookItem, item: TakeoffItem, text: str, keys: Words, task: Task | None) -> OwnItem | None:
    """Whether the line asks for the item: by its code, by its name as it stands, or by all words of its name."""
    if sku_key(one.entry.sku) in keys:
        return OwnItem(one, Match.SKU, 1.0)
    named, said = words(one.entry.name), words(text)
    core = _core(one.entry.name)
    if not core or not _does(one.entry.name, item.verb):
        return None
    phrases = _task_phrases(task)
    alone = len(core) == 1
    if alone and core not in phrases and core != _core(text):
        return None
    score = float(len(core))
    if _stands_in(named, said):
        return OwnItem(one, Match.NAME, score)
    sizes = {word for word in named if _is_number(word)}
    if not sizes <= set(said):
        return None
    have = {other for word in said for other in _group(word)}
    if (core <= have and not alone) or core in phrases:
        return OwnItem(one, Match.WORDS, score)
    return None


def _does(name: str, verb: str) -> bool:
    """Whether an item of that name is the work that ``verb`` asks for."""
    actions = {action_of(word) for word in re.findall(r"[a-z-]+", fold(name))} & GENERAL_ACTIONS
    return verb in actions if actions else verb not in _UNASKED


def _refusal(own: OwnItem, item: TakeoffItem, settings: PricingSettings) -> str:
    """Why an item that is meant gives the line no price; empty where it does."""
    entry = own.item.entry
    if _misfit(own, item):
        return (
            f"The price book has “{entry.name}” per {entry.unit}, a {dimension(entry.unit).value}: it cannot price a "
            f"quantity in {item.unit}, a {dimension(item.unit).value}."
        )
    if item.qty is None and dimension(entry.unit) not in ONE_IS_MEANT:
        return f"The price book has “{entry.name}” per {entry.unit}; the request gives no quantity."
    if entry.currency != settings.currency:
        return (
            f"The price book has “{entry.name}” in {entry.currency}; this quote is in {settings.currency}, and own "
            "prices are not converted."
        )
    if item.materials_by_customer and entry.kind != LineKind.LABOUR:
        return f"The price book has “{entry.name}” with materials; here the customer supplies them."
    if entry.kind == LineKind.MATERIAL and own.match is not Match.SKU:
        return f"The price book has “{entry.name}” as a material: the work is not in that price."
    return ""


def _misfit(own: OwnItem, item: TakeoffItem) -> bool:
    return item.qty is not None and dimension(own.item.entry.unit) is not dimension(item.unit)


def _equals(own: OwnItem, other: OwnItem) -> bool:
    return own.match is Match.WORDS and (other.match, other.score) == (own.match, own.score)


def _unit_price(own: OwnItem, item: TakeoffItem, settings: PricingSettings, rivals: Sequence[OwnItem]) -> UnitPrice:
    entry = own.item.entry
    unit = item.unit if item.qty is not None else entry.unit
    source = _source(own.item, unit, settings)
    reasons = []
    if own.match is Match.WORDS:
        reasons.append(f"Priced as “{entry.name}” of the price book, by its words: check that it is meant.")
    if rivals:
        others = ", ".join(f"“{one.item.entry.name}”" for one in rivals[:3])
        reasons.append(f"The price book also has {others}: check which is meant.")
    if entry.kind == LineKind.MATERIAL:
        reasons.append("The price book has this as a material: no work is in the price.")
    if item.coats > 1:
        reasons.append(f"The request asks for {item.coats} coats; the price book's price is taken as it stands.")
    price = money.unit_price(source.components[0].amount)
    return UnitPrice(
        price=price,
        low=price,
        high=price,
        currency=entry.currency,
        unit=unit,
        kind=LineKind(entry.kind),
        confidence=_confidence(own.match),
        # The book does not say what of its price is labour; as a whole it moves with no wage.
        labour_share=Decimal(1),
        labour_hours=Decimal(0),
        source=source,
        review_reasons=tuple(reasons),
    )


def _source(item: BookItem, unit: str, settings: PricingSettings) -> Source:
    entry = item.entry
    times = factor(unit, entry.unit)
    row = f"{entry.sku}, revision {item.revision_id}"
    component = Component(
        "price_book", entry.name, times, entry.unit, entry.price, times * entry.price, DATASET, row,
        entry.effective_from,
    )  # fmt: skip
    return Source(
        kind="price_book",
        row=row,
        name=entry.name,
        supplier=entry.supplier or "own price book",
        place=settings.home_location,
        coverage=Coverage.MEASURED,
        region_factor=Decimal(1),
        as_of=entry.effective_from,
        licence="own",
        components=(component,),
    )


def _confidence(match: Match) -> Decimal:
    return confidence.reduced(confidence.PRICE_BOOK, {"by_words"} if match is Match.WORDS else set())


# --- words ----------------------------------------------------------------------------------------------------------


def _content(found: Sequence[str]) -> Words:
    """The words that say what, each once: no numbers, no small words, no single letters."""
    return tuple(dict.fromkeys(word for word in found if not _is_number(word) and word not in _STOP and len(word) > 1))


def _core(text: str) -> frozenset[str]:
    """The words of a name or clause that say what the work is about: no numbers, small words or general actions."""
    return frozenset(
        word
        for raw in _LETTERS.findall(fold(text))
        if action_of(raw) not in GENERAL_ACTIONS
        for word in _content(words(raw))
    )


def _is_number(word: str) -> bool:
    return word[0].isdigit()


def _sku_keys(text: str) -> Words:
    """Words that look like codes: letters with digits, or five digits and more."""
    found = []
    for word in text.split():
        key = sku_key(word.strip("()[]{}\"'“”‘’.,;:!?"))
        digits = sum(letter.isdigit() for letter in key)
        if digits and len(key) <= 64 and (digits >= 5 or any(letter.isalpha() for letter in key)):
            found.append(key)
    return tuple(dict.fromkeys(found))[:_MOST_KEYS]


def _runs(said: Words) -> Words:
    """Every run of words that may be a whole name, the longest first."""
    return tuple(
        " ".join(said[at : at + size])
        for size in range(min(_LONGEST_NAME, len(said)), 0, -1)
        for at in range(len(said) - size + 1)
    )


def _stands_in(named: Words, said: Words) -> bool:
    return any(said[at : at + len(named)] == named for at in range(len(said) - len(named) + 1))


def _task_keys(task: Task | None) -> Words:
    return () if task is None else tuple(" ".join(words(name)) for name in (task.name, *task.names[:20]))


def _task_words(task: Task | None) -> Words:
    return () if task is None else tuple(sorted(_core(task.name)))


def _task_phrases(task: Task | None) -> frozenset[frozenset[str]]:
    if task is None:
        return frozenset()
    return frozenset(_core(name) for name in (task.name, *task.names))


@cache
def _synonyms() -> dict[str, Words]:
    found: dict[str, dict[str, None]] = {}
    for group in SYNONYM_GROUPS:
        stems = [stem(word) for word in group]
        for one in stems:
            found.setdefault(one, {}).update(dict.fromkeys(other for other in stems if other != one))
    return {word: tuple(others) for word, others in found.items()}


def _group(word: str) -> Words:
    """The word with what means the same, itself first."""
    return (word, *_synonyms().get(word, ()))


def pairs_of(groups: Sequence[Words]) -> list[tuple[Words, Words]]:
    """Every two of the groups."""
    return list(combinations(groups, 2))
