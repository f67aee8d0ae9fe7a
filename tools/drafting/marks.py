"""Requests with marks: `requests.txt` around what they ask for, `told.txt` as well, without its task, `supplied.txt`
around what tells of supply; and what labelled requests ask for, in the same form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.evaluation.drafting import Request

REQUESTS = Path(__file__).with_name("requests.txt")
TOLD = Path(__file__).with_name("told.txt")
#: One line in so many of `REQUESTS` is kept from the fits of what reads requests, so that `judging` can be fitted on
#: drafts of requests that nothing has seen.
KEPT = 8
#: Requests with marks around what tells of supply; one line in so many is kept from the fit of `encoding`.
SUPPLIED = Path(__file__).with_name("supplied.txt")
SUPPLIED_KEPT = 5
#: What may hint at supply: requests without any of it tell of none.
_HINT = re.compile(
    r"\b(?:have|has|had|got|ve|bought|buy|own|mine|ours|his|hers|theirs|suppl\w+|provid\w+|order\w*|already|furnish\w*"
    r"|materials?|mat|labou?r|only|left\w*|here|deliver\w*|bring\w*|purchas\w*|pick\w*|box\w*|ready|site|by|stored"
    r"|sitting|given|gave|won|inherited|free|ofci|ofoi|paid|pallet|crate|carton|garage|shed|arriv\w*|comes?|coming"
    r"|warranty|just|customer|client|owner\w*|new|stock|hand|from|sent|ship\w*|grab\w*|found)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")


@dataclass(frozen=True, slots=True)
class Marked:
    """A range of a text that asks for work, and the tasks that it asks for, the best first."""

    start: int
    end: int
    tasks: tuple[str, ...]


def learned_and_kept() -> tuple[list[str], list[str]]:
    """The lines of `REQUESTS` that readers are fitted on, and those that are kept from them."""
    lines = REQUESTS.read_text("utf-8").splitlines()
    return [line for at, line in enumerate(lines) if at % KEPT], lines[::KEPT]


def supplied_learned_and_kept() -> tuple[list[str], list[str]]:
    """The lines of `SUPPLIED` that the second reader is fitted on, and those that are kept from it."""
    lines = SUPPLIED.read_text("utf-8").splitlines()
    return [line for at, line in enumerate(lines) if at % SUPPLIED_KEPT], lines[::SUPPLIED_KEPT]


def tells_no_supply(text: str) -> bool:
    """Whether no word of a request hints at supply."""
    return _HINT.search(text) is None


def marked(line: str) -> tuple[str, list[Marked]]:
    """A line of a file without its marks, and what they held."""
    line = line.replace("\\n", "\n")
    text, found, at = "", [], 0
    for mark in _MARK.finditer(line):
        text += line[at : mark.start()]
        found.append(Marked(len(text), len(text) + len(mark[1]), tuple((mark[2] or "-").split("/"))))
        text += mark[1]
        at = mark.end()
    return text + line[at:], found


def over(marks: Iterable[Marked], start: int, end: int) -> list[Marked]:
    """The marks that share something with a range of the text."""
    return [mark for mark in marks if mark.start < end and start < mark.end]


def places(text: str, words: str) -> list[tuple[int, int]]:
    """Every range of the text that reads as the words."""
    return [(found.start(), found.end()) for found in re.finditer(re.escape(words), text)]


def of_labels(request: Request) -> list[Marked]:
    """What a labelled request asks for, wherever it says so."""
    return [
        Marked(start, end, tuple(task for form in label.forms for task in form.tasks))
        for label in request.labels
        for start, end in places(request.text, label.words)
    ]
