"""What a customer sees and does behind the link of a sent quote."""

from __future__ import annotations

from quotewright.v1 import customer_link_pb2, quote_pb2

from process.clock import now_us
from server import faults
from server.domain.lifecycle import State, Trigger
from server.domain.offer import PriceDetail
from server.interceptors import Call
from server.links import Signer, ends_with
from server.rpc.acts import act_of
from server.rpc.organizations import Organizations
from server.rpc.quote_messages import pdf_url, quote_message
from server.rpc.sending import pdf_token
from server.rpc.workflow import move_quote
from server.store import customers, links, quotes
from server.store.accounts import OrganizationRow
from server.store.database import Store
from server.store.quotes import StoredQuote

SECOND = 1_000_000


class CustomerLinkService:
    """Shows sent quotes to whoever has their link, and takes the answer. ``public_url`` is the base of links."""

    def __init__(self, store: Store, organizations: Organizations, signer: Signer, public_url: str) -> None:
        self._store = store
        self._organizations = organizations
        self._signer = signer
        self._public_url = public_url

    async def GetSharedQuote(
        self, _request: customer_link_pb2.GetSharedQuoteRequest, call: Call
    ) -> customer_link_pb2.GetSharedQuoteResponse:
        """The quote as it was sent."""
        organization = await self._organizations.find(call.caller.organization_id)
        quote = await self._store.browse(lambda: self._message(_find(call), organization))
        return customer_link_pb2.GetSharedQuoteResponse(quote=quote)

    async def AcceptSharedQuote(
        self, request: customer_link_pb2.AcceptSharedQuoteRequest, call: Call
    ) -> customer_link_pb2.AcceptSharedQuoteResponse:
        """The quote is accepted; audit row and event commit with it."""
        quote = await self._decide(call, Trigger.ACCEPT, request.name.strip(), "")
        return customer_link_pb2.AcceptSharedQuoteResponse(quote=quote)

    async def DeclineSharedQuote(
        self, request: customer_link_pb2.DeclineSharedQuoteRequest, call: Call
    ) -> customer_link_pb2.DeclineSharedQuoteResponse:
        """The quote is declined; audit row and event commit with it."""
        quote = await self._decide(call, Trigger.DECLINE, request.name.strip(), request.reason.strip())
        return customer_link_pb2.DeclineSharedQuoteResponse(quote=quote)

    async def _decide(self, call: Call, trigger: Trigger, name: str, reason: str) -> customer_link_pb2.SharedQuote:
        """No Idempotency-Key: its records are the organization's, which a customer must not look into."""
        organization = await self._organizations.find(call.caller.organization_id)
        act = act_of(call, now_us())
        decided = State.ACCEPTED if trigger is Trigger.ACCEPT else State.DECLINED

        def effect() -> customer_link_pb2.SharedQuote:
            quote = _find(call)
            if quote.status == decided:
                return self._message(quote, organization)
            if quote.status == State.SENT and act.at >= ends_with(quote.valid_until) * SECOND:
                raise faults.invalid_state("quote", State.EXPIRED, trigger)
            quotes.note_decision(quote.quote_id, name, reason, act.at)
            note = f"by {name}" if name else ""
            moved = move_quote(act, quote.quote_id, trigger, note, self._public_url)
            return self._message(moved, organization)

        return await self._store.write(effect)

    def _message(self, quote: StoredQuote, organization: OrganizationRow) -> customer_link_pb2.SharedQuote:
        """Inside `Store.read` or `Store.write`. What the quote's layout hides is not in it."""
        customer = None
        if quote.customer_id:
            customer = customers.find(organization.organization_id, quote.livemode, quote.customer_id)
        whole, layout = quote_message(quote, self._public_url), quote.offer.layout
        message = customer_link_pb2.SharedQuote(
            company_name=organization.name,
            company_address=organization.address,
            customer_name=customer.details.name if customer else "",
            line_items=[_line(one, layout.prices) for one in whole.line_items],
            pdf_url=pdf_url(
                quote.quote_id, self._public_url, pdf_token(self._signer, organization.organization_id, quote)
            ),
            quote_number=whole.quote_number,
            status=whole.status,
            livemode=whole.livemode,
            currency=whole.currency,
            subtotal=whole.subtotal,
            tax=whole.tax,
            taxes=whole.taxes,
            total=whole.total,
            valid_until=whole.valid_until,
            assumptions=whole.assumptions if layout.show_assumptions else (),
            exclusions=whole.exclusions if layout.show_assumptions else (),
            decided_by=whole.decided_by,
            decline_reason=whole.decline_reason,
        )
        message.sent_at.CopyFrom(whole.sent_at)
        if whole.HasField("decided_at"):
            message.decided_at.CopyFrom(whole.decided_at)
        return message


def _find(call: Call) -> StoredQuote:
    """The quote of the caller's link, inside a transaction. Raises NOT_FOUND, also where it was sent anew since."""
    caller = call.caller
    quote = quotes.find(caller.organization_id, caller.livemode, caller.quote_id)
    if quote is None or not links.leads_to(int(caller.credential_id), quote.quote_id, quote.sent_at):
        raise faults.not_found("quote")
    return quote


def _line(line: quote_pb2.LineItem, prices: PriceDetail) -> customer_link_pb2.SharedLine:
    return customer_link_pb2.SharedLine(
        description=line.description,
        qty=line.qty,
        unit=line.unit,
        price=line.price if prices.with_unit_prices else None,
        amount=line.amount if prices.with_amounts else None,
        priced=line.priced,
        optional=line.optional,
    )
