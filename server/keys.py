"""Keys for one purpose each, derived from a secret of the server (HKDF, RFC 5869)."""

from __future__ import annotations

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def derived(secret: bytes, purpose: bytes) -> bytes:
    """32 bytes: the same for the same secret and purpose, in every process."""
    return HKDF(hashes.SHA256(), length=32, salt=None, info=b"quotewright " + purpose).derive(secret)
