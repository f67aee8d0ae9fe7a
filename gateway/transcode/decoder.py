"""Readers: from parsed JSON to what the constructors of messages take.

The constructor of a message makes its submessages from plain dicts, and does so in C. So reading an object leaves the
dict that orjson made as it is where every value has the type its field asks for, and only replaces the values that
need converting: the fewer values a reader touches, the faster it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.struct_pb2 import ListValue, Struct

from gateway.transcode.document import DEEPEST
from gateway.transcode.scalars import NULL_VALUE, Read, Scalar, key_reader, scalar
from gateway.transcode.violations import Path, Reading, Reason, Refusal
from gateway.transcode.well_known import OTHER_FORMS, STRING_READERS, WRAPPERS

#: (JSON value, its path, the reading) → what the constructor takes. A value that is refused is noted in the reading,
#: and what is returned then means nothing.
Reader = Callable[[Any, Path, Reading], Any]

#: How the values of one field are read: those of exactly the type are taken as they are.
Accepted = tuple[type | None, Reader]

VALUE = "google.protobuf.Value"

# One reader a message type: a type can contain itself, and an Any brings types that nobody named before.
_readers: dict[Descriptor, Reader] = {}


def message_reader(descriptor: Descriptor) -> Reader:
    """The reader of a message type. Where the JSON form is no object of the fields, it may return a message."""
    known = _readers.get(descriptor)
    if known is not None:
        return known
    name = descriptor.full_name
    if name in STRING_READERS:
        reader = _with_path(STRING_READERS[name])
    elif name in WRAPPERS:
        reader = _wrapper_reader(descriptor)
    elif name in _JSON_READERS:
        reader = _JSON_READERS[name]
    else:
        return _object_reader(descriptor)
    _readers[descriptor] = reader
    return reader


def _object_reader(descriptor: Descriptor) -> Reader:
    accepted: dict[str, type | None] = {}
    readers: dict[str, Reader] = {}
    accepted_type = accepted.get
    nullable = frozenset(field.name for field in descriptor.fields if takes_null(field))
    oneofs = [
        frozenset(field.name for field in oneof.fields)
        for oneof in descriptor.oneofs
        # The oneof that `optional` makes has one member.
        if len(oneof.fields) > 1
    ]

    def read(value: Any, path: Path, reading: Reading) -> Any:
        # Looked at here first: a call for each object of a document is a tenth of reading it.
        if (type(value) is not dict or len(path) >= DEEPEST) and not _is_container(value, dict, path, reading):
            return None
        reading.members += len(value)
        for name, item in value.items():
            if type(item) is accepted_type(name):
                continue
            if name not in readers:
                reading.refuse((*path, name), Reason.UNKNOWN_FIELD, "there is no such field")
            elif item is not None or name in nullable:
                value[name] = readers[name](item, (*path, name), reading)
        for members in oneofs:
            _check_oneof(value, members, path, reading)
        return value

    # Known before its fields are: one of them may be of this type.
    _readers[descriptor] = read
    for field in descriptor.fields:
        accepted[field.name], readers[field.name] = field_reader(field)
    return read


def _check_oneof(value: dict[str, Any], members: frozenset[str], path: Path, reading: Reading) -> None:
    given = [name for name, item in value.items() if name in members and item is not None]
    for name in given[1:]:
        message = f"only one of {', '.join(sorted(members))} can be set, and {given[0]} is"
        reading.refuse((*path, name), Reason.SEVERAL_ONEOF_MEMBERS, message)


def takes_null(field: FieldDescriptor) -> bool:
    """Whether null is a value of the field. For any other field it means "unset"."""
    if field.is_repeated:
        return False
    if field.message_type is not None:
        return bool(field.message_type.full_name == VALUE)
    return field.enum_type is not None and bool(field.enum_type.full_name == NULL_VALUE)


def map_entry(field: FieldDescriptor) -> Descriptor | None:
    """The type of a map's entries; None for any other field."""
    entry = field.message_type
    return entry if entry is not None and entry.GetOptions().map_entry else None


def field_reader(field: FieldDescriptor) -> Accepted:
    """How the whole of a field is read: an array for a repeated field, an object for a map."""
    entry = map_entry(field)
    if entry is not None:
        return None, _map_reader(entry)
    if field.is_repeated:
        return None, _list_reader(_element(field))
    return _element(field)


def _element(field: FieldDescriptor) -> Accepted:
    if field.message_type is not None:
        return None, message_reader(field.message_type)
    accepted, read = scalar(field)
    return accepted, _with_path(read)


def _with_path(read: Read) -> Reader:
    def reader(value: Any, path: Path, reading: Reading) -> Any:
        try:
            return read(value)
        except Refusal as refusal:
            reading.refuse(path, refusal.reason, refusal.message)
            return None

    return reader


def _is_container(value: object, kind: type[dict[Any, Any] | list[Any]], path: Path, reading: Reading) -> bool:
    """Whether the value is an object or array and not too deep; a path has a step for each container around it."""
    if type(value) is not kind:
        reading.refuse(path, Reason.WRONG_TYPE, f"must be an {'object' if kind is dict else 'array'}")
        return False
    if len(path) >= DEEPEST:
        reading.refuse(path, Reason.TOO_DEEP, f"objects and arrays must be nested at most {DEEPEST} deep")
        return False
    return True


def _list_reader(element: Accepted) -> Reader:
    accepted, read_item = element

    def read(value: Any, path: Path, reading: Reading) -> Any:
        if not _is_container(value, list, path, reading):
            return None
        for index, item in enumerate(value):
            if type(item) is not accepted:
                value[index] = read_item(item, (*path, index), reading)
        return value

    return read


def _map_reader(entry: Descriptor) -> Reader:
    read_key = key_reader(entry.fields_by_name["key"])
    accepted, read_item = _element(entry.fields_by_name["value"])

    def read(value: Any, path: Path, reading: Reading) -> Any:
        if not _is_container(value, dict, path, reading):
            return None
        reading.members += len(value)
        entries = {}
        for name, item in value.items():
            inside = (*path, name)
            try:
                key = read_key(name)
            except Refusal as refusal:
                reading.refuse(inside, refusal.reason, refusal.message)
                continue
            if key in entries:
                reading.refuse(inside, Reason.DUPLICATE_KEY, "the key is given more than once")
            entries[key] = item if type(item) is accepted else read_item(item, inside, reading)
        return entries

    return read


def _wrapper_reader(descriptor: Descriptor) -> Reader:
    read = scalar(descriptor.fields_by_name["value"])

    def read_wrapped(value: object) -> dict[str, object]:
        return {"value": _apply(read, value)}

    return _with_path(read_wrapped)


def _apply(how: Scalar, value: object) -> object:
    return value if type(value) is how.accepted else how.read(value)


def _read_value(value: Any, path: Path, reading: Reading) -> Any:
    if value is None:
        return {"null_value": 0}
    if type(value) is dict:
        return {"struct_value": _read_struct(value, path, reading)}
    if type(value) is list:
        return {"list_value": _read_list_value(value, path, reading)}
    return {_VALUE_MEMBERS[type(value)]: value}


_VALUE_MEMBERS = {bool: "bool_value", str: "string_value", int: "number_value", float: "number_value"}


# Constructors take a plain dict for a Struct, and a list for a ListValue, as JSON of their own: so here are messages.


def _read_struct(value: Any, path: Path, reading: Reading) -> Struct | None:
    if not _is_container(value, dict, path, reading):
        return None
    reading.members += len(value)
    return Struct(fields={name: _read_value(item, (*path, name), reading) for name, item in value.items()})


def _read_list_value(value: Any, path: Path, reading: Reading) -> ListValue | None:
    if not _is_container(value, list, path, reading):
        return None
    return ListValue(values=[_read_value(item, (*path, index), reading) for index, item in enumerate(value)])


def _read_any(value: Any, path: Path, reading: Reading) -> Any:
    """A message of any type in the default pool, its type under "@type"; without members, an empty Any."""
    if not _is_container(value, dict, path, reading) or not value:
        return value
    # The readers below count the rest.
    reading.members += 1
    inner = dict(value)
    url = inner.pop("@type", None)
    descriptor = _known_type(url)
    if descriptor is None:
        reading.refuse((*path, "@type"), Reason.UNKNOWN_TYPE, "must name a type that is known here")
        return None
    if descriptor.full_name in OTHER_FORMS:
        found = _read_any_value(descriptor, inner, path, reading)
    else:
        found = message_reader(descriptor)(inner, path, reading)
    if reading.violations:
        return None
    message = build(message_factory.GetMessageClass(descriptor), found)
    if not message.IsInitialized():
        reading.refuse(path, Reason.MISSING_FIELD, f"lacks {', '.join(message.FindInitializationErrors())}")
        return None
    # The same document gives the same bytes.
    return {"type_url": url, "value": message.SerializeToString(deterministic=True)}


def _read_any_value(descriptor: Descriptor, inner: dict[str, Any], path: Path, reading: Reading) -> Any:
    reading.members += len(inner)
    for name in inner:
        if name != "value":
            reading.refuse((*path, name), Reason.UNKNOWN_FIELD, 'there is only "value" beside "@type"')
    if "value" not in inner:
        reading.refuse((*path, "value"), Reason.MISSING_FIELD, "must be given for this type")
        return None
    return message_reader(descriptor)(inner["value"], (*path, "value"), reading)


def _known_type(url: object) -> Descriptor | None:
    if type(url) is not str:
        return None
    try:
        return descriptor_pool.Default().FindMessageTypeByName(url.rpartition("/")[2])
    except KeyError:
        return None


def build(message_class: Any, found: Any) -> Any:
    """The message from what its reader gave."""
    return message_class(**found) if type(found) is dict else found


_JSON_READERS: dict[str, Reader] = {
    "google.protobuf.Any": _read_any,
    "google.protobuf.ListValue": _read_list_value,
    "google.protobuf.Struct": _read_struct,
    "google.protobuf.Value": _read_value,
}
