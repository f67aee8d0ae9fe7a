"""Well-known types that are strings in proto3 JSON: Timestamp, Duration and FieldMask.

Readers give what the constructor of the type takes; writers raise `ValueError` for values that the type does not
allow, which only a defect of the server can bring here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from gateway.transcode.violations import Reason, Refusal

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - UTC throughout; naive arithmetic is the faster one
_SECONDS_A_DAY = 86_400
_EARLIEST, _LATEST = -62_135_596_800, 253_402_300_799
_LONGEST = 315_576_000_000
_NANOS = 1_000_000_000

_TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_DURATION = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]{1,9}))?s")
_MASK_PATH = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)*")
_UPPER = re.compile("[A-Z]")
_SNAKE_STEP = re.compile("_([a-z])")


def read_timestamp(value: object) -> dict[str, int]:
    """RFC 3339 with any offset and up to nine decimals, in the years 1 to 9999 of UTC."""
    if type(value) is not str:
        raise Refusal(Reason.WRONG_TYPE, "must be a string with an RFC 3339 timestamp")
    found = _TIMESTAMP.fullmatch(value)
    if found is None:
        raise Refusal(Reason.INVALID_TIMESTAMP, 'must be an RFC 3339 timestamp such as "2026-11-21T05:03:11Z"')
    local, fraction, sign, hours, minutes = found.groups()
    try:
        since = datetime.fromisoformat(local) - _EPOCH
    except ValueError:
        raise Refusal(Reason.INVALID_TIMESTAMP, "there is no such day or time of day") from None
    seconds = since.days * _SECONDS_A_DAY + since.seconds
    if sign:
        offset = int(hours) * 3600 + int(minutes) * 60
        seconds += offset if sign == "-" else -offset
    if not _EARLIEST <= seconds <= _LATEST:
        raise Refusal(Reason.OUT_OF_RANGE, "must be in the years 0001 to 9999 of UTC")
    return {"seconds": seconds, "nanos": _nanos(fraction)}


def write_timestamp(value: Timestamp) -> str:
    """RFC 3339 in UTC with 0, 3, 6 or 9 decimals."""
    seconds, nanos = value.seconds, value.nanos
    if not (_EARLIEST <= seconds <= _LATEST and 0 <= nanos < _NANOS):
        raise ValueError(f"no timestamp: {seconds} s, {nanos} ns")
    text = _write_seconds(seconds)
    return f"{text}{_decimals(nanos)}Z" if nanos else f"{text}Z"


@lru_cache(maxsize=4096)
def _write_seconds(seconds: int) -> str:
    # Answers repeat the instants of the rows that they show.
    return (_EPOCH + timedelta(seconds=seconds)).isoformat()


def read_duration(value: object) -> dict[str, int]:
    """Seconds with up to nine decimals and the suffix "s", at most about 10,000 years either way."""
    if type(value) is not str:
        raise Refusal(Reason.WRONG_TYPE, 'must be a string with a duration such as "1.5s"')
    found = _DURATION.fullmatch(value)
    if found is None:
        raise Refusal(Reason.INVALID_DURATION, 'must be a duration in seconds such as "1.5s"')
    sign, whole, fraction = found.groups()
    seconds, nanos = int(whole), _nanos(fraction)
    if seconds > _LONGEST:
        raise Refusal(Reason.OUT_OF_RANGE, f"must be at most {_LONGEST} whole seconds either way")
    return {"seconds": -seconds, "nanos": -nanos} if sign else {"seconds": seconds, "nanos": nanos}


def write_duration(value: Duration) -> str:
    """Seconds with 0, 3, 6 or 9 decimals."""
    seconds, nanos = value.seconds, value.nanos
    if abs(seconds) > _LONGEST or abs(nanos) >= _NANOS or seconds * nanos < 0:
        raise ValueError(f"no duration: {seconds} s, {nanos} ns")
    sign = "-" if seconds < 0 or nanos < 0 else ""
    return f"{sign}{abs(seconds)}{_decimals(abs(nanos))}s"


def read_field_mask(value: object) -> dict[str, list[str]]:
    """Paths in lowerCamelCase between commas."""
    if type(value) is not str:
        raise Refusal(Reason.WRONG_TYPE, "must be a string with field paths between commas")
    paths = value.split(",") if value else []
    if not all(map(_MASK_PATH.fullmatch, paths)):
        raise Refusal(Reason.INVALID_FIELD_MASK, "must be field paths in lowerCamelCase between commas")
    return {"paths": [_UPPER.sub(lambda found: f"_{found[0].lower()}", path) for path in paths]}


def write_field_mask(value: FieldMask) -> str:
    """Paths in lowerCamelCase between commas. A name that would not come back the same has no JSON form."""
    written = []
    for path in value.paths:
        rest = _SNAKE_STEP.sub("", path)
        if "_" in rest or _UPPER.search(rest):
            raise ValueError(f"no field path in snake_case: {path}")
        written.append(_SNAKE_STEP.sub(lambda found: found[1].upper(), path))
    return ",".join(written)


def _nanos(fraction: str | None) -> int:
    return int(fraction.ljust(9, "0")) if fraction else 0


def _decimals(nanos: int) -> str:
    if not nanos:
        return ""
    digits = f"{nanos:09}"
    if digits.endswith("000000"):
        return f".{digits[:3]}"
    return f".{digits[:6]}" if digits.endswith("000") else f".{digits}"


STRING_READERS: dict[str, Callable[[Any], Any]] = {
    "google.protobuf.Duration": read_duration,
    "google.protobuf.FieldMask": read_field_mask,
    "google.protobuf.Timestamp": read_timestamp,
}
STRING_WRITERS: dict[str, Callable[[Any], Any]] = {
    "google.protobuf.Duration": write_duration,
    "google.protobuf.FieldMask": write_field_mask,
    "google.protobuf.Timestamp": write_timestamp,
}
WRAPPERS = frozenset(
    f"google.protobuf.{kind}Value"
    for kind in ("Bool", "Bytes", "Double", "Float", "Int32", "Int64", "String", "UInt32", "UInt64")
)
#: Types whose JSON has another form than their fields; inside an Any they stand under "value".
OTHER_FORMS = (
    frozenset(("google.protobuf.Any", "google.protobuf.ListValue", "google.protobuf.Struct", "google.protobuf.Value"))
    | STRING_READERS.keys()
    | WRAPPERS
)
