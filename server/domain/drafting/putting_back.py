"""Putting back: what is taken off and set again is there already, so only the work is charged ("toilet off and back on
once the floor is down", "detach & reset 2 light fixtures", "take the door down and rehang it")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.actions import PUTS_IN
from server.domain.drafting.items import Item
from server.domain.drafting.scope import Scope

_AGAIN = (
    r"(?:re-?(?:set|install|fit|fix|hang|hung|lay|laid|mount|attach|connect|erect|seat)(?:t?ing|ed|ted)?\b"
    r"(?! (?:with|by)\b)(?! (?:\w+ )?new\b)"
    r"|put(?:ting)? (?:it |them |those |this |back |the (?:same |old |existing )?\w+ )*back\b"
    r"|(?:set|hang|fit|fix|mount) (?:it |them |those |the (?:same|old|existing) \w+ )?(?:back|again)\b)"
)
#: What it is taken off by: careful verbs, which leave it whole. What is torn or ripped out does not go back.
_PUT_BACK = re.compile(
    r"\b(?:detach(?:ed|ing)?|disconnect(?:ed|ing)?|unhook|unbolt|remov(?:e|ed|ing)|lift(?:ed|ing)?|pull(?:ed|ing)?"
    r"|unhang|take|taken|taking|takes)\b(?! out of)[^.;:\n]{0,60}?(?:\band\b|&|\+|/|\bthen\b|,)\W*(?:then )?" + _AGAIN
    + r"|\bd ?& ?r\b|\b(?:off|out|down),? (?:and|then|&)(?: then)? (?:back (?:on|in|up)|(?:on|in|up) again)\b"
    r"|\b(?:put|hang|set|fit)(?:ting)? (?:the|our|my|all|both) (?!new\b)(?:[\w-]+ ){1,4}back (?:on|in|up|again)\b"
    r"|\bre-?(?:install|hang|fix|set|mount|erect|use)(?:ing|ed)? (?:the |our |my |all )?"
    r"(?:existing|same|old|original)\b"
    r"|\b(?:existing|same|old) [\w -]{3,30} to be re-?(?:installed|hung|fixed|set|mounted|erected|used|fitted|laid)\b",
    re.IGNORECASE,
)  # fmt: skip
#: In the names of the catalogue's tasks for it: "Toilet, take off and set again".
_SET_AGAIN = " again"


def put_back(items: list[Item], scope: Scope) -> None:
    """Charge labour only for what is there and goes back, by the task for that where the catalogue has one."""
    for item in [*items]:
        if item.match is None or item.provided or item.verb not in PUTS_IN:
            continue
        task = item.match.task
        if _SET_AGAIN in task.name or not _goes_back(item, items, scope):
            continue
        moves = scope.index.match(item.words, ("move",), industry=scope.industry)
        own = next((one for one in moves if _SET_AGAIN in one.task.name and one.task.trade == task.trade), None)
        if own is None or not own.words & item.match.words:
            item.verb, item.materials_by_customer = "install", True
            item.assumptions.append(f"{task.name}: what is there is taken off and put back; labour only is charged.")
        elif any(one.match is not None and one.match.task is own.task and _together(one, item) for one in items):
            # "Take down 20 solar panels and put them back": one line is for both.
            items[:] = [one for one in items if one is not item]
        else:
            item.match, item.verb, item.others = own, own.verb, ()


def _together(one: Item, other: Item) -> bool:
    return one.clause.sentence == other.clause.sentence


def _goes_back(item: Item, items: Sequence[Item], scope: Scope) -> bool:
    """Whether what is said of the item, between the words of others, takes it off and puts it back."""
    clause = item.clause
    start, end = scope.sentence_of(clause)
    before = [one.clause.end for one in items if one.clause.end <= clause.start and one.verb != "remove"]
    behind = [one.clause.start for one in items if one.clause.start >= clause.end]
    start = max([start, scope.text.rfind("\n", 0, clause.start) + 1, *before])
    return _PUT_BACK.search(scope.text, min(start, clause.start), max(min([end, *behind]), clause.end)) is not None
