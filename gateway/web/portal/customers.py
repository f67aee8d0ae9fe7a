"""Customers: found, made, changed, merged."""

from __future__ import annotations

from urllib.parse import urlencode

from quotewright.v1 import customer_pb2, quote_pb2

from gateway.envelope import Problem
from gateway.web.portal.view import Shown, Visit, new_key, number, of_this_page, view

PER_PAGE = 25
#: What is known of a customer, in the order of the forms.
FIELDS = ("name", "company", "email", "phone", "address", "notes")


async def _customers(visit: Visit) -> Shown:
    words = visit.query.get("q", "").strip()
    request = customer_pb2.ListCustomersRequest(limit=PER_PAGE, offset=visit.offset, query=words)
    found = await visit.ask("CustomerService/ListCustomers", request)
    path = f"/customers?{urlencode({'q': words})}&" if words else "/customers?"
    return visit.page("customers.html", customers=found, words=words, path=path)


async def _new(visit: Visit, problem: Problem | None = None) -> Shown:
    made_from = {
        name: visit.first(name) or str(number(visit.query.get(name) or "0") or "") for name in ("lead_id", "quote_id")
    }
    return visit.page("customer_new.html", problem, made_from=made_from)


async def _create(visit: Visit) -> Shown:
    given = {name: visit.first(name).strip() for name in FIELDS}
    try:
        request = customer_pb2.CreateCustomerRequest(
            **given,
            lead_id=number(visit.first("lead_id") or "0", "lead_id"),
            quote_id=number(visit.first("quote_id") or "0", "quote_id"),
        )
        answer = await visit.ask("CustomerService/CreateCustomer", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _new(visit, of_this_page(problem))
    return Shown(303, location=f"/customers/{answer.customer.customer_id}")


async def _customer(visit: Visit) -> Shown:
    customer = await _read(visit)
    if str(customer.customer_id) != visit.variables["customer_id"]:
        return Shown(303, location=f"/customers/{customer.customer_id}")
    request = quote_pb2.ListQuotesRequest(limit=PER_PAGE, offset=visit.offset, customer_id=customer.customer_id)
    found = await visit.ask("QuoteService/ListQuotes", request)
    return visit.page("customer.html", customer=customer, quotes=found)


async def _edit(visit: Visit, problem: Problem | None = None) -> Shown:
    customer = await _read(visit)
    known = {name: getattr(customer, name) for name in FIELDS}
    # What was read when the form was first shown: the change is told from it, also where the form is shown again.
    before = {name: visit.first(f"was_{name}") if visit.form else known[name] for name in FIELDS}
    return visit.page("customer_edit.html", problem, customer=customer, known=known, before=before)


async def _change(visit: Visit) -> Shown:
    """Changes what was changed in the form and nothing else: what others have changed meanwhile stays."""
    values = {name: (visit.first(name).strip(), visit.first(f"was_{name}")) for name in FIELDS if name in visit.form}
    changed = {name: now for name, (now, before) in values.items() if now != before.strip()}
    customer_id = number(visit.variables["customer_id"])
    request = customer_pb2.UpdateCustomerRequest(customer_id=customer_id, **changed)
    try:
        await visit.ask("CustomerService/UpdateCustomer", request, new_key())
    except Problem as problem:
        return await _edit(visit, of_this_page(problem))
    return Shown(303, location=f"/customers/{customer_id}")


async def _merge_page(visit: Visit, problem: Problem | None = None) -> Shown:
    """First which customer is the same, then what would become of both."""
    customer = await _read(visit)
    duplicate_id = number(visit.query.get("duplicate_id") or visit.first("duplicate_id") or "0")
    words = visit.query.get("q", customer.name.partition(" ")[0]).strip()
    if not duplicate_id:
        request = customer_pb2.ListCustomersRequest(limit=PER_PAGE, query=words)
        found = await visit.ask("CustomerService/ListCustomers", request)
        others = [one for one in found.data if one.customer_id != customer.customer_id]
        return visit.page("customer_merge.html", problem, customer=customer, others=others, words=words)
    duplicate = await visit.ask(
        "CustomerService/GetCustomer", customer_pb2.GetCustomerRequest(customer_id=duplicate_id)
    )
    merge = customer_pb2.MergeCustomersRequest(
        customer_id=customer.customer_id, duplicate_id=duplicate.customer.customer_id, dry_run=True
    )
    after = await visit.ask("CustomerService/MergeCustomers", merge)
    of_duplicate = quote_pb2.ListQuotesRequest(limit=1, customer_id=duplicate.customer.customer_id)
    quotes = await visit.ask("QuoteService/ListQuotes", of_duplicate)
    return visit.page(
        "customer_merge_check.html",
        problem,
        customer=customer,
        duplicate=duplicate.customer,
        after=after.customer,
        quotes=quotes.total,
        fields=FIELDS,
    )


async def _merge(visit: Visit) -> Shown:
    request = customer_pb2.MergeCustomersRequest(
        customer_id=number(visit.variables["customer_id"]), duplicate_id=number(visit.first("duplicate_id"))
    )
    try:
        await visit.ask("CustomerService/MergeCustomers", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _merge_page(visit, of_this_page(problem))
    return Shown(303, location=f"/customers/{request.customer_id}")


async def _read(visit: Visit) -> customer_pb2.Customer:
    """The customer of the path, or the one that it was merged into."""
    request = customer_pb2.GetCustomerRequest(customer_id=number(visit.variables["customer_id"]))
    customer: customer_pb2.Customer = (await visit.ask("CustomerService/GetCustomer", request)).customer
    return customer


VIEWS = (
    view("/customers", _customers, _create, menu="Customers"),
    view("/customers/new", _new),
    view("/customers/{customer_id}", _customer),
    view("/customers/{customer_id}/edit", _edit, _change),
    view("/customers/{customer_id}/merge", _merge_page, _merge),
)
