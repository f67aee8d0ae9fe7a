"""What a draft says of itself, of its lines alone: how sure it is, why to look at it, what was charged by rule.

Drafting and every change by hand ask here, so that a changed draft says what one drafted so would say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from server.domain.draft import DraftLine, TaxLine
from server.domain.pricing.totals import is_minimum
from server.domain.settings import PricingSettings, TaxClass

#: A draft is doubtful as a whole below this; the page on drafting says how the figure is made up.
DOUBTFUL = Decimal("0.75")
_BELOW_MINIMUM = "The total before tax is below the minimum charge of "
_TAX_NOT_SET = "Tax is not set: none is charged."
_SAID = re.compile(
    r"The total before tax is lifted to the minimum charge of [0-9.]+\.|Tax is not set: none is charged\.|"
    r"No tax on lines of kind [a-z, ]+: (?:zero-rated|exempt)\.|Lines of kind [a-z, ]+ are taxed at the reduced rate\."
)


def charges_said(lines: Sequence[DraftLine], taxes: Sequence[TaxLine], settings: PricingSettings) -> list[str]:
    """What the organization's rules did to the total, one sentence each."""
    said = []
    if any(is_minimum(line) for line in lines):
        said.append(f"The total before tax is lifted to the minimum charge of {settings.minimum_charge:.2f}.")
    for one in taxes:
        kinds = ", ".join(one.kinds)
        if one.tax_class == TaxClass.STANDARD and settings.tax_rate is None:
            said.append(_TAX_NOT_SET)
        elif one.tax_class in {TaxClass.ZERO, TaxClass.EXEMPT}:
            said.append(f"No tax on lines of kind {kinds}: {one.tax_class.replace('zero', 'zero-rated')}.")
        elif one.tax_class == TaxClass.REDUCED:
            said.append(f"Lines of kind {kinds} are taxed at the reduced rate.")
    return said


def is_charge_said(text: str) -> bool:
    """Whether a sentence is one of those that `charges_said` makes, for whatever lines."""
    return _SAID.fullmatch(text) is not None


def below_minimum(settings: PricingSettings) -> str:
    """The reason to look at a draft that does not come to the minimum charge."""
    return f"{_BELOW_MINIMUM}{settings.minimum_charge:.2f}."


def is_below_minimum(reason: str) -> bool:
    """Whether a reason is the one that `below_minimum` gives, for whatever minimum charge."""
    return reason.startswith(_BELOW_MINIMUM)


def confidence_of(lines: Sequence[DraftLine]) -> Decimal:
    """The mean of the lines' confidence, each weighing its amount; an unpriced line weighs as much as the mean line."""
    if not lines:
        return Decimal(0)
    charged = [line for line in lines if line.priced]
    mean = Decimal(sum(line.amount_minor for line in charged)) / len(charged) if charged else Decimal(1)
    weights = [Decimal(line.amount_minor) if line.priced else mean for line in lines]
    total = sum(weights)
    if not total:
        return min(line.confidence for line in lines)
    weighed = sum((weight * line.confidence for weight, line in zip(weights, lines, strict=True)), Decimal(0))
    return (weighed / total).quantize(Decimal("0.01"))


def review_reasons(lines: Sequence[DraftLine], confidence: Decimal) -> list[str]:
    """Why to look at a draft with these lines, one sentence each."""
    if not lines:
        return ["No work was found in the request."]
    reasons = []
    unpriced = sum(not line.priced for line in lines)
    if unpriced:
        reasons.append(f"{unpriced} of {len(lines)} lines have no price and are not in the total.")
    if any(line.optional for line in lines):
        reasons.append("Optional lines are shown and not in the total.")
    if confidence < DOUBTFUL:
        reasons.append(f"Overall confidence is {confidence}.")
    return reasons
