"""Fits the weights of `server.domain.drafting.judging`: ``python -m tools.drafting.judging`` prints what they are worth
on requests they were not fitted on, --write keeps the ones fitted on all.

Each labelled set is read with the weights of `asking` fitted on the others, so that lines are judged as those of
requests nobody has seen. The rules were written against most sets, where more lines are right than elsewhere: `TUNED`
takes that up and is left out of what is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from server.domain.drafting import judging, judging_weights
from server.domain.drafting.asking import chance
from server.domain.drafting.engine import Drafter
from server.domain.drafting.items import Measured
from server.domain.drafting.matching import TaskIndex
from server.embedded import load_embedded
from tools.drafting.asking import Teaching, Weights, fit, module, using
from tools.evaluation.drafting import Request, draft_all, figures

MODULE = Path(judging_weights.__file__)
#: The sets that the rules were written against for the shortest time.
FRESH = frozenset({"third, burned", "fourth, burned"})
PENALTY = 3.0
TUNED = "TUNED"
SHOWN = (
    "Recall", "Precision", "F1", "Exclusions charged", "Texts without work charged", "Total in range",
    "Calibration error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """A line as it was read, whether it is for work that is asked for, and whether its quantity is not wrong."""

    features: frozenset[str]
    known: bool
    work: bool
    line: bool


def examples(drafter: Drafter, requests: Iterable[Request], tuned: bool) -> list[Example]:
    """The lines of drafts of labelled requests, none left out as doubtful."""
    found = []
    for request in requests:
        seen: list[frozenset[str]] = []

        def keep(
            self: judging.Judge, place: int, measured: Measured, into: list[frozenset[str]] = seen
        ) -> frozenset[str]:
            into.append(weighed(self, place, measured))
            return into[-1]

        with patch.object(judging.Judge, "features", keep), patch.object(judging.Judge, "is_none", lambda *_: False):
            (drafted,) = draft_all(drafter, [request])
        own = [line for line in drafted.draft.lines if line.source is None or line.source.kind != "settings"]
        right = {id(line): label.quantity(line) != "wrong" for label, line in drafted.matched}
        extra = {id(line) for line in drafted.extra}
        for features, line in zip(seen, own, strict=True):
            if id(line) not in extra:
                features |= {TUNED} if tuned else set()
                found.append(Example(features, bool(line.task_id), id(line) in right, right.get(id(line), False)))
    return found


weighed = judging.Judge.features


def tables(of: Sequence[Example]) -> dict[str, Weights]:
    """The weights: of known work, of such lines with their quantity, of work that no task answers."""
    known, unknown = [one for one in of if one.known], [one for one in of if not one.known]
    return {
        "WORK": fit([(one.features, one.work) for one in known], PENALTY),
        "LINE": fit([(one.features, one.line) for one in known], PENALTY),
        "UNKNOWN": fit([(one.features, one.work) for one in unknown], PENALTY),
    }


def ranked(of: Sequence[Example], weights: Weights) -> float:
    """How often a right line has a higher chance than a wrong one."""
    right = [chance(one.features, weights) for one in of if one.known and one.work]
    wrong = [chance(one.features, weights) for one in of if one.known and not one.work]
    pairs = len(right) * len(wrong)
    return sum((a > b) + 0.5 * (a == b) for a in right for b in wrong) / pairs if pairs else 1.0


def main() -> None:
    """Print the figures of each set with weights fitted on the others; with --write keep those fitted on all."""
    parser = argparse.ArgumentParser(prog="python -m tools.drafting.judging", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all sets")
    options = parser.parse_args()
    embedded = load_embedded()
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    teaching = Teaching.read(TaskIndex.build(embedded.catalogue))
    asking = {held: teaching.weights(without=held) for held in teaching.sets}
    learned: dict[str, list[Example]] = {}
    for held, requests in teaching.sets.items():
        with using(*asking[held]):
            learned[held] = examples(drafter, requests, held not in FRESH)
    for held, requests in teaching.sets.items():
        fitted = tables([one for name, some in learned.items() if name != held for one in some])
        print(f"{held}: right lines before wrong ones {ranked(learned[held], fitted['WORK']):.2f}")
        rows = []
        for none in (False, True):
            with (
                using(*asking[held]),
                patch.dict(judging_weights.WORK, fitted["WORK"], clear=True),
                patch.dict(judging_weights.LINE, fitted["LINE"], clear=True),
                patch.dict(judging_weights.UNKNOWN, fitted["UNKNOWN"], clear=True),
                patch.object(judging.Judge, "is_none", judging.Judge.is_none if none else lambda *_: False),
            ):
                rows.append(figures(draft_all(drafter, requests)))
        for name in SHOWN:
            print(f"  {name}: {', '.join(row[name] for row in rows)}")
    if options.write:
        fitted = tables([one for some in learned.values() for one in some])
        for weights in fitted.values():
            weights.pop(TUNED, None)
        MODULE.write_text(module(fitted, "judging"), encoding="utf-8")


if __name__ == "__main__":
    main()
