"""Quotes: the list, and new ones from a text, a document, or by hand."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from google.api import httpbody_pb2
from quotewright.v1 import company_pb2, customer_pb2, document_pb2, quote_pb2, template_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.web.portal.forms import LINE_KINDS, read_figure
from gateway.web.portal.view import JSON, Shown, Visit, number, of_this_page, view

PER_PAGE = 25
STATUSES = ("draft", "in_review", "approved", "sent", "accepted", "declined", "expired", "void")
#: Rows of the form for lines: as many as it begins with, and as many as it has at most.
_ROWS, _MOST_ROWS = 4, 10
_LINE = ("description", "qty", "unit", "price", "kind")
#: Customers to choose from: the newest. Any other is chosen from its own page.
_CHOICE = 50


async def _quotes(visit: Visit) -> Shown:
    names = ("q", "status", "review", "from", "to")
    wanted = {name: visit.query[name].strip() for name in names if visit.query.get(name, "").strip()}
    request = quote_pb2.ListQuotesRequest(
        limit=PER_PAGE,
        offset=visit.offset,
        query=wanted.get("q", ""),
        status=wanted.get("status", ""),
        needs_review={"1": True, "0": False}.get(wanted.get("review", "")),
        created_from=wanted.get("from", ""),
        created_to=wanted.get("to", ""),
    )
    found, refused = quote_pb2.ListQuotesResponse(), None
    try:
        found = await visit.ask("QuoteService/ListQuotes", request)
    except Problem as problem:
        refused = of_this_page(problem)
    path = f"/quotes?{urlencode(wanted)}&" if wanted else "/quotes?"
    return visit.page("quotes.html", refused, quotes=found, wanted=wanted, statuses=STATUSES, path=path)


async def _new(visit: Visit, problem: Problem | None = None, preview: quote_pb2.Quote | None = None) -> Shown:
    more = {"preview": preview, "refused": visit.returned}
    return visit.page("quotes_new.html", problem, **more, **await _choices(visit, trades=True))


async def _make(visit: Visit) -> Shown:
    """A draft of the text, or what it would be."""
    text, industry, location = (visit.first(name).strip() for name in ("text", "industry", "location"))
    template_id = visit.first("template_id")
    try:
        if visit.first("do") == "preview":
            look = quote_pb2.PreviewQuoteRequest(
                text=text, industry=industry, location=location, template_id=template_id
            )
            answer = await visit.ask("QuoteService/PreviewQuote", look)
            return await _new(visit, preview=answer.quote)
        request = quote_pb2.CreateQuoteRequest(
            text=text,
            industry=industry,
            location=location,
            template_id=template_id,
            customer_id=number(visit.first("customer_id") or "0", "customer_id"),
        )
        if not text:
            raise _wrong("text", "say what is to be done")
        return await _create(visit, request)
    except Problem as problem:
        return await _new(visit, of_this_page(problem))


async def _by_hand(visit: Visit, problem: Problem | None = None) -> Shown:
    rows = _rows(visit)
    wanted = _MOST_ROWS if visit.first("do") == "rows" or len(rows) > _ROWS else _ROWS
    blank = dict.fromkeys(_LINE, "") | {"kind": LINE_KINDS[0]}
    rows += [blank] * (wanted - len(rows))
    more = {"rows": rows, "kinds": LINE_KINDS, "refused": visit.returned}
    return visit.page("quotes_by_hand.html", problem, **more, **await _choices(visit))


async def _enter(visit: Visit) -> Shown:
    """A draft of the lines that were typed."""
    if visit.first("do") == "rows":
        return await _by_hand(visit)
    try:
        request = quote_pb2.CreateQuoteRequest(
            text=visit.first("text").strip(),
            location=visit.first("location").strip(),
            template_id=visit.first("template_id"),
            customer_id=number(visit.first("customer_id") or "0", "customer_id"),
            line_items=[_line(place, row) for place, row in enumerate(_rows(visit))],
        )
        if not request.line_items:
            raise _wrong("line_items[0].description", "enter at least one line")
        return await _create(visit, request)
    except Problem as problem:
        return await _by_hand(visit, of_this_page(problem))


async def _upload_page(visit: Visit, problem: Problem | None = None) -> Shown:
    request = document_pb2.ListDocumentsRequest(limit=5)
    recent = await visit.ask("DocumentService/ListDocuments", request)
    return visit.page("quotes_upload.html", problem, recent=recent.data)


async def _upload(visit: Visit) -> Shown:
    """The document is read behind the answer; its page tells how that goes. What browsers say of its kind depends on
    what else is installed: the file itself decides."""
    file = visit.files.get("file")
    try:
        if file is None:
            raise _wrong("file", "choose a file")
        request = document_pb2.UploadDocumentRequest(
            file=httpbody_pb2.HttpBody(content_type="application/octet-stream", data=file.content),
            filename=file.name[-255:],
            background=True,
        )
        answer = await visit.ask("DocumentService/UploadDocument", request, visit.first("idempotency_key"))
    except Problem as problem:
        if problem.status in (413, 503):
            return visit.page("quotes_upload.html", _wrong("file", problem.message), recent=[])
        return await _upload_page(visit, of_this_page(problem))
    return Shown(303, location=f"/quotes/documents/{answer.document.document_id}")


async def _document(visit: Visit, problem: Problem | None = None) -> Shown:
    document = await _read_document(visit)
    choices: dict[str, Any] = {}
    if document.status == "read":
        choices = await _choices(visit)
    return visit.page("quotes_document.html", problem, document=document, **choices)


async def _document_status(visit: Visit) -> Shown:
    """For scripts: whether it is worth loading the page again."""
    document = await _read_document(visit)
    return Shown(content=json.dumps({"status": document.status}).encode(), content_type=JSON)


async def _read_document(visit: Visit) -> document_pb2.Document:
    request = document_pb2.GetDocumentRequest(document_id=visit.variables["document_id"])
    document: document_pb2.Document = (await visit.ask("DocumentService/GetDocument", request)).document
    return document


async def _draft_document(visit: Visit) -> Shown:
    """A draft of the document that was read."""
    request = quote_pb2.CreateQuoteRequest(
        document_id=visit.variables["document_id"], template_id=visit.first("template_id")
    )
    try:
        request.customer_id = number(visit.first("customer_id") or "0", "customer_id")
        if visit.first("margin").strip():
            request.margin = float(_decimal(visit.first("margin").removesuffix("%"), "margin") / 100)
        return await _create(visit, request)
    except Problem as problem:
        return await _document(visit, of_this_page(problem))


async def _delete_document(visit: Visit) -> Shown:
    request = document_pb2.DeleteDocumentRequest(document_id=visit.variables["document_id"])
    await visit.ask("DocumentService/DeleteDocument", request)
    return Shown(303, location="/quotes/new/document")


async def _create(visit: Visit, request: quote_pb2.CreateQuoteRequest) -> Shown:
    """The quote's page; a form that is sent again leads to the same one."""
    answer = await visit.ask("QuoteService/CreateQuote", request, visit.first("idempotency_key"))
    return Shown(303, location=f"/quotes/{answer.quote.quote_id}")


async def _choices(visit: Visit, *, trades: bool = False) -> dict[str, Any]:
    """What can be chosen for a new quote: templates, customers, trades. Nothing for who may make none."""
    chosen = visit.first("customer_id") or visit.query.get("customer_id", "")
    choices: dict[str, Any] = {"templates": [], "customers": [], "trades": [], "chosen": chosen}
    if not visit.may_edit:
        return choices
    templates = await visit.ask("TemplateService/ListTemplates", template_pb2.ListTemplatesRequest(limit=100))
    people = await visit.ask("CustomerService/ListCustomers", customer_pb2.ListCustomersRequest(limit=_CHOICE))
    choices["templates"], choices["customers"] = templates.data, [*people.data]
    if chosen.isdecimal() and all(str(one.customer_id) != chosen for one in people.data):
        one = customer_pb2.GetCustomerRequest(customer_id=number(chosen))
        choices["customers"].append((await visit.ask("CustomerService/GetCustomer", one)).customer)
    if trades:
        config = await visit.ask("CompanyService/GetConfig", company_pb2.GetConfigRequest())
        choices["trades"] = config.trades
    return choices


def _rows(visit: Visit) -> list[dict[str, str]]:
    """The rows of the form in which something was typed."""
    columns = [visit.form.get(name, []) for name in _LINE]
    rows = [dict(zip(_LINE, (one.strip() for one in row), strict=True)) for row in zip(*columns, strict=False)]
    return [row for row in rows if row["description"] or row["qty"] or row["price"]]


def _line(place: int, row: dict[str, str]) -> quote_pb2.NewLine:
    field = f"line_items[{place}]."
    line = quote_pb2.NewLine(
        description=row["description"],
        qty=float(_decimal(row["qty"] or "1", f"{field}qty")),
        unit=row["unit"] or "each",
        kind=row["kind"],
    )
    if row["price"]:
        line.price = float(_decimal(row["price"], f"{field}price"))
    return line


def _decimal(text: str, field: str) -> Decimal:
    """A figure as people type it: ``1250.5``, ``1 250.5``, ``1,250.5``, ``.5``. Raises 422."""
    typed = "".join(text.split())
    figure = read_figure(f"0{typed}" if typed.startswith(".") else typed)
    if figure is None:
        raise _wrong(field, "must be a number such as 1250.50")
    return Decimal(repr(figure))


def _wrong(field: str, message: str) -> Problem:
    return Problem(422, "invalid_fields", "The request is not valid.", fields=[FieldProblem(field, "refused", message)])


VIEWS = (
    view("/quotes", _quotes, menu="Quotes"),
    view("/quotes/new", _new, _make, feeds="QuoteService/CreateQuote"),
    view("/quotes/new/by-hand", _by_hand, _enter, feeds="QuoteService/CreateQuote"),
    view("/quotes/new/document", _upload_page, _upload, feeds="DocumentService/UploadDocument"),
    view("/quotes/documents/{document_id}", _document, _draft_document),
    view("/quotes/documents/{document_id}/status", _document_status),
    view("/quotes/documents/{document_id}/delete", take=_delete_document),
)
