"""Fits the weights of `server.domain.drafting.choosing`: ``python -m tools.drafting.choosing`` prints how many
phrasings that it was not fitted on find their task, --write keeps the weights fitted on all.

It is fitted on the names of the catalogue, alone and behind the task's verbs, and on `phrasings.tsv`: a task id, or
``none`` for words that ask for no task, and how a person says it. No labelled request is in it, so that
`tools.evaluation.drafting` measures it on words that it has not seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from server.domain.drafting.actions import action_of
from server.domain.drafting.choosing import WEIGHTS, features
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.numbers import tokenize
from server.domain.drafting.quantities import Role, find_quantities
from server.embedded import load_embedded

PHRASINGS = Path(__file__).with_name("phrasings.tsv")
#: How much a name, a name behind a verb and a phrasing weigh.
NAME, WITH_VERB, PHRASING = 1.0, 0.5, 2.0
#: Verbs of a task that its names are put behind.
VERBS = 2
ROUNDS, BATCH, STEP = 8, 128, 0.6
#: Weights below this are not kept.
SMALLEST = 0.05
#: Shares of the phrasings that are left out in turn.
FOLDS = 5

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    """What words mean: a task or ``none``, their features, how much they weigh."""

    label: str
    features: tuple[str, ...]
    weight: float


def said(text: str, index: TaskIndex) -> tuple[str, ...]:
    """The features of a text of one clause; figures are no words, ratings are."""
    measured = frozenset(
        place
        for figure in find_quantities(text)
        if figure.role is not Role.RATING
        for place in range(figure.span.start, figure.span.end)
    )
    return ("BIAS", *features(index.words(tokenize(text), measured=measured)))


def of_names(index: TaskIndex) -> list[Example]:
    """The names of every task, alone and behind its verbs."""
    found = []
    for task in index.catalogue.tasks.values():
        for name in dict.fromkeys((*task.names, task.name.replace(",", ""))):
            found.append(Example(task.task_id, said(name, index), NAME))
            found += [
                Example(task.task_id, said(f"{verb} {name}", index), WITH_VERB)
                for verb in task.verbs[:VERBS]
                if all(action_of(word) != verb for word in name.split())
            ]
    return found


def of_phrasings(index: TaskIndex) -> list[Example]:
    """`phrasings.tsv`, in its order."""
    rows = (line.split("\t") for line in PHRASINGS.read_text("utf-8").splitlines())
    return [Example(label, said(text, index), PHRASING) for label, text in rows]


class Model:
    """A multinomial logistic model whose tasks have weights only for features that they were seen with."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.labels = sorted({one.label for one in examples})
        self.places = {name: at for at, name in enumerate(sorted({name for one in examples for name in one.features}))}
        self.weights: Floats = np.zeros((len(self.places), len(self.labels)), np.float32)
        self._fit(examples)

    def _fit(self, examples: Sequence[Example]) -> None:
        """Adaptive gradient descent, always in the same order."""
        numbers = {label: at for at, label in enumerate(self.labels)}
        wanted = np.array([numbers[one.label] for one in examples])
        share = np.array([one.weight for one in examples], np.float32)
        columns = [np.array([self.places[name] for name in one.features]) for one in examples]
        seen = np.zeros(self.weights.shape, bool)
        for at, known in enumerate(columns):
            seen[known, wanted[at]] = True
        seen[self.places["BIAS"]] = True
        steps = np.full(len(self.places), 1e-3, np.float32)
        order = np.random.default_rng(0)
        for _ in range(ROUNDS):
            shuffled = order.permutation(len(examples))
            for start in range(0, len(examples), BATCH):
                batch = shuffled[start : start + BATCH]
                flat = np.concatenate([columns[at] for at in batch])
                lengths = np.array([len(columns[at]) for at in batch])
                wrong = self._chances(flat, lengths)
                wrong[np.arange(len(batch)), wanted[batch]] -= 1
                wrong *= share[batch][:, None]
                sorted_by = np.argsort(flat, kind="stable")
                names, firsts = np.unique(flat[sorted_by], return_index=True)
                rows = np.repeat(np.arange(len(batch)), lengths)[sorted_by]
                slope = np.add.reduceat(wrong[rows], firsts, axis=0) * seen[names]
                steps[names] += (slope * slope).sum(axis=1)
                self.weights[names] -= STEP * slope / np.sqrt(steps[names])[:, None]

    def _chances(self, flat: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Floats:
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        scores = np.add.reduceat(self.weights[flat], starts, axis=0)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)

    def likeliest(self, example: Example) -> tuple[str, float]:
        """The likeliest label and its chance."""
        known = np.array([self.places[name] for name in example.features if name in self.places])
        chances = self._chances(known, np.array([len(known)]))[0]
        return self.labels[int(chances.argmax())], float(chances.max())

    def table(self) -> str:
        """The labels, and below them a line a feature: ``<feature>\\t<label number>:<hundredths> …``."""
        rows = [" ".join(self.labels)]
        for name, at in self.places.items():
            kept = np.flatnonzero(np.abs(self.weights[at]) >= SMALLEST)
            if len(kept):
                rows.append(f"{name}\t{' '.join(f'{label}:{round(self.weights[at, label] * 100)}' for label in kept)}")
        return "\n".join((*rows, ""))


def main() -> None:
    """Print what is found of phrasings left out; with --write keep the weights fitted on all."""
    parser = argparse.ArgumentParser(prog="python -m tools.drafting.choosing", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all names and phrasings")
    options = parser.parse_args()
    index = TaskIndex.build(load_embedded().catalogue)
    names, phrasings = of_names(index), of_phrasings(index)
    if options.write:
        WEIGHTS.write_text(Model([*names, *phrasings]).table(), encoding="utf-8")
        return
    found = []
    for fold in range(FOLDS):
        model = Model([*names, *(one for at, one in enumerate(phrasings) if at % FOLDS != fold)])
        found += [(one.label, *model.likeliest(one)) for one in phrasings[fold::FOLDS]]
    tasks = [(label, guess, chance) for label, guess, chance in found if label != "none"]
    print(f"{len(tasks)} phrasings of tasks: {sum(label == guess for label, guess, _ in tasks) / len(tasks):.3f} right")
    for least in (0.3, 0.5, 0.7, 0.9):
        sure = [label == guess for label, guess, chance in found if chance >= least and guess != "none"]
        print(f"  chance {least} or more: {len(sure)} of all {len(found)}, {sum(sure) / len(sure):.3f} right")


if __name__ == "__main__":
    main()
