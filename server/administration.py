"""What operators do: organizations, users, keys, sessions. Secrets are returned once and never stored.

Every act goes into the audit log of the organization, with the actor ``operator``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from argon2 import PasswordHasher

from process.clock import now_us
from server import api_keys
from server.domain import credentials, sign_in
from server.domain.credentials import CredentialKind
from server.domain.plans import REQUESTS_PER_MINUTE, ROLES
from server.domain.settings import PricingSettings, RegionalFactor
from server.faults import Fault
from server.store import accounts, audit, members
from server.store.audit import Act
from server.store.database import Store

Result = TypeVar("Result")


class RefusedError(Exception):
    """What was asked for cannot be done; the message says why, for the person who asked."""


@dataclass(frozen=True, slots=True)
class NewCredential:
    """A key or session. ``secret`` is the whole credential: show it now, it cannot be shown again."""

    public_id: str
    secret: str


def create_organization(
    store: Store,
    name: str,
    plan: str,
    *,
    requests_per_minute: int | None = None,
    address: str = "",
    pricing: PricingSettings | None = None,
) -> int:
    """The id of a new organization."""
    if plan not in REQUESTS_PER_MINUTE:
        raise RefusedError(f"there is no plan {plan!r}; there are {', '.join(REQUESTS_PER_MINUTE)}")
    at = now_us()

    def work() -> int:
        organization_id = accounts.create_organization(
            name, plan, at, requests_per_minute=requests_per_minute, address=address, pricing=pricing
        )
        audit.record(_act(organization_id, True, at), "organization:create", f"organization:{organization_id}")
        return organization_id

    return store.write_now(work)


def create_user(store: Store, organization_id: int, email: str, password: str, *, name: str = "", role: str) -> int:
    """The id of a user with that role in the organization; an existing user is given the role."""
    return add_user(store, organization_id, email, hashed(password), name=name, role=role)


def add_user(store: Store, organization_id: int, email: str, password_hash: str, *, name: str = "", role: str) -> int:
    """The same with what `hashed` made of the password, which takes its time."""
    if role not in ROLES:
        raise RefusedError(f"there is no role {role!r}; there are {', '.join(ROLES)}")
    at = now_us()

    def work() -> int:
        if accounts.find_organization(organization_id) is None:
            raise RefusedError(f"there is no organization {organization_id}")
        user_id = accounts.find_user(email) or accounts.create_user(email, name, password_hash, at)
        try:
            accounts.add_member(organization_id, user_id, role)
        except accounts.TakenError:
            raise RefusedError(f"{email} is a member already") from None
        audit.record(_act(organization_id, True, at), "user:add", f"user:{user_id}", role)
        return user_id

    return store.write_now(work)


def set_password(store: Store, email: str, password: str, *, end_sessions: bool = True) -> int:
    """Give a user another password, as after a lost one. How many sessions that ended: all, or none."""
    password_hash = hashed(password)
    at = now_us()

    def work() -> int:
        user = members.find_user_by_email(email)
        if user is None:
            raise RefusedError(f"there is no user {email}")
        members.set_password(user.user_id, password_hash)
        members.forget_attempts(email)
        ended = tuple(members.open_sessions(user.user_id)) if end_sessions else ()
        members.end_sessions(ended, at)
        accounts.revoke(*ended, at=at)
        for place in members.workspaces(user.user_id):
            audit.record(_act(place.organization_id, True, at), "user:set_password", f"user:{user.user_id}")
        return len(ended)

    return store.write_now(work)


def create_key(
    store: Store,
    organization_id: int,
    *,
    livemode: bool,
    name: str,
    scopes: tuple[str, ...],
    expires_in_days: int | None = None,
) -> NewCredential:
    """A new API key."""
    secret = api_keys.new_secret(livemode=livemode)
    at = now_us()

    def work() -> NewCredential:
        api_keys.check_scopes(scopes)
        act = _act(organization_id, livemode, at)
        days = expires_in_days or 0
        key = api_keys.create(act, secret, livemode=livemode, name=name, scopes=scopes, expires_in_days=days)
        return NewCredential(key.public_id, secret)

    return _write(store, work)


def revoke_key(store: Store, public_id: str) -> None:
    """End a key now; every gateway refuses it within a second."""
    at = now_us()
    _write(store, lambda: api_keys.revoke(_act_on_key(public_id, at), public_id))


def rotate_key(store: Store, public_id: str, overlap_hours: int) -> NewCredential:
    """A new key with the old one's name, mode and scopes; the old one ends after the overlap."""
    if overlap_hours not in api_keys.OVERLAPS:
        raise RefusedError(f"the overlap is {', '.join(map(str, api_keys.OVERLAPS))} hours")
    at = now_us()

    def work() -> NewCredential:
        key, secret = api_keys.rotate(_act_on_key(public_id, at), public_id, overlap_hours)
        return NewCredential(key.public_id, secret)

    return _write(store, work)


def import_regional_factors(
    store: Store, organization_id: int, factors: Sequence[RegionalFactor], *, replace: bool
) -> None:
    """Keep an organization's regional factors; with ``replace`` all older ones go."""
    at = now_us()

    def work() -> None:
        try:
            accounts.put_regional_factors(organization_id, factors, at, replace=replace)
        except (accounts.UnknownError, accounts.TooManyError) as error:
            raise RefusedError(str(error)) from None
        audit.record(_act(organization_id, True, at), "regional_factors:import", f"organization:{organization_id}")

    store.write_now(work)


def create_session(store: Store, email: str, organization_id: int | None) -> NewCredential:
    """A session of a user, with the organization as its active workspace."""
    secret = credentials.make(CredentialKind.SESSION, secrets.randbelow)
    credential = credentials.parse(secret)
    assert credential is not None
    at = now_us()

    def work() -> None:
        user_id = accounts.find_user(email)
        if user_id is None:
            raise RefusedError(f"there is no user {email}")
        accounts.create_session(organization_id, user_id, credential, at)
        if organization_id is not None:
            audit.record(_act(organization_id, True, at), "session:create", f"user:{user_id}")

    store.write_now(work)
    return NewCredential(credential.public_id, secret)


def _write(store: Store, work: Callable[[], Result]) -> Result:
    """Run ``work`` in a transaction; what it refuses is said in the words that callers of the API get."""
    try:
        return store.write_now(work)
    except Fault as fault:
        raise RefusedError(
            "; ".join([fault.message, *(f"{one.field} {one.message}" for one in fault.violations)])
        ) from None


def hashed(password: str) -> str:
    """The argon2id hash of a password. Raises `RefusedError` where it is too short."""
    if len(password) < sign_in.SHORTEST_PASSWORD:
        raise RefusedError(f"a password has at least {sign_in.SHORTEST_PASSWORD} characters")
    return PasswordHasher().hash(password)


def _act_on_key(public_id: str, at: int) -> Act:
    key = accounts.find_key(public_id)
    if key is None:
        raise RefusedError(f"there is no key {public_id}")
    return _act(key.organization_id, key.livemode, at)


def _act(organization_id: int, livemode: bool, at: int) -> Act:
    return Act(organization_id, livemode, "operator", "", at)
