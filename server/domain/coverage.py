"""Whether a city and a trade are covered: a known place whose local figures reach the trade's prices (D7)."""

from __future__ import annotations

from dataclasses import dataclass

from server.domain.catalogue import Catalogue
from server.domain.regions import Gazetteer


@dataclass(frozen=True, slots=True)
class CoverageRequest:
    """A request for coverage as resolved. ``city_key`` and ``trade_key`` are the folded forms that recognize it
    again."""

    status: str
    city: str
    trade: str
    region: str
    country: str
    city_key: str
    trade_key: str
    city_known: bool
    city_suggestion: str


def assess(
    catalogue: Catalogue, gazetteer: Gazetteer, *, city: str, trade: str, region: str, country: str, home: str
) -> CoverageRequest:
    """Resolve the city and decide the status. Where no ``country`` is given, a namesake in ``home`` comes first.

    ``covered``: the place has a wage area and the catalogue has priced work of the trade. ``waitlisted``: the place is
    known, figures are missing. ``received``: the place is not known, somebody has to look. A state or country is no
    city: "Nashvile" in Tennessee is not known, though prices could be Tennessee's.
    """
    city, trade, region = (" ".join(text.split()) for text in (city, trade, region))
    where = ", ".join(part for part in (city, region) if part)
    found = gazetteer.find(where, country or home)
    place = found.place if found is not None and (not country or found.place.country == country) else None
    # "Leds" in Yorkshire is no Yorkshire in Virginia: what the region alone says is not the city.
    by_region = gazetteer.find(region, country or home) if region and city not in gazetteer else None
    is_city = found is not None and not found.is_region and (by_region is None or by_region.place != place)
    trade_key = trade.casefold()
    if place is None or not is_city:
        return CoverageRequest(
            status="received",
            city=city,
            trade=trade,
            region=region,
            country=country,
            city_key=f"{city}|{region}|{country}".casefold(),
            trade_key=trade_key,
            city_known=False,
            city_suggestion=gazetteer.suggest(where, country or (place.country if place is not None else home)) or "",
        )
    covered = bool(place.wage_area) and _has_prices(catalogue, trade_key)
    return CoverageRequest(
        status="covered" if covered else "waitlisted",
        city=place.name,
        trade=trade,
        region=place.admin,
        country=place.country,
        city_key=f"{place.name}|{place.admin}|{place.country}".casefold(),
        trade_key=trade_key,
        city_known=True,
        city_suggestion="",
    )


def _has_prices(catalogue: Catalogue, trade: str) -> bool:
    return any(
        trade in (task.trade.casefold(), *task.names) and (task.labour or task.observed or task.claims)
        for task in catalogue.tasks.values()
    )
