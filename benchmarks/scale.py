"""Simulates limiter and webhook worker at 1, 10, 100 and 1,000 times today's size: `python -m benchmarks.scale`.

Nothing waits and nothing is measured: both run through simulated minutes by a clock of their own, seeded, so the same
numbers come out on every machine (docs/scale.md quotes them). The limiter is the gateway's own `MemoryQuota`, once as
Redis keeps it for all gateways and once in each of them as when Redis is gone. The worker is a model of
`server.delivery.leases` by its own constants: claims, leases, tries and the schedule of retries.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import math
import random
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from gateway.quota import WINDOW, MemoryQuota
from server.delivery.leases import GATHERED, POLL_EVERY
from server.delivery.worker import MOST, MOST_IN_CLAIM, MOST_OF_ENDPOINT
from server.domain import retries

SEED = 20_261_121
SCALES = (1, 10, 100, 1000)
#: Sizes with how many workers.
WORKERS = ((1, 1), (10, 1), (100, 1), (100, 2), (1000, 2), (1000, 8), (1000, 16))
#: Today's size: organizations of one deployment, and requests a second of all of them.
ORGANIZATIONS, REQUESTS = 100, 20.0
#: A gateway process takes so many requests a second; sizes are gateways for that many.
REQUESTS_OF_GATEWAY = 200.0
#: Requests a minute that an organization may make (plan Professional).
ALLOWANCE = 60
#: How unequal organizations are: the sigma of the logarithm of how much they ask.
UNEVEN = 1.2
SECONDS = 3 * WINDOW
#: Organizations that are simulated at most, of all gateways: none has to do with another.
MOST_SIMULATED = 1_000


@dataclass(frozen=True, slots=True)
class Limited:
    """What a limiter did with ``asked`` requests: ``worst`` is the most that one organization got in any 60 s."""

    gateways: int
    organizations: int
    asked: int
    admitted: int
    worst: int


class Clock:
    """Seconds; moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def arrivals(organizations: int, draw: random.Random) -> Iterator[tuple[float, int]]:
    """When a request comes and whose it is: a Poisson stream over organizations that ask unequally much."""
    names = range(organizations)
    weights = list(accumulate(draw.lognormvariate(0, UNEVEN) for _ in names))
    now = 0.0
    while (now := now + draw.expovariate(REQUESTS / ORGANIZATIONS * organizations)) < SECONDS:
        yield now, draw.choices(names, cum_weights=weights)[0]


async def limit(scale: int, *, shared: bool) -> Limited:
    """Three windows at a size: one limiter for all gateways, or one in each."""
    draw = random.Random(SEED)
    gateways = math.ceil(REQUESTS * scale / REQUESTS_OF_GATEWAY)
    organizations = min(ORGANIZATIONS * scale, MOST_SIMULATED)
    clock = Clock()
    quotas = [MemoryQuota(clock) for _ in range(1 if shared else gateways)]
    admitted: dict[int, deque[float]] = {}
    worst, asked, passed = 0, 0, 0
    for clock.now, organization in arrivals(organizations, draw):
        asked += 1
        quota = quotas[draw.randrange(len(quotas))]
        if not (await quota.take(("organization", organization, True), ALLOWANCE)).admitted:
            continue
        passed += 1
        times = admitted.setdefault(organization, deque())
        times.append(clock.now)
        while times[0] <= clock.now - WINDOW:
            times.popleft()
        worst = max(worst, len(times))
    return Limited(gateways, organizations, asked, passed, worst)


#: Events a second of today's size, endpoints, and how long a receiver takes: seconds, of which the median is this.
EVENTS, ENDPOINTS, ANSWER = 5.0, 100, 0.15
#: Of the endpoints so many take the whole time of a try and fail, and so many refuse at once.
HANGING, REFUSING = 0.02, 0.03
ATTEMPT = 15.0
#: What a delivery costs of the writers' turn, seconds: its part of a claim, and its outcome (docs/scale.md).
CLAIM, OUTCOME = 0.0002, 0.002
SIMULATED = 120.0


@dataclass(slots=True)
class Delivered:
    """What workers did in `SIMULATED` seconds. ``late``: seconds from event to success;
    ``turn``: seconds of the writers' turn that it took."""

    workers: int
    events: int
    delivered: int = 0
    tries: int = 0
    late: list[float] = field(default_factory=list)
    waiting: int = 0
    turn: float = 0.0

    def percentile(self, part: float) -> float:
        """Of the lateness, seconds."""
        ordered = sorted(self.late)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


@dataclass(order=True, slots=True)
class Due:
    """A delivery that waits for its time."""

    at: float
    number: int
    endpoint: int
    since: float
    tries: int = 0


class Workers:
    """``count`` workers over one table, in steps of `GATHERED`, the shortest pause between two claims of one."""

    def __init__(self, count: int, endpoints: int, draw: random.Random) -> None:
        self._draw = draw
        self._hanging = HANGING * endpoints
        self._failing = (HANGING + REFUSING) * endpoints
        self._room = [MOST] * count
        self._wakes = [0.0] * count
        self._of_endpoint: Counter[int] = Counter()
        #: What is due, by endpoint, and the endpoints of which something can be claimed.
        self._waiting: dict[int, deque[Due]] = {}
        self._ready: dict[int, None] = {}
        self._ending: list[tuple[float, int, int, Due, bool]] = []
        self._later: list[Due] = []

    def run(self, events: list[Due], done: Delivered) -> None:
        """Live through `SIMULATED` seconds."""
        upcoming = deque(events)
        for step in range(int(SIMULATED / GATHERED)):
            now = step * GATHERED
            while self._ending and self._ending[0][0] <= now:
                _, _, worker, due, good = heapq.heappop(self._ending)
                self._end(worker, due, good, now, done)
            while upcoming and upcoming[0].at <= now:
                self._enqueue(upcoming.popleft())
            while self._later and self._later[0].at <= now:
                self._enqueue(heapq.heappop(self._later))
            for worker, wakes in enumerate(self._wakes):
                if wakes <= now:
                    claimed = self._claim(worker, now, done)
                    self._wakes[worker] = now + (GATHERED if claimed == MOST_IN_CLAIM else POLL_EVERY)
        done.waiting = sum(map(len, self._waiting.values()))

    def _enqueue(self, due: Due) -> None:
        self._waiting.setdefault(due.endpoint, deque()).append(due)
        self._see(due.endpoint)

    def _see(self, endpoint: int) -> None:
        if self._waiting.get(endpoint) and self._of_endpoint[endpoint] < MOST_OF_ENDPOINT:
            self._ready[endpoint] = None

    def _claim(self, worker: int, now: float, done: Delivered) -> int:
        room, claimed = min(self._room[worker], MOST_IN_CLAIM), 0
        while self._ready and claimed < room:
            endpoint = next(iter(self._ready))
            del self._ready[endpoint]
            self._begin(worker, self._waiting[endpoint].popleft(), now, done)
            self._see(endpoint)
            claimed += 1
        done.turn += CLAIM * claimed
        return claimed

    def _begin(self, worker: int, due: Due, now: float, done: Delivered) -> None:
        self._of_endpoint[due.endpoint] += 1
        self._room[worker] -= 1
        done.tries += 1
        hangs, fails = due.endpoint < self._hanging, due.endpoint < self._failing
        took = ATTEMPT if hangs else self._draw.lognormvariate(math.log(ANSWER), 0.6)
        heapq.heappush(self._ending, (now + took, done.tries, worker, due, not fails))

    def _end(self, worker: int, due: Due, good: bool, now: float, done: Delivered) -> None:
        self._of_endpoint[due.endpoint] -= 1
        self._room[worker] += 1
        # The end of a try wakes its worker, which gathers others first.
        self._wakes[worker] = min(self._wakes[worker], now + GATHERED)
        self._see(due.endpoint)
        done.turn += OUTCOME
        if good:
            done.delivered += 1
            done.late.append(now - due.since)
            return
        due.tries += 1
        wait = retries.wait_after(due.tries, self._draw.uniform(-1, 1))
        if wait is not None:
            due.at = now + wait
            heapq.heappush(self._later, due)


def deliver(scale: int, workers: int) -> Delivered:
    """Events of unequal endpoints at a size, one delivery each."""
    draw = random.Random(SEED)
    endpoints = ENDPOINTS * scale
    events, now = [], 0.0
    while (now := now + draw.expovariate(EVENTS * scale)) < SIMULATED:
        events.append(Due(now, len(events), draw.randrange(endpoints), now))
    done = Delivered(workers, len(events))
    Workers(workers, endpoints, draw).run(events, done)
    return done


def row_of_limiter(scale: int) -> str:
    """A row of the first table of docs/scale.md."""
    one, apart = (asyncio.run(limit(scale, shared=shared)) for shared in (True, False))
    return (
        f"| {scale:,} | {one.gateways} | {one.organizations:,} | {one.asked:,} "
        f"| {one.admitted / one.asked:.1%} | {one.worst} | {apart.admitted / apart.asked:.1%} | {apart.worst} |"
    )


def row_of_workers(scale: int, workers: int) -> str:
    """A row of the second."""
    done = deliver(scale, workers)
    return (
        f"| {scale:,} | {EVENTS * scale:,.0f} | {workers} | {done.delivered:,} of {done.events:,} "
        f"| {done.tries:,} | {done.percentile(0.5):.2f} | {done.percentile(0.99):.2f} | {done.waiting:,} "
        f"| {done.turn / SIMULATED:.0%} |"
    )


def main() -> None:
    """Print both tables."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--largest", type=int, default=1000, help="the largest size, times today's")
    largest = asked.parse_args().largest
    print(
        f"| size | gateways | organizations simulated | requests in {SECONDS:.0f} s | with Redis: admitted "
        "| most of one in 60 s | without: admitted | most of one in 60 s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for scale in SCALES:
        if scale <= largest:
            print(row_of_limiter(scale), flush=True)
    print()
    print(
        f"| size | events/s | workers | delivered in {SIMULATED:.0f} s | tries | late p50, s | p99, s "
        "| waiting at the end | writers' turn |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for scale, workers in WORKERS:
        if scale <= largest:
            print(row_of_workers(scale, workers), flush=True)


if __name__ == "__main__":
    main()
