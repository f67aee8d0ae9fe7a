"""Supplying: what the customer has or brings is told in more ways than patterns hold."""

from __future__ import annotations

import pytest

from server.domain.draft import LineKind
from server.domain.drafting.choosing import chooser
from server.domain.drafting.engine import Drafter
from server.domain.drafting.supplying import chances, features
from server.domain.settings import PricingSettings
from server.embedded import load_embedded

DRAFTER = Drafter(load_embedded().catalogue, None)


def kinds(text: str) -> dict[str, LineKind]:
    return {line.task_id: line.kind for line in DRAFTER.draft(text, settings=PricingSettings()).lines}


@pytest.mark.parametrize(
    ("text", "theirs", "ours"),
    [
        (
            "A vanity turned up from Wayfair, it's in the hallway. Fit it in the downstairs bathroom and retile the"
            " floor, 40 sq ft.",
            "bathrooms.vanity",
            "tiling.floor",
        ),
        (
            "I have 6 interior doors in the garage, bought at auction. Hang all six. Fit 3 outlets too.",
            "doors.interior",
            "electrical.outlet",
        ),
        (
            "Replace the kitchen faucet, mine was a wedding present and is still in its box. Fit 3 outlets too.",
            "plumbing.faucet",
            "electrical.outlet",
        ),
    ],
)
def test_what_lies_there_is_only_fitted(text: str, theirs: str, ours: str) -> None:
    found = kinds(text)
    assert (found[theirs], found[ours]) == (LineKind.LABOUR, LineKind.SERVICE)


def test_what_is_supplied_for_other_work_changes_no_line() -> None:
    assert kinds("Lay 20 m2 of laminate. The landlord is sending the sofa on Friday.") == {
        "flooring.laminate": LineKind.SERVICE
    }


def test_what_is_new_beside_something_supplied_is_ours() -> None:
    found = kinds("Repaint the front, 60 m2, we supply the paint. Also fit a new ceiling fan in the bedroom.")
    assert (found["painting.exterior"], found["electrical.ceiling-fan"]) == (LineKind.LABOUR, LineKind.SERVICE)


def test_a_clause_is_weighed_with_the_words_before_and_behind() -> None:
    first, second = features(["Hang it", "it's in the box"])
    assert {"hang", "^ hang", "it $", "N box"} <= first and "P hang" in second


def test_what_was_read_by_its_words_alone_tells_of_no_supply() -> None:
    assert chances(chooser().meant(["it's in the box"])) == [0.0]
