"""Versions of what is stored without a number of its changes."""

from __future__ import annotations

import hashlib

from google.protobuf.message import Message


def version_of(message: Message) -> str:
    """A word that is another one when the message says something else."""
    return hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()[:24]
