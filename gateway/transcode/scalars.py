"""Scalar values in proto3 JSON: one reader and one writer for each kind of field.

A reader takes a JSON value and gives what the message's constructor takes, or raises `Refusal`; it is also what
query parameters, path variables, map keys and wrappers are read with. A writer takes what the message holds and
gives a value for orjson; None stands for "as it is".
"""

from __future__ import annotations

import base64
import math
import re
import struct
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

from gateway.transcode.violations import Reason, Refusal

Read = Callable[[Any], Any]
Write = Callable[[Any], Any]

NULL_VALUE = "google.protobuf.NullValue"
_DOUBLE_MAX = math.nextafter(math.inf, 0)
# All that rounds to a float: its largest, 3.4028234663852886e38, is written as 3.4028235e38, which is a little more.
_FLOAT_MAX = math.nextafter(float.fromhex("0x1.ffffffp127"), 0)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_BASE64 = re.compile(r"([A-Za-z0-9+/_-]*)={0,2}")
_URL_SAFE = str.maketrans("-_", "+/")
_SPECIAL_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class Scalar(NamedTuple):
    """How one kind of value is read. A JSON value of exactly the type ``accepted`` needs no reading."""

    accepted: type | None
    read: Read


def _refuse_type(what: str) -> Read:
    def read(_: object) -> object:
        raise Refusal(Reason.WRONG_TYPE, f"must be {what}")

    return read


def _integer(low: int, high: int) -> Read:
    """Integers may also come as ``1.0``, ``1e2`` or in a string, but must be whole."""

    def read(value: object) -> int:
        if type(value) is int:
            number: int | float | Decimal = value
        elif type(value) is float:
            # orjson reads integers below -2^63 as floats, so the float of -2^63 may have been out of range.
            number = value if value != -(2.0**63) else value * 2
        elif type(value) is str and _NUMBER.fullmatch(value):
            number = _decimal(value)
        else:
            raise Refusal(Reason.WRONG_TYPE, "must be an integer")
        # The range first: making an int of 1e999999999 would take all memory.
        if not low <= number <= high:
            raise Refusal(Reason.OUT_OF_RANGE, f"must be between {low} and {high}")
        whole = int(number)
        if whole != number:
            raise Refusal(Reason.WRONG_TYPE, "must be an integer")
        return whole

    return read


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise Refusal(Reason.OUT_OF_RANGE, "the exponent is too large") from None


def _floating(largest: float) -> Read:
    """Numbers, also in a string, and in a string the three that JSON has no numbers for."""

    def read(value: object) -> float:
        if type(value) is float or type(value) is int:
            number = float(value)
        elif type(value) is str and value in _SPECIAL_FLOATS:
            return _SPECIAL_FLOATS[value]
        elif type(value) is str and _NUMBER.fullmatch(value):
            number = float(value)
        else:
            raise Refusal(Reason.WRONG_TYPE, "must be a number")
        if not -largest <= number <= largest:
            raise Refusal(Reason.OUT_OF_RANGE, f"must be between {-largest} and {largest}")
        return number

    return read


def _read_bytes(value: object) -> bytes:
    """Either alphabet, padded or not (RFC 4648 sections 4 and 5)."""
    if type(value) is not str:
        raise Refusal(Reason.WRONG_TYPE, "must be a string in base64")
    found = _BASE64.fullmatch(value)
    if found is None or len(found[1]) % 4 == 1:
        raise Refusal(Reason.INVALID_BASE64, "must be base64")
    digits = found[1].translate(_URL_SAFE)
    return base64.b64decode(digits + "=" * (-len(digits) % 4))


def _enum(enum: EnumDescriptor) -> Read:
    """Enums come by name or by number; proto3 takes numbers that have no name."""
    if enum.full_name == NULL_VALUE:
        return _read_null
    numbers = {value.name: value.number for value in enum.values}
    known = frozenset(numbers.values()) if enum.is_closed else None
    read_number = _integer(-(2**31), 2**31 - 1)

    def read(value: object) -> int:
        number = numbers.get(value) if type(value) is str else read_number(value)
        if number is None or (known is not None and number not in known):
            raise Refusal(Reason.UNKNOWN_ENUM_VALUE, f"must be a value of {enum.full_name}")
        return int(number)

    return read


def _read_null(value: object) -> int:
    if value is not None and value != "NULL_VALUE" and (type(value) is not int or value != 0):
        raise Refusal(Reason.WRONG_TYPE, "must be null")
    return 0


_INT32 = Scalar(None, _integer(-(2**31), 2**31 - 1))
_INT64 = Scalar(None, _integer(-(2**63), 2**63 - 1))
_UINT32 = Scalar(None, _integer(0, 2**32 - 1))
_UINT64 = Scalar(None, _integer(0, 2**64 - 1))
_SCALARS = {
    FieldDescriptor.TYPE_BOOL: Scalar(bool, _refuse_type("true or false")),
    FieldDescriptor.TYPE_BYTES: Scalar(None, _read_bytes),
    FieldDescriptor.TYPE_DOUBLE: Scalar(float, _floating(_DOUBLE_MAX)),
    FieldDescriptor.TYPE_FIXED32: _UINT32,
    FieldDescriptor.TYPE_FIXED64: _UINT64,
    FieldDescriptor.TYPE_FLOAT: Scalar(None, _floating(_FLOAT_MAX)),
    FieldDescriptor.TYPE_INT32: _INT32,
    FieldDescriptor.TYPE_INT64: _INT64,
    FieldDescriptor.TYPE_SFIXED32: _INT32,
    FieldDescriptor.TYPE_SFIXED64: _INT64,
    FieldDescriptor.TYPE_SINT32: _INT32,
    FieldDescriptor.TYPE_SINT64: _INT64,
    FieldDescriptor.TYPE_STRING: Scalar(str, _refuse_type("a string")),
    FieldDescriptor.TYPE_UINT32: _UINT32,
    FieldDescriptor.TYPE_UINT64: _UINT64,
}


def scalar(field: FieldDescriptor) -> Scalar:
    """How one value of a field that is no message is read."""
    if field.enum_type is not None:
        return Scalar(None, _enum(field.enum_type))
    return _SCALARS[field.type]


def key_reader(field: FieldDescriptor) -> Read:
    """How a name in a JSON object is read as the key of a map."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return str
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _read_bool_key
    return scalar(field).read


def _read_bool_key(name: str) -> bool:
    if name not in ("true", "false"):
        raise Refusal(Reason.WRONG_TYPE, 'must be named "true" or "false"')
    return name == "true"


def write_double(value: float) -> float | str:
    """A number, or the names of what JSON has no numbers for."""
    if math.isfinite(value):
        return value
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _write_float(value: float) -> float | str:
    """The shortest number that is the same float: 0.1, not 0.10000000149011612."""
    if not math.isfinite(value):
        return write_double(value)
    packed = struct.pack("f", value)
    for digits in range(6, 9):
        short = float(f"{value:.{digits}g}")
        if abs(short) <= _FLOAT_MAX and struct.pack("f", short) == packed:
            return short
    return float(f"{value:.9g}")


def _write_bytes(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _write_enum(enum: EnumDescriptor) -> Write:
    if enum.full_name == NULL_VALUE:
        return lambda _: None
    # Of aliases the first one counts.
    names = {value.number: value.name for value in reversed(enum.values)}
    return lambda number: names.get(number, number)


_WRITERS: dict[int, Write] = {
    FieldDescriptor.TYPE_BYTES: _write_bytes,
    FieldDescriptor.TYPE_DOUBLE: write_double,
    FieldDescriptor.TYPE_FIXED64: str,
    FieldDescriptor.TYPE_FLOAT: _write_float,
    FieldDescriptor.TYPE_INT64: str,
    FieldDescriptor.TYPE_SFIXED64: str,
    FieldDescriptor.TYPE_SINT64: str,
    FieldDescriptor.TYPE_UINT64: str,
}


def scalar_writer(field: FieldDescriptor) -> Write | None:
    """How one value of a field that is no message is written; None: as it is."""
    if field.enum_type is not None:
        return _write_enum(field.enum_type)
    return _WRITERS.get(field.type)


def key_writer(field: FieldDescriptor) -> Write | None:
    """How a key of a map is written as a name; None: as it is."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return None
    if field.type == FieldDescriptor.TYPE_BOOL:
        return lambda key: "true" if key else "false"
    return str
