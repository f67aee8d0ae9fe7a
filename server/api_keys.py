"""What an organization does with its API keys, from a session or the command line.

Each function that takes an `Act` runs inside `Store.write` and leaves an audit row; all raise `Fault`.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Sequence

from server import faults
from server.domain import credentials
from server.domain.credentials import CredentialKind
from server.domain.plans import SCOPES
from server.faults import FieldViolation
from server.store import accounts, api_keys, audit
from server.store.api_keys import StoredKey
from server.store.audit import Act
from server.store.database import Store

HOUR = 3600 * 1_000_000
DAY = 24 * HOUR
OVERLAPS = (0, 1, 24, 72)  # hours (D18)
#: Ages at which a key should be rotated soon, and now: every 90 days (specification section 5).
ROTATE_SOON, ROTATE_NOW = 75 * DAY, 90 * DAY


def new_secret(*, livemode: bool) -> str:
    """A whole key for `create`, of the mode."""
    return credentials.make(CredentialKind.LIVE if livemode else CredentialKind.TEST, secrets.randbelow)


def check_scopes(scopes: Sequence[str]) -> None:
    """Raise INVALID_ARGUMENT for scopes that do not exist."""
    violations = [
        FieldViolation(f"scopes[{number}]", "scope.unknown", f"must be one of {', '.join(SCOPES)}")
        for number, scope in enumerate(scopes)
        if scope not in SCOPES
    ]
    if violations:
        raise faults.invalid(*violations)


def create(
    act: Act, secret: str, *, livemode: bool, name: str, scopes: Sequence[str], expires_in_days: int = 0
) -> StoredKey:
    """A new key of the organization; `check_scopes` comes before. 0 days: it does not expire."""
    if api_keys.count_working(act.organization_id, act.at) >= api_keys.MOST:
        raise faults.limit_reached(f"An organization has at most {api_keys.MOST} keys that work.")
    credential = credentials.parse(secret)
    assert credential is not None
    ends_at = act.at + expires_in_days * DAY if expires_in_days else None
    try:
        accounts.create_key(
            act.organization_id, livemode, credential, name=name, scopes=tuple(scopes), at=act.at, ends_at=ends_at
        )
    except accounts.UnknownError as error:
        raise faults.not_found(str(error)) from None
    _note(act, livemode, "key:create", credential.public_id, " ".join(sorted(scopes)))
    return find(act.organization_id, credential.public_id)


def find(organization_id: int, public_id: str) -> StoredKey:
    """The organization's key. Raises NOT_FOUND."""
    found = api_keys.find(organization_id, public_id)
    if found is None:
        raise faults.not_found("key")
    return found


def rotate(act: Act, public_id: str, overlap_hours: int, expires_in_days: int = 0) -> tuple[StoredKey, str]:
    """A new key with the old one's name, mode and scopes, and its secret; the old one ends after the overlap."""
    old = find(act.organization_id, public_id)
    if not old.works(act.at):
        raise faults.invalid_state("key", "ended", "rotated")
    if old.replaced_by:
        raise faults.invalid_state("key", "ending", "rotated again")
    # The old one ends first: it counts no longer where there are as many as there may be, if there is no overlap.
    accounts.end_key(public_id, at=act.at, ends_at=act.at + overlap_hours * HOUR)
    secret = new_secret(livemode=old.livemode)
    new = create(act, secret, livemode=old.livemode, name=old.name, scopes=old.scopes, expires_in_days=expires_in_days)
    api_keys.set_replaced(public_id, new.public_id)
    _note(act, old.livemode, "key:rotate", public_id, f"to {new.public_id}, overlap {overlap_hours} h")
    return new, secret


def revoke(act: Act, public_id: str) -> StoredKey:
    """The key ends now; every gateway refuses it within a second. One that has ended stays as it is."""
    key = find(act.organization_id, public_id)
    if not key.works(act.at):
        return key
    accounts.end_key(public_id, at=act.at, ends_at=act.at)
    _note(act, key.livemode, "key:revoke", public_id)
    return find(act.organization_id, public_id)


def warning(key: StoredKey, at: int) -> str:
    """``rotate_soon``, ``rotate_now``, or nothing for a key that is young, is being replaced or has ended."""
    if not key.works(at) or key.replaced_by:
        return ""
    age = at - key.created_at
    return "rotate_now" if age >= ROTATE_NOW else "rotate_soon" if age >= ROTATE_SOON else ""


async def write_down_use(store: Store, used: dict[str, int]) -> None:
    """Store when keys were last used, all in one write, and begin anew. What cannot be written is kept."""
    taken = dict(used)
    if not taken:
        return
    await store.write(lambda: api_keys.note_used(taken))
    for public_id, at in taken.items():
        if used.get(public_id) == at:
            del used[public_id]


def _note(act: Act, livemode: bool, action: str, public_id: str, detail: str = "") -> None:
    audit.record(dataclasses.replace(act, livemode=livemode), action, f"key:{public_id}", detail)
