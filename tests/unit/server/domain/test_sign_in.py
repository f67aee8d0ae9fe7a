"""Promises of the waits after wrong passwords."""

from hypothesis import given
from hypothesis import strategies as st

from server.domain import sign_in
from server.domain.sign_in import SECOND


def test_the_first_wrong_passwords_cost_nothing_and_then_each_costs_more():
    waits = [sign_in.wait_after(failures) // SECOND for failures in range(1, 13)]
    assert waits == [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]


@given(st.integers(0, 10**9))
def test_a_wait_never_shrinks_and_is_never_longer_than_the_longest(failures):
    assert sign_in.wait_after(failures) <= sign_in.wait_after(failures + 1) <= sign_in.LONGEST_WAIT


def test_a_password_is_good_enough_for_ten_minutes_and_never_given_is_never():
    at = 10**15
    assert sign_in.is_recent(at - sign_in.RECENT, at)
    assert not sign_in.is_recent(at - sign_in.RECENT - 1, at)
    assert not sign_in.is_recent(None, at)
