"""protovalidate's rules (buf/validate/validate.proto) as keywords of JSON Schema 2020-12, which OpenAPI 3.1 uses.

A value that proto3 calls the default (an empty string) counts as not given. The keywords describe values that are
given, so a rule that passes over empty strings needs no word for them.
"""

from __future__ import annotations

import re
from typing import Any

import protovalidate
from buf.validate import validate_pb2
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

Schema = dict[str, Any]

#: Raw bytes with their media type: the body is no JSON.
HTTP_BODY = "google.api.HttpBody"

_STRINGS = {"min_len": "minLength", "max_len": "maxLength", "pattern": "pattern", "in": "enum", "const": "const"}
_NUMBERS = {
    "gte": "minimum",
    "lte": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "in": "enum",
    "const": "const",
}
_LISTS = {"min_items": "minItems", "max_items": "maxItems", "unique": "uniqueItems"}
_KEYWORDS = {
    "string": _STRINGS,
    "repeated": _LISTS,
    **dict.fromkeys(("double", "float", "int32", "uint32", "sint32", "fixed32", "sfixed32"), _NUMBERS),
}
#: Rules of strings that JSON Schema has a format for (JSON Schema Validation section 7.3).
_FORMATS = {"email": "email", "uuid": "uuid", "uri": "uri", "hostname": "hostname", "ipv4": "ipv4", "ipv6": "ipv6"}

#: CEL rules of fields that have keywords; all others are told by their message alone.
_FIELD_EXPRESSIONS: dict[str, Schema] = {
    # RE2's \s and \p{Z} together are what ECMA-262 calls white space, but for two control characters and U+FEFF.
    r"this == '' || this.matches('[^\\s\\p{Z}]')": {"minLength": 1, "pattern": r"\S"},
}
_EITHER = re.compile(r"\(this\.(\w+) != ''\) != \(this\.(\w+) != ''\)")
_NEEDS = re.compile(r"(?:this\.(\w+) == ''|!has\(this\.(\w+)\)) \|\| this\.(\w+) != ''")


class DescriptionError(Exception):
    """The contract holds something that this description has no words for; the message says what, and where."""


def field_rules(field: FieldDescriptor) -> Schema:
    """The keywords of a field's rules. Raises `DescriptionError` for a rule that has none."""
    rules = _rules(field)
    kind = rules.WhichOneof("type")
    _check_known(field.full_name, rules, {"required", "ignore", "cel", kind})
    schema: Schema = {}
    if kind is not None:
        for rule, value in getattr(rules, kind).ListFields():
            schema |= _keyword(field, kind, rule.name, value)
    for rule in rules.cel:
        schema |= _FIELD_EXPRESSIONS.get(rule.expression, {})
    if "pattern" in schema and rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE:
        schema["pattern"] = f"^$|{schema['pattern']}"
    if rules.required and field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated:
        schema.setdefault("minLength", 1)
    return schema


def message_rules(message: Descriptor) -> Schema:
    """The keywords of the CEL rules between a message's fields, as far as there are any. Raises `DescriptionError`."""
    rules = _message_rules(message)
    _check_known(message.full_name, rules, {"cel"})
    schema: Schema = {}
    for rule in rules.cel:
        either = _EITHER.fullmatch(rule.expression)
        needs = _NEEDS.fullmatch(rule.expression)
        if either is not None:
            # Not oneOf, from which generators make one type a branch: the fields stand in one type, beside the rule.
            one, other = map(_given, either.groups())
            schema |= {"if": one, "then": {"not": other}, "else": other}
        elif needs is not None:
            schema.setdefault("dependentSchemas", {})[needs[1] or needs[2]] = _given(needs[3])
    return schema


def in_words(declared: FieldDescriptor | Descriptor) -> str:
    """What the CEL rules of a field or message ask for."""
    rules = _message_rules(declared) if isinstance(declared, Descriptor) else _rules(declared)
    if not rules.cel:
        return ""
    return f"Rule{'s' if len(rules.cel) > 1 else ''}: {'; '.join(rule.message for rule in rules.cel)}."


def required_fields(message: Descriptor) -> list[str]:
    """The fields without which a message breaks a rule: those that an empty one breaks, in the message's order."""
    empty = message_factory.GetMessageClass(message)()
    violations = protovalidate.Validator().collect_violations(empty)
    broken = {one.proto.field.elements[0].field_name for one in violations if one.proto.field is not None}
    return [field.name for field in message.fields if field.name in broken]


def _rules(field: FieldDescriptor) -> validate_pb2.FieldRules:
    return field.GetOptions().Extensions[validate_pb2.field]


def _message_rules(message: Descriptor) -> validate_pb2.MessageRules:
    return message.GetOptions().Extensions[validate_pb2.message]


def _check_known(
    where: str, rules: validate_pb2.FieldRules | validate_pb2.MessageRules, known: set[str | None]
) -> None:
    for rule, _ in rules.ListFields():
        if rule.name not in known:
            raise DescriptionError(f"{where}: the rule {rule.name} has no keyword")


def _given(name: str) -> Schema:
    return {"required": [name], "properties": {name: {"minLength": 1}}}


def _keyword(field: FieldDescriptor, kind: str, name: str, value: Any) -> Schema:
    if kind == "string" and name in _FORMATS and value is True:
        return {"format": _FORMATS[name]}
    keyword = _KEYWORDS.get(kind, {}).get(name)
    if keyword is None:
        raise DescriptionError(f"{field.full_name}: the rule {kind}.{name} has no keyword")
    if keyword == "enum":
        return {keyword: list(value)}
    return {keyword: int(value) if isinstance(value, float) and value.is_integer() else value}
