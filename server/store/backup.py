"""Copies a SQLite store into one file while the service goes on writing, and checks the copy before it has its name."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from peewee import Database, DatabaseError

from server.store import audit
from server.store.engines import engine_of
from server.store.models import MODELS


@dataclass(frozen=True, slots=True)
class Backup:
    """A checked copy: size in bytes, hash of the file, and how many organizations' audit chains were followed."""

    size: int
    sha256: str
    organizations: int


def back_up(source: Path, target: Path) -> Backup:
    """Copy the store as it is at one moment into the new file ``target`` (0600).

    The copy is on disk, whole and checked (``integrity_check``, ``foreign_key_check``, every audit chain) before it
    gets its name; what fails leaves nothing. Raises `OSError`.
    """
    if not source.is_file():
        raise OSError(f"{source}: no database there")
    if target.exists():
        raise OSError(f"{target} is there already")
    part = target.with_name(f"{target.name}.part")
    # Fails where a backup to the same name is under way, or was killed.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        try:
            _copy(source, part)
            organizations = _check(part)
        except (sqlite3.Error, DatabaseError) as error:
            raise OSError(f"{source} could not be copied: {error}") from error
        with part.open("rb") as file:
            os.fsync(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = part.stat().st_size
        part.rename(target)
        _sync_folder(target.parent)
    finally:
        for name in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
            name.unlink(missing_ok=True)
    return Backup(size, digest, organizations)


def _copy(source: Path, target: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
        contextlib.closing(sqlite3.connect(target)) as new,
    ):
        # All pages in one step are one read transaction: in WAL mode it sees one moment and holds up no writer, while
        # a copy in several steps would begin anew with every commit of another process.
        old.backup(new)


def _check(copy: Path) -> int:
    """How many organizations there are. Raises `OSError` where the copy is not sound."""
    database = engine_of(copy).database
    database.bind(MODELS)
    with database.connection_context():
        for pragma, sound in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
            found = database.execute_sql(f"pragma {pragma}").fetchall()
            if found != sound:
                raise OSError(f"{pragma} of the copy: {found[:3]}")
        organizations = _organizations(database)
        for number in organizations:
            broken = audit.verify(number)
            if broken is not None:
                raise OSError(f"the audit chain of organization {number} breaks at row {broken}")
        # One file, without a log beside it; the service switches back when it opens it.
        database.execute_sql("pragma journal_mode = delete")
    return len(organizations)


def _organizations(database: Database) -> list[int]:
    return [row[0] for row in database.execute_sql("select id from organization order by id")]


def _sync_folder(folder: Path) -> None:
    """Make the new name durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
