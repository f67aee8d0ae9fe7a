"""Allowances that several gateways share, kept in Redis; and what holds while Redis cannot be asked.

One script (sliding_window.lua) is the whole limiter: it runs alone and by Redis's clock, so the window is exact over
all gateways. Requests that arrive together are asked together, in one round trip over one connection.

Whatever goes wrong with Redis, the request at hand is decided by what this gateway has admitted in the last minute,
and so are those after it, without asking, until Redis answers again (docs/adr/0005). Only that request, and those that
wait with it, have waited.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, ResponseError

from gateway.quota import WINDOW, MemoryQuota, Subject, Verdict
from process.log import Log
from process.settings import SettingsError

SCRIPT = Path(__file__).with_name("sliding_window.lua").read_text()
SCRIPT_ID = hashlib.sha1(SCRIPT.encode()).hexdigest()  # noqa: S324 - Redis's own name for a script
#: Most questions in one round trip.
MOST_TOGETHER = 256
#: Seconds. A connection must be up within the first; while Redis cannot be asked it is tried every so often; while
#: nobody asks anything, every so often whether it still answers, which also keeps the connection from idling away.
CONNECT_WITHIN = 1.0
TRY_EVERY = 0.25
BEAT_EVERY = 5.0
#: The allowance of beats: each of them must be written.
MOST_BEATS = 2**31
#: A deadline is counted in so many slices, see `_in_time`.
SLICES = 4

Result = TypeVar("Result")
Command = tuple[str | int, ...]


@dataclass(slots=True)
class _Question:
    """``asked_at`` on the gateway's clock. The answer is None where Redis gave none."""

    subject: Subject
    limit: int
    take: bool
    asked_at: float
    answer: asyncio.Future[Verdict | None]


class RedisQuota:
    """See `gateway.quota.Quota`. ``url``: redis://, rediss:// or unix://; ``prefix`` begins the name of every key;
    ``within``: seconds that Redis has for an answer; ``clock`` is monotonic, in seconds."""

    def __init__(self, url: str, prefix: str, within: float, log: Log, clock: Callable[[], float]) -> None:
        try:
            pool = ConnectionPool.from_url(
                url,
                protocol=2,
                retry=Retry(NoBackoff(), 0),
                socket_connect_timeout=CONNECT_WITHIN,
                socket_timeout=None,  # `_in_time` is the deadline
            )
            self._connection: AbstractConnection = pool.make_connection()
        except (TypeError, ValueError, AttributeError):
            # Without the URL, nor what was said of it: it may hold a password.
            raise SettingsError("QW_REDIS_URL is not a URL of Redis (redis://, rediss:// or unix://)") from None
        self._prefix = prefix
        self._within = within
        self._log = log
        self._clock = clock
        #: What this gateway has admitted, whoever decided it.
        self._own = MemoryQuota(clock)
        self._shared: bool | None = None
        self._waiting: list[_Question] = []
        self._asked: list[_Question] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect. Returns when Redis has answered or could not be reached; then it goes on being tried."""
        try:
            await self._connect()
            self._now_shared()
        except Exception as error:  # noqa: BLE001 - see _run
            await self._now_alone(error)
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Let go of the connection; what is still asked is decided here."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._shared = False
        self._give_up()
        await self._disconnect()

    @property
    def shared(self) -> bool:
        """Whether Redis decides at present."""
        return bool(self._shared)

    async def take(self, subject: Subject, limit: int) -> Verdict:
        """See `Quota.take`."""
        return await self._ask(subject, limit, take=True) or await self._own.take(subject, limit)

    async def look(self, subject: Subject, limit: int) -> Verdict:
        """See `Quota.look`."""
        return await self._ask(subject, limit, take=False) or await self._own.look(subject, limit)

    async def _ask(self, subject: Subject, limit: int, *, take: bool) -> Verdict | None:
        """What Redis says, where it can be asked and need be."""
        own = await self._own.look(subject, limit)
        if not own.admitted:
            # Redis would say the same, unless it has forgotten what this gateway admitted.
            return own
        if not self._shared:
            return None
        answer: asyncio.Future[Verdict | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Question(subject, limit, take, self._clock(), answer))
        self._wake.set()
        return await answer

    async def _run(self) -> None:
        """Ask Redis what is waiting; after a failure try until it answers again."""
        while True:
            try:
                if not self._shared:
                    await asyncio.sleep(TRY_EVERY)
                    await self._connect()
                    self._now_shared()
                await self._ask_waiting()
            except Exception as error:  # noqa: BLE001 - whatever it is, requests must be decided
                await self._now_alone(error)

    async def _ask_waiting(self) -> None:
        if not self._waiting:
            self._wake.clear()
            try:
                async with asyncio.timeout(BEAT_EVERY):
                    await self._wake.wait()
            except TimeoutError:
                await _in_time(self._beat(), self._within)
                return
        self._asked, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
        replies = await _in_time(self._evaluate([self._arguments(one) for one in self._asked]), self._within)
        refused = None
        for question, reply in zip(self._asked, replies, strict=True):
            if isinstance(reply, ResponseError):
                refused = reply
            else:
                await self._settle(question, reply)
        if refused is not None:
            raise refused
        self._asked = []

    def _arguments(self, question: _Question) -> Command:
        key = self._prefix + ":".join(map(str, question.subject))
        return 1, key, question.limit, int(question.take)

    async def _settle(self, question: _Question, reply: object) -> None:
        """Make Redis's reply the answer."""
        verdict = _verdict(reply, question.limit)
        if question.take and verdict.admitted:
            own = await self._own.look(question.subject, question.limit)
            if own.admitted:
                # Also where nobody waits for it any more: Redis has counted it. Counted from before Redis did, so
                # that it never leaves our window later than Redis's.
                self._own.note(question.subject, question.asked_at)
            else:
                verdict = own  # Redis has forgotten what it admitted
        if not question.answer.done():
            question.answer.set_result(verdict)

    async def _connect(self) -> None:
        await self._disconnect()
        async with asyncio.timeout(CONNECT_WITHIN):
            await self._connection.connect()
            await self._beat()

    async def _beat(self) -> None:
        """Raise unless the script runs and Redis takes writes: counts something of our own."""
        (reply,) = await self._evaluate([(1, f"{self._prefix}beat", MOST_BEATS, 1)])
        if isinstance(reply, ResponseError):
            raise reply
        _verdict(reply, MOST_BEATS)

    async def _evaluate(self, arguments: list[Command]) -> list[object]:
        """Run the script with each of the arguments: its replies, or what Redis says against them."""
        replies = await self._send([("EVALSHA", SCRIPT_ID, *one) for one in arguments])
        unknown = [number for number, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if unknown:
            # Redis keeps scripts in memory only. EVAL teaches it again.
            again = await self._send([("EVAL", SCRIPT, *arguments[number]) for number in unknown])
            for number, reply in zip(unknown, again, strict=True):
                replies[number] = reply
        return replies

    async def _send(self, commands: list[Command]) -> list[object]:
        await self._connection.send_packed_command(self._connection.pack_commands(commands), check_health=False)
        replies: list[object] = []
        for _ in commands:
            try:
                replies.append(await self._connection.read_response())
            except ResponseError as error:
                replies.append(error)
        return replies

    def _now_shared(self) -> None:
        self._shared = True
        self._log("quota_shared")

    async def _now_alone(self, error: Exception) -> None:
        """From here on this gateway decides, beginning with those that wait."""
        if self._shared is not False:
            self._log("quota_local", message=f"{type(error).__name__}: {error}")
        self._shared = False
        self._give_up()
        await self._disconnect()

    def _give_up(self) -> None:
        for question in (*self._asked, *self._waiting):
            if not question.answer.done():
                question.answer.set_result(None)
        self._asked, self._waiting = [], []

    async def _disconnect(self) -> None:
        try:
            await self._connection.disconnect(nowait=True)
        except Exception as error:  # noqa: BLE001 - it is given up anyway
            self._log("quota_disconnect", message=repr(error))


def _verdict(reply: object, limit: int) -> Verdict:
    """Raises `TypeError` or `ValueError` where the reply is none of the script."""
    if not isinstance(reply, list):
        raise TypeError(f"not a reply of the script: {reply!r}")
    admitted, count, reset = map(int, reply)
    return Verdict(bool(admitted), limit, max(0, limit - count), reset / 1_000_000 if limit > 0 else WINDOW)


async def _in_time(work: Awaitable[Result], seconds: float) -> Result:
    """The result of ``work``, within so many seconds, else `TimeoutError`.

    The time runs in slices, each of which begins when the loop has come round: a loop that was held up for longer than
    the whole deadline (a long computation, a busy machine) has lost one slice, and still finds the answer that has
    arrived meanwhile.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as deadline:
        timer: asyncio.TimerHandle

        def pass_slice(left: int) -> None:
            nonlocal timer
            if left:
                timer = loop.call_later(seconds / SLICES, pass_slice, left - 1)
            else:
                deadline.reschedule(loop.time())

        pass_slice(SLICES)
        try:
            return await work
        finally:
            timer.cancel()
