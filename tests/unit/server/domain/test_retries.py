"""Promises of the schedule: ten tries, each wait as said and a fifth around it; a receiver can ask for longer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain import retries

JITTER = st.floats(-1, 1)


def test_a_delivery_is_tried_ten_times_over_three_days():
    waits = [retries.wait_after(tries, 0) for tries in range(1, 11)]
    assert waits == [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, None]


@given(st.integers(1, 9), JITTER)
def test_a_wait_is_at_most_a_fifth_off(tries, jitter):
    assert 0.8 <= retries.wait_after(tries, jitter) / retries.SCHEDULE[tries] <= 1.2


@given(st.integers(1, 12), JITTER, st.floats(0, 1e12))
def test_a_receiver_makes_a_wait_longer_never_shorter_nor_endless(tries, jitter, asked):
    plain, wait = retries.wait_after(tries, jitter), retries.wait_after(tries, jitter, asked)
    if plain is None:
        assert wait is None
    else:
        assert wait == pytest.approx(max(plain, min(asked, 86400)))
