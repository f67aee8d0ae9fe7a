"""Alternatives: works of which the customer will choose one ("Option A) … Option B) …", "price 1: … price 2: …, we'll
pick one"), so that none is charged beside another: each is an option."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from server.domain.drafting.items import Item, shown

_PAIR = 2
#: "Option A)", "Price 1:", "Opt 2 -", at the beginning of what it labels.
_LABEL = re.compile(
    r"(?:(?<=[.;:!?\n,(])[ \t]*|\A[ \t]*|(?<= )(?:and|or) )(?:[-*•][ \t]*)?"
    r"(?P<label>(?P<called>option|opt|price|quote|alternative|version|scenario)\.? ?#? ?"
    r"(?P<which>[a-d]|[1-4]|one|two|three|four)(?:[ \t]*[):.=]|[ \t]+[-–—]))(?=\s)",
    re.IGNORECASE,
)
#: "A)", "(1)", "b.": which says what it labels only where alternatives are spoken of.
_BARE_LABEL = re.compile(r"(?:(?<=\s)|\A)(?P<label>\(?(?P<which>[a-dA-D]|[1-4])[).])(?=\s)", re.IGNORECASE)
#: "Two prices, one for all 4 bedrooms and one for just the front 2."
_ONE_FOR = re.compile(r"\b(?P<label>(?:one|another|the other) for(?: just| only)?)\b", re.IGNORECASE)
_PRICES = frozenset({"price", "quote"})
#: "Two prices please", "price both ways", "three quotes", before what they are of.
_SO_MANY = re.compile(
    r"(?<!\bhad )(?<!\bgot )(?<!\bgetting )(?<!looking for )"
    r"\b(?:two|three|four|[2-4]|both|couple of) (?:(?:separate|different|alternative|possible) )?"
    r"(?:options?|prices?|quotes?|estimates?|ways|alternatives|versions)\b|\beither way\b",
    re.IGNORECASE,
)
#: "We'll pick one."
_CHOOSES = re.compile(
    r"\b(?:we|i|owner|client|customer|board|they)(?:['’]ll| will| can| want to| would| need to)?(?: then| only| just)? "
    r"(?:pick|choose|go (?:with|for)|decide on|select) (?:only )?(?:one|whichever|the cheap\w+|between|from)\b"
    r"|^\W*(?:pick|choose) (?:one|between)\b",
    re.IGNORECASE | re.MULTILINE,
)
_WORTH_READING = re.compile(r"option|opt\b|price|quote|estimate|ways|alternative|version|scenario", re.IGNORECASE)
_ORDER = {word: number for number, names in enumerate(("a1", "b2", "c3", "d4")) for word in names}
_ORDER |= {"one": 0, "two": 1, "three": 2, "four": 3}
_SENTENCE = re.compile(r"[.!?;](?=\s|$)|\n")
REASON = "One of several alternatives, of which the customer will choose: in no sum until then."


@dataclass(frozen=True)
class Alternatives:
    """Those of a request: their labels, and what these label, in order; both empty where there are none."""

    labels: Sequence[tuple[int, int]] = ()
    parts: Sequence[tuple[int, int]] = ()
    #: Said to be of one work, and no prices of several that are wanted one by one.
    sure: bool = False
    #: Called options: also where no more than one of them is read.
    options: bool = False


def alternatives_in(text: str) -> Alternatives:
    """The alternatives of a request."""
    if not _WORTH_READING.search(text):
        return Alternatives()
    many, chooses = _SO_MANY.search(text), _CHOOSES.search(text)
    marks = list(_LABEL.finditer(text))
    marks = [one for one in marks if one["called"].lower()[:3] == marks[0]["called"].lower()[:3]]
    sure = chooses is not None or any(one["called"].lower() not in _PRICES for one in marks)
    if not _go_up(marks):
        if many is None:
            return Alternatives()
        sure = chooses is not None or many[0].lower().endswith(("ways", "way", "options", "alternatives", "versions"))
        marks = list(_BARE_LABEL.finditer(text, many.end()))
        stop = _SENTENCE.search(text, many.end())
        if not _go_up(marks):
            marks = list(_ONE_FOR.finditer(text, many.end(), stop.end() if stop else len(text)))
        if len(marks) < _PAIR and chooses is not None and chooses.start() > many.end():
            return Alternatives((), ((many.end(), stop.end() if stop else len(text)),), sure=True)
        if len(marks) < _PAIR or not (_go_up(marks) or _ONE_FOR.match(marks[0][0])):
            return Alternatives()
    labels = [one.span("label") for one in marks]
    ends = [*(start for start, _ in labels[1:]), _end_of(text, labels[-1][1])]
    parts = [*zip([end for _, end in labels], ends, strict=True)]
    options = any(one.groupdict().get("called", "price").lower() not in _PRICES for one in marks)
    return Alternatives(
        [*([many.span()] if many and many.end() <= labels[0][0] else ()), *labels], parts, sure, options
    )


def _go_up(marks: Sequence[re.Match[str]]) -> bool:
    """Whether they are A, B, … or 1, 2, …, two at least."""
    if not marks or "which" not in marks[0].groupdict():
        return False
    return len(marks) >= _PAIR and [_ORDER[one["which"].lower()] for one in marks] == list(range(len(marks)))


def _end_of(text: str, start: int) -> int:
    """Where the last alternative ends: with its sentence; a list below its label with that."""
    if not text[start:].split("\n", 1)[0].strip():
        blank = text.find("\n\n", start)
        return blank if blank >= 0 else len(text)
    ends = [one.end() for one in _SENTENCE.finditer(text, start) if text[one.start()] != "." or _is_stop(text, one)]
    return ends[0] if ends else len(text)


def _is_stop(text: str, stop: re.Match[str]) -> bool:
    """ "320 sf. Option B", not "100 ft. of fence"."""
    behind = text[stop.end() :].lstrip()
    return not behind[:1].islower()


def without_labels(text: str, labels: Sequence[tuple[int, int]]) -> str:
    """The text with a stop and blanks for each label, so that it counts nothing and parts what it stands between."""
    for start, end in labels:
        text = text[:start] + ";" + " " * (end - start - 1) + text[end:]
    return text


def offer_alternatives(text: str, items: Sequence[Item], told: Alternatives) -> None:
    """Make an option of what the alternatives ask for, where there are two at least; a lone one says what the others
    are."""
    meant = [item for item in items if any(start <= item.clause.start < end for start, end in told.parts)]
    if len(meant) == 1 and told.options:
        meant[0].offer()
        meant[0].reasons.append(REASON)
    elif len(meant) == 1:
        others = [shown(text[start:end]) for start, end in told.parts if not start <= meant[0].clause.start < end]
        meant[0].reasons += [f"Another price is asked for, of “{other}”." for other in others]
    if len(meant) < _PAIR or not (told.sure or _are_of_one_thing(meant)):
        return
    for item in meant:
        item.offer()
        item.reasons.append(REASON)


def _are_of_one_thing(items: Sequence[Item]) -> bool:
    """Whether works may be done instead of each other: they name one thing, or are measured and of one trade."""
    if frozenset.intersection(*(item.match.words if item.match else frozenset() for item in items)):
        return True
    tasks = [item.match.task for item in items if item.match is not None]
    return len({task.trade for task in tasks}) == 1 and all(task.unit != "each" for task in tasks)
