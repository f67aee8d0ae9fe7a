"""Promises of the slots: never more under way than allowed, every slot that was let go can be had again."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.envelope import Problem
from gateway.slots import Slot, Slots


@given(
    most=st.integers(1, 8),
    most_each=st.integers(1, 4),
    most_per_user=st.integers(1, 3),
    events=st.lists(
        st.tuples(st.booleans(), st.integers(1, 4), st.integers(0, 3)).map(lambda one: (one[0], Slot(*one[1:]))),
        max_size=100,
    ),
)
def test_a_request_enters_exactly_when_there_is_a_slot_for_it(most, most_each, most_per_user, events):
    slots = Slots(most, most_each, most_per_user)
    inside = Counter()
    for enters, slot in events:
        if not enters:
            if inside[slot]:
                inside[slot] -= 1
                slots.leave(slot)
            continue
        of_user = sum(count for one, count in inside.items() if slot.user_id and one.user_id == slot.user_id)
        of_organization = sum(count for one, count in inside.items() if one.organization_id == slot.organization_id)
        crowded = of_user >= most_per_user or of_organization >= most_each
        if not crowded and inside.total() < most:
            slots.enter(slot)
            inside[slot] += 1
            continue
        with pytest.raises(Problem) as refused:
            slots.enter(slot)
        expected = (429, "concurrency_exceeded") if crowded else (503, "overloaded")
        assert (refused.value.status, refused.value.reason) == expected
        assert refused.value.retry_after >= 1
        if crowded:
            assert refused.value.extra["limit"] == (most_per_user if of_user >= most_per_user else most_each)


def test_nothing_is_kept_of_who_is_gone():
    slots = Slots(10, 10, 10)
    all_of_them = [Slot(organization, organization % 3) for organization in range(1, 11)]
    for slot in all_of_them:
        slots.enter(slot)
    for slot in all_of_them:
        slots.leave(slot)
    assert not slots._by_organization
    assert not slots._by_user
    assert slots._taken == 0
