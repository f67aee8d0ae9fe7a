"""Promises of figures: a price reads alike on a page, which has it as a float, and on paper, which has a decimal."""

from decimal import Decimal

import pytest

from process.figures import unit_price


@pytest.mark.parametrize(
    ("written", "price"),
    [
        ("12.50", "12.5"),
        ("0.0325", "0.0325"),
        ("0.05", "0.0500"),
        ("0.00", "0.0000"),
        ("1,000.00", "1000"),
        ("0.125", "0.125"),
    ],
)
def test_unit_prices_have_the_decimals_they_need_on_page_and_paper(written, price):
    assert unit_price(Decimal(price)) == unit_price(float(price)) == written
