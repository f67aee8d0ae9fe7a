"""Writers: from messages to plain values for orjson.

One function is made for each message type, which reads the fields by their attributes; `ListFields` is far slower.
"""

from __future__ import annotations

from keyword import iskeyword
from math import isfinite
from operator import attrgetter
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gateway.transcode.decoder import map_entry
from gateway.transcode.scalars import Write, key_writer, scalar_writer, write_double
from gateway.transcode.well_known import OTHER_FORMS, STRING_WRITERS, WRAPPERS

# One writer a message type, as for the readers.
_writers: dict[Descriptor, Write] = {}


def message_writer(descriptor: Descriptor) -> Write:
    """The writer of a message type. It raises `ValueError` for a value that has no JSON form."""
    known = _writers.get(descriptor)
    if known is not None:
        return known
    name = descriptor.full_name
    if name in STRING_WRITERS:
        writer = STRING_WRITERS[name]
    elif name in WRAPPERS:
        writer = _wrapper_writer(descriptor)
    elif name in _JSON_WRITERS:
        writer = _JSON_WRITERS[name]
    else:
        return _object_writer(descriptor)
    _writers[descriptor] = writer
    return writer


def _object_writer(descriptor: Descriptor) -> Write:
    """A function with one expression a field, as if written by hand for the message.

    Tables of fields and a loop over them take 1.6 times as long: most of what there is to do is to read an attribute
    and to put it under a constant name. The text is made of the field names of the contract alone.
    """
    # Of the class: asked of a message, the method would first be looked for among its fields.
    has = message_factory.GetMessageClass(descriptor).HasField
    names: dict[str, Any] = {"write_double": write_double, "has": has}

    def write(message: Any) -> Any:
        return names["write"](message)

    # Known before its fields are: one of them may be of this type, and then goes through here.
    _writers[descriptor] = write
    always, when_set = [], []
    for field in descriptor.fields:
        read = f"getattr(message, {field.name!r})" if iskeyword(field.name) else f"message.{field.name}"
        value = _expression(read, field, names)
        if field.has_presence:
            when_set.append(f"    if has(message, {field.name!r}): written[{field.name!r}] = {value}")
        else:
            always.append(f"        {field.name!r}: {value},")
    lines = ["def write(message):", "    written = {", *always, "    }", *when_set, "    return written"]
    exec("\n".join(lines), names)  # noqa: S102 - nothing in it comes from a request
    _writers[descriptor] = names["write"]
    return _writers[descriptor]


def field_writer(field: FieldDescriptor) -> Write:
    """How the whole of a field is written."""
    names: dict[str, Any] = {"write_double": write_double}
    writer: Write = eval(f"lambda value: {_expression('value', field, names)}", names)  # noqa: S307 - as above
    return writer


def _expression(value: str, field: FieldDescriptor, names: dict[str, Any]) -> str:
    """The expression that writes the ``value`` of a field; the functions that it calls are added to ``names``."""
    if field.type == FieldDescriptor.TYPE_DOUBLE and not field.is_repeated:
        # The difference is 0 unless the value is NaN or infinite, for which orjson would write null.
        return f"double if (double := {value}) - double == 0 else write_double(double)"
    name, entry = f"write_{field.number}", map_entry(field)
    if entry is not None:
        convert: Write | None = _map_writer(entry)
    elif field.is_repeated and field.type == FieldDescriptor.TYPE_DOUBLE:
        convert = _write_doubles
    else:
        convert = _element(field)
    if convert is not None:
        names[name] = convert
    if field.is_repeated and entry is None and field.type != FieldDescriptor.TYPE_DOUBLE:
        # An empty one, as most are, is not sliced. A slice is made in C at once; iterating a repeated field goes
        # through the sequence protocol, item by item.
        items = "items[:]" if convert is None else f"list(map({name}, items[:]))"
        return f"{items} if (items := {value}) else []"
    return value if convert is None else f"{name}({value})"


def _element(field: FieldDescriptor) -> Write | None:
    return scalar_writer(field) if field.message_type is None else message_writer(field.message_type)


def _write_doubles(values: Any) -> list[float | str]:
    plain: list[float | str] = values[:]
    return plain if isfinite(sum(values)) else [write_double(value) for value in values]


def _map_writer(entry: Descriptor) -> Write:
    write_key = key_writer(entry.fields_by_name["key"]) or _as_it_is
    write_item = _element(entry.fields_by_name["value"]) or _as_it_is
    return lambda entries: {write_key(key): write_item(value) for key, value in entries.items()}


def _as_it_is(value: Any) -> Any:
    return value


def _wrapper_writer(descriptor: Descriptor) -> Write:
    write = scalar_writer(descriptor.fields_by_name["value"])
    return attrgetter("value") if write is None else lambda message: write(message.value)


def _write_value(message: Any) -> Any:
    kind = message.WhichOneof("kind")
    if kind is None or kind == "null_value":
        return None
    value = getattr(message, kind)
    if kind == "struct_value":
        return _write_struct(value)
    if kind == "list_value":
        return _write_list_value(value)
    if kind == "number_value" and not isfinite(value):
        raise ValueError(f"a Value cannot hold {value} in JSON")
    return value


def _write_struct(message: Any) -> dict[str, Any]:
    return {name: _write_value(value) for name, value in message.fields.items()}


def _write_list_value(message: Any) -> list[Any]:
    return [_write_value(value) for value in message.values]


def _write_any(message: Any) -> dict[str, Any]:
    if not message.type_url and not message.value:
        return {}
    try:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(message.type_url.rpartition("/")[2])
    except KeyError:
        raise ValueError(f"an Any of a type that is not known here: {message.type_url}") from None
    content = message_writer(descriptor)(message_factory.GetMessageClass(descriptor).FromString(message.value))
    if descriptor.full_name in OTHER_FORMS:
        return {"@type": message.type_url, "value": content}
    return {"@type": message.type_url, **content}


_JSON_WRITERS: dict[str, Write] = {
    "google.protobuf.Any": _write_any,
    "google.protobuf.ListValue": _write_list_value,
    "google.protobuf.Struct": _write_struct,
    "google.protobuf.Value": _write_value,
}
