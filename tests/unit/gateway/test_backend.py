"""Promises of the channel to a server: mutual TLS with certificates that are renewed on disk, and what is called again."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from cryptography import x509
from google.rpc import code_pb2, status_pb2
from quotewright.contract import FILES
from quotewright.v1 import company_pb2

from gateway import tls
from gateway.backend import RETRIES, ChannelBackend
from process import channel_tls, contract, wire

NOW = datetime.now(UTC)
RPCS = {rpc.name: rpc for rpc in contract.rpcs(FILES)}
READ, WRITE = RPCS["GetConfig"], RPCS["GenerateQuote"]


@asynccontextmanager
async def server(answer, files=None):
    """A server whose every RPC is ``answer``; its port."""

    class Handlers(grpc.GenericRpcHandler):
        def service(self, details):
            rpc = next((one for one in RPCS.values() if one.path == details.method), None)
            return rpc and grpc.unary_unary_rpc_method_handler(
                answer, rpc.request_class.FromString, rpc.response_class.SerializeToString
            )

    running = grpc.aio.server()
    running.add_generic_rpc_handlers((Handlers(),))
    if files is None:
        port = running.add_insecure_port("127.0.0.1:0")
    else:
        port = running.add_secure_port("127.0.0.1:0", channel_tls.server_credentials(files))
    await running.start()
    try:
        yield port
    finally:
        await running.stop(0)


@asynccontextmanager
async def backend(*targets, files=None):
    made = ChannelBackend([f"127.0.0.1:{target}" for target in targets], files)
    try:
        yield made
    finally:
        await made.close()


def serial(path):
    return x509.load_pem_x509_certificate(path.read_bytes()).serial_number


async def test_a_certificate_renewed_on_disk_is_shown_without_a_restart(tmp_path, monkeypatch):
    monkeypatch.setattr(channel_tls, "LOOK_EVERY", 0.0)
    ours, theirs = tls.ensure_channel_certificates(tmp_path, now=NOW - timedelta(days=380))
    seen = []

    async def answer(_request, context):
        (shown,) = context.auth_context()["x509_pem_cert"]
        seen.append(x509.load_pem_x509_certificate(shown).serial_number)
        return company_pb2.GetConfigResponse()

    async with server(answer, ours) as port, backend(port, files=theirs) as calling:
        await calling.call(READ, READ.request_class(), {}, 10)
        first = serial(theirs.certificate)
        # A new certificate whose key has not come yet changes nothing.
        old = theirs.key.read_bytes()
        tls.ensure_channel_certificates(tmp_path, now=NOW)
        new, _ = theirs.key.read_bytes(), theirs.key.write_bytes(old)
        await calling.call(READ, READ.request_class(), {}, 10)
        theirs.key.write_bytes(new)
        await calling.call(READ, READ.request_class(), {}, 10)
        assert seen == [first, first, serial(theirs.certificate)]
        # The server's, in a handshake that is not grpc's.
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-alpn", "h2", "-cert", str(theirs.certificate)]  # fmt: skip
        process = await asyncio.create_subprocess_exec(
            *command, "-key", str(theirs.key), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        shown, _ = await asyncio.wait_for(process.communicate(), 20)
        assert x509.load_pem_x509_certificate(shown).serial_number == serial(ours.certificate)


@pytest.mark.parametrize("fault", ["missing", "no PEM", "another's key"])
def test_files_that_cannot_be_used_are_named_at_the_start(tmp_path, fault):
    ours, theirs = tls.ensure_channel_certificates(tmp_path, now=NOW)
    if fault == "missing":
        ours.key.unlink()
    else:
        ours.key.write_bytes(theirs.key.read_bytes() if fault == "another's key" else b"-----BEGIN")
    with pytest.raises((OSError, ValueError), match=str(ours.key)):
        channel_tls.server_credentials(ours)


async def test_calls_go_to_every_server_in_turn_and_past_one_that_is_gone():
    counts = [0, 0]

    def counting(number):
        async def answer(_request, _context):
            counts[number] += 1
            return company_pb2.GetConfigResponse()

        return answer

    async with server(counting(0)) as one, server(counting(1)) as two, backend(one, two, 1) as calling:
        await asyncio.sleep(0.2)
        for _ in range(30):
            answer, _ = await calling.call(READ, READ.request_class(), {}, 10)
            assert isinstance(answer, company_pb2.GetConfigResponse)
    assert min(counts) >= 10


KEYED = {wire.IDEMPOTENCY_KEY: "once"}


@pytest.mark.parametrize(
    ("rpc", "metadata", "trailing", "calls"),
    [
        (READ, {}, (), 1 + RETRIES),
        (WRITE, KEYED, (), 1 + RETRIES),
        (WRITE, {}, (), 1),
        (WRITE, {}, ((wire.NOT_BEGUN, "true"),), 1 + RETRIES),
        # The server's own answer: asked again it would say the same.
        (READ, {}, (("x-request-id", "req_12345678"),), 1),
    ],
)
async def test_only_what_the_contract_lets_repeat_is_called_again(rpc, metadata, trailing, calls):
    made = []

    async def answer(_request, context):
        made.append(dict(context.invocation_metadata()).get(wire.IDEMPOTENCY_KEY))
        context.set_trailing_metadata(trailing)
        await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    async with server(answer) as port, backend(port) as calling:
        status, _ = await calling.call(rpc, rpc.request_class(), metadata, 10)
    assert isinstance(status, status_pb2.Status)
    assert status.code == code_pb2.UNAVAILABLE
    assert made == [metadata.get(wire.IDEMPOTENCY_KEY)] * calls


async def test_the_time_of_a_call_is_for_all_its_tries():
    async def answer(_request, context):
        await asyncio.sleep(0.05)
        await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    async with server(answer) as port, backend(port) as calling:
        async with asyncio.timeout(5):
            status, _ = await calling.call(READ, READ.request_class(), {}, 0.06)
    assert status.code in (code_pb2.UNAVAILABLE, code_pb2.DEADLINE_EXCEEDED)
