"""How sure a price is: one table of starting values by source and one of deductions (copied into `docs/pricing.md`).

The values order sources, they are no measured probabilities: an observed price outranks a range that several publishers
state, that a single claim, and that a norm.
"""

from __future__ import annotations

from decimal import Decimal

#: Somebody has decided it.
ENTERED = Decimal("1.00")
PRICE_BOOK = Decimal("0.95")
OBSERVED_MANY = Decimal("0.80")
OBSERVED_FEW = Decimal("0.70")
CLAIMS_MANY = Decimal("0.60")
CLAIMS_THREE = Decimal("0.55")
CLAIMS_TWO = Decimal("0.50")
SINGLE_CLAIM = Decimal("0.40")
NORM = Decimal("0.30")

#: At most so much for a line without a price.
UNPRICED = Decimal("0.30")

#: Observations from which a quantile counts as well supported.
MANY_OBSERVATIONS = 200
#: A high more than this many times the low is a wide range.
WIDE = Decimal(4)

#: Factors on the starting value, each at most once.
DEDUCTIONS: dict[str, Decimal] = {
    "converted": Decimal("0.85"),  # materials in another currency, converted at a dated rate
    "interpolated": Decimal("0.95"),  # wage or factor of a neighbouring or wider area
    "absent": Decimal("0.80"),  # no wage level of the place is known: the country's figures stand as they are
    "no_place": Decimal("0.85"),  # national figures, because no place is known
    "wide": Decimal("0.85"),  # high above WIDE × low
    "undated": Decimal("0.90"),  # no publisher gives a date
    "no_labour_share": Decimal("0.90"),  # the place's wage level could not be applied
    "labour_share_of_trade": Decimal("0.75"),  # how much of it is labour is told by other works only
    "by_words": Decimal("0.85"),  # an item of the price book found by words of its name, not by code or whole name
    "coats": Decimal("0.90"),  # more coats than the facts cover
}


def claims_confidence(publishers: int) -> Decimal:
    """Starting value of a claimed range by its number of distinct publishers."""
    if publishers >= 4:
        return CLAIMS_MANY
    return {3: CLAIMS_THREE, 2: CLAIMS_TWO}.get(publishers, SINGLE_CLAIM)


def observed_confidence(observations: int) -> Decimal:
    """Starting value of an observed price by its number of observations."""
    return OBSERVED_MANY if observations >= MANY_OBSERVATIONS else OBSERVED_FEW


def reduced(start: Decimal, deductions: set[str]) -> Decimal:
    """``start`` after the named deductions, two decimals. Raises ``KeyError`` for a name that is not in the table."""
    value = start
    for name in sorted(deductions):
        value *= DEDUCTIONS[name]
    return value.quantize(Decimal("0.01"))
