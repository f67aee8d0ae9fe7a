"""Fits the weights of `server.domain.drafting.asides`: ``python -m tools.drafting.asides`` prints what they are worth
on sentences they were not fitted on, --write keeps the ones fitted on all.

`asides.txt` has sentences that say nothing of the work, `referring.txt` such as hardly name it and speak of it all the
same. What the requests of `requests.txt` say besides is no aside, either: mostly it tells of the work.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from unittest.mock import patch

from server.domain.drafting import asides
from server.domain.drafting.asides import WEIGHTS, features, words_of
from server.domain.drafting.matching import TaskIndex, lemma
from server.embedded import load_embedded
from tools.drafting.asking import fit
from tools.drafting.marks import REQUESTS, marked, over

ASIDES = Path(__file__).with_name("asides.txt")
REFERRING = Path(__file__).with_name("referring.txt")
#: One line in so many is kept from the fit that is judged.
KEPT = 5
#: How often an example counts: there are far more sentences of requests, of which those without a mark tell less.
_ASIDES, _REFERRING, _UNMARKED = 60, 60, 30
PENALTY = 1.0
#: How often a word stands in what asks for something that is a thing of the trades, and what one says.
_OFTEN, _THING = 4, -20.0


def read(file: Path) -> list[str]:
    """The sentences of a file."""
    return [line.strip() for line in file.read_text("utf-8").splitlines() if line.strip()]


def of_requests() -> tuple[list[str], list[str]]:
    """The sentences of the marked requests: those that ask for something, and the others."""
    asking: list[str] = []
    telling: list[str] = []
    for line in read(REQUESTS):
        text, marks = marked(line)
        for start, end in asides.sentences(text):
            (asking if over(marks, start, end) else telling).append(text[start:end])
    return asking, telling


def weights(
    idle: Sequence[str], referring: Sequence[str], asking: Sequence[str], telling: Sequence[str]
) -> dict[str, float]:
    """Weights fitted on these sentences."""
    examples = [(features(words_of(one)), True) for one in idle for _ in range(_ASIDES)]
    examples += [(features(words_of(one)), False) for one in referring for _ in range(_REFERRING)]
    examples += [(features(words_of(one)), False) for one in [*asking, *telling[::_UNMARKED]]]
    return fit(examples, PENALTY) | dict.fromkeys(things(idle, asking), _THING)


def things(idle: Sequence[str], asking: Sequence[str]) -> set[str]:
    """Words of the catalogue that requests are made with and asides are not: a sentence with one is none."""
    index = TaskIndex.build(load_embedded().catalogue)
    said, asked = (Counter(word for one in some for word in set(words_of(one))) for some in (idle, asking))
    return {
        word
        for word, count in asked.items()
        if count >= _OFTEN and not said[word] and word.isalpha() and index.knows(lemma(word))
    }


def share(sentences: Iterable[str], by: dict[str, float]) -> float:
    """How many of the sentences are held to be asides."""
    with patch.object(asides, "weights", lambda: by):
        held = [asides.is_aside(one) for one in sentences]
    return sum(held) / len(held)


def main() -> None:
    """Print the figures, and write the weights where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    idle, referring, (asking, telling) = read(ASIDES), read(REFERRING), of_requests()
    kept = [some[::KEPT] for some in (idle, referring, asking, telling)]
    fitted = weights(
        *([one for at, one in enumerate(some) if at % KEPT] for some in (idle, referring, asking, telling))
    )
    names = ("asides", "referring", "asking", "telling")
    print(
        "\n".join(f"{name}: {share(some, fitted):.4f} of {len(some)}" for name, some in zip(names, kept, strict=True))
    )
    if write:
        rows = sorted(weights(idle, referring, asking, telling).items())
        WEIGHTS.write_text("".join(f"{name}\t{weight}\n" for name, weight in rows), "utf-8")


if __name__ == "__main__":
    main()
