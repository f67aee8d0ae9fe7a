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

from server.domain.drafting.matching import lemma
from server.domain.drafting.patterns import folded
from server.domain.drafting.quantities import Quantity, Role

#: What has a number or a letter of its own ("flat 3", "BLDG B"), and what is told apart by words ("hall bath").
_NUMBERED = (
    r"(?:units?|flats?|apts?\.?|apartments?|suites?|ste|plots?|lots?|blocks?|bldgs?\.?|buildings?|houses?|homes?|sites?"
    r"|stores?|shops?|cottages?|rooms?|rms?\.?|beds?|bedrooms?|baths?|bathrooms?|brs?|ops?|offices?|class(?:es|rooms?)?"
    r"|wings?|towers?|villas?|town ?houses?|condos?|levels?|floors?|bays?|nos?\.?|numbers?|garages?|desks?|areas?"
    r"|zones?|lets?|parcels?|properties|property|address)"
)
_QUALITY = (
    r"(?:main|master|primary|guest|kids?['’]?s?|children['’]?s|hall|half|powder|front|back|rear|side|left|right|upper"
    r"|lower|north|south|east|west|middle|centre|center|large|small|big|little|spare|box|family|living|sitting|dining"
    r"|utility|laundry|baby|staff|meeting|committee|break|waiting|changing|conference|common|communal|shared|ground|first|second|third|fourth|top|1st|2nd|3rd|4th|upstairs"
    r"|downstairs|basement|other|double|single|ladies['’]?|gents['’]?|(?:wo)?men['’]?s|girls['’]|boys['’]|old|new|en"
    r"|linen|walk[- ]in|the|our|my|detached)"
)
_PLACE = (
    r"(?:bath|bathroom|bedroom|bed|room|apts?|kitchen|lounge|hall|hallway|landing|office|study|en[- ]?suite|suite|unit"
    r"|flat|house|level|floor|stor(?:e?y)|garage|basement|attic|loft|shed|cellar|porch|deck|patio|closet|pantry|foyer|entry"
    r"|laundry|utility|den|nursery|conservatory|corridor|stairwell|stairs|lobby|reception|toilets?|wc|cloakroom|canteen"
    r"|parlou?r|sanctuary|shower|tub|cottage|block|wing|apartment|building|side|wall|elevation|area|entrance|yard"
    r"|garden|desk|upstairs|downstairs|upper|lower|main|master|powder|primary|front|back|rear|left|right|north|south"
    r"|east|west|living|dining|family|lr|dr|mbr|br\d|walk[- ]in|addition|extension|annexe?|bar|shop|store|warehouse"
    r"|return|car ?park|gym|library|girls['’]|boys['’])"
)
_STREET = (
    r"(?:st|street|rd|road|ave|avenue|lane|ln|dr|drive|court|ct|house|cottage|way|place|pl|close|crescent|terrace"
    r"|grove|gardens)"
)
#: "3B", "#104", "TH1", "Two".
_ID = r"(?:#\s?)?(?:[a-z]{1,3}-?\d{1,4}|\d{1,4}[a-z]?|[a-h]\b|one\b|two\b|three\b|four\b|five\b|six\b)"
#: The same without a noun before it, where "2 - ceiling fans" and "2: fans" count.
_ALONE = (
    r"(?:#\s?\d{1,4}[a-z]?|[a-z]{1,3}-?\d{1,4}|\d{1,4}[a-z]|\d{3,4}|[a-h]\b"
    r"|\d{2}(?=[ \t]*:[ \t]*[a-z]|,? (?:needs?|gets?|wants?|same|ditto)\b))"
)
_NAME = (
    rf"(?:(?:{_QUALITY} )*{_NUMBERED} ?{_ID}(?:(?:,? and |,? & |, | to | thru | through |-){_ID})*"
    rf"|{_ALONE}"
    rf"|(?:{_QUALITY} )*{_PLACE}(?: {_PLACE}){{0,2}}(?: {_ID})?"
    rf"|(?:\d{{1,5}} )?[a-z]{{2,}}(?: [a-z]{{2,}})? {_STREET}\b\.?|\d{{2,5}} [a-z]{{2,}})"
    rf"(?: (?:kitchens?|bathrooms?|bath|stairwell|laundry)(?=[:\s]))?"
)
_SIZED = r"(?:,? ?\(?\d[\d.]*\s?(?:ft|m|'|′)?\s?(?:x|by|×)\s?\d[\d.]*\s?(?:ft|m|'|′)?\)?)?"
_BEGINS = r"[ \t]*(?:[-–—*•][ \t]*|\(?(?:\d{1,2}|[a-h])[.)][ \t]+)?"
#: Where a line or a sentence may begin.
_BEGINNING = re.compile(r"\A|[\n.;!?]")
_HAS = (
    r"(?=,? (?:just |only |also |the )?(?:needs?|has|have|gets?|wants?|requires?|ditto|same|likewise|like|is to have"
    r"|to have|also)\b)"
)
#: "(all 1 bed)", "(6 UNITS)".
_ASIDE = r"(?: ?\((?:(?P<number>\d{1,3}) (?=(?:units|flats|rooms|homes|houses|plots)\b))?[\w ]{1,20}\))?"
_LABEL = re.compile(
    rf"{_BEGINS}(?P<label>(?:(?:in|for|at) )?(?P<name>{_NAME}){_SIZED}{_ASIDE}(?P<each>,? each)?)"
    rf"(?:[ \t]*[:=]|[ \t]+[-–—]+(?=\s)|[ \t]*[-–—]{{2}}|[ \t]*\.{{2,}}(?=\s)|{_HAS})[ \t]*",
)
#: "Room 1 new lock. Room 2 same.": without a sign, where two begin so.
_PLAIN = re.compile(
    rf"{_BEGINS}(?P<label>(?P<name>(?:(?:unit|flat|apt|apartment|room|no\.?|suite|plot|block|house|cottage|class|let"
    rf"|bldg|building|store|shop) {_ID}"
    rf"|(?:units|flats|rooms|apts|houses|suites|plots) {_ID}(?:(?:,? and |,? & |, | to )"
    rf"{_ID})+|[A-H]\d{{1,2}})(?: (?:kitchen|bathroom|bath)\b)?))(?![\w.:/'’-]|[ \t]+[-–—:=])[ \t,]*",
)
#: "Upper unit: 5 windows, lower unit: 7 windows": goes on in the sentence.
_GOES_ON = re.compile(rf", (?P<label>(?P<name>{_NAME}))[ \t]*:[ \t]*")
#: "Per unit:", "In each bedroom:", "TYPE A (6 UNITS), EACH:", "Every flat wants …": so much for each of several.
_FOR_EACH = re.compile(
    rf"{_BEGINS}(?P<label>(?P<name>(?:type \w )?(?:\((?P<number>\d{{1,3}}) \w+\),? ?)?(?:in |for |on )?"
    r"(?:each|every|per)(?: one)?(?: of (?:the|these|them|those))?(?: (?!(?:of|is|has|gets|needs|wants)\b)"
    r"(?P<noun>[a-z]+))?))"
    r"(?:[ \t]*:|[ \t]+[-–—]+(?=\s)"
    r"|(?= (?:also )?(?:is (?:also )?to have|has to have|to have|to get|wants an?|needs an?|gets an?|requires an?)\b))"
    r"[ \t]*",
)
#: "Please quote the following for units 3B and 5A:", "In flats 2 and 5, same work in both:": of each that is listed.
_LISTED_FOR = re.compile(
    rf"{_BEGINS}(?P<label>(?:[a-z][\w ,'’-]{{0,60}}? )?(?:for|in|at) (?:the |our )?"
    rf"(?P<name>{_NUMBERED} ?{_ID}(?:,? (?:and|&) |, ){_ID}(?:(?:,? and |,? & |, ){_ID})*)"
    r"(?:,? [^\n:.;]{0,30}\b(?:each|both|same)\b[^\n:.;]{0,20})?)[ \t]*:[ \t]*(?=\n)",
)
#: "Same again for the lower", "Ditto in flat 2": a place that is told of only so.
_ALSO = re.compile(
    rf"{_BEGINS}(?P<label>)(?=(?:and )?(?:the )?(?:same|ditto)(?: again| thing| deal| work| job)? (?:for|in|at|on) "
    rf"(?:(?:the|our|my) )?(?P<name>{_NAME})(?![\w-]))",
)
#: "1) Oak St - …": an entry of a list by a name that only people know.
_ENTRY = re.compile(
    r"^[ \t]*\(?\d{1,2}[.)][ \t]+(?P<label>(?P<name>[A-Z][\w'’]+(?: [A-Z][\w'’.]*){0,2}))"
    r"[ \t]+[-–—]+[ \t]+",
    re.MULTILINE,
)
#: "Main bathroom and en suite. Both need the shower replaced".
_BOTH = re.compile(
    rf"{_BEGINS}(?P<label>(?P<name>both)(?: (?:of (?:them|these)|bathrooms|rooms|units|flats|houses|places))?)"
    r"(?= (?:also )?(?:needs?|wants?|gets?|requires?|to (?:get|have)|are to have) (?:the|an?|their)\b)",
)
_PLACE_NAME = re.compile(_NAME)
_STOP = re.compile(r"[.!?;](?=\s+[A-Z])")
_BARE = re.compile(r"#?\s?(?:[a-z]{1,3}-?)?\d{1,4}[a-z]?|[a-h]", re.IGNORECASE)
_IDS = re.compile(r"(?<![A-Za-z0-9])#?(?:[A-Za-z]{1,3}-\d{1,4}[A-Za-z]?|[A-Za-z]{0,2}\d{1,4}[A-Za-z]?|[A-H])\b")
#: "Units 1 to 4", "rooms 201-210".
_RUN = re.compile(rf"\b{_NUMBERED} ?(\d{{1,4}}) ?(?:to|thru|through|[-–]) ?(\d{{1,4}})\b", re.IGNORECASE)
_HOMES = frozenset(
    ["unit", "flat", "apartment", "apt", "house", "room", "suite", "condo", "home", "property", "door", "bedroom",
     "townhouse", "cottage", "classroom", "plot", "block", "villa", "building", "store", "site", "office", "floor"]
)  # fmt: skip
_PAIR = 2
#: More places are no request of one customer's; each is looked up by the clauses.
_MOST = 1000
#: Characters that a request may have for this to be asked: a form, a sheet, no book.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a request, ``[start, end)``, that begins with the label of its place."""

    name: str
    start: int
    label_end: int
    end: int
    #: How many places it is of, and whether all that it tells is said of each.
    times: int = 1
    each: bool = False
    #: It is called by a name alone, which may be of a place or of work: "1) Elm - …", "1) Gutters - …".
    entry: bool = False


class Sections:
    """The sections of a request, in its order."""

    def __init__(self, text: str, figures: Sequence[Quantity] = ()) -> None:
        self.all: Sequence[Section] = _sections(text, figures)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self.all]

    def at(self, position: int) -> int:
        """The number of the section that has the position; -1 where none does."""
        number = bisect_right(self._starts, position) - 1
        return number if number >= 0 and position < self.all[number].end else -1

    def before(self, position: int) -> int:
        """The number of the last section that begins before the position; -1 where none does."""
        return bisect_right(self._starts, position) - 1

    def after(self, position: int) -> Section | None:
        """The first section that begins behind the position."""
        number = bisect_right(self._starts, position)
        return self.all[number] if number < len(self.all) else None

    def begun_by(self, said: str) -> int:
        """The number of the section whose name, or its first or last word, the words begin with; -1 where none does:
        "main hall", "the dining" of "dining room", "2nd"."""
        low = said.lower().lstrip(" ,").removeprefix("the ").removeprefix("in ")
        first = re.match(r"[\w#-]+", low)
        for number, one in enumerate(self.all):
            name = one.name.lower()
            if low.startswith(name) or (first is not None and first[0] in {name.split()[0], name.split()[-1]}):
                return number
        return -1

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


def names_place(said: str) -> bool:
    """Whether the words are what a place is called by: "Unit A", "Upstairs hall", "North"."""
    return _PLACE_NAME.fullmatch(said.lower()) is not None


def _sections(text: str, figures: Sequence[Quantity]) -> list[Section]:
    low = folded(text)
    starts = [one.end() for one in _BEGINNING.finditer(text, 0, _LONGEST)]
    begin = (_beginning(kind, low, starts) for kind in (_ALSO, _BOTH, _FOR_EACH, _LISTED_FOR, _LABEL))
    alone = _ENTRY.finditer(text, 0, _LONGEST), _GOES_ON.finditer(low, 0, _LONGEST)
    labels = [one for labels in (*alone, *begin) for one in labels]
    # "512 ..... 128": a row of a table.
    rows = (" ..", "..")
    labels = [one for one in labels if not (one["name"].isdigit() and text.startswith(rows, one.end("name")))]
    if sum(one.re is _ENTRY for one in labels) < _PAIR:
        labels = [one for one in labels if one.re is not _ENTRY]
    plain = _beginning(_PLAIN, low, starts)
    labels = [*(plain if len(plain) >= _PAIR else ()), *labels]
    first = {one.start("label"): one for one in labels}
    labels = [first[start] for start in sorted(first)[: _MOST + 1]]
    labels = [one for at, one in enumerate(labels) if not at or one.start("label") >= labels[at - 1].end("label")]
    times = [_times(one, text, figures) for one in labels]
    if len(labels) > _MOST or (len({_name(one, low) for one in labels}) < _PAIR and max(times, default=1) == 1):
        return []
    ends = [*(one.start() for one in labels[1:]), len(text)]
    found = []
    for label, number, end in zip(labels, times, ends, strict=True):
        line = text.find("\n", label.end())
        if 0 <= line < end and text[label.end() : line].strip():
            end = line
        elif (blank := re.search(r"\n\s*\n", text[label.end() : end])) is not None:
            end = label.end() + blank.start()
        found.append(
            Section(
                name=_name(label, text),
                start=label.start("label"),
                label_end=label.end("label"),
                end=end,
                times=number,
                each=label.re in {_FOR_EACH, _BOTH, _LISTED_FOR} or bool(label.groupdict().get("each")),
                entry=label.re is _ENTRY,
            )
        )
    most = max((_sentences(text, one.label_end, one.end) for one in found[:-1]), default=1)
    # Behind the last place a line goes on with what is of all or of none.
    return [replace(one, end=_end_of(text, one, most)) for one in found]


def _beginning(kind: re.Pattern[str], text: str, starts: Sequence[int]) -> list[re.Match[str]]:
    """The labels of a kind that begin at these places."""
    return [one for start in starts if (one := kind.match(text, start, _LONGEST)) is not None]


def _name(label: re.Match[str], text: str) -> str:
    """What the place of a label is called, as it is written."""
    return " ".join(text[slice(*label.span("name"))].split())


def _times(label: re.Match[str], text: str, figures: Sequence[Quantity]) -> int:
    """How many places a label is of: of those that it lists, else as many as were counted before it."""
    if number := label.groupdict().get("number"):
        return max(1, int(number))
    if label.re is _BOTH:
        return _PAIR
    if label.re is not _FOR_EACH:
        name = _name(label, text)
        return _run(name) or max(1, len(_IDS.findall(name)))
    nouns = {lemma(label["noun"])} if label["noun"] else _HOMES
    counts = [one for one in figures if one.role is Role.COUNT and lemma(one.noun) in nouns]
    before = [one for one in counts if one.span.end <= label.start()]
    if before:
        return max(1, int(before[-1].value))
    # "Per unit: … There are 4 units."
    behind = counts[:1] if label["noun"] else []
    return _run(text[: label.start()]) or max([1, *(int(one.value) for one in behind)])


def _run(said: str) -> int:
    """How many "units 1 to 4" are; 0 where the words tell of no run."""
    run = _RUN.search(said)
    first, last = (int(run[1]), int(run[2])) if run is not None else (0, 0)
    return last - first + 1 if first < last <= first + _MOST else 0


def _sentences(text: str, start: int, end: int) -> int:
    return sum(bool(text[stop.end() : end].strip()) for stop in _STOP.finditer(text, start, end)) + 1


def _end_of(text: str, section: Section, most: int) -> int:
    """Where a section ends that has so many sentences at most."""
    if "\n" in text[section.label_end : section.end].strip():
        return section.end
    stops = [stop.end() for stop in _STOP.finditer(text, section.label_end, section.end)]
    return stops[most - 1] if len(stops) >= most else section.end
