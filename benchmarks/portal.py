"""Pages of the portal in a workspace with many quotes: ``python -m benchmarks.portal``.

A service of its own, whose store holds the drafts of a few dozen requests many times over, is asked for the pages that
list them, one after the other over one connection, as a browser does. Told are the time at the client, what the
service's processor was busy for it, which others on the machine cannot stretch as much, and the size of the page.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles

import aiohttp

from benchmarks.processes import free_ports
from benchmarks.report import conditions
from gateway.web.portal.protection import SESSION_COOKIE
from server import administration
from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from server.store import customers, quotes
from server.store.customers import Details
from server.store.database import Store, execute

#: Most milliseconds that the service may take for a page (issue: ≤ 50 ms with 10,000 quotes).
GOAL = 50
PAGES = (
    "/",
    "/quotes",
    "/quotes?offset=5000",
    "/quotes?status=draft&review=1",
    "/quotes?from=2026-01-01&to=2026-01-31",
    "/quotes?q=guttering",
    "/quotes?q=somebody+chicago",
    "/quotes?q=nothing-of-the-kind",
    "/customers",
    "/customers?q=somebody+7",
    "/customers/1",
    "/quotes/new",
)
_WORKS = ("Replace {} m of guttering", "Repaint {} m2 of walls, two coats", "Fit {} ceiling fans", "Trim {} m of hedge")
_PLACES = ("Nashville", "Chicago", "Boston", "Denver", "Austin", "Portland")
_DAY = 24 * 3600 * 1_000_000


def main() -> None:
    """Fill, serve, ask, tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.portal", description=__doc__.partition("\n")[0])
    parser.add_argument("--quotes", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=30, help="of each page")
    parser.add_argument("--database", default="", help="postgresql://… of an empty database instead of SQLite")
    options = parser.parse_args()
    said = f"{options.quotes} quotes, each page {options.times} times"
    print(conditions(datetime.now(UTC), said), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        session = _fill(options.database or Path(folder, "quotewright.db"), options.quotes)
        with _service(Path(folder), options.database) as (pid, port):
            asyncio.run(_ask(pid, port, session, Path(folder, "tls", "ca.pem"), options.times))


def _fill(where: Path | str, count: int) -> str:
    """A workspace with so many quotes for a tenth as many customers; the session of its owner."""
    embedded = load_embedded()
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    texts = [
        f"{work.format(3 + 4 * number)} in {place}. The house has {number + 1} storeys, access is from the street only."
        for number, (work, place) in enumerate(itertools.product(_WORKS, _PLACES))
    ]
    drafts = [(text, drafter.draft(text, settings=PricingSettings())) for text in texts]
    chance = random.Random(7)
    statuses = ("draft", "draft", "sent", "accepted", "declined", "expired", "in_review", "approved")
    store = Store(where)
    try:
        organization = administration.create_organization(store, "Many", "Enterprise", requests_per_minute=1_000_000)
        administration.create_user(store, organization, "many@quotewright.example", "many quotes here", role="owner")

        def some(first: int, last: int) -> None:
            for number in range(first, last):
                if number % 10 == 0:
                    known = Details(f"Somebody {number // 10}", email=f"s{number}@quotewright.example")
                    customers.create(
                        organization, True, known, lead_id=0, quote_id=0, created_by="user:1", at=number * _DAY
                    )
                text, draft = chance.choice(drafts)
                made = quotes.create(
                    organization,
                    True,
                    quotes.NewQuote(
                        text, "", draft, "2027-01-01", "user:1", 1_700_000_000_000_000 + number * _DAY // 10, 2026,
                        customer_id=number // 10 + 1,
                    ),
                )  # fmt: skip
                execute("update quote set status = ? where id = ?", (chance.choice(statuses), made.quote_id))

        for first in range(0, count, 500):
            store.write_now(lambda first=first: some(first, min(first + 500, count)))  # type: ignore[misc]
        return administration.create_session(store, "many@quotewright.example", organization).secret
    finally:
        store.close()


@contextmanager
def _service(folder: Path, database: str) -> Iterator[tuple[int, int]]:
    """`quotewright serve`; its process and port."""
    https, http, grpc, private = free_ports(4)
    settings = {
        "QW_DATA_DIR": folder,
        "QW_HTTPS_PORT": https,
        "QW_HTTP_PORT": http,
        "QW_GRPC_PORT": grpc,
        "QW_PRIVATE_PORT": private,
        "QW_ADDRESS_REQUESTS_PER_MINUTE": 10_000_000,
        **({"QW_DATABASE_URL": database} if database else {}),
    }
    log = folder / "serve.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", "serve"],
            env=os.environ | {name: str(value) for name, value in settings.items()},
            stdout=stream,
            stderr=stream,
        )
    try:
        while b"ready: " not in log.read_bytes():
            if process.poll() is not None:
                raise RuntimeError(log.read_text()[-2000:])
            time.sleep(0.1)
        time.sleep(5)  # until what is loaded behind the start is loaded
        yield process.pid, https
    finally:
        process.terminate()
        process.wait(30)


async def _ask(pid: int, port: int, session: str, authority: Path, times: int) -> None:
    headers = {"Cookie": f"{SESSION_COOKIE}={session}", "Accept": "text/html"}
    connector = aiohttp.TCPConnector(ssl=ssl.create_default_context(cafile=authority), limit=1)
    print("| page | p50, ms | p95, ms | processor, ms | kB |\n|---|---|---|---|---|", flush=True)
    missed = []
    async with aiohttp.ClientSession(f"https://localhost:{port}", headers=headers, connector=connector) as client:
        for path in PAGES:
            took, size = [], 0
            await _page(client, path)
            before = _busy(pid)
            for _ in range(times):
                began = time.perf_counter()
                size = len(await _page(client, path))
                took.append(1000 * (time.perf_counter() - began))
            processor = 1000 * (_busy(pid) - before) / times
            missed += [path] if processor > GOAL else []
            print(f"| {path} | {_told(took)} | {processor:.0f} | {size / 1000:.0f} |", flush=True)
    print(f"more than {GOAL} ms: {', '.join(missed) or 'none'}")


async def _page(client: aiohttp.ClientSession, path: str) -> bytes:
    async with client.get(path) as answer:
        answer.raise_for_status()
        return await answer.read()


def _told(took: Sequence[float]) -> str:
    cuts = quantiles(took, n=20)
    return f"{cuts[9]:.0f} | {cuts[18]:.0f}"


def _busy(pid: int) -> float:
    """Seconds that a process has kept processors busy (proc(5), utime and stime)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
