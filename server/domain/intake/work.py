"""What is to be done: the sentences that say something beside names, numbers, dates and greetings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from server.domain.intake.candidate import TAKEN, Candidate, Kind, Page

_SENTENCE = re.compile(
    r"[^\n.!?;]+(?:(?:[.!?;](?=\S)|(?:(?<=\bMr)|(?<=\bDr)|(?<=\bMs)|(?<=\bMrs)|(?<=\bSt)|(?<=\bRd)|(?<=\bAve))\.)"
    r"[^\n.!?;]+)*[.!?;]*"
)
_PART = re.compile(r"(?:,|:|\s[–—-])\s")
_LAST = re.compile(r"(?:,|\s[–—-])\s(?:(?!,\s|\s[–—-]\s).)*$", re.DOTALL)
_MARGIN = " \t\r-*•>,–—:"
#: How a message begins before it comes to the point.
_OPENING = re.compile(
    rf"""(?:hi|hello|hey|dear|good\ (?:morning|afternoon|evening))\b[^,!.\n{TAKEN}]{{0,30}}[,!.{TAKEN}]*\s*
    |(?:my\ name(?:\ is|'s)|this\ is|i'?m|i\ am|it'?s)\s*{TAKEN}+[\s,]*(?:and\b|here\b|from\b|at\b|[{TAKEN},\s])*\s*""",
    re.IGNORECASE | re.VERBOSE,
)
#: Sentences that are about being reached, or say goodbye.
_ASIDE = re.compile(
    r"(?:thanks?|thank you|many thanks|cheers|(?:kind |best )?regards|best(?: wishes)?|sincerely|yours|sent from my|"
    r"please (?:call|ring|contact|email|text|let me know)|call me|my (?:number|phone|email|e-mail|name|address|mobile)|"
    r"you can (?:reach|call|contact)|i can be reached|looking forward|let me know|can be reached|reach me|contact me|"
    r"ring me|text me|email me)\b",
    re.IGNORECASE,
)
#: A clause of nothing but these leads to a name, a number, a place, a date or a sum.
_LEADING = frozenset(
    """
    call me on at or text phone mobile cell email my number is name this it the tel reach can you be to and customer
    client contact address site for from by with in of a an please thanks i im am our we us budget around about needed
    due before after until next ring asap urgent anytime any time fine no hurry rush great would whenever tenant owner
    homeowner landlord landlady caller ask quote price estimate job needs it done
    start starting schedule scheduled date time when enquiry inquiry request message lead re regarding not
    """.split()  # noqa: SIM905 - a list of words reads better as text
)


def work(page: Page, taken: Sequence[tuple[int, int]], trades: Sequence[int]) -> Iterator[Candidate]:
    """The longest run of sentences about work, as it stands in the text; nothing where there is none.

    ``taken`` are spans that belong to other labels, ``trades`` the positions of words that name a trade.
    """
    runs: list[list[tuple[int, int, int]]] = [[]]
    for found in _SENTENCE.finditer(page.text):
        start, end = _to_the_point(page, *found.span())
        free = page.free[start:end]
        words = re.findall(r"[^\W\d_]{2,}", free)
        labelled = any(first <= start < last or start <= first < end for first, last in taken)
        if labelled or len(words) < 2 or _ASIDE.match(page.text[start:end]) or _leads_only(free):
            runs.append([])
        else:
            runs[-1].append((start, end, len(words) + 5 * sum(start <= at < end for at in trades)))
    best = max(runs, key=lambda run: sum(weight for _, _, weight in run))
    if best:
        start, end = best[0][0], best[-1][1]
        told = sum(weight for _, _, weight in best)
        sure = 0.9 if told >= 6 else 0.82 if told >= 3 else 0.6
        yield Candidate(Kind.WORK, page.text[start:end], start, end, sure)


def _to_the_point(page: Page, start: int, end: int) -> tuple[int, int]:
    """The sentence without its opening, and without clauses at either end that only tell who, where or when."""
    start, end = _inside(page, start, end)
    while (opening := _OPENING.match(page.free, start, end)) is not None and opening.end() > start:
        start, end = _inside(page, opening.end(), end)
    whole = start, end
    while (last := _LAST.search(page.free, start, end)) is not None and _leads_only(last[0]):
        end = last.start()
    while (part := _PART.search(page.free, start, end)) is not None and _leads_only(page.free[start : part.start()]):
        start = part.end()
    return _inside(page, start, end) if start < end else whole


def _inside(page: Page, start: int, end: int) -> tuple[int, int]:
    while start < end and page.text[start] in _MARGIN:
        start += 1
    while end > start and page.text[end - 1].isspace():
        end -= 1
    return start, end


def _leads_only(free: str) -> bool:
    return all(word in _LEADING for word in re.findall(r"[a-z]+", free.lower().replace("'", "")))
