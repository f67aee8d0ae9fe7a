"""All to go: what is said of all that was just counted is asked for, as many as there are."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings


@pytest.mark.parametrize(
    "told",
    [
        "Two {0} out front.",
        "There are two {0}, about 40 ft, behind the garage.",
        "Two {0} by the drive. The roots have lifted the paving.",
    ],
)
@pytest.mark.parametrize(
    "said",
    [
        "Both have to come down.", "Both are to come out.", "They are to be felled.", "They must go.",
        "All to be taken down please.", "Both of them need to be removed.", "I want them gone.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("thing", ["maples", "oak trees", "leylandii"])
def test_trees_that_are_all_to_go_are_taken_down(drafter: Drafter, told: str, said: str, thing: str) -> None:
    lines = drafter.draft(f"{told.format(thing)} {said}", settings=PricingSettings()).lines
    charged = [(line.task_id.split("-")[0:2], line.qty) for line in lines if not line.optional]
    assert charged == [(["tree", "work.remove"], 2)]


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        (
            "Three oaks, about 60 ft, stand behind the garage. All three are to come down and the stumps ground.",
            [("tree-work.remove-large", 3), ("tree-work.stump-grinding", 3)],
        ),
        ("Two old radiators in the hall and lounge. Both are to come out.", [("plumbing.radiator-remove", 2)]),
        ("Two maples out front. Both are to come down a bit, not be felled.", []),
    ],
)
def test_what_is_all_to_go_is_as_much_as_was_counted(
    drafter: Drafter, text: str, charged: list[tuple[str, int]]
) -> None:
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.qty) for line in lines if not line.optional] == charged
