"""How well price queries are answered: accuracy@1, accuracy@5 and nDCG@5 over labelled queries.

A label file has one query a line: ``query, country, exact, useful, origin`` separated by tabs. ``exact`` are the ids of
tasks and products that the query asks for, ``useful`` those that a person would still want to see below them. A query
with neither has no answer in the catalogue. ``origin`` is the permit whose words the query is, ``claim`` for the name
that publishers give an item, or ``customer`` for everyday wording.
"""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from server.domain.catalogue import Place
from server.domain.pricing.build_up import Unpriced, unit_price
from server.domain.pricing.options import product_option
from server.domain.pricing.sourcing import PriceSearch
from server.domain.regions import CURRENCY_OF
from server.domain.settings import PricingSettings
from server.embedded import Embedded
from tools.evaluation.drafting import names_in_labels

#: Where the queries of a country are asked from.
PLACES = {"US": "Nashville, TN", "GB": "Leeds, UK"}
#: Gain of an answer: what was asked for, and what is worth seeing.
EXACT, USEFUL = 3, 1
DEPTH = 5


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """One line of a label file."""

    query: str
    country: str
    exact: frozenset[str]
    useful: frozenset[str]
    origin: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """One query with what it was answered. ``kind`` is ``priced`` (something asked for has a price there),
    ``unpriced`` (the catalogue knows it, no source prices it there) or ``foreign`` (not in the catalogue).
    ``milliseconds`` are of CPU.
    """

    query: LabelledQuery
    kind: str
    answers: tuple[str, ...]
    gain: float
    milliseconds: float

    @property
    def first(self) -> bool:
        """Whether the first answer is what was asked for."""
        return bool(self.answers) and self.answers[0] in self.query.exact

    @property
    def among(self) -> bool:
        """Whether one of the first five is."""
        return not self.query.exact.isdisjoint(self.answers[:DEPTH])


def read_queries(path: Path) -> list[LabelledQuery]:
    """The labelled queries of a file in file order."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            LabelledQuery(
                row["query"],
                row["country"],
                frozenset(row["exact"].split()),
                frozenset(row["useful"].split()),
                row["origin"].split()[0],
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def judge(embedded: Embedded, search: PriceSearch, queries: Sequence[LabelledQuery]) -> list[Judgement]:
    """Every query answered and compared with its label. ``KeyError`` for a label that names nothing."""
    places: dict[str, Place] = {}
    for country, text in PLACES.items():
        match = embedded.gazetteer.find(text)
        assert match is not None
        places[country] = match.place
    return [_judged(embedded, search, one, places[one.country]) for one in queries]


def _judged(embedded: Embedded, search: PriceSearch, labelled: LabelledQuery, place: Place) -> Judgement:
    settings = PricingSettings(currency=CURRENCY_OF[labelled.country])
    priced = {one for one in labelled.exact | labelled.useful if has_price(embedded, one, place, settings)}
    started = time.process_time()
    options = search.find(labelled.query, place=place, settings=settings)
    elapsed = (time.process_time() - started) * 1000
    kind = "foreign" if not labelled.exact else "priced" if priced & labelled.exact else "unpriced"
    answers = _as_labelled([option.item_id for option in options], labelled)
    return Judgement(labelled, kind, tuple(answers), _ndcg(answers, labelled, priced), elapsed)


def _as_labelled(item_ids: Iterable[str], labelled: LabelledQuery) -> list[str]:
    """The ids by which the labels name what was answered, where they are older than it; each but once."""
    found: list[str] = []
    for item_id in item_ids:
        names = names_in_labels().get(item_id, frozenset()) - {*found}
        told = sorted(names & labelled.exact) or sorted(names & labelled.useful)
        found.append(told[0] if told else item_id)
    return found


def has_price(embedded: Embedded, item_id: str, place: Place, settings: PricingSettings) -> bool:
    """Whether a source prices the task or product there. ``KeyError`` for an id that is neither."""
    catalogue = embedded.catalogue
    if item_id in catalogue.tasks:
        task = catalogue.tasks[item_id]
        return not isinstance(unit_price(catalogue, task, unit=task.unit, place=place, settings=settings), Unpriced)
    product = catalogue.products[item_id]
    return product_option(catalogue, product, unit=product.unit, place=place, settings=settings) is not None


def _ndcg(answers: Sequence[str], labelled: LabelledQuery, priced: set[str]) -> float:
    gains = [_gain(one, labelled) for one in answers[:DEPTH]]
    ideal = sorted((_gain(one, labelled) for one in priced), reverse=True)[:DEPTH]
    best = _discounted(ideal)
    return _discounted(gains) / best if best else 0.0


def _gain(item_id: str, labelled: LabelledQuery) -> int:
    return EXACT if item_id in labelled.exact else USEFUL if item_id in labelled.useful else 0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))
