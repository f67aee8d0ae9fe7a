"""POST /sourcing/price (D5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from datetime import datetime

from quotewright.v1 import sourcing_pb2

from server.domain.catalogue import Place
from server.domain.pricing.options import PriceOption
from server.domain.pricing.price_book import own_options
from server.domain.pricing.sourcing import PriceSearch
from server.domain.regions import COUNTRY_OF, Gazetteer, currency_at
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
        hint = COUNTRY_OF.get(organization.pricing.currency, "US")
        query, place, notes = self._placed(request, organization.pricing.home_location, hint)
        options = self._search.find(
            query,
            industry=request.industry,
            place=place,
            settings=organization.pricing.in_currency(currency_at(place, organization.pricing.currency)),
            limit=MOST_OPTIONS,
        )
        options = (*await self._own(request.query, query, organization.pricing, call), *options)[:MOST_OPTIONS]
        if notes:
            options = tuple(replace(option, notes=(*notes, *option.notes)) for option in options)
        return options_message(options)

    async def _own(
        self, query: str, without_place: str, settings: PricingSettings, call: Call
    ) -> tuple[PriceOption, ...]:
        """The organization's own prices, which come before every public one. They are asked for with the whole query,
        too: what looks like a ZIP code may be a SKU, and a name may have a place in it."""
        book = await self._books.find(call.caller, self._clock().date())
        if book is None:
            return ()
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: own_options(book, query, settings, MOST_OPTIONS, without_place=without_place)
        )

    def _placed(
        self, request: sourcing_pb2.FindPricesRequest, home: str, hint: str
    ) -> tuple[str, Place | None, tuple[str, ...]]:
        """The query without its place, the place that prices are for, and what has to be said about it.

        The request's own place comes before one that the query names, and that before the organization's.
        """
        if request.location:
            match = self._gazetteer.find(request.location, hint)
            if match is None:
                return request.query, None, (f"“{request.location}” is no known place; national figures are used.",)
            return request.query, match.place, (match.note,) if match.note else ()
        named = self._gazetteer.find_in_request(request.query, hint)
        if named is not None:
            place, span = named
            return request.query[: span.start] + " " + request.query[span.end :], place, ()
        match = self._gazetteer.find(home, hint) if home else None
        return request.query, match.place if match else None, ()


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
                notes=option.notes,
            )
            for option in options
        ]
    )
    if options:
        response.product_name = response.options[0].product_name
        response.price = response.options[0].price
    return response
