"""Requests with marks around what they ask for: `requests.txt`, and `told.txt`, whose marks name no task; and what
labelled requests ask for, in the same form."""

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
