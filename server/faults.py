"""The one error type inside the server, and the one place that turns it into what callers see: a `google.rpc.Status`.

`reason` is a stable UPPER_SNAKE_CASE word of the domain ``quotewright`` (google.rpc.ErrorInfo); messages are for
people and may change. Nothing internal ever goes into either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "quotewright"


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One rule that one field of the request breaks. ``field`` is a path such as ``line_items[2].qty``; empty: the
    whole."""

    field: str
    reason: str
    message: str


class Fault(Exception):  # noqa: N818 - the domain's word; it is also a status, not only an error
    """A call that ends without its result. ``retry_after`` in seconds; ``metadata`` goes into ErrorInfo."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        *,
        violations: Sequence[FieldViolation] = (),
        retry_after: float | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.violations = tuple(violations)
        self.retry_after = retry_after
        self.metadata = dict(metadata or {})

    def to_status(self) -> status_pb2.Status:
        """The fault as it goes over the wire."""
        details: list[any_pb2.Any] = [
            _pack(error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.metadata))
        ]
        if self.violations:
            details.append(
                _pack(
                    error_details_pb2.BadRequest(
                        field_violations=[
                            error_details_pb2.BadRequest.FieldViolation(
                                field=one.field, reason=one.reason, description=one.message
                            )
                            for one in self.violations
                        ]
                    )
                )
            )
        if self.retry_after is not None:
            delay = duration_pb2.Duration()
            delay.FromNanoseconds(int(self.retry_after * 1e9))
            details.append(_pack(error_details_pb2.RetryInfo(retry_delay=delay)))
        return status_pb2.Status(code=self.code.value[0], message=self.message, details=details)


def _pack(message: error_details_pb2.ErrorInfo) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


def invalid(*violations: FieldViolation) -> Fault:
    """The request breaks rules of its fields; all of them are told at once."""
    return Fault(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELDS", "The request is not valid.", violations=violations)


def undecodable() -> Fault:
    """The bytes of the request are no message of its type."""
    return Fault(grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_MALFORMED", "The request cannot be decoded.")


def unauthenticated(reason: str, message: str) -> Fault:
    """Nobody, or nobody known, is calling."""
    return Fault(grpc.StatusCode.UNAUTHENTICATED, reason, message)


def scope_required(scope: str) -> Fault:
    """The key is good but lacks the scope."""
    return Fault(
        grpc.StatusCode.PERMISSION_DENIED,
        "SCOPE_REQUIRED",
        f"The API key lacks the scope {scope}.",
        metadata={"scope_required": scope},
    )


def workspace_required() -> Fault:
    """The session is good but has no active workspace."""
    return Fault(grpc.StatusCode.PERMISSION_DENIED, "WORKSPACE_REQUIRED", "The session has no active workspace.")


def role_required(roles: Iterable[str]) -> Fault:
    """The user's role in the workspace does not reach."""
    return Fault(
        grpc.StatusCode.PERMISSION_DENIED,
        "ROLE_REQUIRED",
        f"This takes another role in the workspace: {' or '.join(sorted(roles))}.",
    )


def sign_in_refused() -> Fault:
    """The e-mail address or the password is wrong; which one is not told."""
    return unauthenticated("SIGN_IN_REFUSED", "The e-mail address or the password is wrong.")


def sign_in_locked(seconds: float) -> Fault:
    """Too many wrong passwords were sent with the e-mail address."""
    return Fault(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "SIGN_IN_LOCKED",
        "Too many attempts with this e-mail address; wait before the next one.",
        retry_after=seconds,
    )


def password_refused() -> Fault:
    """A signed-in user has given another password than the present one."""
    return Fault(grpc.StatusCode.PERMISSION_DENIED, "PASSWORD_REFUSED", "The password is wrong.")


def reauthentication_required() -> Fault:
    """What is asked for takes the password again."""
    return Fault(
        grpc.StatusCode.PERMISSION_DENIED,
        "REAUTHENTICATION_REQUIRED",
        "This takes your password again; then repeat it.",
    )


def own_submission() -> Fault:
    """Who submits does not approve, where somebody else could (D14)."""
    return Fault(
        grpc.StatusCode.PERMISSION_DENIED, "OWN_SUBMISSION", "Somebody else must approve what you have submitted."
    )


def invalid_state(what: str, state: str, trigger: str) -> Fault:
    """The thing is in a state that does not allow the move (D15)."""
    return Fault(
        grpc.StatusCode.FAILED_PRECONDITION, "INVALID_STATE", f"The {what} is {state}: it cannot be {trigger}."
    )


def version_mismatch(version: int, status: str) -> Fault:
    """Somebody else has changed the quote since the caller read it (RFC 9110 section 13.1.1). ABORTED: to be read and
    decided anew, as google.rpc.Code says of a failed test-and-set."""
    return Fault(
        grpc.StatusCode.ABORTED,
        "VERSION_MISMATCH",
        f"The quote has changed since it was read: version {version} is current and it is {status}. Nothing was done.",
        metadata={"version": str(version), "status": status},
    )


def not_found(what: str) -> Fault:
    """It does not exist, or not for this caller: the two answer alike (D2)."""
    return Fault(grpc.StatusCode.NOT_FOUND, "NOT_FOUND", f"There is no such {what}.")


def already_exists(reason: str, message: str) -> Fault:
    """What is to be made exists."""
    return Fault(grpc.StatusCode.ALREADY_EXISTS, reason, message)


def failed_precondition(reason: str, message: str) -> Fault:
    """The state of things does not allow it now."""
    return Fault(grpc.StatusCode.FAILED_PRECONDITION, reason, message)


def changed_meanwhile(what: str) -> Fault:
    """It was changed since the caller read it; nothing is overwritten."""
    return Fault(
        grpc.StatusCode.ABORTED, "CHANGED_MEANWHILE", f"The {what} was changed meanwhile: read it again and repeat."
    )


def idempotency_conflict() -> Fault:
    """The idempotency key was used with another request (D32)."""
    return Fault(
        grpc.StatusCode.ABORTED, "IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used with a different request."
    )


def unsupported_media_type(message: str) -> Fault:
    """The body is of no kind that is taken, or not what it is said to be; over HTTP 415."""
    return Fault(grpc.StatusCode.INVALID_ARGUMENT, "UNSUPPORTED_MEDIA_TYPE", message)


def limit_reached(message: str) -> Fault:
    """There are as many as there may be."""
    return Fault(grpc.StatusCode.FAILED_PRECONDITION, "LIMIT_REACHED", message)


def unimplemented(rpc: str) -> Fault:
    """The contract has the RPC, this release has no engine for it."""
    return Fault(grpc.StatusCode.UNIMPLEMENTED, "NOT_IMPLEMENTED", f"{rpc} is not available in this release.")


def deadline_exceeded() -> Fault:
    """The caller's time is up."""
    return Fault(grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", "The deadline passed before the answer.")


def unavailable(message: str) -> Fault:
    """The server is stopping, starting or overloaded; the same call may work in a second."""
    return Fault(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", message, retry_after=1.0)


def internal() -> Fault:
    """A defect. The log has the rest."""
    return Fault(grpc.StatusCode.INTERNAL, "INTERNAL", "An unexpected failure; the request id finds it in the log.")
