"""Promises of the limiter: never more than the allowance in any minute, never less than it when asked for."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import quota
from gateway.envelope import Problem
from gateway.quota import WINDOW, MemoryQuota


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def at_once(call):
    """The result of a coroutine that must not suspend."""
    try:
        call.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it suspended")


def take(limiter, subject, limit):
    return at_once(limiter.take(subject, limit))


@settings(max_examples=200, deadline=None)
@given(
    limit=st.integers(1, 12),
    steps=st.lists(st.sampled_from([0.0, 0.001, 0.5, 1.0, 7.3, 29.999, 30.0, 59.999, 60.0, 61.0]), max_size=120),
)
def test_every_window_of_a_minute_admits_at_most_the_limit_and_exactly_it_when_asked(limit, steps):
    clock = Clock()
    limiter = MemoryQuota(clock)
    admitted = []
    for step in steps:
        clock.now += step
        inside = [at for at in admitted if at > clock.now - WINDOW]
        assert at_once(limiter.look(("a",), limit)).admitted is (len(inside) < limit)
        verdict = take(limiter, ("a",), limit)
        assert verdict.admitted is (len(inside) < limit)
        if verdict.admitted:
            admitted.append(clock.now)
        assert verdict.remaining == limit - len([at for at in admitted if at > clock.now - WINDOW])
    for end in admitted:
        assert len([at for at in admitted if end - WINDOW < at <= end]) <= limit


def test_subjects_do_not_share_an_allowance():
    limiter = MemoryQuota(Clock())
    assert take(limiter, ("organization", 1, True), 1).admitted
    assert take(limiter, ("organization", 1, False), 1).admitted
    assert take(limiter, ("organization", 2, True), 1).admitted
    assert not take(limiter, ("organization", 1, True), 1).admitted


def test_waiting_as_long_as_retry_after_says_is_enough():
    clock = Clock()
    limiter = MemoryQuota(clock)
    for _ in range(3):
        take(limiter, ("a",), 3)
        clock.now += 1.7
    for limit in (3, 2):  # the allowance as it was, and lowered meanwhile
        refused = take(limiter, ("a",), limit)
        assert not refused.admitted
        told = Problem(429, "quota_exceeded", "", retry_after=refused.reset).answer_headers
        clock.now += int(told["Retry-After"])
        assert at_once(limiter.look(("a",), limit)).admitted


def test_an_allowance_of_nothing_admits_nothing():
    limiter = MemoryQuota(Clock())
    assert take(limiter, ("a",), 0) == at_once(limiter.look(("a",), 0)) == (False, 0, 0, WINDOW)


def test_silent_subjects_are_forgotten():
    clock = Clock()
    limiter = MemoryQuota(clock)
    for number in range(1000):
        take(limiter, (number,), 5)
    clock.now += 2 * WINDOW
    for _ in range(quota.SWEEP_EVERY):
        take(limiter, ("busy",), 5)
    assert len(limiter._admitted) == 1


def test_headers_name_the_allowance_both_ways():
    verdict = quota.Verdict(admitted=True, limit=100, remaining=99, reset=59.2)
    assert quota.header_lines(verdict, "organization", 1_000_000.5).splitlines() == [
        "X-RateLimit-Limit: 100",
        "X-RateLimit-Remaining: 99",
        "X-RateLimit-Reset: 1000060",
        f'RateLimit-Policy: "organization";q=100;w={WINDOW:.0f}',
        'RateLimit: "organization";r=99;t=60',
    ]
