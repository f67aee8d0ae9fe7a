"""Somebody to fit it: what others supply to the customer, and wants somebody to fit it, is fitted."""

from __future__ import annotations

import pytest

from server.domain.draft import LineKind
from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings


@pytest.mark.parametrize(
    ("thing", "task"),
    [("storm door", "doors.storm"), ("ceiling fan", "electrical.ceiling-fan"), ("thermostat", "hvac.thermostat")],
)
@pytest.mark.parametrize(
    "said",
    [
        "I have a new {0} coming from a local shop and they'll supply it next week, needs someone to fit it.",
        "We have a new {0} coming, they will deliver it Friday, need somebody to install it.",
    ],
)
def test_what_somebody_is_wanted_for_is_fitted(drafter: Drafter, said: str, thing: str, task: str) -> None:
    text = f"Clean the gutters. {said.format(thing)}"
    lines = drafter.draft(text, settings=PricingSettings()).lines
    assert [(line.task_id, line.optional, line.kind) for line in lines[1:]] == [(task, False, LineKind.LABOUR)]
