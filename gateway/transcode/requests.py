"""HTTP requests of one route to messages, and messages to HTTP bodies (google/api/http.proto).

Path variables and query parameters are put into the JSON object of the body, or into an empty one, as the text that
they are; then one reader reads all of it. So a number, a time or an enum means the same wherever it is given, and a
violation of a parameter is told like one of the body.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson
from google.api.httpbody_pb2 import HttpBody
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway.routes import Route
from gateway.transcode.decoder import build, map_entry, message_reader
from gateway.transcode.document import DEEPEST, parse_object, violations_of
from gateway.transcode.encoder import field_writer, message_writer
from gateway.transcode.violations import Reading, Reason, TranscodeError, Violation
from gateway.transcode.well_known import STRING_READERS, WRAPPERS

JSON = "application/json"
_ANY_BYTES = "application/octet-stream"
_HTTP_BODY = "google.api.HttpBody"
_BOOL_VALUE = "google.protobuf.BoolValue"
# What a URL can give in one text, and what only a document can give.
_FROM_TEXT = STRING_READERS.keys() | WRAPPERS
_ONLY_IN_JSON = frozenset(f"google.protobuf.{name}" for name in ("Any", "ListValue", "Struct", "Value"))
# Parameters are printable ASCII: what a message cannot carry, a byte that is no UTF-8, is no media type.
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+\s*(;[\x20-\x7e\t]*)?", re.ASCII)
_JSON_TYPE = re.compile(r'application/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?', re.ASCII | re.IGNORECASE)
_BROKEN_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_INTEGER = re.compile("-?[0-9]{1,10}")
_BOOLS = {"true": True, "false": False}


class RequestTranscoder:
    """Makes the request message of one route and the body of its answer; made once at start."""

    def __init__(self, route: Route) -> None:
        request: Any = route.request_class.DESCRIPTOR
        self._route = route
        self._request = request
        self._read = message_reader(request)
        body = request if route.body == "*" else request.fields_by_name[route.body].message_type if route.body else None
        self._raw_body = body is not None and body.full_name == _HTTP_BODY
        self._read_body = message_reader(body) if body is not None else None
        self._write = _body_writer(route)

    @classmethod
    def for_route(cls, route: Route) -> RequestTranscoder:
        """The transcoder of a route of a `gateway.routes.RouteTable`, which has checked it."""
        return cls(route)

    def accepts(self, content_type: str) -> bool:
        """Whether a body of that media type can be read: JSON in UTF-8 (RFC 8259 section 8.1), or any as raw bytes."""
        if content_type == JSON and not self._raw_body:
            return True  # as nearly all say it
        return (_MEDIA_TYPE if self._raw_body else _JSON_TYPE).fullmatch(content_type.strip()) is not None

    def decode(self, variables: Mapping[str, str], query_string: str, body: bytes, content_type: str = "") -> Message:
        """The request message. Raises `TranscodeError` with all violations of URL and body.

        ``query_string`` is raw (percent-encoded), ``variables`` are decoded, as `RouteTable.match` gives them.
        ``content_type`` only goes into a `google.api.HttpBody`.
        """
        reading = Reading()
        whole_body = self._route.body == "*" and not self._raw_body
        document = parse_object(body) if whole_body else {}
        for name, text in variables.items():
            self._place_variable(document, name, text, reading)
        if query_string:
            self._place_query(document, variables, query_string, reading)
        found = self._read(document, (), reading)
        violations = violations_of(body, reading) if whole_body else reading.violations
        if not whole_body:
            self._take_body(found, body, content_type, violations)
        if violations:
            raise TranscodeError(violations)
        return build(self._route.request_class, found)  # type: ignore[no-any-return]

    def encode(self, message: Message) -> tuple[bytes, str]:
        """Body and content type of the answer. Raises `ValueError` for what has no JSON form."""
        return self._write(message)

    def _take_body(self, found: Any, body: bytes, content_type: str, violations: list[Violation]) -> None:
        """Put the body of a route that does not take it as the whole message into what was ``found`` in the URL."""
        if self._read_body is None:
            if body:
                violations.append(Violation("", Reason.UNEXPECTED_BODY, "this route takes no body"))
        elif self._raw_body:
            content = {"content_type": content_type, "data": body}
            if self._route.body == "*":
                found.update(content)
            elif body or content_type:
                found[self._route.body] = content
        else:
            reading = Reading()
            inner = self._read_body(parse_object(body), (), reading)
            violations += violations_of(body, reading)
            if not violations:
                found[self._route.body] = inner

    def _place_variable(self, document: dict[str, Any], name: str, text: str, reading: Reading) -> None:
        path = tuple(name.split("."))
        holder = _holder(document, path, reading)
        leaf = path[-1]
        if holder is None or leaf in holder:
            reading.refuse(path, Reason.BOUND_BY_PATH, "is given by the path of the URL, not by the body")
            return
        reading.members -= 1
        holder[leaf] = _as_json(_leaf(self._request, path), text, path, reading)

    def _place_query(
        self, document: dict[str, Any], variables: Mapping[str, str], query_string: str, reading: Reading
    ) -> None:
        for pair in query_string.split("&"):
            if not pair:
                continue
            raw_name, _, raw_text = pair.partition("=")
            name = _unquote(raw_name, raw_name, reading)
            text = _unquote(raw_text, name or raw_name, reading)
            if name is None or text is None:
                continue
            path = tuple(name.split("."))
            field = None if name in variables else self._parameter(path)
            if field is None:
                reading.refuse(path, Reason.UNKNOWN_FIELD, "there is no such parameter")
                continue
            value = _as_json(field, text, path, reading)
            _add_parameter(document, path, field, value, reading)

    def _parameter(self, path: tuple[str, ...]) -> FieldDescriptor | None:
        """The field that a query parameter may set: every field that neither path nor body binds."""
        if self._route.body == "*" or path[0] == self._route.body:
            return None
        return _leaf(self._request, path)


def _leaf(message: Descriptor, path: tuple[str, ...]) -> FieldDescriptor | None:
    """The field at the end of the path, if a URL can give its value."""
    if len(path) > DEEPEST:
        return None
    for step in path[:-1]:
        field = message.fields_by_name.get(step)
        if field is None or field.message_type is None or field.is_repeated:
            return None
        message = field.message_type
        if message.full_name in _FROM_TEXT or message.full_name in _ONLY_IN_JSON:
            return None
    field = message.fields_by_name.get(path[-1])
    if field is None or map_entry(field) is not None:
        return None
    return field if field.message_type is None or field.message_type.full_name in _FROM_TEXT else None


def _holder(document: dict[str, Any], path: tuple[str, ...], reading: Reading) -> dict[str, Any] | None:
    """The object in the document that has or gets the last step of the path; None where something else stands."""
    for step in path[:-1]:
        if document.get(step) is None:
            # A member of ours is not one of the body's, which alone `violations_of` compares.
            reading.members -= step not in document
            document[step] = {}
        document = document[step]
        if type(document) is not dict:
            return None
    return document


def _add_parameter(
    document: dict[str, Any], path: tuple[str, ...], field: FieldDescriptor, value: Any, reading: Reading
) -> None:
    holder = _holder(document, path, reading)
    assert holder is not None, "what stands on the way was placed as an object"
    leaf = path[-1]
    if field.is_repeated:
        holder.setdefault(leaf, []).append(value)
    elif leaf in holder:
        reading.refuse(path, Reason.REPEATED_PARAMETER, "is given more than once and takes one value")
    else:
        holder[leaf] = value


def _as_json(field: FieldDescriptor | None, text: str, path: tuple[str, ...], reading: Reading) -> Any:
    """The text as the JSON value that its field would take: a string does, but for booleans and numbers of enums."""
    if "\0" in text:
        reading.refuse(path, Reason.NUL_CHARACTER, "must not contain U+0000")
    if field is None:
        return text
    if field.type == FieldDescriptor.TYPE_BOOL or (
        field.message_type is not None and field.message_type.full_name == _BOOL_VALUE
    ):
        return _BOOLS.get(text, text)
    if field.enum_type is not None and _INTEGER.fullmatch(text):
        return int(text)
    return text


def _unquote(text: str, name: str, reading: Reading) -> str | None:
    """Decode one half of a parameter (WHATWG URL, application/x-www-form-urlencoded)."""
    if _BROKEN_PERCENT.search(text):
        message = "a percent sign must be followed by two hexadecimal digits"
        reading.refuse((name,), Reason.INVALID_PERCENT_ENCODING, message)
        return None
    try:
        return unquote_to_bytes(text.replace("+", " ")).decode()
    except UnicodeError:
        reading.refuse((name,), Reason.INVALID_UTF8, "must be UTF-8")
        return None


def _body_writer(route: Route) -> Callable[[Any], tuple[bytes, str]]:
    response: Any = route.response_class.DESCRIPTOR
    name = route.response_body
    if not name:
        if response.full_name == _HTTP_BODY:
            return _write_raw
        write = message_writer(response)
        return lambda message: (orjson.dumps(write(message)), JSON)
    field = response.fields_by_name[name]
    if field.message_type is not None and field.message_type.full_name == _HTTP_BODY and not field.is_repeated:
        return lambda message: _write_raw(getattr(message, name))
    write_field = field_writer(field)
    return lambda message: (orjson.dumps(write_field(getattr(message, name))), JSON)


def _write_raw(body: HttpBody) -> tuple[bytes, str]:
    return body.data, body.content_type or _ANY_BYTES
