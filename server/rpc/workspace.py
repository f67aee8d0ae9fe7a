"""The active workspace: members, invitations, the audit log."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable

from quotewright.v1 import workspace_pb2

from process import wire
from server import members
from server.domain import credentials
from server.domain.credentials import CredentialKind
from server.domain.mailboxes import is_mailbox
from server.interceptors import Call
from server.mail.letters import Letters
from server.rpc.acts import act_of
from server.rpc.addresses import email_of
from server.rpc.once import write_once
from server.rpc.paging import page_size
from server.store import accounts, audit, mail
from server.store import members as stored
from server.store.audit import Act, StoredRow
from server.store.database import Store
from server.store.members import InvitationRow, MemberRow


class WorkspaceService:
    """Keeps members and invitations, shows the log. ``public_url`` is the base of links."""

    def __init__(self, store: Store, letters: Letters, public_url: str, clock: Callable[[], int]) -> None:
        self._store = store
        self._letters = letters
        self._public_url = public_url
        self._clock = clock

    async def ListMembers(
        self, request: workspace_pb2.ListMembersRequest, call: Call
    ) -> workspace_pb2.ListMembersResponse:
        """A page of members."""
        limit = page_size(request)
        total, rows = await self._store.browse(
            lambda: stored.list_members(call.caller.organization_id, limit=limit, offset=request.offset)
        )
        return workspace_pb2.ListMembersResponse(
            data=[_member(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def ChangeRole(
        self, request: workspace_pb2.ChangeRoleRequest, call: Call
    ) -> workspace_pb2.ChangeRoleResponse:
        """A member with another role."""

        def effect(act: Act) -> workspace_pb2.ChangeRoleResponse:
            return workspace_pb2.ChangeRoleResponse(
                member=_member(members.change_role(act, request.user_id, request.role))
            )

        return await write_once(self._store, call, request, effect, workspace_pb2.ChangeRoleResponse)

    async def RemoveMember(
        self, request: workspace_pb2.RemoveMemberRequest, call: Call
    ) -> workspace_pb2.RemoveMemberResponse:
        """A member fewer."""

        def effect(act: Act) -> workspace_pb2.RemoveMemberResponse:
            members.remove(act, request.user_id)
            return workspace_pb2.RemoveMemberResponse()

        return await write_once(self._store, call, request, effect, workspace_pb2.RemoveMemberResponse)

    async def CreateInvitation(
        self, request: workspace_pb2.CreateInvitationRequest, call: Call
    ) -> workspace_pb2.CreateInvitationResponse:
        """An invitation, with its link this once."""
        token = credentials.make(CredentialKind.INVITATION, secrets.randbelow)
        url = f"{self._public_url}/invitations/{token}"
        email = email_of(request.email)

        def effect(act: Act) -> workspace_pb2.CreateInvitationResponse:
            # Members have no mode: whoever looks at test data invites a real colleague, who gets the mail.
            act = dataclasses.replace(act, livemode=True)
            invitation = members.invite(act, email, request.role, token)
            organization = accounts.find_organization(act.organization_id)
            assert organization is not None
            inviter = accounts.email_of(call.caller.user_id)
            number, inviter = invitation.invitation_id, inviter if is_mailbox(inviter) else ""
            mail.post(
                act,
                self._letters.invitation(email, number, organization.name, invitation.role, inviter, url, act.at),
            )
            return workspace_pb2.CreateInvitationResponse(invitation=_invitation(invitation, act.at))

        response = await write_once(self._store, call, request, effect, workspace_pb2.CreateInvitationResponse)
        if wire.REPLAYED not in call.reply_metadata:
            response.url = url
        return response

    async def ListInvitations(
        self, request: workspace_pb2.ListInvitationsRequest, call: Call
    ) -> workspace_pb2.ListInvitationsResponse:
        """A page of invitations."""
        at, limit = self._clock(), page_size(request)
        total, rows = await self._store.browse(
            lambda: stored.list_invitations(call.caller.organization_id, limit=limit, offset=request.offset)
        )
        return workspace_pb2.ListInvitationsResponse(
            data=[_invitation(row, at) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def RevokeInvitation(
        self, request: workspace_pb2.RevokeInvitationRequest, call: Call
    ) -> workspace_pb2.RevokeInvitationResponse:
        """An invitation that is open no longer."""
        act = act_of(call, self._clock())
        invitation = await self._store.write(lambda: members.revoke_invitation(act, request.invitation_id))
        return workspace_pb2.RevokeInvitationResponse(invitation=_invitation(invitation, act.at))

    async def ListAuditRows(
        self, request: workspace_pb2.ListAuditRowsRequest, call: Call
    ) -> workspace_pb2.ListAuditRowsResponse:
        """A page of the log."""
        limit = page_size(request)
        total, rows = await self._store.browse(
            lambda: audit.list_page(
                call.caller.organization_id, action=request.action, limit=limit, offset=request.offset
            )
        )
        return workspace_pb2.ListAuditRowsResponse(
            data=[_audit_row(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )


def _member(member: MemberRow) -> workspace_pb2.Member:
    return workspace_pb2.Member(user_id=member.user_id, email=member.email, name=member.name, role=member.role)


def _invitation(invitation: InvitationRow, at: int) -> workspace_pb2.Invitation:
    message = workspace_pb2.Invitation(
        invitation_id=invitation.invitation_id,
        email=invitation.email,
        role=invitation.role,
        status=invitation.status(at),
        created_by=invitation.created_by,
    )
    message.created_at.FromMicroseconds(invitation.created_at)
    message.expires_at.FromMicroseconds(invitation.expires_at)
    return message


def _audit_row(row: StoredRow) -> workspace_pb2.AuditRow:
    message = workspace_pb2.AuditRow(
        row_id=row.row_id,
        actor=row.actor,
        actor_email=row.actor_email,
        action=row.action,
        subject=row.subject,
        detail=row.detail,
        request_id=row.request_id,
        livemode=row.livemode,
    )
    message.at.FromMicroseconds(row.at)
    return message
