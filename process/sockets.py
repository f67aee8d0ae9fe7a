"""Listening sockets handed over by whoever started the process, as systemd does (sd_listen_fds(3)).

A socket that outlives its processes keeps the connections that wait in it: a new process takes it over before the old
one lets go, and nobody is turned away in between.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Mapping, MutableMapping

from process.settings import SettingsError

#: The first descriptor that is handed over.
FIRST = 3


def inherited(environment: MutableMapping[str, str]) -> Mapping[int, socket.socket]:
    """The sockets that are meant for this process, by port. Says so no more to the processes that it starts.

    Raises `OSError` where a descriptor is no listening TCP socket.
    """
    count = environment.pop("LISTEN_FDS", "0")
    meant_for = environment.pop("LISTEN_PID", "")
    environment.pop("LISTEN_FDNAMES", None)
    if meant_for != str(os.getpid()) or not count.isdigit():
        return {}
    found = {}
    for number in range(FIRST, FIRST + int(count)):
        one = socket.socket(fileno=number)
        os.set_inheritable(number, False)
        if one.family not in (socket.AF_INET, socket.AF_INET6) or one.type != socket.SOCK_STREAM:
            raise OSError(f"descriptor {number} was handed over and is no TCP socket")
        found[one.getsockname()[1]] = one
    return found


def refuse_unknown(given: Mapping[int, socket.socket], ports: Iterable[int]) -> None:
    """Raise `SettingsError` for sockets on other ports than these: nobody would ever answer there."""
    unknown = given.keys() - set(ports)
    if unknown:
        raise SettingsError(f"sockets were handed over for ports that no setting names: {sorted(unknown)}")
