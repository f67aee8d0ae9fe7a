"""SQLite behind `write()` and `read()`: one writer thread with group commit, readers apart (WAL).

A write is acknowledged after the commit that holds it is on disk (``synchronous=FULL``). Writes that arrive while a
commit is under way share the next one: each runs in a savepoint of its own, so that one that fails takes no other
with it, and the disk is waited for once a batch.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from peewee import DatabaseError, SqliteDatabase
from playhouse.migrations import Runner

from process.metrics import DURATIONS, Distribution
from server.store.models import MODELS, Organization

Result = TypeVar("Result")

MIGRATIONS = Path(__file__).parent / "migrations"
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "cache_size": -16000,
    "temp_store": "memory",
}
MOST_IN_BATCH = 256
#: Bounds between which sizes of batches are counted.
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, MOST_IN_BATCH)
READERS = 2


class StoreClosedError(Exception):
    """The store takes no more work; the process is stopping."""


class StoreBusyError(Exception):
    """The database is locked or cannot be written just now; nothing was changed."""


def execute(sql: str, parameters: Sequence[object] = ()) -> sqlite3.Cursor:
    """Run fixed SQL on the connection of the thread: inside the functions given to `Store.write` and `Store.read`."""
    cursor: sqlite3.Cursor = Organization._meta.database.execute_sql(sql, parameters)
    return cursor


def execute_many(sql: str, rows: Iterable[Sequence[object]]) -> None:
    """Run fixed SQL once for each row of parameters, on the same connection."""
    Organization._meta.database.connection().executemany(sql, rows)


#: What is to be done, who waits for it, and since when (`time.monotonic`).
_Job = tuple[Callable[[], object], "Future[object]", float]


class Store:
    """One database. The models are bound to it, so a process has one open store at a time."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._database = SqliteDatabase(str(path), pragmas=PRAGMAS, thread_safe=True, autoconnect=False)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, "reader", initializer=self._database.connect)
        self._closed = False
        #: What the writer has done: writes and seconds of each batch on disk, and how long the first of them waited.
        self.batches = Distribution(BATCHES)
        self.commits = Distribution(DURATIONS)
        self.lags = Distribution(DURATIONS)
        #: Writes that found the database locked or not writable.
        self.given_up = 0
        #: When the database was last found to be writable, in `time.monotonic` seconds.
        self.committed_at = time.monotonic()
        self._database.bind(MODELS)
        try:
            self._migrate()
        except DatabaseError as error:
            raise OSError(f"{path} cannot be used as the database: {error}") from error
        self._writer = threading.Thread(target=self._write_batches, name="writer", daemon=True)
        self._writer.start()

    def _migrate(self) -> None:
        # Two processes may start at once on the same folder; the second waits and finds the work done.
        with self.path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Connecting switches the file to WAL, which takes it whole: that, too, is done one at a time.
            with self._database.connection_context():
                Runner(self._database, str(MIGRATIONS)).up()

    async def write(self, work: Callable[[], Result]) -> Result:
        """Run ``work`` in a transaction and return its result once it is durable.

        Raises what ``work`` raises (its changes are undone), `StoreBusyError` where the database cannot be written,
        `StoreClosedError` after `close`.
        """
        return await asyncio.wrap_future(self._submit(work))

    def write_now(self, work: Callable[[], Result]) -> Result:
        """The same for callers without an event loop (the command line)."""
        return self._submit(work).result()

    async def read(self, work: Callable[[], Result]) -> Result:
        """Run ``work`` on a reader's connection and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def read_now(self, work: Callable[[], Result]) -> Result:
        """The same for callers without an event loop."""
        return self._readers.submit(work).result()

    async def ping(self) -> None:
        """Take the writer's turn and change nothing. Raises like `write`."""
        await self.write(_nothing)

    @property
    def waiting(self) -> int:
        """Writes that the writer has not begun with."""
        return self._jobs.qsize()

    def close(self) -> None:
        """Finish what was accepted, then close."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()

    def _submit(self, work: Callable[[], Result]) -> Future[Result]:
        if self._closed:
            raise StoreClosedError
        future: Future[Result] = Future()
        self._jobs.put((work, future, time.monotonic()))  # type: ignore[arg-type]  # the future's type is lost in the queue
        return future

    def _write_batches(self) -> None:
        self._database.connect()
        stopping = False
        while not stopping:
            batch: list[_Job] = []
            job = self._jobs.get()
            while job is not None:
                batch.append(job)
                if len(batch) == MOST_IN_BATCH:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            stopping = job is None
            if batch:
                self._commit(batch)
        self._database.close()

    def _commit(self, batch: list[_Job]) -> None:
        # From here on nobody can cancel: a job is either told its outcome or that nothing happened.
        running = [(work, future) for work, future, _ in batch if future.set_running_or_notify_cancel()]
        began = time.monotonic()
        outcomes: list[tuple[object, Exception | None]] = []
        try:
            self._database.execute_sql("BEGIN IMMEDIATE")
            outcomes.extend(self._attempt(work) for work, _ in running)
            self._database.execute_sql("COMMIT")
            self._count(batch, began)
        except DatabaseError as error:
            # Nothing of the batch is on disk.
            with contextlib.suppress(DatabaseError):
                self._database.execute_sql("ROLLBACK")
            outcomes = [(None, StoreBusyError(str(error)))] * len(running)
            self.given_up += sum(work is not _nothing for work, _ in running)
        for (_, future), (result, failure) in zip(running, outcomes, strict=True):
            if failure is None:
                future.set_result(result)
            else:
                future.set_exception(failure)

    def _count(self, batch: list[_Job], began: float) -> None:
        self.committed_at = time.monotonic()
        writes = sum(work is not _nothing for work, _, _ in batch)
        if writes:
            self.batches.observe(writes)
            self.commits.observe(self.committed_at - began)
            self.lags.observe(began - batch[0][2])

    def _attempt(self, work: Callable[[], object]) -> tuple[object, Exception | None]:
        self._database.execute_sql("SAVEPOINT request")
        try:
            result = work()
        except Exception as failure:  # noqa: BLE001 - handed to the caller, whatever it is
            self._database.execute_sql("ROLLBACK TO request")
            self._database.execute_sql("RELEASE request")
            return None, failure
        self._database.execute_sql("RELEASE request")
        return result, None


def _nothing() -> None:
    """The work of a ping."""
