"""The load generator: a process that keeps some connections busy for a bounded time, and says what came back.

It reads a ``Load`` as JSON from standard input and prints a ``Result`` as JSON. It speaks just enough HTTP/1.1
(keep-alive, one request at a time on each connection, ``Content-Length``) to cost little beside what it measures.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import cast

import uvloop

#: Seconds that the last answers may take after the time is over.
GRACE = 10.0


@dataclass(frozen=True, slots=True)
class Load:
    """What to send where: ``body`` is JSON text; it ends after ``seconds`` or ``most`` requests, whichever is first."""

    port: int
    path: str
    body: str
    connections: int
    seconds: float
    headers: dict[str, str] = field(default_factory=dict)
    most: int = 1_000_000

    def request(self) -> bytes:
        """The bytes of the one request that is sent over and over."""
        body = self.body.encode()
        headers = {
            "Host": f"127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **self.headers,
        }
        lines = [f"POST {self.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        return "\r\n".join(lines).encode() + body


@dataclass(frozen=True, slots=True)
class Result:
    """Answered requests, the wall seconds they took, their latencies, and the length of each answer's body."""

    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    body_bytes: int


class _Run:
    """What the connections of one run share."""

    def __init__(self, load: Load) -> None:
        self.request = load.request()
        self.left = load.most
        self.ends_at = time.perf_counter() + load.seconds
        self.latencies: list[float] = []
        self.body_bytes = -1


class _Connection(asyncio.Protocol):
    """Sends the next request when the last is answered. Any answer but a 200 of the same length ends the run."""

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._received = b""
        self._needed = 0
        self._sent_at = 0.0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are no subclasses of asyncio's.
        self._transport = cast(asyncio.WriteTransport, transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        self._received = self._received + data if self._received else data
        if not self._needed:
            self._needed = self._read_head()
        if self._needed and len(self._received) >= self._needed:
            self._run.latencies.append(time.perf_counter() - self._sent_at)
            self._received, self._needed = b"", 0
            self._send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(error or ConnectionError("the server closed the connection"))

    def _send(self) -> None:
        if self._run.left <= 0 or time.perf_counter() >= self._run.ends_at:
            if not self.done.done():
                self.done.set_result(None)
            self._transport.close()
            return
        self._run.left -= 1
        self._sent_at = time.perf_counter()
        self._transport.write(self._run.request)

    def _read_head(self) -> int:
        """The length of the whole answer, or 0 while its head is not complete."""
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return 0
        head = self._received[:end].lower()
        start = head.find(b"\r\ncontent-length:")
        if not head.startswith(b"http/1.1 200 ") or start < 0:
            self._fail(ValueError(f"unexpected answer: {self._received[:300]!r}"))
            return 0
        body_bytes = int(head[start + 17 :].split(b"\r\n", 1)[0])
        if self._run.body_bytes < 0:
            self._run.body_bytes = body_bytes
        elif self._run.body_bytes != body_bytes:
            self._fail(ValueError(f"an answer of {body_bytes} B after one of {self._run.body_bytes} B"))
            return 0
        return end + 4 + body_bytes

    def _fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)
        self._transport.close()


async def run(load: Load) -> Result:
    """Send ``load``. Raises ``ValueError`` on an unexpected answer, ``OSError`` or ``TimeoutError`` on a lost one."""
    loop = asyncio.get_running_loop()
    shared = _Run(load)
    started = time.perf_counter()
    async with asyncio.timeout(load.seconds + GRACE):
        opened = [
            await loop.create_connection(lambda: _Connection(shared), "127.0.0.1", load.port)
            for _ in range(load.connections)
        ]
        await asyncio.gather(*(connection.done for _, connection in opened))
    seconds = time.perf_counter() - started
    ordered = sorted(shared.latencies)
    return Result(
        requests=len(ordered),
        seconds=seconds,
        p50_ms=_quantile(ordered, 0.50) * 1000,
        p99_ms=_quantile(ordered, 0.99) * 1000,
        body_bytes=shared.body_bytes,
    )


def _quantile(ordered: list[float], share: float) -> float:
    """The smallest value that at least ``share`` of ``ordered`` does not exceed; NaN of nothing."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


if __name__ == "__main__":
    print(json.dumps(asdict(uvloop.run(run(Load(**json.load(sys.stdin)))))))
