"""Promises of the chain: deadlines, defects and forged callers end as faults, whatever the servicer does."""

import asyncio
import contextlib
import io
import time

import grpc
import pytest
from prometheus_client import CollectorRegistry
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2
from quotewright.v1 import gate_pb2, quote_pb2

from process import contract, wire
from process.log import Log
from server.authentication import PROOF_LIFETIME, Authenticator
from server.faults import Fault
from server.interceptors import Call, Chain
from server.links import Signer
from server.store.database import StoreBusyError

RPCS = {rpc.path: rpc for rpc in contract.rpcs(FILES)}
LIST = RPCS["/quotewright.v1.QuoteService/ListQuotes"]
REQUEST = quote_pb2.ListQuotesRequest()


PRINCIPAL = gate_pb2.Principal(
    organization_id=7, kind=options_pb2.CREDENTIAL_KIND_API_KEY, credential_id="k", scopes=["quotes:read"]
)
AUTHENTICATOR = Authenticator(None, b"secret", Signer(b"secret"), lambda: 0)


def call(seconds=5.0):
    return Call(LIST, {wire.PRINCIPAL: AUTHENTICATOR.prove(PRINCIPAL)}, time.monotonic() + seconds)


async def run(servicer, a_call=None, request=REQUEST, log=None):
    chain = Chain(AUTHENTICATOR, log or Log("server", io.StringIO()), CollectorRegistry())
    try:
        return await chain.before(LIST, servicer)(request, a_call or call())
    finally:
        assert len(chain.in_flight) == 0


async def test_a_slow_servicer_ends_at_the_deadline():
    async def slow(_request, _call):
        await asyncio.sleep(20)

    began = time.monotonic()
    with pytest.raises(Fault) as caught:
        await run(slow, call(0.2))
    assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert time.monotonic() - began < 10


async def test_a_timeout_of_the_servicers_own_is_not_taken_for_the_deadline():
    async def confused(_request, _call):
        raise TimeoutError

    with pytest.raises(Fault) as caught:
        await run(confused)
    assert caught.value.code is grpc.StatusCode.INTERNAL


async def test_time_that_is_up_before_the_servicer_is_asked_never_reaches_it():
    async def never(_request, _call):
        raise AssertionError

    with pytest.raises(Fault) as caught:
        await run(never, call(0.0))
    assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_the_task_of_an_ended_call_goes_on_even_where_the_servicer_hid_its_cancellation():
    async def stubborn(_request, _call):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(5)
        return "done"

    async def refused(_request, _call):
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            raise Fault(grpc.StatusCode.ABORTED, "R", "m") from None

    assert await run(stubborn, call(0.1)) == "done"
    with pytest.raises(Fault):
        await run(refused, call(0.1))
    assert asyncio.current_task().cancelling() == 0
    await asyncio.sleep(0.05)


async def test_a_caller_who_gives_up_is_not_told_of_a_deadline():
    async def slow(_request, _call):
        await asyncio.sleep(5)

    task = asyncio.create_task(run(slow))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


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
        await run(failing, log=log)
    assert caught.value.code is code
    assert "secret" not in caught.value.message
    log.flush()
    assert ("ZeroDivisionError" in stream.getvalue()) is isinstance(failure, ZeroDivisionError)


async def test_every_call_is_counted_once_by_how_it_ended():
    registry = CollectorRegistry()
    chain = Chain(AUTHENTICATOR, Log("server", io.StringIO()), registry)
    for failure in (None, Fault(grpc.StatusCode.ABORTED, "R", "m"), ZeroDivisionError(), StoreBusyError("locked")):

        async def servicer(_request, _call, failure=failure):
            if failure is not None:
                raise failure

        with contextlib.suppress(Fault):
            await chain.before(LIST, servicer)(REQUEST, call())

    async def slow(_request, _call):
        await asyncio.sleep(5)

    with pytest.raises(Fault):
        await chain.before(LIST, slow)(REQUEST, call(0.1))
    cancelled = asyncio.create_task(chain.before(LIST, slow)(REQUEST, call()))
    await asyncio.sleep(0)
    assert registry.get_sample_value("quotewright_rpc_calls_in_flight") == 1
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    for code in ("OK", "ABORTED", "INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"):
        labels = {"rpc": LIST.path, "code": code}
        assert registry.get_sample_value("quotewright_rpc_calls_total", labels) == 1
    assert registry.get_sample_value("quotewright_rpc_calls_in_flight") == 0


async def test_every_violation_is_told_at_once():
    async def never(_request, _call):
        raise AssertionError

    with pytest.raises(Fault) as caught:
        await run(never, request=quote_pb2.ListQuotesRequest(limit=0, offset=99999, status="x"))
    assert [one.field for one in caught.value.violations] == ["limit", "offset", "status"]


def test_a_proof_holds_for_its_lifetime_and_only_as_it_was_made():
    now = [1_000_000_000]
    authenticator = Authenticator(None, b"secret", Signer(b"secret"), lambda: now[0])
    principal = gate_pb2.Principal(organization_id=7, scopes=["quotes:read"])
    proof = authenticator.prove(principal)
    assert authenticator.check(proof).principal == principal
    for position in range(len(proof)):
        forged = proof[:position] + bytes([proof[position] ^ 1]) + proof[position + 1 :]
        with pytest.raises(Fault):
            authenticator.check(forged)
    with pytest.raises(Fault):
        Authenticator(None, b"other", Signer(b"other"), lambda: now[0]).check(proof)
    now[0] += PROOF_LIFETIME + 1
    with pytest.raises(Fault):
        authenticator.check(proof)
