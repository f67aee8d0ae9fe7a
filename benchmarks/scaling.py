"""What a second process adds over PostgreSQL: ``python -m benchmarks.scaling --server postgresql://… --redis redis://…``.

Two services, of one process and of two, are up at once, each with a database of its own on the server; slices of the
load of `benchmarks.endurance` (TLS, every quote durable) go to one and to the other in turn, so that what else the
machine does falls on both alike. Read the ratio: the client takes its part of the same cores, so on two cores it is a
pessimist's.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import psycopg
import uvloop
from yarl import URL

from benchmarks.endurance import Client, Service, busy
from benchmarks.report import conditions

PROCESSES = (1, 2)
WARM_UP_SECONDS = 3.0


@contextmanager
def database(server: str) -> Iterator[str]:
    """The address of a new database on the server, dropped in the end."""
    name = f"scaling_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name} encoding 'UTF8' template template0")
        try:
            yield str(URL(server).with_path(f"/{name}"))
        finally:
            connection.execute(f"drop database {name} with (force)")


async def compare(services: list[Service], rounds: int, seconds: float) -> list[list[float]]:
    """Answers a second of each service in each round. Raises ``RuntimeError`` where anything but 200 came back."""
    clients = [Client(service) for service in services]
    for client in clients:
        await busy(client, WARM_UP_SECONDS)
    rates: list[list[float]] = []
    for number in range(rounds):
        found = [0.0] * len(clients)
        for place in range(len(clients)):
            one = (number + place) % len(clients)
            answers = await busy(clients[one], seconds)
            if answers.failures or any(status != 200 for _, status in answers.latencies):
                raise RuntimeError(answers.told())
            found[one] = answers.good() / answers.seconds
        rates.append(found)
        print(f"round {number + 1}: " + ", ".join(f"{rate:.1f}" for rate in found), flush=True)
    for client in clients:
        await client.close()
    return rates


def main() -> None:
    """Run both and print the ratio of each round and their median."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--server", required=True, help="URL of any database of a PostgreSQL server, to make others on it"
    )
    parser.add_argument("--redis", required=True, help="URL of Redis")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0, help="length of a slice")
    options = parser.parse_args()
    with ExitStack() as stack:
        services = []
        for count in PROCESSES:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            url = stack.enter_context(database(options.server))
            services.append(Service(folder, count, url, options.redis))
            stack.callback(services[-1].stop)
        for service in services:
            service.wait_ready()
        print(conditions(datetime.now(UTC), f"{options.rounds} slices of {options.seconds:g} s each"), flush=True)
        rates = uvloop.run(compare(services, options.rounds, options.seconds))
    ratios = [two / one for one, two in rates]
    print(f"two processes do {median(ratios):.2f} times the work of one ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    sys.exit(main())
