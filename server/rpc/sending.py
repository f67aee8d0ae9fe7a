"""Sending an approved quote to its customer: state, event, links and mail in one transaction."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import date, datetime

from quotewright.options.v1 import options_pb2
from quotewright.v1 import quote_pb2

from process.clock import now_us
from server import faults
from server.documents.quote_pdf import format_minor
from server.domain.lifecycle import State, Trigger
from server.domain.mailboxes import is_mailbox, mailbox, wire_form
from server.faults import Fault, FieldViolation
from server.interceptors import Call
from server.links import Link, Signer, ends_with
from server.mail.letters import Letters, QuoteNews
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.printing import print_quote
from server.rpc.quote_messages import quote_message, tagged
from server.rpc.workflow import move_quote
from server.store import accounts, customers, links, mail, quotes
from server.store.accounts import OrganizationRow
from server.store.audit import Act
from server.store.customers import StoredCustomer
from server.store.database import Store
from server.store.mail import NewMail
from server.store.quotes import StoredQuote


@dataclass(frozen=True, slots=True)
class _Mailing:
    """A rendered mail, and the link that is in it."""

    link_id: int
    email: str
    mail: NewMail


@dataclass(frozen=True, slots=True)
class _Prepared:
    """Everything that is committed, made before the transaction: the writer has no time to print."""

    #: The quote as it was read; it was printed as it will be: sent, and with this customer.
    quote: StoredQuote
    customer_id: int
    mailings: Sequence[_Mailing]


class Sending:
    """Sends quotes. ``public_url`` is the base of links, ``clock`` gives the time in UTC."""

    def __init__(
        self,
        store: Store,
        organizations: Organizations,
        signer: Signer,
        letters: Letters,
        threads: Executor,
        public_url: str,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._organizations = organizations
        self._signer = signer
        self._letters = letters
        self._threads = threads
        self._public_url = public_url
        self._clock = clock

    async def send(self, request: quote_pb2.SendQuoteRequest, call: Call) -> quote_pb2.SendQuoteResponse:
        """The quote, sent. Raises `Fault`."""
        prepared: _Prepared | Fault
        try:
            prepared = await self._prepare(request, call)
        except Fault as fault:
            # Raised inside the transaction, behind the look for a first answer to the same Idempotency-Key.
            prepared = fault

        def effect(act: Act) -> quote_pb2.SendQuoteResponse:
            if isinstance(prepared, Fault):
                raise prepared
            return quote_pb2.SendQuoteResponse(quote=self._commit(act, prepared))

        response = await write_once(self._store, call, request, effect, quote_pb2.SendQuoteResponse)
        tagged(response.quote, call)
        return response

    async def _prepare(self, request: quote_pb2.SendQuoteRequest, call: Call) -> _Prepared:
        caller = call.caller
        organization = await self._organizations.find(caller.organization_id)

        def known() -> tuple[StoredQuote | None, StoredCustomer | None, str]:
            quote = quotes.find(caller.organization_id, caller.livemode, request.quote_id)
            number = request.customer_id or (quote.customer_id if quote else 0)
            customer = customers.find(caller.organization_id, caller.livemode, number) if number else None
            return quote, customer, accounts.email_of(caller.user_id)

        quote, customer, reply_to = await self._store.read(known)
        if quote is None:
            raise faults.not_found("quote")
        if request.customer_id and customer is None:
            raise faults.not_found("customer")
        recipients = _recipients(request, customer)
        if quote.status != State.APPROVED:
            raise faults.invalid_state("quote", quote.status, Trigger.SEND)
        if date.fromisoformat(quote.valid_until) < self._clock().date():
            raise faults.failed_precondition("VALIDITY_OVER", f"The prices held until {quote.valid_until}.")
        customer_id = customer.customer_id if customer else 0
        # As it will be once it is sent: to the customer who is asked for, whoever the quote was made for.
        printed = dataclasses.replace(quote, status=State.SENT, customer_id=customer_id)
        pdf = await print_quote(printed, organization, self._store, self._threads)
        news = _news(quote, organization, customer, request, reply_to, pdf)

        def write() -> tuple[_Mailing, ...]:
            return tuple(self._mailing(organization.organization_id, quote, news, one) for one in recipients)

        mailings = await asyncio.get_running_loop().run_in_executor(self._threads, write)
        return _Prepared(quote, customer_id, mailings)

    async def recipients(self, quote_id: int, call: Call) -> quote_pb2.ListQuoteRecipientsResponse:
        """Whom a quote was sent to. Raises NOT_FOUND."""
        caller = call.caller
        organization_id, livemode = caller.organization_id, caller.livemode

        def read() -> tuple[StoredQuote | None, tuple[links.StoredLink, ...], dict[str, tuple[str, str]]]:
            quote = quotes.find(organization_id, livemode, quote_id)
            return quote, links.of_quote(quote_id), mail.states(organization_id, f"quote:{quote_id}")

        quote, given, states = await self._store.read(read)
        if quote is None:
            raise faults.not_found("quote")
        response = quote_pb2.ListQuoteRecipientsResponse()
        for one in given:
            status, error = states.get(wire_form(one.email), ("", ""))
            recipient = response.data.add(
                email=one.email,
                url=self._url(organization_id, quote, one.link_id),
                mail_status=status,
                mail_error=error,
            )
            recipient.sent_at.FromMicroseconds(one.created_at)
        return response

    def _url(self, organization_id: int, quote: StoredQuote, link_id: int) -> str:
        """The page of a sent quote, behind the link with that number."""
        kind = options_pb2.CREDENTIAL_KIND_CUSTOMER_LINK
        expires_at = ends_with(quote.valid_until)
        link = Link(kind, organization_id, quote.livemode, quote.quote_id, link_id, expires_at)
        return f"{self._public_url}/q/{self._signer.token(link)}"

    def _mailing(self, organization_id: int, quote: StoredQuote, news: QuoteNews, recipient: str) -> _Mailing:
        link_id = secrets.randbits(63)
        url, at = self._url(organization_id, quote, link_id), now_us()
        return _Mailing(link_id, recipient, self._letters.quote(news, recipient, url, at))

    def _commit(self, act: Act, prepared: _Prepared) -> quote_pb2.Quote:
        quote_id = prepared.quote.quote_id
        quotes.note_sent(quote_id, prepared.customer_id, act.at)
        token = pdf_token(self._signer, act.organization_id, prepared.quote)
        to = ", ".join(one.email for one in prepared.mailings)
        sent = move_quote(act, quote_id, Trigger.SEND, f"to {to}", self._public_url, token)
        if sent.draft != prepared.quote.draft or sent.valid_until != prepared.quote.valid_until:
            raise faults.failed_precondition("QUOTE_CHANGED", "The quote was changed meanwhile; nothing was sent.")
        for one in prepared.mailings:
            links.create(act, one.link_id, quote_id, one.email)
            mail.post(act, one.mail)
        return quote_message(sent, self._public_url, token)


def pdf_token(signer: Signer, organization_id: int, quote: StoredQuote) -> str:
    """The token with which the PDF of a quote opens until its validity ends."""
    return signer.token(
        Link(
            options_pb2.CREDENTIAL_KIND_PDF_LINK,
            organization_id,
            quote.livemode,
            quote.quote_id,
            0,
            ends_with(quote.valid_until),
        )
    )


def _recipients(request: quote_pb2.SendQuoteRequest, customer: StoredCustomer | None) -> tuple[str, ...]:
    """The addresses, each once, the customer's first. Raises INVALID_ARGUMENT."""
    violations = []
    found: dict[str, str] = {}
    given = [(f"to[{index}]", text) for index, text in enumerate(request.to)]
    if customer is not None and customer.details.email:
        given.insert(0, ("customer_id", customer.details.email))
    for field, text in given:
        try:
            address = mailbox(text)
        except ValueError as error:
            violations.append(FieldViolation(field, "string.email", str(error)))
        else:
            found.setdefault(address.casefold(), address)
    if not given:
        why = "the customer has no e-mail address" if customer is not None else "an address or a customer is required"
        violations.append(FieldViolation("to", "required", why))
    if not request.subject.isprintable():
        violations.append(FieldViolation("subject", "string.one_line", "must be one line"))
    if violations:
        raise faults.invalid(*violations)
    return tuple(found.values())


def _news(
    quote: StoredQuote,
    organization: OrganizationRow,
    customer: StoredCustomer | None,
    request: quote_pb2.SendQuoteRequest,
    reply_to: str,
    pdf: bytes,
) -> QuoteNews:
    return QuoteNews(
        company_name=organization.name,
        company_address=organization.address,
        customer_name=customer.details.name if customer else "",
        quote_id=quote.quote_id,
        quote_number=quote.number,
        total=format_minor(quote.draft.total_minor, quote.draft.currency),
        valid_until=date.fromisoformat(quote.valid_until),
        subject=request.subject.strip(),
        message=request.message.strip(),
        reply_to=reply_to if is_mailbox(reply_to) else "",
        pdf=pdf,
    )
