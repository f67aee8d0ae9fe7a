"""What must hold after every fault: what was acknowledged is there, once, and the books are in order."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import aiohttp

from server.store import audit
from server.store.database import Store
from tests.stack import Answer, Client, Organization, Stack

TEXTS = ["Paint 60 m2 of walls", "Replace 12 m of guttering", "Fit three ceiling fans", "Lay 200 sq ft of laminate"]
#: Seconds in which a service must be ready again on a machine that is busy with much else: it does not hang. Alone it takes
#: less than five (docs/faults.md).
PATIENCE = 60.0
#: What a client may be told while something is broken: try again (with the same key: it is safe).
TRY_AGAIN = {503, 504}


@dataclass
class Books:
    """What clients of one organization were told, and what they were refused."""

    organization: Organization
    #: Idempotency key → the quote that was acknowledged.
    acknowledged: dict[str, dict] = field(default_factory=dict)
    #: Answers by status, and connections that broke.
    seen: Counter[str] = field(default_factory=Counter)
    #: When the first try that came to nothing began, and the last one ended, in `time.monotonic` seconds.
    first_trouble: float = 0.0
    last_trouble: float = 0.0
    _names: itertools.count = field(default_factory=itertools.count)

    @contextlib.asynccontextmanager
    async def written(self, client: Client, writers: int = 8) -> AsyncIterator[None]:
        """Meanwhile so many clients ask for quotes, one after the other, each until it is acknowledged, with one and the
        same idempotency key. In the end they finish the last one."""
        done = asyncio.Event()
        names = [f"{next(self._names)}" for _ in range(writers)]
        writing = [asyncio.ensure_future(self._write(client, name, done)) for name in names]
        try:
            yield
        except BaseException:
            for one in writing:
                one.cancel()
            await asyncio.gather(*writing, return_exceptions=True)
            raise
        done.set()
        await asyncio.gather(*writing)

    async def _write(self, client: Client, name: str, done: asyncio.Event) -> None:
        key = self.organization.test_key if int(name) % 4 == 3 else self.organization.live_key
        for number in itertools.count():
            if done.is_set():
                return
            once = f"{name}-{number}"
            self.acknowledged[once] = (await self.persist(client, key, once, _text(once))).json()

    async def repeat(self, client: Client, once: str) -> dict:
        """What a request that was acknowledged is answered when it is sent again."""
        key = self.organization.live_key if self.acknowledged[once]["livemode"] else self.organization.test_key
        return (await self.persist(client, key, once, _text(once))).json()

    async def wait_for(self, more: int, within: float = PATIENCE) -> None:
        """Return when so many more have been acknowledged."""
        enough = len(self.acknowledged) + more
        deadline = time.monotonic() + within
        while len(self.acknowledged) < enough:
            assert time.monotonic() < deadline, f"too few are answered: {self.seen}"
            await asyncio.sleep(0.02)

    async def persist(
        self, client: Client, key: str, once: str, text: str = TEXTS[0], within: float = 5 * PATIENCE
    ) -> Answer:
        """Ask until it is answered."""
        deadline = time.monotonic() + within
        while True:
            answer = await self.ask(client, key, once, text)
            if answer is not None:
                return answer
            assert time.monotonic() < deadline, f"no answer in {within} s: {self.seen}"
            await asyncio.sleep(0.2)

    async def ask(self, client: Client, key: str, once: str, text: str = TEXTS[0]) -> Answer | None:
        """One try; None where it is to be tried again. Whatever else is answered fails the test."""
        began = time.monotonic()
        try:
            answer = await client.generate(key, text, headers={"Idempotency-Key": once})
        except (aiohttp.ClientError, TimeoutError) as error:
            self.seen[type(error).__name__] += 1
        else:
            self.seen[str(answer.status)] += 1
            if answer.status == 200:
                return answer
            assert answer.status in TRY_AGAIN, answer.body
        self.first_trouble = self.first_trouble or began
        self.last_trouble = time.monotonic()
        return None

    async def check(self, client: Client, running: Stack) -> None:
        """Every promise, by the API and in the database."""
        assert self.acknowledged, f"nothing was written: the test proves nothing ({self.seen})"
        ids = [quote["quote_id"] for quote in self.acknowledged.values()]
        assert len(set(ids)) == len(ids), "two keys, one quote"
        for once, quote in self.acknowledged.items():
            key = self.organization.live_key if quote["livemode"] else self.organization.test_key
            answer = await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}", key=key)
            assert answer.status == 200, (once, answer.body)
            assert answer.json() == quote
        mine = self.organization.organization_id
        kept = running.rows("select count(*) from idempotency_record where organization_id = ?", mine)
        made = running.rows("select count(*) from quote where organization_id = ?", mine)
        assert kept == made, "one effect an idempotency key, and one key an effect"
        await asyncio.to_thread(check_store, running)


def _text(once: str) -> str:
    return TEXTS[int(once.rpartition("-")[2]) % len(TEXTS)]


def check_store(running: Stack) -> None:
    """Numbers without gaps per organization and mode, the file whole, every audit chain unbroken."""
    numbers: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for organization_id, livemode, number in running.rows(
        "select organization_id, livemode, number from quote order by id"
    ):
        numbers[organization_id, bool(livemode)].append(int(number.rsplit("-", 1)[1]))
    for whose, given in numbers.items():
        assert given == list(range(1, len(given) + 1)), f"numbers of {whose}"
    if not running.database_url:
        assert running.rows("pragma integrity_check") == [("ok",)]
        assert running.rows("pragma foreign_key_check") == []
    organizations = [number for (number,) in running.rows("select id from organization")]
    store = Store(running.database)
    try:
        for number in organizations:
            assert store.read_now(lambda number=number: audit.verify(number)) is None, f"audit chain of {number}"
    finally:
        store.close()


async def ready_again(client: Client, key: str, within: float = PATIENCE) -> float:
    """Seconds until a request is answered."""
    began = time.monotonic()
    while True:
        with contextlib.suppress(aiohttp.ClientError, TimeoutError):
            answer = await client.request("GET", "/api/v1/quotes?limit=1", key=key, timeout=aiohttp.ClientTimeout(5))
            if answer.status == 200:
                return time.monotonic() - began
            assert answer.status in TRY_AGAIN, answer.body
        assert time.monotonic() - began < within, f"not ready again in {within} s"
        await asyncio.sleep(0.02)
