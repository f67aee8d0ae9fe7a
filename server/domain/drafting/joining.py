"""Joining: words that only lead from one work to the next, or put one before the other, and say nothing of either.

They are blanked out, or have a plain "and" or "need" in their place, before anything is read, so that what is left
stands where it stood.
"""

from __future__ import annotations

import re

from server.domain.drafting.verbs import begins_with_verb

#: "Finally, …", "P.S. …", "another thing: …", "step 2: …", where a sentence or a line begins.
_LEADS_ON = re.compile(
    r"(?:^|[\n.!?;,])[ \t]{0,9}(?:[-*•–][ \t]{1,9})?(?:(?:oh|and|ok|okay),? )?("
    r"(?:first|second|third|next)(?=[ \t]+(?!fix)[a-z])"  # "second fix" is a stage of a new house
    r"|(?:firstly|secondly|thirdly|lastly|finally|afterwards?|additionally|furthermore|moreover|p\.?[ ]?s\b\.?|btw)"
    r"[,:]?"
    r"|(?:first|second|third|next|separately|besides(?: that)?|in addition(?: to that)?|(?:apart|aside) from that"
    r"|on top of that|by the way|(?:one|another|the|our)? ?(?:other|more|last|final|second)? ?thing"
    r"|once (?:that|this)(?:['’]s| is) (?:done|finished))[ ]?(?:[,:–—]|-(?= ))"
    r"|(?:step|priority|stage)[ ]?#?\d{1,2}[ ]?[:.)–—-]"
    r")(?=[ \t]+(?P<behind>(?:please )?[A-Za-z]+(?: [A-Za-z]+){0,3}))",
    re.IGNORECASE,
)
#: "… and while you're here service the furnace", "… and at the same time …".
_ON_THE_WAY = re.compile(
    r"\b(while you(?:['’]re| are) (?:at it|(?:out )?here|there|on site)|at the same time),?"
    r"(?=[ \t]+(?P<behind>(?:please )?[A-Za-z]+(?: [A-Za-z]+){0,3}))",
    re.IGNORECASE,
)
#: "Besides a new dishwasher we need …", "apart from the gutters, we also want …".
_BESIDES = re.compile(
    r"(?:^|(?<=[\n.!?;]))[ \t]{0,9}"
    r"(besides|in addition to|as well as|along with|on top of|(?P<but>apart from|aside from))"
    r" (?!that\b|this\b|the (?:above|usual)\b)[^\n.!?;]{3,120}?(,? )(?:(?:i|we)(?: would|['’]d)?|we are|i am)"
    r" (?P<more>also )?(?:need|want|like|love|require|interested in|looking)\b",
    re.IGNORECASE,
)
#: "Not only 2 windows but also a door".
_NOT_ONLY = re.compile(r"\b(not only) [^\n.!?;]{3,120}? (but(?: also)?)\b", re.IGNORECASE)
#: "Stain both the deck and the fence": says no more than "and" does.
_BOTH = re.compile(r"\b(both)(?= (?:the|my|our) [\w -]{2,40} and (?:the|my|our|a) )", re.IGNORECASE)
#: "1 | Replace the toilet", "#2 rekey the locks": the number of a line.
_NUMBERED = re.compile(
    r"^[ \t|]{0,9}(?:#(\d{1,2})[.:)]?[ \t]+|(\d{1,2})(?:[ ]?\t[ \t]?|[ ]{0,3}\|[ ]{0,3}))"
    r"(?=([A-Za-z]+(?: [A-Za-z]+){0,3}))",
    re.MULTILINE,
)
_FEW = 2


def plainly_joined(text: str) -> str:
    """The text with the words that only join blanked out or in their plain form; as long as it was."""
    for leads in (_LEADS_ON, _ON_THE_WAY):
        text = leads.sub(_without_lead, text)
    text = _BESIDES.sub(_as_needed, text)
    text = _NOT_ONLY.sub(_as_and, text)
    text = _BOTH.sub(lambda found: _put(found, 1, ""), text)
    return _without_numbers(text)


def _without_lead(found: re.Match[str]) -> str:
    """The match without what leads on to an order; as it is before anything else ("first, the pool …")."""
    words = found["behind"].lower().removeprefix("please ").split()
    return _put(found, 1, "") if begins_with_verb(words) else found[0]


def _put(found: re.Match[str], group: int, word: str) -> str:
    """The match with a word in place of a group, as long as that."""
    start, end = found.start(group) - found.start(), found.end(group) - found.start()
    return f"{found[0][:start]}{word:<{end - start}}{found[0][end:]}"


def _as_needed(found: re.Match[str]) -> str:
    """ "Need    a new dishwasher, we need …"; what is excepted where nothing says that more is wanted."""
    if found["but"] and not found["more"]:
        return found[0]
    said = _put(found, 1, "need")
    joint = found.start(3) - found.start()
    return f"{said[:joint]},{said[joint + 1 :]}"


def _as_and(found: re.Match[str]) -> str:
    said = _put(found, 1, "")
    start, end = found.start(2) - found.start(), found.end(2) - found.start()
    return f"{said[:start]}{'and':<{end - start}}{said[end:]}"


def _without_numbers(text: str) -> str:
    """The text without the numbers of its lines, where these go up from 1 and are no counts ("1 | toilet")."""
    lines = list(_NUMBERED.finditer(text))
    numbers = [int(one[1] or one[2]) for one in lines]
    orders = all(begins_with_verb(one[3].lower().split()) for one in lines)
    if len(lines) < _FEW or not orders or numbers != list(range(1, len(lines) + 1)):
        return text
    return _NUMBERED.sub(lambda found: " " * len(found[0]), text)
