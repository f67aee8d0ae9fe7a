"""One HTTP POST of a delivery: guarded, timed, without redirects, and hardly any of the answer read."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import socket
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from server.delivery.egress import Egress, EgressError

#: Bytes of an answer that are read, and of those that the log keeps.
ANSWER_READ = 4096
ANSWER_KEPT = 512
#: Once its status is here, an answer gets this long for its first bytes: the status decides, the rest is for the log.
ANSWER_WITHIN = 2.0  # seconds
#: Of every delivery; besides these the event's own.
FIXED_HEADERS = {
    "User-Agent": "Quotewright-Webhooks/1 (+https://www.standardwebhooks.com)",
    "Content-Type": "application/json",
    "Accept-Encoding": "identity",
}
#: Errors of tries that ended before anything was sent.
UNSENT = frozenset(("name", "refused", "secret", "tls"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a try came to. ``error`` is empty for a 2xx; ``http_status`` is 0 where there was none.

    ``retry_after`` is in seconds.
    """

    error: str
    http_status: int = 0
    content: bytes = b""
    retry_after: float | None = None


class Sender:
    """Sends deliveries; each ends within ``within`` seconds, whatever the receiver does."""

    def __init__(self, egress: Egress, within: float, resolver: AbstractResolver | None = None) -> None:
        self._egress = egress
        self._within = within
        # Names that resolve slowly hold a thread each; they must not take those of everybody else.
        self._threads = ThreadPoolExecutor(128, "resolver")
        self._resolver = _GuardedResolver(egress, resolver or _ThreadedResolver(self._threads))
        self._session: aiohttp.ClientSession | None = None

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send one delivery. Whatever goes wrong is in the answer."""
        try:
            self._egress.check_url(url)
            return await self._post(url, body, headers)
        except EgressError as error:
            return Answer("refused", content=str(error).encode())
        except TimeoutError:
            return Answer("timeout")
        except aiohttp.ClientConnectorDNSError:
            return Answer("name")
        except (aiohttp.ClientSSLError, aiohttp.ClientConnectorCertificateError) as error:
            return Answer("tls", content=str(error).encode()[:ANSWER_KEPT])
        except (aiohttp.ClientConnectionError, OSError):
            return Answer("connection")
        except (aiohttp.ClientError, ValueError):
            return Answer("protocol")

    async def close(self) -> None:
        """Let go of the connections."""
        if self._session is not None:
            await self._session.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=_GuardedConnector(self._egress, self._resolver),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
                trust_env=False,
                read_bufsize=ANSWER_READ,
                headers=FIXED_HEADERS,
            )
        return self._session

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        clock = asyncio.get_running_loop().time
        ends_at = clock() + self._within
        async with asyncio.timeout_at(ends_at):
            response = await self._open().post(url, data=body, headers=headers, allow_redirects=False)
        # An answer that is left before its end closes its connection, so that nobody is read to the end who has none.
        async with response:
            content = await _beginning(response, min(ends_at, clock() + ANSWER_WITHIN))
            status = response.status
            if 200 <= status < 300:
                return Answer("", status, content)
            error = "gone" if status == 410 else "redirect" if 300 <= status < 400 else "status"
            return Answer(error, status, content, _retry_after(response.headers.get("Retry-After", "")))


async def _beginning(response: aiohttp.ClientResponse, ends_at: float) -> bytes:
    content = b""
    with contextlib.suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout_at(ends_at):
            while len(content) < ANSWER_READ:
                part = await response.content.read(ANSWER_READ - len(content))
                if not part:
                    break
                content += part
    return content


def _retry_after(text: str) -> float | None:
    """Seconds (RFC 9110 section 10.2.3), from either form; None where it has neither."""
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return float(text[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


class _ThreadedResolver(AbstractResolver):
    """`getaddrinfo`, in threads of its own."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Every address of the name."""
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
        )
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=port,
                family=kind,
                proto=proto,
                flags=socket.AI_NUMERICHOST,
            )
            for kind, _, proto, _, address in found
        ]

    async def close(self) -> None:
        """The threads are the sender's."""


class _GuardedResolver(AbstractResolver):
    """Refuses a name as soon as one of its addresses is refused."""

    def __init__(self, egress: Egress, resolver: AbstractResolver) -> None:
        self._egress = egress
        self._resolver = resolver

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses. Raises `EgressError`, `OSError`."""
        found = await self._resolver.resolve(host, port, family)
        for one in found:
            self._egress.check_address(one["host"])
        return found

    async def close(self) -> None:
        """Close the resolver behind it."""
        await self._resolver.close()


class _GuardedConnector(aiohttp.TCPConnector):
    """Looks at every address before a socket is connected to it, and at the peer before anything is said to it."""

    def __init__(self, egress: Egress, resolver: AbstractResolver) -> None:
        super().__init__(
            resolver=resolver,
            use_dns_cache=False,
            limit=0,
            keepalive_timeout=15,
            socket_factory=self._socket,
        )
        self._egress = egress

    async def connect(self, req: Any, traces: Any, timeout: Any) -> Any:
        """A connection to an allowed peer. Raises `EgressError`."""
        connection = await super().connect(req, traces, timeout)
        transport = connection.transport
        peer = transport.get_extra_info("peername") if transport else None
        if peer is None:
            connection.close()
            raise aiohttp.ClientConnectionResetError("the peer has gone")
        try:
            self._egress.check_address(peer[0], scheme=req.url.scheme, port=peer[1])
        except EgressError:
            connection.close()
            raise
        return connection

    def _socket(self, info: Any) -> socket.socket:
        family, kind, proto, _, address = info
        self._egress.check_address(address[0])
        return socket.socket(family, kind, proto)
