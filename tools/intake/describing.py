"""Fits the weights of `server.domain.intake.describing`: ``python -m tools.intake.describing`` prints what they are
worth on rounds of notes that they were not fitted on, --write keeps the ones fitted on all.

A run of clauses is right where it says what the label says (`describing.alike`). The likelihood of the right runs,
those closest to the label most, is maximized with a quadratic penalty.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from server.domain.intake import describing_weights
from server.domain.intake.clauses import Clause
from server.domain.intake.describing import ALIKE, Features, alike, may_end, readings, run_features
from server.domain.intake.reading import IntakeReader
from server.embedded import load_embedded
from server.intake import intake_reader
from tools.evaluation.intake import CASES, Case

MODULE = Path(describing_weights.__file__)
#: A feature of fewer clauses says nothing.
RAREST = 5
PENALTY = 4.0
ROUNDS = 200
_RATE = 0.05
#: How much more a closer run is aimed at.
_SHARPNESS = 30.0
#: Smaller weights are not kept.
_SMALLEST = 0.02
#: Notes of more clauses teach nothing about how people write.
_MOST_CLAUSES = 60
_BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)

Weights = dict[str, float]
Array = np.ndarray


@dataclass(frozen=True, slots=True)
class Example:
    """A note in clauses with its description; how near each run comes to it (0–1, by first and last clause)."""

    case: Case
    clauses: list[Clause]
    features: Features
    runs: Mapping[tuple[int, int], tuple[str, str]]
    near: Array

    @classmethod
    def of(cls, case: Case, reader: IntakeReader) -> Example:
        """``case`` has a description."""
        clauses = reader.clauses(case.profile, case.text, case.context)
        count = len(clauses)
        near = np.zeros((count, count))
        runs, ends = {}, may_end(clauses)
        wanted = _counted(case.fields["description"])
        for first in range(count):
            for last in range(first, count):
                if not ends[last]:
                    continue
                runs[first, last] = run_features(clauses, case.text, first, last)
                near[first, last] = _dice(_counted(case.text[clauses[first].start : clauses[last].end]), wanted)
        return cls(case, clauses, Features.of(clauses), runs, near)

    @property
    def teaches(self) -> bool:
        """Whether a run says what the label says."""
        return 0 < len(self.clauses) <= _MOST_CLAUSES and self.near.max() >= ALIKE


def examples(reader: IntakeReader, cases: Iterable[Case]) -> list[Example]:
    """The notes that have a description."""
    return [Example.of(case, reader) for case in cases if "description" in case.fields]


class _Part:
    """Which clauses of all notes have which features; clause ``number`` of a note is row note × width + number."""

    def __init__(self, width: int, place: Mapping[str, int], of: Iterable[Sequence[Sequence[str]]]) -> None:
        rows: list[int] = []
        columns: list[int] = []
        for note, part in enumerate(of):
            for number, names in enumerate(part):
                known = [place[name] for name in names if name in place]
                rows += [note * width + number] * len(known)
                columns += known
        self.rows, self.columns, self.width = np.array(rows, dtype=int), np.array(columns, dtype=int), width

    def scores(self, weights: Array, notes: int) -> Array:
        flat = np.bincount(self.rows, weights=weights[self.columns], minlength=notes * self.width)
        return flat.reshape(notes, self.width)

    def slope(self, of: Array, count: int) -> Array:
        return np.bincount(self.columns, weights=of.ravel()[self.rows], minlength=count)


def fit(of: Sequence[Example]) -> Weights:
    """Weights of the log-linear model, by adaptive gradient descent from zero."""
    parts = [[getattr(one.features, part) for one in of] for part in ("inside", "begins", "ends")]
    counts = Counter(name for part in parts for note in part for names in note for name in names)
    names = sorted({run for one in of for both in one.runs.values() for run in both})
    names += sorted(name for name, count in counts.items() if count >= RAREST)
    place = {name: number for number, name in enumerate(names)}
    notes, width = len(of), max(len(one.clauses) for one in of)
    within, begins, ends = (_Part(width, place, part) for part in parts)
    shape = (notes, width, width)
    lengths, sentences = np.zeros(shape, dtype=int), np.zeros(shape, dtype=int)
    closed, wanted = np.full(shape, -1e9), np.zeros(shape)
    for note, one in enumerate(of):
        for (first, last), (length, count) in one.runs.items():
            lengths[note, first, last], sentences[note, first, last] = place[length], place[count]
            closed[note, first, last] = 0.0
        aim = np.exp(_SHARPNESS * (one.near - one.near.max())) * (one.near >= ALIKE)
        wanted[note, : len(one.clauses), : len(one.clauses)] = aim / aim.sum()
    weights, mean, square = (np.zeros(len(names)) for _ in range(3))
    for turn in range(1, ROUNDS + 1):
        run = np.concatenate([np.zeros((notes, 1)), np.cumsum(within.scores(weights, notes), axis=1)], axis=1)
        score = run[:, None, 1:] - run[:, :-1, None] + begins.scores(weights, notes)[:, :, None]
        score += ends.scores(weights, notes)[:, None, :] + weights[lengths] + weights[sentences] + closed
        chance = np.exp(score - score.max(axis=(1, 2), keepdims=True))
        off = chance / chance.sum(axis=(1, 2), keepdims=True) - wanted
        first, last = off.sum(axis=2), off.sum(axis=1)
        inside = np.cumsum(first, axis=1) - np.cumsum(last, axis=1) + last
        slope = PENALTY * weights
        for part, share in ((within, inside), (begins, first), (ends, last)):
            slope += part.slope(share, len(names))
        for table in (lengths, sentences):
            slope += np.bincount(table.ravel(), weights=off.ravel(), minlength=len(names))
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        rate = _RATE * (0.09 if turn > 0.85 * ROUNDS else 0.3 if turn > 0.6 * ROUNDS else 1.0)
        weights -= rate * mean / (1 - 0.9**turn) / (np.sqrt(square / (1 - 0.99**turn)) + 1e-8)
    return {
        name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= _SMALLEST
    }


def read(of: Iterable[Example], weights: Weights) -> Iterator[tuple[Example, float, bool]]:
    """Each note with how sure its likeliest description is, and whether it is right."""
    for one in of:
        found = readings(one.clauses, one.case.text, weights)
        said = one.case.text[found[0].start : found[0].end] if found else ""
        yield one, found[0].chance if found else 0.0, alike(said, one.case.fields["description"])


def main() -> None:
    """Print what the weights of the other rounds are worth on each; with --write keep those fitted on all."""
    parser = argparse.ArgumentParser(prog="python -m tools.intake.describing", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all rounds")
    parser.add_argument("--unmeasured", action="store_true", help="do not measure")
    options = parser.parse_args()
    every = examples(intake_reader(load_embedded()), CASES)
    if not options.unmeasured:
        told = []
        for batch in dict.fromkeys(one.case.batch for one in every):
            weights = fit([one for one in every if one.case.batch != batch and one.teaches])
            told.append([*read([one for one in every if one.case.batch == batch], weights)])
            print(f"{batch}: {sum(right for _, _, right in told[-1])} of {len(told[-1])}", flush=True)
        print(report([one for some in told for one in some]))
    if options.write:
        MODULE.write_text(module(fit([one for one in every if one.teaches])), encoding="utf-8")


def report(told: Sequence[tuple[Example, float, bool]]) -> str:
    """How many are right, and how many at each sureness."""
    lines = [f"all: {sum(right for _, _, right in told)} of {len(told)}"]
    for low, high in pairwise(_BINS):
        some = [right for _, sure, right in told if low <= sure < high]
        lines.append(f"  {low:.2f}–{min(high, 1.0):.2f}: {sum(some)} of {len(some)}")
    lost = math.fsum(-math.log(max(1e-3, sure if right else 1 - sure)) for _, sure, right in told) / (len(told) or 1)
    return "\n".join([*lines, f"mean log loss of the sureness: {lost:.3f}"])


def module(weights: Weights) -> str:
    """The text of the module with the weights."""
    rows = (f"    {_quoted(name)}: {weight}," for name, weight in sorted(weights.items()))
    head = '"""Written by `python -m tools.intake.describing --write`; not edited by hand."""'
    return "\n".join((head, "", "WEIGHTS: dict[str, float] = {", *rows, "}", ""))


def _quoted(name: str) -> str:
    return f"'{name}'" if '"' in name else f'"{name}"'


def _counted(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def _dice(one: Counter[str], other: Counter[str]) -> float:
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 0.0


if __name__ == "__main__":
    main()
