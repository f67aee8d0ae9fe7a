"""Fits the weights of `server.domain.drafting.asking`: ``python -m tools.drafting.asking`` prints what they are worth
on requests they were not fitted on, --write keeps the ones fitted on all.

They are fitted on the labelled requests of `tools.evaluation.drafting`, on `requests.txt` and on `told.txt`: one text a
line, with [[…]] around what it asks for; most of the last ask for little or nothing, because the labelled requests have
few of that kind.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

from server.domain.drafting import asking
from server.domain.drafting.engine import Drafter
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.quantities import find_quantities
from server.domain.drafting.segments import split_request
from server.embedded import load_embedded
from tools.drafting.marks import REQUESTS, TOLD, marked, of_labels
from tools.evaluation.drafting import SETS, UNSEEN, Request, draft_all, figures, read_requests

#: Sets that may be learned from.
LEARNED = tuple(name for name in SETS if name not in UNSEEN)
#: A feature of fewer texts or clauses than this says nothing.
RAREST = 3
#: Weight of the quadratic penalty, for whole texts and for clauses.
TEXT_PENALTY, CLAUSE_PENALTY = 2.0, 4.0
ROUNDS = 300
SHOWN = ("Recall", "Precision", "F1", "Exclusions charged", "Texts without work charged")

Example = tuple[frozenset[str], bool]
Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Examples:
    """What one text teaches: the text itself, and its clauses that name something of the catalogue."""

    text: Example
    clauses: tuple[Example, ...]

    @classmethod
    def of(cls, text: str, wanted: Sequence[tuple[int, int]], index: TaskIndex) -> Examples:
        """``wanted`` are the ranges of the text that ask for work."""
        clauses = split_request(text, find_quantities(text), index.repaired)
        features = asking.Features.of(text, clauses, index)
        return cls(
            (features.text, bool(wanted)),
            tuple(
                (of, any(start < clause.end and clause.start < end for start, end in wanted))
                for clause, of in zip(clauses, features.clauses, strict=True)
                if any(index.knows(word.lemma) for word in index.words(clause.tokens))
            ),
        )


def fit(of: Sequence[Example], penalty: float) -> Weights:
    """Weights of a logistic regression with a quadratic penalty, by adaptive gradient descent from zero."""
    counts = Counter(feature for features, _ in of for feature in features)
    names = sorted(name for name, count in counts.items() if count >= RAREST)
    place = {name: number for number, name in enumerate(names)}
    known = [[place[name] for name in sorted(features) if name in place] for features, _ in of]
    rows = np.repeat(np.arange(len(known)), [len(one) for one in known])
    columns = np.concatenate([np.array(one, dtype=int) for one in known])
    right = np.array([asked for _, asked in of], dtype=float)
    weights, steps = np.zeros(len(names)), np.full(len(names), 1e-6)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.bincount(rows, weights=weights[columns], minlength=len(of))))
        slope = np.bincount(columns, weights=(chance - right)[rows], minlength=len(names)) + penalty * weights
        steps += slope * slope
        weights -= 0.5 * slope / np.sqrt(steps)
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= 0.02}


def fit_both(of: Iterable[Examples]) -> tuple[Weights, Weights]:
    """The weights for texts and those for clauses."""
    examples = list(of)
    return fit([one.text for one in examples], TEXT_PENALTY), fit(
        [clause for one in examples for clause in one.clauses], CLAUSE_PENALTY
    )


@dataclass(frozen=True, slots=True)
class Teaching:
    """All that the weights may be learned from: the labelled sets, and the marked requests by their line."""

    sets: Mapping[str, Sequence[Request]]
    learned: Mapping[str, Sequence[Examples]]
    told: Mapping[str, Examples]

    @classmethod
    def read(cls, index: TaskIndex) -> Teaching:
        """The labelled sets that are there, and the marked requests."""
        sets = {name: read_requests(SETS[name]) for name in LEARNED if SETS[name].exists()}
        learned = {
            name: [
                Examples.of(one.text, [(mark.start, mark.end) for mark in of_labels(one)], index) for one in requests
            ]
            for name, requests in sets.items()
        }
        told = {}
        for line in (line for file in (TOLD, REQUESTS) for line in file.read_text("utf-8").splitlines()):
            text, wanted = marked(line)
            told[line] = Examples.of(text, [(mark.start, mark.end) for mark in wanted], index)
        return cls(sets, learned, told)

    def weights(self, *, without: Container[str] = (), marks: Iterable[str] | None = None) -> tuple[Weights, Weights]:
        """Weights fitted on all, on all but the sets ``without``, of the marked requests on the lines ``marks``."""
        told = self.told.values() if marks is None else [self.told[line] for line in marks]
        return fit_both([*told, *(one for name, some in self.learned.items() if name not in without for one in some)])


@contextmanager
def using(text: Weights, clause: Weights) -> Iterator[None]:
    """Read with these weights for texts and clauses."""
    kept = asking.weights()
    with patch.dict(kept.text, text, clear=True), patch.dict(kept.clause, clause, clear=True):
        yield


def main() -> None:
    """Print the figures of each set with weights fitted on the others; with --write keep those fitted on all."""
    parser = argparse.ArgumentParser(prog="python -m tools.drafting.asking", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all sets")
    options = parser.parse_args()
    embedded = load_embedded()
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    teaching = Teaching.read(TaskIndex.build(embedded.catalogue))
    if options.write:
        write(*teaching.weights())
    for held, requests in teaching.sets.items():
        print(held)
        rows = {}
        for named, (text, clause) in {
            "rules alone": ({"BIAS": 99.0}, {"BIAS": 99.0}),
            "with weights of the other sets": teaching.weights(without={held}),
        }.items():
            with using(text, clause):
                rows[named] = figures(draft_all(drafter, requests))
        for name in SHOWN:
            print(f"  {name}: {', '.join(row[name] for row in rows.values())}")


def write(text: Weights, clause: Weights) -> None:
    """Keep them as `asking.weights` reads them."""
    rows = (
        f"{table}\t{feature}\t{weight}"
        for table, weights in (("text", text), ("clause", clause))
        for feature, weight in sorted(weights.items())
    )
    asking.WEIGHTS.write_text("\n".join((*rows, "")), encoding="utf-8")


if __name__ == "__main__":
    main()
