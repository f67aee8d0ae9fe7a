"""One quote: looked at, changed, approved, sent; its versions and its PDF. And what waits for approval."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import urlencode

from google.protobuf.message import Message
from quotewright.v1 import customer_pb2, quote_pb2, revision_pb2, workflow_pb2, workspace_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.web.customer import figure
from gateway.web.portal.forms import LINE_KINDS, read_figure
from gateway.web.portal.marked import Mark, pieces
from gateway.web.portal.view import Shown, Visit, number, of_this_page, view
from process.figures import unit_price

#: Lines that a page shows: about 80 kB of HTML where each has several sources.
LINES = 30
#: Characters of a long text that a page of its own shows.
_TEXT_PAGE = 20_000
_CUSTOMERS = 20
#: Customers to choose from on sending: the newest. Any other is found on the quote's page of customers.
_CHOICE = 100
#: Of the PDF: our own page frames it, and the browser's viewer needs what other pages are forbidden.
_PDF_HEADERS = {
    "Cache-Control": "private, no-cache",
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "frame-ancestors 'self'",
}
#: What moves a quote, by what its button says; those with a workflow decide about the one under way.
_MOVES = {
    "submit": "WorkflowService/SubmitWorkflow",
    "approve": "WorkflowService/ApproveWorkflow",
    "reject": "WorkflowService/RejectWorkflow",
    "withdraw": "WorkflowService/WithdrawWorkflow",
    "void": "QuoteService/VoidQuote",
}
#: What the buttons of lines do.
_LINE_MOVES = frozenset(("add", "up", "down", "remove", "reviewed", "option", "charge"))
#: Fields of lines and quotes as people call them, in the order in which their changes are told.
FIELD_NAMES = {
    "description": "Description", "qty": "Quantity", "unit": "Unit", "price": "Unit price", "amount": "Amount",
    "optional": "Option", "kind": "Kind", "priced": "Priced", "source": "Source", "labour_hours": "Person-hours",
    "amount_low": "Amount, low", "amount_high": "Amount, high", "confidence": "Confidence",
    "review_reasons": "To look at", "entered": "Entered by hand", "span": "Words of the request",
    "customer_id": "Customer", "valid_until": "Prices hold until", "location": "Place", "currency": "Currency",
    "subtotal": "Subtotal", "tax": "Tax", "total": "Total", "total_low": "Total, low", "total_high": "Total, high",
    "engine_version": "Engine", "assumptions": "Assumptions", "exclusions": "Exclusions", "questions": "Questions",
    "answers": "Answers", "taxes": "Taxes",
}  # fmt: skip
#: Changes that are told on the quote's page itself; the page of changes tells all.
_TOLD = frozenset(
    ("description", "qty", "unit", "price", "amount", "optional", "kind", "total", "location", "currency")
)
#: A field that a form has; other violations are of what its buttons stand for.
_FORM_FIELD = re.compile(r"[a-z][\w-]*")


async def _review(visit: Visit, problem: Problem | None = None) -> Shown:
    quote = await _quote(visit)
    tag = visit.tag
    workflows = await _workflows(visit, quote.quote_id)
    names = await _names(visit, [one for row in workflows for one in (row.submitted_by, row.decided_by)])
    changes = await _changes_since(visit, quote)
    customer = await _customer_of(visit, quote)
    customers, chosen = customer_pb2.ListCustomersResponse(), ""
    recipients = quote_pb2.ListQuoteRecipientsResponse()
    if visit.may_edit and quote.status == "approved" and customer is None:
        customers, chosen = await _recipients_to_choose(visit)
    if visit.may_edit and quote.HasField("sent_at"):
        about = quote_pb2.ListQuoteRecipientsRequest(quote_id=quote.quote_id)
        recipients = await visit.ask("QuoteService/ListQuoteRecipients", about)
    offset = min(visit.offset, max(0, len(quote.line_items) - 1)) // LINES * LINES
    shown = list(enumerate(quote.line_items, start=1))[offset : offset + LINES]
    return visit.page(
        "review.html",
        problem,
        quote=quote,
        tag=tag,
        names=names,
        workflow=workflows[0] if workflows else None,
        may_approve=names.deciders < 2 or not workflows or workflows[0].submitted_by != names.own,
        customer=customer,
        customers=customers,
        chosen=chosen,
        recipients=recipients,
        changes=changes,
        told=_TOLD,
        labels=FIELD_NAMES,
        lines=shown,
        offset=offset,
        page_size=LINES,
        pieces=pieces(quote.text, _marks(shown)),
        asked=_asked_of(quote),
        answers_typed=dict(zip(visit.form.get("question_id", []), visit.form.get("answer", []), strict=False)),
        kinds=LINE_KINDS,
        today=datetime.now(UTC).date().isoformat(),
    )


async def _save(visit: Visit) -> Shown:
    """Assumptions, exclusions and the last day: those that were typed anew."""
    quote = await _quote(visit)
    request = revision_pb2.UpdateQuoteRequest(quote_id=quote.quote_id, note=visit.first("note").strip())
    for name, present in (("assumptions", quote.assumptions), ("exclusions", quote.exclusions)):
        texts = [one.strip() for one in visit.first(name).splitlines() if one.strip()]
        if name in visit.form and texts != [*present]:
            getattr(request, name).texts.extend(texts)
            getattr(request, name).SetInParent()
    if visit.first("valid_until") != quote.valid_until:
        request.valid_until = visit.first("valid_until")
    try:
        return await _update(visit, request, "changed")
    except Problem as problem:
        return await _again(visit, problem)


async def _answer(visit: Visit) -> Shown:
    quote_id = _id(visit, "quote_id")
    given = [
        (question_id, text.strip())
        for question_id, text in zip(visit.form.get("question_id", []), visit.form.get("answer", []), strict=False)
        if text.strip()
    ]
    if not given:
        await _quote(visit)
        return Shown(303, location=f"/quotes/{quote_id}#questions")
    answers = [revision_pb2.GivenAnswer(question_id=name, text=text) for name, text in given]
    request = revision_pb2.AnswerQuestionsRequest(quote_id=quote_id, answers=answers)
    try:
        answer = await visit.ask("RevisionService/AnswerQuestions", request, *_guard(visit))
    except Problem as problem:
        fields = {f"answers[{place}].text": f"answer-{name}" for place, (name, _) in enumerate(given)}
        return await _again(visit, problem, fields)
    return _changed(visit, answer.quote, "changed")


async def _change_lines(visit: Visit) -> Shown:
    """What the buttons of the lines do: ``up 3`` is the line with the id 3."""
    quote = await _quote(visit)
    do, _, named = visit.first("do").partition(" ")
    request = revision_pb2.UpdateQuoteRequest(quote_id=quote.quote_id)
    fields: dict[str, str] = {}
    if do not in _LINE_MOVES:
        raise Problem(404, "not_found", "There is no such button.")
    try:
        if do == "add":
            edit = request.line_items.add()
            fields = _fields_of_line("add-")
            _read_line(visit, edit, None, "add-")
            edit.optional = visit.first("add-optional") == "yes"
            answer = await visit.ask("RevisionService/UpdateQuote", request, *_guard(visit))
            new = max((one.line_id for one in answer.quote.line_items), default=0)
            return _changed(visit, answer.quote, f"line-{new}")
        line_id, place = number(named), _place(quote, number(named))
        moved = {"up": place - 1, "down": place + 1}
        if do == "remove":
            request.removed_line_ids.append(line_id)
        elif do in moved:
            request.line_items.add(line_id=line_id, position=max(1, moved[do]))
        elif do == "reviewed":
            request.line_items.add(line_id=line_id, reviewed=True)
        else:
            request.line_items.add(line_id=line_id, optional=do == "option")
        return await _update(visit, request, "changed" if do == "remove" else f"line-{line_id}")
    except Problem as problem:
        return await _again(visit, problem, fields)


async def _line(visit: Visit, problem: Problem | None = None) -> Shown:
    """Where a line's price comes from, calculated again; of a draft, the form that changes it."""
    version = number(visit.query.get("version", "0"))
    quote = await _quote(visit, version)
    tag = visit.tag
    line_id = _id(visit, "line_id")
    place = _place(quote, line_id)
    request = quote_pb2.ExplainLineRequest(quote_id=quote.quote_id, line=place, version=version)
    answer = await visit.ask("QuoteService/ExplainLine", request)
    line = quote.line_items[place - 1]
    return visit.page(
        "review_line.html",
        problem,
        quote=quote,
        tag=tag,
        version=version,
        line=line,
        place=place,
        back=f"/quotes/{quote.quote_id}{_page_of(quote, line_id)}#line-{line_id}",
        typed={"qty": figure(line.qty), "price": unit_price(line.price) if line.priced else ""},
        explanation=answer.explanation,
        changes=await _changes_since(visit, quote) if problem is not None else None,
        told=_TOLD,
        labels=FIELD_NAMES,
        kinds=LINE_KINDS,
    )


async def _save_line(visit: Visit) -> Shown:
    quote = await _quote(visit)
    line_id = _id(visit, "line_id")
    line = quote.line_items[_place(quote, line_id) - 1]
    request = revision_pb2.UpdateQuoteRequest(quote_id=quote.quote_id, note=visit.first("note").strip())
    edit = request.line_items.add(line_id=line_id)
    suffix = f"-{line_id}"
    try:
        _read_line(visit, edit, line, suffix=suffix)
        for name, value in (("optional", line.optional), ("reviewed", False)):
            if (visit.first(f"{name}{suffix}") == "yes") is not value:
                setattr(edit, name, not value)
        return await _update(visit, request, f"line-{line_id}")
    except Problem as problem:
        return await _line(visit, _kindly(problem, _fields_of_line(suffix=suffix)))


async def _customer(visit: Visit, problem: Problem | None = None) -> Shown:
    """Whom the quote is for: found and chosen, or made. Of an approved one the choice goes into the form to send it."""
    quote = await _quote(visit)
    tag = visit.tag
    words = visit.query.get("q", "").strip()
    request = customer_pb2.ListCustomersRequest(limit=_CUSTOMERS, offset=visit.offset, query=words)
    customers = await visit.ask("CustomerService/ListCustomers", request)
    customer = await _customer_of(visit, quote)
    pages = f"/quotes/{quote.quote_id}/customer?{urlencode({'q': words})}&" if words else ""
    return visit.page(
        "review_customer.html", problem, quote=quote, tag=tag, customers=customers, customer=customer, words=words,
        pages_path=pages or f"/quotes/{quote.quote_id}/customer?",
    )  # fmt: skip


async def _save_customer(visit: Visit) -> Shown:
    quote_id, made = _id(visit, "quote_id"), None
    try:
        if visit.first("do") == "make":
            create = customer_pb2.CreateCustomerRequest(quote_id=quote_id)
            for name in ("name", "company", "email", "phone", "address"):
                setattr(create, name, visit.first(name).strip())
            made = await visit.ask("CustomerService/CreateCustomer", create, f"c{visit.first('idempotency_key')}")
            chosen = made.customer.customer_id
        else:
            chosen = number(visit.first("customer_id"))
        request = revision_pb2.UpdateQuoteRequest(quote_id=quote_id, customer_id=chosen)
        return await _update(visit, request, "customer")
    except Problem as problem:
        problem = _kindly(problem)
        if made is not None:
            text = f"{problem.message} The customer was added and is in the list."
            problem = dataclasses.replace(problem, message=text)
        return await _customer(visit, problem)


async def _move(visit: Visit) -> Shown:
    quote_id = _id(visit, "quote_id")
    do, note = visit.first("do"), visit.first(f"{visit.first('do')}-note").strip()
    rpc = _MOVES.get(do)
    if rpc is None:
        raise Problem(404, "not_found", "There is no such button.")
    try:
        request: Message
        match do:
            case "submit":
                request = workflow_pb2.SubmitWorkflowRequest(quote_id=quote_id, note=note)
            case "void":
                request = quote_pb2.VoidQuoteRequest(quote_id=quote_id, note=note)
            case _:
                workflow_id = await _under_way(visit, quote_id)
                decisions = {
                    "approve": workflow_pb2.ApproveWorkflowRequest,
                    "reject": workflow_pb2.RejectWorkflowRequest,
                    "withdraw": workflow_pb2.WithdrawWorkflowRequest,
                }
                request = decisions[do](workflow_id=workflow_id, note=note)
        await visit.ask(rpc, request, *_guard(visit))
    except Problem as problem:
        return await _again(visit, problem, {"note": f"{do}-note"})
    return Shown(303, location=f"/quotes/{quote_id}")


async def _send(visit: Visit) -> Shown:
    quote_id = _id(visit, "quote_id")
    to = [one for one in re.split(r"[\s,;]+", visit.first("to")) if one]
    try:
        request = quote_pb2.SendQuoteRequest(
            quote_id=quote_id,
            customer_id=number(visit.first("customer_id") or "0"),
            to=to,
            subject=visit.first("subject").strip(),
            message=visit.first("message").strip(),
        )
        await visit.ask("QuoteService/SendQuote", request, *_guard(visit))
    except Problem as problem:
        return await _again(visit, _with_addresses(problem, to))
    return Shown(303, location=f"/quotes/{quote_id}#sent")


def _with_addresses(problem: Problem, to: Sequence[str]) -> Problem:
    """The problem with the addresses named that it is about: the form has one field for all of them."""
    at = {f"to[{place}]": address for place, address in enumerate(to)}
    others = [one for one in problem.fields if one.field not in at]
    told = "; ".join(f"“{at[one.field]}”: {one.message}" for one in problem.fields if one.field in at)
    return dataclasses.replace(problem, fields=[*others, FieldProblem("to", "string.email", told)]) if told else problem


async def _text(visit: Visit) -> Shown:
    """All of a long request, in pages."""
    quote = await _quote(visit)
    start = min(visit.offset, max(0, len(quote.text) - 1)) // _TEXT_PAGE * _TEXT_PAGE
    return visit.page(
        "review_text.html",
        quote=quote,
        text=quote.text[start : start + _TEXT_PAGE],
        start=start,
        page_size=_TEXT_PAGE,
    )


async def _pdf(visit: Visit) -> Shown:
    quote = await _quote(visit)
    answer = await visit.ask("QuoteService/GetQuotePdf", quote_pb2.GetQuotePdfRequest(quote_id=quote.quote_id))
    how = "attachment" if visit.query.get("download") else "inline"
    name = re.sub(r"[^A-Za-z0-9_-]", "_", quote.quote_number)
    headers = {**_PDF_HEADERS, "Content-Disposition": f'{how}; filename="{name}.pdf"'}
    return Shown(content=answer.pdf.data, content_type=answer.pdf.content_type, headers=headers)


async def _versions(visit: Visit) -> Shown:
    quote = await _quote(visit)
    request = revision_pb2.ListQuoteVersionsRequest(quote_id=quote.quote_id, offset=visit.offset)
    versions = await visit.ask("RevisionService/ListQuoteVersions", request)
    names = await _names(visit, [one.actor for one in versions.data])
    return visit.page("review_versions.html", quote=quote, versions=versions, names=names)


async def _version(visit: Visit) -> Shown:
    number_ = _id(visit, "version")
    request = revision_pb2.GetQuoteVersionRequest(quote_id=_id(visit, "quote_id"), version=number_)
    found = await visit.ask("RevisionService/GetQuoteVersion", request)
    names = await _names(visit, [found.version.actor])
    quote = found.quote
    offset = min(visit.offset, max(0, len(quote.line_items) - 1)) // LINES * LINES
    shown = list(enumerate(quote.line_items, start=1))[offset : offset + LINES]
    customer = await _customer_of(visit, quote)
    return visit.page(
        "review_version.html", quote=quote, made=found.version, names=names, lines=shown, offset=offset,
        page_size=LINES, customer=customer,
    )  # fmt: skip


async def _changes(visit: Visit) -> Shown:
    quote_id, version = _id(visit, "quote_id"), _id(visit, "version")
    since = number(visit.query.get("since", "0"))
    request = revision_pb2.CompareQuoteVersionsRequest(quote_id=quote_id, version=version, since=since)
    answer = await visit.ask("RevisionService/CompareQuoteVersions", request)
    versions = await visit.ask(
        "RevisionService/ListQuoteVersions", revision_pb2.ListQuoteVersionsRequest(quote_id=quote_id, limit=100)
    )
    quote = await _quote(visit)
    return visit.page("review_changes.html", quote=quote, changes=answer.changes, versions=versions, labels=FIELD_NAMES)


async def _choose_changes(visit: Visit) -> Shown:
    """Goes on to the changes between the two versions that a form names."""
    quote_id = _id(visit, "quote_id")
    version, since = number(visit.query.get("version", "")), number(visit.query.get("since", "0"))
    return Shown(303, location=f"/quotes/{quote_id}/versions/{version}/changes?{urlencode({'since': since})}")


async def _approvals(visit: Visit) -> Shown:
    request = workflow_pb2.ListWorkflowsRequest(status="submitted", offset=visit.offset)
    waiting = await visit.ask("WorkflowService/ListWorkflows", request)
    names = await _names(visit, [one.submitted_by for one in waiting.data])
    return visit.page("review_approvals.html", waiting=waiting, names=names)


@dataclasses.dataclass(frozen=True, slots=True)
class _Names:
    """Who stands behind the actors of a log: ``own`` is the visitor's. ``deciders`` may approve."""

    own: str
    by_actor: Mapping[str, str]
    deciders: int

    def __call__(self, actor: str) -> str:
        """What people call them."""
        kind, _, name = actor.partition(":")
        if actor == self.own:
            return "you"
        if kind == "user":
            return self.by_actor.get(actor, f"user {name}")
        return {"key": f"the API key {name}", "clock": "the calendar", "operator": "the operator"}.get(kind, actor)


async def _names(visit: Visit, actors: Iterable[str]) -> _Names:
    """Members are asked for only where there is somebody else to name."""
    own = f"user:{visit.user.user_id}"
    if not any(one.startswith("user:") for one in actors):
        return _Names(own, {}, 0)
    members = await visit.ask("WorkspaceService/ListMembers", workspace_pb2.ListMembersRequest(limit=100))
    by_actor = {f"user:{one.user_id}": one.name or one.email for one in members.data}
    return _Names(own, by_actor, sum(one.role in ("editor", "owner") for one in members.data))


async def _quote(visit: Visit, version: int = 0) -> quote_pb2.Quote:
    """The quote as it is, or as a version says it. Raises 404."""
    quote_id = _id(visit, "quote_id")
    if version:
        request = revision_pb2.GetQuoteVersionRequest(quote_id=quote_id, version=version)
        answer = await visit.ask("RevisionService/GetQuoteVersion", request)
    else:
        answer = await visit.ask("QuoteService/GetQuote", quote_pb2.GetQuoteRequest(quote_id=quote_id))
    assert isinstance(answer.quote, quote_pb2.Quote)
    return answer.quote


async def _workflows(visit: Visit, quote_id: int, status: str = "") -> Sequence[workflow_pb2.Workflow]:
    """The newest submission of a quote."""
    request = workflow_pb2.ListWorkflowsRequest(quote_id=quote_id, limit=1, status=status)
    answer = await visit.ask("WorkflowService/ListWorkflows", request)
    assert isinstance(answer, workflow_pb2.ListWorkflowsResponse)
    return answer.data


async def _under_way(visit: Visit, quote_id: int) -> int:
    """The workflow to decide about. Raises 404 for a quote that is not there, 409 where nothing was submitted."""
    found = await _workflows(visit, quote_id, "submitted")
    if not found:
        quote = await _quote(visit)
        raise Problem(409, "invalid_state", f"The quote is not waiting for approval: it is {quote.status}.")
    return found[0].workflow_id


async def _customer_of(visit: Visit, quote: quote_pb2.Quote) -> customer_pb2.Customer | None:
    if not quote.customer_id:
        return None
    request = customer_pb2.GetCustomerRequest(customer_id=quote.customer_id)
    answer = await visit.ask("CustomerService/GetCustomer", request)
    assert isinstance(answer, customer_pb2.GetCustomerResponse)
    return answer.customer


async def _recipients_to_choose(visit: Visit) -> tuple[customer_pb2.ListCustomersResponse, str]:
    """Customers that a quote may be sent to, and the id of the chosen one: the newest, and whom the form or the query
    names, however old."""
    request = customer_pb2.ListCustomersRequest(limit=_CHOICE)
    customers = await visit.ask("CustomerService/ListCustomers", request)
    assert isinstance(customers, customer_pb2.ListCustomersResponse)
    chosen = number(visit.first("customer_id") or visit.query.get("customer_id") or "0")
    if not chosen or any(one.customer_id == chosen for one in customers.data):
        return customers, str(chosen)
    try:
        asked = customer_pb2.GetCustomerRequest(customer_id=chosen)
        found = (await visit.ask("CustomerService/GetCustomer", asked)).customer
    except Problem as problem:
        if problem.status != 404:
            raise
        return customers, "0"
    # Who was merged into another is the other.
    if all(one.customer_id != found.customer_id for one in customers.data):
        customers.data.append(found)
    return customers, str(found.customer_id)


async def _changes_since(visit: Visit, quote: quote_pb2.Quote) -> revision_pb2.QuoteChanges | None:
    """What is different from the version that the visitor has seen before, where the page says which."""
    seen = visit.query.get("since") or visit.first("version")
    since = number(seen) if seen else 0
    if not 0 < since < quote.version:
        return None
    request = revision_pb2.CompareQuoteVersionsRequest(quote_id=quote.quote_id, version=quote.version, since=since)
    answer = await visit.ask("RevisionService/CompareQuoteVersions", request)
    assert isinstance(answer, revision_pb2.CompareQuoteVersionsResponse)
    return answer.changes


async def _update(visit: Visit, request: revision_pb2.UpdateQuoteRequest, at: str) -> Shown:
    """Change the draft and go on to where it shows. Raises `Problem`."""
    answer = await visit.ask("RevisionService/UpdateQuote", request, *_guard(visit))
    return _changed(visit, answer.quote, at)


def _changed(visit: Visit, quote: quote_pb2.Quote, at: str) -> Shown:
    """On to the quote with what has changed; ``at`` is the place on the page."""
    before = number(visit.first("version") or "0")
    query = _page_of(quote, int(at.removeprefix("line-"))) if at.startswith("line-") else ""
    if 0 < before < quote.version:
        query += f"{'&' if query else '?'}since={before}"
    return Shown(303, location=f"/quotes/{quote.quote_id}{query}#{at}")


async def _again(visit: Visit, problem: Problem, fields: Mapping[str, str] | None = None) -> Shown:
    """The quote's page with what was typed, and what was wrong with it. ``fields``: the RPC's names, and the page's."""
    return await _review(visit, _kindly(problem, fields or {}))


def _kindly(problem: Problem, fields: Mapping[str, str] | None = None) -> Problem:
    """The problem as the page says it; raises one that is not the form's."""
    problem = of_this_page(problem)
    if problem.status == 412:
        text = (
            "Somebody has changed this quote since you opened it, so nothing was saved. What you typed is still here: "
            "look at what is different now, then save it again."
        )
        return dataclasses.replace(problem, message=text)
    names = fields or {}
    found = [
        dataclasses.replace(one, field=names.get(one.field, re.sub(r"(\.texts)?(\[\d+\])?$", "", one.field)))
        for one in problem.fields
    ]
    if all(_FORM_FIELD.fullmatch(one.field) for one in found):
        return dataclasses.replace(problem, fields=found)
    # What no field of the form stands for is said above it.
    text = "; ".join(f"{one.field} {one.message}" for one in found)
    return dataclasses.replace(problem, message=f"{problem.message} {text}", fields=())


def _guard(visit: Visit) -> tuple[str, str]:
    """The form's idempotency key, and the entity tag of the quote that it was made for."""
    # Without a tag the last writer would win; nothing has this one.
    return visit.first("idempotency_key"), visit.first("tag") or '"none"'


def _id(visit: Visit, name: str) -> int:
    """A number of the path. Raises 404 for what can be none."""
    found = number(visit.variables[name])
    if not found:
        raise Problem(404, "not_found", "There is no such page.")
    return found


def _place(quote: quote_pb2.Quote, line_id: int) -> int:
    """Where a line stands, from 1. Raises 404."""
    for place, line in enumerate(quote.line_items, start=1):
        if line.line_id == line_id:
            return place
    raise Problem(404, "not_found", "There is no such line.")


def _page_of(quote: quote_pb2.Quote, line_id: int) -> str:
    """The query of the page that a line is on."""
    offset = (_place(quote, line_id) - 1) // LINES * LINES
    return f"?offset={offset}" if offset else ""


def _marks(lines: Iterable[tuple[int, quote_pb2.LineItem]]) -> list[Mark]:
    return [Mark(line.line_id, place, line.span.start, line.span.end) for place, line in lines if line.HasField("span")]


def _asked_of(quote: quote_pb2.Quote) -> dict[str, tuple[int, int]]:
    """Which line each question is about, by its `question_id`: place and id."""
    found = {}
    for question in quote.questions:
        match = re.match(r"line_items\[(\d+)\]", question.field)
        if match is not None and int(match[1]) < len(quote.line_items):
            found[question.question_id] = (int(match[1]) + 1, quote.line_items[int(match[1])].line_id)
    return found


def _fields_of_line(prefix: str = "", suffix: str = "") -> dict[str, str]:
    """The RPC's names of a line's values, and those of the form."""
    names = ("description", "qty", "unit", "price", "kind")
    return {f"line_items[0].{name}": f"{prefix}{name}{suffix}" for name in names} | {
        "line_items[0]": f"{prefix}description{suffix}"
    }


def _read_line(
    visit: Visit, edit: revision_pb2.LineEdit, line: quote_pb2.LineItem | None, prefix: str = "", suffix: str = ""
) -> None:
    """What was typed into a line's form and is not what it showed. Raises 422 for a figure that is none."""
    shown = {}
    if line is not None:
        shown = {name: getattr(line, name) for name in ("description", "unit", "kind")}
        shown |= {"qty": figure(line.qty), "price": unit_price(line.price) if line.priced else ""}
    problems = []
    for name in ("description", "qty", "unit", "price", "kind"):
        field = f"{prefix}{name}{suffix}"
        typed = visit.first(field).strip()
        if field not in visit.form or typed == shown.get(name, "").strip():
            continue
        if name not in ("qty", "price"):
            setattr(edit, name, typed)
        elif (read := read_figure(typed)) is not None:
            setattr(edit, name, read)
        else:
            problems.append(FieldProblem(field, "malformed", "must be a number such as 12.5"))
    if problems:
        raise Problem(422, "invalid_fields", "The request is not valid.", fields=problems)


VIEWS = (
    view("/approvals", _approvals, menu="To approve"),
    view("/quotes/{quote_id}", _review, _save, feeds="RevisionService/UpdateQuote"),
    view("/quotes/{quote_id}/answers", take=_answer, feeds="RevisionService/AnswerQuestions"),
    view("/quotes/{quote_id}/customer", _customer, _save_customer),
    view("/quotes/{quote_id}/lines", take=_change_lines),
    view("/quotes/{quote_id}/lines/{line_id}", _line, _save_line),
    view("/quotes/{quote_id}/moves", take=_move),
    view("/quotes/{quote_id}/send", take=_send, feeds="QuoteService/SendQuote"),
    view("/quotes/{quote_id}/text", _text),
    view("/quotes/{quote_id}/pdf", _pdf),
    view("/quotes/{quote_id}/versions", _versions),
    view("/quotes/{quote_id}/versions/{version}", _version),
    view("/quotes/{quote_id}/versions/{version}/changes", _changes),
    view("/quotes/{quote_id}/changes", _choose_changes),
)
