"""Signing in and out, invitations accepted, the choice of a workspace, one's own account."""

from __future__ import annotations

from quotewright.v1 import account_pb2

from gateway.envelope import Problem
from gateway.web.portal import protection
from gateway.web.portal.view import Shown, Visit, number, of_this_page, view


async def _sign_in(visit: Visit) -> Shown:
    return visit.page("sign_in.html", next=protection.local_path(visit.query.get("next", "/")))


async def _signed_in(visit: Visit) -> Shown:
    goes_on = protection.local_path(visit.first("next") or "/")
    request = account_pb2.SignInRequest(email=visit.first("email").strip(), password=visit.first("password"))
    try:
        answer = await visit.ask("AccountService/SignIn", request)
    except Problem as problem:
        return visit.page("sign_in.html", of_this_page(problem), next=goes_on)
    if not answer.session.organization_id:
        goes_on = "/workspaces"
    return Shown(303, location=goes_on, cookie=protection.session_cookie(answer.session_token))


async def _invitation(visit: Visit, problem: Problem | None = None) -> Shown:
    token = visit.variables["token"]
    request = account_pb2.LookUpInvitationRequest(token=token)
    invitation = await visit.ask("AccountService/LookUpInvitation", request)
    return visit.page("invitation.html", problem, invitation=invitation.invitation, action=visit.path)


async def _accept(visit: Visit) -> Shown:
    request = account_pb2.AcceptInvitationRequest(
        token=visit.variables["token"], name=visit.first("name"), password=visit.first("password")
    )
    try:
        answer = await visit.ask("AccountService/AcceptInvitation", request)
    except Problem as problem:
        return await _invitation(visit, of_this_page(problem))
    return Shown(303, location="/", cookie=protection.session_cookie(answer.session_token))


async def _sign_out(visit: Visit) -> Shown:
    await visit.ask("AccountService/SignOut", account_pb2.SignOutRequest())
    return Shown(303, location="/sign-in", cookie=protection.no_session_cookie())


async def _sign_out_everywhere(visit: Visit) -> Shown:
    await visit.ask("AccountService/SignOutEverywhere", account_pb2.SignOutEverywhereRequest())
    return Shown(303, location="/sign-in", cookie=protection.no_session_cookie())


async def _workspaces(visit: Visit) -> Shown:
    return visit.page("workspaces.html")


async def _choose(visit: Visit) -> Shown:
    request = account_pb2.ChooseWorkspaceRequest(
        organization_id=number(visit.first("organization_id")), livemode=visit.first("mode") != "test"
    )
    await visit.ask("AccountService/ChooseWorkspace", request)
    return Shown(303, location=protection.local_path(visit.first("next") or "/"))


async def _account(visit: Visit) -> Shown:
    changed = "The password was changed; your other sessions have ended." if "changed" in visit.query else ""
    return visit.page("account.html", notice=changed)


async def _change_password(visit: Visit) -> Shown:
    request = account_pb2.ChangePasswordRequest(
        password=visit.first("password"), new_password=visit.first("new_password")
    )
    try:
        await visit.ask("AccountService/ChangePassword", request)
    except Problem as problem:
        return visit.page("account.html", of_this_page(problem))
    return Shown(303, location="/account?changed=1")


VIEWS = (
    view("/sign-in", _sign_in, _signed_in, public=True),
    view("/invitations/{token}", _invitation, _accept, public=True),
    view("/sign-out", take=_sign_out, homeless=True),
    view("/workspaces", _workspaces, _choose, homeless=True),
    view("/account", _account, homeless=True),
    view("/account/password", take=_change_password, homeless=True),
    view("/account/sign-out-everywhere", take=_sign_out_everywhere, homeless=True),
)
