"""Promises of templates: who decides what, and drafts with lines of a template that still add up and explain."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain import money
from server.domain.by_hand import ByHand
from server.domain.draft import LineKind
from server.domain.drafting.engine import Drafter
from server.domain.editing import Edit, Editor, LineEdit, edited
from server.domain.offer import CompanyProfile, Layout, Offer, Paper, PriceDetail, Template, TemplateLine
from server.domain.pricing import totals
from server.domain.pricing.explanation import derive, explain
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from server.store import offers

EMBEDDED = load_embedded()
DRAFTER = Drafter(EMBEDDED.catalogue, EMBEDDED.gazetteer)
TEXT = "Install 2 radiators, paint 30 m2 of walls and repair the flux capacitor in {}"
SETTINGS = PricingSettings(tax_rate=Decimal("0.1"), margin=Decimal("0.2"), validity_days=30)
SET_UP = TemplateLine("Site set-up", Decimal(1), "job", Decimal("120.00"), LineKind.FEE)
EXTRA = TemplateLine("Second coat", Decimal("2.5"), "m2", Decimal("0.0425"), LineKind.LABOUR, optional=True)


def drafted(template: Template | None, pricing: PricingSettings = SETTINGS, place: str = "Nashville"):
    """A draft before and after its template, with the settings that both go by."""
    offer = Offer.made(CompanyProfile(), template)
    decided = offer.settings(pricing)
    draft = DRAFTER.draft(TEXT.format(place), settings=decided)
    return draft, offer.complete(draft, decided), decided


def test_the_request_goes_before_the_template_and_that_before_the_company():
    template = Template(
        "T", margin=Decimal("0.3"), validity_days=7, tax_rate=Decimal(0), tax_classes={"labour": "zero"}
    )
    plain, made = Offer.made(CompanyProfile()), Offer.made(CompanyProfile(), template)
    classes = {"labour": "reduced", "fee": "exempt"}
    pricing = replace(SETTINGS, tax_classes=classes)
    assert plain.settings(pricing) == pricing
    decided = made.settings(pricing)
    assert (decided.margin, decided.validity_days, decided.tax_rate) == (Decimal("0.3"), 7, Decimal(0))
    assert decided.tax_classes == {"labour": "zero", "fee": "exempt"}
    assert made.settings(pricing, Decimal("0.4")) == replace(decided, margin=Decimal("0.4"))
    assert plain.settings(pricing, Decimal(0)).margin == 0


def test_terms_and_layout_are_the_template_s_or_else_the_company_s():
    company = CompanyProfile(terms="Company's", payment_details="Account 1", layout=Layout(group_by_kind=True))
    own = Template("T", intro="Hello", terms="Template's", layout=Layout(paper=Paper.A4))
    assert Offer.made(company) == Offer("", None, "", "Company's", "Account 1", company.layout)
    made = Offer.made(company, own, "tpl_1")
    assert made == Offer("tpl_1", own, "Hello", "Template's", "Account 1", Layout(paper=Paper.A4))
    assert Offer.made(company, Template("T")).terms == "Company's"
    assert Offer.made(company, Template("T")).layout == company.layout


def test_lines_of_a_template_come_after_the_work_and_before_the_charges():
    pricing = replace(SETTINGS, equipment_charge=Decimal(50), minimum_charge=Decimal(90_000))
    before, after, _ = drafted(Template("T", lines=(SET_UP, EXTRA)), pricing)
    work = [line.description for line in before.lines if line.kind is not LineKind.FEE]
    told = [line.description for line in after.lines]
    assert told == [*work, "Site set-up", "Second coat", "Equipment", "Minimum charge"]
    assert after.subtotal_minor == 9_000_000
    assert {line.source.kind for line in after.lines[len(work) : len(work) + 2]} == {"template"}
    assert after.lines[: len(work)] == before.lines[: len(work)]
    assert "Optional lines are shown and not in the total." in after.review_reasons
    assert "Optional lines are shown and not in the total." not in before.review_reasons


ENTERED = Edit((LineEdit(0, "Fit a tap", Decimal(1), "each", Decimal(80)),))


def entered(edit: Edit, template: Template, pricing: PricingSettings):
    """Lines that were entered, before and after the template, as a quote of them is made."""
    offer = Offer.made(CompanyProfile(), template)
    decided = offer.settings(pricing)
    draft, _ = edited(DRAFTER.empty("", decided), ByHand(), edit, decided, Editor("user:7", "2026-11-21T14:30:00Z"))
    return draft, offer.complete(draft, decided)


@pytest.mark.parametrize("minimum", [Decimal(1000), Decimal(150)])
def test_entered_lines_that_a_template_brings_to_the_minimum_charge_are_not_below_it(minimum: Decimal):
    pricing = replace(SETTINGS, minimum_charge=minimum)
    before, after = entered(ENTERED, Template("T", lines=(SET_UP,)), pricing)
    assert before.review_reasons == (f"The total before tax is below the minimum charge of {minimum}.00.",)
    assert after.subtotal_minor == max(money.to_minor(minimum), 20_000)
    assert after.review_reasons == () and not after.needs_review


def test_entered_lines_of_which_none_is_charged_stay_below_the_minimum_charge():
    options = Edit(tuple(replace(one, optional=True) for one in ENTERED.lines))
    _, after = entered(options, Template("T", lines=(EXTRA,)), replace(SETTINGS, minimum_charge=Decimal(150)))
    assert "The total before tax is below the minimum charge of 150.00." in after.review_reasons


def test_a_request_without_work_is_not_charged_by_its_template():
    offer = Offer.made(CompanyProfile(), Template("T", lines=(SET_UP,)))
    draft = DRAFTER.draft("Thank you for your visit last week.", settings=SETTINGS)
    assert offer.complete(draft, SETTINGS) is draft and not draft.lines


def test_in_another_currency_a_template_s_line_has_no_price_and_says_so():
    _, after, _ = drafted(Template("T", lines=(SET_UP,)), replace(SETTINGS, currency="GBP"), "Nashville, TN")
    assert after.currency == "USD"
    line = next(line for line in after.lines if line.description == "Site set-up")
    assert not line.priced and line.amount_minor == 0 and "another currency" in line.review_reasons[0]


def test_sentences_about_taxes_tell_of_the_template_s_lines_too():
    pricing = replace(SETTINGS, tax_classes={"fee": "exempt"})
    before, after, _ = drafted(Template("T", lines=(SET_UP,)), pricing)
    assert not any("exempt" in one for one in before.assumptions)
    assert "No tax on lines of kind fee: exempt." in after.assumptions


line_texts = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=60)
template_lines = st.builds(
    TemplateLine,
    line_texts,
    st.decimals(Decimal("0.001"), 5000, places=3),
    st.sampled_from(["job", "m2", "each"]),
    st.decimals(0, 9999, places=2),
    st.sampled_from(LineKind),
    st.booleans(),
)
rates = st.none() | st.decimals(0, 1, places=4)
templates = st.builds(
    Template,
    line_texts,
    tax_rate=rates,
    reduced_tax_rate=rates,
    tax_classes=st.dictionaries(
        st.sampled_from([kind.value for kind in LineKind]), st.sampled_from(["reduced", "zero", "exempt", "standard"])
    ),
    margin=st.none() | st.decimals(0, Decimal("0.95"), places=2),
    lines=st.lists(template_lines, max_size=5).map(tuple),
    layout=st.none() | st.builds(Layout, prices=st.sampled_from(PriceDetail), paper=st.none() | st.sampled_from(Paper)),
)
companies = st.builds(
    PricingSettings,
    minimum_charge=st.none() | st.decimals(0, 20_000, places=2),
    equipment_charge=st.none() | st.decimals(0, 500, places=2),
    tax_rate=rates,
)


@settings(max_examples=40, deadline=None)
@given(templates, companies)
def test_a_draft_with_any_template_adds_up_and_explains_itself(template: Template, pricing: PricingSettings):
    _, after, decided = drafted(template, pricing)
    charged = totals.charged(after.lines)
    assert after.subtotal_minor == sum(line.amount_minor for line in charged)
    assert after.total_minor == after.subtotal_minor + sum(one.tax_minor for one in after.taxes)
    assert after.low_minor <= after.total_minor <= after.high_minor
    assert sum(one.base_minor for one in after.taxes) == after.subtotal_minor
    if decided.minimum_charge is not None and charged:
        assert after.subtotal_minor >= money.to_minor(decided.minimum_charge)
    for line in after.lines:
        kept, facts = derive(line)
        others = sum(one.amount_minor for one in charged if one is not line)
        explanation = explain(line, kept, facts, others)
        assert not explanation.problems and explanation.amount_minor == line.amount_minor
    assert sum(line.source is not None and line.source.kind == "template" for line in after.lines) == len(
        template.lines
    )


@settings(max_examples=60, deadline=None)
@given(templates, st.text(max_size=40))
def test_what_a_quote_keeps_is_read_back_as_it_was(template: Template, text: str):
    company = CompanyProfile(terms=text, layout=Layout(paper=Paper.LETTER, show_request=False))
    offer = Offer.made(company, template, "tpl_1")
    assert offers.offer_from_json(offers.to_json(offer)) == offer
    assert offers.template_from_json(offers.to_json(template)) == template
    assert offers.profile_from_json(offers.to_json(company)) == company


def test_a_quote_stored_before_there_were_offers_has_an_empty_one():
    assert offers.offer_from_json(None) == Offer()
    assert offers.profile_from_json(None) == CompanyProfile()


@pytest.mark.parametrize("margin", ["0", "0.5"])
def test_a_margin_changes_prices_from_cost_only(margin: str):
    cost = replace(SETTINGS, margin=Decimal(0))
    before, _, _ = drafted(None, cost)
    after, _, _ = drafted(Template("T", margin=Decimal(margin)), cost)
    assert any(one.source is not None and one.source.kind == "norm" for one in before.lines)
    for one, other in zip(before.lines, after.lines, strict=True):
        factor = 1 / (1 - Decimal(margin)) if one.source is not None and one.source.kind == "norm" else 1
        assert abs(other.price - one.price * factor) <= Decimal("0.01")
