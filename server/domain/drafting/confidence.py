"""How sure a priced line is: how likely it was read right, less a little where its price is uncertain."""

from __future__ import annotations

from decimal import Decimal

#: How much an uncertain price takes off at most. Rightness of work and quantity hardly hangs on it; the range, the
#: source and the reasons to review say how sure the price is.
PRICE_SHARE = Decimal("0.10")


def line_confidence(reading: Decimal, price: Decimal) -> Decimal:
    """The confidence of a priced line, two decimals, from the chance of its reading (`judging`) and the confidence of
    its price (both 0–1)."""
    return (reading * (1 - PRICE_SHARE * (1 - price))).quantize(Decimal("0.01"))
