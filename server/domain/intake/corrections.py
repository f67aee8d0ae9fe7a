"""Second thoughts within a note: ``Tuesday 2pm - no wait, make that Thursday``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from server.domain.intake.candidate import Candidate, Kind

_SECOND_THOUGHT = re.compile(
    r"\b(?:no,? wait|no,? (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)|wait,? no|make (?:that|it)|scratch that|correction|sorry,? (?:that'?s|its|it'?s|i mean|i meant|no)|i mean|i meant|"
    r"rather|should (?:be|read|say)|changed? (?:it )?to|moved to|now (?:on|at)|actually|instead of that|not (?=\w+,? but)|thats? wrong)\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:moved?|changed?|rescheduled?|pushed|switched|put back|brought forward|reschedul\w+)\b[^.\n]{0,70}\bfrom\b",
    re.IGNORECASE,
)
_BEFORE, _AFTER = 60, 45
_KINDS = frozenset({Kind.DATE, Kind.TIME, Kind.MONEY, Kind.PHONE, Kind.EMAIL, Kind.ADDRESS, Kind.REFERENCE})


def without_corrected(found: Iterable[Candidate], text: str) -> list[Candidate]:
    """The candidates without those that the writer takes back."""
    kept = list(found)
    for thought in _SECOND_THOUGHT.finditer(text):
        for later in [one for one in kept if 0 <= one.start - thought.end() <= _AFTER and one.kind in _KINDS]:
            earlier = [
                one for one in kept
                if one.kind is later.kind and one.end <= thought.start() and thought.start() - one.end <= _BEFORE
            ]  # fmt: skip
            if earlier:
                kept.remove(max(earlier, key=lambda one: one.end))
    for moved in _MOVED.finditer(text):
        dates = sorted(
            (one for one in kept if one.kind is Kind.DATE and 0 <= one.start - moved.end() < _AFTER),
            key=lambda one: one.start,
        )
        if len(dates) > 1:
            kept.remove(dates[0])
    return kept
