"""Words for units and how to read them: spellings of unit codes, ratings, axes of a dimension, counted things."""

from __future__ import annotations

from collections.abc import Sequence

from server.domain.drafting.numbers import Kind, Token, text_at, touching

#: Unit code → spellings, one space between words. Points, slashes and hyphens inside ("sq. ft.", "SQ/FT") are skipped.
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "m": ("m", "metre", "metres", "meter", "meters", "mtr", "mtrs", "lm", "rm", "lin m", "linear m", "linear metre",
          "linear metres", "linear meter", "linear meters", "lineal m", "lineal metre", "lineal metres", "lineal meter",
          "lineal meters", "running metre", "running metres", "running meters",
          "metre run", "metres run"),
    "ft": ("'", "’", "′", "ft", "foot", "feet", "lf", "lft", "lnft", "l f", "linft", "lineal feet", "lineal foot",
           "lineal ft", "linear feet", "linear foot", "linear ft", "lin ft", "ln ft", "l ft", "running feet",
           "running ft", "running foot", "fr", "footer", "footers"),
    "in": ('"', "”", "″", "''", "’’", "in", "inch", "inches", "ins"),
    "yd": ("yd", "yds", "yard", "yards", "ly", "linear yard", "linear yards"),
    "mm": ("mm", "millimetre", "millimetres", "millimeter", "millimeters"),
    "cm": ("cm", "cms", "centimetre", "centimetres", "centimeter", "centimeters"),
    "mi": ("mi", "mile", "miles"),
    "km": ("km", "kms", "kilometre", "kilometres", "kilometer", "kilometers"),
    "m2": ("m2", "m²", "sqm", "sqms", "sq m", "sq mt", "sq mtr", "sq mtrs", "sq metre", "sq metres", "sq meter",
           "sq meters", "square metre", "square metres", "square meter", "square meters", "metres squared",
           "metre squared", "meters squared", "m squared", "sq mts", "m sq"),
    "sqft": ("sqft", "sq ft", "sf", "s f", "ft2", "ft²", "sq feet", "sq foot", "square feet", "square foot",
             "square ft", "sqaure feet", "squre feet", "sqfeet", "sq fit", "sqf", "sq f", "feet squared", "ft sq",
             "ft squared", "sq fts", "sqfts", "sqr ft", "sft", "square feets", "sqft of area"),
    "sqyd": ("sy", "s y", "sqyd", "sq yd", "sq yds", "sq yard", "sq yards", "square yard", "square yards", "yd2",
    "yd²"),
    "square": ("sq", "sqs", "square", "squares", "roofing squares", "roof squares", "roofing square"),
    "acre": ("acre", "acres", "ac"),
    "ha": ("ha", "hectare", "hectares"),
    "m3": ("m3", "m³", "cu m", "metres cubed", "meters cubed", "m cubed",
           "cubic metre", "cubic metres", "cubic meter", "cubic meters", "cubic m", "cum",
           "cube", "cubes"),
    "cuft": ("cuft", "cu ft", "cf", "ft3", "ft³", "cubic feet", "cubic foot", "cubic ft"),
    "cuyd": ("cuyd", "cu yd", "cu yds", "cy", "c y", "yd3", "yd³", "cubic yard", "cubic yards", "cubic yd",
    "cubic yds"),
    "l": ("l", "litre", "litres", "liter", "liters", "ltr", "ltrs"),
    "gal": ("gal", "gals", "gallon", "gallons"),
    "kg": ("kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"),
    "lb": ("lb", "lbs", "pound", "#"),
    "t": ("t", "tonne", "tonnes"),
    "ton": ("ton", "tons"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "min": ("minute", "minutes", "mins"),
    "day": ("day", "days"),
    "week": ("week", "weeks", "wk", "wks"),
    "month": ("month", "months"),
    "year": ("year", "years", "yr", "yrs"),
    "kW": ("kw", "kilowatt", "kilowatts", "kwp"),
    "W": ("w", "watt", "watts"),
    "each": ("ea", "each", "nos", "pc", "pcs", "pieces", "piece", "x"),
    "pair": ("pair", "pairs", "pr"),
    "dozen": ("dozen",),
    "A": ("a", "amp", "amps", "ampere", "amperes"),
    "V": ("v", "volt", "volts"),
    "kVA": ("kva",),
    "kV": ("kv",),
    "hp": ("hp", "horsepower"),
    "BTU": ("btu", "btus", "btu/h"),
    "kWh": ("kwh", "kw h"),
    "psi": ("psi",),
    "SEER": ("seer", "seer2", "eer", "eer2", "hspf", "hspf2", "afue"),
    "cfm": ("cfm", "gpm", "gpf"),
    "fpm": ("fpm",),
    "GHz": ("ghz",),
    "MHz": ("mhz",),
    "mil": ("mil", "mils"),
    "gauge": ("gauge", "ga", "awg"),
    "phase": ("phase", "ph"),
    "gang": ("gang",),
    "pole": ("pole",),
    "prong": ("prong", "prongs"),
    "way": ("way",),
    "ply": ("ply",),
    "%": ("%", "percent", "per cent"),
    "degree": ("°", "degree", "degrees", "deg"),
    "coat": ("coat", "coats"),
    "storey": ("storey", "storeys", "story", "stories", "storied", "st0ry", "sty"),
}  # fmt: skip
_UNIT_OF: dict[str, str] = {spelling: code for code, spellings in _SPELLINGS.items() for spelling in spellings}
_LONGEST = 3
#: Words that the spelling of a unit may begin with.
_BEGINS_UNIT = frozenset(spelling.split()[0] for spelling in _UNIT_OF)
#: Single letters are units only when written against the number ("200A", "12m") or, for amps and volts, in capitals'
#: habit.
_NEEDS_TOUCH = frozenset({"x", "w", "l", "t", "h", "#", "ac", "ga", "mi", "cum"})
#: Words that are units only in one reading: "in" before an article or place is the preposition.
_AFTER_PREPOSITION_IN = frozenset(
    [
        "the", "a", "an", "our", "my", "his", "her", "their", "total", "all", "each", "every", "both", "this", "one",
        "same", "existing", "x", "number", "and", "there", "here", "house", "place", "apartment", "apartments",
        "unit", "kitchen", "kitchens", "bathroom", "bathrooms", "bath", "baths", "bedroom", "bedrooms", "rooms",
        "hallway", "hall", "lounge", "living", "dining", "family", "master", "office", "den", "basement", "garage",
        "attic", "loft", "pantry", "laundry", "closet", "cellar", "nursery", "flat", "flats", "units", "room",
        "block", "plot", "building", "suite", "lobby", "corridor", "stairwell", "study", "porch", "shed", "utility",
        "en", "ensuite", "spare", "guest", "front", "back", "january", "february", "march", "april", "may", "june",
        "july", "august", "september", "october", "november", "december", "spring", "summer", "autumn", "fall",
        "winter",
    ]
)  # fmt: skip
#: What is laid or built in so large an area, and of some material.
LAID = frozenset(
    ["patio", "driveway", "drive", "deck", "decking", "path", "floor", "floors", "lawn", "grass", "turf", "paving",
     "loft", "attic", "base", "yard", "terrace", "walkway", "garden"]
)  # fmt: skip
#: Letters of the longest abbreviation, and of what is shorter than a thing that is counted.
_ABBREVIATED, _SHORTEST_NOUN = 4, 3
#: What may follow a roof's squares: "two square columns" are none.
_BEHIND_SQUARE = frozenset(
    {"of", "total", "and", "with", "or", "roof", "tear", "asphalt", "shingle", "shingles", "going"}
)
#: What is measured in acres: "2 ac lot"; other "ac" is cold air.
_LAND = frozenset(["lot", "lots", "site", "parcel", "field", "pasture", "of", "brush", "woods", "wooded", "land"])
_AXES = {
    "h": "height", "ht": "height", "high": "height", "height": "height", "tall": "height", "hgt": "height",
    "w": "width", "wide": "width", "width": "width", "l": "length", "long": "length", "length": "length",
    "d": "depth", "deep": "depth", "depth": "depth", "thick": "depth", "thk": "depth", "dia": "diameter",
    "diameter": "diameter", "oc": "spacing", "centres": "spacing", "centers": "spacing",
}  # fmt: skip
#: Where a height ends: "18 ft to the eaves".
_TOPS = frozenset({"eave", "eaves", "gutter", "gutters", "ridge", "peak", "soffit", "soffits", "fascia"})
RATINGS = frozenset(
    {"A", "V", "kVA", "kV", "kWh", "hp", "BTU", "psi", "SEER", "cfm", "fpm", "GHz", "MHz", "mil", "gauge", "phase",
     "gang", "pole", "prong", "way", "ply", "%", "degree"}
)  # fmt: skip
#: What a plant is rated in, when one of these words follows: a 3-ton condenser, a 50 gallon water heater, a 70 kW
#: generator.
PLANT = frozenset(
    [
        "ac", "a/c", "air", "unit", "units", "condenser", "condensers", "system", "systems", "furnace", "boiler",
        "heater", "heaters", "water", "tank", "tanks", "heat", "pump", "cap", "capacity", "rtu", "rooftop", "split",
        "hvac", "crane", "generator", "charger", "panel", "panels", "array", "inverter", "mini", "elevator", "lift",
        "hot", "hoist", "cylinder", "dumpster", "skip",
    ]
)  # fmt: skip


def unit_at(tokens: Sequence[Token], index: int) -> tuple[str, int] | None:
    """The unit written at ``index`` and the index after it; the longest spelling wins."""
    if text_at(tokens, index) not in _BEGINS_UNIT:
        return None
    words: list[str] = []
    ends: list[int] = []
    position = index
    while position < len(tokens) and len(words) < _LONGEST:
        token = tokens[position]
        if token.kind is Kind.NUMBER:
            break
        if ends and token.text == "^" and text_at(tokens, position + 1) in {"2", "3"}:
            words[-1] += text_at(tokens, position + 1)  # "600 ft^2"
            position += 2
            ends[-1] = position
            continue
        if words and token.text in {".", "/", "-"}:
            position += 1
            continue
        words.append(token.text)
        position += 1
        ends.append(position)
    for size in range(len(words), 0, -1):
        code = _UNIT_OF.get(" ".join(words[:size]))
        if code is not None and _is_unit(tokens, index, words[0] if size == 1 else "", ends[size - 1]):
            return code, _past_point(tokens, ends[size - 1])
    return None


def axis_at(tokens: Sequence[Token], index: int) -> tuple[str, int]:
    """The axis a measure is taken along ("high", "(LENGTH)", "H", "in length", "o.c.") and the index after it."""
    start = index
    if text_at(tokens, index) in {"(", "-", "in", "on", "."} or (
        text_at(tokens, index) == "each" and text_at(tokens, index + 1) == "side"
    ):
        index += 1
    word = text_at(tokens, index)
    if word == "to" and text_at(tokens, index + 1) == "the" and text_at(tokens, index + 2) in _TOPS:
        return "height", index + 3
    if word == "o" and text_at(tokens, index + 1) == "." and text_at(tokens, index + 2) == "c":
        return "spacing", index + 3
    axis = _AXES.get(word)
    if axis is None or (len(word) == 1 and not touching(tokens, index) and text_at(tokens, index + 1) not in "x,.;)"):
        return "", start
    index += 1
    if text_at(tokens, start) == "(" and text_at(tokens, index) == ")":
        index += 1
    return axis, index


#: What is laid in squares.
_PAVED = frozenset({"sidewalk", "sidewalks", "walk", "walkway", "concrete", "pavement", "path", "flagstone"})


def _is_unit(tokens: Sequence[Token], index: int, word: str, end: int) -> bool:
    """Rule out the other reading of a short word; ``word`` is empty for spellings of several words."""
    follower = text_at(tokens, end)
    if word == "pole":
        return follower not in {"barn", "building", "shed", "saw", "sign", "light", "lights"}
    if word == "square":
        return follower in _BEHIND_SQUARE or not follower.isalpha()  # "the roof is 24 square"
    if word == "squares":
        # "Three squares 5x5", "two squares of sidewalk": slabs, and no hundreds of square feet.
        sized = _starts_number(tokens, end) and text_at(tokens, end + 1) in {"x", "×", "by"}
        return not sized and not (follower == "of" and _PAVED & {text_at(tokens, end + 1), text_at(tokens, end + 2)})
    if word == "ac" and ((index > 0 and "." in tokens[index - 1].text) or follower in _LAND):
        return True
    if word in _NEEDS_TOUCH:
        return touching(tokens, index) and (word != "x" or not _starts_number(tokens, end))
    if word == "in" and follower == "and" and text_at(tokens, index - 2) in {"x", "×", "by"}:
        return True  # "a hole of 12x12 in and match the texture"
    if word == "yard" and text_at(tokens, index - 2) in {"x", "×", "by"}:
        return False  # "sod 40x60 yard"
    if word == "in" and follower.isalpha() and text_at(tokens, index - 4) in LAID:
        return False  # "patio 4x5 in sandstone"
    if word == "in":
        # "four in flat 1": inches are told in digits.
        return follower not in _AFTER_PREPOSITION_IN and not text_at(tokens, index - 1).isalpha()
    if word == "a" and _starts_number(tokens, end) and touching(tokens, end):
        # "40 A3 posters"
        return False
    if word in {"a", "v"}:
        return touching(tokens, index) or follower in _CIRCUIT_WORDS
    if word in {"'", "’", "′", '"', "”", "″", "''", "’’"}:
        return touching(tokens, index)
    return word not in {"each", "pound"}


_CIRCUIT_WORDS = frozenset(
    [
        "service", "services", "panel", "panels", "breaker", "breakers", "subpanel", "meter", "meters", "main",
        "circuit", "circuits", "feeder", "mlo", "outlet", "riser", "disconnect", "single", "three", "3", "1", ",",
        ".", "/", ";", ")", "electrical", "electric", "fused", "overhead", "120", "240", "208", "480",
    ]
)  # fmt: skip


def _starts_number(tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and tokens[index].kind in {Kind.NUMBER, Kind.FRACTION}


def _past_point(tokens: Sequence[Token], index: int) -> int:
    """Swallow the point of an abbreviation ("ft.") when the sentence goes on after it; "metres." is none."""
    if (
        len(text_at(tokens, index - 1)) <= _ABBREVIATED
        and text_at(tokens, index) == "."
        and touching(tokens, index)
        and index + 1 < len(tokens)
    ):
        following = tokens[index + 1]
        if following.text in {",", ")", "x", "("}:
            return index + 1
        if following.kind is Kind.NUMBER:
            # "6 ft. 2 in." goes on; "walls 120 m2. 6 double sockets" does not.
            word = text_at(tokens, index + 2)
            counts = word.isalpha() and len(word) > _SHORTEST_NOUN and unit_at(tokens, index + 2) is None
            return index if counts else index + 1
    return index


def unit_spelled(text: str) -> str:
    """The unit code that ``text`` as a whole spells in lower case, or an empty string."""
    return _UNIT_OF.get(text, "")
