"""A stored quote as its PDF prints it."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo

from server.documents.quote_pdf import TAX_NAMES, Letterhead, QuotePdf, QuotePdfLine, QuotePdfTax, render_quote
from server.domain.draft import DraftLine
from server.domain.editing import BY_HAND
from server.domain.proofreading.profiles import LOCALE_OF_COUNTRY
from server.domain.regions import COUNTRY_OF
from server.store import accounts, customers
from server.store.accounts import OrganizationRow, StoredLogo
from server.store.customers import Details
from server.store.database import Store
from server.store.quotes import StoredQuote


async def print_quote(quote: StoredQuote, organization: OrganizationRow, store: Store, threads: Executor) -> bytes:
    """The PDF with the organization's logo and the quote's customer, made beside the event loop."""

    def read() -> tuple[StoredLogo | None, tuple[str, ...]]:
        number = organization.organization_id
        customer = customers.find(number, quote.livemode, quote.customer_id) if quote.customer_id else None
        return accounts.find_logo(number), () if customer is None else customer_lines(customer.details)

    document = printable_quote(quote, organization, *await store.browse(read))
    return await asyncio.get_running_loop().run_in_executor(threads, render_quote, document)


def printable_quote(
    quote: StoredQuote, organization: OrganizationRow, logo: StoredLogo | None = None, customer: tuple[str, ...] = ()
) -> QuotePdf:
    """Everything that is printed. Reasons for review, questions, sources and the range of the total are for the
    estimator: only a draft shows them. ``customer`` is the customer's name and address, line by line."""
    draft, offer = quote.draft, quote.offer
    is_draft = quote.status in {"draft", "in_review"}
    return QuotePdf(
        letterhead=_letterhead(organization, logo, draft.currency),
        quote_number=quote.number,
        status=quote.status,
        created_on=datetime.fromtimestamp(quote.created_at / 1_000_000, _zone(organization)).date(),
        valid_until=date.fromisoformat(quote.valid_until),
        livemode=quote.livemode,
        currency=draft.currency,
        lines=tuple(
            _line(line, reasons=is_draft, source=is_draft or offer.layout.show_sources) for line in draft.lines
        ),
        subtotal_minor=draft.subtotal_minor,
        taxes=tuple(QuotePdfTax(one.tax_class, one.rate, one.base_minor, one.tax_minor) for one in draft.taxes),
        tax_minor=draft.tax_minor,
        total_minor=draft.total_minor,
        engine_version=draft.engine_version,
        version=quote.version,
        low_minor=draft.low_minor if is_draft else None,
        high_minor=draft.high_minor if is_draft else None,
        customer=customer,
        intro=offer.intro,
        assumptions=draft.assumptions,
        exclusions=draft.exclusions,
        questions=tuple(one.text for one in draft.questions) if is_draft else (),
        terms=offer.terms,
        payment_details=offer.payment_details,
        # What a document says, its reader has; a long one would bury the lines.
        request="" if quote.document_id else quote.text,
        layout=offer.layout,
        locale=organization.profile.locale or LOCALE_OF_COUNTRY.get(COUNTRY_OF.get(draft.currency, ""), "en-GB"),
    )


def _letterhead(organization: OrganizationRow, logo: StoredLogo | None, currency: str) -> Letterhead:
    profile = organization.profile
    contacts = " · ".join(one for one in (profile.phone, profile.email, profile.website) if one)
    numbers = [profile.registration_number]
    if profile.tax_number:
        numbers.append(f"{TAX_NAMES.get(currency, 'Tax')} no. {profile.tax_number}")
    told = " · ".join(one for one in numbers if one)
    return Letterhead(
        name=organization.name,
        legal_name=profile.legal_name,
        address=tuple(organization.address.splitlines()),
        contacts=(contacts,) if contacts else (),
        numbers=(told,) if told else (),
        logo=b"" if logo is None else logo.data,
    )


def customer_lines(details: Details) -> tuple[str, ...]:
    """Name, company and address, line by line."""
    company = details.company if details.company != details.name else ""
    return tuple(one for one in (details.name, company, *details.address.splitlines()) if one)


def _zone(organization: OrganizationRow) -> tzinfo:
    name = organization.profile.time_zone
    return ZoneInfo(name) if name else UTC


def _line(line: DraftLine, *, reasons: bool, source: bool) -> QuotePdfLine:
    return QuotePdfLine(
        description=line.description,
        qty=line.qty,
        unit=line.unit,
        price=line.price,
        amount_minor=line.amount_minor,
        kind=line.kind,
        priced=line.priced,
        optional=line.optional,
        review_reasons=line.review_reasons if reasons else (),
        source=_source(line) if source else "",
    )


def _source(line: DraftLine) -> str:
    source = line.source
    if source is None:
        return ""
    if source.kind == BY_HAND:  # who entered it is no customer's business
        return f"{source.name} · {source.as_of}"
    return f"{source.name} · {source.row} · {source.place or 'no place'} · {source.as_of}"
