"""What the service does of each kind of real work when it does nothing else: ``python -m benchmarks.work``.

A service of its own (TLS, every quote durable), 32 connections, one client on the same cores, so the figures are a
pessimist's. Texts to proofread are all new, those of quotes come again after 3,600, prices are one question. At the end
the window of an allowance: how fast what is over it is refused, and that exactly the allowance was admitted.
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import uvloop

from benchmarks.endurance import CONNECTIONS, PRICE, Answers, Client, Service, busy, request
from benchmarks.proofreading import fresh
from benchmarks.report import conditions
from benchmarks.scaling import database

Requests = Iterator[tuple[str, bytes]]
SHORT = "Replace {0} m of guttering and repaint the front of a two-storey house, about {1} m2, in Nashville"
#: Some 1,000 characters, eight lines.
LONG = (
    "Hello, we have just bought the house at 12 Alder Court and would like a quote for the following before we move in "
    "next month. Please repaint {0} bedrooms, walls and ceilings, each about {1} square feet of floor. In the kitchen "
    "the faucet drips and should be replaced, and there are {0} outlets to add along the counter. The laminate in the "
    "living room, {1} square feet, has to come out and vinyl plank should go down instead; we will clear the furniture "
    "ourselves. Outside, {1} feet of gutters need replacing, and the back fence, {1} feet of it, 6 ft high, should be "
    "taken down and put up again in cedar. The bathroom upstairs needs a new toilet; we already have the vanity, which "
    "only has to be fitted. The water heater is a 50 gallon gas one from 2009 and we would like it replaced, too. The "
    "driveway and the roof are fine and are not part of this. Parking is easy, somebody is home in the mornings, and "
    "the dog stays with my sister. Please tell us when you could begin. Many thanks, Ana and Tom"
)
#: Requests a minute of the organization whose allowance is used up.
ALLOWANCE = 1_000
WARM_UP_SECONDS = 2.0


def quotes(service: Service, text: str) -> Requests:
    """Drafts of texts with ever other figures."""
    for number in itertools.count(1):
        body = {"text": text.format(number % 9 + 2, 40 + number % 400)}
        yield "quote", request("POST", "/api/v1/quotes/generate", body, service.keys[number % 2])


def prices(service: Service) -> Requests:
    """The same question of two organizations."""
    for key in itertools.cycle(service.keys):
        yield "price", request("POST", "/api/v1/sourcing/price", PRICE, key)


def settings(service: Service) -> Requests:
    """GET /config, which takes no credential."""
    return itertools.repeat(("config", request("GET", "/api/v1/config", None, service.keys[0])))


def proofreading(service: Service) -> Requests:
    """2,000 characters that no cache has seen, of a user's session."""
    session = service.session(service.organization("Office"))
    chance = random.Random(11)
    while True:
        body = {"text": fresh(chance, 2_000), "field_kind": "notes", "locale": "en-US"}
        yield "proofread", request("POST", "/api/writing-assist/proofread", body, session)


def refused(service: Service) -> Requests:
    """More than an organization may."""
    key = service.key(service.organization("Small", ALLOWANCE))
    return itertools.repeat(("over the limit", request("GET", "/api/v1/quotes?limit=1", None, key)))


#: Kind of work: its requests, and how many answers a second are wanted.
WORK: dict[str, tuple[Callable[[Service], Requests], int]] = {
    "quote, 100 characters": (lambda service: quotes(service, SHORT), 300),
    "quote, 1,000 characters": (lambda service: quotes(service, LONG), 0),
    "price": (prices, 1_000),
    "config": (settings, 3_000),
    "proofread, 2,000 characters": (proofreading, 100),
    "over the limit": (refused, 3_000),
}


async def measure(service: Service, requests: Requests, seconds: float, warm_up: float) -> Answers:
    """What 32 connections had answered."""
    client = Client(service, requests)
    if warm_up:
        await busy(client, warm_up)
    answers = await busy(client, seconds)
    await client.close()
    return answers


def main() -> None:
    """Print a table for each kind of work."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.work", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", choices=WORK, action="append")
    parser.add_argument("--server", help="URL of any database of a PostgreSQL server, to make another on it")
    parser.add_argument("--redis", default="", help="URL of Redis")
    parser.add_argument("--processes", type=int, default=1, help="above 1 with --server and --redis")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(database(options.server)) if options.server else ""
        service = Service(folder, options.processes, url, options.redis)
        try:
            service.wait_ready()
            told = f"{options.seconds:g} s each, {CONNECTIONS} connections, {options.processes} processes"
            print(conditions(datetime.now(UTC), told), flush=True)
            for name in options.only or WORK:
                requests, goal = WORK[name]
                warm_up = 0.0 if requests is refused else WARM_UP_SECONDS
                answers = uvloop.run(measure(service, requests(service), options.seconds, warm_up))
                wanted = f", wanted {goal:,}" if goal else ""
                print(
                    f"\n{name}: {answers.all() / answers.seconds:,.0f} a second{wanted}\n\n{answers.told()}", flush=True
                )
        finally:
            service.stop()


if __name__ == "__main__":
    main()
