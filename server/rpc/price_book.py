"""The organization's own prices: imported, searched, edited, with their history."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from quotewright.v1 import price_book_pb2

from process import wire
from server import faults
from server.domain.money import CURRENCIES
from server.domain.price_book.columns import split_mapping
from server.domain.price_book.item import BookItem, Entry, faults_of
from server.domain.price_book.price_list import Defaults, iso_day
from server.domain.price_book.unit_names import unit_code
from server.domain.pricing.price_book import searched_items
from server.faults import FieldViolation
from server.importing import Importer, PriceFile
from server.interceptors import Call
from server.rpc.books import Books
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.paging import page_size
from server.store import audit, price_book
from server.store.audit import Act
from server.store.database import Store, of_one_moment
from server.store.price_book import ImportRow, RevisionRow

#: How often a watched import is looked at.
LOOK_EVERY = 0.25
#: How long the file of an import may be read again, in µs.
FILE_KEPT_FOR = 24 * 3600 * 1_000_000
_Import = price_book_pb2.StartImportRequest | price_book_pb2.RepeatImportRequest
_Started = TypeVar("_Started", price_book_pb2.StartImportResponse, price_book_pb2.RepeatImportResponse)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How the rows of a list are read."""

    defaults: Defaults
    columns: dict[str, str]


class PriceBookService:
    """Price books. ``clock`` gives the time in UTC; its date is today."""

    def __init__(
        self,
        store: Store,
        organizations: Organizations,
        books: Books,
        importer: Importer,
        threads: Executor,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._organizations = organizations
        self._books = books
        self._importer = importer
        self._threads = threads
        self._clock = clock

    # --- imports -----------------------------------------------------------------------------------------------------

    async def StartImport(
        self, request: price_book_pb2.StartImportRequest, call: Call
    ) -> price_book_pb2.StartImportResponse:
        """Note the import, answer, and read the file afterwards."""
        problems = (
            [] if request.file.data else [FieldViolation("file", "required", "the body is the price list and is empty")]
        )
        plan = await self._plan(request, call, problems)
        started: list[tuple[int, Act]] = []

        def effect(act: Act) -> price_book_pb2.StartImportResponse:
            import_id = self._start(act, request, request.filename, plan)
            price_book.keep_file(import_id, request.file.data, act.at + FILE_KEPT_FOR)
            started.append((import_id, act))
            return price_book_pb2.StartImportResponse(price_import=_import_now(act, import_id))

        response = await self._write_import(call, request, effect, price_book_pb2.StartImportResponse)
        if started and wire.REPLAYED not in call.reply_metadata:
            self._submit(*started[0], request.file.data, request.filename, request, plan)
        return response

    async def RepeatImport(
        self, request: price_book_pb2.RepeatImportRequest, call: Call
    ) -> price_book_pb2.RepeatImportResponse:
        """A new import of the file that an earlier one has kept."""
        plan = await self._plan(request, call, [])
        started: list[tuple[int, Act, bytes, str]] = []

        def effect(act: Act) -> price_book_pb2.RepeatImportResponse:
            before = price_book.find_import(act.organization_id, act.livemode, request.import_id)
            if before is None:
                raise faults.not_found("import")
            data = price_book.kept_file(before.import_id)
            if data is None:
                raise faults.failed_precondition(
                    "IMPORT_FILE_GONE", "The file of this import is not kept any more; send it again."
                )
            import_id = self._start(act, request, before.filename, plan)
            price_book.hand_file_on(before.import_id, import_id)
            started.append((import_id, act, data, before.filename))
            return price_book_pb2.RepeatImportResponse(price_import=_import_now(act, import_id))

        response = await self._write_import(call, request, effect, price_book_pb2.RepeatImportResponse)
        if started and wire.REPLAYED not in call.reply_metadata:
            self._submit(*started[0], request, plan)
        return response

    async def _plan(self, request: _Import, call: Call, problems: list[FieldViolation]) -> _Plan:
        """How rows are to be read. Raises INVALID_ARGUMENT, with ``problems`` too."""
        organization = await self._organizations.find(call.caller.organization_id)
        currency = request.currency or organization.pricing.currency
        unit = unit_code(request.unit)
        if currency not in CURRENCIES:
            problems.append(_no_currency("currency"))
        if request.unit and not unit:
            problems.append(FieldViolation("unit", "unit_unknown", f"there is no unit {request.unit!r}"))
        columns: dict[str, str] = {}
        try:
            columns = split_mapping(request.columns)
        except ValueError as error:
            problems.append(FieldViolation("columns", "malformed", str(error)))
        day = self._day(request.effective_from, "effective_from", problems)
        _refuse(problems)
        return _Plan(Defaults(currency, day, unit, request.kind or "service"), columns)

    def _start(self, act: Act, request: _Import, filename: str, plan: _Plan) -> int:
        new = price_book.NewImport(
            filename=filename,
            dry_run=request.dry_run if request.HasField("dry_run") else True,
            skip_refused=request.skip_refused,
            effective_from=plan.defaults.effective_from,
            started_by=act.actor,
            at=act.at,
        )
        return price_book.start_import(act.organization_id, act.livemode, new)

    async def _write_import(
        self, call: Call, request: _Import, effect: Callable[[Act], _Started], kind: type[_Started]
    ) -> _Started:
        try:
            return await write_once(self._store, call, request, effect, kind)
        except price_book.ImportRunningError:
            raise faults.failed_precondition(
                "IMPORT_RUNNING", "Another import of this price book is running."
            ) from None

    def _submit(self, import_id: int, act: Act, data: bytes, filename: str, request: _Import, plan: _Plan) -> None:
        file = PriceFile(data, filename, plan.defaults, plan.columns, request.decimal_mark)
        self._importer.submit(import_id, file, act)

    async def GetImport(self, request: price_book_pb2.GetImportRequest, call: Call) -> price_book_pb2.GetImportResponse:
        """The import and a page of the rows that were refused."""
        row = await self._import(request.import_id, call)
        limit = page_size(request)
        total, problems = await self._store.browse(
            lambda: price_book.problems_of(row.import_id, limit=limit, offset=request.offset)
        )
        return price_book_pb2.GetImportResponse(
            price_import=import_message(row),
            problems=[
                price_book_pb2.RowProblem(row=one.row, field=one.field, reason=one.reason, message=one.message)
                for one in problems
            ],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(problems) < total,
        )

    async def WatchImport(
        self, request: price_book_pb2.WatchImportRequest, call: Call
    ) -> AsyncIterator[price_book_pb2.WatchImportResponse]:
        """The import as it goes on, to its end."""
        return self._progress(await self._import(request.import_id, call), call)

    async def _progress(self, row: ImportRow, call: Call) -> AsyncIterator[price_book_pb2.WatchImportResponse]:
        yield price_book_pb2.WatchImportResponse(price_import=import_message(row))
        while row.status == "running":
            await asyncio.sleep(LOOK_EVERY)
            before, row = row, await self._import(row.import_id, call)
            if row != before:
                yield price_book_pb2.WatchImportResponse(price_import=import_message(row))

    async def _import(self, import_id: int, call: Call) -> ImportRow:
        caller = call.caller
        row = await self._store.read(lambda: price_book.find_import(caller.organization_id, caller.livemode, import_id))
        if row is None:
            raise faults.not_found("import")
        return row

    # --- items -------------------------------------------------------------------------------------------------------

    async def SearchItems(
        self, request: price_book_pb2.SearchItemsRequest, call: Call
    ) -> price_book_pb2.SearchItemsResponse:
        """A page of items, best first."""
        problems: list[FieldViolation] = []
        on = self._day(request.on, "on", problems)
        _refuse(problems)
        limit, offset = page_size(request), request.offset
        found: list[BookItem] = []
        book = await self._books.find(call.caller, datetime.fromisoformat(on).date())
        if book is not None and request.query.strip():
            owned = await asyncio.get_running_loop().run_in_executor(
                self._threads, lambda: searched_items(book, request.query, offset + limit + 1)
            )
            found = [one.item for one in owned[offset : offset + limit + 1]]
        elif book is not None:
            found = await self._store.browse(
                lambda: price_book.list_items(book.book_id, on, limit=limit + 1, offset=offset)
            )
        return price_book_pb2.SearchItemsResponse(
            data=[item_message(item) for item in found[:limit]],
            limit=limit,
            offset=offset,
            has_more=len(found) > limit,
        )

    async def GetItem(self, request: price_book_pb2.GetItemRequest, call: Call) -> price_book_pb2.GetItemResponse:
        """The item on a day, with its history."""
        problems: list[FieldViolation] = []
        on = self._day(request.on, "on", problems)
        _refuse(problems)
        caller, limit, offset = call.caller, page_size(request), request.offset
        scope = (caller.organization_id, caller.livemode, request.item_id)

        @of_one_moment
        def read() -> tuple[BookItem | None, tuple[RevisionRow, ...] | None]:
            return price_book.find_item(*scope, on), price_book.history(*scope, limit=limit + 1, offset=offset)

        item, revisions = await self._store.browse(read)
        if revisions is None:
            raise faults.not_found("item")
        return price_book_pb2.GetItemResponse(
            item=None if item is None else item_message(item),
            history=[_revision_message(one) for one in revisions[:limit]],
            limit=limit,
            offset=offset,
            has_more=len(revisions) > limit,
        )

    async def CreateItem(
        self, request: price_book_pb2.CreateItemRequest, call: Call
    ) -> price_book_pb2.CreateItemResponse:
        """A new item."""
        organization = await self._organizations.find(call.caller.organization_id)
        problems: list[FieldViolation] = []
        entry = Entry(
            sku=" ".join(request.sku.split()),
            name=" ".join(request.name.split()),
            description=" ".join(request.description.split()),
            unit=unit_code(request.unit) or request.unit,
            price=_decimal(request.price),
            currency=request.currency or organization.pricing.currency,
            kind=request.kind or "service",
            category=" ".join(request.category.split()),
            supplier=" ".join(request.supplier.split()),
            effective_from=self._day(request.effective_from, "effective_from", problems),
        )
        _check(entry, problems)

        def effect(act: Act) -> price_book_pb2.CreateItemResponse:
            item = price_book.create_item(act.organization_id, act.livemode, entry, actor=act.actor, at=act.at)
            audit.record(act, "price_book:create", f"item:{item.item_id}")
            return price_book_pb2.CreateItemResponse(item=item_message(item))

        try:
            return await write_once(self._store, call, request, effect, price_book_pb2.CreateItemResponse)
        except price_book.SkuTakenError:
            raise faults.already_exists("SKU_TAKEN", "The price book has an item of that SKU.") from None

    async def UpdateItem(
        self, request: price_book_pb2.UpdateItemRequest, call: Call
    ) -> price_book_pb2.UpdateItemResponse:
        """A further revision; what is not given stays as it is on that day."""
        changes: dict[str, object] = {
            name: " ".join(getattr(request, name).split())
            for name in ("name", "description", "category", "supplier", "currency", "kind")
            if request.HasField(name)
        }
        if request.HasField("unit"):
            changes["unit"] = unit_code(request.unit) or request.unit
        if request.HasField("price"):
            changes["price"] = _decimal(request.price)

        def effect(act: Act, day: str) -> price_book_pb2.UpdateItemResponse:
            item = _revised(act, request.item_id, day, changes, retired=False, based_on=request.based_on)
            audit.record(act, "price_book:update", f"item:{item.item_id}", f"from {day}")
            return price_book_pb2.UpdateItemResponse(item=item_message(item))

        day = self._change_day(request.effective_from)
        return await write_once(
            self._store, call, request, lambda act: effect(act, day), price_book_pb2.UpdateItemResponse
        )

    async def RetireItem(
        self, request: price_book_pb2.RetireItemRequest, call: Call
    ) -> price_book_pb2.RetireItemResponse:
        """A further revision that takes the item out of use."""

        def effect(act: Act, day: str) -> price_book_pb2.RetireItemResponse:
            item = _revised(act, request.item_id, day, {}, retired=True)
            audit.record(act, "price_book:retire", f"item:{item.item_id}", f"from {day}")
            return price_book_pb2.RetireItemResponse(item=item_message(item))

        day = self._change_day(request.effective_from)
        return await write_once(
            self._store, call, request, lambda act: effect(act, day), price_book_pb2.RetireItemResponse
        )

    def _change_day(self, text: str) -> str:
        problems: list[FieldViolation] = []
        day = self._day(text, "effective_from", problems)
        _refuse(problems)
        return day

    def _day(self, text: str, name: str, problems: list[FieldViolation]) -> str:
        """The day given, today where none is; one that the calendar has not goes to ``problems``."""
        today = self._clock().date().isoformat()
        if not text:
            return today
        try:
            return iso_day(text)
        except ValueError:
            problems.append(FieldViolation(name, "date", "must be a day of the calendar, YYYY-MM-DD"))
            return today


def _import_now(act: Act, import_id: int) -> price_book_pb2.PriceImport:
    row = price_book.find_import(act.organization_id, act.livemode, import_id)
    assert row is not None
    return import_message(row)


def import_message(row: ImportRow) -> price_book_pb2.PriceImport:
    """An import as the contract shows it."""
    names = (
        "import_id", "status", "filename", "format", "dry_run", "skip_refused", "effective_from", "rows_total",
        "rows_read", "created", "changed", "unchanged", "refused", "columns", "notes", "problem", "livemode",
        "file_kept",
    )  # fmt: skip
    message = price_book_pb2.PriceImport(**{name: getattr(row, name) for name in names})
    message.file_columns.extend(price_book_pb2.ImportColumn(**one) for one in row.file_columns)
    message.created_at.FromMicroseconds(row.created_at)
    if row.finished_at is not None:
        message.finished_at.FromMicroseconds(row.finished_at)
    return message


def item_message(item: BookItem) -> price_book_pb2.PriceItem:
    """An item as the contract shows it."""
    entry = item.entry
    return price_book_pb2.PriceItem(
        item_id=item.item_id,
        sku=entry.sku,
        name=entry.name,
        description=entry.description,
        unit=entry.unit,
        price=float(entry.price),
        currency=entry.currency,
        kind=entry.kind,
        category=entry.category,
        supplier=entry.supplier,
        effective_from=entry.effective_from,
        revision_id=item.revision_id,
        retired=item.retired,
    )


def _revision_message(row: RevisionRow) -> price_book_pb2.PriceRevision:
    message = price_book_pb2.PriceRevision(
        item=item_message(row.item), recorded_by=row.recorded_by, import_id=row.import_id
    )
    message.recorded_at.FromMicroseconds(row.recorded_at)
    return message


def _revised(
    act: Act, item_id: int, day: str, changes: dict[str, object], *, retired: bool, based_on: int = 0
) -> BookItem:
    """The item as it is on ``day`` with ``changes``, recorded from that day on; inside the write. ``based_on`` is the
    revision that must hold on that day; 0: any."""
    item = price_book.find_item(act.organization_id, act.livemode, item_id, day)
    if item is None:
        raise faults.not_found("item on that day")
    if based_on not in (0, item.revision_id):
        raise faults.failed_precondition("ITEM_CHANGED", "The item has been changed meanwhile.")
    entry = replace(item.entry, effective_from=day, **changes)  # type: ignore[arg-type]
    _check(entry, [])
    return price_book.revise_item(
        act.organization_id, act.livemode, item, entry, retired=retired, actor=act.actor, at=act.at
    )


def _check(entry: Entry, problems: list[FieldViolation]) -> None:
    found = [*problems, *(FieldViolation(*fault) for fault in faults_of(entry))]
    if entry.currency not in CURRENCIES:
        found.append(_no_currency("currency"))
    _refuse(found)


def _refuse(problems: list[FieldViolation]) -> None:
    if problems:
        raise faults.invalid(*problems)


def _no_currency(name: str) -> FieldViolation:
    return FieldViolation(name, "currency_unknown", f"must be one of {', '.join(sorted(CURRENCIES))}")


def _decimal(value: float) -> Decimal:
    """The number as JSON wrote it: the shortest decimal that names the double."""
    return Decimal(repr(value))
