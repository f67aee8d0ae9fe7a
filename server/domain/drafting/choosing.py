"""Choosing: the task that words mean where no name has them, learned of how people say it.

A multinomial logistic model over the stems of a clause and their pairs. `tools.drafting.choosing` fits it on the
catalogue's names and on `phrasings.tsv`; a task has weights only for words that it was seen with. Other than a name it
needs no word in particular, and its words stay unknown to the other stages: "looks", "leaning" are no trade's words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Protocol

from server.domain.words import stem

WEIGHTS = Path(__file__).with_name("choosing_weights.tsv")
#: The feature of every clause.
_ALWAYS = "BIAS"
#: A word that pulls less than this towards a task does not name it.
_NAMES = 0.3


class Said(Protocol):
    """A lemma of a clause with its weight: `server.domain.drafting.matching.Word`."""

    @property
    def lemma(self) -> str:
        """The lemma."""

    @property
    def weight(self) -> float:
        """Less than one for words that only say where."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The likeliest task with its chance, and the lemmas that speak for it."""

    task_id: str
    chance: float
    words: frozenset[str]


def _sign(lemma: str) -> str:
    return "#" if lemma.isdigit() else stem(lemma) if lemma.isascii() else lemma


def features(words: Iterable[Said]) -> list[str]:
    """What is weighed: stems, pairs of neighbours, and apart from them the words that say where."""
    found, last = [], ""
    for word in words:
        sign = _sign(word.lemma)
        if word.weight < 1:
            found.append(f"~{sign}")
            last = ""
            continue
        found.append(sign)
        if last:
            found.append(f"{last} {sign}")
        last = sign
    return sorted(set(found))


class Chooser:
    """Weights by feature and task. Read-only: one instance serves every thread."""

    def __init__(self, labels: Sequence[str], rows: Mapping[str, str]) -> None:
        """``rows`` are ``"<label number>:<hundredths> …"`` by feature; they are read when first met."""
        self._labels, self._rows = labels, rows
        self._weights = lru_cache(maxsize=4096)(self._read)
        bias = dict(self._weights(_ALWAYS))
        self._bias = [bias.get(number, 0.0) for number in range(len(labels))]
        self._rest = math.fsum(map(math.exp, self._bias))
        self._places = {label: number for number, label in enumerate(labels)}

    def _read(self, feature: str) -> tuple[tuple[int, float], ...]:
        pairs = (pair.split(":") for pair in self._rows.get(feature, "").split())
        return tuple((int(number), int(weight) / 100) for number, weight in pairs)

    def _scores(self, words: Iterable[Said]) -> dict[int, float]:
        scores: dict[int, float] = {}
        for feature in features(words):
            for number, weight in self._weights(feature):
                scores[number] = scores.get(number, self._bias[number]) + weight
        return scores

    def likeliest(self, words: Sequence[Said]) -> tuple[Choice | None, dict[str, float]]:
        """The likeliest task, None where the words say nothing or most likely no task at all; and the chances of all
        that they speak of."""
        scores = self._scores(words)
        if not scores:
            return None, {}
        total = self._rest + math.fsum(math.exp(score) - math.exp(self._bias[at]) for at, score in scores.items())
        chances = {self._labels[at]: math.exp(score) / total for at, score in scores.items()}
        task_id = max(sorted(chances), key=chances.__getitem__)
        at = self._places[task_id]
        speak = frozenset(
            word.lemma
            for word in words
            if word.weight == 1.0 and dict(self._weights(_sign(word.lemma))).get(at, 0.0) > _NAMES
        )
        return (Choice(task_id, chances[task_id], speak) if speak and "." in task_id else None), chances


@cache
def chooser() -> Chooser:
    """The chooser with the weights of this version, read once."""
    first, *lines = WEIGHTS.read_text("utf-8").splitlines()
    return Chooser(first.split(), {feature: row for feature, _, row in (line.partition("\t") for line in lines)})
