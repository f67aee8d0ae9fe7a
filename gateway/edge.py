"""HTTP/1.1 at the edge: connections, deadlines, sizes, and errors that come before there is a request to speak of.

aiohttp parses; this file bounds what it would wait for (its own defaults hold a half-sent head for ever), turns the
parser's refusals into the envelope, and refuses the little that the parser lets through. Deadlines: the head must be
complete in time from its first byte (or from the connection's beginning), the body within its own time, an answer
must be taken steadily, an idle connection is closed.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import itertools
import os
import re
import secrets
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from aiohttp import HttpVersion10, StreamReader, web
from aiohttp.http import RawRequestMessage
from aiohttp.http_exceptions import LineTooLong
from aiohttp.web_protocol import RequestHandler
from multidict import istr

from gateway.config import GatewayConfig
from gateway.envelope import HTTPS_REQUIRED, Problem
from gateway.reply import NOT_CACHED, Reply
from process.settings import SettingsError

LONGEST_LINE = 8190
MOST_HEADERS = 64
LONGEST_HEAD = 32 * 1024
MALFORMED = "malformed_request"
#: Bytes that a client must take of an answer in each write time, unless it takes all that is left.
LEAST_TAKEN = 8 * 1024
#: Bytes of answers that wait for a client before the next one is made.
MOST_UNSENT = 64 * 1024
#: Seconds that a closed connection may linger where nothing is left to be sent: for what is on its way already.
LINGER = 2.0
#: Headers that say one thing; said twice they would leave it to chance, or to the next proxy, which of the two counts.
SINGLE = tuple(istr(name) for name in ("Authorization", "Idempotency-Key", "X-API-Key"))
# RFC 3986 section 3.2: what a host and a port are made of.
_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:%\[\]-]*")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Answer = Callable[[web.BaseRequest], Awaitable[Reply | web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds."""

    header: float
    body: float
    idle: float
    write: float


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


class EdgeRequest(web.BaseRequest):
    """A request that knows what its connection is still good for."""

    _protocol: EdgeProtocol

    @property
    def keep_alive(self) -> bool:
        """Whether the connection serves another request. Asked when the answer's head is made, not before.

        None after an Upgrade or CONNECT, which are not followed: what comes behind them may be no HTTP. None once
        the gateway is draining.
        """
        message = self._message
        return not (message.should_close or message.upgrade or self._protocol.draining)


#: Where Linux has tcpi_bytes_acked in its struct tcp_info, since 4.1.
_BYTES_ACKED = slice(120, 128)


def _taken_by(wire: asyncio.Transport) -> int:
    """A number that grows by the bytes that a connection's client takes.

    What its side has acknowledged, where the kernel tells. Over TLS the transport's own buffer empties by whole
    answers, however steadily they are taken.
    """
    info = getattr(socket, "TCP_INFO", None)
    if info is not None:
        with socket.socket(fileno=os.dup(wire.get_extra_info("socket").fileno())) as same:
            acked = same.getsockopt(socket.IPPROTO_TCP, info, _BYTES_ACKED.stop)[_BYTES_ACKED]
        if len(acked) == _BYTES_ACKED.stop - _BYTES_ACKED.start:
            return int.from_bytes(acked, sys.byteorder)
    return -wire.get_write_buffer_size()


def keep_little_unsent(listener: int) -> None:
    """Have the connections of a listening socket hold few bytes in the kernel that are not sent (TCP_NOTSENT_LOWAT).

    Otherwise megabytes of answers lie there for a slow client, and the next room is told of only when a third of them
    has gone: a client that reads steadily would look as if it took nothing.
    """
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)  # Linux and macOS
    if option is not None:
        with socket.socket(fileno=os.dup(listener)) as same:
            same.setsockopt(socket.IPPROTO_TCP, option, MOST_UNSENT)


class EdgeProtocol(RequestHandler):
    """One connection. aiohttp's own handler with deadlines, connection counts and our error bodies."""

    __slots__ = (
        "_address",
        "_body",
        "_counted",
        "_deadlines",
        "_head_timer",
        "_received",
        "_server",
        "_taken",
        "_wire",
        "_write_timer",
        "may_be_large",
    )

    def __init__(self, server: EdgeServer, deadlines: Deadlines, connections: Connections, **kwargs: Any) -> None:
        super().__init__(server, **kwargs)
        self._server = server
        self._deadlines = deadlines
        self._counted = connections
        self._address: str | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        #: Bytes that came since, and with, the end of the last head.
        self._received = 0
        #: Whether any head of this connection may have been too large; others need not be measured.
        self.may_be_large = False
        # aiohttp forgets its transport when it closes it, which is before the last bytes are gone.
        self._wire: asyncio.Transport | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._taken = 0
        self._body: StreamReader | None = None  # of the newest request

    @property
    def draining(self) -> bool:
        """Whether answers must say that the connection closes."""
        return self._server.draining

    @property
    def idle(self) -> bool:
        """Whether it has answered a request and nothing of the next one is here."""
        return self._request_count > 0 and self._awaits_head and self._head_timer is None

    @property
    def _awaits_head(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and wait for its first head."""
        peer = transport.get_extra_info("peername")
        address = peer[0] if isinstance(peer, tuple) else ""
        wire = cast(asyncio.Transport, transport)  # uvloop's transports are no subclasses of it
        if not self._counted.admit(address):
            wire.abort()
            return
        self._address = address
        self._wire = wire
        wire.set_write_buffer_limits(high=MOST_UNSENT)
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Release what the connection held."""
        self._stop_waiting()
        self._stop_watching()
        self._wire = None
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
            self._end_broken_body()
        elif self._head_timer is None and self._awaits_head:
            self._expect_head()

    def pause_writing(self) -> None:
        """The client takes an answer more slowly than it is made: watch that it goes on taking it."""
        super().pause_writing()
        self._watch_taking()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._stop_watching()
        super().resume_writing()

    async def start(self) -> None:
        """Serve the connection's requests; then see to it that it closes, whatever the client does."""
        try:
            await super().start()
        finally:
            self._watch_closing()

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

    def _end_broken_body(self) -> None:
        """aiohttp queues a refusal of the parser as a request, and leaves the one in whose body it came waiting."""
        message, body = self._messages[-1]
        if isinstance(message, RawRequestMessage):
            self._body = body
        elif self._body is not None and not self._body.is_eof():
            self._body.set_exception(web.RequestPayloadError("framing"))
            self._body.feed_eof()

    def _expect_head(self) -> None:
        self._head_timer = self._loop.call_later(self._deadlines.header, self._head_is_late)

    def _head_is_late(self) -> None:
        # Nothing useful can be said to a client that has not finished asking.
        self._head_timer = None
        if self._awaits_head:
            self._counted.refusals["head_late"] += 1
            self.force_close()

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _process_keepalive(self) -> None:
        """aiohttp's idle timer. A connection that is still taking its last answer is not idle: the write time is its
        deadline, and its idle time begins when the answer is gone."""
        if self._wire is not None and self._wire.get_write_buffer_size():
            self._next_keepalive_close_time = self._loop.time() + self._deadlines.idle
        super()._process_keepalive()

    def _watch_taking(self, within: float | None = None) -> None:
        self._stop_watching()
        if self._wire is not None:
            self._taken = _taken_by(self._wire)
            self._write_timer = self._loop.call_later(within or self._deadlines.write, self._check_taking)

    def _watch_closing(self) -> None:
        if self._wire is not None:
            self._watch_taking(None if self._wire.get_write_buffer_size() else LINGER)

    def _stop_watching(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _check_taking(self) -> None:
        """Go on waiting for a client that takes its answer, end one that does not."""
        self._write_timer = None
        if self._wire is None:
            return
        if _taken_by(self._wire) - self._taken >= LEAST_TAKEN:
            self._watch_taking()
        else:
            self._wire.abort()


class EdgeServer(web.Server):
    """Makes an `EdgeProtocol` for every connection, and ends them without losing a request."""

    def __init__(self, answer: Answer, deadlines: Deadlines, connections: Connections) -> None:
        # What aiohttp asks of an answer, a Reply has.
        super().__init__(answer, request_factory=self._request)  # type: ignore[arg-type]
        self._deadlines = deadlines
        #: What all listeners count together.
        self.counted = connections
        #: Set when the gateway is about to stop: every answer is from then on its connection's last.
        self.draining = False

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
            lingering_time=LINGER,
        )

    def close_idle(self) -> None:
        """Close the connections on which nothing is asked. Of the others each closes with its next answer."""
        for connection in self.connections:
            if isinstance(connection, EdgeProtocol) and connection.idle:
                connection.force_close()

    def _request(self, message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
        return EdgeRequest(message, payload, protocol, writer, task, self._loop)


def edge_server(answer: Answer, config: GatewayConfig) -> EdgeServer:
    """The server that both listeners share, so that their connections count together."""
    return EdgeServer(
        answer,
        Deadlines(config.header_seconds, config.body_seconds, config.idle_seconds, config.write_seconds),
        Connections(config.connections, config.connections_per_address),
    )


def check_head(request: web.BaseRequest) -> None:
    """Refuse a head that the parser has let through: 431 if too large in sum, 422 for what RFC 9112 forbids."""
    protocol = request.protocol
    assert isinstance(protocol, EdgeProtocol)
    if protocol.may_be_large and sum(len(name) + len(value) for name, value in request.raw_headers) > LONGEST_HEAD:
        raise Problem(431, "headers_too_large", f"The headers are larger than {LONGEST_HEAD} bytes.")
    if request.version < HttpVersion10:
        raise _malformed("HTTP/1.0 or HTTP/1.1 is spoken here.")
    headers = request.headers
    if not _HOST.fullmatch(headers.get("Host", "")):
        raise _malformed("Host must be a host, with a port or without.")  # section 3.2
    coding = headers.get("Transfer-Encoding")
    if coding is not None and (coding.lower() != "chunked" or request.version == HttpVersion10):
        # Sections 6.1 and 7: nobody else may take the body for one that ends elsewhere.
        raise _malformed("The only Transfer-Encoding is chunked, in HTTP/1.1.")
    for name in SINGLE:
        if name in headers and len(headers.getall(name)) > 1:
            raise _malformed(f"The header {name} must be there only once.")


def _malformed(message: str) -> Problem:
    return Problem(422, MALFORMED, message, headers={"Connection": "close"})


def whole_body(request: web.BaseRequest, limit: int) -> bytes | None:
    """The body where it came with its head, as it mostly does; None where it has to be waited for.

    Not asynchronous, as there is nothing to wait for and no deadline to set up. Raises 413, 415 (a coded body), 422.
    """
    headers = request.headers
    if "Content-Encoding" in headers and not _is_plain(headers.getall("Content-Encoding")):
        raise Problem(415, "content_encoding_refused", "Bodies are taken as they are, without Content-Encoding.")
    if int(headers.get("Content-Length", 0)) > limit:
        raise _too_large(limit)
    content = request.content
    if not content.is_eof():
        return None
    try:
        body = content.read_nowait() if request.body_exists else b""
    except web.RequestPayloadError:
        raise _broken_body() from None
    if len(body) > limit:
        raise _too_large(limit)
    return body


async def read_body(request: web.BaseRequest, limit: int, within: float) -> bytes:
    """The body, at most ``limit`` bytes, within so many seconds. Raises 408, 413, 415 (a coded body), 422."""
    whole = whole_body(request, limit)
    if whole is not None:
        return whole
    if request.headers.get("Expect", "").lower() == "100-continue" and request.version > HttpVersion10:
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
        raise _broken_body() from None
    except ConnectionError:
        # Nobody hears this; it goes into the log.
        raise Problem(408, "client_gone", "The client closed the connection before its body was complete.") from None
    return bytes(body)


def _is_plain(codings: Sequence[str]) -> bool:
    return all(coding.lower() == "identity" for coding in codings)


def _broken_body() -> Problem:
    return _malformed("The body is not framed as HTTP/1.1 asks.")


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
        schemes = request.headers.getall("X-Forwarded-Proto", ())
        # All of several: a proxy may have added its own to what a client made up.
        return self.trusts(request.remote or "") and {scheme.lower() for scheme in schemes} == {"https"}

    def client_address(self, request: web.BaseRequest) -> str:
        """The client's address: the last one in X-Forwarded-For that is no trusted proxy, else the peer's."""
        peer = request.remote or ""
        if not self.trusts(peer):
            return peer
        lines = request.headers.getall("X-Forwarded-For", ())
        forwarded = [part.strip() for part in ",".join(lines).split(",")]
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
