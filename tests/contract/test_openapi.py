"""Promises of the OpenAPI document towards the running service: its examples work, its schemas hold what is answered."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from tests import stack
from tests.contract.test_answers import JSON, REFUSED, TEXT

COMMITTED = (Path(__file__).parents[2] / "generated" / "openapi.json").read_bytes()
DOCUMENT = json.loads(COMMITTED)
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}
STABLE = [name for name, (_, _, operation) in OPERATIONS.items() if operation["x-stability"] == "stable"]
PUBLIC = ["/api/v1/openapi.json", "/docs", "/docs/reference.css", "/docs/reference.js"]


def examples_of(operation):
    """The bodies to send; one empty request where the operation takes none."""
    if "requestBody" not in operation:
        return [{}]
    examples = operation["requestBody"]["content"]["application/json"]["examples"]
    return [{"data": json.dumps(one["value"]), "headers": JSON} for one in examples.values()]


EXAMPLES = [(name, request) for name in STABLE for request in examples_of(OPERATIONS[name][2])]


def validate(schema, value):
    described = Draft202012Validator(
        {**schema, "components": DOCUMENT["components"]}, format_checker=FormatChecker(["date-time", "email"])
    )
    described.validate(value)


def validate_answer(operation, answer):
    response = operation["responses"]["200"]
    assert answer.headers["Content-Type"] in response["content"]
    assert all(name in answer.headers for name in response["headers"] if name != "Idempotent-Replayed")
    if answer.headers["Content-Type"] == "application/json":
        validate(response["content"]["application/json"]["schema"], answer.json())


def test_every_stable_operation_is_tried():
    assert {name for name, _ in EXAMPLES} == {"GetConfig", "GenerateQuote", "FindPrices", "RequestCoverage"}


@pytest.mark.parametrize(("name", "request_"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
async def test_every_example_is_answered_as_described(client, organization, name, request_):
    method, path, operation = OPERATIONS[name]
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        validate(schema, json.loads(request_["data"]))
    answer = await client.request(method, path, key=organization.test_key if operation["security"] else "", **request_)
    assert answer.status == 200, answer.body
    validate_answer(operation, answer)


async def test_reading_is_answered_as_described(client, organization):
    quote = (await client.generate(organization.test_key, TEXT)).json()
    for name, query in (
        ("ListQuotes", ""),
        ("GetQuote", ""),
        ("ExplainLine", ""),
        ("GetQuotePdf", ""),
        ("PreviewQuote", "?text=Paint"),
    ):
        method, path, operation = OPERATIONS[name]
        path = path.replace("{quote_id}", str(quote["quote_id"])).replace("{line}", "1") + query
        answer = await client.request(method, path, key=organization.test_key)
        assert answer.status == 200, answer.body
        validate_answer(operation, answer)


async def test_a_pdf_that_the_client_has_is_answered_as_described(client, organization):
    quote = (await client.generate(organization.test_key, TEXT)).json()
    method, path, operation = OPERATIONS["GetQuotePdf"]
    path = path.replace("{quote_id}", str(quote["quote_id"]))
    tag = (await client.request(method, path, key=organization.test_key)).headers["ETag"]
    known = await client.request(method, path, key=organization.test_key, headers={"If-None-Match": tag})
    assert (known.status, known.body, known.headers["ETag"]) == (304, b"", tag)
    assert all(name in known.headers for name in operation["responses"]["304"]["headers"])


@pytest.mark.parametrize("name", ["GetLogo", "RemoveDictionaryWord"])
async def test_what_is_not_stored_is_not_found_as_described(client, organization, name):
    method, path, operation = OPERATIONS[name]
    answer = await client.request(method, path.replace("{word}", "Nowhere"), session=organization.session)
    assert answer.status == 404 and "404" in operation["responses"]


async def test_schemas_of_answers_refuse_an_answer_that_lacks_a_field(client, organization):
    quote = (await client.generate(organization.test_key, TEXT)).json()
    del quote["line_items"][0]["qty"]
    schema = Draft202012Validator({"$ref": "#/components/schemas/Quote", "components": DOCUMENT["components"]})
    assert [[*error.absolute_path] for error in schema.iter_errors(quote)] == [["line_items", 0]]


@pytest.mark.parametrize("case", REFUSED, ids=[case[0] for case in REFUSED])
async def test_every_refusal_is_described(client, organization, case):
    _, method, path, credential, request, *_ = case
    text = getattr(organization, credential, credential)
    headers = {"Authorization": f"Bearer {text}"} if text else {}
    answer = await client.request(method, path, **{**request, "headers": {**request.get("headers", {}), **headers}})
    validate({"$ref": "#/components/schemas/ErrorEnvelope"}, answer.json())
    if answer.json()["error"]["details"]["reason"] not in ("route_not_found", "method_not_allowed"):
        operation = next(
            operation
            for verb, template, operation in OPERATIONS.values()
            if verb == method and same_route(template, path.partition("?")[0])
        )
        assert str(answer.status) in operation["responses"]


def same_route(template, path):
    pairs = zip(template.split("/"), path.split("/"), strict=False)
    same_length = template.count("/") == path.count("/")
    return same_length and all(ours.startswith("{") or ours == given for ours, given in pairs)


async def test_the_served_document_is_the_generated_file(client):
    answer = await client.request("GET", "/api/v1/openapi.json")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.body == COMMITTED


async def test_config_says_where_both_are(client):
    config = (await client.request("GET", "/api/v1/config")).json()
    for url in (config["docs_url"], config["openapi_url"]):
        assert (await client.request("GET", url)).status == 200


async def test_the_reference_is_a_page_with_its_files(client):
    page = await client.request("GET", "/docs")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in page.headers["Content-Security-Policy"]
    script = await client.request("GET", "/docs/reference.js")
    style = await client.request("GET", "/docs/reference.css")
    assert (script.status, script.headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert (style.status, style.headers["Content-Type"]) == (200, "text/css; charset=utf-8")
    assert b'src="/docs/reference.js"' in page.body
    assert b'href="/docs/reference.css"' in page.body


@pytest.mark.parametrize("path", PUBLIC)
async def test_a_public_page_is_counted_by_address(running, path):
    # Of an address of its own: what others asked for a minute ago leaves the window at any time.
    async with stack.Client(running, source=f"127.0.1.{1 + PUBLIC.index(path)}") as stranger:
        got = await stranger.request("GET", path)
        head = await stranger.request("HEAD", path)
    left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in (got, head)]
    assert left[0] - left[1] == 1


@pytest.mark.parametrize("path", PUBLIC)
async def test_a_public_page_is_read_only(client, organization, path):
    plain = {"Accept-Encoding": "identity"}
    got = await client.request("GET", path, headers=plain)
    head = await client.request("HEAD", path, headers=plain)
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Length"] == str(len(got.body))
    allowed = await client.request("OPTIONS", path)
    assert (allowed.status, allowed.headers["Allow"]) == (204, "GET, HEAD, OPTIONS")
    refused = await client.request("POST", path, json={})
    assert (refused.status, refused.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    with_key = await client.request("GET", f"{path}?key={organization.bare_key}")
    assert (with_key.status, with_key.reason) == (401, "key_in_query")
    with_body = await client.request("GET", path, data=b"x")
    assert with_body.status == 413
    plain = await client.request("GET", f"http://localhost:{client._stack.http_port}{path}")
    assert (plain.status, plain.reason) == (403, "https_required")
