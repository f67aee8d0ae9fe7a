"""What proofreading costs: ``python -m benchmarks.proofreading``.

Times of texts that were never seen before, of typing at the end of a long one, and of hostile ones; how long the
proofreader takes to load and what it adds to the process. Beside each time stands Harper alone, with its default rules,
on the same text. CPU time is what one thread used: on a machine that others use too it says more than the clock.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from harper import Linter

from server.domain.proofreading.proofreader import Proofreader
from server.proofreading import load_proofreader
from tools.evaluation.proofreading import CLEAN, MIXED, WRONG

SIZES = (100, 1_000, 12_000)
REPEATS = 20
SECONDS = 12.0
HOSTILE = {
    "one word": "x" * 12_000, "apostrophes": "'" * 12_000, "quotes": '" ' * 6_000, "unknown words": "qzxi " * 2_400,
    "digits": "1-" * 6_000, "no spaces, sentences": "a." * 6_000, "confusions": "its their form " * 800,
    "right to left": "\u202e" * 12_000, "combining marks": "e\u0301" * 6_000,
}  # fmt: skip


def main() -> None:
    """Print the figures."""
    before = _resident()
    began = time.perf_counter()
    proofreader = load_proofreader()
    print(f"loaded in {time.perf_counter() - began:.2f} s, {_resident() - before:.0f} MB more in memory")
    chance = random.Random(7)
    linter = Linter()
    linter.lint("Hello there.", language="plaintext")
    for size in SIZES:
        ours = _times(lambda size=size: fresh(chance, size), lambda text: _read(proofreader, text))  # type: ignore[misc]
        alone = _times(lambda size=size: fresh(chance, size), lambda text: linter.lint(text, language="plaintext"))  # type: ignore[misc]
        print(f"{size} characters, never seen: {ours}; Harper alone: {alone}")
    text = fresh(chance, 11_900)
    _read(proofreader, text)
    typed = iter(range(1, 100))
    print(f"typing at the end of 11,900: {_times(lambda: f'{text} We add {_letters(next(typed))}.', lambda one: _read(proofreader, one))}")  # fmt: skip  # noqa: E501
    for name, one in HOSTILE.items():
        began = time.perf_counter()
        _read(proofreader, one)
        print(f"hostile, {name}: {(time.perf_counter() - began) * 1000:.0f} ms")
    print(f"memory of the process: {_resident():.0f} MB")


def _read(proofreader: Proofreader, text: str) -> object:
    return proofreader.read(text, "notes", "en-US")


def fresh(chance: random.Random, size: int) -> str:
    """A text of sentences that no other text has: halves of our own sentences, put together by chance."""
    sentences = [*CLEAN, *(wrong for wrong, _ in MIXED), *(wrong for wrong, _ in WRONG)]
    parts: list[str] = []
    while sum(map(len, parts)) + len(parts) < size:
        one, other = (chance.choice(sentences).rstrip(".").split() for _ in range(2))
        words = [*one[: len(one) // 2 + 1], *other[len(other) // 2 :]]
        parts.append(f"{' '.join(words)} {chance.choice(one)}.")
    return " ".join(parts)[:size]


def _letters(number: int) -> str:
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    return " ".join(names[int(digit)] for digit in str(number))


def _times(text: Callable[[], str], work: Callable[[str], object]) -> str:
    clock, cpu = [], []
    until = time.perf_counter() + SECONDS
    for _ in range(REPEATS):
        given = text()
        began, used = time.perf_counter(), time.thread_time()
        work(given)
        clock.append((time.perf_counter() - began) * 1000)
        cpu.append((time.thread_time() - used) * 1000)
        if time.perf_counter() > until:
            break
    return (
        f"median {statistics.median(clock):.1f} ms, p95 {sorted(clock)[int(0.95 * (len(clock) - 1))]:.1f} ms, "
        f"CPU median {statistics.median(cpu):.1f} ms"
    )


def _resident() -> float:
    status = Path("/proc/self/status").read_text("ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


if __name__ == "__main__":
    main()
