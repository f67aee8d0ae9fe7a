"""The processes: ``serve`` (server and gateway in one), ``server``, ``gateway``, ``worker``, and ``demo``."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import os
import signal
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvloop

from cli import demo, supervisor
from gateway import tls
from gateway.app import Gateway
from gateway.backend import Backend, ChannelBackend, InProcessBackend
from gateway.config import GatewayConfig
from gateway.quota import MemoryQuota, Quota
from process import memory, sockets, telemetry, turns
from process.channel_tls import ChannelFiles
from process.config import ProcessConfig
from process.log import Log
from process.notify import notify
from process.private_port import PrivatePort
from process.settings import SettingsError
from process.telemetry import Telemetry
from server.config import ServerConfig
from server.keys import gateway_secret
from server.outgoing import Delivery
from server.store.database import Store

if TYPE_CHECKING:
    from server.app import Server


def add_commands(commands: Any) -> None:
    """Add the commands of this file."""
    serve = commands.add_parser("serve", help="run server and gateway in one process")
    serve.add_argument("--demo", action="store_true", help="make a demo organization on first start")
    serve.add_argument("--processes", type=int, help="run so many on the same ports, and keep them running")
    serve.set_defaults(run=_serve)
    commands.add_parser("server", help="run the gRPC server alone").set_defaults(run=_server)
    commands.add_parser("gateway", help="run the HTTPS gateway alone").set_defaults(run=_gateway)
    commands.add_parser("worker", help="deliver webhooks and mail alone").set_defaults(run=_worker)
    show = commands.add_parser("demo", help="serve, send one real request, show its draft")
    show.add_argument("--exit", action="store_true", help="stop afterwards")
    show.set_defaults(run=_demo)


def _serve(options: argparse.Namespace, server: ServerConfig, gateway: GatewayConfig) -> None:
    if options.demo:
        _ensure_demo(server)
    if options.processes is not None:
        asyncio.run(_supervise(options.processes, server, gateway))
        return
    watched = _telemetry("quotewright")
    uvloop.run(_until_signal(combined(server, gateway, watched), watched))


async def _supervise(count: int, server: ServerConfig, gateway: GatewayConfig) -> None:
    supervisor.check(count, gateway)
    # What processes make on first start is made once.
    tls_context(gateway)
    Store(server.database).close()
    log = Log("supervisor")
    try:
        await supervisor.Supervisor(count, server, gateway, log).run()
    finally:
        log.flush()


def _server(_options: argparse.Namespace, server: ServerConfig, gateway: GatewayConfig) -> None:
    watched = _telemetry("quotewright-server")
    uvloop.run(_until_signal(server_alone(_with_public_url(server, gateway), watched), watched))


def _gateway(_options: argparse.Namespace, _server: ServerConfig, gateway: GatewayConfig) -> None:
    watched = _telemetry("quotewright-gateway")
    uvloop.run(_until_signal(gateway_alone(gateway, watched), watched))


def _worker(_options: argparse.Namespace, server: ServerConfig, gateway: GatewayConfig) -> None:
    watched = _telemetry("quotewright-worker")
    uvloop.run(_until_signal(worker_alone(_with_public_url(server, gateway), watched), watched))


def _demo(options: argparse.Namespace, server: ServerConfig, gateway: GatewayConfig) -> int:
    credentials = _ensure_demo(server)
    watched = _telemetry("quotewright")
    return uvloop.run(_show(combined(server, gateway, watched), watched, credentials, gateway, stop=options.exit))


def _telemetry(service: str) -> Telemetry:
    return Telemetry(telemetry.tracer(service, os.environ))


@asynccontextmanager
async def combined(server_config: ServerConfig, config: GatewayConfig, watched: Telemetry) -> AsyncIterator[str]:
    """Server and gateway on one event loop; the gateway awaits the servicers in process."""
    async with AsyncExitStack() as closing:
        await _let_watch(config, watched, closing)
        server = await _started(_with_public_url(server_config, config), watched, closing)
        await _open_gateway(config, InProcessBackend(server), server.secret, watched, closing)
        watched.readiness.started()
        yield f"HTTPS https://localhost:{config.https_port}/api/v1 · gRPC localhost:{server.port}"


@asynccontextmanager
async def server_alone(config: ServerConfig, watched: Telemetry) -> AsyncIterator[str]:
    """The gRPC server."""
    async with AsyncExitStack() as closing:
        await _let_watch(config, watched, closing)
        server = await _started(config, watched, closing)
        watched.readiness.started()
        yield f"gRPC localhost:{server.port}"


@asynccontextmanager
async def gateway_alone(config: GatewayConfig, watched: Telemetry) -> AsyncIterator[str]:
    """The gateway, with a channel to a server elsewhere."""
    secret = gateway_secret(config.gateway_secret, config.data_dir)
    if not config.server_target:
        raise SettingsError("QW_SERVER_TARGET names no server")
    async with AsyncExitStack() as closing:
        await _let_watch(config, watched, closing)
        try:
            backend = ChannelBackend(config.server_target, channel_files(config, for_server=False))
        except (OSError, ValueError) as error:
            raise SettingsError(f"QW_GRPC_TLS: {error}") from None
        await _open_gateway(config, backend, secret, watched, closing)
        watched.readiness.started()
        yield f"HTTPS https://localhost:{config.https_port}/api/v1 · server {', '.join(config.server_target)}"


@asynccontextmanager
async def worker_alone(config: ServerConfig, watched: Telemetry) -> AsyncIterator[str]:
    """The worker that delivers webhooks and mail, beside servers on the same data folder."""
    async with AsyncExitStack() as closing:
        await _let_watch(config, watched, closing)
        log = Log("worker")
        closing.callback(log.flush)
        store = Store(config.database)
        closing.callback(store.close)
        delivery = Delivery(config, store, log, watched.registry)
        store.listen(log)
        closing.push_async_callback(store.stop_listening)
        closing.push_async_callback(delivery.stop)
        delivery.start()
        watched.readiness.started()
        yield "delivering webhooks and mail"


async def _let_watch(config: ProcessConfig, watched: Telemetry, closing: AsyncExitStack) -> None:
    """Open the private port before everything else and close it after everything else, so that starting and stopping
    can be watched."""
    log = Log("process")
    closing.callback(log.flush)
    watched.tracer.start(log)
    closing.push_async_callback(watched.tracer.close)
    if config.private_port:
        port = PrivatePort(watched)
        closing.push_async_callback(port.stop)
        await port.start(config.private_host, config.private_port)


async def _started(config: ServerConfig, watched: Telemetry, closing: AsyncExitStack) -> Server:
    """A started server, which ``closing`` stops, also where starting it fails half-way."""
    from server.app import Server  # two seconds, which gateways and workers alone need not wait

    log = Log("server")
    closing.callback(log.flush)
    server = Server(config, log, watched, channel_files(config, for_server=True))
    closing.push_async_callback(server.stop)
    await server.start()
    return server


async def _open_gateway(
    config: GatewayConfig, backend: Backend, secret: str, watched: Telemetry, closing: AsyncExitStack
) -> None:
    log = Log("gateway")
    closing.callback(log.flush)
    handed_over = sockets.inherited(os.environ)
    sockets.refuse_unknown(handed_over, (config.https_port, config.http_port))
    allowances = await _allowances(config, log)
    closing.push_async_callback(allowances.close)
    gateway = Gateway(config, backend, secret, log, allowances, watched)
    closing.push_async_callback(gateway.stop)
    await gateway.start(tls_context(config), handed_over)


async def _allowances(config: GatewayConfig, log: Log) -> Quota:
    """In this process, or where QW_REDIS_URL says."""
    if not config.redis_url:
        return MemoryQuota(time.monotonic)
    from gateway.redis_quota import RedisQuota  # half a second, for those who use it

    shared = RedisQuota(config.redis_url, config.redis_prefix, config.redis_seconds, log, time.monotonic)
    await shared.start()
    return shared


def tls_context(config: GatewayConfig) -> ssl.SSLContext:
    """The configured certificate, or a local one made on first start."""
    if config.tls_certificate:
        return tls.server_context(Path(config.tls_certificate), Path(config.tls_key))
    local = tls.ensure_local_certificate(config.data_dir / "tls", now=datetime.now(UTC))
    return tls.server_context(local.certificate, local.key)


def channel_files(config: ProcessConfig, *, for_server: bool) -> ChannelFiles | None:
    """What a gateway or a server shows the other; None without TLS. Raises `SettingsError`."""
    given = (config.grpc_tls_ca, config.grpc_tls_certificate, config.grpc_tls_key)
    if (config.grpc_tls == "files") != any(given):
        raise SettingsError("QW_GRPC_TLS_… name files where QW_GRPC_TLS is files")
    match config.grpc_tls:
        case "off":
            return None
        case "local":
            pair = tls.ensure_channel_certificates(config.data_dir / "tls", now=datetime.now(UTC))
            return pair[0 if for_server else 1]
        case "files":
            if not all(given):
                raise SettingsError(
                    "QW_GRPC_TLS=files takes QW_GRPC_TLS_CA, QW_GRPC_TLS_CERTIFICATE and QW_GRPC_TLS_KEY"
                )
            ca, certificate, key = map(Path, given)
            return ChannelFiles(ca, certificate, key)
    raise SettingsError(f"QW_GRPC_TLS={config.grpc_tls!r} is not off, local or files")


def _with_public_url(server: ServerConfig, gateway: GatewayConfig) -> ServerConfig:
    if server.public_url:
        return dataclasses.replace(server, public_url=server.public_url.rstrip("/"))
    return dataclasses.replace(server, public_url=f"https://localhost:{gateway.https_port}")


def _ensure_demo(config: ServerConfig) -> demo.DemoCredentials:
    store = Store(config.database)
    try:
        return demo.ensure(store, config.data_dir)
    finally:
        store.close()


def _stop_signal(watched: Telemetry) -> asyncio.Event:
    """Set by SIGINT and SIGTERM; from then on the process says that it is not ready."""
    stop = asyncio.Event()

    def drain() -> None:
        watched.readiness.drain()
        notify("STOPPING=1")
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, drain)
    return stop


async def _until_signal(service: Any, watched: Telemetry) -> None:
    stop = _stop_signal(watched)
    async with service as where:
        memory.settle()
        turns.take_short_turns()
        notify("READY=1")
        print(f"ready: {where}", flush=True)
        await stop.wait()


async def _show(
    service: Any, watched: Telemetry, credentials: demo.DemoCredentials, config: GatewayConfig, *, stop: bool
) -> int:
    stopping = _stop_signal(watched)
    async with service as where:
        memory.settle()
        turns.take_short_turns()
        notify("READY=1")
        print(f"ready: {where}", flush=True)
        await demo.show(credentials, config.data_dir, config.https_port)
        if not stop:
            print("Serving until Ctrl-C.", flush=True)
            await stopping.wait()
    return 0
