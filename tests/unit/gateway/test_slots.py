"""Promises of the slots: never more under way than allowed, every slot that was let go can be had again."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.envelope import Problem
from gateway.slots import Slots


@given(
    most=st.integers(1, 8),
    most_each=st.integers(1, 4),
    events=st.lists(st.tuples(st.booleans(), st.integers(1, 4)), max_size=100),
)
def test_a_request_enters_exactly_when_there_is_a_slot_for_it(most, most_each, events):
    slots = Slots(most, most_each)
    inside = Counter()
    for enters, organization in events:
        if not enters:
            if inside[organization]:
                inside[organization] -= 1
                slots.leave(organization)
            continue
        crowded = inside[organization] >= most_each
        full = inside.total() >= most
        if not crowded and not full:
            slots.enter(organization)
            inside[organization] += 1
            continue
        with pytest.raises(Problem) as refused:
            slots.enter(organization)
        expected = (429, "concurrency_exceeded") if crowded else (503, "overloaded")
        assert (refused.value.status, refused.value.reason) == expected
        assert refused.value.retry_after >= 1


def test_nothing_is_kept_of_who_is_gone():
    slots = Slots(10, 10)
    for organization in range(1, 11):
        slots.enter(organization)
    for organization in range(1, 11):
        slots.leave(organization)
    assert not slots._by_organization
    assert slots._taken == 0
