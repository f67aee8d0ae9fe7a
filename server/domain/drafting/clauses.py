"""Clauses: the pieces of a request, each work, an exclusion, a supply note, an option or context."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from server.domain.drafting.actions import IMPLIED, action_of
from server.domain.drafting.numbers import Token
from server.domain.drafting.requesting import plainly_asks
from server.domain.drafting.verbs import actions_in, begins_with_verb, is_imperative

#: What may stand before a command.
_BEFORE_COMMANDS = frozenset({"please", "just", "kindly", "pls", "plz"})


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
    #: Its first word is a thing of a list that an earlier verb is done to, and no verb: "remove drywall 300 sf, carpet
    #: 200 sf".
    listed: bool = False
    #: The verb of its list, which stands at the end of that: "the driveway, gutters and windows cleaned".
    ending: str = ""
    #: It names something that was made long ago, before what is asked for now: "deck, 12x20, built 2008".
    made: bool = False

    @cached_property
    def _doing(self) -> tuple[Token, ...]:
        """The tokens among which its verbs are."""
        return self.tokens[1:] if self.listed else self.tokens

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The canonical actions asked for, in order, without repeats."""
        return actions_in(self._doing) or ((self.ending,) if self.ending else ())

    @cached_property
    def stated(self) -> frozenset[str]:
        """The actions of its words one by one, but of those that only imply one ("new"); "" where a word has none."""
        return frozenset([action_of(token.text) for token in self._doing if token.text not in IMPLIED] + [self.ending])

    @cached_property
    def implied(self) -> frozenset[str]:
        """The actions of its words that only imply one."""
        return frozenset([action_of(token.text) for token in self.tokens if token.text in IMPLIED])

    @cached_property
    def commands(self) -> bool:
        """Whether it begins with a verb in its base form."""
        return not self.listed and is_imperative(self.tokens)

    @cached_property
    def bids(self) -> bool:
        """The same, also behind "please" or "just"."""
        said = next((at for at, token in enumerate(self.tokens) if token.text not in _BEFORE_COMMANDS), 0)
        return not self.listed and is_imperative(self.tokens[said:])

    @cached_property
    def plainly_asks(self) -> bool:
        """Whether it is a request in so many words, `requesting.plainly_asks`."""
        return plainly_asks(self.tokens)

    @cached_property
    def orders(self) -> bool:
        """The same, or it begins with a verb of more words, or of place: "put up a fence", "tile the floor"."""
        return self.commands or (not self.listed and begins_with_verb([token.text for token in self.tokens]))
