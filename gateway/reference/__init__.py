"""What the gateway serves to everybody as it is: the OpenAPI document, and `/docs`, a page made from it.

The page needs nothing from elsewhere and works without its script, but for trying operations with a test key.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
from aiohttp import web
from quotewright import contract

from gateway.reference.page import render
from gateway.reply import Reply, entity_tag, takes_gzip, validated

#: `make generate` writes it beside the generated packages.
OPENAPI = Path(contract.__file__).parents[1] / "openapi.json"
_FOLDER = Path(__file__).parent
#: Nothing but our own files, no inline script or style; forms are sent by the script or not at all (CSP level 3).
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: Long enough for one visit, short enough for a new release; private, because of the headers of the allowance.
_CACHED = {"Cache-Control": "private, max-age=300"}


@dataclass(frozen=True, slots=True)
class Page:
    """A body and its headers, Content-Type among them."""

    content: bytes
    headers: Mapping[str, str]
    #: The same as gzip, made once.
    compressed: bytes
    tag: str

    def reply(self, request: web.BaseRequest, headers: Mapping[str, str]) -> Reply:
        """The page with further headers; 304 to a client that has it."""
        all_headers = {**headers, **self.headers, "Vary": "Accept-Encoding"}
        content = self.content
        if takes_gzip(request.headers.get("Accept-Encoding", "")):
            all_headers["Content-Encoding"] = "gzip"
            content = self.compressed
        return validated(request, all_headers, content, self.tag)


def public_pages() -> dict[str, Page]:
    """The pages by path; read and rendered once, at start. Raises `OSError` where the document was not generated."""
    document = OPENAPI.read_bytes()
    html = render(orjson.loads(document)).encode()
    return {
        "/api/v1/openapi.json": _page(document, "application/json"),
        "/docs": _page(html, "text/html; charset=utf-8", {"Content-Security-Policy": _POLICY}),
        "/docs/reference.css": _page((_FOLDER / "reference.css").read_bytes(), "text/css; charset=utf-8"),
        "/docs/reference.js": _page((_FOLDER / "reference.js").read_bytes(), "text/javascript; charset=utf-8"),
    }


def _page(content: bytes, content_type: str, more: Mapping[str, str] | None = None) -> Page:
    headers = {"Content-Type": content_type, "Referrer-Policy": "no-referrer", **_CACHED, **(more or {})}
    return Page(content, headers, gzip.compress(content, mtime=0), entity_tag(content))
