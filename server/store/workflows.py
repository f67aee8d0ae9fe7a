"""Moves of quotes through their lifecycle, and the workflows that record submissions and decisions.

Each function runs inside `Store.write` or `Store.read`. A move and everything that tells of it commit together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from server.domain.entity_tags import entity_tag
from server.domain.lifecycle import MOVES, State, Trigger, WorkflowState, after
from server.store import audit
from server.store.audit import Act
from server.store.database import execute, of_one_moment


@dataclass(frozen=True, slots=True)
class WorkflowRow:
    """A submission and its decision. Times in µs, UTC; ``decided_at`` is None while it is submitted."""

    workflow_id: int
    quote_id: int
    livemode: bool
    status: WorkflowState
    submitted_by: str
    decided_by: str
    note: str
    created_at: int
    decided_at: int | None
    quote_number: str
    total_minor: int
    currency: str


class StaleError(Exception):
    """The quote is not the one that the caller has read (`Act.if_match`): ``version`` and ``status`` are those it has
    now. Nothing was changed."""

    def __init__(self, version: int, status: str) -> None:
        super().__init__(f"version {version} is current, {status}")
        self.version = version
        self.status = status


_SELECT = (
    "select w.id, w.quote_id, w.livemode, w.status, w.submitted_by, w.decided_by, w.note, w.created_at, w.decided_at, "
    "q.number, q.total_minor, q.currency from workflow w join quote q on q.id = w.quote_id"
)


def target_of(act: Act, quote_id: int, trigger: Trigger) -> State | None:
    """Where the trigger would take the quote; None where there is no such quote. Every change of a quote asks here.

    Raises `StaleError`, and `InvalidStateError` where the quote's state does not allow it.
    """
    row = execute(
        "select status, version from quote where organization_id = ? and livemode = ? and id = ?",
        (act.organization_id, act.livemode, quote_id),
    ).fetchone()
    if row is None:
        return None
    status, version = row
    if act.if_match is not None and entity_tag(quote_id, version, status) not in act.if_match:
        raise StaleError(version, status)
    return after(status, trigger)


def move(act: Act, quote_id: int, trigger: Trigger, note: str = "") -> State | None:
    """Move a quote, note it in the audit log, and carry the workflow along; None where there is no such quote.

    Raises what `target_of` raises.
    """
    target = target_of(act, quote_id, trigger)
    if target is None:
        return None
    execute("update quote set status = ?, updated_at = ? where id = ?", (target, act.at, quote_id))
    workflow = MOVES[trigger].workflow
    if workflow is WorkflowState.SUBMITTED:
        execute(
            "insert into workflow (organization_id, livemode, quote_id, status, submitted_by, decided_by, note, "
            "created_at) values (?, ?, ?, ?, ?, '', ?, ?)",
            (act.organization_id, act.livemode, quote_id, workflow, act.actor, note, act.at),
        )
    elif workflow is not None:
        execute(
            "update workflow set status = ?, decided_by = ?, note = ?, decided_at = ? "
            "where quote_id = ? and status = 'submitted'",
            (workflow, act.actor, note, act.at, quote_id),
        )
    audit.record(act, f"quote:{trigger.name.lower()}", f"quote:{quote_id}", note)
    return target


def under_way(quote_id: int) -> WorkflowRow:
    """The workflow of a quote that was just submitted."""
    row = execute(f"{_SELECT} where w.quote_id = ? and w.status = 'submitted'", (quote_id,))
    return _row(row.fetchone())


def find(organization_id: int, livemode: bool, workflow_id: int) -> WorkflowRow | None:
    """The workflow, or None where this organization has none of that id in this mode."""
    row = execute(
        f"{_SELECT} where w.organization_id = ? and w.livemode = ? and w.id = ?",
        (organization_id, livemode, workflow_id),
    ).fetchone()
    return None if row is None else _row(row)


@of_one_moment
def list_page(
    organization_id: int, livemode: bool, *, limit: int, offset: int, status: str = "", quote_id: int = 0
) -> tuple[int, tuple[WorkflowRow, ...]]:
    """How many workflows fit in all, and one page of them, newest first."""
    where = "w.organization_id = ? and w.livemode = ?"
    parameters: list[object] = [organization_id, livemode]
    for condition, value in (("w.status = ?", status), ("w.quote_id = ?", quote_id)):
        if value:
            where += f" and {condition}"
            parameters.append(value)
    total = execute(f"select count(*) from workflow w where {where}", parameters).fetchone()[0]  # noqa: S608 - constants
    rows = execute(
        f"{_SELECT} where {where} order by w.id desc limit ? offset ?",
        (*parameters, limit, offset),
    ).fetchall()
    return total, tuple(_row(row) for row in rows)


def members(organization_id: int) -> int:
    """How many users the workspace has that may decide."""
    return int(
        execute(
            "select count(*) from membership where organization_id = ? and role in ('editor', 'owner')",
            (organization_id,),
        ).fetchone()[0]
    )


def run_out(today: str, most: int) -> list[tuple[int, int, bool]]:
    """Id, organization and mode of sent quotes whose last day was before ``today`` (ISO), at most ``most``, the oldest
    first."""
    rows = execute(
        "select id, organization_id, livemode from quote where status = 'sent' and valid_until < ? order by id limit ?",
        (today, most),
    )
    return [(quote_id, organization_id, bool(livemode)) for quote_id, organization_id, livemode in rows]


def _row(row: tuple[Any, ...]) -> WorkflowRow:
    return WorkflowRow(row[0], row[1], bool(row[2]), WorkflowState(row[3]), *row[4:])
