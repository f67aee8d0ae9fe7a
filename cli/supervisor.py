"""``quotewright serve --processes N``: N whole services on the same listening sockets, kept running.

The sockets belong to the supervisor. A connection that nobody has taken yet waits in them whichever process ends, so
neither a crash nor a reload turns anybody away; and a process that is busy takes fewer connections than an idle one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from gateway.config import GatewayConfig
from process import sockets
from process.log import Log
from process.notify import notify
from process.settings import SettingsError
from server.config import ServerConfig

#: Seconds before a process that ended is started again: doubled each time, from the first to the last; one that lived
#: for `STEADY` seconds begins anew.
FIRST_WAIT, LAST_WAIT, STEADY = 0.2, 15.0, 30.0
#: A process that is not ready in this time after its start is ended, and tried again; seconds.
READY_WITHIN = 60.0
#: A reload waits so long for each process that takes another's place: the longest wait, and a start; seconds.
RENEWED_WITHIN = LAST_WAIT + READY_WITHIN


def check(count: int, gateway: GatewayConfig) -> None:
    """Raises `SettingsError` where so many processes would not be one service."""
    if count < 1:
        raise SettingsError("--processes is 1 or more")
    if count > 1 and not gateway.redis_url:
        raise SettingsError("--processes above 1 needs QW_REDIS_URL: allowances are counted over all of them")
    if not gateway.https_port:
        raise SettingsError("--processes needs QW_HTTPS_PORT")


class Supervisor:
    """Keeps ``count`` processes running. Process number n has the gRPC and the private port plus n."""

    def __init__(self, count: int, server: ServerConfig, gateway: GatewayConfig, log: Log) -> None:
        self._log = log
        ports = [port for port in (gateway.https_port, gateway.http_port) if port]
        given = sockets.inherited(os.environ)
        sockets.refuse_unknown(given, ports)
        self._listening = [one for port in ports for one in given.get(port) or sockets.opened(gateway.https_host, port)]
        self._where = f"HTTPS https://localhost:{gateway.https_port}/api/v1"
        self._slots = [
            _Slot(number, self._listening, self._environment(number, server), log) for number in range(count)
        ]
        self._reloading = asyncio.Lock()

    @staticmethod
    def _environment(number: int, server: ServerConfig) -> Mapping[str, str]:
        own = {"QW_GRPC_PORT": str(server.grpc_port and server.grpc_port + number)}
        if server.private_port:
            own["QW_PRIVATE_PORT"] = str(server.private_port + number)
        return own

    async def run(self) -> None:
        """Start everything, keep it running until SIGTERM or SIGINT, then end it in good order. SIGHUP: one process
        after the other is ended and started anew, with the certificate and the program as they are then. Where one does
        not come back the others stay as they are, so that a program that cannot start does not end the service."""
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        reloads: set[asyncio.Task[None]] = set()

        def reload() -> None:
            task = asyncio.create_task(self._reload())
            reloads.add(task)
            task.add_done_callback(reloads.discard)

        loop.add_signal_handler(signal.SIGHUP, reload)
        keeping = [asyncio.create_task(slot.keep()) for slot in self._slots]
        ready, stopped = asyncio.create_task(self._all_ready()), asyncio.create_task(stop.wait())
        try:
            await asyncio.wait([ready, stopped], return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                notify("READY=1")
                print(f"ready: {self._where} · {len(self._slots)} processes", flush=True)
            await stopped
        finally:
            notify("STOPPING=1")
            ready.cancel()
            for task in reloads:
                task.cancel()
            for slot in self._slots:
                slot.end()
            await asyncio.gather(*keeping)
            for one in self._listening:
                one.close()

    async def _all_ready(self) -> None:
        for slot in self._slots:
            await slot.ready.wait()

    async def _reload(self) -> None:
        async with self._reloading:
            for number, slot in enumerate(self._slots):
                if not await slot.renew():
                    self._log("not_reloaded", number=number)
                    return
            self._log("reloaded", processes=len(self._slots))


class _Slot:
    """One of the processes, and those that take its place."""

    def __init__(self, number: int, listening: list[socket.socket], environment: Mapping[str, str], log: Log) -> None:
        self.ready = asyncio.Event()
        self._number = number
        self._listening = listening
        self._environment = environment
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._ended = asyncio.Event()
        self._renewed = False

    async def keep(self) -> None:
        """Start the process, and again when it ends or could not be started, until `end`."""
        wait = FIRST_WAIT
        while not self._ended.is_set():
            began = time.monotonic()
            self._renewed = False
            what: dict[str, object]
            try:
                event, what = "process_ended", {"code": await self._live()}
            # No folder, descriptor, process or program; asyncio says RuntimeError where it gets no thread to wait in.
            except (OSError, RuntimeError) as error:
                event, what = "process_not_started", {"error": str(error)}
            else:
                if self._renewed:
                    continue
            if self._ended.is_set():
                return
            wait = FIRST_WAIT if time.monotonic() - began > STEADY else min(2 * wait, LAST_WAIT)
            self._log(event, number=self._number, **what, starts_again_in=wait)
            try:
                async with asyncio.timeout(wait):
                    await self._ended.wait()
            except TimeoutError:
                continue

    async def renew(self) -> bool:
        """End the process; another takes its place at once, or after the wait where one could not be started. Whether
        it is ready `RENEWED_WITHIN` the end of the old one."""
        self._renewed = True
        self.ready.clear()
        self._terminate()
        if self._process is not None:
            await self._process.wait()
        try:
            async with asyncio.timeout(RENEWED_WITHIN):
                await self.ready.wait()
        except TimeoutError:
            return False
        return True

    def end(self) -> None:
        """End the process for good."""
        self._ended.set()
        self._terminate()

    def _terminate(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()

    async def _live(self) -> int:
        """One process from its start to its end; its exit status. Raises `OSError` where it cannot be started."""
        with tempfile.TemporaryDirectory(prefix="quotewright-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "notify"
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
                told.bind(str(path))
                told.setblocking(False)
                process = self._process = await self._start(str(path))
                # Told while it started, which ended nothing.
                if self._ended.is_set() or self._renewed:
                    self._terminate()
                listening = asyncio.create_task(self._hear(told, process))
                try:
                    return await process.wait()
                finally:
                    listening.cancel()
                    self.ready.clear()

    async def _start(self, notify_socket: str) -> asyncio.subprocess.Process:
        numbers = [one.fileno() for one in self._listening]
        environment = {**os.environ, **self._environment, "NOTIFY_SOCKET": notify_socket}
        command = sockets.handing_over(numbers, [sys.executable, "-m", "cli.main", "serve"], parent=os.getpid())
        return await asyncio.create_subprocess_exec(*command, env=environment, pass_fds=numbers, start_new_session=True)

    async def _hear(self, told: socket.socket, process: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(READY_WITHIN):
                while b"READY=1" not in await loop.sock_recv(told, 4096):
                    pass
        except TimeoutError:
            self._log("process_not_ready", number=self._number, pid=process.pid)
            process.kill()
            return
        self._log("process_ready", number=self._number, pid=process.pid)
        self.ready.set()
