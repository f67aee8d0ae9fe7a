"""Users as members: credentials, workspaces, invitations, attempts to sign in. Each function runs inside `Store.write`
or `Store.read`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from server.domain import sign_in
from server.domain.credentials import Credential
from server.store.database import execute, of_one_moment
from server.store.models import Invitation, Membership, Session, User

#: Most open invitations of an organization.
MOST_INVITATIONS = 100


@dataclass(frozen=True, slots=True)
class UserRow:
    """A user. ``password_hash`` is argon2id."""

    user_id: int
    email: str
    name: str
    password_hash: str


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A user's place in a workspace."""

    user_id: int
    email: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """A workspace of a user."""

    organization_id: int
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """An invitation. Instants in µs."""

    invitation_id: int
    secret_hash: bytes
    organization_id: int
    email: str
    role: str
    created_by: str
    created_at: int
    expires_at: int
    accepted_at: int | None
    revoked_at: int | None

    def status(self, at: int) -> str:
        """open, accepted, revoked or expired."""
        if self.accepted_at is not None:
            return "accepted"
        if self.revoked_at is not None:
            return "revoked"
        return "open" if at < self.expires_at else "expired"


def find_user(user_id: int) -> UserRow | None:
    """The user, or None."""
    row = User.get_or_none(User.id == user_id)
    return None if row is None else UserRow(row.id, row.email, row.name, row.password_hash)


def find_user_by_email(email: str) -> UserRow | None:
    """The user with that address, in any case of letters, or None."""
    row = User.get_or_none(User.email == email.lower())
    return None if row is None else UserRow(row.id, row.email, row.name, row.password_hash)


def set_password(user_id: int, password_hash: str) -> None:
    """Replace the hash of a user's password."""
    User.update(password_hash=password_hash).where(User.id == user_id).execute()


def workspaces(user_id: int) -> tuple[WorkspaceRow, ...]:
    """The workspaces of a user, by name."""
    rows = execute(
        "select o.id, o.name, m.role from membership m join organization o on o.id = m.organization_id "
        "where m.user_id = ? order by o.name, o.id",
        (user_id,),
    ).fetchall()
    return tuple(WorkspaceRow(*row) for row in rows)


_MEMBERS = 'from membership m join "user" u on u.id = m.user_id where m.organization_id = ?'


@of_one_moment
def list_members(organization_id: int, *, limit: int, offset: int) -> tuple[int, tuple[MemberRow, ...]]:
    """How many members there are, and a page of them, newest users first."""
    total = execute(f"select count(*) {_MEMBERS}", (organization_id,)).fetchone()[0]
    rows = execute(
        f"select u.id, u.email, u.name, m.role {_MEMBERS} order by u.id desc limit ? offset ?",
        (organization_id, limit, offset),
    ).fetchall()
    return int(total), tuple(MemberRow(*row) for row in rows)


def find_member(organization_id: int, user_id: int) -> MemberRow | None:
    """The member, or None where the user is none of this organization."""
    row = execute(
        f"select u.id, u.email, u.name, m.role {_MEMBERS} and u.id = ?",
        (organization_id, user_id),
    ).fetchone()
    return None if row is None else MemberRow(*row)


def owners(organization_id: int) -> int:
    """How many owners an organization has."""
    return int(
        Membership.select().where(Membership.organization == organization_id, Membership.role == "owner").count()
    )


def set_role(organization_id: int, user_id: int, role: str) -> None:
    """Give a member another role."""
    of = (Membership.organization == organization_id, Membership.user == user_id)
    Membership.update(role=role).where(*of).execute()


def remove(organization_id: int, user_id: int) -> None:
    """Take a member out; the user stays."""
    Membership.delete().where(Membership.organization == organization_id, Membership.user == user_id).execute()


def choose_workspace(session_id: str, organization_id: int, *, livemode: bool) -> None:
    """Make a workspace the active one of a session, with its live data or its test data."""
    Session.update(organization=organization_id, livemode=livemode).where(Session.public_id == session_id).execute()


def authenticated_at(session_id: str) -> int | None:
    """When the session's user last gave the password, in µs."""
    row = execute("select authenticated_at from session where public_id = ?", (session_id,)).fetchone()
    return None if row is None else row[0]


def set_authenticated(session_id: str, at: int) -> None:
    """Note that the session's user has given the password."""
    Session.update(authenticated_at=at).where(Session.public_id == session_id).execute()


def open_sessions(user_id: int, *, organization_id: int | None = None) -> tuple[str, ...]:
    """Public ids of a user's sessions that were not ended; with one active workspace only."""
    chosen = [Session.user == user_id, Session.ended_at.is_null()]
    if organization_id is not None:
        chosen.append(Session.organization == organization_id)
    return tuple(row.public_id for row in Session.select(Session.public_id).where(*chosen))


def end_sessions(session_ids: tuple[str, ...], at: int) -> None:
    """End sessions; the gateways are told by `accounts.revoke`."""
    Session.update(ended_at=at).where(Session.public_id.in_(session_ids)).execute()


def begin_attempt(email: str, at: int) -> tuple[int, int]:
    """Count an attempt to sign in before its password is looked at, so that many at once are no way around the wait.

    Returns how long to wait first, in µs, and how many attempts failed before. Whoever has to wait is not counted.
    """
    key = _email_hash(email)
    row = execute("select failures, tried_at, waits_until from sign_in_attempt where email_hash = ?", (key,)).fetchone()
    failures = 0
    if row is not None:
        if row[2] > at:
            return row[2] - at, row[0]
        failures = row[0] if row[1] > at - sign_in.FORGOTTEN_AFTER else 0
    execute(
        "insert into sign_in_attempt (email_hash, failures, tried_at, waits_until) values (?, ?, ?, ?) "
        "on conflict (email_hash) do update set failures = excluded.failures, tried_at = excluded.tried_at, "
        "waits_until = excluded.waits_until",
        (key, failures + 1, at, at + sign_in.wait_after(failures + 1)),
    )
    return 0, failures


def forget_attempts(email: str) -> None:
    """The password was right: earlier attempts no longer count."""
    execute("delete from sign_in_attempt where email_hash = ?", (_email_hash(email),))


def sweep_attempts(at: int) -> None:
    """Delete attempts that no longer count."""
    execute("delete from sign_in_attempt where tried_at <= ?", (at - sign_in.FORGOTTEN_AFTER,))


def _email_hash(email: str) -> str:
    return hashlib.sha256(email.lower().encode()).hexdigest()


_INVITATION = (
    "select id, secret_hash, organization_id, email, role, created_by, created_at, expires_at, accepted_at, revoked_at "
    "from invitation"
)


def create_invitation(
    organization_id: int, email: str, role: str, credential: Credential, *, created_by: str, at: int, expires_at: int
) -> InvitationRow:
    """A new invitation."""
    row = Invitation.create(
        public_id=credential.public_id,
        secret_hash=credential.secret_hash,
        organization=organization_id,
        email=email.lower(),
        role=role,
        created_by=created_by,
        created_at=at,
        expires_at=expires_at,
    )
    found = find_invitation(organization_id, row.id)
    assert found is not None
    return found


def find_invitation(organization_id: int, invitation_id: int) -> InvitationRow | None:
    """The invitation, or None where this organization has none of that id."""
    where = "where organization_id = ? and id = ?"
    return _invitation(execute(f"{_INVITATION} {where}", (organization_id, invitation_id)).fetchone())


def find_invitation_by_token(public_id: str) -> InvitationRow | None:
    """The invitation of a token, or None; its hash is still to be compared."""
    return _invitation(execute(f"{_INVITATION} where public_id = ?", (public_id,)).fetchone())


def open_invitations(organization_id: int, at: int) -> tuple[InvitationRow, ...]:
    """Those that can be accepted."""
    where = "where organization_id = ? and accepted_at is null and revoked_at is null and expires_at > ?"
    rows = execute(f"{_INVITATION} {where}", (organization_id, at)).fetchall()
    return tuple(found for found in map(_invitation, rows) if found is not None)


@of_one_moment
def list_invitations(organization_id: int, *, limit: int, offset: int) -> tuple[int, tuple[InvitationRow, ...]]:
    """How many there are, and a page of them, newest first."""
    total = execute("select count(*) from invitation where organization_id = ?", (organization_id,)).fetchone()[0]
    rows = execute(
        f"{_INVITATION} where organization_id = ? order by id desc limit ? offset ?",
        (organization_id, limit, offset),
    ).fetchall()
    return int(total), tuple(found for found in map(_invitation, rows) if found is not None)


def revoke_invitation(invitation_id: int, at: int) -> None:
    """An open invitation can no longer be accepted."""
    Invitation.update(revoked_at=at).where(Invitation.id == invitation_id).execute()


def accept_invitation(invitation_id: int, at: int) -> None:
    """An invitation has done what it was for."""
    Invitation.update(accepted_at=at).where(Invitation.id == invitation_id).execute()


def _invitation(row: tuple[Any, ...] | None) -> InvitationRow | None:
    if row is None:
        return None
    number, secret_hash, *rest = row
    return InvitationRow(number, bytes(secret_hash), *rest)
