"""Where RPCs go: into the same process, or through a gRPC channel. Both answer alike."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import grpc
from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2
from quotewright.options.v1 import options_pb2

from gateway.pacing import Pacing
from process import wire
from process.channel_tls import ChannelCredentials, ChannelFiles
from process.contract import Rpc

Metadata = Mapping[str, str | bytes]
#: The response or the status, and the metadata that came back.
Outcome = tuple[Message | status_pb2.Status, Mapping[str, str]]
#: Messages; a status, if any, comes last.
Stream = AsyncGenerator[Message | status_pb2.Status, None]

#: Who asks, and what everybody may know: little work without a slot, which waits for nobody.
UNPACED = frozenset((options_pb2.CREDENTIAL_KIND_GATEWAY, options_pb2.CREDENTIAL_KIND_PUBLIC))


class Backend(Protocol):
    """Makes calls. An RPC that fails answers with its `google.rpc.Status` in place of the response."""

    async def call(self, rpc: Rpc, request: Message, metadata: Metadata, timeout: float) -> Outcome:
        """One unary call: the response or the status, and the metadata that came back."""

    def stream(self, rpc: Rpc, request: Message, metadata: Metadata) -> Stream:
        """One streaming call: its messages; a status, if any, comes last."""

    async def close(self) -> None:
        """Let go of the connections."""


class LocalServer(Protocol):
    """What the in-process backend needs of a server; `server.app.Server` has it."""

    async def call(self, path: str, request: Message, metadata: Metadata, timeout: float) -> Outcome:
        """One unary call through the server's whole chain."""

    def stream(self, path: str, request: Message, metadata: Metadata) -> Stream:
        """One streaming call through the server's whole chain."""


class InProcessBackend:
    """Awaits the servicer through the same chain as the gRPC port; saves the hop, not the checks. Calls take turns."""

    def __init__(self, server: LocalServer) -> None:
        self._server = server
        self._pacing = Pacing()

    def call(self, rpc: Rpc, request: Message, metadata: Metadata, timeout: float) -> Coroutine[Any, Any, Outcome]:
        """See `Backend.call`. It hands on what is awaited, as each coroutine in between would cost every request."""
        if not UNPACED.isdisjoint(rpc.kinds) or self._pacing.begins():
            return self._server.call(rpc.path, request, metadata, timeout)
        return self._in_turn(rpc.path, request, metadata, timeout)

    async def _in_turn(self, path: str, request: Message, metadata: Metadata, timeout: float) -> Outcome:
        await self._pacing.turn()
        return await self._server.call(path, request, metadata, timeout)

    def stream(self, rpc: Rpc, request: Message, metadata: Metadata) -> Stream:
        """See `Backend.stream`."""
        return self._server.stream(rpc.path, request, metadata)

    async def close(self) -> None:
        """Nothing is held."""


#: Each channel spreads its calls over the addresses of its target, leaving out those whose server says that it stops or
#: does not reach its store (grpc.health.v1).
SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "healthCheckConfig": {"serviceName": wire.HEALTH_OF_GATE},
}
#: A call that reached no server, or that may be repeated, is made again so often, after pauses of up to so many
#: seconds (doubled, and of chance, so that gateways do not come back together).
RETRIES = 3
FIRST_PAUSE = 0.05
#: How calls end whose server is not there, or goes while it closes their streams.
UNANSWERED = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
#: Calls under way on a channel that is replaced may take this long, in seconds.
REPLACED_WITHIN = 60.0


class ChannelBackend:
    """Calls servers elsewhere: one channel a target (``host:port``, ``dns:///name:port``), in turn those that are
    connected. ``files`` are for mutual TLS. Raises like `ChannelCredentials`."""

    def __init__(self, targets: Sequence[str], files: ChannelFiles | None = None) -> None:
        self._targets = targets
        self._credentials = None if files is None else ChannelCredentials(files)
        self._channels = [self._open(target) for target in targets]
        self._turn = 0
        self._closing: set[asyncio.Task[None]] = set()

    def _open(self, target: str) -> grpc.aio.Channel:
        options: list[tuple[str, Any]] = [
            ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
            ("grpc.max_receive_message_length", wire.LARGEST_MESSAGE),
            ("grpc.max_send_message_length", wire.LARGEST_MESSAGE),
            # A network that swallows what is sent is noticed within seconds (by default after a minute; server.app
            # allows the pings), and a connection that was begun in it is given up (by default after 20 s).
            ("grpc.keepalive_time_ms", 2_000),
            ("grpc.http2.max_pings_without_data", 0),
            ("grpc.http2.ping_timeout_ms", 4_000),
            ("grpc.min_reconnect_backoff_ms", 4_000),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 1_000),
        ]
        if self._credentials is None:
            return grpc.aio.insecure_channel(target, options=options)
        return grpc.aio.secure_channel(
            target, self._credentials.current(), options=[*options, *self._credentials.options]
        )

    async def call(self, rpc: Rpc, request: Message, metadata: Metadata, timeout: float) -> Outcome:
        """See `Backend.call`. The timeout is for all its tries together."""
        by = time.monotonic() + timeout
        pauses = _pauses()
        while True:
            method = self._channel().unary_unary(
                rpc.path,
                request_serializer=rpc.request_class.SerializeToString,
                response_deserializer=rpc.response_class.FromString,
            )
            pending = method(request, metadata=tuple(metadata.items()), timeout=by - time.monotonic())
            try:
                response = await pending
            except grpc.aio.AioRpcError as error:
                pause = next(pauses, None) if may_repeat(rpc, metadata, error) else None
                if pause is None or time.monotonic() + pause >= by:
                    return _status(error), _texts(error.trailing_metadata())
            else:
                return response, _texts(await pending.trailing_metadata())
            await asyncio.sleep(pause)

    async def stream(self, rpc: Rpc, request: Message, metadata: Metadata) -> Stream:
        """See `Backend.stream`. Begun again only where it ended before its first message."""
        pauses = _pauses()
        while True:
            method = self._channel().unary_stream(
                rpc.path,
                request_serializer=rpc.request_class.SerializeToString,
                response_deserializer=rpc.response_class.FromString,
            )
            pending = method(request, metadata=tuple(metadata.items()))
            begun = False
            try:
                async for message in pending:
                    begun = True
                    yield message
            except grpc.aio.AioRpcError as error:
                pause = next(pauses, None) if not begun and may_repeat(rpc, metadata, error) else None
                if pause is None:
                    yield _status(error)
                    return
            except asyncio.CancelledError:
                # grpc raises this for a call that the channel's end has cut, too; only our own task's end goes on up.
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise
                yield status_pb2.Status(code=code_pb2.UNAVAILABLE, message="the stream was cut")
                return
            else:
                return
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """Close the channels."""
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        await asyncio.gather(*(channel.close(None) for channel in self._channels))

    def _channel(self) -> grpc.aio.Channel:
        """The next one that is connected; where none is, the next one that may be soon."""
        if self._credentials is not None and self._credentials.renewed():
            self._replace()
        if len(self._channels) == 1:
            return self._channels[0]
        self._turn += 1
        start = self._turn % len(self._channels)
        in_turn = self._channels[start:] + self._channels[:start]
        states = [channel.get_state(try_to_connect=True) for channel in in_turn]
        for wanted in (grpc.ChannelConnectivity.READY, grpc.ChannelConnectivity.CONNECTING):
            if wanted in states:
                return in_turn[states.index(wanted)]
        return in_turn[0]

    def _replace(self) -> None:
        for old in self._channels:
            task = asyncio.create_task(old.close(REPLACED_WITHIN))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        self._channels = [self._open(target) for target in self._targets]


def may_repeat(rpc: Rpc, metadata: Metadata, error: grpc.aio.AioRpcError) -> bool:
    """Whether a call that ended with ``error`` may be made again: where the server says that it was not begun; and
    where no server answered it and the contract declares that a repeated call has one effect."""
    if error.code() not in UNANSWERED:
        return False
    answered = {key for key, _ in (*(error.initial_metadata() or ()), *(error.trailing_metadata() or ()))}
    if wire.NOT_BEGUN in answered:
        return True
    if answered:
        return False
    if rpc.policy.idempotency == options_pb2.IDEMPOTENCY_KEYED:
        return wire.IDEMPOTENCY_KEY in metadata
    return True


def _pauses() -> Iterator[float]:
    """Seconds before each further try."""
    return (FIRST_PAUSE * 2**number * random.uniform(0.5, 1) for number in range(RETRIES))  # noqa: S311 - no secret


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    trailing: Iterable[Any] = error.trailing_metadata() or ()
    for key, value in trailing:
        if key == wire.STATUS_DETAILS:
            return status_pb2.Status.FromString(value)
    if error.code() in UNANSWERED:
        return status_pb2.Status(code=code_pb2.UNAVAILABLE, message=error.details() or "")
    return status_pb2.Status(code=error.code().value[0], message=error.details() or "")


def _texts(metadata: Iterable[Any] | None) -> Mapping[str, str]:
    return {key: value for key, value in metadata or () if isinstance(value, str)}
