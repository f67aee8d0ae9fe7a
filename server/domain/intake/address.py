"""Postal addresses: a house number and a street, and what follows of town, state and postcode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from server.domain.intake.candidate import TAKEN, Candidate, Context, Kind, Page
from server.domain.intake.lexicon import TITLES, Lexicon
from server.domain.regions import AUSTRALIAN_STATES, CANADIAN_PROVINCES, US_STATES

_SUFFIXES = [
    "street",
    "st",
    "avenue",
    "ave",
    "av",
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
    "fwy",
    "freeway",
    "expy",
    "plz",
    "approach",
    "lea",
    "mead",
    "wynd",
    "brae",
    "strand",
    "causeway",
    "embankment",
    "promenade",
    "strip",
    "ter",
    "terr",
    "circle",
    "cir",
    "way",
    "parkway",
    "pkwy",
    "highway",
    "hwy",
    "close",
    "cl",
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
    "fold",
    "mount",
    "croft",
    "garth",
    "bank",
    "brow",
    "vale",
    "wharf",
    "green",
    "park",
    "heights",
    "hts",
    "chase",
    "meadow",
    "meadows",
    "orchard",
    "path",
    "run",
    "cove",
    "cv",
    "crossing",
    "crest",
    "xing",
    "hollow",
    "ridge",
    "bend",
    "pass",
    "trace",
    "parade",
    "drove",
    "nook",
    "villas",
    "cottages",
    "buildings",
    "yard",
    "quay",
    "broadway",
    "esplanade",
    "turnpike",
    "tpke",
    "bluff",
    "creek",
    "glen",
    "landing",
    "manor",
    "estates",
    "estate",
    "fields",
    "field",
    "dell",
    "side",
    "end",
]
_EVERYDAY = frozenset({"IN", "OR", "ME", "OK", "HI", "ON", "AS", "OH", "PA", "MA", "LA", "DE", "CO", "AL", "ACT"})
_STATES = {**US_STATES, **CANADIAN_PROVINCES, **AUSTRALIAN_STATES}
#: ``IN``, ``OR`` and their like are states in capitals only.
_STATE = "|".join(
    [
        *(f"(?-i:{code})" if code in _EVERYDAY else code for code in _STATES),
        *(name.replace(" ", "[ ]") for name in sorted(_STATES.values(), key=len, reverse=True)),
    ]
)
#: In ``Port Washington NY`` the state is the second.
_NOT_BEFORE_A_STATE = rf"(?!,?[ \t]+(?-i:{'|'.join(_STATES)})\b)"
_CANADIAN = r"[ABCEGHJ-NPRSTVXY]\d[A-Z]\s?\d[A-Z]\d"
_UK_POSTCODE = r"(?:GIR\s?0AA|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})"
_OUTWARD = r"[A-Z]{1,2}\d{1,2}[A-Z]?(?![\w-])"
_POSTCODE = rf"\d{{5}}(?:-\d{{4}})?|{_UK_POSTCODE}|{_CANADIAN}|{_OUTWARD}|\d{{4}}"
_FLAT = r"(?:flat|apt|apartment|unit|suite|ste|studio|room|rm|floor|plot|lot|bldg|building)\b\.?[ \t]?\#?(?:\d\w{0,4}|[A-Z]\d{0,3})\b"
_NUMBERED = rf"""
(?P<flat>\b{_FLAT},?[ \t]+(?:(?:[A-Z][\w'’-]+[ \t]+){{1,2}}(?:House|Court|Lodge|Mansions|Building|Point|Tower|Mill|Heights),[ \t]+)?)?
(?<![\w$£€.,/#-])(?<!\d:)(?P<number>\d{{1,6}}[A-Za-z]?(?:(?:[-/]|[ ]?&[ ]?)\d{{1,5}})?[A-Za-z]?),?[ \t]+
(?P<street>(?!\d+[ \t,]|(?:sf|sq|ft|lf|yds?|pm|am|sqft|sqm|mm|cm)\b)(?:(?:[NSEW]|[NS][EW])\.?[ \t]+)?
(?:(?:County|State)[ \t](?:Road|Rd|Route|Rte|Highway|Hwy)[ \t]\d{{1,5}}|(?:Highway|Hwy|Route|Rte|FM|CR|US)[ \t]\d{{1,5}}(?:[ \t][NSEW]\b)?
|(?:(?:[\w'’][\w'’-]{{0,29}}|(?:\w{{1,3}}\.){{1,3}})[ \t]+){{1,4}}?(?P<suffix>{"|".join(_SUFFIXES)})\b(?:[ \t]+(?:{"|".join(_SUFFIXES)})\b)?\.?
(?:[ \t]+(?:[NSEW]|[NS][EW]|north|south|east|west)\b(?![.\w]))?))
(?P<unit>,?[ \t]*(?:\#[ \t]?\w{{1,6}}\b|{_FLAT}))?"""
_TOWN = r"[A-Z][\w.'’-]+(?:[ -](?:[A-Z][\w.'’-]+|(?:in|on|upon|under|le|by|of|the)\b(?=[ -][A-Z]))){0,3}?"
_TAIL = rf"""
(?:[, \t]+(?P<town>{_TOWN}(?:,[ \t]*{_TOWN}){{0,2}}?)
    (?=[, \t]+(?:(?:{_STATE}){_NOT_BEFORE_A_STATE}|{_POSTCODE})\b|,|[ \t]*$|[ \t]*[.\n;()–—-]))?
(?:[, \t]+(?P<county>[A-Z][a-z]+shire|(?:West|North|South|East)[ ](?:Yorkshire|Sussex|Midlands)|Kent|Surrey|Essex|Norfolk|Suffolk))?
(?:[, \t]+(?P<state>{_STATE})\b{_NOT_BEFORE_A_STATE}\.?)?
(?:[, \t]+(?P<postcode>{_POSTCODE})\b)?"""
_ADDRESS = re.compile(_NUMBERED + _TAIL, re.VERBOSE | re.IGNORECASE | re.MULTILINE)
_UK = re.compile(rf"(?<![\w-]){_UK_POSTCODE}(?![\w-])", re.IGNORECASE)
_PART_OF_ADDRESS = re.compile(
    rf"(?:(?i:{_FLAT})|\d{{1,5}}[A-Za-z]?(?:(?:[-/]| ?& ?)\d{{1,5}})?)?[ \t]*(?:(?:[A-Z][\w.'’-]*|of|on|upon|in|the|le|under|y|yr|ap|na|St\.?|&|\d[a-z]{{2}})[ \t]*){{0,6}}(?:(?i:{_FLAT})[ \t]*)?$",
)
_LAST_CAPITALS = re.compile(
    r"(?:(?<=[\s(])|^)(?:(?:\d{1,5}[A-Za-z]?(?:[-/]\d{1,5})?[ \t]+)|(?i:flat|apt|unit|suite|plot|lot)[ \t]\w{1,5}[ \t]*)?"
    r"(?:[A-Z][\w.'’-]*[ \t]+(?:(?:of|on|upon|in|the|le)[ \t]+)?){0,4}[A-Z][\w.'’-]*[ \t]*$|(?:(?<=[\s(])|^)(?i:(?:flat|apt|unit|suite|plot|lot)[ \t])?\d{1,5}[A-Za-z]?[ \t]*$"
)
#: A street that is called by a name alone counts where town and state follow.
_NAMED_STREET = re.compile(
    r"(?<![\w$£€.,/-])(?P<street>\d{1,6}[A-Za-z]?[ \t]+(?:The[ \t]+|[NSEW]\.?[ \t]+)?[A-Z][\w.'’-]{1,30}(?:[ \t]+[A-Z][\w.'’-]{1,30}){0,2}),[ \t]+"
    r"(?P<town>(?:St\.|[A-Z][\w'’-]{1,30})(?:[ -](?![A-Z]{2}\b)[A-Z][\w'’-]{1,30}){0,2})(?:,?[ \t]+(?P<state>[A-Z]{2})\b(?:,?[ \t]+(?P<postcode>\d{5}(?:-\d{4})?))?)?"
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
#: Suffixes that mean a street in words without capitals, too.
_STRONG = frozenset({"street", "st", "road", "rd", "avenue", "ave", "lane", "ln", "drive", "dr", "close", "court", "ct", "crescent", "boulevard", "blvd"})  # fmt: skip
_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d)?[ \t]?[ap]m|\d{1,2}:\d\d", re.IGNORECASE)
_MOST_PARTS = 6
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)
_SMALL_WORDS = frozenset({"of", "on", "upon", "the", "de", "la", "le"})
_ROADS = frozenset({"FM", "CR", "US"})
_QUADRANTS = frozenset({"ne", "nw", "se", "sw"})
_WORKED = re.compile(r"\b(?:at|site|address|property|house|located|live|lives|from|to|is|:)(?: at| in| is)? ?:?$")


#: Who is at an address is no part of it.
_IS_COMPANY = re.compile(
    r"^[^\d,]{3,60}\b(?:Inn|School|Primary|Infants|Juniors|Antiques|Academy|Church|Ltd|Limited|PLC|LLP|Hotel|Cafe|Café|Restaurant|Nursery|College|Surgery|Dental|Clinic|Club|"
    r"Pharmacy|Hospital|Library|Salon|Care Home|Nursing Home|Group|Trust|Council|Local|Store|Stores|Bakery|Garage Ltd|Arms|Head)\.?$"
)
#: A British house name right before the number of its street.
_HOUSE = re.compile(
    r"(?P<house>[A-Z][\w'’-]{1,20}(?:[ \t][A-Z][\w'’-]{1,20})?[ \t](?:House|Court|Lodge|Cottage|Mansions|Building|Tower|Mill|Hall|Farm|Chambers)),[ \t]*$"
)
#: An address over several lines, as on letters: the lines are read as parts.
_LINES = re.compile(
    rf"^[ \t>]*(?=[^\n]{{0,20}}\d)[^\n:@]{{4,60}}\n[ \t]*(?:[A-Z][A-Za-z'’. -]{{2,30}},?[ \t]*\n[ \t]*){{0,2}}"
    rf"(?:[A-Z][A-Za-z'’. -]{{1,30}}?,?[ \t]+)?(?:(?:{_STATE})\b,?[ \t]+)?(?:{_UK_POSTCODE}|\d{{5}}(?:-\d{{4}})?|{_CANADIAN})[ \t.]*$",
    re.MULTILINE,
)


class Addresses:
    """Finds addresses: numbered streets, what stands before a British postcode, German ones, and a number with a name
    before a town that exists."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._places = lexicon.places

    def __call__(self, page: Page, _context: Context) -> Iterator[Candidate]:
        """Addresses on one line, parts separated by commas; postcodes as their country writes them."""
        blocks = list(_LINES.finditer(page.free))
        for block in blocks:
            page.free = page.free[: block.start()] + block[0].replace("\n", ",") + page.free[block.end() :]
        yield from self._addresses(page)
        for block in blocks:
            page.free = (
                page.free[: block.start()]
                + "".join(
                    "\n" if free == "," and written == "\n" else free
                    for free, written in zip(
                        page.free[slice(*block.span())], page.text[slice(*block.span())], strict=True
                    )
                )
                + page.free[block.end() :]
            )

    def _addresses(self, page: Page) -> Iterator[Candidate]:
        for german in _GERMAN.finditer(page.free):
            page.take(*german.span())
            value = f"{_tidy(german['street'])}, {german['postcode']} {german['town']}"
            yield Candidate(Kind.ADDRESS, value, *german.span(), 0.9, _rule(value, german[0]))
        for coded in _UK.finditer(page.free):
            british = _before_postcode(page, coded, self._lexicon)
            if british is not None:
                british = _with_house(british, page)
                page.take(british.start, british.end)
                yield british
        position = 0
        while (found := _ADDRESS.search(page.free, position)) is not None:
            position = found.end("number")
            if not _is_street(found, page):
                continue
            candidate = _with_house(self._address(found, page), page)
            page.take(candidate.start, candidate.end)
            position = candidate.end
            yield candidate
        for named in _NAMED_STREET.finditer(page.free):
            if named["state"] in _STATES or (
                not named["state"] and self._is_town(named["town"]) and not _MONTH.search(named["street"])
            ):
                page.take(*named.span())
                last = " ".join(part for part in (named["state"], named["postcode"]) if part)
                value = ", ".join(part for part in (_tidy(named["street"]), _tidy(named["town"]), last) if part)
                sure = 0.93 if named["postcode"] else 0.85 if named["state"] else 0.8
                yield Candidate(Kind.ADDRESS, value, *named.span(), sure, _rule(value, named[0]))

    def _is_town(self, name: str) -> bool:
        """A place that is known, or a name in capitals that is neither a first name nor an everyday word."""
        words = name.strip(" .").split()
        strange = all(
            word[0].isupper() and not self._lexicon.is_given(word) and not self._lexicon.is_common(word)
            for word in words
        )
        return name in self._places or (bool(words) and len(words) < 3 and strange)

    def _address(self, found: re.Match[str], page: Page) -> Candidate:
        """The address of a match; a town that is none is left to the rest of the note."""
        end = found.end()
        town = found["town"] or ""
        if town and not (found["postcode"] or found["state"] or found["county"]):
            first = re.split(r",|(?<=[a-z]{3})\.[ \t]", town)[0].strip()
            town = first if self._is_town(re.sub(r"^(?:in|at)[ \t]+", "", first)) else ""
            end = (
                found.start("town") + len(town) if town else found.end("unit") if found["unit"] else found.end("street")
            )
        if not (town or found["postcode"] or found["state"] or found["county"]):
            town, end = self._town_behind(page, end)
        return _address(found, town, found.start(), end, page)

    def _town_behind(self, page: Page, end: int) -> tuple[str, int]:
        """A known place right behind a street, without a comma or a capital: ``118 sawmill road in hampton gotta …``."""
        for words in (2, 1):
            found = re.match(
                rf"[, \t]+(?:in[ \t]+)?(?P<town>[^\W\d_]+(?:[ \t][^\W\d_]+){{{words - 1}}})\b",
                page.free[end : end + 60],
            )
            if found is None:
                continue
            name = found["town"]
            if name in self._places and (page.caseless or name[0].isupper()) and not self._lexicon.is_frequent(name):
                return name, end + found.end()
        return "", end


def _before_postcode(page: Page, coded: re.Match[str], lexicon: Lexicon) -> Candidate | None:
    """What leads to a British postcode on its line: parts with capitals and numbers, back to what is none."""
    line_start = max(page.free.rfind("\n", 0, coded.start()), page.free.rfind(TAKEN, 0, coded.start())) + 1
    line_start = max(line_start, coded.start() - 160)
    text = page.free[line_start : coded.start()].rstrip(" \t,")
    stop = max(
        (
            found.end()
            for found in re.finditer(
                r"[:;!?|]|(?<!\bSt)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bRev)\.[ \t]|[ \t][-–—]{1,2}[ \t]", text
            )
        ),
        default=0,
    )
    line_start += stop
    text = text[stop:]
    parts: list[tuple[int, str]] = []
    end = len(text)
    while end > 0 and len(parts) < _MOST_PARTS:
        comma = text.rfind(",", 0, end)
        part = text[comma + 1 : end]
        whole = _PART_OF_ADDRESS.match(part.strip()) if part.strip() else None
        last = None if whole else _LAST_CAPITALS.search(part)
        if whole is None and last is None:
            break
        at = comma + 1 + (len(part) - len(part.lstrip()) if whole else last.start() if last else 0)
        parts.insert(0, (at, text[at:end].strip()))
        end = comma
        if whole is None or comma < 0 or re.match(r"(?:flat|unit|apt|suite|plot|lot)\b", parts[0][1], re.IGNORECASE):
            break
    while parts and not re.search(r"\d|\bThe\b", parts[0][1]) and _has_number(parts[1:]):
        parts.pop(0)
    if len(parts) > 2 and _IS_COMPANY.search(parts[1][1]) and not any(map(str.isdigit, parts[0][1])):
        parts.pop(0)  # who is there: ``Bursar, Ravensmere School, …``
    while len(parts) > 1 and _IS_COMPANY.search(parts[0][1]) and _has_street(parts[1:]):
        parts.pop(0)
    for place in reversed(range(len(parts) - 1)):  # who lives there, and what stands before
        if (place or len(parts) > 2) and (_is_person(parts[place][1], lexicon) or _CLOCK.fullmatch(parts[place][1])):
            parts = parts[place + 1 :]
            break
    if not parts or not (any(map(str.isdigit, parts[0][1])) or len(parts) > 1):
        return None
    sure = 0.95
    if len(parts) > 2 and not _has_number(parts) and not _has_street(parts):
        sure = 0.7  # a house and its village: a person looks
    elif not _has_number(parts) and not re.search(
        rf"\b(?:{'|'.join(_SUFFIXES)})\b|\bThe\b", " ".join(part for _, part in parts), re.IGNORECASE
    ):
        return None
    start = line_start + parts[0][0]
    words = [_british_part(part) for _, part in parts]
    if len(words) > 1 and words[0].isdigit():
        words[:2] = [f"{words[0]} {words[1]}"]
    value = ", ".join([*(word for word in words if word), _postcode(coded[0])])
    return Candidate(Kind.ADDRESS, value, start, coded.end(), sure, _rule(value, page.text[start : coded.end()]))


def _with_house(candidate: Candidate, page: Page) -> Candidate:
    """With the name of the building that stands right before the number."""
    house = _HOUSE.search(page.free, max(0, candidate.start - 60), candidate.start)
    if house is None:
        return candidate
    return replace(candidate, value=f"{_tidy(house['house'])}, {candidate.value}", start=house.start("house"))


def _has_street(parts: list[tuple[int, str]]) -> bool:
    return any(re.search(rf"\b(?:{'|'.join(_SUFFIXES)})$", part, re.IGNORECASE) for _, part in parts)


def _is_person(part: str, lexicon: Lexicon) -> bool:
    """A name before the first part of an address: ``Geraint Pugh, The Old Forge, …``."""
    words = part.split()
    words = words[1:] if len(words) > 2 and re.fullmatch(r"\d{3,}", words[0]) else words  # ``job 2984 Mehmet Aydin, …``
    named = lexicon.is_given(words[0]) or len(words[0].strip(".")) == 1 or words[0].lower().strip(".") in TITLES
    couple = words[0].lower().strip(".") in TITLES and len(words) < 6
    return (
        (couple or len(words) in (2, 3))
        and named
        and words[-1].lower() not in {*_SUFFIXES, "house", "cottage", "lodge", "farm"}
    )


def _has_number(parts: list[tuple[int, str]]) -> bool:
    return any(re.match(r"(?:\d|flat|unit|apt|suite|plot|lot)", part, re.IGNORECASE) for _, part in parts)


def _british_part(part: str) -> str:
    """One part; a street and its town without a comma between them get one."""
    found = re.fullmatch(
        rf"(\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,5}})?[ \t]+(?:[\w.'’-]+[ \t]+){{1,3}}?(?:{'|'.join(_SUFFIXES)}))\.?[ \t]+([A-Z][\w.'’ -]*)",
        part.strip(), re.IGNORECASE,
    )  # fmt: skip
    if found is None or found[2].lower() in _SUFFIXES:
        return _capitals(_tidy(part))
    return f"{_capitals(_tidy(found[1]))}, {_capitals(_tidy(found[2]))}"


def _is_street(found: re.Match[str], page: Page) -> bool:
    words = found["street"].rstrip(".").split()[:-1]
    if not words or any(word.lower().strip(".") in _NO_STREET - _SMALL_WORDS for word in words):
        return False
    named = [word for word in words if word.lower() not in _SMALL_WORDS]
    if not named or words[0].lower() in {"of", "on", "the"} - {"the"}:
        return False
    strong = page.caseless and found["suffix"] and found["suffix"].lower() in _STRONG
    capital = strong or all(word[0].isupper() or word[0].isdigit() for word in named)
    placed = bool(found["state"] or found["postcode"])
    return capital or placed or bool(_WORKED.search(page.words_before(found.start())))


def _address(found: re.Match[str], town: str, start: int, end: int, page: Page) -> Candidate:
    flat = ", ".join(_capitals(_tidy(part)) for part in (found["flat"] or "").strip(" ,").split(",") if part.strip())
    street = f"{found['number']} {_capitals(_tidy(found['street']).rstrip('.'))}"
    unit = _capitals(_tidy((found["unit"] or "").strip(" ,")))
    if unit and not (found["unit"] or "").lstrip().startswith(","):  # as post offices write it
        street, unit = f"{street} {unit}", ""
    town = re.sub(r"^(?:in|at)[ \t]+", "", town)
    town = ", ".join(_capitals(_tidy(part)) for part in town.split(",") if part.strip())
    state = _code(found["state"])
    postcode = _postcode(found["postcode"] or "")
    british = bool(postcode) and not postcode[0].isdigit() and not re.fullmatch(_CANADIAN, postcode)
    last = ", ".join(part for part in (state, postcode) if part) if british else f"{state} {postcode}".strip()
    if town and not state and postcode.isdigit():
        last = postcode
    value = ", ".join(part for part in (flat, street, unit, town, found["county"] or "", last) if part)
    sure = 0.95 if postcode else 0.88 if town and state else 0.8 if town or state else 0.6
    question = "" if town or postcode or state else f"In which town is {street}?"
    written = page.text[start:end]
    return Candidate(Kind.ADDRESS, value, start, end, 0.5 if question else sure, _rule(value, written), question)


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
        word.upper()
        if word.lower() in _QUADRANTS or word in _ROADS
        else word
        if word.lower() in _SMALL_WORDS and place
        else word.capitalize()
        for place, word in enumerate(words.split())
    )


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _rule(value: str, written: str) -> str:
    return "address.normal_form" if value != written else ""
