"""How sure a line is: how often lines that were read like it are right in work and quantity.

Fitted once on the development set of requests (`tools/evaluation/drafting_development.jsonl`, 320 lines for known
tasks) with monotone steps, then lowered a little, because fresh requests were read less well than those that the rules
were made with (`docs/drafting.md` has the figures).
"""

from __future__ import annotations

from decimal import Decimal

#: Score of the reading from which a line is right this often; ascending.
STEPS = (
    (Decimal("0"), Decimal("0.62")),
    (Decimal("0.70"), Decimal("0.72")),
    (Decimal("0.80"), Decimal("0.80")),
    (Decimal("0.87"), Decimal("0.86")),
    (Decimal("0.90"), Decimal("0.93")),
)
#: How much an uncertain price takes off at most. Rightness of work and quantity hardly hangs on it; the range, the
#: source and the reasons to review say how sure the price is.
PRICE_SHARE = Decimal("0.10")


def line_confidence(reading: Decimal, price: Decimal) -> Decimal:
    """The confidence of a priced line, two decimals, from the score of its reading and the confidence of its price
    (both 0–1)."""
    right = max(share for score, share in STEPS if score <= reading)
    return (right * (1 - PRICE_SHARE * (1 - price))).quantize(Decimal("0.01"))
