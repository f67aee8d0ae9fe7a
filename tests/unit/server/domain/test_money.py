"""Promises of money: half-even to the cent, no binary floats, sums in minor units."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain import money, units

AMOUNTS = st.decimals(min_value=0, max_value=10**7, places=4)


@pytest.mark.parametrize(
    ("amount", "minor"), [("0.005", 0), ("0.015", 2), ("0.025", 2), ("1.23", 123), ("2.675", 268), ("0", 0)]
)
def test_halves_go_to_the_even_cent(amount, minor):
    assert money.to_minor(Decimal(amount)) == minor


@given(st.integers(-(10**12), 10**12))
def test_minor_units_survive_the_way_out_and_back(minor):
    assert money.to_minor(money.from_minor(minor)) == minor
    assert round(float(money.from_minor(minor)) * 100) == minor


@given(AMOUNTS)
def test_a_unit_price_has_two_decimals_or_four_below_ten_cents(amount):
    price = money.unit_price(amount)
    assert -price.as_tuple().exponent == (4 if amount < Decimal("0.10") else 2)
    assert abs(price - amount) <= (Decimal("0.00005") if amount < Decimal("0.10") else Decimal("0.005"))


@given(st.sampled_from(sorted(units.UNITS)), st.sampled_from(sorted(units.UNITS)))
def test_units_convert_within_a_dimension_and_never_across(source, target):
    if units.dimension(source) is units.dimension(target):
        there_and_back = units.factor(source, target) * units.factor(target, source)
        assert abs(there_and_back - 1) < Decimal("1e-20")
    else:
        with pytest.raises(ValueError, match="measures"):
            units.factor(source, target)
