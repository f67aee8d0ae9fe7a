"""The whole service under load, under too much of it, and under half of it: ``python -m benchmarks.endurance``.

A service of its own (TLS, every quote durable) with two organizations is first kept busy by 32 connections, which says
how much it can do; then requests are sent at a rate whatever comes back: four times as many, to see what is shed and
how fast, and half as many, to see whether memory or descriptors grow. One client on the same cores, so the figures are
a pessimist's. Of ten requests three make a quote, five ask for a price, two for the settings. At the end every quote
that was acknowledged must be in the store.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import math
import os
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import linear_regression
from typing import cast

import uvloop

from benchmarks.processes import free_ports
from benchmarks.report import conditions

CONNECTIONS = 32
#: Connections that are open before too much is sent, and most of them; what finds none free waits, as it would in any
#: client's pool.
OPEN_CONNECTIONS, MOST_CONNECTIONS = 400, 1024
#: The answers to what is too much.
SHED = (429, 503)
QUOTE = {"text": "Replace 12 m of guttering and repaint the front of a two-storey house, about 60 m2, in Nashville"}
PRICE = {"query": "replace a kitchen faucet", "location": "Chicago, IL"}
#: Of ten requests, in this order.
MIX = ("price", "quote", "price", "config", "price", "quote", "price", "config", "price", "quote")
TIMEOUT = 30.0


@dataclass
class Answers:
    """What came back: latencies in seconds by kind of request and status, and how many quotes were acknowledged."""

    seconds: float = 0.0
    latencies: defaultdict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: Counter[str] = field(default_factory=Counter)

    def good(self) -> int:
        """Requests that were answered with what they asked for."""
        return sum(len(found) for (_, status), found in self.latencies.items() if status == 200)

    def work(self) -> int:
        """The same of quotes and prices, which may be shed; settings take no slot."""
        return self.good() - len(self.latencies["config", 200])

    def all(self) -> int:
        """Requests that were answered at all."""
        return sum(map(len, self.latencies.values()))

    def told(self) -> str:
        """A table of it."""
        lines = ["| request | status | answers | a second | p50, ms | p99, ms |", "|---|---|---|---|---|---|"]
        for (kind, status), found in sorted(self.latencies.items()):
            ordered = sorted(found)
            at = [1000 * ordered[max(0, math.ceil(share * len(ordered)) - 1)] for share in (0.5, 0.99)]
            rate = len(found) / self.seconds
            lines.append(f"| {kind} | {status} | {len(found)} | {rate:.0f} | {at[0]:.0f} | {at[1]:.0f} |")
        lines += [f"failed: {count} × {what}" for what, count in self.failures.items()]
        return "\n".join(lines)


class Service:
    """`quotewright serve` on data of its own, with the keys of two organizations that nothing but the cores limits."""

    def __init__(self, folder: Path, processes: int, database: str, redis: str) -> None:
        self.folder = folder
        https, http, grpc, private = free_ports(4)
        self.port = https
        settings = {
            "QW_DATA_DIR": folder,
            "QW_HTTPS_PORT": https,
            "QW_HTTP_PORT": http,
            "QW_GRPC_PORT": grpc,
            "QW_PRIVATE_PORT": private,
            "QW_ADDRESS_REQUESTS_PER_MINUTE": 10_000_000,
            "QW_USER_REQUESTS_PER_MINUTE": 10_000_000,
            "QW_MOST_CONCURRENT_PER_USER": CONNECTIONS,
            "QW_CONNECTIONS_PER_ADDRESS": 10_000,
            **({"QW_DATABASE_URL": database} if database else {}),
            **({"QW_REDIS_URL": redis} if redis else {}),
        }
        self._environment = {**os.environ, **{name: str(value) for name, value in settings.items()}}
        self.keys = [self.key(self.organization(f"Endurance {number}")) for number in (1, 2)]
        log = (folder / "serve.log").open("wb")
        command = [sys.executable, "-m", "cli.main", "serve", "--processes", str(processes)]
        self._process = subprocess.Popen(command, env=self._environment, stdout=log, stderr=log)
        # Several say so each, and the supervisor when all have.
        self._said_ready = processes + 1 if processes > 1 else 1

    def organization(self, name: str, requests_per_minute: int = 10_000_000) -> str:
        """The number of a new one."""
        limit = ("--requests-per-minute", str(requests_per_minute))
        return str(self._run("create-organization", "--name", name, *limit)["organization_id"])

    def key(self, organization: str) -> str:
        """A live key of it."""
        scopes = ("--scope", "quotes:read", "--scope", "quotes:write", "--scope", "sourcing:read")
        made = self._run("create-key", "--organization", organization, "--mode", "live", "--name", "load", *scopes)
        return str(made["key"])

    def session(self, organization: str) -> str:
        """The token of a new user's session in it."""
        email = f"user{organization}@quotewright.example"
        who = ("--organization", organization, "--email", email)
        self._run("create-user", *who, "--role", "editor", stdin="a password of decent length")
        return str(self._run("create-session", *who)["session"])

    def _run(self, *arguments: str, stdin: str = "") -> dict[str, object]:
        command = [sys.executable, "-m", "cli.main", "admin", *arguments, "--json"]
        done = subprocess.run(command, env=self._environment, input=stdin, capture_output=True, text=True, check=True)
        found: dict[str, object] = json.loads(done.stdout)
        return found

    def wait_ready(self) -> None:
        """Return when it says so, all its processes: the first to listen would keep all connections. Raises
        ``RuntimeError`` when it ends instead."""
        while (self.folder / "serve.log").read_bytes().count(b"ready: ") < self._said_ready:
            if self._process.poll() is not None:
                raise RuntimeError((self.folder / "serve.log").read_text()[-2000:])
            time.sleep(0.1)

    def size(self) -> tuple[float, int]:
        """Memory in MB that is its processes' own or shared by none but them (proc(5), Pss), and their descriptors."""
        pids, seen = [self._process.pid], []
        while pids:
            pid = pids.pop()
            seen.append(pid)
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += [int(one) for one in (task / "children").read_text().split()]
        memory, descriptors = 0, 0
        for pid in seen:
            with contextlib.suppress(OSError):
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
                memory += int(next(line for line in rollup.splitlines() if line.startswith("Pss:")).split()[1])
                descriptors += len(list(Path(f"/proc/{pid}/fd").iterdir()))
        return memory / 1024, descriptors

    def tls(self) -> ssl.SSLContext:
        """Trusts its authority."""
        return ssl.create_default_context(cafile=self.folder / "tls" / "ca.pem")

    def stop(self) -> None:
        """End it politely."""
        self._process.terminate()
        self._process.wait(60)


class Connection(asyncio.Protocol):
    """One connection; the answer to one request at a time."""

    def __init__(self) -> None:
        self._read = b""
        self._answer: asyncio.Future[tuple[int, bytes, bool]] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or EOFError())

    def data_received(self, data: bytes) -> None:
        self._read += data
        end = self._read.find(b"\r\n\r\n") + 4
        if end < 4 or self._answer is None:
            return
        head = self._read[:end].lower()
        length = int(head.partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0])
        if len(self._read) >= end + length and not self._answer.done():
            body, self._read = self._read[end : end + length], b""
            self._answer.set_result((int(head[9:12]), body, b"\r\nconnection: close" in head))

    @property
    def closed(self) -> bool:
        """Whether either side has closed it."""
        return self._transport is None or self._transport.is_closing()

    async def ask(self, request: bytes) -> tuple[int, bytes, bool]:
        """Status, body, and whether the other side closes now. Raises `OSError` or `EOFError` where it breaks."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        """Without waiting."""
        assert self._transport is not None
        self._transport.abort()


def mix(service: Service) -> Iterator[tuple[str, bytes]]:
    """Requests of both organizations without end: what each is, and its bytes."""
    asked: dict[str, tuple[str, str, object]] = {
        "quote": ("POST", "/api/v1/quotes/generate", QUOTE),
        "price": ("POST", "/api/v1/sourcing/price", PRICE),
        "config": ("GET", "/api/v1/config", None),
    }
    return itertools.cycle([(kind, request(*asked[kind], key)) for key in service.keys for kind in MIX])


class Client:
    """Keeps connections and sends requests, one at a time on each."""

    def __init__(self, service: Service, requests: Iterator[tuple[str, bytes]] | None = None) -> None:
        self._port, self._tls = service.port, service.tls()
        self._requests = requests or mix(service)
        self._idle: list[Connection] = []
        self._places = asyncio.Semaphore(MOST_CONNECTIONS)

    async def connect(self, count: int) -> None:
        """Have so many connections open: a handshake costs as much as several requests."""
        while len(self._idle) < count:
            self._idle.append(await self._connect())

    async def send(self, answers: Answers) -> None:
        """One request of the mix; its latency is from now on, with the wait for a connection."""
        kind, wanted = next(self._requests)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(TIMEOUT), self._places:
                status, _ = await self._exchange(wanted)
        except (OSError, EOFError, TimeoutError) as error:
            answers.failures[type(error).__name__] += 1
            return
        answers.latencies[kind, status].append(time.perf_counter() - began)

    async def stored(self, keys: list[str]) -> int:
        """How many quotes the organizations of these keys have."""
        found = 0
        for key in keys:
            _, body = await self._exchange(request("GET", "/api/v1/quotes?limit=1", None, key))
            found += int(json.loads(body)["total"])
        return found

    async def _exchange(self, wanted: bytes) -> tuple[int, bytes]:
        while self._idle and self._idle[-1].closed:  # idle for too long
            self._idle.pop()
        connection = self._idle.pop() if self._idle else await self._connect()
        try:
            status, body, closes = await connection.ask(wanted)
        except BaseException:
            connection.close()
            raise
        if closes:
            connection.close()
        else:
            self._idle.append(connection)
        return status, body

    async def _connect(self) -> Connection:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(
            Connection, "127.0.0.1", self._port, ssl=self._tls, server_hostname="localhost"
        )
        return connection

    async def close(self) -> None:
        """Let the connections go."""
        for connection in self._idle:
            connection.close()
        await asyncio.sleep(0.1)


def request(method: str, path: str, body: object, credential: str) -> bytes:
    """Its bytes. ``credential``: an API key or the token of a session."""
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {credential}\r\n"
    if content:
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    return head.encode() + b"\r\n" + content


async def busy(client: Client, seconds: float) -> Answers:
    """As many requests as so many connections can have answered."""
    answers = Answers()
    began = time.perf_counter()

    async def one() -> None:
        while time.perf_counter() < began + seconds:
            await client.send(answers)

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    answers.seconds = time.perf_counter() - began
    return answers


async def at_rate(client: Client, rate: float, seconds: float) -> Answers:
    """So many requests a second, whatever comes back."""
    answers = Answers()
    began = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            tasks.create_task(client.send(answers))
    answers.seconds = time.perf_counter() - began
    return answers


async def watched(service: Service, client: Client, rate: float, seconds: float) -> tuple[Answers, str]:
    """So many requests a second, and how memory and descriptors went meanwhile, after the first fifth of the time."""
    sizes: list[tuple[float, float, int]] = []

    async def watch() -> None:
        began = time.perf_counter()
        while True:
            memory, descriptors = await asyncio.to_thread(service.size)
            sizes.append((time.perf_counter() - began, memory, descriptors))
            await asyncio.sleep(max(1.0, seconds / 200))

    watching = asyncio.create_task(watch())
    answers = await at_rate(client, rate, seconds)
    watching.cancel()
    kept = [one for one in sizes if one[0] > seconds / 5]
    at, memory, descriptors = zip(*kept, strict=True)
    slopes = [3600 * linear_regression(at, values).slope for values in (memory, descriptors)]
    said = (
        f"memory {memory[0]:.0f} MB, then {memory[-1]:.0f} MB ({slopes[0]:+.1f} MB an hour); "
        f"descriptors {descriptors[0]}, then {descriptors[-1]} ({slopes[1]:+.1f} an hour)"
    )
    return answers, said


async def run(service: Service, options: argparse.Namespace) -> list[str]:
    """All three loads; what is said of each."""
    client = Client(service)
    said: list[str] = []
    acknowledged = 0

    def told(title: str, answers: Answers) -> None:
        nonlocal acknowledged
        acknowledged += len(answers.latencies["quote", 200])
        said.append(f"\n{title}\n\n{answers.told()}")

    acknowledged += len((await busy(client, 5)).latencies["quote", 200])
    full = await busy(client, options.seconds)
    capacity = full.good() / full.seconds
    told(f"{CONNECTIONS} connections, {options.seconds:g} s: {capacity:.0f} answers a second", full)
    await client.connect(OPEN_CONNECTIONS)
    much = await at_rate(client, 4 * capacity, options.seconds)
    shed = sum(len(found) for (_, status), found in much.latencies.items() if status in SHED)
    goodput, possible = much.work() / much.seconds, full.work() / full.seconds
    told(
        f"Four times as many: {goodput:.0f} quotes and prices a second ({goodput / possible:.0%} of what can be done), "
        f"{shed} requests shed",
        much,
    )
    await client.close()
    client = Client(service)
    half, size = await watched(service, client, capacity / 2, options.soak)
    told(f"Half as many for {options.soak / 60:g} min: {size}", half)
    said.append(f"\nquotes acknowledged: {acknowledged}, stored: {await client.stored(service.keys)}")
    await client.close()
    return said


def main() -> None:
    """Run the three loads and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endurance", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of the full load, and of too much of it")
    parser.add_argument("--soak", type=float, default=1800.0, help="seconds of half the load")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--database", default="", help="URL of an empty PostgreSQL database; SQLite without")
    parser.add_argument("--redis", default="", help="URL of Redis, which several processes need")
    parser.add_argument("--apart", action="store_true", help="the client on one core, the service on the others")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        first, *others = sorted(os.sched_getaffinity(0))
        if options.apart:
            os.sched_setaffinity(0, others)
        service = Service(Path(folder), options.processes, options.database, options.redis)
        if options.apart:
            os.sched_setaffinity(0, {first})
        try:
            service.wait_ready()
            print(conditions(datetime.now(UTC), f"{options.processes} processes"), flush=True)
            for line in uvloop.run(run(service, options)):
                print(line)
        finally:
            service.stop()


if __name__ == "__main__":
    main()
