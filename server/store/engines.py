"""What differs between the databases: how one connects, how a write begins, how migrations wait for one another.

SQL is written once, for both, with ``?`` for parameters. Writes take turns on either: SQLite has one writer, and on
PostgreSQL a transaction that writes holds one advisory lock. So a row with a higher id was always committed later, a
chain has one end, and counters have no gaps, on one process or many (docs/adr/0010-turns-over-processes.md).
"""

from __future__ import annotations

import contextlib
import fcntl
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from peewee import Database, PostgresqlDatabase, SqliteDatabase

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
#: A statement that PostgreSQL has not ended after this long is given up, as a lock that is not had.
STATEMENT_MS, LOCK_MS = 15_000, 5_000
#: One for each host, or none.
_PORTS = re.compile("[0-9,]*")


class Engine(Protocol):
    """One database that a `server.store.database.Store` keeps its data in."""

    @property
    def database(self) -> Database:
        """As Peewee knows it; for the models to be bound to."""

    def begin(self) -> None:
        """Begin a transaction that writes, on the connection of the thread; from here on no other writes."""

    def migrating(self) -> contextlib.AbstractContextManager[None]:
        """A connection, while no other process migrates."""

    def is_lost(self) -> bool:
        """Whether the connection of the thread is of no use any more."""


class Sqlite:
    """A file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self.database = SqliteDatabase(str(path), pragmas=PRAGMAS, thread_safe=True, autoconnect=False)

    def begin(self) -> None:
        """Take the file for writing, or fail after the busy timeout."""
        self.database.execute_sql("BEGIN IMMEDIATE")

    @contextlib.contextmanager
    def migrating(self) -> Iterator[None]:
        """Connecting switches the file to WAL, which takes it whole: that, too, is done one at a time."""
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self.database.connection_context():
                yield

    def is_lost(self) -> bool:
        """A file stays where it is."""
        return False


class Postgres:
    """A database of a PostgreSQL server, by its address ``postgresql://…``."""

    def __init__(self, url: str) -> None:
        self.database = PostgresqlDatabase(
            url,
            prefer_psycopg3=True,
            autoconnect=False,
            thread_safe=True,
            connect_timeout=5,
            application_name="quotewright",
            options=f"-c statement_timeout={STATEMENT_MS} -c lock_timeout={LOCK_MS} -c timezone=UTC",
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=20_000,
        )

    def begin(self) -> None:
        """Wait for the turn of this transaction."""
        self.database.execute_sql("BEGIN")
        self.database.execute_sql("SELECT pg_advisory_xact_lock(%s)", (_WRITERS,))

    @contextlib.contextmanager
    def migrating(self) -> Iterator[None]:
        """The lock goes with the connection."""
        with self.database.connection_context():
            self.database.execute_sql("SET lock_timeout = 0")
            self.database.execute_sql("SET statement_timeout = 0")
            self.database.execute_sql("SELECT pg_advisory_lock(%s)", (_MIGRATIONS,))
            yield

    def is_lost(self) -> bool:
        """Whether the server has gone, or this connection was ended."""
        return self.database.is_closed() or not self.database.is_connection_usable()


def engine_of(where: Path | str) -> Engine:
    """The engine of a path, or of an address ``postgresql://…``. Raises `OSError` where its driver is missing, or where
    the address is none."""
    if isinstance(where, Path):
        return Sqlite(where)
    try:
        import psycopg.conninfo  # an optional extra
    except ImportError:
        raise OSError("PostgreSQL needs the extra: pip install quotewright[postgresql]") from None
    try:
        said = psycopg.conninfo.conninfo_to_dict(where)
    except psycopg.Error:
        said = {"port": "none"}
    # A password that is not encoded ends up in the other parts, which the driver's messages repeat.
    if "@" in f"{said.get('host', '')}{said.get('dbname', '')}" or not _PORTS.fullmatch(str(said.get("port", ""))):
        raise OSError("the address of the database cannot be read: is the password percent-encoded?")
    return Postgres(where)


@lru_cache(4096)
def in_the_words_of(param: str, sql: str) -> str:
    """``sql`` with the database's own sign for parameters; the empty list, which PostgreSQL lacks, holds nothing."""
    return sql if param == "?" else sql.replace("%", "%%").replace("?", param).replace("in ()", "in (null)")
