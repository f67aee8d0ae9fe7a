"""Segmentation: a request cut into clauses, each said to be work, an exclusion, a supply note, an option or context.

Lines, bullets and sentences come first; within a sentence a separator ("and", "plus", a comma) splits only where both
sides stand on their own, so "supply and fit", "walls and ceiling" and every figure stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from server.domain.drafting.actions import OPENERS, TWO_WORDS, action_of
from server.domain.drafting.numbers import Kind, Token, text_at, tokenize
from server.domain.drafting.quantities import Quantity


class ClauseKind(StrEnum):
    """What a clause is for."""

    WORK = "work"
    EXCLUSION = "exclusion"
    #: The customer supplies materials.
    SUPPLY = "supply"
    OPTION = "option"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Clause:
    """A run of tokens of one sentence. ``[start, end)`` are code points; ``sentence`` numbers sentences from 0."""

    kind: ClauseKind
    tokens: tuple[Token, ...]
    start: int
    end: int
    sentence: int
    #: An exclusion or option that opened in an earlier clause of the sentence still holds here.
    carried: bool = False

    @property
    def actions(self) -> tuple[str, ...]:
        """The canonical actions asked for, in order, without repeats."""
        return actions_in(self.tokens)


_SEPARATORS = frozenset({",", "and", "&", "plus", "then", "also", "+", "but", "(", ")", "–", "—", ":", "including",
                         "incl",
                         "includes", "|", "•", "·", "*"})  # fmt: skip
_DASH = re.compile(r"\s-+\s|(?<=\S)--+|^\s*-+(?=\s*[A-Za-z])")
#: A full stop after one of these ends no sentence.
_ABBREVIATIONS = frozenset(
    [
        "sq", "ft", "approx", "appx", "no", "nos", "qty", "st", "e", "g", "i", "etc", "ext", "int", "max", "min",
        "in", "lin", "s", "l", "f", "w", "r", "inc", "dr", "mr", "mrs", "ms", "vs", "dia", "ht", "c", "cu", "yd", "d",
        "u",
    ]
)  # fmt: skip
_GREETING = re.compile(
    r"^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|to whom it may concern|morning"
    r"|afternoon)\b[^\n.!?:]{0,60}?"
    r"(?:[,!.:]|(?=\n|$)|\s[-–—]\s)", re.IGNORECASE,
)  # fmt: skip
_SIGN_OFF = re.compile(
    r"^\s*(?:many thanks|thanks(?: (?:in advance|again|so much|very much|a lot))?|thank you(?: (?:very much"
    r"|so much|in advance))?"
    r"|kind regards|best regards|warm regards|regards|best wishes|best|cheers|sincerely|yours (?:sincerely"
    r"|faithfully|truly)"
    r"|sent from my|--|all the best|cordially)\s*(?:[,.!–—-]|$|\b(?:iphone|ipad|phone|android)|[A-Z][a-z]+\s*$)",
    re.IGNORECASE,
)  # fmt: skip
_HEADER = re.compile(
    r"^\s*(?:from|to|cc|bcc|date|sent|reply-to|tel|phone|mobile|email|e-mail|subject|re|fwd?)\s*:", re.IGNORECASE
)
_BULLET = re.compile(r"^\s*(?:[-–—*•·▪◦>]+|\(?\d{1,2}\s*[.)](?:\))?(?!\d)|\(?[a-hA-H][.)](?=\s))\s*")
#: Leading words that ask, and say nothing of the work.
_REQUEST = (
    r"(?:need|needs|needed|want|wants|would like|'d like|looking|please|can you|could you|require|requires"
    r"|requires|quote|price"
    r"|estimate|how much|interested in|to be|get|must be|should be)"
)
_REQUEST_CUE = re.compile(rf"\b{_REQUEST}\b", re.IGNORECASE)
_EXCLUSION = re.compile(
    r"(?:\bnot includ\w+|\bnot incl\b|\bexclud\w+|\bexcl\b|\bexcept\b|\bexcepting\b|\bwithout\b|\bother than\b"
    r"|\bapart from\b"
    r"|\b(?:do ?n['’]?t|do not|does ?n['’]?t|does not|wo ?n['’]?t|will not) (?:need|want|require|include|touch"
    r"|quote|bother|paint|replace"
    r"|price|do|remove)\b"
    r"|\bno need\b|\bnot (?:needed|required|in scope|part of)\b|\bleave\b(?! (?:a|you|your|us|me)\b)"
    r"|\bnothing (?:on|to|in)\b"
    r"|\bby others\b|\bnot the\b|\b(?:is|are) ?n['’]?t (?:needed|required|included|part)\b|\bkeep(?:ing)? the\b"
    r"|\bskip the\b"
    r"|^\W*(?:and |but )?no (?!later\b|rush\b|more\b|longer\b|problem|issue|hurry|parking|access|power|heating"
    r"|hot)(?=[a-z])"
    r"|^\W*(?:but )?not (?=the |our |any |[a-z]+ing\b))",
    re.IGNORECASE,
)
_SUPPLY = re.compile(
    r"\b(?:we|i|customer|client|owner|owners|homeowner|landlord|tenant|us)(?:['’]ll| will| to| can| would| shall"
    r"| am| are|['’]m)?"
    r"(?: be)? (?:happy to )?(?:supply|supplies|supplying|provide|provides|providing|furnish|furnishing|buy"
    r"|buying|purchase)\b"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already| all)? (?:have|got|bought|purchased|ordered)(?: already| all"
    r"| got)*(?: the| our| my| all"
    r"| them| it)?(?: (?:new|own))? *(?:the )?(?:\w{1,20} ){0,2}(?:paint|panels?|tile|tiles|material|materials|flooring"
    r"|fixtures?|fittings?|boards?|wallpaper|tap"
    r"|faucet|lights?|bricks?|laminate|carpet|vanity|toilet|unit|units|turf|slabs|doors?|sink|fan|fans)\b"
    r"|\balready (?:have|bought|got|purchased)\b|\blabou?r[ -]only\b|\bsuppl(?:y|ied|ying) (?:by|from) (?:us|me"
    r"|the |our |customer|client"
    r"|owner)|\b(?:customer|owner|client)[- ]suppl(?:y|ied)\b|\bprovided by (?:us|me|the |customer|client|owner)"
    r"|\bown (?:paint|materials|tiles|fixtures)\b|\bmaterials? (?:(?:are|is|will be) )?(?:supplied|provided"
    r"|on site|by (?:us|owner|others))"
    r"|\b(?:doors?|tiles?|paint|units?|boards?|flooring|fixtures?|windows?|fittings?) (?:are "
    r"|is )?(?:already )?(?:on site|to hand)\b"
    r"|\bjust (?:the )?labou?r\b|\blabou?r cost only\b",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"\boptional(?:ly)?\b|\bas an option\b|\boption(?:al)? (?:extra|of|for|to)\b|\balternative(?:ly)?\b(?! code)"
    r"|\bseparate(?:ly)? (?:price|quote|line)\b|\bprice (?:this |it |that )?(?:up )?separately\b|\bquote (?:this "
    r"|it )?separately\b"
    r"|\bif (?:the )?(?:budget|money|possible|affordable|price|it's not too)\b|\bas an? (?:extra|add-?on"
    r"|optional)\b|\bnice to have\b"
    r"|\bmaybe\b|\bpossibly\b|\bmight also\b|\bperhaps\b|\bseparate price for\b|^\W*option\b|\bor instead\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had been|has been|have been|bought|moved|last year|years? ago|years? old|ago|used to|recently|"
    r"previous(?:ly)?|already (?:been )?(?:done|fixed|replaced|installed)|already)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"^\W*(?:(?:we|i|it|they|there|this|that|our|my|the|it['’]s|we['’]re|i['’]m|i am|house|property|access|parking)\b)",
    re.IGNORECASE,
)
_STATIVE = re.compile(r"\b(?:is|are|have|has|live|lives|own|owns|located|situated|it['’]s|we['’]re|there['’]s|runs?"
    r"|seems?|looks?)\b",
                      re.IGNORECASE)  # fmt: skip
_PLACES = frozenset(
    [
        "ceiling", "ceilings", "back", "rear", "front", "side", "sides", "exterior", "interior", "inside", "outside",
        "materials", "material", "parts", "below", "above", "down", "out", "trim", "trims", "woodwork", "tear",
        "gutter-guards",
    ]
)  # fmt: skip
#: A pair joined by "and" that is one thing.
_JOINED = frozenset(
    {("walls", "ceiling"), ("wall", "ceiling"), ("walls", "ceilings"), ("labour", "materials"), ("labor", "materials"),
     ("labor", "material"), ("labour", "material"), ("parts", "labor"), ("parts", "labour"), ("heating", "cooling"),
     ("wear", "tear"), ("front", "back"), ("front", "rear"), ("inside", "out"), ("inside", "outside"), ("floor",
     "decker"),
     ("studs", "drywall"), ("dining", "living"), ("living", "dining")}
)  # fmt: skip


#: Before "service" these make it the supply of electricity, which is a thing and not an action.
_CURRENT = frozenset(
    {"amp", "amps", "a", "electric", "electrical", "phase", "meter", "overhead", "underground", "new", "main", "volt"}
)


def actions_in(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Canonical actions of a run of tokens, in order; two-word verbs before their parts."""
    found: dict[str, None] = {}
    for position, token in enumerate(tokens):
        if token.kind is not Kind.WORD:
            continue
        if token.text in {"service", "services"} and text_at(tokens, position - 1) in _CURRENT:
            continue
        action = TWO_WORDS.get((token.text, _next_word(tokens, position)), "") or action_of(token.text)
        if action:
            found.setdefault(action)
    return tuple(found)


def split_request(
    text: str, quantities: Sequence[Quantity], spelling: Callable[[str], str] = str
) -> tuple[Clause, ...]:
    """The clauses of a request in order.

    ``quantities`` are its figures, inside which nothing is split; ``spelling`` repairs a word before its sense is
    asked.
    """
    figures = tuple((quantity.span.start, quantity.span.end) for quantity in quantities)
    inside = frozenset(position for start, end in figures for position in range(start, min(end, start + 200)))
    clauses: list[Clause] = []
    sentence = 0
    for start, end in _lines(text):
        for first, last in _sentences(text, start, end, inside):
            clauses += _clauses(text, first, last, sentence, inside, spelling)
            sentence += 1
    return tuple(clauses)


def _lines(text: str) -> list[tuple[int, int]]:
    """The ranges of the lines that may say something: no greeting, header, signature, bullet or numbering."""
    kept: list[tuple[int, int, bool]] = []
    position = 0
    said_something = False
    for line in text.splitlines(keepends=True):
        start, end = position, position + len(line.rstrip("\r\n"))
        position += len(line)
        body = text[start:end]
        if _HEADER.match(body):
            continue
        if said_something and _SIGN_OFF.match(body):
            break
        greeting = _GREETING.match(body)
        if greeting:
            start += greeting.end()
        bullet = _BULLET.match(text[start:end])
        if bullet:
            start += bullet.end()
        if text[start:end].strip():
            kept.append((start, end, bullet is not None))
            said_something = True
    return _rejoined(text, kept)


def _rejoined(text: str, lines: list[tuple[int, int, bool]]) -> list[tuple[int, int]]:
    """Join a line that was wrapped (it goes on in lower case) with the one before it."""
    joined: list[tuple[int, int]] = []
    for start, end, bulleted in lines:
        if joined and not bulleted and text[start].islower() and "\n" in text[joined[-1][1] : start]:
            previous = text[joined[-1][0] : joined[-1][1]].rstrip()
            if len(previous) > 40 and previous[-1:] not in ".!?;:" and text[joined[-1][1] : start].count("\n") == 1:
                joined[-1] = (joined[-1][0], end)
                continue
        joined.append((start, end))
    return joined


def _sentences(text: str, start: int, end: int, inside: frozenset[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    first = start
    for position in range(start, end):
        if text[position] in ".!?;" and position not in inside and _ends_sentence(text, first, position, end):
            found.append((first, position))
            first = position + 1
    found.append((first, end))
    return [(a, b) for a, b in found if text[a:b].strip()]


def _ends_sentence(text: str, first: int, position: int, end: int) -> bool:
    if text[position] != ".":
        return True
    before = text[max(first, position - 14) : position]
    word = re.split(r"[^A-Za-z0-9]", before)[-1].lower()
    after = text[position + 1 : position + 2]
    if word in _ABBREVIATIONS or (after.isdigit() and before[-1:].isdigit()):
        return False
    return (
        after == ""
        or after.isspace()
        or position + 1 >= end
        or (after.isalpha() and len(word) > 3)
        or after in "*-)\"'"
    )


def _clauses(
    text: str, start: int, end: int, sentence: int, inside: frozenset[int], spelling: Callable[[str], str]
) -> list[Clause]:
    """Split one sentence and label its pieces; what an exclusion or option opens holds until another verb."""
    tokens = tuple(
        Token(
            token.kind,
            spelling(token.text) if token.kind is Kind.WORD else token.text,
            token.start + start,
            token.end + start,
        )
        for token in tokenize(text[start:end])
    )
    dashes = frozenset(
        position + start
        for match in _DASH.finditer(text[start:end])
        for position in range(match.start(), match.end())
        if position + start not in inside
    )
    pieces = _pieces(tokens, inside, dashes)
    clauses: list[Clause] = []
    carried: ClauseKind | None = None
    for piece in pieces:
        first, last = piece[0].start, piece[-1].end
        kind = _kind(text[first:last], piece)
        holds = False
        if kind in {ClauseKind.EXCLUSION, ClauseKind.OPTION}:
            carried = kind
        elif kind is ClauseKind.WORK and carried is not None:
            opened = carried is ClauseKind.EXCLUSION and (
                actions_in(piece) or text_at(piece, 0) in {"but", "just", "only"}
            )
            if opened:
                carried = None
            else:
                kind, holds = carried, True
        clauses.append(Clause(kind, piece, first, last, sentence, holds))
    return clauses


def _pieces(tokens: tuple[Token, ...], inside: frozenset[int], dashes: frozenset[int]) -> list[tuple[Token, ...]]:
    pieces: list[tuple[Token, ...]] = []
    current: list[Token] = []
    content = acted = False
    for position, token in enumerate(tokens):
        if token.start in inside:
            current.append(token)
            content = True
            continue
        if token.start in dashes or (token.text in _SEPARATORS and _splits(tokens, position, current, content)):
            if current:
                pieces.append(tuple(current))
            current, content, acted = [token] if token.text == "but" else [], False, False
            continue
        if token.text in OPENERS and content and acted and text_at(tokens, position - 1) not in _NO_OPENING:
            pieces.append(tuple(current))
            current, content, acted = [], False, False
        current.append(token)
        if token.kind is Kind.WORD:
            is_action = bool(action_of(token.text))
            acted |= is_action
            content |= not is_action and len(token.text) > 2 and token.text not in _EMPTY
    if current:
        pieces.append(tuple(current))
    return [piece for piece in pieces if any(token.kind is not Kind.SYMBOL for token in piece)]


#: What "and" before it only adds to the thing already named.
_PARTNERS = frozenset({"materials", "ceiling", "ceilings", "out", "down", "above"})
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
        "no", "existing", "be", "only", "same", "your", "our",
    ]
)  # fmt: skip


def _splits(tokens: Sequence[Token], position: int, current: Sequence[Token], content: bool) -> bool:
    """Whether the separator at ``position`` ends a piece: not between verbs, nor inside a pair that is one thing."""
    word = tokens[position].text
    if word in {"including", "includes", "incl"} and text_at(tokens, position - 1) in {"not", "n't", "without"}:
        return False
    if word == "(" and text_at(tokens, position + 2) == ")":
        return False
    if word == ")" and text_at(tokens, position - 2) == "(":
        return False
    if word in {"and", "&", "+", "plus"}:
        if not content:
            return False
        after = _next_word(tokens, position)
        before = current[-1].text if current else ""
        if (before, after) in _JOINED or after in _PARTNERS:
            return False
    if word == "," and not content:
        return _has_number(current)
    return True


def _has_number(tokens: Sequence[Token]) -> bool:
    return any(token.kind is Kind.NUMBER for token in tokens)


def _next_word(tokens: Sequence[Token], position: int) -> str:
    following = text_at(tokens, position + 1)
    if following in {"the", "-", "a", "my", "our", "all"}:
        following = text_at(tokens, position + 2)
    return following


def _kind(text: str, tokens: Sequence[Token]) -> ClauseKind:
    """Label a piece by its cues; a cue of exclusion outranks one of option, which outranks supply."""
    bounded = text[:600]
    if _SUPPLY.search(bounded):
        return ClauseKind.SUPPLY
    if _EXCLUSION.search(bounded):
        return ClauseKind.EXCLUSION
    if _OPTION.search(bounded):
        return ClauseKind.OPTION
    if _REQUEST_CUE.search(bounded):
        return ClauseKind.WORK
    if _PAST.search(bounded):
        return ClauseKind.CONTEXT
    if _STATE.search(bounded) and _STATIVE.search(bounded) and not (set(actions_in(tokens)) & {"repair", "replace"}):
        return ClauseKind.CONTEXT
    return ClauseKind.WORK
