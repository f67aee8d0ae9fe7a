"""Promises of explanations: every price opens down to stored facts, and these come to it to the cent."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain import money
from server.domain.draft import DraftLine, Source
from server.domain.drafting.engine import Drafter
from server.domain.pricing.build import IMPORTED, REQUEST, SETTINGS, UNIT_TABLE
from server.domain.pricing.derivation import Evaluation, Fact, to_formula
from server.domain.pricing.explanation import Explanation, derive, explain, terms_of
from server.domain.pricing.sourcing import PriceSearch
from server.domain.pricing.totals import charged
from server.domain.settings import PricingSettings, RegionalFactor
from server.domain.units import UNITS
from server.embedded import load_embedded

EMBEDDED = load_embedded()
CATALOGUE = EMBEDDED.catalogue
DRAFTER = Drafter(CATALOGUE, EMBEDDED.gazetteer)
SEARCH = PriceSearch(CATALOGUE)
TASKS = sorted(CATALOGUE.tasks)
ORIGINS = {*CATALOGUE.datasets, SETTINGS, UNIT_TABLE, REQUEST, IMPORTED}
PLACES = [
    "",
    "Nashville, TN",
    "Chicago",
    "San Jose, CA",
    "Mountain View, AR",
    "37201",
    "Leeds, UK",
    "LS6 2AB",
    "Madrid",
]
FACTOR = RegionalFactor("US", "admin:TN", "TN, US", Decimal("0.83"), "Own survey", "2026-03")
LEEDS = RegionalFactor("GB", "postcode:LS", "LS, GB", Decimal("0.91"), "Own survey", "2026")

rates = st.decimals(0, 2, places=3)
charges = st.none() | st.decimals(0, 2000, places=2)
pricing = st.builds(
    PricingSettings,
    currency=st.sampled_from(["USD", "GBP"]),
    labour_burden=st.none() | rates,
    labour_markup=rates,
    material_markup=rates,
    other_markup=rates,
    margin=st.decimals(0, Decimal("0.9"), places=2),
    material_waste=st.decimals(0, 1, places=2),
    minimum_charge=charges,
    small_job_factor=st.decimals(1, 3, places=2),
    small_job_hours=st.decimals(0, 100, places=1),
    disposal_charge=charges,
    access_charge=charges,
    equipment_charge=charges,
    tax_rate=st.none() | st.decimals(0, Decimal("0.3"), places=4),
    reduced_tax_rate=st.none() | st.decimals(0, Decimal("0.3"), places=4),
    tax_classes=st.dictionaries(
        st.sampled_from(["material", "labour", "service", "fee"]),
        st.sampled_from(["standard", "reduced", "zero", "exempt"]),
    ),
    regional_factors=st.sampled_from([{}, {(one.country, one.place): one for one in (FACTOR, LEEDS)}]),
)
UNIT_WORDS = {"each": "", "m2": "m2 of", "sqft": "sqft of", "m": "m of", "ft": "ft of", "m3": "m3 of", "h": "hours of"}


@st.composite
def request_texts(draw: st.DrawFn) -> str:
    """One to three clauses over the catalogue's own words, with quantities that may or may not fit."""
    clauses = []
    for task_id in draw(st.lists(st.sampled_from(TASKS), min_size=1, max_size=3)):
        task = CATALOGUE.tasks[task_id]
        quantity = draw(st.decimals(Decimal("0.5"), 900, places=1))
        unit = UNIT_WORDS[draw(st.sampled_from([task.unit if task.unit in UNIT_WORDS else "each", *UNIT_WORDS]))]
        option = draw(st.sampled_from(["", "", "", "as an option "]))
        clauses.append(
            f"{option}{draw(st.sampled_from(task.verbs))} {quantity} {unit} {draw(st.sampled_from(task.names))}"
        )
    supply = draw(st.sampled_from(["", "", ", we supply the materials", ", two-storey house"]))
    return ". ".join(clauses).capitalize() + supply


def explained(line: DraftLine, lines: tuple[DraftLine, ...]) -> Explanation:
    """The explanation as a store would give it: formulas and facts through their stored form."""
    formulas, facts = derive(line)
    kept = {key: Fact.from_text(fact.text()) for key, fact in facts.items()}
    others = sum(one.amount_minor for one in charged(lines) if one is not line)
    return explain(replace(line), json.loads(json.dumps(formulas)), kept, others)


def sum_from_facts(source: Source) -> Decimal:
    """The price that a source's components come to by their facts alone, each fact of a known origin."""
    facts = {fact.key: fact for part in source.components for term in terms_of(part, source) for fact in term.facts()}
    assert {fact.dataset_id for fact in facts.values()} <= ORIGINS
    assert any(fact.dataset_id not in {UNIT_TABLE, REQUEST} for fact in facts.values())
    run = Evaluation(facts)
    for part in source.components:
        (_, quantity), (_, rate) = (run.evaluate(to_formula(term)) for term in terms_of(part, source))
        run.components.append(("", quantity * rate))
    return money.unit_price(sum((amount for _, amount in run.components), Decimal(0)))


@settings(max_examples=150, deadline=None)
@given(request_texts(), st.sampled_from(PLACES), pricing)
def test_every_line_of_any_draft_is_explained_to_the_cent_by_stored_facts(
    text: str, location: str, organization: PricingSettings
) -> None:
    draft = DRAFTER.draft(text, location=location, settings=organization)
    for line in draft.lines:
        explanation = explained(line, draft.lines)
        assert explanation.problems == ()
        if not line.priced:
            assert (line.amount_minor, line.source, explanation.steps) == (0, None, ())
            continue
        assert (explanation.price, explanation.amount_minor) == (line.price, line.amount_minor)
        assert explanation.steps[-1].value == money.from_minor(line.amount_minor)
        assert {fact.dataset_id for fact in explanation.facts} <= ORIGINS
        assert line.low_minor <= line.amount_minor <= line.high_minor
        if line.task_id:
            assert UNITS[line.unit].dimension is UNITS[CATALOGUE.tasks[line.task_id].unit].dimension
    assert draft.total_minor == sum(line.amount_minor for line in charged(draft.lines)) + draft.tax_minor
    assert draft.tax_minor == sum(one.tax_minor for one in draft.taxes)
    assert draft.low_minor <= draft.total_minor <= draft.high_minor


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(TASKS + sorted(CATALOGUE.products)),
    st.sampled_from(PLACES),
    pricing,
    st.sampled_from(["", " per m2", " per ft"]),
)
def test_every_option_of_any_answer_is_reachable_from_stored_facts(
    item: str, location: str, organization: PricingSettings, unit: str
) -> None:
    named = CATALOGUE.tasks.get(item) or CATALOGUE.products[item]
    match = EMBEDDED.gazetteer.find(location) if location else None
    for option in SEARCH.find(named.name + unit, place=match.place if match else None, settings=organization):
        assert sum_from_facts(option.source) == option.price > 0
        assert option.currency == organization.currency
        assert option.price_low <= option.price <= option.price_high


def test_a_fact_that_was_changed_or_lost_is_told_and_nothing_is_made_up() -> None:
    draft = DRAFTER.draft("Lay 20 m2 of laminate in Nashville", settings=PricingSettings())
    line = draft.lines[0]
    formulas, facts = derive(line)
    key = next(iter(facts))
    changed = {**facts, key: replace(facts[key], value=facts[key].value + 1)}
    lost = {other: fact for other, fact in facts.items() if other != key}
    for kept, said in ((changed, "is not what was stored"), (lost, "is missing")):
        explanation = explain(line, formulas, kept, 0)
        assert explanation.amount_minor == 0
        assert said in explanation.problems[0]


@pytest.mark.parametrize(
    "damaged",
    [
        [],
        "x",
        ["*"],
        ["*", ["number", 1]],
        ["/", ["number", 1], ["number", 0]],
        ["component", 0],
        ["sqrt", ["number", 4]],
        ["number", "NaN"],
    ],
)
def test_a_damaged_formula_is_told(damaged: object) -> None:
    draft = DRAFTER.draft("Lay 20 m2 of laminate in Nashville", settings=PricingSettings())
    formulas, facts = derive(draft.lines[0])
    formulas[0] = (damaged, formulas[0][1])  # type: ignore[assignment]
    assert explain(draft.lines[0], formulas, facts, 0).problems
