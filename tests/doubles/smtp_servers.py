"""Real SMTP servers (aiosmtpd) on loopback: one that behaves, and ones that do not."""

# ruff: noqa: N802 - aiosmtpd names hooks by the command

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from gateway import tls


@dataclass
class Received:
    """A mail as a server took it."""

    sender: str
    recipient: str
    content: bytes
    encrypted: bool
    options: list[str]


@dataclass
class Handler:
    """Takes mail. ``answers`` are given to DATA one after the other, then 250; ``recipients`` to RCPT by address."""

    answers: list[str] = field(default_factory=list)
    recipients: dict[str, str] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    #: Seconds before DATA is answered.
    silence: float = 0.0
    #: Hang up instead of answering DATA: before it was taken, or after.
    drops: str = ""
    #: Hang up instead of answering QUIT.
    drops_quit: bool = False

    async def handle_RCPT(
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.recipients.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:
        await asyncio.sleep(self.silence)
        if self.drops == "before":
            server.transport.abort()
            return "250 OK"
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            self.received.append(
                Received(
                    str(envelope.mail_from),
                    envelope.rcpt_tos[0],
                    content,
                    session.ssl is not None,
                    envelope.mail_options,
                )
            )
        if self.drops == "after":
            server.transport.abort()
        return answer

    async def handle_QUIT(self, server: Any, session: Session, envelope: Envelope) -> str:
        if self.drops_quit:
            server.transport.abort()
        return "221 Bye"


def accounts(server: Any, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"acme", b"secret word")
    return AuthResult(success=good, handled=good)


def contexts(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's context for localhost, and a client's that trusts its authority and nothing else."""
    local = tls.ensure_local_certificate(folder, now=datetime.now(UTC))
    return tls.server_context(local.certificate, local.key), ssl.create_default_context(cafile=folder / "ca.pem")


@contextlib.asynccontextmanager
async def smtp_server(
    handler: Any, *, starttls: ssl.SSLContext | None = None, implicit: ssl.SSLContext | None = None, **more: Any
) -> AsyncIterator[int]:
    """A server on a port of its own; the port."""
    loop = asyncio.get_running_loop()

    def protocol() -> SMTP:
        return SMTP(handler, hostname="localhost", enable_SMTPUTF8=True, tls_context=starttls, loop=loop, **more)

    listener = await loop.create_server(protocol, "127.0.0.1", 0, ssl=implicit)
    async with listener:
        yield listener.sockets[0].getsockname()[1]


@contextlib.asynccontextmanager
async def mute_server() -> AsyncIterator[int]:
    """Takes connections and says nothing."""

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await reader.read()
        writer.close()

    listener = await asyncio.start_server(hold, "127.0.0.1", 0)
    async with listener:
        yield listener.sockets[0].getsockname()[1]
