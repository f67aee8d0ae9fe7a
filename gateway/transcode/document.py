"""JSON text, read strictly (D30): one object in UTF-8, at most 32 deep, no duplicate keys, no NUL.

orjson reads, but keeps the last of duplicate keys in silence. So the readers of `gateway.transcode.decoder` count
the members that they see, and `violations_of` compares that with what the text can hold at most. Only a document that
these counts cannot clear, or that is refused anyway, is looked at a second time, slowly and exactly.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

import orjson

from gateway.transcode.violations import Path, Reading, Reason, TranscodeError, Violation

#: Objects and arrays around a value, the body itself included.
DEEPEST = 32

_SPACE = b" \t\r\n"
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_object(body: bytes) -> dict[str, Any]:
    """The object that ``body`` is. Raises `TranscodeError` for anything else."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise TranscodeError(_diagnose(body, error)) from None
    if type(value) is not dict:
        raise TranscodeError([Violation("", Reason.NOT_AN_OBJECT, "the body must be one JSON object")])
    return value


def violations_of(body: bytes, reading: Reading) -> list[Violation]:
    """What is wrong with the document as JSON, then with its values; both in the order of the text.

    ``reading`` comes from reading all that `parse_object` gave for ``body``.
    """
    if not reading.violations and has_no_duplicates(body, reading.members) and b"\\u0000" not in body:
        return []
    return [*_inspect(body.decode()), *reading.violations]


def has_no_duplicates(body: bytes, members: int) -> bool:
    """Whether valid JSON in which ``members`` members were seen cannot hold another one.

    True is certain; False may come from what strings contain. Each name in the text is followed by a colon, so with
    as many colons as members none is left for a member that was overwritten. Texts contain colons, too, but seldom
    ones behind a quotation mark; behind that of a name there is at most white space.
    """
    return body.count(b":") == members or body.translate(None, _SPACE).count(b'":') == members


def _diagnose(body: bytes, error: orjson.JSONDecodeError) -> list[Violation]:
    if not body.strip(_SPACE):
        return [Violation("", Reason.EMPTY_BODY, "the body must be one JSON object, and is empty")]
    try:
        text = body.decode()
    except UnicodeDecodeError as invalid:
        return [Violation("", Reason.INVALID_UTF8, f"the body is not UTF-8 at byte {invalid.start}")]
    malformed = Violation("", Reason.MALFORMED_JSON, f"the body is not JSON: {error.msg} at character {error.pos}")
    try:
        # orjson also refuses what is JSON by its grammar; then a value can be named.
        return _inspect(text) or [malformed]
    except ValueError:
        return [malformed]


def _inspect(text: str) -> list[Violation]:
    """Everything that the grammar of JSON allows and we do not. Raises `ValueError` where ``text`` is not JSON."""
    try:
        root = _DECODER.decode(text)
    except RecursionError:
        return [Violation("", Reason.TOO_DEEP, _TOO_DEEP)]
    reading = Reading()
    _walk(root, (), reading)
    return reading.violations


def _walk(value: object, path: Path, reading: Reading) -> None:
    if isinstance(value, str):
        _check_text(value, path, reading)
    elif value is _BEYOND_DOUBLE:
        reading.refuse(path, Reason.OUT_OF_RANGE, "the number is too large")
    elif isinstance(value, _Members | list):
        if len(path) >= DEEPEST:
            reading.refuse(path, Reason.TOO_DEEP, _TOO_DEEP)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                _walk(item, (*path, index), reading)
        else:
            _walk_members(value, path, reading)


def _walk_members(members: _Members, path: Path, reading: Reading) -> None:
    seen = set()
    for name, item in members.pairs:
        inside = (*path, name)
        if name in seen:
            reading.refuse(inside, Reason.DUPLICATE_KEY, "the name is given more than once")
        seen.add(name)
        _check_text(name, inside, reading)
        _walk(item, inside, reading)


def _check_text(text: str, path: Path, reading: Reading) -> None:
    if "\0" in text:
        reading.refuse(path, Reason.NUL_CHARACTER, "must not contain U+0000")
    if _SURROGATE.search(text):
        reading.refuse(path, Reason.LONE_SURROGATE, "must not contain half of a surrogate pair")


class _Members:
    """The members of one object as they stand in the text."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs


def _number(text: str) -> object:
    # Which number it is does not matter here, and int() refuses thousands of digits.
    return _BEYOND_DOUBLE if math.isinf(float(text)) else 0


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


_TOO_DEEP = f"objects and arrays must be nested at most {DEEPEST} deep"
_BEYOND_DOUBLE = object()
_DECODER = json.JSONDecoder(
    object_pairs_hook=_Members, parse_int=_number, parse_float=_number, parse_constant=_refuse_constant
)
