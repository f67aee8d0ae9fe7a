"""Price books: items, revisions, imports, and looking items up. Each function runs inside `Store.write` or
`Store.read`. All SQL of price books is here; the databases differ in `_matching` and `_index_words`.

An import stages its revisions batch by batch under its id; they are in force once its row says ``applied``, all at
once, and never in parts. The words of names are indexed by ``rowid = words in the name << 40 | revision``, so that a
search that stops after its first hits stops with the shortest names, which are the best answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from itertools import zip_longest
from typing import Any

import orjson

from server.domain.price_book.item import BookItem, Entry, sku_key, words
from server.domain.price_book.price_list import FileColumn, RowProblem
from server.domain.pricing.price_book import MOST_CANDIDATES, Wanted, pairs_of
from server.domain.words import fold
from server.store.database import execute, execute_many, next_ids, of_one_moment, on_sqlite
from server.store.signals import Topic, tell

#: A running import that gave no sign for this long is over: its process is gone. In µs.
SILENT_FOR = 60 * 1_000_000
MOST_PROBLEMS = 10_000
_ROWID_BITS = 40
#: A word as texts have it, unlike those of the index, which are stems.
_WHOLE_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_IN_FORCE = (
    "(r.price_import_id is null or "
    "exists (select 1 from price_import i where i.id = r.price_import_id and i.status = 'applied'))"
)
_REVISION = (
    "r.item_id, r.id, r.retired, r.name, r.unit, r.price, r.currency, r.kind, r.effective_from, r.description, "
    "r.category, r.supplier"
)


def _holding(what: str, item: str) -> str:
    """SQL of ``what`` a revision ``r`` tells that holds of an item on a day, which is its one parameter."""
    return (
        f"(select {what} from price_revision r where r.item_id = {item} and r.effective_from <= ? and {_IN_FORCE} "  # noqa: S608
        "order by r.effective_from desc, r.id desc limit 1)"
    )


class ImportRunningError(Exception):
    """Another import of the book is running."""


class ImportOverError(Exception):
    """The import is not running any more: it was taken for dead, or its organization is gone."""


class SkuTakenError(Exception):
    """The book has an item of that SKU."""


@dataclass(frozen=True, slots=True)
class NewImport:
    """An import to start. ``at`` in µs UTC."""

    filename: str
    dry_run: bool
    skip_refused: bool
    effective_from: str
    started_by: str
    at: int


@dataclass(frozen=True, slots=True)
class ImportRow:
    """An import as stored."""

    import_id: int
    livemode: bool
    status: str
    filename: str
    format: str
    dry_run: bool
    skip_refused: bool
    effective_from: str
    rows_total: int
    rows_read: int
    created: int
    changed: int
    unchanged: int
    refused: int
    columns: dict[str, str]
    notes: list[str]
    problem: str
    created_at: int
    finished_at: int | None
    file_columns: list[dict[str, Any]]
    file_kept: bool


@dataclass(slots=True)
class Counts:
    """What a batch of entries is to the book."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """A revision with who recorded it, when, and by which import (0: an edit)."""

    item: BookItem
    recorded_by: str
    import_id: int
    recorded_at: int


@dataclass(slots=True)
class Batch:
    """Rows of an import, read and not stored yet."""

    entries: list[Entry] = field(default_factory=list)
    problems: list[RowProblem] = field(default_factory=list)
    rows: int = 0
    refused: int = 0


def book_of(organization_id: int, livemode: bool) -> tuple[int, int] | None:
    """Id and version of the organization's book, or None where it has none yet."""
    row = execute(
        "select id, version from price_book where organization_id = ? and livemode = ?", (organization_id, livemode)
    ).fetchone()
    return None if row is None else (row[0], row[1])


def _make_book(organization_id: int, livemode: bool) -> int:
    execute(
        "insert into price_book (organization_id, livemode, version) values (?, ?, 0) on conflict do nothing",
        (organization_id, livemode),
    )
    found = book_of(organization_id, livemode)
    assert found is not None
    return found[0]


def _bump(book_id: int) -> None:
    organization_id, version = execute(
        "update price_book set version = version + 1 where id = ? returning organization_id, version", (book_id,)
    ).fetchone()
    if version == 1:
        tell(Topic.BOOK, organization_id)


# --- imports --------------------------------------------------------------------------------------------------------


def start_import(organization_id: int, livemode: bool, new: NewImport) -> int:
    """The id of a running import. Raises `ImportRunningError` where one is."""
    book_id = _make_book(organization_id, livemode)
    _give_up_silent(book_id, new.at)
    if execute("select 1 from price_import where book_id = ? and status = 'running'", (book_id,)).fetchone():
        raise ImportRunningError
    row = execute(
        "insert into price_import (book_id, status, filename, format, dry_run, skip_refused, effective_from, "
        "rows_total, rows_read, created, changed, unchanged, refused, columns, notes, problem, started_by, "
        "created_at, touched_at, swept, file_columns) "
        "values (?, 'running', ?, '', ?, ?, ?, 0, 0, 0, 0, 0, 0, '{}', '[]', '', ?, ?, ?, false, '[]') returning id",
        (book_id, new.filename, new.dry_run, new.skip_refused, new.effective_from, new.started_by, new.at, new.at),
    ).fetchone()
    return int(row[0])


def _give_up_silent(book_id: int, at: int) -> None:
    execute(
        "update price_import set status = 'failed', finished_at = ?, "
        "problem = 'The process that ran the import ended before it did. Nothing of it is in force; start it again.' "
        "where book_id = ? and status = 'running' and touched_at < ?",
        (at, book_id, at - SILENT_FOR),
    )


def give_up_silent(at: int) -> None:
    """Mark as failed what no process runs any more."""
    for row in execute(
        "select distinct book_id from price_import where status = 'running' and touched_at < ?", (at - SILENT_FOR,)
    ).fetchall():
        _give_up_silent(row[0], at)


def touch(import_ids: Sequence[int], at: int) -> None:
    """The process that is to run these imports lives. What has ended stays as it is."""
    execute_many(
        "update price_import set touched_at = ? where id = ? and status = 'running'",
        [(at, import_id) for import_id in import_ids],
    )


def keep_file(import_id: int, data: bytes, until: int) -> None:
    """Keep the file of an import until it is applied, or until an instant in µs; the book's one before goes."""
    execute(
        "insert into price_import_file (book_id, price_import_id, data, kept_until) "
        "select book_id, id, ?, ? from price_import where id = ? on conflict (book_id) do update "
        "set price_import_id = excluded.price_import_id, data = excluded.data, kept_until = excluded.kept_until",
        (data, until, import_id),
    )


def kept_file(import_id: int) -> bytes | None:
    """The file of an import, or None where it is not kept any more."""
    row = execute("select data from price_import_file where price_import_id = ?", (import_id,)).fetchone()
    return None if row is None else bytes(row[0])


def hand_file_on(import_id: int, other_id: int) -> None:
    """The file of an import is that of another of the same book from here on."""
    execute("update price_import_file set price_import_id = ? where price_import_id = ?", (other_id, import_id))


def forget_files(at: int) -> None:
    """Delete the files whose time is over."""
    execute("delete from price_import_file where kept_until < ?", (at,))


def list_columns(import_id: int, at: int, columns: Sequence[FileColumn]) -> None:
    """Store which columns the file has. Raises `ImportOverError`."""
    _running(
        execute(
            "update price_import set file_columns = ?, touched_at = ? where id = ? and status = 'running' returning id",
            (_json([asdict(one) for one in columns]), at, import_id),
        ).fetchone()
    )


def describe_import(
    import_id: int, at: int, *, list_format: str, rows_total: int, columns: dict[str, str], notes: Sequence[str]
) -> None:
    """Store what was found out about the file. Raises `ImportOverError`."""
    _running(
        execute(
            "update price_import set format = ?, rows_total = ?, columns = ?, notes = ?, touched_at = ? "
            "where id = ? and status = 'running' returning id",
            (list_format, rows_total, _json(columns), _json(list(notes)), at, import_id),
        ).fetchone()
    )


def stage(import_id: int, batch: Batch, at: int) -> None:
    """Store one batch of a running import: revisions that are not in force yet, and the rows refused.

    Raises `ImportOverError`; then nothing is stored.
    """
    row = execute(
        "select book_id, dry_run, started_by from price_import where id = ? and status = 'running'", (import_id,)
    ).fetchone()
    _running(row)
    book_id, dry_run, actor = row
    counts = _stage_entries(book_id, import_id, batch.entries, dry_run=bool(dry_run), actor=actor, at=at)
    kept = execute("select count(*) from price_import_problem where price_import_id = ?", (import_id,)).fetchone()[0]
    for problem in batch.problems[: max(MOST_PROBLEMS - kept, 0)]:
        execute(
            "insert into price_import_problem (price_import_id, row, field, reason, message) values (?, ?, ?, ?, ?)",
            (import_id, problem.row, problem.field, problem.reason, problem.message),
        )
    execute(
        "update price_import set rows_read = rows_read + ?, created = created + ?, changed = changed + ?, "
        "unchanged = unchanged + ?, refused = refused + ?, touched_at = ? where id = ?",
        (batch.rows, counts.created, counts.changed, counts.unchanged, batch.refused, at, import_id),
    )


def _stage_entries(
    book_id: int, import_id: int, entries: Sequence[Entry], *, dry_run: bool, actor: str, at: int
) -> Counts:
    """Many rows at once: ids are given out here, as no other writer can come between."""
    counts = Counts()
    keys = [sku_key(entry.sku) for entry in entries]
    marks = ", ".join("?" * len(keys))
    known: dict[str, int] = dict(
        execute(f"select sku_key, id from price_item where book_id = ? and sku_key in ({marks})", (book_id, *keys))  # noqa: S608
    )
    items: list[tuple[object, ...]] = []
    revisions: list[tuple[object, ...]] = []
    indexed: list[_Indexed] = []
    item_ids, revision_ids = iter(next_ids("price_item", len(keys))), iter(next_ids("price_revision", len(keys)))
    for entry, key in zip(entries, keys, strict=True):
        current = in_force(known[key], entry.effective_from) if key in known else None
        if current is not None and not current.retired and _same(current.entry, entry):
            counts.unchanged += 1
            continue
        if current is None:
            counts.created += 1
        else:
            counts.changed += 1
        if dry_run:
            continue
        if key not in known:
            known[key] = next(item_ids)
            items.append((known[key], book_id, entry.sku, key))
        named, revision_id = words(entry.name), next(revision_ids)
        revisions.append(_revision(revision_id, book_id, known[key], entry, named, import_id, actor, at))
        if current is None or words(current.entry.name) != named:
            indexed.append((revision_id, book_id, named))
    execute_many("insert into price_item (id, book_id, sku, sku_key) values (?, ?, ?, ?)", items)
    execute_many(_INSERT_REVISION, revisions)
    _index_words(indexed)
    return counts


def _same(one: Entry, other: Entry) -> bool:
    """Whether two entries say the same, but for the day and the way the SKU is written."""
    fields = ("name", "description", "unit", "price", "currency", "kind", "category", "supplier")
    return all(getattr(one, name) == getattr(other, name) for name in fields)


def finish_import(import_id: int, at: int, *, problem: str = "") -> ImportRow:
    """End a running import: everything it staged is in force from here on, or nothing. Raises `ImportOverError`.

    ``problem``: why the file could not be read to its end.
    """
    row = execute(
        "select book_id, dry_run, skip_refused, refused, created + changed + unchanged from price_import "
        "where id = ? and status = 'running'",
        (import_id,),
    ).fetchone()
    _running(row)
    book_id, dry_run, skip_refused, refused, good = row
    status = "checked" if dry_run else "applied"
    if problem:
        status = "failed"
    elif refused and not skip_refused:
        status, problem = "refused", f"{refused} rows were refused, so none was applied."
    elif not good:
        status, problem = "refused", "The list has no row that could be read."
    execute(
        "update price_import set status = ?, problem = ?, finished_at = ?, touched_at = ?, swept = ? where id = ?",
        (status, problem, at, at, dry_run or status == "applied", import_id),
    )
    if status == "applied":
        _bump(book_id)
        execute("delete from price_import_file where price_import_id = ?", (import_id,))
    stored = _import("i.id = ?", (import_id,))
    assert stored is not None
    return stored


def find_import(organization_id: int, livemode: bool, import_id: int) -> ImportRow | None:
    """The import, or None where this organization has none of that id in this mode."""
    return _import("b.organization_id = ? and b.livemode = ? and i.id = ?", (organization_id, livemode, import_id))


def _import(where: str, parameters: tuple[object, ...]) -> ImportRow | None:
    row = execute(
        "select i.id, b.livemode, i.status, i.filename, i.format, i.dry_run, i.skip_refused, i.effective_from, "  # noqa: S608 - constants
        "i.rows_total, i.rows_read, i.created, i.changed, i.unchanged, i.refused, i.columns, i.notes, i.problem, "
        "i.created_at, i.finished_at, i.file_columns, "
        "exists (select 1 from price_import_file f where f.price_import_id = i.id) "
        f"from price_import i join price_book b on b.id = i.book_id where {where}",
        parameters,
    ).fetchone()
    if row is None:
        return None
    return ImportRow(
        import_id=row[0],
        livemode=bool(row[1]),
        status=row[2],
        filename=row[3],
        format=row[4],
        dry_run=bool(row[5]),
        skip_refused=bool(row[6]),
        effective_from=row[7],
        rows_total=row[8],
        rows_read=row[9],
        created=row[10],
        changed=row[11],
        unchanged=row[12],
        refused=row[13],
        columns=orjson.loads(row[14]),
        notes=orjson.loads(row[15]),
        problem=row[16],
        created_at=row[17],
        finished_at=row[18],
        file_columns=orjson.loads(row[19]),
        file_kept=bool(row[20]),
    )


@of_one_moment
def problems_of(import_id: int, *, limit: int, offset: int) -> tuple[int, tuple[RowProblem, ...]]:
    """How many refused rows are kept, and one page of them in the order of the file."""
    total = execute("select count(*) from price_import_problem where price_import_id = ?", (import_id,)).fetchone()[0]
    rows = execute(
        "select row, field, reason, message from price_import_problem where price_import_id = ? "
        "order by id limit ? offset ?",
        (import_id, limit, offset),
    ).fetchall()
    return total, tuple(RowProblem(*row) for row in rows)


def sweep(most: int = 500) -> int:
    """Delete what ended imports staged and never applied, at most ``most`` revisions; the number deleted."""
    row = execute(
        "select id from price_import where status in ('failed', 'refused') and not swept order by id limit 1"
    ).fetchone()
    if row is None:
        return 0
    staged = execute(
        "select id, item_id, name from price_revision where price_import_id = ? limit ?", (row[0], most)
    ).fetchall()
    if not staged:
        execute("update price_import set swept = true where id = ?", (row[0],))
    _forget_words((revision, name) for revision, _, name in staged)
    for revision, item_id, _ in staged:
        execute("delete from price_revision where id = ?", (revision,))
        execute(
            "delete from price_item where id = ? and not exists (select 1 from price_revision where item_id = ?)",
            (item_id, item_id),
        )
    return len(staged)


def _running(row: object) -> None:
    if row is None:
        raise ImportOverError


# --- items ----------------------------------------------------------------------------------------------------------


def create_item(organization_id: int, livemode: bool, entry: Entry, *, actor: str, at: int) -> BookItem:
    """A new item. Raises `SkuTakenError` where the book has one of that SKU, in force on any day."""
    book_id = _make_book(organization_id, livemode)
    key = sku_key(entry.sku)
    found = execute("select id from price_item where book_id = ? and sku_key = ?", (book_id, key)).fetchone()
    if found is not None:
        if execute(
            f"select 1 from price_revision r where r.item_id = ? and {_IN_FORCE} limit 1", found  # noqa: S608
        ).fetchone():  # fmt: skip
            raise SkuTakenError
        item_id = found[0]
        execute("update price_item set sku = ? where id = ?", (entry.sku, item_id))
    else:
        item_id = _new_item(book_id, entry.sku, key)
    return _record(book_id, item_id, entry, before=None, retired=False, actor=actor, at=at)


def revise_item(
    organization_id: int, livemode: bool, item: BookItem, entry: Entry, *, retired: bool, actor: str, at: int
) -> BookItem:
    """The item as ``entry`` says from its day on; ``item`` is what `find_item` found."""
    book_id = _make_book(organization_id, livemode)
    return _record(book_id, item.item_id, entry, before=item, retired=retired, actor=actor, at=at)


def _record(
    book_id: int, item_id: int, entry: Entry, *, before: BookItem | None, retired: bool, actor: str, at: int
) -> BookItem:
    revision, named = next_ids("price_revision", 1)[0], words(entry.name)
    execute(_INSERT_REVISION, _revision(revision, book_id, item_id, entry, named, None, actor, at, retired=retired))
    if before is None or words(before.entry.name) != named:
        _index_words([(revision, book_id, named)])
    _bump(book_id)
    return BookItem(item_id, revision, entry, retired)


def find_item(organization_id: int, livemode: bool, item_id: int, on: str) -> BookItem | None:
    """The item on a day, or None where the book has none of that id that is in force by then."""
    known = execute(
        "select 1 from price_item p join price_book b on b.id = p.book_id "
        "where p.id = ? and b.organization_id = ? and b.livemode = ?",
        (item_id, organization_id, livemode),
    ).fetchone()
    return in_force(item_id, on) if known else None


def history(
    organization_id: int, livemode: bool, item_id: int, *, limit: int, offset: int
) -> tuple[RevisionRow, ...] | None:
    """Revisions that are or will be in force, the one that takes effect last first; None for an unknown item."""
    rows = execute(
        f"select {_REVISION}, p.sku, r.recorded_by, coalesce(r.price_import_id, 0), r.recorded_at "  # noqa: S608
        "from price_revision r join price_item p on p.id = r.item_id join price_book b on b.id = p.book_id "
        f"where r.item_id = ? and b.organization_id = ? and b.livemode = ? and {_IN_FORCE} "
        "order by r.effective_from desc, r.id desc limit ? offset ?",
        (item_id, organization_id, livemode, limit, offset),
    ).fetchall()
    if not rows and not offset:
        return None
    return tuple(RevisionRow(_item(row, row[12]), *row[13:]) for row in rows)


def in_force(item_id: int, on: str) -> BookItem | None:
    """The item as it is on a day; None where no revision is in force by then. Retired items are found."""
    row = execute(
        f"select {_REVISION}, p.sku from price_revision r join price_item p on p.id = r.item_id "  # noqa: S608
        f"where r.item_id = ? and r.effective_from <= ? and {_IN_FORCE} "
        "order by r.effective_from desc, r.id desc limit 1",
        (item_id, on),
    ).fetchone()
    return None if row is None else _item(row, row[12])


@of_one_moment
def list_items(book_id: int, on: str, *, limit: int, offset: int) -> list[BookItem]:
    """Items in use on a day, by SKU. Retired ones take no place of a page: it is full while further items follow."""
    rows = execute(
        f"select p.id from price_item p where p.book_id = ? and not {_holding('r.retired', 'p.id')} "  # noqa: S608
        "order by p.sku_key limit ? offset ?",
        (book_id, on, limit, offset),
    ).fetchall()
    found = {item.item_id: item for item in _in_use((row[0] for row in rows), on)}
    return [found[row[0]] for row in rows if row[0] in found]


def _new_item(book_id: int, sku: str, key: str) -> int:
    row = execute("insert into price_item (book_id, sku, sku_key) values (?, ?, ?) returning id", (book_id, sku, key))
    return int(row.fetchone()[0])


_INSERT_REVISION = """
insert into price_revision (id, book_id, item_id, effective_from, retired, name, name_key, description, unit, price,
    currency, kind, category, supplier, price_import_id, recorded_by, recorded_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def _revision(
    revision_id: int, book_id: int, item_id: int, entry: Entry, named: Sequence[str], import_id: int | None,
    actor: str, at: int, *, retired: bool = False,
) -> tuple[object, ...]:  # fmt: skip
    return (
        revision_id, book_id, item_id, entry.effective_from, retired, entry.name, " ".join(named), entry.description,
        entry.unit, f"{entry.price:f}", entry.currency, entry.kind, entry.category, entry.supplier, import_id, actor,
        at,
    )  # fmt: skip


def _item(row: Sequence[Any], sku: str) -> BookItem:
    entry = Entry(
        sku=sku, name=row[3], unit=row[4], price=Decimal(row[5]), currency=row[6], kind=row[7],
        effective_from=row[8], description=row[9], category=row[10], supplier=row[11],
    )  # fmt: skip
    return BookItem(row[0], row[1], entry, bool(row[2]))


# --- looking up -----------------------------------------------------------------------------------------------------


def look_up(book_id: int, on: str, wanted: Wanted) -> tuple[BookItem, ...]:
    """Items in use on a day that may be meant: by SKU, by name, by words; at most some `MOST_CANDIDATES` of each, but
    of each search for words ``wanted.most``. With a larger ``most`` the first ones stay the same.

    The cost is bounded by the number of candidates and, for words that many names have and few together, by the
    intersection of their lists. What is retired, or has another name by now, takes no place among them.
    """
    found: dict[int, None] = {}
    if wanted.sku_keys:
        marks = ", ".join("?" * len(wanted.sku_keys))
        rows = execute(
            f"select id from price_item where book_id = ? and sku_key in ({marks}) limit ?",  # noqa: S608 - constants
            (book_id, *wanted.sku_keys, MOST_CANDIDATES),
        )
        found |= {row[0]: None for row in rows}
    if wanted.name_keys:
        marks = ", ".join("?" * len(wanted.name_keys))
        rows = execute(
            f"select n.item_id from price_revision n where n.book_id = ? and n.name_key in ({marks}) "  # noqa: S608
            f"and not n.retired and n.id = {_holding('r.id', 'n.item_id')} limit ?",
            (book_id, *wanted.name_keys, on, MOST_CANDIDATES),
        )
        found |= {row[0]: None for row in rows}
    for stage in wanted.stages:
        searches = [
            _matching(book_id, on, " AND ".join(_either(group) for group in groups), wanted.most) for groups in stage
        ]
        # In turns, so that what more of each would add comes behind what is here.
        found |= {one: None for turn in zip_longest(*searches) for one in turn if one is not None}
        if found:
            break
    if len(wanted.pairs) > 1:
        terms = " OR ".join(f"({_either(one)} AND {_either(two)})" for one, two in pairs_of(wanted.pairs))
        found |= dict.fromkeys(_matching(book_id, on, terms, wanted.most))
    in_use = {item.item_id: item for item in _in_use(found, on)}
    return tuple(in_use[item_id] for item_id in found if item_id in in_use)


def names_have(book_id: int, word: str) -> bool:
    """Whether a name in the book has a folded word just so; asked of the first `MOST_CANDIDATES` names that have a word
    of its stem."""
    terms = " AND ".join([f'"b{book_id}"', *map(_quoted, words(word))])
    mask = (1 << _ROWID_BITS) - 1
    if on_sqlite():
        rows = execute(_NAMES_SQLITE, (mask, terms, MOST_CANDIDATES))
    else:
        rows = execute(_NAMES_POSTGRES, (mask, _as_tsquery(terms), MOST_CANDIDATES))
    return any(fold(word) in _WHOLE_WORD.findall(fold(row[0])) for row in rows)


def _in_use(item_ids: Iterable[int], on: str) -> tuple[BookItem, ...]:
    """The items that are in use on a day, in one statement."""
    ids = tuple(item_ids)
    marks = ", ".join("?" * len(ids))
    rows = execute(
        f"select {_REVISION}, p.sku from price_item p "  # noqa: S608 - constants
        f"join price_revision r on r.id = {_holding('r.id', 'p.id')} where p.id in ({marks}) and not r.retired",
        (on, *ids),
    ).fetchall()
    return tuple(_item(row, row[12]) for row in rows)


def _matching(book_id: int, on: str, terms: str, most: int) -> list[int]:
    """Items in use on a day of which the name fits the terms, the shortest names first."""
    mask, terms = (1 << _ROWID_BITS) - 1, f'"b{book_id}" AND ({terms})'
    if on_sqlite():
        rows = execute(_MATCHING_SQLITE, (mask, terms, on, most))
    else:
        rows = execute(_MATCHING_POSTGRES, (_as_tsquery(terms), mask, on, most))
    return [row[0] for row in rows]


#: Whether the name of revision ``n`` is that of an item in use. Words are indexed where the name changes, so the
#: revision that holds is often another of the same name.
_NAMED_SO = f"n.name_key = {_holding('case when r.retired then null else r.name_key end', 'n.item_id')}"
_MATCHING_SQLITE = (
    "select n.item_id from price_words w join price_revision n on n.id = w.rowid & ? "  # noqa: S608 - constants
    f"where price_words match ? and {_NAMED_SO} limit ?"
)
#: Sorted before it is joined: revisions are looked up until there are enough, not for all that match.
_MATCHING_POSTGRES = (
    "select i.item_id from (select w.rowid from price_words w where w.words @@ ?::tsquery order by w.rowid) w "  # noqa: S608
    "cross join lateral (select n.item_id from price_revision n where n.id = w.rowid & ? "
    f"and {_NAMED_SO} limit 1) i order by w.rowid limit ?"
)


_NAMES_SQLITE = (
    "select r.name from price_words w join price_revision r on r.id = w.rowid & ? "  # noqa: S608 - constants
    f"where price_words match ? and {_IN_FORCE} limit ?"
)
_NAMES_POSTGRES = (
    "select r.name from price_words w join price_revision r on r.id = w.rowid & ? "  # noqa: S608 - constants
    f"where w.words @@ ?::tsquery and {_IN_FORCE} limit ?"
)


def _as_tsquery(terms: str) -> str:
    """A query of FTS5 as PostgreSQL writes it: words stand as they are, in quotes, as in the index."""
    quoted: str = re.sub(r'"([^"]*)"(\*?)', lambda word: _lexeme(word[1]) + (":*" if word[2] else ""), terms)
    return quoted.replace(" AND ", " & ").replace(" OR ", " | ")


def _lexeme(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def _either(words_: Sequence[str]) -> str:
    """Any of the words; one that ends in ``*`` stands for all that begin so."""
    return "(" + " OR ".join(_quoted(word) for word in words_) + ")"


def _quoted(word: str) -> str:
    plain = word.removesuffix("*").replace('"', "")
    return f'"{plain}"*' if word.endswith("*") else f'"{plain}"'


#: Revision, book, words of its name.
_Indexed = tuple[int, int, Sequence[str]]


def _index_words(revisions: Iterable[_Indexed]) -> None:
    join = " ".join if on_sqlite() else _lexemes
    rows = [
        (_rowid(revision, named), join([f"b{book_id}", *sorted(set(named))])) for revision, book_id, named in revisions
    ]
    # In the order of the index: FTS5 writes out what it holds each time that a rowid is lower than the one before.
    value = "?" if on_sqlite() else "?::tsvector"
    execute_many(f"insert into price_words (rowid, words) values (?, {value})", sorted(rows))  # noqa: S608 - constants


def _lexemes(named: Sequence[str]) -> str:
    return " ".join(map(_lexeme, named))


def index_again() -> None:
    """Index the words of every revision that needs it, in an index that is empty: after a copy of the rows. What is
    staged has its own, as it may be swept."""
    last: dict[int, Sequence[str]] = {}
    indexed: list[_Indexed] = []
    for revision, book_id, item_id, name, is_in_force in execute(
        f"select r.id, r.book_id, r.item_id, r.name, {_IN_FORCE} from price_revision r order by r.id"  # noqa: S608
    ).fetchall():
        named = words(name)
        if last.get(item_id) != named:
            indexed.append((revision, book_id, named))
        if is_in_force:
            last[item_id] = named
    _index_words(indexed)


def _forget_words(revisions: Iterable[tuple[int, str]]) -> None:
    execute_many(
        "delete from price_words where rowid = ?", [(_rowid(revision, words(name)),) for revision, name in revisions]
    )


def _rowid(revision: int, named: Sequence[str]) -> int:
    return (len(set(named)) << _ROWID_BITS) | revision


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
