"""Promises of numbers in the portal's forms: they come back as they were, and what is none is told in the form's unit."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotewright.v1 import pricing_pb2, template_pb2

from gateway.web.portal import forms
from gateway.web.portal.usage import _chart, _top

SETTINGS = pricing_pb2.PricingSettings
FRACTIONS = st.decimals(0, Decimal("0.95"), places=6)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("1250.5", 1250.5),
        ("1,250.50", 1250.5),
        ("1,000,000,000", 1e9),
        ("1000000000", 1e9),
        ("0.0325", 0.0325),
        ("12,50", None),
        ("1.250,50", None),
        ("1,2,3", None),
        ("sNaN", None),
        ("Infinity", None),
        ("1e3", None),
        ("-1", None),
        ("١٢", None),
        ("", None),
    ],
)
def test_a_figure_that_could_be_another_is_none(text, figure):
    assert forms.read_figure(text) == figure


@pytest.mark.parametrize("text", ["1250.5", "1,250.50", "345,678", "0.0325", "12,50", "1.250,50", "1e3", "١٢"])
def test_a_figure_is_written_alike_in_every_form(text):
    problems = []
    value = forms.decimal({"line.price": text}, "line.price", template_pb2.TemplateLine, problems)
    assert value == forms.read_figure(text)
    assert [one.message for one in problems] == ["must be a number, for example 12.5"] * (value is None)


@given(FRACTIONS)
def test_a_fraction_that_is_shown_as_a_percentage_is_read_as_the_same(fraction):
    shown = forms.written(float(fraction), percent=True)
    problems = []
    assert forms.decimal({"margin": shown}, "margin", SETTINGS, problems, percent=True) == float(fraction)
    assert problems == []


@given(st.text(max_size=20))
def test_whatever_is_typed_is_a_number_or_told_to_be_none(text):
    problems = []
    value = forms.decimal({"settings.margin": text}, "settings.margin", SETTINGS, problems, percent=True)
    assert len(problems) <= 1
    if value is None:
        assert problems or not text.strip().removesuffix("%").strip()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("96", "must be 0 to 95 %"),
        ("-1", "must be 0 to 95 %"),
        ("1,5", "must be a number, for example 12.5"),
        ("1e3", "must be a number, for example 12.5"),
        ("١٢", "must be a number, for example 12.5"),
    ],
)
def test_limits_are_those_of_the_contract_in_the_forms_unit(text, told):
    problems = []
    forms.decimal({"settings.margin": text}, "settings.margin", SETTINGS, problems, percent=True)
    assert [(one.field, one.message) for one in problems] == [("settings.margin", told)]


def test_whole_numbers_are_whole():
    problems = []
    assert forms.whole({"validity_days": "30"}, "validity_days", SETTINGS, problems) == 30
    assert forms.whole({"validity_days": "1.5"}, "validity_days", SETTINGS, problems) is None
    assert forms.whole({"validity_days": "366"}, "validity_days", SETTINGS, problems) is not None
    assert [one.message for one in problems] == ["must be a whole number", "must be 1 to 365"]


def test_choices_are_those_of_the_contract():
    assert forms.allowed(SETTINGS, "currency") == ("AUD", "CAD", "EUR", "GBP", "USD")
    assert forms.allowed(template_pb2.TemplateLine, "kind") == ("fee", "labour", "material", "service")


@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), min_size=1, max_size=90), st.integers(0, 10**6)
)
def test_bars_stay_inside_their_chart(values, limit):
    days = [type("Day", (), {"date": "2026-11-21"})] * len(values)
    chart = _chart("Requests", ("live", "test"), days, values, limit)
    assert chart.top >= max(map(sum, values))
    for bar in chart.bars:
        assert all(part.y >= -0.01 and part.y + part.height <= chart.height + 0.02 for part in bar.parts)
    assert chart.limit is None or 0 <= chart.limit <= chart.height


@given(st.integers(0, 10**12))
def test_a_scale_ends_at_a_round_number_not_far_above(most):
    top = _top(most)
    assert top >= most
    assert top <= max(1, 2.5 * most)
    assert str(top).rstrip("0") in ("1", "2", "5")
