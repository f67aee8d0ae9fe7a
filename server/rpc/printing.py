"""A stored quote as its PDF prints it."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from datetime import UTC, date, datetime

from server.documents.quote_pdf import QuotePdf, QuotePdfLine, render_quote
from server.domain.draft import DraftLine, Source
from server.domain.editing import BY_HAND
from server.store.accounts import OrganizationRow
from server.store.quotes import StoredQuote


async def print_quote(quote: StoredQuote, organization: OrganizationRow, threads: Executor) -> bytes:
    """The PDF, made beside the event loop."""
    document = printable_quote(quote, organization)
    return await asyncio.get_running_loop().run_in_executor(threads, render_quote, document)


def printable_quote(quote: StoredQuote, organization: OrganizationRow) -> QuotePdf:
    """Everything that is printed. Reasons for review and questions are for the estimator: only a draft shows them."""
    draft = quote.draft
    is_draft = quote.status in {"draft", "in_review"}
    return QuotePdf(
        organization_name=organization.name,
        organization_address=tuple(organization.address.splitlines()),
        quote_number=quote.number,
        status=quote.status,
        created_on=datetime.fromtimestamp(quote.created_at / 1_000_000, UTC).date(),
        valid_until=date.fromisoformat(quote.valid_until),
        livemode=quote.livemode,
        currency=draft.currency,
        # What a document says, its reader has; a long one would bury the lines.
        request="" if quote.document_id else quote.text,
        lines=tuple(_line(line, reasons=is_draft) for line in draft.lines),
        subtotal_minor=draft.subtotal_minor,
        tax_minor=draft.tax_minor,
        total_minor=draft.total_minor,
        low_minor=draft.low_minor,
        high_minor=draft.high_minor,
        assumptions=draft.assumptions,
        exclusions=draft.exclusions,
        questions=tuple(one.text for one in draft.questions) if is_draft else (),
        engine_version=draft.engine_version,
    )


def _line(line: DraftLine, *, reasons: bool) -> QuotePdfLine:
    source = line.source
    return QuotePdfLine(
        description=line.description,
        qty=line.qty,
        unit=line.unit,
        price=line.price,
        amount_minor=line.amount_minor,
        priced=line.priced,
        optional=line.optional,
        review_reasons=line.review_reasons if reasons else (),
        source="" if source is None else _source(source),
    )


def _source(source: Source) -> str:
    """Where a price comes from, in one line. Who entered it is no customer's business."""
    if source.kind == BY_HAND:
        return f"{source.name} · {source.as_of}"
    return f"{source.name} · {source.row} · {source.place or 'no place'} · {source.as_of}"
