"""Reading a request: clauses, figures and task matches become a takeoff.

A missing quantity is derived only by a rule that the draft discloses as an assumption; where no rule applies the item
keeps no quantity and a question asks for it. Nothing is dropped silently and nothing is added that no words ask for.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.domain.drafting.answers import Answering
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.progress import PlaceFinder
from server.domain.drafting.scope import Scope
from server.domain.drafting.settling import settle
from server.domain.takeoff import Answer, Takeoff


def read_request(
    text: str,
    *,
    industry: str,
    index: TaskIndex,
    gazetteer: PlaceFinder | None,
    answers: Sequence[Answer] = (),
    sure: bool = False,
    metric: bool = False,
) -> Takeoff:
    """The takeoff of a request. Never raises for any text; no words that ask for work give no items and one
    question. ``sure``: the words are known to ask for work. ``metric``: where the work is, sides without a unit are
    metres. Raises `UnreadableAnswerError` for an answer that decides
    nothing."""
    scope = Scope(text, industry, index, gazetteer, metric=metric)
    scope.read()
    Answering(scope, answers).apply()
    return settle(scope, sure=sure)
