"""Pieces of a sentence: where a separator ("and", a comma, a dash) parts two things that stand on their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise

from server.domain.drafting.actions import IMPLIED, OPENERS, action_of
from server.domain.drafting.cues import REASONS
from server.domain.drafting.listing import listed
from server.domain.drafting.numbers import NUMBER_WORDS, Kind, Token, text_at
from server.domain.drafting.quantities import LABELS
from server.domain.drafting.verbs import DETERMINERS, NOUN_VERBS, actions_in, next_word

_SEPARATORS = frozenset(
    {",", "and", "or", "&", "plus", "then", "also", "+", "but", "(", ")", "–", "—", ":", "including", "incl",
     "includes", "|", "•", "·", "*", "/"}
)  # fmt: skip
#: Things that may be one with a slash between them; words of one in a longer list, and letters of a word; words and
#: slashes that are looked at.
_PAIR, _SLASHED, _LETTERS, _REACH = 2, 3, 3, 30
#: What permit texts rule out at the end of a clause ("PAINT AND FLOORING NO ELECTRIC").
_RULED_OUT = frozenset(
    ["electric", "electrical", "plumbing", "structural", "gas", "hvac", "mechanical", "other", "change"]
)
#: A pair joined by "and" that is one thing.
_JOINED = frozenset(
    {("walls", "ceiling"), ("wall", "ceiling"), ("walls", "ceilings"), ("labour", "materials"), ("labor", "materials"),
     ("labor", "material"), ("labour", "material"), ("parts", "labor"), ("parts", "labour"), ("heating", "cooling"),
     ("wear", "tear"), ("front", "back"), ("front", "rear"), ("inside", "out"), ("inside", "outside"), ("floor",
     "decker"),
     ("studs", "drywall"), ("sash", "case"), ("board", "batten"), ("tongue", "groove"), ("base", "wall"), ("wall",
     "base"), ("hot", "cold"), ("upper", "lower"), ("ice", "water"),
     ("guys", "truck"), ("men", "truck"), ("movers", "truck"), ("man", "van"),
     ("guys", "van"),
     ("men", "van"), ("movers", "van"), ("man", "truck"), ("people", "truck"), ("crew", "truck"), ("dining",
     "living"), ("living", "dining"), ("floor", "decor"),
     ("door", "frame"), ("doors", "frames"), ("supplied", "fitted"), ("supplied", "installed"), ("supplied", "hung")}
)  # fmt: skip
#: Several words that join as "and" does.
_JOINING = {"as": ("well", "as"), "along": ("with",), "together": ("with",), "in": ("addition", "to")}
#: What stands for a thing that was told before, and before a thing that is told anew.
_IT = frozenset({"it", "them", "both"})
_THEM = _IT | {"that", "this", "those", "these"}
_DONE = re.compile(r"[a-z]{2,}[a-df-z]ed(?<!shed)|done|bled|built|hung|laid|put|ground|reset")
_BEFORE_THINGS = DETERMINERS | {"a", "an", "new", "some"}
#: Before a noun of work, which makes it none of an order.
_SOME = frozenset({"some", "bit", "little", "minor", "light", "small", "of"})
#: What the same work changes of what it is done to: "furnace cleaning and replace the filter".
_CHANGED_WITH_IT = frozenset(
    {"filter", "filters", "belt", "belts", "boards", "shingles", "slats", "pickets", "batteries", "washers", "seals"}
)
#: Before a verb in "ing".
_BEFORE_VERB = frozenset(
    {"with", "start", "started", "finish", "keep", "by", "before", "after", "about", "from", "stop"}
)
_SURFACES = frozenset(
    ["wall", "walls", "floor", "floors", "ceiling", "ceilings", "trim", "baseboard", "baseboards", "crown", "cabinets",
     "counters", "countertops", "backsplash", "gutters", "fascia", "soffit", "siding", "deck", "fence", "railing",
     "driveway", "sidewalk", "patio", "carpet", "drywall"]
)  # fmt: skip
_APPROXIMATELY = frozenset({"about", "approx", "around", "roughly", "ca", "circa", "is", "are", ","})
#: "R&R", "D&R": one verb.
_INITIALS = frozenset({("r", "r"), ("d", "r")})
#: What "and" before it only adds to the thing already named.
_PARTNERS = frozenset({"materials", "ceiling", "ceilings", "out", "down", "above"})
#: Things that are called by the ceiling they hang from.
_OF_CEILINGS = frozenset(("ceiling", thing) for thing in ("fan", "fans", "light", "lights", "rose", "roses"))
_THINGS_TOO = NOUN_VERBS | {"trim", "removal"}
_EMPTY = frozenset(
    [
        "the", "and", "please", "can", "you", "could", "would", "like", "need", "want", "also", "then", "our", "for",
        "supply", "all", "any", "old", "existing", "we", "to", "quote", "price", "estimate", "just", "not", "give",
        "get", "looking", "hello",
    ]
)  # fmt: skip
_NO_OPENING = frozenset(
    [
        "to", "and", "or", "the", "for", "with", "a", "of", "/", "&", "-", "not", "n't", "don't", "supply", "new",
        "no", "existing", "be", "only", "same", "your", "our", "leftover", "remaining", "spare",
    ]
)  # fmt: skip
#: Things of two letters.
_SHORT_THINGS = frozenset({"ac", "cu", "wc", "tv"})
#: Words back that decide whether a comma splits.
_RECENT = 40
#: Rooms that "and" joins to places of one work.
_ROOM_NAMES = frozenset(
    ["room", "rooms", "bedroom", "bedrooms", "bathroom", "bathrooms", "kitchen", "hall", "hallway", "lounge", "landing",
     "stairs", "bath", "baths", "office", "study", "dining", "entry", "foyer", "utility", "laundry"]
)  # fmt: skip
#: What trim of wood is called by.
_WOOD_TRIM = frozenset({"interior", "exterior", "wood", "door", "window", "base", "crown", "all"})
#: What a part stands behind.
_WITH = frozenset({"with", "w", "including", "incl"})
#: How long somebody is hired.
_TIMES = frozenset({"hour", "hours", "hr", "hrs"})
#: After "with" these say what a thing is made of or looks like.
_ATTRIBUTES = frozenset(
    [
        "coat",
        "coats",
        "door",
        "doors",
        "panel",
        "panels",
        "bed",
        "story",
        "storey",
        "drawer",
        "drawers",
        "circuit",
        "circuits",
        "way",
        "ways",
        "space",
        "spaces",
        "ceiling",
        "ceilings",
    ]
)


#: What a thing is the subject of that is to be worked on; tokens of a size between them.
NEEDS = frozenset({"needs", "need", "wants", "has", "have", "must", "requires", "require", "is", "are"})
_TO_BE_DONE = frozenset({"to", "all", "made", "turned", "brought", "taken", "put", "given"})
#: What stands behind how a thing is to be done: "…, 800 sq ft, refinished".
_CLOSED = frozenset({"", ".", ";", "please", "and"})
_LONGEST_SIZE, _LONGEST_SIZES = 8, 14
#: What stands behind a measure that is of the thing before it: its sentence's end, or what goes with it.
_BEHIND_MEASURE = frozenset({"", ",", ".", ";", "with", "w", "including", "incl", "in", "at", "total", "-"})


def pieces_of(tokens: tuple[Token, ...], inside: frozenset[int], dashes: frozenset[int]) -> list[tuple[Token, ...]]:
    """The tokens of a sentence cut into pieces that stand on their own; ``inside`` figures nothing is cut."""
    pieces: list[tuple[Token, ...]] = []
    current: list[Token] = []
    content = acted = False
    of_places = {at for one in listed(tokens) for at in range(one.start + 1, one.end)}
    behind_join = 0
    for position, token in enumerate(tokens):
        if position < behind_join:
            continue
        if content and (words := _joining_words(tokens, position)):
            pieces.append(tuple(current))
            current, content, acted = [], False, False
            behind_join = position + words
            continue
        if content and _counts_next(tokens, position, inside, current):
            pieces.append(tuple(current))
            current, content, acted = [], False, False
        if token.start in inside or position in of_places:
            current.append(token)
            content = True
            continue
        if token.text == "," and content and not acted and (end := _ends_size(tokens, position, inside)):
            of_places.update(range(position, end + 1))
        if token.text == "," and content and not acted and (end := _ends_number(tokens, position)):
            of_places.update(range(position, end + 1))
        if token.text == "(" and content and (end := _ends_kind(tokens, position, inside, acted)):
            of_places.update(range(position, end + 1))
        if position in of_places or (
            token.text == "," and content and not acted and _says_what_to_do(tokens, position)
        ):
            continue
        if token.text in {"+", "&"} and _adds_up(tokens, position, inside):
            current.append(token)
            continue
        if token.start in dashes or (
            token.text in _SEPARATORS
            and (_splits(tokens, position, current, content) or _is_measured_too(tokens, position, inside))
        ):
            if current:
                pieces.append(tuple(current))
            current, content, acted = [token] if token.text in {"but", "or"} else [], False, False
            continue
        if current and (_opens_reason(tokens, position) or _opens_surface(tokens, position, inside, current)):
            pieces.append(tuple(current))
            current, content, acted = [], False, False
        named = content or (bool(current) and current[-1].text in NOUN_VERBS)
        if token.text in _WITH and (
            (content and token.text != "including" and _brings_more(tokens, position, inside))
            or (named and _is_fitted_with(tokens, position))
        ):
            pieces.append(tuple(current))
            current, content, acted = [], False, False
            continue
        add_on = token.text == "add" and text_at(tokens, position + 1) in {"on", "-"}
        opens = token.text in OPENERS and not add_on and text_at(tokens, position - 1) not in _NO_OPENING
        # "Without drywall repair."
        opens = opens and not (token.text == "repair" and text_at(tokens, position + 1) in {"", ".", ","})
        if opens and content and acted:
            pieces.append(tuple(current))
            current, content, acted = [], False, False
        current.append(token)
        if token.kind is Kind.WORD:
            # "The deck", "our trim", "the removal": behind these no verb stands.
            behind_the = text_at(tokens, position - 1) in DETERMINERS and token.text in _THINGS_TOO
            is_thing = behind_the or _is_wood_trim(tokens, position)
            is_action = bool(action_of(token.text)) and not is_thing
            acted |= is_action
            is_named = len(token.text) > 2 or token.text in _SHORT_THINGS
            content |= not is_action and is_named and token.text not in _EMPTY
            content |= acted and token.text in _IT and _orders_more(tokens, position + 1)
    if current:
        pieces.append(tuple(current))
    return [piece for piece in pieces if any(token.kind is not Kind.SYMBOL for token in piece)]


def _names_work(current: Sequence[Token]) -> bool:
    """ "Some drywall patching", "a bit of tile repair", "gutter cleaning": work that a noun names, which no verb of the
    same piece orders, and not the verbs of "help with cleaning" and "start painting"."""
    work, *before = (token.text for token in reversed(current))
    if not (work.endswith("ing") or work == "repair") or not before:
        return False
    of_thing = before[0].isalpha() and len(before[0]) > _PAIR and before[0] not in _BEFORE_VERB | _EMPTY
    return (before[0] in _SOME or of_thing) and not actions_in(current[:-1])


def _orders_a_thing(tokens: Sequence[Token], position: int) -> bool:
    """ "Install 2 ceiling fans", "replace the faucet", "also fix the back door": an order with its thing, and not how
    a repair is done ("deck repair and replace the rotten boards")."""
    position += text_at(tokens, position) in {"also", "then", "to"}
    verb, thing, kind = (text_at(tokens, position + at) for at in range(3))
    is_order = bool(action_of(verb)) and verb not in IMPLIED and not verb.endswith(("ing", "ed", "ation", "ment"))
    is_thing = thing in _BEFORE_THINGS | NUMBER_WORDS or has_number(tokens[position + 1 : position + 2])
    return is_order and is_thing and kind not in IMPLIED | _CHANGED_WITH_IT


def _is_done_besides(tokens: Sequence[Token], position: int) -> bool:
    """ "Get it sealed and the cracks filled": what is done to it, and something else that is done to another thing."""
    done = text_at(tokens, position - 1)
    if text_at(tokens, position - _PAIR) not in _THEM or not (done.endswith("ed") and action_of(done)):
        return False
    behind = tokens[position + 2 : position + 2 + _SOON]
    another = text_at(tokens, position + 1) in _BEFORE_THINGS or has_number(tokens[position + 1 : position + _PAIR])
    return another and any(_DONE.fullmatch(token.text) for token in behind[1:])


def _orders_more(tokens: Sequence[Token], position: int) -> bool:
    """ "Replace it and install a smart thermostat": another order right behind, of a thing of its own."""
    verb, thing = text_at(tokens, position + 1), text_at(tokens, position + 2)
    new_one = thing in {"a", "an", "the", "new"} and {text_at(tokens, position + at) for at in (3, 4)} & {"one", "ones"}
    return text_at(tokens, position) == "and" and verb in OPENERS and thing in _BEFORE_THINGS and not new_one


def _opens_surface(tokens: Sequence[Token], position: int, inside: frozenset[int], current: Sequence[Token]) -> bool:
    """ "Tile walls 85sf floor 45sf": so much of one surface, so much of another, with nothing between them."""
    if tokens[position].text not in _SURFACES or position + 1 >= len(tokens):
        return False
    between = tokens[position - 1].start in inside and tokens[position + 1].start in inside
    return between and any(token.text in _SURFACES for token in current)


def _joining_words(tokens: Sequence[Token], position: int) -> int:
    """How many words there are of what joins as "and" does: "as well as", "along with"; 0 where none stands there."""
    rest = _JOINING.get(tokens[position].text, ())
    joins = bool(rest) and all(text_at(tokens, position + at) == word for at, word in enumerate(rest, start=1))
    return 1 + len(rest) if joins else 0


def _is_measured_too(tokens: Sequence[Token], position: int, inside: frozenset[int]) -> bool:
    """ "The walls 500 sq ft and the ceiling 200 sq ft": both have a measure of their own."""
    if tokens[position].text not in {"and", "&", "+"} or position == 0 or tokens[position - 1].start not in inside:
        return False
    after = position + 1 + (text_at(tokens, position + 1) in {"the", "our"})
    behind = after + 1 + (text_at(tokens, after + 1) in _APPROXIMATELY)
    behind += text_at(tokens, behind) == "."
    return text_at(tokens, after) in _SURFACES and behind < len(tokens) and tokens[behind].start in inside


def _lists_by_slashes(tokens: Sequence[Token], position: int) -> bool:
    """ "Replace water heater/garbage disposal/thermostat", "new sink/faucet/disposal": behind what asks for them two
    slashes or more list things; one alone may stand within a name ("tub/shower")."""
    first, last = position, position
    while first > 0 and position - first < _REACH and _is_of_slashed(tokens[first - 1]):
        first -= 1
    while last + 1 < len(tokens) and last - position < _REACH and _is_of_slashed(tokens[last + 1]):
        last += 1
    things = [len([*run]) for slash, run in groupby(tokens[first : last + 1], lambda one: one.text == "/") if not slash]
    before = text_at(tokens, first - 1)
    asked = bool(action_of(before)) or before in DETERMINERS | {"new"}
    return asked and len(things) > _PAIR and max(things[:-1]) <= _SLASHED


def _is_of_slashed(token: Token) -> bool:
    """A slash, or a word of a thing beside one."""
    return token.text == "/" or (
        token.kind is Kind.WORD and len(token.text) >= _LETTERS and token.text != "new" and not action_of(token.text)
    )


def _counts_next(tokens: Sequence[Token], position: int, inside: frozenset[int], current: Sequence[Token]) -> bool:
    """ "2 sinks 3 toilets 1 tub": the next of several that are counted, with nothing between them."""
    alone = position + 1 < len(tokens) and tokens[position + 1].start not in inside
    if not alone or tokens[position].kind is not Kind.NUMBER or not tokens[position].text.isdigit():
        return False
    before = [token.text for token in current[-_SOON:] if token.kind is Kind.NUMBER][-1:]
    last, thing = current[-1] if current else tokens[position], text_at(tokens, position + 1)
    counted = bool(before) and last.kind is Kind.WORD and len(last.text) > _PAIR and last.start not in inside
    several = last.text.endswith("s") or before == ["1"]
    return counted and several and len(thing) > _PAIR and thing.isalpha()


def _adds_up(tokens: Sequence[Token], position: int, inside: frozenset[int]) -> bool:
    """ "24 ft + 22 ft of wall": figures of one unit."""
    return (
        0 < position < len(tokens) - 2
        and tokens[position - 1].start in inside
        and tokens[position + 1].start in inside
        and tokens[position - 1].text == tokens[position + 2].text
    )


def _says_what_to_do(tokens: Sequence[Token], position: int) -> bool:
    """ "A 4 m shed, needs staining", "30 ft of railing, stain that too": what follows the thing is its work."""
    following = text_at(tokens, position + 1)
    if following in {"needs", "need", "wants"} and _is_one(tokens, position + 2):
        return False  # "no dishwasher now, need one installed", "water heater, flue rusted, wants a new one"
    if following == "need" and any(token.text in {"is", "has", "s"} for token in tokens[:position]):
        return False  # "house is a 1,600 sq ft ranch, need a new roof"
    if following in {"needs", "need", "wants"}:
        return bool(actions_in(tokens[position + 1 : position + 6])) or text_at(tokens, position + 2) == "to"
    return bool(action_of(following)) and text_at(tokens, position + 2) in {"that", "it", "them", "those", "these"}


def _is_one(tokens: Sequence[Token], position: int) -> bool:
    """ "One", "another", "a new one": stands for what was told before."""
    said = [text_at(tokens, position + at) for at in range(3)]
    return said[0] in {"one", "another"} or said == ["a", "new", "one"] or said[:2] == ["new", "ones"]


def _ends_size(tokens: Sequence[Token], position: int, inside: frozenset[int]) -> int:
    """ "2 dead trees, maybe 18 ft each, need to come down", "two cedars, 50 ft and 2 ft across, must go": the comma
    behind sizes that stand between a thing and what it needs; 0 where there is none."""
    end = next((at for at in range(position + 1, position + _LONGEST_SIZES) if text_at(tokens, at) == ","), 0)
    sized = any(tokens[at].start in inside for at in range(position + 1, end))
    acts = any(action_of(text_at(tokens, at)) for at in range(position, end))
    behind = text_at(tokens, end + 1 + (text_at(tokens, end + 1) in {"that", "which", "only", "just", "also"}))
    alone = all(tokens[at].start in inside for at in range(position + 1, end))
    done = alone and behind.endswith("ed") and bool(action_of(behind)) and text_at(tokens, end + 2) in _CLOSED
    return end if sized and not acts and (behind in NEEDS or done) else 0


def _ends_number(tokens: Sequence[Token], position: int) -> int:
    """ "The outlets, 14 of them, replaced with GFCI", "the doors, all six of them, to be painted": the comma behind how
    many there are of the thing before, where its work follows; 0 where there is none."""
    at = position + 1 + (text_at(tokens, position + 1) in {"all", "about", "maybe", "some"})
    counted = at < len(tokens) and (tokens[at].kind is Kind.NUMBER or tokens[at].text in NUMBER_WORDS)
    if not counted or [text_at(tokens, at + step) for step in (1, 2, 3)] != ["of", "them", ","]:
        return 0
    end, behind = at + 3, text_at(tokens, at + 4)
    return end if behind in NEEDS | _TO_BE_DONE or action_of(behind) else 0


def _ends_kind(tokens: Sequence[Token], position: int, inside: frozenset[int], acted: bool) -> int:
    """ "The front wall (brick, garden wall) repointed", "the deck (12x16) needs staining", "quartz counters (mid grade)
    42 sq ft": the end of a bracket that stands between a thing and its work or its measure, and only says of what kind
    or how large it is; 0 where there is none."""
    end = next((at for at in range(position + 1, position + _LONGEST_SIZE) if text_at(tokens, at) == ")"), 0)
    between = tokens[position + 1 : end]
    if not end or any(action_of(token.text) and token.text != "grade" for token in between):
        return 0  # "mid grade" levels nothing
    following = text_at(tokens, end + 1)
    if any(token.start in inside for token in between):
        only_sized = all(token.start in inside or token.text in _APPROXIMATELY for token in between)
        # "Walls (400 sq ft) need painting and the ceiling (120 sq ft) too" is of two.
        only_sized = only_sized and all(token.text != "(" for token in tokens[end : end + _REACH])
        return end if only_sized and following in NEEDS and not acted else 0
    worked = following in NEEDS or (following.endswith("ed") and action_of(following))
    return end if (worked and not acted) or _measures_alone(tokens, end + 1, inside) else 0


def _measures_alone(tokens: Sequence[Token], position: int, inside: frozenset[int]) -> bool:
    """ "42 sq ft with a cutout": a measure that names no thing of its own."""
    end = next((at for at in range(position, len(tokens)) if tokens[at].start not in inside), len(tokens))
    sized = end > position + 1 and tokens[position].kind is Kind.NUMBER
    return sized and text_at(tokens, end) in _BEHIND_MEASURE


def _splits(tokens: Sequence[Token], position: int, current: Sequence[Token], content: bool) -> bool:
    """Whether the separator at ``position`` ends a piece: not between verbs, nor inside a pair that is one thing."""
    word = tokens[position].text
    if word == "also" and (text_at(tokens, position - 1), text_at(tokens, position + 1)) == ("would", "be"):
        return False  # "it would also be great if you could …"
    if word == "also" and text_at(tokens, position + 1) in NEEDS and content:
        return bool(actions_in(current))  # "2 rooms also need painting"
    if word == "&" and (text_at(tokens, position - 1), text_at(tokens, position + 1)) in _INITIALS:
        return False
    if word in {"including", "includes", "incl"} and text_at(tokens, position - 1) in {"not", "n't", "without"}:
        return False
    if word == ":" and text_at(tokens, position - 1) in LABELS:
        return False  # "Qty: 4"
    if word == "(" and text_at(tokens, position + 2) == ")":
        return False
    if word == ")" and text_at(tokens, position - 2) == "(":
        return False
    if word == "/":
        return content and _lists_by_slashes(tokens, position)
    if word == "or":
        return content and _alternative(tokens, position, current)
    if word in {"and", "&", "+", "plus"}:
        after = next_word(tokens, position)
        before = current[-1].text if current else ""
        acts = action_of(before) and not (len(current) > 1 and current[-2].text in DETERMINERS)
        if acts and _names_work(current) and _orders_a_thing(tokens, position + 1):
            return True
        if acts and action_of(after) and not {before, after} & {*IMPLIED, "service"}:
            return False
        if before in {"leaks", "drips", "rocks", "wobbles", "rattles"} and action_of(after) == "repair":
            return False
        if not content:
            # "Paint and flooring": two kinds of work in nouns, not two verbs of one.
            materials = before in {"paint", "drywall", "tile"} and not action_of(after) and len(current) == 1
            return materials or _is_done_besides(tokens, position)
        if _both_need(tokens, position):
            return False
        if (
            _are_rooms(tokens, position)
            or _gives_each(tokens, position)
            or (before, after) in _JOINED
            or (after in _PARTNERS and not _is_ceiling_fan(tokens, position))
            or _is_between(current)
        ):
            return False
    if word == "," and (_are_rooms(tokens, position) or _is_bare_count(tokens, position + 1)):
        return False
    if word == "," and content and _is_time(tokens, position + 1):
        return False
    if word == "," and not content:
        after = text_at(tokens, position + 1)
        if current and current[0].text == "no" and len(current) == _PAIR and action_of(after):
            return True  # "no wallpaper, paint the walls"
        if after == "new" and len(current) == 1:
            return bool(action_of(current[0].text))  # "demo, new tub"
        thing = bool(after) and after not in {"and", "then", "supply"} and not action_of(after)
        return has_number(current[-_RECENT:]) or (
            thing and bool(actions_in(current[-_RECENT:])) and after not in _EMPTY
        )
    if word == "," and text_at(tokens, position - 1).endswith("ed") and not action_of(text_at(tokens, position - 1)):
        # "Internally illuminated, raceway mounted letters": adjectives before their thing.
        return not (bool(actions_in(current[-_RECENT:])) and text_at(tokens, position + 2).endswith("ed"))
    return True


def _is_ceiling_fan(tokens: Sequence[Token], position: int) -> bool:
    """ "Two pendants and a ceiling fan"."""
    behind = [token.text for token in tokens[position + 1 : position + 4]]
    return any(pair in _OF_CEILINGS for pair in pairwise(behind))


def _both_need(tokens: Sequence[Token], position: int) -> bool:
    """ "Driveway 20x40 and walk 4x30 need pressure washing": one work for two things, of which each has a size."""
    behind = tokens[position + 1 : position + _SOON]
    end = next((at for at, token in enumerate(behind) if token.text in {"need", "needs"}), 0)
    before = tokens[max(0, position - 3) : position]
    if not end or any(token.text in {",", ".", ";", ":", "and"} for token in behind[:end]):
        return False
    acts = any(action_of(token.text) and token.text not in NOUN_VERBS for token in tokens[:position])
    named = behind[0].kind is Kind.WORD  # not "we have 12 radiators and 7 need replacing"
    return named and has_number(before) and has_number(behind[:end]) and not acts


def _are_rooms(tokens: Sequence[Token], position: int) -> bool:
    """ "The living room and 1 bedroom" are two places of one work."""
    before = text_at(tokens, position - 1)
    after = [token.text for token in tokens[position + 1 : position + 6]]
    if "nic" in after or ("n" in after and "/" in after):
        return False  # "in the boys room, girls room n/a"
    heads = _ROOM_NAMES
    skipped = [word for word in after if word not in {"the", "our", "both", "a", "all"} and not word.isdigit()]
    measured = any(token.kind is Kind.NUMBER for token in tokens[max(0, position - 4) : position])
    return before in heads and not measured and any(word in heads for word in skipped[:2])


def _gives_each(tokens: Sequence[Token], position: int) -> bool:
    """ "The kitchen and both bathrooms each need a tap" is said of all."""
    words = [token.text for token in tokens[position + 1 : position + 6]]
    return "each" in words and not any(action_of(token.text) for token in tokens[:position])


def _is_between(current: Sequence[Token]) -> bool:
    """ "Between the kitchen and the hall" is one place."""
    words = [token.text for token in current[-5:]]
    return "between" in words and "and" not in words[words.index("between") :]


def _opens_reason(tokens: Sequence[Token], position: int) -> bool:
    """ "… so they clear the floor", "… because it leaks", "… NO ELECTRIC": what follows is no work."""
    word = tokens[position].text
    if word != "no" and word not in REASONS:
        return False
    following = text_at(tokens, position + 1)
    if word == "no":
        return following in _RULED_OUT
    return word == "because" or following in {"they", "it", "we", "that", "the", "i", "you", "there", "everything"}


def _alternative(tokens: Sequence[Token], position: int, current: Sequence[Token]) -> bool:
    """Whether "or" leads to another way of doing the work, and not to another word for a thing."""
    after = list(tokens[position + 1 : position + 8])
    mark = 1 if after and after[0].text == "(" else 0
    if not after or (len(after) > mark + 1 and after[mark].text in {"2", "b"} and after[mark + 1].text == ")"):
        return bool(after)
    stop = next((number for number, token in enumerate(after) if token.text in {",", "."}), len(after))
    acts = any(action_of(token.text) for token in after[:stop]) or after[0].text in {"if", "tell", "just", "else"}
    if after[0].text == "if":
        return True  # "put some colour on it or if that isn't worth it tear it off"
    return acts and bool(actions_in(current)) and not action_of(text_at(tokens, position - 1))


#: Words within which what is replaced stands.
_SOON = 10
#: Two words behind a thing that is only an option.
_AS_OPTION = frozenset({("as", "an"), ("as", "option"), ("as", "optional"), ("as", "alternate")})
#: What is built along with something, and is work of its own.
_ALONGSIDE = frozenset({"railing", "railings", "stairs", "steps", "handrail", "handrails"})


#: What is put in along with something bigger, and is work of its own: by its last words.
_FITTED_WITH = frozenset(
    ["opener", "openers", "humidifier", "thermostat", "disposal", "faucet", "faucets", "tap", "taps", "deadbolt",
     "deadbolts", "screens", "gutters", "sprinklers", "sprinkler system", "irrigation", "stumps",
     "surge protector", "expansion tank", "storm door", "glass door", "shower door", "leaf guard", "leaf guards",
     "gutter guard", "gutter guards", "heated mat", "floor heat", "transfer switch",
     "bidet seat", "shower valve", "shutoff valve", "mixer tap", "dehumidifier", "garbage disposal", "stairs",
     "railing", "railings", "steps", "skylight", "tile surround", "glass enclosure", "wax ring", "flange"]
)  # fmt: skip
#: Words before such a part, its words, and what may stand behind it.
_BEFORE_PART = frozenset({"a", "an", "new", "the", "matching", "its", "built", "-", "in", "double", "/"})
_LONGEST_PART = 3
_BEHIND_PART = frozenset(
    {"and", "or", "in", "for", "on", "at", "to", "please", "from", "as", "plus", "by", "with", "all"}
)


def _is_fitted_with(tokens: Sequence[Token], position: int) -> bool:
    """ "A garage door with opener", "furnace w/ humidifier": a part that is work of its own."""
    start = position + 1
    while start < len(tokens) and text_at(tokens, start) in _BEFORE_PART:
        start += 1
    words = [text_at(tokens, at) for at in range(start, start + _LONGEST_PART)]
    for length in (2, 1):
        behind = words[length]
        if " ".join(words[:length]) in _FITTED_WITH and not (behind.isalpha() and behind not in _BEHIND_PART):
            return True
    return False


def _brings_more(tokens: Sequence[Token], position: int, inside: frozenset[int]) -> bool:
    """ "A fence with one gate", "a deck with 40 lf of railing": something more that is counted or measured."""
    if text_at(tokens, 0) == "replace" and position < _SOON:
        return False  # "replace 150 LF of chain link with 6 ft wood fence"
    told = any(token.start in inside for token in tokens[:position])
    if tokens[position].text == "with" and text_at(tokens, position + 1) in _ALONGSIDE:
        return told  # "a 12x20 deck with railing on 3 sides"
    behind = [token.text for token in tokens[position + 1 : position + 5]]
    behind = behind[: behind.index(",")] if "," in behind else behind
    if told and tokens[position].text == "with" and any(pair in _AS_OPTION for pair in pairwise(behind)):
        return True  # "160 ft of gutter with guards as an option", not "a skylight with a sensor as an option"
    start = position + 1 + (text_at(tokens, position + 1) in {"/", "("})
    if start + 1 >= len(tokens) or tokens[start].start not in inside:
        return False
    end = start
    while end < len(tokens) and (tokens[end].start in inside or tokens[end].kind is not Kind.WORD):
        if tokens[end].text in {"x", "×", "/", '"', "mm", "cm", "in", "inch"}:
            return False
        end += 1
    return end < len(tokens) and tokens[end].text not in _ATTRIBUTES


def _is_bare_count(tokens: Sequence[Token], position: int) -> bool:
    """ "Ceiling fans, 2": a number and nothing else, which counts what is before it."""
    return (
        position < len(tokens)
        and tokens[position].kind is Kind.NUMBER
        and (position + 1 == len(tokens) or tokens[position + 1].text in {",", ";", ".", "and"})
    )


def _is_wood_trim(tokens: Sequence[Token], position: int) -> bool:
    """ "Interior trim paint" trims nothing."""
    return tokens[position].text == "trim" and text_at(tokens, position - 1) in _WOOD_TRIM


def _is_time(tokens: Sequence[Token], position: int) -> bool:
    """ "Handyman for a day, 8 hours": how long, and nothing else."""
    unit = text_at(tokens, position + 1)
    timed = position < len(tokens) and tokens[position].kind is Kind.NUMBER and unit in _TIMES
    return timed and text_at(tokens, position + 2) in {"", ",", ";", ".", ":", ")", "and"}


def has_number(tokens: Sequence[Token]) -> bool:
    """Whether a number stands among the tokens."""
    return any(token.kind is Kind.NUMBER for token in tokens)
