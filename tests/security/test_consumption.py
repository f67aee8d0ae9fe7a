"""What one request can make the service take on is bounded, for every route (OWASP API4:2023, D8, D30, D31)."""

import asyncio

import pytest
from buf.validate import validate_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from quotewright.options.v1 import options_pb2

from gateway.transcode.document import DEEPEST
from tests import stack
from tests.security.surface import OPERATIONS, OUTSIDE, least

KEY, SESSION = options_pb2.CREDENTIAL_KIND_API_KEY, options_pb2.CREDENTIAL_KIND_SESSION
pytestmark = pytest.mark.parametrize("running", ["combined"], indirect=True)
OURS = [operation for operation in OPERATIONS if not operation.rpc.takes_links]
#: A text that is longer than any field takes, and an answer that has not repeated it.
TOO_LONG, SHORT_ANSWER = 120_000, 16_000
#: Texts that parsers like least: numbers, brackets, separators, marks, half a measure, one long word.
SHAPES = ["9", "12 m x ", "1/", "(", "and paint ", "\n", "a-", "1.000,", "3rd floor, ", "\u0301", "https://a.", "é"]


@pytest.fixture
def organization(running):
    """One of its own: some requests end the sessions of their user."""
    return running.organization("Consumption")


def credential(organization, operation):
    """What opens the route, as headers."""
    credentials = operation.rpc.policy.credentials
    if SESSION in credentials:
        return {"Authorization": f"Bearer {organization.session}"}
    return {"X-API-Key": organization.live_key} if KEY in credentials else {}


def asked(operation):
    return operation.path(dict.fromkeys(operation.variables, "1"))


async def test_every_route_refuses_a_body_larger_than_it_says_before_it_has_come(running, organization):
    async def ask(operation):
        head = {
            "Host": "localhost",
            "Content-Type": "application/json",
            "Content-Length": str(operation.rpc.policy.body_limit + 1),
            **credential(organization, operation),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        request = f"{operation.route.verb} {asked(operation)} HTTP/1.1\r\n{lines}\r\n{{"
        return (await stack.exchange(running, request.encode(), wait=60)).answers

    assert max(operation.rpc.policy.body_limit for operation in OURS) <= 10 * 1024 * 1024
    # A connection that is refused so stays open for a moment, so that its client reads why.
    for operation, answers in zip(OURS, await asyncio.gather(*map(ask, OURS)), strict=True):
        assert [(one.status, one.reason) for one in answers] == [(413, "payload_too_large")], str(operation)


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":' * DEEPEST + b"1" + b"}" * DEEPEST,
        b'{"a":' + b"[" * 100_000,
        b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}",
    ],
    ids=["one too deep", "never closed", "far too deep"],
)
async def test_no_route_reads_json_that_is_nested_without_end(client, organization, body):
    for operation in OURS:
        if operation.takes_body and not operation.raw_body:
            headers = {**credential(organization, operation), "Content-Type": "application/json"}
            answer = await client.request(operation.route.verb, asked(operation), headers=headers, data=body)
            assert answer.status == 422 and len(answer.body) < SHORT_ANSWER, (str(operation), answer.body)


async def test_no_list_has_larger_pages_or_reaches_further_than_it_says(client, organization):
    lists = [operation for operation in OURS if "limit" in operation.rpc.request_class.DESCRIPTOR.fields_by_name]
    assert len(lists) > 10
    for operation in lists:
        for name, value in (("limit", "101"), ("offset", "10001"), ("limit", "-1")):
            answer = await client.request(
                "GET", asked(operation), headers=credential(organization, operation), params={name: value}
            )
            assert answer.status == 422 and [field for field, _ in answer.fields()] == [name], str(operation)


def texts(descriptor, path=()):
    """The paths of all texts of a message, through lists and messages."""
    for field in descriptor.fields:
        here = (*path, field)
        if field.type == FieldDescriptor.TYPE_STRING:
            yield here
        elif field.message_type is not None and not field.message_type.full_name.startswith("google."):
            yield from texts(field.message_type, here)


def overlong(request, path, text):
    """The request with the text at the path."""
    *way, last = path
    for field in way:
        inner = getattr(request, field.name)
        request = inner.add() if field.is_repeated and not len(inner) else inner[0] if field.is_repeated else inner
    if last.is_repeated:
        getattr(request, last.name).append(text)
    else:
        setattr(request, last.name, text)


async def test_every_text_of_every_request_has_a_longest_length(client, organization):
    tried = 0
    for operation in OURS:
        if not operation.takes_body or operation.raw_body:
            continue
        for path in texts(operation.rpc.request_class.DESCRIPTOR):
            if path[0].name in operation.variables:
                continue
            request = least(operation.rpc)
            most = path[-1].GetOptions().Extensions[validate_pb2.field].string.max_len
            overlong(request, path, "x" * (max(most, TOO_LONG) + 1))
            where, more = operation.http(request)
            headers = credential(organization, operation)
            answer = await client.request(operation.route.verb, where, headers=headers, **more)
            name = ".".join(field.name for field in path)
            assert answer.status in (401, 404, 422), (str(operation), name, answer.status, answer.body[:300])
            assert len(answer.body) < SHORT_ANSWER, (str(operation), name)
            tried += 1
    assert tried > 60


def test_every_list_of_every_request_has_a_longest_length(running):
    def unbounded(descriptor, path):
        for field in descriptor.fields:
            rules = field.GetOptions().Extensions[validate_pb2.field]
            if field.is_repeated and not (rules.repeated.max_items or rules.map.max_pairs):
                yield f"{path}.{field.name}"
            if field.message_type is not None and not field.message_type.full_name.startswith("google."):
                yield from unbounded(field.message_type, f"{path}.{field.name}")

    assert not [found for rpc in OUTSIDE for found in unbounded(rpc.request_class.DESCRIPTOR, rpc.name)]


def longest(rpc, name):
    rules = rpc.request_class.DESCRIPTOR.fields_by_name[name].GetOptions().Extensions[validate_pb2.field]
    return rules.string.max_len


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("GenerateQuote", "text"),
        ("FindPrices", "query"),
        ("FindPrices", "location"),
        ("Proofread", "text"),
        ("CorrectIntake", "input"),
    ],
)
async def test_the_longest_texts_of_the_worst_shapes_are_answered(client, organization, name, field):
    (operation,) = [one for one in OPERATIONS if one.rpc.name == name]
    most = longest(operation.rpc, field)
    assert most

    # A user has four slots (docs/operations.md).
    slots = asyncio.Semaphore(4)

    async def ask(shape):
        request = least(operation.rpc)
        setattr(request, field, (shape * most)[:most])
        body = json_format.MessageToDict(request, preserving_proto_field_name=True)
        headers = credential(organization, operation)
        async with slots:
            return shape, await client.request(operation.route.verb, asked(operation), headers=headers, json=body)

    for shape, answer in await asyncio.gather(*map(ask, SHAPES[: 12 if most < 1000 else 8])):
        assert answer.status in (200, 422), (shape, answer.status, answer.body[:300])
