"""Lists: labels, headings and sentences that go on with what stands before them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.actions import action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.matching import GENERAL_ACTIONS, Word
from server.domain.drafting.naming import is_done_there_too
from server.domain.drafting.numbers import Kind
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import Quantity, Role
from server.domain.drafting.telling import LONGEST_LABEL, WANTED
from server.domain.drafting.verbs import is_verb_alone

#: Verbs that add to a list.
_ADDS = frozenset({"add", "include", "including", "adding"})
#: "The carpets as well please": goes on with the verb before.
_AGAIN = re.compile(r"\b(?:as well|too)(?: please)?\W*$", re.IGNORECASE)
_THINGS = r"(?:the|my|our|an?|both|all|\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve) "
_ALSO = re.compile(rf"(?:^|[.!?;\n])\s*also,? {_THINGS}", re.IGNORECASE)
_TOO = re.compile(
    rf"\W*(?:and |oh |oh and )?{_THINGS}(?:[\w-]+ ){{1,4}}(?:too|as well|also)(?:,? (?:please|pls|thanks))?\W*",
    re.IGNORECASE,
)
_LABEL_END = re.compile(r"\s?:(?!\s*(?:\n|\d+\s*(?:[;\n]|,(?!\d)|\.(?!\d)|$)))")
_DASH_END = re.compile(r"\s+[-–—]+\s+[A-Za-z]")
#: The lines below a heading: behind a colon, or with bullets.
_LINES_BELOW = re.compile(r"[ \t]*(?::[ \t]*\n|\n\s*(?:[-•*·–]|\d{1,2}[.)])\s)")
_SHORTEST_THING = 2
#: Words of a clause that says more than one thing and where.
_LONG_CLAUSE = 9
#: "Painters needed: 4 bedrooms": who is asked for says what is to be done.
_WORKERS = {"painter": "paint", "decorator": "paint", "tiler": "tile", "cleaner": "clean", "plasterer": "plaster"}
#: "Supply and fit please: three radiators": all that is said of what follows.
_SUPPLY_AND_FIT = frozenset(
    ["supply", "and", "fit", "install", "provide", "furnish", "deliver", "please", "to", "following", "the", "items"]
)  # fmt: skip
_KIND_LABELS = frozenset({"covering", "material", "type", "style", "finish"})
_PLACE_LABELS = frozenset({"location", "locations", "license", "licence", "address", "contractor", "elevation"})
#: "Posts to be set in concrete", "Double door": says more of what was asked for.
_TO_BE = re.compile(r"\bto be\b", re.IGNORECASE)


def heads_order(so_far: Progress, clause: Clause) -> bool:
    """Whether a clause before a colon only says that what follows is to be supplied and fitted."""
    words = {token.text for token in clause.tokens if token.kind is Kind.WORD}
    if not words <= _SUPPLY_AND_FIT or not _LABEL_END.match(so_far.text[clause.end : clause.end + 12]):
        return False
    so_far.heading = ("install",)
    return True


def heads_lines(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Demolition", "Paint:" alone on a line, above a list: the verb of all its lines that have none."""
    if own or not clause.actions or not is_verb_alone(clause.tokens):
        return False
    line = so_far.text.rfind("\n", 0, clause.start) + 1
    if so_far.text[line : clause.start].strip() or _LINES_BELOW.match(so_far.text, clause.end) is None:
        return False
    so_far.heading = clause.actions
    return True


def announces(so_far: Progress, clause: Clause, words: tuple[Word, ...], own: Sequence[Quantity]) -> bool:
    """A label before a colon ("Drywall: patch 5 holes", "LOCATION: …") says what the words after it are about."""
    following = so_far.text[clause.end : clause.end + 12]
    dashed = (
        not clause.actions
        and _DASH_END.match(following)
        and not so_far.in_sentence(clause)
        and clause.sentence in so_far.acting
    )
    storeys = [one for one in own if one.role is Role.STOREYS]
    if len(storeys) < len(own) or not (dashed or _LABEL_END.match(following)):
        return False
    plain_words = [token for token in clause.tokens if token.kind is Kind.WORD]
    if len(plain_words) > LONGEST_LABEL:
        return False
    if {token.text for token in plain_words} & _KIND_LABELS and so_far.items:
        so_far.kind_of = clause.sentence
        return True
    if {token.text for token in plain_words} & _PLACE_LABELS:
        so_far.aside = clause.sentence
        return True
    things = tuple(word for word in words if action_of(word.lemma) not in GENERAL_ACTIONS)
    known = tuple(word for word in things if so_far.index.knows(word.lemma) and len(word.lemma) > _SHORTEST_THING)
    trade = next((_WORKERS[word.lemma] for word in known if word.lemma in _WORKERS), "")
    if trade:
        so_far.heading = (trade,)
        return True
    if clause.actions and is_verb_alone(clause.tokens) and not any(token.text == "be" for token in clause.tokens):
        # "To be stripped: lounge 40 sq m" is of what was spoken of before.
        so_far.said_of_line = (clause.sentence, clause.actions)
        return True
    if clause.actions:
        if known and clause.actions == ("paint",) and all(action_of(word.lemma) for word in known):
            # "Painting quote: 2 bedrooms, hall": of this sentence.
            so_far.coated.add(clause.sentence)
            return True
        if known:
            return False
        so_far.heading = clause.actions
        return True
    so_far.pending += storeys
    so_far.label = (clause.sentence, known)
    # "Alternate 1: vinyl": of what was spoken of before.
    so_far.topic = known or (so_far.topic if clause.kind is ClauseKind.OPTION else ())
    return True


def goes_on(so_far: Progress, clause: Clause) -> bool:
    """ "… painted. And all the doors": a sentence that goes on with the verb before."""
    first = so_far.text[max(0, clause.start - 6) : clause.start + 5].lower()
    particular = not set(so_far.items[-1].asked) & GENERAL_ACTIONS
    said = so_far.text[clause.start : clause.end][:400]
    again = (
        _AGAIN.search(said) if particular and not WANTED.search(said) and len(clause.tokens) < _LONG_CLAUSE else None
    )
    return so_far.items[-1].clause.sentence == clause.sentence - 1 and (
        re.search(r"(?:^|\W)(?:and|plus)\s", first) is not None or again is not None or says_also(so_far, clause)
    )


def says_also(so_far: Progress, clause: Clause) -> bool:
    """ "Replace the toilet. Also the faucet", "… The faucet too please": tells nothing but a thing more."""
    also = _ALSO.search(so_far.text, max(0, clause.start - 8), clause.start + 8) is not None
    return also or _TOO.fullmatch(so_far.text, clause.start, clause.end) is not None


def heads_list(so_far: Progress, clause: Clause) -> bool:
    """A line that ends in a colon announces the lines after it."""
    return re.match(r"\s*:\s*\n", so_far.text[clause.end : clause.end + 20]) is not None


def says_more(so_far: Progress, clause: Clause, words: tuple[Word, ...], own: Sequence[Quantity]) -> bool:
    """A sentence of nouns alone that goes on about the thing before ("Double door, insulated.")."""
    if (
        clause.actions
        or own
        or not so_far.items
        or so_far.heading
        or so_far.items[-1].clause.sentence >= clause.sentence
        or not so_far.is_there(so_far.items[-1], clause)
    ):
        return False
    if "\n" in so_far.text[so_far.items[-1].clause.end : clause.start] or clause.kind is ClauseKind.OPTION:
        return False
    if says_also(so_far, clause) or is_done_there_too(so_far, so_far.items[-1], clause):
        return False
    known = {word.lemma for word in words if so_far.index.knows(word.lemma)}
    said = so_far.text[clause.start : clause.end]
    if WANTED.search(said[:400]):
        return False
    return any(known & item.lemmas for item in so_far.items[-2:]) or _TO_BE.search(said) is not None


def adds_to(so_far: Progress, clause: Clause) -> bool:
    """ "A deep clean, please add the oven": more of what was just asked for."""
    particular = so_far.items and set(so_far.items[-1].asked) - GENERAL_ACTIONS
    return bool(particular) and clause.actions == ("install",) and any(one.text in _ADDS for one in clause.tokens)
