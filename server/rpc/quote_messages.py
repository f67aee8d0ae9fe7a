"""Drafts and stored quotes as messages of the contract."""

from __future__ import annotations

from collections.abc import Mapping

from quotewright.v1 import quote_pb2

from process import wire
from server.domain.document import DocumentPlace
from server.domain.draft import Draft, DraftLine, Source
from server.domain.entity_tags import entity_tag
from server.domain.money import from_minor
from server.domain.offer import Offer
from server.domain.pricing.explanation import Explanation
from server.interceptors import Call
from server.store.quotes import QuoteRow, StoredQuote


def draft_message(draft: Draft, text: str, industry: str, offer: Offer) -> quote_pb2.Quote:
    """A draft that is not stored: `quote_id` 0, no number, no PDF."""
    return quote_pb2.Quote(
        status="draft",
        total=_major(draft.total_minor),
        line_items=[line_message(line, number) for number, line in enumerate(draft.lines, start=1)],
        currency=draft.currency,
        subtotal=_major(draft.subtotal_minor),
        tax=_major(draft.tax_minor),
        total_low=_major(draft.low_minor),
        total_high=_major(draft.high_minor),
        text=text,
        industry=industry,
        location=draft.location,
        assumptions=draft.assumptions,
        exclusions=draft.exclusions,
        questions=[
            quote_pb2.Question(
                field=one.field,
                text=one.text,
                swing=None if one.swing_minor is None else _major(one.swing_minor),
                question_id=one.question_id,
            )
            for one in draft.questions
        ],
        confidence=float(draft.confidence),
        needs_review=draft.needs_review,
        review_reasons=draft.review_reasons,
        engine_version=draft.engine_version,
        taxes=[
            quote_pb2.TaxLine(
                tax_class=one.tax_class,
                kinds=one.kinds,
                rate=float(one.rate),
                base=_major(one.base_minor),
                tax=_major(one.tax_minor),
            )
            for one in draft.taxes
        ],
        template_id=offer.template_id,
        terms=offer.terms,
        intro=offer.intro,
        payment_details=offer.payment_details,
    )


def quote_message(
    quote: StoredQuote, public_url: str, pdf_token: str = "", draft: quote_pb2.Quote | None = None
) -> quote_pb2.Quote:
    """A stored quote. ``public_url`` is the base of links, without a slash at the end; with ``pdf_token`` `pdf_url`
    opens without a credential. ``draft`` is the `draft_message` of the same draft, if there is one; it becomes this."""
    message = draft or draft_message(quote.draft, quote.text, quote.industry, quote.offer)
    message.quote_id = quote.quote_id
    message.quote_number = quote.number
    message.pdf_url = pdf_url(quote.quote_id, public_url, pdf_token)
    message.status = quote.status
    message.livemode = quote.livemode
    message.valid_until = quote.valid_until
    message.version = quote.version
    message.answers.extend(
        quote_pb2.QuestionAnswer(question_id=one.question_id, question=one.question, text=one.text)
        for one in quote.answers
    )
    message.created_at.FromMicroseconds(quote.created_at)
    message.updated_at.FromMicroseconds(quote.updated_at)
    message.customer_id = quote.customer_id
    message.decided_by = quote.decided_by
    message.decline_reason = quote.decline_reason
    if quote.sent_at is not None:
        message.sent_at.FromMicroseconds(quote.sent_at)
    if quote.decided_at is not None:
        message.decided_at.FromMicroseconds(quote.decided_at)
    message.document_id = quote.document_id
    if quote.margin is not None:
        message.margin = float(quote.margin)
    return message


def tagged(quote: quote_pb2.Quote, call: Call) -> None:
    """Give the answer the entity tag of its quote."""
    call.reply_metadata[wire.ENTITY_TAG] = entity_tag(quote.quote_id, quote.version, quote.status)


def pdf_url(quote_id: int, public_url: str, token: str = "") -> str:
    """Where the PDF is; with the token of a link it opens without a credential."""
    return f"{public_url}/api/v1/quotes/{quote_id}/pdf{'?token=' if token else ''}{token}"


def summary_message(row: QuoteRow) -> quote_pb2.QuoteSummary:
    """A quote of a list (D1)."""
    message = quote_pb2.QuoteSummary(
        id=str(row.quote_id),
        status=row.status,
        amount=_major(row.total_minor),
        quote_id=row.quote_id,
        quote_number=row.number,
        currency=row.currency,
        livemode=row.livemode,
        needs_review=row.needs_review,
        location=row.location,
        opening=row.opening,
        valid_until=row.valid_until,
        customer_id=row.customer[0],
        customer_name=row.customer[1],
    )
    message.created_at.FromMicroseconds(row.created_at)
    message.updated_at.FromMicroseconds(row.updated_at)
    if row.sent_at is not None:
        message.sent_at.FromMicroseconds(row.sent_at)
    return message


def explanation_message(
    explanation: Explanation, quote_id: int, line: int, currency: str, urls: Mapping[str, str]
) -> quote_pb2.LineExplanation:
    """How line ``line`` (from 1) comes to its amount. ``urls``: where datasets are published, by their ids."""
    explained = explanation.line
    return quote_pb2.LineExplanation(
        quote_id=quote_id,
        line=line,
        description=explained.description,
        qty=float(explained.qty),
        unit=explained.unit,
        currency=currency,
        priced=explained.priced,
        price=float(explanation.price),
        amount=_major(explanation.amount_minor),
        holds=not explanation.problems,
        problems=explanation.problems,
        facts=[
            quote_pb2.PriceFact(
                name=f"F{number}",
                figure=one.name,
                value=f"{one.value:f}",
                unit=one.unit,
                dataset=one.dataset_id,
                row=one.row,
                as_of=one.as_of,
                title=one.title,
                publisher=one.publisher,
                licence=one.licence,
                key=one.key,
                url=urls.get(one.dataset_id, ""),
            )
            for number, one in enumerate(explanation.facts, start=1)
        ],
        steps=[
            quote_pb2.PriceStep(
                name=one.name, operation=one.operation, operands=one.operands, value=f"{one.value:f}", text=one.text
            )
            for one in explanation.steps
        ],
    )


def source_message(source: Source | None) -> quote_pb2.PriceSource:
    """The fact behind a price; kind "none" where there is none."""
    if source is None:
        return quote_pb2.PriceSource(kind="none", coverage="absent", region_factor=1)
    return quote_pb2.PriceSource(
        kind=source.kind,
        row=source.row,
        name=source.name,
        supplier=source.supplier,
        place=source.place,
        coverage=source.coverage,
        region_factor=float(source.region_factor),
        as_of=source.as_of,
        licence=source.licence,
        components=[
            quote_pb2.PriceComponent(
                kind=one.kind,
                description=one.description,
                quantity=float(one.quantity),
                unit=one.unit,
                rate=float(one.rate),
                amount=float(one.amount),
                dataset=one.dataset_id,
                row=one.row,
                as_of=one.as_of,
            )
            for one in source.components
        ],
    )


def line_message(line: DraftLine, number: int = 0) -> quote_pb2.LineItem:
    """A line of a quote. One that is not stored has the id ``number``: that which it would get."""
    return quote_pb2.LineItem(
        description=line.description,
        qty=float(line.qty),
        price=float(line.price),
        unit=line.unit,
        amount=_major(line.amount_minor),
        kind=line.kind,
        priced=line.priced,
        optional=line.optional,
        confidence=float(line.confidence),
        needs_review=line.needs_review,
        review_reasons=line.review_reasons,
        source=source_message(line.source),
        span=None if line.span is None else quote_pb2.TextSpan(start=line.span.start, end=line.span.end),
        amount_low=_major(line.low_minor),
        amount_high=_major(line.high_minor),
        labour_hours=float(line.labour_hours),
        line_id=line.line_id or number,
        entered=line.entered,
        place=None if line.place is None else _place_message(line.place),
    )


def _place_message(place: DocumentPlace) -> quote_pb2.DocumentPlace:
    return quote_pb2.DocumentPlace(
        page=place.page, sheet=place.sheet, table=place.table, row=place.row, attachment=place.attachment
    )


def _major(minor: int) -> float:
    """Minor units as the JSON number that prints with at most two decimals."""
    return float(from_minor(minor))
