"""Promises of stored price books: an import is in force whole or not at all, and history is never rewritten."""

import threading
import time
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server import importing
from server.domain.price_book.item import Entry
from server.domain.price_book.price_list import Defaults
from server.domain.pricing import price_book as pricing
from server.domain.pricing.price_book import Match, own_items, searched_items
from server.importing import Importer, PriceFile, run_import
from server.rpc.books import StoredBook
from server.store import accounts, audit, price_book
from server.store.audit import Act
from server.store.database import Store, execute
from server.store.price_book import ImportOverError, ImportRunningError, NewImport

DAY = "2026-01-01"


@pytest.fixture
def store(new_database):
    store = Store(new_database())
    yield store
    store.close()


def new(at=0, *, dry_run=False, skip_refused=False):
    return NewImport("a.csv", dry_run=dry_run, skip_refused=skip_refused, effective_from=DAY, started_by="t", at=at)


def start(store, act, **more):
    return store.write_now(lambda: price_book.start_import(act.organization_id, act.livemode, new(**more)))


def apply(store, act, text, day=DAY, **more):
    return run_import(
        store, start(store, act, **more), PriceFile(text.encode(), "a.csv", Defaults("USD", day), {}), act
    )


def book(store, act, on=DAY):
    found = store.read_now(lambda: price_book.book_of(act.organization_id, act.livemode))
    return StoredBook(store, *found, date.fromisoformat(on))


def listed(store, act, on=DAY, limit=100):
    return store.read_now(lambda: price_book.list_items(book(store, act).book_id, on, limit=limit, offset=0))


PRICES = st.dictionaries(
    st.from_regex(r"[A-Z]{1,3}[0-9]{1,3}", fullmatch=True),
    st.one_of(st.integers(1, 99_999).map(lambda cents: f"{cents / 100:.2f}"), st.sampled_from(["-1.00", "x", "0.00"])),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PRICES, min_size=1, max_size=4), st.booleans())
def test_after_any_imports_the_book_says_what_the_last_good_rows_said(store, act, lists, skip_refused):
    act = Act(store.write_now(lambda: accounts.create_organization("H", "Starter", 0)), True, "operator", "", 0)
    expected: dict[str, Decimal] = {}
    for prices in lists:
        text = "SKU,Name,Unit,Price\n" + "".join(f"{sku},Thing {sku},m,{price}\n" for sku, price in prices.items())
        row = apply(store, act, text, skip_refused=skip_refused)
        good = {sku: Decimal(price) for sku, price in prices.items() if price not in ("-1.00", "x", "0.00")}
        applies = bool(good) and (skip_refused or len(good) == len(prices))
        assert row.status == ("applied" if applies else "refused")
        assert row.refused == len(prices) - len(good)
        expected |= good if applies else {}
        assert {item.entry.sku: item.entry.price for item in listed(store, act)} == expected
    while store.write_now(price_book.sweep):
        pass
    assert {item.entry.sku: item.entry.price for item in listed(store, act)} == expected


def test_nothing_of_an_import_shows_before_its_end_and_all_of_it_after(store, act):
    rows = "".join(f"K{n},Thing {n},each,{n + 1}.50\n" for n in range(450))
    seen = []
    import_id = start(store, act)
    run_import(
        store, import_id, PriceFile(f"SKU,Name,Unit,Price\n{rows}".encode(), "a.csv", Defaults("USD", DAY), {}), act,
        progress=lambda done, total: seen.append((done, total, len(listed(store, act)))),
    )  # fmt: skip
    assert seen == [(200, 450, 0), (400, 450, 0)]
    assert len(listed(store, act)) == 100
    assert store.read_now(lambda: audit.verify(act.organization_id)) is None


def test_one_import_runs_at_a_time_and_a_silent_one_is_over(store, act):
    first = start(store, act)
    with pytest.raises(ImportRunningError):
        start(store, act, at=price_book.SILENT_FOR)
    start(store, act, at=price_book.SILENT_FOR + 1)
    with pytest.raises(ImportOverError):
        store.write_now(lambda: price_book.stage(first, price_book.Batch([], rows=1), 0))


def silent():
    """Imports that would be taken for dead, were they looked at now."""
    row = execute(
        "select count(*) from price_import where status = 'running' and touched_at < ?",
        (time.time_ns() // 1000 - price_book.SILENT_FOR,),
    )
    return row.fetchone()[0]


def test_an_import_that_waits_for_others_is_not_taken_for_dead(store, act, monkeypatch):
    """Two long ones run, a third waits: time goes by, the housekeeping sees to silent ones, and all three end."""
    monkeypatch.setattr(importing, "SIGN_EVERY", 0.01)
    held = threading.Event()
    file = PriceFile(b"SKU,Name,Unit,Price\nA1,a,m,1.50\n", "a.csv", Defaults("USD", DAY), {})
    columns = importing.file_columns
    monkeypatch.setattr(importing, "file_columns", lambda *of: (held.wait(60), columns(*of))[1])
    logged = []
    importer = Importer(store, lambda event, **more: logged.append((event, more.get("status"))))
    others = [
        Act(store.write_now(lambda: accounts.create_organization("B", "Starter", 0)), True, "operator", "", 0)
        for _ in range(importing.THREADS)
    ]
    accepted = time.time_ns() // 1000 - 10 * price_book.SILENT_FOR
    try:
        for each in (*others, act):
            importer.submit(start(store, each, at=accepted), file, each)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and store.read_now(silent):
            time.sleep(0.01)
        store.write_now(lambda: price_book.give_up_silent(time.time_ns() // 1000))
        held.set()
        while time.monotonic() < deadline and len(logged) < 3:
            time.sleep(0.01)
    finally:
        held.set()
        importer.stop()
    assert logged == [("import", "applied")] * 3


def test_a_process_that_lives_brings_no_import_back_that_was_given_up(store, act):
    given_up = start(store, act)
    store.write_now(lambda: price_book.give_up_silent(price_book.SILENT_FOR + 1))
    store.write_now(lambda: price_book.touch([given_up], price_book.SILENT_FOR + 2))
    found = store.read_now(lambda: price_book.find_import(act.organization_id, act.livemode, given_up))
    assert found.status == "failed"
    start(store, act, at=price_book.SILENT_FOR + 3)


def test_a_dry_run_counts_and_leaves_nothing(store, act):
    row = apply(store, act, "SKU,Name,Unit,Price\nA1,a,m,1.50\n", dry_run=True)
    assert (row.status, row.created) == ("checked", 1)
    assert store.read_now(lambda: execute("select count(*) from price_item").fetchone()) == (0,)


def test_a_list_of_the_future_is_in_force_from_its_day_on(store, act):
    apply(store, act, "SKU,Name,Unit,Price\nA1,Gutter,m,1.50\n")
    apply(store, act, "SKU,Name,Unit,Price,Effective from\nA1,Gutter,m,2.50,2026-07-01\nA1,Gutter,m,3.50,2027-01-01\n")
    prices = [listed(store, act, on)[0].entry.price for on in ("2026-06-30", "2026-07-01", "2027-02-01")]
    assert prices == [Decimal("1.50"), Decimal("2.50"), Decimal("3.50")]
    assert listed(store, act, "2025-12-31") == []


def retire(store, act, *items):
    for item in items:
        store.write_now(
            lambda item=item: price_book.revise_item(
                act.organization_id, True, item, item.entry, retired=True, actor="t", at=0
            )
        )


def test_retired_items_take_no_place_of_a_page(store, act):
    """Two of six retired: pages of two are full, in order, and together the four that are in use."""
    apply(store, act, "SKU,Name,Unit,Price\n" + "".join(f"A{n},Thing {n},m,1.50\n" for n in range(6)))
    retire(store, act, *(listed(store, act)[n] for n in (1, 4)))
    book_id = book(store, act).book_id
    pages = [
        [
            item.entry.sku
            for item in store.read_now(lambda at=at: price_book.list_items(book_id, DAY, limit=2, offset=at))
        ]
        for at in (0, 2, 4)
    ]
    assert pages == [["A0", "A2"], ["A3", "A5"], []]


def skus(found):
    return [one.item.entry.sku for one in found]


def test_items_that_are_retired_or_renamed_hide_none_that_is_in_use(store, act):
    """Forty of each, all with shorter or the same names: more than one look-up gives."""
    rows = "".join(f"R{n},Gizmo {n},m,1.50\nN{n},Gizmo,m,1.50\nG{n},Gizmo g{n},m,1.50\n" for n in range(40))
    apply(store, act, f"SKU,Name,Unit,Price\n{rows}")
    retire(store, act, *(item for item in listed(store, act, limit=1000) if item.entry.sku[0] in "RN"))
    apply(store, act, "SKU,Name,Unit,Price\n" + "".join(f"G{n},Widget {n},m,1.50\n" for n in range(40)))
    apply(store, act, "SKU,Name,Unit,Price\nL,Gizmo heavy duty galvanized long,m,9\nN,Gizmo,m,8\n")
    assert skus(searched_items(book(store, act), "gizmo", 21)) == ["N", "L"]
    assert skus(own_items(book(store, act), "gizmo long")) == ["L"]
    assert skus(own_items(book(store, act), "gizmo"))[:1] == ["N"]


def test_prices_of_many_days_hide_no_other_item_of_the_name(store, act):
    for price in range(1, 36):
        apply(store, act, f"SKU,Name,Unit,Price\nA1,Copper elbow,each,{price}.50\n")
    apply(store, act, "SKU,Name,Unit,Price\nA2,Copper elbow,each,9\n")
    found = own_items(book(store, act), "copper elbow")
    assert [(one.item.entry.sku, one.item.entry.price, one.match) for one in found] == [
        ("A1", Decimal("35.50"), Match.NAME), ("A2", Decimal(9), Match.NAME),
    ]  # fmt: skip


def test_a_search_has_a_page_for_every_hit_and_none_twice(store, act, monkeypatch):
    """Pages of one item up to more than all are the same list, cut; also where blocks are put in order one by one."""
    rows = "".join(f"A{n},Gizmo {'long ' * (n % 5)}{n},m,1.50\n" for n in range(60))
    apply(store, act, f"SKU,Name,Unit,Price\n{rows}")
    for together in (500, 7):
        monkeypatch.setattr(pricing, "RANKED_TOGETHER", together)
        whole = skus(searched_items(book(store, act), "gizmo", 1000))
        assert sorted(whole) == sorted(f"A{n}" for n in range(60))
        for count in (1, 7, 20, 33, 60, 61):
            assert skus(searched_items(book(store, act), "gizmo", count))[:count] == whole[:count]


def test_prices_that_change_do_not_make_the_words_grow(store, act):
    for price in range(1, 6):
        apply(store, act, f"SKU,Name,Unit,Price\nA1,Copper elbow,each,{price}.50\n")
    assert store.read_now(lambda: execute("select count(*) from price_words").fetchone()) == (1,)
    item = listed(store, act)[0]
    renamed = Entry("A1", "Brass tee", "each", Decimal(9), "USD", "service", DAY)
    store.write_now(
        lambda: price_book.revise_item(act.organization_id, True, item, renamed, retired=False, actor="t", at=0)
    )
    history = store.read_now(lambda: price_book.history(act.organization_id, True, item.item_id, limit=100, offset=0))
    assert [one.item.entry.price for one in history] == [9, *(Decimal(f"{price}.50") for price in range(5, 0, -1))]


def test_an_item_that_a_failed_import_called_alike_is_found_when_the_words_are_indexed_again(store, act):
    apply(store, act, "SKU,Name,Unit,Price\nA1,Basin tap,each,10\n")
    (item,) = listed(store, act)
    renamed = replace(item.entry, name="Mixer for a basin")
    # Staged by a process that ended before it was through: never in force, and swept later.
    left = start(store, act)
    store.write_now(lambda: price_book.stage(left, price_book.Batch([renamed], rows=1), 0))
    store.write_now(
        lambda: price_book.revise_item(act.organization_id, act.livemode, item, renamed, retired=False, actor="t", at=0)
    )

    def index_again():
        execute("delete from price_words")
        price_book.index_again()

    store.write_now(index_again)
    store.write_now(lambda: price_book.give_up_silent(10**15))
    while store.write_now(price_book.sweep):
        pass
    assert skus(searched_items(book(store, act), "mixer", 10)) == ["A1"]


def test_the_file_of_a_books_last_import_is_kept_until_it_is_applied_or_its_time_is_over(store, act):
    first, text = start(store, act, dry_run=True), b"SKU,Item,Unit,Price\nA,Door,each,9\n"
    file = PriceFile(text, "a.csv", Defaults("USD", DAY), {})
    store.write_now(lambda: price_book.keep_file(first, b"older", 10))
    store.write_now(lambda: price_book.keep_file(first, text, 100))
    checked = run_import(store, first, file, act)
    assert checked.file_kept
    assert [(one["letter"], one["heading"], one["samples"]) for one in checked.file_columns] == [
        ("A", "SKU", ["A"]), ("B", "Item", ["Door"]), ("C", "Unit", ["each"]), ("D", "Price", ["9"]),
    ]  # fmt: skip
    store.write_now(lambda: price_book.forget_files(100))
    assert store.read_now(lambda: price_book.kept_file(first)) == text
    second = start(store, act)
    store.write_now(lambda: price_book.hand_file_on(first, second))
    assert store.read_now(lambda: price_book.kept_file(first)) is None
    assert not run_import(store, second, file, act).file_kept
    third = start(store, act, dry_run=True)
    store.write_now(lambda: price_book.keep_file(third, text, 100))
    store.write_now(lambda: price_book.forget_files(101))
    assert store.read_now(lambda: price_book.kept_file(third)) is None
