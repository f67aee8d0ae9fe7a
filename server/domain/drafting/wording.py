"""The words of lines and questions."""

from __future__ import annotations

import re

from server.domain.catalogue import Task
from server.domain.drafting.actions import PUTS_IN, TWO_WORDS, action_of
from server.domain.drafting.items import Item
from server.domain.drafting.matching import GENERAL_ACTIONS
from server.domain.drafting.measuring import lengths_alone
from server.domain.units import Dimension, dimension

#: How a line begins for each action; the others begin with the action itself.
_BEGINNINGS = {"replace": "Remove and replace", "install": "Supply and fit", "fell": "Fell", "wire": "Wire"}
#: Actions that say less of the work than the name of a task that is called by its own ("Lawn, mow").
_VAGUE = frozenset({"service", "repair", "install"})
#: "Mow", "sand and refinish", which may stand before the thing; "dig by hand" may not.
_ALONE = re.compile(r"[\w-]+(?: (?:and|or) [\w-]+)?")
#: The asking before the work, left out of a line's words.
_ASKING = re.compile(
    r"^(?:(?:and|also|with|then|plus|so|please|hi|could you|can you|would you|we need|i need|need|we want"
    r"|we'd like|i'd like|give us"
    r"|give me|a price (?:to|for)|(?:a )?quote (?:to|for)|to)\b[\s,]*){1,8}",
    re.IGNORECASE,
)
ASKED_FOR_NOTHING = "What work would you like priced, and how much of it (for example metres, square feet or a count)?"
_UNIT_WORDS = {
    Dimension.LENGTH: "metres or feet", Dimension.AREA: "square metres or square feet",
    Dimension.VOLUME: "cubic metres or cubic yards",
    Dimension.MASS: "tonnes or tons", Dimension.TIME: "hours", Dimension.POWER: "kilowatts",
}  # fmt: skip


def describe(task: Task, verb: str) -> str:
    """A line's words: "Aluminum gutter, install" asked for as a replacement reads "Remove and replace aluminum gutter",
    "Lawn, mow" as a service "Mow lawn".

    Names that begin with an action already, or end in none, stay as the catalogue has them.
    """
    thing, _, ending = task.name.rpartition(", ")
    if not thing or not _ends_in_action(ending):
        return task.name
    does = action_of(ending.split(" ")[0])
    if verb in PUTS_IN and does not in PUTS_IN and not _ALONE.fullmatch(ending):
        return task.name  # "Bathtub or shower, reseal all round" fits none
    own = does if _ALONE.fullmatch(ending) else ""
    particular = (verb in _VAGUE or verb == "replace") and own and own not in GENERAL_ACTIONS
    beginning = ending.capitalize() if particular else _BEGINNINGS.get(verb, verb.capitalize())
    acronym = thing.split(" ")[0].isupper()
    return f"{beginning} {thing if acronym else thing[:1].lower() + thing[1:]}"


def _ends_in_action(ending: str) -> bool:
    words = ending.split(" ")
    return len(words) <= 3 and bool(
        action_of(words[0]) or TWO_WORDS.get((words[0], words[1] if len(words) > 1 else ""))
    )


def quantity_question(item: Item) -> str:
    """How much of the item's task is wanted, in the units that price it; beside a length, what makes an area of it."""
    if item.match is None:
        return "How many?"
    kind = dimension(item.match.task.unit)
    if lengths_alone(item):
        return f"How high or wide is it, or how many {_UNIT_WORDS[kind]} in all, for “{item.match.task.name}”?"
    asked = f"How many {_UNIT_WORDS[kind]}" if kind in _UNIT_WORDS else "How many"
    return f"{asked} for “{item.match.task.name}”?"


def task_question(item: Item, text: str) -> str:
    """What the words of an item without a task mean."""
    return f"What exactly is wanted by {quoted_words(item, text)}?"


def quoted_words(item: Item, text: str) -> str:
    """The words of an item, between quotation marks."""
    return f"“{' '.join(text[item.clause.start : item.clause.end].split())[:80]}”"


def sentence_case(words: str) -> str:
    """The words of the request as the description of a line, without the asking before them."""
    joined = _ASKING.sub("", " ".join(words.split())[:200]).strip(" .,;:-")[:160]
    return joined[:1].upper() + joined[1:]
