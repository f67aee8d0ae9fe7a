"""Segmentation: a request cut into clauses, each said to be work, an exclusion, a supply note, an option or context.

Lines, bullets and sentences come first; within a sentence a separator ("and", "plus", a comma) splits only where both
sides stand on their own, so "supply and fit", "walls and ceiling" and every figure stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from server.domain.drafting.actions import (
    BY_PLACE,
    IMPLIED,
    OPENERS,
    TWO_WORDS,
    action_of,
    is_adjective,
    phrasal_action,
)
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


@dataclass(frozen=True)
class Clause:
    """A run of tokens of one sentence. ``[start, end)`` are code points; ``sentence`` numbers sentences from 0."""

    kind: ClauseKind
    tokens: tuple[Token, ...]
    start: int
    end: int
    sentence: int
    #: An exclusion or option that opened in an earlier clause of the sentence still holds here.
    carried: bool = False

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The canonical actions asked for, in order, without repeats."""
        return actions_in(self.tokens)


_SEPARATORS = frozenset({",", "and", "or", "&", "plus", "then", "also", "+", "but", "(", ")", "–", "—", ":",
"including",
                         "incl",
                         "includes", "|", "•", "·", "*"})  # fmt: skip
_DASH = re.compile(r"\s-+\s|(?<=\S)--+|^\s*-+(?=\s*[A-Za-z])")
#: A full stop after one of these ends no sentence.
_ABBREVIATIONS = frozenset(
    [
        "sq", "ft", "approx", "appx", "no", "nos", "qty", "st", "e", "g", "i", "etc", "ext", "int", "max", "min",
        "in", "lin", "s", "l", "f", "w", "r", "inc", "dept", "dr", "mr", "mrs", "ms", "vs", "dia", "ht", "c", "cu",
        "yd", "d",
        "u",
    ]
)  # fmt: skip
#: Units written with a point: a capitalised word after one begins a sentence all the same.
_UNIT_POINTS = frozenset({"ft", "in", "m", "sqm", "etc", "ext", "yd", "yds", "f", "max", "min"})
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
    r"|\b(?:under|on|in) (?:a |another )?separate (?:permit|contract|quote|invoice|order)\b|\bpermitted separately\b"
    r"|\bn\.?i\.?c\b|\bomit(?:ted)?\b|\bnot in (?:the |this |our )?(?:scope|contract)\b|\bby others\b"
    r"|\bnot the\b|\b(?:is|are) ?n['’]?t (?:needed|required"
    r"|included|part)\b"
    r"|\b(?:keep|keeping|keeps) (?:the|our|my|all|existing|old|those|these|both)\b"
    r"|\bskip (?:the|it|that|this|them|those|these)\b|^\W*(?:the |any )?\w+ no\W*$"
    r"|\bkeeps? (?:their|its|our|my|his|her)\b|\bre-?us(?:e|ing) (?:the|our|my|all|existing|old|your)\b"
    r"|\bignore\b|\b(?:leave|leaving) (?:it|them|that|those|these)\b|\bforget (?:about )?the\b"
    r"|\b(?:our|my|your)sel(?:f|ves)\b(?! supplied)|\bdo our own\b|\bdo my own\b"
    r"|\b(?:owner|owners|homeowner|tenant|landlord|customer|client|others|someone else) (?:to|will) (?!pay|be\b|supply"
    r"|provide|furnish|buy|purchase|like|want|need|have|choose|confirm|take)[a-z]+\b"
    r"|(?<!requested )(?<!occupied )(?<!owned )"
    r"\b(?<!left )(?:(?<!ed )|(?<=done )|(?<=handled )|(?<=supplied )|(?<=taken )|(?<=provided )|(?<=covered ))"
    r"by (?:the |a |an |my |our |their )?(?:[\w&'’-]+ ){0,3}(?:owners?|homeowner|landlord|tenants?|council|city"
    r"|clients?|customers?|others|insured|gc|builders?|subs?|contractors?|subcontractors?|vendors?|techs|manufacturer|dealer"
    r"|son|daughter|husband|wife|brother|father|dad|mum|mom|friend|neighbou?rs?|association|hoa)\b"
    r"|\b(?:we|i)(?:['’]re| are|['’]m| am|['’]ll| will)(?: be)? (?:handling|doing|sorting|tackling|dealing|do|handle"
    r"|sort|tackle)"
    r"\b|\bdoes (?:that|those|them|it|this)\b"
    r"|\b(?:stay|stays|staying|remain|remains) (?:where|as|in place|put|with|the same|the way)\b|\bstays$"
    r"|\b(?:my|our) (?:own )?(?:brother|father|dad|son|husband|wife|friend|neighbou?r|uncle|mate|partner|electrician"
    r"|plumber"
    r"|painter|builder|decorator|guy)(?:[- ]in[- ]law)?(?:['’]s)? (?:does|do|will do|is doing|doing|handles"
    r"|will handle|is handling"
    r"|will take|takes care|can do)\b"
    r"|\b(?:stay|staying|stays|remain|remaining)\W*$|\bhaving (?:the |our )?(?:\w+ ){1,2}done (?:separately|by)\b"
    r"|\bcan (?:stay|wait)\b|\bnot (?:now|yet|this time|at this time|today)\b|\b(?:done|do it|do that) later\b"
    r"|\bwe(?:['’]ll| will| can) live with\b|\bcomes? from (?:the|our|a) (?:dealer|shop|store|supplier|manufacturer)\b"
    r"|^\W*(?:and |but )?no (?!later\b|rush\b|more\b|longer\b|problem|issue|hurry|parking|access|power|heating"
    r"|hot)(?=[a-z])"
    r"|^\W*(?:but )?not (?=the |our |any |[a-z]+ing\b))",
)
_SUPPLY = re.compile(
    r"\b(?:we|i|customer|client|owner|owners|homeowner|landlord|tenant|us)(?:['’]ll| will| to| can| would| shall"
    r"| am| are|['’]m|['’]re)?"
    r"(?: be)? (?:happy to )?(?:supply|supplies|supplying|provide|provides|providing|furnish|furnishing|buy"
    r"|buying|purchase)\b"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already| all)? (?:have|got|bought|purchased|ordered)(?: already| all"
    r"| got)*(?: the| our| my| all"
    r"| them| it)?(?: (?:new|own))? *(?:the )?(?:\w{1,20} ){0,2}(?:paint|panels?|tile|tiles|material|materials|flooring"
    r"|fixtures?|fittings?|boards?|wallpaper|tap"
    r"|faucet|lights?|bricks?|laminate|carpet|vanity|toilet|unit|units|turf|slabs|doors?|sink|fan|fans)\b"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already)? (?:bought|got|purchased|ordered|have) (?:them|it|these|those|one"
    r"|everything"
    r"|all (?:of )?(?:it|them)|(?:one|it|them) (?:in|here|ready|already))\b"
    r"|\b(?:paper|paint|tiles?|boards?|units?|doors?|windows?|materials?|fixtures?|fittings?|flooring|taps?|faucets?|lights?"
    r"|fans?|blinds?|slabs?|turf|bricks?|parts|everything) supplied\b(?! and (?:fit|install))"
    r"|\b(?:owner|customer|client|homeowner)[ -](?:supplied|furnished|provided)\b|\bfurnished by (?:us|owner"
    r"|customer|client"
    r"|others)\b"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already)? (?:bought|purchased|ordered)\W*$|^\W*supplied\W*$"
    r"|\b(?:we|i)(?:['’]ve)? (?:have|got) (?:a|an|our own|my own)\b.{0,30}\b(?:one|to (?:put|go) (?:in|on)"
    r"|ready to fit)\b"
    r"|\b(?:already|all|both) (?:in (?:my|our|the) (?:garage|shed|house|basement|loft)|on site|to hand|here)\b"
    r"|\b(?:is|are) (?:\w+ )?(?:here|on site|to hand|still boxed)\b(?! (?:to|for|at|on|from)\b)"
    r"|\b(?:we|i)(?:['’]ll| will| can)? (?:pick|collect) (?:\w+ ){0,4}(?:up|myself|ourselves)\b"
    r"|\b(?:we|i)(?:['’]ve)? (?:have|got) the (?:\w+ )?\w+\W*$"
    r"|\balready (?:have|bought|got|purchased)\b|\blabou?r[ -]only\b|\bsuppl(?:y|ied|ying) (?:by|from) (?:us|me"
    r"|the |our |customer|client"
    r"|owner)|\b(?:customer|owner|client)[- ]suppl(?:y|ied)\b|\bprovided by (?:us|me|the |customer|client|owner)"
    r"|\bown (?:paint|materials|tiles|fixtures)\b|\bmaterials? (?:(?:are|is|will be) )?(?:supplied|provided"
    r"|on site|by (?:us|owner|others))"
    r"|\b(?:doors?|tiles?|paint|units?|boards?|flooring|fixtures?|windows?|fittings?|slabs?|panels?|bricks?|timber"
    r"|blocks?) (?:are "
    r"|is )?(?:already )?(?:on site|to hand)\b"
    r"|\bjust (?:the )?labou?r\b|\blabou?r cost only\b"
    r"|\b(?:is|are) (?:mine|ours)\b|\b(?:all )?(?:bought|purchased|ordered) by (?:us|me|the )\b"
    r"|\bon pallets?\b|\b(?:in|at) (?:my|our|the) (?:front |back )?(?:garden|garage|drive|driveway|shed|basement)"
    r" already\b"
    r"|\b(?:material|materials|fixtures?|appliances|equipment) by (?:the )?(?:builder|gc|others|client|customer)\b"
    r"|\b\w+ (?:that )?(?:i|we)(?:['’]ve)? (?:already )?(?:have|got|bought)\W*$",
)
_OPTION = re.compile(
    r"\boptional(?:ly)?\b|\bas an option\b|\boption(?:al)? (?:extra|of|for|to)\b|\balternative(?:ly)?\b(?! code)"
    r"|\bseparate(?:ly)? (?:price|quote|line)\b|\bprice (?:this |it |that )?(?:up )?separately\b|\bquote (?:this "
    r"|it )?separately\b"
    r"|\bif (?:the )?(?:budget|money|affordable|price|it's not too)\b|^\W*(?:and |also )?if possible\b"
    r"|\bas an? (?:extra|add[- ]?on|alternate|optional|upgrade)\b|\badd[- ]alternate\b|\bnice to have\b"
    r"|\bwhat would\b.{0,80}\b(?:cost|run|be|set me back)\b|\btell me what\b|\bwhat (?:it|that) would cost\b"
    r"|\bwhile you(?:['’]re| are) at it\W*(?:maybe|if)\b|\bif (?:it|the|that)(?:['’]s| is)[^,]{0,40}(?:bad|shot"
    r"|past|toast|dead|gone"
    r"|beyond|knackered|needed)\b"
    r"|\b(?:maybe|possibly|perhaps)\b(?! (?:about |around |some )?(?:\d|a dozen|two|three|four|five|six))"
    r"|^\W*(?:add |bid )?alt(?:ernate|ernative)?s?\b(?! code)|\bmight also\b"
    r"|\bseparate price for\b|^\W*option\b|\bor instead\b",
)
_PAST = re.compile(
    r"\b(?:was|were|had been|has been|have been|bought|moved|years? ago|years? old|ago|used to|recently|took|"
    r"last (?:year|month|week|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)|in (?:19[5-9]|20[0-4])\d|from (?:the (?:19)?[4-9]0s|(?:19|20)\d\d)"
    r"|got the keys|"
    r"had (?:the |a |our |my )?(?:\w+ ){1,3}(?:done|replaced|fitted|installed|painted|built)|"
    r"you (?:guys |lot )?(?:installed|fitted|did|replaced|built|painted|fixed|put)|works? (?:great|fine|well"
    r"|perfectly)|"
    r"got my (?:last )?(?:e-?mail|message)|previous(?:ly)?|already (?:been )?(?:done|fixed|replaced|installed)"
    r"|already)\b",
)
_STATE = re.compile(
    r"^\W*(?:(?:we|i|it|they|there|this|that|our|my|the|it['’]s|we['’]re|i['’]m|i am|house|property|access|parking)\b)",
    re.IGNORECASE,
)
_STATIVE = re.compile(r"\b(?:is|are|have|has|live|lives|own|owns|located|situated|it['’]s|we['’]re|there['’]s|runs?"
    r"|seems?|looks?)\b",
                      re.IGNORECASE)  # fmt: skip
#: What may turn out to be needed is shown and not charged.
_IF_NEEDED = re.compile(r"\bif (?:rotten|rotted|necessary|needed|required|damaged|bad)\b", re.IGNORECASE)
#: A change of papers asks for no work.
_PERMIT_PAPER = re.compile(
    r"\b(?:revision|amendment|reinstatement|renewal) (?:to|of) (?:the )?(?:permit|approved|plans|change"
    r"|contractor|#|\d)"
    r"|\b(?:update|extend|renew|correct|revise|reissue) (?:the |this |our )?permit\b|\bcorrection permit\b"
    r"|\breinstate\w* (?:of )?permit|\bchange (?:of|in) (?:[\w&]+ ){0,6}contractor", re.IGNORECASE,
)  # fmt: skip
#: Asks for word, takes work back, asks about the company or tells of oneself: no work.
_TALK = re.compile(
    r"^\W*(?:please )?(?:let (?:me|us) know|get back to (?:me|us)|call me|email me|text me)\b"
    r"|\b(?:please|to|must|need to|have to|want to|we|i) (?:cancel|postpone|call off)\b|^\W*cancel\b"
    r"|^\W*(?:and |also |or |but )?(?:what time|when (?:will|are|can|do|is)|who (?:will|is)|are you (?!able"
    r"|free|happy|willing)"
    r"|do you (?:\w+ )?(?:come|cover|serve|offer|have|take|accept|work|know|travel|charge|hire|give|deal)\b|is your\b)"
    r"|^\W*automatic reply\b|\bout of (?:the )?office\b|^\W*for (?:urgent|emergency) \w+ (?:please )?(?:ring"
    r"|call|contact|email)"
    r"|\b(?:thank you|thanks to|to thank|(?:great|good|fantastic|lovely|excellent|amazing|brilliant) (?:job|work) on)\b"
    r"|\b(?:another|other|last|previous) (?:contractor|plumber|builder|electrician|company|painter|roofer|firm)\b"
    r"|\b(?:looking for (?:a )?(?:job|work|employment)|are hiring|years[’']? (?:of )?experience)\b",
)
#: What a building is in the words of its code: "CONSTRUCTION TYPE III-A".
_CODE_CLASS = re.compile(
    r"\b(?:construction|occupancy|use) (?:class|classification|type|group)\b|^\W*(?:pursuant|subject|according) to\b"
    r"|^\W*(?:with )?(?:an? )?(?:cut-?outs?|openings?|holes?|space|room) for\b"
    r"|\b(?:is |are )?ready (?:as|in|to go|for collection)\b",
    re.IGNORECASE,
)
#: Words that begin a reason, which is no work.
_REASONS = frozenset({"because", "so", "since"})
#: What permit texts rule out at the end of a clause ("PAINT AND FLOORING NO ELECTRIC").
_RULED_OUT = frozenset(
    ["electric", "electrical", "plumbing", "structural", "gas", "hvac", "mechanical", "other", "change"]
)
#: "The railing is metal": tells how something is, and asks for nothing.
_STATEMENT = re.compile(
    r"^\W*(?!what|how|which|where)(?:[a-z'’-]+\s+){1,5}(?:is|are|was|were|sits?|sounds?|seems?|looks?|feels?"
    r"|will be|says?|said|figures?)\b"
    r"(?! to\b| wanted| required| requested)",
)  # fmt: skip
#: A pair joined by "and" that is one thing.
_JOINED = frozenset(
    {("walls", "ceiling"), ("wall", "ceiling"), ("walls", "ceilings"), ("labour", "materials"), ("labor", "materials"),
     ("labor", "material"), ("labour", "material"), ("parts", "labor"), ("parts", "labour"), ("heating", "cooling"),
     ("wear", "tear"), ("front", "back"), ("front", "rear"), ("inside", "out"), ("inside", "outside"), ("floor",
     "decker"),
     ("studs", "drywall"), ("base", "wall"), ("wall", "base"), ("hot", "cold"), ("upper", "lower"), ("dining",
     "living"), ("living", "dining")}
)  # fmt: skip


#: Before "service" these make it the supply of electricity, which is a thing and not an action.
_CURRENT = frozenset(
    {"amp", "amps", "a", "electric", "electrical", "phase", "meter", "overhead", "underground", "new", "main", "volt"}
)


#: What is trimmed with a tool; any other trim is of wood.
_TRIMMED = frozenset(
    ["hedge", "hedges", "tree", "trees", "bush", "bushes", "shrub", "shrubs", "branch", "branches", "lawn", "grass",
     "limb", "limbs", "door", "doors", "back", "hedging", "conifers", "ivy"]
)  # fmt: skip
#: Materials that are also verbs where a determiner follows: "plasterboard the walls".
_NOUN_VERBS = frozenset(
    ["plasterboard", "drywall", "sheetrock", "tile", "carpet", "fence", "deck", "turf", "slab", "mulch", "board",
    "felt",
     "gravel", "panel", "floor", "screed", "lawn"]
)  # fmt: skip


_LENGTHS = frozenset({"ft", "feet", "foot", "lf", "m", "metres", "meters", "linear", "lin", "'", "yards", "yd", "x"})


def _is_noun_trim(tokens: Sequence[Token], position: int) -> bool:
    if position == 0 and len(tokens) > 1:
        following = tokens[1]
        counted = following.kind is Kind.NUMBER and text_at(tokens, 2) not in _LENGTHS
        if following.text in {"the", "our", "my", "back", "down"} or counted:
            return False
    return not any(token.text in _TRIMMED for token in tokens)


#: "R/R", "R&R": remove and replace; "D&R": detach and reset.
_INITIALS = (["/", "r"], ["&", "r"])
#: Materials that are verbs too: after another verb they say what it is done to ("strip wallpaper", "hack off render").
_MATERIAL_VERBS = frozenset({"wallpaper", "render", "plaster", "paint", "grout", "insulation", "mulch", "caulk"})
#: What a material is done to stands right behind its verb, or with these between.
_JOINS_VERBS = frozenset({"and", "&", "/", "to", "then", ",", "or", "please", "-", "+", "also", "re", "you", "plus"})


def _joined_verb(tokens: Sequence[Token], position: int) -> bool:
    return text_at(tokens, position - 1) in _JOINS_VERBS


def _used_as_verb(tokens: Sequence[Token], position: int) -> bool:
    before, after = text_at(tokens, position - 1), text_at(tokens, position + 1)
    counted = position + 1 < len(tokens) and tokens[position + 1].kind is Kind.NUMBER
    return (counted or after in {"the", "our", "my", "a", "all", "this", "both", "it", "them", "any", "each"}) and (
        before in {"", "to", "and", ",", "please", "then", "-", "also", "you"}
    )


#: "A rental flat" is no hire.
_LET = frozenset(
    ["", "flat", "house", "property", "on", "is", "with", "apartment", "unit", "home", "between", "place", "condo",
    "studio", "before",
     ",", ".", "and", "we", "i", "that", "in"]
)  # fmt: skip


def actions_in(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Canonical actions of a run of tokens, in order; two-word verbs before their parts."""
    found: dict[str, None] = {}
    words = [token.text for token in tokens]
    for position, token in enumerate(tokens):
        if token.kind is not Kind.WORD:
            continue
        if token.text == "add" and text_at(tokens, position + 1) in {"on", "-"}:
            continue
        if token.text in {"r", "d"} and [one.text for one in tokens[position + 1 : position + 3]] in _INITIALS:
            found.setdefault("replace" if token.text == "r" else "remove")
            continue
        if token.text == "trim" and _is_noun_trim(tokens, position):
            continue
        if token.text in _NOUN_VERBS and _used_as_verb(tokens, position):
            found.setdefault("install")
            continue
        if token.text in BY_PLACE and _used_as_verb(tokens, position):
            found.setdefault(BY_PLACE[token.text])
            continue
        if token.text in _MATERIAL_VERBS and found and not _joined_verb(tokens, position):
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
            or TWO_WORDS.get((token.text, _next_word(tokens, position)), "")
            or action_of(token.text)
        )
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
    decade = word.endswith("0s") and _begins_sentence(text, position + 1)
    if decade or (before.endswith("..") and text[position + 1 : position + 2].isalpha()):
        return True
    word = word.lstrip("0123456789") or word
    after = text[position + 1 : position + 2]
    if word in _UNIT_POINTS and _begins_sentence(text, position + 1):
        return True
    if word in _ABBREVIATIONS or (after.isdigit() and before[-1:].isdigit()):
        return False
    return (
        after == ""
        or after.isspace()
        or position + 1 >= end
        or (after.isalpha() and len(word) > 3)
        or after in "*-)\"'"
    )


def _begins_sentence(text: str, position: int) -> bool:
    following = text[position : position + 12].lstrip()
    return text[position : position + 1].isspace() and following[:1].isupper() and following[1:2].islower()


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
    papers = _PERMIT_PAPER.search(text[start : min(end, start + 600)]) is not None
    pieces = _pieces(tokens, inside, dashes)
    clauses: list[Clause] = []
    carried: ClauseKind | None = None
    bought = told = listed = False
    for piece in pieces:
        first, last = piece[0].start, piece[-1].end
        kind = ClauseKind.CONTEXT if papers else _kind(text[first:last], piece)
        holds = False
        if kind is ClauseKind.WORK and told and not _asked_by_verb(piece):
            kind = ClauseKind.CONTEXT
        if (
            kind is ClauseKind.WORK
            and told
            and text_at(piece, 0) in {"get", "gets", "got", "are", "is", "comes", "come"}
        ):
            kind = ClauseKind.CONTEXT
        told = kind is ClauseKind.CONTEXT and (told or _TOLD_ON.search(text[first:last]) is not None)
        if kind in {ClauseKind.EXCLUSION, ClauseKind.OPTION}:
            carried = kind
            # "Not included: skips, tree removal, lighting": all of the list, whatever verbs its things are named by.
            listed = kind is ClauseKind.EXCLUSION and text[last : last + 2].lstrip().startswith(":")
        elif kind is ClauseKind.SUPPLY and _BOUGHT.search(text[first:last]):
            bought = True
        elif kind is ClauseKind.WORK and bought and text_at(piece, 0) in {"a", "an", "one"} and not actions_in(piece):
            kind = ClauseKind.SUPPLY
        elif kind is ClauseKind.WORK and carried is not None:
            opened = carried is ClauseKind.EXCLUSION and (
                is_imperative(piece)
                or text_at(piece, 0) in {"but", "just", "only"}
                or (not listed and bool(actions_in(piece)))
            )
            if opened:
                carried = None
            else:
                kind, holds = carried, True
        clauses.append(Clause(kind, piece, first, last, sentence, holds))
    return _also_excluded(text, clauses)


def _asked_by_verb(tokens: Sequence[Token]) -> bool:
    """A verb that is more than "new" asks for something, however the sentence began."""
    implied = {action_of(token.text) for token in tokens if token.text in IMPLIED}
    return bool(set(actions_in(tokens)) - implied) or (
        _REQUEST_CUE.search(" ".join(token.text for token in tokens)) is not None
    )


#: "You did a great job on the deck and the 40 ft of railing": the list goes on with what was done.
_TOLD_ON = re.compile(
    r"\b(?:did|had|have had|thank you|moved|(?:is|are) (?:ours|mine)|(?:great|good|lovely|fantastic) (?:job"
    r"|work)|in (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
#: "I bought a fan and a chandelier": what is listed after it was bought too.
_BOUGHT = re.compile(r"\b(?:we|i)(?:['’]ve| have)?(?: already)? (?:bought|got|purchased|ordered)\b", re.IGNORECASE)
#: An exclusion said at the end of a sentence holds for all things named before it: "Vanity and toilet stay".
_CLOSING = re.compile(
    r"\b(?:stay|remain) (?:where|as) [^.]{0,40}$"
    r"|\b(?:stays?|staying|remains?|remaining|excluded|not (?:needed|required|included)|by others|by owner)\W*$",
    re.IGNORECASE,
)


_ALL_OF_THEM = re.compile(r"\b(?:all|both)\b", re.IGNORECASE)
#: "We'll strip the walls and decorate ourselves": all of it is theirs.
_OURS = re.compile(
    r"^\W*(?:we|i)(?:['’]ll| will| can|['’]re going to| plan to)\b(?!.*\b(?:buy|suppl|pick|provid|order))[^.]*"
    r"\b(?:our|my)sel(?:f|ves)\W*$", re.IGNORECASE | re.DOTALL,
)  # fmt: skip


def _also_excluded(text: str, clauses: list[Clause]) -> list[Clause]:
    said = text[clauses[0].start : clauses[-1].end] if clauses else ""
    if _OURS.search(said[:600]):
        return [replace(clause, kind=ClauseKind.EXCLUSION) for clause in clauses]
    supplied = next((number for number, one in enumerate(clauses) if one.kind is ClauseKind.SUPPLY), 0)
    if supplied and _ALL_OF_THEM.search(text[clauses[supplied].start : clauses[supplied].end]):
        # "Doors, handles and hinges all on site": what is listed before has been bought with it.
        for number in range(supplied - 1, 0, -1):
            one = clauses[number]
            if one.kind is not ClauseKind.WORK or one.actions or _has_number(one.tokens):
                break
            clauses[number] = replace(one, kind=ClauseKind.SUPPLY)
    closing = next(
        (
            number
            for number, clause in enumerate(clauses)
            if clause.kind is ClauseKind.EXCLUSION and _CLOSING.search(text[clause.start : clause.end])
        ),
        0,
    )
    before = clauses[:closing]
    if any(clause.kind is not ClauseKind.WORK or clause.actions or clause.carried for clause in before):
        return clauses
    if any(_REQUEST_CUE.search(text[clause.start : clause.end]) for clause in before):
        return clauses
    return [replace(clause, kind=ClauseKind.EXCLUSION) for clause in before] + clauses[closing:]


def _pieces(tokens: tuple[Token, ...], inside: frozenset[int], dashes: frozenset[int]) -> list[tuple[Token, ...]]:
    pieces: list[tuple[Token, ...]] = []
    current: list[Token] = []
    content = acted = False
    for position, token in enumerate(tokens):
        if token.start in inside:
            current.append(token)
            content = True
            continue
        if token.text == "," and content and not acted and _says_what_to_do(tokens, position):
            continue
        if token.start in dashes or (token.text in _SEPARATORS and _splits(tokens, position, current, content)):
            if current:
                pieces.append(tuple(current))
            current, content, acted = [token] if token.text in {"but", "or"} else [], False, False
            continue
        if current and _opens_reason(tokens, position):
            pieces.append(tuple(current))
            current, content, acted = [], False, False
        if content and token.text in {"with", "w"} and _brings_more(tokens, position, inside):
            pieces.append(tuple(current))
            current, content, acted = [], False, False
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


def _says_what_to_do(tokens: Sequence[Token], position: int) -> bool:
    """ "A 4 m shed, needs staining", "30 ft of railing, stain that too": what follows the thing is its work."""
    following = text_at(tokens, position + 1)
    if following in {"needs", "need", "wants"}:
        return bool(actions_in(tokens[position + 1 : position + 6])) or text_at(tokens, position + 2) == "to"
    return bool(action_of(following)) and text_at(tokens, position + 2) in {"that", "it", "them", "those", "these"}


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


#: Words back that decide whether a comma splits.
_RECENT = 40


def _splits(tokens: Sequence[Token], position: int, current: Sequence[Token], content: bool) -> bool:
    """Whether the separator at ``position`` ends a piece: not between verbs, nor inside a pair that is one thing."""
    word = tokens[position].text
    if word in {"including", "includes", "incl"} and text_at(tokens, position - 1) in {"not", "n't", "without"}:
        return False
    if word == "(" and text_at(tokens, position + 2) == ")":
        return False
    if word == ")" and text_at(tokens, position - 2) == "(":
        return False
    if word == "or":
        return content and _alternative(tokens, position, current)
    if word in {"and", "&", "+", "plus"}:
        after = _next_word(tokens, position)
        before = current[-1].text if current else ""
        if action_of(before) and action_of(after) and not {before, after} & {*IMPLIED, "service"}:
            return False
        if before in {"leaks", "drips", "rocks", "wobbles", "rattles"} and action_of(after) == "repair":
            return False
        if not content:
            # "Paint and flooring": two kinds of work in nouns, not two verbs of one.
            return before in {"paint", "drywall", "tile"} and not action_of(after) and len(current) == 1
        if (
            _are_rooms(tokens, position)
            or _gives_each(tokens, position)
            or (before, after) in _JOINED
            or after in _PARTNERS
            or _is_between(current)
        ):
            return False
    if word == "," and (_are_rooms(tokens, position) or _is_bare_count(tokens, position + 1)):
        return False
    if word == "," and not content:
        after = text_at(tokens, position + 1)
        thing = bool(after) and after not in {"and", "then", "supply"} and not action_of(after)
        return _has_number(current[-_RECENT:]) or (
            thing and bool(actions_in(current[-_RECENT:])) and after not in _EMPTY
        )
    if word == "," and text_at(tokens, position - 1).endswith("ed") and not action_of(text_at(tokens, position - 1)):
        # "Internally illuminated, raceway mounted letters": adjectives before their thing.
        return not (bool(actions_in(current[-_RECENT:])) and text_at(tokens, position + 2).endswith("ed"))
    return True


def _are_rooms(tokens: Sequence[Token], position: int) -> bool:
    """ "The living room and 1 bedroom" are two places of one work."""
    before = text_at(tokens, position - 1)
    after = [token.text for token in tokens[position + 1 : position + 5]]
    heads = _ROOM_NAMES
    skipped = [word for word in after if word not in {"the", "our", "both", "a", "all"} and not word.isdigit()]
    measured = any(token.kind is Kind.NUMBER for token in tokens[max(0, position - 4) : position])
    return before in heads and not measured and any(word in heads for word in skipped[:2])


#: Rooms that "and" joins to places of one work.
_ROOM_NAMES = frozenset(
    ["room", "rooms", "bedroom", "bedrooms", "bathroom", "bathrooms", "kitchen", "hall", "hallway", "lounge", "landing",
     "stairs", "bath", "baths", "office", "study", "dining", "entry", "foyer", "utility", "laundry"]
)  # fmt: skip


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
    word, following = tokens[position].text, text_at(tokens, position + 1)
    if word == "no":
        return following in _RULED_OUT
    return word in _REASONS and (
        word == "because" or following in {"they", "it", "we", "that", "the", "i", "you", "there", "everything"}
    )


def _alternative(tokens: Sequence[Token], position: int, current: Sequence[Token]) -> bool:
    """Whether "or" leads to another way of doing the work, and not to another word for a thing."""
    after = list(tokens[position + 1 : position + 8])
    if not after or (len(after) > 1 and after[0].text == "2" and after[1].text == ")"):
        return bool(after)
    stop = next((number for number, token in enumerate(after) if token.text in {",", "."}), len(after))
    acts = any(action_of(token.text) for token in after[:stop]) or after[0].text in {"if", "tell", "just", "else"}
    return acts and bool(actions_in(current)) and not action_of(text_at(tokens, position - 1))


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
    ]
)


def _brings_more(tokens: Sequence[Token], position: int, inside: frozenset[int]) -> bool:
    """ "A fence with one gate", "a deck with 40 lf of railing": something more that is counted or measured."""
    start = position + 1 + (text_at(tokens, position + 1) == "/")
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


def _has_number(tokens: Sequence[Token]) -> bool:
    return any(token.kind is Kind.NUMBER for token in tokens)


def _next_word(tokens: Sequence[Token], position: int) -> str:
    following = text_at(tokens, position + 1)
    if following in {"the", "-", "a", "my", "our", "all"}:
        following = text_at(tokens, position + 2)
    return following


def is_imperative(tokens: Sequence[Token]) -> bool:
    """ "Lay turf where the pool was": begins with a verb in its base form."""
    first = next((token.text for token in tokens if token.kind is Kind.WORD), "")
    return bool(action_of(first)) and not first.endswith(("ed", "ing", "s")) and first != "new"


def _asks_to(text: str) -> bool:
    """ "There is old carpet to rip out"."""
    for found in _INFINITIVE.finditer(text):
        words = found.group(1).lower().split()
        if any(action_of(word) for word in words) or phrasal_action(words, 0)[0]:
            return True
    return _HAS_TO_GO.search(text) is not None


_INFINITIVE = re.compile(r"\bto (?:be |go |get )?(\w+(?: \w+)?)", re.IGNORECASE)
#: "The entire subfloor has to go": it is to be taken out.
_HAS_TO_GO = re.compile(r"\b(?:has|have|needs?|got|must) (?:to )?go\b", re.IGNORECASE)


#: "I'll run the wire", "we paint": they do it.
_THEIRS = re.compile(
    r"^\W*(?:(?:and|but|so|then|as|since|because|also)\W+)?(?:i|we)(?:['’]ll| will| can| do| plan to| intend to"
    r"|(?: am| are|['’]m|['’]re) going to)?(?: also| then| just)? ([a-z-]+)", re.IGNORECASE,
)  # fmt: skip
#: "They painted 4 bedrooms", "I pulled up the vinyl": it was done.
_DONE = re.compile(
    r"^\W*(?:(?:and|but|so|then|as|since|because|when|that|after|before|also)\W+)?(?:i|we|they|he|she"
    r"|you(?: guys)?|who)(?:['’]ve|['’]d| have| had)?(?: already| just| only| recently| all| also)* ([a-z-]+)",
    re.IGNORECASE,
)
#: Verbs that are no work of theirs: "we move on Friday", "we run an office".
_NO_WORK_OF_THEIRS = frozenset({"move", "install", "deliver", "rent", "design", "service"})


def _who_does(text: str) -> ClauseKind | None:
    """What a clause is whose subject is a person that does the work: theirs to do, or done."""
    found = _THEIRS.match(text)
    verb = found.group(1).lower() if found else ""
    own = action_of(verb) and (action_of(verb) not in _NO_WORK_OF_THEIRS or verb in {"install", "fit", "hang", "lay"})
    if own and verb not in IMPLIED and not verb.endswith(("ed", "ing")) and verb not in _PAST_FORMS:
        return ClauseKind.EXCLUSION
    found = _DONE.match(text)
    verb = found.group(1).lower() if found else ""
    if action_of(verb) and (verb.endswith("ed") or verb in _PAST_FORMS):
        return ClauseKind.CONTEXT
    return None


_PAST_FORMS = frozenset({"put", "took", "tore", "built", "laid", "hung", "rebuilt", "redid", "cut", "dug", "ripped"})


def _kind(text: str, tokens: Sequence[Token]) -> ClauseKind:
    """Label a piece by its cues; a cue of exclusion outranks one of option, which outranks supply."""
    # In lower case, because a pattern that folds case itself takes twice as long.
    bounded = text[:600].lower()
    if _SUPPLY.search(bounded):
        return ClauseKind.SUPPLY
    if _EXCLUSION.search(bounded):
        return ClauseKind.EXCLUSION
    theirs = _who_does(bounded)
    if theirs is not None:
        return theirs
    if _OPTION.search(bounded) or _IF_NEEDED.search(bounded) or tokens[0].text == "or":
        return ClauseKind.OPTION
    if tokens[0].text in _REASONS or _TALK.search(bounded) or _CODE_CLASS.search(bounded):
        return ClauseKind.CONTEXT
    if _REQUEST_CUE.search(bounded) or is_imperative(tokens):
        return ClauseKind.WORK
    if _PAST.search(bounded):
        return ClauseKind.CONTEXT
    stated = _STATEMENT.search(bounded) or (_STATE.search(bounded) and _STATIVE.search(bounded))
    if stated and not _asks_to(bounded) and not (set(actions_in(tokens)) & {"repair", "replace"}):
        return ClauseKind.CONTEXT
    return ClauseKind.WORK
