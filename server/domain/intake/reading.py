"""From text to a form: run the extractors in their order, give each candidate its field, say what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from server.domain.intake.address import Addresses
from server.domain.intake.amounts import amount_alone, amounts, amounts_in_words, currency_of, stated_currency
from server.domain.intake.candidate import Candidate, Context, Kind, Page, as_written
from server.domain.intake.clauses import Clause, clauses
from server.domain.intake.companies import companies
from server.domain.intake.contact import emails, full_phones, phones
from server.domain.intake.corrections import without_corrected
from server.domain.intake.dates import dates
from server.domain.intake.decided import why_not
from server.domain.intake.describing import alike, readings
from server.domain.intake.doubt import doubt
from server.domain.intake.headers import headers
from server.domain.intake.labels import Labelled, by_label, labels
from server.domain.intake.lexicon import TITLES, Lexicon
from server.domain.intake.methods import methods
from server.domain.intake.people import People
from server.domain.intake.profiles import PROFILES, Field, Profile
from server.domain.intake.references import noise, references
from server.domain.intake.times import times
from server.domain.intake.trades import Trades
from server.domain.intake.urgency import urgencies

#: A required field below this is not sure enough to be stored without a person.
SURE = 0.8
#: Two values of one field whose confidences are closer than this are told apart by a person.
CLOSE = 0.12
#: How sure the best of several is at most, and a value that something speaks against.
_DOUBTED = 0.6
#: How sure the longer form of a name must be to stand for the shorter.
_FULLER = 0.7
#: From here on a value was announced as what it is.
_ANNOUNCED = 0.86
_SEVERAL = {
    Kind.PERSON: "people", Kind.DATE: "days", Kind.MONEY: "amounts", Kind.ADDRESS: "addresses", Kind.EMAIL: "addresses",
    Kind.PHONE: "numbers", Kind.REFERENCE: "references", Kind.TIME: "times", Kind.METHOD: "ways to pay",
    Kind.COMPANY: "companies",
}  # fmt: skip
Extractor = Callable[[Page, Context], Iterator[Candidate]]


@dataclass(frozen=True, slots=True)
class Value:
    """A field that was found, the surest reading first."""

    field: str
    candidate: Candidate
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What a person should confirm or add; ``options`` are the values to choose from, if any."""

    field: str
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Intake:
    """A form as far as the text fills it. ``ready`` only where nothing is missing, unsure or ambiguous."""

    profile: str
    values: tuple[Value, ...]
    missing: tuple[str, ...]
    questions: tuple[Question, ...]
    confidence: float
    ready: bool


class IntakeReader:
    """Reads texts into forms. Pure: the same text and context give the same form."""

    def __init__(self, lexicon: Lexicon, trades: Trades) -> None:
        self._trades = trades
        #: Each takes its words out of the page, so that those after it do not read them again: a phone number is no
        #: house number, a date no sum.
        self._extractors: tuple[Extractor, ...] = (
            headers, emails, full_phones, noise, Addresses(lexicon), references, amounts_in_words, amounts, dates, times,
            phones, companies, methods, People(lexicon), urgencies,
        )  # fmt: skip

    def read(self, profile_name: str, text: str, context: Context, decided: Mapping[str, str] | None = None) -> Intake:
        """The form. ``decided`` are values that a person has chosen or typed, by field; empty for a field that is to
        stay empty. Raises `KeyError` for a profile or field that does not exist."""
        profile = PROFILES[profile_name]
        page, found, labelled = self._extract(profile, text, context)
        if profile.past:
            found += _currencies(found, text, replace(context, stated_currency=stated_currency(text)))
        else:
            behind = [start for field, start, _ in labelled if field.kind is Kind.WORK]
            found += (described := [*_described(text, self._clauses(page, found, labelled), behind)])
            spans = [(start, end) for field, start, end in labelled if field.kind is Kind.TRADE]
            place = (described[0].start, described[0].end) if described else (0, 0)
            found += self._trades.of_note(page, *place, spans)
        values = [value for field in profile.fields if (value := _choose(field, found, labelled, text)) is not None]
        return _judge(profile, _decide(profile, values, decided or {}))

    def clauses(self, profile_name: str, text: str, context: Context) -> list[Clause]:
        """The clauses that a note's description is chosen from. Raises `KeyError` for a profile that does not exist."""
        return self._clauses(*self._extract(PROFILES[profile_name], text, context))

    def _extract(
        self, profile: Profile, text: str, context: Context
    ) -> tuple[Page, list[Candidate], tuple[Labelled, ...]]:
        """What all extractors find, the page that they leave, and what stands behind labels."""
        context = replace(
            context,
            past=profile.past,
            by_customer=profile.by_customer,
            stated_currency=stated_currency(text),
        )
        page = Page(text)
        labelled = tuple(labels(profile, text))
        found = [_in_own_letters(one, text) for extract in self._extractors for one in extract(page, context)]
        if not any(one.kind is Kind.MONEY for one in found):
            found += amount_alone(page, context)
        found = without_corrected(found, text)
        found += by_label(labelled, found, text)
        return page, found, labelled

    def _clauses(self, page: Page, found: list[Candidate], labelled: tuple[Labelled, ...]) -> list[Clause]:
        spans = [(field.kind is Kind.WORK, start, end) for field, start, end in labelled]
        return clauses(page, found, self._trades.mentions, spans)


def _in_own_letters(one: Candidate, text: str) -> Candidate:
    """A name or an address in the letters that it was written in."""
    if one.kind not in _CUT:
        return one
    return replace(one, value=as_written(one.value, text[one.start : one.end]))


#: Kinds whose values are words of the note, which extractors cut from its plain letters.
_CUT = frozenset({Kind.PERSON, Kind.ADDRESS})
_LABEL = re.compile(r"[^\n:]{1,40}:\s*")


def _described(text: str, cut: list[Clause], behind_labels: list[int]) -> Iterator[Candidate]:
    """The likeliest description, and others that say something else; a label is no part of what stands behind it."""
    shown: list[str] = []
    for one in readings(cut, text):
        starts = (place for place in behind_labels if _LABEL.fullmatch(text, one.start, place))
        start = min(next(starts, one.start), one.end)
        words = text[start : one.end]
        if words and not any(alike(words, other) for other in shown):
            shown.append(words)
            yield Candidate(Kind.WORK, words, start, one.end, round(min(one.chance, 0.98), 2))


def _decide(profile: Profile, values: list[Value], decided: Mapping[str, str]) -> tuple[Value, ...]:
    """The values with those of a person in their place, in the order of the form."""
    by_field = {value.field: value for value in values}
    kinds = {field.name: field.kind for field in profile.fields}
    for name, given in decided.items():
        text, kind = given.strip(), kinds[name]
        question = why_not(kind, text) if text else ""
        read = by_field.get(name)
        others = (read.candidate.value, *read.alternatives) if read else ()
        alternatives = tuple(dict.fromkeys(one for one in others if one and one != text))
        candidate = Candidate(kind, text, 0, 0, 0.0 if question else 1.0, question=question)
        by_field[name] = Value(name, candidate, alternatives)
    return tuple(by_field[field.name] for field in profile.fields if field.name in by_field)


def _currencies(found: list[Candidate], text: str, context: Context) -> list[Candidate]:
    """The currencies of the sums; where one is to be asked about, none of another sum stands in for it."""
    currencies = []
    for one in found:
        if one.kind is Kind.MONEY:
            currency, said, question = currency_of(text[one.start : one.end], context)
            sure = 0.5 if question else 0.95 if said else 0.85
            rule = "" if said else "currency.of_workspace"
            others = (context.currency,) if question and currency not in ("", context.currency) else ()
            currencies.append(Candidate(Kind.CURRENCY, currency, one.start, one.end, sure, rule, question, others))
    return [one for one in currencies if one.question] or currencies


def _choose(field: Field, found: list[Candidate], labelled: tuple[Labelled, ...], text: str) -> Value | None:
    of_kind = [one for one in found if one.kind is field.kind]
    if not of_kind:
        return None
    spans = [(start, end) for other, start, end in labelled if other is field]

    def sureness(one: Candidate) -> float:
        if field.kind in {Kind.WORK, Kind.TRADE}:  # chances that know of labels
            return one.confidence
        inside = any(start <= one.start and one.end <= end for start, end in spans)
        return one.confidence if one.question else min(0.98, one.confidence + (0.1 if inside else 0))

    ranked = sorted(of_kind, key=lambda one: (-sureness(one), one.start))
    best = replace(ranked[0], confidence=sureness(ranked[0]))
    if field.kind is Kind.PERSON:
        fuller = [
            one
            for one in ranked
            if _same(Kind.PERSON, one.value, best.value)
            and len(one.value) > len(best.value)
            and one.confidence >= _FULLER
        ]
        best = replace(max(fuller, key=lambda one: len(one.value)), confidence=best.confidence) if fuller else best
    others = [one for one in ranked[1:] if not _same(field.kind, one.value, best.value)]
    alternatives = tuple(dict.fromkeys([*best.alternatives, *(one.value for one in others if one.value)]))
    close = [one for one in others if one.value and _rivals(field.kind, best, one, sureness(one))]
    if close and not best.question and field.kind in _SEVERAL:
        question = f"There are several {_SEVERAL[field.kind]}: is it {best.value}?"
        best = replace(best, question=question, confidence=min(best.confidence, _DOUBTED))
    if field.required and not best.question and (why := doubt(best, found, text, spans)):
        best = replace(best, question=why, confidence=min(best.confidence, _DOUBTED))
    return Value(field.name, best, alternatives)


def _rivals(kind: Kind, best: Candidate, other: Candidate, sure: float) -> bool:
    """Whether a person must tell which of two values it is."""
    if kind is Kind.PERSON and " " in best.value and " " not in other.value and best.confidence >= _ANNOUNCED:
        return False
    if other.question and kind in {Kind.MONEY, Kind.PHONE} and best.confidence < _ANNOUNCED:
        return True
    return best.confidence - sure < CLOSE


def _same(kind: Kind, one: str, other: str) -> bool:
    if kind is Kind.PERSON:
        first, second = ({word.strip(".").lower() for word in name.split()} - TITLES for name in (one, other))
        return first <= second or second <= first
    return one.casefold() == other.casefold()


def _judge(profile: Profile, values: tuple[Value, ...]) -> Intake:
    have = {value.field: value for value in values if value.candidate.value}
    questions = [
        Question(
            value.field,
            value.candidate.question,
            tuple(one for one in (value.candidate.value, *value.alternatives) if one),
        )
        for value in values
        if value.candidate.question
    ]
    missing = [field.name for field in profile.fields if field.required and field.name not in have]
    by_name = {field.name: field for field in profile.fields}
    questions += [Question(name, by_name[name].question) for name in missing]
    wanted = [
        have[field.name].candidate.confidence for field in profile.fields if field.required and field.name in have
    ]
    for group in profile.one_of:
        given = [have[name].candidate.confidence for name in group if name in have]
        wanted += [max(given)] if given else []
        if not given:
            missing.append(group[0])
            questions.append(Question(group[0], " Or: ".join(by_name[name].question for name in group)))
    confidence = 0.0 if missing or not wanted else min(wanted)
    unsure = [value for value in values if value.candidate.confidence < SURE and by_name[value.field].required]
    questions += [
        Question(value.field, f"Is it {value.candidate.value}?", (value.candidate.value, *value.alternatives))
        for value in unsure
        if not value.candidate.question
    ]
    return Intake(
        profile.name,
        tuple(have.values()),
        tuple(missing),
        tuple(questions),
        round(confidence, 2),
        not missing and not questions,
    )
