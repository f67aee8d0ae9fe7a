"""Listening sockets: those that a process opens itself, and those handed over by whoever started it, as systemd does
(sd_listen_fds(3)).

A socket that outlives its processes keeps the connections that wait in it: a new process takes it over before the old
one lets go, and nobody is turned away in between.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from process.settings import SettingsError

#: Connections that wait to be taken.
BACKLOG = 1024
#: The first descriptor that is handed over.
FIRST = 3
_BECOME = f"""
import ctypes, os, signal, sys
parent = int(sys.argv[1])
if parent:
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(0)
given = [os.dup(int(number)) for number in sys.argv[2].split(",")]
for number, one in enumerate(given, {FIRST}):
    os.dup2(one, number)
    os.set_inheritable(number, True)
os.environ |= {{"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(given))}}
os.execv(sys.argv[3], sys.argv[3:])
"""


def opened(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on every address of a host, one each: ``localhost`` may be 127.0.0.1 and ::1, nothing is all
    of both families.

    What waits at an IPv6 address takes no IPv4: :: is not 0.0.0.0. Raises `OSError` where one address cannot be had;
    then none is.
    """
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    listening: list[socket.socket] = []
    try:
        # A hosts file may name an address twice.
        for family, kind, protocol, _, address in dict.fromkeys(found):
            try:
                one = socket.socket(family, kind, protocol)
            except OSError:  # a family that this machine does not have
                continue
            listening.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                one.bind(address)
                one.listen(BACKLOG)
            except OSError as error:
                raise OSError(error.errno, f"cannot listen on {address[0]} port {port}: {error.strerror}") from None
    except BaseException:
        for one in listening:
            one.close()
        raise
    if not listening:
        raise OSError(f"{host or 'this machine'} has no address to listen on")
    return listening


def handing_over(descriptors: Sequence[int], command: Sequence[str], *, parent: int = 0) -> list[str]:
    """A command that becomes ``command``, a program by its path, with these listening sockets.

    They are the starter's descriptors, passed on as they are: no program can be told before which are free in it.
    Where ``parent`` is the starter's process, the command ends with it (prctl(2), PR_SET_PDEATHSIG).
    """
    return [sys.executable, "-c", _BECOME, str(parent), ",".join(map(str, descriptors)), *command]


def inherited(environment: MutableMapping[str, str]) -> Mapping[int, Sequence[socket.socket]]:
    """The sockets that are meant for this process, by port. Says so no more to the processes that it starts.

    A port has several where they listen on different addresses, as 127.0.0.1:8443 and [::1]:8443 do. Raises `OSError`
    where a descriptor is no listening TCP socket.
    """
    count = environment.pop("LISTEN_FDS", "0")
    meant_for = environment.pop("LISTEN_PID", "")
    environment.pop("LISTEN_FDNAMES", None)
    if meant_for != str(os.getpid()) or not count.isdigit():
        return {}
    found: dict[int, list[socket.socket]] = {}
    for number in range(FIRST, FIRST + int(count)):
        one = socket.socket(fileno=number)
        os.set_inheritable(number, False)
        if one.family not in (socket.AF_INET, socket.AF_INET6) or one.type != socket.SOCK_STREAM:
            raise OSError(f"descriptor {number} was handed over and is no TCP socket")
        found.setdefault(one.getsockname()[1], []).append(one)
    return found


def refuse_unknown(given: Mapping[int, Sequence[socket.socket]], ports: Iterable[int]) -> None:
    """Raise `SettingsError` for sockets on other ports than these: nobody would ever answer there."""
    unknown = given.keys() - set(ports)
    if unknown:
        raise SettingsError(f"sockets were handed over for ports that no setting names: {sorted(unknown)}")
