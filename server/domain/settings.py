"""What an organization decides about its prices. Defaults are stated in `docs/pricing.md`, with their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

#: Regional factors of an organization: they are read whole with its settings.
MOST_FACTORS = 5_000


class TaxClass(StrEnum):
    """How a line is taxed. Zero-rated and exempt lines both carry no tax; drafts tell them apart."""

    STANDARD = "standard"
    REDUCED = "reduced"
    ZERO = "zero"
    EXEMPT = "exempt"


@dataclass(frozen=True, slots=True)
class RegionalFactor:
    """An imported wage level: local wages by those of the country, e.g. 0.94. It counts on the labour share only.

    ``place`` is a key as `server.domain.regions.place_keys` makes them, ``name`` what people call it.
    """

    country: str
    place: str
    name: str
    factor: Decimal
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class PricingSettings:
    """Fractions are of 1 (0.10 = 10 %), charges in major units of ``currency``. ``home_location`` is used where a
    request names no place. Everything is off by default: nothing is charged that neither a source nor the
    organization states."""

    currency: str = "USD"
    home_location: str = ""
    #: Employer's cost on top of the wage, as a fraction of the wage. None: the catalogue's sourced default.
    labour_burden: Decimal | None = None
    #: Markups on cost, by type of cost; they and the margin are for prices built from cost (norms), never for what
    #: customers pay already (observed prices, claims) or the price book.
    labour_markup: Decimal = Decimal(0)
    material_markup: Decimal = Decimal(0)
    equipment_markup: Decimal = Decimal(0)
    other_markup: Decimal = Decimal(0)
    #: Fraction of the selling price, after the markups. None: none is stated. A request or a template may state 0: that
    #: asks for prices at cost.
    margin: Decimal | None = None
    #: Added to the quantity of materials, over what the norm itself includes.
    material_waste: Decimal = Decimal(0)
    #: Smallest total before tax of a job; None: none.
    minimum_charge: Decimal | None = None
    #: Times the labour of norms in a job of fewer person-hours than ``small_job_hours``; 1: off.
    small_job_factor: Decimal = Decimal(1)
    small_job_hours: Decimal = Decimal(8)
    #: Charged once a job that takes something out; that works outside above the ground floor; each job; None: no.
    disposal_charge: Decimal | None = None
    access_charge: Decimal | None = None
    equipment_charge: Decimal | None = None
    #: The standard rate. None: tax is not set, nothing is charged and the draft says so.
    tax_rate: Decimal | None = None
    reduced_tax_rate: Decimal | None = None
    #: Tax class by kind of line (material, labour, service, fee); kinds that are not named are taxed at the standard
    #: rate.
    tax_classes: Mapping[str, str] = field(default_factory=dict)
    #: Size of a pack by name of a material, in the unit that the norm counts it in: it is bought in whole packs.
    packs: Mapping[str, Decimal] = field(default_factory=dict)
    validity_days: int = 30
    #: Imported wage levels by country and place key; rows of their own in the store.
    regional_factors: Mapping[tuple[str, str], RegionalFactor] = field(default_factory=dict)

    def in_currency(self, currency: str) -> PricingSettings:
        """These for a quote in ``currency``. Charges are amounts in the organization's own: in another none is left."""
        if currency == self.currency:
            return self
        return replace(
            self, currency=currency, minimum_charge=None, disposal_charge=None, access_charge=None,
            equipment_charge=None,
        )  # fmt: skip

    @property
    def labour_from_cost(self) -> bool:
        """Whether the organization states what labour costs it and what comes on top: then norms are built from wages,
        not from what the trades are charged out at, which has all that in it."""
        return self.labour_burden is not None or self.margin is not None or bool(self.labour_markup)

    @property
    def has_charges(self) -> bool:
        """Whether any amount of money is charged by a rule."""
        return any((self.minimum_charge, self.disposal_charge, self.access_charge, self.equipment_charge))

    def tax_class(self, kind: str) -> TaxClass:
        """The class of a kind of line."""
        return TaxClass(self.tax_classes.get(kind, TaxClass.STANDARD))

    def tax_rate_of(self, tax_class: TaxClass) -> Decimal:
        """The rate of a class; 0 where it is none or not set."""
        rates = {TaxClass.STANDARD: self.tax_rate, TaxClass.REDUCED: self.reduced_tax_rate}
        return rates.get(tax_class) or Decimal(0)
