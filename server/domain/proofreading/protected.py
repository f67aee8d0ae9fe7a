"""What is never changed: numbers and whatever carries meaning as a sign rather than as a word.

A span is one protected token; none crosses a line. `changes_one` is asked of every edit, whatever rule proposed it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from server.domain.proofreading.edit import Edit, apply

_CODE = r"`[^`\n]{1,200}`"
_TEMPLATE = (
    r"\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}|\$\{[^{}\n]{1,200}\}|\{[^{}\s]{1,80}\}|<[^<>\s]{1,80}>|"
    r"%\([^()\s]{1,40}\)[sd]|\[\[?[A-Z_ ]{2,40}\]?\]"
)
#: Addresses of the net, and names of files.
_NET = (
    r"(?<![^\s(\[\"'<,;])(?:https?://|www\.)[^\s<>\"]{1,400}|[^\s@<>()\"',;:]{1,64}@[^\s@<>()\"',;:]{1,128}|"
    r"(?<![\w.])[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.(?:com|org|net|io|gov|edu|info|biz|co|uk|us|ca|au|de|"
    r"fr|es|pdf|docx?|xlsx?|csv|txt|jpe?g|png)(?![\w])(?:/[^\s<>\"]{0,300})?"
)
_UNITS = (
    r"(?:mm2?|cm2?|km|m[23²³]?|ft[23²³]?|sq\.?\s?(?:ft|m|yd|in)|sqft|lf|sf|cy|cf|yd[23²³]?|in(?:ch(?:es)?)?|feet|foot|yards?|"
    r"met(?:er|re)s?|miles?|kg|g|lbs?|oz|tons?|tonnes?|l|lit(?:er|re)s?|gal(?:lons?)?|ml|kw|w|watts?|v|volts?|a|amps?|hp|btus?|psi|"
    r"hz|°[cf]?|degrees?|%|percent|hrs?|hours?|h|mins?|minutes?|days?|weeks?|months?|years?|am|pm|a\.m\.|p\.m\.|"
    r"usd|eur|gbp|cad|aud|dollars?|pounds?|euros?|cents?|pence|k|x|ea|pcs|no)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_STREET = (
    r"(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|court|ct|place|pl|boulevard|blvd|terrace|way|close|crescent|"
    r"square|sq|highway|hwy|parkway|pkwy|circle|row|mews|gardens|grove|hill|park)"
)
#: A run of characters without a space that has a digit in it, with the quotes of feet and inches.
_DIGITS = r"(?<!\S)[^\s\d]{0,400}\d(?:\S*[^\s.,;:!?)])?"
_MEASURE = rf"(?<![\d.,/'\"\u2032\u2033-])[$£€¥]?\d[\d.,/'\"\u2032\u2033-]{{0,30}}[ \t]?{_UNITS}\b\.?"
_DATE = (
    rf"\d{{1,2}}(?:st|nd|rd|th)?[ \t](?:of[ \t])?{_MONTH}\b\.?(?:,?[ \t]\d{{4}})?|"
    rf"\b{_MONTH}\b\.?[ \t]\d{{1,4}}(?:st|nd|rd|th)?(?:,?[ \t]\d{{4}})?"
)
_ADDRESS = rf"\b\d{{1,6}}[A-Za-z]?[ \t](?:[NSEW]\.?[ \t])?(?:[\w'.-]{{1,30}}[ \t]){{1,4}}?{_STREET}\b\.?"
_PHONE = r"\+?\(?\d[\d() .\t-]{5,20}\d"
_MONEY = r"[$£€¥][ \t]?\d[\d,. \u00a0]{0,20}\d|[$£€¥][ \t]?\d"
_SIGNS = r"[#@][\w-]{1,60}|\S{0,40}[_\\]\S{0,80}|(?<!\w)(?:[a-z]{1,20}/){2,6}[a-z]{1,20}(?!\w)"
#: ALLCAPS, dotted initials, CamelCase; a single capital letter is no sign (I, A).
_CAPITALS = (
    r"\b(?:[A-Z]\.){2,8}|\b[^\W\d_]*[A-Z][^\W\d_]*[A-Z][^\W\d_]*\b|\b[A-Z][A-Z&/.'-]{0,20}[A-Z]s?\b|"
    r"\b[a-z]{1,3}[A-Z][a-z]+\b"
)

#: Tokens that may have a space inside, and those of them that have a digit.
_SPACED = (re.compile(_CODE), re.compile(_TEMPLATE))
_SPACED_WITH_DIGITS = (
    re.compile(_ADDRESS, re.IGNORECASE),
    re.compile(_DATE, re.IGNORECASE),
    re.compile(_PHONE),
    re.compile(_MONEY),
    re.compile(_MEASURE, re.IGNORECASE),
)
#: Tokens without a space, likewise.
_SOLID = (re.compile(_NET, re.IGNORECASE), re.compile(_SIGNS), re.compile(_CAPITALS))
_SOLID_WITH_DIGITS = (re.compile(_DIGITS),)
#: A word as most are, at most one sign behind it, between spaces: it has no token without a space.
_PLAIN = r"[A-Za-z]?[a-z]*(?:['’-][a-z]+)*[.,;:!?]?(?!\S)"
#: The rest of a line, to which the search for tokens without a space is kept: it takes ten times as long as this.
_NOT_PLAIN = re.compile(rf"(?<!\S)(?!{_PLAIN})\S+(?:\s+(?!{_PLAIN})\S+)*")
_DIGIT = re.compile(r"\d")
_LINE = re.compile(r"[^\r\n\v\f\u0085\u2028\u2029]+")


@lru_cache(maxsize=64)
def spans(text: str) -> tuple[tuple[int, int], ...]:
    """The protected tokens of a text, in order; what overlaps is one token. Lines are remembered."""
    return tuple(
        (line.start() + start, line.start() + end) for line in _LINE.finditer(text) for start, end in _of_line(line[0])
    )


@lru_cache(maxsize=512)
def _of_line(line: str) -> tuple[tuple[int, int], ...]:
    digits = _DIGIT.search(line) is not None
    spaced = (*_SPACED, *_SPACED_WITH_DIGITS) if digits else _SPACED
    solid = (*_SOLID, *_SOLID_WITH_DIGITS) if digits else _SOLID
    found = [one.span() for pattern in spaced for one in pattern.finditer(line)]
    for part in _NOT_PLAIN.finditer(line):
        found += (one.span() for pattern in solid for one in pattern.finditer(line, *part.span()))
    found.sort()
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def tokens(text: str) -> Counter[str]:
    """The multiset of protected tokens."""
    return Counter(text[start:end] for start, end in spans(text))


def touches(protected: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether an edit of ``[start, end)`` overlaps a protected token, or inserts inside or right beside one."""
    return any(one < end and start < other for one, other in protected) or (
        start == end and any(one <= start <= other for one, other in protected)
    )


def mask(text: str) -> bytearray:
    """A byte for each code point of a text: 1 where it is of a protected token, else 0."""
    marked = bytearray(len(text))
    for start, end in spans(text):
        marked[start:end] = b"\1" * (end - start)
    return marked


def harmless(text: str, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Those of the edits that touch no protected token, part no letter from its combining marks, and leave the multiset
    of tokens as it is, also together."""
    protected = spans(text)
    free = [
        edit
        for edit in edits
        if not touches(protected, edit.start, edit.end)
        and not _splits(text, edit.start)
        and not _splits(text, edit.end)
    ]
    return _keep(text, tokens(text), tuple(free))


def _splits(text: str, position: int) -> bool:
    return position < len(text) and unicodedata.combining(text[position]) != 0


def _keep(text: str, wanted: Counter[str], edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    if not edits or tokens(apply(text, edits)) == wanted:
        return edits
    if len(edits) == 1:
        return ()
    middle = len(edits) // 2
    first = _keep(text, wanted, edits[:middle])
    both = first + _keep(text, wanted, edits[middle:])
    return both if tokens(apply(text, both)) == wanted else first
