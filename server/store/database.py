"""The database behind `write()` and `read()`: one writer thread with group commit, readers apart.

A write is acknowledged after the commit that holds it is on disk. Writes that arrive while a commit is under way share
the next one: each runs in a savepoint of its own, so that one that fails takes no other with it, and the disk is waited
for once a batch. SQLite by default, PostgreSQL by its address; `server.store.engines` has what differs.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from peewee import Database, DatabaseError, InterfaceError
from peewee import __exception_wrapper__ as in_peewees_words  # type: ignore[attr-defined]  # the stubs lack it
from playhouse.migrations import Runner

from process.clock import now_us
from process.log import Log
from process.metrics import DURATIONS, Distribution
from server.store.engines import engine_of, in_the_words_of
from server.store.models import MODELS, Organization
from server.store.signals import Listeners, Signal, Topic, collected

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

MIGRATIONS = Path(__file__).parent / "migrations"
MOST_IN_BATCH = 256
#: Bounds between which sizes of batches are counted.
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, MOST_IN_BATCH)
READERS = 2
#: How long a read waits for the replica to have what the primary had when it was asked for, and how often it looks, in
#: seconds.
REACHED_WITHIN, LOOK_EVERY = 0.05, 0.002
#: The replica must answer within this time.
REPLICA_WITHIN = 1.0
#: One that was late or gave no answer is left alone for this time; then one read finds out for all whether it is back.
REPLICA_LEFT_FOR = 2.0


class StoreClosedError(Exception):
    """The store takes no more work; the process is stopping."""


class StoreBusyError(Exception):
    """The database is locked or cannot be written just now; nothing was changed."""


class _ElsewhereError(Exception):
    """The replica cannot answer just now; the primary can."""


def execute(sql: str, parameters: Sequence[object] = ()) -> Any:
    """Run fixed SQL on the connection of the thread: inside the functions given to `Store.write` and `Store.read`.

    Parameters are ``?``. The cursor is of the database's driver (DB-API 2.0), or what `server.store.scripts` has of
    one.
    """
    database = _database()
    return database.execute_sql(in_the_words_of(database.param, sql), parameters)


def execute_many(sql: str, rows: Iterable[Sequence[object]]) -> None:
    """Run fixed SQL once for each row of parameters, on the same connection."""
    if not on_sqlite():
        for row in rows:
            execute(sql, row)
        return
    with in_peewees_words, contextlib.closing(_database().connection().cursor()) as cursor:
        cursor.executemany(sql, list(rows))


def of_one_moment(read: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Have all statements of a function see the database as its first one did, whatever is committed meanwhile: a quote
    and its lines, read by two statements, are of one version. For functions of several statements inside `Store.read`;
    inside `Store.write`, and inside another such function, they are of one moment already.

    Each read pays two short statements for it, which one that looks with a single statement need not.
    """

    @functools.wraps(read)
    def reading(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        if _thread.in_transaction:
            return read(*arguments, **named)
        database = _database()
        database.execute_sql("BEGIN" if on_sqlite() else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _thread.in_transaction = True
        try:
            return read(*arguments, **named)
        finally:
            _thread.in_transaction = False
            # Where it cannot be ended the connection is lost, and the transaction with it.
            with contextlib.suppress(DatabaseError, InterfaceError):
                database.execute_sql("ROLLBACK")

    return reading


class _Thread(threading.local):
    """Of each thread: whether a transaction is open that its statements are part of."""

    in_transaction = False


_thread = _Thread()


def on_sqlite() -> bool:
    """Whether the store is SQLite's: for the few statements that one text cannot say for both."""
    return bool(_database().param == "?")


def next_ids(table: str, count: int) -> list[int]:
    """So many ids of new rows, in order; inside `Store.write`, where no other writer can come between."""
    if on_sqlite():
        first = int(execute(f"select coalesce(max(id), 0) + 1 from {table}").fetchone()[0])  # noqa: S608 - a constant
        return list(range(first, first + count))
    drawn = execute("select nextval(pg_get_serial_sequence(?, 'id')) from generate_series(1, ?)", (table, count))
    return [int(row[0]) for row in drawn]


def _database() -> Database:
    database: Database = Organization._meta.database
    return database


#: What is to be done, who waits for it, and since when (`time.monotonic`).
_Job = tuple[Callable[[], object], "Future[object]", float]


class Store:
    """One database: a path for SQLite, an address ``postgresql://…`` for PostgreSQL, of which ``replica`` may be a
    standby. The models are bound to it, so a process has one open store at a time. Raises `OSError` where it cannot be
    used."""

    def __init__(self, where: Path | str, replica: str = "") -> None:
        self._engine = engine_of(where, replica)
        self._database = self._engine.database
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._replica_readers = ThreadPoolExecutor(READERS, "replica-reader") if self._engine.has_replica else None
        self._replica_answers = True
        self._replica_left_until = float("-inf")
        #: Reads that the replica answered, and that the primary answered in its place.
        self.replica_reads = {"replica": 0, "primary": 0}
        self._closed = False
        #: What the writer has done: writes and seconds of each batch on disk, and how long the first of them waited.
        self.batches = Distribution(BATCHES)
        self.commits = Distribution(DURATIONS)
        self.lags = Distribution(DURATIONS)
        #: Writes that found the database locked or not writable, those of `ping` among them.
        self.given_up = 0
        self._listeners = Listeners()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: asyncio.Task[None] | None = None
        #: When the database was last found to be writable, in `time.monotonic` seconds.
        self.committed_at = time.monotonic()
        self._database.bind(MODELS)
        try:
            self._migrate()
        except DatabaseError as error:
            raise OSError(f"{_shown(where)} cannot be used as the database: {error}") from error
        self._writer = threading.Thread(target=self._write_batches, name="writer", daemon=True)
        self._writer.start()

    def _migrate(self) -> None:
        # Two processes may start at once on the same database; the second waits and finds the work done.
        with self._engine.migrating():
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
        """Run ``work`` on a reader's connection and return its result. Raises `StoreBusyError` where the database
        cannot be reached or read just now."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def browse(self, work: Callable[[], Result]) -> Result:
        """As `read`, but on the replica where there is one, so that the primary has less to do.

        The result is no older than that of `read`: the replica answers once it has everything that the primary had on
        disk when it was asked for. Where it does not have it soon, or cannot be asked, the primary answers.
        """
        readers = self._replica_readers
        if readers is None:
            return await self.read(work)
        if self._asks_replica():
            loop = asyncio.get_running_loop()
            try:
                position = await self.read(self._engine.position)
                async with asyncio.timeout(REPLICA_WITHIN):
                    result = await loop.run_in_executor(readers, self._browse, work, position)
            except (_ElsewhereError, DatabaseError):
                pass
            except TimeoutError:
                # Or its threads would wait for it as long as it hangs.
                await loop.run_in_executor(None, self._engine.cut_replica)
            else:
                self._replica_answers, self._replica_left_until = True, float("-inf")
                self.replica_reads["replica"] += 1
                return result
            self._replica_answers, self._replica_left_until = False, time.monotonic() + REPLICA_LEFT_FOR
        self.replica_reads["primary"] += 1
        return await self.read(work)

    def _asks_replica(self) -> bool:
        now = time.monotonic()
        if now < self._replica_left_until:
            return False
        if not self._replica_answers:
            self._replica_left_until = now + REPLICA_LEFT_FOR
        return True

    def _browse(self, work: Callable[[], Result], position: str) -> Result:
        self._engine.read_replica()
        with contextlib.suppress(DatabaseError, InterfaceError, StoreBusyError):
            self._connect()
            if self._reaches(position):
                return work()
        raise _ElsewhereError

    def _reaches(self, position: str) -> bool:
        by = time.monotonic() + REACHED_WITHIN
        while not self._engine.has_reached(position):
            if time.monotonic() > by:
                return False
            time.sleep(LOOK_EVERY)
        return True

    def read_now(self, work: Callable[[], Result]) -> Result:
        """The same for callers without an event loop."""
        return self._readers.submit(self._read, work).result()

    def _read(self, work: Callable[[], Result]) -> Result:
        self._connect()
        try:
            return work()
        except (DatabaseError, InterfaceError) as error:
            # A connection that waited too long between two statements is ended by what the driver calls a defect.
            if not self._engine.is_lost():
                if isinstance(error, DatabaseError) and self._engine.is_busy(error):
                    raise StoreBusyError(str(error)) from None
                raise
            lost = error
        # Nothing was written: what the server's restart took can be asked again, once.
        self._connect()
        try:
            return work()
        except (DatabaseError, InterfaceError):
            if not self._engine.is_lost():
                raise
            raise StoreBusyError(str(lost)) from None

    def _connect(self) -> None:
        """Give this thread a connection that can be used. Raises `StoreBusyError` where the server gives none."""
        if self._database.is_closed():
            pass
        elif self._engine.is_lost():
            self._database.close()
        else:
            return
        try:
            self._database.connect()
        except DatabaseError as error:
            raise StoreBusyError(str(error)) from None

    def on(self, topic: Topic, listener: Callable[[int], None]) -> None:
        """Have ``listener`` called on the event loop with the key of each signal, once `listen` has been called."""
        self._listeners.add(topic, listener)

    def listen(self, log: Log) -> None:
        """Begin to hear what this process and, on PostgreSQL, others tell; on the running event loop. Signals that are
        told while PostgreSQL cannot be reached are made up for by one for everything."""
        self._loop = asyncio.get_running_loop()
        self._listening = asyncio.create_task(self._engine.listen(self._listeners.hear, log))

    async def stop_listening(self) -> None:
        """Hear nothing more."""
        self._loop = None
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def ping(self) -> None:
        """Take the writer's turn and write one small row, always the same. Raises like `write`.

        A transaction that changes nothing would tell nothing: a full disk, or a server that is read-only, commits it.
        """
        await self.write(_prove)

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
        for readers in filter(None, (self._readers, self._replica_readers)):
            # Each reader closes its own connection: the barrier keeps one thread from doing it for two.
            together = threading.Barrier(READERS)
            for done in [readers.submit(self._close_reader, together) for _ in range(READERS)]:
                done.result()
            readers.shutdown()

    def _close_reader(self, together: threading.Barrier) -> None:
        together.wait()
        self._database.close()

    def _submit(self, work: Callable[[], Result]) -> Future[Result]:
        if self._closed:
            raise StoreClosedError
        future: Future[Result] = Future()
        self._jobs.put((work, future, time.monotonic()))  # type: ignore[arg-type]  # the future's type is lost in the queue
        return future

    def _write_batches(self) -> None:
        # Whatever this thread runs for others is part of a batch's transaction.
        _thread.in_transaction = True
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
        told: set[Signal] = set()
        try:
            self._connect()
            with self._engine.together():
                self._engine.begin()
                self._engine.flush()
                outcomes.extend(self._attempt(work, told) for work, _ in running)
                self._engine.notify(told)
                self._database.execute_sql("COMMIT")
                self._engine.flush()
            self._count(batch, began, outcomes)
            # Before anybody is answered: who reads then must not be answered from a memory of before.
            if told and self._loop is not None:
                self._loop.call_soon_threadsafe(self._listeners.hear, told)
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait are told and the writer goes on
            # Nothing of the batch is on disk, or, where the server went while it committed, nobody knows: a retry with
            # the same idempotency key finds out.
            with contextlib.suppress(DatabaseError, InterfaceError):  # the latter: there is no connection
                self._database.execute_sql("ROLLBACK")
            outcomes = [(None, StoreBusyError(str(error)))] * len(running)
        busy = sum(isinstance(failure, StoreBusyError) for _, failure in outcomes)
        self.given_up += busy
        if busy and busy == len(outcomes):
            # A server that takes writes again may say so to new connections only (`alter database … set
            # default_transaction_read_only`).
            with contextlib.suppress(DatabaseError, InterfaceError):
                self._database.close()
        for (_, future), (result, failure) in zip(running, outcomes, strict=True):
            if failure is None:
                future.set_result(result)
            else:
                future.set_exception(failure)

    def _count(self, batch: list[_Job], began: float, outcomes: list[tuple[object, Exception | None]]) -> None:
        ended = time.monotonic()
        # A commit of writes that all failed says nothing: there was nothing in it.
        if any(failure is None for _, failure in outcomes):
            self.committed_at = ended
        writes = sum(work is not _prove for work, _, _ in batch)
        if writes:
            self.batches.observe(writes)
            self.commits.observe(ended - began)
            self.lags.observe(began - batch[0][2])

    def _attempt(self, work: Callable[[], object], told: set[Signal]) -> tuple[object, Exception | None]:
        self._database.execute_sql("SAVEPOINT request")
        try:
            with collected() as signals:
                result = work()
            self._database.execute_sql("RELEASE request")
            self._engine.flush()
        except Exception as failure:  # noqa: BLE001 - handed to the caller, whatever it is
            if self._engine.forget():
                self._database.execute_sql("ROLLBACK TO request")
                self._database.execute_sql("RELEASE request")
                self._engine.flush()
            # A lock that was not had, a full disk, a server that is stopping or read-only.
            busy = isinstance(failure, DatabaseError) and self._engine.is_busy(failure)
            return None, StoreBusyError(str(failure)) if busy else failure
        told |= signals
        return result, None


def _shown(where: Path | str) -> str:
    """A path, or an address without its user, password and parameters, one of which may be the password."""
    return str(where) if isinstance(where, Path) else re.sub(r"//.*@", "//", where).partition("?")[0]


def _prove() -> None:
    """The work of a ping: the row of a report that no gateway sends. All processes write the same one; it is swept with
    the reports once none has for an hour."""
    execute(
        "insert into usage_report (id, at) values ('store', ?) on conflict (id) do update set at = excluded.at",
        (now_us(),),
    )
