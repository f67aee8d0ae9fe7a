"""Closing: what the end of a sentence, or a note in it, makes of the clauses before it.

"Vanity and toilet stay" leaves out two things, and "doors, handles and hinges all on site" is a list of what the
customer has bought.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from server.domain.drafting.actions import PUTS_IN
from server.domain.drafting.carrying import ALL_SAID
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.numbers import NUMBER_WORDS, text_at
from server.domain.drafting.patterns import FINISHED
from server.domain.drafting.pieces import has_number
from server.domain.drafting.telling import FAULT
from server.domain.drafting.verbs import REQUEST_CUE

_PAIR = 2
#: Characters before a clause in which a colon makes what stands before it a label.
_NEAR = 12
_ONE = frozenset({"a", "an", "one"})
#: An exclusion said at the end of a sentence holds for all things named before it: "Vanity and toilet stay".
_CLOSING = re.compile(
    r"\b(?:stay|remain) (?:where|as) [^.]{0,40}$"
    r"|\b(?:stays?|staying|remains?|remaining|excluded|not (?:needed|required|included)|by others|by owner)\W*$"
    r"|\bnext[- ]\w+(?:['’]s)? (?:thing|job|project|problem)\W*$|\bout (?:to|for) bids?\b"
    r"|\b(?:freed|sorted|cleared|fixed|righted|mended) itself\b|\bwas going to (?:have|ask|get) (?:you|u|ye)\b"
    r"|\b(?:company|guy|firm|crew|contractor) (?:comes|does|handles|services)\b.*\b(?:those|them|that|it)\W*$"
    r"|\bunder (?:the |their |our )?warranty\b[^.]{0,20}$"
    r"|\bpart of their (?:package|price|contract|quote|job|scope|work)\W*$"
    r"|^\W*(?:please |and |so |we )*(?:keep|leave|don['’]?t touch) (?:it|them|that|those|this|these)"
    r"(?: be| alone| as (?:it|they) (?:is|are)| as is| there| where (?:it|they) (?:is|are))?(?: please| too)?\W*$"
    r"|^\W*(?:please |and |so )*(?:leave alone|leave be|stays? put)\W*$",
    re.IGNORECASE,
)
#: What was told of before it needs nothing any more, whatever it was to be done: "loose handrail - fixed same day".
_IS_DONE = re.compile(
    r"\W*(?:(?:i|we|he|she|they|seller|landlord) (?:already )?(?:did|fixed|sorted|handled|resolved|waived)"
    r"(?: (?:it|that|this|them))?(?: already| myself| ourselves)?"
    r"|already (?:done|fixed|sorted|handled|resolved|waived)"
    r"|(?:done|fixed|sorted|handled|resolved|waived) (?:already|(?:the )?(?:same|next|that) day)"
    rf"|{FINISHED})\W*",
    re.IGNORECASE,
)
#: Leaves out what was told right before, and names nothing itself.
_NEEDS_NOTHING = re.compile(
    r"\W*(?:so |and |please |just ){0,2}(?:no need|not (?:needed|required|wanted)"
    r"|(?:leave|skip|ignore) (?:them|those|these|it|that)(?: (?:alone|be|as (?:is|it is|they are)))?"
    r"|not (?:in|part of) (?:this|the|our|your) (?:price|quote|job|scope|contract|order))\W*",
    re.IGNORECASE,
)
#: What several things before it do, too.
_SUBJECTS = re.compile(
    r"\b(?:(?:are|come|ship|were|have been|arrive)\b|(?:we|i)(?:['’]ve| have)? (?:bought|got|ordered)(?: ourselves"
    r"| already)?\W*$)", re.IGNORECASE,
)  # fmt: skip
#: "The spindles switch to black iron": says something of its own, whatever the end of the sentence leaves out.
_SAYS_OF_ITS_OWN = re.compile(
    r"\b(?:switch(?:es)?|chang(?:e|es)|goes|turns?|becomes?|gets?) (?:to|into|in|on|from)\b", re.IGNORECASE
)
_ARE = re.compile(
    r"\bare (?:all |both |already )*(?:on site|here|to hand|in|(?:on|at|under) (?:the|our|my)|bought|ordered|stacked"
    r"|stored)\b",
    re.IGNORECASE,
)
_ALL_OF_THEM = re.compile(r"\b(?:all|both)\b", re.IGNORECASE)
#: "We'll strip the walls and decorate ourselves": all of it is theirs.
_OURS = re.compile(
    r"^\W*(?:we|i)(?:['’]ll| will| can|['’]re going to| plan to)\b(?!.*\b(?:buy|suppl|pick|provid|order))[^.]*"
    r"\b(?:our|my)sel(?:f|ves)\W*$", re.IGNORECASE | re.DOTALL,
)  # fmt: skip
#: "Render front and back, last done 2009", "a Trane heat pump, put in 2005": when what is there was done.
_DONE_THEN = re.compile(
    r"\W*(?:last |all |only |both )?"
    r"(?:done|redone|fitted|installed|put in|built|replaced|painted|laid|renewed|serviced)"
    r"(?: (?:in|back in|around|about|from))? (?:19|20)\d\d\b",
    re.IGNORECASE,
)
#: "The house is a plain ranch", "our place in Evanston is slate".
_HOME_IS = re.compile(
    r"\W*(?:(?:the|our|my|their|this) )?(?:[\w-]+ ){0,2}"
    r"(?:house|home|property|building|place|flat|apartment|bungalow|condo)"
    r"(?: (?:in|at|on|near) [\w ]{1,30})? (?:is|was|dates)\b",
    re.IGNORECASE,
)
#: What stands for a thing that was told of, and clauses behind that within which something is asked of it.
_OF_IT = frozenset({"it", "them", "that", "those", "these", "everything"})
_SOON = 5
_STATES = frozenset({"is", "are", "was", "were", "has", "have", "had", "'s", "’s"})
#: What is asked of a thing that is to be had, or whose fault was told.
_PUTS_RIGHT = PUTS_IN | {"repair", "service"}
_TOLD = frozenset({ClauseKind.WORK, ClauseKind.CONTEXT})
#: Systems of a house of which people tell where they stand; and how old something is.
_SYSTEMS = (
    r"\W*(?:(?:the|our|my|main|existing|gas|electric(?:al)?|oil|combi|old|tank|breaker|fuse|consumer|hot water|central"
    r"|water|floor)\s+)*(?:furnace|boiler|(?:water )?heater|panel|box|unit|board|stopcock|stop tap|shut-?off|meter|a/?c"
    r"|condenser|air handler|sump|septic tank|cylinder|main)"
)
_SYSTEM = re.compile(rf"{_SYSTEMS}\W*", re.IGNORECASE)
_SYSTEM_THERE = re.compile(
    rf"{_SYSTEMS}(?: (?:is|are|located))? (?:in|on|under|behind|beneath|outside|at|by|inside) (?:the |our |my )?"
    r"(?:[\w-]+ ){0,2}(?:attic|garage|basement|loft|closet|roof|stairs|crawl ?space|room|kitchen|hall|hallway|cupboard"
    r"|cellar|yard|porch|side|back|front|laundry|utility|sink|house)\W*",
    re.IGNORECASE,
)
#: "We have 6 ceiling fans. Replace one.", "… One is rotten": what is there, and no supply.
_HAVE_SEVERAL = re.compile(
    r"\W*(?:we|i)(?:['’]ve| have)(?: got)? (?:\d{1,3}|two|three|four|five|six|eight|ten) ", re.IGNORECASE
)
_ONE_OF_THEM = re.compile(
    r"\W*(?:(?:please )?(?:replace|fix|repair|change|swap) (?:just )?)?(?:one|two|three|\d{1,2})(?: of them)?"
    r"(?:\W*$| (?:is|are|needs?|leaks?|has|have)\b)",
    re.IGNORECASE,
)
_AGE = re.compile(r"\W*(?:about |approx\.? |roughly )?\d{1,2} ?(?:years?|yrs?)(?: old)?\b", re.IGNORECASE)
#: When what stands before it was made: "laid 2005", "c.1958", "approx. 2009", "1990s", "15 years old".
_MADE = re.compile(
    r"\W*(?:(?:laid|built|installed|fitted|put (?:in|up|down)|erected|made|dated|dating|new|original)\W{1,3})?"
    r"(?:(?:in|from|back|to|the|early|mid|late|circa|ca?|approx|about|around|abt)\W{1,3}){0,3}"
    r"(?:(?:19\d\d|20[0-4]\d)(?:['’]?s|ish)?|\d{1,2}[ -]?(?:years?|yrs?)[ -]?old)\W*",
    re.IGNORECASE,
)
#: Of these the year is that of the home.
_OF_A_HOME = re.compile(
    r"\b(?:stor(?:e?y|eys|ies)|ranch|cape(?: cod)?|colonial|tudor|victorian|semi|terraced?|bungalow|split[ -]level"
    r"|condo|townhouse|duplex|bed(?:room)?)\b",
    re.IGNORECASE,
)
#: A line of a list: what stands before its words.
_LISTED = re.compile(r"(?:^|\n)[ \t]*(?:[-–—*•·▪◦>]+|\(?\d{1,2}[.)])[ \t]*$|:\s*$")


def closed(text: str, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses of a sentence, those among them that its end or a note speaks of as what that says."""
    if not clauses:
        return []
    if _OURS.search(text[clauses[0].start : clauses[-1].end][:600]):
        return [replace(clause, kind=ClauseKind.EXCLUSION) for clause in clauses]
    return _left_out(
        text, _supplied(text, _without_needless(text, _with_home(text, _with_subjects(text, list(clauses)))))
    )


def _with_subjects(text: str, clauses: list[Clause]) -> list[Clause]:
    """The same with what is told of, by a clause behind it: "the lawn at our home, 9,000 sq ft of grass, was ruined by
    grubs"."""
    number = next((number for number, one in enumerate(clauses) if _is_predicate(text, one)), 0)
    subject, behind = clauses[:number], clauses[number + 1 :]
    told = bool(subject) and all(one.kind in _TOLD and not one.orders for one in subject)
    dated = number > 0 and _DONE_THEN.match(text, clauses[number].start, clauses[number].end) is not None
    told = told and (dated or not any(one.actions for one in (*subject, *behind) if one.kind is ClauseKind.WORK))
    if not told or any(REQUEST_CUE.search(text[one.start : one.end].lower()) for one in subject):
        return clauses
    there = [replace(one, kind=ClauseKind.CONTEXT, carried=one.carried or dated) for one in clauses[: number + 1]]
    return [*there, *behind]


def _with_home(text: str, clauses: list[Clause]) -> list[Clause]:
    """The same where a home is described, and nothing is asked for: "house is a 1955 ranch, 60 amp fuse box"."""
    first, rest = clauses[0], clauses[1:]
    home = first.kind is ClauseKind.CONTEXT and _HOME_IS.match(text, first.start, first.end)
    acts = any(one.kind is ClauseKind.WORK and (one.stated - {""} or one.implied) for one in rest)
    told = bool(home) and not acts and all(one.kind in _TOLD for one in rest)
    if not told or any(REQUEST_CUE.search(text[one.start : one.end].lower()) for one in rest):
        return clauses
    return [replace(clause, kind=ClauseKind.CONTEXT, carried=True) for clause in clauses]


def _is_predicate(text: str, clause: Clause) -> bool:
    """ "…, was ruined by grubs"."""
    states = clause.kind is ClauseKind.CONTEXT and clause.tokens[0].text in _STATES
    states = states or (clause.kind in _TOLD and _DONE_THEN.match(text, clause.start, clause.end) is not None)
    return states and stands_behind(text, clause.start, (",", ")"))


def without_what_stands_there(text: str, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses of a request, of which those are context that only tell what there is."""
    ordered = any(one.commands and one.kind is ClauseKind.WORK for one in clauses)
    dated = _dated(text, clauses)
    return [
        replace(clause, kind=ClauseKind.CONTEXT, carried=True, made=clause.start in dated)
        if clause.start in dated
        or _has_several(text, clause, behind)
        or (ordered and _is_system_there(text, clause, behind))
        or _is_told_for_order(clauses, number)
        else clause
        for number, (clause, behind) in enumerate(zip(clauses, (*clauses[1:], None), strict=False))
    ]


def _dated(text: str, clauses: Sequence[Clause]) -> frozenset[int]:
    """Where clauses start that only name what is there, because their sentence asks for nothing and tells when it was
    made, and something else is asked for: "Deck, 12x20, pressure treated, built 2008. Please sand and stain it"."""
    found: set[int] = set()
    for _, sentence in groupby(clauses, lambda one: one.sentence):
        told = [*sentence]
        dates = [at for at, one in enumerate(told) if _tells_when_made(text, one, first=not at)]
        if dates and _only_names(text, told):
            found.update(
                one.start
                for at, one in enumerate(told)
                if one.kind in _TOLD
                and not _tells_fault(text, one)
                # "Driveway 20x50, laid 2011, two potholes"
                and (at <= dates[-1] or not (has_number(one.tokens[:1]) or one.tokens[0].text in NUMBER_WORDS))
            )
    asked = found and any(
        one.kind is ClauseKind.WORK and one.start not in found and (one.stated - {""} or one.plainly_asks)
        for one in clauses
    )
    return frozenset(found) if asked else frozenset()


def _tells_when_made(text: str, clause: Clause, *, first: bool) -> bool:
    """ "Laid 2005"; behind a thing in its clause, too: "Trane, 1998"."""
    comma = text.rfind(",", clause.start, clause.end) + 1
    return (comma > 0 or not first) and _MADE.fullmatch(text, comma or clause.start, clause.end) is not None


def _only_names(text: str, sentence: Sequence[Clause]) -> bool:
    """Whether a sentence asks for nothing, tells of no home, has no label and stands in no list; when things were laid
    or built is none of what is asked."""
    start = sentence[0].start
    return (
        all(one.kind in _TOLD for one in sentence)
        and _OF_A_HOME.search(text, start, sentence[-1].end) is None
        and not any(
            (one.actions and not _tells_fault(text, one) and not _MADE.fullmatch(text, one.start, one.end))
            or REQUEST_CUE.search(text[one.start : one.end].lower())
            or text.startswith(":", one.end)
            for one in sentence
        )
        and _LISTED.search(text[max(0, start - _NEAR) : start]) is None
    )


def _tells_fault(text: str, clause: Clause) -> bool:
    """ "Drips", "not firing": something is wrong, which may be all that is asked for."""
    wrong = bool(clause.implied - {"", "install"}) or FAULT.search(text[clause.start : clause.end].lower()) is not None
    return wrong and not clause.stated - {""}


def _is_told_for_order(clauses: Sequence[Clause], number: int) -> bool:
    """ "The walk, 4 x 26, is bluestone, heaved; lift and relay the same stones", "the roof is felt. We'd like that
    stripped": a statement of what there is, of which something is asked in the next words, but no new one."""
    clause = clauses[number]
    states = clause.kind is ClauseKind.CONTEXT and not _STATES.isdisjoint(token.text for token in clause.tokens)
    if not states or clause.carried:
        return False
    for behind in clauses[number + 1 : number + _SOON]:
        if behind.kind not in _TOLD or behind.sentence > clause.sentence + 1:
            return False
        if behind.commands or behind.plainly_asks:
            words = [token.text for token in behind.tokens]
            refers = not _OF_IT.isdisjoint(words) or (behind.commands and len(words) <= _PAIR)
            return refers and bool(behind.actions) and _PUTS_RIGHT.isdisjoint(behind.actions)
        if behind.sentence > clause.sentence or behind.stated - {""}:
            return False
    return False


def _has_several(text: str, clause: Clause, behind: Clause | None) -> bool:
    """ "We have 6 ceiling fans. Replace one": how many there are, of which something is said behind."""
    return (
        clause.kind is ClauseKind.SUPPLY
        and behind is not None
        and _HAVE_SEVERAL.match(text, clause.start, clause.end) is not None
        and _ONE_OF_THEM.match(text, behind.start, behind.end) is not None
    )


def _is_system_there(text: str, clause: Clause, behind: Clause | None) -> bool:
    """ "Furnace in attic. Replace thermostat": where a system stands, or, behind it, how old it is."""
    if clause.kind is not ClauseKind.WORK or clause.actions:
        return False
    said = text[clause.start : clause.end]
    aged = behind is not None and _AGE.match(text, behind.start, behind.end) and _SYSTEM.fullmatch(said)
    return bool(aged) or _SYSTEM_THERE.fullmatch(said) is not None


def stands_behind(text: str, at: int, signs: tuple[str, ...]) -> bool:
    """Whether one of the signs stands before a place of a text, with nothing but spaces between."""
    while at and text[at - 1].isspace():
        at -= 1
    return text.endswith(signs, 0, at)


def _without_needless(text: str, clauses: list[Clause]) -> list[Clause]:
    """The same, where what is told right before "no need" is left out with what "and" joins to it: "smoke and heat
    alarms are all interlinked, no need"."""
    for number, clause in enumerate(clauses[1:], start=1):
        told = clauses[number - 1].kind is ClauseKind.CONTEXT and clause.kind is ClauseKind.EXCLUSION
        if not told or _NEEDS_NOTHING.fullmatch(text, clause.start, clause.end) is None:
            continue
        first = number - 1
        while first and _is_bare(clauses[first - 1]) and _is_joined(text, clauses[first - 1], clauses[first]):
            first -= 1
        clauses[first:number] = _as(ClauseKind.EXCLUSION, clauses[first:number])
    return clauses


def _is_joined(text: str, one: Clause, other: Clause) -> bool:
    return text[one.end : other.start].strip().lower() in {"and", "&"}


def _supplied(text: str, clauses: list[Clause]) -> list[Clause]:
    """The same with things that a note behind them says are there."""
    note = next((number for number, one in enumerate(clauses) if one.kind is ClauseKind.SUPPLY), 0)
    if not note:
        return clauses
    if _names_all_before(text, clauses, note):
        # "Doors, handles and hinges all on site": what is listed before has been bought with it.
        listed = [*takewhile(_is_uncounted, reversed(clauses[1:note]))]
        clauses[note - len(listed) : note] = _as(ClauseKind.SUPPLY, clauses[note - len(listed) : note])
    said = text[clauses[note].start : clauses[note].end]
    if _SUBJECTS.search(said):
        # "The posts, rails and pickets are stacked out back", "2 windows to fit, frames and flashings are on site"
        listed = [*takewhile(_is_bare, reversed(clauses[:note]))]
        if len(listed) == note or _ARE.search(said):
            clauses[note - len(listed) : note] = _as(ClauseKind.SUPPLY, clauses[note - len(listed) : note])
    return clauses


def _left_out(text: str, clauses: list[Clause]) -> list[Clause]:
    """The same with things that the end of the sentence leaves out."""
    number = next((number for number, one in enumerate(clauses) if _leaves_out_before(text, one)), 0)
    before, last = clauses[:number], clauses[number]
    if not before or _is_only_of_its_brackets(text, last):
        return clauses
    done = _IS_DONE.fullmatch(text, last.start, last.end) or _is_label_behind(text, last)
    if any(clause.kind not in _TOLD or (clause.actions and not done) for clause in before):
        return clauses
    apart = len(last.tokens) > _PAIR and stands_behind(text, last.start, (",", ";", "."))
    counted = _TOLD if apart else {ClauseKind.CONTEXT}
    if any(clause.kind in counted and has_number(clause.tokens) for clause in before):
        return clauses  # "Paver patio 14x18, grill by owner"
    if any(REQUEST_CUE.search(text[clause.start : clause.end].lower()) for clause in before):
        return clauses
    if any(clause.tokens[-1].text == "only" for clause in before):
        return clauses  # "Powder room - toilet only, the pedestal stays"
    stated = next(
        (at for at in range(number, 0, -1) if _SAYS_OF_ITS_OWN.search(text, before[at - 1].start, before[at - 1].end)),
        0,
    )
    return [*before[:stated], *_as(ClauseKind.EXCLUSION, before[stated:]), *clauses[number:]]


def _as(kind: ClauseKind, clauses: Sequence[Clause]) -> list[Clause]:
    return [replace(clause, kind=kind) for clause in clauses]


def _leaves_out_before(text: str, clause: Clause) -> bool:
    """Whether an exclusion is of the things before it, too."""
    if clause.kind is not ClauseKind.EXCLUSION:
        return False
    said = text[clause.start : clause.end]
    return bool(_CLOSING.search(said) or _IS_DONE.fullmatch(said)) or _is_label_behind(text, clause)


def _is_only_of_its_brackets(text: str, clause: Clause) -> bool:
    """ "1,800 SF of sod (grading by others)"."""
    opens = clause.start - 1
    return text[opens] == "(" and ALL_SAID.search(text[opens + 1 : clause.end]) is not None


def _is_uncounted(clause: Clause) -> bool:
    """Things alone, and not so many of them."""
    return _is_bare(clause) and text_at(clause.tokens, 0) not in _ONE


def _is_bare(clause: Clause) -> bool:
    """Things alone: no verb and no number."""
    return clause.kind is ClauseKind.WORK and not clause.actions and not has_number(clause.tokens)


def _is_label_behind(text: str, clause: Clause) -> bool:
    """ "Sawcut and patch slab for the drain: BY PLUMBER": who does all that stands before the colon."""
    return clause.tokens[0].text == "by" and text[max(0, clause.start - _NEAR) : clause.start].rstrip().endswith(":")


def _names_all_before(text: str, clauses: list[Clause], supplied: int) -> bool:
    """Whether "all supplied" speaks of the list before it, not of the orders that came first.

    "Fit bath, basin and toilet, all supplied" orders what it lists; "hang 3 doors, locks and hinges all on site" and
    "hang 7 doors, doors, handles and hinges all on site" list apart from the order what has been bought.
    """
    start, end = clauses[supplied].start, clauses[supplied].end
    before = clauses[:supplied]
    if text.endswith("(", 0, start) or not _ALL_OF_THEM.search(text[start:end]):
        return False
    orders = [one for one in before if one.commands]
    ordered = {token.text for one in orders for token in one.tokens}
    named_again = any(one.tokens[-1].text in ordered for one in before if not one.commands)
    return not orders or named_again or not stands_behind(text, start, (",",))
