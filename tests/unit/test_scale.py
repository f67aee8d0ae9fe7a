"""Promises of docs/scale.md: its tables are what the simulation says, on every run."""

from pathlib import Path

import pytest

from benchmarks import scale

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()


@pytest.mark.parametrize("size", [1, 10])
def test_the_page_quotes_the_simulation(size):
    assert scale.row_of_limiter(size) in PAGE
    assert scale.row_of_workers(size, 1) in PAGE


async def test_with_redis_nobody_gets_more_than_the_allowance_and_without_it_each_gateway_gives_one():
    assert (await scale.limit(10, shared=True)).worst == scale.ALLOWANCE
    apart = await scale.limit(100, shared=False)
    assert scale.ALLOWANCE < apart.worst <= scale.ALLOWANCE * apart.gateways
