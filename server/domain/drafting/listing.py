"""Listing: places that are told one after another ("the kitchen, the hall and both bathrooms", "flats 2, 5 and 9").

What is asked for in all of them is asked for so many times, and no comma between them begins other work. A small
grammar over the tokens: a place is what it is called by ("the back", "kids room", "unit 3"), perhaps with how many
there are and where ("both bays of the shop"), and the next follows behind a comma or "and". Things that are told apart
by where they are ("the front and the side door") are listed likewise, as long as it is the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.matching import ROOMS
from server.domain.drafting.numbers import ROOM_NUMBER, Kind, Token, text_at

#: Rooms, homes and parts of them.
LISTED_ROOMS = frozenset(
    ["room", "bedroom", "bathroom", "kitchen", "kitchenette", "lounge", "hall", "hallway", "landing", "office", "study",
     "den", "nursery", "ensuite", "suite", "laundry", "closet", "pantry", "bath", "conservatory", "porch", "garage",
     "basement", "attic", "loft", "foyer", "entry", "cellar", "workshop", "shed", "cloakroom", "cupboard", "playroom",
     "reception", "corridor", "lobby", "canteen", "stairwell", "bay", "barn", "gym", "wc", "annex", "annexe",
     "extension", "sunroom", "mudroom", "library", "classroom", "restroom", "washroom", "bar", "press", "loo",
     "unit", "flat", "apartment", "apt", "shop", "store", "cottage", "house", "block", "building", "patio", "deck",
     "utility"]
)  # fmt: skip
#: Rooms as notes call them ("LR 12x14").
SHORT_ROOMS = {
    "lr": "living", "dr": "dining", "fr": "family", "br": "bedroom", "mbr": "master bedroom", "ba": "bath",
}  # fmt: skip
#: Things that are told apart by where they are.
_THINGS = frozenset(
    ["door", "window", "gate", "sink", "toilet", "gable", "chimney", "entrance", "fence", "wall", "faucet", "tap",
     "light", "fan", "radiator", "outlet", "socket", "switch"]
)  # fmt: skip
#: What stands before a place's name, or is it.
_QUALITIES = frozenset(
    ["living", "dining", "family", "sitting", "box", "powder", "spare", "play", "master", "main", "primary", "guest",
     "linen", "airing", "upstairs", "downstairs", "first", "second", "third", "fourth", "top", "ground", "kids",
     "boys", "girls", "children", "home", "half", "double", "single", "large", "small", "big", "bigger", "smaller",
     "front", "back", "rear", "side", "other", "middle", "left", "right", "upper", "lower", "north", "south", "east",
     "west", "ladies", "gents", "mens", "womens", "men's", "women's", "staff", "meeting", "break", "lunch", "waiting",
     "bonus", "conference", "storage", "server", "boiler", "baby", "little", "en", "walk", "wet", "hot", "treatment",
     "storm", "screen", "party"]
)  # fmt: skip
#: Of these, what is built beside a house or is it: right behind a verb the things that it is done to.
_BUILT = frozenset({"shed", "deck", "patio", "porch", "barn", "house", "conservatory"})
#: What wishes for something to be done to what follows.
_WISHED = frozenset({"like", "want", "need", "have", "get", "having", "getting"})
#: Of these, and of rooms, what tells which kind of thing it is, and not where: "front door and storm door" are two.
_KINDS = frozenset({"storm", "screen", "garage", "patio", "closet", "deck"})
_KINDS_OF_SINKS = frozenset({"kitchen"})
#: Rooms whose doors are all inside the house.
_INSIDE = frozenset({"bedroom", "bathroom", "bath", "closet", "pantry"})
#: Of these, what tells no place: "the large window".
_SIZES = frozenset(
    ["double", "single", "large", "small", "big", "bigger", "smaller", "little", "other", "half", "home"]
)
#: Those that are a place by themselves: "the master, the den", "front, back and side doors".
_ALONE = frozenset(
    ["master", "main", "primary", "upstairs", "downstairs", "front", "back", "rear", "side", "upper", "lower", "living",
     "dining", "left", "right", "north", "south", "east", "west", "guest", "spare", "utility"]
)  # fmt: skip
#: What has a number or a letter of its own.
_NUMBERED = frozenset(
    ["unit", "flat", "apartment", "apt", "suite", "room", "rm", "no", "#", "plot", "house", "classroom", "building",
     "block", "lot", "bedroom", "shop", "store"]
)  # fmt: skip
_LETTERS = frozenset("abcdefgh")
_DETERMINERS = frozenset({"the", "our", "my", "his", "her", "their", "its", "a", "an", "one", "each", "every", "all"})
_NUMBERS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
#: Places of one list; digits of how many there are of one.
_MOST, _MOST_DIGITS = 40, 2
#: What the next place follows.
_AND = frozenset({"and", "&", "+", "plus"})
_JOINTS = _AND | {","}
#: Behind two things that only a comma joins: "front door, garage door".
_CLOSES = frozenset({"", ".", ";", ")", "please"})
#: What the last place alone may be the subject of: "… across the back, house is the front".
_SAYS = frozenset({"is", "are", "was", "were", "has", "have"})
#: "The toilet upstairs and the one downstairs".
_DIFFERENT = frozenset({"the", "another", "second", "one"})
#: What may stand between a joint and the next place.
_AGAIN = frozenset({"in", "on", "at", "for", "to", "also", "another", "then"})
#: What tells where a place is, behind it.
_WHERE = frozenset({"in", "of", "at", "from", "to", "by", "off", "on", "near"})
_BESIDE = frozenset({"upstairs", "downstairs", "outside", "inside", "outback"})
_WHERE_IS = frozenset({"floor", "street", "road", "property", "stairs", "yard", "garden", "drive", "driveway", "level"})
#: Words of a place, and of where it is.
_LONGEST = 4
#: What goes on behind a list, where a noun would make its last place a part of something else ("kitchen faucet").
_BEHIND = frozenset(
    ["please", "too", "also", "as", "each", "with", "for", "to", "is", "are", "has", "have", "need", "needs", "want",
     "wants", "get", "gets", "all", "both", "and", "but", "or", "plus", "in", "on", "at", "of", "by", "from", "were",
     "was", "will", "would", "should", "could", "can", "if", "when", "while", "because", "so", "that", "which", "who",
     "today", "tomorrow", "asap", "only", "just", "we", "i", "they", "it", "you", "done", "painted", "replaced", "then",
     "after", "before", "this", "these", "the", "a", "an", "one", "two", "three", "again", "require", "requires", "now",
     "thanks", "cheers", "where", "there", "must", "using", "every", "per", "ready", "without", "out", "up", "over"]
)  # fmt: skip


#: Words that a list of places may begin with.
_NAMES = LISTED_ROOMS | _THINGS
_BEGINS = (
    _DETERMINERS | _QUALITIES | _NUMBERS.keys() | {"no", "nos", "number", "#"} | _NAMES
    | {f"{name}s" for name in _NAMES} | {f"{name[:-1]}ies" for name in _NAMES if name.endswith("y")}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Places:
    """A list of places, tokens ``[start, end)``, and how many places those are."""

    start: int
    end: int
    number: int
    #: They have a number or a letter each, or are things, so that what is done to all is done to each.
    apart: bool
    #: They are things, with how many there are of each: "both bath faucets and the kitchen faucet".
    things: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    end: int
    #: How many it is of; 0 where its plural does not say.
    number: int
    #: The thing that is told apart by where it is; empty of a room.
    thing: str
    said: tuple[str, ...]
    numbered: bool = False


def listed(tokens: Sequence[Token]) -> list[Places]:
    """The lists of at least two places, in order."""
    found: list[Places] = []
    if _JOINTS.isdisjoint(token.text for token in tokens):
        return found
    at, goes_on, worked = 0, -1, ""
    while at < len(tokens):
        if not _may_begin(tokens, at):
            at += 1
            continue
        # "Replace the front door, the back door and 2 bedroom doors": what another kind parts is worked on, too.
        worked = worked if at == goes_on else _done_to(tokens, at)
        places, end = _list_at(tokens, at, worked)
        goes_on = _behind_joint(tokens, end) if places and worked else goes_on
        if len(places) > 1:
            apart = all(one.numbered for one in places) or any(one.thing for one in places)
            things = all(one.thing for one in places) and text_at(tokens, end) in _CLOSES
            if things or _is_joined(tokens, at, end):
                found.append(Places(at, end, _number(places), apart, any(one.thing for one in places)))
            at = end
        else:
            at += 1
    return [one for one in found if one.number > 1]


def _may_begin(tokens: Sequence[Token], at: int) -> bool:
    """Whether the first place of a list may begin at the token, so that most words are looked at once."""
    token = tokens[at]
    if token.kind is Kind.NUMBER or token.text in _BEGINS:
        return True
    return token.kind is Kind.WORD and token.text.endswith(("'s", "’s"))


def whereabouts(tokens: Sequence[Token]) -> frozenset[str]:
    """What tells the place of a thing: rooms, sides, storeys, the numbers of units."""
    found: set[str] = set()
    for at, token in enumerate(tokens):
        if _single(token.text) in LISTED_ROOMS or token.text in _BESIDE or token.text in _QUALITIES - _SIZES:
            found.add(_single(token.text))
        elif text_at(tokens, at - 1) in _NUMBERED and token.text.isalnum() and token.text not in _BEHIND:
            found.add(token.text)
    return frozenset(found)


def is_place(words: Sequence[str]) -> bool:
    """Whether words call a place in a home and say nothing else: "master bath", "garage"."""
    named = all(word in _QUALITIES or _single(word) in LISTED_ROOMS for word in words)
    return named and bool(words) and (_single(words[-1]) in LISTED_ROOMS or words[-1] in _ALONE)


def is_room(words: Sequence[str]) -> bool:
    """Whether words call a room and say nothing else: "master bedroom", "bonus room"."""
    return is_place(words) and _single(words[-1]) in ROOMS


def names_only_places(tokens: Sequence[Token]) -> bool:
    """Whether the tokens are a list of places and nothing else."""
    return any(one.start == 0 and one.end == len(tokens) for one in listed(tokens))


def lists_things(tokens: Sequence[Token]) -> bool:
    """Whether the tokens list things that are told apart by where they are: "4 bedroom doors and a pantry door"."""
    return any(one.things for one in listed(tokens))


def _is_joined(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether "and" joins two of them, or there are three: "four bedrooms, two bathrooms" tell of a home."""
    commas = [one.text for one in tokens[start:end]].count(",")
    joined = any(one.text in _AND for one in tokens[start:end])
    return joined or (commas > 1 and text_at(tokens, end) not in _SAYS)


def _done_to(tokens: Sequence[Token], at: int) -> str:
    """The action of a verb right before the token, or of one and a colon, that is done to what is told from there on,
    or a word that wishes for it ("we'd like the shed and the deck removed"); empty where neither stands there."""
    verb = at - 1 - (text_at(tokens, at - 1) in _DETERMINERS)
    word = text_at(tokens, verb - (text_at(tokens, verb) == ":"))
    return action_of(word) or (word if word in _WISHED else "")


def _list_at(tokens: Sequence[Token], at: int, worked: str) -> tuple[list[_Place], int]:
    """The places that are told from ``at`` on, and the token behind the last."""
    places: list[_Place] = []
    end = following = at
    while len(places) < _MOST:
        place = _place_at(tokens, following, places, worked)
        if place is None:
            things = bool(worked) and bool(places) and bool(places[-1].thing)  # "…, the back door and 2 bedroom doors"
            if places and not things and following < len(tokens) and tokens[following].kind is Kind.NUMBER:
                return [], at  # "flats 2, 5 and 9 doors", "unit 3, 4 bedrooms"
            break
        places.append(place)
        end = place.end
        following = _behind_joint(tokens, end)
        if following == end:
            break
    return places, end


def _behind_joint(tokens: Sequence[Token], at: int) -> int:
    """The token behind a comma or "and"; ``at`` where none stands there."""
    end = at
    while end < at + 2 and text_at(tokens, end) in _JOINTS:
        end += 1
    joint = end
    while end > at and end < joint + 2 and text_at(tokens, end) in _AGAIN:
        end += 1
    return end


def _number(places: Sequence[_Place]) -> int:
    """How many the places are; 0 where a plural among them does not say."""
    *first, last = places
    if not last.number and last.thing and all(one.number == 1 and not one.thing for one in first):
        return len(places)  # "front, back and side doors"
    if any(not one.number for one in places):
        return 0
    return sum({one.said: one.number for one in places}.values())


def _place_at(tokens: Sequence[Token], at: int, before: Sequence[_Place], worked: str) -> _Place | None:
    """The place that is told at a token, behind those of the same list, to which perhaps an action is done."""
    if (numbered := _numbered_at(tokens, at, before)) is not None:
        return numbered
    start, many = _many_at(tokens, at)
    if before and start > at and tokens[at].kind is Kind.NUMBER and _has_a_number_next(before[-1]):
        return None
    end = start
    while end < start + _LONGEST and _is_of_name(tokens, end):
        end += 1
    word = text_at(tokens, end - 1) if end > start else ""
    head = _single(word)
    identity = _identity(tokens, end) if head in _NUMBERED else end
    behind = _where(tokens, identity)
    if not word:
        # "The toilet upstairs and the one downstairs".
        different = _DIFFERENT.issuperset(one.text for one in tokens[max(0, start - 2) : start])
        if not (before and different and behind > end):
            return None
        head = before[-1].thing
    if not (head in _NAMES or word in _ALONE) or not _ends(tokens, behind):
        return None
    if text_at(tokens, start - 1) == "one" and text_at(tokens, behind + 1) == "each":
        return None  # "…, one unit in each"
    told = tuple(one.text for one in (*tokens[start : max(start, end - 1)], *tokens[end:behind]))
    # "The hall, the toilet and the kitchen".
    is_room = head == "toilet" and text_at(tokens, start - 1) == "the" and bool(before) and not before[-1].thing
    if worked and head in _BUILT:
        return None  # "Remove the shed and the deck"
    thing = head if head in _THINGS and not is_room else ""
    if thing and _SIZES.issuperset(told):
        return None  # "the door", "the large window"
    # "Repaint the front door, garage door" may tell which two.
    of_one_kind = bool(worked) and (start > at or worked in PUTS_IN)
    if not _goes_with(thing, word, told, before, of_one_kind=of_one_kind):
        return None
    several = word.endswith("s") and identity == end and word not in _ALONE
    return _Place(behind, many or int(not several), thing, (*told, head), identity > end)


def _has_a_number_next(place: _Place) -> bool:
    """Whether a number behind it may be its own or of what is in it: "unit 3, 4 bedrooms", "house, 3 bedrooms", and not
    "living room and 3 bedrooms"."""
    return place.said[-1] in _NUMBERED and (place.numbered or place.said[-1] not in ROOMS)


def _goes_with(thing: str, word: str, told: Sequence[str], before: Sequence[_Place], *, of_one_kind: bool) -> bool:
    """Whether it is of what is listed before: all are places, or all are one thing, of which some say only where: of
    one kind where they must be ``of_one_kind``, as others are other work."""
    listed_things = {one.thing for one in before if one.thing}
    if not thing:
        return not listed_things or word in _ALONE
    if of_one_kind and any(one.thing and _kinds(thing, one.said) != _kinds(thing, told) for one in before):
        return False
    return listed_things <= {thing} and all(one.thing or one.said[-1] in _ALONE for one in before)


def _kinds(thing: str, said: Sequence[str]) -> set[str]:
    """The kinds that words make of a thing: a bedroom's door is another than the front door."""
    kinds = set((_KINDS_OF_SINKS if thing == "sink" else _KINDS).intersection(said))
    return kinds | {"inside"} if thing == "door" and not _INSIDE.isdisjoint(map(_single, said)) else kinds


def _single(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def _numbered_at(tokens: Sequence[Token], at: int, before: Sequence[_Place]) -> _Place | None:
    """What is called by a number alone: "no. 14", "in 112, 204", and 5 and 9 of "flats 2, 5 and 9"."""
    named = at + (text_at(tokens, at) in {"no", "nos", "number", "#"})
    kind = "no" if named > at else before[-1].said[-1] if before and before[-1].said[-1] in _NUMBERED else ""
    if not kind and text_at(tokens, at - 1) in {"in", "at"} and ROOM_NUMBER.fullmatch(text_at(tokens, at)):
        kind = "room"
    if not kind and text_at(tokens, at - 1) == "at" and _has_homes(text_at(tokens, at - 2)):
        kind = "flat"  # "entrance doors at 4, 9 & 11"
    end = _identity(tokens, named) if kind and not (before and before[-1].number > 1) else at
    if end == at or not (kind == "no" or (_ends(tokens, end) and text_at(tokens, end) not in _WHERE)):
        return None
    return _Place(end, 1, "", (*(one.text for one in tokens[named:end]), kind), numbered=True)


def _has_homes(word: str) -> bool:
    """Whether things are told that each home has: "doors", "toilets"."""
    return word.endswith("s") and _single(word) in _THINGS


def _many_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """The token behind "the", "both", "the 3", and how many it says; 0 where it does not."""
    many = 0
    for _ in range(_LONGEST):
        word = text_at(tokens, at)
        if word in _NUMBERS:
            many = _NUMBERS[word]
        elif many or word not in _DETERMINERS:
            if many or at >= len(tokens) or tokens[at].kind is not Kind.NUMBER or not _is_many(word):
                break
            many = int(word)
        elif word == "one" and text_at(tokens, at + 1) != "of":
            many = 0
        at += 1
    return at, many


def _is_many(word: str) -> bool:
    return word.isdigit() and len(word) <= _MOST_DIGITS and 1 < int(word) <= _MOST


def _is_of_name(tokens: Sequence[Token], at: int) -> bool:
    word = text_at(tokens, at)
    if word == "-":
        return text_at(tokens, at - 1) in {"en", "walk"}
    if word == "'":
        return text_at(tokens, at - 1) in {"kids", "boys", "girls", "ladies", "gents"}
    return word in _QUALITIES or _single(word) in _NAMES or word.endswith(("'s", "’s"))


def _identity(tokens: Sequence[Token], at: int) -> int:
    """The token behind a number or a letter: "3", "#104", "2b", "C"."""
    first = at + (text_at(tokens, at) in {"#", "."})
    word = text_at(tokens, first)
    if first < len(tokens) and tokens[first].kind is Kind.NUMBER and word.isdigit():
        touches = first + 1 < len(tokens) and tokens[first + 1].start == tokens[first].end
        return first + 1 + (touches and text_at(tokens, first + 1) in _LETTERS)
    return first + 1 if word in _LETTERS and _ends(tokens, first + 1) else at


def _where(tokens: Sequence[Token], at: int) -> int:
    """The token behind words that tell where a place is; ``at`` where none do."""
    if text_at(tokens, at) in _BESIDE:
        return at + 1
    if text_at(tokens, at) == "out" and text_at(tokens, at + 1) in {"back", "front"}:
        return at + 2
    if text_at(tokens, at) not in _WHERE:
        return at
    end, _ = _many_at(tokens, at + 1)
    first = end
    while end < first + _LONGEST and (_is_of_name(tokens, end) or text_at(tokens, end) in _WHERE_IS):
        end += 1
    if text_at(tokens, end - 1) in _NUMBERED:
        end = _identity(tokens, end)
    return end if end > first and _ends(tokens, end) else at


def _ends(tokens: Sequence[Token], at: int) -> bool:
    """Whether a place may end before the token: before "faucet" it would be a part of something else."""
    if at >= len(tokens):
        return True
    token = tokens[at]
    if token.kind is Kind.SYMBOL:
        if token.text == "-" and at and tokens[at - 1].end < token.start:
            return True  # "flats 2, 5 and 9 - closers missing"
        return token.text not in {"/", "-", "x", "×", "#", "'", ":"}
    return token.kind is Kind.WORD and (token.text in _BEHIND or token.text.endswith("ed"))
