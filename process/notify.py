"""Tells whoever started this process how it is, the way systemd asks to be told (sd_notify(3))."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping


def notify(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send ``state``, for example ``READY=1``, to the socket that ``NOTIFY_SOCKET`` names; nothing without one.

    A service that cannot say that it is ready still is: failures are passed over.
    """
    where = environment.get("NOTIFY_SOCKET", "")
    if not where:
        return
    address = "\0" + where[1:] if where.startswith("@") else where
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(state.encode(), address)
