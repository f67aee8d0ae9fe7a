"""The codec against protobuf's own json_format: `python -m benchmarks.codec`.

Both do the same work in one process, in short slices one after the other, so that what else the machine does falls on
both alike; each pair of slices gives one ratio. json_format is asked for what the gateway would ask it for: names in
snake_case, every field without presence, no indentation; and it does not look for NUL or for depth.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from statistics import median

from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message import Message
from quotewright.v1 import quote_pb2, sourcing_pb2

from benchmarks.peers.canned import PRICES, QUOTE, WORKLOADS
from gateway.transcode import Codec

ROUNDS = 21
SLICE_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Comparison:
    """CPU of json_format over CPU of the codec for one piece of work: the median of the rounds, and their range."""

    work: str
    size: int
    codec_us: float
    json_format_us: float
    ratio: float
    lowest: float
    highest: float


def compare(rounds: int = ROUNDS, slice_seconds: float = SLICE_SECONDS) -> list[Comparison]:
    """Decode and encode each message with both; all pieces of work take turns in every round."""
    works = [
        work
        for message in (
            QUOTE,
            PRICES,
            _request(quote_pb2.GenerateQuoteRequest),
            _request(sourcing_pb2.FindPricesRequest),
        )
        for work in _works(message)
    ]
    figures: list[list[tuple[float, float]]] = [[] for _ in works]
    for number in range(rounds):
        for work, found in zip(works, figures, strict=True):
            ours, theirs = work[2:]
            # Neither is always the first.
            if number % 2:
                found.append((_cpu(ours, slice_seconds), _cpu(theirs, slice_seconds)))
            else:
                found.append((_cpu(theirs, slice_seconds), _cpu(ours, slice_seconds))[::-1])
    return [_comparison(name, size, found) for (name, size, *_), found in zip(works, figures, strict=True)]


def _request(message_class: type[Message]) -> Message:
    """The request of that type among the workloads of `make bench`."""
    for workload in WORKLOADS:
        if (workload.name == "quote") is (message_class is quote_pb2.GenerateQuoteRequest):
            return Codec(message_class).decode(workload.body)
    raise LookupError(message_class.DESCRIPTOR.full_name)


Work = tuple[str, int, Callable[[], object], Callable[[], object]]


def _works(message: Message) -> list[Work]:
    codec, kind = Codec(type(message)), type(message)
    body = codec.encode(message)
    text = body.decode()

    def write() -> str:
        return MessageToJson(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, indent=None
        )

    assert codec.decode(body) == Parse(write(), kind()) == message
    name = message.DESCRIPTOR.name
    return [
        (f"decode {name}", len(body), lambda: codec.decode(body), lambda: Parse(text, kind())),
        (f"encode {name}", len(body), lambda: codec.encode(message), lambda: write().encode()),
    ]


def _cpu(call: Callable[[], object], seconds: float) -> float:
    """CPU of one call in µs, over as many calls as fit the slice."""
    calls, began = 0, time.process_time()
    while True:
        for _ in range(20):
            call()
        calls += 20
        spent = time.process_time() - began
        if spent >= seconds:
            return spent / calls * 1e6


def _comparison(work: str, size: int, found: list[tuple[float, float]]) -> Comparison:
    ratios = [theirs / ours for ours, theirs in found]
    return Comparison(
        work=work,
        size=size,
        codec_us=median(ours for ours, _ in found),
        json_format_us=median(theirs for _, theirs in found),
        ratio=median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
    )


def main() -> None:
    """Print the table."""
    print(
        f"CPython {platform.python_version()}, protobuf {version('protobuf')}, orjson {version('orjson')}, "
        f"{platform.machine()}; {ROUNDS} rounds of {SLICE_SECONDS * 1000:.0f} ms slices, CPU time"
    )
    print(f"{'work':32}{'bytes':>7}{'codec µs':>10}{'json_format µs':>16}{'ratio':>8}  lowest–highest")
    for one in compare():
        print(
            f"{one.work:32}{one.size:>7}{one.codec_us:>10.1f}{one.json_format_us:>16.1f}{one.ratio:>8.1f}  "
            f"{one.lowest:.1f}–{one.highest:.1f}"
        )


if __name__ == "__main__":
    main()
