"""Signatures of deliveries: Standard Webhooks 1.0.0 (https://github.com/standard-webhooks/standard-webhooks).

Signed is ``{webhook-id}.{webhook-timestamp}.{body}``: with HMAC-SHA256 by the endpoint's secret (``v1``), with that of
a rotation's overlap by both, and with the service's Ed25519 key (``v1a``).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping, Sequence

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SECRET_PREFIX = "whsec_"  # noqa: S105 - the scheme's word
PUBLIC_KEY_PREFIX = "whpk_"
SECRET_BYTES = 32
#: How far a timestamp may be from now, in seconds; older deliveries may be somebody's recording.
TOLERANCE = 300


class SignatureError(Exception):
    """A delivery is not what it claims to be; the message says why."""


def secret_text(secret: bytes) -> str:
    """A secret as it is shown."""
    return SECRET_PREFIX + base64.b64encode(secret).decode()


def secret_bytes(text: str) -> bytes:
    """A secret from its shown form. Raises `SignatureError`."""
    try:
        secret = base64.b64decode(text.strip().removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error:
        raise SignatureError("that is not a webhook secret") from None
    if not 24 <= len(secret) <= 64:
        raise SignatureError("a webhook secret has 24 to 64 bytes")
    return secret


def public_key_text(key: Ed25519PublicKey) -> str:
    """A public key as it is published."""
    return PUBLIC_KEY_PREFIX + base64.b64encode(key.public_bytes_raw()).decode()


def sign(
    event_id: str, timestamp: int, body: bytes, *, secrets: Sequence[bytes], key: Ed25519PrivateKey
) -> dict[str, str]:
    """The three headers of a delivery. ``timestamp`` in seconds; the newest secret comes first."""
    signed = _signed(event_id, str(timestamp), body)
    signatures = [f"v1,{_mac(secret, signed)}" for secret in secrets]
    signatures.append(f"v1a,{base64.b64encode(key.sign(signed)).decode()}")
    return named(event_id, timestamp) | {"webhook-signature": " ".join(signatures)}


def named(event_id: str, timestamp: int) -> dict[str, str]:
    """The two headers that are signed with the body. ``timestamp`` in seconds."""
    return {"webhook-id": event_id, "webhook-timestamp": str(timestamp)}


def verify(
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: float,
    secret: bytes | None = None,
    key: Ed25519PublicKey | None = None,
) -> None:
    """Hold a delivery against a secret or a public key. Header names are lower case. Raises `SignatureError`."""
    try:
        event_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
        given = [one.partition(",")[::2] for one in headers["webhook-signature"].split()]
    except KeyError as error:
        raise SignatureError(f"the header {error} is missing") from None
    if not timestamp.isascii() or not timestamp.isdecimal() or abs(now - int(timestamp)) > TOLERANCE:
        raise SignatureError("the timestamp is too far from now")
    signed = _signed(event_id, timestamp, body)
    if secret is not None:
        expected = _mac(secret, signed)
        if any(version == "v1" and hmac.compare_digest(one, expected) for version, one in given):
            return
    if key is not None and any(version == "v1a" and _is_signed(key, one, signed) for version, one in given):
        return
    raise SignatureError("no signature fits")


def _signed(event_id: str, timestamp: str, body: bytes) -> bytes:
    return f"{event_id}.{timestamp}.".encode() + body


def _mac(secret: bytes, signed: bytes) -> str:
    return base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()


def _is_signed(key: Ed25519PublicKey, signature: str, signed: bytes) -> bool:
    try:
        key.verify(base64.b64decode(signature, validate=True), signed)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True
