"""Messages as schemas: the JSON that `gateway.transcode` reads and writes (docs/transcoding.md).

Answers hold every field without presence, so those are ``required``; fields that a later release adds are allowed.
Requests allow no unknown field (D30), and require what the rules do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gateway.openapi.rules import (
    DescriptionError,
    Schema,
    field_rules,
    in_words,
    message_rules,
    required_fields,
)
from gateway.transcode.decoder import map_entry

_INT32 = {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
_UINT32 = {"type": "integer", "minimum": 0, "maximum": 2**32 - 1}
# 64 bits are strings in proto3 JSON.
_INT64 = {"type": "string", "pattern": "^-?[0-9]{1,19}$"}
_UINT64 = {"type": "string", "pattern": "^[0-9]{1,20}$"}
_SCALARS: dict[int, Schema] = {
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number"},
    FieldDescriptor.TYPE_FLOAT: {"type": "number"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    **dict.fromkeys((FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SFIXED32), _INT32),
    **dict.fromkeys((FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_FIXED32), _UINT32),
    **dict.fromkeys((FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SINT64, FieldDescriptor.TYPE_SFIXED64), _INT64),
    **dict.fromkeys((FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64), _UINT64),
}
_WELL_KNOWN: dict[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]{1,12}(\.[0-9]{1,9})?s$"},
}


class Schemas:
    """Collects the schemas of messages under the names by which they are referred to."""

    def __init__(self, comments: Mapping[str, str]) -> None:
        self._comments = comments
        self.components: dict[str, Schema] = {}

    def response(self, message: Descriptor) -> Schema:
        """A reference to the message as answers hold it."""
        name = _name(message)
        if name not in self.components:
            # Known before its fields are: one of them may be of this type.
            schema = self.components[name] = {"type": "object"}
            always = [field.name for field in message.fields if not field.has_presence]
            schema |= self._described(message.full_name)
            schema["properties"] = {field.name: self._answered(field) for field in message.fields}
            if always:
                schema["required"] = always
        return {"$ref": f"#/components/schemas/{name}"}

    def request(self, message: Descriptor, elsewhere: Collection[str] = ()) -> Schema:
        """A reference to the message as bodies hold it, without the fields that stand ``elsewhere``, in the path."""
        # A message inside a request may stand in answers, too, and has two schemas then.
        name = _name(message) if message.name.endswith("Request") else f"{_name(message)}Input"
        if name not in self.components:
            schema = self.components[name] = {"type": "object"}
            schema |= self._described(message.full_name, in_words(message))
            required = [field for field in required_fields(message) if field not in elsewhere]
            rules = message_rules(message)
            # JSON Schema takes a null for a member that is there, where the rules ask which ones are.
            never_null = {*required, *_named_in(rules)}
            schema["properties"] = {
                field.name: self.asked(field) if field.name in never_null else _or_null(self.asked(field))
                for field in message.fields
                if field.name not in elsewhere
            }
            if required:
                schema["required"] = required
            schema |= rules
            schema["additionalProperties"] = False
        return {"$ref": f"#/components/schemas/{name}"}

    def asked(self, field: FieldDescriptor) -> Schema:
        """The schema of a field of a request, with its rules. Raises `DescriptionError`."""
        if field.containing_oneof is not None and len(field.containing_oneof.fields) > 1:
            raise DescriptionError(f"{field.full_name}: oneofs in requests are not described")
        described = self._described(field.full_name, in_words(field))
        return _whole(field, self._element(field, asked=True)) | field_rules(field) | described

    def _answered(self, field: FieldDescriptor) -> Schema:
        return _whole(field, self._element(field, asked=False)) | self._described(field.full_name)

    def _element(self, field: FieldDescriptor, *, asked: bool) -> Schema:
        entry = map_entry(field)
        if entry is not None:
            return self._element(entry.fields_by_name["value"], asked=asked)
        if field.enum_type is not None:
            return {"type": "string", "enum": [value.name for value in field.enum_type.values]}
        message = field.message_type
        if message is None:
            return dict(_SCALARS[field.type])
        if message.full_name in _WELL_KNOWN:
            return dict(_WELL_KNOWN[message.full_name])
        if message.file.package.startswith("google."):
            raise DescriptionError(f"{field.full_name}: {message.full_name} is not described")
        return self.request(message) if asked else self.response(message)

    def _described(self, full_name: str, rules: str = "") -> Schema:
        text = " ".join(filter(None, [self._comments.get(full_name, ""), rules]))
        return {"description": text} if text else {}


def _whole(field: FieldDescriptor, element: Schema) -> Schema:
    if map_entry(field) is not None:
        return {"type": "object", "additionalProperties": element}
    return {"type": "array", "items": element} if field.is_repeated else element


def _named_in(rules: Schema) -> set[str]:
    """The fields that rules between fields name."""
    needs = rules.get("dependentSchemas", {})
    either = (rules["if"], rules["else"]) if "if" in rules else ()
    return {*needs, *(name for one in (*either, *needs.values()) for name in one["required"])}


def _or_null(schema: Schema) -> Schema:
    """The schema of a member of a body that need not be there: null says the same."""
    if "$ref" in schema:
        described = {name: value for name, value in schema.items() if name != "$ref"}
        return {"anyOf": [{"$ref": schema["$ref"]}, {"type": "null"}], **described}
    nullable = schema | {"type": [schema["type"], "null"]}
    return nullable | {"enum": [*schema["enum"], None]} if "enum" in schema else nullable


def _name(message: Any) -> str:
    """The name below the package; a nested message is ``Outer.Inner``."""
    return str(message.full_name).removeprefix(f"{message.file.package}.")
