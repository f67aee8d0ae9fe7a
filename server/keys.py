"""Secrets of the server in files, and keys for one purpose each, derived from them (HKDF, RFC 5869)."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def derived(secret: bytes, purpose: bytes) -> bytes:
    """32 bytes: the same for the same secret and purpose, in every process."""
    return HKDF(hashes.SHA256(), length=32, salt=None, info=b"quotewright " + purpose).derive(secret)


def secret_file(path: Path) -> bytes:
    """The secret in a file, made by whoever comes first; nobody ever reads half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_hex(32).encode())
        with contextlib.suppress(FileExistsError):
            os.link(partial, path)
        partial.unlink()
    return path.read_bytes()


def gateway_secret(configured: str, data_dir: Path) -> str:
    """The secret between gateway and server: from the settings, else from a file made on first start (mode 0600)."""
    return configured or secret_file(data_dir / "gateway.secret").decode()
