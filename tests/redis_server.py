"""A real redis-server on a free loopback port, which tests may pause, kill and start again."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import redis

from tests import parts
from tests.stack import free_port


class RedisServer:
    """One redis-server that keeps nothing on disk; more options as its configuration names them."""

    def __init__(self, folder: Path, **options: object) -> None:
        self._command = parts.program("redis-server")
        self.port = free_port()
        self._folder = folder
        self._options = {
            "port": self.port,
            "bind": "127.0.0.1",
            "save": "",
            "appendonly": "no",
            "dir": folder,
            **options,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._clients: dict[str, redis.Redis] = {}

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self, url: str = "") -> redis.Redis:
        """A client of the tests' own, closed with the server."""
        url = url or self.url
        if url not in self._clients:
            self._clients[url] = redis.Redis.from_url(url)
        return self._clients[url]

    def start(self) -> None:
        """Start it, empty; returns when it listens."""
        options = [part for name, value in self._options.items() for part in (f"--{name}", str(value))]
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen([self._command, *options], stdout=log, stderr=log)
        deadline = time.monotonic() + 10
        while "Ready to accept connections" not in self._new_log():
            assert self._process.poll() is None, self._new_log()
            assert time.monotonic() < deadline, self._new_log()
            time.sleep(0.02)

    def _new_log(self) -> str:
        return (self._folder / "redis.log").read_text().rpartition("Redis is starting")[2]

    def pause(self) -> None:
        """It hangs: connections stay open, nothing is answered."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """It goes on from where it hung."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """kill -9: connections break, what it knew is gone."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it, whatever state it is in."""
        for client in self._clients.values():
            client.close()
        if self._process is not None:
            self.kill()


@contextlib.contextmanager
def redis_server(folder: Path, **options: object) -> Iterator[RedisServer]:
    """A started server that is ended in the end."""
    folder.mkdir(parents=True, exist_ok=True)
    server = RedisServer(folder, **options)
    try:
        server.start()
        yield server
    finally:
        server.stop()
