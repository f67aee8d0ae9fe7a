"""A copied store says what the first one said, goes on where it stopped, and is made whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from server import administration
from server.domain.drafting.engine import Drafter
from server.domain.plans import SCOPES
from server.domain.price_book.item import Entry
from server.domain.pricing.price_book import Wanted
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from server.store import audit, customers, price_book, quotes
from server.store.audit import Act
from server.store.copying import CopyRefusedError, copy
from server.store.customers import Details
from server.store.database import Store

ENTRY = Entry("TAP-1", "Kitchen mixer tap", "each", Decimal("120.50"), "USD", "service", "2026-01-01")


WANTED = Wanted(stages=(((("basin",), ("tap",)),),))


def fill(store: Store) -> int:
    """Rows in the tables that matter, by the ways that the service uses."""
    organization = administration.create_organization(store, "Ünïted & Sons", "Starter")
    administration.create_user(
        store, organization, "a@quotewright.example", "a password of decent length", role="owner"
    )
    administration.create_key(store, organization, livemode=True, name="k", scopes=SCOPES)
    new_quote(store, organization)

    def work() -> None:
        first = customers.create(organization, True, Details("Ann"), lead_id=0, quote_id=0, created_by="operator", at=1)
        second = customers.create(
            organization, True, Details("Anne"), lead_id=0, quote_id=0, created_by="operator", at=1
        )
        # The first points at one that comes after it.
        customers.merge(second, first, 2)
        item = price_book.create_item(organization, True, ENTRY, actor="operator", at=2)
        later = replace(ENTRY, name="Basin mixer tap", effective_from="2026-02-01")
        price_book.revise_item(organization, True, item, later, retired=False, actor="operator", at=3)

    store.write_now(work)
    return organization


def new_quote(store: Store, organization: int) -> quotes.StoredQuote:
    embedded = load_embedded()
    draft = Drafter(embedded.catalogue, embedded.gazetteer).draft("Paint 60 m2 of walls", settings=PricingSettings())
    new = quotes.NewQuote(
        "Paint 60 m2 of walls", "", draft, "2026-12-21", "key:x", 1, datetime(2026, 11, 21, tzinfo=UTC).year
    )
    act = Act(organization, True, "key:x", "req", 6)

    def work() -> quotes.StoredQuote:
        audit.record(act, "quote:create", "quote:1")
        return quotes.create(organization, True, new)

    return store.write_now(work)


@pytest.fixture
def databases(tmp_path, postgres):
    return tmp_path / "one.db", postgres.create(), tmp_path / "two.db"


def test_a_store_moves_to_postgresql_and_back_and_goes_on(databases):
    one, two, three = databases
    store = Store(one)
    organization = fill(store)
    store.close()
    there, back = [], []
    copy(one, two, there.append)
    copy(two, three, back.append)
    assert there == back
    assert sum(copied.rows for copied in there) > 15
    for database in (two, three):
        store = Store(database)
        try:
            assert store.read_now(lambda: audit.verify(organization)) is None
            assert new_quote(store, organization).number.endswith("000002")
            book = store.read_now(lambda: price_book.book_of(organization, True))
            (found,) = store.read_now(lambda book=book: price_book.look_up(book[0], "2026-06-01", WANTED))
            assert found.entry.name == "Basin mixer tap"
            explained = store.read_now(lambda: quotes.explanation(organization, True, 1, 1))
            assert explained is not None
            assert explained[1].problems == ()
        finally:
            store.close()


def test_a_target_with_rows_is_left_as_it_is(databases):
    one, two, _ = databases
    for database in (one, two):
        store = Store(database)
        fill(store)
        store.close()
    with pytest.raises(CopyRefusedError, match="not empty"):
        copy(one, two, lambda _: None)
    store = Store(two)
    try:
        assert store.read_now(lambda: audit.verify(1)) is None
    finally:
        store.close()


def test_a_source_that_does_not_exist_is_refused_and_not_made(tmp_path, databases):
    missing = tmp_path / "none.db"
    with pytest.raises(OSError, match="no database"):
        copy(missing, databases[1], lambda _: None)
    assert not missing.exists()
