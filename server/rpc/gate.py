"""Between gateway and server: who is behind a credential, and which credentials have ended."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable

from quotewright.v1 import gate_pb2

from process.log import Log
from process.usage import Figures, Use
from server.authentication import Authenticator
from server.domain import credentials
from server.interceptors import Call
from server.store import accounts, audit, usage
from server.store.database import Store
from server.store.signals import Topic

#: How often the table of revocations is looked at where nobody tells that it has changed: other processes write it too.
#: In force everywhere within a second (D18).
POLL_EVERY = 0.2


class Revocations:
    """Follows the table of revocations and tells every listener, with a beat every `POLL_EVERY` seconds."""

    def __init__(self, store: Store, log: Log) -> None:
        self._store = store
        self._log = log
        self._last = 0
        self._listeners: set[asyncio.Queue[tuple[str, ...] | None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        store.on(Topic.REVOCATION, lambda _: self._changed.set())
        #: When the table was last read, in `time.monotonic` seconds.
        self.read_at = time.monotonic()

    @property
    def heard(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    async def start(self) -> None:
        """Begin after the newest revocation: nobody listens yet, so nobody remembers anything older."""
        self._last = await self._store.read(accounts.last_revocation)
        self._task = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """End every listener's stream."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for listener in self._listeners:
            listener.put_nowait(None)

    async def listen(self) -> AsyncIterator[tuple[str, ...]]:
        """Ids of credentials to forget; an empty tuple is a beat. Ends when the server stops."""
        queue: asyncio.Queue[tuple[str, ...] | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield ()
            while (ids := await queue.get()) is not None:
                yield ids
        finally:
            self._listeners.discard(queue)

    async def _follow(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_EVERY):
                    await self._changed.wait()
            self._changed.clear()
            last = self._last
            try:
                self._last, ids = await self._store.read(lambda last=last: accounts.revocations_after(last))  # type: ignore[misc]
            except Exception as error:  # noqa: BLE001 - without beats the gateways stop trusting their memory
                self._log("revocations_unreadable", error=str(error))
                continue
            self.read_at = time.monotonic()
            for listener in self._listeners:
                listener.put_nowait(ids)


class GateService:
    """For gateways only."""

    def __init__(
        self, store: Store, authenticator: Authenticator, revocations: Revocations, clock: Callable[[], int]
    ) -> None:
        self._store = store
        self._authenticator = authenticator
        self._revocations = revocations
        self._clock = clock

    async def Authenticate(self, request: gate_pb2.AuthenticateRequest, _call: Call) -> gate_pb2.AuthenticateResponse:
        """The principal and its proof."""
        match request.WhichOneof("credential"):
            case "api_key":
                principal = await self._authenticator.api_key(request.api_key)
            case "link_token":
                principal = self._authenticator.link(request.link_token)
            case _:
                principal = await self._authenticator.session(request.session_token)
        return gate_pb2.AuthenticateResponse(principal=principal, principal_token=self._authenticator.prove(principal))

    async def StreamRevocations(
        self, _request: gate_pb2.StreamRevocationsRequest, _call: Call
    ) -> AsyncIterator[gate_pb2.StreamRevocationsResponse]:
        """The stream that gateways follow."""
        return self._responses()

    async def _responses(self) -> AsyncIterator[gate_pb2.StreamRevocationsResponse]:
        async for ids in self._revocations.listen():
            yield gate_pb2.StreamRevocationsResponse(credential_ids=ids)

    async def ReportUsage(self, request: gate_pb2.ReportUsageRequest, _call: Call) -> gate_pb2.ReportUsageResponse:
        """Durable once it is answered."""
        counts = {
            Use(one.organization_id, one.livemode, one.day, one.operation): Figures(
                one.requests, one.refused, one.failed, one.busiest_minute
            )
            for one in request.counts
        }
        at = self._clock()

        def add() -> None:
            if usage.note_report(request.report_id, at):
                usage.add(counts)

        await self._store.write(add)
        return gate_pb2.ReportUsageResponse()

    async def ReportExposure(
        self, request: gate_pb2.ReportExposureRequest, call: Call
    ) -> gate_pb2.ReportExposureResponse:
        """Flag the key and say so in the audit log. Answers alike whether the key exists or not."""
        credential = credentials.parse(request.api_key)
        if credential is not None and credentials.is_key(credential):
            at = self._clock()

            def flag() -> None:
                key = accounts.find_key(credential.public_id)
                known = key is not None and key.secret_hash == credential.secret_hash
                if key is not None and known and accounts.flag_exposed(key.public_id, at):
                    act = audit.Act(key.organization_id, key.livemode, "gateway", call.request_id, at)
                    audit.record(act, "key:exposed", f"key:{key.public_id}", request.channel)

            await self._store.write(flag)
        return gate_pb2.ReportExposureResponse()
