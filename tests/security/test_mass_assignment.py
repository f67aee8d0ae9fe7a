"""What the service owns cannot be written by whoever sends it along: every name of every answer is tried in every
request (OWASP API3:2023, D30)."""

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from quotewright.options.v1 import options_pb2

from gateway.transcode.violations import MOST_VIOLATIONS
from server import administration
from server.store.database import Store
from tests.security.surface import FIRST, OPERATIONS, OUTSIDE, RPCS, least

KEY, SESSION = options_pb2.CREDENTIAL_KIND_API_KEY, options_pb2.CREDENTIAL_KIND_SESSION
pytestmark = pytest.mark.parametrize("running", ["combined"], indirect=True)
#: An instant and an id that nobody has given.
FORGED_AT = Timestamp(seconds=981_173_106)
FORGED_ID = "tpl_0123456789abcdef0123"


def messages(descriptor, inside=()):
    """The message types within one, itself first."""
    if descriptor in inside or descriptor.full_name.startswith("google."):
        return
    yield descriptor
    for field in descriptor.fields:
        if field.message_type is not None:
            yield from messages(field.message_type, (*inside, descriptor))


#: Every name in every answer, principals among them, and some that the tables have.
NAMES = sorted(
    {field.name for rpc in RPCS for message in messages(rpc.response_class.DESCRIPTOR) for field in message.fields}
    | {"id", "plan", "secret_hash", "password_hash", "is_admin", "owner_id", "tenant_id", "deleted", "__proto__"}
)


def foreign_to(descriptor):
    """Names that the message does not have, as many at a time as one answer tells of."""
    names = [name for name in NAMES if name not in descriptor.fields_by_name]
    return [names[at : at + MOST_VIOLATIONS] for at in range(0, len(names), MOST_VIOLATIONS)]


def overfull(descriptor, path="", inside=()):
    """JSON objects with names too many at one of their levels, each with the paths of those names."""
    for names in foreign_to(descriptor):
        yield dict.fromkeys(names, 1), {path + name for name in names}
    for field in descriptor.fields:
        if field.message_type in (None, *inside) or not list(messages(field.message_type)):
            continue
        place = f"{path}{field.name}{'[0]' if field.is_repeated else ''}."
        for value, foreign in overfull(field.message_type, place, (*inside, descriptor)):
            yield {field.name: [value] if field.is_repeated else value}, foreign


def credential(organization, policy):
    """What opens the RPC, as headers."""
    if SESSION in policy.credentials:
        return {"Authorization": f"Bearer {organization.session}"}
    return {"X-API-Key": organization.live_key} if KEY in policy.credentials else {}


async def test_no_request_takes_a_field_of_an_answer_that_is_not_its_own(client, organization):
    asked = 0
    for operation in OPERATIONS:
        request, route = operation.rpc.request_class.DESCRIPTOR, operation.route
        if operation.rpc.takes_links:
            continue
        if route.body == "*":
            tried = [({"json": value}, foreign) for value, foreign in overfull(request)]
        elif operation.takes_body and not operation.raw_body:
            body = request.fields_by_name[route.body].message_type
            tried = [({"json": value}, foreign) for value, foreign in overfull(body)]
        else:
            tried = [({"params": dict.fromkeys(names, "1")}, set(names)) for names in foreign_to(request)]
        path = operation.path(dict.fromkeys(operation.variables, "1"))
        headers = credential(organization, operation.rpc.policy)
        for more, foreign in tried:
            answer = await client.request(route.verb, path, headers=headers, **more)
            assert answer.status == 422, (str(operation), answer.body)
            refused = {field for field, reason in answer.fields() if reason == "unknown_field"}
            assert refused == foreign, (str(operation), refused ^ foreign)
            asked += 1
    assert asked > 200


def owned(descriptor):
    """Fields of a resource that are the service's own, by the contract's names: ids, instants and versions."""
    return [field for field in descriptor.fields if field.name.endswith(("_id", "_at")) or field.name == "version"]


#: Types of messages that answers hold.
ANSWERED = {message.full_name for rpc in RPCS for message in messages(rpc.response_class.DESCRIPTOR)}
#: (RPC, the field of its request that is a whole resource, as answers have it).
WHOLE = [
    (rpc, field)
    for rpc in OUTSIDE
    for field in rpc.request_class.DESCRIPTOR.fields
    if field.message_type and not field.is_repeated and field.message_type.full_name in ANSWERED
    if owned(field.message_type)
]


@pytest.mark.parametrize("way", ["http", "grpc"])
async def test_what_is_the_services_own_in_a_resource_is_refused_or_ignored(running, client, organization, way):
    assert WHOLE
    for rpc, field, own in [(rpc, whole, own) for rpc, whole in WHOLE for own in owned(whole.message_type)]:
        body = {"template": {"name": "Own"}}
        made = await client.request("POST", "/api/v1/templates", session=organization.session, json=body)
        names = rpc.request_class.DESCRIPTOR.fields_by_name.keys() & made.json().keys()
        request = least(rpc, **{name: made.json()[name] for name in names})
        forged = FORGED_AT if own.message_type else 4711 if own.type != own.TYPE_STRING else FORGED_ID
        resource = getattr(request, field.name)
        resource.MergeFrom(type(resource)(**{own.name: forged}))
        if way == "http":
            taken = await answered_over_http(client, rpc, request, organization, type(resource))
        else:
            taken = await answered_over_grpc(running, rpc, request, organization, field.name)
        assert taken is None or getattr(taken, own.name) != forged, (rpc.name, own.name)
        path = f"/api/v1/templates/{made.json()['template_id']}"
        read = await client.request("GET", path, session=organization.session)
        kept = json_format.ParseDict(read.json(), type(resource)())
        assert getattr(kept, own.name) != forged, (rpc.name, own.name)


async def answered_over_http(client, rpc, request, organization, kind):
    """The resource as it was answered, or None where it was refused."""
    path, more = FIRST[rpc.path].http(request)
    answer = await client.request(FIRST[rpc.path].route.verb, path, session=organization.session, **more)
    assert answer.status in (200, 409, 422), answer.body
    return json_format.ParseDict(answer.json(), kind()) if answer.status == 200 else None


async def answered_over_grpc(running, rpc, request, organization, name):
    metadata = [("authorization", f"Bearer {organization.session}")]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        call = channel.unary_unary(rpc.path, rpc.request_class.SerializeToString, rpc.response_class.FromString)
        try:
            return getattr(await call(request, metadata=metadata), name)
        except grpc.aio.AioRpcError as error:
            assert error.code() in (grpc.StatusCode.ABORTED, grpc.StatusCode.INVALID_ARGUMENT), error
            return None


async def test_what_no_message_of_the_contract_has_is_kept_nowhere(running):
    """gRPC lets unknown fields pass; nothing of them may reach the store or the log."""
    canary = b"Canary of a field that nobody knows"
    unknown = b"\xc2\xb8\x02" + bytes([len(canary)]) + canary  # number 5000, of bytes
    organization = running.organization("Unknown fields")
    store = Store(running.database)
    answered = 0
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        for rpc in OUTSIDE:
            headers = credential(organization, rpc.policy)
            if SESSION in rpc.policy.credentials:
                # One of them ends all sessions.
                email = f"user{organization.organization_id}@quotewright.example"
                session = administration.create_session(store, email, organization.organization_id)
                headers = {"Authorization": f"Bearer {session.secret}"}
            metadata = [(name.lower(), value) for name, value in headers.items()]
            if rpc.streaming:
                continue
            call = channel.unary_unary(rpc.path, lambda request: request.SerializeToString() + unknown, bytes)
            try:
                answer = await call(least(rpc), metadata=metadata, timeout=20)
                answered += 1
            except grpc.aio.AioRpcError as error:
                answer = repr(error).encode()
            assert canary not in answer, rpc.name
    store.close()
    assert answered > 25
    for file in running.data_dir.rglob("*"):
        assert not file.is_file() or canary not in file.read_bytes(), file
