"""What loading the data and drafting cost: ``python -m benchmarks.drafting``.

Requests of the development set are strung together by chance to 120, 1,000 and 20,000 characters; then come hostile
texts of 20,000. Times are what one thread used of a core: on a machine that others use too they say more than the
clock, though neighbours on the same cores still slow them. Prices are remembered from one draft to the next, as in the
service.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from process import memory
from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from tools.evaluation.drafting import SETS

#: Characters of a request, and how many such requests are drafted.
SIZES = {120: 400, 1_000: 200, 20_000: 10}
LONGEST = 20_000
#: Pieces that are repeated to 20,000 characters.
HOSTILE = (
    "x", "1", "(", "()", "\u202e", "e\u0301", "\n", ",", "door, ", "wall - ", "6'2\" ", "SW1A 1AA ", "1x", "1/2 ",
    "; paint door", "- paint wall\n", "hundred ", "paintng ", "12 ft by 14 ft by ", "we supply the paint. ",
    "do not paint the wall. ", "Springfield IL ", "2+ ",
)  # fmt: skip


def main() -> None:
    """Print what loading takes, and two tables."""
    began = time.thread_time()
    embedded = load_embedded()
    print(f"the embedded data is loaded in {time.thread_time() - began:.2f} s")
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    memory.settle()
    rows = SETS["development"].read_text("utf-8").splitlines()
    texts = [str(json.loads(row)["text"]) for row in rows]
    chance = random.Random(7)
    for _ in range(20):
        _milliseconds(drafter, _strung(chance, texts, 1_000))
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}", flush=True)
    print("\n| characters | requests | p50, ms | p99, ms |\n|---|---|---|---|")
    for size, count in SIZES.items():
        found = sorted(_milliseconds(drafter, _strung(chance, texts, size)) for _ in range(count))
        print(f"| {size:,} | {count} | {found[count // 2]:.1f} | {found[int(0.99 * (count - 1))]:.1f} |", flush=True)
    print("\n| 20,000 characters of | ms | of half as many, ms |\n|---|---|---|")
    for piece in HOSTILE:
        text = (piece * LONGEST)[:LONGEST]
        whole, half = (_milliseconds(drafter, part) for part in (text, text[: LONGEST // 2]))
        print(f"| {piece!a} | {whole:.0f} | {half:.0f} |", flush=True)


def _strung(chance: random.Random, texts: Sequence[str], size: int) -> str:
    """So many characters of requests in an order of chance."""
    parts: list[str] = []
    while sum(map(len, parts)) + len(parts) < size:
        parts.append(chance.choice(texts))
    return " ".join(parts)[:size]


def _milliseconds(drafter: Drafter, text: str) -> float:
    began = time.thread_time()
    drafter.draft(text, settings=PricingSettings())
    return (time.thread_time() - began) * 1000


if __name__ == "__main__":
    main()
