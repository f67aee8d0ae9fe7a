"""What a work request asks for, before any price: the takeoff. Spans are code points into the request as sent."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range ``[start, end)`` of code points in the request text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TakeoffItem:
    """One thing to do. ``qty`` is None where the text gives none and no disclosed rule derives one."""

    #: Catalogue task, or empty where the words name none (the line stays unpriced and is flagged).
    task_id: str
    description: str
    verb: str
    qty: Decimal | None
    unit: str
    span: Span
    confidence: Decimal
    #: The customer supplies the materials: labour only is charged.
    materials_by_customer: bool = False
    #: An alternative or option: priced, shown, never in the total.
    optional: bool = False
    storeys: int = 1
    #: Times the work is done over the same quantity (coats of paint, visits).
    repeats: int = 1
    #: Why an estimator should look at this line, one sentence each.
    review_reasons: tuple[str, ...] = ()
    #: Ids of the catalogue tasks that came next, best first.
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask the customer. ``field`` names what the answer decides, e.g. ``items[2].qty``; ``swing_minor`` the
    price difference it decides, where it can be told."""

    field: str
    text: str
    span: Span | None = None
    swing_minor: int | None = None


@dataclass(frozen=True, slots=True)
class Takeoff:
    """The reading of one request."""

    items: tuple[TakeoffItem, ...]
    #: Location words found in the text ("Nashville"), empty where none.
    location: str = ""
    assumptions: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    #: Passages that were taken for no work, as written: an estimator should see what was passed over.
    unread: tuple[str, ...] = ()
