"""``python -m tests.doubles.system_calls SOCKET COMMAND…``: becomes the command, whose system calls that write to a disk
ask whoever listens on the socket first. So a disk can be slow, full, broken or read-only for one process, without root and
without a library in its way: the kernel itself asks (seccomp_unotify(2)). Linux on x86-64 and arm64."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import select
import socket
import struct
import sys
import threading
import time
from pathlib import Path

#: Of each machine: seccomp, fsync, fdatasync, pwrite64.
_NUMBERS = {"x86_64": (317, 74, 75, 18), "aarch64": (277, 82, 83, 68)}
_PR_SET_NO_NEW_PRIVS, _SECCOMP_SET_MODE_FILTER, _NEW_LISTENER = 38, 1, 8
_LOAD_NUMBER, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ASK = 0x7FFF0000, 0x7FC00000
_RECEIVE, _SEND, _GO_ON = 0xC0502100, 0xC0182101, 1


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Disk:
    """What the disk of the processes under it is like; by default a good one. ``delay``: seconds that waiting for the disk
    (fsync, fdatasync) takes longer. ``error`` (of `errno`): what it comes to, and writing at a place of a file (pwrite64,
    as SQLite writes); 0: nothing is wrong."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "system-calls"
        self.delay = 0.0
        self.error = 0
        #: Calls that waited for the disk.
        self.synced = 0
        self._told = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._told.bind(str(self._path))
        self._told.listen()
        self._closing = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def before(self) -> list[str]:
        """What comes before the command."""
        return [sys.executable, "-m", "tests.doubles.system_calls", str(self._path)]

    def close(self) -> None:
        """Ask no more; processes that go on have a good disk."""
        self._closing.set()
        self._told.close()

    def _listen(self) -> None:
        self._told.settimeout(0.2)
        while not self._closing.is_set():
            try:
                connection, _ = self._told.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            with connection:
                _, (listener,), _, _ = socket.recv_fds(connection, 1, 1)
            threading.Thread(target=self._answer, args=(listener,), daemon=True).start()

    def _answer(self, listener: int) -> None:
        syncs = _NUMBERS[platform.machine()][1:3]
        waiting = select.poll()
        waiting.register(listener)
        while True:
            events = waiting.poll(200)
            if events and events[0][1] & select.POLLHUP:
                break
            if not events:
                continue
            asked = bytearray(80)
            try:
                fcntl.ioctl(listener, _RECEIVE, asked)
            except OSError:  # it was killed meanwhile
                continue
            (call,) = struct.unpack_from("Q", asked)
            (number,) = struct.unpack_from("i", asked, 16)
            # Each in a thread of its own: one slow disk keeps many processes waiting at once.
            threading.Thread(target=self._reply, args=(listener, call, number in syncs), daemon=True).start()

    def _reply(self, listener: int, call: int, sync: bool) -> None:
        if sync:
            self.synced += 1
            began = time.monotonic()
            while time.monotonic() - began < self.delay:  # also where it is shortened meanwhile
                time.sleep(0.01)
        answer = struct.pack("QqiI", call, 0, -self.error, 0 if self.error else _GO_ON)
        try:
            fcntl.ioctl(listener, _SEND, answer)
        except OSError as failure:
            if failure.errno not in (errno.ENOENT, errno.EBADF):
                raise


def become(path: str, command: list[str]) -> None:
    """Hand the kernel's questions to whoever listens at ``path``, then become the command."""
    libc = ctypes.CDLL(None, use_errno=True)
    seccomp, *asked = _NUMBERS[platform.machine()]
    lines = [(_LOAD_NUMBER, 0, 0, 0)]
    lines += [(_IF_EQUAL, len(asked) - place, 0, number) for place, number in enumerate(asked)]
    lines += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ASK)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    program = _Program(len(lines), ctypes.cast(code, ctypes.c_void_p))
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.connect(path)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        listener = libc.syscall(seccomp, _SECCOMP_SET_MODE_FILTER, _NEW_LISTENER, ctypes.byref(program))
        if listener < 0:
            raise OSError(ctypes.get_errno(), "seccomp")
        socket.send_fds(listening, [b"!"], [listener])
    os.close(listener)
    os.execvp(command[0], command)


if __name__ == "__main__":
    become(sys.argv[1], sys.argv[2:])
