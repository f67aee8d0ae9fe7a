"""Ours, with all cross-cutting work on: keys, scopes, limits, field rules, envelope, log. Only the engines are canned.

It speaks plain HTTP like the other contenders, as behind a proxy that it trusts.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import uvloop
from quotewright.v1 import quote_pb2, sourcing_pb2

from benchmarks.contenders import KEY
from benchmarks.peers.canned import DRAFT, PRICES
from benchmarks.peers.serving import port_options
from gateway import tls
from gateway.app import Gateway
from gateway.backend import InProcessBackend
from gateway.config import GatewayConfig
from gateway.quota import MemoryQuota
from process import memory
from process.log import Log
from process.telemetry import Telemetry
from server import administration
from server.app import Server
from server.config import ServerConfig
from server.domain import credentials
from server.domain.plans import SCOPES
from server.interceptors import Call
from server.store import accounts


class CannedQuotes:
    """Answers every request with the same draft."""

    async def GenerateQuote(  # noqa: N802 - gRPC's name
        self, _request: quote_pb2.GenerateQuoteRequest, _call: Call
    ) -> quote_pb2.GenerateQuoteResponse:
        return DRAFT


class CannedPrices:
    """Answers every request with the same prices."""

    async def FindPrices(  # noqa: N802 - gRPC's name
        self, _request: sourcing_pb2.FindPricesRequest, _call: Call
    ) -> sourcing_pb2.FindPricesResponse:
        return PRICES


class CannedServer(Server):
    """The server with canned engines."""

    def engines(self) -> dict[str, object]:
        return {"quotewright.v1.QuoteService": CannedQuotes(), "quotewright.v1.SourcingService": CannedPrices()}

    async def _load_proofreader(self) -> None:
        """Nothing is loaded behind the start: seconds of it would be counted as the first requests'."""


def add_key(server: Server) -> None:
    """An organization that may ask as often as it likes."""
    organization = administration.create_organization(server.store, "Bench", "Enterprise", requests_per_minute=10**7)
    credential = credentials.parse(KEY)
    assert credential is not None
    server.store.write_now(
        lambda: accounts.create_key(
            organization, True, credential, name="bench", scopes=SCOPES, at=time.time_ns() // 1000
        )
    )


async def serve(port: int, folder: Path, away: TextIO) -> None:
    """``away`` is where the log goes: written like any other; kept in memory, it would be another cost."""
    telemetry = Telemetry()
    server = CannedServer(ServerConfig(data_dir=folder, grpc_port=0), Log("server", away), telemetry)
    add_key(server)
    await server.start()
    config = GatewayConfig(data_dir=folder, https_port=0, http_port=port, trusted_proxies=("127.0.0.0/8",))
    log = Log("gateway", away)
    gateway = Gateway(config, InProcessBackend(server), server.secret, log, MemoryQuota(time.monotonic), telemetry)
    local = tls.ensure_local_certificate(folder / "tls", now=datetime.now(UTC))
    await gateway.start(tls.server_context(local.certificate, local.key))
    memory.settle()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    await gateway.stop()
    await server.stop()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary, Path(os.devnull).open("w") as nowhere:
        uvloop.run(serve(port_options("port").port, Path(temporary), nowhere))
