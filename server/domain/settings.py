"""What an organization decides about its prices. Defaults are stated in `docs/pricing.md`, with their sources."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class PricingSettings:
    """Fractions are of 1 (0.10 = 10 %). ``home_location`` is used where a request names no place."""

    currency: str = "USD"
    home_location: str = ""
    #: Employer's cost on top of the wage, as a fraction of the wage. None: the catalogue's sourced default.
    labour_burden: Decimal | None = None
    labour_markup: Decimal = Decimal(0)
    material_markup: Decimal = Decimal(0)
    #: None: tax is not set, nothing is charged and the draft says so.
    tax_rate: Decimal | None = None
    validity_days: int = 30
