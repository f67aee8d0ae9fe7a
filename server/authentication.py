"""Who is calling: credentials against the store, and the proof of a principal that a gateway carries along.

The proof (``qw-principal-bin``) is made by a server and checked by any server that has the same secret:
HMAC-SHA256 over the time of issue and the serialized `Principal`. A gateway can therefore pass on only principals
whose credential it has really seen.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from quotewright.options.v1 import options_pb2
from quotewright.v1 import gate_pb2

from server import faults
from server.domain import credentials
from server.domain.credentials import CredentialKind
from server.links import LinkError, LinkExpiredError, Signer
from server.store import accounts
from server.store.accounts import SessionRow
from server.store.database import Store

MICROSECONDS = 1_000_000
SESSION_IDLE = 12 * 3600 * MICROSECONDS  # D23
SESSION_LONGEST = 7 * 24 * 3600 * MICROSECONDS  # D23
#: A proof outlives a gateway's memory of the credential (a minute) by little.
PROOF_LIFETIME = 180 * MICROSECONDS
#: How stale "last seen" may be before it is written again.
TOUCH_EVERY = 60 * MICROSECONDS

#: What the hash of an unknown credential is compared with, so that it takes as long.
NOBODYS = bytes(32)

#: Proofs whose principal is remembered; each is a caller of the last minutes.
MOST_PROOFS = 4096

_ISSUED = struct.Struct(">q")
_MAC = 32


def session_ends_at(session: SessionRow) -> int:
    """When a session ends if it is not used before, in µs (D23)."""
    return min(session.created_at + SESSION_LONGEST, session.last_seen_at + SESSION_IDLE)


@dataclass(frozen=True, slots=True)
class Proven:
    """What a proof says, as plain values where they are read with every call. ``issued_at`` is in µs."""

    principal: gate_pb2.Principal
    issued_at: int
    #: The public id of the API key; empty for other credentials.
    key_id: str
    #: Paths of the RPCs that the principal was found to be allowed to call.
    allowed: set[str] = field(default_factory=set, compare=False)


class Authenticator:
    """Looks credentials up and makes and checks proofs. ``links`` reads signed links, ``clock`` gives µs since 1970."""

    def __init__(self, store: Store, secret: bytes, links: Signer, clock: Callable[[], int]) -> None:
        self._store = store
        self._secret = secret
        self._links = links
        self._clock = clock
        # A proof always says the same; whether it is too old is asked each time.
        self._proven: Callable[[bytes], Proven] = functools.lru_cache(MOST_PROOFS)(self._verified)
        #: When keys were last used, by public id, in µs, since it was last written down (`server.api_keys`).
        self.used_keys: dict[str, int] = {}

    async def api_key(self, text: str) -> gate_pb2.Principal:
        """The principal behind an API key. Raises UNAUTHENTICATED."""
        credential = credentials.parse(text)
        if credential is None or not credentials.is_key(credential):
            raise faults.unauthenticated("API_KEY_MALFORMED", "The API key is not valid.")
        row = await self._store.read(lambda: accounts.find_key(credential.public_id))
        known = hmac.compare_digest(row.secret_hash if row else NOBODYS, credential.secret_hash)
        if row is None or not known or row.livemode is not (credential.kind is CredentialKind.LIVE):
            raise faults.unauthenticated("API_KEY_UNKNOWN", "The API key is not valid.")
        if row.ends_at is not None and row.ends_at <= self._clock():
            raise faults.unauthenticated("API_KEY_ENDED", "The API key has been revoked or has expired.")
        principal = gate_pb2.Principal(
            organization_id=row.organization_id,
            livemode=row.livemode,
            kind=options_pb2.CREDENTIAL_KIND_API_KEY,
            credential_id=row.public_id,
            scopes=row.scopes,
            requests_per_minute=row.requests_per_minute,
        )
        if row.ends_at is not None:
            principal.expires_at.FromMicroseconds(row.ends_at)
        return principal

    async def session(self, text: str) -> gate_pb2.Principal:
        """The principal behind a session token. Raises UNAUTHENTICATED."""
        credential = credentials.parse(text)
        if credential is None or credential.kind is not CredentialKind.SESSION:
            raise faults.unauthenticated("SESSION_MALFORMED", "The session token is not valid.")
        row = await self._store.read(lambda: accounts.find_session(credential.public_id))
        known = hmac.compare_digest(row.secret_hash if row else NOBODYS, credential.secret_hash)
        if row is None or not known:
            raise faults.unauthenticated("SESSION_UNKNOWN", "The session token is not valid.")
        now = self._clock()
        ends_at = session_ends_at(row)
        if row.ended_at is not None or ends_at <= now:
            raise faults.unauthenticated("SESSION_ENDED", "The session has ended.")
        if now - row.last_seen_at > TOUCH_EVERY:
            await self._store.write(lambda: accounts.touch_session(row.public_id, now))
        principal = gate_pb2.Principal(
            organization_id=row.organization_id or 0,
            livemode=row.livemode,
            kind=options_pb2.CREDENTIAL_KIND_SESSION,
            credential_id=row.public_id,
            user_id=row.user_id,
            role=row.role,
            requests_per_minute=row.requests_per_minute,
        )
        principal.expires_at.FromMicroseconds(ends_at)
        return principal

    def link(self, token: str) -> gate_pb2.Principal:
        """The principal behind the token of a signed link. Raises UNAUTHENTICATED."""
        try:
            link = self._links.read(token, self._clock() / MICROSECONDS)
        except LinkExpiredError:
            raise faults.unauthenticated("LINK_EXPIRED", "The link has expired.") from None
        except LinkError:
            raise faults.unauthenticated("LINK_UNKNOWN", "The link is not valid.") from None
        principal = gate_pb2.Principal(
            organization_id=link.organization_id,
            livemode=link.livemode,
            kind=link.kind,  # type: ignore[arg-type]  # one of LINK_KINDS
            credential_id=str(link.link_id),
            quote_id=link.quote_id,
        )
        principal.expires_at.FromSeconds(link.expires_at)
        return principal

    def gateway(self, text: str) -> bool:
        """Whether ``text`` is the secret that gateways share with this server."""
        return hmac.compare_digest(text.encode(), self._secret)

    def prove(self, principal: gate_pb2.Principal) -> bytes:
        """A proof of the principal, good for three minutes."""
        body = _ISSUED.pack(self._clock()) + principal.SerializeToString()
        return self._mac(body) + body

    def check(self, proof: bytes) -> Proven:
        """What a proof says. Raises UNAUTHENTICATED where it is forged or too old."""
        proven = self._proven(proof)
        if self._clock() - proven.issued_at > PROOF_LIFETIME:
            raise faults.unauthenticated("PRINCIPAL_EXPIRED", "The caller could not be verified.")
        return proven

    def _verified(self, proof: bytes) -> Proven:
        if len(proof) < _MAC + _ISSUED.size or not hmac.compare_digest(self._mac(proof[_MAC:]), proof[:_MAC]):
            raise faults.unauthenticated("PRINCIPAL_FORGED", "The caller could not be verified.")
        (issued_at,) = _ISSUED.unpack_from(proof, _MAC)
        principal = gate_pb2.Principal.FromString(proof[_MAC + _ISSUED.size :])
        by_key = principal.kind == options_pb2.CREDENTIAL_KIND_API_KEY
        return Proven(principal, issued_at, principal.credential_id if by_key else "")

    def _mac(self, body: bytes) -> bytes:
        return hmac.digest(self._secret, b"principal:" + body, hashlib.sha256)
