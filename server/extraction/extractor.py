"""Has documents read in processes of their own: so many at a time, each with an end to its time, memory and answer.

What reads a hostile file holds no secret, no connection and no file of the service, and what it makes of the file
cannot slow, fill or end the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import orjson

from server.domain.document import Content
from server.extraction.limits import RefusedError, UnsupportedError

#: Bytes of an answer: the longest text in four bytes a code point, twice, with room for what is around it.
_LONGEST_ANSWER = 16 * 1024 * 1024
#: Seconds that a document waits for a place.
WAIT = 3.0


class BusyError(Exception):
    """As many documents as may be are being read, and the wait for a place took too long."""


class WorkerError(Exception):
    """The worker failed by itself, not by its document; the message is its trace."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was read, and the same as bytes to store."""

    content: Content
    stored: bytes


class Extractor:
    """Reads documents. ``seconds`` bound a reading, by the clock and by the processor, ``memory_mib`` its address
    space; ``workers`` are at work at the same time."""

    def __init__(self, seconds: float, memory_mib: int, workers: int) -> None:
        self.seconds = seconds
        self._memory = memory_mib * 1024 * 1024
        self._places = asyncio.Semaphore(workers)
        self._threads = ThreadPoolExecutor(workers, "documents")

    async def extract(self, data: bytes, content_type: str, filename: str, wait: float = WAIT) -> Extracted:
        """Read one document, after at most ``wait`` seconds for a place.

        Raises `RefusedError` (`UnsupportedError` for what no document is), `BusyError`, `WorkerError`. Cancelled, it
        ends the process.
        """
        try:
            async with asyncio.timeout(wait):
                await self._places.acquire()
        except TimeoutError:
            raise BusyError from None
        head = {
            "seconds": self.seconds,
            "memory_bytes": self._memory,
            "content_type": content_type,
            "filename": filename,
        }
        reading = _Reading(orjson.dumps(head) + b"\n", data, self.seconds)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, reading.run)
        finally:
            reading.end()
            self._places.release()

    def stop(self) -> None:
        """Take no more documents."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Reading:
    """One process and what is said to it. `run` is called in a thread: the event loop's own way of starting processes
    does not get along with gRPC's threads in the same process."""

    def __init__(self, head: bytes, data: bytes, seconds: float) -> None:
        self._head = head
        self._data = data
        self._seconds = seconds
        self._lock = threading.Lock()
        self._over = False
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> Extracted:
        """Start the process, give it the document, take its answer. Raises as `Extractor.extract` does."""
        with self._lock:
            if self._over:
                raise _took_too_long()
            self._process = process = subprocess.Popen(
                # -P: no module is looked for where the server happens to be started.
                [sys.executable, "-P", "-m", "server.extraction.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,
            )
        clock = threading.Timer(self._seconds, self.end)
        clock.start()
        try:
            with process:
                answer = self._exchanged(process)
                if len(answer) > _LONGEST_ANSWER:
                    raise RefusedError("too_much_text", "The document holds too much text.")
        finally:
            clock.cancel()
            self.end()
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL, -signal.SIGALRM):
            raise _took_too_long()
        if process.returncode < 0:
            raise RefusedError("broken", "The document is broken: reading it fails.")
        if process.returncode:
            raise WorkerError(f"the worker ended with status {process.returncode}")
        return _read_answer(answer)

    def end(self) -> None:
        """End the process, if there is one; there will be none any more."""
        with self._lock:
            self._over = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()

    def _exchanged(self, process: subprocess.Popen[bytes]) -> bytes:
        """The worker reads all that it is given before it answers; one that has ended takes no more."""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(self._head)
            process.stdin.write(self._data)
            process.stdin.close()
        return process.stdout.read(_LONGEST_ANSWER + 1)


def _read_answer(answer: bytes) -> Extracted:
    try:
        given = orjson.loads(answer)
    except orjson.JSONDecodeError:
        raise WorkerError("the worker's answer is no JSON") from None
    if "defect" in given:
        raise WorkerError(given["defect"])
    refused = given.get("refused")
    if refused is not None:
        if refused["reason"] == UnsupportedError.REASON:
            raise UnsupportedError(refused["message"])
        raise RefusedError(refused["reason"], refused["message"])
    content = Content.from_json(given["content"])
    return Extracted(content, orjson.dumps(given["content"]))


def _took_too_long() -> RefusedError:
    return RefusedError("takes_too_long", "Reading the document takes too long.")


def _environment() -> dict[str, str]:
    """Where modules are, and nothing of the server's own settings."""
    return {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "OPENBLAS_NUM_THREADS": "1"}
