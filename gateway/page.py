"""Something that is served to everybody as it is."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass

from gateway.connection import Request
from gateway.reply import Reply, entity_tag, takes_gzip, validated

#: Long enough for one visit, short enough for a new release; private, because of the headers of the allowance.
CACHED = {"Cache-Control": "private, max-age=300"}


@dataclass(frozen=True, slots=True)
class Page:
    """A body and its headers, Content-Type among them."""

    content: bytes
    headers: Mapping[str, str]
    #: The same as gzip, made once.
    compressed: bytes
    tag: str

    @classmethod
    def of(cls, content: bytes, content_type: str, more: Mapping[str, str] | None = None) -> Page:
        """A page that says nothing of itself to where its links lead."""
        headers = {"Content-Type": content_type, "Referrer-Policy": "no-referrer", **CACHED, **(more or {})}
        return cls(content, headers, gzip.compress(content, mtime=0), entity_tag(content))

    def reply(self, request: Request, headers: Mapping[str, str]) -> Reply:
        """The page with further headers; 304 to a client that has it."""
        all_headers = {**headers, **self.headers, "Vary": "Accept-Encoding"}
        content = self.content
        if takes_gzip(request.headers.getall("Accept-Encoding", ())):
            all_headers["Content-Encoding"] = "gzip"
            content = self.compressed
        return validated(request, all_headers, content, self.tag)
