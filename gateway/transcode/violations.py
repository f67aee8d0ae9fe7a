"""What can be wrong with a request, and how it is told: every violation at once, each with its JSON path."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

#: The way to a value from the body's root: names of members, indices of elements.
Path = tuple[str | int, ...]

#: A body is bounded, what it makes us say about it must be too.
MOST_VIOLATIONS = 100
_LONGEST_NAME = 80


class Reason(StrEnum):
    """Why a value is refused."""

    #: There is no body where one must be.
    EMPTY_BODY = "empty_body"
    #: There is a body where none can be.
    UNEXPECTED_BODY = "unexpected_body"
    #: Not JSON (RFC 8259).
    MALFORMED_JSON = "malformed_json"
    #: JSON, but no object.
    NOT_AN_OBJECT = "not_an_object"
    #: Bytes that are no UTF-8, in the body or percent-encoded in the query.
    INVALID_UTF8 = "invalid_utf8"
    #: Half of a surrogate pair, which no UTF-8 can carry.
    LONE_SURROGATE = "lone_surrogate"
    #: U+0000, which PostgreSQL cannot store.
    NUL_CHARACTER = "nul_character"
    #: Objects and arrays nested deeper than `gateway.transcode.document.DEEPEST`.
    TOO_DEEP = "too_deep"
    #: A name twice in one object.
    DUPLICATE_KEY = "duplicate_key"
    #: No such field.
    UNKNOWN_FIELD = "unknown_field"
    #: The path of the URL gives this field already.
    BOUND_BY_PATH = "bound_by_path"
    #: A query parameter twice whose field takes one value.
    REPEATED_PARAMETER = "repeated_parameter"
    #: A percent sign without two hexadecimal digits.
    INVALID_PERCENT_ENCODING = "invalid_percent_encoding"
    #: More than one member of a oneof.
    SEVERAL_ONEOF_MEMBERS = "several_oneof_members"
    #: Another JSON type than the field's.
    WRONG_TYPE = "wrong_type"
    #: A number or time that the field's type does not hold.
    OUT_OF_RANGE = "out_of_range"
    #: No value of the enum.
    UNKNOWN_ENUM_VALUE = "unknown_enum_value"
    #: Not base64 in either alphabet (RFC 4648 sections 4 and 5).
    INVALID_BASE64 = "invalid_base64"
    #: Not an RFC 3339 timestamp with a zone.
    INVALID_TIMESTAMP = "invalid_timestamp"
    #: Not a duration such as "1.5s".
    INVALID_DURATION = "invalid_duration"
    #: Not a list of paths in lowerCamelCase.
    INVALID_FIELD_MASK = "invalid_field_mask"
    #: An Any without a type, or of one that is not known.
    UNKNOWN_TYPE = "unknown_type"
    #: A required field (proto2) that is not set.
    MISSING_FIELD = "missing_field"


@dataclass(frozen=True, slots=True)
class Violation:
    """``field`` is the path of the value (``line_items[2].qty``), empty for the body as a whole."""

    field: str
    reason: Reason
    message: str


class TranscodeError(ValueError):
    """A request that is no message, with everything that is wrong with it."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        # One value can be found wrong twice, by the reader of its field and by the look at the document.
        distinct = {(violation.field, violation.reason): violation for violation in reversed([*violations])}
        self.violations: tuple[Violation, ...] = tuple(reversed(distinct.values()))[:MOST_VIOLATIONS]
        super().__init__("; ".join(f"{one.field or 'body'}: {one.message}" for one in self.violations))


class Refusal(Exception):  # noqa: N818 - it becomes a violation where the path is known
    """One value is not what its field takes."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Reading:
    """What one document amounts to while it is read: its members so far, and what was wrong with them."""

    __slots__ = ("members", "violations")

    def __init__(self) -> None:
        self.members = 0
        self.violations: list[Violation] = []

    def refuse(self, path: Path, reason: Reason, message: str) -> None:
        """Note that the value at ``path`` is refused."""
        if len(self.violations) < MOST_VIOLATIONS:
            self.violations.append(Violation(render(path), reason, message))


def render(path: Path) -> str:
    """``("line_items", 2, "qty")`` → ``line_items[2].qty``; a name that is no identifier stands quoted in brackets."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.isidentifier() and len(step) <= _LONGEST_NAME:
            text += f".{step}" if text else step
        else:
            shown = step if len(step) <= _LONGEST_NAME else step[:_LONGEST_NAME] + "…"
            text += f"[{json.dumps(shown)}]"
    return text
