"""Promises of an upgrade: the schema moves forward while processes of the version before serve, and those go on with it."""

import asyncio
import shutil

import pytest
from playhouse.migrations import Runner

from server.store.database import MIGRATIONS
from server.store.engines import engine_of
from tests import stack
from tests.faults.books import Books, ready_again
from tests.stack import Client

#: What the next version might bring: as docs/operations.md promises, old code can do without knowing of it.
NEXT = """
from peewee import *


def up(migrator, db):
    class Note(Model):
        text = TextField()

        class Meta:
            database = db
            table_name = "note_of_the_next_version"

    db.create_tables([Note])
    migrator.migrate(
        migrator.add_column("quote", "next_column", CharField(max_length=12, default="", constraints=[SQL("default ''")])),
        migrator.add_column("organization", "next_column", BigIntegerField(null=True)),
    )
"""


def migrate(database, folder):
    """What `quotewright migrate` of the next version does."""
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "9999_next.py").write_text(NEXT)
    engine = engine_of(database)
    with engine.migrating():
        Runner(engine.database, str(folder)).up()


@pytest.mark.long
async def test_old_processes_serve_while_and_after_the_schema_moves_forward(tmp_path, database_url):
    with stack.combined(tmp_path / "data", database_url) as running:
        books = Books(running.organization())
        async with Client(running) as client:
            async with books.written(client, 4):
                await books.wait_for(10)
                await asyncio.to_thread(migrate, running.database, tmp_path / "migrations")
                await books.wait_for(10)
                assert running.rows("select count(*) from note_of_the_next_version") == [(0,)]
                # One of the old ones that falls while the new ones start comes up again.
                running.processes[0].kill()
                running.processes[0] = stack.begin(running, "serve", name="again")
                await ready_again(client, books.organization.live_key)
                await books.wait_for(10)
            await books.check(client, running)
        # The columns that old code does not know have what they have by default.
        assert running.rows("select distinct next_column from quote") == [("",)]
