"""Choosing: the task that words mean, learned of how people say it.

Every piece of a word has a vector, first that of a sentence encoder (docs/adr/0026-vectors-of-words.md), then fitted
with all else here by `tools.drafting.choosing` on the catalogue's names and on requests whose words say their tasks. A
clause is the mean of its pieces and, much lighter, of those of the clauses around it: "want it replaced" means what
stands before. How much these count is told by its own words: "it" wants them, "5 windows" does not. One product with
a column for each task gives the chances, which are joined with those of who reads the request whole (`encoding`). The
words of a request stay unknown to the other stages: "looks", "leaning" are no trade's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no stubs

from server.domain.drafting.encoding import Floats, Reading
from server.domain.drafting.wordpieces import Pieces

WEIGHTS = Path(__file__).with_name("choosing_weights.npz")
#: The label of work that no task is for.
NONE = "none"
#: Clauses around one that are read with it, by how far before or behind it they stand; and the first of the request.
AROUND = (-1, -2, -3, -4, 1)
FIRST = len(AROUND) + 1
#: How much more or less the clauses around may count by a clause's own words, as a power of e.
MOST_WANTED = 4.0
#: A piece that pulls towards the task less than this share of the one that pulls most does not speak for it.
_SPEAKS = 0.4


def trade_of(label: str) -> str:
    """The trade of a task, by its id: "tree work" of "tree-work.remove-small", as `Task.trade` has it."""
    return label.partition(".")[0].replace("-", " ")


@dataclass(frozen=True)
class Meaning:
    """What the clauses of one request mean, in their order."""

    chooser: Chooser
    texts: Sequence[str]
    #: The pieces of each clause, with where their words start.
    pieces: Sequence[Sequence[tuple[int, int]]]
    #: A row for each clause, a column for each task.
    chances: Floats
    #: How likely each clause asks for work; nan of one that nobody read.
    asks: Floats
    #: The numbers by which the second reader knows each clause; none where there was none.
    means: Floats

    def with_reading(self, other: Reading) -> Meaning:
        """The same with a second reader's opinion, whose columns are the same: they err in different places, so that
        what both hold likely mostly is (the product of experts, Hinton 2002)."""
        both = np.sqrt(self.chances * other.chances)
        both[~other.read] = self.chances[~other.read]
        asks = np.where(other.read, other.asks, np.nan)
        return replace(self, chances=both / both.sum(axis=1, keepdims=True), asks=asks, means=other.means)

    def without(self, trade: str) -> Meaning:
        """The same where no clause can mean work of a trade."""
        others = np.where(self.chooser.trades == trade, 0, self.chances)
        return replace(self, chances=others / others.sum(axis=1, keepdims=True))

    def of(self, number: int) -> Iterator[tuple[str, float]]:
        """The likeliest tasks of a clause with their chances, likeliest first."""
        # Mostly the first is enough, which is far quicker found.
        yield self.likeliest(number)
        if number not in self._next:
            row = self.chances[number]
            most = Chooser.MOST
            some = np.argpartition(-row, most)[:most] if len(row) > most else np.arange(len(row))
            ranked = sorted(zip((-row[some]).tolist(), some.tolist(), strict=True))
            self._next[number] = [(self.chooser.labels[at], -chance) for chance, at in ranked[1:]]
        yield from self._next[number]

    @cached_property
    def _next(self) -> dict[int, list[tuple[str, float]]]:
        """What follows the likeliest task of the clauses of which it was asked."""
        return {}

    def likeliest(self, number: int) -> tuple[str, float]:
        """The likeliest task of a clause, or `NONE`, and its chance."""
        return self._likeliest[number]

    @cached_property
    def _likeliest(self) -> list[tuple[str, float]]:
        # Of all clauses at once: every stage asks for it.
        first = self.chances.argmax(axis=1)
        most = self.chances[np.arange(len(first)), first]
        return [(self.chooser.labels[at], chance) for at, chance in zip(first.tolist(), most.tolist(), strict=True)]

    def chance(self, number: int, task_id: str) -> float:
        """How likely a clause means a task; 0 for one that is not known."""
        at = self.chooser.places.get(task_id)
        return 0.0 if at is None else float(self.chances[number, at])

    def chance_of_trade(self, number: int, trade: str) -> float:
        """How likely a clause means work of a trade, whichever of its likeliest tasks."""
        return sum(chance for task_id, chance in self.of(number) if trade_of(task_id) == trade)

    def chances_of(self, task_id: str) -> Floats:
        """How likely each clause means a task."""
        at = self.chooser.places.get(task_id)
        return np.zeros(len(self.chances), np.float32) if at is None else self.chances[:, at]

    def speaking(self, number: int, task_id: str) -> frozenset[int]:
        """Where the words of a clause start that speak for a task."""
        return self.chooser.speaking(self.pieces[number], task_id)

    def unmet(self, number: int) -> frozenset[int]:
        """Where the words of a clause start that nothing it was fitted on has."""
        return self.chooser.unmet(self.pieces[number])


class Chooser:
    """Vectors of pieces and columns of tasks. Read-only: one instance serves every thread."""

    #: Tasks of a clause that are told.
    MOST = 8

    def __init__(self, file: Path) -> None:
        # A product of one request is too small to share: helping threads would only wait, and keep processors busy.
        threadpool_limits(limits=1, user_api="blas")
        with np.load(file, allow_pickle=False) as kept:
            self.labels: list[str] = str(kept["labels"]).split()
            self._pieces = Pieces(str(kept["pieces"]).split("\n"))
            #: Hundred and twenty-sevenths of the largest of a piece's vector.
            self._vectors: npt.NDArray[np.int8] = kept["vectors"]
            self._scales: Floats = kept["scales"].astype(np.float32)
            #: How much a piece counts, as a power of e: "the" little, "gutter" much.
            self._counts: Floats = np.exp(kept["counts"].astype(np.float32))
            #: Whether the fit has met a piece, so that it counts other than it did at first.
            self._met: npt.NDArray[np.bool_] = kept["counts"] != 0
            #: How much the clauses around count, as a power of e: the clause itself first, then `AROUND`, then `FIRST`.
            self._near: Floats = np.exp(kept["near"].astype(np.float32))
            #: What a clause's own mean says of how much more those count than so, as a power of e.
            self._wants: Floats = kept["wants"].astype(np.float32)
            self._columns: Floats = kept["columns"].astype(np.float32)
            self._bias: Floats = kept["bias"].astype(np.float32)
            #: A layer of which only the positive part counts, for what several words mean together.
            self._inner: Floats = kept["inner"].astype(np.float32)
            self._outer: Floats = kept["outer"].astype(np.float32)
        self._middle: Floats = self._columns.mean(axis=1)
        self.places = {label: at for at, label in enumerate(self.labels)}
        self.trades = np.array([trade_of(label) for label in self.labels])

    def meant(self, texts: Sequence[str]) -> Meaning:
        """What the clauses of a request mean, read with one another."""
        pieces = [self._pieces.of(text) for text in texts]
        places = [place for found in pieces for place, _ in found]
        # Looked up for all clauses at once.
        counts, vectors = self._counts[places], self._vectors[places].astype(np.float32)
        weights = counts * self._scales[places]
        sums = np.zeros((len(texts), vectors.shape[1]), np.float32)
        totals = np.full(len(texts), 1e-6, np.float32)
        end = 0
        for number, found in enumerate(pieces):
            start, end = end, end + len(found)
            if found:
                sums[number] = weights[start:end] @ vectors[start:end]
                totals[number] += counts[start:end].sum()
        read, weight = sums * self._near[0], totals * self._near[0]
        wants = np.exp(np.clip(sums / totals[:, None] @ self._wants, -MOST_WANTED, MOST_WANTED))
        for near, step in zip(self._near[1:], AROUND, strict=False):
            # The part of the clauses that has one so far before (or behind) it, and those.
            here, there = (
                slice(max(0, -step), len(texts) - max(0, step)),
                slice(max(0, step), len(texts) + min(0, step)),
            )
            if abs(step) < len(texts):
                read[here] += near * wants[here, None] * sums[there]
                weight[here] += near * wants[here] * totals[there]
        read[FIRST - 1 :] += self._near[FIRST] * wants[FIRST - 1 :, None] * sums[:1]
        weight[FIRST - 1 :] += self._near[FIRST] * wants[FIRST - 1 :] * totals[:1]
        means = read / weight[:, None]
        scores = means @ self._columns + np.maximum(means @ self._inner, 0) @ self._outer + self._bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True)) if len(texts) else scores
        unread = np.full(len(texts), np.nan, np.float32)
        none = np.zeros((len(texts), 0), np.float32)
        return Meaning(self, texts, pieces, powers / powers.sum(axis=1, keepdims=True), unread, none)

    def speaking(self, pieces: Sequence[tuple[int, int]], task_id: str) -> frozenset[int]:
        """Where the words start, of those with these pieces, that speak for a task."""
        places = [place for place, _ in pieces]
        column = self._columns[:, self.places[task_id]] - self._middle
        weights = self._counts[places] * self._scales[places]
        pulls = (weights * (self._vectors[places].astype(np.float32) @ column)).tolist()
        least = max([0.0, *pulls]) * _SPEAKS
        return frozenset([start for (_, start), pull in zip(pieces, pulls, strict=True) if pull > least])

    def unmet(self, pieces: Sequence[tuple[int, int]]) -> frozenset[int]:
        """Where the words start, of those with these pieces, that nothing it was fitted on has."""
        return frozenset([start for place, start in pieces if not self._met[place]])


@cache
def chooser() -> Chooser:
    """The chooser with the weights of this version, read once."""
    return Chooser(WEIGHTS)
