"""A real PostgreSQL server on a free loopback port, which tests may stop, kill, pause, start again, and give a standby."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

from tests import parts
from tests.stack import free_port

#: Where Debian keeps the programs of each version.
DEBIAN = "/usr/lib/postgresql/*/bin"
#: What a standby calls itself, and how far it is.
STANDBY = "standby"
#: Seconds for an orderly end: it writes a checkpoint, which takes as long as the disk does.
STOPPED_WITHIN = 120.0
_IN_STEP = f"select sync_state from pg_stat_replication where application_name = '{STANDBY}' and state = 'streaming'"


class PostgresServer:
    """One server with a cluster of its own. ``durable``: commits wait for the disk, as in service."""

    def __init__(self, folder: Path, *, durable: bool = False, copy_of: PostgresServer | None = None) -> None:
        found = shutil.which("postgres", path=os.pathsep.join([os.environ["PATH"], *_debian()]))
        if found is None:
            parts.missing("postgres is not installed")
        self._bin = Path(str(found)).resolve().parent
        self._data = folder / "cluster"
        self._log = folder / "postgres.log"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = iter(range(10_000))
        # It refuses to run as root; Debian's package brings a user.
        self._user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(folder, self._user)
        if copy_of is None:
            initdb = "--auth=trust --username=quotewright --no-sync --encoding=UTF8 --locale=C --no-instructions"
            self._run(str(self._bin / "initdb"), *initdb.split(), str(self._data))
        else:
            basebackup = "--wal-method=stream --checkpoint=fast --no-sync --write-recovery-conf"
            source = f"host=127.0.0.1 port={copy_of.port} user=quotewright application_name={STANDBY}"
            self._run(str(self._bin / "pg_basebackup"), *basebackup.split(), "-d", source, "-D", str(self._data))
        settings = {
            "port": self.port, "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''",
            "fsync": "on" if durable else "off", "synchronous_commit": "on" if durable else "off",
            "max_connections": 200, "shared_buffers": "'64MB'", "wal_retrieve_retry_interval": "'200ms'",
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
        """Break every connection and end it in good order ("fast shutdown"), also where it was paused. Raises
        `AssertionError` with its log where that takes too long; then it is killed, so that no other test meets it."""
        if self._process is not None and self._process.poll() is None:
            self.resume()
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(STOPPED_WITHIN)
            except subprocess.TimeoutExpired:
                self.kill()
                raise AssertionError(self._log.read_text()) from None

    def kill(self) -> None:
        """kill -9 of the server and of all its sessions."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(30)

    def pause(self) -> None:
        """It hangs, with all its sessions: connections stay open, nothing is answered."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        """It goes on from where it hung."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        # The first one last: else it would start new sessions meanwhile.
        first = self._process.pid
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (first, *map(int, children)) if number == signal.SIGSTOP else (*map(int, children), first):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    @contextlib.contextmanager
    def standby(self) -> Iterator[PostgresServer]:
        """A standby that every commit from now on waits for ("synchronous replication"), started."""
        with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
            standby = PostgresServer(Path(folder), durable=True, copy_of=self)
            try:
                standby.start()
                with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
                    connection.execute(f"alter system set synchronous_standby_names = '{STANDBY}'")
                    connection.execute("alter system set synchronous_commit = on")
                    connection.execute("select pg_reload_conf()")
                    _wait(lambda: connection.execute(_IN_STEP).fetchone() == ("sync",))
                yield standby
            finally:
                standby.stop()

    def promote(self) -> None:
        """Make a standby the server; it waits for no other."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("alter system reset synchronous_standby_names")
            connection.execute("select pg_reload_conf()")
            assert connection.execute("select pg_promote(true, 30)").fetchone() == (True,)

    def _run(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True, user=self._user, cwd="/", check=False)
        assert done.returncode == 0, done.stderr


def _wait(true: Callable[[], bool], within: float = 20.0) -> None:
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


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
