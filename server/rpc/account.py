"""Users: signing in and out, the active workspace, passwords, accepting invitations."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from quotewright.v1 import account_pb2

from process import wire
from server import faults
from server.authentication import NOBODYS, session_ends_at
from server.domain import credentials, sign_in
from server.domain.credentials import Credential, CredentialKind
from server.faults import FieldViolation
from server.interceptors import Call
from server.passwords import Passwords
from server.rpc.acts import act_of
from server.store import accounts, audit, members
from server.store.audit import Act
from server.store.database import Store
from server.store.members import InvitationRow, UserRow

SECOND = 1_000_000  # µs


@dataclass(frozen=True, slots=True)
class _Opened:
    """A token and the session that it opens."""

    token: str
    session: account_pb2.SessionInfo


class AccountService:
    """Looks after users and their sessions."""

    def __init__(self, store: Store, passwords: Passwords, clock: Callable[[], int]) -> None:
        self._store = store
        self._passwords = passwords
        self._clock = clock

    async def SignIn(self, request: account_pb2.SignInRequest, call: Call) -> account_pb2.SignInResponse:
        """A new session."""
        user = await self._store.read(lambda: members.find_user_by_email(request.email))
        failures = await self._check_password(request.email, user, request.password, faults.sign_in_refused())
        assert user is not None
        renewed = ""
        if self._passwords.is_outdated(user.password_hash):
            renewed = await self._passwords.hash(request.password)
        at = self._clock()

        def work() -> _Opened:
            if members.find_user(user.user_id) != user:
                # The password was changed while it was looked at.
                raise faults.sign_in_refused()
            if renewed:
                members.set_password(user.user_id, renewed)
            places = members.workspaces(user.user_id)
            chosen = places[0].organization_id if len(places) == 1 else None
            refused = f"{failures} refused before" if failures else ""
            return _open(user.user_id, chosen, call.request_id, at, refused)

        opened = await self._store.write(work)
        return account_pb2.SignInResponse(session_token=opened.token, session=opened.session)

    async def SignOut(self, _request: account_pb2.SignOutRequest, call: Call) -> account_pb2.SignOutResponse:
        """The end of the session."""
        at, session_id = self._clock(), call.caller.credential_id

        def work() -> None:
            _end((session_id,), at)
            _note(call, at, "session:sign_out")

        await self._store.write(work)
        _forget_caller(call)
        return account_pb2.SignOutResponse()

    async def SignOutEverywhere(
        self, _request: account_pb2.SignOutEverywhereRequest, call: Call
    ) -> account_pb2.SignOutEverywhereResponse:
        """The end of all sessions of the user."""
        at = self._clock()

        def work() -> int:
            ended = members.open_sessions(call.caller.user_id)
            _end(ended, at)
            _note(call, at, "session:sign_out_everywhere", f"{len(ended)} sessions")
            return len(ended)

        ended = await self._store.write(work)
        _forget_caller(call)
        return account_pb2.SignOutEverywhereResponse(ended=ended)

    async def GetSession(self, _request: account_pb2.GetSessionRequest, call: Call) -> account_pb2.GetSessionResponse:
        """The session that asks."""
        at = self._clock()
        session = await self._store.read(lambda: _session(call.caller.credential_id, at))
        return account_pb2.GetSessionResponse(session=session)

    async def ChooseWorkspace(
        self, request: account_pb2.ChooseWorkspaceRequest, call: Call
    ) -> account_pb2.ChooseWorkspaceResponse:
        """The session in another workspace."""
        caller, at = call.caller, self._clock()
        livemode = request.livemode if request.HasField("livemode") else True

        def work() -> account_pb2.SessionInfo:
            if members.find_member(request.organization_id, caller.user_id) is None:
                raise faults.not_found("workspace")
            members.choose_workspace(caller.credential_id, request.organization_id, livemode=livemode)
            accounts.revoke(caller.credential_id, at=at)
            act = Act(request.organization_id, livemode, call.actor, call.request_id, at)
            audit.record(act, "session:choose_workspace", f"user:{caller.user_id}")
            return _session(caller.credential_id, at)

        session = await self._store.write(work)
        _forget_caller(call)
        return account_pb2.ChooseWorkspaceResponse(session=session)

    async def Reauthenticate(
        self, request: account_pb2.ReauthenticateRequest, call: Call
    ) -> account_pb2.ReauthenticateResponse:
        """The session with its password given anew."""
        user = await self._caller(call)
        await self._check_password(user.email, user, request.password, faults.password_refused())
        at = self._clock()

        def work() -> account_pb2.SessionInfo:
            members.forget_attempts(user.email)
            members.set_authenticated(call.caller.credential_id, at)
            _note(call, at, "session:reauthenticate")
            return _session(call.caller.credential_id, at)

        return account_pb2.ReauthenticateResponse(session=await self._store.write(work))

    async def ChangePassword(
        self, request: account_pb2.ChangePasswordRequest, call: Call
    ) -> account_pb2.ChangePasswordResponse:
        """Another password, and no other session."""
        user = await self._caller(call)
        await self._check_password(user.email, user, request.password, faults.password_refused())
        hashed = await self._passwords.hash(request.new_password)
        at, session_id = self._clock(), call.caller.credential_id

        def work() -> int:
            if members.find_user(user.user_id) != user:
                raise faults.password_refused()
            members.forget_attempts(user.email)
            members.set_password(user.user_id, hashed)
            others = tuple(one for one in members.open_sessions(user.user_id) if one != session_id)
            _end(others, at)
            _note(call, at, "user:change_password", f"{len(others)} other sessions ended")
            return len(others)

        return account_pb2.ChangePasswordResponse(ended=await self._store.write(work))

    async def LookUpInvitation(
        self, request: account_pb2.LookUpInvitationRequest, _call: Call
    ) -> account_pb2.LookUpInvitationResponse:
        """What an open invitation is for."""
        at = self._clock()

        def work() -> account_pb2.OpenInvitation:
            invitation = _open_invitation(request.token, at)
            organization = accounts.find_organization(invitation.organization_id)
            assert organization is not None
            message = account_pb2.OpenInvitation(
                organization=organization.name,
                email=invitation.email,
                role=invitation.role,
                has_account=members.find_user_by_email(invitation.email) is not None,
            )
            message.expires_at.FromMicroseconds(invitation.expires_at)
            return message

        return account_pb2.LookUpInvitationResponse(invitation=await self._store.read(work))

    async def AcceptInvitation(
        self, request: account_pb2.AcceptInvitationRequest, call: Call
    ) -> account_pb2.AcceptInvitationResponse:
        """A new member, signed in."""
        began = self._clock()

        def look() -> tuple[InvitationRow, UserRow | None]:
            invitation = _open_invitation(request.token, began)
            return invitation, members.find_user_by_email(invitation.email)

        invitation, user = await self._store.read(look)
        hashed = ""
        if user is not None:
            await self._check_password(user.email, user, request.password, faults.sign_in_refused())
        elif len(request.password) < sign_in.SHORTEST_PASSWORD:
            shortest = f"must be at least {sign_in.SHORTEST_PASSWORD} characters"
            raise faults.invalid(FieldViolation("password", "string.min_len", shortest))
        else:
            hashed = await self._passwords.hash(request.password)
        at = self._clock()

        def work() -> _Opened:
            _open_invitation(request.token, at)
            known = members.find_user_by_email(invitation.email)
            if known != user:
                # The account was made, or its password changed, meanwhile.
                raise faults.sign_in_refused()
            user_id = (
                known.user_id if known else accounts.create_user(invitation.email, request.name.strip(), hashed, at)
            )
            organization_id = invitation.organization_id
            if members.find_member(organization_id, user_id) is None:
                accounts.add_member(organization_id, user_id, invitation.role)
            members.accept_invitation(invitation.invitation_id, at)
            act = Act(organization_id, True, f"user:{user_id}", call.request_id, at)
            audit.record(act, "invitation:accept", f"invitation:{invitation.invitation_id}", invitation.role)
            return _open(user_id, organization_id, call.request_id, at)

        opened = await self._store.write(work)
        return account_pb2.AcceptInvitationResponse(session_token=opened.token, session=opened.session)

    async def _caller(self, call: Call) -> UserRow:
        user = await self._store.read(lambda: members.find_user(call.caller.user_id))
        if user is None:
            raise faults.unauthenticated("SESSION_UNKNOWN", "The session token is not valid.")
        return user

    async def _check_password(self, email: str, user: UserRow | None, password: str, refusal: faults.Fault) -> int:
        """Raise ``refusal`` where it is not the user's password, in the same time where there is no user, and
        RESOURCE_EXHAUSTED where the address must wait. Returns how many attempts had failed."""
        at = self._clock()
        wait, failures = await self._store.write(lambda: members.begin_attempt(email, at))
        if wait:
            raise faults.sign_in_locked(wait / SECOND)
        if not await self._passwords.matches(user.password_hash if user else None, password):
            raise refusal
        return failures


def _open(user_id: int, organization_id: int | None, request_id: str, at: int, detail: str = "") -> _Opened:
    """A new session of a user who has just given the password."""
    token = credentials.make(CredentialKind.SESSION, secrets.randbelow)
    credential = credentials.parse(token)
    user = members.find_user(user_id)
    assert credential is not None and user is not None
    members.forget_attempts(user.email)
    accounts.create_session(organization_id, user_id, credential, at, with_password=True)
    if organization_id is not None:
        act = Act(organization_id, True, f"user:{user_id}", request_id, at)
        audit.record(act, "session:sign_in", f"user:{user_id}", detail)
    return _Opened(token, _session(credential.public_id, at))


def _end(session_ids: tuple[str, ...], at: int) -> None:
    members.end_sessions(session_ids, at)
    accounts.revoke(*session_ids, at=at)


def _forget_caller(call: Call) -> None:
    """Have the gateway ask anew who the session is before it answers. The stream of revocations tells all gateways
    within a second, which is too late for the client's next request: who has just chosen the test mode must not write
    live data."""
    call.reply_metadata[wire.FORGET_CALLER] = "true"


def _note(call: Call, at: int, action: str, detail: str = "") -> None:
    """An audit row of the active workspace, where there is one: others have nothing to do with it."""
    if call.caller.organization_id:
        audit.record(act_of(call, at), action, f"user:{call.caller.user_id}", detail)


def _open_invitation(token: str, at: int) -> InvitationRow:
    """The invitation of a token. Raises UNAUTHENTICATED where there is none that is open; which it is, is not told."""
    credential: Credential | None = credentials.parse(token)
    if credential is not None and credential.kind is CredentialKind.INVITATION:
        found = members.find_invitation_by_token(credential.public_id)
        known = hmac.compare_digest(found.secret_hash if found else NOBODYS, credential.secret_hash)
        if found is not None and known and found.status(at) == "open":
            return found
    raise faults.unauthenticated("INVITATION_ENDED", "The invitation is unknown, used, revoked or has expired.")


def _session(public_id: str, at: int) -> account_pb2.SessionInfo:
    row = accounts.find_session(public_id)
    user = members.find_user(row.user_id) if row is not None else None
    if row is None or user is None:
        raise faults.unauthenticated("SESSION_UNKNOWN", "The session token is not valid.")
    message = account_pb2.SessionInfo(
        user_id=user.user_id,
        email=user.email,
        name=user.name,
        organization_id=row.organization_id or 0,
        livemode=row.livemode,
        role=row.role,
        workspaces=[
            account_pb2.Workspace(organization_id=one.organization_id, name=one.name, role=one.role)
            for one in members.workspaces(user.user_id)
        ],
    )
    message.created_at.FromMicroseconds(row.created_at)
    message.expires_at.FromMicroseconds(session_ends_at(row))
    authenticated_at = members.authenticated_at(public_id)
    if authenticated_at is not None and sign_in.is_recent(authenticated_at, at):
        message.authenticated_until.FromMicroseconds(authenticated_at + sign_in.RECENT)
    return message
