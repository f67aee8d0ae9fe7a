"""An answer on its way out: status, headers and body, written to the connection at once.

aiohttp's `web.Response` keeps headers in a multidict, so that middlewares may change them, and serializes them field
by field; here an answer is whole when it is made, and what many answers have in common is text already. What every
answer carries is in one place, `FIXED_HEADERS`.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterable, Mapping
from email.utils import formatdate
from hashlib import blake2b
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import HttpVersion10

from gateway.envelope import Problem

if TYPE_CHECKING:
    from gateway.connection import Request

#: On every answer.
FIXED_HEADERS = {
    "Server": "quotewright",  # aiohttp would name itself, Python and their versions
    "X-Content-Type-Options": "nosniff",
}
#: On every answer over HTTPS, and on no other (RFC 6797 section 7.2): who once came so must not fall back.
HTTPS_ONLY_HEADERS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}
#: On answers that say nothing else about it.
NOT_CACHED = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
#: Smaller bodies gain little from gzip, and a JSON answer of the usual size is on its way sooner without.
GZIP_FROM = 8 * 1024
_COMPRESSIBLE = ("application/json", "application/x-ndjson", "text/")


def _beginnings(headers: Mapping[str, str]) -> dict[int, str]:
    fixed = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n{fixed}" for status in HTTPStatus}


#: Status line and fixed headers by status.
_BEGINNINGS = _beginnings(FIXED_HEADERS | HTTPS_ONLY_HEADERS)
_PLAIN_BEGINNINGS = _beginnings(FIXED_HEADERS)
_BODILESS = frozenset({204, 304})


def header_lines(headers: Mapping[str, str]) -> str:
    """Headers as they are sent. Raises `ValueError` for one that would break out of its line."""
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    if lines.count("\r") != len(headers) or lines.count("\n") != len(headers) or "\0" in lines:
        raise ValueError("a header holds a line break")
    return lines


def id_line(request_id: str) -> str:
    """The header that every answer has, as it is sent."""
    return f"X-Request-Id: {request_id}\r\n"


class Reply:
    """A whole answer: status, headers and body, sent in one write."""

    __slots__ = ("body", "close", "headers", "lines", "secure", "status")

    def __init__(
        self,
        status: int,
        headers: Mapping[str, str],
        body: bytes = b"",
        *,
        lines: str = "",
        close: bool = False,
        secure: bool = True,
    ) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        #: Further headers, as `header_lines` makes them.
        self.lines = lines
        #: The connection ends with this answer.
        self.close = close
        #: It answers a request that came over HTTPS; set by whoever sends it, who knows.
        self.secure = secure

    @property
    def keep_alive(self) -> bool:
        """Whether the connection stays, once the answer was sent."""
        return not self.close

    def rest(self, request: Request) -> bytes:
        """What is still to be sent to whoever has made the request: all of it. Raises like `header_lines`."""
        if not request.keep_alive:
            self.close = True
        return self.data(http_11=request.version is not HttpVersion10, with_body=request.method != "HEAD")

    def data(self, *, http_11: bool = True, with_body: bool = True) -> bytes:
        """Head and body. Raises like `header_lines`."""
        connection = "Connection: close\r\n" if self.close else "" if http_11 else "Connection: keep-alive\r\n"
        length = "" if self.status in _BODILESS else f"Content-Length: {len(self.body)}\r\n"
        lines = header_lines(self.headers) if self.headers else ""
        beginning = (_BEGINNINGS if self.secure else _PLAIN_BEGINNINGS)[self.status]
        head = f"{beginning}Date: {_date()}\r\n{length}{connection}{lines}{self.lines}\r\n".encode("latin-1", "replace")
        return head + self.body if with_body else head


class StreamedReply:
    """An answer that is sent piece by piece while it is made: in chunks (RFC 9112 section 7.1), to HTTP/1.0 until the
    connection ends."""

    __slots__ = ("_chunked", "_request", "keep_alive", "status")

    def __init__(self, request: Request) -> None:
        self.status = 200
        self._request = request
        self._chunked = request.version is not HttpVersion10
        #: Whether the connection stays, once the answer was sent.
        self.keep_alive = self._chunked and request.keep_alive

    async def begin(self, headers: Mapping[str, str], lines: str) -> None:
        """Send the head: the headers, and further ones as `header_lines` makes them. This and `write` raise
        `ConnectionError` where the client has gone."""
        coding = "Transfer-Encoding: chunked\r\n" if self._chunked else ""
        connection = "" if self.keep_alive else "Connection: close\r\n"
        head = f"{_BEGINNINGS[200]}Date: {_date()}\r\n{coding}{connection}{header_lines(headers)}{lines}\r\n"
        await self._request.connection.send(head.encode("latin-1", "replace"))

    async def write(self, data: bytes) -> None:
        """Send a piece, which is not empty."""
        await self._request.connection.send(b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data)

    def rest(self, request: Request) -> bytes:
        """What is still to be sent when the last piece was."""
        return b"0\r\n\r\n" if self._chunked and request.method != "HEAD" else b""


def problem_reply(problem: Problem, request_id: str) -> Reply:
    """The one way in which an error becomes an answer."""
    headers = {**NOT_CACHED, "Content-Type": "application/json"}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"  # RFC 9110 section 15.5.2
    headers |= problem.answer_headers
    close = headers.pop("Connection", "") == "close"
    return Reply(problem.status, headers, problem.body(request_id), close=close)


_dated = (0, "")


def _date() -> str:
    """The time as HTTP writes it (RFC 9110 section 5.6.7), made once a second."""
    global _dated
    now = int(time.time())
    if _dated[0] != now:
        _dated = (now, formatdate(now, usegmt=True))
    return _dated[1]


def entity_tag(content: bytes) -> str:
    """A weak validator (RFC 9110 section 8.8.3): the same whether the content goes out as it is or as gzip."""
    return f'W/"{blake2b(content, digest_size=16).hexdigest()}"'


def validated(request: Request, headers: Mapping[str, str], content: bytes, tag: str) -> Reply:
    """The content with its validator, or 304 without it (RFC 9110 section 15.4.5) where the client has it already."""
    headers = {**headers, "ETag": tag}
    return not_modified(headers) if is_known(request, tag) else Reply(200, headers, content)


def not_modified(headers: Mapping[str, str]) -> Reply:
    """304 with the headers of the answer that the client has."""
    return Reply(304, {name: value for name, value in headers.items() if not name.startswith("Content-")})


def is_known(request: Request, tag: str) -> bool:
    """Whether the client has what the tag stands for (If-None-Match, RFC 9110 section 13.1.2)."""
    given = request.headers.get("If-None-Match")
    if given is None:
        return False
    opaque, given = tag.removeprefix("W/"), uncoded_tags(given)
    return given.strip() == "*" or any(one.strip().removeprefix("W/") == opaque for one in given.split(","))


def compress(request: Request, headers: dict[str, str], body: bytes) -> bytes:
    """The body as gzip where it is large and text and the client takes it; ``headers`` then say so."""
    return gzip.compress(body, 1, mtime=0) if negotiate(request, headers, body) else body


def negotiate(request: Request, headers: dict[str, str], body: bytes) -> bool:
    """Whether the body goes out as gzip; ``headers`` say so. The coded form has a strong tag of its own (RFC 9110
    section 8.8.3.3)."""
    if len(body) < GZIP_FROM or not headers["Content-Type"].startswith(_COMPRESSIBLE):
        return False
    headers["Vary"] = "Accept-Encoding"
    if not takes_gzip(request.headers.getall("Accept-Encoding", ())):
        return False
    headers["Content-Encoding"] = "gzip"
    if headers.get("ETag", "W/").startswith('"'):
        headers["ETag"] = f"{headers['ETag'][:-1]}{_CODED}"
    return True


#: How the tag of a coded form ends.
_CODED = '-gzip"'


def uncoded_tags(tags: str) -> str:
    """The tags in a header, each as the server made it, whichever form of the answer the client has."""
    return tags.replace(_CODED, '"')


def takes_gzip(accepted: Iterable[str]) -> bool:
    """Whether the lines of an Accept-Encoding header, which are one list, take gzip (RFC 9110 section 12.5.3); a header
    that is not there does not."""
    qualities = dict(_quality(part) for part in ",".join(accepted).lower().split(","))
    return qualities.get("gzip", qualities.get("x-gzip", qualities.get("*", 0.0))) > 0


def _quality(part: str) -> tuple[str, float]:
    coding, *parameters = (text.strip() for text in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return coding, float(value)
            except ValueError:
                return coding, 0.0
    return coding, 1.0
