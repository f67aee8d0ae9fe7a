"""What every call goes through before its servicer, whichever way it came: the gRPC port or the gateway in the same
process.

The chain, outermost first: log → faults → request id → deadline → principal → access → validation → servicer. Each
interceptor is an async function ``(request, call, next) -> response``. For streaming RPCs the response is the
iterator, so that a stream is refused before it begins and is not timed out while it runs.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import protovalidate
from google.protobuf.message import Message
from quotewright.options.v1 import options_pb2
from quotewright.v1 import gate_pb2

from process import wire
from process.contract import Rpc
from process.log import Log
from server import faults
from server.authentication import Authenticator
from server.faults import Fault, FieldViolation
from server.store.database import StoreBusyError, StoreClosedError

#: Kept back from the caller's deadline, so that the answer arrives in time.
DEADLINE_SHAVED = 0.02
#: A call whose caller sets no deadline ends after this many seconds.
DEADLINE_DEFAULT = 30.0


@dataclass(slots=True)
class Call:
    """One call on its way. ``deadline`` is in `time.monotonic` seconds; ``metadata`` keys are lower case."""

    rpc: Rpc
    metadata: Mapping[str, str | bytes]
    deadline: float
    transport: str
    request_id: str = ""
    principal: gate_pb2.Principal | None = None
    #: Goes back to the caller beside the response.
    reply_metadata: dict[str, str] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """A metadata value, or an empty string."""
        value = self.metadata.get(key, "")
        return value if isinstance(value, str) else ""

    @property
    def caller(self) -> gate_pb2.Principal:
        """The principal, for servicers of RPCs that ask for one."""
        assert self.principal is not None, "a public RPC has no caller"
        return self.principal

    @property
    def actor(self) -> str:
        """The caller as audit rows name it."""
        principal = self.caller
        return f"user:{principal.user_id}" if principal.user_id else f"key:{principal.credential_id}"


Handler = Callable[[Message, Call], Awaitable[object]]
Interceptor = Callable[[Message, Call, Handler], Awaitable[object]]


def chain(interceptors: list[Interceptor], servicer: Handler) -> Handler:
    """One handler out of the interceptors, the first outermost."""
    handler = servicer
    for interceptor in reversed(interceptors):
        handler = _bind(interceptor, handler)
    return handler


def _bind(interceptor: Interceptor, following: Handler) -> Handler:
    return lambda request, call: interceptor(request, call, following)


def log_calls(log: Log) -> Interceptor:
    """One line a call that came over the port; the gateway writes the line of those that it made in process."""

    async def intercept(request: Message, call: Call, following: Handler) -> object:
        if call.transport != "grpc":
            return await following(request, call)
        began = time.perf_counter()
        code = "OK"
        try:
            return await following(request, call)
        except Fault as fault:
            code = fault.code.name
            raise
        finally:
            log(
                "call",
                rpc=call.rpc.path,
                code=code,
                request_id=call.request_id,
                organization_id=call.principal.organization_id if call.principal else 0,
                livemode=call.principal.livemode if call.principal else None,
                ms=round((time.perf_counter() - began) * 1000, 3),
            )

    return intercept


def contain_faults(log: Log) -> Interceptor:
    """Anything but a `Fault` becomes one: the store's states by name, the rest as a defect whose trace is in the
    log."""

    async def intercept(request: Message, call: Call, following: Handler) -> object:
        try:
            return await following(request, call)
        except Fault:
            raise
        except StoreBusyError:
            raise faults.unavailable("The store is busy; nothing was changed.") from None
        except StoreClosedError:
            raise faults.unavailable("The server is stopping.") from None
        except Exception:  # noqa: BLE001 - the last line of defence
            log("defect", rpc=call.rpc.path, request_id=call.request_id, trace=traceback.format_exc())
            raise faults.internal() from None

    return intercept


async def name_request(request: Message, call: Call, following: Handler) -> object:
    """Take the caller's request id where it is one, else make one."""
    given = call.text("x-request-id")
    call.request_id = given if wire.REQUEST_ID.fullmatch(given) else f"req_{secrets.token_hex(12)}"
    call.reply_metadata["x-request-id"] = call.request_id
    return await following(request, call)


async def keep_deadline(request: Message, call: Call, following: Handler) -> object:
    """End the call a little before its caller gives up. What was committed by then stays committed."""
    remaining = call.deadline - time.monotonic() - DEADLINE_SHAVED
    if remaining <= 0:
        raise faults.deadline_exceeded()
    timeout = asyncio.timeout(remaining)
    try:
        async with timeout:
            return await following(request, call)
    except TimeoutError:
        if timeout.expired():
            raise faults.deadline_exceeded() from None
        raise


def prove_principal(authenticator: Authenticator) -> Interceptor:
    """Find out who calls: a gateway's proof, the gateway itself, or a credential that came directly."""

    async def identify(call: Call) -> gate_pb2.Principal | None:
        proof = call.metadata.get(wire.PRINCIPAL)
        if isinstance(proof, bytes):
            return authenticator.check(proof)
        bearer = call.text("authorization").removeprefix("Bearer ")
        key = call.text("x-api-key")
        if key and bearer and key != bearer:
            raise faults.unauthenticated("CREDENTIALS_DIFFER", "X-API-Key and the bearer token differ.")
        given = key or bearer
        if not given:
            raise faults.unauthenticated("CREDENTIAL_MISSING", "A credential is required.")
        if call.rpc.allows(options_pb2.CREDENTIAL_KIND_GATEWAY):
            if authenticator.gateway(given):
                return None
            raise faults.unauthenticated("GATEWAY_UNKNOWN", "This RPC is between gateway and server only.")
        if given.startswith("qw_session_"):
            return await authenticator.session(given)
        return await authenticator.api_key(given)

    async def intercept(request: Message, call: Call, following: Handler) -> object:
        if not call.rpc.public:
            call.principal = await identify(call)
        return await following(request, call)

    return intercept


async def check_access(request: Message, call: Call, following: Handler) -> object:
    """The RPC's own rules: which kinds of credential, which scope, a workspace."""
    if call.principal is not None:
        refuse(call.rpc.policy, call.principal)
    return await following(request, call)


def refuse(policy: options_pb2.Policy, principal: gate_pb2.Principal) -> None:
    """Raise the fault that the policy has for the principal, if any (D16, D17, D23)."""
    if principal.kind not in policy.credentials:
        raise faults.unauthenticated("CREDENTIAL_KIND_REFUSED", "This kind of credential is not accepted here.")
    if principal.kind == options_pb2.CREDENTIAL_KIND_SESSION:
        if not principal.organization_id:
            raise faults.workspace_required()
    elif policy.scope and policy.scope not in principal.scopes:
        raise faults.scope_required(policy.scope)


def validate_fields() -> Interceptor:
    """The protovalidate rules of the request, all violations at once. Rule ids serve as reasons."""
    validator = protovalidate.Validator()

    async def intercept(request: Message, call: Call, following: Handler) -> object:
        violations = validator.collect_violations(request)
        if violations:
            raise faults.invalid(*(_field_violation(one.proto) for one in violations))
        return await following(request, call)

    return intercept


def _field_violation(violation: protovalidate.ViolationPb) -> FieldViolation:
    """A rule of the whole message is named ``<field>.<reason>`` in the protos and is told of that field."""
    if violation.field is None or not violation.field.elements:
        field_name, _, reason = violation.rule_id.partition(".")
        return FieldViolation(field_name, reason, violation.message)
    path = ""
    for element in violation.field.elements:
        path += ("." if path else "") + element.field_name
        if element.subscript is not None:
            path += f"[{element.subscript.value}]"
    return FieldViolation(path, violation.rule_id, violation.message)
