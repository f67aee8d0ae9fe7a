"""How long drafts in threads keep the event loop waiting: `python -m benchmarks.turns`.

A loop that wants its turn every millisecond runs beside one and two threads that draft a long request over and over,
with Python's own switch interval and with ours; what it waits beyond the millisecond is the delay. The settings take
turns.
"""

from __future__ import annotations

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import quantiles

from process import memory
from process.turns import SWITCH_INTERVAL
from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from server.embedded import load_embedded

REQUEST = "Replace 12 m of guttering, paint 60 m2 of walls two coats, fit 3 ceiling fans and a 40 gallon water heater. "
LENGTH = 20_000
SECONDS = 3.0
ROUNDS = 3
PYTHONS_OWN = 0.005


async def delays(drafter: Drafter, threads: int) -> tuple[list[float], int]:
    """Delays in milliseconds, and how many requests were drafted meanwhile."""
    loop = asyncio.get_running_loop()
    ends_at = time.monotonic() + SECONDS
    text = (REQUEST * (LENGTH // len(REQUEST) + 1))[:LENGTH]
    late: list[float] = []
    drafted = 0

    async def draft(pool: ThreadPoolExecutor) -> None:
        nonlocal drafted
        while time.monotonic() < ends_at:
            await loop.run_in_executor(pool, lambda: drafter.draft(text, settings=PricingSettings()))
            drafted += 1

    async def want_turns() -> None:
        while time.monotonic() < ends_at:
            began = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append(1000 * (time.perf_counter() - began) - 1)

    with ThreadPoolExecutor(threads) as pool:
        await asyncio.gather(want_turns(), *(draft(pool) for _ in range(threads)))
    return late, drafted


def main() -> None:
    """Print a table."""
    embedded = load_embedded()
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    memory.settle()
    print("| threads | switch interval, ms | delay p50, ms | p99 | largest | drafts |")
    print("|---|---|---|---|---|---|")
    for threads in (1, 2):
        found: dict[float, tuple[list[float], int]] = {}
        for _ in range(ROUNDS):
            for interval in (PYTHONS_OWN, SWITCH_INTERVAL):
                sys.setswitchinterval(interval)
                late, drafted = asyncio.run(delays(drafter, threads))
                before, count = found.get(interval, ([], 0))
                found[interval] = (before + late, count + drafted)
        for interval, (late, count) in found.items():
            cuts = quantiles(late, n=100)
            print(
                f"| {threads} | {1000 * interval:.1f} | {cuts[49]:.2f} | {cuts[98]:.2f} | {max(late):.1f} | {count} |"
            )


if __name__ == "__main__":
    main()
