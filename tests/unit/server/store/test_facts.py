"""Promises of kept facts: a stored line explains itself by the figures of its day, and a changed figure shows."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from server import administration
from server.domain.drafting.engine import Drafter
from server.domain.pricing.totals import MINIMUM
from server.domain.settings import PricingSettings, RegionalFactor
from server.store import accounts, quotes
from server.store.database import Store, execute

TEXT = "Install 2 radiators, lay 20 m2 of laminate and repair the flux capacitor in Nashville"
RULES = PricingSettings(
    minimum_charge=Decimal(5000),
    labour_markup=Decimal("0.15"),
    material_waste=Decimal("0.05"),
    tax_rate=Decimal("0.07"),
)


@pytest.fixture
def database(new_database):
    return new_database()


@pytest.fixture
def store(database):
    store = Store(database)
    yield store
    store.close()


def stored(store, organization, embedded, catalogue=None):
    draft = Drafter(catalogue or embedded.catalogue, embedded.gazetteer).draft(TEXT, settings=RULES)
    new = quotes.NewQuote(TEXT, "", draft, "2026-12-21", "key:x", 1, datetime(2026, 11, 21, tzinfo=UTC).year)
    return store.write_now(lambda: quotes.create(organization, True, new))


def explanations(store, organization, quote):
    count = len(quote.draft.lines)
    found = [
        store.read_now(lambda line=line: quotes.explanation(organization, True, quote.quote_id, line))
        for line in range(1, count + 1)
    ]
    assert store.read_now(lambda: quotes.explanation(organization, True, quote.quote_id, count + 1)) is None
    assert store.read_now(lambda: quotes.explanation(organization, True, quote.quote_id, 0)) is None
    assert store.read_now(lambda: quotes.explanation(organization + 1, True, quote.quote_id, 1)) is None
    assert store.read_now(lambda: quotes.explanation(organization, False, quote.quote_id, 1)) is None
    return [explanation for _, explanation in found]


def test_a_stored_quote_explains_itself_after_the_catalogue_has_changed(database, store, organization, embedded):
    catalogue = embedded.catalogue
    dearer = {key: replace(one, p50=one.p50 * 2) for key, one in catalogue.wages.items()}
    old = stored(store, organization, embedded)
    new = stored(store, organization, embedded, replace(catalogue, wages=dearer))
    assert old.draft.lines[0].price < new.draft.lines[0].price
    store.close()
    again = Store(database)
    try:
        for quote in (old, new):
            lines = again.read_now(lambda quote=quote: quotes.find(organization, True, quote.quote_id)).draft.lines
            assert lines[-1].source.row == MINIMUM
            for line, explanation in zip(lines, explanations(again, organization, quote), strict=True):
                assert explanation.problems == ()
                assert (explanation.price, explanation.amount_minor) == (line.price, line.amount_minor)
                assert bool(explanation.facts) == line.priced
    finally:
        again.close()


def test_quotes_share_facts_and_none_is_changed(store, organization, embedded):
    stored(store, organization, embedded)
    facts = store.read_now(lambda: execute("select key, text from fact order by key").fetchall())
    stored(store, organization, embedded)
    assert store.read_now(lambda: execute("select key, text from fact order by key").fetchall()) == facts != []


@pytest.mark.parametrize(
    "damage", ["update fact set text = replace(text, '0.', '1.')", "delete from fact", "update fact set text = '{'"]
)
def test_facts_that_were_tampered_with_are_told(store, organization, embedded, damage):
    quote = stored(store, organization, embedded)
    store.write_now(lambda: execute(damage))
    assert explanations(store, organization, quote)[0].problems


def test_a_line_of_the_time_before_facts_were_kept_is_explained_by_its_components(store, organization, embedded):
    quote = stored(store, organization, embedded)
    store.write_now(lambda: execute("update quote_item set derivation = null"))
    explanation = explanations(store, organization, quote)[0]
    assert (explanation.problems, explanation.amount_minor) == ((), quote.draft.lines[0].amount_minor)


def test_pricing_settings_and_factors_come_back_as_they_were(store, organization):
    factors = [
        RegionalFactor("US", "admin:TN", "TN, US", Decimal("0.83"), "Own survey", "2026-03"),
        RegionalFactor("GB", "postcode:LS", "LS, GB", Decimal("0.910"), "Own survey", "2026"),
    ]
    pricing = replace(
        RULES, tax_classes={"labour": "zero"}, packs={"Drywall 13 mm": Decimal("2.97")}, small_job_factor=Decimal("1.5")
    )
    store.write_now(lambda: accounts.set_pricing(organization, pricing))
    administration.import_regional_factors(store, organization, factors, replace=False)
    kept = {(one.country, one.place): one for one in factors}
    assert store.read_now(lambda: accounts.find_organization(organization)).pricing == replace(
        pricing, regional_factors=kept
    )
    newer = replace(factors[0], factor=Decimal("0.9"))
    administration.import_regional_factors(store, organization, [newer], replace=True)
    assert store.read_now(lambda: accounts.regional_factors(organization)) == {("US", "admin:TN"): newer}


def test_more_factors_than_an_organization_may_have_leave_the_older_ones(store, organization, monkeypatch):
    monkeypatch.setattr(accounts, "MOST_FACTORS", 1)
    one = RegionalFactor("US", "admin:TN", "TN, US", Decimal("0.83"), "Own survey", "2026-03")
    administration.import_regional_factors(store, organization, [one], replace=False)
    with pytest.raises(administration.RefusedError, match="at most 1"):
        administration.import_regional_factors(store, organization, [replace(one, place="admin:GA")], replace=False)
    assert store.read_now(lambda: accounts.regional_factors(organization)) == {("US", "admin:TN"): one}
