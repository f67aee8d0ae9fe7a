"""Promises of the OpenAPI document: valid, fresh, the same bytes everywhere, all of the routes and all of the rules."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import openapi_spec_validator
import protovalidate
import pytest
from buf.validate import validate_pb2
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FieldDescriptor
from jsonschema import Draft202012Validator, FormatChecker
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2
from quotewright.v1 import quote_pb2

from gateway.envelope import CODES
from gateway.openapi import DescriptionError, describe
from gateway.openapi.comments import first_sentence
from gateway.openapi.rules import field_rules, message_rules, required_fields
from gateway.routes import RouteTable
from gateway.templates import Template

ROOT = Path(__file__).parents[3]
COMMITTED = (ROOT / "generated" / "openapi.json").read_bytes()
DOCUMENT = json.loads(COMMITTED)
ROUTES = RouteTable.from_files(FILES).routes
MAKE = "import sys; from tools.contract.openapi import document; sys.stdout.buffer.write(document())"


def route_id(route):
    return f"{route.verb} {route.template}"


def operation_of(route):
    return DOCUMENT["paths"][route.template][route.verb.lower()]


def resolved(node):
    if "$ref" not in node:
        return node
    found = DOCUMENT
    for step in node["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def walk(node):
    yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from walk(inner)


def schemas_of(route):
    """Name of a request's field → its schema, wherever the document has it."""
    operation = operation_of(route)
    parameters = [resolved(one) for one in operation["parameters"]]
    found = {one["name"]: one["schema"] for one in parameters if one["in"] != "header"}
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        found |= resolved(content["application/json"]["schema"])["properties"]
    return found


def test_the_document_is_valid():
    openapi_spec_validator.validate(DOCUMENT, cls=openapi_spec_validator.OpenAPIV31SpecValidator)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_run_gives_the_committed_bytes(seed):
    made = subprocess.run(
        [sys.executable, "-c", MAKE],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
    )
    assert made.stdout == COMMITTED, "generated/openapi.json is stale: make generate"


def test_every_route_is_described_and_nothing_else():
    described = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    assert described == {(route.verb, route.template) for route in ROUTES}


def test_every_reference_leads_somewhere_and_every_component_is_referred_to():
    references = {node["$ref"] for node in walk(DOCUMENT) if isinstance(node, dict) and "$ref" in node}
    components = {
        f"#/components/{kind}/{name}"
        for kind, named in DOCUMENT["components"].items()
        if kind != "securitySchemes"
        for name in named
    }
    assert references == components


@pytest.mark.parametrize("route", ROUTES, ids=route_id)
def test_every_field_of_a_request_has_one_place(route):
    fields = [field.name for field in route.method.input_type.fields]
    body = [route.body] if route.body not in ("", "*") else []
    assert sorted([*schemas_of(route), *body]) == sorted(fields)
    in_path = [one["name"] for one in map(resolved, operation_of(route)["parameters"]) if one["in"] == "path"]
    assert in_path == [variable.name for variable in Template.parse(route.template).variables]


def element_of(field):
    """Something that a list may hold."""
    if field.message_type is not None:
        required = required_fields(field.message_type)
        numbers = (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_DOUBLE)
        return {
            one.name: 1 if one.type in numbers else "a"
            for one in field.message_type.fields
            if one.name in required or one.type == FieldDescriptor.TYPE_UINT32
        }
    return "a" if field.type == FieldDescriptor.TYPE_STRING else 1


def values_around(field):
    """Values at the edges of a field's rules, and some of every form that the contract knows."""
    rules = field.GetOptions().Extensions[validate_pb2.field]
    kind = rules.WhichOneof("type")
    typed = getattr(rules, kind)
    if kind == "string":
        lengths = [length + step for length in (typed.max_len, typed.min_len) if length for step in (-1, 0, 1)]
        samples = ["a", " ", " \u00a0\n", "US", "usa", "USD", "2026-01-31", "en-US", "en_US", "a@b.example", "nope"]
        return [
            *samples,
            *getattr(typed, "in"),
            *("a" * n for n in lengths if n > 0),
        ]
    if kind == "repeated":
        return [[element_of(field)] * length for length in (1, typed.max_items, typed.max_items + 1)]
    edges = [edge + step for edge in (typed.gte, typed.gt, typed.lte) for step in (-0.5, 0, 0.5)]
    if kind == "double":
        return [*edges, -1, 2]
    edges = (typed.gte, typed.lte, *getattr(typed, "in"))
    return [int(edge) + step for edge in edges for step in (-1, 0, 1) if edge + step >= 0]


RULED = [
    (route, field)
    for route in ROUTES
    for field in route.method.input_type.fields
    if field.GetOptions().Extensions[validate_pb2.field].WhichOneof("type")
]


@pytest.mark.parametrize(("route", "field"), RULED, ids=[f"{route.method.name}-{field.name}" for route, field in RULED])
def test_a_field_takes_what_its_rules_take(route, field):
    """At every edge the schema says what protovalidate says."""
    schema = {**schemas_of(route)[field.name], "components": DOCUMENT["components"]}
    described = Draft202012Validator(schema, format_checker=FormatChecker())
    validator = protovalidate.Validator()
    verdicts = set()
    for value in values_around(field):
        violations = validator.collect_violations(route.request_class(**{field.name: value}))
        taken = not any(one.proto.field and one.proto.field.elements[0].field_name == field.name for one in violations)
        assert described.is_valid(value) is taken, value
        verdicts.add(taken)
    assert verdicts == {True, False}


@pytest.mark.parametrize("route", ROUTES, ids=route_id)
def test_what_a_request_needs_is_required(route):
    operation = operation_of(route)
    required = {one["name"] for one in map(resolved, operation["parameters"]) if one.get("required")}
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]
        assert operation["requestBody"]["required"] is True
        if "application/json" in content:
            required |= set(resolved(content["application/json"]["schema"]).get("required", ()))
    violations = protovalidate.Validator().collect_violations(route.request_class())
    needed = {one.proto.field.elements[0].field_name for one in violations if one.proto.field}
    assert required == needed - {route.body}


def test_rules_between_fields_are_described():
    described = Draft202012Validator(DOCUMENT["components"]["schemas"]["GenerateQuoteRequest"])
    validator = protovalidate.Validator()
    values = {"text": "Paint a wall", "document_id": "d", "template_id": "t", "margin": 0.2}
    verdicts = set()
    for count in range(len(values) + 1):
        for chosen in itertools.combinations(values.items(), count):
            body = dict(chosen)
            taken = not validator.collect_violations(quote_pb2.GenerateQuoteRequest(**body))
            assert described.is_valid(body) is taken, body
            verdicts.add(taken)
    assert verdicts == {True, False}
    assert not described.is_valid({"text": "Paint a wall", "txet": 1})


@pytest.mark.parametrize("route", ROUTES, ids=route_id)
def test_the_policy_is_described(route):
    operation, policy = operation_of(route), route.policy
    stable = policy.stability == options_pb2.STABILITY_STABLE
    assert operation["x-stability"] == ("stable" if stable else "unstable")
    assert ("Unstable" in operation["description"]) is not stable
    schemes = {scheme: scopes for one in operation["security"] for scheme, scopes in one.items()}
    takes = set(policy.credentials)
    expected = {}
    if options_pb2.CREDENTIAL_KIND_API_KEY in takes:
        expected |= {"api_key": [policy.scope], "api_key_as_bearer": [policy.scope]}
    if options_pb2.CREDENTIAL_KIND_SESSION in takes:
        expected |= {"session": []}
    assert schemes == expected
    keyed = policy.idempotency == options_pb2.IDEMPOTENCY_KEYED
    assert ({"$ref": "#/components/parameters/IdempotencyKey"} in operation["parameters"]) is keyed
    assert ("Idempotent-Replayed" in operation["responses"]["200"]["headers"]) is keyed
    tagged = "ETag" in operation["responses"]["200"]["headers"]
    assert tagged is policy.entity_tag
    assert ({"$ref": "#/components/parameters/IfMatch"} in operation["parameters"]) is policy.if_match
    assert ("412" in operation["responses"]) is policy.if_match
    assert "X-RateLimit-Remaining" in operation["responses"]["200"]["headers"]


def test_every_patch_takes_an_idempotency_key():
    patches = [operation_of(route) for route in ROUTES if route.verb == "PATCH"]
    assert {"UpdateCustomer", "UpdateLead", "UpdateSettings"} <= {one["operationId"] for one in patches}
    key = {"$ref": "#/components/parameters/IdempotencyKey"}
    assert [
        one["operationId"] for one in patches if key not in one["parameters"] or "409" not in one["responses"]
    ] == []


@pytest.mark.parametrize(
    ("operation", "statuses"),
    [
        ("GetConfig", "422 429 500 503 504"),
        ("ListQuotes", "401 403 404 422 429 500 503 504"),
        ("GetQuote", "304 401 403 404 422 429 500 503 504"),
        ("GetQuotePdf", "304 401 403 404 422 429 500 503 504"),
        ("GetLogo", "401 403 404 422 429 500 503 504"),
        ("GetIntakeForm", "401 403 422 429 500 503 504"),
        ("RemoveDictionaryWord", "401 403 404 409 422 429 500 503 504"),
        ("GetSharedQuote", "401 403 404 422 429 500 503 504"),
        ("AcceptSharedQuote", "401 403 404 409 413 415 422 429 500 503 504"),
        ("DeclineSharedQuote", "401 403 404 409 413 415 422 429 500 503 504"),
        ("ReplacePricingSettings", "401 403 409 413 415 422 429 500 503 504"),
        ("UpdateTemplate", "401 403 404 409 413 415 422 429 500 503 504"),
        ("DeleteTemplate", "401 403 404 422 429 500 503 504"),
        ("PauseWebhookEndpoint", "401 403 404 409 413 415 422 429 500 503 504"),
        ("ResumeWebhookEndpoint", "401 403 404 409 413 415 422 429 500 503 504"),
        ("FindPrices", "401 403 413 415 422 429 500 503 504"),
        ("RequestCoverage", "401 403 409 413 415 422 429 500 503 504"),
        ("ApproveWorkflow", "401 403 404 409 412 413 415 422 429 500 503 504"),
    ],
)
def test_an_operation_lists_the_errors_that_it_can_answer(operation, statuses):
    found = next(operation_of(route) for route in ROUTES if route.method.name == operation)
    assert [*found["responses"]] == ["200", *statuses.split(), "default"]


def test_the_examples_of_errors_are_envelopes():
    described = Draft202012Validator(
        {**DOCUMENT["components"]["schemas"]["ErrorEnvelope"], "components": DOCUMENT["components"]}
    )
    for route in ROUTES:
        for status, response in operation_of(route)["responses"].items():
            if int(status.replace("default", "500")) >= 400:
                example = resolved(response)["content"]["application/json"]["example"]
                described.validate(example)
                if status != "default":
                    assert example["error"]["code"] == CODES[int(status)]


def test_a_quote_s_pdf_is_binary_and_documents_are_taken_as_they_are():
    paths = DOCUMENT["paths"]
    pdf = paths["/api/v1/quotes/{quote_id}/pdf"]["get"]["responses"]["200"]["content"]
    assert pdf == {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}
    assert paths["/api/v1/documents"]["post"]["requestBody"]["content"] == {"*/*": {}}


def test_a_quote_s_pdf_is_named_and_revalidated_and_a_logo_is_neither():
    paths = DOCUMENT["paths"]
    pdf, logo = paths["/api/v1/quotes/{quote_id}/pdf"]["get"], paths["/api/v1/settings/logo"]["get"]
    assert {"ETag", "Content-Disposition"} <= set(pdf["responses"]["200"]["headers"])
    assert {"$ref": "#/components/parameters/IfNoneMatch"} in pdf["parameters"]
    assert "ETag" in pdf["responses"]["304"]["headers"]
    assert {"ETag", "Content-Disposition"}.isdisjoint(logo["responses"]["200"]["headers"]) and "304" not in logo[
        "responses"
    ]


def test_a_stable_operation_without_an_example_is_refused():
    with pytest.raises(DescriptionError, match="example"):
        describe(FILES, {}, {})


def test_a_rule_without_words_is_refused():
    file = descriptor_pb2.FileDescriptorProto(
        name="tests/unknown_rule.proto", package="tests", syntax="proto3", dependency=["buf/validate/validate.proto"]
    )
    ruled = file.message_type.add(name="Ruled")
    ruled.options.Extensions[validate_pb2.message].oneof.add(fields=["a", "b"])
    for number, name in enumerate("ab", 1):
        ruled.field.add(name=name, number=number, type="TYPE_STRING", label="LABEL_OPTIONAL")
    ruled.field[0].options.Extensions[validate_pb2.field].string.prefix = "x"
    ruled.field[1].options.Extensions[validate_pb2.field].cel_expression.append("this != 'x'")
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    message = descriptor_pool.Default().FindMessageTypeByName("tests.Ruled")
    with pytest.raises(DescriptionError, match=r"tests\.Ruled\.a: the rule string\.prefix"):
        field_rules(message.fields_by_name["a"])
    with pytest.raises(DescriptionError, match=r"tests\.Ruled\.b: the rule cel_expression"):
        field_rules(message.fields_by_name["b"])
    with pytest.raises(DescriptionError, match=r"tests\.Ruled: the rule oneof"):
        message_rules(message)


@pytest.mark.parametrize(
    ("comment", "parts"),
    [
        ("Lists quotes.", ("Lists quotes", "")),
        ("Reads a quote: 404. Also\n\nmore.", ("Reads a quote: 404", "Also\n\nmore.")),
        ("Shows v1.2 of `x`. `y` too.", ("Shows v1.2 of `x`", "`y` too.")),
        ("No full stop", ("No full stop", "")),
    ],
)
def test_a_summary_is_the_first_sentence(comment, parts):
    assert first_sentence(comment) == parts
