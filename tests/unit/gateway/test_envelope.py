"""Promises of the envelope: statuses map as decided, details survive the wire, nothing internal comes out."""

import json

import grpc
import pytest
from google.rpc import code_pb2, status_pb2

from gateway import envelope
from gateway.envelope import CODES, FieldProblem, Problem
from server import faults
from server.faults import Fault, FieldViolation


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("INVALID_ARGUMENT", 422), ("OUT_OF_RANGE", 422), ("UNAUTHENTICATED", 401), ("PERMISSION_DENIED", 403),
        ("NOT_FOUND", 404), ("ALREADY_EXISTS", 409), ("ABORTED", 409), ("FAILED_PRECONDITION", 409),
        ("RESOURCE_EXHAUSTED", 500), ("DEADLINE_EXCEEDED", 504), ("UNAVAILABLE", 503), ("INTERNAL", 500),
        ("UNKNOWN", 500), ("DATA_LOSS", 500), ("UNIMPLEMENTED", 500), ("CANCELLED", 500),
    ],
)  # fmt: skip
def test_every_grpc_status_has_its_http_status(code, status):
    problem = envelope.from_status(status_pb2.Status(code=code_pb2.Code.Value(code), message="m"))
    assert problem.status == status
    assert json.loads(problem.body("r"))["error"]["code"] == CODES[status]


def test_only_a_quota_makes_resource_exhausted_a_429():
    fault = Fault(grpc.StatusCode.RESOURCE_EXHAUSTED, envelope.QUOTA_REASON, "Too many.", retry_after=3.2)
    problem = envelope.from_status(fault.to_status())
    assert problem.status == 429
    assert json.loads(problem.body("r"))["error"]["details"]["retry_after"] == 4


def test_violations_and_metadata_survive():
    problem = envelope.from_status(faults.invalid(FieldViolation("a[2].b", "string.max_len", "too long")).to_status())
    assert problem.fields == [FieldProblem("a[2].b", "string.max_len", "too long")]
    problem = envelope.from_status(faults.scope_required("quotes:read").to_status())
    assert json.loads(problem.body("r"))["error"] == {
        "code": "forbidden",
        "message": "The API key lacks the scope quotes:read.",
        "details": {"request_id": "r", "reason": "scope_required", "scope_required": "quotes:read"},
    }


@pytest.mark.parametrize("code", ["INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE", "DEADLINE_EXCEEDED"])
def test_what_an_unknown_failure_says_stays_inside(code):
    status = status_pb2.Status(code=code_pb2.Code.Value(code), message="connect to 10.0.0.7: Traceback")
    assert b"10.0.0.7" not in envelope.from_status(status).body("r")


def test_plain_http_has_a_code_of_its_own():
    assert json.loads(Problem(403, envelope.HTTPS_REQUIRED, "m").body("r"))["error"]["code"] == "https_required"
