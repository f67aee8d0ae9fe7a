"""What comes on top of a draft's lines: the organization's own charges, its minimum charge, and tax by class.

Everything is in minor units of the quote's currency; prices are without tax, and tax is stated apart from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from server.domain import money
from server.domain.draft import Component, Coverage, DraftLine, LineKind, Source, TaxLine
from server.domain.pricing import confidence, derivation
from server.domain.pricing.build import SETTINGS, ZERO, stored_fact
from server.domain.pricing.derivation import Term
from server.domain.settings import PricingSettings, TaxClass

#: Kind of the source of a line that the organization charges by a rule of its own.
OWN_RULE = "settings"
MINIMUM = "minimum charge"
MINIMUM_TEXT = "Minimum charge"
_DISPOSAL_TEXT = "Disposal of what is taken out"
_ACCESS_TEXT = "Access above the ground floor"
_EQUIPMENT_TEXT = "Equipment"
#: What the organization's charges are called.
OWN_TEXTS = (_DISPOSAL_TEXT, _ACCESS_TEXT, _EQUIPMENT_TEXT, MINIMUM_TEXT)


@dataclass(frozen=True, slots=True)
class Job:
    """What the charges of a job hang on."""

    takes_out: bool
    above_ground: bool


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of a draft, in minor units; the range has tax in it, like the total."""

    subtotal_minor: int
    taxes: tuple[TaxLine, ...]
    tax_minor: int
    low_minor: int
    high_minor: int

    @property
    def total_minor(self) -> int:
        """Subtotal and tax."""
        return self.subtotal_minor + self.tax_minor


def charged(lines: Sequence[DraftLine]) -> list[DraftLine]:
    """The lines that count: priced, and no option."""
    return [line for line in lines if line.priced and not line.optional]


def is_small_job(lines: Sequence[DraftLine], settings: PricingSettings) -> bool:
    """Whether the rule for small jobs holds: all charged lines are priced from norms, which alone tell hours, and come
    to fewer person-hours than the organization has set."""
    counted = charged(lines)
    if settings.small_job_factor == 1 or not counted:
        return False
    if any(line.source is None or line.source.kind != "norm" for line in counted):
        return False
    return sum((line.labour_hours for line in counted), ZERO) < settings.small_job_hours


def charge_lines(lines: Sequence[DraftLine], job: Job, settings: PricingSettings) -> tuple[DraftLine, ...]:
    """The organization's charges for a job as lines of kind fee, the minimum charge last; none without a priced line.

    ``settings.currency`` is the quote's: charges stated in another are the caller's to leave out.
    """
    counted = charged(lines)
    if not counted:
        return ()
    fees = [
        _charge(text, name, charge)
        for text, name, charge, wanted in (
            (_DISPOSAL_TEXT, "disposal charge", settings.disposal_charge, job.takes_out),
            (_ACCESS_TEXT, "access charge", settings.access_charge, job.above_ground),
            (_EQUIPMENT_TEXT, "equipment charge", settings.equipment_charge, True),
        )
        if wanted and charge
    ]
    minimum = minimum_line([*counted, *fees], settings)
    return (*fees, minimum) if minimum is not None else tuple(fees)


def with_further_lines(
    lines: Sequence[DraftLine], further: Sequence[DraftLine], settings: PricingSettings
) -> tuple[DraftLine, ...]:
    """``further`` after the work among ``lines`` and before the organization's charges, the minimum charge made anew.

    ``settings.currency`` is the quote's.
    """
    own = [line for line in lines if _is_own(line)]
    work = [*(line for line in lines if not _is_own(line)), *further]
    if not own:
        # Nothing had a price so far; what hangs on the work is still not charged.
        return (*work, *charge_lines(work, Job(takes_out=False, above_ground=False), settings))
    fees = [line for line in own if not is_minimum(line)]
    minimum = minimum_line([*work, *fees], settings)
    return (*work, *fees, *([minimum] if minimum is not None else []))


def totals(lines: Sequence[DraftLine], settings: PricingSettings) -> Totals:
    """Sums and taxes of the charged lines. Tax is rounded once a class, so Σ amounts + tax is the total exactly."""
    counted = charged(lines)
    subtotal = sum(line.amount_minor for line in counted)
    taxes = _taxes([(line.kind, line.amount_minor) for line in counted], settings)
    tax = sum(one.tax_minor for one in taxes)
    ends = []
    for end in ("low_minor", "high_minor"):
        amounts = [(line.kind, getattr(line, end)) for line in counted if not is_minimum(line)]
        short = _lift(sum(amount for _, amount in amounts), settings) if amounts else 0
        amounts.append((LineKind.FEE, short))
        ends.append(sum(amount for _, amount in amounts) + sum(one.tax_minor for one in _taxes(amounts, settings)))
    return Totals(subtotal, taxes, tax, min(ends[0], subtotal + tax), max(ends[1], subtotal + tax))


def is_minimum(line: DraftLine) -> bool:
    """Whether a line is the one that lifts the total to the minimum charge."""
    return _is_own(line) and line.source is not None and line.source.row == MINIMUM


def _is_own(line: DraftLine) -> bool:
    return line.source is not None and line.source.kind == OWN_RULE


def _lift(subtotal: int, settings: PricingSettings) -> int:
    return max(0, money.to_minor(settings.minimum_charge or ZERO) - subtotal)


def _taxes(amounts: Sequence[tuple[LineKind, int]], settings: PricingSettings) -> tuple[TaxLine, ...]:
    by_class: dict[TaxClass, list[tuple[LineKind, int]]] = {}
    for kind, amount in amounts:
        by_class.setdefault(settings.tax_class(kind), []).append((kind, amount))
    lines = []
    for tax_class in TaxClass:
        if tax_class not in by_class:
            continue
        rate, base = settings.tax_rate_of(tax_class), sum(amount for _, amount in by_class[tax_class])
        kinds = tuple(sorted({kind.value for kind, _ in by_class[tax_class]}))
        lines.append(TaxLine(tax_class, kinds, rate, base, money.to_minor(money.from_minor(base) * rate)))
    return tuple(lines)


def _charge(text: str, name: str, charge: Decimal) -> DraftLine:
    fact = stored_fact(None, SETTINGS, f"{name} of the organization", name, charge, "", "undated")
    minor = money.to_minor(charge)
    return _fee(text, name, fact, minor, minor, minor)


def minimum_line(lines: Sequence[DraftLine], settings: PricingSettings) -> DraftLine | None:
    """The line that lifts the subtotal of the others to the minimum charge; None where they reach it."""
    counted = charged(lines)
    subtotal = sum(line.amount_minor for line in counted)
    lift = _lift(subtotal, settings)
    if not lift or settings.minimum_charge is None:
        return None
    fact = stored_fact(
        None, SETTINGS, f"{MINIMUM} of the organization", MINIMUM, settings.minimum_charge, "", "undated"
    )
    low, high = (_lift(sum(getattr(line, end) for line in counted), settings) for end in ("high_minor", "low_minor"))
    rate = fact - derivation.other_lines(money.from_minor(subtotal))
    return _fee(MINIMUM_TEXT, MINIMUM, rate, lift, min(low, lift), max(high, lift))


def _fee(text: str, name: str, rate: Term, minor: int, low: int, high: int) -> DraftLine:
    amount = money.from_minor(minor)
    one = derivation.number(1)
    part = Component(
        "charge", text, Decimal(1), "job", rate.value, rate.value, SETTINGS, f"{name} of the organization", "undated",
        one, rate,
    )  # fmt: skip
    source = Source(
        OWN_RULE, name, text, "The organization", "", Coverage.MEASURED, Decimal(1), "undated",
        "The organization's own", (part,),
    )  # fmt: skip
    return DraftLine(
        description=text,
        qty=Decimal(1),
        unit="job",
        price=amount,
        amount_minor=minor,
        low_minor=low,
        high_minor=high,
        kind=LineKind.FEE,
        priced=True,
        optional=False,
        confidence=confidence.PRICE_BOOK,
        labour_hours=ZERO,
        review_reasons=(),
        span=None,
        source=source,
        rule=text,
    )
