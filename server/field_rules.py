"""Which messages surely keep the field rules of the contract.

protovalidate decides, and alone says what is wrong. But it takes a message with rules in CEL tens of µs, and nearly all
messages keep their rules; so one that plain comparisons clear is not shown to it. These comparisons may be stricter
than the rules, never laxer: a rule that this file does not know is never sure (`tests/unit/server/test_field_rules.py`
holds them against protovalidate for every message of the contract).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from keyword import iskeyword
from typing import Any

from buf.validate import validate_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

Predicate = Callable[[Any], bool]

#: Rules of a value ``v`` as the expression that holds where the rule does; ``rule`` is what the rule says.
_CHECKS = {
    "gt": "v > {rule}",
    "gte": "v >= {rule}",
    "in": "v in {rule}",
    "lt": "v < {rule}",
    "lte": "v <= {rule}",
    "max_items": "len(v) <= {rule}",
    "max_len": "len(v) <= {rule}",
    "min_items": "len(v) >= {rule}",
    "min_len": "len(v) >= {rule}",
    "unique": "len(v) < 2",
}
#: Kinds of rules whose parts are in `_CHECKS`. Characters are counted alike in CEL and Python: by code points.
_KINDS = frozenset(("double", "repeated", "string", "uint32"))
#: More than white space: what begins with a visible character of ASCII surely is.
_CEL_CHECKS = {
    r"this == '' || this.matches('[^\\s\\p{Z}]')": "(v == '' or '!' <= v[0] <= '~')",
    r"this.matches('[^\\s\\p{Z}]')": "'!' <= v[:1] <= '~'",
}
#: What rules of whole messages are made of, as Python. ``!`` binds less in Python, so it is known before has() alone.
_CEL_TOKENS = tuple(
    (re.compile(pattern), python)
    for pattern, python in (
        (r"\s+", " "),
        (r"!has\(this\.(\w+)\)(?!\s*[=!<>])", r"not m.HasField('\1')"),
        (r"has\(this\.(\w+)\)", r"m.HasField('\1')"),
        (r"size\(this\.(\w+)\)", r"len(m.\1)"),
        (r"this\.(\w+)", r"m.\1"),
        (r"(\d+)u?\b", r"\1"),
        (r"&&", "and"),
        (r"\|\|", "or"),
        (r"(''|[!=]=|[<>]|[()])", r"\1"),
    )
)
_UNSURE = "False"


def surely_kept(message_class: type[Message]) -> Predicate:
    """A function that says of a message of the class whether it surely keeps its rules and those of what it holds."""
    descriptor: Any = message_class.DESCRIPTOR
    return _predicate(descriptor)


def _predicate(descriptor: Descriptor) -> Predicate:
    return _predicates.get(descriptor) or _compiled(descriptor)


#: One a message type: a type can contain itself.
_predicates: dict[Descriptor, Predicate] = {}


def _compiled(descriptor: Descriptor) -> Predicate:
    """A function with one comparison a rule, as if written by hand for the message, like the writers of
    `gateway.transcode.encoder`."""
    names: dict[str, Any] = {}

    def later(message: Message) -> bool:
        return bool(names["surely"](message))

    _predicates[descriptor] = later
    tests = list(_message_tests(descriptor))
    for field in descriptor.fields:
        tests += _field_tests(field, names)
    if _UNSURE in tests:
        tests = [_UNSURE]
    lines = ["def surely(m):", *(f"    {line}" for test in tests for line in _refusing(test)), "    return True"]
    exec("\n".join(lines), names)  # noqa: S102 - it is made of the contract alone
    _predicates[descriptor] = names["surely"]
    return _predicates[descriptor]


def _refusing(test: str) -> Iterator[str]:
    """Lines that leave the function where the test, which may begin with an assignment, does not hold."""
    assignment, _, condition = test.rpartition("; ")
    if assignment:
        yield assignment
    yield f"if not ({condition}): return False"


def _message_tests(descriptor: Descriptor) -> Iterator[str]:
    if any(oneof.GetOptions().HasExtension(validate_pb2.oneof) for oneof in descriptor.oneofs):
        yield _UNSURE
    options = descriptor.GetOptions()
    if options.HasExtension(validate_pb2.message):
        for kind, rules in options.Extensions[validate_pb2.message].ListFields():
            yield from (_translated(rule.expression, descriptor) for rule in rules) if kind.name == "cel" else [_UNSURE]


def _translated(expression: str, descriptor: Descriptor) -> str:
    """A rule of a whole message in Python, as far as it is made of what is known."""
    text, at = "", 0
    while at < len(expression):
        tokens = ((pattern.match(expression, at), python) for pattern, python in _CEL_TOKENS)
        found, python = next((one for one in tokens if one[0] is not None), (None, ""))
        if found is None:
            return _UNSURE
        # Of a field without presence, has() means that it is not its zero value.
        if "HasField" in python and not descriptor.fields_by_name[found[1]].has_presence:
            return _UNSURE
        text += found.expand(python)
        at = found.end()
    return text


def _field_tests(field: FieldDescriptor, names: dict[str, Any]) -> Iterator[str]:
    value = f"getattr(m, {field.name!r})" if iskeyword(field.name) else f"m.{field.name}"
    options = field.GetOptions()
    if options.HasExtension(validate_pb2.field):
        rules: Any = options.Extensions[validate_pb2.field]
        if rules.required:
            yield f"m.HasField({field.name!r})" if field.has_presence else value
        checks = _checks(rules, f"{field.name}_{{}}", names)
        if checks:
            condition = " and ".join(checks)
            # Not for doubles: -0.0 is no zero value, and is none in Python either way.
            unset = rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE and field.type != FieldDescriptor.TYPE_DOUBLE
            may_be_unset = f"not m.HasField({field.name!r}) or " if field.has_presence else "not v or " if unset else ""
            yield _UNSURE if condition == _UNSURE and not may_be_unset else f"v = {value}; {may_be_unset}{condition}"
    if field.message_type is not None:
        yield from _inner_tests(field, value, names)


def _checks(rules: Any, name: str, names: dict[str, Any]) -> list[str]:
    """Expressions that hold where the rules of a value ``v`` surely do."""
    checks: list[str] = []
    for kind, of_kind in rules.ListFields():
        if kind.name == "cel":
            checks += [_CEL_CHECKS.get(rule.expression, _UNSURE) for rule in of_kind]
        elif kind.name in _KINDS:
            for one, rule in of_kind.ListFields():
                if one.name == "items":
                    inner = " and ".join(_checks(rule, f"{name}_item", names)) or "True"
                    checks.append(f"all({inner} for v in v)")
                elif one.name in _CHECKS:
                    known = name.format(one.name)
                    names[known] = frozenset(rule) if one.is_repeated else rule
                    checks.append(_CHECKS[one.name].format(rule=known))
                else:
                    checks.append(_UNSURE)
        elif kind.name not in ("ignore", "required"):
            checks.append(_UNSURE)
    if rules.ignore not in (validate_pb2.IGNORE_UNSPECIFIED, validate_pb2.IGNORE_IF_ZERO_VALUE):
        checks.append(_UNSURE)
    return [_UNSURE] if _UNSURE in checks else checks


def _inner_tests(field: FieldDescriptor, value: str, names: dict[str, Any]) -> Iterator[str]:
    """Tests of the messages in a field."""
    inner = field.message_type
    assert inner is not None
    if inner.GetOptions().map_entry:
        if inner.fields_by_name["value"].message_type is not None:
            yield f"not {value}"
    elif _has_rules(inner, set()):
        surely = f"surely_{field.name}"
        names[surely] = _predicate(inner)
        yield (
            f"all(map({surely}, {value}))"
            if field.is_repeated
            else (f"not m.HasField({field.name!r}) or {surely}({value})")
        )


def _has_rules(descriptor: Descriptor, seen: set[str]) -> bool:
    """Whether a message of the type, or anything in it, can break a rule."""
    if descriptor.full_name in seen:
        return False
    seen.add(descriptor.full_name)
    return (
        descriptor.GetOptions().HasExtension(validate_pb2.message)
        or any(oneof.GetOptions().HasExtension(validate_pb2.oneof) for oneof in descriptor.oneofs)
        or any(field.GetOptions().HasExtension(validate_pb2.field) for field in descriptor.fields)
        or any(field.message_type is not None and _has_rules(field.message_type, seen) for field in descriptor.fields)
    )
