"""Long patterns of cues, compiled so that they are quick to find missing: most clauses have none of the cues."""

from __future__ import annotations

import re
from collections import defaultdict

_WORD_STARTS = r"\b"
_TEXT_STARTS = r"^\W*"
#: What says how often the sign before it stands.
_REPEATS = ("?", "*", "+", "{")


#: "Install only": who says so has what is fitted.
ONLY_FITTED = r"(?:install(?:ation)?|fit(?:ting)?|fixing)[ -]only"

#: Behind a thing of a list, or what becomes of it: it is not wanted any more; it is done.
CALLED_OFF = r"(?:cancell?ed|on hold|declined|deferred|postponed|rejected|void(?:ed)?)"
FINISHED = (
    r"(?:completed|done|finished) (?:(?:on )?\d[\d/.-]*|(?:back )?in ['’]?\d\d(?:\d\d)?"
    r"|last (?:spring|summer|fall|autumn|winter|year|month|week))"
)


def folded(text: str) -> str:
    """The text in lower case with everything where it stood: as it is where one letter would become two ("İ").
    A pattern that folds case itself takes two to five times as long."""
    low = text.lower()
    return low if len(low) == len(text) else text


def cues(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    r"""The pattern, whose alternatives are cues, with those that begin alike put under one beginning.

    Tried one by one, every alternative that begins with ``\b`` asks at every letter whether a word starts there; under
    one ``\b`` the question is asked once, and those are tried that begin with the letter that stands there. It is found
    in the same texts as ``pattern`` and starts at the same place; which of two cues that start there is taken may
    differ.
    """
    grouped: defaultdict[str, list[str]] = defaultdict(list)
    for one in (part for whole in alternatives(pattern) for part in _told_apart(whole)):
        start = next((start for start in (_WORD_STARTS, _TEXT_STARTS) if one.startswith(start)), "")
        grouped[start] += _told_apart(one.removeprefix(start))
    return re.compile("|".join(f"{start}(?:{_by_letter(rest)})" for start, rest in grouped.items()), flags)


def _told_apart(one: str) -> list[str]:
    """ "(?:we|i) have" as "we have" and "i have", so that each is told by its first letter."""
    depth = 0
    for found in _STRUCTURE.finditer(one) if one.startswith("(?:") else ():
        depth += (found.group() == "(") - (found.group() == ")")
        if not depth:
            head, rest = one[: found.end()], one[found.end() :]
            return [one] if rest[:1] in _REPEATS else [part + rest for part in alternatives(head)]
    return [one]


def _by_letter(some: list[str]) -> str:
    """The alternatives, those that begin with the same letter together."""
    grouped: defaultdict[str, list[str]] = defaultdict(list)
    for one in some:
        told = one[:1].isalpha() and one[1:2] not in _REPEATS
        grouped[one[0] if told else ""].append(one[told:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in grouped.items())


def alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between the ``|`` outside of groups and classes; of one group around all, its parts."""
    parts: list[str] = []
    start = depth = 0
    for found in _STRUCTURE.finditer(pattern):
        sign = found.group()
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            parts.append(pattern[start : found.start()])
            start = found.end()
    parts.append(pattern[start:])
    whole = len(parts) == 1 and pattern.startswith("(?:") and pattern.endswith(")")
    return alternatives(pattern[3:-1]) if whole else parts


#: What a pattern is cut by; escapes and classes stand first, so that a sign in them is none.
_STRUCTURE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)
