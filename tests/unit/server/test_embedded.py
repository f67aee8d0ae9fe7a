from __future__ import annotations

import statistics
from decimal import Decimal

from server.domain.catalogue import Task
from server.domain.units import UNITS, Dimension
from server.embedded import DATA, FILES, data_version, load_embedded
from tools.catalogue import calibration, comparison

#: Version of the data files as they are committed: `make data` prints none other, or this line changes with them.
COMMITTED = "088eecae7d679eee"


def test_the_committed_data_is_the_data_that_was_built() -> None:
    assert data_version({name: (DATA / name).read_bytes() for name in FILES}) == COMMITTED
    assert load_embedded().version == COMMITTED


def test_every_fact_names_a_dataset_and_a_row() -> None:
    catalogue = load_embedded().catalogue
    attribution = (DATA / "ATTRIBUTION.md").read_text(encoding="utf-8")
    for dataset_id in catalogue.datasets:
        assert f"`{dataset_id}`" in attribution
    for task in catalogue.tasks.values():
        for fact in (*task.labour, *task.materials, *task.observed):
            assert fact.dataset_id in catalogue.datasets
            assert fact.row
        for claim in task.claims:
            assert claim.dataset_id in catalogue.datasets
            assert len(claim.rows) >= len(claim.publishers) >= 1
            assert all("http" in row for row in claim.rows)
    for product in catalogue.products.values():
        assert product.dataset_id in catalogue.datasets
        assert product.rows
        assert product.unit in UNITS
        assert product.low <= product.price <= product.high
    for rate in catalogue.exchange_rates.values():
        assert rate.dataset_id in catalogue.datasets
        assert rate.as_of == "2024-01-31"


def test_the_report_on_the_sources_is_of_the_committed_data() -> None:
    page = (DATA.parents[1] / "docs" / "price-comparison.md").read_text(encoding="utf-8")
    assert page == comparison.report(load_embedded().catalogue)


def test_dropped_rows_are_named_and_not_counted() -> None:
    dropped = [claim for task in load_embedded().catalogue.tasks.values() for claim in task.claims if claim.dropped]
    assert dropped
    for claim in dropped:
        assert not set(claim.dropped) & set(claim.rows)
        assert all("http" in row for row in claim.dropped)
        assert len(claim.publishers) >= 1


def test_every_task_is_well_formed() -> None:
    catalogue = load_embedded().catalogue
    assert len(catalogue.tasks) >= 400
    assert len({task.trade for task in catalogue.tasks.values()}) >= 30
    for task in catalogue.tasks.values():
        assert task.verbs
        assert task.names
        assert all(name == name.lower() for name in task.names)
        assert task.unit in UNITS
        assert all(material.unit in UNITS for material in task.materials)
        assert all(norm.hours_per_unit > 0 for norm in task.labour)
        assert all(("0000000", norm.occupation) in catalogue.wages for norm in task.labour)
        assert all(companion in catalogue.tasks for companion in task.companions)
        assert bool(task.most) is (task.beyond in catalogue.tasks)


def test_a_name_and_verb_have_at_most_one_default_task() -> None:
    seen: dict[tuple[str, str], Task] = {}
    for task in load_embedded().catalogue.tasks.values():
        if task.default:
            for name in task.names:
                for verb in task.verbs:
                    other = seen.setdefault((name, verb), task)
                    assert other is task, (name, verb, other.task_id, task.task_id)


def test_the_calibration_of_norms_is_that_of_the_committed_data() -> None:
    catalogue = load_embedded().catalogue
    assert catalogue.norm_calibration == calibration.fitted(catalogue)


def test_calibrated_norms_are_nearer_to_published_prices_of_works_that_are_left_out() -> None:
    """By a third of the logarithm and more in each country (docs/adr/0034-norms-calibrated.md)."""
    works = calibration.works(load_embedded().catalogue)
    left_out = calibration.off_when_left_out(works)
    for country in ("US", "GB"):
        at = [number for number, work in enumerate(works) if work.country == country]
        before = statistics.mean(works[number].off(Decimal(1), Decimal(0)) for number in at)
        assert len(at) > 20 and statistics.mean(left_out[number] for number in at) < before * 2 / 3


def test_hours_of_norms_are_charged_at_what_two_publishers_or_more_state() -> None:
    catalogue = load_embedded().catalogue
    named = {occupation for task in catalogue.tasks.values() for occupation in task.hour_of}
    assert named == {norm.occupation for task in catalogue.tasks.values() for norm in task.labour}
    for (occupation, country), claim in catalogue.charge_out_rates.items():
        assert occupation in named and len(claim.publishers) > 1 and claim.country == country
        assert UNITS[claim.unit].dimension is Dimension.TIME
    assert {occupation for occupation, country in catalogue.charge_out_rates if country == "US"} == named
