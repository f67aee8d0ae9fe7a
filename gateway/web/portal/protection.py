"""What stands between a form and somebody else's site: cookies that only we can set, a token in every form."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qs

from python_multipart import create_form_parser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field, File
from yarl import URL

from gateway.envelope import Problem

#: The prefix makes browsers refuse it from anybody but this very host, over HTTPS (RFC 6265bis section 4.1.3.2).
SESSION_COOKIE = "__Host-qw_session"
#: Of somebody who is not signed in; random, to bind the token of the form to sign in to.
VISITOR_COOKIE = "__Host-qw_visitor"
_ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax"
#: The server ends sessions; a week is the longest that it lets any last (D23).
_SESSION_LASTS = 7 * 24 * 3600  # seconds
_FORM = "application/x-www-form-urlencoded"
#: Of forms with files (RFC 7578).
_FORM_WITH_FILES = "multipart/form-data"
#: A template of quotes has up to 50 lines of six fields each.
MOST_FIELDS = 512
_VISITOR = re.compile(r"[A-Za-z0-9_-]{32}")
_OWN_SITES = frozenset(("same-origin", "none"))
_LOCAL_PATH = re.compile(r"/(?:[A-Za-z0-9_-][A-Za-z0-9_/-]*)?(?:\?[A-Za-z0-9_=&:.%*+-]*)?")


class Workspace(NamedTuple):
    """Whose data a page shows, and whether live data or that of test keys."""

    organization_id: int
    livemode: bool


def session_cookie(token: str) -> str:
    """The header Set-Cookie that keeps a session."""
    return f"{SESSION_COOKIE}={token}; Max-Age={_SESSION_LASTS}; {_ATTRIBUTES}"


def no_session_cookie() -> str:
    """The header Set-Cookie that forgets it."""
    return f"{SESSION_COOKIE}=; Max-Age=0; {_ATTRIBUTES}"


def visitor_cookie(visitor: str) -> str:
    """The header Set-Cookie of somebody who is not signed in."""
    return f"{VISITOR_COOKIE}={visitor}; {_ATTRIBUTES}"


def new_visitor() -> str:
    """What a visitor is known by."""
    return secrets.token_urlsafe(24)


def known_visitor(cookie: str) -> str:
    """The visitor of a cookie; empty where no `new_visitor` can be in it: bytes that are no text, thousands of
    letters."""
    return cookie if _VISITOR.fullmatch(cookie) else ""


def csrf_token(holder: str, workspace: Workspace | None = None) -> str:
    """The token of the forms of whoever holds the cookie: nobody who cannot read the cookie can make it.

    A form that is about a workspace's data holds one of that workspace: what was typed for one company, or for test
    data, is not written into another that was chosen in a second tab meanwhile.
    """
    of = f"csrf:{workspace.organization_id}:{workspace.livemode}" if workspace else "csrf"
    return hmac.digest(holder.encode(), of.encode(), hashlib.sha256).hex()


def is_csrf_token(holder: str, given: str, workspace: Workspace | None = None) -> bool:
    """Whether the form's token is that of the cookie's holder, and of the workspace."""
    return bool(holder) and hmac.compare_digest(csrf_token(holder, workspace).encode(), given.encode())


def check_origin(headers: Mapping[str, str]) -> None:
    """Raise 403 for a form that the browser says comes from elsewhere. The token is the other half of the check."""
    site = headers.get("Sec-Fetch-Site")
    origin = headers.get("Origin")
    foreign = site is not None and site not in _OWN_SITES
    if origin is not None and _authority(origin) != headers.get("Host", "").lower():
        foreign = True
    if foreign:
        raise Problem(403, "cross_origin", "This form can only be sent from its own page.")


def check_csrf(holder: str, given: str, workspace: Workspace | None = None) -> None:
    """Raise 403 where the form's token is not that of the cookie's holder, and of the workspace."""
    if not is_csrf_token(holder, given, workspace):
        raise Problem(403, "csrf_token_refused", "The form is out of date. Load the page again, then repeat it.")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a form. Its name is only shown, its type only what the browser says."""

    name: str
    content_type: str
    content: bytes


def read_form(content_type: str, body: bytes) -> tuple[dict[str, list[str]], dict[str, Upload]]:
    """The fields of a form with their values, and its files by field. Raises 415, 422."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == _FORM_WITH_FILES:
        return _read_parts(content_type, body)
    if kind != _FORM:
        raise Problem(415, "unsupported_media_type", f"The body must be {_FORM} or {_FORM_WITH_FILES}.")
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise _unreadable() from None
    return {name: [_text(one) for one in values] for name, values in fields.items()}, {}


def _read_parts(content_type: str, body: bytes) -> tuple[dict[str, list[str]], dict[str, Upload]]:
    fields: dict[str, list[str]] = {}
    files: dict[str, Upload] = {}
    count = 0

    def counted() -> None:
        nonlocal count
        count += 1
        if count > MOST_FIELDS:
            raise _unreadable()

    def on_field(field: Field) -> None:
        counted()
        fields.setdefault((field.field_name or b"").decode(), []).append(_text((field.value or b"").decode()))

    def on_file(file: File) -> None:
        counted()
        name = (file.file_name or b"").decode(errors="replace")
        file.file_object.seek(0)
        content = file.file_object.read()
        if name or content:  # a field whose file was not chosen is sent empty
            field_name = (file.field_name or b"").decode()
            files[field_name] = Upload(_text(name), file.content_type or "application/octet-stream", content)

    headers = {"Content-Type": content_type.encode("latin-1", "replace")}
    try:
        # In memory, as the body is already, whatever its size.
        parser = create_form_parser(headers, on_field, on_file, config={"MAX_MEMORY_FILE_SIZE": len(body) + 1})
        parser.write(body)
        parser.finalize()
    except (FormParserError, ValueError):
        raise _unreadable() from None
    return fields, files


def _text(value: str) -> str:
    """A value as RPCs take it: no U+0000, and one character for the end of a line, of which browsers send two."""
    return value.replace("\0", "").replace("\r\n", "\n")


def _unreadable() -> Problem:
    return Problem(422, "invalid_request", "The form cannot be read.")


def local_path(text: str) -> str:
    """A path of this site to go on to, or the start for anything else."""
    return text if _LOCAL_PATH.fullmatch(text) else "/"


def _authority(origin: str) -> str:
    try:
        return URL(origin).authority.lower()
    except ValueError:
        return ""
