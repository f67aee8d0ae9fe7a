"""A priced draft: lines with amounts, each with the facts its price came from. ``total`` = Σ amounts + tax, in minor
units (D3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from server.domain.document import DocumentPlace
from server.domain.drafting.proposals import Proposals
from server.domain.pricing.derivation import Term
from server.domain.records import record
from server.domain.takeoff import Question, Span


class LineKind(StrEnum):
    """What a line charges for (D3)."""

    MATERIAL = "material"
    LABOUR = "labour"
    SERVICE = "service"
    FEE = "fee"


class Coverage(StrEnum):
    """How far the facts reach the place asked for: its own figures, a wider or other area's, or no wage level of the
    place at all."""

    MEASURED = "measured"
    INTERPOLATED = "interpolated"
    ABSENT = "absent"


@record(frozen=True, slots=True)
class Component:
    """One step of the arithmetic behind a unit price: ``quantity × rate = amount`` per unit of the line, with its fact.

    ``kind`` is ``labour``, ``material``, ``other`` (mortar, plant, disposal), ``observed``, ``claim``, ``price_book``,
    ``factor``, ``markup``, ``charge`` or ``entered``.
    ``amount`` is in the line's currency, per unit of the line, unrounded; the line's price is the sum of its
    components' amounts, rounded once.
    """

    kind: str
    description: str
    quantity: Decimal
    unit: str
    rate: Decimal
    amount: Decimal
    dataset_id: str
    row: str
    as_of: str
    #: How ``quantity`` and ``rate`` came about; None: they are facts themselves, as the row states them.
    quantity_from: Term | None = field(default=None, compare=False, repr=False)
    rate_from: Term | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a price comes from. ``kind`` is the strongest fact behind it: price_book, observed, norm, claims,
    single_claim, list_price, settings for what the organization charges by its own rule, or entered for a price that
    somebody of the organization stated for the line."""

    kind: str
    row: str
    name: str
    supplier: str
    place: str
    coverage: Coverage
    #: Factor on the labour share for the place, 1 where none applies.
    region_factor: Decimal
    as_of: str
    licence: str
    components: tuple[Component, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitPrice:
    """The price of one unit of a task at a place. ``low`` and ``high`` bound it. ``labour_share`` is the part that is
    labour, 0–1."""

    price: Decimal
    low: Decimal
    high: Decimal
    currency: str
    unit: str
    kind: LineKind
    confidence: Decimal
    labour_share: Decimal
    labour_hours: Decimal
    source: Source
    review_reasons: tuple[str, ...] = ()
    #: What the price takes for granted, one sentence each; belongs among the draft's assumptions, no reason for review.
    assumptions: tuple[str, ...] = ()


#: What people can enter in a line.
ENTERED = ("description", "qty", "unit", "price", "kind", "optional")


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One line. Unpriced: ``price`` 0, ``amount_minor`` 0, ``source`` None, and a reason among ``review_reasons``."""

    description: str
    qty: Decimal
    unit: str
    price: Decimal
    amount_minor: int
    low_minor: int
    high_minor: int
    kind: LineKind
    priced: bool
    optional: bool
    confidence: Decimal
    labour_hours: Decimal
    review_reasons: tuple[str, ...]
    span: Span | None
    task_id: str = ""
    source: Source | None = None
    #: What the charge or the template's line is called that the line comes from; it stays when the line is renamed
    #: ("Site set-up" that is now "Scaffold") or priced by hand. Empty: the line comes from neither.
    rule: str = ""
    #: Names the line in all versions of its quote, never reused there; 0 while it is not stored.
    line_id: int = 0
    #: What people entered or changed by hand, in the words of the contract: description, qty, unit, price, kind,
    #: optional. In the order of `ENTERED`.
    entered: tuple[str, ...] = ()
    #: Where in its document the line was asked for; None where it was not drafted from one.
    place: DocumentPlace | None = None

    @property
    def needs_review(self) -> bool:
        """A line with any reason to look at it wants a look."""
        return bool(self.review_reasons)


@dataclass(frozen=True, slots=True)
class TaxLine:
    """The tax of one class: ``tax_minor`` is ``rate`` of ``base_minor``, rounded half-even once. ``kinds`` are the
    kinds of line in the class."""

    tax_class: str
    kinds: tuple[str, ...]
    rate: Decimal
    base_minor: int
    tax_minor: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole draft in one currency. Unpriced and optional lines stay out of every sum.

    ``tax_minor`` is the sum of ``taxes``, which have one entry for each class that charged lines fall in.
    """

    currency: str
    lines: tuple[DraftLine, ...]
    subtotal_minor: int
    tax_minor: int
    total_minor: int
    low_minor: int
    high_minor: int
    confidence: Decimal
    location: str
    assumptions: tuple[str, ...]
    exclusions: tuple[str, ...]
    questions: tuple[Question, ...]
    review_reasons: tuple[str, ...]
    engine_version: str
    taxes: tuple[TaxLine, ...] = ()
    #: What a language model proposed, where any of it was taken.
    proposals: Proposals | None = None

    @property
    def needs_review(self) -> bool:
        """Whether the quote itself or one of its lines has a reason to be looked at."""
        return bool(self.review_reasons) or any(line.needs_review for line in self.lines)
