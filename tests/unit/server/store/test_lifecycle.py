"""Promises of a quote's life: every move of D15 and no other, one open workflow at most, all of it on record."""

import itertools
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server import administration
from server.domain.lifecycle import InvalidStateError, State, Trigger, WorkflowState, may_decide
from server.expiry import Expiry
from server.store import audit, quotes, workflows
from server.store.audit import Act
from server.store.database import execute
from tests.unit.server.store.test_records import NEW

# D15, written out once more, by hand.
ALLOWED = {
    ("draft", "EDIT"): "draft",
    ("draft", "SUBMIT"): "in_review",
    ("in_review", "APPROVE"): "approved",
    ("in_review", "REJECT"): "draft",
    ("in_review", "WITHDRAW"): "draft",
    ("approved", "SEND"): "sent",
    ("sent", "ACCEPT"): "accepted",
    ("sent", "DECLINE"): "declined",
    ("sent", "EXPIRE"): "expired",
    ("draft", "VOID"): "void",
    ("in_review", "VOID"): "void",
}
WAY_TO = {
    "draft": [],
    "in_review": ["SUBMIT"],
    "approved": ["SUBMIT", "APPROVE"],
    "sent": ["SUBMIT", "APPROVE", "SEND"],
    "accepted": ["SUBMIT", "APPROVE", "SEND", "ACCEPT"],
    "declined": ["SUBMIT", "APPROVE", "SEND", "DECLINE"],
    "expired": ["SUBMIT", "APPROVE", "SEND", "EXPIRE"],
    "void": ["VOID"],
}


@pytest.fixture(scope="module")
def act(store):
    """One for all examples."""
    return Act(administration.create_organization(store, "Test", "Starter"), True, "user:1", "req_test", 5)


def new_quote(store, act):
    return store.write_now(lambda: quotes.create(act.organization_id, act.livemode, NEW)).quote_id


def move(store, act, quote_id, name):
    return store.write_now(lambda: workflows.move(act, quote_id, Trigger[name]))


def status(store, act, quote_id):
    return store.read_now(lambda: quotes.find(act.organization_id, act.livemode, quote_id)).status


def submissions(store, act, quote_id):
    _, rows = store.read_now(
        lambda: workflows.list_page(act.organization_id, act.livemode, limit=100, offset=0, quote_id=quote_id)
    )
    return [row.status for row in rows]


@pytest.mark.parametrize(("state", "trigger"), list(itertools.product(State, Trigger)))
def test_each_state_takes_the_moves_of_the_table_and_refuses_all_others(store, act, state, trigger):
    quote_id = new_quote(store, act)
    for step in WAY_TO[state]:
        move(store, act, quote_id, step)
    assert status(store, act, quote_id) == state
    target = ALLOWED.get((state, trigger.name))
    if target is None:
        before = submissions(store, act, quote_id)
        with pytest.raises(InvalidStateError):
            move(store, act, quote_id, trigger.name)
        assert (status(store, act, quote_id), submissions(store, act, quote_id)) == (state, before)
    else:
        assert move(store, act, quote_id, trigger.name) == target
        assert status(store, act, quote_id) == target


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(sorted(Trigger.__members__)), max_size=12))
def test_however_a_quote_is_moved_its_workflow_follows(store, act, steps):
    quote_id = new_quote(store, act)
    done = []
    for step in steps:
        try:
            move(store, act, quote_id, step)
        except InvalidStateError:
            continue
        done.append(step)
        found = submissions(store, act, quote_id)
        assert found.count(WorkflowState.SUBMITTED) == (status(store, act, quote_id) == "in_review")
        assert len(found) == done.count("SUBMIT")
    assert store.read_now(lambda: audit.verify(act.organization_id)) is None


def test_another_organization_and_the_other_mode_cannot_move_it(store, act):
    quote_id = new_quote(store, act)
    other = administration.create_organization(store, "Other", "Starter")
    for stranger in (Act(other, True, "user:2", "", 6), Act(act.organization_id, False, "user:1", "", 6)):
        assert move(store, stranger, quote_id, "SUBMIT") is None
    assert status(store, act, quote_id) == "draft"


async def test_a_sent_quote_runs_out_on_the_day_after_its_last(store, act):
    ids = {}
    for state, steps in WAY_TO.items():
        ids[state] = new_quote(store, act)
        for step in steps:
            move(store, act, ids[state], step)
    expiry = Expiry(store, "https://x", Told())
    await expiry.turn(date.fromisoformat(NEW.valid_until), 9, 100)
    assert status(store, act, ids["sent"]) == "sent"
    assert await expiry.turn(date(2026, 12, 22), 9, 100) > 0
    assert {state: status(store, act, ids[state]) for state in ids} == {
        **{state: state for state in WAY_TO},
        "sent": "expired",
    }


async def test_a_quote_that_cannot_be_read_back_keeps_no_other_from_running_out(store, act):
    late, an_hour = date(2099, 1, 1), 3600 * 1_000_000
    await Expiry(store, "https://x", Told()).turn(late, 9, 1000)
    sent = [new_quote(store, act) for _ in range(7)]
    for quote_id in sent:
        for step in WAY_TO["sent"]:
            move(store, act, quote_id, step)
    damaged = sent[:3]
    whole = store.read_now(lambda: execute("select notes from quote where id = ?", (sent[0],)).fetchone()[0])
    store.write_now(lambda: execute("update quote set notes = '{' where id <= ? and id >= ?", (sent[2], sent[0])))
    log = Told()
    expiry = Expiry(store, "https://x", log)
    # Fewer at a time than are damaged: the others have their turns all the same.
    while await expiry.turn(late, 10, 2):
        pass
    assert [status(store, act, quote_id) for quote_id in sent[3:]] == ["expired"] * 4
    assert (expiry.failures, [fields["quote_id"] for fields in log.events]) == (3, damaged)
    assert {(fields["event"], fields["task"]) for fields in log.events} == {("defect", "expiry")}
    assert await expiry.turn(late, 10 + an_hour - 1, 100) == 0
    store.write_now(lambda: execute("update quote set notes = ? where id = ?", (whole, damaged[0])))
    assert await expiry.turn(late, 10 + an_hour, 100) == 3
    assert (status(store, act, damaged[0]), expiry.failures) == ("expired", 5)
    store.write_now(lambda: execute("update quote set notes = ? where id in (?, ?)", (whole, *damaged[1:])))
    assert store.read_now(lambda: audit.verify(act.organization_id)) is None


class Told:
    """The log's events."""

    def __init__(self):
        self.events = []

    def __call__(self, event, /, **fields):
        self.events.append({"event": event, **fields})


@pytest.mark.parametrize(
    ("decider", "submitter", "users", "may"),
    [
        ("user:1", "user:1", 1, True),
        ("user:1", "user:1", 2, False),
        ("user:2", "user:1", 2, True),
        ("user:1", "key:k", 2, True),
    ],
)
def test_four_eyes_where_there_are_two_pairs(decider, submitter, users, may):
    assert may_decide(decider, submitter, users) is may
