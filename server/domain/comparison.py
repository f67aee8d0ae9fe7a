"""What is different between two versions of a quote: enough to make the one of the other (`applied`)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any

from server.domain.by_hand import GivenAnswer
from server.domain.draft import Draft, DraftLine


@dataclass(frozen=True, slots=True)
class Content:
    """What a version of a quote says. The lines of the draft have ids, which name them in both versions."""

    draft: Draft
    valid_until: str
    answers: tuple[GivenAnswer, ...] = ()
    customer_id: int = 0


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a line, of the draft or of the content, with its values; None for what was not there."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class LineChange:
    """What is different in a line that both versions have."""

    line_id: int
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """``added`` have their places among the lines afterwards, ``removed`` those before, from 0. ``order`` has the ids
    of the lines of both where their order differs, as it is afterwards; else it is empty."""

    added: tuple[tuple[int, DraftLine], ...] = ()
    removed: tuple[tuple[int, DraftLine], ...] = ()
    changed: tuple[LineChange, ...] = ()
    order: tuple[int, ...] = ()
    fields: tuple[FieldChange, ...] = ()


def compare(before: Content | None, after: Content) -> Changes:
    """What became of ``before``. None: nothing was there, so everything is new."""
    old_lines = () if before is None else before.draft.lines
    old = {line.line_id: line for line in old_lines}
    new = {line.line_id: line for line in after.draft.lines}
    stayed = tuple(line_id for line_id in old if line_id in new)
    order = tuple(line_id for line_id in new if line_id in old)
    changes = (LineChange(line_id, _differing(old[line_id], new[line_id])) for line_id in order)
    return Changes(
        added=tuple((place, line) for place, line in enumerate(after.draft.lines) if line.line_id not in old),
        removed=tuple((place, line) for place, line in enumerate(old_lines) if line.line_id not in new),
        changed=tuple(one for one in changes if one.fields),
        order=order if order != stayed else (),
        fields=(
            *_differing(None if before is None else before.draft, after.draft, {"lines"}),
            *_differing(before, after, {"draft"}),
        ),
    )


def applied(changes: Changes, before: Content) -> Content:
    """What ``before`` became by the changes."""
    gone = {line.line_id for _, line in changes.removed}
    lines = {line.line_id: line for line in before.draft.lines if line.line_id not in gone}
    for change in changes.changed:
        values: dict[str, Any] = {one.field: one.after for one in change.fields}
        lines[change.line_id] = replace(lines[change.line_id], **values)
    ordered = [lines[line_id] for line_id in changes.order or lines]
    for place, line in changes.added:
        ordered.insert(place, line)
    values = {one.field: one.after for one in changes.fields}
    own = {name: values.pop(name) for name in [one.name for one in fields(Content)] if name in values}
    return replace(before, draft=replace(before.draft, lines=tuple(ordered), **values), **own)


def _differing(before: Any, after: Any, without: Collection[str] = ()) -> tuple[FieldChange, ...]:
    """The fields of two dataclasses of one kind that differ."""
    pairs = ((one.name, getattr(before, one.name, None), getattr(after, one.name)) for one in fields(after))
    differing = (FieldChange(*pair) for pair in pairs if pair[0] not in without)
    return tuple(one for one in differing if one.before != one.after or before is None)
