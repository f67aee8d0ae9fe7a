"""The processes of a contender: started on free loopback ports, watched, measured from /proc, stopped by their ids."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from benchmarks.contenders import Contender
from benchmarks.peers.canned import Workload

START_SECONDS = 30.0
STOP_SECONDS = 5.0
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
#: Fields of /proc/PID/stat after the name in brackets (proc(5)): session, user and system ticks.
_SESSION, _USER, _SYSTEM = 3, 11, 12


class Running:
    """A contender's processes. Each leads a session of its own, so that what it starts is counted and stopped too."""

    def __init__(self, contender: Contender, port: int, backend_port: int) -> None:
        self.contender = contender
        self.port = port
        self._backend_port = backend_port
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start its processes; where one cannot be started, those before it are left for ``stop``."""
        for command in self.contender.commands:
            parts = [part.format(port=self.port, backend=self._backend_port) for part in command]
            self._processes.append(subprocess.Popen(parts, stdin=subprocess.DEVNULL, start_new_session=True))

    def wait_until_ready(self, workloads: Iterable[Workload]) -> None:
        """Return when every workload is answered rightly. Raises ``RuntimeError`` where that does not come about."""
        deadline = time.monotonic() + START_SECONDS
        for workload in workloads:
            envelope = self.contender.envelopes.get(workload.name)
            expected = {envelope: workload.answer} if envelope else workload.answer
            while (answer := self._ask(workload)) != expected:
                self.check_alive()
                if time.monotonic() > deadline:
                    raise RuntimeError(f"{self.contender.name} answers {workload.name} with {answer!r}")
                time.sleep(0.05)

    def check_alive(self) -> None:
        """Raise ``RuntimeError`` if a process has ended."""
        for process in self._processes:
            if process.poll() is not None:
                raise RuntimeError(f"{self.contender.name}: {process.args!r} ended with {process.returncode}")

    def cpu_seconds(self) -> float:
        """User and system time of all its processes so far, in steps of the kernel's tick (10 ms)."""
        sessions = {process.pid for process in self._processes}
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            # A process may end between the listing and the reading.
            with suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                if int(fields[_SESSION]) in sessions:
                    ticks += int(fields[_USER]) + int(fields[_SYSTEM])
        return ticks / _TICKS_PER_SECOND

    def stop(self) -> None:
        """End all its processes: asked first, killed where that does not help."""
        for process in self._processes:
            _signal(process, signal.SIGTERM)
        for process in self._processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            _signal(process, signal.SIGKILL)
            process.wait()

    def _ask(self, workload: Workload) -> object:
        """The JSON value of the answer; the error where there is none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        headers = {"Content-Type": "application/json", **self.contender.headers}
        try:
            connection.request("POST", workload.path, workload.body, headers)
            return json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            return error
        finally:
            connection.close()


def free_ports(count: int) -> list[int]:
    """Ports on loopback that nothing listens on now, all different."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports: list[int] = [server.getsockname()[1] for server in sockets]
    for server in sockets:
        server.close()
    return ports


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signal the process group that ``process`` leads; the group may be gone already."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
