"""Passwords as argon2id hashes, away from the event loop."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from server import faults

Result = TypeVar("Result")

#: A hash takes 64 MiB and four lanes of a processor: few at a time, and not many waiting.
THREADS = 2
MOST_WAITING = 32


class Passwords:
    """Hashes and compares, two at a time. All raise UNAVAILABLE where too many are waiting."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(THREADS, "passwords")
        self._waiting = 0
        #: What the password of an unknown address is compared with, so that it takes as long as any other.
        self._nobodys = self._threads.submit(self._hasher.hash, secrets.token_urlsafe())

    async def hash(self, password: str) -> str:
        """The hash to store."""
        return await self._run(lambda: self._hasher.hash(password))

    async def matches(self, password_hash: str | None, password: str) -> bool:
        """Whether it is the password; never, and in the same time, where there is no hash."""
        known = await asyncio.wrap_future(self._nobodys) if password_hash is None else password_hash
        return await self._run(lambda: self._verify(known, password)) and password_hash is not None

    def is_outdated(self, password_hash: str) -> bool:
        """Whether the hash was made with other parameters than new ones are."""
        return self._hasher.check_needs_rehash(password_hash)

    def stop(self) -> None:
        """Give up what waits."""
        self._threads.shutdown(cancel_futures=True)

    def _verify(self, password_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], Result]) -> Result:
        if self._waiting >= MOST_WAITING:
            raise faults.unavailable("Too many sign-ins at once.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1
