"""Organizations, users, keys and sessions. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson

from server.domain.credentials import Credential
from server.domain.offer import CompanyProfile
from server.domain.plans import REQUESTS_PER_MINUTE
from server.domain.settings import MOST_FACTORS, PricingSettings, RegionalFactor
from server.store import offers
from server.store.database import execute
from server.store.models import ApiKey, Membership, Organization, Revocation, Session, User
from server.store.signals import Topic, tell


class UnknownError(Exception):
    """The row that was named does not exist."""


class TakenError(Exception):
    """A row with that unique value exists."""


class TooManyError(Exception):
    """There would be more rows than an organization may have; the message says how many."""


@dataclass(frozen=True, slots=True)
class OrganizationRow:
    """An organization with what its plan allows, what it decided about prices, and what it says of itself."""

    organization_id: int
    name: str
    plan: str
    requests_per_minute: int
    address: str
    pricing: PricingSettings
    profile: CompanyProfile = CompanyProfile()


@dataclass(frozen=True, slots=True)
class StoredLogo:
    """A logo as PDFs carry it. ``updated_at`` in µs UTC."""

    content_type: str
    width: int
    height: int
    data: bytes
    updated_at: int


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A stored key and the allowance of its organization."""

    public_id: str
    secret_hash: bytes
    organization_id: int
    livemode: bool
    name: str
    scopes: tuple[str, ...]
    ends_at: int | None
    requests_per_minute: int


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A stored session; ``organization_id`` is None without an active workspace, ``role`` then empty."""

    public_id: str
    secret_hash: bytes
    user_id: int
    organization_id: int | None
    livemode: bool
    role: str
    requests_per_minute: int
    created_at: int
    last_seen_at: int
    ended_at: int | None


def create_organization(
    name: str,
    plan: str,
    at: int,
    *,
    requests_per_minute: int | None = None,
    address: str = "",
    pricing: PricingSettings | None = None,
) -> int:
    """A new organization's id. Raises `KeyError` for a plan that does not exist."""
    REQUESTS_PER_MINUTE[plan]
    organization = Organization.create(
        name=name,
        plan=plan,
        requests_per_minute=requests_per_minute,
        address=address,
        pricing=_pricing_to_json(pricing or PricingSettings()),
        created_at=at,
    )
    return int(organization.id)


def find_organization(organization_id: int) -> OrganizationRow | None:
    """The organization, or None."""
    row = Organization.get_or_none(Organization.id == organization_id)
    if row is None:
        return None
    return OrganizationRow(
        organization_id=row.id,
        name=row.name,
        plan=row.plan,
        requests_per_minute=row.requests_per_minute or REQUESTS_PER_MINUTE[row.plan],
        address=row.address,
        pricing=_pricing_from_json(row.pricing, regional_factors(organization_id)),
        profile=offers.profile_from_json(row.profile),
    )


def find_organization_by_name(name: str) -> OrganizationRow | None:
    """The oldest organization of that name, or None."""
    row = Organization.select(Organization.id).where(Organization.name == name).order_by(Organization.id).first()
    return None if row is None else find_organization(row.id)


def create_user(email: str, name: str, password_hash: str, at: int) -> int:
    """A new user's id. Raises `TakenError` where the address has one."""
    if User.get_or_none(User.email == email.lower()) is not None:
        raise TakenError(email)
    return int(User.create(email=email.lower(), name=name, password_hash=password_hash, created_at=at).id)


def find_user(email: str) -> int | None:
    """The id of the user with that address, or None."""
    row = User.get_or_none(User.email == email.lower())
    return None if row is None else int(row.id)


def email_of(user_id: int) -> str:
    """The address that a user signs in with; empty where there is no such user."""
    row = User.get_or_none(User.id == user_id)
    return "" if row is None else str(row.email)


def owners(organization_id: int) -> tuple[str, ...]:
    """The addresses of an organization's owners."""
    rows = execute(
        'select u.email from membership m join "user" u on u.id = m.user_id '
        "where m.organization_id = ? and m.role = 'owner' order by u.id",
        (organization_id,),
    ).fetchall()
    return tuple(row[0] for row in rows)


def add_member(organization_id: int, user_id: int, role: str) -> None:
    """Give a user a role in a workspace. Raises `TakenError` where there is one."""
    if Membership.get_or_none(Membership.organization == organization_id, Membership.user == user_id) is not None:
        raise TakenError(str(user_id))
    Membership.create(organization=organization_id, user=user_id, role=role)


def create_key(
    organization_id: int,
    livemode: bool,
    credential: Credential,
    *,
    name: str,
    scopes: tuple[str, ...],
    at: int,
    ends_at: int | None = None,
) -> None:
    """Store a key: its hash, never itself. Raises `UnknownError` where the organization does not exist."""
    if Organization.get_or_none(Organization.id == organization_id) is None:
        raise UnknownError(f"organization {organization_id}")
    ApiKey.create(
        public_id=credential.public_id,
        secret_hash=credential.secret_hash,
        organization=organization_id,
        livemode=livemode,
        name=name,
        scopes=" ".join(sorted(scopes)),
        created_at=at,
        ends_at=ends_at,
    )


_FIND_KEY = """
select k.public_id, k.secret_hash, k.organization_id, k.livemode, k.name, k.scopes, k.ends_at,
       o.requests_per_minute, o.plan
from api_key k join organization o on o.id = k.organization_id
where k.public_id = ?
"""


def find_key(public_id: str) -> KeyRow | None:
    """The key with that public id, ended or not, or None."""
    row = execute(_FIND_KEY, (public_id,)).fetchone()
    if row is None:
        return None
    return KeyRow(
        public_id=row[0],
        secret_hash=bytes(row[1]),
        organization_id=row[2],
        livemode=bool(row[3]),
        name=row[4],
        scopes=tuple(row[5].split()),
        ends_at=row[6],
        requests_per_minute=row[7] or REQUESTS_PER_MINUTE[row[8]],
    )


def end_key(public_id: str, *, at: int, ends_at: int) -> KeyRow:
    """Let a key end at ``ends_at`` (now, or after a rotation's overlap), and tell the gateways.

    An earlier end stays. Raises `UnknownError`.
    """
    row = find_key(public_id)
    if row is None:
        raise UnknownError(f"key {public_id}")
    if row.ends_at is None or ends_at < row.ends_at:
        ApiKey.update(ends_at=ends_at).where(ApiKey.public_id == public_id).execute()
    revoke(public_id, at=at)
    return row


def revoke(*credential_ids: str, at: int) -> None:
    """Tell the gateways that what they remember of these credentials holds no longer."""
    for credential_id in credential_ids:
        Revocation.create(credential_id=credential_id, at=at)
    tell(Topic.REVOCATION)


def flag_exposed(public_id: str, at: int) -> bool:
    """Note that a key was seen in the open. True the first time."""
    return bool(
        ApiKey.update(exposed_at=at).where(ApiKey.public_id == public_id, ApiKey.exposed_at.is_null()).execute()
    )


def create_session(
    organization_id: int | None, user_id: int, credential: Credential, at: int, *, with_password: bool = False
) -> None:
    """Store a session: its hash, never its token. ``with_password``: the user has just given it."""
    Session.create(
        public_id=credential.public_id,
        secret_hash=credential.secret_hash,
        user=user_id,
        organization=organization_id,
        created_at=at,
        last_seen_at=at,
        authenticated_at=at if with_password else None,
    )


_FIND_SESSION = """
select s.public_id, s.secret_hash, s.user_id, m.organization_id, m.role, o.requests_per_minute, o.plan,
       s.created_at, s.last_seen_at, s.ended_at, s.livemode
from session s
left join membership m on m.user_id = s.user_id and m.organization_id = s.organization_id
left join organization o on o.id = m.organization_id
where s.public_id = ?
"""


def find_session(public_id: str) -> SessionRow | None:
    """The session with that public id, ended or not, or None. A workspace that the user has left is no longer
    active."""
    row = execute(_FIND_SESSION, (public_id,)).fetchone()
    if row is None:
        return None
    return SessionRow(
        public_id=row[0],
        secret_hash=bytes(row[1]),
        user_id=row[2],
        organization_id=row[3],
        livemode=bool(row[10]),
        role=row[4] or "",
        requests_per_minute=row[5] or (REQUESTS_PER_MINUTE[row[6]] if row[6] else 0),
        created_at=row[7],
        last_seen_at=row[8],
        ended_at=row[9],
    )


def touch_session(public_id: str, at: int) -> None:
    """Note that a session was used."""
    Session.update(last_seen_at=at).where(Session.public_id == public_id, Session.last_seen_at < at).execute()


def last_revocation() -> int:
    """Number of the newest revocation; 0 where there is none."""
    return int(execute("select coalesce(max(id), 0) from revocation").fetchone()[0])


def revocations_after(last: int) -> tuple[int, tuple[str, ...]]:
    """The revocations after number ``last``, with the number of the newest."""
    rows = execute("select id, credential_id from revocation where id > ? order by id", (last,)).fetchall()
    return (rows[-1][0] if rows else last), tuple(row[1] for row in rows)


def sweep_revocations(before: int) -> None:
    """Delete what every gateway has heard long ago; the newest stays, so that the count goes on from it."""
    execute("delete from revocation where at < ? and id < (select max(id) from revocation)", (before,))


def set_pricing(organization_id: int, pricing: PricingSettings) -> None:
    """Replace what an organization decided about its prices; imported factors are rows of their own and stay. Raises
    `UnknownError`."""
    changed = Organization.update(pricing=_pricing_to_json(pricing)).where(Organization.id == organization_id).execute()
    if not changed:
        raise UnknownError(f"organization {organization_id}")
    tell(Topic.ORGANIZATION, organization_id)


def set_profile(organization_id: int, name: str, address: str, profile: CompanyProfile) -> None:
    """Replace what an organization says of itself. Raises `UnknownError`."""
    changed = execute(
        "update organization set name = ?, address = ?, profile = ? where id = ?",
        (name, address, offers.to_json(profile), organization_id),
    ).rowcount
    if not changed:
        raise UnknownError(f"organization {organization_id}")
    tell(Topic.ORGANIZATION, organization_id)


def put_logo(organization_id: int, logo: StoredLogo) -> None:
    """Keep a logo; an older one goes."""
    execute(
        "insert into logo (organization_id, content_type, width, height, data, updated_at) values (?, ?, ?, ?, ?, ?) "
        "on conflict (organization_id) do update set content_type = excluded.content_type, width = excluded.width, "
        "height = excluded.height, data = excluded.data, updated_at = excluded.updated_at",
        (organization_id, logo.content_type, logo.width, logo.height, logo.data, logo.updated_at),
    )


def find_logo(organization_id: int) -> StoredLogo | None:
    """The organization's logo, or None."""
    row = execute(
        "select content_type, width, height, data, updated_at from logo where organization_id = ?", (organization_id,)
    ).fetchone()
    return None if row is None else StoredLogo(row[0], row[1], row[2], bytes(row[3]), row[4])


def delete_logo(organization_id: int) -> bool:
    """Whether there was a logo; it is gone."""
    return bool(execute("delete from logo where organization_id = ?", (organization_id,)).rowcount)


def put_regional_factors(
    organization_id: int, factors: Sequence[RegionalFactor], at: int, *, replace: bool = False
) -> None:
    """Keep factors; one for the same place takes the place of the older, and all older ones go with ``replace``. Raises
    `UnknownError`, and `TooManyError` above `MOST_FACTORS`."""
    if Organization.get_or_none(Organization.id == organization_id) is None:
        raise UnknownError(f"organization {organization_id}")
    if replace:
        execute("delete from regional_factor where organization_id = ?", (organization_id,))
    for one in factors:
        execute(
            "insert into regional_factor (organization_id, country, place, name, factor, source, as_of, imported_at) "
            "values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (organization_id, country, place) do update set "
            "name = excluded.name, factor = excluded.factor, source = excluded.source, as_of = excluded.as_of, "
            "imported_at = excluded.imported_at",
            (organization_id, one.country, one.place, one.name, str(one.factor), one.source, one.as_of, at),
        )
    kept = execute("select count(*) from regional_factor where organization_id = ?", (organization_id,)).fetchone()[0]
    if kept > MOST_FACTORS:
        raise TooManyError(f"With the older ones there would be {kept} factors; at most {MOST_FACTORS} are kept.")
    tell(Topic.ORGANIZATION, organization_id)


def regional_factors(organization_id: int) -> dict[tuple[str, str], RegionalFactor]:
    """The factors of an organization by country and place key, sorted."""
    rows = execute(
        "select country, place, name, factor, source, as_of from regional_factor where organization_id = ? "
        "order by country, place",
        (organization_id,),
    ).fetchall()
    return {(row[0], row[1]): RegionalFactor(row[0], row[1], row[2], Decimal(row[3]), row[4], row[5]) for row in rows}


_DECIMAL_SETTINGS = frozenset(
    name for name, kind in PricingSettings.__annotations__.items() if kind in {"Decimal", "Decimal | None"}
)


def _pricing_to_json(pricing: PricingSettings) -> str:
    names = [name for name in PricingSettings.__dataclass_fields__ if name != "regional_factors"]
    return orjson.dumps({name: getattr(pricing, name) for name in names}, default=str).decode()


def _pricing_from_json(text: str, factors: Mapping[tuple[str, str], RegionalFactor]) -> PricingSettings:
    values: dict[str, Any] = orjson.loads(text)
    for name in _DECIMAL_SETTINGS & values.keys():
        if values[name] is not None:
            values[name] = Decimal(values[name])
    packs = {name: Decimal(size) for name, size in values.pop("packs", {}).items()}
    # The contract's field has no presence, and organizations of before have 0 where they stated none.
    values["margin"] = values.get("margin") or None
    return PricingSettings(**values, packs=packs, regional_factors=factors)
