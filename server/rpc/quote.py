"""Quotes: drafted, stored, read back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from google.api import httpbody_pb2
from quotewright.v1 import quote_pb2

from process import wire
from process.contract import LINK_KINDS
from server import events, faults
from server.domain.bill import MOST_LINES, Bill, find_bill
from server.domain.by_hand import ByHand
from server.domain.document import Content
from server.domain.draft import Draft, LineKind
from server.domain.drafting.engine import Drafter
from server.domain.drafting.proposals import Proposals
from server.domain.editing import Edit, LineEdit
from server.domain.lifecycle import State, Trigger
from server.domain.offer import Offer, with_margin
from server.domain.settings import PricingSettings
from server.domain.takeoff import Answer
from server.interceptors import Call
from server.language_model import LanguageModel
from server.metrics import DraftMetrics
from server.rpc.books import Books
from server.rpc.edits import applied, decimal
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.paging import page_size
from server.rpc.printing import print_quote
from server.rpc.quote_messages import draft_message, explanation_message, quote_message, summary_message, tagged
from server.rpc.sending import Sending
from server.rpc.workflow import move_quote
from server.store import audit, customers, documents, outbox, quotes, templates
from server.store.accounts import OrganizationRow
from server.store.audit import Act
from server.store.database import Store

#: Requests longer than this are drafted beside the event loop, which they would hold up for more than a few ms.
DRAFTED_ON_LOOP = 160


#: Characters of a request, the same for a document that is read like one.
LONGEST_TEXT = 20_000
_DAY = 24 * 3600 * 1_000_000  # µs
#: Cents up to which JSON numbers are exact.
_LARGEST_TOTAL = 2**53


@dataclass(frozen=True, slots=True)
class _Drafted:
    """A draft with what it was made from."""

    draft: Draft
    text: str
    offer: Offer
    validity_days: int
    document_id: str = ""
    margin: Decimal | None = None
    industry: str = ""
    location: str = ""
    customer_id: int = 0
    by_hand: Edit | None = None


class QuoteService:
    """Drafts and reads quotes. ``public_url`` is the base of links, ``clock`` gives the time in UTC, ``urls`` says
    where datasets are published, by their ids."""

    def __init__(
        self,
        store: Store,
        organizations: Organizations,
        books: Books,
        drafter: Drafter,
        model: LanguageModel | None,
        threads: Executor,
        public_url: str,
        clock: Callable[[], datetime],
        metrics: DraftMetrics,
        sending: Sending,
        urls: Mapping[str, str],
    ) -> None:
        self._store = store
        self._organizations = organizations
        self._books = books
        self._drafter = drafter
        self._model = model
        self._threads = threads
        self._public_url = public_url
        self._clock = clock
        self._metrics = metrics
        self._sending = sending
        self._urls = urls

    async def GenerateQuote(
        self, request: quote_pb2.GenerateQuoteRequest, call: Call
    ) -> quote_pb2.GenerateQuoteResponse:
        """Draft from text or a document and store: quote, items, audit row, event and idempotency record in one
        transaction."""
        organization = await self._organizations.find(call.caller.organization_id)
        if request.document_id:
            drafted = await self._draft_document(request, organization, call)
        else:
            draft = await self.draft(request.text, request.industry, organization.pricing, call)
            offer = Offer.made(organization.profile)
            days = organization.pricing.validity_days
            drafted = _Drafted(draft, request.text, offer, days, industry=request.industry)
        create = self._creation(drafted, organization.pricing)
        response = await write_once(
            self._store,
            call,
            request,
            lambda act: quote_pb2.GenerateQuoteResponse(quote=create(act)),
            quote_pb2.GenerateQuoteResponse,
        )
        tagged(response.quote, call)
        return response

    async def CreateQuote(self, request: quote_pb2.CreateQuoteRequest, call: Call) -> quote_pb2.CreateQuoteResponse:
        """Draft and store, as `GenerateQuote` does; lines that are entered are priced by who enters them, inside the
        write."""
        organization = await self._organizations.find(call.caller.organization_id)
        if request.document_id:
            drafted = await self._draft_document(request, organization, call)
        else:
            drafted = await self._draft_text(request, organization, call)
        create = self._creation(replace(drafted, customer_id=request.customer_id), organization.pricing)
        response = await write_once(
            self._store,
            call,
            request,
            lambda act: quote_pb2.CreateQuoteResponse(quote=create(act)),
            quote_pb2.CreateQuoteResponse,
        )
        tagged(response.quote, call)
        return response

    def _creation(self, drafted: _Drafted, pricing: PricingSettings) -> Callable[[Act], quote_pb2.Quote]:
        """What stores the draft, inside the write: quote, items, audit row, event."""
        today = self._clock().date()
        prepared, told = None, None
        if drafted.by_hand is None:
            prepared = quotes.prepare(drafted.draft, drafted.text, drafted.industry)
            told = draft_message(prepared.draft, drafted.text, drafted.industry, drafted.offer)

        def create(act: Act) -> quote_pb2.Quote:
            draft = drafted.draft
            if drafted.by_hand is not None:
                settings = drafted.offer.settings(pricing, drafted.margin)
                draft, _ = applied(draft, ByHand(), drafted.by_hand, settings, act)
                draft = drafted.offer.complete(draft, settings)
            customer_id = drafted.customer_id
            if customer_id:
                customer = customers.find(act.organization_id, act.livemode, customer_id)
                if customer is None:
                    raise faults.not_found("customer")
                customer_id = customer.customer_id
            # Asked for together with the quote's number: one way to the database and back.
            last_row = audit.last_row(act.organization_id)
            endpoints = outbox.listening(act.organization_id, act.livemode)
            stored = quotes.create(
                act.organization_id,
                act.livemode,
                quotes.NewQuote(
                    text=drafted.text,
                    industry=drafted.industry,
                    draft=draft,
                    valid_until=(today + timedelta(days=drafted.validity_days)).isoformat(),
                    created_by=act.actor,
                    at=act.at,
                    year=today.year,
                    document_id=drafted.document_id,
                    margin=drafted.margin,
                    offer=drafted.offer,
                    given_location=drafted.location,
                    customer_id=customer_id,
                    prepared=prepared,
                ),
            )
            audit.record(act, "quote:create", f"quote:{stored.quote_id}", after=last_row)
            message = quote_message(stored, self._public_url, draft=told)
            events.record(act, "quote.created", message, endpoints)
            return message

        return create

    async def PreviewQuote(self, request: quote_pb2.PreviewQuoteRequest, call: Call) -> quote_pb2.PreviewQuoteResponse:
        """The same draft, not stored."""
        organization = await self._organizations.find(call.caller.organization_id)
        offer = await self._offer(organization, request.template_id)
        settings = offer.settings(organization.pricing)
        draft = await self.draft(request.text, request.industry, settings, call, request.location.strip())
        message = draft_message(offer.complete(draft, settings), request.text, request.industry, offer)
        message.livemode = call.caller.livemode
        return quote_pb2.PreviewQuoteResponse(quote=message)

    async def ListQuotes(self, request: quote_pb2.ListQuotesRequest, call: Call) -> quote_pb2.ListQuotesResponse:
        """A page, newest first."""
        caller = call.caller
        limit, wanted = page_size(request), _wanted(request)
        total, rows = await self._store.browse(
            lambda: quotes.list_page(
                caller.organization_id, caller.livemode, limit=limit, offset=request.offset, wanted=wanted
            )
        )
        return quote_pb2.ListQuotesResponse(
            data=[summary_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def SummarizeQuotes(
        self, _request: quote_pb2.SummarizeQuotesRequest, call: Call
    ) -> quote_pb2.SummarizeQuotesResponse:
        """How many quotes there are of each status."""
        caller = call.caller
        counts = await self._store.read(lambda: quotes.count_by_status(caller.organization_id, caller.livemode))
        return quote_pb2.SummarizeQuotesResponse(
            statuses=[
                quote_pb2.StatusCount(status=state, quotes=number, needs_review=flagged)
                for state in State
                for number, flagged in [counts.get(state, (0, 0))]
            ]
        )

    async def GetQuote(self, request: quote_pb2.GetQuoteRequest, call: Call) -> quote_pb2.GetQuoteResponse:
        """One quote of the caller's organization and mode."""
        stored = await self._find(request.quote_id, call)
        message = quote_message(stored, self._public_url)
        tagged(message, call)
        return quote_pb2.GetQuoteResponse(quote=message)

    async def VoidQuote(self, request: quote_pb2.VoidQuoteRequest, call: Call) -> quote_pb2.VoidQuoteResponse:
        """The quote is given up; its number stays taken."""

        def effect(act: Act) -> quote_pb2.VoidQuoteResponse:
            stored = move_quote(act, request.quote_id, Trigger.VOID, request.note, self._public_url)
            return quote_pb2.VoidQuoteResponse(quote=quote_message(stored, self._public_url))

        response = await write_once(self._store, call, request, effect, quote_pb2.VoidQuoteResponse)
        tagged(response.quote, call)
        return response

    async def ExplainLine(self, request: quote_pb2.ExplainLineRequest, call: Call) -> quote_pb2.ExplainLineResponse:
        """A line calculated again from the facts that were kept with it."""
        caller = call.caller
        found = await self._store.browse(
            lambda: quotes.explanation(
                caller.organization_id, caller.livemode, request.quote_id, request.line, request.version or None
            )
        )
        if found is None:
            raise faults.not_found("line of a quote")
        currency, explanation = found
        return quote_pb2.ExplainLineResponse(
            explanation=explanation_message(explanation, request.quote_id, request.line, currency, self._urls)
        )

    async def GetQuotePdf(self, request: quote_pb2.GetQuotePdfRequest, call: Call) -> quote_pb2.GetQuotePdfResponse:
        """The quote as a PDF, printed from what is stored."""
        if call.caller.kind in LINK_KINDS and call.caller.quote_id != request.quote_id:
            raise faults.not_found("quote")
        stored = await self._find(request.quote_id, call)
        organization = await self._organizations.find(call.caller.organization_id)
        data = await print_quote(stored, organization, self._store, self._threads)
        call.reply_metadata[wire.CONTENT_DISPOSITION] = f'inline; filename="{stored.number}.pdf"'
        return quote_pb2.GetQuotePdfResponse(pdf=httpbody_pb2.HttpBody(content_type="application/pdf", data=data))

    async def SendQuote(self, request: quote_pb2.SendQuoteRequest, call: Call) -> quote_pb2.SendQuoteResponse:
        """The quote, mail and links in one transaction."""
        return await self._sending.send(request, call)

    async def ListQuoteRecipients(
        self, request: quote_pb2.ListQuoteRecipientsRequest, call: Call
    ) -> quote_pb2.ListQuoteRecipientsResponse:
        """Each address with its link and what became of its mail."""
        return await self._sending.recipients(request.quote_id, call)

    async def _find(self, quote_id: int, call: Call) -> quotes.StoredQuote:
        caller = call.caller
        stored = await self._store.browse(lambda: quotes.find(caller.organization_id, caller.livemode, quote_id))
        if stored is None:
            raise faults.not_found("quote")
        return stored

    async def _draft_document(
        self,
        request: quote_pb2.GenerateQuoteRequest | quote_pb2.CreateQuoteRequest,
        organization: OrganizationRow,
        call: Call,
    ) -> _Drafted:
        """The draft for a document: for the rows of its bills of quantities, else for what it says."""
        caller, threads = call.caller, self._threads
        found = await self._store.read(
            lambda: documents.find(caller.organization_id, caller.livemode, request.document_id)
        )
        if found is None:
            raise faults.not_found("document")
        if found[0].status != "read":
            raise faults.failed_precondition("DOCUMENT_NOT_READ", "The document is being read, or was refused.")
        offer = await self._offer(organization, request.template_id)
        margin = _margin(request)
        settings = offer.settings(organization.pricing, margin)
        loop = asyncio.get_running_loop()
        content, bill = await loop.run_in_executor(threads, _opened, found[1])
        _check_length(content, bill)
        if bill.rows:
            book = await self._books.find(caller, self._clock().date())
            draft = await self._timed(lambda: self._drafter.draft_bill(bill, settings=settings, book=book))
        else:
            industry = request.industry if isinstance(request, quote_pb2.GenerateQuoteRequest) else ""
            draft = _with_places(await self.draft(content.text, industry, settings, call), content)
        draft = with_margin(offer.complete(draft, settings), margin)
        if draft.high_minor > _LARGEST_TOTAL:
            raise _refused("amount_too_large", "the amounts of the document are larger than can be stated exactly")
        industry = request.industry if isinstance(request, quote_pb2.GenerateQuoteRequest) else ""
        return _Drafted(draft, content.text, offer, settings.validity_days, request.document_id, margin, industry)

    async def _draft_text(
        self, request: quote_pb2.CreateQuoteRequest, organization: OrganizationRow, call: Call
    ) -> _Drafted:
        """The draft for a text, or an empty one for the lines that were entered."""
        offer = await self._offer(organization, request.template_id)
        margin, location = _margin(request), request.location.strip()
        settings = offer.settings(organization.pricing, margin)
        by_hand = None
        if request.line_items:
            by_hand = Edit(lines=tuple(_line_edit(one) for one in request.line_items))
            draft = self._drafter.empty(location, settings)
        else:
            draft = await self.draft(request.text, request.industry, settings, call, location)
            draft = with_margin(offer.complete(draft, settings), margin)
        return _Drafted(
            draft, request.text, offer, settings.validity_days, "", margin, request.industry, location, by_hand=by_hand
        )

    async def _offer(self, organization: OrganizationRow, template_id: str) -> Offer:
        """The company's defaults and, where one is named, a template. Raises NOT_FOUND."""
        if not template_id:
            return Offer.made(organization.profile)
        stored = await self._store.read(lambda: templates.find(organization.organization_id, template_id))
        if stored is None:
            raise faults.not_found("template")
        return Offer.made(organization.profile, stored.template, template_id)

    async def draft(self, text: str, industry: str, settings: PricingSettings, call: Call, location: str = "") -> Draft:
        """The first draft for a text. Raises what `Drafter.draft` raises."""
        # With a test key the same text gives the same draft, which no model promises (D19).
        model = self._model if call.caller.livemode else None
        proposals = None if model is None else await model.propose(text, industry, call.deadline)
        return await self.redraft(text, industry, settings, call, (), proposals, location)

    async def redraft(
        self, text: str, industry: str, settings: PricingSettings, call: Call, answers: Sequence[Answer],
        proposals: Proposals | None, location: str = "",
    ) -> Draft:  # fmt: skip
        """The draft for a text with answers and with what a model proposed for it before, beside the event loop where
        it takes long. Raises what `Drafter.draft` raises."""
        book = await self._books.find(call.caller, self._clock().date())
        # Looking things up in a book waits for the store, which the event loop must not.
        on_loop = book is None and proposals is None and len(text) <= DRAFTED_ON_LOOP
        return await self._timed(
            lambda: self._drafter.draft(
                text,
                industry=industry,
                location=location,
                settings=settings,
                book=book,
                proposals=proposals,
                answers=answers,
            ),
            on_loop=on_loop,
        )

    async def _timed(self, work: Callable[[], Draft], *, on_loop: bool = False) -> Draft:
        """The draft that ``work`` makes, beside the event loop unless ``on_loop``; counted with its time."""

        def draft() -> tuple[Draft, float]:
            began = time.perf_counter()
            drafted = work()
            return drafted, time.perf_counter() - began

        drafted, took = draft() if on_loop else await asyncio.get_running_loop().run_in_executor(self._threads, draft)
        self._metrics.drafted(drafted, took)
        return drafted


def _opened(stored: bytes) -> tuple[Content, Bill]:
    content = documents.content_of(stored)
    return content, find_bill(content)


def _check_length(content: Content, bill: Bill) -> None:
    """Raise 422 for a document that is more than one quote takes."""
    if len(bill.rows) > MOST_LINES:
        raise _refused("too_many_rows", f"the bill has {len(bill.rows)} rows, a quote takes at most {MOST_LINES}")
    if not bill.rows and len(content.text) > LONGEST_TEXT:
        raise _refused(
            "text_too_long",
            f"the document has no bill of quantities and {len(content.text)} characters, of which at most "
            f"{LONGEST_TEXT} are read",
        )


def _wanted(request: quote_pb2.ListQuotesRequest) -> quotes.Wanted:
    """What the list is narrowed to. Raises 422 for a day that the calendar has not."""
    since, until = (_day(request, name) for name in ("created_from", "created_to"))
    return quotes.Wanted(
        status=request.status,
        words=request.query,
        customer_id=request.customer_id,
        needs_review=request.needs_review if request.HasField("needs_review") else None,
        since=None if since is None else _start_of(since),
        before=None if until is None else _start_of(until) + _DAY,
    )


def _day(request: quote_pb2.ListQuotesRequest, name: str) -> date | None:
    try:
        return date.fromisoformat(getattr(request, name)) if getattr(request, name) else None
    except ValueError:
        violation = faults.FieldViolation(name, "date", "must be a day of the calendar, YYYY-MM-DD")
        raise faults.invalid(violation) from None


def _start_of(day: date) -> int:
    """µs UTC."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1_000_000


def _line_edit(line: quote_pb2.NewLine) -> LineEdit:
    return LineEdit(
        description=line.description,
        qty=decimal(line.qty),
        unit=line.unit,
        price=decimal(line.price) if line.HasField("price") else None,
        kind=LineKind(line.kind) if line.kind else None,
        optional=line.optional or None,
    )


def _margin(request: quote_pb2.GenerateQuoteRequest | quote_pb2.CreateQuoteRequest) -> Decimal | None:
    return decimal(request.margin) if request.HasField("margin") else None


def _refused(reason: str, message: str) -> faults.Fault:
    return faults.invalid(faults.FieldViolation("document_id", reason, message))


def _with_places(draft: Draft, content: Content) -> Draft:
    lines = (
        line if line.span is None else replace(line, place=content.place_of(line.span.start)) for line in draft.lines
    )
    return replace(draft, lines=tuple(lines))
