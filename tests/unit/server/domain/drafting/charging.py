"""What drafts charge for, by task."""

from __future__ import annotations

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings


def tasks_charged(drafter: Drafter, text: str) -> list[str]:
    """The tasks of the lines that count, in the order of their names."""
    drafted = drafter.draft(text, settings=PricingSettings())
    return sorted(line.task_id for line in drafted.lines if not line.optional)
