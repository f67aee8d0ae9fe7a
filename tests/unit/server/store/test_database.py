"""Promises of the store: what was acknowledged is on disk, a write that fails takes no other with it."""

import asyncio
import sqlite3
import threading

import pytest

from server.store.database import MIGRATIONS, Store, StoreBusyError, StoreClosedError, execute


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "quotewright.db")
    yield store
    store.close()


def insert(credential_id):
    return lambda: execute(
        "insert into revocation (credential_id, at) values (?, 0) returning id", (credential_id,)
    ).fetchone()[0]


def ids():
    return [row[0] for row in execute("select credential_id from revocation order by id")]


async def test_a_write_is_read_back_by_another_connection_once_acknowledged(store):
    await store.write(insert("a"))
    other = sqlite3.connect(store.path)
    assert other.execute("select credential_id from revocation").fetchall() == [("a",)]
    other.close()


async def test_a_failing_write_leaves_its_neighbours_in_the_same_batch_alone(store):
    def fail():
        insert("lost")()
        raise LookupError("on purpose")

    outcomes = await asyncio.gather(
        *(store.write(fail if number % 3 == 1 else insert(str(number))) for number in range(30)),
        return_exceptions=True,
    )
    assert [isinstance(one, LookupError) for one in outcomes] == [number % 3 == 1 for number in range(30)]
    assert sorted(await store.read(ids)) == sorted(str(number) for number in range(30) if number % 3 != 1)


async def test_a_locked_database_is_told_and_changes_nothing(store):
    blocker = sqlite3.connect(store.path, isolation_level=None)
    store.write_now(lambda: execute("pragma busy_timeout = 50"))
    blocker.execute("begin immediate")
    with pytest.raises(StoreBusyError):
        await store.write(insert("a"))
    blocker.execute("rollback")
    blocker.close()
    assert await store.write(insert("b")) == 1
    assert await store.read(ids) == ["b"]


async def test_a_cancelled_write_that_has_not_begun_never_happens(store):
    release = threading.Event()
    holding = asyncio.ensure_future(store.write(release.wait))
    await asyncio.sleep(0.05)
    cancelled = asyncio.ensure_future(store.write(insert("cancelled")))
    await asyncio.sleep(0.05)
    cancelled.cancel()
    await asyncio.sleep(0.05)
    release.set()
    await holding
    await store.write(insert("after"))
    assert await store.read(ids) == ["after"]


async def test_what_was_accepted_before_close_is_written_and_nothing_after(store):
    accepted = [asyncio.ensure_future(store.write(insert(str(number)))) for number in range(20)]
    await asyncio.sleep(0)
    await asyncio.get_running_loop().run_in_executor(None, store.close)
    await asyncio.gather(*accepted)
    with pytest.raises(StoreClosedError):
        await store.write(insert("late"))
    with sqlite3.connect(store.path) as other:
        assert other.execute("select count(*) from revocation").fetchone() == (20,)
    other.close()


async def test_two_stores_may_migrate_the_same_file_at_once(tmp_path):
    paths = [tmp_path / "quotewright.db"] * 2
    stores = await asyncio.gather(*(asyncio.to_thread(Store, path) for path in paths))
    for store in stores:
        store.close()
    with sqlite3.connect(paths[0]) as other:
        assert other.execute("select count(*) from schema_migration").fetchone() == (len([*MIGRATIONS.glob("0*.py")]),)
    other.close()
