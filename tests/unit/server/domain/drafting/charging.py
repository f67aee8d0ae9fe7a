"""What drafts charge for, by task."""

from __future__ import annotations

from server.domain.draft import Draft
from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings


def drafted(drafter: Drafter, text: str) -> Draft:
    """The draft of a request from Columbus, Ohio."""
    return drafter.draft(text, settings=PricingSettings(home_location="Columbus, OH"))


def amounts(drafter: Drafter, text: str) -> list[tuple[str, float, str]]:
    """How much the lines that count are of, in their order."""
    return [(line.task_id, float(line.qty), line.unit) for line in drafted(drafter, text).lines if not line.optional]


def tasks_charged(drafter: Drafter, text: str) -> list[str]:
    """The tasks of the lines that count, in the order of their names."""
    drafted = drafter.draft(text, settings=PricingSettings())
    return sorted(line.task_id for line in drafted.lines if not line.optional)
