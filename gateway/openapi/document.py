"""The document: info, paths, components (OpenAPI 3.1.1 section 4.8)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor, FileDescriptor
from quotewright.options.v1 import options_pb2

from gateway.openapi import errors
from gateway.openapi.comments import first_sentence
from gateway.openapi.rules import HTTP_BODY, DescriptionError, Schema, required_fields
from gateway.openapi.schemas import Schemas
from gateway.openapi.webhooks import webhooks
from gateway.routes import Route, RouteTable
from gateway.templates import Template

#: Name of an RPC → examples of its request's body, each with ``name``, ``summary`` and ``value``.
Examples = Mapping[str, Sequence[Mapping[str, Any]]]

# https://spec.openapis.org/registry/format/binary: 3.1 needs no schema for raw bytes, but generators of clients do.
_BINARY = {"type": "string", "format": "binary"}
_VERBS = frozenset(("GET", "PUT", "POST", "DELETE", "PATCH"))
_WORDS = re.compile("(?<=[a-z])(?=[A-Z])")
_MEDIA_TYPE = re.compile(r"`([a-z]+/[a-z0-9.+-]+)`")
_STREAMED = "application/x-ndjson"
_UNSTABLE = "Unstable: outside the compatibility contract of `/api/v1`; it may change without a new version."

_INFO = {
    "title": "Quotewright API",
    "version": "v1",
    "summary": "Turns plain-language work requests into priced quote drafts, and looks up prices.",
    "description": (
        "Bodies are JSON in UTF-8: one object, at most 32 levels deep, without duplicate keys, unknown fields or "
        "U+0000. Names are in snake_case. In a body, `null`, and an empty string where there must be more, mean that a "
        "field is not given. Answers hold every required field, whatever its value; the others are absent where they "
        "have none. Times are RFC 3339 in UTC.\n\n"
        "Operations with `x-stability` `stable` are the compatibility contract of `/api/v1`; the others may change.\n\n"
        "A request is checked in this order: route, credential, permission, allowance, size and media type, content, "
        "existence. Every answer of 400 or above has the body `ErrorEnvelope`."
    ),
}

_SECURITY_SCHEMES: dict[str, Schema] = {
    "api_key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "An API key, `qw_live_…` or `qw_test_…`, with the scopes that the operation lists. For servers: "
        "a key must not be in browsers, apps or URLs.",
    },
    "api_key_as_bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The same API key in the header Authorization.",
    },
    "session": {
        "type": "http",
        "scheme": "bearer",
        "description": "The session token of a signed-in user with an active workspace. First party only.",
    },
}
_CREDENTIALS = {
    options_pb2.CREDENTIAL_KIND_API_KEY: ("api_key", "api_key_as_bearer"),
    options_pb2.CREDENTIAL_KIND_SESSION: ("session",),
}
#: Their token is a parameter like others, in the path or the query: nothing else has to be sent.
_LINKS = frozenset((options_pb2.CREDENTIAL_KIND_CUSTOMER_LINK, options_pb2.CREDENTIAL_KIND_PDF_LINK))

_PARAMETERS: dict[str, Schema] = {
    "RequestId": {
        "name": "X-Request-Id",
        "in": "header",
        # No pattern: nothing is refused for it.
        "description": "An id for the request, which logs and the answer repeat: 8 to 64 letters, digits, `.`, `_`, "
        "`:` or `-`. One of another form is replaced.",
        "schema": {"type": "string"},
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "For 24 hours the same key with the same request returns the first answer, byte for byte; with "
        "another request it is refused with 409. Kept per organization and mode.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "Entity tags of the quote, as its answers have them in `ETag`: where it has none of these any "
        "more, the request is refused with 412 and nothing is done. Without it, or with `*`, the last writer wins.",
        "schema": {
            "type": "string",
            "maxLength": 1000,
            "pattern": r'^(\*|(W/)?"[!#-~]*"([ \t]*,[ \t]*(W/)?"[!#-~]*")*)$',
        },
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "Entity tags that the client has the resource under: while it has one of these, 304 without "
        "a body.",
        "schema": {"type": "string"},
    },
}

_HEADERS: dict[str, Schema] = {
    "X-Request-Id": {
        "description": "The id of the request, as sent or made.",
        "required": True,
        "schema": {"type": "string"},
    },
    "X-RateLimit-Limit": {"description": "Requests per minute in all.", "schema": {"type": "integer"}},
    "X-RateLimit-Remaining": {"description": "Requests that are left now.", "schema": {"type": "integer"}},
    "X-RateLimit-Reset": {
        "description": "When the oldest counted request leaves the window of 60 seconds, in UTC epoch seconds.",
        "schema": {"type": "integer"},
    },
    "RateLimit": {
        "description": "What is left (`r`) and the seconds to the reset (`t`): draft-ietf-httpapi-ratelimit-headers.",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": "The allowance (`q`) in a window of seconds (`w`): draft-ietf-httpapi-ratelimit-headers.",
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds after which to try again.", "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "`Bearer`, where the gateway refuses.", "schema": {"type": "string"}},
    "ETag": {
        "description": "The entity tag (RFC 9110 section 8.8.3). Of a quote a strong one: another one with every "
        "version and every move. Of a file a weak one: the same as long as its bytes are.",
        "schema": {"type": "string"},
    },
    "Content-Disposition": {
        "description": 'What the file is called (RFC 6266), as in `inline; filename="Q-2026-000001.pdf"`.',
        "schema": {"type": "string"},
    },
    "Idempotent-Replayed": {
        "description": "There, and `true`, where this is the first answer again.",
        "schema": {"const": "true"},
    },
}


def describe(files: Iterable[FileDescriptor], comments: Mapping[str, str], examples: Examples) -> dict[str, Any]:
    """The document of all routes in the files. Raises `DescriptionError` for what it cannot describe.

    ``comments`` are those of `read_comments`. A stable operation with a body must have an example.
    """
    files = tuple(files)
    schemas = Schemas(comments)
    ids = Counter[str]()
    paths: dict[str, dict[str, Any]] = {}
    tags: dict[str, Schema] = {}
    for route in RouteTable.from_files(files).routes:
        _check(route)
        ids[route.method.name] += 1
        operation = _operation(route, schemas, comments, examples)
        if ids[route.method.name] > 1:
            operation["operationId"] += str(ids[route.method.name])
        paths.setdefault(route.template, {})[route.verb.lower()] = operation
        service = route.method.containing_service
        tags[_tag(route)] = {"name": _tag(route), "description": comments.get(service.full_name, "")}
    return {
        "openapi": "3.1.1",
        "info": _INFO,
        "servers": [{"url": "/", "description": "The host that serves this document."}],
        "tags": list(tags.values()),
        "paths": paths,
        "webhooks": webhooks(files, schemas, comments),
        "components": {
            "schemas": dict(sorted((schemas.components | errors.SCHEMAS).items())),
            "responses": errors.components(),
            "parameters": _PARAMETERS,
            "headers": _HEADERS,
            "securitySchemes": _SECURITY_SCHEMES,
        },
    }


def to_bytes(document: Mapping[str, Any]) -> bytes:
    """The document as it is stored and served: the same for the same contract, on every machine."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def _check(route: Route) -> None:
    where = f"{route.verb} {route.template}"
    if route.verb not in _VERBS:
        raise DescriptionError(f"{where}: the method has no form in OpenAPI")
    template = Template.parse(route.template)
    plain = {variable.name for variable in template.variables}
    if any("{" + name + "}" not in route.template or "." in name for name in plain):
        raise DescriptionError(f"{where}: only variables of one segment and one name are described")


def _operation(route: Route, schemas: Schemas, comments: Mapping[str, str], examples: Examples) -> dict[str, Any]:
    policy = route.policy
    summary, rest = first_sentence(comments.get(str(route.method.full_name), ""))
    stable = policy.stability == options_pb2.STABILITY_STABLE
    operation: dict[str, Any] = {
        "operationId": route.method.name,
        "tags": [_tag(route)],
        "summary": summary,
        "description": "\n\n".join(filter(None, [rest, "" if stable else _UNSTABLE])),
        "x-stability": _word(options_pb2.Stability.Name(policy.stability)),
        "x-rate-class": _word(options_pb2.RateClass.Name(policy.rate)),
        # OpenAPI 3.1 section 4.8.30: for these schemes the list names roles, here scopes.
        "security": [
            {scheme: [policy.scope] if scheme != "session" and policy.scope else []}
            for kind, known in _CREDENTIALS.items()
            if kind in policy.credentials
            for scheme in known
        ],
        "parameters": _parameters(route, schemas),
    }
    if not _LINKS.isdisjoint(policy.credentials):
        operation["security"].append({})
    if policy.role and options_pb2.CREDENTIAL_KIND_SESSION in policy.credentials:
        operation["x-least-role"] = _word(options_pb2.Role.Name(policy.role))
    if route.body:
        operation["requestBody"] = _request_body(route, schemas, examples.get(route.method.name, ()))
    operation["responses"] = {"200": _success(route, schemas, comments)}
    if _is_revalidated(route):
        operation["responses"]["304"] = {
            "description": "The client has the resource as it is (If-None-Match).",
            "headers": errors.header_references(("X-Request-Id", *errors.RATE_HEADERS, "ETag")),
        }
    operation["responses"] |= errors.responses(route)
    return operation


def _parameters(route: Route, schemas: Schemas) -> list[Schema]:
    request = route.method.input_type
    in_path = _variables(route)
    required = required_fields(request)
    found = []
    for field in request.fields:
        if field.name in in_path:
            found.append(_parameter(field, "path", schemas, required=True))
        elif route.body not in ("*", field.name):
            found.append(_parameter(field, "query", schemas, required=field.name in required))
    headers = ["RequestId"]
    if route.policy.idempotency == options_pb2.IDEMPOTENCY_KEYED:
        headers.append("IdempotencyKey")
    if route.policy.if_match:
        headers.append("IfMatch")
    if _is_revalidated(route):
        headers.append("IfNoneMatch")
    return [*found, *({"$ref": f"#/components/parameters/{name}"} for name in headers)]


def _parameter(field: FieldDescriptor, place: str, schemas: Schemas, *, required: bool) -> Schema:
    schema = schemas.asked(field)
    if "$ref" in schema or schema["type"] == "object":
        raise DescriptionError(f"{field.full_name}: a message in a URL is not described")
    description = {"description": schema.pop("description")} if "description" in schema else {}
    return {"name": field.name, "in": place, **description, "required": required, "schema": schema}


def _request_body(route: Route, schemas: Schemas, examples: Sequence[Mapping[str, Any]]) -> Schema:
    request: Any = route.method.input_type
    size = f"At most {route.policy.body_limit} bytes."
    body = request if route.body == "*" else request.fields_by_name[route.body].message_type
    if body.full_name == HTTP_BODY:
        # OpenAPI 3.1 section 4.8.14.2: raw binary has no schema.
        return {
            "description": size,
            "required": route.body == "*" or route.body in required_fields(request),
            "content": {"*/*": {}},
        }
    if route.policy.stability == options_pb2.STABILITY_STABLE and not examples:
        raise DescriptionError(f"{route.method.full_name} is stable and has no example")
    content: Schema = {"schema": schemas.request(body, _variables(route) if route.body == "*" else ())}
    if examples:
        content["examples"] = {one["name"]: {"summary": one["summary"], "value": one["value"]} for one in examples}
    return {"description": size, "required": True, "content": {"application/json": content}}


def _success(route: Route, schemas: Schemas, comments: Mapping[str, str]) -> Schema:
    response = route.method.output_type
    field = response.fields_by_name[route.response_body] if route.response_body else None
    body = response if field is None else field.message_type
    if body is None or (field is not None and field.is_repeated):
        raise DescriptionError(f"{route.method.full_name}: an answer that is no message is not described")
    if body.full_name == HTTP_BODY:
        # The comment names the media types, as the descriptor has no place for them.
        named = _MEDIA_TYPE.findall(comments.get(str(route.method.full_name), ""))
        content: Schema = {media_type: {"schema": _BINARY} for media_type in named} or {"*/*": {}}
    else:
        # A stream is one such document a line; OpenAPI 3.1 has no word for that but the media type.
        content = {_STREAMED if route.streaming else "application/json": {"schema": schemas.response(body)}}
    headers = ["X-Request-Id"]
    if route.policy.rate != options_pb2.RATE_CLASS_NONE:
        headers += errors.RATE_HEADERS
    if route.policy.idempotency == options_pb2.IDEMPOTENCY_KEYED:
        headers.append("Idempotent-Replayed")
    if route.policy.entity_tag:
        headers.append("ETag")
        if body.full_name == HTTP_BODY:
            headers.append("Content-Disposition")
    return {
        "description": comments.get(str(response.full_name), "Success."),
        "headers": errors.header_references(tuple(headers)),
        "content": content,
    }


def _is_revalidated(route: Route) -> bool:
    """Whether a client that has the answer need not be sent it again."""
    return bool(route.policy.entity_tag) and route.policy.idempotency == options_pb2.IDEMPOTENCY_READ_ONLY


def _variables(route: Route) -> list[str]:
    return [variable.name for variable in Template.parse(route.template).variables]


def _tag(route: Route) -> str:
    """``WritingAssistService`` → ``Writing assist``."""
    return _WORDS.sub(" ", str(route.method.containing_service.name).removesuffix("Service")).capitalize()


def _word(enum_name: str) -> str:
    """``RATE_CLASS_ORGANIZATION`` → ``organization``."""
    return enum_name.rpartition("_")[2].lower()
