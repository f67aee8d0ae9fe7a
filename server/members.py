"""What an organization does with its members and invitations. Each function runs inside `Store.write`, leaves an audit
row and raises `Fault`."""

from __future__ import annotations

from server import faults
from server.domain import credentials
from server.store import accounts, audit, members
from server.store.audit import Act
from server.store.members import InvitationRow, MemberRow

DAY = 24 * 3600 * 1_000_000
INVITATION_LASTS = 7 * DAY


def find(organization_id: int, user_id: int) -> MemberRow:
    """The member. Raises NOT_FOUND."""
    found = members.find_member(organization_id, user_id)
    if found is None:
        raise faults.not_found("member")
    return found


def change_role(act: Act, user_id: int, role: str) -> MemberRow:
    """A member's new role, in force within a second."""
    member = find(act.organization_id, user_id)
    if member.role == role:
        return member
    _keep_an_owner(act.organization_id, member)
    members.set_role(act.organization_id, user_id, role)
    accounts.revoke(*members.open_sessions(user_id, organization_id=act.organization_id), at=act.at)
    audit.record(act, "member:change_role", f"user:{user_id}", f"{member.role} to {role}")
    return find(act.organization_id, user_id)


def remove(act: Act, user_id: int) -> None:
    """A member is one no longer, within a second."""
    member = find(act.organization_id, user_id)
    _keep_an_owner(act.organization_id, member)
    members.remove(act.organization_id, user_id)
    accounts.revoke(*members.open_sessions(user_id, organization_id=act.organization_id), at=act.at)
    audit.record(act, "member:remove", f"user:{user_id}", member.role)


def invite(act: Act, email: str, role: str, token: str) -> InvitationRow:
    """An invitation whose link has ``token``; an older one of the same address is revoked."""
    user = members.find_user_by_email(email)
    if user is not None and members.find_member(act.organization_id, user.user_id) is not None:
        raise faults.already_exists("ALREADY_A_MEMBER", "The address belongs to a member of the workspace.")
    still_open = members.open_invitations(act.organization_id, act.at)
    for one in still_open:
        if one.email == email.lower():
            revoke_invitation(act, one.invitation_id)
    if len(still_open) >= members.MOST_INVITATIONS:
        raise faults.limit_reached(f"At most {members.MOST_INVITATIONS} invitations are open.")
    credential = credentials.parse(token)
    assert credential is not None
    invitation = members.create_invitation(
        act.organization_id,
        email,
        role,
        credential,
        created_by=act.actor,
        at=act.at,
        expires_at=act.at + INVITATION_LASTS,
    )
    audit.record(act, "invitation:create", f"invitation:{invitation.invitation_id}", f"{email.lower()} as {role}")
    return invitation


def revoke_invitation(act: Act, invitation_id: int) -> InvitationRow:
    """An invitation that can no longer be accepted; one that was not open stays as it is."""
    invitation = members.find_invitation(act.organization_id, invitation_id)
    if invitation is None:
        raise faults.not_found("invitation")
    if invitation.status(act.at) != "open":
        return invitation
    members.revoke_invitation(invitation_id, act.at)
    audit.record(act, "invitation:revoke", f"invitation:{invitation_id}", invitation.email)
    found = members.find_invitation(act.organization_id, invitation_id)
    assert found is not None
    return found


def _keep_an_owner(organization_id: int, member: MemberRow) -> None:
    if member.role == "owner" and members.owners(organization_id) == 1:
        raise faults.failed_precondition("LAST_OWNER", "A workspace has an owner: give somebody else the role first.")
