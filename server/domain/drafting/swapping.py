"""Swapping: the old thing that is taken out so that a new one goes in its place is in the price of replacing it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.catalogue import Task
from server.domain.drafting.actions import PUTS_IN
from server.domain.drafting.clauses import Clause
from server.domain.drafting.items import Item, shown
from server.domain.drafting.matching import ROOMS, Match, lemma
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import Quantity, Role
from server.domain.units import Dimension, dimension

#: "Haul away the old one", "dispose of the existing unit", "and take the old toilet away".
_OLD_AWAY = re.compile(
    r"\W*(?:and |then |please |also |to |you |will )*(?:haul|take|cart|carry|dispos|remov|discard|get rid|throw"
    r"|recycl|scrap|bin|pull)\w*\b(?: (?:away|out|of|off|up|and|dispose|haul|discard|remove|take))*"
    r" (?:the |my |our |any )?(?:old|existing|current|original) (?P<thing>[a-z][a-z -]{1,25}?)"
    r"(?: (?:away|off|out|too|also|as well|with you|please|for (?:us|me)))*\W*",
    re.IGNORECASE,
)
#: "Old wooden door and frame out", "the old one to come out first".
_OLD_OUT = re.compile(
    r"\W*(?:and |with )?(?:the |my |our )?(?:old|existing|current|original) (?P<thing>[a-z][a-z -]{1,30}?)"
    r" (?:to (?:come|go|be taken) |needs to come |comes |goes |coming |taken )?(?:away|off|out)"
    r"(?: first| please| too)?\W*",
    re.IGNORECASE,
)
_THE_SAME = frozenset({"one", "ones", "unit", "units", "thing", "appliance", "fixture"})
#: What tells that a thing goes: nothing is said of where it is to stand afterwards.
_TAKES_OUT = frozenset({"remove"})


def is_one_for_one(task: Task) -> bool:
    """Whether a task replaces one thing by another of its kind; a fence, a floor or a shed are taken down for
    themselves."""
    counted = dimension(task.unit) is Dimension.COUNT
    return counted and "replace" in task.verbs and not (task.is_built or task.parts)


def was_taken_out_for(so_far: Progress, before: Item, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Remove the old toilet and install a new one": the item before takes out what the new work replaces."""
    if before.verb not in _TAKES_OUT or not _TAKES_OUT.issuperset(before.clause.actions) or best.verb not in PUTS_IN:
        return False
    if before.clause.sentence < clause.sentence - 1 or before.clause.kind is not clause.kind:
        return False
    if not is_one_for_one(best.task) or not so_far.is_there(before, clause):
        return False
    return not (best.things - ROOMS).isdisjoint(before.lemmas) and _as_many(before.figures, own)


def takes_the_old_away(so_far: Progress, clause: Clause) -> bool:
    """ "Install a new toilet and haul away the old one", behind what is put in its place."""
    before = so_far.items[-1] if so_far.items else None
    if before is None or before.match is None or before.verb not in PUTS_IN or not so_far.follows_item(clause):
        return False
    away = _OLD_AWAY.fullmatch(so_far.text, clause.start, clause.end)
    away = away or _OLD_OUT.fullmatch(so_far.text, clause.start, clause.end)
    if away is None or not is_one_for_one(before.match.task):
        return False
    named = {lemma(word) for word in away["thing"].lower().split()}
    return named <= _THE_SAME or not named.isdisjoint(before.match.things - ROOMS)


def say_taken_out(so_far: Progress, task: Task, clause: Clause) -> None:
    """Note that nothing is charged for taking the old one out beside its replacement."""
    said = shown(so_far.text[clause.start : clause.end])
    so_far.assumptions.append(f"{task.name}: taking the old one out (“{said}”) is in the price.")


def _as_many(first: Sequence[Quantity], other: Sequence[Quantity]) -> bool:
    """Whether as many are taken out as are put in, as far as that is told."""
    out, put = ([one.value for one in some if one.role is Role.COUNT] for some in (first, other))
    return not out or not put or out == put
