"""Programs of ours as processes that need not load what they start with: forked from one that has (`tests.loaded`).

They are processes as any other: with a session, a log, settings and signals of their own. What a test says of a start by
itself (its time, its command line, its memory) it must say of a new interpreter.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
from pathlib import Path

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.loaded"])


class Fork:
    """``python -m MODULE ARGUMENTS…``, with what `subprocess.Popen` has and tests use. It ends with the tests."""

    def __init__(self, module: str, arguments: list[str], environment: dict[str, str], log: Path) -> None:
        self._arguments = [module, *arguments]
        log.touch()
        self._process = _CONTEXT.Process(target=_become, args=(module, arguments, environment, log), daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def poll(self) -> int | None:
        """The exit status, or minus the signal that ended it; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The same of one that ends. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self._arguments, timeout)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Nothing where it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()


def _become(module: str, arguments: list[str], environment: dict[str, str], log: Path) -> None:
    os.setsid()
    stream = os.open(log, os.O_WRONLY | os.O_APPEND)
    os.dup2(stream, 1)
    os.dup2(stream, 2)
    os.close(stream)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = arguments
    sys.modules.pop(module, None)  # it is run anew, as the program
    runpy.run_module(module, run_name="__main__", alter_sys=True)
