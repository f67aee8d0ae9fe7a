"""POST /sourcing/price (D5)."""

from __future__ import annotations

from collections.abc import Sequence

from quotewright.v1 import sourcing_pb2

from server.domain.pricing.options import PriceOption
from server.domain.pricing.sourcing import PriceSearch
from server.domain.regions import COUNTRY_OF, Gazetteer, currency_at
from server.interceptors import Call
from server.rpc.organizations import Organizations
from server.rpc.quote_messages import source_message


class SourcingService:
    """Finds prices."""

    def __init__(self, organizations: Organizations, search: PriceSearch, gazetteer: Gazetteer) -> None:
        self._organizations = organizations
        self._search = search
        self._gazetteer = gazetteer

    async def FindPrices(self, request: sourcing_pb2.FindPricesRequest, call: Call) -> sourcing_pb2.FindPricesResponse:
        """The options, best first; none is an answer too."""
        organization = await self._organizations.find(call.caller.organization_id)
        location = request.location or organization.pricing.home_location
        hint = COUNTRY_OF.get(organization.pricing.currency, "US")
        match = self._gazetteer.find(location, hint) if location else None
        place = match.place if match else None
        options = self._search.find(
            request.query,
            industry=request.industry,
            place=place,
            settings=organization.pricing.in_currency(currency_at(place, organization.pricing.currency)),
        )
        return options_message(options)


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
