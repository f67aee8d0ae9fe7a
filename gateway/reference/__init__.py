"""What the gateway serves to everybody as it is: the OpenAPI document, and `/docs`, a page made from it.

The page needs nothing from elsewhere and works without its script, but for trying operations with a test key.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import orjson
from quotewright import contract

from gateway.page import Page
from gateway.reference.page import render

#: `make generate` writes it beside the generated packages.
OPENAPI = Path(contract.__file__).parents[1] / "openapi.json"
_FOLDER = Path(__file__).parent
#: Nothing but our own files, no inline script or style; forms are sent by the script or not at all (CSP level 3).
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def public_pages() -> Mapping[str, Page]:
    """The pages by path; read and rendered once a process. Raises `OSError` where the document was not generated."""
    document = OPENAPI.read_bytes()
    html = render(orjson.loads(document)).encode()
    return {
        "/api/v1/openapi.json": Page.of(document, "application/json"),
        "/docs": Page.of(html, "text/html; charset=utf-8", {"Content-Security-Policy": _POLICY}),
        "/docs/reference.css": Page.of((_FOLDER / "reference.css").read_bytes(), "text/css; charset=utf-8"),
        "/docs/reference.js": Page.of((_FOLDER / "reference.js").read_bytes(), "text/javascript; charset=utf-8"),
    }
