"""Quotes: drafted, stored, read back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from datetime import datetime, timedelta

from google.api import httpbody_pb2
from quotewright.v1 import quote_pb2

from process import wire
from process.contract import LINK_KINDS
from server import events, faults
from server.domain.draft import Draft
from server.domain.drafting.engine import Drafter
from server.domain.lifecycle import Trigger
from server.domain.settings import PricingSettings
from server.interceptors import Call
from server.language_model import LanguageModel
from server.metrics import DraftMetrics
from server.rpc.books import Books
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.paging import page_size
from server.rpc.printing import print_quote
from server.rpc.quote_messages import draft_message, explanation_message, quote_message, summary_message
from server.rpc.sending import Sending
from server.rpc.workflow import move_quote
from server.store import audit, quotes
from server.store.audit import Act
from server.store.database import Store

#: Requests longer than this are drafted beside the event loop, which they would hold up for more than a few ms.
DRAFTED_ON_LOOP = 160


class QuoteService:
    """Drafts and reads quotes. ``public_url`` is the base of links, ``clock`` gives the time in UTC."""

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

    async def GenerateQuote(
        self, request: quote_pb2.GenerateQuoteRequest, call: Call
    ) -> quote_pb2.GenerateQuoteResponse:
        """Draft from text and store: quote, items, audit row, event and idempotency record in one transaction."""
        if request.document_id:
            raise faults.not_found("document")  # none can be uploaded yet
        organization = await self._organizations.find(call.caller.organization_id)
        draft = await self._draft(request.text, request.industry, organization.pricing, call)
        today = self._clock().date()

        def effect(act: Act) -> quote_pb2.GenerateQuoteResponse:
            stored = quotes.create(
                act.organization_id,
                act.livemode,
                quotes.NewQuote(
                    text=request.text,
                    industry=request.industry,
                    draft=draft,
                    valid_until=(today + timedelta(days=organization.pricing.validity_days)).isoformat(),
                    created_by=act.actor,
                    at=act.at,
                    year=today.year,
                ),
            )
            audit.record(act, "quote:create", f"quote:{stored.quote_id}")
            message = quote_message(stored, self._public_url)
            events.record(act, "quote.created", message)
            return quote_pb2.GenerateQuoteResponse(quote=message)

        return await write_once(self._store, call, request, effect, quote_pb2.GenerateQuoteResponse)

    async def PreviewQuote(self, request: quote_pb2.PreviewQuoteRequest, call: Call) -> quote_pb2.PreviewQuoteResponse:
        """The same draft, not stored."""
        organization = await self._organizations.find(call.caller.organization_id)
        draft = await self._draft(request.text, request.industry, organization.pricing, call)
        message = draft_message(draft, request.text, request.industry)
        message.livemode = call.caller.livemode
        return quote_pb2.PreviewQuoteResponse(quote=message)

    async def ListQuotes(self, request: quote_pb2.ListQuotesRequest, call: Call) -> quote_pb2.ListQuotesResponse:
        """A page, newest first."""
        caller = call.caller
        limit = page_size(request)
        total, rows = await self._store.read(
            lambda: quotes.list_page(
                caller.organization_id, caller.livemode, limit=limit, offset=request.offset, status=request.status
            )
        )
        return quote_pb2.ListQuotesResponse(
            data=[summary_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetQuote(self, request: quote_pb2.GetQuoteRequest, call: Call) -> quote_pb2.GetQuoteResponse:
        """One quote of the caller's organization and mode."""
        stored = await self._find(request.quote_id, call)
        return quote_pb2.GetQuoteResponse(quote=quote_message(stored, self._public_url))

    async def VoidQuote(self, request: quote_pb2.VoidQuoteRequest, call: Call) -> quote_pb2.VoidQuoteResponse:
        """The quote is given up; its number stays taken."""

        def effect(act: Act) -> quote_pb2.VoidQuoteResponse:
            stored = move_quote(act, request.quote_id, Trigger.VOID, request.note, self._public_url)
            return quote_pb2.VoidQuoteResponse(quote=quote_message(stored, self._public_url))

        return await write_once(self._store, call, request, effect, quote_pb2.VoidQuoteResponse)

    async def ExplainLine(self, request: quote_pb2.ExplainLineRequest, call: Call) -> quote_pb2.ExplainLineResponse:
        """A line calculated again from the facts that were kept with it."""
        caller = call.caller
        found = await self._store.read(
            lambda: quotes.explanation(caller.organization_id, caller.livemode, request.quote_id, request.line)
        )
        if found is None:
            raise faults.not_found("line of a quote")
        currency, explanation = found
        return quote_pb2.ExplainLineResponse(
            explanation=explanation_message(explanation, request.quote_id, request.line, currency)
        )

    async def GetQuotePdf(self, request: quote_pb2.GetQuotePdfRequest, call: Call) -> quote_pb2.GetQuotePdfResponse:
        """The quote as a PDF, printed from what is stored."""
        if call.caller.kind in LINK_KINDS and call.caller.quote_id != request.quote_id:
            raise faults.not_found("quote")
        stored = await self._find(request.quote_id, call)
        organization = await self._organizations.find(call.caller.organization_id)
        data = await print_quote(stored, organization, self._threads)
        call.reply_metadata[wire.CONTENT_DISPOSITION] = f'inline; filename="{stored.number}.pdf"'
        return quote_pb2.GetQuotePdfResponse(pdf=httpbody_pb2.HttpBody(content_type="application/pdf", data=data))

    async def SendQuote(self, request: quote_pb2.SendQuoteRequest, call: Call) -> quote_pb2.SendQuoteResponse:
        """The quote, mail and links in one transaction."""
        return await self._sending.send(request, call)

    async def _find(self, quote_id: int, call: Call) -> quotes.StoredQuote:
        caller = call.caller
        stored = await self._store.read(lambda: quotes.find(caller.organization_id, caller.livemode, quote_id))
        if stored is None:
            raise faults.not_found("quote")
        return stored

    async def _draft(self, text: str, industry: str, settings: PricingSettings, call: Call) -> Draft:
        book = await self._books.find(call.caller, self._clock().date())
        # With a test key the same text gives the same draft, which no model promises (D19).
        model = self._model if call.caller.livemode else None
        proposals = None if model is None else await model.propose(text, industry, call.deadline)

        def draft() -> tuple[Draft, float]:
            began = time.perf_counter()
            drafted = self._drafter.draft(text, industry=industry, settings=settings, book=book, proposals=proposals)
            return drafted, time.perf_counter() - began

        # Looking things up in a book waits for the store, which the event loop must not.
        on_loop = book is None and proposals is None and len(text) <= DRAFTED_ON_LOOP
        drafted, took = draft() if on_loop else await asyncio.get_running_loop().run_in_executor(self._threads, draft)
        self._metrics.drafted(drafted, took)
        return drafted
