"""Promises of gateways apart from their servers: both show certificates, calls go to whatever server is there, and a
server that stops or dies costs no request that may be made again."""

import asyncio
import contextlib
import itertools
import secrets
import time
from datetime import UTC, datetime

import grpc
import pytest
from quotewright.v1 import company_pb2, company_pb2_grpc

from gateway import tls
from process.channel_tls import ChannelCredentials, ChannelFiles
from tests import stack
from tests.stack import Client, Stack, free_port, start, stopping

TEXT = "Fit three ceiling fans"


class Cluster:
    """Two servers on one database and a gateway, with mutual TLS."""

    def __init__(self, running, ports):
        self.running = running
        self.ports = ports
        self.settings = {
            "QW_GRPC_TLS": "local",
            "QW_SERVER_TARGET": ",".join(f"127.0.0.1:{port}" for port in ports),
            "QW_WEBHOOK_WORKER": "false",
        }
        self.names = (f"server-{number}" for number in itertools.count())
        self.servers = [self.begin(port) for port in ports]
        for server in self.servers:
            server.wait_ready(within=60)
        self.gateway = start(running, "gateway", **self.settings)
        running.processes.append(self.gateway)

    def begin(self, port):
        server = stack.begin(self.running, "server", name=next(self.names), QW_GRPC_PORT=port, **self.settings)
        self.running.processes.append(server)
        return server

    def replace(self, number):
        """Start the server anew that has ended."""
        self.running.processes.remove(self.servers[number])
        self.servers[number] = self.begin(self.ports[number])
        self.servers[number].wait_ready(within=60)

    def calls(self, number):
        """Calls of the RPCs that tests make, by the server's own log."""
        return self.servers[number].log.read_text().count('"rpc":"/quotewright.v1.QuoteService')


@pytest.fixture(scope="module")
def cluster(postgres, tmp_path_factory):
    running = Stack(tmp_path_factory.mktemp("cluster"), free_port(), 0, 0, postgres.create())
    with stopping(running):
        yield Cluster(running, [free_port(), free_port()])


@contextlib.asynccontextmanager
async def load(cluster, organization):
    """Six clients that read and write, one request after the other; every answer must be 200, every write count once."""
    done = asyncio.Event()
    written = []

    async def ask(client, number):
        while not done.is_set():
            if number % 2:
                answer = await client.request("GET", "/api/v1/quotes?limit=1", key=organization.live_key)
            else:
                once = {"Idempotency-Key": secrets.token_hex(8)}
                answer = await client.generate(organization.live_key, TEXT, headers=once)
                written.append(answer.json().get("quote_number"))
            assert answer.status == 200, answer.body
            # Leaves the processors to the servers that start.
            await asyncio.sleep(0.05)

    async with Client(cluster.running) as client:
        asking = [asyncio.create_task(ask(client, number)) for number in range(6)]
        try:
            yield written
        finally:
            done.set()
            await asyncio.gather(*asking)
    (kept,) = cluster.running.rows("select count(*) from quote where organization_id = ?", organization.organization_id)
    assert len(set(written)) == len(written) == kept[0]


async def until(true, within=20.0):
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_a_server_that_stops_under_load_fails_no_request_and_is_called_again_when_it_is_back(cluster):
    organization = cluster.running.organization()
    async with load(cluster, organization) as written:
        await until(lambda: len(written) > 10)
        assert await asyncio.to_thread(cluster.servers[0].stop) == 0
        before = len(written)
        await until(lambda: len(written) > before + 10)
        await asyncio.to_thread(cluster.replace, 0)
        await until(lambda: cluster.calls(0) > 5)


async def test_a_killed_server_fails_no_read_and_no_write_with_a_key(cluster):
    organization = cluster.running.organization()
    async with load(cluster, organization) as written:
        await until(lambda: len(written) > 10 and cluster.calls(1) > 10)
        await asyncio.to_thread(cluster.servers[1].kill)
        cluster.running.processes.remove(cluster.servers[1])
        before = len(written)
        await until(lambda: len(written) > before + 10)


async def get_config(port, credentials, options=()):
    """One call of a server's port; the error where it fails."""
    opened = grpc.aio.insecure_channel if credentials is None else grpc.aio.secure_channel
    where = (f"127.0.0.1:{port}",) if credentials is None else (f"127.0.0.1:{port}", credentials)
    async with opened(*where, options=options) as channel:
        stub = company_pb2_grpc.CompanyServiceStub(channel)
        return await stub.GetConfig(company_pb2.GetConfigRequest(), timeout=10)


async def test_only_who_shows_a_gateway_s_certificate_is_let_in(cluster, tmp_path):
    folder, port = cluster.running.data_dir / "tls", cluster.ports[0]
    ours, theirs = tls.ensure_channel_certificates(folder, now=datetime.now(UTC))
    foreign = tls.ensure_channel_certificates(tmp_path, now=datetime.now(UTC))[1]
    good = ChannelCredentials(theirs)
    assert (await get_config(port, good.current(), good.options)).api_version == "v1"
    forged = ChannelFiles(ours.ca, foreign.certificate, foreign.key)
    refused = [None, grpc.ssl_channel_credentials(ours.ca.read_bytes()), *(
        ChannelCredentials(files).current() for files in (ours, forged)
    )]  # fmt: skip
    for credentials in refused:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await get_config(port, credentials, good.options if credentials else ())
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
