"""Statements of a PostgreSQL transaction that are sent together.

A statement whose result nobody asks for waits until one is asked for, or the write ends; then all of them go to the
server as one text, and the thread waits once. Each wait gives the interpreter away, and under load the event loop keeps
it for a while: twelve statements one by one keep the writers' turn, which every process waits for, for some ten
milliseconds (docs/adr/0023-statements-sent-together.md). Those that come again and again are prepared, so that the
server parses and plans them once for a connection.
"""

from __future__ import annotations

import itertools
import re
import select
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from peewee import __exception_wrapper__ as in_peewees_words  # type: ignore[attr-defined]  # the stubs lack it
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

#: Bytes that wait at most before they are sent.
MOST_WAITING = 1 << 18
#: A statement that has come so often is prepared; so many of them for a connection, and none with more parameters.
PREPARED_AFTER, MOST_PREPARED, MOST_PARAMETERS = 5, 256, 64
#: Statements that are counted at once.
MOST_SEEN = 1024
_PLACES = re.compile(r"%(?:s|%)")


class Statement:
    """One statement and, once it is asked for, its result: what the store uses of a DB-API cursor."""

    def __init__(self, script: Script, text: bytes) -> None:
        self._script = script
        self.text = text
        self.result: PGresult | None = None
        self._rows: list[tuple[Any, ...]] | None = None
        self._read = 0

    def _answered(self) -> PGresult:
        if self.result is None:
            self._script.send(self)
        assert self.result is not None, "it is there, or `send` has raised"
        return self.result

    def _all(self) -> list[tuple[Any, ...]]:
        if self._rows is None:
            self._rows = self._script.rows(self._answered())
        return self._rows

    @property
    def rowcount(self) -> int:
        """Rows that were found, made or changed."""
        return self._answered().command_tuples or 0

    @property
    def description(self) -> list[tuple[str]]:
        """The names of the columns."""
        result = self._answered()
        return [((result.fname(place) or b"").decode(),) for place in range(result.nfields)]

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        rows = self._all()
        self._read += 1
        return rows[self._read - 1] if self._read <= len(rows) else None

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows that are left."""
        return list(self)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The rows that are left."""
        while (row := self.fetchone()) is not None:
            yield row

    def close(self) -> None:
        """Nothing is held."""


class Prepared:
    """What one connection has prepared: names by statement, the ones that come often but are not prepared yet."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._names: dict[str, str] = {}
        self._seen: Counter[str] = Counter()
        self._due: list[str] = []
        row = connection.execute("select pg_backend_pid()").fetchone()
        # Behind a pooler, which knows nothing of PREPARE, the next transaction may be another server process's.
        self._lasts = row is not None and row[0] == connection.info.backend_pid

    def called(self, sql: str, count: int) -> str:
        """The statement to send for one with ``count`` parameters: the same, or a call of what was prepared for it."""
        name = self._names.get(sql)
        if name is not None:
            return f"EXECUTE {name} ({', '.join(['%s'] * count)})"
        if self._lasts and 0 < count <= MOST_PARAMETERS and len(self._names) + len(self._due) < MOST_PREPARED:
            self._seen[sql] += 1
            if self._seen[sql] == PREPARED_AFTER:
                self._due.append(sql)
            if len(self._seen) > MOST_SEEN:
                # Statements of any number, as lists of any length make them: what comes often comes again.
                self._seen.clear()
        return sql

    def prepare(self) -> None:
        """Prepare what is due; while no transaction is open. What the server cannot make out without the values, it
        goes on getting with them."""
        while self._due:
            sql = self._due.pop()
            name, places = f"statement_{len(self._names)}", itertools.count(1)
            text = _PLACES.sub(lambda place: "%" if place[0] == "%%" else f"${next(places)}", sql)  # noqa: B023 - used at once
            try:
                self._connection.execute(f"PREPARE {name} AS {text}".encode())
            except psycopg.Error:
                # Nor would a connection that has just been lost make anything of what was committed undone.
                continue
            self._names[sql] = name


_PREPARED: WeakKeyDictionary[psycopg.Connection[Any], Prepared] = WeakKeyDictionary()


class Script:
    """The statements of one connection, in order. Raises what the driver raises, in Peewee's words, when they are sent:
    an error of one that waited comes with a later one of the same write."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        with in_peewees_words:
            self._prepared = _PREPARED.get(connection) or _PREPARED.setdefault(connection, Prepared(connection))
        self._literals = psycopg.ClientCursor(connection)
        self._waiting: list[Statement] = []
        self._size = 0
        self._sent = False

    def add(self, sql: str, parameters: Sequence[object] | None) -> Statement:
        """A statement, to be sent later. ``sql`` has ``%s`` for parameters where there are any to put in."""
        with in_peewees_words:
            text = sql
            if parameters is not None:
                text = self._literals.mogrify(self._prepared.called(sql, len(parameters)), parameters)
        statement = Statement(self, text.encode())
        self._waiting.append(statement)
        self._size += len(statement.text)
        if self._size > MOST_WAITING:
            self.send(statement)
        return statement

    def send(self, statement: Statement) -> None:
        """Have the server do what waits up to this statement, and give each its result."""
        count = self._waiting.index(statement) + 1
        sent, self._waiting = self._waiting[:count], self._waiting[count:]
        self._size = sum(len(one.text) for one in self._waiting)
        self._sent = True
        with in_peewees_words:
            for one, result in zip(sent, self._run(b";".join(one.text for one in sent)), strict=True):
                one.result = result

    def rows(self, result: PGresult) -> list[tuple[Any, ...]]:
        """As Python's values."""
        if not result.ntuples:
            return []
        loader = Transformer(self._connection)
        loader.set_pgresult(result)
        return loader.load_rows(0, result.ntuples, tuple)

    def flush(self) -> None:
        """Return when all statements are done."""
        if self._waiting:
            self.send(self._waiting[-1])
        self._sent = False

    def end(self) -> None:
        """When the transaction has ended: prepare what the next ones will send. Raises nothing."""
        self._prepared.prepare()

    def forget(self) -> bool:
        """Drop the statements that wait; whether any was sent since the last `flush`."""
        self._waiting, self._size = [], 0
        return self._sent

    def _run(self, text: bytes) -> list[PGresult]:
        """The results of the statements of a text (libpq, "Asynchronous Command Processing"): `get_result` alone would
        wait with the interpreter held."""
        wire, results = self._connection.pgconn, []
        ready = select.poll()
        ready.register(self._connection.fileno(), select.POLLIN | select.POLLOUT)
        wire.send_query(text)
        while wire.flush():
            ready.poll()
            wire.consume_input()
        ready.modify(self._connection.fileno(), select.POLLIN)
        while (result := self._next(wire, ready)) is not None:
            results.append(result)
        last = results[-1]
        if last.status in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
            return results
        if wire.status != ConnStatus.OK:
            raise psycopg.OperationalError(last.get_error_message())
        raise psycopg.errors.error_from_result(last)

    @staticmethod
    def _next(wire: PGconn, ready: select.poll) -> PGresult | None:
        while wire.is_busy():
            ready.poll()
            wire.consume_input()
        return wire.get_result()
