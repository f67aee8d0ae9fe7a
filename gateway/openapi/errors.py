"""The answers that are no success: `gateway.envelope` as schema, and which statuses an operation can answer.

Each status has one response under ``components/responses``; its example is written by the envelope itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
from quotewright.options.v1 import options_pb2

from gateway.envelope import CODES, HTTPS_REQUIRED, INTERNAL_MESSAGE, FieldProblem, Problem
from gateway.openapi.rules import HTTP_BODY, Schema, field_rules
from gateway.routes import Route
from gateway.templates import Template

#: Headers of counted answers (`gateway.quota.headers`).
RATE_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy")
_REQUEST_ID = "req_5f0c7a1e9b3d24680000002a"


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """One status: its component's name, what it means, an example, and the headers that come with it."""

    name: str
    meaning: str
    example: Problem
    headers: tuple[str, ...] = ()


ERRORS: dict[int, ErrorResponse] = {
    401: ErrorResponse(
        "Unauthorized",
        "No credential, two that differ, one that is unknown or has ended, or the wrong kind for this operation.",
        Problem(401, "credential_missing", "A credential is required: send the header X-API-Key."),
        ("WWW-Authenticate",),
    ),
    403: ErrorResponse(
        "Forbidden",
        "The API key lacks the scope, which `scope_required` names, or the session has no active workspace.",
        Problem(
            403,
            "scope_required",
            "The API key lacks the scope quotes:write.",
            extra={"scope_required": "quotes:write"},
        ),
    ),
    404: ErrorResponse(
        "NotFound",
        "There is no such resource, or it belongs to another organization or to the other mode.",
        Problem(404, "not_found", "There is no such quote."),
        RATE_HEADERS,
    ),
    409: ErrorResponse(
        "Conflict",
        "The Idempotency-Key belongs to another request, or the resource's state does not allow the change.",
        Problem(409, "idempotency_key_reused", "This Idempotency-Key was used with a different request."),
        RATE_HEADERS,
    ),
    412: ErrorResponse(
        "PreconditionFailed",
        "If-Match names another version: the resource was changed since it was read. `version` and `status` are those "
        "it has now; nothing was done.",
        Problem(
            412,
            "version_mismatch",
            "The quote has changed since it was read: version 3 is current and it is draft. Nothing was done.",
            extra={"version": 3, "status": "draft"},
        ),
        RATE_HEADERS,
    ),
    413: ErrorResponse(
        "PayloadTooLarge",
        "The body is larger than `limit` bytes.",
        Problem(413, "payload_too_large", "The body is larger than 262144 bytes.", extra={"limit": 262_144}),
        RATE_HEADERS,
    ),
    415: ErrorResponse(
        "UnsupportedMediaType",
        "The body is not of a media type that the operation takes, or it has a Content-Encoding.",
        Problem(415, "unsupported_media_type", "The body must be application/json in UTF-8."),
        RATE_HEADERS,
    ),
    422: ErrorResponse(
        "Invalid",
        "Path, query, header or body breaks a rule; `fields` lists all violations at once.",
        Problem(
            422,
            "invalid_fields",
            "The request is not valid.",
            fields=[FieldProblem("text", "string.max_len", "must be at most 20000 characters")],
        ),
        RATE_HEADERS,
    ),
    429: ErrorResponse(
        "RateLimited",
        "`quota_exceeded`: the allowance of the last 60 seconds, `limit`, is used up, or too many credentials of the "
        "client's address were refused. `sign_in_locked`: too many wrong passwords with an e-mail address. "
        "`concurrency_exceeded`: as many requests of the organization as `limit` are under way. Refused requests do "
        "not count.",
        Problem(429, "quota_exceeded", "More than 100 requests in a minute.", retry_after=12.0, extra={"limit": 100}),
        (*RATE_HEADERS, "Retry-After"),
    ),
    500: ErrorResponse(
        "InternalError",
        "An unexpected failure; or, with the reason `not_implemented`, something that this release does not serve yet.",
        Problem(500, "internal_error", INTERNAL_MESSAGE),
        RATE_HEADERS,
    ),
    503: ErrorResponse(
        "Unavailable",
        "The service is stopping, out of reach or, with the reason `overloaded`, has too much under way. The request "
        "can be repeated, safely with an Idempotency-Key.",
        Problem(503, "unavailable", "The server is stopping.", retry_after=1.0),
        (*RATE_HEADERS, "Retry-After"),
    ),
    504: ErrorResponse(
        "Timeout",
        "The answer took too long; the request can be repeated, safely with an Idempotency-Key.",
        Problem(
            504,
            "deadline_exceeded",
            "The answer took too long; with an Idempotency-Key the request can be repeated safely.",
        ),
        RATE_HEADERS,
    ),
}
#: Everything else: what is refused before the operation is known, or what a request as described cannot run into.
OTHER = ErrorResponse(
    "OtherError",
    "What can happen to any request: 401 `key_in_query` (an API key in the URL), 403 `https_required` (plain HTTP), "
    "405 (with `Allow`), 408 (the body did not arrive in time), 413 or 415 (a body where none is taken), 431 (the "
    "head is too large).",
    Problem(403, HTTPS_REQUIRED, "Requests must use HTTPS."),
)

_FIELD = {
    "type": "object",
    "description": "One violation.",
    "properties": {
        "field": {
            "type": "string",
            "description": "Path of the value, such as `text`, or a header's name; may be empty.",
        },
        "reason": {"type": "string", "description": "A stable word, such as `string.max_len` or `unknown_field`."},
        "message": {"type": "string", "description": "For people."},
    },
    "required": ["field", "reason", "message"],
    "additionalProperties": False,
}
_DETAILS = {
    "type": "object",
    "description": "Always has `request_id` and `reason`; the others are there where they apply.",
    "properties": {
        "request_id": {"type": "string", "description": "The same as the header X-Request-Id."},
        "reason": {"type": "string", "description": "A stable word that says more than `code`."},
        "fields": {"type": "array", "items": {"$ref": "#/components/schemas/FieldViolation"}, "minItems": 1},
        "retry_after": {"type": "integer", "minimum": 0, "description": "Seconds after which to try again."},
        "scope_required": {"type": "string", "description": "The scope that the API key lacks."},
        "limit": {"type": "integer", "description": "The limit that was exceeded."},
        "version": {"type": "integer", "description": "The version that the resource has now."},
        "status": {"type": "string", "description": "The status that the resource has now."},
    },
    "required": ["request_id", "reason"],
}
_PROBLEM = {
    "type": "object",
    "description": "What went wrong.",
    "properties": {
        "code": {
            "type": "string",
            "enum": sorted({*CODES.values(), HTTPS_REQUIRED}),
            "description": "Follows from the status; 403 has two.",
        },
        "message": {"type": "string", "description": "For people; may change."},
        "details": {"$ref": "#/components/schemas/ErrorDetails"},
    },
    "required": ["code", "message", "details"],
    "additionalProperties": False,
}
_ERROR = {
    "type": "object",
    "description": "The body of every answer of 400 or above.",
    "properties": {"error": {"$ref": "#/components/schemas/Problem"}},
    "required": ["error"],
    "additionalProperties": False,
}
#: Generators name types as these are named: none is called as one of its own fields, or as a class of a language.
SCHEMAS: dict[str, Schema] = {
    "ErrorEnvelope": _ERROR,
    "ErrorDetails": _DETAILS,
    "FieldViolation": _FIELD,
    "Problem": _PROBLEM,
}


def statuses(route: Route) -> list[int]:
    """The errors that a request of the described form can be answered (D21, D28), each under 500 for its own reason."""
    policy = route.policy
    found = {422, 500, 503, 504}
    if options_pb2.CREDENTIAL_KIND_PUBLIC not in policy.credentials:
        found |= {401, 403}
    elif policy.rate == options_pb2.RATE_CLASS_SIGN_IN:
        found.add(401)
    if policy.rate != options_pb2.RATE_CLASS_NONE:
        found.add(429)
    if route.body:
        found |= {413, 415}
    if policy.conflicts or policy.idempotency == options_pb2.IDEMPOTENCY_KEYED:
        found.add(409)
    if policy.if_match:
        found.add(412)
    if _names_something(route) or _reads_a_file(route):
        found.add(404)
    return sorted(found)


def _names_something(route: Route) -> bool:
    """Whether the request names something that is stored: by its id, or in the path as what it is, such as a word. A
    word of the contract's own, such as the profile of a form, is there or refused with 422."""
    fields = route.method.input_type.fields_by_name
    in_path = [fields[variable.name] for variable in Template.parse(route.template).variables]
    by_id = any(name.endswith("_id") for name in fields)
    return by_id or any("enum" not in field_rules(field) for field in in_path)


def _reads_a_file(route: Route) -> bool:
    """Whether the answer is a file, which may not have been stored: a logo."""
    field = route.method.output_type.fields_by_name[route.response_body] if route.response_body else None
    return field is not None and field.message_type is not None and field.message_type.full_name == HTTP_BODY


def responses(route: Route) -> dict[str, Schema]:
    """The error responses of an operation, by status."""
    listed = {str(status): _reference(ERRORS[status]) for status in statuses(route)}
    return {**listed, "default": _reference(OTHER)}


def components() -> dict[str, Any]:
    """The responses that operations refer to."""
    return {response.name: _response(response) for response in (*ERRORS.values(), OTHER)}


def header_references(names: tuple[str, ...]) -> Schema:
    """References to headers under ``components/headers``."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _reference(response: ErrorResponse) -> Schema:
    return {"$ref": f"#/components/responses/{response.name}"}


def _response(response: ErrorResponse) -> Schema:
    return {
        "description": response.meaning,
        "headers": header_references(("X-Request-Id", *response.headers)),
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/ErrorEnvelope"},
                "example": orjson.loads(response.example.body(_REQUEST_ID)),
            }
        },
    }
