"""Errors as HTTP clients see them: the only writer of error bodies (D27–D29).

Every answer of 400 or above, whichever layer it comes from, is::

    {"error": {"code": "validation_error", "message": "…", "details": {"request_id": "…", "reason": "…", …}}}

``code`` follows from the status alone, ``reason`` is a stable word that says more, ``message`` is for people.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import orjson
from google.rpc import code_pb2, error_details_pb2, status_pb2

#: HTTP status → ``error.code`` (D28). ``https_required`` is the one 403 with a code of its own.
CODES = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    409: "conflict",
    412: "precondition_failed",
    413: "payload_too_large",
    415: "unsupported_media_type",
    422: "validation_error",
    429: "rate_limited",
    431: "headers_too_large",
    500: "internal_error",
    503: "unavailable",
    504: "timeout",
}
HTTPS_REQUIRED = "https_required"

#: gRPC status → HTTP status (D29); the rest is 500.
STATUSES = {
    code_pb2.INVALID_ARGUMENT: 422,
    code_pb2.OUT_OF_RANGE: 422,
    code_pb2.UNAUTHENTICATED: 401,
    code_pb2.PERMISSION_DENIED: 403,
    code_pb2.NOT_FOUND: 404,
    code_pb2.ALREADY_EXISTS: 409,
    code_pb2.ABORTED: 409,
    code_pb2.FAILED_PRECONDITION: 409,
    code_pb2.DEADLINE_EXCEEDED: 504,
    code_pb2.UNAVAILABLE: 503,
}
QUOTA_REASON = "QUOTA_EXCEEDED"
#: If-Match names another version (RFC 9110 section 13.1.1); other ABORTED calls are conflicts.
MISMATCH_REASON = "VERSION_MISMATCH"
#: Reasons of RESOURCE_EXHAUSTED that waiting helps against; other such statuses are defects.
_WAITING_HELPS = frozenset((QUOTA_REASON, "SIGN_IN_LOCKED"))
#: Said of a body that only its content tells to be of no kind that is taken.
MEDIA_TYPE_REASON = "UNSUPPORTED_MEDIA_TYPE"
#: Seconds that a client is asked to wait while the server is away: about what one takes to start again.
RETRY_UNAVAILABLE = 1.0
INTERNAL_MESSAGE = "An unexpected failure; the request id finds it in the log."


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One violation: which field (a JSON path, or a header's name), why, and in words."""

    field: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem(Exception):  # noqa: N818 - it is an answer first
    """An answer that is an error. ``retry_after`` in seconds; ``extra`` goes into ``details`` as it is."""

    status: int
    reason: str
    message: str
    fields: Sequence[FieldProblem] = ()
    retry_after: float | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def answer_headers(self) -> dict[str, str]:
        """Its headers, with how long to wait before trying again."""
        if self.retry_after is None:
            return dict(self.headers)
        return {"Retry-After": str(max(1, math.ceil(self.retry_after))), **self.headers}

    def body(self, request_id: str) -> bytes:
        """The envelope."""
        details: dict[str, object] = {"request_id": request_id, "reason": self.reason}
        if self.fields:
            details["fields"] = [
                {"field": one.field, "reason": one.reason, "message": one.message} for one in self.fields
            ]
        if self.retry_after is not None:
            details["retry_after"] = math.ceil(self.retry_after)
        details.update(self.extra)
        code = HTTPS_REQUIRED if self.reason == HTTPS_REQUIRED else CODES[self.status]
        return orjson.dumps({"error": {"code": code, "message": self.message, "details": details}})


def from_status(status: status_pb2.Status) -> Problem:
    """The problem that a failed RPC is to an HTTP client. What would be a 500 keeps its inside to itself."""
    reason, fields, retry_after = "", [], None
    extra: dict[str, object] = {}
    for packed in status.details:
        if packed.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo.FromString(packed.value)
            reason, extra = info.reason, dict(info.metadata)
        elif packed.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            fields = [
                FieldProblem(one.field, one.reason, one.description)
                for one in error_details_pb2.BadRequest.FromString(packed.value).field_violations
            ]
        elif packed.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry_after = error_details_pb2.RetryInfo.FromString(packed.value).retry_delay.ToTimedelta().total_seconds()
    if status.code == code_pb2.RESOURCE_EXHAUSTED and reason in _WAITING_HELPS:
        http_status = 429
    elif status.code == code_pb2.ABORTED and reason == MISMATCH_REASON:
        http_status, extra = 412, {**extra, "version": int(str(extra["version"]))}
    elif status.code == code_pb2.INVALID_ARGUMENT and reason == MEDIA_TYPE_REASON:
        http_status = 415
    else:
        http_status = STATUSES.get(status.code, 500)
    if http_status == 503 and retry_after is None:
        retry_after = RETRY_UNAVAILABLE
    known = reason and (http_status < 500 or status.code in (code_pb2.UNAVAILABLE, code_pb2.UNIMPLEMENTED))
    return Problem(
        http_status,
        reason.lower() or CODES[http_status],
        status.message if known else _plain_message(http_status),
        fields=fields,
        retry_after=retry_after,
        extra=extra,
    )


def _plain_message(http_status: int) -> str:
    return {
        503: "The service is not available just now; try again in a moment.",
        504: "The answer took too long; with an Idempotency-Key the request can be repeated safely.",
    }.get(http_status, INTERNAL_MESSAGE)
