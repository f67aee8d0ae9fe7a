"""What a price query is answered with, and the price of a product as one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from server.domain import money
from server.domain.catalogue import Catalogue, Place, Product
from server.domain.draft import Component, Coverage, Source
from server.domain.pricing import confidence
from server.domain.pricing.build import conversion, stored_fact
from server.domain.pricing.derivation import ARITHMETIC
from server.domain.pricing.local import exchange_term
from server.domain.regions import COUNTRY_OF, CURRENCY_OF, label
from server.domain.settings import PricingSettings

#: Units in which a country's trades quote; others stay as the facts have them.
_CUSTOMARY: dict[str, dict[str, str]] = {
    "US": {"m": "ft", "m2": "sqft", "m3": "cuyd", "l": "gal", "kg": "lb"},
    "GB": {"ft": "m", "sqft": "m2", "cuyd": "m3"},
}


@dataclass(frozen=True, slots=True)
class PriceOption:
    """One answer to "what does this cost here?". It always has a price, and the source that supports it (D5)."""

    product_name: str
    price: Decimal
    currency: str
    unit: str
    supplier: str
    location: str
    category: str
    confidence: Decimal
    as_of: str
    source: Source
    price_low: Decimal
    price_high: Decimal
    #: Id of the task, product or price-book row.
    item_id: str = ""
    #: What a reader has to know about the answer, e.g. that it is in another unit than the one asked for.
    notes: tuple[str, ...] = ()


def customary_unit(unit: str, country: str) -> str:
    """The unit of the same dimension in which ``country`` quotes: ``m2`` is ``sqft`` in the US."""
    return _CUSTOMARY.get(country, {}).get(unit, unit)


def country_of(place: Place | None, settings: PricingSettings) -> str:
    """The country whose figures count: the place's, else the one that the currency names; empty where neither does."""
    return place.country if place is not None else COUNTRY_OF.get(settings.currency, "")


def product_option(
    catalogue: Catalogue, product: Product, *, unit: str, place: Place | None, settings: PricingSettings
) -> PriceOption | None:
    """The price of a product in the settings' currency; None where its figures do not reach that currency and place.

    Claims count in their own country only. List prices of the cost base are converted at the stored reference rate,
    said so in the component, and their confidence is lower. Raises ``ValueError`` for a unit of another dimension.
    """
    country = country_of(place, settings)
    if not country or CURRENCY_OF.get(country) != settings.currency:
        return None
    stated = product.publishers != (catalogue.datasets[product.dataset_id].publisher,)
    if stated and product.country != country:
        return None
    notes: list[str] = []
    note, row, as_of = "", "; ".join(product.rows), product.as_of or "undated"
    rate = stored_fact(
        catalogue, product.dataset_id, row, f"price of {product.name}", product.price,
        f"{product.currency}/{product.unit}", as_of,
    )  # fmt: skip
    exchanged = Decimal(1)
    deductions = set() if product.country == country else {"interpolated"}
    if product.currency != settings.currency:
        exchange = exchange_term(catalogue, product.currency, settings.currency)
        if exchange is None or exchange.fact is None:
            return None
        dated, exchanged, rate = exchange.fact, exchange.value, rate * exchange
        note = f": {product.currency} {product.price} × {dated.value} ({dated.name}, {dated.as_of})"
        row = f"{row}; {dated.dataset_id}: {dated.row}"
        deductions.add("converted")
        notes.append(
            f"A {product.currency} list price of {product.country}, converted at the rate of {dated.as_of}; local "
            "prices differ."
        )
    if place is None:
        deductions.add("no_place")
        notes.append(f"No place is known: figures for {country} are used.")
    if not product.as_of:
        deductions.add("undated")
        notes.append("The publishers give no date: the price may be old.")
    times = conversion(catalogue, unit, product.unit)
    amount = ARITHMETIC.multiply(times.value, rate.value)
    component = Component(
        "material" if not stated else "claim",
        product.name + note,
        times.value,
        product.unit,
        rate.value,
        amount,
        product.dataset_id,
        row,
        as_of,
        times,
        rate,
    )
    if stated:
        kind = "claims" if len(product.publishers) > 1 else "single_claim"
        if kind == "single_claim":
            notes.append(f"A single publisher ({product.publishers[0]}) states this price.")
        start = confidence.claims_confidence(len(product.publishers))
    else:
        kind, start = "list_price", confidence.CLAIMS_TWO
    where = label(place) if place is not None else country
    source = Source(
        kind,
        row,
        product.name,
        ", ".join(product.publishers),
        where,
        Coverage.INTERPOLATED if product.country == country else Coverage.ABSENT,
        Decimal(1),
        as_of,
        catalogue.datasets[product.dataset_id].licence,
        (component,),
    )
    return PriceOption(
        product.name,
        money.unit_price(amount),
        settings.currency,
        unit,
        source.supplier,
        where,
        product.category,
        confidence.reduced(start, deductions),
        as_of,
        source,
        money.unit_price(product.low * exchanged * times.value),
        money.unit_price(product.high * exchanged * times.value),
        product.product_id,
        tuple(notes),
    )
