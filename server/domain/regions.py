"""Places in free text: towns, states and countries by name, US ZIP codes, British postcode areas and districts.

A place table row is ``key, name, admin, country, population, wage area, basis, latitude, longitude``, separated by
tabs; rows become `Place` only when they are found, so a table of forty thousand rows is ready in milliseconds. A row of
the postcode table is ``beginning, country, admin`` of codes and then, for each place that some of them stand for, its
``key:ends``: ``372, US, TN, nashville:01,02,03`` holds 37201 to 37203.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from rapidfuzz import fuzz, process

from server.domain.catalogue import Place
from server.domain.money import CURRENCIES
from server.domain.takeoff import Span
from server.domain.words import fold

US_STATES: dict[str, str] = {
    "AL": "Alabama",
    "AK": "Alaska",
    "AZ": "Arizona",
    "AR": "Arkansas",
    "CA": "California",
    "CO": "Colorado",
    "CT": "Connecticut",
    "DE": "Delaware",
    "DC": "District of Columbia",
    "FL": "Florida",
    "GA": "Georgia",
    "HI": "Hawaii",
    "ID": "Idaho",
    "IL": "Illinois",
    "IN": "Indiana",
    "IA": "Iowa",
    "KS": "Kansas",
    "KY": "Kentucky",
    "LA": "Louisiana",
    "ME": "Maine",
    "MD": "Maryland",
    "MA": "Massachusetts",
    "MI": "Michigan",
    "MN": "Minnesota",
    "MS": "Mississippi",
    "MO": "Missouri",
    "MT": "Montana",
    "NE": "Nebraska",
    "NV": "Nevada",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico",
    "NY": "New York",
    "NC": "North Carolina",
    "ND": "North Dakota",
    "OH": "Ohio",
    "OK": "Oklahoma",
    "OR": "Oregon",
    "PA": "Pennsylvania",
    "PR": "Puerto Rico",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "SD": "South Dakota",
    "TN": "Tennessee",
    "TX": "Texas",
    "UT": "Utah",
    "VT": "Vermont",
    "VA": "Virginia",
    "WA": "Washington",
    "WV": "West Virginia",
    "WI": "Wisconsin",
    "WY": "Wyoming",
}
CANADIAN_PROVINCES: dict[str, str] = {
    "AB": "Alberta",
    "BC": "British Columbia",
    "MB": "Manitoba",
    "NB": "New Brunswick",
    "NL": "Newfoundland and Labrador",
    "NS": "Nova Scotia",
    "NT": "Northwest Territories",
    "NU": "Nunavut",
    "ON": "Ontario",
    "PE": "Prince Edward Island",
    "QC": "Quebec",
    "SK": "Saskatchewan",
    "YT": "Yukon",
}
AUSTRALIAN_STATES: dict[str, str] = {
    "ACT": "Australian Capital Territory",
    "NSW": "New South Wales",
    "QLD": "Queensland",
    "SA": "South Australia",
    "TAS": "Tasmania",
    "VIC": "Victoria",
}
#: Their codes are another country's first: only where Australia is meant, or the town is there, are these theirs.
_ALL_AUSTRALIAN_STATES = AUSTRALIAN_STATES | {"NT": "Northern Territory", "WA": "Western Australia"}
COUNTRY_NAMES: dict[str, str] = {
    "us": "US",
    "usa": "US",
    "u s": "US",
    "u s a": "US",
    "united states": "US",
    "united states of america": "US",
    "uk": "GB",
    "u k": "GB",
    "gb": "GB",
    "united kingdom": "GB",
    "great britain": "GB",
    "britain": "GB",
    "england": "GB",
    "scotland": "GB",
    "wales": "GB",
    "northern ireland": "GB",
    "ireland": "IE",
    "republic of ireland": "IE",
    "canada": "CA",
    "australia": "AU",
    "new zealand": "NZ",
    "nz": "NZ",
    "germany": "DE",
    "deutschland": "DE",
    "spain": "ES",
    "espana": "ES",
    "france": "FR",
}
#: A country as a place, by its code.
COUNTRIES: dict[str, str] = {
    "US": "United States",
    "GB": "United Kingdom",
    "IE": "Ireland",
    "CA": "Canada",
    "AU": "Australia",
    "NZ": "New Zealand",
    "DE": "Germany",
    "ES": "Spain",
    "FR": "France",
}
#: Names in `COUNTRY_NAMES` that are of a part of one.
_NATIONS = {"england": "ENG", "scotland": "SCT", "wales": "WLS", "northern ireland": "NIR"}
_COUNTY_NAMES = {
    "ENG": """
    avon, bedfordshire, berkshire, buckinghamshire, cambridgeshire, cheshire, cleveland, co durham, cornwall, county
    durham, cumberland, cumbria, derbyshire, devon, dorset, east riding of yorkshire, east sussex, east yorkshire,
    essex, gloucestershire, greater london, greater manchester, hampshire, herefordshire, hertfordshire, humberside,
    huntingdonshire, isle of wight, kent, lancashire, leicestershire, lincolnshire, merseyside, middlesex, norfolk,
    north yorkshire, northamptonshire, northumberland, nottinghamshire, oxfordshire, rutland, shropshire, somerset,
    south yorkshire, staffordshire, suffolk, surrey, sussex, tyne and wear, warwickshire, west midlands, west sussex,
    west yorkshire, westmorland, wiltshire, worcestershire, yorkshire
    """,
    "SCT": """
    aberdeenshire, angus, argyll, argyllshire, ayrshire, banffshire, berwickshire, caithness, clackmannanshire,
    dumfriesshire, dunbartonshire, east ayrshire, east lothian, east renfrewshire, fife, inverness shire,
    kincardineshire, kirkcudbrightshire, lanarkshire, midlothian, morayshire, nairnshire, north ayrshire,
    north lanarkshire, orkney, peeblesshire, perthshire, renfrewshire, ross shire, roxburghshire, selkirkshire,
    shetland, south ayrshire, south lanarkshire, stirlingshire, sutherland, west dunbartonshire, west lothian,
    wigtownshire
    """,
    "WLS": """
    anglesey, breconshire, caernarfonshire, cardiganshire, carmarthenshire, ceredigion, clwyd, denbighshire, dyfed,
    flintshire, glamorgan, gwent, gwynedd, isle of anglesey, merionethshire, mid glamorgan, monmouthshire,
    montgomeryshire, pembrokeshire, powys, radnorshire, south glamorgan, vale of glamorgan, west glamorgan
    """,
    "NIR": """
    co antrim, co armagh, co down, co fermanagh, co londonderry, co tyrone, county antrim, county armagh, county down,
    county fermanagh, county londonderry, county tyrone
    """,
}
#: The nation by the county's name as people write it behind a British town; the source of the places has no counties.
BRITISH_COUNTIES: dict[str, str] = {
    " ".join(name.split()): nation for nation, names in _COUNTY_NAMES.items() for name in names.split(",")
}
#: Currency that facts of a country are stated in.
CURRENCY_OF: dict[str, str] = {
    "US": "USD",
    "GB": "GBP",
    "CA": "CAD",
    "AU": "AUD",
    "IE": "EUR",
    "DE": "EUR",
    "ES": "EUR",
    "FR": "EUR",
}
#: The country whose national figures a currency stands for where no place is known; the euro names none.
COUNTRY_OF: dict[str, str] = {"USD": "US", "GBP": "GB", "CAD": "CA", "AUD": "AU"}
#: Countries whose people tell sizes in feet.
IN_FEET = frozenset({"US", "CA"})

#: Postal codes of states that are ordinary words: in a sentence they count only in capitals after a comma or a city.
_WORD_CODES = frozenset(
    {"IN", "OR", "ME", "OK", "HI", "OH", "PA", "MA", "ID", "LA", "DE", "AL", "CO", "MO", "MD", "ON"}
)
#: Places whose names are ordinary words of trade requests: only a state or country beside them makes them places.
_ORDINARY_WORDS = """
acton alarm apollo april arch august ball bar barking bath bathroom battle bay beach beacon bend berry best big
blackwood block blue bond box brick bridge bright brown burns bush butte canal cedar center central chase cherry
clay clean clear clover coal college commerce cook corner cove crane cross crown date deal diamond dish door drain
driveway duke earth eagle east edge elm end energy enterprise eve export fair fence field fields fish fleet flint
floor flower forest forge fort fountain freedom friend fruit garage garden gardens gate gold golden grand granite
grass gray green grey grove gulf hall harbor hardware hart hatch hazard heath hedge hill hills home hook hope house
iron ivory ivy january jet june july junction keys king kitchen lake lamp laurel leaf lift lime liberty light live
lodge long loop magnolia main maple march marble mars mason may meadow metal mission mobile moon moss mount mountain
normal north nice oak oaks odd orange orchard oven page paint palm park patio pearl pine pipe plain plant plaster
plumb point pool porch post power price pride progress prospect quick rail rainbow ranch ray reading red redwood
ridge ring river road rock rocks rocky rose roof royal rugby rural rush rye sale salt sand sandy save security shade
shell shelter shower silver slate sleet small social south spa spring springs stable stamps star steel stone story
street strong sugar summer summit sun sunrise sunset surprise table tank temple terrace texture tile timber tomball
top tower trail tree trim union universal utility vale valley veneer view vista walnut wall walls ware wash water
wave wax wells west white willow wind window windows winter wood woods yard
"""
_ORDINARY = frozenset(_ORDINARY_WORDS.split())
#: Cities that are given names, surnames and makes as well: without a cue or a region they are no places.
_NAMES_AND_MAKES = """
abilene alexandria arlington augusta aurora austin bradford brighton cambridge carson charleston charlotte chester
clifton columbia concord cypress dayton derby durham edison everett georgia hamilton hampton henderson jackson
jordan kent kingston lancaster lincoln logan madison marion montgomery nelson norman oxford paris preston regina
richmond rochester roosevelt salem savannah stanley sterling sydney taylor troy tyler victoria vista warren
washington wellington wilmington winchester windsor worcester york
"""
_ALSO_NAMES = frozenset(_NAMES_AND_MAKES.split())
#: Smallest population of a place that a bare cue ("in Nashville", no state) may name.
_CUE_POPULATION = 15_000
#: Without capitals in the whole text, "in nashville" counts only for cities of this size.
_LOWER_POPULATION = 100_000
#: A namesake abroad this many times larger is meant when a request names no region: Leeds is not Leeds, Alabama.
_DOMINANCE = 25

#: What makes a name longer than a city's: "from Victoria Plumb", "quote for Sydney House".
_GOES_ON = re.compile(r"[ ]+[A-Z][a-z]")

_WORD = r"[^\W\d_][\w.'\u2019-]*"
_CUE = re.compile(
    r"\b(?:in|near|at|around|outside|serving|to|from|for)\s+(?:the\s+)?"
    r"(?:(?:downtown|central|north|south|east|west|northern|southern|eastern|western|greater|rural|suburban|inner|outer"
    r"|city\s+of|area\s+of)\s+)*",
    re.IGNORECASE,
)
_WORDS = re.compile(rf"\b{_WORD}")
#: Words before what may be their ZIP code: "… in san antonio 78250".
_BEFORE_ZIP = re.compile(r"\b((?:[^\W\d_][\w.'’-]{1,30}[ ]){1,3})(\d{5})(?![-.,]?\w)")
#: A name that stands alone between two signs, with no more than where in the city it is or a British district: "…,
#: Tampa, …", "(south Minneapolis)", "Norwich NR4. …".
_BETWEEN_SIGNS = re.compile(
    r"(?:^|[,;:(.!?\n]|[ ][-–—])[ \t]*(?:(?:downtown|central|north|south|east|west|greater)[ ])?"
    r"(?P<city>[^\W\d_][\w'’-]{2,30}(?:[ ][^\W\d_][\w'’-]{1,30}){0,2}?)"
    r"(?:[ ][A-Za-z]{1,2}\d{1,2}[A-Za-z]?)?"
    r"(?=[ \t]*(?:[,;:()\n]|[.!?](?:\s|$)|[-–—][ ]))",
    re.IGNORECASE,
)
_RUN = re.compile(rf"{_WORD}(?:[ \t]+{_WORD}){{0,3}}")
_REGION_AFTER = re.compile(rf"[ \t]*(,?)[ \t]*({_WORD}(?:[ \t]+{_WORD}){{0,3}})")
_POSTCODE = re.compile(r"\b(?:\d{5}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}|[a-z]\d[a-z]\s*\d[a-z]\d)\b")
#: A ZIP code, or a British postcode of which the district alone counts; in a location text, folded.
_ZIP = re.compile(r"\b(\d{5})(?:-\d{4})?\b")
_DISTRICT = re.compile(r"\b([a-z]{1,2}\d[a-z\d]?)(?:\s*\d[a-z]{2})?\b")
_AREA = re.compile(r"[a-z]{1,2}")
#: A Canadian postcode, folded. Where Canada is meant, its first half alone is one; elsewhere that is a British
#: district.
_CANADIAN = re.compile(r"\b([abceghj-nprstvxy])\d[a-z](?:[ -]*\d[a-z]\d\b|(?P<half>\b)(?! ?\d[a-z]{2}\b))")
#: "…, ON, CA M5V 2T6": Canada, not California.
_CANADA_AS_CODE = re.compile(r"\bca[\s,]*$")
#: The province by the first letter of a postcode, as Canada Post gives them out; X is of two territories.
_PROVINCE_OF = {
    letter: province
    for letters, province in (
        ("a", "NL"),
        ("b", "NS"),
        ("c", "PE"),
        ("e", "NB"),
        ("ghj", "QC"),
        ("klmnp", "ON"),
        ("r", "MB"),
        ("s", "SK"),
        ("t", "AB"),
        ("v", "BC"),
        ("y", "YT"),
    )
    for letter in letters
}
#: In a work request only what can hardly be anything else: a ZIP code after a state, "ZIP" or a cue, and whole British
#: postcodes in capitals.
_ZIP_IN_REQUEST = re.compile(
    rf"(?:\b(?:{'|'.join(US_STATES)}),?[ ]|\b[Zz][Ii][Pp](?:[ ]?[Cc]ode)?(?:['’]s|[ ]is)?:?[ ]|\b(?:[Ii]n|[Nn]ear)[ ]"
    # All that stands between two signs: "Replace the toilet, 78704."
    r"|(?:^|[,;(\n]|[.!?]\s|\s[-–—])[ ]?(?=\d{5}[ ]?(?:[,;)\n]|[.!?](?!\d)|[ ][-–—]|$)))"
    r"(\d{5})(?:-\d{4})?"
    r"(?![-.,]?\w|[ ](?:sq|square|m2|ft|feet|foot|lf|sf|cu|gal|lb|kg|each|units?|pieces?)\b)"
)
_FIVE_DIGITS = re.compile(r"\d{5}")
_POSTCODE_IN_REQUEST = re.compile(r"\b([A-Z]{1,2}\d[A-Z\d]?) ?\d[A-Z]{2}\b")
_NOT_LETTERS = re.compile(r"[^a-z0-9]+")
_PREFIXES = {"saint": "st", "sainte": "ste", "fort": "ft", "mount": "mt"}


@lru_cache(maxsize=16384)
def place_key(name: str) -> str:
    """The form under which names of places are indexed: folded, letters and digits only, ``Saint`` as ``st``."""
    words = _NOT_LETTERS.sub(" ", fold(name)).split()
    return " ".join(_PREFIXES.get(word, word) for word in words)


def code_beginning(code: str) -> str:
    """What codes of one line of the postcode table share: three digits of a ZIP code, the letters of a British one."""
    return code[:3] if code[:1].isdigit() else code[: 2 if code[1:2].isalpha() else 1]


def _region_codes() -> dict[str, tuple[str, str]]:
    """``(country, admin)`` by folded name or code of a state or province; a US code wins over another country's."""
    found: dict[str, tuple[str, str]] = {}
    tables = (("AU", _ALL_AUSTRALIAN_STATES), ("CA", CANADIAN_PROVINCES), ("US", US_STATES))
    for country, table in tables:
        for code, name in table.items():
            found[code.lower()] = (country, code)
            found[place_key(name)] = (country, code)
    return found | {"england": ("GB", "ENG"), "scotland": ("GB", "SCT"), "wales": ("GB", "WLS")}


_REGIONS = _region_codes()
_REGION_TABLES = {"US": US_STATES, "CA": CANADIAN_PROVINCES, "AU": _ALL_AUSTRALIAN_STATES}
#: Four digits at the end of an Australian location, folded: behind a state, before "Australia", or where that is meant.
_FOUR_DIGITS = re.compile(
    rf"(?P<state>\b(?:{'|'.join((*_ALL_AUSTRALIAN_STATES, *_ALL_AUSTRALIAN_STATES.values())).lower()}))?"
    r"[\s,]{1,9}\d{4}(?P<country>[\s,]{1,9}australia)?[\s,.]*$"
)


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """A place that a text names. ``note`` says what was chosen among namesakes, empty where there was no choice.

    ``is_region``: no town is known, only the state, county or country; prices can be of it, a town's name it is not.
    """

    place: Place
    ambiguous: bool = False
    note: str = ""
    is_region: bool = False


class Gazetteer:
    """Places by name and postcode. Made from the lines of the place table and the text of the postcode table; a place
    line that has not nine fields raises ``ValueError``."""

    __slots__ = ("_by_key", "_found", "_postcodes", "_rows")

    def __init__(self, lines: Iterable[str], postcodes: str = "") -> None:
        #: Searched as one text: a look-up takes some ten microseconds, and there is nothing to build at start.
        self._postcodes = f"\n{postcodes}"
        self._rows: list[str] = []
        self._by_key: dict[str, list[int]] = {}
        for line in lines:
            self._by_key.setdefault(line[: line.index("\t")], []).append(len(self._rows))
            self._rows.append(line)
        # Every request of an organization asks for the organization's own place.
        self._found = lru_cache(maxsize=1024)(self._found_anew)

    def __len__(self) -> int:
        """How many rows the table has."""
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        """Whether a place is called so."""
        return isinstance(name, str) and place_key(name) in self._by_key

    def find(self, text: str, country_hint: str = "US") -> PlaceMatch | None:
        """The place that a location text names: ``Nashville``, ``Springfield IL``, ``1 Elm St, Austin, TX``, ``37201``,
        ``LS6 2AB``, ``LS6``, ``LS``.

        A postcode decides, then a named state or country; else the most populous in ``country_hint``, else the most
        populous anywhere. None where no part of the text is a known place.
        """
        return self._found(text, country_hint)

    def _found_anew(self, text: str, country_hint: str) -> PlaceMatch | None:
        folded = fold(text)
        canadian = [one for one in _CANADIAN.finditer(folded) if one["half"] is None or country_hint == "CA"]
        if canadian:
            words = _CANADA_AS_CODE.sub(" ", _POSTCODE.sub(" ", _CANADIAN.sub(" ", folded)))
            return self._find_named(words, "CA", province=_PROVINCE_OF.get(canadian[-1][1], ""))
        behind = _FOUR_DIGITS.search(folded)
        if behind is not None and (behind["state"] or behind["country"] or country_hint == "AU"):
            folded = f"{folded[: behind.start()]}{behind['state'] or ''}"
            # "Perth WA 6000" is in no other country.
            return self._find_named(f"{folded}, australia", "AU")
        coded = self._postcode_in(folded, country_hint)
        if coded is None:
            named = self._find_named(_POSTCODE.sub(" ", folded), country_hint)
            # "LS", and nothing else: an area, unless it is the name or code of a place.
            alone = folded.strip()
            return named or (self._coded(alone) if _AREA.fullmatch(alone) else None)
        without = _DISTRICT.sub(" ", _ZIP.sub(" ", folded))
        keys = [key for part in without.split(",") if (key := place_key(part))]
        country, _, parts = _split_region(keys, country_hint)
        if country and country != coded.place.country:
            return self._find_named(_POSTCODE.sub(" ", folded), country_hint)
        # The town that is written wins where it lies in the postcode's state; elsewhere the postcode is surer.
        for part in reversed(parts):
            named = self._choose(part, coded.place.country, coded.place.admin, country_hint)
            if named is not None and named.place.population:
                return PlaceMatch(replace(named.place, postcode=coded.place.postcode))
        return coded

    def postcode(self, code: str, country: str) -> str:
        """``code`` as the postcode table has it: a ZIP code, a British area or district. Empty where it has none."""
        match = self._coded(fold(code).strip())
        return match.place.postcode if match is not None and match.place.country == country else ""

    def _find_named(self, words: str, country_hint: str, province: str = "") -> PlaceMatch | None:
        """``province`` is where a Canadian postcode is, unless the words name another region or country."""
        parts = [key for part in words.split(",") if (key := place_key(part)) and key.upper() != province]
        if not parts:
            return _wider(self._region("CA", province), is_known=True) if province else None
        last = parts[-1]
        country, admin, parts = _split_region(parts, country_hint)
        if not admin and len(parts) == 1:
            wider = self._whole_region(parts[0], country, country_hint)
            if wider is not None:
                return _wider(wider, is_known=True)
        if province and not admin and country in {"", "CA"}:
            country, admin = "CA", province
        return (
            (None if admin else self._in_county(parts, country, country_hint))
            or self._in_parts(parts, country, admin, country_hint)
            or self._abroad(parts, country, admin)
            or self._namesake_of_state(last, country, admin, country_hint)
            or self._rest_of(country, admin, country_hint)
        )

    def _whole_region(self, name: str, country: str, country_hint: str) -> Place | None:
        """What a text that is nothing but the name of a country or the code of a state says: "UK", "England", "TX".
        Codes are those of the country that is named or hinted; names of states are looked for among the places."""
        if name in COUNTRY_NAMES and country in {"", COUNTRY_NAMES[name]}:
            whole = _country(COUNTRY_NAMES[name])
            return replace(whole, name=name.title(), admin=_NATIONS[name]) if name in _NATIONS else whole
        if name.upper() in _REGION_TABLES.get(country or country_hint, {}):
            return self._region(country or country_hint, name.upper())
        of, admin = _REGIONS.get(name, ("", ""))
        # The table has no rows of Australia's states; a town of theirs in the country that is meant is surer.
        is_state = of == "AU" and country in {"", of} and name.upper() != admin
        return self._region(of, admin) if is_state and not self._candidates(name, country or country_hint, "") else None

    def _in_county(self, parts: Sequence[str], country: str, country_hint: str) -> PlaceMatch | None:
        """The British town before its county ("Norwich, Norfolk"), or the county where no town is known.

        What may as well be elsewhere is, where that is hinted: to an American Norfolk is a town, and so is Norwich; in
        "Maidstone, Kent" only the county's name is a town's.
        """
        county, before = _split_county(parts)
        # Appleby-in-Westmorland is a town's whole name.
        if not county or country not in {"", "GB"} or (parts[-1] != county and self._candidates(parts[-1], "GB", "")):
            return None
        is_british = "GB" in {country, country_hint}
        # In another country's address a street's last word may be some British town.
        most = None if is_british else 1
        for part, key in ((whole, key) for whole in reversed(before) for key in _suffixes(whole)[:most]):
            town = self._choose(key, "GB", "", "GB")
            # "Elm Street" is not in Street, Somerset.
            if town is None or (key in _ORDINARY and key != part):
                continue
            if not is_british and all(self._candidates(one, country_hint, "") for one in (county, key)):
                return None
            return town
        if self._candidates(county, "" if not is_british else "GB", ""):
            return None
        return _wider(Place(county.title(), BRITISH_COUNTIES[county], "GB", 0, ""), is_known=not before)

    def _in_parts(self, parts: Sequence[str], country: str, admin: str, country_hint: str) -> PlaceMatch | None:
        """The place that the last part names. Where that is one abroad, an earlier part that is wholly the name of a
        place of the hinted country is surer, if no region is named."""
        abroad = None
        for part in reversed(parts):
            keys = [part] if abroad is not None else _suffixes(part)
            match = next((match for key in keys if (match := self._choose(key, country, admin, country_hint))), None)
            if match is not None and (country or admin or match.place.country == country_hint):
                return match
            abroad = abroad or match
        return abroad

    def _abroad(self, parts: Sequence[str], country: str, admin: str) -> PlaceMatch | None:
        """The town where the code of its state is read as another country's: several use "WA", and Perth is in one."""
        for part in reversed(parts) if admin else ():
            abroad = [place for place in self._candidates(part, "", admin) if place.country != country]
            if abroad:
                return PlaceMatch(max(abroad, key=lambda place: place.population))
        return None

    def _namesake_of_state(self, last: str, country: str, admin: str, country_hint: str) -> PlaceMatch | None:
        """The town of the hinted country that is called like an Australian state: "12 Elm St, Victoria" is in Texas
        where the US is meant."""
        is_name = country == "AU" and admin and last.upper() != admin
        return self._choose(last, country_hint, "", country_hint) if is_name else None

    def _rest_of(self, country: str, admin: str, country_hint: str) -> PlaceMatch | None:
        """The state or the country that is named, where no town is known. A street in "New York" is in the city."""
        if not country:
            return None
        if not admin:
            return _wider(_country(country), is_known=False)
        state = self._choose(place_key(_region_name(country, admin)), country, admin, country_hint)
        return _wider(state.place if state is not None else self._region(country, admin), is_known=False)

    def find_in_request(self, text: str, country_hint: str = "US") -> tuple[Place, Span] | None:
        """The first location phrase of a work request with its span, None where there is none that is clearly one.

        Clear is a city with its state or country, or a known town after a cue ("in Nashville"), written with a capital
        where the text has capitals at all. Ordinary words (Reading, Bath, Mobile) need a state or country beside them.
        """
        with_region = self._city_with_region(text, country_hint)
        cued = self._cued_city(text, country_hint)
        named = with_region or cued
        if with_region is not None and cued is not None:
            named = min(with_region, cued, key=lambda found: (found[1].start, -found[1].end))
        coded = self._postcode_in_request(text)
        if coded is None or named is None:
            return named or coded or self._city_with_zip(text) or self._city_between_signs(text, country_hint)
        if (named[0].country, named[0].admin) == (coded[0].country, coded[0].admin):
            return replace(named[0], postcode=coded[0].postcode), named[1]
        same = self._choose(place_key(named[0].name), coded[0].country, coded[0].admin, country_hint)
        return (same.place, named[1]) if same is not None else coded

    def _postcode_in(self, folded: str, country_hint: str) -> PlaceMatch | None:
        """The place of the last postcode in a location text. Five digits are a ZIP code where the US is meant, or
        where nothing else is written: other countries have codes of five digits too."""
        districts = [match for found in _DISTRICT.finditer(folded) if (match := self._coded(found[1])) is not None]
        if districts:
            return districts[-1]
        zips = [match for found in _ZIP.finditer(folded) if (match := self._coded(found[1])) is not None]
        alone = not re.search("[a-z]", folded)
        return zips[-1] if zips and (country_hint == "US" or alone) else None

    def _postcode_in_request(self, text: str) -> tuple[Place, Span] | None:
        # Far quicker to rule out than every state's code to look for.
        zips = _ZIP_IN_REQUEST.finditer(text) if _FIVE_DIGITS.search(text) else ()
        for matches in (zips, _POSTCODE_IN_REQUEST.finditer(text)):
            for found in matches:
                match = self._coded(found[1].lower())
                if match is not None:
                    return match.place, Span(found.start(1), found.end())
        return None

    def _coded(self, code: str) -> PlaceMatch | None:
        """The place that a folded code stands for; a district that the table lacks is its area."""
        code = code.upper()
        beginning = code_beginning(code)
        end, start = code[len(beginning) :], 0
        while (start := self._postcodes.find(f"\n{beginning}\t", start)) >= 0:
            start += 1
            _, country, admin, *keys = self._postcodes[start : self._postcodes.find("\n", start)].split("\t")
            for key, _, ends in (one.partition(":") for one in keys):
                places = self._candidates(key, country, admin) if end in ends.split(",") else ()
                if places:
                    return PlaceMatch(replace(max(places, key=lambda place: place.population), postcode=code))
        return self._coded(beginning) if end[:1].isdigit() and beginning.isalpha() else None

    def suggest(self, city: str, country: str) -> str | None:
        """The known town in ``country`` that ``city`` spells or nearly spells, in the state where it names one
        ("Nashvile, TN"); None where nothing is near."""
        parts = [key for part in city.split(",") if (key := place_key(part))]
        if not parts:
            return None
        named, admin, (key, *_) = _split_region(parts, country)
        if named != country:
            admin = ""
        exact = [place for place in self._candidates(key, country, admin) if place.population]
        if exact:
            return max(exact, key=lambda place: place.population).name
        keys = [one for one, rows in self._by_key.items() if any(self._is_in(row, country, admin) for row in rows)]
        near = process.extract(key, keys, scorer=fuzz.ratio, score_cutoff=82, limit=8)
        scored = [
            (score, place.population, place.name)
            for name, score, _ in near
            for place in self._candidates(name, country, admin)
            if place.population
        ]
        if not scored:
            return None
        # Within a letter's difference of the best, the larger town is the likelier wish.
        best = max(score for score, _, _ in scored)
        return max((population, name) for score, population, name in scored if score >= best - 4)[1]

    def _city_with_region(self, text: str, country_hint: str) -> tuple[Place, Span] | None:
        for start, end in _before_regions(text):
            key = place_key(text[start:end])
            if key not in self._by_key:
                continue
            after = _REGION_AFTER.match(text, end)
            found = self._region_at(text, key, after, country_hint) if after is not None else None
            if found is not None:
                return found[0], Span(start, found[1])
        return None

    def _region_at(self, text: str, key: str, after: re.Match[str], country_hint: str) -> tuple[Place, int] | None:
        comma, start = after.group(1), after.start(2)
        for end in reversed(_word_ends(text, start, 4)):
            written = text[start:end]
            name = place_key(written)
            country, admin = _REGIONS.get(name, (COUNTRY_NAMES.get(name, ""), ""))
            if not country:
                continue
            if len(name) == 2 and not written.rstrip(".").isupper() and (not comma or name.upper() in _WORD_CODES):
                continue
            if len(name) == 2 and name.upper() in _WORD_CODES and not comma and not _capital(text, after.start() - 1):
                continue
            if name == "ct" and not comma:
                continue  # "899 S Plymouth Ct" is a court far more often than Connecticut
            if admin not in {"", "ENG"} and not self._candidates(key, country, admin):
                continue
            match = self._choose(key, country, admin if country != "GB" else "", country_hint)
            if match is not None:
                return match.place, end - (written.endswith(".") and len(name) > 2)
        return None

    def _cued_city(self, text: str, country_hint: str) -> tuple[Place, Span] | None:
        has_capitals = not text[1:].islower() and any(letter.isupper() for letter in text[1:])
        for cue in _CUE.finditer(text):
            if has_capitals and not text[cue.end() : cue.end() + 1].isupper():
                continue
            strong = text[cue.start() : cue.end()].split()[0].lower() not in {"to", "from", "for", "at"}
            for end in reversed(_word_ends(text, cue.end(), 4)):
                written = text[cue.end() : end]
                key = place_key(written)
                if key in _ORDINARY or key not in self._by_key:
                    continue
                place = self._dominant(key, country_hint)
                smallest = _CUE_POPULATION if has_capitals and strong else _LOWER_POPULATION
                if place is None or place.population < smallest:
                    continue
                if not strong and _may_be_a_person(text, end, place, country_hint):
                    continue
                if has_capitals and not all(
                    word[:1].isupper() for word in written.split() if word not in {"of", "upon"}
                ):
                    continue
                stop = cue.end() + len(written.rstrip(".,'"))
                return place, Span(cue.end(), stop)
        return None

    def _city_with_zip(self, text: str) -> tuple[Place, Span] | None:
        """A town right before a ZIP code of its state."""
        for found in _BEFORE_ZIP.finditer(text) if _FIVE_DIGITS.search(text) else ():
            coded, words = self._coded(found[2]), found[1].split()
            if coded is None:
                continue
            for size in range(len(words), 0, -1):
                places = self._candidates(place_key(" ".join(words[-size:])), coded.place.country, coded.place.admin)
                if places:
                    largest = max(places, key=lambda place: place.population)
                    return replace(largest, postcode=coded.place.postcode), Span(found.start(2), found.end())
        return None

    def _city_between_signs(self, text: str, country_hint: str) -> tuple[Place, Span] | None:
        """A large city that stands alone between two signs. What ends a request may be who wrote it."""
        has_capitals = any(letter.isupper() for letter in text[1:])
        for found in _BETWEEN_SIGNS.finditer(text):
            key = place_key(found["city"])
            if key in _ORDINARY or key in _ALSO_NAMES or key not in self._by_key:
                continue
            capital = all(word[:1].isupper() for word in found["city"].split() if word not in {"of", "upon"})
            if (has_capitals and not capital) or not text[found.end() :].strip(" .!?)\n"):
                continue
            place = self._dominant(key, country_hint)
            if place is not None and place.country == country_hint and place.population >= _LOWER_POPULATION:
                return place, Span(found.start("city"), found.end())
        return None

    def _dominant(self, key: str, country_hint: str) -> Place | None:
        match = self._choose(key, "", "", country_hint)
        if match is None:
            return None
        largest = max(self._candidates(key, "", ""), key=lambda place: place.population)
        return largest if largest.population >= _DOMINANCE * max(match.place.population, 1) else match.place

    def _region(self, country: str, admin: str) -> Place:
        """A state or province as a place. Those of the US have their wage area; of others the table may have none."""
        name = _region_name(country, admin)
        rows = self._candidates(place_key(name), country, admin)
        return next((row for row in rows if not row.population), Place(name, admin, country, 0, ""))

    def _choose(self, key: str, country: str, admin: str, country_hint: str) -> PlaceMatch | None:
        candidates = self._candidates(key, country, admin)
        if not candidates:
            return None
        ranked = sorted(candidates, key=lambda place: (place.country != country_hint, -place.population))
        best = ranked[0]
        # A hamlet of the same name is nobody's doubt about a city.
        others = [
            place
            for place in ranked[1:]
            if place.population * _DOMINANCE >= max(best.population, 1) and place.name == best.name
        ]
        is_region = not best.population
        if not others or (country and admin):
            return PlaceMatch(best, is_region=is_region)
        named = ", ".join(_label(place) for place in sorted(others, key=lambda one: -one.population)[:3])
        note = f"{_label(best)} is taken as the most populous; also {named}."
        return PlaceMatch(best, ambiguous=True, note=note, is_region=is_region)

    def _candidates(self, key: str, country: str, admin: str) -> list[Place]:
        places = [_place(self._rows[row]) for row in self._by_key.get(key, ())]
        return [
            place
            for place in places
            if (not country or place.country == country) and (not admin or place.admin == admin)
        ]

    def _is_in(self, row: int, country: str, admin: str) -> bool:
        _, _, one, other, _ = self._rows[row].split("\t", 4)
        return other == country and (not admin or one == admin)


def _place(line: str) -> Place:
    _, name, admin, country, population, wage_area, basis, latitude, longitude = line.split("\t")
    return Place(name, admin, country, int(population), wage_area, float(latitude), float(longitude), basis)


def _label(place: Place) -> str:
    return ", ".join(part for part in (place.name, place.admin, place.country) if part)


def currency_at(place: Place | None, otherwise: str) -> str:
    """The currency that prices at a place are in; ``otherwise`` where the place is not known, or its currency not one
    that the service quotes in."""
    currency = CURRENCY_OF.get(place.country, "") if place is not None else ""
    return currency if currency in CURRENCIES else otherwise


def label(place: Place) -> str:
    """A place as answers name it: ``Nashville, TN`` in the US, ``Leeds, GB`` elsewhere."""
    region = place.admin if place.country in {"US", "CA", "AU"} and place.admin else place.country
    return place.name if place.name == region else f"{place.name}, {region}"


def place_keys(place: Place) -> tuple[str, ...]:
    """The keys under which a regional factor may be kept for a place, the nearest first: the town, the postcode
    district, its area, the wage area, the state, the whole country."""
    keys = [f"place:{place_key(place.name)}|{place.admin}"]
    if place.postcode:
        area = re.match("[A-Z]*", place.postcode)
        keys += [f"postcode:{one}" for one in (place.postcode, area[0] if area else "") if one]
    if place.wage_area:
        keys.append(f"area:{place.wage_area}")
    if place.admin:
        keys.append(f"admin:{place.admin}")
    return (*dict.fromkeys(keys), "country")


def region_key(text: str, country: str) -> str:
    """The key of a state, province or nation of ``country`` by name or code: ``TN``, ``Scotland``; empty for others."""
    if country == "GB" and text.upper() in {"ENG", "SCT", "WLS", "NIR"}:
        return f"admin:{text.upper()}"
    if text.upper() in _REGION_TABLES.get(country, {}):
        return f"admin:{text.upper()}"
    found = _REGIONS.get(place_key(text))
    return f"admin:{found[1]}" if found is not None and found[0] == country else ""


def _region_name(country: str, admin: str) -> str:
    return _REGION_TABLES.get(country, {}).get(admin, "")


def _country(code: str) -> Place:
    """A country as a place."""
    return Place(COUNTRIES[code], "", code, 0, "")


def _split_region(parts: Sequence[str], country_hint: str) -> tuple[str, str, list[str]]:
    """``(country, admin, remaining parts)``: trailing country and state names taken off, at word boundaries. A code
    that several countries use is that of the country named behind it, or hinted."""
    country = admin = ""
    left = list(parts)
    while left:
        words = left[-1].split()
        taken = next(
            (
                size
                for size in range(min(4, len(words)), 0, -1)
                if " ".join(words[-size:]) in (_REGIONS if not admin else {})
                or " ".join(words[-size:]) in (COUNTRY_NAMES if not country else {})
            ),
            0,
        )
        # A text that is nothing but a region name stays whole: "New York" is first of all a city.
        if not taken or (len(left) == 1 and taken == len(words)):
            break
        name = " ".join(words[-taken:])
        if name in COUNTRY_NAMES and not country:
            country = COUNTRY_NAMES[name]
        else:
            region_country, admin = _REGIONS[name]
            if name.upper() in _REGION_TABLES.get(country or country_hint, {}):
                region_country, admin = country or country_hint, name.upper()
            if country and region_country != country:
                admin = ""
            country = country or region_country
        left[-1] = " ".join(words[:-taken])
        if not left[-1]:
            left.pop()
    # The source carries no counties, and England is no help in finding a town.
    return country, "" if country == "GB" else admin, left or list(parts)


def _split_county(parts: Sequence[str]) -> tuple[str, list[str]]:
    """The British county at the end and what is before it, which is "norwich" of "norwich norfolk", too."""
    words = parts[-1].split()
    for size in range(min(4, len(words)), 0, -1):
        county = " ".join(words[-size:])
        if county in BRITISH_COUNTIES:
            return county, [part for part in (*parts[:-1], " ".join(words[:-size])) if part]
    return "", []


def _wider(place: Place, *, is_known: bool) -> PlaceMatch:
    """A region or country in the place of a town: of one that is not known, where more is written than its name."""
    note = "" if is_known else f"The place is not known; {place.name} is taken."
    return PlaceMatch(place, ambiguous=not is_known, note=note, is_region=True)


def _suffixes(part: str) -> list[str]:
    """``part`` and what is left of it after leading words ("downtown nashville" → "nashville"), longest first."""
    words = part.split()
    return [" ".join(words[start:]) for start in range(len(words))]


@cache
def _region_beginnings() -> frozenset[str]:
    """First words of the names of regions and countries."""
    return frozenset(name.split()[0] for name in (*_REGIONS, *COUNTRY_NAMES))


def _before_regions(text: str) -> list[tuple[int, int]]:
    """The runs of one to four words right before a word that the name of a region or country may begin with, in order:
    only these can be a place with its region, and most texts have few."""
    words = [match.span() for match in _WORDS.finditer(text)]
    beginnings = _region_beginnings()
    found: list[tuple[int, int]] = []
    for number in range(1, len(words)):
        start, end = words[number]
        last = words[number - 1][1]
        if place_key(text[start:end]) not in beginnings or text[last:start].strip(" \t") not in {"", ","}:
            continue
        for first in range(number - 1, max(-1, number - 5), -1):
            found.append((words[first][0], last))
            if first and text[words[first - 1][1] : words[first][0]].strip(" \t"):
                break
    return sorted(found)


def _word_ends(text: str, start: int, most: int) -> list[int]:
    """Ends of the first one to ``most`` words from ``start``, words set apart by blanks only."""
    match = _RUN.match(text, start)
    if match is None:
        return []
    ends = [word.end() for word in re.finditer(_WORD, text[start : match.end()])]
    return [start + end for end in ends[:most]]


def _capital(text: str, end: int) -> bool:
    """Whether the word that ends at ``end`` starts with a capital."""
    start = end
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    return text[start : start + 1].isupper()


def _may_be_a_person(text: str, end: int, place: Place, country_hint: str) -> bool:
    """Whether a name behind "from", "to", "for" or "at" that ends there need not be the city of that name: abroad, or
    with a further name behind it, it may be whom the request speaks of."""
    return (bool(country_hint) and place.country != country_hint) or _GOES_ON.match(text, end) is not None
