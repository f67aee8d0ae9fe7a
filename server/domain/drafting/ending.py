"""Ending: lists whose verb stands at their end: "I need the driveway, gutters and windows cleaned", "the toilet, the
sink and the tub need to be replaced"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from server.domain.drafting.actions import action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.numbers import Kind

_GREETS = r"\W*(?:(?:hi|hello|hey|also|and|please|so|just|ok|then)\b\W*){0,3}"
#: How a wish begins whose verb is still to come.
_WISHES = re.compile(
    _GREETS + r"(?:(?:(?:i|we)(?:['’]d|['’]ll| would| will| do| just| also| really| am|['’]m|['’]re| are){0,3} )?"
    r"(?:need|want|like|love|require|looking|wish|hoping)\b(?: (?:to|for)(?: (?:have|get|see))?)?"
    r"|(?:(?:i|we)(?:['’]m|['’]re| am| are) )?(?:thinking (?:of|about)|considering|interested in|looking (?:at|into))"
    r" (?:getting|having)\b"
    r"|(?:can|could|would|will) (?:i|we|you(?: guys)?)(?: please)? (?:have|get)\b)",
    re.IGNORECASE,
)
#: How a list of things begins that need something.
_NAMES = re.compile(
    _GREETS + r"(?:both |all )?(?:the|my|our|this|these|those|your|a|an|two|three|\d+)\b", re.IGNORECASE
)
#: "I have a shed and a fence that need painting": so begins what is told of several things that need something.
_HAS = re.compile(_GREETS + r"(?:(?:i|we)(?: have|['’]ve(?: got)?)|there(?:['’]s| is| are))\b", re.IGNORECASE)
#: "We have 12 radiators and 7 of the 12 need replacing": of what there is, and no list.
_OF_THEM = re.compile(
    r"\W*(?:only|just|some|most|half|both|all|one|none|\w+ of|\d+ (?:are|is|needs?|have|has|must))\b", re.IGNORECASE
)
#: What several things, or one, need at the end of a clause.
_NEEDS = re.compile(
    r"\b(?P<need>needs?|must|should|has|have|ought|wants?|requires?|is|are)(?: all| both| also)?(?: to)?(?: be| get)? "
    r"(?P<done>[a-z]+(?:ed|ing|ung))(?: (?:up|out|off|down|away|please|too|asap|soon))*\W*$",
    re.IGNORECASE,
)
#: These tell of what is done to things unless something is still "to be" done.
_TO_BE = frozenset({"is", "are", "has", "have", "should", "ought"})
_JOINS = re.compile(r"\s*(?:,|,?\s*(?:and|&|\+|plus|as well as|along with))\s*", re.IGNORECASE)
#: What is told of, not wished for: "the driveway, gutters and windows were cleaned".
_TELLS = frozenset({"is", "are", "was", "were", "been", "being", "be", "has", "had", "not", "n't", "already"})
#: What may stand behind the verb.
_BEHIND = frozenset({"please", "too", "also", "asap", "up", "out", "off", "down", "away"})
#: "I have a toilet" alone tells, or says what is there to be fitted.
_HELD_TO_TELL = frozenset({ClauseKind.CONTEXT, ClauseKind.SUPPLY})
#: "… and so does the dishwasher."
_SO_DOES = re.compile(r"\W*(?:and |as )?so (?:do|does|is|are) (?:the|my|our)\b", re.IGNORECASE)
#: Words of an entry, and entries of a list.
_LONGEST, _MOST = 9, 12


def with_verbs_of_endings(clauses: Sequence[Clause], text: str) -> list[Clause]:
    """The clauses, those of a list that a wish opens, or of things that need something, with the verb that its last one
    ends in."""
    found = list(clauses)
    for last, clause in enumerate(clauses):
        if last and _does_so(clause, text) and len(clauses[last - 1].actions) == 1:
            found[last] = replace(clause, kind=ClauseKind.WORK, ending=clauses[last - 1].actions[0])
            continue
        needed = _needed(clause, text)
        action = needed or _ends_in(clause)
        first = _first_of(clauses, last, text, _openings(clause, text, needed)) if action else last
        if first < last:
            for place in range(first, last + 1):
                found[place] = replace(clauses[place], kind=ClauseKind.WORK, ending=action)
    return found


def begins_its_thing(clause: Clause, text: str) -> int:
    """Where the thing of a clause begins behind "we'd like to have", "I have" or "so does the"; its start where none
    stands there."""
    opened = (one.match(text, clause.start, clause.end) for one in (_WISHES, _SO_DOES, _HAS))
    opening = next(filter(None, opened), None)
    return clause.start if opening is None else opening.end()


def _openings(clause: Clause, text: str, needed: str) -> Sequence[re.Pattern[str]]:
    """How a list may begin that a clause ends."""
    if not needed:
        return (_WISHES,)
    return (_WISHES, _NAMES) if _OF_THEM.match(text, clause.start) else (_WISHES, _NAMES, _HAS)


def _does_so(clause: Clause, text: str) -> bool:
    """Whether a clause names a thing that the verb before it is of, too."""
    return not clause.actions and len(clause.tokens) <= _LONGEST - 2 and _SO_DOES.match(text, clause.start) is not None


def _ends_in(clause: Clause) -> str:
    """The action of the participle that a clause ends with; empty where it asks for anything else or only tells."""
    words = [token.text for token in clause.tokens if token.kind is Kind.WORD]
    while len(words) > 1 and words[-1] in _BEHIND:
        words.pop()
    action = action_of(words[-1]) if len(words) > 1 and words[-1].endswith("ed") else ""
    return action if action and clause.actions == (action,) and _TELLS.isdisjoint(words) else ""


def _needed(clause: Clause, text: str) -> str:
    """The action that a clause says its things need; empty where it says none, or of one thing only."""
    found = _NEEDS.search(text, clause.start, clause.end) if len(clause.actions) == 1 else None
    if found is None or found.start() == clause.start:
        return ""
    need, done = found["need"].lower(), found["done"].lower()
    still = need not in _TO_BE or " to be " in found.group().lower()
    several = not need.endswith("s") or need == "must"
    return clause.actions[0] if still and several and action_of(done) == clause.actions[0] else ""


def _first_of(clauses: Sequence[Clause], last: int, text: str, opens: Sequence[re.Pattern[str]]) -> int:
    """Where the list begins that a clause ends; ``last`` where nothing opens one."""
    for place in range(last - 1, max(-1, last - _MOST), -1):
        clause, behind = clauses[place], clauses[place + 1]
        opened = any(one.match(text, clause.start, clause.end) for one in opens)
        told = clause.kind is ClauseKind.WORK or (opened and clause.kind in _HELD_TO_TELL)
        named = told and not clause.actions and len(clause.tokens) <= _LONGEST
        if clause.sentence != behind.sentence or not named or not _JOINS.fullmatch(text[clause.end : behind.start]):
            return last
        begins = place == 0 or clauses[place - 1].sentence != clause.sentence
        if opened and (begins or _WISHES.match(text, clause.start, clause.end)):
            return place
    return last
