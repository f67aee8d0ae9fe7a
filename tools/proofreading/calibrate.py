"""Fits how likely a correction of an unknown word is right: ``python -m tools.proofreading.calibrate``.

Labelled words: unknown words of Chicago building permits with their neighbours and what was meant, nothing where the
word is right as it stands or is no single word (`labelled_words.tsv`; names are left out, their capitals tell them),
and misspellings of our own writing (`tools/evaluation/misspellings.tsv`). All
of it was labelled for this project. Folds are by word, so the printed figures are of words that the fit has not seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import numpy as np

from server.domain.proofreading.proofreader import SURE, THRESHOLD
from server.domain.proofreading.spelling import SIGNS, Speller, Sureness
from server.proofreading import WORD_LISTS, load_proofreader
from tools.evaluation.calibration import calibration_error

HERE = Path(__file__).parent
MISSPELLINGS = HERE.parent / "evaluation" / "misspellings.tsv"
#: Keeps the weights of signs that few words have small.
RIDGE = 0.5
FOLDS = 5
EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def main() -> None:
    """Fit, print how well words are told that were not fitted to, and write the weights."""
    speller = load_proofreader().speller("US")
    words, signs, right = _samples(speller)
    folds = np.array([int(hashlib.sha256(word.encode()).hexdigest(), 16) % FOLDS for word in words])
    told = np.zeros(len(words))
    for fold in range(FOLDS):
        sureness = fit(signs[folds != fold], right[folds != fold])
        told[folds == fold] = [sureness(tuple(row)) for row in signs[folds == fold]]
    print(f"{len(words)} words, {int(right.sum())} whose first suggestion is right")
    for low, high in pairwise(EDGES):
        inside = (told >= low) & ((told < high) | (high == 1.0))
        if inside.any():
            print(f"  {low:.2f} to {high:.2f}: {inside.sum()} words, told {told[inside].mean():.3f}, "
                  f"right {right[inside].mean():.3f}")  # fmt: skip
    print(f"calibration error {calibration_error(zip(map(Decimal, told), right > 0, strict=True)):.3f}")
    for limit in (THRESHOLD, SURE):
        print(f"at {limit}: {right[told >= limit].mean():.3f} right of {(told >= limit).sum()}")
    final = fit(signs, right)
    weights = dict(zip(SIGNS, final.weights, strict=True))
    text = json.dumps({"bias": final.bias, "weights": weights}, indent=1)
    (WORD_LISTS / "sureness.json").write_text(f"{text}\n", "utf-8")


def labelled() -> Iterator[tuple[str, str, str, str]]:
    """Word before, unknown word, word after, what was meant."""
    for line in (HERE / "labelled_words.tsv").read_text("utf-8").splitlines():
        before, word, after, meant = line.split("\t")
        yield before, word, after, meant
    for line in MISSPELLINGS.read_text("utf-8").splitlines():
        word, meant = line.split("\t")
        yield "", word, "", meant


def _samples(speller: Speller) -> tuple[list[str], np.ndarray, np.ndarray]:
    words, signs, right = [], [], []
    for before, word, after, meant in labelled():
        found = speller.meant(word, before, after) if speller.corrects(word) else ()
        if found:
            words.append(word)
            signs.append(speller.signs(word, found))
            right.append(found[0].word == meant)
    return words, np.array(signs), np.array(right, dtype=float)


def fit(signs: np.ndarray, right: np.ndarray) -> Sureness:
    """Logistic regression with a ridge, by Newton's method."""
    scale = signs.std(axis=0) + 1e-9
    columns = np.column_stack([np.ones(len(signs)), signs / scale])
    weights = np.zeros(columns.shape[1])
    ridge = np.diag([0.0, *[RIDGE] * signs.shape[1]])
    for _ in range(50):
        told = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (right - told) - ridge @ weights
        weights += np.linalg.solve((columns.T * (told * (1 - told))) @ columns + ridge, slope)
    return Sureness(round(float(weights[0]), 4), tuple(round(float(one), 4) for one in weights[1:] / scale))


if __name__ == "__main__":
    main()
