"""An answer on its way out: status, headers and body, written to the connection at once.

aiohttp's `web.Response` keeps headers in a multidict, so that middlewares may change them, and serializes them field
by field; here an answer is whole when it is made. What every answer carries is in one place, `FIXED_HEADERS`.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Mapping
from email.utils import formatdate
from hashlib import blake2b
from http import HTTPStatus

from aiohttp import HttpVersion11, web

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


class Reply:
    """What aiohttp's connection handler is given to send; made once for a request."""

    __slots__ = ("_request", "body", "close", "headers", "secure", "status")

    def __init__(
        self, status: int, headers: Mapping[str, str], body: bytes = b"", *, close: bool = False, secure: bool = True
    ) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        #: The connection ends with this answer.
        self.close = close
        #: It answers a request that came over HTTPS.
        self.secure = secure
        self._request: web.BaseRequest | None = None

    @property
    def keep_alive(self) -> bool:
        """Whether the connection stays; aiohttp asks after the answer was sent."""
        return not self.close

    async def prepare(self, request: web.BaseRequest) -> None:
        """aiohttp's first step: know to whom. Nothing is sent yet."""
        self._request = request
        self.close = self.close or not request.keep_alive

    async def write_eof(self) -> None:
        """aiohttp's last step: send all of it. Raises `ConnectionError` where the client has gone."""
        request = self._request
        assert request is not None, "aiohttp prepares first"
        data = self.head(request.version == HttpVersion11)
        if request.method != "HEAD":
            data += self.body
        writer = request.writer
        await writer.write(data)
        if request.protocol.writing_paused:
            # The next answer is not made before this one is on its way.
            await writer.drain()

    def head(self, http_11: bool = True) -> bytes:
        """Status line and headers. Raises `ValueError` for a header that would break out of its line."""
        lines = "".join([f"{name}: {value}\r\n" for name, value in self.headers.items()])
        if lines.count("\r") != len(self.headers) or lines.count("\n") != len(self.headers) or "\0" in lines:
            raise ValueError("a header holds a line break")
        beginnings = _BEGINNINGS if self.secure else _PLAIN_BEGINNINGS
        connection = "Connection: close\r\n" if self.close else "" if http_11 else "Connection: keep-alive\r\n"
        length = "" if self.status in _BODILESS else f"Content-Length: {len(self.body)}\r\n"
        head = f"{beginnings[self.status]}Date: {_date()}\r\n{length}{connection}{lines}\r\n"
        return head.encode("latin-1", "replace")


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


def validated(request: web.BaseRequest, headers: Mapping[str, str], content: bytes, tag: str) -> Reply:
    """The content with its validator, or 304 without it (RFC 9110 section 15.4.5) where the client has it already."""
    headers = {**headers, "ETag": tag}
    return not_modified(headers) if is_known(request, tag) else Reply(200, headers, content)


def not_modified(headers: Mapping[str, str]) -> Reply:
    """304 with the headers of the answer that the client has."""
    return Reply(304, {name: value for name, value in headers.items() if not name.startswith("Content-")})


def is_known(request: web.BaseRequest, tag: str) -> bool:
    """Whether the client has what the tag stands for (If-None-Match, RFC 9110 section 13.1.2)."""
    given = request.headers.get("If-None-Match")
    if given is None:
        return False
    opaque, given = tag.removeprefix("W/"), uncoded_tags(given)
    return given.strip() == "*" or any(one.strip().removeprefix("W/") == opaque for one in given.split(","))


def compress(request: web.BaseRequest, headers: dict[str, str], body: bytes) -> bytes:
    """The body as gzip where it is large and text and the client takes it; ``headers`` then say so."""
    return gzip.compress(body, 1, mtime=0) if negotiate(request, headers, body) else body


def negotiate(request: web.BaseRequest, headers: dict[str, str], body: bytes) -> bool:
    """Whether the body goes out as gzip; ``headers`` say so. The coded form has a strong tag of its own (RFC 9110
    section 8.8.3.3)."""
    if len(body) < GZIP_FROM or not headers["Content-Type"].startswith(_COMPRESSIBLE):
        return False
    headers["Vary"] = "Accept-Encoding"
    if not takes_gzip(request.headers.get("Accept-Encoding", "")):
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


def takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding header takes gzip (RFC 9110 section 12.5.3); a header that is not there does not."""
    qualities = dict(_quality(part) for part in accepted.lower().split(","))
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
