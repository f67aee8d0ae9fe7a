"""Sections: the parts of a request that each tell of one place ("Unit 2: …", "Hall bath - …", "#104 …").

The same work told of two places is asked for twice, and "ditto" is what another place gets. A place is known by what it
is called before a colon or a dash, at the beginning of a line or a sentence; one alone makes no sections.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

#: What has a number or a letter of its own ("flat 3", "BLDG B"), and what is told apart by words ("hall bath").
_NUMBERED = (
    r"(?:units?|flats?|apts?\.?|apartments?|suites?|ste|plots?|lots?|blocks?|bldgs?\.?|buildings?|houses?|homes?|sites?"
    r"|stores?|shops?|cottages?|rooms?|rms?\.?|beds?|bedrooms?|baths?|bathrooms?|brs?|ops?|offices?|class(?:es|rooms?)?"
    r"|wings?|towers?|villas?|town ?houses?|condos?|levels?|floors?|bays?|nos?\.?|numbers?|garages?|desks?|areas?"
    r"|zones?|properties|property|address)"
)
_QUALITY = (
    r"(?:main|master|primary|guest|kids?['’]?s?|children['’]?s|hall|half|powder|front|back|rear|side|left|right|upper"
    r"|lower|north|south|east|west|middle|centre|center|large|small|big|little|spare|box|family|living|sitting|dining"
    r"|utility|laundry|baby|staff|common|communal|shared|ground|first|second|third|fourth|top|1st|2nd|3rd|4th|upstairs"
    r"|downstairs|basement|other|double|single|ladies['’]?|gents['’]?|(?:wo)?men['’]?s|girls['’]|boys['’]|old|new|en"
    r"|linen|walk[- ]in|the|our|my|detached)"
)
_PLACE = (
    r"(?:bath|bathroom|bedroom|bed|room|kitchen|lounge|hall|hallway|landing|office|study|en[- ]?suite|suite|unit|flat"
    r"|house|level|floor|stor(?:e?y)|garage|basement|attic|loft|shed|cellar|porch|deck|patio|closet|pantry|foyer|entry"
    r"|laundry|utility|den|nursery|conservatory|corridor|stairwell|stairs|lobby|reception|toilets?|wc|cloakroom|canteen"
    r"|parlou?r|sanctuary|shower|tub|cottage|block|wing|apartment|building|side|wall|elevation|area|entrance|yard"
    r"|garden|desk|upstairs|downstairs|upper|lower|main|master|powder|primary|front|back|rear|left|right|north|south"
    r"|east|west|living|dining|family|lr|dr|mbr|br\d|walk[- ]in|addition|extension|annexe?|bar|shop|store|warehouse"
    r"|gym|library|girls['’]|boys['’])"
)
_STREET = (
    r"(?:st|street|rd|road|ave|avenue|lane|ln|dr|drive|court|ct|house|cottage|way|place|pl|close|crescent|terrace)"
)
#: "3B", "#104", "TH1", "Unit A", "101-103".
_ID = r"(?:#\s?)?(?:[a-z]{1,3}-?\d{1,4}|\d{1,4}[a-z]?|[a-h])"
_NAME = (
    rf"(?:(?:{_QUALITY} )*{_NUMBERED} ?{_ID}(?: (?:and|&) {_ID})?"
    rf"|{_ID}"
    rf"|(?:{_QUALITY} )*{_PLACE}(?: {_PLACE}){{0,2}}(?: {_ID})?"
    rf"|(?:\d{{1,4}} )?[A-Z][a-z]+(?: [A-Z][a-z]+)? {_STREET}\b\.?)"
)
_SIZED = r"(?P<size>,? ?\(?\d[\d.]*\s?(?:ft|m|'|′)?\s?(?:x|by|×)\s?\d[\d.]*\s?(?:ft|m|'|′)?\)?)?"
_LABEL = re.compile(
    rf"(?:(?<=\n)|(?<=^)|(?<=[.;!?] )|(?<=[.;!?]))[ \t]*(?:[-–—*•][ \t]*|\(?(?:\d{{1,2}}|[a-h])[.)][ \t]+)?"
    rf"(?P<label>(?P<name>{_NAME}){_SIZED})"
    rf"(?:[ \t]*:|[ \t]+[-–—]+(?=\s)|[ \t]*[-–—]{{2}}"
    rf"|(?= (?:just |only |also )?(?:needs|has|gets|wants|requires|ditto|same|likewise|is to have|to have)\b))"
    rf"[ \t]*",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?;](?=\s+[A-Z])")
_BARE = re.compile(_ID, re.IGNORECASE)
_HOMES = frozenset({"unit", "flat", "apartment", "apt", "house", "room", "suite", "condo", "home", "property", "door"})
#: Characters that a request may have for this to be asked: a form, a sheet, no book.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a request, ``[start, end)``, that begins with the label of its place."""

    name: str
    start: int
    label_end: int
    end: int


class Sections:
    """The sections of a request, in its order."""

    def __init__(self, text: str) -> None:
        self.all: Sequence[Section] = _sections(text)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self.all]

    def at(self, position: int) -> int:
        """The number of the section that has the position; -1 where none does."""
        number = bisect_right(self._starts, position) - 1
        return number if number >= 0 and position < self.all[number].end else -1

    def named_in(self, said: str) -> int:
        """The number of the only section whose name of several words the words say; -1 without."""
        low = said.lower()
        found = [number for number, one in enumerate(self.all) if " " in one.name and one.name.lower() in low]
        return found[0] if len(found) == 1 else -1

    def called(self, identity: str) -> int:
        """The number of the section whose name ends so: "4" calls "Plot 4"; -1 where none does."""
        ends = re.compile(rf"(?:.*\W)?{re.escape(identity)}", re.IGNORECASE)
        return next((number for number, one in enumerate(self.all) if ends.fullmatch(one.name)), -1)

    def of_kind(self, noun: str) -> int:
        """How many sections are called by a noun ("unit"), or only by a number that may be of one."""
        called = sum(noun in one.name.lower() for one in self.all)
        return called or (sum(_BARE.fullmatch(one.name) is not None for one in self.all) if noun in _HOMES else 0)

    def labelled(self, start: int, end: int) -> int:
        """The number of the section whose label has all of the range; -1 where none does."""
        number = self.at(start)
        return number if number >= 0 and end <= self.all[number].label_end else -1


def _sections(text: str) -> list[Section]:
    labels = list(_LABEL.finditer(text[:_LONGEST]))
    if len({one["name"].lower() for one in labels}) < 2:
        return []
    ends = [*(one.start() for one in labels[1:]), len(text)]
    found = []
    for label, end in zip(labels, ends, strict=True):
        line = text.find("\n", label.end())
        if 0 <= line < end and text[label.end() : line].strip():
            end = line
        elif (blank := re.search(r"\n\s*\n", text[label.end() : end])) is not None:
            end = label.end() + blank.start()
        found.append(Section(" ".join(label["name"].split()), label.start("label"), label.end("label"), end))
    most = max((_sentences(text, one.label_end, one.end) for one in found[:-1]), default=1)
    # Behind the last place a line goes on with what is of all or of none.
    return [replace(one, end=_end_of(text, one, most)) for one in found]


def _sentences(text: str, start: int, end: int) -> int:
    return sum(bool(text[stop.end() : end].strip()) for stop in _STOP.finditer(text, start, end)) + 1


def _end_of(text: str, section: Section, most: int) -> int:
    """Where a section ends that has so many sentences at most."""
    if "\n" in text[section.label_end : section.end].strip():
        return section.end
    stops = [stop.end() for stop in _STOP.finditer(text, section.label_end, section.end)]
    return stops[most - 1] if len(stops) >= most else section.end
