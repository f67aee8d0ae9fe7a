"""How much of an installed price is labour: what counts as told, and that like works tell it of one that is left out."""

from __future__ import annotations

import statistics
from dataclasses import replace
from decimal import Decimal

from server.embedded import load_embedded
from tools.catalogue import shares

CATALOGUE = load_embedded().catalogue


def test_the_committed_shares_are_those_of_the_committed_prices() -> None:
    found = shares.fitted(shares.splits(CATALOGUE.tasks.values()))
    assert {one.trade: one for one in found} == CATALOGUE.labour_shares
    assert all(0 < one.low < one.share < one.high < 1 for one in found)


def test_the_works_of_a_trade_tell_of_one_that_is_left_out_and_better_than_all_do() -> None:
    """The typical miss is a third (docs/adr/0040-labour-of-what-the-customer-has.md)."""
    by_trade, by_all = shares.off_when_left_out(shares.splits(CATALOGUE.tasks.values()))
    assert statistics.median(by_trade) < 0.3 < statistics.median(by_all)
    assert statistics.mean(by_trade) < statistics.mean(by_all)


def test_labour_above_the_whole_tells_nothing() -> None:
    task = CATALOGUE.tasks["plumbing.faucet"]
    known = len(shares.splits([task]))
    dear = tuple(claim if claim.includes_materials else replace(claim, mid=Decimal(10_000)) for claim in task.claims)
    assert known > 0 == len(shares.splits([replace(task, claims=dear)]))


def test_a_trade_with_few_works_does_not_stand_for_itself() -> None:
    found = [split for split in shares.splits(CATALOGUE.tasks.values()) if split.task.trade == "plumbing"]
    assert [one.trade for one in shares.fitted(found)] == ["", "plumbing"]
    assert [one.trade for one in shares.fitted(found[: shares.ENOUGH - 1])] == [""]
