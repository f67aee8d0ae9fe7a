"""Promises of the gRPC port: internal services call it directly, with generated stubs, under the same rules."""

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from quotewright.contract import FILES
from quotewright.v1 import (
    company_pb2,
    company_pb2_grpc,
    customer_link_pb2,
    customer_link_pb2_grpc,
    gate_pb2,
    gate_pb2_grpc,
    quote_pb2,
    quote_pb2_grpc,
    sourcing_pb2,
    sourcing_pb2_grpc,
)

from tests import stack
from tests.contract.test_sending import changed, sent

TEXT = "Replace 12 m of guttering in Nashville"


@pytest.fixture
async def channel(running):
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        yield channel


def details(error):
    """ErrorInfo and field violations of a failed call."""
    status = status_pb2.Status.FromString(dict(error.trailing_metadata())["grpc-status-details-bin"])
    info, violations = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for one in status.details:
        one.Unpack(info)
        one.Unpack(violations)
    return info.reason, {(one.field, one.reason) for one in violations.field_violations}


async def test_a_quote_is_generated_and_read_with_generated_stubs(channel, organization):
    quotes = quote_pb2_grpc.QuoteServiceStub(channel)
    metadata = (("x-api-key", organization.live_key), ("x-request-id", "internal-1234"))
    call = quotes.GenerateQuote(quote_pb2.GenerateQuoteRequest(text=TEXT), metadata=metadata, timeout=10)
    response = await call
    assert response.quote.quote_id
    assert response.quote.line_items[0].qty == 12
    assert dict(await call.trailing_metadata())["x-request-id"] == "internal-1234"
    again = await quotes.GetQuote(quote_pb2.GetQuoteRequest(quote_id=response.quote.quote_id), metadata=metadata)
    assert again.quote == response.quote
    listed = await quotes.ListQuotes(quote_pb2.ListQuotesRequest(), metadata=metadata)
    assert listed.data[0].quote_id == response.quote.quote_id


async def test_prices_and_configuration_are_answered(channel, organization):
    prices = await sourcing_pb2_grpc.SourcingServiceStub(channel).FindPrices(
        sourcing_pb2.FindPricesRequest(query="wood fence"), metadata=(("x-api-key", organization.live_key),)
    )
    assert prices.options
    config = await company_pb2_grpc.CompanyServiceStub(channel).GetConfig(company_pb2.GetConfigRequest())
    assert config.api_version == "v1"


@pytest.mark.parametrize(
    ("credential", "request_text", "code", "reason"),
    [
        ("", TEXT, grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_MISSING"),
        ("qw_live_nonsense", TEXT, grpc.StatusCode.UNAUTHENTICATED, "API_KEY_MALFORMED"),
        ("session", TEXT, grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_KIND_REFUSED"),
        ("bare_key", TEXT, grpc.StatusCode.PERMISSION_DENIED, "SCOPE_REQUIRED"),
        ("live_key", "", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELDS"),
    ],
)
async def test_refusals_carry_a_status_with_details(channel, organization, credential, request_text, code, reason):
    credential = getattr(organization, credential, credential)
    metadata = (("authorization", f"Bearer {credential}"),) if credential else ()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await quote_pb2_grpc.QuoteServiceStub(channel).GenerateQuote(
            quote_pb2.GenerateQuoteRequest(text=request_text), metadata=metadata
        )
    assert caught.value.code() is code
    assert details(caught.value)[0] == reason


async def test_text_that_no_database_keeps_is_refused_by_field(channel, organization):
    metadata = (("x-api-key", organization.test_key),)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await quote_pb2_grpc.QuoteServiceStub(channel).GenerateQuote(
            quote_pb2.GenerateQuoteRequest(text=f"{TEXT}\0", industry="\0"), metadata=metadata
        )
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert details(caught.value)[1] == {("text", "nul_character"), ("industry", "nul_character")}


@pytest.mark.parametrize(
    ("more", "violations"),
    [
        ([("idempotency-key", "")], {("Idempotency-Key", "malformed")}),
        ([("idempotency-key", "k" * 256)], {("Idempotency-Key", "malformed")}),
        ([("idempotency-key", "a"), ("idempotency-key", "b")], {("Idempotency-Key", "repeated")}),
        ([("x-api-key", "other")], {("X-API-Key", "repeated")}),
        ([("authorization", "Bearer a"), ("authorization", "Bearer b")], {("Authorization", "repeated")}),
    ],
)
async def test_credentials_and_keys_are_refused_where_http_refuses_them(channel, organization, more, violations):
    metadata = (("x-api-key", organization.test_key), *more)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await quote_pb2_grpc.QuoteServiceStub(channel).GenerateQuote(
            quote_pb2.GenerateQuoteRequest(text=TEXT), metadata=metadata
        )
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert details(caught.value) == ("INVALID_FIELDS", violations)


@pytest.mark.parametrize("data", [b"\xff\xff\xff", b"\x0a\x02\xff\xfe"], ids=["no message", "no UTF-8"])
async def test_what_cannot_be_decoded_is_refused_like_any_other_request(channel, organization, data):
    call = channel.unary_unary("/quotewright.v1.QuoteService/GenerateQuote")
    known = (("x-api-key", organization.test_key), ("x-request-id", "internal-1234"))
    for metadata, code, reason in (
        (known, grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_MALFORMED"),
        (known[1:], grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_MISSING"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(data, metadata=metadata)
        assert (caught.value.code(), details(caught.value)[0]) == (code, reason)
        assert dict(caught.value.trailing_metadata())["x-request-id"] == "internal-1234"


async def test_a_forged_principal_is_refused(channel):
    principal = gate_pb2.Principal(organization_id=1, livemode=True, kind=2, scopes=["quotes:read"])
    forged = bytes(32) + bytes(8) + principal.SerializeToString()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await quote_pb2_grpc.QuoteServiceStub(channel).ListQuotes(
            quote_pb2.ListQuotesRequest(), metadata=(("qw-principal-bin", forged),)
        )
    assert details(caught.value)[0] == "PRINCIPAL_FORGED"


async def test_the_gate_opens_for_gateways_only(channel, organization):
    gate = gate_pb2_grpc.GateServiceStub(channel)
    for metadata in ((), (("x-api-key", organization.live_key),), (("authorization", "Bearer guess"),)):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await gate.Authenticate(gate_pb2.AuthenticateRequest(api_key=organization.live_key), metadata=metadata)
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_a_deadline_that_has_passed_is_told(channel, organization):
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await quote_pb2_grpc.QuoteServiceStub(channel).ListQuotes(
            quote_pb2.ListQuotesRequest(), metadata=(("x-api-key", organization.live_key),), timeout=0.001
        )
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


def test_reflection_answers_only_where_it_is_switched_on(running, tmp_path):
    # Not asyncio's channel: there a refusal that overtakes the request can show as INTERNAL, made by the client itself.
    def services(port):
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            asked = iter([reflection_pb2.ServerReflectionRequest(list_services="")])
            (answer,) = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(asked, timeout=10)
            return {one.name for one in answer.list_services_response.service}

    with pytest.raises(grpc.RpcError) as caught:
        services(running.grpc_port)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    with stack.combined(tmp_path, QW_GRPC_REFLECTION=1) as reflecting:
        assert "quotewright.v1.QuoteService" in services(reflecting.grpc_port)


async def test_every_service_reports_its_health(channel):
    health = health_pb2_grpc.HealthStub(channel)
    names = [service.full_name for file in FILES for service in file.services_by_name.values()]
    for name in ("", *names):
        answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_signed_link_is_the_credential_in_the_request_itself(running, channel, client, organization):
    quote_id, token = await sent(running, client, organization)
    customers = customer_link_pb2_grpc.CustomerLinkServiceStub(channel)
    shared = (await customers.GetSharedQuote(customer_link_pb2.GetSharedQuoteRequest(token=token))).quote
    assert shared.status == "sent"
    quotes = quote_pb2_grpc.QuoteServiceStub(channel)
    pdf_token = shared.pdf_url.rpartition("=")[2]
    pdf = await quotes.GetQuotePdf(quote_pb2.GetQuotePdfRequest(quote_id=quote_id, token=pdf_token))
    assert pdf.pdf.data.startswith(b"%PDF")
    refused = [
        (
            customers.GetSharedQuote,
            customer_link_pb2.GetSharedQuoteRequest(token=changed(token, 30)),
            (),
            "LINK_UNKNOWN",
        ),
        (customers.GetSharedQuote, customer_link_pb2.GetSharedQuoteRequest(), (), "CREDENTIAL_MISSING"),
        (
            customers.GetSharedQuote,
            customer_link_pb2.GetSharedQuoteRequest(token=pdf_token),
            (),
            "CREDENTIAL_KIND_REFUSED",
        ),
        (
            quotes.GetQuotePdf,
            quote_pb2.GetQuotePdfRequest(quote_id=quote_id, token=pdf_token),
            (("x-api-key", organization.live_key),),
            "CREDENTIALS_DIFFER",
        ),
        (
            quotes.GetQuote,
            quote_pb2.GetQuoteRequest(quote_id=quote_id),
            (("x-api-key", pdf_token),),
            "API_KEY_MALFORMED",
        ),
    ]
    for method, request, metadata, reason in refused:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await method(request, metadata=metadata)
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert details(caught.value)[0] == reason
    accepted = await customers.AcceptSharedQuote(customer_link_pb2.AcceptSharedQuoteRequest(token=token, name="Ann"))
    assert accepted.quote.status == "accepted"
