from __future__ import annotations

from pathlib import Path

import pytest

import tools.evaluation
from server.domain.pricing.sourcing import PriceSearch
from server.embedded import Embedded, load_embedded
from tools.evaluation.coverage import cover
from tools.evaluation.plausibility import check
from tools.evaluation.relevance import LabelledQuery, judge, read_queries

FOLDER = Path(tools.evaluation.__file__).parent
PAGE = FOLDER.parents[1] / "docs" / "quality.md"


@pytest.fixture(scope="module")
def embedded() -> Embedded:
    return load_embedded()


def test_every_label_names_something_and_no_query_is_in_both_sets(embedded: Embedded) -> None:
    known = {*embedded.catalogue.tasks, *embedded.catalogue.products}
    sets = [read_queries(FOLDER / f"queries_{name}.tsv") for name in ("development", "held_out")]
    assert sum(map(len, sets)) >= 400
    for one in (query for queries in sets for query in queries):
        assert one.exact | one.useful <= known
        assert not one.exact & one.useful
    development, held_out = ({(one.query.lower(), one.country) for one in queries} for queries in sets)
    assert not development & held_out


def test_a_right_first_answer_counts_in_full_and_a_wrong_one_not_at_all(embedded: Embedded) -> None:
    search = PriceSearch(embedded.catalogue)
    right = LabelledQuery("wood fence", "US", frozenset({"fencing.wood"}), frozenset(), "customer")
    wrong = LabelledQuery("wood fence", "US", frozenset({"plumbing.toilet"}), frozenset(), "customer")
    foreign = LabelledQuery("flux capacitor", "US", frozenset(), frozenset(), "customer")
    judged = judge(embedded, search, [right, wrong, foreign])
    assert (judged[0].kind, judged[0].first, judged[0].among, judged[0].gain) == ("priced", True, True, 1.0)
    assert (judged[1].first, judged[1].among, judged[1].gain) == (False, False, 0.0)
    assert (judged[2].kind, judged[2].answers) == ("foreign", ())


def test_development_queries_are_answered_as_well_as_the_page_says(embedded: Embedded) -> None:
    judged = judge(embedded, PriceSearch(embedded.catalogue), read_queries(FOLDER / "queries_development.tsv"))
    priced = [one for one in judged if one.kind == "priced"]
    first = sum(one.first for one in priced) / len(priced)
    assert f"| development | all | {len(priced)} | {first:.3f} |" in PAGE.read_text(encoding="utf-8")
    assert first >= 0.9
    assert not any(one.answers for one in judged if one.kind == "foreign")


def test_coverage_counts_every_task_once_and_checks_need_another_source(embedded: Embedded) -> None:
    rows = cover(embedded)
    assert sum(row.tasks for row in rows) == len(embedded.catalogue.tasks)
    assert all(row.firm[country] <= row.priced[country] <= row.tasks for row in rows for country in ("US", "GB"))
    checks, alone = check(embedded)
    assert len(checks) + alone == sum(bool(task.observed) for task in embedded.catalogue.tasks.values())
    assert all(one.kind != "observed" for one in checks)
