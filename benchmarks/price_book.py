"""Looking prices up in price books of growing size, with the catalogue: `python -m benchmarks.price_book`.

Each size is a database of its own, filled through the store's own functions with one import; queries are codes, whole
names, names with a word left out, misspelled names and words that nothing has, half and half in random order. A look-up
is what one price query costs in process: the book through a reader's connection, then the catalogue. Stops growing
after ``--minutes``.
"""

from __future__ import annotations

import argparse
import logging
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from statistics import quantiles

from server.domain.price_book.item import Entry
from server.domain.pricing.price_book import own_options
from server.domain.pricing.sourcing import PriceSearch
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from server.rpc.books import StoredBook
from server.store import accounts, price_book
from server.store.database import Store
from server.store.price_book import Batch, NewImport

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUERIES = 1_500
BATCH = 5_000
_WORDS = """
copper steel brass pvc plastic oak pine aluminum concrete clay slate glass rubber chrome
elbow tee pipe valve bracket gutter door window hinge shelf tile board panel socket switch cable fan light tap basin
round square half flat heavy light external internal white black grey left right long short
kitchen bathroom garden loft garage hallway roof wall floor ceiling cellar porch office
"""
_MATERIALS, _THINGS, _FORMS, _USES = (tuple(line.split()) for line in _WORDS.strip().split("\n"))


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds of one look-up by the clock, and of the processor alone, which other work does not lengthen."""

    rows: int
    wall_p50: float
    wall_p99: float
    cpu_p50: float
    cpu_p99: float
    found: float


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.price_book", description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--minutes", type=float, default=15.0)
    options = parser.parse_args()
    logging.disable()
    search = PriceSearch(load_embedded().catalogue)
    print(f"{'rows':>9}  {'wall p50':>9} {'p99':>7}  {'cpu p50':>9} {'p99':>7}  found   (ms)", flush=True)
    until = time.monotonic() + options.minutes * 60
    for rows in sorted(options.sizes):
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(Path(folder), rows, search, until)
        if figures is None:
            print(f"{rows:>9}  not reached in time")
            break
        print(
            f"{figures.rows:>9}  {figures.wall_p50:>9.2f} {figures.wall_p99:>7.2f}  {figures.cpu_p50:>9.2f} "
            f"{figures.cpu_p99:>7.2f}  {figures.found:.0%}",
            flush=True,
        )


def measure(folder: Path, rows: int, search: PriceSearch, until: float) -> Figures | None:
    """Fill a book and query it; None where the time is up first."""
    store = Store(folder / "quotewright.db")
    try:
        names = list(_names(rows))
        organization = store.write_now(lambda: accounts.create_organization("Benchmark", "Starter", 0))
        if not fill(store, organization, names, until):
            return None
        found = store.read_now(lambda: price_book.book_of(organization, True))
        assert found is not None
        settings = PricingSettings()
        shuffled = random.Random(7)
        queries = [_query(names, shuffled) for _ in range(QUERIES)]
        wall_ms, cpu_ms, hits = [], [], 0
        for query in queries:
            book = StoredBook(store, *found, date(2026, 6, 1))
            began, cpu_began = time.perf_counter(), time.process_time()
            options = own_options(book, query, settings, 10)
            search.find(query, settings=settings)
            wall_ms.append((time.perf_counter() - began) * 1000)
            cpu_ms.append((time.process_time() - cpu_began) * 1000)
            hits += bool(options)
        return Figures(rows, *_p50_p99(wall_ms), *_p50_p99(cpu_ms), hits / len(queries))
    finally:
        store.close()


def fill(store: Store, organization: int, names: list[str], until: float) -> bool:
    """One applied import of all names; False where the time is up first."""
    new = NewImport(
        "benchmark.csv", dry_run=False, skip_refused=False, effective_from="2026-01-01", started_by="b", at=0
    )
    import_id = store.write_now(lambda: price_book.start_import(organization, True, new))
    for start in range(0, len(names), BATCH):
        if time.monotonic() > until:
            return False
        entries = [
            Entry(f"SKU-{number:07}", names[number], "each", Decimal(number % 997 + 1), "USD", "service", "2026-01-01")
            for number in range(start, min(start + BATCH, len(names)))
        ]
        batch = Batch(entries, rows=len(entries))
        store.write_now(lambda batch=batch: price_book.stage(import_id, batch, 0))  # type: ignore[misc]
    store.write_now(lambda: price_book.finish_import(import_id, 0))
    return True


def _names(rows: int) -> Iterator[str]:
    """Names as price lists have them: a few words out of many, the common ones in every twentieth name."""
    chance = random.Random(3)
    for number in range(rows):
        words = [chance.choice(_FORMS), chance.choice(_MATERIALS), chance.choice(_THINGS)]
        if chance.random() < 0.5:
            words.append(f"for {chance.choice(_USES)}")
        words.append(f"{chance.randrange(5, 500)} mm")
        if chance.random() < 0.7:
            words.append(f"model {_letters(number)}")
        yield " ".join(words)


def _letters(number: int) -> str:
    text = ""
    while number or not text:
        number, rest = divmod(number, 26)
        text += chr(97 + rest)
    return "q" + text


def _query(names: list[str], chance: random.Random) -> str:
    number = chance.randrange(len(names))
    words = names[number].split()
    kind = chance.randrange(6)
    if kind == 0:
        return f"SKU-{number:07}"
    if kind == 1:
        return names[number]
    if kind == 2:
        return " ".join(words[:3])
    if kind == 3:
        return " ".join(words[1:3])
    if kind == 4:
        wrong = words[2]
        return " ".join((words[0], words[1], wrong[:-2] + wrong[-1] if len(wrong) > 5 else wrong + "e"))
    return f"unheard {chance.choice(_THINGS)} of {chance.choice(_MATERIALS)} zzyx"


def _p50_p99(values: list[float]) -> tuple[float, float]:
    cuts = quantiles(values, n=100)
    return cuts[49], cuts[98]


if __name__ == "__main__":
    main()
