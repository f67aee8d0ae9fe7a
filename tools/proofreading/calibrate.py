"""Fits which word was probably meant, and how likely that is right: ``python -m tools.proofreading.calibrate``.

Labelled words: unknown words of Chicago building permits with their neighbours and what was meant, nothing where the
word is right as it stands or is no single word (`labelled_words.tsv`; names are left out, their capitals tell them),
misspellings of our own writing (`MISSPELLINGS`), some in a sentence, and words of our own lists that are right as they
stand, here taken out of what is known. All of it was labelled for this project.

What slips cost is fitted first, so that the word that was meant comes before the others that are near (a softmax over
them), then the confidence in the first. Folds are by word, so the printed figures are of words that no fit has seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import numpy as np

from server.domain.proofreading.proofreader import SURE, THRESHOLD
from server.domain.proofreading.slips import KINDS, Slips
from server.domain.proofreading.spelling import FIXED, SIGNS, TELLS, Likelihood, Speller, Sureness
from server.domain.proofreading.words import Lexicon, words
from server.proofreading import WORD_LISTS, lexicon_without
from tools.evaluation.calibration import calibration_error

HERE = Path(__file__).parent
_EVALUATION = HERE.parent / "evaluation"
#: Misspelled word, what was meant, and in some a sentence that it stands in.
MISSPELLINGS = tuple(
    _EVALUATION / name
    for name in (
        "misspellings.tsv",
        "proofreading_fresh_misspellings.tsv",
        "proofreading_learn_misspellings.tsv",
        "proofreading_burned_misspellings.tsv",
    )
)
COSTS = WORD_LISTS / "slips.json"
#: In the comment above those of the trade words that no other list had; how much a word that is right counts in the fit
#: of confidence, beside one that is misspelled: texts have fewer of them.
_RIGHT, _RIGHT_WEIGHT = "calibrate takes them", 0.4
#: Keeps the weights of signs that few words have small; costs near where they were.
RIDGE, COST_RIDGE = 0.5, 0.2
#: A letter's cost as odds, where the fit begins, and the least that a slip costs.
_LETTER, _LEAST = 7.0, 0.05
_NEWTON, _STEP = 12, 1e-4
FOLDS = 5
EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Label:
    """An unknown word between its neighbours (folded, empty where there is none), and what was meant, if anything."""

    before: str
    word: str
    after: str
    meant: str

    @property
    def fold(self) -> int:
        """Which fold tests it."""
        return int(hashlib.sha256(self.word.encode()).hexdigest(), 16) % FOLDS


def main() -> None:
    """Fit, print how well words are told that were not fitted to, and write the weights."""
    right = right_words()
    lexicon = lexicon_without(right)
    costs: Mapping[str, float] = json.loads(COSTS.read_bytes())
    speller = _speller(lexicon, costs)
    every = [*labelled(), *(Label("", word, "", "") for word in sorted(right))]
    labels = [one for one in every if one.word not in FIXED and speller.corrects(one.word)]
    samples = [_sample(speller, one, costs) for one in labels if one.meant in lexicon.ranks]
    tested: list[_Told] = []
    for fold in range(FOLDS):
        fitted = fit_costs([one for one in samples if one.label.fold != fold], costs)
        tested += _told(_speller(lexicon, fitted), [one for one in labels if one.fold == fold])
    print(f"{len(samples)} misspellings, {sum(one.right for one in tested)} with the right word first")
    print_confidence(tested)
    costs = fit_costs(samples, costs)
    COSTS.write_text(f"{json.dumps(costs, indent=1)}\n", "utf-8")
    sureness = fit(*_arrays(_told(_speller(lexicon, costs), labels)))
    text = json.dumps({"bias": sureness.bias, "weights": dict(zip(SIGNS, sureness.weights, strict=True))}, indent=1)
    (WORD_LISTS / "sureness.json").write_text(f"{text}\n", "utf-8")


def print_confidence(tested: Sequence[_Told]) -> None:
    """Print how often first candidates are right, by what is told of each by a fit without its fold."""
    folds = np.array([one.label.fold for one in tested])
    signs, right, weight = _arrays(tested)
    told = np.zeros(len(tested))
    for fold in range(FOLDS):
        sureness = fit(signs[folds != fold], right[folds != fold], weight[folds != fold])
        told[folds == fold] = [sureness(tuple(row)) for row in signs[folds == fold]]
    for low, high in pairwise(EDGES):
        inside = (told >= low) & ((told < high) | (high == 1.0))
        if inside.any():
            print(f"  {low:.2f} to {high:.2f}: {inside.sum()} words, told {told[inside].mean():.3f}, "
                  f"right {right[inside].mean():.3f}")  # fmt: skip
    print(f"calibration error {calibration_error(zip(map(Decimal, told), right > 0, strict=True)):.3f}")
    meant = np.array([bool(one.label.meant) for one in tested])
    for limit in (THRESHOLD, SURE):
        print(f"at {limit}: {(told[~meant] >= limit).sum()} of {(~meant).sum()} words told wrong that are right")
        print(f"at {limit}: {right[told >= limit].mean():.3f} right of {(told >= limit).sum()}")


def right_words() -> frozenset[str]:
    """Words of our own lists that no other has: what unknown words that are right are like."""
    of_trades = (HERE / "trade_words.txt").read_text("utf-8").partition(_RIGHT)[2]
    names = (HERE / "known_words.txt").read_text("utf-8")
    lines = [*of_trades.splitlines()[1:], *names.splitlines()]
    return frozenset(word for line in lines for word in line.partition("#")[0].split())


def labelled() -> Iterator[Label]:
    """Every labelled word."""
    yield from permit_labels()
    for file in MISSPELLINGS:
        for line in file.read_text("utf-8").splitlines():
            wrong, meant, *sentence = line.split("\t")
            yield _in_sentence(wrong, meant, sentence[0] if sentence else wrong)


def permit_labels() -> Iterator[Label]:
    """Those of permits."""
    for line in (HERE / "labelled_words.tsv").read_text("utf-8").splitlines():
        yield Label(*line.split("\t"))


def _in_sentence(wrong: str, meant: str, sentence: str) -> Label:
    folded = [word.folded for word in words(sentence)]
    index = folded.index(wrong.lower())
    before, after = folded[index - 1] if index else "", folded[index + 1] if index + 1 < len(folded) else ""
    return Label(before, wrong.lower(), after, meant.lower())


@dataclass(frozen=True, slots=True)
class _Sample:
    """A label; of each word that is near how often it has each kind of slip and what else tells of it; and which of
    them was meant."""

    label: Label
    counts: np.ndarray
    meant: int


def _sample(speller: Speller, label: Label, costs: Mapping[str, float]) -> _Sample:
    """How often a kind of slip is in an alignment is how much the total changes with its cost."""
    near = sorted({*speller.near(label.word), label.meant})
    slips, changed = Slips(costs), [Slips({**costs, kind: costs[kind] + _STEP}) for kind in KINDS]
    rows = []
    for other in near:
        total = slips(label.word, other)
        counts = [(one(label.word, other) - total) / _STEP for one in changed]
        rows.append([*counts, *speller.tells(label.word, other, label.before, label.after)])
    return _Sample(label, np.array(rows), near.index(label.meant))


def _speller(lexicon: Lexicon, costs: Mapping[str, float]) -> Speller:
    return Speller(lexicon, "US", Likelihood.of(costs), Sureness(0.0, (0.0,) * len(SIGNS)))


def fit_costs(samples: Sequence[_Sample], costs: Mapping[str, float]) -> dict[str, float]:
    """The costs at which what was meant is likeliest (a softmax over what is near), by Newton's method, close to those
    given, by which the samples are aligned: another run may find them a little better."""
    names = (*KINDS, *TELLS)
    begin = np.array([costs[name] for name in names]) * _LETTER
    weights = begin
    for _ in range(_NEWTON):
        slope, curve = 2 * COST_RIDGE * (weights - begin), 2 * COST_RIDGE * np.eye(len(names))
        for sample in samples:
            cost = sample.counts @ weights
            odds = np.exp(cost.min() - cost)
            likely = odds / odds.sum()
            apart = sample.counts - likely @ sample.counts
            slope += apart[sample.meant]
            curve += (apart.T * likely) @ apart
        step = np.linalg.solve(curve, slope)
        weights = weights - step * min(1.0, 2 / np.abs(step).max())
    letter = weights[names.index("letter")]
    fitted = {name: round(float(weight / letter), 3) for name, weight in zip(names, weights, strict=True)}
    return fitted | {kind: max(_LEAST, fitted[kind]) for kind in KINDS}


@dataclass(frozen=True, slots=True)
class _Told:
    """The signs of the first candidate for a label, and whether it is right."""

    label: Label
    signs: tuple[float, ...]
    right: bool


def _told(speller: Speller, labels: Sequence[Label]) -> list[_Told]:
    found = [(one, speller.meant(one.word, one.before, one.after)) for one in labels]
    return [_Told(one, speller.signs(one.word, near), near[0].word == one.meant) for one, near in found if near]


def _arrays(tested: Sequence[_Told]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return (
        np.array([one.signs for one in tested]),
        np.array([one.right for one in tested], dtype=float),
        np.array([1.0 if one.label.meant else _RIGHT_WEIGHT for one in tested]),
    )


def fit(signs: np.ndarray, right: np.ndarray, weight: np.ndarray) -> Sureness:
    """Logistic regression with a ridge, by Newton's method."""
    scale = signs.std(axis=0) + 1e-9
    columns = np.column_stack([np.ones(len(signs)), signs / scale])
    weights = np.zeros(columns.shape[1])
    ridge = np.diag([0.0, *[RIDGE] * signs.shape[1]])
    for _ in range(50):
        told = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (weight * (right - told)) - ridge @ weights
        weights += np.linalg.solve((columns.T * (weight * told * (1 - told))) @ columns + ridge, slope)
    return Sureness(round(float(weights[0]), 4), tuple(round(float(one), 4) for one in weights[1:] / scale))


if __name__ == "__main__":
    main()
