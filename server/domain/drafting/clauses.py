"""Clauses: the pieces of a request, each work, an exclusion, a supply note, an option or context."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from server.domain.drafting.numbers import Token
from server.domain.drafting.verbs import actions_in


class ClauseKind(StrEnum):
    """What a clause is for."""

    WORK = "work"
    EXCLUSION = "exclusion"
    #: The customer supplies materials.
    SUPPLY = "supply"
    OPTION = "option"
    CONTEXT = "context"


@dataclass(frozen=True)
class Clause:
    """A run of tokens of one sentence. ``[start, end)`` are code points; ``sentence`` numbers sentences from 0."""

    kind: ClauseKind
    tokens: tuple[Token, ...]
    start: int
    end: int
    sentence: int
    #: An exclusion or option that opened in an earlier clause of the sentence still holds here.
    carried: bool = False

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The canonical actions asked for, in order, without repeats."""
        return actions_in(self.tokens)
