"""Encoding: a request read whole, each clause with the work that is around it.

A small transformer (BERT, Devlin et al. 2019; docs/adr/0027-a-second-reader.md) gives each piece of a word a vector
that knows what stands around it, which the bag of `choosing` does not: the order of words, and what "it" is. A clause
is the mean of its pieces, once as they are and once by how much each counts. Columns behind that say whether the
clause asks for work, and for which task. It begins as the six layers of a sentence encoder and is fitted by
`tools.drafting.encoding`; its products are of whole numbers of eight bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime

from server.domain.drafting.wordpieces import Vocabulary

NETWORK = Path(__file__).with_name("encoding.onnx")
WEIGHTS = Path(__file__).with_name("encoding_weights.npz")
#: One product of bytes without sign by bytes with one, as the layers have them; all of its weights are 127.
PRODUCT = Path(__file__).with_name("product.onnx")
#: Pieces that are read at a time, and how many of those before are read again with them.
WINDOW, AGAIN = 320, 60
#: Pieces of a request that are read: about 20,000 characters.
MOST_READ = 5000
#: Below whatever a piece counts.
_LEAST = -1e9
#: Clauses whose means are taken together.
_TOGETHER = 16

Floats = npt.NDArray[np.float32]
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """How likely each clause of a request asks for work, the chances of its tasks, a row for each clause, the numbers
    that it is known by, and which clauses were read at all: a request may have more than is read, and a clause no
    word."""

    asks: Floats
    chances: Floats
    means: Floats
    read: npt.NDArray[np.bool_]


class Encoder:
    """Reads requests. Read-only: one instance serves every thread."""

    def __init__(self) -> None:
        self._session = _session(NETWORK, exact=not products_are_exact())
        with np.load(WEIGHTS, allow_pickle=False) as kept:
            self.labels: list[str] = str(kept["labels"]).split()
            self._vocabulary = Vocabulary(str(kept["pieces"]).split("\n"))
            #: How much a piece counts in its clause, as a power of e: "the" little, "gutter" much.
            self._counts: Floats = kept["counts"].astype(np.float32)
            #: Columns of the tasks and behind them that of asking, for the weighed mean and then for the plain one.
            self._columns: Floats = kept["columns"].astype(np.float32, order="C")
            self._bias: Floats = kept["bias"].astype(np.float32)

    def read(self, text: str, clauses: Sequence[Range]) -> Reading:
        """What the clauses of a request, given by where they start and end, ask for."""
        places, starts = (all_of_it[:MOST_READ] for all_of_it in self._vocabulary.whole(text))
        vectors = self._vectors(places)
        first, last = np.searchsorted(starts, np.reshape(clauses, (-1, 2)).T)
        counts = vectors @ self._counts
        means = np.zeros((len(clauses), 2 * vectors.shape[1]), np.float32)
        for start in range(0, len(clauses), _TOGETHER):
            some = slice(start, start + _TOGETHER)
            means[some] = _means(vectors, counts, first[some], last[some])
        # Two products take half as long as one of twice the width, of so few clauses.
        width = vectors.shape[1]
        scores = means[:, :width] @ self._columns[:width] + means[:, width:] @ self._columns[width:] + self._bias
        powers = np.exp(scores[:, :-1] - scores[:, :-1].max(axis=1, keepdims=True))
        asks = np.asarray(1 / (1 + np.exp(-scores[:, -1])), np.float32)
        return Reading(asks, powers / powers.sum(axis=1, keepdims=True), means, last > first)

    def _vectors(self, places: Sequence[int]) -> Floats:
        """A vector for each piece, read in parts that overlap."""
        ends, parts = self._vocabulary, []
        for start in range(0, len(places), WINDOW):
            before = max(0, start - AGAIN)
            part = np.array([ends.first, *places[before : start + WINDOW], ends.last], np.int64)
            (vectors,) = self._session.run(None, {"pieces": part})
            parts.append(vectors[1 + start - before : -1])
        return np.concatenate(parts) if parts else np.zeros((0, len(self._counts)), np.float32)


def products_are_exact() -> bool:
    """Whether products of bytes are what they should be. Processors without VNNI add pairs of them in 16 bits, which
    saturate: the same request would be read otherwise there."""
    session = _session(PRODUCT, exact=False)
    (given,) = session.get_inputs()
    (products,) = session.run(None, {given.name: np.full((1, given.shape[1]), 255, np.uint8)})
    return bool((products == given.shape[1] * 255 * 127).all())


def _session(file: Path, *, exact: bool) -> onnxruntime.InferenceSession:
    """What computes a network; ``exact`` asks for products of bytes that saturate nowhere, which take twice as long
    where the others are exact, too."""
    options = onnxruntime.SessionOptions()
    # A request is too small to share: helping threads would only wait, and keep processors busy.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.x64quantprecision", str(int(exact)))
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def _means(vectors: Floats, counts: Floats, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]) -> Floats:
    """The means of runs of vectors, by how much each counts and, beside that, as they are."""
    # The runs stand together: what is before and behind them is left alone.
    begin, end = first.min(), last.max()
    at, vectors = np.arange(begin, end), vectors[begin:end]
    own = (at >= first[:, None]) & (at < last[:, None])
    counted = np.where(own, counts[begin:end], -np.inf)
    powers = np.exp(counted - counted.max(axis=1, keepdims=True, initial=_LEAST))
    return np.concatenate([_shares(powers) @ vectors, _shares(own) @ vectors], axis=1)


def _shares(parts: npt.NDArray[np.generic]) -> Floats:
    """Each row as shares of its sum; of none where it has nothing."""
    return np.asarray(parts / np.maximum(parts.sum(axis=1, keepdims=True), 1e-9), np.float32)


@cache
def encoder() -> Encoder:
    """The encoder with the weights of this version, read once."""
    return Encoder()
