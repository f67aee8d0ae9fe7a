"""Who may pass: credential → principal → the RPC's rules (D17, D18, D21, D23).

Principals are remembered for a minute. The server streams the credentials that end; while that stream is not heard,
nothing remembered is trusted and every request asks the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cachetools import TTLCache
from google.rpc import code_pb2, status_pb2
from quotewright.options.v1 import options_pb2
from quotewright.v1 import gate_pb2
from yarl import URL

from gateway.backend import Backend, Metadata
from gateway.envelope import Problem, from_status
from gateway.quota import Subject
from gateway.slots import Slot
from process.clock import now_us
from process.contract import LINK_FIELD, LINK_KINDS, Rpc
from process.log import Log, printed

REMEMBERED = 60.0  # seconds; the server's proof of a principal is good for longer
#: Beats come every 0.2 s. After this much silence the stream counts as lost (in force within a second, D18).
SILENCE = 0.8
RECONNECT_AFTER = 0.2
AUTHENTICATE_WITHIN = 5.0
SESSION_PREFIX = "qw_session_"

#: Whose allowance a request uses up, under which limit, and its name.
Allowance = tuple[Subject, int, str]


@dataclass(frozen=True, slots=True)
class Admittance:
    """What the requests of a caller to an RPC that he may call are counted as."""

    slot: Slot
    #: None where it is their address's.
    allowance: Allowance | None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: a `Principal` as plain values, as they are read with every request, and the server's proof of it."""

    kind: int
    organization_id: int
    livemode: bool
    user_id: int
    credential_id: str
    scopes: frozenset[str]
    #: The user's role in the workspace; empty for keys.
    role: str
    requests_per_minute: int
    #: µs since 1970; infinite where the credential does not expire.
    expires_at: float
    proof: bytes
    #: How long he may be remembered, on the monotonic clock.
    until: float
    #: It is somebody with a signed link, whom the organization does not answer for.
    by_link: bool
    #: Who it is, as log lines print it.
    printed: str
    #: The RPCs, by path, that he was found to be allowed to call.
    admitted: dict[str, Admittance] = field(default_factory=dict, compare=False)

    @property
    def slots(self) -> int:
        """Whose slots its requests take. Customers with links have as many of their own: they must not be able to fill
        what their company works with."""
        return -self.organization_id if self.by_link else self.organization_id

    @classmethod
    def of(cls, principal: gate_pb2.Principal, proof: bytes, until: float) -> Caller:
        """The caller that a server has answered."""
        return cls(
            principal.kind,
            principal.organization_id,
            principal.livemode,
            principal.user_id,
            principal.credential_id,
            frozenset(principal.scopes),
            principal.role,
            principal.requests_per_minute,
            principal.expires_at.ToMicroseconds() if principal.HasField("expires_at") else math.inf,
            proof,
            until,
            principal.kind in LINK_KINDS,
            _printed(principal.organization_id, principal.credential_id, livemode=principal.livemode),
        )


def _printed(organization_id: int, credential_id: str, *, livemode: bool | None) -> str:
    return printed(organization_id=organization_id, livemode=livemode, credential=credential_id)


#: A request of nobody known, as log lines print it.
NOBODY = _printed(0, "", livemode=None)


def credential_of(headers: Mapping[str, str]) -> str:
    """The credential of a request as it was sent: a session token, or what is taken for an API key.

    Raises 401 where there is none, or two that differ.
    """
    key = headers.get("X-API-Key", "").strip()
    text = key
    authorization = headers.get("Authorization")
    if authorization is not None:
        scheme, _, bearer = authorization.partition(" ")
        bearer = bearer.strip() if scheme.lower() == "bearer" else ""
        if key and bearer and key != bearer:
            raise _unauthorized("credentials_differ", "X-API-Key and the bearer token differ.")
        text = key or bearer
    if not text:
        raise _unauthorized("credential_missing", "A credential is required: send the header X-API-Key.")
    if not text.isascii() or len(text) > 512:
        raise _unauthorized("api_key_malformed", "The API key is not valid.")
    if key.startswith(SESSION_PREFIX):
        raise _unauthorized("credential_kind_refused", "A session token goes into the Authorization header.")
    return text


def link_of(rpc: Rpc, variables: Mapping[str, str], url: URL, headers: Mapping[str, str]) -> str:
    """The token of the signed link that a request was made with; empty where the RPC takes none or none was sent.

    Raises 401 where another credential came with it.
    """
    if not rpc.takes_links:
        return ""
    token = variables.get(LINK_FIELD) or url.query.get(LINK_FIELD) or ""
    if token and ("X-API-Key" in headers or headers.get("Authorization", "").lower().startswith("bearer ")):
        raise _unauthorized("credentials_differ", "A signed link and another credential were sent.")
    if len(token) > 512 or not token.isascii():
        raise _unauthorized("link_unknown", "The link is not valid.")
    return token


def check_access(rpc: Rpc, caller: Caller) -> None:
    """Raise what the RPC's policy has against the caller: 401 for the kind, 403 for the scope, workspace or role."""
    if caller.kind not in rpc.kinds:
        raise _unauthorized("credential_kind_refused", "This kind of credential is not accepted here.")
    if caller.kind == options_pb2.CREDENTIAL_KIND_SESSION:
        if not caller.organization_id:
            if not rpc.policy.without_workspace:
                raise Problem(403, "workspace_required", "The session has no active workspace.")
        elif caller.role not in rpc.roles:
            wanted = " or ".join(sorted(rpc.roles))
            raise Problem(403, "role_required", f"This takes another role in the workspace: {wanted}.")
    elif caller.kind == options_pb2.CREDENTIAL_KIND_API_KEY and rpc.scope not in caller.scopes:
        raise Problem(
            403,
            "scope_required",
            f"The API key lacks the scope {rpc.scope}.",
            extra={"scope_required": rpc.scope},
        )


class Gate:
    """The gateway's side of the Gate service: asks who is behind a credential, and remembers while it may."""

    def __init__(self, backend: Backend, rpcs: Mapping[str, Rpc], secret: str, log: Log) -> None:
        self._backend = backend
        self._authenticate = rpcs["/quotewright.v1.GateService/Authenticate"]
        self._revocations = rpcs["/quotewright.v1.GateService/StreamRevocations"]
        self._exposure = rpcs["/quotewright.v1.GateService/ReportExposure"]
        self._metadata = {"authorization": f"Bearer {secret}"}
        self._log = log
        self._callers: TTLCache[bytes, Caller] = TTLCache(65_536, REMEMBERED)
        #: Which remembered callers a credential id stands behind.
        self._by_id: dict[str, set[bytes]] = {}
        self._heard_at = float("-inf")
        #: Grows whenever something remembered is forgotten: what was looked up or asked for before need not hold.
        self.generation = 0
        #: Credentials that were remembered, and that had to be asked for.
        self.hits = 0
        self.misses = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen for revocations."""
        self._task = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    @property
    def trusts_memory(self) -> bool:
        """Whether the revocation stream has been heard lately."""
        return time.monotonic() - self._heard_at < SILENCE

    def remembered(self, credential: str, *, link: bool = False) -> Caller | None:
        """The caller, where he is known without asking. ``link``: the credential is a signed link's token."""
        if not self.trusts_memory:
            return None
        try:
            caller = self._callers[_digest(credential, link=link)]
        except KeyError:
            return None
        if caller.expires_at <= now_us():
            return None
        self.hits += 1
        return caller

    def still_knows(self, caller: Caller, generation: int) -> bool:
        """Whether a caller who was `remembered`, or answered, in that generation of the memory would be again."""
        known = (
            generation == self.generation
            and self.trusts_memory
            and time.monotonic() < caller.until
            and caller.expires_at > now_us()
        )
        self.hits += known
        return known

    async def ask(self, credential: str, hop: Metadata, *, link: bool = False) -> Caller:
        """The caller, from the server, which is told by the metadata ``hop`` for which request it is asked.

        Raises 401, or 503 where the server cannot be reached.
        """
        self.misses += 1
        if link:
            request = gate_pb2.AuthenticateRequest(link_token=credential)
        elif credential.startswith(SESSION_PREFIX):
            request = gate_pb2.AuthenticateRequest(session_token=credential)
        else:
            request = gate_pb2.AuthenticateRequest(api_key=credential)
        generation = self.generation
        answer, _ = await self._backend.call(
            self._authenticate, request, {**self._metadata, **hop}, AUTHENTICATE_WITHIN
        )
        if isinstance(answer, status_pb2.Status):
            raise from_status(answer)
        assert isinstance(answer, gate_pb2.AuthenticateResponse)
        caller = Caller.of(answer.principal, answer.principal_token, time.monotonic() + REMEMBERED)
        if self.trusts_memory and generation == self.generation:
            digest = _digest(credential, link=link)
            self._callers[digest] = caller
            self._by_id.setdefault(caller.credential_id, set()).add(digest)
        return caller

    def forget(self, caller: Caller) -> None:
        """Trust nothing that is remembered of the caller: the server finds the proof of it too old, or has just changed
        or ended his session."""
        self._forget(caller.credential_id)

    async def report_exposure(self, key: str, channel: str, address: str) -> None:
        """Tell the server that a key was seen in the open. Best effort: the request is refused anyway."""
        request = gate_pb2.ReportExposureRequest(api_key=key, channel=channel, client_address=address)
        await self._backend.call(self._exposure, request, self._metadata, AUTHENTICATE_WITHIN)

    async def _listen(self) -> None:
        while True:
            try:
                async for message in self._backend.stream(
                    self._revocations, gate_pb2.StreamRevocationsRequest(), self._metadata
                ):
                    if isinstance(message, status_pb2.Status):
                        self._log("revocations_lost", message=message.message)
                        break
                    assert isinstance(message, gate_pb2.StreamRevocationsResponse)
                    self._hear(message.credential_ids)
            except Exception as error:  # noqa: BLE001 - whatever cut the stream, it is opened again
                self._log("revocations_lost", message=repr(error))
            # What ended meanwhile was not heard of.
            self._forget_all()
            await asyncio.sleep(RECONNECT_AFTER)

    def _hear(self, credential_ids: Iterable[str]) -> None:
        if time.monotonic() - self._heard_at >= SILENCE:
            self._forget_all()
        self._heard_at = time.monotonic()
        for credential_id in credential_ids:
            self._forget(credential_id)

    def _forget(self, credential_id: str) -> None:
        self.generation += 1
        for digest in self._by_id.pop(credential_id, ()):
            self._callers.pop(digest, None)

    def _forget_all(self) -> None:
        self._heard_at = float("-inf")
        self.generation += 1
        self._callers.clear()
        self._by_id.clear()


def is_stale(answer: status_pb2.Status) -> bool:
    """Whether the server finds the proof of the caller too old for its clock."""
    return answer.code == code_pb2.UNAUTHENTICATED and from_status(answer).reason == "principal_expired"


def _digest(credential: str, *, link: bool) -> bytes:
    """What a credential is remembered by: the same text is another credential in another place."""
    return hashlib.blake2b(credential.encode(), digest_size=16, person=b"link" if link else b"").digest()


def _unauthorized(reason: str, message: str) -> Problem:
    return Problem(401, reason, message)
