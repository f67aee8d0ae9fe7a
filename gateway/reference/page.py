"""The reference page: `reference.html` filled from the OpenAPI document."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

Json = Mapping[str, Any]

_CODE = re.compile(r"`([^`]+)`")
_FORMATS = {"date-time": "RFC 3339 date and time", "email": "e-mail address"}


def render(document: Json) -> str:
    """The page as HTML. It depends on the document alone."""
    document = without_null(document)
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": prose, "code": code, "pretty": pretty, "bounds": bounds, "curl": curl}
    environment.filters["resolve"] = lambda value: resolve(document, value)
    environment.filters["name"] = lambda reference: reference.rpartition("/")[2]
    return environment.get_template("reference.html").render(document=document, groups=groups(document))


def without_null(value: Any) -> Any:
    """The document as people read it: that a member may be null, which says what leaving it out says, is left out."""
    if isinstance(value, list):
        return [without_null(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {name: without_null(one) for name, one in value.items()}
    match kept:
        case {"anyOf": [one, {"type": "null"}]}:
            del kept["anyOf"]
            return {**one, **kept}
        case {"type": [one, "null"]}:
            kept["type"] = one
            if "enum" in kept:
                kept["enum"] = [word for word in kept["enum"] if word is not None]
    return kept


def groups(document: Json) -> list[dict[str, Any]]:
    """The operations by tag, in the document's order, but those of the compatibility contract before the others."""
    found = [
        {"name": tag["name"], "description": tag["description"], "operations": _operations(document, tag["name"])}
        for tag in document["tags"]
    ]
    return sorted(found, key=lambda group: not _stable(group["operations"][0]))


def _operations(document: Json, tag: str) -> list[dict[str, Any]]:
    found = [
        {**operation, "method": method.upper(), "path": path}
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if tag in operation["tags"]
    ]
    return sorted(found, key=lambda operation: not _stable(operation))


def _stable(operation: Json) -> bool:
    return bool(operation["x-stability"] == "stable")


def resolve(document: Json, value: Json) -> Json:
    """The object itself, or what its ``$ref`` (a JSON pointer into the document, RFC 6901) leads to."""
    if "$ref" not in value:
        return value
    found: Any = document
    for step in value["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found  # type: ignore[no-any-return]


def code(text: str) -> Markup:
    """One line of text with its `code` as such."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def prose(text: str) -> Markup:
    """Paragraphs."""
    return Markup("").join(Markup("<p>{}</p>").format(code(one)) for one in text.split("\n\n") if one)


def pretty(value: object) -> str:
    """JSON to read."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def bounds(schema: Json) -> list[str]:
    """The rules of a value, in words."""
    found: list[str] = []
    if "format" in schema:
        found.append(_FORMATS.get(schema["format"]) or schema["format"])
    found += _range(schema, "minLength", "maxLength", " characters")
    if schema.get("maximum") != 2**32 - 1:
        found += _range(schema, "minimum", "maximum", "")
    elif schema["minimum"]:
        found.append(f"at least {schema['minimum']}")
    if "enum" in schema:
        found.append("one of " + ", ".join(map(str, schema["enum"])))
    if schema.get("pattern", r"\S") != r"\S":
        found.append(f"matches {schema['pattern']}")
    return found


def _range(schema: Json, least: str, most: str, unit: str) -> list[str]:
    low, high = schema.get(least), schema.get(most)
    if low is None and high is None:
        return []
    if high is None:
        return [f"at least {low:,}{unit}"]
    return [f"{low:,} to {high:,}{unit}" if low is not None else f"at most {high:,}{unit}"]


def curl(operation: Json, body: object) -> str:
    """The request as a command line. ``$BASE`` is the host, ``$QUOTEWRIGHT_KEY`` the key."""
    lines = [f'curl "$BASE{operation["path"]}"']
    if operation["security"]:
        lines.append('-H "X-API-Key: $QUOTEWRIGHT_KEY"')
    if body is not None:
        lines += ['-H "Content-Type: application/json"', f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"]
    return " \\\n  ".join(lines)
