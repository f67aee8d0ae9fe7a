"""Members, invitations, and who did what."""

from __future__ import annotations

from google.protobuf.message import Message
from quotewright.v1 import workspace_pb2

from gateway.envelope import Problem
from gateway.web.portal.view import Shown, Visit, number, of_this_page, view


async def _members(visit: Visit, problem: Problem | None = None, url: str = "") -> Shown:
    offset = visit.offset
    found = await visit.ask("WorkspaceService/ListMembers", workspace_pb2.ListMembersRequest(offset=offset))
    invitations = workspace_pb2.ListInvitationsResponse()
    if visit.user.role == "owner":
        request = workspace_pb2.ListInvitationsRequest(limit=100)
        invitations = await visit.ask("WorkspaceService/ListInvitations", request)
    return visit.page("members.html", problem, members=found, invitations=invitations, roles=visit.site.roles, url=url)


async def _invite(visit: Visit) -> Shown:
    request = workspace_pb2.CreateInvitationRequest(email=visit.first("email").strip(), role=visit.first("role"))
    try:
        answer = await visit.ask("WorkspaceService/CreateInvitation", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _members(visit, of_this_page(problem))
    return await _members(visit, url=answer.url)


async def _change_member(visit: Visit) -> Shown:
    user_id = number(visit.variables["user_id"])
    try:
        if visit.first("do") == "remove":
            request: Message = workspace_pb2.RemoveMemberRequest(user_id=user_id)
            await visit.ask("WorkspaceService/RemoveMember", request)
        else:
            request = workspace_pb2.ChangeRoleRequest(user_id=user_id, role=visit.first("role"))
            await visit.ask("WorkspaceService/ChangeRole", request)
    except Problem as problem:
        return await _members(visit, of_this_page(problem))
    return Shown(303, location="/members")


async def _revoke_invitation(visit: Visit) -> Shown:
    request = workspace_pb2.RevokeInvitationRequest(invitation_id=number(visit.variables["invitation_id"]))
    await visit.ask("WorkspaceService/RevokeInvitation", request)
    return Shown(303, location="/members")


async def _audit(visit: Visit) -> Shown:
    action = visit.query.get("action", "").strip()
    offset = visit.offset
    request = workspace_pb2.ListAuditRowsRequest(limit=50, offset=offset, action=action)
    return visit.page("audit.html", rows=await visit.ask("WorkspaceService/ListAuditRows", request), action=action)


VIEWS = (
    view("/members", _members, _invite, menu="Members"),
    view("/members/{user_id}", take=_change_member),
    view("/members/invitations/{invitation_id}/revoke", take=_revoke_invitation),
    view("/audit", _audit, menu="Audit log", owners_only=True),
)
