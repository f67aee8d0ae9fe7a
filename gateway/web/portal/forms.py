"""Numbers of forms: as people write them, and as the contract has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from buf.validate import validate_pb2
from google.protobuf.message import Message

from gateway.envelope import FieldProblem, Problem
from gateway.web.portal.view import Visit

#: Kinds of line in the order in which a form offers them: the first is chosen where nobody has.
LINE_KINDS = ("service", "labour", "material", "fee")
#: Money, quantities and rates as people type them: 1250.5 or 1,250.50.
_FIGURE = re.compile(r"(?:[0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})(?:\.[0-9]{1,9})?")


def invalid(problems: list[FieldProblem]) -> Problem:
    """What is wrong with a form."""
    return Problem(422, "invalid_fields", "The form is not valid: look at the fields that are marked.", fields=problems)


def renamed(problem: Problem, prefix: str, field: str) -> Problem:
    """The problem with all that is wrong below ``prefix`` told of the one field that a form has for it."""
    fields = [replace(one, field=field) if one.field.startswith(prefix) else one for one in problem.fields]
    return replace(problem, fields=fields)


def read_figure(text: str) -> float | None:
    """The money or quantity that was typed: 1250.5 of ``1,250.50``. None where it is none, and where it could be
    another: ``12,50`` is no 1,250."""
    value = _exact(text)
    return None if value is None else float(value)


def _exact(text: str) -> Decimal | None:
    return Decimal(text.replace(",", "")) if _FIGURE.fullmatch(text) else None


def decimal(
    typed: Mapping[str, str], name: str, kind: type[Message], problems: list[FieldProblem], *, percent: bool = False
) -> float | None:
    """The number that was typed for a field of a message, None where nothing was; a percentage as a fraction.

    ``name`` may have a path before the field's own name. What is none, or outside the contract's limits, is added to
    ``problems``: the limits are told in the form's unit.
    """
    text = typed.get(name, "").strip().removesuffix("%").rstrip() if percent else typed.get(name, "").strip()
    if not text:
        return None
    # What is below nothing is a number all the same: the limits say what it must be.
    value = _exact(text.removeprefix("-"))
    if value is None:
        problems.append(FieldProblem(name, "malformed", "must be a number, for example 12.5"))
        return None
    value = (-value if text.startswith("-") else value) / (100 if percent else 1)
    least, most = limits(kind, name.rpartition(".")[2])
    if not least <= value <= most:
        from_, to = (written(float(one), percent=percent) for one in (least, most))
        shown = f"{from_} to {to}{' %' if percent else ''}"
        problems.append(FieldProblem(name, "limits", f"must be {shown}"))
    return float(value)


def whole(typed: Mapping[str, str], name: str, kind: type[Message], problems: list[FieldProblem]) -> int | None:
    """The same for a whole number."""
    value = decimal(typed, name, kind, problems)
    if value is not None and value != int(value):
        problems.append(FieldProblem(name, "malformed", "must be a whole number"))
        return None
    return None if value is None else int(value)


def written(value: float, *, percent: bool = False) -> str:
    """A number as people write it, without noughts behind."""
    exact = Decimal(repr(value)) * (100 if percent else 1)
    return f"{exact.normalize():f}"


def optional(message: Message, name: str, *, percent: bool = False) -> str:
    """A number of a message for its field in a form; empty where it is not set."""
    field = message.DESCRIPTOR.fields_by_name[name]
    if field.has_presence and not message.HasField(name):
        return ""
    return written(getattr(message, name), percent=percent)


def limits(kind: type[Message], name: str) -> tuple[Decimal, Decimal]:
    """What the contract lets a number be, from and to."""
    rules = _rules(kind, name)
    numbers = rules.double if rules.HasField("double") else rules.uint32
    least = numbers.gte if numbers.HasField("gte") else numbers.gt
    return Decimal(repr(least)), Decimal(repr(numbers.lte))


def allowed(kind: type[Message], name: str) -> tuple[str, ...]:
    """The words that the contract lets a text be."""
    return tuple(getattr(_rules(kind, name).string, "in"))


def options(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """The same words as values and labels of a choice."""
    return [(word, word) for word in words]


def typed(visit: Visit, names: list[str]) -> dict[str, str]:
    """What was typed into these fields; a box that is not ticked is empty."""
    return {name: visit.first(name) for name in names}


def changed_meanwhile(mine: Mapping[str, str], stored: Mapping[str, str]) -> dict[str, str]:
    """What somebody else has stored, where it is not what was typed: to be shown beside it."""
    return {name: stored.get(name, "") for name, value in mine.items() if value != stored.get(name, "")}


def _rules(kind: type[Message], name: str) -> validate_pb2.FieldRules:
    rules = kind.DESCRIPTOR.fields_by_name[name].GetOptions().Extensions[validate_pb2.field]
    assert isinstance(rules, validate_pb2.FieldRules)
    return rules
