"""Promises of lists of quotes and customers, over both engines: found by words and filters, counted, tenants apart."""

import dataclasses
import itertools
from pathlib import Path

import pytest

from server import administration
from server.domain.draft import Draft
from server.store import customers, quotes
from server.store.audit import Act
from server.store.customers import Details
from server.store.database import Store, execute
from server.store.quotes import Wanted
from tests.unit.server.store.test_records import DRAFT, NEW


def made(store, organization, livemode=True, **more):
    return store.write_now(lambda: quotes.create(organization, livemode, dataclasses.replace(NEW, **more)))


def customer(store, organization, **details):
    known = Details(**details)
    return store.write_now(
        lambda: customers.create(organization, True, known, lead_id=0, quote_id=0, created_by="user:1", at=1)
    )


def found(store, organization, livemode=True, **wanted):
    total, rows = store.read_now(
        lambda: quotes.list_page(organization, livemode, limit=100, offset=0, wanted=Wanted(**wanted))
    )
    assert total == len(rows)
    return [row.quote_id for row in rows]


SOUND: Draft = dataclasses.replace(
    DRAFT, lines=(dataclasses.replace(DRAFT.lines[0], review_reasons=()),), review_reasons=()
)


def test_quotes_are_found_by_words_of_number_request_lines_place_and_customer(store, organization):
    who = customer(store, organization, name="Zoë Ångström", company="Cedar & Slate", email="zoe@cedar.example")
    first = made(store, organization, text="Trim the 100% hedge_row", customer_id=who.customer_id).quote_id
    second = made(store, organization, text="Re-tile the bathroom").quote_id
    for words, expected in (
        ("hedge", [first]),
        ("TRIM hedge", [first]),
        ("trim bathroom", []),
        ("zoe angstrom", [first]),
        ("ÅNGSTRÖM", [first]),
        ("cedar slate", [first]),
        ("000002", [second]),
        ("100%", [first]),
        ("%", [first]),
        ("hedge_row", [first]),
        ("_", [first]),
        ("\\", []),
        ("unknown", [second, first]),  # the description of a line
        ("nashville", [second, first] if DRAFT.location else []),
        ("  ", [second, first]),
    ):
        assert found(store, organization, words=words) == expected, words


def test_filters_go_together_and_pages_are_of_what_fits(store, organization):
    who = customer(store, organization, name="A")
    for at, draft, customer_id in itertools.product((10, 20), (SOUND, DRAFT), (0, who.customer_id)):
        made(store, organization, at=at, draft=draft, customer_id=customer_id)
    store.write_now(lambda: execute("update quote set status = 'sent' where created_at = 20 and needs_review", ()))
    assert len(found(store, organization)) == 8
    assert len(found(store, organization, needs_review=True)) == 4
    assert len(found(store, organization, needs_review=False, since=20)) == 2
    assert len(found(store, organization, before=20)) == 4
    assert len(found(store, organization, status="sent")) == 2
    (one,) = found(store, organization, status="sent", customer_id=who.customer_id, since=20, needs_review=True)
    total, rows = store.read_now(
        lambda: quotes.list_page(organization, True, limit=1, offset=1, wanted=Wanted(needs_review=False))
    )
    assert (total, len(rows), rows[0].needs_review) == (4, 1, False)
    _, rows = store.read_now(lambda: quotes.list_page(organization, True, limit=100, offset=0))
    assert next(row for row in rows if row.quote_id == one).customer == (who.customer_id, "A")
    assert [row.quote_id for row in rows] == sorted((row.quote_id for row in rows), reverse=True)
    counts = store.read_now(lambda: quotes.count_by_status(organization, True))
    assert counts == {"draft": (6, 2), "sent": (2, 2)}


def test_another_organization_and_the_other_mode_find_nothing(store, organization):
    other = administration.create_organization(store, "Other", "Starter")
    who = customer(store, organization, name="Somebody")
    made(store, organization, text="Hedge", customer_id=who.customer_id)
    mine = made(store, other, text="Fence").quote_id
    for wanted in ({"words": "hedge"}, {"words": "somebody"}, {"customer_id": who.customer_id}, {"status": "sent"}):
        assert found(store, other, **wanted) == []
        assert found(store, organization, livemode=False, **wanted) == []
    assert found(store, other, words="fence") == [mine]
    assert store.read_now(lambda: quotes.count_by_status(organization, False)) == {}


def test_quotes_of_a_merged_customer_are_found_under_the_one_that_stays(store, organization):
    stays, goes = customer(store, organization, name="Stays"), customer(store, organization, name="Goes")
    quote = made(store, organization, customer_id=goes.customer_id).quote_id
    store.write_now(lambda: customers.merge(stays, goes, 2))
    for customer_id in (stays.customer_id, goes.customer_id):
        assert found(store, organization, customer_id=customer_id) == [quote]
    assert found(store, organization, words="stays") == [quote]
    assert found(store, organization, words="goes") == []
    _, (row,) = store.read_now(lambda: quotes.list_page(organization, True, limit=1, offset=0))
    assert row.customer == (stays.customer_id, "Stays")


def test_finding_quotes_reads_no_table_from_end_to_end(database, store, organization, monkeypatch):
    """How SQLite goes about it: no look at a whole table, which holds all organizations, nor one repeated for each row."""
    if not isinstance(database, Path):
        pytest.skip("PostgreSQL plans by how many rows there are")
    told = []

    def telling(sql, parameters=()):
        if sql.startswith("select id from quote where"):
            told.extend(row[3] for row in execute(f"explain query plan {sql}", parameters))
        return execute(sql, parameters)

    monkeypatch.setattr(quotes, "execute", telling)
    for wanted in ({"words": "some body"}, {"customer_id": 1}):
        found(store, organization, **wanted)
        assert sum(step.startswith("SEARCH customer") for step in told) == 2, told
        assert not [step for step in told if step.startswith(("SCAN", "CORRELATED"))], told
        told.clear()


def test_what_a_changed_draft_says_is_what_it_is_found_and_flagged_by(store, organization):
    stored = made(store, organization)
    act = Act(organization, True, "user:1", "r", 30)
    line = dataclasses.replace(SOUND.lines[0], description="Whitewash the cellar", line_id=1)
    changed = dataclasses.replace(stored, draft=dataclasses.replace(SOUND, lines=(line,)))
    store.write_now(lambda: quotes.replace_draft(act, changed, "edited"))
    assert found(store, organization, words="whitewash", needs_review=False) == [stored.quote_id]
    assert found(store, organization, words="unknown") == []


def test_customers_are_found_by_what_is_known_of_them_now(store, organization):
    one = customer(store, organization, name="Ann Lee", phone="+1 615 555 0100", address="Main St\nNashville")
    other = customer(store, organization, name="Bob")

    def named(words):
        total, rows = store.read_now(lambda: customers.list_page(organization, True, limit=10, offset=0, words=words))
        assert total == len(rows)
        return [row.customer_id for row in rows]

    assert named("lee nashville") == [one.customer_id]
    assert named("0100") == [one.customer_id]
    assert named("") == [other.customer_id, one.customer_id]
    store.write_now(lambda: customers.update(one.customer_id, Details(name="Ann Kim"), 5))
    assert (named("lee"), named("kim")) == ([], [one.customer_id])
    store.write_now(lambda: customers.merge(other, one, 6))
    assert named("kim") == []


def test_quotes_and_customers_of_the_time_before_are_found_as_new_ones_are(database, store, organization):
    who = customer(store, organization, name="Éva")
    flagged = made(store, organization, text="Hedge 50%", customer_id=who.customer_id).quote_id
    sound = made(store, organization, text="Façade", draft=SOUND).quote_id

    def as_it_was_before():
        execute("drop index quote_listed")
        for table, names in (
            ("quote", ("needs_review", "given_location", "search")),
            ("customer", ("search",)),
            ("document", ("status", "reason", "problem")),
        ):
            for name in names:
                execute(f"alter table {table} drop column {name}")
        execute("delete from schema_migration where name = '0015_finding_quotes'")

    store.write_now(as_it_was_before)
    again = Store(database)
    try:
        assert found(again, organization, words="facade", needs_review=False) == [sound]
        assert found(again, organization, words="eva", needs_review=True) == [flagged]
        assert found(again, organization, words="50%") == [flagged]
    finally:
        again.close()
