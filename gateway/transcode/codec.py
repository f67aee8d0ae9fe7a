"""The codec of one message type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from google.protobuf.message import Message

from gateway.transcode.decoder import build, message_reader
from gateway.transcode.document import parse_object, violations_of
from gateway.transcode.encoder import message_writer
from gateway.transcode.violations import Reading, TranscodeError


def compile_decoder(message_class: type[Message]) -> Callable[[Any], Message]:
    """A function from parsed JSON to a message; it raises `TranscodeError`.

    It takes the value over: dicts and lists inside may be changed. What parsing loses (duplicate keys) or allows (NUL)
    it cannot see; `Codec.decode` can.
    """
    descriptor: Any = message_class.DESCRIPTOR
    read = message_reader(descriptor)

    def decode(value: Any) -> Message:
        reading = Reading()
        found = read(value, (), reading)
        if reading.violations:
            raise TranscodeError(reading.violations)
        return build(message_class, found)  # type: ignore[no-any-return]

    return decode


def compile_encoder(message_class: type[Message]) -> Callable[[Message], Any]:
    """A function from a message to a plain value for orjson; it raises `ValueError` for what has no JSON form.

    The value is that of ``json_format.MessageToDict(preserving_proto_field_name=True,
    always_print_fields_with_no_presence=True)``; fields that are always there come first.
    """
    descriptor: Any = message_class.DESCRIPTOR
    return message_writer(descriptor)


class Codec:
    """Bytes to messages of one type and back."""

    def __init__(self, message_class: type[Message]) -> None:
        descriptor: Any = message_class.DESCRIPTOR
        self._message_class = message_class
        self._read = message_reader(descriptor)
        self._write = compile_encoder(message_class)

    def decode(self, body: bytes) -> Message:
        """The message that ``body``, one JSON object, stands for. Raises `TranscodeError`."""
        reading = Reading()
        found = self._read(parse_object(body), (), reading)
        violations = violations_of(body, reading)
        if violations:
            raise TranscodeError(violations)
        return build(self._message_class, found)  # type: ignore[no-any-return]

    def encode(self, message: Message) -> bytes:
        """The JSON of ``message``. Raises `ValueError` for what has no JSON form."""
        return orjson.dumps(self._write(message))
