"""Tiers tell how a unit price goes with the amount, and pages how much is ordinary."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path

import pytest

from server.embedded import load_embedded
from tools.catalogue.amounts import read_amounts
from tools.catalogue.build import HERE
from tools.catalogue.tiers import Tiers, exponent, fitted, left_out, read_tiers

COMMITTED = read_tiers(HERE / "tiers.csv")
HEAD = "work,unit,currency,price_of,tiers,date,publisher,url,words\n"


def rows(power: float, works: int = 30) -> list[Tiers]:
    chosen = random.Random(1)
    return [
        Tiers(
            f"work {work}",
            f"publisher {work % 10}",
            "",
            tuple(
                (Decimal(amount), Decimal((5 + work) * amount ** (1 + power) * chosen.uniform(0.9, 1.1)))
                for amount in sorted(chosen.sample(range(5, 300), 4))
            ),
        )
        for work in range(works)
    ]


def test_the_power_that_tiers_have_is_found_whatever_the_works_cost() -> None:
    assert abs(exponent(rows(-0.2)) + Decimal("0.2")) < Decimal("0.03")
    assert abs(exponent(rows(0))) < Decimal("0.03")
    odd = Tiers("odd", "odd", "", ((Decimal(1), Decimal(1000)), (Decimal(1000), Decimal(100))))
    assert abs(exponent([*rows(-0.2), odd]) + Decimal("0.2")) < Decimal("0.08")


def test_the_committed_scale_is_that_of_the_tiers_and_no_publisher_decides_it() -> None:
    scale = load_embedded().catalogue.amount_scale
    assert scale == fitted(COMMITTED)
    assert scale is not None and scale.publishers >= 30
    assert all(abs(one - scale.exponent) <= Decimal("0.06") for one in left_out(COMMITTED))
    assert -1 < scale.exponent < 0


def test_prices_of_a_unit_are_brought_to_the_whole_and_middles_are_by_ratio(tmp_path: Path) -> None:
    table = tmp_path / "tiers.csv"
    table.write_text(HEAD + "slab,sqft,USD,unit,100-400=3 1000=2,,a.com,https://a.com,words\n", encoding="utf-8")
    [(small, price), (large, whole)] = read_tiers(table)[0].prices
    assert small == Decimal("200") * Decimal("0.09290304")
    assert (price, whole) == (600, 2000)
    assert large > small


@pytest.mark.parametrize("tiers", ["100=3", "100=3 100=4", "200=3 100=4"])
def test_a_row_that_is_no_tiers_is_refused(tmp_path: Path, tiers: str) -> None:
    table = tmp_path / "tiers.csv"
    table.write_text(HEAD + f"slab,sqft,USD,unit,{tiers},,a.com,https://a.com,words\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no tiers"):
        read_tiers(table)


def test_committed_amounts_are_those_of_the_table_with_their_pages() -> None:
    catalogue = load_embedded().catalogue
    amounts = read_amounts(HERE / "amounts.csv", catalogue.tasks.values())
    assert catalogue.ordinary_amounts == {(one.task_id, one.country): one for one in amounts}
    for one in amounts:
        assert one.amount > 0
        assert one.publishers
        assert one.dataset_id in catalogue.datasets
        assert all("http" in row for row in one.rows)


def test_an_amount_of_work_that_is_not_by_the_area_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "amounts.csv"
    table.write_text(
        "tasks,unit,low,high,country,date,publisher,url,words\nfencing.wood,sqft,1,1,US,,a.com,https://a.com,words\n",
        encoding="utf-8",
    )
    with pytest.raises(ValueError, match=r"fencing\.wood"):
        read_amounts(table, load_embedded().catalogue.tasks.values())
