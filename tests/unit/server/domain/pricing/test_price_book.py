"""Promises of own prices: they win, they say where they come from, and they never price what they do not measure."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.bill import find_bill
from server.domain.draft import LineKind
from server.domain.price_book.item import BookItem, Entry, words
from server.domain.pricing.price_book import Match, own_items, own_options, own_price
from server.domain.settings import PricingSettings
from server.domain.takeoff import Span, TakeoffItem
from server.domain.units import UNITS, dimension
from server.extraction.builder import Builder

USD = PricingSettings()


class WholeBook:
    """A book so small that every item is always a candidate."""

    version = "b1.2026-01-01"

    def __init__(self, *entries):
        self._items = [BookItem(number, number + 100, entry) for number, entry in enumerate(entries, 1)]

    def look_up(self, wanted):
        return self._items


def entry(sku, name, unit="each", price="10.00", **more):
    return Entry(
        sku,
        name,
        unit,
        Decimal(price),
        **{"currency": "USD", "kind": "service", "effective_from": "2026-01-01", **more},
    )


def item(verb="install", qty="3", unit="each", **more):
    given = None if qty is None else Decimal(qty)
    return TakeoffItem("", "said", verb, given, unit, Span(0, 1), Decimal("0.9"), **more)


FAN = entry("FAN-1", "Ceiling fan", price="120.00")
ELBOWS = (
    entry("ELB-12", "Copper elbow 1/2 in"),
    entry("ELB-34", "Copper elbow 3/4 in"),
    entry("ELB", "Copper elbow"),
    entry("TEE-12", "Copper tee 1/2 in"),
)


@pytest.mark.parametrize(
    ("query", "skus"),
    [
        ("elb-34", ["ELB-34"]),
        ("3 pieces of ELB-34 please", ["ELB-34"]),
        ("1/2 in copper elbow", ["ELB-12"]),
        ("coper elbows", ["ELB"]),
        ("40 copper tees", ["TEE-12"]),
        ("oak door", []),
        ("", []),
    ],
)
def test_code_beats_name_beats_words(query, skus):
    found = own_items(WholeBook(*ELBOWS), query)
    assert [one.item.entry.sku for one in found][:1] == skus[:1]
    assert [one.match for one in found] == sorted(one.match for one in found)


def test_an_exact_name_is_no_guess_and_similar_words_are():
    found = {one.item.entry.sku: one.match for one in own_items(WholeBook(*ELBOWS), "copper elbow")}
    assert found["ELB"] is Match.NAME
    assert found["ELB-12"] is Match.WORDS


def test_an_option_names_book_item_revision_and_day():
    option = own_options(
        WholeBook(entry("G-1", "Seamless gutter", "m", "32.81", supplier="Acme")), "seamless gutter per ft", USD, 10
    )[0]
    assert (option.unit, option.price) == ("ft", Decimal("10.00"))
    assert (option.source.kind, option.source.row, option.supplier, option.as_of) == (
        "price_book", "G-1, revision 101", "Acme", "2026-01-01",
    )  # fmt: skip
    (component,) = option.source.components
    assert component.amount == component.quantity * component.rate


@pytest.mark.parametrize(
    ("query", "without_place", "skus"),
    [
        ("37201", " ", ["37201"]),
        ("shelf 37201", "shelf  ", ["37201"]),
        ("ceiling fan 37201", "ceiling fan  ", ["37201", "FAN-1"]),
        ("Nashville ceiling fan", "  ceiling fan", ["FAN-1"]),
        ("ceiling fan", "ceiling fan", ["FAN-1"]),
        ("Paris chair", " chair", ["P-1"]),
    ],
)
def test_what_is_read_as_a_place_may_be_a_code_or_part_of_a_name(query, without_place, skus):
    book = WholeBook(FAN, entry("37201", "Oak shelf"), entry("P-1", "Paris chair"))
    found = own_options(book, query, USD, 10, without_place=without_place)
    assert [one.item_id for one in found] == skus
    assert all(one.confidence == Decimal("0.95") for one in found), "each by its code or whole name"


def test_the_words_of_a_line_find_its_price():
    own = own_price(WholeBook(FAN), item(), "fit three ceiling fans", task=None, settings=USD)
    assert (own.price.price, own.price.unit, own.price.source.kind) == (Decimal("120.00"), "each", "price_book")
    assert own.price.review_reasons == ()


@pytest.mark.parametrize(
    ("said", "verb", "found"),
    [
        ("remove three ceiling fans", "remove", False),
        ("fit three extractor fans", "install", False),
        ("fit a ceiling", "install", False),
        ("3 x FAN-1", "install", True),
    ],
)
def test_an_item_prices_only_the_work_that_it_is(said, verb, found):
    own = own_price(WholeBook(FAN), item(verb), said, task=None, settings=USD)
    assert (own.price is not None) is found


def test_a_single_noun_is_not_taken_for_what_only_contains_it():
    own = own_price(WholeBook(entry("D", "Door")), item(), "fit a new door lock", task=None, settings=USD)
    assert own.price is None


@pytest.mark.parametrize(
    ("book", "asked", "said", "final", "word"),
    [
        (entry("FAN-1", "Ceiling fan", "m2"), item(), "fit three ceiling fans", True, "cannot price"),
        (entry("FAN-1", "Ceiling fan", currency="GBP"), item(), "fit three ceiling fans", False, "not converted"),
        (FAN, item(materials_by_customer=True), "fit three ceiling fans", False, "customer supplies"),
        (entry("FAN-1", "Ceiling fan", kind="material"), item(), "fit three ceiling fans", False, "as a material"),
        (entry("W", "Paint walls", "m2"), item("paint", None, "m2"), "paint walls", False, "no quantity"),
    ],
)
def test_a_price_that_does_not_fit_is_said_and_not_used(book, asked, said, final, word):
    own = own_price(WholeBook(book), asked, said, task=None, settings=USD)
    assert own.price is None
    assert own.final is final
    assert any(word in reason for reason in own.reasons)


def test_a_labour_price_holds_where_the_customer_supplies_materials():
    labour = entry("FAN-L", "Fit ceiling fan", kind="labour", price="45.00")
    own = own_price(
        WholeBook(FAN, labour), item(materials_by_customer=True), "fit three ceiling fans", task=None, settings=USD
    )
    assert (own.price.kind, own.price.price) == (LineKind.LABOUR, Decimal("45.00"))


def test_a_guess_among_alike_items_says_so():
    book = WholeBook(entry("A", "Gutter aluminum white"), entry("B", "Gutter aluminum brown"))
    own = own_price(book, item(), "supply white and brown aluminum gutter", task=None, settings=USD)
    assert any("check which" in reason for reason in own.price.review_reasons)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(UNITS)), st.sampled_from(sorted(UNITS)), st.decimals(Decimal("0.01"), 9999, places=2))
def test_an_area_never_prices_a_length(book_unit, asked_unit, price):
    own = own_price(
        WholeBook(entry("FAN-1", "Ceiling fan", book_unit, str(price))), item(unit=asked_unit),
        "3 x FAN-1", task=None, settings=USD,
    )  # fmt: skip
    assert (own.price is not None) is (dimension(book_unit) is dimension(asked_unit))
    if own.price is not None:
        (component,) = own.price.source.components
        assert component.rate == price
        assert component.quantity * component.rate == component.amount
    else:
        assert own.final


def test_a_draft_takes_own_prices_first_and_leaves_the_rest_as_it_was(drafter):
    text = "Fit three ceiling fans and paint 60 m2 of walls in Nashville"
    public = drafter.draft(text, settings=USD)
    own = drafter.draft(text, settings=USD, book=WholeBook(FAN))
    assert [line.source.kind for line in own.lines][:1] == ["price_book"]
    assert own.lines[0].amount_minor == 36_000
    assert own.lines[1:] == public.lines[1:]
    assert own.engine_version == f"{public.engine_version}-b1.2026-01-01"
    assert own.subtotal_minor == sum(line.amount_minor for line in own.lines)


def test_a_line_is_called_as_the_price_book_calls_what_prices_it(drafter):
    book = WholeBook(FAN, entry("FAN-2", "Ceiling fan, fit and wire, customer's own", price="60.00", kind="labour"))
    said = {
        "Replace 3 ceiling fans": "Ceiling fan",
        "Two of FAN-1 please": "Ceiling fan",
        "2 x FAN-2": "Ceiling fan, fit and wire, customer's own — labour only",
    }
    for text, name in said.items():
        (line,) = drafter.draft(text, settings=USD, book=book).lines
        assert (line.description, line.source.name) == (name, name.partition(" — ")[0])


def test_a_row_of_a_bill_keeps_its_words_whatever_prices_it(drafter):
    builder = Builder()
    builder.page(1)
    builder.table(enumerate([("Description", "Qty", "Unit"), ("Supply and fit ceiling fan", "2", "each")], 1))
    draft = drafter.draft_bill(find_bill(builder.content("pdf")), settings=USD, book=WholeBook(FAN))
    assert draft.lines[0].source.kind == "price_book"
    assert draft.lines[0].description == "Supply and fit ceiling fan"


def test_work_that_the_catalogue_does_not_know_gets_its_own_price(drafter):
    book = WholeBook(entry("ZORB", "Zorbification of the flumox", "each", "77.00"))
    draft = drafter.draft("Install the zorbification of the flumox", settings=USD, book=book)
    assert [line.price for line in draft.lines if line.priced] == [Decimal("77.00")]


@given(st.text(max_size=60))
def test_words_of_any_text_are_words(text):
    assert all(found and " " not in found for found in words(text))
