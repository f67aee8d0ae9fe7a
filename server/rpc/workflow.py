"""Submissions of quotes and their decisions (D14, D15)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from quotewright.v1 import workflow_pb2

from server import events, faults
from server.domain import lifecycle
from server.domain.lifecycle import InvalidStateError, Trigger
from server.domain.money import from_minor
from server.interceptors import Call
from server.rpc.once import Response, write_once
from server.rpc.paging import page_size
from server.rpc.quote_messages import quote_message
from server.store import quotes, workflows
from server.store.audit import Act
from server.store.database import Store
from server.store.quotes import StoredQuote
from server.store.workflows import WorkflowRow

#: The moves that integrators act on; any other is an update.
EVENT_OF = {
    Trigger.APPROVE: "quote.approved",
    Trigger.SEND: "quote.sent",
    Trigger.ACCEPT: "quote.accepted",
    Trigger.DECLINE: "quote.declined",
}
Decision = (
    workflow_pb2.ApproveWorkflowRequest | workflow_pb2.RejectWorkflowRequest | workflow_pb2.WithdrawWorkflowRequest
)


class WorkflowService:
    """Takes quotes through approval. ``public_url`` is the base of links."""

    def __init__(self, store: Store, public_url: str) -> None:
        self._store = store
        self._public_url = public_url

    async def SubmitWorkflow(
        self, request: workflow_pb2.SubmitWorkflowRequest, call: Call
    ) -> workflow_pb2.SubmitWorkflowResponse:
        """Quote, workflow, audit row and idempotency record in one transaction."""

        def effect(act: Act) -> workflow_pb2.SubmitWorkflowResponse:
            move_quote(act, request.quote_id, Trigger.SUBMIT, request.note, self._public_url)
            return workflow_pb2.SubmitWorkflowResponse(workflow=_message(workflows.under_way(request.quote_id)))

        return await write_once(self._store, call, request, effect, workflow_pb2.SubmitWorkflowResponse)

    async def ApproveWorkflow(
        self, request: workflow_pb2.ApproveWorkflowRequest, call: Call
    ) -> workflow_pb2.ApproveWorkflowResponse:
        """The quote can be sent from now on."""
        return await self._decided(request, call, Trigger.APPROVE, workflow_pb2.ApproveWorkflowResponse)

    async def RejectWorkflow(
        self, request: workflow_pb2.RejectWorkflowRequest, call: Call
    ) -> workflow_pb2.RejectWorkflowResponse:
        """The quote is a draft again."""
        return await self._decided(request, call, Trigger.REJECT, workflow_pb2.RejectWorkflowResponse)

    async def WithdrawWorkflow(
        self, request: workflow_pb2.WithdrawWorkflowRequest, call: Call
    ) -> workflow_pb2.WithdrawWorkflowResponse:
        """The quote is a draft again."""
        return await self._decided(request, call, Trigger.WITHDRAW, workflow_pb2.WithdrawWorkflowResponse)

    async def _decided(
        self, request: Decision, call: Call, trigger: Trigger, response_class: type[Response]
    ) -> Response:
        def effect(act: Act) -> Response:
            workflow = _decide(act, request.workflow_id, trigger, request.note, self._public_url)
            return response_class(workflow=workflow)

        return await write_once(self._store, call, request, effect, response_class)

    async def ListWorkflows(
        self, request: workflow_pb2.ListWorkflowsRequest, call: Call
    ) -> workflow_pb2.ListWorkflowsResponse:
        """A page, newest first."""
        caller = call.caller
        limit = page_size(request)
        total, rows = await self._store.browse(
            lambda: workflows.list_page(
                caller.organization_id,
                caller.livemode,
                limit=limit,
                offset=request.offset,
                status=request.status,
                quote_id=request.quote_id,
            )
        )
        return workflow_pb2.ListWorkflowsResponse(
            data=[_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetWorkflow(
        self, request: workflow_pb2.GetWorkflowRequest, call: Call
    ) -> workflow_pb2.GetWorkflowResponse:
        """One workflow of the caller's organization and mode."""
        caller = call.caller
        row = await self._store.browse(
            lambda: workflows.find(caller.organization_id, caller.livemode, request.workflow_id)
        )
        if row is None:
            raise faults.not_found("workflow")
        return workflow_pb2.GetWorkflowResponse(workflow=_message(row))


def move_quote(
    act: Act, quote_id: int, trigger: Trigger, note: str, public_url: str, pdf_token: str = ""
) -> StoredQuote:
    """Move a quote inside a transaction, with the event that tells of it; the quote afterwards.

    ``pdf_token`` makes the event's `pdf_url` one that opens without a credential.

    Raises `Fault`: 404 for an unknown one, 409 where its state forbids it, 412 where `Act.if_match` does.
    """
    with _refused():
        if workflows.move(act, quote_id, trigger, note) is None:
            raise faults.not_found("quote")
    return tell(act, quote_id, trigger, public_url, pdf_token)


def hold_quote(act: Act, quote_id: int, trigger: Trigger) -> StoredQuote:
    """The quote as it is, where the trigger may have it. Raises like `move_quote`."""
    with _refused():
        if workflows.target_of(act, quote_id, trigger) is None:
            raise faults.not_found("quote")
    stored = quotes.find(act.organization_id, act.livemode, quote_id)
    assert stored is not None, "it was there a moment ago, in the same transaction"
    return stored


@contextlib.contextmanager
def _refused() -> Iterator[None]:
    """What the store says of a quote that must not be changed, as faults."""
    try:
        yield
    except InvalidStateError as error:
        raise faults.invalid_state("quote", error.state, error.trigger) from None
    except workflows.StaleError as error:
        raise faults.version_mismatch(error.version, error.status) from None


def tell(act: Act, quote_id: int, trigger: Trigger, public_url: str, pdf_token: str = "") -> StoredQuote:
    """Record the event of a quote that was moved or changed, in the same transaction; the quote as it is now."""
    stored = quotes.find(act.organization_id, act.livemode, quote_id)
    assert stored is not None, "it was changed a moment ago, in the same transaction"
    events.record(act, EVENT_OF.get(trigger, "quote.updated"), quote_message(stored, public_url, pdf_token))
    return stored


def _decide(act: Act, workflow_id: int, trigger: Trigger, note: str, public_url: str) -> workflow_pb2.Workflow:
    row = workflows.find(act.organization_id, act.livemode, workflow_id)
    if row is None:
        raise faults.not_found("workflow")
    if row.status is not lifecycle.WorkflowState.SUBMITTED:
        raise faults.invalid_state("workflow", row.status, trigger)
    if trigger is Trigger.APPROVE and not lifecycle.may_decide(
        act.actor, row.submitted_by, workflows.members(act.organization_id)
    ):
        raise faults.own_submission()
    move_quote(act, row.quote_id, trigger, note, public_url)
    decided = workflows.find(act.organization_id, act.livemode, workflow_id)
    assert decided is not None, "it was there a moment ago, in the same transaction"
    return _message(decided)


def _message(row: WorkflowRow) -> workflow_pb2.Workflow:
    message = workflow_pb2.Workflow(
        workflow_id=row.workflow_id,
        quote_id=row.quote_id,
        status=row.status,
        submitted_by=row.submitted_by,
        decided_by=row.decided_by,
        note=row.note,
        livemode=row.livemode,
        quote_number=row.quote_number,
        total=float(from_minor(row.total_minor)),
        currency=row.currency,
    )
    message.created_at.FromMicroseconds(row.created_at)
    if row.decided_at is not None:
        message.decided_at.FromMicroseconds(row.decided_at)
    return message
