"""Whether a clause tells that the customer supplies something: has it, buys it, brings it, or asks for fitting alone.

People say it in more ways than patterns hold ("it came with the house, in the crate", "Lowes dropped it"), so beside
those of `cues` stands a logistic model over the words of a clause and of those before and behind it, and over the
numbers by which the second reader knows the clause. `tools.drafting.supplying` fits it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from server.domain.drafting.asking import logistic
from server.domain.drafting.choosing import Meaning
from server.domain.drafting.encoding import Floats
from server.domain.drafting.wordpieces import words_of

WEIGHTS = Path(__file__).with_name("supplying_weights.npz")


@dataclass(frozen=True, slots=True)
class Weights:
    """What words and numbers say for supply (above 0) or against it."""

    words: Mapping[str, float]
    numbers: Floats
    bias: float


@cache
def weights() -> Weights:
    """The weights of this version, read once."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        words = zip(str(kept["words"]).split("\n"), kept["of_words"].astype(float).tolist(), strict=True)
        return Weights(dict(words), kept["numbers"].astype(np.float32), float(kept["bias"]))


def features(texts: Sequence[str]) -> Iterator[frozenset[str]]:
    """What is weighed of the words of each clause of a request: they, their pairs, and the words of the clauses right
    before and behind."""
    words = [[word for word, _ in words_of(text)] for text in texts]
    for place, own in enumerate(words):
        pairs = [f"{first} {second}" for first, second in pairwise(["^", *own, "$"])]
        before = [f"P {word}" for word in (words[place - 1] if place else ["^^"])]
        behind = [f"N {word}" for word in (words[place + 1] if place + 1 < len(words) else ["$$"])]
        yield frozenset([*own, *pairs, *before, *behind])


def chances(meaning: Meaning) -> list[float]:
    """How likely each clause of a request tells of supply; 0 of a request that was read by its words alone."""
    known = weights()
    if meaning.means.shape[1] != len(known.numbers):
        return [0.0] * len(meaning.texts)
    scores = (meaning.means @ known.numbers + known.bias).tolist()
    return [
        # fsum: as in `asking.chance`.
        logistic(score + math.fsum(filter(None, map(known.words.get, of))))
        for score, of in zip(scores, features(meaning.texts), strict=True)
    ]
