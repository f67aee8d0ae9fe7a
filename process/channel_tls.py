"""Mutual TLS between gateways and servers: each shows a certificate of the one authority that both trust.

The files are looked at again while the process runs, so that a renewed certificate needs no restart.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import grpc
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import load_pem_x509_certificates

#: How often a gateway looks whether its files have changed; a server looks with every handshake. Seconds.
LOOK_EVERY = 1.0


@dataclass(frozen=True, slots=True)
class ChannelFiles:
    """PEM files: the authority that the other side must have its certificate from, and what this side shows."""

    ca: Path
    certificate: Path
    key: Path
    #: Name that the server's certificate is for, where it is not the one that the gateway calls.
    server_name: str = ""


class Pem(NamedTuple):
    """What the files hold."""

    ca: bytes
    certificate: bytes
    key: bytes


class Renewable:
    """Files that may be replaced at any time. Raises `OSError` or `ValueError` where they cannot be used at first;
    later, what cannot be used yet (a new certificate whose key has not come) leaves what was there in force."""

    def __init__(self, files: ChannelFiles) -> None:
        self.files = files
        self._lock = threading.Lock()
        self._seen = self._look()
        self.pem = _read(files)

    def renewed(self) -> bool:
        """Whether the files hold something new that can be used; `pem` has it then. For any thread."""
        with self._lock:
            try:
                seen = self._look()
                if seen == self._seen:
                    return False
                pem = _read(self.files)
            except (OSError, ValueError):
                return False
            self._seen = seen
            changed = pem != self.pem
            self.pem = pem
            return changed

    def _look(self) -> tuple[tuple[int, int, int], ...]:
        found = (path.stat() for path in (self.files.ca, self.files.certificate, self.files.key))
        return tuple((one.st_ino, one.st_mtime_ns, one.st_size) for one in found)


def server_credentials(files: ChannelFiles) -> grpc.ServerCredentials:
    """Of a port that takes only clients with a certificate. Raises like `Renewable`."""
    renewable = Renewable(files)

    def configuration() -> grpc.ServerCertificateConfiguration:
        pem = renewable.pem
        return grpc.ssl_server_certificate_configuration([(pem.key, pem.certificate)], pem.ca)

    def renewed() -> grpc.ServerCertificateConfiguration:
        # None: go on with what there is; the stubs do not say so.
        return configuration() if renewable.renewed() else None  # type: ignore[return-value]

    # grpc asks before each handshake.
    return grpc.dynamic_ssl_server_credentials(configuration(), renewed, require_client_authentication=True)


class ChannelCredentials:
    """What a gateway shows. A channel keeps its own: a renewed one needs a new channel. Raises like `Renewable`."""

    def __init__(self, files: ChannelFiles) -> None:
        self._renewable = Renewable(files)
        self._look_at = time.monotonic() + LOOK_EVERY
        self.options = [("grpc.ssl_target_name_override", files.server_name)] if files.server_name else []

    def current(self) -> grpc.ChannelCredentials:
        """For a new channel."""
        pem = self._renewable.pem
        return grpc.ssl_channel_credentials(pem.ca, pem.key, pem.certificate)

    def renewed(self) -> bool:
        """Whether a new channel is needed; looks at the files at most every `LOOK_EVERY` seconds."""
        now = time.monotonic()
        if now < self._look_at:
            return False
        self._look_at = now + LOOK_EVERY
        return self._renewable.renewed()


def _read(files: ChannelFiles) -> Pem:
    """Raises `OSError`, or `ValueError` where a file is none of its kind or certificate and key are not a pair."""
    pem = Pem(files.ca.read_bytes(), files.certificate.read_bytes(), files.key.read_bytes())
    _certificates(files.ca, pem.ca)
    leaf = _certificates(files.certificate, pem.certificate)[0]
    try:
        key = load_pem_private_key(pem.key, password=None)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{files.key} is no private key in PEM: {error}") from None
    if key.public_key() != leaf.public_key():
        raise ValueError(f"{files.key} is not the key of {files.certificate}")
    return pem


def _certificates(path: Path, content: bytes) -> list:  # type: ignore[type-arg]  # of cryptography's certificates
    try:
        return load_pem_x509_certificates(content)
    except ValueError as error:
        raise ValueError(f"{path} holds no certificate in PEM: {error}") from None
