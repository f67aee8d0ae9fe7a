"""From a messy note to a lead, a quote, a job or a payment: what was found is offered field by field, a person decides.

A form holds the note and one input for each field. Whatever stands in an input has been decided, by typing it or by
taking what is offered; the server says whether the record is ready, and nothing is kept before it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace

import orjson
from quotewright.v1 import customer_pb2, lead_pb2, quote_pb2, writing_assist_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.web.portal.view import JSON, Shown, Visit, number, of_this_page, view

_Form = writing_assist_pb2.GetIntakeFormResponse
_Found = writing_assist_pb2.CorrectIntakeResponse
_Record = Mapping[str, str]
#: Characters of a trade, as drafting takes it.
_LONGEST_TRADE = 80
_LABELS = {
    "customer_name": "Customer",
    "description": "What is to be done",
    "email": "E-mail address",
    "phone": "Phone number",
    "preferred_date": "Preferred day",
    "preferred_time": "Preferred time",
    "date": "Day",
}
#: How a value is written, by its kind.
_HINTS = {
    "date": "As 2026-11-23.",
    "time": "As 09:30, or 09:00/12:00 for a time between.",
    "money": "Figures with a point: 1250.00.",
    "currency": "Three letters: USD.",
    "phone": "With country code: +1 615 555 0100.",
}


@dataclass(frozen=True, slots=True)
class _Profile:
    """A form: its titles, and what keeps a record, if anything does: it gives the path to go on to."""

    title: str
    button: str
    keep: Callable[[Visit, _Record], Awaitable[str]] | None


@dataclass(frozen=True, slots=True)
class _Offer:
    """A value to take: ``why`` tells how sure it is and where it stands."""

    value: str
    why: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A field of the form as it is shown."""

    name: str
    label: str
    kind: str
    hint: str
    required: bool
    value: str
    question: str
    offers: tuple[_Offer, ...]


async def _choose(visit: Visit) -> Shown:
    return visit.page("intake_choice.html", profiles=_PROFILES)


async def _empty(visit: Visit) -> Shown:
    return _page(visit, await _form(visit), None)


async def _read(visit: Visit) -> Shown:
    """Read the note, take what is offered, or keep the record: as the button says that was pressed."""
    form = await _form(visit)
    action, _, detail = visit.first("do").partition(":")
    if action in ("save", "download"):
        return await _finish(visit, form, action)
    try:
        if action == "use":
            name, _, value = detail.partition(":")
            _take(visit, {name: value})
        elif action == "use_all":
            found = await _correct(visit, form, _filled(visit, form))
            questions = {one.field for one in found.questions}
            _take(visit, {name: one.value for name, one in found.fields.items() if name not in questions})
        return _page(visit, form, await _correct(visit, form, _filled(visit, form)))
    except Problem as problem:
        return _page(visit, form, None, _bearable(problem))


async def _finish(visit: Visit, form: _Form, action: str) -> Shown:
    """Keep the record, or hand it over, if it is ready. Empty fields have been decided, too: they stay empty."""
    record = _filled(visit, form)
    try:
        found = await _correct(visit, form, {field.name: visit.first(field.name) for field in form.fields})
        if not found.ready:
            offers = await _correct(visit, form, record)
            return _page(visit, form, offers, asked=found)
    except Problem as problem:
        # Correction may fail; what was typed by hand is kept all the same.
        found, failed = None, problem.status == 429 or problem.status >= 500
        if not failed or any(one.required and one.name not in record for one in form.fields):
            return _page(visit, form, None, _bearable(problem))
    keep = _PROFILES[form.profile].keep
    if action == "download" or keep is None:
        return _download(form.profile, record)
    try:
        return Shown(303, location=await keep(visit, record))
    except Problem as problem:
        return _page(visit, form, found, _bearable(problem))


def _bearable(problem: Problem) -> Problem:
    """The problem, where the form goes on being usable with it; raises it else."""
    if problem.reason == "idempotency_key_reused":
        message = "What this form held before you changed it is kept already. Saving again makes another."
        return replace(problem, message=message)
    return problem if problem.status >= 500 else of_this_page(problem)


def _filled(visit: Visit, form: _Form) -> dict[str, str]:
    """What has been decided: the fields that are filled."""
    return {field.name: value for field in form.fields if (value := visit.first(field.name).strip())}


def _take(visit: Visit, values: _Record) -> None:
    """Fill fields of the form."""
    visit.form = {**visit.form, **{name: [value] for name, value in values.items()}}


async def _form(visit: Visit) -> _Form:
    profile = visit.variables["profile"]
    if profile not in _PROFILES:
        raise Problem(404, "not_found", "There is no such page.")
    answer = await visit.ask(
        "WritingAssistService/GetIntakeForm", writing_assist_pb2.GetIntakeFormRequest(profile=profile)
    )
    assert isinstance(answer, _Form)
    return answer


async def _correct(visit: Visit, form: _Form, decided: _Record) -> _Found:
    request = writing_assist_pb2.CorrectIntakeRequest(
        profile=form.profile,
        input=visit.first("input"),
        decided=[writing_assist_pb2.DecidedField(field=name, value=value) for name, value in decided.items()],
        time_zone=visit.first("time_zone"),
    )
    answer = await visit.ask("WritingAssistService/CorrectIntake", request)
    assert isinstance(answer, _Found)
    return answer


def _offers(found: _Found, name: str, note: str) -> tuple[_Offer, ...]:
    """What may be taken for a field, the surest first."""
    offers: dict[str, str] = {}
    if name in found.fields:
        one = found.fields[name]
        written = " ".join(note[one.span.start : one.span.end].split())
        quoted = f", from “{written[:60]}”" if written and written != one.value else ""
        offers[one.value] = f"{one.confidence:.0%} sure{quoted}"
        offers.update((value, "another reading") for value in one.alternatives if value not in offers)
    for question in found.questions:
        if question.field == name:
            offers.update((value, "another reading") for value in question.options if value and value not in offers)
    return tuple(_Offer(value, why) for value, why in offers.items())


def _page(
    visit: Visit, form: _Form, found: _Found | None, problem: Problem | None = None, *, asked: _Found | None = None
) -> Shown:
    """The form; with what was found in the note. ``asked``: why it was not kept."""
    read = found or _Found()
    open_questions = (asked or read).questions
    questions = {one.field: one.question for one in reversed(open_questions)}
    if problem is not None:
        problem = _placed(problem, {"input", *(one.name for one in form.fields)})
        questions |= {one.field: one.message for one in problem.fields}
    note = visit.first("input")
    lines = [
        _Line(
            name=one.name,
            label=_LABELS.get(one.name, one.name.replace("_", " ").capitalize()),
            kind=one.kind,
            hint=_HINTS.get(one.kind, ""),
            required=one.required,
            value=(value := visit.first(one.name)),
            question=questions.get(one.name, ""),
            offers=tuple(offer for offer in _offers(read, one.name, note) if offer.value != value.strip()),
        )
        for one in form.fields
    ]
    profile = _PROFILES[form.profile]
    groups = dict.fromkeys(tuple(one.one_of) for one in form.fields)
    offered = any(line.offers and not line.value and not line.question for line in lines)
    page = visit.page(
        "intake.html",
        problem,
        name=form.profile,
        profile=profile,
        lines=lines,
        found=found,
        offered=offered,
        groups=[[_LABELS.get(name, name) for name in group] for group in groups if group],
        open_questions=len(questions),
        asked=asked is not None,
        refused=visit.returned,
        # A key that another request has used is of no more use: the next attempt needs its own.
        spent=problem is not None and problem.status == 409,
    )
    return Shown(422, page.content) if asked else page


def _placed(problem: Problem, names: Collection[str]) -> Problem:
    """The problem with what is wrong beside fields of the form; what is beside none is said above it."""
    fields = [
        one if one.field in names else FieldProblem("", one.reason, f"{one.field} {one.message}".strip())
        for one in problem.fields
    ]
    return replace(problem, fields=fields)


def _download(profile: str, record: _Record) -> Shown:
    content = orjson.dumps({"profile": profile, "record": dict(record)}, option=orjson.OPT_INDENT_2)
    headers = {"Content-Disposition": f'attachment; filename="{profile}.json"'}
    return Shown(content=content, content_type=JSON, headers=headers)


async def _keep_lead(visit: Visit, record: _Record) -> str:
    """Keeps the lead, once, then its customer: a form whose customer is refused knows the lead that was kept."""
    once, lead_id = visit.first("idempotency_key"), number(visit.first("lead_id") or "0")
    if not lead_id:
        lead_id = await _made_lead(visit, record, once)
        _take(visit, {"lead_id": str(lead_id)})
    if visit.first("customer"):
        customer = customer_pb2.CreateCustomerRequest(lead_id=lead_id)
        await visit.ask("CustomerService/CreateCustomer", customer, _part(once, "customer"))
    return f"/leads/{lead_id}"


async def _made_lead(visit: Visit, record: _Record, once: str) -> int:
    request = lead_pb2.CreateLeadRequest(
        **{name: record.get(name, "") for name in ("name", "company", "email", "phone", "address", "trade")},
        notes=_text(record, "description", "urgency", "preferred_date", "preferred_time", "budget"),
    )
    made = await visit.ask("LeadService/CreateLead", request, once)
    return int(made.lead.lead_id)


async def _keep_quote(visit: Visit, record: _Record) -> str:
    """Drafts the quote; its customer is made before it, once: a form that is refused afterwards keeps who it is."""
    once, trade = visit.first("idempotency_key"), record.get("trade", "")
    if len(trade) > _LONGEST_TRADE:
        fields = [FieldProblem("trade", "too_long", f"must have at most {_LONGEST_TRADE} characters")]
        raise Problem(422, "invalid_fields", "The request is not valid.", fields=fields)
    customer_id = number(visit.first("customer_id") or "0")
    if visit.first("customer") and not customer_id:
        customer = customer_pb2.CreateCustomerRequest(name=record["customer_name"])
        for name in ("company", "email", "phone", "address"):
            setattr(customer, name, record.get(name, ""))
        made = await visit.ask("CustomerService/CreateCustomer", customer, _part(once, "customer"))
        customer_id = made.customer.customer_id
        _take(visit, {"customer_id": str(customer_id)})
    text = _text(record, "description", "address", "budget", "needed_by", "urgency", "reference")
    quote_id = await draft_quote(visit, text, once, trade, customer_id)
    return f"/quotes/{quote_id}"


async def draft_quote(visit: Visit, text: str, once: str, industry: str, customer_id: int) -> int:
    """The id of a new draft from a text; ``customer_id`` is 0 where nobody is known. Raises `Problem`."""
    request = quote_pb2.CreateQuoteRequest(text=text, industry=industry, customer_id=customer_id)
    made = await visit.ask("QuoteService/CreateQuote", request, once)
    return int(made.quote.quote_id)


def _part(once: str, what: str) -> str:
    """An idempotency key for a part of what a form does."""
    return f"{once}-{what}" if once else ""


def _text(record: _Record, first: str, *more: str) -> str:
    """The first field as it is, and the others that are filled, a line each."""
    lines = [f"{_LABELS.get(name, name.capitalize())}: {record[name]}" for name in more if name in record]
    return "\n".join([record[first], *lines])


_PROFILES = {
    "lead": _Profile("New lead", "Save the lead", _keep_lead),
    "quote": _Profile("New quote from a note", "Draft the quote", _keep_quote),
    "job": _Profile("New job", "", None),
    "payment": _Profile("New payment", "", None),
}
VIEWS = (
    view("/intake", _choose, menu="From a note"),
    view("/intake/{profile}", _empty, _read, feeds="WritingAssistService/CorrectIntake"),
)
