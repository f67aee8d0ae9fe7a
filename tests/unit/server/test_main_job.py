"""Promises of the main job, on the embedded catalogue: the request of the README gives the draft that it deserves."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from server.domain.draft import LineKind
from server.domain.settings import PricingSettings

REQUEST = (
    "Replace 12 m of guttering and repaint the front of a two-storey house in Nashville, about 60 m2, two coats, "
    "we supply the paint"
)


def draft(drafter, text, **settings):
    return drafter.draft(text, settings=PricingSettings(**settings))


def test_quantities_supply_and_place_are_as_the_customer_wrote(drafter):
    drafted = draft(drafter, REQUEST)
    gutter, paint = drafted.lines
    assert (gutter.qty, gutter.unit, gutter.task_id) == (Decimal(12), "m", "gutters.aluminum")
    assert (paint.qty, paint.unit, paint.task_id) == (Decimal(60), "m2", "painting.exterior")
    assert paint.kind is LineKind.LABOUR
    assert "2 coats" in paint.description
    assert drafted.location.startswith("Nashville")
    assert any("paint" in assumption for assumption in drafted.assumptions)
    assert any("2 storeys" in reason for reason in gutter.review_reasons)


def test_the_readme_shows_what_is_drafted(drafter):
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    assert REQUEST in readme
    shown = json.loads(re.search(r"The answer, shortened:\n\n```json\n(.+?)```", readme, re.DOTALL)[1])
    drafted = draft(drafter, REQUEST)
    assert shown["total"] == drafted.total_minor / 100
    for line, as_shown in zip(drafted.lines, shown["line_items"], strict=True):
        for name in ("description", "unit"):
            assert as_shown[name] == getattr(line, name)
        assert (as_shown["price"], as_shown["amount"]) == (float(line.price), line.amount_minor / 100)
        assert as_shown["confidence"] == float(line.confidence)
        assert as_shown["span"] == {"start": line.span.start, "end": line.span.end}
        assert as_shown["source"]["as_of"] == line.source.as_of
        described = {one["description"] for one in as_shown["source"]["components"]}
        assert described <= {one.description for one in line.source.components}
        assert set(as_shown["review_reasons"]) <= set(line.review_reasons)
    assert set(shown["assumptions"]) <= set(drafted.assumptions)


def test_labour_alone_is_priced_at_the_place_with_its_source(drafter):
    paint = draft(drafter, REQUEST).lines[1]
    assert (paint.source.kind, paint.source.place) == ("claims", "Nashville, TN")
    assert all(one.row for one in paint.source.components)
    assert not [one for one in paint.source.components if one.kind == "material"]
    elsewhere = draft(drafter, REQUEST.replace("Nashville", "San Jose, CA")).lines[1]
    assert elsewhere.price > paint.price


def test_hours_of_a_norm_name_who_states_their_rate_and_whose_wages_bring_it_to_the_place(drafter):
    bidet = draft(drafter, "Fit a bidet in Chicago").lines[0]
    hours = [one for one in bidet.source.components if one.kind == "labour"]
    assert hours and all(one.dataset_id == "published-claims-2026" and "https://" in one.row for one in hours)
    assert all("wage in Chicago" in one.description for one in hours)


def test_what_has_no_source_is_flagged_and_not_charged(drafter):
    drafted = draft(drafter, "Repair the flux capacitor and fit 3 ceiling fans in Nashville")
    unknown, fans = drafted.lines
    assert (unknown.priced, unknown.amount_minor) == (False, 0)
    assert unknown.review_reasons
    assert drafted.total_minor == fans.amount_minor


def test_what_was_taken_for_no_work_is_said(drafter):
    drafted = draft(drafter, "Recalibrate the flux capacitor. Fit 3 ceiling fans in Nashville.")
    assert len(drafted.lines) == 1
    assert "Taken for no work: “Recalibrate the flux capacitor”." in drafted.review_reasons


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Paint walls 40 m2. 3 toilets. New gutters 12 m.", "3 toilets"),
        ("Replace 12 m of gutter. Fit doors.", "Fit doors"),
    ],
)
def test_an_order_of_two_words_is_a_line_or_is_said_to_be_none(drafter, text, said):
    drafted = draft(drafter, text)
    about = [line for line in drafted.lines if line.span is not None and said in text[line.span.start : line.span.end]]
    assert about or f"Taken for no work: “{said}”." in drafted.review_reasons


@pytest.mark.parametrize("text", ["We moved in last year and love the house.", "Thanks for your call", "Hello!"])
def test_text_that_asks_for_no_work_gives_no_line_and_a_question(drafter, text):
    drafted = draft(drafter, text)
    assert (drafted.lines, drafted.total_minor) == ((), 0)
    assert len(drafted.questions) == 1


def test_pounds_are_never_dollars(drafter):
    drafted = draft(drafter, "Fit a new radiator and lay 20 m2 of laminate in Leeds, UK")
    assert drafted.currency == "GBP"
    for line in drafted.lines:
        assert line.source is None or all("USD" not in one.description for one in line.source.components)
