"""Promises of a worker among bad receivers: the good ones notice nothing, and its memory does not grow.

A small round in `make test`; the whole one, with tries of 15 seconds and bounds on lag and memory, with
``pytest -m long``.
"""

import asyncio
import sqlite3
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from quotewright.v1 import customer_pb2

from server import administration, events, webhooks
from server.delivery.vault import Vault
from server.store.audit import Act
from server.store.database import Store
from tests import stack
from tests.doubles import receivers
from tests.doubles.receivers import Receiver, receiver

MASTER = "a master secret for tests"
BAD = (receivers.hang, receivers.drip, receivers.gigabyte, receivers.redirect)


async def test_bad_receivers_hold_up_nobody_else(tmp_path):
    async with AsyncExitStack() as closing:
        round_ = await begin(tmp_path, closing, healthy=28, within=1.5)
        sent = await happen(round_, times=5, every=0.2)
        await round_.good.wait_for(sent)
        await asyncio.sleep(1.0)
    assert sorted(delivery.id for delivery in round_.good.received) == sorted(round_.expected)
    assert {error for _, error, _, _ in attempts(tmp_path, round_.bad)} == {"timeout", "status", "redirect"}
    assert max(duration for _, _, duration, _ in attempts(tmp_path, round_.bad)) < 10_000


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_199_healthy_receivers_beside_four_bad_ones(tmp_path):
    async with AsyncExitStack() as closing:
        round_ = await begin(tmp_path, closing, healthy=199, within=15.0)
        await happen(round_, times=1, every=0)
        await round_.good.wait_for(199)
        before = memory(round_.worker)
        sent = await happen(round_, times=12, every=1.0)
        await round_.good.wait_for(199 + sent)
        await asyncio.sleep(16.0)
        grown = memory(round_.worker) - before
    good = attempts(tmp_path, round_.good_ids)
    lags = sorted(lag for _, _, _, lag in good)
    p99 = lags[int(len(lags) * 0.99)]
    slowest = max(duration for _, _, duration, _ in attempts(tmp_path, round_.bad))
    print(  # noqa: T201 - the figures of the round, shown by pytest -s
        f"{len(lags)} healthy deliveries: lag p50 {lags[len(lags) // 2]:.0f} ms, p99 {p99:.0f} ms; "
        f"slowest bad try {slowest} ms; memory {grown / 1e6:+.1f} MB"
    )
    assert len(round_.good.received) == len(round_.expected)
    assert p99 <= 2000
    assert slowest <= 16_000
    assert grown <= 20e6


@pytest.mark.long
async def test_150_deliveries_a_second(tmp_path):
    async with AsyncExitStack() as closing:
        round_ = await begin(tmp_path, closing, healthy=40, within=15.0)
        began = time.monotonic()
        sent = await happen(round_, times=50, every=0)
        await round_.good.wait_for(sent, within=60)
        rate = sent / (time.monotonic() - began)
    print(f"{sent} deliveries, {rate:.0f} a second")  # noqa: T201 - the figure, shown by pytest -s
    assert len(round_.good.received) == sent
    assert rate >= 150


@dataclass
class Round:
    """A worker with its receivers."""

    store: Store
    worker: stack.Process
    good: Receiver
    organizations: list[int] = field(default_factory=list)
    good_ids: list[int] = field(default_factory=list)
    bad: list[int] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    healthy_of: dict[int, int] = field(default_factory=dict)


async def begin(data_dir: Path, closing: AsyncExitStack, *, healthy: int, within: float) -> Round:
    store = Store(data_dir / "quotewright.db")
    closing.callback(store.close)
    good = await closing.enter_async_context(receiver())
    bad = [await closing.enter_async_context(receiver(behaviour)) for behaviour in BAD]
    vault = Vault(MASTER.encode())
    urls = [*(one.url for one in bad), *(f"{good.url}/{number}" for number in range(healthy))]
    running = stack.Stack(data_dir, 0, 0, 0)
    settings = {
        "QW_WEBHOOK_ALLOWED_NETWORKS": "127.0.0.0/8",
        "QW_WEBHOOK_SECRET": MASTER,
        "QW_WEBHOOK_ATTEMPT_SECONDS": within,
    }
    worker = await asyncio.to_thread(stack.start, running, "worker", fresh=True, **settings)
    closing.callback(worker.stop)
    round_ = Round(store, worker, good)
    for first in range(0, len(urls), 20):
        organization = administration.create_organization(store, f"Test {first}", "Starter")
        round_.organizations.append(organization)
        for url in urls[first : first + 20]:
            number = store.write_now(lambda url=url, one=organization: make(one, vault, url))
            if url.startswith(good.url):
                round_.good_ids.append(number)
                round_.healthy_of[organization] = round_.healthy_of.get(organization, 0) + 1
            else:
                round_.bad.append(number)
    return round_


def make(organization, vault, url):
    return webhooks.create(
        act(organization), vault, url=url, description="", event_types=(), livemode=False, secret=webhooks.new_secret()
    ).endpoint_id


def act(organization):
    return Act(organization, False, "operator", "", time.time_ns() // 1000)


async def happen(round_: Round, *, times: int, every: float) -> int:
    """Events in every organization; how many deliveries to healthy receivers they make."""
    sent = 0
    for _ in range(times):
        for organization in round_.organizations:
            event_id = await round_.store.write(
                lambda one=organization: events.record(act(one), "customer.created", customer_pb2.Customer(name="Ann"))
            )
            round_.expected += [event_id] * round_.healthy_of[organization]
            sent += round_.healthy_of[organization]
        await asyncio.sleep(every)
    return sent


def attempts(data_dir, endpoints):
    """Endpoint, error, duration (ms) and lag from event to end (ms) of every try."""
    with sqlite3.connect(data_dir / "quotewright.db") as database:
        rows = database.execute(
            "select d.endpoint_id, a.error, a.duration_ms, (a.at - d.created_at) / 1000.0 + a.duration_ms "
            "from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id"
        ).fetchall()
    database.close()
    return [row for row in rows if row[0] in endpoints]


def memory(process):
    """Resident bytes of a process."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) * 1024
