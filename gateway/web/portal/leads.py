"""The inbox of leads: who asks for what, how far the office is, a customer or a quote made of one."""

from __future__ import annotations

from urllib.parse import urlencode

from quotewright.v1 import customer_pb2, lead_pb2

from gateway.envelope import Problem
from gateway.web.portal.intake import draft_quote
from gateway.web.portal.view import Shown, Visit, new_key, number, of_this_page, view

#: How far the office is with a lead, as the server names it and in words.
_STAGES = {"new": "New", "contacted": "Contacted", "closed": "Closed"}
#: What was answered of city and trade, in words.
_ANSWERS = {
    "received": "The city is not known here, or none was told: somebody has to look.",
    "covered": "There are local figures for this trade there.",
    "waitlisted": "The city is known; local figures for this trade are missing.",
}


async def _leads(visit: Visit) -> Shown:
    query, stage = visit.query.get("q", "").strip()[:200], visit.query.get("stage", "")
    stage = stage if stage in _STAGES else ""
    request = lead_pb2.ListLeadsRequest(offset=visit.offset, query=query, stage=stage)
    found = await visit.ask("LeadService/ListLeads", request)
    again = urlencode({name: value for name, value in (("q", query), ("stage", stage)) if value})
    return visit.page("leads.html", leads=found, query=query, stage=stage, stages=_STAGES, again=f"/leads?{again}&")


async def _lead(visit: Visit, problem: Problem | None = None) -> Shown:
    lead = await _find(visit)
    lines = [lead.notes, ", ".join(part for part in (lead.address or lead.city, lead.region) if part)]
    text = "\n".join(line for line in lines if line)
    return visit.page("lead.html", problem, lead=lead, stages=_STAGES, answers=_ANSWERS, text=text)


async def _change_stage(visit: Visit) -> Shown:
    request = lead_pb2.UpdateLeadRequest(lead_id=_number(visit), stage=visit.first("stage"))
    try:
        await visit.ask("LeadService/UpdateLead", request, new_key())
    except Problem as problem:
        return await _lead(visit, of_this_page(problem))
    return Shown(303, location=f"/leads/{request.lead_id}")


async def _make_customer(visit: Visit) -> Shown:
    request = customer_pb2.CreateCustomerRequest(lead_id=_number(visit), name=visit.first("name"))
    try:
        await visit.ask("CustomerService/CreateCustomer", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _lead(visit, of_this_page(problem))
    return Shown(303, location=f"/leads/{request.lead_id}")


async def _make_quote(visit: Visit) -> Shown:
    lead, once = await _find(visit), visit.first("idempotency_key")
    try:
        quote_id = await draft_quote(visit, visit.first("text"), once, lead.trade, lead.customer_id)
    except Problem as problem:
        return await _lead(visit, of_this_page(problem))
    return Shown(303, location=f"/quotes/{quote_id}")


async def _find(visit: Visit) -> lead_pb2.Lead:
    answer = await visit.ask("LeadService/GetLead", lead_pb2.GetLeadRequest(lead_id=_number(visit)))
    assert isinstance(answer, lead_pb2.GetLeadResponse)
    return answer.lead


def _number(visit: Visit) -> int:
    return number(visit.variables["lead_id"])


VIEWS = (
    view("/leads", _leads, menu="Leads"),
    view("/leads/{lead_id}", _lead, _change_stage),
    view("/leads/{lead_id}/customer", take=_make_customer),
    view("/leads/{lead_id}/quote", take=_make_quote, feeds="QuoteService/CreateQuote"),
)
