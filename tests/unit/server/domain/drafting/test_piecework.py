"""Piecework: work that has prices in several units, or for a kind of its own, is priced as the request tells it."""

from decimal import Decimal

import pytest

from server.domain.draft import LineKind
from server.domain.settings import PricingSettings
from server.domain.units import Dimension, dimension
from server.embedded import load_embedded


def lines(drafter, text, home="Columbus, OH"):
    currency = "GBP" if home.endswith("UK") else "USD"
    settings = PricingSettings(currency=currency, home_location=home)
    return {line.task_id: line for line in drafter.draft(text, settings=settings).lines}


@pytest.mark.parametrize(
    ("text", "task", "quantity"),
    [
        ("Patch 4 holes in the drywall", "drywall.hole", 4),
        ("Restripe 48 parking stalls", "paving.stall", 48),
        ("Hang 6 window blinds", "windows.blind-each", 6),
        ("Prune 12 shrubs along the drive", "landscaping.shrub-prune", 12),
        ("Replace 6 cracked floor tiles in the bathroom", "tiling.floor-tile", 6),
    ],
)
def test_what_is_counted_is_priced_by_the_piece(drafter, text, task, quantity):
    line = lines(drafter, text)[task]
    assert line.qty == quantity
    assert line.priced


def test_what_is_counted_is_so_many_where_nobody_prices_one(drafter):
    found = lines(drafter, "Fit new guttering at the back, 9 m, and 2 downpipes.", home="York, UK")
    assert found["gutters.downspout-each"].qty == 2
    assert not found["gutters.downspout-each"].priced


@pytest.mark.parametrize(
    ("text", "task", "quantity", "unit"),
    [
        ("Patch 12 sq ft of drywall", "drywall.patch", 12, "sqft"),
        ("Restripe 1,200 ft of lines in the parking lot", "paving.striping", 1200, "ft"),
        ("Trim 60 ft of hedge", "landscaping.hedge-trimming", 60, "ft"),
    ],
)
def test_what_is_measured_is_priced_by_the_measure(drafter, text, task, quantity, unit):
    line = lines(drafter, text)[task]
    assert (line.qty, line.unit) == (quantity, unit)


@pytest.mark.parametrize(
    ("text", "task", "quantity", "unit"),
    [
        ("Repair the drywall in the den, 300 sq ft", "drywall.install", 300, "sqft"),
        ("Patch drywall, 5 m2", "drywall.install", 5, "m2"),
        ("Patch 32 sq ft of drywall", "drywall.patch", 32, "sqft"),
    ],
)
def test_more_than_a_sheet_is_no_patch(drafter, text, task, quantity, unit):
    (line,) = (one for one in lines(drafter, text).values() if one.priced)
    assert (line.task_id, line.qty, line.unit) == (task, quantity, unit)


def test_a_length_that_is_told_goes_before_one_of_a_thing(drafter):
    told = lines(drafter, "Run 30 ft of gas line to the new range")
    assert told["plumbing.gas-line-length"].qty == 30
    assert "plumbing.gas-line-length" not in lines(drafter, "Run a gas line to the new range")


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("Install 2 GFCI outlets in the bathroom", "electrical.gfci"),
        ("Replace 2 pipe boots on the roof", "roofing.pipe-boot"),
        ("Hang a chandelier in the foyer", "electrical.chandelier"),
        ("Replace the capacitor on my AC", "hvac.ac-capacitor"),
    ],
)
def test_a_kind_that_is_named_has_its_own_price(drafter, text, task):
    assert lines(drafter, text)[task].priced


def test_what_stands_around_names_no_kind(drafter):
    assert "electrical.hot-tub" not in lines(drafter, "Install 2 outlets on the wall behind the hot tub")


def test_a_kind_that_no_source_prices_here_is_priced_as_the_work_of_any_kind(drafter):
    line = lines(drafter, "Fit a nightlatch on the front door")["locksmith.change"]
    assert line.priced
    assert "ightlatch" not in line.description


def test_nail_holes_are_not_priced_as_holes(drafter):
    told = lines(drafter, "Patch the nail holes in the drywall of the living room")
    assert "drywall.hole" not in told


def test_what_the_customer_bought_is_fitted_by_the_piece(drafter):
    line = lines(drafter, "Hang 6 blinds that I already bought")["windows.blind-each"]
    assert line.kind is LineKind.LABOUR
    assert line.amount_minor == Decimal(6) * line.price * 100


def test_trees_are_pruned_by_their_height(drafter):
    assert "tree-work.prune-medium" in lines(drafter, "Prune a 50 ft oak")
    assert "tree-work.prune-large" in lines(drafter, "Prune a 75 ft oak")
    assert "tree-work.prune-large" in lines(drafter, "Prune our 70 ft oak")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Junk removal: about 25 cubic yards of furniture and boxes from the basement and garage.", 25),
        ("Haul away 12 cubic yards of junk from our garage.", 12),
        ("Remove a small load of rubbish, 3 cubic yards", 3),
    ],
)
def test_junk_that_is_told_by_its_volume_is_no_part_of_a_truck(drafter, text, number):
    line = lines(drafter, text)["waste-removal.junk-volume"]
    assert (line.qty, line.unit) == (number, "cuyd")


@pytest.mark.parametrize(
    "text",
    [
        "The flashing at the chimney leaks. Replace it.",
        "The lead round the chimney has had it, renew all round.",
        "Flashing is coming off the chimney stack, please redo it",
    ],
)
def test_the_pieces_may_be_told_of_right_before(drafter, text):
    assert list(lines(drafter, text)) == ["roofing.chimney-flashing"]


def test_what_is_counted_before_is_more_than_one_piece(drafter):
    assert "cleaning.carpet-room" not in lines(drafter, "The carpet in the two bedrooms is filthy. Please clean it.")


def test_every_form_is_of_a_work_of_its_own_trade():
    tasks = load_embedded().catalogue.tasks
    for task in tasks.values():
        if task.of:
            work = tasks[task.of]
            assert not work.of, task.task_id
            assert (work.trade, work.verbs[:1]) == (task.trade, task.verbs[:1]) or task.verbs, task.task_id
            kind = dimension(work.unit) is dimension(task.unit)
            told = task.pieces or dimension(task.unit) not in {Dimension.COUNT, Dimension.LUMP} or "ft" in task.name
            assert told or not kind, task.task_id
