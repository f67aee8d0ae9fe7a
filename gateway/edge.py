"""HTTP/1.1 at the edge: connections, deadlines, sizes, and errors that come before there is a request to speak of.

aiohttp parses; this file bounds what it would wait for (its own defaults hold a half-sent head for ever) and turns
the parser's refusals into the envelope. Deadlines: the head must be complete in time from its first byte (or from the
connection's beginning), the body within its own time, an idle connection is closed.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import itertools
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong
from aiohttp.web_protocol import RequestHandler

from gateway.config import GatewayConfig
from gateway.envelope import HTTPS_REQUIRED, Problem
from gateway.reply import NOT_CACHED, Reply
from process.settings import SettingsError

LONGEST_LINE = 8190
MOST_HEADERS = 64
LONGEST_HEAD = 32 * 1024
MALFORMED = "malformed_request"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Answer = Callable[[web.BaseRequest], Awaitable[Reply | web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds."""

    header: float
    body: float
    idle: float


class Connections:
    """Counts open connections, in all and by client address, and what is refused at the edge."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self.open = 0
        #: What ended before there was a request to answer, by its reason.
        self.refusals: Counter[str] = Counter()
        self._by_address: Counter[str] = Counter()

    def admit(self, address: str) -> bool:
        """Count a connection, unless there are too many."""
        if self.open >= self._most or self._by_address[address] >= self._most_per_address:
            self.refusals["too_many_connections"] += 1
            return False
        self.open += 1
        self._by_address[address] += 1
        return True

    def release(self, address: str) -> None:
        """A counted connection has closed."""
        self.open -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


class EdgeProtocol(RequestHandler):
    """One connection. aiohttp's own handler with a deadline for heads, connection counts and our error bodies."""

    __slots__ = ("_address", "_counted", "_deadlines", "_head_timer", "_received", "may_be_large")

    def __init__(self, manager: web.Server, deadlines: Deadlines, connections: Connections, **kwargs: Any) -> None:
        super().__init__(manager, **kwargs)
        self._deadlines = deadlines
        self._counted = connections
        self._address: str | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        #: Bytes that came since, and with, the end of the last head.
        self._received = 0
        #: Whether any head of this connection may have been too large; others need not be measured.
        self.may_be_large = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and wait for its first head."""
        peer = transport.get_extra_info("peername")
        address = peer[0] if isinstance(peer, tuple) else ""
        if not self._counted.admit(address):
            assert isinstance(transport, asyncio.Transport)
            transport.abort()
            return
        self._address = address
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Release what the connection held."""
        self._stop_waiting()
        if self._address is not None:
            self._counted.release(self._address)
            self._address = None
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser; a head that has begun and is not complete has only so much time."""
        before = self._request_count
        self._received += len(data)
        if self._received > LONGEST_HEAD:
            self.may_be_large = True
        super().data_received(data)
        if self._request_count != before:
            self._received = len(data)
            if self._head_timer is not None:
                self._stop_waiting()
        elif self._current_request is None and self._head_timer is None:
            self._expect_head()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's signature
    ) -> web.StreamResponse:
        """What aiohttp could not parse, or what failed in a handler, as the envelope; then the connection closes."""
        if request.writer.output_size > 0:
            raise ConnectionError("the answer had begun")
        if isinstance(exc, LineTooLong) or "Too many" in str(exc):
            problem = Problem(
                431, "headers_too_large", f"At most {MOST_HEADERS} headers, lines of at most {LONGEST_LINE} bytes."
            )
        elif status == 408:
            problem = Problem(408, "request_timeout", "The request did not arrive in time.")
        elif status < 500:
            problem = Problem(422, MALFORMED, "The request is not valid HTTP/1.1.")
        else:
            problem = Problem(500, "internal_error", "An unexpected failure; the request id finds it in the log.")
        self._counted.refusals[problem.reason] += 1
        response = problem_response(problem, new_request_id())
        response.close = True
        return response  # type: ignore[return-value]  # what aiohttp asks of an answer, a Reply has

    def _expect_head(self) -> None:
        self._head_timer = self._loop.call_later(self._deadlines.header, self._head_is_late)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_is_late(self) -> None:
        # Nothing useful can be said to a client that has not finished asking.
        self._head_timer = None
        self._counted.refusals["head_late"] += 1
        self.force_close()


class EdgeServer(web.Server):
    """Makes an `EdgeProtocol` for every connection."""

    def __init__(self, answer: Answer, deadlines: Deadlines, connections: Connections) -> None:
        super().__init__(answer)  # type: ignore[arg-type]  # what aiohttp asks of an answer, a Reply has
        self._deadlines = deadlines
        #: What all listeners count together.
        self.counted = connections

    def __call__(self) -> RequestHandler:
        """A protocol for a new connection."""
        return EdgeProtocol(
            self,
            self._deadlines,
            self.counted,
            loop=self._loop,
            access_log=None,
            keepalive_timeout=self._deadlines.idle,
            max_line_size=LONGEST_LINE,
            max_field_size=LONGEST_LINE,
            max_headers=MOST_HEADERS,
            auto_decompress=False,
            lingering_time=2.0,
        )


def edge_server(answer: Answer, config: GatewayConfig) -> EdgeServer:
    """The server that both listeners share, so that their connections count together."""
    return EdgeServer(
        answer,
        Deadlines(config.header_seconds, config.body_seconds, config.idle_seconds),
        Connections(config.connections, config.connections_per_address),
    )


def check_head(request: web.BaseRequest) -> None:
    """Raise 431 for a head that is too large in sum."""
    protocol = request.protocol
    assert isinstance(protocol, EdgeProtocol)
    if protocol.may_be_large and sum(len(name) + len(value) for name, value in request.raw_headers) > LONGEST_HEAD:
        raise Problem(431, "headers_too_large", f"The headers are larger than {LONGEST_HEAD} bytes.")


def whole_body(request: web.BaseRequest, limit: int) -> bytes | None:
    """The body where it came with its head, as it mostly does; None where it has to be waited for. Raises 413 or 415.

    Not asynchronous, as there is nothing to wait for and no deadline to set up.
    """
    headers = request.headers
    if headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem(415, "content_encoding_refused", "Bodies are taken as they are, without Content-Encoding.")
    if int(headers.get("Content-Length", 0)) > limit:
        raise _too_large(limit)
    content = request.content
    if not content.is_eof():
        return None
    body = content.read_nowait() if request.body_exists else b""
    if len(body) > limit:
        raise _too_large(limit)
    return body


async def read_body(request: web.BaseRequest, limit: int, within: float) -> bytes:
    """The body, at most ``limit`` bytes, within so many seconds. Raises 413, 408 or 415 (a coded body)."""
    whole = whole_body(request, limit)
    if whole is not None:
        return whole
    if request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0
    body = bytearray()
    try:
        async with asyncio.timeout(within):
            async for chunk in request.content.iter_any():
                body += chunk
                if len(body) > limit:
                    raise _too_large(limit)
    except TimeoutError:
        raise Problem(
            408, "request_timeout", "The body did not arrive in time.", headers={"Connection": "close"}
        ) from None
    except web.RequestPayloadError:
        raise Problem(
            422, MALFORMED, "The body is not framed as HTTP/1.1 asks.", headers={"Connection": "close"}
        ) from None
    return bytes(body)


def _too_large(limit: int) -> Problem:
    return Problem(
        413,
        "payload_too_large",
        f"The body is larger than {limit} bytes.",
        extra={"limit": limit},
        headers={"Connection": "close"},
    )


class Proxies:
    """Which peers may say on whose behalf and over which scheme they forward a request (D20)."""

    def __init__(self, networks: Sequence[str]) -> None:
        try:
            self._networks: list[Network] = [ipaddress.ip_network(network) for network in networks]
        except ValueError as error:
            raise SettingsError(f"QW_TRUSTED_PROXIES: {error}") from None
        #: Whether the address is one of the configured proxies. Remembered: proxies are few and ask often.
        self.trusts: Callable[[str], bool] = functools.lru_cache(1024)(self._contains)

    def _contains(self, address: str) -> bool:
        try:
            parsed: Address = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)

    def is_secure(self, request: web.BaseRequest) -> bool:
        """Whether the request came over HTTPS, to us or to a proxy that we trust."""
        if request.secure:
            return True
        return self.trusts(request.remote or "") and request.headers.get("X-Forwarded-Proto", "").lower() == "https"

    def client_address(self, request: web.BaseRequest) -> str:
        """The client's address: the last one in X-Forwarded-For that is no trusted proxy, else the peer's."""
        peer = request.remote or ""
        if not self.trusts(peer):
            return peer
        forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
        return next((one for one in reversed(forwarded) if one and not self.trusts(one)), peer)


_PROCESS_ID = secrets.token_hex(8)
_numbers = itertools.count(1)


def new_request_id() -> str:
    """An id for a request that brought none: random for the process, counted within it."""
    return f"req_{_PROCESS_ID}{next(_numbers):08x}"


def problem_response(problem: Problem, request_id: str, headers: Mapping[str, str] | None = None) -> Reply:
    """The one way in which an error becomes an answer."""
    all_headers = {**NOT_CACHED, "Content-Type": JSON, "X-Request-Id": request_id, **(headers or {})}
    if problem.status == 401:
        all_headers["WWW-Authenticate"] = "Bearer"  # RFC 9110 section 15.5.2
    if problem.retry_after is not None:
        all_headers.setdefault("Retry-After", str(max(1, round(problem.retry_after))))
    all_headers |= problem.headers
    close = all_headers.pop("Connection", "") == "close"
    secure = problem.reason != HTTPS_REQUIRED
    return Reply(problem.status, all_headers, problem.body(request_id), close=close, secure=secure)


JSON = "application/json"
