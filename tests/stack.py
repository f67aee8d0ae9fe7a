"""The service as real processes, for tests: combined, or a server with gateways of its own, each on free ports."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import random
import secrets
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import psycopg
from multidict import CIMultiDict

from process import sockets
from server import administration
from server.domain.plans import SCOPES
from server.store.database import Store
from tests.forks import Fork

PYTHON = [sys.executable, "-m"]
QUOTEWRIGHT = [*PYTHON, "cli.main"]
#: How much the searching tests do: 1 in `make test`, more with TEST_EFFORT in the environment.
EFFORT = int(os.environ.get("TEST_EFFORT", "1"))
#: Of every user that tests make.
PASSWORD = "a password of decent length"
DETAILS_ALWAYS = {"request_id", "reason"}


def _ports() -> Iterator[int]:
    """Ports in an order of chance, none twice: below those that the system gives to outgoing connections, any of which
    could take a port between its choice and its use, and apart from those of other workers of pytest-xdist."""
    first_outgoing = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    ports = list(range(10_000 + worker, min(first_outgoing, 32_768), workers))
    random.SystemRandom().shuffle(ports)
    return iter(ports)


PORTS = _ports()


def free_port() -> int:
    """A port that nothing listens on and that no other caller is told of."""
    for port in PORTS:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("every port below the outgoing ones has been used")


@functools.cache
def password_hash() -> str:
    """What is stored of the password. It is made to take long, so it is made once."""
    return administration.hashed(PASSWORD)


def run(*arguments: str, data_dir: Path, stdin: str = "", **settings: object) -> dict[str, Any]:
    """Run a command with --json and read its answer."""
    done = subprocess.run(
        [*QUOTEWRIGHT, *arguments, "--json"],
        env=environment(data_dir, **settings),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def environment(data_dir: Path, **settings: object) -> dict[str, str]:
    """This environment without its own settings, with these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("QW_")}
    return {**kept, "QW_DATA_DIR": str(data_dir), **{name: str(value) for name, value in settings.items()}}


class Process:
    """One process of ours, with its log in a file; a fork of one that has loaded what it needs (`tests.forks`), or, where
    ``fresh``, a new interpreter. What says how it starts, its memory or its command line, is said of a new one."""

    def __init__(
        self,
        command: list[str],
        settings: dict[str, str],
        log: Path,
        listeners: Sequence[socket.socket] = (),
        *,
        fresh: bool = False,
    ) -> None:
        self.log = log
        #: How much of the log others of the same name wrote before.
        self._before = log.stat().st_size if log.exists() else 0
        #: Address of its private port.
        self.private = f"http://127.0.0.1:{settings['QW_PRIVATE_PORT']}"
        self._process: Fork | subprocess.Popen[bytes]
        if command[:2] == PYTHON and not listeners and not fresh:
            self._process = Fork(command[2], command[3:], settings, log)
            return
        handed_over = [listener.fileno() for listener in listeners]
        if handed_over:
            command = sockets.handing_over(handed_over, command)
        with log.open("ab") as stream:
            self._process = subprocess.Popen(
                command, env=settings, stdout=stream, stderr=stream, start_new_session=True, pass_fds=handed_over
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_ready(self, within: float = 60.0) -> None:
        """Return once the process has said that it is ready."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            if b"ready: " in self.log.read_bytes()[self._before :]:
                return
            assert self._process.poll() is None, self.log.read_text()
            time.sleep(0.02)
        raise AssertionError(f"not ready: {self.log.read_text()}")

    def events(self, name: str = "") -> list[dict[str, Any]]:
        """The lines of its log, or those of this event. A line that is being written has no end yet, and waits for the
        next look."""
        whole = self.log.read_text().rpartition("\n")[0].splitlines()
        events = [json.loads(line) for line in whole if line.startswith("{")]
        return [event for event in events if name in ("", event["event"])]

    def is_ready(self) -> bool:
        """Wait as well, and say whether it came to that or ended before."""
        try:
            self.wait_ready()
        except AssertionError:
            if self.alive:
                raise
            return False
        return True

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def command_line(self) -> bytes:
        """What everybody on the machine sees of it (proc(5), cmdline)."""
        return Path(f"/proc/{self._process.pid}/cmdline").read_bytes()

    @property
    def state(self) -> str:
        """One letter (proc(5), State): T is stopped."""
        return Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[0]

    def memory(self) -> int:
        """Bytes of it that are in memory now (proc(5), VmRSS)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    async def settled_memory(self) -> int:
        """The same once it has loaded what it loads behind its start: when it has not grown for two seconds."""
        sizes: list[int] = []
        while len(sizes) < 20 or sizes[-1] - sizes[-20] > 2**20:
            sizes.append(self.memory())
            assert len(sizes) < 600, "it grows and grows"
            await asyncio.sleep(0.1)
        return sizes[-1]

    def ask_to_stop(self) -> None:
        """SIGTERM, without waiting."""
        self._process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        """End it politely; its exit status."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=30)

    def wait(self, within: float) -> int:
        """The exit status of one that ends by itself; one that does not in time is killed."""
        try:
            return self._process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            return 0

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        """It hangs: connections stay open, nothing is answered."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """It goes on from where it hung."""
        self._process.send_signal(signal.SIGCONT)


@dataclass
class Organization:
    """An organization with a key of each mode that has all scopes, a key without any, and a session."""

    organization_id: int
    live_key: str
    live_key_id: str
    test_key: str
    bare_key: str
    session: str
    homeless_session: str


@dataclass
class Stack:
    """Running processes and where they listen."""

    data_dir: Path
    https_port: int
    http_port: int
    grpc_port: int
    #: Of PostgreSQL; empty: SQLite in the data folder.
    database_url: str = ""
    processes: list[Process] = field(default_factory=list)
    more_https_ports: list[int] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"https://localhost:{self.https_port}"

    @property
    def database(self) -> Path | str:
        """What a `Store` opens."""
        return self.database_url or self.data_dir / "quotewright.db"

    def run(self, *arguments: str, stdin: str = "", **settings: object) -> dict[str, Any]:
        """Run a command on the same data, with --json, and read its answer."""
        where = {"QW_DATABASE_URL": self.database_url} if self.database_url else {}
        return run(*arguments, data_dir=self.data_dir, stdin=stdin, **where, **settings)

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """What the database says, on a connection that is none of the service's. Parameters are ``?``."""
        if self.database_url:
            with psycopg.connect(self.database_url, autocommit=True) as connection:
                return connection.execute(sql.replace("%", "%%").replace("?", "%s"), parameters).fetchall()
        with contextlib.closing(sqlite3.connect(self.data_dir / "quotewright.db")) as connection:
            return connection.execute(sql, parameters).fetchall()

    def organization(self, name: str = "Test", plan: str = "Enterprise", rate: int = 1_000_000) -> Organization:
        """A new organization, made beside the running service as the command line does."""
        store = Store(self.database)
        try:
            number = administration.create_organization(store, name, plan, requests_per_minute=rate)
            email = f"user{number}@quotewright.example"
            administration.add_user(store, number, email, password_hash(), role="owner")
            live, test, bare = (
                administration.create_key(store, number, livemode=livemode, name="test", scopes=scopes)
                for livemode, scopes in ((True, SCOPES), (False, SCOPES), (True, ()))
            )
            session = administration.create_session(store, email, number)
            homeless = administration.create_session(store, email, None)
        finally:
            store.close()
        return Organization(
            number, live.secret, live.public_id, test.secret, bare.secret, session.secret, homeless.secret
        )

    def member(self, organization_id: int, role: str) -> str:
        """The session of a new user with that role in the organization."""
        store = Store(self.database)
        try:
            email = f"{secrets.token_hex(6)}@quotewright.example"
            administration.add_user(store, organization_id, email, password_hash(), role=role)
            return administration.create_session(store, email, organization_id).secret
        finally:
            store.close()

    def tls(self) -> ssl.SSLContext:
        """A client's context that trusts the local authority and nothing else."""
        return ssl.create_default_context(cafile=self.data_dir / "tls" / "ca.pem")

    def stop(self) -> None:
        """End everything; every process must have ended well."""
        assert [process.stop() for process in self.processes] == [0] * len(self.processes)


@contextlib.contextmanager
def combined(data_dir: Path, database_url: str = "", **settings: object) -> Iterator[Stack]:
    """Server and gateway in one process."""
    stack = Stack(data_dir, free_port(), free_port(), free_port(), database_url)
    stack.processes.append(start(stack, "serve", **settings))
    with stopping(stack):
        yield stack


@contextlib.contextmanager
def split(data_dir: Path, gateways: int = 1, database_url: str = "", **settings: object) -> Iterator[Stack]:
    """A server, and gateways in processes of their own."""
    stack = Stack(data_dir, free_port(), free_port(), free_port(), database_url)
    stack.processes.append(start(stack, "server", **settings))
    with stopping(stack):
        stack.processes.append(start(stack, "gateway", **settings))
        for number in range(1, gateways):
            port = free_port()
            stack.more_https_ports.append(port)
            stack.processes.append(
                start(stack, "gateway", name=f"gateway{number}", QW_HTTPS_PORT=port, QW_HTTP_PORT=0, **settings)
            )
        yield stack


def start(
    stack: Stack, command: str, name: str = "", listeners: Sequence[socket.socket] = (), **settings: object
) -> Process:
    """One process of the stack, ready; ``listeners`` are handed over to it."""
    process = begin(stack, command, name, listeners=listeners, **settings)
    try:
        process.wait_ready()
    except BaseException:
        process.kill()
        raise
    return process


def begin(
    stack: Stack,
    command: str,
    name: str = "",
    program: list[str] | None = None,
    listeners: Sequence[socket.socket] = (),
    *,
    fresh: bool = False,
    **settings: object,
) -> Process:
    """One process of the stack, not waited for. ``program`` stands in for `quotewright`; ``fresh``: see `Process`."""
    ports = {
        "QW_HTTPS_PORT": stack.https_port,
        "QW_HTTP_PORT": stack.http_port,
        "QW_GRPC_PORT": stack.grpc_port,
        "QW_PRIVATE_PORT": free_port(),
        "QW_SERVER_TARGET": f"127.0.0.1:{stack.grpc_port}",
        **({"QW_DATABASE_URL": stack.database_url} if stack.database_url else {}),
        "QW_FAILED_SIGN_INS_PER_MINUTE": 100_000,
        "QW_ADDRESS_REQUESTS_PER_MINUTE": 100_000,
    }
    stack.data_dir.mkdir(parents=True, exist_ok=True)
    return Process(
        [*(program or QUOTEWRIGHT), command],
        environment(stack.data_dir, **{**ports, **settings}),
        stack.data_dir / f"{name or command}.log",
        listeners,
        fresh=fresh,
    )


@contextlib.contextmanager
def stopping(stack: Stack) -> Iterator[None]:
    """End the stack; on a failure inside, end it anyhow."""
    try:
        yield
    except BaseException:
        for process in stack.processes:
            process.kill()
        raise
    stack.stop()


@dataclass(frozen=True)
class Answer:
    """An HTTP answer, read whole. Every answer of 400 or above has been found to be an envelope."""

    status: int
    headers: CIMultiDict[str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        return self.json()["error"]["details"]["reason"]

    def fields(self) -> set[tuple[str, str]]:
        return {(one["field"], one["reason"]) for one in self.json()["error"]["details"].get("fields", [])}


class Client:
    """An HTTPS client that holds every answer to the error envelope; ``source`` is the address that it comes from, where
    it is not to share what its address is allowed with the others of this machine."""

    def __init__(self, stack: Stack, *, port: int | None = None, source: str = "127.0.0.1") -> None:
        self._stack = stack
        self._source = source
        self._base = f"https://localhost:{port or stack.https_port}"
        self._sockets: list[socket.socket] = []

    async def __aenter__(self) -> Client:
        connector = aiohttp.TCPConnector(
            ssl=self._stack.tls(), limit=64, socket_factory=self._socket, local_addr=(self._source, 0)
        )
        self._session = aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(60))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        # A connection on which the service has refused the rest of a large body ends only with what was still unsent.
        async with asyncio.timeout(10):
            while any(one.fileno() >= 0 for one in self._sockets):  # noqa: ASYNC110 - sockets have no event for it
                await asyncio.sleep(0.005)

    def _socket(self, address: aiohttp.AddrInfoType) -> socket.socket:
        family, kind, protocol, *_ = address
        self._sockets.append(socket.socket(family, kind, protocol))
        return self._sockets[-1]

    async def request(self, method: str, path: str, *, key: str = "", session: str = "", **more: Any) -> Answer:
        """One request; ``key`` and ``session`` become the headers they belong in."""
        headers = dict(more.pop("headers", {}))
        if key:
            headers["X-API-Key"] = key
        if session:
            headers["Authorization"] = f"Bearer {session}"
        url = path if path.startswith("http") else self._base + path
        async with self._session.request(method, url, headers=headers, allow_redirects=False, **more) as response:
            answer = Answer(response.status, response.headers.copy(), await response.read())
        if method != "HEAD":
            check_envelope(answer)
        return answer

    async def page(self, method: str, path: str, **more: Any) -> Answer:
        """One request of a browser, which gets a page whatever happens."""
        headers = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", **more.pop("headers", {})}
        async with self._session.request(
            method, self._base + path, headers=headers, allow_redirects=False, **more
        ) as response:
            answer = Answer(response.status, response.headers.copy(), await response.read())
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        return answer

    async def logs(self) -> str:
        """What all processes have logged, as soon as it has the lines of a request that is made now: lines are written in
        batches, and in order."""
        marker = secrets.token_hex(16)
        await self.request("GET", "/api/v1/config", headers={"X-Request-Id": marker})
        deadline = time.monotonic() + 20
        # Of the gateway, and of the server where that is another process.
        expected = min(2, len(self._stack.processes))
        while True:
            logs = "".join(process.log.read_text() for process in self._stack.processes)
            if logs.count(marker) == expected:
                return logs
            assert time.monotonic() < deadline, "the lines of a request are missing"
            await asyncio.sleep(0.05)

    async def generate(self, key: str, text: str, **more: Any) -> Answer:
        """POST /quotes/generate."""
        return await self.request("POST", "/api/v1/quotes/generate", key=key, json={"text": text}, **more)


@dataclass(frozen=True)
class Exchange:
    """What came back over one connection: whole answers and nothing else, and whether the service then closed it."""

    answers: list[Answer]
    closed: bool

    @property
    def statuses(self) -> list[int]:
        return [answer.status for answer in self.answers]


async def exchange(
    stack: Stack,
    data: bytes,
    *,
    tls: bool = True,
    pause_at: int | None = None,
    wait: float = 10.0,
    before: Sequence[bytes] = (),
) -> Exchange:
    """Send bytes over a connection of their own and read until the service closes it, or until it is silent.

    ``pause_at``: send so many, and the rest a moment later. ``before``: requests that are made first, one after the
    other; their answers are left out.
    """
    port = stack.https_port if tls else stack.http_port
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=stack.tls() if tls else None, server_hostname="localhost" if tls else None
    )
    received, closed = b"", False
    try:
        async with asyncio.timeout(wait):
            for one in before:
                writer.write(one)
                answered = b""
                while not answered or answered.startswith(b"HTTP/1.1 100 "):
                    answered = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(read_length(answered))
            if pause_at is not None:
                writer.write(data[:pause_at])
                await asyncio.sleep(0.01)
            writer.write(data[pause_at or 0 :])
            while chunk := await reader.read(65536):
                received += chunk
        closed = True
    except ConnectionError:
        closed = True
    except TimeoutError:
        pass
    await let_go(writer)
    return Exchange(read_answers(received), closed)


def read_length(head: bytes) -> int:
    """How long the body is that follows this head of an answer."""
    return int(head.lower().partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0] or 0)


async def let_go(*writers: asyncio.StreamWriter) -> None:
    """End these connections, and return when they are gone: what is left to the loop's end is told of as a leak."""
    for writer in writers:
        writer.transport.abort()
    for writer in writers:
        with contextlib.suppress(OSError):
            async with asyncio.timeout(10):
                await writer.wait_closed()


def read_answers(received: bytes) -> list[Answer]:
    """The answers in these bytes, each framed as HTTP/1.1 asks (RFC 9112), and each error an envelope."""
    answers = []
    while received:
        head, separator, received = received.partition(b"\r\n\r\n")
        assert separator, f"an answer that is cut: {head!r}"
        status_line, *lines = head.decode("ascii").split("\r\n")
        version, code, _ = status_line.split(" ", 2)
        assert version in ("HTTP/1.0", "HTTP/1.1"), status_line
        if code == "100":
            assert not lines
            continue
        headers = CIMultiDict(line.split(": ", 1) for line in lines)
        length = int(headers["Content-Length"]) if code != "204" else 0
        assert len(received) >= length, "an answer that is cut"
        body, received = received[:length], received[length:]
        answers.append(Answer(int(code), headers, body))
        check_envelope(answers[-1])
    return answers


CODES = {
    401: {"unauthorized"},
    403: {"forbidden", "https_required"},
    404: {"not_found"},
    405: {"method_not_allowed"},
    408: {"request_timeout"},
    409: {"conflict"},
    412: {"precondition_failed"},
    413: {"payload_too_large"},
    415: {"unsupported_media_type"},
    422: {"validation_error"},
    429: {"rate_limited"},
    431: {"headers_too_large"},
    500: {"internal_error"},
    503: {"unavailable"},
    504: {"timeout"},
}


def check_envelope(answer: Answer) -> None:
    """The one assertion that every error answer of the suite goes through (D27, D28)."""
    if answer.status < 400:
        return
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error"}
    error = body["error"]
    assert set(error) == {"code", "message", "details"}
    assert error["code"] in CODES[answer.status]
    assert isinstance(error["message"], str) and error["message"]
    assert set(error["details"]) >= DETAILS_ALWAYS
    assert error["details"]["request_id"] == answer.headers["X-Request-Id"]
    for one in error["details"].get("fields", []):
        assert set(one) == {"field", "reason", "message"}
    if answer.status == 429:
        assert int(answer.headers["Retry-After"]) >= 1
        assert error["details"]["retry_after"] >= 1
    if answer.status == 503:
        assert int(answer.headers["Retry-After"]) >= 1
    if answer.status == 401:
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    if answer.status == 405:
        assert answer.headers["Allow"]
