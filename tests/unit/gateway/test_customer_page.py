"""Promises of the customer's page that its text decides alone: figures, options apart, each state its words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotewright.v1 import customer_link_pb2

from gateway.envelope import Problem
from gateway.web import customer
from gateway.web.customer import CustomerPages

PAGES = CustomerPages()
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def shared(**values):
    quote = customer_link_pb2.SharedQuote(
        company_name="Acme", quote_number="Q-2026-000001", status="sent", currency="USD", valid_until="2026-12-31",
        livemode=True, total=1234.5,
    )  # fmt: skip
    quote.sent_at.FromSeconds(1_800_000_000)
    quote.decided_at.FromSeconds(1_800_000_000)
    quote.MergeFrom(customer_link_pb2.SharedQuote(**values))
    return quote


def line(description, **values):
    values = {"price": 0.0325, "amount": 40.64} | values
    return customer_link_pb2.SharedLine(description=description, qty=1250.5, unit="m2", **values)


def page(**values):
    return PAGES.quote(shared(**values)).decode()


@pytest.mark.parametrize(
    ("written", "number"), [("1,250.5", 1250.5), ("3", 3.0), ("0.125", 0.125), ("1,000,000", 1e6), ("0", 0.0)]
)
def test_quantities_are_written_in_full(written, number):
    assert customer.figure(number) == written


def test_options_stand_apart_behind_the_total():
    text = page(line_items=[line("Paint", priced=True), line("Doors", priced=True, optional=True)])
    before, after = text.split("<h2>Options</h2>")
    assert "Paint" in before
    assert "Total USD" in before
    assert "Doors" not in before
    assert "Doors" in after
    assert "Not in the total." in after


def test_a_line_without_a_price_says_so():
    text = page(line_items=[line("Mystery")])
    assert "to be priced" in text
    assert "0.0325" not in text
    assert "Mystery (to be priced)" in page(line_items=[line("Mystery", price=None, amount=None)])


def test_a_test_is_marked_as_one():
    quote = shared()
    quote.livemode = False
    assert "This is a test." in PAGES.quote(quote).decode()
    assert "This is a test." not in page()


@pytest.mark.parametrize("status", ["accepted", "declined", "expired", "void"])
def test_only_a_sent_quote_asks_for_an_answer(status):
    assert "<form" in page()
    assert "<form" not in page(status=status)


@given(TEXT)
def test_no_text_becomes_markup(text):
    marked = f"<i>{text}</i>&amp;\"'"
    rendered = page(
        company_name=marked, company_address=marked, customer_name=marked, decided_by=marked, status="declined",
        decline_reason=marked, assumptions=[marked], exclusions=[marked], line_items=[line(marked)],
    )  # fmt: skip
    assert "<i>" not in rendered
    assert rendered.count("&lt;i&gt;") >= 9


@given(TEXT, TEXT, TEXT)
def test_a_form_is_read_or_refused(name, reason, decision):
    from urllib.parse import urlencode

    body = urlencode({"decision": "decline", "name": name, "reason": reason}).encode()
    path, request = customer.decision("t", "application/x-www-form-urlencoded; charset=utf-8", body)
    assert path.endswith("/DeclineSharedQuote")
    assert request.name == name.replace("\0", "").replace("\r\n", "\n")
    if decision not in ("accept", "decline"):
        with pytest.raises(Problem):
            customer.decision("t", "application/x-www-form-urlencoded", urlencode({"decision": decision}).encode())


@given(st.binary(max_size=60))
def test_no_bytes_are_more_than_refused(body):
    try:
        customer.decision("t", "application/x-www-form-urlencoded", body)
    except Problem as problem:
        assert problem.status == 422
