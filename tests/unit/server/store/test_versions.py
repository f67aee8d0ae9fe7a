"""Promises of versions in the store: each stays as it was, with what its prices came from, whatever comes after it."""

import time
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server import administration
from server.domain.draft import LineKind
from server.domain.drafting.engine import Drafter
from server.domain.editing import Edit, Editor, LineEdit, edited
from server.domain.entity_tags import entity_tag, required_tags
from server.domain.lifecycle import InvalidStateError, State, Trigger, after
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from server.store import audit, quotes, workflows
from server.store.audit import Act
from server.store.database import Store, execute
from tests.stack import EFFORT
from tests.unit.server.store.test_records import DRAFT, NEW

TEXT = "Install 2 radiators, paint 30 m2 of walls and fix the flux capacitor in Nashville"
RULES = PricingSettings(tax_rate=Decimal("0.07"), tax_classes={"labour": "zero"}, minimum_charge=Decimal(900))


@pytest.fixture
def database(new_database):
    return new_database()


@pytest.fixture
def store(database):
    store = Store(database)
    yield store
    store.close()


def new_quote(store, act, draft=DRAFT):
    return store.write_now(lambda: quotes.create(act.organization_id, True, replace(NEW, draft=draft)))


def found(store, act, quote, version=None):
    if version is None:
        return store.read_now(lambda: quotes.find(act.organization_id, True, quote.quote_id))
    return store.read_now(lambda: quotes.find_version(act.organization_id, True, quote.quote_id, version))


@pytest.mark.parametrize("version", [None, 1])
def test_a_quote_that_is_changed_while_it_is_read_is_read_as_it_was_before(store, act, monkeypatch, version):
    quote = new_quote(store, act)
    before = found(store, act, quote, version)
    changed = replace(
        quote.draft, total_minor=1, lines=tuple(replace(one, description="changed") for one in quote.draft.lines)
    )
    changes = [replace(quote, draft=changed)]

    def execute_and_be_overtaken(sql, parameters=()):
        answer = execute(sql, parameters)
        if changes and " from quote where " in sql:
            # Of this reader, after its first statement: the change is committed before the second.
            replaced(store, act, changes.pop())
        return answer

    monkeypatch.setattr(quotes, "execute", execute_and_be_overtaken)
    assert found(store, act, quote, version) == before
    assert not changes
    now = found(store, act, quote)
    assert (now.version, now.draft.total_minor, now.draft.lines[0].description) == (2, 1, "changed")


def replaced(store, act, changed, change="edited", note=""):
    return store.write_now(lambda: quotes.replace_draft(act, changed, change, note))


def test_every_version_is_read_as_it_was(store, act):
    first = new_quote(store, act)
    versions = [first]
    for number in range(2, 6):
        before = found(store, act, first)
        lines = [*before.draft.lines[1:], replace(before.draft.lines[0], description=f"Paint {number}", line_id=0)]
        draft = replace(before.draft, lines=tuple(lines), assumptions=(f"version {number}",))
        made = replaced(
            store, replace(act, at=number), replace(before, draft=draft, valid_until=f"2027-01-0{number}"), note="why"
        )
        assert (made.version, made.updated_at) == (number, number)
        assert found(store, act, first) == made
        versions.append(made)
    for quote in versions[:-1]:
        row, read = found(store, act, first, quote.version)
        assert read == quote and not row.is_current
        assert (row.total_minor, row.actor) == (quote.draft.total_minor, "user:1" if quote.version > 1 else "key:x")
    assert found(store, act, first, 5)[0].is_current
    assert found(store, act, first, 6) is None and found(store, act, first, 0) is None
    used = [line.line_id for quote in versions for line in quote.draft.lines]
    assert max(used) == 6, "a number is never given again"
    total, rows = store.read_now(
        lambda: quotes.list_versions(act.organization_id, True, first.quote_id, limit=2, offset=1)
    )
    assert (total, [(row.version, row.change, row.note) for row in rows]) == (
        5,
        [(4, "edited", "why"), (3, "edited", "why")],
    )
    assert store.read_now(lambda: audit.verify(act.organization_id)) is None


def test_another_organization_and_the_other_mode_see_no_version(store, act):
    quote = new_quote(store, act)
    other = administration.create_organization(store, "Other", "Starter")
    for organization, livemode in ((other, True), (act.organization_id, False)):
        assert store.read_now(lambda: quotes.find_version(organization, livemode, quote.quote_id, 1)) is None  # noqa: B023
        assert (
            store.read_now(lambda: quotes.list_versions(organization, livemode, quote.quote_id, limit=9, offset=0))  # noqa: B023
            is None
        )


def test_a_change_that_fails_leaves_no_version(store, act):
    quote = new_quote(store, act)

    def fail():
        quotes.replace_draft(act, replace(quote, valid_until="2030-01-01"), "edited")
        raise LookupError

    with pytest.raises(LookupError):
        store.write_now(fail)
    assert found(store, act, quote) == quote
    assert found(store, act, quote, 2) is None


def test_quotes_of_the_time_before_versions_have_the_one_they_were_drafted_as(database, store, act):
    quote = new_quote(store, act)

    def as_it_was_before():
        execute("drop table quote_version")
        for table, names in (("quote", ("version", "last_line_id")), ("quote_item", ("line_id", "entered"))):
            for name in names:
                execute(f"alter table {table} drop column {name}")
        execute("delete from schema_migration where name = '0007_versions'")

    store.write_now(as_it_was_before)
    store.close()
    again = Store(database)
    try:
        assert found(again, act, quote) == quote
        row, read = found(again, act, quote, 1)
        assert read == quote
        assert (row.change, row.actor, row.at, row.total_minor) == ("drafted", "key:x", 1, DRAFT.total_minor)
        changed = replaced(again, act, replace(quote, valid_until="2030-01-01"))
        assert (changed.version, found(again, act, quote, 1)[1]) == (2, quote)
        _, explanation = again.read_now(lambda: quotes.explanation(act.organization_id, True, quote.quote_id, 1, 1))
        assert explanation.problems == ()
    finally:
        again.close()


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("*", None),
        ('"1.2.draft"', {'"1.2.draft"'}),
        (' "a" ,\t"b"', {'"a"', '"b"'}),
        ('W/"a", "b"', {'"b"'}),
        ('W/"a"', set()),
        ('""', {'""'}),
        ('"a",', {'"a"'}),
        (', ,"a", ,\t"b" , ', {'"a"', '"b"'}),
    ],
)
def test_if_match_is_read_as_http_says(header, tags):
    assert required_tags(header) == tags


@pytest.mark.parametrize(
    "header", ["", " \t", "a", '"a', '"a" "b"', ",", ", ,", "*,", '"a",*', "**", '"a b"', 'w/"a"', '"a"' * 400]
)
def test_what_is_no_if_match_is_refused(header):
    with pytest.raises(ValueError, match="must be"):
        required_tags(header)


@pytest.mark.parametrize("header", [", " * 499, '"a"' + " ,  " * 249 + "x", '"a", ' * 199 + "x", " " * 999])
def test_what_is_no_if_match_is_refused_at_once(header):
    began = time.process_time()
    with pytest.raises(ValueError, match="must be"):
        required_tags(f"{header}!")
    assert time.process_time() - began < 1


class EditedQuotes(RuleBasedStateMachine):
    """One quote that is edited and moved, with good and stale tags, beside a model: its status and the drafts it had."""

    @initialize()
    def begin(self):
        self.act = Act(MODEL["organization"], True, "user:1", "req", 5)
        self.quote_id = new_quote(MODEL["store"], self.act, MODEL["draft"]).quote_id
        self.status = State.DRAFT
        self.drafts = [self.read().draft]
        self.tags = [self.tag()]

    def read(self):
        return MODEL["store"].read_now(lambda: quotes.find(self.act.organization_id, True, self.quote_id))

    def tag(self):
        return entity_tag(self.quote_id, len(self.drafts), self.status)

    def wrote(self, tags, trigger, work):
        """Try a change; whether it was made. It is refused for a stale tag first, then for the state."""
        act = replace(self.act, if_match=tags)
        stale = tags is not None and self.tag() not in tags
        allowed = True
        with suppress(InvalidStateError):
            allowed = False
            after(self.status, trigger)
            allowed = True
        if stale or not allowed:
            with pytest.raises(workflows.StaleError if stale else InvalidStateError):
                MODEL["store"].write_now(lambda: work(act))
            return False
        MODEL["store"].write_now(lambda: work(act))
        return True

    some_tags = st.one_of(st.none(), st.integers(0, 30))

    def chosen(self, which):
        """None, the tag that holds, or an older one."""
        return None if which is None else frozenset({self.tags[-1 - which % min(3, len(self.tags))]})

    @rule(
        which=some_tags,
        line=st.integers(0, 9),
        qty=st.decimals("0.001", 999, places=3),
        price=st.none() | st.decimals(0, 999, places=2),
        optional=st.booleans(),
        kind=st.sampled_from(LineKind),
        remove=st.booleans(),
    )
    def edit(self, which, line, qty, price, optional, kind, remove):
        ids = [one.line_id for one in self.drafts[-1].lines]
        line_id = ids[line] if line < len(ids) else 0
        if line_id and remove:
            change = Edit(removed=(line_id,))
        else:
            change = Edit((LineEdit(line_id, f"Line {line}", qty, None if line_id else "each", price, optional, kind),))

        def work(act):
            if workflows.target_of(act, self.quote_id, Trigger.EDIT) is None:
                raise AssertionError
            stored = quotes.find(act.organization_id, True, self.quote_id)
            draft, by_hand = edited(
                stored.draft, stored.by_hand, change, RULES, Editor("user:1", "2026-11-21T00:00:00Z")
            )
            changed = replace(stored, draft=draft, by_hand=by_hand)
            if changed != stored:
                quotes.replace_draft(act, changed, "edited")

        if self.wrote(self.chosen(which), Trigger.EDIT, work):
            now = self.read()
            if now.version > len(self.drafts):
                self.drafts.append(now.draft)
                self.tags.append(self.tag())

    @rule(which=some_tags, trigger=st.sampled_from([Trigger.SUBMIT, Trigger.WITHDRAW, Trigger.REJECT]))
    def move(self, which, trigger):
        if self.wrote(self.chosen(which), trigger, lambda act: workflows.move(act, self.quote_id, trigger)):
            self.status = after(self.status, trigger)
            self.tags.append(self.tag())

    @precondition(lambda self: hasattr(self, "drafts"))
    @invariant()
    def it_is_what_the_model_says(self):
        stored = self.read()
        assert (stored.status, stored.version, stored.draft) == (self.status, len(self.drafts), self.drafts[-1])
        counted = [line.amount_minor for line in stored.draft.lines if line.priced and not line.optional]
        assert sum(counted) + stored.draft.tax_minor == stored.draft.total_minor
        assert sum(one.tax_minor for one in stored.draft.taxes) == stored.draft.tax_minor
        for number in range(1, len(stored.draft.lines) + 1):
            assert self.explained(number).problems == ()

    def explained(self, number, version=None):
        return MODEL["store"].read_now(
            lambda: quotes.explanation(self.act.organization_id, True, self.quote_id, number, version)
        )[1]

    def teardown(self):
        for version, draft in enumerate(getattr(self, "drafts", []), start=1):
            _, read = found(MODEL["store"], self.act, self.read(), version)
            assert read.draft == draft
            for number in range(1, len(draft.lines) + 1):
                assert self.explained(number, version).problems == ()


MODEL = {}


def test_edits_moves_and_tags_do_what_a_simple_model_says(store, act):
    embedded = load_embedded()
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    MODEL.update(store=store, organization=act.organization_id, draft=drafter.draft(TEXT, settings=RULES))
    EditedQuotes.TestCase.settings = settings(max_examples=8 * EFFORT, stateful_step_count=12, deadline=None)
    EditedQuotes.TestCase().runTest()


def test_a_line_keeps_the_facts_that_it_goes_by_through_all_versions(store, act):
    embedded = load_embedded()
    quote = new_quote(store, act, Drafter(embedded.catalogue, embedded.gazetteer).draft(TEXT, settings=RULES))
    counted = store.read_now(lambda: execute("select count(*) from fact").fetchone())
    change = Edit((LineEdit(1, qty=Decimal(7)),))
    draft, _ = edited(quote.draft, quote.by_hand, change, RULES, Editor("user:1", "2026-11-21T00:00:00Z"))
    replaced(store, act, replace(found(store, act, quote), draft=draft))
    assert store.read_now(lambda: execute("select count(*) from fact").fetchone()) == counted
    before, after_it = (
        store.read_now(lambda: quotes.explanation(act.organization_id, True, quote.quote_id, 1, version))[1]  # noqa: B023
        for version in (1, None)
    )
    assert before.facts == after_it.facts and len(before.facts) > 3
    assert before.amount_minor != after_it.amount_minor
