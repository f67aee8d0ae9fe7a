"""Values behind a label: ``Customer: Jane Doe``, ``Tel - 0161 496 0777``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Kind, plain
from server.domain.intake.people import capitalized
from server.domain.intake.profiles import Field, Profile

#: A field, and where its value begins and ends.
Labelled = tuple[Field, int, int]
#: More words than this are no address but a description of the way.
_MOST_WORDS = 14
_NO_PART_OF_A_NAME = {Kind.EMAIL, Kind.PHONE, Kind.MONEY, Kind.DATE, Kind.ADDRESS}
#: Where a value ends that shares its line with others.
_ENDS = re.compile(r"[.!?](?:\s|$)|\s[-–—|/]{1,2}\s|,\s|\s\(|;")
_ADDRESS_ENDS = re.compile(r"(?<!\bSt)(?<!\bAve)(?<!\bRd)[.!?]\s|\s[-–—|]{1,2}\s|;")


def labels(profile: Profile, text: str) -> Iterator[Labelled]:
    """Values that stand behind a label at the beginning of a line or part, to the line's or part's end."""
    text = plain(text)
    by_alias: dict[str, Field] = {}
    for field in profile.fields:
        for alias in field.aliases:
            by_alias.setdefault(alias, field)
    names = "|".join(sorted(map(re.escape, by_alias), key=len, reverse=True))
    pattern = re.compile(
        rf"(?:^|[\n;|/]|[,.!)]\s|\s[-–—]\s)[ \t*•>-]{{0,6}}(?P<label>{names})(?:\(s\)|'s)?[ \t]*(?::|=|[ \t][-–](?=[ \t]))[ \t]*",
        re.IGNORECASE,
    )
    yield from _table(by_alias, text)
    marks = list(pattern.finditer(text))
    for mark, following in zip(marks, (*marks[1:], None), strict=False):
        field = by_alias[mark["label"].lower()]
        stop = following.start() + (following[0][0] in ".!)") if following else len(text)
        line_end = text.find("\n", mark.end(), stop)
        end = stop if line_end < 0 else line_end
        if field.kind is not Kind.WORK:
            ends = _ADDRESS_ENDS if field.kind is Kind.ADDRESS else _ENDS
            found = ends.search(text, mark.end(), end)
            end = found.start() if found else end
        value = text[mark.end() : end]
        stripped = value.strip(" \t\r,|/")
        if stripped:
            start = mark.end() + value.index(stripped)
            yield field, start, start + len(stripped)


def _table(by_alias: dict[str, Field], text: str) -> Iterator[Labelled]:
    """Cells under a first row of labels: ``Name / Ph / Job`` over ``Ann Lee / 615 555 0137 / fix the tap``."""
    head, _, rest = text.partition("\n")
    row = rest.partition("\n")[0]
    for mark in _CELLS:
        fields = [by_alias.get(" ".join(cell.lower().split())) for cell in _cells(head, mark)]
        cells = _cells(row, mark)
        if sum(field is not None for field in fields) < _FEWEST_CELLS or len(cells) != len(fields):
            continue
        at = len(head) + 1
        for field, cell in zip(fields, cells, strict=True):
            stripped = cell.strip(' \t\r"')
            start = text.index(stripped, at)
            at = start + len(stripped)
            if field is not None and stripped:
                yield field, start, at
        return


def _cells(line: str, mark: str) -> list[str]:
    """The cells of a row; a mark between quotes parts none."""
    return re.findall(r'"[^"]*"|[^"MARK]+'.replace("MARK", re.escape(mark)), line) if mark in line else []


def by_label(labelled: tuple[Labelled, ...], found: list[Candidate], text: str) -> Iterator[Candidate]:
    """Names are taken from behind their label as they are; typed values only where they were understood."""
    for field, start, end in labelled:
        inside = [one for one in found if start <= one.start and one.end <= end + 1]  # a full stop may be a part
        value = " ".join(text[start:end].split())
        if field.kind is Kind.ADDRESS:
            placed = "," in value or any(map(str.isupper, value)) or text.islower()
            if placed and not any(one.kind is Kind.ADDRESS for one in inside) and value.count(" ") < _MOST_WORDS:
                yield Candidate(Kind.ADDRESS, value, start, end, 0.82)
        elif field.kind in {Kind.PERSON, Kind.COMPANY}:
            other = Kind.COMPANY if field.kind is Kind.PERSON else Kind.PERSON
            plain = not any(letter.isdigit() for letter in value) and value.count(" ") < _MOST_NAMES
            whole = any(one.kind is field.kind and one.end - one.start >= end - start for one in inside)
            if plain and not whole and not any(one.kind in {*_NO_PART_OF_A_NAME, other} for one in inside):
                capital = (value.islower() or (value.isupper() and len(value) > 3)) and field.kind is Kind.PERSON
                value = " ".join(map(capitalized, value.split())) if capital else value
                yield Candidate(field.kind, value, start, end, 0.97, "person.capitals" if capital else "")


_MOST_NAMES = 5
#: What parts the cells of a table, and how many labels make a row of labels.
_CELLS, _FEWEST_CELLS = ("|", "\t", ";", "/", ","), 3
