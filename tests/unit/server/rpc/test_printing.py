"""Promises of what a quote's PDF says, from the stored quote to the words on paper: the amounts are the API's."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from server.documents.quote_pdf import SYMBOLS, render_quote
from server.domain.draft import LineKind
from server.domain.drafting.engine import Drafter
from server.domain.offer import CompanyProfile, Layout, Offer, PriceDetail, Template, TemplateLine
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from server.rpc.printing import customer_lines, printable_quote
from server.rpc.quote_messages import quote_message
from server.store.accounts import OrganizationRow
from server.store.customers import Details
from server.store.quotes import StoredQuote

EMBEDDED = load_embedded()
DRAFTER = Drafter(EMBEDDED.catalogue, EMBEDDED.gazetteer)
TEXTS = (
    "Install 2 radiators and paint 30 m2 of walls in Nashville",
    "Replace 12 m of guttering in Leeds, UK. As an option, fit 3 ceiling fans.",
    "Repair the flux capacitor",
)
#: 2026-11-21 03:30 UTC, in Chicago still the day before.
CREATED = 1_795_231_800_000_000


def stored_quote(text: str, pricing: PricingSettings, offer: Offer, status: str = "approved") -> StoredQuote:
    decided = offer.settings(pricing)
    draft = offer.complete(DRAFTER.draft(text, settings=decided), decided)
    return StoredQuote(7, "Q-2026-000007", status, True, text, "", draft, "2026-12-21", CREATED, CREATED, offer=offer)


def organization(**profile: object) -> OrganizationRow:
    said = CompanyProfile(**profile)  # type: ignore[arg-type]
    return OrganizationRow(1, "Harbour Painting", "Pro", 500, "14 Harbour Road", PricingSettings(), said)


def printed(quote: StoredQuote, company: OrganizationRow | None = None) -> str:
    reader = PdfReader(BytesIO(render_quote(printable_quote(quote, company or organization()))))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def amount_after(text: str, label: str, symbol: str) -> Decimal:
    """The amount that stands behind a label."""
    rest = text[text.index(label) + len(label) :]
    return Decimal(rest[rest.index(symbol) + len(symbol) :].split()[0].replace(",", ""))


lines = st.lists(
    st.builds(
        TemplateLine,
        st.from_regex(r"Item [a-z]{3,20}", fullmatch=True),
        st.decimals(1, 500, places=2),
        st.sampled_from(["job", "m2"]),
        st.decimals(1, 900, places=2),
        st.sampled_from(LineKind),
        st.booleans(),
    ),
    max_size=12,
)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(TEXTS), lines, st.decimals(0, 1, places=4), st.booleans(), st.sampled_from(["draft", "sent"]))
def test_amounts_and_taxes_on_paper_come_to_the_total_of_the_api(text, added, rate, grouped, status):
    template = Template(
        "T", lines=tuple(added), tax_rate=rate, tax_classes={"labour": "zero"}, layout=Layout(group_by_kind=grouped)
    )
    quote = stored_quote(text, PricingSettings(), Offer.made(CompanyProfile(), template), status)
    message = quote_message(quote, "https://localhost")
    document = printable_quote(quote, organization())
    paper = printed(quote)
    symbol = SYMBOLS[message.currency]
    assert amount_after(paper, f"Total {message.currency}", symbol) == Decimal(str(message.total))
    assert amount_after(paper, "Subtotal", symbol) == Decimal(str(message.subtotal))
    taxes = paper[paper.index("Subtotal") : paper.index(f"Total {message.currency} ")]
    told = [Decimal(word.removeprefix(symbol).replace(",", "")) for word in taxes.split() if word.startswith(symbol)]
    assert Decimal(str(message.total)) == Decimal(str(message.subtotal)) + sum(
        Decimal(one.tax_minor).scaleb(-2) for one in document.taxes
    )
    assert {Decimal(str(one.tax)) for one in message.taxes} <= set(told)
    counted = sum(Decimal(str(line.amount)) for line in message.line_items if line.priced and not line.optional)
    assert counted == Decimal(str(message.subtotal))
    for line in message.line_items:
        assert line.description.split(" — ")[0][:25] in paper
        if line.priced:
            assert f"{symbol}{line.amount:,.2f}" in paper
    options = [line for line in message.line_items if line.optional and line.priced]
    if options:
        together = sum(Decimal(str(line.amount)) for line in options)
        assert amount_after(paper, "All options together, before tax:", symbol) == together


def test_only_a_draft_shows_what_is_for_the_estimator():
    offer = Offer.made(CompanyProfile())
    draft = stored_quote(TEXTS[0], PricingSettings(), offer, "draft")
    for_estimators = ("To check:", "Sources of the prices", "The sources support a total")
    assert all(one in printed(draft) for one in for_estimators)
    sent = printed(replace(draft, status="sent"))
    assert not any(one in sent for one in for_estimators)
    with_sources = replace(draft, status="sent", offer=replace(offer, layout=Layout(show_sources=True)))
    assert "Sources of the prices" in printed(with_sources)


@pytest.mark.parametrize(
    ("layout", "there", "not_there"),
    [
        (Layout(), ("Unit price", "Amount", "Assumptions", "Your request", "Acceptance"), ("Work",)),
        (Layout(prices=PriceDetail.AMOUNTS), ("Amount",), ("Unit price",)),
        (Layout(prices=PriceDetail.TOTALS), ("Total USD",), ("Unit price", "Amount")),
        (Layout(show_assumptions=False), (), ("Assumptions", "Not included")),
        (Layout(show_request=False), (), ("Your request",)),
        (Layout(show_signature=False), (), ("Acceptance", "Signature")),
        (Layout(group_by_kind=True), ("Work $",), ()),
    ],
)
def test_a_layout_shows_what_it_says(layout, there, not_there):
    offer = Offer.made(CompanyProfile(layout=layout))
    text = printed(stored_quote(TEXTS[0], PricingSettings(), offer))
    assert all(one in text for one in there), text
    assert not any(one in text for one in not_there), text


def test_dates_are_the_company_s_day_in_its_words():
    quote = stored_quote(TEXTS[0], PricingSettings(), Offer())
    assert "November 21, 2026" in printed(quote)
    assert "November 20, 2026" in printed(quote, organization(time_zone="America/Chicago"))
    assert "21 November 2026" in printed(quote, organization(locale="en-GB"))


def test_a_template_that_changed_does_not_change_what_was_printed():
    template = Template("T", intro="Hello.", terms="Net 30.", layout=Layout(prices=PriceDetail.AMOUNTS))
    quote = stored_quote(TEXTS[0], PricingSettings(), Offer.made(CompanyProfile(), template, "tpl_1"))
    before = render_quote(printable_quote(quote, organization()))
    other = organization(terms="Cash.", payment_details="Account 2", layout=Layout(show_signature=False))
    assert render_quote(printable_quote(quote, other)) == before


def test_the_paper_says_whom_it_is_for():
    quote = stored_quote(TEXTS[0], PricingSettings(), Offer())
    lines = customer_lines(Details("Ada Ålund", "Ålund & Co", address="210 Union Street\nNashville, TN 37219"))
    document = printable_quote(quote, organization(), None, lines)
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(render_quote(document))).pages).split())
    assert "Prepared for Ada Ålund Ålund & Co 210 Union Street Nashville, TN 37219" in text
    assert customer_lines(Details("Ada", "Ada")) == ("Ada",)
