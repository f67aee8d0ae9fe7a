"""Settings from `QW_…` environment variables into frozen dataclasses: every field has a working default, unknown
variables are refused.

A field `https_port` is set by `QW_HTTPS_PORT`. Fields whose metadata say `secret` are redacted when printed, and may be
read from the file that `QW_…_FILE` names.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

PREFIX = "QW_"
#: Ends the name of a variable that names the file of a secret.
FILE = "_FILE"
#: Written to var/demo.env for people to source into their shell; never settings.
IGNORED_PREFIX = "QW_DEMO_"

Settings = TypeVar("Settings")


class SettingsError(Exception):
    """A variable is unknown or has a value that does not fit; the message names it."""


def setting(default: Any, text: str, *, secret: bool = False) -> Any:
    """A field with its default and the sentence that the manual says of it."""
    return dataclasses.field(default=default, metadata={"text": text, "secret": secret})


def variable(field: dataclasses.Field[Any]) -> str:
    """The environment variable that sets a field."""
    return PREFIX + field.name.upper()


def variables(kind: type) -> set[str]:
    """All variables that set a field of the dataclass."""
    fields = dataclasses.fields(kind)
    return {variable(field) for field in fields} | {
        variable(field) + FILE for field in fields if field.metadata.get("secret")
    }


def _said(field: dataclasses.Field[Any], environment: Mapping[str, str]) -> str | None:
    """What the environment says of a field, itself or by the name of a file; a line's end at its end is none of it."""
    name = variable(field)
    path = environment.get(name + FILE, "") if field.metadata.get("secret") else ""
    if not path:
        return environment.get(name)
    if name in environment:
        raise SettingsError(f"{name} and {name}{FILE} are both set")
    try:
        return Path(path).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{name}{FILE}={path!r} cannot be read: {getattr(error, 'strerror', 'no UTF-8')}") from None


def _parse(name: str, raw: str, kind: object) -> object:
    try:
        if kind is bool:
            return {"1": True, "true": True, "0": False, "false": False}[raw.lower()]
        if kind is int:
            return int(raw)
        if kind is float:
            return float(raw)
        if kind is Path:
            return Path(raw)
        if typing.get_origin(kind) is tuple:
            return tuple(part.strip() for part in raw.split(",") if part.strip())
    except (ValueError, KeyError):
        raise SettingsError(f"{name}={raw!r} is not a {getattr(kind, '__name__', kind)}") from None
    return raw


def load(kind: type[Settings], environment: Mapping[str, str]) -> Settings:
    """Make one settings object. Raises `SettingsError` where a value does not fit or its file is not there."""
    types = typing.get_type_hints(kind)
    values = {
        field.name: _parse(variable(field), said, types[field.name])
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if (said := _said(field, environment)) is not None
    }
    return kind(**values)


def refuse_unknown(environment: Mapping[str, str], *kinds: type) -> None:
    """Raise `SettingsError` for `QW_…` variables that none of the dataclasses has: a typing error must not pass
    silently."""
    known = set().union(*map(variables, kinds))
    unknown = sorted(
        name
        for name in environment
        if name.startswith(PREFIX) and not name.startswith(IGNORED_PREFIX) and name not in known
    )
    if unknown:
        raise SettingsError(f"unknown settings: {', '.join(unknown)}")


def printable(*settings: object) -> str:
    """The settings as `NAME=value` lines, secrets redacted, sorted."""
    lines = set()
    for one in settings:
        for field in dataclasses.fields(one):  # type: ignore[arg-type]
            value = getattr(one, field.name)
            if isinstance(value, tuple):
                value = ",".join(value)
            if field.metadata.get("secret") and value:
                value = "(redacted)"
            lines.add(f"{variable(field)}={value}")
    return "\n".join(sorted(lines))
