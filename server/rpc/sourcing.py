"""POST /sourcing/price (D5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from datetime import datetime

from quotewright.v1 import sourcing_pb2

from server.domain.pricing.options import PriceOption
from server.domain.pricing.price_book import own_options
from server.domain.pricing.sourcing import PriceSearch
from server.domain.regions import COUNTRY_OF, Gazetteer
from server.domain.settings import PricingSettings
from server.interceptors import Call
from server.rpc.books import Books
from server.rpc.organizations import Organizations
from server.rpc.quote_messages import source_message

#: Options of an answer.
MOST_OPTIONS = 10


class SourcingService:
    """Finds prices."""

    def __init__(
        self,
        organizations: Organizations,
        books: Books,
        threads: Executor,
        search: PriceSearch,
        gazetteer: Gazetteer,
        clock: Callable[[], datetime],
    ) -> None:
        self._organizations = organizations
        self._books = books
        self._threads = threads
        self._clock = clock
        self._search = search
        self._gazetteer = gazetteer

    async def FindPrices(self, request: sourcing_pb2.FindPricesRequest, call: Call) -> sourcing_pb2.FindPricesResponse:
        """The options, best first; none is an answer too."""
        organization = await self._organizations.find(call.caller.organization_id)
        location = request.location or organization.pricing.home_location
        hint = COUNTRY_OF.get(organization.pricing.currency, "US")
        match = self._gazetteer.find(location, hint) if location else None
        options = self._search.find(
            request.query,
            industry=request.industry,
            place=match.place if match else None,
            settings=organization.pricing,
            limit=MOST_OPTIONS,
        )
        return options_message((*await self._own(request.query, organization.pricing, call), *options)[:MOST_OPTIONS])

    async def _own(self, query: str, settings: PricingSettings, call: Call) -> tuple[PriceOption, ...]:
        """The organization's own prices, which come before every public one."""
        book = await self._books.find(call.caller, self._clock().date())
        if book is None:
            return ()
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: own_options(book, query, settings, MOST_OPTIONS)
        )


def options_message(options: Sequence[PriceOption]) -> sourcing_pb2.FindPricesResponse:
    """The options, with the best one mirrored at the top (D5)."""
    response = sourcing_pb2.FindPricesResponse(
        options=[
            sourcing_pb2.PriceOption(
                product_name=option.product_name,
                price=float(option.price),
                currency=option.currency,
                unit=option.unit,
                supplier=option.supplier,
                location=option.location,
                category=option.category,
                confidence=float(option.confidence),
                as_of=option.as_of,
                source=source_message(option.source),
                price_low=None if option.price_low is None else float(option.price_low),
                price_high=None if option.price_high is None else float(option.price_high),
            )
            for option in options
        ]
    )
    if options:
        response.product_name = response.options[0].product_name
        response.price = response.options[0].price
    return response
