from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from server.domain.draft import Component, Coverage, Draft, DraftLine, LineKind, Source
from server.domain.takeoff import Span
from server.domain.units import UNITS
from server.embedded import load_embedded
from tools.evaluation.calibration import calibration_error
from tools.evaluation.drafting import SETS, Judgement, Request, f1, figures, judge, read_requests

TEXT = "Paint 20 m of trim, replace two toilets (I have them). Leave the fence alone."


def request(**changed: Any) -> Request:
    row: dict[str, Any] = {
        "id": "one",
        "origin": "customer",
        "country": "US",
        "location": "",
        "industry": "",
        "text": TEXT,
        "lines": [
            {"words": "Paint 20 m of trim", "tasks": ["painting.trim"], "qty": "20", "unit": "m"},
            {
                "words": "replace two toilets",
                "tasks": ["plumbing.toilet"],
                "qty": "2",
                "unit": "each",
                "labour_only": True,
            },
        ],
        "excluded": [{"words": "Leave the fence alone", "tasks": ["fencing.wood"]}],
        "enough_to_price": True,
        "total": {"low": 20_000, "high": 40_000, "basis": "claims"},
    }
    return Request.of({**row, **changed})


def source(*kinds: str, kind: str = "norm") -> Source:
    one = Decimal(1)
    parts = tuple(Component(part, "", one, "each", one, one, "", "", "") for part in kinds)
    return Source(kind, "", "", "", "", Coverage.MEASURED, one, "", "", parts)


def line(task: str, qty: str = "1", unit: str = "each", words: str = "", **changed: Any) -> DraftLine:
    at = TEXT.find(words)
    facts: dict[str, Any] = {
        "description": task,
        "qty": Decimal(qty),
        "unit": unit,
        "price": Decimal(100),
        "amount_minor": 10_000,
        "low_minor": 5_000,
        "high_minor": 20_000,
        "kind": LineKind.SERVICE,
        "priced": True,
        "optional": False,
        "confidence": Decimal("0.8"),
        "labour_hours": Decimal(0),
        "review_reasons": (),
        "span": Span(at, at + len(words)) if words else None,
        "task_id": task,
        "source": source("labour"),
    }
    return DraftLine(**{**facts, **changed})


def drafted(*lines: DraftLine, asked: Request | None = None) -> Judgement:
    amount = sum(one.amount_minor for one in lines)
    none: Sequence[str] = ()
    draft = Draft(
        "USD", lines, amount, 0, amount, amount, amount, Decimal(1), "", tuple(none), tuple(none), (), tuple(none), ""
    )
    return judge(asked or request(), draft)


def test_a_line_is_found_by_its_task_and_its_quantity_in_any_unit_of_the_dimension() -> None:
    judged = drafted(line("painting.trim", "65.617", "ft"), line("plumbing.toilet", "3"))
    assert [label.quantity(one) for label, one in judged.matched] == ["right", "wrong"]
    assert not judged.missed and not judged.spare


def test_one_line_answers_one_label_and_the_one_with_the_words_first() -> None:
    judged = drafted(
        line("plumbing.toilet", "2", words="toilets (I"), line("plumbing.toilet", "2", words="Leave"), line("x.y")
    )
    assert [one.span for _, one in judged.matched] == [Span(32, 42)]
    assert len(judged.spare) == 2
    assert [label.words for label in judged.missed] == ["Paint 20 m of trim"]


def test_as_many_labels_as_possible_are_matched() -> None:
    both = {"words": "Paint", "tasks": ["painting.trim", "plumbing.toilet"], "qty": "2", "unit": "each"}
    only = {"words": "two toilets", "tasks": ["plumbing.toilet"], "qty": "2", "unit": "each"}
    judged = drafted(
        line("plumbing.toilet", "2", words="Paint"), line("painting.trim"), asked=request(lines=[both, only])
    )
    assert {label.words: one.task_id for label, one in judged.matched} == {
        "Paint": "painting.trim",
        "two toilets": "plumbing.toilet",
    }


def test_work_that_the_catalogue_lacks_is_found_by_an_unpriced_line_on_its_words() -> None:
    asked = request(lines=[{"words": "trim", "tasks": ["unpriced:trim"], "qty": None, "unit": "each"}])
    unpriced = {"priced": False, "amount_minor": 0, "source": None}
    assert drafted(line("", words="of trim", **unpriced), asked=asked).matched
    assert not drafted(line("", words="the fence", **unpriced), asked=asked).matched


def test_a_task_that_no_source_prices_names_work_that_a_label_has_as_unpriced() -> None:
    asked = request(lines=[{"words": "trim", "tasks": ["unpriced:trim"], "qty": None, "unit": "each"}])
    unpriced = {"priced": False, "amount_minor": 0, "source": None}
    assert drafted(line("general-building.elevator", words="of trim", **unpriced), asked=asked).matched
    assert not drafted(line("general-building.elevator", words="the fence", **unpriced), asked=asked).matched
    assert not drafted(line("fencing.wood", words="of trim", **unpriced), asked=asked).matched
    assert not drafted(line("", words="of trim"), asked=asked).matched


def test_charged_exclusions_are_work_that_is_excluded_or_only_mentioned() -> None:
    by_task, by_words = line("fencing.wood", "9", "ft"), line("painting.room", words="the fence alone")
    assert drafted(by_task, by_words).charged_exclusions == [by_task, by_words]
    assert not drafted(line("fencing.wood", optional=True)).charged_exclusions


def test_what_is_charged_in_another_form_than_the_label_names_is_charged_though_excluded() -> None:
    asked = request(excluded=[{"words": "Leave the fence alone", "tasks": ["drywall.patch"]}])
    by_hole = line("drywall.hole", "4")
    assert drafted(by_hole, asked=asked).charged_exclusions == [by_hole]
    assert not drafted(line("fencing.wood", "9", "ft"), asked=asked).charged_exclusions


def test_what_the_customer_has_must_not_be_charged() -> None:
    supplied = line("plumbing.toilet", "2", source=source("labour", "material"))
    assert drafted(supplied).charged_supplies == [supplied]
    assert drafted(line("plumbing.toilet", "2", source=source("claim"))).charged_supplies
    assert not drafted(line("plumbing.toilet", "2", source=source("claim"), kind=LineKind.LABOUR)).charged_supplies
    assert not drafted(line("plumbing.toilet", "2")).charged_supplies
    assert not drafted(line("painting.trim", "20", "m", source=source("material"))).charged_supplies


def test_options_fees_and_permits_count_as_they_should() -> None:
    fee = line("", source=source(kind="settings"))
    judged = drafted(fee, line("permits.deck"), line("painting.door"), asked=request(allowed=["painting.door"]))
    assert len(judged.extra) == 3 and not judged.counted
    option = {"words": "Paint", "tasks": ["painting.trim"], "qty": "1", "unit": "each", "optional": True}
    assert drafted(line("painting.trim"), asked=request(lines=[option])).charged_options
    assert not drafted(line("painting.trim", optional=True), asked=request(lines=[option])).charged_options


def test_a_quantity_that_the_text_does_not_say_must_be_said_to_be_open() -> None:
    asked = request(lines=[{"words": "trim", "tasks": ["painting.trim"], "qty": None, "unit": "ft"}])
    silent, said = line("painting.trim", unit="ft"), line("painting.trim", unit="ft", review_reasons=("no length",))
    assert [told for _, told in drafted(silent, asked=asked).hedged] == [False]
    assert [told for _, told in drafted(said, asked=asked).hedged] == [True]


def test_figures_add_up() -> None:
    right = drafted(line("painting.trim", "20", "m"), line("plumbing.toilet", "2"), line("painting.room"))
    idle = drafted(line("painting.room"), asked=request(lines=[], excluded=[], total=None))
    found = figures([right, idle])
    assert (found["Recall"], found["Precision"], found["F1"]) == ("1.000", "0.500", "0.667")
    assert found["Quantities right"] == "1.000 of 2"
    assert found["Texts without work charged"] == "1.000 of 1"
    assert found["Total in range"] == "1.000 of 1"
    assert found["Without span"] == "4"
    assert found["Calibration error"] == "0.300"  # 0.8 told, 2 of 4 right


def test_nothing_found_is_a_figure_too() -> None:
    found = figures([drafted()])
    assert (found["Recall"], found["Precision"], found["F1"]) == ("0.000", "0.000", "0.000")
    assert found["Quantities right"] == "–"


def test_calibration_error_weighs_the_bins_by_their_lines() -> None:
    sure, unsure = Decimal("0.95"), Decimal("0.2")
    assert calibration_error([]) == 0
    assert calibration_error([(sure, True)] * 3 + [(unsure, False)]) == pytest.approx(0.75 * 0.05 + 0.25 * 0.2)
    assert calibration_error([(Decimal(1), True)]) == 0


def test_f1_is_the_harmonic_mean() -> None:
    assert f1(0.5, 1.0) == pytest.approx(2 / 3)
    assert f1(0.0, 0.0) == 0


@pytest.mark.parametrize("name", [name for name, file in SETS.items() if file.exists()])
def test_labels_name_tasks_units_and_words_of_their_text(name: str) -> None:
    tasks = load_embedded().catalogue.tasks
    requests = read_requests(SETS[name])
    assert len({one.id for one in requests}) == len({one.text for one in requests}) == len(requests)
    for one in requests:
        assert one.origin in {"permit", "customer"}
        for words in (*(label.words for label in one.labels), *(words for words, _ in one.excluded)):
            assert words and words in one.text, one.id
        for form in (form for label in one.labels for form in label.forms):
            assert form.unit in UNITS or (form.low is None and not form.unit)
            assert all(task in tasks or task.startswith("unpriced:") for task in form.tasks), one.id
        assert all(task in tasks for _, excluded in one.excluded for task in excluded), one.id
        assert one.total is None or (one.enough and 0 < one.total[0] < one.total[1])


def test_no_request_is_in_both_sets() -> None:
    texts = [
        json.loads(row)["text"] for file in SETS.values() if file.exists() for row in file.read_text().splitlines()
    ]
    assert len(set(texts)) == len(texts)
