"""How a quote is offered: the company's letterhead and defaults, templates, and what a quote keeps of both.

The order in which a choice is made: what the request says, then the template, then the company. A quote keeps its
`Offer` as it was applied, so that neither a later change of the template nor of the defaults changes it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

from server.domain import money
from server.domain.draft import Component, Coverage, Draft, DraftLine, LineKind, Source
from server.domain.pricing import remarks, totals
from server.domain.pricing.confidence import PRICE_BOOK, SINGLE_CLAIM
from server.domain.settings import PricingSettings

#: Kind of the source of a line that comes from a template, and the data set of its figures.
FROM_TEMPLATE = "template"


class PriceDetail(StrEnum):
    """What the customer is shown of prices: of each line unit price and amount, of each its amount, or totals alone."""

    UNIT_PRICES = "unit_prices"
    AMOUNTS = "amounts"
    TOTALS = "totals"

    @property
    def with_unit_prices(self) -> bool:
        """Whether the unit price of a line is told."""
        return self is PriceDetail.UNIT_PRICES

    @property
    def with_amounts(self) -> bool:
        """Whether the amount of a line is told."""
        return self is not PriceDetail.TOTALS


class Paper(StrEnum):
    """Paper of the PDF."""

    A4 = "a4"
    LETTER = "letter"


@dataclass(frozen=True, slots=True)
class Layout:
    """How the PDF looks, and what its customer is shown there and behind the link. ``paper`` None: what the currency's
    country prints on; ``accent_colour`` is ``#rrggbb``."""

    paper: Paper | None = None
    accent_colour: str = "#1d4e89"
    prices: PriceDetail = PriceDetail.UNIT_PRICES
    #: Lines stand under the name of their kind, each kind with its sum.
    group_by_kind: bool = False
    #: Assumptions, and what is not included.
    show_assumptions: bool = True
    #: A draft shows the sources of its prices always: it is printed for the estimator.
    show_sources: bool = False
    show_request: bool = True
    show_signature: bool = True


@dataclass(frozen=True, slots=True)
class CompanyProfile:
    """What an organization says of itself beside its name and address, and its defaults for quotes; empty where it
    says nothing. ``locale`` is ``ll-RR``, ``time_zone`` a name of the IANA time zone database."""

    legal_name: str = ""
    phone: str = ""
    email: str = ""
    website: str = ""
    registration_number: str = ""
    tax_number: str = ""
    locale: str = ""
    time_zone: str = ""
    terms: str = ""
    payment_details: str = ""
    layout: Layout = field(default_factory=Layout)


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A line that a template adds. ``price`` is per ``unit``, in the currency of the organization's settings."""

    description: str
    qty: Decimal
    unit: str
    price: Decimal
    kind: LineKind = LineKind.SERVICE
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of quote that an organization makes again and again. None, empty: as the organization's settings say."""

    name: str
    intro: str = ""
    terms: str = ""
    validity_days: int | None = None
    tax_rate: Decimal | None = None
    reduced_tax_rate: Decimal | None = None
    tax_classes: Mapping[str, str] = field(default_factory=dict)
    #: Fraction of the selling price of prices built from cost.
    margin: Decimal | None = None
    lines: tuple[TemplateLine, ...] = ()
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """What a quote keeps: the template that it was made with as it was then, and what was chosen of it and of the
    company."""

    template_id: str = ""
    template: Template | None = None
    intro: str = ""
    terms: str = ""
    payment_details: str = ""
    layout: Layout = field(default_factory=Layout)

    @classmethod
    def made(cls, company: CompanyProfile, template: Template | None = None, template_id: str = "") -> Offer:
        """The offer of a new quote."""
        return cls(
            template_id=template_id,
            template=template,
            intro=template.intro if template is not None else "",
            terms=(template.terms if template is not None else "") or company.terms,
            payment_details=company.payment_details,
            layout=(template.layout if template is not None else None) or company.layout,
        )

    def settings(self, settings: PricingSettings, margin: Decimal | None = None) -> PricingSettings:
        """The organization's settings with what the template decides instead, and before it the request: ``margin``."""
        template = self.template
        if template is not None:
            stated = {
                name: getattr(template, name)
                for name in ("validity_days", "tax_rate", "reduced_tax_rate", "margin")
                if getattr(template, name) is not None
            }
            classes = {**settings.tax_classes, **template.tax_classes}
            settings = replace(settings, tax_classes=classes, **stated)
        return settings if margin is None else replace(settings, margin=margin)

    def complete(self, draft: Draft, settings: PricingSettings) -> Draft:
        """``draft`` with the lines of the template, its charges, sums and taxes made anew.

        ``settings`` are those that it was drafted with, `Offer.settings` of the organization's. Lines of the template
        come after the work, so that what names a line by its place still does, and before the organization's charges.
        In another currency than the settings' they have no price and say so: nothing is converted. A draft without
        work stays without lines.
        """
        if self.template is None or not self.template.lines or not draft.lines:
            return draft
        foreign = draft.currency != settings.currency
        settings = settings.in_currency(draft.currency)
        rules = _told_apart([one.description for one in self.template.lines])
        added = [
            _line(one, rule, self.template.name, foreign=foreign)
            for one, rule in zip(self.template.lines, rules, strict=True)
        ]
        lines = totals.with_further_lines(draft.lines, added, settings)
        sums = totals.totals(lines, settings)
        confidence = remarks.confidence_of(lines)
        before = remarks.review_reasons(draft.lines, draft.confidence)
        # Lines that were entered may have been below the minimum charge before it was a line of its own.
        reached = totals.minimum_line(lines, settings) is None
        reasons = [
            one for one in draft.review_reasons if one not in before and not (reached and remarks.is_below_minimum(one))
        ]
        said = [one for one in draft.assumptions if not remarks.is_charge_said(one)]
        return replace(
            draft,
            lines=lines,
            subtotal_minor=sums.subtotal_minor,
            tax_minor=sums.tax_minor,
            total_minor=sums.total_minor,
            low_minor=sums.low_minor,
            high_minor=sums.high_minor,
            assumptions=tuple(dict.fromkeys((*said, *remarks.charges_said(lines, sums.taxes, settings)))),
            confidence=confidence,
            review_reasons=(*remarks.review_reasons(lines, confidence), *reasons),
            taxes=sums.taxes,
        )


def with_margin(draft: Draft, margin: Decimal | None) -> Draft:
    """The draft with what is said of the margin that it was asked for with, if there was one."""
    if margin is None:
        return draft
    percent = (margin * 100).normalize() + 0
    said = (
        f"A margin of {percent:f} % of the selling price is in prices that are built from cost; prices of the price "
        "book and prices that customers pay already stay as they are."
    )
    return replace(draft, assumptions=(*draft.assumptions, said))


def _told_apart(names: Sequence[str]) -> list[str]:
    """A name for each line of a template, so that one is known again among several of one description, and beside a
    charge that is called alike: "Delivery", "Delivery #2". A quote keeps its template, so they stay the same."""
    found: list[str] = []
    taken = {*totals.OWN_TEXTS}
    for name in names:
        numbers = (f"{name} #{number}" for number in itertools.count(2))
        found.append(next(one for one in itertools.chain([name], numbers) if one not in taken))
        taken.add(found[-1])
    return found


def _line(one: TemplateLine, rule: str, name: str, *, foreign: bool) -> DraftLine:
    amount = money.line_amount_minor(one.qty, one.price)
    part = Component(
        FROM_TEMPLATE, one.description, Decimal(1), one.unit, one.price, one.price, FROM_TEMPLATE, name, "undated"
    )
    source = Source(
        FROM_TEMPLATE, name, one.description, "The organization", "", Coverage.MEASURED, Decimal(1), "undated",
        "The organization's own", (part,),
    )  # fmt: skip
    reason = "The template's price is in another currency than the quote."
    return DraftLine(
        description=one.description,
        qty=one.qty,
        unit=one.unit,
        price=Decimal(0) if foreign else one.price,
        amount_minor=0 if foreign else amount,
        low_minor=0 if foreign else amount,
        high_minor=0 if foreign else amount,
        kind=one.kind,
        priced=not foreign,
        optional=one.optional,
        confidence=SINGLE_CLAIM if foreign else PRICE_BOOK,
        labour_hours=Decimal(0),
        review_reasons=(reason,) if foreign else (),
        span=None,
        source=None if foreign else source,
        rule=rule,
    )
