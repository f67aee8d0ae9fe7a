"""The shape of API keys and of tokens of sessions and invitations: ``qw_live_<public id>_<secret><checksum>`` (D18).

The public id finds the stored row and may be shown; the secret has 33 base62 characters (196 bits); the checksum is
the CRC-32 of all before it, so that a mistyped key is refused without a look-up. Only a SHA-256 hash is stored: the
secret is random and long, so a slow hash would add nothing but time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PUBLIC_ID_LENGTH = 12
SECRET_LENGTH = 33
CHECKSUM_LENGTH = 6

_SHAPE = re.compile(
    rf"qw_(?P<kind>live|test|session|invitation)_(?P<public_id>[0-9A-Za-z]{{{PUBLIC_ID_LENGTH}}})_"
    rf"(?P<secret>[0-9A-Za-z]{{{SECRET_LENGTH}}})(?P<checksum>[0-9A-Za-z]{{{CHECKSUM_LENGTH}}})"
)


class CredentialKind(StrEnum):
    """The word after ``qw_``."""

    LIVE = "live"
    TEST = "test"
    SESSION = "session"
    INVITATION = "invitation"


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential of the right shape; whether it is known is the store's business."""

    kind: CredentialKind
    public_id: str
    secret_hash: bytes


def _checksum(body: str) -> str:
    number = zlib.crc32(body.encode())
    digits = []
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)


def is_key(credential: Credential) -> bool:
    """Whether it is an API key, of either mode."""
    return credential.kind in {CredentialKind.LIVE, CredentialKind.TEST}


def make(kind: CredentialKind, randbelow: Callable[[int], int]) -> str:
    """A new credential in full. ``randbelow`` is `secrets.randbelow`, or a fixed one in tests."""
    letters = [ALPHABET[randbelow(len(ALPHABET))] for _ in range(PUBLIC_ID_LENGTH + SECRET_LENGTH)]
    body = f"qw_{kind}_{''.join(letters[:PUBLIC_ID_LENGTH])}_{''.join(letters[PUBLIC_ID_LENGTH:])}"
    return body + _checksum(body)


def parse(text: str) -> Credential | None:
    """The credential in ``text``, or None where its shape or checksum is wrong."""
    match = _SHAPE.fullmatch(text)
    if match is None or not hmac.compare_digest(_checksum(text[:-CHECKSUM_LENGTH]), match["checksum"]):
        return None
    return Credential(CredentialKind(match["kind"]), match["public_id"], hash_of(text))


def hash_of(text: str) -> bytes:
    """What is stored of a credential."""
    return hashlib.sha256(text.encode()).digest()
