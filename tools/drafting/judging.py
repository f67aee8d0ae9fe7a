"""Fits the trees of `server.domain.drafting.judging`: ``python -m tools.drafting.judging`` prints what they are worth
on requests they were not fitted on, --write keeps the ones fitted on all.

They are fitted on the sets that `choosing` and `encoding` were not fitted on, on the lines of estimators and, but for
quantities, on the plain requests, which were kept for being hard to count, and on the requests of `requests.txt` that
are kept from them, which do not tell how much. All are read with weights of `asking` that were fitted on the rest: so
lines are judged as those of requests nobody has seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import lightgbm
import numpy as np
import onnx
from onnx import TensorProto, helper

from server.domain.drafting import judging
from server.domain.drafting.engine import Drafter
from server.domain.drafting.items import Measured
from server.domain.drafting.matching import TaskIndex
from server.embedded import load_embedded
from tools.drafting.asking import Teaching, Weights, using
from tools.drafting.choosing import JUDGED
from tools.drafting.marks import TOLD, learned_and_kept, marked
from tools.evaluation.drafting import SETS, Form, Label, Request, draft_all, figures, read_requests
from tools.evaluation.estimates import as_requests
from tools.evaluation.plain import read_plain

#: How much a line of a labelled request, of one of the sets that are hard on purpose or mapped from estimates, and of a
#: plain request, weighs beside one of a marked request.
LABELLED, HARD, PLAIN = 10, 5, 6
#: The requests that estimators totalled. The words of their labels are the estimators', so nothing else learns from
#: them.
ESTIMATED = "estimates"
#: The sets that weigh less.
HARD_SETS = frozenset({"fifth to learn from", "sixth to learn from", ESTIMATED})
#: Of each forest how many trees it has, leaves of each, and lines that a leaf stands on at least.
SIZES = {"work": (200, 15, 20), "line": (100, 7, 20), "unknown": (40, 4, 20)}
#: The more the readers hold that a clause asks, or means the task, the likelier is the line.
RISING = frozenset({"asks", "means it", "asks for it"})
SETTINGS = {
    "objective": "binary",
    "learning_rate": 0.05,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "seed": 7,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}
SHOWN = (
    "Recall", "Precision", "F1", "Exclusions charged", "Supplied material charged", "Texts without work charged",
    "Total in range", "Calibration error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """A line as it was read, whether a task answers it, whether it is for work that is asked for, and whether its
    quantity is not wrong either."""

    features: Mapping[str, float]
    known: bool
    work: bool
    line: bool


class Certain:
    """In the place of trees: every line is certain, so that none is left out."""

    def chances(self, rows: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
        """All 1."""
        return [dict.fromkeys(SIZES, 1.0) for _ in rows]


def examples(drafter: Drafter, requests: Iterable[Request]) -> list[Example]:
    """The lines of drafts of labelled requests, none left out as doubtful."""
    found = []
    for request in requests:
        seen: list[Mapping[str, float]] = []

        def keep(
            self: judging.Judge, place: int, measured: Measured, into: list[Mapping[str, float]] = seen
        ) -> Mapping[str, float]:
            into.append(weighed(self, place, measured))
            return into[-1]

        with (
            patch.object(judging.Judge, "features", keep),
            patch.object(judging.Judge, "is_none", lambda *_: False),
            patch.object(judging, "trees", Certain),
        ):
            (drafted,) = draft_all(drafter, [request])
        own = [line for line in drafted.draft.lines if line.source is None or line.source.kind != "settings"]
        if len(own) != len(seen):
            continue  # lines that were gathered, sum up others or are told by their parts
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


def of_plain(drafter: Drafter) -> list[Example]:
    """The lines of drafts of the plain requests, which no reader was fitted on either."""
    requests = (
        Request("", "customer", one.country, "", "", one.text, one.lines, frozenset(), (), False, None)
        for one in read_plain()
    )
    return examples(drafter, requests)


def _labelled(task: str) -> str:
    return "unpriced:work" if task == "-" else task


def weights_of_rest(index: TaskIndex) -> tuple[Weights, Weights]:
    """Weights of `asking` that were fitted on nothing that lines are judged of."""
    marks = [*TOLD.read_text("utf-8").splitlines(), *learned_and_kept()[0]]
    return Teaching.read(index).weights(without=JUDGED, marks=marks)


def fit(learned: Mapping[str, Sequence[Example]], plain: Sequence[Example], marked: Sequence[Example]) -> bytes:
    """The model: of known work, of such lines with their quantity, of work that no task answers."""
    labelled = [one for name, some in learned.items() if name not in HARD_SETS for one in some]
    hard = [one for name, some in learned.items() if name in HARD_SETS for one in some]
    of = [*labelled, *hard, *plain, *marked]
    sizes = [len(labelled), len(hard), len(plain), len(marked)]
    weights = np.repeat([LABELLED, HARD, PLAIN, 1], sizes)
    names = sorted({name for one in of for name in one.features})
    rows = np.array([[one.features.get(name, 0.0) for name in names] for one in of], np.float32)
    known, work = np.array([one.known for one in of]), np.array([one.work for one in of])
    counts = known & np.repeat([True, True, False, False], sizes)
    line = np.array([one.line for one in of])
    rising = [int(name in RISING) for name in names]
    forests = {}
    for output, of_these, right in (("work", known, work), ("line", counts, line), ("unknown", ~known, work)):
        trees, leaves, least = SIZES[output]
        settings = SETTINGS | {"num_leaves": leaves, "min_data_in_leaf": least, "monotone_constraints": rising}
        data = lightgbm.Dataset(rows[of_these], right[of_these], weight=weights[of_these])
        forests[output] = lightgbm.train(settings, data, trees)
    return bytes(model(forests, names).SerializeToString())


def model(forests: Mapping[str, lightgbm.Booster], names: Sequence[str]) -> onnx.ModelProto:
    """The forests as one ONNX model with a column of chances for each; it names its features and these."""
    dumped = [forest.dump_model()["tree_info"] for forest in forests.values()]
    trees = [(column, tree["tree_structure"]) for column, forest in enumerate(dumped) for tree in forest]
    graph = helper.make_graph(
        [
            helper.make_node(
                "TreeEnsembleRegressor", ["features"], ["sums"], domain="ai.onnx.ml", n_targets=len(forests),
                **_nodes(trees),
            ),
            helper.make_node("Sigmoid", ["sums"], ["chances"]),
        ],
        "judging",
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, [None, len(names)])],
        [helper.make_tensor_value_info("chances", TensorProto.FLOAT, [None, len(forests)])],
    )  # fmt: skip
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    helper.set_model_props(made, {"features": "\n".join(names), "chances": "\n".join(forests)})
    return made


def _nodes(trees: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[str, list[Any]]:
    """The attributes of ONNX's `TreeEnsembleRegressor`, a row for each node and each leaf of the trees, each of which
    adds to a column."""
    nodes: list[tuple[int, int, int, str, float, int, int]] = []
    leaves: list[tuple[int, int, int, float]] = []
    for tree, (column, root) in enumerate(trees):
        pending, number = [root], 0
        while number < len(pending):
            node = pending[number]
            if "leaf_value" in node:
                nodes.append((tree, number, 0, "LEAF", 0.0, 0, 0))
                leaves.append((tree, number, column, node["leaf_value"]))
            else:
                pending += [node["left_child"], node["right_child"]]
                children = (len(pending) - 2, len(pending) - 1)
                nodes.append((tree, number, node["split_feature"], "BRANCH_LEQ", node["threshold"], *children))
            number += 1
    of_nodes = ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids")
    return {
        **{f"nodes_{name}": list(of) for name, of in zip(of_nodes, zip(*nodes, strict=True), strict=True)},
        **{
            f"target_{name}": list(of)
            for name, of in zip(("treeids", "nodeids", "ids", "weights"), zip(*leaves, strict=True), strict=True)
        },
    }


def ranked(of: Sequence[Example], trees: judging.Trees) -> float:
    """How often a right line has a higher chance than a wrong one."""
    known = [one for one in of if one.known]
    chances = [one["work"] for one in trees.chances([one.features for one in known])]
    right = [chance for one, chance in zip(known, chances, strict=True) if one.work]
    wrong = [chance for one, chance in zip(known, chances, strict=True) if not one.work]
    pairs = len(right) * len(wrong)
    return sum((a > b) + 0.5 * (a == b) for a in right for b in wrong) / pairs if pairs else 1.0


def main() -> None:
    """Print the figures of each set with trees fitted on the others; with --write keep those fitted on all."""
    parser = argparse.ArgumentParser(prog="python -m tools.drafting.judging", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the trees fitted on all sets")
    options = parser.parse_args()
    embedded = load_embedded()
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    sets = {**{held: read_requests(SETS[held]) for held in JUDGED}, ESTIMATED: as_requests()}
    with using(*weights_of_rest(TaskIndex.build(embedded.catalogue))):
        plain, of_marked = of_plain(drafter), examples(drafter, map(of_marks, learned_and_kept()[1]))
        learned = {held: examples(drafter, requests) for held, requests in sets.items()}
        if options.write:
            judging.TREES.write_bytes(fit(learned, plain, of_marked))
        for held, requests in sets.items():
            others = {name: some for name, some in learned.items() if name != held}
            fitted = judging.Trees(fit(others, plain, of_marked))
            print(f"{held}: right lines before wrong ones {ranked(learned[held], fitted):.3f}")
            rows = []
            for none in (False, True):
                with (
                    patch.object(judging, "trees", lambda fitted=fitted: fitted),
                    patch.object(judging.Judge, "is_none", judging.Judge.is_none if none else lambda *_: False),
                ):
                    rows.append(figures(draft_all(drafter, requests)))
            for name in SHOWN:
                print(f"  {name}: {', '.join(row[name] for row in rows)}")


if __name__ == "__main__":
    main()
