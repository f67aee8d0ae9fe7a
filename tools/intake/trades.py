"""Fits the weights of `server.domain.intake.trades`: ``python -m tools.intake.trades`` prints what they are worth on
the latest rounds of notes, each by the others, --write keeps the ones fitted on all.

A multinomial logistic model, learned from the descriptions of labelled notes, from the names of the catalogue's tasks,
and from the table of `trades.py`. Only weights that say much are kept: small ones change little and are many.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np

from server.domain.catalogue import Catalogue
from server.domain.intake import trade_weights
from server.domain.intake.trades import TABLE, Trades, signs
from server.embedded import load_embedded
from tools.evaluation.intake import CASES, Case

MODULE = Path(trade_weights.__file__)
#: What a note, a name of the table (surely, likely, perhaps) and a name of the catalogue teach.
_NOTE, _TABLE, _CATALOGUE = 4.0, (0.9, 0.6, 0.24), 0.05
#: Signs of fewer names say nothing; a note counts as three.
_RAREST, _RAREST_PAIR, _NOTE_COUNTS = 3, 6, 3
_PENALTY = 0.05
_ROUNDS = 90
_RATE = 0.15
#: Smaller weights are not kept.
_SMALLEST = 1.0
#: Rounds that are measured.
_HELD = 5

Example = tuple[Mapping[str, float], str, float]
Prior = dict[str, float]
Weights = dict[str, dict[str, float]]


def taught(catalogue: Catalogue, cases: Iterable[Case]) -> Iterator[Example]:
    """Signs, trade and how much each example counts."""
    for task in catalogue.tasks.values():
        yield from ((signs(name.casefold(), begins=False), task.trade, _CATALOGUE) for name in task.names)
    for trade, (surely, likely, perhaps) in TABLE.items():
        for names, counts in zip((surely.split(), likely.split("|"), perhaps.split("|")), _TABLE, strict=True):
            yield from ((signs(name, begins=False), trade, counts) for name in names if name)
    for case in cases:
        if {"trade", "description"} <= case.fields.keys():
            yield signs(case.fields["description"]), case.fields["trade"], _NOTE


def fit(of: Sequence[Example]) -> tuple[Prior, Weights]:
    """What each trade weighs before a word is read, and what each sign adds; by adaptive gradient descent from zero."""
    counts: Counter[str] = Counter()
    for shares, _, teaches in of:
        counts.update(dict.fromkeys(shares, _NOTE_COUNTS if teaches >= 1 else 1))
    kept = sorted(sign for sign, count in counts.items() if count >= (_RAREST_PAIR if " " in sign else _RAREST))
    place = {sign: number for number, sign in enumerate(kept, 1)}  # the prior is number 0
    trades = sorted({trade for _, trade, _ in of})
    entries = [
        (row, column, share)
        for row, (shares, _, _) in enumerate(of)
        for column, share in [(0, 1.0), *((place[sign], share) for sign, share in shares.items() if sign in place)]
    ]
    rows, columns = (np.array([entry[part] for entry in entries], dtype=int) for part in (0, 1))
    values = np.array([share for _, _, share in entries])[:, None]
    first_of_row = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1]])
    by_column = np.argsort(columns, kind="stable")
    first_of_column = np.flatnonzero(np.r_[True, np.diff(columns[by_column]) != 0])
    used = columns[by_column][first_of_column]
    right = np.zeros((len(of), len(trades)))
    right[np.arange(len(of)), [trades.index(trade) for _, trade, _ in of]] = 1
    teaches_much = np.array([teaches for _, _, teaches in of])[:, None]
    weights, mean, square = (np.zeros((len(kept) + 1, len(trades))) for _ in range(3))
    for turn in range(1, _ROUNDS + 1):
        score = np.add.reduceat(values * weights[columns], first_of_row, axis=0)
        chance = np.exp(score - score.max(axis=1, keepdims=True))
        off = (chance / chance.sum(axis=1, keepdims=True) - right) * teaches_much
        slope = _PENALTY * weights
        slope[used] += np.add.reduceat((values * off[rows])[by_column], first_of_column, axis=0)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        rate = _RATE * (0.3 if turn > 0.7 * _ROUNDS else 1.0)
        weights -= rate * mean / (1 - 0.9**turn) / (np.sqrt(square / (1 - 0.99**turn)) + 1e-8)
    prior = {trade: round(float(weight), 2) for trade, weight in zip(trades, weights[0], strict=True)}
    told = {
        sign: {
            trade: round(float(weight), 1)
            for trade, weight in zip(trades, weights[place[sign]], strict=True)
            if abs(weight) >= _SMALLEST
        }
        for sign in kept
    }
    return prior, {sign: by_trade for sign, by_trade in told.items() if by_trade}


def figures(trades: Trades, cases: Iterable[Case], fitted: tuple[Prior, Weights]) -> str:
    """How many trades are right by these weights, read from the labelled descriptions."""
    with (
        patch.dict(trade_weights.PRIOR, fitted[0], clear=True),
        patch.dict(trade_weights.WEIGHTS, fitted[1], clear=True),
    ):
        told = [
            (case.fields["trade"], trades.chances(case.fields["description"]))
            for case in cases
            if {"trade", "description"} <= case.fields.keys()
        ]
    right = sum(trade == max(chances, key=lambda one: chances[one]) for trade, chances in told)
    return f"{right} of {len(told)}"


def main() -> None:
    """Print what the weights of the other rounds are worth on each of the latest; with --write keep those of all."""
    parser = argparse.ArgumentParser(prog="python -m tools.intake.trades", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all rounds")
    parser.add_argument("--unmeasured", action="store_true", help="do not measure")
    options = parser.parse_args()
    catalogue = load_embedded().catalogue
    trades = Trades.of(catalogue)
    for batch in [] if options.unmeasured else [*dict.fromkeys(case.batch for case in CASES)][-_HELD:]:
        fitted = fit([*taught(catalogue, (case for case in CASES if case.batch != batch))])
        print(f"{batch}: {figures(trades, (case for case in CASES if case.batch == batch), fitted)}", flush=True)
    if options.write:
        MODULE.write_text(module(*fit([*taught(catalogue, CASES)])), encoding="utf-8")


def module(prior: Prior, weights: Weights) -> str:
    """The text of the module with the weights."""
    head = '"""Written by `python -m tools.intake.trades --write`; not edited by hand."""'
    rows = [f"    {_quoted(sign)}: {{{_pairs(by_trade)}}}," for sign, by_trade in weights.items()]
    first = f"PRIOR: dict[str, float] = {{\n    {_pairs(prior)},\n}}  # fmt: skip"
    return "\n".join((head, "", first, "WEIGHTS: dict[str, dict[str, float]] = {", *rows, "}  # fmt: skip", ""))


def _pairs(of: Mapping[str, float]) -> str:
    return ", ".join(f'"{name}": {weight}' for name, weight in of.items())


def _quoted(name: str) -> str:
    return f"'{name}'" if '"' in name else f'"{name}"'


if __name__ == "__main__":
    main()
