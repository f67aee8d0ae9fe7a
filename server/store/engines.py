"""What differs between the databases: how one connects, how a write begins, how migrations wait for one another.

SQL is written once, for both, with ``?`` for parameters. Writes take turns on either: SQLite has one writer, and on
PostgreSQL a transaction that writes holds one advisory lock. So a row with a higher id was always committed later, a
chain has one end, and counters have no gaps, on one process or many (docs/adr/0010-turns-over-processes.md).
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import re
import secrets
import socket
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

from peewee import Database, DatabaseError, OperationalError, PostgresqlDatabase, SqliteDatabase

from process import turns
from process.log import Log
from server.store.signals import EVERYTHING, Signal, Topic

if TYPE_CHECKING:
    from server.store.scripts import Script

PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "cache_size": -16000,
    "temp_store": "memory",
}
#: Names of the advisory locks (any numbers that nobody else uses in the database).
_WRITERS, _MIGRATIONS = 0x51_57_01, 0x51_57_02
#: A statement that PostgreSQL has not ended after this long is given up, as a lock that is not had; and a transaction
#: whose process says nothing more loses its turn, which everybody waits for.
STATEMENT_MS, LOCK_MS, SILENT_MS = 15_000, 5_000, 5_000
#: What SQLite says when there is nothing wrong with the statement.
_SQLITE_BUSY = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
}  # fmt: skip
#: SQLSTATE of what a server refuses that is read-only: a standby, or one that was told to be.
_READ_ONLY = "25006"
#: One for each host, or none.
_PORTS = re.compile("[0-9,]*")
#: How every connection is made (libpq's names).
CONNECTION: dict[str, Any] = {
    "connect_timeout": 5,
    "application_name": "quotewright",
    "options": f"-c statement_timeout={STATEMENT_MS} -c lock_timeout={LOCK_MS} "
    f"-c idle_in_transaction_session_timeout={SILENT_MS} -c timezone=UTC",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
#: Of a replica less is expected: what it does not answer soon is read elsewhere.
REPLICA_CONNECTION = {
    **CONNECTION,
    "connect_timeout": 2,
    "options": "-c statement_timeout=1000 -c timezone=UTC -c default_transaction_read_only=on",
    "tcp_user_timeout": 3_000,
}
#: Name of what NOTIFY and LISTEN speak over, and the seconds before a lost connection is made anew.
_CHANNEL = "quotewright"
LISTEN_AGAIN_AFTER = 0.5


class Engine(Protocol):
    """One database that a `server.store.database.Store` keeps its data in."""

    @property
    def database(self) -> Database:
        """As Peewee knows it; for the models to be bound to."""

    def begin(self) -> None:
        """Begin a transaction that writes, on the connection of the thread; from here on no other writes."""

    def together(self) -> contextlib.AbstractContextManager[None]:
        """Statements of the thread may wait for later ones meanwhile, to be sent with them."""

    def flush(self) -> None:
        """Return when the statements so far are done."""

    def forget(self) -> bool:
        """Drop the statements that wait; whether any since the last `flush` does not."""

    def migrating(self) -> contextlib.AbstractContextManager[None]:
        """A connection, while no other process migrates."""

    def take_time(self) -> None:
        """Let statements and pauses on the connection of the thread be as long as they are."""

    def is_lost(self) -> bool:
        """Whether the connection of the thread is of no use any more."""

    @property
    def has_replica(self) -> bool:
        """Whether reads may go elsewhere."""

    def position(self) -> str:
        """How far the database has come with what it has on disk, for `has_reached`; on a reader's connection."""

    def read_replica(self) -> None:
        """From here on this thread connects to the replica."""

    def has_reached(self, position: str) -> bool:
        """Whether the replica has all that was on disk at a `position`; on a thread that reads it."""

    def cut_replica(self) -> None:
        """End what threads wait for at the replica, with an error."""

    def notify(self, signals: Collection[Signal]) -> None:
        """Tell other processes, if and when the transaction that is open on this thread is committed."""

    async def listen(self, hear: Callable[[Iterable[Signal]], None], log: Log) -> None:
        """Hear what other processes tell, until cancelled; returns at once where nothing can be heard."""

    def is_busy(self, error: DatabaseError) -> bool:
        """Whether the database cannot do just now what it was asked for: locked, full, failing, stopping, read-only."""


class Sqlite:
    """A file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self.database = SqliteDatabase(str(path), pragmas=PRAGMAS, thread_safe=True, autoconnect=False)

    def begin(self) -> None:
        """Take the file for writing, or fail after the busy timeout."""
        self.database.execute_sql("BEGIN IMMEDIATE")

    def together(self) -> contextlib.AbstractContextManager[None]:
        """Each is done at once."""
        return contextlib.nullcontext()

    def flush(self) -> None:
        """See `together`."""

    def forget(self) -> bool:
        """See `together`."""
        return True

    @contextlib.contextmanager
    def migrating(self) -> Iterator[None]:
        """Connecting switches the file to WAL, which takes it whole: that, too, is done one at a time."""
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self.database.connection_context():
                yield

    def take_time(self) -> None:
        """Nothing limits it."""

    def is_lost(self) -> bool:
        """A file stays where it is."""
        return False

    def is_busy(self, error: DatabaseError) -> bool:
        """The driver calls a wrong statement an operational error, too."""
        code = getattr(_of_driver(error), "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return isinstance(error, OperationalError) and code & 0xFF in _SQLITE_BUSY

    has_replica = False

    def position(self) -> str:
        """Not asked for, as nothing else is without a replica."""
        raise NotImplementedError

    def read_replica(self) -> None:
        """See `position`."""
        raise NotImplementedError

    def has_reached(self, position: str) -> bool:
        """See `position`."""
        raise NotImplementedError

    def cut_replica(self) -> None:
        """See `position`."""
        raise NotImplementedError

    def notify(self, signals: Collection[Signal]) -> None:
        """A file tells nobody: other processes look at it again by themselves."""

    async def listen(self, hear: Callable[[Iterable[Signal]], None], log: Log) -> None:
        """See `notify`."""


class _Threads(threading.local):
    """What a thread connects to, and what it sends its statements with, if they may wait."""

    replica = False
    script: Script | None = None


class _Routed(PostgresqlDatabase):
    """Connects each thread to the primary, or to the replica where the thread says so; sends together what may wait."""

    def __init__(self, url: str, replica: str, threads: _Threads) -> None:
        self._replica = replica
        self._threads = threads
        self._to_replica: WeakSet[Any] = WeakSet()
        self._cutting = threading.Lock()
        super().__init__(url, prefer_psycopg3=True, autoconnect=False, thread_safe=True, **CONNECTION)

    def _connect(self) -> Any:
        if not self._threads.replica:
            return super()._connect()  # type: ignore[misc]  # the stubs lack it
        import psycopg

        connection = psycopg.connect(self._replica, autocommit=True, **REPLICA_CONNECTION)
        with self._cutting:
            self._to_replica.add(connection)
        return connection

    def execute_sql(self, sql: str, params: Sequence[object] | None = None) -> Any:
        """A cursor of the driver, or the statement that waits."""
        script = self._threads.script
        if script is not None:
            return script.add(sql, params)
        return super().execute_sql(sql, params)  # type: ignore[no-untyped-call]  # the stubs lack its types

    def cut_replica(self) -> None:
        """Break the connections to the replica, from any thread: who waits for an answer gets an error."""
        with self._cutting:
            connections = tuple(self._to_replica)
        for connection in connections:
            with contextlib.suppress(Exception), socket.socket(fileno=os.dup(connection.fileno())) as one:
                one.shutdown(socket.SHUT_RDWR)


class Postgres:
    """A database of a PostgreSQL server, by its address ``postgresql://…``, and of a standby of it, if there is one."""

    def __init__(self, url: str, replica: str = "") -> None:
        self._url = url
        self._threads = _Threads()
        self.has_replica = bool(replica)
        #: By which it knows its own signals, which it need not hear again.
        self._name = secrets.token_hex(4)
        self._routed = _Routed(url, replica, self._threads)
        self.database: PostgresqlDatabase = self._routed

    def begin(self) -> None:
        """Wait for the turn of this transaction."""
        self.database.execute_sql("BEGIN")
        self.database.execute_sql("SELECT pg_advisory_xact_lock(%s)", (_WRITERS,))

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """See `server.store.scripts`."""
        from server.store.scripts import Script

        self._threads.script = script = Script(self.database.connection())
        try:
            with turns.shorter():
                yield
        finally:
            self._threads.script = None
        script.end()

    def flush(self) -> None:
        """See `Engine.flush`."""
        if self._threads.script is not None:
            self._threads.script.flush()

    def forget(self) -> bool:
        """See `Engine.forget`."""
        return self._threads.script is None or self._threads.script.forget()

    @contextlib.contextmanager
    def migrating(self) -> Iterator[None]:
        """The lock goes with the connection."""
        with self.database.connection_context():
            self.database.execute_sql("SET lock_timeout = 0")
            self.take_time()
            self.database.execute_sql("SELECT pg_advisory_lock(%s)", (_MIGRATIONS,))
            yield

    def take_time(self) -> None:
        """Lift the limits that keep one transaction from holding up all."""
        self.database.execute_sql("SET statement_timeout = 0")
        self.database.execute_sql("SET idle_in_transaction_session_timeout = 0")

    def is_lost(self) -> bool:
        """Whether the server has gone, or this connection was ended."""
        return self.database.is_closed() or not self.database.is_connection_usable()

    def is_busy(self, error: DatabaseError) -> bool:
        """All operational errors are (SQLSTATE classes 53, 55, 57, 58), and that nothing is written just now, which the
        driver counts among the defects."""
        return isinstance(error, OperationalError) or getattr(_of_driver(error), "sqlstate", "") == _READ_ONLY

    def position(self) -> str:
        """Timeline and LSN: what was acknowledged is on disk, so before it, unless ``synchronous_commit`` is off."""
        timeline, lsn = self.database.execute_sql(
            "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8), (CASE current_setting('synchronous_commit') "
            "WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END)::text"
        ).fetchone()
        return f"{int(timeline, 16)} {lsn}"

    def read_replica(self) -> None:
        """See `Engine.read_replica`."""
        self._threads.replica = True

    def cut_replica(self) -> None:
        """See `Engine.cut_replica`."""
        self._routed.cut_replica()

    def has_reached(self, position: str) -> bool:
        """A server that is promoted, or follows another timeline, has something else: positions say nothing there."""
        timeline, lsn = position.split()
        row = self.database.execute_sql(
            "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s::pg_lsn "
            "AND (SELECT min_recovery_end_timeline FROM pg_control_recovery()) = %s",
            (lsn, int(timeline)),
        ).fetchone()
        return bool(row[0])

    def notify(self, signals: Collection[Signal]) -> None:
        """One statement, and none where there is nothing to tell."""
        if signals:
            payloads = [f"{self._name} {topic} {key}" for topic, key in signals]
            self.database.execute_sql(
                "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload", (_CHANNEL, payloads)
            )

    async def listen(self, hear: Callable[[Iterable[Signal]], None], log: Log) -> None:
        """On a connection of its own, which is made anew when it is lost; what was missed meanwhile nobody knows."""
        import psycopg

        lost = False
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **CONNECTION)
                async with connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    if lost:
                        log("signals_heard_again")
                    lost = False
                    hear(EVERYTHING)
                    async for notice in connection.notifies():
                        hear(self._read(notice.payload))
                problem = "the connection was closed"
            except (psycopg.Error, OSError) as error:
                problem = str(error)
            if not lost:
                log("signals_lost", error=problem)
            lost = True
            await asyncio.sleep(LISTEN_AGAIN_AFTER)

    def _read(self, payload: str) -> Iterable[Signal]:
        """The signal of another process; a newer version may tell of what this one does not know."""
        with contextlib.suppress(ValueError):
            name, topic, key = payload.split(" ")
            if name != self._name:
                return (Signal(Topic(topic), int(key)),)
        return ()


def engine_of(where: Path | str, replica: str = "") -> Engine:
    """The engine of a path, or of an address ``postgresql://…`` with that of a standby, if there is one. Raises
    `OSError` where its driver is missing, or where an address is none."""
    if isinstance(where, Path):
        return Sqlite(where)
    try:
        import psycopg.conninfo  # an optional extra
    except ImportError:
        raise OSError("PostgreSQL needs the extra: pip install quotewright[postgresql]") from None
    for address in filter(None, (where, replica)):
        try:
            said = psycopg.conninfo.conninfo_to_dict(address)
        except psycopg.Error:
            said = {"port": "none"}
        # A password that is not encoded ends up in the other parts, which the driver's messages repeat.
        if "@" in f"{said.get('host', '')}{said.get('dbname', '')}" or not _PORTS.fullmatch(str(said.get("port", ""))):
            raise OSError("the address of the database cannot be read: is the password percent-encoded?")
    return Postgres(where, replica)


def _of_driver(error: DatabaseError) -> object:
    """The driver's own error, which has a code; Peewee repeats its words only."""
    return getattr(error, "orig", None)


@lru_cache(4096)
def in_the_words_of(param: str, sql: str) -> str:
    """``sql`` with the database's own sign for parameters; the empty list, which PostgreSQL lacks, holds nothing."""
    return sql if param == "?" else sql.replace("%", "%%").replace("?", param).replace("in ()", "in (null)")
