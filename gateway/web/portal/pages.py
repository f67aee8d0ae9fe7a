"""The pages by path, and what each asks of which RPC."""

from __future__ import annotations

import json
import re
import secrets
import shlex
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from quotewright.options.v1 import options_pb2
from quotewright.v1 import account_pb2, key_pb2, workspace_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.page import Page
from gateway.web.portal import protection
from process.contract import Rpc

_FOLDER = Path(__file__).parent
#: Path of what the pages load.
_FILES = "/portal/"
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    # Our own forms must be told from others by their origin, which `no-referrer` would hide.
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
}
#: Largest form.
BODY_LIMIT = 64 * 1024
_NAVIGATION = (("/keys", "API keys"), ("/members", "Members"), ("/first-request", "First request"))
_OWNERS_NAVIGATION = (("/audit", "Audit log"),)
_FIRST_TEXT = "Replace 12 m of guttering and repaint the front of a two-storey house in Nashville, about 60 m2"


class Ask(Protocol):
    """Calls an RPC, by ``Service/Method``, as the visitor. Raises `Problem`."""

    async def __call__(self, rpc: str, request: Message, once: str = "") -> Any:
        """The answer; ``once`` is an idempotency key."""


@dataclass(slots=True)
class Visit:
    """One request for a page, admitted: ``session`` is None for pages that ask for none."""

    ask: Ask
    path: str
    variables: Mapping[str, str]
    query: Mapping[str, str]
    #: https://host, as the visitor has asked for it.
    base: str
    #: Whose token the forms hold: the session's token, or the visitor's cookie.
    holder: str
    form: Mapping[str, list[str]] = field(default_factory=dict)
    session: account_pb2.SessionInfo | None = None

    def first(self, name: str) -> str:
        """The first value of a form's field, or nothing."""
        return next(iter(self.form.get(name, ())), "")

    @property
    def values(self) -> dict[str, str]:
        """The form to show again: without passwords."""
        return {name: values[0] for name, values in self.form.items() if "password" not in name}

    @property
    def user(self) -> account_pb2.SessionInfo:
        """The session, on pages that ask for one."""
        assert self.session is not None, "the page is public"
        return self.session


@dataclass(frozen=True, slots=True)
class Shown:
    """A page, or where to go on (``location``)."""

    status: int = 200
    content: bytes = b""
    location: str = ""
    cookie: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What answers a path. ``public``: without a session; ``homeless``: without an active workspace."""

    template: str
    pattern: re.Pattern[str]
    show: Callable[[Visit], Awaitable[Shown]] | None
    take: Callable[[Visit], Awaitable[Shown]] | None
    public: bool = False
    homeless: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """What the header Allow says."""
        reads, writes = ("GET", "HEAD") if self.show else (), ("POST",) if self.take else ()
        return tuple(sorted((*reads, *writes, "OPTIONS")))


def files() -> dict[str, Page]:
    """What the pages load, by path."""
    types = {"portal.css": "text/css; charset=utf-8", "portal.js": "text/javascript; charset=utf-8"}
    types["icon.svg"] = "image/svg+xml"
    return {_FILES + name: Page.of((_FOLDER / name).read_bytes(), kind) for name, kind in types.items()}


class Portal:
    """Finds and renders pages. ``authority`` is the file of a certificate that clients do not know of themselves."""

    def __init__(self, rpcs: Mapping[str, Rpc], authority: Path | None) -> None:
        #: What a key may be given: every scope that an RPC asks for.
        self._scopes = sorted({rpc.scope for rpc in rpcs.values() if rpc.scope})
        self._roles = [name.removeprefix("ROLE_").lower() for name in options_pb2.Role.keys()[1:]]
        self._authority = authority
        self._environment = Environment(
            loader=FileSystemLoader(_FOLDER),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {"iso": iso, "minute": minute}
        self._views = (
            _view("/sign-in", self._sign_in, self._signed_in, public=True),
            _view("/invitations/{token}", self._invitation, self._accept, public=True),
            _view("/sign-out", None, self._sign_out, homeless=True),
            _view("/workspaces", self._workspaces, self._choose, homeless=True),
            _view("/account", self._account, None, homeless=True),
            _view("/account/password", None, self._change_password, homeless=True),
            _view("/account/sign-out-everywhere", None, self._sign_out_everywhere, homeless=True),
            _view("/", self._home, None),
            _view("/first-request", self._first_request, self._make_first_key),
            _view("/keys", self._keys, self._make_key),
            _view("/keys/new", self._new_key, None),
            _view("/keys/{key_id}", self._key, None),
            _view("/keys/{key_id}/rotate", None, self._rotate),
            _view("/keys/{key_id}/revoke", None, self._revoke),
            _view("/members", self._members, self._invite),
            _view("/members/{user_id}", None, self._change_member),
            _view("/members/invitations/{invitation_id}/revoke", None, self._revoke_invitation),
            _view("/audit", self._audit, None),
        )

    def find(self, path: str) -> tuple[View, dict[str, str]] | None:
        """The view of a path with what its variables hold; the first that matches."""
        for view in self._views:
            found = view.pattern.fullmatch(path)
            if found is not None:
                return view, found.groupdict()
        return None

    def problem(self, problem: Problem, request_id: str) -> bytes:
        """The page of an error."""
        titles = {403: "This is not yours to do", 404: "There is no such page", 429: "Too many requests"}
        title = titles.get(problem.status, "This did not work")
        text = "It may have been removed, or belong to another workspace." if problem.status == 404 else problem.message
        context = self._context(None, "") | {"title": title, "text": text, "request_id": request_id}
        return self._environment.get_template("problem.html").render(context).encode()

    def _page(self, visit: Visit, template: str, problem: Problem | None = None, **more: Any) -> Shown:
        """A page; with a problem, its form again with the errors beside their fields."""
        context = self._context(visit, visit.path) | {"form": visit.values} | more
        status = 200
        if problem is not None:
            status = problem.status
            context["errors"] = _errors(problem)
            if not context["errors"]:
                context |= {"notice": problem.message, "notice_bad": True}
        return Shown(status, self._environment.get_template(template).render(context).encode())

    def _context(self, visit: Visit | None, here: str) -> dict[str, Any]:
        session = visit.session if visit else None
        active = session.organization_id if session else 0
        owner = session is not None and session.role == "owner"
        return {
            "session": session,
            "workspace": next((one for one in session.workspaces if one.organization_id == active), None)
            if session
            else None,
            "csrf": protection.csrf_token(visit.holder) if visit else "",
            "once": secrets.token_urlsafe(18),
            "ask_password": session is not None and not session.HasField("authenticated_until"),
            "navigation": _NAVIGATION + (_OWNERS_NAVIGATION if owner else ()),
            "here": here,
            "errors": {},
            "form": {},
            "notice": "",
            "notice_bad": False,
        }

    async def _sign_in(self, visit: Visit) -> Shown:
        return self._page(visit, "sign_in.html", next=protection.local_path(visit.query.get("next", "/")))

    async def _signed_in(self, visit: Visit) -> Shown:
        goes_on = protection.local_path(visit.first("next") or "/")
        request = account_pb2.SignInRequest(email=visit.first("email").strip(), password=visit.first("password"))
        try:
            answer = await visit.ask("AccountService/SignIn", request)
        except Problem as problem:
            return self._page(visit, "sign_in.html", _of_this_page(problem), next=goes_on)
        if not answer.session.organization_id:
            goes_on = "/workspaces"
        return Shown(303, location=goes_on, cookie=protection.session_cookie(answer.session_token))

    async def _invitation(self, visit: Visit, problem: Problem | None = None) -> Shown:
        token = visit.variables["token"]
        request = account_pb2.LookUpInvitationRequest(token=token)
        invitation = await visit.ask("AccountService/LookUpInvitation", request)
        return self._page(visit, "invitation.html", problem, invitation=invitation.invitation, action=visit.path)

    async def _accept(self, visit: Visit) -> Shown:
        request = account_pb2.AcceptInvitationRequest(
            token=visit.variables["token"], name=visit.first("name"), password=visit.first("password")
        )
        try:
            answer = await visit.ask("AccountService/AcceptInvitation", request)
        except Problem as problem:
            return await self._invitation(visit, _of_this_page(problem))
        return Shown(303, location="/", cookie=protection.session_cookie(answer.session_token))

    async def _sign_out(self, visit: Visit) -> Shown:
        await visit.ask("AccountService/SignOut", account_pb2.SignOutRequest())
        return Shown(303, location="/sign-in", cookie=protection.no_session_cookie())

    async def _sign_out_everywhere(self, visit: Visit) -> Shown:
        await visit.ask("AccountService/SignOutEverywhere", account_pb2.SignOutEverywhereRequest())
        return Shown(303, location="/sign-in", cookie=protection.no_session_cookie())

    async def _workspaces(self, visit: Visit) -> Shown:
        return self._page(visit, "workspaces.html")

    async def _choose(self, visit: Visit) -> Shown:
        request = account_pb2.ChooseWorkspaceRequest(organization_id=_number(visit.first("organization_id")))
        await visit.ask("AccountService/ChooseWorkspace", request)
        return Shown(303, location="/")

    async def _account(self, visit: Visit) -> Shown:
        changed = "The password was changed; your other sessions have ended." if "changed" in visit.query else ""
        return self._page(visit, "account.html", notice=changed)

    async def _change_password(self, visit: Visit) -> Shown:
        request = account_pb2.ChangePasswordRequest(
            password=visit.first("password"), new_password=visit.first("new_password")
        )
        try:
            await visit.ask("AccountService/ChangePassword", request)
        except Problem as problem:
            return self._page(visit, "account.html", _of_this_page(problem))
        return Shown(303, location="/account?changed=1")

    async def _home(self, visit: Visit) -> Shown:
        keys = await visit.ask("KeyService/ListKeys", key_pb2.ListKeysRequest(limit=1))
        return self._page(visit, "home.html", keys=keys)

    async def _first_request(self, visit: Visit, problem: Problem | None = None) -> Shown:
        return self._page(visit, "first_request.html", problem)

    async def _make_first_key(self, visit: Visit) -> Shown:
        request = key_pb2.CreateKeyRequest(name="First request", scopes=["quotes:read", "quotes:write"])
        return await self._make(visit, "CreateKey", request, self._first_request)

    async def _keys(self, visit: Visit) -> Shown:
        ended = visit.query.get("ended") == "1"
        request = key_pb2.ListKeysRequest(offset=_number(visit.query.get("offset", "0")), ended=ended)
        return self._page(visit, "keys.html", keys=await visit.ask("KeyService/ListKeys", request), ended=ended)

    async def _new_key(self, visit: Visit, problem: Problem | None = None) -> Shown:
        chosen = visit.form.get("scopes", [])
        return self._page(visit, "key_new.html", problem, scopes=self._scopes, chosen=chosen)

    async def _make_key(self, visit: Visit) -> Shown:
        request = key_pb2.CreateKeyRequest(
            name=visit.first("name"), livemode=visit.first("mode") == "live", scopes=visit.form.get("scopes", [])
        )
        try:
            request.expires_in_days = _number(visit.first("expires_in_days") or "0", "expires_in_days")
        except Problem as problem:
            return await self._new_key(visit, problem)
        return await self._make(visit, "CreateKey", request, self._new_key)

    async def _key(self, visit: Visit, problem: Problem | None = None) -> Shown:
        request = key_pb2.GetKeyRequest(key_id=visit.variables["key_id"])
        found = await visit.ask("KeyService/GetKey", request)
        return self._page(visit, "key.html", problem, key=found.key)

    async def _rotate(self, visit: Visit) -> Shown:
        overlap = _number(visit.first("overlap_hours"))
        request = key_pb2.RotateKeyRequest(key_id=visit.variables["key_id"], overlap_hours=overlap)
        return await self._make(visit, "RotateKey", request, self._key)

    async def _revoke(self, visit: Visit) -> Shown:
        await visit.ask("KeyService/RevokeKey", key_pb2.RevokeKeyRequest(key_id=visit.variables["key_id"]))
        return Shown(303, location=f"/keys/{quote(visit.variables['key_id'])}")

    async def _make(
        self, visit: Visit, rpc: str, request: Message, again: Callable[[Visit, Problem], Awaitable[Shown]]
    ) -> Shown:
        """A key with its secret, shown in the answer itself: it is kept nowhere. ``again`` shows the form."""
        try:
            await self._give_password(visit)
            made = await visit.ask(f"KeyService/{rpc}", request, visit.first("idempotency_key"))
        except Problem as problem:
            return await again(visit, _of_this_page(problem))
        snippets = _snippets(visit.base, made.secret, self._authority)
        return self._page(visit, "key_made.html", key=made.key, secret=made.secret, snippets=snippets)

    async def _give_password(self, visit: Visit) -> None:
        """What was typed into the form's field for it, if there was one."""
        if visit.first("password"):
            request = account_pb2.ReauthenticateRequest(password=visit.first("password"))
            answer = await visit.ask("AccountService/Reauthenticate", request)
            visit.session = answer.session

    async def _members(self, visit: Visit, problem: Problem | None = None, url: str = "") -> Shown:
        offset = _number(visit.query.get("offset", "0"))
        found = await visit.ask("WorkspaceService/ListMembers", workspace_pb2.ListMembersRequest(offset=offset))
        invitations = workspace_pb2.ListInvitationsResponse()
        if visit.user.role == "owner":
            request = workspace_pb2.ListInvitationsRequest(limit=100)
            invitations = await visit.ask("WorkspaceService/ListInvitations", request)
        return self._page(
            visit, "members.html", problem, members=found, invitations=invitations, roles=self._roles, url=url
        )

    async def _invite(self, visit: Visit) -> Shown:
        request = workspace_pb2.CreateInvitationRequest(email=visit.first("email").strip(), role=visit.first("role"))
        try:
            answer = await visit.ask("WorkspaceService/CreateInvitation", request, visit.first("idempotency_key"))
        except Problem as problem:
            return await self._members(visit, _of_this_page(problem))
        return await self._members(visit, url=answer.url)

    async def _change_member(self, visit: Visit) -> Shown:
        user_id = _number(visit.variables["user_id"])
        try:
            if visit.first("do") == "remove":
                request: Message = workspace_pb2.RemoveMemberRequest(user_id=user_id)
                await visit.ask("WorkspaceService/RemoveMember", request)
            else:
                request = workspace_pb2.ChangeRoleRequest(user_id=user_id, role=visit.first("role"))
                await visit.ask("WorkspaceService/ChangeRole", request)
        except Problem as problem:
            return await self._members(visit, _of_this_page(problem))
        return Shown(303, location="/members")

    async def _revoke_invitation(self, visit: Visit) -> Shown:
        number = _number(visit.variables["invitation_id"])
        request = workspace_pb2.RevokeInvitationRequest(invitation_id=number)
        await visit.ask("WorkspaceService/RevokeInvitation", request)
        return Shown(303, location="/members")

    async def _audit(self, visit: Visit) -> Shown:
        action = visit.query.get("action", "").strip()
        offset = _number(visit.query.get("offset", "0"))
        request = workspace_pb2.ListAuditRowsRequest(limit=50, offset=offset, action=action)
        return self._page(
            visit, "audit.html", rows=await visit.ask("WorkspaceService/ListAuditRows", request), action=action
        )


def sign_in_path(path: str, query: str) -> str:
    """The page to sign in, which goes on to where the visitor was going."""
    where = protection.local_path(f"{path}?{query}" if query else path)
    return "/sign-in" if where == "/" else f"/sign-in?{urlencode({'next': where})}"


def iso(at: Timestamp) -> str:
    """``2026-11-21T15:30:00Z``."""
    return at.ToDatetime(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def minute(at: Timestamp) -> str:
    """``2026-11-21 15:30 UTC``: until a script says it in the viewer's zone."""
    return at.ToDatetime(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _view(
    template: str,
    show: Callable[..., Awaitable[Shown]] | None,
    take: Callable[[Visit], Awaitable[Shown]] | None,
    *,
    public: bool = False,
    homeless: bool = False,
) -> View:
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[A-Za-z0-9_]+)", template))
    return View(template, pattern, show, take, public, homeless)


def _number(text: str, name: str = "") -> int:
    """A number of a path, query or form. Raises 422 of the field ``name``, or 404 where no field has it."""
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return int(text)
    if not name:
        raise Problem(404, "not_found", "There is no such page.")
    fields = [FieldProblem(name, "malformed", "must be a number")]
    raise Problem(422, "invalid_fields", "The request is not valid.", fields=fields)


def _of_this_page(problem: Problem) -> Problem:
    """The problem where the form that was sent can be shown with it; raises it else."""
    if problem.reason in ("session_ended", "session_unknown", "invitation_ended", "role_required"):
        raise problem
    if problem.status in (401, 403, 409, 422, 429):
        return problem
    raise problem


def _errors(problem: Problem) -> dict[str, str]:
    """What is wrong with a form, by the name of its field."""
    if problem.reason == "password_refused":
        return {"password": problem.message}
    return {re.sub(r"\[\d+\]$", "", one.field): one.message for one in problem.fields}


def _snippets(base: str, key: str, authority: Path | None) -> list[tuple[str, str]]:
    """A first request with the key in it, in three languages."""
    url, body = f"{base}/api/v1/quotes/generate", json.dumps({"text": _FIRST_TEXT})
    known = f" --cacert {shlex.quote(str(authority))}" if authority else ""
    curl = f"curl{known} {url} -H 'X-API-Key: {key}' -H 'Content-Type: application/json' -d {shlex.quote(body)}"
    trusted = f'cafile="{authority}"' if authority else ""
    python = f"""import json
import ssl
import urllib.request

context = ssl.create_default_context({trusted})
request = urllib.request.Request(
    "{url}",
    data=json.dumps({{"text": "{_FIRST_TEXT}"}}).encode(),
    headers={{"X-API-Key": "{key}", "Content-Type": "application/json"}},
)
with urllib.request.urlopen(request, context=context) as answer:
    print(json.dumps(json.load(answer), indent=2))"""
    note = f"// Node: NODE_EXTRA_CA_CERTS={authority}\n" if authority else ""
    typescript = f"""{note}const answer = await fetch("{url}", {{
  method: "POST",
  headers: {{ "X-API-Key": "{key}", "Content-Type": "application/json" }},
  body: JSON.stringify({{ text: "{_FIRST_TEXT}" }}),
}});
console.log(await answer.json());"""
    return [("curl", curl), ("Python", python), ("TypeScript", typescript)]
