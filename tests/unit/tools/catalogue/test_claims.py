from __future__ import annotations

import statistics
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.catalogue.claims import FAR, Claim, between, merge, outliers


def claim(publisher: str, low: str, high: str, unit: str = "ft", date: str = "2025") -> Claim:
    ends = Decimal(low), Decimal(high)
    return Claim(
        "Fence", "installed_price", unit, unit, "USD", ends[0], sum(ends) / 2, ends[1], "US", date, publisher,
        f"https://{publisher}/",
    )  # fmt: skip


def test_the_middle_of_a_range_lies_by_ratio() -> None:
    assert between(Decimal(100), Decimal(1000)).quantize(Decimal(1)) == 339
    assert between(Decimal(7), Decimal(7)) == 7
    assert between(Decimal(0), Decimal(50)) == 25


@given(st.decimals("0.01", "1000", places=2), st.decimals("1", "30", places=2))
def test_a_middle_lies_in_its_range_and_not_above_half_way_of_wide_ones(low, times) -> None:
    high = low * times
    middle = between(low, high)
    assert low <= middle <= high
    if times >= 2:
        assert middle <= (low + high) / 2


def test_a_range_takes_in_all_publishers_and_counts_them() -> None:
    merged = merge([claim("a", "10", "20"), claim("b", "15", "40")], "Fence", "ft", labour=False)
    assert (merged.low, merged.high) == (10, 40)
    assert merged.mid == Decimal("21.25")
    assert merged.publishers == ("a", "b")
    assert merged.dropped == ()


def test_a_publisher_far_from_three_is_dropped_and_stays_named() -> None:
    rows = [claim("a", "10", "20"), claim("b", "12", "18"), claim("c", "100", "200")]
    merged = merge(rows, "Fence", "ft", labour=False)
    assert merged.publishers == ("a", "b")
    assert merged.high == 20
    assert merged.dropped == (rows[2].reference,)


def test_two_publishers_that_disagree_both_stay_and_widen_the_range() -> None:
    merged = merge([claim("a", "10", "20"), claim("b", "100", "200")], "Fence", "ft", labour=False)
    assert (merged.low, merged.high, len(merged.publishers)) == (10, 200, 2)


def test_other_sources_overrule_a_publisher_only_together() -> None:
    rows = [claim("a", "10", "20"), claim("b", "100", "200")]
    one_other = merge(rows[1:], "Fence", "ft", labour=False, others=[Decimal(12)])
    assert one_other.publishers == ("b",)
    agreeing = merge(rows, "Fence", "ft", labour=False, others=[Decimal(12)])
    assert agreeing.publishers == ("a",)
    assert agreeing.dropped == (rows[1].reference,)


@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.decimals("0.01", "10000", places=2), min_size=1, max_size=8),
    st.lists(st.decimals("0.01", "10000", places=2), max_size=2),
)
def test_never_are_all_publishers_dropped_and_what_is_kept_is_near(middles, others) -> None:
    dropped = outliers(middles, others)
    assert dropped < set(middles) or not dropped
    if len(middles) > 2 and dropped:
        center = statistics.median(middles.values())
        assert all(center / FAR <= mid <= center * FAR for name, mid in middles.items() if name not in dropped)


def test_figures_of_another_dimension_do_not_merge() -> None:
    with pytest.raises(ValueError, match="measures"):
        merge([claim("a", "10", "20")], "Fence", "sqft", labour=False)
