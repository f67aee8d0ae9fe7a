"""Why a value that was cut from running words may be wrong: what a careful reader would look at twice.

A form is `ready` only where nothing required is in doubt, so these are many and cheap: a question too much costs a
glance, a wrong value that nobody was asked about costs trust.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from server.domain.intake.candidate import Candidate, Kind

#: Below this chance somebody looks at a description; and below the other where it holds something else than work.
PROVEN, PROVEN_MIXED = 0.92, 0.96
_NOT_WORK = frozenset({Kind.PERSON, Kind.COMPANY, Kind.ADDRESS, Kind.DATE, Kind.TIME})
#: From here on a name stands behind a label or an announcement that leaves no choice.
_NAMED = 0.95
#: What tells of something else than work: who said it, other people, getting in, meters and models, sums, other firms.
_BESIDE_THE_WORK = re.compile(
    r"\b(?:(?:s?he|they) (?:has|have|had|is|are|will|would|might|can)|(?:s?he|they|you|it)(?:'s|s)? (?:says?|said|spoke|called|rang|wants?|would|told)|spoke|speaking|called|calling|rang|"
    r"got a call|lady|gentleman|guys?|mate|hello|hiya|hi|dear|thanks?|please (?:call|ring)|"
    r"(?:her|his|their|my|our) (?:number|cell|mobile|phone|email|name|mum|mom|dad|wife|husband|partner|son|daughter|sister|brother|friend|"
    r"neighbou?r|landlord|tenant)|landlord|tenant|agent|adjuster|insurance|claim|gate|code|pin|lock ?box|access|key|keys|parking|"
    r"concierge|meter|serial|model|acct|account|utility|permit|quoted|deposit|budget|no more than|in mind|can you beat|saw (?:our|your|you)|"
    r"google|facebook|lives?|living|located|bring|supply house|order(?:ed)?|delivery|warranty|invoice|paid|pays?|email|phone|number|"
    r"leave for work|at work|grateful|quote us|quote to|dog|cat|friendly|referred|recommended|found u|found you|is fine|suits?|appointment|conversation)\b|\b(?:the )?\d{1,2}(?:st|nd|rd|th)\b(?! (?:floor|storey|coat|fix))|\b\d{4,}\b|[#@£$€|>]",
    re.IGNORECASE,
)
_PARTS_OF_NAMES = re.compile(r"\b(?:surname|last name|1st name|first name|family name)\b", re.IGNORECASE)
#: ``Piers & Annabel``.
_HALF_OF_A_PAIR = re.compile(r"[A-Z][a-z]+ (?:&|and|\+) $")
_NEAR = 30
_NO_NAME = re.compile(
    r"\d|\b(?:team|lead|new|office|street|road|the|is|are|and then|please|here|alright|ok)\b", re.IGNORECASE
)
_ADDRESS_GOES_ON = re.compile(r"[ \t,]{1,2}(?:[A-Z][a-z]+|[A-Z]{2}|\d{4,5})\b")
_WHOLE_ADDRESS = re.compile(
    r"\d{5}(?:-\d{4})?$|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|[A-Z]\d[A-Z] \d[A-Z]\d$|, [A-Z]{2,3}(?: \d{4})?$"
)
#: A street without a number or a house.
_STREET_ALONE = re.compile(r"[^\d,]+ (?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Drive|Dr|Close|Way|Crescent|Row|Walk)\.?,")
_FOREIGN_WORDS = re.compile(
    r"[:;!?|=]|\.\s+\S|\b(?:of|for|at|to|with|and|thru|from|units?|rooms?|doors?|windows?)\b(?= \d)|^\d{1,3} \d|^[A-Z] [A-Z]"
    r"|\b(?:vacant|courts?\.|church|school|academy|residence|mr|mrs|ms|miss|dr|rev)\b|\b\d{1,2}(?::\d\d)?\s?[ap]m\b",
    re.IGNORECASE,
)


def doubt(best: Candidate, found: Iterable[Candidate], text: str, labelled: Sequence[tuple[int, int]]) -> str:
    """What to ask about a value, "" where nothing speaks against it. ``labelled``: where its labels' values stand."""
    behind_label = any(start <= best.start and best.end <= end for start, end in labelled)
    if best.kind is Kind.WORK:
        inside = any(one.kind in _NOT_WORK and best.start < one.end and one.start < best.end for one in found)
        mixed = inside or _BESIDE_THE_WORK.search(best.value) is not None
        sure = best.confidence >= (PROVEN_MIXED if mixed else PROVEN)
        return "" if sure else "Is this all that is to be done, and nothing else?"
    if best.kind is Kind.PERSON:
        if " " not in best.value and _PARTS_OF_NAMES.search(text):
            return f"Is {best.value} the whole name?"
        if not behind_label and _HALF_OF_A_PAIR.search(text, max(0, best.start - _NEAR), best.start):
            return f"Is {best.value} the whole name?"
        others = [one for one in found if one.kind is Kind.PERSON and one.confidence >= _NAMED]
        apart = behind_label and any(not set(one.value.split()) & set(best.value.split()) for one in others)
        return (
            ""
            if behind_label and not apart and not _NO_NAME.search(best.value)
            else _unclear_person(best, found, apart)
        )
    if best.kind is Kind.ADDRESS:
        return f"Is the whole address {best.value}?" if _unclear_address(best, text) else ""
    return ""


def _unclear_person(best: Candidate, found: Iterable[Candidate], apart: bool) -> str:
    if _NO_NAME.search(best.value) or re.search(r"(?<!^Mrs)(?<!^Prof)(?<!^Rev)(?<=[^\W\d_]{3})\.\s", best.value):
        return f"Is the name {best.value}?"
    if best.confidence >= _NAMED and not apart:
        return ""
    words = {word.strip(".").lower() for word in best.value.split()}
    others = [
        one.value for one in found
        if one.kind is Kind.PERSON and not _of_one(words, {word.strip(".").lower() for word in one.value.split()})
    ]  # fmt: skip
    return f"Is it {best.value}, or {others[0]}?" if others else ""


def _of_one(first: set[str], second: set[str]) -> bool:
    """Whether the words may be of one person's name: ``Finch`` and ``Mabel Finch``, but not ``Susan Finch``."""
    return first <= second or second <= first


def _unclear_address(best: Candidate, text: str) -> bool:
    return (
        _WHOLE_ADDRESS.search(best.value) is None
        or _FOREIGN_WORDS.search(best.value) is not None
        or _STREET_ALONE.match(best.value) is not None
        or (not re.search(r"\d{4,5}$|\d[A-Z]{2}$", best.value) and _ADDRESS_GOES_ON.match(text, best.end) is not None)
    )
