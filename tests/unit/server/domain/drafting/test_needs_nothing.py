"""Needs nothing: "no need" behind what is told leaves out all that is told of, and nothing that is asked for."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from tests.unit.server.domain.drafting.charging import tasks_charged

TOLD = ["Smoke and heat alarms", "Lights and switches", "Fascia and soffits", "Carpets and curtains"]


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize(
    "said", ["are new, no need.", "were all replaced in 2022, not needed.", "are fine, leave them.", "are new, skip those."]
)  # fmt: skip
def test_what_needs_nothing_is_left_out(drafter: Drafter, told: str, said: str) -> None:
    assert tasks_charged(drafter, f"Replace the kitchen faucet. {told} {said}") == ["plumbing.faucet"]


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Repaint 6 windows. Rotten cills: we've put aside a sum, not in this price.", ["painting.window"]),
        ("Replace the toilet. Loose handrail: our own man, not in this quote.", ["plumbing.toilet"]),
        ("Replace the toilet and the faucet is dripping, no need to match.", ["plumbing.faucet-repair", "plumbing.toilet"]),
    ],
)  # fmt: skip
def test_only_what_is_said_to_need_nothing_is_left_out(drafter: Drafter, text: str, tasks: list[str]) -> None:
    assert tasks_charged(drafter, text) == tasks
