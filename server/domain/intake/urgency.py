"""How urgent something is said to be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_URGENCIES = (
    ("emergency", r"emergency|emergencies|flooding|flooded|burst(?! out)|gas leak|smell(?:s|ing)? (?:of )?gas|no heat|sparking|"
     r"right away|immediately|straight ?away|pouring (?:in|through)|carbon monoxide|no heating and no hot water"),
    ("urgent", r"urgent(?:ly)?|asap|a\.s\.a\.p\.?|(?:as )?soon as (?:possible|you can|poss|you are able|you're able|convenient)|quickly|rush|at the earliest|soonest|hurry|"
     r"high priority|top priority|quick as (?:possible|you can|poss)|desperate(?:ly)?|first available|time sensitive|priority (?:job|quote|one)|"
     r"as quickly as|a\.s\.a\.p|earliest convenience"),
    ("flexible", r"(?:no|not in (?:a|any)|no great|in no|no real|isn't a|not a|no big) (?:rush|hurry|urgency)|not (?:at all )?urgent|"
     r"non[- ]urgent|not (?:too )?(?:fussed|bothered|worried|precious|picky) about (?:when|dates?|timing)|no deadline|no time ?frame|whenever (?:you|u|it|is|suits|works|convenient|poss\w*)|whenever(?=[.,;!)]|$)|flexible|any ?time(?! (?:before|after|between|on|from))|no particular hurry|not desperate|no panic|"
     r"when you (?:can|get a chance|have time|are free|next)|take your time|at your leisure"),
)  # fmt: skip
_CALL = re.compile(r"\b(?:call|ring|phone|text|reach|contact|message|e-?mail)(?: back)?(?: (?:me|us|him|her|them))?$")
_DENIED = re.compile(r"\b(?:not|no|isn't|isnt|nothing|never|wasn't)(?: an| a| that| very| too| super)?$")


def urgencies(page: Page, _context: Context) -> Iterator[Candidate]:
    """emergency, urgent or flexible; silence says nothing."""
    flexible = [found.span() for found in re.finditer(_URGENCIES[2][1], page.free, re.IGNORECASE)]
    for value, pattern in _URGENCIES:
        for found in re.finditer(rf"\b(?:{pattern})(?!\w)", page.free, re.IGNORECASE):
            start, end = found.span()
            if value != "flexible" and any(first <= start and end <= last for first, last in flexible):
                continue
            if found[0].lower() == "earliest convenience" or _DENIED.search(before := page.words_before(start)):
                continue
            if value == "flexible" and _CALL.search(before):  # the call is, not the work
                continue
            yield Candidate(Kind.URGENCY, value, start, end, {"emergency": 0.92, "urgent": 0.9}.get(value, 0.9))
