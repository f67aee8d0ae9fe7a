"""What the words of a piece ask to be done: verbs by where they stand, commands, requests."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.actions import (
    BY_PLACE,
    IMPLIED,
    PARTICLES,
    TWO_WORDS,
    action_of,
    is_adjective,
    phrasal_action,
)
from server.domain.drafting.numbers import Kind, Token, text_at
from server.domain.drafting.patterns import cues

#: Leading words that ask, and say nothing of the work.
_REQUEST = (
    r"(?:need|needs|needed|want|wants|(?:would|should) like|'d like|looking|please|can you|could you|require|requires"
    r"|requires|quote|price"
    r"|estimate|how much|wondering (?:if|how|what|whether)|interested in|hoping (?:to|for)|keen (?:on|to)"
    r"|['’]d love|would love|in need of|to be|get|must be|should be(?! (?:ok|okay|fine|good|easy|enough|simple)\b))"
)
#: For words in lower case.
REQUEST_CUE = cues(rf"\b{_REQUEST}\b")
#: Before "service" these make it the supply of electricity, which is a thing and not an action.
_CURRENT = frozenset(
    {"amp", "amps", "a", "electric", "electrical", "phase", "meter", "overhead", "underground", "new", "main", "volt"}
)
#: What "stain" at the beginning is done to.
_STAINED = frozenset(
    ["deck", "decks", "decking", "fence", "fences", "fencing", "railing", "railings", "pergola", "floor", "floors",
     "siding"]
)  # fmt: skip
#: What is trimmed with a tool; any other trim is of wood.
_TRIMMED = frozenset(
    ["hedge", "hedges", "tree", "trees", "bush", "bushes", "shrub", "shrubs", "branch", "branches", "lawn", "grass",
     "limb", "limbs", "door", "doors", "back", "hedging", "conifers", "ivy"]
)  # fmt: skip
#: What a thing begins with: right behind one stands no verb.
DETERMINERS = frozenset({"the", "my", "our", "a", "an"})
#: Materials that are also verbs where a determiner follows: "plasterboard the walls".
NOUN_VERBS = frozenset(
    ["plasterboard", "drywall", "sheetrock", "tile", "carpet", "fence", "deck", "turf", "slab", "mulch", "board",
     "felt", "gravel", "panel", "floor", "screed", "lawn"]
)  # fmt: skip
#: What the name of a work ends with, and verbs of orders alone, whatever stands behind them ("replace wiring").
_WORK = frozenset({"work", "works", "removal", "repair", "repairs", "replacement", "installation", "disposal"})
_ON_ANY_THING = frozenset({"replace", "install", "remove", "repair"})
_LENGTHS = frozenset({"ft", "feet", "foot", "lf", "m", "metres", "meters", "linear", "lin", "'", "yards", "yd", "x"})
#: "R/R", "R&R": remove and replace; "D&R": detach and reset.
_INITIALS = (["/", "r"], ["&", "r"])
#: Materials that are verbs too: after another verb they say what it is done to ("strip wallpaper", "hack off render").
_MATERIAL_VERBS = frozenset(
    {"wallpaper", "render", "plaster", "paint", "grout", "insulation", "mulch", "caulk", "sand"}
)
#: What a material is done to stands right behind its verb, or with these between.
_JOINS_VERBS = frozenset({"and", "&", "/", "to", "then", ",", "or", "please", "-", "+", "also", "re", "you", "plus"})
#: "A rental flat" is no hire.
_LET = frozenset(
    ["", "flat", "house", "property", "on", "is", "with", "apartment", "unit", "home", "between", "place", "condo",
    "studio", "before",
     ",", ".", "and", "we", "i", "that", "in"]
)  # fmt: skip
#: Behind these a material is a thing.
_BEFORE_THINGS = frozenset(
    {"the", "old", "existing", "some", "there's", "is", "of", "our", "my", "any", "this", "that", "new", "all", "loose",
     "leftover", "remaining", "spare"}
)  # fmt: skip
#: Behind it so does one of these: "wallpaper in the hall to come off".
_BEHIND_THINGS = frozenset({"in", "on", "at", "from", "is", "has", "needs", "to", "off", "was"})
#: What a thing does, and no order: "plaster is original", "service panel is newer"; words that are no such thing ("fix
#: what is broken").
_TELLS = frozenset({"is", "are", "was", "were"})
_ANY_THING = frozenset(
    ["what", "whatever", "which", "whichever", "that", "anything", "everything", "something", "all", "any", "those"]
)
#: And before these: "wallpaper removal".
_DONE_TO_THINGS = frozenset(
    {"removal", "removed", "repair", "repairs", "repaired", "stripping", "cleaning", "replacement"}
)
#: "Spray paint all over the wall" is what is there.
_EVERYWHERE = frozenset({"all", "on", "across", "everywhere"})
_PAIR = 2
#: Words of a thing before "off", and what tells that it is off.
_FEW_BEFORE = 3
_IS = frozenset({"is", "are", "was", "were", "has", "have", "had", "came", "coming", "falling", "peeling", "fell"})
#: What is taken off: "wallpaper off lounge", "old felt off".
_TAKEN_OFF = frozenset(
    ["wallpaper", "paper", "plaster", "render", "artex", "tiles", "tile", "felt", "shingles", "slates", "siding",
     "cladding", "paneling", "panelling", "popcorn", "stucco", "lino"]
)  # fmt: skip
#: What is taken up: "old vinyl up".
_TAKEN_UP = frozenset(
    ["carpet", "carpets", "vinyl", "lino", "linoleum", "laminate", "tile", "tiles", "flooring", "floorboards", "slabs",
     "pavers"]
)  # fmt: skip
#: "Needs a trim", "could do with a good clean".
_A_WORK = frozenset({"trim", "clean", "wash", "prune", "service", "paint", "repaint", "mow"})
_SHORT = 4
#: "Want it cleared": participles that elsewhere are qualities.
_DONE_TO = {"cleared": "clear", "emptied": "clear", "treated": "treat", "tiled": "tile"}
_WANTS = re.compile(r"\b(?:wants?|needs?|like|have|get|getting|be) ?(?:it|that|them|this|all|the|\w+)?$")
_INFINITIVE = re.compile(r"\bto (?:be |go |get )?(\w+(?: \w+)?)", re.IGNORECASE)
#: "The entire subfloor has to go": it is to be taken out.
_HAS_TO_GO = re.compile(r"\b(?:has|have|needs?|got|must) (?:to )?go\b", re.IGNORECASE)


def _is_noun_trim(tokens: Sequence[Token], position: int) -> bool:
    if position == 0 and len(tokens) > 1:
        following = tokens[1]
        counted = following.kind is Kind.NUMBER and text_at(tokens, 2) not in _LENGTHS
        if following.text in {"the", "our", "my", "back", "down"} or counted:
            return False
    return not any(token.text in _TRIMMED for token in tokens)


#: "A strip of 6 x 1 m", "the front strip", "tack strip".
_OF_A_STRIP = frozenset(
    ["a", "the", "front", "side", "back", "rear", "narrow", "thin", "long", "small", "grass", "led", "tack", "weather",
     "power", "gripper", "transition", "nailing"]
)  # fmt: skip
#: "Red oak strip floors", "red oak strip, 2 1/4".
_WOODS = frozenset({"oak", "maple", "pine", "ash", "fir", "hickory", "walnut", "beech", "birch", "hardwood", "wood"})


def _ends_name(following: str) -> bool:
    return following.startswith("floor") or not following.isalpha()


def _is_thing(word: str) -> bool:
    """ "Carpet out", not "locked out"."""
    return (
        len(word) > 2
        and not word.endswith(("ed", "ing"))
        and word not in {"way", "gone", "shut", "night", "take", "get"}
    )


def _joined_verb(tokens: Sequence[Token], position: int) -> bool:
    return text_at(tokens, position - 1) in _JOINS_VERBS


#: Who moves house.
_WHO_MOVES = frozenset(
    ["we", "i", "they", "he", "she", "tenant", "tenants", "owners", "people", "everyone", "family", "we're", "they're",
     "i'm", "we've", "who", "buyers", "residents"]
)  # fmt: skip


def moves_in(tokens: Sequence[Token], position: int) -> bool:
    """ "Before we move in", "when the tenants moved out", "move out clean": tells when, and asks nobody to carry
    anything."""
    if not tokens[position].text.startswith("mov") or text_at(tokens, position + 1) not in {"in", "out", "back"}:
        return False
    if text_at(tokens, position + 2).startswith("clean"):
        return True
    if text_at(tokens, position + 2) in {"of", "from"}:
        return False  # "we're moving out of a 3 bedroom house"
    return any(text_at(tokens, at) in _WHO_MOVES for at in range(max(0, position - 3), position))


#: Behind a material these make it a verb: "tile the hall".
_DETERMINERS = frozenset(
    {"the", "our", "my", "a", "all", "this", "these", "those", "both", "it", "them", "any", "each"}
)


def _acts_behind(words: Sequence[str]) -> bool:
    """Another verb stands behind the first two words."""
    return any(phrasal_action(words, at)[0] or action_of(words[at]) for at in range(2, len(words)))


def _used_as_verb(tokens: Sequence[Token], position: int) -> bool:
    before, after = text_at(tokens, position - 1), text_at(tokens, position + 1)
    counted = position + 1 < len(tokens) and tokens[position + 1].kind is Kind.NUMBER
    if tokens[position].text == "stain" and not position and after in _STAINED:
        return True
    return (counted or after in _DETERMINERS) and (
        before in {"", "to", "and", ",", "please", "then", "-", "also", "you"}
    )


def begins_with_thing(tokens: Sequence[Token]) -> bool:
    """ "Carpet 200 sf", "wallpaper": what is a verb at the beginning of an order, and a thing in a list."""
    first = text_at(tokens, 0)
    counted = len(tokens) > 1 and tokens[1].kind is Kind.NUMBER and (first in NOUN_VERBS or first in BY_PLACE)
    return counted or (len(tokens) == 1 and (first in NOUN_VERBS or first in _THINGS_TOO))


#: Verbs that are as often the thing.
_THINGS_TOO = frozenset({"wallpaper", "render", "plaster"})
#: What only tells how something is cleaned: "pressure wash:".
_HOW = frozenset({"pressure", "power", "jet", "steam", "deep", "soft"})
#: Of the verbs by place, what is a thing nowhere.
_VERBS_ALONE = frozenset({"fix", "swap", "overhaul", "weatherstrip", "restripe"})
#: "Items to be replaced:", "please clean the following:".
_AROUND_A_VERB = frozenset(
    ["to", "be", "need", "needs", "needed", "please", "have", "get", "want", "items", "item", "things", "the", "all",
     "following", "these", "work", "list", "of"]
)  # fmt: skip


def is_verb_alone(tokens: Sequence[Token]) -> bool:
    """ "Demo:", "painting", "clean & seal", "to be replaced": a verb or two and nothing else."""
    words = [token.text for token in tokens if token.kind is Kind.WORD and token.text not in _AROUND_A_VERB]
    words = words[words[0] in _HOW :] if len(words) > 1 else words
    return 0 < len(words) <= _PAIR and all(action_of(word) or word in _VERBS_ALONE for word in words)


def _is_wanted_gone(words: Sequence[str], position: int) -> bool:
    """ "Want it out", "we'd like them all down please"."""
    before = words[max(0, position - _SHORT) : position]
    wants = next((at for at, word in enumerate(before) if word in _WISHES), _SHORT)
    thing = before[wants + 1 :]
    ends = position + 1 == len(words) or words[position + 1] in _BEHIND_GONE
    return ends and bool(thing) and _SPOKEN_OF.issuperset(thing)


#: Where what is to be away is to be; who wants it, what it was called before, and what may stand behind.
_GONE = frozenset({"off", "out", "down", "away"})
_WISHES = frozenset({"want", "wants", "need", "needs", "like"})
_SPOKEN_OF = frozenset({"it", "them", "that", "this", "those", "these", "all", "both"})
_BEHIND_GONE = frozenset(
    {"please", "too", ",", ".", "asap", "completely", "entirely", "as", "before", "by", "and", "&"}
)


def actions_in(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Canonical actions of a run of tokens, in order; two-word verbs before their parts."""
    found: dict[str, None] = {}
    words = [token.text for token in tokens]
    for position, token in enumerate(tokens):
        if token.kind is not Kind.WORD:
            continue
        if (token.text == "add" and text_at(tokens, position + 1) in {"on", "-"}) or moves_in(tokens, position):
            continue
        if token.text in {"r", "d"} and [one.text for one in tokens[position + 1 : position + 3]] in _INITIALS:
            found.setdefault("replace" if token.text == "r" else "remove")
            continue
        if token.text in _A_WORK and text_at(tokens, position - 1) in {"a", "good"}:
            found.setdefault(action_of(token.text) or token.text)
            continue
        if token.text == "trim" and _is_noun_trim(tokens, position):
            continue
        if token.text == "strip" and (
            text_at(tokens, position + 1) == "of"
            or text_at(tokens, position - 1) in _OF_A_STRIP
            or (text_at(tokens, position - 2) in DETERMINERS and not action_of(text_at(tokens, position - 1)))
            or (text_at(tokens, position - 1) in _WOODS and _ends_name(text_at(tokens, position + 1)))
        ):
            continue
        if token.text in NOUN_VERBS and _used_as_verb(tokens, position):
            found.setdefault("install")
            continue
        if token.text in BY_PLACE and _used_as_verb(tokens, position):
            found.setdefault(BY_PLACE[token.text])
            continue
        if token.text in _MATERIAL_VERBS and (
            (found and not _joined_verb(tokens, position))
            or text_at(tokens, position + 1) in _DONE_TO_THINGS
            or text_at(tokens, position - 1) in _BEFORE_THINGS
            or (not position and text_at(tokens, 1) in _BEHIND_THINGS and _acts_behind(words))
            or (words[:1] == ["spray"] and position == 1 and text_at(tokens, _PAIR) in _EVERYWHERE)
        ):
            continue
        if token.text in _DONE_TO and _WANTS.search(" ".join(words[max(0, position - 6) : position])):
            found.setdefault(_DONE_TO[token.text])
            continue
        if (
            token.text == "out"
            and 0 < position == len(tokens) - 1 < _SHORT
            and not found
            and _is_thing(words[position - 1])
        ):
            # "Carpet out".
            found.setdefault("remove")
            continue
        if token.text in _GONE and not found and _is_wanted_gone(words, position):
            # "We want it off".
            found.setdefault("remove")
            continue
        if token.text == "off" and position and words[position - 1] in _TAKEN_OFF and _stands_alone(tokens, position):
            # "Wallpaper off lounge, 31 m2".
            found = {"remove": None}
            continue
        if token.text == "up" and 0 < position == len(tokens) - 1 < _SHORT and words[position - 1] in _TAKEN_UP:
            # "Old carpet up".
            found = {"remove": None}
            continue
        if found and _rejected(words, position):
            # "Needs repairing not replacing", "repair rather than replace".
            continue
        if token.text in {"rental", "let"} and text_at(tokens, position + 1) in _LET:
            continue
        if token.text in {"service", "services"} and text_at(tokens, position - 1) in _CURRENT:
            continue
        if token.text.endswith("tion") and action_of(text_at(tokens, position + 1)):
            # "Final construction clean": the first noun only says which.
            continue
        if token.text in {"dump", "tip"} and words[max(0, position - 2) : position] == ["to", "the"]:
            found.setdefault("remove")
            continue
        if token.text == "go" and _HAS_TO_GO.search(" ".join(words[max(0, position - 2) : position + 1])):
            found.setdefault("remove")
            continue
        action = (
            ""
            if is_adjective(words, position)
            else phrasal_action(words, position)[0]
            or TWO_WORDS.get((token.text, next_word(tokens, position)), "")
            or action_of(token.text)
        )
        if action:
            found.setdefault(action)
    return tuple(found)


def _stands_alone(tokens: Sequence[Token], position: int) -> bool:
    """Whether nothing but the name of a thing stands before."""
    return position <= _FEW_BEFORE and not any(token.text in _IS for token in tokens[:position])


def _rejected(words: Sequence[str], position: int) -> bool:
    return words[position - 1] == "not" or words[max(0, position - 2) : position] in (
        ["rather", "than"],
        ["instead", "of"],
    )


def asked_by_verb(tokens: Sequence[Token]) -> bool:
    """A verb that is more than "new" asks for something, however the sentence began."""
    implied = {action_of(token.text) for token in tokens if token.text in IMPLIED}
    return bool(set(actions_in(tokens)) - implied) or (
        REQUEST_CUE.search(" ".join(token.text for token in tokens)) is not None
    )


def next_word(tokens: Sequence[Token], position: int) -> str:
    """The word after the token, past an article or a hyphen."""
    following = text_at(tokens, position + 1)
    if following in {"the", "-", "a", "my", "our", "all"}:
        following = text_at(tokens, position + 2)
    return following


def is_imperative(tokens: Sequence[Token]) -> bool:
    """ "Lay turf where the pool was": begins with a verb in its base form."""
    said = [token.text for token in tokens if token.kind is Kind.WORD]
    first = said[0] if said else ""
    verb = bool(action_of(first)) and not first.endswith(("ed", "ing", "s")) and first != "new"
    return verb and not _only_tells(said)


def _only_tells(words: Sequence[str]) -> bool:
    """ "Plaster is original", "service panel is newer": what is a verb elsewhere names a thing, of which is told how it
    is."""
    if len(words) <= _PAIR or words[-1] == "all":
        return False  # "sweep is all"
    return words[1] in _TELLS or (words[_PAIR] in _TELLS and words[1] not in _ANY_THING)


def begins_with_verb(words: Sequence[str]) -> bool:
    """ "Put up a fence", "tile the floor", "replace 2 windows": a verb in its base form, also of several words, or one
    that elsewhere is a thing."""
    first = words[0] if words else ""
    by_place = (first in BY_PLACE or first in NOUN_VERBS) and bool(words[1:2]) and words[1] in DETERMINERS
    verb = bool(words) and bool(action_of(first) or phrasal_action(words, 0)[0])
    return by_place or (verb and not first.endswith(("ed", "ing", "s")) and first not in IMPLIED)


def names_work(tokens: Sequence[Token]) -> bool:
    """ "(Excludes) haul away, trim painting": in a list the name of a work, though it begins like an order."""
    first, last = text_at(tokens, 0), text_at(tokens, len(tokens) - 1)
    named = (last.endswith("ing") and action_of(last)) or last in _WORK
    return all(token.text in PARTICLES for token in tokens[1:]) or bool(
        named and action_of(first) not in _ON_ANY_THING and DETERMINERS.isdisjoint(token.text for token in tokens)
    )


def asks_to(text: str) -> bool:
    """ "There is old carpet to rip out"."""
    for found in _INFINITIVE.finditer(text):
        words = found.group(1).lower().split()
        if any(action_of(word) for word in words) or phrasal_action(words, 0)[0]:
            return True
    return _HAS_TO_GO.search(text) is not None
