"""Several processes on one pair of ports are one service: kept running, reloaded without a failed request, ended
together."""

import asyncio
import os
import shutil
import signal
import socket
import ssl
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli import supervisor
from gateway import tls
from gateway.config import GatewayConfig
from server.config import ServerConfig
from tests import stack
from tests.redis_server import redis_server
from tests.stack import Client, Stack, free_port, start, stopping

TEXT = "Fit three ceiling fans"
# Up to seven starts, one after the other, of whole interpreters.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def supervised(tmp_path, postgres):
    """Two processes on one PostgreSQL and one Redis."""
    with redis_server(tmp_path / "redis") as redis:
        running = Stack(tmp_path / "data", free_port(), free_port(), 0, postgres.create())
        program = [*stack.QUOTEWRIGHT, "serve", "--processes"]
        process = stack.begin(running, "2", name="serve", program=program, QW_REDIS_URL=redis.url, QW_PRIVATE_PORT=0)
        running.processes.append(process)
        process.wait_ready(within=60)
        with stopping(running):
            yield running


def children(running):
    """The processes of the service that live now."""
    (parent,) = running.processes
    return [int(pid) for pid in Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()]


async def wait_until(true, within=100.0):
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_a_killed_process_is_replaced_and_a_reload_renews_all_without_a_failed_request(supervised):
    organization = supervised.organization()
    first = children(supervised)
    assert len(first) == 2
    numbers, done = [], asyncio.Event()

    async def ask(client):
        while not done.is_set():
            answer = await client.generate(organization.live_key, TEXT, headers={"Connection": "close"})
            assert answer.status == 200
            numbers.append(int(answer.json()["quote_number"].rsplit("-", 1)[1]))

    async with Client(supervised) as client:
        asking = [asyncio.create_task(ask(client)) for _ in range(4)]
        await asyncio.sleep(1)
        os.kill(supervised.processes[0].pid, signal.SIGHUP)
        await wait_until(lambda: supervised.processes[0].events("reloaded"))
        await asyncio.sleep(0.5)
        done.set()
        await asyncio.gather(*asking)
        renewed = children(supervised)
        assert len(renewed) == 2
        assert not set(first) & set(renewed)
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), "unique, and without gaps"

        os.kill(renewed[0], signal.SIGKILL)
        await wait_until(lambda: len(supervised.processes[0].events("process_ready")) == 5)
        assert len(children(supervised)) == 2
        assert (await client.generate(organization.live_key, TEXT)).status == 200
    (ended,) = supervised.processes[0].events("process_ended")
    assert ended["code"] == -9
    await the_allowance_is_one_for_all_processes(supervised)


async def the_allowance_is_one_for_all_processes(supervised):
    """Of Redis that answers in time: where it was late, each process counts for itself for a while, and says so."""
    exactly = [200] * 10 + [429] * 20
    for _ in range(5):
        organization = supervised.organization(rate=10)

        async def ask(key=organization.live_key):
            async with Client(supervised) as client:
                return (await client.request("GET", "/api/v1/quotes", key=key)).status

        answered = sorted(await asyncio.gather(*(ask() for _ in range(30))))
        await asyncio.sleep(0.5)  # the log is written in batches
        if answered == exactly or not supervised.processes[0].events("quota_local"):
            break
        await asyncio.sleep(1)
    assert answered == exactly, supervised.processes[0].events("quota_local")


@pytest.mark.parametrize(("program", "last"), [(["serve", "--processes"], "1"), ([], "serve")], ids=["many", "one"])
async def test_the_same_host_is_the_same_addresses_however_many_processes(tmp_path, program, last):
    running = Stack(tmp_path / "data", free_port(), 0, 0)
    running.processes.append(
        await asyncio.to_thread(
            start, running, last, name="serve", program=[*stack.QUOTEWRIGHT, *program], QW_HTTPS_HOST=""
        )
    )
    with stopping(running):
        for address in ("127.0.0.1", "::1"):
            served = await asyncio.to_thread(ssl.get_server_certificate, (address, running.https_port), timeout=60)
            assert served.strip() in (running.data_dir / "tls" / "localhost.pem").read_text()


def test_without_redis_several_processes_are_refused(tmp_path):
    running = Stack(tmp_path, free_port(), 0, 0)
    with pytest.raises(AssertionError, match="needs QW_REDIS_URL"):
        start(running, "2", program=[*stack.QUOTEWRIGHT, "serve", "--processes"])


async def test_a_reload_serves_the_new_certificate_on_the_port_that_was_handed_over(tmp_path):
    def put_certificate(name):
        made = tls.ensure_local_certificate(tmp_path / name, now=datetime.now(UTC))
        for source, target in ((made.certificate, "tls.crt"), (made.key, "tls.key")):
            shutil.copy(source, tmp_path / target)

    def served():
        return ssl.get_server_certificate(("127.0.0.1", running.https_port), timeout=10)

    put_certificate("old")
    running = Stack(tmp_path / "data", free_port(), 0, 0)
    program = [*stack.QUOTEWRIGHT, "serve", "--processes"]
    certificate = {"QW_TLS_CERTIFICATE": tmp_path / "tls.crt", "QW_TLS_KEY": tmp_path / "tls.key"}
    with socket.create_server(("127.0.0.1", running.https_port)) as listener:
        running.processes.append(
            start(running, "1", name="serve", program=program, listeners=[listener], QW_PRIVATE_PORT=0, **certificate)
        )
    with stopping(running):
        before = await asyncio.to_thread(served)
        put_certificate("new")
        os.kill(running.processes[0].pid, signal.SIGHUP)
        await wait_until(lambda: running.processes[0].events("reloaded"))
        after = await asyncio.to_thread(served)
    assert before.strip() in (tmp_path / "old" / "localhost.pem").read_text()
    assert after.strip() in (tmp_path / "new" / "localhost.pem").read_text()


#: Stands in for a service: says that it is ready, and waits for its end.
SERVICE = (
    "import os, signal, socket\n"
    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'READY=1', os.environ['NOTIFY_SOCKET'])\n"
    "signal.pause()"
)


@pytest.fixture
def short_path():
    """Not below tmp_path: the path of a socket has some hundred characters."""
    with tempfile.TemporaryDirectory(prefix="qw-") as folder:
        yield Path(folder)


async def test_a_process_that_cannot_be_started_is_tried_again_and_a_reload_leaves_the_others_as_they_are(
    short_path, monkeypatch
):
    """As where /tmp is full or read-only, there are too many processes, or the program is just being replaced."""
    temporary, away = short_path / "temporary", short_path / "away"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(supervisor, "RENEWED_WITHIN", 4.0)
    service = [sys.executable, "-I", "-S", "-c", SERVICE]
    monkeypatch.setattr(supervisor.sockets, "handing_over", lambda *_, **__: service)
    logged = []
    config = GatewayConfig(https_port=free_port(), http_port=0)
    running = supervisor.Supervisor(2, ServerConfig(), config, lambda event, **fields: logged.append((event, fields)))

    def events(name):
        return [fields for event, fields in logged if event == name]

    def ready():
        return [one["pid"] for one in events("process_ready")]

    task = asyncio.create_task(running.run())
    try:
        await wait_until(lambda: len(ready()) == 2)
        temporary.rename(away)
        os.kill(os.getpid(), signal.SIGHUP)
        await wait_until(lambda: events("not_reloaded"))
        failed = events("process_not_started")
        assert [one["starts_again_in"] for one in failed[:3]] == [0.4, 0.8, 1.6]
        assert {one["number"] for one in failed} == {0}
        assert str(temporary) in failed[0]["error"]
        assert not events("process_ended"), "the other stays as it is"

        away.rename(temporary)
        await wait_until(lambda: len(ready()) == 3)
        monkeypatch.setattr(supervisor, "RENEWED_WITHIN", 60.0)
        os.kill(os.getpid(), signal.SIGHUP)
        await wait_until(lambda: events("reloaded"))
        assert len(set(ready())) == 5, "the next reload renews both"

        temporary.rename(away)
        os.kill(ready()[-1], signal.SIGKILL)
        await wait_until(lambda: events("process_not_started")[len(failed) :])
        away.rename(temporary)
        await wait_until(lambda: len(ready()) == 6)
        assert [one["code"] for one in events("process_ended")] == [-9]
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        await task
