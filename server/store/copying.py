"""Moves a whole store into an empty one, of the other engine or the same, and proves that nothing changed on the way.

Everything happens in one transaction of the target: either it holds the same rows, table for table, or nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from peewee import (
    AutoField,
    BlobField,
    BooleanField,
    Database,
    DatabaseError,
    Field,
    ForeignKeyField,
    PostgresqlDatabase,
)
from peewee import __exception_wrapper__ as in_peewees_words  # type: ignore[attr-defined]  # the stubs lack it
from playhouse.migrations import Runner

from server.store import price_book
from server.store.database import MIGRATIONS
from server.store.engines import Engine, engine_of
from server.store.models import MODELS, Table

#: Rows that are read, and written, at once.
AT_ONCE = 1000


class CopyRefusedError(Exception):
    """The target is not empty, or the source is of another version; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A table on both sides: how many rows, and the hash of all that they say."""

    table: str
    rows: int
    digest: str


def copy(source: Path | str, target: Path | str, told: Callable[[Copied], None]) -> None:
    """Copy every row of ``source`` into ``target``; ``told`` hears of each table that is found equal on both sides.

    Raises `CopyRefusedError` and `OSError`. The source is read in one snapshot and never changed.
    """
    if isinstance(source, Path) and not source.is_file():
        raise OSError(f"{source}: no database there")
    old, new = engine_of(source), engine_of(target)
    try:
        with new.migrating():
            Runner(new.database, str(MIGRATIONS)).up()
        with old.database.connection_context(), new.database.connection_context():
            for engine in (old, new):
                engine.take_time()
            _begin_snapshot(old.database)
            try:
                _check(old, new)
                new.begin()
                _copy_all(old.database, new.database)
                # What the sequences and the search index say follows from the rows.
                _derive(new.database)
                copied = [_compared(model, old.database, new.database) for model in MODELS]
                new.database.execute_sql("COMMIT")
            finally:
                old.database.execute_sql("ROLLBACK")
    except DatabaseError as error:
        raise OSError(f"the copy failed, nothing was changed: {error}") from error
    for one in copied:
        told(one)


def _begin_snapshot(database: Database) -> None:
    isolation = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if isinstance(database, PostgresqlDatabase) else ""
    database.execute_sql(f"BEGIN{isolation}")


def _check(old: Engine, new: Engine) -> None:
    names = "select name from schema_migration order by name"
    if list(old.database.execute_sql(names)) != list(new.database.execute_sql(names)):
        raise CopyRefusedError("the source has another schema: run quotewright migrate on it first")
    for model in MODELS:
        table = _quoted(model._meta.table_name)
        if new.database.execute_sql(f"select 1 from {table} limit 1").fetchone() is not None:  # noqa: S608 - a constant
            raise CopyRefusedError(f"the target is not empty: {table} has rows")


def _copy_all(old: Database, new: Database) -> None:
    for model in MODELS:
        fields = model._meta.sorted_fields
        # A row may point at a later one of its own table.
        own = [field for field in fields if isinstance(field, ForeignKeyField) and field.rel_model is model]
        names = {field.name for field in own}
        columns = ", ".join(_quoted(field.column_name) for field in fields)
        marks = ", ".join([new.param] * len(fields))
        insert = f"insert into {_quoted(model._meta.table_name)} ({columns}) values ({marks})"  # noqa: S608 - constants
        for rows in _rows(old, model):
            _execute_many(
                new, insert, ([None if field.name in names else value for field, value in row] for row in rows)
            )
        for field in own:
            _point(old, new, model, field)


def _point(old: Database, new: Database, model: type[Table], field: Field) -> None:
    names = (model._meta.table_name, field.column_name, model._meta.get_primary_keys()[0].column_name)
    table, column, key = map(_quoted, names)
    pointing = old.execute_sql(
        f"select {column}, {key} from {table} where {column} is not null"  # noqa: S608 - constants
    ).fetchall()
    update = f"update {table} set {column} = {new.param} where {key} = {new.param}"  # noqa: S608 - constants
    _execute_many(new, update, pointing)


def _rows(database: Database, model: type[Table]) -> Iterator[list[list[tuple[Field, object]]]]:
    """All rows of a table, some at a time, each value with its field."""
    fields = model._meta.sorted_fields
    columns = ", ".join(_quoted(field.column_name) for field in fields)
    cursor = database.execute_sql(f"select {columns} from {_quoted(model._meta.table_name)}")  # noqa: S608 - constants
    while rows := cursor.fetchmany(AT_ONCE):
        yield [[(field, _plain(field, value)) for field, value in zip(fields, row, strict=True)] for row in rows]


def _plain(field: Field, value: object) -> object:
    if isinstance(field, BooleanField) and value is not None:
        return bool(value)
    if isinstance(field, BlobField) and value is not None:
        return bytes(value)  # type: ignore[call-overload]  # a buffer of the driver
    return value


def _compared(model: type[Table], old: Database, new: Database) -> Copied:
    (rows, digest), there = _digest(_rows(old, model)), _digest(_rows(new, model))
    table = model._meta.table_name
    if (rows, digest) != there:
        raise CopyRefusedError(f"{table} came out different: {rows} rows became {there[0]}")
    return Copied(table, rows, digest)


def _digest(batches: Iterable[list[list[tuple[Field, object]]]]) -> tuple[int, str]:
    """How many rows, and a hash that does not hang on their order, which databases see differently for text."""
    count, total = 0, 0
    for rows in batches:
        for row in rows:
            text = orjson.dumps([value.hex() if isinstance(value, bytes) else value for _, value in row])
            total = (total + int.from_bytes(hashlib.sha256(text).digest())) % (1 << 256)
            count += 1
    return count, f"{total:064x}"


def _derive(database: Database) -> None:
    if isinstance(database, PostgresqlDatabase):
        for model in MODELS:
            if isinstance(model._meta.primary_key, AutoField):
                table = _quoted(model._meta.table_name)
                sequence = f"pg_get_serial_sequence('{table}', 'id')"
                database.execute_sql(
                    f"select setval({sequence}, coalesce(max(id), 1), max(id) is not null) from {table}"  # noqa: S608
                )
    database.bind(MODELS)
    price_book.index_again()


def _quoted(name: str) -> str:
    """A name as it stands: ``user`` alone is a word of PostgreSQL's own."""
    return f'"{name}"'


def _execute_many(database: Database, sql: str, rows: Iterable[Sequence[object]]) -> None:
    with in_peewees_words, contextlib.closing(database.connection().cursor()) as cursor:
        cursor.executemany(sql, list(rows))
