"""Drafts changed by hand, and the versions of quotes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Protocol

from quotewright.v1 import revision_pb2

from server import faults
from server.domain.by_hand import GivenAnswer
from server.domain.comparison import Content, compare
from server.domain.draft import Draft, LineKind
from server.domain.drafting.proposals import Proposals
from server.domain.editing import Edit, LineEdit
from server.domain.lifecycle import Trigger
from server.domain.offer import with_margin
from server.domain.redrafting import redrafted
from server.domain.settings import PricingSettings
from server.domain.takeoff import Answer, UnreadableAnswerError
from server.faults import Fault, FieldViolation
from server.interceptors import Call
from server.rpc.edits import applied, decimal
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.paging import page_size
from server.rpc.quote_messages import quote_message, tagged
from server.rpc.revision_messages import changes_message, version_message
from server.rpc.workflow import hold_quote, tell
from server.store import customers, quotes
from server.store.audit import Act
from server.store.database import Store
from server.store.quotes import StoredQuote, VersionRow

#: How often a text is drafted anew where its quote is changed meanwhile.
MOST_DRAFTS = 5
#: The last day that a quote may be valid through: links to it can state no instant after 2106, and no price of today
#: is meant to hold so long.
LAST_DAY = date(2099, 12, 31)


class Redrafting(Protocol):
    """Drafts a text with answers: `server.rpc.quote.QuoteService.redraft`."""

    def __call__(
        self, text: str, industry: str, settings: PricingSettings, call: Call, answers: Sequence[Answer],
        proposals: Proposals | None, location: str,
    ) -> Awaitable[Draft]:  # fmt: skip
        """The draft. Raises `UnreadableAnswerError`."""


class _ChangedMeanwhileError(Exception):
    """The quote has another version than the one that was drafted anew."""


class RevisionService:
    """Changes drafts, reads versions. ``redraft`` drafts anew, ``public_url`` is the base of links, ``clock`` gives the
    time in UTC."""

    def __init__(
        self,
        store: Store,
        organizations: Organizations,
        redraft: Redrafting,
        public_url: str,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._redraft = redraft
        self._organizations = organizations
        self._public_url = public_url
        self._clock = clock

    async def UpdateQuote(
        self, request: revision_pb2.UpdateQuoteRequest, call: Call
    ) -> revision_pb2.UpdateQuoteResponse:
        """Read, change and store in one transaction: quote, version, audit row, event and idempotency record."""
        organization = await self._organizations.find(call.caller.organization_id)
        edit, valid_until = _edit(request), self._last_day(request.valid_until)

        def effect(act: Act) -> revision_pb2.UpdateQuoteResponse:
            stored = hold_quote(act, request.quote_id, Trigger.EDIT)
            pricing = stored.offer.settings(organization.pricing, stored.margin)
            draft, by_hand = applied(stored.draft, stored.by_hand, edit, pricing, act)
            last_day = valid_until or stored.valid_until
            changed = replace(stored, draft=draft, by_hand=by_hand, valid_until=last_day)
            if request.HasField("customer_id"):
                changed = replace(changed, customer_id=_customer(act, request.customer_id))
            if changed != stored:
                stored = self._replace(act, changed, "edited", request.note)
            return revision_pb2.UpdateQuoteResponse(quote=quote_message(stored, self._public_url))

        response = await write_once(self._store, call, request, effect, revision_pb2.UpdateQuoteResponse)
        tagged(response.quote, call)
        return response

    async def AnswerQuestions(
        self, request: revision_pb2.AnswerQuestionsRequest, call: Call
    ) -> revision_pb2.AnswerQuestionsResponse:
        """Drafted anew outside of the transaction, which stores it only where the quote is still the one it was."""
        caller = call.caller
        organization = await self._organizations.find(caller.organization_id)
        for _ in range(MOST_DRAFTS):
            before = await self._store.read(
                lambda: quotes.find(caller.organization_id, caller.livemode, request.quote_id)
            )
            if before is None:
                raise faults.not_found("quote")
            try:
                response = await self._answered(request, call, before, organization.pricing)
            except _ChangedMeanwhileError:
                continue
            tagged(response.quote, call)
            return response
        raise faults.unavailable("The quote is being changed by others; nothing was done.")

    async def _answered(
        self, request: revision_pb2.AnswerQuestionsRequest, call: Call, before: StoredQuote, pricing: PricingSettings
    ) -> revision_pb2.AnswerQuestionsResponse:
        # A repeated call is answered as the first, and a quote that is no draft refused as such: both before a fault
        # of the answers is told.
        changed: StoredQuote | Fault
        try:
            changed = await self._with_answers(request, call, before, pricing)
        except Fault as fault:
            changed = fault

        def effect(act: Act) -> revision_pb2.AnswerQuestionsResponse:
            stored = hold_quote(act, request.quote_id, Trigger.EDIT)
            if stored.version != before.version:
                raise _ChangedMeanwhileError
            if isinstance(changed, Fault):
                raise changed
            if changed != stored:
                stored = self._replace(act, changed, "answered", "")
            return revision_pb2.AnswerQuestionsResponse(quote=quote_message(stored, self._public_url))

        return await write_once(self._store, call, request, effect, revision_pb2.AnswerQuestionsResponse)

    async def _with_answers(
        self, request: revision_pb2.AnswerQuestionsRequest, call: Call, before: StoredQuote, pricing: PricingSettings
    ) -> StoredQuote:
        """The quote drafted anew with these answers and those before. Raises 422 with what is wrong with these."""
        if before.document_id:
            raise faults.failed_precondition(
                "DRAFTED_FROM_DOCUMENT", "Answers are taken for quotes that were drafted from a text."
            )
        given = _given(request, before)
        now = {one.question_id: number for number, one in enumerate(request.answers)}
        answers = {one.question_id: Answer(one.question_id, one.text) for one in given}
        settings = before.offer.settings(pricing, before.margin)
        unused = []
        while True:
            try:
                fresh = await self._redraft(
                    before.text, before.industry, settings, call, [*answers.values()], before.draft.proposals,
                    before.given_location,
                )  # fmt: skip
                break
            except UnreadableAnswerError as error:
                if error.question_id in now or error.question_id not in answers:
                    field = f"answers[{now.get(error.question_id, 0)}].text"
                    raise faults.invalid(FieldViolation(field, "answer.unreadable", error.message)) from None
                # What was asked is asked no more: another answer has settled it, or the engine is another by now.
                unused.append(answers.pop(error.question_id).text)
        fresh = with_margin(before.offer.complete(fresh, settings), before.margin)
        draft = redrafted(before.draft, before.by_hand, fresh, settings.in_currency(fresh.currency))
        said = [f"An earlier answer decides nothing any more: “{text}”." for text in unused]
        draft = replace(draft, review_reasons=(*draft.review_reasons, *said))
        return replace(before, draft=draft, answers=given)

    async def ListQuoteVersions(
        self, request: revision_pb2.ListQuoteVersionsRequest, call: Call
    ) -> revision_pb2.ListQuoteVersionsResponse:
        """A page, newest first."""
        caller, limit = call.caller, page_size(request)
        found = await self._store.browse(
            lambda: quotes.list_versions(
                caller.organization_id, caller.livemode, request.quote_id, limit=limit, offset=request.offset
            )
        )
        if found is None:
            raise faults.not_found("quote")
        total, rows = found
        return revision_pb2.ListQuoteVersionsResponse(
            data=[version_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetQuoteVersion(
        self, request: revision_pb2.GetQuoteVersionRequest, call: Call
    ) -> revision_pb2.GetQuoteVersionResponse:
        """The quote as that version says it."""
        row, stored = await self._version(request.quote_id, request.version, call)
        message = quote_message(stored, self._public_url)
        if not row.is_current:
            message.pdf_url = ""
        return revision_pb2.GetQuoteVersionResponse(version=version_message(row), quote=message)

    async def CompareQuoteVersions(
        self, request: revision_pb2.CompareQuoteVersionsRequest, call: Call
    ) -> revision_pb2.CompareQuoteVersionsResponse:
        """What is different from another version, or from the one before."""
        _, stored = await self._version(request.quote_id, request.version, call)
        since = request.since or request.version - 1
        before = (await self._version(request.quote_id, since, call))[1] if since else None
        changes = compare(None if before is None else _content(before), _content(stored))
        return revision_pb2.CompareQuoteVersionsResponse(
            changes=changes_message(changes, stored.draft, since, request.version)
        )

    async def _version(self, quote_id: int, version: int, call: Call) -> tuple[VersionRow, StoredQuote]:
        caller = call.caller
        found = await self._store.browse(
            lambda: quotes.find_version(caller.organization_id, caller.livemode, quote_id, version)
        )
        if found is None:
            raise faults.not_found("version of a quote")
        return found

    def _replace(self, act: Act, changed: StoredQuote, change: str, note: str) -> StoredQuote:
        """Store the next version, with the event that tells of it."""
        quotes.replace_draft(act, changed, change, note)
        return tell(act, changed.quote_id, Trigger.EDIT, self._public_url)

    def _last_day(self, text: str) -> str:
        """A last day that was given; empty where none was. Raises 422 for one that the calendar has not, that passed
        ("2020-02-20"), or that is too far away ("2200-01-01")."""
        if not text:
            return text
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise faults.invalid(
                FieldViolation("valid_until", "date", "must be a day of the calendar, YYYY-MM-DD")
            ) from None
        if day < self._clock().date():
            raise faults.invalid(FieldViolation("valid_until", "date.past", "must be today or later"))
        if day > LAST_DAY:
            raise faults.invalid(FieldViolation("valid_until", "date.too_far", f"must be {LAST_DAY} or earlier"))
        return text


def _customer(act: Act, customer_id: int) -> int:
    """The customer that is meant: the one it became where it was merged; 0 for none. Raises NOT_FOUND."""
    if not customer_id:
        return 0
    found = customers.find(act.organization_id, act.livemode, customer_id)
    if found is None:
        raise faults.not_found("customer")
    return found.customer_id


def _given(request: revision_pb2.AnswerQuestionsRequest, before: StoredQuote) -> tuple[GivenAnswer, ...]:
    """All answers, these after those before. Raises 422 for one to a question that nobody asked, and for two to one."""
    given = {one.question_id: one for one in before.answers}
    asked = {one.question_id: one.text for one in before.draft.questions if one.question_id}
    asked |= {one.question_id: one.question for one in before.answers}
    problems, seen = [], set()
    for number, one in enumerate(request.answers):
        field = f"answers[{number}].question_id"
        if one.question_id not in asked:
            problems.append(FieldViolation(field, "question.unknown", "names no question of this quote"))
        elif one.question_id in seen:
            problems.append(FieldViolation(field, "repeated.unique", "is answered twice"))
        else:
            given[one.question_id] = GivenAnswer(one.question_id, asked[one.question_id], one.text.strip())
        seen.add(one.question_id)
    if problems:
        raise faults.invalid(*problems)
    return tuple(given.values())


def _edit(request: revision_pb2.UpdateQuoteRequest) -> Edit:
    return Edit(
        lines=tuple(_line_edit(one) for one in request.line_items),
        removed=tuple(request.removed_line_ids),
        assumptions=tuple(request.assumptions.texts) if request.HasField("assumptions") else None,
        exclusions=tuple(request.exclusions.texts) if request.HasField("exclusions") else None,
    )


def _line_edit(message: revision_pb2.LineEdit) -> LineEdit:
    return LineEdit(
        line_id=message.line_id,
        description=message.description if message.HasField("description") else None,
        qty=decimal(message.qty) if message.HasField("qty") else None,
        unit=message.unit if message.HasField("unit") else None,
        price=decimal(message.price) if message.HasField("price") else None,
        optional=message.optional if message.HasField("optional") else None,
        kind=LineKind(message.kind) if message.HasField("kind") else None,
        position=message.position if message.HasField("position") else None,
        reviewed=message.reviewed,
    )


def _content(quote: StoredQuote) -> Content:
    return Content(quote.draft, quote.valid_until, quote.answers, quote.customer_id)
