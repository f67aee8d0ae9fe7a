"""The head of a request that comes again byte for byte, so that it need not be parsed again.

A client that keeps its connection says the same with every request, down to the order of its header lines: only the
digits of Content-Length differ, and the body. Where that is so, what the parser made of the head before holds for this
one, too; nothing is read here that it has not read (ADR 29).
"""

from __future__ import annotations

import re

from aiohttp import HttpVersion11
from aiohttp.http import RawRequestMessage

#: A head with its length, if it has one (RFC 9112 section 6.2). Only the line that is written this plainly is replaced.
_LENGTH = re.compile(rb"\r\ncontent-length: ?([0-9]{1,9})\r\n", re.IGNORECASE)
_END = b"\r\n\r\n"


def bytes_of_head(message: RawRequestMessage, data: bytes) -> int:
    """How many bytes of ``data``, which begins with a request, are its head; 0 where that is not certain."""
    if message.chunked or message.upgrade or message.method == "CONNECT":
        return 0
    return data.find(_END) + len(_END) if _END in data else 0


class RepeatedHead:
    """One head, and what the parser has made of it."""

    __slots__ = ("_after", "_before", "message")

    def __init__(self, message: RawRequestMessage, before: bytes, after: bytes) -> None:
        self.message = message
        #: The head up to the digits of its length, and what follows them; all of it where it has none.
        self._before = before
        self._after = after

    @classmethod
    def of(cls, message: RawRequestMessage, head: bytes) -> RepeatedHead | None:
        """From the message that the parser has made of ``head``; None where its like must be parsed each time: what is
        not told by its length, waits to be asked for its body, or ends the connection."""
        if message.should_close or message.version is not HttpVersion11 or "Expect" in message.headers:
            return None
        if "Content-Length" not in message.headers:
            return cls(message, head, b"")
        found = _LENGTH.search(head)
        return None if found is None else cls(message, head[: found.start(1)], head[found.end(1) :])

    def body_of(self, data: bytes) -> bytes | None:
        """The body, where ``data`` is this head and the whole of a body, and no more; None where the parser must say
        what it is."""
        before, after = self._before, self._after
        if not data.startswith(before):
            return None
        at = len(before)
        if not after:
            return b"" if len(data) == at else None
        end = data.find(b"\r", at, at + 10)
        digits = data[at:end]
        if end < 0 or not digits.isdigit() or not data.startswith(after, end):
            return None
        body = data[end + len(after) :]
        return body if len(body) == int(digits) else None
