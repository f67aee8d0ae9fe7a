"""Promises of reads on a standby: never older than the primary's, and answered by the primary where it is late or gone."""

import asyncio
import contextlib
import secrets
import tempfile
import threading
import time
from pathlib import Path

import psycopg
import pytest

from process.settings import SettingsError
from server.config import ServerConfig
from server.store.database import Store, execute
from tests import stack
from tests.postgres_server import PostgresServer, postgres_server
from tests.stack import Client, Stack, free_port, stopping


@pytest.fixture(scope="module")
def primary():
    with postgres_server() as server:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute("create role app login")
            # The fixture's server answers before what it was told is on disk; a store's must not.
            connection.execute("alter role app set synchronous_commit = on")
        yield server


@contextlib.contextmanager
def standby_of(primary):
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        standby = PostgresServer(Path(folder), copy_of=primary)
        try:
            standby.start()
            yield standby
        finally:
            standby.stop()


@pytest.fixture(scope="module")
def standby(primary):
    with standby_of(primary) as standby:
        yield standby


@pytest.fixture
def addresses(primary, standby):
    """A database on both, as a user sees it that is no superuser."""
    name = primary.create().rpartition("/")[2]
    with psycopg.connect(primary.url("postgres"), autocommit=True) as connection:
        connection.execute(f"alter database {name} owner to app")
    return [server.url(name).replace("quotewright@", "app@") for server in (primary, standby)]


@pytest.fixture
def store(addresses):
    store = Store(*addresses)
    yield store
    store.close()


def insert(credential_id):
    return lambda: execute("insert into revocation (credential_id, at) values (?, 0)", (credential_id,))


def newest():
    row = execute("select credential_id from revocation order by id desc limit 1").fetchone()
    return row and row[0]


async def answered_by(store, which, within=20.0):
    """Browse until the other one answers; what it answers is true all along."""
    deadline = time.monotonic() + within
    while True:
        before = store.replica_reads[which]
        token = secrets.token_hex(5)
        await store.write(insert(token))
        assert await store.browse(newest) == token
        if store.replica_reads[which] > before:
            return
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_who_wrote_reads_it_whichever_database_answers(store, standby):
    await answered_by(store, "replica")
    for number in range(100):
        await store.write(insert(str(number)))
        assert set(await asyncio.gather(*(store.browse(newest) for _ in range(4)))) == {str(number)}
    assert store.replica_reads["replica"] > 50

    def where():
        return execute("select pg_is_in_recovery(), inet_server_port()").fetchone()

    await answered_by(store, "replica")
    assert await store.browse(where) == (True, standby.port)
    assert (await store.read(where))[0] is False


async def test_commits_that_are_not_on_disk_yet_are_waited_for(primary, addresses):
    with psycopg.connect(primary.url("postgres"), autocommit=True) as connection:
        connection.execute("alter role app set synchronous_commit = off")
        try:
            store = Store(*addresses)
            try:
                for number in range(30):
                    await store.write(insert(str(number)))
                    assert await store.browse(newest) == str(number)
            finally:
                store.close()
        finally:
            connection.execute("alter role app set synchronous_commit = on")


async def test_a_standby_that_is_late_is_not_asked_until_it_has_caught_up(store, standby):
    await answered_by(store, "replica")
    with psycopg.connect(standby.url("postgres"), autocommit=True) as connection:
        connection.execute("select pg_wal_replay_pause()")
        try:
            for _ in range(3):
                await answered_by(store, "primary")
        finally:
            connection.execute("select pg_wal_replay_resume()")
    await answered_by(store, "replica")


async def test_a_standby_that_stops_or_hangs_costs_no_read(store, standby):
    await answered_by(store, "replica")
    standby.stop()
    await answered_by(store, "primary")
    standby.start()
    await answered_by(store, "replica")
    standby.pause()
    try:
        async with asyncio.timeout(20):
            await answered_by(store, "primary")
    finally:
        standby.resume()
    await answered_by(store, "replica")


async def test_what_the_work_itself_raises_is_raised(store):
    def fail():
        raise LookupError("on purpose")

    with pytest.raises(LookupError, match="on purpose"):
        await store.browse(fail)


async def test_a_standby_that_was_promoted_is_not_asked(primary, addresses):
    with standby_of(primary) as other:
        store = Store(addresses[0], other.url(addresses[0].rpartition("/")[2]))
        try:
            await answered_by(store, "replica")
            with psycopg.connect(other.url("postgres"), autocommit=True) as connection:
                connection.execute("select pg_promote()")
                # It goes its own way, and further than the primary.
                connection.execute("create table its_own as select generate_series(1, 10000)")
            await answered_by(store, "primary")
            before = dict(store.replica_reads)
            for _ in range(10):
                await store.browse(newest)
            assert store.replica_reads["replica"] == before["replica"]
        finally:
            store.close()


def test_without_a_standby_nothing_is_different(new_database):
    store = Store(new_database())
    try:
        assert asyncio.run(store.browse(newest)) is None
        assert not any(store.replica_reads.values())
        assert not [one for one in threading.enumerate() if one.name.startswith("replica-reader")]
    finally:
        store.close()


@pytest.mark.parametrize(
    "settings",
    [
        {"database_replica_url": "postgresql://standby/q"},
        {"database_url": "postgresql://primary/q", "database_replica_url": "standby"},
    ],
)
def test_an_address_that_fits_nothing_is_refused(settings):
    with pytest.raises(SettingsError, match="QW_DATABASE_REPLICA_URL"):
        _ = ServerConfig(**settings).database_replica


async def test_the_service_lists_at_once_what_it_made(addresses, tmp_path):
    running = Stack(tmp_path, free_port(), free_port(), free_port(), addresses[0])
    running.processes.append(stack.begin(running, "serve", QW_DATABASE_REPLICA_URL=addresses[1]))
    with stopping(running):
        running.processes[0].wait_ready(within=60)
        organization = running.organization()
        async with Client(running) as client:
            for _ in range(10):
                made = (await client.generate(organization.live_key, "Fit three ceiling fans")).json()
                listed = await client.request("GET", "/api/v1/quotes?limit=1", key=organization.live_key)
                assert listed.json()["data"][0]["quote_number"] == made["quote_number"]
                again = await client.request("GET", f"/api/v1/quotes/{made['quote_id']}", key=organization.live_key)
                assert again.json()["quote_number"] == made["quote_number"]
            async with client._session.get(f"{running.processes[0].private}/metrics") as metrics:
                lines = (await metrics.text()).splitlines()
    (count,) = (line for line in lines if line.startswith('quotewright_store_replica_reads_total{database="replica"}'))
    assert float(count.split()[-1]) > 0
