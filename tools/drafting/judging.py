"""Fits the weights of `server.domain.drafting.judging`: ``python -m tools.drafting.judging`` prints what they are worth
on requests they were not fitted on, --write keeps the ones fitted on all.

They are fitted on the sets that `choosing` and `encoding` were not fitted on, and, but for quantities, which these do
not tell, on the requests of `requests.txt` that are kept from them, each read with weights of `asking` that were fitted
on the others: so lines are judged as those of requests nobody has seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from server.domain.drafting import judging, judging_weights
from server.domain.drafting.asking import chance
from server.domain.drafting.engine import Drafter
from server.domain.drafting.items import Measured
from server.domain.drafting.matching import TaskIndex
from server.embedded import load_embedded
from tools.drafting.asking import Teaching, Weights, fit, using
from tools.drafting.choosing import JUDGED
from tools.drafting.marks import TOLD, learned_and_kept, marked
from tools.evaluation.drafting import Form, Label, Request, draft_all, figures

MODULE = Path(judging_weights.__file__)
PENALTY = 3.0
#: How much a line of a labelled request weighs beside one of a marked request.
LABELLED = 3
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


def examples(drafter: Drafter, requests: Iterable[Request]) -> list[Example]:
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
                found.append(Example(features, bool(line.task_id), id(line) in right, right.get(id(line), False)))
    return found


weighed = judging.Judge.features


def of_marks(line: str) -> Request:
    """A marked request as a labelled one; how much is asked for it does not tell."""
    text, wanted = marked(line)
    labels = (
        Label(text[mark.start : mark.end], (Form(tuple(map(_labelled, mark.tasks)), None, None, "each"),), None, False)
        for mark in wanted
    )
    return Request("", "customer", "US", "", "", text, tuple(labels), frozenset(), (), False, None)


def _labelled(task: str) -> str:
    return "unpriced:work" if task == "-" else task


def of_requests(drafter: Drafter, teaching: Teaching) -> list[Example]:
    """The lines of drafts of the marked requests that no reader was fitted on."""
    learned, kept = learned_and_kept()
    with using(*teaching.weights(marks=[*TOLD.read_text("utf-8").splitlines(), *learned])):
        return examples(drafter, map(of_marks, kept))


def tables(labelled: Sequence[Example], marked: Sequence[Example]) -> dict[str, Weights]:
    """The weights: of known work, of such lines with their quantity, of work that no task answers."""
    of = [*(one for _ in range(LABELLED) for one in labelled), *marked]
    return {
        "WORK": fit([(one.features, one.work) for one in of if one.known], PENALTY),
        "LINE": fit([(one.features, one.line) for one in labelled if one.known], PENALTY),
        "UNKNOWN": fit([(one.features, one.work) for one in of if not one.known], PENALTY),
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
    of_marked = of_requests(drafter, teaching)
    asking = {held: teaching.weights(without=held) for held in JUDGED}
    learned: dict[str, list[Example]] = {}
    for held in JUDGED:
        with using(*asking[held]):
            learned[held] = examples(drafter, teaching.sets[held])
    for held in JUDGED:
        requests = teaching.sets[held]
        fitted = tables([one for name, some in learned.items() if name != held for one in some], of_marked)
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
        fitted = tables([one for some in learned.values() for one in some], of_marked)
        MODULE.write_text(module(fitted), encoding="utf-8")


def module(fitted: Mapping[str, Weights]) -> str:
    """The text of the module with these weights."""
    lines = ['"""Written by `python -m tools.drafting.judging --write`; not edited by hand."""', ""]
    for table, weights in fitted.items():
        rows = (f'    "{feature}": {weight},' for feature, weight in sorted(weights.items()))
        lines += [f"{table}: dict[str, float] = {{", *rows, "}"]
    return "\n".join((*lines, ""))


if __name__ == "__main__":
    main()
