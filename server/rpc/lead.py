"""Requests for coverage (D7)."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor

from quotewright.v1 import lead_pb2

from server import events
from server.domain import coverage
from server.domain.catalogue import Catalogue
from server.domain.regions import COUNTRY_OF, Gazetteer
from server.interceptors import Call
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.store import audit, leads
from server.store.audit import Act
from server.store.database import Store


class LeadService:
    """Takes requests for a city and a trade."""

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
        organization = await self._organizations.find(call.caller.organization_id)
        # A city that is not known is compared with all that are: too long for the event loop.
        found = await asyncio.get_running_loop().run_in_executor(
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

        def effect(act: Act) -> lead_pb2.RequestCoverageResponse:
            lead, is_new = leads.create_or_find(
                act.organization_id,
                act.livemode,
                leads.NewLead(
                    status=found.status,
                    city=found.city,
                    trade=found.trade,
                    region=found.region,
                    country=found.country,
                    city_key=found.city_key,
                    trade_key=found.trade_key,
                    city_known=found.city_known,
                    city_suggestion=found.city_suggestion,
                    company=request.company,
                    email=request.email,
                    phone=request.phone,
                    notes=request.notes,
                    at=act.at,
                ),
            )
            if is_new:
                audit.record(act, "lead:create", f"lead:{lead.lead_id}")
                events.record(act, "lead.created", lead_message(lead, request))
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


def lead_message(lead: leads.StoredLead, request: lead_pb2.RequestCoverageRequest) -> lead_pb2.Lead:
    """A new lead as its event tells of it."""
    message = lead_pb2.Lead(
        lead_id=lead.lead_id,
        status=lead.status,
        city=lead.city,
        trade=lead.trade,
        region=lead.region,
        country=lead.country,
        company=request.company,
        email=request.email,
        phone=request.phone,
        notes=request.notes,
        livemode=lead.livemode,
    )
    message.created_at.FromMicroseconds(lead.created_at)
    return message
