"""What is stated grows old: the rows themselves tell by how much, and every one is brought to the newest year."""

from __future__ import annotations

import random
from decimal import Decimal

from tools.catalogue.ageing import Ageing, fitted
from tools.catalogue.claims import Claim, merge


def claim(item: str, price: Decimal, date: str, publisher: str = "a") -> Claim:
    return Claim(
        item, "installed_price", "each", "each", "USD", price, price, price, "US", date, publisher, f"https://{publisher}/"
    )  # fmt: skip


def test_growth_that_rows_have_is_found_whatever_the_works_cost() -> None:
    chosen = random.Random(1)
    rows = []
    for work in range(60):
        cost = Decimal(10 + work * 37)
        years = chosen.sample(range(2018, 2027), 4)
        rows += [claim(f"work {work}", cost / Decimal("1.05") ** (2026 - year), str(year)) for year in years]
        rows.append(claim(f"work {work}", cost * Decimal("0.8"), ""))
    # Some are something else altogether.
    rows += [claim(f"work {work}", Decimal(30 + work * 111), "2022") for work in range(0, 60, 20)]
    found = fitted(rows)
    assert found.year == 2026
    assert abs(found.yearly - Decimal("1.05")) < Decimal("0.006")
    assert abs(found.undated - Decimal("1.25")) < Decimal("0.02")
    assert found.rows == len(rows)


def test_a_price_of_the_newest_year_stays_and_others_are_brought_there() -> None:
    ageing = Ageing(2026, Decimal("1.04"), Decimal("1.13"), 100)
    assert ageing.times("2026-05-01") == 1
    assert ageing.times("2027") == 1
    assert ageing.times("2024") == Decimal("1.0816")
    assert ageing.times("") == Decimal("1.13")


def test_a_merged_price_is_at_the_newest_years_and_its_rows_read_as_stated() -> None:
    ageing = Ageing(2026, Decimal("1.04"), Decimal("1.13"), 100)
    rows = ageing.brought([claim("Fence", Decimal(100), "2026"), claim("Fence", Decimal(100), "", "b")])
    merged = merge(rows, "Fence", "each", labour=False)
    assert (merged.low, merged.mid, merged.high) == (100, Decimal("106.5"), 113)
    assert all("USD 100 per each" in row for row in merged.rows)
