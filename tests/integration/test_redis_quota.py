"""Promises of shared allowances, against a real Redis: exact over gateways, and never open when Redis fails."""

import asyncio
import contextlib
import io
import json
import socket
import time
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway import redis_quota, tls
from gateway.quota import WINDOW, MemoryQuota
from gateway.redis_quota import SCRIPT, RedisQuota
from process.log import Log
from process.settings import SettingsError
from tests.redis_server import redis_server

SUBJECT = ("organization", 7, True)
KEY = "test:organization:7:True"
MICROSECONDS = 1_000_000


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory):
    with redis_server(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
def server(shared_server):
    """A server that knows nothing yet."""
    shared_server.client().flushall()
    return shared_server


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may break."""
    with redis_server(tmp_path / "redis") as running:
        yield running


class Gateway:
    """A started quota with its log, as a gateway has."""

    def __init__(self, url, within=1.0):
        self._lines = io.StringIO()
        self._log = Log("gateway", self._lines)
        self.quota = RedisQuota(url, "test:", within, self._log, time.monotonic)

    async def __aenter__(self):
        await self.quota.start()
        return self

    async def __aexit__(self, *_):
        await self.quota.close()

    async def admitted(self, asked, limit, subject=SUBJECT):
        """How many of so many requests at once are admitted."""
        verdicts = await asyncio.gather(*(self.quota.take(subject, limit) for _ in range(asked)))
        return sum(verdict.admitted for verdict in verdicts)

    async def wait_until_shared(self, shared=True):
        deadline = time.monotonic() + 10
        while self.quota.shared is not shared:
            assert time.monotonic() < deadline, self.events()
            await asyncio.sleep(0.01)

    def events(self):
        self._log.flush()
        return [json.loads(line)["event"] for line in self._lines.getvalue().splitlines()]


# Exactness: the script itself, with the time given.


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(
            # 1/64 s: the same in binary fractions of a second and in microseconds.
            st.sampled_from([0, 1, 2, 64, 470, 64 * 30 - 1, 64 * 30, 64 * 60 - 1, 64 * 60, 64 * 61]),
            st.integers(0, 9),
            st.booleans(),
        ),
        max_size=80,
    )
)
def test_the_script_answers_as_the_memory_does_at_every_time_and_limit(server, steps):
    client = server.client()
    client.delete(KEY)
    window = client.register_script(SCRIPT)
    now = [1_000_000.0]
    memory = MemoryQuota(lambda: now[0])
    for step, limit, counts in steps:
        now[0] += step / 64
        ask = memory.take if counts else memory.look
        with pytest.raises(StopIteration) as done:
            ask(SUBJECT, limit).send(None)
        expected = done.value.value
        admitted, count, reset = window(keys=[KEY], args=[limit, int(counts), int(now[0] * MICROSECONDS)])
        assert (bool(admitted), max(0, limit - count)) == (expected.admitted, expected.remaining)
        if limit:
            assert reset / MICROSECONDS == expected.reset
        assert count == len(memory._admitted.get(SUBJECT, ()))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(limit=st.integers(1, 5), steps=st.lists(st.floats(-200, 70), max_size=40))
def test_a_clock_that_is_set_back_admits_no_more_and_locks_nobody_out(server, limit, steps):
    """``steps`` of the clock in seconds; the true time goes on by as much where it goes forward, else not at all."""
    client = server.client()
    client.delete(KEY)
    window = client.register_script(SCRIPT)
    clock, true, admitted_at = 1e15, 0, []
    for step in [*steps, -3600.0]:
        clock += int(step * MICROSECONDS)
        true += max(0, int(step * MICROSECONDS))
        if window(keys=[KEY], args=[limit, 1, clock])[0]:
            admitted_at.append(true)
    for end in admitted_at:
        assert len([at for at in admitted_at if end - WINDOW * MICROSECONDS < at <= end]) <= limit
    assert window(keys=[KEY], args=[limit, 1, clock + WINDOW * MICROSECONDS])[0] == 1


def test_a_request_costs_few_bytes_and_a_silent_key_goes_away(server):
    client = server.client()
    window = client.register_script(SCRIPT)
    for _ in range(5000):
        window(keys=[KEY], args=[10_000, 1])
    assert client.memory_usage(KEY, samples=0) < 5000 * 12
    assert WINDOW < client.pttl(KEY) / 1000 <= WINDOW + 1


def test_a_long_window_that_expires_at_once_is_let_go_of_in_one_step(server):
    client = server.client()
    window = client.register_script(SCRIPT)
    client.rpush(KEY, *range(MICROSECONDS, MICROSECONDS + 50_000))
    client.config_resetstat()
    assert window(keys=[KEY], args=[100_000, 1, MICROSECONDS + 40_000 + int(WINDOW * MICROSECONDS)]) == [1, 10_000, 1]
    assert client.info("commandstats")["cmdstat_lindex"]["calls"] < 50


# Through the quota.


async def test_gateways_share_an_allowance_exactly(server):
    async with Gateway(server.url) as one, Gateway(server.url) as other:
        counts = await asyncio.gather(*(gateway.admitted(300, 77) for gateway in (one, other)))
        assert sum(counts) == 77
        assert await one.admitted(5, 5, ("organization", 7, False)) == 5
        assert not (await other.quota.look(("organization", 7, False), 5)).admitted
        assert one.events() == ["quota_shared"]


async def test_verdicts_say_what_redis_knows(server):
    async with Gateway(server.url) as one, Gateway(server.url) as other:
        looked = await one.quota.look(SUBJECT, 3)
        assert looked == (True, 3, 3, 0.0)
        await one.quota.take(SUBJECT, 3)
        verdict = await other.quota.take(SUBJECT, 3)
        assert (verdict.admitted, verdict.limit, verdict.remaining) == (True, 3, 1)
        assert WINDOW - 5 < verdict.reset <= WINDOW
        await one.quota.take(SUBJECT, 3)
        refused = await other.quota.take(SUBJECT, 3)
        assert (refused.admitted, refused.remaining) == (False, 0)
        assert WINDOW - 5 < refused.reset <= WINDOW


async def test_a_request_that_is_given_up_harms_no_other(server):
    async with Gateway(server.url) as gateway:
        asking = [asyncio.ensure_future(gateway.quota.take(SUBJECT, 50)) for _ in range(40)]
        await asyncio.sleep(0)
        for one in asking[::2]:
            one.cancel()
        done = await asyncio.gather(*asking, return_exceptions=True)
        assert all(verdict.admitted for verdict in done[1::2])
        assert await gateway.admitted(100, 100, ("user", 1)) == 100
        assert gateway.events() == ["quota_shared"]


async def test_a_loop_that_was_held_up_does_not_take_redis_for_dead(server):
    async with Gateway(server.url, within=0.1) as gateway:
        asking = asyncio.ensure_future(gateway.quota.take(SUBJECT, 5))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        time.sleep(0.3)  # noqa: ASYNC251 - the point
        assert (await asking).admitted
        assert gateway.events() == ["quota_shared"]


async def test_scripts_that_redis_has_forgotten_are_taught_again(server):
    async with Gateway(server.url) as one, Gateway(server.url) as other:
        await one.admitted(4, 10)
        server.client().script_flush()
        counts = await asyncio.gather(one.admitted(10, 10), other.admitted(10, 10))
        assert sum(counts) == 6
        assert one.events() == ["quota_shared"]


async def test_what_redis_forgets_the_gateway_remembers(server):
    async with Gateway(server.url) as gateway:
        assert await gateway.admitted(6, 10) == 6
        server.client().flushall()
        assert await gateway.admitted(30, 10) == 4


async def test_a_gateway_whose_redis_dies_goes_on_counting_what_it_admitted(own_server):
    async with Gateway(own_server.url) as gateway:
        assert await gateway.admitted(6, 10) == 6
        own_server.kill()
        assert await gateway.admitted(30, 10) == 4
        assert gateway.events() == ["quota_shared", "quota_local"]
        own_server.start()
        await gateway.wait_until_shared()
        # Redis came back empty; this gateway has had its allowance all the same.
        assert await gateway.admitted(30, 10) == 0
        async with Gateway(own_server.url) as other:
            counts = await asyncio.gather(
                *(one.admitted(40, 20, ("organization", 8, True)) for one in (gateway, other))
            )
            assert sum(counts) == 20
        assert gateway.events() == ["quota_shared", "quota_local", "quota_shared"]


async def test_a_redis_that_hangs_costs_one_wait_and_not_one_a_request(own_server):
    async with Gateway(own_server.url, within=0.2) as gateway:
        await gateway.admitted(1, 1000)
        own_server.pause()
        began = time.monotonic()
        for _ in range(99):
            assert (await gateway.quota.take(SUBJECT, 100)).admitted
        assert not (await gateway.quota.take(SUBJECT, 100)).admitted
        assert time.monotonic() - began < 5  # 20 s, were every request to wait
        own_server.resume()
        await gateway.wait_until_shared()
        assert gateway.events() == ["quota_shared", "quota_local", "quota_shared"]


async def test_a_redis_that_hangs_while_nobody_asks_is_found_out_by_the_beat(own_server, monkeypatch):
    monkeypatch.setattr(redis_quota, "BEAT_EVERY", 0.1)
    async with Gateway(own_server.url, within=0.2) as gateway:
        own_server.pause()
        await gateway.wait_until_shared(False)
        assert await gateway.admitted(5, 3) == 3


def readonly(server):
    server.client().replicaof("127.0.0.1", server.port)


def full(server):
    server.client().config_set("maxmemory", 1)


def locked(server):
    client = server.client()
    client.config_set("requirepass", "secret")
    client.client_kill_filter(_type="normal", skipme=True)


def busy(server):
    """The key is somebody else's, and no list."""
    server.client().set(KEY, "x")


@pytest.mark.parametrize("fault", [readonly, full, locked, busy])
async def test_a_redis_that_refuses_leaves_a_local_limit_and_is_shared_again_afterwards(own_server, fault):
    async with Gateway(own_server.url) as gateway:
        own_server.client().set("other", "x")
        fault(own_server)
        assert await gateway.admitted(30, 10) == 10
        assert gateway.events()[:2] == ["quota_shared", "quota_local"]
        own_server.kill()
        own_server.start()
        await gateway.wait_until_shared()


@contextlib.contextmanager
def answering(data):
    """A server of another kind: says this to whoever connects, or nothing at all."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)

        async def accept():
            loop = asyncio.get_running_loop()
            while True:
                connection, _ = await loop.sock_accept(listener)
                with contextlib.suppress(OSError):
                    await loop.sock_sendall(connection, data)
                accepted.append(connection)

        accepted = []
        serving = asyncio.ensure_future(accept())
        try:
            yield f"redis://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            serving.cancel()
            for connection in accepted:
                connection.close()


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"+xyz\r\n" * 50, b"*1\r\n:1\r\n" * 50])
async def test_what_is_no_redis_leaves_a_local_limit(data):
    with answering(data) as url:
        async with Gateway(url, within=0.1) as gateway:
            assert await gateway.admitted(30, 10) == 10
            assert gateway.events() == ["quota_local"]


async def test_nobody_there_leaves_a_local_limit_and_is_said_once():
    async with Gateway("redis://127.0.0.1:1") as gateway:
        assert await gateway.admitted(30, 10) == 10
        await asyncio.sleep(2.2 * redis_quota.TRY_EVERY)
        assert gateway.events() == ["quota_local"]


async def test_a_password_and_tls_are_understood(tmp_path):
    certificate = tls.ensure_local_certificate(tmp_path / "tls", now=datetime.now(UTC))
    options = {
        "tls-cert-file": certificate.certificate,
        "tls-key-file": certificate.key,
        "tls-ca-cert-file": tmp_path / "tls" / "ca.pem",
        "tls-auth-clients": "no",
        "requirepass": "secret",
        "unixsocket": tmp_path / "redis.sock",
    }
    with redis_server(tmp_path / "redis", **options) as plain:
        plain.client(f"redis://:secret@127.0.0.1:{plain.port}").config_set("port", 0)
        plain.client(f"unix://:secret@{tmp_path}/redis.sock").config_set("tls-port", plain.port)
        url = f"rediss://:secret@localhost:{plain.port}?ssl_ca_certs={tmp_path}/tls/ca.pem"
        for works in (url, f"unix://:secret@{tmp_path}/redis.sock"):
            async with Gateway(works) as gateway:
                assert gateway.events() == ["quota_shared"]
        # Without the authority the certificate is not trusted; with another password there is no way in.
        for fails in (url.partition("?")[0], url.replace("secret", "wrong")):
            async with Gateway(fails) as gateway:
                assert await gateway.admitted(30, 10) == 10
                assert gateway.events() == ["quota_local"]
                assert "wrong" not in gateway._lines.getvalue()


@pytest.mark.parametrize(
    "url", ["localhost:6379", "http://x", "redis://:pa/ss@x", "redis://x?nonsense=1", "redis://x:port"]
)
def test_a_url_that_is_none_is_refused_at_start_without_being_repeated(url):
    with pytest.raises(SettingsError, match="QW_REDIS_URL") as refused:
        Gateway(url)
    assert url not in str(refused.value)
