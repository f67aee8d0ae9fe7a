"""Promises of signals: heard by every process once the write is committed, and only then; what was missed is made up for."""

import asyncio
import contextlib
import time
from pathlib import Path

import psycopg
import pytest

from process.log import Log
from server.store import accounts
from server.store.database import Store, execute
from server.store.engines import engine_of
from server.store.signals import EVERYTHING, Signal, Topic, tell


@pytest.fixture
def database(new_database):
    return new_database()


@contextlib.asynccontextmanager
async def listening(store):
    """What the store's process hears."""
    heard = []
    for topic in Topic:
        store.on(topic, lambda key, topic=topic: heard.append(Signal(topic, key)))
    store.listen(Log("test"))
    try:
        yield heard
    finally:
        await store.stop_listening()


@contextlib.asynccontextmanager
async def another_process(url):
    """What another process on the database hears: the engine's own listener, as models have one store a process."""
    heard = []
    task = asyncio.create_task(engine_of(url).listen(heard.extend, Log("other")))
    try:
        await until(lambda: heard)
        assert heard == list(EVERYTHING)
        heard.clear()
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(true, within=10.0):
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def signal(key, then=None):
    def work():
        tell(Topic.ORGANIZATION, key)
        execute("insert into revocation (credential_id, at) values ('x', 0)")
        if then is not None:
            raise then

    return work


async def test_the_own_process_has_heard_before_the_write_is_acknowledged(database):
    store = Store(database)
    try:
        async with listening(store) as heard:
            await store.write(signal(7))
            assert Signal(Topic.ORGANIZATION, 7) in heard
    finally:
        store.close()


async def test_a_write_that_failed_tells_nothing_and_its_neighbours_do(database):
    store = Store(database)
    try:
        async with listening(store) as heard:
            works = [signal(1), signal(2, LookupError("on purpose")), signal(3)]
            await asyncio.gather(*map(store.write, works), return_exceptions=True)
            keys = {one.key for one in heard if one.topic is Topic.ORGANIZATION}
            assert keys - {0} == {1, 3}
    finally:
        store.close()


async def test_other_processes_hear_what_was_committed_once(postgres):
    store = Store(url := postgres.create())
    try:
        async with listening(store) as own, another_process(url) as heard:
            await until(lambda: own)
            own.clear()
            with contextlib.suppress(LookupError):
                await store.write(signal(2, LookupError("on purpose")))
            await store.write(signal(5))
            await store.write(lambda: accounts.revoke("a", at=0))
            await until(lambda: len(heard) >= 2)
            assert heard == own == [Signal(Topic.ORGANIZATION, 5), Signal(Topic.REVOCATION, 0)]
            # What a newer version tells is passed over.
            with psycopg.connect(url, autocommit=True) as newer:
                newer.execute(
                    "select pg_notify('quotewright', p) from unnest(array['n weather 1', 'rain', 'n mail 0']) p"
                )
            await until(lambda: len(heard) >= 3)
            assert heard[2:] == [Signal(Topic.MAIL, 0)]
    finally:
        store.close()


async def test_a_listener_whose_connection_is_cut_comes_back_and_takes_everything_as_changed(postgres):
    store = Store(url := postgres.create())
    try:
        async with another_process(url) as heard:
            await asyncio.to_thread(cut_listeners, url)
            await until(lambda: heard)
            assert heard == list(EVERYTHING)
            heard.clear()
            await store.write(signal(9))
            await until(lambda: heard)
            assert heard == [Signal(Topic.ORGANIZATION, 9)]
    finally:
        store.close()


def cut_listeners(url):
    with psycopg.connect(url, autocommit=True) as stranger:
        cut = "select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN%' and datname = current_database()"
        assert stranger.execute(cut).fetchall() == [(True,)]


def test_a_file_is_listened_to_in_vain(tmp_path: Path):
    assert asyncio.run(engine_of(tmp_path / "q.db").listen(lambda _: None, Log("test"))) is None
