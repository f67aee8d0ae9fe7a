"""Customers of an organization: by hand, from a lead or a quote; merged; read."""

from __future__ import annotations

from dataclasses import fields, replace

from quotewright.v1 import customer_pb2

from process.clock import now_us
from server import events, faults
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.addresses import email_of
from server.rpc.once import write_once
from server.rpc.paging import page_size
from server.store import audit, customers, leads, quotes
from server.store.audit import Act
from server.store.customers import Details, StoredCustomer
from server.store.database import Store

#: Of a customer, as the contract says; a lead may have more.
_LONGEST_NOTES = 2000


class CustomerService:
    """Keeps customers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def CreateCustomer(
        self, request: customer_pb2.CreateCustomerRequest, call: Call
    ) -> customer_pb2.CreateCustomerResponse:
        """A new customer: row, audit row and event in one transaction."""

        def effect(act: Act) -> customer_pb2.CreateCustomerResponse:
            customer = customers.create(
                act.organization_id,
                act.livemode,
                _details(act, request),
                lead_id=request.lead_id,
                quote_id=request.quote_id,
                created_by=act.actor,
                at=act.at,
            )
            message = customer_message(customer)
            audit.record(act, "customer:create", f"customer:{customer.customer_id}")
            events.record(act, "customer.created", message)
            return customer_pb2.CreateCustomerResponse(customer=message)

        return await write_once(self._store, call, request, effect, customer_pb2.CreateCustomerResponse)

    async def ListCustomers(
        self, request: customer_pb2.ListCustomersRequest, call: Call
    ) -> customer_pb2.ListCustomersResponse:
        """A page, newest first."""
        caller = call.caller
        limit = page_size(request)
        total, rows = await self._store.browse(
            lambda: customers.list_page(
                caller.organization_id, caller.livemode, limit=limit, offset=request.offset, words=request.query
            )
        )
        return customer_pb2.ListCustomersResponse(
            data=[customer_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetCustomer(
        self, request: customer_pb2.GetCustomerRequest, call: Call
    ) -> customer_pb2.GetCustomerResponse:
        """One customer of the caller's organization and mode."""
        caller = call.caller
        found = await self._store.browse(
            lambda: customers.find(caller.organization_id, caller.livemode, request.customer_id)
        )
        if found is None:
            raise faults.not_found("customer")
        return customer_pb2.GetCustomerResponse(customer=customer_message(found))

    async def MergeCustomers(
        self, request: customer_pb2.MergeCustomersRequest, call: Call
    ) -> customer_pb2.MergeCustomersResponse:
        """The customer that stays, with what it lacked."""
        if request.dry_run:
            caller = call.caller
            kept, duplicate = await self._store.read(lambda: _pair(request, caller.organization_id, caller.livemode))
            if kept.customer_id != duplicate.customer_id:
                kept = customers.merged(kept, duplicate, now_us())
            return customer_pb2.MergeCustomersResponse(customer=customer_message(kept))

        def effect(act: Act) -> customer_pb2.MergeCustomersResponse:
            kept, duplicate = _pair(request, act.organization_id, act.livemode)
            if kept.customer_id != duplicate.customer_id:
                kept = customers.merge(kept, duplicate, act.at)
                subject = f"customer:{kept.customer_id}"
                audit.record(act, "customer:merge", subject, f"from {duplicate.customer_id}")
            return customer_pb2.MergeCustomersResponse(customer=customer_message(kept))

        return await write_once(self._store, call, request, effect, customer_pb2.MergeCustomersResponse)

    async def UpdateCustomer(
        self, request: customer_pb2.UpdateCustomerRequest, call: Call
    ) -> customer_pb2.UpdateCustomerResponse:
        """The customer afterwards."""

        def effect(act: Act) -> customer_pb2.UpdateCustomerResponse:
            found = customers.find(act.organization_id, act.livemode, request.customer_id)
            if found is None:
                raise faults.not_found("customer")
            changed = _changed(found.details, request)
            if changed != found.details:
                customers.update(found.customer_id, changed, act.at)
                names = [
                    one.name
                    for one in fields(changed)
                    if getattr(changed, one.name) != getattr(found.details, one.name)
                ]
                audit.record(act, "customer:update", f"customer:{found.customer_id}", " ".join(names))
                found = replace(found, details=changed, updated_at=act.at)
            return customer_pb2.UpdateCustomerResponse(customer=customer_message(found))

        return await write_once(self._store, call, request, effect, customer_pb2.UpdateCustomerResponse)


def _pair(
    request: customer_pb2.MergeCustomersRequest, organization_id: int, livemode: bool
) -> tuple[StoredCustomer, StoredCustomer]:
    """The customer that stays and the one that goes. Raises NOT_FOUND, INVALID_ARGUMENT."""
    kept = customers.find(organization_id, livemode, request.customer_id)
    duplicate = customers.find(organization_id, livemode, request.duplicate_id)
    if kept is None or duplicate is None:
        raise faults.not_found("customer")
    if request.customer_id == request.duplicate_id:
        raise faults.invalid(FieldViolation("duplicate_id", "customer.same", "must be another customer"))
    return kept, duplicate


def customer_message(customer: StoredCustomer) -> customer_pb2.Customer:
    """A customer as answers and events hold it."""
    details = customer.details
    message = customer_pb2.Customer(
        customer_id=customer.customer_id,
        name=details.name,
        company=details.company,
        email=details.email,
        phone=details.phone,
        address=details.address,
        notes=details.notes,
        lead_id=customer.lead_id,
        quote_id=customer.quote_id,
        livemode=customer.livemode,
        created_by=customer.created_by,
        merged_ids=customer.merged_ids,
    )
    message.created_at.FromMicroseconds(customer.created_at)
    message.updated_at.FromMicroseconds(customer.updated_at)
    return message


def _changed(details: Details, request: customer_pb2.UpdateCustomerRequest) -> Details:
    """What is known, with the fields that the request gives. Raises INVALID_ARGUMENT."""
    given = {one.name: getattr(request, one.name) for one in fields(details) if request.HasField(one.name)}  # type: ignore[arg-type]
    if "email" in given:
        given["email"] = email_of(given["email"])
    if "name" in given:
        given["name"] = given["name"].strip()
    return replace(details, **given)


def _details(act: Act, request: customer_pb2.CreateCustomerRequest) -> Details:
    """What the request says, and what its lead and quote know besides. Raises NOT_FOUND, INVALID_ARGUMENT."""
    details = Details(
        name=request.name.strip(),
        company=request.company,
        email=email_of(request.email),
        phone=request.phone,
        address=request.address,
        notes=request.notes,
    )
    if request.lead_id:
        lead = leads.find(act.organization_id, act.livemode, request.lead_id)
        if lead is None:
            raise faults.not_found("lead")
        details = details.or_else(
            Details(
                name=lead.name or lead.company or lead.email,
                company=lead.company,
                email=lead.email,
                phone=lead.phone,
                address=lead.address or ", ".join(filter(None, [lead.city, lead.region])),
                notes=lead.notes[:_LONGEST_NOTES],
            )
        )
    if request.quote_id:
        quote = quotes.find(act.organization_id, act.livemode, request.quote_id)
        if quote is None:
            raise faults.not_found("quote")
        details = details.or_else(Details(address=quote.draft.location))
    if not details.name:
        raise faults.invalid(FieldViolation("name", "required", "value is required"))
    return details
