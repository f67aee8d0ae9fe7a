"""What a request must be like before anybody looks at what it asks for: its head, its body, whom it came from.

aiohttp's parser refuses what is no HTTP (`gateway.connection`); this file refuses the little that the parser lets
through, and bounds bodies in size and time.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import re
from collections.abc import Callable, Sequence

from aiohttp import HttpVersion10, HttpVersion11
from aiohttp.streams import EMPTY_PAYLOAD
from multidict import istr

from gateway import addresses
from gateway.admission import Caller
from gateway.connection import LONGEST_HEAD, MALFORMED, BrokenBodyError, Request
from gateway.envelope import Problem
from gateway.routes import Match
from process import wire
from process.settings import SettingsError

#: Headers that say one thing; said twice they would leave it to chance, or to the next proxy, which of the two counts.
SINGLE = tuple(istr(name) for name in wire.SINGLE)
# RFC 3986 section 3.2: what a host and a port are made of.
_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:%\[\]-]*")

# An entry of X-Forwarded-For; some proxies add the port, and then set an IPv6 address in brackets. Python would take
# anything at all as the zone of an address (fe80::1%zone), which says nothing on another machine.
_FORWARDED = re.compile(r"(?:([0-9.]+)|\[([0-9A-Fa-f:.]+)\])(?::[0-9]{1,5})?|([0-9A-Fa-f:.]+)")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
#: A header line as it came: name and value.
Line = tuple[bytes, bytes]


class Head:
    """What a request's header lines say, whatever is asked for. A client says the same with most of its requests: where
    the lines of the next one on a connection differ in Content-Length at most, `head_of` reads them once."""

    __slots__ = (
        "_length_at",
        "_lines",
        "_version",
        "caller",
        "client",
        "coded",
        "content_type",
        "found",
        "generation",
        "idempotency_key",
        "if_match",
        "message",
        "problem",
        "request_id",
        "secure",
        "traceparent",
        "tracestate",
    )

    def __init__(self, request: Request, proxies: Proxies) -> None:
        headers = request.headers
        self._lines = request.message.raw_headers
        self._version = request.version
        names = [name.lower() for name, _ in self._lines]
        self._length_at = names.index(b"content-length") if b"content-length" in names else -1
        #: What is wrong with it, if anything.
        self.problem = _problem_of(request)
        self.secure = proxies.is_secure(request)
        #: The client's address.
        self.client = proxies.client_address(request)
        given = headers.get("X-Request-Id", "")
        #: The client's own, if it has given one.
        self.request_id = given if wire.REQUEST_ID.fullmatch(given) else ""
        # Header lines of the same name are one list (RFC 9110 section 5.3).
        self.traceparent = ",".join(headers.getall("traceparent", ()))
        self.tracestate = ",".join(headers.getall("tracestate", ()))
        self.content_type = headers.get("Content-Type", "")
        #: Whether the body has a content coding.
        self.coded = not all(coding.lower() == "identity" for coding in headers.getall("Content-Encoding", ()))
        self.idempotency_key = headers.get("Idempotency-Key")
        #: None where it was not sent; one that is empty asks for something, if for nothing that there is.
        self.if_match = ", ".join(headers.getall("If-Match")) if "If-Match" in headers else None
        #: Who was last found to be behind its credential, and the generation of the gate's memory then.
        self.caller: Caller | None = None
        self.generation = 0
        #: The newest message with these lines, and the route that its path leads to, with its raw query, where known.
        self.message = request.message
        self.found: tuple[Match, str] | None = None

    def is_of(self, request: Request) -> bool:
        """Whether the request's lines say the same."""
        lines, own, at = request.message.raw_headers, self._lines, self._length_at
        if request.version is not self._version:
            return False
        if lines == own:
            return True
        return (
            at >= 0
            and len(lines) == len(own)
            and lines[at][0] == own[at][0]
            and lines[:at] == own[:at]
            and lines[at + 1 :] == own[at + 1 :]
        )


def head_of(request: Request, proxies: Proxies) -> Head:
    """The head of a request, read again only where it differs from the connection's last one."""
    connection = request.connection
    known = connection.memory
    if isinstance(known, Head):
        if known.message is request.message:
            return known
        if known.is_of(request):
            known.message, known.found = request.message, None
            return known
    head = Head(request, proxies)
    connection.memory = None if head.problem else head
    return head


def _problem_of(request: Request) -> Problem | None:
    """What is to be refused of a head that the parser has let through: 431 if too large in sum, 422 for what RFC 9112
    forbids."""
    lines = request.message.raw_headers
    if request.connection.may_be_large and sum(len(name) + len(value) for name, value in lines) > LONGEST_HEAD:
        return Problem(431, "headers_too_large", f"The headers are larger than {LONGEST_HEAD} bytes.")
    if request.version < HttpVersion10:
        return _malformed("HTTP/1.0 or HTTP/1.1 is spoken here.")
    headers = request.headers
    if not _HOST.fullmatch(headers.get("Host", "")):
        return _malformed("Host must be a host, with a port or without.")  # section 3.2
    coding = headers.get("Transfer-Encoding")
    if coding is not None and (coding.lower() != "chunked" or request.version != HttpVersion11):
        # Sections 6.1 and 7: nobody else may take the body for one that ends elsewhere.
        return _malformed("The only Transfer-Encoding is chunked, in HTTP/1.1.")
    for name in SINGLE:
        if name in headers and len(headers.getall(name)) > 1:
            return _malformed(f"The header {name} must be there only once.")
    return None


def _malformed(message: str) -> Problem:
    return Problem(422, MALFORMED, message, headers={"Connection": "close"})


def whole_body(request: Request, limit: int) -> bytes | None:
    """The body where it came with its head, as it mostly does; None where it has to be waited for.

    Not asynchronous, as there is nothing to wait for and no deadline to set up. Raises 413, 422.
    """
    content, body = request.content, request.whole
    if body is None:
        if content is EMPTY_PAYLOAD:
            return b""
        if not content.is_eof():
            if int(request.headers.get("Content-Length", 0)) > limit:
                raise _too_large(limit)
            return None
        try:
            body = content.read_nowait()
        except BrokenBodyError:
            raise _broken_body() from None
    if len(body) > limit:
        raise _too_large(limit)
    return body


async def read_body(request: Request, head: Head, limit: int, within: float) -> bytes:
    """The body, at most ``limit`` bytes, within so many seconds. Raises 408, 413, 415 (a coded body), 422."""
    if head.coded:
        raise Problem(415, "content_encoding_refused", "Bodies are taken as they are, without Content-Encoding.")
    whole = whole_body(request, limit)
    if whole is not None:
        return whole
    body = bytearray()
    try:
        async with asyncio.timeout(within):
            await request.expect_body()
            async for chunk in request.content.iter_any():
                body += chunk
                if len(body) > limit:
                    raise _too_large(limit)
    except TimeoutError:
        raise Problem(
            408, "request_timeout", "The body did not arrive in time.", headers={"Connection": "close"}
        ) from None
    except BrokenBodyError:
        raise _broken_body() from None
    except ConnectionError:
        # Nobody hears this; it goes into the log.
        raise Problem(408, "client_gone", "The client closed the connection before its body was complete.") from None
    return bytes(body)


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
            self._networks: list[Network] = [addresses.network(one) for one in networks]
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

    def is_secure(self, request: Request) -> bool:
        """Whether the request came over HTTPS, to us or to a proxy that we trust."""
        if request.connection.secure:
            return True
        schemes = request.headers.getall("X-Forwarded-Proto", ())
        # All of several: a proxy may have added its own to what a client made up.
        return self.trusts(request.connection.address or "") and {scheme.lower() for scheme in schemes} == {"https"}

    def client_address(self, request: Request) -> str:
        """The client's address: the last one in X-Forwarded-For that is no trusted proxy, else the peer's.

        The peer's too where that one is no address (``unknown``, or bytes that are no text): whatever stands before it
        is the client's own word.
        """
        peer = request.connection.address or ""
        if not self.trusts(peer):
            return peer
        lines = request.headers.getall("X-Forwarded-For", ())
        forwarded = [part.strip() for part in ",".join(lines).split(",")]
        told = [_forwarded_address(part) for part in forwarded if part]
        return next((one for one in reversed(told) if not self.trusts(one)), "") or peer


def _forwarded_address(text: str) -> str:
    """The address in an entry of X-Forwarded-For: ``2001:db8::1`` of ``[2001:db8::1]:4711``; empty where there is
    none."""
    found = _FORWARDED.fullmatch(text)
    address = next(filter(None, found.groups())) if found else ""
    try:
        return addresses.plain(address)
    except ValueError:
        return ""
