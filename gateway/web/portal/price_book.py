"""The price book: found, added, changed, retired; price lists imported in steps."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from urllib.parse import urlencode

import orjson
from google.api import httpbody_pb2
from quotewright.v1 import price_book_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.web.portal.forms import LINE_KINDS, read_figure
from gateway.web.portal.view import JSON, Shown, Visit, number, of_this_page, view

#: What a price list may have a column for, in words.
_FIELDS = {
    "sku": "Code (SKU)", "name": "Name", "description": "Description", "unit": "Unit", "price": "Price",
    "currency": "Currency", "kind": "Kind", "category": "Category", "supplier": "Supplier",
    "effective_from": "In force from",
}  # fmt: skip
_TEXTS = ("name", "description", "unit", "currency", "kind", "category", "supplier")


async def _items(visit: Visit) -> Shown:
    query, on = visit.query.get("q", "").strip(), visit.query.get("on", "")
    request = price_book_pb2.SearchItemsRequest(query=query, on=on, limit=50, offset=visit.offset)
    problem = None
    try:
        found = await visit.ask("PriceBookService/SearchItems", request)
    except Problem as raised:
        problem, found = of_this_page(raised), price_book_pb2.SearchItemsResponse()
    again = urlencode({name: value for name, value in (("q", query), ("on", on)) if value})
    return visit.page(
        "price_book.html", problem, items=found, query=query, on=on, again=f"/price-book?{again}&", shown=_shown
    )


async def _new(visit: Visit, problem: Problem | None = None) -> Shown:
    return visit.page("price_item_new.html", problem, kinds=LINE_KINDS)


async def _add(visit: Visit) -> Shown:
    given = {name: visit.first(name).strip() for name in ("sku", *_TEXTS, "effective_from")}
    try:
        request = price_book_pb2.CreateItemRequest(**given, price=_price(visit.first("price")))
        made = await visit.ask("PriceBookService/CreateItem", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _new(visit, _beside(of_this_page(problem), "sku", "sku_taken"))
    return Shown(303, location=f"/price-book/items/{made.item.item_id}")


async def _item(visit: Visit, problem: Problem | None = None) -> Shown:
    request = price_book_pb2.GetItemRequest(item_id=number(visit.variables["item_id"]), offset=visit.offset)
    found = await visit.ask("PriceBookService/GetItem", request)
    if not found.HasField("item") and not found.history:
        raise Problem(404, "not_found", "There is no such page.")
    item = found.item if found.HasField("item") else found.history[-1].item
    path = f"/price-book/items/{request.item_id}"
    return visit.page(
        "price_item.html",
        problem,
        item=item,
        found=found,
        kinds=LINE_KINDS,
        shown=_shown,
        path=path,
        # Of an item that is not in force yet: the first day on which it can be changed.
        starts="" if found.HasField("item") else item.effective_from,
        changed=problem is not None and problem.reason == "item_changed",
    )


async def _change(visit: Visit) -> Shown:
    """A further revision; refused where another has come between."""
    request = price_book_pb2.UpdateItemRequest(
        item_id=number(visit.variables["item_id"]),
        effective_from=visit.first("effective_from").strip(),
        based_on=number(visit.first("based_on") or "0", "based_on"),
    )
    try:
        for name in _TEXTS:
            if name in visit.form:
                setattr(request, name, visit.first(name).strip())
        request.price = _price(visit.first("price"))
        await visit.ask("PriceBookService/UpdateItem", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _item(visit, of_this_page(problem))
    return Shown(303, location=f"/price-book/items/{request.item_id}")


async def _retire(visit: Visit) -> Shown:
    request = price_book_pb2.RetireItemRequest(
        item_id=number(visit.variables["item_id"]), effective_from=visit.first("retired_from").strip()
    )
    try:
        await visit.ask("PriceBookService/RetireItem", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _item(visit, _renamed(of_this_page(problem), "effective_from", "retired_from"))
    return Shown(303, location=f"/price-book/items/{request.item_id}")


async def _import(visit: Visit, problem: Problem | None = None) -> Shown:
    return visit.page("price_import_new.html", problem, kinds=LINE_KINDS)


async def _start_import(visit: Visit) -> Shown:
    """The first step reads the file and stores no price."""
    upload = visit.files.get("file")
    if upload is None:
        missing = [FieldProblem("file", "required", "choose a file")]
        return await _import(visit, Problem(422, "invalid_fields", "The request is not valid.", fields=missing))
    file = httpbody_pb2.HttpBody(content_type=upload.content_type, data=upload.content)
    request = price_book_pb2.StartImportRequest(file=file, filename=upload.name[:255])
    _say(request, visit)
    try:
        answer = await visit.ask("PriceBookService/StartImport", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _import(visit, of_this_page(problem))
    return Shown(303, location=_import_path(answer.price_import.import_id, visit))


async def _import_result(visit: Visit, problem: Problem | None = None) -> Shown:
    found = await _find_import(visit)
    done = found.price_import
    chosen = {heading: name for name, heading in done.columns.items()}
    columns = [(column, chosen.pop(column.heading or column.letter, "")) for column in done.file_columns]
    kept = {name: visit.query.get(name, "") for name in ("currency", "unit", "kind", "decimal_mark", "effective_from")}
    return visit.page(
        "price_import.html",
        problem,
        done=done,
        found=found,
        columns=columns,
        fields=_FIELDS,
        kinds=LINE_KINDS,
        path=f"/price-book/imports/{done.import_id}",
        again=f"/price-book/imports/{done.import_id}?{urlencode({k: v for k, v in kept.items() if v})}&",
        kept=kept,
    )


async def _progress(visit: Visit) -> Shown:
    """``{status, rows_read, rows_total}``, for the script."""
    done = (await _find_import(visit)).price_import
    content = {"status": done.status, "rows_read": done.rows_read, "rows_total": done.rows_total}
    return Shown(content=orjson.dumps(content), content_type=JSON)


async def _repeat_import(visit: Visit) -> Shown:
    """The file once more: with other columns, or to apply it."""
    request = price_book_pb2.RepeatImportRequest(
        import_id=number(visit.variables["import_id"]),
        dry_run=visit.first("do") != "apply",
        columns=_mapping(visit),
        skip_refused=visit.first("skip_refused") == "yes",
    )
    _say(request, visit)
    try:
        answer = await visit.ask("PriceBookService/RepeatImport", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _import_result(visit, of_this_page(problem))
    return Shown(303, location=_import_path(answer.price_import.import_id, visit))


async def _find_import(visit: Visit) -> price_book_pb2.GetImportResponse:
    request = price_book_pb2.GetImportRequest(import_id=number(visit.variables["import_id"]), offset=visit.offset)
    answer = await visit.ask("PriceBookService/GetImport", request)
    assert isinstance(answer, price_book_pb2.GetImportResponse)
    return answer


def _say(request: price_book_pb2.StartImportRequest | price_book_pb2.RepeatImportRequest, visit: Visit) -> None:
    """Put into a request what holds for rows that do not say."""
    for name, value in _reading(visit).items():
        setattr(request, name, value)


def _reading(visit: Visit) -> dict[str, str]:
    """What holds for rows that do not say."""
    names = ("currency", "unit", "kind", "decimal_mark", "effective_from")
    return {name: visit.first(name).strip() for name in names}


def _import_path(import_id: int, visit: Visit) -> str:
    """The page of an import, which keeps what was said of the file for the next step."""
    given = urlencode({name: value for name, value in _reading(visit).items() if value})
    return f"/price-book/imports/{import_id}" + (f"?{given}" if given else "")


def _mapping(visit: Visit) -> list[str]:
    """``price=C`` for each column that was given a field (``column.C`` of the form), ``unit=`` for fields without."""
    chosen = [(visit.first(name), name.removeprefix("column.")) for name in visit.form if name.startswith("column.")]
    given = {field for field, _ in chosen}
    pairs = [(field, letter) for field, letter in chosen if field]
    without = [(field, "") for field in _FIELDS if chosen and field not in given]
    # As many as there are fields: where one is chosen twice, which is refused, others are of no interest.
    return [f"{field}={letter}" for field, letter in [*pairs, *without][: max(len(pairs), len(_FIELDS))]]


def _price(text: str) -> float:
    """What people type: ``1,250.50``. Raises 422."""
    price = read_figure(text.strip())
    if price is None:
        fields = [FieldProblem("price", "malformed", "must be a number such as 1250.50")]
        raise Problem(422, "invalid_fields", "The request is not valid.", fields=fields)
    return price


def _shown(price: float) -> str:
    """``1,250.50``: at least two decimals, as many as there are."""
    exact = Decimal(repr(price)).normalize()
    places = max(2, -int(exact.as_tuple().exponent))
    return f"{exact:,.{places}f}"


def _beside(problem: Problem, name: str, reason: str) -> Problem:
    """The problem of one reason as that of a field."""
    if problem.reason != reason:
        return problem
    return Problem(problem.status, reason, problem.message, fields=[FieldProblem(name, reason, problem.message)])


def _renamed(problem: Problem, name: str, other: str) -> Problem:
    fields: Iterable[FieldProblem] = problem.fields
    renamed = [FieldProblem(other if one.field == name else one.field, one.reason, one.message) for one in fields]
    return Problem(problem.status, problem.reason, problem.message, fields=renamed)


VIEWS = (
    view("/price-book", _items, menu="Price book"),
    view("/price-book/new", _new, _add),
    view("/price-book/items/{item_id}", _item, _change),
    view("/price-book/items/{item_id}/retire", take=_retire),
    view("/price-book/import", _import, _start_import, feeds="PriceBookService/StartImport"),
    view("/price-book/imports/{import_id}", _import_result, _repeat_import),
    view("/price-book/imports/{import_id}/progress", _progress),
)
