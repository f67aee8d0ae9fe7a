"""Path templates of `google.api.http` (the grammar is in google/api/http.proto, "Path template syntax")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

_FIELD_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
# RFC 3986 section 3.3: pchar without ":", which begins the verb, and without "*", which is no literal here.
_LITERAL = re.compile(r"(?:[A-Za-z0-9._~!$&'()+,;=@-]|%[0-9A-Fa-f]{2})+")
_VARIABLE = re.compile(r"\{([^{}=]*)(?:=([^{}]*))?\}")
_SEGMENT = re.compile(r"(?:\{[^{}]*\}|[^/{}])+")
_BROKEN_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_SLASH = re.compile("(%2[Ff])")


class TemplateError(ValueError):
    """A template that does not follow the grammar."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable and the segments of the path that it takes: from ``start`` up to ``end``, None for all the rest."""

    name: str
    start: int
    end: int | None
    several: bool

    def value(self, segments: list[str]) -> str:
        """The decoded value from the raw segments of a path.

        Where the template has several segments, an encoded slash stays encoded: it is not one between segments.
        """
        taken = segments[self.start : self.end]
        if not self.several:
            return percent_decoded(taken[0])
        return "/".join(_decoded_but_slashes(segment) for segment in taken)


@dataclass(frozen=True, slots=True)
class Template:
    """``segments`` without variables (``*``, ``**`` or a literal as written), ``variables``, and the custom verb."""

    segments: tuple[str, ...]
    variables: tuple[Variable, ...]
    verb: str

    @classmethod
    def parse(cls, text: str) -> Template:
        """Read a template. Raises `TemplateError`, which says what is wrong and not where it stands."""
        if not text.startswith("/"):
            raise TemplateError("a template begins with a slash")
        path, verb = _split_verb(text[1:])
        segments: list[str] = []
        variables: list[Variable] = []
        for part in _split_segments(path):
            found = _VARIABLE.fullmatch(part)
            if found is None:
                segments.append(_checked(part))
                continue
            name = found[1]
            inner = [_checked(one) for one in ("*" if found[2] is None else found[2]).split("/")]
            if not _FIELD_PATH.fullmatch(name):
                raise TemplateError(f"{name!r} is no field path")
            if name in {variable.name for variable in variables}:
                raise TemplateError(f"the variable {name!r} is there twice")
            end = None if inner[-1] == "**" else len(segments) + len(inner)
            variables.append(Variable(name, len(segments), end, several=len(inner) > 1 or end is None))
            segments += inner
        if "**" in segments[:-1]:
            raise TemplateError("** can only be the last segment")
        return cls(tuple(segments), tuple(variables), verb)

    @property
    def is_literal(self) -> bool:
        """Whether one path alone matches: no variable, no wildcard, and nothing that could be encoded otherwise."""
        return not self.variables and not {"*", "**"} & set(self.segments)

    @staticmethod
    def literal(segment: str) -> str:
        """The text that a literal segment stands for: an encoding of an unreserved character is that character."""
        return percent_decoded(segment)

    def __str__(self) -> str:
        """The template as the grammar writes it."""
        parts: list[str] = []
        at = 0
        for variable in self.variables:
            parts += self.segments[at : variable.start]
            inner = "/".join(self.segments[variable.start : variable.end])
            parts.append(f"{{{variable.name}}}" if inner == "*" else f"{{{variable.name}={inner}}}")
            at = len(self.segments) if variable.end is None else variable.end
        parts += self.segments[at:]
        return f"/{'/'.join(parts)}{f':{self.verb}' if self.verb else ''}"


def segments_of(raw: list[str]) -> list[str] | None:
    """The decoded segments of a path; None for an empty one, a broken percent-encoding or what is not UTF-8."""
    if "" in raw:
        return None
    path = "/".join(raw)
    if path.isascii() and "%" not in path:
        return raw
    if _BROKEN_PERCENT.search(path):
        return None
    try:
        return [percent_decoded(segment) for segment in raw]
    except UnicodeError:
        return None


def percent_decoded(text: str) -> str:
    """RFC 3986 section 2.1, as UTF-8. Raises `UnicodeError` for what is not."""
    return unquote_to_bytes(text).decode()


def _decoded_but_slashes(segment: str) -> str:
    parts = _SLASH.split(segment)
    return "".join(part if _SLASH.fullmatch(part) else percent_decoded(part) for part in parts)


def _split_verb(text: str) -> tuple[str, str]:
    """The verb follows the last colon, which must stand behind the last slash and the last brace."""
    at = text.rfind(":")
    if at < 0:
        return text, ""
    path, verb = text[:at], text[at + 1 :]
    if not _LITERAL.fullmatch(verb):
        raise TemplateError(f"{verb!r} is no verb")
    return path, verb


def _split_segments(path: str) -> list[str]:
    segments = _SEGMENT.findall(path)
    if not segments or "/".join(segments) != path:
        raise TemplateError("segments are not empty, and braces come in pairs")
    return segments


def _checked(segment: str) -> str:
    if segment in ("*", "**"):
        return segment
    if not _LITERAL.fullmatch(segment):
        raise TemplateError(f"{segment!r} is no segment")
    try:
        percent_decoded(segment)
    except UnicodeError:
        raise TemplateError(f"{segment!r} is not UTF-8") from None
    return segment
