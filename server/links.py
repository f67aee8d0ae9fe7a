"""Signed links: a token that opens one sent quote to whoever has it, until the quote's validity ends.

A token is 54 bytes in base64url, 72 characters without padding: what it opens, in fixed places, and HMAC-SHA256 over
that, by a key that is derived from the server's secret. It is checked without the store; what has become of the quote
since is the servicer's to look at.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import struct
from dataclasses import dataclass
from datetime import date

from process.contract import LINK_KINDS
from server.keys import derived

#: Version; kind, and `_LIVE`; organization; quote; link; when it expires, in seconds since 1970.
_LAYOUT = struct.Struct(">BBIIQI")
#: The last second that fits there, in 2106.
LATEST = 2**32 - 1
_VERSION = 1
_LIVE = 0x80
_MAC = 32
_PURPOSE = b"signed links"
_EPOCH = date(1970, 1, 1).toordinal()
_DAY = 24 * 3600  # s


class LinkError(Exception):
    """A token opens nothing: it is not ours, or it was changed."""


class LinkExpiredError(LinkError):
    """A token of ours whose time is over."""


@dataclass(frozen=True, slots=True)
class Link:
    """What a token opens: the page (``CREDENTIAL_KIND_CUSTOMER_LINK``) or the PDF (``CREDENTIAL_KIND_PDF_LINK``) of a
    quote. ``link_id`` is the number of the link that one address got (64 bits), 0 for PDFs; ``expires_at`` is in
    seconds since 1970."""

    kind: int
    organization_id: int
    livemode: bool
    quote_id: int
    link_id: int
    expires_at: int


class Signer:
    """Makes tokens and reads them."""

    def __init__(self, secret: bytes) -> None:
        self._key = derived(secret, _PURPOSE)

    def token(self, link: Link) -> str:
        """The token of a link."""
        body = _LAYOUT.pack(
            _VERSION,
            link.kind | _LIVE * link.livemode,
            link.organization_id,
            link.quote_id,
            link.link_id,
            link.expires_at,
        )
        return base64.urlsafe_b64encode(body + self._mac(body)).decode()

    def read(self, token: str, now: float) -> Link:
        """The link of a token at ``now`` (seconds since 1970). Raises `LinkError`, `LinkExpiredError`."""
        try:
            data = base64.urlsafe_b64decode(token.encode("ascii"))
        except (binascii.Error, ValueError):
            raise LinkError("not a token") from None
        # The decoder passes over what does not belong there: one link would have many tokens.
        if base64.urlsafe_b64encode(data).decode() != token:
            raise LinkError("not a token as it is written")
        body, mac = data[: _LAYOUT.size], data[_LAYOUT.size :]
        if len(data) != _LAYOUT.size + _MAC or not hmac.compare_digest(self._mac(body), mac):
            raise LinkError("not a token of this server")
        version, mark, organization_id, quote_id, link_id, expires_at = _LAYOUT.unpack(body)
        kind, livemode = mark & ~_LIVE, bool(mark & _LIVE)
        if version != _VERSION or kind not in LINK_KINDS:
            raise LinkError("a token of another release")
        if expires_at <= now:
            raise LinkExpiredError("the token has expired")
        return Link(kind, organization_id, livemode, quote_id, link_id, expires_at)

    def _mac(self, body: bytes) -> bytes:
        return hmac.digest(self._key, body, hashlib.sha256)


def ends_with(last_day: str) -> int:
    """When links to a quote expire that is valid through ``last_day`` (ISO date, UTC): seconds since 1970. A day that
    no token can state ("9999-12-31") ends with the last second that one can."""
    # Counted in days: no date is behind the last one of the calendar.
    days = date.fromisoformat(last_day).toordinal() - _EPOCH + 1
    return min(days * _DAY, LATEST)
