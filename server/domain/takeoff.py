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
    #: Where the request asks for it; None where only the customer's answer does.
    span: Span | None
    confidence: Decimal
    #: The customer supplies the materials: labour only is charged.
    materials_by_customer: bool = False
    #: An alternative or option: priced, shown, never in the total.
    optional: bool = False
    storeys: int = 1
    #: Coats that are asked for.
    coats: int = 1
    #: Why an estimator should look at this line, one sentence each.
    review_reasons: tuple[str, ...] = ()
    #: Ids of the catalogue tasks that came next, best first.
    candidates: tuple[str, ...] = ()
    #: The words that ask for it: of the request, and of answers about it.
    said: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask the customer. ``field`` names what the answer decides, e.g. ``line_items[2].qty``; ``swing_minor``
    the price difference it decides, where it can be told.

    ``question_id`` comes from what is asked about, so one text asks under the same id whatever else was answered;
    empty for questions stored before there were ids.
    """

    field: str
    text: str
    span: Span | None = None
    swing_minor: int | None = None
    question_id: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the customer said to the question ``question_id``, in words: "about 12 m", "the vinyl one"."""

    question_id: str
    text: str


class UnreadableAnswerError(ValueError):
    """An answer that decides nothing: no figure in a unit that counts, no kind that is known, no such question."""

    def __init__(self, question_id: str, message: str) -> None:
        super().__init__(message)
        self.question_id = question_id
        self.message = message


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
