"""Fits what `server.domain.drafting.encoding` knows: ``python -m tools.drafting.encoding`` prints how many clauses of
labelled requests find their task, and how well those that ask are told from the others; --write ENCODER fits it anew,
--further and --smaller go on from what is kept.

It is fitted on what `choosing` is fitted on, but whole requests: each clause that asks says its tasks, so do the marked
words alone, and every clause says whether it asks; clauses of `supplied.txt` say whether they tell of supply, so that
`supplying` finds that in their numbers. ENCODER is the same folder, whose layers are taken as well
(docs/adr/0044-all-layers-read.md); --smaller keeps some layers, and of each the heads and numbers between that count
most, fitted to say what the larger one says (docs/adr/0045-a-taught-reader-is-not-in.md). The fit needs the packages of
the extra ``teach``, and takes an hour on two idle cores that have products of matrices in bfloat16.
"""

from __future__ import annotations

import argparse
import copy
import math
import random
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime.quantization as quantization
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

from server.domain.drafting.choosing import NONE
from server.domain.drafting.encoding import NETWORK, PRODUCT, WEIGHTS, Encoder
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.wordpieces import FIRST, LAST, UNKNOWN, Vocabulary
from server.embedded import load_embedded
from tools.drafting.choosing import (
    JUDGED,
    WRITTEN,
    asked_of_clauses,
    clauses_of,
    names_of,
    phrasings,
    places_of,
    taught,
    tensors,
    works,
)
from tools.drafting.marks import Marked, marked, over, supplied_learned_and_kept, tells_no_supply
from tools.evaluation.drafting import SETS, UNSEEN, read_requests

#: Numbers of each head, by the encoder's makers.
HEAD = 32
#: What --smaller keeps: these layers, and of each some heads of its 12 and numbers between of its 1,536; one request in
#: so many tells which, and it is fitted for so many rounds.
SMALLER, HEADS, BETWEEN = (0, 2, 4, 5), 8, 768
ASKED, ROUNDS_ON = 60, 5
#: How much the marks weigh of that, beside what the larger one says.
OF_MARKS = 0.5
#: Rounds over all there is, pieces read in one step, and those steps' first sizes: of the layers, of the vectors of
#: pieces, of the columns; they rise over the first steps and shrink to nothing (cosine).
ROUNDS, BATCH, RISING = 5, 4000, 150
LAYER_STEP, VECTOR_STEP, COLUMN_STEP = 2e-4, 5e-4, 4e-3
#: Rounds that a copy is fitted further, with steps of such a share; the mean of both is kept, which reads better than
#: either (Wortsman et al. 2022).
ROUNDS_FURTHER, STEPS_FURTHER = 1, 0.5
#: How much of what is known already is read again beside new requests: one text in so many.
ONE_IN = 4
#: Shares of pieces that are hidden, and of the numbers of a mean that are left out, at random.
HIDDEN, NUMBERS_OUT = 0.07, 0.1
#: How much a name and a name behind a verb weigh beside a request; names behind verbs that are drawn for each round.
NAME, WITH_VERB, DRAWN = 0.5, 0.3, 3000
#: What tells of supply is in few parts of a step: as if there were so many more.
FEW = 20
#: Texts among which those of a like length are read together.
_SORTED = 2000
#: Where products of matrices in bfloat16 take less time than others.
_HALVES = bool(torch.cpu.get_capabilities()["amx_bf16"])
_MASK = "[MASK]"


@dataclass(frozen=True, slots=True)
class Part:
    """Pieces of a text from ``start`` to before ``end``, the tasks they mean, whether they ask and whether they tell of
    supply; None: not told."""

    start: int
    end: int
    tasks: tuple[int, ...]
    asks: bool | None = None
    supplied: bool | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A text by the places of its pieces, with what is known of its parts and how much that weighs."""

    pieces: tuple[int, ...]
    parts: tuple[Part, ...]
    weight: float = 1.0


class Reader:
    """Makes texts of words."""

    def __init__(self, names: Sequence[str], places: Mapping[str, int]) -> None:
        self._vocabulary, self._places = Vocabulary(names), places

    def alone(self, text: str, task: str, weight: float = 1.0) -> Text:
        """Words without any around them."""
        found = tuple(self._vocabulary.whole(text)[0])
        return Text(found, (Part(0, len(found), (self._places[task],)),) if found else (), weight)

    def request(self, text: str, wanted: Sequence[Marked], index: TaskIndex) -> Text:
        """A request with its clauses and the words that are marked."""
        places, starts = self._vocabulary.whole(text)
        parts = []
        supplied = False if tells_no_supply(text) else None
        for one in clauses_of(text, index):
            asking = over(wanted, *one)
            parts.append(Part(*_pieces(starts, *one), self._tasks(asking), bool(asking), supplied))
        parts += [
            Part(*_pieces(starts, mark.start, mark.end), tasks) for mark in wanted if (tasks := self._tasks([mark]))
        ]
        return Text(tuple(places), _filled(parts))

    def supply(self, text: str, marks: Sequence[Marked], index: TaskIndex) -> Text:
        """A request whose marks stand around what tells of supply."""
        places, starts = self._vocabulary.whole(text)
        told = [(one, bool(over(marks, *one))) for one in clauses_of(text, index)]
        parts = [Part(*_pieces(starts, *one), (), supplied=supplied) for one, supplied in told]
        return Text(tuple(places), _filled(parts))

    def _tasks(self, marks: Sequence[Marked]) -> tuple[int, ...]:
        return tuple(sorted({self._places[task] for mark in marks for task in mark.tasks if task in self._places}))


def _pieces(starts: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The first piece of a range of the text and the one behind its last, by where the words of all start."""
    return bisect_left(starts, start), bisect_left(starts, end)


def _filled(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Those that have a piece."""
    return tuple(part for part in parts if part.start < part.end)


class Layer(nn.Module):  # type: ignore[misc]  # mypy does not follow torch
    """A layer of the encoder."""

    def __init__(self, of: dict[str, torch.Tensor], number: int) -> None:
        super().__init__()
        name = f"encoder.layer.{number}"
        self.query, self.key, self.value = (
            linear(of, f"{name}.attention.self.{part}") for part in ("query", "key", "value")
        )
        self.out = linear(of, f"{name}.attention.output.dense")
        self.after = norm(of, f"{name}.attention.output.LayerNorm")
        self.wide, self.narrow = linear(of, f"{name}.intermediate.dense"), linear(of, f"{name}.output.dense")
        self.last = norm(of, f"{name}.output.LayerNorm")

    def forward(self, vectors: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """``hidden`` is added to what each piece sees of the others: much below 0 where there is none."""
        batch, length, _ = vectors.shape

        def by_head(of: torch.Tensor) -> torch.Tensor:
            return of.view(batch, length, -1, HEAD).transpose(1, 2)

        seen = by_head(self.query(vectors)) @ by_head(self.key(vectors)).transpose(2, 3) * HEAD**-0.5
        shares = torch.softmax(seen + hidden[:, None, None, :].to(seen.dtype), -1)
        mixed = (shares @ by_head(self.value(vectors))).transpose(1, 2).flatten(2)
        vectors = self.after(vectors + self.out(mixed))
        return self.last(vectors + self.narrow(functional.gelu(self.wide(vectors))))


class Network(nn.Module):  # type: ignore[misc]  # as above
    """The layers of an encoder, and columns behind them."""

    def __init__(self, of: dict[str, torch.Tensor], kept: Sequence[int], tasks: int) -> None:
        super().__init__()
        vectors = of["embeddings.word_embeddings.weight"][list(kept)]
        size = vectors.shape[1]
        self.pieces = nn.Embedding.from_pretrained(vectors, freeze=False, sparse=True)
        self.places = nn.Parameter(
            of["embeddings.position_embeddings.weight"] + of["embeddings.token_type_embeddings.weight"][0]
        )
        self.first = norm(of, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(Layer(of, number) for number in range(layers_in(of)))
        self.counts = nn.Linear(size, 1, bias=False)
        self.tasks, self.asks, self.supplies = (
            nn.Linear(2 * size, tasks),
            nn.Linear(2 * size, 1),
            nn.Linear(2 * size, 1),
        )
        nn.init.zeros_(self.counts.weight)
        nn.init.zeros_(self.tasks.weight)

    def forward(
        self, pieces: torch.Tensor, there: torch.Tensor, parts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The scores of the tasks, of asking and of supply, for parts of rows of ``pieces`` (row, start, end)."""
        vectors = self.first(self.pieces(pieces) + self.places[: pieces.shape[1]])
        for layer in self.layers:
            vectors = layer(vectors, (1 - there) * -1e4)
        # The pieces of all parts one behind the other, and which part each is of.
        lengths = parts[:, 2] - parts[:, 1]
        of = torch.arange(len(parts)).repeat_interleave(lengths)
        at = torch.arange(len(of)) + (parts[:, 0] * pieces.shape[1] + parts[:, 1] - lengths.cumsum(0) + lengths)[of]
        own = vectors.flatten(0, 1)[at].float()
        counts = self.counts(own).squeeze(-1).float()
        most = torch.full((len(parts),), -math.inf).scatter_reduce(0, of, counts.detach(), "amax")
        powers = (counts - most[of]).exp()
        shares = torch.stack([powers / torch.zeros(len(parts)).index_add(0, of, powers)[of], 1 / lengths[of]], 1)
        means = torch.zeros(len(parts), 2, own.shape[1]).index_add(0, of, shares[:, :, None] * own[:, None])
        means = functional.dropout(means.flatten(1), NUMBERS_OUT, self.training)
        tasks, asks, supplies = (column(means).float() for column in (self.tasks, self.asks, self.supplies))
        return tasks, asks.squeeze(-1), supplies.squeeze(-1)


def layers_in(of: Iterable[str]) -> int:
    """How many layers have such parts."""
    return len({found[1] for name in of if (found := re.match(r"(?:encoder\.layer|layers)\.(\d+)\.", name))})


def linear(of: dict[str, torch.Tensor], name: str) -> nn.Linear:
    """A product with a matrix of the encoder."""
    return product(of[f"{name}.weight"], of[f"{name}.bias"])


def product(weight: torch.Tensor, bias: torch.Tensor) -> nn.Linear:
    """A product with a matrix."""
    found = nn.Linear(weight.shape[1], weight.shape[0])
    found.load_state_dict({"weight": weight, "bias": bias})
    return found


def norm(of: dict[str, torch.Tensor], name: str) -> nn.LayerNorm:
    """A normalization of the encoder."""
    weight = of[f"{name}.weight"]
    found = nn.LayerNorm(len(weight), eps=1e-12)
    found.load_state_dict({"weight": weight, "bias": of[f"{name}.bias"]})
    return found


def batches(texts: Sequence[Text], draw: random.Random) -> list[list[Text]]:
    """The texts in random order, those of a like length together, at most `BATCH` pieces in each."""
    order = [one for one in texts if one.parts]
    draw.shuffle(order)
    found: list[list[Text]] = []
    for start in range(0, len(order), _SORTED):
        found.append([])
        for one in sorted(order[start : start + _SORTED], key=lambda one: len(one.pieces)):
            if found[-1] and (len(one.pieces) + 2) * (len(found[-1]) + 1) > BATCH:
                found.append([])
            found[-1].append(one)
    draw.shuffle(found)
    return found


def rows_of(
    texts: Sequence[Sequence[int]], parts: Sequence[tuple[int, Part]], ends: tuple[int, int]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What `Network` reads: the pieces of texts, which of them are there, and where parts of them stand."""
    length = 2 + max(map(len, texts))
    pieces, there = np.zeros((len(texts), length), np.int64), np.zeros((len(texts), length), np.float32)
    for row, own in enumerate(texts):
        pieces[row, : len(own) + 2] = [ends[0], *own, ends[1]]
        there[row, : len(own) + 2] = 1
    where = torch.tensor([(row, part.start + 1, part.end + 1) for row, part in parts])
    return torch.from_numpy(pieces), torch.from_numpy(there), where


class Teacher:
    """What a network says of the parts of texts, with nothing hidden; said once."""

    def __init__(self, network: Network, ends: tuple[int, int]) -> None:
        self._network, self._ends = network.eval(), ends
        self._said: dict[Text, tuple[torch.Tensor, torch.Tensor]] = {}

    def says(self, batch: Sequence[Text]) -> tuple[torch.Tensor, torch.Tensor]:
        """The logarithms of the chances of tasks, and the scores of asking, part by part."""
        new = [one for one in dict.fromkeys(batch) if one not in self._said]
        if new:
            parts = [(row, part) for row, one in enumerate(new) for part in one.parts]
            with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=_HALVES):
                tasks, asks, _ = self._network(*rows_of([one.pieces for one in new], parts, self._ends))
            lengths = [len(one.parts) for one in new]
            kept = tasks.log_softmax(-1).half().split(lengths), asks.split(lengths)
            self._said.update(zip(new, zip(*kept, strict=True), strict=True))
        tasks, asks = (torch.cat(some) for some in zip(*(self._said[one] for one in batch), strict=True))
        return tasks.float(), asks


class Fit:
    """One fit of a network."""

    def __init__(
        self, network: Network, names: Sequence[str], rounds: int, steps: float, teacher: Network | None = None
    ) -> None:
        self._network, self._rounds = network, rounds
        self._ends = names.index(FIRST), names.index(LAST)
        #: What the network is to say as well (Hinton et al. 2015): it knows all parts, marks know some.
        self._teacher = Teacher(teacher, self._ends) if teacher is not None else None
        self._mask = names.index(_MASK)
        self._random = np.random.default_rng(0)
        columns = [
            one for part in (network.counts, network.tasks, network.asks, network.supplies) for one in part.parameters()
        ]
        layers = [network.places, *network.first.parameters(), *network.layers.parameters()]
        self._dense = torch.optim.AdamW(
            [{"params": layers, "lr": LAYER_STEP * steps}, {"params": columns, "lr": COLUMN_STEP * steps}],
            weight_decay=0.01,
        )
        self._sparse = torch.optim.SparseAdam(network.pieces.parameters(), lr=VECTOR_STEP * steps)
        self._rest = [*layers, *columns]

    def run(self, texts: Sequence[Text], drawn: Sequence[Text]) -> None:
        """Go down the slope; always the same way on one kind of machine."""
        draw = random.Random(0)
        turns = self._rounds * len(batches([*texts, *drawn[:DRAWN]], random.Random(0)))

        def share(turn: int) -> float:
            return min(1, (turn + 1) / RISING) * (1 + math.cos(math.pi * min(1, turn / turns))) / 2

        steps = [torch.optim.lr_scheduler.LambdaLR(one, share) for one in (self._dense, self._sparse)]
        self._network.train()
        for _ in range(self._rounds):
            for batch in batches([*texts, *draw.sample(drawn, min(DRAWN, len(drawn)))], draw):
                self._learn(batch)
                for step in steps:
                    step.step()

    def _learn(self, batch: Sequence[Text]) -> None:
        parts = [(row, part) for row, one in enumerate(batch) for part in one.parts]
        hidden = [
            np.where(self._random.random(len(one.pieces)) < HIDDEN, self._mask, one.pieces).tolist() for one in batch
        ]
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=_HALVES):
            tasks, asks, supplies = self._network(*rows_of(hidden, parts, self._ends))
        meant = torch.zeros(tasks.shape, dtype=torch.bool)
        for number, (_, part) in enumerate(parts):
            meant[number, list(part.tasks)] = True
        known = meant.any(1)
        every = torch.tensor([batch[row].weight for row, _ in parts])
        weights = every[known]
        right = tasks.log_softmax(-1).masked_fill(~meant, -1e9)[known].logsumexp(-1)
        loss = -(right * weights).sum() / max(1, len(right)) + _missed(asks, [part.asks for _, part in parts], 0)
        if self._teacher is not None:
            as_tasks, as_asks = self._teacher.says(batch)
            apart = functional.kl_div(tasks.log_softmax(-1), as_tasks, log_target=True, reduction="none").sum(1)
            loss = OF_MARKS * loss + (apart * every).mean()
            loss = loss + (1 - OF_MARKS) * functional.binary_cross_entropy_with_logits(asks, as_asks.sigmoid())
        loss = loss + _missed(supplies, [part.supplied for _, part in parts], FEW)
        self._dense.zero_grad()
        self._sparse.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._rest, 1.0)
        self._dense.step()
        self._sparse.step()


def _missed(scores: torch.Tensor, right: Sequence[bool | None], few: int) -> torch.Tensor:
    """The mean loss of scores of which the right answer is told; of a ``few``, as a share of that many more."""
    told = torch.tensor([one is not None for one in right])
    wanted = torch.tensor([bool(one) for one in right]).float()[told]
    loss = functional.binary_cross_entropy_with_logits(scores[told], wanted, reduction="sum")
    return loss / max(1, len(wanted) + few)


def write(network: Network, labels: Sequence[str], names: Sequence[str], to: tuple[Path, Path]) -> None:
    """Keep it as `Encoder` reads it: the layers as a graph with products of bytes, the columns beside it."""
    state = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(graph(state), whole)
        quantization.quantize_dynamic(
            whole, to[0], weight_type=quantization.QuantType.QInt8, per_channel=True,
            op_types_to_quantize=["MatMul", "Gather"], extra_options={"MatMulConstBOnly": True},
        )  # fmt: skip
    onnx.save(product_alone(), PRODUCT)
    np.savez_compressed(
        to[1], labels=" ".join(labels), pieces="\n".join(names),
        counts=state["counts.weight"][0],
        columns=np.concatenate([state["tasks.weight"], state["asks.weight"]]).T.astype(np.float16),
        bias=np.concatenate([state["tasks.bias"], state["asks.bias"]]),
    )  # fmt: skip


def graph(state: dict[str, npt.NDArray[np.float32]]) -> onnx.ModelProto:
    """The layers as a graph of ONNX: places of pieces in, a vector for each out."""
    nodes: list[onnx.NodeProto] = []
    kept: list[onnx.TensorProto] = []
    size = state["pieces.weight"].shape[1]

    def constant(name: str, value: npt.NDArray[np.generic]) -> str:
        kept.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def node(kind: str, *of: str, **more: object) -> str:
        nodes.append(helper.make_node(kind, list(of), [f"{kind} {len(nodes)}"], **more))
        return str(nodes[-1].output[0])

    def times(of: str, *names: str) -> str:
        """Several products with the same vectors at once."""
        weight = np.concatenate([state[f"{name}.weight"].T for name in names], 1)
        bias = np.concatenate([state[f"{name}.bias"] for name in names])
        found = node("MatMul", of, constant(f"{names[0]}.weight", weight))
        return node("Add", found, constant(f"{names[0]}.bias", bias))

    def normal(of: str, name: str) -> str:
        weight, bias = (constant(f"{name}.{part}", state[f"{name}.{part}"]) for part in ("weight", "bias"))
        return node("LayerNormalization", of, weight, bias, epsilon=1e-12)

    start = constant("start", np.array([0], np.int64))
    read = node("Gather", constant("pieces.weight", state["pieces.weight"]), "pieces")
    place = node("Slice", constant("places", state["places"]), start, node("Shape", "pieces"), start)
    vectors = normal(node("Add", read, place), "first")
    width = state["layers.0.query.weight"].shape[0]
    by_head = constant("by head", np.array([-1, 3, width // HEAD, HEAD], np.int64))
    joined = constant("joined", np.array([-1, width], np.int64))
    scale = constant("scale", np.array(HEAD**-0.5, np.float32))
    for number in range(layers_in(state)):
        name = f"layers.{number}"
        of_all = times(vectors, f"{name}.query", f"{name}.key", f"{name}.value")
        three = node("Transpose", node("Reshape", of_all, by_head), perm=[1, 2, 0, 3])
        query, key, value = (
            node("Gather", three, constant(f"{name} {at}", np.array(at, np.int64)), axis=0) for at in range(3)
        )
        seen = node("Mul", node("MatMul", query, node("Transpose", key, perm=[0, 2, 1])), scale)
        mixed = node("MatMul", node("Softmax", seen), value)
        mixed = node("Reshape", node("Transpose", mixed, perm=[1, 0, 2]), joined)
        vectors = normal(node("Add", vectors, times(mixed, f"{name}.out")), f"{name}.after")
        wide = node("Gelu", times(vectors, f"{name}.wide"))
        vectors = normal(node("Add", vectors, times(wide, f"{name}.narrow")), f"{name}.last")
    nodes[-1].output[0] = "vectors"
    found = helper.make_graph(
        nodes, "encoder", [helper.make_tensor_value_info("pieces", TensorProto.INT64, ["length"])],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["length", size])], kept,
    )  # fmt: skip
    return helper.make_model(found, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def product_alone() -> onnx.ModelProto:
    """A product of bytes alone, by which `Encoder` finds out whether the processor's are exact."""
    weights = numpy_helper.from_array(np.full((16, 16), 127, np.int8), "weights")
    found = helper.make_graph(
        [helper.make_node("MatMulInteger", ["bytes", "weights"], ["products"])], "product",
        [helper.make_tensor_value_info("bytes", TensorProto.UINT8, [None, 16])],
        [helper.make_tensor_value_info("products", TensorProto.INT32, [None, 16])], [weights],
    )  # fmt: skip
    return helper.make_model(found, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def fit(encoder: Path, index: TaskIndex, to: tuple[Path, Path]) -> None:
    """Fit on all that may be learned from, and keep it."""
    of = {name: torch.from_numpy(value.copy()) for name, value in tensors(encoder).items()}
    vocabulary = (encoder / "vocab.txt").read_text("utf-8").splitlines()
    kept = [
        at for at, name in enumerate(vocabulary) if WRITTEN.fullmatch(name) or name in (FIRST, LAST, UNKNOWN, _MASK)
    ]
    names, labels = [vocabulary[at] for at in kept], [*works(index), NONE]
    torch.manual_seed(0)
    network = Network(of, kept, len(labels))
    requests, others, drawn = learned(Reader(names, places_of(labels, index)), index)
    Fit(network, names, ROUNDS, 1.0).run([*others, *requests], drawn)
    write(further(network, names, [*others, *requests], drawn), labels, names, to)


def mean_of(one: Network, other: Network) -> Network:
    """A network whose weights are the means of those of two."""
    found, theirs = copy.deepcopy(one), other.state_dict()
    found.load_state_dict({name: (weight + theirs[name]) / 2 for name, weight in one.state_dict().items()})
    return found


def learned(reader: Reader, index: TaskIndex) -> tuple[list[Text], list[Text], list[Text]]:
    """All that may be learned from: requests, all else, and names behind verbs, of which each round draws some."""
    alone, behind = names_of(index)
    requests = [reader.request(text, wanted, index) for text, wanted in taught()]
    others = [
        *(reader.alone(name, task, NAME) for name, task in alone),
        *(reader.alone(text, task) for text, task in phrasings()),
        *(reader.supply(text, marks, index) for text, marks in map(marked, supplied_learned_and_kept()[0])),
    ]
    return requests, others, [reader.alone(name, task, WITH_VERB) for name, task in behind]


def fit_further(index: TaskIndex, to: tuple[Path, Path], last: int) -> None:
    """Fit what is kept for a round more, on the last requests and some of all else; keep the mean of both."""
    network, labels, names = kept_in(to)
    requests, others, drawn = learned(Reader(names, places_of(labels, index)), index)
    torch.manual_seed(0)
    known = [*others, *requests[:-last]][::ONE_IN]
    write(further(network, names, [*requests[-last:], *known], drawn), labels, names, to)


def further(network: Network, names: Sequence[str], texts: Sequence[Text], drawn: Sequence[Text]) -> Network:
    """The mean of a network and of a copy that is fitted further."""
    found = copy.deepcopy(network)
    Fit(found, names, ROUNDS_FURTHER, STEPS_FURTHER).run(texts, drawn)
    return mean_of(network, found)


def fit_smaller(index: TaskIndex, to: tuple[Path, Path]) -> None:
    """Keep of what was fitted what counts most, and fit that further."""
    teacher, labels, names = kept_in(to)
    reader = Reader(names, places_of(labels, index))
    requests, others, drawn = learned(reader, index)
    torch.manual_seed(0)
    network = copy.deepcopy(teacher)
    keep_most(network, [reader.request(text, (), index) for text, _ in taught()[::ASKED]], names)
    Fit(network, names, ROUNDS_ON, 1.0, teacher).run([*others, *requests], drawn)
    write(network, labels, names, to)


def kept_in(files: tuple[Path, Path]) -> tuple[Network, list[str], list[str]]:
    """The network of `NETWORK` and `WEIGHTS`, its labels and its pieces."""
    with np.load(files[1], allow_pickle=False) as kept:
        columns, bias, counts = (
            torch.from_numpy(kept[name].astype(np.float32)) for name in ("columns", "bias", "counts")
        )
        labels, names = str(kept["labels"]).split(), str(kept["pieces"]).split("\n")
    network = Network(layers_of(files[0]), range(len(names)), len(labels))
    with torch.no_grad():
        network.counts.weight.copy_(counts[None])
        for part, some in ((network.tasks, slice(-1)), (network.asks, slice(-1, None))):
            part.weight.copy_(columns.T[some])
            part.bias.copy_(bias[some])
    return network, labels, names


def layers_of(file: Path) -> dict[str, torch.Tensor]:
    """What was kept of the layers, by the names that the encoder's makers give them."""
    kept = {one.name: numpy_helper.to_array(one) for one in onnx.load(file).graph.initializer}

    def numbers(name: str) -> torch.Tensor:
        if name in kept:
            return torch.from_numpy(kept[name].copy())
        whole, zero, scale = (
            kept[f"{name}_{part}"].astype(np.float32) for part in ("quantized", "zero_point", "scale")
        )
        return torch.from_numpy((whole - zero) * scale)

    found = {
        "embeddings.word_embeddings.weight": numbers("pieces.weight"),
        "embeddings.position_embeddings.weight": (places := numbers("places")),
        "embeddings.token_type_embeddings.weight": torch.zeros(1, places.shape[1]),
        "embeddings.LayerNorm.weight": numbers("first.weight"), "embeddings.LayerNorm.bias": numbers("first.bias"),
    }  # fmt: skip
    for number in range(layers_in(kept)):
        ours, theirs = f"layers.{number}", f"encoder.layer.{number}"
        for kind in ("weight", "bias"):
            three = numbers(f"{ours}.query.{kind}").t().chunk(3)
            for part, one in zip(("query", "key", "value"), three, strict=True):
                found[f"{theirs}.attention.self.{part}.{kind}"] = one.contiguous()
            for own, name in (
                ("out", "attention.output.dense"),
                ("wide", "intermediate.dense"),
                ("narrow", "output.dense"),
            ):
                found[f"{theirs}.{name}.{kind}"] = numbers(f"{ours}.{own}.{kind}").t().contiguous()
            for own, name in (("after", "attention.output.LayerNorm"), ("last", "output.LayerNorm")):
                found[f"{theirs}.{name}.{kind}"] = numbers(f"{ours}.{own}.{kind}")
    return found


def keep_most(network: Network, texts: Sequence[Text], names: Sequence[str]) -> None:
    """Keep some layers, and of each the heads and the numbers between that add most to the vectors of some texts."""
    network.layers = nn.ModuleList(network.layers[number] for number in SMALLER)
    added: dict[nn.Linear, torch.Tensor] = {}

    def note(part: nn.Linear, of: tuple[torch.Tensor], _: torch.Tensor) -> None:
        # A column's length times the square of its number, summed over the pieces.
        added[part] = added.get(part, 0) + of[0].flatten(0, -2).square().sum(0) * part.weight.square().sum(0)

    parts = [part for layer in network.layers for part in (layer.out, layer.narrow)]
    noting = [part.register_forward_hook(note) for part in parts]
    with torch.no_grad():
        for one in texts:
            pieces = torch.tensor([[names.index(FIRST), *one.pieces, names.index(LAST)]])
            network(pieces, torch.ones(pieces.shape), torch.tensor([[0, 1, len(one.pieces) + 1]]))
    for one in noting:
        one.remove()
    for layer in network.layers:
        heads = added[layer.out].view(-1, HEAD).sum(1).topk(HEADS).indices.sort().values
        own = (heads[:, None] * HEAD + torch.arange(HEAD)).flatten()
        between = added[layer.narrow].topk(BETWEEN).indices.sort().values
        layer.query, layer.key, layer.value, layer.wide = (
            product(part.weight[some], part.bias[some])
            for part, some in ((layer.query, own), (layer.key, own), (layer.value, own), (layer.wide, between))
        )
        layer.out, layer.narrow = (
            product(part.weight[:, some], part.bias) for part, some in ((layer.out, own), (layer.narrow, between))
        )


def main() -> None:
    """Print what is found of labelled requests; with --write fit anew first, with --further or --smaller go on."""
    parser = argparse.ArgumentParser(prog="python -m tools.drafting.encoding", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", type=Path, metavar="ENCODER", help="fit anew from an encoder's layers, and keep it")
    parser.add_argument("--further", type=int, metavar="LAST", help="go on from what is kept with the last requests")
    parser.add_argument("--smaller", action="store_true", help="keep a third of what is kept, which teaches it")
    options = parser.parse_args()
    index = TaskIndex.build(load_embedded().catalogue)
    if options.write:
        fit(options.write, index, (NETWORK, WEIGHTS))
    if options.further:
        fit_further(index, (NETWORK, WEIGHTS), options.further)
    if options.smaller:
        fit_smaller(index, (NETWORK, WEIGHTS))
    encoder = Encoder()
    for name in (*JUDGED, *sorted(UNSEEN)):
        right: list[bool] = []
        asking: list[float] = []
        telling: list[float] = []
        for request in read_requests(SETS[name]):
            ranges, asked = asked_of_clauses(request, index)
            reading = encoder.read(request.text, ranges)
            for number, tasks in enumerate(asked):
                (asking if tasks else telling).append(reading.asks[number])
                if not tasks.isdisjoint(encoder.labels):
                    right.append(encoder.labels[int(reading.chances[number].argmax())] in tasks)
        before = np.mean([one > other for one in asking for other in telling])
        print(f"{name}: of {len(right)} clauses {np.mean(right):.3f} right, asking before telling {before:.3f}")


if __name__ == "__main__":
    main()
