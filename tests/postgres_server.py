"""A real PostgreSQL server on a free loopback port, which tests may stop, kill and start again."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests import parts
from tests.stack import free_port

#: Where Debian keeps the programs of each version.
DEBIAN = "/usr/lib/postgresql/*/bin"


class PostgresServer:
    """One server with a cluster of its own. ``durable``: commits wait for the disk, as in service."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        found = shutil.which("postgres", path=os.pathsep.join([os.environ["PATH"], *_debian()]))
        if found is None:
            parts.missing("postgres is not installed")
        self._bin = Path(str(found)).parent
        self._data = folder / "cluster"
        self._log = folder / "postgres.log"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = iter(range(10_000))
        # It refuses to run as root; Debian's package brings a user.
        self._user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(folder, self._user)
        initdb = [
            "--auth=trust",
            "--username=quotewright",
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C",
            "--no-instructions",
        ]
        self._run(str(self._bin / "initdb"), *initdb, str(self._data))
        settings = {
            "port": self.port, "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''",
            "fsync": "on" if durable else "off", "synchronous_commit": "on" if durable else "off",
            "max_connections": 200, "shared_buffers": "'64MB'",
        }  # fmt: skip
        with (self._data / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://quotewright@127.0.0.1:{self.port}/{database}"

    def create(self) -> str:
        """The address of a new, empty database."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name} template template0")
        return self.url(name)

    def start(self) -> None:
        """Start it; returns when it takes connections."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._bin / "postgres"), "-D", str(self._data)], stdout=log, stderr=log, user=self._user,
                cwd=self._data,
            )  # fmt: skip
        deadline = time.monotonic() + 20
        while True:
            with (
                contextlib.suppress(psycopg.OperationalError),
                psycopg.connect(self.url("postgres"), connect_timeout=2),
            ):
                return
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        """Break every connection and end it in good order ("fast shutdown")."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)

    def kill(self) -> None:
        """kill -9 of the server and of all its sessions."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(30)

    def _run(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True, user=self._user, cwd="/", check=False)
        assert done.returncode == 0, done.stderr


def _debian() -> list[str]:
    return [str(path) for path in sorted(Path("/").glob(DEBIAN.lstrip("/")), reverse=True)]


@contextlib.contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """A started server that is ended in the end, with its files."""
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        server = PostgresServer(Path(folder), durable=durable)
        try:
            server.start()
            yield server
        finally:
            server.stop()
