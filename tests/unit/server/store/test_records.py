"""Promises of the records: numbers without gaps, one effect a key, a chain that shows tampering, tenants apart."""

import dataclasses
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server import administration
from server.domain.draft import Component, Coverage, Draft, DraftLine, LineKind, Source
from server.domain.pricing.totals import Job, charge_lines
from server.domain.settings import PricingSettings
from server.domain.takeoff import Question, Span
from server.store import accounts, audit, idempotency, leads, quotes
from server.store.database import execute

SOURCE = Source(
    kind="norm",
    row="norm:1",
    name="Norms",
    supplier="Somebody",
    place="Nashville, TN",
    coverage=Coverage.MEASURED,
    region_factor=Decimal("0.95"),
    as_of="2024-01",
    licence="CC BY 4.0",
    components=(
        Component("labour", "Painter", Decimal("0.5"), "h", Decimal("25.10"), Decimal("12.55"), "oews", "r1", "2025"),
    ),
)
DRAFT = Draft(
    currency="USD",
    lines=(
        DraftLine(
            "Paint", Decimal("60.5"), "m2", Decimal("12.55"), 75928, 70000, 80000, LineKind.LABOUR, True, False,
            Decimal("0.7"), Decimal("30.25"), ("two storeys",), Span(3, 9), "painting.exterior", SOURCE,
        ),
        DraftLine(
            "Unknown", Decimal(1), "each", Decimal(0), 0, 0, 0, LineKind.SERVICE, False, False,
            Decimal("0.2"), Decimal(0), ("no source supports a price",), None,
        ),
    ),
    subtotal_minor=75928,
    tax_minor=0,
    total_minor=75928,
    low_minor=70000,
    high_minor=80000,
    confidence=Decimal("0.6"),
    location="Nashville, TN",
    assumptions=("tax is not set",),
    exclusions=("the garage",),
    questions=(Question("line_items[1].qty", "How many?", Span(1, 2), 500, "qty-1"),),
    review_reasons=(),
    engine_version="test",
)  # fmt: skip
NEW = quotes.NewQuote("text", "painting", DRAFT, "2026-12-21", "key:x", 1, 2026)


def test_a_quote_is_read_back_as_it_was_stored(store, organization):
    stored = store.write_now(lambda: quotes.create(organization, True, NEW))
    assert store.read_now(lambda: quotes.find(organization, True, stored.quote_id)) == stored
    assert stored.number == "Q-2026-000001"


def test_a_question_stored_before_there_were_ids_is_read_without_one(store, organization):
    stored = store.write_now(lambda: quotes.create(organization, True, NEW))
    notes = store.read_now(
        lambda: quotes.execute("select notes from quote where id = ?", (stored.quote_id,)).fetchone()[0]
    )
    older = notes.replace(',"question_id":"qty-1"', "")
    assert older != notes
    store.write_now(lambda: quotes.execute("update quote set notes = ? where id = ?", (older, stored.quote_id)))
    (question,) = store.read_now(lambda: quotes.find(organization, True, stored.quote_id)).draft.questions
    assert (question.text, question.question_id) == ("How many?", "")


def test_a_charge_stored_before_lines_kept_its_name_has_it_from_its_source(store, organization):
    fee = charge_lines(DRAFT.lines, Job(False, False), PricingSettings(equipment_charge=Decimal(50)))[0]
    entered = dataclasses.replace(fee, source=dataclasses.replace(SOURCE, kind="entered"), description="Van")
    draft = dataclasses.replace(DRAFT, lines=(*DRAFT.lines, fee, entered))
    new = dataclasses.replace(NEW, draft=draft)
    stored = store.write_now(lambda: quotes.create(organization, True, new))

    def rules():
        found = store.read_now(lambda: quotes.find(organization, True, stored.quote_id))
        return [line.rule for line in found.draft.lines]

    assert rules() == ["", "", "Equipment", "Equipment"]
    store.write_now(lambda: execute("update quote_item set rule = '' where quote_id = ?", (stored.quote_id,)))
    assert rules() == ["", "", "Equipment", ""]


def test_another_organization_and_the_other_mode_do_not_see_it(store, organization):
    other = administration.create_organization(store, "Other", "Starter")
    stored = store.write_now(lambda: quotes.create(organization, True, NEW))
    assert store.read_now(lambda: quotes.find(other, True, stored.quote_id)) is None
    assert store.read_now(lambda: quotes.find(organization, False, stored.quote_id)) is None
    assert store.read_now(lambda: quotes.list_page(other, True, limit=20, offset=0)) == (0, ())


def test_numbers_have_no_gaps_whatever_fails(store, organization):
    def fail():
        quotes.create(organization, True, NEW)
        raise LookupError

    numbers = []
    for round_number in range(5):
        numbers.append(store.write_now(lambda: quotes.create(organization, True, NEW)).number)
        with pytest.raises(LookupError):
            store.write_now(fail)
        test_mode = store.write_now(lambda: quotes.create(organization, False, NEW)).number
        assert test_mode == f"Q-2026-{round_number + 1:06d}"
    assert numbers == [f"Q-2026-{number:06d}" for number in range(1, 6)]


def test_pages_are_newest_first_and_count_all(store, organization):
    made = [store.write_now(lambda: quotes.create(organization, True, NEW)).quote_id for _ in range(5)]
    total, rows = store.read_now(lambda: quotes.list_page(organization, True, limit=2, offset=1))
    assert total == 5
    assert [row.quote_id for row in rows] == list(reversed(made))[1:3]
    assert store.read_now(
        lambda: quotes.list_page(organization, True, limit=2, offset=0, wanted=quotes.Wanted(status="approved"))
    ) == (0, ())


def test_an_idempotency_key_gives_one_effect_and_the_first_answer(store, organization):
    key = idempotency.IdempotencyKey("k", b"request")
    effects = []

    def once(at=10, key=key):
        return idempotency.once(organization, True, key, at, lambda: effects.append(1) or b"answer %d" % len(effects))

    first, again = store.write_now(once), store.write_now(once)
    assert (first.response, first.replayed) == (b"answer 1", False)
    assert (again.response, again.replayed) == (b"answer 1", True)
    with pytest.raises(idempotency.KeyReusedError):
        store.write_now(lambda: once(key=dataclasses.replace(key, request_hash=b"another")))
    later = 10 + idempotency.KEPT_FOR
    assert store.write_now(lambda: once(at=later)).response == b"answer 2"
    assert len(effects) == 2


def test_old_idempotency_records_are_swept(store, organization):
    key = idempotency.IdempotencyKey("old", b"request")
    store.write_now(lambda: idempotency.once(organization, True, key, 0, lambda: b""))
    assert store.write_now(lambda: idempotency.sweep(idempotency.KEPT_FOR)) >= 1


def test_the_same_lead_within_a_day_is_the_same(store, organization):
    new = leads.NewLead(
        "covered", "Nashville", "roofing", "TN", "US", "nashville", "roofing", True, "", "", "", "", "", 100
    )
    first, is_new = store.write_now(lambda: leads.create_or_find(organization, True, new))
    again, is_new_again = store.write_now(
        lambda: leads.create_or_find(organization, True, dataclasses.replace(new, at=101))
    )
    tomorrow, _ = store.write_now(
        lambda: leads.create_or_find(organization, True, dataclasses.replace(new, at=100 + leads.SAME_WITHIN))
    )
    assert (is_new, is_new_again) == (True, False)
    assert again == first
    assert tomorrow.lead_id != first.lead_id


@settings(max_examples=20, deadline=None)
@given(
    details=st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20), min_size=2, max_size=6
    ),
    data=st.data(),
)
def test_a_changed_or_missing_audit_row_breaks_the_chain(store, details, data):
    organization = administration.create_organization(store, "Audited", "Starter")
    act = audit.Act(organization, True, "operator", "", 5)
    for detail in details:
        store.write_now(lambda detail=detail: audit.record(act, "quote:create", "quote:1", detail))
    assert store.read_now(lambda: audit.verify(organization)) is None
    rows = [
        row[0]
        for row in store.read_now(
            lambda: execute(
                "select id from audit_row where organization_id = ? order by id", (organization,)
            ).fetchall()
        )
    ]
    victim = data.draw(st.sampled_from(rows[:-1]))
    tamper = data.draw(st.sampled_from(["delete from audit_row", "update audit_row set detail = detail || 'x'"]))
    store.write_now(lambda: execute(f"{tamper} where id = ?", (victim,)))
    assert store.read_now(lambda: audit.verify(organization)) is not None


def test_a_key_ends_at_its_rotation_overlap_and_an_earlier_end_stays(store, organization):
    key = administration.create_key(store, organization, livemode=True, name="k", scopes=("quotes:read",))
    new = administration.rotate_key(store, key.public_id, 24)
    row = store.read_now(lambda: accounts.find_key(key.public_id))
    assert row.ends_at is not None
    with pytest.raises(administration.RefusedError, match="ending"):
        administration.rotate_key(store, key.public_id, 24)
    administration.revoke_key(store, key.public_id)
    revoked = store.read_now(lambda: accounts.find_key(key.public_id))
    assert revoked.ends_at < row.ends_at
    with pytest.raises(administration.RefusedError, match="ended"):
        administration.rotate_key(store, key.public_id, 72)
    store.write_now(lambda: accounts.end_key(key.public_id, at=row.ends_at, ends_at=row.ends_at))
    assert store.read_now(lambda: accounts.find_key(key.public_id)).ends_at == revoked.ends_at
    replacement = store.read_now(lambda: accounts.find_key(new.public_id))
    assert (replacement.scopes, replacement.livemode, replacement.ends_at) == (("quotes:read",), True, None)
