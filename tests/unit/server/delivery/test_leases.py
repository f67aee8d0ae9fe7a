"""Promises of workers: told that something is due they look at once, not when they would have looked by themselves."""

import asyncio

import pytest

from process.log import Log
from server.delivery import leases
from server.delivery.leases import LeaseWorker
from server.rpc import gate
from server.store import accounts
from server.store.database import Store
from server.store.signals import Topic, tell


class Looking(LeaseWorker):
    """Notes each look at the table, which is empty."""

    def __init__(self, store):
        super().__init__("looks", Topic.MAIL, store, Log("test"), within=1, most=1, most_in_claim=1, times=None)
        self.looks = asyncio.Queue()

    def is_due(self, now):
        self.looks.put_nowait(now)
        return False

    def claim_due(self, lease, *, now, until, most):
        raise AssertionError("nothing is due")

    async def see_to(self, row):
        raise AssertionError("nothing is due")


@pytest.fixture
async def store(new_database, monkeypatch):
    for module in (leases, gate):
        monkeypatch.setattr(module, "POLL_EVERY", 3600.0)
    store = Store(new_database())
    store.listen(Log("test"))
    yield store
    await store.stop_listening()
    store.close()


async def test_a_worker_that_is_told_looks_at_once(store):
    worker = Looking(store)
    worker.start()
    try:
        async with asyncio.timeout(20):
            await worker.looks.get()
            for _ in range(3):
                await store.write(lambda: tell(Topic.MAIL))
                await worker.looks.get()
    finally:
        await worker.stop()


async def test_a_revocation_is_told_at_once(store):
    revocations = gate.Revocations(store, Log("test"))
    await revocations.start()
    try:
        async with asyncio.timeout(20):
            told = revocations.listen()
            assert await anext(told) == ()
            await store.write(lambda: accounts.revoke("a", "b", at=0))
            while not (ids := await anext(told)):
                pass
            assert ids == ("a", "b")
            await told.aclose()
    finally:
        await revocations.stop()
