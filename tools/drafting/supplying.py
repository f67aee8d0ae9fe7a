"""Fits the weights of `server.domain.drafting.supplying`: ``python -m tools.drafting.supplying`` prints how well
clauses that tell of supply are told from others, fitted on four fifths of the requests and judged by the fifth that
the second reader is not fitted on either; --write keeps the weights fitted on all.

It is fitted on `supplied.txt`, whose marks stand around what tells it, and on requests of `requests.txt` in which no
word hints at it: "install two grab bars in my mother's shower" was once taken for a note of what is hers. The numbers
are those of the second reader, which this does not change: a new fit of `encoding` wants a new one of this. Needs the
packages of the extra ``teach``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from server.domain.drafting.encoding import encoder
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.progress import BROUGHT
from server.domain.drafting.supplying import WEIGHTS, features
from server.embedded import load_embedded
from tools.drafting.choosing import clauses_of
from tools.drafting.marks import REQUESTS, marked, over, supplied_learned_and_kept, tells_no_supply

#: Clauses that a word stands in at least, penalties on the weights of numbers and of words, and steps of L-BFGS.
RAREST, OF_NUMBERS, OF_WORDS, STEPS = 3, 60.0, 2.0, 60
#: Requests without a hint at supply that are fitted on.
WITHOUT = 2_500
#: Chances at which the print says how many are found and right.
SHOWN = (0.5, 0.6, BROUGHT, 0.8)

Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Told:
    """A clause of a request: the numbers and words that it is known by, and whether it tells of supply."""

    numbers: Numbers
    words: frozenset[str]
    supplied: bool


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights of words by their names, of numbers, and what is added to all."""

    names: Sequence[str]
    of_words: Numbers
    numbers: Numbers
    bias: float

    def scores(self, of: Sequence[Told]) -> Numbers:
        """Above 0 for clauses that likely tell of supply."""
        rows = np.stack([one.numbers for one in of])
        return np.asarray(rows @ self.numbers + _placed(of, self.names) @ self.of_words + self.bias, np.float32)


def told(lines: Sequence[str], index: TaskIndex) -> list[list[Told]]:
    """The clauses of each marked request."""
    found = []
    for text, marks in map(marked, lines):
        ranges = clauses_of(text, index)
        means = encoder().read(text, ranges).means
        words = features([text[start:end] for start, end in ranges])
        found.append(
            [
                Told(numbers, own, bool(over(marks, start, end)))
                for numbers, own, (start, end) in zip(means, words, ranges, strict=True)
            ]
        )
    return found


def without(index: TaskIndex) -> list[list[Told]]:
    """The clauses of requests that tell of no supply, from the whole of `REQUESTS`."""
    texts = [marked(line)[0] for line in REQUESTS.read_text("utf-8").splitlines()]
    silent = [text.replace("\n", "\\n") for text in texts if tells_no_supply(text)]
    return told(silent[:: max(1, len(silent) // WITHOUT)][:WITHOUT], index)


def fit(of: Sequence[Told]) -> Fitted:
    """A logistic regression with quadratic penalties."""
    counts = Counter(word for one in of for word in one.words)
    names = sorted(word for word, count in counts.items() if count >= RAREST)
    rows = torch.from_numpy(np.column_stack([np.stack([one.numbers for one in of]), _placed(of, names)]))
    right = torch.tensor([one.supplied for one in of], dtype=torch.float32)
    size = rows.shape[1] - len(names)
    penalty = torch.tensor([OF_NUMBERS] * size + [OF_WORDS] * len(names))
    weights, bias = torch.zeros(rows.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    steps = torch.optim.LBFGS([weights, bias], max_iter=STEPS, line_search_fn="strong_wolfe")

    def slope() -> torch.Tensor:
        steps.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(rows @ weights + bias, right, reduction="sum")
        loss = loss + (penalty * weights**2).sum() / 2
        loss.backward()
        return loss

    steps.step(slope)
    found = weights.detach().numpy()
    return Fitted(names, found[size:], found[:size], float(bias.detach()))


def _placed(of: Sequence[Told], names: Sequence[str]) -> Numbers:
    """A row for each clause, 1 for the names that it has."""
    place = {name: at for at, name in enumerate(names)}
    rows = np.zeros((len(of), len(names)), np.float32)
    for row, one in zip(rows, of, strict=True):
        row[[place[word] for word in one.words if word in place]] = 1
    return rows


def write(fitted: Fitted) -> None:
    """Keep the weights as the module reads them, those that say something."""
    said = [at for at, weight in enumerate(fitted.of_words) if abs(weight) >= 0.02]
    np.savez_compressed(
        WEIGHTS, words="\n".join(fitted.names[at] for at in said), of_words=fitted.of_words[said].astype(np.float16),
        numbers=fitted.numbers, bias=fitted.bias,
    )  # fmt: skip


def main() -> None:
    """Print what it is worth on requests it was not fitted on; with --write keep it."""
    parser = argparse.ArgumentParser(prog="python -m tools.drafting.supplying", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all requests")
    options = parser.parse_args()
    index = TaskIndex.build(load_embedded().catalogue)
    learned, kept = ([clause for one in told(lines, index) for clause in one] for lines in supplied_learned_and_kept())
    silent = [clause for one in without(index) for clause in one]
    chance = 1 / (1 + np.exp(-fit(learned + silent).scores(kept)))
    supplied = np.array([one.supplied for one in kept])
    before = np.mean(chance[supplied][:, None] > chance[~supplied][None])
    print(f"{len(kept)} clauses, {supplied.sum()} tell of supply; before the others {before:.3f}")
    for least in SHOWN:
        taken = chance >= least
        print(f"from {least}: found {taken[supplied].mean():.3f}, right {supplied[taken].mean():.3f}")
    if options.write:
        write(fit(learned + kept + silent))


if __name__ == "__main__":
    main()
