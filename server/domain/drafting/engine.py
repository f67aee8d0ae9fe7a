"""The drafting engine: a request becomes a takeoff, the takeoff priced lines, the lines a draft that adds up
exactly."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import zip_longest
from typing import Protocol

from server.domain.bill import Bill
from server.domain.catalogue import Catalogue, Place, Task
from server.domain.draft import Draft, DraftLine, LineKind, UnitPrice
from server.domain.drafting import asking, bills, judging, supplying
from server.domain.drafting.confidence import line_confidence
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.proposals import Proposals, split_answers, with_proposals
from server.domain.drafting.reading import read_request
from server.domain.drafting.settling import MAX_QUESTIONS
from server.domain.drafting.wording import describe
from server.domain.money import line_amount_minor
from server.domain.pricing import amounts, remarks, totals
from server.domain.pricing.build_up import Unpriced
from server.domain.pricing.confidence import UNPRICED
from server.domain.pricing.price_book import OwnPrice, PriceBook, own_price
from server.domain.pricing.remembered import Prices
from server.domain.regions import COUNTRY_OF, IN_FEET, PlaceMatch, currency_at
from server.domain.settings import PricingSettings
from server.domain.takeoff import Answer, Question, Span, Takeoff, TakeoffItem
from server.domain.units import ONE_IS_MEANT, dimension, factor

#: Raise with any change of a rule that can change a draft; it is part of `Draft.engine_version`.
RULES_VERSION = "84"
#: How a line ends its reason that the price of another has its work in it.
INCLUDED = "shown as an option, and not charged twice."
#: Sources that state what a whole job costs, with what belongs to it.
_WITH_ALL = frozenset({"observed", "claims", "single_claim"})
#: Verbs of work that leaves something to be taken away.
_TAKES_OUT = frozenset({"remove", "replace"})


@dataclass(frozen=True, slots=True)
class _Priced:
    """A line with the item it came from and the price behind it, None where it has none."""

    line: DraftLine
    item: TakeoffItem
    price: UnitPrice | None
    #: Its work is in the price of another line: it is done, and not charged for itself.
    included: bool = False


#: Prices by what they depend on, so that a list of a hundred equal lines is priced once.
_Known = dict[tuple[str, str, bool, int, int, Decimal, Decimal | None], UnitPrice | Unpriced]
#: How much of each task that is priced by its amount a job has, by unit.
_Amounts = dict[str, dict[str, Decimal]]


class Gazetteer(Protocol):
    """Finds places in requests and in location fields: `server.domain.regions.Gazetteer`."""

    def find_in_request(self, text: str, country_hint: str = "US") -> tuple[Place, Span] | None:
        """The place that a request names, with where it does."""

    def find(self, text: str, country_hint: str = "US") -> PlaceMatch | None:
        """The place that a location field names."""


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a draft's prices are for; ``match`` is None where that is no known place."""

    match: PlaceMatch | None
    #: What the location field says, where no place is known by it.
    unknown: str = ""

    @property
    def place(self) -> Place | None:
        """The place itself."""
        return self.match.place if self.match is not None else None


@dataclass(frozen=True, slots=True)
class _Named:
    """The place that one request names, looked up once for the reading and the pricing."""

    found: tuple[Place, Span] | None

    def find_in_request(self, _text: str) -> tuple[Place, Span] | None:
        """The place found before."""
        return self.found


class Drafter:
    """Drafts quotes from text. Holds only what the catalogue gives, so one instance serves every thread."""

    def __init__(self, catalogue: Catalogue, gazetteer: Gazetteer | None) -> None:
        self._catalogue = catalogue
        self._gazetteer = gazetteer
        self._prices = Prices(catalogue)
        self._index = TaskIndex.build(catalogue)
        # Read now, not by the first request.
        asking.weights()
        supplying.weights()
        judging.trees()
        self.version = hashlib.sha256(f"{RULES_VERSION}\n{catalogue.version}".encode()).hexdigest()[:16]

    def draft(
        self, text: str, *, industry: str = "", location: str = "", settings: PricingSettings,
        book: PriceBook | None = None, answers: Sequence[Answer] = (), proposals: Proposals | None = None,
    ) -> Draft:  # fmt: skip
        """The draft for ``text``: the same text, arguments, catalogue and book always give the same draft.

        ``book`` holds the organization's own prices, which win over every public fact. ``answers`` are all answers to
        questions of earlier drafts of this text. ``proposals`` are a language model's, None where none was asked.
        Raises `UnreadableAnswerError` for an answer that decides nothing, what the book's look-up raises, nothing of
        its own.
        """
        named = _Named(self._located(text, settings))
        site = self._site(text, named, location, settings)
        read = partial(read_request, industry=industry, index=self._index, metric=_in_metres(site, settings))
        said = ""
        if proposals is None:
            takeoff = read(text, gazetteer=named, answers=answers)
        else:
            about_text, others = split_answers(answers)
            takeoff = read(text, gazetteer=named, answers=about_text)
            takeoff, said = with_proposals(takeoff, proposals, text, others, partial(read, gazetteer=None))
        draft = self._drafted(takeoff, site, settings, book)
        if said:
            taken = None if proposals is None or proposals.failure else proposals
            draft = replace(draft, review_reasons=(*draft.review_reasons, said), proposals=taken)
        return replace(draft, engine_version=self._version_with(book, proposals))

    def empty(self, location: str, settings: PricingSettings) -> Draft:
        """A draft without lines, for those that people enter, at the place that the field names, else the
        organization's own."""
        draft = self._drafted(Takeoff(items=()), self._site("", _Named(None), location, settings), settings, None)
        return replace(draft, engine_version=self.version)

    def draft_bill(self, bill: Bill, *, settings: PricingSettings, book: PriceBook | None = None) -> Draft:
        """The draft for a bill of quantities: a line for each of its rows, in their order, and the charges after them.

        The place is what the text around the bill names. It asks no questions. Raises what the book's look-up raises.
        """
        around = bill.prose[: bills.READ_AROUND]
        named = _Named(self._located(around, settings))
        site = self._site(around, named, "", settings)
        metric = _in_metres(site, settings)
        read = read_request(around, industry="", index=self._index, gazetteer=named, metric=metric)
        takeoff = bills.bill_takeoff(bill, read, self._index)
        draft = self._drafted(takeoff, site, settings, book, [bills.barred(row) for row in bill.rows])
        lines = tuple(bills.with_row(line, row) for line, row in zip(draft.lines, bill.rows, strict=False))
        return replace(
            draft,
            lines=lines + draft.lines[len(lines) :],
            review_reasons=(*draft.review_reasons, *bills.reasons_of(bill)),
            engine_version=self._version_with(book, None),
        )

    def _drafted(
        self, takeoff: Takeoff, site: _Site, settings: PricingSettings, book: PriceBook | None,
        barred: Sequence[OwnPrice | None] = (),
    ) -> Draft:  # fmt: skip
        """The takeoff priced at a place. ``barred`` has for each item why nothing may price it, None where something
        may."""
        place = site.place
        if site.match is not None and site.match.note:
            takeoff = replace(takeoff, assumptions=(*takeoff.assumptions, site.match.note))
        home, settings = settings, settings.in_currency(currency_at(place, settings.currency))
        is_bill = bool(barred)
        own = [
            bar or self._own(book, item, settings)
            for item, bar in zip_longest(takeoff.items, barred[: len(takeoff.items)])
        ]
        # A row of a bill keeps the words of the document.
        if not is_bill:
            named = tuple(_as_the_book_calls_it(item, one) for item, one in zip(takeoff.items, own, strict=True))
            takeoff = replace(takeoff, items=named)
        # Whether a job is small shows only when it is priced: then it is priced anew by the rule for small jobs.
        plain = settings if settings.small_job_factor == 1 else replace(settings, small_job_factor=Decimal(1))
        priced = self._all_priced(takeoff.items, place, plain, own)
        if totals.is_small_job([entry.line for entry in priced], settings):
            priced = self._all_priced(takeoff.items, place, settings, own)
        else:
            settings = plain
        # Who measures the work row by row wants each row priced.
        priced = priced if is_bill else self._once_each(priced)
        if settings.currency != home.currency and home.has_charges:
            note = f"The organization's charges are in {home.currency}; in {settings.currency} none is applied."
            takeoff = replace(takeoff, assumptions=(*takeoff.assumptions, note))
        return self._assembled(takeoff, priced, site, settings)

    def _version_with(self, book: PriceBook | None, proposals: Proposals | None) -> str:
        own = "" if book is None else f"-{book.version}"
        model = "" if proposals is None or proposals.failure else f"-model-{proposals.version}"
        return self.version + own + model

    def _located(self, text: str, settings: PricingSettings) -> tuple[Place, Span] | None:
        if self._gazetteer is None:
            return None
        return self._gazetteer.find_in_request(text, COUNTRY_OF.get(settings.currency, "US"))

    def _site(self, text: str, request: _Named, location: str, settings: PricingSettings) -> _Site:
        """The location field first, then the place the text names, then the organization's own."""
        if self._gazetteer is None:
            return _Site(None)
        hint = COUNTRY_OF.get(settings.currency, "US")
        named = self._gazetteer.find(location, hint) if location else None
        if named is not None:
            return _Site(named)
        if request.found is not None:
            place, span = request.found
            # The words alone again, to say where they name several places.
            named = self._gazetteer.find(text[span.start : span.end], hint)
            if named is None or named.place != place:
                named = PlaceMatch(place)
        elif settings.home_location:
            named = self._gazetteer.find(settings.home_location, hint)
        return _Site(named, unknown=location)

    # --- lines -------------------------------------------------------------------------------------------------------

    def _own(self, book: PriceBook | None, item: TakeoffItem, settings: PricingSettings) -> OwnPrice:
        if book is None:
            return OwnPrice()
        return own_price(book, item, item.said, task=self._catalogue.tasks.get(item.task_id), settings=settings)

    def _all_priced(
        self, items: Sequence[TakeoffItem], place: Place | None, settings: PricingSettings, own: Sequence[OwnPrice]
    ) -> list[_Priced]:
        known: _Known = {}
        job = self._amounts(items)
        return [self._priced(item, place, settings, one, known, job) for item, one in zip(items, own, strict=True)]

    def _amounts(self, items: Sequence[TakeoffItem]) -> _Amounts:
        found: _Amounts = {}
        for item in items:
            if item.qty is not None and not item.optional and self._by_amount(item):
                by_unit = found.setdefault(item.task_id, {})
                by_unit[item.unit] = by_unit.get(item.unit, Decimal(0)) + item.qty
        return found

    def _by_amount(self, item: TakeoffItem) -> bool:
        task = self._catalogue.tasks.get(item.task_id)
        return task is not None and amounts.by_amount(task, item.unit)

    def _of_the_job(self, item: TakeoffItem, job: _Amounts) -> Decimal | None:
        """How much of an item's work the job has, in the item's unit; None where its price does not go by that."""
        if not self._by_amount(item):
            return None
        own = item.qty if item.optional and item.qty is not None else Decimal(0)
        return sum((qty * factor(unit, item.unit) for unit, qty in job.get(item.task_id, {}).items()), own)

    def _priced(
        self, item: TakeoffItem, place: Place | None, settings: PricingSettings, own: OwnPrice, known: _Known,
        job: _Amounts,
    ) -> _Priced:  # fmt: skip
        task = self._catalogue.tasks.get(item.task_id)
        if own.reasons:
            item = replace(item, review_reasons=(*item.review_reasons, *own.reasons))
        if own.price is not None:
            stated = () if item.qty is not None else ("Quantity missing: one is priced.",)
            line = _line(item, item.qty or Decimal(1), own.price, (*item.review_reasons, *stated))
            return _Priced(line, item, own.price)
        if task is None or own.final:
            return _Priced(_unpriced_line(item, ()), item, None)
        reasons = item.review_reasons
        qty = item.qty
        if qty is None and dimension(task.unit) in ONE_IS_MEANT:
            qty, reasons = Decimal(1), (*reasons, "Quantity missing: one is priced.")
        if qty is None:
            return _Priced(_unpriced_line(item, ()), item, None)
        much = self._of_the_job(item, job)
        asked = (item.task_id, item.unit, item.materials_by_customer, item.storeys, item.coats, qty, much)
        price = known.get(asked) or known.setdefault(asked, self._unit_price(item, place, settings, qty, much))
        for other in () if isinstance(price, UnitPrice) else self._instead(task, item):
            instead = self._unit_price(other, place, settings, qty, much)
            if isinstance(instead, UnitPrice):
                item, price = other, instead
                break
        if not isinstance(price, UnitPrice):
            return _Priced(_unpriced_line(replace(item, qty=qty), (price.reason,)), item, None)
        return _Priced(_line(item, qty, price, reasons), item, price)

    def _once_each(self, priced: Sequence[_Priced]) -> list[_Priced]:
        """The same, with work that the public price of another line has in it as an option: it is not charged twice.
        What is measured alike is in it where it is as much."""
        tasks = self._catalogue.tasks
        included: dict[tuple[str, Decimal, str], str] = {}
        whole: dict[str, str] = {}
        for entry in priced:
            task = tasks.get(entry.item.task_id)
            if task is not None and _has_all(entry.line) and not entry.line.optional:
                much = (entry.line.qty, entry.line.unit)
                for other in task.includes:
                    if dimension(tasks[other].unit) is dimension(task.unit):
                        included[other, *much] = entry.line.description
                    else:
                        whole[other] = entry.line.description
        return [
            _as_included(
                entry,
                included.get((entry.item.task_id, entry.line.qty, entry.line.unit), whole.get(entry.item.task_id, "")),
            )
            for entry in priced
        ]

    def _instead(self, task: Task, item: TakeoffItem) -> Iterator[TakeoffItem]:
        """What an item that no source prices may be priced as: the fitting alone of what the customer has, where none
        splits the price; the work of any kind."""
        fitting = self._catalogue.fitted_only(task) if item.materials_by_customer else None
        if fitting is not None:
            yield replace(item, task_id=fitting.task_id, description=fitting.name)
        whole = self._catalogue.tasks.get(task.of)
        if whole is not None and dimension(whole.unit) is dimension(task.unit):
            yield replace(item, task_id=whole.task_id, description=describe(whole, item.verb))

    def _unit_price(
        self, item: TakeoffItem, place: Place | None, settings: PricingSettings, qty: Decimal, much: Decimal | None
    ) -> UnitPrice | Unpriced:
        """The price of an item of which the line has ``qty``, and the job ``much``, None where that is all one."""
        return self._prices.price(
            self._catalogue.tasks[item.task_id], unit=item.unit, place=place, settings=settings,
            materials_by_customer=item.materials_by_customer, storeys=item.storeys, coats=item.coats,
            quantity=qty, job_quantity=much, small_job=settings.small_job_factor != 1,
        )  # fmt: skip

    # --- the draft ---------------------------------------------------------------------------------------------------

    def _assembled(self, takeoff: Takeoff, priced: Sequence[_Priced], site: _Site, settings: PricingSettings) -> Draft:
        lines = tuple(entry.line for entry in priced)
        lines += totals.charge_lines(lines, self._job(priced), settings)
        sums = totals.totals(lines, settings)
        stated = (text for entry in priced if entry.price is not None for text in entry.price.assumptions)
        assumptions = tuple(
            dict.fromkeys((*takeoff.assumptions, *stated, *remarks.charges_said(lines, sums.taxes, settings)))
        )
        confidence = remarks.confidence_of(lines)
        return Draft(
            currency=settings.currency,
            lines=lines,
            subtotal_minor=sums.subtotal_minor,
            tax_minor=sums.tax_minor,
            total_minor=sums.total_minor,
            low_minor=sums.low_minor,
            high_minor=sums.high_minor,
            confidence=confidence,
            location=_place_name(site.place) or takeoff.location,
            assumptions=assumptions,
            exclusions=takeoff.exclusions,
            questions=self._questions(takeoff, priced, site.place, settings),
            review_reasons=_review_reasons(lines, confidence, site, takeoff.unread),
            engine_version=self.version,
            taxes=sums.taxes,
        )

    def _job(self, priced: Sequence[_Priced]) -> totals.Job:
        """What the organization's charges hang on, of the lines that count."""
        items = [entry.item for entry in priced if entry.included or (entry.line.priced and not entry.line.optional)]
        tasks = self._catalogue.tasks
        return totals.Job(
            takes_out=any(item.verb in _TAKES_OUT for item in items),
            above_ground=any(
                item.storeys > 1 and (task := tasks.get(item.task_id)) is not None and task.outdoor_height
                for item in items
            ),
        )

    def _questions(
        self, takeoff: Takeoff, priced: Sequence[_Priced], place: Place | None, settings: PricingSettings
    ) -> tuple[Question, ...]:
        """At most three, the largest price difference first; what decides whether a line has a price at all leads."""
        job = self._amounts([one.item for one in priced])
        asked = [self._with_swing(question, priced, place, settings, job) for question in takeoff.questions]
        asked = [question for question in asked if question.swing_minor != 0]
        order = sorted(
            range(len(asked)), key=lambda n: (asked[n].swing_minor is not None, -(asked[n].swing_minor or 0), n)
        )
        return tuple(asked[n] for n in order[:MAX_QUESTIONS])

    def _with_swing(
        self, question: Question, priced: Sequence[_Priced], place: Place | None, settings: PricingSettings,
        job: _Amounts,
    ) -> Question:  # fmt: skip
        """The swing of a choice between kinds is the spread of their prices over the line's quantity; others
        cannot be told."""
        if not question.field.endswith("].task_id"):
            return question
        entry = priced[int(question.field[len("line_items[") : question.field.index("]")])]
        if entry.price is None:
            return question
        charged = [entry.line.amount_minor]
        much = self._of_the_job(entry.item, job)
        for task_id in entry.item.candidates[:2]:
            other = self._unit_price(replace(entry.item, task_id=task_id), place, settings, entry.line.qty, much)
            if isinstance(other, UnitPrice) and other.unit == entry.price.unit:
                charged.append(line_amount_minor(entry.line.qty, other.price))
        return replace(question, swing_minor=max(charged) - min(charged))


def _as_the_book_calls_it(item: TakeoffItem, own: OwnPrice) -> TakeoffItem:
    """The item, by the name of the organization's own price where it has one: that name says what the price is for."""
    return item if own.price is None else replace(item, description=own.price.source.name)


def _line(item: TakeoffItem, qty: Decimal, price: UnitPrice, reasons: Sequence[str]) -> DraftLine:
    scope = {LineKind.LABOUR: "labour only", LineKind.MATERIAL: "materials only"}.get(price.kind, "")
    if not scope and price.kind is LineKind.SERVICE and price.labour_share < 1 and not item.materials_by_customer:
        scope = "labour and materials"
    coats = f", {item.coats} coats" if item.coats > 1 else ""
    return DraftLine(
        description=item.description + coats + (f" — {scope}" if scope else ""),
        qty=qty,
        unit=price.unit,
        price=price.price,
        amount_minor=line_amount_minor(qty, price.price),
        low_minor=line_amount_minor(qty, price.low),
        high_minor=line_amount_minor(qty, price.high),
        kind=LineKind.LABOUR if item.materials_by_customer else price.kind,
        priced=True,
        optional=item.optional,
        confidence=line_confidence(item.confidence, price.confidence),
        labour_hours=qty * price.labour_hours,
        review_reasons=tuple(dict.fromkeys((*reasons, *price.review_reasons))),
        span=item.span,
        task_id=item.task_id,
        source=price.source,
    )


def _has_all(line: DraftLine) -> bool:
    """Whether a line's price is one that publishers state, or permits declare, for the whole work."""
    return line.source is not None and line.source.kind in _WITH_ALL


def _as_included(entry: _Priced, by: str) -> _Priced:
    """An entry whose work is in the price of the line that reads ``by``; unchanged where that is empty."""
    if not by or not _has_all(entry.line):
        return entry
    reason = f"In the price of “{by}” already: {INCLUDED}"
    line = replace(entry.line, optional=True, review_reasons=(*entry.line.review_reasons, reason))
    return replace(entry, line=line, included=True)


def _unpriced_line(item: TakeoffItem, reasons: Sequence[str]) -> DraftLine:
    return DraftLine(
        description=item.description,
        qty=item.qty or Decimal(1),
        unit=item.unit,
        price=Decimal(0),
        amount_minor=0,
        low_minor=0,
        high_minor=0,
        kind=LineKind.LABOUR if item.materials_by_customer else LineKind.SERVICE,
        priced=False,
        optional=item.optional,
        confidence=min(item.confidence, UNPRICED),
        labour_hours=Decimal(0),
        review_reasons=tuple(dict.fromkeys((*item.review_reasons, *reasons))) or ("No price.",),
        span=item.span,
        task_id=item.task_id,
    )


def _in_metres(site: _Site, settings: PricingSettings) -> bool:
    """Whether sides without a unit are told in metres where the work is: Canada's trades work in feet."""
    country = site.place.country if site.place is not None else COUNTRY_OF.get(settings.currency, "")
    return country not in IN_FEET


def _place_name(place: Place | None) -> str:
    if place is None:
        return ""
    return ", ".join(part for part in (place.name, place.admin, place.country) if part)


def _review_reasons(
    lines: Sequence[DraftLine], confidence: Decimal, site: _Site, unread: Sequence[str]
) -> tuple[str, ...]:
    reasons = remarks.review_reasons(lines, confidence)
    priced_for = (
        f"prices are for {_place_name(site.place)}" if site.place is not None else "prices are not adjusted to one"
    )
    if site.unknown:
        reasons.append(f"“{site.unknown}” is no known place: {priced_for}.")
    elif lines and site.place is None:
        reasons.append(f"The request names no known place: {priced_for}.")
    reasons += [f"Taken for no work: “{said}”." for said in unread]
    return tuple(reasons)
