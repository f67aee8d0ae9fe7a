"""The life of a quote, and of the workflow that approves it: one table (D14, D15).

A workflow is one submission with its decision; what happens to it follows from the move of its quote.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Where a quote stands."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    SENT = "sent"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    EXPIRED = "expired"
    VOID = "void"


class WorkflowState(StrEnum):
    """Where a submission stands; the last three are final."""

    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Trigger(StrEnum):
    """What moves a quote, in the words that a refusal says it with."""

    EDIT = "changed"
    SUBMIT = "submitted"
    APPROVE = "approved"
    REJECT = "rejected"
    WITHDRAW = "withdrawn"
    SEND = "sent"
    ACCEPT = "accepted"
    DECLINE = "declined"
    EXPIRE = "expired"
    VOID = "made void"


@dataclass(frozen=True, slots=True)
class Move:
    """From where a trigger takes a quote, and to where; and what it makes of the workflow under way, if anything."""

    sources: frozenset[State]
    target: State
    workflow: WorkflowState | None = None


MOVES = {
    Trigger.EDIT: Move(frozenset({State.DRAFT}), State.DRAFT),
    Trigger.SUBMIT: Move(frozenset({State.DRAFT}), State.IN_REVIEW, WorkflowState.SUBMITTED),
    Trigger.APPROVE: Move(frozenset({State.IN_REVIEW}), State.APPROVED, WorkflowState.APPROVED),
    Trigger.REJECT: Move(frozenset({State.IN_REVIEW}), State.DRAFT, WorkflowState.REJECTED),
    Trigger.WITHDRAW: Move(frozenset({State.IN_REVIEW}), State.DRAFT, WorkflowState.WITHDRAWN),
    Trigger.SEND: Move(frozenset({State.APPROVED}), State.SENT),
    Trigger.ACCEPT: Move(frozenset({State.SENT}), State.ACCEPTED),
    Trigger.DECLINE: Move(frozenset({State.SENT}), State.DECLINED),
    Trigger.EXPIRE: Move(frozenset({State.SENT}), State.EXPIRED),
    Trigger.VOID: Move(frozenset({State.DRAFT, State.IN_REVIEW}), State.VOID, WorkflowState.WITHDRAWN),
}


class InvalidStateError(Exception):
    """The state does not allow the trigger; nothing was changed."""

    def __init__(self, state: str, trigger: Trigger) -> None:
        super().__init__(f"{state} cannot be {trigger}")
        self.state = state
        self.trigger = trigger


def after(state: str, trigger: Trigger) -> State:
    """The state that the trigger takes a quote to. Raises `InvalidStateError` where the table has no such move."""
    move = MOVES[trigger]
    if state not in move.sources:
        raise InvalidStateError(state, trigger)
    return move.target


def may_decide(decider: str, submitter: str, users: int) -> bool:
    """Whether ``decider`` may approve what ``submitter`` submitted in a workspace of so many users: four eyes where
    there are two pairs (D14)."""
    return decider != submitter or users < 2
