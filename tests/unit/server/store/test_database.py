"""Promises of the store: what was acknowledged is on disk, a write that fails takes no other with it."""

import asyncio
import contextlib
import itertools
import sqlite3
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest
from peewee import DatabaseError
from playhouse.migrations import Runner

from server.store.database import MIGRATIONS, Store, StoreBusyError, StoreClosedError, execute, of_one_moment
from server.store.engines import engine_of
from tests.postgres_server import postgres_server


@pytest.fixture
def database(new_database):
    return new_database()


@pytest.fixture
def store(database):
    store = Store(database)
    yield store
    store.close()


@contextlib.contextmanager
def stranger(database):
    """A connection that is none of ours; each statement for itself."""
    connect = sqlite3.connect if isinstance(database, Path) else psycopg.connect
    own = {"isolation_level": None} if isinstance(database, Path) else {"autocommit": True}
    with contextlib.closing(connect(database, **own)) as connection:
        yield connection


def insert(credential_id):
    return lambda: execute(
        "insert into revocation (credential_id, at) values (?, 0) returning id", (credential_id,)
    ).fetchone()[0]


def ids():
    return [row[0] for row in execute("select credential_id from revocation order by id")]


async def test_a_write_is_read_back_by_another_connection_once_acknowledged(database, store):
    await store.write(insert("a"))
    with stranger(database) as other:
        assert other.execute("select credential_id from revocation").fetchall() == [("a",)]


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


async def test_a_locked_database_is_told_and_changes_nothing(database, store):
    on_file = isinstance(database, Path)
    store.write_now(lambda: execute("pragma busy_timeout = 50" if on_file else "set lock_timeout = 50"))
    with stranger(database) as blocker:
        blocker.execute("begin immediate" if on_file else "begin")
        if not on_file:
            blocker.execute("lock table revocation in access exclusive mode")
        with pytest.raises(StoreBusyError):
            await store.write(insert("a"))
        blocker.execute("rollback")
    await store.write(insert("b"))
    assert await store.read(ids) == ["b"]


async def test_a_database_that_takes_no_writes_is_told_by_writes_and_pings_and_not_taken_for_writable(database, store):
    refuse = "pragma query_only = 1" if isinstance(database, Path) else "set default_transaction_read_only = on"
    for given_up, ask in enumerate((store.ping, lambda: store.write(insert("a"))), start=1):
        await store.write(lambda: execute(refuse))
        written_at = store.committed_at
        with pytest.raises(StoreBusyError):
            await ask()
        assert (store.committed_at, store.given_up) == (written_at, given_up)
    await store.write(insert("b"))
    assert store.committed_at > written_at
    assert await store.read(ids) == ["b"]


async def test_a_disk_that_is_full_in_the_middle_of_a_statement_is_told_counted_and_not_taken_for_writable(
    database, store
):
    def write_much():
        if isinstance(database, Path):
            execute("pragma max_page_count = 1")  # it takes no page more than it has
            execute("insert into fact (key, text) values ('much', hex(zeroblob(1000000)))")
        execute("do $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$")

    written_at = store.committed_at
    outcomes = await asyncio.gather(*(store.write(write_much) for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in outcomes] == [StoreBusyError] * 3
    assert (store.committed_at, store.given_up) == (written_at, 3)
    await store.write(insert("small"))
    assert store.committed_at > written_at


async def test_a_ping_writes(database, store):
    for _ in range(2):
        before = store.committed_at
        await store.ping()
        assert store.committed_at > before
    with stranger(database) as other:
        assert other.execute("select count(*) from usage_report where id = 'store'").fetchone() == (1,)


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


async def test_what_was_accepted_before_close_is_written_and_nothing_after(database, store):
    accepted = [asyncio.ensure_future(store.write(insert(str(number)))) for number in range(20)]
    await asyncio.sleep(0)
    await asyncio.get_running_loop().run_in_executor(None, store.close)
    await asyncio.gather(*accepted)
    with pytest.raises(StoreClosedError):
        await store.write(insert("late"))
    with stranger(database) as other:
        assert other.execute("select count(*) from revocation").fetchone() == (20,)


async def test_two_stores_may_migrate_the_same_database_at_once(database):
    stores = await asyncio.gather(*(asyncio.to_thread(Store, database) for _ in range(2)))
    for store in stores:
        store.close()
    with stranger(database) as other:
        assert other.execute("select count(*) from schema_migration").fetchone() == (len([*MIGRATIONS.glob("0*.py")]),)


def test_what_a_migration_adds_to_a_table_old_code_need_not_know(database):
    """It may be null, or the database itself has what it is by default (docs/operations.md, upgrades)."""
    engine = engine_of(database).database
    runner = Runner(engine, str(MIGRATIONS))
    with contextlib.closing(engine):
        engine.connect(reuse_if_open=True)
        before = {}
        for name in sorted(path.stem for path in MIGRATIONS.glob("0*.py")):
            runner.up(name)
            after = {table: {one.name: one for one in engine.get_columns(table)} for table in engine.get_tables()}
            for table in before:
                added = [after[table][column] for column in after[table].keys() - before[table].keys()]
                assert [one.name for one in added if not one.null and one.default is None] == [], (name, table)
            before = after


def test_no_index_only_repeats_the_beginning_of_another(database):
    """Every one is written with every row. Partial ones hold fewer rows, unique ones refuse something."""
    Store(database).close()
    engine = engine_of(database).database
    with contextlib.closing(engine):
        engine.connect(reuse_if_open=True)
        for table in engine.get_tables():
            indexes = {one.name: one for one in engine.get_indexes(table)}
            columns = {name: tuple(one.columns) for name, one in indexes.items()}
            columns["primary key"] = tuple(engine.get_primary_keys(table))
            whole = [name for name, one in indexes.items() if not one.unique and " where " not in one.sql.lower()]
            repeated = [
                (name, other)
                for name in whole
                for other, further in columns.items()
                if other != name and further[: len(columns[name])] == columns[name]
            ]
            assert repeated == [], table


async def test_after_a_restart_of_the_server_the_store_goes_on():
    with postgres_server(durable=True) as server:
        store = Store(server.create())
        try:
            await store.write(insert("before"))
            assert await store.read(ids) == ["before"]
            server.kill()
            # The second one finds no connection at all.
            for _ in range(3):
                with pytest.raises(StoreBusyError):
                    await store.write(insert("lost"))
            with pytest.raises(StoreBusyError):
                await store.read(ids)
            server.start()
            await store.write(insert("after"))
            assert await store.read(ids) == ["before", "after"]
        finally:
            store.close()


async def test_a_read_of_what_is_locked_is_told(postgres):
    url = postgres.create()
    store = Store(url)
    try:
        with stranger(url) as blocker:
            blocker.execute("begin")
            blocker.execute("lock table revocation in access exclusive mode")
            with pytest.raises(StoreBusyError):
                await store.read(lambda: (execute("set lock_timeout = 50"), ids()))
    finally:
        store.close()


async def test_a_wrong_statement_is_no_busy_database(store):
    for ask in (store.read, store.write):
        with pytest.raises((DatabaseError, StoreBusyError)) as told:
            await ask(lambda: execute("select nonsense"))
        assert not isinstance(told.value, StoreBusyError)


async def test_a_read_survives_a_connection_that_the_server_ended(postgres):
    store = Store(postgres.create())
    try:
        await store.write(insert("a"))
        await store.read(ids)
        with contextlib.closing(psycopg.connect(postgres.url("postgres"), autocommit=True)) as other:
            other.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'quotewright'"
            )
        assert await store.read(ids) == ["a"]
    finally:
        store.close()


async def test_what_is_read_of_one_moment_is_so_within_another_and_ends_with_an_error(store):
    @of_one_moment
    def twice(fails):
        first = ids()
        store.write_now(insert(str(len(first))))
        if fails:
            raise LookupError("on purpose")
        return first, of_one_moment(ids)()

    for number in range(4):
        with pytest.raises(LookupError):
            await store.read(lambda: twice(True))
        first, second = await store.read(lambda: twice(False))
        assert len(first) == len(second) == 2 * number + 1
    # As many reads as there are readers, and more: none has kept its transaction, each sees what is new.
    assert {len(one) for one in await asyncio.gather(*(store.read(ids) for _ in range(6)))} == {8}
    assert await store.write(of_one_moment(insert("in a write")))


async def test_a_read_of_one_moment_whose_connection_was_ended_meanwhile_begins_again(postgres):
    store, waits = Store(postgres.create()), [0.4, 0.0]

    @of_one_moment
    def slow():
        execute("set local idle_in_transaction_session_timeout = 50")
        time.sleep(waits.pop(0))
        return ids()

    try:
        assert await store.read(slow) == []
        assert not waits
    finally:
        store.close()


async def test_two_stores_take_turns_so_that_a_higher_id_is_never_seen_first(postgres):
    url = postgres.create()
    program = (
        "import sys; from server.store.database import Store, execute\n"
        "store = Store(sys.argv[1])\n"
        "for number in range(150):\n"
        "    store.write_now(lambda: execute('insert into revocation (credential_id, at) values (?, 0)', (sys.argv[2],)))\n"
        "store.close()"
    )
    seen, store = [], Store(url)
    try:
        writers = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", program, url, name) for name in ("a", "b", "c")
        ]
        ended = asyncio.gather(*(writer.wait() for writer in writers))
        while not ended.done():
            seen.append(await store.read(lambda: [row[0] for row in execute("select id from revocation order by id")]))
        assert await ended == [0, 0, 0]
        last = await store.read(lambda: [row[0] for row in execute("select id from revocation order by id")])
    finally:
        store.close()
    assert len(last) == 450
    for before, after in itertools.pairwise([*seen, last]):
        assert after[: len(before)] == before
