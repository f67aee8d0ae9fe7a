"""One connection of a client: its requests are parsed by aiohttp and answered by one task, one after the other.

aiohttp's parser knows HTTP; what it would wait for (a half-sent head for ever) is bounded here, and its refusals become
the envelope. Deadlines: the head must be complete in time from its first byte (or from the connection's beginning), the
body within its own time, an answer must be taken steadily, an idle connection is closed. aiohttp's own handler does
more than is needed, a task a request among it, and that was a quarter of a request's cost (ADR 20).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import socket
import sys
import traceback
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import cast

from aiohttp import HttpVersion11, StreamReader
from aiohttp.base_protocol import BaseProtocol
from aiohttp.http import HttpRequestParser, RawRequestMessage
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
from aiohttp.streams import EMPTY_PAYLOAD
from multidict import CIMultiDictProxy
from yarl import URL

from gateway import addresses
from gateway.envelope import Problem
from gateway.repeated import RepeatedHead, bytes_of_head
from gateway.reply import Reply, StreamedReply, id_line, problem_reply
from process.log import Log

LONGEST_LINE = 8190
MOST_HEADERS = 64
LONGEST_HEAD = 32 * 1024
MALFORMED = "malformed_request"
#: Bytes that a client must take of an answer in each write time, unless it takes all that is left.
LEAST_TAKEN = 8 * 1024
#: Bytes of answers that wait for a client before the next one is made.
MOST_UNSENT = 64 * 1024
#: Bytes of a body that are read ahead of whoever wants it.
READ_AHEAD = 256 * 1024
#: Requests that are read ahead of their turn.
MOST_PIPELINED = 32
#: Seconds that a closed connection may linger where nothing is left to be sent: for what is on its way already. For as
#: long a body that nobody wanted is read on, so that its sender gets the answer.
LINGER = 2.0

#: How a body ends that is told by chunks and has no trailers (RFC 9112 section 7.1).
LAST_CHUNK = b"\r\n0\r\n\r\n"
#: Heads that a connection sends one after the other, none as the one before, until none is expected to come again.
MOST_TRIES = 3

Answer = Callable[["Request"], Awaitable[Reply | StreamedReply]]


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


class BrokenBodyError(Exception):
    """A body is not framed as HTTP/1.1 asks."""


class Request:
    """A request as its head has it; of its body, ``content``, more may be on its way."""

    __slots__ = ("connection", "content", "headers", "message", "method", "version", "whole")

    def __init__(
        self, connection: Connection, message: RawRequestMessage, content: StreamReader, whole: bytes | None = None
    ) -> None:
        self.connection = connection
        self.message = message
        self.content = content
        #: The whole body, where its head came again byte for byte; then nothing is in ``content``.
        self.whole = whole
        self.method = message.method
        self.headers: CIMultiDictProxy[str] = message.headers
        self.version = message.version

    @property
    def url(self) -> URL:
        """Path and query, also where a whole URL was asked for."""
        url = self.message.url
        return url.relative() if url.absolute else url

    @property
    def keep_alive(self) -> bool:
        """Whether the connection serves another request. Asked when the answer's head is made, not before.

        None after an Upgrade or CONNECT, which are not followed: what comes behind them may be no HTTP. None where
        what follows could be misread. None once the gateway is draining.
        """
        message, connection = self.message, self.connection
        tainted = message.chunked and connection.tainted
        return not (message.should_close or message.upgrade or tainted or connection.server.draining)

    def cookie(self, name: str) -> str:
        """The value of a cookie; empty where there is none (RFC 6265 section 4.2.1)."""
        for line in self.headers.getall("Cookie", ()):
            for pair in line.split(";"):
                found, _, value = pair.strip().partition("=")
                if found == name:
                    return value
        return ""

    async def expect_body(self) -> None:
        """Tell a client that waits to be asked for its body (RFC 9110 section 10.1.1) to send it."""
        if self.version == HttpVersion11 and self.headers.get("Expect", "").lower() == "100-continue":
            await self.connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")


#: Where Linux has tcpi_bytes_acked in its struct tcp_info, since 4.1.
_BYTES_ACKED = slice(120, 128)


def _taken_by(transport: asyncio.Transport) -> int:
    """A number that grows by the bytes that a connection's client takes.

    What its side has acknowledged, where the kernel tells. Over TLS the transport's own buffer empties by whole
    answers, however steadily they are taken.
    """
    info = getattr(socket, "TCP_INFO", None)
    if info is not None:
        with socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno())) as same:
            acked = same.getsockopt(socket.IPPROTO_TCP, info, _BYTES_ACKED.stop)[_BYTES_ACKED]
        if len(acked) == _BYTES_ACKED.stop - _BYTES_ACKED.start:
            return int.from_bytes(acked, sys.byteorder)
    return -transport.get_write_buffer_size()


def keep_little_unsent(listener: int) -> None:
    """Have the connections of a listening socket hold few bytes in the kernel that are not sent (TCP_NOTSENT_LOWAT).

    Otherwise megabytes of answers lie there for a slow client, and the next room is told of only when a third of them
    has gone: a client that reads steadily would look as if it took nothing.
    """
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)  # Linux and macOS
    if option is not None:
        with socket.socket(fileno=os.dup(listener)) as same:
            same.setsockopt(socket.IPPROTO_TCP, option, MOST_UNSENT)


class Connection(BaseProtocol):
    """One connection, from its beginning to its end; a `BaseProtocol`, as aiohttp's parser asks for one."""

    __slots__ = (
        "_answered",
        "_body",
        "_chunks",
        "_counted",
        "_ending",
        "_head_timer",
        "_idle_timer",
        "_left",
        "_messages",
        "_quiet_since",
        "_received",
        "_repeated",
        "_switched",
        "_taken",
        "_tries",
        "_waiter",
        "_write_timer",
        "address",
        "may_be_large",
        "memory",
        "secure",
        "server",
        "tainted",
        "task",
    )

    def __init__(self, server: ConnectionServer, loop: asyncio.AbstractEventLoop) -> None:
        parser = HttpRequestParser(
            self,
            loop,
            READ_AHEAD,
            max_line_size=LONGEST_LINE,
            max_headers=MOST_HEADERS,
            max_field_size=LONGEST_LINE,
            payload_exception=BrokenBodyError,
            auto_decompress=False,
            max_msg_queue_size=MOST_PIPELINED,
        )
        super().__init__(loop, parser)
        self.server = server
        #: The client's, or the proxy's, address.
        self.address = ""
        self._counted = False
        #: Whether it is TLS.
        self.secure = False
        #: Whether any head of this connection may have been too large; others need not be measured.
        self.may_be_large = False
        #: What is remembered of this connection's last head by whoever answers.
        self.memory: object = None
        self.task: asyncio.Task[None] | None = None
        #: Whether what follows the newest request, which is told by chunks, cannot be read for certain.
        self.tainted = False
        #: The last bytes of such a body that is on its way.
        self._chunks: bytes | None = None
        #: Heads that wait for their turn, or what the parser has against one, each with its body; the last is the whole
        #: of it where the head was not parsed.
        self._messages: deque[tuple[RawRequestMessage | HttpProcessingError, StreamReader, bytes | None]] = deque()
        #: Bytes of the newest request's body that are on their way; None where that is not known any more.
        self._left: int | None = 0
        #: The last head, in case it comes again, and how many others are looked at before this is given up.
        self._repeated: RepeatedHead | None = None
        self._tries = MOST_TRIES
        #: Where the task waits for a head.
        self._waiter: asyncio.Future[None] | None = None
        #: Nothing more is read or answered.
        self._ending = False
        #: What follows may be no HTTP.
        self._switched = False
        #: Whether a request has come.
        self._answered = False
        #: Bytes that came since, and with, the end of the last head.
        self._received = 0
        self._body: StreamReader = EMPTY_PAYLOAD  # of the newest request
        self._quiet_since = loop.time()
        self._idle_timer: asyncio.TimerHandle | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._taken = 0

    @property
    def idle(self) -> bool:
        """Whether it has answered a request and nothing of the next one is here."""
        return self._answered and self._awaits_head and self._head_timer is None

    @property
    def _awaits_head(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and wait for its first head."""
        peer = transport.get_extra_info("peername")
        self.address = addresses.plain(peer[0]) if isinstance(peer, tuple) else ""
        wire = cast(asyncio.Transport, transport)  # uvloop's transports are no subclasses of it
        self._counted = self.server.counted.admit(self.address)
        if not self._counted:
            self._ending = True
            wire.abort()
            return
        self.secure = transport.get_extra_info("sslcontext") is not None
        wire.set_write_buffer_limits(high=MOST_UNSENT)
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.server.connections.add(self)
        self._expect_head()
        self._idle_timer = self._loop.call_later(self.server.deadlines.idle, self._check_idle)
        self.task = self._loop.create_task(self._serve())

    def connection_lost(self, exc: BaseException | None) -> None:
        """Release what the connection held. What is being answered goes on: it may have begun to change things."""
        self._stop_waiting()
        self._stop_watching()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        super().connection_lost(exc)
        self.end()
        if not self._body.is_eof():
            self._body.set_exception(ConnectionResetError("the client has gone"))
        if self._counted:
            self._counted = False
            self.server.counted.release(self.address)
            self.server.connections.discard(self)

    def data_received(self, data: bytes) -> None:
        """Take a request whose head has come before, or feed the parser."""
        if self._ending or self._switched or self.tainted:
            return
        repeated = self._repeated
        if repeated is not None and self._left == 0 and (self._body is EMPTY_PAYLOAD or self._body.is_eof()):
            body = repeated.body_of(data)
            if body is not None:
                self._tries = MOST_TRIES
                self._body = EMPTY_PAYLOAD
                self._take(((repeated.message, EMPTY_PAYLOAD, body),), len(data))
                return
        self._parse(data)

    def _parse(self, data: bytes) -> None:
        """Feed the parser; a head that has begun and is not complete has only so much time."""
        self._received += len(data)
        if self._received > LONGEST_HEAD:
            self.may_be_large = True
        assert self._parser is not None
        try:
            messages, self._switched, _ = self._parser.feed_data(data)
        except HttpProcessingError as error:
            # Whatever body was on its way has no known end.
            if not self._body.is_eof():
                self._body.set_exception(BrokenBodyError("framing"))
                self._body.feed_eof()
            self._body, self._left, self._chunks = EMPTY_PAYLOAD, None, None
            self._take([(error, EMPTY_PAYLOAD, None)], len(data))
            return
        if self._left is not None:
            self._left = self._still_left(self._left, messages, data)
        if self._chunks is not None or any(message.chunked for message, _ in messages):
            messages = self._untainted(messages, data)
        if messages:
            self._body = messages[-1][1]
            self._take([(message, content, None) for message, content in messages], len(data))
        elif self._head_timer is None and self._awaits_head:
            self._expect_head()

    def _still_left(
        self, before: int, messages: Sequence[tuple[RawRequestMessage, StreamReader]], data: bytes
    ) -> int | None:
        """Bytes of the newest body that are on their way once ``data`` was parsed into ``messages``, where so many were
        ``before``; a head that is complete is kept in case it comes again."""
        if not messages:
            return before - len(data) if len(data) <= before else None
        message = messages[0][0]
        size = bytes_of_head(message, data) if before == 0 and len(messages) == 1 else 0
        left = size + int(message.headers.get("Content-Length", 0)) - len(data)
        if not size or left < 0:
            return None
        if self._tries:
            self._tries -= 1
            self._repeated = RepeatedHead.of(message, data[:size])
        return left

    def _untainted(
        self, messages: list[tuple[RawRequestMessage, StreamReader]], data: bytes
    ) -> list[tuple[RawRequestMessage, StreamReader]]:
        """Messages up to the first one whose body is told by chunks.

        Where more follows it at once, or its body seems to end with trailers, nothing more is read of the connection:
        the parser takes the last of the trailers for a header of the next request (aiohttp 3.14.5), and so would let
        one client of a proxy speak for another.
        """
        chunked = next((number for number, (message, _) in enumerate(messages) if message.chunked), None)
        if chunked is None:
            body, followed = self._body, bool(messages)
        else:
            body, followed = messages[chunked][1], chunked + 1 < len(messages)
            messages, self._chunks = messages[: chunked + 1], b""
        assert self._chunks is not None, "a body that is told by chunks is on its way"
        self._chunks = (self._chunks + data)[-len(LAST_CHUNK) :]
        if body.is_eof():
            self.tainted = followed or self._chunks != LAST_CHUNK
            self._chunks = None
        return messages if chunked is not None else []

    def _take(
        self,
        messages: Sequence[tuple[RawRequestMessage | HttpProcessingError, StreamReader, bytes | None]],
        received: int,
    ) -> None:
        """Queue requests for the task that answers them; ``received`` bytes came with the end of the last head."""
        self._received = received
        self._answered = True
        if self._head_timer is not None:
            self._stop_waiting()
        self._messages.extend(messages)
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
        if len(self._messages) >= MOST_PIPELINED and not self._buffer_paused:
            # The parser has stopped by itself and keeps what it has not looked at.
            self._pause_reading_for_buffer()

    def resume_reading(self, resume_parser: bool = True) -> None:
        """Readers of bodies call this whenever they have room, whether reading was paused or not."""
        if self._reading_paused:
            super().resume_reading(resume_parser)

    def pause_writing(self) -> None:
        """The client takes an answer more slowly than it is made: watch that it goes on taking it."""
        super().pause_writing()
        self._watch_taking(self.server.deadlines.write)

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._stop_watching()
        super().resume_writing()

    async def send(self, data: bytes) -> None:
        """Send something, and wait while the client takes it too slowly. Raises `ConnectionError` where it has gone."""
        self._write(data)
        if self._paused:
            await self._drain_helper()

    def _write(self, data: bytes) -> None:
        transport = self.transport
        if transport is None or transport.is_closing():
            raise ConnectionResetError("the client has gone")
        transport.write(data)

    def end(self) -> None:
        """Let the connection end: at once where nothing is being answered, else with that answer."""
        self._ending = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _serve(self) -> None:
        """Answer the connection's requests; then see to it that it closes, whatever the client does."""
        server, parser = self.server, self._parser
        assert parser is not None
        messages = self._messages
        try:
            while not self._ending:
                if not messages:
                    self._waiter = self._loop.create_future()
                    await self._waiter
                    continue
                message, body, whole = messages.popleft()
                if whole is None:
                    parser.message_consumed()
                if self._buffer_paused:
                    self._read_on()
                if isinstance(message, HttpProcessingError):
                    await self.send(self._refusal(message).data())
                    break
                request = Request(self, message, body, whole)
                answer = await server.answer(request)
                self._write(answer.rest(request))
                if self._paused:
                    await self._drain_helper()  # the next answer is not made before this one is on its way
                if whole is None and not body.is_eof() and not await _swallowed(body):
                    break
                if not answer.keep_alive or (self.tainted and message.chunked):
                    break
                self._quiet_since = self._loop.time()
        except ConnectionError:
            pass  # nobody is left to tell
        except Exception:  # noqa: BLE001 - the last line of defence: an answer that cannot be sent
            server.log("defect", trace=traceback.format_exc())
        finally:
            self._ending = True
            if self.transport is not None:
                self.transport.close()
                self._watch_closing(self.transport)

    def _read_on(self) -> None:
        """Let the parser and then the transport go on, once half of the requests that wait have had their turn."""
        if len(self._messages) <= MOST_PIPELINED // 2:
            self.data_received(b"")
            if len(self._messages) < MOST_PIPELINED:
                self._resume_reading_for_buffer()

    def _refusal(self, error: HttpProcessingError) -> Reply:
        """What the parser could not read, as the envelope; then the connection closes."""
        if isinstance(error, LineTooLong) or "Too many" in str(error):
            problem = Problem(
                431, "headers_too_large", f"At most {MOST_HEADERS} headers, lines of at most {LONGEST_LINE} bytes."
            )
        else:
            problem = Problem(422, MALFORMED, "The request is not valid HTTP/1.1.")
        self.server.counted.refusals[problem.reason] += 1
        request_id = new_request_id()
        reply = problem_reply(problem, request_id)
        reply.lines, reply.close = id_line(request_id), True
        # What a proxy forwards cannot be told without a head.
        reply.secure = self.secure
        return reply

    def _expect_head(self) -> None:
        self._head_timer = self._loop.call_later(self.server.deadlines.header, self._head_is_late)

    def _head_is_late(self) -> None:
        # Nothing useful can be said to a client that has not finished asking.
        self._head_timer = None
        if self._awaits_head:
            self.server.counted.refusals["head_late"] += 1
            self.end()

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _check_idle(self) -> None:
        """Close a connection that has been idle for long enough. One that is still taking its last answer is not idle:
        the write time is its deadline, and its idle time begins when the answer is gone. One timer serves all requests
        of the connection."""
        if self.transport is None:
            return
        now = self._loop.time()
        if self.transport.get_write_buffer_size():
            self._quiet_since = now
        left = self._quiet_since + self.server.deadlines.idle - now
        if left <= 0 and self._awaits_head:
            self.end()
        else:
            again = left if left > 0 else self.server.deadlines.idle
            self._idle_timer = self._loop.call_later(again, self._check_idle)

    def _watch_closing(self, transport: asyncio.Transport) -> None:
        self._watch_taking(self.server.deadlines.write if transport.get_write_buffer_size() else LINGER)

    def _watch_taking(self, within: float) -> None:
        self._stop_watching()
        if self.transport is not None:
            self._taken = _taken_by(self.transport)
            self._write_timer = self._loop.call_later(within, self._check_taking)

    def _stop_watching(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _check_taking(self) -> None:
        """Go on waiting for a client that takes its answer, end one that does not."""
        self._write_timer = None
        if self.transport is None:
            return
        if _taken_by(self.transport) - self._taken >= LEAST_TAKEN:
            self._watch_taking(self.server.deadlines.write)
        else:
            self.transport.abort()


async def _swallowed(body: StreamReader) -> bool:
    """Read what is left of a body that nobody wanted, for a moment: closed earlier, a connection is reset, and its
    client may lose the answer. Whether all of it came."""
    with contextlib.suppress(TimeoutError, ConnectionError, BrokenBodyError):
        async with asyncio.timeout(LINGER):
            while not body.is_eof():
                await body.readany()
    return body.is_eof()


class ConnectionServer:
    """Makes a `Connection` for every client of every listener, and ends them without losing a request."""

    def __init__(self, answer: Answer, deadlines: Deadlines, counted: Connections, log: Log) -> None:
        self.answer = answer
        self.deadlines = deadlines
        #: What all listeners count together.
        self.counted = counted
        self.log = log
        self.connections: set[Connection] = set()
        #: Set when the gateway is about to stop: every answer is from then on its connection's last.
        self.draining = False

    def __call__(self) -> Connection:
        """A protocol for a new connection."""
        return Connection(self, asyncio.get_running_loop())

    def close_idle(self) -> None:
        """Close the connections on which nothing is asked. Of the others each closes with its next answer."""
        for connection in self.connections:
            if connection.idle:
                connection.end()

    async def shutdown(self, within: float) -> None:
        """End all connections; what is then still being answered is cut, after so many seconds."""
        connections = list(self.connections)
        for connection in connections:
            connection.end()
        tasks = [connection.task for connection in connections if connection.task is not None]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=within)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for connection in connections:
            if connection.transport is not None:
                connection.transport.abort()


_PROCESS_ID = secrets.token_hex(8)
_numbers = itertools.count(1)


def new_request_id() -> str:
    """An id for a request that brought none: random for the process, counted within it."""
    return f"req_{_PROCESS_ID}{next(_numbers):08x}"
