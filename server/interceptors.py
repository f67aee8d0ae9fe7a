"""What every call goes through before its servicer, whichever way it came: the gRPC port or the gateway in the same
process.

In this order: request id → deadline → principal → access → field rules → servicer; and whatever fails becomes a
`Fault`. It is one function, `Chain.before`, and not one around the other: on a request that takes microseconds the
layers themselves were most of the cost. For streaming RPCs the response is the iterator, so that a stream is refused
before it begins and is not timed out while it runs.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import protovalidate
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from quotewright.options.v1 import options_pb2
from quotewright.v1 import gate_pb2

from process import wire
from process.clock import now_us
from process.contract import LINK_FIELD, LINK_KINDS, Rpc
from process.log import Log
from process.metrics import Calls, Reading
from process.tracing import Attribute, Trace, Tracer, trace_id_of
from process.usage import UsageCounter
from server import faults, field_rules
from server.authentication import Authenticator
from server.faults import Fault, FieldViolation
from server.store.database import StoreBusyError, StoreClosedError

#: Kept back from the caller's deadline, so that the answer arrives in time.
DEADLINE_SHAVED = 0.02
#: Codes that make a call's span a failure (OpenTelemetry's semantic conventions for gRPC servers).
FAILURES = frozenset({"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"})
#: A call whose caller sets no deadline ends after this many seconds.
DEADLINE_DEFAULT = 30.0


@dataclass(slots=True, eq=False)
class Call:
    """One call on its way. ``deadline`` is in `time.monotonic` seconds; ``metadata`` keys are lower case."""

    rpc: Rpc
    metadata: Mapping[str, str | bytes]
    deadline: float
    request_id: str = ""
    principal: gate_pb2.Principal | None = None
    #: This hop; None in the gateway's process, whose own hop it is part of, unless spans are exported.
    trace: Trace | None = None
    #: What is in its metadata twice and must not be; of a call by the port.
    repeated: tuple[str, ...] = ()
    #: Its message could not be decoded, and an empty one stands for it.
    undecodable: bool = False
    #: How it ended: the name of a `grpc.StatusCode`.
    code: str = "OK"
    #: Being cancelled because its time is up.
    overdue: bool = False
    #: Goes back to the caller beside the response.
    reply_metadata: dict[str, str] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """A metadata value, or an empty string."""
        value = self.metadata.get(key, "")
        return value if isinstance(value, str) else ""

    @property
    def trace_id(self) -> str:
        """The trace that it belongs to; in process as our own gateway has written it."""
        return self.trace.trace_id if self.trace is not None else trace_id_of(self.text("traceparent"))

    @property
    def caller(self) -> gate_pb2.Principal:
        """The principal, for servicers of RPCs that ask for one."""
        assert self.principal is not None, "a public RPC has no caller"
        return self.principal

    @property
    def actor(self) -> str:
        """The caller as audit rows name it."""
        principal = self.caller
        if principal.kind in LINK_KINDS:
            return f"customer:link-{principal.credential_id}"
        return f"user:{principal.user_id}" if principal.user_id else f"key:{principal.credential_id}"


Handler = Callable[[Message, Call], Awaitable[object]]


class InFlight:
    """The calls that are being answered; it ends them a little before their callers give up.

    What was committed by then stays committed. One timer serves all calls, as a timer for each costs more than the
    rest of the chain; so a call ends up to `TICK` late.
    """

    TICK = 0.02

    def __init__(self) -> None:
        #: The loop that calls are awaited on, once one is: to ask for it is a system call (getpid, in CPython 3.11).
        self.loop: asyncio.AbstractEventLoop | None = None
        self._tasks: dict[Call, asyncio.Task[object]] = {}
        self._ticking = False
        self._closed = False

    def enter(self, call: Call, task: asyncio.Task[object]) -> None:
        """A call begins. Raises UNAVAILABLE once closed, and DEADLINE_EXCEEDED where its time is up already."""
        if self._closed:
            call.reply_metadata[wire.NOT_BEGUN] = "true"
            raise faults.unavailable("The server is stopping.")
        if call.deadline - DEADLINE_SHAVED <= time.monotonic():
            raise faults.deadline_exceeded()
        self._tasks[call] = task
        if not self._ticking:
            self._ticking = True
            self.loop = task.get_loop()
            self.loop.call_later(self.TICK, self._tick)

    def leave(self, call: Call) -> None:
        """A call has ended."""
        self._tasks.pop(call, None)

    def __len__(self) -> int:
        """How many."""
        return len(self._tasks)

    async def close(self) -> None:
        """Let no further call begin, and return when the last one has ended.

        grpc's own stop does not wait for handlers that abort (grpc issue 37239).
        """
        self._closed = True
        while self._tasks:  # noqa: ASYNC110 - an event would cost every call something to spare the last stop a tick
            await asyncio.sleep(self.TICK)

    def _tick(self) -> None:
        by = time.monotonic() + DEADLINE_SHAVED
        for call, task in self._tasks.items():
            if call.deadline <= by and not call.overdue:
                call.overdue = True
                task.cancel()
        self._ticking = bool(self._tasks)
        if self._ticking:
            asyncio.get_running_loop().call_later(self.TICK, self._tick)


class Chain:
    """Makes handlers out of servicers' methods."""

    def __init__(self, authenticator: Authenticator, log: Log, registry: CollectorRegistry) -> None:
        self._authenticator = authenticator
        self._log = log
        self.in_flight = InFlight()
        #: Calls that came without a gateway, which counts its own.
        self.usage = UsageCounter()
        self._violations = protovalidate.Validator().collect_violations
        #: A stream has ended, for these numbers, when it has begun.
        self._calls = Calls(registry, "rpc_calls", "RPC calls", ("rpc", "code"))
        Reading(registry, GaugeMetricFamily, "rpc_calls_in_flight", "RPC calls under way.", lambda: len(self.in_flight))

    def before(self, rpc: Rpc, servicer: Handler) -> Handler:
        """A handler that lets a call through to the servicer's method. All that it raises is `Fault`."""
        public = rpc.public
        in_flight, violations_of, observe = self.in_flight, self._violations, self._calls.observe
        surely_kept = field_rules.surely_kept(rpc.request_class)
        used_keys, check = self._authenticator.used_keys, self._authenticator.check

        async def handle(request: Message, call: Call) -> object:
            began = time.perf_counter()
            task = asyncio.current_task(in_flight.loop)
            assert task is not None, "calls are awaited in tasks"
            direct = True
            if not call.request_id:
                _name_request(call)
            try:
                in_flight.enter(call, task)
                if call.repeated:
                    _refuse_repeated(call.repeated)
                if not public:
                    proof = call.metadata.get(wire.PRINCIPAL)
                    if isinstance(proof, bytes):
                        direct = False
                        proven = check(proof)
                        call.principal = proven.principal
                        if rpc.path not in proven.allowed:
                            refuse(rpc, proven.principal)
                            proven.allowed.add(rpc.path)
                        if proven.key_id:
                            used_keys[proven.key_id] = now_us()
                    else:
                        principal = call.principal = await self._identify(request, call)
                        if principal is not None:
                            refuse(rpc, principal)
                            if principal.kind == options_pb2.CREDENTIAL_KIND_API_KEY:
                                used_keys[principal.credential_id] = now_us()
                if call.undecodable:
                    _refuse_message()
                if not surely_kept(request):
                    violations = violations_of(request)
                    if violations:
                        _refuse_fields(violations)
                if direct:
                    _refuse_nul(request)
                answer = await servicer(request, call)
                return self._contained(answer, call) if rpc.streaming else answer  # type: ignore[arg-type]
            except Fault as fault:
                call.code = fault.code.name
                raise
            except asyncio.CancelledError:
                call.code = "CANCELLED"
                if call.overdue:
                    call.overdue = False
                    if task.uncancel() == 0:
                        call.code = "DEADLINE_EXCEEDED"
                        raise faults.deadline_exceeded() from None
                raise
            except Exception as error:  # noqa: BLE001 - the last line of defence
                failure = self._fault(error, call)
                call.code = failure.code.name
                raise failure from None
            finally:
                in_flight.leave(call)
                observe((rpc.path, call.code), time.perf_counter() - began)
                if direct and call.principal is not None:
                    self._count(call, call.principal)
                if call.overdue:  # it ended by itself while it was being cancelled
                    task.uncancel()

        return handle

    def _count(self, call: Call, principal: gate_pb2.Principal) -> None:
        """Note a call of an organization's own, as its use."""
        if principal.organization_id and principal.kind not in LINK_KINDS:
            self.usage.note(
                principal.organization_id, call.rpc.operation, livemode=principal.livemode, failed=call.code != "OK"
            )

    async def _contained(self, messages: AsyncIterator[Message], call: Call) -> AsyncGenerator[Message, None]:
        """A servicer's stream; what fails in it becomes a `Fault`. It ends where nobody listens any more."""
        try:
            async for message in messages:
                yield message
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001 - the last line of defence
            raise self._fault(error, call) from None
        finally:
            close = getattr(messages, "aclose", None)
            if close is not None:
                await close()

    async def _identify(self, request: Message, call: Call) -> gate_pb2.Principal | None:
        """Who calls without a gateway's proof: the gateway itself, or a credential that came directly."""
        link = str(getattr(request, LINK_FIELD)) if call.rpc.takes_links else ""
        bearer = call.text("authorization").removeprefix("Bearer ")
        key = call.text("x-api-key")
        if key and bearer and key != bearer:
            raise faults.unauthenticated("CREDENTIALS_DIFFER", "X-API-Key and the bearer token differ.")
        given = key or bearer
        if link:
            if given:
                raise faults.unauthenticated("CREDENTIALS_DIFFER", "A signed link and another credential were sent.")
            return self._authenticator.link(link)
        if not given:
            raise faults.unauthenticated("CREDENTIAL_MISSING", "A credential is required.")
        if call.rpc.allows(options_pb2.CREDENTIAL_KIND_GATEWAY):
            if self._authenticator.gateway(given):
                return None
            raise faults.unauthenticated("GATEWAY_UNKNOWN", "This RPC is between gateway and server only.")
        if given.startswith("qw_session_"):
            return await self._authenticator.session(given)
        return await self._authenticator.api_key(given)

    def _fault(self, error: Exception, call: Call) -> Fault:
        """The store's states by name; the rest is a defect, whose trace is in the log."""
        if isinstance(error, StoreBusyError):
            return faults.unavailable("The store is busy; nothing was changed.")
        if isinstance(error, StoreClosedError):
            return faults.unavailable("The server is stopping.")
        trace = "".join(traceback.format_exception(error))
        self._log("defect", rpc=call.rpc.path, request_id=call.request_id, trace_id=call.trace_id, trace=trace)
        return faults.internal()


def logged(handler: Handler, log: Log) -> Handler:
    """The handler with one log line a call. For the port; of calls in process the gateway writes the line."""

    async def handle(request: Message, call: Call) -> object:
        began = time.perf_counter()
        try:
            return await handler(request, call)
        finally:
            log(
                "call",
                rpc=call.rpc.path,
                code=call.code,
                request_id=call.request_id,
                trace_id=call.trace_id,
                organization_id=call.principal.organization_id if call.principal else 0,
                livemode=call.principal.livemode if call.principal else None,
                ms=round((time.perf_counter() - began) * 1000, 3),
            )

    return handle


def traced(handler: Handler, tracer: Tracer, *, internal: bool = False) -> Handler:
    """The handler as a hop of its caller's trace, with a span where spans are exported. ``internal``: the caller is
    the gateway in the same process."""

    async def handle(request: Message, call: Call) -> object:
        call.trace = tracer.begin(call.text("traceparent"), call.text("tracestate"), internal=internal)
        try:
            return await handler(request, call)
        finally:
            if call.trace.span is not None:
                call.trace.span.end(call.rpc.path[1:], _attributes(call), call.code if call.code in FAILURES else "")

    return handle


def _attributes(call: Call) -> dict[str, Attribute]:
    """OpenTelemetry's semantic conventions for RPC; what has no name there begins with ours."""
    return {
        "rpc.system.name": "grpc",
        "rpc.method": call.rpc.path[1:],
        "rpc.response.status_code": call.code,
        "quotewright.request_id": call.request_id,
    }


def _name_request(call: Call) -> None:
    """Take the caller's request id where it is one, else make one."""
    given = call.metadata.get("x-request-id", "")
    sound = isinstance(given, str) and wire.REQUEST_ID.fullmatch(given)
    call.request_id = call.reply_metadata["x-request-id"] = str(given) if sound else f"req_{secrets.token_hex(12)}"


def refuse(rpc: Rpc, principal: gate_pb2.Principal) -> None:
    """Raise the fault that the RPC's policy has for the principal, if any (D16, D17, D23)."""
    kind = principal.kind
    if kind not in rpc.kinds:
        raise faults.unauthenticated("CREDENTIAL_KIND_REFUSED", "This kind of credential is not accepted here.")
    if kind == options_pb2.CREDENTIAL_KIND_SESSION:
        if not principal.organization_id:
            if not rpc.policy.without_workspace:
                raise faults.workspace_required()
        elif principal.role not in rpc.roles:
            raise faults.role_required(rpc.roles)
    elif kind == options_pb2.CREDENTIAL_KIND_API_KEY and rpc.scope not in principal.scopes:
        raise faults.scope_required(rpc.scope)


def _refuse_repeated(names: Sequence[str]) -> NoReturn:
    raise faults.invalid(*(FieldViolation(name, "repeated", "must be there only once") for name in names))


def _refuse_message() -> NoReturn:
    raise faults.undecodable()


def _refuse_fields(violations: Sequence[protovalidate.Violation]) -> NoReturn:
    raise faults.invalid(*(_field_violation(one.proto) for one in violations))


def _refuse_nul(request: Message) -> None:
    """Refuse U+0000 in text, which PostgreSQL cannot store; a gateway has done it already (D30)."""
    found = [FieldViolation(path, "nul_character", "must not contain U+0000") for path in _texts_with_nul(request, "")]
    if found:
        raise faults.invalid(*found)


def _texts_with_nul(message: Message, path: str) -> Iterator[str]:
    for field_, value in message.ListFields():
        if field_.type not in {FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_MESSAGE}:
            continue
        here = f"{path}.{field_.name}" if path else field_.name
        repeated = not isinstance(value, str | Message)
        items = value.items() if isinstance(value, Mapping) else enumerate(value) if repeated else [("", value)]
        for key, one in items:
            place = f"{here}[{key}]" if repeated else here
            if isinstance(one, Message):
                yield from _texts_with_nul(one, place)
            elif isinstance(one, str) and ("\0" in one or "\0" in str(key)):
                yield place


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
