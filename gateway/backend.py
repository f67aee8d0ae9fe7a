"""Where RPCs go: into the same process, or through a gRPC channel. Both answer alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Any, Protocol

import grpc
from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2

from process import wire
from process.contract import Rpc

Metadata = Mapping[str, str | bytes]
#: Messages; a status, if any, comes last.
Stream = AsyncGenerator[Message | status_pb2.Status, None]


class Backend(Protocol):
    """Makes calls. An RPC that fails answers with its `google.rpc.Status` in place of the response."""

    async def call(
        self, rpc: Rpc, request: Message, metadata: Metadata, timeout: float
    ) -> tuple[Message | status_pb2.Status, Mapping[str, str]]:
        """One unary call: the response or the status, and the metadata that came back."""

    def stream(self, rpc: Rpc, request: Message, metadata: Metadata) -> Stream:
        """One streaming call: its messages; a status, if any, comes last."""

    async def close(self) -> None:
        """Let go of the connections."""


class LocalServer(Protocol):
    """What the in-process backend needs of a server; `server.app.Server` has it."""

    async def call(
        self, path: str, request: Message, metadata: Metadata, timeout: float
    ) -> tuple[Message | status_pb2.Status, Mapping[str, str]]:
        """One unary call through the server's whole chain."""

    def stream(self, path: str, request: Message, metadata: Metadata) -> Stream:
        """One streaming call through the server's whole chain."""


class InProcessBackend:
    """Awaits the servicer through the same chain as the gRPC port; saves the hop, not the checks."""

    def __init__(self, server: LocalServer) -> None:
        self._server = server

    async def call(
        self, rpc: Rpc, request: Message, metadata: Metadata, timeout: float
    ) -> tuple[Message | status_pb2.Status, Mapping[str, str]]:
        """See `Backend.call`."""
        return await self._server.call(rpc.path, request, metadata, timeout)

    def stream(self, rpc: Rpc, request: Message, metadata: Metadata) -> Stream:
        """See `Backend.stream`."""
        return self._server.stream(rpc.path, request, metadata)

    async def close(self) -> None:
        """Nothing is held."""


class ChannelBackend:
    """Calls a server elsewhere."""

    def __init__(self, target: str) -> None:
        self._channel = grpc.aio.insecure_channel(
            target,
            options=[
                ("grpc.max_receive_message_length", wire.LARGEST_MESSAGE),
                ("grpc.max_send_message_length", wire.LARGEST_MESSAGE),
                ("grpc.keepalive_time_ms", 30_000),
                ("grpc.initial_reconnect_backoff_ms", 100),
                ("grpc.max_reconnect_backoff_ms", 1_000),
            ],
        )

    async def call(
        self, rpc: Rpc, request: Message, metadata: Metadata, timeout: float
    ) -> tuple[Message | status_pb2.Status, Mapping[str, str]]:
        """See `Backend.call`."""
        method = self._channel.unary_unary(
            rpc.path,
            request_serializer=rpc.request_class.SerializeToString,
            response_deserializer=rpc.response_class.FromString,
        )
        pending = method(request, metadata=tuple(metadata.items()), timeout=timeout)
        try:
            response = await pending
        except grpc.aio.AioRpcError as error:
            return _status(error), _texts(error.trailing_metadata())
        return response, _texts(await pending.trailing_metadata())

    async def stream(self, rpc: Rpc, request: Message, metadata: Metadata) -> Stream:
        """See `Backend.stream`."""
        method = self._channel.unary_stream(
            rpc.path,
            request_serializer=rpc.request_class.SerializeToString,
            response_deserializer=rpc.response_class.FromString,
        )
        pending = method(request, metadata=tuple(metadata.items()))
        try:
            async for message in pending:
                yield message
        except grpc.aio.AioRpcError as error:
            yield _status(error)
        except asyncio.CancelledError:
            # grpc raises this for a call that the channel's end has cut, too; only our own task's end goes on up.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            yield status_pb2.Status(code=code_pb2.UNAVAILABLE, message="the stream was cut")

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close(None)


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    trailing: Iterable[Any] = error.trailing_metadata() or ()
    for key, value in trailing:
        if key == wire.STATUS_DETAILS:
            return status_pb2.Status.FromString(value)
    return status_pb2.Status(code=error.code().value[0], message=error.details() or "")


def _texts(metadata: Iterable[Any] | None) -> Mapping[str, str]:
    return {key: value for key, value in metadata or () if isinstance(value, str)}
