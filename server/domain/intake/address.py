"""Postal addresses: a house number and a street, and what follows of town, state and postcode."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Context, Kind, Page
from server.domain.regions import AUSTRALIAN_STATES, CANADIAN_PROVINCES, US_STATES

_SUFFIXES = [
    "street",
    "st",
    "avenue",
    "ave",
    "road",
    "rd",
    "boulevard",
    "blvd",
    "drive",
    "dr",
    "lane",
    "ln",
    "court",
    "ct",
    "place",
    "pl",
    "terrace",
    "ter",
    "circle",
    "cir",
    "way",
    "parkway",
    "pkwy",
    "highway",
    "hwy",
    "close",
    "crescent",
    "cres",
    "square",
    "sq",
    "gardens",
    "gdns",
    "grove",
    "mews",
    "row",
    "hill",
    "walk",
    "view",
    "rise",
    "trail",
    "trl",
    "loop",
    "alley",
    "plaza",
    "point",
    "pike",
]
_STATES = {**US_STATES, **CANADIAN_PROVINCES, **AUSTRALIAN_STATES}
_STATE = "|".join([*_STATES, *sorted(_STATES.values(), key=len, reverse=True)])
_UK_POSTCODE = r"(?:GIR\s?0AA|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})"
_POSTCODE = rf"\d{{5}}(?:-\d{{4}})?|{_UK_POSTCODE}|[ABCEGHJ-NPRSTVXY]\d[A-Z]\s?\d[A-Z]\d|\d{{4}}"
_NUMBERED = rf"""
(?P<flat>(?:flat|apt|apartment|unit|suite|ste)\.?\s?\#?(?:\d\w{{0,4}}|[A-Z])\b,?\s+)?
(?<![\w$£€.,/-])(?P<number>\d{{1,6}}(?:-\d{{1,5}})?[A-Za-z]?),?\s+
(?P<street>(?!\d+[\s,])(?:[NSEW]{{1,2}}\.?\s+)?(?:[\w.'’-]{{1,30}}\s+){{1,4}}?
(?P<suffix>{"|".join(_SUFFIXES)})\b(?:\s+(?:{"|".join(_SUFFIXES)})\b)?\.?(?:\s+[NSEW]{{1,2}}\b(?![.\w]))?)
(?P<unit>,?\s*(?:\#\s?|(?:flat|apt|apartment|unit|suite|ste)\.?\s?\#?)\w{{1,6}}\b)?"""
_TAIL = rf"""
(?:[,\s]+(?P<town>[A-Z][\w.'’-]+(?:[ -][A-Za-z][\w.'’-]+){{0,2}}?)
    (?=[,\s]+(?:{_STATE}|{_POSTCODE})\b|,|\s*$|\s*[.\n;]))?
(?:[,\s]+(?P<county>[A-Z][a-z]+shire))?
(?:[,\s]+(?P<state>{_STATE})\b\.?)?
(?:[,\s]+(?P<postcode>{_POSTCODE})\b)?"""
_ADDRESS = re.compile(_NUMBERED + _TAIL, re.VERBOSE | re.IGNORECASE | re.MULTILINE)
#: A street that is called by a name alone counts where town and state follow.
_NAMED_STREET = re.compile(
    r"(?<![\w$£€.,/-])(?P<street>\d{1,6}[A-Za-z]?\s+[A-Z][\w.'’-]{1,30}(?:\s+[A-Z][\w.'’-]{1,30}){0,2}),\s+"
    r"(?P<town>[A-Z][\w.'’-]{1,30}(?:\s[A-Z][\w.'’-]{1,30}){0,2}),?\s+(?P<state>[A-Z]{2})\b(?:,?\s+(?P<postcode>\d{5}(?:-\d{4})?))?"
)
_GERMAN = re.compile(
    r"(?<![\w.-])(?P<street>[A-ZÄÖÜ][\w.-]{0,30}(?:straße|strasse|str\.|weg|platz|allee|gasse)\s+\d{1,4}\s?[a-z]?),?\s+"
    r"(?P<postcode>\d{5})\s+(?P<town>[A-ZÄÖÜ][\wäöüß.-]+(?:\s[A-ZÄÖÜ][\wäöüß.-]+)?)"
)  # fmt: skip
#: Words that no street is called before its suffix; a number before them counts things.
_NO_STREET = frozenset(
    [
        "of", "the", "a", "an", "to", "by", "on", "in", "at", "for", "with", "and", "or", "new", "old", "x",
        "ft", "feet", "foot", "inch", "inches", "m", "metres", "meters", "mm", "cm", "sq", "square", "windows",
        "doors", "rooms", "hours", "days", "weeks", "people", "men", "guys", "storey", "story", "bed", "bath",
        "bedroom", "bathroom", "is", "are", "was", "am", "pm", "we", "i", "it", "they", "need", "needs",
        "front", "side", "no",
    ]
)  # fmt: skip
_SMALL_WORDS = frozenset({"of", "on", "upon", "the", "de", "la", "le"})
_WORKED = re.compile(r"\b(?:at|site|address|property|house|located|live|lives|from|to|is|:)(?: at| in| is)? ?:?$")


def addresses(page: Page, _context: Context) -> Iterator[Candidate]:
    """Addresses on one line, parts separated by commas; postcodes as their country writes them."""
    for german in _GERMAN.finditer(page.free):
        page.take(*german.span())
        value = f"{_tidy(german['street'])}, {german['postcode']} {german['town']}"
        yield Candidate(Kind.ADDRESS, value, *german.span(), 0.9, _rule(value, german[0]))
    position = 0
    while (found := _ADDRESS.search(page.free, position)) is not None:
        position = found.end("number")
        if not _is_street(found, page):
            continue
        end = found.end()
        page.take(found.start(), end)
        position = end
        yield _address(found)
    for named in _NAMED_STREET.finditer(page.free):
        if named["state"] in _STATES:
            page.take(*named.span())
            last = " ".join(part for part in (named["state"], named["postcode"]) if part)
            value = f"{_tidy(named['street'])}, {_tidy(named['town'])}, {last}"
            sure = 0.93 if named["postcode"] else 0.85
            yield Candidate(Kind.ADDRESS, value, *named.span(), sure, _rule(value, named[0]))


def _is_street(found: re.Match[str], page: Page) -> bool:
    words = found["street"].rstrip(".").split()[:-1]
    if not words or any(word.lower().strip(".") in _NO_STREET - _SMALL_WORDS for word in words):
        return False
    named = [word for word in words if word.lower() not in _SMALL_WORDS]
    if not named or words[0].lower() in {"of", "on", "the"} - {"the"}:
        return False
    capital = all(word[0].isupper() or word[0].isdigit() for word in named)
    placed = bool(found["state"] or found["postcode"])
    return capital or placed or bool(_WORKED.search(page.words_before(found.start())))


def _address(found: re.Match[str]) -> Candidate:
    flat = _capitals(_tidy((found["flat"] or "").strip(" ,")))
    street = f"{found['number']} {_capitals(_tidy(found['street']).rstrip('.'))}"
    unit = _tidy((found["unit"] or "").strip(" ,"))
    town = _capitals(_tidy(found["town"] or ""))
    state = _code(found["state"])
    postcode = _postcode(found["postcode"] or "")
    british = bool(postcode) and re.fullmatch(_UK_POSTCODE, postcode) is not None
    last = ", ".join(part for part in (state, postcode) if part) if british else f"{state} {postcode}".strip()
    value = ", ".join(part for part in (flat, street, unit, town, found["county"] or "", last) if part)
    sure = 0.95 if postcode else 0.88 if town and state else 0.75 if town or state else 0.6
    question = "" if town or postcode or state else f"In which town is {street}?"
    return Candidate(
        Kind.ADDRESS, value, found.start(), found.end(), 0.5 if question else sure, _rule(value, found[0]), question
    )


def _postcode(written: str) -> str:
    code = written.upper()
    if re.fullmatch(_UK_POSTCODE, code) or re.fullmatch(r"[A-Z]\d[A-Z]\s?\d[A-Z]\d", code):
        bare = code.replace(" ", "")
        return f"{bare[:-3]} {bare[-3:]}"
    return code


def _code(state: str | None) -> str:
    if not state:
        return ""
    by_name = {name.lower(): code for code, name in _STATES.items()}
    return by_name.get(state.lower(), state.upper())


def _capitals(words: str) -> str:
    """Names typed in one case get capitals; those that have some keep what they have."""
    if not words.islower() and not words.isupper():
        return words
    return " ".join(
        word if word.lower() in _SMALL_WORDS and place else word.capitalize()
        for place, word in enumerate(words.split())
    )


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _rule(value: str, written: str) -> str:
    return "address.normal_form" if value != written else ""
