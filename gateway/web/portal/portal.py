"""The portal: its pages by path, its menu, its templates and files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from functools import cache
from pathlib import Path
from types import ModuleType
from urllib.parse import urlencode

from google.protobuf.timestamp_pb2 import Timestamp
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from quotewright.options.v1 import options_pb2

from gateway.envelope import Problem
from gateway.page import Page
from gateway.web.portal import (
    assist,
    customers,
    dictionary,
    home,
    intake,
    keys,
    leads,
    members,
    price_book,
    protection,
    quotes,
    review,
    settings,
    signing_in,
    templates,
    usage,
    webhooks,
)
from gateway.web.portal.figures import FILTERS
from gateway.web.portal.view import Entry, Site, View, page_context
from process.contract import Rpc

_FOLDER = Path(__file__).parent
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
HEADERS = {
    "Cache-Control": "no-store",
    # Our own forms must be told from others by their origin, which `no-referrer` would hide.
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
#: Largest form, without what the RPC takes that it feeds.
BODY_LIMIT = 64 * 1024
#: Who has pages, in the order of the menu, by the name of their group there.
_AREAS: Mapping[str, tuple[ModuleType, ...]] = {
    "": (signing_in, home, assist),
    "Work": (quotes, review, customers, leads, intake),
    "Company": (price_book, templates, dictionary, settings),
    "Developers": (keys, webhooks, usage),
    "Workspace": (members,),
}
#: What else is in the menu: pages that are not the portal's.
_LINKS: Mapping[str, tuple[Entry, ...]] = {"Developers": (Entry("/docs", "API reference", owners_only=False),)}
VIEWS: tuple[View, ...] = tuple(view for areas in _AREAS.values() for area in areas for view in area.VIEWS)


def _first_segment(path: str) -> str:
    return path.split("/", 2)[1] if "/" in path else ""


#: Every request passes here, those of the API too, which find nothing.
_VIEWS_UNDER: Mapping[str, tuple[View, ...]] = {
    first: tuple(one for one in VIEWS if _first_segment(one.template) == first)
    for first in {_first_segment(view.template) for view in VIEWS}
}


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"iso": iso, "minute": minute, **FILTERS}
    return environment


class Portal:
    """Finds pages, and knows what they share."""

    def __init__(self, rpcs: Mapping[str, Rpc], authority: Path | None) -> None:
        scopes = tuple(sorted({rpc.scope for rpc in rpcs.values() if rpc.scope}))
        roles = tuple(name.removeprefix("ROLE_").lower() for name in options_pb2.Role.keys()[1:])
        self.site = Site(_templates(), scopes, roles, authority, _menu())

    def find(self, path: str) -> tuple[View, dict[str, str]] | None:
        """The view of a path with what its variables hold; the first that matches."""
        for view in _VIEWS_UNDER.get(_first_segment(path), ()):
            found = view.pattern.fullmatch(path)
            if found is not None:
                return view, found.groupdict()
        return None

    def compile_templates(self) -> None:
        """Make ready what the first visitor of a page would wait for, and everybody else with him. For a thread."""
        for name in self.site.environment.list_templates():
            self.site.environment.get_template(name)

    def problem(self, problem: Problem, request_id: str) -> bytes:
        """The page of an error."""
        titles = {403: "This is not yours to do", 404: "There is no such page", 429: "Too many requests"}
        title = titles.get(problem.status, "This did not work")
        text = "It may have been removed, or belong to another workspace." if problem.status == 404 else problem.message
        context = page_context(self.site, None) | {"title": title, "text": text, "request_id": request_id}
        return self.site.environment.get_template("problem.html").render(context).encode()


def files() -> dict[str, Page]:
    """What the pages load, by path."""
    found = sorted((_FOLDER / "files").iterdir())
    return {f"/portal/{one.name}": Page.of(one.read_bytes(), _TYPES[one.suffix]) for one in found}


def sign_in_path(page: str) -> str:
    """The page to sign in, which goes on to the one that the visitor was going to: path and query."""
    where = protection.local_path(page)
    return "/sign-in" if where == "/" else f"/sign-in?{urlencode({'next': where})}"


def iso(at: Timestamp) -> str:
    """``2026-11-21T15:30:00Z``."""
    return at.ToDatetime(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def minute(at: Timestamp) -> str:
    """``2026-11-21 15:30 UTC``: until a script says it in the viewer's zone."""
    return at.ToDatetime(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _menu() -> dict[str, tuple[Entry, ...]]:
    listed = {
        group: tuple(
            Entry(view.template, view.menu, view.owners_only) for area in areas for view in area.VIEWS if view.menu
        )
        + _LINKS.get(group, ())
        for group, areas in _AREAS.items()
    }
    return {group: entries for group, entries in listed.items() if entries}
