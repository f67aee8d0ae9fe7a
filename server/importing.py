"""Runs imports of price lists: the file is read here, batch by batch, beside the event loop; each batch is one short
write. The command line runs it in its own process, the server in a thread.

A process that is killed leaves a running import behind that is in force in no part; it is told as failed once it has
been silent for `price_book.SILENT_FOR`, and what it staged is deleted. A process that lives gives signs of all that it
has taken on: a third import waits for a thread as long as the two before it take, and a large file is opened for a
while before its first batch.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from process.clock import now_us
from process.log import Log
from server.domain.price_book.files import FileRefusedError
from server.domain.price_book.price_list import Defaults, PriceList, file_columns, open_price_list
from server.store import audit, price_book
from server.store.audit import Act
from server.store.database import Store, StoreBusyError, StoreClosedError
from server.store.price_book import Batch, ImportOverError, ImportRow

Result = TypeVar("Result")

#: Rows of one write: some ten milliseconds of the one writer.
BATCH = 200
THREADS = 2
#: How often a process gives signs of its imports: one may fail, and none is taken for dead.
SIGN_EVERY = 20.0  # seconds
_BUSY_TRIES = 20
_BUSY_WAIT = 0.25  # seconds


@dataclass(frozen=True, slots=True)
class PriceFile:
    """A price list as it was sent. ``columns`` is field → heading or letter; ``decimal_mark`` empty: decided from the
    prices."""

    data: bytes = field(repr=False)
    filename: str
    defaults: Defaults
    columns: dict[str, str]
    decimal_mark: str = ""


class _StoppedError(Exception):
    """The process is stopping."""


class Importer:
    """Runs imports in threads of its own, so that they never wait for, or hold up, what drafts quotes."""

    def __init__(self, store: Store, log: Log) -> None:
        self._store = store
        self._log = log
        self._threads = ThreadPoolExecutor(THREADS, "import")
        self._stopping = threading.Event()
        #: Imports that wait or run; threads take out their own.
        self._taken_on: set[int] = set()
        self._signs: threading.Thread | None = None

    def submit(self, import_id: int, file: PriceFile, act: Act) -> None:
        """Run a started import; its row tells how it goes. Called by one thread."""
        self._taken_on.add(import_id)
        if self._signs is None:
            self._signs = threading.Thread(target=self._give_signs, name="import-signs", daemon=True)
            self._signs.start()
        self._threads.submit(self._run, import_id, file, act)

    def stop(self) -> None:
        """End what runs, at its next batch."""
        self._stopping.set()
        self._threads.shutdown(cancel_futures=True)
        if self._signs is not None:
            self._signs.join()

    def _give_signs(self) -> None:
        while not self._stopping.wait(SIGN_EVERY):
            import_ids = sorted(self._taken_on)
            try:
                if import_ids:
                    _write(self._store, partial(price_book.touch, import_ids, now_us()))
            except Exception as error:  # noqa: BLE001 - the next sign may be given: this thread must not end
                self._log("import_signs_put_off", error=type(error).__name__)

    def _run(self, import_id: int, file: PriceFile, act: Act) -> None:
        try:
            self._run_whole(import_id, file, act)
        finally:
            self._taken_on.discard(import_id)

    def _run_whole(self, import_id: int, file: PriceFile, act: Act) -> None:
        began = time.perf_counter()
        try:
            row = run_import(self._store, import_id, file, act, self._stopping)
        except (ImportOverError, StoreBusyError, StoreClosedError) as error:
            self._log("import_lost", import_id=import_id, error=type(error).__name__)
            return
        except Exception:  # noqa: BLE001 - the last line of defence: nobody awaits this thread
            self._log("defect", import_id=import_id, trace=traceback.format_exc())
            problem = "An unexpected failure; the log has more. Nothing of it is in force."
            row = _write(self._store, lambda: price_book.finish_import(import_id, now_us(), problem=problem))
        self._log(
            "import",
            import_id=import_id,
            organization_id=act.organization_id,
            livemode=act.livemode,
            status=row.status,
            rows=row.rows_read,
            seconds=round(time.perf_counter() - began, 3),
        )


def run_import(
    store: Store,
    import_id: int,
    file: PriceFile,
    act: Act,
    stopping: threading.Event | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ImportRow:
    """Read the file into a started import and end it; the import as it ended.

    ``progress`` is told rows read and rows in all. Raises `ImportOverError` where somebody else has ended it.
    """
    problem = ""
    try:
        columns = file_columns(file.data, file.filename)
        _write(store, lambda: price_book.list_columns(import_id, now_us(), columns))
        prices = open_price_list(
            file.data, file.filename, file.defaults, columns=file.columns, decimal_mark=file.decimal_mark
        )
        _write(
            store,
            lambda: price_book.describe_import(
                import_id,
                now_us(),
                list_format=prices.format,
                rows_total=prices.rows_total,
                columns=prices.columns,
                notes=prices.notes,
            ),
        )
        _stage_all(store, import_id, prices, stopping, progress)
    except FileRefusedError as error:
        problem = str(error)
    except _StoppedError:
        problem = "The server was stopped before the import ended. Nothing of it is in force; start it again."

    def finish() -> ImportRow:
        row = price_book.finish_import(import_id, now_us(), problem=problem)
        if row.status == "applied":
            detail = f"{row.created} created, {row.changed} changed, {row.refused} refused"
            audit.record(act, "price_book:import", f"import:{import_id}", detail)
        return row

    return _write(store, finish)


def _stage_all(
    store: Store,
    import_id: int,
    prices: PriceList,
    stopping: threading.Event | None,
    progress: Callable[[int, int], None] | None,
) -> None:
    batch, done = Batch(), 0
    for read in prices.reads():
        batch.rows += 1
        if read.entry is not None:
            batch.entries.append(read.entry)
        else:
            batch.refused += 1
            batch.problems.extend(read.problems)
        if batch.rows == BATCH:
            done += batch.rows
            _stage(store, import_id, batch, stopping)
            batch = Batch()
            if progress is not None:
                progress(done, prices.rows_total)
    _stage(store, import_id, batch, stopping)


def _stage(store: Store, import_id: int, batch: Batch, stopping: threading.Event | None) -> None:
    if stopping is not None and stopping.is_set():
        raise _StoppedError
    _write(store, lambda: price_book.stage(import_id, batch, now_us()))


def _write(store: Store, work: Callable[[], Result]) -> Result:
    """Write, and try again for some seconds where another process holds the database."""
    for _ in range(_BUSY_TRIES - 1):
        try:
            return store.write_now(work)
        except StoreBusyError:
            time.sleep(_BUSY_WAIT)
    return store.write_now(work)
