"""Messages of any type for property tests, with values that have a JSON form."""

from __future__ import annotations

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import ListValue, Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

#: U+0000 is refused in requests; half a surrogate pair cannot be in a message.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
#: json_format writes it as 3.4028235e38, which it does not read.
FLOAT_MAX = 3.4028234663852886e38
_KINDS = {
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_DOUBLE: st.floats(),
    FieldDescriptor.CPPTYPE_FLOAT: st.floats(width=32).filter(lambda number: abs(number) != FLOAT_MAX),
    FieldDescriptor.CPPTYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: st.integers(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: st.integers(0, 2**64 - 1),
}
_SNAKE = st.from_regex(r"[a-z]{1,4}(_[a-z][a-z0-9]{0,3}){0,2}(\.[a-z]{1,4}){0,2}", fullmatch=True)


@st.composite
def durations(draw):
    """Seconds and nanoseconds of one sign."""
    sign = draw(st.sampled_from([1, -1]))
    seconds = draw(st.integers(0, 315_575_999_999))
    return {"seconds": sign * seconds, "nanos": sign * draw(_nanos())}


def _nanos():
    return st.integers(0, 999) | st.integers(0, 999).map(lambda n: n * 10**6) | st.integers(0, 10**9 - 1)


def _values():
    finite = st.floats(allow_nan=False, allow_infinity=False)
    leaves = (
        st.just({"null_value": 0})
        | st.booleans().map(lambda b: {"bool_value": b})
        | TEXT.map(lambda s: {"string_value": s})
        | finite.map(lambda n: {"number_value": n})
    )
    return st.recursive(
        leaves.map(lambda kind: Value(**kind)),
        lambda inner: (
            st.dictionaries(TEXT, inner, max_size=3).map(lambda d: Value(struct_value=Struct(fields=d)))
            | st.lists(inner, max_size=3).map(lambda v: Value(list_value=ListValue(values=v)))
        ),
        max_leaves=4,
    )


_SPECIAL = {
    "google.protobuf.Duration": lambda _: durations(),
    "google.protobuf.FieldMask": lambda _: st.lists(_SNAKE, max_size=3).map(lambda paths: {"paths": paths}),
    "google.protobuf.ListValue": lambda _: st.lists(_values(), max_size=3).map(lambda v: ListValue(values=v)),
    "google.protobuf.Struct": lambda _: st.dictionaries(TEXT, _values(), max_size=3).map(lambda d: Struct(fields=d)),
    "google.protobuf.Timestamp": lambda _: st.fixed_dictionaries(
        {"seconds": st.integers(-62_135_596_800, 253_402_300_799), "nanos": _nanos()}
    ),
    "google.protobuf.Value": lambda _: _values(),
    "google.protobuf.Any": lambda depth: _anys(depth),
}


@st.composite
def _anys(draw, depth):
    inner = draw(messages(Timestamp) | st.just(None) | messages(draw(st.sampled_from([Struct, Value]))))
    if inner is None:
        return {}
    return {
        "type_url": f"type.googleapis.com/{inner.DESCRIPTOR.full_name}",
        "value": inner.SerializeToString(deterministic=True),
    }


def _element(field, depth):
    if field.message_type is not None:
        return _content(field.message_type, depth - 1)
    if field.enum_type is not None:
        numbers = st.sampled_from([value.number for value in field.enum_type.values])
        return numbers if field.enum_type.full_name == "google.protobuf.NullValue" else numbers | st.integers(5, 9)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.binary(max_size=7)
    if field.type == FieldDescriptor.TYPE_STRING:
        return TEXT
    return _KINDS[field.cpp_type]


def _field(field, depth):
    element = _element
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        return st.dictionaries(element(key, depth), element(value, depth), max_size=2)
    return st.lists(element(field, depth), max_size=3) if field.is_repeated else element(field, depth)


@st.composite
def _content(draw, descriptor: Descriptor, depth: int):
    special = _SPECIAL.get(descriptor.full_name)
    if special is not None:
        return draw(special(depth))
    usable = [field for field in descriptor.fields if depth > 0 or field.message_type is None]
    chosen = draw(st.lists(st.sampled_from(usable), max_size=6, unique_by=_place)) if usable else []
    return {field.name: draw(_field(field, depth)) for field in chosen}


def _place(field):
    """One member of a oneof at most."""
    return field.containing_oneof.full_name if field.containing_oneof else field.name


@st.composite
def messages(draw, message_class: type[Message] | Descriptor, depth: int = 2) -> Message:
    """A message of the class, a few fields set, at most so deep."""
    descriptor = message_class if hasattr(message_class, "fields_by_name") else message_class.DESCRIPTOR
    content = draw(_content(descriptor, depth))
    if isinstance(content, Message):
        return content
    return message_factory.GetMessageClass(descriptor)(**content)
