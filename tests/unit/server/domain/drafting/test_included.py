"""Included: what the price of one line has in it is not charged a second time."""

from server.domain.settings import PricingSettings

ROOF = "Tear off 24 squares of old shingles and put on architectural shingles, 24 squares"


def lines(drafter, text):
    return {
        line.task_id: line for line in drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH")).lines
    }


def test_taking_off_is_in_the_price_of_a_new_roof(drafter):
    told = lines(drafter, ROOF)
    assert not told["roofing.architectural-shingle"].optional
    taken_off = told["roofing.shingle-remove"]
    assert taken_off.optional
    assert any("already" in reason and "shingle" in reason for reason in taken_off.review_reasons)


def test_taking_off_alone_is_charged(drafter):
    assert not lines(drafter, "Tear off 24 squares of old shingles")["roofing.shingle-remove"].optional


def test_taking_off_elsewhere_is_charged(drafter):
    told = lines(drafter, "House: new architectural shingles, 24 squares. Garage: tear off 6 squares of old shingles.")
    assert not told["roofing.shingle-remove"].optional


def test_a_panel_is_in_the_price_of_a_new_service(drafter):
    told = lines(drafter, "We need the electrical service upgraded from 100A to 200A (new panel, meter socket, permit)")
    assert not told["electrical.service-200-upgrade"].optional
    assert told["electrical.panel"].optional


def test_movers_by_the_hour_move_the_home_that_is_told(drafter):
    told = lines(drafter, "Moving a 2 bedroom apt across town on the 30th. 3 movers and a truck for 6 hours please.")
    assert not told["moving.crew-3"].optional
    assert all(line.optional for task, line in told.items() if task.startswith("moving.home"))


def test_a_bathroom_done_in_full_has_its_suite(drafter):
    told = lines(drafter, "Bathroom refit: new bath, toilet and basin, also replace the radiator")
    assert not told["bathrooms.full"].optional
    assert all(told[task].optional for task in ("plumbing.bathtub", "plumbing.toilet", "plumbing.bathroom-sink"))
    assert not told["plumbing.radiator"].optional
