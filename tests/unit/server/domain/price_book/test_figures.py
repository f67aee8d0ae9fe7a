"""Promises of price parsing: what a column says is what is read, and what says nothing is not guessed."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.price_book.figures import DecimalMark, FigureError, read_price

SEPARATORS = {".": ("", ",", " ", "\N{NO-BREAK SPACE}", "'"), ",": ("", ".", " ", "\N{NO-BREAK SPACE}", "'")}
PRICES = st.decimals(min_value=Decimal("0.01"), max_value=Decimal(9_999_999), places=2)


def written(price: Decimal, mark: str, separator: str, sign: str = "") -> str:
    whole, _, cents = f"{price:.2f}".partition(".")
    groups = []
    while len(whole) > 3:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    return f"{sign}{separator.join([whole, *groups])}{mark}{cents}"


@st.composite
def columns(draw):
    mark = draw(st.sampled_from(sorted(SEPARATORS)))
    separator = draw(st.sampled_from(SEPARATORS[mark]))
    sign = draw(st.sampled_from(["", "€", "£", "$", "EUR ", "US$ "]))
    prices = draw(st.lists(PRICES, min_size=1, max_size=20))
    return prices, [written(price, mark, separator, sign) for price in prices]


@given(columns())
def test_a_column_is_read_as_it_was_written(column):
    prices, texts = column
    seen = DecimalMark()
    for text in texts:
        seen.see(text)
    assert [read_price(text, seen.mark)[0] for text in texts] == prices


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_refused(text):
    for mark in ("", ".", ","):
        try:
            price, currency = read_price(text, mark)
        except FigureError as error:
            assert error.reason.startswith("price_")
            continue
        assert price.is_finite()
        assert currency in {"", "$", "EUR", "GBP", "USD", "CAD", "AUD"}


@pytest.mark.parametrize(
    ("text", "mark", "price", "currency"),
    [
        ("1.234,50 €", "", "1234.50", "EUR"),
        ("£1,234.5", "", "1234.5", "GBP"),
        ("1'234.50", "", "1234.50", ""),
        ("(12.50)", "", "-12.50", ""),
        ("12,50-", "", "-12.50", ""),
        ("-3", "", "-3", ""),
        ("0.125", "", "0.125", ""),
        ("1.234", ",", "1234", ""),
        ("1.234", ".", "1.234", ""),
        (".5", "", "0.5", ""),
        ("1.234.567", "", "1234567", ""),
        ("$ 7", "", "7", "$"),
        ("AU$7", "", "7", "AUD"),
    ],
)
def test_ways_of_writing_a_price(text, mark, price, currency):
    assert read_price(text, mark) == (Decimal(price), currency)


@pytest.mark.parametrize(
    ("text", "mark", "reason"),
    [
        ("1.234", "", "price_ambiguous"),
        ("1,234", "", "price_ambiguous"),
        ("12,5", ".", "price_malformed"),
        ("1,23,456", ".", "price_malformed"),
        ("1 23", ".", "price_malformed"),
        ("12.", "", "price_malformed"),
        ("", "", "price_missing"),
        ("  ", ".", "price_missing"),
        ("POA", "", "price_malformed"),
        ("1e5", "", "price_malformed"),
        ("£1 €2", "", "price_malformed"),
        ("--1", "", "price_malformed"),
        ("١٢", "", "price_malformed"),
        ("#N/A", "", "price_malformed"),
        ("NaN", "", "price_malformed"),
    ],
)
def test_what_is_no_price_is_refused(text, mark, reason):
    with pytest.raises(FigureError) as caught:
        read_price(text, mark)
    assert caught.value.reason == reason


def test_a_column_that_contradicts_itself_has_no_mark():
    seen = DecimalMark()
    seen.see("1.50")
    seen.see("1,50")
    assert seen.mark == ""
