"""What a page is: a path, a function that shows it, one that takes its form; and what such a function is given."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from google.protobuf.message import Message
from jinja2 import Environment
from quotewright.v1 import account_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.web.portal import protection
from gateway.web.portal.protection import Upload, Workspace

HTML = "text/html; charset=utf-8"
JSON = "application/json"


class Ask(Protocol):
    """Calls an RPC, by ``Service/Method``, as the visitor. Raises `Problem`."""

    async def __call__(self, rpc: str, request: Message, once: str = "", if_match: str = "") -> Any:
        """The answer; ``once`` is an idempotency key, ``if_match`` the entity tag that the resource must have."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the menu."""

    path: str
    title: str
    owners_only: bool


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages share. ``authority`` is the file of a certificate that clients do not know of themselves."""

    environment: Environment
    #: What a key may be given: every scope that an RPC asks for.
    scopes: tuple[str, ...]
    roles: tuple[str, ...]
    authority: Path | None
    #: Entries by the name of their group.
    menu: Mapping[str, tuple[Entry, ...]]


@dataclass(slots=True)
class Visit:
    """One request for a page, admitted: ``session`` is None for pages that ask for none."""

    site: Site
    ask: Ask
    path: str
    variables: Mapping[str, str]
    query: Mapping[str, str]
    #: https://host, as the visitor has asked for it.
    base: str
    #: Whose token the forms hold: the session's token, or the visitor's cookie.
    holder: str
    form: Mapping[str, list[str]] = field(default_factory=dict)
    #: Files of the form, by the name of their field.
    files: Mapping[str, Upload] = field(default_factory=dict)
    session: account_pb2.SessionInfo | None = None
    #: Entity tag of the last answer that had one: a form keeps it, and gives it back as ``if_match``.
    tag: str = ""

    def first(self, name: str) -> str:
        """The first value of a form's field, or nothing."""
        return next(iter(self.form.get(name, ())), "")

    @property
    def offset(self) -> int:
        """Where a list begins."""
        return number(self.query.get("offset", "0"))

    @property
    def values(self) -> dict[str, str]:
        """The form to show again: without passwords."""
        return {name: values[0] for name, values in self.form.items() if "password" not in name}

    @property
    def user(self) -> account_pb2.SessionInfo:
        """The session, on pages that ask for one."""
        assert self.session is not None, "the page is public"
        return self.session

    @property
    def may_edit(self) -> bool:
        """Whether forms that write are worth showing; the server decides."""
        return self.user.role in ("editor", "owner")

    @property
    def workspace(self) -> Workspace:
        """What the session has chosen, and its forms are about."""
        return Workspace(self.user.organization_id, self.user.livemode)

    @property
    def left(self) -> Workspace | None:
        """The other workspace, or the other mode of the same, that the form was shown for; None where it is of this
        one, or of none of the user's."""
        members_of = [one.organization_id for one in self.user.workspaces]
        others = [Workspace(one, livemode) for one in members_of for livemode in (True, False)]
        given = self.first("csrf")
        found = (one for one in others if protection.is_csrf_token(self.holder, given, one))
        return next((one for one in found if one != self.workspace), None)

    def changed_from(self, left: Workspace) -> Problem:
        """Why a form that was shown for ``left`` is refused."""
        names = {one.organization_id: one.name for one in self.user.workspaces}
        was, now = (
            f"{names[one.organization_id]}, {'live' if one.livemode else 'test'} data" for one in (left, self.workspace)
        )
        message = f"You have changed workspace in another tab: this form is for {was}; {now} is chosen now."
        return Problem(409, "workspace_changed", message)

    @property
    def returned(self) -> bool:
        """Whether a page shows the form that came with the request again, of which nothing is stored: more lines, a
        preview, what was read in a note. Its script keeps what was typed, as it does where a form is refused."""
        return bool(self.form)

    @property
    def texts(self) -> list[str]:
        """What was typed of several words, for a page that cannot show the form again."""
        typed = (text for name, text in self.values.items() if name != "csrf")
        return [text for text in dict.fromkeys(typed) if len(text.split()) > 1]

    def page(self, template: str, problem: Problem | None = None, **more: Any) -> Shown:
        """A page; with a problem, its form again with the errors beside their fields."""
        context = page_context(self.site, self) | {"form": self.values} | more
        status = 200
        if problem is not None:
            status = problem.status
            context["refused"] = True
            context["errors"] = _errors(problem)
            whole = " ".join(f"{one.message[:1].upper()}{one.message[1:]}." for one in problem.fields if not one.field)
            if whole or not context["errors"]:
                context |= {"notice": whole or problem.message, "notice_bad": True}
        return Shown(status, self.site.environment.get_template(template).render(context).encode())


@dataclass(frozen=True, slots=True)
class Shown:
    """A page, or where to go on (``location``). ``headers`` stand in for those of all pages."""

    status: int = 200
    content: bytes = b""
    location: str = ""
    cookie: str = ""
    content_type: str = HTML
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """What answers a path.

    ``public``: without a session; ``homeless``: without an active workspace, about the user, so that its forms hold
    the session's token and not the workspace's. ``feeds``: the RPC, as ``Service/Method``,
    whose body may be as long as it takes: the form may be as long, too, and calls of it count as the RPC's do where
    they count by user. ``menu``: its title there.
    """

    template: str
    pattern: re.Pattern[str]
    show: Callable[[Visit], Awaitable[Shown]] | None
    take: Callable[[Visit], Awaitable[Shown]] | None
    public: bool
    homeless: bool
    feeds: str
    menu: str
    owners_only: bool

    @property
    def in_workspace(self) -> bool:
        """Whether its forms are about the data of a workspace."""
        return not self.public and not self.homeless

    @property
    def methods(self) -> tuple[str, ...]:
        """What the header Allow says."""
        reads, writes = ("GET", "HEAD") if self.show else (), ("POST",) if self.take else ()
        return tuple(sorted((*reads, *writes, "OPTIONS")))


def view(
    template: str,
    show: Callable[..., Awaitable[Shown]] | None = None,
    take: Callable[[Visit], Awaitable[Shown]] | None = None,
    *,
    public: bool = False,
    homeless: bool = False,
    feeds: str = "",
    menu: str = "",
    owners_only: bool = False,
) -> View:
    """A view; ``{name}`` in the template is a segment of the path."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[A-Za-z0-9_-]+)", template))
    return View(template, pattern, show, take, public, homeless, feeds, menu, owners_only)


def new_key() -> str:
    """A key for one call whose form may be sent again with other values: what is lost between gateway and server is
    repeated (`gateway.backend.may_repeat`) and done once, and the next sending is another change."""
    return secrets.token_urlsafe(18)


def page_context(site: Site, visit: Visit | None) -> dict[str, Any]:
    """What every template may use."""
    session = visit.session if visit else None
    active = session.organization_id if session else 0
    return {
        "session": session,
        "workspace": next((one for one in session.workspaces if one.organization_id == active), None)
        if session
        else None,
        "csrf": protection.csrf_token(visit.holder, visit.workspace if session else None) if visit else "",
        #: For forms about the user: they hold in every workspace.
        "user_csrf": protection.csrf_token(visit.holder) if visit else "",
        "once": new_key(),
        "ask_password": session is not None and not session.HasField("authenticated_until"),
        "menu": site.menu,
        "here": visit.path if visit else "",
        #: Nothing was done of what the form asked for: it is shown again with what was typed.
        "refused": False,
        "errors": {},
        "form": {},
        "notice": "",
        "notice_bad": False,
    }


def number(text: str, name: str = "") -> int:
    """A number of a path, query or form. Raises 422 of the field ``name``, or 404 where no field has it."""
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return int(text)
    if not name:
        raise Problem(404, "not_found", "There is no such page.")
    fields = [FieldProblem(name, "malformed", "must be a number")]
    raise Problem(422, "invalid_fields", "The request is not valid.", fields=fields)


def of_this_page(problem: Problem) -> Problem:
    """The problem where the form that was sent can be shown with it; raises it else."""
    if problem.reason in ("session_ended", "session_unknown", "invitation_ended", "role_required"):
        raise problem
    if problem.status in (401, 403, 409, 412, 422, 429):
        return problem
    raise problem


def _errors(problem: Problem) -> dict[str, str]:
    """What is wrong with a form, by the name of its field."""
    if problem.reason == "password_refused":
        return {"password": problem.message}
    return {re.sub(r"\[\d+\]$", "", one.field): one.message for one in problem.fields if one.field}
