"""Promises of disks that are slow, full, broken, read-only or locked: refusals with 503 meanwhile, reading goes on where it
can, and everything goes on afterwards without anybody's help."""

import asyncio
import contextlib
import errno
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import aiohttp
import pytest

from tests import parts, stack
from tests.doubles.system_calls import Disk
from tests.faults.books import Books, ready_again
from tests.postgres_server import PostgresServer
from tests.stack import Client, Stack, begin, free_port, stopping

SHORT = {"QW_ANSWER_SECONDS": 4}


@pytest.fixture
def disk(tmp_path):
    """A disk that the test may break."""
    disk = Disk(tmp_path)
    yield disk
    disk.close()


@pytest.fixture
def on_disk(tmp_path, disk):
    """The service with its SQLite file on it."""
    running = Stack(tmp_path / "data", free_port(), free_port(), free_port())
    process = begin(running, "serve", program=[*disk.before, *stack.QUOTEWRIGHT], **SHORT)
    running.processes.append(process)
    with stopping(running):
        process.wait_ready(60)
        yield running
        disk.delay, disk.error = 0.0, 0


@pytest.fixture
def small_disk():
    """A folder that is a file system of its own, which can be full. Takes root."""
    # Not in pytest's own folder, which PostgreSQL's user may not enter.
    with tempfile.TemporaryDirectory(prefix="disk-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=160m,mode=0755", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            parts.missing("no file system can be mounted here")
        yield Path(folder)
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextlib.contextmanager
def full(folder):
    """Meanwhile the file system has no byte left."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (2**20, 2**12):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)
    yield
    ballast.unlink()


async def test_a_slow_disk_slows_writes_and_nothing_else(on_disk, disk):
    books = Books(on_disk.organization())
    key = books.organization.live_key
    async with Client(on_disk) as client:
        await ready_again(client, key)
        disk.delay, before = 0.5, disk.synced
        async with books.written(client, 16):
            began = time.monotonic()
            await books.wait_for(32)
            assert time.monotonic() - began > 0.5, "the disk was not slow"
            assert (await client.request("GET", "/api/v1/quotes?limit=1", key=key)).status == 200
        assert disk.synced - before < len(books.acknowledged), "those who wait share the disk"
        disk.delay = 0.0
        await books.check(client, on_disk)


@pytest.mark.long
async def test_nothing_is_acknowledged_before_the_disk_has_it(on_disk, disk):
    books = Books(on_disk.organization())
    key = books.organization.live_key
    async with Client(on_disk) as client:
        await ready_again(client, key)
        disk.delay = 60.0
        assert await books.ask(client, key, "once") is None
        assert books.seen == {"504": 1}
        disk.delay = 0.0
        books.acknowledged["once"] = (await books.persist(client, key, "once")).json()
        await books.check(client, on_disk)


@pytest.mark.long
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EROFS], ids=errno.errorcode.get)
async def test_a_disk_that_refuses_is_503_and_everything_goes_on_afterwards(on_disk, disk, error, measured):
    books = Books(on_disk.organization())
    key = books.organization.live_key
    async with Client(on_disk) as client:
        async with books.written(client, 4):
            await books.wait_for(8)
            disk.error = error
            for number in range(3):
                assert await books.ask(client, key, f"refused {number}") is None
            assert "store" in await failing(on_disk), "all writes are refused, and it says that it is ready"
            assert (await client.request("GET", "/api/v1/quotes?limit=1", key=key)).status in (200, 503)
            disk.error = 0
            measured("ready again", await ready_again(client, key))
            await books.wait_for(8)
        await books.check(client, on_disk)
    assert books.seen["503"] >= 3


async def failing(running):
    """What the process says that it is not ready for, once it is not."""
    async with aiohttp.ClientSession() as session, asyncio.timeout(20):
        while True:
            async with session.get(f"{running.processes[0].private}/readyz") as answer:
                if answer.status == 503:
                    return (await answer.json())["failing"]
            await asyncio.sleep(0.1)


@pytest.mark.long
async def test_a_full_disk_under_the_store_and_the_log_loses_nothing(small_disk, measured):
    with stack.combined(small_disk, **SHORT) as running:
        await fill(running, small_disk, measured)


@pytest.mark.long
async def test_a_full_disk_under_postgresql_loses_nothing(tmp_path, small_disk, measured):
    folder = small_disk / "postgres"
    folder.mkdir()
    server = PostgresServer(folder, durable=True)
    try:
        server.start()
        with stack.combined(tmp_path / "data", server.create(), **SHORT) as running:
            await fill(running, small_disk, measured)
    finally:
        server.stop()


async def fill(running, folder, measured):
    books = Books(running.organization())
    key = books.organization.live_key
    async with Client(running) as client:
        for number in range(5):
            books.acknowledged[f"before {number}"] = (await books.persist(client, key, f"before {number}")).json()
        with full(folder):
            # What is allocated already still takes some.
            for number in range(3_000):
                answer = await books.ask(client, key, f"full {number}")
                if answer is None:
                    break
                books.acknowledged[f"full {number}"] = answer.json()
            assert books.seen["503"] == 1
            assert await books.ask(client, key, f"full {number}") is None
        began = time.monotonic()
        books.acknowledged["after"] = (await books.persist(client, key, f"full {number}")).json()
        measured("ready again", time.monotonic() - began)
        await books.check(client, running)


@pytest.mark.long
async def test_a_locked_file_is_503_to_those_who_write_and_readers_go_on(tmp_path, measured):
    with stack.combined(tmp_path, QW_ANSWER_SECONDS=15) as running:
        books = Books(running.organization())
        key = books.organization.live_key
        async with Client(running) as client:
            books.acknowledged["before"] = (await books.persist(client, key, "before")).json()
            with contextlib.closing(sqlite3.connect(running.database, isolation_level=None)) as locking:
                locking.execute("begin immediate")
                writing = asyncio.ensure_future(books.ask(client, key, "locked out"))
                assert (await client.request("GET", "/api/v1/quotes", key=key)).status == 200
                assert not writing.done()
                assert await writing is None
            assert books.seen["503"] == 1
            books.acknowledged["after"] = (await books.persist(client, key, "locked out")).json()
            await books.check(client, running)


@pytest.mark.long
def test_a_service_on_a_read_only_disk_says_so_and_does_not_start(small_disk):
    running = Stack(small_disk, free_port(), free_port(), free_port())
    running.organization()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    try:
        done = subprocess.run(
            [*stack.QUOTEWRIGHT, "serve"], env=stack.environment(small_disk, QW_HTTPS_PORT=free_port(), QW_HTTP_PORT=0, QW_GRPC_PORT=0),
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    finally:
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    assert done.returncode != 0
    assert "Read-only file system" in done.stderr
    assert "Traceback" not in done.stderr
