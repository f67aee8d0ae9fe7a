"""Promises of the chain: deadlines, defects and forged callers end as faults, whatever the servicer does."""

import asyncio
import io
import time

import grpc
import pytest
from quotewright.contract import FILES
from quotewright.v1 import gate_pb2, quote_pb2

from process import contract
from process.log import Log
from server import interceptors
from server.authentication import PROOF_LIFETIME, Authenticator
from server.faults import Fault
from server.interceptors import Call
from server.store.database import StoreBusyError

RPCS = {rpc.path: rpc for rpc in contract.rpcs(FILES)}
LIST = RPCS["/quotewright.v1.QuoteService/ListQuotes"]
REQUEST = quote_pb2.ListQuotesRequest()


def call(seconds=5.0, **metadata):
    return Call(LIST, metadata, time.monotonic() + seconds, "grpc")


async def run(interceptor, servicer, a_call=None, request=REQUEST):
    return await interceptors.chain([interceptor], servicer)(request, a_call or call())


async def test_a_slow_servicer_ends_at_the_deadline():
    async def slow(_request, _call):
        await asyncio.sleep(5)

    began = time.monotonic()
    with pytest.raises(Fault) as caught:
        await run(interceptors.keep_deadline, slow, call(0.2))
    assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert time.monotonic() - began < 0.5


async def test_a_timeout_of_the_servicers_own_is_not_taken_for_the_deadline():
    async def confused(_request, _call):
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await run(interceptors.keep_deadline, confused)


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (ZeroDivisionError("secret"), grpc.StatusCode.INTERNAL),
        (StoreBusyError("locked"), grpc.StatusCode.UNAVAILABLE),
        (Fault(grpc.StatusCode.ABORTED, "R", "m"), grpc.StatusCode.ABORTED),
    ],
)
async def test_every_failure_becomes_a_fault_that_tells_nothing_internal(failure, code):
    async def failing(_request, _call):
        raise failure

    stream = io.StringIO()
    log = Log("server", stream)
    with pytest.raises(Fault) as caught:
        await run(interceptors.contain_faults(log), failing)
    assert caught.value.code is code
    assert "secret" not in caught.value.message
    log.flush()
    assert ("ZeroDivisionError" in stream.getvalue()) is isinstance(failure, ZeroDivisionError)


async def test_every_violation_is_told_at_once():
    async def never(_request, _call):
        raise AssertionError

    with pytest.raises(Fault) as caught:
        await run(
            interceptors.validate_fields(),
            never,
            request=quote_pb2.ListQuotesRequest(limit=0, offset=99999, status="x"),
        )
    assert [one.field for one in caught.value.violations] == ["limit", "offset", "status"]


def test_a_proof_holds_for_its_lifetime_and_only_as_it_was_made():
    now = [1_000_000_000]
    authenticator = Authenticator(None, b"secret", lambda: now[0])
    principal = gate_pb2.Principal(organization_id=7, scopes=["quotes:read"])
    proof = authenticator.prove(principal)
    assert authenticator.check(proof) == principal
    for position in range(len(proof)):
        forged = proof[:position] + bytes([proof[position] ^ 1]) + proof[position + 1 :]
        with pytest.raises(Fault):
            authenticator.check(forged)
    with pytest.raises(Fault):
        Authenticator(None, b"other", lambda: now[0]).check(proof)
    now[0] += PROOF_LIFETIME + 1
    with pytest.raises(Fault):
        authenticator.check(proof)
