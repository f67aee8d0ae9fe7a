"""The drill: a backup made under writes is restored into a fresh data folder, and what was acknowledged is there."""

import asyncio
import contextlib
import json
import shutil
import sqlite3
import stat
import subprocess

import pytest

from cli.main import main
from server import administration
from server.store import audit
from server.store.database import Store
from tests import stack
from tests.stack import QUOTEWRIGHT, Client, environment

TEXT = "Fit three ceiling fans"
PUBLIC = {"QW_PUBLIC_URL": "https://quotes.example"}
SECRETS = ("gateway.secret", "webhook.secret")


async def backup(data_dir, target):
    process = await asyncio.create_subprocess_exec(
        *QUOTEWRIGHT, "backup", "--to", str(target), "--json",
        env=environment(data_dir), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    out, why = await process.communicate()
    assert process.returncode == 0, why.decode()
    return json.loads(out)


async def test_a_backup_under_writes_restores_every_quote_acknowledged_before_it(tmp_path):
    old, new, copy = tmp_path / "old", tmp_path / "new", tmp_path / "copy.db"
    acknowledged, enough, done = {}, asyncio.Event(), asyncio.Event()

    async def write(client, key):
        while not done.is_set():
            answer = await client.generate(key, TEXT)
            assert answer.status == 200
            acknowledged[answer.json()["quote_id"]] = answer.json()
            if len(acknowledged) == 20:
                enough.set()

    with stack.combined(old, **PUBLIC) as running:
        organization = running.organization()
        async with Client(running) as client:
            writing = [asyncio.create_task(write(client, organization.live_key)) for _ in range(4)]
            await enough.wait()
            before = dict(acknowledged)
            made = await backup(old, copy)
            meanwhile = len(acknowledged) - len(before)
            done.set()
            await asyncio.gather(*writing)
        assert meanwhile > 0, "the backup held the writers up"
        assert (made["organizations"], made["size"]) == (1, copy.stat().st_size)
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600

        new.mkdir()
        shutil.copy(copy, new / "quotewright.db")
        for name in SECRETS:
            shutil.copy(old / name, new / name)

    with stack.combined(new, **PUBLIC) as restored:
        async with Client(restored) as client:
            for quote_id, quote in before.items():
                answer = await client.request("GET", f"/api/v1/quotes/{quote_id}", key=organization.live_key)
                assert (answer.status, answer.json()) == (200, quote)
            after = await client.generate(organization.live_key, TEXT)
            assert after.status == 200
        numbers = [int(row[0].rsplit("-", 1)[1]) for row in restored.rows("select number from quote order by id")]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(before) < len(numbers)
    store = Store(new / "quotewright.db")
    assert store.read_now(lambda: audit.verify(organization.organization_id)) is None
    store.close()


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Runs the command in this process: its exit status and what it said on standard error."""

    def run(**settings):
        for name, value in (settings | {"QW_DATA_DIR": str(tmp_path)}).items():
            monkeypatch.setenv(name, value)
        return main(["backup", "--to", str(tmp_path / "copy.db")]), capsys.readouterr().err

    return run


def test_a_backup_never_takes_the_place_of_a_file(tmp_path, said):
    Store(tmp_path / "quotewright.db").close()
    assert said() == (0, "")
    assert "is there already" in said()[1]
    (tmp_path / "copy.db").write_text("dear to somebody")
    assert said()[0] == 1
    assert (tmp_path / "copy.db").read_text() == "dear to somebody"


def test_a_store_whose_books_were_touched_is_not_called_backed_up(tmp_path, said):
    with contextlib.closing(Store(tmp_path / "quotewright.db")) as store:
        administration.create_organization(store, "Acme", "Starter")
    with contextlib.closing(sqlite3.connect(tmp_path / "quotewright.db")) as connection:
        assert connection.execute("update audit_row set action = 'another'").rowcount
        connection.commit()
    code, why = said()
    assert (code, "the audit chain of organization 1 breaks" in why) == (1, True)
    assert not list(tmp_path.glob("copy.db*")), "nothing is left of it"


def test_a_damaged_store_is_not_called_backed_up(tmp_path, said):
    Store(tmp_path / "quotewright.db").close()
    with (tmp_path / "quotewright.db").open("r+b") as file:
        file.seek(8192)
        file.write(bytes(65536))
    assert said()[0] == 1
    assert not list(tmp_path.glob("copy.db*"))


def test_what_cannot_be_backed_up_is_said(said):
    assert "no database there" in said()[1]
    code, why = said(QW_DATABASE_URL="postgresql://u:secret@localhost/x")
    assert (code, "pg_basebackup" in why, "secret" in why) == (1, True, False)
