"""What people did to a draft: what was answered to its questions, and what was changed by hand. Kept with the quote, so
that drafting it anew loses none of it."""

from __future__ import annotations

from dataclasses import dataclass

from server.domain.takeoff import Span


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer as it was given, with the question as it was asked."""

    question_id: str
    question: str
    text: str


@dataclass(frozen=True, slots=True)
class RemovedLine:
    """A line that somebody took out, by what it is found again when the text is drafted anew. ``name`` is what drafting
    calls it."""

    span: Span | None
    task_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ByHand:
    """Changes that no line shows: lines taken out; assumptions and exclusions written, and those struck out. What was
    entered in a line is in `server.domain.draft.DraftLine.entered`."""

    removed: tuple[RemovedLine, ...] = ()
    assumptions: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
