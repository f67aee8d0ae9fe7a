"""Promises of the counts of use: what is added stays, whoever adds it and however often it is sent."""

import time

from process.usage import Figures, UsageCounter, Use
from server.store import usage
from server.store.database import execute

DAY = 24 * 3600 * 1_000_000


def add(store, counts):
    store.write_now(lambda: usage.add(counts))


def test_counts_of_several_processes_add_up_and_the_busiest_minute_is_the_busiest(store, organization):
    use, other = Use(organization, True, 20_000, "A/B"), Use(organization, False, 20_001, "A/B")
    add(store, {use: Figures(5, 2, 1, 40)})
    add(store, {use: Figures(7, 0, 3, 30), other: Figures(1)})
    found = store.read_now(lambda: usage.read(organization, 20_000))
    assert [(one.use, one.figures) for one in found] == [(use, Figures(12, 2, 4, 40)), (other, Figures(1))]
    assert [one.use for one in store.read_now(lambda: usage.read(organization, 20_001))] == [other]


def test_use_of_an_organization_that_is_gone_is_left_out_and_takes_no_other_along(store, organization):
    gone, here = Use(organization + 1000, True, 20_000, "A/B"), Use(organization, True, 20_000, "A/B")
    add(store, {gone: Figures(1), here: Figures(1)})
    assert store.read_now(lambda: usage.read(organization + 1000, 0)) == ()
    assert len(store.read_now(lambda: usage.read(organization, 0))) == 1


def test_a_report_is_new_once(store):
    assert [store.write_now(lambda: usage.note_report("report", 7)) for _ in range(2)] == [True, False]


def test_counts_and_reports_are_swept_when_they_have_outlived_their_use(store, organization):
    at = time.time_ns() // 1000
    today = at // DAY
    old, kept = today - usage.KEPT_DAYS - 1, today - usage.KEPT_DAYS
    add(store, {Use(organization, True, day, "A/B"): Figures(1) for day in (old, kept, today)})
    store.write_now(lambda: usage.note_report("old", at - usage.REPORTS_KEPT - 1))
    store.write_now(lambda: usage.note_report("late", at))
    store.write_now(lambda: usage.sweep(at))
    assert [one.use.day for one in store.read_now(lambda: usage.read(organization, 0))] == [kept, today]
    reports = store.read_now(lambda: execute("select id from usage_report where id in ('old', 'late')").fetchall())
    assert [row[0] for row in reports] == ["late"]


def test_what_is_counted_is_taken_once():
    counter = UsageCounter()
    counter.note(1, "A/B", livemode=True, in_minute=3)
    counter.note(1, "A/B", livemode=True, refused=True)
    counter.note(1, "A/B", livemode=True, failed=True, in_minute=2)
    ((use, figures),) = counter.take().items()
    assert (use.organization_id, use.livemode, use.operation) == (1, True, "A/B")
    assert use.day == int(time.time()) // 86_400
    assert figures == Figures(3, 1, 1, 3)
    assert counter.take() == {}
    counter.note(1, "A/B", livemode=True, in_minute=9)
    counter.give_back({use: figures})
    assert counter.take() == {use: Figures(4, 1, 1, 9)}
