"""Function-level access, for every RPC and every kind of credential: what the contract's policy says is what both
transports do (OWASP API2:2023 and API5:2023).

Over HTTP every request has a parameter that does not exist. Parameters are looked at after admission (D21), so 422
means that the caller was let through, and nothing was done. Over gRPC the request's content is refused where it can be.
"""

import asyncio
from dataclasses import dataclass

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.rpc import error_details_pb2, status_pb2
from quotewright.options.v1 import options_pb2

from process.contract import LINK_FIELD
from server import administration
from server.domain.plans import ROLES, SCOPES
from server.store.database import Store
from tests.contract.test_sending import sent
from tests.security.surface import OPERATIONS, OUTSIDE, RPCS
from tests.stack import Client

KEY, SESSION = options_pb2.CREDENTIAL_KIND_API_KEY, options_pb2.CREDENTIAL_KIND_SESSION
PUBLIC, GATEWAY = options_pb2.CREDENTIAL_KIND_PUBLIC, options_pb2.CREDENTIAL_KIND_GATEWAY
CUSTOMER_LINK, PDF_LINK = options_pb2.CREDENTIAL_KIND_CUSTOMER_LINK, options_pb2.CREDENTIAL_KIND_PDF_LINK
ADMITTED = ""
#: The chain that the gRPC port goes through is the same code in every process.
in_one_process = pytest.mark.parametrize("running", ["combined"], indirect=True)
#: How many requests are under way at once.
AT_ONCE = 16


@dataclass(frozen=True)
class Credential:
    """A credential and what it stands for; ``refused`` is why it never opens anything."""

    name: str
    text: str = ""
    kind: int = 0
    scopes: tuple[str, ...] = ()
    role: str = ""
    refused: str = ""

    @property
    def headers(self) -> dict[str, str]:
        if not self.text or self.kind in (CUSTOMER_LINK, PDF_LINK):
            return {}
        return {"X-API-Key": self.text} if self.kind == KEY else {"Authorization": f"Bearer {self.text}"}


def expected(policy: options_pb2.Policy, credential: Credential) -> str:
    """The reason for which the policy refuses the credential, or `ADMITTED`: said here once more, by the words of
    options.proto, so that it is no echo of what the service does."""
    if PUBLIC in policy.credentials:
        return ADMITTED
    if credential.refused:
        return credential.refused
    if credential.kind not in policy.credentials:
        return "credential_kind_refused"
    if credential.kind == KEY:
        return ADMITTED if policy.scope in credential.scopes else "scope_required"
    if credential.kind == SESSION:
        if not credential.role:
            return ADMITTED if policy.without_workspace else "workspace_required"
        least = options_pb2.Role.Name(policy.role).removeprefix("ROLE_").lower()
        allowed = least == "unspecified" or ROLES.index(credential.role) >= ROLES.index(least)
        return ADMITTED if allowed else "role_required"
    return ADMITTED


@pytest.fixture(scope="module")
def credentials(running):
    """A credential of each kind, scope, role and state, all of one organization."""
    made = running.organization("Access")
    number = made.organization_id
    store = Store(running.database)
    try:
        single = {
            scope: administration.create_key(store, number, livemode=True, name=scope, scopes=(scope,)).secret
            for scope in SCOPES
        }
        ended = administration.create_key(store, number, livemode=True, name="ended", scopes=SCOPES)
        administration.revoke_key(store, ended.public_id)
    finally:
        store.close()
    sessions = {role: running.member(number, role) for role in ROLES}
    mistyped = made.live_key[:-1] + ("0" if made.live_key[-1] != "0" else "1")
    stranger = made.session[:20] + made.session[21:]
    return [
        Credential("none", refused="credential_missing"),
        Credential("live key", made.live_key, KEY, SCOPES),
        Credential("test key", made.test_key, KEY, SCOPES),
        Credential("key without scope", made.bare_key, KEY),
        *(Credential(f"key with {scope}", text, KEY, (scope,)) for scope, text in single.items()),
        Credential("revoked key", ended.secret, KEY, SCOPES, refused="api_key_ended"),
        Credential("mistyped key", mistyped, KEY, SCOPES, refused="api_key_malformed"),
        Credential("words", "let me in", KEY, SCOPES, refused="api_key_malformed"),
        *(Credential(f"session of {role}", text, SESSION, role=role) for role, text in sessions.items()),
        Credential("session without workspace", made.homeless_session, SESSION),
        Credential("mistyped session", stranger, SESSION, role="owner", refused="session_malformed"),
    ]


@pytest.fixture(scope="module")
def links(running):
    """A customer's link and a link to the PDF, of a quote that was really sent."""

    async def work():
        async with Client(running) as client:
            _, token = await sent(running, client, running.organization("Links"))
            shown = (await client.request("GET", f"/api/v1/shared-quotes/{token}")).json()
        return token, shown["pdf_url"].rpartition("=")[2]

    customer, pdf = asyncio.run(work())
    return [Credential("customer's link", customer, CUSTOMER_LINK), Credential("PDF link", pdf, PDF_LINK)]


async def together(calls):
    """Await them, some at once."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(call):
        async with gate:
            return await call

    return await asyncio.gather(*map(one, calls))


async def over_http(client, operation, headers, token="1"):
    """Why the route refuses these headers, or `ADMITTED`."""
    path = operation.path({name: token if name == LINK_FIELD else "1" for name in operation.variables})
    params = {"there_is_no_such_parameter": "1"}
    if LINK_FIELD not in operation.variables and token != "1":
        params[LINK_FIELD] = token
    answer = await client.request(operation.route.verb, path, headers=headers, params=params)
    if answer.status == 422:
        # An empty body is told before what the URL says.
        assert answer.fields() & {("there_is_no_such_parameter", "unknown_field"), ("", "empty_body")}, answer.body
        return ADMITTED
    assert answer.status in (401, 403), (str(operation), answer.status, answer.body)
    return answer.reason


def harmless(rpc, token=""):
    """A request whose content is refused, where the contract has a rule that it can break: U+0000 in every text."""
    request = rpc.request_class()
    for field in request.DESCRIPTOR.fields:
        if field.is_repeated:
            continue
        if field.type == FieldDescriptor.TYPE_STRING:
            setattr(request, field.name, token if field.name == LINK_FIELD and rpc.takes_links else "\0")
        elif field.name == "limit":
            request.limit = 2**32 - 1
    return request


async def over_grpc(channel, rpc, headers, request):
    """The same of the gRPC port."""
    metadata = [(name.lower(), value) for name, value in headers.items()]
    serialized = {
        "request_serializer": rpc.request_class.SerializeToString,
        "response_deserializer": rpc.response_class.FromString,
    }
    try:
        if rpc.streaming:
            call = channel.unary_stream(rpc.path, **serialized)(request, metadata=metadata, timeout=20)
            async for _ in call:
                break
            call.cancel()
        else:
            await channel.unary_unary(rpc.path, **serialized)(request, metadata=metadata, timeout=20)
    except grpc.aio.AioRpcError as error:
        assert error.code() is not grpc.StatusCode.INTERNAL, error
        if error.code() in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
            status = status_pb2.Status.FromString(dict(error.trailing_metadata())["grpc-status-details-bin"])
            info = error_details_pb2.ErrorInfo()
            assert status.details[0].Unpack(info)
            return info.reason.lower()
    return ADMITTED


async def test_every_route_lets_through_whom_its_policy_names_and_nobody_else(client, credentials):
    takes_links = {CUSTOMER_LINK, PDF_LINK}
    cells = [
        (operation, credential)
        for operation in OPERATIONS
        for credential in credentials
        # With the token in the path there are two credentials; the test of links below asks for these.
        if not (takes_links & set(operation.rpc.policy.credentials) and LINK_FIELD in operation.variables)
    ]
    said = await together(over_http(client, operation, one.headers) for operation, one in cells)
    wrong = [
        f"{operation} with {one.name}: {reason or 'admitted'}, not {wanted or 'admitted'}"
        for (operation, one), reason in zip(cells, said, strict=True)
        if reason != (wanted := expected(operation.rpc.policy, one))
    ]
    assert not wrong
    assert set(said) >= {expected(operation.rpc.policy, one) for operation, one in cells} >= {ADMITTED, "role_required"}


@in_one_process
async def test_every_rpc_of_the_grpc_port_lets_through_whom_its_policy_names_and_nobody_else(running, credentials):
    cells = [
        (rpc, one)
        for rpc in OUTSIDE
        for one in credentials
        # Where nothing in the request can be refused it would be done, and would end all sessions of the user: that
        # these are let through is seen over HTTP.
        if rpc.request_class.DESCRIPTOR.fields or not changes(rpc) or expected(rpc.policy, one) != ADMITTED
    ]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        said = await together(over_grpc(channel, rpc, one.headers, harmless(rpc)) for rpc, one in cells)
    wrong = [
        f"{rpc.name} with {one.name}: {reason or 'admitted'}, not {wanted or 'admitted'}"
        for (rpc, one), reason in zip(cells, said, strict=True)
        if reason != (wanted := expected(rpc.policy, one))
    ]
    assert not wrong


def changes(rpc):
    return rpc.policy.idempotency != options_pb2.IDEMPOTENCY_READ_ONLY


async def test_a_link_opens_what_it_is_for_and_nothing_else(running, client, links):
    taking = [operation for operation in OPERATIONS if operation.rpc.takes_links]
    assert taking
    for operation in taking:
        for one in links:
            wanted = expected(operation.rpc.policy, one)
            assert await over_http(client, operation, {}, one.text) == wanted, (str(operation), one.name)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        for rpc in {operation.rpc.path: operation.rpc for operation in taking}.values():
            for one in links:
                request = harmless(rpc, one.text)
                assert await over_grpc(channel, rpc, {}, request) == expected(rpc.policy, one), (rpc.name, one.name)
    # In the place of a key or session a link is nothing at all.
    for operation in OPERATIONS:
        if PUBLIC not in operation.rpc.policy.credentials and not operation.rpc.takes_links:
            for one in links:
                for headers in ({"X-API-Key": one.text}, {"Authorization": f"Bearer {one.text}"}):
                    assert await over_http(client, operation, headers) == "api_key_malformed"


@in_one_process
async def test_what_is_between_gateway_and_server_opens_to_nobody_else(running, credentials):
    """Such RPCs have no route, and the gRPC port asks for the secret that both share."""
    inside = [rpc for rpc in RPCS if GATEWAY in rpc.policy.credentials]
    assert inside
    assert not {operation.rpc.path for operation in OPERATIONS} & {rpc.path for rpc in inside}
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        for rpc in inside:
            for one in credentials:
                reason = await over_grpc(channel, rpc, one.headers, rpc.request_class())
                assert reason == ("gateway_unknown" if one.text else "credential_missing"), (rpc.name, one.name)
