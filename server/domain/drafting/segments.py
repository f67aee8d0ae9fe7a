"""Segmentation: a request cut into clauses, each said to be work, an exclusion, a supply note, an option or context.

Lines, bullets and sentences come first; within a sentence a separator ("and", "plus", a comma) splits only where both
sides stand on their own, so "supply and fit", "walls and ceiling" and every figure stay whole.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile

from server.domain.drafting.actions import PARTICLES, action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.cues import IS_NOW, kind_of, was_done
from server.domain.drafting.layout import lines_of, sentences_of
from server.domain.drafting.numbers import Kind, Token, text_at, tokenize
from server.domain.drafting.patterns import cues
from server.domain.drafting.pieces import has_number, pieces_of
from server.domain.drafting.quantities import Quantity
from server.domain.drafting.verbs import REQUEST_CUE, actions_in, asked_by_verb, is_imperative

_DASH = re.compile(r"\s-+\s|(?<=\S)--+|^\s*-+(?=\s*[A-Za-z])")
_SLASH = re.compile(r"(?<=[a-z]) / (?=[a-z])", re.IGNORECASE)
#: "2 - ceiling fans": the dash parts no count from its thing.
_ONLY_COUNT = re.compile(r"\W*(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)", re.IGNORECASE)
#: Characters before the dash behind a count.
_NEAR = 12
_PAIR = 2
#: A change of papers asks for no work.
_PERMIT_PAPER = cues(
    r"\b(?:revision|amendment|reinstatement|renewal) (?:to|of) (?:the )?(?:permit|approved|plans|change"
    r"|contractor|pa\b|#|\d)|\bchange (?:of )?(?:the )?(?:architect|engineer|owner|contractor|plumber|gc|mason"
    r"|electrician|(?:plumbing|electrical|hvac|masonry|general) contractor)s?\b|\bof record\b"
    r"|\balt(?:ernat(?:iv)?e|\.)? code approval\b"
    r"|^\W*original (?:scope|permit|application)\b"
    r"|\b(?:update|extend|renew|correct|revise|reissue) (?:the |this |our )?permit\b|\bcorrection permit\b"
    r"|\breinstate\w* (?:of )?permit|\bchange (?:of|in) (?:[\w&]+ ){0,6}contractor",
)
#: "Can we move Thursday's fan install to Monday?": another day for what was agreed.
_ANOTHER_DAY = cues(
    r"\b(?:move|push|shift|bump|switch|reschedule)\b.{0,40}"
    r"\b(?:install(?:ation)?|appointment|visit|job|booking|start|date|it|us|service|inspection)\b (?:back )?"
    r"(?:to|until|till|for)\b.{0,20}\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:move|push|shift|bump|switch|reschedule) (?:our |my |the )?(?:\w{2,6}day|tomorrow|today|next week)['’]?s\b",
)
#: "A buddy of mine is a sparky and is running the circuit": of who was named before.
_IS_DOING = re.compile(r"\W*(?:is|are) (?:also )?([a-z]+ing) (?:the|our|my|all)\b", re.IGNORECASE)
_DOES = frozenset({"running", "doing", "handling", "pulling", "sorting", "bringing", "supplying", "wiring", "plumbing"})
#: "The percolation area was redone two years ago. Soakaway ditto."
_DITTO = re.compile(r"\W*(?:[\w'’-]+ ){1,4}(?:ditto|likewise)\W*", re.IGNORECASE)
#: "You did a great job on the deck and the 40 ft of railing": the list goes on with what was done.
_TOLD_ON = re.compile(
    r"\b(?:already (?:came|went|put|took|got|built)|did|had|have had|figured on|wondered about|thought about"
    r"|already \w+ed|thank you|moved|(?:is"
    r"|are) (?:ours|mine)"
    r"|(?:great|good|lovely"
    r"|fantastic) (?:job"
    r"|work)|in (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
#: "I bought a fan and a chandelier": what is listed after it was bought too.
_BOUGHT = re.compile(r"\b(?:we|i)(?:['’]ve| have)?(?: already)? (?:bought|got|purchased|ordered)\b", re.IGNORECASE)
#: An exclusion said at the end of a sentence holds for all things named before it: "Vanity and toilet stay".
_CLOSING = re.compile(
    r"\b(?:stay|remain) (?:where|as) [^.]{0,40}$"
    r"|\b(?:stays?|staying|remains?|remaining|excluded|not (?:needed|required|included)|by others|by owner)\W*$"
    r"|\bnext[- ]\w+(?:['’]s)? (?:thing|job|project|problem)\W*$|\bout (?:to|for) bids?\b"
    r"|\b(?:freed|sorted|cleared|fixed|righted|mended) itself\b|\bwas going to (?:have|ask|get) (?:you|u|ye)\b"
    r"|\b(?:company|guy|firm|crew|contractor) (?:comes|does|handles|services)\b.*\b(?:those|them|that|it)\W*$"
    r"|\bunder (?:the |their |our )?warranty\b[^.]{0,20}$"
    r"|\bpart of their (?:package|price|contract|quote|job|scope|work)\W*$",
    re.IGNORECASE,
)
#: What was told of before it needs nothing any more, whatever it was to be done: "loose handrail - fixed same day".
_IS_DONE = re.compile(
    r"\W*(?:(?:i|we|he|she|they|seller|landlord) (?:already )?(?:did|fixed|sorted|handled|resolved|waived)"
    r"(?: (?:it|that|this|them))?(?: already| myself| ourselves)?"
    r"|already (?:done|fixed|sorted|handled|resolved|waived)"
    r"|(?:done|fixed|sorted|handled|resolved|waived) (?:already|(?:the )?(?:same|next|that) day))\W*",
    re.IGNORECASE,
)
#: "Already finished: slab, panel": the list tells what needs no work any more.
_DONE_LABEL = re.compile(
    r"^\W*(?:(?:what(?:['’]s| is| was)|works?|items?|things?) )?(?:already |all |been )*(?:finished|done|completed?"
    r"|fixed"
    r"|background|history|fyi|for reference|existing conditions)(?: so far| already| to date)?\s*:",
)
#: "… replaced 2 toilets": begins with what was done, in a list of what was done.
_WAS_DONE = re.compile(
    r"^\W*(?:and )?(?:\w+ed|put|took|tore|built|laid|hung|redid|had|reset|cut|set|shut)\b", re.IGNORECASE
)
#: What several things before it do, too.
_SUBJECTS = re.compile(
    r"\b(?:(?:are|come|ship|were|have been|arrive)\b|(?:we|i)(?:['’]ve| have)? (?:bought|got|ordered)(?: ourselves"
    r"| already)?\W*$)", re.IGNORECASE,
)  # fmt: skip
_ARE = re.compile(
    r"\bare (?:all |both |already )*(?:on site|here|to hand|in|bought|ordered|stacked|stored)\b", re.IGNORECASE
)
#: "We already have 2 outlets, add 3 more": what is there is not for this work.
_WANTS_MORE = re.compile(
    r"\W*(?:and |but |so )?(?:please )?(?:(?:i|we)(?:['’]d| would)? )?(?:add|install|put in|need|want|like|run|fit)\b"
    r".{0,30}\b(?:more|another|additional|extra)\b",
    re.IGNORECASE,
)
_EXCLUDES = re.compile(r"\W*exclud(?:es|ing)\b", re.IGNORECASE)
#: "By owner: mirrors, paint", a label of what somebody else does.
_BY_OTHERS = re.compile(
    r"\W*(?:all |work |items? )?(?:done |provided |handled )?by (?:the )?(?:owners?|others|clients?|customers?|tenants?"
    r"|landlord|gc|us|me)\W*",
    re.IGNORECASE,
)
_RELATIVE = frozenset({"which", "that", "who"})
_BROUGHT_BY = re.compile(
    r"\W*(?:the |new )?([a-z]+) (?:is |are )?by (?:the )?(?:owner|customer|client|tenant|landlord|us|homeowner)\W*$",
    re.I,
)
_ALL_OF_THEM = re.compile(r"\b(?:all|both)\b", re.IGNORECASE)
#: "The store delivers and hooks up the range".
_BY_A_SHOP = re.compile(
    r"\W*(?:the |our |my )?(?:\w+ )?(?:store|shop|supplier|dealer|retailer|manufacturer|company)\b", re.IGNORECASE
)
#: "We'll strip the walls and decorate ourselves": all of it is theirs.
_OURS = re.compile(
    r"^\W*(?:we|i)(?:['’]ll| will| can|['’]re going to| plan to)\b(?!.*\b(?:buy|suppl|pick|provid|order))[^.]*"
    r"\b(?:our|my)sel(?:f|ves)\W*$", re.IGNORECASE | re.DOTALL,
)  # fmt: skip


#: Answers the question right before.
_SAYS_NO = re.compile(r"\W*(?:no|nope|nah)(?: thanks| thank you| need)?\s*(?:[,.;:!–—-]|$)", re.IGNORECASE)
_ONLY_THAT = frozenset({"replacement", "replacements", "existing", "repair", "repairs"})
_TOLD = frozenset({ClauseKind.WORK, ClauseKind.CONTEXT})
#: Two words behind which stands what is not wanted.
_REFUSES = frozenset({("rather", "than"), ("instead", "of"), ("not", "just"), ("not", "only"), ("in", "lieu")})
#: What parts the work from what of it is left out.
_EXCEPT = frozenset({"except", "excepting", "excluding", "excl", "exc", "without", "bar"})
_BEHIND_BAR = frozenset({"the", "one", "two", "three", "my", "our"})
_EXCEPT_BY_TWO = frozenset({("other", "than"), ("apart", "from"), ("but", "not"), ("not", "including")})
#: What is left out was named before its cue ("booth NIC", "bath fan by owner", "no structural work"): the list goes on
#: with other things.
_ALL_SAID = re.compile(
    r"\w\W+(?:n\.?i\.?c|n/?a|excl(?:uded)?|omit(?:ted)?|by (?:the )?\w+(?: \w+)?|tbd|(?:to )?(?:stays?|remain"
    r"|be retained)"
    r"|not (?:included|needed|required|in scope)|under separate permit)\W*$|^\W*no [\w/ ]{3,30} (?:works?"
    r"|changes?)\W*$",
    re.IGNORECASE,
)


def split_request(
    text: str, quantities: Sequence[Quantity], spelling: Callable[[str], str] = str, *,
    tokens: Sequence[Token] | None = None,
) -> tuple[Clause, ...]:  # fmt: skip
    """The clauses of a request in order.

    ``quantities`` are its figures, inside which nothing is split; ``spelling`` repairs a word before its sense is
    asked; ``tokens`` are those of the text where they are at hand.
    """
    figures = tuple((quantity.span.start, quantity.span.end) for quantity in quantities)
    inside = frozenset(position for start, end in figures for position in range(start, min(end, start + 200)))
    tokens = tokenize(text) if tokens is None else tokens
    starts = [token.start for token in tokens]
    clauses: list[Clause] = []
    sentence = 0
    above: ClauseKind | None = None
    for start, end in lines_of(text):
        if clauses and re.search(r"\n\s*\n", text[clauses[-1].end : start]) and clauses[-1].kind is above:
            above = None
        for first, last in sentences_of(text, start, end, inside):
            said = tokens[bisect_left(starts, first) : bisect_left(starts, last)]
            before = clauses[-1].kind if clauses else None
            found = _clauses(text, first, last, sentence, inside, spelling, said, before)
            if _SAYS_NO.match(text[first:last]) and text[max(0, first - 8) : first].rstrip().endswith("?"):
                # "Does the chimney need rebuilding as well? No, it's sound."
                for number in range(len(clauses) - 1, -1, -1):
                    if clauses[number].sentence != sentence - 1:
                        break
                    clauses[number] = replace(clauses[number], kind=ClauseKind.EXCLUSION)
            whole = text[first:last].rstrip()
            if whole.endswith(":"):
                above = _kind_of_list(whole, found)
            elif above is not None and not REQUEST_CUE.search(whole[:600].lower()):
                found = [replace(one, kind=above) for one in found]
            else:
                above = None
            clauses += found
            sentence += 1
    return tuple(clauses)


def _kind_of_list(heading: str, clauses: Sequence[Clause]) -> ClauseKind | None:
    """What the lines under a heading are, where it excludes them ("Not included:") or tells that they are done."""
    if _DONE_LABEL.match(heading):
        return ClauseKind.CONTEXT
    return ClauseKind.EXCLUSION if len(clauses) == 1 and clauses[0].kind is ClauseKind.EXCLUSION else None


def _clauses(
    text: str, start: int, end: int, sentence: int, inside: frozenset[int], spelling: Callable[[str], str],
    said: Sequence[Token], before: ClauseKind | None,
) -> list[Clause]:  # fmt: skip
    """Split one sentence and label its pieces; what an exclusion or option opens holds until another verb. ``before``:
    what the clause before it is."""
    tokens = tuple(
        [
            token if token.kind is not Kind.WORD or (right := spelling(token.text)) == token.text
            else replace(token, text=right)
            for token in said
        ]
    )  # fmt: skip
    # "New AC unit / new furnace / water heater"
    slashes = list(_SLASH.finditer(text[start:end]))
    dashes = frozenset(
        position + start
        for match in itertools.chain(_DASH.finditer(text[start:end]), slashes if len(slashes) > 1 else ())
        for position in range(match.start(), match.end())
        if position + start not in inside
        and not (match.start() < _NEAR and _ONLY_COUNT.fullmatch(text, start, start + match.start()))
    )
    low = text[start : min(end, start + 600)].lower()
    done = _DONE_LABEL.match(low) is not None
    papers = _PERMIT_PAPER.search(low) is not None
    agreed = _ANOTHER_DAY.search(low) is not None
    pieces = [
        part for piece in _with_its_count(pieces_of(tokens, inside, dashes)) for part in _without_exception(piece)
    ]
    clauses: list[Clause] = []
    carried: ClauseKind | None = None
    bought = told = listed = did = excepted = False
    for whole in pieces:
        first, last = whole[0].start, whole[-1].end
        words = text[first:last]
        piece = _without_refused(whole)
        kind = ClauseKind.CONTEXT if papers else kind_of(words, piece)
        holds = papers or (kind is ClauseKind.CONTEXT and IS_NOW.match(words) is not None)
        if not clauses and _BY_OTHERS.fullmatch(words) and text[last : last + 2].lstrip().startswith(":"):
            kind = ClauseKind.EXCLUSION
        if kind is ClauseKind.EXCLUSION and clauses and _is_of_the_same(clauses, words):
            kind = ClauseKind.SUPPLY
        doing = _IS_DOING.match(words) if clauses else None
        if doing is not None and (action_of(doing[1].lower()) or doing[1].lower() in _DOES):
            kind = ClauseKind.EXCLUSION
        if agreed or (
            kind is ClauseKind.WORK
            and clauses
            and _does_too(text[clauses[-1].start : clauses[-1].end], text[clauses[-1].end : first], piece)
        ):
            kind = ClauseKind.EXCLUSION
        if before in {ClauseKind.CONTEXT, ClauseKind.EXCLUSION} and _DITTO.fullmatch(words):
            kind = before
        if kind is ClauseKind.WORK and done:
            kind = ClauseKind.CONTEXT
        if kind is ClauseKind.WORK and told and (not asked_by_verb(piece) or _WAS_DONE.match(words)):
            # So many things may be asked for all the same, by what was learned.
            kind, holds = ClauseKind.CONTEXT, not has_number(piece[:_PAIR])
        if kind is ClauseKind.WORK and did and _goes_on_telling(words, piece):
            kind, holds = ClauseKind.CONTEXT, True
        # "Three lights, which my husband picked out, and 2 switches" asks for more.
        did = kind is ClauseKind.CONTEXT and text_at(piece, 0) not in _RELATIVE and (holds or was_done(words))
        if (
            kind is ClauseKind.WORK
            and told
            and text_at(piece, 0) in {"get", "gets", "got", "are", "is", "comes", "come"}
        ):
            kind = ClauseKind.CONTEXT
        told = kind is ClauseKind.CONTEXT and (told or did or _TOLD_ON.search(words) is not None)
        if kind in {ClauseKind.EXCLUSION, ClauseKind.OPTION}:
            # "Not included: skips, tree removal, lighting": all of the list, whatever verbs its things are named by.
            labels = text[last : last + 2].lstrip().startswith(":")
            excludes = kind is ClauseKind.EXCLUSION
            excepted = excludes and text_at(piece, 0) in _EXCEPT
            listed = excludes and (labels or _EXCLUDES.match(words) is not None)
            carried = None if excludes and not labels and _ALL_SAID.search(words) else kind
        elif kind is ClauseKind.SUPPLY and _BOUGHT.search(words):
            bought = True
        elif kind is ClauseKind.WORK and bought and text_at(piece, 0) in {"a", "an", "one"} and not actions_in(piece):
            kind = ClauseKind.SUPPLY
        elif kind is ClauseKind.WORK and carried is not None:
            opened = carried is ClauseKind.EXCLUSION and (
                (is_imperative(piece) and len(piece) > 1)
                or text_at(piece, 0) in {"but", "just", "only", "so"}
                or (not listed and bool(actions_in(piece)))
                or (excepted and has_number(piece[:_PAIR]))  # "a new roof excluding tax, 20 squares"
            )
            if opened:
                carried = None
            else:
                kind, holds = carried, True
        if clauses and clauses[-1].kind is ClauseKind.SUPPLY and _WANTS_MORE.match(words):
            clauses[-1] = replace(clauses[-1], kind=ClauseKind.CONTEXT)
        alone = len(clauses) < _PAIR or text[clauses[-2].end : clauses[-1].start].strip() != ","
        if (
            kind is ClauseKind.SUPPLY
            and clauses
            and alone
            and _is_bought_with(clauses[-1], text[clauses[-1].end : first])
        ):
            clauses[-1] = replace(clauses[-1], kind=kind)
        clauses.append(Clause(kind, piece, first, last, sentence, holds))
    return _also_excluded(text, clauses)


def _is_of_the_same(before: Sequence[Clause], words: str) -> bool:
    """ "Replace toilet, toilet by owner": who brings the very thing that is to be fitted."""
    brought = _BROUGHT_BY.match(words)
    return brought is not None and any(
        token.text.removesuffix("s") == brought[1].lower().removesuffix("s") for one in before for token in one.tokens
    )


def _does_too(before: str, between: str, piece: Sequence[Token]) -> bool:
    """ "The store delivers and hooks up the range": goes on with what somebody else does."""
    verb = text_at(piece, 0)
    joined = between.strip().lower() in {"and", "&", "then", "and then"} and _BY_A_SHOP.match(before) is not None
    return joined and len(piece) > 1 and verb.endswith("s") and bool(actions_in(piece[:_PAIR]))


def _is_bought_with(before: Clause, between: str) -> bool:
    """ "Slabs and sub-base already delivered", "tile and grout purchased": a thing alone, joined to what was bought."""
    joined = between.strip().lower() in {"and", "&", "+"}
    return joined and before.kind is ClauseKind.WORK and len(before.tokens) == 1 and not before.actions


def _goes_on_telling(words: str, piece: Sequence[Token]) -> bool:
    """ "… ripped the old palings and posts out and carted the lot off": goes on with what somebody did. So many things
    are asked for."""
    if has_number(piece[:_PAIR]):
        return False
    return not asked_by_verb(piece) or _WAS_DONE.match(words) is not None or piece[-1].text in PARTICLES


def _with_its_count(pieces: Sequence[tuple[Token, ...]]) -> Sequence[tuple[Token, ...]]:
    """ "Toilets: 2", "Ceiling fans - 2": a line of a list is one piece."""
    if len(pieces) == _PAIR and len(pieces[1]) == 1 and pieces[1][0].kind is Kind.NUMBER:
        return [pieces[0] + pieces[1]] if pieces[0][-1].text.endswith("s") else pieces
    return pieces


def _without_exception(piece: tuple[Token, ...]) -> Sequence[tuple[Token, ...]]:
    """ "Replace all 9 windows except the bath one": what is asked for, and what of it is left out."""
    asked = next((at for at, one in enumerate(piece) if one.kind is Kind.NUMBER or action_of(one.text)), len(piece))
    for place in range(max(_PAIR, asked + 1), len(piece) - 1):
        excepts = piece[place].text in _EXCEPT or (piece[place].text, piece[place + 1].text) in _EXCEPT_BY_TWO
        # "Bar the two in the extension" excepts, "a bar" is a thing.
        excepts = excepts and (piece[place].text != "bar" or piece[place + 1].text in _BEHIND_BAR)
        if excepts:
            return [piece[:place], piece[place:]]
    return [piece]


def _without_refused(piece: tuple[Token, ...]) -> tuple[Token, ...]:
    """ "Dug out, not just ground", "re-fixed rather than renewed": the words of what is not wanted ask for nothing."""
    for place in range(1, len(piece) - 1):
        if (piece[place].text, piece[place + 1].text) in _REFUSES or piece[place].text == "ilo":
            return piece[:place]
    if piece[-1].text == "only" and text_at(piece, len(piece) - 2) in _ONLY_THAT:
        # "Windows (replacement only)": no more than that, and no fitting only.
        return piece[:-1]
    return piece


def _is_bare(clause: Clause) -> bool:
    """Things alone: no verb and no number."""
    return clause.kind is ClauseKind.WORK and not clause.actions and not has_number(clause.tokens)


def _is_label_behind(text: str, clause: Clause) -> bool:
    """ "Sawcut and patch slab for the drain: BY PLUMBER": who does all that stands before the colon."""
    return clause.tokens[0].text == "by" and text[max(0, clause.start - _NEAR) : clause.start].rstrip().endswith(":")


def stands_behind(text: str, at: int, signs: tuple[str, ...]) -> bool:
    """Whether one of the signs stands before a place of a text, with nothing but spaces between."""
    while at and text[at - 1].isspace():
        at -= 1
    return text.endswith(signs, 0, at)


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


def _also_excluded(text: str, clauses: list[Clause]) -> list[Clause]:
    said = text[clauses[0].start : clauses[-1].end] if clauses else ""
    if _OURS.search(said[:600]):
        return [replace(clause, kind=ClauseKind.EXCLUSION) for clause in clauses]
    supplied = next((number for number, one in enumerate(clauses) if one.kind is ClauseKind.SUPPLY), 0)
    if supplied and _names_all_before(text, clauses, supplied):
        # "Doors, handles and hinges all on site": what is listed before has been bought with it.
        for number in range(supplied - 1, 0, -1):
            one = clauses[number]
            counted = has_number(one.tokens) or text_at(one.tokens, 0) in {"a", "an", "one"}
            if one.kind is not ClauseKind.WORK or one.actions or counted:
                break
            clauses[number] = replace(one, kind=ClauseKind.SUPPLY)
    if supplied and _SUBJECTS.search(text[clauses[supplied].start : clauses[supplied].end]):
        # "The posts, rails and pickets are stacked out back", "2 windows to fit, frames and flashings are on site"
        listed = [*takewhile(_is_bare, reversed(clauses[:supplied]))]
        if len(listed) == supplied or _ARE.search(text[clauses[supplied].start : clauses[supplied].end]):
            first = supplied - len(listed)
            clauses[first:supplied] = [replace(one, kind=ClauseKind.SUPPLY) for one in clauses[first:supplied]]
    closing = next(
        (
            number
            for number, clause in enumerate(clauses)
            if clause.kind is ClauseKind.EXCLUSION
            and (
                _CLOSING.search(said := text[clause.start : clause.end])
                or _IS_DONE.fullmatch(said)
                or _is_label_behind(text, clause)
            )
        ),
        0,
    )
    opens = clauses[closing].start - 1 if closing else -1
    if closing and text[opens] == "(" and _ALL_SAID.search(text[opens + 1 : clauses[closing].end]):
        return clauses  # "1,800 SF of sod (grading by others)"
    before = clauses[:closing]
    last = clauses[closing] if clauses else None
    done = last is not None and (_IS_DONE.fullmatch(text, last.start, last.end) or _is_label_behind(text, last))
    if any(clause.kind not in _TOLD or (clause.actions and not done) for clause in before):
        return clauses
    apart = last is not None and len(last.tokens) > _PAIR and stands_behind(text, last.start, (",", ";", "."))
    asked = {ClauseKind.CONTEXT, ClauseKind.WORK} if apart else {ClauseKind.CONTEXT}
    if any(clause.kind in asked and has_number(clause.tokens) for clause in before):
        return clauses  # "Paver patio 14x18, grill by owner"
    if any(REQUEST_CUE.search(text[clause.start : clause.end].lower()) for clause in before):
        return clauses
    if any(clause.tokens[-1].text == "only" for clause in before):
        return clauses  # "Powder room - toilet only, the pedestal stays"
    return [replace(clause, kind=ClauseKind.EXCLUSION) for clause in before] + clauses[closing:]
