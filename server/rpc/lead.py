"""Leads: requests for coverage (D7), and what the office does with them."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from dataclasses import asdict, fields, replace

from quotewright.v1 import lead_pb2

from server import events, faults
from server.domain import coverage
from server.domain.catalogue import Catalogue
from server.domain.coverage import CoverageRequest
from server.domain.regions import COUNTRY_OF, Gazetteer
from server.interceptors import Call
from server.rpc.addresses import email_of
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.paging import page_size
from server.store import audit, leads
from server.store.audit import Act
from server.store.database import Store

_Asked = lead_pb2.RequestCoverageRequest | lead_pb2.CreateLeadRequest
#: Of a lead of which no city is told.
_NOWHERE = CoverageRequest("received", "", "", "", "", "", "", city_known=False, city_suggestion="")


class LeadService:
    """Takes requests for a city and a trade, and keeps leads."""

    def __init__(
        self,
        store: Store,
        organizations: Organizations,
        threads: Executor,
        catalogue: Catalogue,
        gazetteer: Gazetteer,
    ) -> None:
        self._store = store
        self._organizations = organizations
        self._threads = threads
        self._catalogue = catalogue
        self._gazetteer = gazetteer

    async def RequestCoverage(
        self, request: lead_pb2.RequestCoverageRequest, call: Call
    ) -> lead_pb2.RequestCoverageResponse:
        """The lead; the same one again for the same city and trade within a day."""
        found = await self._assess(request, call)

        def effect(act: Act) -> lead_pb2.RequestCoverageResponse:
            new = _new_lead(found, request, act)
            lead, is_new = leads.create_or_find(act.organization_id, act.livemode, new)
            if is_new:
                _announce(act, lead)
            response = lead_pb2.RequestCoverageResponse(
                lead_id=lead.lead_id,
                status=lead.status,
                city=lead.city,
                trade=lead.trade,
                region=lead.region,
                country=lead.country,
                city_known=lead.city_known,
                city_suggestion=lead.city_suggestion,
                livemode=lead.livemode,
            )
            response.created_at.FromMicroseconds(lead.created_at)
            return response

        return await write_once(self._store, call, request, effect, lead_pb2.RequestCoverageResponse)

    async def CreateLead(self, request: lead_pb2.CreateLeadRequest, call: Call) -> lead_pb2.CreateLeadResponse:
        """A new lead; two that the office typed in are two."""
        found = await self._assess(request, call) if request.city.strip() else _NOWHERE
        trade = " ".join(request.trade.split())
        status = found.status if trade else _NOWHERE.status
        found = replace(found, status=status, trade=trade, city_key="", trade_key="")

        def effect(act: Act) -> lead_pb2.CreateLeadResponse:
            new = replace(_new_lead(found, request, act), name=request.name.strip(), address=request.address)
            lead = leads.create(act.organization_id, act.livemode, new)
            _announce(act, lead)
            return lead_pb2.CreateLeadResponse(lead=lead_message(lead))

        return await write_once(self._store, call, request, effect, lead_pb2.CreateLeadResponse)

    async def ListLeads(self, request: lead_pb2.ListLeadsRequest, call: Call) -> lead_pb2.ListLeadsResponse:
        """A page, newest first."""
        caller, limit = call.caller, page_size(request)
        total, rows = await self._store.browse(
            lambda: leads.list_page(
                caller.organization_id,
                caller.livemode,
                query=request.query,
                stage=request.stage,
                limit=limit,
                offset=request.offset,
            )
        )
        return lead_pb2.ListLeadsResponse(
            data=[lead_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetLead(self, request: lead_pb2.GetLeadRequest, call: Call) -> lead_pb2.GetLeadResponse:
        """One lead of the caller's organization and mode."""
        caller = call.caller
        found = await self._store.browse(lambda: leads.find(caller.organization_id, caller.livemode, request.lead_id))
        if found is None:
            raise faults.not_found("lead")
        return lead_pb2.GetLeadResponse(lead=lead_message(found))

    async def UpdateLead(self, request: lead_pb2.UpdateLeadRequest, call: Call) -> lead_pb2.UpdateLeadResponse:
        """The lead afterwards."""

        def effect(act: Act) -> lead_pb2.UpdateLeadResponse:
            lead = leads.find(act.organization_id, act.livemode, request.lead_id)
            if lead is None:
                raise faults.not_found("lead")
            if lead.stage != request.stage:
                audit.record(act, "lead:update", f"lead:{lead.lead_id}", f"{lead.stage} to {request.stage}")
                lead = leads.change_stage(lead, request.stage, act.at)
            return lead_pb2.UpdateLeadResponse(lead=lead_message(lead))

        return await write_once(self._store, call, request, effect, lead_pb2.UpdateLeadResponse)

    async def _assess(self, request: _Asked, call: Call) -> CoverageRequest:
        """Where the city is and whether the trade is covered there."""
        organization = await self._organizations.find(call.caller.organization_id)
        # A city that is not known is compared with all that are: too long for the event loop.
        return await asyncio.get_running_loop().run_in_executor(
            self._threads,
            lambda: coverage.assess(
                self._catalogue,
                self._gazetteer,
                city=request.city,
                trade=request.trade,
                region=request.region,
                country=request.country,
                home=COUNTRY_OF.get(organization.pricing.currency, "US"),
            ),
        )


def _new_lead(found: CoverageRequest, request: _Asked, act: Act) -> leads.NewLead:
    """What is to be kept. Raises INVALID_ARGUMENT."""
    return leads.NewLead(
        **asdict(found),
        company=request.company,
        email=email_of(request.email),
        phone=request.phone,
        notes=request.notes,
        at=act.at,
        created_by=act.actor,
    )


def _announce(act: Act, lead: leads.StoredLead) -> None:
    audit.record(act, "lead:create", f"lead:{lead.lead_id}")
    events.record(act, "lead.created", lead_message(lead))


def lead_message(lead: leads.StoredLead) -> lead_pb2.Lead:
    """A lead as answers and events tell of it."""
    given = {one.name: getattr(lead, one.name) for one in fields(lead) if not one.name.endswith("_at")}
    message = lead_pb2.Lead(**given)
    message.created_at.FromMicroseconds(lead.created_at)
    message.updated_at.FromMicroseconds(lead.updated_at)
    return message
