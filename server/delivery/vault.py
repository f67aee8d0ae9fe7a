"""Secrets of endpoints at rest, and the service's signing key: all under one master secret of the server.

AES-256-GCM with a random nonce; the organization is bound to the ciphertext, so that a row that is moved to another
one does not open. The Ed25519 key is derived, hence the same in every process that has the master secret.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from server.keys import derived

_NONCE = 12


class SealError(Exception):
    """A stored secret does not open: the master secret is another than when it was stored."""


class Sealed(Protocol):
    """What a row that holds an endpoint's secrets has; instants in µs."""

    @property
    def organization_id(self) -> int:
        """Whose endpoint it is."""

    @property
    def secret(self) -> bytes:
        """The secret, sealed."""

    @property
    def previous_secret(self) -> bytes | None:
        """The one before it, sealed."""

    @property
    def previous_secret_ends_at(self) -> int | None:
        """Until when the one before signs, too."""


class Vault:
    """Seals and opens secrets of endpoints, and holds the signing key."""

    def __init__(self, master: bytes) -> None:
        self._cipher = AESGCM(derived(master, b"webhook endpoint secrets"))
        self.signing_key = Ed25519PrivateKey.from_private_bytes(derived(master, b"webhook signatures v1a"))

    @property
    def key_id(self) -> str:
        """Identifier of the public key."""
        return hashlib.sha256(self.signing_key.public_key().public_bytes_raw()).hexdigest()[:16]

    def seal(self, organization_id: int, secret: bytes) -> bytes:
        """A secret as it is stored."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, _bound_to(organization_id))

    def signing_secrets(self, endpoint: Sealed, now: int) -> list[bytes]:
        """The secrets that sign deliveries at ``now`` (µs), the newest first. Raises `SealError`."""
        opened = [self.open(endpoint.organization_id, endpoint.secret)]
        if endpoint.previous_secret is not None and (endpoint.previous_secret_ends_at or 0) > now:
            opened.append(self.open(endpoint.organization_id, endpoint.previous_secret))
        return opened

    def open(self, organization_id: int, sealed: bytes) -> bytes:
        """The secret. Raises `SealError`."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], _bound_to(organization_id))
        except (InvalidTag, ValueError):
            raise SealError("a stored webhook secret does not open: is QW_WEBHOOK_SECRET another one now?") from None


def _bound_to(organization_id: int) -> bytes:
    return f"organization {organization_id}".encode()
