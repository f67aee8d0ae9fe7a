"""Money: integer minor units with an ISO 4217 currency inside, JSON numbers only at the edge (decision D4)."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")
SUB_CENT = Decimal("0.0001")
#: Every currency the service quotes in has two minor digits (ISO 4217); one that has not is refused, not rounded.
MINOR_UNITS = 100
CURRENCIES = frozenset({"USD", "GBP", "EUR", "CAD", "AUD"})


def to_minor(amount: Decimal) -> int:
    """Round ``amount`` (major units) half-even to whole minor units (D3)."""
    return int((amount * MINOR_UNITS).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def from_minor(minor: int) -> Decimal:
    """The amount in major units with exactly two decimals."""
    return Decimal(minor).scaleb(-2)


def unit_price(amount: Decimal) -> Decimal:
    """Round a unit price to two decimals, or to four where it is below ten cents (sub-cent units, D3)."""
    return amount.quantize(SUB_CENT if abs(amount) < Decimal("0.10") else CENT, rounding=ROUND_HALF_EVEN)


def line_amount_minor(qty: Decimal, price: Decimal) -> int:
    """``qty × price`` rounded half-even to the minor unit: the only way a line amount is made (D3)."""
    return to_minor(qty * price)
